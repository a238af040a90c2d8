"""The command line: ``yardstick``, or ``python -m analysis``."""

import errno
import gc
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from analysis.commands.add_data import add_data
from analysis.commands.base import SEED, Fault, Problem, Written
from analysis.commands.base import epilog as _epilog
from analysis.commands.base import print_records as _print_records
from analysis.commands.cite import cite
from analysis.commands.cluster import cluster
from analysis.commands.derive import derive
from analysis.commands.evaluate import evaluate
from analysis.commands.files import FileCommand
from analysis.commands.inflect import inflect
from analysis.commands.parse import parse
from analysis.commands.teach import teach
from analysis.commands.tour import tour

_ARGUMENT = re.compile(r"\b(encoding|unlabelled|columns|differing_words)=('[^']*')?")
#: Arguments with whose names a message begins.
_FIRST = re.compile(r"^(by|confidence|resamples|share|mean_length|word_types|longest) (?=must |is )")
_FORMATS = {"evaluate": "--gold-format or --system-format", "data": "--format"}
_TOO_LARGE = "If this size is correct, unpack the file and name what was in it; divide a file of more than 4 GB."
#: What a browser may load for a page of the dashboard: nothing from other machines; the template of Voilà names one.
_OWN_PAGES = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; connect-src 'self' ws: wss:"
_MANY_OBJECTS = 50_000  #: New objects before cycles are searched: many, so that short commands do not search.
_WITH_STRICT = ("evaluate", "cluster", "parse", "derive")


def _in_options(message: str, command: str | None) -> str:
    """A message of the library with its arguments replaced by the options of the command line.

    Examples
    --------
    >>> _in_options("Give encoding= if the file has another one.", "evaluate")
    'Give --encoding if the file has another one.'
    >>> _in_options("confidence must lie between 0 and 1, not 2.", "evaluate")
    '--confidence must lie between 0 and 1, not 2.'
    """
    if command in _WITH_STRICT:
        message = re.sub(r"Give strict=False( to\b)?", r"Leave out --strict\1", message)
    else:
        message = re.sub(r"\n?Give strict=False[^\n]*", "", message)
    formats = _FORMATS.get(str(command), "--text-format")
    others = "--system-format" if command == "evaluate" else formats
    message = message.replace(", or format= if the format is another one", f"; {others} names another format")
    message = re.sub(r"^format is (?=')", f"{formats} is ", message)
    message = message.replace("Name the format 'plain'", f"Give {formats} plain")
    message = message.replace("Name the format.", f"Name the format: {formats}.")
    message = message.replace("Give a higher limit= if this size is correct.", _TOO_LARGE)
    if command == "data":
        message = message.replace("Give encoding= if the file has another one.", "Convert the file to UTF-8.")
    message = _FIRST.sub(lambda match: f"--{match[1].replace('_', '-')} ", message)
    return _ARGUMENT.sub(lambda match: f"--{match[1].replace('_', '-')}{' ' + match[2] if match[2] else ''}", message)


def _not_printed(error: OSError) -> bool:
    """Whether it was standard output that could not be written: no file is named, and `click.echo` was at work."""
    frame = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code is click.echo.__code__:
            return error.filename is None
        frame = frame.tb_next
    return False


def _in_one_line(error: click.UsageError) -> click.ClickException:
    """An error of the words of a command, without the lines on its usage; what asks for help stays."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError) or error.ctx is None:
        return error
    return Problem(f"{error.format_message()} See: {error.ctx.command_path} --help")


class Commands(click.Group):
    """A group of commands that reports an error as one message and Ctrl-C as one line."""

    def make_context(self, *given: Any, **named: Any) -> click.Context:
        """Read the words that come before the command."""
        try:
            return super().make_context(*given, **named)
        except click.UsageError as error:
            raise _in_one_line(error) from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; cycles of objects are searched less often meanwhile."""
        thresholds = gc.get_threshold()
        gc.set_threshold(max(_MANY_OBJECTS, thresholds[0]), *thresholds[1:])
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _in_one_line(error) from error
        except KeyboardInterrupt:
            click.echo("Interrupted; no incomplete file was left.", err=True)
            ctx.exit(130)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except MemoryError as error:
            if ctx.params.get("debug"):
                raise
            raise Problem("memory does not suffice; give less data, or fewer processes with --n-jobs.") from error
        except ModuleNotFoundError as error:
            if ctx.params.get("debug"):
                raise
            raise Problem(str(error)) from error
        except OSError as error:
            if error.errno == errno.EPIPE or ctx.params.get("debug"):
                raise
            printed = f"standard output: it cannot be written: {error.strerror}" if _not_printed(error) else str(error)
            raise Problem(printed) from error
        except ValueError as error:
            if ctx.params.get("debug"):
                raise
            message = _in_options(str(error), ctx.invoked_subcommand)
            raise Problem(message or type(error).__name__) from error
        except RuntimeError as error:
            if ctx.params.get("debug") or type(error).__name__ != "NotebookError":
                raise
            raise Fault(str(error)) from error
        finally:
            gc.set_threshold(*thresholds)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show where in the program an error arose.")
