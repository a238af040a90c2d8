"""What a parser's derivations score, sentence by sentence."""

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.statistics.scored import Measure, ScoredRatios
from analysis.statistics.sentence_counts import Evaluation
from analysis.structures.columns import as_given, numbers_of, texts_of
from analysis.structures.derivation import Derivations
from analysis.structures.digests import gold_digest


def scored_derivations(
    evaluations: Sequence[Evaluation], gold: Derivations, choices: Mapping[str, object] | None = None
) -> ScoredRatios:
    """Counts of each gold sentence in several evaluations, for intervals and for comparing systems.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Of one parser, such as those of `evaluate`.
    gold : Derivations
    choices : mapping, optional
        What the numbers depend on besides the evaluations' conventions, for the signature.

    Returns
    -------
    ScoredRatios
        Measures such as ``Parseval: labelled recall``. A sentence that an evaluation drops counts nothing in it.

    Examples
    --------
    >>> from analysis.ccg import evaluate, worked_example
    >>> gold, predicted = worked_example()
    >>> found = scored_derivations(evaluate(gold, predicted), gold)
    >>> found.measures[0].name, round(float(found.values()[0, 0]), 3)
    ('lexical categories: accuracy', 0.667)
    """
    names: list[str] = []
    columns: tuple[list, list] = ([], [])
    own: dict[str, Mapping[str, object]] = {}
    for evaluation in evaluations:
        counted = evaluation.counted()
        for measure, ratio in evaluation.ratios.items():
            names.append(f"{evaluation.name}: {measure}")
            own[names[-1]] = evaluation.conventions
            for side, column in zip(columns, ratio, strict=True):
                side.append(np.where(counted, evaluation.counts(column), 0))
    nodes, tokens = as_given(gold, "nodes"), as_given(gold, "tokens")
    digest = gold_digest(
        *(numbers_of(nodes[name]) for name in ("sentence", "start", "end")),
        texts_of(nodes["category"]),
        numbers_of(tokens["sentence"]),
        *(texts_of(tokens[name]) for name in ("form", "category")),
    )
    measures = tuple(Measure(name) for name in names)
    above, below = (np.column_stack(side) for side in columns)
    return ScoredRatios("ccg", measures, above, below, "sentence", digest, dict(choices or {}), own)
