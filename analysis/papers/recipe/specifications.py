"""Robustness of conclusions: the headline claims of a paper under every defensible combination of conventions.

``data/specifications/NAME.csv`` lists the claims, each with a signed statistic (positive where it holds), a margin and
the factors to vary; ``NAME_choices.csv`` lists the levels of each factor. Conventions make the specifications,
replicates give an interval inside each, departures (settings that the paper excludes) are kept apart: each is tried
with the first level of every convention.
"""

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from analysis.corpora.folders import data_folder
from analysis.experiments import certify, read_stored, stored_caption, write_stored
from analysis.figures.specifications import specification_figure
from analysis.papers.recipe.claims import Evidence, read_arguments, read_list
from analysis.papers.recipe.declaration import Paper, Words, call_that_stores
from analysis.papers.recipe.settings import Setting, check_known, takes_setting
from analysis.statistics.specification_curves import (
    curve_interval,
    curve_test,
    influence,
    judge_curve,
    mean_over_replicates,
    summarise_curve,
)
from analysis.structures import DataError, publication
from analysis.structures.progress import progress_bar

KINDS = ("convention", "replicate", "departure")
#: A statistic: one number, or one for each replicate within the data, such as treebanks.
Statistic = Callable[..., float | Mapping[str, float]]


@dataclass(frozen=True)
class Headline:
    """A headline claim and its statistic.

    Parameters
    ----------
    id, statement : str
    statistic : callable
        Of an `Evidence` and further arguments; positive where the claim holds.
    arguments : mapping
    margin : float
        If the statistic is at most this far from 0, it does not decide the claim.
    label : str
        Name of the statistic, with its unit.
    factors : tuple of str
    """

    id: str
    statement: str
    statistic: Statistic
    arguments: Mapping[str, Any]
    margin: float
    label: str
    factors: tuple[str, ...]


@dataclass(frozen=True)
class Level:
    """A level of a factor: the changes it makes to the setting and to the arguments of the statistic.

    Parameters
    ----------
    factor, name, kind : str
        Kind: convention, replicate, departure.
    setting, arguments : mapping
    on : tuple of str
        Corpora to which it applies: names, ``real`` or ``generated``; all if empty.
    """

    factor: str
    name: str
    kind: str
    setting: Mapping[str, Any]
    arguments: Mapping[str, Any]
    on: tuple[str, ...] = ()


class Robustness(NamedTuple):
    """Result of `robustness` for all headline claims of a paper.

    Attributes
    ----------
    specifications : DataFrame
        One row per claim and specification: ``claim``, ``kind`` (convention, departure), one column per factor
        (empty where the claim does not vary it), ``estimate``, ``lower``, ``upper``, ``replicates``, ``failed`` (the
        error), ``verdict``.
    values : DataFrame
        One row per claim, specification and replicate: the same columns, ``replicate``, ``estimate``.
    summary : DataFrame
        ``claim``, ``statement``, and the columns of `analysis.statistics.specification_curves.summarise_curve`.
    influence : DataFrame
        ``claim`` and the columns of `analysis.statistics.specification_curves.influence`.
    inference : DataFrame
        ``claim``, the columns of `CurveInterval`, ``p``, ``replicates``: from resampling whole replicates.
    """

    specifications: pd.DataFrame
    values: pd.DataFrame
    summary: pd.DataFrame
    influence: pd.DataFrame
    inference: pd.DataFrame

    @property
    def verdicts(self) -> pd.DataFrame:
        """How many specifications of each claim (row) have each verdict (column)."""
        wide = self.summary.pivot_table(index=["claim", "statement"], columns="verdict", values="specifications",
                                        aggfunc="sum", sort=False)  # fmt: skip
        return wide.reset_index().rename_axis(columns=None)


def read_headlines(paper: Paper) -> tuple[list[Headline], list[Level]]:
    """The headline claims of a paper and the levels of their factors, with every name in them checked.

    Parameters
    ----------
    paper : Paper
        The paper's declaration.

    Returns
    -------
    tuple[list[Headline], list[Level]]

    Raises
    ------
    DataError
        With file and line, if a statistic, argument, field of the setting, factor or kind is unknown.
    """
    levels = list(read_list(paper.list_of("specifications", "_choices"), lambda row: _level(row, paper)))
    known = list(dict.fromkeys(level.factor for level in levels))
    headlines = read_list(paper.list_of("specifications"), lambda row: _headline(row, paper, known, levels))
    return list(headlines), levels


