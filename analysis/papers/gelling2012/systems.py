"""Fit each system on the text of a test set; every fit is kept with what it did and how long it took."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.categories.models import (
    BrownClustering,
    ChrupalaClustering,
    ExchangeClustering,
    MultinomialMixture,
    PitmanYorHMM,
    class_tree_loop,
)
from analysis.dependencies import find_punctuation, rename_relations
from analysis.dependencies.models import (
    DMV,
    left_branching,
    random_trees,
    ranked_trees,
    right_branching,
    universal_rule_trees,
)
from analysis.experiments import cache_key, cached
from analysis.papers.gelling2012.setting import LEVELS, NURSERY, Setting, data, number_of_tags

CLUSTERINGS: dict[str, Any] = {
    "BC": PitmanYorHMM, "CGS": MultinomialMixture, "C": ChrupalaClustering, "B": BrownClustering,
    "MK": ExchangeClustering,
}  # fmt: skip
STEPS = {"BC": "sweeps", "CGS": "sweeps", "C": "sweeps", "B": "mergers", "MK": "passes"}
CURVES = ("B", "MK")
#: Trees without training: Søgaard's two systems, and the baselines.
BASELINES: dict[str, Any] = {
    "S1": ranked_trees, "S2": universal_rule_trees, "LB": left_branching, "RB": right_branching, "R": random_trees,
}  # fmt: skip
WORD_CLASSES = ("BC", "CGS", "C-c", "C-p", *(f"{model}-{level}" for model in CURVES for level in LEVELS))
DMVS = tuple(f"DMV-{level}" for level in LEVELS)
TREES = ("Tu", *DMVS, "H", *BASELINES)
JOINT = ("CGS", *DMVS)
TRACKS = {"word classes": WORD_CLASSES, "dependencies": TREES, "joint": JOINT}


@dataclass(frozen=True)
class System:
    """One run on one test set.

    Parameters
    ----------
    name : str
        As in the paper's tables: ``"DMV-p"``.
    track : {"word classes", "dependencies", "joint"}
        Names are not unique across tracks.
    level : str
        Granularity of tags, or what the number of clusters is taken from; empty for baselines.
    k : int
        Number of tags, or of clusters; 0 for baselines.
    parameters : tuple of pairs
    """

    name: str
    track: str
    level: str
    k: int
    parameters: tuple[tuple[str, object], ...] = ()

    @property
    def model(self) -> str:
        """The name without the superscript."""
        return self.name.partition("-")[0]


class Classes(NamedTuple):
    """Clusters of all tokens of a text.

    Attributes
    ----------
    labels : ndarray of int32, shape (n_tokens,)
    steps : int
        Mergers, sweeps, or passes over the words.
    seconds : float
    """

    labels: np.ndarray
    steps: int
    seconds: float


class Trees(NamedTuple):
    """Heads of the tokens of a test set.

    Attributes
    ----------
    heads : ndarray of int32, shape (n_tokens,)
        Position of the head in its sentence, 0 = root.
    iterations : int
    log_likelihoods : ndarray of float64, shape (iterations,)
    trained : int
        Sentences trained on.
    smoothed : int
        Sentences in which no tree was possible, so that 0.1 was added to every factor.
    seconds : float
    """

    heads: np.ndarray
    iterations: int
    log_likelihoods: np.ndarray
    trained: int
    smoothed: int
    seconds: float


def systems(testset: str, setting: Setting) -> list[System]:
    """Every run on a test set, word classes first: the joint track rests on them.

    Examples
    --------
    >>> [(run.name, run.k) for run in systems("nursery", Setting())][:4]
    [('BC', 46), ('CGS', 46), ('C-c', 12), ('C-p', 46)]
    """
    runs = []
    for track, names in TRACKS.items():
        for name in names:
            model, _, letter = name.partition("-")
            own = {"H": setting.harmonic_tags, "Tu": setting.tu_tags, "BC": "fine", "CGS": "fine"}
            level = LEVELS.get(letter, own.get(name, ""))
            k = number_of_tags(testset, level) if level else 0
            sweeps = {"BC": setting.bc_sweeps, "CGS": setting.cgs_sweeps}.get(name)
            if sweeps is not None and (sweeps == 0 or k > setting.most_tags):
                continue
            parameters = _parameters(model, setting, track)
            if model == "C":
                parameters = (*parameters, ("min_count", _leaves(testset, k)))
            runs.append(System(name, track, level, k, parameters))
    return runs


def run_named(testset: str, name: str, track: str, setting: Setting) -> System:
    """One run of a test set.

    Raises
    ------
    ValueError
        If there is no such system in the track, or it is not run on this test set.
    """
    here = {run.name: run for run in systems(testset, setting) if run.track == track}
    if name in here:
        return here[name]
    if name in TRACKS.get(track, ()):
        raise ValueError(
            f"{name} is not run on {testset} with this setting: it is asked for no sweep, or there are more than "
            f"{setting.most_tags} fine tags ({number_of_tags(testset, 'fine')})."
        )
    raise ValueError(f"{name!r} is no system of {track}: {', '.join(here)}.")


def _leaves(testset: str, k: int) -> int:
    """Tokens from which a type is a leaf of C's tree: its default, or less where that leaves fewer types than classes.

    Examples
    --------
    >>> _leaves("nursery", 12) == ChrupalaClustering(n_clusters=12).min_count
    True
    """
    counts = data(testset).tokens["form"].value_counts().to_numpy()
    fewest = ChrupalaClustering(n_clusters=k).min_count
    while fewest > 1 and (counts >= fewest).sum() < k:
        fewest -= 1
    return int(fewest)


def curve_systems(setting: Setting) -> list[System]:
    """Runs of B and MK with each number of clusters of the curves."""
    return [
        System(f"{model}-{k}", "word classes", "", k, _parameters(model, setting, "word classes"))
        for model in CURVES
        for k in sorted(set(setting.curve))
    ]


def _parameters(model: str, setting: Setting, track: str) -> tuple[tuple[str, object], ...]:
    if model == "MK":
        return (("max_passes", setting.passes),)
    if model in ("BC", "C", "CGS"):
        sweeps = {"BC": setting.bc_sweeps, "C": setting.c_sweeps, "CGS": setting.cgs_sweeps}[model]
        sampled = (("sweeps", sweeps), ("random_state", setting.seed))
        if track != "joint":
            return sampled
        trees = (("iterations", setting.iterations), ("max_length", setting.train_length))
        return (*sampled, ("rounds", setting.cgs_rounds + 1), *trees, ("normalise", setting.normalise))
    if model in ("DMV", "H", "Tu"):
        iterations = {"DMV": setting.iterations, "H": 0, "Tu": setting.annealing + setting.iterations}[model]
        chosen = (
            ("iterations", iterations), ("max_length", setting.train_length), ("normalise", setting.normalise),
        )  # fmt: skip
        kin = (("unambiguity", "annealed"), ("annealing", setting.annealing), ("prior", setting.prior))
        return (*chosen, *kin) if model == "Tu" else chosen
    return (("random_state", setting.seed),) if model == "R" else ()


def fit_classes(testset: str, model: str, k: int, parameters: tuple[tuple[str, object], ...] = ()) -> Classes:
    """Cluster the words of all the text of a test set, punctuation included; cached.

    Raises
    ------
    ValueError
        If the model is unknown.
    """
    if model not in CLUSTERINGS:
        raise ValueError(f"{model!r} does not run here: {', '.join(CLUSTERINGS)}.")
    chosen = {"model": model, "testset": testset, "k": k, **dict(parameters)}
    key = cache_key(data=data(testset).version, parameters=chosen, function=(CLUSTERINGS[model], cluster_words))
    settings = {"n_clusters": k, **dict(parameters)}
    return cached(
        "gelling2012_classes",
        key,
        lambda: cluster_words(data(testset).tokens, CLUSTERINGS[model], STEPS[model], settings),
        classes=(Classes,),
    )


def cluster_words(tokens: pd.DataFrame, kind: Any, steps: str, settings: dict[str, Any]) -> Classes:
    """Clusters of all tokens by a clustering of the class ``kind``; `fit_classes` keeps them."""
    started = perf_counter()
    k_here = min(settings["n_clusters"], int(tokens["form"].nunique()))
    fitted = kind(**settings | {"n_clusters": k_here, "progress": False}).fit(tokens)
    seconds = perf_counter() - started
    done = getattr(fitted, {"sweeps": "seconds_", "mergers": "merges_", "passes": "trace_"}[steps])
    return Classes(fitted.predict(tokens).to_numpy(dtype=np.int32), len(done), seconds)


def fit_trees(testset: str, system: System) -> Trees:
    """Trees of the test set; cached.

    Raises
    ------
    ValueError
        If the system is of the track of word classes, or unknown.
    """
    if system.track == "word classes" or system.name not in TRACKS[system.track]:
        raise ValueError(f"{system.name!r} does not run in the track {system.track!r}.")
    about = {"name": system.name, "track": system.track, "level": system.level, "k": system.k, "testset": testset}
    key = cache_key(data=data(testset).version, parameters=about | dict(system.parameters), function=train_and_parse)
    return cached("gelling2012_trees", key, lambda: train_and_parse(testset, system), classes=(Trees,))


def train_and_parse(testset: str, system: System) -> Trees:
    """Trees of the test set, worked out anew; `fit_trees` keeps them."""
    test = data(testset).test
    if system.model in BASELINES:
        started = perf_counter()
        heads = BASELINES[system.model](test, **dict(system.parameters))
        return Trees(heads.to_numpy(dtype=np.int32), 0, np.empty(0), 0, 0, perf_counter() - started)
    if system.model == "CGS":
        return _looped(testset, system)
    model, text = prepared_model(testset, system)
    return fit_and_parse(model, text, text[data(testset).tokens["scored"].to_numpy()].reset_index(drop=True))


def _looped(testset: str, system: System) -> Trees:
    """Trees of the last round of CGS's loop of classes and trees; DMV is trained on the classes."""
    text, scored = data(testset).tokens, data(testset).tokens["scored"].to_numpy()
    chosen: dict[str, Any] = dict(system.parameters)
    trees = {name: chosen[name] for name in ("iterations", "max_length", "normalise")}
    parser = DMV(tags="cluster", punctuation_rule="form", **trees)
    last = Trees(np.empty(0), 0, np.empty(0), 0, 0, 0.0)

    def induce_trees(tagged: pd.DataFrame) -> tuple[np.ndarray, dict[str, Any]]:
        nonlocal last
        last = fit_and_parse(parser, tagged, tagged)
        return last.heads, {"trained": last.trained, "smoothed": last.smoothed}

    started = perf_counter()
    mixture = MultinomialMixture(system.k, chosen["sweeps"], progress=False, random_state=chosen["random_state"])
    words = ~find_punctuation(text, "form").mask
    class_tree_loop(text, mixture, induce_trees, rounds=chosen["rounds"], words=words)
    return last._replace(heads=last.heads[scored], seconds=perf_counter() - started)


