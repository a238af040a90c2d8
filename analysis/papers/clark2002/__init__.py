"""Clark & Hockenmaier (2002): three evaluations of a CCG parser.

One function a table or figure: `table1` to `table4`, `figure1`, `figure2`, `figure3`; `compare` sets a table beside the
printed one, `claims` judges every number and claim of the text. All that need data take a `Setting` or single choices
of it.
"""

from analysis.papers.clark2002.claims import claims
from analysis.papers.clark2002.example import (
    example_evaluations,
    example_scores,
    example_tree_dependencies,
    subjects_of_john,
    table1,
)
from analysis.papers.clark2002.figures import coordination_figure, figure1, figure2, figure3, table2_figure
from analysis.papers.clark2002.publish import publish
from analysis.papers.clark2002.setting import (
    LEXICALISED,
    UNADAPTED,
    UNLEXICALISED,
    Setting,
    data,
    evaluations,
    output,
    parser,
    system_names,
    test_part,
)
from analysis.papers.clark2002.tables import (
    collins,
    compare,
    implied_numbers,
    long_range,
    relations_seen,
    table2,
    table3,
    table4,
)

__all__ = [
    "LEXICALISED",
    "UNADAPTED",
    "UNLEXICALISED",
    "Setting",
    "claims",
    "collins",
    "compare",
    "coordination_figure",
    "data",
    "evaluations",
    "example_evaluations",
    "example_scores",
    "example_tree_dependencies",
    "figure1",
    "figure2",
    "figure3",
    "implied_numbers",
    "long_range",
    "output",
    "parser",
    "publish",
    "relations_seen",
    "subjects_of_john",
    "system_names",
    "table1",
    "table2",
    "table2_figure",
    "table3",
    "table4",
    "test_part",
]
