import subprocess
import sys
import unicodedata

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies import attachment_scores, ill_formed
from analysis.structures import DataError
from tests.dependencies.trees import cases, counted, table


def numbers(scores):
    return [scores.directed.denominator] + [score.numerator for score in scores.scores()]


def kinds(scores, column="predicted_sentences"):
    rows = scores.ill_formed
    return {kind: n for kind, n in zip(rows["kind"], rows[column], strict=True) if n is not pd.NA and n}


@given(cases(), st.booleans(), st.booleans())
def test_counts_are_those_of_the_definitions_word_by_word(case, root_edges, punctuation):
    gold, predicted, marks = case
    tokens = table(*gold)
    mask = np.concatenate(marks)
    scores = attachment_scores(
        tokens,
        np.concatenate(predicted),
        punctuation=punctuation,
        punctuation_rule=mask,
        root_edges=root_edges,
    )
    shown = marks if not punctuation else [[False] * len(heads) for heads in gold]
    expected = [counted(*sides, root_edges) for sides in zip(gold, predicted, shown, strict=True)]
    assert scores.sentences[["scored", "directed", "undirected", "NED"]].to_numpy().tolist() == expected
    assert numbers(scores) == np.sum(expected, axis=0).tolist()


@given(cases())
def test_gold_against_itself_is_right_in_every_measure_and_each_measure_counts_what_a_stricter_one_does(case):
    gold, predicted, marks = case
    tokens = table(*gold, punctuation=np.concatenate(marks))
    same = attachment_scores(tokens, tokens, punctuation=False)
    assert all(score.numerator == score.denominator for score in same.scores())
    scored, directed, undirected, neutral = numbers(
        attachment_scores(tokens, np.concatenate(predicted), punctuation=False)
    )
    assert directed <= undirected <= neutral <= scored


def test_ned_is_100_and_directed_0_where_every_edge_is_reversed_or_skips_one():
    gold = table([2, 0, 2], forms=["the", "duck", "swims"])
    scores = attachment_scores(gold, [0, 1, 0], punctuation=True)
    assert numbers(scores) == [3, 0, 1, 3]
    assert list(scores.tokens["counts_as"]) == ["grandparent", "reversed", "grandparent"]


def test_children_of_punctuation_go_up_each_in_its_own_tree():
    # gold: 1 <- 2 (comma) <- 3 (root); predicted: 1 <- 2 (comma) <- 4 <- 3 (root)
    gold = table([2, 3, 0, 3], punctuation=[False, True, False, False])
    scores = attachment_scores(gold, [2, 4, 0, 3], punctuation=False)
    assert scores.tokens["gold_head"].tolist() == [3, 3, 0, 3]
    assert scores.tokens["predicted_head"].tolist() == [4, 4, 0, 3]
    assert numbers(scores) == [3, 2, 2, 2]


def test_punctuation_at_the_root_leaves_several_roots_and_that_is_no_defect():
    gold = table([3, 3, 0], punctuation=[False, False, True])
    scores = attachment_scores(gold, gold, strict=True, punctuation=False)
    assert scores.tokens["gold_head"].tolist() == [0, 0, 0]
    assert numbers(scores) == [2, 2, 2, 2]


def test_a_cycle_through_punctuation_ends_at_the_root_and_is_counted():
    gold = table([0, 1, 2, 3], punctuation=[False, True, True, False])
    scores = attachment_scores(gold, [2, 3, 2, 3], punctuation=False)  # 2 and 3 point at each other
    assert scores.tokens["predicted_head"].tolist() == [0, 0, 0, 0]
    found = scores.ill_formed.set_index("kind")["predicted_tokens"]
    assert found["cycle through punctuation"] == 1
    assert found["cycle"] == 1


def test_a_word_that_is_its_own_ancestor_through_punctuation_ends_at_the_root():
    gold = table([0, 1], punctuation=[False, True])
    scores = attachment_scores(gold, [2, 1], punctuation=False)
    assert scores.tokens["predicted_head"].tolist()[0] == 0
    assert numbers(scores) == [1, 1, 1, 1]


def test_the_length_limit_counts_punctuation_and_the_scores_do_not():
    gold = table([0, 1, 1], [0, 1], punctuation=[False, True, True, False, False])
    scores = attachment_scores(gold, gold, max_length=2, punctuation=False)
    assert scores.sentences["sentence"].tolist() == [1]
    assert numbers(scores)[0] == 2
    assert numbers(attachment_scores(gold, gold, max_length=3, punctuation=False))[0] == 3
    assert set(scores.tokens["counts_as"][:3]) == {"not scored"}


def test_without_root_edges_the_root_is_neither_scored_nor_a_grandparent():
    gold = table([0, 1, 2])
    predicted = [0, 0, 1]  # word 2 called root: its gold grandparent; word 3 under its grandparent 1
    assert numbers(attachment_scores(gold, predicted, punctuation=True)) == [3, 1, 1, 3]
    assert numbers(attachment_scores(gold, predicted, punctuation=True, root_edges=False)) == [2, 0, 0, 1]


