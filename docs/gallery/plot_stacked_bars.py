"""
Stacked bars
============

Errors by type, one bar per training size.
"""

import pandas as pd

from analysis import figures

kinds = ["-ed added", "wrong vowel", "other"]
table = pd.DataFrame({"size": [100] * 3 + [500] * 3, "type": kinds * 2, "errors": [30, 12, 8, 18, 5, 3]})
figures.stacked_bars(table).figure
