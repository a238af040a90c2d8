"""What predicted trees score, sentence by sentence."""

from collections.abc import Mapping

import numpy as np

from analysis.dependencies.attachment import MEASURES, AttachmentScores
from analysis.dependencies.labelled import LabelledScores
from analysis.statistics.scored import Measure, ScoredRatios
from analysis.structures.digests import gold_digest


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
    labelled = isinstance(scores, LabelledScores)
    attachment = scores.attachment if isinstance(scores, LabelledScores) else scores
    table = attachment.sentences
    names = list(MEASURES)
    counts = [table[name].to_numpy(dtype=np.int64) for name in names]
    conventions = attachment.conventions
    if isinstance(scores, LabelledScores):
        names += ["UAS", "LAS"]
        counts += [scores.sentences[name].to_numpy(dtype=np.int64) for name in ("UAS", "LAS")]
        conventions = scores.las.conventions
    scored = table["scored"].to_numpy(dtype=np.int64)
    tokens = attachment.tokens
    kept = (tokens["counts_as"] != "not scored").to_numpy()
    digest = gold_digest(
        tokens["sentence"].to_numpy()[kept], tokens["position"].to_numpy()[kept], tokens["gold_head"].to_numpy()[kept],
        attachment.gold["relation"].to_numpy()[kept] if labelled else (),
        table["sentence"].to_numpy(),
    )  # fmt: skip
    return ScoredRatios(
        "trees",
        tuple(Measure(name) for name in names),
        np.column_stack(counts),
        np.repeat(scored[:, None], len(names), axis=1),
        "sentence",
        digest,
        {**(choices or {}), **conventions},
    )
