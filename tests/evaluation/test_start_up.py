"""What a command that scores two small files imports: nothing that takes longer to import than to score them."""

import subprocess
import sys
from pathlib import Path

import pytest

#: Packages of others that a command may import, beside the standard library; the tools of tests may be there already.
ALLOWED = {"click", "numpy"}
SLOW = ("pandas", "pyarrow", "scipy", "numba", "matplotlib", "nltk", "nbformat", "joblib", "sklearn", "platformdirs")
CODE = """
import sys
from analysis.__main__ import main
main(sys.argv[1:], standalone_mode=False)
roots = {name.partition(".")[0] for name, module in sys.modules.items() if getattr(module, "__spec__", None)}
print(" ".join(sorted(roots | {"scipy.optimize"}.intersection(sys.modules))))
"""
TREE = "1\tlook\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\tup\t_\tADV\t_\t_\t1\tadvmod\t_\t_\n\n"
OTHER = TREE.replace("\t0\t", "\t2\t").replace("\t1\tadvmod", "\t0\troot")
FORMS = "fly\tflew\tV;PST\nlook\tlooked\tV;PST\n"
DERIVATIONS = (
    "ID=1\n(<T NP 0 1> (<L N NN NN dogs N>) )\n"
    "ID=2\n(<T S 1 2> (<T NP 0 2> (<T NP 0 1> (<L N NN NN peas N>) ) (<T NP[conj] 1 2> (<L conj CC CC and conj>) "
    "(<T NP 0 1> (<L N NN NN corn N>) ) ) ) (<L S\\NP VB VB grow S\\NP>) )\n"
)
TREES = "(S (NP (NN dogs)) (VP (VB bark)))\n(S (NP (NN peas)) (VP (VB grow)))\n(S (NP (NN corn)) (VP (VB grows)))\n"
LABELS = "the\tD\ncat\tN\n\nthe\tD\ndog\tN\n"
FILES = {
    "gold.txt": LABELS, "mine.txt": LABELS.replace("D", "1"), "gold.conllu": TREE, "mine.conllu": OTHER,
    "gold.tsv": FORMS, "mine.tsv": FORMS.replace("flew", "flied"),
    "gold.auto": DERIVATIONS, "gold.mrg": TREES, "words.mrg": "(NN dogs)\n",
    "mine.mrg": TREES.replace("VP", "NP").replace("(S (NP (NN peas)) (NP (VB grow)))", ""),
    "torn.mrg": TREES.replace("peas)", "peas) oh"),
    "mine.auto": DERIVATIONS.replace("corn", "wheat"), "torn.auto": DERIVATIONS.replace("dogs N>) )", "dogs N>)"),
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "trees gold.conllu mine.conllu",
        "trees gold.conllu mine.conllu --no-punctuation --format csv --incidents found.csv",
        "trees gold.conllu mine.conllu --format json",
        "trees gold.conllu mine.conllu gold.conllu --compare",
        "trees gold.conllu me=mine.conllu,gold.conllu",
        "inflections gold.tsv mine.tsv",
        "inflections gold.tsv mine.tsv --no-intervals",
        "inflections gold.tsv mine.tsv --training gold.tsv --format csv",
        "tags gold.txt mine.txt --no-intervals",
        "tags gold.txt mine.txt --no-intervals --leave-out D --format csv",
        "tags gold.conllu mine.conllu --no-intervals --format json",
        "types gold.txt mine.txt --no-intervals",
        "types gold.conllu mine.conllu --no-intervals --initialisation edges",
        "ccg gold.auto mine.auto --no-intervals",
        "ccg gold.auto mine.auto --no-punctuation --format csv --incidents found.csv",
        "ccg gold.auto torn.auto --heads rule --format json",
        "ccg gold.auto mine.auto torn.auto --compare",
        "brackets gold.mrg mine.mrg",
        "brackets gold.mrg mine.mrg --max-length 5 --format csv --incidents found.csv",
        "brackets gold.mrg torn.mrg --failed count --format json",
        "brackets gold.mrg mine.mrg torn.mrg gold.mrg --compare",
        "brackets words.mrg words.mrg --no-intervals",
    ],
)
def test_a_command_imports_only_what_it_needs(words, tmp_path):
    imported = imported_by(words, tmp_path)
    assert imported >= ALLOWED, "the test sees what is imported"
    assert imported.isdisjoint(SLOW)
    others = imported - set(sys.stdlib_module_names) - ALLOWED - {"analysis"}
    assert {name for name in others if not name.startswith("_")} == set()


@pytest.mark.parametrize("words", ["tags gold.txt mine.txt", "types gold.txt mine.txt"])
def test_other_commands_import_no_more_than_parts_of_scipy(words, tmp_path):
    imported = imported_by(words, tmp_path)
    assert imported.intersection(SLOW) <= {"scipy"}
    assert "scipy.optimize" not in imported


def test_a_small_lexicon_is_scored_without_numba(tmp_path):
    assert imported_by("types gold.txt mine.txt", tmp_path).isdisjoint({"numba", "matplotlib", "nltk"})


def imported_by(words, tmp_path):
    """Packages that a command imports."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", CODE, "evaluate", *words.split()]
    environment = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())
