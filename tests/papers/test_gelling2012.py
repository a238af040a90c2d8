import ast
import dataclasses
from collections import Counter
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.categories import contingency, many_to_one, one_to_one, v_measure, variation_of_information
from analysis.categories.models import MultinomialMixture, class_tree_loop
from analysis.corpora import loading
from analysis.dependencies import attachment_scores, find_punctuation
from analysis.dependencies.models import DMV, left_branching
from analysis.dependencies.reheading import STANDARDS
from analysis.figures import rank_lines
from analysis.papers import gelling2012
from analysis.papers.gelling2012 import setting as settings
from analysis.papers.gelling2012.runs import (
    SENTENCES,
    TRACKS,
    TREES,
    WORD_CLASSES,
    _leaves,
    fit,
    gold_standards,
    make_run,
    prepared_model,
    relations,
    systems,
)
from analysis.papers.gelling2012.setting import Data, data, number_of_tags, treebank
from analysis.papers.recipe import printed

QUICK = {
    "iterations": 2,
    "annealing": 2,
    "bc_sweeps": 1,
    "bh_sentences": 100,
    "mz_sweeps": 2,
    "tsg_sweeps": 2,
    "tsg_sentences": 100,
    "c_sweeps": 5,
    "cgs_sweeps": 3,
    "cgs_rounds": 1,
    "g_iterations": 3,
    "curve": (3, 12, 30),
}
SETTING = gelling2012.Setting(corpus="nursery", **QUICK)
NUMBERS = (2, 3, 4, 7, 8, 9)


