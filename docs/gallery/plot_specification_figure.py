"""
A specification curve
=====================

A claim under every combination of conventions: above, its statistic in order of size; below, the choices.
"""

from analysis.papers import frank2009, recipe

kept = recipe.stored_robustness(frank2009.PAPER)
recipe.robustness_figure(frank2009.PAPER, kept, "random_over_FF")
