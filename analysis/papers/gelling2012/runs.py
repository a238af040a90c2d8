"""Fit each system on the text of a test set, and score each fit; both are stored."""

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.categories import contingency, many_to_one, one_to_one, v_measure, variation_of_information
from analysis.categories.models import (
    BayesianHMM,
    BrownClustering,
    ChrupalaClustering,
    ClarkClustering,
    ExchangeClustering,
    InfiniteHMM,
    MultinomialMixture,
    PitmanYorHMM,
    PosteriorRegularisedHMM,
    RandomCategories,
    VariationalHMM,
    class_tree_loop,
)
from analysis.corpora.language import with_penn_tags
from analysis.corpora.penn_trees import read_penn_sample
from analysis.dependencies import (
    AttachmentScores,
    all_standards,
    attachment_scores,
    compare_standards,
    find_punctuation,
    penn_relations,
    rename_relations,
    scores_by_length,
    scores_by_relation,
    scores_by_sentence_length,
)
from analysis.dependencies.models import (
    DMV,
    CCGInduction,
    ReducibilityModel,
    TreeSubstitutionGrammar,
    left_branching,
    random_trees,
    ranked_trees,
    right_branching,
    universal_rule_trees,
)
from analysis.experiments import cache_key, cached
from analysis.papers.gelling2012.regularised import warm_up
from analysis.papers.gelling2012.setting import (
    LEVELS,
    NURSERY,
    Setting,
    capitals,
    data,
    grammar_tags,
    number_of_tags,
    treebank,
)
from analysis.papers.recipe import Run, check_known, evaluate_all, kept
from analysis.structures import Score, results_table
from analysis.structures.scores import SCORE_COLUMNS, scores_table

Parameters = tuple[tuple[str, Any], ...]
Found = tuple[Any, int, dict[str, Any]]  # labels or heads, steps, and the other information in a `Fit`
#: Measures of the word classes as the paper names them; all are proportions except VI, which is in bits.
CLASS_MEASURES = ("M-1", "1-1", "VM", "VI")
TREE_MEASURES = ("directed", "undirected", "NED")
LOWER_IS_BETTER = ("VI",)
#: Clusterings: class, argument that takes K, what is counted as a step, and the attribute with one entry per step.
#: Those after MK were not in the challenge; their names are those of Reichart et al. (2010).
CLUSTERINGS: dict[str, tuple[Any, str, str, str]] = {
    "BC": (PitmanYorHMM, "n_clusters", "sweeps", "seconds_"),
    "CGS": (MultinomialMixture, "n_clusters", "sweeps", "seconds_"),
    "C": (ChrupalaClustering, "n_clusters", "sweeps", "seconds_"),
    "G": (PosteriorRegularisedHMM, "n_clusters", "iterations", "seconds_"),
    "B": (BrownClustering, "n_clusters", "mergers", "merges_"),
    "MK": (ExchangeClustering, "n_clusters", "passes", "trace_"),
    "Clark03": (ClarkClustering, "n_clusters", "", ""),
    "GG07": (BayesianHMM, "n_clusters", "", ""),
    "GJ08 VB": (VariationalHMM, "n_clusters", "", ""),
    "GVG09(1)": (InfiniteHMM, "initial_clusters", "", ""),
}
#: How long those run here; K is the number of fine tags.
OTHERS: dict[str, Parameters] = {
    "Clark03": (), "GG07": (("sweeps", 50),), "GJ08 VB": (("iterations", 20),), "GVG09(1)": (("sweeps", 20),),
}  # fmt: skip
CURVES = ("B", "MK")
#: Trees without training: Søgaard's two systems, and the baselines.
BASELINES: dict[str, Any] = {
    "S1": ranked_trees, "S2": universal_rule_trees, "LB": left_branching, "RB": right_branching, "R": random_trees,
}  # fmt: skip
WORD_CLASSES = ("BC", "CGS", "C-c", "C-p", "G-c", "G-u", *(f"{model}-{level}" for model in CURVES for level in LEVELS))
DMVS = tuple(f"DMV-{level}" for level in LEVELS)
MZS = tuple(f"MZ-{level}" for level in LEVELS)
TREES = ("BC", "BH", *MZS, "Tu", *DMVS, "H", *BASELINES)
TRACKS = {"word classes": WORD_CLASSES, "dependencies": TREES, "joint": ("CGS", *DMVS)}
#: Systems that are run only if the setting gives them steps, and how those are called.
STEPS = {"BC": "sweeps", "CGS": "sweeps", "G": "iterations", "MZ": "sweeps"}
#: Models of the tracks of trees; those of word classes, and of other clusterings, are `CLUSTERINGS`.
MODELS = {"dependencies": ("BC", "BH", "DMV", "H", "MZ", "Tu", *BASELINES), "joint": ("DMV", "CGS")}
#: Test sets whose trees can be re-headed.
CONVERTED = ("en-ptb", NURSERY)
SENTENCES = 2000  # of the built-in language, which is as large as one likes, so many are re-headed


