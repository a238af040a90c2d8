"""
Power of a comparison
=====================

How many sentences does a difference need, to be found in four of five test sets?
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame({"n": [200, 500, 1000, 2000] * 2, "difference": [0.01] * 4 + [0.02] * 4, "unit": "sentence"})
table["power"] = [0.18, 0.35, 0.6, 0.87, 0.45, 0.81, 0.97, 1.0]
table = table.assign(lower=(table["power"] - 0.04), upper=(table["power"] + 0.04).clip(upper=1))
figures.power_curve(table).figure
