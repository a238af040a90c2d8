"""Layer 3: word classes. Measures of induced clusterings of words, with and without a gold standard, and models."""

from typing import TYPE_CHECKING

from analysis.categories.cluster_sizes import cluster_sizes
from analysis.categories.contingency import contingency
from analysis.categories.type_table import type_table
from analysis.categories.word_counts import word_counts
from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.categories.alignment import AlignedLabels, align_labels
    from analysis.categories.assignment import one_to_one, one_to_one_mapping
    from analysis.categories.breakdowns import confusion, confusion_table, costliest_words, score_breakdowns
    from analysis.categories.by_sentence import ScoredTokens, scored_tokens
    from analysis.categories.by_type import ScoredTypes, scored_types
    from analysis.categories.chance_adjusted import (
        adjusted_mutual_information,
        adjusted_rand_index,
        cross_validated_many_to_one,
        tagging_accuracy,
    )
    from analysis.categories.cluster_sizes import ambiguity, coverage, memberships
    from analysis.categories.contingency import Contingency
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
    from analysis.categories.references import reference_scores
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
    from analysis.categories.type_table import TypeTable, lexicon
    from analysis.categories.unclustered import MERGED, fill_unclustered
    from analysis.categories.word_counts import (
        WordCounts,
        cluster_words,
        lexicon_statistics,
        score_word_clusters,
        scores_of_words_right,
        word_frequencies,
    )
    from analysis.categories.worked_cases import r_of_n, small_lexicons

_HOMES = {
    "LEFT_BOUNDARY": "substitutability",
    "MERGED": "unclustered",
    "QUICK_MEASURES": "quick",
    "RIGHT_BOUNDARY": "substitutability",
    "AlignedLabels": "alignment",
    "Contingency": "contingency",
    "Entropies": "information",
    "PreparedWords": "substitutability",
    "ScoredTokens": "by_sentence",
    "ScoredTypes": "by_type",
    "TypeTable": "type_table",
    "WordCounts": "word_counts",
    "adjusted_mutual_information": "chance_adjusted",
    "adjusted_rand_index": "chance_adjusted",
    "align_labels": "alignment",
    "ambiguity": "cluster_sizes",
    "cluster_words": "word_counts",
    "conditional_entropy_of_classes": "information",
    "conditional_entropy_of_clusters": "information",
    "confusion": "breakdowns",
    "confusion_table": "breakdowns",
    "costliest_words": "breakdowns",
    "coverage": "cluster_sizes",
    "cross_validated_many_to_one": "chance_adjusted",
    "edge_weights": "type_measures",
    "entropies": "information",
    "fill_unclustered": "unclustered",
    "implied_entropies": "information",
    "lexicon": "type_table",
    "lexicon_statistics": "word_counts",
    "macro_i": "type_measures",
    "many_to_one": "token_measures",
    "memberships": "cluster_sizes",
    "micro_c": "type_measures",
    "micro_i": "type_measures",
    "normalised_variation_of_information": "information",
    "one_to_one": "assignment",
    "one_to_one_mapping": "assignment",
    "pairwise_precision_recall": "token_measures",
    "prepare_words": "substitutability",
    "quick_scores": "quick",
    "r_of_n": "worked_cases",
    "reference_scores": "references",
    "restart_spread": "type_measures",
    "restart_values": "type_measures",
    "score_breakdowns": "breakdowns",
    "score_type_mapping": "type_measures",
    "score_word_clusters": "word_counts",
    "scored_tokens": "by_sentence",
    "scored_types": "by_type",
    "scores_by_frequency": "frequency_bands",
    "scores_of_words_right": "word_counts",
    "small_lexicons": "worked_cases",
    "substitutable_precision_recall": "substitutability",
    "substitution_clusters": "substitutability",
    "tagging_accuracy": "chance_adjusted",
    "token_level_scores": "information",
    "type_level_scores": "type_measures",
    "type_mapping": "type_measures",
    "v_measure": "information",
    "variation_of_information": "information",
    "word_frequencies": "word_counts",
}

__all__ = [
    "LEFT_BOUNDARY",
    "MERGED",
    "QUICK_MEASURES",
    "RIGHT_BOUNDARY",
    "AlignedLabels",
    "Contingency",
    "Entropies",
    "PreparedWords",
    "ScoredTokens",
    "ScoredTypes",
    "TypeTable",
    "WordCounts",
    "adjusted_mutual_information",
    "adjusted_rand_index",
    "align_labels",
    "ambiguity",
    "cluster_sizes",
    "cluster_words",
    "conditional_entropy_of_classes",
    "conditional_entropy_of_clusters",
    "confusion",
    "confusion_table",
    "contingency",
    "costliest_words",
    "coverage",
    "cross_validated_many_to_one",
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
    "pairwise_precision_recall",
    "prepare_words",
    "quick_scores",
    "r_of_n",
    "reference_scores",
    "restart_spread",
    "restart_values",
    "score_breakdowns",
    "score_type_mapping",
    "score_word_clusters",
    "scored_tokens",
    "scored_types",
    "scores_by_frequency",
    "scores_of_words_right",
    "small_lexicons",
    "substitutable_precision_recall",
    "substitution_clusters",
    "tagging_accuracy",
    "token_level_scores",
    "type_level_scores",
    "type_mapping",
    "type_table",
    "v_measure",
    "variation_of_information",
    "word_counts",
    "word_frequencies",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
