"""
An utterance
============

Dependency arcs above and the derivation below, at the same scale.
"""

from analysis import explore, figures

one = explore.utterance(seed=1, number=1)
figures.utterance(one["tokens"], one["nodes"])
