"""One line that says how a number was measured, and on what: two papers can tell whether they measured the same."""

from collections.abc import Iterable
from urllib.parse import unquote

from analysis.statistics.scored import Measure, Scored, named_measures
from analysis.structures.digests import percent_encoded, plain_number, slug
from analysis.structures.version import __version__


def signature(
    scored: Scored,
    measure: str,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int | None = 0,
    intervals: bool = True,
    runs: int = 1,
) -> str:
    """Return the signature of one measure of one system.

    It has the measure, each choice on which the number depends, the units and how many there are, how the interval was
    found, a digest of the gold standard that was scored, and the version of the suite.

    Parameters
    ----------
    scored : Scored
    measure : str
    resamples, confidence, random_state
        Of the interval. What an interval does not use is not in its signature: the jackknife draws nothing.
    intervals : bool
        Whether there is an interval at all.
    runs : int
        Of the system: several are drawn again too, and shares of items have a bootstrap interval.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is no such measure.

    Examples
    --------
    >>> from analysis.categories import scored_tokens
    >>> found = scored_tokens(["N", "V"] * 4, [1, 2] * 4, [0, 0, 1, 1] * 2)
    >>> signature(found, "many-to-one").rpartition("|yardstick")[0]
    'tags/many-to-one|map:majority|resampled:sentence|n:2|interval:basic,0.95,1000,seed:0|data:0e0f6ccb'
    """
    (place,) = named_measures(scored, [measure])
    parts = [f"{scored.task}/{slug(measure)}"]
    parts += [f"{slug(name)}:{_escaped(value)}" for name, value in scored.conventions(measure).items()]
    parts += [f"resampled:{scored.resampled}", f"n:{scored.n}"]
    known = scored.measures[place]
    if runs > 1:
        parts.append(f"runs:{runs}")
        known = known._replace(method="percentile") if known.method == "wilson" else known
    parts.append(f"interval:{_interval(known, resamples, confidence, random_state, intervals)}")
    return "|".join([*parts, f"data:{scored.data or 'unknown'}", f"yardstick:{__version__}"])


def _interval(measure: Measure, resamples: int, confidence: float, random_state: int | None, intervals: bool) -> str:
    if not intervals:
        return "none"
    parts = [measure.method, plain_number(confidence)]
    if measure.method in ("percentile", "basic"):
        parts += [str(resamples), f"seed:{'none' if random_state is None else random_state}"]
    return ",".join(parts)


def parse_signature(text: str) -> dict[str, str]:
    """Return the parts of a signature by name; the first is ``measure``.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict of str to str

    Raises
    ------
    ValueError
        If a part has no name.

    Examples
    --------
    >>> parse_signature("trees/las|root-edges:scored|n:12")
    {'measure': 'trees/las', 'root-edges': 'scored', 'n': '12'}
    """
    first, *parts = text.strip().split("|")
    found = {"measure": first}
    for part in parts:
        name, colon, value = part.partition(":")
        if not colon or not name:
            raise ValueError(f"{part!r} of the signature has no name; expected name:value, as in n:1234.")
        found[name] = unquote(value)
    return found


def differing_parts(signatures: Iterable[str]) -> list[str]:
    """Return the names of the parts in which signatures differ.

    Parameters
    ----------
    signatures : iterable of str

    Returns
    -------
    list of str

    Examples
    --------
    >>> differing_parts(["trees/las|n:12|data:a", "trees/las|n:12|data:b"])
    ['data']
    """
    parsed = [parse_signature(text) for text in signatures]
    names = dict.fromkeys(name for each in parsed for name in each)
    return [name for name in names if len({each.get(name) for each in parsed}) > 1]


def _escaped(value: object) -> str:
    """A value without what ends a part or a line."""
    return percent_encoded(str(value), r"[|%\x00-\x1f\x7f-\x9f\u2028\u2029]")
