"""
Predicate-argument dependencies
===============================

Links over the words of a sentence, as in Figure 3 of Clark & Hockenmaier (2002); the number is the slot.
"""

import pandas as pd

from analysis import figures

links = pd.DataFrame({"functor": [2, 2], "argument": [1, 3], "slot": [1, 2], "range": ["local", "local"]})
figures.dependency_links(links, ["ducks", "like", "ponds"]).figure
