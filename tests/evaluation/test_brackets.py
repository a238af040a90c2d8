"""``evaluate brackets`` on files made by hand: EVALB's numbers, each option, the comparison of two parsers."""

import io
import json

import pandas as pd
import pytest
from click.testing import CliRunner

from analysis.__main__ import main

GOLD = """(TOP (S (NP-SBJ (NN corn)) (VP (VBZ is) (ADJP (JJ red))) (. .)))
(S (NP (NN corn)) (VP (VBZ grows)))
(S (NP (NN hay)) (VP (VBZ grows)))
(S (NP (NN hay)) (VP (VBZ is) (ADJP (JJ red))))
"""
MINE = """(TOP (S (NP (NN corn) (VBZ is)) (VP (JJ red)) (. .)))
(S (NP (NN corn)) (NP (VBZ grows)))

(S (NP (NN hay)) (VP (VBZ was) (ADJP (JJ red))))
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    content = {"gold.mrg": GOLD, "mine.mrg": MINE, "same.mrg": GOLD, "new.prm": "LABELED 0\nDELETE_LABEL TOP\n"}
    for name, text in content.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def run(options="", code=0, files="gold.mrg mine.mrg"):
    result = CliRunner().invoke(main, f"evaluate brackets {files} {options}")
    assert result.exit_code == code, result.output
    return result


def counts(options=""):
    table = pd.DataFrame(json.loads(run(f"{options} --format json").stdout)).set_index("measure")
    return {name: (row["numerator"], row["denominator"]) for name, row in table.iterrows()}


def test_scores_are_evalbs_with_an_interval_and_a_signature_each(files):
    found = counts()
    assert found["labelled precision"] == (3, 6) and found["labelled recall"] == (3, 7)
    assert found["average crossing"] == (1, 2) and found["tagging accuracy"] == (5, 5)
    table = pd.read_csv(io.StringIO(run("--format csv").stdout))
    assert (table["lower"] <= table["value"]).all() and (table["value"] <= table["upper"]).all()
    assert table["signature"].str.match(r"brackets/[^|]+\|delete-labels:TOP -NONE- .*\|n:2\|.*data:[0-9a-f]{8}").all()
    assert "lower" not in pd.read_csv(io.StringIO(run("--format csv --no-intervals").stdout))
    shown = run()
    assert "labelled precision: brackets/labelled-precision|" in shown.stdout
    assert "no parse: 1, in mine.mrg" in shown.stderr


@pytest.mark.parametrize(
    ("options", "measure", "expected"),
    [
        ("--conventions plain", "labelled recall", (4, 8)),
        ("--parameters new.prm", "bracketed recall", (5, 7)),
        ("--unlabelled-brackets", "bracketed recall", (5, 7)),
        ("--max-length 3", "labelled recall", (2, 3)),
        ("--failed count", "labelled recall", (3, 10)),
        ("--mismatch count", "labelled recall", (3, 11)),
    ],
)
def test_each_convention_is_an_option_and_changes_the_signature(options, measure, expected, files):
    assert counts(options)[measure] == expected
    lines = [pd.read_csv(io.StringIO(run(f"{more} --format csv").stdout))["signature"].tolist() for more in
             ("", options)]  # fmt: skip
    assert not set(lines[0]) & set(lines[1])


def test_words_that_differ_may_be_refused(files):
    assert "word 2 of sentence 4 (gold line 4) is 'was', and 'is' in gold" in run("--mismatch refuse", 2).stderr


def test_two_parsers_are_compared_with_the_first_as_baseline(files):
    table = pd.read_csv(io.StringIO(run("--compare --format csv", files="gold.mrg mine.mrg same.mrg").stdout))
    row = table.set_index("measure").loc["labelled recall"]
    assert (row["system"], row["baseline"]) == ("same.mrg", "mine.mrg") and row["difference"] > 0
    assert (table["p_holm"].fillna(1) >= table["p"].fillna(0)).all()
    assert "--compare needs two systems" in run("--compare", 2).stderr


def test_systems_are_compared_on_the_sentences_that_all_of_them_have(files, tmp_path):
    (tmp_path / "half.mrg").write_text("".join(GOLD.splitlines(keepends=True)[:3]) + "\n", encoding="utf-8")
    options = "--compare --format json --resamples 20"
    found = run(options, files="gold.mrg same.mrg half.mrg")
    rows = {row["measure"]: row for row in json.loads(found.stdout)}
    assert rows["labelled recall"]["difference"] == 0 and rows["labelled recall"]["n"] == 3
    (incident,) = [each for each in rows["labelled recall"]["incidents"] if each["kind"].startswith("left out")]
    assert incident["count"] == 1 and "sentence 4 has no parse" in incident["found"]
    three = json.loads(run("--format json", files="gold.mrg half.mrg").stdout)[1]["signature"]
    four = json.loads(run("--format json", files="gold.mrg same.mrg").stdout)[1]["signature"]
    signed = rows["labelled recall"]["signature"]
    assert "|n:3|" in three and "|n:3|" in signed and "|n:4|" in four
    data = [line.partition("|data:")[2] for line in (three, signed, four)]
    assert data[0] == data[1] != data[2]
    again = CliRunner().invoke(main, ["evaluate", "signature", signed, "gold.mrg", "same.mrg", "half.mrg", "--compare"])
    assert again.exit_code == 0, again.output


def test_runs_of_one_system_are_scored_on_the_sentences_that_all_have(files):
    rows = json.loads(run("--format json --resamples 20", files="gold.mrg both=same.mrg,mine.mrg").stdout)
    assert rows[0]["n"] == 2 and rows[0]["runs"] == 2


def test_groups_are_compared_on_the_same_sentences(files):
    for by in ("relation", "'sentence length'"):
        rows = json.loads(run(f"--compare --by {by} --format json --resamples 20",
                              files="gold.mrg same.mrg mine.mrg").stdout)  # fmt: skip
        assert {row["n"] for row in rows} == {2}


def test_crossing_brackets_are_not_compared_where_failures_are_counted_and_differ(files):
    rows = json.loads(run("--compare --failed count --format json --resamples 20",
                          files="gold.mrg same.mrg mine.mrg").stdout)  # fmt: skip
    assert "labelled recall" in {row["measure"] for row in rows}
    assert not [row["measure"] for row in rows if "crossing" in row["measure"]]


def test_the_library_refuses_to_compare_systems_on_different_sentences(files):
    from analysis.evaluation import compare_systems, score_brackets

    runs = score_brackets("gold.mrg", ["same.mrg", "mine.mrg"])
    with pytest.raises(ValueError, match=r"not scored on the same data: 4 sentences.*2 sentences"):
        compare_systems({each.system: each.scored for each in runs}, resamples=10)
    same = score_brackets("gold.mrg", ["same.mrg", "mine.mrg"], common=True)
    assert compare_systems({each.system: each.scored for each in same}, resamples=10).differences["n"].eq(2).all()
