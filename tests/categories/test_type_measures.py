import sys
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.categories import scored_types, type_measures
from analysis.categories.information import normalised_variation_of_information, v_measure
from analysis.categories.type_measures import (
    macro_i,
    micro_c,
    micro_i,
    restart_values,
    score_type_mapping,
    type_level_scores,
    type_mapping,
)
from analysis.categories.type_table import type_table
from analysis.structures import compiled

MEASURES = {"macro_i": macro_i, "micro_i": micro_i, "micro_c": micro_c}
BOTH = pytest.mark.parametrize("mapping", ["one-to-one", "many-to-one"])
EACH = pytest.mark.parametrize("name", MEASURES)

# a lexicon: for each of some types the classes and the clusters it has, at least one of each
ENTRIES = st.lists(
    st.tuples(
        st.sets(st.sampled_from("NVA"), min_size=1, max_size=3), st.sets(st.integers(0, 3), min_size=1, max_size=4)
    ),
    min_size=1,
    max_size=8,
)


def memberships(entries):
    return pd.DataFrame(
        [(f"w{i}", label) for i, entry in enumerate(entries) for label in sorted(entry)], columns=["form", "cluster"]
    )


def sides(entries):
    gold, predicted = zip(*entries, strict=True)
    return memberships(gold), memberships(predicted)


def by_definition(name, entries, reading, mapping):
    """The paper's formulas with sets and exact fractions; `reading` lacks clusters that are read as nothing."""
    read = [{reading[k] for k in clusters if k in reading} for _, clusters in entries]
    given = [
        len(clusters) if mapping == "one-to-one" else len(r) for (_, clusters), r in zip(entries, read, strict=True)
    ]
    match = [len(gold & r) for (gold, _), r in zip(entries, read, strict=True)]
    if name == "macro_i":
        return Fraction(2 * sum(match), sum(len(gold) for gold, _ in entries) + sum(given))
    if name == "micro_i":
        return sum(Fraction(2 * m, len(gold) + g) for (gold, _), g, m in zip(entries, given, match, strict=True)) / len(
            entries
        )
    top, bottom = Fraction(0), 0
    for c in {c for r in read for c in r}:
        union = {i for i, r in enumerate(read) if c in r}
        members = {i for i, (gold, _) in enumerate(entries) if c in gold}
        top += len(union) * Fraction(2 * len(union & members), len(union) + len(members))
        bottom += len(union)
    if mapping == "one-to-one":
        bottom = sum(len(clusters) for _, clusters in entries)
    return top / bottom


def all_readings(clusters, classes, mapping):
    if mapping == "many-to-one":
        return [dict(zip(clusters, c, strict=True)) for c in product(classes, repeat=len(clusters))]
    found = []
    for chosen in product([*classes, None], repeat=len(clusters)):
        reading = {k: c for k, c in zip(clusters, chosen, strict=True) if c is not None}
        if len(set(reading.values())) == len(reading):
            found.append(reading)
    return found


