import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.dependencies.models import DMV
from analysis.dependencies.models.dmv_parameters import Parameters, divergence, normalised, variational
from tests.dependencies.models.enumeration import enumerated, is_projective_tree

CORPORA = st.lists(st.lists(st.sampled_from("DNVA"), min_size=1, max_size=6), min_size=1, max_size=12)
SENTENCES = [list(tags) for tags in ("DNV", "NV", "VDN", "DNVDN", "ADNV", "VN", "DANVDN", "N", "VADN", "DNVN")]


def arrays(model):
    stop = model.stop_["stop"].to_numpy().reshape(2, -1, 2)
    return model.root_.to_numpy(), np.stack([model.attach_left_, model.attach_right_]), stop, 1 - stop


def log_likelihood(model, sentences):
    codes = {tag: code for code, tag in enumerate(model.tags_)}
    return sum(np.log(enumerated([codes[tag] for tag in tags], arrays(model))[0]) for tags in sentences)


@settings(deadline=None)
@given(CORPORA, st.sampled_from(["harmonic", "uniform"]), st.sampled_from(["child", "head"]))
def test_the_log_likelihood_never_falls(sentences, initializer, normalise):
    model = DMV(initializer, normalise, iterations=15).fit(sentences)
    steps = np.diff(model.log_likelihoods_)
    assert (steps >= -1e-9 * np.abs(model.log_likelihoods_[1:])).all()
    assert (model.objectives_ == model.log_likelihoods_).all()


@pytest.mark.parametrize(
    "options",
    [
        {"unambiguity": 0.3},
        {"unambiguity": 0.8},
        {"unambiguity": 1.0},
        {"smoothing": 0.5},
        {"prior": 0.2},
        {"prior": 2.0},
        {"prior": 0.3, "unambiguity": 0.5},
        {"smoothing": 0.1, "unambiguity": 0.5},
    ],
    ids=str,
)
@pytest.mark.parametrize("initializer", ["harmonic", "uniform"])
def test_the_objective_never_falls(options, initializer):
    model = DMV(initializer, iterations=40, **options).fit(SENTENCES)
    objective = model.objectives_
    if "prior" in options:
        assert np.isnan(objective[0])
        objective = objective[1:]
    assert np.isfinite(objective[1:]).all()
    assert (np.diff(objective) >= -1e-9 * np.abs(objective[1:])).all()
    assert objective[-1] > objective[1] + 1e-3  # and something was learnt


def test_a_log_likelihood_belongs_to_the_parameters_before_the_update():
    model = DMV(iterations=4, keep_history=True).fit(SENTENCES)
    for k in range(4):
        before = model.at_iteration(k)
        small = [tags for tags in SENTENCES if len(tags) <= 5]
        big = [tags for tags in SENTENCES if len(tags) > 5]
        expected = log_likelihood(before, small) + before.score(big)
        assert model.log_likelihoods_[k] == pytest.approx(expected)
        assert before.score(SENTENCES) == pytest.approx(model.log_likelihoods_[k])


def test_one_iteration_is_the_m_step_of_the_listed_trees():
    sentences = [tags for tags in SENTENCES if len(tags) <= 5]
    model = DMV(iterations=1, keep_history=True).fit(sentences)
    codes = {tag: code for code, tag in enumerate(model.tags_)}
    counts = Parameters.zeros(len(codes))
    for tags in sentences:
        _, expected, _, _ = enumerated([codes[tag] for tag in tags], arrays(model.at_iteration(0)))
        for name, value in expected.items():
            if name[0] == "root":
                counts.root[name[1]] += value
            elif name[0] == "attach":
                counts.attach[name[1:]] += value
            else:
                getattr(counts, name[0])[name[1], name[2], 0 if name[3] else 1] += value
    for array, other in zip(arrays(model), normalised(counts).arrays(), strict=True):
        assert array == pytest.approx(other, abs=1e-12)


