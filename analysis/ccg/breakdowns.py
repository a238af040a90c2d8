"""Where a CCG parser goes wrong: every measure by sentence length, and by relation or category."""

from collections.abc import Sequence

import pandas as pd

from analysis.statistics.breakdowns import LENGTHS, in_bands, with_values
from analysis.statistics.sentence_counts import DROPPED, Evaluation
from analysis.structures.derivation import Derivations

#: The counts of `Evaluation.relations` whose ratio is precision, and recall.
_RATIOS = (("precision", "matched_test", "test"), ("recall", "matched_ref", "ref"))
_COUNTS = ("ref", "test", "matched_ref", "matched_test", "LP", "LR", "F")


def score_breakdowns(
    evaluations: Sequence[Evaluation], gold: Derivations, *, lengths: Sequence[int] = LENGTHS
) -> pd.DataFrame:
    """Compute each measure by sentence length, and precision and recall by category or relation.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Of one parser, such as those of `analysis.ccg.evaluate`.
    gold : Derivations
    lengths : sequence of int
        Largest number of words, with punctuation, of each band but the last.

    Returns
    -------
    DataFrame
        ``by`` (all, sentence length, relation), ``group``, ``measure`` with the name of the evaluation, ``value``,
        ``unit``, ``numerator``, ``denominator``. A cell without items has the value ``<NA>``.

    Examples
    --------
    >>> from analysis.ccg import evaluate, worked_example
    >>> gold, predicted = worked_example()
    >>> table = score_breakdowns(evaluate(gold, predicted), gold, lengths=(5, 10))
    >>> table.query("measure == 'lexical categories: accuracy'")[["group", "value"]].round(3).values.tolist()
    [['all', 0.667], ['1–5', <NA>], ['6–10', 0.667], ['11+', <NA>]]
    """
    words = gold.tokens.groupby("sentence", observed=True).size()
    rows = []
    for evaluation in evaluations:
        sentences = evaluation.sentences
        band = pd.Series(in_bands(words.reindex(sentences["sentence"]).to_numpy(), lengths), index=sentences.index)
        counted = sentences["status"] != DROPPED
        for measure, (above, below) in evaluation.ratios.items():
            name = f"{evaluation.name}: {measure}"
            sums = sentences[counted].groupby(band[counted], observed=False)[[above]].sum()[above]
            totals = sentences[counted].groupby(band[counted], observed=False)[[below]].sum()[below]
            rows.append(("all", "all", name, sentences[above][counted].sum(), sentences[below][counted].sum()))
            rows += [("sentence length", group, name, sums[group], totals[group]) for group in band.cat.categories]
        relations = evaluation.relations
        labels = [column for column in relations.columns if column not in _COUNTS]
        for record in relations.to_dict("records"):
            group = " ".join(str(record[column]) for column in labels)
            rows += [("relation", group, f"{evaluation.name}: {measure}", record[above], record[below])
                     for measure, above, below in _RATIOS]  # fmt: skip
    table = pd.DataFrame(rows, columns=["by", "group", "measure", "numerator", "denominator"])
    return with_values(table.assign(unit="proportion"))
