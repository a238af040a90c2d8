"""Could it be chance? Intervals of the recomputed scores, and differences between systems, sentences resampled."""

from typing import Any

import pandas as pd

from analysis import categories
from analysis.dependencies import (
    attachment_scores,
    compare_pairs,
    find_punctuation,
    intervals_by,
    paired_bootstrap,
    sentence_counts_by,
    table6_relations,
)
from analysis.papers.gelling2012.runs import (
    CLASS_MEASURES,
    TREE_MEASURES,
    attached,
    fit,
    gold_standards,
    relations,
    run_named,
    systems,
)
from analysis.papers.gelling2012.setting import LEVELS, Setting, data
from analysis.papers.gelling2012.tables import KEYS, ROWS
from analysis.papers.recipe import check_known, kept, takes_setting
from analysis.statistics.differences import compare_scored
from analysis.statistics.scored import estimates

#: The challenge's names of the measures of word classes, and those of `analysis.categories`.
_NAMES = dict(zip(CLASS_MEASURES, ("many-to-one", "one-to-one", "V", "VI"), strict=True))


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
    >>> from analysis.papers.gelling2012 import table3
    >>> quick = Setting(iterations=0, annealing=0, bc_sweeps=0, cgs_sweeps=0, c_sweeps=1)
    >>> rows = with_intervals(table3(quick).query("system == 'LB'"), 3, quick, resamples=100)
    >>> bool(((rows["lower"] < rows["value"]) & (rows["value"] < rows["upper"])).all())
    True
    """
    check_known([number], sorted(ROWS), "there are no intervals of table")
    chosen, on = Setting.choose(setting, **choices), KEYS[number]
    pairs = table[["testset", "system"]].drop_duplicates().itertuples(index=False)
    bounds = pd.concat([_bounds(number, *pair, chosen, resamples, confidence) for pair in pairs])
    rows = table.drop(columns=["lower", "upper"], errors="ignore")
    found = rows.merge(bounds[[*on, "lower", "upper"]], on=on, how="left", validate="many_to_one")
    return found.astype({"lower": "Float64", "upper": "Float64"}).set_index(table.index)


@kept
def _bounds(
    number: int, testset: str, system: str, setting: Setting, resamples: int, confidence: float
) -> pd.DataFrame:
    """The `KEYS` of a table, ``value``, ``lower``, ``upper``, ``unit``, ``n`` (sentences) of one system."""
    options: dict[str, Any] = {"resamples": resamples, "confidence": confidence}
    rows, key, named = ROWS[number], KEYS[number][2], {"testset": testset, "system": system}
    if rows["track"] == "word classes":
        return class_intervals(testset, system, setting, gold=rows["gold"], **options).assign(**named)
    heads = fit(testset, run_named(testset, system, rows["track"], setting)).labels
    longest = setting.short if rows.get("length") == "short" else None
    golds = gold_standards(testset) if number == 5 else {"": data(testset).test}
    counts: Any = {name: attachment_scores(gold, heads[: len(gold)], max_length=longest, punctuation=False)
                   for name, gold in golds.items()}  # fmt: skip
    if number == 6:
        labels = table6_relations(relations(testset), (counts[""].tokens["gold_head"] == 0).to_numpy())
        counts = dict(iter(sentence_counts_by(counts[""], labels, key).groupby(key, sort=False)))
    return intervals_by(counts, key, random_state=setting.seed, **options).assign(**named)


@takes_setting(Setting)
def intervals(setting: Setting) -> pd.DataFrame:
    """Directed, undirected and NED of each system with a 95 % bootstrap interval, sentences resampled 1,000 times.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``measure``, ``value``, ``lower``, ``upper``, ``unit``, ``n`` (sentences).
    """
    frames = [_bounds(3, testset, run.system, setting, 1000, 0.95)
              for testset in setting.testsets for run in systems(testset, setting, "dependencies")]  # fmt: skip
    columns = ["testset", "system", "measure", "value", "lower", "upper", "unit", "n"]
    return pd.concat(frames, ignore_index=True)[columns]


def differences(testset: str, setting: Setting | None = None, measure: str = "directed") -> pd.DataFrame:
    """Paired bootstrap for each pair of systems on one test set; see `analysis.dependencies.compare_pairs`.

    Parameters
    ----------
    testset : str
        Name of a test set.
    setting : Setting, optional
        Setting of the paper, or single fields of it by name; see `Setting`.
    measure : str
        Name of a measure.

    Returns
    -------
    DataFrame
    """
    chosen = Setting.choose(setting)
    runs = systems(testset, chosen, "dependencies")
    scored = {run.system: attached(testset, run.system, "dependencies", chosen) for run in runs}
    return compare_pairs(scored, measure, random_state=chosen.seed)


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
        ``measure``; ``difference``, ``lower``, ``upper`` of the first system's value minus the other's (proportions; VI
        in bits); ``p``, two-sided. Each measure has the interval of `analysis.statistics.scored`.

    Raises
    ------
    ValueError
        If a system does not run, or there is no such measure.
    """
    check_known([measure], (*TREE_MEASURES, *_NAMES), "there is no measure")
    chosen = Setting.choose(setting)
    options: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "random_state": chosen.seed}
    if measure in TREE_MEASURES:
        first, second = (attached(testset, name, track, chosen) for name in (system, other))
        found = paired_bootstrap(first, second, measure, **options).to_frame()
        drawn = found["resamples"]
        found["p"] = (2 * (1 + found["opposite"] * drawn) / (1 + drawn)).clip(upper=1.0)
    else:
        sides = {name: labelled(testset, name, chosen) for name in (other, system)}
        scored = {
            name: categories.scored_tokens(
                tokens[gold], tokens["predicted"], tokens["sentence"], [_NAMES[measure]], assignment=chosen.assignment
            )
            for name, tokens in sides.items()
        }
        found = pd.DataFrame(compare_scored(scored, **options)[1])
    row = found.assign(measure=measure).iloc[0].rename(f"{system} - {other}")
    return row[["measure", "difference", "lower", "upper", "p"]]


