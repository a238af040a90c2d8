"""Tables 2 to 4, what the printed ones imply, and which relations each evaluation represents."""

import re

import pandas as pd

from analysis.ccg import (
    bootstrap_intervals,
    evaluate,
    extract_dependencies,
    tree_dependencies,
    treebank,
    worked_example,
)
from analysis.ccg.examples import EATING_BEANS
from analysis.papers import recipe
from analysis.papers.clark2002.setting import (
    LEXICALISED,
    Setting,
    data,
    evaluations,
    system_names,
)
from analysis.papers.clark2002.treebank_grammar import COLLINS, STAND_IN, stand_in
from analysis.structures import results_table
from analysis.structures.ccg_category import parse_category

#: The measures of Table 2: evaluation and measure as printed, and as this suite calls them.
MEASURES = {
    ("lexical categories", "accuracy"): ("lexical categories", "accuracy"),
    ("Parseval", "LP"): ("Parseval", "labelled precision"),
    ("Parseval", "LR"): ("Parseval", "labelled recall"),
    ("Parseval", "BP"): ("Parseval", "bracketed precision"),
    ("Parseval", "BR"): ("Parseval", "bracketed recall"),
    ("dependency evaluation 1", "LR"): ("tree dependencies", "labelled recall"),
    ("dependency evaluation 1", "UR"): ("tree dependencies", "unlabelled recall"),
    ("dependency evaluation 2", "LP"): ("predicate-argument dependencies", "labelled precision"),
    ("dependency evaluation 2", "LR"): ("predicate-argument dependencies", "labelled recall"),
    ("dependency evaluation 2", "UP"): ("predicate-argument dependencies", "unlabelled precision"),
    ("dependency evaluation 2", "UR"): ("predicate-argument dependencies", "unlabelled recall"),
}

_CAT, _DOG, _COW = (("NP", ("N", word)) for word in ("cats", "dogs", "cows"))
_SLEEP = (r"S[dcl]\NP", "sleep")

#: *cats, dogs and cows sleep*, with the list bracketed to the right and to the left.
LISTS = (
    ("S[dcl]",
        ("NP", _CAT, ("NP[conj]", (",", ","), ("NP", _DOG, ("NP[conj]", ("conj", "and"), _COW)))), _SLEEP),
    ("S[dcl]",
        ("NP", ("NP", _CAT, ("NP[conj]", (",", ","), _DOG)), ("NP[conj]", ("conj", "and"), _COW)), _SLEEP),
)  # fmt: skip
#: Files of the printed tables.
FILES = {2: "table2_results", 3: "table3_relations_eval1", 4: "table4_relations_eval2"}
_COORDINATION = ("S[dcl]", ("NP", ("NP", ("N", "cats")), ("NP[conj]", ("conj", "and"), ("NP", ("N", "dogs")))),
                 (r"S[dcl]\NP", "sleep"))  # fmt: skip
_PREPOSITION = ("NP", ("NP", ("N", "dogs")), (r"NP\NP", (r"(NP\NP)/NP", "in"), ("NP", ("N", "parks"))))
#: Relations of section 5.4, each with the tree of a phrase (None: the gold tree of Figure 2) and the two words.
RELATIONS = (
    ("head of the sentence", EATING_BEANS, "has", None),
    ("coordination", _COORDINATION, "cats", "dogs"),
    ("second conjunct as subject", _COORDINATION, "sleep", "dogs"),
    ("object in situ", EATING_BEANS, "eating", "beans"),
    ("object, extracted", None, "bought", "shares"),
    ("subject of an auxiliary", EATING_BEANS, "has", "John"),
    ("subject of the main verb, over the auxiliary", EATING_BEANS, "eating", "John"),
    ("attachment of a prepositional phrase", _PREPOSITION, "dogs", "in"),
    ("attachment of a relative clause", None, "shares", "that"),
    ("object of a preposition", _PREPOSITION, "in", "parks"),
)


