"""Every number and claim of the paper's text beside what the data at hand give, with a verdict."""

from collections.abc import Callable

import pandas as pd

from analysis.inflection import error_types
from analysis.papers.comparison import Claim, claims_table, printed
from analysis.papers.kodner2023.runs import given_runs, runs
from analysis.papers.kodner2023.setting import (
    CLUZH,
    MODELS,
    STRATEGIES,
    Setting,
    development_items,
    draw,
    make_setting,
    sizes,
)
from analysis.papers.kodner2023.tables import (
    accuracy_regression,
    errors,
    german_patterns,
    given_regression,
    strategy_difference,
    variability,
    variability_regression,
)

AUTHORS = "not testable without the authors' predictions"
OFFLINE = "the offline lists are not the paper's data"
SPLITS = "a property of the SIGMORPHON 2022 split, which these data do not have"
BY_DESIGN = "a choice of the paper that the recomputation makes too"


def claims(setting: Setting | None = None, *, samplings: int = 10, **choices: object) -> pd.DataFrame:
    """Each row of the paper's ``claims.csv`` and each claim of its text, with a verdict.

    Parameters
    ----------
    setting, **choices
        As for `analysis.papers.kodner2023.runs`.
    samplings : int
        Samples a strategy by which claims about UNIFORM and WEIGHTED are judged, with NONNEUR.

    Returns
    -------
    DataFrame
        ``id`` (K.. for rows of ``claims.csv``, T.. for claims of the text), ``claim``, ``printed``, ``recomputed``,
        ``tolerance``, ``verdict`` (same, different, not testable) and ``why``. A number that rests on the paper's
        neural models is not testable; the reason gives what NONNEUR or CLUZH (2022) give instead.
    """
    chosen = make_setting(setting, choices)
    return claims_table([*_numbers(chosen), *_text(chosen, samplings)])


def _numbers(setting: Setting) -> list[Claim]:
    table = printed("kodner2023", "claims").set_index("id")
    tested = _tested(setting)
    result = []
    for id, row in table.iterrows():
        name = str(id)
        where = "" if row["language"] in ("", "all") else f" ({row['language']})"
        statement = f"{row['quantity']}{where}: {row['statistic']}"
        value = float(row["value"])
        if name in tested:
            recomputed, why = tested[name]()
            result.append(Claim(name, statement, value, recomputed, why=why))
        else:
            result.append(Claim(name, statement, value, None, why=_instead(name, row, setting)))
    return result


def _tested(setting: Setting) -> dict[str, Callable[[], tuple[float | None, str]]]:
    """Numbers about the design, the data and the classes, which the data at hand can confirm or not."""
    real = setting.corpus == "sigmorphon2022"

    def drawn(language: str, part: str) -> tuple[float, str]:
        sample = draw(setting.corpus, language, "WEIGHTED", 0)
        value = {"largest": sample.sizes[-1], "test": len(sample.test), "dev": len(sample.dev)}[part]
        lacks = "the open pool of Arabic has 1,943 nouns; the paper's must have had 1,996"
        return value, lacks if real else OFFLINE

    def given(language: str, part: str) -> tuple[float | None, str]:
        if not real:
            return None, SPLITS
        sample = draw(setting.corpus, language, "SIGM22", 0)
        return float(len(getattr(sample, part))), "the published file has another length"

    def largest_of_all() -> tuple[float, str]:
        return max(sizes(setting.corpus, language)[-1] for language in setting.languages), OFFLINE

    def step() -> tuple[float, str]:
        values = sizes(setting.corpus, "English")
        return values[1] - values[0], OFFLINE

    def share(tuned: bool) -> tuple[float, str]:
        sample = draw(setting.corpus, "English", "UNIFORM", 0)
        size = sample.sizes[-1]
        part = sample.tune(size) if tuned else sample.train(size)
        return 100 * len(part) / size, BY_DESIGN

    languages = ("English", "Arabic", "German")
    tests: dict[str, Callable[[], tuple[float | None, str]]] = {
        "K001": largest_of_all,
        "K002": lambda: (setting.seeds, "a setting of this recomputation; the paper drew five"),
        "K003": step,
        "K004": lambda: share(False),
        "K005": lambda: share(True),
        "K009": lambda: (
            min(development_items(setting.corpus, language) for language in setting.languages),
            OFFLINE,
        ),
        "K013": lambda: (len(STRATEGIES) + real, "the offline lists have no given split"),
        "K014": lambda: (1.0, "") if real else (None, SPLITS),
        "K015": lambda: given("English", "test"),
        "K020": lambda: (sum(name == "NONNEUR" for name in MODELS), "baselines of ours beside it"),
        "K057": lambda: (sum(t.startswith("Snd>Snd ") and ">" in t[8:] for t in error_types("Arabic")), BY_DESIGN),
        "K066": lambda: (len(error_types("English")), BY_DESIGN),
        "K067": step,
        "K069": lambda: (sum(name != "?" for name in error_types("German")), BY_DESIGN),
    }
    for number, language in zip((6, 7, 8), languages, strict=True):
        tests[f"K{number:03d}"] = lambda language=language: drawn(language, "largest")  # type: ignore[misc]
    for number, language in zip((10, 11, 12), ("Arabic", "English", "German"), strict=True):
        tests[f"K{number:03d}"] = lambda language=language: drawn(language, "test")  # type: ignore[misc]
    for number, language in zip((16, 17, 18), ("Arabic", "English", "German"), strict=True):
        tests[f"K{number:03d}"] = lambda language=language: given(language, "dev")  # type: ignore[misc]
    if real:  # the sizes that the recomputed Figure 4 shows
        shown = sizes(setting.corpus, "Arabic")[1::2]
        for number, size in enumerate(shown, start=59):
            tests[f"K{number:03d}"] = lambda size=size: (float(size), BY_DESIGN)  # type: ignore[misc]
    return tests


