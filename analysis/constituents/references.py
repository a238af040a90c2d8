"""Floors that stand beside the brackets of a parser: branching trees, and trees without structure."""

from collections.abc import Sequence

import pandas as pd

from analysis.constituents.brackets import bracket_scores, scored_brackets
from analysis.constituents.conventions import EVALB, BracketConventions
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.corpora.opening import Text
from analysis.statistics.references import fixed_rows, references_table
from analysis.structures.derivation import Derivations


def reference_scores(
    gold: Derivations,
    conventions: BracketConventions = EVALB,
    measures: Sequence[str] | None = None,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
) -> pd.DataFrame:
    """Score right branching, left branching and flat trees over the gold words with their gold tags.

    The bracket of the whole sentence has the label that gold sentences have most often, every other the most frequent
    label of the others. A sentence without a gold tree stays without one.

    Parameters
    ----------
    gold : Derivations
        Gold trees, one per sentence.
    conventions : BracketConventions
    measures : sequence of str, optional
        Of `analysis.constituents.bracket_scores`; by default all.
    resamples, confidence, random_state
        Of the intervals.

    Returns
    -------
    DataFrame
        The columns of `analysis.statistics.differences.SystemScore`.

    References
    ----------
    Klein & Manning (2002), A generative constituent-context model for improved grammar induction, ACL, where left and
    right branching are the baselines.

    Examples
    --------
    >>> gold = read_bracketed_trees(b"(S (NP (NN hens)) (VP (VBP eat) (NP (NN corn))))")
    >>> table = reference_scores(gold, BracketConventions(labelled=False), ["bracketed recall"], resamples=10)
    >>> table[["system", "value"]].values.tolist()
    [['right branching', 0.5], ['left branching', 0.25], ['flat', 0.25]]
    """
    label, inside = _labels(gold, conventions)
    deleted = set(conventions.delete_labels)
    words: dict[int, list[tuple[str, bool]]] = {}
    columns = (gold.tokens[name] for name in ("sentence", "form", "category"))
    for sentence, form, tag in zip(*columns, strict=True):
        words.setdefault(sentence, []).append((f"({tag} {form})", str(tag) not in deleted))
    fixed = {}
    for name, branch in (("right branching", _right), ("left branching", _left), ("flat", _flat)):
        lines = (
            f"({label} {branch(words[sentence], inside)})" if sentence in words else "" for sentence in range(len(gold))
        )
        text = Text(name, "".join(f"{line}\n" for line in lines).encode("utf-8"))
        trees = read_bracketed_trees(text, strict=False, by_line=True)
        fixed[name] = (scored_brackets(bracket_scores(gold, trees, conventions), gold), "floor")
    rows = fixed_rows(fixed, measures, resamples=resamples, confidence=confidence, random_state=random_state)
    return references_table(rows)


def _labels(gold: Derivations, conventions: BracketConventions) -> tuple[str, str]:
    """The most frequent label of whole sentences, and of the brackets inside them, among those that count."""
    nodes = gold.nodes[(gold.nodes["rule"].astype("str") != "lex").to_numpy()]
    labels = nodes["category"].astype("str")
    if not conventions.function_tags:
        labels = labels.map(lambda text: text.replace("=", "-").split("-")[0])
    counted = ~labels.isin([*conventions.delete_labels, ""])
    sizes = nodes["sentence"].map(gold.tokens.groupby("sentence", observed=True).size())
    whole = nodes["end"] - nodes["start"] == sizes
    found = [labels[counted & chosen].mode() for chosen in (whole, ~whole)]
    first, second = (str(own.iloc[0]) if len(own) else "X" for own in found)
    return first, second


def _right(words: Sequence[tuple[str, bool]], label: str) -> str:
    """Each bracket begins at a word that counts, and has two such words or more."""
    left = number = sum(counts for _, counts in words)
    parts, opened = [], 0
    for text, counts in words:
        if counts and 2 <= left < number:
            parts.append(f"({label}")
            opened += 1
        parts.append(text)
        left -= counts
    return " ".join(parts) + ")" * opened


def _left(words: Sequence[tuple[str, bool]], label: str) -> str:
    """Each bracket ends at a word that counts, and has two such words or more."""
    number, seen = sum(counts for _, counts in words), 0
    parts = [f"({label}"] * max(number - 2, 0)
    for text, counts in words:
        seen += counts
        parts.append(text + (")" if counts and 2 <= seen < number else ""))
    return " ".join(parts)


def _flat(words: Sequence[tuple[str, bool]], label: str) -> str:
    """No bracket."""
    return " ".join(text for text, _ in words)
