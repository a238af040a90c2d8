"""
Printed beside recomputed
=========================

A ring is the printed number, a dot is ours, and the bar between them is the difference.
"""

from analysis import figures
from analysis.papers import frank2009

recomputed = frank2009.mean_over_seeds(frank2009.stored_full_run()).query("condition == 'merge'")
comparison = frank2009.compare(recomputed, inventory="coarse").query("system == 'BHMM'")
figures.printed_beside_recomputed(comparison, label=["measure", "k"]).figure
