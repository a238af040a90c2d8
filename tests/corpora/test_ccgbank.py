"""AUTO files."""

from pathlib import Path

import pandas as pd
import pytest

from analysis.corpora.catalogue import locate
from analysis.corpora.ccgbank import daughters, read_auto, read_sections, unescape, write_auto
from analysis.corpora.language import generate, to_auto
from analysis.structures import DataError
from analysis.structures.derivation import derivations

FILES = Path(__file__).parent / "ccgbank"
GOOD = FILES / "good.auto"

# File, kind, line, what is said.
DEFECTS = [
    ("truncated_line", "truncated", 6, "the line ends within"),
    ("truncated_between_nodes", "truncated", 6, "the line ends within the tree"),
    ("truncated_before_bracket", "truncated", 6, "the line ends within the tree"),
    ("leaf_with_four_fields", "fields", 2, "a leaf has 4 fields; expected category, tag, tag, word, category"),
    ("leaf_with_seven_fields", "fields", 2, "a leaf has 7 fields"),
    ("node_with_two_fields", "fields", 2, "a node has 2 fields; expected category, head, number of daughters"),
    ("head_is_2", "head", 2, "a node has the head field '2'; expected 0 or 1"),
    ("three_daughters", "daughters", 2, "'3' daughters"),
    ("more_daughters_than_said", "daughters", 2, "more daughters than it says"),
    ("fewer_daughters_than_said", "daughters", 2, "fewer daughters than it says"),
    ("unbalanced_category", "category", 2, r"'(S[dcl]\\NP' is not a CCG category: at character 11: expected ')'"),
    ("category_with_blank", "category", 2, r"the category beginning 'S[dcl]\\' has a blank in it"),
    ("after_the_tree", "after the tree", 2, "something follows the tree"),
    ("no_tree", "no tree", 2, "there is neither a node nor a leaf here"),
]

FAILURES = ["failed_empty_line", "failed_no_line", "failed_word", "failed_brackets", "failed_leaf"]


def plain(text):
    return ["".join(line.split()) for line in text.splitlines()]


def words(bank):
    return bank.tokens["form"].tolist()


def test_a_good_file_gives_words_categories_heads_and_rules():
    bank = read_auto(GOOD)
    assert len(bank) == 3
    assert words(bank) == ["dogs", "bark", "the", "cat", "saw", "it", ".", r"1\/2", "sqrt(2)"]
    assert bank.sentences["id"].tolist() == ["wsj_0001.1", "wsj_0001.2", "wsj_0001.3"]
    assert bank.nodes.query("sentence == 0")["rule"].tolist() == ["<", "unary", "lex", "lex"]
    assert bank.nodes.query("sentence == 1")["rule"].tolist() == [
        "punct", "<", ">", "lex", "lex", ">", "lex", "lex", "lex",
    ]  # fmt: skip
    assert bank.nodes.query("sentence == 1")[["start", "end"]].values.tolist() == [
        [0, 5], [0, 4], [0, 2], [0, 1], [1, 2], [2, 4], [2, 3], [3, 4], [4, 5],
    ]  # fmt: skip
    assert bank.tree(0).words[bank.tree(0).nodes[0].head - 1] == "bark"
    assert bank.tokens["annotated"].tolist()[1] == r"S[dcl]\NP_1"
    assert len(bank.incidents) == 0


def test_head_1_of_one_daughter_means_nothing():
    nodes = read_auto(GOOD).nodes.query("sentence == 2")
    assert nodes["head_daughter"].tolist() == [0, 1, -1, -1]


@pytest.mark.parametrize("name", ["crlf", "byte_order_mark", "brackets_together", "without_ids", "needless_brackets"])
def test_harmless_differences_do_not_change_what_is_read(name):
    good, other = read_auto(GOOD), read_auto(FILES / f"{name}.auto")
    columns = ["sentence", "node", "parent", "category", "rule", "start", "end"]
    pd.testing.assert_frame_equal(other.nodes[columns], good.nodes[columns])
    assert words(other) == words(good)


def test_of_two_differing_categories_at_a_leaf_the_first_counts():
    bank = read_auto(FILES / "differing_categories.auto")
    assert bank.tokens.loc[5, ["category", "annotated"]].tolist() == ["NP", "N"]


