"""``evaluate tags`` and ``evaluate types`` on files made by hand."""

import csv
import gzip
import io
import json
import math

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.evaluation import score_tags, score_types
from analysis.evaluation.scoring import IntervalOptions
from analysis.evaluation.tags import evaluate_tags, evaluate_types, read_labelled
from analysis.structures import DataError

WORDS = [["the", "dog", "runs", "."], ["run", "the", "dogs", "."]]
TAGS = [["DT", "NN", "VBZ", "."], ["VB", "DT", "NNS", "."]]
UNIVERSAL = [["DET", "NOUN", "VERB", "PUNCT"], ["VERB", "DET", "NOUN", "PUNCT"]]
CLUSTERS = [["1", "2", "3", "4"], ["3", "1", "2", "4"]]
PATHS = "00\tthe\t2\n01\tdog\t1\n01\tdogs\t1\n10\truns\t1\n10\trun\t1\n11\t.\t2\n"


def lines(*columns):
    """One line per token, cells divided by tabs, a blank line after each sentence."""
    sentences = [zip(*parts, strict=True) for parts in zip(*columns, strict=True)]
    return "".join("".join("\t".join(row) + "\n" for row in sentence) + "\n" for sentence in sentences)


def treebank(columns):
    """A treebank of ten columns: layers by their column, every head 0, all others ``_``."""
    text = ""
    for number, sentence in enumerate(WORDS):
        for place, word in enumerate(sentence):
            cells = [str(place + 1), word, *["_"] * 8]
            for column, layer in columns.items():
                cells[column] = layer[number][place]
            cells[6] = "0"
            text += "\t".join(cells) + "\n"
        text += "\n"
    return text


@pytest.fixture
def files(tmp_path):
    content = {
        "gold.txt": lines(WORDS, TAGS),
        "tags.txt": lines(CLUSTERS),
        "words.txt": lines(WORDS, CLUSTERS),
        "brown.paths": PATHS,
        "other.txt": lines([["the", "cat", "runs", "."], WORDS[1]], CLUSTERS),
        "short.txt": lines([CLUSTERS[0]]),
        "gold.conllu": treebank({3: UNIVERSAL, 4: TAGS}),
        "gold.conllx": treebank({3: TAGS, 4: TAGS}),
        "gold.nine": "".join(
            "".join(f"{i}\t{w}\t_\t{t}\t{t}\t{u}\t_\t0\t_\n" for i, (w, t, u) in enumerate(zip(*parts, strict=True), 1))
            + "\n"
            for parts in zip(WORDS, TAGS, UNIVERSAL, strict=True)
        ),
    }
    for name, text in content.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="analysis")


def test_token_measures_are_those_computed_by_hand(files):
    table = evaluate_tags(files / "gold.txt", [files / "tags.txt"], leave_out=["."]).set_index("measure")
    # DT DT in 1; NN NNS in 2; VBZ VB in 3
    assert (table.loc["many-to-one", "numerator"], table.loc["many-to-one", "denominator"]) == (4, 6)
    entropy = -(2 / 6 * math.log2(2 / 6) + 4 * (1 / 6) * math.log2(1 / 6))
    given = 4 / 6  # of a bit
    assert table.loc["H(C|K)", "value"] == pytest.approx(given)
    assert table.loc["NVI", "value"] == pytest.approx(given / entropy)
    assert table.loc["V", "H(C)"] == pytest.approx(entropy) and table.loc["V", "H(K)"] == pytest.approx(math.log2(3))
    assert table.loc["pairwise precision", ["numerator", "denominator"]].tolist() == [1, 3]
    assert (table["n"] == 6).all()


def test_measures_that_are_no_ratio_have_no_counts_but_n_and_the_entropies(files):
    table = evaluate_tags(files / "gold.txt", [files / "tags.txt"]).set_index("measure")
    for measure in ("V", "VI", "NVI", "H(C|K)", "H(K|C)"):
        assert table.loc[measure, ["numerator", "denominator"]].isna().all()
        assert table.loc[measure, ["n", "H(C)", "H(K)", "H(C|K)", "H(K|C)"]].notna().all()
    assert table.loc["many-to-one", ["numerator", "denominator"]].notna().all()


def test_type_measures_are_those_computed_by_hand(files):
    table = evaluate_types(files / "gold.txt", [files / "words.txt"], leave_out=["."]).set_index("measure")
    # the: DT in 1; dog, dogs in 2; run, runs in 3: one of each pair is right
    assert table.loc["MacroI (one-to-one)", ["numerator", "denominator"]].tolist() == [2 * 3, 5 + 5]
    assert table.loc["MicroI (many-to-one)", "value"] == pytest.approx(3 / 5)
    assert table.loc["MicroC (one-to-one)", "value"] == pytest.approx((1 * 1 + 2 * (2 / 3) * 2) / 5)
    assert (table["n"] == 5).all()


