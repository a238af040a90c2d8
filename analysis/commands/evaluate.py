"""``yardstick evaluate``: score files of systems against a gold standard, and compare them."""

from pathlib import Path
from typing import Any

import click

from analysis.commands.base import EXIT_CODES, Problem, epilog, options
from analysis.commands.scoring import (
    Report,
    Scoring,
    by_option,
    found_incidents,
    result_options,
    scoring_options,
    training_option,
)


class _Evaluations(click.Group):
    """The group; ``--signature TEXT`` is its command of that name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the option as the command."""
        if args and args[0].partition("=")[0] == "--signature":
            _, sign, text = args[0].partition("=")
            args = ["signature", *([text] if sign else []), *args[1:]]
        return super().parse_args(ctx, args)


@click.group(cls=_Evaluations, epilog=EXIT_CODES)
def evaluate() -> None:
    """Score your own system's files against a gold standard.

    SYSTEM is a file, or NAME=FILE,FILE with the runs of one system: then the scores are means, with the variation over
    runs and over sentences, items or word types. Several systems are also tested against the first.

    A file may be packed (gz, xz, bz2, zip), a member of an archive (corpus.zip/a.conllu), or - for standard input.
    Sentences and items are matched by their identifiers, where both sides have them; else by order, and then the words
    must agree. What a system lacks is a wrong answer. What is wrong with a file is named by kind on standard error, in
    JSON and CSV in the field incidents.
    """


evaluate.command_class = Scoring
_gold = click.argument("gold", type=click.Path())
_systems = click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True, type=click.Path())


def _of_labels(name: str, what: str) -> tuple[Any, Any]:
    return (
        click.option(
            f"--{name}-format", default="auto", metavar="FORMAT",
            help=f"Format of {what}: conllu, conllx, nine-columns, words-and-tags, slashed, types, tags, paths, map. "
            "Default: as the file looks.",
        ),
        click.option(
            f"--{name}-column", default="auto", metavar="COLUMN",
            help=f"Column of {what}, if a treebank: fine, universal or coarse; _ is no tag. Default: the first that "
            "most tokens have.",
        ),
    )  # fmt: skip


_label_options = options(
    *_of_labels("gold", "GOLD"),
    *_of_labels("system", "each SYSTEM"),
    click.option("--leave-out", multiple=True, metavar="TAG", help="Gold tag not to score; may be repeated."),
    click.option(
        "--penn-punctuation", is_flag=True,
        help="Do not score the 11 Penn Treebank tags that Reichart et al. leave out, as far as there are any.",
    ),
    click.option(
        "--unlabelled", type=click.Choice(["wrong", "refuse", "leave out", "one cluster"]), default="wrong",
        show_default=True,
        help="Tokens without a cluster. Wrong: no mapping gives them a tag, nor their word type a cluster; in "
        "measures of tokens without a mapping they are one cluster.",
    ),
)  # fmt: skip


@evaluate.command(
    epilog=epilog(
        "evaluate tags gold.conllu mine.txt",
        "evaluate tags gold.txt brown.paths --leave-out .",
        "evaluate tags gold.conllu brown.paths mine.txt",
    )
)
@_gold
@_systems
@_label_options
@click.option(
    "--assignment", type=click.Choice(["optimal", "greedy"]), default="optimal", show_default=True,
    help="One-to-one mapping of clusters to tags.",
)  # fmt: skip
@by_option
@training_option
@click.option("--base", default="2", show_default=True, metavar="NUMBER", help="Base of the logarithm: e or a number.")
@scoring_options
def tags(gold: str, systems: tuple[str, ...], report: Report, base: str, **choices: Any) -> None:
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
    _check_training(choices)
    text = _gold_of_labels(gold, choices)
    choices |= {"base": number, "incidents": found_incidents()}
    report.give(lambda files: evaluation.score_tags(text, files, **choices), systems)


