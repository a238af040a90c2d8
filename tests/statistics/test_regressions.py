import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf

from analysis.statistics.designs import design, independent_columns
from analysis.statistics.regressions import binomial_regression, linear_regression, mixed_regression


@pytest.fixture(scope="module")
def runs():
    generator = np.random.default_rng(7)
    slopes = {"A": 0.01, "B": 0.03, "C": 0.0}
    rows = [
        {
            "language": language,
            "model": model,
            "size": size,
            "seed": seed,
            "accuracy": 40 + slopes[model] * size + 5 * (language == "German") + generator.normal(),
        }
        for language in ("Arabic", "English", "German")
        for model in slopes
        for size in (100, 200, 300, 400)
        for seed in range(4)
    ]
    table = pd.DataFrame(rows)
    table["n"] = 600
    table["right"] = (6 * table["accuracy"]).round().astype(int)
    table["sample"] = table["language"] + table["seed"].astype(str)
    return table


def test_a_straight_line_has_its_slope_and_intercept():
    x = np.array([1.0, 2.0, 4.0, 5.0])
    y = np.array([2.0, 4.5, 8.0, 10.5])
    fit = linear_regression(pd.DataFrame({"x": x, "y": y}), "y", "x")
    slope = ((x - 3) * (y - y.mean())).sum() / ((x - 3) ** 2).sum()
    assert fit.estimate("x")["estimate"] == pytest.approx(slope)
    assert fit.estimate("Intercept")["estimate"] == pytest.approx(y.mean() - 3 * slope)
    residual = y - y.mean() - slope * (x - 3)
    assert fit.estimate("x")["error"] == pytest.approx(np.sqrt((residual**2).sum() / 2 / ((x - 3) ** 2).sum()))


@pytest.mark.parametrize(
    ("coding", "contrast"), [("treatment", "Treatment(reference={!r})"), ("sum", "Sum(omit={!r})")]
)
def test_estimates_are_those_of_statsmodels_with_the_same_coding(runs, coding, contrast):
    base = {"language": "English", "model": "B"}
    fit = linear_regression(runs, "accuracy", "language * model * size", coding=coding, base_levels=base)
    formula = " * ".join([f"C({name}, {contrast.format(level)})" for name, level in base.items()] + ["size"])
    theirs = smf.ols(f"accuracy ~ {formula}", runs.astype({"language": "object", "model": "object"})).fit()
    ours = fit.coefficients
    assert sorted(ours["estimate"]) == pytest.approx(sorted(theirs.params))
    assert sorted(ours["p"]) == pytest.approx(sorted(theirs.pvalues), abs=1e-9)
    assert sorted(ours["lower"]) == pytest.approx(sorted(theirs.conf_int()[0]))
    assert fit.quantity("R squared") == pytest.approx(theirs.rsquared) and fit.problems == ()


def test_the_base_levels_slope_is_the_slope_in_the_base_cell(runs):
    fit = linear_regression(runs, "accuracy", "model * size", base_levels={"model": "B"})
    alone = linear_regression(runs[runs["model"] == "B"], "accuracy", "size")
    assert fit.estimate("size")["estimate"] == pytest.approx(alone.estimate("size")["estimate"])
    assert "model: treatment, base B" in fit.coding


def test_with_sum_coding_and_equal_cells_the_slope_is_the_mean_of_the_models(runs):
    fit = linear_regression(runs, "accuracy", "model * size", coding="sum")
    slopes = [
        linear_regression(runs[runs["model"] == model], "accuracy", "size").estimate("size")["estimate"]
        for model in "ABC"
    ]
    assert fit.estimate("size")["estimate"] == pytest.approx(np.mean(slopes))


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_the_analysis_of_variance_is_that_of_statsmodels(runs, kind):
    unbalanced = runs.drop(index=runs.index[::7])
    fit = linear_regression(unbalanced, "accuracy", "language * model + size", coding="sum", anova=kind)
    data = unbalanced.astype({"language": "object", "model": "object"})
    theirs = sm.stats.anova_lm(smf.ols("accuracy ~ C(language, Sum) * C(model, Sum) + size", data).fit(), typ=kind)
    theirs.index = [
        name.replace("C(language, Sum)", "language").replace("C(model, Sum)", "model").replace("Residual", "residual")
        for name in theirs.index
    ]
    ours = fit.anova.set_index("term")
    for term in ours.index:
        assert ours.loc[term, "sum_of_squares"] == pytest.approx(theirs.loc[term, "sum_sq"])
        assert ours.loc[term, "df"] == theirs.loc[term, "df"]


