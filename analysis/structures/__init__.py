"""Layer 0: data structures shared by the other packages. Nothing here reads a file, computes a measure or draws."""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.structures.checks import (
        check_at_least,
        check_between,
        check_choice,
        check_columns,
        check_positive,
        check_share,
    )
    from analysis.structures.incidents import DataError, Incident, incidents_table
    from analysis.structures.labels import Labels, encode_labels, encode_pair
    from analysis.structures.scores import PrecisionRecall, Score, UndefinedScoreError, scores_table
    from analysis.structures.tables import (
        RESULT_COLUMNS,
        check_memberships,
        check_tokens,
        first_difference,
        results_table,
    )

_HOMES = {
    "RESULT_COLUMNS": "tables",
    "DataError": "incidents",
    "Incident": "incidents",
    "Labels": "labels",
    "PrecisionRecall": "scores",
    "Score": "scores",
    "UndefinedScoreError": "scores",
    "check_at_least": "checks",
    "check_between": "checks",
    "check_choice": "checks",
    "check_columns": "checks",
    "check_memberships": "tables",
    "check_positive": "checks",
    "check_share": "checks",
    "check_tokens": "tables",
    "encode_labels": "labels",
    "encode_pair": "labels",
    "first_difference": "tables",
    "incidents_table": "incidents",
    "results_table": "tables",
    "scores_table": "scores",
}

__all__ = [
    "RESULT_COLUMNS",
    "DataError",
    "Incident",
    "Labels",
    "PrecisionRecall",
    "Score",
    "UndefinedScoreError",
    "check_at_least",
    "check_between",
    "check_choice",
    "check_columns",
    "check_memberships",
    "check_positive",
    "check_share",
    "check_tokens",
    "encode_labels",
    "encode_pair",
    "first_difference",
    "incidents_table",
    "results_table",
    "scores_table",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
