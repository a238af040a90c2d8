"""
A CCG derivation
================

Words at the top; a line with its rule stands below the daughters of each node.
"""

from analysis import explore, figures

one = explore.utterance(seed=1, number=1)
figures.ccg_derivation(one["nodes"], one["tokens"]["form"].to_list()).figure
