"""Signatures: whatever changes a number changes them, and nothing else does."""

import pytest

from analysis.categories import scored_tokens, scored_types
from analysis.constituents import EVALB, BracketConventions, bracket_scores, scored_brackets
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.evaluation.signatures import differing_parts, parse_signature, signature

GOLD, CLUSTERS, SENTENCES = list("NVNDNVND"), [1, 2, 1, 3, 1, 1, 2, 3], [0, 0, 1, 1, 2, 2, 3, 3]


def tokens(**options):
    return scored_tokens(GOLD, CLUSTERS, SENTENCES, **options)


@pytest.mark.parametrize(
    ("measure", "options"),
    [
        ("one-to-one", {"assignment": "greedy"}),
        ("VI", {"base": 10}),
        ("cross-validated many-to-one", {"folds": 4}),
        ("V", {"choices": {"unlabelled": "leave out"}}),
    ],
)
def test_an_argument_that_changes_a_number_changes_the_signature(measure, options):
    assert signature(tokens(), measure) != signature(tokens(**options), measure)


def test_an_argument_that_does_not_concern_a_measure_leaves_its_signature():
    assert signature(tokens(), "many-to-one") == signature(tokens(assignment="greedy", base=10), "many-to-one")
    assert signature(tokens(), "V", resamples=5) == signature(tokens(), "V", resamples=7)


@pytest.mark.parametrize("change", [{"resamples": 5}, {"confidence": 0.9}, {"random_state": 3}, {"intervals": False}])
def test_the_interval_is_part_of_the_signature(change):
    assert differing_parts([signature(tokens(), "many-to-one"), signature(tokens(), "many-to-one", **change)]) == [
        "interval"
    ]


def test_the_gold_standard_is_part_of_the_signature_and_the_clusters_are_not():
    other = scored_tokens(GOLD[::-1], CLUSTERS, SENTENCES)
    assert differing_parts([signature(tokens(), "V"), signature(other, "V")]) == ["data"]
    assert signature(scored_tokens(GOLD, CLUSTERS[::-1], SENTENCES), "V") == signature(tokens(), "V")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("delete_labels", ("TOP",)), ("delete_for_length", ()), ("equal_labels", ()), ("equal_words", (("a", "b"),)),
        ("quote_labels", ("''",)), ("labelled", False), ("function_tags", True), ("max_length", 4),
        ("failed", "count"), ("mismatch", "count"),
    ],
)  # fmt: skip
def test_every_convention_of_brackets_is_in_the_signature(name, value):
    gold = read_bracketed_trees(b"(S (NP (NN corn)) (VP (VBZ grows)))")
    changed = BracketConventions(**(vars(EVALB) | {name: value}))
    lines = [
        signature(scored_brackets(bracket_scores(gold, gold, conventions), gold), "complete match")
        for conventions in (EVALB, changed)
    ]
    assert differing_parts(lines) == [name.replace("_", "-")]


def test_types_name_their_search_and_their_remapping():
    import pandas as pd

    gold = pd.DataFrame({"form": list("abcd"), "cluster": list("NNVV")})
    plain, again, more = (scored_types(gold, gold, **options) for options in
                          ({}, {"remapping": "again"}, {"restarts": 3}))  # fmt: skip
    many, one = "MacroI (many-to-one)", "MacroI (one-to-one)"
    assert "restarts" in differing_parts([signature(plain, many), signature(more, many)])
    assert signature(plain, one) == signature(more, one) != signature(again, one)


def test_values_with_bars_are_read_back():
    scored = tokens(choices={"left out": "a|b%"})
    assert parse_signature(signature(scored, "V"))["left-out"] == "a|b%"
    with pytest.raises(ValueError, match="has no name"):
        parse_signature("tags/v|rest")


def test_the_option_signature_is_the_command(tmp_path):
    from click.testing import CliRunner

    from analysis.__main__ import main

    (tmp_path / "gold.txt").write_text("the\tD\ndog\tN\n", encoding="utf-8")
    files = [str(tmp_path / "gold.txt")] * 2
    line = CliRunner().invoke(main, ["evaluate", "tags", *files]).stdout.splitlines()
    (text,) = [each.partition(": ")[2] for each in line if each.startswith("many-to-one: tags/")]
    found = [CliRunner().invoke(main, ["evaluate", *words, *files]) for words in
             (["signature", text], ["--signature", text], [f"--signature={text}"])]  # fmt: skip
    assert found[0].exit_code == 0 and len({each.output for each in found}) == 1
