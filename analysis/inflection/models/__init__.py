"""Models that learn inflected forms."""

from analysis.inflection.models.base import InflectionModel
from analysis.inflection.models.baselines import CopyBaseline, MajoritySuffix
from analysis.inflection.models.character_transducer import CharacterTransducer
from analysis.inflection.models.character_transformer import CharacterTransformer
from analysis.inflection.models.nearest_analogy import NearestAnalogy
from analysis.inflection.models.nonneural import NonNeural

__all__ = [
    "CharacterTransducer",
    "CharacterTransformer",
    "CopyBaseline",
    "InflectionModel",
    "MajoritySuffix",
    "NearestAnalogy",
    "NonNeural",
]
