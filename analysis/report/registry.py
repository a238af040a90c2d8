"""The papers that can be reproduced.

The report and the command line know the papers through `PAPERS`, `find_paper`, `default_corpora` and `missing` only.
"""

import difflib
import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from analysis.corpora.catalogue import where
from analysis.corpora.fetching import added
from analysis.papers import recipe
from analysis.structures import DataError
from analysis.structures.publication import Publication

PACKAGE = "package "  # marks a Python package among the requirements of a paper
AVAILABLE = ("built in", "cached", "on the mirror")


@dataclass(frozen=True)
class Paper:
    """How a paper is recomputed.

    Parameters
    ----------
    name : str
        As on the command line.
    module : str
        Module with the declaration ``PAPER``, or with ``publish(corpus=, full=, n_jobs=)``.
    notebook : str
        File in ``notebooks/`` whose cell tagged ``parameters`` sets ``corpus``; empty if there is none.
    corpora : mapping of str to tuple of str
        Corpora that it can run on, the paper's own first, each with the data sets (or ``"package NAME"``) that it
        needs.
    more_notebooks : tuple of str
        Further notebooks of the paper, like `notebook`.
    own : str
        Kind of added corpora that it can also run on.

    Examples
    --------
    >>> Paper("mine", "my.module", "", {"nursery": ("nursery",)}).name
    'mine'
    """

    name: str
    module: str
    notebook: str
    corpora: Mapping[str, tuple[str, ...]]
    more_notebooks: tuple[str, ...] = ()
    own: str = ""

    @property
    def notebooks(self) -> tuple[str, ...]:
        """All notebooks of the paper, `notebook` first."""
        return (self.notebook, *self.more_notebooks) if self.notebook else ()

    def load(self) -> Any:
        """The paper's module."""
        return importlib.import_module(self.module)

    def lacks_tags(self, corpus: str) -> bool:
        """Whether the paper compares classes with gold tags, and an added corpus has none."""
        from analysis.corpora import load

        return corpus not in self.corpora and self.own == "chat" and not {"coarse", "fine"} <= set(load(corpus, "test"))

    def publish(self, **choices: Any) -> Publication:
        """All tables and figures of the paper; see `analysis.papers.recipe.publish`.

        Of an added corpus without tags, what the paper's ``publish_without_gold`` computes. A note says where most
        words of an added treebank have no fine tag.
        """
        module = self.load()
        if hasattr(module, "publish_without_gold") and self.lacks_tags(choices["corpus"]):
            return module.publish_without_gold(**choices)
        found = recipe.publish(module.PAPER, **choices) if hasattr(module, "PAPER") else module.publish(**choices)
        note = self.note_on_tags(choices["corpus"])
        return replace(found, notes=(*found.notes, note)) if note else found

    def note_on_tags(self, corpus: str) -> str:
        """What is said of the fine tags of an added treebank; see `analysis.corpora.sparse_tags`."""
        from analysis.corpora.sparse_tags import sparse_fine_tags

        return "" if corpus in self.corpora else sparse_fine_tags(corpus)


def _declared(name: str) -> Paper:
    """A paper, from its declaration."""
    module = recipe.paper_module(name)
    first, *more = module.PAPER.notebooks or ("",)
    return Paper(name, module.__name__, first, module.PAPER.corpora, tuple(more), module.PAPER.setting.own)


#: All papers, in the order of their notebooks; those without one come last.
PAPERS: dict[str, Paper] = {
    paper.name: paper
    for paper in sorted(map(_declared, recipe.paper_folders()), key=lambda paper: (not paper.notebook, paper.notebook))
}


def find_paper(name: str) -> Paper:
    """The paper of that name.

    Parameters
    ----------
    name : str

    Returns
    -------
    Paper

    Raises
    ------
    DataError
        If there is none; the message lists the existing ones.

    Examples
    --------
    >>> find_paper("frank2009").notebook
    '01_frank2009.ipynb'
    """
    if name not in PAPERS:
        near = difflib.get_close_matches(name, PAPERS, n=1, cutoff=0.4)
        meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(PAPERS)}."
        raise DataError(f"there is no paper {name!r} in this suite; {meant}")
    return PAPERS[name]


def default_corpora(paper: Paper) -> list[str]:
    """Those of a paper's corpora that need no download; the paper's own first.

    Parameters
    ----------
    paper : Paper

    Returns
    -------
    list of str

    Raises
    ------
    DataError
        If there is none.

    Examples
    --------
    >>> default_corpora(Paper("mine", "my.module", "", {"nursery": ("nursery",)}))
    ['nursery']
    """
    found = [corpus for corpus, needed in paper.corpora.items() if not missing(paper, corpus)]
    if not found:
        raise DataError(
            f"no corpus for {paper.name} is available.",
            f"Name one with --corpus to download it: {', '.join(paper.corpora)}.",
        )
    return found


def missing(paper: Paper, corpus: str) -> list[str]:
    """Data sets and packages that a paper needs for one of its corpora and that are neither installed nor on the
    mirror.

    Examples
    --------
    >>> missing(Paper("mine", "my.module", "", {"nursery": ("nursery",)}), "nursery")
    []
    """
    return [name for name in paper.corpora[corpus] if not _available(name)]


def _available(name: str) -> bool:
    if name.startswith(PACKAGE):
        return importlib.util.find_spec(name.removeprefix(PACKAGE)) is not None
    return where(name) in AVAILABLE or name in added()