def _level(row: Mapping[str, str], paper: Paper) -> Level:
    check_known([row["kind"]], KINDS, "there is no kind")
    setting = read_arguments(row["setting"])
    check_known(setting, list(inspect.signature(paper.setting).parameters), "the setting has no field")
    return Level(row["factor"], row["level"], row["kind"], setting, read_arguments(row["arguments"]),
                 tuple(row["on"].split()))  # fmt: skip


def _headline(row: Mapping[str, str], paper: Paper, known: Sequence[str], levels: Sequence[Level]) -> Headline:
    check_known([row["statistic"]], paper.statistics, "there is no statistic")
    statistic, arguments = paper.statistics[row["statistic"]], read_arguments(row["arguments"])
    factors = tuple(name.strip() for name in row["factors"].split(";") if name.strip())
    check_known(factors, known, "there is no factor")
    varied = [name for level in levels if level.factor in factors for name in level.arguments]
    own = list(inspect.signature(statistic).parameters)[1:]
    check_known([*arguments, *varied], own, f"{row['statistic']} has no argument")
    return Headline(row["id"], row["statement"], statistic, arguments, float(row["margin"]), row["label"], factors)


def robustness(
    paper: Paper,
    setting: Setting,
    claims: Sequence[str] | None = None,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
) -> Robustness:
    """Evaluate the headline claims of a paper under every combination of the conventions that they depend on.

    Parameters
    ----------
    paper : Paper
    setting : Setting
        Values of everything that no factor varies. Trained systems are stored, so only new ones are trained.
    claims : sequence of str, optional
        Ids; by default all.
    resamples, confidence, random_state
        For the inference about whole curves.

    Returns
    -------
    Robustness
        A specification that fails is included with its error, and the others are still computed.

    References
    ----------
    Simonsohn, Simmons & Nelson (2020); see `analysis.statistics.specification_curves`.
    """
    headlines, levels = _chosen(paper, setting, claims)
    drawn = {"resamples": resamples, "confidence": confidence, "random_state": random_state}
    return _robustness(headlines, levels, _evaluate(paper, setting, headlines, levels), **drawn)  # type: ignore[arg-type]


def _chosen(paper: Paper, setting: Setting, claims: Sequence[str] | None = None) -> tuple[list[Headline], list[Level]]:
    """The headline claims asked for, and the levels that apply to the corpus of the setting."""
    headlines, levels = read_headlines(paper)
    check_known(claims or (), [headline.id for headline in headlines], f"{paper.name} has no headline claim")
    headlines = [headline for headline in headlines if claims is None or headline.id in claims]
    return headlines, [level for level in levels if setting.is_on(level.on)]


def _robustness(
    headlines: Sequence[Headline],
    levels: Sequence[Level],
    values: pd.DataFrame,
    *,
    resamples: int,
    confidence: float,
    random_state: int,
) -> Robustness:
    """Everything that follows from the values of the specifications."""
    found = []
    for headline in headlines:
        own, factors = values[values["claim"] == headline.id], list(_varied(headline, levels))
        curve = _curve(own, headline, confidence)
        conventions = curve[curve["kind"] == "convention"]
        measured = own[(own["kind"] == "convention") & (own["failed"] == "")]
        matrix = measured.pivot_table(
            index="replicate", columns=factors, values="estimate", dropna=False, sort=False
        ).to_numpy()
        drawn: dict[str, Any] = {"resamples": resamples, "random_state": random_state}
        row = curve_interval(matrix, headline.margin, confidence=confidence, **drawn)._asdict()
        row |= {"p": curve_test(matrix, **drawn), "replicates": len(matrix)}
        summary = summarise_curve(conventions, factors)
        summary.insert(0, "statement", headline.statement)
        tables = (summary, influence(conventions, factors), pd.DataFrame([row]))
        about = pd.DataFrame({"claim": [headline.id]})
        found.append((curve, *(about.merge(table, how="cross") for table in tables)))
    curves, *others = (pd.concat(tables, ignore_index=True) for tables in zip(*found, strict=True))
    return Robustness(curves, values, *others)


