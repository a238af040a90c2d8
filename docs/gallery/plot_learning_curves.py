"""
Learning curves
===============

Thin lines are seeds, thick lines their means.
"""

import pandas as pd

from analysis import figures

rows = [(model, size, seed) for model in ("NONNEUR", "copy") for seed in range(3) for size in (100, 500, 1000)]
runs = pd.DataFrame(rows, columns=["model", "size", "seed"])
runs["accuracy"] = [41, 62, 70, 44, 60, 72, 39, 64, 71, 20, 21, 20, 22, 20, 21, 19, 20, 21]
means = runs.groupby(["model", "size"], as_index=False)["accuracy"].mean().rename(columns={"accuracy": "value"})
figures.learning_curves(means, runs).figure
