"""The common structure of all papers: setting, runs, printed numbers, claims, declaration, publication.

`Paper` declares a paper with its `Table`, `Figure` and `Setting`; `publish` recomputes everything that it declares.
"""

from analysis.papers.recipe.claims import Claim, Evidence, Judged, functions_of, judge_claims, perturbed, summary
from analysis.papers.recipe.declaration import (
    Figure,
    Paper,
    Table,
    Words,
    caption_of,
    check,
    completeness,
    only,
    sources_of,
    title_of,
)
from analysis.papers.recipe.demonstration import demonstrates, stands_beside_print, without_printed
from analysis.papers.recipe.finding import folder_of, paper_folders, paper_module
from analysis.papers.recipe.printed import (
    averages,
    compare,
    flat,
    inconsistencies,
    is_best,
    printed,
    printed_only,
    side_by_side,
    stacked,
)
from analysis.papers.recipe.publishing import public, publish
from analysis.papers.recipe.rules import Estimate, Order, judge, order_of
from analysis.papers.recipe.runs import Loader, Run, counted, evaluate_all, forget, kept, mean_over_seeds, stored
from analysis.papers.recipe.settings import Setting, check_known, choice, takes_setting
from analysis.papers.recipe.specifications import (
    Robustness,
    certify_robustness,
    has_stored_robustness,
    read_headlines,
    robustness,
    robustness_entries,
    robustness_figure,
    robustness_of,
    store_robustness,
    stored_robustness,
    stored_robustness_entries,
)
from analysis.papers.recipe.stored_tables import beside_printed, store_tables, stored_tables
from analysis.structures.units import in_percent

__all__ = [
    "Claim",
    "Estimate",
    "Evidence",
    "Figure",
    "Judged",
    "Loader",
    "Order",
    "Paper",
    "Robustness",
    "Run",
    "Setting",
    "Table",
    "Words",
    "averages",
    "beside_printed",
    "caption_of",
    "certify_robustness",
    "check",
    "check_known",
    "choice",
    "compare",
    "completeness",
    "counted",
    "demonstrates",
    "evaluate_all",
    "flat",
    "folder_of",
    "forget",
    "functions_of",
    "has_stored_robustness",
    "in_percent",
    "inconsistencies",
    "is_best",
    "judge",
    "judge_claims",
    "kept",
    "mean_over_seeds",
    "only",
    "order_of",
    "paper_folders",
    "paper_module",
    "perturbed",
    "printed",
    "printed_only",
    "public",
    "publish",
    "read_headlines",
    "robustness",
    "robustness_entries",
    "robustness_figure",
    "robustness_of",
    "side_by_side",
    "sources_of",
    "stacked",
    "stands_beside_print",
    "store_robustness",
    "store_tables",
    "stored",
    "stored_robustness",
    "stored_robustness_entries",
    "stored_tables",
    "summary",
    "takes_setting",
    "title_of",
    "without_printed",
]
