"""The example files: what they hold is what the readers find in them."""

import pytest

from analysis import corpora
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.examples import verb_forms

SENTENCES = 30


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return corpora.write_examples(tmp_path_factory.mktemp("examples"), SENTENCES)


def test_sentences_are_counted_and_the_text_has_the_words_of_the_treebank(files):
    tokens = corpora.read_conllu(files.treebank)
    assert tokens["sentence"].nunique() == SENTENCES
    text = [line.split() for line in files.text.read_text(encoding="utf-8").splitlines()]
    assert text == tokens.groupby("sentence")["form"].agg(list).tolist()
    assert files.transcript.read_text(encoding="utf-8").count("*MOT:") == SENTENCES
    assert read_auto(files.training_derivations).tokens["sentence"].nunique() == SENTENCES
    assert read_auto(files.derivations).tokens["sentence"].nunique() == SENTENCES // 10


def test_no_verb_is_for_training_and_for_testing(files):
    train, test = (corpora.read_forms(file).forms for file in (files.training_forms, files.forms))
    assert not set(train["lemma"]) & set(test["lemma"])
    assert set(train["features"]) == set(test["features"])
    assert len(train) + len(test) == len(verb_forms())
    assert 0.2 < test["lemma"].nunique() / verb_forms()["lemma"].nunique() < 0.3


def test_forms_of_a_verb_are_those_of_english():
    forms = verb_forms().set_index(["lemma", "features"])["form"]
    assert forms["see", "V;PST"] == "saw" and forms["see", "V;V.PTCP;PST"] == "seen"
    assert forms["get", "V;V.PTCP;PRS"] == "getting" and forms["want", "V;PRS;3;SG"] == "wants"


def test_a_seed_gives_the_same_files_and_another_seed_others(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / name).mkdir()
        corpora.write_examples(tmp_path / name, 10, random_state=seed)
    a, b, c = ((tmp_path / name / "treebank.conllu").read_bytes() for name in "abc")
    assert a == b != c


def test_too_few_sentences_are_refused(tmp_path):
    with pytest.raises(ValueError, match="sentences is 9"):
        corpora.write_examples(tmp_path, 9)
    assert not list(tmp_path.iterdir())
