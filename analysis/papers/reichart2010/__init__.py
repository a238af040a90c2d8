"""Reichart, Abend & Rappoport (2010): is the lexicon of an induced clustering any good?

`table1` recomputes the paper's table, `compare` compares it with the printed one, `claims` judges every number and
claim of the text; the other functions are the tables behind the text and the figures. Most take a `Setting` or single
fields of it.
"""

from functools import partial
from typing import Any

import pandas as pd

from analysis.categories import r_of_n, small_lexicons
from analysis.figures import mapping_graph
from analysis.papers.recipe import Figure, Paper, Table, functions_of, only, public, sources_of, title_of
from analysis.papers.reichart2010 import claims as _finders
from analysis.papers.reichart2010 import headlines as _headlines
from analysis.papers.reichart2010.chains import (
    cluster_words,
    infinite_chains,
    priors,
    sampled,
    samples,
    stored_samples,
    traces,
)
from analysis.papers.reichart2010.figures import (
    correlations_figure,
    curves_figure,
    mapping_figure,
    priors_figure,
    restarts_figure,
    stored_samples_figure,
    traces_figure,
    zipf_figure,
)
from analysis.papers.reichart2010.runs import (
    LOWER_IS_BETTER,
    MEASURES,
    challenge_evaluations,
    curve_evaluations,
    evaluations,
)
from analysis.papers.reichart2010.setting import (
    FULL,
    FULL_SWEEPS,
    PUNCTUATION,
    Setting,
    data,
    gold_classes,
    gold_lexicon,
    number_of_clusters,
)
from analysis.papers.reichart2010.tables import (
    ARR10_NEEDS,
    agreement,
    agreement_by_text,
    averaged,
    compare,
    correlations,
    covered,
    curves,
    inconsistencies,
    item_measures_differ,
    printed_table1,
    ranks,
    ranks_by_sweeps,
    runs,
    scores,
    side_by_side,
    stored_challenge_run,
    stored_full_run,
    stored_larger_run,
    stored_sweeps_run,
    stored_table1,
    table1,
    wide,
)
from analysis.papers.reichart2010.words import (
    frequency_bands,
    lexicon_readings,
    lexicon_statistics,
    mapping,
    mappings,
    restart_spread,
    restarts,
    word_frequencies,
    zipf,
)
from analysis.statistics import weakest_agreement

__all__ = [
    "LOWER_IS_BETTER",
    "MEASURES",
    "PAPER",
    "PUNCTUATION",
    "Setting",
    "agreement_by_text",
    "challenge_evaluations",
    "claims",
    "cluster_words",
    "compare",
    "correlations",
    "correlations_figure",
    "curves",
    "curves_figure",
    "data",
    "frequency_bands",
    "gold_classes",
    "gold_lexicon",
    "inconsistencies",
    "infinite_chains",
    "item_measures_differ",
    "lexicon_readings",
    "lexicon_statistics",
    "mapping",
    "mapping_figure",
    "mapping_graph",
    "printed_table1",
    "priors",
    "priors_figure",
    "publish",
    "r_of_n",
    "ranks",
    "ranks_by_sweeps",
    "restart_spread",
    "restarts",
    "restarts_figure",
    "robustness",
    "runs",
    "samples",
    "scores",
    "side_by_side",
    "stored_challenge_run",
    "stored_full_run",
    "stored_larger_run",
    "stored_samples",
    "stored_samples_figure",
    "stored_sweeps_run",
    "stored_table1",
    "table1",
    "traces",
    "traces_figure",
    "weakest_agreement",
    "wide",
    "word_frequencies",
    "zipf",
    "zipf_figure",
]

_SCORES = (
    "Of tokens: many-to-one (M-1) and one-to-one (1-1) accuracy, V, and NVI and conditional entropies, of which less "
    "is better; of types: MacroI, MicroI and MicroC by both mappings."
)
_SAMPLE = (
    "the open sample of the treebank, 3,914 sentences in files 1 to 199 (sections 0 and 1); the paper's part, sections "
    "2 to 21, has 39,832 sentences, and none of them is in the sample"
)
_BROWN = "the Brown corpus, which is not the paper's and has other tags"
_COEFFICIENT = "NVI, H(C|K) and H(K|C) are taken negative. Spearman: average ranks; Kendall: tau-b. {curve}"
_STORED = "Computed once, each with the command in its row, not by this run; a table of other corpora too."
_HEATS = "Heat map of rank correlations between the twelve measures, rows and columns ordered by the tree above it: "
_LONG = ("system", "measure", "printed", "recomputed", "difference", "lower", "upper", "n", "steps", "reproducible")


