"""Quantities that the claims of the paper are about: one function each, named in ``data/claims/gelling2012.csv``.

Most read a table by its number: the recomputed one, or the ``printed`` one.
"""

import inspect

import numpy as np
import pandas as pd

from analysis import corpora
from analysis.corpora.universal_tags import UNIVERSAL
from analysis.dependencies import STANDARDS, attachment_scores, scores_by_length
from analysis.papers.gelling2012.measures import agreement, hardness, ranks, spread
from analysis.papers.gelling2012.runs import CLASS_MEASURES, DMVS, LOWER_IS_BETTER, TREE_MEASURES
from analysis.papers.gelling2012.setting import TESTSETS, Setting, treebank
from analysis.papers.gelling2012.tables import averages, inconsistencies, printed_averages, printed_table
from analysis.papers.recipe import Evidence, Order, order_of, printed

#: Systems of the printed tables that a claim is about.
GROUPS = {
    "entries": ("BC", "CGS", "C-c", "C-p", "G-c", "G-u"), "BC, CGS, C": ("BC", "CGS", "C-c"), "DMV": DMVS,
    "MZ": ("MZ-c", "MZ-p", "MZ-u"), "entrants": ("BH", "MZ-c", "MZ-p", "MZ-u", "S1", "S2", "Tu"),
}  # fmt: skip


# What the paper sets ------------------------------------------------------------------------------------------------


def count(setting: Setting, of: str) -> float:
    """Number of items of a kind in the setting or the suite."""
    testsets = [name for name in setting.testsets if name in TESTSETS]
    lengths = inspect.signature(scores_by_length).parameters["lengths"].default
    chosen = {
        "testsets": testsets, "languages": {corpora.dataset(treebank(name)["corpus"]).language for name in testsets},
        "tags": UNIVERSAL, "children": treebank("en-childes")["train"].split(";"), "conversions": STANDARDS,
        "class measures": CLASS_MEASURES, "tree measures": TREE_MEASURES, "lengths": (0, *lengths),
        "short": range(setting.short),
    }  # fmt: skip
    return float(len(chosen[of]))


def punctuation_in_lengths(setting: Setting) -> str:
    """Whether punctuation counts in the length of a sentence: a word and a mark are two tokens, or one."""
    two = pd.DataFrame({"sentence": 0, "form": ["go", "!"], "universal": ["VERB", "PUNCT"], "head": [0, 1]})
    return (
        "not counted"
        if attachment_scores(two, [0, 1], max_length=1, punctuation=False).directed.denominator
        else "counted"
    )


# Tables and averages ------------------------------------------------------------------------------------------------


def _table(of: Evidence, number: int, source: str) -> pd.DataFrame:
    return printed_table(number) if source == "printed" else of(f"table{number}")


def _wide(table: pd.DataFrame, row: str = "testset") -> pd.DataFrame:
    """Directed accuracy, one column per system."""
    rows = table[table["measure"] == "directed"]
    return rows.pivot(index=row, columns="system", values="value").astype("float64")


def _margin(table: pd.DataFrame, systems: tuple[str, ...], over: tuple[str, ...] = ("LB", "RB")) -> pd.DataFrame:
    """Directed accuracy of systems minus the better of some others, on each test set."""
    wide = _wide(table)
    return wide[list(systems)].sub(wide[list(over)].max(axis=1), axis=0)


def _means(of: Evidence, number: int, source: str) -> pd.Series:
    """Averages by measure and system."""
    found = printed_averages(number) if source == "printed" else averages(_table(of, number, source))
    return found.set_index(["measure", "system"])["value"].astype("float64")


def order(
    of: Evidence,
    number: int,
    measures: str,
    among: str = "",
    first: int | None = None,
    last: bool = False,
    source: str = "recomputed",
    *,
    needs: str = "",
) -> Order | None:
    """Systems of a group, or all, ordered by their average on each measure: best first (or worst); or the first few.

    None if a system that the claim needs has no average.
    """
    ranked = []
    for measure in measures.split(", "):
        means = _means(of, number, source)[measure]
        if needs and needs not in means.index:
            return None
        chosen = {name: means[name] for name in means.index if not among or name in GROUPS[among]}
        places = order_of(chosen, lowest_first=(measure in LOWER_IS_BETTER) != last)
        ranked += list(zip(*places, strict=True))[:first]
    return Order(*zip(*ranked, strict=True))


