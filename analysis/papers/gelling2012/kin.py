"""DMV and its regularised variants: how ambiguous their trees stay, and whether less ambiguity is more accuracy."""

from functools import lru_cache
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.dependencies import sentences_without_punctuation
from analysis.dependencies.models import DMV, DMV_VARIANTS, parse_ambiguity, training_trace
from analysis.figures import posterior_arcs, use_style
from analysis.figures.style import PAGE_WIDTH, floats, handle, system_styles
from analysis.papers.gelling2012.evaluation import TREE_MEASURES
from analysis.papers.gelling2012.setting import data


def short_sentences(testset: str = "nursery", sentences: int = 500) -> pd.DataFrame:
    """The first sentences of the test set that have 2 to 10 words and no punctuation."""
    return sentences_without_punctuation(data(testset).test, shortest=2, longest=10, first=sentences)


@lru_cache(maxsize=64)
def trained(testset: str, level: str, sentences: int, iterations: int, parameters: tuple[tuple[str, Any], ...]) -> DMV:
    """DMV on those sentences, every iteration kept; annealed over two thirds of them."""
    model = DMV(
        tags=level, iterations=iterations, max_length=None, keep_punctuation=True, keep_history=True,
        annealing=max(1, 2 * iterations // 3),
    )  # fmt: skip
    return model.set_params(**dict(parameters)).fit(short_sentences(testset, sentences))


@lru_cache(maxsize=8)
def _kin(testset: str, level: str, sentences: int, iterations: int, read: int) -> pd.DataFrame:
    some = short_sentences(testset, sentences)
    frames = []
    for name, parameters in DMV_VARIANTS.items():
        model = trained(testset, level, sentences, iterations, tuple(parameters.items()))
        trace = training_trace(model, some, sentences=read)
        trace[list(TREE_MEASURES)] *= 100
        trace.insert(0, "system", name)
        frames.append(trace)
    return pd.concat(frames, ignore_index=True)


def kin(
    testset: str = "nursery", level: str = "fine", *, sentences: int = 500, iterations: int = 15, read: int = 60
) -> pd.DataFrame:
    """Ambiguity and accuracy of each variant, iteration by iteration, on the sentences trained on.

    Parameters
    ----------
    testset : str
    level : {"coarse", "fine", "universal"}
        Granularity of tags.
    sentences : int
        So many, of 2 to 10 words, are trained on and scored.
    iterations : int
    read : int
        Sentences, the first, over which ambiguity is averaged.

    Returns
    -------
    DataFrame
        ``system`` (of `DMV_VARIANTS`), then as `analysis.dependencies.models.training_trace`, scores in percent.

    References
    ----------
    Tu & Honavar (2012); Gelling et al. (2012), section 3 (there Tu).
    """
    return _kin(testset, level, sentences, iterations, read).copy()


def kin_figure(table: pd.DataFrame, measure: str = "directed") -> Figure:
    """What `kin` returned: ambiguity by iteration, and accuracy against ambiguity; the ring is the last iteration."""
    styles = system_styles(table["system"])
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.0), layout="constrained")
        left, right = figure.subplots(1, 2)
        for place, (name, rows) in enumerate(table.groupby("system", sort=False)):
            style = styles[str(name)]
            # later lines are thinner, so that one that lies on another does not hide it
            look: dict[str, Any] = {"color": style.color, "linestyle": style.linestyle, "linewidth": 2.8 - 0.7 * place,
                                    "markersize": 6 - place}  # fmt: skip
            left.plot(rows["iteration"], floats(rows["ambiguity"]), marker=style.marker, **look)
            right.plot(floats(rows["ambiguity"]), floats(rows[measure]), marker=style.marker, **look)
            right.plot(floats(rows["ambiguity"])[-1:], floats(rows[measure])[-1:], marker="o", markersize=9,
                       fillstyle="none", color=style.color, linestyle="none")  # fmt: skip
        left.set_xlabel("Iteration")
        left.xaxis.set_major_locator(MaxNLocator(integer=True))
        left.set_ylabel("Ambiguity (bits a word)")
        left.set_ylim(bottom=0)
        right.set_xlabel("Ambiguity (bits a word)")
        right.set_ylabel(f"{measure} (percent)")
        figure.legend(handles=[handle(style, name, line=True) for name, style in styles.items()],
                      loc="outside lower center", ncols=len(styles))  # fmt: skip
    return figure


def kin_arcs_figure(
    testset: str = "nursery",
    level: str = "fine",
    *,
    steps: tuple[int, ...] = (0, 3, 15),
    sentences: int = 500,
    iterations: int = 15,
    words: int = 6,
) -> Figure:
    """Posteriors of one sentence as arc widths, a row a variant and a column an iteration.

    Parameters
    ----------
    testset, level, sentences, iterations
        As for `kin`.
    steps : tuple of int
        Iterations that are shown; of a model with fewer, its last.
    words : int
        The sentence is the first with so many words.

    Raises
    ------
    ValueError
        If no sentence has so many words.
    """
    some = short_sentences(testset, sentences)
    fitting = [part for _, part in some.groupby("sentence", sort=False) if len(part) == words]
    if not fitting:
        raise ValueError(f"none of the {sentences} sentences has {words} words.")
    part = fitting[0].reset_index(drop=True)
    forms, tags = part["form"].astype("str").tolist(), part[level].astype("str").tolist()
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 1.35 * len(DMV_VARIANTS)), layout="constrained")
        grid = figure.subplots(len(DMV_VARIANTS), len(steps), squeeze=False)
        for row, (name, parameters) in zip(grid, DMV_VARIANTS.items(), strict=True):
            model = trained(testset, level, sentences, iterations, tuple(parameters.items()))
            for ax, asked in zip(row, steps, strict=True):
                step = min(asked, model.n_iter_)
                version = model.at_iteration(step)
                found = version.posteriors(tags)
                posterior_arcs(found, version.parse(part).heads.tolist(), forms, ax=ax)
                ax.set_title(f"{name}, iteration {step}: {parse_ambiguity(found):.2f} bits", fontsize=7)
    return figure
