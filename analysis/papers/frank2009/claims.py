"""What the claims of the paper ask of the data: one function a question, named in ``data/claims/frank2009.csv``."""

import inspect
from typing import Any

import pandas as pd

from analysis.categories.models import HierarchicalClustering
from analysis.papers.frank2009.runs import MEASURES
from analysis.papers.frank2009.setting import INVENTORIES, Setting
from analysis.papers.recipe import Estimate, Evidence, Order, order_of

MINTZ_THRESHOLD = 0.0013
_STATED = [("SP", "PP"), ("SR", "PR"), ("SP", "MA")]


# What the paper sets -------------------------------------------------------------------------------------------------


def field(setting: Setting, name: str) -> float:
    """A field of the setting."""
    return float(getattr(setting, name))


def model_default(setting: Setting, name: str) -> float:
    """An argument of the hierarchical clustering that the setting leaves alone."""
    return float(inspect.signature(HierarchicalClustering).parameters[name].default)


def words_between(setting: Setting) -> float:
    """Words between the two of a frame: the measure's definition."""
    return 1.0


def occurrences_exceeded(setting: Setting) -> float:
    """A frame must occur more often than this."""
    return setting.minimum_frequency - 1.0


def threshold_percent(setting: Setting) -> float:
    """Percent of frame tokens from which a frame is frequent."""
    return 100 * setting.threshold


def mintz_threshold(setting: Setting) -> float:
    """Mintz's threshold in percent, at which frames are counted too."""
    return 100 * MINTZ_THRESHOLD


def number_of_conditions(setting: Setting) -> float:
    """How many K."""
    return float(len(setting.clusters))


def number_of_clusters(setting: Setting, place: int) -> float | None:
    """One K."""
    return float(setting.clusters[place]) if place < len(setting.clusters) else None


def shared_baselines(setting: Setting) -> float:
    """How many K have no Random of their own."""
    return float(len(setting.clusters) - len(INVENTORIES))


def ranked_items(setting: Setting) -> float:
    """Systems by K that are ranked."""
    return float(len(setting.models) * len(setting.clusters))


# What is counted -----------------------------------------------------------------------------------------------------


def tokens(of: Evidence, part: str) -> float:
    """Tokens of a part of the corpus."""
    return float(len(getattr(of("parts"), part)))


def times_larger(of: Evidence) -> float:
    """Test tokens for each training token."""
    return tokens(of, "test") / tokens(of, "train")


def children(of: Evidence) -> float:
    """Children of the training part: a folder each."""
    return float(of("parts").train["file"].astype("str").str.rpartition("/")[0].nunique())


def distinct(of: Evidence, column: str) -> float:
    """Different values of a column of the training part."""
    return float(of("parts").train[column].nunique())


def _coverage(of: Evidence, system: str, measure: str) -> pd.Series:
    rows = of("coverage")
    rows = rows[(rows["system"] == system) & (rows["measure"] == measure)]
    return rows.set_index("k").loc[of.setting.clusters[0]]


def clustered(of: Evidence, system: str) -> float:
    """Word types that a system clusters."""
    return float(_coverage(of, system, "types clustered")["numerator"])


def largest_cluster(of: Evidence) -> float:
    """Types in HC's largest cluster at the first K."""
    return float(_coverage(of, "HC", "types in the largest cluster")["numerator"])


def percent_clustered(of: Evidence, system: str, unit: str) -> float:
    """Percent of types or tokens that a system clusters."""
    return 100 * float(_coverage(of, system, f"{unit} clustered")["value"])


def percent_unclustered(of: Evidence) -> float:
    """Percent of types in HC's cluster of unclustered words."""
    return 100 - percent_clustered(of, "HC", "types")


def median_fall(of: Evidence) -> float:
    """Median fall of SP and SR from merge to split, in percent."""
    rows = of("changes")
    return -float(rows.loc[rows["measure"].isin(["SP", "SR"]), "percent"].astype("float64").median())


# What is compared ----------------------------------------------------------------------------------------------------


def _correlations(of: Evidence) -> pd.DataFrame:
    table = of("table2")
    return table[table["inventory"] == "coarse"].set_index(["measure_a", "measure_b"])


