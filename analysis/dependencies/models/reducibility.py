"""Reducibility of tag n-grams: how often a sentence stays a sentence of the text when the words are left out."""

from typing import Literal

import numpy as np
import pandas as pd

from analysis.dependencies.models.sequences import encode_sequences
from analysis.dependencies.punctuation import Rule
from analysis.structures import check_at_least, check_choice, check_tokens

LONGEST = 3  #: Longest n-grams that have a score


def reducibility_scores(
    tokens: pd.DataFrame,
    *,
    tags: str = "fine",
    longest: int = LONGEST,
    smoothing: Literal["all", "length"] = "all",
    lowercase: bool = False,
    keep_punctuation: bool = False,
    punctuation_rule: Rule = None,
) -> pd.DataFrame:
    r"""Score the tag n-grams of a text by how often their words can be left out.

    An occurrence of an n-gram g is reducible if its sentence without these words is a sentence of the text, word by
    word; a sentence without words is none. With c(g) occurrences, of which r(g) are reducible,

    .. math:: R(g) = \frac{1}{N_n} \frac{r(g) + s}{c(g) + 1}, \qquad
              N_n = \frac{\sum_g (r(g) + s)}{\sum_g (c(g) + 1)}, \qquad s = \frac{\sum_g r(g)}{\sum_g c(g)},

    where :math:`N_n` sums over the n-grams of the same length. If nothing is reducible, R is the limit for small s.

    Parameters
    ----------
    tokens : DataFrame
        Tokens table with ``sentence``, ``form`` and the column `tags`; the more text, the better.
    tags : str
        Column of tags.
    longest : int
        Longest n-grams, at most 3.
    smoothing : {"all", "length"}
        Whether s is that of the n-grams of all lengths or of each length (?).
    lowercase : bool
        Whether capitals are the same as small letters (?).
    keep_punctuation : bool
        Whether punctuation counts as words; if not, it is left out first.
    punctuation_rule : optional
        Definition of punctuation; see `analysis.dependencies.find_punctuation`.

    Returns
    -------
    DataFrame
        ``n``, ``tags`` (separated by spaces), ``count``, ``reducible``, ``score``, by length and in the order of first
        occurrence.

    Raises
    ------
    ValueError
        If a column is missing or an argument is out of range.

    References
    ----------
    Mareček & Žabokrtský (2012), "Exploiting reducibility in unsupervised dependency parsing"; the formula is after
    them (?).

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 0, 1, 1, 2, 2], "form": list("abcbcac"), "fine": list("ABCBCAC")})
    >>> table = reducibility_scores(tokens)
    >>> table[["tags", "count", "reducible"]].head(3).values.tolist()
    [['A', 2, 1], ['B', 2, 1], ['C', 3, 0]]
    """
    check_at_least(1, longest=longest)
    if longest > LONGEST:
        raise ValueError(f"longest is {longest}; it must be at most {LONGEST}.")
    check_choice("smoothing", smoothing, ("all", "length"))
    check_tokens(tokens, ["sentence", "form", tags])
    coded = encode_sequences(tokens, tags, keep_punctuation, punctuation_rule)
    words = tokens["form"][coded.kept].astype("str")
    codes = pd.factorize(words.str.lower() if lowercase else words)[0].tolist()
    sentences = [tuple(codes[begin:end]) for begin, end in zip(coded.starts[:-1], coded.starts[1:], strict=True)]
    known = set(sentences) - {()}
    names = coded.tags.astype("str").to_numpy()[coded.words].tolist()
    counts: list[dict[str, list[int]]] = [{} for _ in range(longest)]
    for sentence, begin in zip(sentences, coded.starts.tolist(), strict=False):
        for n in range(1, longest + 1):
            for place in range(len(sentence) - n + 1):
                found = counts[n - 1].setdefault(" ".join(names[begin + place : begin + place + n]), [0, 0])
                found[0] += 1
                found[1] += (sentence[:place] + sentence[place + n :]) in known
    rows = [(n + 1, name, *found) for n, own in enumerate(counts) for name, found in own.items()]
    table = pd.DataFrame(rows, columns=["n", "tags", "count", "reducible"])
    return _scored(table.astype({"n": "int64", "tags": "str", "count": "int64", "reducible": "int64"}), smoothing)


def _scored(table: pd.DataFrame, smoothing: str) -> pd.DataFrame:
    lengths = table["n"] if smoothing == "length" else pd.Series(0, index=table.index)
    sums = table.groupby(lengths)[["reducible", "count"]].transform("sum")
    share = (sums["reducible"] / sums["count"]).where(sums["reducible"] > 0, 1.0)  # any s > 0 gives the limit
    smoothed = pd.DataFrame({"up": table["reducible"] + share, "down": table["count"] + 1})
    totals = smoothed.groupby(table["n"]).transform("sum")
    score = smoothed["up"] / smoothed["down"] / (totals["up"] / totals["down"])
    return table.assign(score=score.astype("float64"))


def log_scores(table: pd.DataFrame, tags: list[str], starts: np.ndarray) -> np.ndarray:
    """Look up the scores of the n-grams that begin at each word.

    Parameters
    ----------
    table : DataFrame
        Of `reducibility_scores`.
    tags : list of str
        Of each word.
    starts : ndarray of int64, shape (n_sentences + 1,)

    Returns
    -------
    ndarray of float64, shape (n_words, 3)
        Natural logarithm of R of the n-gram of 1, 2, 3 words; 0 for an unseen one, or one that leaves the sentence.

    Examples
    --------
    >>> table = pd.DataFrame({"n": [1, 2], "tags": ["A", "A B"], "score": [1.0, np.e]})
    >>> log_scores(table, ["A", "B"], np.array([0, 2])).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    known = dict(zip(table["tags"], np.log(table["score"].to_numpy()), strict=True))
    found = np.zeros((len(tags), LONGEST))
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        for place in range(begin, end):
            for n in range(1, min(LONGEST, end - place) + 1):
                found[place, n - 1] = known.get(" ".join(tags[place : place + n]), 0.0)
    return found
