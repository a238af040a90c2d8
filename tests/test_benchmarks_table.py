"""The file of measurements: what is measured again replaces its own section only."""

from pathlib import Path

from benchmarks.__main__ import merged

TEXT = (Path(__file__).parents[1] / "benchmarks" / "README.md").read_text(encoding="utf-8")


def test_sections_that_are_not_measured_again_stay():
    before = merged(TEXT, [])
    assert all(section in TEXT for section in before)
    assert [name(section) for section in before] == sorted(map(name, before))
    after = merged(TEXT, ["**dmv**\n\nnew", "**a first one**\n\nnew"])
    assert after[0] == "**a first one**\n\nnew" and "**dmv**\n\nnew" in after
    assert [section for section in after if not section.endswith("new")] == [
        section for section in before if name(section) != "dmv"
    ]


def name(section):
    return section.partition("\n")[0].strip("*")
