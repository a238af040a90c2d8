import re

import pandas as pd
import pytest

from analysis.corpora import read_chat
from analysis.corpora.language import generate, generate_blocks, to_auto, to_chat


@pytest.fixture(scope="module")
def drawn():
    return generate(3_000, random_state=21)


def test_chat_is_read_back_by_the_projects_reader(drawn, tmp_path):
    path = tmp_path / "nursery.cha"
    assert to_chat(drawn, path) == 3_000
    tokens = read_chat(path)
    for column in ("sentence", "position", "form", "lemma", "fine"):
        assert tokens[column].astype("str").tolist() == drawn.tokens[column].astype("str").tolist(), column
    assert set(tokens["role"].astype("str")) == {"Mother"}


def test_chat_says_that_it_is_generated_and_marks_questions(drawn, tmp_path):
    path = tmp_path / "nursery.cha"
    to_chat(drawn.tokens, path)
    text = path.read_text(encoding="utf-8")
    assert "@Comment:\tgenerated" in text
    roots = drawn.nodes[drawn.nodes["parent"] == -1]
    questions = roots["category"].astype("str").isin(["S[q]", "S[wq]"]).tolist()
    lines = [line for line in text.splitlines() if line.startswith("*MOT:")]
    assert [line.endswith(" ?") for line in lines] == questions


def read_auto(line):
    """Nodes in preorder (category, head, daughters) and leaves (category, tag, word), by a stack of open brackets."""
    nodes, leaves, stack = [], [], []
    for piece in re.findall(r"\(<[^>]*>|\)", line):
        if piece == ")":
            opened = stack.pop()
            if stack and nodes:
                nodes[stack[-1]][3] += 1
            if opened is not None:
                assert nodes[opened][2] in (None, nodes[opened][3])
            continue
        fields = piece[2:-1].split(" ")
        if fields[0] == "T":
            nodes.append([fields[1], int(fields[2]), int(fields[3]), 0])
        else:
            assert len(fields) == 6
            leaves.append((fields[5], fields[2], fields[4]))
            nodes.append([fields[1], -1, None, 0])
        stack.append(len(nodes) - 1)
    assert not stack
    return nodes, leaves


def test_auto_holds_every_node_and_word(drawn, tmp_path):
    path = tmp_path / "nursery.auto"
    assert to_auto(drawn, path) == 3_000
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[::2] == [f"ID=nursery.{number} PARSER=NURSERY NUMPARSE=1" for number in range(3_000)]
    words, categories, heads = [], [], []
    for line in lines[1::2]:
        nodes, leaves = read_auto(line)
        categories += [node[0] for node in nodes]
        heads += [node[1] for node in nodes]
        words += leaves
    assert categories == drawn.nodes["category"].astype("str").tolist()
    assert heads == drawn.nodes["head_daughter"].tolist()
    tokens = drawn.tokens.astype({"form": "str", "fine": "str", "category": "str"})
    assert words == list(zip(tokens["category"], tokens["fine"], tokens["form"], strict=True))


def test_blocks_are_written_as_they_come(drawn, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for write in (to_auto, to_chat):
        assert write(drawn, whole) == write(generate_blocks(3_000, random_state=21), parts) == 3_000
        assert whole.read_bytes() == parts.read_bytes()


def test_tokens_without_categories_end_in_a_full_stop(tmp_path):
    tokens = pd.DataFrame({"sentence": [0, 1], "form": ["look", "no"], "lemma": ["look", "no"], "fine": ["v", "co"]})
    assert to_chat(tokens, tmp_path / "two.cha") == 2
    assert read_chat(tmp_path / "two.cha")["form"].astype("str").tolist() == ["look", "no"]
