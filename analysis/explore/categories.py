"""Explorers for word classes without a gold standard (Frank, Goldwater & Keller 2009)."""

from typing import Any, Literal

import ipywidgets as widgets
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.categories import substitutable_precision_recall, substitution_clusters
from analysis.corpora.slashed import read_slashed
from analysis.explore.base import Explorer, dropdown, made_by_call, panels
from analysis.figures import grouped_bars
from analysis.figures import ranked_sizes as draw_ranked_sizes
from analysis.papers.frank2009.runs import labelled_tokens, labels, score_labels, sizes_of, systems
from analysis.papers.frank2009.setting import INVENTORIES, LINKAGES, Setting, data, parts
from analysis.papers.recipe import Run
from analysis.structures import check_choice, encode_labels, scores_table
from analysis.structures.kept import kept

SWEEPS = 50
CLUSTERS = (2, 5, 8, 12, 20, 30, 40, 53, 65, 80)
THRESHOLDS = (0.0003, 0.0005, 0.0009, 0.0013, 0.002, 0.004)
EXAMPLE_TRAINING = """\
the/D cat/N ran/V
the/D dog/N ran/V
we/P like/V to/I sing/V
we/P like/V to/I eat/V"""
EXAMPLE_TEST = """\
the/D cat/N ran/V
the/D dog/N ran/V
we/P like/V to/I eat/V
we/P like/V to/I sing/V"""


def sampled_labels(
    corpus: str,
    model: str,
    k: int,
    *,
    linkage: str = "average",
    threshold: float = 0.0009,
    sentences: int = 10_000,
) -> tuple[pd.Series, pd.Series]:
    """Label the training and test tokens of a sample; labels of unclustered words are missing.

    Parameters
    ----------
    corpus : str
    model : {"Random", "BHMM", "HC", "FF"}
        Random uses the sizes of the collapsed classes for K up to 12, and of the fine tags above.
    k : int
        Number of clusters; not used by Random.
    linkage : str
        Linkage of HC.
    threshold : float
        Threshold of FF.
    sentences : int
        Number of sentences of the training part; the test part has twice as many.
    """
    parameters: dict[str, dict[str, object]] = {
        "BHMM": {"sweeps": SWEEPS, "tagging": "gibbs"},
        "HC": {"linkage": linkage, "targets": Setting(corpus=corpus).targets},
        "FF": {"threshold": threshold},
        "Random": {"gold": "coarse" if k <= 12 else "fine"},
    }
    return labels(corpus, Run(model, "", k, 0, tuple(parameters.get(model, {}).items())), sentences)


def word_class_scores(
    corpus: str,
    model: str,
    k: int,
    *,
    condition: Literal["merge", "split"] = "merge",
    inventory: str = "coarse",
    sentences: int = 10_000,
    **choices: Any,
) -> pd.DataFrame:
    """Compute the five measures for one model with the given choices, on a sample.

    Parameters
    ----------
    corpus, model, k, sentences, **choices
        As for `sampled_labels`.
    condition : {"merge", "split"}
        How unclustered words are treated.
    inventory : {"coarse", "fine"}
        Gold tags of PP, PR and MA.

    Returns
    -------
    DataFrame
        Rows PP, PR, MA, SP, SR: ``measure``, ``value``, ``numerator``, ``denominator``, ``convention``.
    """
    check_choice("inventory", inventory, tuple(INVENTORIES))
    _gold_tags(parts(corpus, sentences).train, corpus, inventory)
    pair = sampled_labels(corpus, model, k, sentences=sentences, **choices)
    found = list(score_labels(corpus, pair, condition, sentences, inventories=[inventory]))
    shown = scores_table([score for _, _, score, *_ in found])
    shown = shown[["measure", "value", "numerator", "denominator", "convention"]]
    return shown.assign(measure=[name for name, *_ in found])


def ranked_sizes(
    corpus: str, model: str, k: int, *, inventory: str = "coarse", sentences: int = 10_000, **choices: Any
) -> pd.DataFrame:
    """Compute cluster sizes in types by rank, for the model and the gold classes, on the sample.

    Unclustered words are left out. Parameters as for `word_class_scores`.

    Returns
    -------
    DataFrame
        ``system``, ``rank``, ``size``.
    """
    train = parts(corpus, sentences).train
    tags = _gold_tags(train, corpus, inventory)
    found, _ = sampled_labels(corpus, model, k, sentences=sentences, **choices)
    both = {"gold": tags.where(found.notna()), model: found}
    sizes = pd.concat(
        [sizes_of(labelled_tokens(train, tags), name, k) for name, tags in both.items()], ignore_index=True
    )
    return sizes[sizes["unit"] == "types"][["system", "rank", "size"]].reset_index(drop=True)


