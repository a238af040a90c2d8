"""Layer 2: statistics on tables of results."""

from analysis.statistics.correlation import (
    Correlation,
    clustered_order,
    kendall,
    spearman,
    spearman_matrix,
    weakest_agreement,
)
from analysis.statistics.rankings import hardest_testsets, measure_agreement, rank_systems, spread_of_systems

__all__ = [
    "Correlation",
    "clustered_order",
    "hardest_testsets",
    "kendall",
    "measure_agreement",
    "rank_systems",
    "spearman",
    "spearman_matrix",
    "spread_of_systems",
    "weakest_agreement",
]
