"""Exact-match accuracy of predicted forms, learning curves, and variability over seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.corpora.unimorph import nfc
from analysis.inflection.forms import check_forms
from analysis.statistics.intervals import bootstrap_means, wilson_bounds
from analysis.structures import Score, check_columns
from analysis.structures.columns import Coded, Columns
from analysis.structures.lazy import pd

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
        Gold's rows and columns, ``predicted`` and ``correct``. Repeated items are matched in order; see
        `one_answer_each` for items that the predictions have more often than gold.

    Raises
    ------
    ValueError
        If `strict` and an item is missing on one side, or if the sides share no item; the message gives the first row
        that differs, and the number of such rows.
    """
    answers, correct = answers_of(gold, predicted, strict=strict)
    table = gold.assign(predicted=pd.Series(answers, gold.index, dtype="str"))
    table["correct"] = correct
    return table


def answers_of(
    gold: pd.DataFrame | Columns, predicted: pd.DataFrame | Columns, *, strict: bool = True
) -> tuple[list[str], np.ndarray]:
    """The predicted form of each gold item (empty without one), and whether it is right; errors as of `aligned`.

    Examples
    --------
    >>> gold = Columns({"lemma": ["fly", "walk"], "form": ["flew", "walked"]})
    >>> answers_of(gold, Columns({"lemma": ["walk"], "form": ["walked"]}), strict=False)
    (['', 'walked'], array([False,  True]))
    """
    check_forms(gold, ("lemma", "form"), "gold")
    answer = "predicted" if "predicted" in predicted.columns else "form"
    if answer not in predicted.columns:
        raise ValueError(
            f"the predictions need a column 'predicted' or 'form'; they have {', '.join(predicted.columns)}."
        )
    check_forms(predicted, ("lemma",), "the predictions")
    keys = ["lemma"] + (["features"] if "features" in gold.columns else [])
    check_forms(predicted, keys, "the predictions")
    left, right = _keyed(gold, keys), _keyed(predicted, keys)
    places = {item: row for row, item in enumerate(right)}
    known = sum(item in places for item in left)
    if not known or (strict and (known < len(left) or len(left) != len(right))):
        raise ValueError(_difference(left, right, keys))
    forms = texts_of(predicted[answer])
    answers = [forms[places[item]] if item in places else "" for item in left]
    pairs = zip(texts_of(gold["form"]), answers, strict=True)
    return answers, np.array([nfc(form) == nfc(answer) for form, answer in pairs], dtype=bool)


def texts_of(column: Any) -> list[str]:
    """The words of a column, empty where there is none."""
    if isinstance(column, list):
        return column
    return ["" if missing else str(word) for word, missing in zip(column, column.isna(), strict=True)]


