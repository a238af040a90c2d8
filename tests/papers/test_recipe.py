import dataclasses
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.papers import recipe, reichart2010
from analysis.papers.recipe import (
    Estimate,
    Evidence,
    Paper,
    Run,
    Setting,
    Table,
    Words,
    choice,
    only,
    takes_setting,
)
from analysis.papers.recipe.claims import Claim, Judged, claims_table, judge_claims, read_claims
from analysis.papers.recipe.finders import field, number
from analysis.papers.recipe.printed import is_best
from analysis.papers.recipe.rules import RULES, agreeing, judge, opposing, parse_rule
from analysis.structures import DataError
from analysis.structures.cells import decimals

TOYS = Path(__file__).parent / "toys"
NO_FACTS = pd.DataFrame()
HEAD = "id,kind,statement,rule,expected,find,arguments,on,needs\n"


@dataclass(frozen=True)
class Small(Setting):
    """A setting with a field of each kind."""

    sweeps: int = choice(by_corpus=(10, 2000), at_least=1)
    clusters: tuple[int, ...] = choice((2, 3), at_least=1)
    linkage: str = choice("average", one_of=("average", "single"))


@takes_setting(Small)
def doubled(setting: Small, times: int = 2) -> int:
    """Sweeps, so many times."""
    return times * setting.sweeps


def test_defaults_follow_the_corpus_until_they_are_chosen():
    assert (Small().sweeps, Small(corpus="manchester").sweeps) == (10, 2000)
    assert Small.choose(Small(), corpus="manchester").sweeps == 2000
    assert Small.choose(Small(sweeps=7), corpus="manchester").sweeps == 7


def test_a_function_of_a_setting_takes_a_setting_or_single_choices():
    assert doubled() == 20 and doubled(Small(sweeps=3)) == 6 and doubled(sweeps=4, times=3) == 12
    assert doubled(Small(sweeps=3), sweeps=5) == 10
    assert doubled("manchester") == 4000
    with pytest.raises(ValueError, match="no choice 'sweep'; did you mean sweeps"):
        doubled(sweep=3)
    with pytest.raises(TypeError, match="Setting"):
        doubled(3)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"sweeps": 0}, "at least 1"), ({"clusters": ()}, "at least one"), ({"clusters": (2, 0)}, "at least 1, not 0"),
     ({"linkage": "singel"}, "did you mean single")],
)  # fmt: skip
def test_impossible_choices_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        Small(**wrong)


def test_a_list_is_taken_as_a_tuple_so_that_a_setting_can_be_a_key():
    assert Small(clusters=[4, 5]).clusters == (4, 5) and hash(Small(clusters=[4]))


# Rules ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "expected", "found", "holds"),
    [
        ("within 0.03", 0.20, 0.23, True), ("within 0.03", 0.20, 0.2301, False), ("within 0", 12, 12.0, True),
        ("within 1", [1, 2], [1, 2, 3], False), ("above", 0, 0.0, False), ("above", 0, {"a": 1, "b": -1}, False),
        ("at least", 80, 80, True), ("below", 0.001, 0.001, False), ("at most", 0, {"a": 0.0, "b": -2.0}, True),
        ("is", "HC, FF", ["HC", "FF"], True), ("is", "HC", ["HC", "HC"], False), ("begins", "BC, C", "BC, C, G", True),
        ("begins", "BC, C", "C, BC", False), ("includes", "SP, SR", ["SR", "MA", "SP"], True),
        ("includes", "SP, SR", ["SR"], False), ("among", "N, V", ["V"], True), ("among", "N, V", [], False),
        ("significant 0.05", "positive", Estimate(0.4, p=0.049), True),
        ("significant 0.05", "positive", Estimate(0.4, p=0.05), False),
        ("significant 0.05", "positive", Estimate(-0.4, p=0.01), False),
        ("significant 0.05", "none", {"a": Estimate(0.4, p=0.2), "b": Estimate(-0.9, p=0.001)}, False),
        ("significant 0.05", "positive", {"a": Estimate(0.4, p=0.01), "b": Estimate(-0.9, p=0.001)}, False),
    ],
)  # fmt: skip
def test_a_rule_says_whether_what_was_found_is_what_was_expected(rule, expected, found, holds):
    assert judge(rule, expected, found) is holds