@recipe.takes_setting(Setting)
def table2(setting: Setting) -> pd.DataFrame:
    """Table 2: the scores of all three evaluations, for every available parser.

    Parameters
    ----------
    setting : Setting, optional
    **choices
        Single choices of `Setting`, such as ``corpus="ccg-geometry"``.

    Returns
    -------
    DataFrame
        A long result table with ``evaluation`` and ``measure`` as printed, counts, a bootstrap interval over sentences,
        and how many sentences were scored, failed and dropped.

    Examples
    --------
    >>> table2(test_sentences=50).query("measure == 'accuracy'")["numerator"].gt(0).all()
    np.True_
    """
    rows = []
    common = {"corpus": setting.corpus, "seed": setting.seed, "data_version": data(setting.corpus).version}
    draws = {"resamples": setting.resamples, "random_state": setting.seed}
    for system in system_names(setting):
        found = evaluations(setting, system)
        intervals = {name: bootstrap_intervals(one, **draws).set_index("measure") for name, one in found.items()}
        for (evaluation, measure), (name, of) in MEASURES.items():
            score = found[name].score(of)
            parts = {key.replace(" ", "_"): value for key, value in score.parts.items()}
            named = {"system": system, "evaluation": evaluation, "measure": measure}
            bounds = dict(intervals[name].loc[of, ["n", "lower", "upper"]])
            rows.append(common | named | recipe.counted(score) | bounds | parts)
    return results_table(rows)


@recipe.takes_setting(Setting)
def table3(setting: Setting, system: str = LEXICALISED) -> pd.DataFrame:
    """Table 3: evaluation 1 by relation.

    Parameters
    ----------
    setting, **choices
        As in `table2`.
    system : str
        One of `analysis.papers.clark2002.setting.system_names`.

    Returns
    -------
    DataFrame
        ``parent``, ``head``, ``sister``, ``ref``, ``test``, ``LP``, ``LR`` (percent), the counts behind these, the most
        frequent relations first; the head of the sentence has ``HEAD`` as its head and no parent or sister.
    """
    relations = evaluations(setting, system)["tree dependencies"].relations
    columns = ["parent", "head_label", "sister", "ref", "test", "LP", "LR", "matched_ref", "matched_test"]
    return recipe.in_percent(relations[columns], ["LP", "LR"]).rename(columns={"head_label": "head"})


@recipe.takes_setting(Setting)
def table4(setting: Setting, system: str = LEXICALISED) -> pd.DataFrame:
    """Table 4: evaluation 2 by relation.

    Parameters
    ----------
    setting, system, **choices
        As in `table3`.

    Returns
    -------
    DataFrame
        ``functor``, ``slot``, ``description`` (the paper's, of the relations that it lists), ``LP``, ``test``, ``LR``,
        ``ref``, ``F`` (percent), and the counts; the most frequent relations first.
    """
    relations = evaluations(setting, system)["predicate-argument dependencies"].relations
    described = _printed_relations(4).drop_duplicates(["functor", "slot"]).set_index(["functor", "slot"])["description"]
    table = recipe.in_percent(relations, ["LP", "LR", "F"]).rename(columns={"category": "functor"})
    plain = table["functor"].str.replace("[nb]", "", regex=False)
    table["description"] = [described.get(key, "") for key in zip(plain, table["slot"], strict=True)]
    return table[["functor", "slot", "description", "LP", "test", "LR", "ref", "F", "matched_ref", "matched_test"]]


def plain_category(text: str) -> str:
    r"""A printed category without the indices of heads.

    Examples
    --------
    >>> plain_category(r"(S_x\NP_y)\(S_{x,1}\NP_y)/NP_2")
    '((S\\NP)\\(S\\NP))/NP'
    """
    return str(parse_category(re.sub(r"_(\{x,1\}|[xy12])", "", text)))


def _printed_relations(number: int) -> pd.DataFrame:
    """The printed Table 3 or 4, one row per number; functors are plain categories."""
    table = recipe.printed("clark2002", FILES[number])
    return table.assign(functor=table["functor"].map(plain_category)) if number == 4 else table


