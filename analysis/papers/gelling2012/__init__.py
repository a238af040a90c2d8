"""Gelling, Cohn, Blunsom & Graça (2012): the PASCAL challenge on grammar induction.

`table1` to `table9` and `figure1` recompute the paper's tables and figure, `compare` compares a table with the printed
one, `claims` judges every number and claim of the text; the other functions are the tables behind them. Most take a
`Setting` or single fields of it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from analysis.corpora.catalogue import data_version, dataset
from analysis.corpora.treebanks import read_treebank
from analysis.dependencies import rules_table
from analysis.papers.gelling2012 import claims as _finders
from analysis.papers.gelling2012 import headlines as _headlines
from analysis.papers.gelling2012.bc import bc_runs, bc_sweeps
from analysis.papers.gelling2012.bh import bh_runs, bh_settings
from analysis.papers.gelling2012.chance import (
    class_intervals,
    difference,
    differences,
    intervals,
    labelled,
    with_intervals,
)
from analysis.papers.gelling2012.convergence import convergence, convergence_runs
from analysis.papers.gelling2012.edges import gold_edges, loop_rounds
from analysis.papers.gelling2012.figures import (
    agreement_figure,
    averages_figure,
    bump_figure,
    clusters_figure,
    convergence_figure,
    figure1,
    joint_figure,
    relations_figure,
    scores_figure,
    shown_testset,
    stored_averages_figure,
    tags_per_type_figure,
    variants_arcs_figure,
    variants_figure,
)
from analysis.papers.gelling2012.measures import (
    agreement,
    clusters,
    conventions,
    curves,
    hardness,
    joint_quality,
    ranks,
    spread,
    variants,
)
from analysis.papers.gelling2012.mz import mz_runs, mz_settings
from analysis.papers.gelling2012.regularised import (
    regularised_runs,
    regularised_scores,
    stored_regularised_run,
    tags_per_type,
)
from analysis.papers.gelling2012.runs import (
    CLASS_MEASURES,
    LOWER_IS_BETTER,
    OTHERS,
    SENTENCES,
    TREE_MEASURES,
    curve_evaluations,
    evaluations,
    heads,
)
from analysis.papers.gelling2012.setting import LEVELS, TESTSETS, Setting, data, treebank, treebanks
from analysis.papers.gelling2012.tables import (
    FILES,
    TABLES,
    WITH_AVERAGES,
    averages,
    compare,
    compare_averages,
    figure1_points,
    inconsistencies,
    is_best,
    printed_averages,
    printed_table,
    punctuation_share,
    relation_readings,
    runs,
    scores,
    side_by_side,
    stored_entrants_run,
    stored_full_run,
    stored_table,
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
from analysis.papers.gelling2012.tu import tu_runs, tu_settings
from analysis.papers.recipe import (
    Figure,
    Paper,
    Table,
    caption_of,
    functions_of,
    in_percent,
    only,
    printed,
    public,
    sources_of,
)
from analysis.structures.publication import Source

__all__ = [
    "CLASS_MEASURES",
    "LEVELS",
    "LOWER_IS_BETTER",
    "PAPER",
    "TESTSETS",
    "TREE_MEASURES",
    "Setting",
    "agreement",
    "agreement_figure",
    "averages",
    "averages_figure",
    "bc_runs",
    "bc_sweeps",
    "bh_runs",
    "bh_settings",
    "bump_figure",
    "claims",
    "class_intervals",
    "clusters",
    "clusters_figure",
    "compare",
    "compare_averages",
    "conventions",
    "convergence",
    "convergence_figure",
    "convergence_runs",
    "curves",
    "data",
    "difference",
    "differences",
    "figure1",
    "figure1_points",
    "gold_edges",
    "hardness",
    "heads",
    "inconsistencies",
    "intervals",
    "is_best",
    "joint_figure",
    "joint_quality",
    "labelled",
    "loop_rounds",
    "mz_runs",
    "mz_settings",
    "printed_averages",
    "printed_table",
    "publish",
    "punctuation_share",
    "ranks",
    "regularised_runs",
    "regularised_scores",
    "relation_readings",
    "relations_figure",
    "robustness",
    "runs",
    "scores",
    "scores_figure",
    "side_by_side",
    "spread",
    "stored_averages_figure",
    "stored_entrants_run",
    "stored_full_run",
    "stored_regularised_run",
    "stored_table",
    "table1",
    "table2",
    "table3",
    "table4",
    "table5",
    "table6",
    "table7",
    "table8",
    "table9",
    "tags_per_type",
    "tags_per_type_figure",
    "treebanks",
    "tu_runs",
    "tu_settings",
    "variants",
    "variants_arcs_figure",
    "variants_figure",
    "with_intervals",
]

FULL = {
    "iterations": 200, "bc_sweeps": 20, "c_sweeps": 200, "cgs_sweeps": 100, "g_iterations": 200, "tsg_sweeps": 200,
}  # fmt: skip
TITLES = {
    1: "Properties of the treebanks", 2: "Word classes against universal tags", 3: "Trees from gold tags",
    4: "Trees from words alone (joint)", 5: "Directed accuracy against five conversions of the Penn Treebank",
    6: "Directed accuracy by relation", 7: "Word classes against fine tags",
    8: "Trees from gold tags, at most 10 tokens", 9: "Trees from words alone, at most 10 tokens",
}  # fmt: skip


_CLASSES = (
    "Scores of induced word classes by system: many-to-one (M-1) and one-to-one (1-1) accuracy, V-measure (VM), and "
    "variation of information (VI), of which less is better."
)
_TREES = (
    "Share of words with the right head by system: directed, undirected (a reversed edge counts too), and with neutral "
    "edge direction (NED; an edge to the grandparent counts too)."
)


def _long(setting: Setting, number: int) -> pd.DataFrame:
    """Table 1 to 9 with the printed one."""
    return compare(TABLES[number](setting), number)


def _wide(setting: Setting, number: int) -> pd.DataFrame:
    """The same with one column per system; without the measure if there is only one."""
    comparison = _long(setting, number)
    parts = {measure: side_by_side(comparison, measure) for measure in dict.fromkeys(comparison["measure"])}
    return pd.concat(parts, names=["measure"]).reset_index().drop(columns=[] if number in WITH_AVERAGES else "measure")


def _averages(setting: Setting, number: int) -> pd.DataFrame:
    return compare_averages(TABLES[number](setting), number)


def _best(setting: Setting) -> dict[str, Any]:
    """The stored long runs on the same ten treebanks, if only the length of training differs."""
    short = {name: getattr(setting, name) for name in FULL}
    longest = short == FULL or any(short[name] > FULL[name] for name in FULL)
    if longest or setting != Setting(corpus="treebanks", **short):
        return {}
    return {f"table{number}": partial(stored_table, number) for number in WITH_AVERAGES}


_CLASSES_TRAINED = (
    f"BC {FULL['bc_sweeps']} sweeps, C {FULL['c_sweeps']}, CGS {FULL['cgs_sweeps']}; G {FULL['g_iterations']} "
    "iterations."
)
_TREES_TRAINED = f"DMV and H {FULL['iterations']} iterations; BC, BH and MZ are not among these runs."
_BOTH_TRAINED = f"DMV {FULL['iterations']} iterations, CGS {FULL['cgs_sweeps']} sweeps."
#: How long the systems of the stored long runs were trained, by table.
_LENGTHS = {2: _CLASSES_TRAINED, 7: _CLASSES_TRAINED, 3: _TREES_TRAINED, 8: _TREES_TRAINED, 4: _BOTH_TRAINED,
            9: _BOTH_TRAINED}  # fmt: skip


def _of_number(number: int, title: str) -> tuple[Table, ...]:
    """The tables of the report for one table of the paper: one column per system, averages, one row per number."""
    note = {3: "{heads}", 4: "{heads}", 5: "{reheaded}", 6: "{related}", 8: "{heads}", 9: "{heads}"}.get(number, "")
    scale = "VI in bits, others in percent. " if number in (2, 7) else "Percent. "
    averaged, given = number in WITH_AVERAGES, {"number": number}
    left = ("convention",) if number in (5, 6) else ("data_version",) if number == 1 else ("data_version", "convention")
    said = (_CLASSES if number in (2, 7) else "Sizes and numbers of tags of each test set." if number == 1 else
            "Share of words with the right head by system." if number in (5, 6) else _TREES)  # fmt: skip
    longest = Table(
        name=f"table{number}_averages_stored",
        stored=True,
        says=said,
        arguments=given,
        digits=2,
        title=f"Table {number}, averages after the longest runs",
        of=lambda number: compare_averages(stored_table(number), number),
        caption=f"{scale}Ten treebanks; n: how many a system was run on. {_LENGTHS.get(number, '')} Other stored "
        "tables name their own lengths of training.",
    )
    tables = (
        *((longest,) if averaged else ()),
        Table(name=f"table{number}", kept=True, says=said, title=f"Table {number}: {title}", of=_wide, arguments=given,
              digits=2 if averaged else 1, caption=scale + note + "{words}"),
        Table(name=f"table{number}_averages", kept=True, says=said, title=f"Table {number}, averages",
              of=_averages, arguments=given,
              digits=2, caption=f"{scale}{{averaged}} {note}{{words}}"),
        Table(name=f"table{number}_long", title=f"Table {number}, one row per number", of=_long, arguments=given,
              says=said,
              digits=2, drop=left, caption=note + "{words}"),
    )  # fmt: skip
    return tables if averaged else tables[::2] if number > 1 else tables[2:]


def _treebanks(setting: Setting) -> pd.DataFrame:
    rows = [{**treebank(name), "data_version": data(name).version, "tags": data(name).tags}
            for name in setting.testsets]  # fmt: skip
    found = pd.DataFrame(rows).rename(columns={"test": "scored"})
    return found[["testset", "corpus", "data_version", "scored", "tags", "comparable", "differs"]]


def _stored_treebanks() -> pd.DataFrame:
    """The treebanks of the stored results, with version and licence."""
    names = treebanks()["corpus"].tolist()
    found = treebanks()[["testset", "corpus", "train", "test", "comparable", "differs"]]
    return found.assign(version=[*map(data_version, names)], licence=[dataset(name).licence for name in names])


def _both(setting: Setting, of: Callable[..., pd.DataFrame], numbers: tuple[int, ...]) -> pd.DataFrame:
    """Results of a function on the printed and the recomputed tables."""
    tables = {f"Table {n}, {source}": of(n, None if source == "printed" else in_percent(TABLES[n](setting)))
              for n in numbers for source in ("printed", "recomputed")}  # fmt: skip
    return pd.concat([table.assign(source=name) for name, table in tables.items()], ignore_index=True)


def _ranks() -> pd.DataFrame:
    return pd.concat([ranks(number).assign(table=number) for number in (2, 3, 7)], ignore_index=True)


def _sources(setting: Setting) -> tuple[Source, ...]:
    names = dict.fromkeys(treebank(name)["corpus"] for name in setting.testsets)
    trees = ["nltk-treebank"] if "en-ptb" in setting.testsets else []  # gives the relations of the Penn sample
    return sources_of([*names, *trees])


def _times(setting: Setting) -> dict[str, float]:
    seconds = runs(setting).groupby("testset", sort=False)["seconds"].sum()
    return {f"all fits on {name} (when computed)": float(sum_) for name, sum_ in seconds.items()}


def _ages(setting: Setting) -> pd.Series:
    """Ages of the three children in months, from the comments of the open treebank; empty if it is not chosen."""
    row = treebank("en-childes")
    parts = row["train"].split(";") if "en-childes" in setting.testsets else []
    comments = [read_treebank(row["corpus"], part).sentences["comments"].astype("str") for part in parts]
    found = pd.concat([pd.Series(dtype="str"), *comments], ignore_index=True)
    return found.str.extract(r"speaker_age = ([\d.]+)", expand=False).dropna().astype("float64")


def _properties(setting: Setting) -> pd.DataFrame:
    """Every value of Table 1, the kinds of annotation among them."""
    kinds = printed("gelling2012", FILES[1]).query("property == 'annotation'").drop(columns="printed")
    why = "the kind of annotation is not a number; see the table of treebanks"
    kinds = kinds.rename(columns={"value": "printed"}).assign(recomputed=None, why=why)
    return pd.concat([kinds.astype({"recomputed": "Float64"}), _long(setting, 1)], ignore_index=True)


_COVERS: dict[str, Any] = {
    **{name: partial(_long, number=number) for number, name in FILES.items()},
    **{f"{FILES[number]}_averages": partial(_averages, number=number) for number in WITH_AVERAGES},
    FILES[5]: lambda setting: _long(setting, 5).query("conversion != 'best'"),
    f"{FILES[5]}_best": lambda setting: _long(setting, 5).query("conversion == 'best'"),
    FILES[1]: _properties,
}
_HEADS = "UD makes content words heads: LB and RB, and all trees but those of en-ptb, are not comparable. "
_ABSENT = "The conversions re-head the trees of the Penn sample, which is not among the test sets. "
_GRID = (
    "200 iterations, as many states as universal tags. Percent, VI in bits; mean and deviation over random starts, and "
    "G as printed, on other editions and more text: compare the order, not the digits."
)
_CHAINS = (
    "Fine tags, punctuation scored; as many tags as there are fine ones. Arabic: two chains, BC not yet converged. "
    "en-ptb: one chain of GJ08 VB; BC was not run."
)
_TYPES = "Proportions of the word types with at least ten tokens; means over random starts; gold: universal tags."
_QUALITY: dict[str, Any] = {"of": joint_quality, "arguments": {"others": tuple(OTHERS)}}
_CELLS = "Heat map of rank correlations: pairs of measures by test sets, and on the averages. "
_BUMP = "Bump chart: the rank of each system by each measure, 1 at the top. "
_BESIDES = ((2, "classes", "Word classes", "other and larger"), (3, "trees", "Trees", "other heads and larger"))
_BESIDE = "Averages of three measures, one line per system: ring printed, dot recomputed."


def _counted(testset: str) -> str:
    """How much of a test set is scored."""
    scored = data(testset).tokens.query("scored")
    return (
        f"{scored['sentence'].nunique():,} sentences of {len(scored):,} tokens are scored; a score of a few of them, "
        "such as the words of a rare relation, says little."
    )


def _open(setting: Setting) -> bool:
    """Whether the corpus is the open successors of the paper's test sets."""
    return not (setting.generated or setting.added)


