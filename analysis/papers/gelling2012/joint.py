"""Word classes and trees in a loop, after Christodoulopoulos, Goldwater & Steedman (2012): CGS of the joint task.

Classes of word types come from a Bayesian multinomial mixture, trees from the dependency model with valence trained on
the classes, and the trees give the next mixture two more kinds of features. What the challenge's paper does not say
is an argument, named "after Christodoulopoulos and others"; the defaults are the suite's.
"""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from analysis.categories import many_to_one, v_measure
from analysis.categories.models import MultinomialMixture
from analysis.dependencies import attachment_scores, find_punctuation
from analysis.dependencies.alignment import find_sentences
from analysis.dependencies.models import DMV
from analysis.structures import encode_labels

KINDS = ("head", "dependent")
ROOT, OTHER = "(root)", "(other)"


class Loop(NamedTuple):
    """Classes and trees of every round.

    Attributes
    ----------
    labels : ndarray of int64, shape (n_rounds, n_tokens)
        Class of each token; names of classes are not the same from round to round unless classes are gone on with.
    heads : ndarray of int64, shape (n_rounds, n_tokens)
        Position of the head in the sentence, from 1; 0 is the root.
    rounds : DataFrame
        ``round`` (from 0), ``classes`` (not empty), ``log_probability`` (of the mixture's last sweep, in nats; with
        dependency features from round 1 on, so not to be compared with that of round 0), ``log_likelihood`` (of the
        tags under the dependency model before its last update), ``trained`` (sentences), ``smoothed`` (those for
        which no tree was possible), ``moved`` (share of words with another head than in the round before; missing in
        round 0) and ``seconds``.
    """

    labels: np.ndarray
    heads: np.ndarray
    rounds: pd.DataFrame


