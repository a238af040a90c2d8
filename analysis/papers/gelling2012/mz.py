"""MZ: its scores on the treebanks beside the printed ones, and what each of its parts does; stored."""

from collections.abc import Mapping
from time import process_time
from typing import Any

import pandas as pd

from analysis.dependencies import attachment_scores, find_punctuation
from analysis.dependencies.models import ReducibilityModel, reducibility_scores
from analysis.papers.gelling2012.setting import LEVELS, Setting, data
from analysis.papers.gelling2012.tables import printed_table
from analysis.papers.recipe import evaluate_all, stored, takes_setting

USUAL = "usual"
#: What is changed, one choice after the other. With a large alpha edges, with a large beta fertilities are no evidence.
VARIANTS: Mapping[str, dict[str, Any]] = {
    USUAL: {},
    "no reducibility": {"delta": 0.0}, "no distance": {"gamma": 0.0}, "no fertility": {"beta": 1e6},
    "no edges": {"alpha": 1e6}, "alpha 1": {"alpha": 1.0}, "beta 0.01": {"beta": 0.01},
    "left and right apart": {"directed": True, "fertility": "pair"}, "lexical fertility": {"lexical": True},
    "annealed": {"decoding": "annealed"}, "200 sweeps": {"sweeps": 200},
}  # fmt: skip
#: Test sets on which that is done.
PARTS_OF = ("danish", "en-childes", "en-ptb")
_SHORT = 10  # words of the sentences on which that is done
_ALL, _FEW = "all", "short"


def mz_cells(setting: Setting, seeds: int, sentences: int) -> list[dict[str, Any]]:
    """MZ on all the text with each level of tags, and its parts on short sentences with fine tags.

    Examples
    --------
    >>> cells = mz_cells(Setting(corpus="nursery"), seeds=2, sentences=100)
    >>> [(cell["testset"], cell["variant"], cell["level"]) for cell in cells]
    [('nursery', 'usual', 'coarse'), ('nursery', 'usual', 'fine'), ('nursery', 'usual', 'universal')]
    """
    whole: list[dict[str, Any]] = [
        {"testset": testset, "variant": USUAL, "level": level, "seed": setting.seed, "longest": None,
         "sentences": None} for testset in setting.testsets for level in LEVELS.values()]  # fmt: skip
    parts: list[dict[str, Any]] = [
        {"testset": testset, "variant": variant, "level": "fine", "seed": seed, "longest": _SHORT,
         "sentences": sentences} for testset in PARTS_OF if testset in setting.testsets
        for variant in VARIANTS for seed in range(seeds)]  # fmt: skip
    return [{**cell, "version": data(cell["testset"]).version, "sweeps": setting.mz_sweeps} for cell in whole + parts]


def mz_cell(
    testset: str,
    version: str,
    variant: str,
    level: str,
    seed: int,
    longest: int | None,
    sentences: int | None,
    sweeps: int,
) -> dict[str, pd.DataFrame]:
    """Scores of MZ on the scored sentences among those it is trained on: at most so many, the scored ones first."""
    text = data(testset).tokens
    scores = reducibility_scores(text, tags=level)
    words = text["sentence"][~find_punctuation(text).mask].value_counts()
    short = words.index[words <= (longest or words.max())]
    scored = text.groupby("sentence")["scored"].first()
    order = scored[scored.index.isin(short)].sort_values(ascending=False, kind="stable").index[:sentences]
    tokens = text[text["sentence"].isin(order)].reset_index(drop=True)
    started = process_time()
    parameters = {"sweeps": sweeps, "random_state": seed} | VARIANTS[variant]
    model = ReducibilityModel(tags=level, **parameters).fit(tokens, reducibility=scores)
    seconds = process_time() - started
    chosen = tokens["scored"].to_numpy()
    gold, heads = tokens[chosen].reset_index(drop=True), model.heads_[chosen]
    about = {"testset": testset, "variant": variant, "level": level, "seed": str(seed),
             "trained": _ALL if longest is None else _FEW, "sentences": model.n_sentences_,
             "n_grams": len(scores), "reducible": int((scores["reducible"] > 0).sum()), "seconds": seconds,
             "data_version": version, "unit": "proportion",
             "convention": "; ".join(f"{name}={value}" for name, value in parameters.items())}  # fmt: skip
    rows = [{**about, "scored": name, "measure": score.measure, "value": score.value, "numerator": score.numerator,
             "denominator": score.denominator}
            for name, most in ((_ALL, None), (_FEW, _SHORT))
            for score in attachment_scores(gold, heads, max_length=most, punctuation=False).scores()]  # fmt: skip
    return {"scores": pd.DataFrame(rows)}


