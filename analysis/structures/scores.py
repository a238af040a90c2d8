"""Scores: the counts, the ratio computed from them, and the conventions used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from analysis.structures.lazy import pd
from analysis.structures.markup import NO_FORMULAS, html_frame, html_text

SCORE_COLUMNS = ["measure", "value", "unit", "numerator", "denominator", "convention"]


class UndefinedScoreError(ValueError):
    """Raised when the value of an undefined score is requested, such as a ratio with denominator 0."""


def describe_conventions(conventions: Mapping[str, object]) -> str:
    """Format conventions in one line.

    Examples
    --------
    >>> describe_conventions({"assignment": "greedy", "base": 2})
    'assignment=greedy; base=2'
    """
    return "; ".join(f"{name}={value}" for name, value in conventions.items())


@dataclass(frozen=True, eq=True)
class Score:
    """One value with its counts and conventions.

    Parameters
    ----------
    measure : str
        Name of the measure.
    numerator, denominator : int or float, optional
        The counts; empty for measures that are not ratios of counts.
    number : float, optional
        The value, if it is not a ratio of counts (entropies, V-measure).
    conventions : mapping
        The choices made, by name.
    parts : mapping
        Further numbers used for the value (n, entropies).
    undefined : str
        Why there is no value; empty if there is one.
    unit : str
        Unit of the value: proportion (the ratio of the counts), bits, nats, count …

    Attributes
    ----------
    value : float or None
        ``None`` if undefined; ``float(score)`` then raises `UndefinedScoreError`.

    Examples
    --------
    >>> score = Score("many-to-one", numerator=2, denominator=3)
    >>> score
    many-to-one 0.667 (2/3)
    >>> float(score) == 2 / 3
    True
    >>> Score("pairwise precision", numerator=0, denominator=0)
    pairwise precision undefined (0/0)
    """

    measure: str
    numerator: int | float | None = None
    denominator: int | float | None = None
    number: float | None = None
    conventions: Mapping[str, object] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)
    undefined: str = ""
    unit: str = "proportion"

    def __post_init__(self) -> None:
        for name in ("conventions", "parts"):
            object.__setattr__(self, name, dict(getattr(self, name)))
        for name in ("numerator", "denominator"):
            count = getattr(self, name)
            if count is not None:
                object.__setattr__(self, name, int(count) if count == int(count) else float(count))
        if self.denominator == 0 and not self.undefined:
            object.__setattr__(self, "undefined", "the denominator is 0")

    __hash__ = None  # type: ignore[assignment]  # holds mappings

    @property
    def value(self) -> float | None:
        """The value, or None if it is undefined."""
        if self.undefined:
            return None
        if self.number is not None:
            return float(self.number)
        if self.numerator is None or self.denominator is None:
            return None
        return self.numerator / self.denominator

    def __float__(self) -> float:
        value = self.value
        if value is None:
            raise UndefinedScoreError(f"{self.measure} is undefined: {self.undefined or 'it has no value'}.")
        return value

    def __repr__(self) -> str:
        value = in_digits(self.value, self.unit)
        if self.denominator is not None:
            return f"{self.measure} {value} ({self.numerator:,}/{self.denominator:,})"
        return f"{self.measure} {value}"

    def to_frame(self) -> pd.DataFrame:
        """Return one row: measure, value, unit, numerator, denominator, convention, and each part as a column.

        An undefined value is ``<NA>``, with the reason in the column ``undefined``.
        """
        return scores_table([self])

    def _repr_html_(self) -> str:
        return scores_html(self.to_frame(), describe_conventions(self.conventions))


@dataclass(frozen=True, eq=True)
class PrecisionRecall:
    """Precision, recall and F1 from three counts.

    Parameters
    ----------
    measure : str
        Name of the measure, such as ``"pairwise"``.
    matched, predicted, gold : int
        Number of items in both, in the system output, and in the gold standard.
    conventions, parts : mapping
        As in `Score`.

    Attributes
    ----------
    precision, recall, f1 : float or None
        ``matched / predicted``, ``matched / gold`` and their harmonic mean, ``2 matched / (predicted + gold)``;
        None where the denominator is 0.

    Examples
    --------
    >>> result = PrecisionRecall("pairwise", matched=2, predicted=4, gold=2)
    >>> result
    pairwise precision 0.500 (2/4), recall 1.000 (2/2), F1 0.667
    >>> result.precision, result.recall
    (0.5, 1.0)
    >>> precision, recall = result.scores()
    >>> precision
    pairwise precision 0.500 (2/4)
    """

    measure: str
    matched: int
    predicted: int
    gold: int
    conventions: Mapping[str, object] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("conventions", "parts"):
            object.__setattr__(self, name, dict(getattr(self, name)))
        for name in ("matched", "predicted", "gold"):
            object.__setattr__(self, name, int(getattr(self, name)))

    __hash__ = None  # type: ignore[assignment]

    @property
    def precision(self) -> float | None:
        """Matched over predicted, or None if nothing was predicted."""
        return self.matched / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """Matched over gold, or None if the gold standard has nothing."""
        return self.matched / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall, or None if either is undefined."""
        if not self.predicted or not self.gold:
            return None
        return 2 * self.matched / (self.predicted + self.gold)

    def scores(self) -> tuple[Score, Score]:
        """Return precision and recall, each as a `Score` with its counts."""
        shared = {"conventions": self.conventions, "parts": self.parts}
        return (
            Score(f"{self.measure} precision", self.matched, self.predicted, **shared),  # type: ignore[arg-type]
            Score(f"{self.measure} recall", self.matched, self.gold, **shared),  # type: ignore[arg-type]
        )

    def __repr__(self) -> str:
        precision, recall = self.scores()
        f1 = in_digits(self.f1)
        tail = repr(recall).removeprefix(self.measure + " ")
        return f"{precision!r}, {tail}, F1 {f1}"

    def to_frame(self) -> pd.DataFrame:
        """Return three rows (precision, recall, F1) with the columns of `Score.to_frame`."""
        f1 = Score(
            f"{self.measure} F1",
            2 * self.matched,
            self.predicted + self.gold,
            conventions=self.conventions,
            parts=self.parts,
            undefined="" if self.predicted and self.gold else "precision or recall is undefined",
        )
        return scores_table([*self.scores(), f1])

    def _repr_html_(self) -> str:
        return scores_html(self.to_frame(), describe_conventions(self.conventions))


