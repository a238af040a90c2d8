import numpy as np
import pandas as pd
import pytest

from analysis.inflection import accuracy
from analysis.papers import kodner2023, recipe
from analysis.papers.kodner2023.claims import least_share_of_errors, most_added_errors
from analysis.papers.recipe import Evidence, in_percent
from analysis.structures import DataError

for package in ("wordfreq", "lemminflect", "german_nouns"):
    pytest.importorskip(package, reason="the extra 'lexical' is not installed")

SETTING = kodner2023.Setting(seeds=2)
REAL = kodner2023.Setting(corpus="sigmorphon2022", seeds=2)
CELLS = {"Arabic": 6, "English": 10, "German": 6}


@pytest.fixture(scope="module", autouse=True)
def cache(small_cache):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANALYSIS_CACHE", str(small_cache))
        yield


def test_there_is_a_run_for_every_size_model_strategy_and_seed():
    runs = kodner2023.runs(SETTING)
    assert len(runs) == sum(CELLS.values()) * 3 * 2 * 2
    assert not runs.duplicated(["language", "strategy", "seed", "model", "size"]).any()
    assert np.allclose(runs["accuracy"], runs["right"] / runs["n"]) and set(runs["unit"]) == {"proportion"}


def test_a_run_is_the_model_on_the_sample_scored_by_the_measure():
    row = kodner2023.runs(SETTING).query(
        "language == 'German' and strategy == 'WEIGHTED' and seed == 1 and model == 'NONNEUR' and size == 200"
    )
    drawn = kodner2023.draw("lexical", "German", "WEIGHTED", 1)
    model = kodner2023.MODELS["NONNEUR"]().fit(drawn.training(200))
    items = drawn.test[["lemma", "features"]].assign(predicted=model.predict(drawn.test))
    score = accuracy(drawn.test, items)
    assert (row["right"].item(), row["n"].item()) == (score.numerator, score.denominator)


def test_two_processes_give_what_one_gives(monkeypatch):
    monkeypatch.setenv("ANALYSIS_NO_CACHE", "1")
    setting = kodner2023.Setting(seeds=2, models=("Majority suffix",), languages=("Arabic",))
    pd.testing.assert_frame_equal(kodner2023.runs(setting, n_jobs=1), kodner2023.runs(setting, n_jobs=2))


def test_uniform_scores_higher_than_weighted_with_small_training_sets_and_not_with_the_largest():
    table = kodner2023.strategy_difference(corpus="lexical", seeds=8, models=("NONNEUR",), languages=("English",))
    assert table["lower"].iloc[0] > 0 > table["upper"].iloc[-1]
    assert np.allclose(table["value"], table["UNIFORM"] - table["WEIGHTED"])


def test_curves_are_means_over_seeds():
    curve = kodner2023.curves(SETTING, "English", interval="range")
    runs = kodner2023.runs(SETTING)
    cell = runs.query("language == 'English' and strategy == 'UNIFORM' and model == 'NONNEUR' and size == 300")[
        "accuracy"
    ]
    row = curve.query("strategy == 'UNIFORM' and model == 'NONNEUR' and size == 300").iloc[0]
    assert row["value"] == pytest.approx(cell.mean()) and (row["lower"], row["upper"]) == (cell.min(), cell.max())


def test_means_of_the_spread_weigh_languages_by_their_sizes():
    cells = kodner2023.variability(SETTING).query("model == 'NONNEUR'")
    overall = kodner2023.mean_variability(SETTING, by=()).set_index("model").loc["NONNEUR", "range"]
    means = cells.groupby("language")["range"].mean()
    weights = {language: 2 * count for language, count in CELLS.items()}
    assert overall == pytest.approx(sum(means[name] * weights[name] for name in weights) / sum(weights.values()))


def test_errors_are_stacked_by_size_or_model_and_add_up():
    for language in CELLS:
        by_size = kodner2023.errors(SETTING, language)
        assert set(by_size["model"]) == {"NONNEUR"} and set(by_size["strategy"]) == {"WEIGHTED"}
        shown = kodner2023.sizes("lexical", language)
        assert list(dict.fromkeys(by_size["size"])) == list(shown[1::2] if language == "Arabic" else shown)
        largest = by_size[by_size["size"] == shown[-1]]
        run = kodner2023.runs(SETTING).query(
            "language == @language and strategy == 'WEIGHTED' and seed == 0 and model == 'NONNEUR' "
            "and size == @shown[-1]"
        )
        assert largest["errors"].sum() == (run["n"] - run["right"]).item()
    by_model = kodner2023.errors(SETTING, "English", by="model")
    assert list(dict.fromkeys(by_model["model"])) == list(SETTING.models)


