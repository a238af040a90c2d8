"""Scores by groups, floors of brackets and CCG, tests and lists: counted again from the files in plain loops."""

import json
import random
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.categories.by_type import scored_types
from analysis.commands.base import BY as CHOICES
from analysis.commands.scoring import TESTS as TEST_CHOICES
from analysis.evaluation import IntervalOptions, measure_again, score_ccg, score_tags, with_intervals
from analysis.evaluation.lexicons import costliest_types
from analysis.evaluation.scoring import Run, compare_runs
from analysis.statistics.differences import TESTS
from analysis.statistics.scored import Measure, ScoredRatios
from analysis.statistics.scored_groups import BY

WORDS = ["the", "a", "hen", "dog", "cat", "sees", "eats", "rare1", "rare2", "rare3"]
TAGS = {"the": "D", "a": "D", "hen": "N", "dog": "N", "cat": "N", "sees": "V", "eats": "V"}
SUBJECTS = {"tags": "txt", "types": "txt", "trees": "conllu", "ccg": "auto", "brackets": "mrg", "inflections": "tsv"}


def sentences():
    draw = random.Random(1)
    return [[draw.choice(WORDS) for _ in range(draw.choice((3, 5, 7, 12)))] for _ in range(50)]


def labelled(noise, prefix):
    draw = random.Random(noise)
    return "".join(
        "".join(f"{word}\t{prefix}{TAGS.get(word, 'X') if draw.random() >= noise else draw.choice('DNVX')}\n"
                for word in words) + "\n" for words in sentences()
    )  # fmt: skip


def trees(noise):
    draw, text = random.Random(noise), ""
    for words in sentences():
        for place, word in enumerate(words, 1):
            head = place - 1 if draw.random() >= noise else draw.randrange(place)
            text += f"{place}\t{word}\t_\tX\t{TAGS.get(word, 'X')}\t_\t{head}\tr{place % 3}\t_\t_\n"
        text += "\n"
    return text


def derivations(noise):
    draw, text = random.Random(noise), ""
    for number in range(40):
        noun = "N" if draw.random() < noise else "NP"
        word = WORDS[number % 5]
        text += f"ID={number}\n(<T S[dcl] 1 2> (<L {noun} NN NN {word} {noun}>) "
        text += "(<L S[dcl]\\NP VB VB eats S[dcl]\\NP>) )\n"
    return text


def brackets(noise):
    draw, text = random.Random(noise), ""
    for number in range(40):
        label = "VP" if draw.random() < noise else "NP"
        more = "(PP (IN in) (NP (NN corn)))" if number % 3 else ""
        text += f"(TOP (S ({label} (DT the) (NN hen)) (VP (VBZ eats) {more}) (. .)))\n"
    return text


def forms(noise):
    draw = random.Random(noise)
    return "".join(
        f"{'l' * (2 + number % 13)}{number}\t{'x' if draw.random() >= noise else 'y'}{number}\tV;{number % 3}\n"
        for number in range(90)
    )


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    makers = {"trees": trees, "ccg": derivations, "brackets": brackets, "inflections": forms}
    for subject, ending in SUBJECTS.items():
        for name, noise in (("gold", 0), ("a", 0.3), ("b", 0.2)):
            text = makers[subject](noise) if subject in makers else labelled(noise, "" if name == "gold" else "c")
            (tmp_path / f"{name}.{ending}").write_text(text, encoding="utf-8")
    (tmp_path / "words.txt").write_text("the hen eats\nthe hen\nthe the the the\n", encoding="utf-8")
    rows = forms(0).splitlines(keepends=True)
    (tmp_path / "train.tsv").write_text("".join(rows[:30]) + rows[0].replace("V;0", "V;2"), encoding="utf-8")
    return tmp_path


def run(words, code=0):
    result = CliRunner().invoke(main, ["evaluate", *words])
    assert result.exit_code == code, result.output
    return result


def scored(subject, *options, systems=("a",), code=0):
    ending = SUBJECTS[subject]
    names = [f"{name}.{ending}" for name in ("gold", *systems)]
    few = () if "--list" in options else ("--resamples", "30")
    return run([subject, *names, *few, *options], code)


