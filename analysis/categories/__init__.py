"""Floor 3: word classes. How well an induced clustering of words fits a gold standard, or the text itself."""

from analysis.categories.cluster_sizes import ambiguity, cluster_sizes, coverage, memberships
from analysis.categories.contingency import Contingency, contingency
from analysis.categories.substitutability import (
    LEFT_BOUNDARY,
    RIGHT_BOUNDARY,
    PreparedWords,
    prepare_words,
    substitutable_precision_recall,
    substitution_clusters,
)
from analysis.categories.token_measures import many_to_one, pairwise_precision_recall
from analysis.categories.unclustered import MERGED, fill_unclustered

__all__ = [
    "LEFT_BOUNDARY",
    "MERGED",
    "RIGHT_BOUNDARY",
    "Contingency",
    "PreparedWords",
    "ambiguity",
    "cluster_sizes",
    "contingency",
    "coverage",
    "fill_unclustered",
    "many_to_one",
    "memberships",
    "pairwise_precision_recall",
    "prepare_words",
    "substitutable_precision_recall",
    "substitution_clusters",
]
