"""What a recomputation of the paper may vary, and the data it can run on."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

import pandas as pd

from analysis.corpora import data_version
from analysis.corpora.lexical import lexical_forms, lexical_version
from analysis.corpora.sigmorphon import sigmorphon_pool, sigmorphon_split, training_sizes
from analysis.inflection import CopyBaseline, InflectionModel, MajoritySuffix, NonNeural, Sample, as_given, sample
from analysis.structures import DataError

LANGUAGES = ("Arabic", "English", "German")
STRATEGIES = ("UNIFORM", "WEIGHTED")
CORPORA = {
    "lexical": "word lists of lemminflect and german-nouns and a hand-written Arabic list, frequencies of wordfreq",
    "sigmorphon2022": "SIGMORPHON 2022, part 2, with the frequency lists of the reality check",
}
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
_LEXICAL_SIZES = {"Arabic": (50, 100, 150, 200, 250, 300), "English": tuple(range(100, 1001, 100))}


@dataclass(frozen=True)
class Setting:
    """Every choice of a recomputation, with the paper's or, where it is silent, the suite's default.

    Parameters
    ----------
    corpus : str
        ``"lexical"`` (offline) or ``"sigmorphon2022"`` (the paper's pool but for 53 Arabic nouns).
    seeds : int
        Samples a strategy; the paper drew five.
    models : tuple of str
        Of NONNEUR, Majority suffix, Copy.
    languages : tuple of str
    missing_weight : float
        Weight, under WEIGHTED, of a lemma without a frequency.
    bases : mapping of str to str
        Base levels of the regressions with treatment coding; by default R's, the alphabetically first.

    Examples
    --------
    >>> Setting(seeds=2).seeds
    2
    """

    corpus: str = "lexical"
    seeds: int = 5
    models: tuple[str, ...] = tuple(MODELS)
    languages: tuple[str, ...] = LANGUAGES
    missing_weight: float = 1.0
    bases: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.corpus not in CORPORA:
            raise DataError(f"there is no inflection data called {self.corpus!r}; there are {', '.join(CORPORA)}.")
        if self.seeds < 1:
            raise ValueError(f"seeds must be at least 1, not {self.seeds}.")
        for chosen, known, what in ((self.models, MODELS, "model"), (self.languages, LANGUAGES, "language")):
            wrong = [name for name in chosen if name not in known]
            if wrong or not chosen:
                raise ValueError(f"{wrong[:1] or 'nothing'} is no {what} here; there are {', '.join(known)}.")


def make_setting(setting: Setting | None, choices: dict[str, Any]) -> Setting:
    """A setting from one given and single choices; names the choices there are if one is unknown."""
    known = [entry.name for entry in fields(Setting)]
    unknown = [name for name in choices if name not in known]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no choice of this recomputation; there are {', '.join(known)}.")
    return replace(setting or Setting(), **choices)


@lru_cache(maxsize=8)
def pool(corpus: str, language: str) -> pd.DataFrame:
    """All items of a language, one a lemma: ``lemma``, ``form``, ``features``, ``frequency``."""
    if corpus == "sigmorphon2022":
        return sigmorphon_pool(language)
    return lexical_forms(language, _LEXICAL[language])


def version(corpus: str, language: str) -> str:
    """Version string of a language's data; goes into cache keys and captions."""
    if corpus == "sigmorphon2022":
        return f"{data_version('sigmorphon2022')} + {data_version('realitycheck2023')}"
    return lexical_version(language)


def sizes(corpus: str, language: str) -> tuple[int, ...]:
    """Training sizes: the paper's; 50 to 300 for the offline Arabic list.

    Examples
    --------
    >>> sizes("lexical", "German")
    (100, 200, 300, 400, 500, 600)
    """
    if corpus == "lexical" and language in _LEXICAL_SIZES:
        return _LEXICAL_SIZES[language]
    return tuple(training_sizes(language))


def development_items(corpus: str, language: str) -> int:
    """Development items of UNIFORM and WEIGHTED: 500, and 72 of the offline Arabic list."""
    return 72 if (corpus, language) == ("lexical", "Arabic") else DEV


@lru_cache(maxsize=64)
def draw(corpus: str, language: str, strategy: str, seed: int, missing_weight: float = 1.0) -> Sample:
    """One sample: UNIFORM or WEIGHTED drawn with a seed, or SIGM22 as the shared task gave it.

    Raises
    ------
    DataError
        If SIGM22 is asked of the offline lists.
    """
    if strategy == "SIGM22":
        if corpus != "sigmorphon2022":
            raise DataError("SIGM22 is a split of the SIGMORPHON 2022 data; the offline lists have none.")
        return as_given(*sigmorphon_split(language), sizes(corpus, language), seed)
    return sample(
        pool(corpus, language),
        strategy,
        sizes(corpus, language),
        development_items(corpus, language),
        random_state=seed,
        missing_weight=missing_weight,
    )