def settings_of_tests():
    """Named arguments of the settings of Gelling et al. that the tests write down to compute little."""
    for path in sorted(Path(__file__).parents[1].rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        for call in ast.walk(ast.parse(source)) if "gelling2012.Setting(" in source else ():
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "gelling2012.Setting":
                named = {one.arg for one in call.keywords}
                if {"iterations", "bc_sweeps"} <= named:
                    yield path.name, named


def test_a_small_setting_is_small_for_every_system():
    """A system that is added later has its number of sweeps in each of them, or tests compute the default."""
    found = list(settings_of_tests())
    assert len(found) >= 4
    for name, named in found:
        assert {one for one in QUICK if one not in ("cgs_rounds", "tsg_sentences", "curve")} <= named, name


@pytest.fixture(scope="module")
def tables():
    functions = {2: gelling2012.table2, 3: gelling2012.table3, 4: gelling2012.table4, 7: gelling2012.table7,
                 8: gelling2012.table8, 9: gelling2012.table9}  # fmt: skip
    return {number: function(SETTING) for number, function in functions.items()}


def test_the_tags_of_c_are_prefixes_of_paths_if_a_length_is_given():
    tags = {}
    for length in (1, 3):
        setting = gelling2012.Setting(corpus="nursery", **QUICK | {"c_prefix": length})
        (run,) = [run for run in systems("nursery", setting) if run.system == "C-c"]
        tags[length] = fit("nursery", run).labels
    assert len(set(tags[1])) == 2 < len(set(tags[3])) <= 8
    assert len(set(zip(tags[1], tags[3], strict=True))) == len(set(tags[3]))


# Setting and data ------------------------------------------------------------------------------------------------


def test_a_choice_that_does_not_exist_or_makes_no_sense_is_refused_by_name():
    with pytest.raises(ValueError, match="no choice 'sweeps'"):
        gelling2012.scores(sweeps=3)
    for wrong, message in (
        ({"corpus": "brown"}, "no corpus 'brown'"),
        ({"testsets": ("danish",)}, "testsets is 'danish'; there are nursery"),
        ({"testsets": ()}, "at least one"),
        ({"iterations": -1}, "iterations"),
        ({"curve": (0,)}, "curve"),
        ({"harmonic_tags": "own"}, "harmonic_tags"),
        ({"assignment": "best"}, "assignment"),
        ({"passes": 0}, "passes"),
        ({"curve_testset": "danish"}, "curve_testset is 'danish'; there are nursery"),
    ):
        with pytest.raises(ValueError, match=message):
            gelling2012.Setting(**wrong)


def test_another_corpus_brings_its_own_test_sets():
    changed = gelling2012.Setting.choose(gelling2012.Setting(), corpus="treebanks")
    assert changed.testsets[:10] == gelling2012.TESTSETS and changed.curve_testset == "danish"


def test_every_test_set_of_the_paper_has_an_open_treebank_and_a_statement_of_what_differs():
    table = gelling2012.treebanks().set_index("testset")
    assert set(printed("gelling2012", "table3_dependency")["testset"]) == set(gelling2012.TESTSETS) <= set(table.index)
    assert (table["differs"].str.len() > 60).all()
    ud = table[table["corpus"].str.startswith("ud-")]
    assert len(ud) == 9 and (ud["comparable"] == "no").all()
    assert ud["differs"].str.contains("LB and RB").all()
    assert all(row["test"] in row["train"].split(";") for _, row in table.iterrows())


def made_up(monkeypatch, frames, **row):
    """Data of a test set that is made of these parts."""
    about = {"testset": "made", "corpus": "made", "train": ";".join(frames), "test": next(iter(frames)), "tags": "ud",
             "adults": "no"}  # fmt: skip
    monkeypatch.setattr(settings, "treebank", lambda name: pd.Series(about | row))
    monkeypatch.setattr(loading, "load", lambda name, part: frames[part])
    monkeypatch.setattr(settings.corpora, "corpus_version", lambda name: "made 1")
    return data.__wrapped__("made")


def words(forms, universal, **columns):
    n = len(forms)
    frame = {"sentence": [0] * n, "position": range(1, n + 1), "form": forms, "universal": universal, "head": [0] * n}
    return pd.DataFrame(frame | columns)


def test_parts_are_joined_with_sentences_numbered_on_and_only_the_test_part_is_scored(monkeypatch):
    frames = {"test": words(["a", "b"], ["DET", "NOUN"]), "dev": words(["c"], ["PROPN"])}
    found = made_up(monkeypatch, frames)
    assert found.tokens["sentence"].tolist() == [0, 0, 1]
    assert found.tokens["scored"].tolist() == [True, True, False]
    assert found.tokens["universal"].astype("str").tolist() == ["DET", "NOUN", "NOUN"]
    assert found.tokens["coarse"].astype("str").tolist() == ["DET", "NOUN", "PROPN"]
    assert found.test["form"].astype("str").tolist() == ["a", "b"] and found.version == "made 1 (test+dev)"


def test_without_fine_tags_the_universal_tag_and_the_features_stand_for_them_and_that_is_said(monkeypatch):
    frames = {"test": words(["a", "b"], ["DET", "NOUN"], features=["_", "Number=Sing"])}
    found = made_up(monkeypatch, frames)
    assert found.tokens["fine"].astype("str").tolist() == ["DET", "NOUN|Number=Sing"] and "has none" in found.tags


def test_children_are_left_out_where_only_adults_count(monkeypatch):
    child = words(["ball"], ["NOUN"], role=["Target_Child"]).assign(sentence=1)
    frame = pd.concat([words(["a"], ["DET"], role=["Mother"]), child], ignore_index=True)
    assert made_up(monkeypatch, {"test": frame}, adults="yes").tokens["form"].astype("str").tolist() == ["a"]


def test_coarse_tags_of_the_penn_treebank_are_the_first_two_letters(monkeypatch):
    frame = words(["a", "b"], ["X", "X"], fine=["NNS", "VBZ"]).drop(columns="universal")
    found = made_up(monkeypatch, {"test": frame}, tags="penn").tokens
    assert found["coarse"].astype("str").tolist() == ["NN", "VB"]
    assert found["universal"].astype("str").tolist() == ["NOUN", "VERB"]


# Systems ---------------------------------------------------------------------------------------------------------


def test_every_system_of_the_three_tracks_runs_with_as_many_tags_or_clusters_as_its_letter_says():
    runs = systems("nursery", SETTING)
    assert [run.system for run in runs] == [*WORD_CLASSES, *TREES, *TRACKS["joint"]]
    fine, coarse = (number_of_tags("nursery", level) for level in ("fine", "coarse"))
    joint = {run.system: run.k for run in runs if run.about["track"] == "joint"}
    assert joint == {"CGS": fine, "DMV-c": coarse, "DMV-p": fine, "DMV-u": 12}
    for run in runs:
        if run.about["track"] == "word classes":
            found = len(np.unique(fit("nursery", run).labels))
            assert found == run.k or (run.model in ("BC", "CGS", "G") and 1 < found <= run.k)  # these may empty a class


def test_samplers_are_left_out_without_sweeps_or_with_too_many_tags():
    names = {
        run.system
        for run in systems("nursery", gelling2012.Setting(bc_sweeps=0, g_iterations=0, tsg_sweeps=0, most_tags=20))
    }
    assert not {"BC", "CGS", "G-c", "G-u"} & names
    assert "C-p" in names


def test_c_takes_rarer_words_as_leaves_where_there_would_be_fewer_leaves_than_classes():
    counts = data("nursery").tokens["form"].value_counts()
    usual = _leaves("nursery", 12)
    enough = int((counts >= usual).sum())
    assert _leaves("nursery", enough) == usual
    assert counts.min() < usual and _leaves("nursery", enough + 1) == int(counts[counts < usual].max())


def test_cgs_in_the_joint_track_is_the_last_round_of_the_loop():
    run = next(run for run in systems("nursery", SETTING) if (run.system, run.about["track"]) == ("CGS", "joint"))
    tokens = data("nursery").tokens

    def induce_trees(tagged):
        return DMV(tags="cluster", punctuation_rule="form", iterations=2, max_length=10).fit(tagged).predict(tagged), {}

    mixture = MultinomialMixture(run.k, sweeps=3, progress=False)
    words = ~find_punctuation(tokens, "form").mask
    loop = class_tree_loop(tokens, mixture, induce_trees, rounds=2, words=words)
    assert SETTING.cgs_rounds == 1 and len(loop.heads) == 2
    assert fit("nursery", run).labels.tolist() == loop.heads[-1].tolist()


def test_trees_are_those_of_the_model_and_h_is_the_untrained_model():
    test = data("nursery").test
    runs = {(run.about["track"], run.system): run for run in systems("nursery", SETTING)}
    assert fit("nursery", runs["dependencies", "LB"]).labels.tolist() == left_branching(test).tolist()
    model = DMV(tags="fine", iterations=0).fit(data("nursery").tokens)
    assert fit("nursery", runs["dependencies", "H"]).labels.tolist() == model.predict(test).tolist()
    joint = fit("nursery", runs["joint", "DMV-u"])
    clusters = fit("nursery", make_run("B", "word classes", "", 12)).labels
    sequences = data("nursery").tokens.assign(cluster=pd.Categorical(clusters))
    again = DMV(tags="cluster", iterations=2, keep_punctuation=True).fit(sequences)  # it has no punctuation
    assert joint.labels.tolist() == again.predict(sequences).tolist()
    assert joint.steps == 2 and joint.about["log_likelihood"] == again.log_likelihoods_[1]


def test_the_joint_track_looks_at_no_gold_tag(monkeypatch):
    module = import_module("analysis.papers.gelling2012.runs")  # the package has a function of that name too
    tokens = words(["a", "b", "!", "c"], ["DET", "NOUN", "PUNCT", "VERB"]).assign(scored=True, fine="x", coarse="x")
    monkeypatch.setattr(module, "data", lambda name: Data(tokens, "1", ""))
    monkeypatch.setattr(module, "fit", lambda *_: module.Fit(np.array([0, 1, 2, 0]), 1, 0.0, {}))
    run = make_run("DMV-c", "joint", "coarse", 3, (("iterations", 1),))
    model, text = prepared_model("made", run)
    assert model.tags == "cluster" and model.punctuation_rule == "form" and text["cluster"].tolist() == [0, 1, 2, 0]


def test_systems_that_do_not_run_are_refused():
    for name, track in (("MZ", "word classes"), ("MZ", "joint"), ("MK-c", "joint")):
        with pytest.raises(ValueError, match=f"'{name}' does not run in the track '{track}'"):
            fit("nursery", make_run(name, track, "fine", 3))


def test_modifiers_of_nouns_in_the_built_in_language_are_nmod_and_others_are_not():
    test, named = data("nursery").test, relations("nursery")
    first = np.arange(len(test)) - test["position"].to_numpy() + 1
    head = test["head"].to_numpy()
    for place in np.flatnonzero((test["relation"] == "MOD").to_numpy())[:300]:
        noun = head[place] > 0 and test["coarse"].iloc[first[place] + head[place] - 1] == "N"
        assert (named.iloc[place] == "NMOD") == noun


# Scores ----------------------------------------------------------------------------------------------------------


def test_word_classes_are_scored_by_the_four_measures_as_proportions_and_bits(tables):
    test = data("nursery").test
    for run in systems("nursery", SETTING)[:2]:
        labels = fit("nursery", run).labels
        for number, gold in ((2, "universal"), (7, "fine")):
            cells = contingency(test[gold].astype("str"), labels)
            greedy = one_to_one(cells, assignment="greedy")
            scores = (many_to_one(cells), greedy, v_measure(cells), variation_of_information(cells, base=2))
            expected = [float(score) for score in scores]
            rows = tables[number][tables[number]["system"] == run.system]
            assert rows["measure"].tolist() == list(gelling2012.CLASS_MEASURES)
            assert rows["value"].tolist() == pytest.approx(expected)
            assert rows["unit"].tolist() == ["proportion"] * 3 + ["bits"]


def test_trees_are_scored_as_the_measures_say_and_tables_8_and_9_on_short_sentences_only(tables):
    test = data("nursery").test
    for number, track, longest in ((3, "dependencies", None), (8, "dependencies", 10), (9, "joint", 10)):
        run = next(run for run in systems("nursery", SETTING) if run.about["track"] == track and run.system == "DMV-u")
        scores = attachment_scores(test, fit("nursery", run).labels, max_length=longest, punctuation=False).scores()
        rows = tables[number][tables[number]["system"] == "DMV-u"]
        assert rows["value"].tolist() == [float(score) for score in scores]
        assert rows["denominator"].tolist() == [score.denominator for score in scores]


def test_each_row_says_on_what_it_was_trained_and_how_it_was_scored(tables):
    for table in tables.values():
        assert table["convention"].str.contains("trained on train, scored on train of nursery").all()
    assert tables[3]["convention"].str.contains("punctuation=removed").all()
    assert tables[2]["convention"].str.contains("punctuation scored").all()
    dmv = tables[3][tables[3]["system"] == "DMV-p"]
    assert dmv["convention"].str.contains("iterations=2; max_length=10; normalise=child").all()


def test_table_1_counts_the_text(tables):
    tokens = data("nursery").tokens
    values = gelling2012.table1(SETTING).set_index(["partition", "property"])["value"]
    assert values["train", "tokens"] == len(tokens) and values["train", "postag"] == tokens["fine"].nunique()
    assert values["test", "sentences"] == tokens["sentence"].nunique()
    assert pd.isna(values["test", "new_words"]), "all text is scored, so no word can be new"


def test_figure_1_and_table_6_add_up_to_what_they_divide():
    test = data("nursery").test
    tree = fit("nursery", next(run for run in systems("nursery", SETTING) if run.system == "RB")).labels
    table = gelling2012.table6(SETTING)
    rows = table[(table["system"] == "RB") & (table["relation"] == "SBJ")].iloc[0]
    subjects = (test["relation"] == "SUBJ").to_numpy() & (test["head"] > 0).to_numpy()
    assert rows["denominator"] == subjects.sum()
    assert rows["numerator"] == (subjects & (tree == test["head"].to_numpy())).sum()
    lengths = gelling2012.figure1_points(SETTING)
    lengths = lengths[(lengths["measure"] == "directed") & (lengths["system"] == "RB")].set_index("length")
    distance = np.abs(test["head"] - test["position"])[test["head"] > 0]
    assert lengths["denominator"].to_dict() == {n: int((distance == n).sum()) for n in range(1, 10)}
    assert lengths.loc[2:, "numerator"].sum() == 0, "RB knows neighbours only"


def test_table_5_re_heads_the_first_sentences_of_the_built_in_language_by_the_rules_of_the_penn_sample():
    table = gelling2012.table5(SETTING)
    five = table.pivot(index="system", columns="conversion", values="value")
    assert set(five.columns) == {*STANDARDS, "best"}
    assert np.allclose(five["best"], five.drop(columns="best").max(axis=1))
    golds = gold_standards("nursery")
    tokens = len(golds["standard"])
    assert (table["denominator"] == tokens).all() and golds["standard"]["sentence"].nunique() == SENTENCES
    right = table.set_index(["system", "conversion"])["numerator"]
    before = golds["lexical"]["position"].to_numpy() - 1  # what RB says
    assert right["RB", "lexical"] == (golds["lexical"]["head"].to_numpy() == before).sum()


def test_trees_without_the_tags_of_the_rules_cannot_be_re_headed():
    with pytest.raises(ValueError, match="no trees can be re-headed of 'danish'"):
        gold_standards("danish")


# Printed beside recomputed ---------------------------------------------------------------------------------------


def test_every_printed_number_has_its_row_and_generated_data_reproduce_nothing(tables):
    for number, table in tables.items():
        comparison = gelling2012.compare(table, number)
        assert comparison["printed"].dropna().tolist() == gelling2012.printed_table(number)["value"].dropna().tolist()
        assert set(comparison["reproducible"]) - {""} == {"not at all", "not printed"}
        assert (comparison["printed"].isna() == comparison["reproducible"].isin(["", "not printed"])).all(), "N/A"
        assert (comparison["why"].ne("") == comparison["printed"].notna()).all()
        assert comparison["unit"].dropna().isin(["percent", "bits"]).all(), "beside the printed percent"
        wide = gelling2012.side_by_side(comparison)
        assert ("danish", "printed") in wide.index and ("nursery", "recomputed") in wide.index
    with pytest.raises(ValueError, match="what table3 returned"):
        gelling2012.compare(pd.DataFrame({"system": ["LB"]}), 3)


def test_trees_on_universal_dependencies_are_never_called_comparable():
    rows = [("directed", name, "LB", 0.5, "proportion") for name in ("danish", "en-ptb")]
    table = pd.DataFrame(rows, columns=["measure", "testset", "system", "value", "unit"])
    found = gelling2012.compare(table, 3).dropna(subset="recomputed").set_index("testset")["reproducible"]
    assert found.to_dict() == {"danish": "not at all", "en-ptb": "at best approximately"}


def test_averages_leave_out_what_is_missing_and_test_sets_that_are_not_the_papers():
    rows = [("VI", "danish", "X", 1.0), ("VI", "dutch", "X", None), ("VI", "czech", "X", 4.0),
            ("VI", "basque-conll2007", "X", 100.0)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["measure", "testset", "system", "value"])
    found = gelling2012.averages(table).iloc[0]
    assert (found["value"], found["n"]) == (2.5, 2)


def test_all_printed_averages_follow_from_the_rows_within_their_rounding():
    for number in NUMBERS:
        theirs = gelling2012.printed_averages(number).set_index(["measure", "system"])["value"].astype("float64")
        ours = gelling2012.averages(gelling2012.printed_table(number)).set_index(["measure", "system"])["value"]
        unit = 0.01 if number in (2, 7) else 0.1
        assert (theirs - ours.reindex(theirs.index).astype("float64")).abs().max() <= unit + 1e-9


def test_bold_is_the_best_of_its_row_ties_included_and_the_lowest_vi():
    rows = [
        ("M-1", "a", 3.0),
        ("M-1", "a", 3.0),
        ("M-1", "a", 1.0),
        ("VI", "a", 2.0),
        ("VI", "a", 1.0),
        ("VI", "a", None),
    ]
    table = pd.DataFrame(rows, columns=["measure", "testset", "value"])
    assert gelling2012.is_best(table).tolist() == [True, True, False, False, True, False]


def test_the_slips_of_the_paper_are_those_that_its_readme_lists():
    table = gelling2012.inconsistencies()
    averages = table[table["kind"] == "average"]
    assert Counter(averages["why"]) == {"an exact half, rounded down in print": 13, "explained by unrounded rows": 5}
    named = set(zip(averages["table"], averages["measure"], averages["system"], strict=True))
    assert {(2, "M-1", "BC"), (3, "NED", "LB"), (7, "VI", "BC"), (9, "directed", "CGS")} <= named
    bold = table[table["kind"] == "bold"]
    assert Counter(bold["table"]) == {2: 3, 7: 3, 9: 1}
    assert set(bold[bold["measure"] == "VI"]["row"]) == {"arabic", "czech", "en-childes"}


# Agreement -------------------------------------------------------------------------------------------------------


def test_ranks_are_those_of_the_printed_averages():
    table = gelling2012.ranks(3)
    best = table[table["rank"] == 1].set_index("measure")["system"].to_dict()
    assert best == {"directed": "Tu", "undirected": "BC", "NED": "Tu"}
    with pytest.raises(ValueError, match="no test set 'french'"):
        gelling2012.ranks(3, testset="french")
    with pytest.raises(ValueError, match="no averages of table 5"):
        gelling2012.ranks(5)


def test_a_system_without_a_value_is_left_out_of_its_test_set_only():
    found = gelling2012.agreement(2)
    n = found.drop_duplicates("testset").set_index("testset")["n"]
    assert n["arabic"] == 11 and n["danish"] == 12 and n["czech"] == 10 and n["averages"] == 12


def test_curves_and_clusters_hold_the_numbers_of_clusters_asked_for():
    curves = gelling2012.curves(SETTING)
    assert sorted(set(curves["k"])) == [3, 12, 30] and set(curves["model"]) == {"B", "MK"}
    clusters = gelling2012.clusters(SETTING).drop_duplicates("system").set_index("system")["k"]
    assert clusters["B-p"] == number_of_tags("nursery", "fine")


def test_conventions_change_what_they_say():
    table = gelling2012.conventions("nursery", SETTING).set_index(["convention", "measure", "system"])
    test = data("nursery").test
    roots = int((test["head"] == 0).sum())
    whole = table.loc[("the challenge's", "directed", "LB"), "denominator"]
    assert whole == len(test) - find_punctuation(test).mask.sum()
    assert table.loc[("root edges left out", "directed", "LB"), "denominator"] == whole - roots
    sizes = test.groupby("sentence")["position"].transform("size")
    assert table.loc[("at most 10 tokens", "NED", "R"), "denominator"] == (sizes <= 10).sum()


def test_systems_that_the_setting_leaves_out_have_no_intervals():
    fewer = dataclasses.replace(SETTING, bh_sentences=0, tsg_sweeps=0, mz_sweeps=0)
    left = set(TREES) - {"BC", "BH", "MZ-c", "MZ-p", "MZ-u"}
    assert set(gelling2012.intervals(fewer)["system"]) == left
    pairs = gelling2012.differences("nursery", fewer)
    assert len(pairs) == len(left) * (len(left) - 1) // 2


def test_intervals_hold_the_value_and_differences_have_the_better_system_first():
    table = gelling2012.intervals(SETTING)
    assert ((table["lower"] <= table["value"]) & (table["value"] <= table["upper"])).all()
    assert (gelling2012.differences("nursery", SETTING)["difference"] >= 0).all()
    classes = gelling2012.class_intervals("nursery", "MK-u", SETTING, resamples=20)
    assert classes["value"].tolist() == pytest.approx(
        gelling2012.table2(SETTING).query("system == 'MK-u'")["value"].tolist()
    )
    sentences = data("nursery").test["sentence"].nunique()
    assert (classes["lower"] <= classes["upper"]).all() and (classes["n"] == sentences).all()
    with pytest.raises(ValueError, match="'LB' is not a system of word classes"):
        gelling2012.labelled("nursery", "LB", SETTING)
    with pytest.raises(ValueError, match="BC is not run on nursery with this setting"):
        gelling2012.labelled("nursery", "BC", gelling2012.Setting(**QUICK | {"bc_sweeps": 0}))


@pytest.mark.parametrize(("number", "system"), [(3, "S2"), (4, "DMV-u"), (5, "Tu"), (6, "R"), (8, "LB"), (9, "CGS")])
def test_every_table_of_trees_has_intervals_on_request(number, system):
    table = getattr(gelling2012, f"table{number}")(SETTING)
    rows = table[table["system"] == system]
    found = gelling2012.with_intervals(rows, number, SETTING, resamples=200)
    assert found.index.equals(rows.index) and found["value"].equals(rows["value"])
    best = found["conversion"].eq("best") if number == 5 else pd.Series(False, index=found.index)
    assert found[best]["lower"].isna().all()
    assert ((found["lower"] <= found["value"]) & (found["value"] <= found["upper"]))[~best].all()
    assert (found["lower"] < found["upper"])[~best & found["value"].between(0.01, 0.99)].all()


def test_intervals_of_word_classes_are_those_of_the_system_against_the_tags_of_the_table():
    rows = gelling2012.table7(SETTING).query("system == 'B-u'")
    found = gelling2012.with_intervals(rows, 7, SETTING, resamples=50).set_index("measure")
    own = gelling2012.class_intervals("nursery", "B-u", SETTING, gold="fine", resamples=50).set_index("measure")
    assert found["lower"].astype(float).to_dict() == pytest.approx(own["lower"].to_dict())
    assert found["upper"].astype(float).to_dict() == pytest.approx(own["upper"].to_dict())
    with pytest.raises(ValueError, match="no intervals of table 1"):
        gelling2012.with_intervals(rows, 1, SETTING)


def test_the_interval_of_a_relation_is_that_of_its_tokens_when_sentences_are_drawn():
    rows = gelling2012.table6(SETTING).query("system == 'LB' and relation == 'COORD'")
    found = gelling2012.with_intervals(rows, 6, SETTING, resamples=300).iloc[0]
    test = data("nursery").test
    scored = (relations("nursery").astype("str") == "COORD") & (test["head"] > 0)
    right = scored & (left_branching(test) == test["head"])
    counts = pd.DataFrame({"scored": scored, "right": right, "sentence": test["sentence"]}).groupby("sentence").sum()
    rng, drawn = np.random.default_rng(9), []
    for _ in range(300):
        picks = rng.integers(0, len(counts), len(counts))
        part = counts.to_numpy()[picks].sum(axis=0)
        drawn.append(part[1] / part[0])
    spread = np.std(drawn)
    assert [found["lower"], found["upper"]] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=spread / 2 + 1e-9)


