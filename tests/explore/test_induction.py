import pytest

from analysis.explore import dmv_variants
from analysis.papers.gelling2012.measures import short_sentences, trained


@pytest.fixture(scope="module")
def explorer():
    return dmv_variants(level="universal", sentences=60, iterations=3)


def test_it_opens_with_plain_em_after_the_last_iteration(explorer):
    row = explorer.value["row"].iloc[0]
    assert (row["unambiguity"], row["prior"], row["iteration"]) == ("0 (EM)", "none", 3)
    assert explorer.value["posteriors"].shape == (len(explorer.value["words"]) + 1, len(explorer.value["words"]))


@pytest.mark.parametrize(
    ("control", "chosen"), [("unambiguity", "1 (Viterbi EM)"), ("prior", "0.1"), ("initialiser", "uniform")]
)
def test_each_choice_changes_what_is_learnt(control, chosen, explorer):
    before = explorer.value["posteriors"]
    first = explorer.settings()[control]
    after = explorer.set(**{control: chosen}).value["posteriors"]
    assert not before.equals(after)
    assert explorer.set(**{control: first}).value["posteriors"].equals(before)


def test_the_slider_goes_back_to_the_initialiser(explorer):
    start = explorer.set(iteration=0).value
    other = explorer.set(unambiguity="annealed").value
    assert start["posteriors"].equals(other["posteriors"]), "before the first iteration nothing is regularised yet"
    explorer.set(iteration=3, unambiguity="0 (EM)")


def test_the_posteriors_are_those_of_the_model(explorer):
    model = trained("nursery", "universal", 60, 3, (("unambiguity", 0.0), ("initializer", "harmonic"),
                                                    ("normalise", "child")))  # fmt: skip
    some = short_sentences("nursery", 60)
    words = explorer.value["words"]
    match = next(part for _, part in some.groupby("sentence") if part["form"].astype("str").tolist() == words)
    assert explorer.value["posteriors"].equals(model.posteriors(match["universal"].astype("str").tolist()))


def test_a_still_picture_and_a_line_of_numbers(explorer):
    assert [text.get_text() for text in explorer.figure().axes[0].texts] == explorer.value["words"]
    row = explorer.value["row"].iloc[0]
    written = explorer._output.outputs[-1]["data"]["text/plain"]
    assert f"directed {row['directed']:.1f}" in written and f"{row['ambiguity']:.2f} bits per word" in written