class Fit(NamedTuple):
    """Result of a run.

    Attributes
    ----------
    labels : ndarray of int32
        Clusters of all tokens of the text, or heads of the tokens of the test set (0 = root).
    steps : int
        Mergers, sweeps, passes over the words, or iterations.
    seconds : float
    about : dict
        Of trees: ``trained`` (sentences trained on), ``smoothed`` (sentences in which no tree was possible, so that
        0.1 was added to every factor; of BH those without a derivation, whose tree is right-branching),
        ``log_likelihood`` after the last iteration.
    """

    labels: np.ndarray
    steps: int
    seconds: float
    about: dict[str, Any]


# Which runs there are ------------------------------------------------------------------------------------------------


def make_run(name: str, track: str, level: str, k: int | None, parameters: Parameters = ()) -> Run:
    """A run of a system: its model is the name without the superscript; ``track`` and ``level`` of tags are factors."""
    return Run(name, name.partition("-")[0], k, None, parameters, (("track", track), ("level", level)))


def systems(testset: str, setting: Setting, track: str | None = None) -> list[Run]:
    """Every run on a test set, or those of one track; word classes first, since the joint track needs them.

    Examples
    --------
    >>> [(run.system, run.k) for run in systems("nursery", Setting())][:4]
    [('BC', 46), ('CGS', 46), ('C-c', 12), ('C-p', 46)]
    """
    runs = [_run(name, own, testset, setting) for own in ([track] if track else TRACKS) for name in TRACKS[own]]

    def asked_for(run: Run) -> bool:
        """Whether the setting gives the system something to do, and not more tags than it allows."""
        if run.model == "BH":
            return setting.bh_sentences > 0
        if run.model == "BC" and run.about["track"] == "dependencies":
            return setting.tsg_sweeps > 0
        steps = STEPS.get(run.model)
        few = run.model == "MZ" or (run.k or 0) <= setting.most_tags
        return steps is None or (run.choices[steps] > 0 and few)

    return [run for run in runs if asked_for(run)]


def _run(name: str, track: str, testset: str, setting: Setting) -> Run:
    model, _, letter = name.partition("-")
    own = {"BH": setting.bh_tags, "H": setting.harmonic_tags, "Tu": setting.tu_tags, "BC": "fine", "CGS": "fine"}
    level = LEVELS.get(letter, own.get(name, ""))
    if name == "BC" and track == "dependencies":
        level = grammar_tags(testset, setting.tsg_tags, setting.most_tags)
    k = number_of_tags(testset, level) if level else None
    return make_run(name, track, level, k, _parameters(model, setting, track, testset, k or 0))


