"""The sub-commands ``data list``, ``data fetch``, ``data add`` and ``data check``."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Errors about data as one message, without a stack."""
    from analysis.structures import DataError

    try:
        yield
    except DataError as error:
        raise click.ClickException(str(error)) from None


@click.group("data")
def data_commands() -> None:
    """List, fetch, add and check corpora."""


@data_commands.command("list")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values instead of an aligned table.")
def list_command(as_csv: bool) -> None:
    """Show each data set: name, language, licence, size, and where it stands."""
    from analysis.corpora.fetching import status

    with _plain_errors():
        table = status()
    click.echo(table.to_csv(index=False).rstrip("\n") if as_csv else _aligned(table.to_numpy().tolist(), table.columns))


@data_commands.command("fetch")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--jobs", default=4, show_default=True, type=click.IntRange(min=1), help="Files at a time.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def fetch_command(names: tuple[str, ...], jobs: int, quiet: bool) -> None:
    """Fetch data sets into the cache, verified by checksum; interrupted, it goes on from where it was."""
    from analysis.corpora.fetching import fetch

    with _plain_errors():
        table = fetch(names, n_jobs=jobs, progress=not quiet)
    for (name, state), files in table.groupby(["dataset", "state"], sort=False, observed=True):
        click.echo(
            f"{name}: {state}"
            + (f", {len(files):,} file{'' if len(files) == 1 else 's'}" if files["path"].iloc[0] else "")
        )


@data_commands.command("add")
@click.argument("name")
@click.argument("path", type=click.Path())
def add_command(name: str, path: str) -> None:
    """Register a corpus that you have (folder or zip of CHAT, CCGbank, Penn Treebank or CoNLL-U files) as NAME."""
    from analysis.corpora.fetching import add

    with _plain_errors():
        entry = add(name, path)
    click.echo(f"{entry.name}: {entry.files:,} files of kind {entry.kind} in {entry.path}")


@data_commands.command("check")
@click.argument("names", metavar="[NAME]...", nargs=-1)
def check_command(names: tuple[str, ...]) -> None:
    """Compare the files at hand with the catalogue, to the last byte; fails if one is altered."""
    from analysis.corpora.fetching import check

    with _plain_errors():
        table = check(names or None)
    wrong = table[table["state"] == "altered"]
    for row in wrong.itertuples():
        click.echo(f"{row.dataset}: {row.path} is altered: {row.place} {row.detail}")
    counts = table["state"].value_counts()
    click.echo(", ".join(f"{counts.get(state, 0):,} {state}" for state in ("ok", "missing", "altered")))
    if len(wrong):
        raise click.ClickException("delete what is altered and fetch it again.")


def _aligned(rows: list[list[str]], columns: Iterable[str]) -> str:
    """Rows under their column names, aligned to the left."""
    table = [list(map(str, columns)), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in table)
