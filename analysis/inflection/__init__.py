"""Layer 3: inflected forms. Models, training samples, measures and error types."""

from typing import TYPE_CHECKING

from analysis.inflection.accuracy import accuracy
from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.inflection.accuracy import (
        accuracy_table,
        aligned,
        learning_curve,
        seed_variability,
        seen_in_training,
        unmatched_items,
    )
    from analysis.inflection.breakdowns import costliest_answers, score_breakdowns
    from analysis.inflection.by_item import scored_items
    from analysis.inflection.errors import classify_errors, error_counts, error_types
    from analysis.inflection.forms import check_forms
    from analysis.inflection.models import CopyBaseline, InflectionModel, MajoritySuffix, NonNeural
    from analysis.inflection.references import reference_scores
    from analysis.inflection.sample_contents import inflection_kind, items_by_size, kinds_by_size, wug_test
    from analysis.inflection.sampling import Sample, as_given, inclusion_probabilities, one_item_a_lemma, sample

_HOMES = {
    "CopyBaseline": "models",
    "InflectionModel": "models",
    "MajoritySuffix": "models",
    "NonNeural": "models",
    "Sample": "sampling",
    "accuracy_table": "accuracy",
    "aligned": "accuracy",
    "as_given": "sampling",
    "check_forms": "forms",
    "classify_errors": "errors",
    "costliest_answers": "breakdowns",
    "error_counts": "errors",
    "error_types": "errors",
    "inclusion_probabilities": "sampling",
    "inflection_kind": "sample_contents",
    "items_by_size": "sample_contents",
    "kinds_by_size": "sample_contents",
    "learning_curve": "accuracy",
    "one_item_a_lemma": "sampling",
    "reference_scores": "references",
    "sample": "sampling",
    "score_breakdowns": "breakdowns",
    "scored_items": "by_item",
    "seed_variability": "accuracy",
    "seen_in_training": "accuracy",
    "unmatched_items": "accuracy",
    "wug_test": "sample_contents",
}

__all__ = [
    "CopyBaseline",
    "InflectionModel",
    "MajoritySuffix",
    "NonNeural",
    "Sample",
    "accuracy",
    "accuracy_table",
    "aligned",
    "as_given",
    "check_forms",
    "classify_errors",
    "costliest_answers",
    "error_counts",
    "error_types",
    "inclusion_probabilities",
    "inflection_kind",
    "items_by_size",
    "kinds_by_size",
    "learning_curve",
    "one_item_a_lemma",
    "reference_scores",
    "sample",
    "score_breakdowns",
    "scored_items",
    "seed_variability",
    "seen_in_training",
    "unmatched_items",
    "wug_test",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
