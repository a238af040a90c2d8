"""
Lines
=====

One variable against another, one line per series.
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame({"system": ["EM"] * 4 + ["sparse prior"] * 4, "iteration": [0, 5, 10, 20] * 2})
table["value"] = [0.31, 0.38, 0.4, 0.41, 0.31, 0.42, 0.5, 0.53]
figures.line_plot(table, x="iteration", labels=("Iteration", "Directed accuracy"), limits=(0, None)).figure
