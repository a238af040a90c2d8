"""Inputs that once went wrong, as the readers give them; each folder of `tests/data/cases` is one."""

import os
from pathlib import Path

import pytest

from analysis.corpora import read_chat_text, read_clustering, read_conll, read_forms
from analysis.corpora.ccgbank import read_auto
from analysis.evaluation.tags import evaluate_tags, evaluate_types
from analysis.evaluation.trees import evaluate_trees
from analysis.structures import DataError, encode_labels

CASES = Path(__file__).parents[1] / "data" / "cases"


def case(number, name):
    return next(CASES.glob(f"{number:02}-*")) / name


def counts(table):
    return table[["measure", "numerator", "denominator"]].astype("str").to_numpy().tolist()


def trees_by_id(bank):
    return {identity: str(bank.tree(number)) for number, identity in enumerate(bank.sentences["id"])}


def test_derivations_carry_their_ids_so_that_their_order_does_not_matter():
    gold, system = (read_auto(case(1, name)) for name in ("geo_g.auto", "geo_s.auto"))
    assert gold.sentences["id"].tolist() == ["1", "2"] and system.sentences["id"].tolist() == ["2", "1"]
    assert trees_by_id(gold) == trees_by_id(system)


@pytest.mark.parametrize(
    ("number", "ending", "format_column", "directed"),
    [(2, "conllu", "universal", [4, 4]), (3, "conll", "coarse", [5, 5])],
)
def test_the_order_of_sentences_changes_no_format_and_no_score(number, ending, format_column, directed):
    letter = {2: "q", 3: "o"}[number]
    tables = []
    for order in (1, 2):
        gold, system = (case(number, f"{letter}{order}{side}.{ending}") for side in "gs")
        assert format_column in read_conll(gold).tokens
        tables.append(evaluate_trees(gold, [system], punctuation=False))
    assert counts(tables[0]) == counts(tables[1])
    assert tables[0].loc[0, "denominator"] == directed[1]


def test_a_file_that_begins_with_a_range_has_universal_tags():
    assert read_conll(case(4, "mwt.conllu")).tokens["universal"].tolist() == ["ADP", "NOUN", "PUNCT"]
    table = evaluate_tags(case(4, "mwt.conllu"), [case(4, "mwt.conllu")], gold_column="universal")
    assert table.loc[0, ["numerator", "denominator"]].tolist() == [3, 3]


@pytest.mark.parametrize("name", ["noauto.txt", "g.conllu"])
@pytest.mark.parametrize("strict", [True, False])
def test_a_file_without_a_derivation_is_refused_with_its_first_line(name, strict):
    with pytest.raises(DataError, match=rf"{name}, line 1: there is neither a node nor a leaf here"):
        read_auto(case(5, name), strict=strict)


def test_the_extended_form_of_depccg_is_read():
    bank = read_auto(case(5, "ext.auto"))
    assert bank.tokens[["form", "lemma", "fine"]].to_numpy().tolist() == [
        ["dogs", "dog", "NNS"],
        ["bark", "bark", "VBP"],
    ]
    assert repr(bank.tree(0)) == r"(S[dcl] (NP dogs) (S[dcl]\NP bark))"


def test_trees_over_several_lines_are_those_on_one():
    expected = trees_by_id(read_auto(case(6, "g.auto")))
    assert trees_by_id(read_auto(case(6, "ml.auto"))) == expected
    assert repr(read_auto(case(6, "ml2.auto")).tree(0)) == r"(S[dcl] (NP dogs) (S[dcl]\NP bark))"
    assert len(read_auto(case(6, "ml2.auto")).sentences) == 1


def test_the_preface_of_the_c_and_c_tools_is_no_sentence():
    assert list(trees_by_id(read_auto(case(7, "cc.auto"))).values()) == list(
        trees_by_id(read_auto(case(7, "g.auto"))).values()
    )
    assert trees_by_id(read_auto(case(7, "cc1.auto"))) == trees_by_id(read_auto(case(7, "cc2.auto")))


