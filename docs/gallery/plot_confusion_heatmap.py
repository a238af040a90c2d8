"""
Confusion of classes
====================

Which class is read as which? The clusters are mapped one to one, and the diagonal is framed.
"""

import pandas as pd

from analysis import figures
from analysis.categories import confusion

labels = {"gold": list("NNNNNVVVDD"), "predicted": [1, 1, 1, 2, 2, 2, 2, 2, 3, 3]}
tokens = pd.DataFrame({"sentence": 0, "form": list("abcdefghij")} | labels)
figures.confusion_heatmap(confusion(tokens, "one-to-one")).figure
