"""``evaluate trees`` on files made by hand."""

import io
import json

import pandas as pd
import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.evaluation import score_trees
from analysis.evaluation.trees import evaluate_trees
from analysis.structures import DataError

WORDS = ["look", "at", "it", "!"]
TAGS = ["VERB", "ADP", "PRON", "PUNCT"]
RELATIONS = ["root", "case", "obj", "punct"]
GOLD = [0, 1, 2, 1]
PREDICTED = [4, 3, 1, 0]  # look -> ! -> ROOT; at -> it (reversed); it -> look (grandparent)


def conllu(heads, tags=TAGS):
    rows = zip(WORDS, tags, heads, RELATIONS, strict=True)
    return "".join(f"{i}\t{w}\t_\t{t}\t_\t_\t{h}\t{r}\t_\t_\n" for i, (w, t, h, r) in enumerate(rows, 1)) + "\n"


@pytest.fixture
def files(tmp_path):
    nine = "".join(f"{i}\t{w}\t_\tX\tX\t{t}\t_\t{h}\t_\n" for i, (w, t, h) in
                   enumerate(zip(WORDS, TAGS, PREDICTED, strict=True), 1))  # fmt: skip
    content = {
        "gold.conllu": conllu(GOLD),
        "mine.conllu": conllu(PREDICTED),
        "mine.conllx": conllu(PREDICTED, ["v", "p", "n", "z"]),
        "mine.nine": nine + "\n",
        "mine.dp": "".join(f"{w}\t{t}\t{h}\n" for w, t, h in zip(WORDS, TAGS, PREDICTED, strict=True)) + "\n",
        "other.conllu": conllu(GOLD).replace("look", "see"),
        "two.txt": "look\tVERB\n",
    }
    for name, text in content.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main, ["evaluate", "trees", *map(str, arguments)])


@pytest.mark.parametrize("name", ["mine.conllu", "mine.conllx", "mine.nine", "mine.dp"])
def test_every_format_is_recognised_and_gives_the_same_counts(files, name):
    table = evaluate_trees(files / "gold.conllu", [files / name], punctuation=False)
    labelled = ["UAS", "LAS"] if name in ("mine.conllu", "mine.conllx") else []
    assert table["measure"].tolist() == ["directed", "undirected", "NED", *labelled]
    assert table["numerator"].tolist()[:3] == [1, 2, 3] and set(table["denominator"]) == {3}


def test_punctuation_root_edges_and_a_cut_off_are_options_and_are_stated(files):
    gold, mine = files / "gold.conllu", [files / "mine.conllu"]
    kept = evaluate_trees(gold, mine, punctuation=True)
    assert kept["numerator"].tolist()[:3] == [0, 2, 4] and kept["denominator"].iloc[0] == 4
    assert kept["conventions"].str.contains("punctuation=kept").all()
    assert evaluate_trees(gold, mine, root_edges=False, punctuation=False)["denominator"].iloc[0] == 2
    short = evaluate_trees(gold, mine, max_length=3, punctuation=False)
    assert short["denominator"].iloc[0] == 0 and short["value"].isna().all()
    assert short["conventions"].str.contains("3 with punctuation").all()


def test_by_relation_and_by_length_give_one_record_a_measure_and_part(files):
    gold, mine = files / "gold.conllu", [files / "mine.conllu"]
    relation = (
        evaluate_trees(gold, mine, by="relation", punctuation=False).query("measure == 'NED'").set_index("relation")
    )
    assert relation["numerator"].to_dict() == {"ROOT": 1, "OBJ": 1}
    every = evaluate_trees(gold, mine, by="relation", scheme=None, punctuation=False).query("measure == 'directed'")
    assert set(every["relation"]) == {"ROOT", "case", "obj"}
    length = evaluate_trees(gold, mine, by="length", punctuation=False).query("measure == 'NED'").set_index("length")
    assert length.loc[1, ["numerator", "denominator"]].tolist() == [2, 2] and length.loc[2, "denominator"] == 0


def test_the_command_prints_a_table_csv_and_json_of_the_same_numbers(files):
    arguments = (files / "gold.conllu", files / "mine.conllu", files / "gold.conllu")
    arguments += ("--no-punctuation",)
    table = run(*arguments)
    assert table.exit_code == 0 and "NED" in table.output and "punctuation=removed" in table.output
    read = pd.read_csv(io.StringIO(run(*arguments, "--format", "csv").output))
    records = json.loads(run(*arguments, "--format", "json").output)
    assert read["value"].tolist() == pytest.approx([1 / 3, 2 / 3, 1, 1 / 3, 1 / 3, *[1] * 5])
    assert [record["numerator"] for record in records] == read["numerator"].tolist()
    expected = {"system", "measure", "value", "unit", "numerator", "denominator", "conventions", "incidents"}
    assert set(records[0]) > expected | {"lower", "upper", "signature", "difference", "p_holm", "baseline"}
    alone = json.loads(run(*arguments, "--format", "json", "--no-compare").output)
    assert set(alone[0]) == expected | {"lower", "upper", "signature"}


