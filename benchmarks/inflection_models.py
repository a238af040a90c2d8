"""Time of NONNEUR: as many runs as the shared task published accuracies for, and fifty samplings of every language."""

import argparse
import os
from time import perf_counter

import pandas as pd

from analysis.corpora import where
from analysis.inflection import NonNeural
from analysis.inflection.models.edit_rules import affix_letters, align, edit_rules
from analysis.papers.kodner2023.setting import LANGUAGES, draw, pool, sizes


def published_runs(corpus: str, strategy: str) -> tuple[int, float]:
    """Runs and seconds of every size and language, scored on development and test items, with cold caches."""
    samples = {language: draw(corpus, language, strategy, 0) for language in LANGUAGES}
    for kept in (affix_letters, align, edit_rules):
        kept.cache_clear()
    runs, start = 0, perf_counter()
    for sample in samples.values():
        for size in sample.sizes:
            for items in (sample.dev, sample.test):
                predicted = NonNeural().fit(sample.training(size)).predict(items)
                (predicted == items["form"]).mean()
                runs += 1
    return runs, perf_counter() - start


def samplings(corpus: str, count: int) -> tuple[int, float]:
    """Runs and seconds of that many UNIFORM samples of each language, through the grid runner, on all cores."""
    from analysis.experiments import cross, run_cells
    from analysis.papers.kodner2023.runs import sample_runs

    for language in LANGUAGES:
        pool(corpus, language)
    grid = cross(corpus=[corpus], language=LANGUAGES, strategy=["UNIFORM"], seed=range(count), models=[("NONNEUR",)])
    start = perf_counter()
    done = run_cells(sample_runs, grid, n_jobs=min(2, os.cpu_count() or 1), progress=False)
    runs = sum(len(tables["runs"]) for tables in done)
    assert runs == count * sum(len(sizes(corpus, language)) for language in LANGUAGES)
    return runs, perf_counter() - start


def main(count: int = 50) -> pd.DataFrame:
    """One row per task: runs, seconds, and seconds a run."""
    real = where("sigmorphon2022") in ("cached", "on the mirror")
    corpus, strategy = ("sigmorphon2022", "SIGM22") if real else ("lexical", "UNIFORM")
    rows = [
        (f"all sizes, dev and test, one core ({corpus})", *published_runs(corpus, strategy)),
        (f"{count} samplings of three languages, two processes ({corpus})", *samplings(corpus, count)),
    ]
    table = pd.DataFrame(rows, columns=["task", "runs", "seconds"])
    table["milliseconds a run"] = 1000 * table["seconds"] / table["runs"]
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samplings", type=int, default=50)
    main(parser.parse_args().samplings)
