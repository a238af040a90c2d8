"""A treebank that begins with another of its sentences has the same format, the same sentences and the same scores."""

import re
from collections import Counter

import pytest

from analysis.corpora import (
    NotAtHandError,
    language,
    locate,
    read_chat_text,
    read_clustering,
    read_conll,
    read_forms,
    write_conllu,
    write_conllx,
    write_nine_columns,
)
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.file_formats import decide_format
from analysis.corpora.opening import Text, open_text
from analysis.corpora.slashed import read_slashed
from analysis.corpora.treebanks import _places, treebank_names, treebank_parts
from analysis.evaluation import IntervalOptions, evaluate_trees

pytestmark = pytest.mark.thorough

FIRST = 50
#: Sentences of a real treebank that are scored in each of the rotations; the whole is scored in three.
BEGINNING = 200


def rotated(sentences, by):
    return sentences[by:] + sentences[:by]


def sentences_of(tokens):
    """Columns, and how often each sentence stands in a tokens table, wherever."""
    plain = tokens.astype("str")
    columns = [column for column in plain.columns if column != "sentence"]
    rows = zip(plain["sentence"], plain[columns].itertuples(index=False, name=None), strict=True)
    found = {}
    for sentence, row in rows:
        found.setdefault(sentence, []).append(row)
    return columns, Counter(map(tuple, found.values()))


def rows_of(table):
    return list(table.columns), Counter(table.astype("str").itertuples(index=False, name=None))


def drawn():
    tokens = language.generate(60, 3).tokens
    return tokens.drop(columns=[column for column in tokens.columns if column == "role"])


def blocks(text):
    return [block + "\n\n" for block in text.strip().split("\n\n")]


def with_ranges(text):
    """CoNLL-U where some sentences begin with a multiword token, and some with an empty node."""
    numbered = enumerate(blocks(text))
    first = {0: "1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_\n", 1: "0.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"}
    return [first.get(number % 3, "") * ("\n2\t" in block) + block for number, block in numbered]


def forms_of(tokens):
    return tokens["form"].astype("str").tolist()


def examples():
    tokens = drawn()
    nine = tokens.assign(coarse=tokens["coarse"] if "coarse" in tokens else tokens["universal"])
    by_sentence = [group for _, group in tokens.groupby("sentence")]
    tags = [list(zip(forms_of(group), group["universal"].astype("str"), strict=True)) for group in by_sentence]
    heads = [group["head"].tolist() for group in by_sentence]
    types = sorted({form for sentence in tags for form, _ in sentence})
    trees = [
        f"ID={number}\n(<T NP 0 2> (<L NP/N D D {a} NP/N>) (<L N N N {b} N>) )\n"
        for number, (a, b) in enumerate(zip(types, types[::-1], strict=True))
    ]
    return {
        "conllu": with_ranges(write_conllu(tokens)),
        "conllx": blocks(write_conllx(nine.assign(coarse="t" + tokens["universal"].astype("str")))),
        "nine-columns": blocks(write_nine_columns(nine)),
        "word-tag-head": [
            "".join(f"{form}\t{tag}\t{head}\n" for (form, tag), head in zip(words, heads, strict=True)) + "\n"
            for words, heads in zip(tags, heads, strict=True)
        ],
        "words-and-tags": ["".join(f"{form}\t{tag}\n" for form, tag in words) + "\n" for words in tags],
        "tags": ["".join(f"{tag}\n" for _, tag in words) + "\n" for words in tags],
        "slashed": [" ".join(f"{form}/{tag}" for form, tag in words) + "\n" for words in tags],
        "types": [f"{form}\t{number % 7}\n" for number, form in enumerate(types)],
        "paths": [f"{number:b}\t{form}\t3\n" for number, form in enumerate(types)],
        "forms": [f"{form}\tN;PL{number % 3}\t{form}s\n" for number, form in enumerate(types)],
        "ccg": trees,
        "brackets": [f"(S\n  (NP (D {a}) (N {b})))\n" for a, b in zip(types, types[::-1], strict=True)],
        "chat": [
            f"*MOT:\t{' '.join(form for form, _ in words)} .\n%mor:\t{' '.join(f'{tag}|x' for _, tag in words)} .\n"
            for words in tags
        ],
    }


