"""A treebank parser beside the printed numbers of Collins (1999): not his parser, on other text, by his evaluations."""

import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.constituents import EVALB, bracket_scores
from analysis.constituents.binarising import binarised, simple_label
from analysis.constituents.models import TreebankPCFG
from analysis.constituents.phrase_dependencies import head_dependencies, kept_words, without_words
from analysis.corpora import data_version
from analysis.corpora.penn_trees import as_derivations, read_penn_sample
from analysis.papers import recipe
from analysis.statistics.sentence_counts import Evaluation, bootstrap_intervals
from analysis.structures import results_table
from analysis.structures.derivation import Derivations

STAND_IN = "treebank PCFG (not Collins)"
#: The parsers: arguments of `TreebankPCFG`, and whether the tags of the words are given.
PARSERS: Mapping[str, tuple[dict[str, Any], bool]] = {
    STAND_IN: ({}, False),
    "treebank PCFG, gold tags": ({}, True),
    "treebank PCFG without annotation": ({"vertical": 1, "horizontal": None, "tag_parents": False}, False),
}
#: Punctuation is taken out of both trees beforehand, as the gold tags say.
_COUNTED = replace(EVALB, delete_labels=("TOP",), failed="count", mismatch="refuse")
_PUNCTUATION = "punctuation=left out, by gold tags"
#: The measures: evaluation and measure as in Table 2, and where they come from.
MEASURES = {
    ("tags", "accuracy"): ("flat", "tagging accuracy"),
    ("Parseval", "LP"): ("flat", "labelled precision"),
    ("Parseval", "LR"): ("flat", "labelled recall"),
    ("Parseval", "BP"): ("unlabelled", "bracketed precision"),
    ("Parseval", "BR"): ("unlabelled", "bracketed recall"),
    ("Parseval", "crossing"): ("flat", "average crossing"),
    ("dependency evaluation 1", "LR"): ("dependencies", "labelled recall"),
    ("dependency evaluation 1", "UR"): ("dependencies", "unlabelled recall"),
    ("Parseval, binarised", "LP"): ("binary", "labelled precision"),
    ("Parseval, binarised", "LR"): ("binary", "labelled recall"),
    ("Parseval, binarised", "crossing"): ("binary", "average crossing"),
}
#: Collins's printed numbers: identifier of the fact.
COLLINS = {
    ("Parseval", "LP"): "C10",
    ("Parseval", "LR"): "C11",
    ("dependency evaluation 1", "LR"): "C14",
    ("dependency evaluation 1", "UR"): "C13",
}


class Split(NamedTuple):
    """Trees to train on and to test on, and the version of the data."""

    train: Derivations
    test: Derivations
    version: str


def split() -> Split:
    """The Penn sample: every tenth file (wsj_0010, wsj_0020, ..) is tested on, the others are trained on."""
    trees = read_penn_sample()
    number = trees.sentences["file"].str.extract(r"(\d+)", expand=False).astype("int64")
    test = (number % 10 == 0).to_numpy()
    bank = as_derivations(trees)
    train, rest = (bank.select(np.flatnonzero(chosen)) for chosen in (~test, test))
    return Split(train, rest, data_version("nltk-treebank"))


def tree_evaluations(gold: Derivations, predicted: Derivations) -> dict[str, Evaluation]:
    """The evaluations of a phrase-structure parser; sentences without a parse count in recall.

    Parameters
    ----------
    gold, predicted : Derivations
        Without function tags.

    Returns
    -------
    dict of str to Evaluation
        ``flat`` and ``unlabelled``: brackets as EVALB counts them, with labels and without, but the gold tags decide
        what is punctuation in both trees; ``binary``: the same of both trees binarised outwards from the heads;
        ``dependencies``: evaluation 1.

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> trees = read_bracketed_trees(b"(VP (VB eat) (NP (NN corn)) (PP (IN at) (NP (NN noon))) (. .))")
    >>> found = tree_evaluations(trees, trees)
    >>> [found[name].sentences["gold"].item() for name in ("flat", "binary", "dependencies")]
    [4, 5, 4]
    """
    keep, keep_predicted, _ = kept_words(gold, predicted, EVALB.delete_labels)
    one, other = without_words(gold, keep), without_words(predicted, keep_predicted)
    return {
        "flat": bracket_scores(one, other, _COUNTED),
        "unlabelled": bracket_scores(one, other, replace(_COUNTED, labelled=False)),
        "binary": bracket_scores(_two_daughters(one), _two_daughters(other), _COUNTED),
        "dependencies": head_dependencies(gold, predicted),
    }


def _two_daughters(trees: Derivations) -> Derivations:
    """Binarised trees; nodes between have the label of the whole."""
    two = binarised(trees, horizontal=0)
    return replace(two, nodes=two.nodes.assign(category=two.nodes["category"].map(simple_label).astype("str")))


