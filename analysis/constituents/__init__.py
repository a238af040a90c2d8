"""Layer 3: phrase-structure trees. How well the brackets of predicted trees fit a gold standard."""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.constituents.brackets import bracket_scores, scored_brackets
    from analysis.constituents.conventions import CONVENTIONS, EVALB, BracketConventions, read_parameters

_HOMES = {
    "CONVENTIONS": "conventions",
    "EVALB": "conventions",
    "BracketConventions": "conventions",
    "bracket_scores": "brackets",
    "read_parameters": "conventions",
    "scored_brackets": "brackets",
}

__all__ = [
    "CONVENTIONS",
    "EVALB",
    "BracketConventions",
    "bracket_scores",
    "read_parameters",
    "scored_brackets",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
