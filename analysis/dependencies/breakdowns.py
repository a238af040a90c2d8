"""The three measures by relation, dependency length, sentence length, tag, and gold standard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from analysis.dependencies.attachment import MEASURES, AttachmentScores, attachment_scores
from analysis.dependencies.relations import ROOT, table6_relations
from analysis.statistics.breakdowns import (
    DISTANCES,
    FREQUENCIES,
    LENGTHS,
    costliest,
    frequency_of,
    in_bands,
    scores_of_groups,
    seen_before,
)
from analysis.structures import check_choice, check_columns, encode_labels
from analysis.structures.labels import first_tagged
from analysis.structures.lazy import pd

_COLUMNS = ["measure", "value", "unit", "numerator", "denominator", "convention"]


def scores_by(scores: AttachmentScores, labels: Any, name: str = "label") -> pd.DataFrame:
    """Compute the three measures over the tokens of each label.

    Parameters
    ----------
    scores : AttachmentScores
    labels : str or array-like of shape (n_tokens,)
        A column of the gold table, or one label per gold token; tokens with a missing label are left out.
    name : str
        Name of the label column, if `labels` is an array.

    Returns
    -------
    DataFrame
        One row per label and measure: the label, ``measure``, ``value``, ``numerator``, ``denominator``,
        ``convention``. Labels are in the order of their categories, or by frequency. Labels without a scored token are
        left out.

    Raises
    ------
    ValueError
        If the numbers of labels and tokens differ.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["the", "duck", "swims"], "head": [2, 3, 0],
    ...                      "universal": ["DET", "NOUN", "VERB"]})
    >>> scores = attachment_scores(gold, [2, 0, 2])
    >>> scores_by(scores, "universal").query("measure == 'directed'")[["universal", "numerator", "denominator"]]
      universal  numerator  denominator
    0       DET          1            1
    3      NOUN          0            1
    6      VERB          0            1
    """
    if isinstance(labels, str):
        check_columns(scores.gold, [labels], "gold")
        labels, name = scores.gold[labels], labels
    series = pd.Series(labels)
    if len(series) != len(scores.gold):
        raise ValueError(f"there are {len(series):,} labels and {len(scores.gold):,} gold tokens.")
    tokens = scores.tokens
    counted = (tokens["counts_as"] != "not scored").to_numpy() & series.notna().to_numpy()
    if not counted.any():
        return pd.DataFrame(columns=[name, *_COLUMNS])
    codes, names = encode_labels(series[counted], name)
    sizes = np.bincount(codes, minlength=len(names))
    order = np.arange(len(names))
    if not isinstance(series.dtype, pd.CategoricalDtype):
        order = np.lexsort((order, -sizes))
    counts = {
        measure: np.bincount(codes[tokens[measure].to_numpy()[counted]], minlength=len(names)) for measure in MEASURES
    }
    rows = [(names[k], measure, int(counts[measure][k]), int(sizes[k])) for k in order for measure in MEASURES]
    return _table(rows, name, scores)


def sentence_counts_by(scores: AttachmentScores, labels: Any, name: str = "label") -> pd.DataFrame:
    """Count per sentence over the tokens of each label, for `bootstrap_intervals` and `paired_bootstrap`.

    Parameters
    ----------
    scores : AttachmentScores
    labels : array-like of shape (n_tokens,)
        One label per gold token; tokens with a missing label are left out.
    name : str
        Name of the label column.

    Returns
    -------
    DataFrame
        The label, ``sentence``, ``scored``, ``directed``, ``undirected``, ``NED``. Each label has a row for every
        sentence with a scored token; sentences without tokens of the label have zero counts, but may be drawn.

    Raises
    ------
    ValueError
        If the numbers of labels and tokens differ.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": [0, 0, 1], "form": ["ducks", "swim", "look"], "head": [2, 0, 0]})
    >>> counts = sentence_counts_by(attachment_scores(gold, [2, 0, 0]), ["N", "V", "V"], "tag")
    >>> counts[["tag", "sentence", "scored", "directed"]].to_numpy().tolist()
    [['N', 0, 1, 1], ['N', 1, 0, 0], ['V', 0, 1, 1], ['V', 1, 1, 1]]
    """
    if len(labels) != len(scores.gold):
        raise ValueError(f"there are {len(labels):,} labels and {len(scores.gold):,} gold tokens.")
    tokens = scores.tokens.assign(**{name: np.asarray(labels, dtype=object)}, scored=1)
    tokens = tokens[tokens["counts_as"] != "not scored"]
    every = pd.MultiIndex.from_product(
        [tokens[name].dropna().unique(), tokens["sentence"].unique()], names=[name, "sentence"]
    )
    counts = tokens.groupby([name, "sentence"])[["scored", *MEASURES]].sum().astype("int64")
    return counts.reindex(every, fill_value=0).reset_index()


def scores_by_relation(
    scores: AttachmentScores, relations: Any = "relation", *, scheme: str | None = "table6"
) -> pd.DataFrame:
    """Compute the three measures over the tokens of each gold relation; tokens whose gold head is the root are
    ``ROOT``.

    Parameters
    ----------
    scores : AttachmentScores
    relations : str or array-like of shape (n_tokens,)
        A column of the gold table, or one relation per gold token.
    scheme : {"table6", None}
        ``"table6"`` (default): ROOT, SBJ, OBJ, PRD, NMOD, COORD, CC of the paper, other relations left out; see
        `table6_relations`. ``None``: the original relations.

    Returns
    -------
    DataFrame
        See `scores_by`; the label is in ``relation``.

    Raises
    ------
    ValueError
        If the column of relations is missing.

    References
    ----------
    Gelling et al. (2012), Table 6 (there directed accuracy only).

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["ducks", "swim"], "head": [2, 0], "relation": ["nsubj", "root"]})
    >>> table = scores_by_relation(attachment_scores(gold, [2, 0]))
    >>> table.query("measure == 'directed'")["relation"].tolist()
    ['ROOT', 'SBJ']
    """
    return scores_by(scores, relation_labels(scores, relations, scheme=scheme), "relation")


def relation_labels(
    scores: AttachmentScores, relations: Any = "relation", *, scheme: str | None = "table6"
) -> pd.Series:
    """The label by which `scores_by_relation` divides, one per gold word; arguments and errors as there.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["ducks", "swim"], "head": [2, 0], "relation": ["nsubj", "root"]})
    >>> relation_labels(attachment_scores(gold, [2, 0])).tolist()
    ['SBJ', 'ROOT']
    """
    if isinstance(relations, str):
        if relations not in scores.gold.columns:
            raise ValueError(
                f"gold has no column {relations!r}; it has {', '.join(map(str, scores.gold.columns))}. "
                "For a treebank without relations, derive them and give one per token."
            )
        relations = scores.gold[relations]
    check_choice("scheme", scheme, ("table6", None))
    is_root = scores.tokens["gold_head"].to_numpy() == 0
    if scheme == "table6":
        return pd.Series(table6_relations(relations, is_root))
    plain = pd.Series(relations).astype("str").to_numpy()
    return pd.Series(np.where(is_root, ROOT, plain))


def scores_by_length(scores: AttachmentScores, lengths: Iterable[int] = range(1, 10)) -> pd.DataFrame:
    """Compute the three measures over gold dependencies of each length.

    The length is the distance in words between token and gold head after removal of punctuation; root edges have no
    length and are left out.

    Parameters
    ----------
    scores : AttachmentScores
    lengths : iterable of int
        Lengths to list; longer dependencies are left out, as in the paper.

    Returns
    -------
    DataFrame
        See `scores_by`; the label is in ``length``. Every length has rows, undefined if there is no such dependency.

    References
    ----------
    Gelling et al. (2012), Figure 1 (there directed accuracy only).

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["the", "duck", "swims"], "head": [3, 3, 0]})
    >>> table = scores_by_length(attachment_scores(gold, [2, 3, 0]), [1, 2])
    >>> table.query("measure == 'directed'")[["length", "numerator", "denominator"]].to_numpy().tolist()
    [[1, 1, 1], [2, 0, 1]]
    """
    tokens = scores.tokens
    counted = (tokens["counts_as"] != "not scored").to_numpy() & tokens["distance"].notna().to_numpy()
    distances = tokens["distance"].fillna(0).to_numpy(dtype=np.int64)
    rows = []
    for length in lengths:
        these = counted & (distances == length)
        rows += [
            (length, measure, int((these & tokens[measure].to_numpy()).sum()), int(these.sum())) for measure in MEASURES
        ]
    return _table(rows, "length", scores)


def scores_by_sentence_length(
    scores: AttachmentScores, bounds: Iterable[int] | None = None, *, punctuation: bool = True
) -> pd.DataFrame:
    """Compute the three measures over sentences of each length.

    Parameters
    ----------
    scores : AttachmentScores
    bounds : iterable of int, optional
        Upper bounds, such as ``[10, 20, 40]`` for up to 10, 11 to 20, 21 to 40 and above; the length of a row is its
        upper bound, <NA> above the last. By default every length that occurs has its own row.
    punctuation : bool
        Whether punctuation counts towards the length of a sentence (as in the paper's length limit), or only scored
        tokens.

    Returns
    -------
    DataFrame
        See `scores_by`; the label is in ``sentence_length``, and ``sentences`` is their number.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": [0, 0, 1], "form": ["ducks", "swim", "look"], "head": [2, 0, 0]})
    >>> table = scores_by_sentence_length(attachment_scores(gold, [0, 1, 0]))
    >>> table.query("measure == 'directed'")[["sentence_length", "sentences", "numerator"]].to_numpy().tolist()
    [[1, 1, 1], [2, 1, 0]]
    """
    sentences = scores.sentences
    length = sentences["length" if punctuation else "scored"]
    group = pd.array(length, dtype="Int64")
    if bounds is not None:
        upper = np.sort(np.asarray(list(bounds), dtype=np.int64))
        place = np.searchsorted(upper, length.to_numpy())
        group = pd.array([int(upper[i]) if i < len(upper) else pd.NA for i in place], dtype="Int64")
    sums = sentences.assign(group=group).groupby("group", dropna=False, observed=True)
    totals = sums[["scored", *MEASURES]].sum()
    sizes = sums.size()
    rows = [
        (length, measure, int(totals.loc[length, measure]), int(totals.loc[length, "scored"]))
        for length in totals.index
        for measure in MEASURES
    ]
    table = _table(rows, "sentence_length", scores)
    table["sentence_length"] = table["sentence_length"].astype("Int64")
    table.insert(1, "sentences", np.repeat(sizes.to_numpy(), len(MEASURES)))
    return table


def score_breakdowns(
    scores: AttachmentScores,
    training: pd.DataFrame | None = None,
    *,
    tags: str = "auto",
    frequencies: Sequence[int] = FREQUENCIES,
    lengths: Sequence[int] = LENGTHS,
    distances: Sequence[int] = DISTANCES,
    scheme: str | None = None,
) -> pd.DataFrame:
    """Compute the three measures by word frequency, sentence length, tag, relation, distance, and seen or unseen word.

    Parameters
    ----------
    scores : AttachmentScores
    training : DataFrame, optional
        ``form`` of each token of the training text: its words are seen, and frequencies are those of training.
    tags : str
        Column of the gold table. Auto: the first of ``fine``, ``universal``, ``coarse`` that it has.
    frequencies, lengths, distances : sequence of int
        Largest number of each band but the last. Lengths count punctuation; distances do not: see
        `scores_by_sentence_length` and `scores_by_length`. Root edges have no distance.
    scheme : {None, "table6"}
        As in `scores_by_relation`.

    Returns
    -------
    DataFrame
        ``by``, ``group``, ``measure``, ``value``, ``unit``, ``numerator`` (correct tokens), ``denominator`` (scored
        tokens). A breakdown that needs a column that is not there is left out; a band without tokens is ``<NA>``.

    Raises
    ------
    ValueError
        If bands do not rise, or there is no such column of tags.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["the", "duck", "swims"], "head": [3, 3, 0]})
    >>> table = score_breakdowns(attachment_scores(gold, [2, 3, 0]), distances=(1, 2))
    >>> table.query("by == 'distance' and measure == 'directed'")[["group", "numerator", "denominator"]].values.tolist()
    [['1', 1, 1], ['2', 0, 1], ['3+', 0, 0]]
    """
    tokens, gold = scores.tokens, scores.gold
    counted = (tokens["counts_as"] != "not scored").to_numpy()
    right = {measure: tokens[measure].to_numpy() for measure in MEASURES}
    groups = {"all": np.repeat("all", len(tokens))} | word_groups(
        scores, training, tags=tags, frequencies=frequencies, lengths=lengths, distances=distances
    )
    frames = [scores_of_groups(by, labels, right, counted) for by, labels in groups.items()]
    if "relation" in gold.columns:
        found = scores_by_relation(scores, scheme=scheme).rename(columns={"relation": "group"})
        frames.append(found.assign(by="relation", group=found["group"].astype("str"))[frames[0].columns])
    return pd.concat(frames, ignore_index=True)


def word_groups(
    scores: AttachmentScores,
    training: pd.DataFrame | None = None,
    *,
    tags: str = "auto",
    frequencies: Sequence[int] = FREQUENCIES,
    lengths: Sequence[int] = LENGTHS,
    distances: Sequence[int] = DISTANCES,
) -> dict[str, Any]:
    """The groups of words of `score_breakdowns` but for relations: what they are divided by, and the group of each.

    Parameters
    ----------
    scores, training, tags, frequencies, lengths, distances
        As there.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["the", "duck", "swims"], "head": [3, 3, 0]})
    >>> word_groups(attachment_scores(gold, [2, 3, 0]), distances=(1,))["distance"].tolist()
    ['2+', '1', nan]
    """
    tokens, gold = scores.tokens, scores.gold
    groups: dict[str, Any] = {}
    if "form" in gold.columns:
        known = None if training is None else training["form"]
        counts = frequency_of(gold["form"], known)
        groups["frequency"] = in_bands(
            counts, frequencies if known is None else (0, *frequencies), first=int(known is None)
        )
    length = tokens.groupby("sentence", observed=True)["position"].transform("size")
    groups["sentence length"] = in_bands(length, lengths)
    groups["distance"] = in_bands(tokens["distance"], distances)
    if tags != "auto":
        check_columns(gold, [tags], "gold")
    column = first_tagged(gold, ("fine", "universal", "coarse"))
    if column or tags != "auto":
        groups["tag"] = gold[column if tags == "auto" else tags].astype("str").to_numpy(dtype=object)
    if training is not None and "form" in gold.columns:
        groups["seen"] = seen_before(gold["form"], training["form"])
    return groups


def costliest_pairs(scores: AttachmentScores, measure: str = "directed", *, most: int = 100) -> pd.DataFrame:
    """The pairs of a word and its gold head that cost most tokens.

    Parameters
    ----------
    scores : AttachmentScores
        Of a gold table with words.
    measure : {"directed", "undirected", "NED"}
    most : int
        Number of rows.

    Returns
    -------
    DataFrame
        ``form``, ``head_form`` (empty for the root), ``wrong``, ``n``, ``share``, ``cumulative``: see
        `analysis.statistics.breakdowns.costliest`. Words of licensed corpora are for looking at, not for storing.

    Raises
    ------
    ValueError
        If the gold table has no words, or there is no such measure.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["the", "duck", "swims"], "head": [2, 3, 0]})
    >>> costliest_pairs(attachment_scores(gold, [2, 0, 2]))[["form", "head_form", "wrong"]].values.tolist()
    [['duck', 'swims', 1], ['swims', '', 1]]
    """
    check_columns(scores.gold, ["form"], "gold")
    check_choice("measure", measure, MEASURES)
    tokens = scores.tokens
    counted = (tokens["counts_as"] != "not scored").to_numpy()
    forms = scores.gold["form"].astype("str").to_numpy(dtype=object)
    heads = tokens["gold_head"].to_numpy()
    place = np.arange(len(tokens)) - tokens["position"].to_numpy() + heads
    above = np.where(heads > 0, forms[np.where(heads > 0, place, 0)], "")
    items = pd.DataFrame({"form": forms, "head_form": above})[counted]
    return costliest(items, ["form", "head_form"], tokens[measure].to_numpy()[counted], most)


def compare_standards(
    standards: Mapping[str, pd.DataFrame], systems: Mapping[str, Any], **options: Any
) -> pd.DataFrame:
    """Score systems against several gold standards of the same text, with the best standard for each system.

    Parameters
    ----------
    standards : mapping
        Gold tokens tables by name.
    systems : mapping
        Predictions by name, each as in `attachment_scores`.
    **options
        Passed to `attachment_scores`. Each standard defines its punctuation.

    Returns
    -------
    DataFrame
        One row per system, standard and measure: ``system``, ``standard``, ``measure``, ``value``, ``numerator``,
        ``denominator``, ``convention``, ``of``; and a row ``best`` for each system and measure with its highest value,
        with its standard in ``of`` (the first of ties).

    Raises
    ------
    ValueError
        If there is no gold standard.

    References
    ----------
    Gelling et al. (2012), Table 5.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["at", "home"], "head": [0, 1]})
    >>> standards = {"functional": gold, "lexical": gold.assign(head=[2, 0])}
    >>> table = compare_standards(standards, {"RB": [0, 1]})
    >>> table.query("measure == 'directed'")[["standard", "value", "of"]].to_numpy().tolist()
    [['functional', 1.0, ''], ['lexical', 0.0, ''], ['best', 1.0, 'functional']]
    """
    if not standards:
        raise ValueError("there is no gold standard to score against.")
    frames = []
    for system, predicted in systems.items():
        tables = []
        for standard, gold in standards.items():
            frame = attachment_scores(gold, predicted, **options).to_frame()[_COLUMNS]
            tables.append(frame.assign(system=system, standard=standard, of=""))
        whole = pd.concat(tables, ignore_index=True)
        best = []
        for measure in MEASURES:
            rows = whole[whole["measure"] == measure]
            defined = rows[rows["value"].notna()]
            chosen = (defined if len(defined) else rows).iloc[
                int(defined["value"].to_numpy().argmax()) if len(defined) else 0
            ]
            best.append({**chosen, "standard": "best", "of": chosen["standard"] if len(defined) else ""})
        frames += [whole, pd.DataFrame(best).astype(whole.dtypes.to_dict())]
    table = pd.concat(frames, ignore_index=True)
    return table[["system", "standard", *_COLUMNS, "of"]]


#: Conventions of the PASCAL challenge and of other evaluations, as arguments of `attachment_scores`.
CONVENTIONS: Mapping[str, Mapping[str, Any]] = {
    "the challenge's": {"punctuation": False},
    "punctuation kept": {"punctuation": True},
    "at most 10 tokens": {"punctuation": False, "max_length": 10},
    "root edges left out": {"punctuation": False, "root_edges": False},
}


def compare_conventions(
    gold: pd.DataFrame, systems: Mapping[str, Any], conventions: Mapping[str, Mapping[str, Any]] = CONVENTIONS
) -> pd.DataFrame:
    """Compute scores and ranks of systems under several evaluation conventions.

    Parameters
    ----------
    gold : DataFrame
    systems : mapping
        Predictions by name, each as in `attachment_scores`.
    conventions : mapping
        Arguments of `attachment_scores` by convention.

    Returns
    -------
    DataFrame
        ``convention``, ``measure``, ``system``, ``value``, ``numerator``, ``denominator``, ``rank`` (1 is the best;
        equal values share the average of their ranks).

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["at", "home", "!"], "head": [0, 1, 1]})
    >>> table = compare_conventions(gold, {"RB": [0, 1, 2], "LB": [2, 3, 0]})
    >>> table.query("measure == 'directed' and convention == 'punctuation kept'")[["system", "numerator", "rank"]]
      system  numerator  rank
    6     RB          2   1.0
    9     LB          0   2.0
    """
    frames = [
        attachment_scores(gold, predicted, **options).to_frame()[_COLUMNS].assign(convention=name, system=system)
        for name, options in conventions.items()
        for system, predicted in systems.items()
    ]
    table = pd.concat(frames, ignore_index=True)
    table = table[["convention", "measure", "system", "value", "numerator", "denominator"]]
    return table.assign(rank=table.groupby(["convention", "measure"], sort=False)["value"].rank(ascending=False))


def _table(rows: list[tuple], name: str, scores: AttachmentScores) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=[name, "measure", "numerator", "denominator"])
    table = table.astype({"numerator": "Int64", "denominator": "Int64"})
    size = table["denominator"].astype("Float64")
    table["value"] = (table["numerator"].astype("Float64") / size).where(size > 0)
    table["unit"], table["convention"] = "proportion", scores.to_frame()["convention"].iloc[0]
    return table[[name, *_COLUMNS]]
