"""Every run of a recomputation: one model on one training set of one sample, scored on that sample's test set."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import pandas as pd

from analysis.corpora.sigmorphon import baseline_accuracies, cluzh_predictions
from analysis.experiments import cross
from analysis.inflection import aligned
from analysis.papers.kodner2023.setting import CLUZH, MODELS, NEURAL, STRATEGIES, Setting, data, draw, sizes
from analysis.papers.recipe import check_known, evaluate_all, kept, takes_setting


def sample_runs(
    corpus: str, language: str, strategy: str, seed: int, models: tuple[str, ...], missing_weight: float = 1.0
) -> dict[str, pd.DataFrame]:
    """The runs of one sample: every size and model.

    Returns
    -------
    dict of str to DataFrame
        ``runs``, with the columns of `runs`.
    """
    drawn, rows = draw(corpus, language, strategy, seed, missing_weight), []
    gold = drawn.test["form"].astype("str").to_numpy()
    for size, name in product(drawn.sizes, models):
        predicted = MODELS[name]().fit(drawn.training(size)).predict(drawn.test)
        rows.append((language, strategy, seed, name, size, int((predicted.to_numpy() == gold).sum()), len(gold)))
    return {"runs": _scored(rows)}


def development_runs(corpus: str, language: str, strategy: str, seed: int, models: tuple[str, ...]) -> pd.DataFrame:
    """The runs of one sample at its smallest and largest size, scored on the development items; as `runs`."""
    drawn, rows = draw(corpus, language, strategy, seed), []
    gold = drawn.dev["form"].astype("str").to_numpy()
    for size, name in product((drawn.sizes[0], drawn.sizes[-1]), models):
        predicted = MODELS[name]().fit(drawn.training(size)).predict(drawn.dev)
        rows.append((language, strategy, seed, name, size, int((predicted.to_numpy() == gold).sum()), len(gold)))
    return _scored(rows)


def _scored(rows: Iterable[tuple[Any, ...]]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["language", "strategy", "seed", "model", "size", "right", "n"])
    return table.assign(accuracy=table["right"] / table["n"], unit="proportion")


@takes_setting(Setting)
@kept
def runs(setting: Setting, n_jobs: int = 1) -> pd.DataFrame:
    """Accuracy of every run of UNIFORM and WEIGHTED; each sample's runs are stored, so they are computed once.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    n_jobs : int
        Number of processes; -1 for all cores.

    Returns
    -------
    DataFrame
        ``language``, ``strategy``, ``seed``, ``model``, ``size``, ``right``, ``n``, ``accuracy`` (a proportion),
        ``unit``. Models learn from training and fine-tuning items together. Exact match of the forms as written.
    """
    cells = cross(corpus=[setting.corpus], language=setting.languages, strategy=STRATEGIES, seed=range(setting.seeds),
                  models=[list(setting.models)], missing_weight=[setting.missing_weight])  # fmt: skip
    versions = "; ".join(data(setting.corpus)[language].version for language in setting.languages)
    return evaluate_all(sample_runs, cells, data=versions, n_jobs=n_jobs, progress=setting.seeds > 10)["runs"]


def published_baseline() -> pd.DataFrame:
    """The published test accuracies of the shared task's neural baseline.

    Returns
    -------
    DataFrame
        ``language``, ``size``, ``published`` (a proportion), ``n`` (test items).
    """
    theirs = baseline_accuracies().query("model == 'neural' and part == 'test'")
    return theirs.assign(published=theirs["accuracy"] / 100)[["language", "size", "published", "n"]]


@takes_setting(Setting)
@kept
def given_runs(setting: Setting) -> pd.DataFrame:
    """Accuracy on the split of SIGMORPHON 2022, with results of others on it.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        The columns of `runs`: our models, "CLUZH (2022)" from its submitted predictions (tuned by language, neither
        CLUZH-GR nor CLUZH-B4 of the paper), and the shared task's neural baseline from its published accuracies.
        The table is empty without the SIGMORPHON data.
    """
    tables = [_scored([])]
    for language in setting.languages if setting.real else ():
        found = {size: given_predictions(language, CLUZH, size)["correct"] for size in sizes(setting.corpus, language)}
        others = [(CLUZH, size, int(correct.sum()), len(correct)) for size, correct in found.items()]
        theirs = published_baseline().query("language == @language")
        others += [(NEURAL, row.size, round(row.published * row.n), row.n) for row in theirs.itertuples()]
        ours = sample_runs(setting.corpus, language, "SIGM22", 0, setting.models)["runs"]
        tables += [ours, _scored((language, "SIGM22", 0, *other) for other in others)]
    return pd.concat(tables[1:] or tables, ignore_index=True)


@takes_setting(Setting)
def all_runs(setting: Setting) -> pd.DataFrame:
    """Every run of UNIFORM and WEIGHTED and, if the data are available, of SIGM22; see `runs` and `given_runs`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return pd.concat([runs(setting), given_runs(setting)], ignore_index=True) if setting.real else runs(setting)


@kept
def predictions(corpus: str, language: str, strategy: str, seed: int, model: str, size: int) -> pd.DataFrame:
    """Test items with the predictions of one run of a model: ``lemma``, ``form``, ``features``, ``predicted``,
    ``correct``.

    Parameters
    ----------
    corpus, language, strategy, seed
        As for `analysis.papers.kodner2023.setting.draw`.
    model : str
        A model of this suite, or "CLUZH (2022)" with the strategy SIGM22.
    size : int

    Returns
    -------
    DataFrame

    Raises
    ------
    ValueError
        If CLUZH (2022) is asked for another strategy than SIGM22.
    """
    if model == CLUZH:
        if strategy != "SIGM22":
            raise ValueError("CLUZH (2022) predicted the split of SIGMORPHON 2022 only: strategy SIGM22.")
        return given_predictions(language, model, size)
    check_known([model], (*MODELS, CLUZH), "model is")
    drawn = draw(corpus, language, strategy, seed)
    predicted = MODELS[model]().fit(drawn.training(size)).predict(drawn.test)
    return aligned(drawn.test, drawn.test[["lemma", "features"]].assign(predicted=predicted))


def given_predictions(language: str, model: str, size: int) -> pd.DataFrame:
    """CLUZH's submitted predictions beside gold."""
    return aligned(draw("sigmorphon2022", language, "SIGM22", 0).test, cluzh_predictions(language, size))