def records(subject, *options, systems=("a",)):
    return json.loads(scored(subject, *options, "--format", "json", systems=systems).stdout)


def divided(subject, by, *options):
    """Numerator and denominator by group and measure."""
    rows = records(subject, "--by", by, *options)
    name = by if by in rows[0] else "measure"
    return {
        (row[name], row.get("evaluation", ""), row["measure"]): (row["numerator"], row["denominator"]) for row in rows
    }


def test_the_choices_of_the_command_are_those_of_the_library():
    assert set(CHOICES) == {by for own in BY.values() for by in own}
    assert TEST_CHOICES == TESTS
    for subject, own in BY.items():
        said = " ".join(run([subject, "--help"]).output.split())
        assert all(by in said for by in own)
        refused = next(by for by in CHOICES if by not in own)
        assert f"by is {refused!r}" in scored(subject, "--by", refused, code=2).output


def words_with_tags(name):
    return [tuple(line.split("\t")) for line in Path(name).read_text("utf-8").split("\n") if line]


def band(number, bands):
    low = 0 if bands[0] == 0 else 1
    for high in bands:
        if number <= high:
            return f"{low}–{high}" if low < high else f"{high}"
        low = high + 1
    return f"{low}+"


@pytest.mark.parametrize("by", BY["tags"])
def test_tokens_of_each_group_are_counted(by):
    gold, mine = words_with_tags("gold.txt"), words_with_tags("a.txt")
    counts, seen = Counter(word for word, _ in gold), ("the", "hen", "eats")
    lengths = [len(words) for words in sentences() for _ in words]
    expected = defaultdict(lambda: [0, 0])
    for (word, tag), (_, cluster), length in zip(gold, mine, lengths, strict=True):
        group = {
            "tag": tag,
            "cluster": cluster,
            "frequency": band(counts[word], (1, 5, 20, 100)),
            "sentence length": band(length, (5, 10, 20, 40)),
            "seen": "seen" if word in seen else "unseen",
        }[by]
        expected[group][0] += cluster == f"c{tag}"  # the best mapping of these clusters
        expected[group][1] += 1
    found = divided("tags", by, *(("--training", "words.txt") if by == "seen" else ()))
    for measure in ("many-to-one", "one-to-one"):
        own = {group: counts for (group, _, name), counts in found.items() if name == measure and counts[1]}
        assert own == {group: tuple(counts) for group, counts in expected.items()}


def test_frequencies_are_those_of_a_training_text_if_there_is_one():
    counts = Counter(["the", "hen", "eats", "the", "hen", "the", "the", "the", "the"])
    expected = Counter(band(counts[word], (0, 1, 5, 20, 100)) for word, _ in words_with_tags("gold.txt"))
    found = divided("tags", "frequency", "--training", "words.txt")
    assert {group: n for (group, _, name), (_, n) in found.items() if name == "one-to-one" and n} == expected


@pytest.mark.parametrize("by", [by for by in BY["trees"] if by != "length"])
def test_words_of_each_group_are_counted(by):
    rows = [
        [line.split("\t") for line in block.split("\n")]
        for block in Path("gold.conllu").read_text("utf-8").strip().split("\n\n")
    ]
    mine = [
        [line.split("\t")[6] for line in block.split("\n")]
        for block in Path("a.conllu").read_text("utf-8").strip().split("\n\n")
    ]
    counts = Counter(row[1] for sentence in rows for row in sentence)
    expected = defaultdict(lambda: [0, 0])
    for sentence, guesses in zip(rows, mine, strict=True):
        for row, guess in zip(sentence, guesses, strict=True):
            distance = abs(int(row[0]) - int(row[6]))
            group = {
                "relation": "ROOT" if row[6] == "0" else row[7],
                "tag": row[4],
                "distance": None if row[6] == "0" else band(distance, (1, 2, 3, 5, 10)),
                "frequency": band(counts[row[1]], (1, 5, 20, 100)),
                "sentence length": band(len(sentence), (5, 10, 20, 40)),
                "seen": "seen" if row[1] in ("the", "hen", "eats") else "unseen",
            }[by]
            if group is not None:
                expected[group][0] += row[6] == guess
                expected[group][1] += 1
    options = {"seen": ("--training", "words.txt"), "relation": ("--all-relations",)}.get(by, ())
    found = divided("trees", by, *options)
    own = {group: counts for (group, _, name), counts in found.items() if name == "directed" and counts[1]}
    assert own == {group: tuple(counts) for group, counts in expected.items()}


