"""What all commands of ``yardstick evaluate`` share: intervals, signatures, comparisons, runs, formats, figures."""

import csv
import gzip
import io
import json
import math
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.commands.showing import shown_scores
from analysis.evaluation import (
    IntervalOptions,
    compare_systems,
    score_brackets,
    score_ccg,
    score_inflections,
    score_tags,
    score_trees,
    score_types,
    with_intervals,
)
from analysis.evaluation.signatures import differing_parts
from analysis.structures import DataError

ENDINGS = {"tags": "txt", "types": "txt", "trees": "conllu", "ccg": "auto", "inflections": "tsv", "brackets": "mrg"}
SCORERS = {"tags": score_tags, "types": score_types, "trees": score_trees, "ccg": score_ccg,
           "inflections": score_inflections, "brackets": score_brackets}  # fmt: skip
FORMATS = ("table", "csv", "json", "latex", "html")
SENTENCES = 60
TAGS = {"the": "D", "a": "D", "dog": "N", "cat": "N", "hen": "N", "sees": "V", "eats": "V", ".": "."}
RELATIONS = ("nsubj", "obj", "det", "obl")


def sentence(number):
    draw = random.Random(number)
    return [draw.choice(("the", "a")), draw.choice(("dog", "cat")), draw.choice(("sees", "eats")), "hen", "."]


def labelled(noise, seed, names=False):
    """Word TAB tag; or word TAB cluster, some at random."""
    draw, text = random.Random(seed), ""
    for number in range(SENTENCES):
        for word in sentence(number):
            tag = TAGS[word] if draw.random() >= noise else draw.choice("DNV")
            text += f"{word}\t{tag if names else 'c' + tag}\n"
        text += "\n"
    return text


def odd_clusters():
    """Clusters of which the greedy mapping takes the largest cell, and the optimal one not."""
    text, nouns = "", 0
    for number in range(SENTENCES):
        for word in sentence(number):
            nouns += TAGS[word] == "N"
            cluster = {"N": "c1" if nouns % 3 else "c2", "V": "c1"}.get(TAGS[word], TAGS[word])
            text += f"{word}\t{cluster}\n"
        text += "\n"
    return text


def trees(noise, seed):
    draw, text = random.Random(seed), ""
    for number in range(SENTENCES):
        words = sentence(number)[: 4 + (number % 3 > 0)]
        for place, (word, head) in enumerate(zip(words, (2, 3, 0, 3, 3), strict=False), 1):
            if draw.random() < noise:
                head = draw.choice([other for other in range(len(words)) if other != place])
            tag = "PUNCT" if word == "." else "X"
            relation = RELATIONS[(number + place) % 4]
            text += f"{place}\t{word}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n"
        text += "\n"
    return text


def derivations(noise, seed):
    draw, text = random.Random(seed), ""
    for number in range(SENTENCES):
        noun = "N" if draw.random() < noise else "NP"
        verb = r"S[dcl]\N" if draw.random() < noise else r"S[dcl]\NP"
        leaves = f"(<L {noun} NN NN {sentence(number)[1]} {noun}>) (<L {verb} VB VB eats {verb}>)"
        text += f"ID={number}\n(<T S[dcl] 0 2> (<T S[dcl] 1 2> {leaves} ) (<L . . . . .>) )\n"
    return text


def forms(noise, seed):
    draw, text = random.Random(seed), ""
    for number in range(SENTENCES):
        form = f"walk{number}ed" if draw.random() >= noise else f"walk{number}s"
        text += f"walk{number}\t{form}\tV;PST{';PL' if number % 3 else ''}\n"
    return text


def brackets(noise, seed):
    draw, text = random.Random(seed), ""
    for number in range(SENTENCES):
        _, noun, verb, other, _ = sentence(number)
        tag = "ADVP" if draw.random() < noise else "NP"
        inner = f"({tag} (NN {other}))" if draw.random() >= noise else f"(NN {other})"
        inner = "" if number % 3 == 0 else inner
        if number == 7 and noise:
            text += "(())\n"
            continue
        text += f"(TOP (S (NP (NN {noun})) (VP (VBZ {verb}) {inner}) (. .)))\n"
    return text


