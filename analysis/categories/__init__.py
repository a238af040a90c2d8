"""Floor 3: word classes. How well an induced clustering of words fits a gold standard, or the text itself."""

from analysis.categories.contingency import Contingency, contingency
from analysis.categories.token_measures import many_to_one, pairwise_precision_recall

__all__ = [
    "Contingency",
    "contingency",
    "many_to_one",
    "pairwise_precision_recall",
]
