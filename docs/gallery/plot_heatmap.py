"""
Heat map
========

One cell per pair of factors, with its number where that fits: here a contingency table of classes and clusters.
"""

import pandas as pd

from analysis import figures

pairs = pd.DataFrame({"gold": list("NNNNNVVVDD"), "cluster": [1, 1, 1, 2, 2, 2, 2, 2, 3, 3]})
cells = pairs.value_counts().rename("value").reset_index()
figures.heatmap(cells, row="gold", column="cluster", labels=("cluster", "gold class"), label="tokens").figure
