import itertools

import numpy as np
import pandas as pd
import pytest

from analysis.experiments.saved_models import load_model, save_model
from analysis.inflection.models import CharacterTransducer
from analysis.inflection.models import transducer_network as network
from analysis.inflection.models.edit_costs import apply_edits, cheapest_edits, learn_edit_costs

TINY = {"embedding": 12, "feature_embedding": 4, "hidden": 16, "progress": False}


def suffixing(n, random_state):
    """Nonce lemmas of three to five letters; the past ends in -ed, the plural in -s."""
    generator = np.random.default_rng(random_state)
    lemmas = ["".join(generator.choice(list("abdegiklmnoprstu"), size=generator.integers(3, 6))) for _ in range(n)]
    features = generator.choice(["V;PST", "N;PL"], size=n)
    ends = np.where(features == "V;PST", "ed", "s")
    return pd.DataFrame(
        {"lemma": lemmas, "form": [lemma + end for lemma, end in zip(lemmas, ends, strict=True)], "features": features}
    )


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="PyTorch is not installed: pip install .[neural]")


@pytest.fixture(scope="module")
def short(torch):
    return CharacterTransducer(**TINY, max_epochs=4).fit(suffixing(60, 0), suffixing(30, 1))


@pytest.fixture
def random_network(torch):
    """A network that has learnt nothing, of two written letters and, in the lemmas, three."""
    known = network.vocabulary(["abc"], ["ab"], ["V;PST"])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        return network.build_network(known, embedding=6, hidden=7, feature_embedding=3), known


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(inputs, layer, suffix=""):
    """States of an LSTM, computed with NumPy from the definition."""
    names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    w, u, b, c = (getattr(layer, name + suffix).detach().numpy().astype("float64") for name in names)
    hidden, cell, found = np.zeros(u.shape[1]), np.zeros(u.shape[1]), []
    for x in inputs:
        i, f, g, o = np.split(w @ x + b + u @ hidden + c, 4)
        cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
        hidden = sigmoid(o) * np.tanh(cell)
        found.append(hidden)
    return found


def log_probability(net, known, lemma, features, actions):
    """Of actions on a lemma, computed with NumPy; -inf if one is not allowed."""
    tables = {name: net[name].weight.detach().numpy().astype("float64") for name in ("letters", "tags", "actions")}
    read = [network.WORD_START, *(known.letters[letter] for letter in lemma), network.WORD_END]
    embedded = [tables["letters"][code] for code in read]
    back = lstm(embedded[::-1], net["encoder"], "_reverse")[::-1]
    states = [np.concatenate(pair) for pair in zip(lstm(embedded, net["encoder"]), back, strict=True)][1:]
    tags = sum(tables["tags"][known.tags[tag]] for tag in features.split(";"))
    place, places = 0, []
    for action in actions:
        places.append(place)
        reads = known.edit(action).kind in ("COPY", "SUB", "DEL")
        if reads and place == len(lemma):
            return -np.inf
        place += reads
    before = [network.BEGIN, *actions[:-1]]
    inputs = [np.concatenate([states[at], tables["actions"][last], tags])
              for at, last in zip(places, before, strict=True)]  # fmt: skip
    weight, bias = (part.detach().numpy().astype("float64") for part in (net["output"].weight, net["output"].bias))
    total = 0.0
    for at, action, state in zip(places, actions, lstm(inputs, net["decoder"]), strict=True):
        logits = weight @ state + bias
        codes = [code for code in range(1, known.n_actions)
                 if at < len(lemma) or known.edit(code).kind in ("END", "INS")]  # fmt: skip
        total += logits[action] - np.log(np.exp(logits[codes]).sum())
    return float(total)


def sequences(known, longest):
    """Every sequence of actions that ends with END, of at most so many actions."""
    others = [code for code in range(1, known.n_actions) if code != network.FINISH]
    for length in range(longest):
        for before in itertools.product(others, repeat=length):
            yield [*before, network.FINISH]


def test_a_loss_of_a_batch_is_the_mean_of_those_of_its_items(torch, random_network):
    net, known = random_network
    lemmas, forms, features = ["a", "abcab", "cb"], ["ab", "b", "abbabb"], ["V", "V;PST", "PST"]
    edits = cheapest_edits(lemmas, forms, learn_edit_costs(lemmas, forms))

    def loss(chosen):
        read = network.reading([lemmas[i] for i in chosen], [features[i] for i in chosen], known)
        return float(network.batch_loss(net, read, network.steps([edits[i] for i in chosen], known), known).detach())

    assert loss([0, 1, 2]) == pytest.approx(np.mean([loss([i]) for i in range(3)]), abs=1e-5)
    for i in range(3):
        codes = [known.code(edit) for edit in edits[i]]
        expected = -log_probability(net, known, lemmas[i], features[i], codes) / len(codes)
        assert loss([i]) == pytest.approx(expected, abs=1e-5)


