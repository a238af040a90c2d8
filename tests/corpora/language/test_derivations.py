"""Every derivation is CCG, every tree a projective tree: checked from the tables alone, by rules written here."""

import re

import numpy as np
import pandas as pd
import pytest

from analysis.corpora.language import generate

pytestmark = pytest.mark.thorough

ATOM = re.compile(r"[A-Za-z]+(\[[a-z]+\])?")


def split(category):
    """Result, slash and argument of a category; None of an atom. Reads the outermost slash by counting brackets."""
    depth = 0
    for place in range(len(category) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(category[place], 0)
        if depth == 0 and category[place] in "/\\":
            return bare(category[:place]), category[place], bare(category[place + 1 :])
    return None


def bare(category):
    return category[1:-1] if category.startswith("(") and split(category) is None else category


def match(pattern, category, feature):
    """Whether the category fills the pattern; feature[0] becomes what a bare S of the pattern stands for."""
    one, other = split(pattern), split(category)
    if one is None or other is None:
        if one is not None or other is not None:
            return False
        if pattern == category or re.sub(r"\[\w+\]", "", category) == pattern == "NP":
            return True
        if pattern == "S" and category.startswith("S["):
            if feature[0] not in ("", category[1:]):
                return False
            feature[0] = category[1:]
            return True
        return False
    return one[1] == other[1] and match(one[0], other[0], feature) and match(one[2], other[2], feature)


def bind(category, feature):
    return re.sub(r"S(?![\[A-Za-z])", "S" + feature, category)


def join(result, slash, argument):
    return (
        "".join([f"({part})" if split(part) else part for part in (result,)])
        + slash
        + (f"({argument})" if split(argument) else argument)
    )


def results(rule, children):
    """The categories that a rule gives; empty if it does not apply."""
    feature = [""]
    if rule == "unary":
        (child,) = children
        if child == "N":
            return {"NP"}
        parts = split(child)
        clause = parts and parts[2] == "NP" and parts[0] in ("S[ng]", "S[pss]", "S[to]", "S[dcl]")
        if not clause or (parts[0] == "S[dcl]") != (parts[1] == "/"):
            return set()
        return {r"NP\NP"} if parts[0] in ("S[dcl]", "S[pss]") else {r"NP\NP", r"(S\NP)\(S\NP)"}
    if rule == ">T":
        return {r"S/(S\NP)"} if children == ("NP",) else set()
    left, right = children
    if rule == "conj":
        return {right + "[conj]"} if left == "conj" else set()
    if rule == "coord":
        return {left} if right == left + "[conj]" else set()
    if left.endswith("[conj]") or right.endswith("[conj]"):
        return set()
    primary, secondary, slash = (left, right, "/") if rule in (">", ">B") else (right, left, "\\")
    parts = split(primary)
    if parts is None or parts[1] != slash:
        return set()
    if rule in (">", "<"):
        return {bind(parts[0], feature[0])} if match(parts[2], secondary, feature) else set()
    inner = split(secondary)
    if inner is None or inner[1] != "/" or not match(parts[2], inner[0], feature):
        return set()
    return {join(bind(parts[0], feature[0]), "/", inner[2])}


@pytest.fixture(scope="module")
def drawn():
    return generate(20_000, random_state=17)


@pytest.fixture(scope="module")
def nodes(drawn):
    """Nodes with the categories of their daughters."""
    table = drawn.nodes.astype({"category": "str", "rule": "str"})
    table["place"] = table.groupby(["sentence", "parent"]).cumcount()
    daughters = table[table["parent"] >= 0]
    for place, name in ((0, "left"), (1, "right")):
        chosen = daughters[daughters["place"] == place][["sentence", "parent", "category", "start", "end"]]
        chosen = chosen.set_axis(["sentence", "node", name, f"{name}_start", f"{name}_end"], axis=1)
        table = table.merge(chosen, on=["sentence", "node"], how="left")
    return table


def test_the_checker_itself_refuses_what_is_no_ccg():
    assert results(">", (r"(S[dcl]\NP)/NP", "NP")) == {r"S[dcl]\NP"}
    assert results("<", (r"S[ng]\NP", r"(S\NP)\(S\NP)")) == {r"S[ng]\NP"}
    assert results("<Bx", (r"(S[dcl]\NP)/(S[b]\NP)", r"(S\NP)\(S\NP)")) == {r"(S[dcl]\NP)/(S[b]\NP)"}
    assert results(">", ("NP/N", "NP")) == set()
    assert results(">", (r"(S[dcl]\NP)/(S[b]\NP)", r"S[dcl]\NP")) == set()
    assert results("<", ("NP[thr]", r"S[dcl]\NP")) == {"S[dcl]"}
    assert results("<", ("NP", r"S[dcl]\NP[thr]")) == set()
    assert results("unary", (r"S[b]\NP",)) == set()
    assert results("coord", ("NP", "N[conj]")) == set()


def test_every_step_of_every_derivation_is_ccg(nodes):
    inner = nodes[nodes["rule"] != "lex"]
    steps = inner.groupby(["rule", "category", "left", "right"], dropna=False).size().reset_index()
    assert len(steps) > 200
    for step in steps.itertuples():
        children = (step.left,) if pd.isna(step.right) else (step.left, step.right)
        assert step.category in results(step.rule, children), step
    leaves = nodes[nodes["rule"] == "lex"]
    assert leaves["left"].isna().all()


def test_nodes_are_numbered_in_preorder_and_cover_their_daughters(nodes, drawn):
    assert (nodes["node"] == nodes.groupby("sentence").cumcount()).all()
    roots = nodes[nodes["node"] == 0]
    assert (roots["parent"] == -1).all()
    assert (nodes.loc[nodes["node"] > 0, "parent"] >= 0).all()
    assert (nodes["parent"] < nodes["node"]).all()
    lengths = drawn.tokens.groupby("sentence").size()
    assert (roots["start"] == 0).all()
    assert (roots.set_index("sentence")["end"] == lengths).all()
    leaves = nodes[nodes["rule"] == "lex"]
    assert (leaves["end"] == leaves["start"] + 1).all()
    assert (leaves["start"] == leaves.groupby("sentence").cumcount()).all()
    inner = nodes[nodes["rule"] != "lex"]
    assert (inner["left_start"] == inner["start"]).all()
    last = inner["right_end"].fillna(inner["left_end"])
    assert (last == inner["end"]).all()
    binary = inner[inner["right"].notna()]
    assert (binary["left_end"] == binary["right_start"]).all()


def test_the_leaves_are_the_words(drawn):
    leaves = drawn.nodes[drawn.nodes["rule"] == "lex"]
    assert leaves["sentence"].tolist() == drawn.tokens["sentence"].tolist()
    assert (leaves["start"] + 1).tolist() == drawn.tokens["position"].tolist()
    assert leaves["category"].astype("str").tolist() == drawn.tokens["category"].astype("str").tolist()


def test_the_head_daughter_is_the_functor_unless_it_modifies_determines_or_is_raised(nodes):
    verbal = {"dcl", "b", "ng", "pt", "pss", "to", "q", "wq", "em", "qem"}

    def expected(step):
        if step.rule in ("unary", ">T"):
            return 0
        if step.rule in ("conj", "coord"):
            return 1 if step.rule == "conj" else 0
        functor, side = (step.left, 0) if step.rule in (">", ">B") else (step.right, 1)
        result, _, argument = split(functor)
        target = result
        while split(target):
            target = split(target)[0]
        feature = target[2:-1] if "[" in target else ""
        modifier = result == argument and feature not in verbal
        raised = split(argument) and split(argument)[0] == result
        return 1 - side if modifier or raised or functor == "NP/N" else side

    inner = nodes[nodes["rule"] != "lex"]
    steps = inner.groupby(["rule", "category", "left", "right", "head_daughter"], dropna=False).size().reset_index()
    for step in steps.itertuples():
        assert step.head_daughter == expected(step), step
    assert (nodes.loc[nodes["rule"] == "lex", "head_daughter"] == -1).all()


def test_dependencies_follow_the_head_daughters(nodes, drawn):
    """Each word's head by walking up: the first node whose head is another word."""
    some = nodes[nodes["sentence"] < 2_000]
    for sentence, rows in some.groupby("sentence"):
        table = rows.set_index("node")
        children = rows[rows["parent"] >= 0].groupby("parent")["node"].apply(list)
        word = {}
        for node in reversed(table.index.tolist()):
            row = table.loc[node]
            word[node] = row["end"] if row["rule"] == "lex" else word[children[node][row["head_daughter"]]]
        heads = {}
        for node in table.index[1:]:
            parent = table.loc[node, "parent"]
            if word[parent] != word[node]:
                heads[word[node]] = word[parent]
        heads[word[0]] = 0
        tokens = drawn.tokens[drawn.tokens["sentence"] == sentence]
        assert dict(zip(tokens["position"], tokens["head"], strict=True)) == heads
        if sentence > 300:
            break


def test_every_tree_has_one_root_and_no_crossing_arcs(drawn):
    tokens = drawn.tokens
    roots = tokens[tokens["head"] == 0]
    assert (roots.groupby("sentence").size() == 1).all()
    assert roots["sentence"].nunique() == tokens["sentence"].nunique()
    assert (roots["relation"] == "ROOT").all()
    assert (tokens.loc[tokens["head"] > 0, "relation"] != "ROOT").all()
    for _, rows in tokens.groupby("sentence"):
        heads = [0, *rows["head"].tolist()]
        for word in range(1, len(heads)):
            steps, above = 0, word
            while above:
                above, steps = heads[above], steps + 1
                assert steps <= len(heads)
        arcs = [tuple(sorted((word, head))) for word, head in enumerate(heads) if word and head]
        ends = np.array(arcs).reshape(-1, 2)
        left, right = ends[:, 0], ends[:, 1]
        crossing = (left[:, None] < left) & (left < right[:, None]) & (right[:, None] < right)
        assert not crossing.any()
        root = heads.index(0, 1)
        assert not ((left < root) & (root < right)).any()


def test_no_utterance_is_longer_than_the_longest(drawn):
    lengths = drawn.tokens.groupby("sentence").size()
    assert lengths.max() <= 20
    assert generate(2_000, random_state=1, longest=6).tokens.groupby("sentence").size().max() == 6


@pytest.mark.parametrize(
    ("name", "query"),
    {
        "declaratives": "node == 0 and category == 'S[dcl]'",
        "yes/no questions": "node == 0 and category == 'S[q]'",
        "wh-questions": "node == 0 and category == 'S[wq]'",
        "imperatives": r"node == 0 and category == 'S[b]\\NP'",
        "noun phrases alone": "node == 0 and category == 'NP'",
        "interjections": "node == 0 and category == 'S[intj]'",
        "auxiliaries": r"rule == 'lex' and category == '(S[dcl]\\NP)/(S[ng]\\NP)'",
        "modals and do": r"rule == 'lex' and category == '(S[dcl]\\NP)/(S[b]\\NP)'",
        "perfect": r"rule == 'lex' and category == '(S[dcl]\\NP)/(S[pt]\\NP)'",
        "negation": r"rule == '<Bx' and right == '(S\\NP)\\(S\\NP)' and left == '(S[dcl]\\NP)/(S[b]\\NP)'",
        "copula with adjective": r"rule == '>' and left == '(S[dcl]\\NP)/(S[adj]\\NP)'",
        "copula with prepositional phrase": r"rule == '>' and left == '(S[dcl]\\NP)/PP' and right == 'PP'",
        "subject control": r"rule == '>' and left == '(S[dcl]\\NP)/(S[to]\\NP)'",
        "object control": r"rule == '>' and left.str.endswith('/(S[to]\\NP))/NP')",
        "infinitives": r"rule == '>' and left == '(S[to]\\NP)/(S[b]\\NP)'",
        "subject relatives": r"rule == '>' and left == '(NP\\NP)/(S[dcl]\\NP)'",
        "object relatives": r"rule == '>' and left == '(NP\\NP)/(S[dcl]/NP)'",
        "reduced relatives": r"rule == 'unary' and category == 'NP\\NP'",
        "object questions": "rule == '>' and left == 'S[wq]/(S[q]/NP)' and right == 'S[q]/NP'",
        "type-raised subjects": "rule == '>T'",
        "coordination of noun phrases": "rule == 'coord' and category == 'NP'",
        "coordination of nouns": "rule == 'coord' and category == 'N'",
        "coordination of verb phrases": r"rule == 'coord' and category in ['S[dcl]\\NP', 'S[b]\\NP', 'S[ng]\\NP']",
        "coordination of sentences": "rule == 'coord' and category == 'S[dcl]'",
        "adverbs": r"rule == '<' and right == '(S\\NP)\\(S\\NP)'",
        "adverbs before the verb": r"rule == '>' and left == '(S\\NP)/(S\\NP)'",
        "possessives": r"rule == 'lex' and category == '(NP/N)\\NP'",
        "passives": r"rule == '>' and right == 'S[pss]\\NP'",
        "prepositional phrases at nouns": r"rule == '>' and left == '(NP\\NP)/NP'",
        "prepositional phrases at verbs": r"rule == '>' and left == '((S\\NP)\\(S\\NP))/NP'",
        "sentences as complements": r"rule == '>' and left == '(S[dcl]\\NP)/S[dcl]'",
        "indirect questions": "category == 'S[qem]'",
        "two objects": r"rule == 'lex' and category.str.endswith('\\NP)/NP)/NP')",
    }.items(),
)
def test_every_construction_is_found_at_least_a_hundred_times_in_twenty_thousand(nodes, name, query):
    assert len(nodes.query(query)) >= 100, name


def test_both_copulas_and_noun_phrases_are_found(drawn):
    tokens = drawn.tokens
    cop = tokens[(tokens["fine"] == "v:cop") & (tokens["category"] == r"(S[dcl]\NP)/NP")]
    assert len(cop) >= 100
    genitives = tokens[tokens["fine"] == "pro:poss:det"]
    assert len(genitives) >= 100
