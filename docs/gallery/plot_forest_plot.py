"""
Coefficients with intervals
===========================

The terms of a regression. A term that could not be estimated says so.
"""

import pandas as pd

from analysis import figures

estimates = {"estimate": [0.21, -0.08, None], "lower": [0.12, -0.2, None], "upper": [0.3, 0.04, None]}
table = pd.DataFrame({"term": ["size", "overlap", "language: German"]} | estimates)
figures.forest_plot(table.assign(note=["", "", "collinear"])).figure