def test_the_difference_of_two_systems_is_paired_in_every_measure():
    three = gelling2012.table3(SETTING).set_index(["system", "measure"])["value"]
    two = gelling2012.table2(SETTING).set_index(["system", "measure"])["value"]
    trees = gelling2012.difference("S2", "LB", "nursery", "NED", SETTING, resamples=100)
    assert trees["difference"] == pytest.approx(three["S2", "NED"] - three["LB", "NED"])
    classes = gelling2012.difference("B-p", "C-c", "nursery", "VM", SETTING, resamples=100)
    assert classes["difference"] == pytest.approx(two["B-p", "VM"] - two["C-c", "VM"])
    joint = gelling2012.difference("DMV-p", "DMV-p", "nursery", "directed", SETTING, track="joint", resamples=50)
    assert joint["difference"] == joint["lower"] == joint["upper"] == 0 and joint["p"] == 1 and trees["p"] > 0
    assert trees["lower"] < trees["difference"] < trees["upper"]
    with pytest.raises(ValueError, match="no measure 'F1'"):
        gelling2012.difference("LB", "RB", "nursery", "F1", SETTING)


# Claims, figures, publication ------------------------------------------------------------------------------------


def test_every_fact_and_claim_has_a_verdict_and_a_reason_where_it_differs():
    table = gelling2012.claims(SETTING).set_index("id")
    assert [name for name in table.index if name.startswith("G")] == printed("gelling2012", "facts")["id"].tolist()
    verdict = table["verdict"]
    assert verdict[["G17", "P13", "P21", "P25", "P29"]].eq("different").all()
    assert verdict[["P01", "P02", "P03", "P08", "P11", "P15", "P17", "P20", "P22", "P24", "P31"]].eq("same").all()
    assert table.loc["G17", "recomputed"] == "8" and table.loc["P13", "recomputed"] == "danish DMV-u: -3.4"
    assert verdict["G01"] == "not testable" and set(table["kind"][verdict == "set"]) == {"set"}
    assert table.loc["P26", "why"].endswith("(shown in inconsistencies)") and table.loc["P14", "why"] == "unexplained"


