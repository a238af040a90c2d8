"""Ceilings, floors and random systems beside scores: ``evaluate ... --references``."""

import csv
import io

import numpy as np
import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.statistics.references import fixed_rows, random_rows
from analysis.statistics.scored import Measure, ScoredRatios, estimates

GOLD = "the\tD\ndog\tN\nbarks\tV\n\nthe\tD\nbarks\tN\nbarks\tN\n\n"
MINE = "the\t1\ndog\t2\nbarks\t2\n\nthe\t1\nbarks\t2\nbarks\t3\n\n"
TREES = "".join(
    f"{number}\t{form}\t_\tX\t_\t_\t{head}\t_\t_\t_\n" for number, form, head in ((1, "a", 2), (2, "b", 0), (3, "c", 2))
) + "\n"  # fmt: skip
FORMS = "sing\tsang\tV;PST\nlook\tlooked\tV;PST\nput\tput\tV;PST\n"


def run(tmp_path, subject, gold, systems, *options):
    paths = []
    for number, text in enumerate((gold, *systems)):
        paths.append(tmp_path / f"{number}.txt")
        paths[-1].write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["evaluate", subject, *map(str, paths), "--references", *options])


def scored(tmp_path, subject, gold, systems):
    done = run(tmp_path, subject, gold, systems, "--format", "csv")
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    found = {(row["system"].replace(f"{tmp_path}/", ""), row["measure"]): row for row in rows}
    assert len(found) == len(rows), "what is the same for all systems comes once"
    return found


def test_ceiling_and_floors_of_word_classes_by_hand(tmp_path):
    rows = scored(tmp_path, "tags", GOLD, [MINE])
    assert float(rows["one tag per type", "many-to-one"]["value"]) == pytest.approx(5 / 6)  # barks is N, but once V
    assert float(rows["most frequent tag", "many-to-one"]["value"]) == 0.5
    assert rows["one tag per type", "V"]["conventions"] == "ceiling of clusterings with one cluster per word type"
    beside = {name for name, _ in rows} - {"1.txt"}
    assert beside == {"one tag per type", "most frequent tag", "random, sizes of 1.txt", "random, gold sizes"}
    assert all(row["signature"] == "" and row["n"] == "" for (name, _), row in rows.items() if name in beside)


def test_random_clusterings_have_the_sizes_of_each_system(tmp_path):
    one_cluster = MINE.replace("\t2", "\t1").replace("\t3", "\t1")
    rows = scored(tmp_path, "tags", GOLD, [MINE, one_cluster])
    assert float(rows["2.txt", "V"]["value"]) == float(rows["random, sizes of 2.txt", "V"]["value"]) == 0
    assert float(rows["random, sizes of 1.txt", "V"]["value"]) > 0


def test_branching_and_random_trees_stand_beside_trees(tmp_path):
    rows = scored(tmp_path, "trees", TREES, [TREES])
    assert float(rows["left branching", "directed"]["value"]) == pytest.approx(1 / 3)  # a under b; b and c are wrong
    assert float(rows["right branching", "directed"]["value"]) == pytest.approx(1 / 3)  # c under b
    assert 0 < float(rows["random trees", "directed"]["value"]) < 1


def test_the_unchanged_lemma_and_one_form_per_item_stand_beside_inflections(tmp_path):
    rows = scored(tmp_path, "inflections", FORMS, [FORMS])
    assert float(rows["copy", "accuracy"]["value"]) == pytest.approx(1 / 3)
    assert float(rows["one form per item", "accuracy"]["value"]) == 1


def test_they_are_scores_of_their_subjects_and_no_differences(tmp_path):
    done = run(tmp_path, "tags", GOLD, [MINE, GOLD], "--compare")
    assert done.exit_code == 2 and "leave out --compare" in done.output
    done = run(tmp_path, "trees", TREES, [TREES], "--by", "length")
    assert done.exit_code == 2 and "of groups there is none" in done.output


def test_one_tag_per_type_and_random_lexicons_stand_beside_types(tmp_path):
    rows = scored(tmp_path, "types", "a\tN\na\tV\nb\tV\nc\tN\n", ["a\t1\nb\t2\nc\t1\n"])
    ceiling = float(rows["one tag per type", "MacroI (one-to-one)"]["value"])
    assert ceiling == pytest.approx(6 / 7)  # every type has one right class of the one that it is given
    assert rows["one tag per type", "MacroI (one-to-one)"]["conventions"].startswith("ceiling")
    assert float(rows["one cluster", "MacroI (one-to-one)"]["value"]) == pytest.approx(4 / 7)
    for kind in ("random, sizes of 1.txt", "random, gold sizes"):
        assert 0 < float(rows[kind, "MicroI (many-to-one)"]["value"]) <= 1


def test_the_interval_of_a_random_system_is_said_to_be_of_its_runs(tmp_path):
    rows = scored(tmp_path, "tags", GOLD, [MINE])
    assert rows["random, gold sizes", "V"]["conventions"] == "floor; sizes in tokens; interval: 95% of 20 runs"


@pytest.mark.parametrize("kind", ["latex", "html"])
def test_what_has_no_signature_leaves_no_empty_line(tmp_path, kind):
    done = run(tmp_path, "trees", TREES, [TREES], "--format", kind)
    assert "right branching" in done.output and "trees/ned|" in done.output
    assert "<code></code>" not in done.output and "% \n" not in done.output


def test_references_have_the_confidence_asked_for():
    one = ScoredRatios("trees", (Measure("UAS"),), np.arange(40)[:, None] % 4, np.full((40, 1), 4))
    (row,) = fixed_rows({"left": (one, "floor")}, confidence=0.5)
    (found,) = estimates(one, confidence=0.5)
    assert (row.lower, row.upper) == (found.lower, found.upper)


def test_random_references_have_the_confidence_asked_for():
    runs = [ScoredRatios("trees", (Measure("UAS"),), np.array([[k]]), np.array([[4]])) for k in range(5)]
    (row,) = random_rows("random", "floor", runs, confidence=0.5)
    assert (row.lower, row.upper) == (0.25, 0.75) and "50% of 5 runs" in row.note