def unmatched_items(gold: pd.DataFrame | Columns, predicted: pd.DataFrame | Columns) -> tuple[list[int], list[int]]:
    """Find rows of gold without a prediction, and rows of predictions without a gold item.

    Parameters
    ----------
    gold, predicted : DataFrame or Columns
        As in `aligned`.

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


def surplus_answers(gold: pd.DataFrame | Columns, predicted: pd.DataFrame | Columns) -> list[list[int]]:
    """Find the items that the predictions have more often than gold, and their rows in the predictions.

    Parameters
    ----------
    gold, predicted : DataFrame or Columns
        As in `aligned`.

    Examples
    --------
    >>> gold = pd.DataFrame({"lemma": ["go"], "form": ["went"]})
    >>> surplus_answers(gold, pd.DataFrame({"lemma": ["go", "do", "go"], "predicted": ["went", "did", "goed"]}))
    [[0, 2]]
    """
    keys = ["lemma"] + (["features"] if "features" in gold.columns else [])
    asked = Counter(item[:-1] for item in _keyed(gold, keys))
    rows: dict[tuple, list[int]] = {}
    for row, item in enumerate(_keyed(predicted, keys)):
        rows.setdefault(item[:-1], []).append(row)
    return [own for item, own in rows.items() if len(own) > asked[item] > 0]


def one_answer_each(
    gold: pd.DataFrame | Columns, predicted: pd.DataFrame | Columns
) -> tuple[Any, list[int], list[tuple[int, int]]]:
    """Predictions without further answers to an item; an item with more different answers than in gold has no form.

    Parameters
    ----------
    gold, predicted : DataFrame or Columns
        As in `aligned`.

    Returns
    -------
    answers : DataFrame or Columns
        Rows of `predicted`, with an empty form where answers differ, which counts as wrong whatever their order.
    rows : list of int
        Which rows these are.
    conflicts : list of (int, int)
        Rows of the first answer and of the first other one to each item whose answers differ.

    Examples
    --------
    >>> gold = pd.DataFrame({"lemma": ["go", "do"], "form": ["went", "did"]})
    >>> predicted = pd.DataFrame({"lemma": ["go", "do", "go", "do"], "predicted": ["went", "did", "goed", "did"]})
    >>> answers, rows, conflicts = one_answer_each(gold, predicted)
    >>> answers["predicted"].tolist(), rows, conflicts
    (['', 'did'], [0, 1], [(0, 2)])
    """
    keys = ["lemma"] + (["features"] if "features" in gold.columns else [])
    answer = "predicted" if "predicted" in predicted.columns else "form"
    comparable = "lemma" in gold.columns and {*keys, answer} <= set(predicted.columns)
    surplus = surplus_answers(gold, predicted) if comparable else []  # if not, `answers_of` says what is missing
    if not surplus:
        return predicted, list(range(len(predicted))), []
    forms = list(texts_of(predicted[answer]))
    asked = Counter(item[:-1] for item in _keyed(gold, keys))
    items = [item[:-1] for item in _keyed(predicted, keys)]
    left_out: set[int] = set()
    conflicts = []
    for rows in surplus:
        firsts: dict[str, int] = {}
        for row in rows:
            firsts.setdefault(nfc(forms[row]), row)
        kept, number = list(firsts.values()), asked[items[rows[0]]]
        if len(kept) > number:
            conflicts.append((kept[0], kept[1]))
            kept = rows[:number]
            for row in kept:
                forms[row] = ""
        left_out |= set(rows) - set(kept)
    chosen = [row for row in range(len(predicted)) if row not in left_out]
    return predicted.assign(**{answer: forms}).take(chosen), chosen, conflicts


def items_sharing_a_lemma(gold: pd.DataFrame | Columns) -> int:
    """Number of items whose lemma others have too, which are mostly right or wrong together.

    Examples
    --------
    >>> items_sharing_a_lemma(pd.DataFrame({"lemma": ["go", "do", "go"]}))
    2
    """
    counts = Counter(texts_of(gold["lemma"])) if "lemma" in gold.columns else Counter()
    return sum(count for count in counts.values() if count > 1)


def _keyed(table: pd.DataFrame | Columns, keys: list[str]) -> list[tuple]:
    """Return lemma and features of each row in NFC, and its occurrence index."""
    columns = [[nfc(text) for text in texts_of(table[key])] for key in keys]
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
        See `aligned`. If not `strict`, an item with more different answers than in gold counts as wrong, whatever the
        order of the rows; see `one_answer_each`.
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
    records = accuracy_records(gold, predicted, training, confidence=confidence, strict=strict)
    bounds = dict.fromkeys(("value", "lower", "upper"), "Float64")
    return pd.DataFrame(records).astype(bounds)


def accuracy_records(
    gold: pd.DataFrame | Columns,
    predicted: pd.DataFrame | Columns,
    training: pd.DataFrame | Columns | None = None,
    *,
    confidence: float = 0.95,
    strict: bool = True,
) -> list[dict[str, Any]]:
    """The rows of `accuracy_table`, None where there is no number; arguments as there."""
    answers, _, conflicts = (predicted, [], []) if strict else one_answer_each(gold, predicted)
    _, correct = answers_of(gold, answers, strict=strict)
    said = f"exact match in NFC; Wilson interval, {confidence:.0%}"
    if conflicts:
        said += f"; conflicting answers count as wrong: {len(conflicts):,}"
    if dependent := items_sharing_a_lemma(gold):
        said += f"; {dependent:,} items share a lemma: intervals take them for independent"
    groups = item_groups(gold, training)
    right = [int(correct[chosen].sum()) for _, _, chosen in groups]
    items = [int(chosen.sum()) for _, _, chosen in groups]
    bounds = wilson_bounds(right, items, confidence=confidence)
    records = []
    for row, (by, group, _) in enumerate(groups):
        record = {"by": by, "group": group, "value": right[row] / items[row] if items[row] else None}
        record |= {"unit": "proportion", "numerator": right[row], "denominator": items[row]}
        record |= {name: float(bounds[name][row]) if items[row] else None for name in ("lower", "upper")}
        records.append(record | {"convention": said})
    return records


def item_groups(
    gold: pd.DataFrame | Columns, training: pd.DataFrame | Columns | None = None
) -> list[tuple[str, str, np.ndarray]]:
    """The groups of items of `accuracy_table`: what they are divided by, the group, and which items are in it.

    Examples
    --------
    >>> gold = Columns({"lemma": ["fly", "go"], "form": ["flew", "goes"], "features": ["V;PST", "V;PRS"]})
    >>> [(by, group, chosen.tolist()) for by, group, chosen in item_groups(gold)][1:]
    [('features', 'V;PRS', [False, True]), ('features', 'V;PST', [True, False])]
    """
    groups = [("all", "all", np.ones(len(gold), dtype=bool))]
    if "features" in gold.columns:
        features = Coded.of(texts_of(gold["features"]))
        codes = {tags: code for code, tags in enumerate(features.values)}
        groups += [("features", tags, features.codes == codes[tags]) for tags in sorted(codes)]
    if training is not None:
        seen = np.array(_seen(gold, training))
        groups += [("seen", name, seen == name) for name in SEEN]
        if "form" in training.columns:
            whole = _in_training(gold, training)
            groups += [("whole item", "in training", whole), ("whole item", "not in training", ~whole)]
    return groups


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
    return pd.Series(_seen(items, training), index=items.index, name="seen", dtype="str")


def _seen(items: pd.DataFrame | Columns, training: pd.DataFrame | Columns) -> list[str]:
    lemmas = {nfc(lemma) for lemma in texts_of(training["lemma"])}
    sets = set(texts_of(training["features"])) if "features" in training.columns else {""}
    tags = texts_of(items["features"]) if "features" in items.columns else [""] * len(items)
    known_lemma = [nfc(lemma) in lemmas for lemma in texts_of(items["lemma"])]
    return [SEEN[2 * (not lemma) + (tag not in sets)] for lemma, tag in zip(known_lemma, tags, strict=True)]


def _in_training(items: pd.DataFrame | Columns, training: pd.DataFrame | Columns) -> np.ndarray:
    """Return whether an item occurs in the training set with the same lemma, form and features."""
    shared = [name for name in ("lemma", "form", "features") if name in items.columns and name in training.columns]
    known = {tuple(map(nfc, row)) for row in zip(*(texts_of(training[name]) for name in shared), strict=True)}
    rows = zip(*(texts_of(items[name]) for name in shared), strict=True)
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
