"""Reducibility of n-grams, small changes of trees, and the sampler against an enumeration of all trees."""

from collections import Counter
from itertools import product
from math import exp, log

import numpy as np
import pandas as pd
import pytest

from analysis.dependencies.models import ReducibilityModel, reducibility_scores
from analysis.dependencies.models import reducibility_kernels as kernels
from analysis.dependencies.models.reducibility import log_scores
from analysis.dependencies.models.reducibility_model import empty_counts
from analysis.dependencies.models.spanning_tree_kernels import best_arborescence, best_projective_tree
from tests.dependencies.models.enumeration import is_projective_tree, projective_trees

SIZES = {1: 1, 2: 2, 3: 7, 4: 30, 5: 143}
EXAMPLE = pd.DataFrame({"sentence": [0, 0, 0, 1, 1, 2, 2], "form": list("abcbcac"), "fine": list("ABCBCAC")})
TEXT = pd.DataFrame({
    "sentence": [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3],
    "form": ["the", "dog", "runs", "dogs", "run", "he", "saw", "the", "dog", "dogs", "run", "the", "big", "dog"],
    "fine": list("DNVNVPVDNNVDAN"),
})  # fmt: skip


# Reducibility --------------------------------------------------------------------------------------------------------


def test_the_worked_example_has_its_counts_and_scores():
    table = reducibility_scores(EXAMPLE).set_index("tags")
    assert table[["count", "reducible"]].T.to_dict("list") == {
        "A": [2, 1], "B": [2, 1], "C": [3, 0], "A B": [1, 0], "B C": [2, 0], "A C": [1, 0], "A B C": [1, 0],
    }  # fmt: skip
    # s = 2/12; of single tags the sum of r + s is 2.5, that of c + 1 is 10
    assert table.loc["A", "score"] == pytest.approx((1 + 1 / 6) / 3 / (2.5 / 10))
    assert table.loc["C", "score"] == pytest.approx((1 / 6) / 4 / (2.5 / 10))
    assert table.loc["A B C", "score"] == pytest.approx(1)  # the only one of its length
    apart = reducibility_scores(EXAMPLE, smoothing="length").set_index("tags")
    assert apart.loc["A", "score"] == pytest.approx((1 + 2 / 7) / 3 / ((2 + 6 / 7) / 10))


def test_no_words_are_no_sentence_and_capitals_count_unless_left_aside():
    text = pd.DataFrame({"sentence": [0, 1, 1], "form": ["Go", "please", "go"], "fine": list("VPV")})
    assert reducibility_scores(text)["reducible"].sum() == 0  # "go" is not "Go", and nothing is not a sentence
    table = reducibility_scores(text, lowercase=True).set_index("tags")
    assert table.loc["P", "reducible"] == 1 and table["reducible"].sum() == 1


def test_if_nothing_is_reducible_rare_n_grams_score_higher():
    text = pd.DataFrame({"sentence": [0, 0, 0], "form": list("xyz"), "fine": list("AAB")})
    table = reducibility_scores(text).set_index("tags")
    assert table.loc["A", "score"] == pytest.approx(2.5 / 3) and table.loc["B", "score"] == pytest.approx(2.5 / 2)


def test_punctuation_is_left_out_of_the_sentences_that_are_compared():
    text = pd.DataFrame({
        "sentence": [0, 0, 1, 1, 1], "form": ["go", ".", "now", "go", "!"], "fine": ["V", "PUNCT", "R", "V", "PUNCT"],
        "universal": ["VERB", "PUNCT", "ADV", "VERB", "PUNCT"],
    })  # fmt: skip
    assert reducibility_scores(text).set_index("tags").loc["R", "reducible"] == 1
    assert reducibility_scores(text, keep_punctuation=True)["reducible"].sum() == 0  # "go !" is not "go ."


