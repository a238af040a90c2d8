"""Kodner, Khalifa, Payne & Liu (2023): how inflection models are evaluated.

One function per figure: `figure1` to `figure9`; `claims` judges every number and claim of the text, `regressions` fits
the paper's regressions. All take a `Setting` or single fields of it.
"""

from collections.abc import Callable
from functools import partial

from analysis.corpora.lexical import lexical_version
from analysis.papers.kodner2023 import claims as _finders
from analysis.papers.kodner2023 import headlines as _headlines
from analysis.papers.kodner2023.cluzh import CLUZH_COMMAND, TRANSDUCERS, cluzh_cells, train_cluzh
from analysis.papers.kodner2023.cluzh_results import (
    cluzh_curves,
    cluzh_error_figure,
    cluzh_errors,
    cluzh_is_stored,
    cluzh_learning_figure,
    cluzh_progress,
    cluzh_reality_check,
    cluzh_regressions,
    cluzh_runs,
    has_cluzh_errors,
    stored_cluzh,
)
from analysis.papers.kodner2023.figures import (
    ERRORS,
    LEARNING,
    difference_figure,
    error_figure,
    figure1,
    figure2,
    figure3,
    figure4,
    figure5,
    figure6,
    figure7,
    figure8,
    figure9,
    learning_figure,
    regression_figure,
)
from analysis.papers.kodner2023.neural import COMMAND, stored_neural_run, train_neural
from analysis.papers.kodner2023.runs import all_runs, given_runs, predictions, runs
from analysis.papers.kodner2023.setting import CLUZH, MODELS, NEURAL, Setting, data, draw, pool, sizes, version
from analysis.papers.kodner2023.tables import (
    accuracy_regression,
    all_errors,
    counts_regression,
    curves,
    development,
    errors,
    german_patterns,
    given_regression,
    mean_variability,
    pools,
    regressions,
    sample_regression,
    scores,
    second_reader,
    strategy_difference,
    variability,
    variability_regression,
)
from analysis.papers.recipe import Figure, Paper, Table, functions_of, only, public, sources_of
from analysis.structures.publication import Source

__all__ = [
    "CLUZH",
    "MODELS",
    "NEURAL",
    "PAPER",
    "TRANSDUCERS",
    "Setting",
    "accuracy_regression",
    "all_runs",
    "claims",
    "cluzh_cells",
    "cluzh_curves",
    "cluzh_error_figure",
    "cluzh_errors",
    "cluzh_learning_figure",
    "cluzh_progress",
    "cluzh_reality_check",
    "cluzh_regressions",
    "cluzh_runs",
    "counts_regression",
    "curves",
    "data",
    "development",
    "difference_figure",
    "draw",
    "error_figure",
    "errors",
    "figure1",
    "figure2",
    "figure3",
    "figure4",
    "figure5",
    "figure6",
    "figure7",
    "figure8",
    "figure9",
    "german_patterns",
    "given_regression",
    "given_runs",
    "learning_figure",
    "mean_variability",
    "pool",
    "pools",
    "predictions",
    "publish",
    "regression_figure",
    "regressions",
    "robustness",
    "runs",
    "sample_regression",
    "scores",
    "second_reader",
    "sizes",
    "stored_cluzh",
    "stored_neural_run",
    "strategy_difference",
    "train_cluzh",
    "train_neural",
    "variability",
    "variability_regression",
]

#: Licence and citation of each offline list.
_LISTS = {
    "English": ("MIT; SPECIALIST Lexicon with acknowledgement; wordfreq's data CC BY-SA 4.0",
                "lemminflect (Jascob 2020); wordfreq (Speer 2022), which contains SUBTLEX (Brysbaert & New 2009)"),
    "German": ("CC BY-SA 4.0", "german-nouns (from Wiktionary); wordfreq (Speer 2022)"),
    "Arabic": ("as the suite; wordfreq's data CC BY-SA 4.0",
               "a list of nouns written by hand for this suite; wordfreq (Speer 2022)"),
}  # fmt: skip
FULL = {"samplings": 50}
_STORED = (
    f"Stored: `{CLUZH_COMMAND}`; after Wehrli et al. (2022), in the program's default settings. UniMorph via "
    "SIGMORPHON 2022; exact match on the test items; the seed is that of the sample and of the network."
)
_BARS = {"size": "training size", "model": "model"}


