"""The stored table of coverage and the page that shows it."""

from pathlib import Path

import pandas as pd

from benchmarks.coverage import STATE, page, summary

ROOT = Path(__file__).parents[1]


def test_the_page_shows_the_stored_table():
    table = pd.read_csv(ROOT / "benchmarks" / "coverage.csv")
    (command,) = set(table["command"])
    assert page(table, command) in (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    assert ((table["covered"] / table["draws"] - table["coverage"]).abs() < 1e-4).all()


def test_coverage_counts_the_intervals_that_hold_the_truth():
    rows = [
        ("A", 200, 0, "V", "jackknife", 0.5, 0.6, 0.5, 0.4, 0.6),
        ("A", 200, 1, "V", "jackknife", 0.5, 0.7, 0.6, 0.55, 0.65),
    ]
    row = summary(pd.DataFrame(rows, columns=STATE)).iloc[0]
    assert (row["draws"], row["covered"], row["coverage"]) == (2, 1, 0.5)
    assert (row["bias"], row["bias_corrected"]) == (0.15, 0.05)