def test_greedy_decoding_takes_the_best_allowed_action_at_each_step(random_network):
    net, known = random_network
    actions, scores = network.greedy_search(net, network.reading(["ab"], ["V"], known), known, max_actions=6)
    for length in range(len(actions[0])):
        before = actions[0][:length]
        found = [log_probability(net, known, "ab", "V", [*before, code]) for code in range(1, known.n_actions)]
        assert 1 + int(np.argmax(found)) == actions[0][length]
    assert scores[0] == pytest.approx(log_probability(net, known, "ab", "V", actions[0]), abs=1e-5)


def test_a_beam_of_one_is_greedy(random_network, short):
    net, known = random_network
    read = network.reading(["ab", "", "cacb", "z"], ["V", "PST", "", "V;X"], known)
    greedy, one = network.greedy_search(net, read, known), network.beam_search(net, read, known, 1)
    assert greedy[0] == one[0]
    np.testing.assert_allclose(greedy[1], one[1], atol=1e-5)


@pytest.mark.parametrize("lemma", ["a", "cb"])
def test_a_beam_as_wide_as_all_beginnings_finds_the_most_probable_actions(random_network, lemma):
    net, known = random_network
    every = [(log_probability(net, known, lemma, "V;PST", actions), actions) for actions in sequences(known, 4)]
    best, expected = max(every)
    read = network.reading([lemma], ["V;PST"], known)
    actions, scores = network.beam_search(net, read, known, known.n_actions**4, max_actions=4)
    assert actions == [expected] and scores[0] == pytest.approx(best, abs=1e-5)


def test_each_end_narrows_the_beam_and_the_best_finished_hypothesis_wins(random_network):
    net, known = random_network
    read = network.reading(["ab"], ["V"], known)
    for width in (2, 3, 4):
        going, finished = [([], 0.0)], []
        left = width
        for _ in range(8):
            grown = [([*before, code], log_probability(net, known, "ab", "V", [*before, code]))
                     for before, _ in going for code in range(1, known.n_actions)]  # fmt: skip
            kept = sorted(grown, key=lambda pair: -pair[1])[:left]
            finished += [pair for pair in kept if pair[0][-1] == network.FINISH]
            going = [pair for pair in kept if pair[0][-1] != network.FINISH]
            left = len(going)
            if not left:
                break
        expected = max(finished or going, key=lambda pair: pair[1])
        actions, scores = network.beam_search(net, read, known, width, max_actions=8)
        assert actions == [expected[0]] and scores[0] == pytest.approx(expected[1], abs=1e-5)


def test_items_are_decoded_together_as_alone(short):
    items = suffixing(12, 6)
    for width in (1, 4):
        model = short.set_params(beam_width=width)
        together = model.predict_with_scores(items)
        alone = pd.concat([model.predict_with_scores(items.iloc[[number]]) for number in range(len(items))])
        assert (together["predicted"] == alone["predicted"]).all()
        np.testing.assert_allclose(together["log_probability"], alone["log_probability"], atol=1e-4)
    short.set_params(beam_width=1)


def test_it_learns_suffixes_by_features(torch):
    seen, held_out = suffixing(150, 0), suffixing(60, 1)
    held_out = held_out[~held_out["lemma"].isin(seen["lemma"])]
    model = CharacterTransducer(embedding=24, hidden=40, feature_embedding=8, max_epochs=15, progress=False)
    model.fit(seen, suffixing(30, 2))
    assert (model.predict(held_out) == held_out["form"]).mean() >= 0.9
    assert model.losses_[-1] < model.losses_[0] / 4
    assert model.edits_["END"] == 150 and model.edits_["COPY"] > 450


def test_a_seed_decides_and_the_global_generator_is_left_alone(torch):
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    first, again, other = (
        CharacterTransducer(**TINY, max_epochs=2, random_state=seed).fit(suffixing(20, 0)) for seed in (3, 3, 4)
    )
    assert (first.losses_ == again.losses_).all() and (first.losses_ != other.losses_).any()
    assert all((first.weights_[name] == again.weights_[name]).all() for name in first.weights_)
    assert torch.equal(before, torch.get_rng_state()) and torch.get_num_threads() == threads