def test_whether_punctuation_counts_in_the_length_is_a_choice_that_is_said():
    """Footnote 15 leaves punctuation out of the ten words of Tables 8 and 9, the note after Table 3 counts it."""
    table = gelling2012.claims(SETTING).set_index("id")
    assert table.loc["G18", "verdict"] == "set" and "footnote 15" in table.loc["G18", "claim"]
    assert table.loc["P30", ["verdict", "why"]].tolist() == ["set otherwise", "here counted"]
    assert gelling2012.claims(SETTING, short=12).set_index("id").loc["G18", "why"] == "here 12"


def test_claims_are_judged_on_the_stored_runs_of_the_same_treebanks_and_on_no_others():
    whole = gelling2012.Setting(corpus="treebanks")
    best = gelling2012.PAPER.best(whole)
    assert set(best) == {f"table{number}" for number in NUMBERS}
    three = best["table3"]()
    assert set(three["system"]) == set(TREES) - {"BC", "BH", "MZ-c", "MZ-p", "MZ-u"}  # which have no long run
    assert set(three["testset"]) == set(gelling2012.treebanks()["testset"])
    for other in (
        SETTING,
        gelling2012.Setting(corpus="treebanks", testsets=("danish",)),
        gelling2012.Setting(corpus="treebanks", seed=1),
        gelling2012.Setting(corpus="treebanks", iterations=201),
    ):
        assert gelling2012.PAPER.best(other) == {}


