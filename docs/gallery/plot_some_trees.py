"""
Trees of a text
===============

The first short sentences of a text, one below the other.
"""

from analysis import corpora
from analysis.figures.trees import some_trees

tokens = corpora.load("nursery", part="test")
some_trees(tokens, number=2)
