"""The paper's worked example: trees, dependencies and scores, compared with the printed ones."""

from collections.abc import Mapping

import pandas as pd

from analysis.ccg import Evaluation, evaluate, extract_dependencies, treebank, worked_example
from analysis.ccg.examples import EATING_BEANS, FIGURE_1
from analysis.papers.clark2002.tables import MEASURES, plain_category
from analysis.papers.recipe import printed
from analysis.structures.derivation import Derivation, Derivations

#: The category printed in Table 1 for the relative pronoun, and the one that an object relative needs (as in section
#: 4.2).
SLIP = (r"(NP\NP)/(S[dcl]\NP)", r"(NP\NP)/(S[dcl]/NP)")


def example_evaluations() -> dict[str, Evaluation]:
    """The evaluations of Figure 2, by name.

    Returns
    -------
    dict of str to Evaluation

    Examples
    --------
    >>> example_evaluations()["tree dependencies"].score("labelled recall")
    labelled recall 0.833 (5/6)
    """
    return {evaluation.name: evaluation for evaluation in evaluate(*worked_example(), punctuation=False)}


def example_scores() -> pd.DataFrame:
    """Every score of the worked example, as printed and recomputed, with its counts.

    Returns
    -------
    DataFrame
        ``evaluation``, ``measure``, ``printed`` (such as ``3/7``), ``recomputed``, ``same``.

    Examples
    --------
    >>> bool(example_scores()["same"].all())
    True
    """
    theirs, found = printed("clark2002", "example_scores"), example_evaluations()
    names = MEASURES | {("dependency evaluation 1", "labelled recall"): MEASURES["dependency evaluation 1", "LR"]}
    keys = [names[key] for key in zip(theirs["evaluation"], theirs["measure"], strict=True)]
    table = theirs.assign(
        printed=[f"{row.numerator}/{row.denominator}" for row in theirs.itertuples()],
        recomputed=["/".join(f"{count}" for count in (score.numerator, score.denominator))
                    for score in (found[name].score(measure) for name, measure in keys)],
    )  # fmt: skip
    return table.assign(same=table["printed"] == table["recomputed"]).drop(
        columns=["numerator", "denominator", "text_locator"]
    )


def table1() -> pd.DataFrame:
    r"""Table 1: the dependencies of the trees of Figure 2 in evaluation 2, recomputed and printed.

    Returns
    -------
    DataFrame
        In the printed order: ``tree``, ``n``, ``head_of_functor``, ``functor`` (without head indices), ``slot``,
        ``head_of_argument``, ``labelled_match``, ``unlabelled_match``, ``printed`` (the printed functor), ``same``, and
        ``note`` where the paper has an error: the relative pronoun's S[dcl]\NP for S[dcl]/NP.

    Examples
    --------
    >>> table = table1()
    >>> len(table), int(table["same"].sum()), table.loc[~table["same"], "head_of_functor"].unique().tolist()
    (13, 9, ['that'])
    """
    theirs = printed("clark2002", "table1_example_dependencies_eval2").drop(
        columns=["labelled_match", "unlabelled_match"]
    )
    theirs["printed"] = theirs.pop("functor").map(plain_category)
    table = _beside(theirs, "predicate-argument dependencies", {
        "functor": "head_of_functor", "argument": "head_of_argument", "category": "functor",
        "matched": "labelled_match", "matched_pair": "unlabelled_match"})  # fmt: skip
    table["same"] = table["functor"] == table["printed"]
    slip = (table["printed"] == SLIP[0]) & (table["functor"] == SLIP[1])
    table["note"] = slip.map({True: "printed category is a slip", False: ""})
    return table[[
        "tree", "n", "head_of_functor", "functor", "slot", "head_of_argument", "labelled_match", "unlabelled_match",
        "printed", "same", "note",
    ]]  # fmt: skip


def in_words(items: pd.DataFrame, bank: Derivations) -> pd.DataFrame:
    """The dependencies of one sentence with words instead of positions; position 0 is not a word."""
    words = ("", *bank.tree(0).words)
    places = items.columns.intersection(["functor", "argument", "head", "dependent"])
    return items.assign(**{name: [words[position] for position in items[name]] for name in places})


def _beside(theirs: pd.DataFrame, evaluation: str, names: Mapping[str, str]) -> pd.DataFrame:
    """Printed dependencies of the two trees with the recomputed ones."""
    items = in_words(example_evaluations()[evaluation].items, worked_example()[0]).rename(columns=names)
    items["tree"] = items["side"].map({"gold": "gold", "predicted": "output"})
    on = [name for name in theirs.columns if name in items.columns]
    return theirs.merge(items, on=on, how="outer", indicator=True).sort_values(["tree", "n"], ignore_index=True)


def example_tree_dependencies() -> pd.DataFrame:
    """The dependencies of the trees of Figure 2 in evaluation 1 (section 4.2), recomputed and printed.

    Returns
    -------
    DataFrame
        ``tree``, ``n``, ``parent``, ``head_label``, ``sister``, ``head_word``, ``dependent_word``, ``matched``, and
        ``printed`` (whether the paper lists it).

    Examples
    --------
    >>> table = example_tree_dependencies()
    >>> len(table), bool(table["printed"].all())
    (12, True)
    """
    theirs = printed("clark2002", "example_dependencies_eval1").drop(columns="in_other_tree")
    table = _beside(theirs, "tree dependencies", {"head": "head_word", "dependent": "dependent_word"})
    return table.assign(printed=table["_merge"] == "both")[[*theirs.columns, "matched", "printed"]]


def subjects_of_john() -> pd.DataFrame:
    """The dependencies of *John has been eating beans* that have John as argument (section 5.3).

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> subjects_of_john()["functor"].tolist()
    ['has', 'been', 'eating']
    """
    bank = treebank(EATING_BEANS)
    table = in_words(extract_dependencies(bank).dependencies, bank)
    columns = ["functor", "category", "slot", "argument", "range"]
    return table.loc[table["argument"] == "John", columns].reset_index(drop=True)


def figure1_tree() -> Derivation:
    """The derivation of Figure 1, *IBM has bought Lotus*, with heads."""
    return Derivation.build(FIGURE_1)
