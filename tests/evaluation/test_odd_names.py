"""Signatures with names that mean something elsewhere: each is one line and measures again what it says."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.constituents import EVALB, BracketConventions
from analysis.evaluation import (
    IntervalOptions,
    measure_again,
    parse_signature,
    score_inflections,
    score_tags,
    score_trees,
    with_intervals,
)
from analysis.structures.digests import divided, joined

ODD = ("|", "a|b", "%", "%7C", "%25", "a:b", "=", "a,b", "NA", "nan", "null", "None", "none", "nothing", "a b", "<b>",
       "$x$", "\\", "a\u2028b", "a\x0bb", "a\x85b", "é", "e\u0301", "قط", "देव", "0", "1e5", "as gold",
       "x" * 300)  # fmt: skip
OPTIONS = IntervalOptions(resamples=20)
WORDS = ("measure", "value", "numerator", "denominator", "lower", "upper", "corrected")


def labelled(noise):
    gold, other = random.Random(0), random.Random(1)
    rows = [gold.choice(ODD) for _ in range(200)]
    return "".join(
        f"w{place % 30}\t{other.choice(ODD) if other.random() < noise else tag}\n" + "\n" * (place % 5 == 4)
        for place, tag in enumerate(rows)
    )


def trees(noise):
    gold, other, text = random.Random(0), random.Random(1), ""
    for _ in range(40):
        for place in range(1, 6):
            head = gold.randrange(place)
            head = other.randrange(place) if other.random() < noise else head
            text += f"{place}\tw\t_\tX\tX\t_\t{head}\t{gold.choice(ODD).replace(' ', '_')}\t_\t_\n"
        text += "\n"
    return text


def forms(noise):
    other = random.Random(1)
    return "".join(
        f"{lemma}{number}\t{'x' if other.random() < noise else lemma}\tV;{feature}\n"
        for number, (lemma, feature) in enumerate(zip(ODD * 3, ODD[::-1] * 3, strict=True))
    )


@pytest.fixture
def both(tmp_path):
    def write(make, ending):
        for name, noise in (("gold", 0), ("mine", 0.3)):
            (tmp_path / f"{name}.{ending}").write_text(make(noise), encoding="utf-8", newline="")
        return tmp_path / f"gold.{ending}", [tmp_path / f"mine.{ending}"]

    return write


def check(score, gold, systems, **choices):
    """Every signature is one line, tells its number from others, and gives the number again."""
    rows = with_intervals(score(gold, systems, **choices), OPTIONS)
    found = {}
    for row in rows:
        line, numbers = row["signature"], [row.get(name) for name in WORDS[1:]]
        assert len(line.splitlines()) == 1
        assert found.setdefault(line, numbers) == numbers
        again = measure_again(line, gold, systems)
        (same,) = with_intervals(again.runs, again.intervals)
        assert [same.get(name) for name in WORDS] == [row.get(name) for name in WORDS]
    return found


@pytest.mark.parametrize("tag", ODD)
def test_a_tag_of_any_name_may_be_left_out(tag, both):
    gold, systems = both(labelled, "txt")
    formats = {"gold_format": "words-and-tags", "system_format": "words-and-tags"}
    found = check(score_tags, gold, systems, leave_out=(tag,), **formats)
    assert not set(found) & set(check(score_tags, gold, systems, **formats))


def test_tags_are_left_out_once_in_any_order(both):
    gold, systems = both(labelled, "txt")
    one, other = (
        with_intervals(score_tags(gold, systems, leave_out=tags), OPTIONS) for tags in (("|", "NA"), ("NA", "|", "NA"))
    )
    assert [row["signature"] for row in one] == [row["signature"] for row in other]


def test_a_relation_and_a_feature_set_may_have_any_name(both):
    assert len(check(score_trees, *both(trees, "conllu"), by="relation", scheme=None)) > 3 * 20
    assert len(check(score_inflections, *both(forms, "tsv"))) > 20


@given(st.lists(st.text(min_size=1), unique=True), st.sampled_from(["none", "nothing"]))
def test_names_that_are_joined_are_divided_again(names, empty):
    assert divided(joined(names, empty), empty) == tuple(names)


@given(st.dictionaries(st.text("=% none|\u2028a", min_size=1), st.text("=%ab ", min_size=1)))
def test_conventions_of_brackets_with_any_labels_are_read_back(pairs):
    one = BracketConventions(**(vars(EVALB) | {"delete_labels": tuple(pairs), "equal_words": tuple(pairs.items())}))
    texts = {name.replace(" ", "_"): str(value) for name, value in one.described().items()}
    assert BracketConventions.from_texts(texts) == one


def test_a_value_without_a_line_end_reads_as_it_is_written():
    assert parse_signature("tags/v|left-out:%257C %25|n:1")["left-out"] == "%7C %"
