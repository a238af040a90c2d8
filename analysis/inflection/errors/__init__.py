"""Error types of wrong predictions: English past tense, German and Arabic noun plurals (Kodner et al. 2023)."""

from analysis.inflection.errors import arabic, english, german
from analysis.inflection.errors.classify import CORRECT, LANGUAGES, classify_errors, error_counts, error_types

__all__ = [
    "CORRECT",
    "LANGUAGES",
    "arabic",
    "classify_errors",
    "english",
    "error_counts",
    "error_types",
    "german",
]
