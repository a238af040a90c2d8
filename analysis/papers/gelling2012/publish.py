"""Everything of the paper on one corpus, for the report."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.corpora.catalogue import data_version, dataset
from analysis.corpora.folders import data_folder
from analysis.dependencies import rules_table
from analysis.papers.gelling2012.agreement import agreement, conventions, curves, ranks, spread
from analysis.papers.gelling2012.chance import intervals
from analysis.papers.gelling2012.claims import claims
from analysis.papers.gelling2012.conversions import SENTENCES
from analysis.papers.gelling2012.evaluation import curve_evaluations, evaluations
from analysis.papers.gelling2012.figures import (
    agreement_figure,
    averages_figure,
    bump_figure,
    clusters_figure,
    figure1_figure,
    relations_figure,
    scores_figure,
)
from analysis.papers.gelling2012.quality import OTHERS, joint_figure, joint_quality
from analysis.papers.gelling2012.setting import NURSERY, Setting, data, treebank
from analysis.papers.gelling2012.tables import (
    FILES,
    WITH_AVERAGES,
    compare,
    compare_averages,
    figure1,
    inconsistencies,
    punctuation_share,
    runs,
    scores,
    side_by_side,
    table1,
    table2,
    table3,
    table4,
    table5,
    table6,
    table7,
    table8,
    table9,
)
from analysis.papers.publishing import Stages, sources_of
from analysis.structures.publication import Figure, Publication, Source, Table

TITLE = "Gelling, Cohn, Blunsom & Graça (2012), The PASCAL Challenge on Grammar Induction"
FULL_ITERATIONS = 200
FULL = {"iterations": FULL_ITERATIONS, "bc_sweeps": 20, "c_sweeps": 200, "cgs_sweeps": 100}
TABLES = {1: table1, 2: table2, 3: table3, 4: table4, 5: table5, 6: table6, 7: table7, 8: table8, 9: table9}
TITLES = {
    1: "Properties of the treebanks", 2: "Word classes against universal tags", 3: "Trees from gold tags",
    4: "Trees from words alone (joint)", 5: "Directed accuracy against five conversions of the Penn Treebank",
    6: "Directed accuracy by relation", 7: "Word classes against fine tags",
    8: "Trees from gold tags, at most 10 tokens", 9: "Trees from words alone, at most 10 tokens",
}  # fmt: skip


def stored_full_run() -> pd.DataFrame:
    """Scores of all tables on the ten treebanks with 200 iterations of DMV, stored.

    Returns
    -------
    DataFrame
        A long result table as `scores` gives, with ``command`` and ``seconds`` (of the fit).
    """
    return _stored("gelling2012_full")


def stored_entrants_run() -> pd.DataFrame:
    """Scores of the rebuilt entrants (BC, C, CGS, Tu, S1, S2) on the ten treebanks with many sweeps, stored.

    Returns
    -------
    DataFrame
        A long result table as `scores` gives, with ``command`` and ``seconds`` (of the fit).
    """
    return _stored("gelling2012_entrants")


def _stored(name: str) -> pd.DataFrame:
    path = data_folder() / "results" / f"{name}.csv"
    counts = dict.fromkeys(("k", "numerator", "denominator", "n", "classes", "clusters"), "Int64")
    numbers = dict.fromkeys(("value", "lower", "upper", "seconds"), "Float64")
    types: dict[str, str] = counts | numbers | {"seed": "str"}
    return pd.read_csv(path, dtype=types, keep_default_na=False, na_values=[""], encoding="utf-8")


def publish(corpus: str = NURSERY, full: bool = False, n_jobs: int = -1, **choices: Any) -> Publication:
    """Recompute the tables and figures on one corpus.

    Parameters
    ----------
    corpus : str
        ``"treebanks"`` (the ten, and Basque of CoNLL 2007) or ``"nursery"`` (generated).
    full : bool
        Whether DMV makes 200 iterations instead of 30, BC 20 sweeps instead of 2, C 200 and CGS 100.
    n_jobs : int
        Processes.
    **choices
        Further choices of `Setting`.

    Returns
    -------
    Publication
    """
    timed = Stages()
    setting = Setting(corpus=corpus, **(FULL if full else {}) | choices)
    testsets = setting.testsets or ()
    timed("corpus", lambda: [data(name) for name in testsets])
    found = timed("systems and scores", lambda: evaluations(setting, n_jobs))
    timed("curves", lambda: curve_evaluations(setting, n_jobs))
    tables = timed("tables", lambda: _tables(setting))
    figures = timed("figures", lambda: _figures(setting))
    for name, seconds in found.runs.groupby("testset", sort=False)["seconds"].sum().items():
        timed.times[f"all fits on {name} (when computed)"] = float(seconds)
    names = list(dict.fromkeys(treebank(name)["corpus"] for name in testsets))
    return Publication(
        paper="gelling2012",
        title=TITLE,
        corpus=corpus,
        tables=tables,
        figures=figures,
        sources=(*sources_of(names), *_bracketed_trees(testsets)),
        notes=_notes(setting),
        not_reproduced=_not_reproduced(setting),
        run_times=timed.total(),
        parameters={"iterations": setting.iterations},
    )


def _bracketed_trees(testsets: Sequence[str]) -> tuple[Source, ...]:
    """The trees that relations of the Penn sample are derived from; no corpus of its own."""
    if "en-ptb" not in testsets:
        return ()
    found = dataset("nltk-treebank")
    return (Source(found.name, data_version(found.name), found.licence, found.citation),)


def _words(setting: Setting) -> str:
    where = (
        f"The built-in language, {data(NURSERY).version}; generated by the suite, not a treebank"
        if setting.corpus == NURSERY
        else f"{len(setting.testsets or ())} open treebanks; versions: see the treebanks"
    )
    return (
        f"{where}. DMV: {setting.iterations} iterations on sentences of at most {setting.train_length} words; "
        f"H on {setting.harmonic_tags} tags; Tu on {setting.tu_tags} tags, annealed over {setting.annealing} "
        f"iterations and {setting.iterations} more, prior {setting.prior:g}; BC: {setting.bc_sweeps} sweeps, C: "
        f"{setting.c_sweeps}, CGS: {setting.cgs_sweeps} in {setting.cgs_rounds + 1} rounds; seed {setting.seed}."
    )


def _comparison(number: int, setting: Setting) -> pd.DataFrame:
    found = compare(TABLES[number](setting), number)
    return found.drop(columns=[name for name in ("data_version", "convention") if name in found.columns])


def _tables(setting: Setting) -> tuple[Table, ...]:
    words = _words(setting)
    real = setting.corpus != NURSERY
    heads = (
        "UD makes content words heads: LB and RB, and all trees but those of en-ptb, are not comparable. "
        if real
        else ""
    )
    shown = [Table("treebanks", "What stands for the paper's test sets", _treebanks(setting), words)]
    for number in FILES:
        comparison = _comparison(number, setting)
        if number in (5, 6) and not comparison["recomputed"].notna().any():
            note = "The conversions re-head the trees of the Penn sample, which is not among the test sets. "
        elif number == 5 and not real:
            note = f"The first {SENTENCES:,} sentences of the built-in language, re-headed by the same rules. "
        else:
            note = heads if number not in (1, 2, 7) else ""
        if number in WITH_AVERAGES:
            means = compare_averages(TABLES[number](setting), number)
            scale = "VI in bits, others in percent. " if number in (2, 7) else "Percent. "
            n = f"n = {int(means['n'].max())} test sets averaged, N/A left out"
            wide = pd.concat(
                [side_by_side(comparison, measure).reset_index().assign(measure=measure)
                 for measure in dict.fromkeys(comparison["measure"])], ignore_index=True,
            )  # fmt: skip
            wide = wide[["measure", *(name for name in wide.columns if name != "measure")]]
            shown.append(Table(f"table{number}", f"Table {number}: {TITLES[number]}", wide, f"{scale}{note}{words}", 2))
            shown.append(
                Table(f"table{number}_averages", f"Table {number}, averages", means, f"{scale}{n}. {note}{words}", 2)
            )
        elif number != 1:
            wide = side_by_side(comparison).reset_index()
            shown.append(
                Table(f"table{number}", f"Table {number}: {TITLES[number]}", wide, f"Percent. {note}{words}", 1)
            )
        shown.append(Table(f"table{number}_long", f"Table {number}, one row a number", comparison, f"{note}{words}", 2))
    correlation = "Spearman over systems, average ranks, t approximation; VI is taken negative."
    both = [
        (f"Table {number}, {source}", agreement(number, table))
        for number in (2, 7, 3, 4)
        for source, table in (("printed", None), ("recomputed", TABLES[number](setting)))
    ]
    agreements = pd.concat([table.assign(source=source) for source, table in both], ignore_index=True)
    places = pd.concat([ranks(number).assign(table=number) for number in (2, 3, 7)], ignore_index=True)
    spreads = [
        (f"Table {n}, {s}", spread(n, t)) for n in (3,) for s, t in (("printed", None), ("recomputed", table3(setting)))
    ]
    first = (setting.testsets or ())[0]
    where = "en-ptb" if "en-ptb" in (setting.testsets or ()) else first
    quality = joint_quality(setting, others=tuple(OTHERS))
    further = [
        Table("figure1", "Figure 1: accuracy by length of the dependency", figure1(setting).drop(columns="convention"),
              f"Percent; the paper prints no numbers. {heads}{words}", 1),
        Table("intervals", "Intervals of the trees", intervals(setting),
              f"95 percent, 1,000 bootstrap resamples of sentences, seed {setting.seed}. {words}", 2),
        Table("agreement", "Do the measures agree?", agreements.drop(columns="undefined"), f"{correlation} {words}"),
        Table("ranks", "Ranks by the printed averages", places, "1 is best; equal values share the mean rank.", 2),
        Table("spread", "Are the lenient measures less spread?",
              pd.concat([table.assign(source=source) for source, table in spreads], ignore_index=True),
              "Over systems, mean over test sets, in points.", 2),
        Table("curves", "Number of clusters", curves(setting), f"B and MK on {setting.curve_testset}. {words}", 2),
        Table("joint_quality", "Quality of tags and of the trees on them",
              quality.drop(columns=["convention", "data_version"]),
              f"{setting.curve_testset}; percent. Tags against fine tags, punctuation included. {words}", 2),
        Table("conventions", "What each convention changes", conventions(where, setting), f"{where}. {words}", 2),
        Table("rules", "Rules of the conversions", rules_table(),
              "Combined under the names of the paper's conversions."),
        Table("punctuation", "Punctuation", punctuation_share(setting), words, 1),
        Table("inconsistencies", "The printed tables against themselves", inconsistencies(),
              "Averages whose last digit is not that of the rounded mean; rows whose bold is not the best.", 4),
        Table("claims", "Every claim, with a verdict", claims(setting), words),
        Table("runs", "Every run", runs(setting, seconds=False), f"Times: see the run times. {words}", 2),
        Table("scores", "Every score", scores(setting), words, 4),
        Table("full_run", f"The stored run of {FULL_ITERATIONS} iterations", stored_full_run(),
              "Computed once on the ten treebanks with the command in the table, not by this run.", 4),
        Table("entrants_run", "The stored run of the rebuilt entrants", stored_entrants_run(),
              "BC, C, CGS, Tu, S1 and S2, computed once on the ten treebanks with the command in the table.", 4),
    ]  # fmt: skip
    return (*shown, *further)


def _treebanks(setting: Setting) -> pd.DataFrame:
    rows = []
    for name in setting.testsets or ():
        row = treebank(name)
        rows.append(
            {"testset": name, "corpus": row["corpus"], "data_version": data(name).version, "scored": row["test"],
             "tags": data(name).tags, "comparable": row["comparable"], "differs": row["differs"]}
        )  # fmt: skip
    return pd.DataFrame(rows)


def _figures(setting: Setting) -> tuple[Figure, ...]:
    words = _words(setting)
    rho = "Spearman's rho over systems."
    cells = "Heat map of rank correlations: pairs of measures by test sets, and on the averages. "
    bump = "Bump chart: the rank of each system by each measure, 1 at the top. "
    return (
        Figure("figure1", "Figure 1: accuracy by length", figure1_figure(setting),
               "Directed accuracy against the length of the gold dependency, 1 to 9 words, one line a system.",
               f"The systems that run here. {words}"),
        Figure("agreement_classes", "Agreement of the measures of word classes, printed", agreement_figure(2), cells,
               f"{rho} From the printed Table 2; VI taken negative.", printed=True),
        Figure("agreement_trees", "Agreement of the measures of trees, printed", agreement_figure(3), cells,
               f"{rho} From the printed Table 3.", printed=True),
        Figure("agreement_recomputed", "Agreement of the measures of trees, recomputed",
               agreement_figure(3, table3(setting)), cells, f"{rho} {words}"),
        Figure("ranks_classes", "Ranks by the four measures of word classes, printed", bump_figure(2), bump,
               "Averages of the printed Table 2.", printed=True),
        Figure("ranks_trees", "Ranks by the three measures of trees, printed", bump_figure(3), bump,
               "Averages of the printed Table 3.", printed=True),
        Figure("ranks_recomputed", "Ranks by the three measures of trees, recomputed", bump_figure(3, table3(setting)),
               bump, words),
        Figure("clusters", "Number of clusters against each measure", clusters_figure(setting),
               "Eight panels: above, each measure against the number of clusters on all test sets; below, on one.",
               words),
        Figure("averages_classes", "Word classes, printed and recomputed", averages_figure(2, setting),
               "Averages of three measures, one line a system: ring printed, dot recomputed.",
               f"The printed are of other and larger text. {words}"),
        Figure("averages_trees", "Trees, printed and recomputed", averages_figure(3, setting),
               "Averages of three measures, one line a system: ring printed, dot recomputed.",
               f"The printed are of other heads and larger text. {words}"),
        Figure("joint_quality", "Better tags, better trees?",
               joint_figure(joint_quality(setting, others=tuple(OTHERS))),
               "Three panels: a measure of the trees that DMV induces against the V-measure of the tags, a mark each "
               "clustering, and gold tags.", f"{setting.curve_testset}. {words}"),
        Figure("scores", "Directed accuracy", scores_figure(setting),
               "Heat map: directed accuracy of each system on each test set.", words),
        Figure("relations", "Directed accuracy by relation", relations_figure(setting),
               "Heat map: directed accuracy of each system by gold relation.", words),
    )  # fmt: skip


def _notes(setting: Setting) -> tuple[str, ...]:
    notes = [
        "Systems are trained on all text at hand of a test set, the scored sentences (never their trees) among it; "
        "where there is no training file, development and test files serve. Each row says which.",
        f"DMV makes {setting.iterations} iterations; the paper is silent; `--full` makes {FULL_ITERATIONS}.",
        f"The samplers make few sweeps (BC {setting.bc_sweeps}, C {setting.c_sweeps}, CGS {setting.cgs_sweeps}; "
        f"`--full`: {FULL['bc_sweeps']}, {FULL['c_sweeps']}, {FULL['cgs_sweeps']}): more may give other scores.",
        "Punctuation is scored in Tables 2 and 7 (the paper does not say; the table of every score has both) and "
        "taken out of the trees. One-to-one is greedy. VI is in bits.",
        "In the joint task punctuation is what consists of punctuation marks: gold tags are not looked at.",
        "Tables 8 and 9 hold sentences of at most 10 tokens with punctuation, after the note to Table 3; footnote 15 "
        "says without.",
        "R is in Table 6 only in the paper; here it runs wherever trees are scored.",
        f"BC and CGS are run where there are at most {setting.most_tags} fine tags, so their averages are over fewer "
        "test sets: the column n says how many. BC, C, CGS, S1, S2 and Tu are "
        "after their authors: what the paper at hand does not say of them is an argument.",
    ]
    if setting.corpus == NURSERY:
        notes.insert(0, "This corpus is generated by the suite. Nothing here is a finding about a language.")
    else:
        notes.insert(0, "The open treebanks are other editions than the paper's. Universal Dependencies makes content "
                        "words heads, so left- and right-branching and all trees on them are not comparable with the "
                        "printed numbers; the Penn sample and Basque of CoNLL 2007 are near.")  # fmt: skip
    return tuple(notes)


def _not_reproduced(setting: Setting) -> pd.DataFrame:
    rows = [
        ("G (word classes)", "this system does not run in this suite", "an implementation of it"),
        ("BC, BH, MZ (trees)", "these systems do not run in this suite",
         "implementations of them"),
        ("Figure 1, the printed curves", "the paper prints no numbers", "the authors' numbers"),
    ]  # fmt: skip
    if setting.corpus == NURSERY:
        rows.append(("All tables", "the corpus is generated", "the treebanks: see data list"))
    else:
        rows.append(("All tables, digit for digit", "other editions, other heads, less text", "the challenge's data"))
        rows.append(("CC of basque-conll2007", "its conjunctions head their conjuncts", "another scheme"))
    return pd.DataFrame(rows, columns=["what", "why", "needs"])