@made_by_call
def word_classes(corpus: str = "nursery", sentences: int = 10_000) -> Explorer:
    """Choose model, K, linkage, frame threshold, merge or split, and gold tags; see the measures and ranked sizes.

    Runs on a sample of whole sentences. The HMM is trained on it with few sweeps, once for each K, and cached.

    Parameters
    ----------
    corpus : str
    sentences : int
        Sentences of the training sample; the test sample has twice as many.

    Returns
    -------
    Explorer
        ``value`` maps ``scores`` and ``sizes`` to the tables of `word_class_scores` and `ranked_sizes`.
    """
    for k in CLUSTERS:
        sampled_labels(corpus, "BHMM", k, sentences=sentences)

    def compute(
        model: str, k: int, linkage: str, threshold: float, condition: Literal["merge", "split"], inventory: str
    ) -> dict[str, pd.DataFrame]:
        choices: dict[str, Any] = {"linkage": linkage, "threshold": threshold, "sentences": sentences}
        scores = word_class_scores(corpus, model, k, condition=condition, inventory=inventory, **choices)
        sizes = ranked_sizes(corpus, model, k, inventory=inventory, **choices)
        return {"scores": scores, "sizes": sizes}

    def draw(value: dict[str, pd.DataFrame]) -> Figure:
        figure, (left, right) = panels(7, 3, 2)
        bars = value["scores"].assign(series="score")
        grouped_bars(bars, x="measure", group="series", ax=left, legend=False, labels=("", "Score"))
        left.set_ylim(0, 1)
        for place, number in enumerate(bars["value"].astype("float64")):
            left.annotate(f"{number:.3g}", (place, number), ha="center", va="bottom", fontsize=7)
        draw_ranked_sizes(
            value["sizes"], ax=right, legend=False, labels=("Cluster, by size", "Word types in the cluster")
        )
        right.legend(loc="upper right")
        right.xaxis.set_major_locator(MaxNLocator(integer=True))
        return figure

    def alt(value: dict[str, pd.DataFrame]) -> str:
        scores = value["scores"]
        numbers = ", ".join(f"{m} {v:.4g}" for m, v in zip(scores["measure"], scores["value"], strict=True))
        largest = value["sizes"].groupby("system", sort=False)["size"].max()
        return f"Bars: {numbers}. Lines: cluster sizes by rank; largest " + ", ".join(
            f"{system} {size}" for system, size in largest.items()
        )

    return Explorer(
        {
            "model": dropdown("model", ("HC", "FF", "BHMM", "Random"), "HC"),
            "k": widgets.SelectionSlider(options=CLUSTERS, value=12, description="K"),
            "linkage": dropdown("HC linkage", LINKAGES, "average"),
            "threshold": widgets.SelectionSlider(
                options=[(f"{100 * share:.2f} %", share) for share in THRESHOLDS],
                value=Setting(corpus=corpus).threshold,
                description="FF frames",
            ),
            "condition": dropdown("unclustered", ("merge", "split"), "merge"),
            "inventory": dropdown("gold tags", tuple(INVENTORIES), "coarse"),
        },
        compute,
        draw=draw,
        text=lambda value: f"{corpus}, a sample of {sentences:,} training sentences",
        table=lambda value: value["scores"].drop(columns="convention"),
        alt=alt,
        idle=lambda model, **_: [name for name, models in _USED.items() if model not in models],
    )


#: Controls of `word_classes` that only some models use.
_USED = {"k": ("HC", "FF", "BHMM"), "linkage": ("HC",), "threshold": ("FF",), "condition": ("HC", "FF")}


@kept(maxsize=2)
def _neighbours(corpus: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, pd.Index]:
    """Encode each token's word and its left and right neighbour (-1 at a sentence boundary); also return the words."""
    train = data(corpus).train
    codes, words = encode_labels(train["form"].astype("str"))
    edge = np.flatnonzero(np.diff(train["sentence"].to_numpy())) + 1
    left, right = np.roll(codes, 1), np.roll(codes, -1)
    left[0] = right[-1] = -1
    left[edge] = -1
    right[edge - 1] = -1
    return codes, left, right, words


