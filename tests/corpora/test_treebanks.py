"""The treebanks of the catalogue, by name and part."""

import pandas as pd
import pytest

from analysis.corpora.catalogue import NotAtHandError
from analysis.corpora.loading import load, parts
from analysis.corpora.treebanks import fine_tags, has_fine_tags, read_treebank, treebank_names, treebank_parts
from analysis.structures import DataError


def read(name, part=None):
    try:
        return read_treebank(name, part)
    except NotAtHandError as error:
        pytest.skip(str(error).split("\n")[0])


def test_test_sets_come_first_and_every_treebank_has_parts():
    assert treebank_parts("ud-arabic-pud") == ["test"]
    assert treebank_parts("ud-czech-pdt")[:2] == ["test", "dev"]
    assert "train-ca" in treebank_parts("ud-czech-pdt")
    assert treebank_parts("ud-english-childes")[:4] == ["test", "dev", "train", "Abe_kuczaj"]
    assert treebank_parts("nltk-conll2007") == ["basque-test", "basque-train", "spanish-test", "spanish-train"]
    assert len(treebank_names()) == 14
    for name in treebank_names():
        assert parts(name) == treebank_parts(name)


def test_what_is_no_treebank_or_no_part_is_named():
    with pytest.raises(DataError, match="manchester is not a treebank of dependencies"):
        treebank_parts("manchester")
    with pytest.raises(DataError, match="ud-danish-ddt has no part 'trian'; it has test, dev, train"):
        read_treebank("ud-danish-ddt", "trian")


def test_left_over_fine_tags_are_not_taken_for_a_tagset():
    tokens = pd.DataFrame(
        {"universal": ["NOUN", "VERB", "ADV"], "features": ["_", "Mood=Ind", "_"], "fine": ["_", "_", "Polarity=Neg"]}
    )
    assert not has_fine_tags(tokens)
    assert list(fine_tags(tokens)) == ["NOUN", "VERB|Mood=Ind", "ADV"]
    own = tokens.assign(fine=["NN", "VBZ", "RB"])
    assert has_fine_tags(own)
    assert list(fine_tags(own)) == ["NN", "VBZ", "RB"]
    assert list(fine_tags(tokens.drop(columns=["fine", "features"]))) == ["NOUN", "VERB", "ADV"]
    with pytest.raises(ValueError, match="neither"):
        fine_tags(tokens[["features"]])


@pytest.mark.real_corpus
def test_the_sample_of_the_penn_treebank_is_one_treebank():
    tokens, sentences, incidents = read("nltk-dependency-treebank")
    assert (len(sentences), len(tokens), len(incidents)) == (3914, 94084, 0)
    assert tokens["sentence"].is_monotonic_increasing
    assert tokens["sentence"].nunique() == 3914
    assert sentences["file"].nunique() == 199
    assert list(tokens.columns) == ["sentence", "position", "form", "fine", "head"]


@pytest.mark.real_corpus
def test_the_conll2007_files_are_read_in_their_own_encodings():
    for part, words in (("basque-test", 10096), ("spanish-test", 19206)):
        assert len(read("nltk-conll2007", part).tokens) == words


@pytest.mark.real_corpus
def test_sentences_of_speech_to_children_say_who_speaks():
    reading = read("ud-english-childes", "Eve_Brown")
    spoken = reading.tokens.drop_duplicates("sentence")["role"].value_counts()
    assert spoken["Target_Child"] == 1015  # counted by grep in the file
    assert spoken.sum() == 2207
    pd.testing.assert_frame_equal(load("ud-english-childes", "Eve_Brown"), reading.tokens)
    assert "role" not in read("ud-danish-ddt").tokens


@pytest.mark.real_corpus
def test_danish_has_no_fine_tags_and_slovenian_has():
    assert not has_fine_tags(read("ud-danish-ddt").tokens)
    assert has_fine_tags(read("ud-slovenian-ssj").tokens)
