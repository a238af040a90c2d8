"""Every control of every explorer: another value than the first changes what is shown."""

import tempfile
from pathlib import Path

import ipywidgets as widgets
import pandas as pd
import pytest

from analysis import explore
from analysis.papers import clark2002, gelling2012, reichart2010

pytestmark = pytest.mark.thorough

FEW = {"sweeps": 3, "gj_clusters": 6, "gj_sweeps": 5, "vb_passes": 2, "infinite_sweeps": 2, "infinite_start": 4}
CLUSTERS = reichart2010.Setting(corpus="nursery", gold="coarse", runs=1, curve=(3, 17, 25), curve_sweeps=2, **FEW)
#: As in tests/papers/test_gelling2012.py, whose fits are found in the cache.
TREES = gelling2012.Setting(
    corpus="nursery",
    iterations=2,
    annealing=2,
    bc_sweeps=1,
    bh_sentences=100,
    mz_sweeps=2,
    tsg_sweeps=2,
    tsg_sentences=100,
    c_sweeps=5,
    cgs_sweeps=3,
    cgs_rounds=1,
    g_iterations=3,
    curve=(3, 12, 30),
)

CALL = pd.DataFrame({"sentence": 0, "form": ["look", "at", "it", "!"], "head": [0, 1, 2, 1]}).assign(
    universal=["VERB", "ADP", "PRON", "PUNCT"]
)

#: Two derivations that differ in a head, in where the full stop hangs, and in a unary node.
DERIVATIONS = (
    ("S[dcl]", ("S[dcl]", ("NP", ("NP/N", "the"), ("N", "cat")), (r"S[dcl]\NP", "sleeps")), (".", ".")),
    ("S[dcl]", ("NP", ("NP", ("N", "the"), (r"NP\N", "cat"))), (r"S[dcl]\NP", (r"S[dcl]\NP", "sleeps"), (".", "."))),
)


def score_upload():
    """Two small clusterings; the files are read before they are deleted."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "gold.txt", Path(folder) / "mine.txt"
        for file, tags in zip(files, ("DNVN", "1221"), strict=True):
            file.write_text("".join(f"w{place}\t{tag}\n" for place, tag in enumerate(tags)), encoding="utf-8")
        return explore.score_upload(*files)


#: How each explorer is made, with little to compute.
MADE = {
    "accuracy_breakdown": lambda: explore.accuracy_breakdown(TREES),
    "arcs_by_hand": lambda: explore.arcs_by_hand(CALL),
    "checkbox_lexicon": explore.checkbox_lexicon,
    "cluster_contents": lambda: explore.cluster_contents("nursery"),
    "clusters_against_measures": lambda: explore.clusters_against_measures(CLUSTERS),
    "clusters_over_sweeps": lambda: explore.clusters_over_sweeps("GJ08", CLUSTERS),
    "conventions_and_ranks": lambda: explore.conventions_and_ranks(TREES),
    "derivations_by_hand": lambda: explore.derivations_by_hand(*DERIVATIONS),
    "dmv_iterations": lambda: explore.dmv_iterations("nursery", "universal", TREES),
    "each_in_r_of_n": explore.each_in_r_of_n,
    "frames": lambda: explore.frames("nursery"),
    "induced_classes": lambda: explore.induced_classes(TREES),
    "inflection_curves": explore.inflection_curves,
    "inflection_errors": explore.inflection_errors,
    "inflection_regressions": explore.inflection_regressions,
    "dmv_variants": lambda: explore.dmv_variants(level="universal", sentences=60, iterations=3),
    "printed_rankings": explore.printed_rankings,
    "restarts_of_hill_climbing": lambda: explore.restarts_of_hill_climbing(CLUSTERS),
    "score_upload": score_upload,
    "specification_choices": lambda: explore.specification_choices(
        clark2002.PAPER, clark2002.robustness(claims=["adjunct_error"], resamples=5), "adjunct_error"
    ),
    "substitution_clusters_by_hand": explore.substitution_clusters_by_hand,
    "token_against_type": lambda: explore.token_against_type("nursery"),
    "training_samples": explore.training_samples,
    "two_derivations": lambda: explore.two_derivations("nursery", sentences=120),
    "utterances": explore.utterances,
    "word_classes": lambda: explore.word_classes("nursery", sentences=1500),
    "wug_test": explore.wug_test,
}
NO_EXPLORER = {"CorpusMenu", "Explorer", "choose_corpus", "corpora_for", "utterance"}

#: A lexicon that the three measures map differently.
LEXICON = frozenset(
    [
        ("dog", "1"),
        ("dog", "4"),
        ("fast", "1"),
        ("fast", "2"),
        ("sing", "1"),
        ("that", "1"),
        ("that", "4"),
        ("the", "2"),
    ]
)

#: Controls that matter only beside another value of others.
BESIDE = {
    ("word_classes", "threshold"): {"model": "FF", "k": 2},
    ("each_in_r_of_n", "n"): {"r": 2},
    ("substitution_clusters_by_hand", "frames_in_training"): {"training": "the/D cat/N sat/V\na/D dog/N ran/V"},
    ("checkbox_lexicon", "measure"): {"predicted": LEXICON},
    ("checkbox_lexicon", "how"): {"predicted": frozenset([("dog", "1"), ("dog", "2")])},
}
ONE_VALUE = {"testset"}  # on the built-in corpus there is one test set


def others(control):
    """Values of a control other than the one that it has, those first that differ most."""
    value = control.value
    if isinstance(control, widgets.SelectMultiple):
        return [value[:1], control.options[-1:]]
    if hasattr(control, "options"):
        values = [option[1] if isinstance(option, tuple) else option for option in control.options]
        return [each for each in reversed(values) if each != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [each for each in (value + 1, control.min, control.max) if each != value and each <= control.max]
    if isinstance(value, str):
        return [value + "x", value.partition("\n")[2]]
    if isinstance(value, frozenset):
        return [frozenset(sorted(value)[1:])]
    if isinstance(value, tuple) and isinstance(value[1], bytes):  # an uploaded file
        return [("other.txt", value[1].replace(b"1", b"2").replace(b"N", b"D"))]
    if isinstance(value, tuple):
        sentence, heads = value  # of a tree edited by hand
        return [(sentence, (0, *heads[1:])), (sentence, (3, *heads[1:]))]
    raise AssertionError(f"{type(control).__name__} has no other values here: add them")


def shown(explorer):
    return explorer.children[-1].outputs


def changes_something(explorer, name, beside):
    first = explorer.settings()
    explorer.set(**beside)
    before = shown(explorer)
    for value in others(explorer.controls[name]):
        explorer.controls[name].value = value
        if shown(explorer) != before:
            break
    changed = shown(explorer) != before
    explorer.set(**first)
    return changed


def test_every_explorer_is_here():
    assert set(explore.__all__) - NO_EXPLORER == set(MADE)


@pytest.mark.slow  # together
@pytest.mark.parametrize("name", MADE)
def test_every_control_changes_what_is_shown(name):
    explorer = MADE[name]()
    assert explorer.error == "" and explorer.controls
    dead = [
        control
        for control in explorer.controls
        if not (control in ONE_VALUE and not others(explorer.controls[control]))
        and not changes_something(explorer, control, BESIDE.get((name, control), {}))
    ]
    assert dead == []
