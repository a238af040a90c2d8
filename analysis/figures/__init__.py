"""Layer 2: the style of figures, and the types of plot that several subjects share.

Each plot function takes a tidy table and an optional ``ax``, draws the table without computing results, and returns the
Axes. Figures are plain ``matplotlib.figure.Figure`` objects: no window is opened, and no figure stays open.
"""

from analysis.figures.bars import grouped_bars, printed_beside_recomputed, stacked_bars
from analysis.figures.curves import learning_curves
from analysis.figures.derivations import dependency_links, derivation_pair, derivation_size
from analysis.figures.forest import forest_plot
from analysis.figures.grids import grid_plot
from analysis.figures.heatmaps import clustered_correlations, confusion_heatmap, correlation_heatmap, heatmap
from analysis.figures.lines import line_plot, strip_plot
from analysis.figures.mappings import mapping_graph
from analysis.figures.points import precision_against_recall
from analysis.figures.power import power_curve
from analysis.figures.ranks import frequency_rank, rank_lines, ranked_sizes
from analysis.figures.saving import figure_bytes, fingerprint, save_figure
from analysis.figures.scores import score_figure, score_intervals
from analysis.figures.style import (
    mark_generated,
    new_axes,
    paper,
    share_legend,
    small_multiples,
    system_styles,
    use_style,
)
from analysis.figures.trees import ccg_derivation, dependency_arcs, posterior_arcs, utterance

__all__ = [
    "ccg_derivation",
    "clustered_correlations",
    "confusion_heatmap",
    "correlation_heatmap",
    "dependency_arcs",
    "dependency_links",
    "derivation_pair",
    "derivation_size",
    "figure_bytes",
    "fingerprint",
    "forest_plot",
    "frequency_rank",
    "grid_plot",
    "grouped_bars",
    "heatmap",
    "learning_curves",
    "line_plot",
    "mapping_graph",
    "mark_generated",
    "new_axes",
    "paper",
    "posterior_arcs",
    "power_curve",
    "precision_against_recall",
    "printed_beside_recomputed",
    "rank_lines",
    "ranked_sizes",
    "save_figure",
    "score_figure",
    "score_intervals",
    "share_legend",
    "small_multiples",
    "stacked_bars",
    "strip_plot",
    "system_styles",
    "use_style",
    "utterance",
]
