"""Explorer that scores files which the reader uploads."""

import os
import tempfile
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import pandas as pd
import traitlets
from matplotlib.figure import Figure

from analysis import evaluation
from analysis.explore.base import Explorer, dropdown, made_by_call
from analysis.figures.scores import score_figure
from analysis.structures import DataError, check_choice

#: What can be scored, and the function that does it.
SUBJECTS = {
    "tags": evaluation.evaluate_tags,
    "types": evaluation.evaluate_types,
    "trees": evaluation.evaluate_trees,
    "inflections": evaluation.evaluate_inflections,
    "ccg": evaluation.evaluate_ccg,
    "brackets": evaluation.evaluate_brackets,
}
_GROUPS = ("evaluation", "by", "group")  # what stands before the measure, in the tables that have it
_SHOWN = ("measure", "value", "lower", "upper", "corrected", "unit", "numerator", "denominator", "signature")


class Upload(widgets.VBox):
    """A button for one file; ``value`` is its name and content.

    Parameters
    ----------
    title : str
    file : path
        The file that it has before another is uploaded.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "gold.txt"
    ...     _ = file.write_text("the D", encoding="utf-8")
    ...     Upload("gold", file).value
    ('gold.txt', b'the D')
    """

    value = traitlets.Any()

    def __init__(self, title: str, file: str | Path) -> None:
        self.button = widgets.FileUpload(description=title, multiple=False, layout=widgets.Layout(width="11em"))
        self._name = widgets.Label()
        super().__init__([self.button, self._name], layout=widgets.Layout(margin="0 1.5em 0 0"))
        self.observe(self._tell, "value")
        self.value = (Path(file).name, Path(file).read_bytes())
        self.button.observe(self._take, "value")

    def _take(self, _change: object = None) -> None:
        for uploaded in self.button.value:
            self.value = (Path(uploaded["name"]).name, bytes(uploaded["content"]))

    def _tell(self, _change: object = None) -> None:
        name, content = self.value
        self._name.value = f"{name} ({len(content):,} bytes)"


def score_files(subject: str, gold: tuple[str, bytes], system: tuple[str, bytes], **choices: Any) -> pd.DataFrame:
    r"""Score the content of a system's file against the content of a gold file.

    Parameters
    ----------
    subject : str
        One of `SUBJECTS`.
    gold, system : pair of str and bytes
        Name and content of a file. The name may say what the format is.
    **choices
        Of the function of the subject, such as `analysis.evaluation.evaluate_tags`.

    Returns
    -------
    DataFrame
        One row per measure: ``measure``, ``value``, ``lower``, ``upper``, ``unit``, the counts, ``signature``.

    Raises
    ------
    DataError
        If a file is not of a kind that can be scored so; it is called ``gold/NAME`` or ``system/NAME``.
    ValueError
        If the subject is unknown.

    Examples
    --------
    >>> gold = ("gold.txt", b"the\tD\ndog\tN\n")
    >>> score_files("tags", gold, gold)[["measure", "value"]].head(1).values.tolist()
    [['many-to-one', 1.0]]
    """
    check_choice("subject", subject, tuple(SUBJECTS))
    with tempfile.TemporaryDirectory() as folder:
        places = []
        for side, (name, content) in (("gold", gold), ("system", system)):
            place = Path(folder) / side / name
            place.parent.mkdir()
            place.write_bytes(content)
            places.append(place)
        try:
            table = SUBJECTS[subject](places[0], [places[1]], **choices)  # type: ignore[operator]
        except ValueError as error:  # names a file as gold/NAME or system/NAME, not where it was for a moment
            said = str(getattr(error, "incident", None) or error)
            raise DataError(said.replace(f"{folder}{os.sep}", "")) from error
    parts = [table[name].astype("str") for name in (*_GROUPS, "measure") if name in table]
    measure = parts[0].str.cat(parts[1:], sep=" ")
    table = table.assign(measure=measure, unit=table.get("unit", "proportion"))
    return table[[name for name in _SHOWN if name in table]]


@made_by_call
def score_upload(gold: str | Path, system: str | Path, subject: str = "tags") -> Explorer:
    """Upload a gold file and a system's file; see each score with its interval, or what is wrong with the files.

    Parameters
    ----------
    gold, system : path
        The files that are scored before others are uploaded.
    subject : str
        The one to begin with: ``"tags"``, ``"types"``, ``"trees"``, ``"inflections"``, ``"ccg"`` or ``"brackets"``.

    Returns
    -------
    Explorer
        ``value`` is the result of `score_files`.

    Raises
    ------
    ValueError
        If the subject is unknown.
    OSError
        If a file cannot be read.
    """
    check_choice("subject", subject, tuple(SUBJECTS))
    controls = {
        "subject": dropdown("subject", tuple(SUBJECTS), subject),
        "gold": Upload("gold", gold),
        "system": Upload("system", system),
    }
    return Explorer(controls, score_files, draw=_draw, table=lambda value: value.drop(columns="signature"), alt=_alt)


def _draw(value: pd.DataFrame) -> Figure:
    kept = [name for name in ("measure", "value", "lower", "upper", "corrected", "unit") if name in value]
    return score_figure(value[kept].assign(system="system"))


def _alt(value: pd.DataFrame) -> str:
    defined = value[value["value"].notna()]
    listed = "; ".join(f"{row.measure} {row.value:.4g}" for row in defined.itertuples())
    return f"Scores with intervals: {listed}"
