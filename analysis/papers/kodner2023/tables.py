"""The numbers behind the paper's figures and text, as tidy tables."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.corpora.folders import data_folder
from analysis.inflection import classify_errors, error_counts, learning_curve, seed_variability
from analysis.inflection.errors.german import TYPES as GERMAN_PATTERNS
from analysis.inflection.errors.german import plural_pattern
from analysis.papers.kodner2023.runs import given_predictions, given_runs, predictions, runs
from analysis.papers.kodner2023.setting import CLUZH, STRATEGIES, Setting, make_setting, pool, sizes, version
from analysis.statistics.intervals import wilson
from analysis.statistics.regressions import (
    Regression,
    binomial_regression,
    linear_regression,
    mixed_regression,
)
from analysis.structures import results_table

TERMS = "language * model * size * strategy"


def all_runs(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Every run of UNIFORM and WEIGHTED and, where the data are at hand, of SIGM22; see `runs` and `given_runs`."""
    chosen = make_setting(setting, choices)
    given = given_runs(chosen)
    drawn = runs(chosen)
    return pd.concat([drawn, given], ignore_index=True) if len(given) else drawn


def scores(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Every run as a long result table, with Wilson intervals of the single test set.

    Returns
    -------
    DataFrame
        The columns of `analysis.structures.results_table`, and ``language``, ``strategy``, ``size``; values are shares.
    """
    chosen = make_setting(setting, choices)
    table = all_runs(chosen)
    bounds = wilson(table["right"], table["n"])
    rows = [
        {
            "system": run.model,
            "corpus": chosen.corpus,
            "measure": "accuracy",
            "value": run.right / run.n,
            "numerator": run.right,
            "denominator": run.n,
            "n": run.n,
            "seed": run.seed,
            "lower": low,
            "upper": high,
            "convention": "exact match; Wilson interval, 95%",
            "data_version": version(chosen.corpus, str(run.language)),
            "language": run.language,
            "strategy": run.strategy,
            "size": items,
        }
        for run, items, low, high in zip(
            table.rename(columns={"size": "items"}).itertuples(), table["size"], bounds["lower"], bounds["upper"],
            strict=True,
        )
    ]  # fmt: skip
    return results_table(rows)


def curves(
    language: str, setting: Setting | None = None, *, interval: str = "bootstrap", **choices: object
) -> pd.DataFrame:
    """Learning curves of a language: the mean over seeds, with an interval (Figures 1 to 3).

    Returns
    -------
    DataFrame
        ``language``, ``model``, ``strategy``, ``size``, ``value`` (percent), ``lower``, ``upper``, ``n``,
        ``convention``.
    """
    table = all_runs(make_setting(setting, choices))
    return learning_curve(table[table["language"] == language], interval=interval, resamples=2000, unit="percent")


def strategy_difference(setting: Setting | None = None, *, model: str = "NONNEUR", **choices: object) -> pd.DataFrame:
    """By how many points UNIFORM exceeds WEIGHTED at each size, over samples with the same seeds.

    Returns
    -------
    DataFrame
        ``language``, ``size``, ``UNIFORM``, ``WEIGHTED``, ``value`` (the difference), ``lower``, ``upper`` (bootstrap
        of the mean over seeds, 95%) and ``n``.
    """
    table = runs(make_setting(setting, choices))
    table = table[table["model"] == model]
    wide = table.pivot(index=["language", "size", "seed"], columns="strategy", values="accuracy").reset_index()
    wide["accuracy"] = wide["UNIFORM"] - wide["WEIGHTED"]
    curve = learning_curve(wide, by=["language"], resamples=2000, unit="points")
    means = wide.groupby(["language", "size"], sort=False)[list(STRATEGIES)].mean().reset_index()
    return means.merge(curve.drop(columns="convention"), on=["language", "size"])


def variability(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Score range and random seed variability of each language, model, strategy and size; see `seed_variability`."""
    chosen = make_setting(setting, choices)
    table = seed_variability(runs(chosen), unit="percent")
    return table[table["model"] != "Copy"].reset_index(drop=True)


def mean_variability(
    setting: Setting | None = None, *, by: Sequence[str] = ("language",), **choices: object
) -> pd.DataFrame:
    """Means of range and deviation over the cells of `variability`; languages weigh by their numbers of sizes."""
    table = variability(setting, **choices)
    factors = ["model", *[name for name in by if name != "model"]]
    return table.groupby(factors, sort=False)[["range", "deviation"]].mean().reset_index()


def errors(
    language: str,
    setting: Setting | None = None,
    *,
    model: str | None = None,
    strategy: str | None = None,
    seed: int = 0,
    by: str = "size",
    **choices: object,
) -> pd.DataFrame:
    """Numbers of wrong predictions by type, at each size or for each model at the largest size (Figures 4 to 9).

    Parameters
    ----------
    language : str
    model : str, optional
        With ``by="size"``: by default "CLUZH (2022)" where the SIGMORPHON data are at hand, NONNEUR otherwise.
    strategy : str, optional
        By default SIGM22 where it is there, else WEIGHTED.
    seed : int
        The sample; 0 as in the paper.
    by : {"size", "model"}

    Returns
    -------
    DataFrame
        ``language``, ``model``, ``strategy``, ``seed``, ``size``, ``type``, ``errors``, ``share``, ``items``. Arabic
        sizes are every second one, as in the paper.
    """
    chosen = make_setting(setting, choices)
    real = chosen.corpus == "sigmorphon2022"
    strategy = strategy or ("SIGM22" if real else "WEIGHTED")
    seed = 0 if strategy == "SIGM22" else seed
    every = sizes(chosen.corpus, language)
    given = [CLUZH] if real and strategy == "SIGM22" else []
    if by == "size":
        shown = every[1::2] if language == "Arabic" else every
        cells = [(model or (given or ["NONNEUR"])[0], size) for size in shown]
    elif by == "model":
        cells = [(name, every[-1]) for name in (*given, *chosen.models)]
    else:
        raise ValueError(f"by is 'size' or 'model', not {by!r}.")
    frames = []
    for name, size in cells:
        table = predictions(chosen.corpus, language, strategy, seed, name, size)
        counted = error_counts(classify_errors(language, table["lemma"], table["form"], table["predicted"]))
        frames.append(counted.assign(language=language, model=name, strategy=strategy, seed=seed, size=size))
    columns = ["language", "model", "strategy", "seed", "size", "type", "errors", "share", "items"]
    return pd.concat(frames, ignore_index=True)[columns]


def second_reader(examples: bool = False) -> pd.DataFrame:
    """How far a reader who did not see what the rules say agrees with them, on errors of CLUZH (2022).

    Parameters
    ----------
    examples : bool
        Give each error with both labels instead of the counts.

    Returns
    -------
    DataFrame
        ``language``, ``set`` (writing: seen when the rules were written; checking: labelled afterwards), ``agree``,
        ``n``, ``value``, ``lower``, ``upper`` (Wilson, 95%).

    Raises
    ------
    NotAtHandError
        Without the SIGMORPHON data: only line numbers and labels are stored here.
    """
    path = data_folder() / "inflection" / "second_reader.csv"
    labels = pd.read_csv(path, keep_default_na=False, encoding="utf-8")
    frames = []
    for (language, size), rows in labels.groupby(["language", "size"], sort=False):
        items = given_predictions(str(language), CLUZH, int(size)).iloc[rows["line"].to_numpy() - 1]
        found = classify_errors(str(language), items["lemma"], items["form"], items["predicted"])
        frames.append(pd.concat([rows.reset_index(drop=True), found], axis=1))
    table = pd.concat(frames, ignore_index=True).rename(columns={"label": "reader", "type": "rules"})
    table["rules"] = table["rules"].astype("str")
    table["agree"] = table["reader"] == table["rules"]
    if examples:
        return table[["language", "set", "size", "line", "lemma", "form", "predicted", "reader", "rules", "agree"]]
    counts = table.groupby(["set", "language"], sort=True)["agree"].agg(agree="sum", n="size").reset_index()
    return pd.concat([counts, wilson(counts["agree"], counts["n"])], axis=1)


def german_patterns(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """How many plurals of the German pool follow each pattern, by gender.

    Returns
    -------
    DataFrame
        ``pattern``, ``FEM``, ``MASC``, ``NEUT``, ``all``.
    """
    chosen = make_setting(setting, choices)
    table = pool(chosen.corpus, "German")
    found = [plural_pattern(lemma, form)[0] for lemma, form in zip(table["lemma"], table["form"], strict=True)]
    gender = table["features"].str.extract(r"\b(FEM|MASC|NEUT)\b")[0].to_numpy()
    counts = pd.crosstab(pd.Series(found, name="pattern"), pd.Series(gender, name="gender"))
    counts = counts.reindex(list(GERMAN_PATTERNS), fill_value=0).assign(all=lambda wide: wide.sum(axis=1))
    return counts.rename_axis(columns=None).reset_index()


def accuracy_regression(
    setting: Setting | None = None, *, terms: str = TERMS, data: pd.DataFrame | None = None, **choices: Any
) -> Regression:
    """Accuracy (percent) by language, model, training size and strategy, as in the paper but with our models.

    Parameters
    ----------
    terms : str
        The formula's right side.
    data : DataFrame, optional
        Runs to use instead of those of the setting.
    **choices
        Of `Setting`, and ``coding``, ``base_levels``, ``categorical``, ``anova`` of
        `analysis.statistics.regressions.linear_regression`.

    References
    ----------
    Kodner et al. (2023), section "Effect of training size".
    """
    options = {name: choices.pop(name) for name in ("coding", "base_levels", "categorical", "anova") if name in choices}
    chosen = make_setting(setting, choices)
    table = _modelled(runs(chosen)) if data is None else data
    options.setdefault("base_levels", {k: v for k, v in chosen.bases.items() if k in terms} or None)
    return linear_regression(table, "accuracy", terms, **options)


def variability_regression(
    response: str, setting: Setting | None = None, *, terms: str = TERMS, **choices: Any
) -> Regression:
    """Score range or seed deviation by the same factors; ``response`` is ``"range"`` or ``"deviation"``.

    References
    ----------
    Kodner et al. (2023), section "Variation across random seeds".
    """
    options = {name: choices.pop(name) for name in ("coding", "base_levels", "categorical", "anova") if name in choices}
    if response not in ("range", "deviation"):
        raise ValueError(f"response is 'range' or 'deviation', not {response!r}.")
    chosen = make_setting(setting, choices)
    return linear_regression(_modelled(variability(chosen)), response, terms, **options)


def counts_regression(setting: Setting | None = None, *, terms: str = TERMS, **choices: Any) -> Regression:
    """Binomial regression of right answers, which knows how many test items there were; dispersion estimated."""
    chosen = make_setting(setting, choices)
    return binomial_regression(_modelled(runs(chosen)), "right", "n", terms)


def sample_regression(
    setting: Setting | None = None, *, terms: str = "model * size * strategy", **choices: Any
) -> Regression:
    """Accuracy with random intercepts (1 | language) + (1 | sample); a sample is a language, a strategy and a seed."""
    chosen = make_setting(setting, choices)
    table = _modelled(runs(chosen))
    table["sample"] = table["language"] + " " + table["strategy"] + " " + table["seed"].astype("str")
    return mixed_regression(table, "accuracy", terms)


def given_regression(**choices: Any) -> Regression:
    """Accuracy by language, model and size on SIGM22: CLUZH (2022), NONNEUR and the published neural baseline.

    With treatment coding and the bases Arabic and CLUZH it gives slopes like the paper's 0.02, 0.03 and 0.07, which
    come from other runs.
    """
    table = given_runs(corpus="sigmorphon2022", models=("NONNEUR",))
    return linear_regression(table, "accuracy", "language * model * size", **choices)


def regressions(setting: Setting | None = None, **choices: object) -> pd.DataFrame:
    """Every regression of the paper and two more, one row a coefficient.

    Returns
    -------
    DataFrame
        ``regression``, the columns of `Regression.coefficients`, ``n``, ``rank``, ``convention`` (coding) and
        ``problems``.
    """
    chosen = make_setting(setting, choices)
    fits = {
        "accuracy": accuracy_regression(chosen),
        "score range": variability_regression("range", chosen),
        "seed deviation": variability_regression("deviation", chosen),
        "right answers (binomial)": counts_regression(chosen),
        "accuracy (mixed)": sample_regression(chosen),
    }
    if chosen.corpus == "sigmorphon2022":
        fits["accuracy on SIGM22"] = given_regression()
    frames = [
        fit.coefficients.assign(
            regression=name,
            n=int(fit.quantity("observations")),
            rank=int(fit.quantity("rank")),
            convention=fit.coding,
            problems="; ".join(fit.problems),
        )
        for name, fit in fits.items()
    ]
    table = pd.concat(frames, ignore_index=True)
    return table[["regression", *[name for name in table.columns if name != "regression"]]]


def _modelled(table: pd.DataFrame) -> pd.DataFrame:
    """Without the copy baseline, which learns nothing and so has nothing to regress on."""
    return table[table["model"] != "Copy"].reset_index(drop=True)