@pytest.mark.parametrize("system", ["tags.txt", "words.txt", "brown.paths"])
def test_a_clustering_scores_the_same_in_every_format(files, system):
    for evaluate in (evaluate_tags, evaluate_types):
        base = evaluate(files / "gold.txt", [files / "words.txt"])
        found = evaluate(files / "gold.txt", [files / system])
        assert found["value"].tolist() == base["value"].tolist()


@pytest.mark.parametrize(
    ("gold", "format", "label"),
    [("gold.txt", "words-and-tags", "cluster"), ("gold.conllu", "conllu", "fine"), ("gold.conllx", "conllx", "fine"),
     ("gold.nine", "nine-columns", "fine")],
)  # fmt: skip
def test_a_gold_standard_is_read_in_every_format_and_says_which(files, gold, format, label):
    reading = read_labelled(files / gold)
    assert (reading.format, reading.label) == (format, label)
    found = evaluate_tags(files / gold, [files / "words.txt"])
    assert found["value"].tolist() == evaluate_tags(files / "gold.txt", [files / "words.txt"])["value"].tolist()
    assert f"gold={format}, {label}" in found["conventions"].iloc[0]


def test_packed_files_and_a_chosen_column_are_read(files):
    packed = files / "gold.conllu.gz"
    packed.write_bytes(gzip.compress((files / "gold.conllu").read_bytes()))
    table = evaluate_tags(packed, [files / "words.txt"], gold_column="universal").set_index("measure")
    assert table.loc["many-to-one", "value"] == 1
    with pytest.raises(DataError, match="no column 'coarse'; it has fine, universal"):
        read_labelled(packed, column="coarse")


def test_other_words_are_refused_with_the_first_difference(files):
    told = r"row 1: form is 'dog' in the first table and 'cat' in the second \(sentence 1, word 2\)"
    with pytest.raises(DataError, match=told):
        evaluate_tags(files / "gold.txt", [files / "other.txt"])
    with pytest.raises(DataError, match="gold has 8 rows, predicted 4"):
        evaluate_tags(files / "gold.txt", [files / "short.txt"])


def test_words_without_a_cluster_are_refused_or_counted(files):
    few = files / "few.paths"
    few.write_text(PATHS.replace("10\trun\t1\n", ""), encoding="utf-8")
    with pytest.raises(DataError, match="1 of 8 tokens have no cluster"):
        evaluate_tags(files / "gold.txt", [few], unlabelled="refuse")
    counted = evaluate_tags(files / "gold.txt", [few]).set_index("measure")
    assert counted.loc["many-to-one", ["numerator", "denominator"]].tolist() == [6, 8], "run is never right"
    merged = evaluate_tags(files / "gold.txt", [few], unlabelled="one cluster").set_index("measure")
    assert merged.loc["many-to-one", "numerator"] == 7
    table = evaluate_tags(files / "gold.txt", [few], unlabelled="leave out")
    assert (table["n"] == 7).all() and "without a cluster=1 tokens (leave out)" in table["conventions"].iloc[0]
    assert (evaluate_types(files / "gold.txt", [few], unlabelled="one cluster")["n"] == 6).all()


@pytest.fixture
def one_unclassed(tmp_path):
    """Six word types, of which one has no class; each of the others has one class and a cluster of its own class."""
    (tmp_path / "gold.txt").write_text("the\tD\ndog\tN\nran\tV\n\nthe\tD\ncat\tN\nsaw\tV\nit\tP\n\n", encoding="utf-8")
    (tmp_path / "mine.txt").write_text("cat\t3\ndog\t3\nran\t4\nsaw\t4\nthe\t2\n", encoding="utf-8")
    return tmp_path / "gold.txt", tmp_path / "mine.txt"


