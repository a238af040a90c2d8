"""
Two derivations of a sentence
=============================

Nodes that match are blue with a tick, others red with a cross.
"""

import pandas as pd

from analysis import figures

tree = {"node": [0, 1, 2], "parent": [-1, 0, 0], "start": [0, 0, 1], "end": [2, 1, 2], "rule": ["<", "lex", "lex"]}
nodes = pd.DataFrame(tree | {"category": ["S", "NP", "S\\NP"]})
gold, output = nodes.assign(matched=[True, True, True]), nodes.assign(matched=[True, False, True])
figures.derivation_pair(gold, output, ["dogs", "bark"])