@click.version_option(package_name="language-yardstick", prog_name="Language Yardstick")
def main(debug: bool) -> None:
    """Recompute how five papers evaluate models of language learning."""


@main.command(
    epilog=_epilog("reproduce --output report", "reproduce kodner2023", "reproduce clark2002 frank2009 --n-jobs 1")
)
@click.argument("papers", nargs=-1, metavar="[PAPER]...")
@click.option("--corpus", metavar="NAME", help="Corpus to run on (see data list). Default: the paper's, if available.")
@click.option("--full", is_flag=True, help="Compute as long as the paper did (minutes to hours).")
@click.option(
    "--robustness", is_flag=True, help="Also judge the headline claims under each combination of conventions."
)
@click.option("--output", metavar="DIR", default="report", show_default=True, help="Folder of the report.")
@click.option("--n-jobs", type=int, default=-1, show_default=True, help="Processes; -1 for all cores.")
def reproduce(
    papers: tuple[str, ...], corpus: str | None, full: bool, robustness: bool, output: str, n_jobs: int
) -> None:
    """Write every table and figure of PAPER... (default: all) into a report, printed beside recomputed.

    A report that is in DIR already keeps its other papers.
    """
    if n_jobs == 0 or n_jobs < -1:
        raise Problem(f"--n-jobs must be -1 or at least 1, not {n_jobs}.")
    from analysis.report import reproduce as run

    page = run(
        papers,
        corpus=corpus,
        full=full,
        robustness=robustness,
        output=output,
        n_jobs=n_jobs,
        tell=lambda line: click.echo(line, err=True),
    )
    click.echo(page)


@main.group()
def data() -> None:
    """List, fetch, add and check corpora."""


@data.command("list", epilog=_epilog("data list", "data list --format csv", "data list --format json"))
@click.option("--format", "kind", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
def list_data(kind: str) -> None:
    """Show each data set: name, language, licence, size, and whether it is here."""
    from analysis.corpora.fetching import status

    _print_records(status().to_dict("records"), kind)


@data.command(
    "fetch",
    epilog=_epilog(
        "data fetch manchester", "data fetch manchester nltk-brown --quiet", "data fetch ud-english-ewt --n-jobs 1"
    ),
)
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--n-jobs", default=4, show_default=True, type=click.IntRange(min=1), help="Files at a time.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def fetch_data(names: tuple[str, ...], n_jobs: int, quiet: bool) -> None:
    """Fetch data sets into the cache, verified by checksum; interrupted, it goes on from where it was."""
    from analysis.corpora.fetching import fetch

    table = fetch(names, n_jobs=n_jobs, progress=not quiet)
    for (name, state), files in table.groupby(["dataset", "state"], sort=False, observed=True):
        count = f", {len(files):,} file{'' if len(files) == 1 else 's'}" if files["path"].iloc[0] else ""
        click.echo(f"{name}: {state}{count}")


@data.command(
    "generate",
    cls=FileCommand,
    epilog=_epilog(
        "data generate --output nursery.conllu",
        "data generate --utterances 100 --format auto --output nursery.auto",
        "data generate --utterances 100 --mean-length 4 --seed 1 --format chat --output nursery.cha",
    ),
)
@click.option("--utterances", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["conllu", "auto", "chat", "tokens"]),
    default="conllu",
    show_default=True,
    help="tokens: a table, Parquet if FILE ends so.",
)
@click.option("--output", "file", metavar="FILE", required=True, type=Written())
@click.option("--seed", type=SEED, default=0, show_default=True)
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


