"""Layer 3: dependency trees. Measures of predicted trees, and models that induce trees from tags."""

from typing import TYPE_CHECKING

from analysis.dependencies.penn_relations import penn_relations
from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.dependencies.attachment import MEASURES, AttachmentScores, attachment_scores, ill_formed
    from analysis.dependencies.bootstrap import (
        BootstrapDifference,
        bootstrap_intervals,
        compare_pairs,
        intervals_by,
        paired_bootstrap,
    )
    from analysis.dependencies.breakdowns import (
        CONVENTIONS,
        compare_conventions,
        compare_standards,
        costliest_pairs,
        score_breakdowns,
        scores_by,
        scores_by_length,
        scores_by_relation,
        scores_by_sentence_length,
        sentence_counts_by,
    )
    from analysis.dependencies.by_sentence import scored_trees, scored_trees_by
    from analysis.dependencies.files import FileScores, score_files
    from analysis.dependencies.labelled import LabelledScores, labelled_attachment
    from analysis.dependencies.punctuation import (
        PENN_PUNCTUATION,
        UNIVERSAL_PUNCTUATION,
        find_punctuation,
        sentences_without_punctuation,
    )
    from analysis.dependencies.references import reference_scores
    from analysis.dependencies.reheading import RULES, STANDARDS, all_standards, rehead, rules_table
    from analysis.dependencies.relations import SCHEMES, TABLE6, UNIVERSAL_RELATIONS, rename_relations, table6_relations

_HOMES = {
    "CONVENTIONS": "breakdowns",
    "MEASURES": "attachment",
    "PENN_PUNCTUATION": "punctuation",
    "RULES": "reheading",
    "SCHEMES": "relations",
    "STANDARDS": "reheading",
    "TABLE6": "relations",
    "UNIVERSAL_PUNCTUATION": "punctuation",
    "UNIVERSAL_RELATIONS": "relations",
    "AttachmentScores": "attachment",
    "BootstrapDifference": "bootstrap",
    "FileScores": "files",
    "LabelledScores": "labelled",
    "all_standards": "reheading",
    "attachment_scores": "attachment",
    "bootstrap_intervals": "bootstrap",
    "compare_conventions": "breakdowns",
    "compare_pairs": "bootstrap",
    "compare_standards": "breakdowns",
    "costliest_pairs": "breakdowns",
    "find_punctuation": "punctuation",
    "ill_formed": "attachment",
    "intervals_by": "bootstrap",
    "labelled_attachment": "labelled",
    "paired_bootstrap": "bootstrap",
    "reference_scores": "references",
    "rehead": "reheading",
    "rename_relations": "relations",
    "rules_table": "reheading",
    "score_breakdowns": "breakdowns",
    "score_files": "files",
    "scored_trees": "by_sentence",
    "scored_trees_by": "by_sentence",
    "scores_by": "breakdowns",
    "scores_by_length": "breakdowns",
    "scores_by_relation": "breakdowns",
    "scores_by_sentence_length": "breakdowns",
    "sentence_counts_by": "breakdowns",
    "sentences_without_punctuation": "punctuation",
    "table6_relations": "relations",
}

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
    "LabelledScores",
    "all_standards",
    "attachment_scores",
    "bootstrap_intervals",
    "compare_conventions",
    "compare_pairs",
    "compare_standards",
    "costliest_pairs",
    "find_punctuation",
    "ill_formed",
    "intervals_by",
    "labelled_attachment",
    "paired_bootstrap",
    "penn_relations",
    "reference_scores",
    "rehead",
    "rename_relations",
    "rules_table",
    "score_breakdowns",
    "score_files",
    "scored_trees",
    "scored_trees_by",
    "scores_by",
    "scores_by_length",
    "scores_by_relation",
    "scores_by_sentence_length",
    "sentence_counts_by",
    "sentences_without_punctuation",
    "table6_relations",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
