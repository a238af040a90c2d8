"""Inputs that once went wrong, from the command line; each folder of `tests/data/cases` is one."""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from analysis.__main__ import evaluate as group
from analysis.__main__ import main
from analysis.corpora import load

CASES = Path(__file__).parents[1] / "data" / "cases"
AUTO = ("ID={}\n(<T S[dcl] 0 2> (<L NP NNS NNS dogs NP>) (<L S[dcl]\\NP VBP VBP {} S[dcl]\\NP>) )\n").format


def case(number, name):
    return next(CASES.glob(f"{number:02}-*")) / name


def run(*arguments, code=0, text=None):
    result = CliRunner().invoke(main, ["evaluate", *map(str, arguments)], input=text)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def records(*arguments, text=None):
    return json.loads(run(*arguments, "--format", "json", text=text).stdout)


def counts(*arguments, text=None):
    """Numerator and denominator of each measure."""
    return [(row["numerator"], row["denominator"]) for row in records(*arguments, text=text)]


def kinds(rows):
    return {found["kind"]: (found["count"], found["line"]) for found in rows[0]["incidents"]}


def tree_rows(words, heads, name=""):
    comment = f"# sent_id = {name}\n" if name else ""
    rows = enumerate(zip(words.split(), heads, strict=True), 1)
    return comment + "".join(f"{i}\t{w}\t_\tNOUN\tN\t_\t{h}\tdep\t_\t_\n" for i, (w, h) in rows) + "\n"


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


# The cases, by number


def test_01_derivations_are_matched_by_id():
    found = records("ccg", case(1, "geo_g.auto"), case(1, "geo_s.auto"), "--resamples", 0)
    assert {row["value"] for row in found} == {1.0} and len(found) == 13


@pytest.mark.parametrize(("number", "stem", "ending"), [(2, "q", "conllu"), (3, "o", "conll")])
def test_02_03_the_order_of_sentences_changes_no_score(number, stem, ending):
    found = [
        counts("trees", *(case(number, f"{stem}{order}{side}.{ending}") for side in "gs"), "--no-punctuation")
        for order in (1, 2)
    ]
    assert found[0] == found[1] and found[0][0] == {2: (4, 4), 3: (5, 5)}[number]


def test_04_a_treebank_may_begin_with_a_range():
    file = case(4, "mwt.conllu")
    assert counts("tags", file, file, "--gold-column", "universal")[0] == (3, 3)


@pytest.mark.parametrize("name", ["noauto.txt", "g.conllu"])
def test_05_a_file_without_derivations_is_refused(name):
    assert f"{name}, line 1" in run("ccg", case(5, name), case(5, name), code=2).stderr


def test_05_the_extended_format_of_depccg_is_scored():
    assert counts("ccg", case(5, "ext.auto"), case(5, "ext.auto"), "--resamples", 0)[0] == (2, 2)


def test_06_trees_over_several_lines_are_scored():
    assert counts("ccg", case(6, "ml2.auto"), case(6, "ml2.auto"), "--resamples", 0)[0] == (2, 2)
    assert {row["value"] for row in records("ccg", case(6, "g.auto"), case(6, "ml.auto"), "--resamples", 0)} == {1.0}


@pytest.mark.parametrize(("gold", "system"), [("g.auto", "cc.auto"), ("cc1.auto", "cc2.auto")])
def test_07_a_preface_is_no_sentence(gold, system):
    assert {row["value"] for row in records("ccg", case(7, gold), case(7, system), "--resamples", 0)} == {1.0}


@pytest.mark.parametrize(("name", "right"), [("m23_s.tsv", 1), ("m23_s2.tsv", 2)])
def test_09_columns_are_found_from_the_features_or_named(name, right):
    for more in ((), ("--columns", "lemma,features,form")):
        found = records("inflections", case(9, "m23_g.tsv"), case(9, name), *more)
        assert [(row["by"], row["measure"]) for row in found] == [("all", "all"), ("features", "V;PST")]
        assert (found[0]["numerator"], found[0]["denominator"]) == (right, 2)


