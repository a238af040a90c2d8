"""CHAT of other languages than English: small files of our own making."""

from pathlib import Path

import pytest

from analysis.corpora import read_chat, read_chat_text
from analysis.corpora.chat import read_participants
from analysis.structures import DataError

FOLDER = Path(__file__).parent / "chat_languages"
HEAD = "@UTF8\n@Begin\n@Participants:\tCHI Target_Child , MOT Mother\n"


def rows(tokens, *columns):
    return list(tokens[list(columns)].astype("str").itertuples(index=False, name=None))


def test_french_words_end_at_the_apostrophe_and_fused_words_have_a_row_a_part():
    tokens = read_chat(FOLDER / "french.cha")
    assert rows(tokens, "form", "lemma", "fine") == [
        ("c'", "ce", "pron"), ("est", "être", "aux"), ("du", "de", "adp"), ("", "le", "det"),
        ("pain", "pain", "noun"), ("Léa", "Léa", "propn"),
    ]  # fmt: skip


def test_heads_and_relations_are_those_of_the_words_that_are_kept():
    tokens = read_chat(FOLDER / "french.cha", dependencies=True, exclude_roles=())
    assert tokens.loc[tokens["sentence"] == 0, ["head", "relation"]].values.tolist() == [
        [4, "NSUBJ"], [4, "COP"], [5, "CASE"], [5, "DET"], [0, "ROOT"], [5, "VOCATIVE"],
    ]  # fmt: skip
    assert tokens.loc[tokens["sentence"] == 1, ["form", "head", "relation"]].values.tolist() == [
        ["l'", -1, "_"], ["eau", -1, "_"],
    ]  # fmt: skip


def test_a_tier_of_dependencies_that_does_not_match_is_an_incident():
    text = f"{HEAD}*MOT:\tkite .\n%mor:\tn|kite .\n%gra:\t1|0|ROOT\n@End\n"
    with pytest.raises(DataError, match=r"%gra tier does not match"):
        read_chat_text(text, dependencies=True)
    reading = read_chat_text(text, dependencies=True, strict=False)
    assert reading.incidents[["line", "kind"]].values.tolist() == [[4, "misaligned dependencies"]]
    assert reading.tokens[["head", "relation"]].values.tolist() == [[-1, "_"]]


def test_spanish_clitics_and_contractions_are_kept():
    tokens = read_chat(FOLDER / "spanish.cha")
    assert rows(tokens, "form", "lemma") == [
        ("dámelo", "da"), ("", "me"), ("", "lo"), ("al", "a"), ("", "el"), ("lado", "lado"), ("del", "de"), ("", "el"),
        ("niño", "niño"),
    ]  # fmt: skip


def test_german_contractions_are_kept_and_the_first_of_several_readings_counts():
    with pytest.raises(DataError, match="several readings"):
        read_chat(FOLDER / "german.cha")
    reading = read_chat(FOLDER / "german.cha", strict=False)
    assert rows(reading.tokens, "form", "lemma") == [
        ("das", "das"), ("ist", "sein"), ("im", "in"), ("", "dem"), ("Haus", "Haus"),
        ("wie", "wie"), ("'s", "es"), ("geht", "geh"), ("Maus", "Maus"),
    ]  # fmt: skip
    assert reading.incidents[["line", "kind"]].values.tolist() == [[9, "ambiguous"]]


def test_chinese_is_read_with_its_own_marks():
    tokens = read_chat(FOLDER / "chinese.cha")
    assert rows(tokens, "form", "lemma") == [("你", "ni3"), ("要", "yao4"), ("这个", "zhe4"), ("", "ge4"), ("吗", "ma")]


@pytest.mark.parametrize("language", ["eng", "spa", ""])
def test_only_english_words_must_come_apart(language):
    stated = f"@Languages:\t{language}\n" if language else ""
    text = (
        HEAD.replace("@Part", f"{stated}@Part")
        + "*MOT:\tblorp .\n%mor:\tv|blor~pro|it .\n*MOT:\tno .\n%mor:\tco|no .\n@End\n"
    )
    forms = read_chat_text(text, strict=False).tokens["form"].astype("str").tolist()
    assert forms == (["no"] if language == "eng" else ["blorp", "", "no"])


def test_languages_do_not_mix_in_one_reading():
    files = [FOLDER / "french.cha", FOLDER / "spanish.cha", FOLDER / "chinese.cha"]
    together = read_chat(files)["form"].astype("str").tolist()
    assert together == [form for file in files for form in read_chat(file)["form"].astype("str")]


def test_speakers_are_listed_with_their_ages():
    table = read_participants(FOLDER)
    assert len(table) == 8
    ages = table.set_index(["file", "speaker"])["months"]
    assert (
        ages["french.cha", "CHI"] == 27.5 and ages["french.cha", "MOT"] == 31 * 12 and ages["spanish.cha", "CHI"] == 23
    )
    assert ages.isna().sum() == 3