def store_robustness(paper: Paper, corpus: str, **choices: Any) -> Robustness:
    """Evaluate the specifications of all headline claims on one corpus and store the values in the suite.

    Parameters
    ----------
    paper : Paper
    corpus : str
    **choices
        Further fields of the setting.

    Returns
    -------
    Robustness
        As `stored_robustness`.
    """
    setting = paper.setting.choose(corpus=corpus, **choices)
    values = _evaluate(paper, setting, *_chosen(paper, setting)).assign(corpus=corpus)
    command = _command(paper, corpus, choices)
    caption = Words(paper.words, setting).fill(paper.claims_caption)
    write_stored(_kept(paper), values, _functions(paper), command=command, caption=caption, named=False)
    return stored_robustness(paper)


def _command(paper: Paper, corpus: str, choices: Mapping[str, Any]) -> str:
    return call_that_stores(f"recipe.store_robustness(papers.{paper.name}.PAPER, ", corpus, choices)


def certify_robustness(paper: Paper, *, cells: int = 3, random_state: int = 0, digits: int = 12) -> pd.DataFrame:
    """Recompute some stored specifications and, if they agree, certify all; see `analysis.experiments.certify`.

    Parameters
    ----------
    paper : Paper
    cells, random_state, digits : int

    Returns
    -------
    DataFrame
        The recomputed specifications.

    Raises
    ------
    ValueError
        If one differs, or if they were stored with other choices than the corpus.
    """
    name, functions = _kept(paper), _functions(paper)
    stored, about, *_ = read_stored(name, functions, dtype="str")
    if about["command"] != _command(paper, stored["corpus"].iloc[0], {}):
        raise ValueError(f"{name} was stored with further choices ({about['command']}): store it again.")
    setting = paper.setting.choose(corpus=stored["corpus"].iloc[0])

    def recompute(**cell: str) -> pd.DataFrame:
        headlines, levels = _chosen(paper, setting, [cell["claim"]])
        return _evaluate(paper, setting, headlines, levels, only=cell).assign(corpus=setting.corpus)

    by = [column for column in stored.columns if column not in ("replicate", "estimate", "failed", "corpus")]
    return certify(name, functions, recompute, by, cells=cells, random_state=random_state, digits=digits)


def stored_robustness(
    paper: Paper, *, resamples: int = 1000, confidence: float = 0.95, random_state: int = 0
) -> Robustness:
    """The headline claims on the corpus of the stored specifications, for readers who do not have it.

    Parameters
    ----------
    paper : Paper
    resamples, confidence, random_state
        For the inference about whole curves.

    Returns
    -------
    Robustness
        ``values`` has the further columns ``corpus`` and ``source``: empty if the functions that the statistics use
        have not changed, else ``made by other source``, or how many were certified.

    Raises
    ------
    DataError
        If none are stored, or none with the factors that the claims have now.
    """
    run = read_stored(
        _kept(paper), _functions(paper), dtype={"estimate": float, "replicate": str}, na_values={"estimate": [""]}
    )
    values = run.table.assign(source=run.notes)
    headlines, levels = _chosen(paper, paper.setting.choose(corpus=values["corpus"].iloc[0]))
    headlines = [headline for headline in headlines if _is_stored(headline, levels, values)]
    if not headlines:
        raise DataError(f"{paper.name}: of none of its headline claims are specifications stored with today's factors.")
    drawn = {"resamples": resamples, "confidence": confidence, "random_state": random_state}
    return _robustness(headlines, levels, values, **drawn)  # type: ignore[arg-type]


def _is_stored(headline: Headline, levels: Sequence[Level], values: pd.DataFrame) -> bool:
    """Whether values of the claim are stored, and with the factors that it has now."""
    own = values[(values["claim"] == headline.id) & (values["kind"] == "convention")]
    factors = own.drop(columns=["claim", "kind", "replicate", "estimate", "failed", "corpus", "source"])
    return len(own) > 0 and set(factors.columns[(factors != "").any()]) == set(_varied(headline, levels))


def has_stored_robustness(paper: Paper) -> bool:
    """Whether specifications of the paper are stored in the suite.

    Parameters
    ----------
    paper : Paper

    Returns
    -------
    bool
    """
    return (data_folder() / "results" / f"{_kept(paper)}.csv").is_file()


def _kept(paper: Paper) -> str:
    return f"{paper.name}_specifications"


def _functions(paper: Paper) -> list[Callable[..., Any]]:
    return [*paper.statistics.values(), *paper.evidence.values()]


