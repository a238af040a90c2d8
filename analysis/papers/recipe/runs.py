"""The runs of a recomputation: the systems and their scores, in one long table."""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import pandas as pd

from analysis.experiments import read_stored, run_cells
from analysis.structures import Score
from analysis.structures import kept as structures
from analysis.structures.kept import handed_out

Data = TypeVar("Data")
Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Run:
    """One run: a row of a paper's tables before seeds are averaged.

    Parameters
    ----------
    system : str
        Name in the tables.
    model : str
        Model that is fitted; by default the system's name.
    k : int, optional
        Number of clusters or tags.
    seed : int, optional
    parameters : tuple of (str, object)
        Arguments of the model.
    factors : tuple of (str, object)
        Further columns that distinguish runs, such as the track.

    Examples
    --------
    >>> Run("HC", k=12, parameters=(("linkage", "average"),)).choices
    {'linkage': 'average'}
    """

    system: str
    model: str = ""
    k: int | None = None
    seed: int | None = None
    parameters: tuple[tuple[str, Any], ...] = ()
    factors: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", self.model or self.system)

    @property
    def choices(self) -> dict[str, Any]:
        """The parameters as keyword arguments."""
        return dict(self.parameters)

    @property
    def about(self) -> dict[str, Any]:
        """The factors by name."""
        return dict(self.factors)

    @classmethod
    def restored(cls, fields: Mapping[str, Any]) -> "Run":
        """The run with the fields that `dataclasses.asdict` returned, also after conversion to JSON and back.

        Examples
        --------
        >>> Run.restored({"system": "HC", "factors": [["track", "joint"]]}).about
        {'track': 'joint'}
        """
        pairs = {name: tuple(map(tuple, fields[name])) for name in ("parameters", "factors") if name in fields}
        return cls(**{**fields, **pairs})

    @property
    def stated(self) -> str:
        """The parameters as text for the column ``convention``."""
        return "; ".join(f"{name}={value}" for name, value in self.parameters)


class Loader(Generic[Data]):
    """The data of a paper by name, cached in memory; the data of a name can be replaced.

    Parameters
    ----------
    load : callable
        Returns the data of a name.
    maxsize : int
        How many data sets stay in the cache.

    Examples
    --------
    >>> load = Loader(len)
    >>> with load.substituted(nursery=7):
    ...     load("nursery")
    7
    >>> load("nursery")
    7
    """

    def __init__(self, load: Callable[[str], Data], maxsize: int = 12) -> None:
        functools.update_wrapper(self, load)
        self._load: Any = structures.kept(maxsize=maxsize, copied=False)(load)
        self._instead: dict[str, Data] = {}

    def cache_clear(self) -> None:
        """Empty the cache."""
        self._load.cache_clear()

    def __call__(self, name: str) -> Data:
        """The data of that name."""
        return handed_out(self._instead[name] if name in self._instead else self._load(name))

    @contextmanager
    def substituted(self, **data: Data) -> Iterator[None]:
        """Within the block, ``data`` replace the data of these names; results computed there are not cached in
        memory.
        """
        forget()
        before, self._instead = self._instead, {**self._instead, **data}
        _replaced.append(self)
        try:
            yield
        finally:
            self._instead = before
            _replaced.remove(self)
            forget()


_replaced: list[Loader] = []  # those that now give other data, which only this process knows
_kept: list[Any] = []


def kept(function: Any = None, *, copied: bool = True) -> Any:
    """Cache the last results of a function in memory by its arguments; see `forget`.

    Parameters
    ----------
    copied : bool
        Whether each caller gets a copy, as with `analysis.structures.kept`; False for internal results.
    function : object, optional
        The function.

    Returns
    -------
    Any
    """
    if function is None:
        return functools.partial(kept, copied=copied)
    keeping = structures.kept(maxsize=32, copied=copied)(function)
    _kept.append(keeping)
    return keeping


def forget() -> None:
    """Empty the caches in memory of all `kept` functions; files on disk are not changed."""
    for keeping in _kept:
        keeping.cache_clear()


