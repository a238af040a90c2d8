"""Regularised variants of DMV: ambiguity of their trees, and its relation to accuracy."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies.attachment import attachment_scores
from analysis.dependencies.models.dmv import DMV

#: Variants after Tu (2012): name and changed parameters.
DMV_VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "EM": {},
    "sparse prior": {"prior": 0.25},
    "annealed": {"unambiguity": "annealed"},
    "Viterbi EM": {"unambiguity": 1.0},
}


def parse_ambiguity(posteriors: Any) -> float:
    """Compute the mean entropy of the head of a word in a sentence, in bits.

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
    """Compute ambiguity and accuracy of a model after each training iteration.

    Parameters
    ----------
    model : DMV
        Fitted with ``keep_history=True``.
    tokens : DataFrame
        Gold tokens with the model's tags and ``head``; all are scored.
    sentences : int, optional
        Number of first sentences over which ambiguity is averaged; by default all.

    Returns
    -------
    DataFrame
        ``iteration`` (0 is the initialiser), ``log_likelihood`` (nats; lower with variational weights, which sum to
        less than 1), ``ambiguity`` (bits per word, see `parse_ambiguity`), ``directed``, ``undirected``, ``NED``
        (proportions), ``n`` (tokens scored).

    Raises
    ------
    ValueError
        If the model is not fitted, or its history was not kept.

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
    """Train a variant of DMV on whole sentences without punctuation, keeping every iteration.

    Parameters
    ----------
    tokens : DataFrame
    tags : str
        Column of the tags.
    iterations : int
        Annealing covers two thirds of them.
    **parameters
        Parameters of `DMV`, such as an entry of `DMV_VARIANTS`.

    Returns
    -------
    DMV
        Fitted model with ``keep_history``.
    """
    model = DMV(tags=tags, iterations=iterations, max_length=None, keep_punctuation=True, keep_history=True,
                annealing=max(1, 2 * iterations // 3))  # fmt: skip
    return model.set_params(**parameters).fit(tokens)


def compare_variants(models: Mapping[str, DMV], tokens: pd.DataFrame, *, sentences: int | None = None) -> pd.DataFrame:
    """Compute the `training_trace` of each model, with its name in the column ``system``.

    Parameters
    ----------
    models : mapping of str to DMV
        Fitted with ``keep_history=True``, by name.
    tokens, sentences
        See `training_trace`.

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