def test_other_words_no_file_and_no_trees_are_one_message(files):
    gold = files / "gold.conllu"
    for name, message in (("other.conllu", "see"), ("nothing", "there is no file"), ("two.txt", "no line is one of")):
        result = run(gold, files / name)
        assert result.exit_code == 2 and message in result.output and "Traceback" not in result.output
    with pytest.raises(DataError, match="no relations"):
        evaluate_trees(files / "mine.dp", [files / "mine.dp"], by="relation", punctuation=False)
    with pytest.raises(ValueError, match="by is 'colour'"):
        evaluate_trees(gold, [gold], by="colour", punctuation=False)
    with pytest.raises(ValueError, match="format is 'xml'"):
        evaluate_trees(gold, [gold], gold_format="xml", punctuation=False)


def test_ill_formed_predictions_are_counted_and_refused_when_strict(files):
    (files / "cycle.conllu").write_text(conllu([2, 1, 2, 1]), encoding="utf-8")
    table = evaluate_trees(files / "gold.conllu", [files / "cycle.conllu"], punctuation=False)
    assert table["conventions"].str.contains("1 predicted sentences: cycle").all()
    assert run(files / "gold.conllu", files / "cycle.conllu", "--strict").exit_code == 2


def test_attachment_is_counted_as_the_tools_of_universal_dependencies_do(tmp_path):
    gold = conllu(GOLD).replace("\tobj\t", "\tobl:arg\t")
    mine = conllu([0, 1, 1, 1]).replace("case", "mark").replace("\tobj\t", "\tobl\t")
    files = {"gold.conllu": gold + conllu(GOLD), "mine.conllu": mine + conllu(GOLD), "same.conllu": gold + conllu(GOLD)}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [tmp_path / name for name in files]
    rows = {row["measure"]: row for row in json.loads(run(*paths[:2], "--format", "json").stdout)}
    assert (rows["UAS"]["numerator"], rows["LAS"]["numerator"], rows["LAS"]["denominator"]) == (7, 6, 8)
    assert rows["LAS"]["lower"] < rows["LAS"]["value"] < rows["LAS"]["upper"]
    assert "|relations:subtypes cut|gold-relations:" in rows["LAS"]["signature"]
    assert "relations" not in rows["directed"]["signature"] + rows["UAS"]["signature"]
    found = {row["measure"]: row for row in json.loads(run(*paths, "--compare", "--format", "json").stdout)}
    assert found["LAS"]["difference"] == 0.25 and found["UAS"]["difference"] == 0.125
    again = CliRunner().invoke(main, ["evaluate", "signature", rows["LAS"]["signature"], *map(str, paths[:2])])
    assert again.exit_code == 0 and "0.7500" in again.output
    (tmp_path / "other.conllu").write_text(files["gold.conllu"].replace("obl:arg", "nmod"), encoding="utf-8")
    other = ["evaluate", "signature", rows["LAS"]["signature"], str(tmp_path / "other.conllu"), str(paths[1])]
    assert "cannot be measured in the way of the signature" in CliRunner().invoke(main, other).stderr


def test_a_system_without_relations_is_compared_by_what_both_have(files):
    rows = json.loads(run(files / "gold.conllu", files / "mine.conllu", files / "mine.nine", "--compare", "--format",
                          "json").stdout)  # fmt: skip
    assert [row["measure"] for row in rows] == ["directed", "undirected", "NED"]


def test_a_head_in_a_system_that_lacks_a_sentence_is_wrong_in_las_too(tmp_path):
    (tmp_path / "gold.conllu").write_text(conllu(GOLD) * 2, encoding="utf-8")
    (tmp_path / "mine.conllu").write_text(conllu(GOLD), encoding="utf-8")
    table = evaluate_trees(tmp_path / "gold.conllu", [tmp_path / "mine.conllu"]).set_index("measure")
    assert table.loc["LAS", ["numerator", "denominator"]].tolist() == [4, 8]


def test_an_error_of_two_texts_names_both_files(tmp_path):
    line = "1\t{}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    files = [tmp_path / name for name in ("gold.conllu", "mine.conllu")]
    for file, word in zip(files, "AB", strict=True):
        file.write_text(line.format(word), encoding="utf-8")
    with pytest.raises(DataError) as told:
        score_trees(files[0], files)
    assert all(str(file) in str(told.value) for file in files)
