"""
Clusters mapped to classes
==========================

Which cluster is read as which class? A cluster without a line has no class of its own.
"""

import pandas as pd

from analysis import figures

table = pd.DataFrame({"cluster": [1, 2, 3], "gold": ["N", "V", None], "types": [50, 20, 9], "shared": [40, 18, 0]})
figures.mapping_graph(table, classes=["N", "V", "D"]).figure
