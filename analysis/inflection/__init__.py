"""Layer 3: inflected forms — models that learn them, samples to learn from, measures and error types."""

from analysis.inflection.accuracy import (
    accuracy,
    accuracy_table,
    aligned,
    learning_curve,
    seed_variability,
    seen_in_training,
    unmatched_items,
)
from analysis.inflection.errors import classify_errors, error_counts, error_types
from analysis.inflection.forms import check_forms
from analysis.inflection.models import CopyBaseline, InflectionModel, MajoritySuffix, NonNeural
from analysis.inflection.sample_contents import inflection_kind, items_by_size, kinds_by_size, wug_test
from analysis.inflection.sampling import Sample, as_given, inclusion_probabilities, one_item_a_lemma, sample

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
    "error_counts",
    "error_types",
    "inclusion_probabilities",
    "inflection_kind",
    "items_by_size",
    "kinds_by_size",
    "learning_curve",
    "one_item_a_lemma",
    "sample",
    "seed_variability",
    "seen_in_training",
    "unmatched_items",
    "wug_test",
]
