"""An explorer with a menu of the corpora that are at hand and have what it needs."""

from collections.abc import Callable
from importlib import metadata
from typing import Any

import ipywidgets as widgets

from analysis.corpora.fetching import status
from analysis.corpora.loading import load
from analysis.corpora.own_corpora import own_names
from analysis.explore.base import Explorer, dropdown
from analysis.papers import clark2002, frank2009, kodner2023, reichart2010
from analysis.papers.recipe import Paper

#: The paper whose corpora an explorer runs on.
PAPERS: dict[str, Paper] = {
    **dict.fromkeys(("cluster_contents", "frames", "word_classes"), frank2009.PAPER),
    "token_against_type": reichart2010.PAPER,
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
    """Names of the corpora that an explorer can show: the paper's that are at hand, and the reader's own that fit.

    Parameters
    ----------
    explorer : callable
        A function of `analysis.explore` with the argument ``corpus``.

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


def choose_corpus(explorer: Callable[..., Explorer], corpus: str | None = None, **choices: Any) -> widgets.VBox:
    """An explorer below a menu of the corpora that it can show.

    Parameters
    ----------
    explorer : callable
        A function of `analysis.explore` with the argument ``corpus``.
    corpus : str, optional
        The one to begin with; by default the built-in one, or else the first.
    **choices
        Further arguments of the explorer.

    Returns
    -------
    ipywidgets.VBox
        Its children are the menu and the explorer.

    Raises
    ------
    ValueError
        If the corpus is not at hand or does not fit.
    """
    names = corpora_for(explorer)
    first = corpus or ("nursery" if "nursery" in names else names[0])
    if first not in names:
        raise ValueError(f"there is no corpus {first!r} at hand that fits; there are {', '.join(names)}.")
    menu = dropdown("corpus", names, first)
    box = widgets.VBox([menu, explorer(first, **choices)])

    def show(_change: object) -> None:
        try:
            below: widgets.Widget = explorer(menu.value, **choices)
        except ValueError as problem:
            below = widgets.Label(str(problem))
        box.children = (menu, below)

    menu.observe(show, "value")
    return box


def _is_here(needed: str, here: set[str]) -> bool:
    """Whether a data set is at hand, or a package installed."""
    if not needed.startswith(_PACKAGE):
        return needed in here
    try:
        metadata.version(needed.removeprefix(_PACKAGE))
    except metadata.PackageNotFoundError:
        return False
    return True
