"""Printed scores that no recomputation comes near: the readings tried, and what the printed numbers rule out."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from analysis.categories import contingency
from analysis.papers.frank2009.runs import against_gold, hierarchical_clustering
from analysis.papers.frank2009.setting import INVENTORIES, Setting, parts
from analysis.papers.recipe import printed, takes_setting

#: How far a reading may be from the printed number and still come near it.
NEAR = 0.05
#: Gold classes that the printed scores may be of, by K: the collapsed ones at 12, else the fine ones.
CLASSES = {12: 12, 53: 53, 80: 53}


@takes_setting(Setting)
def random_readings(setting: Setting) -> pd.DataFrame:
    """What could give the printed MA of Random (.796 and .720): each way to draw the clusters, and to score them.

    None comes near. Where a cluster is drawn from the full vocabulary, whatever the others hold, recall comes near.
    Even with a cluster for each word type the score would be .93 and .90, so the printed one lies half-way between a
    random clustering and that.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``system``, ``condition``, ``k``, ``inventory`` (gold tags scored against), ``reading``, ``measure`` (PP, PR,
        MA), ``value`` (mean over the seeds), ``printed`` (of real speech only), ``difference``, ``near`` (within
        0.05).

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 3; section "Model Implementation and Experiments".
    """
    words, gold, rows = *_coded(setting), list[dict[str, object]]()
    for k, sizes in zip(setting.clusters, INVENTORIES, strict=False):
        for seed in range(setting.seed, setting.seed + setting.random_seeds):
            for reading, units, tags in _drawn(words, gold, sizes, seed):
                rows += _scored({"system": "Random", "condition": "merge", "k": k, "reading": reading}, units, tags)
    keys = ["system", "condition", "k", "inventory", "reading", "measure"]
    means = pd.DataFrame(rows).groupby(keys, sort=False)["value"].mean().reset_index()
    return _beside(means, "table3_merge", setting)


@takes_setting(Setting)
def split_readings(setting: Setting) -> pd.DataFrame:
    """What could give the printed split scores of HC (PP .016, .059, .086): each way to treat and count words.

    None comes near; see `printed_bounds`: no way to count pairs can give them beside the printed merge scores.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        As of `random_readings`; ``reading`` names the linkage too.

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 4; section "Effect of Unclustered Words".
    """
    train = parts(setting.corpus, setting.sentences).train
    words, gold, rows = *_coded(setting), list[dict[str, object]]()
    first = ~pd.Series(words).duplicated().to_numpy()
    for linkage in dict.fromkeys((setting.linkage, "single")):
        tree = hierarchical_clustering(setting.corpus, linkage, setting.targets, setting.sentences)
        for k in setting.clusters:
            tags = tree.cut(k).predict(train).fillna(-1).to_numpy(dtype=np.int64)
            known, every = tags >= 0, np.full(len(tags), True)
            apart, merged, alone = (np.where(known, tags, other) for other in (
                words + k + 1, np.full(len(tags), k + 1), np.arange(len(tags)) + k + 1))  # fmt: skip
            tried = {
                "tokens, each unclustered type apart": (apart, every), "tokens, unclustered merged": (merged, every),
                "tokens, each unclustered token apart": (alone, every), "tokens, unclustered left out": (tags, known),
                "types, each unclustered apart": (apart, first), "types, unclustered left out": (tags, known & first),
            }  # fmt: skip
            for reading, (labels, scored) in tried.items():
                about = {"system": "HC", "condition": "split", "k": k, "reading": f"{reading}; {linkage} linkage"}
                units = {name: classes[scored] for name, classes in gold.items()}
                rows += _scored(about, units, labels[scored])
                about["reading"] = f"{reading}, mean over clusters; {linkage} linkage"
                rows += [
                    about | {"inventory": name, "measure": "PP", "value": _mean_over_clusters(classes, labels[scored])}
                    for name, classes in units.items()
                ]
    return _beside(pd.DataFrame(rows), "table4_split", setting)


def _coded(setting: Setting) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Numbers of the training tokens' words, and of their gold classes, by inventory."""
    train = parts(setting.corpus, setting.sentences).train
    codes = {name: pd.factorize(train[name].astype("str"), sort=True)[0] for name in ("form", *INVENTORIES)}
    return codes.pop("form"), codes


