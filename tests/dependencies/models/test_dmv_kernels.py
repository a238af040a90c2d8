import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies.models import dmv_kernels as kernels
from analysis.dependencies.models.dmv_parameters import Parameters, normalised
from tests.dependencies.models.enumeration import enumerated, factor, projective_trees, tree_probability, uses

N_TAGS = 3


def random_parameters(seed, n_tags=N_TAGS, zeros=0.0):
    rng = np.random.default_rng(seed)
    shapes = [array.shape for array in Parameters.zeros(n_tags).arrays()]
    return normalised(Parameters(*(rng.random(shape) * (rng.random(shape) >= zeros) for shape in shapes)))


def expectation(sentences, parameters, weights=None, power=1.0, kernel=kernels.expected_counts, scale=4.0):
    counts = Parameters.zeros(len(parameters.root))
    words = np.concatenate([np.asarray(tags, dtype=np.int64) for tags in sentences])
    starts = np.append(0, np.cumsum([len(tags) for tags in sentences])).astype(np.int64)
    weights = np.ones(len(sentences)) if weights is None else np.asarray(weights, dtype=np.float64)
    value, impossible = kernel(
        (words, starts, weights), 0, len(sentences), *parameters.factors(power), scale, True, counts.arrays()
    )
    return value, impossible, counts


def same_counts(counts, expected):
    """Whether arrays of counts are those of a Counter, and nothing else."""
    for name, value in expected.items():
        assert factor(counts.arrays(), name) == pytest.approx(value, abs=1e-12), name
    assert sum(array.sum() for array in counts.arrays()) == pytest.approx(sum(expected.values()))


@pytest.fixture(params=["plain", "logarithms"])
def arithmetic(request, monkeypatch):
    """Short sentences in both kinds of arithmetic: an enormous scale sends the sums to logarithms."""
    return {"plain": 4.0, "logarithms": 1e300}[request.param]


def test_there_are_1_2_7_30_143_projective_trees():
    assert [len(projective_trees(n)) for n in range(1, 6)] == [1, 2, 7, 30, 143]


@pytest.mark.parametrize("zeros", [0.0, 0.3])
@pytest.mark.thorough
def test_every_sentence_of_up_to_5_words_agrees_with_the_list_of_its_trees(arithmetic, zeros):
    parameters = random_parameters(1, zeros=zeros)
    for n in range(1, 6):
        for tags in itertools.product(range(N_TAGS), repeat=n):
            total, expected, edges, best = enumerated(tags, parameters.arrays())
            value, impossible, counts = expectation([tags], parameters, scale=arithmetic)
            heads = np.zeros(n, dtype=np.int64)
            found = kernels.viterbi(np.array(tags), parameters.factors()[1], heads)
            assert found == pytest.approx(best)
            if total == 0:
                assert impossible == 1
                continue
            assert impossible == 0
            assert value == pytest.approx(np.log(total))
            same_counts(counts, expected)
            assert np.log(tree_probability(tags, heads, parameters.arrays())) == pytest.approx(best)
            posteriors = np.zeros((n + 1, n))
            kernels.head_posteriors(np.array(tags), *parameters.factors(), arithmetic, posteriors)
            for head in range(n + 1):
                for child in range(1, n + 1):
                    assert posteriors[head, child - 1] == pytest.approx(edges[head, child], abs=1e-12)


@given(st.lists(st.integers(0, N_TAGS - 1), min_size=1, max_size=5), st.integers(0, 10**6), st.floats(1, 4))
def test_powers_of_the_factors_are_powers_of_the_trees(tags, seed, power):
    parameters = random_parameters(seed)
    total, expected, _, _ = enumerated(tags, parameters.arrays(), power)
    value, _, counts = expectation([tags], parameters, power=power)
    assert value == pytest.approx(np.log(total))
    same_counts(counts, expected)


def test_very_high_powers_leave_only_the_best_tree():
    parameters = random_parameters(5)
    tags = [0, 1, 2, 1, 0]
    _, _, counts = expectation([tags], parameters, power=5000.0)  # far below the smallest double
    _, _, best = expectation([tags], parameters, kernel=kernels.viterbi_counts)
    for array, other in zip(counts.arrays(), best.arrays(), strict=True):
        assert array == pytest.approx(other, abs=1e-9)