def test_scores_are_looked_up_within_a_sentence_only():
    table = pd.DataFrame({"n": [1, 2, 3], "tags": ["B", "A B", "A B A"], "score": [2.0, 3.0, 5.0]})
    found = np.exp(log_scores(table, list("ABAB"), np.array([0, 3, 4])))
    assert found == pytest.approx(np.array([[1, 3, 5], [2, 1, 1], [1, 1, 1], [2, 1, 1]]))


# Small changes -------------------------------------------------------------------------------------------------------


def made_text(tags, lengths, gamma=0.0, scores=None, beta=1.0):
    starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
    distances = np.maximum(np.arange(max(2, *lengths)), 1.0) ** -gamma
    scores = np.zeros((len(tags), 3)) if scores is None else scores
    return kernels.Text(np.array(tags, dtype=np.int64), starts, scores, np.full(len(tags), beta), distances)


def made_trees(text, trees):
    """Trees of kernels from heads, 1 to n, of each sentence."""
    heads = np.concatenate([[begin + head - 1 if head else kernels.ROOT for head in tree]
                            for tree, begin in zip(trees, text.starts[:-1], strict=True)]).astype(np.int64)  # fmt: skip
    made = kernels.Trees(heads, heads.copy(), heads.copy())
    kernels.find_spans(text, made)
    return made


def heads_of(text, trees):
    return tuple(
        tuple(0 if head == kernels.ROOT else int(head - begin + 1) for head in trees.heads[begin:end])
        for begin, end in zip(text.starts[:-1], text.starts[1:], strict=True)
    )


def weights_of(alpha=1.0, n_tags=2, delta=0.0, directed=False, pairs=False):
    return kernels.Weights(alpha, alpha * n_tags, delta, directed, pairs)


def workspace(words, candidates):
    return kernels.Work(np.empty(words, np.int64), np.empty(words, np.int64), np.empty((candidates, 3), np.int64),
                        np.empty(candidates))  # fmt: skip


def scored_candidates(text, trees, word, weights=None, counts=None):
    """Each candidate of a small change, a tuple of trees, with its log-probability as the kernel gives it."""
    weights = weights or weights_of()
    longest = int(np.diff(text.starts).max())
    before = made_trees(text, trees)
    counts = counts or empty_counts(int(text.tags.max()) + 1, longest, weights.sides, weights.pairs)
    kernels.add_trees(text, before, counts, weights, 0, len(text.starts) - 1)
    work = workspace(longest, 99)
    n, found = kernels.score_candidates(kernels.State(text, before, counts, weights), word, work)
    results = {}
    for k in range(found):
        after = kernels.Trees(*(part.copy() for part in before))
        again = kernels.Counts(*(part.copy() for part in counts))
        kernels.change_tree(kernels.State(text, after, again, weights), word, work, n, k)
        assert heads_of(text, after) not in results
        results[heads_of(text, after)] = work.values[k]
        spans = made_trees(text, heads_of(text, after))
        assert np.array_equal(spans.left, after.left) and np.array_equal(spans.right, after.right)
        recounted = empty_counts(int(text.tags.max()) + 1, longest, weights.sides, weights.pairs)
        kernels.add_trees(text, spans, recounted, weights, 0, len(text.starts) - 1)
        assert all(np.array_equal(one, other) for one, other in zip(again, recounted, strict=True))
    return results


def moves(n):
    """The trees that each tree and word can become."""
    text = made_text([0] * n, [n])
    return {(tree, word): {trees[0] for trees in scored_candidates(text, (tree,), word)}
            for tree in projective_trees(n) for word in range(n) if tree[word]}  # fmt: skip


