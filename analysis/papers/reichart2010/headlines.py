"""The signed statistics of the headline claims, named in ``data/specifications/reichart2010.csv``."""

import pandas as pd

from analysis.papers.recipe import Evidence
from analysis.papers.reichart2010.runs import ASSIGNED, COLUMNS, IN_THE_SPIRIT, LOWER_IS_BETTER

#: Token measure of each mapping.
_MAPPINGS = ("M-1", "1-1")
#: Systems of this suite that are not in the paper.
_OURS = ("Brown", "Exchange")
#: Systems with one cluster per word.
_MONOSEMOUS = ("Clark03", *_OURS)


def _scores(of: Evidence, treatment: str, systems: str = "all") -> pd.DataFrame:
    """One row per system and one column per measure, larger values better; Clark03 is the row of the treatment.

    A system that is in the spirit of the paper's only does not count.
    """
    rows = of("table1")
    rows = rows[rows["system"] != IN_THE_SPIRIT]
    wide = rows.pivot(index="system", columns="measure", values="value").astype("float64")
    wide = wide.assign(**{name: -wide[name] for name in LOWER_IS_BETTER})
    if treatment == "assigned":
        wide.loc["Clark03"] = wide.loc[ASSIGNED]
    return wide.drop(index=[ASSIGNED, *(_OURS if systems == "of the paper" else ())])


def weak_agreement(
    of: Evidence,
    most: float = 0.5,
    treatment: str = "program",
    systems: str = "all",
    coefficient: str = "spearman",
    reading: str = "both",
) -> float:
    """How far the mean rank correlation of token and type measures is below the bound for strong agreement."""
    scores = _scores(of, treatment, systems)
    kinds = _MAPPINGS if reading == "both" else (reading,)
    tokens = [name for *_, name in COLUMNS[:6] if name not in _MAPPINGS or name in kinds]
    types = [name for level, _, how, name in COLUMNS if level == "type" and how in kinds]
    return most - float(scores.corr(method=coefficient).loc[tokens, types].to_numpy().mean())


def places_lost(
    of: Evidence,
    system: str,
    reading: str = "M-1",
    measure: str = "MacroI",
    sign: int = 1,
    treatment: str = "program",
    systems: str = "all",
) -> float:
    """How many places a system falls from tokens to types; with sign -1 how many it rises."""
    ranks = _scores(of, treatment, systems).rank(ascending=False)
    return sign * float(ranks.loc[system, f"{measure} {reading}"] - ranks.loc[system, reading])


def monosemous_lead(of: Evidence, reading: str = "M-1", measure: str = "MacroI", treatment: str = "program") -> float:
    """By how much the best system with one cluster per word is above the best of the others, as a share of the
    higher.
    """
    column = _scores(of, treatment)[f"{measure} {reading}"]
    own, other = float(column[list(_MONOSEMOUS)].max()), float(column.drop(list(_MONOSEMOUS)).max())
    return (own - other) / max(own, other)


def with_clusters(
    of: Evidence, measure: str, sign: int = 1, system: str = "Clark03", coefficient: str = "spearman"
) -> float:
    """Rank correlation of a measure with the number of clusters of one system, better scores taken as higher.

    Examples
    --------
    >>> curves = pd.DataFrame({"system": "Clark03", "measure": "V", "k": [3, 17, 34], "value": [0.2, 0.3, 0.4]})
    >>> with_clusters({"curves": curves}.get, "V")
    1.0
    """
    rows = of("curves")
    rows = rows[(rows["system"] == system) & (rows["measure"] == measure)].astype({"k": "float64", "value": "float64"})
    turned = -1 if measure in LOWER_IS_BETTER else 1
    return sign * turned * float(rows["k"].corr(rows["value"], method=coefficient))


def nearness(of: Evidence, within: float = 0.1, reading: str = "1-1", treatment: str = "program",
             systems: str = "all") -> float:  # fmt: skip
    """How far the mean difference of MacroI and MicroI, as a share of the larger, is below a bound."""
    scores = _scores(of, treatment, systems)
    pair = scores[[f"MacroI {reading}", f"MicroI {reading}"]]
    return within - float(((pair.max(axis=1) - pair.min(axis=1)) / pair.max(axis=1)).mean())
