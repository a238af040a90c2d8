"""Corpora by name: read once, the same after that, and their word classes collapsed by a table."""

import csv
from pathlib import Path

import pandas as pd
import pytest

from analysis.corpora import (
    Loader,
    collapse,
    collapsed_categories,
    corpus_names,
    corpus_version,
    counts,
    data_folder,
    incidents,
    load,
    loaders,
    loading,
    parts,
    read_chat,
    register,
    sample,
    transcripts,
)
from analysis.structures import DataError

FOLDER = Path(__file__).parent / "chat"


@pytest.fixture
def small_manchester(monkeypatch, tmp_path):
    """Manchester is the folder of made-up transcripts; the readings that happen are counted."""
    readings = []

    def read(*arguments, **keywords):
        readings.append(keywords)
        return read_chat(*arguments, **{**keywords, "progress": False, "n_jobs": 1})

    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.setattr(transcripts, "locate", lambda name: [FOLDER])
    monkeypatch.setattr(transcripts, "read_chat", read)
    return readings


def test_a_corpus_is_read_once_and_the_same_after_that(small_manchester):
    first, second = load("manchester"), load("manchester")
    assert len(small_manchester) == 1
    pd.testing.assert_frame_equal(first, second)
    direct = read_chat(FOLDER, strict=False).tokens
    pd.testing.assert_frame_equal(second.drop(columns="coarse"), direct)
    assert isinstance(second["coarse"].dtype, pd.CategoricalDtype)


def test_incidents_and_counts_are_those_of_the_reading(small_manchester):
    direct = read_chat(FOLDER, strict=False)
    pd.testing.assert_frame_equal(incidents("manchester"), direct.incidents)
    pd.testing.assert_frame_equal(counts("manchester"), direct.counts)
    assert len(small_manchester) == 1


@pytest.mark.parametrize("change", ["chat_reader", "data_version", "UNINTELLIGIBLE"])
def test_a_corpus_is_read_again_when_reader_data_or_conventions_change(small_manchester, monkeypatch, change):
    load("manchester")
    new = {"chat_reader": lambda: "0", "data_version": lambda name: "other data", "UNINTELLIGIBLE": ("kite",)}[change]
    monkeypatch.setattr(transcripts, change, new)
    load("manchester")
    assert len(small_manchester) == 2


def test_a_reading_that_was_interrupted_is_done_again(small_manchester, tmp_path):
    load("manchester")
    [tokens] = tmp_path.rglob("tokens.parquet")
    tokens.unlink()
    load("manchester")
    assert len(small_manchester) == 2 and tokens.is_file()
    assert {path.name for path in tokens.parent.iterdir()} == {
        "key.json",
        "tokens.parquet",
        "incidents.parquet",
        "counts.parquet",
    }


def test_parts_of_a_corpus_are_loaded_by_name(small_manchester):
    assert parts("manchester") == ["train", "test"]
    pd.testing.assert_frame_equal(load("manchester"), load("manchester", "train"))
    pd.testing.assert_frame_equal(load("manchester", "test"), load("childes"))
    with pytest.raises(DataError, match=r"no part 'dev'; it has train, test"):
        load("manchester", "dev")


def test_an_unknown_corpus_lists_the_nearest():
    with pytest.raises(DataError, match="did you mean manchester"):
        load("Manchestr")


def test_a_corpus_of_another_kind_can_be_registered(monkeypatch):
    other = dict(loaders.LOADERS)
    for module in (loaders, loading):
        monkeypatch.setattr(module, "LOADERS", other)
    table = pd.DataFrame({"sentence": [0], "form": ["kite"]})
    register("made", Loader(parts={"all": lambda: table}, version=lambda: "made 1"))
    assert load("made") is table and "made" in corpus_names() and corpus_version("made") == "made 1"
    with pytest.raises(DataError, match="not read from transcripts"):
        counts("made")


def test_a_sample_is_whole_sentences_in_order():
    tokens = read_chat(FOLDER, strict=False).tokens
    drawn = sample(tokens, 10, random_state=3)
    assert drawn["sentence"].nunique() == 10 and drawn["sentence"].is_monotonic_increasing
    whole = tokens[tokens["sentence"].isin(drawn["sentence"])].reset_index(drop=True)
    for column in tokens.columns:
        assert drawn[column].tolist() == whole[column].tolist()
    assert set(drawn["form"].cat.categories) == set(drawn["form"])
    pd.testing.assert_frame_equal(drawn, sample(tokens, 10, random_state=3))
    assert sample(tokens, 10, random_state=4)["sentence"].tolist() != drawn["sentence"].tolist()
    assert len(sample(tokens, 10**6)) == len(tokens)
    with pytest.raises(ValueError, match="1 or more"):
        sample(tokens, 0)