def _instead(id: str, row: pd.Series, setting: Setting) -> str:
    """Why a number cannot be tested, with the nearest number that the data at hand give."""
    real = setting.corpus == "sigmorphon2022"
    number = int(id[1:])
    if id in ("K019", "K021"):
        return "the paper's neural models are not part of this recomputation"
    if id == "K058":
        return "a count of the literature, not of these data"
    if number in range(59, 64):
        return "the offline Arabic list is too small for these sizes"
    if number in range(22, 28):
        if not real:
            return f"{AUTHORS}; see the regressions of these data"
        fit = given_regression(base_levels={"language": "Arabic", "model": CLUZH})
        term = {
            22: "size",
            23: "size",
            24: "model[neural baseline (published)]:size",
            25: "model[neural baseline (published)]:size",
            26: "language[German]:model[neural baseline (published)]:size",
            27: "language[German]:model[neural baseline (published)]:size",
        }[number]
        found = fit.estimate(term)
        return (
            f"{AUTHORS}; on SIGM22 CLUZH (2022), the published neural baseline and NONNEUR give "
            f"{found['estimate']:.3f} "
            f"(p = {found['p']:.3g}) with treatment coding and bases Arabic and CLUZH"
        )
    table = runs(setting)
    table = table[table["model"] == "NONNEUR"]
    if number in (53, 54, 55, 56):
        fit = variability_regression(
            "range" if number < 55 else "deviation", setting, terms="language * size * strategy"
        )
        found = fit.estimate("size")
        return f"{AUTHORS}; NONNEUR and the majority suffix: {found['estimate']:.4f} (p = {found['p']:.3g})"
    for column, key in (("language", row["language"]), ("strategy", row["sampling"]), ("size", row["train_size"])):
        if column == "strategy" and key == "SIGM22":
            table = given_runs(setting)
            table = table[table["model"] == "NONNEUR"]
        elif str(key) in set(table[column].astype("str")):
            table = table[table[column].astype("str") == str(key)]
    if table.empty:
        return f"{AUTHORS}; {SPLITS}"
    if number in (30, 31):
        means = table.groupby("strategy")["accuracy"].mean()
        return f"{AUTHORS}; NONNEUR: {means['UNIFORM'] - means['WEIGHTED']:.2f}"
    if number in range(28, 39):
        return f"{AUTHORS}; NONNEUR: {table['accuracy'].mean():.2f}"
    if number in range(39, 53) or number == 74:
        cells = variability(setting)
        cells = cells[cells["model"] == "NONNEUR"].merge(
            table[["language", "strategy", "size"]].drop_duplicates(), on=["language", "strategy", "size"]
        )
        if number == 74:
            return f"{AUTHORS}; NONNEUR: {cells['range'].max():.2f} at most"
        return f"{AUTHORS}; NONNEUR: {cells['range' if 'range' in row['quantity'] else 'deviation'].mean():.2f}"
    return (
        f"{AUTHORS}; {_errors_instead(number, setting)}" if real else f"{AUTHORS}; see the error tables of these data"
    )


def _errors_instead(number: int, setting: Setting) -> str:
    """What CLUZH (2022) shows where the paper speaks of CLUZH-B4's errors."""
    if number in (64, 65):
        kind = "Snd>Snd MASC>FEM" if number == 64 else "Snd>Snd FEM>MASC"
        table = errors("Arabic", setting)
        count = int(table.loc[table["type"] == kind, "errors"].sum())
        return f"CLUZH (2022) makes {count} over the five sizes of Figure 4"
    language = "English" if number == 68 else "German"
    table = errors(language, setting)
    if number == 68:
        totals = table.groupby("size")["errors"].sum()
        rises = [f"{size}" for size, change in totals.diff().items() if change > 0]
        return f"errors of CLUZH (2022) rise at {', '.join(rises) or 'no size'}"
    table = table.assign(type=table["type"].astype("str"))
    kind = {70: "-e", 71: "-(e)n", 72: "-s", 73: "-s"}[number]
    rows = table[table["type"] == kind].set_index("size")["share"]
    return f"share of {kind} among errors of CLUZH (2022): " + ", ".join(f"{s}: {v:.0%}" for s, v in rows.items())


