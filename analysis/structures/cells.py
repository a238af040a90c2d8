"""How the numbers of a table are shown: with as many places as the paper prints, and which of them is the best."""

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.structures.glossary import COLUMNS, CONCEPTS

LOWER_IS_BETTER = ("VI", "NVI", "H(C|K)", "H(K|C)")
_MEASURES = {name for some in CONCEPTS.values() for concept in some if concept.function for name in concept.names}
_BESIDE = re.compile(r"(.*?) ?(printed|recomputed|difference)")
#: Columns of numbers that are in the unit of their row, besides those named by measures.
_IN_UNIT = {"value", "printed", "recomputed", "difference", "published", "lower", "upper", "mean", "min", "max"} | {
    "range", "deviation", "estimate", "error"
}  # fmt: skip
_KEYS = ("system", "printed", "recomputed", "reproducible", "why", "unit", "convention")

Rows = npt.NDArray[np.intp]


def decimals(frame: pd.DataFrame, digits: int) -> npt.NDArray[np.int64]:
    """Decimal places of each cell: where printed numbers stand beside recomputed ones, as many as the paper prints.

    All printed numbers of a table have the places of the one that needs most, but counts have none.

    Parameters
    ----------
    frame : DataFrame
        A table of a publication.
    digits : int
        Places of all other cells, and the largest number.

    Returns
    -------
    ndarray, shape (n_rows, n_columns)

    Examples
    --------
    >>> decimals(pd.DataFrame({"measure": ["LP", "ref"], "printed": [75.2, 3765], "recomputed": [86.207, 83]}), 3)
    array([[3, 1, 1],
           [3, 0, 0]])
    """
    found = np.full(frame.shape, digits, dtype=np.int64)
    printed = np.flatnonzero(_printed_rows(frame))
    every = np.arange(len(frame))
    compared = [(printed, systems, systems)] if (systems := _systems(frame)) and len(printed) else []
    compared += [(every, [column], beside) for column, beside in _pairs(frame)]
    for in_print, columns, beside in compared:
        found[:, beside] = _places(_numbers(frame, in_print, columns), digits)
        for rows in _groups(frame, ["measure"]):
            if _are_counts(_numbers(frame, np.intersect1d(rows, in_print), columns)):
                found[np.ix_(rows, np.asarray(beside))] = 0
    return found


def unit_in_heads(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """A table as it is shown, and the heads of its columns: a unit that all rows share stands with the numbers' names.

    Parameters
    ----------
    frame : DataFrame

    Returns
    -------
    (DataFrame, list of str)
        The table without the column ``unit``, if all rows have the same one; the heads.

    Examples
    --------
    >>> frame, heads = unit_in_heads(pd.DataFrame({"system": ["B"], "value": [0.5], "unit": ["proportion"], "n": [10]}))
    >>> heads
    ['system', 'value (proportion)', 'n']
    >>> unit_in_heads(pd.DataFrame({"value": [0.5, 2.1], "unit": ["proportion", "bits"]}))[1]
    ['value', 'unit']
    """
    names = [str(name) for name in frame.columns]
    units = set(frame["unit"]) if "unit" in names else set()
    if len(units) != 1 or not isinstance(unit := units.pop(), str):
        return frame, names
    kept = frame.drop(columns="unit")
    in_unit = [
        str(name) in _IN_UNIT | _MEASURES and pd.api.types.is_numeric_dtype(dtype)
        for name, dtype in kept.dtypes.items()
    ]
    return kept, [f"{name} ({unit})" if own else str(name) for name, own in zip(kept.columns, in_unit, strict=True)]


def best_cells(frame: pd.DataFrame, digits: int) -> list[tuple[int, int]]:
    """Row and column of each best value of a table that compares systems; values that look equal are all best.

    Systems are columns (their names have a capital letter), compared in each row; or rows, one each, with a column for
    each measure, compared in each column; or rows of one number each, compared where measure and conditions are the
    same. Printed and recomputed numbers are compared among themselves.

    Parameters
    ----------
    frame : DataFrame
        A table of a publication.
    digits : int
        As for `decimals`.

    Returns
    -------
    list of (int, int)

    Examples
    --------
    >>> best_cells(pd.DataFrame({"system": ["B", "H"], "V": [0.5, 0.4], "VI": [2.1, 2.0]}), 3)
    [(0, 1), (1, 2)]
    """
    places = decimals(frame, digits)
    found = []
    for rows, columns, measure in _comparisons(frame):
        values = _numbers(frame, rows, columns)
        signed = -values if measure in LOWER_IS_BETTER else values
        shown = np.array([[round(value, place) for value, place in zip(*pair, strict=True)]
                          for pair in zip(signed, places[np.ix_(rows, np.asarray(columns))], strict=True)])  # fmt: skip
        if np.isfinite(shown).sum() > 1:
            best = np.argwhere(shown == np.nanmax(shown))
            found += [(int(rows[row]), columns[column]) for row, column in best]
    return sorted(found)


def _comparisons(frame: pd.DataFrame) -> Iterator[tuple[Rows, list[int], str]]:
    """Rows and columns of the values that are compared with each other, and their measure."""
    measures = frame["measure"].astype("str") if "measure" in frame.columns else pd.Series("", index=frame.index)
    if systems := _systems(frame):
        yield from ((np.array([row]), systems, measures.iloc[row]) for row in range(len(frame)))
    elif list(frame.columns[:1]) == ["system"] and "measure" not in frame.columns and _one_row_a_system(frame):
        printed = _printed_rows(frame)
        for place in _numeric(frame):
            name = re.sub(r" (printed|recomputed)$", "", str(frame.columns[place]))
            if {name, name.partition(" ")[0]} & _MEASURES:
                for rows in (np.flatnonzero(printed), np.flatnonzero(~printed)):
                    yield rows, [place], name
    elif {"system", "printed", "recomputed"} <= set(frame.columns):
        keys = [
            name for name in frame.columns if name not in _KEYS and frame.columns.get_loc(name) not in _numeric(frame)
        ]
        for rows in _groups(frame, keys):
            for name in ("printed", "recomputed"):
                yield rows, [frame.columns.get_loc(name)], measures.iloc[rows[0]]


def _numeric(frame: pd.DataFrame) -> list[int]:
    return [place for place, dtype in enumerate(frame.dtypes)
            if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)]  # fmt: skip


