"""The paper's tables, recomputed, and beside the printed ones."""

import pandas as pd

from analysis.categories.models import FrequentFrames
from analysis.papers import recipe
from analysis.papers.frank2009.runs import MEASURES, evaluate, evaluations
from analysis.papers.frank2009.setting import INVENTORIES, Setting, parts
from analysis.statistics import spearman_matrix

KEYS = ("condition", "system", "k", "measure")
FACTORS = ("system", "corpus", "k", "condition", "inventory", "measure")
FILES = {"merge": "table3_merge", "split": "table4_split"}


@recipe.takes_setting(Setting)
def table1(setting: Setting) -> pd.DataFrame:
    """The collapsed categories with what a corpus has of each.

    Parameters
    ----------
    setting, **choices
        As for `scores`; the training part of the corpus is counted.

    Returns
    -------
    DataFrame
        ``category``, ``description``, ``examples`` (as printed), ``fine_tags`` (those collapsed into it that
        occur), ``types`` (forms with at least one such token), ``tokens``, ``most_frequent``.

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 1.
    """
    train = parts(setting.corpus, setting.sentences).train
    words = train.groupby(["coarse", "form"], observed=True).size().rename("tokens").reset_index()
    of_words = words.sort_values(["tokens", "form"], ascending=[False, True]).groupby("coarse", observed=True)
    of_tags = train.groupby("coarse", observed=True)["fine"]
    table = recipe.printed("frank2009", "table1_collapsed_categories").drop(columns="row").set_index("category").assign(
        fine_tags=of_tags.agg(lambda tags: ", ".join(sorted(tags.astype("str").unique()))).astype("str"),
        types=of_words.size().astype("Int64"), tokens=of_tags.size().astype("Int64"),
        most_frequent=of_words["form"].agg(lambda forms: ", ".join(forms.astype("str")[:5])).astype("str"),
    )  # fmt: skip
    return table.fillna({"types": 0, "tokens": 0}).fillna("").reset_index()


@recipe.takes_setting(Setting)
def sizes(setting: Setting) -> pd.DataFrame:
    """Utterances, tokens and word types of the two parts of a corpus, and how much of it the frequent types cover.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        Rows training and test: ``part``, ``utterances``, ``tokens``, ``types``, ``fine_tags``, and ``top_1000``, the
        share of tokens whose type is among the 1,000 most frequent.
    """
    rows = []
    for part, tokens in zip(("training", "test"), parts(setting.corpus, setting.sentences)[:2], strict=True):
        utterances, types, fine = (tokens[column].nunique() for column in ("sentence", "form", "fine"))
        frequent = tokens["form"].value_counts().iloc[:1000].sum() / len(tokens)
        rows.append((part, utterances, len(tokens), types, fine, frequent))
    return pd.DataFrame(rows, columns=["part", "utterances", "tokens", "types", "fine_tags", "top_1000"])


@recipe.takes_setting(Setting)
def scores(setting: Setting) -> pd.DataFrame:
    """Every score of every run: one row per system, seed, condition, gold inventory and measure.

    Parameters
    ----------
    setting : Setting, optional
        All choices at once.
    **choices
        Single choices of `Setting`, such as ``corpus="manchester"`` or ``sweeps=2000``.

    Returns
    -------
    DataFrame
        A long result table with the further columns ``condition`` (merge, split), ``inventory`` (coarse, fine, or
        none for SP and SR) and ``clusters`` (how many the labels have). PP, PR and MA are measured on the training
        tokens, SP and SR on the test corpus.
    """
    return evaluations(setting)["scores"]


