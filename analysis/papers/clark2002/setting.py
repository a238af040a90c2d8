"""Settings of a recomputation of the paper, and the treebanks it can run on."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from analysis import corpora
from analysis.ccg import Evaluation, evaluate
from analysis.ccg.models import NormalFormParser
from analysis.ccg.reduced import Heads
from analysis.corpora.catalogue import locate
from analysis.corpora.ccgbank import read_auto, read_sections
from analysis.corpora.fetching import added
from analysis.corpora.language import nursery_part
from analysis.corpora.own_corpora import own_derivations, training_sentences
from analysis.papers import recipe
from analysis.papers.recipe import check_known, choice, kept
from analysis.structures import DataError
from analysis.structures.derivation import Derivations, derivations

#: Sections of CCGbank.
TRAIN_SECTIONS, TEST_SECTION = tuple(range(2, 22)), 23

LEXICALISED, UNLEXICALISED, UNADAPTED = "normal-form parser", "normal-form parser, unlexicalised", "unadapted parser"


@dataclass(frozen=True)
class Setting(recipe.Setting):
    """Every choice of a recomputation.

    Parameters
    ----------
    corpus : {"nursery", "ccg-geometry", "ccgbank"}
        Generated utterances; geometry problems with the output of a parser that was not adapted to them; CCGbank, if
        the reader has it (``data add ccgbank PATH`` on the command line); or a part of it under another name, in
        which case the first nine tenths train the parser.
    test_sentences : int, optional
        Number of sentences of the test part that are parsed, from the first; None means all.
    beam : float
        Of the parser.
    rare : int, optional
        Rarer words are replaced by word classes; by default 5, and 2 for the 63 training sentences of the geometry
        corpus.
    resamples : int
        Bootstrap resamples for the intervals.
    seed : int
        Of the bootstrap.

    Examples
    --------
    >>> Setting(corpus="ccg-geometry").rare
    2
    """

    corpora, own = ("ccgbank", "ccg-geometry", "nursery"), "ccgbank"
    test_sentences: int | None = choice(2000, at_least=1)
    beam: float = choice(1e-4, above=0)
    rare: int = choice(at_least=1, by_corpus=lambda setting: 2 if setting.corpus == "ccg-geometry" else 5)
    resamples: int = choice(200, at_least=0)
    seed: int = 0


class Data(NamedTuple):
    """Training and test derivations, outputs of other parsers on the test part, and the version of the data."""

    train: Derivations
    test: Derivations
    outputs: dict[str, Derivations]
    version: str


@recipe.Loader
def data(corpus: str) -> Data:
    """The derivations of a corpus, kept in memory.

    Parameters
    ----------
    corpus : str
        Name of a corpus.

    Returns
    -------
    Data

    Raises
    ------
    DataError
        If CCGbank was not added.
    """
    if corpus == "nursery":
        drawn = [nursery_part(part) for part in ("train", "test")]
        train, test = (derivations(part.nodes, part.tokens) for part in drawn)
        return Data(train, test, {}, corpora.corpus_version("nursery"))
    if corpus == "ccg-geometry":
        files = ("*geo-train.auto", "*geo-dev.auto", "*depccg_default.auto")
        train, test, output = (read_auto(locate(corpus, pattern)[0]) for pattern in files)
        return Data(train, test, {UNADAPTED: output}, corpora.data_version(corpus))
    entry = added().get(corpus)
    if entry is None:
        raise DataError(
            "CCGbank is not available: only licence holders have it.",
            "If you have it: yardstick data add ccgbank PATH",
        )
    if corpus != "ccgbank":
        whole = own_derivations(entry)
        first = training_sentences(len(whole.sentences))
        return Data(
            whole.select(range(first)), whole.select(range(first, len(whole))), {}, corpora.corpus_version(corpus)
        )
    train, test = (read_sections(Path(entry.path), sections) for sections in (TRAIN_SECTIONS, [TEST_SECTION]))
    return Data(train, test, {}, f"ccgbank, {entry.files:,} files added by the reader")


def first_sentences(bank: Derivations, count: int | None) -> Derivations:
    """The first sentences of a treebank; all if there are no more."""
    return bank if count is None else bank.select(range(min(count, len(bank))))


def test_part(setting: Setting) -> Derivations:
    """The sentences that are parsed."""
    return first_sentences(data(setting.corpus).test, setting.test_sentences)


def system_names(setting: Setting) -> tuple[str, ...]:
    """The parsers that can be evaluated on a corpus, external ones first.

    Parameters
    ----------
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> system_names(Setting())
    ('normal-form parser', 'normal-form parser, unlexicalised')
    """
    return (*data(setting.corpus).outputs, LEXICALISED, UNLEXICALISED)


@kept(copied=False)
def _parser(corpus: str, lexicalised: bool, beam: float, rare: int) -> NormalFormParser:
    return NormalFormParser(lexicalised=lexicalised, beam=beam, rare=rare).fit(data(corpus).train)


def parser(setting: Setting, system: str = LEXICALISED) -> NormalFormParser:
    """The project's parser, trained on the corpus's training part.

    Parameters
    ----------
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        Name of a system.

    Returns
    -------
    NormalFormParser

    Raises
    ------
    ValueError
        If there is no such parser.
    """
    check_known([system], (LEXICALISED, UNLEXICALISED), "parser is")
    return _parser(setting.corpus, system == LEXICALISED, setting.beam, setting.rare)


@kept
def output(setting: Setting, system: str = LEXICALISED) -> Derivations:
    """Output of a parser on the test sentences.

    Parameters
    ----------
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        Name of a system.

    Returns
    -------
    Derivations

    Raises
    ------
    ValueError
        If there is no such parser for the corpus.
    """
    check_known([system], system_names(setting), "parser is")
    others = data(setting.corpus).outputs
    return others[system] if system in others else parser(setting, system).predict(test_part(setting))


@kept
def evaluations(setting: Setting, system: str = LEXICALISED) -> dict[str, Evaluation]:
    """All evaluations of a parser, by name.

    Parameters
    ----------
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        Name of a system.

    Returns
    -------
    dict of str to Evaluation
    """
    found = evaluate(test_part(setting), output(setting, system), punctuation=False)
    return {evaluation.name: evaluation for evaluation in found}


@kept
def fifths(
    setting: Setting, system: str = LEXICALISED, heads: Heads = "auto", *, punctuation: bool
) -> list[dict[str, Evaluation]]:
    """All evaluations of a parser by name, on each fifth of the test sentences; see `analysis.ccg.evaluate`."""
    gold, predicted = test_part(setting), output(setting, system)
    bounds = [len(gold) * number // 5 for number in range(6)]
    parts = [range(*pair) for pair in pairwise(bounds)]
    return [{one.name: one for one in evaluate(gold.select(part), predicted.select(part), heads=heads,
                                               punctuation=punctuation)} for part in parts]  # fmt: skip


def evaluate_systems(setting: Setting, n_jobs: int = -1) -> Any:
    """Compute the evaluations of every parser before the tables; everything is done in one process."""
    return [evaluations(setting, system) for system in system_names(setting)]
