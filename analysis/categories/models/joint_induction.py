"""Iterated induction of word classes and trees, after Christodoulopoulos, Goldwater & Steedman (2012).

Word types are classified by a Bayesian multinomial mixture, trees are induced on the classes by any model, and the
trees give the next mixture two more kinds of features. Details that the papers do not state are arguments.
"""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_lengths
from analysis.categories.models.multinomial_mixture import MultinomialMixture
from analysis.structures import check_at_least, check_choice, check_tokens, encode_labels

KINDS = ("head", "dependent")
ROOT, OTHER = "(root)", "(other)"

#: Takes tokens with ``sentence``, ``form`` and ``cluster``; returns the head of each (position in the sentence from 1,
#: 0 is the root) and reports on its training, by name.
TreeInducer = Callable[[pd.DataFrame], tuple[Any, Mapping[str, Any]]]


class Loop(NamedTuple):
    """Classes and trees of every round.

    Attributes
    ----------
    labels : ndarray of int64, shape (n_rounds, n_tokens)
        Class of each token; numbers of different rounds are unrelated unless ``start="continue"``.
    heads : ndarray of int64, shape (n_rounds, n_tokens)
        Position of the head in the sentence, from 1; 0 is the root.
    rounds : DataFrame
        ``round`` (from 0), ``classes`` (not empty), ``log_probability`` (of the mixture's last sweep, in nats; with
        dependency features from round 1 on, so not comparable with round 0), ``moved`` (proportion of words whose head
        changed since the previous round; missing in round 0), ``seconds``, and the reports of the inducer.
    """

    labels: np.ndarray
    heads: np.ndarray
    rounds: pd.DataFrame


def class_tree_loop(
    tokens: pd.DataFrame,
    mixture: MultinomialMixture,
    induce_trees: TreeInducer,
    *,
    rounds: int = 3,
    words: Any = None,
    start: Literal["new", "continue"] = "new",
    kinds: Sequence[str] = KINDS,
    values: Literal["classes", "words"] = "classes",
    n_words: int = 100,
) -> Loop:
    """Alternate between inducing classes, trees on the classes, classes with features of the trees, and so on.

    Round 0 is the mixture without dependency features, and the trees on its classes.

    Parameters
    ----------
    tokens : DataFrame
        Columns ``sentence`` and ``form``; other columns are ignored.
    mixture : MultinomialMixture
        Its parameters are used in every round; it is not changed. Round 0 uses its seed, later rounds continue the
        random stream.
    induce_trees : callable
        See `TreeInducer`; called once per round.
    rounds : int
        Total number of rounds, including round 0; not stated in the papers.
    words : array-like of bool, shape (n_tokens,), optional
        Tokens whose trees give features, for example all except punctuation; by default all. All tokens have classes.
    start : {"new", "continue"}
        Whether the mixture of a later round starts as in round 0, or from the classes of the previous round, which
        hardly change without annealing.
    kinds, values, n_words
        See `dependency_features`.

    Returns
    -------
    Loop

    Raises
    ------
    ValueError
        If an argument is invalid, or a head is not in its sentence.

    References
    ----------
    Christodoulopoulos, Goldwater & Steedman (2012), "Turning the pipeline into a loop: iterated unsupervised dependency
    parsing and PoS induction"; Gelling et al. (2012), section 4 and Tables 4 and 9.

    Examples
    --------
    >>> text = "the dog ran the cat ran a dog sat a cat sat".split()
    >>> tokens = pd.DataFrame({"sentence": np.repeat(range(4), 3), "form": text})
    >>> mixture = MultinomialMixture(n_clusters=3, sweeps=20, progress=False)
    >>> loop = class_tree_loop(tokens, mixture, lambda tagged: ([2, 3, 0] * 4, {"name": "right-headed"}), rounds=2)
    >>> loop.labels.shape, loop.heads.shape, loop.rounds["moved"].tolist(), loop.rounds["name"].unique().tolist()
    ((2, 12), (2, 12), [nan, 0.0], ['right-headed'])
    """
    check_at_least(1, rounds=rounds)
    check_choice("start", start, ("new", "continue"))
    _check(kinds, values, n_words)
    text = tokens[["sentence", "form"]].reset_index(drop=True)
    kept = _mask(words, len(text))
    chosen = mixture.get_params() | {"random_state": np.random.default_rng(mixture.random_state)}
    extra: pd.DataFrame | None = None
    labels: list[np.ndarray] = []
    heads: list[np.ndarray] = []
    rows: list[dict[str, Any]] = []
    for number in range(rounds):
        started = perf_counter()
        fitted = MultinomialMixture(**chosen).fit(text, extra=extra)
        found, report = induce_trees(text.assign(cluster=pd.Categorical(fitted.labels_)))
        labels.append(fitted.labels_)
        heads.append(np.asarray(found, dtype=np.int64))
        extra = dependency_features(
            text, heads[-1], labels[-1], words=kept, kinds=kinds, values=values, n_words=n_words
        )  # fmt: skip
        if start == "continue":
            chosen["initialisation"] = dict(zip(fitted.clusters_["form"], fitted.clusters_["cluster"], strict=True))
        rows.append(
            {
                "round": number,
                "classes": int(fitted.clusters_["cluster"].nunique()),
                "log_probability": float(fitted.log_probability_[-1]) if fitted.sweeps_done_ else None,
                "moved": float((heads[-1] != heads[-2])[kept].mean()) if number else None,
                "seconds": perf_counter() - started,
                **report,
            }
        )
    return Loop(np.array(labels), np.array(heads), pd.DataFrame(rows))