def test_no_ambiguity_removed_is_em_bit_for_bit_and_all_of_it_is_viterbi_em():
    plain, none = DMV(iterations=8).fit(SENTENCES), DMV(iterations=8, unambiguity=0.0).fit(SENTENCES)
    assert all((a == b).all() for a, b in zip(arrays(plain), arrays(none), strict=True))
    hard = DMV(iterations=3, unambiguity=1.0, keep_history=True).fit(SENTENCES)
    codes = {tag: code for code, tag in enumerate(hard.tags_)}
    for k in range(3):
        model = hard.at_iteration(k)
        best = (
            sum(enumerated([codes[tag] for tag in tags], arrays(model))[3] for tags in SENTENCES if len(tags) <= 5)
            + model.parse([tags for tags in SENTENCES if len(tags) > 5]).sentences["log_probability"].sum()
        )
        assert hard.objectives_[k] == pytest.approx(best)


def test_annealing_ends_in_em():
    model = DMV(iterations=30, unambiguity="annealed", annealing=10).fit(SENTENCES)
    assert (np.diff(model.log_likelihoods_[10:]) >= -1e-9).all()
    assert model.objectives_[10:] == pytest.approx(model.log_likelihoods_[10:])


def test_a_larger_unambiguity_makes_trees_more_certain():
    def entropy(model):
        p = np.concatenate([model.posteriors(tags).to_numpy().ravel() for tags in SENTENCES])
        return -(p[p > 0] * np.log(p[p > 0])).sum()

    plain, sharp = (DMV(iterations=10, unambiguity=s).fit(SENTENCES) for s in (0.0, 0.7))
    assert entropy(sharp) < entropy(plain)


def test_a_prior_below_1_makes_tables_sparser():
    plain, sparse = (DMV(iterations=20, prior=alpha).fit(SENTENCES) for alpha in (1.0, 0.01))
    assert (sparse.attach_left_ < 1e-6).sum().sum() > (plain.attach_left_ < 1e-6).sum().sum()
    assert (sparse.attach_left_.sum(axis=1) < 1).all()


def test_variational_weights_and_their_divergence_by_numerical_integration():
    from scipy import integrate, stats

    counts = Parameters.zeros(1)
    counts.root[:] = counts.attach[:] = 0
    counts.stop[1, 0, 0], counts.go[1, 0, 0] = 3.0, 1.5
    alpha = 0.7
    posterior, prior = stats.beta(3.7, 2.2), stats.beta(alpha, alpha)
    mean_log = integrate.quad(lambda x: posterior.pdf(x) * np.log(x), 0, 1)[0]
    assert variational(counts, alpha).stop[1, 0, 0] == pytest.approx(np.exp(mean_log))
    expected = integrate.quad(lambda x: posterior.pdf(x) * (posterior.logpdf(x) - prior.logpdf(x)), 0, 1)[0]
    assert divergence(counts, alpha) == pytest.approx(expected)  # all other rows have no counts, hence no divergence


def test_fitted_tables_are_distributions_with_the_tags_as_labels():
    model = DMV(iterations=5).fit(SENTENCES)
    assert model.root_.sum() == pytest.approx(1)
    assert set(model.root_.index) == set("DNVA")
    for table in (model.attach_left_, model.attach_right_):
        assert table.sum(axis=1).to_numpy() == pytest.approx(1)
        assert table.index.equals(model.root_.index.rename("head"))
    assert list(model.stop_.columns) == ["head", "direction", "adjacent", "stop"]
    assert model.stop_["stop"].between(0, 1).all()
    assert len(model.stop_) == 16


def test_rows_without_counts_attach_uniformly_and_stop():
    model = DMV(iterations=3).fit([["N", "V"]])  # nothing stands left of N or right of V
    assert model.attach_left_.loc["N"].tolist() == [0.5, 0.5]
    rows = model.stop_.set_index(["head", "direction", "adjacent"])["stop"]
    assert rows["N", "left", False] == 1
    assert rows["N", "left", True] == 1


def test_what_is_learnt_is_a_projective_tree_of_every_sentence():
    for decoding in ("viterbi", "posterior"):
        model = DMV(iterations=10, decoding=decoding).fit(SENTENCES)
        for heads in model.predict([*SENTENCES, list("DNVADNVDNVDNAAVN")]):
            assert list(heads).count(0) == 1
            assert is_projective_tree(tuple(heads.tolist()))


