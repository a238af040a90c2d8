"""Design matrices of regressions with named codings, and problems of a design."""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.structures import check_choice, check_columns

CODINGS = ("treatment", "sum")


def one_thread() -> AbstractContextManager:
    """Run linear algebra on one thread: small matrices gain nothing from more, and sums keep their order."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    return threadpool_limits(limits=1)


class Design(NamedTuple):
    """A design matrix with tidy column names, the term of each column, the coding in words, and its problems."""

    matrix: pd.DataFrame
    terms: list[str]
    coding: str
    problems: tuple[str, ...]


def design(
    table: pd.DataFrame,
    terms: str,
    *,
    coding: str = "treatment",
    base_levels: Mapping[str, str] | None = None,
    categorical: Sequence[str] = (),
) -> Design:
    """Make the design matrix of the right-hand side of a formula, with the coding of each factor.

    Parameters
    ----------
    table : DataFrame
        One row per observation.
    terms : str
        Such as ``"language * model * size"``; columns by name, with ``*``, ``:`` and ``+``.
    coding : {"treatment", "sum"}
        Treatment: each level against the base level; effects and slopes without an interaction then refer to the base
        level. Sum: each level against the mean of the levels.
    base_levels : mapping of str to str, optional
        Base level of a factor (with sum coding, the level without a column). The default is that of R: the
        alphabetically first level for treatment coding, the last for sum coding.
    categorical : sequence of str
        Numeric columns to be treated as factors; text columns always are.

    Returns
    -------
    Design
        ``problems`` lists empty cells.

    Raises
    ------
    ValueError
        If a column is missing, has missing values or only one level, or a base level does not occur.

    Examples
    --------
    >>> runs = pd.DataFrame({"model": ["A", "B", "A", "B"], "size": [1, 1, 2, 2]})
    >>> made = design(runs, "model * size")
    >>> list(made.matrix.columns), made.coding
    (['Intercept', 'model[B]', 'size', 'model[B]:size'], 'model: treatment, base A')
    """
    from patsy import dmatrix

    check_choice("coding", coding, CODINGS)
    names = list(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", terms)))
    if not names or re.search(r"[^\w\s*:+]", terms):
        raise ValueError(f"terms must join columns by *, : and +, such as 'language * size', not {terms!r}.")
    _check(table, names)
    factors = [name for name in names if name in categorical or not pd.api.types.is_numeric_dtype(table[name])]
    base_levels = dict(base_levels or {})
    unknown = [name for name in base_levels if name not in factors]
    if unknown:
        raise ValueError(f"{unknown[0]!r} has a base level but is not a factor here; factors are {', '.join(factors)}.")
    data = table[names].copy()
    replaced, said, levels = {}, [], {}
    for name in factors:
        data[name] = data[name].astype("str").astype("object")
        levels[name] = sorted(data[name].unique())
        if len(levels[name]) < 2:
            raise ValueError(f"the factor {name!r} has only the level {levels[name][0]!r}: leave it out.")
        chosen = str(base_levels.get(name, levels[name][0 if coding == "treatment" else -1]))
        if chosen not in levels[name]:
            raise ValueError(f"{name!r} has no level {chosen!r}; it has {', '.join(levels[name])}.")
        contrast = f"Treatment(reference={chosen!r})" if coding == "treatment" else f"Sum(omit={chosen!r})"
        replaced[name] = f"C({name}, {contrast})"
        said.append(f"{name}: {coding}, {'base' if coding == 'treatment' else 'omitted'} {chosen}")
    formula = re.sub(r"[A-Za-z_]\w*", lambda match: replaced.get(match[0], match[0]), terms)
    matrix = dmatrix(formula, data, return_type="dataframe")
    info = matrix.design_info
    columns, of = [], []
    for term, place in info.term_slices.items():
        for column in info.column_names[place]:
            columns.append(_tidy(column))
            of.append(_tidy(term.name()))
    matrix = pd.DataFrame(np.asarray(matrix, dtype="float64"), columns=columns, index=table.index)
    return Design(matrix, of, "; ".join(said) or "numeric terms only", _empty_cells(data, levels))


_CONTRAST = re.compile(r"""C\((\w+), (?:Treatment\(reference|Sum\(omit)=(?:'[^']*'|"[^"]*")\)\)""")


def _tidy(name: str) -> str:
    return re.sub(r"\[[TS]\.(.*?)\]", r"[\1]", _CONTRAST.sub(r"\1", name))


def _check(table: pd.DataFrame, names: Sequence[str]) -> None:
    check_columns(table, names, "the table")
    for name in names:
        if table[name].isna().any():
            raise ValueError(f"{int(table[name].isna().sum()):,} rows have no {name!r}.")
    if not len(table):
        raise ValueError("the table has no row.")


def _empty_cells(data: pd.DataFrame, levels: dict[str, list[str]]) -> tuple[str, ...]:
    if len(levels) < 2:
        return ()
    there = set(data[list(levels)].itertuples(index=False, name=None))
    empty = [cell for cell in product(*levels.values()) if cell not in there]
    if not empty:
        return ()
    return (f"{len(empty)} of {len(empty) + len(there)} cells are empty, the first is {' × '.join(empty[0])}",)


def independent_columns(matrix: np.ndarray, tolerance: float = 1e-8) -> np.ndarray:
    """Find the columns that do not depend linearly on earlier ones and can be estimated, as in R.

    Examples
    --------
    >>> independent_columns(np.array([[1.0, 1.0, 2.0], [1.0, 2.0, 3.0], [1.0, 3.0, 4.0]])).tolist()
    [True, True, False]
    """
    kept = np.zeros(matrix.shape[1], dtype=bool)
    basis = np.empty((matrix.shape[0], 0))
    for number in range(matrix.shape[1]):
        column = matrix[:, number]
        length = np.linalg.norm(column)
        if length == 0:
            continue
        left = column / length
        for _ in range(2):  # twice, to remove rounding errors
            left = left - basis @ (basis.T @ left)
        rest = np.linalg.norm(left)
        if rest > tolerance:
            kept[number] = True
            basis = np.column_stack([basis, left / rest])
    return kept
