import pytest

from analysis.dependencies import attachment_scores
from analysis.dependencies.models import DMV_VARIANTS
from analysis.papers import gelling2012
from analysis.papers.gelling2012.measures import short_sentences, trained

CHOICES = {"level": "universal", "sentences": 60, "iterations": 3, "read": 10}


def test_there_is_a_row_for_each_variant_and_iteration_and_all_start_alike():
    table = gelling2012.variants(**CHOICES)
    assert table.groupby("system", sort=False).size().to_dict() == dict.fromkeys(DMV_VARIANTS, 4)
    first = table[table["iteration"] == 0]
    assert first["ambiguity"].nunique() == first["directed"].nunique() == 1
    last = table[table["iteration"] == 3].set_index("system")
    assert (last["ambiguity"] < first["ambiguity"].iloc[0]).all(), "training makes trees less ambiguous"


def test_scores_are_those_of_the_model_after_the_iteration():
    table = gelling2012.variants(**CHOICES).set_index(["system", "iteration"])
    some = short_sentences("nursery", 60)
    model = trained("nursery", "universal", 60, 3, tuple(DMV_VARIANTS["Viterbi EM"].items()))
    score = attachment_scores(some, model.parse(some).heads).directed
    assert table.loc[("Viterbi EM", 3), "directed"] == pytest.approx(float(score))
    assert table["n"].eq(len(some)).all()


def test_the_sentences_are_short_whole_and_without_punctuation():
    some = short_sentences("nursery", 60)
    sizes = some.groupby("sentence").size()
    assert len(sizes) == 60 and sizes.between(2, 10).all()
    assert (some["head"] <= some["sentence"].map(sizes)).all()


def test_the_figure_has_a_line_a_variant_and_a_ring_at_its_end():
    table = gelling2012.variants(**CHOICES)
    left, right = gelling2012.variants_figure(table).axes
    assert len(left.lines) == len(DMV_VARIANTS) and len(right.lines) == 2 * len(DMV_VARIANTS)
    assert right.lines[1].get_ydata().tolist() == [100 * table[table["system"] == "EM"]["directed"].iloc[-1]]


def test_one_sentence_is_drawn_for_each_variant_and_iteration():
    figure = gelling2012.variants_arcs_figure("nursery", "universal", sentences=60, iterations=3, steps=(0, 9))
    titles = [ax.get_title() for ax in figure.axes]
    assert [title.split(" iteration ")[1][:2] for title in titles] == ["0:", "3:"] * len(
        DMV_VARIANTS
    )  # no ninth was made
    assert [title.split(",")[0] for title in titles] == [name for name in DMV_VARIANTS for _ in range(2)]
    assert len({tuple(text.get_text() for text in ax.texts) for ax in figure.axes}) == 1
    with pytest.raises(ValueError, match="none of the 60 sentences has 99 words"):
        gelling2012.variants_arcs_figure("nursery", "universal", sentences=60, iterations=3, words=99)
