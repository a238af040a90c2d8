"""The paper's nine figures; each draws one of the tables and computes nothing itself."""

from collections.abc import Callable
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures import forest_plot, learning_curves, small_multiples, stacked_bars
from analysis.figures.style import COLUMN_WIDTH
from analysis.inflection import learning_curve
from analysis.papers.kodner2023.cluzh_results import cluzh_is_stored, cluzh_runs
from analysis.papers.kodner2023.neural import stored_neural_run
from analysis.papers.kodner2023.runs import all_runs
from analysis.papers.kodner2023.setting import Setting
from analysis.papers.kodner2023.tables import curves, errors, strategy_difference
from analysis.papers.recipe import in_percent, takes_setting
from analysis.statistics.regressions import Regression

#: Language of Figures 1 to 3; language of Figures 4 to 9, and the factor whose levels are the bars.
LEARNING = {1: "Arabic", 2: "German", 3: "English"}
ERRORS = {4: ("Arabic", "size"), 5: ("Arabic", "model"), 6: ("English", "size"), 7: ("English", "model"),
          8: ("German", "size"), 9: ("German", "model")}  # fmt: skip


@takes_setting(Setting)
def learning_figure(setting: Setting, language: str = "English", interval: str = "none") -> Figure:
    """Learning curves of a language, one panel per strategy: thin lines are seeds, thick lines their means.

    On the SIGMORPHON data the stored training of CHR-TRM and those of CLUZH-GR and CLUZH-B4 are shown too, labelled as
    stored; of the latter, seeds whose every size is done.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    language : str
        Name of a language.
    interval : str
        Kind of interval; see `analysis.inflection.learning_curve`.

    Returns
    -------
    Figure

    Examples
    --------
    >>> figure = learning_figure(language="English", seeds=1, models=("Copy",), languages=("English",))
    >>> [ax.get_title() for ax in figure.axes]
    ['UNIFORM', 'WEIGHTED']
    """
    means, runs = curves(setting, language, interval), in_percent(all_runs(setting), ["accuracy"])
    if setting.real and cluzh_is_stored():
        cluzh = cluzh_runs().query("language == @language")
        cluzh = cluzh.assign(model=cluzh["model"] + " (stored)")
        if len(cluzh):
            means = pd.concat([means, learning_curve(cluzh, interval="none")], ignore_index=True)
            runs = pd.concat([runs, in_percent(cluzh, ["accuracy"])], ignore_index=True)
    stored = stored_neural_run().query("language == @language and @setting.real")
    means = in_percent(pd.concat([means, stored[["model", "strategy", "size", "value", "unit"]]], ignore_index=True))
    runs = runs[runs["language"] == language]
    models = list(dict.fromkeys(means["model"]))
    panels = [
        (strategy, partial(learning_curves, means[means["strategy"] == strategy], runs[runs["strategy"] == strategy],
                           systems=models))
        for strategy in dict.fromkeys(means["strategy"])
    ]  # fmt: skip
    figure = small_multiples(panels, columns=len(panels), height=2.9, share=(False, True), legend_columns=3)
    figure.axes[0].set_ylim(0, min(1.05 * max(means["value"].max(), runs["accuracy"].max()), 100))
    return figure


@takes_setting(Setting)
def error_figure(setting: Setting, language: str = "English", by: str = "size") -> Figure:
    """Wrong predictions of a language stacked by type, at each size or for each model at the largest size.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    language : str
        Name of a language.
    by : str
        Factors by which the table is grouped.

    Returns
    -------
    Figure
    """
    table = errors(setting, language, by=by)
    first = table.iloc[0]
    what = f"{first['model']}" if by == "size" else f"{first['size']:,} items"
    title = f"{language}, {what}, {first['strategy']}, n = {first['items']}"
    bars = partial(stacked_bars, table, x=by)
    return small_multiples([(title, bars)], columns=1, height=3.6, width=COLUMN_WIDTH * 1.3, legend_columns=3)


def _numbered(number: int, what: str, draw: Callable[..., Figure], **fixed: str) -> Callable[..., Figure]:
    """A figure of the paper: a learning or an error figure of a language."""
    figure = partial(draw, **fixed)
    figure.__doc__ = f"{fixed['language']} {what} (Kodner et al. 2023, Figure {number}); see `{draw.__name__}`."
    return figure


figure1, figure2, figure3 = (
    _numbered(number, "learning curves", learning_figure, language=language) for number, language in LEARNING.items()
)
figure4, figure5, figure6, figure7, figure8, figure9 = (
    _numbered(number, f"errors by {by}", error_figure, language=language, by=by)
    for number, (language, by) in ERRORS.items()
)


@takes_setting(Setting)
def difference_figure(setting: Setting) -> Figure:
    """By how much UNIFORM exceeds WEIGHTED at each size, with a bootstrap band over samples.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure
    """
    table = in_percent(strategy_difference(setting)).rename(columns={"language": "model"})
    lines = partial(learning_curves, table)
    figure = small_multiples([("", lines)], columns=1, height=2.9, width=COLUMN_WIDTH * 1.3)
    ax = figure.axes[0]
    ax.axhline(0, color="#202020", linewidth=0.8)
    ax.set_ylim(min(table["lower"].min(), 0) - 0.5, max(table["upper"].max(), 0) + 0.5)
    ax.set_ylabel("UNIFORM minus WEIGHTED (points)")
    return figure


def regression_figure(fit: Regression, *, only: str = "size", scale: float = 100.0) -> Figure:
    """The coefficients of a regression that contain a term, with intervals; by default slopes for 100 items.

    Parameters
    ----------
    fit : Regression
        A fitted regression.
    only : str
        Only terms that contain this text.
    scale : float
        Factor by which values are multiplied.

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If no coefficient has ``only`` in its name.
    """
    table = fit.coefficients[fit.coefficients["term"].str.contains(only, regex=False)]
    if table.empty:
        raise ValueError(f"no coefficient has {only!r} in its name.")
    xlabel = "Points for 100 items" if scale == 100 else "Estimate"
    plot = partial(forest_plot, table, scale=scale, xlabel=xlabel)
    return small_multiples([("", plot)], columns=1, height=0.8 + 0.17 * len(table))
