"""Could it be chance? Intervals for every table, and for the difference of two systems in any measure."""

from functools import lru_cache
from typing import Any

import pandas as pd

from analysis.categories import bootstrap_intervals as class_bootstrap
from analysis.categories import paired_bootstrap as paired_class_bootstrap
from analysis.dependencies import (
    attachment_scores,
    bootstrap_intervals,
    compare_systems,
    find_punctuation,
    paired_bootstrap,
    sentence_counts_by,
    table6_relations,
)
from analysis.papers.gelling2012.conversions import gold_standards
from analysis.papers.gelling2012.evaluation import CLASS_MEASURES, TREE_MEASURES, attached
from analysis.papers.gelling2012.setting import LEVELS, Setting, data, make_setting
from analysis.papers.gelling2012.systems import TREES, fit_classes, fit_trees, relations, run_named
from analysis.structures.units import in_percent

#: The challenge's names of the measures of word classes, and those of `analysis.categories`.
MEASURES = dict(zip(CLASS_MEASURES, ("many-to-one", "one-to-one", "V", "VI"), strict=True))
#: Tables whose rows have intervals: the track of their systems and, of trees, whether only short sentences count.
TABLES = {
    2: ("word classes", False),
    3: ("dependencies", False),
    4: ("joint", False),
    5: ("dependencies", False),
    6: ("dependencies", False),
    7: ("word classes", False),
    8: ("dependencies", True),
    9: ("joint", True),
}


def with_intervals(
    table: pd.DataFrame,
    number: int,
    setting: Setting | None = None,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    **choices: object,
) -> pd.DataFrame:
    """What `table2` to `table9` returned, with an interval in each row: sentences resampled, percentiles.

    Parameters
    ----------
    table : DataFrame
        All rows, or some.
    number : int
        Of the table.
    setting, **choices
        Those with which the table was made; the seed is that of the resampling.
    resamples : int
    confidence : float

    Returns
    -------
    DataFrame
        The table with ``lower`` and ``upper``, in its units. The rows of Table 5 that hold the best of the conversions
        have none, since which is the best would change from resample to resample.

    Raises
    ------
    ValueError
        If the number is that of no table with scores, or a system of the table does not run with this setting.

    Examples
    --------
    >>> quick = Setting(iterations=0, annealing=0, bc_sweeps=0, cgs_sweeps=0, c_sweeps=1)
    >>> from analysis.papers.gelling2012.tables import table3
    >>> rows = with_intervals(table3(quick).query("system == 'LB'"), 3, quick, resamples=100)
    >>> bool(((rows["lower"] < rows["value"]) & (rows["value"] < rows["upper"])).all())
    True
    """
    if number not in TABLES:
        raise ValueError(f"table {number} has no intervals; {', '.join(map(str, TABLES))} have.")
    chosen = make_setting(setting, choices)
    keys = {5: ["conversion"], 6: ["relation"]}.get(number, [])
    parts = [
        _bounds(number, str(testset), str(system), chosen, resamples, confidence).assign(testset=testset, system=system)
        for testset, system in table[["testset", "system"]].drop_duplicates().itertuples(index=False)
    ]
    on = ["testset", "system", "measure", *keys]
    bounds = pd.concat(parts, ignore_index=True)[[*on, "lower", "upper"]]
    rows = table.drop(columns=["lower", "upper"], errors="ignore").astype(dict.fromkeys(on, "str"))
    found = rows.merge(bounds.astype(dict.fromkeys(on, "str")), on=on, how="left", validate="many_to_one")
    return found.astype({"lower": "Float64", "upper": "Float64"}).set_index(table.index)


@lru_cache(maxsize=512)
def _bounds(
    number: int, testset: str, system: str, setting: Setting, resamples: int, confidence: float
) -> pd.DataFrame:
    """``measure``, ``lower``, ``upper`` of one system, and the conversion or relation."""
    track, short = TABLES[number]
    if track == "word classes":
        gold = "universal" if number == 2 else "fine"
        return class_intervals(testset, system, setting, gold=gold, resamples=resamples, confidence=confidence)
    heads, test = fit_trees(testset, run_named(testset, system, track, setting)).heads, data(testset).test
    golds = gold_standards(testset) if number == 5 else {"": test}
    length = setting.short if short else None
    counts: dict[Any, Any] = {
        name: attachment_scores(gold, heads[: len(gold)], max_length=length, punctuation=False)
        for name, gold in golds.items()
    }
    if number == 6:
        named = table6_relations(relations(testset), (counts[""].tokens["gold_head"] == 0).to_numpy())
        counts = dict(iter(sentence_counts_by(counts[""], named, "relation").groupby("relation", sort=False)))
    options: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "random_state": setting.seed}
    key = {5: "conversion", 6: "relation"}.get(number, "of")
    table = pd.concat([bootstrap_intervals(part, **options).assign(**{key: name}) for name, part in counts.items()])
    return in_percent(table)