def test_size_may_be_a_factor(runs):
    fit = linear_regression(runs, "accuracy", "size", categorical=["size"])
    assert fit.coefficients["term"].tolist() == ["Intercept", "size[200]", "size[300]", "size[400]"]


def test_a_saturated_design_has_estimates_and_no_errors():
    table = pd.DataFrame({"model": ["A", "B"], "y": [1.0, 3.0]})
    fit = linear_regression(table, "y", "model")
    assert fit.coefficients["estimate"].tolist() == pytest.approx([1, 2])
    assert fit.coefficients[["error", "p", "lower", "upper"]].isna().all().all()
    assert any("saturated" in problem for problem in fit.problems) and fit.anova.empty


def test_a_column_that_depends_on_others_is_aliased_not_infinite(runs):
    doubled = runs.assign(twice=2 * runs["size"])
    fit = linear_regression(doubled, "accuracy", "size + twice")
    row = fit.estimate("twice")
    assert pd.isna(row["estimate"]) and "aliased" in row["note"]
    assert any("rank 2 of 3" in problem for problem in fit.problems)
    alone = linear_regression(runs, "accuracy", "size")
    assert fit.estimate("size")["error"] == pytest.approx(alone.estimate("size")["error"])


def test_empty_cells_are_named(runs):
    holed = runs[(runs["language"] != "German") | (runs["model"] != "C")]
    fit = linear_regression(holed, "accuracy", "language * model")
    assert any("1 of 9 cells are empty, the first is German × C" in problem for problem in fit.problems)
    assert pd.isna(fit.estimate("language[German]:model[C]")["estimate"])


def test_an_exact_fit_gives_no_p_values():
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [2.0, 4.0, 6.0, 8.0]})
    fit = linear_regression(table, "y", "x")
    assert fit.estimate("x")["estimate"] == pytest.approx(2) and pd.isna(fit.estimate("x")["p"])
    assert any("exact" in problem for problem in fit.problems)


def test_columns_are_kept_in_order_as_long_as_they_add_something():
    X = np.array([[1.0, 0, 1, 2], [1, 1, 2, 0], [1, 0, 1, 1], [1, 1, 2, 5]])
    assert independent_columns(X).tolist() == [True, True, False, True]
    assert independent_columns(np.zeros((2, 1))).tolist() == [False]


def test_designs_refuse_what_they_cannot_mean(runs):
    for terms, message in (
        ("np.log(size)", "terms must join"),
        ("nothing", "lacks the column 'nothing'"),
        ("", "terms must join"),
    ):
        with pytest.raises(ValueError, match=message):
            design(runs, terms)
    with pytest.raises(ValueError, match="no level 'Danish'"):
        design(runs, "language", base_levels={"language": "Danish"})
    with pytest.raises(ValueError, match="only the level"):
        design(runs[runs["model"] == "A"], "model")
    with pytest.raises(ValueError, match="not a factor here"):
        design(runs, "size", base_levels={"size": "100"})
    with pytest.raises(ValueError, match="rows have no 'size'"):
        design(runs.assign(size=np.nan), "size")


