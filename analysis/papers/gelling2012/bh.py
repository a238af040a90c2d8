"""BH as its authors evaluated it: rules, training and rounds on the Penn Treebank, a small grid, stored."""

from collections.abc import Mapping
from math import exp
from typing import Any

import pandas as pd

from analysis.dependencies import attachment_scores, find_punctuation
from analysis.dependencies.models import CCGInduction
from analysis.papers.gelling2012.setting import Setting, data
from analysis.papers.recipe import evaluate_all, stored, takes_setting

#: Directed accuracy in percent that Bisk & Hockenmaier (AAAI 2012) print, trained and scored on sentences of the Penn
#: Treebank of at most 10 words: (rules, training, rounds, derived); two rounds with derived constituents, and, for
#: k-best training with B1 and type-raising, other rounds.
PRINTED: Mapping[tuple[str, str, int, bool], float] = {
    **{(rules, training, 2, True): value for rules, values in {
        "B0": (57.8, 62.2, 55.0), "B1": (51.6, 66.8, 55.3), "B1+TR": (60.6, 71.5, 55.0), "B2": (57.9, 66.0, 57.9),
        "B2+TR": (50.0, 68.8, 56.0),
    }.items() for training, value in zip(("viterbi", "k-best", "full"), values, strict=True)},
    **{("B1+TR", "k-best", rounds, derived): value for (rounds, derived), value in {
        (1, False): 47.5, (1, True): 49.7, (2, False): 71.1, (3, False): 63.5, (3, True): 62.4,
    }.items()},
}  # fmt: skip
#: The same of the usual setting with derived constituents, by the longest sentences that are scored.
PRINTED_LENGTHS: Mapping[str, float] = {"10": 71.5, "20": 60.3}
_USUAL = {"rules": "B1+TR", "training": "k-best", "rounds": 2, "derived": False, "normal_form": False, "n_best": 100,
          "weighting": "probability", "floor": exp(-6), "floor_taken": "equally"}  # fmt: skip
_KEYS = list(_USUAL)
#: What else is tried, one choice after the other, on two rounds without derived constituents.
OTHERS: tuple[dict[str, Any], ...] = (
    {"normal_form": True}, {"normal_form": True, "training": "full"}, {"normal_form": True, "training": "viterbi"},
    {"weighting": "equal"}, {"floor": 0.0},
    {"training": "full"}, {"training": "viterbi"},
)  # fmt: skip


def bh_cells(setting: Setting) -> list[dict[str, Any]]:
    """The settings tried: those with a printed number, and others that the papers leave open.

    Examples
    --------
    >>> len(bh_cells(Setting())), bh_cells(Setting())[0]["rules"]
    (28, 'B0')
    """
    printed = [_USUAL | dict(zip(("rules", "training", "rounds", "derived"), key, strict=True)) for key in PRINTED]
    lengths = [{"derived": True, "scored": scored} for scored in PRINTED_LENGTHS if scored != "10"]
    tried = [*printed, *(_USUAL | other for other in (*OTHERS, *lengths))]
    common = {"tags": setting.bh_tags, "longest": setting.train_length}
    return [{"testset": testset, "version": data(testset).version, **common, "scored": "10", **one}
            for testset in setting.testsets for one in tried]  # fmt: skip


def bh_cell(
    testset: str, version: str, tags: str, longest: int, scored: str, **parameters: Any
) -> dict[str, pd.DataFrame]:
    """Accuracy of BH trained on the short sentences of a test set, on its sentences of at most so many words."""
    tokens = data(testset).tokens
    words = tokens["sentence"][~find_punctuation(tokens).mask].value_counts()
    model = CCGInduction(tags=tags, max_length=longest, **parameters).fit(tokens)
    chosen = words.index if scored == "all" else words.index[words <= int(scored)]
    gold = tokens[tokens["sentence"].isin(chosen)].reset_index(drop=True)
    parses = model.parse(gold, derivations=False)
    scores = attachment_scores(gold, parses.heads, punctuation=False)
    about = {"testset": testset, "tags": tags, "longest": longest, "scored": scored,
             **{name: parameters[name] for name in _KEYS}}  # fmt: skip
    about |= {"trained": model.n_sentences_, "sentences": len(parses.sentences),
              "unparsed": int((~parses.sentences["parsed"]).sum()),
              "iterations": model.n_iter_, "edges": model.n_edges_, "unit": "proportion",
              "log_likelihood": float(model.log_likelihoods_[-1]), "data_version": version}  # fmt: skip
    rows = [{**about, "measure": score.measure, "value": score.value, "numerator": score.numerator,
             "denominator": score.denominator} for score in scores.scores()]  # fmt: skip
    return {"scores": pd.DataFrame(rows)}


@takes_setting(Setting)
def bh_runs(setting: Setting, n_jobs: int = 1) -> pd.DataFrame:
    """Accuracy of BH by rules, training, rounds and what the papers leave open, as a long result table.

    Parameters
    ----------
    setting, **choices
        As for `scores`; its test sets, ``bh_tags`` and ``train_length``.
    n_jobs : int
        Processes; the numbers do not depend on it.

    Returns
    -------
    DataFrame
        ``testset``, the setting, ``trained`` and ``sentences`` (trained on, scored), ``unparsed``, ``iterations``,
        ``edges`` (of all forests), ``log_likelihood``, ``measure``, ``value``, counts.
    """
    return evaluate_all(bh_cell, bh_cells(setting), data="each cell names its own", n_jobs=n_jobs)["scores"]


def bh_settings() -> pd.DataFrame:
    """The stored grid on the Penn sample beside what Bisk & Hockenmaier print for the whole treebank.

    Returns
    -------
    DataFrame
        ``scored`` (longest sentences), ``rules``, ``training``, ``rounds``, ``derived``, ``normal_form``, ``n_best``,
        ``weighting``, ``floor``, ``floor_taken``, ``sentences``, ``unparsed``; ``printed`` and ``recomputed``
        (directed accuracy in percent), ``difference``.
    """
    runs = stored("gelling2012_bh", bh_cell).query("measure == 'directed'").drop(columns="source")
    for name, kind in {"rounds": "int64", "n_best": "int64", "sentences": "int64", "unparsed": "int64",
                       "floor": "float64"}.items():  # fmt: skip
        runs[name] = pd.to_numeric(runs[name]).astype(kind)
    for name in ("derived", "normal_form"):
        runs[name] = runs[name].eq("True")
    found = []
    for row in runs[["scored", *_KEYS]].to_dict("records"):
        key = (row["rules"], row["training"], row["rounds"], row["derived"])
        usual = all(row[name] == _USUAL[name] for name in _KEYS[4:])
        found.append(
            None if not usual else PRINTED.get(key) if row["scored"] == "10" else PRINTED_LENGTHS[row["scored"]]
        )
    table = runs[["scored", *_KEYS, "sentences", "unparsed"]].assign(printed=pd.array(found, dtype="Float64"))
    table["recomputed"] = 100 * runs["value"]
    table["difference"] = table["recomputed"] - table["printed"]
    return table.reset_index(drop=True)
