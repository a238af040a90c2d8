"""Layer 4: score systems of any subject from files, as the command line does: what it prints, as tables.

Names are looked up when they are asked for, so that a command imports what its own subject needs.
"""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.evaluation.brackets import evaluate_brackets, score_brackets
    from analysis.evaluation.ccg import evaluate_ccg, score_ccg
    from analysis.evaluation.comparing import Comparison, compare_systems
    from analysis.evaluation.inflections import evaluate_inflections, score_inflections
    from analysis.evaluation.remeasuring import measure_again
    from analysis.evaluation.scoring import IntervalOptions, Run, compare_runs, with_intervals
    from analysis.evaluation.signatures import differing_parts, parse_signature, signature
    from analysis.evaluation.tags import Labelled, evaluate_tags, evaluate_types, read_labelled, score_tags, score_types
    from analysis.evaluation.trees import evaluate_trees, score_trees

_HOMES = {
    "Comparison": "comparing",
    "IntervalOptions": "scoring",
    "Labelled": "tags",
    "Run": "scoring",
    "compare_runs": "scoring",
    "compare_systems": "comparing",
    "differing_parts": "signatures",
    "evaluate_brackets": "brackets",
    "evaluate_ccg": "ccg",
    "evaluate_inflections": "inflections",
    "evaluate_tags": "tags",
    "evaluate_trees": "trees",
    "evaluate_types": "tags",
    "measure_again": "remeasuring",
    "parse_signature": "signatures",
    "read_labelled": "tags",
    "score_brackets": "brackets",
    "score_ccg": "ccg",
    "score_inflections": "inflections",
    "score_tags": "tags",
    "score_trees": "trees",
    "score_types": "tags",
    "signature": "signatures",
    "with_intervals": "scoring",
}

__all__ = [
    "Comparison",
    "IntervalOptions",
    "Labelled",
    "Run",
    "compare_runs",
    "compare_systems",
    "differing_parts",
    "evaluate_brackets",
    "evaluate_ccg",
    "evaluate_inflections",
    "evaluate_tags",
    "evaluate_trees",
    "evaluate_types",
    "measure_again",
    "parse_signature",
    "read_labelled",
    "score_brackets",
    "score_ccg",
    "score_inflections",
    "score_tags",
    "score_trees",
    "score_types",
    "signature",
    "with_intervals",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
