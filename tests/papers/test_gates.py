"""The gates that every paper's verdicts pass: completeness, perturbation, stale causes, evidence."""

import contextlib
import inspect
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from analysis.papers import recipe
from analysis.papers.recipe import Loader
from analysis.structures.derivation import Derivations

#: A setting that answers in seconds, by paper; the generated corpus or the offline lists.
QUICK = {
    "clark2002": {"test_sentences": 100, "resamples": 5},
    "gelling2012": {"iterations": 2, "annealing": 2, "bc_sweeps": 1, "bh_sentences": 100, "c_sweeps": 5,
                    "mz_sweeps": 2, "cgs_sweeps": 3, "cgs_rounds": 1, "g_iterations": 3, "tsg_sweeps": 2,
                    "tsg_sentences": 100, "curve": (3, 12, 30)},
    "frank2009": {"sweeps": 4, "random_seeds": 2, "sentences": 1500, "threshold": 0.0004},
    "reichart2010": {
        "gold": "coarse", "runs": 2, "curve": (3, 17, 25), "sweeps": 4, "curve_sweeps": 2, "gj_clusters": 6,
        "gj_sweeps": 3, "vb_passes": 2, "infinite_sweeps": 2, "infinite_start": 4,
    },
    "kodner2023": {"seeds": 2, "samplings": 3},
}  # fmt: skip
#: Of papers whose setting takes no number of sentences: so many, the first of the corpus, stand for it.
SENTENCES = {"gelling2012": 1500}


