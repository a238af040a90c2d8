"""The built-in language: generated utterances of a small English-like, child-directed language, with gold annotation.

Results from it are always labelled as generated. The lexicon and the rules are in ``data/language``; its README
describes the language and its annotation.
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
