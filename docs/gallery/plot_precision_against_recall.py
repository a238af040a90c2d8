"""
Precision against recall
========================

Each point is a model with a number of clusters, and its area is proportional to that number. The numbers are those of
our run on the Manchester corpus, which is stored with the suite (`data/results`).
"""

from analysis import figures
from analysis.papers import frank2009

scores = frank2009.mean_over_seeds(frank2009.stored_full_run()).query("condition == 'merge' and inventory == 'coarse'")
wide = scores.pivot(index=["system", "k"], columns="measure", values="value").reset_index()
points = wide.rename(columns={"PP": "precision", "PR": "recall"})
figures.precision_against_recall(points).figure
