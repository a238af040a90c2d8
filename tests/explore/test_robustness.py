import pytest

from analysis import explore
from analysis.papers import clark2002
from analysis.papers.recipe import Robustness

CLAIM = "spurious_ambiguity"


@pytest.fixture(scope="module")
def found() -> Robustness:
    return clark2002.robustness(claims=[CLAIM], resamples=10)


def test_each_choice_that_is_fixed_narrows_the_curve_and_the_verdicts_are_counted_again(found):
    explorer = explore.specification_choices(clark2002.PAPER, found, CLAIM)
    assert list(explorer.controls) == ["ambiguity", "other evaluation", "labels", "gold derivation"]
    assert all(control.options[0] == "all" for control in explorer.controls.values())
    rows = found.specifications
    assert len(explorer.value["specifications"]) == len(rows) == 16
    explorer.set(ambiguity="list", labels="with")
    left = rows[(rows["ambiguity"] == "list") & (rows["labels"] == "with")]
    assert explorer.value["specifications"].equals(left.reset_index(drop=True)) and len(left) == 4
    picture, text, table = (output["data"]["text/plain"] for output in explorer._output.outputs)
    assert picture.endswith(", ".join(f"{n} {verdict}" for verdict, n in counted(left).items()))
    assert text.endswith("ambiguity: list; labels: with; 4 of 16 specifications")
    assert "share_by_level" in table
    marked = explorer.figure().axes[1].get_yticklabels()
    assert [label.get_text() for label in marked] == ["Parseval", "evaluation 1", "the first", "the second"]


def counted(rows):
    verdicts = ("stands", "undecided", "turned", "undefined", "failed")
    return {verdict: int((rows["verdict"] == verdict).sum()) for verdict in verdicts}


def test_a_claim_that_was_not_judged_is_refused_by_name(found):
    with pytest.raises(ValueError, match="adjunct_error"):
        explore.specification_choices(clark2002.PAPER, found, "adjunct_error")
