"""Reichart, Abend & Rappoport (2010): is the lexicon of an induced clustering any good?

`table1` recomputes the paper's table, `compare` sets it beside the printed one, `claims` judges every number and claim
of the text; the other functions are the tables behind the text and the figures. Most take a `Setting` or single choices
of it.
"""

from analysis.papers.reichart2010.claims import claims
from analysis.papers.reichart2010.evaluation import LOWER_IS_BETTER, MEASURES, challenge_evaluations
from analysis.papers.reichart2010.figures import (
    correlations_figure,
    curves_figure,
    mapping_figure,
    mapping_graph,
    restarts_figure,
    zipf_figure,
)
from analysis.papers.reichart2010.publish import publish, stored_challenge_run, stored_full_run
from analysis.papers.reichart2010.sampler_figures import priors_figure, stored_samples_figure, traces_figure
from analysis.papers.reichart2010.samplers import cluster_words, priors, samples, stored_samples, traces
from analysis.papers.reichart2010.setting import PUNCTUATION, Setting, data, gold_classes, gold_lexicon
from analysis.papers.reichart2010.tables import (
    compare,
    correlations,
    curves,
    inconsistencies,
    item_measures_differ,
    printed_table1,
    ranks,
    runs,
    scores,
    side_by_side,
    table1,
    weakest_agreement,
    wide,
)
from analysis.papers.reichart2010.words import (
    lexicon_statistics,
    mapping,
    r_of_n,
    restart_spread,
    restarts,
    word_frequencies,
    zipf,
)

__all__ = [
    "LOWER_IS_BETTER",
    "MEASURES",
    "PUNCTUATION",
    "Setting",
    "challenge_evaluations",
    "claims",
    "cluster_words",
    "compare",
    "correlations",
    "correlations_figure",
    "curves",
    "curves_figure",
    "data",
    "gold_classes",
    "gold_lexicon",
    "inconsistencies",
    "item_measures_differ",
    "lexicon_statistics",
    "mapping",
    "mapping_figure",
    "mapping_graph",
    "printed_table1",
    "priors",
    "priors_figure",
    "publish",
    "r_of_n",
    "ranks",
    "restart_spread",
    "restarts",
    "restarts_figure",
    "runs",
    "samples",
    "scores",
    "side_by_side",
    "stored_challenge_run",
    "stored_full_run",
    "stored_samples",
    "stored_samples_figure",
    "table1",
    "traces",
    "traces_figure",
    "weakest_agreement",
    "wide",
    "word_frequencies",
    "zipf",
    "zipf_figure",
]
