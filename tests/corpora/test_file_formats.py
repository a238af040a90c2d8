"""All rows decide the format of a file, in whatever order they stand."""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.corpora import file_formats, read_clustering, read_conll, read_conllx
from analysis.corpora.file_formats import FORMATS, TREEBANKS, decide_format, format_named
from analysis.corpora.lines import Lines
from analysis.corpora.opening import Text
from analysis.structures import DataError


def rows(*lines):
    return "".join(line.replace(" ", "\t") + "\n" for line in lines) + "\n"


CONLLU = [
    rows(
        "1-2 du _ _ _ _ _ _ _ _",
        "1 de de ADP _ _ 3 case _ _",
        "2 le le DET _ _ 3 det _ _",
        "3 pain pain NOUN _ _ 0 root _ _",
    ),
    rows("1 oui oui INTJ _ _ 0 root _ _", "1.1 e _ _ _ _ _ _ _ _", "2 ! ! PUNCT _ _ 1 punct _ _"),
    "# sent_id = 3\n" + rows("1 non non INTJ _ _ 0 root _ _"),
]
CONLLX = [
    rows("1 to _ TO TO _ 2 dep _ _", "2 go _ V VB _ 0 root _ _"),
    rows("1 go _ V VB _ 0 root _ _", "2 ! _ PUNC PUNC _ 1 p _ _"),
]
TWELVE = [
    rows("1 to _ PRT _ _ 2 dep _ _", "2 go _ VERB _ _ 0 dep _ _"),
    rows("1 go _ VERB _ _ 0 dep _ _", "2 = _ . _ _ 1 p _ _"),
]
CONLL2009 = [
    rows("1 Dogs dog dog NNS NNS _ _ 2 2 SBJ SBJ _ _ A0", "2 bark bark bark VBP VBP _ _ 0 0 ROOT ROOT Y bark.01 _"),
    rows("1 No no no UH UH _ _ 0 0 ROOT ROOT _ _"),
]
CONLL2008 = [
    rows("1 Dogs dog NNS NNS Dogs dog NNS 2 SBJ _ A0", "2 bark bark VBP VBP bark bark VBP 0 ROOT bark.01 _"),
    rows("1 No no UH UH No no UH 0 ROOT _"),
]
CCG = [
    "ID=1\n(<T NP 0 1> (<L N NN NN dogs N>) )\n",
    "ID=2\n(<T NP 0 1>\n (<L N NN NN x N>)\n)\n",
    "ID=3\n(<L N NN NN y N>)\n",
]
EXAMPLES = {
    "conllu": CONLLU,
    "conllx": CONLLX,
    "nine-columns": [rows("1 a _ N N NOUN _ 0 _"), rows("1 a _ N N NOUN _ 2 _", "2 b _ N N NOUN _ 0 _")],
    "conll2008": CONLL2008,
    "conll2009": CONLL2009,
    "word-tag-head": [rows("a N 2", "01 N 0"), rows("# N 0")],
    "words-and-tags": [rows("the D", "cat N"), rows("the D", "12 3")],
    "types": ["the\t2\n", "cat\t3\n", "ran\t4\n"],
    "paths": ["00\tthe\t5\n", "01\tcat\t2\n", "1\t7\t1\n"],
    "map": [f"{word}\t{bits}-L 1\t{bits}-R 1\t{bits}-freq 2\n" for word, bits in (("the", "0"), ("cat", "10"))],
    "tags": ["D\nN\n\n", "N/V\n\n"],
    "slashed": ["the/D cat/N\n", "ran/V\n", "1/2/NUM x/X\n"],
    "ccg": CCG,
    "brackets": ["(S (NN cat))\n", "( (S\n   (NN dog)) )\n"],
    "forms": ["walk\twalked\tV;PST\n", "USA\tUSAs\tN;PL\n"],
    "plain": ["the cat ran\n", "it stood there .\n", "(laughs) no\n"],
    "chat": ["@UTF8\n@Begin\n@Participants:\tMOT Mother\n*MOT:\tno .\n%mor:\tco|no .\n@End\n"],
}


def test_every_format_has_an_example():
    assert set(EXAMPLES) == set(FORMATS)


@pytest.mark.parametrize("format", EXAMPLES)
def test_the_order_of_sentences_does_not_change_the_format(format):
    for order in itertools.permutations(EXAMPLES[format]):
        assert decide_format("".join(order)).format == format


@pytest.mark.parametrize("format", EXAMPLES)
def test_one_defective_line_does_not_change_the_format(format):
    text = "".join(EXAMPLES[format] * (1 if format == "types" else 3))
    for defect in ("x\n", "a\tb\tc\td\te\n", "1 2 3\n"):
        assert decide_format(text + defect).format == format == decide_format(defect + text).format or format == "plain"


def test_comments_prefaces_and_blank_lines_do_not_decide():
    assert decide_format("# a\n# b\n# c\n\n\n" + CCG[0]).format == "ccg"
    assert decide_format("# a\tb\n# c d\n# e\n# f\n" + CONLLU[1]).format == "conllu"
    assert decide_format("\n\n\tthe/at cat/nn\n\n\tran/vbd ./.\n").format == "slashed"  # as the Brown corpus has it
    assert decide_format("#\tSYM\nthe\tD\n#\tSYM\n").format == "words-and-tags"