def test_items_of_each_group_are_counted():
    rows = [line.split("\t") for line in forms(0).splitlines()]
    trained = Counter(row[0] for row in rows[:30]) + Counter([rows[0][0]])
    expected = {
        "letters": Counter(band(len(row[0]), (4, 6, 8, 12)) for row in rows),
        "frequency": Counter(band(trained[row[0]], (0, 1, 5, 20, 100)) for row in rows),
        "features": Counter(row[2] for row in rows),
    }
    for by, counts in expected.items():
        found = records("inflections", "--by", by, "--training", "train.tsv")
        assert {row["by"] for row in found} == {by}
        assert {row["measure"]: row["denominator"] for row in found if row["denominator"]} == counts


def test_brackets_and_categories_of_each_label_are_counted():
    found = divided("brackets", "relation")
    inner = sum(1 for number in range(40) if number % 3)
    draw = random.Random(0.3)
    wrong = sum(draw.random() < 0.3 for _ in range(40))
    assert found["NP", "", "recall"] == (40 - wrong + inner, 40 + inner)
    assert found["VP", "", "precision"] == (40, 40 + wrong)
    assert found["PP", "", "recall"] == (inner, inner)
    lengths = divided("brackets", "sentence length")
    assert lengths["1–5", "", "labelled recall"][1] + lengths["6–10", "", "labelled recall"][1] == 3 * 40 + 2 * inner
    categories = divided("ccg", "relation")
    assert categories["NP", "lexical categories", "accuracy"] == (40 - wrong, 40)
    assert divided("ccg", "sentence length")["1–5", "lexical categories", "accuracy"] == (80 - wrong, 80)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_groups_have_intervals_and_signatures_that_measure_them_again(subject, files):
    ending = SUBJECTS[subject]
    for by in BY[subject]:
        training = "train.tsv" if subject == "inflections" else "words.txt"
        needed = by == "seen" or (by == "frequency" and subject == "inflections")
        options = ("--training", training) if needed else ()
        for row in records(subject, "--by", by, *options)[:6]:
            given = {"training": training} if needed else {}
            again = measure_again(row["signature"], f"gold.{ending}", [f"a.{ending}"], **given)
            (same,) = with_intervals(again.runs, again.intervals)
            names = ("value", "numerator", "denominator", "lower", "upper")
            assert [same[name] for name in names] == [row[name] for name in names]
            assert (row["lower"] is None) == (row["value"] is None)


def test_groups_are_compared_but_for_clusters_which_are_each_systems_own():
    rows = records("tags", "--by", "tag", "--compare", systems=("a", "b"))
    assert {row["measure"] for row in rows} >= {"one-to-one: N", "many-to-one: V"}
    assert "no measure in common" in scored("tags", "--by", "cluster", "--compare", systems=("a", "b"), code=2).output


def test_what_a_division_needs_is_said():
    assert "--training" in scored("tags", "--by", "seen", code=2).output
    assert "--training" in scored("inflections", "--by", "frequency", code=2).output
    Path("only.txt").write_text("".join(f"{tag}\n" for _, tag in words_with_tags("gold.txt")), "utf-8")
    assert "has no words" in run(["tags", "only.txt", "only.txt", "--by", "frequency"], 2).output


def test_floors_of_brackets_by_hand(tmp_path):
    (tmp_path / "one.mrg").write_text("(TOP (S (NP (NN hens)) (VP (VBP eat) (NP (NN corn))) (. .)))\n", "utf-8")
    result = run(["brackets", "one.mrg", "one.mrg", "--references", "--unlabelled-brackets", "--format", "json",
                  "--resamples", "5"])  # fmt: skip
    rows = {(row["system"], row["measure"]): row["value"] for row in json.loads(result.stdout)}
    assert rows["right branching", "bracketed recall"] == 2 / 4  # S, and eat corn
    assert rows["left branching", "bracketed recall"] == 1 / 4
    assert rows["flat", "bracketed recall"] == 1 / 4
    assert rows["right branching", "bracketed precision"] == 1.0
    assert rows["left branching", "no crossing"] == 0.0
    assert rows["right branching", "tagging accuracy"] == 1.0


