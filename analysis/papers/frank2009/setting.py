"""What a recomputation of the paper may vary, and the corpora it can run on."""

from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from analysis import corpora
from analysis.papers import recipe
from analysis.papers.recipe import choice

MODELS = ("Random", "BHMM", "HC", "FF")
INVENTORIES = ("coarse", "fine")
LINKAGES = ("average", "complete", "single", "weighted")
TITLE = (
    "Frank, Goldwater & Keller (2009), Evaluating Models of Syntactic Category Acquisition "
    "without Using a Gold Standard"
)
FULL_SWEEPS = 2000


@dataclass(frozen=True)
class Setting(recipe.Setting):
    """Every choice of a recomputation, with the paper's or, where it is silent, the suite's default.

    Parameters
    ----------
    corpus : str
        A corpus with the parts ``train`` and ``test``: ``"nursery"`` (generated), ``"manchester"``, or one of the
        reader's own in CHAT.
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
    models : tuple of str
        Models that are run.
    sentences : int, optional
        Take so many sentences of the training part, drawn at random, and twice as many of the test part.

    Examples
    --------
    >>> Setting().threshold, Setting(corpus="manchester").threshold
    (0.0005, 0.0009)
    """

    own = "chat"
    sweeps: int = choice(100, at_least=1)
    clusters: tuple[int, ...] = choice((12, 53, 80), at_least=1)
    random_seeds: int = choice(10, at_least=1)
    seed: int = 0
    threshold: float = choice(above=0, by_corpus=(0.0005, 0.0009))
    targets: int = choice(at_least=1, by_corpus=(400, 1000))
    linkage: str = choice("average", one_of=LINKAGES)
    tagging: str = choice("gibbs", one_of=("gibbs", "mode", "viterbi"))
    boundaries: bool = True
    minimum_frequency: int = choice(2, at_least=1)
    frames_in_training: bool = True
    annotate: bool = True
    models: tuple[str, ...] = choice(MODELS, one_of=MODELS)
    sentences: int | None = choice(at_least=1)


class Data(NamedTuple):
    """Training and test tokens with the version of the data."""

    train: pd.DataFrame
    test: pd.DataFrame
    version: str


def sources(corpus: str) -> tuple[str, ...]:
    """Data sets of the catalogue that a corpus and its test part come from.

    Parameters
    ----------
    corpus : str
        Name of a corpus.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> sources("manchester"), sources("nursery")
    (('manchester', 'childes'), ('nursery',))
    """
    return ("manchester", "childes") if corpus == "manchester" else (corpus,)


@recipe.Loader
def data(corpus: str) -> Data:
    """Training and test tokens of a corpus, kept in memory.

    Parameters
    ----------
    corpus : str
        ``"manchester"`` (its test part is the rest of the English corpora) or ``"nursery"``.

    Returns
    -------
    Data
    """
    train, test = (corpora.load(corpus, part=part) for part in ("train", "test"))
    return Data(train, test, " + ".join(corpora.corpus_version(name) for name in sources(corpus)))


@recipe.kept
def parts(corpus: str, sentences: int | None = None) -> Data:
    """The data of a corpus, or so many of its sentences, drawn once; twice as many of the test part."""
    whole = data(corpus)
    if sentences is None:
        return whole
    sizes = {"train": sentences, "test": 2 * sentences}
    train, test = (corpora.sample(getattr(whole, part), size, random_state=0) for part, size in sizes.items())
    return Data(train, test, f"{whole.version}, {sentences:,} sentences drawn with seed 0")