@takes_setting(Setting)
def mz_runs(setting: Setting, *, seeds: int = 3, sentences: int = 1000, n_jobs: int = 1) -> pd.DataFrame:
    """Scores of MZ on all the text of the test sets, and of MZ without each of its parts, as a long result table.

    Parameters
    ----------
    setting, **choices
        As for `scores`; its test sets, ``mz_sweeps`` and ``seed``.
    seeds : int
        Of the runs without a part, numbered from 0; they are made on `PARTS_OF`, with fine tags, on sentences of at
        most 10 words.
    sentences : int
        At most so many such sentences, those of the test set first.
    n_jobs : int
        Processes; the numbers do not depend on it.

    Returns
    -------
    DataFrame
        ``testset``, ``variant`` (of `VARIANTS`), ``level`` of tags, ``seed``, ``trained`` (all, short: which
        sentences), ``sentences`` (number of those), ``n_grams`` and ``reducible`` (n-grams of tags in all the text;
        those of which an occurrence can be left out), ``seconds`` (of a processor), ``scored`` (all, short: sentences
        of at most 10 tokens), ``measure``, ``value``, counts.
    """
    cells = mz_cells(setting, seeds, sentences)
    return evaluate_all(mz_cell, cells, data="each cell names its own", n_jobs=n_jobs)["scores"]


def mz_settings() -> pd.DataFrame:
    """The stored runs of MZ: on all the text beside the printed Table 3, and what each of its parts does.

    Returns
    -------
    DataFrame
        ``testset``, ``trained`` (all the text, or its short sentences), ``variant``, ``level``, ``sentences``,
        ``n_grams``, ``reducible``; in percent ``directed`` (mean over the seeds), its ``deviation`` (of the sample) and
        ``change`` (of the mean, from the usual one), ``NED``, ``printed`` (directed); ``n`` (seeds).
    """
    runs = stored("gelling2012_mz", mz_cell).query("scored == 'all'")
    for name in ("sentences", "n_grams", "reducible"):
        runs[name] = pd.to_numeric(runs[name]).astype("int64")
    keys = ["testset", "trained", "variant", "level", "sentences", "n_grams", "reducible"]
    runs["value"] = 100 * runs["value"].astype("float64")
    values = runs.groupby([*keys, "measure"], sort=False)["value"].agg(["mean", "std", "size"]).unstack("measure")
    table = pd.DataFrame({"directed": values["mean"]["directed"], "deviation": values["std"]["directed"],
                          "NED": values["mean"]["NED"], "n": values["size"]["directed"]}).reset_index()  # fmt: skip
    usual = table[table["variant"] == USUAL].set_index(["testset", "trained", "level"])["directed"]
    at = pd.MultiIndex.from_frame(table[["testset", "trained", "level"]])
    table["change"] = (table["directed"] - usual.reindex(at).to_numpy()).where(table["variant"] != USUAL)
    theirs = printed_table(3).query("measure == 'directed'").set_index(["testset", "system"])["value"]
    letters = {level: letter for letter, level in LEVELS.items()}
    names = pd.MultiIndex.from_arrays([table["testset"], "MZ-" + table["level"].map(letters)])
    found = theirs.reindex(names).to_numpy(dtype="float64", na_value=float("nan"))
    table["printed"] = pd.Series(found, index=table.index).where(table["trained"] == _ALL)
    return table[[*keys, "directed", "deviation", "change", "NED", "printed", "n"]]
