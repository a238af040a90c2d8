"""By what rule a claim is judged: a criterion, what the paper expects, what was found."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, Union

from analysis.papers.recipe.settings import nearest

#: What a claim's function finds: a number, several named numbers, a word, or words in an order.
Found: TypeAlias = Union[float, "Estimate", "Order", Mapping[str, Any], str, Sequence[str], None]


@dataclass(frozen=True)
class Estimate:
    """A number that is sampled or drawn, with its interval, or with the p-value of its difference from 0.

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
        if self.p is None or not self.p < limit:
            return "none"
        return "positive" if self.value > 0 else "negative"


class Order(NamedTuple):
    """Names, best first or one a condition, each with the number that put it there.

    Examples
    --------
    >>> shown(Order(("HC", "FF"), (0.81, 0.2)))
    'HC 0.81, FF 0.2'
    """

    names: tuple[str, ...]
    values: tuple[float, ...]


def order_of(values: Mapping[Any, float], *, lowest_first: bool = False) -> Order:
    """The names by their numbers, highest first; equal numbers in the order given.

    Examples
    --------
    >>> order_of({"FF": 0.2, "HC": 0.8}).names
    ('HC', 'FF')
    """
    ranked = sorted(values.items(), key=lambda pair: pair[1] if lowest_first else -pair[1])
    return Order(tuple(str(name) for name, _ in ranked), tuple(float(value) for _, value in ranked))


def numbers(found: Any) -> list[float]:
    """The numbers in what was found or expected."""
    if isinstance(found, Mapping):
        return [float(value) for value in found.values()]
    if isinstance(found, (list, tuple)):
        return [float(value) for value in found]
    return [float(found)]


def words(found: Any) -> list[str]:
    """The words in what was found or expected, in their order; ``a, b`` are two."""
    if isinstance(found, Order):
        return list(found.names)
    if isinstance(found, str):
        return [part.strip() for part in found.split(",")] if found.strip() else []
    if isinstance(found, Mapping):
        return [str(value) for value in found.values()]
    return [str(value) for value in found] if isinstance(found, (list, tuple)) else [str(found)]


def _within(limit: float, expected: Any, found: Any) -> bool:
    ours, theirs = numbers(found), numbers(expected)
    theirs = theirs * len(ours) if len(theirs) == 1 else theirs
    return len(ours) == len(theirs) and all(abs(a - b) <= limit + 1e-12 for a, b in zip(ours, theirs, strict=True))


def _signs(limit: float, expected: Any, found: Any) -> bool:
    signs = _signs_of(limit, found)
    wanted = words(expected)
    return signs == (wanted * len(signs) if len(wanted) == 1 else wanted)


def _signs_of(limit: float, found: Any) -> list[str]:
    return [estimate.sign(limit) for estimate in (found.values() if isinstance(found, Mapping) else [found])]


#: Each rule by its first word: (limit, expected, found) to whether the claim holds.
RULES: Mapping[str, Callable[[float, Any, Any], bool]] = {
    "within": _within,
    "above": lambda _, expected, found: min(numbers(found)) > float(expected),
    "below": lambda _, expected, found: max(numbers(found)) < float(expected),
    "at least": lambda _, expected, found: min(numbers(found)) >= float(expected),
    "at most": lambda _, expected, found: max(numbers(found)) <= float(expected),
    "is": lambda _, expected, found: words(found) == words(expected),
    "begins": lambda _, expected, found: words(found)[: len(words(expected))] == words(expected),
    "includes": lambda _, expected, found: set(words(expected)) <= set(words(found)),
    "among": lambda _, expected, found: set(words(found)) <= set(words(expected)) and bool(words(found)),
    "significant": _signs,
}  # fmt: skip
_LIMITED = ("within", "significant")
_BOUNDS = ("above", "below", "at least", "at most")
_OPPOSITE = {"positive": "negative", "negative": "positive", "none": "positive"}


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
    if name not in RULES:
        raise ValueError(f"there is no rule {name!r}; {nearest(name, RULES)}")
    if (limit is not None) != (name in _LIMITED):
        raise ValueError(f"the rule {name!r} takes {'a limit' if name in _LIMITED else 'no limit'}, not {text!r}")
    return name, float(limit or 0)


def judge(rule: str, expected: Any, found: Any) -> bool:
    """Whether what was found meets what is expected, by a rule.

    Examples
    --------
    >>> judge("within 0.03", 0.2, 0.22), judge("above", 0, {"HC": 0.1, "FF": -0.1}), judge("is", "BC, C", ["BC", "G"])
    (True, False, False)
    """
    name, limit = parse_rule(rule)
    return bool(RULES[name](limit, expected, found))


def agreeing(rule: str, found: Any) -> Any:
    """An expectation that ``found`` meets: the gate of perturbations sets it in the place of the printed one."""
    name, limit = parse_rule(rule)
    if name in _BOUNDS:
        values = numbers(found)
        return min(values) - 1 if name in ("above", "at least") else max(values) + 1
    if name == "significant":
        return _signs_of(limit, found)
    return numbers(found) if name == "within" else words(found)


def opposing(rule: str, expected: Any, found: Any) -> Any:
    """An expectation that ``found`` misses although it meets ``expected``: outside the criterion, reversed, negated."""
    name, limit = parse_rule(rule)
    if name in _BOUNDS:
        values = numbers(found)
        return max(values) + 1 if name in ("above", "at least") else min(values) - 1
    if name == "within":
        return [value + 2 * limit + 1 for value in numbers(found)]
    if name == "significant":
        return [_OPPOSITE[sign] for sign in _signs_of(limit, found)]
    if name == "includes":
        return [*words(expected), "nothing of this name"]
    turned = words(expected)[::-1]
    if name == "among" or turned == words(expected) or turned == words(found)[: len(turned)]:
        return ["nothing of this name"]
    return turned


def shown(value: Any) -> str:
    """What was found or is expected, as a table shows it.

    Examples
    --------
    >>> shown(1500000.0), shown(0.64375), shown({"K=12": 0.1}), shown(["HC", "FF"])
    ('1,500,000', '0.6438', 'K=12: 0.1', 'HC, FF')
    """
    if isinstance(value, Estimate):
        p = "" if value.p is None else f", p = {value.p:.2g}"
        return f"{shown(value.value)}{p}"
    if isinstance(value, Order):
        return ", ".join(f"{name} {shown(number)}" for name, number in zip(*value, strict=True)) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {shown(entry)}" for name, entry in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(entry) for entry in value) or "none"
    if isinstance(value, str):
        return value or "none"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
