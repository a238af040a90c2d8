"""A tiny paper for the tests: two figures, two tables, no notebook of its own."""

import time

import pandas as pd

from analysis import figures
from analysis.structures import DataError
from analysis.structures.publication import Figure, Publication, Source, Table

BROKEN = {"error": ""}


def publish(corpus="nursery", full=False, n_jobs=-1):
    started = time.perf_counter()
    if BROKEN["error"] == "interrupt":
        raise KeyboardInterrupt
    if BROKEN["error"] == "data":
        raise DataError("a.cha, line 3: the utterance has no %mor tier", "Give strict=False.")
    if BROKEN["error"] == "value":
        raise ValueError("k must be positive, not -1.")
    counts = pd.DataFrame({"rank": range(1, 20), "frequency": [200 // rank for rank in range(1, 20)]})
    comparison = pd.DataFrame(
        {
            "measure": ["PP", "SP <b>&"],
            "printed": [0.5, 0.000065],
            "recomputed": pd.array([0.25, None], dtype="Float64"),
            "reproducible": ["at best approximately", "not at all"],
        }
    )
    drawn = figures.printed_beside_recomputed(comparison, label="measure").figure
    return Publication(
        paper="fake2009",
        title="Fake & Sons (2009)",
        corpus=corpus,
        tables=[
            Table("table1", "Table 1", comparison, "Made up, n = 2; 50 % of it"),
            Table("counts", "Counts", pd.concat([counts] * 3, ignore_index=True), "Made up, n = 57"),
        ],
        figures=[
            Figure("figure1", "Figure 1", figures.frequency_rank(counts).figure, 'A "falling" line', "n = 19"),
            Figure("figure2", "Figure 2", drawn, "Rings and dots", "n = 2"),
        ],
        sources=[Source("nursery", "nursery sha256:ab", "BSD-3-Clause", "The suite", generated=True)],
        notes=["Few sweeps."],
        not_reproduced=pd.DataFrame({"what": ["SP"], "why": ["no corpus"], "needs": ["the corpus"]}),
        run_times={"all": time.perf_counter() - started},
        parameters={"sweeps": 500 if full else 5},
    )