def testsets(of: Evidence, by: str, first: int = 2, last: bool = False, source: str = "recomputed") -> Order | None:
    """The first (or last) of the paper's test sets, from the lowest, by a mean over systems or another number."""
    number, _, measure = by.partition(" ")
    if by == "agreement":  # of directed accuracy and NED
        pairs = agreement(3).query("measure_a == 'directed' and measure_b == 'NED'")
        values = pairs.set_index("testset")["rho"]
    elif by == "effect of tags":  # on the directed accuracy of DMV
        values = _wide(printed_table(3))[list(DMVS)].agg(np.ptp, axis=1)
    elif by in ("tokens", "postag"):  # of the training data
        rows = printed("gelling2012", "table1_treebanks").query("partition == 'train' and property == @by")
        values = rows.set_index("testset")["value"].astype("float64")
    elif by == "crossing edges":
        values = of("gold_edges").query("relation == 'all'").set_index("testset")["share"]
    else:
        values = hardness(int(number), _table(of, int(number), source), measure).set_index("testset")["value"]
    found = order_of(values[values.index.isin(TESTSETS)].to_dict(), lowest_first=not last)
    return Order(found.names[:first], found.values[:first]) if len(found.names) == len(TESTSETS) else None


def lowest_agreement(of: Evidence, number: int, source: str = "recomputed") -> dict[str, float]:
    """The pair of measures with the lowest rank correlation over the systems' averages."""
    pairs = agreement(number, _table(of, number, source)).query("testset == 'averages'")
    row = pairs.sort_values("rho", kind="stable").iloc[0]
    return {f"{row['measure_a']}, {row['measure_b']}": float(row["rho"])}


def against_directed(of: Evidence, column: str, source: str = "recomputed") -> dict[str, float]:
    """Mean or deviation over systems of undirected accuracy and NED, minus that of directed accuracy."""
    found = spread(3, _table(of, 3, source)).set_index("measure")[column]
    return {name: float(found[name] - found["directed"]) for name in ("undirected", "NED")}


def lowest_gain(of: Evidence, source: str = "recomputed") -> dict[str, float]:
    """Where DMV gains least over its harmonic initialiser in directed accuracy."""
    gains = _margin(_table(of, 3, source), DMVS, ("H",)).unstack().swaplevel()
    return {" ".join(map(str, gains.idxmin())): float(gains.min())}


def slight_gains(of: Evidence, below: float, source: str = "recomputed") -> float:
    """Share of cases in which DMV gains something over its harmonic initialiser, but less than so many points.

    A case is a test set with one kind of tags; points are of directed accuracy.
    """
    gains = _margin(_table(of, 3, source), DMVS, ("H",)).to_numpy() * (1 if source == "printed" else 100)
    gains = gains[np.isfinite(gains)]
    return float(((gains > 0) & (gains < below)).mean())


def entrants_over_dmv(of: Evidence, source: str = "recomputed") -> float:
    """Directed accuracy of an entrant minus that of the best DMV in points: median over entrants and test sets."""
    table = _table(of, 3, source)
    margins = _margin(table, tuple(name for name in GROUPS["entrants"] if name in set(table["system"])), DMVS)
    return float(np.median(margins.to_numpy())) * (1 if source == "printed" else 100)


def least_against_others(of: Evidence, system: str, source: str = "recomputed") -> dict[str, float]:
    """The test set where an entrant is least above the mean of the others, in points of directed accuracy."""
    wide = _wide(_table(of, 3, source)) * (1 if source == "printed" else 100)
    others = [name for name in GROUPS["entrants"] if name in wide and name != system]
    margins = wide[system] - wide[others].mean(axis=1)
    return {str(margins.idxmin()): float(margins.min())}


