"""Printed numbers beside recomputed ones, and a verdict on each claim."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import pandas as pd

from analysis.corpora.folders import data_folder

REPRODUCIBLE = ("exactly", "approximately", "not at all")


@cache
def _read(paper: str, table: str) -> pd.DataFrame:
    folder = data_folder() / "published" / paper
    path = folder / f"{table}.csv"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.csv"))) or "nothing of this paper"
        raise ValueError(f"no printed numbers for {paper!r}, table {table!r}; there are {known}.")
    frame = pd.read_csv(path, keep_default_na=False, dtype={"row": "str"}, encoding="utf-8")
    names = {"metric": "measure", "metric_a": "measure_a", "metric_b": "measure_b"}
    if "language" not in frame.columns:  # there a model is part of a claim, and no system that was scored
        names["model"] = "system"
    return frame.rename(columns=names)


def printed(paper: str, table: str) -> pd.DataFrame:
    """The numbers that a paper prints, as a tidy table.

    Parameters
    ----------
    paper : str
        Folder of ``data/published``, such as ``"frank2009"``.
    table : str
        File there without its ending, such as ``"table3_merge"``.

    Returns
    -------
    DataFrame
        In printed order; the column ``digits`` keeps the value's printed text where there is a ``value``.

    Raises
    ------
    ValueError
        If there is no such file; lists those there are.

    Examples
    --------
    >>> printed("frank2009", "table2_spearman")[["measure_a", "measure_b", "value"]]
      measure_a measure_b  value
    0       SP       PP  0.638
    1       SR       PR  0.755
    2       SP       MA  0.677
    """
    frame = _read(paper, table).copy()
    if "value" in frame.columns and not pd.api.types.is_string_dtype(frame["value"]):
        frame["value"] = frame["value"].astype("Float64")
    return frame


def compare(
    recomputed: pd.DataFrame, printed_table: pd.DataFrame, on: Sequence[str], *, reproducible: str = "approximately"
) -> pd.DataFrame:
    """Set recomputed numbers beside the printed ones.

    Parameters
    ----------
    recomputed, printed_table : DataFrame
        Both with the columns ``on`` and ``value``.
    on : sequence of str
        The factors that name a number.
    reproducible : {"exactly", "approximately", "not at all"}
        How far the data at hand could reproduce the rows that stand in both, whatever came out: exactly (derived
        from printed numbers), approximately (another edition or seed), not at all (other or generated data).

    Returns
    -------
    DataFrame
        The columns ``on``, then ``printed``, ``recomputed``, ``difference`` (recomputed minus printed; empty where
        the data at hand can reproduce nothing) and ``reproducible``; further columns of ``recomputed`` are kept.
        Printed rows without a recomputed number stay, with ``not at all``; recomputed rows that the paper does not
        print stay too, with ``not printed``.

    Raises
    ------
    ValueError
        If ``reproducible`` is none of the three words or a factor names two numbers.

    Examples
    --------
    >>> ours = pd.DataFrame({"measure": ["PP"], "value": [0.25]})
    >>> compare(ours, pd.DataFrame({"measure": ["PP", "PR"], "value": [0.24, 0.5]}), on=["measure"]).round(2)
      measure  printed  recomputed  difference   reproducible
    0     PP     0.24        0.25        0.01  approximately
    1     PR      0.5        <NA>        <NA>     not at all
    """
    if reproducible not in REPRODUCIBLE:
        raise ValueError(f"reproducible is one of {', '.join(REPRODUCIBLE)}, not {reproducible!r}.")
    on = list(on)
    for name, frame in (("recomputed", recomputed), ("printed", printed_table)):
        if frame.duplicated(on).any():
            row = frame.loc[frame.duplicated(on), on].iloc[0].to_dict()
            raise ValueError(f"the {name} table has two numbers for {row}: name a further factor in `on`.")
    ours = recomputed.rename(columns={"value": "recomputed"})
    theirs = printed_table[[*on, "value"]].rename(columns={"value": "printed"})
    both = theirs.merge(ours, on=on, how="outer", indicator=True, sort=False)
    order = pd.concat([theirs, ours])[on].drop_duplicates(ignore_index=True)  # printed order first
    both = order.merge(both, on=on, how="left", validate="one_to_one")
    for column in ("printed", "recomputed"):
        both[column] = both[column].astype("Float64")
    both["difference"] = both["recomputed"] - both["printed"]
    if reproducible == "not at all":  # a difference between data that have nothing to do with each other means nothing
        both["difference"] = pd.array([pd.NA] * len(both), dtype="Float64")
    state = both["_merge"].map({"both": reproducible, "left_only": "not at all", "right_only": "not printed"})
    both["reproducible"] = state.astype("str")
    both.loc[both["recomputed"].isna() & both["printed"].notna(), "reproducible"] = "not at all"
    first = [*on, "printed", "recomputed", "difference", "reproducible"]
    return both[first + [column for column in both.columns if column not in [*first, "_merge"]]]


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, and what the data at hand say of it.

    Parameters
    ----------
    id : str
        Row of the paper's ``facts.csv``, or a name of ours for a claim of its text.
    claim : str
        The statement in our words.
    printed : str or float
        What the paper gives.
    recomputed : str or float or None
        What the data give; None if they cannot tell.
    tolerance : float
        A number within this distance of the printed one is the same.
    why : str
        What explains a difference, or why the data cannot tell.
    holds : bool, optional
        The verdict for claims that are not one number.
    setting : bool
        Whether the number is an argument of the recomputation and no result of it.
    """

    id: str
    claim: str
    printed: str | float
    recomputed: str | float | None = None
    tolerance: float = 0.0
    why: str = ""
    holds: bool | None = None
    setting: bool = False

    @property
    def verdict(self) -> str:
        """``same``, ``different``, ``not testable``; ``set as printed`` for an argument that has the paper's value."""
        if self.holds is not None:
            return "same" if self.holds else "different"
        if self.recomputed is None:
            return "not testable"
        if abs(float(self.recomputed) - float(self.printed)) > self.tolerance:
            return "different"
        return "set as printed" if self.setting else "same"