def evaluate_all(
    evaluate: Callable[..., Tables],
    cells: Sequence[Mapping[str, Any]],
    *,
    data: object,
    n_jobs: int = -1,
    first: Callable[[Mapping[str, Any]], float] | None = None,
    progress: bool = True,
) -> dict[str, pd.DataFrame]:
    """Call ``evaluate(**cell)`` for each cell, and concatenate its tables by name.

    Parameters
    ----------
    evaluate : callable
        Returns tables by name: ``scores`` and any breakdown. Each cell's tables are stored under the data, the
        arguments and the source of the function, so each is computed once.
    cells : sequence of mappings
        Arguments; see `analysis.experiments.run_cells`.
    data : object
        Version of the data.
    n_jobs : int
        Processes; the numbers do not depend on it.
    first : callable, optional
        Expected cost of a cell: the most expensive are started first. The order of the tables does not depend on it.
    progress : bool

    Returns
    -------
    dict of str to DataFrame
    """
    n_jobs = 1 if _replaced else n_jobs
    order = sorted(range(len(cells)), key=lambda place: -first(cells[place])) if first else list(range(len(cells)))
    done = run_cells(
        evaluate, [cells[place] for place in order], n_jobs=n_jobs, cache={"data": data}, progress=progress
    )
    results = [tables for _, tables in sorted(zip(order, done, strict=True), key=lambda pair: pair[0])]
    names = dict.fromkeys(name for tables in results for name in tables)
    found = {name: [tables[name] for tables in results if name in tables] for name in names}
    return {name: pd.concat([table for table in tables if len(table)] or tables[:1], ignore_index=True)
            for name, tables in found.items()}  # fmt: skip


def counted(score: Score, *stated: str, then: str = "") -> dict[str, Any]:
    """The columns of a long result table for a score: value, counts (if whole numbers), unit and conventions.

    Parameters
    ----------
    score : Score
    stated, then : str
        Conventions before and after those of the score.

    Returns
    -------
    dict of str to Any
        Columns of a result row.

    Examples
    --------
    >>> counted(Score("M-1", 2, 3, conventions={"assignment": "greedy"}), "k=2")["convention"]
    'k=2; assignment=greedy'
    """
    conventions = [*stated, *(f"{name}={value}" for name, value in score.conventions.items()), then]
    counts = {"numerator": score.numerator, "denominator": score.denominator}
    if not all(isinstance(count, int) for count in counts.values()):
        counts = dict.fromkeys(counts)  # some measures sum fractions
    return {"value": score.value, **counts, "unit": score.unit, "convention": "; ".join(filter(None, conventions))}


def mean_over_seeds(scores: pd.DataFrame, factors: Sequence[str], systems: Sequence[str] | None = None) -> pd.DataFrame:
    """Average the runs that differ only in their seed: the mean, with an interval of one standard deviation (n - 1).

    Parameters
    ----------
    scores : DataFrame
        A long result table.
    factors : sequence of str
        Columns that identify a number.
    systems : sequence of str, optional
        Systems that are averaged; for others the first run is used. By default all are averaged.

    Returns
    -------
    DataFrame
        The columns of ``scores``; ``lower`` and ``upper`` one deviation away, ``convention`` says so.
    """
    rows = []
    for _, group in scores.groupby(list(factors), sort=False, observed=True, dropna=False):
        row = group.iloc[0].to_dict()
        if len(group) > 1 and (systems is None or row["system"] in systems):
            mean, deviation = group["value"].mean(), group["value"].std(ddof=1)
            seeds = sorted(int(seed) for seed in group["seed"])
            row |= {
                "value": mean, "lower": mean - deviation, "upper": mean + deviation,
                "numerator": pd.NA, "denominator": pd.NA,
                "seed": f"{seeds[0]}–{seeds[-1]}" if seeds == list(range(seeds[0], seeds[-1] + 1))
                else ", ".join(map(str, seeds)),
                "convention": f"{row['convention']}; mean of {len(group)} seeds ± one standard deviation (n - 1)",
            }  # fmt: skip
        rows.append(row)
    kinds = dict.fromkeys(("value", "lower", "upper"), "Float64")
    return pd.DataFrame(rows, columns=scores.columns).astype({**kinds, "numerator": "Int64", "denominator": "Int64"})


#: Columns of stored results that are whole numbers.
_WHOLE = ("numerator", "denominator", "n", "clusters", "classes", "k", "sweeps", "items")


def stored(name: str, function: Callable[..., Any]) -> pd.DataFrame:
    """A stored long run from ``data/results``: scores with the command, the seeds and the run time in seconds.

    Parameters
    ----------
    name : str
        Name of the file, without its extension.
    function : callable
        The function that computes such a table.

    Returns
    -------
    DataFrame
        With a column ``source``: empty if the function has not changed, else ``made by other source``, or how many
        cells were recomputed (``certified: 3 of 9 cells``); see `analysis.experiments.read_stored`. Such a run is used
        until it is computed again.

    Raises
    ------
    DataError
        If nothing is stored under that name.
    """
    run = read_stored(name, function, dtype="str")
    table = run.table.assign(source=run.notes)
    for columns, kind in ((("value", "lower", "upper", "seconds"), "Float64"), (_WHOLE, "Int64")):
        for column in (column for column in columns if column in table.columns):
            table[column] = pd.to_numeric(table[column]).astype(kind)
    return table