@pytest.mark.parametrize(
    ("name", "features"), [("m16.tsv", "pos=V,tense=PST"), ("m23_g.tsv", "V;PST"), ("m23_s.tsv", "V;PST")]
)
def test_features_are_found_wherever_their_column_stands(name, features):
    forms = read_forms(case(9, name)).forms
    assert forms["features"].tolist() == [features] * 2 and forms["lemma"].tolist() == ["walk", "fly"]
    assert forms["form"][0] == "walked"


def test_packed_forms_and_carriage_returns_are_read():
    assert read_forms(case(12, "m_g.tsv.gz")).forms["lemma"].tolist() == ["walk", "fly", "go", "see"]
    assert read_forms(case(12, "cr.tsv")).forms.to_numpy().tolist() == [
        ["walk", "walked", "V;PST"],
        ["fly", "flew", "V;PST"],
    ]


def test_a_tag_that_universal_dependencies_do_not_have_leaves_the_format_as_its_name_says():
    assert read_conll(case(15, "xtagU.conllu")).tokens["universal"].tolist()[-2:] == ["PONCT", "PONCT"]


def test_the_line_of_a_sentence_that_is_left_out_is_named():
    with pytest.raises(DataError, match=r"r14b\.conllu, line 5: 1 column; expected 10 columns"):
        read_conll(case(16, "r14b.conllu"))
    reading = read_conll(case(16, "r14b.conllu"), strict=False)
    assert reading.incidents[["line", "kind"]].to_numpy().tolist() == [[5, "columns"]]
    assert reading.sentences["kept"].tolist() == [True, False]


@pytest.mark.parametrize(
    ("main", "mor", "forms", "lemmas"),
    [
        (
            "al lado del nino .",
            "prep|a~det:art|el n|lado prep|de~det:art|el n|nino .",
            "al||lado|del||nino",
            "a el lado de el nino",
        ),
        (
            "das ist im Haus .",
            "pro:dem|das cop|sein&3S prep|in~det|dem n|Haus .",
            "das|ist|im||Haus",
            "das sein in dem Haus",
        ),
        ("du pain .", "adp|de~det|le-Def-Art-Masc-Sing noun|pain-Masc .", "du||pain", "de le pain"),
    ],
)
def test_fused_words_are_kept_with_a_row_a_part(main, mor, forms, lemmas):
    head = "@UTF8\n@Begin\n@Participants:\tCHI Target_Child , MOT Mother\n"
    tokens = read_chat_text(f"{head}*MOT:\t{main}\n%mor:\t{mor}\n@End\n", "x.cha")
    assert tokens["form"].tolist() == forms.split("|") and tokens["lemma"].tolist() == lemmas.split()


def test_classes_of_word_types_are_given_to_all_their_tokens():
    for name in ("mkcls", "wb"):
        assert read_clustering(case(23, name)).kind == "types"
        assert evaluate_tags(case(23, "gt.txt"), [case(23, name)]).loc[0, ["numerator", "denominator"]].tolist() == [
            5,
            5,
        ]
        assert evaluate_types(case(23, "gt.txt"), [case(23, name)])["n"].tolist()[0] == 4


def test_numbers_with_fractions_are_refused_as_labels():
    with pytest.raises(ValueError, match=r"gold has the number 0\.5 at index 0"):
        encode_labels([0.5, 1.5, 2.2], "gold")


def test_duplicates_and_blank_lines_are_said():
    gold, system = (read_forms(case(28, name)).incidents for name in ("du_g.tsv", "du_s.tsv"))
    assert gold[["line", "kind"]].to_numpy().tolist() == [[2, "duplicate"], [4, "blank line"]]
    assert system[["line", "kind"]].to_numpy().tolist() == [[2, "duplicate"]]


def test_a_process_substitution_is_read():
    reading, writing = os.pipe()
    os.write(writing, case(29, "ok.conllu").read_bytes())
    os.close(writing)
    table = evaluate_trees(case(29, "ok.conllu"), [f"/dev/fd/{reading}"])
    os.close(reading)
    assert table["value"].tolist() == [1.0] * 5