def _best(setting: Setting) -> dict[str, Any]:
    """The stored long runs, if they used the same data and conventions."""
    free: Any = {name: getattr(setting, name) for name in (*FULL, "infinite_start", "curve")}
    stored = stored_full_run().loc[lambda rows: rows["data_version"] == data(setting.text).version]
    same = setting == Setting(corpus=setting.corpus, cased=setting.cased, **free) and len(stored)
    return {"table1": lambda: averaged(stored)} if same else {}


PAPER = Paper(
    name="reichart2010",
    title="Reichart, Abend & Rappoport (2010), Type Level Clustering Evaluation: New Measures and a POS Induction Case "
    "Study",
    setting=Setting,
    corpora={"nltk-dependency-treebank": ("nltk-dependency-treebank",), "nursery": ("nursery",)},
    notebooks=("02_reichart2010.ipynb",),
    stages=(("systems and scores", evaluations), ("curves", curve_evaluations), ("samples", sampled),
            ("priors", priors)),
    full=FULL,
    parameters=tuple(FULL),
    words={
        "where": lambda setting: f"{title_of(setting.corpus)}, {data(setting.text).version}"
        + (f"; {setting.further} is trained on too, not scored" if setting.further else "")
        + ("; generated by the suite, not English text" if setting.generated else ""),
        "which": lambda setting: "one that you have added, and not the paper's" if setting.added
        else _BROWN if setting.corpus == "nltk-brown" else _SAMPLE,
        "k": number_of_clusters,
        "last": lambda setting: setting.seed + setting.runs - 1,
        "words": "{where}. Clark03, Brown, Exchange and ARR10: K = {k}; Clark03: mean of seeds {setting.seed} to "
        "{last}, words with at most {setting.cutoff} tokens in one class more, or assigned at the end; GG07: K = "
        "{setting.hmm_clusters}, {setting.sweeps:,} annealed sweeps; GVG09: {setting.infinite_sweeps:,} sweeps from "
        "{setting.infinite_start} tags; GJ08: K = {setting.gj_clusters}, priors {setting.gj_priors[0]:g} and "
        "{setting.gj_priors[1]:g}, {setting.gj_sweeps:,} sweeps, by variational Bayes at most {setting.vb_passes:,} "
        "passes; each with seed {setting.seed}; ARR10 in the spirit of the paper's, which is no target; hill climbing: "
        "best of {setting.restarts} {setting.initialisation} starts, seed {setting.seed}.",
        "curve": "{where}. One run per system and K, seed {setting.seed}; GG07: {setting.curve_sweeps:,} sweeps.",
        "n": lambda setting: "n = {:,.0f} tokens and {:,.0f} types".format(
            *word_frequencies(setting)["frequency"].agg(["sum", "size"])),
        "scored": "{words} {n}",
    },
    notes=(
        only("generated", "This corpus is generated by the suite. Nothing here is a finding about English."),
        only("not generated", "The corpus is {which}."),
        only("further", "Systems are trained on {setting.further} too, which is among the paper's text; its tags come "
             "from a tagger, so that scores and statistics of words are those of the corpus only."),
        f"GG07 made {{setting.sweeps:,}} annealed sweeps; the paper's made {FULL_SWEEPS:,}, which `--full` runs. "
        "A chain that cools quickly ends far from the best tagging.",
        "GVG09 made {setting.infinite_sweeps:,} sweeps. Its number of clusters moves slowly, so chains from few and "
        "from many tags are compared; the values of its parameters and its start are not in the paper, nor are GJ08's "
        "priors.",
        "GJ08 VB is the same model as GJ08 by variational Bayes; the paper has one row, which "
        "is compared with Gibbs sampling.",
        "The row of ARR10 is in the spirit of Abend, Reichart & Rappoport (2010): landmark clusters around prototypes, "
        "with numbers that this suite chose and that were not fitted to the printed row. The printed row is no target, "
        f"and no claim counts ours. A faithful version would need, {ARR10_NEEDS}.",
        only(lambda setting: setting.cased and not setting.generated, "Words keep their case."),
        only(lambda setting: not setting.cased and not setting.generated, "Words are lower-cased: the paper does not "
             "say, but its statistics of frequent and polysemous types are nearer to those of lower-cased words."),
        "All tokens are trained on; punctuation is not scored.",
        only("not added", "Of the 11 tags that the paper counts as punctuation LS and SYM are inferred."),
        only("added", "The corpus is none of the paper's: a claim is judged on it as on any text, and 17, which the "
             "paper takes as the number of prominent tags, is that of the Penn Treebank."),
        "Brown and Exchange are not in the paper. Clark03 works as Clark's program does; in the row \"Clark03, "
        "assigned\" the rare words find their class at the end, by spelling and shares of the classes.",
        "The one-to-one mapping of tokens is the optimal one: the paper calls its mappings greedy but defines them as "
        "those that maximise the measure.",
        "MicroC can be 1 although a class is missing: classes to which no cluster is mapped do not count.",
    ),
    not_reproduced=(
        only("generated", "Table 1", "the corpus is generated", "the Penn Treebank, or its open sample: see data list"),
        only("not generated", "Table 1, digit for digit", "the corpus is {which}", "the Penn Treebank"),
        ("Row ARR10", "the paper names the system and does not define it; ours is in its spirit only", ARR10_NEEDS),
        ("The statistics of the German NEGRA corpus", "only licence holders have it", "the NEGRA corpus"),
        only(lambda setting: setting.sweeps != FULL_SWEEPS,
             f"GG07 after {FULL_SWEEPS:,} sweeps", "{setting.sweeps:,} sweeps were made", "--full"),
        ("The outputs of GVG09 and GJ08 that the paper scores",
         "their parameters and numbers of sweeps are not printed", "the authors' outputs"),
    ),
    times=lambda setting: {f"fit of {row.system}, K = {row.k}, seed {row.seed} (when computed)": float(row.seconds)
                           for row in evaluations(setting)["runs"].itertuples()},
    sources=lambda setting: sources_of([name for name in (setting.corpus, setting.further) if name]),
    tables=(
        Table(name="table1_stored", stored=True, title="Table 1 after the longest runs", says=_SCORES,
              of=lambda: stored_table1().reset_index(),
              caption="Open sample of the Penn Treebank. Sweeps and seeds: the stored long runs. Other stored tables "
              "name their own sweeps."),
        Table(name="table1", kept=True, title="Table 1: the systems", says=_SCORES, caption="{scored}.",
              of=lambda setting: side_by_side(compare(table1(setting))).reset_index()),
        Table(name="table1_long", says=_SCORES, title="Table 1, one row per number",
              of=lambda setting: compare(table1(setting)),
              columns=_LONG, caption="{scored}. lower and upper: one sample deviation over seeds.", digits=4),
        Table(name="runs", title="The runs and their lexicons", of=runs, arguments={"seconds": False}, digits=2,
              caption="{words} Times: see the run times. The samplers' objective is the log probability of words and "
              "tags, that of variational Bayes its lower bound, ARR10's the mean similarity of words to the prototypes "
              "of their cluster, the others' the log-likelihood of the class bigram model. K of GVG09 is that of the "
              "start, clusters what this one chain ended with: see the next table."),
        Table(name="infinite_chains", title="Does GVG09 find a number of clusters?", of=infinite_chains, digits=2,
              caption="{where}. {setting.infinite_sweeps:,} sweeps from few, some and many tags, seed {setting.seed}; "
              "lower, mean and upper: of the second half. r_hat compares all chains of a row's system: above 1.1 they "
              "disagree, and no number of clusters has been found."),
        Table(name="samples",
              says="Number of clusters and some scores of the samplers after some of their sweeps. Where a score "
                   "still moves at the last one, the chain has not converged.",
              title="From sweep to sweep", of=samples, caption="{words} Sweeps whose tags were kept."),
        Table(name="priors",
              says="Token and type scores of GJ08, and the clusters that are left, at every pair of priors. All "
                   "have one seed, so a small difference may be chance.",
              title="The priors of GJ08", of=priors, drop=("seconds",),
              caption="{where}. Gibbs sampling, seed {setting.seed}; few sweeps a pair."),
        Table(name="lexicon", title="Words, tags and tokens", of=lexicon_statistics, digits=2,
              caption="{where}. Shares in percent, as the paper prints them."),
        Table(name="lexicon_readings",
              says="How words, tags and tokens are spread if words are lower-cased, if they are not, and in half of "
                   "the text: the paper does not say. On its own text the one nearest to print is likelier.",
              title="Words, tags and tokens, lower-cased and cased", of=lexicon_readings,
              digits=2, caption="{where}. The paper does not say whether words are lower-cased; shares in percent."),
        Table(name="agreement",
              says="Do token and type measures rank the systems alike? Mean, smallest and largest rank correlation "
                   "within and between the two groups of measures.",
              kept=True, title="Agreement of token and type measures",
              of=agreement, caption=_COEFFICIENT),
        Table(name="correlations",
              says="Rank correlation of every pair of measures, printed and recomputed. Near 1, both rank the "
                   "systems alike.",
              title="Rank correlations of all pairs", caption=_COEFFICIENT, drop=("undefined",),
              of=lambda setting: pd.concat([correlations(source="printed"), correlations(setting)])),
        Table(name="inconsistencies", title="The printed table against itself", of=inconsistencies, digits=4,
              printed=True,
              caption="H(C) = (H(C|K) + H(K|C)) / NVI with what rounding to three decimals allows; V implied by it."),
        Table(name="small_lexicons",
              says="Type-level measures of small invented lexicons whose right scores are known, or their difference"
                   " from a formula. They show what the paper says of its measures.",
              title="The measures on small lexicons", of=small_lexicons, printed=True,
              caption="Made-up words. Lacks a class: run is N and V, and has one cluster."),
        Table(name="curves", kept=True, title="Every measure against K", of=curves, caption="{curve}", digits=4,
              columns=("system", "k", "measure", "value", "n", "steps")),
        Table(name="restarts", title="Starts of hill climbing", of=restart_spread,
              caption="{words} spread: from the best to the last of those counted, in percent."),
        Table(name="mapping",
              says="The class to which each cluster of Clark03 and of GG07 is mapped, and how much they share. "
                   "Clusters without a class count against a system.",
              title="The class to which each cluster is mapped (MacroI, one-to-one)", of=mappings,
              digits=2),
        Table(name="frequency_bands", kept=True, title="Tokens and types by word frequency",
              of=frequency_bands, digits=3,
              caption="{where}. Many-to-one; clusters are read as classes once, for all words. largest: share of the "
              "band's types in one cluster."),
        Table(name="zipf",
              says="Scores of made-up clusterings that are right about the frequent words only, or about the rare "
                   "words only. They show which of the two a measure rewards.",
              title="Right about some words only", of=zipf, caption="{where}.", digits=4),
        Table(name="scores", title="Every run", of=scores, caption="{scored}.", digits=6),
        Table(name="full_run", stored=True, title="The stored long runs",
              of=stored_full_run, caption=_STORED, digits=6),
        Table(name="larger_run", stored=True, title="The stored runs on more text", of=stored_larger_run, digits=6,
              caption=_STORED),
        Table(name="agreement_by_text",
              says="Do token and type measures agree more when systems have more text? Mean, smallest and largest "
                   "rank correlation of a token and a type measure over the stored runs.",
              stored=True, title="Agreement of token and type measures, by text",
              of=agreement_by_text, digits=2,
              caption="Rank correlations of a token and a type measure over the systems that were run on every text, "
              "all 36 pairs. The sample and the text of CoNLL-2000: trained on both, scored on the sample."),
        Table(name="ranks_by_sweeps",
              says="How many systems have another rank when samplers make twice as many sweeps, when these are doubled "
                   "again, and when they begin from another seed. Changes that are no more than those of another "
                   "seed may be chance.",
              stored=True, title="Do ranks change with more sweeps?", of=ranks_by_sweeps, digits=2,
              caption="GG07, GJ08 and GVG09 in place of their rows among the runs on more text; sweeps and seeds: the "
              "next table. A system that moves also changes the ranks of those that it passes. "
              "changed_twice_to_four: from twice to four times as many sweeps; changed_other_seed: their mean."),
        Table(name="sweeps_run", says="Scores of GG07, GJ08 and GVG09 with two and four times as many sweeps, and of "
              "these and GJ08 VB from other seeds.",
              stored=True, title="Samplers with more sweeps and from other seeds, stored",
              of=stored_sweeps_run, digits=6, caption=_STORED),
        Table(name="challenge_run", stored=True, title="BC and C of Gelling et al. (2012), stored",
              of=stored_challenge_run,
              caption=_STORED, digits=6),
        Table(name="full_samples",
              says="Number of clusters and some scores of the stored long runs after some of their sweeps. Where a "
                   "score still moves at the last one, the chain has not converged.",
              stored=True, title="The stored long runs, from sweep to sweep", of=stored_samples,
              caption=_STORED, digits=4),
    ),
    figures=(
        Figure(name="correlations_printed", title="Agreement of the measures, printed", of=correlations_figure,
               arguments={"source": "printed"}, alt=_HEATS + "over the seven systems of the printed Table 1.",
               caption="Spearman's rho over 7 systems, average linkage of 1 minus rho. Computed from the printed "
               "numbers.", printed=True),
        Figure(name="correlations", title="Agreement of the measures, recomputed", of=correlations_figure,
               alt=_HEATS + "over four systems at several numbers of clusters.",
               caption="Spearman's rho, average linkage of 1 minus rho. {curve}"),
        Figure(name="curves", title="Which measures reward more clusters?", of=curves_figure,
               caption="{curve} Dotted: K = 17.",
               alt="Twelve panels, one per measure: score against the number of clusters K, one line per system."),
        Figure(name="traces", title="From sweep to sweep", of=traces_figure,
               caption="{words} GJ08 VB: lower bound of the log probability of the words.",
               alt="Left: log probability against the sweep, one line per system. Right: number of clusters against "
               "the sweep."),
        Figure(name="stored_samples", stored=True, title="The stored long runs, from sweep to sweep",
               of=stored_samples_figure,
               alt="Two rows of panels, one column per corpus: number of clusters and V against the sweep, one line "
               "per system.", printed=True,
               caption="Open sample of the Penn Treebank, nursery (generated), the first 20,000 utterances of "
               "Manchester; sweeps and seeds: see the table. Not computed by this run."),
        Figure(name="priors", title="What the priors of GJ08 do", of=priors_figure,
               alt="Three heat maps over transition prior and emission prior: V of tokens, MicroI of types, clusters.",
               caption="{where}. Gibbs sampling, K = {setting.gj_clusters}, seed {setting.seed}; few sweeps a pair: "
               "see the table."),
        Figure(name="restarts", title="Starts of hill climbing", of=restarts_figure,
               caption="{words} Dotted: 1 percent below the best.",
               alt="Strip plot, one panel per system: each start's value in percent of the best, for MacroI, MicroI "
               "and MicroC, from random and from edge-based starts."),
        Figure(name="mapping", title="The class to which each cluster is mapped", of=mapping_figure,
               caption="MacroI, one-to-one. Width: types shared. {words}",
               alt="Two bipartite graphs: the clusters of Clark03 and GG07 with their three most frequent words, each "
               "joined to the class to which it is mapped; hollow points are unmapped."),
        Figure(name="zipf", title="Why tokens and types disagree", of=zipf_figure,
               caption="{where}. 1-1 on tokens, MicroI 1-1 on types; all other words are in one cluster.",
               alt="Left: tokens of each word against its rank, on logarithmic axes. Right: token and type score of a "
               "clustering that is right about the most frequent words only, or about the rarest only."),
    ),
    finders=functions_of(_finders),
    statistics=functions_of(_headlines),
    evidence={"printed": printed_table1, "table1": table1, "lexicon": lexicon_statistics, "spread": restart_spread,
              "restarts": restarts, "runs": runs, "curves": curves, "correlations": correlations,
              "printed_correlations": partial(correlations, source="printed"), "inconsistencies": inconsistencies,
              "small_lexicons": small_lexicons, "infinite_chains": infinite_chains},
    best=_best,
    covers={"table1": lambda setting: covered(compare(table1(setting)))},
)  # fmt: skip


#: ``claims``: every claim with its verdict; ``robustness``: of the headline claims to the conventions; both take a
#: setting or single choices. ``publish``: all tables and figures of the paper on one corpus.
claims, robustness, publish = public(PAPER)
