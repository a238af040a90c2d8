"""Explorers for inflection models (Kodner, Khalifa, Payne & Liu 2023)."""

from typing import Any

import ipywidgets as widgets
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.explore.base import Explorer, dropdown, made_by_call, panels
from analysis.figures import forest_plot, learning_curves, stacked_bars
from analysis.figures.style import floats
from analysis.inflection import items_by_size, kinds_by_size
from analysis.inflection import wug_test as explain_word
from analysis.papers.kodner2023 import tables
from analysis.papers.kodner2023.runs import runs
from analysis.papers.kodner2023.setting import CLUZH, LANGUAGES, MODELS, STRATEGIES, Setting, sizes
from analysis.papers.kodner2023.setting import draw as draw_sample
from analysis.papers.recipe import in_percent
from analysis.statistics.regressions import Regression

TERMS = (
    "language * model * size * strategy",
    "language * model * size",
    "language + model + size + strategy",
    "model * size",
    "size",
)
RESPONSES = {"accuracy": "accuracy", "score range": "range", "seed deviation": "deviation"}


def _numbers(table: pd.DataFrame, columns: list[str]) -> str:
    rows = table[columns].head(12).itertuples(index=False, name=None)
    return "; ".join(", ".join(f"{v:.3g}" if isinstance(v, float) else str(v) for v in row) for row in rows)


@made_by_call
def training_samples(corpus: str = "lexical") -> Explorer:
    """Draw a sample and see which items enter at each size, their frequencies, and how many are irregular.

    Parameters
    ----------
    corpus : str
        ``"lexical"`` or ``"sigmorphon2022"``.

    Returns
    -------
    Explorer
        ``value`` maps ``entering`` and ``kinds`` to the tables of `items_by_size` and `kinds_by_size` in
        `analysis.inflection`.
    """

    def compute(language: str, strategy: str, seed: int, share: str) -> dict[str, Any]:
        entering = items_by_size(draw_sample(corpus, language, strategy, seed), language)
        kinds = kinds_by_size(entering).assign(share=lambda table: table[share])
        return {"kinds": kinds, "entering": entering, "language": language}

    def draw(value: dict[str, Any]) -> Figure:
        entering = value["entering"]
        figure, (left, right) = panels(7.4, 3.1, 2)
        shown = value["kinds"].rename(columns={"kind": "type"})
        stacked_bars(shown, x="size", value="share", ax=left, legend=False)
        left.set_ylabel("Share of the training set")
        left.tick_params(axis="x", labelrotation=90)
        right.plot(np.arange(1, len(entering) + 1), entering["frequency"], ".", markersize=2.5)
        white = {"facecolor": "white", "alpha": 0.85, "linewidth": 0, "pad": 0.8}  # words stand among many points
        for place in np.unique(np.linspace(0, len(entering) - 1, 6).astype(int)):
            right.annotate(
                entering["lemma"].iloc[place], (place + 1, entering["frequency"].iloc[place]), fontsize=7, bbox=white,
                xytext=(0, 5), textcoords="offset points", ha="right" if place > 0.9 * len(entering) else "left",
            )  # fmt: skip
        right.set_yscale("log")
        right.set(xlabel="Order of entering", ylabel="Frequency")
        names = list(dict.fromkeys(shown["type"]))
        left.legend(left.containers, names, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize=6.5)
        return figure

    def newcomers(value: dict[str, Any]) -> pd.DataFrame:
        table = value["entering"]
        groups = table.sort_values("frequency", ascending=False, kind="stable").groupby("size")
        words = groups["lemma"].apply(lambda lemmas: ", ".join(lemmas.head(8)))
        middle = table.groupby("size")["frequency"].median()
        return pd.DataFrame({"size": words.index, "median frequency": middle.to_numpy(), "new, most frequent": words})

    return Explorer(
        {
            "language": dropdown("language", LANGUAGES, "English"),
            "strategy": dropdown("sampling", STRATEGIES, "WEIGHTED"),
            "seed": widgets.IntSlider(value=0, min=0, max=49, description="seed"),
            "share": dropdown("share of", ("types", "tokens"), "types"),
        },
        compute,
        draw=draw,
        table=newcomers,
        alt=lambda value: "Bars: share of each kind by size: " + _numbers(value["kinds"], ["size", "kind", "share"]),
    )


