"""``evaluate inflections`` on files made by hand."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.evaluation.inflections import evaluate_inflections
from analysis.structures import DataError

GOLD = "fly\tflew\tV;PST\nwalk\twalked\tV;PST\nobey\tobeyed\tV;PST\ngo\tgoes\tV;PRS\n"
ANSWERS = "go\tgoes\tV;PRS\nobey\tobeid\tV;PST\nwalk\twalked\tV;PST\nfly\tflied\tV;PST\n"
TRAINING = "walk\twalks\tV;PRS\nsing\tsang\tV;PST\n"


@pytest.fixture
def files(tmp_path):
    for name, text in (("gold", GOLD), ("mine", ANSWERS), ("train", TRAINING)):
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    return tmp_path


def command(*arguments):
    return CliRunner().invoke(main, ["evaluate", "inflections", *map(str, arguments)])


def test_accuracy_has_counts_and_intervals_over_all_and_by_features_and_by_what_was_seen(files):
    table = evaluate_inflections(files / "gold.tsv", [files / "mine.tsv"], training=files / "train.tsv")
    counts = {(row.by, row.group): (row.numerator, row.denominator) for row in table.itertuples()}
    assert counts["all", "all"] == (2, 4)
    assert counts["features", "V;PST"] == (1, 3) and counts["features", "V;PRS"] == (1, 1)
    assert counts["seen", "lemma and features"] == (1, 1) and counts["seen", "features only"] == (1, 3)
    first = table.iloc[0]
    assert first["lower"] < 0.5 < first["upper"] and "Wilson" in first["convention"]


def test_error_types_are_counted_among_the_wrong_forms(files):
    table = evaluate_inflections(files / "gold.tsv", [files / "mine.tsv"], language="English")
    errors = table[table["by"] == "errors"].set_index("group")
    assert errors["numerator"].to_dict() == {"-(e)d": 2, "irreg": 0, "?": 0} and set(errors["denominator"]) == {2}


def test_the_command_prints_a_table_csv_or_json(files):
    shown = command(files / "gold.tsv", files / "mine.tsv", "--language", "English")
    assert shown.exit_code == 0 and "mine.tsv" in shown.stdout and "0.5000" in shown.stdout
    rows = list(csv.DictReader(io.StringIO(command(files / "gold.tsv", files / "mine.tsv", "--format", "csv").stdout)))
    assert (rows[0]["numerator"], rows[0]["denominator"], rows[0]["value"]) == ("2", "4", "0.5")
    records = json.loads(command(files / "gold.tsv", files / "mine.tsv", files / "gold.tsv", "--format", "json").stdout)
    assert [row["value"] for row in records if row["by"] == "all"] == [0.5, 1.0]


def test_a_system_with_other_items_is_named_with_the_first_row_that_differs(files):
    (files / "short.tsv").write_text(ANSWERS.replace("fly\tflied\tV;PST\n", ""), encoding="utf-8")
    with pytest.raises(ValueError, match=r"short\.tsv: .*the first is row 0 of gold: 'fly', 'V;PST'"):
        evaluate_inflections(files / "gold.tsv", [files / "short.tsv"], strict=True)
    result = command(files / "gold.tsv", files / "short.tsv", "--strict")
    assert result.exit_code == 2 and "short.tsv" in result.stderr


def test_a_damaged_file_is_named_with_the_line(files):
    (files / "bad.tsv").write_text("fly\tflew\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.tsv: the predictions lacks the column 'features'"):
        evaluate_inflections(files / "gold.tsv", [files / "bad.tsv"])
    (files / "cut.tsv").write_text(ANSWERS + "fly\tflew\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"cut\.tsv, line 5: the line has 2 columns"):
        evaluate_inflections(files / "gold.tsv", [files / "cut.tsv"], strict=True)
    assert "missing column: 1, in" in command(files / "gold.tsv", files / "cut.tsv").stderr


def _accuracy(stdout):
    return next(line.split()[2:5] for line in stdout.splitlines() if line.startswith("all"))


def test_conflicting_answers_to_an_item_are_named_and_count_as_wrong_in_any_order_of_lines(files):
    right, wrong = "fly\tflew\tV;PST\n", "fly\tflied\tV;PST\n"
    rest = ANSWERS.replace(wrong, "")
    for name, text in (("ab", right + rest + wrong), ("ba", wrong + rest + right)):
        (files / f"{name}.tsv").write_text(text, encoding="utf-8")
    said = {name: command(files / "gold.tsv", files / f"{name}.tsv") for name in ("ab", "ba")}
    assert _accuracy(said["ab"].stdout) == _accuracy(said["ba"].stdout) == ["0.5000", "proportion", "2"]
    conflict = "'fly, V;PST' has the answer 'flied', and 'flew' in line 1; it counts as wrong"
    assert f"conflicting answers: 1, in {files / 'ab.tsv'}, line 5: {conflict}" in said["ab"].stderr
    assert "missing" not in said["ab"].stderr
    refused = command(files / "gold.tsv", files / "ab.tsv", "--strict")
    assert refused.exit_code == 2 and "'fly, V;PST' has the answer 'flied'" in refused.stderr


def test_an_equal_answer_again_is_said_and_changes_nothing(files):
    (files / "twice.tsv").write_text(ANSWERS + "walk\twalked\tV;PST\n", encoding="utf-8")
    for more in ((), ("--strict",)):
        result = command(files / "gold.tsv", files / "twice.tsv", *more)
        assert result.exit_code == 0 and _accuracy(result.stdout) == ["0.5000", "proportion", "2"]
        assert "duplicate: 1" in result.stderr and "missing" not in result.stderr


def test_two_gold_forms_of_an_item_are_two_items_compared_in_the_order_of_lines(files):
    (files / "two.tsv").write_text("dream\tdreamed\tV;PST\ndream\tdreamt\tV;PST\n", encoding="utf-8")
    answers = {"one": "dream\tdreamed\tV;PST\n", "both": (files / "two.tsv").read_text(encoding="utf-8"),
               "three": (files / "two.tsv").read_text(encoding="utf-8") + "dream\tdrempt\tV;PST\n"}  # fmt: skip
    found = {}
    for name, text in answers.items():
        (files / f"{name}.tsv").write_text(text, encoding="utf-8")
        found[name] = evaluate_inflections(files / "two.tsv", [files / f"{name}.tsv"])["value"].iloc[0]
    assert found == {"one": 0.5, "both": 1.0, "three": 0.0}


def test_missing_items_are_named_with_their_lines(files):
    (files / "gap.tsv").write_text(ANSWERS.replace("fly\tflied\tV;PST\n", "\nsee\tsaw\tV;PST\n"), encoding="utf-8")
    told = command(files / "gold.tsv", files / "gap.tsv").stderr
    assert f"missing in the system: 1, in {files / 'gold.tsv'}, line 1: 'fly, V;PST'" in told
    assert f"missing in gold: 1, in {files / 'gap.tsv'}, line 5: 'see, V;PST'" in told


def test_items_that_share_a_lemma_are_said_not_to_be_independent(tmp_path):
    rows = "sing\tsang\tV;PST\nsing\tsung\tV;PTCP\nlook\tlooked\tV;PST\n"
    (tmp_path / "gold.tsv").write_text(rows, encoding="utf-8")
    table = evaluate_inflections(tmp_path / "gold.tsv", [tmp_path / "gold.tsv"])
    assert table["convention"].str.contains("2 items share a lemma: intervals take them for independent").all()
    (tmp_path / "gold.tsv").write_text(rows.replace("sing\tsung", "ring\trung"), encoding="utf-8")
    table = evaluate_inflections(tmp_path / "gold.tsv", [tmp_path / "gold.tsv"])
    assert not table["convention"].str.contains("share a lemma").any()
