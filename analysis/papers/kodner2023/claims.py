"""Quantities that the claims of the paper are about: one function each, named in ``data/claims/kodner2023.csv``."""

from typing import Any

import pandas as pd

from analysis.inflection import error_types
from analysis.inflection.sampling import FINE_TUNE_SHARE
from analysis.papers.kodner2023.cluzh import TRANSDUCERS
from analysis.papers.kodner2023.setting import STRATEGIES, Setting, development_items, shown_sizes, sizes
from analysis.papers.recipe import Estimate, Evidence, Order, in_percent, order_of
from analysis.statistics.intervals import bootstrap_means

# What the paper sets -------------------------------------------------------------------------------------------------


def chosen(setting: Setting, what: str) -> float:
    """A number that the setting or the suite fixes."""
    first, second, *_ = sizes(setting.corpus, "English")
    numbers = {
        "largest": max(sizes(setting.corpus, name)[-1] for name in setting.languages),
        "seeds": setting.seeds,
        "step": second - first,
        "percent for fine-tuning": 100 * FINE_TUNE_SHARE,
        "percent for training": 100 - 100 * FINE_TUNE_SHARE,
        "development items": min(development_items(setting.corpus, name) for name in setting.languages),
        "strategies": len(STRATEGIES) + setting.real,
        "given splits": setting.real,
        "non-neural models": "NONNEUR" in setting.models,
        "neural models": 1 + len(TRANSDUCERS),  # CHR-TRM, and the two decodings of the transducer
        "beam": TRANSDUCERS["CLUZH-B4"],
        "sound suffixes": sum(name.startswith("Snd>Snd ") and ">" in name[8:] for name in error_types("Arabic")),
        "English classes": len(error_types("English")),
        "German patterns": sum(name != "?" for name in error_types("German")),
    }
    return float(numbers[what])


def training_size(setting: Setting, language: str, place: int = -1) -> float | None:
    """A training size of a language for which errors are classified; by default the largest."""
    shown = shown_sizes(setting.corpus, language)
    return float(shown[place]) if place < len(shown) else None


# What is counted -----------------------------------------------------------------------------------------------------


def items(of: Evidence, part: str, strategy: str, languages: str) -> dict[str, float]:
    """Items of a part (dev, test) of a sample."""
    samples = {name: of("sample", language=name, strategy=strategy) for name in languages.split()}
    return {name: float(len(getattr(sample, part))) for name, sample in samples.items()}


def plural_patterns(of: Evidence, lowest_first: bool = False) -> Order:
    """German plural patterns by the number of nouns that follow them."""
    counts = of("german_patterns").set_index("pattern")["all"].drop("?")
    return order_of(dict(counts), lowest_first=lowest_first)


# Comparisons, in percentage points; each sample is an observation -----------------------------------------------------


def _estimate(values: pd.Series) -> Estimate:
    """The mean over samples: bootstrap interval, and the p-value of a t test against 0."""
    from scipy import stats

    row = bootstrap_means(pd.DataFrame({"of": "", "value": values}), ["of"], "value").iloc[0]
    p = float(stats.ttest_1samp(values, 0).pvalue) if values.std() > 1e-9 else 1.0
    return Estimate(float(row["value"]), float(row["lower"]), float(row["upper"]), p)


def _differences(of: Evidence) -> pd.Series:
    """UNIFORM minus WEIGHTED by language, size and seed."""
    runs = in_percent(of("samplings"), ["accuracy"])
    wide = runs.pivot(index=["language", "size", "seed"], columns="strategy", values="accuracy")
    return wide["UNIFORM"] - wide["WEIGHTED"]


def uniform_over_weighted(of: Evidence) -> Estimate:
    """By how much the mean accuracy under UNIFORM exceeds that under WEIGHTED."""
    return _estimate(_differences(of).groupby("seed").mean())


def languages_by_difference(of: Evidence, smallest_size: bool = False) -> Order:
    """Languages by how much UNIFORM exceeds WEIGHTED, at all sizes or at the smallest."""
    means = _differences(of).groupby(["language", "size"]).mean()
    return order_of(dict(means.groupby("language").first() if smallest_size else means.groupby("language").mean()))


def fall_of_difference(of: Evidence) -> dict[str, Estimate]:
    """By how much the difference is higher at the smallest size than at the largest."""
    return _growth(-_differences(of), ["language"])


def least_difference(of: Evidence) -> Estimate:
    """The smallest difference over languages and sizes."""
    difference = _differences(of)
    lowest: Any = difference.groupby(["language", "size"]).mean().idxmin()
    return _estimate(difference.loc[lowest])


def growth(of: Evidence) -> dict[str, Estimate]:
    """Accuracy at the largest size minus that at the smallest."""
    runs = in_percent(of("samplings"), ["accuracy"])
    return _growth(runs.set_index(["language", "strategy", "seed", "size"])["accuracy"], ["language", "strategy"])


def _growth(values: pd.Series, factors: list[str]) -> dict[str, Estimate]:
    """The value at the largest size minus that at the smallest, over samples."""
    by_sample = values.sort_index(level="size", sort_remaining=False).groupby([*factors, "seed"])
    growths = (by_sample.last() - by_sample.first()).groupby(factors)
    return {" ".join(name): _estimate(part) for name, part in growths}


def coefficient(of: Evidence, regression: str, term: str) -> Estimate | None:
    """A coefficient of a regression over the samplings, in points per item."""
    row = of(regression).estimate(term)
    numbers = [None if pd.isna(row[name]) else float(row[name]) for name in ("estimate", "lower", "upper", "p")]
    return None if numbers[0] is None else Estimate(numbers[0], *numbers[1:])


def languages_by_range(of: Evidence) -> Order:
    """Languages by their mean score range."""
    return order_of(dict(in_percent(of("variability"), ["range"]).groupby("language")["range"].mean()))


