"""Floor 2: statistics on tables of results."""

from analysis.statistics.correlation import Correlation, spearman, spearman_matrix
from analysis.statistics.rankings import hardest_testsets, measure_agreement, rank_systems, spread_of_systems

__all__ = [
    "Correlation",
    "hardest_testsets",
    "measure_agreement",
    "rank_systems",
    "spearman",
    "spearman_matrix",
    "spread_of_systems",
]
