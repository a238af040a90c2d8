"""Layer 3: CCG derivations. Three evaluations of a parser's derivations against a treebank, and a parser."""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.ccg.alignment import Alignment, align
    from analysis.ccg.breakdowns import score_breakdowns
    from analysis.ccg.by_sentence import scored_derivations
    from analysis.ccg.examples import equivalent_derivations, treebank, worked_example
    from analysis.ccg.extraction import Extraction, extract_dependencies
    from analysis.ccg.measures import (
        Evaluation,
        bootstrap_intervals,
        evaluate,
        lexical_category_accuracy,
        parseval,
        predicate_argument_dependencies,
        tree_dependencies,
    )
    from analysis.ccg.variables import lexical_variables

_HOMES = {
    "Alignment": "alignment",
    "Evaluation": "measures",
    "Extraction": "extraction",
    "align": "alignment",
    "bootstrap_intervals": "measures",
    "equivalent_derivations": "examples",
    "evaluate": "measures",
    "extract_dependencies": "extraction",
    "lexical_category_accuracy": "measures",
    "lexical_variables": "variables",
    "parseval": "measures",
    "predicate_argument_dependencies": "measures",
    "score_breakdowns": "breakdowns",
    "scored_derivations": "by_sentence",
    "tree_dependencies": "measures",
    "treebank": "examples",
    "worked_example": "examples",
}

__all__ = [
    "Alignment",
    "Evaluation",
    "Extraction",
    "align",
    "bootstrap_intervals",
    "equivalent_derivations",
    "evaluate",
    "extract_dependencies",
    "lexical_category_accuracy",
    "lexical_variables",
    "parseval",
    "predicate_argument_dependencies",
    "score_breakdowns",
    "scored_derivations",
    "tree_dependencies",
    "treebank",
    "worked_example",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
