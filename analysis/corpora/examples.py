"""Example files of the built-in language, one for each kind of system that can be scored."""

from os import PathLike
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from analysis.corpora.any_format import read_corpus
from analysis.corpora.exporting import write_generated
from analysis.corpora.language.lexicon import read_list
from analysis.corpora.plain import write_plain
from analysis.corpora.unimorph import write_forms
from analysis.structures import check_between

#: Columns of the list of verbs, and the features of their forms as UniMorph writes them.
VERB_FORMS = {"third": "V;PRS;3;SG", "past": "V;PST", "ing": "V;V.PTCP;PRS", "participle": "V;V.PTCP;PST"}
_EVERY = 4  # each fourth verb is for testing


class ExampleFiles(NamedTuple):
    """The files that `write_examples` wrote.

    Attributes
    ----------
    text : Path
        Plain text, one sentence a line: the words of ``treebank``.
    treebank : Path
        CoNLL-U, with tags and heads.
    transcript : Path
        CHAT with a %mor tier.
    derivations, training_derivations : Path
        AUTO files of different sentences.
    forms, training_forms : Path
        Lemma, form, features of different verbs.
    """

    text: Path
    treebank: Path
    transcript: Path
    derivations: Path
    training_derivations: Path
    forms: Path
    training_forms: Path


def write_examples(folder: str | PathLike, sentences: int = 600, *, random_state: int = 0) -> ExampleFiles:
    """Write small files in the formats that are read and scored, from the built-in language.

    Parameters
    ----------
    folder : path
        Exists; files of these names are overwritten.
    sentences : int
        Of the treebank, the transcript and the training derivations; a tenth as many derivations are for testing.
    random_state : int
        Seed of the treebank; each other file of sentences has one of the next seeds.

    Returns
    -------
    ExampleFiles

    Raises
    ------
    ValueError
        If there are fewer than ten sentences, or more than ten million.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = write_examples(folder, 10)
    ...     len(read_corpus(files.text).tokens) == len(read_corpus(files.treebank).tokens)
    True
    """
    check_between(10, 10_000_000, sentences=sentences)
    place = Path(folder)
    files = ExampleFiles(
        *(place / name for name in (
            "text.txt", "treebank.conllu", "transcript.cha", "gold.auto", "train.auto", "gold.tsv", "train.tsv",
        ))
    )  # fmt: skip
    write_generated(sentences, files.treebank, "conllu", random_state=random_state)
    write_generated(sentences, files.transcript, "chat", random_state=random_state + 1)
    write_generated(sentences, files.training_derivations, "auto", random_state=random_state + 2)
    write_generated(sentences // 10, files.derivations, "auto", random_state=random_state + 3)
    write_plain(read_corpus(files.treebank).tokens, files.text)
    items = verb_forms()
    tested = pd.factorize(items["lemma"])[0] % _EVERY == 0
    write_forms(items[tested], files.forms)
    write_forms(items[~tested], files.training_forms)
    return files


def verb_forms() -> pd.DataFrame:
    """The inflected forms of the verbs of the built-in language.

    Returns
    -------
    DataFrame
        One row a lemma and feature set: ``lemma``, ``form``, ``features``.

    Examples
    --------
    >>> verb_forms().head(2).values.tolist()
    [['go', 'goes', 'V;PRS;3;SG'], ['go', 'went', 'V;PST']]
    """
    verbs = read_list("verbs").drop_duplicates("lemma").reset_index(drop=True)
    items = verbs.rename(columns=VERB_FORMS).melt(
        "lemma", list(VERB_FORMS.values()), var_name="features", value_name="form", ignore_index=False
    )
    items = items.sort_index(kind="stable")
    return items.loc[items["form"] != "", ["lemma", "form", "features"]].reset_index(drop=True)