def test_the_candidates_of_the_worked_example():
    assert moves(3)[(2, 0, 2), 0] == {(2, 0, 2), (0, 1, 1), (0, 1, 2)}


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_changes_keep_trees_projective_are_the_same_from_each_candidate_and_reach_all_trees(n):
    found = moves(n)
    assert len(projective_trees(n)) == SIZES[n]
    reached = {tree: set() for tree in projective_trees(n)}
    for (tree, word), candidates in found.items():
        assert tree in candidates and all(is_projective_tree(one) for one in candidates)
        reached[tree] |= candidates
        head = tree[word] - 1
        for one in candidates:  # one of the two now depends on the other, and that pair has the same candidates
            lower = word if one[word] == head + 1 else head
            assert one[lower] - 1 == (head if lower == word else word) and found[one, lower] == candidates
    seen, left = set(), [next(iter(reached))]
    while left:
        tree = left.pop()
        if tree not in seen:
            seen.add(tree)
            left += reached[tree]
    assert len(seen) == SIZES[n]
    sizes = [len(candidates) for candidates in found.values()]
    if n == 3:
        assert (min(sizes), max(sizes), np.mean(sizes)) == (2, 4, 3.0)
    if n == 5:
        assert max(sizes) == 9


# Probabilities, without the kernels ----------------------------------------------------------------------------------


def log_probability(text, trees, alpha, beta, gamma, delta, n_tags, directed=False, pairs=False):
    """Of all trees: each event given those before it."""
    edges, parents, fertilities, tags, total = Counter(), Counter(), Counter(), Counter(), 0.0
    for tree, begin in zip(trees, text.starts[:-1], strict=True):
        own = text.tags[begin : begin + len(tree)]
        for word, head in enumerate(tree, start=1):
            parent = "root" if not head else (own[head - 1], word > head if directed else None)
            total += log((edges[parent, own[word - 1]] + alpha) / (parents[parent] + alpha * n_tags))
            edges[parent, own[word - 1]] += 1
            parents[parent] += 1
            total -= gamma * log(abs(word - head)) if head else 0
            children = [child for child, above in enumerate(tree, start=1) if above == word]
            right = sum(child > word for child in children)
            kind = (len(children) - right, right) if pairs else len(children)
            prior = 0.5 ** (len(children) + (2 if pairs else 1))
            tag = own[word - 1]
            total += log((fertilities[tag, kind] + beta * prior) / (tags[tag] + beta))
            fertilities[tag, kind] += 1
            tags[tag] += 1
            below = [w for w in range(1, len(tree) + 1) if leads_to(tree, w, word)]
            if head and len(below) <= 3:
                total += delta * text.scores[begin + below[0] - 1, len(below) - 1]
    return total


def leads_to(tree, word, top):
    while word and word != top:
        word = tree[word - 1]
    return word == top


SCORES = np.log([[2.0, 0.5, 1], [3, 0.2, 1], [0.5, 4, 0.7], [1.5, 0.6, 1], [0.8, 1, 1]])  # of a text of 2 + 3 words
MODELS = [
    {"alpha": 0.3, "beta": 0.7, "gamma": 1.5, "delta": 1.0},
    {"alpha": 0.3, "beta": 0.7, "gamma": 1.5, "delta": 2.0, "directed": True},
    {"alpha": 0.5, "beta": 0.3, "gamma": 0.5, "delta": 0.5, "pairs": True},
    {"alpha": 1.0, "beta": 1.0, "gamma": 0.0, "delta": 0.0, "directed": True, "pairs": True},
]
STATES = list(product(projective_trees(2), projective_trees(3)))


def two_sentences(model):
    return made_text([0, 1, 0, 1, 1], [2, 3], model["gamma"], SCORES, model["beta"])


def target(text, model):
    found = np.exp([log_probability(text, trees, n_tags=2, **model) for trees in STATES])
    return found / found.sum()


def transitions(text, model, word):
    """Probability of each state after a small change of a word, from each state; a head of its sentence stays."""
    kinds = {"directed": model.get("directed", False), "pairs": model.get("pairs", False)}
    weights = weights_of(model["alpha"], 2, model["delta"], **kinds)
    matrix = np.zeros((len(STATES), len(STATES)))
    sentence = int(word >= 2)
    for number, trees in enumerate(STATES):
        if not trees[sentence][word - text.starts[sentence]]:
            matrix[number, number] = 1
            continue
        found = scored_candidates(text, trees, word, weights)
        total = sum(exp(value) for value in found.values())
        for after, value in found.items():
            matrix[number, STATES.index(after)] = exp(value) / total
    return matrix


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_change_of_a_random_word_leaves_the_probability_of_all_trees_unchanged(model):
    text = two_sentences(model)
    pi = target(text, model)
    matrices = [transitions(text, model, word) for word in range(5)]
    for own in (matrices[:2], matrices[2:]):  # a head stays: each other word is as probable, so the mean is reversible
        flow = pi[:, None] * sum(own)
        assert np.abs(flow - flow.T).max() < 1e-12