def correlation(of: Evidence, a: str, b: str) -> Estimate:
    """Rank correlation of two measures."""
    row = _correlations(of).loc[(a, b)]
    return Estimate(float(row["rho"]), p=float(row["p"]))


def other_correlations(of: Evidence) -> dict[str, Estimate]:
    """Rank correlations of the pairs of which the paper prints none."""
    rows = _correlations(of).drop(index=_STATED)
    return {f"{a}, {b}": Estimate(float(row["rho"]), p=float(row["p"])) for (a, b), row in rows.iterrows()}


def _values(of: Evidence, table: str, measure: str) -> pd.Series:
    """Scores by system and K, against the collapsed tags."""
    rows = of(table)
    rows = rows[(rows["measure"] == measure) & rows["inventory"].isin(["coarse", "none"])]
    return rows.set_index(["system", "k"])["value"].astype("float64")


def best(of: Evidence, measure: str) -> Order:
    """The best system at each K."""
    across = _values(of, "table3", measure).unstack("system").loc[list(of.setting.clusters)]
    return Order(tuple(across.idxmax(axis=1)), tuple(across.max(axis=1)))


def above_frames(of: Evidence) -> Order:
    """Measures by which Random is above FF at some K, with the most that it is above."""
    gaps = {}
    for measure in MEASURES:
        across = _values(of, "table3", measure).unstack("system")
        gaps[measure] = float((across["Random"] - across["FF"]).max())
    return order_of({name: gap for name, gap in gaps.items() if gap > 0})


def change(of: Evidence, measure: str, systems: str, first: int = 0) -> dict[str, float] | None:
    """Change of a score from merge to split, from a K on."""
    difference = (_values(of, "table4", measure) - _values(of, "table3", measure)).dropna()
    found = {f"{s} K={k}": difference.get((s, k)) for s in systems.split() for k in of.setting.clusters[first:]}
    return {name: float(value) for name, value in found.items() if value is not None} or None


def highest(of: Evidence, measure: str) -> float:
    """The highest value of a measure."""
    return float(_values(of, "table3", measure).max())


def frames(of: Evidence, share: float) -> float:
    """Frequent frames at a threshold."""
    return float(len(of("frames", threshold=share).frames_))


# Cluster sizes and ambiguity -----------------------------------------------------------------------------------------


def _largest_share(of: Evidence, system: str, unit: str) -> float:
    """Share of the largest cluster at the first K, of the types or tokens that the system clusters."""
    rows = of("sizes", unit=unit)
    k = of.setting.clusters[0]
    size = rows.loc[(rows["system"] == system) & (rows["k"] == k), "size"]
    whole = float(size.sum())
    if unit == "types":  # a type may be in several clusters
        whole = clustered(of, system) if system in ("HC", "FF") else distinct(of, "form")
    return float(size.max()) / whole


def skew_difference(of: Evidence) -> float:
    """How much larger HC's largest cluster is than FF's, as shares of clustered types."""
    return _largest_share(of, "HC", "types") - _largest_share(of, "FF", "types")


def token_type_gap(of: Evidence) -> dict[str, float]:
    """By how much the share of the largest cluster differs between types and tokens."""
    return {s: abs(_largest_share(of, s, "types") - _largest_share(of, s, "tokens")) for s in ("BHMM", "HC", "FF")}


def _ambiguity(of: Evidence, system: str) -> pd.Series:
    rows: Any = of("ambiguity")
    rows = rows[(rows["system"] == system) & (rows["weighting"] == "types")]
    return rows.set_index("k")["value"].astype("float64")


def ambiguity_over_gold(of: Evidence) -> float:
    """Clusters a type of BHMM at the first K, minus the collapsed gold classes a type."""
    return float(_ambiguity(of, "BHMM")[of.setting.clusters[0]] - _ambiguity(of, "gold coarse").iloc[0])


def ambiguity_growth(of: Evidence, system: str) -> float:
    """Change of the clusters a type from the first to the last K."""
    means = _ambiguity(of, system)
    return float(means[of.setting.clusters[-1]] - means[of.setting.clusters[0]])
