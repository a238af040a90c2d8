"""What predicted trees score, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.dependencies.attachment import MEASURES, AttachmentScores
from analysis.dependencies.labelled import LabelledScores
from analysis.statistics.scored import Measure, ScoredRatios
from analysis.structures.digests import gold_digest
from analysis.structures.lazy import pd


def scored_trees(
    scores: AttachmentScores | LabelledScores, choices: Mapping[str, object] | None = None
) -> ScoredRatios:
    """Counts of each sentence, for intervals and for comparing systems.

    Parameters
    ----------
    scores : AttachmentScores or LabelledScores
        What `attachment_scores` or `labelled_attachment` gave; of the latter also UAS and LAS.
    choices : mapping, optional
        What the numbers depend on besides the conventions of the scores, for the signature.

    Returns
    -------
    ScoredRatios
        Measures ``directed``, ``undirected``, ``NED``, and ``UAS`` and ``LAS`` of labelled scores.

    Examples
    --------
    >>> import pandas as pd
    >>> from analysis.dependencies import attachment_scores
    >>> gold = pd.DataFrame({"sentence": [0, 0, 1], "form": ["ducks", "swim", "look"], "head": [2, 0, 0]})
    >>> scored_trees(attachment_scores(gold, [2, 0, 1])).values().round(3).tolist()
    [[0.667, 0.667, 0.667]]
    """
    attachment = scores if isinstance(scores, AttachmentScores) else scores.attachment
    names, conventions, relations = list(MEASURES), attachment.conventions, None
    table = attachment.sentence_counts().astype(np.int64)
    scored, counts = table[:, :1], [table[:, 1:]]
    if not isinstance(scores, AttachmentScores):
        names += ["UAS", "LAS"]
        counts.append(scores.sentences[["UAS", "LAS"]].to_numpy(dtype=np.int64))
        conventions, relations = scores.las.conventions, attachment.gold["relation"].to_numpy()
    return ScoredRatios(
        "trees",
        tuple(Measure(name) for name in names),
        np.hstack(counts),
        np.repeat(scored, len(names), axis=1),
        "sentence",
        _digest(attachment, relations),
        {**(choices or {}), **conventions},
    )


def scored_trees_by(
    scores: AttachmentScores,
    labels: Any,
    name: str = "label",
    choices: Mapping[str, object] | None = None,
    *,
    names: Sequence[str] | None = None,
) -> ScoredRatios:
    """Counts of each sentence over the words of each label, such as a relation.

    Parameters
    ----------
    scores : AttachmentScores
    labels : array-like of shape (n_tokens,)
        One label per gold word; words with a missing label are left out.
    name : str
        What is divided by.
    choices : mapping, optional
        As in `scored_trees`.
    names : sequence of str, optional
        Labels to count; by default all of scored words.

    Returns
    -------
    ScoredRatios
        Measures such as ``NED: OBJ``.

    Examples
    --------
    >>> from analysis.dependencies import attachment_scores
    >>> gold = pd.DataFrame({"sentence": [0, 0, 1], "form": ["ducks", "swim", "look"], "head": [2, 0, 0]})
    >>> found = scored_trees_by(attachment_scores(gold, [2, 0, 1]), ["N", "V", "V"], "tag")
    >>> dict(zip([measure.name for measure in found.measures][::3], found.values()[0, ::3].tolist()))
    {'directed: N': 1.0, 'directed: V': 0.5}
    """
    series = pd.Series(np.asarray(labels, dtype=object))
    tokens = scores.tokens
    counted = (tokens["counts_as"] != "not scored").to_numpy() & series.notna().to_numpy()
    texts = series[counted].astype("str")
    own = pd.Index(dict.fromkeys(sorted(texts.unique()) if names is None else names), dtype="str")
    codes = own.get_indexer(texts)
    counted[counted] = codes >= 0
    codes = codes[codes >= 0]
    rows = pd.Index(scores.sentences["sentence"]).get_indexer(tokens["sentence"])[counted]
    n = len(scores.sentences)
    place = rows * len(own) + codes

    def count(chosen: np.ndarray) -> np.ndarray:
        return np.bincount(place[chosen], minlength=n * len(own)).reshape(n, len(own))

    right = [count(tokens[measure].to_numpy()[counted]) for measure in MEASURES]
    scored = count(np.ones(len(place), dtype=bool))
    measures = [(measure, label) for label in own for measure in MEASURES]
    return ScoredRatios(
        "trees",
        tuple(Measure(f"{measure}: {label}") for measure, label in measures),
        np.stack(right, axis=2).reshape(n, -1),
        np.repeat(scored, len(MEASURES), axis=1),
        "sentence",
        _digest(scores, series.to_numpy()),
        {**(choices or {}), **scores.conventions},
        {f"{measure}: {label}": {"by": name, "group": label} for measure, label in measures},
    )


def _digest(scores: AttachmentScores, relations: Any = None) -> str:
    """Digest of the gold heads that are scored, and of what else of each gold word matters."""
    gold = scores.scored_gold()
    return gold_digest(
        gold["sentence"], gold["position"], gold["gold_head"],
        () if relations is None else relations[gold["kept"]], gold["sentences"],
    )  # fmt: skip