@settings(deadline=None, max_examples=60)
@given(ENTRIES)
@EACH
def test_the_matching_reaches_the_best_of_all_one_to_one_mappings(name, entries):
    clusters, classes = sorted(set().union(*(b for _, b in entries))), sorted(set().union(*(a for a, _ in entries)))
    best = max(
        by_definition(name, entries, reading, "one-to-one") for reading in all_readings(clusters, classes, "one-to-one")
    )
    assert float(MEASURES[name](*sides(entries))) == pytest.approx(float(best), abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(ENTRIES, st.data())
@EACH
@BOTH
def test_the_value_of_a_given_mapping_follows_the_formulas(mapping, name, entries, data):
    clusters, classes = sorted(set().union(*(b for _, b in entries))), sorted(set().union(*(a for a, _ in entries)))
    reading = data.draw(st.sampled_from(all_readings(clusters, classes, mapping)))
    value = float(score_type_mapping(*sides(entries), reading, measure=name, mapping=mapping))
    assert value == pytest.approx(float(by_definition(name, entries, reading, mapping)), abs=1e-12)


@cache
def random_cases():
    """One hundred lexicons of 20 types, 5 classes and 6 clusters, which all occur."""
    random = np.random.default_rng(2010)
    cases = []
    while len(cases) < 100:
        entries = [
            tuple({int(x) for x in random.choice(n, size=random.integers(1, 4), replace=False)} for n in (5, 6))
            for _ in range(20)
        ]
        if len(set().union(*(a for a, _ in entries))) == 5 and len(set().union(*(b for _, b in entries))) == 6:
            cases.append(entries)
    return cases


@cache
def exhaustive_optima(mapping):
    """Best value over all mappings of every case; the classes of a type are the bits of a number."""
    codes = np.array(list(product(range(5 if mapping == "many-to-one" else 6), repeat=6)))
    if mapping == "one-to-one":  # 5 stands for nothing
        used = [np.count_nonzero(codes == c, axis=1) for c in range(5)]
        codes = codes[(np.array(used) <= 1).all(axis=0)]
    bits = np.where(codes < 5, 1 << codes, 0)
    ones = np.array([bin(n).count("1") for n in range(32)])
    optima = []
    for entries in random_cases():
        gold = np.array([sum(1 << c for c in a) for a, _ in entries])
        read = np.stack([np.bitwise_or.reduce(bits[:, sorted(b)], axis=1) for _, b in entries], axis=1)
        match = ones[read & gold]
        given = np.array([len(b) for _, b in entries]) if mapping == "one-to-one" else ones[read]
        macro = 2 * match.sum(axis=1) / (ones[gold].sum() + (given + 0 * read).sum(axis=1))
        micro = (2 * match / (ones[gold] + given)).mean(axis=1)
        union = np.stack([(read >> c & 1).sum(axis=1) for c in range(5)])
        right = np.stack([((read & gold) >> c & 1).sum(axis=1) for c in range(5)])
        size = np.array([(gold >> c & 1).sum() for c in range(5)])[:, None]
        total = union.sum(axis=0) if mapping == "many-to-one" else given.sum()
        cluster = (2 * union * right / (union + size)).sum(axis=0) / total
        optima.append((macro.max(), micro.max(), cluster.max()))
    return np.array(optima)


@EACH
@pytest.mark.thorough
def test_the_matching_always_reaches_the_optimum_of_six_clusters_and_five_classes(name):
    optima = exhaustive_optima("one-to-one")[:, list(MEASURES).index(name)]
    found = np.array([float(MEASURES[name](*sides(case))) for case in random_cases()])
    np.testing.assert_allclose(found, optima, rtol=0, atol=1e-12)


@EACH
@pytest.mark.parametrize("restarts", [10, 100])
@pytest.mark.thorough
def test_hill_climbing_is_never_above_the_optimum_and_mostly_equal_to_it(name, restarts):
    optima = exhaustive_optima("many-to-one")[:, list(MEASURES).index(name)]
    found = np.array(
        [
            float(MEASURES[name](*sides(case), mapping="many-to-one", restarts=restarts, random_state=seed))
            for seed, case in enumerate(random_cases())
        ]
    )
    assert (found <= optima + 1e-12).all()
    least = {10: {"micro_c": 0.85}.get(name, 0.95), 100: 0.97}[restarts]
    assert (found >= optima - 1e-12).mean() >= least


@BOTH
@pytest.mark.parametrize("r", [1, 2, 3, 5])
def test_the_example_of_section_3_scores_precision_r_of_n_where_v_and_nvi_see_no_difference(mapping, r):
    n = 5  # type i has the r classes i, i+1, ... modulo n, so classes have equal sizes; every type is in every cluster
    entries = [({"abcde"[(i + shift) % n] for shift in range(r)}, set(range(n))) for i in range(2 * n)]
    gold, predicted = sides(entries)
    for measure in (macro_i, micro_i):
        assert float(measure(gold, predicted, mapping=mapping, random_state=0)) == pytest.approx(2 * r / (n + r))
    score = macro_i(gold, predicted, mapping=mapping, random_state=0)
    assert (score.parts["recall"], score.parts["precision"]) == pytest.approx((1, r / n))
    if mapping == "one-to-one":
        assert float(micro_c(gold, predicted)) == pytest.approx(2 * r / (n + r))
    pairs = gold.merge(predicted, on="form", suffixes=("_gold", "_predicted"))
    assert float(v_measure(pairs["cluster_gold"], pairs["cluster_predicted"])) == pytest.approx(0, abs=1e-12)
    assert float(
        normalised_variation_of_information(pairs["cluster_gold"], pairs["cluster_predicted"])
    ) == pytest.approx(2)


@given(ENTRIES)
def test_macro_i_equals_the_macro_measure_over_clusters(entries):
    gold, predicted = sides(entries)
    for mapping in ("one-to-one", "many-to-one"):
        score = macro_i(gold, predicted, mapping=mapping, random_state=1)
        found = type_mapping(gold, predicted, mapping=mapping, random_state=1)
        reading = {k: c for k, c in zip(found["cluster"], found["gold"], strict=True) if c is not None}
        merged, matches = 0, 0  # over clusters: sizes of the unions and what they share with their class
        for c in set(reading.values()):
            union = {i for i, (_, b) in enumerate(entries) if c in {reading.get(k) for k in b}}
            merged += len(union)
            matches += len(union & {i for i, (a, _) in enumerate(entries) if c in a})
        if mapping == "one-to-one":  # unmapped clusters keep their size
            merged = len(predicted)
        assert float(score) == pytest.approx(2 * matches / (len(gold) + merged))


@pytest.mark.thorough
@settings(deadline=None)
@given(ENTRIES)
@BOTH
@EACH
def test_it_is_one_when_every_entry_is_right_and_the_item_measures_only_then(name, mapping, entries):
    gold, predicted = sides(entries)
    found = type_mapping(gold, predicted, measure=name, mapping=mapping, random_state=0)
    reading = dict(zip(found["cluster"], found["gold"], strict=True))
    right = all(a == {reading[k] for k in b} for a, b in entries)
    perfect = float(MEASURES[name](gold, predicted, mapping=mapping, random_state=0)) == pytest.approx(1, abs=1e-12)
    assert perfect or not right
    assert right or not perfect or name == "micro_c"
    assert float(MEASURES[name](gold, gold)) == 1


def test_micro_c_does_not_see_a_class_that_no_cluster_is_read_as():
    entries = [({"N"}, {0}), ({"N", "V"}, {0})]
    assert float(micro_c(*sides(entries))) == 1
    assert float(macro_i(*sides(entries))) == pytest.approx(4 / 5)


@given(ENTRIES, st.permutations(range(4)), st.permutations("NVA"))
@EACH
def test_renaming_classes_and_clusters_changes_nothing(name, entries, clusters, classes):
    names = dict(zip("NVA", classes, strict=True))
    renamed = [({names[c] for c in a}, {clusters[k] for k in b}) for a, b in entries]
    assert float(MEASURES[name](*sides(renamed))) == pytest.approx(float(MEASURES[name](*sides(entries))), abs=1e-12)


@pytest.mark.thorough
@given(st.lists(st.tuples(st.sampled_from("NVA"), st.integers(0, 3)), min_size=1, max_size=12))
def test_with_one_class_and_one_cluster_each_the_item_measures_are_type_accuracy(pairs):
    gold, predicted = sides([({a}, {b}) for a, b in pairs])
    table = pd.crosstab([a for a, _ in pairs], [b for _, b in pairs])
    many = Fraction(int(table.max(axis=0).sum()), len(pairs))  # every cluster to its most frequent class
    for measure in (macro_i, micro_i):
        assert float(measure(gold, predicted, mapping="many-to-one", random_state=0)) == pytest.approx(float(many))
    assert macro_i(gold, predicted).value == pytest.approx(micro_i(gold, predicted).value)


@given(st.integers(1, 3), ENTRIES)
def test_macro_i_equals_micro_i_where_all_types_have_as_many_memberships(total, entries):
    # each type gets 1 class and `total` clusters, so |A| + |B| is the same for all
    padded = [({min(a)}, {(min(b) + shift) % 4 for shift in range(total)}) for a, b in entries]
    gold, predicted = sides(padded)
    assert float(macro_i(gold, predicted)) == pytest.approx(float(micro_i(gold, predicted)))


def test_unmapped_clusters_are_punished_with_one_to_one_and_merged_with_many_to_one():
    entries = [({"N"}, {0, 1})] * 3  # two clusters with the same members
    gold, predicted = sides(entries)
    assert macro_i(gold, predicted).numerator == 6 and macro_i(gold, predicted).denominator == 9
    assert float(micro_c(gold, predicted)) == pytest.approx(1 / 2)  # the second cluster weighs 3 and has F = 0
    for measure in MEASURES.values():
        assert float(measure(gold, predicted, mapping="many-to-one", random_state=0)) == 1


def test_forms_that_one_side_lacks_count_as_wrong_if_so_wished():
    gold, predicted = memberships([{"N"}, {"N"}]), memberships([{1}])
    assert macro_i(gold, predicted, missing="empty").denominator == 3
    assert float(micro_i(gold, predicted, missing="empty")) == pytest.approx(1 / 2)
    score = macro_i(gold, predicted, missing="leave out")
    assert (score.value, score.parts["types without cluster"]) == (1, 1)
    for name, measure in MEASURES.items():  # an entry without cluster or class does not stop the climbing
        both = measure(memberships([{"N"}, {"N"}]), predicted.assign(form="w9"), missing="empty", mapping="many-to-one")
        assert both.value == 0, name


@EACH
def test_more_starts_never_lower_the_value_and_the_first_starts_stay_the_same(name):
    case = sides(random_cases()[0])
    ten, thirty = (restart_values(*case, measure=name, restarts=n, random_state=3)["value"] for n in (10, 30))
    assert thirty[:10].tolist() == ten.tolist()
    score = MEASURES[name](*case, mapping="many-to-one", restarts=10, random_state=3)
    assert float(score) == ten.max()
    assert score.parts["worst start"] == ten.min()
    assert score.parts["starts within 1 %"] == (ten >= 0.99 * ten.max()).sum()
    assert score.conventions["restarts"] == 10


@EACH
def test_after_hill_climbing_no_single_move_raises_the_measure(name):
    entries = random_cases()[1]
    found = type_mapping(*sides(entries), measure=name, mapping="many-to-one", restarts=1, random_state=5)
    reading = dict(zip(found["cluster"], found["gold"], strict=True))
    value = by_definition(name, entries, reading, "many-to-one")
    for k, c in product(range(6), range(5)):
        assert by_definition(name, entries, reading | {k: c}, "many-to-one") <= value


@EACH
def test_edges_start_every_cluster_at_its_heaviest_class(name):
    case = sides(random_cases()[2])
    values = restart_values(*case, measure=name, initialisation="edges", random_state=0)
    optimum = exhaustive_optima("many-to-one")[2, list(MEASURES).index(name)]
    assert (values["value"] <= optimum + 1e-12).all()
    assert values["initialisation"].eq("edges").all()


def test_the_mapping_shows_what_each_cluster_shares_with_its_class():
    gold, predicted = sides([({"N", "V"}, {0}), ({"N"}, {0, 1})])
    found = type_mapping(gold, predicted, measure="micro_i")
    # heaviest edge of cluster 0: N with both types, 2/3 + 2/3
    assert found["gold"].tolist() == ["N", None]
    assert found["shared"].tolist() == [2, 0] and found["types"].tolist() == [2, 1]
    assert found["weight"].tolist() == pytest.approx([4 / 3, 0])


def test_six_measures_come_in_the_order_of_table_1():
    table = type_table(*sides(random_cases()[0]))
    scores = type_level_scores(table, random_state=7)
    assert [(score.measure, score.conventions["mapping"]) for score in scores] == [
        (measure, mapping) for measure in ("MacroI", "MicroI", "MicroC") for mapping in ("many-to-one", "one-to-one")
    ]
    assert scores == type_level_scores(table, random_state=np.random.default_rng(7))


@settings(max_examples=20)
@given(ENTRIES, st.sampled_from(["random", "edges"]), st.booleans())
def test_scored_types_have_the_same_scores_without_a_second_search(entries, initialisation, gap):
    gold, predicted = sides(entries)
    gold = gold.iloc[1:] if gap and len(gold) > 1 else gold
    table = type_table(gold, predicted, missing="empty" if gap else "refuse")
    search = {"restarts": 3, "initialisation": initialisation, "random_state": 5}
    found, expected = scored_types(table, **search).scores(), type_level_scores(table, **search)
    assert [(s.measure, s.numerator, s.denominator, s.conventions) for s in found] == [
        (s.measure, s.numerator, s.denominator, s.conventions) for s in expected
    ]


def test_unknown_arguments_and_readings_are_refused():
    gold, predicted = sides([({"N"}, {0}), ({"V"}, {1})])
    with pytest.raises(ValueError, match="'one-to-one' or 'many-to-one'"):
        macro_i(gold, predicted, mapping="greedy")
    with pytest.raises(ValueError, match="restarts is 0; it must be at least 1"):
        macro_i(gold, predicted, mapping="many-to-one", restarts=0)
    with pytest.raises(ValueError, match="'random' or 'edges'"):
        macro_i(gold, predicted, mapping="many-to-one", initialisation="best")
    with pytest.raises(ValueError, match="'macro_i', 'micro_i' or 'micro_c'"):
        restart_values(gold, predicted, measure="macro")
    with pytest.raises(ValueError, match="not one-to-one"):
        score_type_mapping(gold, predicted, {0: "N", 1: "N"})
    with pytest.raises(ValueError, match="lacks cluster 1"):
        score_type_mapping(gold, predicted, {0: "N"}, mapping="many-to-one")
    with pytest.raises(ValueError, match="cluster 7 as 'N'"):
        score_type_mapping(gold, predicted, {7: "N"})


@pytest.mark.parametrize("measure", type_measures.MEASURES)
def test_hill_climbing_gives_the_same_compiled_and_as_plain_python(measure, monkeypatch):
    generator = np.random.default_rng(3)
    words = [f"w{number}" for number in range(30)] * 2
    sides = [pd.DataFrame({"form": words, "cluster": generator.integers(5, size=60)}) for _ in range(2)]
    table = type_table(*(side.drop_duplicates() for side in sides))
    pytest.importorskip("numba")
    found = [type_measures._climb(table, measure, 3, "random", np.random.default_rng(1))]
    climbed = [type_measures.climb_from(table, measure, np.zeros(len(table.clusters), dtype=int))]
    used = []
    monkeypatch.setattr(
        compiled, "plain_kernels", lambda name, load=compiled.plain_kernels: used.append(name) or load(name)
    )
    monkeypatch.delitem(sys.modules, "numba")
    found.append(type_measures._climb(table, measure, 3, "random", np.random.default_rng(1)))
    climbed.append(type_measures.climb_from(table, measure, np.zeros(len(table.clusters), dtype=int)))
    assert used == 2 * ["analysis.categories.type_kernels"] and climbed[0] == climbed[1]
    assert not hasattr(compiled.plain_kernels(used[0]).climb, "py_func")
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_a_class_that_a_resample_lost_counts_nothing_and_leaves_the_measure_defined():
    """Types a and b as one class and one cluster, c lost: MicroC is F of the one class, 1."""
    gold = pd.DataFrame({"form": list("abc"), "cluster": list("NND")})
    found = scored_types(gold, gold.assign(cluster=[1, 1, 2]), ["MicroC (many-to-one)"], remapping="again")
    assert found.values(np.array([[1, 1, 0], [2, 1, 0]])).tolist() == [[1.0], [1.0]]
