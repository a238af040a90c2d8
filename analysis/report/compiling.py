"""Compile the kernels of some models once, before two processes begin to fit them and each compiles the same."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import joblib
import pandas as pd

from analysis.categories import models
from analysis.structures import compiled

#: Models of which two runs of a paper begin at once.
FIRST = {
    "frank2009": ("BayesianHMM",),
    "reichart2010": ("InfiniteHMM", "BayesianHMM"),
    "gelling2012": ("PosteriorRegularisedHMM",),
}
DEAREST = ("InfiniteHMM", "PosteriorRegularisedHMM", "BayesianHMM")  #: in the order in which they are compiled


def compile_models(
    papers: Iterable[str], *, n_jobs: int = -1, tell: Callable[[str], None] = lambda line: None
) -> list[str]:
    """Compile what `FIRST` names for some papers, one model a process, unless that was done before.

    Nothing is done for one process, which compiles each kernel once anyway, or where compiled code is not kept.

    Parameters
    ----------
    papers : iterable of str
    n_jobs : int
        Processes; -1 for all cores.
    tell : callable
        Called with a line of text before something is compiled.

    Returns
    -------
    list of str
        The models that were compiled.

    Examples
    --------
    >>> compile_models(["frank2009"], n_jobs=1)
    []
    """
    folder = compiled.kernel_folder()
    if folder is None or os.environ.get("ANALYSIS_COMPILED", "").strip() or joblib.effective_n_jobs(n_jobs) == 1:
        return []
    named = {name for paper in papers for name in FIRST.get(paper, ())}
    left = [name for name in DEAREST if name in named and not _mark(folder, name).exists()]
    if left:
        tell(f"compiling {', '.join(left)}")
        fits = [joblib.delayed(fit_some_words)(name) for name in left]
        joblib.Parallel(n_jobs=n_jobs, backend="loky", batch_size=1)(fits)
    for name in left:
        _mark(folder, name).touch()
    return left


def _mark(folder: Path, name: str) -> Path:
    return folder / f"compiled-{name}"


def fit_some_words(name: str) -> None:
    """Fit a model of word classes to some short sentences, and let it label them.

    Parameters
    ----------
    name : str
        Its class in `analysis.categories.models`.
    """
    words = pd.DataFrame(
        [(number, place, form) for number in range(12) for place, form in enumerate("abcb", 1)],
        columns=["sentence", "position", "form"],
    )
    model = getattr(models, name)(progress=False, random_state=0)
    model.fit(words)
    model.predict(words)
