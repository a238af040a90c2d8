"""
Several panels
==============

Several plots in one figure, with one legend for all.
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame({"system": ["HC", "HC", "FF", "FF"], "k": [12, 53] * 2, "value": [0.4, 0.5, 0.3, 0.42]})
draw = lambda ax: figures.line_plot(table, x="k", ax=ax)  # noqa: E731
figures.small_multiples([("coarse", draw), ("fine", draw)], columns=2, height=2.4)
