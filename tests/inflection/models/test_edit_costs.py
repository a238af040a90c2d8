import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.inflection.models.edit_costs import (
    Edit,
    EditCosts,
    apply_edits,
    cheapest_edits,
    costs_to_go,
    edit_totals,
    learn_edit_costs,
    nearest_prefixes,
    pair_cost,
)

WORDS = st.text("abc", min_size=1, max_size=5)


def unit_costs(letters):
    """Every insertion and deletion costs 1, a copy and the end nothing; there is no substitution."""
    places = {letter: number for number, letter in enumerate(sorted(set(letters)))}
    ones = np.ones(len(places))
    return EditCosts(places, places, np.where(np.eye(len(places)) > 0, 0.0, np.inf), ones, ones, 0.0)


def probabilities(costs):
    parts = (costs.substitute, costs.delete, costs.insert, costs.end)
    return [np.exp(-np.asarray(part)).ravel().tolist() for part in parts]


def all_ways(lemma, form, costs):
    """Probability of each sequence of edits, enumerated (an independent way to the same sums)."""
    if not lemma and not form:
        yield math.exp(-costs.end)
        return
    ways = []
    if lemma:
        ways.append((Edit("DEL"), lemma[1:], form))
    if form:
        ways.append((Edit("INS", form[0]), lemma, form[1:]))
    if lemma and form:
        ways.append((Edit("SUB", form[0]), lemma[1:], form[1:]))
    for edit, rest, wanted in ways:
        for chance in all_ways(rest, wanted, costs):
            yield chance * math.exp(-costs.of(edit, lemma[:1]))


def test_one_pair_of_one_letter_has_the_probabilities_worked_out_by_hand():
    uniform = learn_edit_costs(["a"], ["b"], iterations=0)
    assert probabilities(uniform) == [[pytest.approx(1 / 4)]] * 4
    assert math.exp(-pair_cost("a", "b", uniform)) == pytest.approx(1 / 16 + 2 / 64)
    once = learn_edit_costs(["a"], ["b"], iterations=1, keep_old=False)
    assert list(itertools.chain(*probabilities(once))) == pytest.approx([2 / 7, 1 / 7, 1 / 7, 3 / 7])
    smoothed = learn_edit_costs(["a"], ["b"], iterations=1)
    assert list(itertools.chain(*probabilities(smoothed))) == pytest.approx([0.275, 0.175, 0.175, 0.375])


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4), st.integers(0, 3))
def test_the_weights_sum_to_one_and_sums_and_optima_agree_with_enumeration(pairs, iterations):
    lemmas, forms = map(list, zip(*pairs, strict=True))
    costs = learn_edit_costs(lemmas, forms, iterations)
    assert sum(map(sum, probabilities(costs))) == pytest.approx(1)
    for lemma, form, to_go in zip(lemmas, forms, costs_to_go(lemmas, forms, costs), strict=True):
        ways = list(all_ways(lemma, form, costs))
        assert math.exp(-pair_cost(lemma, form, costs)) == pytest.approx(sum(ways))
        assert to_go.shape == (len(lemma) + 1, len(form) + 1)
        assert to_go[0, 0] == pytest.approx(-math.log(max(ways)))


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
def test_em_without_smoothing_never_makes_the_pairs_less_probable(pairs):
    lemmas, forms = map(list, zip(*pairs, strict=True))
    fits = [learn_edit_costs(lemmas, forms, iterations, keep_old=False) for iterations in range(4)]
    totals = [sum(pair_cost(*pair, fit) for pair in pairs) for fit in fits]
    assert all(later <= before + 1e-9 for before, later in itertools.pairwise(totals))


@given(st.lists(st.tuples(WORDS, st.text("abcd", max_size=6)), min_size=1, max_size=6))
def test_the_experts_edits_give_exactly_the_form(pairs):
    lemmas, forms = map(list, zip(*pairs, strict=True))
    edits = cheapest_edits(lemmas, forms, learn_edit_costs(lemmas, forms))
    assert [apply_edits(lemma, row) for lemma, row in zip(lemmas, edits, strict=True)] == forms
    for row in edits:
        assert [edit.kind for edit in row].count("END") == 1 and row[-1].kind == "END"


def test_long_words_underflow_in_no_sum():
    lemma = "abcdefghij" * 30
    costs = learn_edit_costs([lemma, "ab"], [lemma + "en", "aben"], iterations=2)
    assert math.isfinite(pair_cost(lemma, lemma + "en", costs)) and pair_cost(lemma, lemma + "en", costs) > 745


def expert(lemma, read, written, form):
    costs = unit_costs(lemma + written + form)
    (to_go,) = costs_to_go([lemma], [form], costs)
    return edit_totals(lemma, read, written, form, costs, to_go)


def test_the_expert_counts_what_remains_with_unit_costs():
    assert expert("walk", 4, "walk", "walked") == {Edit("INS", "e"): 2}
    assert expert("walk", 4, "walked", "walked") == {Edit("END"): 0}
    assert expert("walk", 0, "", "walked") == {Edit("COPY"): 2, Edit("INS", "w"): 4, Edit("DEL"): 4}
    assert expert("sing", 1, "s", "sang") == {Edit("SUB", "a"): math.inf, Edit("INS", "a"): 2, Edit("DEL"): 2}


def test_what_is_no_prefix_stands_for_every_nearest_prefix():
    assert nearest_prefixes("bbbbbbb", "abbbbbbb") == [7, 8]
    assert expert("", 0, "bbbbbbb", "abbbbbbb") == {Edit("END"): 0, Edit("INS", "b"): 1}


def test_equal_costs_are_decided_for_reading_both_then_writing_then_reading():
    costs = unit_costs("ab")._replace(substitute=np.zeros((2, 2)))
    (to_go,) = costs_to_go(["a"], ["b"], costs)
    assert list(edit_totals("a", 0, "", "b", costs, to_go)) == [Edit("SUB", "b"), Edit("INS", "b"), Edit("DEL")]
    without = costs._replace(substitute=np.full((2, 2), 2.0))
    assert cheapest_edits(["a"], ["b"], without)[0][0] == Edit("SUB", "b"), "INS and DEL cost 2 as well"
    dear = costs._replace(substitute=np.full((2, 2), 9.0))
    assert cheapest_edits(["a"], ["b"], dear) == [[Edit("INS", "b"), Edit("END")]], "INS before DEL, then END at once"


def test_letters_without_weights_cost_infinitely_much():
    costs = unit_costs("ab")
    assert costs.of(Edit("DEL"), "z") == costs.of(Edit("COPY"), "z") == costs.of(Edit("INS", "z")) == math.inf
    assert costs.of(Edit("SUB", "a"), "z") == math.inf and costs.of(Edit("COPY"), "a") == 0


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="needs a pair and iterations of at least 0, not 0 pairs"):
        learn_edit_costs([], [])
    with pytest.raises(ValueError, match="COPY reads a letter, but all 1 letters of 'a' are read"):
        apply_edits("a", [Edit("DEL"), Edit("COPY")])
