"""
Correlations in the order of a clustering
=========================================

Measures that rank systems alike stand side by side; the dendrogram shows in which order they were joined.
"""

import numpy as np
import pandas as pd

from analysis import figures

table = pd.DataFrame({"measure_a": ["V", "V", "PP"], "measure_b": ["NVI", "PP", "NVI"], "rho": [0.9, 0.2, 0.1]})
mergers = np.array([[0, 1, 0.1, 2], [2, 3, 0.8, 3]])  # as scipy.cluster.hierarchy.linkage returns them
figures.clustered_correlations(table, ["V", "NVI", "PP"], mergers)