def intervals(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Directed, undirected and NED of each system with a 95 % bootstrap interval, sentences resampled 1,000 times.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``measure``, ``value``, ``lower``, ``upper`` (percent), ``n`` (sentences).
    """
    chosen = make_setting(setting, choices)
    frames = [
        _bounds(3, testset, system, chosen, 1000, 0.95).assign(testset=testset, system=system)
        for testset in chosen.testsets or ()
        for system in TREES
    ]
    table = pd.concat(frames, ignore_index=True)
    return table[["testset", "system", "measure", "value", "lower", "upper", "n"]]


def differences(testset: str, setting: Setting | None = None, measure: str = "directed") -> pd.DataFrame:
    """Paired bootstrap for each pair of systems on one test set; see `analysis.dependencies.compare_systems`."""
    chosen = make_setting(setting, {})
    scored = {name: attached(testset, name, "dependencies", chosen) for name in TREES}
    return compare_systems(scored, measure, random_state=chosen.seed)


def difference(
    system: str,
    other: str,
    testset: str,
    measure: str = "directed",
    setting: Setting | None = None,
    *,
    track: str = "dependencies",
    gold: str = "universal",
    resamples: int = 1000,
    confidence: float = 0.95,
) -> pd.Series:
    """Paired bootstrap of two systems in any measure of the challenge.

    Parameters
    ----------
    system, other : str
    testset : str
    measure : {"directed", "undirected", "NED", "M-1", "1-1", "VM", "VI"}
        A measure of word classes compares systems of that track, whatever `track` says.
    setting : Setting, optional
        Its seed is that of the resampling.
    track : {"dependencies", "joint"}
    gold : {"coarse", "fine", "universal"}
        Of word classes.
    resamples : int
    confidence : float

    Returns
    -------
    Series
        ``measure``; ``difference``, ``lower``, ``upper`` of the first system's value minus the other's (shares of 1; VI
        in bits); ``opposite``, the share of resamples in which it is zero or has the other sign; ``resamples``.

    Raises
    ------
    ValueError
        If a system does not run, or there is no such measure.
    """
    chosen = make_setting(setting, {})
    options: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "random_state": chosen.seed}
    if measure in TREE_MEASURES:
        first, second = (attached(testset, name, track, chosen) for name in (system, other))
        found = paired_bootstrap(first, second, measure, **options).to_frame().iloc[0]
    elif measure in MEASURES:
        ours, theirs = (labelled(testset, name, chosen) for name in (system, other))
        found = paired_class_bootstrap(
            ours[gold], ours["predicted"], theirs["predicted"], ours["sentence"], [MEASURES[measure]],
            base=2, assignment=chosen.assignment, **options,
        ).iloc[0]  # fmt: skip
    else:
        raise ValueError(f"there is no measure {measure!r}; there are {', '.join([*TREE_MEASURES, *MEASURES])}.")
    row = found[["difference", "lower", "upper", "opposite", "resamples"]]
    return pd.concat([pd.Series({"measure": measure}), row]).rename(f"{system} - {other}")


def labelled(testset: str, system: str, setting: Setting | None = None) -> pd.DataFrame:
    """The scored tokens of a test set with the clusters of one system of the track of word classes.

    Returns
    -------
    DataFrame
        ``sentence``, ``form``, ``coarse``, ``fine``, ``universal``, ``predicted``; without punctuation if the setting
        leaves it out.

    Raises
    ------
    ValueError
        If there is no such system, or it does not run on this test set.
    """
    return _labelled(testset, system, make_setting(setting, {})).copy()


@lru_cache(maxsize=16)
def _labelled(testset: str, system: str, setting: Setting) -> pd.DataFrame:
    run = run_named(testset, system, "word classes", setting)
    found = fit_classes(testset, run.model, run.k, run.parameters)
    test = data(testset).test
    columns = ["sentence", "form", *LEVELS.values()]
    table = test[columns].assign(predicted=found.labels[data(testset).tokens["scored"].to_numpy()])
    return table if setting.punctuation else table[~find_punctuation(test).mask].reset_index(drop=True)


def class_intervals(
    testset: str,
    system: str,
    setting: Setting | None = None,
    *,
    gold: str = "universal",
    resamples: int = 1000,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """The four measures of one system with a bootstrap interval, sentences resampled.

    Parameters
    ----------
    testset, system : str
    setting : Setting, optional
        Its seed is that of the resampling.
    gold : {"coarse", "fine", "universal"}
    resamples : int
    confidence : float

    Returns
    -------
    DataFrame
        ``measure``, ``value``, ``lower``, ``upper`` (percent, VI in bits), ``n`` (sentences).
    """
    return _class_intervals(testset, system, make_setting(setting, {}), gold, resamples, confidence).copy()


@lru_cache(maxsize=64)
def _class_intervals(
    testset: str, system: str, setting: Setting, gold: str, resamples: int, confidence: float
) -> pd.DataFrame:
    tokens = _labelled(testset, system, setting)
    found = class_bootstrap(
        tokens[gold], tokens["predicted"], tokens["sentence"], list(MEASURES.values()),
        resamples=resamples, confidence=confidence, base=2, assignment=setting.assignment, random_state=setting.seed,
    )  # fmt: skip
    bounds = ["value", "lower", "upper"]
    scale = [1 if measure == "VI" else 100 for measure in MEASURES]
    table = found[bounds].mul(scale, axis=0).assign(n=tokens["sentence"].nunique())
    table.insert(0, "measure", list(MEASURES))
    return table
