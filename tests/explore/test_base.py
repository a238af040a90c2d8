import ipywidgets as widgets
import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis import explore
from analysis.explore import Explorer
from analysis.explore.base import dropdown, figure_output, written_as
from analysis.papers import gelling2012


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


def tools(made):
    return made.children[0].children[1]


def test_a_line_says_that_a_result_is_being_computed_and_goes_when_it_is_there():
    said = []

    def compute(k):
        said.append(made.children[0].children[2].value if made else "")
        return {"k": k}

    made = None
    made = Explorer({"k": widgets.IntSlider(value=1, min=1, max=5)}, compute)
    made.set(k=2).set(k=1)
    assert len(said) == 2 and "computing" in said[1]
    assert made.children[0].children[2].value == ""


def test_figure_and_numbers_are_saved_in_the_formats_of_papers(tmp_path):
    made = explore.printed_rankings().set(number=3)
    paths = {path.name: path.read_bytes() for path in made.save(tmp_path)}
    assert set(paths) == {f"printed_rankings{end}" for end in (".pdf", ".svg", "_order.csv", "_ranks.csv")}
    assert paths["printed_rankings.pdf"].startswith(b"%PDF") and b"<svg" in paths["printed_rankings.svg"]
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "printed_rankings_order.csv")[["system", "rank"]],
                                  made.value["order"][["system", "rank"]], check_dtype=False)  # fmt: skip
    tools(made).saving.click()
    assert tools(made).shown.count("<a download=") == 4
    made.set(measure="NED")
    assert tools(made).shown == ""


def test_the_shown_code_makes_what_is_seen():
    made = explore.each_in_r_of_n().set(n=5, r=2)
    tools(made).coding.click()
    assert "explore.each_in_r_of_n()" in tools(made).shown
    lines = made.code().splitlines()
    assert len(lines) == 3
    lines[-1] = lines[-1].removesuffix(".figure()")
    names: dict = {}
    exec("\n".join([*lines[:-1], "again = " + lines[-1]]), names)
    assert names["again"].value["r"] == 2 and names["again"].settings() == made.settings()


def test_a_still_picture_is_drawn_for_pages_only(monkeypatch):
    made = explore.each_in_r_of_n()
    menu = explore.choose_corpus(explore.token_against_type, "nursery")
    monkeypatch.delenv("ANALYSIS_PAGE", raising=False)
    assert made.still() is None and menu.still() is None
    monkeypatch.setenv("ANALYSIS_PAGE", "1")
    assert made.still().axes and menu.still().axes


def test_code_names_the_setting_of_a_paper_by_what_differs():
    setting = gelling2012.Setting(corpus="nursery", iterations=7)
    assert written_as(setting, "setting") == "gelling2012.Setting(corpus='nursery', iterations=7)"
    assert written_as(gelling2012.PAPER, "paper") == "gelling2012.PAPER"


def test_what_has_no_effect_is_disabled_and_what_is_impossible_is_not_offered():
    made = Explorer(
        {"kind": dropdown("kind", ("a", "b"), "a"), "of": dropdown("of", (1, 2), 1), "end": widgets.IntSlider(9, 1, 9)},
        lambda kind, of, end: {"of": of, "end": end},
        idle=lambda kind, **_: ["end"] if kind == "b" else [],
        offered=lambda kind, **_: {"of": (1, 2) if kind == "a" else (2, 3), "end": 9 if kind == "a" else 4},
    )
    assert [control.disabled for control in made.controls.values()] == [False, False, False]
    made.set(kind="b")
    assert made.controls["end"].disabled and made.value == {"of": 2, "end": 4}
    assert made.controls["of"].options == (2, 3)
    made.set(kind="a")
    assert not made.controls["end"].disabled and made.value == {"of": 2, "end": 4}


def test_several_tables_have_a_line_each_and_the_last_is_shown_without_a_kernel():
    numbers = pd.DataFrame({"sum_of_squares": [105490.695648, -1234567.8], "p": [9.93e-250, None]})
    tables = {"all:": numbers, "one:": numbers.head(1)}
    explorer = Explorer({"k": widgets.IntSlider(1, 1, 3)}, lambda k: k, table=lambda k: tables)
    outputs = explorer.children[1].outputs
    assert [output["data"]["text/plain"] for output in outputs][::2] == ["all:", "one:"]
    assert all(text in outputs[1]["data"]["text/html"] for text in ("105491", "-1234568", "9.93e-250", "–"))
    assert explorer.shown().table.equals(tables["one:"]) and list(explorer.numbers()) == ["all:", "one:"]
