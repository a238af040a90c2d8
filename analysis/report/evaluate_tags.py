"""Score a system's word classes against a gold standard from files: what ``evaluate tags`` and ``types`` print."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from analysis.categories import (
    AlignedLabels,
    align_labels,
    contingency,
    lexicon,
    pairwise_precision_recall,
    token_level_scores,
    type_level_scores,
    type_table,
)
from analysis.corpora import read_clustering
from analysis.corpora.conll_reading import LAYOUTS, read
from analysis.corpora.file_formats import decide_format, format_named
from analysis.corpora.opening import open_text
from analysis.structures import DataError, Score

TREEBANKS = ("conllu", "conllx", "nine-columns", "conll2008", "conll2009")
CLUSTERINGS = ("tags", "words-and-tags", "types", "paths", "map")
FORMATS = ("auto", *TREEBANKS, *CLUSTERINGS)
LABELS = ("fine", "universal", "coarse", "cluster")
ENTROPIES = ("H(C)", "H(K)", "H(C|K)", "H(K|C)")
COLUMNS = ["system", "measure", "value", "unit", "numerator", "denominator", "n", *ENTROPIES, "conventions"]


class Labelled(NamedTuple):
    """A file with labels.

    Attributes
    ----------
    path : str
    table : DataFrame
        Tokens, or word types.
    format : str
        One of `FORMATS`, as found.
    label : str
        Column of the labels.
    kind : str
        ``"tokens"`` or ``"types"``.
    """

    path: str
    table: pd.DataFrame
    format: str
    label: str
    kind: str


def read_labelled(path: str | Path, *, format: str = "auto", column: str = "auto") -> Labelled:
    r"""Read labels of tokens or word types in whatever format they are.

    Parameters
    ----------
    path : path
        CoNLL-U, CoNLL-X, CoNLL-2008 and 2009, the nine columns of Gelling et al., word TAB tag, one tag a line, word
        TAB class of word types, or the ``paths`` or ``map`` of Brown clustering.
    format : str
        One of `FORMATS`. Auto: as `analysis.corpora.file_formats.decide_format` finds.
    column : str
        Column of a treebank with the labels: ``"fine"``, ``"universal"`` or ``"coarse"``. Auto: the first of these
        that the file has.

    Returns
    -------
    Labelled

    Raises
    ------
    DataError
        If the file is not there or not as described.
    ValueError
        If the format is unknown.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.txt"
    ...     _ = file.write_text("the\tD\ndog\tN\n", encoding="utf-8")
    ...     read_labelled(file).format
    'words-and-tags'
    """
    text = open_text(Path(path))
    found = decide_format(text, FORMATS[1:]).format if format == "auto" else format_named(format, FORMATS[1:])
    if found in TREEBANKS:
        table = read(text, LAYOUTS[found], True).tokens
        has = [name for name in LABELS[:3] if name in table.columns]
        if not has:
            raise DataError(f"{path} ({found}) has no column of tags.")
        label = has[0] if column == "auto" else column
        if label not in has:
            raise DataError(f"{path} ({found}) has no column {label!r}; it has {', '.join(has)}.")
        return Labelled(str(path), table, found, label, "tokens")
    reading = read_clustering(text, format=found)
    if column not in ("auto", "cluster"):
        raise DataError(f"{path} is a clustering ({reading.format}): it has no column {column!r}.")
    return Labelled(str(path), reading.table, reading.format, "cluster", reading.kind)


def align(gold: Labelled, system: Labelled, leave_out: Collection[str], unlabelled: str) -> AlignedLabels:
    """Gold and system labels of the same tokens.

    Raises
    ------
    DataError
        If the gold file has word types instead of tokens, or the words differ (with the first difference).
    """
    if gold.kind != "tokens":
        raise DataError(f"{gold.path} lists word types ({gold.format}); a gold file has one line a token.")
    absent = sorted(set(leave_out) - set(gold.table[gold.label].astype("str")))
    if absent:
        raise DataError(f"{gold.path} has no tag {absent[0]!r} to leave out (column {gold.label}).")
    if system.kind == "types" and "form" not in gold.table.columns:
        raise DataError(f"{gold.path} has no words, so the word types of {system.path} cannot be found in it.")
    try:
        return align_labels(
            gold.table, system.table, label=gold.label, cluster=system.label, leave_out=leave_out,
            unlabelled=unlabelled,
        )  # fmt: skip
    except ValueError as error:
        raise DataError(f"{gold.path} and {system.path}: {error}") from error


def evaluate_tags(
    gold: str | Path,
    systems: Sequence[str | Path],
    *,
    gold_format: str = "auto",
    system_format: str = "auto",
    gold_column: str = "auto",
    system_column: str = "auto",
    leave_out: Collection[str] = (),
    unlabelled: str = "refuse",
    assignment: str = "optimal",
    base: float = 2,
) -> pd.DataFrame:
    """Token-level measures of each system.

    Parameters
    ----------
    gold, systems : path
        See `read_labelled`.
    gold_format, system_format, gold_column, system_column : str
        As `format` and `column` there.
    leave_out : collection of str
        Gold tags that are not scored, such as punctuation.
    unlabelled : {"refuse", "leave out", "one cluster"}
        What to do with tokens without a cluster.
    assignment : {"optimal", "greedy"}
        Of the one-to-one mapping.
    base : float
        Of the logarithm.

    Returns
    -------
    DataFrame
        One row a system and measure: ``system``, ``measure``, ``value``, ``numerator``, ``denominator`` (empty for V,
        VI, NVI and the conditional entropies), ``n`` tokens, the four entropies, ``conventions``.

    Raises
    ------
    DataError
        If a file cannot be read, or the words of two files differ (says where first).
    """
    reference = read_labelled(gold, format=gold_format, column=gold_column)
    rows = []
    for path in systems:
        system = read_labelled(path, format=system_format, column=system_column)
        aligned = align(reference, system, leave_out, unlabelled)
        table = contingency(aligned.tokens["gold"], aligned.tokens["predicted"])
        pairwise = pairwise_precision_recall(table)
        scores = [*token_level_scores(table, assignment=assignment, base=base), *pairwise.scores()]
        rows += _records(system, scores, table.n, _stated(reference, system, aligned, leave_out))
    return _table(rows)


def evaluate_types(
    gold: str | Path,
    systems: Sequence[str | Path],
    *,
    gold_format: str = "auto",
    system_format: str = "auto",
    gold_column: str = "auto",
    system_column: str = "auto",
    leave_out: Collection[str] = (),
    unlabelled: str = "refuse",
    restarts: int = 10,
    initialisation: str = "random",
    random_state: int = 0,
) -> pd.DataFrame:
    """Type-level measures of each system: its lexicon is the set of clusters with which each word occurs.

    Parameters
    ----------
    gold, systems, gold_format, system_format, gold_column, system_column, leave_out, unlabelled
        As in `evaluate_tags`; the files must have words.
    restarts, initialisation, random_state
        Of hill climbing (many-to-one).

    Returns
    -------
    DataFrame
        As `evaluate_tags`, with ``n`` word types and no entropies. MicroI and MicroC have a sum of fractions as
        ``numerator``.

    Raises
    ------
    DataError
        As `evaluate_tags`, or if there are no words.
    """
    reference = read_labelled(gold, format=gold_format, column=gold_column)
    if "form" not in reference.table.columns:
        raise DataError(f"{gold} has no words: type-level measures need them.")
    rows = []
    for path in systems:
        system = read_labelled(path, format=system_format, column=system_column)
        aligned = align(reference, system, leave_out, unlabelled)
        table = type_table(lexicon(aligned.tokens, "gold"), lexicon(aligned.tokens, "predicted"))
        scores = type_level_scores(table, restarts=restarts, initialisation=initialisation, random_state=random_state)
        stated = _stated(reference, system, aligned, leave_out)
        rows += _records(system, scores, table.n_types, f"{stated}; seed={random_state}")
    return _table(rows).drop(columns=list(ENTROPIES))


def _stated(gold: Labelled, system: Labelled, aligned: AlignedLabels, leave_out: Collection[str]) -> str:
    parts = [
        f"gold={gold.format}, {gold.label}",
        f"system={system.format}, {system.label}",
        f"not scored={' '.join(leave_out) or 'nothing'} ({aligned.n_left_out:,} of {aligned.n_tokens:,} tokens)",
        f"without a cluster={aligned.n_unlabelled:,} tokens ({aligned.unlabelled})",
    ]
    return "; ".join(parts)


def _records(system: Labelled, scores: Iterable[Score], n: int, stated: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for score in scores:
        mapping = f" ({score.conventions['mapping']})" if score.measure in ("MacroI", "MicroI", "MicroC") else ""
        choices = [*(f"{name}={value}" for name, value in score.conventions.items()), stated]
        entropies: dict[str, object] = {}
        if "H(C)" in score.parts:
            entropies = {name: score.parts.get(name) for name in ENTROPIES}
        row: dict[str, object] = {"system": system.path, "measure": score.measure + mapping, "value": score.value}
        row |= {"unit": score.unit, "numerator": score.numerator, "denominator": score.denominator, "n": n}
        rows.append(row | entropies | {"conventions": "; ".join(choices)})
    return rows


def _table(rows: list[dict[str, object]]) -> pd.DataFrame:
    """Rows with missing numbers as such; whole counts stay whole."""
    table = pd.DataFrame([{name: row.get(name) for name in COLUMNS} for row in rows], columns=COLUMNS, dtype=object)
    for column in ("value", *ENTROPIES):
        table[column] = table[column].astype("Float64")
    table["n"] = table["n"].astype("int64")
    return table
