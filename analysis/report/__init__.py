"""Floor 4, upper storey: the written report, with an index page, tables, figures, executed notebooks and a manifest."""

from analysis.report.folders import check_manifest
from analysis.report.registry import PAPERS, Paper, default_corpora, find_paper
from analysis.report.reproduce import reproduce
from analysis.report.systems import STATES, systems_markdown, systems_table, write_between
from analysis.report.writing import Result, write_report

__all__ = [
    "PAPERS",
    "STATES",
    "Paper",
    "Result",
    "check_manifest",
    "default_corpora",
    "find_paper",
    "reproduce",
    "systems_markdown",
    "systems_table",
    "write_between",
    "write_report",
]
