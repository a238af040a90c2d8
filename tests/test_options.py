"""Every option of every command reaches the function that does the work, with the value that was given."""

import gc
import importlib
import inspect
import math
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from analysis.__main__ import main

GOLD = "the\tDT\ndog\tNN\n.\t.\n\n"
TREE = "1\tlook\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\tup\t_\tADV\t_\t_\t1\tadvmod\t_\t_\n\n"
ELSEWHERE = {
    ("", "--debug"), ("", "--version"),  # tests/report/test_command_line.py
    ("notebook", "--folder"), ("dashboard", "--folder"), ("dashboard", "--idle"),  # likewise
    ("dashboard", "--visitors"),  # likewise
}  # fmt: skip
ELSEWHERE |= {  # tests/evaluation/test_brackets.py
    ("evaluate brackets", f"--{name}")
    for name in ("conventions", "parameters", "unlabelled-brackets", "max-length", "failed", "mismatch")
}
SUBJECTS = ("tags", "types", "trees", "ccg", "inflections", "brackets")
ELSEWHERE |= {  # tests/commands/test_evaluate.py
    (f"evaluate {subject}", option)
    for subject in SUBJECTS
    for option in (
        "--no-intervals",
        "--compare",
        "--references",
        "--output",
        "--plot",
        "--resamples",
        "--confidence",
        "--seed",
    )
}
ELSEWHERE |= {  # likewise
    ("evaluate signature", f"--{name}")
    for name in ("training", "compare", "references", "format", "output", "plot", "incidents", "strict", "encoding")
}
ELSEWHERE |= {  # tests/evaluation/test_parts.py
    *(
        (f"evaluate {subject}", option)
        for subject in (*SUBJECTS, "signature")
        for option in ("--test", "--list", "--most")
    ),
    *((f"evaluate {subject}", "--by") for subject in SUBJECTS if subject != "trees"),
    *((f"evaluate {subject}", "--training") for subject in ("tags", "trees")),
}
OF_MODELS = ("--output", "--evaluate", "--set", "--save-model", "--model-file", "--quiet")
OF_TEXTS = ("--text-format", "--encoding", "--strict")
ELSEWHERE |= {  # tests/commands/test_own_text.py
    *(("cluster", option) for option in (*OF_MODELS, *OF_TEXTS, "--model", "--format", "--unclustered")),
    *(("parse", option) for option in (*OF_MODELS, *OF_TEXTS, "--model", "--train", "--plot", "--seed")),
    *(("inflect", option) for option in (*OF_MODELS, "--model", "--train", "--tuning", "--seed")),
    *(("derive", option) for option in (*OF_MODELS, "--train")),
}
ELSEWHERE |= {("data add", "--replace")}  # tests/commands/test_own_corpora.py
ELSEWHERE |= {("cite", "--format"), ("cite", "--list")}  # tests/commands/test_cite.py
ELSEWHERE |= {("teach", f"--{name}") for name in ("solutions", "notebook", "execute")}  # tests/report/test_teaching.py
ELSEWHERE |= {("tour", "--output")}  # tests/explore/test_tour.py


class Call(NamedTuple):
    """A command with what it needs, and the function that does its work."""

    arguments: str
    module: str
    function: str


