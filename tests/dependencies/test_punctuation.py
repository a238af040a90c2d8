import pandas as pd
import pytest

from analysis.dependencies import find_punctuation, sentences_without_punctuation

FORMS = ["Look", ",", "$", "...", "n't", "«"]


def test_a_column_of_booleans_comes_first():
    tokens = pd.DataFrame({"form": FORMS, "punctuation": [True] + [False] * 5, "universal": "PUNCT"})
    mask, rule = find_punctuation(tokens)
    assert mask.tolist() == [True] + [False] * 5
    assert rule == "column punctuation"


@pytest.mark.parametrize("kind", ["str", "category"])
def test_universal_tags_of_both_tag_sets(kind):
    tokens = pd.DataFrame({"form": FORMS, "universal": ["VERB", "PUNCT", "SYM", ".", "PART", "PUNCT"]})
    found = find_punctuation(tokens.astype({"universal": kind}))
    assert found.mask.tolist() == [False, True, False, True, False, True]


def test_fine_tags_of_the_penn_treebank_take_currency_signs_along():
    tokens = pd.DataFrame({"form": FORMS, "fine": ["VB", ",", "$", ":", "RB", "``"]})
    assert find_punctuation(tokens).mask.tolist() == [False, True, True, True, False, True]


def test_every_penn_tag_of_punctuation_is_found():
    tags = ["#", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "``", "NN", "SYM"]
    mask = find_punctuation(pd.DataFrame({"form": "x", "fine": tags})).mask
    assert mask.tolist() == [True] * 9 + [False] * 2


def test_other_fine_tags_leave_it_to_the_form():
    tokens = pd.DataFrame({"form": FORMS, "fine": ["ADI", "PUNT", "SNB", "PUNT", "ADB", "PUNT"]})
    mask, rule = find_punctuation(tokens)
    assert mask.tolist() == [False, True, False, True, False, True]
    assert rule == "form is of Unicode punctuation"


def test_tags_can_be_named():
    tokens = pd.DataFrame({"form": FORMS, "coarse": ["ADI", "PUNT", "SNB", "PUNT", "ADB", "X"]})
    mask, rule = find_punctuation(tokens, {"coarse": ["SNB", "PUNT"]})
    assert mask.tolist() == [False, True, True, True, False, False]
    assert rule == "coarse in PUNT SNB"


def test_an_array_can_be_given():
    tokens = pd.DataFrame({"form": FORMS})
    assert find_punctuation(tokens, [True] * 6).mask.all()
    with pytest.raises(ValueError, match=r"shape \(1,\); there are 6 tokens"):
        find_punctuation(tokens, [True])
    with pytest.raises(ValueError, match="True or False"):
        find_punctuation(tokens, [1, 0, 0, 0, 0, 0])


def test_a_rule_without_its_column_is_refused():
    tokens = pd.DataFrame({"form": FORMS})
    with pytest.raises(ValueError, match="needs the column 'coarse'; the table has form"):
        find_punctuation(tokens, {"coarse": ["PUNT"]})
    with pytest.raises(ValueError, match="list of tags, not 'PUNT'"):
        find_punctuation(tokens, {"form": "PUNT"})
    with pytest.raises(ValueError, match="cannot be found without a column"):
        find_punctuation(tokens[[]])


@pytest.mark.real_corpus
def test_the_rule_by_form_differs_from_the_tags_of_the_basque_treebank_in_two_oddities_only():
    from analysis.corpora.treebanks import read_treebank

    tokens = read_treebank("nltk-conll2007", "basque-test").tokens
    by_tag = find_punctuation(tokens, {"coarse": ["PUNT"]}).mask
    differ = find_punctuation(tokens).mask != by_tag
    assert set(tokens["form"][differ]) == {"PUNT_PUNT", "+"}


def test_sentences_are_chosen_by_length_and_without_punctuation():
    lengths = {3: 1, 5: 2, 7: 3, 8: 2, 9: 4, 11: 3}
    tokens = pd.DataFrame({"sentence": [name for name, n in lengths.items() for _ in range(n)]})
    tokens = tokens.assign(form="word", head=range(len(tokens)))
    tokens.loc[4, "form"] = "!"  # in the sentence 7
    found = sentences_without_punctuation(tokens, shortest=2, longest=3)
    assert found["sentence"].tolist() == [5, 5, 8, 8, 11, 11, 11] and found.index.tolist() == list(range(7))
    assert sentences_without_punctuation(tokens, shortest=2, longest=3, first=2)["sentence"].unique().tolist() == [5, 8]
    assert sentences_without_punctuation(tokens)["sentence"].unique().tolist() == [3, 5, 8, 9, 11]
    marked = sentences_without_punctuation(tokens, rule={"form": ["word"]})
    assert not len(marked), "every sentence has a token that this rule calls punctuation"
