"""The numbers behind the paper's figures and text, as tidy tables."""

from collections.abc import Mapping, Sequence
from itertools import product

import pandas as pd

from analysis.corpora.folders import data_folder
from analysis.inflection import classify_errors, error_counts, learning_curve, seed_variability
from analysis.inflection.errors import german
from analysis.papers.kodner2023.runs import (
    all_runs,
    development_runs,
    given_predictions,
    given_runs,
    predictions,
    runs,
)
from analysis.papers.kodner2023.setting import (
    CLUZH,
    DEV,
    LANGUAGES,
    STRATEGIES,
    Setting,
    development_items,
    pool,
    shown_sizes,
    sizes,
    version,
)
from analysis.papers.recipe import check_known, in_percent, kept, printed, takes_setting
from analysis.statistics.intervals import wilson
from analysis.statistics.regressions import Regression, binomial_regression, linear_regression, mixed_regression
from analysis.structures import results_table

TERMS = "language * model * size * strategy"


@takes_setting(Setting)
def scores(setting: Setting) -> pd.DataFrame:
    """Every run as a long result table, with Wilson intervals of the single test set.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        The columns of `analysis.structures.results_table`, and ``unit``, ``language``, ``strategy``, ``size``.
    """
    table = all_runs(setting).rename(columns={"model": "system", "accuracy": "value", "right": "numerator"})
    table[["lower", "upper"]] = wilson(table["numerator"], table["n"])[["lower", "upper"]].to_numpy()
    versions = {language: version(setting.corpus, language) for language in setting.languages}
    table = table.assign(corpus=setting.corpus, measure="accuracy", denominator=table["n"],
                         convention="exact match; Wilson interval, 95%",
                         data_version=table["language"].map(versions))  # fmt: skip
    return results_table(table.to_dict("records"))


@takes_setting(Setting)
def curves(setting: Setting, language: str | None = None, interval: str = "bootstrap") -> pd.DataFrame:
    """Learning curves of a language: the mean over seeds, with an interval (Figures 1 to 3).

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    language : str, optional
        By default all.
    interval : {"bootstrap", "sd", "range", "none"}

    Returns
    -------
    DataFrame
        ``language``, ``model``, ``strategy``, ``size``, ``value``, ``lower``, ``upper``, ``n``, ``convention``,
        ``unit``.
    """
    table = all_runs(setting)
    parts = [table[table["language"] == name] for name in ([language] if language else setting.languages)]
    return pd.concat([learning_curve(part, interval=interval, resamples=2000) for part in parts], ignore_index=True)


@takes_setting(Setting)
def strategy_difference(setting: Setting, model: str = "NONNEUR") -> pd.DataFrame:
    """By how much UNIFORM exceeds WEIGHTED at each size, over samples with the same seeds.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    model : str
        Name of a model.

    Returns
    -------
    DataFrame
        ``language``, ``size``, ``UNIFORM``, ``WEIGHTED``, ``value`` (the difference), ``lower``, ``upper`` (bootstrap
        of the mean over seeds, 95%), ``n`` and ``unit``.
    """
    table = runs(setting).query("model == @model")
    wide = table.pivot(index=["language", "size", "seed"], columns="strategy", values="accuracy").reset_index()
    curve = learning_curve(wide.assign(accuracy=wide["UNIFORM"] - wide["WEIGHTED"]), by=["language"], resamples=2000)
    means = wide.groupby(["language", "size"], sort=False)[list(STRATEGIES)].mean().reset_index()
    return means.merge(curve.drop(columns="convention"), on=["language", "size"])


@takes_setting(Setting)
@kept
def development(setting: Setting) -> pd.DataFrame:
    """Accuracy on the development items at the smallest and the largest size; the columns of `runs`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame

    References
    ----------
    Kodner et al. (2023), section "Quantitative Analysis".
    """
    cells = product(setting.languages, STRATEGIES, range(setting.seeds))
    tables = [development_runs(setting.corpus, *cell, setting.models) for cell in cells]
    return pd.concat(tables, ignore_index=True)


@takes_setting(Setting)
def variability(setting: Setting) -> pd.DataFrame:
    """Score range and random seed variability of each language, model, strategy and size; see `seed_variability`.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
    """
    return seed_variability(_learners(runs(setting)))


@takes_setting(Setting)
def mean_variability(setting: Setting, by: Sequence[str] = ("language",)) -> pd.DataFrame:
    """Mean accuracy, range and deviation over the cells of `variability`; each language is weighted by its number of
    sizes.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    by : sequence of str
        Factors by which the table is grouped.

    Returns
    -------
    DataFrame
    """
    factors = ["model", *[name for name in by if name != "model"]]
    means = variability(setting).groupby(factors, sort=False)[["mean", "range", "deviation"]].mean().reset_index()
    return means.assign(unit="proportion")