def test_a_word_type_without_a_cluster_is_wrong(one_unclassed):
    """MacroI: 2 * 5 / (6 + 5); MicroI: 5 of 6; MicroC: F of the mapped clusters alone, 1."""
    gold, mine = one_unclassed
    table = evaluate_types(gold, [mine]).set_index("measure")
    assert (table["n"] == 6).all()
    for mapping in ("many-to-one", "one-to-one"):
        assert table.loc[f"MacroI ({mapping})", "value"] == pytest.approx(10 / 11)
        assert table.loc[f"MicroI ({mapping})", "value"] == pytest.approx(5 / 6)
    merged = evaluate_types(gold, [mine], unlabelled="one cluster").set_index("measure")
    assert merged.loc["MicroI (one-to-one)", "value"] == 1
    assert (evaluate_types(gold, [mine], unlabelled="leave out")["n"] == 5).all()
    with pytest.raises(DataError, match="1 of 7 tokens have no cluster"):
        evaluate_types(gold, [mine], unlabelled="refuse")


def test_a_word_type_without_a_cluster_is_wrong_by_band_in_intervals_lists_and_beside_references(one_unclassed):
    (run,) = score_types(one_unclassed[0], [one_unclassed[1]])
    counts = np.zeros((1, 6), dtype=int)
    counts[0, list(run.scored.table.forms).index("it")] = 3
    assert run.scored.values(counts)[0, run.scored.names.index("MicroI (one-to-one)")] == 0
    listed = run.lists["costliest"]()
    assert listed[["form", "gold", "read as"]].values.tolist() == [["it", "P", ""]]
    references = run.references(IntervalOptions(resamples=5)).set_index("system")
    assert {"random, own sizes", "random, gold sizes"} <= set(references.index)
    (groups,) = score_types(one_unclassed[0], [one_unclassed[1]], by="frequency")
    rows = [record for record in groups.records if record["measure"] == "MicroI (one-to-one)" and record["n"]]
    assert sum(record["value"] * record["n"] for record in rows) == pytest.approx(5)


def test_a_system_without_any_cluster_has_no_types_to_score(one_unclassed):
    gold, mine = one_unclassed
    mine.write_text("\n".join(f"{word}\t" for word in ["the", "dog", "ran"]) + "\n\n", encoding="utf-8")
    with pytest.raises(DataError, match="no word of the gold file has a cluster") as told:
        evaluate_types(gold, [mine], system_format="words-and-tags")
    assert str(mine) in str(told.value)


def test_what_cannot_be_scored_is_refused(files):
    with pytest.raises(DataError, match="lists word types"):
        evaluate_tags(files / "brown.paths", [files / "tags.txt"])
    with pytest.raises(DataError, match="has no words: type-level measures need them"):
        evaluate_types(files / "tags.txt", [files / "words.txt"])
    with pytest.raises(DataError, match="has no words, so the word types"):
        evaluate_tags(files / "tags.txt", [files / "brown.paths"])
    with pytest.raises(DataError, match="there is no file"):
        evaluate_tags(files / "nothing", [files / "tags.txt"])
    with pytest.raises(DataError, match="no tag 'PUNCT' to leave out"):
        evaluate_tags(files / "gold.txt", [files / "tags.txt"], leave_out=["PUNCT"])
    with pytest.raises(ValueError, match="format is 'xml'"):
        read_labelled(files / "gold.txt", format="xml")


# The commands


def test_one_record_a_measure_as_csv_and_as_json(files):
    for name, measures in (("tags", 13), ("types", 6)):
        arguments = ["evaluate", name, files / "gold.txt", files / "words.txt", files / "brown.paths"]
        result = command(*arguments, "--format", "csv")
        assert result.exit_code == 0, result.output
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        assert len(rows) == 2 * measures
        assert {"measure", "value", "numerator", "denominator", "conventions"} <= set(rows[0])
        records = json.loads(command(*arguments, "--format", "json").stdout)
        assert [record["measure"] for record in records] == [row["measure"] for row in rows]
        assert [record["value"] for record in records] == pytest.approx([float(row["value"]) for row in rows])
        assert "random_state" not in records[0]["conventions"]


def test_counts_are_whole_numbers_in_csv_and_empty_for_entropies(files):
    rows = csv.DictReader(io.StringIO(command("evaluate", "tags", files / "gold.txt", files / "tags.txt",
                                              "--format", "csv").stdout))  # fmt: skip
    by_measure = {row["measure"]: row for row in rows}
    assert (by_measure["many-to-one"]["numerator"], by_measure["many-to-one"]["denominator"]) == ("6", "8")
    assert by_measure["V"]["numerator"] == "" and float(by_measure["V"]["H(C)"]) > 0


def test_the_table_says_once_what_holds_of_all_measures(files):
    result = command("evaluate", "tags", files / "gold.txt", files / "tags.txt", "--penn-punctuation")
    assert result.exit_code == 0
    assert result.stdout.count("not scored=. (2 of 8 tokens)") == 1
    assert "one-to-one: assignment=optimal" in result.stdout
    assert command("evaluate", "tags", files / "gold.txt", files / "tags.txt", "--assignment", "greedy").stdout.count(
        "assignment=greedy"
    )