@evaluate.command(
    epilog=epilog(
        "evaluate types gold.conllu brown.paths",
        "evaluate types gold.txt mine.txt --seed 1",
        "evaluate types gold.conllu brown.paths --format json",
    )
)
@_gold
@_systems
@_label_options
@click.option("--restarts", default=10, show_default=True, type=click.IntRange(min=1), help="Starts of hill climbing.")
@click.option(
    "--initialisation", type=click.Choice(["random", "edges"]), default="random", show_default=True,
    help="How hill climbing starts.",
)  # fmt: skip
@by_option
@scoring_options
def types(gold: str, systems: tuple[str, ...], report: Report, **choices: Any) -> None:
    """Type-level measures: the lexicon of SYSTEM... (the clusters of each word) against that of GOLD.

    Files as for tags; they must have words.
    """
    from analysis.evaluation import tags as evaluation

    text = _gold_of_labels(gold, choices)
    choices |= {"random_state": report.random_state, "incidents": found_incidents()}
    report.give(lambda files: evaluation.score_types(text, files, **choices), systems)


@evaluate.command(
    epilog=epilog(
        "evaluate trees gold.conllu mine.conllu",
        "evaluate trees gold.conllu mine.conllu --no-punctuation --max-length 10",
        "evaluate trees gold.conllu mine.conllu --by relation --all-relations",
    )
)
@_gold
@_systems
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
@by_option
@training_option
@click.option(
    "--all-relations", is_flag=True, help="Relations as in GOLD, not those of Gelling et al. (2012), Table 6."
)
@click.option(
    "--gold-format", default="auto", metavar="FORMAT",
    help="conllu, conllx, nine-columns, conll2008, conll2009 or word-tag-head. Default: as the file looks.",
)  # fmt: skip
@click.option("--system-format", default="auto", metavar="FORMAT", help="Of each SYSTEM, likewise.")
@scoring_options
def trees(
    gold: str,
    systems: tuple[str, ...],
    report: Report,
    no_punctuation: bool,
    no_root_edges: bool,
    all_relations: bool,
    **choices: Any,
) -> None:
    """Directed and undirected accuracy and NED of the trees in SYSTEM... against those in GOLD.

    Where both sides have relations also UAS and LAS, as the tools of Universal Dependencies count them: subtypes
    such as :pass are cut; punctuation counts, unless it is left out.

    Files: CoNLL-U, CoNLL-X, CoNLL-2008 and 2009, the nine columns of the challenge, or word TAB tag TAB head.
    """
    from analysis.evaluation import trees as evaluation

    choices |= {"punctuation": not no_punctuation, "root_edges": not no_root_edges, "incidents": found_incidents()}
    choices["scheme"] = None if all_relations else "table6"
    _check_training(choices)
    report.give(lambda files: evaluation.score_trees(gold, files, **choices), systems)


@evaluate.command(
    epilog=epilog(
        "evaluate ccg gold.auto mine.auto",
        "evaluate ccg gold.auto mine.auto --no-punctuation",
        "evaluate ccg gold.auto mine.auto --no-intervals --format json",
    )
)
@_gold
@_systems
@click.option("--no-punctuation", is_flag=True, help="Do not count it.")
@click.option(
    "--heads", type=click.Choice(["auto", "field", "rule"]), default="auto", show_default=True,
    help="Where the heads of the tree dependencies come from; auto: the files' head field, if informative.",
)  # fmt: skip
@click.option(
    "--differing-words", type=click.Choice(["count", "refuse"]), default="count", show_default=True,
    help="What to do where a word is spelled in two ways in sentences with one ID.",
)  # fmt: skip
@by_option
@scoring_options
def ccg(gold: str, systems: tuple[str, ...], report: Report, no_punctuation: bool, **choices: Any) -> None:
    """Lexical categories, Parseval and both dependency evaluations of SYSTEM's CCG derivations against GOLD's.

    Files in the AUTO format of CCGbank, as CCGbank, C&C, EasyCCG or depccg write it. A sentence without a parse counts
    against recall.
    """
    from analysis.evaluation import ccg as evaluation

    choices |= {"punctuation": not no_punctuation, "incidents": found_incidents()}
    report.give(lambda files: evaluation.score_ccg(gold, files, **choices), systems)