def test_the_binomial_model_is_that_of_statsmodels_and_reports_its_dispersion(runs):
    fit = binomial_regression(runs, "right", "n", "model * size", dispersion="one")
    data = runs.assign(wrong=runs["n"] - runs["right"]).astype({"model": "object"})
    theirs = smf.glm("right + wrong ~ model * size", data, family=sm.families.Binomial()).fit()
    assert fit.coefficients["estimate"].tolist() == pytest.approx(theirs.params.tolist())
    assert fit.coefficients["error"].tolist() == pytest.approx(theirs.bse.tolist())
    p = theirs.fittedvalues
    chi2 = ((runs["right"] - 600 * p) ** 2 / (600 * p * (1 - p))).sum()
    wide = binomial_regression(runs, "right", "n", "model * size")
    assert wide.quantity("dispersion") == pytest.approx(chi2 / (len(runs) - 6))
    factor = np.sqrt(wide.quantity("dispersion"))
    assert wide.coefficients["error"].tolist() == pytest.approx((factor * theirs.bse).tolist())


def test_separation_is_reported_and_not_printed_as_a_huge_number():
    table = pd.DataFrame({"model": ["A", "A", "B", "B"], "right": [5, 6, 0, 0], "n": [10, 10, 10, 10]})
    fit = binomial_regression(table, "right", "n", "model")
    row = fit.estimate("model[B]")
    assert pd.isna(row["estimate"]) and "separation" in row["note"]
    assert any("separation" in problem for problem in fit.problems)
    assert fit.estimate("Intercept")["estimate"] == pytest.approx(np.log(11 / 9))


def test_counts_must_be_possible():
    with pytest.raises(ValueError, match="successes from 0"):
        binomial_regression(pd.DataFrame({"k": [3], "n": [2], "x": [1]}), "k", "n", "x")


def test_random_intercepts_are_found(runs):
    generator = np.random.default_rng(0)
    shift = {name: 4 * generator.normal() for name in runs["sample"].unique()}
    country = {"Arabic": -10, "English": 0, "German": 12}
    moved = runs.assign(accuracy=runs["accuracy"] + runs["sample"].map(shift) + runs["language"].map(country))
    fit = mixed_regression(moved, "accuracy", "model * size")
    assert fit.quantity("variance of language") > 20 and 3 < fit.quantity("variance of sample") < 50
    assert 0.6 < fit.quantity("residual variance") < 1.6
    assert fit.estimate("model[B]:size")["estimate"] == pytest.approx(0.02, abs=0.004)
    assert fit.quantity("observations") == len(moved)


def test_bare_seed_numbers_are_refused_as_samples(runs):
    with pytest.raises(ValueError, match="not nested"):
        mixed_regression(runs.assign(sample=runs["seed"].astype(str)), "accuracy", "size")


def test_a_variance_of_nothing_is_reported_as_singular(runs):
    fit = mixed_regression(
        runs.assign(accuracy=runs["accuracy"] - 5 * (runs["language"] == "German")), "accuracy", "model * size"
    )
    assert fit.problems, "samples and languages do not differ"


def test_without_a_named_base_the_first_level_is_the_base_of_treatment_and_the_last_is_left_out_of_sums():
    table = pd.DataFrame({"model": ["B", "A", "C"] * 2, "size": [1, 1, 1, 2, 2, 2]})
    treatment, sums = design(table, "model"), design(table, "model", coding="sum")
    assert treatment.coding == "model: treatment, base A"
    assert list(treatment.matrix.columns) == ["Intercept", "model[B]", "model[C]"]
    assert sums.coding == "model: sum, omitted C"
    assert list(sums.matrix.columns) == ["Intercept", "model[A]", "model[B]"]
    assert sums.matrix.iloc[2].tolist() == [1, -1, -1]


@pytest.mark.parametrize("confidence", [0.95, 0.9])
def test_intervals_are_as_wide_as_the_confidence_asks_and_95_percent_if_nothing_is_said(confidence):
    from scipy import stats

    table = pd.DataFrame({"size": [1.0, 2, 3, 4, 5], "accuracy": [1.0, 2.2, 2.9, 4.3, 4.8]})
    asked = {} if confidence == 0.95 else {"confidence": confidence}
    row = linear_regression(table, "accuracy", "size", **asked).estimate("size")
    expected = stats.linregress(table["size"], table["accuracy"])
    half = stats.t.ppf((1 + confidence) / 2, 3) * expected.stderr
    assert row["upper"] - row["estimate"] == pytest.approx(half)
    assert row["estimate"] - row["lower"] == pytest.approx(half)
