"""Probabilities of CCG induction: events of rules, maximum likelihood, and the floor."""

from typing import NamedTuple

import numpy as np

from analysis.dependencies.models import ccg_kernels as kernels
from analysis.dependencies.models.ccg_grammar import LEFT, Rule


class Events(NamedTuple):
    """The events that the rules of the training forests consist of.

    Attributes
    ----------
    of_rule : ndarray of int64, shape (n_rules, 3)
        Events of each rule; -1 where a rule has fewer, and in rules that do not occur.
    used : ndarray of bool, shape (n_rules,)
        Whether the rule occurs in the forests.
    context : ndarray of int64, shape (n_events,)
        What each event is conditioned on.
    """

    of_rule: np.ndarray
    used: np.ndarray
    context: np.ndarray


def find_events(rules: list[Rule], used: np.ndarray) -> Events:
    """Find the events of rules: expansion e given the parent P, tag or head H given P and e, sister given P, H and e.

    Parameters
    ----------
    rules : list of Rule
    used : ndarray of bool, shape (n_rules,)

    Returns
    -------
    Events

    Examples
    --------
    >>> from analysis.dependencies.models.ccg_grammar import Symbol
    >>> from analysis.structures.ccg_category import parse_category
    >>> noun = Symbol(parse_category("N"))
    >>> found = find_events([Rule(kernels.LEXICAL, noun, tag) for tag in ("NN", "NNS")], np.array([True, True]))
    >>> found.of_rule.tolist(), found.context.tolist()
    ([[0, 1, -1], [0, 2, -1]], [0, 1, 1])
    """
    contexts: dict[tuple, int] = {}
    events: dict[tuple, int] = {}
    context_of: list[int] = []
    of_rule = np.full((len(rules), 3), -1, dtype=np.int64)
    for number, rule in enumerate(rules):
        if not used[number]:
            continue
        expansion = {kernels.LEXICAL: "word", kernels.UNARY: "unary"}.get(
            rule.kind, "left" if rule.side == LEFT else "right"
        )
        parts: list[tuple] = [((rule.parent,), expansion), ((rule.parent, expansion), rule.head)]
        if rule.sister is not None:
            parts.append(((rule.parent, expansion, rule.head), rule.sister))
        for place, (context, outcome) in enumerate(parts):
            event = (context, outcome)
            if event not in events:
                events[event] = len(events)
                context_of.append(contexts.setdefault(context, len(contexts)))
            of_rule[number, place] = events[event]
    return Events(of_rule, used, np.array(context_of, dtype=np.int64))


def uniform(events: Events) -> np.ndarray:
    """Give the events of each context equal probabilities.

    Examples
    --------
    >>> uniform(Events(np.zeros((0, 3)), np.zeros(0), np.array([0, 1, 1]))).tolist()
    [1.0, 0.5, 0.5]
    """
    return 1.0 / np.bincount(events.context)[events.context]


def rule_scores(events: Events, probabilities: np.ndarray) -> np.ndarray:
    """Compute the log probability of each rule; very low where a rule does not occur.

    Parameters
    ----------
    events : Events
    probabilities : ndarray of float64, shape (n_events,)

    Returns
    -------
    ndarray of float64, shape (n_rules,)
    """
    with np.errstate(divide="ignore"):
        logs = np.append(np.maximum(np.log(probabilities), kernels.NEGATIVE), 0.0)
    return np.where(events.used, np.maximum(logs[events.of_rule].sum(axis=1), kernels.NEGATIVE), kernels.NEGATIVE)


def event_counts(events: Events, counts: np.ndarray) -> np.ndarray:
    """Add up the counts of rules by event.

    Parameters
    ----------
    events : Events
    counts : ndarray of float64, shape (n_rules,)

    Returns
    -------
    ndarray of float64, shape (n_events,)
    """
    present = events.of_rule >= 0
    weights = np.broadcast_to(counts[:, None], events.of_rule.shape)[present]
    return np.bincount(events.of_rule[present], weights=weights, minlength=len(events.context))


def maximum_likelihood(events: Events, counts: np.ndarray, before: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Estimate probabilities from counts of events; a context without counts keeps those from before.

    Parameters
    ----------
    events : Events
    counts, before : ndarray of float64, shape (n_events,)

    Returns
    -------
    probabilities, totals : ndarray of float64, shape (n_events,)
        The second are the counts of the contexts.

    Examples
    --------
    >>> events = Events(np.zeros((0, 3)), np.zeros(0), np.array([0, 0, 1, 1]))
    >>> maximum_likelihood(events, np.array([3.0, 1, 0, 0]), np.array([0.5, 0.5, 0.2, 0.8]))[0].tolist()
    [0.75, 0.25, 0.2, 0.8]
    """
    totals = np.bincount(events.context, weights=counts)[events.context]
    return np.divide(counts, totals, out=before.copy(), where=totals > 0), totals


def raise_to_floor(probabilities: np.ndarray, context: np.ndarray, floor: float, *, equally: bool = True) -> np.ndarray:
    """Raise small probabilities to a floor, and take the rest off the larger ones.

    Parameters
    ----------
    probabilities : ndarray of float64, shape (n_events,)
    context : ndarray of int64, shape (n_events,)
    floor : float
        1 divided by the number of outcomes, where a context has too many for this floor.
    equally : bool
        Whether the same is taken off each larger probability, or a part in proportion to it.

    Returns
    -------
    ndarray of float64, shape (n_events,)

    Examples
    --------
    >>> raise_to_floor(np.array([0.0, 0.3, 0.7]), np.zeros(3, np.int64), 0.1).round(3).tolist()
    [0.1, 0.25, 0.65]
    >>> raise_to_floor(np.array([0.0, 0.3, 0.7]), np.zeros(3, np.int64), 0.1, equally=False).round(3).tolist()
    [0.1, 0.27, 0.63]
    """
    if floor <= 0 or not len(context):
        return probabilities
    low = np.minimum(floor, 1.0 / np.bincount(context)[context])
    raised = np.zeros(len(context), dtype=bool)
    result = probabilities
    while (below := (result < low - 1e-15) & ~raised).any():
        raised |= below
        free = ~raised
        left = 1.0 - np.bincount(context, weights=np.where(raised, low, 0.0))[context]
        mass = np.bincount(context, weights=np.where(free, probabilities, 0.0))[context]
        if equally:
            number = np.maximum(np.bincount(context, weights=free)[context], 1)
            others = probabilities - (mass - left) / number
        else:
            others = probabilities * np.divide(left, mass, out=np.ones_like(mass), where=mass > 0)
        touched = np.bincount(context, weights=raised)[context] > 0
        result = np.where(raised, low, np.where(touched, others, probabilities))
    return result