def test_visiting_the_words_in_order_would_be_noticed():
    model = MODELS[0]
    text = two_sentences(model)
    pi = target(text, model)
    third = transitions(text, model, 2) @ transitions(text, model, 3) @ transitions(text, model, 4)
    assert np.abs(pi @ third - pi).max() > 0.005


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_long_run_frequencies_are_the_enumerated_probabilities(model):
    text = two_sentences(model)
    found = long_run(text, model, 30_000)
    assert np.abs(found - target(text, model)).max() < 0.02


def long_run(text, model, sweeps):
    kinds = {"directed": model.get("directed", False), "pairs": model.get("pairs", False)}
    weights = weights_of(model["alpha"], 2, model["delta"], **kinds)
    trees, counts = made_trees(text, STATES[0]), empty_counts(2, 3, *kinds.values())
    kernels.add_trees(text, trees, counts, weights, 0, 2)
    rng, nothing = np.random.default_rng(1), np.zeros(0, np.int64)
    found = Counter()
    for _ in range(sweeps):
        kernels.sweep(kernels.State(text, trees, counts, weights), 1.0, False, nothing, nothing, rng)
        found[heads_of(text, trees)] += 1
    assert set(found) <= set(STATES)
    return np.array([found[trees] / sweeps for trees in STATES])


def test_without_evidence_all_trees_are_equally_frequent():
    model = {"alpha": 1e9, "beta": 1e9, "gamma": 0.0, "delta": 0.0}
    text = two_sentences(model)
    assert target(text, model) == pytest.approx(np.full(14, 1 / 14), rel=1e-6)
    assert np.abs(long_run(text, model, 30_000) - 1 / 14).max() < 0.01


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_scoring_a_change_is_scoring_the_text_again(model):
    rng = np.random.default_rng(0)
    lengths = [1, 4, 6, 5]
    text = made_text(rng.integers(0, 3, 16), lengths, model["gamma"], rng.normal(size=(16, 3)), model["beta"])
    kinds = {"directed": model.get("directed", False), "pairs": model.get("pairs", False)}
    weights = weights_of(model["alpha"], 3, model["delta"], **kinds)
    trees = ((0,), (2, 0, 2, 3), (2, 0, 2, 5, 3, 3), (3, 1, 0, 3, 4))
    for word in (1, 5, 7, 8, 11, 14):
        found = scored_candidates(text, trees, word, weights)
        whole = {after: log_probability(text, after, n_tags=3, **model) for after in found}
        differences = [found[after] - whole[after] for after in found]
        assert np.ptp(differences) < 1e-9
        kernel = made_trees(text, trees)
        again = kernels.add_trees(text, kernel, empty_counts(3, 6, *kinds.values()), weights, 0, 4)
        assert again == pytest.approx(whole[trees], abs=1e-9)


def test_a_very_unlikely_candidate_is_scored_without_underflow():
    n = 60
    text = made_text([0, *[1] * (n - 1)], [n], gamma=3.0)
    trees = ((0, *[1] * (n - 1)),)
    weights = weights_of(1e-9)
    state, counts = made_trees(text, trees), empty_counts(2, n)
    kernels.add_trees(text, state, counts, weights, 0, 1)
    work = workspace(n, n * n)
    _, found = kernels.score_candidates(kernels.State(text, state, counts, weights), n - 1, work)
    assert found > 50 and np.isfinite(work.values[:found]).all() and work.values[:found].min() < -600


# Decoding ------------------------------------------------------------------------------------------------------------