@pytest.mark.parametrize(
    "name", ["good", "needless_brackets", "brackets_together", "differing_categories", "without_ids"]
)
def test_what_was_read_is_written_again(name, tmp_path):
    path = FILES / f"{name}.auto"
    written = write_auto(read_auto(path), tmp_path / "out.auto", ids=name != "without_ids")
    expected = path.read_text(encoding="utf-8").replace("<T NP 1 1>", "<T NP 0 1>")  # the head of one daughter
    assert plain(written) == plain(expected)
    assert (tmp_path / "out.auto").read_text(encoding="utf-8") == written


def test_the_file_of_the_built_in_language_is_read_and_written_as_it_stands(tmp_path):
    drawn = generate(50, random_state=4)
    to_auto(drawn, tmp_path / "a.auto")
    bank = read_auto(tmp_path / "a.auto")
    columns = ["sentence", "node", "parent", "category", "start", "end", "head_daughter"]
    ours, truth = bank.nodes[columns], drawn.nodes[columns].astype({"category": "str"})
    pd.testing.assert_frame_equal(ours, truth, check_dtype=False)
    assert bank.nodes["rule"].tolist() == drawn.nodes["rule"].astype("str").tolist()
    assert plain(write_auto(bank)) == plain((tmp_path / "a.auto").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "kind", "line", "said"), DEFECTS)
def test_each_defect_is_an_error_that_says_where_and_what(name, kind, line, said):
    path = FILES / f"{name}.auto"
    with pytest.raises(DataError) as caught:
        read_auto(path)
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert said in str(caught.value).replace("\\\\", "\\") or said in str(caught.value)
    assert caught.value.incident.kind == kind