def test_sentences_of_punctuation_only_leave_nothing_to_score():
    gold = table([0, 1], forms=["!", "?"])
    scores = attachment_scores(gold, gold, punctuation=False)
    assert scores.directed.value is None
    assert "no token is scored" in scores.directed.undefined
    assert scores.sentences["scored"].tolist() == [0]


def test_each_kind_of_ill_formed_prediction_is_scored_counted_and_refused_when_strict():
    gold = table([0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1])
    predicted = [2, 1, 1, 0, 0, 0, 0, -1, 0, 7, 0, 1]
    scores = attachment_scores(gold, predicted, punctuation=True)
    assert kinds(scores) == {
        "cycle": 1,
        "self-head": 1,
        "several roots": 1,
        "no root": 1,
        "no head": 1,
        "head out of range": 1,
    }
    assert kinds(scores, "gold_sentences") == {}
    assert numbers(scores)[:2] == [12, 6]
    message = r"predicted, sentence 0: cycle: word0.1 word0.2\n5 sentences are ill-formed"
    with pytest.raises(DataError, match=message):
        attachment_scores(gold, predicted, strict=True)
    for s, kind in enumerate(["cycle", "self-head", "several roots", "no head", "head out of range"]):
        part = gold[gold["sentence"] == s]
        with pytest.raises(DataError, match=kind):
            attachment_scores(part, predicted[2 * s : 2 * s + 2], strict=True)


def test_ill_formed_lists_the_sentences_that_have_a_defect():
    tokens = table([0, 1], [2, 3, 1], [0, 0])
    assert ill_formed(tokens).to_numpy().tolist() == [[1, 1, 0, 0, 0], [2, 0, 0, 2, 0]]


def test_tokens_without_a_gold_head_are_not_scored():
    gold = table([0, -1, 2])
    scores = attachment_scores(gold, [0, 1, -1], punctuation=True)
    assert numbers(scores) == [2, 1, 1, 1]  # word 3 has no predicted head, which is no match for word 2's missing one
    assert kinds(scores, "gold_sentences") == {"no head": 1}
    with pytest.raises(DataError, match="gold, sentence 0: no head"):
        attachment_scores(gold, [0, 1, 2], strict=True)


def test_a_missing_predicted_head_is_wrong():
    gold = table([0, 1])
    predicted = gold.assign(head=pd.array([0, None], dtype="Int64"))
    assert numbers(attachment_scores(gold, predicted, punctuation=True)) == [2, 1, 1, 1]


def test_a_head_that_is_no_whole_number_is_refused():
    gold = table([0, 1])
    with pytest.raises(ValueError, match=r"row 1 has the head 1\.5"):
        attachment_scores(gold, [0, 1.5])


def test_sentences_that_the_prediction_lacks_are_wrong_and_counted():
    gold = table([0, 1], [0, 1, 1], [0])
    predicted = gold[gold["sentence"] != 1]
    scores = attachment_scores(gold, predicted, punctuation=True)
    assert scores.sentences["directed"].tolist() == [2, 0, 1]
    assert kinds(scores) == {"missing sentence": 1}
    with pytest.raises(DataError, match="missing sentence"):
        attachment_scores(gold, predicted, punctuation=True, strict=True)


def test_a_gap_in_the_gold_sentences_does_not_shift_the_others():
    whole = table([0, 1], [0, 1, 1], [2, 0])
    gold = whole[whole["sentence"] != 1]
    scores = attachment_scores(gold, whole, punctuation=True)
    assert numbers(scores) == [4, 4, 4, 4]
    assert kinds(scores) == {"sentence not in gold": 1}
    with pytest.raises(DataError, match="1 sentences whose numbers gold does not have"):
        attachment_scores(gold, whole, strict=True)


def test_the_first_word_that_differs_is_named():
    gold = table([0, 1], [0, 1], forms=["look", "here", "a", "duck"])
    other = gold.assign(form=["look", "here", "the", "ducks"])
    with pytest.raises(DataError, match=r"sentence 1, word 1 is 'a' in gold and 'the' in predicted \(2 words differ\)"):
        attachment_scores(gold, other)


def test_swapped_sentences_are_seen():
    gold = table([0, 1], [0, 1], forms=["look", "here", "a", "duck"])
    other = gold.assign(form=["a", "duck", "look", "here"])
    with pytest.raises(DataError, match="sentence 0, word 1 is 'look'"):
        attachment_scores(gold, other)


def test_another_tokenisation_is_named_with_the_first_word_that_differs():
    gold = table([0, 1], [0, 1], forms=["look", "here", "do", "n't"])
    other = table([0, 1], [0], forms=["look", "here", "don't"])
    with pytest.raises(
        DataError, match=r"sentence 1 has 2 words in gold and 1 in predicted; word 1 is 'do' in gold and \"don't\""
    ):
        attachment_scores(gold, other)
    with pytest.raises(DataError, match="word 2 is 'here' in gold and nothing in predicted"):
        attachment_scores(gold, gold[gold.index != 1].assign(position=[1, 1, 2]))


