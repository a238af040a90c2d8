"""Tables 2 to 4, what the printed ones imply, and which relations each evaluation sees."""

import pandas as pd

from analysis.ccg import bootstrap_intervals, extract_dependencies, tree_dependencies, treebank, worked_example
from analysis.ccg.examples import EATING_BEANS
from analysis.papers import recipe
from analysis.papers.clark2002.setting import (
    LEXICALISED,
    Setting,
    data,
    evaluations,
    system_names,
)
from analysis.papers.recipe import takes_setting
from analysis.structures import results_table
from analysis.structures.ccg_category import parse_category

#: The measures of Table 2: evaluation and measure as printed, and as this suite calls them.
TABLE_2 = {
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

_KEYS = ["evaluation", "measure"]

#: Printed functors of Table 4 as plain categories.
_PRINTED_FUNCTORS = {r"(S_x\NP_y)\(S_{x,1}\NP_y)/NP_2": r"((S\NP)\(S\NP))/NP"}


@takes_setting(Setting)
def table2(setting: Setting) -> pd.DataFrame:
    """Table 2: the scores of all three evaluations, for every parser at hand.

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
    for system in system_names(setting):
        found = evaluations(setting, system)
        draws = {"resamples": setting.resamples, "random_state": setting.seed}
        intervals = {name: bootstrap_intervals(one, **draws).set_index("measure") for name, one in found.items()}
        for (evaluation, measure), (name, of) in TABLE_2.items():
            score, bounds = found[name].score(of), intervals[name].loc[of]
            counts = {"value": score.value, "numerator": score.numerator, "denominator": score.denominator}
            named = {"system": system, "evaluation": evaluation, "measure": measure, "unit": "proportion"}
            stated = {"convention": "; ".join(f"{key}={value}" for key, value in score.conventions.items())}
            parts = {key.replace(" ", "_"): value for key, value in score.parts.items()}
            rows.append(common | named | counts | dict(bounds[["n", "lower", "upper"]]) | stated | parts)
    return results_table(rows)


@takes_setting(Setting)
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


@takes_setting(Setting)
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
    described = {(row.functor, row.slot): row.description for row in _printed_relations().itertuples()}
    table = recipe.in_percent(relations, ["LP", "LR", "F"]).rename(columns={"category": "functor"})
    plain = table["functor"].map(lambda text: text.replace("[nb]", ""))
    table["description"] = [described.get(key, "") for key in zip(plain, table["slot"], strict=True)]
    return table[["functor", "slot", "description", "LP", "test", "LR", "ref", "F", "matched_ref", "matched_test"]]


def _printed_relations() -> pd.DataFrame:
    """The printed Table 4 with plain categories, one row a number."""
    table = recipe.printed("clark2002", "table4_relations_eval2")
    plain = {}
    for text in table["functor"].unique():
        without = _PRINTED_FUNCTORS.get(text, text)
        for mark in ("_{x,1}", "_x", "_y", "_1", "_2"):
            without = without.replace(mark, "")
        plain[text] = str(parse_category(without))
    return table.assign(functor=table["functor"].map(plain))


def compare(table: pd.DataFrame) -> pd.DataFrame:
    """Set a table beside the printed one; see `analysis.papers.recipe.compare`.

    The printed numbers are those of the authors' parser on section 23 of CCGbank: other corpora cannot reproduce them,
    and are shown beside them to be read, not compared.

    Parameters
    ----------
    table : DataFrame
        From `table2`, `table3` or `table4`.

    Raises
    ------
    ValueError
        If it is none of these.

    Examples
    --------
    >>> compare(table2(test_sentences=50))["reproducible"].unique().tolist()
    ['not at all']
    """
    columns = set(table.columns)
    if {"evaluation", "measure", "value"} <= columns:
        theirs = recipe.printed("clark2002", "table2_results")
        kept = [*_KEYS, "value", "unit", "numerator", "denominator", "lower", "upper"]
        parts = []
        for (system, corpus), part in table.groupby(["system", "corpus"], sort=False):
            how = "approximately" if corpus == "ccgbank" else "not at all"
            beside = recipe.compare(part[kept], theirs, _KEYS, reproducible=how, percent=True)
            parts.append(beside.assign(system=system, corpus=corpus))
        joined = pd.concat(parts, ignore_index=True)
        return joined[["system", "corpus", *[name for name in joined.columns if name not in ("system", "corpus")]]]
    if {"parent", "head", "sister"} <= columns:
        on, theirs = ["parent", "head", "sister"], recipe.printed("clark2002", "table3_relations_eval1")
    elif {"functor", "slot"} <= columns:
        on, theirs = ["functor", "slot"], _printed_relations()
    else:
        raise ValueError("compare takes a table of table2, table3 or table4.")
    measures = [name for name in ("ref", "test", "LP", "LR", "F") if name in table.columns]
    long = table.melt(id_vars=on, value_vars=measures, var_name="measure", value_name="value")
    long = theirs[on].drop_duplicates().merge(long, on=on, how="left").dropna(subset=["measure"])
    absent = "the relation does not occur in this corpus"
    return recipe.compare(long, theirs, [*on, "measure"], reproducible="not at all", why=absent)


def implied_numbers() -> pd.DataFrame:
    r"""What the printed Tables 3 and 4 imply of each other's numbers.

    A relation's number of correct dependencies c must be whole, and 100 c / test round to LP, 100 c / ref to LR; the
    F-score must be 2 LP LR / (LP + LR), which the paper computed from the rounded LP and LR.

    Returns
    -------
    DataFrame
        One row a relation: ``table``, ``row``, ``relation``, ``LP``, ``test``, ``LR``, ``ref``, ``correct`` (the whole
        numbers that fit LP, and LR, and both), ``consistent``, ``F_printed``, ``F_implied``, ``F_same``.

    Examples
    --------
    >>> implied = implied_numbers()
    >>> implied.loc[~implied["consistent"], "relation"].tolist()
    ['HEAD', 'S[dcl]\\NP, (S[dcl]\\NP)/NP, NP']
    >>> bool(implied["F_same"].dropna().all())
    True
    """
    rows = []
    for number, name in ((3, "table3_relations_eval1"), (4, "table4_relations_eval2")):
        table = recipe.printed("clark2002", name)
        for row, part in table.groupby("row", sort=False):
            first = part.iloc[0]
            values = dict(zip(part["measure"], part["value"].astype("float64"), strict=True))
            parts = (first["parent"], first["head"], first["sister"]) if number == 3 else (first["functor"],)
            relation = ", ".join(text for text in parts if text) + (f" {first['slot']}" if number == 4 else "")
            by_precision = _whole(values["LP"], int(values["test"]))
            by_recall = _whole(values["LR"], int(values["ref"]))
            both = sorted(set(by_precision) & set(by_recall))
            implied = 2 * values["LP"] * values["LR"] / (values["LP"] + values["LR"])
            rows.append(
                {
                    "table": number,
                    "row": row,
                    "relation": relation,
                    "LP": values["LP"],
                    "test": int(values["test"]),
                    "LR": values["LR"],
                    "ref": int(values["ref"]),
                    "fits_LP": _span(by_precision),
                    "fits_LR": _span(by_recall),
                    "correct": _span(both),
                    "consistent": bool(both),
                    "F_printed": values.get("F"),
                    "F_implied": round(implied, 2),
                    "F_same": abs(implied - values["F"]) <= 0.05 + 1e-9 if "F" in values else None,
                }
            )
    result = pd.DataFrame(rows)
    return result.astype({"F_printed": "Float64", "F_same": "boolean"})


def _whole(percent: float, total: int) -> list[int]:
    """Whole numbers whose share of the total rounds to a percentage with one digit."""
    near = round(percent * total / 100)
    return [c for c in range(near - 10, near + 11) if abs(100 * c / total - percent) <= 0.05 + 1e-9]


def _span(numbers: list[int]) -> str:
    if not numbers:
        return "none"
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def relations_seen() -> pd.DataFrame:
    r"""Which relations each evaluation sees (section 5.4), each shown on a phrase.

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
    gold = worked_example()[0]
    beans = treebank(EATING_BEANS)
    cats = treebank(
        (
            "S[dcl]",
            ("NP", ("NP", ("N", "cats")), ("NP[conj]", ("conj", "and"), ("NP", ("N", "dogs")))),
            (r"S[dcl]\NP", "sleep"),
        )
    )
    park = treebank(
        (
            "NP",
            ("NP", ("N", "dogs")),
            (r"NP\NP", (r"(NP\NP)/NP", "in"), ("NP", ("N", "parks"))),
        )
    )
    rows = [
        ("head of the sentence", beans, "has", None),
        ("coordination", cats, "cats", "dogs"),
        ("second conjunct as subject", cats, "sleep", "dogs"),
        ("object in situ", beans, "eating", "beans"),
        ("object, extracted", gold, "bought", "shares"),
        ("subject of an auxiliary", beans, "has", "John"),
        ("subject of the main verb, over the auxiliary", beans, "eating", "John"),
        ("attachment of a prepositional phrase", park, "dogs", "in"),
        ("attachment of a relative clause", gold, "shares", "that"),
        ("object of a preposition", park, "in", "parks"),
    ]
    result = []
    for name, bank, one, other in rows:
        words = bank.tree(0).words
        pair = {words.index(one) + 1, words.index(other) + 1 if other else 0}
        local = tree_dependencies(bank, bank, heads="rule", punctuation=False).items.query("side == 'gold'")
        seen = [
            ", ".join(text for text in (row.parent, row.head_label, row.sister) if text)
            for row in local.itertuples()
            if {row.head, row.dependent} == pair
        ]
        deep = extract_dependencies(bank).dependencies
        found = [f"{row.category} {row.slot}" for row in deep.itertuples() if {row.functor, row.argument} == pair]
        result.append((name, " ".join(words), "; ".join(seen) or "none", "; ".join(found) or "none"))
    return pd.DataFrame(result, columns=["relation", "phrase", "evaluation_1", "evaluation_2"])


def collins() -> pd.DataFrame:
    """Collins's (1999) scores as the paper prints them, beside this parser's, and why they do not compare.

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
        ("Parseval LP", "C10", ("Parseval", "LP"), flat),
        ("Parseval LR", "C11", ("Parseval", "LR"), flat),
        ("tree dependencies, unlabelled recall", "C13", ("dependency evaluation 1", "UR"), "nearly comparable: one "
         "relation a word in both; heads are chosen by other rules"),
        ("tree dependencies, labelled recall", "C14", ("dependency evaluation 1", "LR"), labels),
    ]  # fmt: skip
    return pd.DataFrame(
        [(name, float(facts[fact]), float(ours[key]), why) for name, fact, key, why in rows],
        columns=["measure", "collins", "clark_and_hockenmaier", "why_not_comparable"],
    )


@takes_setting(Setting)
def long_range(setting: Setting, system: str = LEXICALISED) -> pd.DataFrame:
    """Evaluation 2 by how an argument finds its slot: in situ, over control and auxiliaries, or extracted.

    The distinction that section 5.3 asks for.

    Returns
    -------
    DataFrame
        ``range``, ``ref``, ``test``, ``LP``, ``LR`` and the counts behind them.
    """
    items = evaluations(setting, system)["predicate-argument dependencies"].items
    rows = []
    for name in ("local", "shared", "extracted"):
        part = items[items["range"] == name]
        gold, test = part[part["side"] == "gold"], part[part["side"] == "predicted"]
        found = [int(side["matched"].sum()) for side in (test, gold)]
        rows.append(
            {
                "range": name,
                "ref": len(gold),
                "test": len(test),
                "LP": 100 * found[0] / len(test) if len(test) else None,
                "LR": 100 * found[1] / len(gold) if len(gold) else None,
                "matched_test": found[0],
                "matched_ref": found[1],
            }
        )
    return pd.DataFrame(rows).astype({"LP": "Float64", "LR": "Float64"})
