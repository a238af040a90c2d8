import itertools

import numpy as np
import pandas as pd
import pytest

from analysis.corpora.sigmorphon import training_sizes
from analysis.papers import kodner2023
from analysis.papers.kodner2023 import cluzh, cluzh_results
from analysis.papers.kodner2023.claims import (
    error_types_by_number,
    fem_for_masc,
    least_lead,
    least_share_of_errors,
    models_by_accuracy,
    most_added_errors,
    spike,
)
from analysis.papers.recipe import Evidence
from analysis.papers.recipe.rules import words

CELL = ["corpus", "language", "strategy", "seed", "size"]


def made_up(cells, accuracy=lambda cell, model: 0.5):
    """A stored table of trainings that never took place."""
    rows = []
    for cell, model in itertools.product(cells, kodner2023.TRANSDUCERS):
        right = round(1000 * accuracy(cell, model))
        rows.append(cell | {"model": model, "numerator": right, "denominator": 1000, "value": right / 1000,
                            "lower": 0.0, "upper": 1.0, "unit": "proportion", "epochs": 20, "chosen_epoch": 8,
                            "seconds": 10.0, "source": ""})  # fmt: skip
    return pd.DataFrame(rows)


@pytest.fixture
def pretend(monkeypatch):
    def store(cells, *accuracy):
        table = made_up(cells, *accuracy)
        monkeypatch.setattr(cluzh_results, "stored_cluzh", lambda: table)

    return store


def test_seed_0_of_everything_comes_before_further_seeds_and_nothing_twice():
    cells = kodner2023.cluzh_cells()
    assert len({tuple(cell.values()) for cell in cells}) == len(cells) == 5 * 6 + 5 * 2 * 26 + 26
    assert [cell["seed"] for cell in cells] == sorted(cell["seed"] for cell in cells)
    assert sum(cell["strategy"] == "SIGM22" for cell in cells) == 26
    assert all(cell["size"] in training_sizes(cell["language"]) for cell in cells if cell["corpus"] == "sigmorphon2022")


def test_a_seed_counts_only_when_all_of_its_sizes_are_done(pretend):
    cells = [cell for cell in kodner2023.cluzh_cells(2) if cell["language"] == "German"]
    pretend([cell for cell in cells if cell["seed"] == 0 or cell["size"] < 600])
    whole, every = kodner2023.cluzh_runs(), kodner2023.cluzh_runs(whole=False)
    assert set(whole["seed"]) == {0} and set(every["seed"]) == {0, 1}
    assert len(whole) == 3 * 6 * 2 and set(whole["strategy"]) == {"UNIFORM", "WEIGHTED", "SIGM22"}
    assert (whole["accuracy"] == whole["right"] / whole["n"]).all()
    curves = kodner2023.cluzh_curves()
    assert set(curves["n"]) == {1} and set(curves["chosen_epoch"]) == {8} and len(curves) == len(whole)
    assert len(kodner2023.cluzh_learning_figure().axes) == 3
    progress = kodner2023.cluzh_progress().set_index(["corpus", "language", "strategy"])
    assert progress.loc[("sigmorphon2022", "German", "UNIFORM")].tolist() == [6 + 5, 30, "0", 8.0, 110.0]
    assert progress.loc[("sigmorphon2022", "Arabic", "WEIGHTED"), ["done", "all"]].tolist() == [0, 50]
    assert progress["all"].sum() == 316 and progress["done"].sum() == 2 * (6 + 5) + 6 + 2 * 2


def test_regressions_wait_for_a_seed_that_every_language_and_strategy_has(pretend):
    cells = kodner2023.cluzh_cells(2)
    pretend([cell for cell in cells if cell["language"] != "Arabic"])
    assert kodner2023.cluzh_regressions().empty
    pretend([cell for cell in cells if cell["seed"] == 0],
            lambda cell, model: 0.4 + cell["size"] / 5000 + (model == "CLUZH-B4") / 100)  # fmt: skip
    table = kodner2023.cluzh_regressions()
    assert set(table["regression"]) == {"accuracy", "accuracy on SIGM22"} and set(table["seeds"]) == {"0"}
    slopes = table[table["term"] == "size"]["estimate"].astype("float64")
    assert np.allclose(slopes, 0.02), "points an item"
    assert table.loc[table["regression"] == "accuracy", "n"].iloc[0] == 26 * 2 * 2


@pytest.mark.real_corpus
def test_each_split_stands_beside_its_own_published_accuracy(pretend):
    cells = [cell for cell in kodner2023.cluzh_cells(1) if cell["corpus"] == "realitycheck2023"]
    pretend(cells, lambda cell, model: 0.793)
    table = kodner2023.cluzh_reality_check().set_index(["language", "strategy", "model", "seed"])
    near = table.loc[("German", "WEIGHTED", "CLUZH-GR", 0)]
    assert (near["published"], near["verdict"], near["why"]) == (0.793, "same", "")
    far = table.loc[("German", "UNIFORM", "CLUZH-GR", 0)]
    assert (far["published"], far["verdict"], far["why"]) == (0.624, "different", "unexplained")
    assert far["difference"] == pytest.approx(0.169)


