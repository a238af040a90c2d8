"""Layer 3: dependency trees. How well predicted trees fit a gold standard, and models that induce trees from tags."""

from analysis.dependencies.attachment import MEASURES, AttachmentScores, attachment_scores, ill_formed
from analysis.dependencies.bootstrap import (
    BootstrapDifference,
    bootstrap_intervals,
    compare_systems,
    intervals_by,
    paired_bootstrap,
)
from analysis.dependencies.breakdowns import (
    CONVENTIONS,
    compare_conventions,
    compare_standards,
    scores_by,
    scores_by_length,
    scores_by_relation,
    scores_by_sentence_length,
    sentence_counts_by,
)
from analysis.dependencies.files import FileScores, score_files
from analysis.dependencies.penn_relations import penn_relations
from analysis.dependencies.punctuation import (
    PENN_PUNCTUATION,
    UNIVERSAL_PUNCTUATION,
    find_punctuation,
    sentences_without_punctuation,
)
from analysis.dependencies.reheading import RULES, STANDARDS, all_standards, rehead, rules_table
from analysis.dependencies.relations import (
    SCHEMES,
    TABLE6,
    UNIVERSAL_RELATIONS,
    rename_relations,
    table6_relations,
)

__all__ = [
    "CONVENTIONS",
    "MEASURES",
    "PENN_PUNCTUATION",
    "RULES",
    "SCHEMES",
    "STANDARDS",
    "TABLE6",
    "UNIVERSAL_PUNCTUATION",
    "UNIVERSAL_RELATIONS",
    "AttachmentScores",
    "BootstrapDifference",
    "FileScores",
    "all_standards",
    "attachment_scores",
    "bootstrap_intervals",
    "compare_conventions",
    "compare_standards",
    "compare_systems",
    "find_punctuation",
    "ill_formed",
    "intervals_by",
    "paired_bootstrap",
    "penn_relations",
    "rehead",
    "rename_relations",
    "rules_table",
    "score_files",
    "scores_by",
    "scores_by_length",
    "scores_by_relation",
    "scores_by_sentence_length",
    "sentence_counts_by",
    "sentences_without_punctuation",
    "table6_relations",
]
