"""The table of systems: every system that the papers evaluate and whether the suite runs it, and today's baselines."""

from pathlib import Path

import pandas as pd

from analysis.corpora.folders import data_folder
from analysis.structures import DataError
from analysis.structures.markup import markdown_text
from analysis.structures.writing import write_whole

STATES = ("runs", "printed only")
OUTLINE = "the outline"  #: Only the outline of the method is known: the implementation is in the spirit of the authors.
#: What the implementation follows: the authors' program, their text, neither in every detail ("after" them), or less.
FOLLOWED = ("the program", "the text", "after", OUTLINE)
BASELINE = "baseline of today"  #: In place of what it follows: a system that is in no paper.


def systems_table() -> pd.DataFrame:
    """Every system of the five papers, then baselines that are in none of them.

    Returns
    -------
    DataFrame
        Columns system, paper, task, name, state, where, follows. ``state`` is ``"runs"`` or ``"printed only"``;
        ``where`` names the class or function that runs it; ``follows`` says what that follows: ``"the program"`` of the
        authors, ``"the text"``, ``"after"``: the same method, but not in every detail, or ``"the outline"``, where no
        more is known. Of a baseline of today it is ``"baseline of today"``, and ``paper`` is empty.

    Raises
    ------
    DataError
        If a row has another state, lacks ``where``, ``follows`` or ``paper``, or is listed twice.

    Examples
    --------
    >>> systems_table().set_index(["system", "paper"]).loc[("BHMM", "Frank et al. 2009"), "state"]
    'runs'
    """
    path = data_folder() / "systems.csv"
    table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    for number, row in enumerate(table.itertuples(), start=2):
        if row.state not in STATES or (row.state == "runs") != bool(row.where):
            raise DataError(f"{path}, line {number}: state {row.state!r} with where {row.where!r}.")
        if row.follows not in ((*FOLLOWED, BASELINE) if row.state == "runs" else ("",)):
            raise DataError(f"{path}, line {number}: state {row.state!r} with follows {row.follows!r}.")
        if (row.follows == BASELINE) != (row.paper == ""):
            raise DataError(f"{path}, line {number}: paper {row.paper!r} with follows {row.follows!r}.")
    twice = table.duplicated(["system", "paper", "task"])
    if twice.any():
        raise DataError(f"{path}: {table[twice]['system'].iloc[0]!r} is listed twice.")
    return table


def systems_markdown() -> str:
    """The table of systems in Markdown, as `docs/systems.md` has it.

    Returns
    -------
    str

    Examples
    --------
    >>> systems_markdown().splitlines()[0]
    '| System | Paper | Task | What it is | In this suite |'
    """
    lines = ["| System | Paper | Task | What it is | In this suite |", "| --- | --- | --- | --- | --- |"]
    for row in systems_table().itertuples():
        ways = {
            "after": "after the authors",
            OUTLINE: "in the spirit of the authors",
            BASELINE: f"{BASELINE}, in no paper",
        }
        how = ways.get(row.follows, f"follows {row.follows}")
        runs = f"runs: `{str(row.where).rpartition('.')[2]}`, {how}"
        state = runs if row.state == "runs" else "printed numbers only"
        cells = [
            *map(markdown_text, (row.system, row.paper or "none", row.task)),
            row.name,
            state,
        ]  # the name is Markdown
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write_between(path: str | Path, name: str, text: str) -> bool:
    r"""Put text between ``<!-- name: begin -->`` and ``<!-- name: end -->``; return whether the file changed.

    Parameters
    ----------
    path : Path
    name, text : str

    Returns
    -------
    bool

    Raises
    ------
    DataError
        If the file lacks one of the two lines.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = Path(home) / "README.md"
    ...     _ = path.write_text("<!-- systems: begin -->\n<!-- systems: end -->\n", encoding="utf-8")
    ...     write_between(path, "systems", "new\n"), write_between(path, "systems", "new\n")
    (True, False)
    """
    path = Path(path)
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    old = path.read_text(encoding="utf-8")
    before, found, rest = old.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise DataError(f"{path} has no line '{begin if not found else end}'.", f"Add '{begin}' and '{end}'.")
    new = f"{before}{begin}\n{text.strip(chr(10))}\n{end}{after}"
    if new != old:
        write_whole(path, new.encode())
    return new != old
