"""Measure again in the way that a signature says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from analysis.evaluation.scoring import IntervalOptions, Run, signature_of
from analysis.evaluation.signatures import parse_signature
from analysis.structures import DataError, check_choice

#: Module, function that scores files, and function that reads its arguments from a signature, by task.
TASKS = {
    "tags": ("tags", "score_tags", "choices_of_labels"),
    "types": ("tags", "score_types", "choices_of_labels"),
    "trees": ("trees", "score_trees", "choices_of_trees"),
    "ccg": ("ccg", "score_ccg", "choices_of_ccg"),
    "inflections": ("inflections", "score_inflections", "choices_of_inflections"),
    "brackets": ("brackets", "score_brackets", "choices_of_brackets"),
}

_WHICH = ("measure", "by", "group")


class MeasuredAgain(NamedTuple):
    """What `measure_again` gives: a run per file with the one measure, the options of its interval, and a note."""

    runs: list[Run]
    intervals: IntervalOptions
    note: str


def measure_again(
    signature: str,
    gold: str | Path,
    systems: Sequence[str | Path],
    *,
    training: str | Path | None = None,
    **reading: Any,
) -> MeasuredAgain:
    r"""Score files by the measure and the choices of a signature.

    Parameters
    ----------
    signature : str
        One line, as `analysis.evaluation.signature` gives it.
    gold, systems : path
    training : path, optional
        Training text or items, where the signature has a group by what was seen or how often.
    **reading
        ``strict``, ``encoding`` and ``incidents``, as in `score_tags`.

    Returns
    -------
    MeasuredAgain
        The note says if the signature is of another version of the suite.

    Raises
    ------
    DataError
        If GOLD is not the data that the signature is of, or gives the number in another way.
    ValueError
        If the signature is incomplete, or its task or measure is unknown.

    Examples
    --------
    >>> import tempfile
    >>> from analysis.evaluation import score_tags, with_intervals
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.txt"
    ...     _ = file.write_text("the\tD\ndog\tN\n\nthe\tD\n", encoding="utf-8")
    ...     text = with_intervals(score_tags(file, [file]), IntervalOptions(resamples=50))[0]["signature"]
    ...     found = measure_again(text, file, [file])
    >>> found.runs[0].measures, found.intervals.resamples
    (['many-to-one'], 50)
    """
    parts = parse_signature(signature)
    task, _, _ = parts["measure"].partition("/")
    check_choice("the task of the signature", task, tuple(TASKS))
    module, scorer, reader = TASKS[task]
    home = import_module(f"analysis.evaluation.{module}")
    try:
        choices = getattr(home, reader)(parts)
        options = interval_options(parts["interval"])
    except (KeyError, IndexError) as error:
        raise ValueError(f"the signature lacks {error.args[0]!r}: {signature!r}.") from None
    if training is not None:
        check_choice("the task of a signature with a training text", task, ("tags", "trees", "inflections"))
        choices["training"] = training
    elif "training" in parts:
        raise ValueError("the signature names a training text: give it as training (--training FILE).")
    score: Callable[..., list[Run]] = getattr(home, scorer)
    runs = [_only(run, parts, options) for run in score(gold, systems, **choices, **reading)]
    number = int(parts.get("runs", 1))
    for run in runs:
        _check(parts, parse_signature(signature_of(run, run.measures[0], options, runs=number)), gold)
    version = parse_signature(signature_of(runs[0], runs[0].measures[0], options))["yardstick"]
    stated = parts.get("yardstick", "unknown")
    note = f"the signature is of version {stated}; this is {version}" if stated != version else ""
    return MeasuredAgain(runs, options, note)


def interval_options(text: str) -> IntervalOptions:
    """The options of an interval that a signature names.

    Examples
    --------
    >>> interval_options("basic,0.9,500,seed:3")
    IntervalOptions(resamples=500, confidence=0.9, random_state=3, shown=True)
    >>> interval_options("none").shown, interval_options("jackknife,0.9").confidence
    (False, 0.9)
    """
    if text == "none":
        return IntervalOptions(shown=False)
    _, confidence, *drawn = text.split(",")
    if not drawn:
        return IntervalOptions(confidence=float(confidence))
    resamples, seed = drawn[0], drawn[1].removeprefix("seed:")
    if not seed.isdigit():
        raise ValueError(f"the interval {text!r} has no seed, and cannot be found again.")
    return IntervalOptions(int(resamples), float(confidence), int(seed))


def _only(run: Run, parts: dict[str, str], options: IntervalOptions) -> Run:
    """The run with the one measure that a signature names."""
    wanted = [parts.get(name) for name in _WHICH]
    for record, measure in zip(run.records, run.measures, strict=True):
        own = parse_signature(signature_of(run, measure, options))
        if [own.get(name) for name in _WHICH] == wanted:
            return replace(run, records=[record], measures=[measure])
    there = ", ".join(dict.fromkeys(run.measures))
    raise ValueError(f"{run.system} has no measure {' '.join(part for part in wanted if part)}; it has {there}.")


def _check(wanted: dict[str, str], found: dict[str, str], gold: str | Path) -> None:
    if wanted.get("data") != found["data"]:
        raise DataError(
            f"{gold} is not what the signature is of: the data scored are {found['data']} (n:{found['n']}), those of "
            f"the signature {wanted.get('data', 'unknown')} (n:{wanted.get('n', 'unknown')})."
        )
    names = [name for name in dict.fromkeys((*wanted, *found)) if name != "yardstick"]
    differing = [name for name in names if wanted.get(name) != found.get(name)]
    if differing:
        shown = "; ".join(f"{name} is {found.get(name)!r} for {wanted.get(name)!r}" for name in differing)
        raise DataError(f"{gold} and the files given cannot be measured in the way of the signature: {shown}.")