class Disturbance(NamedTuple):
    """Another corpus in the place of the paper's: labels and heads permuted, or half of the sentences."""

    name: str

    def __call__(self, table):
        if isinstance(table, Derivations):  # the first half of the sentences, or the second
            half = len(table) // 2
            return table.select(range(half) if self.name == "halved" else range(half, len(table)))
        if not isinstance(table, pd.DataFrame):
            return f"{table} {self.name}" if isinstance(table, str) else table
        if self.name == "halved":
            unit = next(column for column in ("sentence", "lemma") if column in table.columns)
            units = pd.unique(table[unit])
            return table[table[unit].isin(units[: len(units) // 2])].reset_index(drop=True)
        rows = np.random.default_rng(0).permutation(len(table))
        labels = [name for name in ("coarse", "fine", "universal", "relation") if name in table.columns]
        labels += ["form"] if "lemma" in table.columns and "sentence" not in table.columns else []
        return table.assign(**{name: table[name].array[rows] for name in labels})


def loader_of(module) -> Loader:
    return module.data


def disturbed(data, kind):
    if isinstance(data, dict):
        return {name: disturbed(part, kind) for name, part in data.items()}
    if isinstance(data, tuple):
        return type(data)(*(disturbed(part, kind) for part in data))
    return Disturbance(kind)(data)


@pytest.fixture(scope="module", params=sorted(QUICK))
def paper(request):
    module = recipe.paper_module(request.param)
    with contextlib.ExitStack() as small:
        if request.param in SENTENCES:
            data = module.data("nursery")
            tokens = data.tokens[data.tokens["sentence"] < SENTENCES[request.param]]
            small.enter_context(
                module.data.substituted(nursery=data._replace(tokens=tokens, version="first sentences"))
            )
        yield module


def setting_of(module):
    return module.PAPER.setting.choose(**QUICK[module.PAPER.name])


@pytest.fixture(scope="module")
def verdicts(paper):
    return paper.PAPER.judged(setting_of(paper))


def test_every_printed_value_is_recomputed_or_says_why_not(paper, verdicts, record_property):
    values = recipe.completeness(paper.PAPER, setting_of(paper))
    assert not values.duplicated(["file", "number"]).any()
    silent = values[(values["status"] == "not recomputed") & (values["why"] == "")]
    assert silent.empty, silent.head().to_string()
    counts = values.groupby(["file", "status"]).size()
    record_property("completeness", counts.to_string())
    print(counts.to_string())


def test_every_verdict_turns_with_its_expectation(verdicts):
    """Same turns to different outside the criterion, reversed or negated; different to same by what was found."""
    tested = [
        one for one in verdicts if one.claim.kind in ("recomputed", "arithmetic") and one.verdict != "not testable"
    ]
    assert tested
    unmoved = [one.claim.id for one in tested if recipe.perturbed(one)[0] != recipe.perturbed(one)[1]]
    assert not unmoved


def test_no_cause_is_kept_of_a_difference_that_is_gone(paper, verdicts):
    setting = setting_of(paper)
    different = {one.claim.id for one in verdicts if one.verdict == "different"}
    causes = paper.PAPER.causes()
    constant = [one.claim.id for one in verdicts if one.claim.kind == "arithmetic"]  # the same on any corpus
    here = (causes["corpus"] == setting.corpus) | ((causes["corpus"] == "any") & causes["id"].isin(constant))
    stale = set(causes.loc[here, "id"]) - different
    assert not stale
    assert set(causes["id"]) <= {one.claim.id for one in verdicts}


@pytest.mark.parametrize("name", sorted(QUICK))
def test_the_stored_verdicts_are_of_todays_claims_and_no_cause_of_them_is_stale(name):
    """On the recorded corpora nobody recomputes in the tests: what is stored there must fit the lists."""
    declared = recipe.paper_module(name).PAPER
    stored, causes = declared.stored_claims(), declared.causes()
    assert stored["id"].tolist() == [claim.id for claim in declared.claims()]
    (corpus,) = stored["corpus"].unique()
    different = stored[stored["verdict"] == "different"].set_index("id")["why"]
    here = causes[causes["corpus"].isin([corpus, "any"])].set_index("id")
    assert set(here.index[here["corpus"] == corpus]) <= set(different.index)
    expected = {row.Index: f"{row.cause} (shown in {row.shown_in})" for row in here.itertuples()}
    assert different.to_dict() == {one: expected.get(one, "unexplained") for one in different.index}


def test_a_recomputed_claim_has_read_data_and_other_data_change_it(paper, verdicts):
    """A claim that reads nothing, or whose value no data can change, is not a recomputation."""
    setting, module = setting_of(paper), paper
    tested = {one.claim.id: one for one in verdicts if one.claim.kind == "recomputed" and one.found is not None}
    unread = [name for name, one in tested.items() if not one.read]
    assert not unread
    load = loader_of(module)
    found = {name: [one.found] for name, one in tested.items()}
    for kind in ("permuted", "halved"):
        with load.substituted(**{setting.corpus: disturbed(load(setting.corpus), kind)}):
            for one in module.PAPER.judged(setting):
                if one.claim.id in found:
                    found[one.claim.id].append(one.found)
    constant = [name for name, values in found.items() if all(str(value) == str(values[0]) for value in values)]
    assert not constant


def test_the_vocabulary_of_verdicts_is_one(paper, verdicts):
    table = paper.claims(setting_of(paper))
    assert set(table["kind"]) <= {"set", "arithmetic", "recomputed", "not testable"}
    assert set(table["verdict"]) <= {"set", "set otherwise", "same", "different", "not testable"}
    assert (table.loc[table["verdict"].isin(["different", "not testable", "set otherwise"]), "why"] != "").all()
    assert (table.loc[table["kind"] == "set", "recomputed"] == "–").all()


#: Arguments that a function of a paper needs besides the setting.
NEEDED = {
    "kodner2023.curves": {"language": "English"},
    "kodner2023.errors": {"language": "English"},
}
#: Functions whose first call takes long with any setting, so that they are left out of the walk.
LONG = {
    "gelling2012.bc_runs", "gelling2012.bh_runs", "gelling2012.conventions", "gelling2012.convergence_runs",
    "gelling2012.joint_quality", "gelling2012.mz_runs", "gelling2012.regularised_runs", "reichart2010.priors",
}  # fmt: skip


def tables_of(module):
    """The public functions of a paper that take a setting and return a table, with the arguments they need."""
    for name in module.__all__:
        function = getattr(module, name)
        if (
            not callable(function)
            or not hasattr(function, "setting")
            or inspect.signature(function).return_annotation is not pd.DataFrame
        ):
            continue
        place = f"{module.PAPER.name}.{name}"
        parameters = list(inspect.signature(function).parameters.values())[1:]
        asked = {entry.name for entry in parameters if entry.default is entry.empty and entry.kind != entry.VAR_KEYWORD}
        if place not in LONG:
            assert asked <= set(NEEDED.get(place, {})), f"{place} needs {asked}: say what in NEEDED"
            yield place, function, NEEDED.get(place, {})


def test_whatever_a_paper_hands_out_may_be_changed(paper):
    setting, spoiled = setting_of(paper), 0
    for place, function, arguments in tables_of(paper):
        first = function(setting, **arguments)
        expected = first.copy()
        for column in list(first.columns):
            first[column] = "spoiled"
        pd.testing.assert_frame_equal(function(setting, **arguments), expected, obj=place)
        spoiled += 1
    assert spoiled > 1


def test_the_data_of_a_paper_may_be_changed(paper):
    corpus = setting_of(paper).corpus
    load = (
        (lambda: paper.pool(corpus, "English")) if hasattr(paper, "pool") else (lambda: first_table(paper.data(corpus)))
    )
    table = load()
    expected = table.copy()
    for column in list(table.columns):
        table[column] = "spoiled"
    pd.testing.assert_frame_equal(load(), expected)


def first_table(data):
    """The first table in what a paper's data hold."""
    parts = data if isinstance(data, tuple) else (data,)
    return next(part if isinstance(part, pd.DataFrame) else part.nodes for part in parts)
