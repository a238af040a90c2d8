import subprocess
import sys

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from analysis import figures
from analysis.figures import style


def test_the_style_ends_with_its_block():
    before = dict(mpl.rcParams)
    with figures.use_style():
        assert mpl.rcParams["svg.hashsalt"] == "language-yardstick"
    assert dict(mpl.rcParams) == before


def test_no_text_of_the_style_is_smaller_than_seven_points():
    with figures.use_style():
        sizes = {
            name: mpl.rcParams[name]
            for name in mpl.rcParams
            if name.endswith(("labelsize", "titlesize", "fontsize", "font.size"))
        }
    points = {name: size for name, size in sizes.items() if isinstance(size, (int, float))}
    assert len(points) >= 8
    assert min(points.values()) >= 7


@pytest.mark.parametrize("count", [1, 5, 20, 60])
def test_no_two_systems_look_the_same(count):
    names = ["BHMM", "gold", "Random", *(f"system {number}" for number in range(count))]
    looks = {(look.color, look.marker) for look in figures.system_styles(names).values()}
    assert len(looks) == len(names)


def test_known_systems_look_the_same_in_every_figure():
    first = figures.system_styles(["BHMM", "HC"])
    second = figures.system_styles(["mine", "HC", "FF", "BHMM"])
    assert first["BHMM"] == second["BHMM"]
    assert first["HC"] == second["HC"]


def test_the_callers_axes_are_used_as_they_are():
    ax = Figure().subplots()
    with figures.new_axes(ax) as same:
        assert same is ax


def test_a_table_without_a_column_is_refused_by_name():
    import pandas as pd

    with pytest.raises(ValueError, match="points lacks the column 'recall'; it has system, precision"):
        style.require(pd.DataFrame({"system": [], "precision": []}), ["system", "recall"], "points")
    with pytest.raises(ValueError, match="points has no row"):
        style.require(pd.DataFrame({"system": []}), ["system"], "points")


def test_drawing_never_loads_pyplot():
    code = (
        "import sys, pandas as pd; from analysis import figures;"
        "ax = figures.frequency_rank(pd.DataFrame({'rank': [1, 2], 'frequency': [3, 1]}));"
        "figures.figure_bytes(ax.figure, 'png'); print('matplotlib.pyplot' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "False"


def test_a_title_wider_than_its_figure_and_crowded_labels_are_found(drawing_faults):
    figure = Figure(figsize=(2, 2), layout="constrained")
    ax = figure.add_subplot()
    assert drawing_faults(figure) == []
    ax.set_title("wider than the figure that it stands on", loc="left")
    assert drawing_faults(figure) == ["'wider than the figure that it stands on' leaves the figure"]
    ax.set_title("")
    ax.set_xticks([0.0, 0.5], ["a long label", "another long label"])
    assert "'a long label' lies on 'another long label'" in drawing_faults(figure)