def fit_and_parse(model: DMV, text: pd.DataFrame, parsed: pd.DataFrame) -> Trees:
    """Train on one text and parse another."""
    started = perf_counter()
    parses = model.fit(text).parse(parsed)
    smoothed = int(parses.sentences["smoothed"].sum())
    heads, seconds = parses.heads.astype(np.int32), perf_counter() - started
    return Trees(heads, int(model.n_iter_), model.log_likelihoods_, int(model.n_sentences_), smoothed, seconds)


def prepared_model(testset: str, system: System, **choices: object) -> tuple[DMV, pd.DataFrame]:
    """The model of a run, not fitted, and the text it is trained on.

    In the joint track the tags are clusters, and punctuation is what consists of punctuation marks, since nothing but
    words is known; elsewhere gold tags decide.
    """
    text = data(testset).tokens
    parameters: dict[str, Any] = dict(system.parameters) | choices
    if system.track == "joint":
        labels = fit_classes(testset, "B", system.k).labels
        text = text.assign(cluster=pd.Categorical(labels))
        return DMV(tags="cluster", punctuation_rule="form", **parameters), text
    return DMV(tags=system.level, **parameters), text


def relations(testset: str) -> pd.Series:
    """Gold relations of the test set, as `analysis.dependencies.scores_by_relation` takes them.

    Those of the Penn sample are derived from the function tags of its bracketed trees; those of 3LB and of the
    built-in language are mapped.
    """
    test = data(testset).test
    if testset == "en-ptb":
        from analysis.corpora.penn_trees import read_penn_sample
        from analysis.dependencies import penn_relations

        trees = read_penn_sample()
        return penn_relations(test, trees.constituents, trees.tokens)
    scheme = {"basque-conll2007": "basque-3lb", NURSERY: "nursery"}.get(testset)
    return rename_relations(test, scheme) if scheme else test["relation"]
