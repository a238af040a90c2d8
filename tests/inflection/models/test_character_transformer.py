import builtins
import itertools

import numpy as np
import pandas as pd
import pytest

from analysis.inflection.models import CharacterTransformer
from analysis.inflection.models import character_network as network

TINY = {
    "layers": 1,
    "heads": 2,
    "embedding": 32,
    "feed_forward": 64,
    "dropout": 0.0,
    "warm_up": 50,
    "learning_rate": 0.003,
    "batch_size": 32,
    "progress": False,
}


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
    return CharacterTransformer(**TINY, max_updates=60, evaluate_every=20).fit(suffixing(100, 0), suffixing(30, 1))


def test_a_tiny_one_learns_suffixes(torch):
    seen, held_out = suffixing(600, 0), suffixing(200, 1)
    held_out = held_out[~held_out["lemma"].isin(seen["lemma"])]
    model = CharacterTransformer(**TINY, max_updates=1200, evaluate_every=300).fit(seen)
    right = int((model.predict(held_out) == held_out["form"]).sum())
    assert right >= 0.95 * len(held_out)
    assert model.losses_[-1] < model.losses_[0]


def test_a_seed_decides_and_the_global_generator_is_left_alone(torch):
    before = torch.get_rng_state()
    choices = TINY | {"dropout": 0.2, "max_updates": 5}
    first, again, other = (
        CharacterTransformer(**choices, random_state=seed).fit(suffixing(20, 0)).losses_ for seed in (3, 3, 4)
    )
    assert (first == again).all() and (first != other).any()
    assert torch.equal(before, torch.get_rng_state())


def test_a_stopped_training_goes_on_from_its_checkpoint_as_if_it_had_not_stopped(torch, tmp_path):
    choices = TINY | {"dropout": 0.2, "evaluate_every": 4}
    seen, tuning = suffixing(50, 0), suffixing(10, 1)
    whole = CharacterTransformer(**choices, max_updates=10).fit(seen, tuning)
    path = tmp_path / "kept" / "model.pt"
    CharacterTransformer(**choices, max_updates=8, checkpoint=path).fit(seen, tuning)
    resumed = CharacterTransformer(**choices, max_updates=10, checkpoint=path).fit(seen, tuning)
    assert (whole.losses_ == resumed.losses_).all()
    pd.testing.assert_frame_equal(whole.tuning_, resumed.tuning_)
    pd.testing.assert_frame_equal(whole.predict_with_scores(tuning), resumed.predict_with_scores(tuning))
    with pytest.raises(ValueError, match="on other items or with other parameters"):
        CharacterTransformer(**choices, max_updates=10, checkpoint=path).fit(seen.head(9), tuning)


def test_the_first_of_the_best_checkpoints_is_kept(short):
    scores = short.tuning_
    assert scores["update"].tolist() == [20, 40, 60] and (scores["n"] == 30).all()
    assert short.chosen_update_ == scores.loc[scores["right"].idxmax(), "update"]


def test_the_order_of_feature_tags_says_nothing(short):
    items = pd.DataFrame({"lemma": ["lip", "lip"], "features": ["V;PST", "PST;V"]})
    found = short.predict_with_scores(items)
    assert found.iloc[0].tolist() == found.iloc[1].tolist()


def test_greedy_decoding_takes_the_best_symbol_at_each_step(torch, short):
    read = network.source(["lib"], ["N;PL"], short._alphabet)
    written = [network.START]
    with torch.no_grad():
        states, padding = network.encode(short._network, read)
        while written[-1] != network.END and len(written) <= 3 + short.extra_length:
            logits = network.next_symbols(short._network, states, padding, torch.tensor([written]))[0, -1]
            logits[[network.PAD, network.START, network.UNKNOWN]] = -torch.inf
            written.append(int(logits.argmax()))
    expected = network.spelt(written[1:], short._alphabet)
    assert short.predict(pd.DataFrame({"lemma": ["lib"], "features": ["N;PL"]})).tolist() == [expected]


def test_a_beam_as_wide_as_all_beginnings_finds_the_most_probable_form(torch, short):
    read = network.source(["ab"], ["N;PL"], short._alphabet)
    letters = range(network.SPECIAL, short._alphabet.n_letters)
    every = [list(form) for length in range(3) for form in itertools.product(letters, repeat=length)]
    scores = []
    with torch.no_grad():
        states, padding = network.encode(short._network, read)
        for form in every:
            written = torch.tensor([[network.START, *form, network.END]])
            found = torch.log_softmax(network.next_symbols(short._network, states, padding, written[:, :-1]), -1)[0]
            scores.append(float(found.gather(1, written[0, 1:, None]).sum()))
    best = int(np.argmax(scores))
    forms, found = network.beam_search(short._network, read, np.array([2]), len(letters) ** 2)
    assert forms[0] == every[best]
    assert found[0] == pytest.approx(scores[best], abs=1e-4)


def test_a_beam_is_not_worse_than_greedy_on_most_items(short):
    items = suffixing(30, 5)
    greedy = short.predict_with_scores(items)["log_probability"]
    wide = short.set_params(beam_width=4).predict_with_scores(items)["log_probability"]
    short.set_params(beam_width=1)
    assert (wide >= greedy - 1e-4).mean() > 0.9


def test_padding_changes_no_prediction(short):
    items = suffixing(12, 6)
    together = short.predict_with_scores(items)
    alone = pd.concat([short.predict_with_scores(items.iloc[[number]]) for number in range(len(items))])
    assert (together["predicted"] == alone["predicted"]).all()
    np.testing.assert_allclose(together["log_probability"], alone["log_probability"], atol=1e-4)


def test_letters_and_features_that_training_did_not_show_are_read_and_never_written(short):
    items = pd.DataFrame({"lemma": ["ñ", "χyz"], "features": ["V;FUT", ""]})
    assert set("".join(short.predict(items))) <= set("abdegiklmnoprstu")
    form, why = short.explain("a", "V;PST")
    assert isinstance(form, str) and "greedy" in why


def test_without_torch_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def refuse(name, *arguments, **named):
        if name == "torch":
            raise ImportError("no module named torch")
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"pip install 'language-yardstick\[neural\]'"):
        CharacterTransformer(progress=False).fit(suffixing(3, 0))


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="training set"):
        CharacterTransformer().fit(pd.DataFrame({"lemma": [], "form": []}, dtype="str"))
    with pytest.raises(ValueError, match="embedding is 10; it must be even and a multiple of heads"):
        CharacterTransformer(embedding=10).fit(suffixing(3, 0))
    with pytest.raises(ValueError, match="dropout is 1"):
        CharacterTransformer(dropout=1).fit(suffixing(3, 0))
    with pytest.raises(ValueError, match="max_updates is 0"):
        CharacterTransformer(max_updates=0).fit(suffixing(3, 0))
    with pytest.raises(ValueError, match="not fitted"):
        CharacterTransformer().predict(suffixing(3, 0))
