"""Settings of a recomputation of the challenge, and the treebanks that replace the paper's test sets."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

import pandas as pd

from analysis import corpora
from analysis.corpora.folders import data_folder
from analysis.corpora.loading import load_parts
from analysis.corpora.own_corpora import own_names
from analysis.corpora.treebanks import with_tag_levels
from analysis.papers import recipe
from analysis.structures import DataError

#: The paper's test sets, in the order of its tables.
TESTSETS = (
    "arabic", "basque", "czech", "danish", "dutch", "en-childes", "en-ptb", "portuguese", "slovene", "swedish",
)  # fmt: skip
#: Granularities of tags by the paper's superscripts.
LEVELS: Mapping[str, str] = {"c": "coarse", "p": "fine", "u": "universal"}
NURSERY = "nursery"
KNOWN = operator.attrgetter("known_testsets")  # of a setting


@dataclass(frozen=True)
class Setting(recipe.Setting):
    """Every choice of a recomputation; the paper is silent on most, so these are the suite's.

    Parameters
    ----------
    corpus : str
        ``"treebanks"`` (the open successors of the paper's ten), ``"nursery"`` (generated), or an added treebank with
        heads, relations and universal tags, which is then the one test set.
    testsets : tuple of str, optional
        Which of them; by default all of the corpus, ``basque-conll2007`` among them.
    iterations : int
        Of DMV's expectation maximisation.
    train_length : int
        DMV, BC and BH are trained on sentences of at most this number of words, punctuation not counted.
    short : int
        Tables 8 and 9 score sentences of at most this number of tokens, punctuation counted, as in the note after
        Table 3; footnote 15 says "excluding punctuation".
    passes : int
        Passes of MK over the words.
    bc_sweeps, c_sweeps, cgs_sweeps : int
        Gibbs sweeps of BC, of the first stage of C, and of the mixture of CGS in each of its rounds. With 0 sweeps of
        BC or CGS the system is not run.
    c_prefix : int, optional
        C: bits of the path that make a tag; by default as many clusters as tags, as Chrupała's length was tuned.
    c_weighting : {"half", "frequency"}
        C: see ``weighting`` of `analysis.categories.models.ChrupalaClustering`.
    cgs_rounds : int
        Rounds of the loop of CGS after the first, whose mixture knows no trees yet (?).
    g_iterations : int
        Iterations of G, 200 in the paper; the first 15 percent without its constraint, as 30 of 200 (?). With 0 it is
        not run.
    g_strength, g_variance : float
        Weight of the constraint, and v of the penalty on the weights of features (?).
    most_tags : int
        BC and CGS, whose cost grows with the number of classes, are run if there are at most this number of fine tags.
    harmonic_tags : {"coarse", "fine", "universal"}
        Tags that H is trained on; the paper has one column and does not say.
    bh_tags : {"coarse", "fine", "universal"}
        Tags that BH is trained on; its authors took fine ones, and coarse ones of Basque.
    bh_sentences : int
        BH is trained on the first sentences of at most `train_length` words, at most so many; with 0 it is not run. Its
        authors took sentences of at most 10 to 40 words, and left punctuation in some treebanks.
    bh_training : {"k-best", "full", "viterbi"}
        Where BH takes its counts from; the paper does not say (?).
    mz_sweeps : int
        Gibbs sweeps of MZ over all the text of a test set; the edges of the last half are counted. With 0 it is not
        run. Its reducibility comes from the same text: the authors' came from the Wikipedia of each language.
    tsg_tags : {"coarse", "fine", "universal"}
        Tags that BC of the trees is trained on; coarse ones where there are more than `most_tags` of them.
    tsg_sweeps, tsg_runs : int
        Sweeps of BC's sampler of trees, and its runs, 40 in the paper; with 0 sweeps it is not run.
    tsg_sentences : int
        BC of the trees is trained on the first sentences of at most `train_length` words, at most so many.
    normalise : {"child", "head"}
        How the harmonic initialiser is normalised; see `analysis.dependencies.models.DMV`.
    tu_tags : {"coarse", "fine", "universal"}
        Tags that Tu is trained on; the paper does not say (?).
    annealing : int
        Iterations over which Tu's sharpening of trees falls from Viterbi EM to EM (?); `iterations` follow.
    prior : float
        Parameter of Tu's Dirichlet priors, below 1 (?). Tu chose his settings on labelled development trees.
    seed : int
        Of the samplers and the random trees.
    punctuation : bool
        Whether punctuation counts in the scores of word classes (Tables 2 and 7). The paper does not say.
    assignment : {"greedy", "optimal"}
        One-to-one mapping; greedy is the paper's (elsewhere in the suite the default is optimal).
    curve : tuple of int
        Numbers of clusters for the curves of each measure.
    curve_testset : str, optional
        Test set of those curves; by default one with few sentences: danish, or else the first chosen.

    Examples
    --------
    >>> Setting().testsets, Setting(corpus="treebanks").testsets[:2]
    (('nursery',), ('arabic', 'basque'))
    """

    testsets: tuple[str, ...] = recipe.choice(by_corpus=KNOWN, one_of=KNOWN)
    iterations: int = recipe.choice(30, at_least=0)
    train_length: int = recipe.choice(10, at_least=1)
    short: int = recipe.choice(10, at_least=1)
    passes: int = recipe.choice(10, at_least=1)
    bc_sweeps: int = recipe.choice(2, at_least=0)
    c_sweeps: int = recipe.choice(50, at_least=1)
    cgs_sweeps: int = recipe.choice(30, at_least=0)
    c_prefix: int | None = recipe.choice(at_least=0)
    c_weighting: str = recipe.choice("half", one_of=("half", "frequency"))
    cgs_rounds: int = recipe.choice(2, at_least=0)
    g_iterations: int = recipe.choice(20, at_least=0)
    g_strength: float = recipe.choice(32.0, at_least=0)
    g_variance: float = recipe.choice(1.0, above=0)
    most_tags: int = recipe.choice(150, at_least=0)
    harmonic_tags: str = recipe.choice("fine", one_of=LEVELS.values())
    bh_tags: str = recipe.choice("fine", one_of=LEVELS.values())
    bh_sentences: int = recipe.choice(1000, at_least=0)
    bh_training: str = recipe.choice("k-best", one_of=("k-best", "full", "viterbi"))
    mz_sweeps: int = recipe.choice(50, at_least=0)
    tsg_tags: str = recipe.choice("fine", one_of=LEVELS.values())
    tsg_sweeps: int = recipe.choice(20, at_least=0)
    tsg_runs: int = recipe.choice(2, at_least=1)
    tsg_sentences: int = recipe.choice(1000, at_least=1)
    normalise: str = recipe.choice("child", one_of=("child", "head"))
    tu_tags: str = recipe.choice("fine", one_of=LEVELS.values())
    annealing: int = recipe.choice(100, at_least=0)
    prior: float = recipe.choice(0.25, above=0)
    seed: int = 0
    punctuation: bool = True
    assignment: str = recipe.choice("greedy", one_of=("greedy", "optimal"))
    curve: tuple[int, ...] = recipe.choice((3, 6, 12, 24, 46, 90), at_least=1)
    curve_testset: str = recipe.choice(
        by_corpus=lambda setting: "danish" if "danish" in setting.testsets else setting.testsets[0],
        one_of=KNOWN,
    )
    corpora: ClassVar[tuple[str, ...]] = ("treebanks", NURSERY)
    own: ClassVar[str] = "treebank"

    @property
    def known_testsets(self) -> tuple[str, ...]:
        """The test sets of the corpus."""
        if self.added:
            return (self.corpus,)
        return (NURSERY,) if self.generated else tuple(treebanks()["testset"])

    @property
    def added(self) -> bool:
        """Whether the corpus is one that the reader has added."""
        return self.corpus in own_names(self.own)

    @property
    def generated(self) -> bool:
        """Whether the corpus is the built-in language."""
        return self.corpus == NURSERY


#: What a treebank must have, by column.
NEEDED = {"head": "heads", "universal": "universal tags (UPOS)", "relation": "relations"}


class Data(NamedTuple):
    """A treebank as the systems see it.

    Attributes
    ----------
    tokens : DataFrame
        All the text that systems are trained on: ``sentence``, ``position``, ``form``, ``coarse``, ``fine``,
        ``universal`` (twelve tags), ``head``, ``part``, ``scored`` (whether the sentence is of the test set), and
        ``relation`` and ``features`` if there are any.
    version : str
    tags : str
        What the fine and coarse tags are.
    """

    tokens: pd.DataFrame
    version: str
    tags: str

    @property
    def test(self) -> pd.DataFrame:
        """The sentences that are scored."""
        return self.tokens[self.tokens["scored"]].reset_index(drop=True)


@cache
def _listed() -> pd.DataFrame:
    return pd.read_csv(data_folder() / "treebanks.csv", dtype="str", keep_default_na=False, encoding="utf-8")


def treebanks() -> pd.DataFrame:
    """Which open treebank stands for which of the paper's test sets, and what differs.

    Returns
    -------
    DataFrame
        ``testset``, ``corpus`` (in the catalogue), ``train`` and ``test`` (parts), ``tags`` (map of
        `analysis.corpora.universal_tags`), ``adults`` (whether children's utterances are left out), ``scheme``,
        ``comparable`` (no, approximately), ``differs``.

    Examples
    --------
    >>> treebanks().set_index("testset").loc["dutch", "corpus"]
    'ud-dutch-alpino'
    """
    return _listed()[_listed()["testset"] != NURSERY].copy()


def treebank(testset: str) -> pd.Series:
    """The row of `treebanks` of a test set; of the built-in language a row like it.

    Raises
    ------
    ValueError
        If there is no such test set.
    """
    if testset in own_names(Setting.own):
        said = {"scheme": "its own", "comparable": "no", "differs": "Added by you; none of the paper's test sets."}
        return pd.Series({"testset": testset, "corpus": testset, "train": "train;test", "test": "test", "tags": "ud",
                          "adults": "no", **said})  # fmt: skip
    table = _listed().set_index("testset", drop=False)
    recipe.check_known([testset], list(table.index), "there is no test set")
    return table.loc[testset].copy()


@recipe.Loader
def data(testset: str) -> Data:
    """The text of a test set, kept in memory.

    Parameters
    ----------
    testset : str
        Name of a test set.

    Returns
    -------
    Data

    Raises
    ------
    DataError
        If an added treebank lacks heads, relations or universal tags.

    Examples
    --------
    >>> data("nursery").tokens["universal"].nunique() <= 12
    True
    """
    row = treebank(testset)
    found = load_parts(row["corpus"], row["train"].split(";"), adults=row["adults"] == "yes")
    lacking = [said for column, said in NEEDED.items() if column not in found.columns]
    if lacking and testset in own_names(Setting.own):  # the others get their universal tags by a map
        raise DataError(f"{testset} has no {' and no '.join(lacking)}, which systems and scores here need.")
    tokens, tags = with_tag_levels(found.assign(scored=found["part"] == row["test"]), str(row["tags"]))
    version = f"{corpora.corpus_version(row['corpus'])} ({row['train'].replace(';', '+')})"
    words = ("form", "coarse", "fine", "universal", "features", "relation", "part")
    order = ("sentence", "position", *words[:5], "head", *words[5:], "scored")
    tokens = tokens[[name for name in order if name in tokens.columns]]
    return Data(tokens.astype({name: "category" for name in words if name in tokens.columns}), version, tags)


def number_of_tags(testset: str, level: str) -> int:
    """How many tags a granularity has in the text; 12 for universal, whether all occur or not.

    Examples
    --------
    >>> number_of_tags("nursery", "coarse"), number_of_tags("nursery", "universal")
    (12, 12)
    """
    return 12 if level == "universal" else int(data(testset).tokens[level].nunique())


def grammar_tags(testset: str, level: str, most_tags: int) -> str:
    """The tags that BC of the trees is trained on: coarse ones if there are more than `most_tags` others.

    Examples
    --------
    >>> grammar_tags("nursery", "fine", 150), grammar_tags("nursery", "fine", 20)
    ('fine', 'coarse')
    """
    return level if number_of_tags(testset, level) <= most_tags else "coarse"


def capitals(testset: str) -> str:
    """Which letters count as capitals in the features of G: A to Z in English, else all.

    Examples
    --------
    >>> capitals("en-ptb"), capitals("danish")
    ('A-Z', 'unicode')
    """
    return "A-Z" if testset == NURSERY or testset.startswith("en-") else "unicode"
