"""Nested training samples of increasing size from a pool of forms, with fixed development and test sets."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from analysis.corpora.unimorph import nfc
from analysis.inflection.forms import check_forms
from analysis.structures import check_at_least, check_share

STRATEGIES = ("UNIFORM", "WEIGHTED")
SIZES = tuple(range(100, 1001, 100))
FINE_TUNE_SHARE = 0.2


@dataclass(frozen=True)
class Sample:
    """One sample: ordered training items, a development set and a test set.

    Parameters
    ----------
    ordered : DataFrame
        Training and fine-tuning items of the largest set, in order; the first n are the set of size n.
    dev, test : DataFrame
        The same for every size.
    sizes : tuple of int
        In ascending order.
    strategy : str
        ``"UNIFORM"``, ``"WEIGHTED"`` or ``"SIGM22"`` (given, not drawn).
    fine_tune : mapping of int to array
        For each size, the items for fine-tuning.
    """

    ordered: pd.DataFrame
    dev: pd.DataFrame
    test: pd.DataFrame
    sizes: tuple[int, ...]
    strategy: str
    fine_tune: dict[int, np.ndarray] = field(repr=False)

    def training(self, size: int) -> pd.DataFrame:
        """Return training and fine-tuning items together, in the order in which they were drawn."""
        self._check(size)
        return self.ordered.head(size)

    def train(self, size: int) -> pd.DataFrame:
        """Return the items of a size that are not for fine-tuning."""
        return self.training(size)[~self.fine_tune[size]]

    def tune(self, size: int) -> pd.DataFrame:
        """Return the items of a size that are for fine-tuning."""
        return self.training(size)[self.fine_tune[size]]

    def _check(self, size: int) -> None:
        if size not in self.sizes:
            raise ValueError(f"this sample has no set of {size} items; it has {', '.join(map(str, self.sizes))}.")


def sample(
    forms: pd.DataFrame,
    strategy: str = "UNIFORM",
    sizes: Sequence[int] = SIZES,
    dev: int = 500,
    test: int | None = None,
    random_state: int | np.random.Generator | None = 0,
    *,
    missing_weight: float = 1.0,
    fine_tune_share: float = FINE_TUNE_SHARE,
) -> Sample:
    """Draw nested training sets, a development set and a test set; no lemma is in two of them.

    Parameters
    ----------
    forms : DataFrame
        The pool: ``lemma``, ``form`` and, for WEIGHTED, ``frequency``; one item per lemma (see `one_item_a_lemma`).
    strategy : {"UNIFORM", "WEIGHTED"}
        UNIFORM: a random order. WEIGHTED: items are drawn one by one without replacement, with probability proportional
        to frequency. The training sets are prefixes of this order.
    sizes : sequence of int
        Sizes of the training sets, training and fine-tuning items together.
    dev : int
        Number of development items, drawn uniformly from the rest.
    test : int, optional
        Number of test items, drawn in the same way; by default all remaining items.
    random_state : None, int or Generator
    missing_weight : float
        Weight of an item whose frequency is missing or 0.
    fine_tune_share : float
        Proportion of each training set for fine-tuning, drawn uniformly for each size.

    Returns
    -------
    Sample

    Raises
    ------
    ValueError
        If a lemma occurs twice, a frequency is negative, or the sizes require more items than there are.

    References
    ----------
    Kodner et al. (2023), section "Data splits". Sampling by exponential keys: Efraimidis & Spirakis (2006).

    Examples
    --------
    >>> pool = pd.DataFrame({"lemma": list("abcdef"), "form": list("ABCDEF"), "frequency": [9, 1, 1, 1, 0, 5]})
    >>> drawn = sample(pool, "WEIGHTED", sizes=[1, 2], dev=1, random_state=0)
    >>> len(drawn.training(2)), len(drawn.dev), len(drawn.test)
    (2, 1, 3)
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"strategy is one of {', '.join(STRATEGIES)}, not {strategy!r}; for SIGM22 see as_given.")
    check_forms(forms, ("lemma", "form"), "the pool")
    sizes = _checked_sizes(sizes, len(forms), dev, test)
    _one_item_each(forms)
    generator = np.random.default_rng(random_state)
    largest = sizes[-1]
    if strategy == "WEIGHTED":
        keys = _keys(forms, missing_weight, generator)
        first = np.argpartition(keys, largest - 1)[:largest]
        first = first[np.argsort(keys[first], kind="stable")]
    else:
        first = generator.permutation(len(forms))[:largest]
    left = np.ones(len(forms), dtype=bool)
    left[first] = False
    rest = generator.permutation(np.flatnonzero(left))
    stop = len(forms) if test is None else largest + dev + test
    return Sample(
        ordered=forms.take(first).reset_index(drop=True),
        dev=forms.take(rest[:dev]).reset_index(drop=True),
        test=forms.take(rest[dev : stop - largest]).reset_index(drop=True),
        sizes=sizes,
        strategy=strategy,
        fine_tune=_fine_tune(sizes, fine_tune_share, generator),
    )