MAKERS = {"tags": labelled, "types": labelled, "trees": trees, "ccg": derivations, "inflections": forms,
          "brackets": brackets}  # fmt: skip


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for subject, make in MAKERS.items():
        ending = ENDINGS[subject]
        gold = labelled(0, 0, names=True) if make is labelled else make(0, 0)
        (tmp_path / f"gold.{ending}").write_text(gold, encoding="utf-8")
        for name, noise, seed in (("a", 0.3, 1), ("b", 0.32, 2), ("c", 0.05, 3)):
            (tmp_path / f"{name}.{ending}").write_text(make(noise, seed), encoding="utf-8")
    (tmp_path / "some.txt").write_text(re.sub(r"^hen\t\S+$", "hen\t", labelled(0.1, 5), flags=re.MULTILINE), "utf-8")
    (tmp_path / "odd.txt").write_text(odd_clusters(), encoding="utf-8")
    (tmp_path / "train.tsv").write_text("walk1\twalk1ed\tV;PST;PL\nwalk2\twalk2s\tV;PRS\n", encoding="utf-8")
    (tmp_path / "new.prm").write_text("LABELED 1\nDELETE_LABEL TOP\n", encoding="utf-8")
    return tmp_path


def run(words, code=0):
    result = CliRunner().invoke(main, ["evaluate", *(words.split() if isinstance(words, str) else words)])
    assert result.exit_code == code, result.output
    return result


def records(subject, files="a", options=""):
    ending = ENDINGS[subject]
    named = " ".join(f"{name}.{ending}" if "=" not in name else name for name in files.split())
    return json.loads(run(f"{subject} gold.{ending} {named} --format json {options}").stdout)


def key(record):
    parts = ("system", "by", "evaluation", "relation", "length", "measure")
    return tuple(str(record[name]) for name in parts if name in record)


def numbers(record):
    names = ("value", "numerator", "denominator", "lower", "upper", "corrected")
    return [record[name] for name in names if record.get(name) is not None]


# Intervals and signatures


@pytest.mark.parametrize("subject", ENDINGS)
def test_every_score_has_an_interval_and_a_signature_by_default(subject):
    for record in records(subject):
        estimate = record.get("corrected") or record["value"]
        assert record["lower"] <= estimate <= record["upper"]
        assert re.fullmatch(rf"{subject}/[^|]+(\([^)]*\))?\|.*\|data:[0-9a-f]{{8}}\|yardstick:[\d.]+",
                            record["signature"])  # fmt: skip
    assert any(record["lower"] < record["upper"] for record in records(subject))
    (few, *_) = records(subject, options="--no-intervals")
    assert not {"lower", "upper", "corrected"} & set(few) and "|interval:none|" in few["signature"]
    assert few == records(subject, options="--resamples 0")[0]


@pytest.mark.parametrize("subject", ENDINGS)
def test_the_value_that_is_shown_is_that_of_the_counts_by_unit(subject):
    ending = ENDINGS[subject]
    options = {"language": "English", "training": "train.tsv"} if subject == "inflections" else {}
    for name in ("a", "c", *(["some"] if subject in ("tags", "types") else [])):
        (found,) = SCORERS[subject](f"gold.{ending}", [f"{name}.{ending}"], **options)
        values = dict(zip([m.name for m in found.scored.measures], found.scored.values()[0].tolist(), strict=True))
        assert len(found.measures) == len(set(found.measures)) and set(found.measures) == set(values)
        for record, measure in zip(found.records, found.measures, strict=True):
            if record["value"] is None:
                assert not np.isfinite(values[measure])
            elif record["denominator"] is not None and subject != "types":
                assert record["value"] == values[measure], measure
            else:  # logarithms and fractions are not added in one order
                assert record["value"] == pytest.approx(values[measure], rel=1e-12, abs=1e-15), measure


@pytest.mark.parametrize("by", ["relation", "length"])
@pytest.mark.parametrize("scheme", ["table6", None])
def test_a_part_of_the_trees_has_the_value_of_its_counts(by, scheme):
    (found,) = score_trees("gold.conllu", ["a.conllu"], by=by, scheme=scheme, punctuation=False)
    values = dict(zip([m.name for m in found.scored.measures], found.scored.values()[0].tolist(), strict=True))
    sums = [side.sum(axis=0).tolist() for side in (found.scored.numerators, found.scored.denominators)]
    counts = dict(zip(values, zip(*sums, strict=True), strict=True))
    assert len(found.records) == len(values) >= 9
    for record, measure in zip(found.records, found.measures, strict=True):
        assert (record["numerator"], record["denominator"]) == counts[measure]
        assert record["value"] == (values[measure] if record["denominator"] else None)


