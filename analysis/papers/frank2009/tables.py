"""The paper's tables, recomputed, and beside the printed ones."""

import pandas as pd

from analysis.papers.comparison import compare as compare_tables
from analysis.papers.comparison import printed
from analysis.papers.frank2009.evaluation import MEASURES, evaluations
from analysis.papers.frank2009.evaluation import linkages as evaluate_linkages
from analysis.papers.frank2009.setting import INVENTORIES, Setting, data, generated, make_setting
from analysis.statistics import spearman_matrix

ON = ["condition", "system", "k", "measure"]


def table1(corpus: str = "nursery") -> pd.DataFrame:
    """The collapsed categories with what a corpus has of each.

    Parameters
    ----------
    corpus : str
        Name of a corpus; its training part is counted.

    Returns
    -------
    DataFrame
        ``category``, ``description``, ``examples`` (as printed), ``fine_tags`` (those collapsed into it that
        occur), ``types`` (forms with at least one such token), ``tokens``, ``most_frequent``.

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 1.
    """
    train = data(corpus).train
    by_category = train.groupby("coarse", observed=True)
    words = train.groupby(["coarse", "form"], observed=True).size().rename("tokens").reset_index()
    words = words.sort_values(["tokens", "form"], ascending=[False, True])
    frequent = words.groupby("coarse", observed=True)["form"].agg(lambda forms: ", ".join(forms.astype("str")[:5]))
    tags = by_category["fine"].agg(lambda fine: ", ".join(sorted(fine.astype("str").unique())))
    table = printed("frank2009", "table1_collapsed_categories").drop(columns="row").set_index("category")
    table["fine_tags"] = tags.astype("str")
    table["types"] = words.groupby("coarse", observed=True).size().astype("Int64")
    table["tokens"] = by_category.size().astype("Int64")
    table["most_frequent"] = frequent.astype("str")
    table[["types", "tokens"]] = table[["types", "tokens"]].fillna(0)
    return table.fillna("").reset_index()


def sizes(corpus: str = "nursery") -> pd.DataFrame:
    """Utterances, tokens and word types of the two parts of a corpus, and how much of it the frequent types cover.

    Returns
    -------
    DataFrame
        Rows training and test: ``part``, ``utterances``, ``tokens``, ``types``, ``fine_tags``, and ``top_1000``, the
        share of tokens whose type is among the 1,000 most frequent.
    """
    rows = []
    for part, tokens in zip(("training", "test"), data(corpus)[:2], strict=True):
        frequent = tokens["form"].value_counts().iloc[:1000].sum() / len(tokens)
        counts = [tokens[column].nunique() for column in ("sentence", "form", "fine")]
        rows.append((part, counts[0], len(tokens), counts[1], counts[2], frequent))
    return pd.DataFrame(rows, columns=["part", "utterances", "tokens", "types", "fine_tags", "top_1000"])