@data.command("check", epilog=_epilog("data check", "data check manchester", "data check ud-english-ewt nltk-brown"))
@click.argument("names", metavar="[NAME]...", nargs=-1)
def check_data(names: tuple[str, ...]) -> None:
    """Compare the files that are here with the catalogue, byte for byte; fails if one is altered."""
    from analysis.corpora.fetching import check

    table = check(names or None)
    wrong = table[table["state"] == "altered"]
    for row in wrong.itertuples():
        click.echo(f"{row.dataset}: {row.path} is altered: {row.place} {row.detail}")
    counts = table["state"].value_counts()
    click.echo(", ".join(f"{counts.get(state, 0):,} {state}" for state in ("ok", "missing", "altered")))
    if len(wrong):
        raise Problem("delete what is altered and fetch it again.")


@main.command(epilog=_epilog("systems", "systems --write README.md", "systems --write notes.md"))
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
        click.echo(f"{write}: {'written' if changed else 'unchanged'}", err=True)


_folder_option = click.option(
    "--folder", metavar="DIR", type=click.Path(file_okay=False),
    help="Folder of the copies. Default: work in a checkout, else in your data folder.",
)  # fmt: skip


@main.command(epilog=_epilog("notebook", "notebook kodner2023", "notebook --folder class"))
@click.argument("paper", required=False)
@_folder_option
def notebook(paper: str | None, folder: str | None) -> None:
    """Open copies of the notebooks in JupyterLab; with PAPER, that of the paper.

    The copies are yours: what you change in them stays, and nothing that is shipped changes.
    """
    place = _copies(folder, paper)[0]
    sys.exit(subprocess.run([sys.executable, "-m", "jupyterlab", str(place)], check=False).returncode)


@main.command(epilog=_epilog("dashboard", "dashboard frank2009", "dashboard clark2002 --idle 30 --visitors 5"))
@click.argument("paper", required=False)
@_folder_option
@click.option(
    "--idle", type=click.IntRange(min=1), default=10, show_default=True, metavar="MINUTES",
    help="A visitor's kernel ends after so long without use.",
)  # fmt: skip
@click.option(
    "--visitors", type=click.IntRange(min=1), default=20, show_default=True, metavar="NUMBER",
    help="Most kernels at a time; one takes about 0.4 GB of memory.",
)  # fmt: skip
def dashboard(paper: str | None, folder: str | None, idle: int, visitors: int) -> None:
    """Serve copies of the notebooks as pages without code; with PAPER, only that of the paper."""
    places = _copies(folder, paper)
    command = [sys.executable, "-m", "voila", str(places[0] if len(places) == 1 else places[0].parent)]
    options = (
        f"--MappingKernelManager.cull_idle_timeout={60 * idle}",
        "--MappingKernelManager.cull_interval=60",
        "--MappingKernelManager.cull_connected=True",  # an open page that is not used counts as idle
        "--VoilaConfiguration.multi_kernel_manager_class=analysis.report.dashboard_kernels.LimitedKernels",
        f"--LimitedKernels.limit={visitors}",
        f"--Voila.tornado_settings={ {'headers': {'Content-Security-Policy': _OWN_PAGES}}!r}",
    )
    sys.exit(subprocess.run([*command, "--show_tracebacks=True", *options], check=False).returncode)


def _copies(folder: str | None, paper: str | None) -> list[Path]:
    """The copies of a paper's notebooks, or their folder."""
    from analysis.report.registry import find_paper
    from analysis.report.working_copies import working_copies

    names = find_paper(paper).notebooks if paper else ()
    place = working_copies(folder, tell=lambda line: click.echo(line, err=True))
    missing = [name for name in names if not (place / name).is_file()]
    if missing or (paper and not names):
        raise Problem(f"there is no notebook {place / missing[0]}." if missing else f"{paper} has no notebook.")
    return [place / name for name in names] or [place]


data.add_command(add_data)
for _command in (evaluate, cite, cluster, parse, inflect, derive, teach, tour):
    main.add_command(_command)


if __name__ == "__main__":
    main(prog_name="python -m analysis")
