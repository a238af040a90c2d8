"""UAS and LAS, against a count word by word."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies import attachment_scores, labelled_attachment
from analysis.structures import DataError

RELATIONS = ["nsubj", "nsubj:pass", "obj", "punct"]
words = st.tuples(st.integers(0, 3), st.sampled_from(RELATIONS), st.integers(0, 3), st.sampled_from(RELATIONS))


@given(st.lists(st.lists(words, min_size=3, max_size=3), min_size=1, max_size=4), st.booleans())
def test_a_word_counts_if_its_head_and_its_relation_are_right(sentences, subtypes):
    rows = [(number, *word) for number, sentence in enumerate(sentences) for word in sentence]
    table = pd.DataFrame(rows, columns=["sentence", "head", "relation", "found", "label"])
    predicted = pd.DataFrame({"sentence": table["sentence"], "head": table["found"], "relation": table["label"]})
    scores = labelled_attachment(table, predicted, subtypes=subtypes)

    def name(relation):
        return relation if subtypes else relation.split(":")[0]

    heads = [head == found for _, head, _, found, _ in rows]
    labels = [name(relation) == name(label) for _, _, relation, _, label in rows]
    assert scores.uas.numerator == sum(heads) == attachment_scores(table, predicted).directed.numerator
    assert scores.las.numerator == sum(a and b for a, b in zip(heads, labels, strict=True))
    assert scores.las.denominator == len(rows)
    assert scores.sentences["LAS"].sum() == scores.las.numerator
    assert (scores.sentences["UAS"] >= scores.sentences["LAS"]).all()


def test_relations_are_matched_by_sentence_and_a_lost_sentence_is_wrong():
    gold = pd.DataFrame({"sentence": [0, 1, 2], "form": list("abc"), "head": 0, "relation": ["root", "root", "dep"]})
    predicted = gold.iloc[1:].reset_index(drop=True)
    scores = labelled_attachment(gold, predicted)
    assert (scores.las.numerator, scores.las.denominator) == (2, 3)
    assert scores.sentences["LAS"].tolist() == [0, 1, 1]


def test_punctuation_and_length_are_left_out_of_both_scores():
    gold = pd.DataFrame({"sentence": [0, 0, 0, 1], "form": ["look", "here", "!", "yes"], "head": [0, 1, 1, 0],
                         "relation": ["root", "obj", "punct", "root"],
                         "universal": ["VERB", "ADV", "PUNCT", "INTJ"]})  # fmt: skip
    wrong = gold.assign(relation=["root", "advmod", "punct", "root"])
    scores = labelled_attachment(gold, wrong, punctuation=False)
    assert (scores.las.numerator, scores.las.denominator, scores.uas.numerator) == (2, 3, 3)
    short = labelled_attachment(gold, wrong, max_length=1)
    assert (short.las.numerator, short.las.denominator) == (1, 1)


def test_a_table_without_relations_is_refused():
    gold = pd.DataFrame({"sentence": [0], "form": ["a"], "head": [0], "relation": ["root"]})
    with pytest.raises(ValueError, match="predicted lacks the column 'relation'"):
        labelled_attachment(gold, gold.drop(columns="relation"))
    with pytest.raises(DataError, match="not the same text"):
        labelled_attachment(gold, gold.assign(form=["b"]))
