"""
A grid of runs
==============

A measure against one factor; colour and line show a second, the marker a third.
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame([(k, s, c) for s in ("HC", "FF") for c in ("merge", "split") for k in (12, 53, 80)])
table = table.set_axis(["k", "system", "condition"], axis="columns")
table["value"] = [0.3, 0.4, 0.45, 0.35, 0.5, 0.56, 0.2, 0.33, 0.36, 0.28, 0.41, 0.47]
figures.grid_plot(table, x="k", marker="condition").figure
