"""Layer 5: the written report, with an index page, tables, figures, executed notebooks and a manifest.

Names are imported on first use, so that a command that scores two files does not load the plotting library.
"""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.report.folders import check_manifest
    from analysis.report.registry import PAPERS, Paper, default_corpora, find_paper
    from analysis.report.reproducing import reproduce
    from analysis.report.systems import STATES, systems_markdown, systems_table, write_between
    from analysis.report.writing import Part, render_publication, write_report

_HOMES = {
    "PAPERS": "registry",
    "STATES": "systems",
    "Paper": "registry",
    "Part": "writing",
    "check_manifest": "folders",
    "default_corpora": "registry",
    "find_paper": "registry",
    "render_publication": "writing",
    "reproduce": "reproducing",
    "systems_markdown": "systems",
    "systems_table": "systems",
    "write_between": "systems",
    "write_report": "writing",
}

__all__ = [
    "PAPERS",
    "STATES",
    "Paper",
    "Part",
    "check_manifest",
    "default_corpora",
    "find_paper",
    "render_publication",
    "reproduce",
    "systems_markdown",
    "systems_table",
    "write_between",
    "write_report",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