def frame_fillers(corpus: str, left: str, right: str, by: str = "coarse") -> pd.DataFrame:
    """Find the words between two words in the training part of a corpus.

    Parameters
    ----------
    corpus : str
    left, right : str
        The frame; upper and lower case are distinguished.
    by : {"coarse", "fine", "BHMM", "HC", "FF"}
        Classes of the fillers: gold tags, or clusters of a model with K = 12.

    Returns
    -------
    DataFrame
        ``filler``, ``cluster``, ``tokens``; the most frequent first.

    Raises
    ------
    ValueError
        If a word of the frame does not occur, or never with exactly one word between.
    """
    codes, before, after, words = _neighbours(corpus)
    found = {}
    for side, word in (("left", left.strip()), ("right", right.strip())):
        places = np.flatnonzero(words == word)
        if not len(places):
            raise ValueError(f"{word!r} ({side} word) does not occur in {corpus}.")
        found[side] = places[0]
    where = np.flatnonzero((before == found["left"]) & (after == found["right"]))
    if not len(where):
        raise ValueError(f"no word occurs between {left!r} and {right!r} in {corpus}.")
    classes = _classes(corpus, by).iloc[where]
    fillers = pd.DataFrame({"filler": words[codes[where]], "cluster": classes.astype("str").to_numpy()})
    counted = fillers.groupby(["filler", "cluster"], observed=True).size().rename("tokens").reset_index()
    return counted.sort_values(["tokens", "filler"], ascending=[False, True], ignore_index=True)


def _first_frame(corpus: str) -> tuple[str, str]:
    """The frame to begin with: to __ it, or the most frequent one of a corpus that lacks it."""
    _, before, after, words = _neighbours(corpus)
    inside = (before >= 0) & (after >= 0)
    left, right = before[inside], after[inside]
    if not len(left) or ((words[left] == "to") & (words[right] == "it")).any():
        return "to", "it"
    pairs, times = np.unique(left.astype(np.int64) * len(words) + right, return_counts=True)
    first, second = divmod(int(pairs[times.argmax()]), len(words))
    return str(words[first]), str(words[second])


@kept(maxsize=8)
def _classes(corpus: str, by: str) -> pd.Series:
    if by in INVENTORIES:
        return _gold_tags(data(corpus).train, corpus, by)
    return labels(corpus, _system(corpus, by, 12))[0].astype("str").fillna("unclustered")


def _gold_tags(tokens: pd.DataFrame, corpus: str, inventory: str) -> pd.Series:
    """The gold tags of an inventory; a corpus of running text has none."""
    if inventory not in tokens:
        raise ValueError(f"{corpus} has no gold tags; frank2009.without_gold(corpus={corpus!r}) ranks models without.")
    return tokens[inventory]


def _system(corpus: str, model: str, k: int) -> Run:
    return next(system for system in systems(Setting(corpus=corpus)) if (system.model, system.k) == (model, k))


@made_by_call
def frames(corpus: str = "nursery") -> Explorer:
    """Type two words and see the words between them, by class and frequency.

    It begins with *to* and *it*, or with the most frequent frame of a corpus that lacks it.

    Parameters
    ----------
    corpus : str

    Returns
    -------
    Explorer
        ``value`` is the table of `frame_fillers`.
    """
    top = 15
    first, second = _first_frame(corpus)

    def draw(value: pd.DataFrame) -> Figure:
        shown = value.head(top)
        bars = pd.DataFrame({"filler": shown["filler"] + " (" + shown["cluster"] + ")", "value": shown["tokens"]})
        figure, axes = panels(6, 0.9 + 0.22 * len(bars), left=1.6)
        grouped_bars(
            bars.assign(series="tokens"),
            x="filler",
            group="series",
            ax=axes[0],
            horizontal=True,
            legend=False,
            labels=("", "Tokens"),
        )
        return figure

    return Explorer(
        {
            "left": widgets.Text(value=first, description="left", layout=widgets.Layout(width="14em")),
            "right": widgets.Text(value=second, description="right", layout=widgets.Layout(width="14em")),
            "by": dropdown("classed by", (*INVENTORIES, "BHMM", "HC", "FF"), "coarse"),
        },
        lambda left, right, by: frame_fillers(corpus, left, right, by),
        draw=draw,
        table=lambda value: value.head(top),
        alt=lambda value: (
            "Bars: tokens of " + ", ".join(f"{r.filler} {r.tokens}" for r in value.head(top).itertuples())
        ),
    )


