"""Score a parser's phrase-structure trees against gold trees from files: what ``evaluate brackets`` prints."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from analysis.constituents import BracketConventions, bracket_scores, scored_brackets
from analysis.constituents.conventions import EVALB
from analysis.corpora.bracketed_trees import read_bracketed_trees, tree_a_line
from analysis.corpora.opening import open_text
from analysis.evaluation.incidents import check_systems, incidents_of
from analysis.evaluation.signatures import signature
from analysis.statistics.scored import ScoredRatios, estimates
from analysis.structures import DataError, Incident

COLUMNS = ["system", "measure", "value", "unit", "numerator", "denominator", "lower", "upper", "signature",
           "conventions"]  # fmt: skip


def evaluate_brackets(
    gold: str | Path,
    systems: Sequence[str | Path],
    conventions: BracketConventions = EVALB,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
    intervals: bool = True,
    strict: bool = False,
    encoding: str | None = None,
    incidents: list[Incident] | None = None,
) -> tuple[pd.DataFrame, dict[str, ScoredRatios]]:
    r"""Score the brackets of each system.

    Parameters
    ----------
    gold, systems : path
        Files of bracketed trees. Where every line of a file holds whole trees, a line is a sentence and an empty one a
        failed parse; otherwise a tree may take several lines.
    conventions : BracketConventions
    resamples, confidence, random_state
        Of the intervals, by sentence.
    intervals : bool
    strict : bool
        Whether the first defect of a file is an error, and a sentence without a parse or with other words.
    encoding : str, optional
    incidents : list of Incident, optional
        Gets what was wrong with the files.

    Returns
    -------
    table : DataFrame
        One row per system and measure.
    scored : dict of str to ScoredRatios
        Counts of each system's sentences, for `compare_systems`.

    Raises
    ------
    DataError
        If a file cannot be read, or the files have not equally many sentences.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.mrg"
    ...     _ = file.write_text("(S (NP (NN corn)) (VP (VBZ grows)))\n", encoding="utf-8")
    ...     evaluate_brackets(file, [file])[0]["value"].tolist()[:4]
    [1.0, 1.0, 1.0, 1.0]
    """
    check_systems(systems)
    told = [] if incidents is None else incidents
    texts = [open_text(Path(path), encoding=encoding) for path in (gold, *systems)]
    by_line = all(tree_a_line(text) for text in texts)
    banks = []
    for text in texts:
        banks.append(read_bracketed_trees(text, strict=strict, by_line=by_line))
        told += incidents_of(banks[-1].incidents)
    frames, scored = [], {}
    for text, bank in zip(texts[1:], banks[1:], strict=True):
        found = bracket_scores(banks[0], bank, conventions)
        named = [replace(incident, file=text.name) for incident in incidents_of(found.incidents)]
        if strict and named:
            raise DataError(named[0])
        told += named
        own = scored_brackets(found, banks[0])
        table = found.to_frame()
        said = "; ".join(f"{name}={value}" for name, value in found.parts.items())
        table = table.assign(system=text.name, conventions=table["convention"] + "; " + said, lower=None, upper=None)
        options = {"resamples": resamples, "confidence": confidence, "random_state": random_state}
        if intervals:
            rows = estimates(own, **options)  # type: ignore[arg-type]
            table["lower"], table["upper"] = [row.lower for row in rows], [row.upper for row in rows]
        table["signature"] = [
            signature(own, measure, intervals=intervals, **options)  # type: ignore[arg-type]
            for measure in table["measure"]
        ]
        frames.append(table[COLUMNS].astype({"lower": "Float64", "upper": "Float64"}))
        scored[text.name] = own
    return pd.concat(frames, ignore_index=True), scored