def labelled(testset: str, system: str, setting: Setting | None = None) -> pd.DataFrame:
    """The scored tokens of a test set with the clusters of one system of the track of word classes.

    Parameters
    ----------
    testset : str
        Name of a test set.
    system : str
        Name of a system.
    setting : Setting, optional
        Setting of the paper, or single fields of it by name; see `Setting`.

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
    chosen, (tokens, _, _) = Setting.choose(setting), data(testset)
    clusters = fit(testset, run_named(testset, system, "word classes", chosen)).labels
    scored = tokens.assign(predicted=clusters)[tokens["scored"]].reset_index(drop=True)
    words = scored[["sentence", "form", *LEVELS.values(), "predicted"]]
    return words if chosen.punctuation else words[~find_punctuation(scored).mask].reset_index(drop=True)


@kept
def class_intervals(
    testset: str,
    system: str,
    setting: Setting | None = None,
    *,
    gold: str = "universal",
    resamples: int = 1000,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """The four measures of one system with an interval from its sentences.

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
        ``measure``, ``value``, ``corrected`` (VM and VI without their bias, round which their intervals lie),
        ``lower``, ``upper``, ``unit`` (proportion; VI in bits), ``n`` (sentences).
    """
    tokens, chosen = labelled(testset, system, setting), Setting.choose(setting)
    scored = categories.scored_tokens(
        tokens[gold], tokens["predicted"], tokens["sentence"], list(_NAMES.values()), assignment=chosen.assignment
    )
    rows = estimates(scored, resamples=resamples, confidence=confidence, random_state=chosen.seed)
    found = pd.DataFrame(rows).assign(measure=CLASS_MEASURES)
    return found[["measure", "value", "corrected", "lower", "upper", "unit", "n"]]