def scores_table(scores: Iterable[Score]) -> pd.DataFrame:
    """Make a table with one row per score: the columns of `SCORE_COLUMNS`, the parts, and ``undefined`` if a score is
    undefined.

    Parameters
    ----------
    scores : iterable of Score

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> scores_table([Score("accuracy", 1, 2)])[["measure", "value", "numerator", "denominator"]]
         measure  value  numerator  denominator
    0  accuracy    0.5          1            2
    """
    scores = list(scores)
    table = pd.DataFrame(
        {
            "measure": pd.array([score.measure for score in scores], dtype="str"),
            "value": pd.array([score.value for score in scores], dtype="Float64"),
            "unit": pd.array([score.unit for score in scores], dtype="str"),
            "numerator": _counts([score.numerator for score in scores]),
            "denominator": _counts([score.denominator for score in scores]),
            "convention": pd.array([describe_conventions(score.conventions) for score in scores], dtype="str"),
        }
    )
    for part in dict.fromkeys(name for score in scores for name in score.parts):
        table[part] = _counts([score.parts.get(part) for score in scores])
    if any(score.undefined for score in scores):
        table["undefined"] = [score.undefined for score in scores]
    return table


def _counts(values: list) -> pd.api.extensions.ExtensionArray:
    whole = all(value is None or float(value).is_integer() for value in values)
    return pd.array(values, dtype="Int64" if whole else "Float64")


def in_digits(value: float | None, unit: str = "proportion") -> str:
    """Format a value: counts as integers, others with three decimals, small ones with three significant digits.

    Examples
    --------
    >>> in_digits(2 / 3), in_digits(0.205), in_digits(0.000412345), in_digits(1234, "count"), in_digits(None)
    ('0.667', '0.205', '0.000412', '1,234', 'undefined')
    """
    if value is None or pd.isna(value):
        return "undefined"
    if unit == "count":
        return f"{value:,.10g}"
    return f"{value:.3g}" if 0 < abs(value) < 0.1 else f"{value:.3f}"


def scores_html(table: pd.DataFrame, caption: str) -> str:
    """Convert rows of `scores_table` to HTML; conventions that all rows share are shown below the table."""
    shown = table[["measure", "value", "unit", "numerator", "denominator"]].astype({"value": "object"})
    shown["value"] = [in_digits(value, unit) for value, unit in zip(table["value"], table["unit"], strict=True)]
    note = f"<figcaption class='{NO_FORMULAS}'>{html_text(caption)}</figcaption>"
    return f"<figure>{html_frame(shown)}{note}</figure>"