_numbers = st.floats(-1e6, 1e6)
_words = st.lists(st.sampled_from(["BHMM", "HC", "FF", "Random"]), min_size=1, max_size=4)
_estimates = st.builds(lambda value, p: Estimate(value, p=p), _numbers.filter(bool), st.floats(0, 1))
_found = {
    "within 0.5": _numbers, "above": _numbers | st.dictionaries(st.text(max_size=3), _numbers, min_size=1),
    "below": _numbers, "at least": _numbers, "at most": _numbers, "is": _words, "begins": _words, "includes": _words,
    "among": _words, "significant 0.05": _estimates,
}  # fmt: skip


def test_every_rule_is_perturbed_here():
    assert {parse_rule(rule)[0] for rule in _found} == set(RULES)


@given(st.sampled_from(sorted(_found)).flatmap(lambda rule: st.tuples(st.just(rule), _found[rule])))
def test_an_agreeing_expectation_makes_a_claim_hold_and_an_opposing_one_turns_it(case):
    rule, found = case
    met = agreeing(rule, found)
    assert judge(rule, met, found)
    assert not judge(rule, opposing(rule, met, found), found)


@pytest.mark.parametrize("rule", ["within", "above 3", "abov", "significant"])
def test_a_rule_that_there_is_not_or_without_its_limit_is_refused(rule):
    with pytest.raises(ValueError, match="rule"):
        parse_rule(rule)


# Claims --------------------------------------------------------------------------------------------------------------


def largest(of, table: str) -> str:
    """The name of the largest number."""
    return max(of(table), key=of(table).get)


def listed(tmp_path, *rows, facts=NO_FACTS):
    path = tmp_path / "claims.csv"
    path.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return read_claims(path, facts, {"largest": largest})


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            "A,recomputd,says,is,HC,largest,table=sizes,,",
            "line 2: there is no kind 'recomputd'.*did you mean recomputed",
        ),
        ("A,recomputed,says,equals,HC,largest,table=sizes,,", "line 2: there is no rule 'equals'"),
        ("A,recomputed,says,is,HC,larges,table=sizes,,", "line 2: there is no function 'larges'.*did you mean largest"),
        (
            "A,recomputed,says,is,HC,largest,tabel=sizes,,",
            "line 2: largest has no argument 'tabel'.*did you mean table",
        ),
        ("A,recomputed,says,is,HC,largest,,,", "line 2: largest: missing a required argument"),
        ("A,recomputed,says,is,HC,,,,", "line 2: claim 'A' names no function"),
        ("A,not testable,says,,,,,,", "line 2: claim 'A' is not testable and does not say what it needs"),
        ("A,recomputed,,is,HC,largest,table=sizes,,", "line 2: claim 'A' says nothing"),
    ],
)
def test_an_unknown_name_in_a_list_of_claims_is_an_error_with_file_and_line(tmp_path, row, said):
    with pytest.raises(DataError, match=f"claims.csv, {said}"):
        listed(tmp_path, row)


def test_two_claims_of_one_id_and_a_fact_without_a_claim_are_errors(tmp_path):
    row = "A,recomputed,says,is,HC,largest,table=sizes,,"
    with pytest.raises(DataError, match="line 3: claim 'A' stands there twice"):
        listed(tmp_path, row, row)
    facts = pd.DataFrame({"id": ["F1"], "quantity": ["words"], "value": ["3"]})
    with pytest.raises(DataError, match="no row judges the printed fact 'F1'"):
        listed(tmp_path, row, facts=facts)


