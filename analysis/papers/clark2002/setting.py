"""What a recomputation of the paper may vary, and the treebanks it can run on."""

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis import corpora
from analysis.ccg import Evaluation, evaluate
from analysis.ccg.models import NormalFormParser
from analysis.corpora.catalogue import locate
from analysis.corpora.ccgbank import read_auto, read_sections
from analysis.corpora.fetching import added
from analysis.corpora.language import nursery_part
from analysis.structures import DataError
from analysis.structures.derivation import Derivations, derivations

#: Sections of CCGbank.
TRAIN_SECTIONS, TEST_SECTION = tuple(range(2, 22)), 23

LEXICALISED, UNLEXICALISED, UNADAPTED = "normal-form parser", "normal-form parser, unlexicalised", "unadapted parser"

CORPORA = ("ccgbank", "ccg-geometry", "nursery")


@dataclass(frozen=True)
class Setting:
    """Every choice of a recomputation.

    Parameters
    ----------
    corpus : {"nursery", "ccg-geometry", "ccgbank"}
        Generated utterances; geometry problems with the output of a parser that was not adapted to them; CCGbank, if
        the reader has it (``python -m analysis data add ccgbank PATH``).
    test_sentences : int, optional
        How many sentences of the test part are parsed, the first ones; None is all.
    beam : float
        Of the parser.
    rare : int, optional
        Words seen less often become a class; by default 5, and 2 for the 63 training sentences of the geometry corpus.
    resamples : int
        Bootstrap resamples of sentences for the intervals.
    seed : int
        Of the bootstrap.

    Examples
    --------
    >>> Setting(corpus="ccg-geometry").rare
    2
    """

    corpus: str = "nursery"
    test_sentences: int | None = 2000
    beam: float = 1e-4
    rare: int | None = None
    resamples: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        if self.corpus not in CORPORA:
            raise ValueError(f"there is no corpus {self.corpus!r} for this paper; there are {', '.join(CORPORA)}.")
        if self.rare is None:
            object.__setattr__(self, "rare", 2 if self.corpus == "ccg-geometry" else 5)
        if self.test_sentences is not None and self.test_sentences < 1:
            raise ValueError(f"test_sentences must be at least 1, not {self.test_sentences}.")


class Data(NamedTuple):
    """Training and test derivations, outputs of other parsers on the test part, and the version of the data."""

    train: Derivations
    test: Derivations
    outputs: dict[str, Derivations]
    version: str


def make_setting(setting: Setting | None, choices: dict) -> Setting:
    """A setting from one given and single choices; names the choices there are if one is unknown."""
    known = [field.name for field in fields(Setting)]
    unknown = [name for name in choices if name not in known]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no choice of this recomputation; there are {', '.join(known)}.")
    if "corpus" in choices and "rare" not in choices and setting is not None:
        choices = choices | {"rare": None}
    return replace(setting or Setting(corpus=choices.get("corpus", "nursery")), **choices)


def generated(corpus: str) -> bool:
    """Whether a corpus is made by the suite."""
    return corpora.dataset(corpus).how == "built in"


@lru_cache(maxsize=3)
def data(corpus: str) -> Data:
    """The derivations of a corpus, kept in memory.

    Raises
    ------
    DataError
        If CCGbank was not added.
    """
    if corpus == "nursery":
        drawn = [nursery_part(part) for part in ("train", "test")]
        both = [derivations(part.nodes, part.tokens) for part in drawn]
        return Data(both[0], both[1], {}, corpora.corpus_version("nursery"))
    if corpus == "ccg-geometry":
        train, test, output = (
            read_auto(locate(corpus, pattern)[0])
            for pattern in ("*geo-train.auto", "*geo-dev.auto", "*depccg_default.auto")
        )
        return Data(train, test, {UNADAPTED: output}, corpora.data_version(corpus))
    entry = added().get("ccgbank")
    if entry is None:
        raise DataError(
            "CCGbank is not at hand: only licence holders have it.",
            "If you have it: python -m analysis data add ccgbank PATH",
        )
    place = Path(entry.path)
    train, test = read_sections(place, TRAIN_SECTIONS), read_sections(place, [TEST_SECTION])
    return Data(train, test, {}, f"ccgbank, {entry.files:,} files added by the reader")


def test_part(setting: Setting) -> Derivations:
    """The sentences that are parsed."""
    test = data(setting.corpus).test
    if setting.test_sentences is None or setting.test_sentences >= len(test):
        return test
    n = setting.test_sentences
    tables = [
        table.iloc[: int(np.searchsorted(table["sentence"].to_numpy(), n))] for table in (test.nodes, test.tokens)
    ]
    return Derivations(tables[0], tables[1], test.sentences.iloc[:n])


def system_names(setting: Setting) -> tuple[str, ...]:
    """The parsers that can be evaluated on a corpus, those of others first.

    Examples
    --------
    >>> system_names(Setting())
    ('normal-form parser', 'normal-form parser, unlexicalised')
    """
    return (*data(setting.corpus).outputs, LEXICALISED, UNLEXICALISED)


@lru_cache(maxsize=6)
def _parser(corpus: str, lexicalised: bool, beam: float, rare: int) -> NormalFormParser:
    return NormalFormParser(lexicalised=lexicalised, beam=beam, rare=rare).fit(data(corpus).train)


def parser(setting: Setting, system: str = LEXICALISED) -> NormalFormParser:
    """The project's parser, trained on the corpus's training part.

    Raises
    ------
    ValueError
        If there is no such parser.
    """
    if system not in (LEXICALISED, UNLEXICALISED):
        raise ValueError(f"{system!r} is no parser of this suite; there are {LEXICALISED!r} and {UNLEXICALISED!r}.")
    assert setting.rare is not None
    return _parser(setting.corpus, system == LEXICALISED, setting.beam, setting.rare)


@lru_cache(maxsize=8)
def output(setting: Setting, system: str = LEXICALISED) -> Derivations:
    """What a parser makes of the test sentences.

    Raises
    ------
    ValueError
        If there is no such parser for the corpus.
    """
    if system not in system_names(setting):
        raise ValueError(f"no parser {system!r} for {setting.corpus}; there are {', '.join(system_names(setting))}.")
    others = data(setting.corpus).outputs
    if system in others:
        return others[system]
    return parser(setting, system).predict(test_part(setting))


@lru_cache(maxsize=8)
def evaluations(setting: Setting, system: str = LEXICALISED) -> dict[str, Evaluation]:
    """All evaluations of a parser, by name."""
    return {
        evaluation.name: evaluation
        for evaluation in evaluate(test_part(setting), output(setting, system), punctuation=False)
    }
