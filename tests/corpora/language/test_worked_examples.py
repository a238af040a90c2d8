"""The README's worked utterances, against drawn derivations with the same categories."""

import re

import pytest

from analysis.corpora import data_folder
from analysis.corpora.language import generate

pytestmark = pytest.mark.thorough

README = (data_folder() / "language" / "README.md").read_text(encoding="utf-8")
EXAMPLES = [block.strip().splitlines() for block in re.findall(r"```\n(.*?)```", README, flags=re.DOTALL)]


@pytest.fixture(scope="module")
def drawn():
    """Dependencies, and the categories of each utterance of at most six words as one string."""
    made = generate(150_000, random_state=30)
    lengths = made.tokens.groupby("sentence")["position"].transform("size")
    short = made.tokens[lengths <= 6].astype({"category": "str"})
    return made.dependencies, short.groupby("sentence")["category"].agg(" | ".join)


def test_there_are_seven_examples():
    assert len(EXAMPLES) == 7


@pytest.mark.parametrize("lines", EXAMPLES, ids=[lines[0].replace(" | ", " ") for lines in EXAMPLES])
def test_the_worked_example_is_true(drawn, lines):
    words, categories = lines[0].split(" | "), lines[1].split(" | ")
    assert len(words) == len(categories)
    expected = set()
    for line in lines[2:]:
        functor, slot, argument, how = line.split(" ")
        expected.add((words.index(functor) + 1, int(slot), words.index(argument) + 1, how))
    dependencies, sequences = drawn
    same = sequences.index[sequences == lines[1]]
    assert len(same) >= 1
    table = dependencies[dependencies["sentence"].isin(same)]
    for _, rows in table.groupby("sentence"):
        found = set(zip(rows["functor"], rows["slot"], rows["argument"], rows["range"].astype("str"), strict=True))
        assert found == expected