def scores(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Every score of every run: one row a system, seed, condition, gold inventory and measure.

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
    return evaluations(make_setting(setting, choices)).scores


def mean_over_seeds(runs: pd.DataFrame) -> pd.DataFrame:
    """One row a system and condition: the mean over the seeds of Random, with their standard deviation (n - 1).

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
    several = runs["system"] == "Random"
    first_seed = runs["seed"] == runs["seed"].iloc[0]
    runs = runs[several | first_seed]
    factors = ["system", "corpus", "k", "condition", "inventory", "measure"]
    rows = []
    for _, group in runs.groupby(factors, sort=False, observed=True):
        first = group.iloc[0].to_dict()
        if len(group) > 1:
            mean, deviation = group["value"].mean(), group["value"].std(ddof=1)
            seeds = f"{group['seed'].min()}–{group['seed'].max()}"
            first |= {"value": mean, "lower": mean - deviation, "upper": mean + deviation, "seed": seeds}
            first |= {"numerator": pd.NA, "denominator": pd.NA}
            first["convention"] += f"; mean of {len(group)} seeds ± one standard deviation (n - 1)"
        rows.append(first)
    return pd.DataFrame(rows, columns=runs.columns).astype(
        {"value": "Float64", "lower": "Float64", "upper": "Float64", "numerator": "Int64", "denominator": "Int64"}
    )


def table3(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Scores with all unclustered words in one cluster (merge).

    Parameters
    ----------
    setting, **choices
        As for `scores`.

    Returns
    -------
    DataFrame
        As `scores`, one row a system; Random is the mean over its seeds with ``lower`` and ``upper`` one sample
        deviation away.

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 3.
    """
    return _condition("merge", make_setting(setting, choices))


def table4(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Scores with every unclustered word type in a cluster of its own (split); systems that leave none are not in it.

    Parameters and result are those of `table3`.

    References
    ----------
    Frank, Goldwater & Keller (2009), Table 4.
    """
    return _condition("split", make_setting(setting, choices))


def _condition(condition: str, setting: Setting) -> pd.DataFrame:
    runs = evaluations(setting).scores
    table = mean_over_seeds(runs[runs["condition"] == condition])
    order = {"Random": 0, "BHMM": 1, "HC": 2, "FF": 3}
    return table.sort_values(
        ["system", "k"], key=lambda column: column.map(order) if column.name == "system" else column, kind="stable"
    ).reset_index(drop=True)


def table2(setting: Setting | None = None, *, source: str = "recomputed", **choices: object) -> pd.DataFrame:
    """Rank correlations between the measures over the twelve conditions, model by K.

    The Random row of the second K stands again for the third, as in the paper.

    Parameters
    ----------
    source : {"recomputed", "printed"}
        Scores of `table3`, or those of the printed Table 3.
    setting, **choices
        As for `scores`; not used with ``source="printed"``.

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
    SP       PP        0.635    0.638
    SR       PR        0.804    0.755
    SP       MA        0.677    0.677
    """
    if source == "printed":
        three = printed("frank2009", "table3_merge")
        parts = {"printed": three}
        ks = [12, 53, 80]
    elif source == "recomputed":
        chosen = make_setting(setting, choices)
        three = table3(chosen)
        parts = {name: three[three["inventory"].isin([name, "none"])] for name in INVENTORIES}
        ks = list(chosen.clusters)
    else:
        raise ValueError(f"source is 'recomputed' or 'printed', not {source!r}.")
    tables = []
    for inventory, part in parts.items():
        wide = part.pivot(index=["system", "k"], columns="measure", values="value").astype("float64")
        again = [wide.loc[("Random", ks[1])].rename(("Random", k)) for k in ks[2:]] if len(ks) > 1 else []
        wide = pd.concat([wide, *(row.to_frame().T for row in again)])
        matrix = spearman_matrix(wide, list(MEASURES))
        tables.append(matrix.assign(inventory=inventory, source=source))
    table = pd.concat(tables, ignore_index=True)
    theirs = printed("frank2009", "table2_spearman").rename(columns={"value": "printed"})
    both = pd.concat([theirs, theirs.rename(columns={"measure_a": "measure_b", "measure_b": "measure_a"})])
    table = table.merge(both[["measure_a", "measure_b", "printed"]], on=["measure_a", "measure_b"], how="left")
    swap = [
        (a, b) in set(zip(theirs["measure_b"], theirs["measure_a"], strict=True))
        for a, b in zip(table["measure_a"], table["measure_b"], strict=True)
    ]
    table.loc[swap, ["measure_a", "measure_b"]] = table.loc[swap, ["measure_b", "measure_a"]].to_numpy()
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
        ``condition``, ``system``, ``k``, ``measure``, ``printed``, ``recomputed``, ``difference``,
        ``reproducible``; see `analysis.papers.compare`. A generated corpus reproduces nothing.

    Raises
    ------
    ValueError
        If the table is none of this paper's score tables, or the inventory is unknown.
    """
    if "condition" not in table.columns or table["condition"].nunique() != 1:
        raise ValueError("compare takes what table3 or table4 returned: score rows of one condition.")
    if inventory is not None and inventory not in INVENTORIES:
        raise ValueError(f"inventory is one of {', '.join(INVENTORIES)}, not {inventory!r}.")
    name = {"merge": "table3_merge", "split": "table4_split"}[table["condition"].iloc[0]]
    theirs = printed("frank2009", name)
    real = not generated(table["corpus"].iloc[0])
    parts = []
    for gold in [inventory] if inventory else list(INVENTORIES):
        ours = table[table["inventory"].isin([gold, "none"])]
        kept = [*ON, "value", "lower", "upper", "n", "seed", "corpus", "data_version", "convention"]
        both = compare_tables(ours[kept], theirs, on=ON, reproducible="approximately" if real else "not at all")
        parts.append(both.assign(inventory=gold))
    return pd.concat(parts, ignore_index=True)


def side_by_side(comparison: pd.DataFrame) -> pd.DataFrame:
    """What `compare` returned as the paper prints it: one row a system and K, printed and recomputed by measure.

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
    rows = comparison.pivot(index=["system", "k"], columns="measure", values=["printed", "recomputed"])
    order = list(comparison[["system", "k"]].drop_duplicates().itertuples(index=False, name=None))
    columns = [(measure, side) for measure in MEASURES for side in ("printed", "recomputed")]
    return rows.swaplevel(axis=1)[columns].loc[order].rename_axis(columns=["", ""])


def wide(table: pd.DataFrame, inventory: str = "coarse", value: str = "value") -> pd.DataFrame:
    """A score table as the paper prints it: one row a system and K, one column a measure."""
    part = table[table["inventory"].isin([inventory, "none"])]
    rows = part.pivot(index=["system", "k"], columns="measure", values=value)[list(MEASURES)]
    order = part[["system", "k"]].drop_duplicates()
    return rows.loc[list(order.itertuples(index=False, name=None))].reset_index().rename_axis(columns=None)


def split_minus_merge(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Change of each score from merge to split, in percent of the merge score, beside what the printed tables imply.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``inventory``, ``measure``, ``merge``, ``split``, ``percent``, ``printed_percent``.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Effect of Unclustered Words".
    """
    chosen = make_setting(setting, choices)
    factors = ["system", "k", "inventory", "measure"]
    ours = _percent(table3(chosen), table4(chosen), factors)
    theirs = [printed("frank2009", name) for name in ("table3_merge", "table4_split")]
    implied = _percent(theirs[0], theirs[1], ["system", "k", "measure"]).rename(columns={"percent": "printed_percent"})
    return ours.merge(implied[["system", "k", "measure", "printed_percent"]], on=["system", "k", "measure"], how="left")


def _percent(merge: pd.DataFrame, split: pd.DataFrame, factors: list[str]) -> pd.DataFrame:
    both = merge[[*factors, "value"]].merge(split[[*factors, "value"]], on=factors, suffixes=("_merge", "_split"))
    both = both.rename(columns={"value_merge": "merge", "value_split": "split"})
    both["percent"] = 100 * (both["split"] / both["merge"] - 1)
    return both


def coverage(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """How much of the training corpus HC and FF cluster, and what the frames hold.

    Returns
    -------
    DataFrame
        ``system``, ``k``, ``statistic`` (share of types clustered, share of tokens clustered, tokens inside
        frequent frames, tokens whose type is in a frame cluster, number of frequent frames, types in the largest
        cluster), ``value``, ``numerator``, ``denominator``, and the columns of every result table.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Effect of Unclustered Words"; the statistics of frames as in
    Mintz (2003).
    """
    return evaluations(make_setting(setting, choices)).coverage


def linkages(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """What the unstated linkage of the hierarchical clustering changes.

    On the Manchester corpus the paper's 969 of 1,000 types in one cluster, and its scores, come near single linkage
    at K = 12; at K = 53 and 80 its scores lie between those of single and of average linkage.

    Returns
    -------
    DataFrame
        ``linkage``, ``k``, ``inventory``, ``largest`` (types in the largest cluster), ``types`` (clustered in all),
        ``PP``, ``PR``, ``MA`` in the merge condition.

    References
    ----------
    Frank, Goldwater & Keller (2009), sections "Hierarchical Clustering" and "Model Performance".
    """
    return evaluate_linkages(make_setting(setting, choices))


def lexical_ambiguity(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Mean number of clusters a word type occurs in, by model and K, beside the gold classes.

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
    table = evaluations(make_setting(setting, choices)).ambiguity
    return table.drop_duplicates(["system", "k", "weighting"], ignore_index=True)


def ranked_cluster_sizes(setting: Setting | None = None, unit: str = "types", **choices: object) -> pd.DataFrame:
    """Clusters of each system by size.

    Parameters
    ----------
    unit : {"types", "tokens"}
        A cluster's size in distinct forms, or in tokens.

    Returns
    -------
    DataFrame
        ``system`` (gold among them), ``k``, ``rank`` from 1, ``size``, ``unit``. Unclustered words are left out;
        a form counts in each cluster that it occurs in.
    """
    if unit not in ("types", "tokens"):
        raise ValueError(f"unit is 'types' or 'tokens', not {unit!r}.")
    sizes = evaluations(make_setting(setting, choices)).sizes
    return sizes[sizes["unit"] == unit].reset_index(drop=True)
