"""Glossary of arguments, columns and options: name, meaning and default; and of measures and terms.

`tests/test_glossary.py` checks every public signature, command and stored table against it. Fields of a paper's
``Setting`` may have other defaults, since a paper states its own conventions. The documentation prints all of it.
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
    Term("resamples", "number of bootstrap resamples, at least 2", 1000,
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


class Concept(NamedTuple):
    """A measure or another term of the field.

    Attributes
    ----------
    names : tuple of str
        The name under which it is explained, then abbreviations and other names.
    meaning : str
    function : str
        That computes it, from ``analysis`` on; empty if there is none.
    sources : tuple of str
        Keys of ``data/catalogue/references.csv``.
    """

    names: tuple[str, ...]
    meaning: str
    function: str = ""
    sources: tuple[str, ...] = ()


#: Measures and terms, by subject.
CONCEPTS: dict[str, tuple[Concept, ...]] = {
    "Word classes": (
        Concept(("class",),
                "a word class of the gold standard; its label is a tag"),
        Concept(("cluster",),
                "a word class that a model found; its name carries no meaning"),
        Concept(("fine tag", "fine"),
                "a tag of the transcripts or treebank, before classes are joined"),
        Concept(("coarse tag", "coarse"),
                "one of the few classes into which fine tags are collapsed; in Frank et al. the twelve of Table 1",
                "", ("Frank2009",)),
        Concept(("type", "word type"),
                "a distinct word form; a token is one occurrence of it"),
        Concept(("pairwise precision", "PP"),
                "of the pairs of tokens in one cluster, the share in one class",
                "analysis.categories.pairwise_precision_recall", ("Frank2009",)),
        Concept(("pairwise recall", "PR"),
                "of the pairs of tokens in one class, the share in one cluster",
                "analysis.categories.pairwise_precision_recall", ("Frank2009",)),
        Concept(("pairwise F1",),
                "the harmonic mean of pairwise precision and recall",
                "analysis.categories.pairwise_precision_recall", ("Frank2009",)),
        Concept(("many-to-one accuracy", "many-to-one", "M-1", "MA", "matched accuracy", "purity"),
                "the share of tokens that are correct if each cluster is read as the class with which it shares most "
                "tokens; more clusters never score lower",
                "analysis.categories.many_to_one", ("Frank2009", "Gelling2012")),
        Concept(("one-to-one accuracy", "one-to-one", "1-1"),
                "the same with each class given to one cluster at most; optimal or greedy assignment",
                "analysis.categories.one_to_one", ("Reichart2010", "Gelling2012")),
        Concept(("cross-validated many-to-one",),
                "many-to-one accuracy on one half of the text, with the mapping of the other half",
                "analysis.categories.cross_validated_many_to_one", ("Gao2008",)),
        Concept(("H(C|K)",),
                "the uncertainty about a token's class given its cluster: 0 if no cluster mixes classes",
                "analysis.categories.conditional_entropy_of_classes", ("Rosenberg2007",)),
        Concept(("H(K|C)",),
                "the uncertainty about a token's cluster given its class: 0 if no class is split",
                "analysis.categories.conditional_entropy_of_clusters", ("Rosenberg2007",)),
        Concept(("homogeneity",),
                "1 - H(C|K)/H(C): 1 if no cluster mixes classes",
                "analysis.categories.v_measure", ("Rosenberg2007",)),
        Concept(("completeness",),
                "1 - H(K|C)/H(K): 1 if no class is split",
                "analysis.categories.v_measure", ("Rosenberg2007",)),
        Concept(("V-measure", "V"),
                "the harmonic mean of homogeneity and completeness",
                "analysis.categories.v_measure", ("Rosenberg2007",)),
        Concept(("variation of information", "VI"),
                "H(C|K) + H(K|C), a distance between two clusterings, in bits or nats; lower is better",
                "analysis.categories.variation_of_information", ("Meila2007",)),
        Concept(("normalised variation of information", "NVI"),
                "VI divided by H(C); lower is better, and 1 is not its largest value",
                "analysis.categories.normalised_variation_of_information", ("ReichartRappoport2009",)),
        Concept(("adjusted Rand index", "ARI"),
                "agreement on pairs of tokens, corrected for chance",
                "analysis.categories.adjusted_rand_index", ("Hubert1985",)),
        Concept(("adjusted mutual information", "AMI"),
                "mutual information of classes and clusters, corrected for chance",
                "analysis.categories.adjusted_mutual_information", ("Vinh2010",)),
        Concept(("frame",),
                "the position between two words, named by them: to __ it",
                "analysis.categories.substitution_clusters", ("Mintz2003", "Frank2009")),
        Concept(("S-cluster",),
                "the set of words found in one frame: words that can replace each other",
                "analysis.categories.substitution_clusters", ("Frank2009",)),
        Concept(("substitutable precision", "SP"),
                "of the pairs of word types in one cluster, weighted as in the paper, the share that shares an "
                "S-cluster; needs no gold standard",
                "analysis.categories.substitutable_precision_recall", ("Frank2009",)),
        Concept(("substitutable recall", "SR"),
                "of the pairs in one S-cluster, the share in one cluster",
                "analysis.categories.substitutable_precision_recall", ("Frank2009",)),
        Concept(("merge",),
                "unclustered words share one cluster",
                "analysis.categories.fill_unclustered", ("Frank2009",)),
        Concept(("split",),
                "each unclustered word has a cluster of its own",
                "analysis.categories.fill_unclustered", ("Frank2009",)),
        Concept(("MacroI",),
                "F-score over all memberships of word types in classes",
                "analysis.categories.macro_i", ("Reichart2010",)),
        Concept(("MicroI",),
                "mean over word types of the F-score of their classes",
                "analysis.categories.micro_i", ("Reichart2010",)),
        Concept(("MicroC",),
                "mean over clusters of their F-score with the class that they are read as, weighted by word types",
                "analysis.categories.micro_c", ("Reichart2010",)),
        Concept(("BHMM",),
                "Bayesian hidden Markov model of word classes, sampled sweep by sweep",
                "analysis.categories.models.BayesianHMM", ("Goldwater2007",)),
        Concept(("HC",),
                "hierarchical clustering of the neighbours of frequent words",
                "analysis.categories.models.HierarchicalClustering", ("Frank2009",)),
        Concept(("FF",),
                "clusters of the words in frequent frames",
                "analysis.categories.models.FrequentFrames", ("Mintz2003", "Frank2009")),
        Concept(("sweep", "Gibbs sweep"),
                "one pass of a sampler, in which the class of every token is drawn once"),
    ),
    "Dependency trees": (
        Concept(("head",),
                "the word on which a word depends; 0 for the root"),
        Concept(("directed accuracy", "directed", "UAS"),
                "the share of words with the gold head",
                "analysis.dependencies.attachment_scores", ("Gelling2012", "Buchholz2006")),
        Concept(("undirected accuracy", "undirected"),
                "the share of words joined to their gold head in either direction",
                "analysis.dependencies.attachment_scores", ("Gelling2012",)),
        Concept(("NED", "neutral edge direction"),
                "the same, where the head of the gold head is accepted too",
                "analysis.dependencies.attachment_scores", ("Schwartz2011",)),
        Concept(("LAS",),
                "the share of words with the gold head and the gold relation",
                "analysis.dependencies.labelled_attachment", ("Buchholz2006",)),
        Concept(("root edge",),
                "the edge of a word whose head is the root of the sentence"),
        Concept(("left branching", "LB"),
                "the baseline in which the head of each word is the next word"),
        Concept(("right branching", "RB"),
                "the baseline in which the head of each word is the word before it"),
        Concept(("DMV",),
                "dependency model with valence: a generative model of trees over tags, learnt by EM",
                "analysis.dependencies.models.DMV", ("Klein2004",)),
        Concept(("harmonic initialiser",),
                "the start of DMV that prefers near heads; without iterations, the baseline H",
                "analysis.dependencies.models.DMV", ("Klein2004",)),
    ),
    "CCG derivations": (
        Concept(("lexical category",),
                "the category of a word: its result, and its arguments to the left and right",
                "analysis.ccg.lexical_category_accuracy", ("ClarkHockenmaier2002",)),
        Concept((">", "<"),
                "application: a functor takes the argument on its right, or on its left"),
        Concept((">B", "<B"),
                "composition: a functor takes a neighbour that still lacks an argument; x: crossed"),
        Concept((">T", "<T"),
                "type-raising: an argument becomes a functor over its functor"),
        Concept(("Parseval",),
                "precision and recall of the brackets of derivations",
                "analysis.ccg.parseval", ("Black1991", "ClarkHockenmaier2002")),
        Concept(("tree dependencies",),
                "dependencies between head words, one for each branching of the derivation",
                "analysis.ccg.tree_dependencies", ("ClarkHockenmaier2002",)),
        Concept(("predicate-argument dependencies",),
                "dependencies between a word and the words that fill the slots of its category, also over a distance",
                "analysis.ccg.predicate_argument_dependencies", ("Clark2002", "ClarkHockenmaier2002")),
    ),
    "Inflected forms": (
        Concept(("accuracy",),
                "the share of items whose form is letter by letter that of the gold standard",
                "analysis.inflection.accuracy", ("Kodner2023reevaluating",)),
        Concept(("feature set",),
                "the features of a form together, such as V;PST",
                "", ("Kodner2023reevaluating",)),
        Concept(("overlap",),
                "whether lemma, feature set, or both were in the training sample",
                "analysis.inflection.seen_in_training", ("Kodner2023reevaluating",)),
        Concept(("UNIFORM",),
                "a training sample in which each item is drawn with the same probability",
                "analysis.inflection.sample", ("Kodner2023reevaluating",)),
        Concept(("WEIGHTED",),
                "a training sample in which an item is drawn in proportion to its frequency",
                "analysis.inflection.sample", ("Kodner2023reevaluating",)),
        Concept(("wug test",),
                "inflecting made-up words",
                "analysis.inflection.wug_test"),
        Concept(("NONNEUR",),
                "the non-neural baseline of the shared tasks: rules of prefixes and suffixes",
                "analysis.inflection.models.NonNeural", ("Cotterell2017",)),
    ),
    "Statistics": (
        Concept(("bootstrap",),
                "repeating a computation on resamples of the sentences, drawn with replacement",
                "analysis.dependencies.bootstrap_intervals", ("Efron1993",)),
        Concept(("jackknife",),
                "repeating a computation with each sentence left out once; removes part of the bias of measures of "
                "entropy",
                "analysis.evaluation.compare_systems", ("Efron1993",)),
        Concept(("interval",),
                "the range that covers the value with the stated probability; docs/coverage.md says where it does not"),
        Concept(("McNemar's test",),
                "test of two systems on the same items, by those that one alone has right",
                "analysis.evaluation.compare_systems", ("McNemar1947",)),
        Concept(("Holm's correction",),
                "p-values corrected for the number of tests in a table",
                "analysis.evaluation.compare_systems", ("Holm1979",)),
        Concept(("signature",),
                "a line that says how a number was measured and on what; numbers with different signatures are not "
                "comparable",
                "analysis.evaluation.signature"),
        Concept(("convention",),
                "a choice on which papers or tools differ; here always an argument"),
        Concept(("specification",),
                "one choice for every convention of a claim"),
        Concept(("stands", "turned", "undecided"),
                "verdicts on a claim in a specification: its statistic has the claimed sign beyond the margin, the "
                "opposite sign, or neither"),
    ),
}  # fmt: skip
