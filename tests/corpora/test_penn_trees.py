import zipfile

import pytest

from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.corpora.penn_trees import as_derivations, read_penn_trees
from analysis.structures import DataError

TREE = """( (S
  (NP-SBJ-1 (DT The) (NN duck))
  (VP (VBZ wants)
    (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB swim) (PP=2 (IN in) (NP (-LRB- -LRB-) (NNP NA) (-RRB- -RRB-)))))))
  (. .)))
"""


def test_words_tags_and_spans_of_a_tree():
    trees = read_penn_trees(TREE)
    assert trees.tokens["form"].tolist() == ["The", "duck", "wants", "to", "swim", "in", "-LRB-", "NA", "-RRB-", "."]
    assert trees.tokens["fine"].tolist() == ["DT", "NN", "VBZ", "TO", "VB", "IN", "-LRB-", "NNP", "-RRB-", "."]
    assert trees.constituents.drop(columns="sentence").to_numpy().tolist() == [
        [0, -1, "S", "", 0, 10],
        [1, 0, "NP", "SBJ", 0, 2],
        [2, 0, "VP", "", 2, 9],
        [3, 2, "S", "", 3, 9],  # the empty subject is left out
        [4, 3, "VP", "", 3, 9],
        [5, 4, "VP", "", 4, 9],
        [6, 5, "PP", "", 5, 9],
        [7, 6, "NP", "", 6, 9],
    ]


def test_as_derivations_they_are_what_the_reader_of_plain_trees_gives():
    plain = "(S (NP (NP (NN duck))) (, ,) (VP (VB swim) (ADVP (RB far))))\n(NN duck)\n(X (NP (NN duck)))\n"
    ours, theirs = as_derivations(read_penn_trees(plain)), read_bracketed_trees(plain.encode())
    assert ours.nodes.equals(theirs.nodes) and ours.tokens.equals(theirs.tokens)
    assert ours.sentences["status"].tolist() == ["parsed"] * 3


def test_as_derivations_they_have_neither_function_tags_nor_empty_elements():
    tree = as_derivations(read_penn_trees(TREE)).tree(0)
    assert repr(tree).startswith("(S (NP (DT The) (NN duck)) (VP (VBZ wants) (S (VP (TO to) (VP (VB swim) (PP (IN in)")
    broken = read_penn_trees("(S (NN duck))\n(S (NN\n(S (VB swim))\n", strict=False)
    assert as_derivations(broken).sentences["status"].tolist() == ["parsed", "failed", "parsed"]
    with pytest.raises(DataError, match="not all in one constituent"):
        as_derivations(read_penn_trees("( (NP (NN duck)) (VP (VB swim)) )"))


def test_sentences_know_their_file_and_line():
    trees = read_penn_trees(TREE + "\n(FRAG (NN duck))\n", name="some.mrg")
    assert trees.sentences.to_numpy().tolist() == [[0, "some.mrg", 1, 10], [1, "some.mrg", 7, 1]]
    assert trees.tokens["sentence"].tolist() == [0] * 10 + [1]


def test_a_tree_of_empty_categories_only_is_no_sentence():
    trees = read_penn_trees("(S (NP (-NONE- *)))\n(S (NN duck))")
    assert trees.tokens["form"].tolist() == ["duck"]
    assert trees.sentences["line"].tolist() == [2]


def test_carriage_returns_and_a_byte_order_mark_do_no_harm(tmp_path):
    path = tmp_path / "tree.mrg"
    path.write_bytes(b"\xef\xbb\xbf" + TREE.replace("\n", "\r\n").encode())
    assert read_penn_trees(path).tokens.equals(read_penn_trees(TREE).tokens)


def test_an_archive_is_read_in_the_order_of_its_names(tmp_path):
    path = tmp_path / "trees.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("combined/b.mrg", "(S (NN second))")
        archive.writestr("combined/a.mrg", "(S (NN first))")
        archive.writestr("combined/README", "(")
    trees = read_penn_trees(path)
    assert trees.tokens["form"].tolist() == ["first", "second"]
    assert trees.sentences["file"].tolist() == ["a.mrg", "b.mrg"]


def test_a_folder_is_read_as_elsewhere(tmp_path):
    (tmp_path / "b.ptb").write_text("(S (NN second))", encoding="utf-8")
    (tmp_path / "a.ptb").write_text("(S (NN first))", encoding="utf-8")
    assert read_penn_trees(tmp_path).sentences["file"].tolist() == ["a.ptb", "b.ptb"]
    (tmp_path / "c.mrg").write_text("(S (NN third))", encoding="utf-8")
    assert read_penn_trees(tmp_path).tokens["form"].tolist() == ["third"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN duck)", "line 1: 1 brackets are not closed"),
        ("(S (NN duck)))", "line 1: a closing bracket has no opening bracket"),
        ("(S (NN duck))\nduck (", "line 2: 'duck' is outside of brackets"),
        ("(S\n(NN a duck))", "line 2: the word 'duck' has no bracket of its own"),
        ("(S (NP (NN a)) duck)", "line 1: the word 'duck' has no bracket of its own"),
        ("(S (NN duck)\n(NP))", "line 2: the bracket NP has neither a word nor brackets"),
        ("(S (NN duck (NN a)))", "line 1: a bracket opens after the word 'duck'"),
        ("()", "there is no tree"),
    ],
)
def test_each_defect_is_named_with_its_line(text, message):
    with pytest.raises(DataError, match=message):
        read_penn_trees(text, name="some.mrg")


def test_bytes_that_are_no_utf8_are_named(tmp_path):
    path = tmp_path / "tree.mrg"
    path.write_bytes(b"(S (NN duck))\n(S (NN d\xfcck))")
    with pytest.raises(DataError, match="line 2"):
        read_penn_trees(path)


@pytest.mark.thorough
def test_a_tree_of_a_hundred_thousand_brackets_is_read():
    n = 100_000
    trees = read_penn_trees("(NP " * n + "(NN duck)" + ")" * n)
    assert len(trees.constituents) == n
