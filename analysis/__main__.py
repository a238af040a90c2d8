"""The command line: ``yardstick``, or ``python -m analysis``."""

import errno
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from analysis.commands.add_data import add_data
from analysis.commands.base import EXIT_CODES as _EXIT_CODES
from analysis.commands.base import Fault, Problem
from analysis.commands.base import epilog as _epilog
from analysis.commands.base import print_records as _print_records
from analysis.commands.cluster import cluster
from analysis.commands.derive import derive
from analysis.commands.inflect import inflect
from analysis.commands.parse import parse

_ARGUMENT = re.compile(r"\b(encoding|unlabelled|columns|differing_words)=('[^']*')?")


def _in_options(message: str) -> str:
    """A message of the library with its arguments replaced by the options of the command line.

    Examples
    --------
    >>> _in_options("Give encoding= if the file has another one.")
    'Give --encoding if the file has another one.'
    """
    message = re.sub(r"Give strict=False( to\b)?", r"Leave out --strict\1", message)
    message = message.replace(", or format= if the format is another one", "; --system-format names another format")
    return _ARGUMENT.sub(lambda match: f"--{match[1].replace('_', '-')}{' ' + match[2] if match[2] else ''}", message)


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
        """Run the command."""
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
        except OSError as error:
            if error.errno == errno.EPIPE or ctx.params.get("debug"):
                raise
            raise Problem(str(error)) from error
        except ValueError as error:
            if ctx.params.get("debug"):
                raise
            message = _in_options(str(error)) if ctx.invoked_subcommand == "evaluate" else str(error)
            raise Problem(message or type(error).__name__) from error
        except RuntimeError as error:
            if ctx.params.get("debug") or type(error).__name__ != "NotebookError":
                raise
            raise Fault(str(error)) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show where in the program an error arose.")
@click.version_option(package_name="language-yardstick", prog_name="Language Yardstick")
def main(debug: bool) -> None:
    """Recompute how five papers evaluate models of language learning."""


@main.command(
    epilog=_epilog("reproduce --output report", "reproduce kodner2023", "reproduce clark2002 frank2009 --n-jobs 1")
)
@click.argument("papers", nargs=-1, metavar="[PAPER]...")
@click.option("--corpus", metavar="NAME", help="Corpus to run on (see data list). Default: the paper's, if at hand.")
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


