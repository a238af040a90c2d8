"""Files that a reader uploads are scored as the library scores files, or one line says what is wrong."""

from datetime import UTC, datetime

import pandas as pd
import pytest

from analysis import corpora, evaluation, explore
from analysis.explore.own import score_files

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return corpora.write_examples(tmp_path_factory.mktemp("examples"), 30)


def uploaded(name, content):
    """What ipywidgets gives for one file."""
    when = datetime(2026, 1, 1, tzinfo=UTC)
    about = {"name": name, "type": "text/plain", "size": len(content), "last_modified": when}
    return (about | {"content": memoryview(content)},)


GOLD = b"the\tD\ndog\tN\nran\tV\nthe\tD\n"
MINE = b"the\t1\ndog\t2\nran\t2\nthe\t1\n"


def test_an_uploaded_file_is_scored_in_place_of_the_first(files):
    explorer = explore.score_upload(files.treebank, files.treebank)
    assert explorer.value.loc[explorer.value["measure"] == "many-to-one", "value"].item() == 1
    explorer.controls["gold"].button.value = uploaded("gold.txt", GOLD)
    assert explorer.value is None and "gold/gold.txt" in explorer.error  # the words of the two differ
    assert "tmp" not in explorer.error and len(explorer.error.splitlines()) == 1
    explorer.controls["system"].button.value = uploaded("mine.txt", MINE)
    assert explorer.error == ""
    found = explorer.value.set_index("measure")
    assert (found.loc["many-to-one", "numerator"], found.loc["many-to-one", "denominator"]) == (3, 4)
    assert len(explorer.figure().axes) == found["unit"].nunique()


def test_a_file_that_cannot_be_read_is_one_line_and_the_next_one_is_scored(files):
    explorer = explore.score_upload(files.treebank, files.treebank, "trees")
    explorer.controls["system"].button.value = uploaded("bad.conllu", b"1\ta\n\n")
    assert explorer.value is None and explorer.error.startswith("system/bad.conllu, line 1: ")
    with pytest.raises(ValueError, match=r"bad\.conllu"):
        explorer.figure()
    explorer.controls["system"].button.value = uploaded("good.conllu", files.treebank.read_bytes())
    assert explorer.error == "" and (explorer.value["value"] == 1).all()


FILES = {"tags": "treebank", "types": "treebank", "trees": "treebank", "inflections": "forms", "ccg": "derivations"}


@pytest.mark.parametrize("subject", FILES)
def test_a_file_scored_against_itself_has_the_values_of_the_library(subject, files):
    file = getattr(files, FILES[subject])
    explorer = explore.score_upload(file, file, subject)
    assert explorer.error == ""
    table = getattr(evaluation, f"evaluate_{subject}")(file, [file])
    pd.testing.assert_series_equal(explorer.value["value"], table["value"])
    assert explorer.value["signature"].tolist() == table["signature"].tolist()
    assert explorer.value["measure"].is_unique
    assert explorer.figure().axes


def test_brackets_are_a_subject():
    trees = [b"(S (NP (NN dogs)) (VP (VB bark)))\n", b"(S (NN dogs) (VP (VB bark)))\n"]
    found = score_files("brackets", ("gold.mrg", trees[0]), ("mine.mrg", trees[1])).set_index("measure")
    counts = found[["numerator", "denominator"]]
    assert counts.loc["labelled recall"].tolist() == [2, 3]  # S and VP of S, NP and VP
    assert counts.loc["labelled precision"].tolist() == [2, 2]


def test_an_unknown_subject_is_refused(files):
    with pytest.raises(ValueError, match="subject"):
        explore.score_upload(files.text, files.text, "poems")
