"""The glossary: what each argument, column and option is called, what it means, and its one default.

`tests/test_glossary.py` holds every public signature, every command and every stored table to it. Fields of a paper's
``Setting`` may have another default: a paper states its own conventions.
"""

from typing import Any, NamedTuple

ANY = object()  #: Default of a term that has none, or not the same everywhere


class Term(NamedTuple):
    """One name.

    Attributes
    ----------
    name : str
    meaning : str
    default : object
        Its default wherever it has one; `ANY` if it may differ.
    instead_of : tuple of str
        Names that are refused; ``"name: type"`` only with that type in its annotation.
    """

    name: str
    meaning: str
    default: Any = ANY
    instead_of: tuple[str, ...] = ()


#: Arguments of functions and constructors, and options of commands (``_`` written ``-``).
ARGUMENTS: tuple[Term, ...] = (
    Term("gold", "the gold standard: labels, heads, forms or derivations, or the column that holds it",
         instead_of=("reference_labels", "truth", "y_true", "target_labels")),
    Term("predicted", "what is scored against gold, of the same kind",
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
    Term("punctuation_rule", "what is punctuation", None),
    Term("root_edges", "whether words whose gold head is the root are scored", True),
    Term("leave_out", "gold classes that are not scored", (), instead_of=("ignored_classes", "excluded_classes")),
    Term("unlabelled", "what becomes of tokens without a cluster: refused by functions, wrong for commands"),
    Term("missing", "what becomes of forms that only one lexicon lists", "refuse"),
    Term("differing_words", "what becomes of a word that is spelt in two ways", "count"),
    Term("restarts", "starts of hill climbing, of which the best is kept", 10),
    Term("resamples", "number of bootstrap resamples", 1000,
         instead_of=("n_resamples", "bootstrap_samples", "n_bootstrap", "n_boot", "samples: int", "draws: int")),
    Term("confidence", "probability that an interval covers the value", 0.95,
         instead_of=("confidence_level", "level: float", "coverage_probability")),
    Term("random_state", "seed, numpy Generator, or None for a new one each time", 0,
         instead_of=("rng", "random_seed", "seed = 0", "seed = None")),
    Term("seed", "number that names one run: argument without default, column, field of a setting, option", 0),
    Term("n_clusters", "number of clusters of a model; k: of a run or a table", instead_of=("num_clusters",)),
    Term("by", "factor or factors by which a table is divided"),
    Term("max_length", "only sentences of at most so many tokens"),
    Term("strict", "whether the first defect of a file or a tree is an error"),
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
    Term("numerator", "count above the line, where the value is a ratio of counts"),
    Term("denominator", "count below the line"),
    Term("n", "number of items, runs or sentences behind the value"),
    Term("seed", "seed of the run"),
    Term("lower", "lower bound of the interval"),
    Term("upper", "upper bound of the interval"),
    Term("convention", "the choices made, as name=value"),
    Term("data_version", "checksum of the data"),
    Term("gold", "gold class, form or head"),
    Term("predicted", "what the system gave"),
    Term("rho", "Spearman's rank correlation"),
    Term("p", "p-value of a two-sided test"),
    Term("opposite", "share of resamples in which a difference is zero or has the other sign"),
    Term("resamples", "number of bootstrap resamples"),
)