def test_confidence_and_seed_reach_the_interval():
    wide, narrow, other = (records("tags", options=more)[0] for more in ("", "--confidence 0.5", "--seed 3"))
    assert wide["lower"] < narrow["lower"] < narrow["upper"] < wide["upper"]
    assert differing_parts([wide["signature"], narrow["signature"]]) == ["interval"]
    assert (other["lower"], other["upper"]) != (wide["lower"], wide["upper"])
    assert "confidence must lie between 0 and 1" in run("trees gold.conllu a.conllu --confidence 95", 2).stderr


#: Options that change a number of the files above, by subject.
CHANGES = {
    "tags": ["--leave-out D", "--assignment greedy", "--base e", "--base 10", "--resamples 50",
             "--seed 1", "--confidence 0.9"],
    "types": ["--leave-out D", "--restarts 1 --initialisation edges", "--seed 1", "--resamples 50",
              "--confidence 0.9"],
    "trees": ["--no-punctuation", "--max-length 4", "--no-root-edges", "--by relation", "--by length",
              "--by relation --all-relations", "--no-punctuation --punctuation-rule form", "--resamples 50",
              "--seed 1"],
    "ccg": ["--no-punctuation", "--heads rule", "--resamples 50", "--seed 1", "--confidence 0.9"],
    "inflections": ["--training train.tsv", "--language English", "--confidence 0.9"],
    "brackets": ["--conventions plain", "--parameters new.prm", "--unlabelled-brackets", "--max-length 3",
                 "--failed count", "--resamples 50", "--seed 1"],
}  # fmt: skip
#: Options of reading, which are part of the signature where they are given.
READINGS = [
    ("tags", ["--system-format words-and-tags --gold-format words-and-tags", "--unlabelled refuse"]),
    ("types", ["--system-column cluster"]),
    ("trees", ["--system-format conllx --gold-format conllu"]),
    ("inflections", ["--columns lemma,form,features --sort-features"]),
]
SOME = [
    (subject, "odd" if "greedy" in options else "a", options) for subject, each in CHANGES.items() for options in each
]
SOME += [("tags", "some", f"--unlabelled {way}") for way in ("leave_out", "one_cluster")]


@pytest.mark.parametrize(("subject", "system", "options"), SOME)
def test_an_option_that_changes_a_number_changes_the_signature(subject, system, options):
    words = options.replace("leave_out", "leave out").replace("one_cluster", "one cluster")
    parts = [part for part in re.split(r" (?=--)", words) if part]
    more = [word for part in parts for word in part.split(" ", 1)]
    ending = ENDINGS[subject]
    base = [subject, f"gold.{ending}", f"{system}.{ending}", "--format", "json"]
    plain = {key(record): record for record in json.loads(run(base).stdout)}
    changed = {key(record): record for record in json.loads(run([*base, *more]).stdout)}
    count = 0
    for name in plain.keys() & changed.keys():
        if numbers(plain[name]) != pytest.approx(numbers(changed[name]), rel=1e-9):
            count += 1
            assert plain[name]["signature"] != changed[name]["signature"], (name, more)
    assert count or {"--by", "--training", "--language", "--restarts"} & set(more), "it changes a number"


@pytest.mark.thorough
@pytest.mark.parametrize("subject", ENDINGS)
def test_rows_with_one_signature_have_one_number_whatever_the_options(subject):
    """Over every option of a subject alone and some together: a signature determines the numbers of a system."""
    chosen = CHANGES[subject]
    draw = random.Random(subject)
    together = [" ".join(draw.sample(chosen, 2)) for _ in range(8)]
    known = {}
    for options in ["", *chosen, *together]:
        names = re.findall(r"--[\w-]+", options)
        if len(set(names)) < len(names):
            continue
        for record in records(subject, options=options):
            first, said = known.setdefault(record["signature"], (numbers(record), options))
            assert first == pytest.approx(numbers(record), rel=1e-9), (record["signature"], said, options)


