"""``yardstick evaluate ccg``."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.ccg import worked_example
from analysis.corpora.ccgbank import write_auto
from analysis.evaluation import evaluate_ccg, score_ccg
from analysis.structures import DataError

FILES = Path(__file__).parents[1] / "corpora" / "ccgbank"


@pytest.fixture
def files(tmp_path):
    gold, output = worked_example()
    write_auto(gold, tmp_path / "gold.auto")
    write_auto(output, tmp_path / "system.auto")
    return tmp_path / "gold.auto", tmp_path / "system.auto"


EXPECTED = {
    ("lexical categories", "accuracy"): (4, 6),
    ("Parseval", "labelled precision"): (3, 7),
    ("Parseval", "labelled recall"): (3, 6),
    ("Parseval", "bracketed precision"): (3, 7),
    ("Parseval", "bracketed recall"): (3, 6),
    ("tree dependencies", "labelled recall"): (5, 6),
    ("tree dependencies", "unlabelled recall"): (5, 6),
    ("tree dependencies", "labelled precision"): (5, 6),
    ("tree dependencies", "unlabelled precision"): (5, 6),
    ("predicate-argument dependencies", "labelled precision"): (3, 6),
    ("predicate-argument dependencies", "labelled recall"): (3, 7),
    ("predicate-argument dependencies", "unlabelled precision"): (5, 6),
    ("predicate-argument dependencies", "unlabelled recall"): (5, 7),
}


def run(*arguments):
    return CliRunner().invoke(main, ["evaluate", "ccg", *map(str, arguments)], catch_exceptions=True)


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_one_record_a_measure_with_its_counts(files, kind):
    result = run(*files, "--format", kind, "--resamples", 10)
    assert result.exit_code == 0, result.output
    records = json.loads(result.output) if kind == "json" else list(csv.DictReader(io.StringIO(result.output)))
    found = {(row["evaluation"], row["measure"]): (int(row["numerator"]), int(row["denominator"])) for row in records}
    assert found == EXPECTED
    assert {str(row["sentences scored"]) for row in records} == {"1"}


def test_the_table_says_conventions_and_what_was_found():
    result = run(FILES / "good.auto", FILES / "failed_word.auto", "--resamples", 0)
    assert result.exit_code == 0, result.output
    assert "tree dependencies: heads=field" in result.output
    assert "failed parse: 1, in" in result.stderr
    assert "lower" not in result.output


def test_files_that_do_not_align_are_one_line_of_error():
    result = run(FILES / "good.auto", FILES / "other_sentence.auto")
    assert result.exit_code != 0
    with pytest.raises(DataError, match="The first two that differ"):
        evaluate_ccg(FILES / "good.auto", [FILES / "other_sentence.auto"])


def test_strict_stops_at_a_defect_that_is_otherwise_counted():
    defect = FILES / "truncated_line.auto"
    incidents = []
    table = evaluate_ccg(FILES / "good.auto", [defect], incidents=incidents)
    assert set(table["sentences failed"]) == {1}
    assert [incident.kind for incident in incidents] == ["truncated"]
    with pytest.raises(DataError, match="ends within"):
        score_ccg(FILES / "good.auto", [defect], strict=True)