def test_the_first_of_the_best_passes_is_kept_and_patience_ends_training(torch):
    seen, tuning = suffixing(20, 0), suffixing(5, 1)
    model = CharacterTransducer(**TINY, max_epochs=60, patience=3).fit(seen, tuning)
    scores = model.tuning_
    assert model.chosen_epoch_ == scores.loc[scores["right"].idxmax(), "epoch"]
    assert len(scores) == min(model.chosen_epoch_ + 3, 60) == len(model.losses_)
    assert (model.predict(tuning) == tuning["form"]).sum() == scores["right"].max()
    plain = CharacterTransducer(**TINY, max_epochs=2).fit(seen)
    assert plain.chosen_epoch_ == 2 and plain.tuning_.empty


def test_fitting_again_starts_anew(torch):
    seen = suffixing(20, 0)
    model = CharacterTransducer(**TINY, max_epochs=2).fit(suffixing(30, 4))
    again = model.set_params(hidden=9).fit(seen)
    fresh = CharacterTransducer(**TINY | {"hidden": 9}, max_epochs=2).fit(seen)
    assert (again.losses_ == fresh.losses_).all()


def test_a_saved_model_predicts_as_before_in_either_decoding(short, tmp_path):
    save_model(short, tmp_path / "t.model")
    loaded = load_model(tmp_path / "t.model", CharacterTransducer)
    items = suffixing(10, 7)
    for width in (1, 4):
        before = short.set_params(beam_width=width).predict_with_scores(items)
        pd.testing.assert_frame_equal(loaded.set_params(beam_width=width).predict_with_scores(items), before)
    short.set_params(beam_width=1)
    pd.testing.assert_frame_equal(loaded.tuning_, short.tuning_)


def test_letters_and_features_that_training_did_not_show_are_read_and_can_only_be_copied(torch, short):
    items = pd.DataFrame({"lemma": ["ñ", "χyz", "ñabdi"], "features": ["V;FUT", "", "V;PST"]})
    for lemma, form in zip(items["lemma"], short.predict(items), strict=True):
        assert set(form) <= set("abdegiklmnoprstu") | set(lemma)
    known, net = short._vocabulary, short._built()
    read = network.reading(["ñ"], ["FUT"], known)
    _, tags = network.encode(net, read)
    mean = net["tags"].weight[1:].mean(0)
    assert torch.allclose(tags[0], mean, atol=1e-6)
    letters = net["letters"].weight[network.N_READ :].mean(0)
    assert torch.allclose(network._embed(net["letters"], read.symbols, network.N_READ)[0, 1], letters, atol=1e-6)


def test_what_never_ends_is_cut_off(torch, random_network):
    net, known = random_network
    with torch.no_grad():
        net["output"].bias[network.FINISH] = -1e4
    read = network.reading(["ab"], ["V"], known)
    for actions, _ in (network.greedy_search(net, read, known), network.beam_search(net, read, known, 2)):
        assert len(actions[0]) == 150 == network.MAX_ACTIONS
        assert len(apply_edits("ab", [known.edit(code) for code in actions[0]])) <= 150


def test_an_answer_says_how_it_was_found(short):
    form, why = short.explain("abi", "V;PST")
    assert isinstance(form, str) and "greedy" in why
    assert "beam of 4" in short.set_params(beam_width=4).explain("abi", "V;PST")[1]
    short.set_params(beam_width=1)


def test_bad_parameters_are_refused():
    seen = suffixing(3, 0)
    with pytest.raises(ValueError, match="training set"):
        CharacterTransducer().fit(pd.DataFrame({"lemma": [], "form": []}, dtype="str"))
    for name in ("hidden", "batch_size", "max_epochs", "patience", "beam_width"):
        with pytest.raises(ValueError, match=f"{name} is 0; it must be at least 1"):
            CharacterTransducer(**{name: 0}).fit(seen)
    with pytest.raises(ValueError, match="em_iterations is -1"):
        CharacterTransducer(em_iterations=-1).fit(seen)
    with pytest.raises(ValueError, match="rho from 0 to below 1"):
        CharacterTransducer(rho=1.0).fit(seen)
    with pytest.raises(ValueError, match="not fitted"):
        CharacterTransducer().predict(seen)