def _parameters(model: str, setting: Setting, track: str, testset: str, k: int) -> Parameters:
    """Arguments of a model other than K that the setting can choose."""
    seed, iterations = ("random_state", setting.seed), ("iterations", setting.iterations)
    trees = (("max_length", setting.train_length), ("normalise", setting.normalise))
    prefix: Parameters = () if setting.c_prefix is None else (("n_clusters", None), ("prefix_length", setting.c_prefix))
    own: dict[str, Parameters] = {
        "BC": (("sweeps", setting.bc_sweeps), seed) if track != "dependencies" else
              (("sweeps", setting.tsg_sweeps), ("runs", setting.tsg_runs), ("max_length", setting.train_length),
               ("normalise", setting.normalise), ("sentences", setting.tsg_sentences), seed),
        "BH": (("max_length", setting.train_length), ("training", setting.bh_training),
               ("sentences", setting.bh_sentences)),
        "C": (("sweeps", setting.c_sweeps), seed, ("weighting", setting.c_weighting),
              ("min_count", _leaves(testset, k)), *prefix) if model == "C" else (),
        "CGS": (("sweeps", setting.cgs_sweeps), seed),
        "G": (("iterations", setting.g_iterations), ("warm_up", warm_up(setting.g_iterations)),
              ("strength", setting.g_strength), ("variance", setting.g_variance),
              ("capitals", capitals(testset)), seed),
        "MK": (("max_passes", setting.passes),),
        "MZ": (("sweeps", setting.mz_sweeps), seed),
        "DMV": (iterations, *trees),
        "H": (("iterations", 0), *trees),
        "Tu": (("iterations", setting.annealing + setting.iterations), *trees,
               ("unambiguity", "annealed"), ("annealing", setting.annealing), ("prior", setting.prior)),
        "R": (seed,),
    }  # fmt: skip
    looped = (("rounds", setting.cgs_rounds + 1), iterations, *trees) if model == "CGS" and track == "joint" else ()
    return (*own.get(model, ()), *looped)


def run_named(testset: str, name: str, track: str, setting: Setting) -> Run:
    """One run of a test set.

    Raises
    ------
    ValueError
        If there is no such system in the track, or it is not run on this test set.
    """
    here = {run.system: run for run in systems(testset, setting, track)}
    if name not in here:
        said = (
            f"{name} is not run on {testset} with this setting: it is asked for no sweep, iteration or sentence, or "
            f"there are more than {setting.most_tags} fine tags ({number_of_tags(testset, 'fine')})."
        )
        raise ValueError(said if name in TRACKS[track] else f"{name!r} is not a system of {track}: {', '.join(here)}.")
    return here[name]


def _leaves(testset: str, k: int) -> int:
    """Minimum frequency of a type that is a leaf of C's tree: the default, or less if fewer types than classes would
    remain.

    Examples
    --------
    >>> _leaves("nursery", 12) == ChrupalaClustering(n_clusters=12).min_count
    True
    """
    counts = data(testset).tokens["form"].value_counts().to_numpy()
    usual = int(ChrupalaClustering(n_clusters=k).min_count)
    return next((fewest for fewest in range(usual, 1, -1) if (counts >= fewest).sum() >= k), 1)


# Fits ----------------------------------------------------------------------------------------------------------------


def fit(testset: str, run: Run) -> Fit:
    """Cluster the words of all the text of a test set, or parse its scored sentences; stored.

    Raises
    ------
    ValueError
        If the model is unknown, or does not run in the track.
    """
    track = run.about["track"]
    models = MODELS.get(track, (*CLUSTERINGS, "Random"))
    if run.model not in (*models, "gold"):
        raise ValueError(f"{run.system!r} does not run in the track {track!r}: {', '.join(models)}.")
    # a clustering does not depend on the level that its K comes from
    level = "" if track == "word classes" else run.about["level"]
    which = {"testset": testset, "model": run.model, "k": run.k, "track": track, "level": level}
    key = cache_key(data=data(testset).version, parameters=which | run.choices, function=fit_anew)
    return cached("gelling2012", key, lambda: fit_anew(testset, run), classes=(Fit,))