def all_trees(n):
    """Heads of every tree with one root, projective or not."""
    for heads in product(range(n + 1), repeat=n):
        if heads.count(0) == 1 and all(acyclic(heads, word) for word in range(1, n + 1)):
            yield heads


def acyclic(heads, word):
    for _ in range(len(heads) + 1):
        if word == 0:
            return True
        word = heads[word - 1]
    return False


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_best_trees_are_those_of_an_enumeration(n):
    rng = np.random.default_rng(n)
    everything, projective = list(all_trees(n)), projective_trees(n)
    crossing = 0
    for number in range(60):
        weights = rng.integers(0, 5 if number % 2 else 1000, (n, n + 1)).astype(float)
        if number % 3 == 0:
            weights[:, 0] += 500  # many roots would be better
        for function, trees in ((best_arborescence, everything), (best_projective_tree, projective)):
            heads = tuple(function(weights).tolist())
            assert heads in trees
            best = max(weights[range(n), tree].sum() for tree in trees)
            assert weights[range(n), heads].sum() == best
        crossing += tuple(best_arborescence(weights).tolist()) not in projective
    assert crossing > 0 or n < 4


# The model -----------------------------------------------------------------------------------------------------------


def fitted(**parameters):
    return ReducibilityModel(**{"sweeps": 20, "parse_sweeps": 10} | parameters).fit(TEXT)


