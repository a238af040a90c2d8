"""The figures of power and of a confusion table."""

import matplotlib
import pandas as pd
import pytest
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from analysis.figures import confusion_heatmap, power_curve
from analysis.statistics.power import power_of_seeds


def table():
    return pd.concat([power_of_seeds((1, 1), gap, [5, 10, 40]) for gap in (0.5, 1.0)])


def test_a_line_is_drawn_for_each_difference_and_the_goal_is_marked():
    ax = power_curve(table())
    assert ax.get_xlabel() == "seeds" and ax.get_ylabel() == "power"
    assert [line.get_label() for line in ax.lines[:2]] == ["0.5", "1"]
    assert ax.lines[2].get_ydata()[0] == 0.8
    assert len(power_curve(table(), goal=None).lines) == 2


def test_it_draws_into_the_axes_that_it_is_given():
    ax = Figure().subplots()
    assert power_curve(table(), ax=ax) is ax
    assert confusion_heatmap(confused(), ax=Figure().subplots()) is not None


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="power"):
        power_curve(table().drop(columns="power"))


def confused():
    return pd.DataFrame({"gold": ["N", "N", "V", "V"], "predicted": ["N", "V", "N", "V"],
                         "value": [0.75, 0.25, 0.5, 0.5], "numerator": [3, 1, 1, 1]})  # fmt: skip


def test_the_diagonal_of_a_confusion_is_framed_and_shares_have_a_scale_from_0_to_1():
    ax = confusion_heatmap(confused())
    assert [patch.get_xy() for patch in ax.patches] == [(0, 0), (1, 1)]
    assert ax.collections[0].get_clim() == (0, 1)
    assert not confusion_heatmap(confused(), diagonal=False).patches


def test_counts_are_whole_and_have_a_logarithmic_scale_where_they_span_a_factor_of_100():
    ax = confusion_heatmap(confused(), value="numerator")
    assert [text.get_text() for text in ax.texts] == ["3", "1", "1", "1"]
    assert not isinstance(ax.collections[0].norm, LogNorm)
    names = list("abcdefgh")
    pairs = pd.MultiIndex.from_product([names, names], names=["gold", "predicted"]).to_frame(index=False)
    wide = confusion_heatmap(pairs.assign(numerator=range(0, 640, 10)), value="numerator")
    assert not isinstance(wide.collections[0].norm, LogNorm)  # 630 is less than 100 times 10
    wide = confusion_heatmap(pairs.assign(numerator=[2**k % 1999 for k in range(64)]), value="numerator")
    assert isinstance(wide.collections[0].norm, LogNorm)


def test_the_readers_sizes_of_letters_hold_in_axes_that_are_given():
    with matplotlib.rc_context({"xtick.labelsize": 4.0}):
        ax = confusion_heatmap(confused(), ax=Figure().subplots())
        assert {label.get_size() for label in ax.get_xticklabels()} == {4.0}