def fit_anew(testset: str, run: Run) -> Fit:
    """Compute the result of a run; `fit` stores it."""
    started = perf_counter()
    labels, steps, about = _clustered(testset, run) if run.about["track"] not in MODELS else _parsed(testset, run)
    return Fit(np.asarray(labels, dtype=np.int32), steps, perf_counter() - started, about)


def _clustered(testset: str, run: Run) -> Found:
    """Clusters, or gold tags, of all the text."""
    tokens = data(testset).tokens
    if run.about["track"] == "gold":
        return pd.factorize(tokens[run.about["level"]].astype("str"))[0], 0, {}
    if run.model == "Random":
        return RandomCategories(gold="fine", **run.choices).fit(tokens).predict(tokens), 0, {}
    kind, size, _, trace = CLUSTERINGS[run.model]
    k = min(run.k or 1, int(tokens["form"].nunique()))
    model = kind(**{size: k} | run.choices, progress=False).fit(tokens)
    labels = model.labels_ if run.model in OTHERS and hasattr(model, "labels_") else model.predict(tokens)
    return labels, len(getattr(model, trace)) if trace else 0, {}


def _parsed(testset: str, run: Run) -> Found:
    """Heads of the scored sentences."""
    text, scored = data(testset).tokens, data(testset).tokens["scored"].to_numpy()
    if run.model in BASELINES:
        return BASELINES[run.model](data(testset).test, **run.choices), 0, {"trained": 0, "smoothed": 0}
    if run.model == "BH":
        return _induced(run, text, scored)
    if run.model == "MZ":
        model = ReducibilityModel(tags=run.about["level"], **run.choices).fit(text)
        about = {"trained": model.n_sentences_, "smoothed": 0}
        return model.heads_[scored].astype(np.int32), len(model.log_probabilities_), about
    if run.model == "BC":
        return _substituted(run, text, scored)
    if run.model != "CGS":
        return _trained(*prepared_model(testset, run), scored)
    found, trees = list[Found](), {name: run.choices[name] for name in ("iterations", "max_length", "normalise")}

    def induce_trees(tagged: pd.DataFrame) -> tuple[np.ndarray, dict[str, Any]]:
        found.append(_trained(*on_clusters(text, tagged["cluster"], **trees), np.full(len(text), True)))
        return found[-1][0], found[-1][2]

    mixture = MultinomialMixture(run.k or 1, run.choices["sweeps"], progress=False,
                                 random_state=run.choices["random_state"])  # fmt: skip
    words = ~find_punctuation(text, "form").mask
    class_tree_loop(text, mixture, induce_trees, rounds=run.choices["rounds"], words=words)
    return found[-1][0][scored], *found[-1][1:]


def _trained(model: DMV, text: pd.DataFrame, scored: np.ndarray) -> Found:
    """Train on a text and parse the sentences that are scored."""
    parses = model.fit(text).parse(text[scored].reset_index(drop=True))
    about = {"trained": int(model.n_sentences_), "smoothed": int(parses.sentences["smoothed"].sum())}
    last = {"log_likelihood": float(value) for value in model.log_likelihoods_[-1:]}  # noqa: B035
    return parses.heads.astype(np.int32), int(model.n_iter_), about | last


def _induced(run: Run, text: pd.DataFrame, scored: np.ndarray) -> Found:
    """Train BH on the first sentences that are short enough, and parse the sentences that are scored."""
    parameters, short = _first_short(run, text)
    model = CCGInduction(tags=run.about["level"], **parameters).fit(short)
    parses = model.parse(text[scored].reset_index(drop=True), derivations=False)
    about = {"trained": model.n_sentences_, "smoothed": int((~parses.sentences["parsed"]).sum())}
    return parses.heads.astype(np.int32), model.n_iter_, about | {"log_likelihood": float(model.log_likelihoods_[-1])}