def read(format, text):
    """What a file of a format holds, apart from the order of its sentences."""
    if format == "forms":
        return rows_of(read_forms(text).forms)
    if format in ("types", "paths"):
        return rows_of(read_clustering(text).table)
    if format in ("words-and-tags", "tags"):
        return sentences_of(read_clustering(text).table)
    if format == "slashed":
        return sentences_of(read_slashed(text))
    if format in ("ccg", "brackets"):
        bank = read_auto(text) if format == "ccg" else read_bracketed_trees(text)
        return (
            Counter(repr(bank.tree(number)) for number in range(len(bank.sentences)))
            if format == "ccg"
            else (sentences_of(bank.tokens))
        )
    if format == "chat":
        return sentences_of(read_chat_text(text, "x.cha"))
    return sentences_of(read_conll(text).tokens)


@pytest.fixture(scope="module")
def drawn_examples():
    return examples()


@pytest.mark.parametrize(
    "format",
    ["conllu", "conllx", "nine-columns", "word-tag-head", "words-and-tags", "tags", "slashed", "types", "paths",
     "forms", "ccg", "brackets", "chat"],
)  # fmt: skip
def test_a_file_that_begins_with_another_sentence_is_the_same(drawn_examples, format):
    sentences = drawn_examples[format]
    head, end = ("@UTF8\n@Begin\n@Participants:\tMOT Mother\n", "@End\n") if format == "chat" else ("", "")
    expected = None
    for by in range(min(FIRST, len(sentences))):
        text = head + "".join(rotated(sentences, by)) + end
        assert decide_format(text).format == format, by
        found = read(format, text)
        expected = expected or found
        assert found == expected, by


def spoilt(block, before_head=5):
    """A sentence as a poor parser has it: every word depends on the first, the first on none."""
    head = rf"(?m)^([0-9]+)((?:\t[^\t\n]*){{{before_head}}})\t[0-9]+\t"
    return re.sub(head, lambda m: f"{m[1]}{m[2]}\t{0 if m[1] == '1' else 1}\t", block)


def scored(folder):
    """Scores of a system without what the order of sentences changes: the resamples, and the digest of the data."""
    table = evaluate_trees(
        folder / "gold", [folder / "system"], punctuation=False, intervals=IntervalOptions(shown=False)
    )
    return table.drop(columns="signature")


@pytest.mark.parametrize("format", ["conllu", "conllx", "nine-columns"])
def test_the_order_of_sentences_does_not_change_a_score(drawn_examples, format, tmp_path):
    gold = drawn_examples[format]
    system = [spoilt(block, 6 if format == "nine-columns" else 5) for block in gold]
    tables = []
    for by in range(min(FIRST, len(gold))):
        for name, sentences in (("gold", gold), ("system", system)):
            (tmp_path / name).write_text("".join(rotated(sentences, by)), encoding="utf-8")
        tables.append(scored(tmp_path))
        assert tables[-1].equals(tables[0]), by
    assert 0 < tables[0].loc[0, "value"] < 1


@pytest.mark.slow
@pytest.mark.real_corpus
@pytest.mark.parametrize("name", [name for name in treebank_names() if name.startswith("ud-")])
def test_a_treebank_that_begins_with_another_sentence_is_the_same(name, tmp_path):
    read_any = False
    for part in treebank_parts(name):
        try:
            path = locate(name, _places(name)[part])[0]
        except NotAtHandError:
            continue
        read_any = True
        sentences = blocks(open_text(path).data.decode())
        expected = None
        for by in range(min(FIRST, len(sentences))):
            text = Text("treebank", "".join(rotated(sentences, by)).encode())
            assert decide_format(text).format == "conllu", (part, by)
            if by in (0, 1, FIRST - 1):
                found = sentences_of(read_conll(text, strict=False).tokens)
                expected = expected or found
                assert found == expected, (part, by)
        for some, rotations in ((sentences[:BEGINNING], range(FIRST)), (sentences, (0, 1, 19))):
            tables = []
            for by in [by for by in rotations if by < len(some)]:
                for side, of in (("gold", some), ("system", list(map(spoilt, some)))):
                    (tmp_path / side).write_text("".join(rotated(of, by)), encoding="utf-8")
                tables.append(scored(tmp_path))
                assert tables[-1].equals(tables[0]), (part, by)
    if not read_any:
        pytest.skip(f"{name} is not available")
