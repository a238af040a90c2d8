"""Labelled and unlabelled attachment scores, as in the tools of Universal Dependencies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analysis.dependencies.alignment import align, find_sentences
from analysis.dependencies.attachment import REASONS, AttachmentScores, attachment_scores
from analysis.structures import Score, check_columns, scores_table
from analysis.structures.columns import Columns
from analysis.structures.labels import value_codes
from analysis.structures.lazy import pd


@dataclass(frozen=True, eq=False)
class LabelledScores:
    """Unlabelled and labelled attachment scores.

    Attributes
    ----------
    uas, las : Score
        numerator = words with the correct head (UAS), or with correct head and relation (LAS); denominator = words
        scored.
    attachment : AttachmentScores
    right : ndarray of bool, shape (n_tokens,)
        Words with correct head and relation.
    sentences : DataFrame
        One row per sentence: ``sentence``, ``length``, ``scored``, ``UAS``, ``LAS``.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "head": [2, 0], "relation": ["nsubj:pass", "root"]})
    >>> labelled_attachment(gold, gold.assign(relation=["nsubj", "dep"]))
    UAS 1.000 (2/2), LAS 0.500 (1/2)
    """

    uas: Score
    las: Score
    attachment: AttachmentScores
    right: np.ndarray

    def __repr__(self) -> str:
        return f"{self.uas!r}, {self.las!r}"

    def to_frame(self) -> pd.DataFrame:
        """Return two rows, as in `Score.to_frame`."""
        return scores_table((self.uas, self.las))

    def right_of_sentences(self) -> np.ndarray:
        """Words of each selected sentence with correct head and relation."""
        found = self.attachment
        sentence = np.repeat(np.arange(len(found._sentences.lengths)), found._sentences.lengths)
        return np.bincount(sentence[self.right], minlength=len(found._sentences.lengths))[found._chosen]

    @cached_property
    def sentences(self) -> pd.DataFrame:
        """Counts of each selected sentence."""
        counts = self.attachment.sentences
        per_sentence = pd.Series(self.right).groupby(self.attachment.tokens["sentence"].to_numpy()).sum()
        table = counts[["sentence", "length", "scored"]].assign(UAS=counts["directed"])
        return table.assign(LAS=per_sentence.reindex(counts["sentence"]).to_numpy(dtype=np.int64))


def labelled_attachment(
    gold: pd.DataFrame, predicted: pd.DataFrame, *, subtypes: bool = False, relation: str = "relation", **options: Any
) -> LabelledScores:
    """Compute UAS and LAS: words with the correct head, and with correct head and relation.

    As in the shared tasks on Universal Dependencies, every word counts, including punctuation, and ``nsubj:pass`` is
    treated as ``nsubj``. The words must be those of the gold standard, so precision and recall are equal.

    Parameters
    ----------
    gold : DataFrame
        Tokens table with ``sentence``, ``head``, `relation`.
    predicted : DataFrame
        Tokens table with the same columns, matched by sentence number and word by word.
    subtypes : bool
        Whether the part of a relation after the colon must be correct too.
    relation : str
        Column of the relations in both tables.
    **options
        Options of `attachment_scores`. If punctuation is removed, a reattached word keeps its relation.

    Returns
    -------
    LabelledScores

    Raises
    ------
    DataError
        If the tables are not the same text.
    ValueError
        If a column is missing.

    References
    ----------
    Zeman et al. (2018), CoNLL 2018 shared task: multilingual parsing from raw text to Universal
    Dependencies, section 4.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "head": [2, 0], "relation": ["nsubj:pass", "root"]})
    >>> labelled_attachment(gold, gold.assign(relation=["nsubj", "root"])).las
    LAS 1.000 (2/2)
    >>> labelled_attachment(gold, gold.assign(relation=["nsubj", "root"]), subtypes=True).las
    LAS 0.500 (1/2)
    """
    check_columns(gold, [relation], "gold")
    check_columns(predicted, [relation], "predicted")
    found = attachment_scores(gold, predicted, **options)
    return with_relations(found, gold, predicted, subtypes=subtypes, relation=relation)


def with_relations(
    attachment: AttachmentScores,
    gold: pd.DataFrame | Columns,
    predicted: pd.DataFrame | Columns,
    *,
    subtypes: bool = False,
    relation: str = "relation",
) -> LabelledScores:
    """UAS and LAS of tables whose heads have been scored; parameters as in `labelled_attachment`.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "head": [2, 0], "relation": ["nsubj:pass", "root"]})
    >>> with_relations(attachment_scores(gold, gold), gold, gold.assign(relation=["nsubj", "dep"]))
    UAS 1.000 (2/2), LAS 0.500 (1/2)
    """
    names: dict[str, int] = {}
    codes = []
    for table in (gold, predicted):
        place, values = value_codes(table[relation])
        texts = [str(value) if subtypes else str(value).partition(":")[0] for value in values]
        numbers = np.array([*(names.setdefault(text, len(names)) for text in texts), -1], dtype=np.int64)
        codes.append(numbers[place])
    ours = codes[0]
    theirs = align(gold, find_sentences(gold, "gold"), predicted.assign(code=codes[1]), "code").heads
    right = (attachment._why == REASONS.index("same head")) & (ours == theirs) & (ours >= 0)
    conventions = {**attachment.conventions, "relations": "whole" if subtypes else "subtypes cut"}
    scored = attachment.directed
    uas, las = (
        Score(name, count, scored.denominator, conventions=said, parts=scored.parts, undefined=scored.undefined)
        for name, count, said in (
            ("UAS", scored.numerator, attachment.conventions),
            ("LAS", int(right.sum()), conventions),
        )
    )
    return LabelledScores(uas, las, attachment, right)
