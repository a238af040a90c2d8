"""Headline claims under every combination of conventions: the recipe's robustness."""

import json
import sys
from dataclasses import dataclass

import pandas as pd
import pytest

from analysis.papers import clark2002, frank2009, gelling2012, kodner2023, recipe, reichart2010
from analysis.papers.recipe import read_headlines
from analysis.papers.recipe import specifications as module
from analysis.structures import DataError

stored_module = sys.modules["analysis.experiments.stored"]


@dataclass(frozen=True)
class Setting(recipe.Setting):
    size: int = recipe.choice(1, at_least=1)


def gap(of, sign=1, shift=0.0):
    if of("size") == 3 and sign < 0:
        raise ValueError("three has no opposite")
    return {"first": sign * (of("size") + shift), "second": sign * of("size")}


def written_otherwise(of, sign=1, shift=0.0):
    return gap(of, sign, shift)


CLAIMS = "id,statement,statistic,arguments,margin,label,factors\ngap,A is above B.,gap,,0.5,A minus B,sign; size; odd\n"
CHOICES = """factor,level,kind,setting,arguments,on
sign,plus,convention,,sign=1,
sign,minus,convention,,sign=-1,
size,one,convention,size=1,,
size,three,convention,size=3,,generated
size,nine,convention,size=9,,real
odd,shifted,departure,,shift=10,
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    def write(claims=CLAIMS, choices=CHOICES):
        (tmp_path / ".csv").write_text(claims)
        (tmp_path / "_choices.csv").write_text(choices)
        monkeypatch.setattr(recipe.Paper, "list_of", lambda paper, kind, part="": tmp_path / f"{part}.csv")
        return recipe.Paper(name="frank2009", title="Toy", setting=Setting, corpora={"nursery": ("nursery",)},
                            tables=(), figures=(), sources=lambda setting: (), statistics={"gap": gap},
                            evidence={"size": lambda setting: setting.size})  # fmt: skip

    return write


def test_every_combination_is_tried_a_failure_stops_nothing_and_the_turning_choice_is_named(toy):
    found = recipe.robustness(toy(), Setting(), resamples=50)
    rows = found.specifications.set_index(["kind", "sign", "size"])
    assert len(rows) == 5  # two signs, two sizes of the generated corpus, one departure
    assert rows.loc[("convention", "plus", "three"), "estimate"] == 3
    assert rows.loc[("convention", "minus", "one"), "verdict"] == "turned"
    assert rows.loc[("convention", "minus", "three"), "failed"] == "ValueError: three has no opposite"
    assert rows.loc[("departure", "plus", "one"), "estimate"] == 6  # 11 and 1
    assert found.summary.set_index("verdict")["specifications"].to_dict() == {
        "stands": 2, "undecided": 0, "turned": 1, "undefined": 0, "failed": 1,
    }  # fmt: skip
    assert found.verdicts.to_dict("records") == [
        {
            "claim": "gap",
            "statement": "A is above B.",
            "stands": 2,
            "undecided": 0,
            "turned": 1,
            "undefined": 0,
            "failed": 1,
        }
    ]
    assert found.influence.loc[0, "factor"] == "sign" and found.influence.loc[0, "turns"] == 1
    assert found.inference.loc[0, "replicates"] == 2


def test_stored_specifications_are_certified_by_some_of_them_unless_one_comes_out_otherwise(toy, tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    for changed in (stored_module, module):
        monkeypatch.setattr(changed, "data_folder", lambda: tmp_path)
    paper = toy()
    recipe.store_robustness(paper, "nursery")
    monkeypatch.setitem(paper.statistics, "gap", written_otherwise)
    assert set(recipe.stored_robustness(paper).values["source"]) == {"made by other source"}
    assert len(recipe.certify_robustness(paper, cells=3)) == 3
    assert set(recipe.stored_robustness(paper).values["source"]) == {"certified: 3 of 5 cells"}
    monkeypatch.setitem(paper.statistics, "gap", lambda of, sign=1, shift=0.0: {"first": 7.0, "second": 7.0})
    with pytest.raises(ValueError, match=r"frank2009_specifications, .*estimate is '7.0'"):
        recipe.certify_robustness(paper, cells=5)
    assert set(recipe.stored_robustness(paper).values["source"]) == {"made by other source"}
    recipe.store_robustness(paper, "nursery", size=1)
    with pytest.raises(ValueError, match=r"stored with further choices .*size=1"):
        recipe.certify_robustness(paper)


def test_stored_specifications_come_back_as_they_were_computed(toy, tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    for changed in (stored_module, module):
        monkeypatch.setattr(changed, "data_folder", lambda: tmp_path)
    paper = toy()
    assert recipe.stored_robustness_entries(paper) == ([], [])
    kept, found = recipe.store_robustness(paper, "nursery", size=1), recipe.robustness(paper, Setting())
    for one, other in zip(kept, found, strict=True):
        pd.testing.assert_frame_equal(one.drop(columns=["corpus", "source"], errors="ignore"), other)
    assert kept.values[["corpus", "source"]].drop_duplicates().values.tolist() == [["nursery", ""]]
    record = json.loads((tmp_path / "results" / "frank2009_specifications.json").read_text(encoding="utf-8"))
    assert record["command"] == "recipe.store_robustness(papers.frank2009.PAPER, 'nursery', size=1)"
    tables, figures = recipe.stored_robustness_entries(paper)
    assert tables[0].name == "stored_robustness" and tables[0].frame.equals(kept.summary)
    assert [figure.name for figure in figures] == ["stored_specifications_gap"]
    assert all(
        entry.stored and "nursery. Stored; computed by recipe.store_robustness(" in entry.caption
        for entry in (*tables, *figures)
    )
    newer = toy(CLAIMS + "newer,Another.,gap,,0.1,Gap,sign\n")
    tables, figures = recipe.stored_robustness_entries(newer)  # a claim that nothing is stored of is left out
    assert tables[0].frame.equals(kept.summary) and len(figures) == 1
    other = toy(CLAIMS + "newer,Another.,gap,,0.1,Gap,sign; of\n", CHOICES + "of,a,convention,,sign=1,\n" * 2)
    assert recipe.stored_robustness_entries(other)[0][0].frame.equals(kept.summary), "a factor that is not stored"
    moved = toy(CLAIMS.replace("sign; size", "sign; of; size"), CHOICES + "of,a,convention,,sign=1,\n" * 2)
    with pytest.raises(DataError, match="of none of its headline claims"):
        recipe.stored_robustness(moved)
    paper = toy()
    monkeypatch.setitem(paper.statistics, "gap", lambda of, sign=1, shift=0.0: 1.0)
    assert set(recipe.stored_robustness(paper).values["source"]) == {"made by other source"}
    figure = recipe.robustness_figure(toy(), found, "gap")
    assert "1 of 4 specifications have no value" in figure.axes[0].get_title(loc="right")


@pytest.mark.parametrize(
    ("claims", "choices", "message"),
    [
        (CLAIMS.replace(",gap,,", ",gup,,"), CHOICES, "line 2: there is no statistic 'gup'; did you mean gap"),
        (CLAIMS.replace("; odd", "; old"), CHOICES, "line 2: there is no factor 'old'; did you mean odd"),
        (CLAIMS, CHOICES.replace("size=9", "sise=9"), "line 6: the setting has no field 'sise'; did you mean size"),
        (CLAIMS, CHOICES.replace("shift=10", "shaft=10"), "line 2: gap has no argument 'shaft'; did you mean shift"),
        (CLAIMS, CHOICES.replace("departure", "departed"), "line 7: there is no kind 'departed'"),
    ],
)
def test_an_unknown_name_in_a_list_is_an_error_with_its_line(toy, claims, choices, message):
    with pytest.raises(DataError, match=message):
        recipe.read_headlines(toy(claims, choices))


def test_an_unknown_claim_is_refused_by_name(toy):
    with pytest.raises(ValueError, match="no headline claim 'gep'; did you mean gap"):
        recipe.robustness(toy(), Setting(), ["gep"])


@pytest.mark.parametrize("paper", [clark2002, frank2009, gelling2012, kodner2023, reichart2010])
def test_the_lists_of_the_papers_name_what_there_is_and_give_every_factor_two_levels(paper):
    headlines, levels = recipe.read_headlines(paper.PAPER)
    assert len(headlines) >= 5
    for headline in headlines:
        for factor in headline.factors:
            assert len([level for level in levels if level.factor == factor]) >= 2


@pytest.mark.thorough
def test_a_claim_of_kodner_is_judged_under_each_choice_by_sample():
    found = kodner2023.robustness("lexical", ["uniform_gain"], samplings=2, resamples=20)
    assert len(found.specifications) == 8 and (found.specifications["replicates"] == 2).all()
    assert set(found.specifications["verdict"]) <= {"stands", "undecided", "turned"}


@pytest.mark.thorough
def test_a_claim_of_frank_is_judged_under_each_choice_by_seed(drawing_faults):
    few = {"sweeps": 4, "random_seeds": 2, "sentences": 1500, "clusters": (12, 53)}
    found = frank2009.robustness("nursery", ["random_over_FF"], **few, resamples=20)
    assert len(found.specifications) == 8 and (found.specifications["replicates"] == 3).all()
    assert set(found.specifications["failed"]) == {""}
    assert drawing_faults(recipe.robustness_figure(frank2009.PAPER, found, "random_over_FF")) == []


@pytest.mark.thorough
def test_a_claim_of_clark_and_hockenmaier_is_judged_by_fifths_of_the_sentences_and_the_departure_stands_apart():
    found = clark2002.robustness("nursery", ["unlabelled_close"], test_sentences=100, resamples=20)
    rows = found.specifications
    assert rows["kind"].tolist() == ["convention"] * 16 + ["departure"] and (rows["replicates"] == 5).all()
    assert rows.loc[16, "marks"] == "scored" and set(rows["failed"]) == {""}


@pytest.mark.thorough
def test_a_second_derivation_costs_evaluation_2_nothing_but_for_the_list():
    """Section 5.1: modifiers in either order are the same dependencies; claim T04: not so in evaluation 1."""
    found = clark2002.robustness(claims=["spurious_ambiguity"], resamples=20).specifications
    of_modifiers = found[found["ambiguity"] == "modifiers"]
    assert (of_modifiers["estimate"] >= 0).all()
    against = of_modifiers[of_modifiers["other evaluation"] == "Parseval"]
    assert set(against["verdict"]) == {"stands"}


@pytest.mark.thorough
def test_a_claim_of_gelling_is_judged_by_treebank():
    few = {"iterations": 2, "annealing": 2, "bc_sweeps": 0, "c_sweeps": 5, "cgs_sweeps": 0, "g_iterations": 2,
           "bh_sentences": 100, "mz_sweeps": 2, "tsg_sweeps": 2, "tsg_sentences": 100, "tsg_runs": 1}  # fmt: skip
    found = gelling2012.robustness("nursery", ["NED_narrower"], **few, resamples=20)
    assert len(found.specifications) == 16 and set(found.values["replicate"]) == {"nursery"}
    assert set(found.specifications["failed"]) == {""} and found.specifications["estimate"].notna().all()


@pytest.mark.thorough
def test_a_claim_of_reichart_is_judged_by_system_along_the_numbers_of_clusters():
    few = {"gold": "coarse", "curve": (3, 9, 17), "curve_sweeps": 3, "restarts": 1}
    found = reichart2010.robustness("nursery", ["clusters_lower_HCK"], **few, resamples=20).specifications
    assert len(found) == 8 and set(found["failed"]) == {""}
    assert set(found.loc[found["system"] == "Brown", "verdict"]) == {"stands"}


@pytest.mark.thorough
def test_a_publication_has_the_curves_only_if_they_are_asked_for(monkeypatch):
    headlines, levels = read_headlines(kodner2023.PAPER)
    monkeypatch.setattr(module, "read_headlines", lambda paper: (headlines[1:2], levels))
    small = {"seeds": 2, "samplings": 2, "n_jobs": 1}
    with_curves, without = (kodner2023.publish("lexical", robustness=asked, **small) for asked in (True, False))
    names = {entry.name for entry in (*with_curves.tables, *with_curves.figures)}
    added = names - {entry.name for entry in (*without.tables, *without.figures)}
    assert added == {"robustness", "robustness_influence", "robustness_inference", "robustness_specifications",
                     "specifications_uniform_gain"}  # fmt: skip


def test_the_share_has_the_margin_of_the_claim(toy):
    for margin, share in ((0.5, 2 / 3), (2, 1 / 3)):
        found = recipe.robustness(toy(CLAIMS.replace("0.5", str(margin))), Setting(), resamples=50)
        assert found.inference.loc[0, "share"] == pytest.approx(share)
