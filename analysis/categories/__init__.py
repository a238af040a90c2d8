"""Layer 3: word classes. How well an induced clustering of words fits a gold standard, or the text itself."""

from analysis.categories.alignment import AlignedLabels, align_labels
from analysis.categories.assignment import one_to_one, one_to_one_mapping
from analysis.categories.bootstrap import bootstrap_intervals, paired_bootstrap
from analysis.categories.cluster_sizes import ambiguity, cluster_sizes, coverage, memberships
from analysis.categories.contingency import Contingency, contingency
from analysis.categories.frequency_bands import scores_by_frequency
from analysis.categories.information import (
    Entropies,
    conditional_entropy_of_classes,
    conditional_entropy_of_clusters,
    entropies,
    implied_entropies,
    normalised_variation_of_information,
    token_level_scores,
    v_measure,
    variation_of_information,
)
from analysis.categories.quick import QUICK_MEASURES, quick_scores
from analysis.categories.substitutability import (
    LEFT_BOUNDARY,
    RIGHT_BOUNDARY,
    PreparedWords,
    prepare_words,
    substitutable_precision_recall,
    substitution_clusters,
)
from analysis.categories.token_measures import many_to_one, pairwise_precision_recall
from analysis.categories.type_measures import (
    edge_weights,
    macro_i,
    micro_c,
    micro_i,
    restart_spread,
    restart_values,
    score_type_mapping,
    type_level_scores,
    type_mapping,
)
from analysis.categories.type_table import TypeTable, lexicon, type_table
from analysis.categories.unclustered import MERGED, fill_unclustered
from analysis.categories.word_counts import (
    WordCounts,
    cluster_words,
    lexicon_statistics,
    score_word_clusters,
    scores_of_words_right,
    word_counts,
    word_frequencies,
)
from analysis.categories.worked_cases import r_of_n, small_lexicons

__all__ = [
    "LEFT_BOUNDARY",
    "MERGED",
    "QUICK_MEASURES",
    "RIGHT_BOUNDARY",
    "AlignedLabels",
    "Contingency",
    "Entropies",
    "PreparedWords",
    "TypeTable",
    "WordCounts",
    "align_labels",
    "ambiguity",
    "bootstrap_intervals",
    "cluster_sizes",
    "cluster_words",
    "conditional_entropy_of_classes",
    "conditional_entropy_of_clusters",
    "contingency",
    "coverage",
    "edge_weights",
    "entropies",
    "fill_unclustered",
    "implied_entropies",
    "lexicon",
    "lexicon_statistics",
    "macro_i",
    "many_to_one",
    "memberships",
    "micro_c",
    "micro_i",
    "normalised_variation_of_information",
    "one_to_one",
    "one_to_one_mapping",
    "paired_bootstrap",
    "pairwise_precision_recall",
    "prepare_words",
    "quick_scores",
    "r_of_n",
    "restart_spread",
    "restart_values",
    "score_type_mapping",
    "score_word_clusters",
    "scores_by_frequency",
    "scores_of_words_right",
    "small_lexicons",
    "substitutable_precision_recall",
    "substitution_clusters",
    "token_level_scores",
    "type_level_scores",
    "type_mapping",
    "type_table",
    "v_measure",
    "variation_of_information",
    "word_counts",
    "word_frequencies",
]
