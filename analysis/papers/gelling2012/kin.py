"""DMV and its regularised kin: how ambiguous their trees stay, and whether less ambiguity is more accuracy."""

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.dependencies import attachment_scores, find_punctuation
from analysis.dependencies.models import DMV
from analysis.figures import use_style
from analysis.figures.style import BLUE, PAGE_WIDTH, VERMILLION, floats, handle, system_styles
from analysis.papers.gelling2012.evaluation import TREE_METRICS
from analysis.papers.gelling2012.setting import data

#: Members of the family, after Tu (2012), by what they change of DMV.
KIN: dict[str, dict[str, Any]] = {
    "EM": {},
    "sparse prior": {"prior": 0.25},
    "annealed": {"unambiguity": "annealed"},
    "Viterbi EM": {"unambiguity": 1.0},
}


@lru_cache(maxsize=8)
def short_sentences(testset: str = "nursery", sentences: int = 500, longest: int = 10) -> pd.DataFrame:
    """The first sentences of the test set that have 2 to `longest` words and no punctuation."""
    test = data(testset).test
    bare = test[~find_punctuation(test).mask]
    sizes = bare.groupby("sentence")["form"].transform("size")
    whole = test["sentence"].map(test.groupby("sentence").size()) == test["sentence"].map(
        bare.groupby("sentence").size()
    )
    some = bare[sizes.between(2, longest) & whole[bare.index]]
    first = some["sentence"].drop_duplicates().head(sentences)
    return some[some["sentence"].isin(first)].reset_index(drop=True)


@lru_cache(maxsize=64)
def trained(testset: str, level: str, sentences: int, iterations: int, parameters: tuple[tuple[str, Any], ...]) -> DMV:
    """DMV on those sentences, every iteration kept; annealed over two thirds of them."""
    chosen = dict(parameters)
    if chosen.get("unambiguity") == "annealed":
        chosen["annealing"] = max(1, 2 * iterations // 3)
    model = DMV(tags=level, iterations=iterations, max_length=None, punctuation="keep", keep_history=True, **chosen)
    return model.fit(short_sentences(testset, sentences))


def ambiguity(posteriors: np.ndarray) -> float:
    """Entropy of the head of a word, on average over the words of a sentence, in bits.

    Parameters
    ----------
    posteriors : ndarray of float64, shape (n + 1, n)
        Probability of each head (row 0 is the root) of each word.

    Examples
    --------
    >>> ambiguity(np.array([[0.5, 0.5], [0.0, 0.5], [0.5, 0.0]]))
    1.0
    """
    logs = np.log2(posteriors, out=np.zeros_like(posteriors), where=posteriors > 0)
    return abs(float((posteriors * logs).sum(axis=0).mean()))


@lru_cache(maxsize=8)
def _kin(testset: str, level: str, sentences: int, iterations: int, read: int) -> pd.DataFrame:
    some = short_sentences(testset, sentences)
    tags = [list(part.astype("str")) for _, part in some.groupby("sentence", sort=False)[level]][:read]
    rows = []
    for name, parameters in KIN.items():
        model = trained(testset, level, sentences, iterations, tuple(parameters.items()))
        for step in range(model.n_iter_ + 1):
            version = model.at_iteration(step)
            attached = attachment_scores(some, version.parse(some).heads)
            scores = dict(zip(TREE_METRICS, [100 * float(score) for score in attached.scores()], strict=True))
            bits = float(np.mean([ambiguity(version.posteriors(words).to_numpy()) for words in tags]))
            rows.append({"system": name, "iteration": step, "ambiguity": bits, **scores,
                         "n": attached.directed.denominator})  # fmt: skip
    return pd.DataFrame(rows)


def kin(
    testset: str = "nursery", level: str = "fine", *, sentences: int = 500, iterations: int = 15, read: int = 60
) -> pd.DataFrame:
    """Ambiguity and accuracy of each member of the family, iteration by iteration, on the sentences trained on.

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
        ``system`` (of `KIN`), ``iteration`` (0 is the initialiser), ``ambiguity`` (bits a word, see `ambiguity`),
        ``directed``, ``undirected``, ``NED`` (percent), ``n`` (tokens scored).

    References
    ----------
    Tu & Honavar (2012); Gelling et al. (2012), section 3 (there Tu).
    """
    return _kin(testset, level, sentences, iterations, read).copy()


def kin_figure(table: pd.DataFrame, metric: str = "directed") -> Figure:
    """What `kin` returned: ambiguity by iteration, and accuracy against ambiguity; the ring is the last iteration."""
    styles = system_styles(table["system"])
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.0), layout="constrained")
        left, right = figure.subplots(1, 2)
        for name, rows in table.groupby("system", sort=False):
            style = styles[str(name)]
            look: dict[str, Any] = {"color": style.color, "linestyle": style.linestyle, "linewidth": 1.2}
            left.plot(rows["iteration"], floats(rows["ambiguity"]), marker=style.marker, markersize=3, **look)
            right.plot(floats(rows["ambiguity"]), floats(rows[metric]), marker=style.marker, markersize=3, **look)
            right.plot(floats(rows["ambiguity"])[-1:], floats(rows[metric])[-1:], marker="o", markersize=9,
                       fillstyle="none", color=style.color, linestyle="none")  # fmt: skip
        left.set_xlabel("Iteration")
        left.set_ylabel("Ambiguity (bits a word)")
        left.set_ylim(bottom=0)
        right.set_xlabel("Ambiguity (bits a word)")
        right.set_ylabel(f"{metric} (percent)")
        figure.legend(handles=[handle(style, name, line=True) for name, style in styles.items()],
                      loc="outside lower center", ncols=len(styles))  # fmt: skip
    return figure


def posterior_arcs(posteriors: pd.DataFrame, heads: list[int], words: list[str], *, ax: Axes) -> Axes:
    """Every possible edge of a sentence as an arc as wide as it is probable; edges of the best tree are blue.

    Parameters
    ----------
    posteriors : DataFrame of shape (n + 1, n)
        As `DMV.posteriors` gives.
    heads : list of int
        The tree to mark, from 1; 0 is the root.
    words : list of str
    ax : Axes
    """
    values = posteriors.to_numpy()
    n = len(words)
    for word in range(1, n + 1):
        for head in range(n + 1):
            probability = float(values[head, word - 1])
            if probability < 0.01:
                continue
            chosen = heads[word - 1] == head
            look: dict[str, Any] = {"color": BLUE if chosen else VERMILLION, "linewidth": 4 * probability,
                                    "alpha": 1.0 if chosen else 0.5, "linestyle": "-" if chosen else "--"}  # fmt: skip
            if head == 0:
                ax.plot([word, word], [0.15, n / 2 + 0.6], **look)
                continue
            bend = np.linspace(0, np.pi, 30)
            middle, half = (word + head) / 2, abs(word - head) / 2
            ax.plot(middle + half * np.cos(bend), 0.15 + abs(word - head) / 2 * np.sin(bend), **look)
    for place, form in enumerate(words, start=1):
        ax.text(place, -0.1, form, ha="center", va="top")
    ax.set_xlim(0.4, n + 0.6)
    ax.set_ylim(-0.6, n / 2 + 0.7)
    ax.set_axis_off()
    return ax