def test_a_bump_chart_names_every_system_on_both_sides_once():
    from matplotlib.figure import Figure

    table = gelling2012.ranks(3)
    ax = rank_lines(table, gelling2012.TREE_MEASURES, ax=Figure().subplots())
    names = Counter(name for text in ax.texts for name in text.get_text().split(", "))
    assert names == dict.fromkeys(table["system"].unique(), 2)


@pytest.mark.parametrize(
    "draw",
    [
        gelling2012.figure1,
        gelling2012.clusters_figure,
        gelling2012.scores_figure,
        gelling2012.relations_figure,
        lambda setting: gelling2012.averages_figure(setting, 2),
        lambda setting: gelling2012.agreement_figure(3, gelling2012.table3(setting)),
        lambda setting: gelling2012.bump_figure(2),
    ],
)
def test_every_figure_is_drawn_without_a_warning(draw):
    figure = draw(SETTING)
    figure.draw_without_rendering()
    assert figure.axes


def test_the_publication_holds_all_tables_and_the_figure_and_says_what_it_is_not(drawing_faults):
    publication = gelling2012.publish("nursery", **QUICK)
    assert not [fault for entry in publication.figures for fault in drawing_faults(entry.figure)]
    names = {table.name for table in publication.tables}
    assert {f"table{number}_long" for number in range(1, 10)} | {
        "figure1_points",
        "claims_stored",
        "agreement",
    } <= names
    assert "figure1" in {figure.name for figure in publication.figures}
    assert "generated" in publication.notes[0] and publication.parameters == {"iterations": 2}


