"""Exact-match accuracy of predicted forms, learning curves, and variability over seeds."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.corpora.unimorph import nfc
from analysis.inflection.forms import check_forms
from analysis.statistics.intervals import bootstrap_means, wilson
from analysis.structures import Score, check_columns

CONVENTIONS = {"match": "exact, in NFC", "alignment": "lemma and features"}
SEEN = ("lemma and features", "lemma only", "features only", "neither")


def aligned(gold: pd.DataFrame, predicted: pd.DataFrame, *, strict: bool = True) -> pd.DataFrame:
    """Align predictions with gold items by lemma and features, in any order of rows.

    Parameters
    ----------
    gold : DataFrame
        ``lemma``, ``form`` and optionally ``features``.
    predicted : DataFrame
        ``lemma``, ``predicted`` (or ``form``) and, if gold has them, ``features``; the same items as in gold.
    strict : bool
        Whether the items must be the same; otherwise items without a prediction are wrong (an empty form), and
        predictions for other items are not scored: see `unmatched_items`.

    Returns
    -------
    DataFrame
        Gold's rows and columns, ``predicted`` and ``correct``. Repeated items are matched in order.

    Raises
    ------
    ValueError
        If `strict` and an item is missing on one side, or if the sides share no item; the message gives the first row
        that differs, and the number of such rows.
    """
    check_forms(gold, ("lemma", "form"), "gold")
    answer = "predicted" if "predicted" in predicted.columns else "form"
    if answer not in predicted.columns:
        raise ValueError(f"the predictions need a column 'predicted' or 'form'; they have {', '.join(predicted)}.")
    check_forms(predicted, ("lemma",), "the predictions")
    keys = ["lemma"] + (["features"] if "features" in gold.columns else [])
    check_forms(predicted, keys, "the predictions")
    left, right = _keyed(gold, keys), _keyed(predicted, keys)
    place = pd.Index(right).get_indexer(pd.Index(left))
    if (place < 0).all() or (strict and ((place < 0).any() or len(left) != len(right))):
        raise ValueError(_difference(left, right, keys))
    forms = np.where(place < 0, None, predicted[answer].astype("object").to_numpy()[place])
    table = gold.assign(predicted=pd.Series(["" if pd.isna(form) else form for form in forms], gold.index, dtype="str"))
    table["correct"] = table["form"].astype("str").map(nfc).to_numpy() == table["predicted"].map(nfc).to_numpy()
    return table


def unmatched_items(gold: pd.DataFrame, predicted: pd.DataFrame) -> tuple[list[int], list[int]]:
    """Find rows of gold without a prediction, and rows of predictions without a gold item.

    Parameters
    ----------
    gold, predicted : DataFrame
        See `aligned`.

    Returns
    -------
    gold_rows, predicted_rows : list of int

    Examples
    --------
    >>> gold = pd.DataFrame({"lemma": ["fly", "walk"], "form": ["flew", "walked"]})
    >>> unmatched_items(gold, pd.DataFrame({"lemma": ["walk", "go"], "predicted": ["walked", "went"]}))
    ([0], [1])
    """
    keys = ["lemma"] + (["features"] if "features" in gold.columns else [])
    left, right = _keyed(gold, keys), _keyed(predicted, keys)
    ours, theirs = set(left), set(right)
    return (
        [row for row, item in enumerate(left) if item not in theirs],
        [row for row, item in enumerate(right) if item not in ours],
    )


def _keyed(table: pd.DataFrame, keys: list[str]) -> list[tuple]:
    """Return lemma and features of each row in NFC, and its occurrence index."""
    columns = [[nfc(text) for text in table[key].astype("str")] for key in keys]
    pairs = list(zip(*columns, strict=True))
    seen: dict[tuple, int] = {}
    result = []
    for pair in pairs:
        seen[pair] = seen.get(pair, -1) + 1
        result.append((*pair, seen[pair]))
    return result


def _difference(left: list[tuple], right: list[tuple], keys: list[str]) -> str:
    lost, extra = set(left) - set(right), set(right) - set(left)
    what = " and ".join(keys)
    for side, rows, only in (("the predictions lack", left, lost), ("gold lacks", right, extra)):
        for number, row in enumerate(rows):
            if row in only:
                item = ", ".join(map(repr, row[:-1])) + (f" (number {row[-1] + 1})" if row[-1] else "")
                here = "gold" if rows is left else "the predictions"
                return (
                    f"the items differ in {what}: {side} {len(only):,} of {len(rows):,}; "
                    f"the first is row {number} of {here}: {item}."
                )
    return f"gold has {len(left):,} items and the predictions have {len(right):,}."


def accuracy(gold: pd.DataFrame, predicted: pd.DataFrame) -> Score:
    """Compute the proportion of items whose predicted form equals the gold form in NFC.

    Parameters
    ----------
    gold, predicted : DataFrame
        See `aligned`.

    Returns
    -------
    Score
        numerator = correct items, denominator = items.

    References
    ----------
    Kodner et al. (2023), section "Quantitative Analysis".

    Examples
    --------
    >>> gold = pd.DataFrame({"lemma": ["fly", "walk"], "form": ["flew", "walked"]})
    >>> accuracy(gold, pd.DataFrame({"lemma": ["walk", "fly"], "predicted": ["walked", "flied"]}))
    accuracy 0.500 (1/2)
    """
    table = aligned(gold, predicted)
    return Score("accuracy", int(table["correct"].sum()), len(table), conventions=CONVENTIONS)


def accuracy_table(
    gold: pd.DataFrame,
    predicted: pd.DataFrame,
    training: pd.DataFrame | None = None,
    *,
    confidence: float = 0.95,
    strict: bool = True,
) -> pd.DataFrame:
    """Compute accuracy over all items, by feature set, and by overlap with the training set.

    Parameters
    ----------
    gold, predicted, strict
        See `aligned`.
    training : DataFrame, optional
        ``lemma`` and ``features``; without it there are no rows for overlap. If it has ``form``, items that occur in it
        with their form are also counted.
    confidence : float
        Confidence of the Wilson intervals.

    Returns
    -------
    DataFrame
        ``by`` (all, features, seen, whole item), ``group``, ``value``, ``unit``, ``numerator``, ``denominator``,
        ``lower``, ``upper``, ``convention``. A group without items has the value ``<NA>``.
    """
    table = aligned(gold, predicted, strict=strict)
    groups = [("all", "all", np.ones(len(table), dtype=bool))]
    if "features" in table.columns:
        groups += [
            ("features", tags, (table["features"] == tags).to_numpy())
            for tags in sorted(table["features"].astype("str").unique())
        ]
    if training is not None:
        seen = seen_in_training(table, training)
        groups += [("seen", name, (seen == name).to_numpy()) for name in SEEN]
        if "form" in training.columns:
            whole = _in_training(table, training)
            groups += [("whole item", "in training", whole), ("whole item", "not in training", ~whole)]
    right, items = [], []
    for _, _, chosen in groups:
        right.append(int(table["correct"].to_numpy()[chosen].sum()))
        items.append(int(chosen.sum()))
    bounds = wilson(right, items, confidence=confidence)
    value = [r / n if n else None for r, n in zip(right, items, strict=True)]
    return pd.DataFrame(
        {
            "by": [by for by, _, _ in groups],
            "group": [group for _, group, _ in groups],
            "value": pd.array(value, dtype="Float64"),
            "unit": "proportion",
            "numerator": right,
            "denominator": items,
            "lower": bounds["lower"],
            "upper": bounds["upper"],
            "convention": f"exact match in NFC; Wilson interval, {confidence:.0%}",
        }
    )


def seen_in_training(items: pd.DataFrame, training: pd.DataFrame) -> pd.Series:
    """Classify items by whether their lemma and their feature set occur in training, not necessarily together.

    Parameters
    ----------
    items : DataFrame
        Column ``lemma``, and optionally ``features``.
    training : DataFrame
            The same columns.

    Returns
    -------
    Series of str, named ``seen``
        One of `SEEN` per item.
    """
    lemmas = {nfc(lemma) for lemma in training["lemma"].astype("str")}
    sets = set(training["features"].astype("str")) if "features" in training.columns else {""}
    tags = items["features"].astype("str") if "features" in items.columns else pd.Series("", items.index)
    known_lemma = items["lemma"].astype("str").map(nfc).isin(lemmas)
    known_tags = tags.isin(sets)
    names = np.select([known_lemma & known_tags, known_lemma, known_tags], SEEN[:3], SEEN[3])
    return pd.Series(names, index=items.index, name="seen", dtype="str")


def _in_training(items: pd.DataFrame, training: pd.DataFrame) -> np.ndarray:
    """Return whether an item occurs in the training set with the same lemma, form and features."""
    shared = [name for name in ("lemma", "form", "features") if name in items.columns and name in training.columns]
    known = {tuple(map(nfc, row)) for row in training[shared].astype("str").itertuples(index=False)}
    rows = items[shared].astype("str").itertuples(index=False)
    return np.array([tuple(map(nfc, row)) in known for row in rows], dtype=bool)


def learning_curve(
    results: pd.DataFrame,
    *,
    by: Sequence[str] = ("language", "model", "strategy"),
    interval: str = "bootstrap",
    confidence: float = 0.95,
    resamples: int = 1000,
    random_state: int | np.random.Generator | None = 0,
    unit: str = "proportion",
) -> pd.DataFrame:
    """Compute mean accuracy over seeds at each training size.

    Parameters
    ----------
    results : DataFrame
        One row per run: the columns ``by``, ``size``, ``seed`` and ``accuracy``.
    by : sequence of str
        Factors that identify a curve.
    interval : {"bootstrap", "sd", "range", "none"}
        Percentile bootstrap of the mean over seeds; mean plus or minus one standard deviation (n - 1); minimum
        and maximum.
    confidence, resamples, random_state
        Parameters of the bootstrap.
    unit : str
        Unit of the accuracies.

    Returns
    -------
    DataFrame
        ``by``, ``size``, ``value`` (the mean), ``unit``, ``lower``, ``upper``, ``n`` (seeds), ``convention``. Bounds
        are missing for a single seed.

    Raises
    ------
    ValueError
        If the interval is unknown, or a run has no accuracy or occurs twice.
    """
    factors = [*by, "size"]
    _check_results(results, factors)
    grouped = results.groupby(factors, sort=False, observed=True)["accuracy"]
    table = grouped.agg(value="mean", n="size").reset_index()
    if interval == "bootstrap":
        bounds = bootstrap_means(
            results, factors, "accuracy", confidence=confidence, resamples=resamples, random_state=random_state
        )
        table = table.merge(bounds[[*factors, "lower", "upper"]], on=factors, validate="one_to_one")
        said = f"mean over seeds; percentile bootstrap, {confidence:.0%}, {resamples:,} resamples"
    elif interval in ("sd", "range"):
        if interval == "sd":
            deviation = grouped.std(ddof=1).to_numpy()
            lower, upper = table["value"] - deviation, table["value"] + deviation
        else:
            lower, upper = pd.Series(grouped.min().to_numpy()), pd.Series(grouped.max().to_numpy())
        table["lower"], table["upper"] = lower.where(table["n"] > 1), upper.where(table["n"] > 1)
        said = "mean over seeds; " + ("one standard deviation (n - 1)" if interval == "sd" else "minimum and maximum")
    elif interval == "none":
        table["lower"], table["upper"] = np.nan, np.nan
        said = "mean over seeds"
    else:
        raise ValueError(f"interval is bootstrap, sd, range or none, not {interval!r}.")
    table["convention"], table["unit"] = said, unit
    return table[[*factors, "value", "unit", "lower", "upper", "n", "convention"]]


def seed_variability(
    results: pd.DataFrame,
    *,
    by: Sequence[str] = ("language", "model", "strategy", "size"),
    unit: str = "proportion",
) -> pd.DataFrame:
    """Compute score range and random seed variability of each group of runs that differ only in their seed.

    Parameters
    ----------
    results : DataFrame
        One row per run: the columns ``by``, ``seed`` and ``accuracy``.
    by : sequence of str
        Factors that identify a group.
    unit : str
            Unit of the accuracies.

    Returns
    -------
    DataFrame
        ``by``, ``mean``, ``range`` (maximum minus minimum), ``deviation`` (standard deviation with n - 1; missing for a
        single seed), ``unit``, ``n``.

    References
    ----------
    Kodner et al. (2023), section "Variation across random seeds".

    Examples
    --------
    >>> runs = pd.DataFrame({"model": "NONNEUR", "seed": [0, 1, 2], "accuracy": [0.70, 0.73, 0.76]})
    >>> seed_variability(runs, by=["model"]).round(2)
         model  mean  range  deviation        unit  n
    0  NONNEUR  0.73   0.06       0.03  proportion  3
    """
    factors = list(by)
    _check_results(results, factors)
    grouped = results.groupby(factors, sort=False, observed=True)["accuracy"]
    table = grouped.agg(mean="mean", most="max", least="min", deviation="std", n="size").reset_index()
    table["range"] = table["most"] - table["least"]
    return table.assign(unit=unit)[[*factors, "mean", "range", "deviation", "unit", "n"]]


def _check_results(results: pd.DataFrame, factors: list[str]) -> None:
    check_columns(results, [*factors, "seed", "accuracy"], "results")
    if not len(results):
        raise ValueError("results has no run.")
    if results["accuracy"].isna().any():
        raise ValueError(f"{int(results['accuracy'].isna().sum()):,} runs have no accuracy.")
    repeated = results.duplicated([*factors, "seed"])
    if repeated.any():
        row = results.loc[repeated, [*factors, "seed"]].iloc[0].to_dict()
        raise ValueError(f"the run {row} occurs in the results more than once.")
