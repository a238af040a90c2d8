"""Every run of a recomputation: one model on one training set of one sample, scored on that sample's test set."""

from functools import lru_cache

import pandas as pd

from analysis.corpora.sigmorphon import baseline_accuracies, cluzh_predictions
from analysis.experiments import cross, run_grid
from analysis.inflection import aligned
from analysis.papers.kodner2023.setting import (
    CLUZH,
    LANGUAGES,
    MODELS,
    NEURAL,
    STRATEGIES,
    Setting,
    draw,
    make_setting,
    sizes,
    version,
)


def sample_runs(
    corpus: str, language: str, strategy: str, seed: int, models: tuple[str, ...], missing_weight: float = 1.0
) -> pd.DataFrame:
    """The runs of one sample: every size and model.

    Returns
    -------
    DataFrame
        ``size``, ``model``, ``right``, ``n`` (test items).
    """
    drawn = draw(corpus, language, strategy, seed, missing_weight)
    gold = drawn.test["form"].astype("str").to_numpy()
    rows = []
    for size in drawn.sizes:
        for name in models:
            predicted = MODELS[name]().fit(drawn.training(size)).predict(drawn.test)
            rows.append((size, name, int((predicted.to_numpy() == gold).sum()), len(gold)))
    return pd.DataFrame(rows, columns=["size", "model", "right", "n"])


@lru_cache(maxsize=16)
def _drawn_runs(
    corpus: str, seeds: int, models: tuple[str, ...], languages: tuple[str, ...], missing_weight: float, n_jobs: int
) -> pd.DataFrame:
    grid = cross(corpus=[corpus], language=languages, strategy=STRATEGIES, seed=range(seeds))
    grid = [cell | {"models": list(models), "missing_weight": missing_weight} for cell in grid]
    cache = {
        "data": "; ".join(version(corpus, language) for language in languages),
        "name": "kodner2023_runs",
    }
    table = run_grid(sample_runs, grid, n_jobs=n_jobs, cache=cache, progress=seeds > 10)
    table["accuracy"] = 100 * table["right"] / table["n"]
    return table[["language", "strategy", "seed", "model", "size", "right", "n", "accuracy"]]


def runs(setting: Setting | None = None, n_jobs: int = 1, **choices: object) -> pd.DataFrame:
    """Accuracy of every run of UNIFORM and WEIGHTED.

    Returns
    -------
    DataFrame
        ``language``, ``strategy``, ``seed``, ``model``, ``size``, ``right``, ``n``, ``accuracy`` (percent). Models
        learn from training and fine-tuning items together. Exact match of the forms as written.
    """
    chosen = make_setting(setting, choices)
    table = _drawn_runs(
        chosen.corpus, chosen.seeds, tuple(chosen.models), tuple(chosen.languages), chosen.missing_weight, n_jobs
    )
    return table.copy()


@lru_cache(maxsize=4)
def _given_runs(models: tuple[str, ...]) -> pd.DataFrame:
    corpus = "sigmorphon2022"
    frames = []
    published = baseline_accuracies()
    published = published[(published["model"] == "neural") & (published["part"] == "test")]
    for language in LANGUAGES:
        frames.append(sample_runs(corpus, language, "SIGM22", 0, models).assign(language=language))
        rows = []
        for size in sizes(corpus, language):
            table = given_predictions(language, CLUZH, size)
            rows.append((size, CLUZH, int(table["correct"].sum()), len(table), language))
        theirs = published[published["language"] == language]
        for size, percent, n in zip(theirs["size"], theirs["accuracy"], theirs["n"], strict=True):
            rows.append((size, NEURAL, round(percent * n / 100), n, language))
        frames.append(pd.DataFrame(rows, columns=["size", "model", "right", "n", "language"]))
    table = pd.concat(frames, ignore_index=True).assign(strategy="SIGM22", seed=0)
    table["accuracy"] = 100 * table["right"] / table["n"]
    return table[["language", "strategy", "seed", "model", "size", "right", "n", "accuracy"]]


def given_runs(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Accuracy on the split of SIGMORPHON 2022, with what others achieved on it.

    Returns
    -------
    DataFrame
        The columns of `runs`: our models, "CLUZH (2022)" from its submitted predictions (tuned by language, neither
        CLUZH-GR nor CLUZH-B4 of the paper), and the shared task's neural baseline from its published accuracies.
        Without the SIGMORPHON data there is no row.
    """
    chosen = make_setting(setting, choices)
    if chosen.corpus != "sigmorphon2022":
        return pd.DataFrame(columns=["language", "strategy", "seed", "model", "size", "right", "n", "accuracy"])
    table = _given_runs(tuple(chosen.models))
    return table[table["language"].isin(chosen.languages)].reset_index(drop=True)


@lru_cache(maxsize=128)
def predictions(corpus: str, language: str, strategy: str, seed: int, model: str, size: int) -> pd.DataFrame:
    """Test items with what a model of one run predicted: ``lemma``, ``form``, ``features``, ``predicted``, ``correct``.

    Parameters
    ----------
    corpus, language, strategy, seed
        As for `analysis.papers.kodner2023.setting.draw`.
    model : str
        One of ours, or "CLUZH (2022)" with the strategy SIGM22.
    size : int
    """
    if model == CLUZH:
        if strategy != "SIGM22":
            raise ValueError("CLUZH (2022) predicted the split of SIGMORPHON 2022 only: strategy SIGM22.")
        return given_predictions(language, model, size)
    if model not in MODELS:
        raise ValueError(f"there is no model {model!r} here; there are {', '.join([*MODELS, CLUZH])}.")
    drawn = draw(corpus, language, strategy, seed)
    predicted = MODELS[model]().fit(drawn.training(size)).predict(drawn.test)
    return aligned(drawn.test, drawn.test[["lemma", "features"]].assign(predicted=predicted))


def given_predictions(language: str, model: str, size: int) -> pd.DataFrame:
    """CLUZH's submitted predictions beside gold."""
    return aligned(draw("sigmorphon2022", language, "SIGM22", 0).test, cluzh_predictions(language, size))