def as_given(
    training: pd.DataFrame,
    dev: pd.DataFrame,
    test: pd.DataFrame,
    sizes: Sequence[int],
    random_state: int | np.random.Generator | None = 0,
    *,
    strategy: str = "SIGM22",
    fine_tune_share: float = FINE_TUNE_SHARE,
) -> Sample:
    """Convert a given split to a `Sample`; only the fine-tuning items are drawn.

    Parameters
    ----------
    training, dev, test : DataFrame
        Forms tables; ``training`` in the order in which its items are added.
    sizes, random_state, fine_tune_share
        See `sample`.
    strategy : str
        Name of the split.

    Returns
    -------
    Sample

    Raises
    ------
    ValueError
        If there are fewer training items than the largest size.
    """
    for table, what in ((training, "the training set"), (dev, "the development set"), (test, "the test set")):
        check_forms(table, ("lemma", "form"), what)
    sizes = _checked_sizes(sizes, len(training), 0, 0)
    tuned = _fine_tune(sizes, fine_tune_share, np.random.default_rng(random_state))
    return Sample(training.head(sizes[-1]).reset_index(drop=True), dev, test, sizes, strategy, tuned)


def one_item_a_lemma(forms: pd.DataFrame) -> pd.DataFrame:
    """Reduce a pool to one item per lemma: the most frequent one; ties go to the first.

    Parameters
    ----------
    forms : DataFrame
        Columns ``lemma`` and ``form``, and optionally ``frequency``.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> one_item_a_lemma(pd.DataFrame({"lemma": ["lie", "lie"], "form": ["lay", "lied"]}))["form"].tolist()
    ['lay']
    """
    check_forms(forms, ("lemma", "form"), "the pool")
    order = np.arange(len(forms))
    if "frequency" in forms.columns:
        order = np.argsort(-forms["frequency"].fillna(0).to_numpy(dtype="float64"), kind="stable")
    repeated = _compared(forms["lemma"].reset_index(drop=True)).iloc[order].duplicated().to_numpy()
    return forms.take(np.sort(order[~repeated])).reset_index(drop=True)


def inclusion_probabilities(weights: Iterable[float], size: int) -> np.ndarray:
    """Compute the exact probability that each item is among the first ``size`` drawn by weight, for small pools.

    Parameters
    ----------
    weights : iterable of float
        Positive; at most 12 items.
    size : int

    Returns
    -------
    ndarray
        One probability per item; they sum to ``size``.

    Raises
    ------
    ValueError
        If weights or size are out of range.

    Examples
    --------
    >>> inclusion_probabilities([2, 1, 1], 1).tolist()
    [0.5, 0.25, 0.25]
    """
    values = [float(weight) for weight in weights]
    if len(values) > 12 or not 0 <= size <= len(values) or min(values, default=1) <= 0:
        raise ValueError(f"needs 1 to 12 positive weights and a size up to their number, not {values}, {size}.")
    everything = sum(values)
    reached: dict[frozenset[int], float] = {frozenset(): 1.0}  # sets of drawn items with their probabilities
    for _ in range(size):
        further: dict[frozenset[int], float] = {}
        for drawn, chance in reached.items():
            left = everything - sum(values[item] for item in drawn)
            for item, weight in enumerate(values):
                if item not in drawn:
                    grown = drawn | {item}
                    further[grown] = further.get(grown, 0.0) + chance * weight / left
        reached = further
    result = np.zeros(len(values))
    for drawn, chance in reached.items():
        result[list(drawn)] += chance
    return result


def _checked_sizes(sizes: Sequence[int], available: int, dev: int, test: int | None) -> tuple[int, ...]:
    numbers = tuple(int(size) for size in sizes)
    if not numbers or numbers[0] < 1 or any(b <= a for a, b in itertools.pairwise(numbers)):
        raise ValueError(f"sizes must be ascending numbers of at least 1, not {list(sizes)}.")
    check_at_least(0, dev=dev, test=test)
    needed = numbers[-1] + dev + (test or 0)
    if needed > available:
        rest = "" if test is None else f" and {test:,} test"
        asked = f"{numbers[-1]:,} training, {dev:,} development{rest} items"
        raise ValueError(f"{asked} are {needed:,}, but there are {available:,}.")
    return numbers


def _compared(lemmas: pd.Series) -> pd.Series:
    """Normalise lemmas to NFC; ASCII text is unchanged."""
    text = lemmas.astype("str")
    other = ~text.str.isascii()
    if other.any():
        text = text.where(~other, text[other].map(nfc).reindex(text.index))
    return text


def _one_item_each(forms: pd.DataFrame) -> None:
    lemmas = _compared(forms["lemma"])
    if lemmas.nunique() < len(lemmas):
        repeated = lemmas.duplicated()
        lemma = forms["lemma"].iloc[int(repeated.to_numpy().argmax())]
        raise ValueError(
            f"{int(repeated.sum()):,} lemmas occur in the pool more than once, the first is {lemma!r}; "
            "see one_item_a_lemma."
        )


def _keys(forms: pd.DataFrame, missing_weight: float, generator: np.random.Generator) -> np.ndarray:
    if "frequency" not in forms.columns:
        raise ValueError("WEIGHTED needs the column 'frequency'.")
    if not (math.isfinite(missing_weight) and missing_weight > 0):
        raise ValueError(f"missing_weight must be above 0, not {missing_weight}.")
    weights = forms["frequency"].to_numpy(dtype="float64", na_value=np.nan)
    if (weights < 0).any() or np.isinf(weights).any():
        raise ValueError("a frequency is negative or infinite.")
    weights = np.where(np.isnan(weights) | (weights == 0), missing_weight, weights)
    return generator.standard_exponential(len(weights)) / weights  # -log(u) / weight


def _fine_tune(sizes: tuple[int, ...], share: float, generator: np.random.Generator) -> dict[int, np.ndarray]:
    check_share(fine_tune_share=share)
    masks: dict[int, Any] = {}
    for size in sizes:
        mask = np.zeros(size, dtype=bool)
        mask[generator.permutation(size)[: round(share * size)]] = True
        masks[size] = mask
    return masks
