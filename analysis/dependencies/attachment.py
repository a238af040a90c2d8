"""Agreement of predicted and gold trees: directed and undirected accuracy, and neutral edge direction (NED)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from analysis.dependencies.alignment import Sentences, align, find_sentences, head_array
from analysis.dependencies.punctuation import Punctuation, Rule, find_punctuation
from analysis.dependencies.tree_arrays import agreement, find_defects, reattach
from analysis.structures import DataError, Score, check_tokens, scores_table
from analysis.structures.columns import Columns, as_frame, texts_at
from analysis.structures.lazy import pd
from analysis.structures.scores import describe_conventions, scores_html

#: The measures, strictest first: each also counts what the previous one counts.
MEASURES = ("directed", "undirected", "NED")

#: Reasons why a token counts, in `AttachmentScores.tokens`.
REASONS = ("not scored", "wrong", "grandparent", "reversed", "same head")

_DEFECTS = ("cycle", "self-head", "several roots", "no root", "no head", "head out of range", "missing sentence")


@dataclass(frozen=True, eq=False)
class AttachmentScores:
    """Directed and undirected accuracy and NED, with their counts.

    Attributes
    ----------
    directed, undirected, ned : Score
        numerator = correct tokens, denominator = tokens scored.
    sentences : DataFrame
        One row per selected sentence: ``sentence``, ``length`` (with punctuation), ``scored``, ``directed``,
        ``undirected``, ``NED`` (correct tokens). Input of `paired_bootstrap` and `bootstrap_intervals`.
    ill_formed : DataFrame
        One row per kind of defect: ``kind``, then the numbers of sentences and tokens with it in the gold standard and
        in the original prediction: ``gold_sentences``, ``predicted_sentences``, ``gold_tokens``, ``predicted_tokens``.
        For cycles, the token columns count cycles. The last rows count defects found while removing punctuation.
    gold : DataFrame
        The gold table that was scored.
    given : DataFrame or Columns
        The same, as it was given.
    conventions : mapping
        The choices made.

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["the", "duck", "swims"], "head": [2, 3, 0]})
    >>> attachment_scores(gold, [0, 1, 2])
    directed 0.000 (0/3), undirected 0.667 (2/3), NED 0.667 (2/3)
    """

    directed: Score
    undirected: Score
    ned: Score
    given: pd.DataFrame | Columns = field(repr=False)
    conventions: Mapping[str, object]
    _sentences: Sentences = field(repr=False)
    _missing: np.ndarray = field(repr=False)
    _surplus: int = field(repr=False)
    _defects: tuple[np.ndarray, np.ndarray] = field(repr=False)
    _through: tuple[int, int] = field(repr=False)
    _chosen: np.ndarray = field(repr=False)
    _counts: np.ndarray = field(repr=False)
    _why: np.ndarray = field(repr=False)
    _heads: tuple[np.ndarray, np.ndarray] = field(repr=False)
    _punctuation: np.ndarray = field(repr=False)

    def scores(self) -> tuple[Score, Score, Score]:
        """The three scores, strictest first."""
        return self.directed, self.undirected, self.ned

    def to_frame(self) -> pd.DataFrame:
        """Return three rows, as in `Score.to_frame`."""
        return scores_table(self.scores())

    def __repr__(self) -> str:
        return ", ".join(map(repr, self.scores()))

    def _repr_html_(self) -> str:
        return scores_html(self.to_frame(), describe_conventions(self.conventions))

    @cached_property
    def gold(self) -> pd.DataFrame:
        """The gold table that was scored."""
        return as_frame(self.given)

    @cached_property
    def sentences(self) -> pd.DataFrame:
        """Counts of each selected sentence."""
        counts = self._counts[self._chosen]
        return pd.DataFrame(
            {
                "sentence": self._sentences.numbers[self._chosen],
                "length": self._sentences.lengths[self._chosen],
                "scored": counts[:, 0],
                **{measure: counts[:, i + 1] for i, measure in enumerate(MEASURES)},
            }
        )

    def sentence_counts(self) -> np.ndarray:
        """Words of each selected sentence that are scored and that count in each measure: shape (n_sentences, 4)."""
        return self._counts[self._chosen]

    def scored_gold(self) -> dict[str, np.ndarray]:
        """Sentence, position and gold head of each scored word, ``kept``: which words these are, and ``sentences``."""
        kept = self._why > 0
        first = np.repeat(self._sentences.starts[:-1], self._sentences.lengths)
        columns = {
            "sentence": np.repeat(self._sentences.numbers, self._sentences.lengths)[kept],
            "position": (np.arange(len(kept)) - first + 1)[kept],
            "gold_head": self._heads[0][kept],
        }
        return columns | {"kept": kept, "sentences": self._sentences.numbers[self._chosen]}

    @cached_property
    def ill_formed(self) -> pd.DataFrame:
        """Sentences and tokens that have each kind of defect."""
        numbers = ["gold_sentences", "predicted_sentences", "gold_tokens", "predicted_tokens"]
        columns = self.defects()
        return pd.DataFrame(columns)[["kind", *numbers]].astype(dict.fromkeys(numbers, "Int64"))

    def defects(self) -> dict[str, list]:
        """Numbers of sentences and tokens with each kind of defect."""
        columns: dict[str, list] = {"kind": [*_DEFECTS, "sentence not in gold", "cycle through punctuation"]}
        for side, name in enumerate(("gold", "predicted")):
            lost = np.where(self._missing, self._sentences.lengths, 0) * side
            kinds = _defects_by_kind(self._defects[side], lost)
            columns[f"{name}_sentences"] = [int((kinds[kind] > 0).sum()) for kind in _DEFECTS]
            columns[f"{name}_sentences"] += [self._surplus * side, None]
            columns[f"{name}_tokens"] = [int(kinds[kind].sum()) for kind in _DEFECTS] + [None, self._through[side]]
        return columns

    @cached_property
    def tokens(self) -> pd.DataFrame:
        """One row per gold token, with the index of the gold table.

        ``sentence``, ``position``; ``gold_head`` and ``predicted_head`` after removal of punctuation, as positions in
        the whole sentence (0 = root, -1 = none); ``distance``, the distance in words from the gold head without
        punctuation, <NA> for roots and punctuation; ``counts_as``, one of `REASONS`; and for each measure whether the
        token counts.
        """
        starts = self._sentences.starts
        first = np.repeat(starts[:-1], self._sentences.lengths)
        rank = np.cumsum(~self._punctuation)
        gold, predicted = self._heads
        has_distance = (gold > 0) & ~self._punctuation
        distance = np.abs(rank - rank[np.where(has_distance, first + gold - 1, 0)])
        frame = {
            "sentence": np.repeat(self._sentences.numbers, self._sentences.lengths),
            "position": np.arange(len(gold)) - first + 1,
            "gold_head": gold,
            "predicted_head": predicted,
            "distance": pd.array(distance, dtype="Int64"),
            "counts_as": pd.Categorical.from_codes(self._why, list(REASONS)),
            **{measure: self._why >= least for measure, least in zip(MEASURES, (4, 3, 2), strict=True)},
        }
        table = pd.DataFrame(frame, index=self.gold.index)
        table.loc[~has_distance, "distance"] = pd.NA
        return table


def attachment_scores(
    gold: pd.DataFrame | Columns,
    predicted: Any,
    *,
    punctuation: bool = True,
    punctuation_rule: Rule = None,
    max_length: int | None = None,
    root_edges: bool = True,
    strict: bool = False,
    column: str = "head",
) -> AttachmentScores:
    """Score predicted heads against gold heads by three measures.

    With gold head g and predicted head p of a token i (0 = root), the token counts

    - *directed* if p = g;
    - *undirected* if it counts as directed, or i is the gold head of p (a reversed edge);
    - by *neutral edge direction* (NED) if it counts as undirected, or p is the gold head of g. The root is a possible
      grandparent: predicting i as root counts if its gold head is the gold root.

    Parameters
    ----------
    gold : DataFrame or Columns
        Tokens table with ``sentence``, ``head`` and, so that the words can be compared, ``form``.
    predicted : DataFrame, Columns or array-like of shape (n_tokens,)
        A tokens table, matched by sentence number and word by word; or heads, one a gold token.
        A missing head or -1 is not a head and never counts.
    punctuation : bool
        Whether punctuation is scored. If not (as in the challenge), it is removed from both trees first: its children
        are attached to their nearest ancestor in the same tree that is not punctuation, or to the root. The gold
        standard defines what is punctuation.
    punctuation_rule : optional
        Definition of punctuation; see `find_punctuation`.
    max_length : int, optional
        Maximum length of the scored sentences in tokens, *including* punctuation.
    root_edges : bool
        Whether tokens whose gold head is the root are scored. If not, the root does not count as grandparent either.
    strict : bool
        Whether ill-formed predictions (cycles, self-heads, no or several roots, words without a head, missing
        sentences) and gold trees with cycles, self-heads or words without a head raise an error. By default they are
        scored unchanged and counted: a word without a predicted head is wrong, a word without a gold head is not
        scored.
    column : str
        Column of the heads in a predicted table.

    Returns
    -------
    AttachmentScores

    Raises
    ------
    DataError
        If the tables are not the same text (the message gives the first difference); with ``strict=True``, at the first
        ill-formed sentence.
    ValueError
        If a column is missing, lengths differ, or an option is unknown.

    References
    ----------
    Gelling et al. (2012), section 2.3; NED: Schwartz et al. (2011).

    Examples
    --------
    >>> gold = pd.DataFrame({"sentence": 0, "form": ["look", "at", "it", "!"], "head": [0, 1, 2, 1],
    ...                      "universal": ["VERB", "ADP", "PRON", "PUNCT"]})
    >>> scores = attachment_scores(gold, [4, 3, 1, 0], punctuation=False)
    >>> scores
    directed 0.333 (1/3), undirected 0.667 (2/3), NED 1.000 (3/3)
    >>> list(scores.tokens["counts_as"])
    ['same head', 'reversed', 'grandparent', 'not scored']
    """
    if not isinstance(punctuation, bool | np.bool_):
        raise ValueError(f"punctuation is True (scored) or False (removed), not {punctuation!r}.")
    if not _is_plain(gold):
        check_tokens(gold, ["sentence", "head"], "gold")
    sentences = find_sentences(gold, "gold")
    aligned = align(gold, sentences, predicted, column)
    gold_heads, gold_defects = find_defects(sentences.starts, head_array(gold["head"], "gold"))
    heads, defects = find_defects(sentences.starts, aligned.heads)
    if strict:
        _refuse_ill_formed(gold, sentences, (gold_defects, defects), aligned.missing, aligned.surplus)
    removed = Punctuation(np.zeros(len(gold), dtype=bool), "kept")
    through = (0, 0)
    trees = (gold_heads, heads)
    if not punctuation:
        removed = find_punctuation(gold, punctuation_rule)
        (new_gold, a), (new_heads, b) = (reattach(sentences.starts, side, removed.mask) for side in trees)
        trees, through = (new_gold, new_heads), (a, b)
    chosen = np.ones(len(sentences.numbers), dtype=bool)
    if max_length is not None:
        chosen = sentences.lengths <= max_length
    why, counts = agreement(sentences.starts, *trees, removed.mask, chosen, bool(root_edges))

    conventions = {
        "punctuation": "kept" if punctuation else f"removed ({removed.rule})",
        "max_length": "none" if max_length is None else f"{max_length} with punctuation",
        "root_edges": "scored" if root_edges else "left out",
    }
    totals = counts.sum(axis=0)
    parts = {"sentences": int(chosen.sum())}
    directed, undirected, ned = (
        Score(
            measure,
            int(totals[i + 1]),
            int(totals[0]),
            conventions=conventions,
            parts=parts,
            undefined="" if totals[0] else "no token is scored",
        )
        for i, measure in enumerate(MEASURES)
    )
    return AttachmentScores(
        directed,
        undirected,
        ned,
        gold,
        conventions,
        sentences,
        aligned.missing,
        aligned.surplus,
        (gold_defects, defects),
        through,
        chosen,
        counts,
        why,
        trees,
        removed.mask,
    )


def ill_formed(tokens: pd.DataFrame | Columns, column: str = "head") -> pd.DataFrame:
    """List the defects of the trees of a table, one row per sentence with a defect.

    Several roots are listed too, although they are correct in some treebanks.

    Parameters
    ----------
    tokens : DataFrame or Columns
        Tokens table.
    column : str
        Column of the heads.

    Returns
    -------
    DataFrame
        ``sentence``, ``cycles``, ``self_heads``, ``roots``, ``no_head`` (a head of -1, missing or out of range).

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1], "head": [2, 1, 0]})
    >>> ill_formed(tokens)
       sentence  cycles  self_heads  roots  no_head
    0         0       1           0      0        0
    """
    numbers, found = sentence_defects(tokens, column)
    table = pd.DataFrame(found, columns=["cycles", "self_heads", "roots", "no_head"])
    table.insert(0, "sentence", numbers)
    return table


def sentence_defects(tokens: pd.DataFrame | Columns, column: str = "head") -> tuple[np.ndarray, np.ndarray]:
    """Number of each sentence that has a defect, and its cycles, self-heads, roots and words without a head.

    Examples
    --------
    >>> numbers, found = sentence_defects(Columns({"sentence": np.array([0, 0, 1]), "head": np.array([2, 1, 0])}))
    >>> numbers.tolist(), found.tolist()
    ([0], [[1, 0, 0, 0]])
    """
    if not _is_plain(tokens):
        check_tokens(tokens, ["sentence"] if column in tokens.columns else ["sentence", column])
    sentences = find_sentences(tokens)
    _, found = find_defects(sentences.starts, head_array(tokens[column], "tokens"))
    found[:, 3] += found[:, 4]
    wrong = (found[:, 0] > 0) | (found[:, 1] > 0) | (found[:, 2] != 1) | (found[:, 3] > 0)
    return sentences.numbers[wrong], found[wrong, :4]


def _is_plain(tokens: Any) -> bool:
    """Return whether sentences and heads have integer types without missing values."""
    if not isinstance(tokens, Columns) and not isinstance(tokens, pd.DataFrame):
        return False
    whole = (name in tokens.columns and tokens[name].dtype == np.int64 for name in ("sentence", "head"))
    return len(tokens) > 0 and all(whole)


def _defects_by_kind(defects: np.ndarray, lost: np.ndarray) -> dict[str, np.ndarray]:
    """Count each defect in each sentence; `lost` is the number of words of missing sentences."""
    return {
        "cycle": defects[:, 0],
        "self-head": defects[:, 1],
        "several roots": np.where(defects[:, 2] > 1, defects[:, 2], 0),
        "no root": ((defects[:, 2] == 0) & (lost == 0)).astype(np.int64),
        "no head": defects[:, 3] - lost,
        "head out of range": defects[:, 4],
        "missing sentence": lost,
    }


def _refuse_ill_formed(
    gold: pd.DataFrame | Columns,
    sentences: Sentences,
    defects: tuple[np.ndarray, np.ndarray],
    missing: np.ndarray,
    surplus: int,
) -> None:
    if surplus:
        raise DataError(f"predicted has {surplus:,} sentences whose numbers gold does not have.")
    lost = np.where(missing, sentences.lengths, 0)
    for side, found, words in zip(("gold", "predicted"), defects, (0 * lost, lost), strict=True):
        kinds = _defects_by_kind(found, words)
        if side == "gold":  # several roots, or none, are correct in some treebanks
            kinds = {kind: kinds[kind] for kind in ("cycle", "self-head", "no head", "head out of range")}
        wrong = np.array(list(kinds.values())) > 0
        if not wrong.any():
            continue
        s = int(wrong.any(axis=0).argmax())
        kind = list(kinds)[int(wrong[:, s].argmax())]
        text = ""
        if "form" in gold.columns:
            shown = texts_at(gold["form"], slice(sentences.starts[s], sentences.starts[s + 1]))
            text = f": {' '.join(shown[:12])}{' …' if len(shown) > 12 else ''}"
        number = int(wrong.any(axis=0).sum())
        raise DataError(
            f"{side}, sentence {sentences.numbers[s]}: {kind}{text}\n{number:,} sentences are ill-formed. "
            "Give strict=False to score them unchanged and count such defects."
        )
