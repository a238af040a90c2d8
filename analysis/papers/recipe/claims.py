"""Claims of a paper: reading the list, testing them on the available data, and giving a verdict by a rule."""

import csv
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd

from analysis.papers.recipe.rules import Estimate, Found, agreeing, judge, opposing, parse_rule, shown
from analysis.papers.recipe.settings import Setting, check_known, computed
from analysis.structures import DataError

KINDS = ("set", "arithmetic", "recomputed", "not testable")
UNEXPLAINED = "unexplained"
COLUMNS = ("id", "kind", "statement", "rule", "expected", "find", "arguments", "on", "needs")


class Evidence:
    """The tables of a paper for one setting, each computed once, and the names of those that were read.

    Parameters
    ----------
    setting : Setting
    functions : mapping of str to callable
        Functions of the setting, or without arguments, by the names used in the list of claims.
    best : mapping of str to callable, optional
        Functions without arguments that return the table of the stored long run, used instead of a new computation.

    Examples
    --------
    >>> of = Evidence(Setting(), {"double": lambda setting, n: 2 * n})
    >>> of("double", n=4), sorted(of.read)
    (8, ['double'])
    """

    def __init__(
        self,
        setting: Setting,
        functions: Mapping[str, Callable[..., Any]],
        best: Mapping[str, Callable[[], Any]] | None = None,
    ) -> None:
        self.setting: Any = setting
        self.read = set[str]()
        self._functions, self._best, self._found = functions, best or {}, dict[Any, Any]()

    def __call__(self, name: str, **arguments: Any) -> Any:
        """The table of that name."""
        check_known([name], self._functions, "a claim reads")
        self.read.add(name)
        key = (name, tuple(sorted(arguments.items())))
        if key not in self._found:
            stored = self._best.get(name) if not arguments else None
            self._found[key] = stored() if stored else computed(self._functions[name], self.setting, arguments)
        return self._found[key]


@dataclass(frozen=True)
class Claim:
    """A statement of a paper and the criterion for its verdict; a row of the paper's list.

    Parameters
    ----------
    id, kind, statement : str
        Kind: set (a choice that the recomputation also makes), arithmetic (printed against printed), recomputed,
        not testable.
    rule : str
        The criterion; see `analysis.papers.recipe.rules.RULES`.
    expected : object
        The paper's result: a number, a bound, a word, or words in an order.
    find : callable, optional
        Takes an `Evidence` (or, of a set claim, the setting) and the arguments; returns what is found.
    arguments : mapping
    on : tuple of str
        Corpora on which it can be tested; all if empty.
    needs : str
        What a test would need, if none is possible.
    printed : bool
        Whether the paper prints the number or word that is expected. If not, it makes the claim in words.
    """

    id: str
    kind: str
    statement: str
    rule: str = "within 0"
    expected: Any = ""
    find: Callable[..., Found] | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    on: tuple[str, ...] = ()
    needs: str = ""
    printed: bool = False

    @property
    def criterion(self) -> str:
        """The rule; with what is expected, unless that is printed.

        Examples
        --------
        >>> [Claim("T1", "recomputed", "", rule, 2).criterion for rule in ("within 0.1", "within 0", "above")]
        ['within 0.1 of 2', 'is 2', 'above 2']
        """
        if self.printed:
            return self.rule
        rule = "is" if self.rule == "within 0" else self.rule
        joined = " of" if rule.startswith("within") else ":" if rule.startswith("significant") else ""
        return f"{rule}{joined} {shown(self.expected)}"


