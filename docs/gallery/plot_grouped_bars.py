"""
Grouped bars
============

One group per value of x, one colour and hatch per series; with ``lower`` and ``upper`` there are error bars.
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame({"k": [12, 53, 80] * 2, "system": ["HC"] * 3 + ["FF"] * 3})
table["value"] = [0.4, 0.5, 0.55, 0.3, 0.42, 0.45]
table = table.assign(lower=table["value"] - 0.03, upper=table["value"] + 0.03)
figures.grouped_bars(table, x="k", group="system", labels=("Clusters", "Many-to-one accuracy")).figure