def cgs_loop(
    tokens: pd.DataFrame,
    n_clusters: int,
    *,
    rounds: int = 3,
    sweeps: int = 100,
    iterations: int = 30,
    max_length: int | None = 10,
    kinds: Sequence[str] = KINDS,
    values: Literal["classes", "words"] = "classes",
    n_words: int = 100,
    start: Literal["anew", "continue"] = "anew",
    mixture: Mapping[str, Any] | None = None,
    parser: Mapping[str, Any] | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> Loop:
    """Classes, trees on the classes, classes from features of the trees, and so on.

    Round 0 is the mixture without dependency features and the dependency model trained on its classes. Punctuation
    marks, words whose every character is punctuation, have classes but no part in trees: they hang under the word
    before.

    Parameters
    ----------
    tokens : DataFrame
        Columns ``sentence`` and ``form``; nothing else is looked at.
    n_clusters : int
        Number of classes.
    rounds : int
        Rounds in all, round 0 included; the number of the authors is not in the papers at hand (?).
    sweeps : int
        Of the mixture in each round.
    iterations, max_length : int
        Of the dependency model: iterations of expectation maximisation, and the longest sentence trained on; None
        trains on all. All sentences get trees.
    kinds : sequence of {"head", "dependent"}
        Features of the trees that are used.
    values : {"classes", "words"}
        Whether heads and dependents count by their class of the round before or as words.
    n_words : int
        The most frequent words that count for themselves if they count as words; the rest are one value.
    start : {"anew", "continue"}
        Whether the mixture of a later round starts at random, or from the classes of the round before, which a chain
        without annealing hardly leaves.
    mixture, parser : mapping, optional
        Further parameters of `MultinomialMixture` and of `DMV`.
    random_state : int, Generator or None
        Round 0 is the mixture with this seed; later rounds go on with the random numbers.

    Returns
    -------
    Loop

    Raises
    ------
    ValueError
        If an argument is not as described.

    References
    ----------
    Christodoulopoulos, Goldwater & Steedman (2012), "Turning the pipeline into a loop: iterated unsupervised dependency
    parsing and PoS induction"; Gelling et al. (2012), section 4 and Tables 4 and 9.

    Examples
    --------
    >>> text = "the dog ran the cat ran a dog sat a cat sat".split()
    >>> tokens = pd.DataFrame({"sentence": np.repeat(range(4), 3), "form": text})
    >>> loop = cgs_loop(tokens, 3, rounds=2, sweeps=20, iterations=5)
    >>> loop.labels.shape, loop.heads.shape, loop.rounds["round"].tolist()
    ((2, 12), (2, 12), [0, 1])
    """
    _check(rounds, kinds, values, n_words, start)
    text = tokens[["sentence", "form"]].reset_index(drop=True)
    generator = np.random.default_rng(random_state)
    words = ~find_punctuation(text, "form").mask
    extra: pd.DataFrame | None = None
    classes: Any = "random"
    labels: list[np.ndarray] = []
    heads: list[np.ndarray] = []
    rows: list[dict[str, Any]] = []
    for number in range(rounds):
        started = perf_counter()
        settings = {"progress": False, "initialisation": classes, "random_state": generator, **(mixture or {})}
        fitted = MultinomialMixture(n_clusters, sweeps, **settings).fit(text, extra=extra)
        tagged = text.assign(cluster=pd.Categorical(fitted.labels_))
        chosen = {"iterations": iterations, "max_length": max_length, "punctuation_rule": "form", **(parser or {})}
        model = DMV(tags="cluster", **chosen).fit(tagged)
        parses = model.parse(tagged)
        moved = float((parses.heads != heads[-1])[words].mean()) if heads else None
        labels.append(fitted.labels_)
        heads.append(parses.heads)
        extra = dependency_features(text, heads[-1], labels[-1], kinds=kinds, values=values, n_words=n_words)
        if start == "continue":
            classes = dict(zip(fitted.clusters_["form"], fitted.clusters_["cluster"], strict=True))
        rows.append(
            {
                "round": number,
                "classes": int(fitted.clusters_["cluster"].nunique()),
                "log_probability": float(fitted.log_probability_[-1]) if fitted.sweeps_done_ else None,
                "log_likelihood": float(model.log_likelihoods_[-1]) if model.n_iter_ else None,
                "trained": int(model.n_sentences_),
                "smoothed": int(parses.sentences["smoothed"].sum()),
                "moved": moved,
                "seconds": perf_counter() - started,
            }
        )
    return Loop(np.array(labels), np.array(heads), pd.DataFrame(rows))


def dependency_features(
    tokens: pd.DataFrame,
    heads: Any,
    labels: Any = None,
    *,
    kinds: Sequence[str] = KINDS,
    values: Literal["classes", "words"] = "classes",
    n_words: int = 100,
) -> pd.DataFrame:
    """How often each type has heads, and dependents, of each class, as the mixture takes them.

    Punctuation marks are left out: they are no types, no heads and no dependents here.

    Parameters
    ----------
    tokens : DataFrame
        Columns ``sentence`` and ``form``.
    heads : array-like of shape (n_tokens,)
        Positions in the sentence, from 1; 0 is the root.
    labels : array-like of shape (n_tokens,), optional
        Class of each token, if values are classes.
    kinds, values, n_words
        As in `cgs_loop`.

    Returns
    -------
    DataFrame
        ``kind``, ``form``, ``value`` (a class, a word, ``(other)`` or, of a head, ``(root)``) and ``count``.

    Raises
    ------
    ValueError
        If an argument is not as described, or a head is not in its sentence.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 0], "form": ["the", "dog", "ran"]})
    >>> dependency_features(tokens, [2, 3, 0], ["D", "N", "V"]).to_numpy().tolist()  # doctest: +NORMALIZE_WHITESPACE
    [['head', 'the', 'N', 1], ['head', 'dog', 'V', 1], ['head', 'ran', '(root)', 1],
     ['dependent', 'dog', 'D', 1], ['dependent', 'ran', 'N', 1]]
    """
    _check(1, kinds, values, n_words, "anew")
    positions = np.asarray(heads, dtype=np.int64)
    starts = find_sentences(tokens).starts
    lengths = np.diff(starts)
    first = np.repeat(starts[:-1], lengths)
    if len(positions) != len(tokens):
        raise ValueError(f"heads has {len(positions):,} values for {len(tokens):,} tokens.")
    if ((positions < 0) | (positions > np.repeat(lengths, lengths))).any():
        raise ValueError("a head is not in its sentence: give positions from 1, and 0 for the root.")
    codes, forms = encode_labels(tokens["form"], "form")
    of_token, names = _values(codes, forms, labels, values, n_words)
    words = ~find_punctuation(tokens, "form").mask
    head = np.where(positions > 0, first + positions - 1, -1)
    parts = []
    for kind in kinds:
        kept = words & (words[head] | ((head < 0) & (kind == "head")))
        if kind == "head":
            types, found = codes[kept], np.where(head[kept] < 0, len(names), of_token[head[kept]])
        else:
            kept &= head >= 0
            types, found = codes[head[kept]], of_token[kept]
        pairs, counts = np.unique(types * (len(names) + 1) + found, return_counts=True)
        value = np.array([*names, ROOT], dtype=object)[pairs % (len(names) + 1)]
        form = np.asarray(forms, dtype=object)[pairs // (len(names) + 1)]
        parts.append(pd.DataFrame({"kind": kind, "form": form, "value": value, "count": counts}))
    return pd.concat(parts, ignore_index=True)


def loop_scores(loop: Loop, gold: pd.DataFrame, *, level: str = "fine", max_length: int | None = None) -> pd.DataFrame:
    """Scores of each round's classes and trees.

    Parameters
    ----------
    loop : Loop
    gold : DataFrame
        The tokens that the loop was run on, with ``head`` and the column `level`; where there is a column ``scored``
        of booleans, trees of those sentences alone are scored, as the challenge does.
    level : str
        Gold classes; all tokens are scored, punctuation included.
    max_length : int, optional
        Score trees of sentences of at most so many tokens, punctuation counted.

    Returns
    -------
    DataFrame
        ``round``, ``many-to-one``, ``V-measure``, ``directed``, ``undirected``, ``NED``: shares between 0 and 1.
    """
    scored = gold["scored"].to_numpy(dtype=bool) if "scored" in gold.columns else np.ones(len(gold), dtype=bool)
    test = gold[scored].reset_index(drop=True)
    rows = []
    for number, (labels, heads) in enumerate(zip(loop.labels, loop.heads, strict=True)):
        trees = attachment_scores(test, heads[scored], max_length=max_length)
        rows.append(
            {
                "round": number,
                "many-to-one": float(many_to_one(gold[level], labels)),
                "V-measure": float(v_measure(gold[level], labels)),
                "directed": float(trees.directed),
                "undirected": float(trees.undirected),
                "NED": float(trees.ned),
            }
        )
    return pd.DataFrame(rows)


def _values(
    codes: np.ndarray, forms: pd.Index, labels: Any, values: str, n_words: int
) -> tuple[np.ndarray, list[str]]:  # fmt: skip
    """Number of the value of each token, and the names of the values."""
    if values == "classes":
        if labels is None:
            raise ValueError("values are classes, but labels were not given.")
        if len(labels) != len(codes):
            raise ValueError(f"labels has {len(labels):,} values for {len(codes):,} tokens.")
        found, classes = encode_labels(labels)
        return found, [str(name) for name in classes]
    order = np.argsort(-np.bincount(codes), kind="stable")
    rank = np.argsort(order)
    return np.minimum(rank[codes], n_words), [*(str(forms[code]) for code in order[:n_words]), OTHER]


def _check(rounds: int, kinds: Sequence[str], values: str, n_words: int, start: str) -> None:
    if rounds < 1:
        raise ValueError(f"rounds is {rounds}; there must be at least 1.")
    if isinstance(kinds, str) or not kinds or len(set(kinds)) < len(kinds) or not set(kinds) <= set(KINDS):
        raise ValueError(f"kinds is {kinds!r}; give one or both of {', '.join(KINDS)}.")
    if values not in ("classes", "words"):
        raise ValueError(f"values is {values!r}; it must be 'classes' or 'words'.")
    if n_words < 1:
        raise ValueError(f"n_words is {n_words}; it must be at least 1.")
    if start not in ("anew", "continue"):
        raise ValueError(f"start is {start!r}; it must be 'anew' or 'continue'.")