def test_all_nine_figures_and_two_more_are_drawn():
    for number in range(1, 10):
        figure = getattr(kodner2023, f"figure{number}")(SETTING)
        assert figure.axes and all(ax.has_data() for ax in figure.axes)
    assert len(kodner2023.figure1(SETTING).axes) == 2
    assert kodner2023.difference_figure(SETTING, models=("NONNEUR",)).axes[0].lines
    with pytest.raises(ValueError, match="no coefficient"):
        kodner2023.regression_figure(kodner2023.accuracy_regression(SETTING), only="nothing")


def test_a_learning_figure_has_a_thin_line_a_seed_and_a_thick_one_a_mean():
    axes = kodner2023.figure3(SETTING).axes[0]
    widths = [line.get_linewidth() for line in axes.lines]
    assert widths.count(1.8) == 3 and widths.count(0.5) == 3 * 2


def test_regressions_have_the_papers_design_and_say_their_coding():
    table = kodner2023.regressions(SETTING)
    rows = table[table["regression"] == "accuracy"]
    assert len(rows) == 3 * 2 * 2 * 2, "3 languages, 2 models, slope or not, 2 strategies"
    assert rows["convention"].iloc[0].startswith("language: treatment, base Arabic")
    assert (rows["rank"] == len(rows)).all() and rows["estimate"].notna().all()
    assert rows["n"].iloc[0] == sum(CELLS.values()) * 2 * 2 * 2
    spread = table[table["regression"] == "score range"]
    assert spread["n"].iloc[0] == sum(CELLS.values()) * 2 * 2


def test_every_number_of_the_paper_has_a_verdict_and_a_reason():
    claims = kodner2023.claims(SETTING, samplings=2)
    numbers = claims[claims["id"].str.startswith("K")]
    assert numbers["id"].tolist() == recipe.printed("kodner2023", "claims")["id"].tolist()
    assert (claims.loc[claims["verdict"].isin(["different", "not testable", "set otherwise"]), "why"] != "").all()
    verdicts = claims.set_index("id")["verdict"]
    assert verdicts[["K004", "K008", "K066", "K069"]].tolist() == ["set"] * 4, "choices, and no successes"
    assert (verdicts[["K022", "K028", "K039", "K064"]] == "not testable").all()
    assert verdicts["K007"] == "set otherwise", "the Arabic list is shorter than the paper's pool"


def test_what_the_paper_sets_is_no_recomputed_number():
    claims = kodner2023.claims(SETTING, samplings=2)
    assert not claims.loc[claims["kind"] == "recomputed", "id"].str.startswith("K").any()
    assert (claims.loc[claims["verdict"] == "same", "kind"] == "recomputed").all()


def test_claims_about_samplings_have_an_interval_and_say_their_criterion():
    claims = kodner2023.claims(SETTING, samplings=4).set_index("id")
    difference = claims.loc["T01"]
    assert (
        difference["criterion"] == "significant 0.05: positive"
        and difference["printed"] == ""
        and "p = " in difference["recomputed"]
    )
    assert difference["lower"] < difference["upper"]
    per_size = in_percent(kodner2023.strategy_difference(SETTING.choose(SETTING, samplings=4).many))
    assert float(difference["recomputed"].split(",")[0]) == pytest.approx(per_size["value"].mean(), abs=1e-3)
    least = per_size.loc[per_size["value"].idxmin()]
    assert float(claims.loc["T04", "recomputed"].split(",")[0]) == pytest.approx(least["value"], abs=1e-3)
    assert claims.loc["T04", ["lower", "upper"]].tolist() == pytest.approx(least[["lower", "upper"]].tolist())


def test_means_by_language_weigh_each_run_alike():
    means = kodner2023.mean_variability(SETTING, by=("language", "strategy")).set_index(
        ["model", "language", "strategy"]
    )
    runs = kodner2023.runs(SETTING).query("model == 'NONNEUR' and language == 'German' and strategy == 'UNIFORM'")
    assert means.loc[("NONNEUR", "German", "UNIFORM"), "mean"] == pytest.approx(runs["accuracy"].mean())


def test_a_run_on_too_small_a_pool_leaves_out_the_sizes_it_cannot_fill():
    whole = kodner2023.data("lexical")
    small = {name: items._replace(pool=items.pool.head(800), version="800") for name, items in whole.items()}
    with kodner2023.data.substituted(lexical=small):
        assert kodner2023.draw("lexical", "English", "UNIFORM", 0).sizes == (100, 200)
    assert kodner2023.draw("lexical", "English", "UNIFORM", 0).sizes == kodner2023.sizes("lexical", "English")


def test_sizes_of_the_recomputation_stand_beside_the_papers():
    for language, test in (("English", 554), ("German", 600)):
        drawn = kodner2023.draw("lexical", language, "UNIFORM", 0)
        assert (drawn.sizes[-1], len(drawn.dev), len(drawn.test)) == (
            {"English": 1000, "German": 600}[language],
            500,
            test,
        )