def claims_table(claims: Iterable[Claim | Callable[[], Claim]]) -> pd.DataFrame:
    """Claims as a table: ``id``, ``claim``, ``printed``, ``recomputed``, ``tolerance``, ``verdict``, ``why``.

    ``why`` must say something wherever the verdict is not ``same``.

    Raises
    ------
    ValueError
        If a claim differs or is not testable and gives no reason, or an id occurs twice.

    Examples
    --------
    >>> claims_table([Claim("F1", "clusters", 12, 12)])[["id", "printed", "recomputed", "verdict"]]
       id printed recomputed verdict
    0  F1      12         12    same
    """
    rows = [claim if isinstance(claim, Claim) else claim() for claim in claims]
    ids = [claim.id for claim in rows]
    if len(set(ids)) != len(ids):
        raise ValueError(f"two claims have the id {next(name for name in ids if ids.count(name) > 1)!r}.")
    for claim in rows:
        if claim.verdict in ("different", "not testable") and not claim.why:
            raise ValueError(f"claim {claim.id} is {claim.verdict} and does not say why.")
    return pd.DataFrame(
        {
            "id": ids,
            "claim": [claim.claim for claim in rows],
            "printed": [_shown(claim.printed) for claim in rows],
            "recomputed": [_shown(claim.recomputed) for claim in rows],
            "tolerance": [claim.tolerance for claim in rows],
            "verdict": [claim.verdict for claim in rows],
            "why": [claim.why if claim.verdict in ("different", "not testable") else "" for claim in rows],
        }
    )


def _shown(value: str | float | None) -> str:
    if value is None:
        return "—"
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