def test_10_systems_have_their_paths_as_names():
    systems = [case(10, "sa/pred.tsv"), case(10, "sb/pred.tsv")]
    found = records("inflections", case(10, "m_g.tsv"), *systems)
    assert {row["system"]: row["value"] for row in found if row["by"] == "all"} == {
        str(systems[0]): 0.75,
        str(systems[1]): 1.0,
    }


def test_12_packed_files_and_carriage_returns_are_read():
    assert counts("inflections", case(12, "m_g.tsv.gz"), case(12, "m_s.tsv"))[0][1] == 4
    assert counts("inflections", case(12, "cr.tsv"), case(12, "cr.tsv"))[0] == (2, 2)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("tags", "el\tD\nniño\tN\n"),
        ("types", "el\tD\nniño\tN\n"),
        ("trees", tree_rows("el niño", [2, 0])),
        ("inflections", "niño\tniños\tN;PL\n"),
        ("ccg", AUTO(1, "ladrarán")),
    ],
)
def test_13_every_command_has_an_option_for_the_encoding(command, text, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(text.encode("latin-1"))
    refused = run(command, file, file, code=2).stderr
    assert "Give --encoding if the file has another one." in refused
    assert run(command, file, file, "--encoding", "latin-1").exit_code == 0


def test_15_a_rule_that_takes_nothing_out_says_so():
    found = run("trees", case(15, "xtagU.conllu"), case(15, "xtagU2.conllu"), "--no-punctuation").stdout
    assert "punctuation: 0 tokens removed, though 2 tokens are only punctuation marks" in found
    files = case(15, "xtagU.conllu"), case(15, "xtagU.conllu"), "--no-punctuation", "--punctuation-rule", "form"
    assert "punctuation: 2 tokens removed\n" in run("trees", *files).stdout


def test_16_a_gold_sentence_that_cannot_be_read_is_named(tmp_path):
    gold, system = case(16, "r14b.conllu"), case(16, "r14c.conllu")
    told = run("trees", gold, system, "--incidents", tmp_path / "all.csv")
    assert f"columns: 1, in {gold}, line 5: 1 column" in told.stderr
    assert "1 gold sentences could not be read and are not scored" in told.stdout
    listed = pd.read_csv(tmp_path / "all.csv")
    assert listed.loc[listed["kind"] == "columns", ["file", "line"]].to_numpy().tolist() == [[str(gold), 5]]
    assert kinds(records("trees", gold, system))["columns"] == (1, 5)
    assert "line 5" in run("trees", gold, system, "--strict", code=2).stderr


def command(*arguments, code=0):
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code == code and "Traceback" not in result.output, result.output
    return result.output


FUSED = [("al lado", "prep|a~det:art|el n|lado"), ("im Haus", "prep|in~det|dem n|Haus"),
         ("du pain", "adp|de~det|le-Def noun|pain"), ("dámelo", "v|da~pro|me~pro|lo")]  # fmt: skip


def test_17_fused_words_of_an_added_corpus_are_kept(write, tmp_path):
    head = "@UTF8\n@Begin\n@Participants:\tCHI Target_Child , MOT Mother\n"
    for number, (words, tier) in enumerate(FUSED):
        write(f"chat/{number}.cha", f"{head}*MOT:\t{words} .\n%mor:\t{tier} .\n@End\n")
    assert "4 files of kind chat" in command("data", "add", "fused", tmp_path / "chat")
    tokens = load("fused")
    assert tokens["form"].tolist() == ["al", "", "lado", "im", "", "Haus", "du", "", "pain", "dámelo", "", ""]
    assert tokens["lemma"].tolist() == ["a", "el", "lado", "in", "dem", "Haus", "de", "le", "pain", "da", "me", "lo"]


def test_22_a_part_of_ccgbank_can_be_added_under_another_name_and_used(tmp_path):
    folder = case(22, "g.auto").parent
    refused = command("data", "add", "ccgbank", folder, code=2)
    assert "add the part under a name of your own" in refused
    command("data", "add", "cg", folder)
    assert load("cg")["form"].tolist() == ["dogs", "bark", "I", "see", "a", "cat"]
    assert "not on 'cg'" in command("reproduce", "kodner2023", "--corpus", "cg", code=2)


@pytest.mark.slow
def test_22_a_paper_runs_on_the_part_of_its_corpus_that_a_reader_has(tmp_path):
    command("data", "add", "cg", case(22, "g.auto").parent)
    command("reproduce", "clark2002", "--corpus", "cg", "--output", tmp_path / "report")
    scores = pd.read_csv(tmp_path / "report" / "tables" / "clark2002_cg_scores.csv")
    assert set(scores["corpus"]) == {"cg"} and (scores["n"] == 1).all()


def test_23_classes_of_word_types_are_scored():
    assert {row["value"] for row in records("types", case(23, "gt.txt"), case(23, "mkcls"))} == {1.0}
    assert counts("tags", case(23, "gt.txt"), case(23, "wb"))[0] == (5, 5)


def test_28_duplicates_are_said():
    found = records("inflections", case(28, "du_g.tsv"), case(28, "du_s.tsv"))
    assert kinds(found) == {"duplicate": (2, 2), "blank line": (1, 4)}
    assert "duplicate: 2, the first in" in run("inflections", case(28, "du_g.tsv"), case(28, "du_s.tsv")).stderr
    rows = csv.DictReader(
        io.StringIO(run("inflections", case(28, "du_g.tsv"), case(28, "du_s.tsv"), "--format", "csv").stdout)
    )
    assert next(rows)["incidents"].startswith("duplicate: 2, the first in ")


def test_29_pipes_and_standard_input_are_read():
    file = case(29, "ok.conllu")
    assert {row["value"] for row in records("trees", file, "-", text=file.read_text(encoding="utf-8"))} == {1.0}
    reading, writing = os.pipe()
    os.write(writing, file.read_bytes())
    os.close(writing)
    found = records("tags", f"/dev/fd/{reading}", file, "--penn-punctuation", "--gold-column", "universal")
    os.close(reading)
    assert found[0]["system"] == str(file)
    assert "this is a folder" in run("trees", file, CASES, code=2).stderr


# Their kinds, on the other commands

#: A small file of each format, and the command that scores it.
FILES = {
    "conllu": ("trees", tree_rows("el niño", [2, 0], "s1")),
    "conllx": ("trees", tree_rows("el niño", [2, 0]).replace("NOUN", "Nn")),
    "nine-columns": ("trees", "1\tniño\t_\tN\tN\tNOUN\t_\t0\t_\n"),
    "word-tag-head": ("trees", "el\tD\t2\nniño\tN\t0\n"),
    "tags of a treebank": ("tags", tree_rows("el niño", [2, 0], "s1")),
    "words-and-tags": ("tags", "el\tD\nniño\tN\n\nniño\tN\n"),
    "slashed": ("tags", "el/D niño/N\nniño/N el/D\n"),
    "tags": ("tags", "D\nÑ\n"),
    "lexicon": ("types", "el\tD\nniño\tN\n\nniño\tN\n"),
    "forms": ("inflections", "niño\tniños\tN;PL\n"),
    "ccg": ("ccg", AUTO("1", "ladrarán")),
}


def zipped(data):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("__MACOSX/._x", b"\0")
        archive.writestr("x", data)
    return stream.getvalue()


WAYS = {
    "gz": lambda text: gzip.compress(text.encode()),
    "xz": lambda text: lzma.compress(text.encode()),
    "bz2": lambda text: bz2.compress(text.encode()),
    "zip": lambda text: zipped(text.encode()),
    "mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "xz of UTF-16 with CR": lambda text: lzma.compress(text.replace("\n", "\r").encode("utf-16")),
}


@pytest.mark.thorough
@pytest.mark.parametrize("format", FILES)
def test_every_command_reads_every_format_however_it_is_packed_and_encoded(format, write, tmp_path):
    command, text = FILES[format]
    more = ["--no-intervals"] if command in ("ccg", "inflections") else []
    gold = write("gold", text)

    def found(system, text=None):
        return [(row["value"], row["numerator"]) for row in records(command, gold, system, *more, text=text)]

    expected = found(gold)
    for way, written in WAYS.items():
        (tmp_path / "packed.GZ").write_bytes(written(text))
        assert found(tmp_path / "packed.GZ") == expected, way
        assert found("-", written(text)) == expected, way
        reading, writing = os.pipe()
        os.write(writing, written(text))
        os.close(writing)
        assert found(f"/dev/fd/{reading}") == expected, way
        os.close(reading)
    (tmp_path / "member.zip").write_bytes(zipped(text.encode()))
    assert found(tmp_path / "member.zip" / "x") == expected


@pytest.mark.parametrize("format", FILES)
def test_every_command_reads_the_files_of_a_folder_in_their_order(format, write, tmp_path):
    command, text = FILES[format]
    more = ["--no-intervals"] if command in ("ccg", "inflections") else []
    other = text.replace("niño", "niña").replace("s1", "s2").replace("ID=1", "ID=2")
    blank = "\n" if command in ("trees", "tags", "types") else ""
    write("folder/a.tsv", text.rstrip("\n") + "\n")
    write("folder/b.tsv", other.rstrip("\n") + "\n")
    (tmp_path / "folder" / "._a.tsv").write_bytes(b"\0\5\x16\7")
    joined = write("joined.tsv", text.rstrip("\n") + "\n" + blank + other)
    rows = records(command, joined, tmp_path / "folder", *more)
    whole = records(command, joined, joined, *more)
    assert [(row["value"], row["denominator"]) for row in rows] == [(row["value"], row["denominator"]) for row in whole]
    assert kinds(rows)["left by an archiver"] == (1, 0)


def test_sentences_are_matched_by_sent_id_and_what_one_side_lacks_is_said(write):
    one, two, three = (tree_rows("a b", [2, 0], name) for name in ("s1", "s2", "s3"))
    gold = write("gold.conllu", one + two)
    for command in ("trees", "tags"):
        full = counts(command, gold, gold)[0][1]
        assert counts(command, gold, write("turned.conllu", two + one))[0][1] == full == 4
        found = records(command, gold, write("partial.conllu", three + two))
        assert (found[0]["denominator"], found[0]["numerator"]) == (4, 2)
        assert set(kinds(found)) >= {"missing in the system", "missing in gold"}
        assert (
            "'s1' is missing in" in run(command, gold, write("partial.conllu", three + two), "--strict", code=2).stderr
        )


def test_other_words_at_the_same_place_are_refused_lax_or_not(write):
    gold = write("gold.conllu", tree_rows("a b", [2, 0]) + tree_rows("c d", [2, 0]))
    other = write("other.conllu", tree_rows("c d", [2, 0]) + tree_rows("a b", [2, 0]))
    auto = write("gold.auto", AUTO(1, "bark").split("\n", 1)[1] + AUTO(2, "swim").split("\n", 1)[1])
    turned = write("turned.auto", AUTO(1, "swim").split("\n", 1)[1] + AUTO(2, "bark").split("\n", 1)[1])
    for more in ((), ("--strict",)):
        for command in ("trees", "tags", "types"):
            run(command, gold, other, *more, code=2)
        run("ccg", auto, turned, *more, code=2)


def test_a_derivation_that_one_side_lacks_is_said(write):
    gold = write("gold.auto", AUTO("a", "bark") + AUTO("b", "swim"))
    system = write("mine.auto", AUTO("c", "run") + AUTO("b", "swim"))
    found = records("ccg", gold, system, "--resamples", 0)
    assert (found[0]["numerator"], found[0]["denominator"]) == (2, 4) and found[0]["sentences failed"] == 1
    assert kinds(found) == {"missing in the system": (1, 2), "missing in gold": (1, 2)}
    assert "'a' is missing in" in run("ccg", gold, system, "--resamples", 0, "--strict", code=2).stderr


def test_identifiers_of_another_kind_are_said_and_the_order_counts(write):
    autos = [write(f"{a}.auto", AUTO(a, "bark") + AUTO(b, "swim")) for a, b in ("ab", "12")]
    banks = [write(f"{a}.conllu", tree_rows("a b", [2, 0], a) + tree_rows("c", [0], b)) for a, b in ("ab", "12")]
    for command, files in (("ccg", autos), ("trees", banks), ("tags", banks)):
        found = records(command, *files)
        assert found[0]["value"] == 1 and kinds(found) == {"identifiers not shared": (1, 0)}


def test_an_item_without_a_form_or_without_a_line_is_wrong(write):
    gold = write("gold.tsv", "fly\tflew\tV;PST\nwalk\twalked\tV;PST\ngo\twent\tV;PST\n")
    system = write("mine.tsv", "walk\twalked\tV;PST\nfly\t\tV;PST\nsee\tsaw\tV;PST\n")
    found = records("inflections", gold, system)
    assert (found[0]["numerator"], found[0]["denominator"]) == (1, 3)
    assert kinds(found) == {"empty field": (1, 2), "missing in the system": (2, 1), "missing in gold": (1, 3)}
    nothing = write("nothing.tsv", "see\tsaw\tV;PST\n")
    assert "the first is row 0 of gold: 'fly', 'V;PST'" in run("inflections", gold, nothing, code=2).stderr


def test_whole_items_of_the_training_set_are_shown(write):
    gold = write("gold.tsv", "fly\tflew\tV;PST\nwalk\twalked\tV;PST\n")
    training = write("train.tsv", "walk\twalked\tV;PST\nfly\tflies\tV;PRS\n")
    found = records("inflections", gold, gold, "--training", training)
    whole = {row["measure"]: row["denominator"] for row in found if row["by"] == "whole item"}
    assert whole == {"in training": 1, "not in training": 1}


def test_a_token_without_a_tag_is_wrong_and_one_without_a_gold_tag_is_not_scored(write):
    tagged = write("tagged.txt", "the\tD\ndog\tN\nruns\tV\n")
    lacking = write("lacking.txt", "the\tD\ndog\t\nruns\tV\n")
    found = records("tags", tagged, lacking, "--system-format", "words-and-tags")
    assert (found[0]["numerator"], found[0]["denominator"]) == (2, 3) and kinds(found) == {"no tag": (1, 2)}
    assert counts("tags", lacking, tagged, "--gold-format", "words-and-tags")[0] == (2, 2)


def test_slashed_text_is_scored_as_word_and_tag(write):
    lines, slashed = write("gold.txt", "the\tD\ndog\tN\n\nruns\tV\n"), write("mine.txt", "the/D dog/N\nruns/V\n")
    for command in ("tags", "types"):
        assert {row["value"] for row in records(command, lines, slashed)} == {1.0} or command == "tags"
        assert counts(command, lines, slashed) == counts(command, slashed, lines) == counts(command, lines, lines)
    lacking = write("lacking.txt", "the/D dog\nruns/V run/V\n")
    assert kinds(records("tags", lacking, lacking, "--gold-format", "slashed", "--system-format", "slashed")) == {
        "no tag": (2, 1)
    }
    assert "'dog' is not a word/label" in run("tags", lacking, slashed, "--strict", code=2).stderr


def test_a_system_named_twice_is_refused(write):
    files = {
        "tags": write("a.txt", "the\tD\n"),
        "trees": write("a.conllu", tree_rows("a", [0])),
        "inflections": write("a.tsv", "fly\tflew\tV;PST\n"),
    }
    for command, file in files.items():
        assert "named twice" in run(command, file, file, file, code=2).stderr


def test_relations_that_are_not_shown_are_counted_and_named(write):
    rows = [("a", 2, "nsubj"), ("b", 0, "root"), ("c", 2, "obl"), ("d", 2, "obl"), ("e", 2, "advmod")]
    text = "".join(f"{i}\t{w}\t_\tNOUN\t_\t_\t{h}\t{r}\t_\t_\n" for i, (w, h, r) in enumerate(rows, 1)) + "\n"
    file = write("gold.conllu", text)
    shown = run("trees", file, file, "--by", "relation").stdout
    assert "not shown: 3 of 5 words have other relations (obl 2, advmod 1)" in shown
    assert "not shown" not in run("trees", file, file, "--by", "relation", "--all-relations").stdout


def test_a_convention_without_effect_is_said(write):
    file = write("gold.txt", "the\tD\n.\tPONCT\n")
    assert "punctuation: 0 tokens left out" in run("tags", file, file, "--penn-punctuation").stderr


def test_punctuation_of_derivations_that_is_taken_out_is_counted(write):
    text = "(<T S[dcl] 0 2> (<L S[dcl] VB VB {} S[dcl]>) (<L {} . . . {}>) )\n"
    marked, other = write("a.auto", text.format("look", ".", ".")), write("b.auto", text.format("look", "S\\S", "S\\S"))
    options = "--no-punctuation", "--resamples", 0
    assert "punctuation: 1 gold words disregarded" in run("ccg", marked, marked, *options).stdout
    told = "punctuation: 0 gold words disregarded, though 1 are only punctuation marks"
    assert told in run("ccg", other, other, *options).stdout


def test_nothing_scored_is_one_line_and_two(write):
    file = write("gold.conllu", tree_rows("a b", [2, 0]))
    told = run("trees", file, file, "--max-length", 1, code=2)
    assert told.stdout == "" and told.stderr.count("\n") == 1
    assert "nothing is left to score" in told.stderr and "max_length=1 with punctuation" in told.stderr
    for command in ("tags", "types"):
        assert "no token is left to score" in run(command, file, file, "--leave-out", "N", code=2).stderr
    for name in ("empty.tsv", "empty.auto"):
        empty = write(name, "\n")
        assert str(empty) in run("ccg" if name.endswith("auto") else "inflections", empty, empty, code=2).stderr


# Errors, intervals, start-up


def test_a_file_that_is_refused_leaves_its_defect_in_the_table_of_incidents(write, tmp_path):
    bad = write("bad.conllu", tree_rows("a b", [2, 0]).replace("\t0\t", "\t9\t"))
    for command in ("trees", "tags"):
        run(command, bad, bad, "--strict", "--incidents", tmp_path / "found.csv", code=2)
        assert pd.read_csv(tmp_path / "found.csv")[["file", "line"]].to_numpy().tolist() == [[str(bad), 2]]
        (tmp_path / "found.csv").unlink()


@pytest.mark.parametrize(
    ("command", "gold", "system", "listed"),
    [
        ("trees", tree_rows("a b", [9, 0]), tree_rows("a c", [8, 0]), ["head out of range"] * 2),
        ("trees", "1\ta\n\n1\tb\n", "", ["columns"] * 2),
        ("tags", "the\t\nrun\tV\n", "the\t\nsee\tV\n", ["no tag"] * 2),
        ("types", "the\t\nrun\tV\n", "the\t\nsee\tV\n", ["no tag"] * 2),
        ("inflections", "fly\t\tV;PST\ngo\twent\tV;PST\n", "a\t\tN;PL\nb\tc\tN;PL\n", ["empty field"] * 2),
        ("ccg", AUTO(1, "bark") + "ID=2\n(<L\n", AUTO(1, "bark run") + "ID=2\n(<L\n", ["truncated", "fields"]),
        ("ccg", AUTO(1, "bark") + "ID=2\n(<L\n", "ID=3\nx\nID=4\ny\n", ["truncated", "no tree", "no tree"]),
    ],
)
def test_the_table_of_incidents_of_a_refused_file_has_what_was_found_before(
    command, gold, system, listed, write, tmp_path
):
    files = write("gold", gold), write("system", system)
    run(command, *files, "--incidents", tmp_path / "found.csv", *FORMAT_NAMED.get(command, ()), code=2)
    assert pd.read_csv(tmp_path / "found.csv")["kind"].tolist()[: len(listed)] == listed


#: Formats that such defects leave open.
FORMAT_NAMED = {
    command: ("--gold-format", format, "--system-format", format)
    for command, format in (("tags", "words-and-tags"), ("types", "words-and-tags"), ("trees", "conllu"))
}


def test_memory_that_does_not_suffice_is_one_line(write, monkeypatch):
    file = write("a.tsv", "fly\tflew\tV;PST\n")

    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr("analysis.evaluation.inflections.read_form_columns", fail)
    told = run("inflections", file, file, code=2)
    assert told.stderr == f"Error: memory does not suffice to score {file}, {file}.\n"


def test_intervals_can_be_left_out(write):
    forms, trees = write("a.tsv", "fly\tflew\tV;PST\n"), write("a.auto", AUTO(1, "bark"))
    for command, file in (("inflections", forms), ("ccg", trees)):
        assert {"lower", "upper"} <= set(records(command, file, file)[0])
        (row, *_) = records(command, file, file, "--no-intervals")
        assert not {"lower", "upper"} & set(row) and "Wilson" not in str(row)


#: Large packages that a command may import.
TABLES = {"pandas", "pyarrow"}
MAY_IMPORT = {
    "trees": TABLES, "tags": TABLES | {"scipy"}, "types": TABLES | {"scipy", "numba"}, "inflections": TABLES,
    "ccg": TABLES,
}  # fmt: skip
LARGE = {"pandas", "pyarrow", "scipy", "numba", "matplotlib", "seaborn", "statsmodels", "sklearn", "joblib", "jinja2",
         "IPython", "ipywidgets", "nbformat", "nbclient", "dask", "distributed", "pooch"}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("command", MAY_IMPORT)
def test_a_command_imports_no_more_large_packages_than_it_needs(command, folder):
    (example, *_) = examples(command)
    without = ["--no-intervals"] if command in ("inflections", "ccg") else []
    code = (
        "import sys; from analysis.__main__ import main; main(sys.argv[1:], standalone_mode=False);"
        f"print(*sorted({LARGE!r} & set(sys.modules)))"
    )
    words = [sys.executable, "-c", code, *shlex.split(example), *without]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert set(printed.splitlines()[-1].split()) <= MAY_IMPORT[command]


# Help


def examples(command):
    text = group.commands[command].get_help(main.make_context("yardstick", [], resilient_parsing=True))
    return re.findall(r"^ *yardstick (evaluate .+)$", text, re.MULTILINE)


@pytest.fixture
def folder(write, tmp_path, monkeypatch):
    trees = tree_rows("the dog runs .", [2, 3, 0, 3])
    write("gold.conllu", trees)
    write("mine.conllu", trees)
    write("gold.txt", "the\tD\ndog\tN\nruns\tV\n.\t.\n")
    write("mine.txt", "the\t1\ndog\t2\nruns\t3\n.\t4\n\nthe\t1\n".rpartition("\n\n")[0] + "\n\n")
    write("brown.paths", "00\tthe\t2\n01\tdog\t1\n10\truns\t1\n11\t.\t2\n")
    for name in ("gold.auto", "mine.auto"):
        write(name, AUTO(1, "bark"))
    for name in ("gold.tsv", "mine.tsv", "train.tsv"):
        write(name, "fly\tflew\tV;PST\nwalk\twalked\tV;PST\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["tags", "types", "trees", "ccg", "inflections"])
def test_the_three_examples_of_each_help_work_and_exit_codes_are_documented(command, folder):
    found = examples(command)
    assert len(found) == 3
    for example in found:
        run(*shlex.split(example)[1:])
    assert "Exit codes: 0 done; 2" in CliRunner().invoke(main, ["evaluate", command, "--help"]).output


def test_the_console_script_and_the_module_are_the_same_command(folder):
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'yardstick = "analysis.__main__:main"' in text
    words = ["evaluate", "trees", "gold.conllu", "mine.conllu"]
    code = "import sys; from analysis.__main__ import main; sys.exit(main())"
    outputs = [
        subprocess.run([sys.executable, *how, *words], capture_output=True, text=True, check=True).stdout
        for how in (["-c", code], ["-m", "analysis"])
    ]
    assert outputs[0] == outputs[1] and "directed" in outputs[0]
