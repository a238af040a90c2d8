"""Layer 2: statistics on tables of results."""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.statistics.convergence import split_r_hat
    from analysis.statistics.correlation import (
        Correlation,
        clustered_order,
        kendall,
        spearman,
        spearman_matrix,
        weakest_agreement,
    )
    from analysis.statistics.rankings import hardest_testsets, measure_agreement, rank_systems, spread_of_systems

_HOMES = {
    "Correlation": "correlation",
    "clustered_order": "correlation",
    "hardest_testsets": "rankings",
    "kendall": "correlation",
    "measure_agreement": "rankings",
    "rank_systems": "rankings",
    "spearman": "correlation",
    "spearman_matrix": "correlation",
    "split_r_hat": "convergence",
    "spread_of_systems": "rankings",
    "weakest_agreement": "correlation",
}

__all__ = [
    "Correlation",
    "clustered_order",
    "hardest_testsets",
    "kendall",
    "measure_agreement",
    "rank_systems",
    "spearman",
    "spearman_matrix",
    "split_r_hat",
    "spread_of_systems",
    "weakest_agreement",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
