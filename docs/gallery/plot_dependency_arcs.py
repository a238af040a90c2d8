"""
A dependency tree
=================

Arcs run from a head to its dependents. With ``gold``, a wrong arc looks different.
"""

import pandas as pd

from analysis import figures

words, relations = ["the", "duck", "swims"], ["DET", "SUBJ", "ROOT"]
gold = pd.DataFrame({"form": words, "head": [2, 3, 0], "relation": relations})
figures.dependency_arcs(gold.assign(head=[3, 3, 0]), gold=gold).figure
