import numpy as np
import pytest

from analysis.corpora.language import nursery
from analysis.dependencies import attachment_scores, sentences_without_punctuation
from analysis.dependencies.models import DMV, DMV_VARIANTS, parse_ambiguity, training_trace


@pytest.fixture(scope="module")
def some():
    return sentences_without_punctuation(nursery(), shortest=2, longest=10, first=60)


def fitted(tokens, **parameters):
    return DMV(tags="universal", iterations=3, max_length=None, keep_history=True, **parameters).fit(tokens)


def test_ambiguity_is_the_entropy_of_the_head_in_bits():
    certain = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    assert parse_ambiguity(certain) == 0
    # one word has two heads as probable (1 bit), the other is certain (0)
    assert parse_ambiguity(np.array([[0.5, 0.0], [0.0, 1.0], [0.5, 0.0]])) == 0.5
    even = np.full((4, 3), 0.25)
    assert parse_ambiguity(even) == pytest.approx(2)


def test_a_word_with_one_possible_head_is_not_ambiguous(some):
    model = fitted(some)
    assert parse_ambiguity(model.posteriors(["NOUN"])) == 0
    two = model.posteriors(["DET", "NOUN"]).to_numpy()
    p = two[0, 0]  # the first word is the root, or else the second is: one choice, which decides both heads
    assert two[0, 1] == pytest.approx(1 - p)
    expected = -(p * np.log2(p) + (1 - p) * np.log2(1 - p)) if 0 < p < 1 else 0.0
    assert parse_ambiguity(two) == pytest.approx(expected)


def test_the_trace_has_a_row_an_iteration_and_ends_with_the_model(some):
    model = fitted(some, unambiguity=1.0)
    trace = training_trace(model, some)
    assert trace["iteration"].tolist() == [0, 1, 2, 3] and trace["n"].eq(len(some)).all()
    scores = attachment_scores(some, model.parse(some).heads)
    last = trace.iloc[-1]
    assert last[["directed", "undirected", "NED"]].tolist() == [float(score) for score in scores.scores()]
    tags = [part.tolist() for _, part in some.groupby("sentence")["universal"]]
    ambiguities = [parse_ambiguity(model.posteriors(words)) for words in tags]
    assert last["ambiguity"] == pytest.approx(np.mean(ambiguities))
    assert training_trace(model, some, sentences=7)["ambiguity"].iloc[-1] == pytest.approx(np.mean(ambiguities[:7]))


def test_log_likelihoods_of_em_are_those_of_training_and_never_fall(some):
    model = fitted(some)
    found = training_trace(model, some, sentences=1)["log_likelihood"].to_numpy()
    assert found[:-1] == pytest.approx(model.log_likelihoods_)
    assert (np.diff(found) > 0).all()


def test_every_variant_is_another_way_to_train_from_the_same_start(some):
    traces = {name: training_trace(fitted(some, **chosen), some, sentences=5) for name, chosen in DMV_VARIANTS.items()}
    assert len({trace["ambiguity"].iloc[0] for trace in traces.values()}) == 1
    assert len({trace["log_likelihood"].iloc[-1] for trace in traces.values()}) == len(DMV_VARIANTS)


def test_a_model_without_its_history_has_no_trace(some):
    with pytest.raises(ValueError, match="keep_history=True"):
        training_trace(DMV(tags="universal", iterations=1).fit(some), some)
