"""Compiled rules of the built-in language: states, expansions, probabilities, and control of the mean length."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.corpora.language.lexicon import fill, lexicon, read_list, spellings, state_categories
from analysis.structures.kept import kept

#: Rules in the order of their codes; ``=`` produces no node, ``lex`` is a leaf.
RULES = ("=", "lex", ">", "<", ">B", "<Bx", ">T", "unary", "conj", "coord")

_ARITY = {"=": 1, ">T": 1, "unary": 1, ">": 2, "<": 2, ">B": 2, "<Bx": 2, "conj": 2, "coord": 2}


@dataclass(frozen=True)
class Grammar:
    """A probabilistic grammar over CCG derivations.

    Attributes
    ----------
    states : list of str
        Names of the states; the first is the start.
    categories : list of str
        CCG category of each state; empty for the start.
    rules : DataFrame
        One row per expansion, sorted by parent: ``parent``, ``rule``, ``left``, ``right`` (states as codes, -1 = none),
        ``head`` (0 = left or only daughter, 1 = right, -1 = none), ``relation`` (of the daughter that is not a head),
        ``probability`` (given the parent).
    entries : DataFrame
        As `lexicon`, sorted by state, with ``state_code`` and ``probability`` (given the state).
    """

    states: list[str]
    categories: list[str]
    rules: pd.DataFrame
    entries: pd.DataFrame

    def lengths(self, longest: int) -> np.ndarray:
        """Compute the probability that a state yields exactly 0, 1, .. ``longest`` words.

        Returns
        -------
        ndarray of float64, shape (n_states, longest + 1)
            A row may sum to less than 1; the rest is the probability of longer utterances.
        """
        parent, left, right, weight = self._expansions()
        two = right >= 0
        table = np.zeros((len(self.states), longest + 1))
        lexical = np.unique(self.entries["state_code"])
        for _ in range(400):
            product = weight[:, None] * table[left]
            pairs = np.zeros((int(two.sum()), longest + 1))
            for n in range(1, longest):
                pairs[:, n + 1 :] += table[left[two], n][:, None] * table[right[two], 1 : longest - n + 1]
            product[two] = weight[two, None] * pairs
            new = np.zeros_like(table)
            np.add.at(new, parent, product)
            new[lexical, 1] += 1.0
            if np.abs(new - table).max() < 1e-13:
                return new
            table = new
        return table

    def mean_length(self, longest: int = 20) -> float:
        """Compute the mean number of words of utterances with at most ``longest`` words.

        Examples
        --------
        >>> 5 < load_grammar().mean_length() < 6
        True
        """
        return _mean(self.lengths(longest)[0])

    def with_mean_length(self, mean_length: float, longest: int = 20) -> "Grammar":
        """Return the grammar with longer or shorter utterances.

        The probability of each derivation of n words is multiplied by t to the power of n and renormalised, so the
        relative probabilities of derivations of equal length do not change; t is found by bisection.

        Raises
        ------
        ValueError
            If no t gives this mean.
        """
        start = self.lengths(longest)[0]
        sizes = np.arange(longest + 1)
        low, high = 0.0, self._critical()
        least = int(np.flatnonzero(start)[0])
        most = _mean(start * high**sizes)
        if not least < mean_length < most:
            raise ValueError(
                f"mean_length must lie between {least} and {most:.1f} words with at most {longest} words per "
                f"utterance; it is {mean_length}."
            )
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if _mean(start * middle**sizes) < mean_length else (low, middle)
        return self._tilted((low + high) / 2)

    def _expansions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return tuple(self.rules[name].to_numpy() for name in ("parent", "left", "right", "probability"))

    def _totals(self, factor: float) -> np.ndarray | None:
        """Sum the probability times factor to the power of words over derivations, for each state; None if infinite."""
        parent, left, right, weight = self._expansions()
        lexical = np.unique(self.entries["state_code"])
        total = np.zeros(len(self.states))
        for _ in range(5_000):
            new = np.zeros_like(total)
            np.add.at(new, parent, weight * total[left] * np.where(right >= 0, total[right], 1.0))
            new[lexical] += factor
            if not np.isfinite(new).all() or new.max() > 1e6:
                return None
            if np.abs(new - total).max() < 1e-12:
                return new
            total = new
        return None

    def _critical(self) -> float:
        """Find the largest factor, to a precision of 0.001, with finite totals."""
        low, high = 1.0, 8.0
        while high - low > 1e-3:
            middle = (low + high) / 2
            low, high = (low, middle) if self._totals(middle) is None else (middle, high)
        return low

    def _tilted(self, factor: float) -> "Grammar":
        totals = self._totals(factor)
        if totals is None:
            raise ValueError(f"the grammar has no finite total for a factor of {factor}.")
        parent, left, right, weight = self._expansions()
        probability = weight * totals[left] * np.where(right >= 0, totals[right], 1.0) / totals[parent]
        return replace(self, rules=self.rules.assign(probability=probability))

    def expected_counts(self) -> np.ndarray:
        """Compute the expected number of occurrences of each state in one utterance, without a length limit."""
        parent, left, right, weight = self._expansions()
        two = right >= 0
        count = np.zeros(len(self.states))
        for _ in range(5_000):
            new = np.zeros_like(count)
            new[0] = 1.0
            np.add.at(new, left, weight * count[parent])
            np.add.at(new, right[two], (weight * count[parent])[two])
            if np.abs(new - count).max() < 1e-12:
                return new
            count = new
        return count

    def with_word_types(self, word_types: int) -> "Grammar":
        """Return the grammar with the most probable word forms only.

        Each state keeps at least its most probable entry, so that all rules remain usable.

        Raises
        ------
        ValueError
            If the lexicon has fewer forms, or the states require more.
        """
        entries = self.entries
        expected = self.expected_counts()[entries["state_code"].to_numpy()] * entries["probability"].to_numpy()
        frequency = pd.Series(expected).groupby(entries["form"].to_numpy()).sum().sort_values(ascending=False)
        needed = entries.loc[entries.groupby("state_code")["probability"].idxmax(), "form"].unique()
        if not len(needed) <= word_types <= len(frequency):
            raise ValueError(
                f"word_types must lie between {len(needed)}, which the rules need, and {len(frequency)}, "
                f"which the lexicon has; it is {word_types}."
            )
        kept = set(needed)
        for form in frequency.index:
            if len(kept) == word_types:
                break
            kept.add(form)
        return replace(self, entries=_normalised(entries[entries["form"].isin(kept)].reset_index(drop=True)))


def _mean(distribution: np.ndarray) -> float:
    return float((distribution * np.arange(len(distribution))).sum() / distribution.sum())


def _normalised(entries: pd.DataFrame) -> pd.DataFrame:
    total = entries.groupby("state_code")["weight"].transform("sum")
    return entries.assign(probability=entries["weight"] / total)


@kept
def load_grammar() -> Grammar:
    """Load the grammar of ``data/language`` with its lexicon.

    Returns
    -------
    Grammar

    Raises
    ------
    ValueError
        If a rule uses an unknown state, a state has neither rules nor words or has both, or daughters are missing.
    """
    categories = state_categories()
    codes = {state: code for code, state in enumerate(categories)}
    rows = []
    for row in read_list("rules").itertuples():
        if row.rule not in _ARITY or (_ARITY[row.rule] == 2) != bool(row.right):
            raise ValueError(f"rules.csv, {row.parent}: the rule {row.rule!r} does not fit its daughters.")
        for values in spellings(row.parent, row.left, row.right):
            names = [fill(pattern, values) for pattern in (row.parent, row.left, row.right) if pattern]
            unknown = [name for name in names if name not in codes]
            if unknown:
                raise ValueError(f"rules.csv, {row.parent} {row.rule}: no state {unknown[0]!r} in states.csv.")
            daughters = [codes[name] for name in names[1:]] + [-1]
            head = {"left": 0, "right": 1, "": 0 if _ARITY[row.rule] == 1 else -1}[row.head]
            if head < 0:
                raise ValueError(f"rules.csv, {row.parent} {row.rule}: which daughter is the head?")
            rows.append(
                (codes[names[0]], RULES.index(row.rule), *daughters[:2], head, row.relation or "", float(row.weight))
            )
    columns = ["parent", "rule", "left", "right", "head", "relation", "weight"]
    rules = pd.DataFrame(rows, columns=columns).sort_values("parent", kind="stable", ignore_index=True)
    rules["probability"] = rules["weight"] / rules.groupby("parent")["weight"].transform("sum")
    entries = lexicon()
    entries["state_code"] = entries["state"].map(codes)
    entries = entries.sort_values("state_code", kind="stable", ignore_index=True)
    expanding, lexical = set(rules["parent"]), set(entries["state_code"])
    used = {0} | set(rules["left"]) | (set(rules["right"]) - {-1})
    names_of = list(categories)
    for wrong, what in (
        (expanding & lexical, "both expands and is a word"),
        (used - expanding - lexical, "can neither expand nor be a word"),
    ):
        if wrong:
            raise ValueError(f"the state {names_of[min(wrong)]!r} {what}.")
    return Grammar(names_of, list(categories.values()), rules, _normalised(entries))