def test_what_a_reader_says_of_the_files_is_in_the_signature():
    for options in ("--system-format words-and-tags", "--gold-format words-and-tags", "--system-column cluster"):
        name, value = options.removeprefix("--").split()
        assert f"|{name}:{value}|" in records("tags", options=options)[0]["signature"]
        assert f"|{name}:" not in records("tags")[0]["signature"]
    assert "|system-format:conllx|" in records("trees", options="--system-format conllx")[0]["signature"]
    assert "|columns:lemma,form,features|" in records(
        "inflections", options="--columns lemma,form,features"
    )[0]["signature"]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(("subject", "options"), [(subject, "") for subject in ENDINGS] + [
    (subject, options) for subject, each in (*CHANGES.items(), *READINGS) for options in each
])  # fmt: skip
def test_a_signature_measures_again_what_it_says(subject, options):
    ending = ENDINGS[subject]
    training = "--training train.tsv" if "--training" in options else ""
    found = [record for record in records(subject, options=options) if record["value"] is not None]
    for record in [*found[:2], *found[-3:]]:
        words = ["signature", record["signature"], f"gold.{ending}", f"a.{ending}", *training.split()]
        (again,) = json.loads(run([*words, "--format", "json"]).stdout)
        shown = {"incidents", "conventions"} if subject == "types" else {"incidents"}  # a seed without effect is said
        assert dict.fromkeys(shown) | again | dict.fromkeys(shown) == record | dict.fromkeys(shown)


@pytest.mark.parametrize("subject", ["trees", "inflections"])
def test_a_signature_of_several_runs_measures_several_runs_again(subject):
    ending = ENDINGS[subject]
    (record, *_) = records(subject, f"mine=a.{ending},b.{ending}", "--seed 3 --resamples 60")
    words = ["signature", record["signature"], f"gold.{ending}", f"mine=a.{ending},b.{ending}", "--format", "json"]
    assert json.loads(run(words).stdout) == [record]


def test_a_signature_of_other_data_or_of_no_measure_is_refused():
    (first, *_) = records("trees")
    text = first["signature"]
    assert "is not what the signature is of" in run(["signature", text, "c.conllu", "a.conllu"], 2).stderr
    assert (
        "has no measure trees/blex"
        in run(["signature", text.replace("trees/directed", "trees/blex"), "gold.conllu", "a.conllu"], 2).stderr
    )
    older = re.sub(r"yardstick:.*", "yardstick:0.0.1", text)
    assert "is of version 0.0.1" in run(["signature", older, "gold.conllu", "a.conllu"]).stderr
    assert "the signature lacks" in run(["signature", "trees/ned|n:3", "gold.conllu", "a.conllu"], 2).stderr
    assert "task of the signature" in run(["signature", "words/ned|n:3", "gold.conllu", "a.conllu"], 2).stderr


def test_the_data_of_a_signature_is_what_was_scored_of_gold():
    every, some = (records("trees", options=more)[0] for more in ("", "--no-root-edges"))
    assert differing_parts([every["signature"], some["signature"]]) == ["root_edges", "data"]
    with pytest.raises(ValueError, match="were not scored on the same data"):
        runs = [score_trees("gold.conllu", ["a.conllu"], root_edges=edges)[0].scored for edges in (True, False)]
        compare_systems({"a": runs[0], "b": runs[1]})


# Several systems, several runs


@pytest.mark.parametrize("subject", ENDINGS)
def test_systems_are_compared_with_the_first_on_the_same_units(subject):
    ending = ENDINGS[subject]
    found = records(subject, "a b c", "--compare")
    assert {(row["system"], row["baseline"]) for row in found} == {(f"{name}.{ending}", f"a.{ending}") for name in "bc"}
    runs = SCORERS[subject](f"gold.{ending}", [f"{name}.{ending}" for name in "abc"])
    table = compare_systems({one.system: one.scored for one in runs}).differences
    expectations = {(row["system"], row["measure"]): row for row in table.to_dict("records")}
    assert len(found) == len(expectations)
    for row in found:
        expected = expectations[row["system"], row["measure"]]
        for name in ("difference", "lower", "upper", "p", "p_holm", "better", "test"):
            assert row[name] == pytest.approx(expected[name], nan_ok=True), name
        assert row["difference"] == pytest.approx(row["value"] - row["baseline value"], abs=1e-12)
        assert row["p_holm"] >= row["p"]
        assert row["better"] in ("", row["system"], row["baseline"])
    assert any(row["p"] < 0.05 and row["lower"] > 0 for row in found if row["system"].startswith("c"))


