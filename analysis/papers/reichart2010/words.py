"""Words, their classes and their frequencies: the numbers of the text, the mappings, the restarts."""

from dataclasses import replace
from functools import lru_cache

import pandas as pd

from analysis import categories
from analysis.categories import WordCounts, r_of_n, type_mapping, word_counts
from analysis.papers.comparison import printed
from analysis.papers.reichart2010.evaluation import evaluations, lexicons, scored_tokens
from analysis.papers.reichart2010.setting import Setting, data, make_setting
from analysis.papers.reichart2010.systems import SYSTEMS, System, fit, systems
from analysis.structures.units import in_percent

__all__ = [
    "counted_words",
    "first_run",
    "lexicon_statistics",
    "mapping",
    "r_of_n",
    "restart_spread",
    "restarts",
    "word_frequencies",
    "zipf",
]

#: Statistics whose value the paper prints, with their id in the printed facts.
FACTS = {
    "sentences": "R19",
    "tokens": "R20",
    "types": "R21",
    "tokens that are scored": "R22",
    "tokens that are scored, share": "R23",
    "punctuation tokens, share": "R24",
    "gold classes": "R31",
    "gold classes that are punctuation": "R32",
    "gold classes that are scored": "R15",
    "tokens of the 100 most frequent types": "R12",
    "classes with one of the 100 most frequent types": "R14",
    "tokens of the 17 most frequent tags": "R29",
    "types with one of the 17 most frequent tags": "R30",
    "types with one tag": "R55",
    "types with two tags": "R56",
    "types with three tags": "R57",
    "types with more than three tags": "R58",
    "polysemous types": "R46",
    "tokens of polysemous types, of all tokens": "R43",
    "tokens of types that are polysemous but not weakly": "R52",
    "types that are prepositions (IN)": "R04",
    "tokens that are prepositions (IN)": "R05",
    "types that are determiners (DT)": "R06",
    "tokens that are determiners (DT)": "R07",
}
CLASSES = {"prepositions (IN)": ["IN"], "prepositions (IN, TO)": ["IN", "TO"], "determiners (DT)": ["DT"]}


def lexicon_statistics(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """How words, tags and tokens are spread in the gold standard: what the paper says of it in sections 2 and 5.

    Returns
    -------
    DataFrame
        ``fact`` (id in the printed facts, if the paper gives the number), `analysis.categories.lexicon_statistics`,
        ``printed``.
    """
    chosen = make_setting(setting, choices)
    tokens = data(chosen.corpus).tokens
    result = categories.lexicon_statistics(tokens, chosen.gold, leave_out=chosen.leave_out, classes=CLASSES)
    result.insert(0, "fact", [FACTS.get(name, "") for name in result["statistic"]])
    theirs = pd.to_numeric(printed("reichart2010", "facts").set_index("id")["value"], errors="coerce")  # one is "e"
    result["printed"] = pd.array([theirs.get(fact, pd.NA) for fact in result["fact"]], dtype="Float64")
    return in_percent(result)


@lru_cache(maxsize=4)
def counted_words(setting: Setting) -> WordCounts:
    """Tokens of each scored word by gold class."""
    return word_counts(data(setting.corpus).tokens, setting.gold, leave_out=setting.leave_out)


def word_frequencies(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """The words that are scored, most frequent first; see `analysis.categories.word_frequencies`."""
    return categories.word_frequencies(counted_words(make_setting(setting, choices)))


def zipf(setting: Setting | None = None, *, points: int = 25, **choices: object) -> pd.DataFrame:
    """Right about frequent, or rare, words only: see `analysis.categories.scores_of_words_right`."""
    return categories.scores_of_words_right(counted_words(make_setting(setting, choices)), points=points)


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
    """How far the best 9 of 10 starts (of MicroC, 7) lie from the best, in percent of it."""
    by = ("system", "seed", "measure", "initialisation")
    spread = categories.restart_spread(restarts(setting, **choices), by=by, share=0.9, micro_c=0.7)
    return in_percent(spread, ["spread", "all"])


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
    found = type_mapping(
        lexicons(chosen.corpus, run, chosen),
        measure=measure,
        mapping=how,
        restarts=chosen.restarts,
        initialisation=chosen.initialisation,
        random_state=chosen.seed,
    )
    labels = scored_tokens(chosen.corpus, fit(chosen.corpus, run).labels, chosen.gold, chosen.leave_out)
    words = categories.cluster_words(labels, words=3).set_index("cluster")["words"]
    return found.assign(words=words.reindex(found["cluster"]).to_numpy())


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
