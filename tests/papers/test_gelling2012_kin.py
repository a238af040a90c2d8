import numpy as np
import pytest

from analysis.dependencies import attachment_scores
from analysis.papers import gelling2012
from analysis.papers.gelling2012.kin import KIN, ambiguity, short_sentences, trained

CHOICES = {"level": "universal", "sentences": 60, "iterations": 3, "read": 10}


def test_ambiguity_is_the_entropy_of_the_head_in_bits():
    certain = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    assert ambiguity(certain) == 0
    # one word has two heads as probable (1 bit), the other is certain (0)
    assert ambiguity(np.array([[0.5, 0.0], [0.0, 1.0], [0.5, 0.0]])) == 0.5
    even = np.full((4, 3), 0.25)
    assert ambiguity(even) == pytest.approx(2)


def test_there_is_a_row_for_each_member_and_iteration_and_all_start_alike():
    table = gelling2012.kin(**CHOICES)
    assert table.groupby("system", sort=False).size().to_dict() == dict.fromkeys(KIN, 4)
    first = table[table["iteration"] == 0]
    assert first["ambiguity"].nunique() == first["directed"].nunique() == 1
    last = table[table["iteration"] == 3].set_index("system")
    assert (last["ambiguity"] < first["ambiguity"].iloc[0]).all(), "training makes trees less ambiguous"


def test_scores_are_those_of_the_model_after_the_iteration():
    table = gelling2012.kin(**CHOICES).set_index(["system", "iteration"])
    some = short_sentences("nursery", 60)
    model = trained("nursery", "universal", 60, 3, tuple(KIN["Viterbi EM"].items()))
    score = attachment_scores(some, model.parse(some).heads).directed
    assert table.loc[("Viterbi EM", 3), "directed"] == pytest.approx(100 * float(score))
    assert table["n"].eq(len(some)).all()


def test_the_sentences_are_short_whole_and_without_punctuation():
    some = short_sentences("nursery", 60)
    sizes = some.groupby("sentence").size()
    assert len(sizes) == 60 and sizes.between(2, 10).all()
    assert (some["head"] <= some["sentence"].map(sizes)).all()


def test_the_figure_has_a_line_a_member_and_a_ring_at_its_end():
    table = gelling2012.kin(**CHOICES)
    left, right = gelling2012.kin_figure(table).axes
    assert len(left.lines) == len(KIN) and len(right.lines) == 2 * len(KIN)
    assert right.lines[1].get_ydata().tolist() == [table[table["system"] == "EM"]["directed"].iloc[-1]]


def test_log_likelihoods_of_em_are_those_of_training_and_never_fall():
    found = gelling2012.kin(**CHOICES).query("system == 'EM'")["log_likelihood"].to_numpy()
    model = trained("nursery", "universal", 60, 3, ())
    assert found[:-1] == pytest.approx(model.log_likelihoods_)
    assert (np.diff(found) > 0).all()


def test_one_sentence_is_drawn_for_each_member_and_iteration():
    figure = gelling2012.kin_arcs_figure("nursery", "universal", sentences=60, iterations=3, steps=(0, 9))
    titles = [ax.get_title() for ax in figure.axes]
    assert [title.split(" iteration ")[1][:2] for title in titles] == ["0:", "3:"] * len(KIN)  # no ninth was made
    assert [title.split(",")[0] for title in titles] == [name for name in KIN for _ in range(2)]
    assert len({tuple(text.get_text() for text in ax.texts) for ax in figure.axes}) == 1
    with pytest.raises(ValueError, match="none of the 60 sentences has 99 words"):
        gelling2012.kin_arcs_figure("nursery", "universal", sentences=60, iterations=3, words=99)


def test_a_model_that_gives_a_word_one_possible_head_is_not_ambiguous():
    model = trained("nursery", "universal", 60, 3, ())
    assert ambiguity(model.posteriors(["NOUN"]).to_numpy()) == 0
    two = model.posteriors(["DET", "NOUN"]).to_numpy()
    p = two[0, 0]  # the first word is the root, or else the second is: one choice, which decides both heads
    assert two[0, 1] == pytest.approx(1 - p)
    expected = -(p * np.log2(p) + (1 - p) * np.log2(1 - p)) if 0 < p < 1 else 0.0
    assert ambiguity(two) == pytest.approx(expected)