@pytest.mark.parametrize("subject", ENDINGS)
def test_several_systems_are_compared_without_an_option_and_their_scores_stay_the_same(subject):
    ending = ENDINGS[subject]
    beside, alone, differences = (records(subject, "a c", more) for more in ("", "--no-compare", "--compare"))
    assert [{name: row[name] for name in alone[0]} for row in beside] == alone
    (base, rows), names = divide(beside, f"a.{ending}"), ("baseline", "p", "p_holm", "test", "better", "difference")
    assert all(row[name] is None for row in base for name in names)
    compared = [row for row in rows if row["baseline"] is not None]
    assert [[row[name] for name in names] for row in compared] == [[row[name] for name in names] for row in differences]
    assert [row["difference_lower"] for row in compared] == [row["lower"] for row in differences]
    assert [row["value"] for row in compared] == pytest.approx([row["value"] for row in differences])
    words = f"{subject} gold.{ending} a.{ending} c.{ending}"
    shown, below, above = (run(words + more).stdout for more in ("", " --compare", " --no-compare"))
    assert shown.startswith(above) and shown.count(f"c.{ending} against a.{ending}") == 1
    assert len(set(shown.splitlines()) - set(above.splitlines()) - set(below.splitlines())) == 0


def divide(rows, system):
    """Those of a system, and the others."""
    return [row for row in rows if row["system"] == system], [row for row in rows if row["system"] != system]


@pytest.mark.parametrize("kind", ["latex", "html"])
def test_differences_are_a_second_table_in_print(kind):
    words = f"trees gold.conllu a.conllu c.conllu --format {kind}"
    both, scores, differences = (run(words + more).stdout for more in ("", " --no-compare", " --compare"))
    mark = {"latex": r"\begin{tabular}", "html": "</table>"}[kind]
    assert (both.count(mark), scores.count(mark), differences.count(mark)) == (2, 1, 1)
    assert both.count("trees/directed|") == 1


def test_several_systems_with_runs_are_compared_without_an_option():
    rows = records("trees", "mine=a.conllu,b.conllu c", "")
    base, others = divide(rows, "mine")
    assert {row["baseline"] for row in others} == {"mine"} and {row["difference"] for row in base} == {None}
    assert all(row["runs"] for row in rows)


def test_what_cannot_be_compared_is_scored_and_said(files):
    (files / "half.mrg").write_text("\n" + (files / "a.mrg").read_text(encoding="utf-8").partition("\n")[2], "utf-8")
    result = run("brackets gold.mrg a.mrg half.mrg")
    assert "not compared: a.mrg and half.mrg were not scored on the same data" in result.stderr
    assert "--compare leaves out of all what one leaves out" in result.stderr
    assert "against" not in result.stdout and "half.mrg\n" in result.stdout
    assert "against" in run("brackets gold.mrg a.mrg half.mrg --compare").stdout
    for more in ("--no-intervals", "--resamples 0"):
        told = run(f"trees gold.conllu a.conllu c.conllu {more}")
        assert "against" not in told.stdout and "not compared" not in told.stderr


def test_a_test_of_items_that_share_a_lemma_says_so(files):
    text = "fly\tflew\tV;PST\nfly\tflown\tV;PTCP\n"
    for name in ("two", "same"):
        (files / f"{name}.tsv").write_text(text, encoding="utf-8")
    (row, *_) = json.loads(run("inflections two.tsv two.tsv same.tsv --compare --format json").stdout)
    assert row["note"] == "2 items share a lemma: the test takes them for independent"


def test_a_share_of_some_items_is_tested_on_these_items():
    found = {row["measure"]: row for row in records("inflections", "a c", "--compare --training train.tsv")}
    row = found["features: V;PST"]
    right = {
        name: [line.split("\t")[1].endswith("ed") for line in text.splitlines() if line.endswith("V;PST")]
        for name, text in (("a", forms(0.3, 1)), ("c", forms(0.05, 3)))
    }
    better = sum(theirs > ours for ours, theirs in zip(right["a"], right["c"], strict=True))
    worse = sum(theirs < ours for ours, theirs in zip(right["a"], right["c"], strict=True))
    assert row["difference"] == pytest.approx((better - worse) / len(right["a"])) and better > worse
    tail = sum(math.comb(better + worse, number) for number in range(worse + 1)) / 2 ** (better + worse)
    assert row["p"] == pytest.approx(2 * tail) and row["test"] == "McNemar, exact"
    assert -1 <= row["lower"] <= row["difference"] <= row["upper"] <= 1
    assert not any(name.startswith("errors") for name in found)


