"""Glossary of arguments, columns and options: name, meaning and default.

`tests/test_glossary.py` checks every public signature, command and stored table against it. Fields of a paper's
``Setting`` may have other defaults, since a paper states its own conventions.
"""

from typing import Any, NamedTuple

ANY = object()  #: Default of a term without a default, or with different ones


class Term(NamedTuple):
    """One term of the glossary.

    Attributes
    ----------
    name : str
    meaning : str
    default : object
        Its default; `ANY` if it may differ.
    instead_of : tuple of str
        Synonyms that are not allowed; ``"name: type"`` is not allowed with this type in its annotation.
    """

    name: str
    meaning: str
    default: Any = ANY
    instead_of: tuple[str, ...] = ()


#: Arguments of functions and constructors, and options of commands (with ``-`` for ``_``).
ARGUMENTS: tuple[Term, ...] = (
    Term("gold", "the gold standard: labels, heads, forms or derivations, or the column that holds it",
         instead_of=("reference_labels", "truth", "y_true", "target_labels")),
    Term("predicted", "what is compared with gold, of the same type",
         instead_of=("induced", "hypothesis", "y_pred", "system: DataFrame", "system: Series", "system: Derivations",
                     "system: ndarray", "system: Labels")),
    Term("system", "name of a system, or its file; systems: several, by name"),
    Term("measure", "name of a measure; measures: several", instead_of=("metric", "metrics", "scorer")),
    Term("mapping", "which mapping of clusters to classes: one-to-one or many-to-one", "one-to-one"),
    Term("assignment", "how a one-to-one mapping of tokens is found: optimal or greedy", "optimal",
         instead_of=("matching", "matcher")),
    Term("base", "base of the logarithm of entropies and VI; 2 gives bits", 2, instead_of=("log_base",)),
    Term("base_levels", "base level of each factor of a regression", None),
    Term("punctuation", "whether punctuation is scored", True, instead_of=("score_punctuation", "with_punctuation")),
    Term("keep_punctuation", "whether a model of trees treats punctuation as words", False),
    Term("punctuation_rule", "definition of punctuation", None),
    Term("root_edges", "whether words whose gold head is the root are scored", True),
    Term("leave_out", "gold classes that are not scored", (), instead_of=("ignored_classes", "excluded_classes")),
    Term("unlabelled", "treatment of tokens without a cluster: an error in functions, wrong in commands"),
    Term("missing", "treatment of forms that only one lexicon lists", "refuse"),
    Term("differing_words", "treatment of a word with two spellings", "count"),
    Term("restarts", "number of starts of hill climbing; the best is kept", 10),
    Term("resamples", "number of bootstrap resamples", 1000,
         instead_of=("n_resamples", "bootstrap_samples", "n_bootstrap", "n_boot", "samples: int", "draws: int")),
    Term("confidence", "probability that an interval covers the value", 0.95,
         instead_of=("confidence_level", "level: float", "coverage_probability")),
    Term("random_state", "seed, numpy Generator, or None for a new one each time", 0,
         instead_of=("rng", "random_seed", "seed = 0", "seed = None")),
    Term("seed", "number that names one run: argument without default, column, field of a setting, option", 0),
    Term("n_clusters", "number of clusters of a model; k: of a run or a table", instead_of=("num_clusters",)),
    Term("by", "factor or factors by which a table is grouped"),
    Term("max_length", "maximum number of tokens in a sentence; longer ones are left out"),
    Term("strict", "whether a defect of a file or a tree raises an error"),
    Term("n_jobs", "number of processes; -1: all cores", instead_of=("jobs: int", "n_workers", "workers")),
)  # fmt: skip

#: Columns of result tables.
COLUMNS: tuple[Term, ...] = (
    Term("system", "name of the system"),
    Term("corpus", "name of the corpus"),
    Term("k", "number of clusters asked for"),
    Term("measure", "name of the measure", instead_of=("metric",)),
    Term("measure_a", "first of two measures", instead_of=("metric_a",)),
    Term("measure_b", "second of two measures", instead_of=("metric_b",)),
    Term("value", "the number"),
    Term("unit", "unit of value, lower and upper: see `units.UNITS`"),
    Term("numerator", "numerator, if the value is a ratio of counts"),
    Term("denominator", "denominator, if the value is a ratio of counts"),
    Term("n", "number of items, runs or sentences behind the value"),
    Term("seed", "seed of the run"),
    Term("lower", "lower bound of the interval"),
    Term("upper", "upper bound of the interval"),
    Term("convention", "the choices made, as name=value"),
    Term("data_version", "checksum of the data"),
    Term("gold", "gold class, form or head"),
    Term("predicted", "output of the system"),
    Term("rho", "Spearman's rank correlation"),
    Term("p", "p-value of a two-sided test"),
    Term("opposite", "proportion of resamples in which a difference is zero or has the opposite sign"),
    Term("resamples", "number of bootstrap resamples"),
)
