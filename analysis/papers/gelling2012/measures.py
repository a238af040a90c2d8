"""What do the measures say? Whether they agree, and how they move with clusters, conventions, tags and models."""

from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd

from analysis.dependencies import compare_conventions, sentences_without_punctuation
from analysis.dependencies.models import DMV, DMV_VARIANTS, compare_variants, train_variant
from analysis.papers.gelling2012.runs import (
    LOWER_IS_BETTER,
    OTHERS,
    Parameters,
    curve_evaluations,
    evaluate_quality,
    evaluations,
    heads,
    make_run,
    systems,
)
from analysis.papers.gelling2012.setting import LEVELS, Setting, data, number_of_tags
from analysis.papers.gelling2012.tables import MEASURES, OVERALL, ROWS, WITH_AVERAGES, averages, chosen, printed_table
from analysis.papers.recipe import check_known, evaluate_all, kept, takes_setting
from analysis.statistics import hardest_testsets, measure_agreement, rank_systems, spread_of_systems


def _printed_unless(number: int, table: pd.DataFrame | None) -> pd.DataFrame:
    check_known([number], WITH_AVERAGES, "there are no averages of table")
    return (printed_table(number) if table is None else table)[["measure", "testset", "system", "value"]]


def ranks(number: int, table: pd.DataFrame | None = None, testset: str = OVERALL) -> pd.DataFrame:
    """Rank of each system by each measure, 1 the best; see `analysis.statistics.rank_systems`.

    Parameters
    ----------
    number : int
        Table 2, 3, 4, 7, 8 or 9.
    table : DataFrame, optional
        Result of the table's function; by default the printed table.
    testset : str
        One test set, or ``"averages"``.

    Returns
    -------
    DataFrame

    Raises
    ------
    ValueError
        If the table does not have the test set.

    Examples
    --------
    >>> ranks(3).query("measure == 'directed' and rank <= 2")[["system", "rank"]].values.tolist()
    [['BC', 2.0], ['Tu', 1.0]]
    """
    rows = _printed_unless(number, table)
    part = averages(rows) if testset == OVERALL else rows[rows["testset"] == testset]
    if not len(part):
        raise ValueError(f"table {number} has no test set {testset!r}.")
    return rank_systems(part, LOWER_IS_BETTER)