def robustness_of(paper: Paper) -> Callable[..., Robustness]:
    """The public function ``robustness(setting=None, claims=None, ...)`` of a paper; see `robustness`.

    Parameters
    ----------
    paper : Paper
        The paper's declaration.

    Returns
    -------
    callable
    """

    @takes_setting(paper.setting)
    def of_paper(
        setting: Setting,
        claims: Sequence[str] | None = None,
        *,
        resamples: int = 1000,
        confidence: float = 0.95,
        random_state: int = 0,
    ) -> Robustness:
        """The headline claims under every combination of conventions; see `analysis.papers.recipe.robustness`.

        Parameters
        ----------
        setting : Setting, optional
        claims : sequence of str, optional
        resamples : int
        confidence : float
        random_state : int

        Returns
        -------
        Robustness
        """
        options = {"resamples": resamples, "confidence": confidence, "random_state": random_state}
        return robustness(paper, setting, claims, **options)  # type: ignore[arg-type]

    return of_paper


def robustness_figure(paper: Paper, found: Robustness, claim: str, **fixed: str) -> Figure:
    """The specification curve of one claim.

    Parameters
    ----------
    paper : Paper
    found : Robustness
    claim : str
    **fixed
        Level by factor: only its specifications are shown. Underscores in names of factors stand for spaces.

    Returns
    -------
    Figure
    """
    headlines = {entry.id: entry for entry in read_headlines(paper)[0]}
    check_known([claim], headlines, f"{paper.name} has no headline claim")
    headline = headlines[claim]
    check_known([name.replace("_", " ") for name in fixed], headline.factors, f"{claim} has no factor")
    rows = found.specifications[found.specifications["claim"] == claim]
    for name, level in fixed.items():
        factor = name.replace("_", " ")
        rows = rows[(rows[factor] == level) | (rows["kind"] == "departure")]
    departures = rows.loc[rows["kind"] == "departure"]
    factors = [name for name in headline.factors if name in rows.columns]
    return specification_figure(rows[rows["kind"] == "convention"], factors, label=headline.label,
                                margin=headline.margin, departures=departures)  # fmt: skip


def _varied(headline: Headline, levels: Sequence[Level]) -> dict[str, list[Level]]:
    """The conventions of a claim with their levels."""
    conventions = [level for level in levels if level.kind == "convention"]
    by_factor = {name: [level for level in conventions if level.factor == name] for name in headline.factors}
    return {name: own for name, own in by_factor.items() if own}


def _combinations(headline: Headline, levels: Sequence[Level]) -> Iterator[tuple[str, tuple[Level, ...]]]:
    """Every specification of a claim in every replicate, then the departures: the kind, and the levels chosen."""
    varied = list(_varied(headline, levels).values())
    repeated = [[level for level in levels if level.factor == factor and level.kind == "replicate"]
                for factor in headline.factors]  # fmt: skip
    repeated = [own for own in repeated if own]
    for chosen in itertools.product(*varied, *repeated):
        yield "convention", chosen
    departures = [level for level in levels if level.kind == "departure" and level.factor in headline.factors]
    for departure in departures:
        for chosen in itertools.product(*(own[:1] for own in varied), *repeated):
            yield "departure", (*chosen, departure)


