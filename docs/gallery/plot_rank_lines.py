"""
Ranks by several measures
=========================

A line that crosses others belongs to a system on which the measures disagree. VI is better where it is lower.
"""

import pandas as pd

from analysis import figures

values = pd.DataFrame({"V": [0.61, 0.58, 0.44], "VI": [2.9, 2.6, 3.4], "M-1": [0.71, 0.74, 0.52]}, list("ABC"))
ranks = values.assign(VI=-values["VI"]).rank(ascending=False)
table = ranks.melt(ignore_index=False, var_name="measure", value_name="rank").rename_axis("system").reset_index()
figures.rank_lines(table, ["V", "VI", "M-1"], lower_is_better=["VI"]).figure
