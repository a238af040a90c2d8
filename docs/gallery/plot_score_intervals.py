"""
Scores with intervals
=====================

Two systems beside each other, as `yardstick evaluate --plot` draws them.
"""

from analysis import figures
from analysis.categories import scored_tokens
from analysis.evaluation import compare_systems

gold, sentences = list("NNVDNVNDVN") * 20, [number // 5 for number in range(200)]
predicted = {"A": [1, 1, 2, 3, 1, 2, 1, 3, 3, 2] * 20, "B": [1, 2, 2, 3, 1, 2, 1, 1, 3, 2] * 20}
scored = {name: scored_tokens(gold, labels, sentences) for name, labels in predicted.items()}
figures.score_intervals(compare_systems(scored).scores.query("unit == 'proportion'"), xlabel="Proportion").figure
