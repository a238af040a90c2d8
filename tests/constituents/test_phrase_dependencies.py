"""Dependencies between heads of phrases: by hand, and each convention."""

import pytest

from analysis.constituents.phrase_dependencies import head_dependencies
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.structures import DataError

VERB = "(S (NP (NNS hens)) (VP (VBP eat) (NP (NN corn)) (PP (IN at) (NP (NN noon)))) (. .))"
NOUN = "(S (NP (NNS hens)) (VP (VBP eat) (NP (NP (NN corn)) (PP (IN at) (NP (NN noon))))) (. .))"


def read(*lines):
    return read_bracketed_trees("".join(f"{line}\n" for line in lines).encode(), by_line=True)


def counts(*sides, **choices):
    found = head_dependencies(*(read(*side) for side in sides), **choices)
    return {score.measure: (score.numerator, score.denominator) for score in found.scores()}


def test_each_word_has_the_relation_of_the_phrase_that_it_heads_no_longer():
    items = head_dependencies(read(NOUN), read(NOUN)).items.query("side == 'gold'")
    assert items[["dependent", "head", "parent", "head_label", "sister", "direction"]].values.tolist() == [
        [1, 2, "S", "VP", "NP", "left"], [2, 0, "", "HEAD", "", ""], [3, 2, "VP", "TAG", "NP", "right"],
        [4, 3, "NP", "NP", "PP", "right"], [5, 4, "PP", "TAG", "NP", "right"],
    ]  # fmt: skip


def test_one_attachment_costs_one_relation_and_punctuation_none():
    assert set(counts([VERB], [NOUN]).values()) == {(4, 5)}
    assert set(counts([VERB], [VERB.replace("(. .)", "(FRAG (. .))")]).values()) == {(5, 5)}


def test_labels_tags_and_sides_count_if_they_are_asked_for():
    noun = "(NP (DT the) (NN hen))"
    assert counts([noun], [noun.replace("DT", "JJ")])["labelled recall"] == (2, 2)
    assert counts([noun], [noun.replace("DT", "JJ")], one_tag=False)["labelled recall"] == (1, 2)
    assert counts([noun], [noun.replace("NP", "NX")])["unlabelled recall"] == (0, 2)  # the leftmost heads


def test_the_side_of_a_sister_tells_relations_apart_that_have_the_same_labels():
    tree = "(VP (NP (NN corn)) (VB eat) (NP (NN hay)))"
    for direction, number in ((True, 3), (False, 2)):
        assert len(head_dependencies(read(tree), read(tree), direction=direction).relations) == number


def test_a_failed_parse_counts_in_recall_and_not_in_precision():
    found = counts([VERB, NOUN], [VERB, ""])
    assert found["labelled recall"] == found["unlabelled recall"] == (5, 10)
    assert found["labelled precision"] == found["unlabelled precision"] == (5, 5)
    assert set(counts([VERB, ""], [VERB, NOUN]).values()) == {(5, 5)}  # nothing to compare with
    with pytest.raises(DataError, match="words of sentence 2"):
        counts([VERB, NOUN], [VERB, NOUN.replace("noon", "night")])
    with pytest.raises(DataError, match="2 gold sentences and 1"):
        counts([VERB, NOUN], [VERB])


def test_the_head_of_a_coordination_is_a_convention():
    pair = "(PP (PP (IN at) (NP (NN noon))) (CC and) (PP (IN in) (NP (NN town))))"
    for coordination, heads in (("first", [0, 1, 1, 1, 4]), ("table", [4, 1, 4, 0, 4])):
        found = head_dependencies(read(pair), read(pair), coordination=coordination)
        assert found.items.query("side == 'gold'")["head"].tolist() == heads
        assert found.conventions["coordination"] == coordination


def test_counts_by_relation_add_up_to_the_scores():
    found = head_dependencies(read(VERB, NOUN), read(NOUN, NOUN))
    recall = found.score("labelled recall")
    assert (found.relations["matched_ref"].sum(), found.relations["ref"].sum()) == (
        recall.numerator,
        recall.denominator,
    )
