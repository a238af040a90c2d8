"""
Sizes of clusters by rank
=========================

A steep line means that a few clusters hold nearly all words.
"""

import pandas as pd

from analysis import corpora, figures
from analysis.categories import cluster_sizes

tokens = corpora.load("nursery", part="train").astype({"coarse": "str", "fine": "str"})
sizes = {name: cluster_sizes(tokens, name).rename(columns={"types": "size"}) for name in ("coarse", "fine")}
table = pd.concat(sizes, names=["system"]).reset_index("system")
figures.mark_generated(figures.ranked_sizes(table, labels=("Rank of the tag", "Word types")).figure)