def _sources(setting: Setting) -> tuple[Source, ...]:
    lists = tuple(Source(f"lexical ({name})", lexical_version(name), *about) for name, about in _LISTS.items())
    return sources_of(PAPER.corpora[setting.corpus]) if setting.real else lists


def _cluzh(there: Callable[[], object]) -> Callable[[Setting], object]:
    """Whether stored trainings of CLUZH can be shown, whatever the setting."""
    return lambda setting: cluzh_is_stored() and there()


PAPER = Paper(
    name="kodner2023",
    title="Kodner, Khalifa, Payne & Liu (2023), Re-Evaluating the Evaluation of Neural Morphological Inflection Models",
    setting=Setting,
    corpora={"sigmorphon2022": ("sigmorphon2022", "realitycheck2023"),
             "lexical": ("package wordfreq", "package lemminflect", "package german_nouns")},
    notebooks=("06_kodner2023.ipynb",),
    stages=(("runs", runs), ("samplings", lambda setting, n_jobs: runs(setting.many, n_jobs=n_jobs))),
    full=FULL,
    facts="claims",
    parameters=("samplings",),
    claims_caption="UNIFORM against WEIGHTED: {sampled} p: t test over samplings. {words}",
    words={
        "versions": lambda setting: "; ".join(f"{language}: {version(setting.corpus, language)}"
                                              for language in setting.languages),
        "last": lambda setting: setting.seeds - 1,
        "words": "{versions}. UNIFORM and WEIGHTED: seeds 0 to {last}. Exact match on the test items.",
        "strategy": lambda setting: "SIGM22" if setting.real else "WEIGHTED",
        "sampled": "NONNEUR, {setting.samplings} samplings a strategy, the same seeds for both; bootstrap of the mean, "
        "95%.",
    },
    notes=(
        only("not real", "These are word lists of packages and an Arabic list written by hand, not child-directed "
             f"speech: no finding of the paper. Arabic sizes are {', '.join(map(str, sizes('lexical', 'Arabic')))}."),
        only("real", f"{CLUZH} was submitted to the shared task, tuned by language: neither CLUZH-GR nor CLUZH-B4 of "
             "the paper. The Arabic pool has 1,943 nouns, 53 fewer than the paper's sizes add up to: its test has "
             "443."),
        "The paper's neural models are not run by this command; claims that need all of them are not testable here. "
        f"CHR-TRM can be trained (`{COMMAND}`, 1–2 hours); one such training on English is stored, shorter than "
        f"published. CLUZH-GR and CLUZH-B4 can be trained on every sample (`{CLUZH_COMMAND}`, which can be stopped and "
        "goes on); the trainings that are done are stored, and their tables say how many. They follow Wehrli et al. "
        "(2022), whose program leaves settings open that the paper does not state.",
        "UNIFORM and WEIGHTED are compared over {setting.samplings} samplings; the paper drew 5. `--full` draws "
        f"{FULL['samplings']}.",
        "NONNEUR is trained on training and fine-tuning items together, as in the paper.",
        "The paper does not state the coding of its regressions; these have treatment coding.",
    ),
    not_reproduced=(
        only("not real", "SIGM22", "the offline lists have no given split", "the SIGMORPHON 2022 data: see data list"),
        ("the authors' runs of CHR-TRM, CLUZH-GR and CLUZH-B4",
         "their predictions and settings are not published, and CHR-TRM's 20,000 updates a run ask for an accelerator",
         "the predictions"),
        ("the authors' five samples", "their random seeds are not published", "the splits"),
    ),
    sources=_sources,
    tables=(
        Table(name="learning_curves",
              says="Mean accuracy over seeds by language, sampling strategy, model and training size, with an "
                   "interval: the points of Figures 1 to 3.",
              kept=True, title="Figures 1 to 3: accuracy by training size", of=curves, digits=4,
              caption="{words} Bootstrap over seeds, 95%."),
        Table(name="development",
              says="Accuracy on the development items at the smallest and the largest training size. Beside that on "
                   "the test items it shows whether the two tell the same story.",
              title="Accuracy on the development items", of=development, digits=4),
        Table(name="strategy_difference",
              says="Mean accuracy under UNIFORM minus that under WEIGHTED, by language and size. Above 0, UNIFORM "
                   "gives the higher score; where the interval holds 0, the two are not told apart.",
              kept=True, title="UNIFORM minus WEIGHTED",
              caption="{sampled} {words}", digits=4,
              of=lambda setting: strategy_difference(setting.many)),
        Table(name="variability",
              says="Score range and standard deviation over seeds of each language, model, strategy and size. A "
                   "difference smaller than these may be one of samples.",
              kept=True, title="Score range and random seed variability", of=variability, digits=4,
              caption="{words} Deviation: n - 1."),
        Table(name="mean_variability",
              says="Mean accuracy, score range and deviation over seeds by language. The larger the range, the less"
                   " a single sample tells.",
              kept=True, title="Means by language", of=mean_variability, digits=4,
              caption="{words} Means over cells, so languages weigh by their numbers of sizes."),
        Table(name="means_by_strategy",
              says="Mean accuracy, score range and deviation over seeds by strategy. The larger the range, the less"
                   " a single sample tells.",
              title="Means by strategy", of=mean_variability, digits=4,
              arguments={"by": ("strategy",)}, caption="{words} Means over cells."),
        Table(name="means_by_language_and_strategy",
              says="Mean accuracy, score range and deviation over seeds by language and strategy. The larger the "
                   "range, the less a single sample tells.",
              title="Means by language and strategy", of=mean_variability,
              digits=4, arguments={"by": ("language", "strategy")}, caption="{words} Means over cells."),
        Table(name="regressions", kept=True, title="Regressions", of=regressions, digits=5,
              caption="Treatment coding, base levels the alphabetically first; size in items; accuracy in percentage "
              "points. Without Copy. {words}"),
        Table(name="errors",
              says="How many wrong predictions are of each type, by size and by model: the bars of Figures 4 to 9.",
              kept=True, title="Figures 4 to 9: wrong predictions by type", of=all_errors,
              caption="{words} Seed 0. Classed by rule."),
        Table(name="german_patterns", title="German plural patterns in the pool", of=german_patterns, digits=0,
              caption="{words} By rule."),
        Table(name="pools", title="Items of each language", of=pools, digits=0,
              caption="{words} printed_pool: the sum of the sizes that the paper prints."),
        Table(name="neural", stored=True, title="CHR-TRM, trained once on English and stored",
              of=stored_neural_run, digits=4,
              caption=f"Stored: `{COMMAND}`, on a machine without an accelerator; UniMorph via SIGMORPHON 2022, its "
              "English split. Wilson interval, 95%, beside the shared task's neural baseline."),
        Table(name="cluzh_progress", stored=True, title="CLUZH-GR and CLUZH-B4: trainings that are done and stored",
              of=cluzh_progress, when=_cluzh(cluzh_is_stored), digits=1,
              caption=f"{_STORED} Processor time in seconds."),
        Table(name="cluzh_curves", stored=True, title="CLUZH-GR and CLUZH-B4: accuracy by training size, stored",
              of=cluzh_curves, when=_cluzh(lambda: len(cluzh_runs())), digits=4,
              caption=f"{_STORED} Only seeds whose every size is done (n). Deviation: n - 1. At 100 items, 20 "
              "fine-tuning items decide which epoch is kept."),
        Table(name="cluzh_regressions", stored=True, title="CLUZH-GR and CLUZH-B4: regressions, stored",
              of=cluzh_regressions, when=_cluzh(lambda: len(cluzh_regressions())), digits=5,
              caption=f"{_STORED} Only seeds whose every size is done in each language and strategy. Treatment "
              "coding."),
        Table(name="cluzh_reality_check", stored=True, title="CLUZH-GR and CLUZH-B4 on splits with published scores",
              of=cluzh_reality_check, when=lambda setting: setting.real and cluzh_is_stored(), digits=4,
              caption=f"{_STORED} 400 training and 100 fine-tuning items; the splits and results of Kodner et al. "
              "(2023, ACL). Wilson interval, 95%."),
        Table(name="scores", title="Every run", of=scores, digits=4,
              caption="{words} Wilson interval of one test set, 95%."),
        Table(name="second_reader", title="Agreement of the rules with a reader", of=second_reader,
              when=lambda setting: setting.real,
              caption=f"Errors of {CLUZH}; labels by a reader who saw no rule output. Wilson interval, 95%. {{words}}"),
    ),
    figures=(
        *(Figure(name=f"figure{number}", title=f"Figure {number}: {language} learning curves", of=learning_figure,
                 arguments={"language": language},
                 alt=f"Learning curves of {language}: accuracy in percent against training items, a panel a sampling "
                 "strategy, a colour a model; thin lines are seeds, thick lines their means.")
          for number, language in LEARNING.items()),
        *(Figure(name=f"figure{number}", title=f"Figure {number}: {language} errors by {_BARS[by]}", of=error_figure,
                 arguments={"language": language, "by": by}, caption="{strategy}, seed 0. {words}",
                 alt=f"Stacked bars: wrong {language} predictions by type, a bar a {_BARS[by]}.")
          for number, (language, by) in ERRORS.items()),
        Figure(name="cluzh_learning", title="CLUZH-GR and CLUZH-B4: learning curves, stored", stored=True,
               of=cluzh_learning_figure, when=_cluzh(lambda: len(cluzh_runs())),
               caption=f"{_STORED} Only seeds whose every size is done; thin lines are seeds.",
               alt="Learning curves: accuracy in percent against training items, a panel a language and strategy, a "
               "colour a model."),
        *(Figure(name=f"cluzh_errors_{language.lower()}", stored=True,
                 title=f"Figure {number}: {language} errors of CLUZH-B4, stored",
                 of=cluzh_error_figure, arguments={"language": language},
                 when=_cluzh(partial(has_cluzh_errors, language)), caption=f"{_STORED} SIGM22, seed 0.",
                 alt=f"Stacked bars: wrong {language} predictions of CLUZH-B4 by type, a bar a training size.")
          for number, (language, by) in ERRORS.items() if by == "size"),
        Figure(name="strategies", title="By how much UNIFORM exceeds WEIGHTED", caption="{sampled} {words}",
               says="Mean accuracy under UNIFORM minus that under WEIGHTED against the training size, one line a "
                    "language, with intervals. Above 0, UNIFORM gives the higher score.",
               of=lambda setting: difference_figure(setting.many),
               alt="Lines: accuracy under UNIFORM minus that under WEIGHTED by training items, one a language, with "
               "bands."),
        Figure(name="slopes",
               says="How much accuracy rises with 100 more training items: the coefficients of the regression with "
                    "the training size, with intervals. Where an interval holds 0, no effect is shown.",
               title="Slopes of accuracy",
               of=lambda setting: regression_figure(accuracy_regression(setting)),
               caption="Treatment coding, base levels the alphabetically first. {words}",
               alt="Forest plot: every coefficient with the training size, in points for 100 items, and 95 percent "
               "intervals."),
    ),
    finders=functions_of(_finders),
    statistics=functions_of(_headlines),
    evidence={"sample": lambda setting, language, strategy: draw(setting.corpus, language, strategy, 0),
              "german_patterns": german_patterns,
              "samplings": lambda setting: runs(setting.many),
              "given": lambda setting: given_runs(setting.many),
              "variability": lambda setting: variability(setting.many),
              "development": development,
              "errors": lambda setting, language: errors(setting, language),
              "cluzh_errors": lambda setting, language: cluzh_errors(language, model="CLUZH-B4", whole=True),
              "cluzh_runs": lambda setting: cluzh_runs(),
              "accuracy_regression": lambda setting: accuracy_regression(
                  setting.many, terms="language * size * strategy"),
              "range_regression": lambda setting: variability_regression(
                  setting.many, "range", terms="language * size * strategy")},
)  # fmt: skip


#: ``claims``: every claim with its verdict; ``robustness``: of the headline claims to the conventions; both take a
#: setting or single choices. ``publish``: all tables and figures of the paper on one corpus.
claims, robustness, publish = public(PAPER)
