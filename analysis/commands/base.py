"""What commands share: user errors, examples, tables, options of files, and where a clustering or a model goes."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click


class Problem(click.ClickException):
    """A user error; one message, no traceback."""

    exit_code = 2


class Fault(click.ClickException):
    """An error of the suite; one message."""

    exit_code = 1


class Written(click.Path):
    """Type of an option that names a file to be written; with `dash`, ``-`` is standard output."""

    def __init__(self, dash: bool = False) -> None:
        super().__init__(dir_okay=False, readable=False, allow_dash=dash)


#: What scores can be divided by; each subject has some of them.
BY = ("relation", "tag", "cluster", "distance", "length", "frequency", "sentence length", "features", "letters", "seen")

#: Type of a seed: numpy takes none below 0.
SEED = click.IntRange(min=0)

EXIT_CODES = (
    "Exit codes: 0 done; 2 a file or an option was refused, or nothing could be scored; 1 a fault of this suite; "
    "130 interrupted. An error is one line (file, line: what was found; what was expected); below it, indented, the "
    "text of that line, and what to do, where there is something to say."
)


def epilog(*examples: str) -> str:
    """Examples, each on its line, and the exit codes.

    Examples
    --------
    >>> epilog("data list").splitlines()[1:3]
    ['Examples:', '  yardstick data list']
    """
    return "\n".join(["\b", "Examples:", *(f"  yardstick {example}" for example in examples)]) + f"\n\n{EXIT_CODES}"


def print_records(records: list[dict[str, Any]], kind: str) -> None:
    """Records on standard output, as text, CSV or JSON."""
    click.echo(records_text(records, kind), nl=False)


def records_text(records: list[dict[str, Any]], kind: str) -> str:
    """Records as text, CSV or JSON; in text, numbers are rounded."""
    from analysis.evaluation.records import csv_text, json_text, lines_of, shown
    from analysis.structures.incidents import printable

    names = list(records[0]) if records else []
    if kind == "csv":
        return csv_text(records, names)
    if kind == "json":
        return json_text(records)
    lines = lines_of([names, *([shown(record[name]) for name in names] for record in records)])
    return "".join(f"{printable(line)}\n" for line in lines)


def check_gold(gold: str | None) -> None:
    """Refuse, before a model is fitted, a gold file that is not there or cannot be read; standard input is not read."""
    if gold is not None and gold != "-":
        from analysis.corpora.opening import open_text

        open_text(Path(gold))


def settings(pairs: Iterable[str]) -> dict[str, Any]:
    """Parameters of a model as the option ``--set`` gives them: ``NAME=VALUE``, numbers and lists as in JSON.

    Raises
    ------
    Problem
        If there is no ``=``.

    Examples
    --------
    >>> settings(["sweeps=500", "order=bigram", "annealing=[2, 0.08]", "resample_priors=false"])
    {'sweeps': 500, 'order': 'bigram', 'annealing': (2, 0.08), 'resample_priors': False}
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not sign or not name.strip():
            raise Problem(f"--set is NAME=VALUE, such as sweeps=500, not {pair!r}.")
        try:
            value = json.loads(text)
        except json.JSONDecodeError:
            value = text.strip()
        found[name.strip().replace("-", "_")] = tuple(value) if isinstance(value, list) else value
    return found


def options(*choices: Callable) -> Callable[[Any], Any]:
    """Several options at once, in their order."""

    def add(command: Any) -> Any:
        for choice in reversed(choices):
            command = choice(command)
        return command

    return add


model_options = options(
    click.option(
        "--set", "parameters", multiple=True, metavar="NAME=VALUE",
        help="Parameter of the model, by its name in the library; may be repeated.",
    ),
    click.option("--save-model", metavar="FILE", type=Written(), help="Write the fitted model."),
    click.option(
        "--model-file", metavar="FILE", type=click.Path(dir_okay=False),
        help="Apply a model that --save-model wrote; nothing is fitted.",
    ),
)  # fmt: skip
text_options = options(
    click.option(
        "--text-format", default="auto", metavar="FORMAT",
        help="Of the text: plain, conllu, conllx, nine-columns, conll2008, conll2009, word-tag-head, words-and-tags, "
        "slashed, brackets, ccg, chat. Default: as the file looks.",
    ),
    click.option("--encoding", metavar="NAME", help="Of the text. Default: UTF-8, or UTF-16 by its mark."),
    click.option("--strict", is_flag=True, help="Refuse the first defect. Default: keep what can be, name the rest."),
    click.option("--quiet", is_flag=True, help="No progress bar."),
)  # fmt: skip


def read_text(path: str, text_format: str, encoding: str | None, strict: bool) -> Any:
    """The text of a command, in any format; what was wrong with it goes to standard error, one line per kind."""
    from analysis.corpora import read_corpus
    from analysis.evaluation.incidents import incident_lines, incidents_of

    reading = read_corpus(source_of(path), format=text_format, strict=strict, encoding=encoding)
    for line in incident_lines(incidents_of(reading.incidents)):
        click.echo(line, err=True)
    return reading


def source_of(path: str) -> Any:
    """What a command was given for a file: a path, or ``-`` for standard input."""
    return path if path == "-" else Path(path)


def check_one_source(given: str | None, model_file: str | None, *, option: str, **others: Any) -> None:
    """Refuse a command that names both a model to fit and a saved one, or neither.

    Raises
    ------
    Problem
    """
    if (given is None) == (model_file is None):
        raise Problem(f"give either --{option}, to fit a model, or --model-file, to apply a saved one.")
    idle = [name for name, value in others.items() if value not in (None, (), "")]
    if model_file is not None and idle:
        raise Problem(f"--{idle[0].replace('_', '-')} is for a model that is fitted; --model-file names a saved one.")


def deliver(write: Callable[[Path | None], str | None], output: str) -> bool:
    """Let a writer write to a file, or its text to standard output for ``-``; returns whether there is a file."""
    text = write(None if output == "-" else Path(output))
    if text is not None:
        click.echo(text, nl=False)
    return text is None


def keep_model(model: Any, file: str | None) -> None:
    """Save a fitted model, if a file is named."""
    if file is not None:
        from analysis.experiments.saved_models import save_model

        save_model(model, file)
        click.echo(f"{file}: {type(model).__name__}", err=True)
