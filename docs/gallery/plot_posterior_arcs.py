"""
Probable arcs
=============

The width of an arc is its probability: row 0 is the root, columns are dependents. The best tree is blue.
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame([[0.05, 0.15, 0.8], [0.0, 0.25, 0.05], [0.6, 0.0, 0.15], [0.35, 0.6, 0.0]])
figures.posterior_arcs(table, [2, 3, 0], ["the", "duck", "swims"]).figure
