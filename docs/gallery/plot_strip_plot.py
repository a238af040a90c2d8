"""
Single values
=============

Each run is a point; chance is a line.
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame({"measure": ["V", "M-1"] * 6, "start": ["random"] * 6 + ["sorted"] * 6})
table["value"] = [0.41, 0.6, 0.44, 0.62, 0.39, 0.58, 0.5, 0.66, 0.52, 0.69, 0.49, 0.65]
figures.strip_plot(table, x="measure", series="start", labels=("", "Score"), mark=0.3).figure
