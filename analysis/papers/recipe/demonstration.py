"""Tables of a demonstration, without the printed numbers, and the tables that stand beside the printed numbers.

Beside printed numbers stand results on recorded data only: computed from a corpus at hand, or stored in the suite. What
is computed from other data, such as the built-in language, is a demonstration: it shows how a measure works, and no
printed number stands next to it. Nor does one next to results on a corpus that a reader has added: it is another text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis.corpora.catalogue import catalogue
from analysis.corpora.own_corpora import added
from analysis.structures.cells import best_cells, decimals, unit_in_heads
from analysis.structures.markup import html_text

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

    from analysis.papers.recipe.settings import Setting
    from analysis.structures.publication import Table

#: Columns that compare with print, besides those whose names begin or end with ``printed``.
_COMPARING = ("difference", "reproducible", "why", "near", "largest_difference")
_SOURCE = "source"


def demonstrates(setting: Setting) -> bool:
    """Whether results of a setting only demonstrate the method, so that no printed number stands beside them.

    That is so on generated data, and on lists that only stand in for a paper's data (settings whose ``real`` is False).

    Parameters
    ----------
    setting : Setting

    Returns
    -------
    bool
    """
    return setting.generated or not getattr(setting, "real", True)


def stands_beside_print(setting: Setting) -> bool:
    """Whether printed numbers stand beside results of a setting: not in a demonstration, nor on a reader's own corpus.

    Parameters
    ----------
    setting : Setting

    Returns
    -------
    bool
    """
    own = setting.corpus in added() and setting.corpus not in catalogue()["name"].to_numpy()
    return not (own or demonstrates(setting))


def without_printed(frame: pd.DataFrame, setting: Setting | None = None) -> pd.DataFrame:
    """A table without the numbers that a paper prints: only what was recomputed.

    Left out are columns whose names begin or end with ``printed``, the columns of a comparison (``difference``,
    ``reproducible``, ``why``, ``near``) where there is such a column, rows whose ``source`` is print, rows without a
    recomputed number, and columns that are then empty. ``PP recomputed`` is called ``PP``, ``recomputed`` is called
    ``value``.

    Parameters
    ----------
    frame : DataFrame
    setting : Setting, optional
        If given, the table stays as it is where printed numbers stand beside it; see `stands_beside_print`.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> both = pd.DataFrame({"measure": ["PP", "PR"], "printed": [0.24, 0.5], "recomputed": [0.25, None]})
    >>> without_printed(both)
      measure  value
    0      PP   0.25
    """
    names = [str(name) for name in frame.columns]
    beside = [name for name in names if name.startswith("printed") or name.endswith("printed")]
    by_row = _SOURCE in names and frame[_SOURCE].astype("str").str.contains("printed").any()
    if (not beside and not by_row) or (setting is not None and stands_beside_print(setting)):
        return frame
    found, filled = frame.reset_index(drop=True), frame.columns[frame.notna().any()]
    if by_row:
        source = found[_SOURCE].astype("str")
        found = found[~source.str.contains("printed")].copy()
        source = source[found.index].str.replace(r",? ?recomputed", "", regex=True)
        found[_SOURCE] = source
        found = found.drop(columns=_SOURCE) if (source == "").all() else found
    if "recomputed" in names:
        found = found[found["recomputed"].notna()]
    found = found.drop(columns=[name for name in (*beside, *_COMPARING) if name in found.columns and beside])
    ours = {name: name.removesuffix(" recomputed") for name in found.columns if name.endswith(" recomputed")}
    found = found.rename(columns=ours | ({} if "value" in found.columns else {"recomputed": "value"}))
    emptied = [name for name in filled if name in found.columns and found[name].isna().all()]
    return found.drop(columns=emptied).reset_index(drop=True)


def shown(table: Table, where: str = "") -> Styler:
    """A table of a publication as a notebook shows it: its caption above it, its digits, the best values in bold.

    Parameters
    ----------
    table : analysis.structures.publication.Table
    where : str
        Condition on the rows; columns that are then empty are left out.

    Returns
    -------
    pandas.io.formats.style.Styler
        ``.data`` is the table.
    """
    said: Any = [
        {"selector": "caption", "props": "caption-side: top; text-align: left; font-size: 85%; max-width: 60em"},
        {"selector": "th, td", "props": "text-align: left"},
    ]
    rows = table.frame.query(where).dropna(axis="columns", how="all") if where else table.frame
    rows = rows.reset_index(drop=True)
    places, best = decimals(rows, table.digits), best_cells(rows, table.digits)
    bold = pd.DataFrame("", rows.index, rows.columns)
    for row, column in best:
        bold.iloc[row, column] = "font-weight: bold"
    styled = rows.style.hide(axis="index").apply(lambda _: bold, axis=None)
    kept, heads = unit_in_heads(rows)
    styled = styled.hide(subset=rows.columns.difference(kept.columns).tolist(), axis="columns")
    styled = styled.relabel_index(heads, axis="columns")
    for column, name in enumerate(rows.columns):
        for digits in set(places[:, column].tolist()):
            of = (rows.index[places[:, column] == digits], [name])
            styled = styled.format(precision=digits, na_rep="–", thousands=",", subset=of)
    numbers = [name for name in rows.columns if pd.api.types.is_numeric_dtype(rows[name].dtype)]
    styled = styled.set_properties(subset=numbers, **{"text-align": "right"})
    caption = f"{table.title}. {table.caption}" + (" Bold: the best of the systems compared." if best else "")
    return styled.set_caption(html_text(caption)).set_table_styles(said)
