"""Systems against a baseline on the same units: differences with intervals, tests, and the variation over runs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from analysis.statistics.intervals import wilson_bounds
from analysis.statistics.resampling import RandomState, check_resampling
from analysis.statistics.scored import (
    Measure,
    Scored,
    ScoredRatios,
    bootstrap_bounds,
    item_counts,
    jackknife,
    large_bias,
    named_measures,
    resampled_values,
    t_interval,
    t_test,
    within,
)
from analysis.structures import check_at_least, check_choice

Test = Literal["bootstrap", "sign flips"]
TESTS = ("bootstrap", "sign flips")
BELOW_SEEDS = "below the variation of seeds"


class SystemScore(NamedTuple):
    """One measure of a system, which may have several runs.

    Attributes
    ----------
    system, measure, unit : str
    value : float
        Mean over runs.
    corrected, lower, upper : float
        As in `analysis.statistics.scored.Estimate`; with several runs the interval counts runs and units.
    runs, n : int
        Runs and units.
    sd_runs : float
        Deviation of the value over runs (n - 1); NaN with one run.
    se_units : float
        Standard error from the units, the runs as they are.
    se_both : float
        Standard error from runs and units together.
    method, note : str
    """

    system: str
    measure: str
    unit: str
    value: float
    corrected: float
    lower: float
    upper: float
    runs: int
    n: int
    sd_runs: float
    se_units: float
    se_both: float
    method: str
    note: str


class SystemDifference(NamedTuple):
    """One measure of a system minus that of the baseline, on the same units.

    Attributes
    ----------
    system, baseline, measure, unit : str
    difference, corrected, lower, upper : float
    p, p_holm : float
        Two-sided, by itself and corrected for all comparisons of the table.
    test : str
        How p was found.
    n : int
    better : str
        Which of the two is better, if the corrected p is below 1 - confidence; else empty.
    note : str
    """

    system: str
    baseline: str
    measure: str
    unit: str
    difference: float
    corrected: float
    lower: float
    upper: float
    p: float
    p_holm: float
    test: str
    n: int
    better: str
    note: str


@dataclass(frozen=True)
class _Runs:
    """The runs of one system, with what the methods need of them."""

    name: str
    runs: Sequence[Scored]
    whole: np.ndarray  # (runs, measures)
    drawn: Sequence[np.ndarray]  # (resamples, measures) of each run; empty if nothing is resampled
    without: Sequence[Mapping[str, np.ndarray]]
    picks: np.ndarray  # (resamples, runs): which runs are drawn

    def both_levels(self, place: int) -> np.ndarray:
        """The mean over runs in each resample of units and of runs.

        Runs differ in a resample by what they have in them and by what they do on its units. The second is in the mean
        over runs too; the deviations of runs drawn again are scaled so that it counts once, and so that they vary by
        what the mean of R runs varies and not by (R - 1) / R of it.
        """
        values = np.stack([run[:, place] for run in self.drawn])
        mean = values.mean(axis=0)
        if len(values) < 2:
            return mean
        picked = np.take_along_axis(values.T, self.picks, axis=1).mean(axis=1)
        defined = values[:, np.isfinite(values).all(axis=0)]
        varies = float(np.var(defined, axis=0, ddof=1).mean()) if defined.size else math.nan
        scale = 0.0 if varies == 0 else self.spread_alone(place) / math.sqrt(varies)
        return mean + scale * math.sqrt(len(values) / (len(values) - 1)) * (picked - mean)

    def spread_alone(self, place: int) -> float:
        """Deviation over runs without what they do differently on these units: 0 if they differ by no more than that.

        The variance of R runs on n units is that of runs plus the n-th part of that of runs and units (a random-effects
        table with two ways). The second part is how much the deviations of the runs vary over resamples of the units.
        """
        deviations = np.stack([run[:, place] for run in self.drawn]) - self.units_only(place)
        defined = deviations[:, np.isfinite(deviations).all(axis=0)]
        if len(deviations) < 2 or not defined.size:
            return math.nan
        return _without(self.spread(place), float(np.var(defined, axis=1).sum()) / (len(deviations) - 1))

    def spread_alone_left_out(self, place: int, measure: str) -> float:
        """As `spread_alone`, from the jackknife."""
        if len(self.runs) < 2:
            return math.nan
        mean = self.left_out(measure)
        errors = [
            jackknife(float(whole - self.whole[:, place].mean()), run[measure] - mean)[1]
            for whole, run in zip(self.whole[:, place], self.without, strict=True)
        ]
        return _without(self.spread(place), float(np.square(errors).sum()) / (len(errors) - 1))

    def units_only(self, place: int) -> np.ndarray:
        """The mean over the runs as they are in each resample of units."""
        return np.mean([run[:, place] for run in self.drawn], axis=0)

    def left_out(self, measure: str) -> np.ndarray:
        """The mean over runs without each unit."""
        return np.mean([run[measure] for run in self.without], axis=0)

    def spread(self, place: int) -> float:
        """Deviation over runs; NaN with one."""
        return float(np.std(self.whole[:, place], ddof=1)) if len(self.runs) > 1 else math.nan


def compare_scored(
    systems: Mapping[str, Scored | Sequence[Scored]],
    measures: Sequence[str] | None = None,
    *,
    test: Test = "bootstrap",
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: RandomState = 0,
) -> tuple[list[SystemScore], list[SystemDifference]]:
    """Score systems on the same units, and test each against the first.

    Parameters
    ----------
    systems : mapping of str to Scored, or to several runs of one system
        The first is the baseline.
    measures : sequence of str, optional
        By default all that every run has.
    test : {"bootstrap", "sign flips"}
        Of ratios of sums of one run: whether p comes from the resamples of the interval, or from exchanging the two
        systems on units at random. Other measures have their own test: the jackknife a t test, shares of items
        McNemar's; with several runs always the bootstrap of runs and units.
    resamples : int
    confidence : float
    random_state : None, int or numpy Generator

    Returns
    -------
    scores : list of SystemScore
    differences : list of SystemDifference

    Raises
    ------
    ValueError
        If there is no system, the gold standards that were scored are not the same, or a measure is unknown.

    References
    ----------
    Efron & Tibshirani (1993), chapters 11 to 15; Yeh (2000) for sign flips; McNemar (1947); Newcombe (1998), method 10,
    for intervals of paired shares; Holm (1979).

    Examples
    --------
    >>> def scored(right):
    ...     return ScoredRatios("trees", (Measure("UAS"),), np.array(right)[:, None], np.full((len(right), 1), 4))
    >>> scores, (row,) = compare_scored({"LB": scored([1, 2] * 20), "DMV": scored([2, 3] * 20)})
    >>> row.difference, row.p < 0.01, row.better
    (0.25, True, 'DMV')
    """
    check_choice("test", test, TESTS)
    check_resampling(resamples, confidence)
    listed = {name: list(runs) if isinstance(runs, Sequence) else [runs] for name, runs in systems.items()}
    _check_same(listed)
    names = _shared_measures(listed) if measures is None else list(measures)
    first = next(iter(listed.values()))[0]
    for run in (run for runs in listed.values() for run in runs):
        named_measures(run, names)
    _check_conventions(listed, names)
    wanted = [first.measures[place] for place in named_measures(first, names)]
    every = _prepare(listed, wanted, resamples, random_state)
    scores = [_score(runs, place, measure, confidence) for runs in every for place, measure in enumerate(wanted)]
    found = [
        _difference(runs, every[0], (place, measure), test, confidence, resamples, random_state)
        for runs in every[1:]
        for place, measure in enumerate(wanted)
    ]
    adjusted = holm([row.p for row in found])
    lower_is_better = {measure.name: measure.lower_is_better for measure in wanted}
    differences = []
    for row, p in zip(found, adjusted, strict=True):
        side = row.corrected if math.isfinite(row.corrected) else row.difference
        winner = row.system if (side > 0) != lower_is_better[row.measure] else row.baseline
        decided = p < 1 - confidence and row.note != BELOW_SEEDS
        differences.append(row._replace(p_holm=p, better=winner if decided else ""))
    return scores, differences


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction of several p-values; one that is missing stays so, and does not count.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    defined = np.flatnonzero(np.isfinite(p))
    order = defined[np.argsort(p[defined], kind="stable")]
    adjusted = p.copy()
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1.0)
    return adjusted.tolist()


def _check_same(listed: Mapping[str, list[Scored]]) -> None:
    if not listed or not all(listed.values()):
        raise ValueError("there is no system to compare.")
    (name, runs), *_ = listed.items()
    for other, others in listed.items():
        for run in others:
            if run.task != runs[0].task:
                raise ValueError(f"{name} is scored as {runs[0].task}, {other} as {run.task}: they cannot be compared.")
            if run.data != runs[0].data or run.n != runs[0].n:
                raise ValueError(
                    f"{name} and {other} were not scored on the same data: {runs[0].n:,} {runs[0].resampled}s, data "
                    f"{runs[0].data or 'unknown'}; {run.n:,} {run.resampled}s, data {run.data or 'unknown'}. Score "
                    "both on the same gold standard, with the same choices of what is scored."
                )


def _check_conventions(listed: Mapping[str, list[Scored]], measures: Sequence[str]) -> None:
    (name, runs), *_ = listed.items()
    for measure in measures:
        first = runs[0].conventions(measure)
        for other, others in listed.items():
            for run in others:
                own = run.conventions(measure)
                for choice in dict.fromkeys((*first, *own)):
                    ours, theirs = (str(side.get(choice, "none")) for side in (first, own))
                    if ours != theirs:
                        raise ValueError(
                            f"{name} and {other} were not scored in the same way: {choice} is not the same: {name} has "
                            f"{ours}, {other} has {theirs} ({measure})."
                        )


def _shared_measures(listed: Mapping[str, list[Scored]]) -> list[str]:
    runs = [run for each in listed.values() for run in each]
    names = [{measure.name for measure in run.measures} for run in runs]
    return [measure.name for measure in runs[0].measures if all(measure.name in own for own in names)]


def _prepare(
    listed: Mapping[str, list[Scored]], wanted: Sequence[Measure], resamples: int, random_state: RandomState
) -> list[_Runs]:
    """Every run on the units as they are, in the same resamples, and without each unit; columns are the measures."""
    runs = [run for each in listed.values() for run in each]
    several = any(len(each) > 1 for each in listed.values())
    needs = {measure.method for measure in wanted}
    names = [measure.name for measure in wanted]
    drawn: list[np.ndarray] = []
    if needs & {"percentile", "basic"} or ("wilson" in needs and several):
        values = resampled_values(runs, resamples, random_state)
        drawn = [own[:, named_measures(run, names)] for own, run in zip(values, runs, strict=True)]
    without = [run.left_out() if "jackknife" in needs else {} for run in runs]
    seed = random_state.spawn(1)[0] if isinstance(random_state, np.random.Generator) else random_state
    generator = np.random.default_rng(seed if seed is None or isinstance(seed, np.random.Generator) else [seed, 1])
    found, at = [], 0
    for name, each in listed.items():
        own = slice(at, at + len(each))
        whole = np.stack([run.values()[0, named_measures(run, names)] for run in each])
        picks = generator.integers(0, len(each), (resamples, len(each)))
        found.append(_Runs(name, each, whole, drawn[own], without[own], picks))
        at += len(each)
    return found


def _score(system: _Runs, place: int, measure: Measure, confidence: float) -> SystemScore:
    value, runs, n = float(system.whole[:, place].mean()), len(system.runs), system.runs[0].n
    spread = system.spread(place)
    corrected, note = math.nan, ""
    if measure.method == "jackknife":
        corrected, error, units = jackknife(value, system.left_out(measure.name))
        both, freedom = _two_levels(
            [(error, units - 1), (system.spread_alone_left_out(place, measure.name) / math.sqrt(runs), runs - 1)]
        )
        lower, upper = t_interval(corrected, both, freedom, confidence)
        note = large_bias(value, corrected, error, system.runs[0])
    elif measure.method == "wilson" and runs == 1:
        right, items = item_counts(system.runs[0], named_measures(system.runs[0], [measure.name])[0])
        found = wilson_bounds([right.sum()], [items.sum()], confidence=confidence)
        lower, upper = float(found["lower"][0]), float(found["upper"][0])
        error = both = math.sqrt(value * (1 - value) / items.sum()) if items.any() else math.nan
    else:
        drawn = system.both_levels(place)
        lower, upper, _ = bootstrap_bounds(drawn, value, measure, confidence)
        error, both = _deviation(system.units_only(place)), _deviation(drawn)
    if not math.isfinite(value):
        lower = upper = math.nan
    bounds = (within(lower, measure), within(upper, measure))
    method = "percentile" if measure.method == "wilson" and runs > 1 else measure.method
    return SystemScore(system.name, measure.name, measure.unit, value, corrected, *bounds, runs, n, spread, error, both,
                       method, note)  # fmt: skip


def _difference(
    system: _Runs,
    base: _Runs,
    of: tuple[int, Measure],
    test: Test,
    confidence: float,
    resamples: int,
    random_state: RandomState,
) -> SystemDifference:
    place, measure = of
    difference = float(system.whole[:, place].mean() - base.whole[:, place].mean())
    spreads = [each.spread(place) for each in (system, base)]
    note = ""
    if any(math.isfinite(spread) for spread in spreads):
        note = BELOW_SEEDS if abs(difference) < math.sqrt(np.nansum(np.square(spreads))) else ""
    alone = len(system.runs) == len(base.runs) == 1
    corrected = math.nan
    if measure.method == "jackknife":
        without = system.left_out(measure.name) - base.left_out(measure.name)
        corrected, error, units = jackknife(difference, without)
        levels = [(error, units - 1)]
        levels += [
            (each.spread_alone_left_out(place, measure.name) / math.sqrt(len(each.runs)), len(each.runs) - 1)
            for each in (system, base)
        ]
        both, freedom = _two_levels(levels)
        lower, upper = t_interval(corrected, both, freedom, confidence)
        p, said = t_test(corrected, both, freedom), "jackknife t" if alone else "jackknife t, runs and units"
    elif measure.method == "wilson" and alone:
        ours, theirs = _same_items(system.runs[0], base.runs[0], measure.name)
        lower, upper = paired_shares(ours, theirs, confidence)
        p, said = mcnemar(ours, theirs), "McNemar, exact"
    else:
        drawn = system.both_levels(place) - base.both_levels(place)
        lower, upper, _ = bootstrap_bounds(drawn, difference, measure, confidence)
        p, said = bootstrap_p(drawn, difference, measure), "bootstrap" if alone else "bootstrap of runs and units"
        pair = (system.runs[0], base.runs[0])
        if test == "sign flips" and alone and all(isinstance(run, ScoredRatios) for run in pair):
            p, said = sign_flips(*pair, measure.name, resamples, random_state), test  # type: ignore[arg-type]
    if not math.isfinite(difference):
        lower = upper = p = math.nan
    return SystemDifference(system.name, base.name, measure.name, measure.unit, difference, corrected, lower, upper, p,
                            math.nan, said, system.runs[0].n, "", note)  # fmt: skip


def _same_items(first: Scored, second: Scored, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """Which items each of two systems has right, among those that a share is of; these must be the same."""
    (right, items), (theirs, others) = (item_counts(run, named_measures(run, [measure])[0]) for run in (first, second))
    if not np.array_equal(items, others):
        raise ValueError(f"{measure} is a share of other items for each system: systems are not compared by it.")
    return right[items > 0], theirs[items > 0]


def _deviation(drawn: np.ndarray) -> float:
    values = drawn[np.isfinite(drawn)]
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan


def _without(spread: float, units: float) -> float:
    """A deviation without a part of its variance; 0 if the part is larger."""
    return math.sqrt(max(spread**2 - units, 0.0))


def _two_levels(levels: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """Standard error of a sum of independent parts, and its degrees of freedom (Satterthwaite 1946).

    Parts are given as standard error and degrees of freedom; one without freedom (a single run) is left out.
    """
    known = [(error**2, freedom) for error, freedom in levels if freedom > 0]
    if len(known) == 1:  # as it is, without rounding
        return next((error, float(freedom)) for error, freedom in levels if freedom > 0)
    total = sum(variance for variance, _ in known)
    below = sum(variance**2 / freedom for variance, freedom in known)
    return math.sqrt(total), total**2 / below if below > 0 else float(known[0][1] if known else 0)


def bootstrap_p(drawn: np.ndarray, difference: float, measure: Measure) -> float:
    """Two-sided p of a difference of 0: the smallest alpha whose bootstrap interval leaves 0 out.

    Parameters
    ----------
    drawn : ndarray of float, shape (resamples,)
        The difference in the resamples.
    difference : float
        On the units as they are.
    measure : Measure
        Whether its interval is turned round the value.

    Examples
    --------
    >>> bootstrap_p(np.full(99, 0.5), 0.5, Measure("UAS")), bootstrap_p(np.array([-1.0, 1.0]), 0.5, Measure("UAS"))
    (0.02, 1.0)
    """
    values = drawn[np.isfinite(drawn)]
    if not len(values) or not math.isfinite(difference):
        return math.nan
    null = 2 * difference if measure.method == "basic" else 0.0
    tiny = 1e-12 * max(1.0, float(np.abs(values).max()))
    fewer = min(int((values <= null + tiny).sum()), int((values >= null - tiny).sum()))
    return min(1.0, 2 * (1 + fewer) / (len(values) + 1))


def sign_flips(
    first: ScoredRatios, second: ScoredRatios, measure: str, resamples: int = 1000, random_state: RandomState = 0
) -> float:
    """Two-sided p of a difference of two ratios of sums: on each unit the two systems are exchanged at random.

    Parameters
    ----------
    first, second : ScoredRatios
        On the same units.
    measure : str
    resamples : int
    random_state : None, int or numpy Generator

    Returns
    -------
    float
        (1 + k) / (B + 1), where k of B exchanges give a difference as far from 0.

    References
    ----------
    Yeh (2000), More accurate tests for the statistical significance of result differences, COLING.

    Examples
    --------
    >>> def scored(right):
    ...     return ScoredRatios("trees", (Measure("UAS"),), np.full((30, 1), right), np.full((30, 1), 4))
    >>> sign_flips(scored(2), scored(3), "UAS", 99), sign_flips(scored(2), scored(2), "UAS", 99)
    (0.01, 1.0)
    """
    check_at_least(2, resamples=resamples)
    sides = []
    for side in (first, second):
        (place,) = named_measures(side, [measure])
        sides.append(np.stack([side.numerators[:, place], side.denominators[:, place]], axis=1).astype(np.float64))
    sums, gap = [side.sum(axis=0) for side in sides], sides[0] - sides[1]
    observed = abs(sums[0][0] / sums[0][1] - sums[1][0] / sums[1][1])
    generator, farther = np.random.default_rng(random_state), 0
    block = max(1, (1 << 22) // max(len(gap), 1))
    for start in range(0, resamples, block):
        flipped = generator.integers(0, 2, (min(block, resamples - start), len(gap)), dtype=np.int8)
        moved = flipped.astype(np.float64) @ gap
        ours, theirs = sums[0] - moved, sums[1] + moved
        drawn = np.abs(ours[:, 0] / ours[:, 1] - theirs[:, 0] / theirs[:, 1])
        farther += int((drawn >= observed - 1e-12).sum())
    return (1 + farther) / (resamples + 1)


def mcnemar(first: np.ndarray, second: np.ndarray) -> float:
    """Exact two-sided p of McNemar's test: are items that only one system has right as often either system's?

    Parameters
    ----------
    first, second : ndarray of 0 and 1, shape (n_items,)
        Whether each system has each item right.

    References
    ----------
    McNemar (1947), Psychometrika 12.

    Examples
    --------
    >>> mcnemar(np.array([1] * 8 + [0] * 2), np.array([0] * 8 + [0, 0])), mcnemar(np.array([1]), np.array([1]))
    (0.0078125, 1.0)
    """
    from scipy.special import bdtr

    only_first, only_second = int(((first > 0) & (second == 0)).sum()), int(((second > 0) & (first == 0)).sum())
    n = only_first + only_second
    return min(1.0, 2 * float(bdtr(min(only_first, only_second), n, 0.5))) if n else 1.0


def paired_shares(first: np.ndarray, second: np.ndarray, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of the difference of two shares of the same items.

    Parameters
    ----------
    first, second : ndarray of 0 and 1, shape (n_items,)
    confidence : float

    References
    ----------
    Newcombe (1998), Improved confidence intervals for the difference between binomial proportions based on paired data,
    Statistics in Medicine 17, method 10.

    Examples
    --------
    The paper's Table II, 36 items that both have right, 12 only the first, 2 only the second:

    >>> first, second = np.repeat([1, 1, 0], [36, 12, 2]), np.repeat([1, 0, 1], [36, 12, 2])
    >>> [round(bound, 4) for bound in paired_shares(first, second)]
    [0.0569, 0.3404]
    """
    n = len(first)
    if not n:
        return math.nan, math.nan
    a, d = int(((first > 0) & (second > 0)).sum()), int(((first == 0) & (second == 0)).sum())
    b, c = int(((first > 0) & (second == 0)).sum()), int(((first == 0) & (second > 0)).sum())
    p_first, p_second = (a + b) / n, (a + c) / n
    found = wilson_bounds([a + b, a + c], [n, n], confidence=confidence)
    lower, upper = found["lower"], found["upper"]
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    product = a * d - b * c
    phi = 0.0
    if margins:
        phi = (max(product - n / 2, 0.0) if product > 0 else float(product)) / math.sqrt(margins)

    def half(up: int) -> float:
        ours, theirs = (upper[0] - p_first, p_second - lower[1]) if up else (p_first - lower[0], upper[1] - p_second)
        return math.sqrt(max(ours**2 - 2 * phi * ours * theirs + theirs**2, 0.0))

    difference = p_first - p_second
    return difference - half(0), difference + half(1)
