"""The tables of a paper on its real corpora, kept in the suite for readers who do not have them."""

from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Any

from analysis.corpora.folders import data_folder
from analysis.experiments import read_stored, stored_caption, write_stored
from analysis.papers.recipe.declaration import Paper, Table, Words, call_that_stores
from analysis.papers.recipe.demonstration import shown, stands_beside_print
from analysis.papers.recipe.settings import Setting, check_known
from analysis.structures import publication


def store_tables(paper: Paper, corpus: str, **choices: Any) -> list[publication.Table]:
    """Compute the tables that the paper keeps, on one corpus, and store them in the suite; see `stored_tables`.

    Parameters
    ----------
    paper : Paper
        The paper's declaration; `Table.kept` says which tables.
    corpus : str
    **choices
        Further fields of the setting. ``**paper.full`` are those of the paper's own long runs.

    Returns
    -------
    list of analysis.structures.publication.Table
    """
    setting = paper.setting.choose(corpus=corpus, **choices)
    words = Words(paper.words, setting)
    command = call_that_stores(f"recipe.store_tables(papers.{paper.name}.PAPER, ", corpus, choices)
    for entry, arguments, values in _kept(paper, setting):
        texts = entry.texts(words, values)
        frame, name = entry.frame(setting, arguments), f"{paper.name}_{texts['name']}"
        write_stored(name, frame, entry.of, command=command, caption=texts["caption"], named=False)
    return stored_tables(paper)


def stored_tables(paper: Paper) -> list[publication.Table]:
    """The tables of a paper that are stored in the suite.

    Parameters
    ----------
    paper : Paper

    Returns
    -------
    list of analysis.structures.publication.Table
        Names begin with ``stored_``. A caption is that of the corpus, names the call that computed the table, and says
        if the functions that it uses have changed since.

    Raises
    ------
    DataError
        If a table is not that of its record.
    """
    return list(_read(paper))


def beside_printed(paper: Paper, name: str, setting: Setting | None = None, *, where: str = "") -> Any:
    """A table or figure with the printed numbers of a paper beside recomputed ones, or its verdicts on the claims.

    The recomputed numbers are those of the setting's corpus. Where no printed number may stand beside its results, on
    the built-in language or on a corpus that the reader has added (`stands_beside_print`), they are the numbers that
    are stored in the suite, computed from recorded data.

    Parameters
    ----------
    paper : Paper
        The paper's declaration.
    name : str
        Name of a table or figure of the paper's report, such as ``"table3_coarse"`` or ``"claims"``.
    setting : Setting, optional
    where : str
        Condition on the rows of a table, as for `pandas.DataFrame.query`; columns that are then empty are left out.

    Returns
    -------
    pandas.io.formats.style.Styler or matplotlib.figure.Figure
        A table has a caption that says where the numbers are from; ``.data`` is the table.

    Raises
    ------
    ValueError
        If there is no such table or figure or, where a stored one is shown, none is stored.
    """
    setting = paper.setting() if setting is None else setting
    words, kept = Words(paper.words, setting), not stands_beside_print(setting)
    for table in _read(paper, name) if kept else ():
        return shown(table, where)
    whole = {entry.texts(words, one)["name"]: (entry, arguments, one)
             for entry in paper.entries if entry.stored == kept
             for arguments, one in entry.expanded(setting)}  # fmt: skip
    wanted = f"{name}_stored" if kept else name
    check_known([wanted], whole, f"{paper.name} has no table or figure")
    entry, arguments, one = whole[wanted]
    found = entry.published(setting, arguments, entry.texts(words, one))
    return shown(found, where) if isinstance(found, publication.Table) else found.figure


def _read(paper: Paper, name: str | None = None) -> Iterator[publication.Table]:
    """The stored tables of a paper; all, or the one of this name."""
    setting = paper.setting.choose(corpus=next(iter(paper.corpora)))
    for entry, _, values in _kept(paper, setting):
        filled = ChainMap(dict(values), Words({}, setting))
        own, title = entry.name.format_map(filled), entry.title.format_map(filled)
        file = f"{paper.name}_{own}"
        if name in (None, own) and (data_folder() / "results" / f"{file}.csv").is_file():
            run = read_stored(file, entry.of)
            said = entry.explained(stored_caption(file)) + (f" {run.note}." if run.note else "")
            yield publication.Table(f"stored_{own}", title, run.table, said, entry.digits, stored=True)


def _kept(paper: Paper, setting: Setting) -> Iterator[tuple[Table, Mapping[str, Any], Mapping[str, object]]]:
    """Each table to keep: its declaration, its arguments, the values of its placeholders."""
    for entry in paper.tables:
        for arguments, values in entry.expanded(setting) if entry.kept else ():
            yield entry, arguments, values