def _drawn(
    words: np.ndarray, gold: dict[str, np.ndarray], sizes: str, seed: int
) -> Iterator[tuple[str, dict[str, np.ndarray], np.ndarray]]:
    """Each reading of the random baseline: its name, the gold classes of what is scored, and its clusters."""
    rng, n = np.random.default_rng(seed), int(words.max()) + 1
    tables = {name: contingency(words, classes).counts for name, classes in gold.items()}
    majority = {name: np.asarray(table.toarray().argmax(axis=1)) for name, table in tables.items()}
    once = rng.permutation(majority[sizes])
    yield "each type in one cluster", gold, once[words]
    yield "each type in one cluster, types scored by their most frequent tag", majority, once
    members = [rng.choice(n, size, replace=False) for size in np.bincount(tables[sizes].indices)]
    clusters = np.repeat(np.arange(len(members)), [len(each) for each in members])
    table = csr_array((np.ones(len(clusters)), (np.concatenate(members), clusters)), (n, len(members)))
    several = np.diff(table.indptr)[words]
    place = table.indptr[words] + (rng.random(len(words)) * several).astype(int)
    found = np.where(several, table.indices[np.minimum(place, table.nnz - 1)], -1)
    drawn = "each cluster from the full vocabulary, types in none"
    yield f"{drawn} merged", gold, found
    yield f"{drawn} apart", gold, np.where(several, found, words + len(members))
    yield f"{drawn} left out", {name: classes[found >= 0] for name, classes in gold.items()}, found[found >= 0]
    order, filled = rng.permutation(n), np.empty(n, dtype=int)
    filled[order] = np.searchsorted(np.cumsum(np.bincount(gold[sizes])), np.cumsum(np.bincount(words)[order]))
    yield "types until a cluster has the tokens of its class", gold, filled[words]
    yield "each token drawn", gold, rng.permutation(gold[sizes])
    yield "a cluster for each type", gold, words


def _scored(about: dict[str, object], gold: dict[str, np.ndarray], tags: np.ndarray) -> list[dict[str, object]]:
    """PP, PR and MA against both inventories."""
    return [
        about | {"inventory": name, "measure": measure, "value": score.value}
        for name, classes in gold.items()
        for measure, score in against_gold(classes, tags).items()
    ]


def _mean_over_clusters(gold: np.ndarray, tags: np.ndarray) -> float | None:
    """Pairwise precision as the mean over the clusters that hold a pair."""
    table = contingency(gold, tags)
    cells, sizes = table.counts.astype("float64"), table.predicted_sizes.astype("float64")
    right, pairs = ((cells * cells).sum(axis=0) - sizes)[sizes > 1], (sizes * (sizes - 1))[sizes > 1]
    return float((right / pairs).mean()) if len(pairs) else None


def _beside(values: pd.DataFrame, file: str, setting: Setting) -> pd.DataFrame:
    """Values beside the printed ones, which are of real speech."""
    keys = ["system", "condition", "k", "measure"]
    theirs = printed("frank2009", file)[[*keys, "value"]].rename(columns={"value": "printed"})
    table = values.merge(theirs.iloc[: 0 if setting.generated else None], on=keys, how="left")
    table = table[["system", "condition", "k", "inventory", "reading", "measure", "value", "printed"]]
    table = table.astype({"value": "Float64", "printed": "Float64"})
    table["difference"] = table["value"] - table["printed"]
    return table.assign(near=table["difference"].abs() <= NEAR)


# What the printed numbers rule out -----------------------------------------------------------------------------------