def test_the_base_of_the_logarithm_can_be_chosen(files):
    arguments = ["evaluate", "tags", files / "gold.txt", files / "tags.txt", "--format", "json"]
    natural, bits = (json.loads(command(*arguments, "--base", base).stdout) for base in ("e", "2"))
    values = [{row["measure"]: row["value"] for row in rows} for rows in (natural, bits)]
    assert values[1]["VI"] == pytest.approx(values[0]["VI"] / math.log(2))
    assert values[1]["V"] == pytest.approx(values[0]["V"])
    assert command(*arguments, "--base", "ten").exit_code == 2


def test_an_error_is_one_message(files):
    result = command("evaluate", "types", files / "gold.txt", files / "other.txt")
    assert result.exit_code == 2 and "Traceback" not in result.output
    assert "form is 'dog' in the first table and 'cat' in the second" in result.stderr
    assert command("evaluate", "tags", files / "gold.txt").exit_code == 2, "no system given"


def test_a_column_with_few_tags_is_not_the_gold_standard_and_tokens_without_a_tag_are_not_scored(files):
    few = [["_", "_", "_", "."], ["_", *["_"] * (len(WORDS[1]) - 1)]]
    (files / "few.conllu").write_text(treebank({3: UNIVERSAL, 4: few}), encoding="utf-8")
    result = command("evaluate", "tags", files / "few.conllu", files / "words.txt", "--no-intervals")
    assert "gold=conllu, universal" in result.stdout and "no tag" not in result.stderr
    fine = ("--gold-column", "fine", "--no-intervals")
    result = command("evaluate", "tags", files / "few.conllu", files / "words.txt", *fine)
    number = sum(map(len, WORDS))
    said = f"{number - 1} of {number} tokens have no tag in the column 'fine' and are not scored"
    assert f"no tag: 1, in {files / 'few.conllu'}, line 1: {said}" in result.stderr
    assert result.stdout.splitlines()[2].split()[3:5] == ["1", "1"]
    assert f"not scored=tokens without a tag ({number - 1} of {number} tokens)" in result.stdout
    refused = command("evaluate", "tags", files / "few.conllu", files / "words.txt", *fine, "--strict")
    assert refused.exit_code == 2 and said in refused.stderr and "Leave out --strict" in refused.stderr
    last = [few[0], [*few[1][:-1], "."]]
    unread = treebank({3: UNIVERSAL, 4: last}).replace("1\tthe\t", "1\tthe\textra\t", 1)  # the first sentence
    (files / "unread.conllu").write_text(unread, encoding="utf-8")
    result = command("evaluate", "tags", files / "unread.conllu", files / "unread.conllu", *fine)
    assert f"no tag: 1, in {files / 'unread.conllu'}, line {len(WORDS[0]) + 2}: " in result.stderr, result.stderr
    (files / "none.conllu").write_text(treebank({}), encoding="utf-8")
    assert command("evaluate", "tags", files / "none.conllu", files / "words.txt").exit_code == 2


MORE, MORE_TAGS = [["look", "."], ["the", "runs", "."]], [["5", "4"], ["1", "3", "4"]]


@pytest.mark.parametrize("measure", ["tags", "types"])
@pytest.mark.parametrize("kind", ["words-and-tags", "slashed"])
def test_last_sentences_that_a_system_lacks_are_named_and_count_as_wrong(files, measure, kind):
    gold = files / "gold.conllu"
    if kind == "slashed":
        (files / "short.txt").write_text("the/1 dog/2 runs/3 ./4\n", encoding="utf-8")
    else:
        (files / "short.txt").write_text(lines(WORDS[:1], CLUSTERS[:1]), encoding="utf-8")
    short = (files / "short.txt", "--system-format", kind)
    result = command("evaluate", measure, gold, *short, "--no-intervals")
    assert result.exit_code == 0, result.stderr
    assert f"missing in the system: 1, in {gold}, line 6: 'sentence 2' is missing in" in result.stderr
    if measure == "tags":
        assert result.stdout.splitlines()[2].split()[:5] == ["many-to-one", "0.5000", "proportion", "4", "8"]
        refused = command("evaluate", measure, gold, *short, "--unlabelled", "refuse")
        assert refused.exit_code == 2 and "4 of 8 tokens have no cluster" in refused.stderr
    assert command("evaluate", measure, gold, *short, "--strict").exit_code == 2


