"""Derivations side by side, and dependencies as links."""

import pandas as pd
import pytest

from analysis.figures import dependency_links, derivation_pair, derivation_size

NODES = pd.DataFrame(
    {
        "node": [0, 1, 2, 3],
        "parent": [-1, 0, 1, 0],
        "category": ["S", "NP", "N", r"S\NP"],
        "rule": ["<", "unary", "lex", "lex"],
        "start": [0, 0, 0, 1],
        "end": [2, 1, 1, 2],
    }
)
WORDS = ["dogs", "bark"]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_matched_and_unmatched_nodes_differ_in_colour_and_in_mark():
    nodes = NODES.assign(matched=pd.array([True, False, None, None], dtype="boolean"))
    figure = derivation_pair(nodes, NODES, WORDS, titles=("one", "other"))
    marked, plain = figure.axes
    assert (marked.get_title(), plain.get_title()) == ("one", "other")
    assert {"S ✓", "NP ✗", "N", r"S\NP"} <= set(texts(marked))
    colours = {text.get_text(): text.get_color() for text in marked.texts}
    assert len({colours["S ✓"], colours["NP ✗"], colours["N"]}) == 3
    assert not any("✓" in text or "✗" in text for text in texts(plain))


def test_wide_trees_stand_below_each_other_unless_asked():
    words = ["antidisestablishmentarianism" * 3, "bark"]
    assert derivation_size(NODES, words)[0] > 6

    def rows(figure):
        return figure.axes[0].get_subplotspec().get_gridspec().nrows

    assert rows(derivation_pair(NODES, NODES, words)) == 2
    assert rows(derivation_pair(NODES, NODES, words, beside=True)) == 1
    assert rows(derivation_pair(NODES, NODES, WORDS)) == 1


def test_the_head_of_a_node_is_written_beside_its_category():
    figure = derivation_pair(NODES.assign(head=["bark", "dogs", "", ""]), NODES, WORDS)
    assert {"S [bark]", "NP [dogs]", "N"} <= set(texts(figure.axes[0]))


def test_links_do_not_lie_on_each_other_and_show_range_and_match():
    links = pd.DataFrame(
        {
            "functor": [2, 3, 3],
            "argument": [1, 1, 2],
            "slot": [1, 1, 2],
            "range": ["local", "shared", "local"],
            "matched": [True, True, False],
        }
    )
    ax = dependency_links(links, ["dogs", "want", "sleep"])
    arcs = [line for line in ax.lines if len(line.get_xdata()) == 4]
    assert len(arcs) == 3
    heights = {tuple(sorted(set(line.get_ydata()))): line.get_linestyle() for line in arcs}
    assert sorted(heights.values()) == ["-", "-", "--"] or len(heights) < 3
    assert "2 ✗" in texts(ax)


def test_a_link_to_no_word_is_refused():
    with pytest.raises(ValueError, match="outside the sentence of 2"):
        dependency_links(pd.DataFrame({"functor": [1], "argument": [3]}), WORDS)
    with pytest.raises(ValueError):
        dependency_links(pd.DataFrame({"functor": [1]}), WORDS)
