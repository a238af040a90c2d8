"""What every paper's ``publish`` needs: how long each stage took, and the sources of its numbers."""

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from analysis import corpora
from analysis.structures.publication import Source

Result = TypeVar("Result")


class Stages:
    """Call stages by name and keep their seconds; the one thing in a report that differs from run to run.

    Attributes
    ----------
    times : dict of str to float
        Seconds by stage; ``total()`` adds ``all``.

    Examples
    --------
    >>> stages = Stages()
    >>> stages("sum", lambda: 1 + 1)
    2
    >>> list(stages.total())
    ['sum', 'all']
    """

    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        self._started = time.perf_counter()

    def __call__(self, stage: str, compute: Callable[[], Result]) -> Result:
        """What ``compute()`` returns."""
        begun = time.perf_counter()
        result = compute()
        self.times[stage] = time.perf_counter() - begun
        return result

    def total(self) -> dict[str, float]:
        """All stages, and the seconds since the first was announced as ``all``."""
        return self.times | {"all": time.perf_counter() - self._started}


def sources_of(names: Iterable[str]) -> tuple[Source, ...]:
    """Version, licence and citation of data sets, as a report lists them.

    Examples
    --------
    >>> [source.generated for source in sources_of(["nursery"])]
    [True]
    """
    return tuple(
        Source(
            name=name,
            version=corpora.corpus_version(name),
            licence=corpora.dataset(name).licence,
            citation=corpora.dataset(name).citation,
            generated=corpora.dataset(name).how == "built in",
        )
        for name in names
    )