@takes_setting(Setting)
def pools(setting: Setting) -> pd.DataFrame:
    """Number of items of each language, and how UNIFORM and WEIGHTED divide them.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``language``, ``pool``, ``largest`` (training set), ``dev``, ``test``, ``printed_pool`` (the sum of the sizes
        that the paper prints).
    """
    facts = printed("kodner2023", "claims").query(
        "quantity in ['maximum training+fine-tuning set', 'test set size'] and sampling != 'SIGM22'"
    )
    rows = [
        (one, len(pool(setting.corpus, one)), sizes(setting.corpus, one)[-1], development_items(setting.corpus, one))
        for one in setting.languages
    ]
    table = pd.DataFrame(rows, columns=["language", "pool", "largest", "dev"])
    return table.assign(
        test=table["pool"] - table["largest"] - table["dev"],
        printed_pool=table["language"].map(facts.groupby("language")["value"].sum() + DEV),
    )


@takes_setting(Setting)
def errors(
    setting: Setting,
    language: str = "English",
    model: str | None = None,
    strategy: str | None = None,
    seed: int = 0,
    by: str = "size",
) -> pd.DataFrame:
    """Numbers of wrong predictions by type, at each size or for each model at the largest size (Figures 4 to 9).

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    language : str
    model : str, optional
        With ``by="size"``: by default "CLUZH (2022)" if the SIGMORPHON data are available, NONNEUR otherwise.
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
    strategy = strategy or ("SIGM22" if setting.real else "WEIGHTED")
    given = [CLUZH] if setting.real and strategy == "SIGM22" else []
    first = model or (given or ["NONNEUR"])[0]
    cells = {
        "size": [(first, size) for size in shown_sizes(setting.corpus, language)],
        "model": [(name, sizes(setting.corpus, language)[-1]) for name in (*given, *setting.models)],
    }
    check_known([by], cells, "by is")
    frames = []
    for name, size in cells[by]:
        about = {"language": language, "model": name, "strategy": strategy, "seed": 0 if given else seed, "size": size}
        found = _classed(language, predictions(setting.corpus, language, strategy, about["seed"], name, size))
        frames.append(error_counts(found).assign(**about)[[*about, "type", "errors", "share", "items"]])
    return pd.concat(frames, ignore_index=True)


def _classed(language: str, items: pd.DataFrame) -> pd.DataFrame:
    return classify_errors(language, items["lemma"], items["form"], items["predicted"])


@takes_setting(Setting)
def all_errors(setting: Setting) -> pd.DataFrame:
    """`errors` of all languages, by size and by model."""
    frames = [errors(setting, name, by=by).assign(by=by) for name in LANGUAGES for by in ("size", "model")]
    return pd.concat(frames, ignore_index=True)


def second_reader(examples: bool = False) -> pd.DataFrame:
    """Agreement of the rules with a reader who did not see their output, on errors of CLUZH (2022).

    Parameters
    ----------
    examples : bool
        Whether to return each error with both labels instead of the counts.

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
    path, frames = data_folder() / "inflection" / "second_reader.csv", []
    labels = pd.read_csv(path, keep_default_na=False, encoding="utf-8")
    for (language, size), rows in labels.groupby(["language", "size"], sort=False):
        items = given_predictions(str(language), CLUZH, int(size)).iloc[rows["line"].to_numpy() - 1]
        frames.append(pd.concat([rows.reset_index(drop=True), _classed(str(language), items)], axis=1))
    table = pd.concat(frames, ignore_index=True).rename(columns={"label": "reader", "type": "rules"})
    table["agree"] = table["reader"] == table["rules"].astype("str")
    if examples:
        return table[["language", "set", "size", "line", "lemma", "form", "predicted", "reader", "rules", "agree"]]
    counts = table.groupby(["set", "language"], sort=True)["agree"].agg(agree="sum", n="size").reset_index()
    return pd.concat([counts, wilson(counts["agree"], counts["n"])], axis=1)


@takes_setting(Setting)
def german_patterns(setting: Setting) -> pd.DataFrame:
    """How many plurals of the German pool follow each pattern, by gender.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``pattern``, ``FEM``, ``MASC``, ``NEUT``, ``all``.
    """
    table = pool(setting.corpus, "German")
    found = [german.plural_pattern(lemma, form)[0] for lemma, form in zip(table["lemma"], table["form"], strict=True)]
    gender = table["features"].str.extract(r"\b(FEM|MASC|NEUT)\b")[0].to_numpy()
    counts = pd.crosstab(pd.Series(found, name="pattern"), pd.Series(gender, name="gender"))
    counts = counts.reindex(list(german.TYPES), fill_value=0).assign(all=lambda wide: wide.sum(axis=1))
    return counts.rename_axis(columns=None).reset_index()