def _evaluate(
    paper: Paper,
    setting: Setting,
    headlines: Sequence[Headline],
    levels: Sequence[Level],
    only: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """The statistic of every claim, specification and replicate; computations are shared within a setting.

    With ``only``, just the specification with this ``claim``, ``kind`` and levels of factors (empty: not varied).
    """
    factors = list(dict.fromkeys(level.factor for level in levels if level.kind != "replicate"))
    asked: dict[Any, list[tuple[int, Headline, dict[str, str], tuple[Level, ...]]]] = {}
    number = itertools.count()
    for headline in headlines:
        for kind, chosen in _combinations(headline, levels):
            stated = {level.factor: level.name for level in chosen if level.kind != "replicate"}
            about = {"claim": headline.id, "kind": kind} | {name: stated.get(name, "") for name in factors}
            if only is None or dict(only) == about:
                choices = {name: value for level in chosen for name, value in level.setting.items()}
                asked.setdefault(tuple(sorted(choices.items())), []).append((next(number), headline, about, chosen))
    rows = []
    with progress_bar(len(asked), label="specifications") as bar:
        for choices, group in asked.items():
            evidence = Evidence(setting.choose(setting, **dict(choices)), paper.evidence)
            for place, headline, about, chosen in group:
                repeat = " ".join(level.name for level in chosen if level.kind == "replicate")
                for name, estimate, failed in _measured(headline, evidence, chosen):
                    replicate = " ".join(filter(None, (repeat, name)))
                    rows.append((place, {**about, "replicate": replicate, "estimate": estimate, "failed": failed}))
            bar.update(1)
    return pd.DataFrame([row for _, row in sorted(rows, key=lambda pair: pair[0])])


def _measured(headline: Headline, evidence: Evidence, chosen: Sequence[Level]) -> Iterator[tuple[str, float, str]]:
    """Replicate, statistic and error of one specification."""
    arguments = dict(headline.arguments) | {name: v for level in chosen for name, v in level.arguments.items()}
    try:
        found = headline.statistic(evidence, **arguments)
    except Exception as error:  # any error is shown in the table, and the other specifications are still computed
        yield "", float("nan"), f"{type(error).__name__}: {error}"
        return
    for name, value in found.items() if isinstance(found, Mapping) else [("", found)]:
        yield str(name), float(value), ""


def _curve(values: pd.DataFrame, headline: Headline, confidence: float) -> pd.DataFrame:
    """The curve of one claim with its verdicts, followed by the departures."""
    keys = [name for name in values.columns if name not in ("replicate", "estimate", "failed", "corpus", "source")]
    curve = mean_over_replicates(values, keys, confidence)
    failed = values.groupby(keys, sort=False, dropna=False)["failed"].max().reset_index(drop=True)
    return judge_curve(curve.assign(failed=failed), headline.margin)


def robustness_entries(paper: Paper, setting: Setting) -> tuple[list[publication.Table], list[publication.Figure]]:
    """Tables and figures of a paper's robustness, for its publication.

    Parameters
    ----------
    paper : Paper
        The paper's declaration.
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    tuple[list[publication.Table], list[publication.Figure]]
    """
    return _entries(paper, robustness(paper, setting), setting)


def stored_robustness_entries(paper: Paper) -> tuple[list[publication.Table], list[publication.Figure]]:
    """Tables and figures of the stored specifications of a paper; none if none are stored.

    Parameters
    ----------
    paper : Paper
        The paper's declaration.

    Returns
    -------
    tuple[list[publication.Table], list[publication.Figure]]
    """
    if not has_stored_robustness(paper):
        return [], []
    found = stored_robustness(paper)
    corpus, source = found.values["corpus"].iloc[0], found.values["source"].max()
    said = f"\n{stored_caption(_kept(paper))}" + (f" {source}." if source else "")
    tables, figures = _entries(paper, found, paper.setting.choose(corpus=corpus))
    return (
        [replace(table, name=f"stored_{table.name}", caption=table.caption + said, stored=True) for table in tables],
        [replace(figure, name=f"stored_{figure.name}", caption=figure.caption + said, stored=True)
         for figure in figures],
    )  # fmt: skip


def _entries(
    paper: Paper, found: Robustness, setting: Setting
) -> tuple[list[publication.Table], list[publication.Figure]]:
    caption = (
        "Each headline claim under every combination of the conventions listed. Shares are over the specifications "
        "that are defined; by level: each level of a factor weighs the same."
    )
    alone = (
        " A verdict is of the estimate alone; the last column counts the specifications whose interval over replicates "
        "does not contain 0."
    )
    named = (
        ("robustness", "Robustness of the headline claims", found.summary, caption + alone),
        ("robustness_influence", "Which choices matter", found.influence,
         "Shares of the statistic's variance over the specifications."),
        ("robustness_inference", "Whole curves", found.inference,
         "Bootstrap and sign flips of whole replicates; with n of them no p is below 2 in 2^n."),
        ("robustness_specifications", "Every specification", found.specifications, caption),
    )  # fmt: skip
    tables = [publication.Table(*texts) for texts in named]
    figures = [
        publication.Figure(
            f"specifications_{headline.id.lower()}",
            f"Specification curve: {headline.statement}",
            setting.marked(robustness_figure(paper, found, headline.id)),
            f"Two panels: {headline.label} of every specification in order of size, coloured by verdict, and below it "
            "which level of each factor it has.",
            f"{headline.statement} A point is the claim under one combination of the conventions listed, in order of "
            f"size; its line is the interval over replicates, the grey band the margin of {headline.margin:g} within "
            "which the claim is undecided. The point alone decides.",
        )
        for headline in read_headlines(paper)[0]
        if headline.id in set(found.summary["claim"])
    ]
    return tables, figures