def _text(setting: Setting, samplings: int) -> list[Claim]:
    """Statements that NONNEUR can be asked about, over more samples than the paper drew."""
    real = setting.corpus == "sigmorphon2022"
    ours = f"NONNEUR alone, {samplings} samplings" + ("" if real else f"; {OFFLINE}")
    many = Setting(setting.corpus, samplings, ("NONNEUR",), setting.languages, setting.missing_weight)
    table = runs(many)
    means = table.groupby("strategy")["accuracy"].mean()
    difference = strategy_difference(many)
    by_language = difference.groupby("language")["value"].mean()
    first = difference.groupby("language").first()
    last = difference.groupby("language").last()
    curve = table.groupby(["language", "strategy", "size"])["accuracy"].mean()
    growth = curve.groupby(["language", "strategy"]).agg(["first", "last"])
    interaction = accuracy_regression(data=table, terms="language * size * strategy").estimate(
        "size:strategy[WEIGHTED]"
    )
    cells = variability(many)
    ranges = cells.groupby("language")["range"].mean().sort_values(ascending=False)
    slope = variability_regression("range", many, terms="language * size * strategy").estimate("size")
    patterns = german_patterns(setting).set_index("pattern")["all"].drop("?")
    ordered = [str(name) for name in patterns.sort_values(ascending=False).index]
    result = [
        Claim(
            "T01",
            "UNIFORM gives a higher accuracy on average than WEIGHTED",
            "higher",
            f"{means['UNIFORM']:.2f} against {means['WEIGHTED']:.2f}",
            holds=bool(means["UNIFORM"] > means["WEIGHTED"]),
            why=ours,
        ),
        Claim(
            "T02",
            "the difference is the largest for English and the smallest for Arabic",
            "English, Arabic",
            ", ".join(f"{language} {value:.2f}" for language, value in by_language.items()),
            holds=bool(by_language.idxmax() == "English" and by_language.idxmin() == "Arabic"),
            why=ours,
        ),
        Claim(
            "T03",
            "the difference is clearest at small sizes, most of all in English",
            "smallest size",
            ", ".join(
                f"{name} {a:.1f} > {b:.1f}"
                for name, a, b in zip(first.index, first["value"], last["value"], strict=True)
            ),
            holds=bool((first["value"] > last["value"]).all() and first["value"].idxmax() == "English"),
            why=ours,
        ),
        Claim(
            "T04",
            "UNIFORM inflates accuracy at every size (implied by the averages)",
            "above 0",
            ", ".join(
                f"{name} {value:.1f} at {size}"
                for name, value, size in zip(last.index, last["value"], last["size"], strict=True)
            ),
            holds=bool((difference["upper"] > 0).all()),
            why=f"{ours}: with the largest training sets WEIGHTED scores as high or higher",
        ),
        Claim(
            "T05",
            "accuracy increases with training size",
            "increases",
            ", ".join(f"{a} {b} {row['first']:.0f} > {row['last']:.0f}" for (a, b), row in growth.iterrows()),
            holds=bool((growth["last"] > growth["first"]).all()),
            why=ours,
        ),
        Claim(
            "T06",
            "the effect of size does not depend on the strategy (no significant interaction)",
            "p at least 0.05",
            f"{interaction['estimate']:.4f} points an item, p = {interaction['p']:.2g}",
            holds=bool(interaction["p"] >= 0.05),
            why=f"{ours}; more samples find smaller effects",
        ),
        Claim(
            "T07",
            "scores vary more over seeds for Arabic than for German, and least for English",
            "Arabic, German, English",
            ", ".join(f"{name} {value:.2f}" for name, value in ranges.items()),
            holds=list(ranges.index) == ["Arabic", "German", "English"],
            why=f"{ours}; test sets differ in size",
        ),
        Claim(
            "T08",
            "score ranges shrink with training size",
            "below 0, p < 0.05",
            f"{slope['estimate']:.4f} points an item, p = {slope['p']:.2g}",
            holds=bool(slope["estimate"] < 0 and slope["p"] < 0.05),
            why=f"{ours}; slope in the base cell Arabic, UNIFORM",
        ),
        Claim(
            "T09",
            "German plurals by frequency: -(e)n, then -e; -s is the least frequent",
            "-(e)n, -e, …, -s",
            ", ".join(f"{name} {patterns[name]}" for name in ordered),
            holds=bool(ordered[0] == "-(e)n" and ordered[1] == "-e" and ordered[-1] == "-s"),
            why="counted over the pool by the suite's rules; -(e)r is the least frequent there",
        ),
    ]
    if real:
        given = given_runs(many, models=("NONNEUR",))
        given = given[given["model"] == "NONNEUR"]["accuracy"].mean()
        result.append(
            Claim(
                "T10",
                "SIGM22, which is weighted too, gives a lower average than UNIFORM",
                "lower",
                f"{given:.2f} against {means['UNIFORM']:.2f}",
                holds=bool(given < means["UNIFORM"]),
                why=ours,
            )
        )
    return result
