"""BC of the trees by sweep: chains of the tree substitution grammar and the vote over them, stored."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.dependencies import attachment_scores, find_punctuation
from analysis.dependencies.models import DMV, TreeSubstitutionGrammar
from analysis.dependencies.models.tree_substitution import joined_runs
from analysis.experiments import cache_key, cached
from analysis.experiments.saved_models import model_bytes, model_from
from analysis.papers.gelling2012.setting import Setting, data, grammar_tags
from analysis.papers.recipe import evaluate_all, printed, stored, takes_setting

STEPS = (10, 20, 50, 100, 200)
VOTE = "vote"


def bc_cells(setting: Setting, runs: int, steps: tuple[int, ...]) -> list[dict[str, Any]]:
    """One cell a test set.

    Examples
    --------
    >>> [cell["tags"] for cell in bc_cells(Setting(), 2, (10,))]
    ['fine']
    """
    common = {"longest": setting.train_length, "normalise": setting.normalise, "iterations": setting.iterations}
    return [{"testset": testset, "version": data(testset).version, **common, "runs": runs, "steps": tuple(steps),
             "tags": grammar_tags(testset, setting.tsg_tags, setting.most_tags)}
            for testset in setting.testsets]  # fmt: skip


def bc_cell(
    testset: str, version: str, tags: str, longest: int, normalise: Any, iterations: int, runs: int,
    steps: tuple[int, ...],
) -> dict[str, pd.DataFrame]:  # fmt: skip
    """Scores of each chain and of their vote after some of the sweeps, and of H and DMV on the same sentences."""
    tokens = data(testset).tokens
    words = tokens["sentence"][~find_punctuation(tokens).mask].value_counts()
    chosen = tokens["sentence"].isin(words.index[words <= longest])
    text = tokens[chosen].reset_index(drop=True)
    short = tokens[chosen & tokens["scored"]].reset_index(drop=True)
    golds = {str(longest): short, "all": data(testset).test}
    about = {"testset": testset, "tags": tags, "longest": longest, "normalise": normalise,
             "trained": text["sentence"].nunique(), "data_version": version}  # fmt: skip
    rows: list[dict[str, Any]] = []

    def score(system: str, run: str, step: int, scored: str, heads: np.ndarray, **more: Any) -> None:
        gold = golds[scored]
        found = attachment_scores(gold, heads, punctuation=False).scores()
        rows.extend({**about, "system": system, "run": run, "step": step, "scored": scored,
                     "sentences": gold["sentence"].nunique(), "measure": one.measure, "value": one.value,
                     "unit": "proportion", "numerator": one.numerator, "denominator": one.denominator, **more}
                    for one in found)  # fmt: skip

    for name, number in (("H", 0), ("DMV", iterations)):
        model = DMV(iterations=number, normalise=normalise, max_length=longest, tags=tags).fit(text)
        for scored, gold in golds.items():
            score(name, "", number, scored, model.parse(gold).heads)
    for step in sorted(set(steps)):
        chains = [chain(testset, tags, longest, normalise, run, step, steps) for run in range(runs)]
        for scored, gold in golds.items():
            if scored == "all" and step < max(steps):
                continue
            for run, one in enumerate(chains):
                score("BC", str(run), step, scored, one.parse(gold).heads, seconds=float(one.seconds_.sum()),
                      log_probability=float(one.log_probability_[0, -1]), trees=int(one.trees_[0, -1]),
                      accepted=float(one.accepted_[0, -10:].mean()))  # fmt: skip
            score("BC", VOTE, step, scored, joined_runs(chains).parse(gold).heads)
    return {"scores": pd.DataFrame(rows)}


def chain(
    testset: str, tags: str, longest: int, normalise: str, run: int, step: int, steps: tuple[int, ...]
) -> TreeSubstitutionGrammar:
    """A chain after so many sweeps, going on from the last of `steps` before; each is stored in the cache.

    More sweeps or more runs, asked for later, go on from what is stored.
    """
    parameters: dict[str, Any] = {"tags": tags, "max_length": longest, "normalise": normalise, "random_state": run}
    which = {"testset": testset, **parameters, "sweeps": step}
    key = cache_key(data=data(testset).version, parameters=which, function=TreeSubstitutionGrammar)

    def compute() -> bytes:
        tokens = data(testset).tokens
        before = max((other for other in steps if other < step), default=None)
        so_far = None if before is None else chain(testset, tags, longest, normalise, run, before, steps)
        model = TreeSubstitutionGrammar(sweeps=step, runs=1, progress=False, **parameters)
        return model_bytes(model.fit(tokens, resume=so_far))

    found = model_from(cached("gelling2012_bc", key, compute))
    assert isinstance(found, TreeSubstitutionGrammar)
    return found


@takes_setting(Setting)
def bc_runs(setting: Setting, runs: int = 5, steps: tuple[int, ...] = STEPS, n_jobs: int = 1) -> pd.DataFrame:
    """Accuracy of BC of the trees by sweep, of each chain and of the vote over them, as a long result table.

    A call that was interrupted, or is made again with more sweeps or more runs, goes on from the chains in the cache.
    The plan of the suite is 5 runs of 200 sweeps on all ten treebanks:
    ``gelling2012.bc_runs(corpus="treebanks", runs=5)``; the paper has 40 runs, its method 1,000 sweeps.

    Parameters
    ----------
    setting, **choices
        As for `scores`; its test sets, ``train_length``, ``normalise``, ``tsg_tags``, ``most_tags``, and, of DMV,
        ``iterations``.
    runs : int
        Chains, with the seeds 0, 1, ...
    steps : tuple of int
        Sweeps after which the chains are scored; whole test sets after the last only.
    n_jobs : int
        Processes; the numbers do not depend on it.

    Returns
    -------
    DataFrame
        ``testset``, ``tags``, ``longest`` and ``trained`` (words, and number, of the training sentences), ``system``
        (BC, DMV, H), ``run`` (a seed, or vote), ``step`` (sweeps, or iterations), ``scored`` (sentences of at most so
        many words without punctuation, or all), ``sentences``, ``measure``, ``value``, counts; of a chain ``seconds``
        (all its sweeps), ``log_probability`` (nats), ``trees`` and ``accepted`` (mean of the last ten sweeps).
    """
    cells = bc_cells(setting, runs, steps)
    return evaluate_all(bc_cell, cells, data="each cell names its own", n_jobs=n_jobs)["scores"]


def bc_sweeps() -> pd.DataFrame:
    """The stored chains beside the printed numbers: one row a test set, sentences scored, and number of sweeps.

    Returns
    -------
    DataFrame
        ``testset``, ``tags``, ``trained`` (sentences), ``scored`` (of at most 10 words without punctuation, or all),
        ``sentences``, ``sweeps``, ``runs``; directed accuracy in percent: ``H`` and ``DMV`` on the same sentences,
        ``lowest``, ``mean`` and ``highest`` of the runs, ``vote``, ``printed`` (Table 3, or Table 8, whose ten tokens
        count punctuation); ``over_dmv``, vote minus DMV, in points.
    """
    found = stored("gelling2012_bc", bc_cell).query("measure == 'directed'")
    keys = ["testset", "tags", "trained", "scored", "sentences"]
    others = found[found["system"] != "BC"].pivot(index=keys, columns="system", values="value")
    chains = found[found["system"] == "BC"].rename(columns={"step": "sweeps"})
    single = chains[chains["run"] != VOTE].groupby([*keys, "sweeps"], sort=False)["value"]
    table = single.agg(runs="size", lowest="min", mean="mean", highest="max").reset_index()
    votes = chains[chains["run"] == VOTE].set_index([*keys, "sweeps"])["value"].rename("vote")
    table = table.join(votes, on=[*keys, "sweeps"]).join(others, on=keys)
    accuracy = ["H", "DMV", "lowest", "mean", "highest", "vote"]
    table[accuracy] = 100 * table[accuracy].astype("float64")
    tables = {"all": "table3_dependency", "10": "table8_dependency_len10"}
    named = {scored: printed("gelling2012", name).query("system == 'BC' and measure == 'directed'")
             for scored, name in tables.items()}  # fmt: skip
    values = {(testset, scored): value for scored, one in named.items()
              for testset, value in zip(one["testset"], one["value"], strict=True)}  # fmt: skip
    table["printed"] = [values[key] for key in zip(table["testset"], table["scored"], strict=True)]
    table["over_dmv"] = table["vote"] - table["DMV"]
    kinds = {"trained": "int64", "sentences": "int64", "sweeps": "int64", "printed": "float64"}
    order = [*keys, "sweeps", "runs", *accuracy, "printed", "over_dmv"]
    table = table.astype(kinds)[order]
    return table.sort_values(["testset", "scored", "sweeps"], ignore_index=True)