def test_a_seed_reproduces_and_another_differs():
    one, again, other = (fitted(random_state=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.heads_, again.heads_)
    assert np.array_equal(one.log_probabilities_, again.log_probabilities_)
    assert not np.array_equal(one.log_probabilities_, other.log_probabilities_)
    new = TEXT[TEXT["sentence"] > 1]
    assert one.predict(new).tolist() == again.predict(new).tolist()


@pytest.mark.parametrize(
    "parameters",
    [{}, {"directed": True, "fertility": "pair"}, {"lexical": True}, {"decoding": "projective"},
     {"decoding": "annealed"}, {"smoothing": "length", "lowercase": True}],
    ids=str,
)  # fmt: skip
def test_the_training_text_keeps_its_trees_and_other_text_has_trees(parameters):
    model = fitted(**parameters)
    assert model.predict(TEXT).tolist() == model.heads_.tolist()
    assert model.edges_["count"].sum() == model.fertilities_["count"].sum() == len(TEXT)
    assert model.edges_.query("side == 'root'")["count"].sum() == 4 and len(model.log_probabilities_) == 20
    new = pd.DataFrame({"sentence": 0, "form": list("abcdefg"), "fine": ["N", "V", "new", "D", "N", "newer", "V"]})
    heads = model.predict(new)
    assert is_tree(heads.tolist())
    if parameters.get("decoding") in ("projective", "annealed"):
        assert is_projective_tree(heads.tolist())


def is_tree(heads):
    return heads.count(0) == 1 and all(acyclic(heads, word) for word in range(1, len(heads) + 1))


def test_the_counts_that_are_kept_are_those_of_the_chain():
    for parameters in ({}, {"directed": True, "fertility": "pair"}):
        model = fitted(decoding="annealed", **parameters)  # whose trees are the last ones
        sentences = [model.heads_[(TEXT["sentence"] == s).to_numpy()] for s in range(4)]
        edges, fertilities = Counter(), Counter()
        for s, heads in enumerate(sentences):
            tags = TEXT.loc[TEXT["sentence"] == s, "fine"].tolist()
            for word, head in enumerate(heads, start=1):
                side = "root" if not head else ("right" if word > head else "left") if parameters else "both"
                edges[tags[head - 1] if head else "", side, tags[word - 1]] += 1
                left = sum(one == word for one in heads[: word - 1])
                right = sum(one == word for one in heads[word:])
                fertilities[(tags[word - 1], left, right) if parameters else (tags[word - 1], left + right, 0)] += 1
        table = model.edges_.set_index(["parent", "side", "child"])["count"]
        assert table.to_dict() == dict(edges)
        assert model.fertilities_.set_index(["tag", "left", "right"])["count"].to_dict() == dict(fertilities)
        counts = model._counts(6)
        assert counts.edges.sum() == counts.parents.sum() == counts.tags.sum() == len(TEXT)


def test_parsing_leaves_the_counts_as_they_are_and_uses_them():
    tokens = pd.DataFrame({"sentence": np.repeat(np.arange(40), 2), "form": ["a", "b"] * 40, "fine": ["A", "B"] * 40})
    model = ReducibilityModel(sweeps=30, delta=0, random_state=0).fit(tokens)
    root = "B" if model.edges_.query("side == 'root' and child == 'B'")["count"].sum() > 20 else "A"
    new = pd.DataFrame({"sentence": 0, "form": list("xyz"), "fine": ["A", "A", "B"] if root == "A" else list("ABB")})
    before = model.edges_.copy()
    heads = model.predict(new)
    pd.testing.assert_frame_equal(model.edges_, before)
    assert new["fine"][heads.eq(0)].tolist() == [root]


def test_long_sentences_are_left_out_of_training_and_parsed_afterwards():
    model = fitted(max_length=3)
    assert model.n_sentences_ == 2
    left_out = (TEXT["sentence"] >= 2).to_numpy()
    assert (model.heads_ == -1).tolist() == left_out.tolist()
    heads = model.predict(TEXT)
    assert heads[~left_out].tolist() == model.heads_[~left_out].tolist()
    for s in (2, 3):
        assert is_tree(heads[TEXT["sentence"] == s].tolist())


def test_punctuation_is_attached_to_the_word_before_it():
    marked = pd.DataFrame({
        "sentence": [0, 0, 0, 0], "form": ["go", ",", "dog", "!"], "fine": ["V", ",", "N", "."],
        "universal": ["VERB", "PUNCT", "NOUN", "PUNCT"],
    })  # fmt: skip
    heads = ReducibilityModel(sweeps=5).fit(marked).heads_
    assert heads[1] == 1 and heads[3] == 3 and sorted([heads[0], heads[2]])[0] == 0


def test_scores_of_a_larger_text_and_lists_of_tags():
    lists = [["D", "N", "V"], ["N", "V"]]
    scores = reducibility_scores(TEXT)
    with pytest.raises(ValueError, match="lists of tags have no words"):
        ReducibilityModel().fit(lists)
    model = ReducibilityModel(sweeps=5).fit(lists, reducibility=scores)
    assert model.reducibility_ is scores and [len(heads) for heads in model.predict(lists)] == [3, 2]
    assert len(ReducibilityModel(sweeps=5, delta=0).fit(lists).reducibility_) == 0
    with pytest.raises(ValueError, match="lexical fertility needs words"):
        ReducibilityModel(sweeps=5, delta=0, lexical=True).fit(lists)


def test_frequent_words_have_a_smaller_beta():
    model = fitted(lexical=True, lexical_beta=0.5)
    coded_words = model.frequencies_.set_index("form")["count"]
    assert coded_words["dog"] == 3 and coded_words.sum() == len(TEXT)
    from analysis.dependencies.models.sequences import encode_sequences

    coded = encode_sequences(TEXT, "fine")
    beta = model._text(TEXT, coded, np.ones(4, bool)).beta
    assert beta[1] == pytest.approx(0.5 / (3 / 14)) and beta[0] == pytest.approx(0.5 / (3 / 14))
    assert beta[5] == pytest.approx(0.5 / (1 / 14))


@pytest.mark.parametrize(
    ("parameters", "said"),
    [({"alpha": 0}, "alpha"), ({"gamma": -1}, "gamma"), ({"burn_in": 1}, "burn_in is 1"), ({"sweeps": 0}, "sweeps"),
     ({"fertility": "many"}, "fertility"), ({"decoding": "best"}, "decoding"), ({"annealing": (1, 0)}, "annealing"),
     ({"max_length": 1}, "no sentence of 1 to 1 words")],
)  # fmt: skip
def test_parameters_out_of_range_are_refused(parameters, said):
    with pytest.raises(ValueError, match=said):
        fitted(**parameters)
