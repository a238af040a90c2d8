import unicodedata

import pytest

from analysis.dependencies import score_files
from analysis.structures import DataError

GOLD = [[("På", "ADP", 2), ("øen", "NOUN", 0), (",", "PUNCT", 2), ("der", "PRON", 2)], [("Ænder", "NOUN", 0)]]


def conllu(sentences, heads=None, comments=False, ranges=False):
    blocks, heads = [], iter(heads or [])
    for number, words in enumerate(sentences):
        lines = [f"# sent_id = {number}"] if comments else []
        lines += ["1-2\tboth" + "\t_" * 8] if ranges and len(words) > 1 else []
        for i, (form, tag, head) in enumerate(words, start=1):
            lines.append(f"{i}\t{form}\t_\t{tag}\t_\t_\t{next(heads, head)}\tdep\t_\t_")
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


def counts(found):
    return [found.scores.directed.denominator] + [score.numerator for score in found.scores.scores()]


def test_gold_against_itself_is_right():
    found = score_files(conllu(GOLD), conllu(GOLD), punctuation=False)
    assert counts(found) == [4, 4, 4, 4]
    assert found.incidents.empty
    assert found.scores.sentences["length"].tolist() == [4, 1]


def test_comments_carriage_returns_normal_forms_and_ranges_on_one_side_do_no_harm():
    other = unicodedata.normalize("NFD", conllu(GOLD, comments=True, ranges=True)).replace("\n", "\r\n")
    assert counts(score_files(conllu(GOLD), "\ufeff" + other, punctuation=True)) == [5, 5, 5, 5]


def test_options_of_the_measure_are_passed_on():
    found = score_files(conllu(GOLD), conllu(GOLD, [0, 1, 2, 2, 0]), max_length=1, punctuation=False)
    assert counts(found) == [1, 1, 1, 1]


def test_a_sentence_that_cannot_be_read_is_wrong_and_listed():
    broken = conllu(GOLD, [2, "x", 2, 2, 0])
    found = score_files(conllu(GOLD), broken, punctuation=True)
    assert counts(found)[:2] == [5, 4]
    assert found.incidents["kind"].tolist() == ["head is not a number", "no head", "no root"]
    assert found.incidents["line"].tolist() == [2, 1, 1]
    lost = conllu(GOLD).replace("4\tder", "9\tder")
    found = score_files(conllu(GOLD), lost, punctuation=True)
    assert found.scores.sentences["directed"].tolist() == [0, 1]
    with pytest.raises(DataError, match="line 2"):
        score_files(conllu(GOLD), broken, strict=True)


def test_fewer_sentences_other_words_and_another_tokenisation_are_told_apart():
    found = score_files(conllu(GOLD), conllu(GOLD[:1]), punctuation=True)
    assert counts(found)[:2] == [5, 4]
    with pytest.raises(DataError, match="'På' in gold and 'Ænder' in predicted"):
        score_files(conllu(GOLD), conllu(GOLD[::-1]))
    with pytest.raises(DataError, match="sentence 0 has 4 words in gold and 3 in predicted; word 2 is 'øen'"):
        score_files(conllu(GOLD), conllu([[GOLD[0][0], GOLD[0][2], GOLD[0][3]]]))


def test_formats_may_differ():
    text = "\n".join(f"{form}\t{tag}\t{head}" for form, tag, head in GOLD[0]) + "\n"
    found = score_files(conllu(GOLD[:1]), text, predicted_format="word-tag-head", punctuation=False)
    assert counts(found) == [3, 3, 3, 3]
    with pytest.raises(ValueError, match="file_format is 'conll'"):
        score_files(text, text, file_format="conll")


def test_a_file_without_heads_is_refused():
    with pytest.raises(DataError, match="the predicted file has no heads"):
        score_files(conllu(GOLD), conllu(GOLD, ["_"] * 5))


def test_files_are_read_from_disk_compressed_or_not(tmp_path):
    import lzma

    plain, packed = tmp_path / "gold.conllu", tmp_path / "predicted.conllu.xz"
    plain.write_text(conllu(GOLD), encoding="utf-8")
    packed.write_bytes(lzma.compress(conllu(GOLD).encode()))
    assert counts(score_files(plain, packed, punctuation=False)) == [4, 4, 4, 4]
