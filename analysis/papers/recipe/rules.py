"""Rules for verdicts on claims: a criterion that compares the result with the paper's expectation."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, Union

from analysis.papers.recipe.settings import check_known
from analysis.structures.units import shown_p

#: Result of a claim's function: a number, several named numbers, a word, or words in an order.
Found: TypeAlias = Union[float, "Estimate", "Order", Mapping[str, Any], str, Sequence[str], None]


@dataclass(frozen=True)
class Estimate:
    """An estimate with its confidence interval, or with the p-value of its difference from 0.

    Parameters
    ----------
    value : float
    lower, upper : float, optional
        Bounds of the interval.
    p : float, optional

    Examples
    --------
    >>> Estimate(0.5, 0.4, 0.6)
    Estimate(value=0.5, lower=0.4, upper=0.6, p=None)
    """

    value: float
    lower: float | None = None
    upper: float | None = None
    p: float | None = None

    def __float__(self) -> float:
        return float(self.value)

    def sign(self, limit: float) -> str:
        """``positive``, ``negative``, or ``none`` if p is not below the limit."""
        drawn = "positive" if self.value > 0 else "negative"
        return drawn if self.p is not None and self.p < limit else "none"


class Order(NamedTuple):
    """Names with their numbers: best first, or one name per condition.

    Parameters
    ----------
    names : tuple of str
    values : tuple of float
        The number of each name.

    Examples
    --------
    >>> shown(Order(("HC", "FF"), (0.81, 0.2)))
    'HC 0.81, FF 0.2'
    """

    names: tuple[str, ...]
    values: tuple[float, ...]


def order_of(values: Mapping[Any, float], *, lowest_first: bool = False) -> Order:
    """The names by their numbers, highest first; equal numbers in the order given.

    Parameters
    ----------
    values : mapping of Any to float
    lowest_first : bool

    Returns
    -------
    Order

    Examples
    --------
    >>> order_of({"FF": 0.2, "HC": 0.8}).names
    ('HC', 'FF')
    """
    ranked = sorted(values.items(), key=lambda pair: pair[1] if lowest_first else -pair[1])
    return Order(tuple(str(name) for name, _ in ranked), tuple(float(value) for _, value in ranked))


def entries(found: Any) -> list[Any]:
    """The entries of a result or an expectation."""
    return list(found.values()) if isinstance(found, Mapping) else list(found) if isinstance(found, (list, tuple)) \
        else [found]  # fmt: skip


def numbers(found: Any) -> list[float]:
    """The numbers in a result or an expectation."""
    return [float(value) for value in entries(found)]


def words(found: Any) -> list[str]:
    """The words in a result or an expectation, in their order; ``a, b`` are two."""
    if isinstance(found, str):
        return [part.strip() for part in found.split(",")] if found.strip() else []
    return [str(value) for value in entries(found.names if isinstance(found, Order) else found)]


def _within(limit: float, expected: Any, found: Any) -> bool:
    ours, theirs = numbers(found), numbers(expected)
    theirs = theirs * len(ours) if len(theirs) == 1 else theirs
    return len(ours) == len(theirs) and all(abs(a - b) <= limit + 1e-12 for a, b in zip(ours, theirs, strict=True))


def _signs(limit: float, found: Any) -> list[str]:
    return [estimate.sign(limit) for estimate in entries(found)]


def _signed(limit: float, expected: Any, found: Any) -> bool:
    signs, wanted = _signs(limit, found), words(expected)
    return signs == (wanted * len(signs) if len(wanted) == 1 else wanted)


_OTHER = "nothing of this name"


def _turned(limit: float, expected: Any, found: Any) -> list[str]:
    """The expected words in reverse order, or other words if the reverse is the same."""
    turned = words(expected)[::-1]
    return [_OTHER] if turned in (words(expected), words(found)[: len(turned)]) else turned


class Rule(NamedTuple):
    """A criterion, and two expectations with which the test by perturbation changes the verdict.

    Attributes
    ----------
    holds : callable
        Function of (limit, expected, found): whether the claim holds.
    agreeing : callable
        Function of (limit, found): an expectation that ``found`` meets.
    opposing : callable
        Function of (limit, expected, found): one that ``found`` does not meet if it meets ``expected``: outside the
        criterion, reversed, negated.
    limited : bool
        Whether the rule has a limit.
    """

    holds: Callable[[float, Any, Any], bool]
    agreeing: Callable[[float, Any], Any]
    opposing: Callable[[float, Any, Any], Any]
    limited: bool = False


def _bound(
    meets: Callable[[float, float], bool], worst: Callable[..., float], best: Callable[..., float], step: int
) -> Rule:
    """A rule that all numbers are on one side of the expected one: the worst of them decides."""
    return Rule(
        lambda _, expected, found: meets(worst(numbers(found)), float(expected)),
        lambda _, found: worst(numbers(found)) - step,
        lambda _, expected, found: best(numbers(found)) + step,
    )


def _worded(meets: Callable[[list[str], list[str]], bool], opposing: Callable[..., Any] = _turned) -> Rule:
    """A rule about words."""
    return Rule(lambda _, expected, found: meets(words(expected), words(found)), lambda _, found: words(found),
                opposing)  # fmt: skip


_OPPOSITE = {"positive": "negative", "negative": "positive", "none": "positive"}
#: Each rule by its first word.
RULES: Mapping[str, Rule] = {
    "within": Rule(_within, lambda _, found: numbers(found),
                   lambda limit, _, found: [value + 2 * limit + 1 for value in numbers(found)], limited=True),
    "above": _bound(operator.gt, min, max, 1),
    "below": _bound(operator.lt, max, min, -1),
    "at least": _bound(operator.ge, min, max, 1),
    "at most": _bound(operator.le, max, min, -1),
    "is": _worded(lambda expected, found: found == expected),
    "begins": _worded(lambda expected, found: found[: len(expected)] == expected),
    "includes": _worded(lambda expected, found: set(expected) <= set(found),
                        lambda _, expected, found: [*words(expected), _OTHER]),
    "among": _worded(lambda expected, found: set(found) <= set(expected) and bool(found), lambda *_: [_OTHER]),
    "significant": Rule(_signed, _signs, lambda limit, _, found: [_OPPOSITE[sign] for sign in _signs(limit, found)],
                        limited=True),
}  # fmt: skip


def parse_rule(text: str) -> tuple[str, float]:
    """The rule's name and its limit.

    Raises
    ------
    ValueError
        If there is no such rule, or its limit is missing.

    Examples
    --------
    >>> parse_rule("within 0.03"), parse_rule("at least")
    (('within', 0.03), ('at least', 0.0))
    """
    matched = re.fullmatch(r"(.*?)(?:\s+(\d*\.?\d+))?", text.strip())
    name, limit = (matched[1], matched[2]) if matched else (text, None)
    check_known([name], RULES, "there is no rule")
    if (limit is not None) != RULES[name].limited:
        raise ValueError(f"the rule {name!r} takes {'a limit' if RULES[name].limited else 'no limit'}, not {text!r}")
    return name, float(limit or 0)


def judge(rule: str, expected: Any, found: Any) -> bool:
    """Whether a result meets an expectation by a rule.

    Parameters
    ----------
    rule : str
    expected : object
    found : object

    Returns
    -------
    bool

    Examples
    --------
    >>> judge("within 0.03", 0.2, 0.22), judge("above", 0, {"HC": 0.1, "FF": -0.1}), judge("is", "BC, C", ["BC", "G"])
    (True, False, False)
    """
    name, limit = parse_rule(rule)
    return bool(RULES[name].holds(limit, expected, found))


def agreeing(rule: str, found: Any) -> Any:
    """An expectation that ``found`` meets; the test by perturbation uses it instead of the printed one."""
    name, limit = parse_rule(rule)
    return RULES[name].agreeing(limit, found)


def opposing(rule: str, expected: Any, found: Any) -> Any:
    """An expectation that ``found`` does not meet if it meets ``expected``: outside the criterion, reversed,
    negated.
    """
    name, limit = parse_rule(rule)
    return RULES[name].opposing(limit, expected, found)


def shown(value: Any) -> str:
    """Format a result or an expectation for a table.

    Examples
    --------
    >>> shown(1500000.0), shown(0.64375), shown({"K=12": 0.1}), shown(["HC", "FF"])
    ('1,500,000', '0.6438', 'K=12: 0.1', 'HC, FF')
    """
    if isinstance(value, Estimate):
        return shown(value.value) + ("" if value.p is None else f", {shown_p(value.p)}")
    if isinstance(value, Order):
        return ", ".join(f"{name} {shown(number)}" for name, number in zip(*value, strict=True)) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {shown(entry)}" for name, entry in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(entry) for entry in value) or "none"
    if isinstance(value, str):
        return value or "none"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
