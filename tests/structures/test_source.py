"""The digest of what a function reaches: it changes with each definition that is reached, and with nothing else."""

import functools
import importlib
import subprocess
import sys
import textwrap

import pytest

from analysis.structures import source
from analysis.structures.source import check_source, source_digest, source_of

FILES = {
    "__init__": "",
    "words": '''
        """Words."""
        import functools
        import math
        from toy.letters import VOWELS, count as letters
        from toy import other
        from toy.other import compare

        LIMIT = 3
        KINDS = {"long": compare}

        class Base:
            def size(self):
                return other.weight(2)

        class Words(Base):
            """Some words."""
            limit: int = LIMIT
            def get(self):
                return letters(VOWELS)

        def entry(word):
            # a comment
            from toy.lazily import late
            return Words().get() + late(word) + KINDS["long"](word) + partly(word)

        def _inner(word, factor):
            return factor * len(word)

        partly = functools.partial(_inner, factor=2)

        def unrelated():
            return 1

        def shadowing(unrelated):
            return unrelated
    ''',
    "letters": '''
        VOWELS = "aeiou"

        def count(letters: str) -> int:
            """How many."""
            return len(letters)
    ''',
    "other": """
        def weight(x):
            return x

        def compare(word, least=weight(0)):
            return len(word) > least

        def unrelated():
            return 2
    """,
    "lazily": """
        STEPS = {"one": 1, "two": {2, 3}}

        class Late:
            def get(self):
                return STEPS["one"]

        def late(word):
            return 1 + Late().get()
    """,
}


def digest_of(folder, files, name="entry", before=""):
    """The digest in a process of its own, of a package that holds these files."""
    package = folder / "toy"
    package.mkdir(exist_ok=True)
    for module, text in files.items():
        (package / f"{module}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    program = f"""
        import sys
        sys.path.insert(0, {str(folder)!r})
        import time; time.sleep(0.02)
        from analysis.structures.source import source_digest
        import toy.words as words, toy.other as other, toy.letters as letters
        {before}
        print(source_digest(words.{name}))
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    return digest_of(tmp_path_factory.mktemp("first"), FILES)


def changed(module, old, new):
    assert old in FILES[module]
    return FILES | {module: FILES[module].replace(old, new)}


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("words", "# a comment", "# another comment, and a line\n\n"),
        ("words", '"""Some words."""', '"""Many words."""'),
        ("words", '"""Words."""', '"""Nothing."""'),
        ("words", "return Words().get() + late(word)", "return (Words().get() +\n                late(word))"),
        ("words", "return 1", "return 5"),
        ("words", "def shadowing(unrelated)", "def shadowed(unrelated)"),
        ("letters", "letters: str", "letters: bytes"),
        ("letters", '"""How many."""', ""),
        ("other", "return 2", "return 3"),
    ],
)
def test_a_change_of_words_form_or_of_what_is_not_reached_changes_nothing(tmp_path, first, module, old, new):
    assert digest_of(tmp_path, changed(module, old, new)) == first


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("words", "LIMIT = 3", "LIMIT = 4"),
        ("words", "limit: int = LIMIT", "limit: float = LIMIT"),
        ("words", '{"long": compare}', '{"long": len}'),
        ("words", "return other.weight(2)", "return other.weight(3)"),
        ("words", "factor * len(word)", "len(word)"),
        ("words", "factor=2", "factor=3"),
        ("words", "class Words(Base)", "class Words"),
        ("words", "from toy.letters import VOWELS, count as letters", "from toy.letters import VOWELS; letters = len"),
        ("letters", '"aeiou"', '"aeiouy"'),
        ("letters", "return len(letters)", "return 2 * len(letters)"),
        ("other", "return x", "return x + 1"),
        ("other", "weight(0)", "weight(1)"),
        ("other", "> least", ">= least"),
        ("lazily", "return 1", "return 2"),
    ],
)
def test_a_change_of_what_is_reached_changes_the_digest(tmp_path, first, module, old, new):
    assert digest_of(tmp_path, changed(module, old, new)) != first


def test_a_module_that_its_own_package_imports_is_followed(tmp_path):
    package = {"__init__": "from toy import other", "letters": FILES["letters"], "other": FILES["other"]}
    words = {"words": "import toy\ndef entry(x):\n    return toy.other.weight(x)\n"}
    first = digest_of(tmp_path, package | words)
    other = {"other": FILES["other"].replace("return x", "return x + 1")}
    assert digest_of(tmp_path, package | words | other) != first
    unrelated = {"other": FILES["other"].replace("return 2", "return 3")}
    assert digest_of(tmp_path, package | words | unrelated) == first


@pytest.mark.parametrize(
    "patch",
    [
        "letters.count = words.letters = len",
        "words.letters = lambda letters: 0",
        "words.KINDS['long'] = other.weight",
        "words.KINDS = {'long': other.weight}",
        "words.LIMIT = 4",
        "words.Words.get = lambda self: 0",
        "words.Base.size = words.Words.get",
        "other.weight = lambda x: 9",
        "letters.VOWELS = words.VOWELS = 'a'",
        "import toy.lazily; toy.lazily.late = len",
    ],
)
def test_what_is_replaced_at_run_time_changes_the_digest(tmp_path, first, patch):
    assert digest_of(tmp_path, FILES, before=patch) != first