def _substituted(run: Run, text: pd.DataFrame, scored: np.ndarray) -> Found:
    """Train BC on the first sentences that are short enough, and parse the sentences that are scored."""
    parameters, short = _first_short(run, text)
    model = TreeSubstitutionGrammar(tags=run.about["level"], progress=False, **parameters).fit(short)
    parses = model.parse(text[scored].reset_index(drop=True))
    return parses.heads.astype(np.int32), model.sweeps_done_, {"trained": model.n_sentences_, "smoothed": 0}


def _first_short(run: Run, text: pd.DataFrame) -> tuple[dict[str, Any], pd.DataFrame]:
    """Arguments of the model of a run, and its training sentences: the first ones that are short enough."""
    parameters = dict(run.choices)
    most = parameters.pop("sentences")
    words = text["sentence"][~find_punctuation(text).mask].value_counts()
    short = np.sort(words.index[words <= parameters["max_length"]])[:most]
    return parameters, text[text["sentence"].isin(short)]


def on_clusters(text: pd.DataFrame, clusters: Any, **parameters: Any) -> tuple[DMV, pd.DataFrame]:
    """DMV to be trained on clusters, and the text with them; only words are known, so punctuation is found by its
    characters.
    """
    tagged = text.assign(cluster=pd.Categorical(clusters))
    return DMV(tags="cluster", punctuation_rule="form", **parameters), tagged


def prepared_model(testset: str, run: Run, **choices: Any) -> tuple[DMV, pd.DataFrame]:
    """The model of a run, not fitted, and the text it is trained on: in the joint track with clusters as tags."""
    text, parameters = data(testset).tokens, {**run.choices, **choices}
    if run.about["track"] != "joint":
        return DMV(tags=run.about["level"], **parameters), text
    return on_clusters(text, fit(testset, make_run("B", "word classes", "", run.k)).labels, **parameters)


def heads(testset: str, setting: Setting, track: str = "dependencies") -> dict[str, np.ndarray]:
    """Predicted heads of the test set by system.

    Parameters
    ----------
    testset : str
        Name of a test set.
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.
    track : str

    Returns
    -------
    dict of str to ndarray
    """
    return {run.system: fit(testset, run).labels for run in systems(testset, setting, track)}


# Scores --------------------------------------------------------------------------------------------------------------


@kept
def evaluations(setting: Setting, n_jobs: int = -1) -> dict[str, pd.DataFrame]:
    """Fit and score every run on every test set; each is stored, so it is computed once.

    Returns
    -------
    dict of str to DataFrame
        ``scores``, ``relations``, ``lengths``, ``sentence_lengths``, ``standards`` (where trees can be re-headed) and
        ``runs``: long tables over all runs.
    """
    runs = [(testset, run) for testset in setting.testsets for run in systems(testset, setting)]
    return _evaluated(runs, setting, n_jobs)


@kept
def curve_evaluations(setting: Setting, n_jobs: int = -1) -> pd.DataFrame:
    """Scores of B and MK at each number of clusters of the curves, on one test set."""
    testset, track = setting.curve_testset, "word classes"
    runs = [(testset, make_run(f"{model}-{k}", track, "", k, _parameters(model, setting, track, testset, k)))
            for model in CURVES for k in sorted(set(setting.curve))]  # fmt: skip
    return _evaluated(runs, setting, n_jobs)["scores"]


def _evaluated(runs: Sequence[tuple[str, Run]], setting: Setting, n_jobs: int) -> dict[str, pd.DataFrame]:
    """The tables of runs; the joint track comes last, since it needs clusters."""
    common = {"short": setting.short, "assignment": setting.assignment}
    cells = [{"testset": name, "version": data(name).version, "run": asdict(run)} | common for name, run in runs]
    order = {"word classes": 2e6, "dependencies": 1e6, "joint": 0}
    return evaluate_all(evaluate, cells, data="each cell names its own", n_jobs=n_jobs,
                        first=lambda cell: order[cell["run"]["factors"][0][1]] + (cell["run"]["k"] or 0))  # fmt: skip


