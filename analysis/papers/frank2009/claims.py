"""Quantities that the claims of the paper are about: one function each, named in ``data/claims/frank2009.csv``."""

import pandas as pd

from analysis.categories import contingency, pairwise_precision_recall
from analysis.papers.frank2009.readings import printed_bounds
from analysis.papers.frank2009.runs import MEASURES
from analysis.papers.frank2009.setting import Setting
from analysis.papers.recipe import Estimate, Evidence, Order, order_of

MINTZ_THRESHOLD = 0.0013
_STATED = [("SP", "PP"), ("SR", "PR"), ("SP", "MA")]


# What the paper sets -------------------------------------------------------------------------------------------------


def words_between(setting: Setting) -> float:
    """Number of words between the two words of a frame, from the definition of the measure."""
    return 1.0


def mintz_threshold(setting: Setting) -> float:
    """Mintz's threshold in percent, at which frames are counted too."""
    return 100 * MINTZ_THRESHOLD


def ranked_items(setting: Setting) -> float:
    """Systems by K that are ranked."""
    return float(len(setting.models) * len(setting.clusters))


# What is counted -----------------------------------------------------------------------------------------------------


def times_larger(of: Evidence) -> float:
    """Number of test tokens per training token."""
    return len(of("test")) / len(of("train"))


def children(of: Evidence) -> float:
    """Number of children in the training part: one folder per child."""
    return float(of("train")["file"].astype("str").str.rpartition("/")[0].nunique())


# What is compared ----------------------------------------------------------------------------------------------------


def _correlations(of: Evidence) -> pd.DataFrame:
    return of("table2").query("inventory == 'coarse'").set_index(["measure_a", "measure_b"])


def correlation(of: Evidence, a: str, b: str) -> Estimate:
    """Rank correlation of two measures."""
    row = _correlations(of).loc[(a, b)]
    return Estimate(float(row["rho"]), p=float(row["p"]))


def other_correlations(of: Evidence) -> dict[str, Estimate]:
    """Rank correlations of the pairs for which the paper prints none."""
    rows = _correlations(of).drop(index=_STATED)
    return {f"{a}, {b}": Estimate(float(row["rho"]), p=float(row["p"])) for (a, b), row in rows.iterrows()}


def _values(of: Evidence, table: str, measure: str) -> pd.Series:
    """Scores by system and K, against the collapsed tags."""
    rows = of(table).query("measure == @measure and inventory in ['coarse', 'none']")
    return rows.set_index(["system", "k"])["value"].astype("float64")


def best(of: Evidence, measure: str) -> Order:
    """The best system at each K."""
    across = _values(of, "table3", measure).unstack("system").loc[list(of.setting.clusters)]
    return Order(tuple(across.idxmax(axis=1)), tuple(across.max(axis=1)))


def above_frames(of: Evidence) -> Order:
    """Measures by which Random is above FF at some K, with the most that it is above."""
    across = {measure: _values(of, "table3", measure).unstack("system") for measure in MEASURES}
    gaps = {measure: float((values["Random"] - values["FF"]).max()) for measure, values in across.items()}
    return order_of({name: gap for name, gap in gaps.items() if gap > 0})


def change(of: Evidence, measure: str, systems: str, first: int = 0) -> dict[str, float] | None:
    """Change of a score from merge to split, from a K on."""
    difference = (_values(of, "table4", measure) - _values(of, "table3", measure)).dropna()
    found = {f"{s} K={k}": difference.get((s, k)) for s in systems.split() for k in of.setting.clusters[first:]}
    return {name: float(value) for name, value in found.items() if value is not None} or None


def places_won(of: Evidence, system: str) -> dict[str, float]:
    """Mean over K of the places that a system is better by SP than by PP, and by SR than by PR."""
    places = {
        measure: _values(of, "table3", measure).unstack("system").rank(axis=1, ascending=False)[system].mean()
        for measure in MEASURES
    }
    return {"SP, PP": float(places["PP"] - places["SP"]), "SR, PR": float(places["PR"] - places["SR"])}


def relative_size(of: Evidence) -> dict[str, float]:
    """Members that share an S-cluster with a member, on the mean, for each that shares its model cluster: SP / SR.

    Both measures count the same pairs, and S-clusters and model clusters have the same members in all.
    """
    ratio = _values(of, "table3", "SP") / _values(of, "table3", "SR")
    return {"{} K={}".format(*ratio.idxmax()): float(ratio.max())}


def frames(of: Evidence, share: float) -> float:
    """Frequent frames at a threshold."""
    return float(len(of("frames", threshold=share).frames_))


# The printed tables --------------------------------------------------------------------------------------------------


def printed_bound(of: Evidence, column: str, systems: str) -> dict[str, float]:
    """What the printed scores imply of each other, by system and K; see `readings.printed_bounds`."""
    table = printed_bounds().query("system in @systems.split()").dropna(subset=column)
    return {f"{row.system} K={row.k}": float(getattr(row, column)) for row in table.itertuples()}


def printed_loss(of: Evidence, system: str) -> float:
    """By how much what splitting takes off the printed PR differs between K = 53 and 80, which have the same gold."""
    loss = printed_bounds().set_index(["system", "k"])["loss_of_PR"]
    return float(abs(loss[system, 53] - loss[system, 80]))


# Frames --------------------------------------------------------------------------------------------------------------


