"""Everything of the paper on one corpus, for the report."""

from typing import Any

import pandas as pd

from analysis import corpora
from analysis.corpora.lexical import lexical_version
from analysis.papers.kodner2023 import figures
from analysis.papers.kodner2023.claims import claims
from analysis.papers.kodner2023.neural import COMMAND, stored_neural_run
from analysis.papers.kodner2023.runs import runs
from analysis.papers.kodner2023.setting import CLUZH, LANGUAGES, Setting, sizes, version
from analysis.papers.kodner2023.tables import (
    accuracy_regression,
    curves,
    errors,
    german_patterns,
    mean_variability,
    regressions,
    scores,
    second_reader,
    strategy_difference,
    variability,
)
from analysis.papers.publishing import Stages
from analysis.structures.publication import Figure, Publication, Source, Table

TITLE = "Kodner, Khalifa, Payne & Liu (2023), Re-Evaluating the Evaluation of Neural Morphological Inflection Models"
SAMPLINGS, FULL_SAMPLINGS = 10, 50
_NEURAL = (
    f"Stored: `{COMMAND}`, on a machine without an accelerator; UniMorph via SIGMORPHON 2022, its English split. "
    "Accuracy in percent, Wilson interval, 95%, beside the shared task's neural baseline."
)
_ORDER = {"figure1": "Arabic", "figure2": "German", "figure3": "English"}


def publish(corpus: str = "lexical", full: bool = False, n_jobs: int = -1, **choices: Any) -> Publication:
    """Recompute every figure, the claims and the regressions on one corpus.

    Parameters
    ----------
    corpus : str
        ``"lexical"`` (offline) or ``"sigmorphon2022"``.
    full : bool
        Whether UNIFORM and WEIGHTED are compared over fifty samplings instead of ten.
    n_jobs : int
        Processes.
    **choices
        Further choices of `Setting`.

    Returns
    -------
    Publication
    """
    stages = Stages()
    setting = Setting(corpus=corpus, **choices)
    samplings = FULL_SAMPLINGS if full else SAMPLINGS
    many = Setting(corpus, samplings, ("NONNEUR",), setting.languages, setting.missing_weight)
    stages("runs", lambda: runs(setting, n_jobs))
    stages("samplings", lambda: runs(many, n_jobs))
    tables = stages("tables", lambda: _tables(setting, many))
    drawn = stages("figures", lambda: _figures(setting, many))
    return Publication(
        paper="kodner2023",
        title=TITLE,
        corpus=corpus,
        tables=tables,
        figures=drawn,
        sources=_sources(corpus),
        notes=_notes(setting, samplings),
        not_reproduced=_not_reproduced(corpus),
        run_times=stages.total(),
        parameters={"samplings": samplings},
    )


def _caption(setting: Setting) -> str:
    data = "; ".join(f"{language}: {version(setting.corpus, language)}" for language in setting.languages)
    return f"{data}. UNIFORM and WEIGHTED: seeds 0 to {setting.seeds - 1}. Exact match on the test items, in percent."


def _tables(setting: Setting, many: Setting) -> tuple[Table, ...]:
    said = _caption(setting)
    sampled = f"NONNEUR, {many.seeds} samplings a strategy, the same seeds for both; bootstrap of the mean, 95%."
    fits = "Treatment coding, base levels the alphabetically first; size in items; accuracy in percent. Without Copy."
    curve = pd.concat([curves(language, setting) for language in setting.languages], ignore_index=True)
    counted = pd.concat(
        [errors(language, setting, by=by).assign(by=by) for language in LANGUAGES for by in ("size", "model")],
        ignore_index=True,
    )
    tables = [
        Table(
            "claims", "Every number and claim of the text, with a verdict", claims(setting, samplings=many.seeds), said
        ),
        Table(
            "learning_curves",
            "Figures 1 to 3: accuracy by training size",
            curve,
            f"{said} Bootstrap over seeds, 95%.",
            2,
        ),
        Table("strategy_difference", "UNIFORM minus WEIGHTED", strategy_difference(many), f"{sampled} {said}", 2),
        Table(
            "variability",
            "Score range and random seed variability",
            variability(setting),
            f"{said} Deviation: n - 1.",
            2,
        ),
        Table(
            "mean_variability",
            "Their means by language and strategy",
            mean_variability(setting, by=("language",)),
            f"{said} Means over cells, so languages weigh by their numbers of sizes.",
            2,
        ),
        Table("regressions", "Regressions", regressions(setting), f"{fits} {said}", 5),
        Table("errors", "Figures 4 to 9: wrong predictions by type", counted, f"{said} Seed 0. Classed by rule."),
        Table("german_patterns", "German plural patterns in the pool", german_patterns(setting), f"{said} By rule.", 0),
        Table("neural", "CHR-TRM, trained once on English and stored", stored_neural_run(), _NEURAL, 2),
        Table("scores", "Every run", scores(setting), f"{said} Wilson interval of one test set, 95%.", 4),
    ]
    if setting.corpus == "sigmorphon2022":
        agreement = f"Errors of {CLUZH}; labels by a reader who saw no rule output. Wilson interval, 95%. {said}"
        tables.append(Table("second_reader", "Agreement of the rules with a reader", second_reader(), agreement))
    return tuple(tables)


