"""Layer 2: the grid runner, and the cache of results.

`cached` stores a result under the checksum of its data, its parameters and a digest of the source; `run_grid` calls a
function for every row of a grid, serially or in parallel, and stores each cell when it is done; `fit_resumed` stores
intermediate states of a long fit, so that it can be resumed; `fit_labels` stores the labels too. `explain` reports why
a cell would be computed again; `read_stored` reads a shipped result and reports whether it was made by other source.
"""

from analysis.experiments.cache import cache_key, cached, canonical_json, fingerprint
from analysis.experiments.explaining import explain
from analysis.experiments.grid import cross, run_cells, run_grid, spawn_seeds
from analysis.experiments.labelled import Labelling, fit_labels, growing, is_long
from analysis.experiments.resumed import fit_resumed, forget, steps_spread, time_left
from analysis.experiments.stored import StoredRun, certify, read_stored, stored_caption, write_stored

__all__ = [
    "Labelling",
    "StoredRun",
    "cache_key",
    "cached",
    "canonical_json",
    "certify",
    "cross",
    "explain",
    "fingerprint",
    "fit_labels",
    "fit_resumed",
    "forget",
    "growing",
    "is_long",
    "read_stored",
    "run_cells",
    "run_grid",
    "spawn_seeds",
    "steps_spread",
    "stored_caption",
    "time_left",
    "write_stored",
]