@pytest.mark.parametrize("kind", ["str", "category"])
def test_words_in_another_normal_form_are_the_same_words(kind):
    gold = table([0, 1], forms=["å", "café"])
    other = gold.assign(form=[unicodedata.normalize("NFD", form) for form in gold["form"]])
    scores = attachment_scores(gold.astype({"form": kind}), other.astype({"form": kind}))
    assert numbers(scores) == [2, 2, 2, 2]


def test_categories_of_two_tables_need_not_be_the_same():
    gold = table([0, 1], forms=pd.Categorical(["a", "b"], ["a", "b"]))
    other = gold.assign(form=pd.Categorical(["a", "b"], ["b", "x", "a"]))
    assert numbers(attachment_scores(gold, other)) == [2, 2, 2, 2]
    with pytest.raises(DataError, match="word 2 is 'b' in gold and 'x'"):
        attachment_scores(gold, other.assign(form=pd.Categorical(["a", "x"], ["b", "x", "a"])))


def test_positions_that_do_not_count_from_1_are_refused():
    gold = table([0, 1, 1])
    with pytest.raises(ValueError, match="row 0 has position 2, but is word 1 of sentence 0"):
        attachment_scores(gold.iloc[1:], [0, 1])


def test_wrong_arguments_are_named():
    gold = table([0, 1])
    with pytest.raises(ValueError, match="punctuation is True"):
        attachment_scores(gold, gold, punctuation="drop")
    with pytest.raises(ValueError, match="predicted has 1 heads, gold has 2 tokens"):
        attachment_scores(gold, [0])
    with pytest.raises(ValueError, match="predicted lacks the column 'head'"):
        attachment_scores(gold, gold.drop(columns="head"))
    with pytest.raises(DataError, match="no sentence number in common"):
        attachment_scores(gold, gold.assign(sentence=9))


def test_the_conventions_are_stated_in_the_result():
    gold = table([0, 1], universal=["VERB", "PUNCT"])
    row = attachment_scores(gold, gold, max_length=10, root_edges=False, punctuation=False).to_frame().iloc[0]
    assert row["convention"] == (
        "punctuation=removed (universal in . PUNCT); max_length=10 with punctuation; root_edges=left out"
    )
    assert "punctuation=kept; max_length=none; root_edges=scored" in str(
        attachment_scores(gold, gold, punctuation=True).to_frame()["convention"].iloc[0]
    )


def test_a_sentence_of_a_hundred_thousand_words_is_scored():
    n = 100_000
    gold = table(list(range(n)), form="a")
    mask = np.ones(n, dtype=bool)
    mask[[0, -1]] = False
    scores = attachment_scores(gold, gold, punctuation_rule=mask, punctuation=False)
    assert numbers(scores) == [2, 2, 2, 2]
    assert scores.tokens["gold_head"].iloc[-1] == 1


@pytest.mark.real_corpus
def test_every_treebank_at_hand_against_itself_is_100():
    from analysis.corpora import NotAtHandError
    from analysis.corpora.treebanks import read_treebank, treebank_names, treebank_parts

    seen = 0
    for name in treebank_names():
        for part in treebank_parts(name):
            try:
                tokens = read_treebank(name, part).tokens
            except NotAtHandError:
                continue
            seen += 1
            for punctuation in (False, True):
                scores = attachment_scores(tokens, tokens, punctuation=punctuation)
                assert [float(score) for score in scores.scores()] == [1.0, 1.0, 1.0], (name, part)
            assert scores.ned.denominator == len(tokens)
    assert seen >= 10


def test_directed_accuracy_with_punctuation_kept_is_the_uas_of_udapi():
    from udapi.block.eval.parsing import Parsing
    from udapi.core.document import Document

    rng = np.random.default_rng(5)
    document, heads = Document(), []
    for s in range(20):
        bundle = document.create_bundle()
        n = int(rng.integers(1, 12))
        sides = [np.array([0, *(rng.integers(0, i + 1) for i in range(1, n))]) for _ in range(2)]
        heads.append(sides)
        for zone, side in zip(("gold", "pred"), sides, strict=True):
            root = bundle.create_tree(zone)
            nodes = [root.create_child(form=f"w{s}.{i}", deprel="dep") for i in range(n)]
            for node, head in zip(nodes, side, strict=True):
                node.parent = nodes[head - 1] if head else root
    block = Parsing(gold_zone="gold")
    for bundle in document.bundles:
        block.process_tree(bundle.get_tree("pred"))
    gold = table(*(list(map(int, side[0])) for side in heads))
    scores = attachment_scores(gold, np.concatenate([side[1] for side in heads]), punctuation=True)
    assert (scores.directed.numerator, scores.directed.denominator) == (block.correct_uas, block.total)


def test_importing_the_subject_compiles_nothing():
    code = "import sys, analysis.dependencies, analysis.dependencies.models; print('numba' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "False"
