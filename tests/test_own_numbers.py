"""The suite's own numbers on built-in data: a number that changes is announced in the changelog."""

import pandas as pd
import pytest

from benchmarks.own_numbers import CHANGES, KEYS, not_named, own_numbers, read, unreleased


@pytest.mark.thorough
def test_the_numbers_are_those_of_the_file():
    ours, frozen = own_numbers().set_index(KEYS)["value"], read().set_index(KEYS)["value"]
    assert ours.index.tolist() == frozen.index.tolist(), "run `make own-numbers`"
    apart = (ours - frozen).abs() > 2e-6
    moved = [" ".join(key) for key in ours.index[(apart.fillna(False)) | (ours.isna() != frozen.isna())]]
    assert moved == [], "run `make own-numbers`, and name these measures under Unreleased in CHANGELOG.md"


def test_every_number_that_changed_is_in_the_changelog():
    assert not_named(read(), unreleased(CHANGES.read_text(encoding="utf-8"))) == []


def frozen(measure, value, announced):
    return pd.DataFrame({"measure": [measure], "value": pd.array([value], dtype="Float64"),
                         "announced": pd.array([announced], dtype="Float64")})  # fmt: skip


def test_a_change_without_an_entry_is_seen_and_one_with_an_entry_is_not():
    changed = frozen("V", 0.51, 0.5)
    assert not_named(changed, "- many-to-one is the basic bootstrap; NVI.") == ["V"]
    assert not_named(changed, "- V of one class is 1.") == []
    assert not_named(frozen("V", 0.5, 0.5), "") == []


def test_a_number_that_vanishes_is_a_change_and_a_new_one_is_none():
    assert not_named(frozen("VI", None, 0.5), "") == ["VI"]
    assert not_named(frozen("VI", 0.5, None), "") == []


@pytest.mark.parametrize(
    ("measure", "entry"),
    [("Parseval: labelled recall", "Labelled recall counts X."), ("MicroI one-to-one", "MicroI breaks ties by name.")],
)
def test_the_name_of_a_measure_without_its_evaluation_or_mapping_is_enough(measure, entry):
    assert not_named(frozen(measure, 0.1, 0.2), entry) == []
    assert not_named(frozen(measure, 0.1, 0.2), "Nothing.") == [measure]


def test_directed_is_not_named_by_undirected():
    assert not_named(frozen("directed", 0.1, 0.2), "undirected") == ["directed"]


def test_only_the_unreleased_part_of_the_changelog_counts():
    assert unreleased("# C\n\n## Unreleased\n\n- V\n\n## 0.1.0\n\n- VI\n").strip() == "- V"
    assert unreleased("## 0.1.0\n- V\n") == ""


def test_every_subject_has_numbers():
    table = read()
    assert set(table["subject"]) == {"tags", "types", "trees", "ccg", "inflections"}
    assert not table.duplicated(KEYS).any() and table["announced"].notna().all()
