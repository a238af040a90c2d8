"""What a recomputation of the challenge may vary, and the treebanks that stand for the paper's test sets."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis import corpora
from analysis.corpora.folders import data_folder
from analysis.corpora.treebanks import fine_tags, has_fine_tags
from analysis.corpora.universal_tags import universal_tags

#: The paper's test sets, in the order of its tables.
TESTSETS = (
    "arabic", "basque", "czech", "danish", "dutch", "en-childes", "en-ptb", "portuguese", "slovene", "swedish",
)  # fmt: skip
#: Granularities of tags by the paper's superscripts.
LEVELS: Mapping[str, str] = {"c": "coarse", "p": "fine", "u": "universal"}
CORPORA = ("treebanks", "nursery")
NURSERY = "nursery"


@dataclass(frozen=True)
class Setting:
    """Every choice of a recomputation; the paper is silent on most, so these are the suite's.

    Parameters
    ----------
    corpus : str
        ``"treebanks"`` (the open successors of the paper's ten) or ``"nursery"`` (generated).
    testsets : tuple of str, optional
        Which of them; by default all of the corpus, ``basque-conll2007`` among them.
    iterations : int
        Of DMV's expectation maximisation.
    train_length : int
        DMV is trained on sentences of at most so many words, punctuation not counted.
    short : int
        Tables 8 and 9 score sentences of at most so many tokens, punctuation counted.
    passes : int
        Passes of MK over the words.
    bc_sweeps, c_sweeps, cgs_sweeps : int
        Gibbs sweeps of BC, of the first stage of C, and of the mixture of CGS in each of its rounds. None of BC's or
        CGS's: the system is not run.
    cgs_rounds : int
        Rounds of the loop of CGS after the first, whose mixture knows no trees yet (?).
    most_tags : int
        BC and CGS, whose work grows with classes, are run where there are at most so many fine tags.
    harmonic_tags : {"coarse", "fine", "universal"}
        Tags that H is trained on; the paper has one column and does not say.
    normalise : {"child", "head"}
        How the harmonic initialiser is normalised; see `analysis.dependencies.models.DMV`.
    tu_tags : {"coarse", "fine", "universal"}
        Tags that Tu is trained on; the paper does not say (?).
    annealing : int
        Iterations over which Tu's sharpening of trees falls from Viterbi EM to EM (?); `iterations` follow.
    prior : float
        Parameter of Tu's Dirichlet priors, below 1 (?). Tu chose his settings on labelled development trees.
    seed : int
        Of the random trees.
    punctuation : bool
        Whether punctuation counts in the scores of word classes (Tables 2 and 7). The paper does not say.
    assignment : {"greedy", "optimal"}
        One-to-one mapping; the challenge's is greedy.
    curve : tuple of int
        Numbers of clusters for the curves of each measure.
    curve_testset : str, optional
        Test set of those curves; by default the first that has few sentences: danish, or the built-in language.

    Examples
    --------
    >>> Setting().testsets, Setting(corpus="treebanks").testsets[:2]
    (('nursery',), ('arabic', 'basque'))
    """

    corpus: str = NURSERY
    testsets: tuple[str, ...] | None = None
    iterations: int = 30
    train_length: int = 10
    short: int = 10
    passes: int = 10
    bc_sweeps: int = 2
    c_sweeps: int = 50
    cgs_sweeps: int = 30
    cgs_rounds: int = 2
    most_tags: int = 150
    harmonic_tags: str = "fine"
    normalise: str = "child"
    tu_tags: str = "fine"
    annealing: int = 100
    prior: float = 0.25
    seed: int = 0
    punctuation: bool = True
    assignment: str = "greedy"
    curve: tuple[int, ...] = (3, 6, 12, 24, 46, 90)
    curve_testset: str | None = None

    def __post_init__(self) -> None:
        if self.corpus not in CORPORA:
            raise ValueError(f"corpus is {self.corpus!r}; it must be one of {', '.join(CORPORA)}.")
        known = (NURSERY,) if self.corpus == NURSERY else tuple(treebanks()["testset"])
        chosen = known if self.testsets is None else tuple(self.testsets)
        for name in chosen:
            if name not in known:
                raise ValueError(f"there is no test set {name!r} in {self.corpus}; there are {', '.join(known)}.")
        if not chosen:
            raise ValueError("choose at least one test set.")
        object.__setattr__(self, "testsets", chosen)
        object.__setattr__(self, "curve", tuple(int(k) for k in self.curve))
        if self.curve_testset is None:
            object.__setattr__(self, "curve_testset", "danish" if "danish" in chosen else chosen[0])
        for name in ("train_length", "short", "passes", "c_sweeps"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}.")
        if self.iterations < 0:
            raise ValueError(f"iterations must be at least 0, not {self.iterations}.")
        if not self.curve or min(self.curve) < 1:
            raise ValueError(f"curve must be numbers from 1, not {self.curve}.")
        for name in ("harmonic_tags", "tu_tags"):
            if getattr(self, name) not in LEVELS.values():
                levels = ", ".join(LEVELS.values())
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must be one of {levels}.")
        for name in ("annealing", "bc_sweeps", "cgs_sweeps", "cgs_rounds"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must be at least 0, not {getattr(self, name)}.")
        if not self.prior > 0:
            raise ValueError(f"prior must be more than 0, not {self.prior}.")
        if self.assignment not in ("greedy", "optimal"):
            raise ValueError(f"assignment must be 'greedy' or 'optimal', not {self.assignment!r}.")


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
    return pd.read_csv(data_folder() / "treebanks.csv", dtype="str", keep_default_na=False, encoding="utf-8")


def treebank(testset: str) -> pd.Series:
    """The row of `treebanks` of a test set; of the built-in language a row like it."""
    if testset == NURSERY:
        return pd.Series(
            {"testset": NURSERY, "corpus": NURSERY, "train": "train", "test": "train", "tags": "ud", "adults": "no",
             "scheme": "function words are heads", "comparable": "no",
             "differs": "Generated by the suite; no finding about a language."}
        )  # fmt: skip
    rows = treebanks()[treebanks()["testset"] == testset]
    if not len(rows):
        raise ValueError(f"there is no test set {testset!r}; there are {', '.join(treebanks()['testset'])}, {NURSERY}.")
    return rows.iloc[0]


def make_setting(setting: Setting | None, choices: Mapping[str, object]) -> Setting:
    """A setting from one given and single choices; names the choices there are if one is unknown."""
    known = [field.name for field in fields(Setting)]
    unknown = [name for name in choices if name not in known]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no choice of this recomputation; there are {', '.join(known)}.")
    chosen = dict(choices)
    if setting is not None and chosen.get("corpus", setting.corpus) != setting.corpus:
        chosen = {"testsets": None, "curve_testset": None} | chosen
    return replace(setting or Setting(), **chosen) if setting is not None else Setting(**chosen)  # type: ignore[arg-type]


@lru_cache(maxsize=12)
def data(testset: str) -> Data:
    """The text of a test set, kept in memory.

    Examples
    --------
    >>> data("nursery").tokens["universal"].nunique() <= 12
    True
    """
    row = treebank(testset)
    pieces, first = [], 0
    for part in row["train"].split(";"):
        piece = corpora.load(row["corpus"], part)
        if row["adults"] == "yes":
            piece = piece[piece["role"].astype("str") != "Target_Child"]
        numbers = pd.factorize(piece["sentence"])[0]
        numeric = ("sentence", "position", "head")
        words = {name: piece[name].astype("str") for name in piece.columns if name not in numeric}
        places = {"position": piece["position"], "head": piece["head"]}
        frame = pd.DataFrame(words | places).assign(sentence=numbers + first, part=part, scored=part == row["test"])
        pieces.append(frame)
        first += int(numbers[-1]) + 1
    found = pd.concat(pieces, ignore_index=True)
    tokens, tags = _with_levels(found, str(row["tags"]))
    kept = ["sentence", "position", "form", "coarse", "fine", "universal", "features", "head", "relation", "part",
            "scored"]  # fmt: skip
    tokens = tokens[[name for name in kept if name in tokens.columns]]
    text = ["form", "coarse", "fine", "universal", "part"]
    text += [name for name in ("features", "relation") if name in tokens.columns]
    version = f"{corpora.corpus_version(row['corpus'])} ({row['train'].replace(';', '+')})"
    return Data(tokens.astype(dict.fromkeys(text, "category")), version, tags)


def _with_levels(tokens: pd.DataFrame, scheme: str) -> tuple[pd.DataFrame, str]:
    """Three granularities of tags, and in words what they are."""
    if scheme == "penn":
        fine = tokens["fine"].astype("str")
        levels = {"coarse": fine.str[:2], "universal": universal_tags(fine, "penn").astype("str")}
        return tokens.assign(**levels), "coarse: first two letters of the fine tag, 31 as in the paper; universal: map"
    if scheme == "basque-3lb":
        universal = universal_tags(tokens["coarse"], scheme).astype("str")
        return tokens.assign(universal=universal), "coarse and fine as in CoNLL 2007; universal: the suite's own map"
    if "coarse" in tokens.columns:
        universal = universal_tags(tokens["universal"]).astype("str")
        return tokens.assign(universal=universal), "coarse and fine as generated; universal: map"
    own = has_fine_tags(tokens)
    fine = np.asarray(fine_tags(tokens)).astype("str")
    universal = universal_tags(tokens["universal"]).astype("str")
    found = tokens.assign(coarse=tokens["universal"], fine=fine, universal=universal)
    words = "the treebank's own" if own else "universal tag with features (the treebank has none)"
    return found, f"coarse: the 17 tags of UD; fine: {words}; universal: 12 by map"


def number_of_tags(testset: str, level: str) -> int:
    """How many tags a granularity has in the text; 12 for universal, whether all occur or not.

    Examples
    --------
    >>> number_of_tags("nursery", "coarse"), number_of_tags("nursery", "universal")
    (12, 12)
    """
    return 12 if level == "universal" else int(data(testset).tokens[level].nunique())