def evaluate(testset: str, run: dict[str, Any], version: str, short: int, assignment: str) -> dict[str, pd.DataFrame]:
    """One run's tables.

    Returns
    -------
    dict
        ``scores`` for every track; of trees also ``relations`` and ``lengths`` (directed, undirected, NED),
        ``sentence_lengths``, and, on the Penn sample and the built-in language, ``standards``; ``runs`` with
        details of the run.
    """
    one, row = Run.restored(run), treebank(testset)
    track, found, corpus = one.about["track"], fit(testset, one), row["corpus"]
    named = {"testset": testset, "track": track, "system": one.system, "corpus": corpus, "data_version": version}
    if track == "word classes":
        tables, step = _score_classes(testset, found.labels, assignment), CLUSTERINGS[one.model][2]
    else:
        step = "sweeps" if one.model == "BC" else "iterations"
        tables = _score_trees(testset, found.labels, short)
    said = [one.stated, f"trained on {row['train'].replace(';', ' + ')}, scored on {row['test']} of {corpus}"]
    common = named | {"k": one.k, "seed": str(one.choices.get("random_state", ""))}
    rows = [common | score | {"convention": "; ".join(filter(None, [*said, score["convention"]]))}
            for score in tables.pop("scores").to_dict("records")]  # fmt: skip
    did = {"level": one.about["level"], "k": one.k or 0, "steps": found.steps, "unit": step, "seconds": found.seconds}
    parts = {name: table.assign(unit="proportion", **named) for name, table in tables.items()}
    return {"scores": results_table(rows), **parts, "runs": pd.DataFrame([named | did | found.about])}


def class_scores(table: Any, assignment: str) -> list[Score]:
    """The challenge's four measures of one contingency table, in the order of `CLASS_MEASURES`."""
    one = one_to_one(table, assignment=assignment)
    found = (many_to_one(table), one, v_measure(table, base=math.e), variation_of_information(table, base=2))
    return [replace(score, measure=name) for name, score in zip(CLASS_MEASURES, found, strict=True)]


def _score_classes(testset: str, labels: np.ndarray, assignment: str) -> dict[str, pd.DataFrame]:
    """The measures against universal and fine tags, with punctuation and without."""
    test, marks, frames = data(testset).test, find_punctuation(data(testset).test), []
    test = test.assign(predicted=labels[data(testset).tokens["scored"].to_numpy()])
    counted = {"scored": test, "left out": test[~marks.mask]}
    for (punctuation, rows), gold in product(counted.items(), ("universal", "fine")):
        if len(rows):
            table = contingency(rows[gold].astype("str"), rows["predicted"].to_numpy())
            said = {"gold": f"{gold} tags; punctuation {punctuation} ({marks.rule})"}
            scores = [replace(one, conventions={**one.conventions, **said}) for one in class_scores(table, assignment)]
            sizes = dict(zip(("classes", "clusters"), table.counts.shape, strict=True))
            factors = {"gold": gold, "punctuation": punctuation, "length": "all", "n": table.n}
            frames.append(scores_table(scores)[SCORE_COLUMNS].assign(**factors, **sizes))
    return {"scores": pd.concat(frames)}


def _score_trees(testset: str, heads: np.ndarray, short: int) -> dict[str, pd.DataFrame]:
    """Scores of all and of short sentences, by relation, by length, and against other gold standards."""
    whole, brief = (attachment_scores(data(testset).test, heads, max_length=most, punctuation=False)
                    for most in (None, short))  # fmt: skip
    scores = pd.concat([whole.to_frame().assign(length="all"), brief.to_frame().assign(length="short")])
    counted = scores[SCORE_COLUMNS].assign(n=scores["denominator"], gold="heads", punctuation="left out")
    tables = {
        "scores": counted.assign(length=scores["length"]),
        "relations": scores_by_relation(whole, relations(testset)),
        "lengths": scores_by_length(whole),
        "sentence_lengths": scores_by_sentence_length(whole, [5, 10, 20, 40]),
    }
    if testset in CONVERTED:
        golds = gold_standards(testset)
        against = compare_standards(golds, {"": heads[: len(golds["standard"])]}, punctuation=False)
        tables["standards"] = against.drop(columns="system").rename(columns={"standard": "conversion"})
    return tables


