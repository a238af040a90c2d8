"""Floor 4: the widgets, one explorer a question. Each calls the functions that also make the tables."""

from typing import Any

_HOMES = {
    "Explorer": "base",
    "accuracy_breakdown": "dependencies",
    "arcs_by_hand": "dependencies",
    "checkbox_lexicon": "lexicon",
    "cluster_contents": "categories",
    "clusters_against_measures": "lexicon",
    "clusters_over_sweeps": "samplers",
    "conventions_and_ranks": "dependencies",
    "derivations_by_hand": "derivations",
    "dmv_iterations": "dependencies",
    "each_in_r_of_n": "lexicon",
    "frames": "categories",
    "induced_classes": "tagging",
    "inflection_curves": "inflection",
    "inflection_errors": "inflection",
    "inflection_regressions": "inflection",
    "kin_of_dmv": "induction",
    "printed_rankings": "tagging",
    "restarts_of_hill_climbing": "lexicon",
    "substitution_clusters_by_hand": "categories",
    "token_against_type": "lexicon",
    "training_samples": "inflection",
    "two_derivations": "derivations",
    "utterance": "nursery",
    "utterances": "nursery",
    "word_classes": "categories",
    "wug_test": "inflection",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"analysis.explore has no explorer {name!r}; it has {', '.join(__all__)}.")
    return getattr(import_module(f"analysis.explore.{_HOMES[name]}"), name)
