"""The command line: ``python -m analysis``."""

import errno
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import click


class Problem(click.ClickException):
    """Something the reader can mend; one message, no stack."""

    exit_code = 2


class Fault(click.ClickException):
    """Something that went wrong in the suite."""

    exit_code = 1


class Commands(click.Group):
    """A group whose errors are one message, and whose Ctrl-C is one line."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("Interrupted; nothing was left half-written.", err=True)
            ctx.exit(130)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except OSError as error:
            if error.errno == errno.EPIPE or ctx.params.get("debug"):
                raise
            raise Problem(str(error)) from error
        except ValueError as error:
            if ctx.params.get("debug"):
                raise
            raise Problem(str(error) or type(error).__name__) from error
        except RuntimeError as error:
            if ctx.params.get("debug") or type(error).__name__ != "NotebookError":
                raise
            raise Fault(str(error)) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show where in the program an error arose.")
@click.version_option(package_name="language-yardstick", prog_name="Language Yardstick")
def main(debug: bool) -> None:
    """Recompute how five papers evaluate models of language learning."""


@main.command()
@click.argument("papers", nargs=-1, metavar="[PAPER]...")
@click.option("--corpus", metavar="NAME", help="Corpus to run on (see data list). Default: the paper's, if at hand.")
@click.option("--full", is_flag=True, help="Compute as long as the paper did (hours).")
@click.option("--output", metavar="DIR", default="report", show_default=True, help="Folder of the report.")
@click.option("--n-jobs", type=int, default=-1, show_default=True, help="Processes; -1 for all cores.")
def reproduce(papers: tuple[str, ...], corpus: str | None, full: bool, output: str, n_jobs: int) -> None:
    """Write every table and figure of PAPER... (default: all) with an index page, printed beside recomputed."""
    if n_jobs == 0 or n_jobs < -1:
        raise Problem(f"--n-jobs must be -1 or at least 1, not {n_jobs}.")
    from analysis.report import reproduce as run

    page = run(
        papers, corpus=corpus, full=full, output=output, n_jobs=n_jobs, tell=lambda line: click.echo(line, err=True)
    )
    click.echo(page)


@main.group()
def data() -> None:
    """List, fetch, add and check corpora."""


@data.command("list")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
def list_data(kind: str) -> None:
    """Show each data set: name, language, licence, size, and where it stands."""
    from analysis.corpora.fetching import status

    _print_table(status(), kind)


@data.command("fetch")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--jobs", default=4, show_default=True, type=click.IntRange(min=1), help="Files at a time.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def fetch_data(names: tuple[str, ...], jobs: int, quiet: bool) -> None:
    """Fetch data sets into the cache, verified by checksum; interrupted, it goes on from where it was."""
    from analysis.corpora.fetching import fetch

    table = fetch(names, n_jobs=jobs, progress=not quiet)
    for (name, state), files in table.groupby(["dataset", "state"], sort=False, observed=True):
        count = f", {len(files):,} file{'' if len(files) == 1 else 's'}" if files["path"].iloc[0] else ""
        click.echo(f"{name}: {state}{count}")


@data.command("add")
@click.argument("name")
@click.argument("path", type=click.Path())
def add_data(name: str, path: str) -> None:
    """Register a corpus that you have (folder or zip of CHAT, CCGbank, Penn Treebank or CoNLL-U files) as NAME."""
    from analysis.corpora.fetching import add

    entry = add(name, path)
    click.echo(f"{entry.name}: {entry.files:,} files of kind {entry.kind} in {entry.path}")


@data.command("generate")
@click.option("--utterances", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["conllu", "auto", "chat", "tokens"]),
    default="conllu",
    show_default=True,
    help="tokens: a table, Parquet if FILE ends so.",
)
@click.option("--output", "file", metavar="FILE", required=True, type=click.Path(dir_okay=False))
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--mean-length", type=float, help="Mean number of words.")
@click.option("--word-types", type=int, help="Number of word types.")
@click.option("--n-jobs", type=int, default=1, show_default=True, help="Processes; the utterances are the same.")
def generate_data(
    utterances: int, kind: str, file: str, seed: int, mean_length: float | None, word_types: int | None, n_jobs: int
) -> None:
    """Draw utterances of the built-in language into FILE; generated, never recorded speech."""
    from analysis.corpora.exporting import write_generated

    choices = {"mean_length": mean_length, "word_types": word_types, "n_jobs": n_jobs}
    count = write_generated(utterances, file, kind, random_state=seed, **choices)
    click.echo(f"{file}: {count:,} generated utterances")


@data.command("check")
@click.argument("names", metavar="[NAME]...", nargs=-1)
def check_data(names: tuple[str, ...]) -> None:
    """Compare the files at hand with the catalogue, to the last byte; fails if one is altered."""
    from analysis.corpora.fetching import check

    table = check(names or None)
    wrong = table[table["state"] == "altered"]
    for row in wrong.itertuples():
        click.echo(f"{row.dataset}: {row.path} is altered: {row.place} {row.detail}")
    counts = table["state"].value_counts()
    click.echo(", ".join(f"{counts.get(state, 0):,} {state}" for state in ("ok", "missing", "altered")))
    if len(wrong):
        raise Problem("delete what is altered and fetch it again.")


@main.command()
@click.option(
    "--write", metavar="FILE", type=click.Path(exists=True, dir_okay=False),
    help="Put the table between the lines '<!-- systems: begin -->' and '<!-- systems: end -->' of FILE.",
)  # fmt: skip
def systems(write: str | None) -> None:
    """Print every system that the papers evaluate, and whether this suite runs it (Markdown)."""
    from analysis.report.systems import systems_markdown, write_between

    if write is None:
        click.echo(systems_markdown(), nl=False)
    else:
        changed = write_between(write, "systems", systems_markdown())
        click.echo(f"{write}: {'written' if changed else 'in step'}", err=True)


@main.command()
def notebook() -> None:
    """Open the notebooks in JupyterLab."""
    from analysis.corpora.folders import notebooks_folder

    sys.exit(subprocess.run([sys.executable, "-m", "jupyterlab", str(notebooks_folder())], check=False).returncode)


@main.command()
@click.argument("paper", default="frank2009")
def dashboard(paper: str) -> None:
    """Serve the notebook of PAPER (default: frank2009) as a page without code."""
    from analysis.corpora.folders import notebooks_folder
    from analysis.report.registry import find_paper

    path: Path = notebooks_folder() / find_paper(paper).notebook
    if not path.is_file():
        raise Problem(f"there is no notebook {path}.")
    command = [sys.executable, "-m", "voila", str(path), "--show_tracebacks=True"]
    sys.exit(subprocess.run(command, check=False).returncode)


def _print_table(table: Any, kind: str, stream: IO[str] | None = None) -> None:
    if kind == "csv":
        click.echo(table.to_csv(index=False, lineterminator="\n"), nl=False, file=stream)
    elif kind == "json":
        click.echo(table.to_json(orient="records", force_ascii=False, indent=1), file=stream)
    else:
        rows = [list(table.columns), *table.astype("str").values.tolist()]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            click.echo(line.rstrip(), file=stream)


if __name__ == "__main__":
    main(prog_name="python -m analysis")