@made_by_call
def inflection_curves(corpus: str = "lexical") -> Explorer:
    """See learning curves by language, sampling strategy, number of seeds and interval.

    Parameters
    ----------
    corpus : str

    Returns
    -------
    Explorer
        ``value`` maps ``means`` and ``runs`` to the tables drawn.
    """

    def compute(language: str, model: str, strategy: str, seeds: int, interval: str) -> dict[str, pd.DataFrame]:
        models = tuple(MODELS) if model == "all" else (model,)
        setting = Setting(corpus, seeds=seeds, models=models, languages=(language,))
        means = tables.curves(setting, language, interval=interval)
        drawn = runs(setting)
        return {
            "means": means[means["strategy"] == strategy],
            "runs": drawn[drawn["strategy"] == strategy],
        }

    def draw(value: dict[str, pd.DataFrame]) -> Figure:
        figure, (ax,) = panels(6, 3.4)
        learning_curves(in_percent(value["means"]), in_percent(value["runs"], ["accuracy"]), ax=ax, legend=False)
        names = list(dict.fromkeys(value["means"]["model"]))
        ax.legend(ax.lines[-len(names) :], names, loc="lower right")
        return figure

    return Explorer(
        {
            "language": dropdown("language", LANGUAGES, "English"),
            "model": dropdown("model", ("all", *MODELS), "all"),
            "strategy": dropdown("sampling", STRATEGIES, "WEIGHTED"),
            "seeds": widgets.IntSlider(value=5, min=1, max=20, description="seeds"),
            "interval": dropdown("interval", ("bootstrap", "sd", "range", "none"), "range"),
        },
        compute,
        draw=draw,
        table=lambda value: in_percent(value["means"]).drop(columns=["language", "strategy", "convention"]).round(2),
        alt=lambda value: (
            "Curves: model, size, mean (percent): " + _numbers(in_percent(value["means"]), ["model", "size", "value"])
        ),
    )


@made_by_call
def inflection_errors(corpus: str = "lexical") -> Explorer:
    """See wrong predictions by type, as numbers or proportions, by training size or by model.

    Parameters
    ----------
    corpus : str

    Returns
    -------
    Explorer
        ``value`` is the table of `analysis.papers.kodner2023.errors`.
    """
    real = corpus == "sigmorphon2022"
    models = (*([CLUZH] if real else []), *MODELS)

    def compute(language: str, by: str, model: str, strategy: str, seed: int, value: str) -> pd.DataFrame:
        table = tables.errors(
            Setting(corpus), language, model=model, strategy=strategy, seed=seed, by=by.removeprefix("by ")
        )
        return table.assign(x=table[by.removeprefix("by ")], y=table[value])

    def draw(table: pd.DataFrame) -> Figure:
        several = table["size"].nunique() > 1
        value = "share" if table["y"].equals(table["share"]) else "errors"
        figure, (ax,) = panels(6.4, 3.4)
        stacked_bars(table, x="size" if several else "model", value=value, ax=ax, legend=False)
        names = list(dict.fromkeys(table["type"].astype("str")))
        ax.legend(ax.containers, names, loc="center left", bbox_to_anchor=(1, 0.5), fontsize=7)
        figure.subplots_adjust(right=0.74)
        return figure

    return Explorer(
        {
            "language": dropdown("language", LANGUAGES, "English"),
            "by": dropdown("bars", ("by size", "by model"), "by size"),
            "model": dropdown("model", models, models[0]),
            "strategy": dropdown(
                "sampling", (*(["SIGM22"] if real else []), *STRATEGIES), "SIGM22" if real else "WEIGHTED"
            ),
            "seed": widgets.IntSlider(value=0, min=0, max=9, description="seed"),
            "value": dropdown("show", ("errors", "share"), "errors"),
        },
        compute,
        draw=draw,
        alt=lambda table: (
            "Stacked bars: size, model, type, errors: " + _numbers(table, ["size", "model", "type", "errors"])
        ),
        idle=lambda by, **_: ["model"] if by == "by model" else [],
    )