@takes_setting(Setting)
def accuracy_regression(
    setting: Setting,
    terms: str = TERMS,
    data: pd.DataFrame | None = None,
    coding: str = "treatment",
    base_levels: Mapping[str, str] | None = None,
    categorical: Sequence[str] = (),
    anova: int = 2,
) -> Regression:
    """Accuracy (percentage points) by language, model, training size and strategy, as in the paper, with our models.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    terms : str
        Right-hand side of the formula.
    data : DataFrame, optional
        Runs to use instead of those of the setting, with accuracies as proportions.
    coding, base_levels, categorical, anova
        Of `analysis.statistics.regressions.linear_regression`.

    Returns
    -------
    Regression

    References
    ----------
    Kodner et al. (2023), section "Effect of training size".
    """
    table = _learners(runs(setting)) if data is None else data
    return linear_regression(
        in_percent(table, ["accuracy"]), "accuracy", terms, coding=coding,
        base_levels=base_levels, categorical=categorical, anova=anova,
    )  # fmt: skip


@takes_setting(Setting)
def variability_regression(
    setting: Setting,
    response: str = "range",
    terms: str = TERMS,
    coding: str = "treatment",
    base_levels: Mapping[str, str] | None = None,
    categorical: Sequence[str] = (),
    anova: int = 2,
) -> Regression:
    """Score range or seed deviation (percentage points) by the same factors.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    response : {"range", "deviation"}
    terms, coding, base_levels, categorical, anova
        As for `accuracy_regression`.

    Returns
    -------
    Regression

    References
    ----------
    Kodner et al. (2023), section "Variation across random seeds".
    """
    check_known([response], ("range", "deviation"), "response is")
    return linear_regression(
        in_percent(variability(setting), [response]), response, terms, coding=coding, base_levels=base_levels,
        categorical=categorical, anova=anova,
    )  # fmt: skip


@takes_setting(Setting)
def counts_regression(setting: Setting, terms: str = TERMS) -> Regression:
    """Binomial regression of right answers, given the number of test items, with estimated dispersion.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    terms : str
        Right-hand side of the formula.

    Returns
    -------
    Regression
    """
    return binomial_regression(_learners(runs(setting)), "right", "n", terms)


@takes_setting(Setting)
def sample_regression(setting: Setting, terms: str = "model * size * strategy") -> Regression:
    """Accuracy (percentage points) with random intercepts (1 | language) + (1 | sample).

    A sample is a language, a strategy and a seed.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    terms : str
        Right-hand side of the formula.

    Returns
    -------
    Regression
    """
    table = _learners(runs(setting))
    sample = table["language"] + " " + table["strategy"] + " " + table["seed"].astype("str")
    # points from the counts: the optimum depends on the last digit
    return mixed_regression(table.assign(sample=sample, accuracy=100 * table["right"] / table["n"]), "accuracy", terms)


def given_regression(
    coding: str = "treatment", base_levels: Mapping[str, str] | None = None, anova: int = 2
) -> Regression:
    """Accuracy (percentage points) by language, model and size on SIGM22.

    The models are CLUZH (2022), NONNEUR and the published neural baseline. With treatment coding and the bases Arabic
    and CLUZH it gives slopes like the paper's 0.02, 0.03 and 0.07, which come from other runs.

    Parameters
    ----------
    coding : str
        Coding of the factors: treatment or sum.
    base_levels : mapping of str to str, optional
        Base level of factors.
    anova : int
        Type of the analysis of variance.

    Returns
    -------
    Regression
    """
    table = in_percent(given_runs(corpus="sigmorphon2022", models=("NONNEUR",)), ["accuracy"])
    return linear_regression(
        table, "accuracy", "language * model * size", coding=coding, base_levels=base_levels, anova=anova
    )


@takes_setting(Setting)
def regressions(setting: Setting) -> pd.DataFrame:
    """Every regression of the paper and two more, one row per coefficient.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        ``regression``, the columns of `Regression.coefficients`, ``n``, ``rank``, ``convention`` (coding),
        ``problems`` and ``unit``.
    """
    fits = {
        "accuracy": accuracy_regression(setting),
        "score range": variability_regression(setting, "range"),
        "seed deviation": variability_regression(setting, "deviation"),
        "right answers (binomial)": counts_regression(setting),
        "accuracy (mixed)": sample_regression(setting),
        **({"accuracy on SIGM22": given_regression()} if setting.real else {}),
    }
    frames = {
        name: fit.coefficients.assign(
            n=int(fit.quantity("observations")),
            rank=int(fit.quantity("rank")),
            convention=fit.coding,
            problems="; ".join(fit.problems),
            unit="log odds" if "binomial" in name else "percentage points",
        )
        for name, fit in fits.items()
    }
    return pd.concat(frames, names=["regression"]).reset_index(level=0).reset_index(drop=True)


def _learners(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out the copy baseline, which learns nothing."""
    return table[table["model"] != "Copy"].reset_index(drop=True)
