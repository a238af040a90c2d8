"""CCG parsers."""

from analysis.ccg.models.normal_form_parser import NormalFormParser, word_shape

__all__ = ["NormalFormParser", "word_shape"]