@made_by_call
def inflection_regressions(corpus: str = "lexical") -> Explorer:
    """Choose response, terms, coding and base levels; see coefficients with intervals, and the residuals.

    Parameters
    ----------
    corpus : str

    Returns
    -------
    Explorer
        ``value`` is a `analysis.statistics.regressions.Regression`.
    """

    def compute(response: str, terms: str, coding: str, language: str, model: str, anova: int) -> Regression:
        base = {name: level for name, level in (("language", language), ("model", model)) if name in terms}
        options: dict[str, Any] = {"terms": terms, "coding": coding, "base_levels": base, "anova": anova}
        if response == "accuracy":
            return tables.accuracy_regression(Setting(corpus), **options)
        return tables.variability_regression(Setting(corpus), RESPONSES[response], **options)

    def draw(fit: Regression) -> Figure:
        shown = fit.coefficients[fit.coefficients["term"].str.contains("size")]
        figure, (left, right) = panels(8.2, 1.2 + 0.2 * max(len(shown), 8), 2, left=0.6)
        figure.subplots_adjust(left=0.42, wspace=0.3)
        forest_plot(shown, ax=left, scale=100, xlabel="Percentage points per 100 items")
        right.axhline(0, color="#7A7A7A", linewidth=0.8)
        right.plot(floats(fit.residuals["fitted"]), floats(fit.residuals["residual"]), ".", markersize=2.5)
        right.set(xlabel="Fitted", ylabel="Residual")
        return figure

    def text(fit: Regression) -> str:
        counts = fit.summary.set_index("quantity")["value"]
        said = ", ".join(f"{name} {counts[name]:,.0f}" for name in ("observations", "columns", "rank"))
        return f"{said}; {fit.coding}" + "".join(f"\n{problem}" for problem in fit.problems)

    models = [name for name in MODELS if name != "Copy"]
    return Explorer(
        {
            "response": dropdown("response", tuple(RESPONSES), "accuracy"),
            "terms": dropdown("terms", TERMS, TERMS[0]),
            "coding": dropdown("coding", ("treatment", "sum"), "treatment"),
            "language": dropdown("base", LANGUAGES, "Arabic"),
            "model": dropdown("base model", models, models[0]),
            "anova": dropdown("variance", [("type 1", 1), ("type 2", 2), ("type 3", 3)], 2),
        },
        compute,
        draw=draw,
        text=text,
        table=lambda fit: fit.anova,
        idle=lambda terms, **_: [name for name in ("language", "model") if name not in terms],
        alt=lambda fit: "Forest plot: term, estimate: " + _numbers(fit.coefficients, ["term", "estimate"]),
    )


@made_by_call
def wug_test(corpus: str = "lexical", lemma: str = "wug") -> Explorer:
    """Type a word that the models have not seen; see the prediction of each model at each size, and the rule applied.

    Parameters
    ----------
    corpus : str
    lemma : str
        The initial word.

    Returns
    -------
    Explorer
        ``value`` is the table of `analysis.inflection.wug_test`.
    """
    asked = {
        f"{language} {features}": (language, features)
        for language in ("English", "German", "Arabic")
        for features in draw_sample(corpus, language, "UNIFORM", 0).ordered["features"].value_counts().index
    }

    def compute(word: str, form: str, strategy: str, seed: int, size: str) -> pd.DataFrame:
        language, features = asked[form]
        table = explain_word(MODELS, draw_sample(corpus, language, strategy, seed), word, features)
        if size == "all":
            return table[table["model"] == "NONNEUR"].reset_index(drop=True)
        chosen = sizes(corpus, language)[0 if size == "smallest" else -1]
        return table[table["size"] == chosen].reset_index(drop=True)

    return Explorer(
        {
            "word": widgets.Text(value=lemma, description="word"),
            "form": dropdown("form", tuple(asked), next(iter(asked))),
            "strategy": dropdown("sampling", STRATEGIES, "WEIGHTED"),
            "seed": widgets.IntSlider(value=0, min=0, max=9, description="seed"),
            "size": dropdown("sizes", ("largest", "smallest", "all"), "largest"),
        },
        compute,
        table=lambda table: table,
    )
