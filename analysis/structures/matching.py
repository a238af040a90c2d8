"""Match the sentences of two files by their identifiers."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from analysis.structures.incidents import Incident, line_named, quoted


def match_identifiers(gold: Sequence[str], predicted: Sequence[str]) -> np.ndarray | None:
    """Find for each gold sentence the index of the predicted sentence with the same identifier.

    Parameters
    ----------
    gold, predicted : sequence of str
        Identifier of each sentence; empty if it has none.

    Returns
    -------
    ndarray of int64, shape (n_gold,), or None
        -1 if the prediction lacks the sentence. None if the identifiers cannot be used: a sentence has none, one occurs
        twice, or none occurs in both files. Sentences are then matched by order, and the words must agree.

    Examples
    --------
    >>> match_identifiers(["a", "b", "c"], ["c", "a", "d"]).tolist()
    [1, -1, 0]
    >>> match_identifiers(["a", "b"], ["1", "2"]) is None
    True
    """
    sides = (gold, predicted)
    if any(not len(side) or "" in side or len(set(side)) < len(side) for side in sides):
        return None
    places = {identifier: place for place, identifier in enumerate(predicted)}
    place = np.array([places.get(identifier, -1) for identifier in gold], dtype=np.int64)
    return None if (place < 0).all() else place


def unmatched(sides: Sequence[Iterable[tuple[str, int]]], files: tuple[str, str]) -> list[Incident]:
    """Report the sentences or items of each side that have no match.

    Parameters
    ----------
    sides : sequence of two iterables of (str, int)
        Name and line (0 if unknown) of each gold sentence or item that the prediction lacks, and of each predicted one
        that the gold standard lacks.
    files : tuple of str
        The gold file and the predicted one.

    Examples
    --------
    >>> [str(incident) for incident in unmatched([[("s2", 9)], []], ("gold.conllu", "mine.conllu"))]
    ["gold.conllu, line 9: 's2' is missing in mine.conllu; it counts as wrong"]
    """
    (missing, surplus), (gold, predicted) = sides, files
    lacking = f"is missing in {predicted}; it counts as wrong"
    found = [Incident(gold, line, "missing in the system", f"{quoted(name)} {lacking}") for name, line in missing]
    return found + [
        Incident(predicted, line, "missing in gold", f"{quoted(name)} is missing in {gold}; it is not scored")
        for name, line in surplus
    ]


def not_shared(gold: Sequence[str], predicted: Sequence[str], files: tuple[str, str]) -> list[Incident]:
    """Report an incident if all sentences of both files have identifiers, but none occurs in both.

    Examples
    --------
    >>> [incident.found for incident in not_shared(["a"], ["1"], ("gold.auto", "mine.auto"))]
    ["its identifiers, such as '1', are not those of gold.auto, such as 'a': matched by order"]
    """
    if not len(gold) or not len(predicted) or "" in gold or "" in predicted or not set(gold).isdisjoint(predicted):
        return []
    found = f"its identifiers, such as {quoted(predicted[0])}, are not those of {files[0]}, such as {quoted(gold[0])}"
    return [Incident(files[1], 0, "identifiers not shared", f"{found}: matched by order")]


def repeated_identifiers(identifiers: Sequence[str], lines: Callable[[], Sequence[int]], file: str) -> list[Incident]:
    """Report each identifier that a sentence shares with an earlier one; by such identifiers nothing is matched.

    Parameters
    ----------
    identifiers : sequence of str
        Of each sentence; empty if it has none.
    lines : callable
        Gives the line of each sentence; only called if there is something to report.
    file : str

    Examples
    --------
    >>> (found,) = repeated_identifiers(["s1", "s2", "s1"], lambda: [2, 5, 9], "mine.conllu")
    >>> print(found)
    mine.conllu, line 9: 's1' is the identifier of line 2 as well, so sentences are matched by order
    """
    named = [identifier for identifier in identifiers if identifier]
    if len(set(named)) == len(named):
        return []
    first: dict[str, int] = {}
    found = []
    for identifier, line in zip(identifiers, lines(), strict=True):
        if not identifier or first.setdefault(identifier, line) == line:
            continue
        said = f"is the identifier of {line_named(file, first[identifier])} as well, so sentences are matched by order"
        found.append(Incident(file, line, "identifier twice", f"{quoted(identifier)} {said}"))
    return found
