"""Explorer of specification curves: which conclusions hold under which conventions."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.explore.base import Explorer, dropdown, made_by_call
from analysis.papers.recipe import Paper, Robustness, read_headlines, robustness_figure
from analysis.statistics.specification_curves import summarise_curve
from analysis.structures import check_choice

ALL = "all"  # levels of a factor that is not fixed


@made_by_call
def specification_choices(paper: Paper, found: Robustness, claim: str) -> Explorer:
    """Fix conventions of one claim one by one; see the remaining curve and the counts of verdicts.

    Parameters
    ----------
    paper : Paper
        Such as ``kodner2023.PAPER``.
    found : Robustness
        Result of the paper's ``robustness``.
    claim : str
        Its id.

    Returns
    -------
    Explorer
        One dropdown per factor, ``all`` first. ``value`` maps ``fixed`` to the selected level by factor and
        ``specifications`` to the remaining rows.

    Raises
    ------
    ValueError
        If the claim is not in ``found``.
    """
    known = found.specifications
    check_choice("claim", claim, tuple(known["claim"].unique()))
    headline = next(entry for entry in read_headlines(paper)[0] if entry.id == claim)
    rows = known[(known["claim"] == claim) & (known["kind"] == "convention")]
    levels = {name: list(rows[name].unique()) for name in headline.factors if name in rows.columns}
    levels = {name: own for name, own in levels.items() if len(own) > 1}

    def compute(**chosen: str) -> dict[str, Any]:
        fixed = {name: level for name, level in chosen.items() if level != ALL}
        left = rows[[all(row[name] == level for name, level in fixed.items()) for _, row in rows.iterrows()]]
        return {"fixed": fixed, "specifications": left.reset_index(drop=True)}

    def counts(value: dict[str, Any]) -> pd.DataFrame:
        return summarise_curve(value["specifications"], list(levels))

    def draw(value: dict[str, Any]) -> Figure:
        return robustness_figure(paper, found, claim, **value["fixed"])

    def text(value: dict[str, Any]) -> str:
        left = len(value["specifications"])
        fixed = "; ".join(f"{name}: {level}" for name, level in value["fixed"].items()) or "nothing fixed"
        return f"{headline.statement}\n{fixed}; {left:,} of {len(rows):,} specifications"

    def alt(value: dict[str, Any]) -> str:
        said = ", ".join(f"{row.specifications} {row.verdict}" for row in counts(value).itertuples())
        return f"Specification curve of {claim}: {headline.label}, sorted, with the choices marked below; {said}"

    controls = {name: dropdown(name, [ALL, *own], ALL, width="22em") for name, own in levels.items()}
    return Explorer(controls, compute, draw=draw, text=text, table=lambda value: counts(value).round(3), alt=alt)
