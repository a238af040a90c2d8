"""Which rule made a node, and which daughter heads it."""

import pytest

from analysis.corpora.language import generate
from analysis.structures.ccg_rules import binary_rule, conjunct, head_daughter, unary_rule

VP, ADV, PRE = r"S[dcl]\NP", r"(S\NP)\(S\NP)", r"(S\NP)/(S\NP)"

# parent, left, right, rule, head daughter
NODES = [
    ("S[dcl]", "NP", VP, "<", 1),
    ("NP", "NP[nb]/N", "N", ">", 1),
    ("N", "N/N", "N", ">", 1),
    ("NP", "NP", r"NP\NP", "<", 0),
    (VP, VP, ADV, "<", 0),
    (VP, PRE, VP, ">", 1),
    (r"S[dcl]\NP", r"(S[dcl]\NP)/(S[b]\NP)", r"S[b]\NP", ">", 0),
    (r"S[b]\NP", r"(S[b]\NP)/(S[b]\NP)", r"S[b]\NP", ">", 0),
    (r"S[adj]\NP", r"(S[adj]\NP)/(S[adj]\NP)", r"S[adj]\NP", ">", 1),
    ("S[dcl]", "S[dcl]/S[dcl]", "S[dcl]", ">", 0),
    ("S[dcl]", "S/S", "S[dcl]", ">", 1),
    ("S[dcl]", r"S/(S\NP)", VP, ">", 1),
    ("S[dcl]/NP", r"S/(S\NP)", r"(S[dcl]\NP)/NP", ">B", 1),
    (r"(S[dcl]\NP)/NP", r"(S[dcl]\NP)/(S[pt]\NP)", r"(S[pt]\NP)/NP", ">B", 0),
    (r"(S[dcl]\NP)/NP", r"(S[dcl]\NP)/NP", ADV, "<Bx", 0),
    (r"((S[dcl]\NP)/PP)/NP", r"((S[dcl]\NP)/PP)/NP", ADV, "<Bx2", 0),
    (r"S[dcl]\NP", "S/S", VP, ">Bx", 1),
    (r"(S[dcl]/NP)/PP", r"S/(S\NP)", r"((S[dcl]\NP)/NP)/PP", ">B2", 1),
    (r"S\S", r"NP\S", r"S\NP", "<B", 1),
    ("NP[conj]", "conj", "NP", "conj", 1),
    (r"NP\NP", "conj", "NP", "conj", 1),
    (r"NP\NP", ",", "NP", "conj", 1),
    (r"(S[dcl]\NP)\(S[dcl]\NP)", "conj", VP, "conj", 1),
    ("NP", "NP", "NP[conj]", "coord", 0),
    (VP, VP, r"S[dcl]\NP[conj]", "coord", 0),
    ("S[dcl]", "S[dcl]", ".", "punct", 0),
    ("NP", ",", "NP", "punct", 1),
    ("NP[conj]", ",", "NP[conj]", "punct", 1),
    (",", ",", ",", "punct", 0),
    ("N", "conj", "N", "punct", 1),
    (ADV, ",", "NP", "punct unary", 1),
    ("S/S", "S[dcl]", ",", "punct unary", 0),
    ("PP", "NP", "NP", "unknown", 0),
    ("NP", "PP", "NP", "unknown", 1),
]


@pytest.mark.parametrize(("parent", "left", "right", "name", "head"), NODES)
def test_the_rule_and_the_head_are_read_off_the_categories(parent, left, right, name, head):
    assert binary_rule(parent, left, right).name == name
    assert head_daughter(parent, left, right) == head


@pytest.mark.parametrize(
    ("parent", "child", "name"),
    [
        (r"S/(S\NP)", "NP", ">T"),
        (r"(S\NP)\((S\NP)/NP)", "NP", "<T"),
        ("NP", "N", "unary"),
        (r"NP\NP", r"S[pss]\NP", "unary"),
        (r"S/(S\NP)", "PP", "unary"),
    ],
)
def test_type_raising_is_told_from_other_unary_rules(parent, child, name):
    assert unary_rule(parent, child).name == name


@pytest.mark.parametrize("x", ["N", "NP", "S[dcl]", VP, r"(S[b]\NP)/NP", ADV])
def test_a_conjunct_is_x_conj_whatever_x_is_and_leaves_the_head_to_the_left(x):
    pair, marked = (f"({x})\\({x})", f"{x}[conj]")
    assert conjunct(pair, "conj", x) == conjunct(marked, "conj", x) == marked
    assert head_daughter(x, x, conjunct(pair, "conj", x)) == 0


def test_a_modifier_is_no_conjunct():
    assert conjunct(r"NP\NP", r"(NP\NP)/NP", "NP") == r"NP\NP"
    assert conjunct(r"NP\NP", "conj", "N") == r"NP\NP"


def test_rules_and_heads_of_the_built_in_language_are_found_without_being_told():
    nodes = generate(400, random_state=8).nodes
    nodes = nodes.astype({"category": "str", "rule": "str"})
    for _, part in nodes.groupby("sentence"):
        rows = part.to_dict("records")
        for row in rows:
            below = [other["category"] for other in rows if other["parent"] == row["node"]]
            if len(below) == 2:
                assert binary_rule(row["category"], *below).name == row["rule"]
                assert head_daughter(row["category"], *below) == row["head_daughter"], (row, below)
            elif below:
                assert unary_rule(row["category"], *below).name == row["rule"]
