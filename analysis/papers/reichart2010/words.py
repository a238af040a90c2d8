"""Words, their classes and clusters: the gold lexicon, what clusters are read as, and the starts of hill climbing."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis import categories
from analysis.categories import WordCounts, word_counts
from analysis.papers.recipe import in_percent, kept, printed, takes_setting
from analysis.papers.reichart2010.runs import ASSIGNED, evaluations, first_tokens, lexicons
from analysis.papers.reichart2010.setting import Setting, tagged

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


@takes_setting(Setting)
def lexicon_statistics(setting: Setting, share: float = 1.0) -> pd.DataFrame:
    """How words, tags and tokens are spread in the gold standard: what the paper says of it in sections 2 and 5.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    share : float
        The first sentences that are counted, as a share of all.

    Returns
    -------
    DataFrame
        ``fact`` (id in the printed facts, if the paper gives the number), `analysis.categories.lexicon_statistics`
        in percent, as the paper prints it, and ``printed``.
    """
    tokens = tagged(setting.text)
    begins = tokens["sentence"].ne(tokens["sentence"].shift()).cumsum()
    tokens = tokens[begins <= share * begins.iloc[-1]]
    result = in_percent(categories.lexicon_statistics(
        tokens, setting.gold, leave_out=setting.leave_out, classes=CLASSES))  # fmt: skip
    result.insert(0, "fact", [FACTS.get(name, "") for name in result["statistic"]])
    theirs = pd.to_numeric(printed("reichart2010", "facts").set_index("id")["value"], errors="coerce")  # one is "e"
    return result.assign(printed=result["fact"].map(theirs).astype("Float64"))


@takes_setting(Setting)
def lexicon_readings(setting: Setting) -> pd.DataFrame:
    """`lexicon_statistics` of lower-cased and of cased words, and of half the text, beside the printed numbers.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``fact``, ``statistic``, ``unit``, ``printed``, ``lower-cased``, ``cased``, ``first half`` (in the case of the
        setting).
    """
    readings = {"lower-cased": False, "cased": True}
    table = lexicon_statistics(setting)[["fact", "statistic", "unit", "printed"]]
    for name, cased in readings.items():
        table[name] = lexicon_statistics(dataclasses.replace(setting, cased=cased))["value"]
    return table.assign(**{"first half": lexicon_statistics(setting, share=0.5)["value"]})


@kept(copied=False)
def counts(setting: Setting) -> WordCounts:
    """Tokens of each scored word by gold class."""
    return word_counts(tagged(setting.text), setting.gold, leave_out=setting.leave_out)


@takes_setting(Setting)
def word_frequencies(setting: Setting) -> pd.DataFrame:
    """The words that are scored, most frequent first; see `analysis.categories.word_frequencies`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return categories.word_frequencies(counts(setting))


@takes_setting(Setting)
def zipf(setting: Setting, points: int = 25) -> pd.DataFrame:
    """Right about frequent, or rare, words only: see `analysis.categories.scores_of_words_right`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    points : int
        Number of points.

    Returns
    -------
    DataFrame
    """
    return categories.scores_of_words_right(counts(setting), points=points)


@takes_setting(Setting)
def restarts(setting: Setting) -> pd.DataFrame:
    """What each start of hill climbing reaches, for every run of Table 1, both initialisations and three measures.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``measure``, ``initialisation``, ``restart``, ``value``, ``passes``, ``system``, ``corpus``, ``k``, ``seed``,
        ``of_best`` (the value over the best of its run and measure, whichever way it started).
    """
    return evaluations(setting)["restarts"].assign(
        of_best=lambda starts: starts["value"] / starts.groupby(["system", "seed", "measure"])["value"].transform("max")
    )


@takes_setting(Setting)
def restart_spread(setting: Setting) -> pd.DataFrame:
    """How far the best 9 of 10 starts (of MicroC, 7) lie from the best, in percent of it, as the paper prints it.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    by = ("system", "seed", "measure", "initialisation")
    return in_percent(categories.restart_spread(restarts(setting), by=by, share=0.9, micro_c=0.7), ["spread", "all"])


@takes_setting(Setting)
def mapping(
    setting: Setting, system: str = "Clark03", measure: str = "macro_i", how: str = "one-to-one"
) -> pd.DataFrame:
    """The class to which each cluster of a system is mapped, and the words in it.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        Its first run in Table 1.
    measure : {"macro_i", "micro_i", "micro_c"}
    how : {"one-to-one", "many-to-one"}

    Returns
    -------
    DataFrame
        `analysis.categories.type_mapping`, with ``words``, the three that the cluster holds most tokens of.
    """
    climbing: Any = {
        "restarts": setting.restarts, "initialisation": setting.initialisation, "random_state": setting.seed
    }  # fmt: skip
    found = categories.type_mapping(lexicons(system, setting), measure=measure, mapping=how, **climbing)
    words = categories.cluster_words(first_tokens(system, setting), words=3)
    return found.assign(words=found["cluster"].map(words.set_index("cluster")["words"]))


@takes_setting(Setting)
def frequency_bands(setting: Setting, systems: Sequence[str] = ("Clark03", ASSIGNED, "Exchange")) -> pd.DataFrame:
    """Token and type scores of some systems' first runs in bands of word frequency.

    It shows why types tell otherwise than tokens: most types are rare, and Clark03 leaves those in one class.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    systems : sequence of str
        Names of systems.

    Returns
    -------
    DataFrame
        `analysis.categories.scores_by_frequency` of each ``system``.
    """
    climbing: Any = {
        "restarts": setting.restarts, "initialisation": setting.initialisation, "random_state": setting.seed
    }  # fmt: skip
    tables = [
        categories.scores_by_frequency(first_tokens(system, setting), **climbing).assign(system=system)
        for system in systems
    ]
    return pd.concat(tables, ignore_index=True).assign(unit="proportion")


@takes_setting(Setting)
def mappings(setting: Setting) -> pd.DataFrame:
    """`mapping` of Clark03 and of GG07."""
    return pd.concat([mapping(setting, system).assign(system=system) for system in ("Clark03", "GG07")])
