import pytest

from analysis.structures.model import Model


class Counter(Model):
    def __init__(self, start=1, step=2):
        self.start = start
        self.step = step


def test_parameters_are_read_and_changed_by_name():
    model = Counter(step=5)
    assert model.get_params() == {"start": 1, "step": 5}
    assert model.set_params(start=3) is model
    assert repr(model) == "Counter(start=3, step=5)"


def test_an_unknown_parameter_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="Counter has no parameter 'stop'; it has start, step"):
        Counter().set_params(stop=1)


def test_a_model_says_that_it_is_not_fitted():
    with pytest.raises(ValueError, match="this Counter is not fitted yet"):
        Counter()._require_fit("total_")
