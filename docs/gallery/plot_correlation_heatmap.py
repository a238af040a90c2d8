"""
Correlations of measures
========================

Spearman's correlations of the measures of Frank et al. (2009), from the numbers that are printed in their Table 3.
"""

from analysis import figures
from analysis.papers import frank2009

table = frank2009.table2(source="printed")
figures.correlation_heatmap(table).figure