PAPER = Paper(
    name="gelling2012",
    title="Gelling, Cohn, Blunsom & Graça (2012), The PASCAL Challenge on Grammar Induction",
    setting=Setting,
    corpora={"treebanks": (*dict.fromkeys(treebanks()["corpus"]), "nltk-treebank"), "nursery": ("nursery",)},
    notebooks=("03_gelling2012_classes.ipynb", "04_gelling2012_dependencies.ipynb"),
    stages=(("corpus", lambda setting, n_jobs: [data(name) for name in setting.testsets]),
            ("systems and scores", evaluations), ("curves", curve_evaluations)),
    full=FULL,
    parameters=("iterations",),
    words={
        "where": lambda setting: f"The built-in language, {data('nursery').version}; generated by the suite, not a "
        "treebank" if setting.generated else f"{setting.corpus}, {data(setting.corpus).version}"
        if setting.added else f"{len(setting.testsets)} open treebanks; versions: see the treebanks",
        "rounds": lambda setting: setting.cgs_rounds + 1,
        "words": "{where}. DMV: {setting.iterations} iterations on sentences of at most {setting.train_length} words; "
        "H on {setting.harmonic_tags} tags; BH on {setting.bh_tags} tags of at most {setting.bh_sentences:,} such "
        "sentences, {setting.bh_training} training; MZ: {setting.mz_sweeps} sweeps; Tu on {setting.tu_tags} tags, "
        "annealed over {setting.annealing} iterations and {setting.iterations} more, prior {setting.prior:g}; BC: "
        "{setting.bc_sweeps} sweeps; BC of the trees: {setting.tsg_runs} runs of {setting.tsg_sweeps} sweeps over at "
        "most {setting.tsg_sentences:,} such sentences on {setting.tsg_tags} tags, or coarse ones where there are more "
        "than {setting.most_tags}; C: {setting.c_sweeps}, CGS: {setting.cgs_sweeps} in {rounds} rounds; G: "
        "{setting.g_iterations} iterations; seed {setting.seed}.",
        "heads": only(_open, _HEADS),
        "related": only(_open, "{of_trees}"),
        "of_trees": lambda setting: _HEADS if "en-ptb" in setting.testsets else _ABSENT,
        "reheaded": lambda setting: f"The first {SENTENCES:,} sentences of the built-in language, re-headed by the "
        "same rules. " if setting.generated else "{related}",
        "tu": "On en-ptb fine tags, unambiguity and sentences of up to 15 words bring Tu nearer to the printed 55.5; "
              "on danish coarse tags do, and development trees choose plain DMV. What is left is unexplained.",
        "bh": "",
        "averaged": lambda setting: f"n = {len(set(TESTSETS) & set(setting.testsets)) or 1} test sets averaged, N/A "
        "left out.",
        "shown": lambda setting: shown_testset(setting.testsets),
        "counted": lambda setting: _counted(setting.testsets[0]),
    },
    notes=(
        only("generated", "This corpus is generated by the suite. Nothing here is a finding about a language."),
        only("added", "The corpus is one that you have added. It is none of the paper's test sets, so nothing here is "
             "comparable with the printed numbers, and a claim is judged on it as on any text. {counted}"),
        only(_open, "The open treebanks are other editions than the paper's. Universal Dependencies makes "
             "content words heads, so left- and right-branching and all trees on them are not comparable with the "
             "printed numbers; the Penn sample and Basque of CoNLL 2007 are near."),
        "Systems are trained on all available text of a test set, including the scored sentences (never their trees); "
        "where there is no training file, development and test files serve. Each row says which.",
        "DMV makes {setting.iterations} iterations; the paper is silent; `--full` makes "
        f"{FULL['iterations']}.",
        "The samplers make few sweeps (BC {setting.bc_sweeps}, of the trees {setting.tsg_sweeps}, C "
        f"{{setting.c_sweeps}}, CGS {{setting.cgs_sweeps}}; `--full`: {FULL['bc_sweeps']}, {FULL['tsg_sweeps']}, "
        f"{FULL['c_sweeps']}, {FULL['cgs_sweeps']}), and G {{setting.g_iterations}} iterations of the paper's "
        f"{FULL['g_iterations']}: more may give other scores.",
        "Punctuation is scored in Tables 2 and 7 (the paper does not say; the table of every score has both) and "
        "taken out of the trees. One-to-one is {setting.assignment}; the paper's is greedy. VI is in bits.",
        "In the joint task punctuation is what consists of punctuation marks: gold tags are not looked at.",
        "Tables 8 and 9 hold sentences of at most 10 tokens with punctuation, after the note to Table 3; footnote 15 "
        "says without.",
        "R is in Table 6 only in the paper; here it runs wherever trees are scored.",
        "Names that end in -c, -p or -u: with as many clusters as there are coarse, fine or universal tags, or trained "
        "on these tags.",
        "BC and CGS are run where there are at most {setting.most_tags} fine tags, so their averages are over fewer "
        "test sets: the column n says how many. BC, BH, C, CGS, G, MZ, S1, S2 and Tu are after their authors: what the "
        "challenge paper does not specify can be chosen.",
    ),
    not_reproduced=(
        ("MZ, digit for digit", "it finds reducibility in the Wikipedia of each language, here in the treebank",
         "that text"),
        ("Figure 1, the printed curves", "the paper prints no numbers", "the authors' numbers"),
        only("generated", "All tables", "the corpus is generated", "the treebanks: see data list"),
        only("added", "All tables", "the corpus is one that you have added", "the challenge's data"),
        only(_open, "All tables, digit for digit", "other editions, other heads, less text", "the challenge's data"),
        only(_open, "LB and RB of Table 6",
             "no way of counting that was tried gives them (see relation_readings)", "the authors' scorer"),
        only(_open, "CC of basque-conll2007", "its conjunctions head their conjuncts", "another scheme"),
    ),
    sources=_sources,
    times=_times,
    tables=(
        Table(name="treebanks",
              says="Which treebank stands for each test set of the paper, and what differs. Only comparable ones "
                   "have scores that can be held against the printed ones.",
              title="What stands for the paper's test sets", of=_treebanks),
        *(table for number, title in TITLES.items() for table in _of_number(number, title)),
        Table(name="figure1_points",
              says="Accuracy against the length of the gold dependency, 1 to 9 words, without punctuation: the "
                   "points of Figure 1. Where the score falls with the length, short edges are found more easily.",
              kept=True, title="Figure 1: accuracy by length of the dependency",
              of=figure1_points,
              drop=("convention",), caption="Proportions; the paper prints no numbers. {heads}{words}"),
        Table(name="intervals", title="Intervals of the trees", of=intervals, digits=4,
              caption="95 percent, 1,000 bootstrap resamples of sentences, seed {setting.seed}. {words}"),
        Table(name="agreement",
              says="Rank correlations of the measures over the systems, printed and recomputed. Near 1, two measures"
                   " rank the systems alike.",
              kept=True, title="Do the measures agree?", of=_both, drop=("undefined",),
              arguments={"of": agreement, "numbers": (2, 7, 3, 4)},
              caption="Spearman over systems, average ranks, t approximation; VI is taken negative. {words}"),
        Table(name="ranks",
              says="The rank of each system by each measure. A system whose ranks differ is one that the measures "
                   "disagree about.",
              title="Ranks by the printed averages", of=_ranks, digits=2, printed=True,
              caption="1 is best; equal values share the mean rank."),
        Table(name="spread",
              says="How much the systems differ by each measure: range and deviation over systems. A lenient measure"
                   " that tells systems less apart has the smaller spread.",
              kept=True, title="Are the lenient measures less spread?", of=_both, digits=2,
              arguments={"of": spread, "numbers": (3,)},
              caption="Over systems, mean over test sets, in points."),
        Table(name="curves", title="Number of clusters", of=curves, digits=4,
              caption="B and MK on {setting.curve_testset}. {words}"),
        Table(name="joint_quality", title="Quality of tags and of the trees on them", **_QUALITY, digits=4,
              drop=("convention", "data_version"),
              caption="{setting.curve_testset}; proportions. Tags against fine tags, punctuation included. {words}"),
        Table(name="conventions",
              says="Scores and ranks of the systems under one convention after another. A rank that moves depends on"
                   " how the trees are scored.",
              title="What each convention changes", digits=4, caption="Test set {shown}. {words}",
              of=lambda setting: conventions(shown_testset(setting.testsets), setting)),
        Table(name="rules",
              says="What each rule of the conversions does, and which standards use it.",
              title="Rules of the conversions", of=rules_table,
              caption="Combined under the names of the paper's conversions."),
        Table(name="punctuation",
              says="How many tokens of each test set are punctuation, by each rule. It is scored in Tables 2 "
                   "and 7, and taken out of the trees.",
              kept=True, title="Punctuation", of=punctuation_share),
        Table(name="inconsistencies", title="The printed tables against themselves", of=inconsistencies, digits=4,
              printed=True,
              caption="Averages whose last digit is not that of the rounded mean; rows whose bold is not the best."),
        Table(name="relation_readings", title="Table 6: what could give the rows of LB and RB", of=relation_readings,
              digits=1, caption="Directed accuracy by the word's own relation is what the paper says. {words}"),
        Table(name="gold_edges", title="Gold edges: length and crossing, by relation", of=gold_edges, digits=3),
        Table(name="loop_rounds", title="Tags and trees by round of the loop of CGS", of=loop_rounds, digits=4),
        Table(name="tu_settings",
              says="What training length, tags, prior and unambiguity do to Tu, one row a setting.",
              stored=True, title="What the settings of Tu do: a stored grid", of=tu_settings,
              digits=3,
              caption="Directed accuracy, as proportions; prior none and unambiguity 0 is DMV. Computed once on three "
              "treebanks. {tu}"),
        Table(name="regularised_scores", stored=True, title="G and its variants from several starts: a stored grid",
              of=regularised_scores, digits=1, caption=_GRID),
        Table(name="tags_per_type", stored=True, title="How many tags word types use: the stored grid",
              of=tags_per_type, digits=3, caption=_TYPES),
        Table(name="convergence", stored=True, title="Do BC and GJ08 VB converge? Stored chains", of=convergence,
              digits=3, caption=_CHAINS),
        Table(name="bh_settings", stored=True, title="What the settings of BH do: a stored grid", of=bh_settings,
              digits=3, caption="Directed accuracy in percent, on the Penn sample; printed: Bisk & Hockenmaier (AAAI "
              "2012), on the whole treebank. Computed once. {bh}"),
        Table(name="mz_settings", stored=True, title="What each part of MZ does: a stored grid", of=mz_settings,
              digits=1, caption="Directed accuracy in percent; all: on all the text, beside Table 3 (whose MZ has the "
              "reducibility of Wikipedia); short: on at most 1,000 sentences of at most 10 words. Computed once."),
        Table(name="bc_sweeps", stored=True, title="BC of the trees by sweep: stored chains", of=bc_sweeps, digits=1,
              caption="Directed accuracy in percent; H and DMV on the same sentences. Runs and sweeps are fewer than "
              "the paper's 40 and the method's 1,000; gelling2012.bc_runs goes on. Computed once."),
        Table(name="runs", title="Every run", of=runs, arguments={"seconds": False}, digits=2,
              caption="Times: see the run times. {words}"),
        Table(name="scores", title="Every score", of=scores, digits=6),
        Table(name="treebanks_stored", stored=True, title="The treebanks of the stored results", of=_stored_treebanks,
              says="Which open treebank stands for each test set of the paper in the stored results, with version and "
                   "licence. basque-conll2007 stands beside the ten, and is in no average.",
              caption="Parts and versions are those of the catalogue; citations: data list."),
        Table(name="full_run", stored=True, title="The stored run of 200 iterations", of=stored_full_run, digits=6,
              caption="Computed once on the ten treebanks with the command in the table, not by this run."),
        Table(name="entrants_run", stored=True, title="The stored run of the rebuilt entrants",
              of=stored_entrants_run, digits=6,
              caption="BC, C, CGS, G, Tu, S1, S2, computed once on the ten treebanks with the command in the table."),
    ),
    figures=(
        Figure(name="figure1", title="Figure 1: accuracy by length", of=figure1,
               alt="Directed accuracy against the length of the gold dependency, 1 to 9 words, one line per system; "
               "panels: baselines, variants of DMV, other systems.",
               caption="The systems that run here. {words}"),
        Figure(name="agreement_classes", title="Agreement of the measures of word classes, printed", printed=True,
               of=agreement_figure, arguments={"number": 2}, alt=_CELLS,
               caption="Spearman's rho over systems. From the printed Table 2; VI taken negative."),
        Figure(name="agreement_trees", title="Agreement of the measures of trees, printed", of=agreement_figure,
               arguments={"number": 3}, alt=_CELLS, printed=True,
               caption="Spearman's rho over systems. From the printed Table 3."),
        Figure(name="agreement_recomputed",
               says="Rank correlations of the measures of trees on each test set, and on the averages, as one heat "
                    "map. Near 1, two measures rank the systems alike.",
               title="Agreement of the measures of trees, recomputed", alt=_CELLS,
               of=lambda setting: agreement_figure(3, table3(setting)), caption="Spearman's rho over systems. {words}"),
        Figure(name="ranks_classes", title="Ranks by the four measures of word classes, printed", of=bump_figure,
               arguments={"number": 2}, alt=_BUMP, caption="Averages of the printed Table 2.", printed=True),
        Figure(name="ranks_trees", title="Ranks by the three measures of trees, printed", of=bump_figure,
               arguments={"number": 3}, alt=_BUMP, caption="Averages of the printed Table 3.", printed=True),
        Figure(name="ranks_recomputed",
               says="The rank of each system by each measure of trees, from the recomputed averages. Lines that "
                    "cross are systems that the measures rank differently.",
               title="Ranks by the three measures of trees, recomputed", alt=_BUMP,
               of=lambda setting: bump_figure(3, table3(setting))),
        Figure(name="clusters", title="Number of clusters against each measure", of=clusters_figure,
               alt="Eight panels: above, each measure against the number of clusters on all test sets; below, on one."),
        *(Figure(name=f"averages_{what}", title=f"{title}, printed and recomputed", of=averages_figure, comparison=True,
                 says=f"Averages of Table {number} over the test sets by system and measure: printed (rings) and "
                      "recomputed (dots). Compare the order of the systems, not the values.",
                 arguments={"number": number}, alt=_BESIDE, caption=f"The printed are of {other} text. {{words}}")
          for number, what, title, other in _BESIDES),
        *(Figure(name=f"averages_{what}_stored", stored=True, title=f"{title}, printed and stored",
                 says="Averages over the test sets by system and measure: printed (rings) and stored (dots). Compare "
                      "the order of the systems, not the values. Systems run on fewer test sets are left out.",
                 of=stored_averages_figure, arguments={"number": number}, alt=_BESIDE,
                 caption=f"{caption_of(f'gelling2012_table{number}_averages')} The printed are of {other} text.")
          for number, what, title, other in _BESIDES),
        Figure(name="tags_and_trees",
               says="Do better tags give better trees? Each mark is one clustering; those to the right have the "
                    "better tags, those above the better trees.",
               title="Better tags, better trees?", caption="Test set {setting.curve_testset}. {words}",
               of=lambda setting: joint_figure(joint_quality(setting, others=tuple(OTHERS))),
               alt="Three panels: a measure of the trees that DMV induces against the V-measure of the tags, one mark "
               "per clustering, and gold tags."),
        Figure(name="v_by_sweep", title="V of BC and GJ08 VB by sweep", of=convergence_figure, stored=True,
               caption=_CHAINS,
               alt="One panel per test set: V against the number of sweeps, one line each for BC and GJ08 VB."),
        Figure(name="tags_of_types", title="How many tags word types use", of=tags_per_type_figure, stored=True,
               printed=True, caption=_TYPES,
               alt="One panel per test set: the share of frequent word types that have at least so many tags, 1 to 12, "
               "one line each for gold tags, the plain HMM, features, the constraint, and both."),
        Figure(name="scores_by_testset", title="Directed accuracy", of=scores_figure,
               says="Directed accuracy of each system on each test set: a heat map, or bars of a single test set.",
               alt="Directed accuracy of each system on each test set, as cells or bars."),
        Figure(name="relations", title="Directed accuracy by relation", of=relations_figure,
               alt="Heat map: directed accuracy of each system by gold relation."),
    ),
    finders=functions_of(_finders),
    statistics=functions_of(_headlines),
    evidence={**{f"table{number}": table for number, table in TABLES.items()}, "figure1": figure1_points,
              "curves": curves, "ages": _ages, "gold_edges": gold_edges, "loop_rounds": loop_rounds},
    best=_best,
    covers=_COVERS,
)  # fmt: skip


#: ``claims``: every claim with its verdict; ``robustness``: of the headline claims to the conventions; both take a
#: setting or single choices. ``publish``: all tables and figures of the paper on one corpus.
claims, robustness, publish = public(PAPER)