@kept(copied=False)
def attached(testset: str, name: str, track: str, setting: Setting) -> AttachmentScores:
    """The scores of one run on one test set, with the counts of every token and sentence."""
    heads = fit(testset, run_named(testset, name, track, setting)).labels
    return attachment_scores(data(testset).test, heads, punctuation=False)


def gold_standards(testset: str) -> dict[str, pd.DataFrame]:
    """The test set's trees under each conversion, `analysis.dependencies.reheading.STANDARDS`; stored.

    Of the built-in language the first `SENTENCES` sentences.

    Parameters
    ----------
    testset : str
        One of `CONVERTED`.

    Returns
    -------
    dict of str to DataFrame
        Tokens tables that differ in ``head``; the first tokens of the test set, all of en-ptb.

    Raises
    ------
    ValueError
        If the rules do not apply to the tags of the test set.
    """
    check_known([testset], CONVERTED, "no trees can be re-headed of")
    test = tagged = data(testset).test
    if testset == NURSERY:
        test = test[test["sentence"].isin(test["sentence"].unique()[:SENTENCES])]
        tagged = with_penn_tags(test)
    key = cache_key(data=data(testset).version, parameters={"testset": testset}, function=_heads)
    found = cached("gelling2012_standards", key, lambda: _heads(tagged))
    return {name: test.assign(head=again) for name, again in found.items()}


def _heads(tagged: pd.DataFrame) -> dict[str, np.ndarray]:
    return {name: table["head"].to_numpy(dtype=np.int32) for name, table in all_standards(tagged).items()}


def relations(testset: str) -> pd.Series:
    """Gold relations of the test set, as `analysis.dependencies.scores_by_relation` takes them.

    Those of the Penn sample are derived from the function tags of its bracketed trees; those of 3LB and of the
    built-in language are mapped.
    """
    test = data(testset).test
    if testset == "en-ptb":
        trees = read_penn_sample()
        return penn_relations(test, trees.constituents, trees.tokens)
    scheme = {"basque-conll2007": "basque-3lb", NURSERY: "nursery"}.get(testset)
    return rename_relations(test, scheme) if scheme else test["relation"]


def evaluate_quality(testset: str, run: dict[str, Any], trees: dict[str, Any], seed: int) -> dict[str, pd.DataFrame]:
    """One clustering, or gold tags, and DMV trained on it: ``quality``, one row; see `joint_quality`."""
    one, text, scored = Run.restored(run), data(testset).tokens, data(testset).tokens["scored"].to_numpy()
    labels = fit(testset, one).labels
    heads = _trained(*on_clusters(text, labels, **trees), scored)[0]
    attached = attachment_scores(data(testset).test, heads, punctuation=False)
    tags = class_scores(contingency(text["fine"][scored].astype("str"), labels[scored]), "greedy")
    row = {
        "testset": testset, "system": one.system, "model": one.model, "k": one.k, "clusters": len(np.unique(labels)),
        **{score.measure: score.value for score in tags if score.measure in ("M-1", "VM")},
        **{score.measure: score.value for score in attached.scores()},
        "unit": "proportion", "n": attached.directed.denominator, "seed": str(seed),
        "data_version": data(testset).version,
        "convention": "DMV on the labels of all words but punctuation marks; "
        + ", ".join(f"{name}={value}" for name, value in {**one.choices, **trees}.items()),
    }  # fmt: skip
    return {"quality": pd.DataFrame([row])}
