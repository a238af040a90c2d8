"""Layer 5: the interactive explorers, one per question. They call the same functions as the tables."""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.explore.base import Explorer
    from analysis.explore.categories import cluster_contents, frames, substitution_clusters_by_hand, word_classes
    from analysis.explore.dependencies import accuracy_breakdown, arcs_by_hand, conventions_and_ranks, dmv_iterations
    from analysis.explore.derivations import derivations_by_hand, two_derivations
    from analysis.explore.induction import dmv_variants
    from analysis.explore.inflection import (
        inflection_curves,
        inflection_errors,
        inflection_regressions,
        training_samples,
        wug_test,
    )
    from analysis.explore.lexicon import (
        checkbox_lexicon,
        clusters_against_measures,
        each_in_r_of_n,
        restarts_of_hill_climbing,
        token_against_type,
    )
    from analysis.explore.menu import CorpusMenu, choose_corpus, corpora_for
    from analysis.explore.nursery import utterance, utterances
    from analysis.explore.own import score_upload
    from analysis.explore.robustness import specification_choices
    from analysis.explore.samplers import clusters_over_sweeps
    from analysis.explore.tagging import induced_classes, printed_rankings

_HOMES = {
    "CorpusMenu": "menu",
    "Explorer": "base",
    "accuracy_breakdown": "dependencies",
    "arcs_by_hand": "dependencies",
    "checkbox_lexicon": "lexicon",
    "choose_corpus": "menu",
    "cluster_contents": "categories",
    "clusters_against_measures": "lexicon",
    "clusters_over_sweeps": "samplers",
    "conventions_and_ranks": "dependencies",
    "corpora_for": "menu",
    "derivations_by_hand": "derivations",
    "dmv_iterations": "dependencies",
    "dmv_variants": "induction",
    "each_in_r_of_n": "lexicon",
    "frames": "categories",
    "induced_classes": "tagging",
    "inflection_curves": "inflection",
    "inflection_errors": "inflection",
    "inflection_regressions": "inflection",
    "printed_rankings": "tagging",
    "restarts_of_hill_climbing": "lexicon",
    "score_upload": "own",
    "specification_choices": "robustness",
    "substitution_clusters_by_hand": "categories",
    "token_against_type": "lexicon",
    "training_samples": "inflection",
    "two_derivations": "derivations",
    "utterance": "nursery",
    "utterances": "nursery",
    "word_classes": "categories",
    "wug_test": "inflection",
}

__all__ = [
    "CorpusMenu",
    "Explorer",
    "accuracy_breakdown",
    "arcs_by_hand",
    "checkbox_lexicon",
    "choose_corpus",
    "cluster_contents",
    "clusters_against_measures",
    "clusters_over_sweeps",
    "conventions_and_ranks",
    "corpora_for",
    "derivations_by_hand",
    "dmv_iterations",
    "dmv_variants",
    "each_in_r_of_n",
    "frames",
    "induced_classes",
    "inflection_curves",
    "inflection_errors",
    "inflection_regressions",
    "printed_rankings",
    "restarts_of_hill_climbing",
    "score_upload",
    "specification_choices",
    "substitution_clusters_by_hand",
    "token_against_type",
    "training_samples",
    "two_derivations",
    "utterance",
    "utterances",
    "word_classes",
    "wug_test",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
