"""Kodner, Khalifa, Payne & Liu (2023): how inflection models are evaluated.

One function a figure: `figure1` to `figure9`; `claims` judges every number and claim of the text, `regressions` fits
the paper's regressions. All take a `Setting` or single choices of it.
"""

from analysis.papers.kodner2023.claims import claims
from analysis.papers.kodner2023.figures import (
    difference_figure,
    error_figure,
    figure1,
    figure2,
    figure3,
    figure4,
    figure5,
    figure6,
    figure7,
    figure8,
    figure9,
    learning_figure,
    regression_figure,
)
from analysis.papers.kodner2023.neural import stored_neural_run, train_neural
from analysis.papers.kodner2023.publish import publish
from analysis.papers.kodner2023.runs import given_runs, predictions, runs
from analysis.papers.kodner2023.setting import CLUZH, MODELS, NEURAL, Setting, draw, pool, sizes
from analysis.papers.kodner2023.tables import (
    accuracy_regression,
    all_runs,
    counts_regression,
    curves,
    errors,
    german_patterns,
    given_regression,
    mean_variability,
    regressions,
    sample_regression,
    scores,
    second_reader,
    strategy_difference,
    variability,
    variability_regression,
)

__all__ = [
    "CLUZH",
    "MODELS",
    "NEURAL",
    "Setting",
    "accuracy_regression",
    "all_runs",
    "claims",
    "counts_regression",
    "curves",
    "difference_figure",
    "draw",
    "error_figure",
    "errors",
    "figure1",
    "figure2",
    "figure3",
    "figure4",
    "figure5",
    "figure6",
    "figure7",
    "figure8",
    "figure9",
    "german_patterns",
    "given_regression",
    "given_runs",
    "learning_figure",
    "mean_variability",
    "pool",
    "predictions",
    "publish",
    "regression_figure",
    "regressions",
    "runs",
    "sample_regression",
    "scores",
    "second_reader",
    "sizes",
    "stored_neural_run",
    "strategy_difference",
    "train_neural",
    "variability",
    "variability_regression",
]
