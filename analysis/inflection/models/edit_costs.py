"""Stochastic edit distance between lemmas and forms, and the edits that a transducer learns from it.

Ristad & Yianilos (1998): a pair of strings is produced by substitutions (of a letter by itself, too), deletions and
insertions, and one end; their probabilities sum to 1 and are learnt by EM. All numbers here are costs: minus the
logarithm of a probability, in nats.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

_TIE = 1e-9  # costs that differ by less are equal


class Edit(NamedTuple):
    """One action on a lemma.

    Attributes
    ----------
    kind : str
        ``END``; ``COPY`` the next letter of the lemma; ``SUB`` another letter for it; ``INS`` a letter; ``DEL`` the
        next letter of the lemma.
    letter : str
        The letter that SUB and INS write, else empty.
    """

    kind: str
    letter: str = ""


class EditCosts(NamedTuple):
    """Costs of edits in nats.

    Attributes
    ----------
    sources, targets : dict of str to int
        Letters of the lemmas and of the forms, and their places in the arrays.
    substitute : ndarray of float64, shape (n_sources, n_targets)
    delete : ndarray of float64, shape (n_sources,)
    insert : ndarray of float64, shape (n_targets,)
    end : float
    """

    sources: dict[str, int]
    targets: dict[str, int]
    substitute: np.ndarray
    delete: np.ndarray
    insert: np.ndarray
    end: float

    def of(self, edit: Edit, letter: str = "") -> float:
        """The cost of an edit when the next letter of the lemma is ``letter``; infinite if a letter is unknown."""
        source, target = self.sources.get(letter), self.targets.get(letter if edit.kind == "COPY" else edit.letter)
        if edit.kind == "END":
            return self.end
        if edit.kind == "DEL":
            return np.inf if source is None else float(self.delete[source])
        if target is None:
            return np.inf
        if edit.kind == "INS":
            return float(self.insert[target])
        return np.inf if source is None else float(self.substitute[source, target])


class _Pairs(NamedTuple):
    """Costs of every edit at every place of some pairs; places beyond the end of a word have infinite costs.

    Attributes
    ----------
    delete : ndarray, shape (n, n_pairs)
    insert : ndarray, shape (m, n_pairs)
    substitute : ndarray, shape (n, m, n_pairs)
    end : ndarray, shape (n + 1, m + 1, n_pairs)
        Finite where both words end.
    """

    delete: np.ndarray
    insert: np.ndarray
    substitute: np.ndarray
    end: np.ndarray


def learn_edit_costs(
    lemmas: Sequence[str], forms: Sequence[str], iterations: int = 10, keep_old: bool = True
) -> EditCosts:
    """Learn the costs of edits from pairs by EM.

    The weights start uniform over all substitutions, deletions, insertions and the end. Each pair ends once, so the
    expected number of ends is the number of pairs.

    Parameters
    ----------
    lemmas, forms : sequence of str
        One pair each.
    iterations : int
    keep_old : bool
        Whether the old weights are added to the expected counts, a slight smoothing (as in the authors' program).

    Returns
    -------
    EditCosts

    Raises
    ------
    ValueError
        If there is no pair, or ``iterations`` is below 0.

    References
    ----------
    Ristad & Yianilos (1998), "Learning string-edit distance"; Makarov & Clematide (2018).

    Examples
    --------
    >>> once = learn_edit_costs(["a"], ["b"], iterations=1, keep_old=False)
    >>> np.exp(-once.substitute).round(4).tolist(), round(float(np.exp(-once.end)), 4)
    ([[0.2857]], 0.4286)
    """
    if not lemmas or iterations < 0:
        raise ValueError(f"needs a pair and iterations of at least 0, not {len(lemmas)} pairs, {iterations}.")
    sources = {letter: number for number, letter in enumerate(sorted(set("".join(lemmas))))}
    targets = {letter: number for number, letter in enumerate(sorted(set("".join(forms))))}
    n_edits = len(sources) * len(targets) + len(sources) + len(targets) + 1
    weights = [np.full(shape, 1 / n_edits)
               for shape in ((len(sources), len(targets)), len(sources), len(targets), ())]  # fmt: skip
    costs = _with_weights(sources, targets, weights)
    for _ in range(iterations):
        counts = _expected(lemmas, forms, costs)
        if keep_old:
            counts = [count + weight for count, weight in zip(counts, weights, strict=True)]
        total = sum(float(count.sum()) for count in counts)
        weights = [count / total for count in counts]
        costs = _with_weights(sources, targets, weights)
    return costs


def _with_weights(sources: dict[str, int], targets: dict[str, int], weights: Sequence[np.ndarray]) -> EditCosts:
    with np.errstate(divide="ignore"):
        substitute, delete, insert, end = (-np.log(weight) for weight in weights)
    return EditCosts(sources, targets, substitute, delete, insert, float(end))


def _codes(words: Sequence[str], letters: dict[str, int]) -> np.ndarray:
    """Places of the letters, shape (length of the longest word, n_words); unknown ones and padding: `len(letters)`."""
    table = np.full((max(map(len, words)), len(words)), len(letters))
    for column, word in enumerate(words):
        table[: len(word), column] = [letters.get(letter, len(letters)) for letter in word]
    return table


def _pairs(lemmas: Sequence[str], forms: Sequence[str], costs: EditCosts) -> _Pairs:
    x, y = _codes(lemmas, costs.sources), _codes(forms, costs.targets)
    substitute = np.pad(costs.substitute, (0, 1), constant_values=np.inf)
    end = np.full((len(x) + 1, len(y) + 1, len(lemmas)), np.inf)
    end[[len(word) for word in lemmas], [len(word) for word in forms], range(len(lemmas))] = costs.end
    return _Pairs(np.append(costs.delete, np.inf)[x], np.append(costs.insert, np.inf)[y],
                  substitute[x[:, None, :], y[None, :, :]], end)  # fmt: skip


def _sum(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The cost of either of two ways: their probabilities are added."""
    return -np.logaddexp(-first, -second)


def _to_go(pairs: _Pairs, either: Callable[[Any, Any], Any]) -> np.ndarray:
    """The cost from every place to the end, shape (n + 1, m + 1, n_pairs); ``either`` joins two ways."""
    found = pairs.end.copy()
    n, m = len(pairs.delete), len(pairs.insert)
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            cell = found[i, j]
            if i < n:
                cell = either(cell, pairs.delete[i] + found[i + 1, j])
            if j < m:
                cell = either(cell, pairs.insert[j] + found[i, j + 1])
            if i < n and j < m:
                cell = either(cell, pairs.substitute[i, j] + found[i + 1, j + 1])
            found[i, j] = cell
    return found


def _from_start(pairs: _Pairs) -> np.ndarray:
    """The cost from the start to every place, over all ways, without the end; shape (n + 1, m + 1, n_pairs)."""
    n, m = len(pairs.delete), len(pairs.insert)
    found = np.full(pairs.end.shape, np.inf)
    found[0, 0] = 0.0
    for i in range(n + 1):
        for j in range(m + 1):
            cell = found[i, j]
            if i:
                cell = _sum(cell, pairs.delete[i - 1] + found[i - 1, j])
            if j:
                cell = _sum(cell, pairs.insert[j - 1] + found[i, j - 1])
            if i and j:
                cell = _sum(cell, pairs.substitute[i - 1, j - 1] + found[i - 1, j - 1])
            found[i, j] = cell
    return found


def _expected(lemmas: Sequence[str], forms: Sequence[str], costs: EditCosts) -> list[np.ndarray]:
    """Expected numbers of substitutions, deletions, insertions and ends."""
    pairs = _pairs(lemmas, forms, costs)
    start, rest = _from_start(pairs), _to_go(pairs, _sum)
    whole = rest[0, 0]
    x, y = _codes(lemmas, costs.sources), _codes(forms, costs.targets)
    n_sources, n_targets = len(costs.sources), len(costs.targets)
    substitute = np.exp(whole - start[:-1, :-1] - pairs.substitute - rest[1:, 1:])
    delete = np.exp(whole - start[:-1] - pairs.delete[:, None] - rest[1:]).sum(axis=1)
    insert = np.exp(whole - start[:, :-1] - pairs.insert[None] - rest[:, 1:]).sum(axis=0)
    both = x[:, None, :] * (n_targets + 1) + y[None, :, :]
    counted = np.bincount(both.ravel(), substitute.ravel(), minlength=(n_sources + 1) * (n_targets + 1))
    return [
        counted.reshape(n_sources + 1, n_targets + 1)[:-1, :-1],
        np.bincount(x.ravel(), delete.ravel(), minlength=n_sources + 1)[:-1],
        np.bincount(y.ravel(), insert.ravel(), minlength=n_targets + 1)[:-1],
        np.array(float(len(lemmas))),
    ]


def pair_cost(lemma: str, form: str, costs: EditCosts) -> float:
    """The stochastic edit distance: the cost of a pair over all sequences of edits.

    Parameters
    ----------
    lemma, form : str
    costs : EditCosts

    Returns
    -------
    float
        Nats.

    Examples
    --------
    >>> uniform = learn_edit_costs(["a"], ["b"], iterations=0)
    >>> float(np.exp(-pair_cost("a", "b", uniform)).round(5))
    0.09375
    """
    return float(_to_go(_pairs([lemma], [form], costs), _sum)[0, 0, 0])


def costs_to_go(lemmas: Sequence[str], forms: Sequence[str], costs: EditCosts) -> list[np.ndarray]:
    """The cost of the cheapest edits, end included, from every place of each pair.

    Parameters
    ----------
    lemmas, forms : sequence of str
    costs : EditCosts

    Returns
    -------
    list of ndarray of float64, shape (letters of the lemma + 1, letters of the form + 1)
        Row i, column j: what remains when i letters of the lemma are read and j of the form written.

    Examples
    --------
    >>> uniform = learn_edit_costs(["a"], ["b"], iterations=0)
    >>> np.exp(-costs_to_go(["a"], ["b"], uniform)[0]).round(4).tolist()
    [[0.0625, 0.0625], [0.0625, 0.25]]
    """
    found = _to_go(_pairs(lemmas, forms, costs), np.minimum)
    return [found[: len(lemma) + 1, : len(form) + 1, number]
            for number, (lemma, form) in enumerate(zip(lemmas, forms, strict=True))]  # fmt: skip


def nearest_prefixes(written: str, form: str) -> list[int]:
    """The lengths of the prefixes of a form with the least Levenshtein distance to what is written.

    Examples
    --------
    >>> nearest_prefixes("wal", "walked"), nearest_prefixes("bbb", "abbb")
    ([3], [3, 4])
    """
    row = list(range(len(form) + 1))
    for number, letter in enumerate(written, start=1):
        diagonal, row[0] = row[0], number
        for j, wanted in enumerate(form, start=1):
            diagonal, row[j] = row[j], min(diagonal + (letter != wanted), row[j] + 1, row[j - 1] + 1)
    least = min(row)
    return [length for length, distance in enumerate(row) if distance == least]


def edit_totals(
    lemma: str, read: int, written: str, form: str, costs: EditCosts, to_go: np.ndarray
) -> dict[Edit, float]:
    """The expert: what each sensible next edit costs, with all that must follow it.

    If what is written is no prefix of the form, every nearest prefix counts as a possible place in the form, and an
    edit has the least of its costs. At the end of the form the only sensible edit is END.

    Parameters
    ----------
    lemma : str
    read : int
        Letters of the lemma read so far.
    written : str
    form : str
        What is to be written.
    costs : EditCosts
    to_go : ndarray
        Of `costs_to_go` for the pair.

    Returns
    -------
    dict of Edit to float
        In the order in which ties are broken: END, COPY or SUB, INS, DEL (chosen; the authors' program leaves it open).

    References
    ----------
    Makarov & Clematide (2018); the authors' program.
    """
    found: dict[Edit, float] = {}
    for place in nearest_prefixes(written, form):
        offered: list[tuple[Edit, float]] = []
        letter = lemma[read : read + 1]
        if place == len(form):
            offered.append((Edit("END"), 0.0))
        else:
            if letter:
                same = Edit("COPY") if letter == form[place] else Edit("SUB", form[place])
                offered.append((same, to_go[read + 1, place + 1]))
            offered.append((Edit("INS", form[place]), to_go[read, place + 1]))
            if letter:
                offered.append((Edit("DEL"), to_go[read + 1, place]))
        for edit, rest in offered:
            found[edit] = min(found.get(edit, np.inf), costs.of(edit, letter) + float(rest))
    rank = {"END": 0, "COPY": 1, "SUB": 1, "INS": 2, "DEL": 3}
    return {edit: found[edit] for edit in sorted(found, key=lambda edit: rank[edit.kind])}


def cheapest_edits(lemmas: Sequence[str], forms: Sequence[str], costs: EditCosts) -> list[list[Edit]]:
    """One cheapest sequence of edits for each pair, as the expert chooses them one after the other.

    Parameters
    ----------
    lemmas, forms : sequence of str
    costs : EditCosts

    Returns
    -------
    list of lists of Edit
        Each ends with END; `apply_edits` gives the form.

    Examples
    --------
    >>> pairs = ["walk", "talk", "bake", "play", "sing"], ["walked", "talked", "baked", "played", "sang"]
    >>> edits = cheapest_edits(*pairs, learn_edit_costs(*pairs))
    >>> [edit.kind + edit.letter for edit in edits[0]]
    ['COPY', 'COPY', 'COPY', 'COPY', 'INSe', 'INSd', 'END']
    >>> [edit.kind + edit.letter for edit in edits[4]]
    ['COPY', 'SUBa', 'COPY', 'COPY', 'END']
    """
    found = []
    for lemma, form, to_go in zip(lemmas, forms, costs_to_go(lemmas, forms, costs), strict=True):
        edits: list[Edit] = []
        read, written = 0, ""
        while not edits or edits[-1].kind != "END":
            totals = edit_totals(lemma, read, written, form, costs, to_go)
            least = min(totals.values())
            edits.append(next(edit for edit, total in totals.items() if total <= least + _TIE))
            read, written = _after(lemma, read, written, edits[-1])
        found.append(edits)
    return found


def _after(lemma: str, read: int, written: str, edit: Edit) -> tuple[int, str]:
    """Letters read, and what is written, after an edit."""
    if edit.kind == "COPY":
        written += lemma[read]
    return read + (edit.kind in ("COPY", "SUB", "DEL")), written + edit.letter


def apply_edits(lemma: str, edits: Sequence[Edit]) -> str:
    """The form that edits make of a lemma.

    Parameters
    ----------
    lemma : str
    edits : sequence of Edit
        What comes after END is left out.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If an edit reads beyond the end of the lemma.

    Examples
    --------
    >>> apply_edits("sing", [Edit("COPY"), Edit("SUB", "a"), Edit("COPY"), Edit("COPY"), Edit("END")])
    'sang'
    """
    read, written = 0, ""
    for edit in edits:
        if edit.kind == "END":
            break
        if edit.kind != "INS" and read >= len(lemma):
            raise ValueError(f"{edit.kind} reads a letter, but all {len(lemma)} letters of {lemma!r} are read.")
        read, written = _after(lemma, read, written, edit)
    return written