def less_sensitive(of: Evidence, source: str = "recomputed") -> dict[str, float] | None:
    """Deviation over test sets against universal tags minus that against fine tags, mean over systems, by measure.

    VI, in bits, is left out: it is not bounded, and grows with the number of tags.
    """
    means = {}
    for number in (2, 7):
        table = _table(of, number, source)
        if table["testset"].nunique() < 2:
            return None
        values = table.astype({"value": "float64"}).groupby(["measure", "system"])["value"].std(ddof=1)
        means[number] = values.groupby("measure").mean()
    return {name: float(means[2][name] - means[7][name]) for name in CLASS_MEASURES if name not in LOWER_IS_BETTER}


def _relation_testset(of: Evidence) -> str:
    """The test set of Table 6, or that in its place."""
    return "en-ptb" if "en-ptb" in of.setting.testsets else str(of.setting.testsets[0])


def relation_gap(of: Evidence, source: str = "recomputed") -> dict[str, float]:
    """Points between the mean accuracy (over systems) of NMOD and those of SBJ and OBJ in Table 6."""
    table, scale = _table(of, 6, source), 1 if source == "printed" else 100
    if source != "printed":
        table = table[table["testset"] == _relation_testset(of)]
    means = scale * table.astype({"value": "float64"}).groupby("relation")["value"].mean()
    return {name: float(abs(means["NMOD"] - means[name])) for name in ("SBJ", "OBJ")}


def relation_lengths(of: Evidence) -> dict[str, float]:
    """By how many words the gold edges of NMOD are longer than those of SBJ and OBJ."""
    rows = of("gold_edges").query("testset == @name", local_dict={"name": _relation_testset(of)})
    means = rows.set_index("relation")["length"]
    return {name: float(means["NMOD"] - means[name]) for name in ("SBJ", "OBJ")}


def loop_gain(of: Evidence) -> float | None:
    """How much more the tags gain from the first round of the loop to the last than the trees, in points."""
    rounds = of("loop_rounds")
    if rounds.empty:
        return None
    gains = 100 * (rounds.iloc[-1][["VM", "directed"]] - rounds.iloc[0][["VM", "directed"]])
    return float(gains["VM"] - gains["directed"])


def gain_from_words(of: Evidence, systems: str, source: str = "recomputed") -> dict[str, float]:
    """Average of DMV on clusters of words, minus that on gold tags, by measure: the highest of the systems."""
    gains = (_means(of, 4, source) - _means(of, 3, source)).dropna()
    gains = gains[gains.index.get_level_values("system").isin(systems.split())].unstack("measure")
    return {name: float(gains[name].max()) for name in TREE_MEASURES}


def lexical_loss(of: Evidence, source: str = "recomputed") -> float | None:
    """Accuracy on the better of lexical and oldLTH, minus that on the worst other conversion: median over systems."""
    wide = _wide(_table(of, 5, source), "conversion").T
    if wide.empty:
        return None
    low = wide[["lexical", "oldLTH"]].max(axis=1) - wide[["standard", "conll2007", "functional"]].min(axis=1)
    return float(low.median())


def margin_by_conversion(
    of: Evidence, system: str, conversions: str, source: str = "recomputed"
) -> dict[str, float] | None:
    """Directed accuracy of a system minus that of the best other system on some conversions of Table 5, in points."""
    wide = _wide(_table(of, 5, source), "conversion") * (1 if source == "printed" else 100)
    if system not in wide:
        return None
    others = wide.drop(columns=system).max(axis=1)
    return {name: float(wide.loc[name, system] - others[name]) for name in conversions.split()}


# The printed tables ---------------------------------------------------------------------------------------------------


def printed_count(of: Evidence, what: str) -> float:
    """A count in the printed tables."""
    three, five, eight = (_wide(printed_table(number), row) for number, row in
                          ((3, "testset"), (5, "conversion"), (8, "testset")))  # fmt: skip
    best = printed("gelling2012", "table5_ptb_conversions_best").set_index("system")["value"].astype("float64")
    counted = {
        "BC best by VM": printed_table(2).query("measure == 'VM' and bold")["system"].eq("BC").sum(),
        "relations": printed_table(6)["relation"].nunique(),
        "maxima": five.max().eq(best).sum(),  # columns of Table 5 whose maximum is the row best
        "same in Tables 3 and 8": (three == eight).to_numpy().sum(),
        **inconsistencies()["kind"].value_counts(),  # averages with a wrong digit, rows with wrong bold
    }
    return float(counted[what])


