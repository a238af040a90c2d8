"""The paper's nine figures; each draws a table that a reader can print, and computes nothing of its own."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures import share_legend, use_style
from analysis.figures.style import COLUMN_WIDTH, PAGE_WIDTH
from analysis.papers.kodner2023.drawing import coefficients, learning_curves, stacked_errors
from analysis.papers.kodner2023.neural import stored_neural_run
from analysis.papers.kodner2023.setting import Setting, make_setting
from analysis.papers.kodner2023.tables import all_runs, curves, errors, strategy_difference
from analysis.statistics.regressions import Regression


def learning_figure(language: str, setting: Setting | None = None, *, interval: str = "none", **choices: Any) -> Figure:
    """Learning curves of a language, a panel a strategy: thin lines are seeds, thick lines their means.

    On the split of SIGMORPHON 2022 the stored training of CHR-TRM stands beside them, labelled as stored.
    """
    chosen = make_setting(setting, choices)
    means = curves(language, chosen, interval=interval)
    stored = stored_neural_run().rename(columns={"accuracy": "value"})
    if "SIGM22" in set(means["strategy"]):
        stored = stored[stored["language"] == language]
        means = pd.concat([means, stored[["model", "strategy", "size", "value"]]], ignore_index=True)
    runs = all_runs(chosen)
    runs = runs[runs["language"] == language]
    strategies = list(dict.fromkeys(means["strategy"]))
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 2.9), layout="constrained")
        panels = figure.subplots(1, len(strategies), squeeze=False, sharey=True)[0]
        top = max(means["value"].max(), runs["accuracy"].max())
        for ax, strategy in zip(panels, strategies, strict=True):
            shown = means[means["strategy"] == strategy]
            learning_curves(shown, runs[runs["strategy"] == strategy], ax=ax)
            ax.set_ylim(0, min(1.05 * top, 100))
            ax.set_title(strategy)
            ax.label_outer()
        share_legend(figure)
    return figure


def error_figure(language: str, setting: Setting | None = None, *, by: str = "size", **choices: Any) -> Figure:
    """Wrong predictions of a language stacked by type, at each size or for each model at the largest size."""
    table = errors(language, setting, by=by, **choices)
    with use_style():
        figure = Figure(figsize=(COLUMN_WIDTH * 1.3, 3.2), layout="constrained")
        ax = figure.subplots()
        stacked_errors(table, x=by, ax=ax)
        first = table.iloc[0]
        what = f"{first['model']}" if by == "size" else f"{first['size']:,} items"
        ax.set_title(f"{language}, {what}, {first['strategy']}")
        share_legend(figure, 4)
    return figure


def figure1(setting: Setting | None = None, **choices: Any) -> Figure:
    """Learning curves of Arabic noun plurals (Kodner et al. 2023, Figure 1)."""
    return learning_figure("Arabic", setting, **choices)


def figure2(setting: Setting | None = None, **choices: Any) -> Figure:
    """Learning curves of German noun plurals (Kodner et al. 2023, Figure 2)."""
    return learning_figure("German", setting, **choices)


def figure3(setting: Setting | None = None, **choices: Any) -> Figure:
    """Learning curves of English past tenses (Kodner et al. 2023, Figure 3)."""
    return learning_figure("English", setting, **choices)


def figure4(setting: Setting | None = None, **choices: Any) -> Figure:
    """Arabic errors by training size, every second size (Kodner et al. 2023, Figure 4)."""
    return error_figure("Arabic", setting, by="size", **choices)


def figure5(setting: Setting | None = None, **choices: Any) -> Figure:
    """Arabic errors by model at the largest size (Kodner et al. 2023, Figure 5)."""
    return error_figure("Arabic", setting, by="model", **choices)


def figure6(setting: Setting | None = None, **choices: Any) -> Figure:
    """English errors by training size (Kodner et al. 2023, Figure 6)."""
    return error_figure("English", setting, by="size", **choices)


def figure7(setting: Setting | None = None, **choices: Any) -> Figure:
    """English errors by model at the largest size (Kodner et al. 2023, Figure 7)."""
    return error_figure("English", setting, by="model", **choices)


def figure8(setting: Setting | None = None, **choices: Any) -> Figure:
    """German errors by training size (Kodner et al. 2023, Figure 8)."""
    return error_figure("German", setting, by="size", **choices)


def figure9(setting: Setting | None = None, **choices: Any) -> Figure:
    """German errors by model at the largest size (Kodner et al. 2023, Figure 9)."""
    return error_figure("German", setting, by="model", **choices)


def difference_figure(setting: Setting | None = None, **choices: Any) -> Figure:
    """By how much UNIFORM exceeds WEIGHTED at each size, with a bootstrap band over samples."""
    table = strategy_difference(setting, **choices).rename(columns={"language": "model"})
    with use_style():
        figure = Figure(figsize=(COLUMN_WIDTH * 1.3, 2.9), layout="constrained")
        ax = figure.subplots()
        learning_curves(table, ax=ax)
        ax.axhline(0, color="#202020", linewidth=0.8)
        low, high = float(table["lower"].min()), float(table["upper"].max())
        ax.set_ylim(min(low, 0) - 0.5, max(high, 0) + 0.5)
        ax.set_ylabel("UNIFORM minus WEIGHTED (points)")
        share_legend(figure)
    return figure


def regression_figure(fit: Regression, *, only: str = "size", scale: float = 100.0) -> Figure:
    """The coefficients of a regression that contain a term, with intervals; by default slopes for 100 items."""
    table = fit.coefficients
    table = table[table["term"].str.contains(only, regex=False)] if only else table
    if table.empty:
        raise ValueError(f"no coefficient has {only!r} in its name.")
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 0.8 + 0.17 * len(table)), layout="constrained")
        ax = figure.subplots()
        coefficients(table, ax=ax, scale=scale, xlabel="Points for 100 items" if scale == 100 else "Estimate")
    return figure