def functions_of(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The public functions that a module defines, by name, for use in a list of claims.

    Parameters
    ----------
    module : ModuleType

    Returns
    -------
    dict of str to Callable[..., Any]
    """
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
    }


def read_list(path: Path, parse: Callable[[Mapping[str, str]], Any]) -> Iterator[Any]:
    """What each row of a CSV file declares.

    Parameters
    ----------
    path : Path
    parse : callable
        Of a row, by column.

    Raises
    ------
    DataError
        With file and line, where a row is refused with a ValueError.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        for row in reader:
            try:
                yield parse(row)
            except ValueError as error:
                raise DataError(f"{path}, line {reader.line_num}: {error}") from error


def read_claims(path: Path, facts: pd.DataFrame, functions: Mapping[str, Callable[..., Any]]) -> list[Claim]:
    """The list of a paper's claims, with every name in it checked.

    Parameters
    ----------
    path : Path
        A CSV file with the columns ``id``, ``kind``, ``statement``, ``rule``, ``expected``, ``find`` (a function's
        name), ``arguments`` (``name=value; name=value``), ``on`` (corpora), ``needs``.
    facts : DataFrame
        The printed facts: ``id``, ``quantity``, ``value``; a claim with the id of a fact takes its statement and
        expectation from there.
    functions : mapping of str to callable
        Functions for the column ``find``.

    Raises
    ------
    DataError
        With file and line, if a kind, rule, function or argument is unknown, or an id occurs twice.
    """
    known = facts.set_index("id")[["quantity", "value"]].to_dict("index") if len(facts) else {}
    claims: dict[str, Claim] = {}
    for claim in read_list(path, lambda row: _claim(row, known, functions, claims)):
        claims[claim.id] = claim
    check_known(known, claims, f"{path}: no row judges the printed fact", DataError)
    return list(claims.values())


def _claim(
    row: Mapping[str, str],
    facts: Mapping[Any, Mapping[str, Any]],
    functions: Mapping[str, Any],
    others: Mapping[str, Claim],
) -> Claim:
    """A row of the list, with every name in it checked."""
    check_known([row["kind"]], KINDS, "there is no kind")
    fact = facts.get(row["id"], {"quantity": "", "value": ""})
    claim = Claim(
        row["id"], row["kind"], row["statement"] or str(fact["quantity"]), row["rule"] or "within 0",
        _value(row["expected"] or fact["value"]), on=tuple(row["on"].split()), needs=row["needs"],
        printed=not row["expected"] and fact["value"] != "",
    )  # fmt: skip
    parse_rule(claim.rule)
    tested = claim.kind != "not testable"
    wrong = {
        "says nothing, and no printed fact has that id": not claim.statement,
        "is not testable and does not say what it needs": not tested and not claim.needs,
        "names no function that finds it": tested and not row["find"],
        "stands there twice": claim.id in others,
    }
    if any(wrong.values()):
        raise ValueError(f"claim {claim.id!r} {next(said for said, holds in wrong.items() if holds)}")
    if not row["find"]:
        return claim
    check_known([row["find"]], functions, "there is no function")
    find = functions[row["find"]]
    arguments = read_arguments(row["arguments"])
    check_known(arguments, list(inspect.signature(find).parameters)[1:], f"{row['find']} has no argument")
    try:
        inspect.signature(find).bind(None, **arguments)
    except TypeError as error:
        raise ValueError(f"{row['find']}: {error}") from error
    return replace(claim, find=find, arguments=arguments)


def read_arguments(text: str) -> dict[str, Any]:
    """Parse the arguments in a list of claims.

    Examples
    --------
    >>> read_arguments("measure=PP; k=53; annotate=no")
    {'measure': 'PP', 'k': 53, 'annotate': False}
    """
    pairs = [part.partition("=") for part in text.split(";") if part.strip()]
    return {name.strip(): _value(value.strip()) for name, _, value in pairs}


def _value(text: Any) -> Any:
    """A cell as a number if possible, else as text."""
    for kind in (int, float):
        try:
            return kind(text)
        except (TypeError, ValueError):
            pass
    return {"yes": True, "no": False}.get(text, text)


@dataclass(frozen=True)
class Judged:
    """A claim with what was found and the verdict.

    Attributes
    ----------
    found : object
        None if it could not be tested.
    verdict : str
        ``same``, ``different``; of a set claim ``set``, ``set otherwise``; ``not testable``.
    read : frozenset of str
        Tables that it read.
    """

    claim: Claim
    found: Any
    verdict: str
    read: frozenset[str] = frozenset()


def judge_claims(claims: list[Claim], evidence: Evidence) -> Iterator[Judged]:
    """Compute each claim's result on the evidence, and its verdict.

    Parameters
    ----------
    claims : list of Claim
        Claims to judge; by default all.
    evidence : Evidence

    Yields
    ------
    Judged
    """
    for claim in claims:
        evidence.read, found = set(), None
        if claim.find is not None and evidence.setting.is_on(claim.on):
            found = claim.find(evidence.setting if claim.kind == "set" else evidence, **claim.arguments)
        yield Judged(claim, found, _verdict(claim, found), frozenset(evidence.read))


def _verdict(claim: Claim, found: Any) -> str:
    if found is None:
        return "not testable"
    same, different = ("set", "set otherwise") if claim.kind == "set" else ("same", "different")
    return same if judge(claim.rule, claim.expected, found) else different


def claims_table(judged: list[Judged], setting: Setting, causes: pd.DataFrame) -> pd.DataFrame:
    """Claims with their verdicts, one row each.

    Parameters
    ----------
    judged : list of Judged
    setting : Setting
    causes : DataFrame
        ``id``, ``corpus`` (or ``any``), ``cause``, ``shown_in``: causes of differences that were tested.

    Returns
    -------
    DataFrame
        ``id``, ``kind``, ``claim``, ``printed`` (empty for a claim in words), ``recomputed``, ``lower``, ``upper``,
        ``inside`` (whether a printed number lies in the interval), ``criterion`` (of a claim in words with what is
        expected), ``verdict``, ``why``: the cause of a difference with where it is shown,
        ``unexplained``, or what a test would need.
    """
    tested = {(row.id, row.corpus): f"{row.cause} (shown in {row.shown_in})" for row in causes.itertuples()}
    rows = []
    for one in judged:
        claim, found = one.claim, one.found
        value = "" if found is None else shown(found)
        drawn = found if isinstance(found, Estimate) and found.lower is not None else None
        why = {
            "different": tested.get((claim.id, setting.corpus)) or tested.get((claim.id, "any"), UNEXPLAINED),
            "set otherwise": f"here {value}",
            "not testable": claim.needs or ("recorded data: this corpus is generated by the suite" if setting.generated
                                            else f"another corpus than {setting.corpus}: {', '.join(claim.on)}"),
        }  # fmt: skip
        rows.append(
            {
                "id": claim.id, "kind": claim.kind if one.verdict != "not testable" else "not testable",
                "claim": claim.statement, "printed": shown(claim.expected) if claim.printed else "",
                "recomputed": "–" if claim.kind == "set" else value or "–",
                "lower": drawn.lower if drawn else None, "upper": drawn.upper if drawn else None,
                "inside": bool(drawn.lower <= float(claim.expected) <= drawn.upper)  # type: ignore[operator]
                if drawn and claim.printed and isinstance(claim.expected, (int, float)) else None,
                "criterion": "" if one.verdict == "not testable" else claim.criterion, "verdict": one.verdict,
                "why": why.get(one.verdict, ""),
            }
        )  # fmt: skip
    table = pd.DataFrame(rows)
    return table.astype({"lower": "Float64", "upper": "Float64", "inside": "boolean"})


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Count claims by kind and verdict; only the row ``recomputed`` counts as success or failure.

    Parameters
    ----------
    table : DataFrame
        The claims with their verdicts.

    Returns
    -------
    DataFrame
    """
    counts = pd.crosstab(table["kind"], table["verdict"]).rename_axis(columns=None)
    return counts.reindex([kind for kind in KINDS if kind in counts.index]).reset_index()


def perturbed(judged: Judged) -> tuple[str, str]:
    """Verdict with an expectation that must change it, and the verdict that this must give: the test by perturbation.

    Parameters
    ----------
    judged : Judged

    Returns
    -------
    tuple[str, str]
    """
    claim, found = judged.claim, judged.found
    if judged.verdict == "different":
        return _verdict(replace(claim, expected=agreeing(claim.rule, found)), found), "same"
    return _verdict(replace(claim, expected=opposing(claim.rule, claim.expected, found)), found), "different"