def judged(tmp_path, *rows, sizes=None, corpus="nursery", causes=()):
    setting = Small(corpus=corpus)
    evidence = Evidence(setting, {"sizes": lambda setting: sizes or {"HC": 3, "FF": 2}})
    table = pd.DataFrame(list(causes), columns=["id", "corpus", "cause", "shown_in"])
    return claims_table(list(judge_claims(listed(tmp_path, *rows), evidence)), setting, table).set_index("id")


def test_a_difference_has_a_tested_cause_of_this_corpus_or_is_unexplained(tmp_path):
    row = "A,recomputed,FF is largest,is,FF,largest,table=sizes,,"
    assert judged(tmp_path, row).loc["A", ["verdict", "why"]].tolist() == ["different", "unexplained"]
    cause = ("A", "nursery", "linkage", "linkages")
    assert judged(tmp_path, row, causes=[cause]).loc["A", "why"] == "linkage (shown in linkages)"
    assert judged(tmp_path, row, causes=[cause], corpus="manchester").loc["A", "why"] == "unexplained"


def test_of_a_claim_in_words_nothing_is_printed_and_the_criterion_has_the_limit(tmp_path):
    rows = ("A,recomputed,FF is small,at most,2.5,size,,,", "F1,recomputed,,within 1,,size,,,")
    path = tmp_path / "claims.csv"
    path.write_text(HEAD + "\n".join(rows) + "\n")
    facts = pd.DataFrame({"id": ["F1"], "quantity": ["words of FF"], "value": ["3"]})
    claims = read_claims(path, facts, {"size": lambda of: 2.0})
    nothing = pd.DataFrame(columns=["id", "corpus", "cause", "shown_in"])
    table = claims_table(list(judge_claims(claims, Evidence(Small(), {}))), Small(), nothing)
    assert table[["printed", "criterion", "verdict"]].values.tolist() == [
        ["", "at most 2.5", "same"],
        ["3", "within 1", "same"],
    ]


def test_a_claim_about_recorded_data_is_not_testable_on_the_generated_corpus(tmp_path):
    row = "A,recomputed,HC is largest,is,HC,largest,table=sizes,real,"
    assert judged(tmp_path, row).loc["A", "verdict"] == "not testable"
    assert judged(tmp_path, row, corpus="manchester").loc["A", "verdict"] == "same"


def test_a_claim_that_asks_for_an_unknown_table_names_the_nearest(tmp_path):
    with pytest.raises(ValueError, match="'size'; did you mean sizes"):
        judged(tmp_path, "A,recomputed,says,is,HC,largest,table=size,,")


