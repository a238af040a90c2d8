"""Floor 2: statistics on tables of results."""

from analysis.statistics.correlation import Correlation, spearman, spearman_matrix

__all__ = ["Correlation", "spearman", "spearman_matrix"]
