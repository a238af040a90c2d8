"""Models of word classes; each is imported on demand.

All follow the conventions of scikit-learn: parameters in the constructor, ``fit(tokens)``, ``predict(tokens)``.
``predict`` returns one cluster per token, as integers from 0, missing if the model leaves a token unclustered.
"""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.categories.models.bayesian_hmm import BayesianHMM
    from analysis.categories.models.brown_clustering import BrownClustering
    from analysis.categories.models.chrupala_clustering import ChrupalaClustering
    from analysis.categories.models.clark_clustering import ClarkClustering
    from analysis.categories.models.exchange_clustering import ExchangeClustering
    from analysis.categories.models.frequent_frames import FrequentFrames
    from analysis.categories.models.hierarchical_clustering import HierarchicalClustering
    from analysis.categories.models.infinite_hmm import InfiniteHMM
    from analysis.categories.models.joint_induction import class_tree_loop, dependency_features
    from analysis.categories.models.multinomial_mixture import MultinomialMixture
    from analysis.categories.models.pitman_yor_hmm import PitmanYorHMM
    from analysis.categories.models.pmi_clustering import PmiAgglomerative, PmiKMeans
    from analysis.categories.models.posterior_regularised_hmm import PosteriorRegularisedHMM
    from analysis.categories.models.prototype_clustering import PrototypeClustering
    from analysis.categories.models.random_categories import RandomCategories
    from analysis.categories.models.variational_hmm import VariationalHMM

_HOMES = {
    "BayesianHMM": "bayesian_hmm",
    "BrownClustering": "brown_clustering",
    "ChrupalaClustering": "chrupala_clustering",
    "ClarkClustering": "clark_clustering",
    "ExchangeClustering": "exchange_clustering",
    "FrequentFrames": "frequent_frames",
    "HierarchicalClustering": "hierarchical_clustering",
    "InfiniteHMM": "infinite_hmm",
    "MultinomialMixture": "multinomial_mixture",
    "PitmanYorHMM": "pitman_yor_hmm",
    "PmiAgglomerative": "pmi_clustering",
    "PmiKMeans": "pmi_clustering",
    "PosteriorRegularisedHMM": "posterior_regularised_hmm",
    "PrototypeClustering": "prototype_clustering",
    "RandomCategories": "random_categories",
    "VariationalHMM": "variational_hmm",
    "class_tree_loop": "joint_induction",
    "dependency_features": "joint_induction",
}

__all__ = [
    "BayesianHMM",
    "BrownClustering",
    "ChrupalaClustering",
    "ClarkClustering",
    "ExchangeClustering",
    "FrequentFrames",
    "HierarchicalClustering",
    "InfiniteHMM",
    "MultinomialMixture",
    "PitmanYorHMM",
    "PmiAgglomerative",
    "PmiKMeans",
    "PosteriorRegularisedHMM",
    "PrototypeClustering",
    "RandomCategories",
    "VariationalHMM",
    "class_tree_loop",
    "dependency_features",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