def compare(table: pd.DataFrame) -> pd.DataFrame:
    """Compare a table with the printed one; see `analysis.papers.recipe.compare`.

    The printed numbers are those of the authors' parser on section 23 of CCGbank: other corpora cannot reproduce them;
    they are shown for reference, not for comparison.

    Parameters
    ----------
    table : DataFrame
        From `table2`, `table3` or `table4`.

    Returns
    -------
    DataFrame

    Raises
    ------
    ValueError
        If it is none of these.

    Examples
    --------
    >>> compare(table2(test_sentences=50))["reproducible"].unique().tolist()
    ['not at all']
    """
    known = {2: ["evaluation", "measure"], 3: ["parent", "head", "sister"], 4: ["functor", "slot"]}
    number = next((number for number, keys in known.items() if set(keys) <= set(table.columns)), None)
    if number is None:
        raise ValueError("compare takes a table of table2, table3 or table4.")
    on, theirs = known[number], _printed_relations(number)
    if number == 2:
        kept = [*on, "value", "unit", "numerator", "denominator", "lower", "upper"]
        parts = {
            names: recipe.compare(part[kept], theirs, on, percent=True,
                                  reproducible="at best approximately" if names[1] == "ccgbank" else "not at all")
            for names, part in table.groupby(["system", "corpus"], sort=False)
        }  # fmt: skip
        return pd.concat(parts, names=["system", "corpus"]).reset_index(["system", "corpus"]).reset_index(drop=True)
    measures = [name for name in ("ref", "test", "LP", "LR", "F") if name in table.columns]
    long = table.melt(id_vars=on, value_vars=measures, var_name="measure", value_name="value")
    long = theirs[on].drop_duplicates().merge(long, on=on, how="left").dropna(subset=["measure"])
    absent = "the relation does not occur in this corpus"
    return recipe.compare(long, theirs, [*on, "measure"], reproducible="not at all", why=absent)


def implied_numbers() -> pd.DataFrame:
    r"""Check the numbers of the printed Tables 3 and 4 against each other.

    A relation's number of correct dependencies c must be whole, and 100 c / test round to LP, 100 c / ref to LR; the
    F-score must be 2 LP LR / (LP + LR), which the paper computed from the rounded LP and LR.

    Returns
    -------
    DataFrame
        One row per relation: ``table``, ``row``, ``relation``, ``LP``, ``test``, ``LR``, ``ref``, ``correct`` (the
        whole numbers that fit LP, and LR, and both), ``consistent``, ``F_printed``, ``F_implied``, ``F_same``.

    Examples
    --------
    >>> implied = implied_numbers()
    >>> implied.loc[~implied["consistent"], "relation"].tolist()
    ['HEAD', 'S[dcl]\\NP, (S[dcl]\\NP)/NP, NP']
    >>> bool(implied["F_same"].dropna().all())
    True
    """
    tables = []
    for number, names, mark in ((3, ["parent", "head", "sister"], ", "), (4, ["functor", "slot"], " ")):
        theirs = recipe.printed("clark2002", FILES[number]).assign(table=number)
        parts = theirs[names].astype("str").itertuples(index=False)
        theirs["relation"] = [mark.join(filter(None, part)) for part in parts]
        tables.append(theirs.set_index(["table", "row", "relation", "measure"])["value"].unstack(sort=False))
    table = pd.concat(tables).reset_index().astype({"test": "int64", "ref": "int64"})
    by_precision, by_recall = (
        [_whole(*pair) for pair in table[names].itertuples(index=False)] for names in (["LP", "test"], ["LR", "ref"])
    )
    both = [sorted(set(one) & set(other)) for one, other in zip(by_precision, by_recall, strict=True)]
    theirs, ours = table["F"], 2 * table["LP"] * table["LR"] / (table["LP"] + table["LR"])
    return table[["table", "row", "relation", "LP", "test", "LR", "ref"]].assign(
        fits_LP=[_span(fit) for fit in by_precision], fits_LR=[_span(fit) for fit in by_recall],
        correct=[_span(fit) for fit in both], consistent=[bool(fit) for fit in both],
        F_printed=theirs, F_implied=ours.round(2), F_same=(ours - theirs).abs() <= 0.05 + 1e-9,
    )  # fmt: skip


def _whole(percent: float, total: int) -> list[int]:
    """Whole numbers whose share of the total rounds to a percentage with one digit."""
    near = round(percent * total / 100)
    return [c for c in range(near - 10, near + 11) if abs(100 * c / total - percent) <= 0.05 + 1e-9]


def _span(numbers: list[int]) -> str:
    if not numbers:
        return "none"
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def relations_seen() -> pd.DataFrame:
    r"""Which relations each evaluation represents (section 5.4), each shown on a phrase.

    Returns
    -------
    DataFrame
        ``relation``, ``phrase``, ``evaluation_1`` and ``evaluation_2`` (the relations that it has for the two words, or
        ``none``).

    Examples
    --------
    >>> table = relations_seen().set_index("relation")
    >>> table.loc["object, extracted", "evaluation_1"], table.loc["object, extracted", "evaluation_2"]
    ('none', '(S[pt]\\NP)/NP 2')
    """
    result = []
    for relation, tree, one, other in RELATIONS:
        bank = treebank(tree) if tree else worked_example()[0]
        words = bank.tree(0).words
        pair = {words.index(one) + 1, words.index(other) + 1 if other else 0}
        local = tree_dependencies(bank, bank, heads="rule", punctuation=False).items.query("side == 'gold'")
        seen = [
            ", ".join(filter(None, (row.parent, row.head_label, row.sister)))
            for row in local.itertuples()
            if {row.head, row.dependent} == pair
        ]
        deep = extract_dependencies(bank).dependencies
        found = [f"{row.category} {row.slot}" for row in deep.itertuples() if {row.functor, row.argument} == pair]
        result.append((relation, " ".join(words), "; ".join(seen) or "none", "; ".join(found) or "none"))
    return pd.DataFrame(result, columns=["relation", "phrase", "evaluation_1", "evaluation_2"])


