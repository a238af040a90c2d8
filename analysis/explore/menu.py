"""An explorer with a menu of the corpora that are available and have what it needs."""

import inspect
from collections.abc import Callable
from importlib import metadata
from typing import Any

import ipywidgets as widgets
from matplotlib.figure import Figure

from analysis.corpora.fetching import status
from analysis.corpora.loading import load
from analysis.corpora.own_corpora import own_names
from analysis.explore.base import COMPUTING, Explorer, dropdown
from analysis.papers import clark2002, frank2009, gelling2012, kodner2023, reichart2010
from analysis.papers.recipe import Paper

#: The paper whose corpora an explorer runs on.
PAPERS: dict[str, Paper] = {
    **dict.fromkeys(("cluster_contents", "frames", "word_classes"), frank2009.PAPER),
    **dict.fromkeys(
        ("clusters_against_measures", "clusters_over_sweeps", "restarts_of_hill_climbing", "token_against_type"),
        reichart2010.PAPER,
    ),
    **dict.fromkeys(("accuracy_breakdown", "conventions_and_ranks", "induced_classes"), gelling2012.PAPER),
    "two_derivations": clark2002.PAPER,
    **dict.fromkeys(
        ("inflection_curves", "inflection_errors", "inflection_regressions", "training_samples", "wug_test"),
        kodner2023.PAPER,
    ),
}
_HERE = ("built in", "cached", "on the mirror", "added")
_PACKAGE = "package "
_TAGS = {"coarse", "fine"}
_TAGGED_TEXT = ("frank2009", "reichart2010")  # papers that read any running text with tags


def corpora_for(explorer: Callable[..., Explorer]) -> list[str]:
    """Names of the corpora that an explorer can show: the paper's that are available, and the reader's own that fit.

    Parameters
    ----------
    explorer : callable
        A function of `analysis.explore` with the argument ``corpus`` or ``setting``.

    Returns
    -------
    list of str
        The paper's corpora first.

    Raises
    ------
    ValueError
        If it has no choice of corpora.

    Examples
    --------
    >>> from analysis.explore import frames
    >>> "nursery" in corpora_for(frames)
    True
    """
    name = getattr(explorer, "__name__", str(explorer))
    if name not in PAPERS:
        raise ValueError(f"{name} has no choice of corpora; {', '.join(PAPERS)} have.")
    paper = PAPERS[name]
    table = status()
    here = set(table.loc[table["where"].isin(_HERE), "name"])
    names = [corpus for corpus, needed in paper.corpora.items() if all(_is_here(one, here) for one in needed)]
    kind = "chat" if paper.name in _TAGGED_TEXT else paper.setting.own
    own = [corpus for corpus in own_names(kind) if corpus not in names]
    return names + [corpus for corpus in own if kind != "chat" or set(load(corpus, "test")) >= _TAGS]


class CorpusMenu(widgets.VBox):
    """A menu of corpora and below it an explorer of the chosen one.

    Parameters
    ----------
    names : list of str
    first : str
        The one to begin with.
    make : callable
        Takes a name and returns the explorer.

    Attributes
    ----------
    explorer : Explorer or None
        None if the chosen corpus cannot be explored; the reason is shown.
    """

    def __init__(self, names: list[str], first: str, make: Callable[[str], Explorer]) -> None:
        self.menu, self._make = dropdown("corpus", names, first), make
        self.menu.disabled = len(names) == 1
        self.explorer: Explorer | None = make(first)
        super().__init__([self.menu, self.explorer])
        self.menu.observe(self._show, "value")

    @property
    def value(self) -> Any:
        """Numbers that the explorer shows."""
        return None if self.explorer is None else self.explorer.value

    @property
    def error(self) -> str:
        """Message that the explorer shows instead of a figure."""
        return self.children[1].value if self.explorer is None else self.explorer.error

    def figure(self) -> Figure:
        """Return the figure that the explorer shows; see `Explorer.figure`.

        Raises
        ------
        ValueError
            If there is none.
        """
        if self.explorer is None:
            raise ValueError(self.error)
        return self.explorer.figure()

    def still(self) -> Figure | None:
        """Return the figure for a page; see `Explorer.still`."""
        return None if self.explorer is None else self.explorer.still()

    def _show(self, _change: object) -> None:
        self.children = (self.menu, widgets.HTML(COMPUTING))
        try:
            self.explorer = self._make(self.menu.value)
            self.children = (self.menu, self.explorer)
        except ValueError as problem:
            self.explorer = None
            self.children = (self.menu, widgets.Label(str(problem)))


def choose_corpus(explorer: Callable[..., Explorer], corpus: str | None = None, **choices: Any) -> CorpusMenu:
    """An explorer below a menu of the corpora that it can show.

    Parameters
    ----------
    explorer : callable
        A function of `analysis.explore` with the argument ``corpus`` or ``setting``.
    corpus : str, optional
        The one to begin with; by default that of the setting, the built-in one, or else the first.
    **choices
        Further arguments of the explorer. Of a ``setting`` all fields but the corpus are kept.

    Returns
    -------
    CorpusMenu
        Its children are the menu and the explorer.

    Raises
    ------
    ValueError
        If the corpus is not available or does not fit.
    """
    names, setting = corpora_for(explorer), choices.pop("setting", None)
    first = corpus or (setting.corpus if setting is not None else "nursery" if "nursery" in names else names[0])
    if first not in names:
        raise ValueError(f"there is no corpus {first!r} available that fits; there are {', '.join(names)}.")

    def make(name: str) -> Explorer:
        if "setting" not in inspect.signature(explorer).parameters:
            return explorer(name, **choices)
        return explorer(setting=PAPERS[explorer.__name__].setting.choose(setting, corpus=name), **choices)

    return CorpusMenu(names, first, make)


def _is_here(needed: str, here: set[str]) -> bool:
    """Whether a data set is available, or a package installed."""
    if not needed.startswith(_PACKAGE):
        return needed in here
    try:
        metadata.version(needed.removeprefix(_PACKAGE))
    except metadata.PackageNotFoundError:
        return False
    return True
