import unicodedata

import pytest

from analysis.corpora.lexical import LANGUAGES, arabic_nouns, lexical_forms, lexical_version
from analysis.inflection.errors.arabic import plural_class
from analysis.structures import DataError

pytestmark = pytest.mark.thorough

pytest.importorskip("wordfreq", reason="the extra 'lexical' is not installed")
pytest.importorskip("lemminflect", reason="the extra 'lexical' is not installed")
pytest.importorskip("german_nouns", reason="the extra 'lexical' is not installed")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_has_one_item_a_lemma_most_frequent_first(language):
    forms = lexical_forms(language)
    assert not forms["lemma"].duplicated().any()
    assert forms["frequency"].is_monotonic_decreasing and forms["frequency"].min() > 0
    assert not forms[["lemma", "form", "features", "frequency"]].isna().any().any()
    assert len(forms) >= {"Arabic": 300, "English": 2054, "German": 1700}[language]


def test_well_known_forms_are_as_they_should_be():
    english = lexical_forms("English", 1000).set_index("lemma")["form"]
    assert english[["be", "sing", "walk", "put"]].tolist() == ["was", "sang", "walked", "put"]
    german = lexical_forms("German", 2000).set_index("lemma")
    assert german.loc["Haus", ["form", "features"]].tolist() == ["Häuser", "N;NOM;NEUT;PL"]
    assert german.loc["Frau", ["form", "features"]].tolist() == ["Frauen", "N;NOM;FEM;PL"]
    assert "Aber" not in german.index, "a noun in the dictionary and hardly ever in a text"


def test_the_arabic_list_is_labelled_whole_and_diacritised():
    nouns = arabic_nouns()
    assert len(nouns) >= 300 and not nouns["singular"].duplicated().any()
    assert set(nouns["gender"]) == {"MASC", "FEM"} and set(nouns["human"]) == {"HUM", "NHUM"}
    words = [*nouns["singular"], *nouns["plural"]]
    marked = [any(unicodedata.combining(letter) for letter in word) for word in words]
    assert sum(marked) > 0.97 * len(words), "only words like ḥālāt, whose vowels are all long, have no mark"
    assert all("\u0600" <= letter <= "\u06ff" for word in words for letter in word)


def test_the_arabic_plural_classes_agree_with_the_endings():
    nouns = arabic_nouns()
    found = [plural_class(lemma, form) for lemma, form in zip(nouns["singular"], nouns["plural"], strict=True)]
    names = {"FEM": "sound feminine", "MASC": "sound masculine", "Br": "broken"}
    wrong = nouns[[names[kind] != label for kind, label in zip(found, nouns["class"], strict=True)]]
    assert len(wrong) <= 0.01 * len(nouns), wrong


def test_unknown_languages_and_too_many_lemmas_are_refused():
    with pytest.raises(DataError, match="no word list for 'Danish'"):
        lexical_forms("Danish")
    with pytest.raises(DataError, match="there are"):
        lexical_forms("Arabic", 10_000)


def test_the_version_names_each_package():
    assert "lemminflect" in lexical_version("English") and "wordfreq" in lexical_version("Arabic")