def test_the_name_decides_where_the_rows_could_be_either():
    tags = rows("1 a _ PONCT _ _ 2 dep _ _", "2 b _ NOUN _ _ 0 root _ _").encode()
    assert decide_format(Text("x.conllu", tags)) == ("conllu", None)
    assert decide_format(Text("x.conllu.gz", tags)).format == "conllu"
    assert decide_format(Text("x.conllx", CONLLU[1].encode())).format == "conllx"


def test_a_doubtful_decision_is_said_in_one_line_with_how_to_mend_it():
    tags = rows(*(f"{i} a _ {'NOUN' if i > 4 else 'PONCT'} _ _ 0 dep _ _" for i in range(1, 10)))
    notice = decide_format(tags).notice
    assert notice.kind == "format not certain" and "\n" not in notice.found
    assert "5 of 9 tags are those of CoNLL-U; name the format if it is not" in notice.found
    assert "the format 'words-and-tags'" in decide_format("the\t2\ncat\t3\n").notice.found
    assert all(decide_format("".join(EXAMPLES[name])).notice is None for name in EXAMPLES if name != "types")


def test_only_formats_that_can_be_used_are_decided_on():
    assert decide_format("the\tD\ncat\tN\n", ("tags", "forms")).format == "forms"
    assert decide_format("the\t2\ncat\t3\n", ("words-and-tags",)).format == "words-and-tags"
    with pytest.raises(DataError, match="line 1: no line is one of conllu"):
        decide_format("the\tD\n", TREEBANKS)
    with pytest.raises(DataError, match="the file has no line"):
        decide_format("\n\n")


def test_formats_are_named_with_blanks_too():
    assert format_named("Nine Columns") == "nine-columns"
    with pytest.raises(ValueError, match="must be 'auto' or one of"):
        format_named("xml")


@pytest.mark.parametrize("format", ["conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"])
def test_a_treebank_in_another_order_has_the_same_sentences(format):
    sentences = EXAMPLES[format]
    whole = read_conll("".join(sentences))
    turned = read_conll("".join(reversed(sentences)))
    assert list(whole.tokens.columns) == list(turned.tokens.columns)
    last = len(sentences) - 1
    again = turned.tokens.assign(sentence=last - turned.tokens["sentence"]).sort_values(["sentence", "position"])
    assert again.astype("str").to_numpy().tolist() == whole.tokens.astype("str").to_numpy().tolist()


def test_conll_2008_and_2009_have_words_lemmas_tags_and_trees():
    for sentences in (CONLL2008, CONLL2009):
        tokens = read_conll("".join(sentences)).tokens
        assert tokens[["form", "lemma", "fine", "head", "relation"]].astype("str").to_numpy().tolist() == [
            ["Dogs", "dog", "NNS", "2", "SBJ"], ["bark", "bark", "VBP", "0", "ROOT"], ["No", "no", "UH", "0", "ROOT"],
        ]  # fmt: skip


def test_universal_tags_of_conllx_are_universal_tags():
    assert read_conllx("".join(TWELVE))["universal"].tolist() == ["PRT", "VERB", "VERB", "."]
    assert "universal" not in read_conllx("".join(CONLLX))


def test_sentences_have_their_identifiers():
    for strict in (True, False):
        assert read_conll("".join(CONLLU), strict=strict).sentences["sent_id"].tolist() == ["", "", "3"]
    text = "# sent_id = a\n# sent_id = b\n" + CONLLX[0] + "#sent_id=c d \n" + CONLLX[1] + "# sent_id = e\n"
    for strict in (True, False):
        assert read_conll(text, strict=strict).sentences["sent_id"].tolist() == ["a", "c d"]


@pytest.mark.parametrize(
    "text",
    ["the\t2\ndog\t3\ncat\t3\n", "the 2 0.25\ndog 3 0.5\ncat 3 1e-05\n", "the\t2\t17\ndog\t3\t2\ncat\t3\t1\n"],
    ids=["mkcls", "Clark", "ClusterCat with counts"],
)
def test_lists_of_word_types_give_a_class_a_type(text):
    reading = read_clustering(text)
    assert (reading.format, reading.kind) == ("types", "types")
    assert reading.table.to_numpy().tolist() == [["the", "2"], ["dog", "3"], ["cat", "3"]]


def test_a_word_that_stands_twice_or_a_blank_line_makes_a_list_of_tokens():
    for text in ("the\t2\ncat\t3\nthe\t2\n", "the\t2\n\ncat\t3\n"):
        assert read_clustering(text).format == "words-and-tags"
    assert read_clustering(Text("out.mkcls", b"the\tD\ncat\tN\n")).format == "types"


def test_large_files_are_decided_by_all_rows_whatever_their_order():
    sentences = CONLLX * 40 + CONLLU * 2
    for seed in range(5):
        random.Random(seed).shuffle(sentences)
        assert decide_format("".join(sentences)).format == "conllx"


_CELLS = st.text(alphabet="19-.#abé", max_size=12)


@given(st.lists(st.lists(_CELLS, min_size=1, max_size=7).map("\t".join), min_size=1, max_size=30))
def test_tags_are_counted_in_the_rows_of_words(rows):
    data = "".join(row + "\n" for row in rows).encode()
    expected = Counter(
        cells[3].encode() for cells in (row.split("\t") for row in rows)
        if len(cells) > 4 and cells[0].isascii() and cells[0].isdecimal()
    )  # fmt: skip
    assert file_formats._fourth_cells(Lines("text", data)) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_formats, "_LINES_AT_ONCE", 3)
        assert file_formats._fourth_cells(Lines("text", data)) == expected
