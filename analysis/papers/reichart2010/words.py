"""Words, their classes and their frequencies: the numbers of the text, the mappings, the restarts, the examples."""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from analysis.categories import (
    Contingency,
    TypeTable,
    conditional_entropy_of_classes,
    micro_i,
    normalised_variation_of_information,
    one_to_one,
    type_level_scores,
    type_mapping,
    v_measure,
)
from analysis.papers.comparison import printed
from analysis.papers.reichart2010.evaluation import MEASURES, evaluations, lexicons, scored_tokens
from analysis.papers.reichart2010.setting import Setting, data, make_setting
from analysis.papers.reichart2010.systems import SYSTEMS, System, fit, systems
from analysis.structures import Score


def lexicon_statistics(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """How words, tags and tokens are spread in the gold standard: what the paper says of it in sections 2 and 5.

    Returns
    -------
    DataFrame
        ``fact`` (id in the printed facts, if the paper gives the number), ``statistic``, ``value`` (in percent for
        shares), ``numerator``, ``denominator``, ``printed``.

    References
    ----------
    Reichart, Abend & Rappoport (2010), sections 2, 5.1 and 5.2.
    """
    chosen = make_setting(setting, choices)
    tokens = data(chosen.corpus).tokens
    table = pd.DataFrame({"form": tokens["form"].astype("str"), "gold": tokens[chosen.gold].astype("str")})
    kept = table[~table["gold"].isin(chosen.leave_out)]
    words = kept["form"].value_counts()
    tags = kept["gold"].value_counts()
    pairs = kept.groupby(["form", "gold"]).size()
    classes = pairs.groupby(level="form").size()
    top_share = pairs.groupby(level="form").max() / words.reindex(classes.index)
    several = classes.index[classes > 1]
    strongly = classes.index[(classes > 1) & (top_share <= 0.95)]
    everything = table["form"].value_counts()
    frequent = words.index[:100]
    prominent = tags.index[:17]
    n, types = len(kept), len(words)
    rows: list[tuple[str, str, int, int | None]] = [
        ("R19", "sentences", int(tokens["sentence"].nunique()), None),
        ("R20", "tokens", len(table), None),
        ("R21", "types", int(table["form"].nunique()), None),
        ("R22", "tokens that are scored", n, None),
        ("", "types that are scored", types, None),
        ("R23", "tokens that are scored, share", n, len(table)),
        ("R24", "punctuation tokens, share", len(table) - n, len(table)),
        ("R31", "gold classes", int(table["gold"].nunique()), None),
        ("R32", "gold classes that are punctuation", int(table["gold"].nunique()) - len(tags), None),
        ("R15", "gold classes that are scored", len(tags), None),
        ("R12", "tokens of the 100 most frequent types", int(words.iloc[:100].sum()), n),
        ("R14", "classes with one of the 100 most frequent types", kept[kept["form"].isin(frequent)]["gold"].nunique(),
         None),
        ("R29", "tokens of the 17 most frequent tags", int(tags.iloc[:17].sum()), n),
        ("R30", "types with one of the 17 most frequent tags",
         int(pairs.index.get_level_values("form")[pairs.index.get_level_values("gold").isin(prominent)].nunique()),
         types),
        *((fact, f"types with {name}", int(found.sum()), types) for fact, name, found in (
            ("R55", "one tag", classes == 1), ("R56", "two tags", classes == 2), ("R57", "three tags", classes == 3),
            ("R58", "more than three tags", classes > 3))),
        ("R46", "polysemous types", len(several), types),
        ("R43", "tokens of polysemous types, of all tokens", int(everything[several].sum()), len(table)),
        ("", "tokens of polysemous types, punctuation left out", int(words[several].sum()), n),
        ("R52", "tokens of types that are polysemous but not weakly", int(words[strongly].sum()), n),
    ]  # fmt: skip
    for name, tag_set, facts in (
        ("prepositions (IN)", ["IN"], ("R04", "R05")),
        ("prepositions (IN, TO)", ["IN", "TO"], ("", "")),
        ("determiners (DT)", ["DT"], ("R06", "R07")),
    ):
        if set(tag_set) <= set(tags.index):
            of = kept[kept["gold"].isin(tag_set)]
            rows.append((facts[0], f"types that are {name}", int(of["form"].nunique()), types))
            rows.append((facts[1], f"tokens that are {name}", len(of), n))
            rows.append(("", f"tokens that are {name}, of all tokens", len(of), len(table)))
    result = pd.DataFrame(rows, columns=["fact", "statistic", "numerator", "denominator"])
    result = result.astype({"numerator": "Int64", "denominator": "Int64"})
    shares = 100 * result["numerator"].astype("Float64") / result["denominator"].astype("Float64")
    result.insert(2, "value", shares.fillna(result["numerator"].astype("Float64")))
    theirs = pd.to_numeric(printed("reichart2010", "facts").set_index("id")["value"], errors="coerce")  # one is "e"
    result["printed"] = pd.array([theirs.get(fact, pd.NA) for fact in result["fact"]], dtype="Float64")
    return result


def word_frequencies(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """The words that are scored, most frequent first: ``form``, ``rank``, ``frequency``, ``classes``, ``gold``.

    ``gold`` is the word's most frequent class (of equal ones the first by name), ``in_gold`` how many of its tokens
    have it.
    """
    chosen = make_setting(setting, choices)
    tokens = data(chosen.corpus).tokens
    table = pd.DataFrame({"form": tokens["form"].astype("str"), "gold": tokens[chosen.gold].astype("str")})
    table = table[~table["gold"].isin(chosen.leave_out)]
    pairs = table.groupby(["form", "gold"]).size().rename("in_gold").reset_index()
    pairs = pairs.sort_values(["form", "in_gold", "gold"], ascending=[True, False, True])
    by_form = pairs.groupby("form", sort=False)
    words = by_form.first().assign(frequency=by_form["in_gold"].sum(), classes=by_form.size()).reset_index()
    words = words.sort_values(["frequency", "form"], ascending=[False, True], ignore_index=True)
    words["rank"] = np.arange(1, len(words) + 1)
    return words[["form", "rank", "frequency", "classes", "gold", "in_gold"]]


def zipf(setting: Setting | None = None, *, points: int = 25, **choices: object) -> pd.DataFrame:
    """Scores of a clustering that is right about some words only: the most frequent ones, or the rarest.

    The words that it is right about are in the cluster of their most frequent class; all others are in one cluster.

    Parameters
    ----------
    points : int
        Numbers of words, spread evenly on a logarithmic scale.

    Returns
    -------
    DataFrame
        ``order`` (frequent words first, rare words first), ``right`` (number of types), ``share`` of types,
        ``measure`` (1-1 on tokens, MicroI 1-1 on types), ``value``.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 2.
    """
    chosen = make_setting(setting, choices)
    words = word_frequencies(chosen)
    counts = counted_words(chosen)
    n = len(words)
    numbers = np.unique(np.r_[0, np.geomspace(1, n, points).round().astype(int)])
    rows = []
    for order, ranked in (("frequent words first", words), ("rare words first", words.iloc[::-1])):
        for right in numbers.tolist():
            clusters = ranked["gold"].where(np.arange(n) < right, "all others")
            pair = score_word_clusters(counts, pd.Series(clusters.to_numpy(), index=ranked["form"]))
            rows += [
                (order, right, right / n, measure, float(score))
                for measure, score in zip(("1-1", "MicroI 1-1"), pair, strict=True)
            ]
    return pd.DataFrame(rows, columns=["order", "right", "share", "measure", "value"])


class CountedWords(NamedTuple):
    """How often each scored word has each gold class.

    Attributes
    ----------
    forms : Index
        The words, in code-point order.
    classes : Index
        In code-point order.
    tokens : csr_array of int64, shape (n_types, n_classes)
    """

    forms: pd.Index
    classes: pd.Index
    tokens: csr_array


@lru_cache(maxsize=4)
def counted_words(setting: Setting) -> CountedWords:
    """Tokens of each scored word by gold class, once for many clusterings of the same words."""
    tokens = data(setting.corpus).tokens
    table = pd.DataFrame({"form": tokens["form"].astype("str"), "gold": tokens[setting.gold].astype("str")})
    table = table[~table["gold"].isin(setting.leave_out)]
    forms, classes = (pd.Index(sorted(table[column].unique())) for column in ("form", "gold"))
    places = (forms.get_indexer(table["form"]), classes.get_indexer(table["gold"]))
    counts = csr_array((np.ones(len(table), dtype=np.int64), places), shape=(len(forms), len(classes)))
    counts.sum_duplicates()
    return CountedWords(forms, classes, counts)


def score_word_clusters(words: CountedWords, clusters: pd.Series) -> tuple[Score, Score]:
    """Score a clustering with one cluster a word on tokens and on types, both one to one.

    Parameters
    ----------
    words : CountedWords
    clusters : Series
        Name of the cluster by word.

    Returns
    -------
    accuracy, micro_i : Score
        One-to-one accuracy of tokens (optimal), and MicroI 1-1.
    """
    codes, names = pd.factorize(clusters.reindex(words.forms).astype("str").to_numpy(), sort=True)
    n = len(words.forms)
    induced = csr_array((np.ones(n, dtype=np.int64), (np.arange(n), codes)), shape=(n, len(names)))
    gold = words.tokens.astype(bool).astype(np.int64)
    names = pd.Index(names)
    tokens = Contingency(csr_array(words.tokens.T @ induced), words.classes, names)
    types = TypeTable(gold, induced, words.forms, words.classes, names)
    return one_to_one(tokens, assignment="optimal"), micro_i(types)


# Mappings and restarts ------------------------------------------------------------------------------------------------


def restarts(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """What each start of hill climbing reaches, for every run of Table 1, both initialisations and three measures.

    Returns
    -------
    DataFrame
        ``measure``, ``initialisation``, ``restart``, ``value``, ``passes``, ``system``, ``corpus``, ``k``, ``seed``,
        ``of_best`` (the value over the best of its run and measure, whichever way it started).
    """
    table = evaluations(make_setting(setting, choices)).restarts.copy()
    best = table.groupby(["system", "seed", "measure"])["value"].transform("max")
    return table.assign(of_best=table["value"] / best)


def restart_spread(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """How far the best starts lie from the best one, in percent of it.

    Returns
    -------
    DataFrame
        ``system``, ``seed``, ``measure``, ``initialisation``, ``best``, ``counted`` (the best 9 of 10 starts for item
        measures, 7 for MicroC, in that proportion for other numbers of starts), ``spread`` (best minus the last of
        those, in percent of the best), ``all`` (the same over all starts).

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 5.2.
    """
    table = restarts(setting, **choices)
    rows = []
    for key, group in table.groupby(["system", "seed", "measure", "initialisation"], sort=False):
        values = np.sort(group["value"].to_numpy())[::-1]
        share = 0.7 if key[2] == "MicroC" else 0.9
        counted = max(1, round(share * len(values)))
        spread, whole = (100 * (1 - values[last] / values[0]) for last in (counted - 1, -1))
        rows.append((*key, values[0], counted, spread, whole))
    columns = ["system", "seed", "measure", "initialisation", "best", "counted", "spread", "all"]
    return pd.DataFrame(rows, columns=columns)


def mapping(
    system: str = "Clark03",
    setting: Setting | None = None,
    *,
    measure: str = "macro_i",
    how: str = "one-to-one",
    **choices: object,
) -> pd.DataFrame:
    """Which class each cluster of a system is read as, and which words are behind it.

    Parameters
    ----------
    system : {"Clark03", "GG07", "Brown", "Exchange"}
        Its first run in Table 1.
    measure : {"macro_i", "micro_i", "micro_c"}
    how : {"one-to-one", "many-to-one"}

    Returns
    -------
    DataFrame
        `analysis.categories.type_mapping`, with ``words``, the three that the cluster holds most tokens of.
    """
    chosen = make_setting(setting, choices)
    run = first_run(system, chosen)
    table = lexicons(chosen.corpus, run, chosen)
    found = type_mapping(
        table,
        measure=measure,
        mapping=how,
        restarts=chosen.restarts,
        initialisation=chosen.initialisation,
        random_state=chosen.seed,
    )
    labels = scored_tokens(chosen.corpus, fit(chosen.corpus, run).labels, chosen.gold, chosen.leave_out)
    pairs = labels.groupby(["predicted", "form"], observed=True).size().rename("tokens").reset_index()
    pairs = pairs.astype({"form": "str"}).sort_values(["tokens", "form"], ascending=[False, True])
    frequent = pairs.groupby("predicted")["form"].agg(lambda forms: " ".join(forms[:3]))
    words = frequent.reindex(found["cluster"]).to_numpy()
    return found.assign(words=words)


def first_run(system: str, setting: Setting) -> System:
    """The first run of a system in Table 1.

    Raises
    ------
    ValueError
        If there is no such system.
    """
    if system not in SYSTEMS:
        raise ValueError(f"{system!r} is no system that runs here: {', '.join(SYSTEMS)}.")
    return next(run for run in systems(replace(setting, runs=1)) if run.model == system)


def r_of_n(n: int = 6) -> pd.DataFrame:
    """The paper's example: every word has r of n gold classes of equal size, and is in all n clusters.

    Parameters
    ----------
    n : int
        Number of classes, and of clusters. There are n words; word i has the classes i to i + r - 1, around.

    Returns
    -------
    DataFrame
        ``r``, ``measure``, ``value``: the six type-level measures, and V, NVI and H(C|K) of the pairs of class and
        cluster, one pair a word, class and cluster.

    Raises
    ------
    ValueError
        If n is below 2.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 3.

    Examples
    --------
    >>> table = r_of_n(4).set_index(["r", "measure"])["value"]
    >>> table[(2, "MacroI 1-1")].round(3), abs(table[(2, "V")].round(3)), table[(2, "NVI")].round(3)
    (np.float64(0.667), np.float64(0.0), np.float64(2.0))
    """
    if n < 2:
        raise ValueError(f"n must be at least 2, not {n}.")
    rows = []
    for r in range(1, n + 1):
        gold = pd.DataFrame([(i, (i + step) % n) for i in range(n) for step in range(r)], columns=["form", "cluster"])
        induced = pd.DataFrame([(i, k) for i in range(n) for k in range(n)], columns=["form", "cluster"])
        pairs = gold.merge(induced, on="form")
        types = zip(MEASURES[6:], type_level_scores(gold, induced, random_state=0), strict=True)
        rows += [(r, name, float(score)) for name, score in types]
        columns = (pairs["cluster_x"], pairs["cluster_y"])
        for measure in (v_measure, normalised_variation_of_information, conditional_entropy_of_classes):
            score = measure(*columns)
            rows.append((r, score.measure, float(score)))
    return pd.DataFrame(rows, columns=["r", "measure", "value"])