@given(st.lists(st.integers(0, N_TAGS - 1), min_size=1, max_size=12), st.integers(0, 10**6))
def test_each_word_has_one_head_and_stops_once_on_each_side(tags, seed):
    _, _, counts = expectation([tags], random_parameters(seed))
    n = len(tags)
    assert counts.root.sum() == pytest.approx(1)
    assert counts.attach.sum() == pytest.approx(n - 1)
    assert counts.go.sum() == pytest.approx(n - 1)
    assert counts.stop[0].sum() == pytest.approx(n)
    assert counts.stop[1].sum() == pytest.approx(n)


@given(st.lists(st.integers(0, N_TAGS - 1), min_size=1, max_size=12), st.integers(0, 10**6))
def test_the_mirror_image_of_a_sentence_has_the_mirror_image_of_its_counts(tags, seed):
    parameters = random_parameters(seed)
    mirrored = Parameters(parameters.root, *(np.ascontiguousarray(a[::-1]) for a in parameters.arrays()[1:]))
    value, _, counts = expectation([tags], parameters)
    other, _, others = expectation([tags[::-1]], mirrored)
    assert value == pytest.approx(other)
    assert counts.attach[0] == pytest.approx(others.attach[1], abs=1e-12)
    assert counts.stop[1] == pytest.approx(others.stop[0], abs=1e-12)


def test_long_sentences_agree_in_both_kinds_of_arithmetic():
    tags = np.random.default_rng(2).integers(0, N_TAGS, 40).tolist()
    parameters = random_parameters(3)
    value, _, counts = expectation([tags], parameters)
    other, _, others = expectation([tags], parameters, scale=1e300)
    assert value == pytest.approx(other, rel=1e-12)
    for array, another in zip(counts.arrays(), others.arrays(), strict=True):
        assert array == pytest.approx(another, rel=1e-9)


@pytest.mark.parametrize("length", [41, 80, 120])
def test_sentences_above_40_words_are_summed_with_plain_numbers_and_agree_with_logarithms(length):
    tags = np.random.default_rng(length).integers(0, N_TAGS, length)
    parameters = random_parameters(3)
    value, _, counts = expectation([tags], parameters)
    charts = np.empty((2, kernels._LAYERS, length, length))
    factors, logs = parameters.factors()
    assert kernels._expect(tags, factors, logs, 4.0, True, charts[0]) == value
    scale = kernels._scale_of(tags, factors, 4.0, charts[1])
    total = kernels._inside(tags, factors, scale, charts[1])
    assert 1e-40 < total < 1e40, "the scale fits the sentence"
    assert kernels._share_out(tags, factors, scale, total, charts[1])
    assert kernels._share_out_logs(tags, logs, charts[1]) == pytest.approx(value, rel=1e-13)
    upper = np.triu_indices(length)
    for layer in range(6):
        plain, other = (chart[layer][upper] for chart in charts)
        np.testing.assert_allclose(plain, other, rtol=1e-9, atol=1e-15)
    assert counts.attach.sum() == pytest.approx(length - 1)


def test_a_sentence_whose_halves_are_far_from_equally_probable_is_summed_in_logarithms():
    parameters = random_parameters(3)
    tags = np.repeat([0, 1], 60)
    rare = Parameters(*(array.copy() for array in parameters.arrays()))
    rare.attach[:, :, 1] *= 1e-9  # the first 40 words do not show it
    value, impossible, counts = expectation([tags], rare)
    chart = np.empty((kernels._LAYERS, 120, 120))
    assert value == pytest.approx(kernels._share_out_logs(tags, rare.factors()[1], chart), rel=1e-13)
    assert impossible == 0 and counts.attach.sum() == pytest.approx(119)


def test_the_scale_changes_nothing_at_all():
    parameters = random_parameters(4)
    sentences = [[0, 1, 2, 1], [2, 2], [1]]
    one, other = (expectation(sentences, parameters, scale=scale) for scale in (2.0, 64.0))
    assert one[0] == pytest.approx(other[0], rel=1e-14)
    for array, another in zip(one[2].arrays(), other[2].arrays(), strict=True):
        assert (array == another).all()


def test_a_sentence_of_300_words_has_a_probability():
    tags = np.random.default_rng(2).integers(0, N_TAGS, 300)
    parameters = random_parameters(3)
    counts = Parameters.zeros(N_TAGS)
    value, impossible = kernels.expected_counts(
        (tags, np.array([0, 300]), np.ones(1)), 0, 1, *parameters.factors(), 4.0, False, counts.arrays()
    )
    assert np.isfinite(value)
    assert impossible == 0
    assert counts.root.sum() == 0