def list_scores() -> pd.DataFrame:
    """A list of three conjuncts bracketed to the right, against itself bracketed to the left.

    Returns
    -------
    DataFrame
        ``evaluation``, ``labelled_recall``.
    """
    found = evaluate(*(treebank(tree) for tree in LISTS), heads="rule", punctuation=False)
    rows = [(one.name, float(one.score("labelled recall"))) for one in found if one.name != "lexical categories"]
    return pd.DataFrame(rows, columns=["evaluation", "labelled_recall"])


def collins() -> pd.DataFrame:
    """Collins's (1999) scores as printed in the paper, with this parser's, and why they are not comparable.

    Beside them the stored scores of a treebank grammar on the Penn sample, which is not his parser: see
    `analysis.papers.clark2002.treebank_grammar`.

    Returns
    -------
    DataFrame
        ``measure``, ``collins``, ``clark_and_hockenmaier`` (printed), ``treebank PCFG (not Collins)``,
        ``why_not_comparable``; in percent.

    Examples
    --------
    >>> collins()["collins"].tolist()
    [88.3, 88.0, 90.9, 88.3]
    """
    facts = recipe.printed("clark2002", "facts").set_index("id")["value"]
    ours = recipe.printed("clark2002", "table2_results").set_index(["evaluation", "measure"])["value"]
    labels = "labels are CCG categories, which encode complements and extraction; his are phrase labels, normalised"
    flat = "Penn trees are flat: fewer brackets, fewer errors for a wrong attachment; other labels"
    rows = [
        ("Parseval LP", ("Parseval", "LP"), flat),
        ("Parseval LR", ("Parseval", "LR"), flat),
        ("tree dependencies, unlabelled recall", ("dependency evaluation 1", "UR"), "nearly comparable: one "
         "relation a word in both; heads are chosen by other rules"),
        ("tree dependencies, labelled recall", ("dependency evaluation 1", "LR"), labels),
    ]  # fmt: skip
    runs = stand_in()
    beside = runs[runs["system"] == STAND_IN].set_index(["evaluation", "measure"])["recomputed"]
    return pd.DataFrame(
        [(name, float(facts[COLLINS[key]]), float(ours[key]), float(beside[key]), why) for name, key, why in rows],
        columns=["measure", "collins", "clark_and_hockenmaier", STAND_IN, "why_not_comparable"],
    )


@recipe.takes_setting(Setting)
def long_range(setting: Setting, system: str = LEXICALISED) -> pd.DataFrame:
    """Evaluation 2 by how an argument reaches its slot: in situ, over control and auxiliaries, or extracted.

    Section 5.3 calls for this distinction.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        Name of a system.

    Returns
    -------
    DataFrame
        ``range``, ``ref``, ``test``, ``LP``, ``LR`` and the counts behind them.
    """
    items = evaluations(setting, system)["predicate-argument dependencies"].items
    ranges, sides = ("local", "shared", "extracted"), ("gold", "predicted")
    pairs = pd.MultiIndex.from_product([ranges, sides], names=["range", "side"])
    counts = items.groupby(["range", "side"])["matched"].agg(["size", "sum"]).reindex(pairs, fill_value=0)
    (ref, matched_ref), (test, matched_test) = (counts.xs(side, level="side").T.to_numpy() for side in sides)
    table = pd.DataFrame({"range": ranges, "ref": ref, "test": test, "matched_test": matched_test,
                          "matched_ref": matched_ref})  # fmt: skip
    table["LP"], table["LR"] = (100 * table[f"matched_{side}"] / table[side] for side in ("test", "ref"))
    columns = ["range", "ref", "test", "LP", "LR", "matched_test", "matched_ref"]
    return table[columns].astype({"LP": "Float64", "LR": "Float64"})