def test_an_estimate_says_whether_the_printed_number_lies_in_its_interval(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text(HEAD + "A,recomputed,,within 1,,guess,,,\nB,recomputed,,within 1,,guess,,,\n"
                    "C,recomputed,in words,within 1,5,guess,,,\n")  # fmt: skip
    facts = pd.DataFrame({"id": ["A", "B"], "quantity": ["says", "says"], "value": ["5", "6.5"]})
    claims = read_claims(path, facts, {"guess": lambda of: Estimate(5.5, 4.5, 6.0)})
    table = claims_table(
        list(judge_claims(claims, Evidence(Small(), {}))),
        Small(),
        pd.DataFrame(columns=["id", "corpus", "cause", "shown_in"]),
    )
    assert table["inside"].tolist() == [True, False, pd.NA] and set(table["verdict"]) == {"same"}
    assert table["lower"].tolist() == [4.5] * 3


def test_what_is_set_has_no_recomputed_value_and_counts_as_no_success(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text(HEAD + "A,set,sweeps,,10,field,,,\nB,set,sweeps,,2000,field,,,\n")
    claims = read_claims(path, NO_FACTS, {"field": lambda setting: float(setting.sweeps)})
    table = claims_table(
        list(judge_claims(claims, Evidence(Small(), {}))),
        Small(),
        pd.DataFrame(columns=["id", "corpus", "cause", "shown_in"]),
    )
    assert table["verdict"].tolist() == ["set", "set otherwise"] and (table["recomputed"] == "–").all()
    assert table["why"].tolist() == ["", "here 10"]
    assert "recomputed" not in recipe.summary(table)["kind"].tolist()


def test_a_field_is_a_number_an_entry_or_how_many_there_are_on_the_scale_that_is_printed():
    setting = Small(sweeps=7, clusters=(12, 53, 80))
    assert field(setting, "sweeps") == 7 and field(setting, "sweeps", times=100, plus=-1) == 699
    assert [field(setting, "clusters", place=place) for place in (0, 2, 3)] == [12, 80, None]
    assert field(setting, "clusters") == 3 and field(setting, "clusters", plus=-2) == 1


def test_a_number_of_a_table_is_one_value_a_summary_or_a_count_of_the_rows_asked_for():
    rows = pd.DataFrame({"system": ["HC", "HC", "FF"], "k": [2, 3, 2], "value": [0.25, 0.5, 1.0]})
    of = Evidence(Small(), {"scores": lambda setting: rows})
    assert number(of, "scores") == 3 and number(of, "scores", where="system == 'HC'") == 2
    assert number(of, "scores", column="value", where="system == 'HC' and k == @setting.clusters[1]") == 0.5
    assert number(of, "scores", column="value", take="max", times=-100, plus=100) == 0
    assert of.read == {"scores"}
    with pytest.raises(ValueError, match="can only convert"):
        number(of, "scores", column="value")
    with pytest.raises(ValueError, match="scores has no column 'valu'; did you mean value"):
        number(of, "scores", column="valu")


def test_a_claim_that_reads_an_unknown_table_is_an_error_when_the_declaration_is_read(tmp_path, monkeypatch):
    folder = tmp_path / "odd2026"
    shutil.copytree(TOYS / "toy2026", folder)
    row = "A02,recomputed,says,above,0,number,table=table2; column=value; take=max,,"
    text = (folder / "claims.csv").read_text(encoding="utf-8").splitlines()
    (folder / "claims.csv").write_text("\n".join([*text[:2], row, text[3]]), encoding="utf-8")
    declared = (folder / "__init__.py").read_text(encoding="utf-8").replace("toy2026", "odd2026")
    (folder / "__init__.py").write_text(declared, encoding="utf-8")
    monkeypatch.setenv("ANALYSIS_PAPERS", str(tmp_path))
    with pytest.raises(DataError, match="odd2026: a claim reads 'table2'; did you mean table1"):
        recipe.check(recipe.paper_module("odd2026").PAPER)


# Declarations --------------------------------------------------------------------------------------------------------


def test_an_unknown_argument_in_a_declaration_is_an_error_with_file_and_line():
    with pytest.raises(
        DataError, match=r"test_recipe.py, line \d+: doubled has no argument 'time'; did you mean times"
    ):
        Table(name="a", title="A", of=doubled, arguments={"time": 3})


def test_an_unknown_word_in_a_caption_and_an_unknown_column_are_errors_with_file_and_line():
    table = Table(
        name="a", title="A", of=lambda setting: pd.DataFrame({"value": [1]}), caption="{sweps}", columns=["valu"]
    )
    with pytest.raises(DataError, match=r"test_recipe.py, line \d+: caption of 'a' says 'sweps'; did you mean sweeps"):
        table.texts(Words({"sweeps": "3"}, Small()), {})
    with pytest.raises(DataError, match=r"test_recipe.py, line \d+: .* has no column 'valu'; did you mean value"):
        table.frame(Small(), {})


def test_a_word_is_found_once_when_a_text_first_asks_for_it():
    asked = []
    declared = {"n": lambda setting: asked.append(setting) or len(asked), "twice": "{n} and {n}", "other": asked.index}
    words = Words(declared, Small())
    assert not asked and words.fill("{twice} of {setting.sweeps}, {n}") == "1 and 1 of 10, 1"
    assert asked == [Small()]


@pytest.mark.parametrize(
    ("holds", "said"), [("generated", True), ("not generated", False), (lambda setting: setting.sweeps > 10, False)]
)
def test_a_text_is_said_where_a_property_of_the_setting_or_a_function_holds(holds, said):
    assert bool(only(holds, "a")(Small())) is said and bool(only(holds, "a")(Small(corpus="manchester"))) is not said
    assert only(holds, "a", "b")(Small()) == (("a", "b") if said else "")


@pytest.mark.parametrize(
    "declared",
    [{"notes": ("{sweps}",)}, {"notes": (only("generated", "{sweps}"),)}, {"words": {"words": "", "n": "{sweps}"}},
     {"not_reproduced": (("Table 1", "because", "{sweps}"),)}],
)  # fmt: skip
def test_an_unknown_word_in_any_text_of_a_declaration_is_an_error_when_it_is_read(declared):
    paper = Paper(name="frank2009", title="", setting=Small, corpora={}, tables=(), figures=(), sources=lambda s: (),
                  **{"words": {"words": "", "sweeps": "10"}, **declared})  # fmt: skip
    with pytest.raises(DataError, match=r"test_recipe.py, line \d+: '{sweps}' says 'sweps'"):
        recipe.check(paper)


def test_an_unknown_field_of_a_full_run_is_an_error():
    with pytest.raises(DataError, match="no field 'sweep'; did you mean sweeps"):
        Paper(name="frank2009", title="", setting=Small, corpora={}, tables=(), figures=(), sources=lambda s: (),
              full={"sweep": 3})  # fmt: skip


READ_ALL = """
import sys
from analysis.corpora import loading
from analysis.experiments import grid
from analysis.papers import recipe

def refused(*arguments, **options):
    raise AssertionError("a declaration is read without a corpus or a run")

grid._run = refused
loading._loader = refused
for name in recipe.paper_folders():
    assert "claims" in recipe.check(recipe.paper_module(name).PAPER), name
    print(name)
kernels = [module for name, module in sys.modules.items() if name.startswith("analysis.") and "_kernels" in name]
print(*(f"{module.__name__}.{name}" for module in kernels for name, each in vars(module).items()
        if getattr(each, "overloads", None)))
"""


@pytest.mark.thorough
def test_every_shipped_declaration_is_read_without_a_corpus_a_run_or_the_kernel_of_a_model():
    done = subprocess.run([sys.executable, "-c", READ_ALL], capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:-1] == [*recipe.paper_folders(), ""]


@pytest.mark.parametrize("name", recipe.paper_folders())
def test_every_caption_begins_with_a_line_in_words_that_says_what_is_shown(name):
    for entry in recipe.paper_module(name).PAPER.entries:
        said, _, rest = entry.explained("where from").partition("\n")
        assert rest == "where from" and len(said.split()) >= 5 and said.endswith((".", "?")), (entry.name, said)
        assert not re.search(r"\w_\w|analysis\.|; see\b", said), (entry.name, said)


def test_a_note_that_names_a_further_text_is_only_where_there_is_one():
    said = [note(reichart2010.Setting()) for note in reichart2010.PAPER.notes if callable(note)]
    assert not any("trained on" in text and "further" in text for text in said)
    further = reichart2010.Setting(corpus="nltk-dependency-treebank", further="nltk-conll2000")
    said = [note(further) for note in reichart2010.PAPER.notes if callable(note)]
    assert any("{setting.further}" in text for text in said)


# Runs ----------------------------------------------------------------------------------------------------------------


def one(system: str, seed: int) -> dict[str, pd.DataFrame]:
    """A run's tables."""
    scores = pd.DataFrame({"system": [system], "seed": [str(seed)], "value": [float(seed)], "convention": ["made up"]})
    return {"scores": scores, "sizes": pd.DataFrame({"system": [system]}) if system == "HC" else pd.DataFrame()}


def test_tables_stand_in_the_order_of_the_cells_whatever_is_computed_first(monkeypatch):
    monkeypatch.setenv("ANALYSIS_NO_CACHE", "1")
    cells = [{"system": "HC", "seed": 1}, {"system": "FF", "seed": 2}, {"system": "HC", "seed": 3}]
    plain = recipe.evaluate_all(one, cells, data="none", n_jobs=1, progress=False)
    turned = recipe.evaluate_all(one, cells, data="none", n_jobs=1, progress=False, first=lambda cell: cell["seed"])
    pd.testing.assert_frame_equal(plain["scores"], turned["scores"])
    assert plain["scores"]["value"].tolist() == [1, 2, 3] and len(plain["sizes"]) == 2


@pytest.mark.parametrize(("seeds", "said"), [((9, 10, 11), "9–11"), ((0, 9, 12), "0, 9, 12")])
def test_seeds_are_told_as_numbers_and_as_a_range_only_where_they_are_one(seeds, said):
    runs = pd.concat([one("HC", seed)["scores"] for seed in seeds]).assign(
        lower=None, upper=None, numerator=None, denominator=None
    )
    row = recipe.mean_over_seeds(runs, ["system"]).iloc[0]
    assert row["seed"] == said and row["value"] == pytest.approx(sum(seeds) / 3)
    assert row["convention"].endswith("mean of 3 seeds ± one standard deviation (n - 1)")


def test_a_run_states_its_parameters():
    assert Run("HC", k=12, parameters=(("linkage", "single"), ("targets", 400))).stated == "linkage=single; targets=400"


# A sixth paper -------------------------------------------------------------------------------------------------------


def test_a_sixth_paper_has_at_most_four_files():
    assert len([path for path in (TOYS / "toy2026").iterdir() if path.is_file()]) <= 4


@pytest.mark.thorough
def test_a_sixth_paper_is_recomputed_from_the_command_line_and_stands_in_the_report(tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYSIS_PAPERS", str(TOYS))
    command = [sys.executable, "-m", "analysis", "reproduce", "toy2026", "--output", str(tmp_path / "report")]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report" / "toy2026.html").read_text(encoding="utf-8")
    assert "How long are words?" in page
    table = pd.read_csv(tmp_path / "report" / "tables" / "toy2026_nursery_table1.csv")
    assert list(table.columns) == ["system", "value"]  # a demonstration: neither printed numbers nor verdicts
    claims = recipe.paper_module("toy2026").PAPER.claims_table(recipe.paper_module("toy2026").PAPER.setting())
    assert claims["kind"].tolist() == ["set", "recomputed", "not testable"]
    assert (tmp_path / "report" / "figures" / "toy2026_nursery_figure1.png").is_file()


def test_kept_verdicts_are_shown_wherever_the_corpus_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_PAPERS", str(TOYS))
    for module in ("analysis.experiments.stored", "analysis.papers.recipe.declaration"):
        monkeypatch.setattr(sys.modules[module], "data_folder", lambda: tmp_path)
    (tmp_path / "results").mkdir()
    paper = recipe.paper_module("toy2026").PAPER
    kept = paper.store_claims("nursery")
    assert kept["corpus"].unique().tolist() == ["nursery"] and kept["source"].unique().tolist() == [""]
    judged = paper.claims_table(paper.setting())
    pd.testing.assert_frame_equal(kept.drop(columns=["corpus", "source"]), judged, check_dtype=False)
    assert recipe.check(paper) == ["table1", "claims", "claims_stored", "figure1"]
    table = recipe.publish(paper, "nursery", n_jobs=1).tables[-1]
    assert table.name == "claims_stored" and table.stored and table.frame.equals(kept)


def test_kept_verdicts_have_the_intervals_of_sampled_numbers(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_PAPERS", str(TOYS))
    for module in ("analysis.experiments.stored", "analysis.papers.recipe.declaration"):
        monkeypatch.setattr(sys.modules[module], "data_folder", lambda: tmp_path)
    (tmp_path / "results").mkdir()
    paper = recipe.paper_module("toy2026").PAPER
    judged = paper.claims_table(paper.setting()).assign(
        lower=pd.array([0.25, None, None], dtype="Float64"), upper=pd.array([0.5, None, None], dtype="Float64"),
        inside=pd.array([True, None, None], dtype="boolean"),
    )  # fmt: skip
    monkeypatch.setattr(type(paper), "claims_table", lambda self, setting: judged)
    kept = paper.store_claims("nursery")
    pd.testing.assert_frame_equal(kept[["lower", "upper", "inside"]], judged[["lower", "upper", "inside"]])


def test_a_kept_table_is_stored_as_computed_and_shown_whatever_the_corpus(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_PAPERS", str(TOYS))
    for module in ("analysis.experiments.stored", "analysis.papers.recipe.stored_tables"):
        monkeypatch.setattr(sys.modules[module], "data_folder", lambda: tmp_path)
    (tmp_path / "results").mkdir()
    paper = recipe.paper_module("toy2026").PAPER
    assert recipe.store_tables(paper, "nursery") == []
    paper = dataclasses.replace(paper, tables=(dataclasses.replace(paper.tables[0], kept=True),))
    (table,) = recipe.store_tables(paper, "nursery")
    setting = paper.setting.choose(corpus="nursery")
    assert table.frame.to_csv() == paper.tables[0].frame(setting, {}).to_csv()
    assert table.name == "stored_table1" and table.stored
    live = next(each for each in recipe.publish(paper, "nursery", n_jobs=1).tables if each.name == "table1").caption
    assert live.endswith("nursery")  # as declared, without a full stop
    assert table.caption == f"{live}. Stored; computed by recipe.store_tables(papers.toy2026.PAPER, 'nursery')."
    shown = [each.name for each in recipe.publish(paper, "nursery", n_jobs=1).tables]
    assert shown == ["table1", "stored_table1"]


def test_a_sixth_paper_passes_the_gates(monkeypatch):
    monkeypatch.setenv("ANALYSIS_PAPERS", str(TOYS))
    paper = recipe.paper_module("toy2026").PAPER
    assert recipe.check(paper) == ["table1", "claims", "figure1"]
    values = recipe.completeness(paper, paper.setting())
    assert values["status"].tolist() == ["recomputed", "recomputed"]
    assert all(recipe.perturbed(one)[0] == recipe.perturbed(one)[1] for one in paper.judged(paper.setting())
               if one.claim.kind == "recomputed")  # fmt: skip


def test_the_cause_of_this_corpus_comes_before_that_of_any():
    causes = pd.DataFrame(
        [("A", "any", "all", "x"), ("A", "nursery", "own", "y")], columns=["id", "corpus", "cause", "shown_in"]
    )
    judged = [Judged(Claim("A", "recomputed", "says", "is", "b"), "a", "different")]
    assert claims_table(judged, Setting(), causes)["why"].tolist() == ["own (shown in y)"]


def test_a_number_on_the_bound_is_inside():
    claim = Claim("A", "recomputed", "says", "within 1", 4.5, printed=True)
    table = claims_table(
        [Judged(claim, Estimate(5.0, low, high), "same") for low, high in ((4.5, 6.0), (4.0, 4.5), (4.6, 6.0))],
        Setting(),
        pd.DataFrame(columns=["id", "corpus", "cause", "shown_in"]),
    )
    assert table["inside"].tolist() == [True, True, False]


def test_equal_means_that_differ_in_the_last_bit_are_both_bold():
    rows = pd.DataFrame({"measure": "V", "value": [0.1 + 0.2, 0.3, 0.2]})
    assert is_best(rows, ["measure"]).tolist() == [True, True, False]


def test_a_table_of_numbers_as_objects_has_the_digits_of_print():
    numbers = pd.DataFrame({"PP printed": [0.205], "PP recomputed": [0.205609]}, dtype="object")
    table = recipe.Table(name="t", title="T", of=lambda: numbers, stored=True, digits=6, says="Says what is shown.")
    shown = table.published(recipe.Setting(), {}, {"name": "t", "title": "T", "caption": "c"})
    assert decimals(shown.frame, shown.digits).tolist() == [[3, 3]]
