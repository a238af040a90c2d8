"""Does a better clustering give better trees? DMV trained on every clustering of a text, and on its gold tags."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.categories import contingency, many_to_one, v_measure
from analysis.categories.models import RandomCategories
from analysis.dependencies import attachment_scores
from analysis.dependencies.models import DMV
from analysis.experiments import run_cells
from analysis.figures import use_style
from analysis.figures.style import PAGE_WIDTH, floats, handle, system_styles
from analysis.papers.gelling2012.evaluation import TREE_METRICS
from analysis.papers.gelling2012.setting import LEVELS, Setting, data, make_setting, number_of_tags
from analysis.papers.gelling2012.systems import CLUSTERINGS, System, fit_classes, systems

GOLD, RANDOM = "gold", "Random"
VERSION = "1"  # changes when what is measured here, or how, changes its numbers


def joint_quality(
    setting: Setting | None = None, testset: str | None = None, n_jobs: int = 1, **choices: object
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

    Returns
    -------
    DataFrame
        One row a clustering: ``testset``, ``system`` (as in Table 2; ``gold-c``, ``gold-p``, ``gold-u`` for gold tags,
        ``Random`` for random classes of word types), ``model``, ``k``, ``M-1`` and ``VM`` (percent, against fine tags,
        punctuation included), ``directed``, ``undirected``, ``NED`` (percent) with ``n`` (tokens scored), ``seed``,
        ``data_version``, ``convention``.
    """
    chosen = make_setting(setting, choices)
    name = testset or str(chosen.curve_testset)
    runs = [run for run in systems(name, chosen) if run.track == "word classes"]
    fine = number_of_tags(name, "fine")
    runs.append(System(RANDOM, "word classes", "fine", fine, (("random_state", chosen.seed),)))
    runs += [System(f"{GOLD}-{letter}", "gold", level, number_of_tags(name, level)) for letter, level in LEVELS.items()]
    trees = {"iterations": chosen.iterations, "max_length": chosen.train_length, "normalise": chosen.normalise}
    versions = {"DMV": DMV.version, **{model: found.version for model, found in CLUSTERINGS.items()}}
    told = [vars(run) | {"parameters": dict(run.parameters)} for run in runs]
    grid = [{"testset": name, "system": system, "trees": trees, "seed": chosen.seed} for system in told]
    cache = {"data": data(name).version, "version": [VERSION, versions], "name": "gelling2012_quality"}
    return pd.DataFrame(run_cells(one_quality, grid, n_jobs=n_jobs, cache=cache, progress=False))


def one_quality(testset: str, system: dict[str, Any], trees: dict[str, Any], seed: int) -> dict[str, object]:
    """One row of `joint_quality`."""
    run = System(**system | {"parameters": tuple(system["parameters"].items())})
    tokens, scored = data(testset).tokens, data(testset).tokens["scored"].to_numpy()
    labels = _labels(testset, run)
    text = tokens.assign(cluster=pd.Categorical(labels))
    heads = DMV(tags="cluster", punctuation_rule="form", **trees).fit(text).parse(text[scored].reset_index(drop=True))
    attached = attachment_scores(data(testset).test, heads.heads)
    table = contingency(tokens["fine"][scored].astype("str"), labels[scored])
    percent = {
        metric: None if score.value is None else 100 * float(score.value)
        for metric, score in zip(TREE_METRICS, attached.scores(), strict=True)
    }
    stated = ", ".join(f"{name}={value}" for name, value in {**dict(run.parameters), **trees}.items())
    return {
        "testset": testset, "system": run.name, "model": run.model, "k": run.k,
        "M-1": 100 * float(many_to_one(table)), "VM": 100 * float(v_measure(table)), **percent,
        "n": attached.directed.denominator, "seed": str(seed), "data_version": data(testset).version,
        "convention": f"DMV on the labels of all words but punctuation marks; {stated}",
    }  # fmt: skip


def _labels(testset: str, run: System) -> np.ndarray:
    tokens = data(testset).tokens
    if run.track == "gold":
        return pd.factorize(tokens[run.level].astype("str"))[0]
    if run.name != RANDOM:
        return fit_classes(testset, run.model, run.k, run.parameters).labels
    model = RandomCategories(gold=run.level, random_state=dict(run.parameters)["random_state"])
    return model.fit(tokens).predict(tokens).to_numpy(dtype=np.int32)


def joint_figure(table: pd.DataFrame, x: str = "VM") -> Figure:
    """What `joint_quality` returned as a scatter, a panel a measure of trees: a mark a clustering.

    Parameters
    ----------
    table : DataFrame
    x : {"VM", "M-1"}
    """
    styles = system_styles(table["model"])
    with use_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.1), layout="constrained")
        for ax, metric in zip(figure.subplots(1, len(TREE_METRICS)), TREE_METRICS, strict=True):
            for model, rows in table.groupby("model", sort=False):
                style = styles[str(model)]
                ax.plot(floats(rows[x]), floats(rows[metric]), color=style.color, marker=style.marker,
                        linestyle="none", markersize=5)  # fmt: skip
            ax.set_title(f"{metric} (percent)")
            ax.set_xlabel(f"{x} of the tags (percent)")
            ax.set_xlim(-3, 103)
        figure.legend(handles=[handle(style, name, line=False) for name, style in styles.items()],
                      loc="outside lower center", ncols=len(styles))  # fmt: skip
    return figure