def agreement(number: int, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """`analysis.statistics.measure_agreement` on each test set and on the averages; arguments as for `ranks`.

    Parameters
    ----------
    number : int
        Number of the table in the paper.
    table : DataFrame, optional
        Result of a table function of the paper.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> agreement(3).query("testset == 'averages' and measure_b == 'undirected'")[["measure_a", "n"]].values.tolist()
    [['directed', 14]]
    """
    rows = _printed_unless(number, table)
    both = pd.concat([rows, averages(rows).assign(testset=OVERALL)], ignore_index=True)
    return measure_agreement(both, MEASURES[number], LOWER_IS_BETTER)


def spread(number: int = 3, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """`analysis.statistics.spread_of_systems` of a table; arguments as for `ranks`.

    Parameters
    ----------
    number : int
        Number of the table in the paper.
    table : DataFrame, optional
        Result of a table function of the paper.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> spread(3)["measure"].tolist()
    ['directed', 'undirected', 'NED']
    """
    return spread_of_systems(_printed_unless(number, table))


def hardness(number: int, table: pd.DataFrame | None = None, measure: str | None = None) -> pd.DataFrame:
    """`analysis.statistics.hardest_testsets` by one measure, the table's first by default; arguments as for `ranks`.

    Parameters
    ----------
    number : int
        Number of the table in the paper.
    table : DataFrame, optional
        Result of a table function of the paper.
    measure : str, optional
        Name of a measure.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> hardness(3, measure="directed")["testset"].tolist()[:2]
    ['basque', 'slovene']
    """
    return hardest_testsets(_printed_unless(number, table), measure or MEASURES[number][0], LOWER_IS_BETTER)


@takes_setting(Setting)
def clusters(setting: Setting) -> pd.DataFrame:
    """Number of clusters against each measure, universal gold tags: every system on every test set.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``testset``, ``system``, ``model``, ``k``, ``measure``, ``value``, ``unit``.
    """
    return _clusters(evaluations(setting)["scores"], setting)


@takes_setting(Setting)
def curves(setting: Setting) -> pd.DataFrame:
    """The four measures against the number of clusters, B and MK on one test set; as `clusters`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return _clusters(curve_evaluations(setting), setting)


def _clusters(scores: pd.DataFrame, setting: Setting) -> pd.DataFrame:
    rows = chosen(scores, ROWS[2] | {"punctuation": "scored" if setting.punctuation else "left out"})
    rows = rows.assign(model=rows["system"].str.partition("-")[0], k=rows["k"].astype("Int64"))
    return rows[["testset", "system", "model", "k", "measure", "value", "unit"]].reset_index(drop=True)


@kept
def conventions(testset: str, setting: Setting | None = None) -> pd.DataFrame:
    """`analysis.dependencies.compare_conventions` of the systems of the track of dependencies.

    Parameters
    ----------
    testset : str
        Name of a test set.
    setting : Setting, optional
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return compare_conventions(data(testset).test, heads(testset, Setting.choose(setting))).assign(unit="proportion")


@takes_setting(Setting)
def joint_quality(
    setting: Setting,
    testset: str | None = None,
    n_jobs: int = 1,
    *,
    others: Sequence[str] = ("Clark03", "GG07"),
) -> pd.DataFrame:
    """Quality of the tags against quality of the trees that DMV induces on them.

    Parameters
    ----------
    setting, **choices
        As for `scores`.
    testset : str, optional
        By default that of the curves.
    n_jobs : int
        Processes; the numbers do not depend on it.
    others : sequence of str
        Of `OTHERS`: clusterings that are not in the challenge. The last two take longer.

    Returns
    -------
    DataFrame
        One row per clustering: ``testset``, ``system`` (as in Table 2, or of `OTHERS`; ``gold-c``, ``gold-p``,
        ``gold-u`` for gold tags, ``Random`` for random classes of word types), ``model``, ``k`` (asked for),
        ``clusters`` (found), ``M-1`` and ``VM`` (against fine tags, punctuation included), ``directed``,
        ``undirected``, ``NED`` with their ``unit`` and ``n`` (tokens scored), ``seed``, ``data_version``,
        ``convention``.

    Raises
    ------
    ValueError
        If one of `others` is unknown.
    """
    check_known(others, OTHERS, "there is no other clustering")
    name, seed = testset or setting.curve_testset, ("random_state", setting.seed)
    fine, more = number_of_tags(name, "fine"), {**{other: OTHERS[other] for other in others}, "Random": ()}
    found = [
        *systems(name, setting, "word classes"),
        *(make_run(other, "other", "fine", fine, (*parameters, seed)) for other, parameters in more.items()),
        *(make_run(f"gold-{tags}", "gold", level, number_of_tags(name, level)) for tags, level in LEVELS.items()),
    ]
    trees = {"iterations": setting.iterations, "max_length": setting.train_length, "normalise": setting.normalise}
    cells = [{"testset": name, "run": asdict(run), "trees": trees, "seed": setting.seed} for run in found]
    version = data(name).version
    return evaluate_all(evaluate_quality, cells, data=version, n_jobs=n_jobs, progress=False)["quality"]


@kept
def variants(
    testset: str = "nursery", level: str = "fine", *, sentences: int = 500, iterations: int = 15, read: int = 60
) -> pd.DataFrame:
    """Ambiguity and accuracy of each variant of DMV, iteration by iteration, on the sentences trained on.

    Parameters
    ----------
    testset : str
    level : {"coarse", "fine", "universal"}
        Granularity of tags.
    sentences : int
        So many, of 2 to 10 words, are trained on and scored.
    iterations : int
    read : int
        Sentences, the first, over which ambiguity is averaged.

    Returns
    -------
    DataFrame
        ``system`` (of `DMV_VARIANTS`), then as `analysis.dependencies.models.training_trace`, scores as proportions.

    References
    ----------
    Tu & Honavar (2012); Gelling et al. (2012), section 3 (there Tu).
    """
    some = short_sentences(testset, sentences)
    models = {name: trained(testset, level, sentences, iterations, tuple(parameters.items()))
              for name, parameters in DMV_VARIANTS.items()}  # fmt: skip
    return compare_variants(models, some, sentences=read)


def short_sentences(testset: str = "nursery", sentences: int = 500) -> pd.DataFrame:
    """The first sentences of the test set that have 2 to 10 words and no punctuation."""
    return sentences_without_punctuation(data(testset).test, shortest=2, longest=10, first=sentences)


@kept(copied=False)
def trained(testset: str, level: str, sentences: int, iterations: int, parameters: Parameters) -> DMV:
    """A variant of DMV, trained on `short_sentences`; see `analysis.dependencies.models.train_variant`."""
    return train_variant(short_sentences(testset, sentences), level, iterations, **dict(parameters))