def _figures(setting: Setting, many: Setting) -> tuple[Figure, ...]:
    said = _caption(setting)
    entries = [
        Figure(
            name,
            f"Figure {name[-1]}: {language} learning curves",
            getattr(figures, name)(setting),
            f"Learning curves of {language}: accuracy in percent against training items, a panel a sampling strategy, "
            "a colour a model; thin lines are seeds, thick lines their means.",
            said,
        )
        for name, language in _ORDER.items()
    ]
    for number, (language, by) in enumerate(
        [(language, by) for language in ("Arabic", "English", "German") for by in ("size", "model")], start=4
    ):
        table = errors(language, setting, by=by)
        what = "training size" if by == "size" else "model"
        entries.append(
            Figure(
                f"figure{number}",
                f"Figure {number}: {language} errors by {what}",
                getattr(figures, f"figure{number}")(setting),
                f"Stacked bars: wrong {language} predictions by type, a bar a {what}.",
                f"n = {int(table['items'].iloc[0])} test items, {table['strategy'].iloc[0]}, seed 0. {said}",
            )
        )
    entries.append(
        Figure(
            "strategies",
            "By how much UNIFORM exceeds WEIGHTED",
            figures.difference_figure(many),
            "Lines: accuracy under UNIFORM minus that under WEIGHTED by training items, one a language, with bands.",
            f"NONNEUR, {many.seeds} samplings a strategy; bootstrap, 95%. {said}",
        )
    )
    entries.append(
        Figure(
            "slopes",
            "Slopes of accuracy",
            figures.regression_figure(accuracy_regression(setting)),
            "Forest plot: every coefficient with the training size, in points for 100 items, and 95 percent intervals.",
            f"{accuracy_regression(setting).coding}. {said}",
        )
    )
    return tuple(entries)


def _sources(corpus: str) -> tuple[Source, ...]:
    if corpus == "sigmorphon2022":
        return tuple(
            Source(name, corpora.data_version(name), corpora.dataset(name).licence, corpora.dataset(name).citation)
            for name in ("sigmorphon2022", "realitycheck2023")
        )
    return (
        Source(
            "lexical (English)",
            lexical_version("English"),
            "MIT; SPECIALIST Lexicon with acknowledgement; wordfreq's data CC BY-SA 4.0",
            "lemminflect (Jascob 2020); wordfreq (Speer 2022), which contains SUBTLEX (Brysbaert & New 2009)",
        ),
        Source(
            "lexical (German)",
            lexical_version("German"),
            "CC BY-SA 4.0",
            "german-nouns (from Wiktionary); wordfreq (Speer 2022)",
        ),
        Source(
            "lexical (Arabic)",
            lexical_version("Arabic"),
            "as the suite; wordfreq's data CC BY-SA 4.0",
            "a list of nouns written by hand for this suite; wordfreq (Speer 2022)",
        ),
    )


def _notes(setting: Setting, samplings: int) -> tuple[str, ...]:
    notes = [
        "The paper's neural models are not run by this command; what rests on them is not testable here. CHR-TRM can "
        f"be trained (`{COMMAND}`, an hour or two); one such training on English is stored, shorter than published.",
        f"UNIFORM and WEIGHTED are compared over {samplings} samplings; the paper drew 5. `--full` draws "
        f"{FULL_SAMPLINGS}.",
        "NONNEUR is trained on training and fine-tuning items together, as in the paper.",
        "The paper does not state the coding of its regressions; these have treatment coding.",
    ]
    if setting.corpus == "sigmorphon2022":
        notes.append(
            f"{CLUZH} was submitted to the shared task, tuned by language: neither CLUZH-GR nor CLUZH-B4 of the paper."
        )
        notes.append("The Arabic pool has 1,943 nouns, 53 fewer than the paper's sizes add up to: its test has 443.")
    else:
        notes.insert(
            0,
            "These are word lists of packages and an Arabic list written by hand, not child-directed speech: "
            f"no finding of the paper. Arabic sizes are {', '.join(map(str, sizes('lexical', 'Arabic')))}.",
        )
    return tuple(notes)


def _not_reproduced(corpus: str) -> pd.DataFrame:
    rows = [
        (
            "CHR-TRM, CLUZH-GR and CLUZH-B4 in every figure",
            "the authors' predictions are not published, and CHR-TRM's 20,000 updates a run ask for an accelerator",
            "the predictions",
        ),
        ("the authors' five samples", "their random seeds are not published", "the splits"),
    ]
    if corpus != "sigmorphon2022":
        rows.insert(0, ("SIGM22", "the offline lists have no given split", "the SIGMORPHON 2022 data: see data list"))
    return pd.DataFrame(rows, columns=["what", "why", "needs"])