def _in_frames(of: Evidence) -> pd.DataFrame:
    """The training tokens inside a frequent frame: ``form``, ``coarse``, ``frame``."""
    frames = of("frames", threshold=of.setting.threshold).frames_[["left", "right"]].astype("str")
    train = of("train")[["sentence", "form", "coarse"]].astype({"form": "str", "coarse": "str"})
    words = train.groupby("sentence", sort=False)["form"]
    placed = train.assign(left=words.shift(1), right=words.shift(-1)).merge(
        frames.assign(frame=range(len(frames))), on=["left", "right"]
    )
    return placed[["form", "coarse", "frame"]]


def nouns_and_verbs(of: Evidence) -> float:
    """Share of the tokens in frequent frames that are nouns, pronouns or verbs."""
    return float(_in_frames(of)["coarse"].isin(["N", "V"]).mean())


def frame_precision(of: Evidence) -> float | None:
    """Pairwise precision of the tokens in frequent frames, a cluster a frame."""
    tokens = _in_frames(of)
    return pairwise_precision_recall(contingency(tokens["coarse"], tokens["frame"])).precision


def once_in_frames(of: Evidence) -> float:
    """Words that occur once and are in a frequent frame."""
    frequency = of("train")["form"].astype("str").value_counts()
    return float((frequency[_in_frames(of)["form"].astype("str").unique()] == 1).sum())


def frame_words_left(of: Evidence) -> float:
    """Of the tokens that no frequent frame clusters, the share whose word is one of a frame's two."""
    frames, forms = of("frames", threshold=of.setting.threshold), of("train")["form"].astype("str")
    left = forms[~forms.isin(frames.clusters_["form"].astype("str"))]
    words = pd.concat([frames.frames_["left"], frames.frames_["right"]]).astype("str")
    return float(left.isin(words).mean())


def fillers(of: Evidence, left: str, tag: str, right: str) -> list[str]:
    """Words between a word with a gold tag and a noun, in both parts of the corpus, the most frequent first."""
    found = []
    for part in ("train", "test"):
        tokens = of(part)
        if "coarse" not in tokens.columns:
            continue
        before, after = tokens.shift(1), tokens.shift(-1)
        one = (before["sentence"] == tokens["sentence"]) & (after["sentence"] == tokens["sentence"])
        frame = (before["form"] == left) & (before["coarse"] == tag) & (after["form"] == right)
        found.append(tokens.loc[one & frame & (after["coarse"] == "N"), "form"].astype("str"))
    return pd.concat(found).value_counts().index.tolist()


# Cluster sizes and ambiguity -----------------------------------------------------------------------------------------


def _largest_share(of: Evidence, system: str, unit: str) -> float:
    """Share of the largest cluster at the first K, of the types or tokens that the system clusters."""
    rows = of("sizes", unit=unit).query("system == @system and k == @of.setting.clusters[0]")
    whole = rows["size"].sum()
    if unit == "types":  # a type may be in several clusters
        covered = of("coverage").query("system == @system and measure == 'types clustered'")["numerator"]
        whole = covered.iloc[0] if len(covered) else of("train")["form"].nunique()
    return float(rows["size"].max() / whole)


def skew_difference(of: Evidence) -> float:
    """How much larger HC's largest cluster is than FF's, as shares of clustered types."""
    return _largest_share(of, "HC", "types") - _largest_share(of, "FF", "types")


def token_type_gap(of: Evidence) -> dict[str, float]:
    """By how much the share of the largest cluster differs between types and tokens."""
    return {s: abs(_largest_share(of, s, "types") - _largest_share(of, s, "tokens")) for s in ("BHMM", "HC", "FF")}


def _ambiguity(of: Evidence, system: str) -> pd.Series:
    rows = of("ambiguity").query("system == @system and weighting == 'types'")
    return rows.set_index("k")["value"].astype("float64")


def ambiguity_over_gold(of: Evidence) -> float:
    """Clusters per type of BHMM at the first K, minus the collapsed gold classes per type."""
    return float(_ambiguity(of, "BHMM")[of.setting.clusters[0]] - _ambiguity(of, "gold coarse").iloc[0])


def ambiguity_growth(of: Evidence, system: str) -> float:
    """Change of the clusters per type from the first to the last K."""
    means = _ambiguity(of, system)
    return float(means[of.setting.clusters[-1]] - means[of.setting.clusters[0]])


def ambiguity_of_frames(of: Evidence) -> dict[str, float]:
    """Clusters a type of FF, minus those of the collapsed gold classes, by K."""
    gold = _ambiguity(of, "gold coarse").iloc[0]
    return {f"K={k}": float(value - gold) for k, value in _ambiguity(of, "FF").items()}


def large_clusters(of: Evidence, unit: str, share: float = 0.01) -> dict[str, float]:
    """How many more clusters with such a share of the types or tokens BHMM has than gold classes of about its K."""
    table, found = of("sizes", unit=unit), {}
    whole = of("train")["form"].nunique() if unit == "types" else len(of("train"))
    large = table[table["size"] >= share * whole].groupby(["system", "k"]).size()
    for k, gold in zip(of.setting.clusters, ("gold coarse", "gold fine"), strict=False):
        found[f"K={k}"] = float(large["BHMM"].get(k, 0) - large[gold].sum())
    return found
