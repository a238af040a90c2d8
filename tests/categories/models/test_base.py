import subprocess
import sys

import pytest

from analysis.categories import models
from analysis.categories.models import FrequentFrames, HierarchicalClustering, RandomCategories


@pytest.mark.parametrize("model", [RandomCategories, FrequentFrames, HierarchicalClustering])
def test_parameters_are_attributes_of_the_same_name(model):
    parameters = model().get_params()
    assert model(**parameters).get_params() == parameters
    name = next(iter(parameters))
    changed = model().set_params(**{name: parameters[name]})
    assert all(getattr(changed, key) == value for key, value in parameters.items())
    assert repr(model()).startswith(f"{model.__name__}({name}=")
    with pytest.raises(ValueError, match="has no parameter 'colour'"):
        model().set_params(colour=1)


@pytest.mark.parametrize("model", [RandomCategories, FrequentFrames, HierarchicalClustering])
def test_a_model_that_is_not_fitted_says_so(model):
    with pytest.raises(ValueError, match=r"not fitted yet: call fit\(tokens\) first"):
        model().predict(None)


def test_models_are_imported_only_when_they_are_asked_for():
    program = (
        "import sys; from analysis.categories import models;"
        "assert 'FrequentFrames' in dir(models) and 'BayesianHMM' in models.__all__;"
        "assert not {'numba', 'analysis.categories.models.frequent_frames'} & set(sys.modules);"
        "assert models.FrequentFrames.__name__ == 'FrequentFrames'"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_an_unknown_model_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Oracle'"):
        models.Oracle  # noqa: B018