def dependency_features(
    tokens: pd.DataFrame,
    heads: Any,
    labels: Any = None,
    *,
    words: Any = None,
    kinds: Sequence[str] = KINDS,
    values: Literal["classes", "words"] = "classes",
    n_words: int = 100,
) -> pd.DataFrame:
    """Count heads and dependents of each class for each word type, for `MultinomialMixture.fit`.

    Parameters
    ----------
    tokens : DataFrame
        Columns ``sentence`` and ``form``.
    heads : array-like of shape (n_tokens,)
        Positions in the sentence, from 1; 0 is the root.
    labels : array-like of shape (n_tokens,), optional
        Class of each token, if values are classes.
    words : array-like of bool, shape (n_tokens,), optional
        Other tokens are ignored as types, heads and dependents; by default all are words.
    kinds : sequence of {"head", "dependent"}
        Features of the trees to use.
    values : {"classes", "words"}
        Whether heads and dependents are represented by class or as words.
    n_words : int
        With words: number of the most frequent words with separate values; all others share one value.

    Returns
    -------
    DataFrame
        ``kind``, ``form``, ``value`` (a class, a word, ``(other)`` or, of a head, ``(root)``) and ``count``.

    Raises
    ------
    ValueError
        If an argument is invalid, or a head is not in its sentence.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 0], "form": ["the", "dog", "ran"]})
    >>> dependency_features(tokens, [2, 3, 0], ["D", "N", "V"]).to_numpy().tolist()  # doctest: +NORMALIZE_WHITESPACE
    [['head', 'the', 'N', 1], ['head', 'dog', 'V', 1], ['head', 'ran', '(root)', 1],
     ['dependent', 'dog', 'D', 1], ['dependent', 'ran', 'N', 1]]
    """
    _check(kinds, values, n_words)
    check_tokens(tokens)
    for name, given in (("heads", heads), ("labels", labels)):
        if given is not None and len(given) != len(tokens):
            raise ValueError(f"{name} has {len(given):,} values for {len(tokens):,} tokens.")
    positions, counted = np.asarray(heads, dtype=np.int64), _mask(words, len(tokens))
    lengths = sentence_lengths(tokens)
    if ((positions < 0) | (positions > np.repeat(lengths, lengths))).any():
        raise ValueError("a head is not in its sentence: give positions from 1, and 0 for the root.")
    codes, forms = encode_labels(tokens["form"], "form")
    of_token, names = _values(codes, forms, labels, values, n_words)
    root, head = positions == 0, np.repeat(np.cumsum(lengths) - lengths, lengths) + positions - 1
    attached = counted & ~root & counted[head]
    sides = {
        "head": (attached | (counted & root), codes, np.where(root, len(names), of_token[head])),
        "dependent": (attached, codes[head], of_token),
    }
    value_names, type_names = np.array([*names, ROOT], dtype=object), np.asarray(forms, dtype=object)
    parts = []
    for kind in kinds:
        kept, types, found = sides[kind]
        pairs, counts = np.unique(types[kept] * len(value_names) + found[kept], return_counts=True)
        form, value = type_names[pairs // len(value_names)], value_names[pairs % len(value_names)]
        parts.append(pd.DataFrame({"kind": kind, "form": form, "value": value, "count": counts}))
    return pd.concat(parts, ignore_index=True)


def _values(
    codes: np.ndarray, forms: pd.Index, labels: Any, values: str, n_words: int
) -> tuple[np.ndarray, list[str]]:  # fmt: skip
    """Return the code of the value of each token, and the names of the values."""
    if values == "classes":
        if labels is None:
            raise ValueError("values are classes, but labels were not given.")
        found, classes = encode_labels(labels)
        return found, [str(name) for name in classes]
    order = np.argsort(-np.bincount(codes), kind="stable")
    rank = np.argsort(order)
    return np.minimum(rank[codes], n_words), [*(str(forms[code]) for code in order[:n_words]), OTHER]


def _mask(words: Any, n_tokens: int) -> np.ndarray:
    mask = np.ones(n_tokens, dtype=bool) if words is None else np.asarray(words)
    if mask.dtype != bool or mask.shape != (n_tokens,):
        raise ValueError(f"words must hold True or False for each of {n_tokens:,} tokens.")
    return mask


def _check(kinds: Sequence[str], values: str, n_words: int) -> None:
    if isinstance(kinds, str) or not kinds or len(set(kinds)) < len(kinds) or not set(kinds) <= set(KINDS):
        raise ValueError(f"kinds is {kinds!r}; give one or both of {', '.join(KINDS)}.")
    check_choice("values", values, ("classes", "words"))
    check_at_least(1, n_words=n_words)
