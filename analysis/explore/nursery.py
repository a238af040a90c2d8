"""Explorer of the built-in language: draw utterances and see all their annotation."""

from typing import Any

import ipywidgets as widgets
import pandas as pd
from matplotlib.figure import Figure

from analysis.corpora.language import generate
from analysis.explore.base import Explorer, made_by_call
from analysis.figures import utterance as draw_utterance
from analysis.structures import check_between

DRAWN = 20  # utterances per seed


def utterance(seed: int, number: int = 1) -> dict[str, pd.DataFrame]:
    """Draw one utterance with its gold annotation.

    Parameters
    ----------
    seed : int
    number : int
        Which of the first 20 utterances of that seed, from 1.

    Returns
    -------
    dict of DataFrame
        ``tokens``, ``nodes`` and ``dependencies`` of the one sentence; see `analysis.corpora.language.generate`.

    Raises
    ------
    ValueError
        If there is no such utterance.

    Examples
    --------
    >>> sorted(utterance(0))
    ['dependencies', 'nodes', 'tokens']
    """
    check_between(1, DRAWN, number=number)
    generated = generate(DRAWN, seed)
    tables = {name: getattr(generated, name) for name in ("tokens", "nodes", "dependencies")}
    return {name: table[table["sentence"] == number - 1].reset_index(drop=True) for name, table in tables.items()}


@made_by_call
def utterances() -> Explorer:
    """Draw utterances by seed; see words, classes, arcs and derivation together.

    Returns
    -------
    Explorer
        ``value`` is the result of `utterance`.
    """

    def draw(value: dict[str, pd.DataFrame]) -> Figure:
        return draw_utterance(value["tokens"], value["nodes"])

    def words(value: dict[str, Any]) -> str:
        return " ".join(value["tokens"]["form"].astype("str"))

    return Explorer(
        {
            "seed": widgets.IntSlider(value=2, min=0, max=500, description="seed"),
            "number": widgets.IntSlider(value=1, min=1, max=DRAWN, description="utterance"),
        },
        utterance,
        draw=draw,
        text=lambda value: f"{words(value)}   (generated, not recorded speech)",
        table=lambda value: value["tokens"].drop(columns=["sentence"]),
        alt=lambda value: f"Dependency arcs above and CCG derivation below the words: {words(value)}",
    )
