"""What a recomputation of the paper may vary, and the corpora it can run on."""

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import NamedTuple

import pandas as pd

from analysis import corpora

MODELS = ("Random", "BHMM", "HC", "FF")
INVENTORIES = {"coarse": "12 collapsed categories", "fine": "the transcripts' own tags"}
FULL_SWEEPS = 2000
PAPER = {"threshold": 0.0009, "targets": 1000}
GENERATED = {"threshold": 0.0005, "targets": 400}


@dataclass(frozen=True)
class Setting:
    """Every choice of a recomputation, with the paper's or, where it is silent, the suite's default.

    Parameters
    ----------
    corpus : str
        A corpus with the parts ``train`` and ``test``: ``"nursery"`` (generated) or ``"manchester"``.
    sweeps : int
        Gibbs sweeps of the Bayesian HMM; the paper ran 2,000.
    clusters : tuple of int
        Numbers of clusters K; Random has the gold sizes instead (of the collapsed tags at the first K, of the
        fine tags at the second) and none at the others.
    random_seeds : int
        Draws of the Random baseline; its scores are their mean.
    seed : int
        Seed of the HMM and of the frames' draws, and first seed of Random.
    threshold : float, optional
        Share of all frame tokens from which a frame is frequent; by default the paper's 0.0009, and 0.0005 on the
        generated corpus, which has fewer frequent frames than the 80 that K = 80 needs.
    targets : int, optional
        Word types that the hierarchical clustering clusters, the most frequent; by default the paper's 1,000, and
        400 on the generated corpus, which has fewer than 1,000.
    linkage : str
        How the hierarchical clustering compares clusters; the paper does not say.
    tagging : str
        How the HMM tags the test corpus: ``"gibbs"``, ``"mode"`` or ``"viterbi"``.
    boundaries, frames_in_training, annotate : bool
        Conventions of substitutable precision and recall.
    minimum_frequency : int
        Occurrences that a frame needs in the test corpus.

    Examples
    --------
    >>> Setting(sweeps=10).sweeps
    10
    """

    corpus: str = "nursery"
    sweeps: int = 100
    clusters: tuple[int, ...] = (12, 53, 80)
    random_seeds: int = 10
    seed: int = 0
    threshold: float | None = None
    targets: int | None = None
    linkage: str = "average"
    tagging: str = "gibbs"
    boundaries: bool = True
    minimum_frequency: int = 2
    frames_in_training: bool = True
    annotate: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "clusters", tuple(int(k) for k in self.clusters))
        for name in ("sweeps", "random_seeds", "minimum_frequency"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}.")
        if not self.clusters or min(self.clusters) < 1:
            raise ValueError(f"clusters must be numbers from 1, not {self.clusters}.")

    @property
    def frame_threshold(self) -> float:
        """The threshold chosen, or that of the corpus."""
        return float(_defaults(self.corpus)["threshold"] if self.threshold is None else self.threshold)

    @property
    def clustered_types(self) -> int:
        """The number of targets chosen, or that of the corpus."""
        return int(_defaults(self.corpus)["targets"] if self.targets is None else self.targets)


class Data(NamedTuple):
    """Training and test tokens with the version of the data."""

    train: pd.DataFrame
    test: pd.DataFrame
    version: str


def make_setting(setting: Setting | None, choices: dict) -> Setting:
    """A setting from one given and single choices; names the choices there are if one is unknown."""
    known = [field.name for field in fields(Setting)]
    unknown = [name for name in choices if name not in known]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no choice of this recomputation; there are {', '.join(known)}.")
    return replace(setting or Setting(), **choices)


def sources(corpus: str) -> tuple[str, ...]:
    """Data sets of the catalogue that a corpus and its test part come from.

    Examples
    --------
    >>> sources("manchester"), sources("nursery")
    (('manchester', 'childes'), ('nursery',))
    """
    name = corpus.partition("@")[0]
    return ("manchester", "childes") if name == "manchester" else (name,)


def generated(corpus: str) -> bool:
    """Whether a corpus is made by the suite and is no recorded speech."""
    return corpora.dataset(sources(corpus)[0]).how == "built in"


def _defaults(corpus: str) -> dict[str, float]:
    return GENERATED if generated(corpus) else PAPER


def sample_of(corpus: str, sentences: int) -> str:
    """Name of a corpus of which so many training sentences are drawn, and twice as many of the test part.

    Examples
    --------
    >>> sample_of("nursery", 1500)
    'nursery@1500'
    """
    return f"{corpus}@{sentences}"


@lru_cache(maxsize=4)
def data(corpus: str) -> Data:
    """Training and test tokens of a corpus, kept in memory.

    Parameters
    ----------
    corpus : str
        ``"manchester"`` (its test part is the rest of the English corpora) or ``"nursery"``; or a
        sample of one: see `sample_of`. Whole sentences are drawn, with seed 0; all, if there are no more.
    """
    name, _, sentences = corpus.partition("@")
    if sentences:
        train, test, version = data(name)
        train, test = (
            corpora.sample(part, number * int(sentences), random_state=0) for number, part in ((1, train), (2, test))
        )
        return Data(train, test, f"{version}, {int(sentences):,} sentences drawn with seed 0")
    train = corpora.load(corpus, part="train")
    test = corpora.load(corpus, part="test")
    return Data(train, test, " + ".join(corpora.corpus_version(name) for name in sources(corpus)))