def test_last_sentences_that_gold_lacks_are_named_and_not_scored(files):
    (files / "long.txt").write_text(lines(WORDS + MORE, CLUSTERS + MORE_TAGS), encoding="utf-8")
    result = command("evaluate", "tags", files / "gold.txt", files / "long.txt", "--no-intervals")
    assert f"missing in gold: 2, the first in {files / 'long.txt'}, line 11: 'sentence 3'" in result.stderr
    assert result.stdout.splitlines()[2].split()[:5] == ["many-to-one", "0.7500", "proportion", "6", "8"]


@pytest.mark.parametrize(
    "words", [[WORDS[0], WORDS[1][:2]], WORDS[1:], [["the", "cat", "runs", "."]]],
    ids=["part of a sentence", "the first sentence lacks", "another word"],
)  # fmt: skip
def test_other_words_at_a_place_are_refused_also_in_a_shorter_file(files, words):
    (files / "short.txt").write_text(lines(words, words), encoding="utf-8")
    assert command("evaluate", "tags", files / "gold.txt", files / "short.txt").exit_code == 2


def test_missing_sentences_of_treebanks_are_named_with_their_lines(files):
    text = treebank({3: UNIVERSAL, 4: TAGS}).split("\n\n")[:2]
    both = "\n\n".join(f"# sent_id = s{place}\n{sentence}" for place, sentence in enumerate(text)) + "\n\n"
    (files / "a.conllu").write_text(both, encoding="utf-8")
    (files / "b.conllu").write_text(both.split("\n\n")[1] + "\n\n", encoding="utf-8")
    result = command("evaluate", "tags", files / "a.conllu", files / "b.conllu", "--no-intervals")
    assert f"missing in the system: 1, in {files / 'a.conllu'}, line 2: 's0' is missing in" in result.stderr


@pytest.mark.parametrize("measure", ["tags", "trees"])
def test_an_identifier_that_occurs_twice_is_named_with_both_lines(files, measure):
    text = treebank({3: UNIVERSAL, 4: TAGS}).split("\n\n")[:2]
    named = [f"# sent_id = s{place}\n{sentence}\n\n" for place, sentence in enumerate(text)]
    (files / "a.conllu").write_text("".join(named), encoding="utf-8")
    (files / "b.conllu").write_text("".join([named[1], named[0].replace("s0", "s1")]), encoding="utf-8")
    result = command("evaluate", measure, files / "a.conllu", files / "b.conllu")
    said = f"{files / 'b.conllu'}, line 8: 's1' is the identifier of line 2 as well, so sentences are matched by order"
    assert result.exit_code == 2 and said in result.stderr
    (files / "c.conllu").write_text("".join([named[0], named[1].replace("s1", "s0")]), encoding="utf-8")
    result = command("evaluate", measure, files / "a.conllu", files / "c.conllu", "--no-intervals")
    said = f"identifier twice: 1, in {files / 'c.conllu'}, line 8: 's0' is the identifier of line 2 as well"
    assert result.exit_code == 0 and said in result.stderr


def test_where_the_bias_is_larger_than_the_interval_there_is_none_and_the_corrected_value_stands(tmp_path):
    draw = np.random.default_rng(0)
    for name, n in (("gold.txt", 30), ("mine.txt", 200)):
        lines = [f"{draw.integers(n)}\n" + "\n" * (place % 8 == 7) for place in range(480)]
        (tmp_path / name).write_text("".join(lines), encoding="utf-8")
    table = evaluate_tags(tmp_path / "gold.txt", [tmp_path / "mine.txt"], gold_format="tags", system_format="tags")
    rows = table.set_index("measure")
    for name in ("V", "VI", "NVI", "H(C|K)"):
        assert rows.loc[name, ["lower", "upper"]].isna().all() and not pd.isna(rows.loc[name, "corrected"])
        assert "no interval: the estimated bias is larger" in rows.loc[name, "conventions"]
    assert rows.loc["pairwise F1", ["lower", "upper"]].notna().all()
    assert "on less than 1,000 sentences this interval" in rows.loc["one-to-one", "conventions"]


@pytest.mark.parametrize("first", ["@UTF8", "@Begin"])
def test_a_transcript_is_refused_and_not_read_as_words_and_tags(tmp_path, first):
    file = tmp_path / "a.cha"
    file.write_text(f"{first}\n@Languages:\teng\n*CHI:\tthe dog .\n%mor:\tdet|the n|dog .\n@End\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.cha, line 1: this is a CHAT transcript"):
        score_tags(file, [file])