def printed_bounds() -> pd.DataFrame:
    """What the printed scores against gold tags imply of each other, whatever the clusters and the gold tags are.

    A clustering with so many clusters and a many-to-one accuracy cannot have a pairwise precision below
    ``lowest_PP`` (see `lowest_precision`); Random's printed precision is below. PR / PP is the number of pairs in
    clusters as a share of the pairs in gold classes: splitting a cluster lowers it, but HC's printed ones rise. What
    splitting takes off PR is the share of the gold pairs in the merged cluster, the same whatever K as long as the gold
    tags are: so it is for FF, not for HC.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``MA``, ``PP`` (merge), ``lowest_PP``, ``pairs_merge``, ``pairs_split`` (PR / PP),
        ``loss_of_PR``, and of each the slack that rounding leaves: ``PP_over_lowest`` (at most), ``rise_of_pairs`` (at
        least).

    Examples
    --------
    >>> table = printed_bounds()
    >>> table.loc[table["PP_over_lowest"] < 0, ["system", "k"]].values.tolist()
    [['Random', 12], ['Random', 53]]
    >>> table.loc[table["rise_of_pairs"] > 0, ["system", "k"]].values.tolist()
    [['HC', 12], ['HC', 53], ['HC', 80]]
    """
    merge, split = (printed("frank2009", name).pivot(index=["system", "k"], columns="measure", values="value")
                    .astype("float64") for name in ("table3_merge", "table4_split"))  # fmt: skip
    half = 0.0005  # what rounding to three digits may take off or add
    table = merge[["MA", "PP"]].copy()
    clusters = [k + (system in ("HC", "FF")) for system, k in table.index]
    table["lowest_PP"] = [
        lowest_precision(accuracy - half, size, CLASSES[k])
        for accuracy, size, (_, k) in zip(table["MA"], clusters, table.index, strict=True)
    ]
    table["PP_over_lowest"] = table["PP"] + half - table["lowest_PP"]
    table["pairs_merge"], table["pairs_split"] = merge["PR"] / merge["PP"], split["PR"] / split["PP"]
    most, least = (merge["PR"] + half) / (merge["PP"] - half), (split["PR"] - half) / (split["PP"] + half)
    table["rise_of_pairs"], table["loss_of_PR"] = least - most, merge["PR"] - split["PR"]
    return table.loc[list(dict.fromkeys(map(tuple, printed("frank2009", "table3_merge")[["system", "k"]].values)))] \
        .reset_index().rename_axis(columns=None)  # fmt: skip


def lowest_precision(accuracy: float, clusters: int, classes: int) -> float:
    """The least pairwise precision of any clustering with a many-to-one accuracy, for many tokens.

    Let m be the share of all tokens that are of the largest class of a cluster, d the share of the others in it: the
    sum of m is the accuracy M, that of d is 1 - M. The correct pairs are at least sum m² + sum d² / (classes - 1), all
    pairs are sum (m + d)², at most sum m² + 2 (1 - M) max m + sum d². Their ratio is least where all m but the largest
    are equal, and where sum d² is the largest it can be (one cluster has all of d) or the smallest. The first of
    both is a clustering that exists; the second may not, so that the bound is not always reached.

    Examples
    --------
    >>> lowest_precision(1, 12, 12), round(lowest_precision(0.796, 12, 12), 3), round(lowest_precision(0.5, 1, 2), 3)
    (1.0, 0.388, 0.5)
    """
    rest = 1 - accuracy
    first = np.linspace(accuracy / clusters, accuracy, 10_001)
    others = (accuracy - first) ** 2 / (clusters - 1) if clusters > 1 else np.zeros(1)
    first = first if clusters > 1 else np.array([accuracy])
    largest = first**2 + others
    least = [
        (largest + spread / (classes - 1)) / (largest + 2 * rest * first + spread)
        for spread in (rest**2, rest**2 / clusters)
    ]
    return float(np.min(least))
