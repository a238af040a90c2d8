"""Gold edges of the test sets, and the rounds of the loop of tags and trees: what some claims of the text ask."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.categories import v_measure
from analysis.categories.models import MultinomialMixture, class_tree_loop
from analysis.dependencies import attachment_scores, find_punctuation, table6_relations
from analysis.papers.gelling2012.runs import on_clusters, relations, run_named, systems
from analysis.papers.gelling2012.setting import Setting, data
from analysis.papers.recipe import kept, takes_setting


@takes_setting(Setting)
@kept
def gold_edges(setting: Setting) -> pd.DataFrame:
    """How long the gold edges of each relation are, and how many of them cross another edge.

    Punctuation is taken out first, and lengths are counted in what is left; the edge to the root has no length.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``testset``, ``relation`` (of Table 6, or all), ``edges``, ``length`` (mean, in words), ``crossing`` (edges
        that cross another), ``share`` (of the edges).

    References
    ----------
    Gelling et al. (2012), sections 6.2 and 6.4.

    Examples
    --------
    >>> table = gold_edges().set_index("relation")
    >>> table.loc["all", ["crossing", "share"]].tolist()
    [0.0, 0.0]
    """
    rows = []
    for testset in setting.testsets:
        test = data(testset).test
        tokens = attachment_scores(test, test["head"].to_numpy(), punctuation=False).tokens
        labels = table6_relations(relations(testset), (tokens["gold_head"] == 0).to_numpy())
        scored = (tokens["counts_as"] != "not scored").to_numpy()
        words = tokens.loc[scored, ["sentence", "position", "gold_head"]].assign(relation=np.asarray(labels)[scored])
        words["place"] = words.groupby("sentence", sort=False).cumcount() + 1
        places = words.set_index(["sentence", "position"])["place"]
        words["above"] = places.reindex(pd.MultiIndex.from_frame(words[["sentence", "gold_head"]])).to_numpy()
        edges = words.dropna(subset="above").astype({"relation": "str"})
        edges["length"] = (edges["place"] - edges["above"]).abs()
        ends = edges[["place", "above"]].to_numpy(dtype=int)
        sentences = np.split(ends, np.flatnonzero(np.diff(edges["sentence"])) + 1)
        edges["crosses"] = np.concatenate([_crosses(each) for each in sentences])
        groups = [("all", edges), *edges[edges["relation"].ne("nan")].groupby("relation")]
        rows += [(testset, name, len(part), part["length"].mean(), int(part["crosses"].sum()), part["crosses"].mean())
                 for name, part in groups]  # fmt: skip
    return pd.DataFrame(rows, columns=["testset", "relation", "edges", "length", "crossing", "share"])


def _crosses(edges: np.ndarray) -> np.ndarray:
    """Whether each edge of a sentence crosses another: one end of the other lies inside, the other end outside."""
    ends = np.sort(edges, axis=1)
    first, last = ends[:, :1], ends[:, 1:]
    begins_inside = (first < first.T) & (last > first.T) & (last < last.T)
    return np.asarray((begins_inside | begins_inside.T).any(axis=1))


@takes_setting(Setting)
@kept
def loop_rounds(setting: Setting) -> pd.DataFrame:
    """Tags and trees of each round of the loop of CGS, on the test set of the curves.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``testset``, ``round`` (0: the mixture knows no trees yet), ``VM`` (fine tags, punctuation included),
        ``directed``, as proportions. Without CGS, or with one round only, there is no row.

    References
    ----------
    Gelling et al. (2012), section 5.3; Christodoulopoulos et al. (2012).
    """
    testset, columns = setting.curve_testset, ["testset", "round", "VM", "directed"]
    if not setting.cgs_rounds or "CGS" not in {run.system for run in systems(testset, setting, "joint")}:
        return pd.DataFrame(columns=columns)
    run, (text, _, _) = run_named(testset, "CGS", "joint", setting), data(testset)
    trees = {name: run.choices[name] for name in ("iterations", "max_length", "normalise")}

    def induce_trees(tagged: pd.DataFrame) -> tuple[np.ndarray, dict[str, Any]]:
        model, clustered = on_clusters(text, tagged["cluster"], **trees)
        return model.fit(clustered).parse(clustered).heads.astype(np.int32), {}

    mixture = MultinomialMixture(run.k or 1, run.choices["sweeps"], progress=False,
                                 random_state=run.choices["random_state"])  # fmt: skip
    loop = class_tree_loop(text, mixture, induce_trees, rounds=run.choices["rounds"],
                           words=~find_punctuation(text, "form").mask)  # fmt: skip
    scored = text["scored"].to_numpy()
    gold, test = text["fine"].astype("str")[scored], data(testset).test
    rows = [
        (testset, number, float(v_measure(gold, labels[scored])),
         attachment_scores(test, heads[scored], punctuation=False).directed.value)
        for number, (labels, heads) in enumerate(zip(loop.labels, loop.heads, strict=True))
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)
