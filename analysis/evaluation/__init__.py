"""Layer 4: score systems of any subject from files, as the command line does: what it prints, as tables.

Names are looked up when they are asked for, so that a command imports what its own subject needs.
"""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.evaluation.ccg import Scored, evaluate_ccg_files
    from analysis.evaluation.inflections import evaluate_inflections
    from analysis.evaluation.tags import Labelled, evaluate_tags, evaluate_types, read_labelled
    from analysis.evaluation.trees import evaluate_trees

_HOMES = {
    "Labelled": "tags",
    "Scored": "ccg",
    "evaluate_ccg_files": "ccg",
    "evaluate_inflections": "inflections",
    "evaluate_tags": "tags",
    "evaluate_trees": "trees",
    "evaluate_types": "tags",
    "read_labelled": "tags",
}

__all__ = [
    "Labelled",
    "Scored",
    "evaluate_ccg_files",
    "evaluate_inflections",
    "evaluate_tags",
    "evaluate_trees",
    "evaluate_types",
    "read_labelled",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