def on_development(of: Evidence) -> dict[str, float]:
    """On the development items: UNIFORM minus WEIGHTED, and the largest size minus the smallest, mean over samples."""
    runs = in_percent(of("development"), ["accuracy"])
    runs = runs[runs["model"] == "NONNEUR"]
    strategies = runs.groupby("strategy")["accuracy"].mean()
    ends = runs.sort_values("size").groupby(["language", "strategy", "seed"])["accuracy"].agg(["first", "last"])
    return {"UNIFORM minus WEIGHTED": float(strategies["UNIFORM"] - strategies["WEIGHTED"]),
            "largest minus smallest size": float((ends["last"] - ends["first"]).mean())}  # fmt: skip


def strategies_by_spread(of: Evidence, language: str) -> dict[str, float]:
    """Mean spread of a language over samples under WEIGHTED minus that under UNIFORM, in points, by measure."""
    rows = in_percent(of("variability"), ["range", "deviation"]).query("language == @language")
    means = rows.groupby("strategy")[["range", "deviation"]].mean()
    return {name: float(means.loc["WEIGHTED", name] - means.loc["UNIFORM", name]) for name in means}


def _given_growth(of: Evidence) -> pd.DataFrame:
    """Accuracy at the largest size minus that at the smallest on the given split: languages by models."""
    rows = in_percent(of("given"), ["accuracy"]).sort_values("size").groupby(["language", "model"])["accuracy"]
    return (rows.last() - rows.first()).unstack("model")


def growth_on_given(of: Evidence) -> dict[str, float]:
    """The model that grows least with size on the given split, by language."""
    return {str(language): float(row.min()) for language, row in _given_growth(of).iterrows()}


def sharper_growth(of: Evidence, model: str) -> dict[str, float]:
    """By how much more a model grows with size on the given split than any other, in points, by language."""
    table = _given_growth(of)
    margins = table[model] - table.drop(columns=model).max(axis=1)
    return {str(language): float(margin) for language, margin in margins.items()}


# Errors on the given split: of CLUZH (2022), or of the stored CLUZH-B4 ------------------------------------------------


def _errors(of: Evidence, language: str, table: str) -> pd.DataFrame:
    """Numbers of errors by size and type; empty if the table is not there yet."""
    found = of(table, language=language)
    return found.pivot(index="size", columns="type", values="errors").fillna(0).sort_index()


def most_added_errors(of: Evidence, language: str, table: str = "errors") -> float | None:
    """The most errors that a larger training set adds, from one size to the next."""
    errors = _errors(of, language, table)
    return None if errors.empty else float(errors.sum(axis=1).diff().max())


def least_share_of_errors(of: Evidence, language: str, types: str, table: str = "errors") -> dict[str, float] | None:
    """Share of some types among the errors, at the size where it is the least."""
    errors = _errors(of, language, table)
    if errors.empty:
        return None
    shares = errors[[name.strip() for name in types.split(",")]].sum(axis=1) / errors.sum(axis=1)
    return {f"size {shares.idxmin()}": float(shares.min())}


def error_types_by_number(of: Evidence, language: str, table: str = "errors", place: int = -1) -> Order | None:
    """Types of errors at the largest size or another, the most frequent first."""
    errors = _errors(of, language, table)
    return None if errors.empty else order_of(dict(errors.iloc[place].astype("float64")))


def least_lead(of: Evidence, language: str, kind: str, smallest: int, table: str = "errors") -> dict[str, float] | None:
    """Errors of a type minus those of the most frequent other type, at the size where that is the least."""
    errors = _errors(of, language, table)
    if errors.empty:
        return None
    errors = errors[errors.index >= smallest]
    leads = errors[kind] - errors.drop(columns=kind).max(axis=1)
    return {f"size {leads.idxmin()}": float(leads.min())}


def spike(of: Evidence, language: str, size: int, table: str = "errors") -> float | None:
    """Errors at a size minus those at the neighbouring size with more of them."""
    errors = _errors(of, language, table).sum(axis=1)
    if errors.empty:
        return None
    place = list(errors.index).index(size)
    return float(errors.iloc[place] - max(errors.iloc[place - 1], errors.iloc[place + 1]))


def fem_for_masc(of: Evidence, table: str = "errors") -> float | None:
    """Sound plurals of Arabic with FEM for MASC, minus those with MASC for FEM, over all sizes."""
    errors = _errors(of, "Arabic", table)
    if errors.empty:
        return None
    counts = errors.sum()
    return float(counts["Snd>Snd MASC>FEM"] - counts["Snd>Snd FEM>MASC"])


def models_by_accuracy(of: Evidence) -> Order | None:
    """Models by their mean accuracy over the languages, on the samples on which CLUZH is stored at every size."""
    ours, stored = (in_percent(of(name), ["accuracy"]) for name in ("samplings", "cluzh_runs"))
    stored = stored[stored["strategy"].isin(STRATEGIES)]
    keys = ["language", "strategy", "seed"]
    if stored["language"].nunique() < ours["language"].nunique():
        return None
    both = pd.concat([stored, ours.merge(stored[keys].drop_duplicates(), on=keys)], ignore_index=True)
    return order_of(dict(both.groupby(["model", "language"])["accuracy"].mean().groupby("model").mean()))


def uniform_over_given(of: Evidence) -> Estimate:
    """By how much the mean accuracy under UNIFORM exceeds that on the given split."""
    runs, given = (in_percent(of(name), ["accuracy"]) for name in ("samplings", "given"))
    uniform = runs[runs["strategy"] == "UNIFORM"].groupby("seed")["accuracy"].mean()
    return _estimate(uniform - given.loc[given["model"] == "NONNEUR", "accuracy"].mean())