def test_the_collapse_leads_to_the_categories_of_the_paper():
    with (data_folder() / "published/frank2009/table1_collapsed_categories.csv").open(encoding="utf-8") as stream:
        printed = {row["category"] for row in csv.DictReader(stream)}
    table = collapsed_categories()
    assert set(table["coarse"]) == printed
    assert table["fine"].is_unique


@pytest.mark.parametrize(
    ("fine", "coarse"),
    [
        ("pro", "N"),
        ("det:num", "DET"),
        ("v:cop", "V"),
        ("aux", "V"),
        ("mod", "V"),
        ("co", "OTH"),
        ("inf", "INF"),
        ("prep", "PREP"),
        ("neg", "NEG"),
        ("qn", "QN"),
        ("coord", "CONJ"),
        ("part", "PART"),
        ("adj", "ADJ"),
        ("adv:tem", "ADV"),
    ],
)
def test_the_examples_of_the_paper_are_settled(fine, coarse):
    assert list(collapse(pd.Series([fine]))) == [coarse]


def test_a_tag_without_category_is_reported_not_guessed():
    with pytest.raises(DataError, match=r"1 fine tag.*: adj:made"):
        collapse(pd.Series(["n", "adj:made"]))


def test_collapsing_takes_strings_and_categories_alike():
    tags = pd.Series(["n", "det", "n", "v"])
    assert list(collapse(tags)) == list(collapse(tags.astype("category"))) == ["N", "DET", "N", "V"]


def test_every_judgement_call_is_told_in_the_readme():
    readme = (data_folder() / "categories" / "README.md").read_text(encoding="utf-8")
    told = ("pro:poss:det", "rel", "post", "poss", "adj:part", "n:gerund", "mod:aux", "n:let", "on", "co")
    assert all(f"`{tag}`" in readme for tag in told)


@pytest.mark.real_corpus
@pytest.mark.parametrize("name", ["manchester", pytest.param("childes", marks=pytest.mark.slow)])
def test_nothing_is_lost_silently(name):
    table = counts(name).set_index("outcome")["utterances"]
    assert table["read"] == {"manchester": 623_253, "childes": 1_846_767}[name]  # main lines that begin with *
    assert table["read"] == table.drop("read").sum()
    assert table["kept"] == load(name)["sentence"].nunique()
    listed = incidents(name)["kind"].value_counts()
    for kind in ("no tier", "misaligned", "malformed tier"):
        assert listed.get(kind, 0) == table[kind]
        assert table[kind] < table["kept"] / 1000


def test_the_version_of_a_corpus_changes_with_the_reader_and_with_the_collapse(monkeypatch):
    before = corpus_version("manchester")
    monkeypatch.setattr(transcripts, "chat_reader", lambda: "changed")
    assert "reader changed" in corpus_version("manchester") != before
    monkeypatch.undo()
    monkeypatch.setattr(transcripts, "_collapse", lambda: pd.DataFrame({"fine": ["det"], "coarse": ["N"]}))
    assert corpus_version("manchester") != before


# Damaged and unwritable caches ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [b"", b"PAR1 and no more", None])
@pytest.mark.parametrize("table", ["tokens", "incidents"])
def test_a_damaged_copy_is_read_again_and_written_anew(small_manchester, tmp_path, damage, table):
    before = load("manchester")
    [copy] = tmp_path.rglob(f"{table}.parquet")
    whole = copy.read_bytes()
    copy.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    incidents("manchester")
    pd.testing.assert_frame_equal(load("manchester"), before)
    assert len(small_manchester) == 2 and copy.read_bytes() == whole
    load("manchester")
    assert len(small_manchester) == 2


def test_a_cache_that_cannot_be_written_only_keeps_nothing(small_manchester, tmp_path, monkeypatch):
    kept = load("manchester")
    (tmp_path / "a file").write_text("in the way")
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "a file"))
    for number in (2, 3):
        pd.testing.assert_frame_equal(load("manchester"), kept)
        assert len(small_manchester) == number