def cluster_members(corpus: str, model: str, k: int, rank: int = 1) -> pd.DataFrame:
    """List the words of one cluster of a model trained on the whole training part.

    Parameters
    ----------
    corpus : str
    model : {"BHMM", "HC", "FF"}
    k : int
        One of the values of the paper: 12, 53, 80.
    rank : int
        1 for the cluster with most tokens.

    Returns
    -------
    DataFrame
        ``form``, ``tokens`` (of the form in the cluster), ``share`` (of the form's tokens), ``gold`` (its most
        frequent collapsed class there); most frequent first.

    Raises
    ------
    ValueError
        If there is no cluster of that rank.
    """
    train = data(corpus).train
    tags = _gold_tags(train, corpus, "coarse")
    found = labels(corpus, _system(corpus, model, k))[0]
    sizes = found.value_counts()
    if not 1 <= rank <= len(sizes):
        raise ValueError(f"{model} at K={k} has {len(sizes)} clusters; there is none of rank {rank}.")
    inside = (found == sizes.index[rank - 1]).fillna(False).to_numpy(dtype=bool)
    words = pd.DataFrame({"form": train["form"].array[inside].astype("str"), "gold": tags.array[inside]})
    counted = words.groupby("form").size().rename("tokens")
    gold = words.groupby("form", observed=True)["gold"].agg(lambda classes: classes.value_counts().index[0])
    whole = train["form"].value_counts()
    table = counted.to_frame().assign(gold=gold.astype("str"))
    table["share"] = table["tokens"] / whole.loc[table.index].to_numpy()
    table = table.reset_index().sort_values(["tokens", "form"], ascending=[False, True], ignore_index=True)
    return table[["form", "tokens", "share", "gold"]]


@made_by_call
def cluster_contents(corpus: str = "nursery") -> Explorer:
    """See the words of a cluster by frequency, and the gold classes of its tokens.

    Parameters
    ----------
    corpus : str

    Returns
    -------
    Explorer
        ``value`` is the table of `cluster_members`.
    """

    def draw(value: pd.DataFrame) -> Figure:
        classes = value.groupby("gold")["tokens"].sum().sort_values(ascending=False)
        bars = classes.rename("value").reset_index().assign(series="tokens")
        figure, axes = panels(6, 2.4, left=0.8)
        grouped_bars(bars, x="gold", group="series", ax=axes[0], legend=False, labels=("", "Tokens"))
        return figure

    return Explorer(
        {
            "model": dropdown("model", ("BHMM", "HC", "FF"), "BHMM"),
            "k": dropdown("K", (12, 53, 80), 12),
            "rank": widgets.IntSlider(value=1, min=1, max=80, description="cluster"),
        },
        lambda model, k, rank: cluster_members(corpus, model, k, rank),
        offered=lambda model, k, rank: {"rank": int(labels(corpus, _system(corpus, model, k))[0].nunique())},
        draw=draw,
        table=lambda value: value.head(20).round(3),
        alt=lambda value: (
            f"Bars: tokens of the cluster by gold class; {len(value)} word types, "
            f"most frequent {', '.join(value['form'].head(5))}"
        ),
    )


@made_by_call
def substitution_clusters_by_hand() -> Explorer:
    """Edit eight sentences of ``word/cluster`` and see the S-clusters, and precision and recall counted from them.

    Returns
    -------
    Explorer
        ``value`` maps ``result`` to the measure and ``clusters`` to the table of S-clusters.
    """

    def compute(training: str, test: str, minimum_frequency: int, frames_in_training: bool, annotate: bool) -> dict:
        tables = (read_slashed(training, name="training"), read_slashed(test, name="test"))
        choices: dict[str, Any] = {
            "minimum_frequency": minimum_frequency,
            "frames_in_training": frames_in_training,
            "annotate": annotate,
        }
        return {
            "result": substitutable_precision_recall(*tables, **choices),
            "clusters": substitution_clusters(*tables, **choices),
        }

    area = widgets.Layout(width="24em", height="7em")
    return Explorer(
        {
            "training": widgets.Textarea(value=EXAMPLE_TRAINING, description="training", layout=area),
            "test": widgets.Textarea(value=EXAMPLE_TEST, description="test", layout=area),
            "minimum_frequency": widgets.IntSlider(value=2, min=1, max=4, description="at least"),
            "frames_in_training": widgets.Checkbox(value=True, description="frames occur in training"),
            "annotate": widgets.Checkbox(value=True, description="frame words carry clusters"),
        },
        compute,
        text=lambda value: repr(value["result"]),
        table=lambda value: value["clusters"],
    )