@pytest.mark.parametrize("subject", ENDINGS)
def test_the_runs_of_a_system_are_one_row_with_both_variations(subject):
    ending = ENDINGS[subject]
    found = records(subject, f"mine=a.{ending},b.{ending} c")
    alone = (
        {(row["system"], row["measure"]): row for row in records(subject, "a b c")} if subject != "inflections" else {}
    )
    for row in (row for row in found if row["system"] == "mine"):
        assert row["runs"] == 2 and row["se_both"] >= 0 and row["method"]
        if (f"a.{ending}", row["measure"]) in alone:
            values = [alone[f"{name}.{ending}", row["measure"]]["value"] for name in "ab"]
            assert row["value"] == pytest.approx(np.mean(values))
            assert row["sd_runs"] == pytest.approx(np.std(values, ddof=1), abs=1e-12)
        assert "|runs:2|" in row["signature"]
    (last, *_) = [row for row in found if row["system"] == f"c.{ending}"]
    assert last["runs"] == 1 and last["sd_runs"] is None and "|runs:" not in last["signature"]


def test_a_difference_below_the_variation_of_seeds_says_so_and_has_no_winner(files):
    (files / "c2.conllu").write_text((files / "c.conllu").read_text(encoding="utf-8"), encoding="utf-8")
    found = records("trees", "mine=a.conllu,c.conllu same=c2.conllu", "--compare")
    assert {row["note"] for row in found} == {"below the variation of seeds"}
    assert {row["better"] for row in found} == {""}
    words = "trees gold.conllu mine=a.conllu,c.conllu same=c2.conllu --compare"
    assert "below the variation of seeds" in run(words).stdout


def test_shares_of_items_over_runs_are_drawn_again_and_say_so():
    rows = [records("inflections", "mine=a.tsv,b.tsv", f"--seed {seed}")[0] for seed in (0, 1)]
    assert rows[0]["lower"] != rows[1]["lower"]
    assert differing_parts([row["signature"] for row in rows]) == ["interval"]


def test_a_system_may_have_a_name_and_a_file_an_equals_sign(files):
    (files / "lr=0.1.conllu").write_text(trees(0.2, 7), encoding="utf-8")
    assert {row["system"] for row in records("trees", "lr=0.1.conllu best=c.conllu")} == {"lr=0.1.conllu", "best"}
    assert "is named twice" in run("trees gold.conllu x=a.conllu x=b.conllu", 2).stderr
    assert "is named twice" in run("trees gold.conllu x=a.conllu,a.conllu", 2).stderr
    assert "a system is FILE or NAME=FILE,FILE" in run("trees gold.conllu x=a.conllu,", 2).stderr
    assert "there is no file" in run("trees gold.conllu x=none.conllu", 2).stderr


def test_defects_are_those_of_the_files_of_the_system(files):
    (files / "broken.conllu").write_text(trees(0, 0).replace("\t3\t", "\t4\t"), encoding="utf-8")
    found = records("trees", "mine=broken.conllu c=c.conllu")
    kinds = {row["system"]: {incident["file"] for incident in row["incidents"]} for row in found}
    assert kinds["mine"] == {"broken.conllu"} and "broken.conllu" not in kinds["c"]


def test_a_comparison_needs_two_systems_and_resamples():
    assert "--compare needs two systems" in run("tags gold.txt a.txt --compare", 2).stderr
    assert "--compare needs resamples" in run("tags gold.txt a.txt b.txt --compare --no-intervals", 2).stderr
    assert "several runs need resamples" in run("tags gold.txt x=a.txt,b.txt --resamples 0", 2).stderr


# Formats


