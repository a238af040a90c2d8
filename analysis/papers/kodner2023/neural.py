"""CHR-TRM: trained once on English, stored, and compared with the published neural baseline of the shared task."""

import hashlib
from collections.abc import Sequence
from time import perf_counter

import pandas as pd

from analysis.experiments import cache_key, canonical_json, cross, run_grid
from analysis.experiments.cache import results_folder
from analysis.inflection.models import CharacterTransformer
from analysis.papers.kodner2023.runs import published_baseline
from analysis.papers.kodner2023.setting import draw, version
from analysis.papers.recipe import judge, stored
from analysis.statistics.intervals import wilson

#: Changes of the published settings in the stored run, which make it end within two hours without an accelerator.
SHORT = {"batch_size": 32, "warm_up": 300, "max_updates": 1500, "evaluate_every": 150}
COMMAND = "kodner2023.train_neural()"
NEAR = "within 0.1"  # the criterion for agreement with the published baseline


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

    The model is trained on the training items; the fine-tuning items select the checkpoint. An interrupted training
    continues from its last checkpoint, which is in the cache.

    Parameters
    ----------
    language, strategy, seed, corpus
        As for `analysis.papers.kodner2023.setting.draw`; the seed is also that of the training.
    sizes : sequence of int
    n_jobs : int
        Number of trainings in parallel.
    **parameters
        Arguments of `CharacterTransformer` that replace `SHORT`.

    Returns
    -------
    DataFrame
        One row per size: ``numerator`` (forms predicted exactly), ``denominator``, ``value`` (accuracy) with its Wilson
        interval ``lower`` and ``upper``, ``published`` (the shared task's neural baseline, on SIGM22), ``unit``,
        ``updates``, ``chosen_update``, ``seconds``, ``convention``, ``data_version``.
    """
    chosen = SHORT | parameters
    grid = cross(corpus=[corpus], language=[language], strategy=[strategy], seed=[seed], size=sorted(sizes)[::-1],
                 parameters=[chosen])  # fmt: skip
    cache = {"data": version(corpus, language), "name": "kodner2023_neural"}
    table = run_grid(train_one, grid, n_jobs=n_jobs, cache=cache).drop(columns="parameters")
    table[["value", "lower", "upper"]] = wilson(table["numerator"], table["denominator"]).to_numpy()
    if strategy == "SIGM22":
        table = table.merge(published_baseline().drop(columns="n"), on=["language", "size"], how="left")
    stated = ", ".join(f"{name}={value}" for name, value in chosen.items())
    return table.assign(unit="proportion", convention=stated, data_version=version(corpus, language)).sort_values(
        "size", ignore_index=True
    )


def train_one(
    corpus: str, language: str, strategy: str, seed: int, size: int, parameters: dict[str, object]
) -> dict[str, object]:
    """One cell of `train_neural`."""
    drawn = draw(corpus, language, strategy, seed)
    about = {"language": language, "strategy": strategy, "seed": seed, "size": size, **parameters}
    key = cache_key(data=version(corpus, language), parameters=about, function=CharacterTransformer)
    name = hashlib.sha256(canonical_json(key).encode("utf-8")).hexdigest()[:16]
    checkpoint = results_folder() / "character_transformer" / f"{name}.pt"
    model = CharacterTransformer(random_state=seed, checkpoint=checkpoint, **parameters)  # type: ignore[arg-type]
    started = perf_counter()
    model.fit(drawn.train(size), drawn.tune(size))
    seconds = perf_counter() - started
    return {
        "numerator": int((model.predict(drawn.test).to_numpy() == drawn.test["form"].astype("str").to_numpy()).sum()),
        "denominator": len(drawn.test),
        "updates": model.updates_,
        "chosen_update": model.chosen_update_,
        "seconds": round(seconds, 1),
    }


def stored_neural_run() -> pd.DataFrame:
    """The stored trainings of CHR-TRM on English, on the split of SIGMORPHON 2022.

    Returns
    -------
    DataFrame
        The columns of `train_neural`; ``command``; ``model``, the label of the run, with its number of updates;
        ``criterion`` and ``verdict``: whether the accuracy at that size is as near to the published baseline.

    Examples
    --------
    >>> stored_neural_run()["verdict"].tolist()
    ['same', 'different', 'same']
    """
    numbers = dict.fromkeys(("size", "seed", "updates", "chosen_update"), "Int64") | {"published": "Float64"}
    table = stored("kodner2023_neural", train_one).astype(numbers)
    near = [judge(NEAR, theirs, ours) for theirs, ours in zip(table["published"], table["value"], strict=True)]
    table.insert(0, "model", [f"CHR-TRM ({updates:,} updates, stored)" for updates in table["updates"]])
    return table.assign(criterion=NEAR, verdict=["same" if one else "different" for one in near])
