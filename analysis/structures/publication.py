"""Container for a paper's tables and figures with their titles, captions and sources."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name):
        raise ValueError(f"{name!r} is used as a file name: only lower-case letters, digits, '_' and '-' are allowed.")


@dataclass(frozen=True)
class Figure:
    """A figure with title, alternative text and caption.

    Parameters
    ----------
    name : str
        File name without ending, such as ``"figure1"``.
    title : str
        Heading above it.
    figure : object
        A ``matplotlib.figure.Figure``.
    alt : str
        Alternative text for readers who cannot see the figure: type of plot, axes, and content.
    caption : str
        Data version, statistic, n and seeds.
    printed : bool
        Whether it shows only the paper's own numbers or example, and no data of the corpus.
    stored : bool
        Whether it shows stored results on real corpora, whatever the corpus here.

    Examples
    --------
    >>> Figure("figure1", "Precision against recall", None, alt="Scatter plot", caption="n = 358,300").name
    'figure1'
    """

    name: str
    title: str
    figure: object
    alt: str
    caption: str
    printed: bool = False
    stored: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)
        for word in ("alt", "caption"):
            if not getattr(self, word).strip():
                raise ValueError(f"figure {self.name!r} has no {word}.")


@dataclass(frozen=True)
class Table:
    """A table with title and caption.

    Parameters
    ----------
    name : str
        File name without ending, such as ``"table3"``.
    title : str
        Heading above it.
    frame : DataFrame
        Tidy table; the index is not written.
    caption : str
        Data version, statistic, n and seeds; differences between printed and recomputed numbers.
    digits : int
        Decimal places shown; the CSV file keeps full precision.
    stored : bool
        Whether it shows stored results on real corpora, whatever the corpus here.
    printed : bool
        Whether it shows only the paper's own numbers or examples, and no data of the corpus.

    Examples
    --------
    >>> Table("table3", "Merge condition", pd.DataFrame({"value": [0.5]}), caption="made up").digits
    3
    """

    name: str
    title: str
    frame: pd.DataFrame
    caption: str
    digits: int = 3
    stored: bool = False
    printed: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name)
        if not isinstance(self.frame, pd.DataFrame):
            raise ValueError(f"table {self.name!r} must hold a DataFrame, not {type(self.frame).__name__}.")


@dataclass(frozen=True)
class Source:
    """A data set that the numbers are computed from.

    Parameters
    ----------
    name, version, licence, citation : str
        As in the catalogue; results depend on the version or checksum.
    address : str
        Web address of the data.
    generated : bool
        Whether the suite generates the data (the built-in language).

    Examples
    --------
    >>> Source("builtin", "1", "BSD-3-Clause", "the suite", generated=True).generated
    True
    """

    name: str
    version: str
    licence: str
    citation: str
    address: str = ""
    generated: bool = False


@dataclass(frozen=True)
class Publication:
    """All results of one paper, recomputed on one corpus.

    Parameters
    ----------
    paper : str
        Name of the paper module, such as ``"frank2009"``.
    title : str
        The paper, as cited.
    corpus : str
        Name of the corpus in the catalogue.
    tables, figures : tuple
        In reading order.
    sources : tuple of Source
        Data versions, licences and citations.
    notes : tuple of str
        Remarks on all results: few sweeps, generated data, conventions.
    not_reproduced : DataFrame, optional
        Results that could not be reproduced: columns ``what``, ``why``, ``needs``.
    run_times : mapping of str to float
        Seconds by stage; only these may differ between two runs.
    parameters : mapping
        The arguments of the computation, including seeds and sweeps; the notebook is run with ``corpus`` and these.
    demonstration : bool
        Whether the results demonstrate the method only; results on generated data always do.

    Raises
    ------
    ValueError
        If two tables or two figures share a name.

    Examples
    --------
    >>> Publication("frank2009", "Frank, Goldwater and Keller (2009)", corpus="builtin").tables
    ()
    """

    paper: str
    title: str
    corpus: str
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    not_reproduced: pd.DataFrame | None = None
    run_times: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)
    demonstration: bool = False

    def __post_init__(self) -> None:
        for kind in ("tables", "figures", "sources", "notes"):
            object.__setattr__(self, kind, tuple(getattr(self, kind)))
        for kind in ("run_times", "parameters"):
            object.__setattr__(self, kind, dict(getattr(self, kind)))
        for kind in ("tables", "figures"):
            names = [entry.name for entry in getattr(self, kind)]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"two {kind} of {self.paper} are called {twice[0]!r}.")