def test_the_stored_run_is_of_200_iterations_on_every_treebank():
    table = gelling2012.stored_full_run()
    assert set(table["testset"]) == set(gelling2012.treebanks()["testset"])
    assert table["command"].str.contains("iterations=200").all() and table["seconds"].notna().all()
    shares = table[table["unit"] == "proportion"]["value"].dropna()
    assert len(shares) and shares.between(0, 1).all() and set(table["measure"][table["unit"] == "bits"]) == {"VI"}


def test_the_rebuilt_entrants_have_a_stored_run_of_many_sweeps():
    table = gelling2012.stored_entrants_run()
    assert set(table["system"]) == {"BC", "C-c", "C-p", "CGS", "G-c", "G-u", "S1", "S2", "Tu"}
    assert set(table["testset"]) == set(gelling2012.treebanks()["testset"])
    commands = {True: "g_iterations=200", False: "bc_sweeps=20, c_sweeps=200, cgs_sweeps=100"}
    for is_g, rows in table.groupby(table["system"].str.startswith("G-")):
        assert rows["command"].str.contains(commands[is_g], regex=False).all()
    assert table.query("system == 'CGS'")["track"].nunique() == 2
    shares = table[table["unit"] == "proportion"]["value"].dropna()
    assert len(shares) and shares.between(0, 1).all() and set(table["measure"][table["unit"] == "bits"]) == {"VI"}