def test_settings_name_what_they_do_not_know():
    with pytest.raises(ValueError, match="no corpus 'celex'"):
        kodner2023.Setting(corpus="celex")
    with pytest.raises(ValueError, match="models is 'CHR-TRM'; there are NONNEUR"):
        kodner2023.Setting(models=("CHR-TRM",))
    with pytest.raises(ValueError, match="no choice 'sweeps'"):
        kodner2023.runs(SETTING, sweeps=3)
    with pytest.raises(DataError, match="SIGM22"):
        kodner2023.draw("lexical", "English", "SIGM22", 0)
    with pytest.raises(ValueError, match="strategy SIGM22"):
        kodner2023.predictions("lexical", "English", "UNIFORM", 0, kodner2023.CLUZH, 100)
    with pytest.raises(ValueError, match="by is 'seed'; there are size, model"):
        kodner2023.errors(SETTING, "English", by="seed")


def test_the_publication_is_whole_and_says_that_the_lists_are_not_the_papers_data(drawing_faults):
    publication = kodner2023.publish("lexical", n_jobs=1, seeds=2)
    assert not [fault for entry in publication.figures for fault in drawing_faults(entry.figure)]
    names = [figure.name for figure in publication.figures if not figure.stored]
    assert names == [f"figure{number}" for number in range(1, 10)] + ["strategies", "slopes"]
    assert {"claims_stored", "regressions", "errors", "scores"} <= {table.name for table in publication.tables}
    assert "not child-directed speech" in publication.notes[0]
    scores = next(table.frame for table in publication.tables if table.name == "scores")
    assert {"corpus", "data_version", "n", "seed", "lower", "upper", "convention"} <= set(scores.columns)
    assert scores["lower"].le(scores["value"]).all() and scores["value"].le(scores["upper"]).all()


# The paper's own data -------------------------------------------------------------------------------------------------


@pytest.mark.real_corpus
def test_slopes_on_the_given_split_are_like_the_papers_with_treatment_coding_and_base_arabic():
    fit = kodner2023.given_regression(base_levels={"language": "Arabic", "model": kodner2023.CLUZH})
    estimates = fit.coefficients.set_index("term")["estimate"].astype(float)
    neural = f"model[{kodner2023.NEURAL}]"
    assert estimates["size"] == pytest.approx(0.019, abs=0.0005)
    assert estimates[f"{neural}:size"] == pytest.approx(0.021, abs=0.0005)
    assert estimates[f"language[German]:{neural}:size"] == pytest.approx(0.068, abs=0.001)
    assert fit.quantity("observations") == 78 and fit.quantity("rank") == 18


@pytest.mark.real_corpus
def test_the_given_split_has_the_published_neural_baseline_and_cluzh_beside_ours():
    runs = kodner2023.given_runs(REAL)
    assert set(runs["model"]) == {*REAL.models, kodner2023.CLUZH, kodner2023.NEURAL}
    assert (runs.groupby("model").size() == 26).all() and (runs["n"] == 600).all()


@pytest.mark.real_corpus
def test_the_splits_of_the_papers_data_have_the_papers_sizes_but_for_53_arabic_nouns():
    claims = kodner2023.claims(REAL, samplings=2).set_index("id")
    assert claims.loc["K010", "verdict"] == "different" and claims.loc["K010", "recomputed"] == "Arabic: 443"
    assert "shown in pools" in claims.loc["K010", "why"]
    assert kodner2023.pools(REAL).set_index("language")["printed_pool"]["Arabic"] == 1996
    same = ["K011", "K012", "K015", "K016", "K017", "K018"]
    assert (claims.loc[same, "verdict"] == "same").all()
    assert (claims.loc[["K006", "K007", "K008", "K009", "K059", "K063"], "verdict"] == "set").all()
    assert claims.loc["K064", "verdict"] == "not testable" and "table of errors" in claims.loc["K064", "why"]


@pytest.mark.real_corpus
def test_figures_on_the_papers_data_have_a_panel_for_sigm22_and_errors_of_cluzh():
    assert [ax.get_title() for ax in kodner2023.figure2(REAL).axes] == ["UNIFORM", "WEIGHTED", "SIGM22"]
    errors = kodner2023.errors(REAL, "Arabic")
    assert set(errors["model"]) == {kodner2023.CLUZH} and list(dict.fromkeys(errors["size"])) == [
        200,
        400,
        600,
        800,
        1000,
    ]
    assert errors.groupby("size")["errors"].sum().is_monotonic_decreasing


