"""Frank, Goldwater & Keller (2009): word classes without a gold standard.

One function a table or figure: `table1` to `table4`, `figure1`, `figure2`; `compare` sets a table beside the printed
one, `claims` judges every number and claim of the text. All take a `Setting` or single choices of it.
"""

from analysis.papers.frank2009.claims import claims
from analysis.papers.frank2009.figures import correlations_figure, figure1, figure2
from analysis.papers.frank2009.publish import publish, stored_full_run
from analysis.papers.frank2009.setting import Setting, data, sources
from analysis.papers.frank2009.tables import (
    compare,
    coverage,
    lexical_ambiguity,
    linkages,
    mean_over_seeds,
    ranked_cluster_sizes,
    scores,
    side_by_side,
    sizes,
    split_minus_merge,
    table1,
    table2,
    table3,
    table4,
    wide,
)

__all__ = [
    "Setting",
    "claims",
    "compare",
    "correlations_figure",
    "coverage",
    "data",
    "figure1",
    "figure2",
    "lexical_ambiguity",
    "linkages",
    "mean_over_seeds",
    "publish",
    "ranked_cluster_sizes",
    "scores",
    "side_by_side",
    "sizes",
    "sources",
    "split_minus_merge",
    "stored_full_run",
    "table1",
    "table2",
    "table3",
    "table4",
    "wide",
]
