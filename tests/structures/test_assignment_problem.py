"""The assignment problem and the parts of a graph, without the large packages that solve them."""

import sys

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from analysis.structures import assignment_problem
from analysis.structures.assignment_problem import linear_sum_assignment
from analysis.structures.components import lowest_linked


@pytest.mark.parametrize("loaded", [True, False])
def test_the_solver_is_that_of_scipy_whether_or_not_the_package_is_loaded(loaded, monkeypatch):
    assignment_problem._solver.cache_clear()
    if not loaded:
        monkeypatch.delitem(sys.modules, "scipy.optimize")
    generator = np.random.default_rng(0)
    for shape in ((3, 5), (6, 2), (1, 1)):
        weights = generator.integers(0, 4, shape)
        for most in (True, False):
            found = linear_sum_assignment(weights, maximize=most)
            expected = scipy.optimize.linear_sum_assignment(weights, maximize=most)
            assert [side.tolist() for side in found] == [side.tolist() for side in expected]
    assignment_problem._solver.cache_clear()


def test_a_solver_that_lies_elsewhere_is_that_of_the_package(monkeypatch):
    assignment_problem._solver.cache_clear()
    monkeypatch.delitem(sys.modules, "scipy.optimize")
    monkeypatch.setattr(assignment_problem, "find_spec", lambda _: None)
    assert assignment_problem._solver().__module__.startswith("scipy.optimize")
    assignment_problem._solver.cache_clear()


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11))))
def test_linked_numbers_are_the_connected_components(pairs):
    one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    found = lowest_linked(one, other, 12)
    _, component = connected_components(coo_array((np.ones(len(one)), (one, other)), shape=(12, 12)), directed=False)
    assert found.tolist() == [int(np.flatnonzero(component == each)[0]) for each in component]