@pytest.mark.real_corpus
def test_the_publication_on_the_papers_data_names_both_data_sets_and_the_readers_agreement(drawing_faults):
    publication = kodner2023.publish("sigmorphon2022", n_jobs=1, seeds=2)
    assert not [fault for entry in publication.figures for fault in drawing_faults(entry.figure)]
    assert [source.name for source in publication.sources] == ["sigmorphon2022", "realitycheck2023"]
    agreement = next(table.frame for table in publication.tables if table.name == "second_reader")
    assert agreement.loc[agreement["set"] == "checking", "agree"].tolist() == [48, 49, 50]
    assert any("neither CLUZH-GR nor CLUZH-B4" in note for note in publication.notes)


@pytest.mark.real_corpus
def test_reality_check_results_exercise_the_regressions():
    from analysis.corpora.sigmorphon import reality_check_results
    from analysis.statistics.regressions import binomial_regression, linear_regression, mixed_regression

    table = reality_check_results()
    table = table[table["evaltype"] == "test"].rename(columns={"totalCORRECT": "right", "totalTOTAL": "n"})
    table["accuracy"] = 100 * table["right"] / table["n"]
    table["sample"] = table["language"] + " " + table["splittype"] + " " + table["seed"].astype("str")
    linear = linear_regression(table, "accuracy", "language * model * trainsize * splittype")
    assert linear.quantity("rank") == 6 * 4 * 2 * 3 and linear.problems == ()
    assert binomial_regression(table, "right", "n", "language + model").quantity("dispersion") > 1
    assert mixed_regression(table, "accuracy", "model * trainsize").quantity("variance of language") > 0


# The stored training of CHR-TRM -------------------------------------------------------------------------------------


def test_the_stored_training_says_how_it_was_made_and_how_far_it_came():
    stored = kodner2023.stored_neural_run()
    assert stored["size"].tolist() == [100, 400, 1000]
    assert (stored["updates"] <= 1500).all()
    assert (stored["denominator"] == 600).all()
    shares = (stored["numerator"] / stored["denominator"]).astype("float64")
    assert np.allclose(stored["value"].astype("float64"), shares, atol=1e-5) and set(stored["unit"]) == {"proportion"}
    assert ((stored["lower"] < stored["value"]) & (stored["value"] < stored["upper"])).all()
    assert stored["published"].iloc[-1] == pytest.approx(0.848, abs=0.0005)
    assert stored["model"].str.contains("stored").all()


def test_each_size_of_the_stored_training_is_judged_by_its_own_accuracy():
    stored = kodner2023.stored_neural_run().set_index("size")
    assert stored["verdict"].to_dict() == {100: "same", 400: "different", 1000: "same"}
    assert set(stored["criterion"]) == {"within 0.1"}


@pytest.mark.real_corpus
def test_the_stored_training_stands_in_the_figure_of_the_given_split_only():
    shown = [line.get_label() for line in kodner2023.figure3(REAL).legends[0].legend_handles]
    assert sum("CHR-TRM" in label and "stored" in label for label in shown) == 1
    labels = [line.get_label() for line in kodner2023.figure2(REAL).legends[0].legend_handles]
    assert not any("CHR-TRM" in label for label in labels)
    assert {f"{name} (stored)" for name in kodner2023.TRANSDUCERS} <= set(labels), "German is whole"


def test_training_a_tiny_transformer_runs_through_the_grid():
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install .[neural]")
    tiny = {"layers": 1, "heads": 2, "embedding": 8, "feed_forward": 8, "max_updates": 2, "progress": False}
    table = kodner2023.train_neural(strategy="UNIFORM", corpus="lexical", sizes=(200, 100), **tiny)
    assert table["size"].tolist() == [100, 200] and (table["updates"] == 2).all()
    assert (table["denominator"] == len(kodner2023.draw("lexical", "English", "UNIFORM", 0).test)).all()
    assert "published" not in table.columns


def test_development_items_are_scored_at_the_smallest_and_largest_size():
    table = kodner2023.development("lexical", seeds=2)
    assert (table.groupby(["language", "strategy", "seed"])["size"].nunique() == 2).all()
    sample = kodner2023.draw("lexical", "English", "UNIFORM", 0)
    rows = table.query("language == 'English' and strategy == 'UNIFORM' and seed == 0")
    assert set(rows["n"]) == {len(sample.dev)} and table["accuracy"].between(0, 1).all()


def test_errors_that_a_larger_set_adds_and_the_least_share_of_types_are_found():
    table = pd.DataFrame({"size": [1, 1, 2, 2, 3, 3], "type": ["a", "b"] * 3, "errors": [6, 4, 3, 9, 2, 2]})
    of = Evidence(kodner2023.Setting(), {"errors": lambda setting, language: table})
    assert most_added_errors(of, "any") == 2
    assert least_share_of_errors(of, "any", "a") == {"size 2": 0.25}