def test_posterior_decoding_takes_the_tree_with_the_highest_sum_of_posteriors():
    from tests.dependencies.models.enumeration import projective_trees

    model = DMV(iterations=2, decoding="posterior").fit(SENTENCES)
    for tags in SENTENCES:
        if len(tags) > 5:
            continue
        found = model.posteriors(tags)
        assert found.sum().to_numpy() == pytest.approx(1)
        worth = {
            tree: sum(found.loc[head, i] for i, head in enumerate(tree, start=1))
            for tree in projective_trees(len(tags))
        }
        assert worth[tuple(model.predict([tags])[0].tolist())] == pytest.approx(max(worth.values()))


def test_h_is_the_tree_of_the_initial_parameters():
    h = DMV(iterations=0).fit(SENTENCES)
    trained = DMV(iterations=5, keep_history=True).fit(SENTENCES)
    assert h.n_iter_ == 0
    assert len(h.log_likelihoods_) == 0
    first = trained.at_iteration(0)
    assert [tree.tolist() for tree in h.predict(SENTENCES)] == [tree.tolist() for tree in first.predict(SENTENCES)]


def test_the_uniform_initialiser_is_uniform():
    model = DMV("uniform", iterations=0).fit(SENTENCES)
    assert model.root_.tolist() == [0.25] * 4
    assert (model.attach_left_ == 0.25).all().all()
    assert (model.stop_["stop"] == 0.5).all()


def test_a_tag_that_was_never_seen_takes_no_children_and_is_not_the_root():
    model = DMV(iterations=5).fit(SENTENCES)
    parses = model.parse([["N", "?"], ["?", "V", "?"]])
    assert parses.heads.tolist() == [0, 1, 2, 0, 2]
    assert not parses.sentences["smoothed"].any()


def test_a_sentence_without_a_possible_tree_is_smoothed_and_counted():
    model = DMV(iterations=5).fit(SENTENCES)
    parses = model.parse([["?", "?", "?"], ["N", "V"], []])
    assert parses.sentences["smoothed"].tolist() == [True, False, False]
    assert sorted(parses.heads[:3])[0] == 0
    assert is_projective_tree(tuple(parses.heads[:3].tolist()))
    assert np.isfinite(parses.sentences["log_probability"]).all()
    assert model.score([["?"]]) == -np.inf
    assert model.posteriors(["?", "?"]).sum().to_numpy() == pytest.approx(1)


def test_sentences_that_are_too_long_are_not_trained_on():
    model = DMV(iterations=2, max_length=2).fit(SENTENCES)
    assert model.n_sentences_ == 3
    assert set(model.tags_) == {"N", "V"}
    with pytest.raises(ValueError, match="no sentence of 1 to 2 words"):
        DMV(max_length=2).fit([list("DNV")])


def test_equal_sentences_are_worked_out_once_with_the_same_result():
    model = DMV(iterations=6).fit(SENTENCES * 3)
    other = DMV(iterations=6).fit(SENTENCES)
    assert (model.n_sentences_, model.n_distinct_) == (30, 10)
    assert model.log_likelihoods_ == pytest.approx(3 * other.log_likelihoods_)


def test_the_number_of_threads_changes_nothing():
    rng = np.random.default_rng(0)
    sentences = [rng.choice(list("DNVA"), rng.integers(5, 9)).tolist() for _ in range(2000)]
    one, two = (DMV(iterations=5, n_jobs=jobs).fit(sentences) for jobs in (1, 2))
    assert one.n_distinct_ > 1000  # several blocks
    assert (one.log_likelihoods_ == two.log_likelihoods_).all()
    assert all((a == b).all() for a, b in zip(arrays(one), arrays(two), strict=True))


def test_training_ends_when_the_objective_hardly_rises():
    model = DMV(iterations=500, tolerance=1e-4).fit(SENTENCES)
    assert model.converged_
    assert model.n_iter_ < 500
    last = model.log_likelihoods_
    assert last[-1] - last[-2] < 1e-4 * abs(last[-1])
    assert not DMV(iterations=2).fit(SENTENCES).converged_