def test_ceiling_and_floor_of_categories_by_hand():
    rows = records("ccg", "--references")
    found = {row["system"]: row["value"] for row in rows if row["evaluation"] == "lexical categories"}
    assert (found["one category per type"], found["most frequent category"]) == (1.0, 0.5)
    own = next(row for row in rows if row["system"] == "a.auto")
    assert own["value"] == with_intervals(score_ccg("gold.auto", ["a.auto"]), IntervalOptions(shown=False))[0]["value"]


def test_sign_flips_are_the_test_where_they_can_be():
    rows = records("trees", "--compare", "--test", "sign flips", systems=("a", "b"))
    assert {row["test"] for row in rows} == {"sign flips"}
    assert {row["test"] for row in records("trees", "--compare", systems=("a", "b"))} == {"bootstrap"}
    assert "leave out --test" in scored("inflections", "--compare", "--test", "sign flips", systems="ab", code=2).output
    assert "add --compare" in scored("trees", "--test", "bootstrap", code=2).output
    assert {row["test"] for row in records("trees", "--test", "sign flips", systems="ab")} == {None, "sign flips"}


def test_the_confusion_is_drawn_as_a_heat_map():
    scored("tags", "--list", "confusion", "--plot", "confusion.svg")
    drawn = Path("confusion.svg").read_text(encoding="utf-8")
    assert "read as" in drawn and "share of the gold class" in drawn and "Confusion of gold tags" in drawn
    scored("tags", "--list", "confusion", "--plot", "confusion.svg", systems="ab", code=2)


def test_lists_are_of_what_costs_most_and_of_confusion():
    gold, mine = words_with_tags("gold.txt"), words_with_tags("a.txt")
    errors = Counter(
        (word, tag, cluster[1:]) for (word, tag), (_, cluster) in zip(gold, mine, strict=True) if cluster != f"c{tag}"
    )
    rows = records("tags", "--list", "costliest", "--most", "5")
    assert [row["wrong"] for row in rows] == [count for _, count in errors.most_common(5)]
    assert all(errors[row["form"], row["gold"], row["read_as"]] == row["wrong"] for row in rows)
    cells = Counter((tag, cluster[1:]) for (_, tag), (_, cluster) in zip(gold, mine, strict=True))
    found = records("tags", "--list", "confusion")
    assert {(row["gold"], row["read as"]): row["numerator"] for row in found} == cells
    assert records("trees", "--list", "costliest")[0]["wrong"] > 0
    assert len(records("inflections", "--list", "costliest", "--most", "3")) == 3
    assert "there is costliest" in scored("trees", "--list", "confusion", code=2).output
    assert "--plot draws scores" in scored("tags", "--list", "costliest", "--plot", "a.svg", code=2).output
    for option in ("--compare", "--references"):
        assert "takes the place" in scored("tags", "--list", "costliest", option, systems="ab", code=2).output


@pytest.mark.parametrize(
    ("subject", "options", "message"),
    [
        ("tags", ("--most", "3"), "--most is the number of rows of --list costliest"),
        ("tags", ("--list", "confusion", "--most", "3"), "--most is the number of rows of --list costliest"),
        ("tags", ("--training", "words.txt"), "--training is read for --by seen and --by frequency"),
        ("trees", ("--training", "words.txt", "--by", "tag"), "--training is read for --by seen and --by frequency"),
        ("inflections", ("--by", "letters", "--language", "English"), "--language classes wrong forms"),
        ("tags", ("--by", "relation"), "--by is 'relation'"),
        ("tags", ("--list", "confusion", "--resamples", "30"), "leave out --resamples"),
        ("types", ("--list", "costliest", "--seed", "1"), "leave out --seed"),
        ("trees", ("--list", "costliest", "--confidence", "0.9"), "leave out --confidence"),
        ("tags", ("--list", "costliest", "--no-intervals"), "leave out --no-intervals"),
        ("inflections", ("--list", "costliest", "--by", "letters"), "leave out --by"),
    ],
)
def test_an_option_without_effect_is_refused(subject, options, message):
    assert message in scored(subject, *options, code=2).output


