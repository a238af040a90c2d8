"""The built-in language: utterances of a small English-like, child-directed language, drawn with their truth.

It is generated, never recorded; whatever is made from it says so. The lexicon and the rules are in ``data/language``,
whose README says how the language works and what its truth is.
"""

from analysis.corpora.language.drawing import Generated, generate, generate_blocks
from analysis.corpora.language.export import auto_lines, chat_lines, to_auto, to_chat
from analysis.corpora.language.grammar import Grammar, load_grammar
from analysis.corpora.language.lexicon import lexicon
from analysis.corpora.language.parts import nursery, nursery_dependencies, nursery_derivations, nursery_part
from analysis.corpora.language.penn_tags import with_penn_tags

__all__ = [
    "Generated",
    "Grammar",
    "auto_lines",
    "chat_lines",
    "generate",
    "generate_blocks",
    "lexicon",
    "load_grammar",
    "nursery",
    "nursery_dependencies",
    "nursery_derivations",
    "nursery_part",
    "to_auto",
    "to_chat",
    "with_penn_tags",
]
