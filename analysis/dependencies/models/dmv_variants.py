"""Regularised variants of DMV: how ambiguous their trees stay, and whether less ambiguity is more accuracy."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.attachment import attachment_scores
from analysis.dependencies.models.dmv import DMV

#: After Tu (2012), by the parameters that they change.
DMV_VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "EM": {},
    "sparse prior": {"prior": 0.25},
    "annealed": {"unambiguity": "annealed"},
    "Viterbi EM": {"unambiguity": 1.0},
}


def parse_ambiguity(posteriors: Any) -> float:
    """Entropy of the head of a word, on average over the words of a sentence, in bits.

    Parameters
    ----------
    posteriors : array-like of float64, shape (n + 1, n)
        Probability of each head (row 0 is the root) of each word, as `DMV.posteriors` returns them.

    Returns
    -------
    float
        Bits.

    References
    ----------
    Tu & Honavar (2012), "Unambiguity regularization for unsupervised learning of probabilistic grammars".

    Examples
    --------
    >>> parse_ambiguity([[0.5, 0.5], [0.0, 0.5], [0.5, 0.0]])
    1.0
    """
    found = np.asarray(posteriors, dtype=np.float64)
    logs = np.log2(found, out=np.zeros_like(found), where=found > 0)
    return abs(float((found * logs).sum(axis=0).mean()))


def training_trace(model: DMV, tokens: pd.DataFrame, *, sentences: int | None = None) -> pd.DataFrame:
    """Ambiguity and accuracy of a model after each iteration of its training.

    Parameters
    ----------
    model : DMV
        Fitted with ``keep_history=True``.
    tokens : DataFrame
        Gold tokens with the model's tags and ``head``; every one is scored.
    sentences : int, optional
        Ambiguity is the mean of so many sentences, the first; by default of all.

    Returns
    -------
    DataFrame
        ``iteration`` (0 is the initialiser), ``log_likelihood`` (nats; of variational weights, which add up to less
        than 1, lower than of a model), ``ambiguity`` (bits a word, see `parse_ambiguity`), ``directed``,
        ``undirected``, ``NED`` (proportions), ``n`` (tokens scored).

    Raises
    ------
    ValueError
        If the model is not fitted, or its parameters were not kept.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1], "form": ["ducks", "swim", "look"], "fine": ["N", "V", "V"],
    ...                        "head": [2, 0, 0]})
    >>> trace = training_trace(DMV(iterations=2, keep_history=True).fit(tokens), tokens)
    >>> trace[["iteration", "directed", "n"]].to_numpy().tolist()
    [[0.0, 1.0, 3.0], [1.0, 1.0, 3.0], [2.0, 1.0, 3.0]]
    """
    tags = [part.astype("str").tolist() for _, part in tokens.groupby("sentence", sort=False)[model.tags]][:sentences]
    rows = []
    for iteration in range(model.n_iter_ + 1):
        version = model.at_iteration(iteration)
        scores = attachment_scores(tokens, version.parse(tokens).heads)
        bits = float(np.mean([parse_ambiguity(version.posteriors(words)) for words in tags]))
        rows.append(
            {
                "iteration": iteration,
                "log_likelihood": version.score(tokens),
                "ambiguity": bits,
                **{score.measure: float(score) for score in scores.scores()},
                "n": scores.directed.denominator,
            }
        )
    return pd.DataFrame(rows)


def train_variant(tokens: pd.DataFrame, tags: str, iterations: int, **parameters: Any) -> DMV:
    """A variant of DMV on whole sentences without punctuation, every iteration kept.

    Parameters
    ----------
    tokens : DataFrame
    tags : str
        Column with the tags.
    iterations : int
        What is annealed is so over two thirds of them.
    **parameters
        Of `DMV`, such as an entry of `DMV_VARIANTS`.

    Returns
    -------
    DMV
        Fitted, with ``keep_history``.
    """
    model = DMV(tags=tags, iterations=iterations, max_length=None, keep_punctuation=True, keep_history=True,
                annealing=max(1, 2 * iterations // 3))  # fmt: skip
    return model.set_params(**parameters).fit(tokens)


def compare_variants(models: Mapping[str, DMV], tokens: pd.DataFrame, *, sentences: int | None = None) -> pd.DataFrame:
    """`training_trace` of each model, its name in the column ``system``.

    Parameters
    ----------
    models : mapping of str to DMV
        Fitted with ``keep_history=True``, by name.
    tokens, sentences
        As in `training_trace`.

    Returns
    -------
    DataFrame
        ``system``, and the columns of `training_trace`.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1], "form": ["ducks", "swim", "look"], "fine": ["N", "V", "V"],
    ...                        "head": [2, 0, 0]})
    >>> model = DMV(iterations=1, keep_history=True).fit(tokens)
    >>> compare_variants({"DMV": model}, tokens)[["system", "iteration"]].to_numpy().tolist()
    [['DMV', 0], ['DMV', 1]]
    """
    traces = {name: training_trace(model, tokens, sentences=sentences) for name, model in models.items()}
    return pd.concat(traces, names=["system"]).reset_index("system").reset_index(drop=True)