COMMANDS = {
    "reproduce": Call("", "analysis.report", "reproduce"),
    "data list": Call("", "analysis.__main__", "_print_records"),
    "data fetch": Call("manchester", "analysis.corpora.fetching", "fetch"),
    "data add": Call("mine gold.txt", "analysis.corpora.fetching", "add"),
    "data generate": Call("--output out.txt", "analysis.corpora.exporting", "write_generated"),
    "evaluate tags": Call("gold.txt gold.txt", "analysis.evaluation.tags", "score_tags"),
    "evaluate types": Call("gold.txt gold.txt", "analysis.evaluation.tags", "score_types"),
    "evaluate trees": Call("gold.conllu gold.conllu", "analysis.evaluation.trees", "score_trees"),
    "evaluate ccg": Call("gold.auto gold.auto", "analysis.evaluation.ccg", "score_ccg"),
    "evaluate inflections": Call("gold.tsv gold.tsv", "analysis.evaluation.inflections", "score_inflections"),
    "evaluate brackets": Call("gold.mrg gold.mrg", "analysis.evaluation.brackets", "score_brackets"),
    "systems": Call("", "analysis.report.systems", "write_between"),
    "cluster": Call("gold.txt --model brown --output a", "analysis.categories.models.named", "new_model"),
    "parse": Call("gold.conllu --model dmv --output a", "analysis.dependencies.models.named", "fit_parser"),
    "inflect": Call("gold.tsv --train train.tsv --output a", "analysis.corpora.unimorph", "read_items"),
    "derive": Call("gold.txt --train gold.auto --output a", "analysis.corpora.any_format", "read_corpus"),
}
FILES = [
    ("--strict", "strict", True),
    ("--encoding latin-1", "encoding", "latin-1"),
    ("--incidents defects.csv", "file", "defects.csv"),
    ("--format csv", "kind", "csv"),
]
LABELS = [
    ("--leave-out DT --leave-out NN", "leave_out", ("DT", "NN")),
    ("--penn-punctuation", "leave_out", (".",)),
    ("--unlabelled 'one cluster'", "unlabelled", "one cluster"),
    ("--gold-column fine", "gold_column", "fine"),
    ("--gold-format 'words and tags'", "gold_format", "words and tags"),
    ("--system-column coarse", "system_column", "coarse"),
    ("--system-format tags", "system_format", "tags"),
    *FILES,
]
OPTIONS = {
    "reproduce": [
        ("--corpus nursery", "corpus", "nursery"),
        ("--full", "full", True),
        ("--robustness", "robustness", True),
        ("--output elsewhere", "output", "elsewhere"),
        ("--n-jobs 2", "n_jobs", 2),
    ],
    "data list": [("--format json", "kind", "json")],
    "data add": [
        ("--test gold.conllu", "test", "gold.conllu"),
        ("--share 0.5", "share", 0.5),
        ("--split random", "split", "random"),
        ("--seed 7", "random_state", 7),
        ("--format slashed", "format", "slashed"),
        ("--licence 'CC BY 4.0'", "licence", "CC BY 4.0"),
        ("--citation 'I (2020)'", "citation", "I (2020)"),
    ],
    "data fetch": [("--n-jobs 2", "n_jobs", 2), ("--quiet", "progress", False)],
    "data generate": [
        ("--utterances 3", "utterances", 3),
        ("--format chat", "format", "chat"),
        ("--output other.txt", "file", "other.txt"),
        ("--seed 7", "random_state", 7),
        ("--mean-length 4.5", "mean_length", 4.5),
        ("--word-types 200", "word_types", 200),
        ("--n-jobs 2", "n_jobs", 2),
    ],
    "evaluate tags": [*LABELS, ("--assignment greedy", "assignment", "greedy"), ("--base e", "base", math.e)],
    "evaluate types": [
        *LABELS,
        ("--restarts 3", "restarts", 3),
        ("--initialisation edges", "initialisation", "edges"),
        ("--seed 7", "random_state", 7),
    ],
    "evaluate trees": [
        ("--no-punctuation", "punctuation", False),
        ("--punctuation-rule form", "punctuation_rule", "form"),
        ("--max-length 5", "max_length", 5),
        ("--no-root-edges", "root_edges", False),
        ("--by length", "by", "length"),
        ("--all-relations", "scheme", None),
        ("--gold-format conllu", "gold_format", "conllu"),
        ("--system-format conllu", "system_format", "conllu"),
        *FILES,
    ],
    "evaluate ccg": [
        ("--no-punctuation", "punctuation", False),
        ("--heads rule", "heads", "rule"),
        ("--differing-words refuse", "differing_words", "refuse"),
        *FILES,
    ],
    "evaluate inflections": [
        ("--training train.tsv", "training", "train.tsv"),
        ("--language German", "language", "German"),
        ("--columns lemma,form,features", "columns", ("lemma", "form", "features")),
        ("--sort-features", "sort_features", True),
        *FILES,
    ],
    "evaluate brackets": FILES,
    "systems": [("--write README.md", "path", "README.md")],
    "cluster": [("--classes 7", "n_clusters", 7), ("--seed 7", "random_state", 7)],
    "parse": [("--tags universal", "tags", "universal")],
    "inflect": [
        ("--columns lemma,form,features", "columns", ("lemma", "form", "features")),
        ("--encoding latin-1", "encoding", "latin-1"),
    ],
    "derive": [
        ("--text-format slashed", "format", "slashed"),
        ("--encoding latin-1", "encoding", "latin-1"),
        ("--strict", "strict", True),
    ],
}
CASES = [(command, *option) for command, options in OPTIONS.items() for option in options]
TAGS, TREES, CCG = (f"analysis.evaluation.{name}" for name in ("tags", "trees", "ccg"))
MEASURES = [  # what the function above passes on to the measure
    ("data generate", "--seed 7", "analysis.corpora.exporting", "generate_blocks", "random_state", 7),
    ("data generate", "--mean-length 4.5", "analysis.corpora.exporting", "generate_blocks", "mean_length", 4.5),
    ("data generate", "--word-types 200", "analysis.corpora.exporting", "generate_blocks", "word_types", 200),
    ("evaluate tags", "--assignment greedy", TAGS, "token_level_scores", "assignment", "greedy"),
    ("evaluate tags", "--base e", TAGS, "token_level_scores", "base", math.e),
    ("evaluate tags", "--unlabelled 'leave out'", TAGS, "align", "unlabelled", "leave out"),
    ("evaluate tags", "--leave-out DT", TAGS, "align", "leave_out", ("DT",)),
    ("evaluate types", "--seed 7", TAGS, "scored_types", "random_state", 7),
    ("evaluate types", "--restarts 3", TAGS, "scored_types", "restarts", 3),
    ("evaluate types", "--initialisation edges", TAGS, "scored_types", "initialisation", "edges"),
    ("evaluate types", "--unlabelled 'one cluster'", TAGS, "align", "unlabelled", "one cluster"),
    ("evaluate trees", "--no-root-edges", TREES, "compare_files", "root_edges", False),
    ("evaluate trees", "--no-punctuation", TREES, "compare_files", "punctuation", False),
    ("evaluate trees", "--punctuation-rule form", TREES, "compare_files", "punctuation_rule", "form"),
    ("evaluate trees", "--max-length 5", TREES, "compare_files", "max_length", 5),
    ("evaluate trees", "--strict", TREES, "compare_files", "strict", True),
    ("evaluate trees", "--system-format conllx", TREES, "compare_files", "predicted_format", "conllx"),
    ("evaluate trees", "--gold-format conllx", TREES, "compare_files", "file_format", "conllx"),
    ("evaluate ccg", "--no-punctuation", CCG, "evaluate", "punctuation", False),
    ("evaluate ccg", "--heads rule", CCG, "evaluate", "heads", "rule"),
    ("evaluate ccg", "--differing-words refuse", CCG, "evaluate", "differing_words", "refuse"),
]


