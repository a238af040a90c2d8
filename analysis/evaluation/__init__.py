"""Layer 4: score systems of any subject from files, as the command line does: what it prints, as tables.

Names are looked up when they are asked for, so that a command imports what its own subject needs.
"""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.evaluation.brackets import evaluate_brackets
    from analysis.evaluation.ccg import Scored, evaluate_ccg_files
    from analysis.evaluation.comparing import Comparison, compare_systems
    from analysis.evaluation.inflections import evaluate_inflections
    from analysis.evaluation.signatures import differing_parts, parse_signature, signature
    from analysis.evaluation.tags import Labelled, evaluate_tags, evaluate_types, read_labelled
    from analysis.evaluation.trees import evaluate_trees

_HOMES = {
    "Comparison": "comparing",
    "Labelled": "tags",
    "Scored": "ccg",
    "compare_systems": "comparing",
    "differing_parts": "signatures",
    "evaluate_brackets": "brackets",
    "evaluate_ccg_files": "ccg",
    "evaluate_inflections": "inflections",
    "evaluate_tags": "tags",
    "evaluate_trees": "trees",
    "evaluate_types": "tags",
    "parse_signature": "signatures",
    "read_labelled": "tags",
    "signature": "signatures",
}

__all__ = [
    "Comparison",
    "Labelled",
    "Scored",
    "compare_systems",
    "differing_parts",
    "evaluate_brackets",
    "evaluate_ccg_files",
    "evaluate_inflections",
    "evaluate_tags",
    "evaluate_trees",
    "evaluate_types",
    "parse_signature",
    "read_labelled",
    "signature",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
