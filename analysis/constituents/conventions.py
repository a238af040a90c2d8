"""What EVALB's parameter files say, as arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal
from urllib.parse import unquote

from analysis.corpora.opening import Source, open_text
from analysis.structures import DataError, Incident, check_choice
from analysis.structures.digests import divided, joined, percent_encoded

Failed = Literal["leave out", "count"]
Mismatch = Literal["leave out", "count", "refuse"]


@dataclass(frozen=True)
class BracketConventions:
    """Which brackets, words and sentences count, and what is equal.

    Attributes
    ----------
    delete_labels : tuple of str
        Words with these tags are taken out of both trees; constituents with these labels are not counted. A constituent
        that is left without a word is not counted either.
    delete_for_length : tuple of str
        Words with these tags do not count towards the length of a sentence.
    equal_labels, equal_words : tuple of pairs of str
        Count as the same; so do labels that are linked by several pairs.
    quote_labels : tuple of str
        Tags of quotation marks: where one tree deletes such a mark (``'``, ``"`` or ``/``) and the other keeps it under
        another tag, so that they have not equally many words, it stays in both.
    labelled : bool
        Whether the labels of matching brackets must be equal.
    function_tags : bool
        Whether labels are compared with what stands after the first ``-`` or ``=``.
    max_length : int, optional
        Score only sentences of at most so many words.
    failed : {"leave out", "count"}
        A sentence without a parse (an empty line, ``(())``): left out of all counts, or counted in recall, with its
        tags wrong.
    mismatch : {"leave out", "count", "refuse"}
        A sentence whose words are not those of the gold tree: left out, counted like one without a parse, or an error.

    Examples
    --------
    >>> EVALB.delete_labels[:2], EVALB.equal_labels
    (('TOP', '-NONE-'), (('ADVP', 'PRT'),))
    """

    delete_labels: tuple[str, ...] = ()
    delete_for_length: tuple[str, ...] = ()
    equal_labels: tuple[tuple[str, str], ...] = ()
    equal_words: tuple[tuple[str, str], ...] = ()
    quote_labels: tuple[str, ...] = ()
    labelled: bool = True
    function_tags: bool = False
    max_length: int | None = None
    failed: Failed = "leave out"
    mismatch: Mismatch = "leave out"

    def __post_init__(self) -> None:
        check_choice("failed", self.failed, ("leave out", "count"))
        check_choice("mismatch", self.mismatch, ("leave out", "count", "refuse"))

    def described(self) -> dict[str, object]:
        """Each choice by name, in texts."""
        found: dict[str, object] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, tuple):
                value = joined(_one_text(part) for part in value)
            found[each.name.replace("_", " ")] = "none" if value is None else value
        return found

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> "BracketConventions":
        """Conventions from their texts, by name of the attribute, as `described` gives them.

        Examples
        --------
        >>> BracketConventions.from_texts({"equal_labels": "ADVP=PRT", "labelled": "False"}).equal_labels
        (('ADVP', 'PRT'),)
        """
        changes: dict[str, Any] = {}
        for name, text in texts.items():
            if name in ("equal_labels", "equal_words"):
                pairs = [pair.partition("=") for pair in divided(text)]
                changes[name] = tuple((unquote(first), unquote(second)) for first, _, second in pairs)
            elif name in ("labelled", "function_tags"):
                changes[name] = text == "True"
            elif name == "max_length":
                changes[name] = None if text == "none" else int(text)
            elif name in ("failed", "mismatch"):
                changes[name] = text
            else:
                changes[name] = divided(text)
        return cls(**changes)


def _one_text(part: str | tuple[str, str]) -> str:
    """A label, or two that count as the same, as one text."""
    return part if isinstance(part, str) else "=".join(percent_encoded(name, "[=%]") for name in part)


#: The conventions of the parameter file COLLINS.prm, with which EVALB is mostly run.
EVALB = BracketConventions(
    delete_labels=("TOP", "-NONE-", ",", ":", "``", "''", "."),
    delete_for_length=("-NONE-",),
    equal_labels=(("ADVP", "PRT"),),
)

#: Conventions by name.
CONVENTIONS = {"evalb": EVALB, "plain": BracketConventions(function_tags=True)}

_LISTS = {
    "DELETE_LABEL": "delete_labels",
    "DELETE_LABEL_FOR_LENGTH": "delete_for_length",
    "QUOTE_LABEL": "quote_labels",
}
_PAIRS = {"EQ_LABEL": "equal_labels", "EQ_WORD": "equal_words"}
_IGNORED = ("DEBUG", "MAX_ERROR")


def read_parameters(source: Source, *, cutoff: bool = False) -> BracketConventions:
    r"""Read a parameter file of EVALB.

    Parameters
    ----------
    source : path, text, or what else `analysis.corpora.opening.open_text` takes
        One parameter per line; ``#`` begins a comment.
    cutoff : bool
        Whether ``CUTOFF_LEN`` becomes `max_length`: EVALB gives its scores for all sentences, and again for those up
        to that length.

    Returns
    -------
    BracketConventions

    Raises
    ------
    DataError
        If a line has an unknown parameter or no value.

    Examples
    --------
    >>> found = read_parameters(b"LABELED 1\nDELETE_LABEL TOP\nEQ_LABEL ADVP PRT\nCUTOFF_LEN 40\n")
    >>> found.delete_labels, found.equal_labels, found.max_length
    (('TOP',), (('ADVP', 'PRT'),), None)
    """
    text = open_text(source)
    lists: dict[str, list] = {name: [] for name in (*_LISTS.values(), *_PAIRS.values())}
    single: dict[str, int] = {}
    for number, line in enumerate(text.lines(), start=1):
        if line.startswith("#") or not line.strip():
            continue
        name, *values = line.split()
        expected = ""
        if name in _LISTS and len(values) == 1:
            lists[_LISTS[name]].append(values[0])
        elif name in _PAIRS and len(values) == 2:
            lists[_PAIRS[name]].append((values[0], values[1]))
        elif name in ("LABELED", "CUTOFF_LEN") and len(values) == 1 and values[0].isdigit():
            single[name] = int(values[0])
        elif name in _IGNORED:
            continue
        elif name in (*_LISTS, "LABELED", "CUTOFF_LEN"):
            expected = f"{name} with one value" if name in _LISTS else f"{name} with a whole number"
        elif name in _PAIRS:
            expected = f"{name} with two values"
        else:
            expected = ", ".join((*_LISTS, *_PAIRS, "LABELED", "CUTOFF_LEN", *_IGNORED))
        if expected:
            raise DataError(
                Incident(text.name, number, "parameter", f"the parameter is {line.strip()!r}", line, expected)
            )
    length = single.get("CUTOFF_LEN") if cutoff else None
    changes = {name: tuple(values) for name, values in lists.items()}
    conventions = BracketConventions(labelled=single.get("LABELED", 1) != 0, max_length=length)
    return replace(conventions, **changes)  # type: ignore[arg-type]