WAYS = {
    "scores": "{0}", "several": "{0} c.{1} --no-compare", "runs": "x=a.{1},b.{1} c.{1} --no-compare",
    "compared": "{0} c.{1} --compare",
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("subject", ENDINGS)
def test_every_format_has_the_same_rows(subject, way):
    ending = ENDINGS[subject]
    words = f"{subject} gold.{ending} " + WAYS[way].format(f"a.{ending}", ending) + " --resamples 100"
    outputs = {kind: run(f"{words} --format {kind}").stdout for kind in FORMATS}
    listed = json.loads(outputs["json"])
    rows = list(csv.DictReader(io.StringIO(outputs["csv"])))
    assert [row["measure"] for row in rows] == [str(record["measure"]) for record in listed]
    assert [float(row["value"]) for row in rows] == [record["value"] for record in listed]
    lines = [line for line in outputs["latex"].splitlines() if line.count(" & ") and line.endswith(r" \\")]
    assert len(lines) == 1 + len(listed) and len({line.count(" & ") for line in lines}) == 1
    table = ElementTree.fromstring(outputs["html"].partition("<body>\n")[2].partition("</table>")[0] + "</table>")
    assert len(table.findall("./tbody/tr")) == len(listed)
    for record in listed:
        assert record["signature"] in outputs["table"] and f"% {record['signature']}" in outputs["latex"]
        assert f"{record['value']:,.4f}" in outputs["table"]
        assert f"{record['lower']:,.4f}"[:6] in outputs["table"]


def test_words_are_never_markup(files):
    name = "a&b_<i>$x$.tsv"
    (files / "gold.tsv").write_text("fly\tflew\tV;<b>%_PST\n", encoding="utf-8")
    (files / name).write_text("fly\tflew\tV;<b>%_PST\n", encoding="utf-8")
    latex, html = (run(["inflections", "gold.tsv", name, "--format", kind]).stdout for kind in ("latex", "html"))
    assert r"a\&b\_\textless{}i\textgreater{}\$x\$.tsv" in latex and r"V;\textless{}b\textgreater{}\%\_PST" in latex
    assert "<b>" not in html and "<i>" not in html and "a&amp;b_&lt;i&gt;$x$.tsv" in html
    assert "mathjax_ignore" in html


@pytest.mark.parametrize("kind", FORMATS)
def test_output_is_written_whole_or_not_at_all(kind, files):
    words = f"trees gold.conllu a.conllu --format {kind}"
    told = run(f"{words} --output scores.{kind}")
    assert told.stdout == "" and (files / f"scores.{kind}").read_text(encoding="utf-8") == run(words).stdout
    before = sorted(files.rglob("*"))
    run(f"{words.replace('a.conllu', 'none.conllu')} --output other", 2)
    assert sorted(files.rglob("*")) == before


@pytest.mark.thorough
@pytest.mark.parametrize("subject", ENDINGS)
def test_values_and_differences_are_drawn(subject, files):
    ending = ENDINGS[subject]
    words = f"{subject} gold.{ending} a.{ending} c.{ending}"
    run(f"{words} --plot scores.svg")
    drawn = (files / "scores.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<?xml") and f"Scores with 95% intervals: a.{ending}" in drawn
    run(f"{words} --compare --plot differences.pdf --confidence 0.9")
    assert (files / "differences.pdf").read_bytes()[:4] == b"%PDF"


def test_a_figure_of_another_kind_is_refused_before_anything_is_scored(files):
    result = run("trees none.conllu a.conllu --plot scores.gif", 2)
    assert "scores.gif: a figure is written as .svg, .pdf or .png" in result.stderr
    run("trees gold.conllu a.conllu --plot SCORES.PNG")
    assert (files / "SCORES.PNG").read_bytes()[1:4] == b"PNG"


def test_a_p_that_is_nearly_0_is_not_shown_as_0(files):
    (files / "wrong.tsv").write_text(forms(1, 0), encoding="utf-8")
    assert " <0.0001  <0.0001 " in run("inflections gold.tsv wrong.tsv c.tsv --compare").stdout


def test_options_of_intervals_are_those_of_the_library():
    options = IntervalOptions(resamples=50, confidence=0.8, random_state=4)
    expected = with_intervals(score_trees("gold.conllu", ["a.conllu"]), options)
    found = records("trees", options="--resamples 50 --confidence 0.8 --seed 4")
    assert [{**row, "incidents": 0} for row in found] == [{**row, "incidents": 0} for row in expected]
    with pytest.raises(DataError, match="named twice"):
        score_trees("gold.conllu", ["a.conllu", "a.conllu"])


def test_a_p_of_0_is_shown_as_small_in_every_format():
    row = {"system": "a", "baseline": "b", "measure": "V", "difference": 0.2, "p": 0.0, "p_holm": 0.0, "signature": ""}
    for kind, small in (("table", "<0.0001"), ("latex", r"\textless{}0.0001"), ("html", "&lt;0.0001")):
        assert shown_scores([row], kind).count(small) == 2


@pytest.mark.parametrize("subject", sorted(MAKERS))
def test_one_resample_is_refused_and_none_and_two_are_taken(subject):
    files = [subject, f"gold.{ENDINGS[subject]}", f"a.{ENDINGS[subject]}"]
    refused = run([*files, "--resamples", "1"], code=2)
    assert refused.stderr == "Error: --resamples is 1; it must be at least 2, or 0 for no intervals.\n"
    assert "|interval:none|" in run([*files, "--resamples", "0"]).stdout
    assert "|interval:none|" not in run([*files, "--resamples", "2"]).stdout


def test_a_signature_of_one_resample_is_refused():
    text = records("trees")[0]["signature"]
    assert ",1000,seed:0" in text
    result = run(["signature", text.replace(",1000,", ",1,"), "gold.conllu", "a.conllu"], code=2)
    assert "resamples is 1; it must be at least 2" in result.stderr


@pytest.fixture
def small(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.txt").write_text(labelled(0, 0, names=True), encoding="utf-8")
    (tmp_path / "mine.txt").write_text(labelled(0.2, 1), encoding="utf-8")
    return partial(CliRunner().invoke, main)


@pytest.mark.parametrize(
    ("words", "message", "not_said"),
    [
        ("evaluate tags gold.txt mine.txt --confidence 2", "--confidence must lie between 0", "Error: confidence"),
        ("evaluate tags bomb.gz mine.txt", "If this size is correct, unpack the file", "limit="),
        ("cluster bomb.gz --model brown --output -", "If this size is correct, unpack the file", "limit="),
        ("cluster bad.txt --model brown --output -", "Give --encoding if the file has another one", "encoding="),
        ("cluster bad.conllu --model brown --strict --output -", "Leave out --strict", "strict="),
        ("inflect gold.tsv --train cut.tsv --output -", "cut.tsv, line 1", "strict="),
        ("data add mine gold.txt --share 2", "--share is 2", "Error: share"),
        ("evaluate ccg one.auto one.auto --list costliest", "these scores have no list costliest", "there is none"),
    ],
)  # fmt: skip
def test_messages_name_options_and_not_the_arguments_of_the_library(words, message, not_said, small, tmp_path):
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"a b\n" * 20_000_000))
    (tmp_path / "bad.txt").write_bytes(b"caf\xe9 here\n")
    (tmp_path / "bad.conllu").write_text("1\tlook\t_\tVERB\t_\t_\tx\t_\t_\t_\n", encoding="utf-8")
    (tmp_path / "one.auto").write_text("ID=one.1 PARSER=GOLD NUMPARSE=1\n(<L NP NNS NNS hens NP>)\n", encoding="utf-8")
    (tmp_path / "gold.tsv").write_text("go\twent\tV;PST\n", encoding="utf-8")
    (tmp_path / "cut.tsv").write_text("go\t\tV;PST\n", encoding="utf-8")
    result = small(words.split())
    assert result.exit_code == 2 and message in result.stderr and not_said not in result.stderr, result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_behind_standard_output_is_named(small):
    words = [sys.executable, "-m", "analysis", "evaluate", "types", "gold.txt", "mine.txt", "--no-intervals"]
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert "standard output: it cannot be written: No space left on device" in result.stderr


