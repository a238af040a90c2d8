"""Compare systems of any subject: scores with intervals, paired differences, tests, and the variation over runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.evaluation.signatures import signature
from analysis.statistics.differences import SystemDifference, SystemScore, Test, compare_scored
from analysis.statistics.scored import Scored


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems that were scored on the same units.

    Attributes
    ----------
    scores : DataFrame
        One row per system and measure: the columns of `analysis.statistics.differences.SystemScore`.
    differences : DataFrame
        One row per system other than the baseline and measure: the columns of
        `analysis.statistics.differences.SystemDifference`.
    baseline : str
        The first system.
    signatures : dict of str to str
        Of each measure; the same for all systems but for the number of runs, here the most.

    Examples
    --------
    >>> from analysis.categories import scored_tokens
    >>> gold, sentences = ["N", "V"] * 30, [number // 3 for number in range(60)]
    >>> one, other = ([1, 2] * 30, [1, 1, 1, 2] * 15)
    >>> found = compare_systems({"A": scored_tokens(gold, one, sentences, ["many-to-one"]),
    ...                          "B": scored_tokens(gold, other, sentences, ["many-to-one"])})
    >>> found.differences[["system", "difference", "better"]].values.tolist()
    [['B', -0.25, 'A']]
    """

    scores: pd.DataFrame
    differences: pd.DataFrame
    baseline: str
    signatures: Mapping[str, str]

    def __repr__(self) -> str:
        shown = [self.scores[["system", "measure", "value", "lower", "upper"]]]
        if len(self.differences):
            shown.append(self.differences[["system", "measure", "difference", "lower", "upper", "p_holm", "note"]])
        return "\n\n".join(table.round(4).to_string(index=False) for table in shown)


def compare_systems(
    systems: Mapping[str, Scored | Sequence[Scored]],
    measures: Sequence[str] | None = None,
    *,
    test: Test = "bootstrap",
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
) -> Comparison:
    """Score systems of one subject on the same units, and test each against the first.

    Parameters
    ----------
    systems : mapping of str to Scored, or to several runs of one system
        What `scored_tokens`, `scored_types`, `scored_trees`, `scored_derivations`, `scored_brackets` or `scored_items`
        gave. The first system is the baseline.
    measures : sequence of str, optional
        By default all that every run has.
    test : {"bootstrap", "sign flips"}
        Of ratios of sums; other measures have their own test. See `analysis.statistics.differences.compare_scored`.
    resamples : int
    confidence : float
    random_state : int

    Returns
    -------
    Comparison
        p is corrected by Holm's method for all comparisons of the table. With several runs, intervals and p count the
        variation over runs and over units; a difference below the deviation over runs says so and has no winner.

    Raises
    ------
    ValueError
        If the systems were not scored on the same data with the same choices, or a measure is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from analysis.dependencies import attachment_scores, scored_trees
    >>> gold = pd.DataFrame({"sentence": [0, 0, 1], "form": ["ducks", "swim", "look"], "head": [2, 0, 0]})
    >>> found = compare_systems({name: scored_trees(attachment_scores(gold, heads))
    ...                          for name, heads in (("LB", [2, 0, 0]), ("RB", [0, 1, 0]))}, ["directed"])
    >>> round(float(found.differences["difference"].iloc[0]), 3), found.baseline
    (-0.667, 'LB')
    """
    scores, differences = compare_scored(
        systems, measures, test=test, resamples=resamples, confidence=confidence, random_state=random_state
    )
    name, runs = next(iter(systems.items()))
    first = runs[0] if isinstance(runs, Sequence) else runs
    options = {"resamples": resamples, "confidence": confidence, "random_state": random_state}
    options["runs"] = max(row.runs for row in scores)
    shown = dict.fromkeys(row.measure for row in scores)
    return Comparison(
        pd.DataFrame(scores, columns=SystemScore._fields),
        pd.DataFrame(differences, columns=SystemDifference._fields),
        name,
        {measure: signature(first, measure, **options) for measure in shown},  # type: ignore[arg-type]
    )
