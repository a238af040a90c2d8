"""The models of word classes by the names that the command line calls them."""

from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple

import pandas as pd

from analysis.categories import models
from analysis.categories.models.base import cluster_series
from analysis.experiments.saved_models import load_model
from analysis.structures import DataError, Incident, check_choice
from analysis.structures.model import Model


class NamedModel(NamedTuple):
    """A model of word classes under a short name.

    Attributes
    ----------
    model : str
        Its name in `analysis.categories.models`.
    classes : str
        Its parameter for the number of classes; empty if it has none.
    about : str
        What it is, in a few words.
    """

    model: str
    classes: str
    about: str


#: By the name that a reader gives.
MODELS: Mapping[str, NamedModel] = {
    "brown": NamedModel("BrownClustering", "n_clusters", "Brown clustering, with a tree"),
    "exchange": NamedModel("ExchangeClustering", "n_clusters", "exchange clustering, as mkcls"),
    "clark": NamedModel("ClarkClustering", "n_clusters", "Clark (2003): distribution and spelling"),
    "chrupala": NamedModel("ChrupalaClustering", "n_clusters", "Chrupała (2012): topics of contexts, with a tree"),
    "mixture": NamedModel("MultinomialMixture", "n_clusters", "Bayesian mixture over features of word types"),
    "hierarchical": NamedModel("HierarchicalClustering", "n_clusters", "contexts of frequent words, with a tree"),
    "pmi-kmeans": NamedModel("PmiKMeans", "n_clusters", "positive PMI, truncated SVD and k-means"),
    "pmi-agglomerative": NamedModel("PmiAgglomerative", "n_clusters", "the same with agglomerative clustering"),
    "prototypes": NamedModel("PrototypeClustering", "n_clusters", "prototypes, in the spirit of Abend et al. (2010)"),
    "frames": NamedModel("FrequentFrames", "n_clusters", "frequent frames"),
    "bhmm": NamedModel("BayesianHMM", "n_clusters", "Bayesian HMM, by Gibbs sampling"),
    "vhmm": NamedModel("VariationalHMM", "n_clusters", "Bayesian HMM, by variational Bayes"),
    "pyhmm": NamedModel("PitmanYorHMM", "n_clusters", "Pitman-Yor HMM, one tag per word type"),
    "prhmm": NamedModel("PosteriorRegularisedHMM", "n_clusters", "HMM with posterior regularisation and features"),
    "ihmm": NamedModel("InfiniteHMM", "initial_clusters", "infinite HMM, which finds the number of classes"),
    "random": NamedModel("RandomCategories", "", "random classes with the sizes of the gold ones in the text"),
}


def new_model(name: str, *, n_clusters: int | None = None, **parameters: Any) -> Model:
    """A model of word classes, not fitted yet.

    Parameters
    ----------
    name : str
        One of `MODELS`.
    n_clusters : int, optional
        Number of classes (of the infinite HMM: with which it begins); by default the model's own.
    **parameters
        Of the model. ``progress`` and ``random_state`` are dropped where the model has none; other names it must have.

    Raises
    ------
    ValueError
        If there is no such model or parameter, or the model has no number of classes.

    Examples
    --------
    >>> new_model("frames", n_clusters=8, progress=False, threshold=0.002)
    FrequentFrames(n_clusters=8, threshold=0.002, minimum=None, random_state=0)
    """
    check_choice("model", name, tuple(MODELS))
    of = MODELS[name]
    model: Model = getattr(models, of.model)()
    known = model.get_params()
    usual = ("progress", "random_state")
    chosen = {key: value for key, value in parameters.items() if key in known or key not in usual}
    if n_clusters is not None:
        if not of.classes:
            raise ValueError(f"{name} has as many classes as the gold standard: leave the number out.")
        chosen[of.classes] = n_clusters
    return model.set_params(**chosen)


def training_clusters(model: Any, tokens: pd.DataFrame) -> pd.Series:
    """Clusters of the text that a model was fitted on: those it got in training, if it labels tokens.

    Parameters
    ----------
    model : Model
        Fitted on ``tokens``.
    tokens : DataFrame

    Returns
    -------
    Series of Int32
        With the index of ``tokens``; missing where a token has no cluster.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["the", "dog", "the", "cat"]})
    >>> model = new_model("bhmm", n_clusters=2, sweeps=3, progress=False).fit(tokens)
    >>> training_clusters(model, tokens).tolist() == model.labels_.tolist()
    True
    """
    labels = getattr(model, "labels_", None)
    return model.predict(tokens) if labels is None else cluster_series(labels, tokens.index)


def load_word_classes(file: str | PathLike) -> Any:
    """A saved model of word classes.

    Raises
    ------
    DataError
        If the file holds none; see `analysis.experiments.saved_models.load_model`.
    """
    model: Model = load_model(file)
    if type(model).__name__ not in {of.model for of in MODELS.values()}:
        found = f"it holds a {type(model).__name__}, which is not a model of word classes"
        raise DataError(Incident(str(file), 0, "another model", found))
    return model
