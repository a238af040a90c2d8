"""The tables of a paper on its real corpora, kept in the suite for readers who do not have them."""

from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Any

from analysis.corpora.folders import data_folder
from analysis.experiments import read_stored, stored_caption, write_stored
from analysis.papers.recipe.declaration import Paper, Table, Words, call_that_stores
from analysis.papers.recipe.settings import Setting
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
    setting, found = paper.setting.choose(corpus=next(iter(paper.corpora))), []
    for entry, _, values in _kept(paper, setting):
        filled = ChainMap(dict(values), Words({}, setting))
        own, title = entry.name.format_map(filled), entry.title.format_map(filled)
        name = f"{paper.name}_{own}"
        if (data_folder() / "results" / f"{name}.csv").is_file():
            run = read_stored(name, entry.of)
            said = stored_caption(name) + (f" {run.note}." if run.note else "")
            found.append(publication.Table(f"stored_{own}", title, run.table, said, entry.digits, stored=True))
    return found


def _kept(paper: Paper, setting: Setting) -> Iterator[tuple[Table, Mapping[str, Any], Mapping[str, object]]]:
    """Each table to keep: its declaration, its arguments, the values of its placeholders."""
    for entry in paper.tables:
        for arguments, values in entry.expanded(setting) if entry.kept else ():
            yield entry, arguments, values