def above_baselines(of: Evidence) -> float:
    """Share of test sets and measures of Table 2 on which a system is above B and MK with as many classes."""
    wide = printed_table(2).pivot(index=["measure", "testset"], columns="system", values="value").astype("float64")
    wide.loc[list(LOWER_IS_BETTER)] *= -1
    pairs = [(system, f"{model}-{system.partition('-')[2] or 'p'}") for model in ("B", "MK")
             for system in ("BC", "C-c", "C-p", "G-c", "G-u")]  # fmt: skip
    gains = pd.concat([wide[one] - wide[other] for one, other in pairs]).dropna()
    return float((gains > 0).mean())


def hard_for_entrants(of: Evidence) -> Order:
    """Test sets on which more than half of the entrants are below the better branching baseline."""
    below = (_margin(printed_table(3), GROUPS["entrants"]) < 0).sum(axis=1).astype(float)
    below = below[below > len(GROUPS["entrants"]) / 2]
    return Order(tuple(below.index), tuple(below))


def places(of: Evidence, system: str) -> dict[str, str]:
    """Rank of a system by the averages of Table 3."""
    found = ranks(3).query("system == @system").set_index("measure")["rank"]
    return {name: f"{found[name]:.0f}" for name in TREE_MEASURES}


def spread_by_relation(of: Evidence, relations: str) -> dict[str, float]:
    """Points between the highest and the lowest system of a relation in Table 6."""
    found = printed_table(6).groupby("relation")["value"].agg(lambda values: float(values.max() - values.min()))
    return {name: float(found[name]) for name in relations.split()}


def bold_by_conversion(of: Evidence) -> dict[str, str]:
    """The best system of each conversion in Table 5."""
    return printed_table(5).query("bold").groupby("conversion")["system"].agg(" and ".join).to_dict()


def tables_with(of: Evidence, system: str) -> list[str]:
    """The printed tables of trees that have a system."""
    return [f"Table {number}" for number in (3, 4, 5, 6, 8, 9) if system in set(printed_table(number)["system"])]


def missing(of: Evidence, testset: str, system: str) -> list[str]:
    """Whether a system has no value on a test set in Tables 4 and 9."""
    both = [printed_table(number).set_index(["testset", "system"])["value"] for number in (4, 9)]
    return ["N/A" if values[testset, system].isna().all() else "values" for values in both]


# The recomputation ----------------------------------------------------------------------------------------------------


def age(of: Evidence, bound: str) -> float | None:
    """Age in months of the youngest or oldest child, from the comments of the open treebank."""
    ages = of("ages")
    return float(getattr(ages, bound)()) if len(ages) else None


def margin_over_branching(of: Evidence, exceptions: float) -> float:
    """Margin of DMV over the better branching baseline on the worst test set, except for a share of exceptions."""
    margins = _margin(of("table3"), DMVS).max(axis=1).sort_values()
    return float(margins.iloc[int(exceptions * len(margins))])


def fall_with_length(of: Evidence, edges: int) -> dict[str, float] | None:
    """The system whose accuracy falls least from dependencies of one word to those of nine.

    Only test sets that have so many edges of both lengths count. None if there is none.
    """
    rows = of("figure1").query("measure == 'directed' and denominator >= @edges", local_dict={"edges": edges})
    wide = rows.pivot(index=["testset", "system"], columns="length", values="value").astype("float64")
    falls = (wide[1] - wide[9]).dropna() if {1, 9} <= set(wide.columns) else pd.Series(dtype="float64")
    return {" ".join(map(str, falls.idxmin())): float(falls.min())} if len(falls) else None


def clusters_effect(of: Evidence) -> dict[str, float]:
    """For each doubling of the number of clusters: how much M-1 rises and 1-1 falls, mean over B and MK."""
    means = of("curves").groupby(["measure", "k"])["value"].mean().astype("float64").unstack("measure")
    slopes = {name: float(np.polyfit(np.log2(means.index.to_numpy(dtype=float)), means[name], 1)[0]) for name in means}
    return {"rise of M-1": slopes["M-1"], "fall of 1-1": -slopes["1-1"]}
