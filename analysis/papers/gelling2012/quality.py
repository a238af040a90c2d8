"""Does a better clustering give better trees? DMV trained on every clustering of a text, and on its gold tags."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.categories import contingency, many_to_one, v_measure
from analysis.categories.models import (
    BayesianHMM,
    ClarkClustering,
    InfiniteHMM,
    RandomCategories,
    VariationalHMM,
)
from analysis.dependencies import attachment_scores
from analysis.dependencies.models import DMV
from analysis.experiments import run_cells
from analysis.figures import use_style
from analysis.figures.style import PAGE_WIDTH, floats, handle, system_styles
from analysis.papers.gelling2012.evaluation import TREE_MEASURES
from analysis.papers.gelling2012.setting import LEVELS, Setting, data, make_setting, number_of_tags
from analysis.papers.gelling2012.systems import System, fit_and_parse, fit_classes, systems

GOLD, RANDOM = "gold", "Random"
#: Clusterings that are none of the challenge's, named as in Reichart et al. (2010), with how long they run here; K is
#: the number of fine tags, of GVG09 that of its start.
OTHERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "Clark03": (ClarkClustering, {}),
    "GG07": (BayesianHMM, {"sweeps": 50}),
    "GJ08 VB": (VariationalHMM, {"iterations": 20}),
    "GVG09(1)": (InfiniteHMM, {"sweeps": 20}),
}


def joint_quality(
    setting: Setting | None = None,
    testset: str | None = None,
    n_jobs: int = 1,
    *,
    others: Sequence[str] = ("Clark03", "GG07"),
    **choices: object,
) -> pd.DataFrame:
    """Quality of the tags against quality of the trees that DMV induces on them.

    Parameters
    ----------
    setting, **choices
        As for `scores`.
    testset : str, optional
        By default that of the curves.
    n_jobs : int
        Processes; the numbers do not depend on it.
    others : sequence of str
        Of `OTHERS`: clusterings that are not in the challenge. The last two take longer.

    Returns
    -------
    DataFrame
        One row a clustering: ``testset``, ``system`` (as in Table 2, or of `OTHERS`; ``gold-c``, ``gold-p``,
        ``gold-u`` for gold tags, ``Random`` for random classes of word types), ``model``, ``k`` (asked for),
        ``clusters`` (found), ``M-1`` and ``VM`` (percent, against fine tags, punctuation included), ``directed``,
        ``undirected``, ``NED`` (percent) with ``n`` (tokens scored), ``seed``, ``data_version``, ``convention``.

    Raises
    ------
    ValueError
        If one of `others` is unknown.
    """
    unknown = [name for name in others if name not in OTHERS]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is none of the other clusterings: {', '.join(OTHERS)}.")
    chosen = make_setting(setting, choices)
    name = testset or str(chosen.curve_testset)
    runs = [run for run in systems(name, chosen) if run.track == "word classes"]
    fine = number_of_tags(name, "fine")
    runs += [
        System(other, "word classes", "fine", fine, (*OTHERS[other][1].items(), ("random_state", chosen.seed)))
        for other in others
    ]
    runs.append(System(RANDOM, "word classes", "fine", fine, (("random_state", chosen.seed),)))
    runs += [System(f"{GOLD}-{letter}", "gold", level, number_of_tags(name, level)) for letter, level in LEVELS.items()]
    trees = {"iterations": chosen.iterations, "max_length": chosen.train_length, "normalise": chosen.normalise}
    told = [vars(run) | {"parameters": dict(run.parameters)} for run in runs]
    grid = [{"testset": name, "system": system, "trees": trees, "seed": chosen.seed} for system in told]
    cache = {"data": data(name).version, "name": "gelling2012_quality"}
    return pd.DataFrame(run_cells(one_quality, grid, n_jobs=n_jobs, cache=cache, progress=False))


def one_quality(testset: str, system: dict[str, Any], trees: dict[str, Any], seed: int) -> dict[str, object]:
    """One row of `joint_quality`."""
    run = System(**system | {"parameters": tuple(system["parameters"].items())})
    tokens, scored = data(testset).tokens, data(testset).tokens["scored"].to_numpy()
    labels = _labels(testset, run)
    text = tokens.assign(cluster=pd.Categorical(labels))
    model = DMV(tags="cluster", punctuation_rule="form", **trees)
    found = fit_and_parse(model, text, text[scored].reset_index(drop=True))
    attached = attachment_scores(data(testset).test, found.heads, punctuation=False)
    table = contingency(tokens["fine"][scored].astype("str"), labels[scored])
    percent = {
        measure: None if score.value is None else 100 * float(score.value)
        for measure, score in zip(TREE_MEASURES, attached.scores(), strict=True)
    }
    stated = ", ".join(f"{name}={value}" for name, value in {**dict(run.parameters), **trees}.items())
    return {
        "testset": testset, "system": run.name, "model": run.model, "k": run.k,
        "clusters": len(np.unique(labels)),
        "M-1": 100 * float(many_to_one(table)), "VM": 100 * float(v_measure(table, base=math.e)), **percent,
        "n": attached.directed.denominator, "seed": str(seed), "data_version": data(testset).version,
        "convention": f"DMV on the labels of all words but punctuation marks; {stated}",
    }  # fmt: skip


def _labels(testset: str, run: System) -> np.ndarray:
    tokens, parameters = data(testset).tokens, dict(run.parameters)
    if run.track == "gold":
        return pd.factorize(tokens[run.level].astype("str"))[0]
    if run.name not in (RANDOM, *OTHERS):
        return fit_classes(testset, run.model, run.k, run.parameters).labels
    if run.name == RANDOM:
        model: Any = RandomCategories(gold=run.level, **parameters)
    else:
        size = "initial_clusters" if run.name.startswith("GVG09") else "n_clusters"
        k = min(run.k, int(tokens["form"].nunique()))
        model = OTHERS[run.name][0](progress=False, **{size: k}, **parameters)
    model.fit(tokens)
    found = model.labels_ if hasattr(model, "labels_") else model.predict(tokens)
    return np.asarray(found, dtype=np.int32)


def joint_figure(table: pd.DataFrame, x: str = "VM") -> Figure:
    """What `joint_quality` returned as a scatter, a panel a measure of trees: a mark a clustering.

    Parameters
    ----------
    table : DataFrame
    x : {"VM", "M-1"}
    """
    styles = system_styles(table["model"])
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.3), layout="constrained")
        for ax, measure in zip(figure.subplots(1, len(TREE_MEASURES)), TREE_MEASURES, strict=True):
            for model, rows in table.groupby("model", sort=False):
                style = styles[str(model)]
                ax.plot(floats(rows[x]), floats(rows[measure]), color=style.color, marker=style.marker,
                        linestyle="none", markersize=5)  # fmt: skip
            ax.set_title(f"{measure} (percent)")
            ax.set_xlabel(f"{x} of the tags (percent)")
            ax.set_xlim(-3, 103)
        figure.legend(handles=[handle(style, name, line=False) for name, style in styles.items()],
                      loc="outside lower center", ncols=(len(styles) + 1) // 2)  # fmt: skip
    return figure
