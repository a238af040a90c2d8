"""Layer 5: the written report, with an index page, tables, figures, executed notebooks and a manifest.

Names are looked up when they are asked for: a command that scores two files should not wait for what draws figures.
"""

from typing import Any

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

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"analysis.report has no {name!r}; it has {', '.join(__all__)}.")
    return getattr(import_module(f"analysis.report.{_HOMES[name]}"), name)