def _systems(frame: pd.DataFrame) -> list[int]:
    """The columns of a table with a row for each test set and measure, and a column for each system, at its end."""
    numeric = _numeric(frame)
    at_end = numeric == list(range(frame.shape[1] - len(numeric), frame.shape[1]))
    names = {str(frame.columns[place]) for place in numeric}
    named = {term.name for term in COLUMNS} & names or not all(re.search(r"[A-Z]", name) for name in names)
    return numeric if len(numeric) > 1 and at_end and not named and "testset" in frame.columns else []


def _one_row_a_system(frame: pd.DataFrame) -> bool:
    return not frame.duplicated([name for name in ("system", "k", "source") if name in frame.columns]).any()


def _pairs(frame: pd.DataFrame) -> list[tuple[int, list[int]]]:
    """Each column of printed numbers, and the columns of the same quantity: itself, recomputed numbers, differences."""
    names = [(match[1], match[2], place) for place in _numeric(frame)
             if (match := _BESIDE.fullmatch(str(frame.columns[place])))]  # fmt: skip
    return [(place, [beside for other, _, beside in names if other == stem])
            for stem, kind, place in names if kind == "printed"]  # fmt: skip


def _printed_rows(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    source = frame["source"].astype("str") if "source" in frame.columns else pd.Series("", index=frame.index)
    return (source == "printed").to_numpy(dtype=bool)


def _groups(frame: pd.DataFrame, names: list[str]) -> list[Rows]:
    known = [frame[name].astype("str").to_numpy() for name in names if name in frame.columns]
    if not known:
        return [np.arange(len(frame))]
    return [np.asarray(rows) for rows in frame.reset_index(drop=True).groupby(known).indices.values()]


def _numbers(frame: pd.DataFrame, rows: Rows, columns: list[int]) -> npt.NDArray[np.float64]:
    return np.array([frame.iloc[rows, place].to_numpy(dtype=np.float64, na_value=np.nan) for place in columns]).T


def _places(values: npt.NDArray[np.float64], most: int) -> int:
    """The smallest number of decimal places that shows every value in full; ``most`` if there is no value."""
    finite = values[np.isfinite(values)]
    fitting = (places for places in range(most) if np.allclose(finite, finite.round(places), rtol=0, atol=1e-9))
    return next(fitting, most) if len(finite) else most


def _are_counts(values: npt.NDArray[np.float64]) -> bool:
    finite = values[np.isfinite(values)]
    return bool(len(finite) and (finite == finite.round()).all() and finite.max() > 100)