def mean_over_seeds(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per system and condition: the mean over the seeds of Random, with their standard deviation (n - 1).

    Parameters
    ----------
    runs : DataFrame
        Rows of one condition, as `scores` or `stored_full_run` give them; of the HMM the first seed counts.

    Returns
    -------
    DataFrame
        As `table3`: ``value`` is the mean, ``lower`` and ``upper`` are one deviation away.
    """
    if runs["condition"].nunique() > 1:
        runs = runs[runs["condition"] == "merge"]
    return recipe.mean_over_seeds(
        runs[(runs["system"] == "Random") | (runs["seed"] == runs["seed"].iloc[0])], FACTORS, ["Random"]
    )


@recipe.takes_setting(Setting)
def table3(setting: Setting) -> pd.DataFrame:
    """Scores with all unclustered words in one cluster (merge).

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        As `scores`, one row per system; Random is the mean over its seeds with ``lower`` and ``upper`` one sample
        deviation away.

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 3.
    """
    return condition(evaluations(setting)["scores"], "merge")


@recipe.takes_setting(Setting)
def table4(setting: Setting) -> pd.DataFrame:
    """Scores with every unclustered word type in a cluster of its own (split); systems that leave none are not in it.

    Parameters and result are those of `table3`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 4.
    """
    return condition(evaluations(setting)["scores"], "split")


def condition(runs: pd.DataFrame, name: str) -> pd.DataFrame:
    """The rows of one condition (merge, split), means over the seeds of Random, in the paper's order of systems."""
    table = mean_over_seeds(runs[runs["condition"] == name])
    place = table["system"].map({"Random": 0, "BHMM": 1, "HC": 2, "FF": 3})
    return table.assign(place=place).sort_values(["place", "k"], kind="stable", ignore_index=True).drop(columns="place")


@recipe.takes_setting(Setting)
def table2(setting: Setting, source: str = "recomputed") -> pd.DataFrame:
    """Rank correlations between the measures over the twelve conditions, model by K.

    The Random row of the second K stands again for the third, as in the paper.

    Parameters
    ----------
    setting, **choices
        As for `scores`; not used with ``source="printed"``.
    source : {"recomputed", "printed"}
        Scores of `table3`, or those of the printed Table 3.

    Returns
    -------
    DataFrame
        ``inventory``, ``measure_a``, ``measure_b``, ``rho``, ``p`` (two-sided, t approximation), ``n``,
        ``printed`` (where the paper prints a number), ``source``.

    Raises
    ------
    ValueError
        If ``source`` is neither word.

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 2.

    Examples
    --------
    >>> from_printed = table2(source="printed").set_index(["measure_a", "measure_b"])
    >>> from_printed.loc[[("SP", "PP"), ("SR", "PR"), ("SP", "MA")], ["rho", "printed"]].astype("float64").round(3)
                           rho  printed
    measure_a measure_b
    SP        PP         0.635    0.638
    SR        PR         0.804    0.755
    SP        MA         0.677    0.677
    """
    recipe.check_known([source], ("recomputed", "printed"), "source is")
    return correlations(table3(setting), setting.clusters) if source == "recomputed" else correlations(None)


def correlations(three: pd.DataFrame | None, clusters: tuple[int, ...] = (12, 53, 80)) -> pd.DataFrame:
    """As `table2`, from a Table 3 recomputed with these numbers of clusters, or from the printed one (None)."""
    source = "printed" if three is None else "recomputed"
    parts_of = {"printed": recipe.printed("frank2009", "table3_merge")} if three is None else {
        name: three[three["inventory"].isin([name, "none"])] for name in INVENTORIES}  # fmt: skip
    tables = []
    for inventory, part in parts_of.items():
        across = part.pivot(index=["system", "k"], columns="measure", values="value").astype("float64")
        again = across.loc[[("Random", clusters[1]) for _ in clusters[2:]]]
        found = spearman_matrix(pd.concat([across, again]), list(MEASURES))
        tables.append(found.assign(inventory=inventory, source=source))
    table = pd.concat(tables, ignore_index=True)
    theirs = recipe.printed("frank2009", "table2_spearman").set_index(["measure_a", "measure_b"])["value"]
    pairs = list(zip(table["measure_a"], table["measure_b"], strict=True))
    table[["measure_a", "measure_b"]] = [pair[::-1] if pair[::-1] in theirs.index else pair for pair in pairs]
    table = table.merge(theirs.rename("printed"), on=["measure_a", "measure_b"], how="left")
    return table[["inventory", "measure_a", "measure_b", "rho", "p", "n", "printed", "source"]]


def compare(table: pd.DataFrame, inventory: str | None = None) -> pd.DataFrame:
    """A table of this paper beside the printed one.

    Parameters
    ----------
    table : DataFrame
        What `table3` or `table4` returned.
    inventory : {"coarse", "fine"}, optional
        Gold tags for PP, PR and MA; by default both, in the column ``inventory``.

    Returns
    -------
    DataFrame
        ``condition``, ``system``, ``k``, ``measure``, ``printed``, ``recomputed``, ``difference``, ``reproducible``,
        ``why``; see `analysis.papers.recipe.compare`. A generated corpus reproduces nothing.

    Raises
    ------
    ValueError
        If the table is none of this paper's score tables, or the inventory is unknown.
    """
    if "condition" not in table.columns or table["condition"].nunique() != 1:
        raise ValueError("compare takes what table3 or table4 returned: score rows of one condition.")
    recipe.check_known([inventory], (*INVENTORIES, None), "inventory is")
    theirs = recipe.printed("frank2009", FILES[table["condition"].iloc[0]])
    how = "not at all" if Setting(corpus=table["corpus"].iloc[0]).generated else "at best approximately"
    kept = [*KEYS, "value", "lower", "upper", "n", "seed", "corpus", "data_version", "convention"]
    tables = [
        recipe.compare(table.loc[table["inventory"].isin([gold, "none"]), kept], theirs, KEYS, reproducible=how,
                       why="this K or system is not among those chosen").assign(inventory=gold)
        for gold in ([inventory] if inventory else INVENTORIES)
    ]  # fmt: skip
    return pd.concat(tables, ignore_index=True)


def comparison(setting: Setting, condition: str, inventory: str) -> pd.DataFrame:
    """Table 3 (merge) or 4 (split) of a setting beside the printed one, one row per number."""
    return compare({"merge": table3, "split": table4}[condition](setting), inventory)


def correlations_beside(setting: Setting) -> pd.DataFrame:
    """Table 2 beside the printed one, against the collapsed tags."""
    ours = table2(setting).query("inventory == 'coarse'").rename(columns={"rho": "value"}).drop(columns="printed")
    both = recipe.compare(ours, recipe.printed("frank2009", "table2_spearman"), ["measure_a", "measure_b"])
    return both[both["printed"].notna()]


def side_by_side(comparison: pd.DataFrame) -> pd.DataFrame:
    """What `compare` returned as the paper prints it: one row per system and K, printed and recomputed by measure.

    Parameters
    ----------
    comparison : DataFrame
        Rows of one gold inventory.

    Returns
    -------
    DataFrame
        Rows ``system``, ``k``; columns measure by printed, recomputed.

    Raises
    ------
    ValueError
        If there are several inventories.
    """
    if comparison["inventory"].nunique() != 1:
        raise ValueError("side_by_side shows one inventory at a time: compare(table, inventory='coarse').")
    return recipe.side_by_side(comparison, ["system", "k"], "measure", MEASURES)


def wide(table: pd.DataFrame, inventory: str = "coarse", value: str = "value") -> pd.DataFrame:
    """A score table as the paper prints it: one row per system and K, one column per measure.

    Parameters
    ----------
    table : DataFrame
        Result of a table function of the paper.
    inventory : str
        Gold tags: coarse or fine.
    value : str
        Column of the values.

    Returns
    -------
    DataFrame
    """
    part = table[table["inventory"].isin([inventory, "none"])].set_index(["system", "k", "measure"])
    return part[value].unstack(sort=False)[list(MEASURES)].reset_index().rename_axis(columns=None)


@recipe.takes_setting(Setting)
def split_minus_merge(setting: Setting) -> pd.DataFrame:
    """Change of each score from merge to split, in percent of the merge score, beside what the printed tables imply.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``inventory``, ``measure``, ``merge``, ``split``, ``percent``, ``printed_percent``.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Effect of Unclustered Words".
    """
    return changes(table3(setting), table4(setting))


def changes(three: pd.DataFrame, four: pd.DataFrame) -> pd.DataFrame:
    """As `split_minus_merge`, from a Table 3 and a Table 4."""
    factors = ["system", "k", "inventory", "measure"]
    merge, split = (recipe.printed("frank2009", name) for name in FILES.values())
    implied = _percent(merge, split, ["system", "k", "measure"]).drop(columns=["merge", "split"])
    implied = implied.rename(columns={"percent": "printed_percent"})
    return _percent(three, four, factors).merge(implied, on=["system", "k", "measure"], how="left")


def _percent(merge: pd.DataFrame, split: pd.DataFrame, factors: list[str]) -> pd.DataFrame:
    sides = [table.set_index(factors)["value"].rename(name) for name, table in (("merge", merge), ("split", split))]
    both = pd.concat(sides, axis=1, join="inner").reset_index()
    return both.assign(percent=100 * (both["split"] / both["merge"] - 1))


@recipe.takes_setting(Setting)
def coverage(setting: Setting) -> pd.DataFrame:
    """How much of the training corpus HC and FF cluster, and what the frames hold.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``measure`` (share of types clustered, share of tokens clustered, tokens inside
        frequent frames, tokens whose type is in a frame cluster, number of frequent frames, types in the largest
        cluster), ``value``, ``numerator``, ``denominator``, and the columns of every result table.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Effect of Unclustered Words"; the statistics of frames as in
    Mintz (2003).
    """
    return evaluations(setting)["coverage"]


@recipe.takes_setting(Setting)
def frame_readings(setting: Setting) -> pd.DataFrame:
    """What the frequent frames cluster, if the boundary of a sentence is a frame's word and if it is not.

    The paper's 70 percent of types and 95 percent of tokens come out neither way.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``boundaries`` (whether the boundary is one of a frame's two words), ``frames``, ``types`` and ``tokens``
        (shares clustered).

    References
    ----------
    Frank, Goldwater & Keller (2009), sections "Frequent Frames" and "Effect of Unclustered Words".
    """
    train, rows = parts(setting.corpus, setting.sentences).train[["sentence", "form"]].astype({"form": "str"}), []
    edges = pd.DataFrame({"sentence": train["sentence"].unique(), "form": ""})
    padded = pd.concat([edges, train, edges]).sort_values("sentence", kind="stable", ignore_index=True)
    for boundaries, tokens in ((False, train), (True, padded)):
        frames = FrequentFrames(threshold=setting.threshold, n_clusters=1).fit(tokens)
        inside = train["form"].isin(frames.clusters_["form"])
        types = train.loc[inside, "form"].nunique() / train["form"].nunique()
        rows.append((boundaries, len(frames.frames_), types, inside.mean()))
    return pd.DataFrame(rows, columns=["boundaries", "frames", "types", "tokens"])


@recipe.takes_setting(Setting)
def lexical_ambiguity(setting: Setting) -> pd.DataFrame:
    """Mean number of clusters a word type occurs in, by model and K, beside the gold classes.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``system`` (gold coarse and gold fine among them), ``k``, ``weighting`` (types: every type counts once;
        tokens: a type counts as often as it occurs), ``value``. Unclustered words are left out. Random stands once:
        it gives each type one cluster, whatever the seed.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Model Performance".
    """
    return evaluations(setting)["ambiguity"].drop_duplicates(["system", "k", "weighting"], ignore_index=True)


@recipe.takes_setting(Setting)
def ranked_cluster_sizes(setting: Setting, unit: str = "types") -> pd.DataFrame:
    """Clusters of each system by size.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    unit : {"types", "tokens"}
        A cluster's size in distinct forms, or in tokens.

    Returns
    -------
    DataFrame
        ``system`` (gold among them), ``k``, ``rank`` from 1, ``size``, ``unit``. Unclustered words are left out;
        a form counts in each cluster that it occurs in.
    """
    recipe.check_known([unit], ("types", "tokens"), "unit is")
    table = evaluations(setting)["sizes"]
    return table[table["unit"] == unit].reset_index(drop=True)


def stored_full_run() -> pd.DataFrame:
    """Scores of the 2,000-sweep run on the Manchester corpus, stored with command, seed, sweeps and time.

    Returns
    -------
    DataFrame
        A long result table with ``command``, ``sweeps`` and ``seconds``.
    """
    return recipe.stored("frank2009_full", evaluate)


def stored_table3(inventory: str = "coarse") -> pd.DataFrame:
    """Table 3 of the stored run of 2,000 sweeps beside the printed one: a row per system and K, as `side_by_side`.

    Parameters
    ----------
    inventory : str
        Gold tags: coarse or fine.

    Returns
    -------
    DataFrame
    """
    return side_by_side(compare(condition(stored_full_run(), "merge"), inventory))