def test_cells_are_stored_one_by_one_and_a_stopped_run_goes_on(tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install .[neural]")
    pytest.importorskip("wordfreq", reason="the extra 'lexical' is not installed")
    cells = [{"corpus": "lexical", "language": "German", "strategy": "UNIFORM", "seed": 0, "size": size}
             for size in (100, 200)]  # fmt: skip
    tiny = {"embedding": 6, "feature_embedding": 3, "hidden": 7, "max_epochs": 1}
    first = kodner2023.train_cluzh(cells=cells[:1], folder=tmp_path, **tiny)
    done = []
    monkeypatch.setattr(cluzh, "train_cluzh_cell", lambda **cell: done.append(cell["size"]) or first_cell(**cell))
    table = kodner2023.train_cluzh(cells=cells, folder=tmp_path, **tiny)
    assert done == [200] and table["size"].tolist() == [100, 100, 200, 200]
    pd.testing.assert_frame_equal(table.head(2), first)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / f"{cluzh.RUNS}.csv"), table)
    errors = pd.read_csv(tmp_path / f"{cluzh.ERRORS}.csv")
    wrong = errors.groupby(["size", "model"])["errors"].sum()
    expected = table.set_index(["size", "model"])
    assert (wrong == (expected["denominator"] - expected["numerator"]).reindex(wrong.index)).all()
    assert {"dev_numerator", "chosen_epoch", "made_by"} <= set(table.columns)


first_cell = cluzh.train_cluzh_cell


# What is stored -------------------------------------------------------------------------------------------------------


def test_stored_trainings_are_whole_numbers_of_known_cells():
    table = kodner2023.stored_cluzh()
    known = {tuple(cell.values()) for cell in kodner2023.cluzh_cells()}
    assert set(table[CELL].itertuples(index=False, name=None)) <= known
    assert (table.groupby(CELL)["model"].agg(lambda names: sorted(names) == ["CLUZH-B4", "CLUZH-GR"])).all()
    assert (table["numerator"] <= table["denominator"]).all() and (table["chosen_epoch"] <= table["epochs"]).all()
    assert (table["epochs"] == np.minimum(table["chosen_epoch"] + 12, 60)).all()
    assert (table["tuning_n"] == table["size"] / 5).all()
    one_network = table.groupby(CELL)[["chosen_epoch", "tuning_right", "seconds"]].nunique()
    assert (one_network == 1).all(axis=None), "both models are one network"


def test_stored_errors_add_up_to_the_wrong_predictions_of_their_cell():
    keys = ["language", "strategy", "seed", "size", "model"]
    cells = kodner2023.stored_cluzh().query("corpus == 'sigmorphon2022' and seed == 0").set_index(keys)
    for strategy in set(cells.index.get_level_values("strategy")):
        errors = kodner2023.cluzh_errors(strategy=strategy)
        wrong = errors.groupby(keys)["errors"].sum()
        expected = (cells["denominator"] - cells["numerator"]).reindex(wrong.index)
        # forms that differ in the order of marks only are wrong, and have no type of error
        assert (wrong <= expected).all() and (wrong >= expected - 5).all()


# Claims ---------------------------------------------------------------------------------------------------------------


def evidence(table, **others):
    tables = {"cluzh_errors": lambda setting, language: table, **others}
    return Evidence(kodner2023.Setting(), tables)


def test_claims_about_errors_read_the_stored_table_and_are_not_testable_without_it():
    counts = {100: (9, 4), 200: (3, 2), 300: (4, 8), 400: (5, 1)}
    rows = [(size, name, n) for size, pair in counts.items() for name, n in zip(("-e", "-(e)n"), pair, strict=True)]
    of = evidence(pd.DataFrame(rows, columns=["size", "type", "errors"]))
    named = {"language": "German", "table": "cluzh_errors"}
    assert least_lead(of, kind="-e", smallest=200, **named) == {"size 300": -4}
    assert spike(of, size=300, **named) == 12 - 6
    assert words(error_types_by_number(of, place=2, **named)) == ["-(e)n", "-e"]
    assert most_added_errors(of, **named) == 12 - 5
    none = evidence(pd.DataFrame({"size": [], "type": [], "errors": []}))
    assert least_lead(none, kind="-e", smallest=200, **named) is None
    assert spike(none, size=300, **named) is None and most_added_errors(none, **named) is None
    assert error_types_by_number(none, **named) is None
    assert fem_for_masc(none, table="cluzh_errors") is None
    assert least_share_of_errors(none, types="-e", **named) is None


def test_models_are_ordered_on_the_same_samples_and_only_when_every_language_has_one(pretend):
    cells = [cell for cell in kodner2023.cluzh_cells(1) if cell["corpus"] == "sigmorphon2022"]
    pretend(cells, lambda cell, model: 0.62 if model == "CLUZH-B4" else 0.60)
    stored = kodner2023.cluzh_runs()
    ours = stored.query("model == 'CLUZH-GR' and strategy != 'SIGM22'").assign(model="NONNEUR", accuracy=0.61)
    later = ours.assign(seed=1, accuracy=0.99)  # no training of CLUZH has this sample
    samplings = pd.concat([ours, later], ignore_index=True)
    of = evidence(None, cluzh_runs=lambda setting: stored, samplings=lambda setting: samplings)
    assert words(models_by_accuracy(of)) == ["CLUZH-B4", "NONNEUR", "CLUZH-GR"]
    german = stored[stored["language"] == "German"]
    of = evidence(None, cluzh_runs=lambda setting: german, samplings=lambda setting: samplings)
    assert models_by_accuracy(of) is None


def test_the_smallest_size_counts():
    table = pd.DataFrame(
        {"size": [100, 100, 200, 200, 300, 300], "type": ["-e", "-n"] * 3, "errors": [1, 9, 4, 3, 7, 2]}
    )
    of = Evidence(kodner2023.Setting(), {"errors": lambda setting, language: table})
    assert least_lead(of, "German", "-e", smallest=200) == {"size 200": 1}
    assert least_lead(of, "German", "-e", smallest=100) == {"size 100": -8}