class ReachedError(Exception):
    """The function that does the work was called."""


def arguments_of_call(words, module, function, monkeypatch):
    """By name, what a command passes to a function; None if it is not called."""
    home = importlib.import_module(module)
    signature = inspect.signature(getattr(home, function))

    def reached(*positional, **named):
        bound = signature.bind(*positional, **named)
        bound.apply_defaults()
        also = next(
            (bound.arguments[each.name] for each in signature.parameters.values() if each.kind is each.VAR_KEYWORD), {}
        )
        raise ReachedError({**bound.arguments, **also})

    reached.records = reached
    with monkeypatch.context() as patch:
        patch.setattr(home, function, reached)
        result = CliRunner().invoke(main, words)
    assert isinstance(result.exception, ReachedError) or result.exit_code == 0, result.output
    return result.exception.args[0] if result.exception else None


@pytest.fixture
def folder(tmp_path, monkeypatch):
    content = {"gold.txt": GOLD, "gold.conllu": TREE, "README.md": "", "gold.auto": "(<L NP NNS NNS dogs NP>)\n"}
    content["gold.mrg"] = "(S (NP (NNS dogs)) (VP (VBP bark)))\n"
    content |= {"gold.tsv": "fly\tflew\tV;PST\n", "train.tsv": "walk\twalked\tV;PST\n"}
    for name, text in content.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(command, option, module, function, name, value, monkeypatch):
    words = f"{command} {COMMANDS[command].arguments}"
    plain = arguments_of_call(words, module, function, monkeypatch)
    given = arguments_of_call(f"{words} {option}", module, function, monkeypatch)
    assert given[name] == value and type(given[name]) is type(value)
    assert plain is None or plain.get(name) != value, "the value given is not the default"


def written(part):
    return str(part).replace(" ", "_")


@pytest.mark.parametrize(("command", "option", "name", "value"), CASES, ids=written)
def test_an_option_changes_the_call_that_it_should(command, option, name, value, folder, monkeypatch):
    _, *place = COMMANDS[command]
    if option.startswith("--format") and command.startswith("evaluate "):
        place = ["analysis.commands.showing", "shown_scores"]  # the function that prints
    elif option.startswith("--incidents"):
        place = ["analysis.evaluation.incidents", "write_incidents"]
    check(command, option, *place, name, value, monkeypatch)


@pytest.mark.parametrize(("command", "option", "module", "function", "name", "value"), MEASURES, ids=written)
def test_an_option_reaches_the_measure(command, option, module, function, name, value, folder, monkeypatch):
    check(command, option, module, function, name, value, monkeypatch)


def options_of(group, before=""):
    """Every option of every command, as (command, first name of the option)."""
    for parameter in group.params:
        if isinstance(parameter, click.Option):
            yield before, parameter.opts[0]
    for name, command in getattr(group, "commands", {}).items():
        yield from options_of(command, f"{before} {name}".strip())


def test_every_option_of_every_command_has_its_case():
    tested = {(command, option.split()[0]) for command, option, *_ in CASES} | ELSEWHERE
    assert set(options_of(main)) == tested


def test_cycles_are_searched_less_often_in_a_command_and_as_before_after_it(monkeypatch):
    before, seen = (700, 10, 10), []
    own = gc.get_threshold()
    gc.set_threshold(*before)

    def stop(*given, **named):
        seen.append(gc.get_threshold())
        raise ValueError("stop")

    monkeypatch.setattr(main.commands["systems"], "callback", stop)
    try:
        assert CliRunner().invoke(main, ["systems"]).exit_code == 2
        assert seen[0][0] > before[0] and gc.get_threshold() == before
    finally:
        gc.set_threshold(*own)