def tokens():
    rows = [
        (0, "Look", "VB"), (0, ",", ","), (0, "the", "DT"), (0, "duck", "NN"), (0, "!", "."),
        (3, "``", "``"), (3, "ducks", "NN"), (3, "swim", "VB"),
        (4, ".", "."), (4, "''", "''"),
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["sentence", "form", "fine"])


def test_punctuation_is_left_out_and_hangs_under_the_word_before():
    model = DMV(iterations=3).fit(tokens())
    assert set(model.tags_) == {"VB", "DT", "NN"}
    assert model.n_sentences_ == 2
    heads = model.predict(tokens())
    assert heads.name == "head"
    inner = model.predict([["VB", "DT", "NN"], ["NN", "VB"]])
    places = {0: 0, 1: 1, 2: 3, 3: 4}
    assert heads[[0, 2, 3]].tolist() == [places[head] for head in inner[0]]
    assert heads[[1, 4]].tolist() == [1, 4]
    assert heads[[6, 7]].tolist() == [head + 1 if head else 0 for head in inner[1]]
    assert heads[5] == 2  # no word before: under the word after
    assert heads[[8, 9]].tolist() == [0, 1]
    assert model.parse(tokens()).sentences[["sentence", "words"]].to_numpy().tolist() == [[0, 3], [3, 2], [4, 0]]


@settings(deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=6), min_size=1, max_size=4))
def test_trees_with_punctuation_are_projective_trees(marks):
    rows = [(s, "x", mark) for s, sentence in enumerate(marks) for mark in sentence]
    table = pd.DataFrame(rows, columns=["sentence", "fine", "punctuation"])
    model = DMV(iterations=1).fit([["x", "x", "x"], ["x"], ["x", "x"]])
    heads = model.predict(table)
    for _, sentence in heads.groupby(table["sentence"]):
        assert (sentence == 0).sum() == 1
        assert is_projective_tree(tuple(sentence.tolist()))


def test_punctuation_can_be_kept():
    model = DMV(iterations=3, keep_punctuation=True).fit(tokens())
    assert "." in model.tags_
    assert model.n_sentences_ == 3


@pytest.mark.parametrize("kind", ["str", "category"])
def test_words_in_categories_are_words(kind):
    model = DMV(iterations=3).fit(tokens().astype({"fine": kind}))
    assert sorted(model.tags_) == ["DT", "NN", "VB"]


def test_a_treebank_of_one_sentence_and_of_one_word():
    assert DMV(iterations=5).fit([["V"]]).predict([["V"]])[0].tolist() == [0]
    model = DMV(iterations=5).fit([["D", "N", "V"]])
    assert model.n_distinct_ == 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"initializer": "random"}, "initializer"),
        ({"normalise": "both"}, "normalise"),
        ({"harmonic_constant": -1}, "harmonic_constant"),
        ({"smoothing": -0.1}, "smoothing is -0.1; it must be at least 0"),
        ({"unambiguity": 1.5}, "unambiguity"),
        ({"prior": 0}, "prior"),
        ({"prior": 0.5, "smoothing": 0.1}, "replaces smoothing"),
        ({"keep_punctuation": "drop"}, "keep_punctuation"),
    ],
)
def test_parameters_out_of_range_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        DMV(**parameters).fit(SENTENCES)


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="not fitted yet"):
        DMV().predict(SENTENCES)
    with pytest.raises(ValueError, match="sentence 0 is the string 'DNV', not a list of tags"):
        DMV().fit(["DNV"])
    with pytest.raises(ValueError, match="decoding"):
        DMV(decoding="best").fit(SENTENCES).predict(SENTENCES)
    model = DMV(iterations=2).fit(SENTENCES)
    with pytest.raises(ValueError, match="keep_history=True"):
        model.at_iteration(1)
    with pytest.raises(ValueError, match="0 to 2, not 3"):
        DMV(iterations=2, keep_history=True).fit(SENTENCES).at_iteration(3)


def test_parameters_are_those_of_the_constructor():
    model = DMV(iterations=3)
    assert model.get_params()["iterations"] == 3
    assert model.set_params(smoothing=0.1).smoothing == 0.1
    assert DMV(**model.get_params()).get_params() == model.get_params()
