"""CLUZH-GR and CLUZH-B4: trained cell by cell in a long run, which is stored as far as it has come."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import pandas as pd

from analysis.corpora import data_version
from analysis.corpora.folders import data_folder
from analysis.corpora.sigmorphon import reality_check_split, training_sizes
from analysis.experiments import write_stored
from analysis.inflection import classify_errors, error_counts
from analysis.inflection.models import CharacterTransducer
from analysis.papers.kodner2023.setting import LANGUAGES, STRATEGIES, draw, version
from analysis.structures.progress import progress_bar
from analysis.structures.source import source_digest

#: The two models are one network: they differ in the width of the beam.
TRANSDUCERS = {"CLUZH-GR": 1, "CLUZH-B4": 4}
CLUZH_COMMAND = "kodner2023.train_cluzh(n_jobs=2)"
REALITY_CHECK = "realitycheck2023"
#: Of the "reality check" data: names of its splits and languages, and its small size (400 + 100 items).
SPLITS = {"UNIFORM": "naive_uniform", "WEIGHTED": "naive_weighted"}
CODES = {"Arabic": "ar", "English": "en", "German": "de"}
_SMALL = 500
_CELL = ("corpus", "language", "strategy", "seed", "size")
RUNS, ERRORS = "kodner2023_cluzh", "kodner2023_cluzh_errors"
_CAPTION = (
    "CLUZH-GR and CLUZH-B4, after Wehrli et al. (2022): one network decoded greedily and with a beam of 4, trained on "
    "the training items, stopped by the fine-tuning items. Exact match on the test items. UniMorph via SIGMORPHON 2022 "
    "and the reality check splits. The seed is that of the sample and of the network."
)


def cluzh_cells(seeds: int = 5) -> list[dict[str, Any]]:
    """The trainings of a whole recomputation, in the order in which they are done.

    For each seed: the "reality check" splits with published results (400 + 100 items), then every size of every
    language and strategy; SIGM22 with the first seed only, since it is one split.

    Parameters
    ----------
    seeds : int

    Returns
    -------
    list of dict
        ``corpus``, ``language``, ``strategy``, ``seed``, ``size``.

    Examples
    --------
    >>> cells = cluzh_cells()
    >>> len(cells), cells[0]["corpus"], cells[6]["language"]
    (316, 'realitycheck2023', 'German')
    """
    found = []
    languages = sorted(LANGUAGES, key=lambda language: (len(training_sizes(language)), language))
    for seed in range(seeds):
        found += [(REALITY_CHECK, language, strategy, seed, _SMALL)
                  for language in languages for strategy in STRATEGIES]  # fmt: skip
        found += [("sigmorphon2022", language, strategy, seed, size)
                  for language in languages
                  for strategy in (*STRATEGIES, *(["SIGM22"] if seed == 0 else []))
                  for size in training_sizes(language)]  # fmt: skip
    return [dict(zip(_CELL, cell, strict=True)) for cell in found]


def train_cluzh(
    n_jobs: int = 1,
    cells: Sequence[Mapping[str, Any]] | None = None,
    folder: str | Path | None = None,
    **parameters: Any,
) -> pd.DataFrame:
    """Train CLUZH-GR and CLUZH-B4 on every cell that is not yet stored, and store each as soon as it is done.

    Needs PyTorch and, for all cells, about four hours of processor time. The call can be stopped at any time; the next
    one goes on with the cells that are missing. Cells that other source computed are kept: each row says by which
    source it was made.

    Parameters
    ----------
    n_jobs : int
        Number of trainings in parallel, each on one thread.
    cells : sequence of mappings, optional
        By default `cluzh_cells`.
    folder : path, optional
        Of the stored tables; by default ``data/results``.
    **parameters
        Arguments of `CharacterTransducer` that replace its defaults.

    Returns
    -------
    DataFrame
        Two rows a cell: ``corpus``, ``language``, ``strategy``, ``seed``, ``size``, ``model``, ``numerator`` (forms
        predicted exactly), ``denominator``, ``dev_numerator``, ``dev_denominator``, ``epochs``, ``chosen_epoch``,
        ``tuning_right`` (at that epoch), ``tuning_n``, ``seconds`` (of the processor, for training), ``data_version``,
        ``made_by``.
    """
    place = data_folder() / "results" if folder is None else Path(folder)
    asked = cluzh_cells() if cells is None else list(cells)
    tables = {name: _read(place / f"{name}.csv") for name in (RUNS, ERRORS)}
    done = set(tables[RUNS][list(_CELL)].itertuples(index=False, name=None)) if len(tables[RUNS]) else set()
    left = [cell for cell in asked if tuple(cell[name] for name in _CELL) not in done]
    with progress_bar(len(asked), label="training", initial=len(asked) - len(left)) as bar:
        for runs, errors in _trained(left, n_jobs, parameters):
            for name, rows in ((RUNS, runs), (ERRORS, errors)):
                tables[name] = pd.concat([tables[name], rows], ignore_index=True)
                if len(tables[name]):
                    _store(name, tables[name], place)
            bar.update(1)
    return tables[RUNS]


def _trained(
    cells: Sequence[Mapping[str, Any]], n_jobs: int, parameters: Mapping[str, Any]
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    if n_jobs == 1:
        return (train_cluzh_cell(**cell, **parameters) for cell in cells)
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=n_jobs)
    return parallel(delayed(train_cluzh_cell)(**cell, **parameters) for cell in cells)


def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, encoding="utf-8") if path.is_file() else pd.DataFrame()


def _store(name: str, table: pd.DataFrame, folder: Path) -> None:
    seeds = sorted({int(seed) for seed in table["seed"]})
    write_stored(name, table, train_cluzh_cell, command=CLUZH_COMMAND, seeds=seeds, caption=_CAPTION, named=False,
                 folder=folder)  # fmt: skip


def _items(corpus: str, language: str, strategy: str, seed: int, size: int) -> dict[str, pd.DataFrame]:
    """Training, fine-tuning, development and test items of a cell."""
    if corpus == REALITY_CHECK:
        found = reality_check_split(CODES[language], SPLITS[strategy], seed, "small")
        return {"train": found["train"], "tune": found["ftune"], "dev": found["dev"], "test": found["gold"]}
    drawn = draw(corpus, language, strategy, seed)
    return {"train": drawn.train(size), "tune": drawn.tune(size), "dev": drawn.dev, "test": drawn.test}


def train_cluzh_cell(
    corpus: str, language: str, strategy: str, seed: int, size: int, **parameters: Any
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One cell of `train_cluzh`: one network, decoded in both ways.

    Returns
    -------
    tuple of DataFrame
        The rows of `train_cluzh`, and, with seed 0 of the paper's samples, errors by type: ``corpus``, ``language``,
        ``strategy``, ``seed``, ``size``, ``model``, ``type``, ``errors``, ``items``.
    """
    about: dict[str, Any] = {"corpus": corpus, "language": language, "strategy": strategy, "seed": seed, "size": size}
    items = _items(**about)
    model = CharacterTransducer(**{"random_state": seed, "progress": False} | parameters)
    started = process_time()
    model.fit(items["train"], items["tune"])
    seconds = process_time() - started
    made = version(corpus, language) if corpus != REALITY_CHECK else data_version(REALITY_CHECK)
    rows, errors = [], [pd.DataFrame()]
    for name, width in TRANSDUCERS.items():
        predicted = {part: model.set_params(beam_width=width).predict(items[part]) for part in ("dev", "test")}
        right = {part: int((predicted[part].to_numpy() == _forms(items[part])).sum()) for part in predicted}
        rows.append(about | {
            "model": name, "numerator": right["test"], "denominator": len(items["test"]),
            "dev_numerator": right["dev"], "dev_denominator": len(items["dev"]), "epochs": len(model.losses_),
            "chosen_epoch": model.chosen_epoch_, "tuning_right": int(model.tuning_["right"].max()),
            "tuning_n": len(items["tune"]), "seconds": round(seconds, 1), "data_version": made,
            "made_by": source_digest(train_cluzh_cell)[:12],
        })  # fmt: skip
        if seed == 0 and corpus != REALITY_CHECK:
            test = items["test"]
            classes = classify_errors(language, test["lemma"], test["form"], predicted["test"])
            counts = error_counts(classes).drop(columns="share")
            errors.append(counts.assign(**about, model=name, type=counts["type"].astype("str")))
    return pd.DataFrame(rows), pd.concat(errors, ignore_index=True)


def _forms(items: pd.DataFrame) -> Any:
    return items["form"].astype("str").to_numpy()
