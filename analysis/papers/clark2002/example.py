"""The paper's worked example: trees, dependencies, scores, each beside what is printed."""

import pandas as pd

from analysis.ccg import Evaluation, evaluate, extract_dependencies, treebank, worked_example
from analysis.ccg.examples import EATING_BEANS, FIGURE_1
from analysis.papers.recipe import printed
from analysis.structures.ccg_category import parse_category
from analysis.structures.derivation import Derivation

#: Printed in Table 1 for the relative pronoun, and what an object relative needs (so it stands in section 4.2).
SLIP = (r"(NP\NP)/(S[dcl]\NP)", r"(NP\NP)/(S[dcl]/NP)")

_MEASURES = {
    ("Parseval", "LP"): ("Parseval", "labelled precision"),
    ("Parseval", "BP"): ("Parseval", "bracketed precision"),
    ("Parseval", "LR"): ("Parseval", "labelled recall"),
    ("Parseval", "BR"): ("Parseval", "bracketed recall"),
    ("lexical categories", "accuracy"): ("lexical categories", "accuracy"),
    ("dependency evaluation 1", "labelled recall"): ("tree dependencies", "labelled recall"),
    ("dependency evaluation 2", "LP"): ("predicate-argument dependencies", "labelled precision"),
    ("dependency evaluation 2", "LR"): ("predicate-argument dependencies", "labelled recall"),
    ("dependency evaluation 2", "UP"): ("predicate-argument dependencies", "unlabelled precision"),
    ("dependency evaluation 2", "UR"): ("predicate-argument dependencies", "unlabelled recall"),
}


def example_evaluations() -> dict[str, Evaluation]:
    """The evaluations of Figure 2, by name.

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
    found = example_evaluations()
    rows = []
    for row in printed("clark2002", "example_scores").itertuples():
        name, measure = _MEASURES[str(row.evaluation), str(row.measure)]
        score = found[name].score(measure)
        theirs, ours = f"{row.numerator}/{row.denominator}", f"{score.numerator}/{score.denominator}"
        rows.append((row.evaluation, row.measure, theirs, ours, theirs == ours))
    return pd.DataFrame(rows, columns=["evaluation", "measure", "printed", "recomputed", "same"])


def table1() -> pd.DataFrame:
    r"""Table 1: the dependencies of the trees of Figure 2 in evaluation 2, recomputed, beside the printed ones.

    Returns
    -------
    DataFrame
        In the printed order: ``tree``, ``n``, ``head_of_functor``, ``functor`` (without head indices), ``slot``,
        ``head_of_argument``, ``labelled_match``, ``unlabelled_match``, ``printed`` (the printed functor), ``same``, and
        ``note`` where the paper slips: the relative pronoun's S[dcl]\NP for S[dcl]/NP.

    Examples
    --------
    >>> table = table1()
    >>> len(table), int(table["same"].sum()), table.loc[~table["same"], "head_of_functor"].unique().tolist()
    (13, 9, ['that'])
    """
    words = worked_example()[0].tree(0).words
    items = example_evaluations()["predicate-argument dependencies"].items
    names = {"gold": "gold", "predicted": "output"}
    ours = pd.DataFrame(
        {
            "tree": items["side"].map(names),
            "head_of_functor": [words[position - 1] for position in items["functor"]],
            "functor": items["category"],
            "slot": items["slot"],
            "head_of_argument": [words[position - 1] for position in items["argument"]],
            "labelled_match": items["matched"],
            "unlabelled_match": items["matched_pair"],
        }
    )
    theirs = printed("clark2002", "table1_example_dependencies_eval2")
    plain = [str(parse_category(text.replace("_1", "").replace("_2", ""))) for text in theirs["functor"]]
    theirs = theirs.assign(printed=plain)[["tree", "n", "head_of_functor", "slot", "head_of_argument", "printed"]]
    table = theirs.merge(ours, on=["tree", "head_of_functor", "slot", "head_of_argument"], how="outer", sort=False)
    order = {"gold": 0, "output": 1}
    table = table.sort_values(["tree", "n"], key=lambda column: column.map(order) if column.name == "tree" else column)
    table["same"] = table["functor"] == table["printed"]
    slip = (table["printed"] == SLIP[0]) & (table["functor"] == SLIP[1])
    table["note"] = slip.map({True: "printed category is a slip", False: ""})
    columns = [
        "tree", "n", "head_of_functor", "functor", "slot", "head_of_argument", "labelled_match", "unlabelled_match",
        "printed", "same", "note",
    ]  # fmt: skip
    return table[columns].reset_index(drop=True)


def example_tree_dependencies() -> pd.DataFrame:
    """The dependencies of the trees of Figure 2 in evaluation 1 (section 4.2), recomputed, beside the printed ones.

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
    words = worked_example()[0].tree(0).words
    items = example_evaluations()["tree dependencies"].items
    ours = pd.DataFrame(
        {
            "tree": items["side"].map({"gold": "gold", "predicted": "output"}),
            "parent": items["parent"],
            "head_label": items["head_label"],
            "sister": items["sister"],
            "head_word": ["" if head == 0 else words[head - 1] for head in items["head"]],
            "dependent_word": [words[position - 1] for position in items["dependent"]],
            "matched": items["matched"],
        }
    )
    theirs = printed("clark2002", "example_dependencies_eval1").drop(columns="in_other_tree")
    on = ["tree", "parent", "head_label", "sister", "head_word", "dependent_word"]
    table = ours.merge(theirs, on=on, how="outer", indicator=True, sort=False)
    table["printed"] = (table["_merge"] == "both").to_numpy()
    return table.sort_values(["tree", "n"], ignore_index=True)[["tree", "n", *on[1:], "matched", "printed"]]


def subjects_of_john() -> pd.DataFrame:
    """The dependencies of *John has been eating beans* that have John as argument (section 5.3).

    Examples
    --------
    >>> subjects_of_john()["functor"].tolist()
    ['has', 'been', 'eating']
    """
    bank = treebank(EATING_BEANS)
    words = bank.tree(0).words
    table = extract_dependencies(bank).dependencies
    table = table[[words[position - 1] == "John" for position in table["argument"]]]
    return pd.DataFrame(
        {
            "functor": [words[position - 1] for position in table["functor"]],
            "category": table["category"].to_numpy(),
            "slot": table["slot"].to_numpy(),
            "argument": "John",
            "range": table["range"].to_numpy(),
        }
    )


def figure1_tree() -> Derivation:
    """The derivation of Figure 1, *IBM has bought Lotus*, with heads."""
    return Derivation.build(FIGURE_1)
