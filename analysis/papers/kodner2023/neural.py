"""CHR-TRM: trained once on English, stored, and set beside the neural baseline that the shared task published."""

import hashlib
from collections.abc import Sequence
from time import perf_counter

import pandas as pd

from analysis.corpora.folders import data_folder
from analysis.corpora.sigmorphon import baseline_accuracies
from analysis.experiments import canonical_json, cross, run_grid
from analysis.experiments.cache import results_folder
from analysis.inflection.models import CharacterTransformer
from analysis.papers.kodner2023.setting import draw, version
from analysis.statistics.intervals import wilson
from analysis.structures.source import source_digest

#: What the stored run changes of the published settings, so that it ends within an hour or two without an accelerator.
SHORT = {"batch_size": 32, "warm_up": 300, "max_updates": 1500, "evaluate_every": 150}
COMMAND = "kodner2023.train_neural()"
SLACK = 10.0  # points below the published baseline from which a training is called not converged
_COUNTS = dict.fromkeys(("size", "numerator", "denominator", "seed", "updates", "chosen_update"), "Int64")


def train_neural(
    language: str = "English",
    strategy: str = "SIGM22",
    sizes: Sequence[int] = (100, 400, 1000),
    seed: int = 0,
    corpus: str = "sigmorphon2022",
    n_jobs: int = 1,
    **parameters: object,
) -> pd.DataFrame:
    """Train CHR-TRM on one sample and score it on its test set; needs PyTorch and an hour or two.

    Training items teach, fine-tuning items choose the checkpoint. A training that was stopped goes on from its last
    checkpoint, which lies in the cache.

    Parameters
    ----------
    language, strategy, seed, corpus
        As for `analysis.papers.kodner2023.setting.draw`; the seed is also that of the training.
    sizes : sequence of int
    n_jobs : int
        Trainings at a time.
    **parameters
        Of `CharacterTransformer`, in place of `SHORT`.

    Returns
    -------
    DataFrame
        One row a size: ``numerator`` (forms predicted exactly), ``denominator``, ``accuracy`` (percent) with its
        Wilson interval ``lower`` and ``upper``, ``published`` (the shared task's neural baseline, on SIGM22),
        ``updates``, ``chosen_update``, ``seconds``, ``convention``, ``data_version``.
    """
    chosen = SHORT | parameters
    grid = cross(corpus=[corpus], language=[language], strategy=[strategy], seed=[seed], size=sorted(sizes)[::-1])
    grid = [cell | {"parameters": chosen} for cell in grid]
    cache = {"data": version(corpus, language), "name": "kodner2023_neural"}
    table = run_grid(train_one, grid, n_jobs=n_jobs, cache=cache).drop(columns="parameters")
    interval = 100 * wilson(table["numerator"], table["denominator"])
    table["accuracy"] = 100 * table["numerator"] / table["denominator"]
    table["lower"], table["upper"] = interval["lower"].to_numpy(), interval["upper"].to_numpy()
    table["published"] = _published(table) if strategy == "SIGM22" else pd.NA
    table["convention"] = ", ".join(f"{name}={value}" for name, value in chosen.items())
    table["data_version"] = version(corpus, language)
    return table.sort_values("size", ignore_index=True)


def train_one(
    corpus: str, language: str, strategy: str, seed: int, size: int, parameters: dict[str, object]
) -> dict[str, object]:
    """One cell of `train_neural`."""
    drawn = draw(corpus, language, strategy, seed)
    source = source_digest(CharacterTransformer)
    about = canonical_json([corpus, version(corpus, language), language, strategy, seed, size, parameters, source])
    name = hashlib.sha256(about.encode("utf-8")).hexdigest()[:16]
    model = CharacterTransformer(
        random_state=seed,
        checkpoint=results_folder() / "character_transformer" / f"{name}.pt",
        **parameters,  # type: ignore[arg-type]
    )
    started = perf_counter()
    model.fit(drawn.train(size), drawn.tune(size))
    seconds = perf_counter() - started
    right = int((model.predict(drawn.test).to_numpy() == drawn.test["form"].astype("str").to_numpy()).sum())
    return {
        "numerator": right,
        "denominator": len(drawn.test),
        "updates": model.updates_,
        "chosen_update": model.chosen_update_,
        "seconds": round(seconds, 1),
    }


def _published(table: pd.DataFrame) -> pd.Series:
    """Accuracy of the shared task's neural baseline on each row's test set, in percent."""
    theirs = baseline_accuracies()
    theirs = theirs[(theirs["model"] == "neural") & (theirs["part"] == "test")].set_index(["language", "size"])
    return theirs["accuracy"].reindex(pd.MultiIndex.from_frame(table[["language", "size"]])).set_axis(table.index)


def stored_neural_run() -> pd.DataFrame:
    """The stored trainings of CHR-TRM on English, on the split of SIGMORPHON 2022.

    Returns
    -------
    DataFrame
        The columns of `train_neural`; ``command``; ``model``, the label of the run, with its number of updates; and
        ``state``: "not converged" if the largest size stays more than 10 points below the published baseline.
    """
    path = data_folder() / "results" / "kodner2023_neural.csv"
    table = pd.read_csv(path, dtype=_COUNTS, keep_default_na=False, na_values=[""], encoding="utf-8")
    table.insert(0, "model", [f"CHR-TRM ({updates:,} updates, stored)" for updates in table["updates"]])
    last = table.loc[table["size"].idxmax()]
    short = last["published"] - last["accuracy"] > SLACK
    table["state"] = "not converged" if short else f"within {SLACK:g} points of the published baseline"
    return table