@pytest.mark.parametrize(("name", "kind", "line", "said"), DEFECTS)
def test_a_sentence_with_a_defect_has_no_derivation_and_the_others_stay(name, kind, line, said):
    bank = read_auto(FILES / f"{name}.auto", strict=False)
    status = ["parsed"] * 3
    status[line // 2 - 1] = "failed"
    assert bank.sentences["status"].tolist() == status
    assert bank.incidents[["kind", "line"]].values.tolist() == [[kind, line]]


@pytest.mark.parametrize("name", FAILURES)
def test_a_failed_parse_is_counted_however_it_is_written(name):
    bank = read_auto(FILES / f"{name}.auto")
    assert bank.sentences["status"].tolist() == ["parsed", "failed", "parsed"]
    assert words(bank) == ["dogs", "bark", r"1\/2", "sqrt(2)"]
    assert bank.incidents["kind"].tolist() == ["failed parse"]


def test_an_id_line_at_the_end_of_the_file_is_a_failed_parse():
    assert read_auto(FILES / "failed_at_end.auto").sentences["status"].tolist() == ["parsed", "parsed", "failed"]


def test_an_empty_line_between_sentences_is_listed_and_nothing_else():
    bank = read_auto(FILES / "empty_line_inside.auto")
    assert bank.sentences["status"].tolist() == ["parsed"] * 3
    assert bank.incidents["kind"].tolist() == ["empty line"]


def test_an_empty_line_of_a_file_without_ids_stands_for_a_sentence():
    path = FILES / "empty_line_without_ids.auto"
    with pytest.raises(DataError, match="line 2: there is an empty line instead of a tree"):
        read_auto(path)
    assert read_auto(path, strict=False).sentences["status"].tolist() == ["parsed", "failed", "parsed"]


def test_of_trees_with_one_id_the_first_counts():
    path = FILES / "duplicated_id.auto"
    with pytest.raises(DataError, match=r"the ID 'wsj_0001.1' occurs already in line 1"):
        read_auto(path)
    bank = read_auto(path, strict=False)
    assert bank.sentences["id"].tolist() == ["wsj_0001.1", "wsj_0001.3"]
    assert words(bank)[:2] == ["dogs", "bark"]


def test_a_tree_without_its_id_line_is_a_defect():
    with pytest.raises(DataError, match="line 3: a tree has no ID line"):
        read_auto(FILES / "tree_without_id.auto")
    assert len(read_auto(FILES / "tree_without_id.auto", strict=False)) == 3


@pytest.mark.parametrize(
    ("name", "said"), [("empty", "no derivation"), ("page", "HTML page"), ("latin1", "is not UTF-8")]
)
def test_a_file_that_is_no_auto_file_is_refused(name, said):
    with pytest.raises(DataError, match=said):
        read_auto(FILES / f"{name}.auto")


def test_another_encoding_can_be_named():
    assert words(read_auto(FILES / "latin1.auto", encoding="latin-1"))[0] == "dögs"


def test_a_right_branching_derivation_of_1500_words_is_read_and_written():
    n = 1500
    text = "(<T N 1 2> (<L N/N JJ JJ big N/N>) " * (n - 1) + "(<L N NN NN cat N>)" + " )" * (n - 1) + "\n"
    bank = read_auto(text)
    assert (len(bank.tokens), len(bank.nodes)) == (n, 2 * n - 1)
    tree = bank.tree(0)
    assert tree.nodes[0].head == n
    assert repr(tree).count("(") == 2 * n - 1
    assert plain(write_auto(bank, ids=False)) == plain(text)


def test_daughters_are_found_by_preorder_and_parent():
    bank = read_auto(GOOD)
    left, right = daughters(bank.nodes.query("sentence == 1").reset_index(drop=True))
    assert left.tolist() == [1, 2, 3, -1, -1, 6, -1, -1, -1]
    assert right.tolist() == [8, 5, 4, -1, -1, 7, -1, -1, -1]


@pytest.mark.parametrize(
    ("word", "meant"), [(r"\<", "<"), (r"1\/2", "1/2"), ("-RCB-", "}"), ("NA", "NA"), ("x)", "x)")]
)
def test_escapes_stand_for_what_they_mean(word, meant):
    assert unescape(word) == meant


def test_sections_of_ccgbank_are_read_from_a_folder_and_from_a_zip(tmp_path):
    import zipfile

    folder = tmp_path / "data" / "AUTO"
    for section in (2, 23):
        (folder / f"{section:02d}").mkdir(parents=True)
        text = GOOD.read_text(encoding="utf-8").replace("wsj_0001", f"wsj_{section:02d}01")
        (folder / f"{section:02d}" / f"wsj_{section:02d}01.auto").write_text(text, encoding="utf-8")
    both = read_sections(tmp_path, [2, 23])
    assert both.sentences["id"].tolist()[2:4] == ["wsj_0201.3", "wsj_2301.1"]
    assert both.tokens["sentence"].tolist() == sorted(both.tokens["sentence"])
    with zipfile.ZipFile(tmp_path / "bank.zip", "w") as archive:
        for path in sorted(folder.rglob("*.auto")):
            archive.write(path, path.relative_to(tmp_path))
    assert write_auto(read_sections(tmp_path / "bank.zip", [2, 23])) == write_auto(both)
    with pytest.raises(DataError, match="of section 05"):
        read_sections(tmp_path, [5])


@pytest.mark.real_corpus
@pytest.mark.parametrize("pattern", ["*geo-dev.auto", "*geo-train.auto", "*depccg_default.auto"])
def test_the_geometry_files_are_written_as_they_stand(pattern):
    path = locate("ccg-geometry", pattern)[0]
    bank = read_auto(path)
    assert plain(write_auto(bank)) == plain(path.read_text(encoding="utf-8"))


def test_derivations_of_a_generator_are_numbered_from_0():
    drawn = generate(5, random_state=1)
    later = derivations(
        drawn.nodes.assign(sentence=drawn.nodes["sentence"] + 7),
        drawn.tokens.assign(sentence=drawn.tokens["sentence"] + 7),
    )
    assert later.sentences["sentence"].tolist() == [0, 1, 2, 3, 4]
    assert later.tree(0).words == tuple(drawn.tokens.query("sentence == 0")["form"])


def test_the_dialect_is_that_of_most_nodes():
    plain = "ID={}\n(<T NP 0 1> (<L N NN NN dogs N>) )\n"
    odd = "ID=3\n(<T NP fa 0 1> (<L N dogs dog NN I-NP O N>) )\n"
    bank = read_auto(plain.format(1) + plain.format(2) + odd, strict=False)
    assert bank.sentences["status"].tolist() == ["parsed", "parsed", "failed"]
