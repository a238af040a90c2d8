"""Layer 3: phrase-structure trees: brackets and head dependencies against a gold standard, heads, binarised trees."""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.constituents.binarising import binarised, flattened
    from analysis.constituents.brackets import bracket_scores, scored_brackets
    from analysis.constituents.conventions import CONVENTIONS, EVALB, BracketConventions, read_parameters
    from analysis.constituents.heads import HEAD_TABLE, head_daughter
    from analysis.constituents.phrase_dependencies import head_dependencies

_HOMES = {
    "CONVENTIONS": "conventions",
    "EVALB": "conventions",
    "HEAD_TABLE": "heads",
    "BracketConventions": "conventions",
    "binarised": "binarising",
    "bracket_scores": "brackets",
    "flattened": "binarising",
    "head_daughter": "heads",
    "head_dependencies": "phrase_dependencies",
    "read_parameters": "conventions",
    "scored_brackets": "brackets",
}

__all__ = [
    "CONVENTIONS",
    "EVALB",
    "HEAD_TABLE",
    "BracketConventions",
    "binarised",
    "bracket_scores",
    "flattened",
    "head_daughter",
    "head_dependencies",
    "read_parameters",
    "scored_brackets",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
