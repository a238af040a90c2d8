"""Phrase-structure parsers."""

from analysis.constituents.models.treebank_pcfg import TreebankPCFG, word_signature

__all__ = ["TreebankPCFG", "word_signature"]
