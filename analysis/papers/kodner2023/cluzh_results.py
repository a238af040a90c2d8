"""What the stored trainings of CLUZH-GR and CLUZH-B4 show, on the cells that are done."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.corpora.folders import data_folder
from analysis.corpora.sigmorphon import reality_check_results, training_sizes
from analysis.figures import learning_curves, small_multiples, stacked_bars
from analysis.figures.style import COLUMN_WIDTH
from analysis.inflection import error_types, learning_curve, seed_variability
from analysis.papers.kodner2023.cluzh import CODES, ERRORS, REALITY_CHECK, RUNS, SPLITS, cluzh_cells, train_cluzh_cell
from analysis.papers.kodner2023.setting import LANGUAGES, STRATEGIES, shown_sizes
from analysis.papers.recipe import in_percent, judge, stored
from analysis.statistics.intervals import wilson
from analysis.statistics.regressions import linear_regression

NEAR_PUBLISHED = "within 0.03"  # the criterion for agreement with a published accuracy
_NUMBERS = ("seed", "size", "dev_numerator", "dev_denominator", "epochs", "chosen_epoch", "tuning_right", "tuning_n")
_PAPER = "sigmorphon2022"
_KEYS = ["language", "model", "strategy", "seed", "size"]


def cluzh_is_stored() -> bool:
    """Whether any training of CLUZH-GR and CLUZH-B4 is stored."""
    return _is_stored(RUNS)


def _is_stored(name: str) -> bool:
    return (data_folder() / "results" / f"{name}.csv").is_file()


def stored_cluzh() -> pd.DataFrame:
    """Every stored training of CLUZH-GR and CLUZH-B4.

    Returns
    -------
    DataFrame
        The columns of `train_cluzh`, with ``value`` (accuracy), its Wilson interval ``lower`` and ``upper``, and
        ``unit``; ``source``: empty if the row was made by the present source.

    Raises
    ------
    DataError
        If none is stored.

    Examples
    --------
    >>> sorted(set(stored_cluzh()["model"]))
    ['CLUZH-B4', 'CLUZH-GR']
    """
    table = stored(RUNS, train_cluzh_cell).astype(dict.fromkeys(_NUMBERS, "int64"))
    table = table.astype({"numerator": "int64", "denominator": "int64"})
    table[["value", "lower", "upper"]] = wilson(table["numerator"], table["denominator"]).to_numpy()
    return table.assign(unit="proportion")


def cluzh_runs(whole: bool = True) -> pd.DataFrame:
    """The stored trainings on the paper's samples, as the other runs of the paper.

    Parameters
    ----------
    whole : bool
        Whether to leave out a seed of a language and strategy until every size of it is done, so that each point of a
        curve has the same seeds.

    Returns
    -------
    DataFrame
        ``language``, ``strategy``, ``seed``, ``model``, ``size``, ``right``, ``n``, ``accuracy``, ``unit``,
        ``chosen_epoch``.
    """
    table = stored_cluzh().rename(columns={"numerator": "right", "denominator": "n", "value": "accuracy"})
    columns = ["language", "strategy", "seed", "model", "size", "right", "n", "accuracy", "unit", "chosen_epoch"]
    table = table.loc[table["corpus"] == _PAPER, columns]
    if whole:
        done = table.groupby(["language", "strategy", "seed"])["size"].transform("nunique")
        table = table[done == table["language"].map(lambda language: len(training_sizes(language)))]
    keys = ["language", "strategy", "seed", "model", "size"]
    return table.sort_values(keys, ignore_index=True)


def cluzh_progress() -> pd.DataFrame:
    """How far the long run has come: trainings done, of all, and processor time.

    Returns
    -------
    DataFrame
        ``corpus``, ``language``, ``strategy``, ``done`` (networks trained), ``all``, ``seeds`` (those with every size),
        ``chosen_epoch`` (mean of the epoch kept), ``seconds`` (sum).
    """
    names = ["corpus", "language", "strategy"]
    one = stored_cluzh().query("model == 'CLUZH-GR'")
    asked = pd.DataFrame(cluzh_cells())
    sizes = asked.groupby(names)["size"].nunique()
    groups = one.groupby(names)
    seeds = (one.groupby([*names, "seed"])["size"].nunique().reset_index(level="seed")
             .assign(needed=lambda rows: sizes.reindex(rows.index).to_numpy())
             .query("size == needed")["seed"].astype("str").groupby(level=names).agg(", ".join))  # fmt: skip
    table = pd.DataFrame({
        "done": groups.size(), "all": asked.groupby(names).size(), "seeds": seeds,
        "chosen_epoch": groups["chosen_epoch"].mean(), "seconds": groups["seconds"].sum(),
    })  # fmt: skip
    table = table.fillna({"done": 0, "seconds": 0}).astype({"done": "int64"})
    return table.assign(seeds=table["seeds"].fillna("none")).reset_index()


def cluzh_curves() -> pd.DataFrame:
    """Mean accuracy, range and deviation over the whole seeds of each size, and the mean of the epoch kept.

    At 100 items only 20 fine-tuning items decide when training stops, so the epoch kept is partly chance.

    Returns
    -------
    DataFrame
        The columns of `analysis.inflection.seed_variability`; ``n`` is the number of seeds; ``chosen_epoch``.
    """
    runs, keys = cluzh_runs(), ["language", "model", "strategy", "size"]
    return seed_variability(runs).merge(runs.groupby(keys)["chosen_epoch"].mean().reset_index(), on=keys)


def cluzh_reality_check() -> pd.DataFrame:
    """The stored trainings on the "reality check" splits, each beside the published accuracy on the same split.

    Returns
    -------
    DataFrame
        ``language``, ``strategy``, ``model``, ``seed``, ``numerator``, ``denominator``, ``value``, ``lower``, ``upper``
        (Wilson, 95%), ``published``, ``difference``, ``unit``, ``criterion``, ``verdict`` (same, different), ``why``:
        no difference is explained, since the published settings and initial weights are not known.

    Raises
    ------
    NotAtHandError
        Without the "reality check" data.

    References
    ----------
    Kodner, Payne, Khalifa & Liu (2023), "Morphological Inflection: A Reality Check".
    """
    theirs = reality_check_results().query("evaltype == 'test' and trainsize == 'small'")
    named = {split: strategy for strategy, split in SPLITS.items()}
    languages = {code: language for language, code in CODES.items()}
    theirs = pd.DataFrame({
        "language": theirs["language"].map(languages), "strategy": theirs["splittype"].map(named),
        "model": theirs["model"].str.upper(), "seed": theirs["seed"],
        "published": theirs["totalCORRECT"] / theirs["totalTOTAL"],
    })  # fmt: skip
    keys = ["language", "strategy", "model", "seed"]
    table = stored_cluzh()
    table = (
        table[table["corpus"] == REALITY_CHECK].merge(theirs, on=keys, how="left").sort_values(keys, ignore_index=True)
    )
    near = [judge(NEAR_PUBLISHED, old, new) for old, new in zip(table["published"], table["value"], strict=True)]
    table = table.assign(difference=table["value"] - table["published"], criterion=NEAR_PUBLISHED,
                         verdict=["same" if one else "different" for one in near],
                         why=["" if one else "unexplained" for one in near])  # fmt: skip
    return table[[*keys, "numerator", "denominator", "value", "lower", "upper", "published", "difference", "unit",
                  "criterion", "verdict", "why"]]  # fmt: skip


def cluzh_regressions() -> pd.DataFrame:
    """The paper's regression of accuracy on the stored trainings of CLUZH-GR and CLUZH-B4, in percentage points.

    Only seeds that are whole in every language and strategy are used, so that the design is balanced; there is no row
    before the first such seed.

    Returns
    -------
    DataFrame
        ``regression``, the columns of `analysis.statistics.regressions.Regression`'s coefficients, ``n``, ``seeds``,
        ``convention``, ``problems``, ``unit``.
    """
    table = in_percent(cluzh_runs(), ["accuracy"])
    found = []
    for name, strategies, terms in (("accuracy", STRATEGIES, "language * model * size * strategy"),
                                    ("accuracy on SIGM22", ("SIGM22",), "language * model * size")):  # fmt: skip
        part = table[table["strategy"].isin(strategies)]
        cells = part[["seed", "language", "strategy"]].drop_duplicates().groupby("seed").size()
        seeds = [seed for seed, number in cells.items() if number == len(LANGUAGES) * len(strategies)]
        if seeds:
            fit = linear_regression(part[part["seed"].isin(seeds)], "accuracy", terms)
            found.append(fit.coefficients.assign(
                n=int(fit.quantity("observations")), seeds=", ".join(map(str, seeds)), convention=fit.coding,
                problems="; ".join(fit.problems), unit="percentage points",
            ).pipe(_first, regression=name))  # fmt: skip
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=["regression", "term", "estimate"])


def _first(table: pd.DataFrame, **column: str) -> pd.DataFrame:
    """The table with a column before the others."""
    return table.assign(**column)[[*column, *table.columns]]


def cluzh_errors(
    language: str | None = None, strategy: str = "SIGM22", model: str | None = None, whole: bool = False
) -> pd.DataFrame:
    """Wrong predictions of the stored trainings by type, seed 0 (the paper's Figures 4 to 9).

    Parameters
    ----------
    language : str, optional
        By default all.
    strategy : str
        SIGM22 by default: the paper does not say on which samples its errors were counted, and this split is the same.
    model : str, optional
        CLUZH-GR or CLUZH-B4; by default both.
    whole : bool
        Whether to leave out a language until every size is done.

    Returns
    -------
    DataFrame
        ``language``, ``model``, ``strategy``, ``seed``, ``size``, ``type``, ``errors``, ``share``, ``items``; the sizes
        that are done, without those for which the paper shows no errors.
    """
    columns = {"seed": "int64", "size": "int64", "errors": "int64", "items": "int64"}
    there = _is_stored(ERRORS)
    table = stored(ERRORS, train_cluzh_cell) if there else pd.DataFrame(columns=[*_KEYS, "type", "errors", "items"])
    table = table.astype(columns)
    table = table[(table["strategy"] == strategy) & ((table["language"] != "Arabic") | (table["size"] % 200 == 0))]
    if language is not None:
        table = table[table["language"] == language]
    if model is not None:
        table = table[table["model"] == model]
    if whole:
        shown = table["language"].map(lambda name: len(shown_sizes(_PAPER, name)))
        table = table[table.groupby(["language", "model"])["size"].transform("nunique") == shown]
    total = table.groupby(_KEYS)["errors"].transform("sum")
    table = table.assign(share=(table["errors"] / total.where(total > 0)).astype("Float64"))
    table = table.sort_values(_KEYS, kind="stable", ignore_index=True)
    return table[[*_KEYS, "type", "errors", "share", "items"]]


def has_cluzh_errors(language: str) -> bool:
    """Whether errors of every size of SIGM22 are stored for a language."""
    return not cluzh_errors(language, whole=True).empty


def cluzh_error_figure(language: str = "German", model: str = "CLUZH-B4") -> Figure:
    """Wrong predictions of a stored model on SIGM22 stacked by type, a bar a training size (Figures 4, 6 and 8).

    Parameters
    ----------
    language, model : str

    Returns
    -------
    Figure
    """
    table = cluzh_errors(language, model=model)
    table["type"] = pd.Categorical(table["type"], categories=list(error_types(language)))
    title = f"{language}, {model} (stored), SIGM22, n = {table['items'].iloc[0]}"
    bars: Callable[..., Any] = partial(stacked_bars, table, x="size")
    return small_multiples([(title, bars)], columns=1, height=3.6, width=COLUMN_WIDTH * 1.3, legend_columns=3)


def cluzh_learning_figure() -> Figure:
    """Learning curves of the stored trainings, a panel a language and strategy that has a whole seed.

    Returns
    -------
    Figure
    """
    runs = in_percent(cluzh_runs(), ["accuracy"])
    panels = []
    for (language, strategy), part in runs.groupby(["language", "strategy"], sort=True):
        means = learning_curve(part, interval="none", unit="percent")
        panels.append((f"{language}, {strategy}", partial(learning_curves, means, part)))
    figure = small_multiples(panels, columns=min(len(panels), 3), height=2.6, share=(False, True), legend_columns=2)
    figure.axes[0].set_ylim(0, 100)
    return figure
