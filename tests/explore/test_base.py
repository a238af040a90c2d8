import ipywidgets as widgets
import pytest
from matplotlib.figure import Figure

from analysis.explore import Explorer
from analysis.explore.base import figure_output


def explorer(calls):
    def compute(k):
        calls.append(k)
        if k == 3:
            raise ValueError("three is impossible")
        return {"k": k}

    return Explorer(
        {"k": widgets.IntSlider(value=1, min=1, max=5)},
        compute,
        draw=lambda value: Figure(figsize=(1, 1)),
        text=lambda value: f"k is {value['k']}",
        alt=lambda value: f"picture of {value['k']}",
    )


def shown(explorer):
    return [output["data"]["text/plain"] for output in explorer.children[1].outputs]


def test_moving_a_control_changes_value_figure_and_table_and_leaves_one_of_each():
    made = explorer([])
    assert made.value == {"k": 1} and shown(made) == ["picture of 1", "k is 1"]
    made.set(k=2)
    assert made.value == {"k": 2} and shown(made) == ["picture of 2", "k is 2"]


def test_an_impossible_choice_is_shown_as_one_line_and_the_next_choice_works():
    made = explorer([]).set(k=3)
    assert made.value is None and shown(made) == ["three is impossible"] == [made.error]
    made.set(k=4)
    assert made.error == "" and shown(made)[0] == "picture of 4"


def test_a_result_is_computed_once_for_each_choice():
    calls = []
    made = explorer(calls).set(k=2).set(k=1).set(k=2)
    assert calls == [1, 2] and made.value == {"k": 2}


@pytest.mark.parametrize("image", ["png", "svg"])
def test_the_same_picture_is_the_same_bytes(image):
    def picture():
        figure = Figure(figsize=(2, 2))
        figure.subplots().plot([1, 2])  # clipped: an SVG names the clip path
        return figure_output(figure, "a line", image)

    assert picture() == picture()


def test_no_pyplot_figure_stays_open():
    from matplotlib import pyplot

    explorer([]).set(k=2)
    assert pyplot.get_fignums() == []


def test_an_unknown_control_is_refused_by_name():
    with pytest.raises(ValueError, match="control is 'j'; it must be 'k'"):
        explorer([]).set(j=2)


def test_sliders_wait_for_the_hand_to_stop():
    assert explorer([]).controls["k"].continuous_update is False