@pytest.fixture
def tagged(tmp_path, monkeypatch):
    """Run ``evaluate tags`` on a file of tags and itself, in its folder."""
    monkeypatch.chdir(tmp_path)
    lines = ("the\tD\ndog\tN\n.\t.", "a\tD\ndog\tN\n.\t.", "the\tD\ndog\tV\n.\t.")
    (tmp_path / "gold.txt").write_text("\n\n".join(lines) + "\n\n")
    return lambda words: (
        CliRunner().invoke(main, f"evaluate tags gold.txt gold.txt --resamples 20 {words}".split()).stdout
    )


def test_captions_have_the_confidence_asked_for(tagged):
    assert r"90\% intervals" in tagged("--confidence 0.9 --format latex")
    assert "90% intervals" in tagged("--confidence 0.9 --format html")


def test_a_figure_has_the_confidence_asked_for(tagged):
    tagged("--confidence 0.9 --plot f.svg")
    assert "90% intervals" in Path("f.svg").read_text()


def test_penn_punctuation_is_left_out_beside_other_tags(tagged):
    found = json.loads(tagged("--format json --penn-punctuation --leave-out D"))
    assert found[0]["denominator"] == 3


def test_references_have_the_base_asked_for(tagged):
    def vi(base):
        rows = json.loads(tagged(f"--references --base {base} --format json"))
        return next(row["value"] for row in rows if (row["system"], row["measure"]) == ("one tag per type", "VI"))

    assert vi("2") > 0 and vi("e") == pytest.approx(vi("2") * math.log(2))
