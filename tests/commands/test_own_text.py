"""Cluster, parse, inflect and derive a text of one's own, from the command line."""

import re
import shlex
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.categories.models.named import MODELS as CLASSES
from analysis.commands import cluster as cluster_module
from analysis.commands import inflect as inflect_module
from analysis.commands import parse as parse_module
from analysis.commands.base import settings
from analysis.corpora import read_clustering, read_conllu, read_corpus, read_forms, write_plain
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.exporting import write_generated
from analysis.dependencies.models.named import LEARNT, RULES, SUPERVISED
from analysis.experiments.saved_models import load_model
from analysis.inflection import models as of_forms

TRAIN = "walk\twalked\tV;PST\ntalk\ttalked\tV;PST\nsing\tsang\tV;PST\n"
COMMANDS = ("cluster", "parse", "inflect", "derive")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Example files of the built-in language."""
    folder = tmp_path_factory.mktemp("files")
    for format in ("conllu", "auto", "chat"):
        write_generated(150, folder / f"gold.{format}", format)
    write_plain(read_corpus(folder / "gold.conllu").tokens, folder / "text.txt")
    texts = {"train.tsv": TRAIN, "items.tsv": "stalk\tV;PST\nring\tV;PST\n", "gold.tsv": "stalk\tstalked\tV;PST\n"}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(written, tmp_path, monkeypatch):
    for file in written.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "cache"))
    return tmp_path


def yardstick(words):
    return CliRunner().invoke(main, shlex.split(words), prog_name="yardstick")


def done(words):
    result = yardstick(words)
    assert result.exit_code == 0, (words, result.output, result.exception)
    return result


@pytest.mark.thorough
@pytest.mark.parametrize("command", COMMANDS)
def test_the_three_examples_of_each_help_work(command, folder):
    found = re.findall(r"^ *yardstick (.+)$", done(f"{command} --help").output, re.MULTILINE)
    assert len(found) == 3
    for example in found:
        assert example.startswith(command)
        done(example)


def test_the_help_of_these_commands_loads_nothing_heavy():
    code = (
        "import sys\nfrom analysis.__main__ import main\n"
        "for name in sys.argv[1:]:\n    try:\n        main([name, '--help'])\n    except SystemExit:\n        pass\n"
        "print([name for name in ('numpy', 'pandas', 'matplotlib', 'numba') if name in sys.modules])"
    )
    words = [sys.executable, "-c", code, *COMMANDS]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[-1] == "[]"


def test_the_names_of_the_commands_are_those_of_the_library():
    assert tuple(CLASSES) == cluster_module.MODELS
    assert tuple(LEARNT) == parse_module.LEARNT and tuple(RULES) == parse_module.RULES
    assert tuple(SUPERVISED) == parse_module.SUPERVISED
    assert all(hasattr(of_forms, name) for name in inflect_module.MODELS.values())


SMALL = {
    "chrupala": "--set n_topics=4 --set sweeps=4 --set min_count=2", "mixture": "--set sweeps=4",
    "bhmm": "--set sweeps=4", "vhmm": "--set iterations=4", "pyhmm": "--set sweeps=2", "ihmm": "--set sweeps=4",
    "prhmm": "--set iterations=4", "prototypes": "--set min_count=3",
    "tsg": "--set sweeps=2 --set runs=2 --quiet", "mz": "--set sweeps=2",
}  # fmt: skip


@pytest.mark.parametrize("model", CLASSES)
def test_every_model_clusters_a_text_and_is_applied_to_another(model, folder):
    classes = "" if model == "random" else "--classes 4"
    words = f"{classes} {SMALL.get(model, '')} --quiet --save-model a.model --format words-and-tags"
    done(f"cluster gold.conllu --model {model} {words} --output a.txt")
    found = read_clustering(folder / "a.txt", format="words-and-tags", strict=False).table
    assert found["form"].tolist() == read_conllu(folder / "gold.conllu")["form"].astype("str").tolist()
    assert found["cluster"].nunique() > 1
    (folder / "new.txt").write_text("the dog sleeps\nyou see the ball\n", encoding="utf-8")
    done("cluster new.txt --model-file a.model --format words-and-tags --output b.txt")
    again = read_clustering(folder / "b.txt", format="words-and-tags", strict=False).table
    assert len(again) == 7 and set(again["cluster"].dropna()) <= set(found["cluster"].dropna())


def test_paths_go_to_another_program_and_come_back(folder):
    done("cluster text.txt --model brown --classes 12 --format paths --output a.paths --quiet")
    paths = read_clustering(folder / "a.paths")
    assert paths.format == "paths" and paths.table["cluster"].nunique() == 12
    text = read_corpus(folder / "text.txt").tokens["form"].astype("str").value_counts()
    assert paths.table.set_index("form")["frequency"].to_dict() == text.to_dict()
    result = done("evaluate tags gold.conllu a.paths --format csv")
    assert "many-to-one" in result.stdout
    done("cluster text.txt --model brown --classes 12 --format map --output a.map --quiet")
    assert read_clustering(folder / "a.map").table.equals(paths.table)
    done("cluster text.txt --model brown --classes 12 --format types --output a.types --quiet")
    types = read_clustering(folder / "a.types", format="types").table.set_index("form")["cluster"]
    by_path = paths.table.set_index("form")["cluster"]
    assert len(set(zip(types, by_path[types.index], strict=True))) == 12, "the same classes under other names"


def test_the_same_words_in_plain_text_a_treebank_and_transcripts_have_the_same_classes(folder):
    found = []
    for file in ("text.txt", "gold.conllu", "gold.chat", "gold.auto"):
        result = done(f"cluster {file} --model exchange --classes 5 --format tags --output - --quiet")
        found.append(result.stdout)
    assert len(set(found)) == 1 and len(found[0].split()) == len(read_conllu(folder / "gold.conllu"))


def test_classes_as_tags_of_a_treebank_are_what_a_parser_reads(folder):
    done("cluster text.txt --model bhmm --classes 6 --set sweeps=5 --format conllu --output a.conllu --quiet")
    assert read_conllu(folder / "a.conllu")["fine"].nunique() == 6
    done("parse a.conllu --model dmv --set iterations=2 --output b.conllu --plot b.svg --save-model dmv.model")
    trees = read_conllu(folder / "b.conllu")
    assert (trees.groupby("sentence")["head"].apply(lambda heads: (heads == 0).sum()) == 1).all()
    drawn = (folder / "b.svg").read_text("utf-8")
    assert drawn.startswith("<?xml") and str(trees["form"].iloc[0]) in drawn
    done("parse a.conllu --model-file dmv.model --output c.conllu")
    assert (folder / "c.conllu").read_bytes() == (folder / "b.conllu").read_bytes()


@pytest.mark.parametrize("model", [*LEARNT, *RULES])
def test_every_parser_gives_trees_and_scores(model, folder):
    iterates = model in LEARNT and model not in ("harmonic", *SMALL)
    iterations = "--set iterations=2" if iterates else SMALL.get(model, "")
    result = done(f"parse gold.conllu --model {model} {iterations} --output a.conllu --evaluate gold.conllu")
    trees = read_conllu(folder / "a.conllu")
    assert trees["head"].between(0, trees.groupby("sentence")["position"].transform("max")).all()
    assert re.search(r"^directed +0\.\d{4}", result.stdout, re.MULTILINE)


@pytest.mark.parametrize("model", SUPERVISED)
def test_a_supervised_baseline_learns_from_the_trees_that_are_named(model, folder):
    result = done(f"parse gold.conllu --model {model} --train gold.conllu --save-model a.model --output a.conllu")
    assert "a.model: " in result.stderr
    done("parse gold.conllu --model-file a.model --output b.conllu --evaluate gold.conllu")
    assert (folder / "a.conllu").read_bytes() == (folder / "b.conllu").read_bytes()
    trees = read_conllu(folder / "a.conllu")
    assert (trees.groupby("sentence")["head"].apply(lambda heads: (heads == 0).sum()) == 1).all()


def test_forms_are_learnt_predicted_saved_and_scored(folder):
    done("inflect items.tsv --train train.tsv --output a.tsv --save-model a.model")
    assert read_forms(folder / "a.tsv").forms["form"].tolist() == ["stalked", "rang"]
    done("inflect items.tsv --model-file a.model --output b.tsv")
    assert (folder / "a.tsv").read_bytes() == (folder / "b.tsv").read_bytes()
    result = done("inflect gold.tsv --train train.tsv --model copy --evaluate gold.tsv")
    assert re.search(r"^accuracy +0\.0000 +0 +1\b|^all.* 0\.0000", result.stdout, re.MULTILINE), result.stdout


def test_forms_by_analogy_are_saved_and_applied(folder):
    done("inflect items.tsv --train train.tsv --model analogy --output a.tsv --save-model a.model")
    assert read_forms(folder / "a.tsv").forms["form"].tolist() == ["stalked", "rang"]
    done("inflect items.tsv --model-file a.model --output b.tsv")
    assert (folder / "a.tsv").read_bytes() == (folder / "b.tsv").read_bytes()


def test_the_transformer_without_its_library_is_one_line(folder):
    try:
        import torch  # noqa: F401
    except ImportError:
        result = yardstick("inflect items.tsv --train train.tsv --model transformer --output a.tsv --quiet")
        assert result.exit_code == 2 and "needs PyTorch, which is not installed" in result.stderr
        assert result.stderr.count("\n") == 1
    else:
        size = "--set layers=1 --set embedding=8 --set heads=2 --set feed_forward=8 --set max_updates=3"
        done(f"inflect items.tsv --train train.tsv --model transformer {size} --quiet --output a.tsv")
        assert len(read_forms(folder / "a.tsv").forms) == 2


def test_the_transducer_is_trained_saved_and_applied_with_a_beam(folder):
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install .[neural]")
    size = "--set embedding=8 --set hidden=8 --set max_epochs=3 --set beam_width=4"
    done(f"inflect items.tsv --train train.tsv --tuning gold.tsv --model transducer {size} --quiet --output a.tsv "
         "--save-model a.model")  # fmt: skip
    assert load_model(folder / "a.model").beam_width == 4 and len(read_forms(folder / "a.tsv").forms) == 2
    done("inflect items.tsv --model-file a.model --output b.tsv")
    assert (folder / "a.tsv").read_bytes() == (folder / "b.tsv").read_bytes()


def test_derivations_are_learnt_written_saved_and_scored(folder):
    done("derive text.txt --train gold.auto --output a.auto --save-model a.model")
    assert len(read_auto(folder / "a.auto").sentences) == 150
    done("derive text.txt --model-file a.model --output b.auto")
    assert (folder / "a.auto").read_bytes() == (folder / "b.auto").read_bytes()
    assert "lexical categories" in done("derive text.txt --model-file a.model --evaluate gold.auto").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("cluster text.txt --model brown", "say where the classes go"),
        ("cluster text.txt --output a.txt", "give either --model, to fit a model, or --model-file"),
        ("cluster text.txt --model-file a.model --classes 3 --output a.txt", "--classes is for a model that is fitted"),
        ("cluster none.txt --model brown --output a.txt", "none.txt"),
        ("cluster text.txt --model-file gold.conllu --output a.txt", "it holds no saved model"),
        ("cluster text.txt --model brown --set depth=3 --output a.txt", "has no parameter 'depth'"),
        ("cluster text.txt --model brown --set depth --output a.txt", "--set is NAME=VALUE"),
        ("cluster text.txt --model frames --set minimum=1 --format paths --output a.txt", "needs a tree of classes"),
        ("cluster text.txt --model random --classes 3 --output a.txt", "random has as many classes as the text"),
        ("cluster text.txt --model random --output a.txt", "coarse"),
        ("cluster text.txt --model hierarchical --classes 3 --set n_targets=9 --format tags -o a", "has no cluster"),
        ("parse text.txt --model dmv --output a.txt", "dmv needs tags, and the text has none"),
        ("parse gold.conllu --model left --save-model a.model", "left learns nothing"),
        ("parse gold.conllu --model direction --output a.txt", "direction learns from gold trees: name a text"),
        ("parse gold.conllu --model neighbour --train text.txt --output a.txt", "neighbour needs tags"),
        ("parse gold.conllu --model direction --train text.txt --output a.txt", "learns from gold trees"),
        ("parse gold.conllu --model-file gold.conllu --output a.txt", "it holds no saved model"),
        ("parse gold.conllu --model dmv --tags none --output a.txt", "no column of tags 'none'"),
        ("parse gold.conllu --model right --plot a.docx", "a figure is written as .svg, .pdf or .png"),
        ("parse gold.conllu --model s2 --set depth=2 --output a.txt", "s2 has no parameter 'depth'"),
        ("inflect items.tsv --train train.tsv --tuning train.tsv --output a.txt", "--tuning is for transformer and"),
        ("inflect items.tsv --output a.txt", "give either --train"),
        ("inflect items.tsv --train train.tsv --model transformer --save-model a", "a checkpoint of its own"),
        ("derive text.txt --train text.txt --output a.txt", "text.txt"),
        ("parse text.txt --model random --evaluate none.conllu", "none.conllu"),
        ("inflect gold.tsv --train train.tsv --evaluate none.tsv", "none.tsv"),
        ("derive text.txt --train gold.auto --evaluate none.auto", "none.auto"),
    ],
)  # fmt: skip
def test_what_is_refused_is_said_in_one_message_and_nothing_is_written(words, message, folder):
    before = sorted(path.name for path in folder.iterdir())
    result = yardstick(words)
    assert result.exit_code == 2 and message in result.stderr, (result.output, result.exception)
    assert "Traceback" not in result.output
    assert [name for name in sorted(path.name for path in folder.iterdir()) if name != "cache"] == before


def test_a_class_for_the_unclustered_is_named(folder):
    words = "cluster text.txt --model hierarchical --classes 3 --set n_targets=9 --quiet --format tags --output -"
    assert set(done(f"{words} --unclustered rest").stdout.split()) == {"0", "1", "2", "rest"}


def test_settings_are_numbers_words_and_lists():
    assert settings(["a=1", "b-c=x y", "d=[1, 2]", "e=null"]) == {"a": 1, "b_c": "x y", "d": (1, 2), "e": None}


def run_apart(words, folder):
    return subprocess.Popen([sys.executable, "-m", "analysis", *shlex.split(words)], cwd=folder,
                            stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # fmt: skip


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT] if sys.platform != "win32" else [])
def test_a_run_that_was_killed_goes_on_and_one_interrupted_ends_in_one_line(end, folder, monkeypatch):
    words = "cluster text.txt --model bhmm --classes 5 --format tags --output a.tags --quiet --set sweeps="
    process = run_apart(f"{words}100000000", folder)
    states = folder / "cache" / "results" / "unfinished_model"
    for _ in range(1200):
        if states.is_dir() and list(states.glob("*.zip")):
            break
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    process.send_signal(end)
    _, errors = process.communicate(timeout=60)
    assert not (folder / "a.tags").exists() and list(states.glob("*.zip"))
    if end == signal.SIGINT:
        assert process.returncode == 130 and errors.strip().count("\n") == 0 and "goes on" in errors
    else:
        assert process.returncode == -signal.SIGKILL
    from analysis.experiments import saved_models

    started = []
    fit = saved_models._fit_until
    monkeypatch.setattr(
        saved_models, "_fit_until", lambda *these: started.append(these[2]) or fit(*these[:4], 1, these[5])
    )
    yardstick(f"{words}100000000")
    assert started[0] is not None and started[0].sweeps_done_ >= 3


def test_a_seed_gives_the_same_classes_and_another_seed_others(folder):
    words = "cluster text.txt --model bhmm --classes 5 --set sweeps=3 --format tags --output - --quiet"
    first, again, other = (done(f"{words} --seed {seed}").stdout for seed in (1, 1, 2))
    assert first == again != other
    assert np.unique(first.split()).size == 5


@pytest.mark.parametrize("words", ["cluster text.txt --model brown -o a", "parse gold.conllu --model dmv -o a"])
def test_options_of_the_text_reach_its_reader(words, folder, monkeypatch):
    asked = []
    monkeypatch.setattr("analysis.corpora.any_format.read_corpus", lambda source, **choices: asked.append(choices) or 1)
    for options in ("", "--text-format slashed --encoding latin-1 --strict"):
        yardstick(f"{words} {options}")
    assert asked == [
        {"format": "auto", "strict": False, "encoding": None},
        {"format": "slashed", "strict": True, "encoding": "latin-1"},
    ]


def test_defects_of_a_text_are_named_or_refused(folder):
    (folder / "bad.conllu").write_text("1\tlook\t_\tVERB\t_\t_\t0\t_\t_\t_\n2\tup\n\n"
                                       "1\tyes\t_\tINTJ\t_\t_\t0\t_\t_\t_\n\n", encoding="utf-8")  # fmt: skip
    assert "columns: 1, in bad.conllu, line 2" in done("parse bad.conllu --model left -o a.conllu").stderr
    result = yardstick("parse bad.conllu --model left -o b.conllu --strict")
    assert result.exit_code == 2 and "bad.conllu, line 2" in result.stderr and not (folder / "b.conllu").exists()


def test_quiet_shows_no_bar(folder):
    words = "cluster text.txt --model bhmm --classes 3 --set sweeps=3 --output a"
    assert "BayesianHMM" in done(words).stderr and "BayesianHMM" not in done(f"{words} --quiet").stderr


def test_a_parser_learns_from_another_text_and_random_trees_follow_the_seed(folder):
    (folder / "one.conllu").write_text("1\ta\t_\tDET\t_\t_\t2\t_\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t0\t_\t_\t_\n\n",
                                       encoding="utf-8")  # fmt: skip
    done("parse one.conllu --model dmv --set iterations=3 --train gold.conllu --save-model a.model --tags universal")
    assert load_model(folder / "a.model").n_sentences_ > 100
    seeds = [done(f"parse gold.conllu --model random --seed {seed} --output -").stdout for seed in (1, 1, 2)]
    assert seeds[0] == seeds[1] != seeds[2]


@pytest.mark.parametrize(("model", "name"), [("transformer", "CharacterTransformer"),
                                             ("transducer", "CharacterTransducer")])  # fmt: skip
def test_a_neural_model_gets_seed_bar_and_tuning_items(folder, monkeypatch, model, name):
    class Model:
        def set_params(self, **choices):
            asked.update(choices)

        def fit(self, forms, tuning=None):
            asked.update(forms=len(forms), tuning=len(tuning))
            raise ImportError("nothing to learn with")

    asked = {}
    monkeypatch.setattr(f"analysis.inflection.models.{name}", Model)
    words = f"inflect items.tsv --train train.tsv --tuning gold.tsv --model {model} --seed 7 --quiet --set layers=1"
    assert yardstick(f"{words} -o a").stderr == "Error: nothing to learn with\n"
    assert asked == {"random_state": 7, "progress": False, "layers": 1, "forms": 3, "tuning": 1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("cluster text.txt --model exchange --format paths -o -", "--format paths needs a tree of classes"),
        ("cluster text.txt --model exchange --evaluate none.conllu", "none.conllu"),
        ("parse gold.conllu --model dmv --plot a.docx", "a.docx: a figure is written as .svg, .pdf or .png"),
        ("parse gold.conllu --model dmv --evaluate none.conllu", "none.conllu"),
        ("inflect gold.tsv --train train.tsv --evaluate none.tsv", "none.tsv"),
        ("derive text.txt --train gold.auto --evaluate none.auto", "none.auto"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_or_scored_is_refused_before_anything_is_fitted(words, message, folder, monkeypatch):
    from analysis.ccg.models import NormalFormParser
    from analysis.dependencies.models import named
    from analysis.experiments import saved_models

    def fit(*given, **named):
        raise AssertionError("fitted")

    for place, name in ((saved_models, "fit_keeping_state"), (named, "fit_parser"), (NormalFormParser, "fit"),
                        (of_forms.NonNeural, "fit")):  # fmt: skip
        monkeypatch.setattr(place, name, fit)
    result = yardstick(words)
    assert result.exit_code == 2 and message in result.stderr, (result.output, result.exception)


def test_a_folder_that_cannot_be_written_into_is_refused_first(folder, monkeypatch):
    monkeypatch.setattr("analysis.commands.files.os.access", lambda place, mode: False)
    result = yardstick("cluster none.txt --model brown --output a.txt")
    assert result.exit_code == 2 and "a.txt: nothing can be written into ." in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        "cluster gold.conllu --model brown --classes 3 --quiet --evaluate gold.conllu",
        "parse gold.conllu --model right --evaluate gold.conllu",
        "inflect gold.tsv --train train.tsv --evaluate gold.tsv",
        "derive text.txt --train gold.auto --quiet --evaluate gold.auto",
    ],
)
def test_what_was_made_is_scored_in_the_words_of_evaluate_under_the_name_of_the_input(words, folder):
    lines = done(words).stdout.splitlines()
    assert lines[0] == words.split()[1]
    assert "unit" in lines[1].split() and "lower" in lines[1].split()
    assert any("|n:" in line for line in lines)


def test_other_words_than_those_of_gold_are_told_of_the_input(folder):
    (folder / "other.txt").write_text("look there\nthe cat\n", encoding="utf-8")
    result = yardstick("cluster other.txt --model brown --classes 2 --quiet --evaluate gold.conllu")
    assert result.exit_code == 2 and "gold.conllu and other.txt: " in result.stderr and "/tmp" not in result.stderr


def test_one_word_a_line_is_no_text_unless_that_is_said(folder):
    (folder / "words.txt").write_text("look\nhere\n", encoding="utf-8")
    result = yardstick("cluster words.txt --model brown --output -")
    assert "every line is one word" in result.stderr and "--text-format" in result.stderr
    done("cluster words.txt --model brown --classes 2 --text-format plain --quiet --output -")


@pytest.mark.parametrize(("command", "kind"), [("inflect items.tsv", "a model of inflection"),
                                               ("derive text.txt", "a parser of CCG"),
                                               ("parse gold.conllu", "a model of trees")])  # fmt: skip
def test_a_saved_model_of_another_kind_is_named(command, kind, folder):
    done("cluster text.txt --model brown --classes 3 --quiet --save-model b.model")
    result = yardstick(f"{command} --model-file b.model --output -")
    assert result.exit_code == 2 and f"BrownClustering, which is not {kind}" in result.stderr