def test_word_types_by_frequency_lists_and_confusion_are_counted_again():
    gold, mine = words_with_tags("gold.txt"), words_with_tags("a.txt")
    tokens = Counter(word for word, _ in gold)
    classes, read = defaultdict(set), defaultdict(set)
    for (word, tag), (_, cluster) in zip(gold, mine, strict=True):
        classes[word].add(tag)
        read[word].add(cluster[1:])  # clusters are named after the classes that they are read as
    matches = {word: len(classes[word] & read[word]) for word in tokens}
    entries = {word: len(classes[word]) + len(read[word]) for word in tokens}
    found = divided("types", "frequency")
    for name in {band(count, (1, 5, 20, 100)) for count in tokens.values()}:
        own = [word for word in tokens if band(tokens[word], (1, 5, 20, 100)) == name]
        counts = (sum(2 * matches[word] for word in own), sum(entries[word] for word in own))
        assert found[name, "", "MacroI (one-to-one)"] == counts
        micro = found[name, "", "MicroI (one-to-one)"]
        assert micro == (pytest.approx(sum(2 * matches[word] / entries[word] for word in own)), len(own))
    rows = records("types", "--list", "costliest")
    assert {row["form"]: row["wrong"] for row in rows} == {
        word: entries[word] - 2 * matches[word] for word in tokens if entries[word] > 2 * matches[word]
    }
    pairs = Counter((tag, other) for word in tokens for tag in classes[word] for other in read[word])
    cells = {(row["gold"], row["read as"]): row["numerator"] for row in records("types", "--list", "confusion")}
    assert cells == pairs


def test_a_difference_of_runs_says_how_many():
    def run(name, right):
        counts = np.array(right)[:, None]
        return Run(name, [], ["UAS"], ScoredRatios("trees", (Measure("UAS"),), counts, np.full_like(counts, 4)))

    found = compare_runs({"a": [run("a", [1, 2, 3])], "b": [run("b", [1, 2, 3]), run("b", [2, 2, 4])]})
    assert "|runs:2|" in found.differences[0]["signature"]


def test_confusions_of_one_size_are_in_the_order_of_their_names(tmp_path):
    (tmp_path / "gold.txt").write_text("the\tV\na\tV\nto\tV\ndog\tA\nhen\tA\n\n")
    (tmp_path / "mine.txt").write_text("the\t1\na\t1\nto\t3\ndog\t2\nhen\t2\n\n")
    (run,) = score_tags(tmp_path / "gold.txt", [tmp_path / "mine.txt"])
    assert run.lists["confusion"]()[["gold", "read as"]].values.tolist()[:2] == [["A", "A"], ["V", "V"]]


def test_tokens_without_a_cluster_count_in_groups_as_in_the_whole(tmp_path):
    (tmp_path / "gold.txt").write_text("the\tD\ndog\tN\ncat\tN\n\n")
    (tmp_path / "mine.txt").write_text("the\t1\ndog\t\ncat\t\n\n")
    for unlabelled, value in (("wrong", 0), ("one cluster", 1)):
        (run,) = score_tags(tmp_path / "gold.txt", [tmp_path / "mine.txt"], by="tag", unlabelled=unlabelled)
        assert [r["value"] for r in run.records if r["tag"] == "N"] == [value, value]


def test_of_two_equally_wrong_types_the_more_frequent_comes_first():
    gold = pd.DataFrame({"form": ["a", "a", "b", "b", "c"], "cluster": ["N", "V", "N", "V", "N"]})
    found = scored_types(gold, pd.DataFrame({"form": ["a", "b", "c"], "cluster": 1}))
    assert costliest_types(found, pd.DataFrame({"form": ["a", "b", "b", "c"]}))["form"].tolist() == ["b", "a"]
