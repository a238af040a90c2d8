"""
Frequency against rank
======================

Word frequencies of the built-in language. In natural text the line is nearly straight on logarithmic axes.
"""

import pandas as pd

from analysis import corpora, figures

counts = corpora.load("nursery", part="train")["form"].value_counts().to_numpy()
table = pd.DataFrame({"corpus": "nursery", "rank": range(1, len(counts) + 1), "frequency": counts})
figures.mark_generated(figures.frequency_rank(table).figure)
