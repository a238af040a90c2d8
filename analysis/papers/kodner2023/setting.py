"""Settings of a recomputation of the paper, and the data it can run on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from analysis.corpora import data_version
from analysis.corpora.lexical import LANGUAGES, lexical_forms, lexical_version
from analysis.corpora.sigmorphon import GivenSplit, sigmorphon_pool, sigmorphon_split, training_sizes
from analysis.inflection import CopyBaseline, InflectionModel, MajoritySuffix, NonNeural, Sample, as_given, sample
from analysis.papers import recipe
from analysis.papers.recipe import choice, kept
from analysis.structures import DataError

STRATEGIES = ("UNIFORM", "WEIGHTED")
MODELS: dict[str, Callable[[], InflectionModel]] = {
    "NONNEUR": NonNeural,
    "Majority suffix": MajoritySuffix,
    "Copy": CopyBaseline,
}
CLUZH = "CLUZH (2022)"
NEURAL = "neural baseline (published)"
DEV = 500
#: Pools of the offline lists: as large as the paper's, and all of the Arabic list.
_LEXICAL = {"Arabic": None, "English": 2054, "German": 1700}


@dataclass(frozen=True)
class Setting(recipe.Setting):
    """Every choice of a recomputation, with the paper's or, where it is silent, the suite's default.

    Parameters
    ----------
    corpus : str
        ``"lexical"`` (word lists of lemminflect and german-nouns and a hand-written Arabic list, with frequencies of
        wordfreq; offline) or ``"sigmorphon2022"`` (the paper's pool except for 53 Arabic nouns).
    seeds : int
        Samples per strategy; the paper drew five.
    models : tuple of str
        Of NONNEUR, Majority suffix, Copy.
    languages : tuple of str
    missing_weight : float
        Weight, under WEIGHTED, of a lemma without a frequency.
    samplings : int
        Samples per strategy for the verdicts on claims about UNIFORM and WEIGHTED, with NONNEUR.

    Examples
    --------
    >>> Setting(seeds=2).seeds
    2
    """

    corpora = ("lexical", "sigmorphon2022")
    corpus: str = "lexical"
    seeds: int = choice(5, at_least=1)
    models: tuple[str, ...] = choice(tuple(MODELS), one_of=tuple(MODELS))
    languages: tuple[str, ...] = choice(LANGUAGES, one_of=LANGUAGES)
    missing_weight: float = choice(1.0, above=0)
    samplings: int = choice(10, at_least=2)

    @property
    def generated(self) -> bool:
        """Always False: both corpora are word lists of natural languages."""
        return False

    @property
    def real(self) -> bool:
        """Whether the data are those of the shared task, with its split and the predictions of others on it."""
        return self.corpus == "sigmorphon2022"

    @property
    def many(self) -> "Setting":
        """The setting for the comparison of UNIFORM and WEIGHTED: NONNEUR over all samplings."""
        return self.choose(self, seeds=self.samplings, models=("NONNEUR",))


class Items(NamedTuple):
    """The items of a language, one per lemma, the version of the data, and the shared task's split if there is one."""

    pool: pd.DataFrame
    version: str
    given: GivenSplit | None


@recipe.Loader
def data(corpus: str) -> dict[str, Items]:
    """The items of a corpus by language, kept in memory.

    Parameters
    ----------
    corpus : str
        Name of a corpus.

    Returns
    -------
    dict of str to Items
    """
    if corpus == "sigmorphon2022":
        return {name: Items(sigmorphon_pool(name), version(corpus, name), sigmorphon_split(name)) for name in LANGUAGES}
    return {name: Items(lexical_forms(name, _LEXICAL[name]), version(corpus, name), None) for name in LANGUAGES}


def pool(corpus: str, language: str) -> pd.DataFrame:
    """All items of a language, one per lemma: ``lemma``, ``form``, ``features``, ``frequency``.

    Parameters
    ----------
    corpus : str
        Name of a corpus.
    language : str
        Name of a language.

    Returns
    -------
    DataFrame
    """
    return data(corpus)[language].pool


def version(corpus: str, language: str) -> str:
    """Version string of a language's data, for captions."""
    if corpus == "sigmorphon2022":
        return f"{data_version('sigmorphon2022')} + {data_version('realitycheck2023')}"
    return lexical_version(language)


def sizes(corpus: str, language: str) -> tuple[int, ...]:
    """Training sizes: the paper's; 50 to 300 for the offline Arabic list.

    Parameters
    ----------
    corpus : str
        Name of a corpus.
    language : str
        Name of a language.

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> sizes("lexical", "German")
    (100, 200, 300, 400, 500, 600)
    """
    return tuple(range(50, 301, 50)) if (corpus, language) == ("lexical", "Arabic") else tuple(training_sizes(language))


def shown_sizes(corpus: str, language: str) -> tuple[int, ...]:
    """The sizes for which errors are classified: all, but every second one for Arabic, as in the paper."""
    return sizes(corpus, language)[1::2] if language == "Arabic" else sizes(corpus, language)


def development_items(corpus: str, language: str) -> int:
    """Development items of UNIFORM and WEIGHTED: 500, and 72 of the offline Arabic list."""
    return 72 if (corpus, language) == ("lexical", "Arabic") else DEV


@kept
def draw(corpus: str, language: str, strategy: str, seed: int, missing_weight: float = 1.0) -> Sample:
    """One sample: UNIFORM or WEIGHTED drawn with a seed, or SIGM22 as the shared task gave it.

    Sizes for which there are too few items are left out.

    Parameters
    ----------
    corpus : str
        Name of a corpus.
    language : str
        Name of a language.
    strategy : str
        Sampling strategy.
    seed : int
        Seed of the run.
    missing_weight : float

    Returns
    -------
    Sample

    Raises
    ------
    DataError
        If SIGM22 is asked of the offline lists.
    """
    items, every = data(corpus)[language], sizes(corpus, language)
    if strategy == "SIGM22":
        if items.given is None:
            raise DataError("SIGM22 is a split of the SIGMORPHON 2022 data; the offline lists have none.")
        enough = [size for size in every if size <= len(items.given.training)]
        return as_given(*items.given, enough, seed)
    dev = development_items(corpus, language)
    enough = [size for size in every if size + dev < len(items.pool)]
    return sample(items.pool, strategy, enough, dev, random_state=seed, missing_weight=missing_weight)