@pytest.mark.parametrize(
    "patch",
    [
        "import toy.lazily",
        "words.unrelated = None",
        "other.unrelated = words.entry",
        "words.entry = __import__('functools').lru_cache(words.entry)",
        "source_digest(words.entry)",
    ],
)
def test_what_is_loaded_kept_or_not_reached_does_not_change_it(tmp_path, first, patch):
    assert digest_of(tmp_path, FILES, before=patch) == first


def test_a_file_that_was_edited_after_its_import_is_not_taken_for_what_runs(tmp_path, first):
    edit = "open(letters.__file__, 'a').write('')"
    new = (
        "from pathlib import Path; p = Path(letters.__file__); time.sleep(0.05); p.write_text(p.read_text() + chr(10))"
    )
    assert digest_of(tmp_path, FILES, before=edit) == first, "nothing was written"
    assert digest_of(tmp_path / "..", FILES, before=new) != first


def test_a_digest_that_is_known_is_found_again_until_something_is_replaced(monkeypatch):
    from analysis.dependencies.models import baselines

    before = source_of(baselines.random_trees)
    monkeypatch.setattr(source, "_Walk", None)
    assert source_of(baselines.random_trees) is before, "without another walk"
    monkeypatch.undo()
    first = source_digest(baselines.random_trees)
    for name in ("np", "check_tokens"):
        if hasattr(baselines, name):
            monkeypatch.setattr(baselines, name, None)
    assert source_digest(baselines.random_trees) != first


@pytest.mark.parametrize("name", ["left_branching", "random_trees"])
def test_a_function_behind_a_table_of_systems_counts(monkeypatch, name):
    from analysis.dependencies.models import right_branching

    runs = importlib.import_module("analysis.papers.gelling2012.runs")

    before = source_digest(runs.evaluate)
    label = {"left_branching": "LB", "random_trees": "R"}[name]
    monkeypatch.setitem(runs.BASELINES, label, right_branching)
    assert source_digest(runs.evaluate) != before
    monkeypatch.undo()
    assert source_digest(runs.evaluate) == before


def test_kernels_are_reached_through_models_and_counted_by_their_python_source():
    from analysis.categories.models import BayesianHMM

    reached = source_of(BayesianHMM)
    assert any(name.startswith("analysis.categories.models.hmm_kernels") for name in reached.definitions)
    assert {"numpy", "numba"} <= set(reached.packages)


def test_versions_of_packages_that_compute_count(monkeypatch):
    from analysis.statistics.intervals import wilson

    before = source_of(wilson)
    assert before.packages
    monkeypatch.setattr(source, "_minor", lambda package: "0.0")
    monkeypatch.setattr(source, "_KNOWN", {})
    assert source_digest(wilson) != before.digest


def test_a_partly_applied_function_counts_with_its_arguments():
    assert source_digest(functools.partial(sorted, reverse=True)) != source_digest(functools.partial(sorted))


def test_a_state_of_another_source_is_refused():
    check_source({"source": source_digest(dict)}, dict)
    for state in ({}, {"source": "0"}):
        with pytest.raises(ValueError, match="another source of dict"):
            check_source(state, dict)


def test_how_kernels_are_compiled_does_not_count_but_the_version_of_numba_does():
    from analysis.categories.models import InfiniteHMM

    found = source_of(InfiniteHMM)
    assert any("kernels:" in name for name in found.definitions)
    assert not any(name.startswith(source.COMPILING) for name in found.definitions) and "numba" in found.packages


def test_what_reads_added_corpora_counts_in_their_versions_and_not_in_stored_results(monkeypatch):
    from analysis import corpora
    from analysis.corpora import own_corpora
    from analysis.papers import frank2009

    def readers(function):
        return {name for name in source_of(function).definitions if name.startswith(source.ADDED)}

    assert not readers(corpora.load) and not readers(frank2009.PAPER.evidence["table3"])
    assert "analysis.corpora.own_corpora:own_tokens" in readers(own_corpora.own_tokens)
    before = source_digest(corpora.load)
    monkeypatch.setattr(own_corpora, "_with_tag_columns", lambda tokens: tokens)
    assert source_digest(corpora.load) == before


def test_it_does_not_matter_whether_the_compiling_module_is_loaded():
    code = (
        "import sys, importlib; [importlib.import_module(name) for name in sys.argv[1:]]\n"
        "from analysis.categories.type_measures import micro_i\n"
        "from analysis.structures.source import source_of; print(source_of(micro_i).digest)"
    )
    loaded = [[], ["analysis.structures.compiled"], ["analysis.categories.type_kernels"]]
    run = functools.partial(subprocess.run, capture_output=True, text=True, check=True)
    assert len({run([sys.executable, "-c", code, *names]).stdout for names in loaded}) == 1
