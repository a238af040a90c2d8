"""What a reader gets who asks for nothing: the conventions that the papers and the documentation state; those that all
subjects share are held by the glossary (tests/test_glossary.py)."""

import importlib
import inspect
from math import exp

import pytest

DEFAULTS = {
    "categories.ambiguity": {"weight": "types"},
    "categories.cluster_sizes": {"unit": "types"},
    "categories.coverage": {"unit": "types"},
    "categories.v_measure": {"base": 2},
    "categories.token_level_scores": {"assignment": "optimal"},
    "categories.type_level_scores": {"restarts": 10, "initialisation": "random", "missing": "refuse"},
    "categories.macro_i": {"mapping": "one-to-one"},
    "categories.substitutable_precision_recall": {
        "boundaries": True, "minimum_frequency": 2, "frames_in_training": True, "annotate": True,
    },
    "categories.substitution_clusters": {
        "boundaries": True, "minimum_frequency": 2, "frames_in_training": True, "annotate": True,
    },
    "categories.models.FrequentFrames": {"threshold": 0.0009},  # Frank et al.: 0.09 %
    "categories.models.HierarchicalClustering": {
        "n_targets": 1000, "n_context": 150, "window": 2, "linkage": "average",
    },
    "categories.models.BayesianHMM": {"order": "trigram", "resample_priors": True},
    "categories.models.BrownClustering": {"min_count": 1, "rare": "left out", "boundaries": "symbol"},
    "categories.models.ClarkClustering": {
        "min_count": 6, "rare": "one class", "morphology": True, "class_shares": False, "letter_states": 5,
        "letter_iterations": 1, "initialisation": "random", "max_passes": 10,
    },
    "categories.models.ChrupalaClustering": {"n_topics": 50, "feature_prior": 0.1, "min_count": 5},
    "categories.models.PmiKMeans": {"n_dimensions": 50, "n_context": 1000, "window": 2, "n_starts": 10},
    "categories.models.PmiAgglomerative": {"weighting": 0.5, "linkage": "ward"},
    "categories.models.PitmanYorHMM": {"discount_prior": (1.0, 1.0), "concentration_prior": (10.0, 0.1)},
    "dependencies.attachment_scores": {
        "max_length": None, "root_edges": True, "strict": False,
    },
    "dependencies.scores_by_length": {"lengths": range(1, 10)},  # Gelling et al., Figure 1
    "dependencies.scores_by_relation": {"scheme": "table6"},
    "dependencies.bootstrap_intervals": {"denominator": "scored", "resamples": 1000, "confidence": 0.95},
    "dependencies.models.DMV": {
        "initializer": "harmonic", "normalise": "child", "max_length": 10, "decoding": "viterbi", "smoothing": 0.0,
        "unambiguity": 0.0, "prior": None,
    },
    "dependencies.models.TreeSubstitutionGrammar": {
        "start": "sites", "resample_every": 10, "max_length": 10, "normalise": "child",
    },
    "dependencies.models.CCGInduction": {
        "rounds": 2, "derived": False, "rules": "B1+TR", "normal_form": True, "training": "k-best", "n_best": 100,
        "interpolation": None, "floor": exp(-6), "floor_taken": "equally", "tolerance": 0.001, "coordination": "chain",
    },
    "dependencies.models.ReducibilityModel": {
        "alpha": 0.01, "beta": 1.0, "gamma": 1.5, "delta": 1.0, "directed": False, "fertility": "number",
        "lexical": False, "lexical_beta": 0.01, "sweeps": 200, "burn_in": 0.5, "decoding": "arborescence",
        "annealing": (1.0, 0.1), "max_length": None,
    },
    "ccg.lexical_category_accuracy": {"differing_words": "count"},
    "ccg.parseval": {"level": "same label", "unary": True, "lexical": False},
    "ccg.tree_dependencies": {"heads": "auto", "directed": True},
    "ccg.predicate_argument_dependencies": {"directed": False},
    "ccg.models.NormalFormParser": {"lexicalised": True, "beam": 1e-4, "rare": 5},
    "inflection.sample": {"strategy": "UNIFORM", "sizes": tuple(range(100, 1001, 100)), "fine_tune_share": 0.2},
    "inflection.learning_curve": {"interval": "bootstrap", "confidence": 0.95},
    "inflection.accuracy_table": {"confidence": 0.95},
    "statistics.intervals.wilson": {"confidence": 0.95},
    "statistics.intervals.bootstrap_means": {"confidence": 0.95},
    "statistics.designs.design": {"coding": "treatment", "categorical": ()},
    "statistics.regressions.linear_regression": {"coding": "treatment", "anova": 2, "confidence": 0.95},
    "statistics.regressions.binomial_regression": {"dispersion": "estimated", "confidence": 0.95},
    "corpora.read_chat": {"exclude_roles": ("Target_Child", "Child"), "lowercase": False, "strict": True},
    "corpora.read_conllu": {"strict": True},
    "corpora.language.generate": {"longest": 20, "mean_length": None, "word_types": None},
    "experiments.run_grid": {"n_jobs": 1, "cache": None},
    "figures.ranked_sizes": {"log": True},
    "figures.precision_against_recall": {"log": False, "size": "k"},
    "figures.heatmap": {"log": False, "digits": 2},
}  # fmt: skip
CASES = [(function, name, value) for function, values in DEFAULTS.items() for name, value in values.items()]


@pytest.mark.parametrize(("function", "name", "value"), CASES, ids=lambda part: str(part))
def test_the_default_is_the_one_that_is_stated(function, name, value):
    module, _, place = f"analysis.{function}".rpartition(".")
    parameter = inspect.signature(getattr(importlib.import_module(module), place)).parameters[name]
    assert parameter.default == value and type(parameter.default) is type(value)
