"""Settings of a recomputation of the paper, and the corpora it can run on."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import pandas as pd

from analysis import corpora
from analysis.categories import lexicon
from analysis.categories.assignment import ASSIGNMENTS
from analysis.categories.type_measures import INITIALISATIONS
from analysis.corpora.loading import load_parts
from analysis.corpora.own_corpora import own_names
from analysis.corpora.universal_tags import PENN_PUNCTUATION_AND_SYMBOLS
from analysis.papers import recipe
from analysis.papers.recipe import choice

PUNCTUATION = PENN_PUNCTUATION_AND_SYMBOLS
FULL_SWEEPS = 10_000
ANNEALING = (2.0, 0.08)
#: Sweeps and passes of a full run. The paper says only how many sweeps GG07 made.
FULL = {"sweeps": FULL_SWEEPS, "curve_sweeps": 1000, "gj_sweeps": FULL_SWEEPS, "vb_passes": 1000,
        "infinite_sweeps": 1000}  # fmt: skip
#: The corpus of which a further text is the rest.
SAMPLE = "nltk-dependency-treebank"
#: Number of utterances used from corpora that are too large for ten systems on one processor.
FIRST = {"manchester": 20_000}
#: Tags of the Brown corpus for punctuation, and for words without an analysis.
BROWN_PUNCTUATION = ("(", ")", ",", "--", ".", ":", "``", "''", "'", "NIL")
#: Between the names of a corpus and of a further text.
AND = " + "
#: Ending of the name of a corpus whose words keep their case.
CASED = " (cased)"
#: Corpora of utterances, where only names and *I* have capitals; case is kept in any setting.
SPOKEN = ("nursery", "manchester")


@dataclass(frozen=True)
class Setting(recipe.Setting):
    """Every choice of a recomputation, with the paper's or, where it is silent, the suite's default.

    Parameters
    ----------
    corpus : str
        ``"nltk-dependency-treebank"`` (the open sample of the Penn Treebank), ``"nltk-brown"``, ``"nursery"``
        (generated) or ``"manchester"`` (its first 20,000 utterances), or an added corpus with tags.
    further : {"", "nltk-conll2000"}
        Text that is trained on after the corpus and not scored: sections 15 to 18 and 20 of the Wall Street Journal,
        which are among the paper's; their tags come from a tagger and are not used.
    cased : bool
        Whether words of written text keep their case. By default they are lower-cased: the paper does not say, but its
        shares of frequent types, of polysemous words and of prepositions among types are those of lower-cased words.
    gold : str
        Column of the gold classes.
    clusters : int, optional
        Clusters of Clark03, Brown, Exchange and ARR10; by default the number of gold classes that are scored, as in the
        paper (34 of 45 in the Penn Treebank).
    hmm_clusters : int
        Tags of GG07; the paper could afford 17.
    sweeps : int, optional
        Annealed Gibbs sweeps of GG07 in Table 1; the paper made 10,000. By default 100 on the generated corpus and
        1,000 on others.
    gj_clusters : int
        Tags of GJ08.
    gj_priors : (float, float)
        Priors of GJ08, of transitions and of emissions. The paper does not give them; 0.1 is after Gao & Johnson.
    gj_sweeps : int, optional
        Gibbs sweeps of GJ08; by default 100 on the generated corpus and 1,000 on others.
    vb_passes : int, optional
        Passes of GJ08 by variational Bayes at most; by default 20 on the generated corpus and 100 on others.
    infinite_sweeps : int, optional
        Sweeps of the beam sampler of GVG09; by default 20 on the generated corpus and 100 on others. The number of
        clusters moves slowly: few sweeps say little about it.
    infinite_start : int, optional
        Tags with which GVG09 begins; the paper does not say. By default 10 on the generated corpus and 50 on others.
    runs : int
        Runs of Clark03, with the seeds `seed`, `seed` + 1, ...; the scores are their mean.
    seed : int
        Seed of GG07 and of hill climbing, and first seed of Clark03.
    cutoff : int
        Clark03: only words with more tokens are moved (the paper's "unknown words threshold"); "Clark03, assigned":
        words with fewer are assigned at the end.
    curve : tuple of int
        Numbers of clusters for the curves of each measure against K.
    curve_sweeps : int, optional
        Sweeps of GG07 at each point of those curves; by default 100 on the generated corpus and 300 on others.
    restarts : int
        Starts of hill climbing; the best one is kept.
    initialisation : {"random", "edges"}
        How each starts.
    assignment : {"optimal", "greedy"}
        One-to-one mapping of tokens.
    base : float
        Of the logarithm.
    punctuation : bool
        Whether punctuation is scored. It is used in training either way.

    Examples
    --------
    >>> Setting().sweeps, Setting(corpus="manchester").sweeps
    (100, 1000)
    """

    further: str = choice("", one_of=("", "nltk-conll2000"))
    cased: bool = False
    gold: str = "fine"
    clusters: int | None = choice(at_least=1)
    hmm_clusters: int = choice(17, at_least=1)
    sweeps: int = choice(at_least=1, by_corpus=(100, 1000))
    gj_clusters: int = choice(45, at_least=1)
    gj_priors: tuple[float, float] = choice((0.1, 0.1), above=0)
    gj_sweeps: int = choice(at_least=1, by_corpus=(100, 1000))
    vb_passes: int = choice(at_least=1, by_corpus=(20, 100))
    infinite_sweeps: int = choice(at_least=1, by_corpus=(20, 100))
    infinite_start: int = choice(at_least=1, by_corpus=(10, 50))
    runs: int = choice(10, at_least=1)
    seed: int = 0
    cutoff: int = choice(5, at_least=0)
    curve: tuple[int, ...] = choice((5, 10, 17, 34, 60), at_least=1)
    curve_sweeps: int = choice(at_least=1, by_corpus=(100, 300))
    restarts: int = choice(10, at_least=1)
    initialisation: str = choice("random", one_of=INITIALISATIONS)
    assignment: str = choice("optimal", one_of=ASSIGNMENTS)
    base: float = choice(math.e, above=1)
    punctuation: bool = False
    own: ClassVar[str] = "chat"  # any running text; `analysis.report.reproducing` looks whether it has tags

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.further and self.corpus != SAMPLE:
            raise ValueError(f"further must be '' with {self.corpus}: {self.further} is of the same text as {SAMPLE}.")

    @property
    def added(self) -> bool:
        """Whether the corpus is one that the reader has added."""
        return self.corpus in own_names(self.own)

    @property
    def text(self) -> str:
        """Name of the text for `data`: the corpus, the further text, and whether case is kept."""
        return f"{self.corpus}{AND + self.further if self.further else ''}{CASED if self.cased else ''}"

    @property
    def leave_out(self) -> tuple[str, ...]:
        """Gold classes that are not scored."""
        if self.punctuation:
            return ()
        if self.corpus == "nltk-brown":
            return BROWN_PUNCTUATION
        return (*PUNCTUATION, *own_punctuation(self.text, self.gold)) if self.added else PUNCTUATION


class Data(NamedTuple):
    """Tokens with the version of the data."""

    tokens: pd.DataFrame
    version: str


@recipe.Loader
def data(corpus: str) -> Data:
    """Tokens of a corpus, cached in memory; all of them are used in training.

    Parameters
    ----------
    corpus : str
        ``"nltk-dependency-treebank"``, ``"nltk-brown"`` or ``"nursery"``; or another corpus with fine tags. The first
        20,000 utterances of Manchester are used. ``" + nltk-conll2000"`` adds the text of that task, without tags.
        Words of written text are lower-cased, unless the name ends in ``" (cased)"``.

    Returns
    -------
    Data
    """
    whole = corpus.removesuffix(CASED)
    name, _, further = whole.partition(AND)
    tokens, version = corpora.load(name), corpora.corpus_version(name)
    if name in FIRST:
        begins = tokens["sentence"].ne(tokens["sentence"].shift()).cumsum()
        tokens, version = tokens[begins <= FIRST[name]].copy(), f"{version}, the first {FIRST[name]:,} utterances"
    if further:
        tokens, version = _followed_by(tokens, further), f"{version}{AND}{corpora.corpus_version(further)}"
    if whole != corpus or name in SPOKEN or "spoken" in tokens.columns:
        return Data(tokens, version)
    lowered = tokens["form"].astype("str").str.lower().astype("category")
    return Data(tokens.assign(form=lowered), f"{version}, lower-cased")


def _followed_by(tokens: pd.DataFrame, further: str) -> pd.DataFrame:
    """The tokens, and those of all parts of another corpus without tags."""
    more = load_parts(further, corpora.parts(further))[["sentence", "position", "form"]]
    more = more.assign(sentence=more["sentence"] + int(tokens["sentence"].max()) + 1)
    joined = pd.concat([tokens.assign(form=tokens["form"].astype("str")), more], ignore_index=True)
    return joined.assign(form=joined["form"].astype("category"))


def tagged(corpus: str) -> pd.DataFrame:
    """The tokens that are scored, as far as their class is: those of a further text have none.

    Parameters
    ----------
    corpus : str
        As in `data`.

    Returns
    -------
    DataFrame
    """
    tokens = data(corpus).tokens
    return tokens[: int(tokens["fine"].notna().sum())] if AND in corpus else tokens


@recipe.kept
def own_punctuation(corpus: str, gold: str) -> tuple[str, ...]:
    """Classes of an added corpus all of whose tokens are punctuation or symbols by their universal tags.

    Parameters
    ----------
    corpus : str
        As in `data`.
    gold : str
        Column of the classes.

    Returns
    -------
    tuple of str
        None where the corpus has no universal tags.
    """
    tokens = tagged(corpus)
    if "universal" not in tokens.columns:
        return ()
    marks = tokens["universal"].astype("str").isin(["PUNCT", "SYM", "."])
    whole = marks.groupby(tokens[gold].astype("str"), observed=True).all()
    return tuple(str(name) for name in whole.index[whole] if name not in PUNCTUATION)


def gold_classes(setting: Setting) -> list[str]:
    """The gold classes that are scored, most frequent first.

    Parameters
    ----------
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> gold_classes(Setting(gold="coarse"))[:2]
    ['N', 'V']
    """
    counts = tagged(setting.text)[setting.gold].value_counts()
    return [str(name) for name, count in counts.items() if count and name not in setting.leave_out]


def number_of_clusters(setting: Setting) -> int:
    """Clusters of Clark03, Brown, Exchange and ARR10.

    Examples
    --------
    >>> number_of_clusters(Setting(gold="coarse")), number_of_clusters(Setting(clusters=34))
    (12, 34)
    """
    return setting.clusters or len(gold_classes(setting))


def gold_lexicon(setting: Setting) -> pd.DataFrame:
    """The gold classes of each word: ``form``, ``cluster``.

    Parameters
    ----------
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return lexicon(tagged(setting.text), setting.gold, leave_out=setting.leave_out)