@pytest.mark.real_corpus
def test_the_penn_sample_has_tags_as_in_the_paper_five_conversions_and_all_relations():
    chosen = gelling2012.Setting(
        corpus="treebanks", testsets=("en-ptb",), iterations=2, annealing=2, bc_sweeps=0, c_sweeps=5, cgs_sweeps=3,
        cgs_rounds=1, bh_sentences=0, mz_sweeps=0, g_iterations=0, tsg_sweeps=0,
    )  # fmt: skip
    assert number_of_tags("en-ptb", "coarse") == 31 and number_of_tags("en-ptb", "fine") == 45  # as in Table 1
    five = gelling2012.table5(chosen).pivot(index="system", columns="conversion", values="value")
    assert set(five.columns) == set(printed("gelling2012", "table5_ptb_conversions")["conversion"]) | {"best"}
    assert (five["best"] == five.drop(columns="best").max(axis=1)).all()
    assert set(gelling2012.table6(chosen)["relation"]) == set(gelling2012.printed_table(6)["relation"])
    left = gelling2012.compare(gelling2012.table3(chosen), 3).query("system == 'LB' and testset == 'en-ptb'")
    assert (left["reproducible"] == "at best approximately").all()


@pytest.mark.real_corpus
def test_en_childes_is_the_speech_of_adults_to_eve():
    found = data("en-childes")
    assert set(found.tokens["part"]) == {"Adam_Brown", "Sarah_Brown", "Eve_Brown"}
    assert set(found.tokens["part"][found.tokens["scored"]]) == {"Eve_Brown"}
    assert len(found.test) == 11370 - 4044  # of Eve's 11,370 tokens 4,044 are her own
    assert treebank("en-childes")["adults"] == "yes"


