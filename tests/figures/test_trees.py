import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.corpora import language
from analysis.figures import ccg_derivation, dependency_arcs, posterior_arcs, utterance
from analysis.figures.style import BLUE
from analysis.figures.trees import arc_levels


@given(st.lists(st.integers(0, 12), min_size=1, max_size=12))
def test_an_arc_is_higher_than_every_arc_nested_in_it(heads):
    heads = [min(head, len(heads)) for head in heads]
    heads = [0 if head == word else head for word, head in enumerate(heads, 1)]
    levels = arc_levels(heads)
    assert set(levels) == {word for word, head in enumerate(heads, 1) if head}
    spans = {word: sorted((word, heads[word - 1])) for word in levels}
    for outer, (left, right) in spans.items():
        for inner, (start, end) in spans.items():
            if left <= start and end <= right and (start, end) != (left, right):
                assert levels[outer] > levels[inner]


@pytest.mark.thorough
def test_every_word_relation_category_and_rule_is_written_and_nothing_overlaps():
    drawn = language.generate(40, 3)
    for sentence in range(40):
        tokens = drawn.tokens[drawn.tokens["sentence"] == sentence]
        nodes = drawn.nodes[drawn.nodes["sentence"] == sentence]
        figure = utterance(tokens, nodes)
        figure.draw_without_rendering()
        above, below = ([text for text in ax.texts if text.get_text()] for ax in figure.axes)
        assert {*tokens["form"].astype("str"), *tokens["relation"].astype("str")} <= {t.get_text() for t in above}
        written = [t.get_text() for t in below]
        assert all(written.count(c) >= n for c, n in nodes["category"].astype("str").value_counts().items())
        for texts in (above, below):
            boxes = [text.get_window_extent().padded(-1) for text in texts]
            for place, box in enumerate(boxes):
                assert not any(box.overlaps(other) for other in boxes[place + 1 :]), (sentence, texts[place])


@pytest.mark.parametrize("rule", ["<", "conj", ">Bx", ">T"])
def test_the_line_of_a_rule_ends_before_its_sign(rule):
    nodes = pd.DataFrame({"node": [0, 1, 2], "parent": [-1, 0, 0], "category": ["S", "NP", "S\\NP"],
                          "rule": [rule, "lex", "lex"], "start": [0, 0, 1], "end": [2, 1, 2]})  # fmt: skip
    ax = ccg_derivation(nodes, ["dogs", "bark"])
    ax.figure.draw_without_rendering()
    (sign,) = [text for text in ax.texts if text.get_color() == BLUE]
    (line,) = ax.lines
    assert line.get_window_extent().x1 <= sign.get_window_extent().x0
    assert line.get_window_extent().width > 20


def test_a_wrong_arc_looks_different():
    gold = pd.DataFrame({"form": ["a", "b", "c"], "head": [2, 0, 2]})
    lines = dependency_arcs(gold.assign(head=[3, 0, 2]), gold=gold).lines
    assert {line.get_linestyle() for line in lines} >= {"-", "--"}


def test_a_head_outside_the_sentence_is_refused():
    with pytest.raises(ValueError, match="head 5 is not a word of a sentence of 2"):
        dependency_arcs(pd.DataFrame({"form": ["a", "b"], "head": [5, 0]}))


def test_words_that_do_not_fit_the_derivation_are_refused():
    drawn = language.generate(1, 0)
    with pytest.raises(ValueError, match="leaves for 0 words"):
        ccg_derivation(drawn.nodes, [])


def test_each_edge_looks_as_why_it_counts_and_a_legend_names_those_that_occur():
    sentence = pd.DataFrame({"form": ["a", "b", "c"], "head": [2, 0, 2]})
    ax = dependency_arcs(sentence, counts_as=["reversed", "same head", "grandparent"])
    assert [text.get_text() for text in ax.get_legend().texts] == ["same head", "reversed", "grandparent"]
    assert {line.get_linestyle() for line in ax.lines} >= {"-.", ":"}
    with pytest.raises(ValueError, match="'right' is not a reason"):
        dependency_arcs(sentence, counts_as=["right", "wrong", "wrong"])
    with pytest.raises(ValueError, match="there are 1 for 3 words"):
        dependency_arcs(sentence, counts_as=["wrong"])


def test_arcs_are_as_wide_as_they_are_probable_end_in_an_arrow_and_either_way_apart():
    table = pd.DataFrame([[0.5, 0.3, 0.2], [0.0, 0.4, 0.005], [0.4, 0.0, 0.795], [0.1, 0.3, 0.0]])
    ax = posterior_arcs(table, [0, 1, 2], ["a", "b", "c"])
    arcs = [line for line in ax.lines if line.get_marker() != "v"]
    arrows = [line for line in ax.lines if line.get_marker() == "v"]
    shown = [(head, word, p) for word in range(3) for head, p in enumerate(table[word]) if p >= 0.01]
    assert [line.get_linewidth() for line in arcs] == [4 * p for _, _, p in shown]
    assert [line.get_xdata()[0] for line in arrows] == [word + 1 for _, word, _ in shown]
    assert [float(line.get_xdata()[-1]) for line in arcs] == pytest.approx([word + 1 for _, word, _ in shown])
    best = [(head, word) for (head, word, _), line in zip(shown, arcs, strict=True) if line.get_linestyle() == "-"]
    assert best == [(0, 0), (1, 1), (2, 2)]
    ways = {(head, word + 1): line.get_xdata() for (head, word, _), line in zip(shown, arcs, strict=True) if head}
    assert not set(ways[1, 2].round(6)) & set(ways[2, 1].round(6))
    with pytest.raises(ValueError, match="3 words, 2 heads"):
        posterior_arcs(table, [0, 1], ["a", "b", "c"])