class Scoring(click.Command):
    """A command that scores files; it writes the table of incidents even if it fails."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except MemoryError as error:
            names = [ctx.params["gold"], *ctx.params.get("systems", [ctx.params.get("system")])]
            raise Problem(f"memory does not suffice to score {', '.join(map(str, names))}.") from error
        except ValueError as error:
            if ctx.params["incidents_file"] is not None:
                from analysis.evaluation.incidents import write_incidents

                last = getattr(error, "incident", None)
                found = [*_found(), *getattr(error, "gathered", ()), *([last] if last else [])]
                write_incidents(ctx.params["incidents_file"], dict.fromkeys(found))
            raise


def _found() -> list[Any]:
    """Defects found so far in the files of the running command."""
    found: list[Any] = click.get_current_context().meta.setdefault("incidents", [])
    return found


@main.group(epilog=_EXIT_CODES)
def evaluate() -> None:
    """Score your own system's files against a gold standard.

    A file may be packed (gz, xz, bz2, zip), a member of an archive (corpus.zip/a.conllu), or - for standard input.
    Sentences and items are matched by their identifiers, where both sides have them; else by order, and then the words
    must agree. What a system lacks is a wrong answer. What is wrong with a file is named by kind on standard error, in
    JSON and CSV in the field incidents.
    """


evaluate.command_class = Scoring
_intervals_option = click.option("--no-intervals", is_flag=True, help="Give no confidence intervals.")
_format_option = click.option(
    "--format", "kind", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)


def _file_options(command: Any) -> Any:
    """Options of all commands that score files."""
    for option in (
        _format_option,
        click.option(
            "--incidents",
            "incidents_file",
            metavar="FILE",
            type=click.Path(dir_okay=False),
            help="Write all that is wrong with the files into FILE (CSV).",
        ),
        click.option(
            "--strict", is_flag=True, help="Refuse the first defect. Default: score what can be, name the rest."
        ),
        click.option("--encoding", metavar="NAME", help="Of all files. Default: UTF-8, or UTF-16 by its mark."),
    ):
        command = option(command)
    return command


def _label_options(command: Any) -> Any:
    """Options of the commands on labels of words."""
    options = (
        click.option("--leave-out", multiple=True, metavar="TAG", help="Gold tag not to score; may be repeated."),
        click.option(
            "--penn-punctuation", is_flag=True,
            help="Do not score the 11 Penn Treebank tags that Reichart et al. leave out, as far as there are any.",
        ),
        click.option(
            "--unlabelled", type=click.Choice(["wrong", "refuse", "leave out", "one cluster"]), default="wrong",
            show_default=True,
            help="Tokens without a cluster. Wrong: no mapping gives them a tag; elsewhere they are one cluster.",
        ),
        _file_options,
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    for name, help in (("system", "each SYSTEM"), ("gold", "GOLD")):
        command = click.option(
            f"--{name}-column", default="auto", metavar="COLUMN",
            help=f"Column of {help}, if a treebank: fine, universal or coarse. Default: the first that it has.",
        )(command)  # fmt: skip
        command = click.option(
            f"--{name}-format", default="auto", metavar="FORMAT",
            help=f"Format of {help}: conllu, conllx, nine-columns, words-and-tags, slashed, types, tags, paths, "
            "map. Default: "
            "as the file looks.",
        )(command)  # fmt: skip
    return command


@evaluate.command(
    "tags",
    epilog=_epilog(
        "evaluate tags gold.conllu mine.txt",
        "evaluate tags gold.txt brown.paths --leave-out .",
        "evaluate tags gold.conllu mine.txt --format csv",
    ),
)
@click.argument("gold", type=click.Path())
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True, type=click.Path())
@_label_options
@click.option(
    "--assignment", type=click.Choice(["optimal", "greedy"]), default="optimal", show_default=True,
    help="One-to-one mapping of clusters to tags.",
)  # fmt: skip
@click.option("--base", default="2", show_default=True, metavar="NUMBER", help="Base of the logarithm: e or a number.")
def evaluate_tags(
    gold: str,
    systems: tuple[str, ...],
    kind: str,
    incidents_file: str | None,
    assignment: str,
    base: str,
    **choices: Any,
) -> None:
    """Token-level measures of the clusters in SYSTEM... against the tags in GOLD.

    Files: CoNLL-U, CoNLL-X, CoNLL-2008 and 2009, nine columns, word TAB tag, one tag per line, slashed text (the/D
    cat/N), word TAB class of word types (mkcls, ClusterCat), paths or map of Brown clustering.
    """
    import math

    from analysis.evaluation import tags as evaluation

    try:
        number = math.e if base == "e" else float(base)
    except ValueError:
        raise Problem(f"--base is e or a number, not {base!r}.") from None
    found = _found()
    choices |= {"assignment": assignment, "base": number, "incidents": found}
    records = evaluation.evaluate_tags.records(_gold_of_labels(gold, choices), systems, **choices)
    _print_scores(records, kind, found, incidents_file)


@evaluate.command(
    "types",
    epilog=_epilog(
        "evaluate types gold.conllu brown.paths",
        "evaluate types gold.txt mine.txt --seed 1",
        "evaluate types gold.conllu brown.paths --format json",
    ),
)
@click.argument("gold", type=click.Path())
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True, type=click.Path())
@_label_options
@click.option("--restarts", default=10, show_default=True, type=click.IntRange(min=1), help="Starts of hill climbing.")
@click.option(
    "--initialisation", type=click.Choice(["random", "edges"]), default="random", show_default=True,
    help="How hill climbing starts.",
)  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Of hill climbing.")
def evaluate_types(
    gold: str, systems: tuple[str, ...], kind: str, incidents_file: str | None, seed: int, **choices: Any
) -> None:
    """Type-level measures: the lexicon of SYSTEM... (the clusters of each word) against that of GOLD.

    Files as for tags; they must have words.
    """
    from analysis.evaluation import tags as evaluation

    found = _found()
    choices |= {"random_state": seed, "incidents": found}
    records = evaluation.evaluate_types.records(_gold_of_labels(gold, choices), systems, **choices)
    _print_scores(records, kind, found, incidents_file)


@evaluate.command(
    "trees",
    epilog=_epilog(
        "evaluate trees gold.conllu mine.conllu",
        "evaluate trees gold.conllu mine.conllu --no-punctuation --max-length 10",
        "evaluate trees gold.conllu mine.conllu --by relation --all-relations",
    ),
)
@click.argument("gold", type=click.Path())
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--no-punctuation", is_flag=True,
    help="Take it out of both trees: its children go to their nearest other ancestor.",
)  # fmt: skip
@click.option(
    "--punctuation-rule", metavar="RULE",
    help="'form': what consists of punctuation marks. Default: the gold tags, if they tell, else 'form'.",
)  # fmt: skip
@click.option("--max-length", type=click.IntRange(min=1), help="Only sentences of at most so many tokens, all counted.")
@click.option("--no-root-edges", is_flag=True, help="Do not score words whose gold head is the root.")
@click.option("--by", type=click.Choice(["relation", "length"]), help="Divide by gold relation, or by length.")
@click.option(
    "--all-relations", is_flag=True, help="Relations as in GOLD, not those of Gelling et al. (2012), Table 6."
)
@click.option(
    "--gold-format", default="auto", metavar="FORMAT",
    help="conllu, conllx, nine-columns, conll2008, conll2009 or word-tag-head. Default: as the file looks.",
)  # fmt: skip
@click.option("--system-format", default="auto", metavar="FORMAT", help="Of each SYSTEM, likewise.")
@_file_options
def evaluate_trees(
    gold: str,
    systems: tuple[str, ...],
    kind: str,
    incidents_file: str | None,
    no_punctuation: bool,
    no_root_edges: bool,
    all_relations: bool,
    **choices: Any,
) -> None:
    """Directed and undirected accuracy and NED of the trees in SYSTEM... against those in GOLD.

    Files: CoNLL-U, CoNLL-X, CoNLL-2008 and 2009, the nine columns of the challenge, or word TAB tag TAB head.
    """
    from analysis.evaluation.trees import evaluate_trees as evaluation

    scheme = None if all_relations else "table6"
    found = _found()
    choices |= {"punctuation": not no_punctuation, "root_edges": not no_root_edges, "scheme": scheme}
    _print_scores(evaluation.records(gold, systems, incidents=found, **choices), kind, found, incidents_file)


@evaluate.command(
    "ccg",
    epilog=_epilog(
        "evaluate ccg gold.auto mine.auto",
        "evaluate ccg gold.auto mine.auto --no-punctuation",
        "evaluate ccg gold.auto mine.auto --resamples 0 --format json",
    ),
)
@click.argument("gold", type=click.Path())
@click.argument("system", type=click.Path())
@click.option("--no-punctuation", is_flag=True, help="Do not count it.")
@click.option(
    "--heads", type=click.Choice(["auto", "field", "rule"]), default="auto", show_default=True,
    help="Where the heads of the tree dependencies come from; auto: the files' head field, if informative.",
)  # fmt: skip
@click.option(
    "--differing-words", type=click.Choice(["count", "refuse"]), default="count", show_default=True,
    help="What to do where a word is spelled in two ways in sentences with one ID.",
)  # fmt: skip
@click.option(
    "--resamples", default=1000, show_default=True, type=click.IntRange(min=0), help="Bootstrap resamples of sentences."
)
@click.option("--seed", default=0, show_default=True, help="Of the bootstrap.")
@_intervals_option
@_file_options
def evaluate_ccg(
    gold: str,
    system: str,
    kind: str,
    incidents_file: str | None,
    no_punctuation: bool,
    no_intervals: bool,
    seed: int,
    **choices: Any,
) -> None:
    """Lexical categories, Parseval and both dependency evaluations of SYSTEM's CCG derivations against GOLD's.

    Files in the AUTO format of CCGbank, as CCGbank, C&C, EasyCCG or depccg write it. A sentence without a parse counts
    against recall.
    """
    from analysis.evaluation import ccg as evaluation
    from analysis.evaluation.incidents import incidents_of

    choices |= {"resamples": 0} if no_intervals else {}
    scored = evaluation.evaluate_ccg_files(gold, system, punctuation=not no_punctuation, random_state=seed, **choices)
    click.echo(evaluation.written(scored, kind), nl=False)
    _tell(incidents_of(scored.incidents), kind, incidents_file)


@evaluate.command(
    "inflections",
    epilog=_epilog(
        "evaluate inflections gold.tsv mine.tsv",
        "evaluate inflections gold.tsv mine.tsv --training train.tsv --language English",
        "evaluate inflections gold.tsv mine.tsv --columns lemma,form,features --format csv",
    ),
)
@click.argument("gold", type=click.Path())
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True, type=click.Path())
@click.option("--training", metavar="FILE", type=click.Path(), help="Training items, to score by what they had.")
@click.option(
    "--language", type=click.Choice(["Arabic", "English", "German"]),
    help="Class the wrong forms: plurals of Arabic and German nouns, English past tense.",
)  # fmt: skip
@click.option(
    "--columns", metavar="NAMES",
    help="Columns of all files in their order, such as lemma,features,form. Default: as the features show.",
)  # fmt: skip
@click.option("--sort-features", is_flag=True, help="Take V;PST and PST;V, or PST,V, for the same features.")
@_intervals_option
@_file_options
def evaluate_inflections(
    gold: str,
    systems: tuple[str, ...],
    kind: str,
    incidents_file: str | None,
    columns: str | None,
    no_intervals: bool,
    **choices: Any,
) -> None:
    """Accuracy of the forms in SYSTEM... against GOLD, with counts and intervals.

    Files: lemma TAB form TAB features, or lemma TAB features TAB form, the items in any order.
    """
    from analysis.evaluation import inflections as evaluation

    found = _found()
    names = None if columns is None else tuple(name.strip() for name in columns.split(","))
    records = evaluation.evaluate_inflections.records(gold, systems, columns=names, incidents=found, **choices)
    names_shown = {"group": "measure", "convention": "conventions"}
    records = [{names_shown.get(name, name): value for name, value in record.items()} for record in records]
    if no_intervals:
        for record in records:
            del record["lower"], record["upper"]
            record["conventions"] = re.sub(r"; Wilson interval, \d+%", "", record["conventions"])
    _print_scores(records, kind, found, incidents_file)


@evaluate.command(
    "brackets",
    epilog=_epilog(
        "evaluate brackets gold.mrg mine.mrg",
        "evaluate brackets gold.mrg mine.mrg --parameters COLLINS.prm --max-length 40",
        "evaluate brackets gold.mrg baseline.mrg mine.mrg --compare --format csv",
    ),
)
@click.argument("gold", type=click.Path())
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--conventions", type=click.Choice(["evalb", "plain"]), default="evalb", show_default=True,
    help="evalb: those of EVALB's usual parameter file; plain: every bracket, label and word as it stands.",
)  # fmt: skip
@click.option("--parameters", metavar="FILE", type=click.Path(), help="A parameter file of EVALB, instead.")
@click.option("--unlabelled-brackets", is_flag=True, help="Do not compare labels.")
@click.option("--max-length", type=click.IntRange(min=1), help="Only sentences of at most so many words.")
@click.option(
    "--failed", type=click.Choice(["leave out", "count"]), default="leave out", show_default=True,
    help="Sentences without a parse: left out, as EVALB does, or counted in recall.",
)  # fmt: skip
@click.option(
    "--mismatch", type=click.Choice(["leave out", "count", "refuse"]), default="leave out", show_default=True,
    help="Sentences whose words are not those of GOLD, likewise.",
)  # fmt: skip
@click.option("--compare", is_flag=True, help="Test each SYSTEM against the first, sentence by sentence.")
@click.option("--resamples", default=1000, show_default=True, type=click.IntRange(min=1), help="Of the bootstrap.")
@click.option("--confidence", default=0.95, show_default=True, type=float, help="Of the intervals.")
@click.option("--seed", default=0, show_default=True, help="Of the bootstrap.")
@_intervals_option
@_file_options
def evaluate_brackets(
    gold: str,
    systems: tuple[str, ...],
    kind: str,
    incidents_file: str | None,
    compare: bool,
    no_intervals: bool,
    **choices: Any,
) -> None:
    """Brackets of the phrase-structure trees in SYSTEM... against those in GOLD, as EVALB counts them.

    Files of Penn brackets, one tree per line; an empty line or (()) is a failed parse.
    """
    from analysis.evaluation.brackets import evaluate_brackets as evaluation
    from analysis.evaluation.records import frame_records, shown

    found = _found()
    conventions = _bracket_conventions(choices)
    options = {"resamples": choices["resamples"], "confidence": choices["confidence"], "random_state": choices["seed"]}
    reading = {name: choices[name] for name in ("strict", "encoding")}
    table, scored = evaluation(
        gold, systems, conventions, intervals=not no_intervals, incidents=found, **reading, **options
    )
    if compare:
        from analysis.evaluation.comparing import compare_systems

        if len(systems) < 2:
            raise Problem("--compare needs two systems or more; the first is the baseline.")
        rows = frame_records(compare_systems(scored, **options).differences)
        if kind == "table":
            rows = [{name: shown(value) for name, value in row.items()} for row in rows]
        _print_records(rows, kind)
        _tell(found, kind, incidents_file)
        return
    records = frame_records(table)
    if kind == "table":
        for record in records:
            record["conventions"] += "; " + record.pop("signature")
    _print_scores(records, kind, found, incidents_file)


def _bracket_conventions(choices: dict[str, Any]) -> Any:
    """The conventions that the options name."""
    from dataclasses import replace

    from analysis.constituents import CONVENTIONS, read_parameters

    named = CONVENTIONS[choices["conventions"]]
    if choices["parameters"] is not None:
        named = read_parameters(Path(choices["parameters"]))
    changes = {name: choices[name] for name in ("max_length", "failed", "mismatch")}
    return replace(named, labelled=named.labelled and not choices["unlabelled_brackets"], **changes)


def _gold_of_labels(gold: str, choices: dict[str, Any]) -> Any:
    """The text of the gold file; in the choices, ``leave_out`` replaces the option on punctuation."""
    from analysis.corpora.opening import open_text

    text = open_text(Path(gold), encoding=choices["encoding"])
    if choices.pop("penn_punctuation"):
        from analysis.corpora.universal_tags import PENN_PUNCTUATION_AND_SYMBOLS
        from analysis.evaluation.tags import read_labelled

        format, column, strict = (choices[name] for name in ("gold_format", "gold_column", "strict"))
        reference = read_labelled(text, format=format, column=column, strict=strict)
        found = set(reference.table[reference.label].astype("str"))
        tags = [tag for tag in PENN_PUNCTUATION_AND_SYMBOLS if tag in found]
        choices["leave_out"] = (*choices["leave_out"], *tags)
        if not tags:
            click.echo(f"punctuation: 0 tokens left out; {text.name} has none of the tags", err=True)
    return text


def _print_scores(records: list[dict[str, Any]], kind: str, incidents: list[Any], incidents_file: str | None) -> None:
    """One record per measure; as a table, numbers are rounded and what holds of all is said once, below.

    Raises
    ------
    Problem
        If every measure is a ratio over nothing.
    """
    from analysis.evaluation.incidents import incident_lines, with_incidents, write_incidents
    from analysis.evaluation.records import lines_of, shown

    if all(record["value"] is None and record["denominator"] == 0 for record in records):
        if incidents_file is not None:
            write_incidents(incidents_file, incidents)
        found = "; ".join(incident_lines(incidents) or dict.fromkeys(record["conventions"] for record in records))
        raise Problem(f"nothing is left to score ({found}).")
    if kind != "table":
        _print_records(with_incidents(records, incidents, as_text=kind == "csv"), kind)
        _tell(incidents, kind, incidents_file)
        return
    for system in dict.fromkeys(record["system"] for record in records):
        click.echo(system)
        rows = [record for record in records if record["system"] == system]
        hidden = ("system", "conventions")
        names = [name for name in rows[0] if name not in hidden and any(row[name] is not None for row in rows)]
        for line in lines_of([names, *([shown(row[name]) for name in names] for row in rows)]):
            click.echo(line)
        parts = [row["conventions"].split("; ") for row in rows]
        shared = [part for part in parts[0] if all(part in others for others in parts)]
        for row, own in zip(rows, parts, strict=True):
            special = "; ".join(part for part in own if part not in shared)
            if special:
                click.echo(f"{row['measure']}: {special}")
        click.echo("; ".join(shared) + "\n")
    _tell(incidents, kind, incidents_file)


def _tell(incidents: list[Any], kind: str, file: str | None) -> None:
    """Report the defects of the files: by kind on standard error (with a table), and in a file if one is named."""
    from analysis.evaluation.incidents import incident_lines, write_incidents

    if kind == "table":
        for line in incident_lines(incidents):
            click.echo(line, err=True)
    if file is not None:
        write_incidents(file, incidents)


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
for _command in (cluster, parse, inflect, derive):
    main.add_command(_command)


if __name__ == "__main__":
    main(prog_name="python -m analysis")
