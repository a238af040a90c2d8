"""Where a system inflects wrongly: accuracy by group of items, and the costliest answers."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.inflection.accuracy import accuracy_table, aligned, one_answer_each
from analysis.statistics.breakdowns import FREQUENCIES, LETTERS, costliest, frequency_of, in_bands, scores_of_groups
from analysis.structures.lazy import pd


def score_breakdowns(
    gold: pd.DataFrame,
    predicted: pd.DataFrame,
    training: pd.DataFrame | None = None,
    *,
    frequencies: Sequence[int] = FREQUENCIES,
    letters: Sequence[int] = LETTERS,
    strict: bool = True,
) -> pd.DataFrame:
    """Compute accuracy by feature set, overlap with training, frequency of the lemma in training, and its length.

    Parameters
    ----------
    gold, predicted, strict
        As in `analysis.inflection.accuracy_table`.
    training : DataFrame, optional
        As in `analysis.inflection.accuracy_table`.
    frequencies : sequence of int
        Largest number of training items of the lemma in each band but the last; the first band is 0.
    letters : sequence of int
        Largest number of characters of the lemma in each band but the last.

    Returns
    -------
    DataFrame
        ``by`` (all, features, seen, whole item, frequency, letters), ``group``, ``measure``, ``value``, ``unit``,
        ``numerator``, ``denominator``. A group without items has the value ``<NA>``.

    Examples
    --------
    >>> gold = pd.DataFrame({"lemma": ["fly", "walk"], "form": ["flew", "walked"]})
    >>> predicted = pd.DataFrame({"lemma": ["walk", "fly"], "predicted": ["walked", "flied"]})
    >>> table = score_breakdowns(gold, predicted, letters=(3,))
    >>> table[["by", "group", "value"]].values.tolist()
    [['all', 'all', 0.5], ['letters', '1–3', 0.0], ['letters', '4+', 1.0]]
    """
    items = _aligned(gold, predicted, strict)
    right = {"accuracy": items["correct"].to_numpy()}
    known = accuracy_table(gold, predicted, training, strict=strict).assign(measure="accuracy")
    frames = []
    if training is not None:
        counts = frequency_of(items["lemma"], training["lemma"])
        frames.append(scores_of_groups("frequency", in_bands(counts, (0, *frequencies), first=0), right))
    sizes = items["lemma"].astype("str").str.len().clip(lower=1)
    frames.append(scores_of_groups("letters", in_bands(sizes, letters), right))
    known = known.astype({"numerator": "Int64", "denominator": "Int64"})[frames[0].columns]
    return pd.concat([known, *frames], ignore_index=True)


def costliest_answers(
    gold: pd.DataFrame, predicted: pd.DataFrame, *, most: int = 100, strict: bool = True
) -> pd.DataFrame:
    """The pairs of a gold form and a wrong answer that cost most items, of each feature set.

    Parameters
    ----------
    gold, predicted, strict
        As in `analysis.inflection.accuracy_table`.
    most : int
        Number of rows.

    Returns
    -------
    DataFrame
        ``form``, ``predicted``, ``features`` if there are any, ``wrong``, ``n``, ``share``, ``cumulative``: see
        `analysis.statistics.breakdowns.costliest`.

    Examples
    --------
    >>> gold = pd.DataFrame({"lemma": ["fly", "walk"], "form": ["flew", "walked"]})
    >>> predicted = pd.DataFrame({"lemma": ["walk", "fly"], "predicted": ["walked", "flied"]})
    >>> costliest_answers(gold, predicted)[["form", "predicted", "wrong"]].values.tolist()
    [['flew', 'flied', 1]]
    """
    items = _aligned(gold, predicted, strict)
    keys = [name for name in ("form", "predicted", "features") if name in items.columns]
    return costliest(items, keys, items["correct"], most)


def _aligned(gold: pd.DataFrame, predicted: pd.DataFrame, strict: bool) -> pd.DataFrame:
    """Items as `accuracy_table` takes them."""
    return aligned(gold, predicted if strict else one_answer_each(gold, predicted)[0], strict=strict)
