"""R-hat by hand, and where nothing moves."""

import numpy as np
import pytest

from analysis.statistics import split_r_hat


def test_r_hat_of_two_chains_by_hand():
    # halves (0, 2), (0, 2), (4, 6), (4, 6): variance 2 within each; of their means 1, 1, 5, 5 it is 16/3
    assert split_r_hat([[0, 2, 0, 2], [4, 6, 4, 6]]) == pytest.approx(np.sqrt(1 / 2 + (16 / 3) / 2))


def test_chains_of_one_distribution_agree_and_a_chain_that_rises_disagrees_with_itself():
    draws = np.random.default_rng(1).normal(size=(4, 2000))
    assert split_r_hat(draws) == pytest.approx(1, abs=0.01)
    assert split_r_hat([np.arange(100)]) > 1.5


def test_chains_that_do_not_move_agree_only_if_they_have_one_value():
    assert split_r_hat(np.full((3, 8), 7)) == 1
    assert split_r_hat([[7] * 8, [8] * 8]) == np.inf


@pytest.mark.parametrize("chains", [[[1, 2, 3]], [1, 2, 3, 4], [[1, 2, np.nan, 4]]])
def test_too_few_draws_and_missing_ones_are_refused(chains):
    with pytest.raises(ValueError, match="at least four draws"):
        split_r_hat(chains)