@evaluate.command(
    epilog=epilog(
        "evaluate inflections gold.tsv mine.tsv",
        "evaluate inflections gold.tsv mine.tsv --training train.tsv --language English",
        "evaluate inflections gold.tsv mine.tsv --columns lemma,form,features --format csv",
    )
)
@_gold
@_systems
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
@by_option
@scoring_options
def inflections(gold: str, systems: tuple[str, ...], report: Report, columns: str | None, **choices: Any) -> None:
    """Accuracy of the forms in SYSTEM... against GOLD, with counts and intervals.

    Files: lemma TAB form TAB features, or lemma TAB features TAB form, the items in any order.
    """
    from analysis.evaluation import inflections as evaluation

    if choices["language"] is not None and choices["by"] is not None:
        raise Problem("--language classes wrong forms, --by divides items: leave out one of them.")
    names = None if columns is None else tuple(name.strip() for name in columns.split(","))
    choices |= {"columns": names, "incidents": found_incidents()}
    report.give(lambda files: evaluation.score_inflections(gold, files, **choices), systems)


@evaluate.command(
    epilog=epilog(
        "evaluate brackets gold.mrg mine.mrg",
        "evaluate brackets gold.mrg mine.mrg --parameters COLLINS.prm --max-length 40",
        "evaluate brackets gold.mrg baseline.mrg mine.mrg --compare --format csv",
    )
)
@_gold
@_systems
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
@by_option
@scoring_options
def brackets(
    gold: str,
    systems: tuple[str, ...],
    report: Report,
    strict: bool,
    encoding: str | None,
    by: str | None,
    **choices: Any,
) -> None:
    """Brackets of the phrase-structure trees in SYSTEM... against those in GOLD, as EVALB counts them.

    Files of Penn brackets, one tree per line; an empty line or (()) is a failed parse. With --compare or several
    runs, a sentence that one file leaves out is left out of all of them, and named; without, systems that leave out
    different ones are scored and not compared.
    """
    from analysis.evaluation import brackets as evaluation

    reading: dict[str, Any] = {"by": by, "strict": strict, "encoding": encoding, "incidents": found_incidents()}
    reading["common"] = report.needs_common(systems)
    conventions = _bracket_conventions(choices)
    report.give(lambda files: evaluation.score_brackets(gold, files, conventions, **reading), systems)


@evaluate.command(
    epilog=epilog(
        "evaluate signature 'trees/ned|punctuation:kept|...' gold.conllu mine.conllu",
        'evaluate signature "$(head -n 1 signature.txt)" gold.txt mine.txt --format csv',
        'evaluate signature "$(head -n 1 signature.txt)" gold.txt base.txt mine.txt --compare',
    )
)
@click.argument("text", metavar="SIGNATURE")
@_gold
@_systems
@click.option("--training", metavar="FILE", type=click.Path(), help="Training text or items, if it has such a part.")
@result_options
def signature(text: str, gold: str, systems: tuple[str, ...], report: Report, **choices: Any) -> None:
    """Measure SYSTEM... against GOLD again, in the way that a SIGNATURE says.

    The signature is the line that another evaluation printed: it names measure, conventions, interval and seed. GOLD
    must be the data that it is of.
    """
    from dataclasses import replace

    from analysis.evaluation.remeasuring import interval_options, measure_again
    from analysis.evaluation.signatures import parse_signature

    options = interval_options(parse_signature(text).get("interval", "none"))
    own: dict[str, Any] = {
        "resamples": options.resamples,
        "confidence": options.confidence,
        "random_state": options.random_state,
    }

    def score(files: list[str]) -> list[Any]:
        found = measure_again(text, gold, files, incidents=found_incidents(), **choices)
        if found.note:
            click.echo(found.note, err=True)
        return found.runs

    replace(report, no_intervals=not options.shown, **own).give(score, systems)


def _check_training(choices: dict[str, Any]) -> None:
    if choices["training"] is not None and choices["by"] not in ("seen", "frequency"):
        raise Problem("--training is read for --by seen and --by frequency: add one of them, or leave it out.")


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
        found = set(reference.labels.used().values)
        names = [tag for tag in PENN_PUNCTUATION_AND_SYMBOLS if tag in found]
        choices["leave_out"] = (*choices["leave_out"], *names)
        if not names:
            click.echo(f"punctuation: 0 tokens left out; {text.name} has none of the tags", err=True)
    return text
