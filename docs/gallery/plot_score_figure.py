"""
Scores in two units
===================

A proportion and bits share no axis: each unit has a panel.
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame({"system": ["A", "B"] * 2, "measure": ["V", "V", "VI", "VI"], "value": [0.5, 0.6, 3.0, 2.4]})
table = table.assign(lower=table["value"] * 0.95, upper=table["value"] * 1.05)
table["unit"] = ["proportion", "proportion", "bits", "bits"]
figures.score_figure(table)