@pytest.mark.real_corpus
def test_relations_of_basque_have_the_names_of_table_6_but_cc():
    chosen = gelling2012.Setting(corpus="treebanks", testsets=("basque-conll2007",), **QUICK | {"bc_sweeps": 0})
    table = gelling2012.table6(chosen)
    counts = table[table["system"] == "LB"].set_index("relation")["denominator"]
    test = data("basque-conll2007").test
    assert set(counts.index[counts > 0]) == {"ROOT", "SBJ", "OBJ", "PRD", "NMOD", "COORD"}
    whole = attachment_scores(
        test, test["head"], punctuation=False
    ).tokens  # heads once marks are taken out; scored words alone
    own = test["relation"].astype("str").to_numpy()
    below = (whole["counts_as"] != "not scored").to_numpy() & (whole["gold_head"].to_numpy() != 0)
    assert counts["PRD"] == (np.isin(own, ["ncpred", "xpred"]) & below).sum()
    assert counts["COORD"] == ((own == "lot") & below).sum()


# Quality of tags and of trees -----------------------------------------------------------------------------------------


def test_every_clustering_and_the_gold_tags_have_a_point_and_gold_tags_are_perfect_tags():
    table = gelling2012.joint_quality(SETTING).set_index("system")
    assert list(table.index) == [*WORD_CLASSES, "Clark03", "GG07", "Random", "gold-c", "gold-p", "gold-u"]
    with pytest.raises(ValueError, match="no other clustering 'K-means'"):
        gelling2012.joint_quality(SETTING, others=["K-means"])
    assert table.loc["gold-p", ["VM", "M-1"]].tolist() == [1.0, 1.0]
    assert table.loc["Random", "VM"] < table.loc[["B-p", "Clark03", "GG07"], "VM"].min()
    assert table["n"].nunique() == 1


def test_the_point_of_a_clustering_is_what_tables_2_and_4_have():
    table = gelling2012.joint_quality(SETTING).set_index("system")
    four = gelling2012.table4(SETTING).set_index(["system", "measure"])["value"]
    seven = gelling2012.table7(SETTING).set_index(["system", "measure"])["value"]
    for letter in "cpu":
        assert table.loc[f"B-{letter}", "VM"] == pytest.approx(seven[f"B-{letter}", "VM"])
        for measure in ("directed", "undirected", "NED"):
            assert table.loc[f"B-{letter}", measure] == pytest.approx(four[f"DMV-{letter}", measure])


def test_the_joint_figure_marks_every_row_in_each_panel():
    table = gelling2012.joint_quality(SETTING)
    figure = gelling2012.joint_figure(table)
    assert [sum(len(line.get_xdata()) for line in ax.lines) for ax in figure.axes] == [len(table)] * 3


def test_a_system_looks_alike_above_and_below_in_the_figure_of_clusters():
    figure = gelling2012.clusters_figure(SETTING)
    above = {(line.get_color(), line.get_marker()) for line in figure.axes[0].lines}
    below = [(line.get_color(), line.get_marker()) for line in figure.axes[4].lines]
    assert len(above) == 6 and len(below) == 2
    legend = {h.get_label(): (h.get_color(), h.get_marker()) for h in figure.legends[0].legend_handles}
    assert below == [legend["B"], legend["MK"]]


def test_the_reading_that_the_paper_states_is_table_6_and_others_differ():
    table = gelling2012.relation_readings("nursery", **QUICK)
    stated = table[table["reading"] == "directed, relation of the word"].set_index(["system", "relation"])
    own = gelling2012.table6("nursery", **QUICK).set_index(["system", "relation"])
    for system in ("LB", "RB"):
        for relation in stated.loc[system].index:
            assert stated.loc[(system, relation), "numerator"] == own.loc[(system, relation), "numerator"]
            assert stated.loc[(system, relation), "denominator"] == own.loc[(system, relation), "denominator"]
    assert table["reading"].nunique() == 7 and table["printed"].isna().all()


@pytest.mark.real_corpus
def test_no_reading_of_table_6_gives_the_printed_rows_of_the_branching_baselines():
    table = gelling2012.relation_readings("treebanks", testsets=("en-ptb",))
    assert table.groupby(["system", "reading"])["largest"].first().min() > 10  # points, at the relation furthest off
    stated = table[table["reading"] == "directed, relation of the word"].set_index(["system", "relation"])
    assert stated.loc[("LB", "OBJ"), "numerator"] == 0 and stated.loc[("LB", "OBJ"), "printed"] == 15.3


def test_a_stored_table_has_the_systems_of_both_long_runs():
    found = gelling2012.stored_table(2)
    assert {"BC", "C-c", "MK-u"} <= set(found["system"]) and set(found["gold"]) == {"universal"}
    run = gelling2012.stored_full_run().query(
        "track == 'word classes' and gold == 'universal' and punctuation == 'scored'"
    )
    rows = [table.query("system == 'MK-u' and measure == 'VM'").set_index("testset")["value"] for table in (found, run)]
    pd.testing.assert_series_equal(*rows)
