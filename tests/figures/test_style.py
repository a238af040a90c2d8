import itertools
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


@pytest.mark.parametrize(
    "systems", style._SUBJECTS, ids=["classes", "challenge classes", "challenge trees", "inflection"]
)
def test_systems_of_one_subject_differ_in_marker_and_without_colours_too(systems):
    looks = figures.system_styles(systems)
    assert len({str(look.marker) for look in looks.values()}) == len(systems)
    greys = {(style._grey(look.color), look.hatch) for look in looks.values()}
    assert len(greys) == len(systems)
    bars = [look.hatch for look in list(looks.values())[:16]]
    assert len(set(bars)) == len(bars)


def test_a_system_has_one_look_in_the_whole_suite():
    for systems in style._SUBJECTS:
        whole = figures.system_styles(systems)
        for first, second in itertools.pairwise(systems):
            pair = figures.system_styles([second, first, "mine"])
            assert pair[first] == whole[first] and pair[second] == whole[second]
            assert pair["mine"].marker not in (pair[first].marker, pair[second].marker)
    assert figures.system_styles(["BC", "DMV-p"])["BC"] == figures.system_styles(["MK-c", "BC"])["BC"]


@pytest.mark.parametrize("count", [5, 15])
def test_unknown_systems_differ_in_marker(count):
    looks = figures.system_styles([*(f"system {number}" for number in range(count)), "BHMM", "Random"])
    assert len({str(look.marker) for look in looks.values()}) == count + 2


def bars():
    import pandas as pd

    return figures.grouped_bars(
        pd.DataFrame({"k": [12, 12], "system": ["HC", "FF"], "value": [1, 2]}), x="k", group="system"
    )


def test_a_figure_for_a_paper_has_its_width_letters_and_greys():
    with figures.paper(width="page", monochrome=True, font_size=10):
        ax = bars()
    assert ax.figure.get_figwidth() == 7
    assert ax.xaxis.label.get_fontsize() == 10 and ax.get_xticklabels()[0].get_fontsize() == 9
    for patch in ax.patches:
        red, green, blue, _ = patch.get_facecolor()
        assert red == green == blue
    assert len({patch.get_hatch() for patch in ax.patches}) == 2
    assert bars().figure.get_figwidth() == 3.4, "outside of the block all is as before"
    with pytest.raises(ValueError, match="width is 'wide'"), figures.paper(width="wide"):
        pass


def test_panels_stand_one_below_the_other_in_a_column():
    plots = [(name, lambda ax: ax.plot([1, 2])) for name in "abc"]
    with figures.paper(width="column"):
        narrow = figures.small_multiples(plots, columns=3, height=2)
    assert narrow.get_figwidth() == 3.4 and narrow.get_figheight() == 6
    assert len({ax.get_subplotspec().colspan.start for ax in narrow.axes}) == 1


def test_figures_follow_the_callers_theme_and_palette():
    plain = bars()
    with figures.paper(palette="colorblind"):
        assert bars().patches[0].get_facecolor() != plain.patches[0].get_facecolor()
    with mpl.rc_context({"font.size": 13, "axes.labelsize": 13, "axes.prop_cycle": mpl.cycler(color=["red", "lime"])}):
        ax = bars()
    assert ax.xaxis.label.get_fontsize() == 13
    assert mpl.colors.to_hex(ax.patches[1].get_facecolor()) in ("#ff0000", "#00ff00", style.GREEN.lower())
    assert bars().patches[0].get_facecolor() == plain.patches[0].get_facecolor()