def test_weights_repeat_a_sentence():
    parameters = random_parameters(6)
    one = expectation([[0, 1], [0, 1], [2]], parameters)
    other = expectation([[0, 1], [2]], parameters, weights=[2, 1])
    assert one[0] == pytest.approx(other[0])
    assert one[2].attach == pytest.approx(other[2].attach)


def test_the_counts_of_one_tree_are_its_uses():
    tags, heads = [0, 1, 2, 1, 0], [2, 0, 5, 5, 2]
    counts = Parameters.zeros(N_TAGS)
    kernels.count_tree(np.array(tags), np.array(heads), 2.0, counts.arrays())
    same_counts(counts, {name: 2 * times for name, times in uses(tags, heads).items()})


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_the_best_tree_is_the_best_of_all(n, seed):
    rng = np.random.default_rng(seed)
    root, edge = rng.random(n), rng.random((n, n))
    heads = np.zeros(n, dtype=np.int64)
    free = np.zeros((2, n, 2))
    value = kernels.best_tree(root, edge, free, free, heads)

    def worth(tree):
        return sum(root[i] if head == 0 else edge[head - 1, i] for i, head in enumerate(tree))

    assert value == pytest.approx(max(map(worth, projective_trees(n))))
    assert worth(heads) == pytest.approx(value)


def transcribed_harmonic(sentences, constant, by_head):
    """The definition word by word: soft heads, then stops of independent children."""
    counts = Parameters.zeros(N_TAGS)
    for tags in sentences:
        n = len(tags)
        w = [[0.0 if i == j else 1 / (abs(i - j) + constant) for j in range(n)] for i in range(n)]
        if by_head:
            w = [[x / sum(row) if sum(row) else 0.0 for x in row] for row in w]
        columns = [sum(w[i][j] for i in range(n)) for j in range(n)]
        P = [[(1 - 1 / n) * w[i][j] / columns[j] if columns[j] else 0.0 for j in range(n)] for i in range(n)]
        for i, head in enumerate(tags):
            counts.root[head] += 1 / n
            for side, children in ((0, range(i)), (1, range(i + 1, n))):
                for j in children:
                    counts.attach[side, head, tags[j]] += P[i][j]
                p0 = np.prod([1 - P[i][j] for j in children])
                expected = sum(P[i][j] for j in children)
                counts.stop[side, head, 0] += p0
                counts.go[side, head, 0] += 1 - p0
                counts.go[side, head, 1] += expected - (1 - p0)
                counts.stop[side, head, 1] += 1 - p0
    return counts


@pytest.mark.parametrize("by_head", [False, True])
@pytest.mark.parametrize("constant", [0.0, 2.0])
def test_harmonic_counts_are_a_transcription_of_their_definition(constant, by_head):
    sentences = [[0], [0, 1], [1, 2, 0], [2, 2, 1, 0, 1], [1]]
    counts = Parameters.zeros(N_TAGS)
    words, starts = np.concatenate(sentences), np.array([0, 1, 3, 6, 11, 12])
    kernels.harmonic_counts(words, starts, np.ones(5), constant, by_head, counts.arrays())
    expected = transcribed_harmonic(sentences, constant, by_head)
    for array, other in zip(counts.arrays(), expected.arrays(), strict=True):
        assert array == pytest.approx(other, abs=1e-12)
    for array, other in zip(normalised(counts).arrays(), normalised(expected).arrays(), strict=True):
        assert array == pytest.approx(other, abs=1e-12)


def test_the_soft_heads_of_three_words_are_what_hand_and_pencil_give():
    # word 1: weights 1 (word 2) and 1/2 (word 3), so 2/3 and 1/3 of the 2/3 that the root leaves
    soft = kernels.soft_heads(3, 0.0, False)
    assert soft[:, 0] == pytest.approx([0, 4 / 9, 2 / 9])
    assert soft[:, 1] == pytest.approx([1 / 3, 0, 1 / 3])
    assert kernels.soft_heads(1, 0.0, False).tolist() == [[0]]


def test_normalising_by_head_gives_every_word_as_many_arguments_before_the_columns_are_scaled():
    # three words, weights by head: 1 gives 2/3 to 2, 1/3 to 3; 2 gives 1/2 each; 3 gives 1/3 to 1, 2/3 to 2
    soft = kernels.soft_heads(3, 0.0, True)
    assert soft[:, 0] == pytest.approx([0, 2 / 3 * 3 / 5, 2 / 3 * 2 / 5])
    assert soft[:, 1] == pytest.approx([1 / 3, 0, 1 / 3])