def stand_in_runs(resamples: int = 1000, random_state: int = 0, parsers: Mapping[str, Any] = PARSERS) -> pd.DataFrame:
    """Train treebank grammars on the Penn sample, parse its test files, and evaluate them; about a minute.

    Parameters
    ----------
    resamples, random_state
        Of the intervals, over sentences.
    parsers : mapping
        Name to arguments of `analysis.constituents.models.TreebankPCFG`, and whether tags are given.

    Returns
    -------
    DataFrame
        A long result table: ``system``, ``evaluation``, ``measure``, counts, a bootstrap interval, how many sentences
        were scored and failed, the sizes of training text and grammar, and the seconds of training and parsing.

    Raises
    ------
    NotAtHandError
        If the data set ``nltk-treebank`` is not available.
    """
    data = split()
    given = data.test.tokens.groupby("sentence")["category"].agg(list).tolist()
    rows = []
    for system, (choices, tags) in parsers.items():
        times = [time.process_time()]
        grammar = TreebankPCFG(**choices).fit(data.train)
        times.append(time.process_time())
        output = grammar.predict(data.test, tags=given if tags else None)
        times.append(time.process_time())
        train, parse = (round(after - before, 1) for before, after in pairwise(times))
        about = {"system": system, "corpus": "nltk-treebank", "seed": random_state, "data_version": data.version}
        sizes = {"trained_on": len(data.train), "tested_on": len(data.test), "symbols": len(grammar.symbols_),
                 "rules": len(grammar.rules_), "training_seconds": train, "parsing_seconds": parse}  # fmt: skip
        settings = "; ".join(f"{name}={value}" for name, value in grammar.get_params().items())
        found = tree_evaluations(data.test, output)
        draws = {name: bootstrap_intervals(one, resamples=resamples, random_state=random_state).set_index("measure")
                 for name, one in found.items()}  # fmt: skip
        for (evaluation, measure), (name, of) in MEASURES.items():
            bounds = dict(draws[name].loc[of, ["n", "lower", "upper"]])
            parts = {key.replace(" ", "_"): value for key, value in found[name].parts.items()}
            rows.append(about | {"evaluation": evaluation, "measure": measure}
                        | recipe.counted(found[name].score(of), _PUNCTUATION) | bounds | parts | sizes
                        | {"parameters": settings})  # fmt: skip
    return results_table(rows)


def stand_in() -> pd.DataFrame:
    """A treebank grammar that stands in for Collins's parser, which does not run here, by his evaluations.

    The grammar is trained and tested on the Penn sample of 3,914 sentences, his parser on the whole treebank: the
    numbers show what the paper compares, not how good his parser is. Evaluation 2 is left out: it needs lexical
    categories, argument slots and traces, which the trees of such a parser do not have.

    Returns
    -------
    DataFrame
        ``system``, ``evaluation``, ``measure``; ``collins``: his printed number; ``recomputed`` with its interval:
        percent, of ``crossing`` a number of brackets a sentence; counts, ``sentences_failed``; ``trained_on``,
        ``tested_on``: sentences; ``source``.

    Examples
    --------
    >>> table = stand_in()
    >>> table["system"].unique().tolist()[0]
    'treebank PCFG (not Collins)'
    """
    runs = recipe.stored("clark2002_stand_in", stand_in_runs)
    facts = recipe.printed("clark2002", "facts").set_index("id")["value"]
    keys = zip(runs["evaluation"], runs["measure"], strict=True)
    scale = np.where(runs["measure"] == "crossing", 1, 100)
    table = runs[["system", "evaluation", "measure"]].assign(
        collins=pd.array([facts[COLLINS[key]] if key in COLLINS else None for key in keys], dtype="Float64"),
        recomputed=scale * runs["value"], lower=scale * runs["lower"], upper=scale * runs["upper"],
    )  # fmt: skip
    counts = ["numerator", "denominator", "sentences_failed", "trained_on", "tested_on"]
    return table.assign(**{name: runs[name].astype("Int64") for name in counts}, source=runs["source"])


def flat_and_binary() -> pd.DataFrame:
    """The trees of the stand-in as they are and binarised: brackets, their scores, and crossing brackets.

    The paper's reason (section 5.1) not to compare brackets of flat Penn trees with those of binary derivations, on
    one parser and one text: the heads that decide the binarisation follow from the trees.

    Returns
    -------
    DataFrame
        ``system``, ``trees``, ``brackets`` (of the gold trees, a sentence), ``LP``, ``LR`` (percent), ``crossing``
        (brackets of the output that cross a gold one, a sentence), ``crossing_share`` (the same in percent of the
        brackets of the output).
    """
    table = stand_in()
    rows = []
    for system, own in table.groupby("system", sort=False):
        for trees, evaluation in (("flat", "Parseval"), ("binarised", "Parseval, binarised")):
            part = own[own["evaluation"] == evaluation].set_index("measure")
            sentences = part.loc["crossing", ["denominator", "sentences_failed"]].sum()
            rows.append((system, trees, part.loc["LR", "denominator"] / sentences,
                         *part.loc[["LP", "LR", "crossing"], "recomputed"],
                         100 * part.loc["crossing", "numerator"] / part.loc["LP", "denominator"]))  # fmt: skip
    return pd.DataFrame(rows, columns=["system", "trees", "brackets", "LP", "LR", "crossing", "crossing_share"])
