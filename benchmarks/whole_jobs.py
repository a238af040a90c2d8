"""Whole jobs, from text to score, beside their peers: CPU time, memory, and the goal of each.

Each run is a process of its own; ours and the peer's take turns. A job of a command counts the CPU time (user and
system) of the whole process, imports included; another one prints what it reached, its imports and compilation not
counted. Peers that are not installed take no part: udapi, scikit-learn, PYEVALB (pyevalb), rustling and pylangacq are
on PyPI; EVALB, mkcls and the public NONNEUR script are neither there nor in Debian, and a row names the figure that was
recorded for them on another machine. Jobs on a corpus that is not at hand are left out.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.categories.models import ExchangeClustering
from analysis.corpora import load, where
from analysis.corpora.clusterings import write_clustering
from benchmarks.bracketed_trees import PEER as PYEVALB
from benchmarks.bracketed_trees import generated as bracketed
from benchmarks.dependency_measures import commands, write_trees
from benchmarks.word_clustering import brown_corpus

#: Started by this small process, a command has no memory of ours counted as its own.
_LAUNCH = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, done.stdout[-100:], used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


class Job(NamedTuple):
    """What is run, and what was to be reached.

    Attributes
    ----------
    name, unit : str
        Unit of the numbers; ``s`` is that of the CPU time of the whole process, any other is printed by the program.
    ours : list of str
        Arguments of Python.
    goal : str
    met : callable
        Takes our median, the ratio to the peer and our peak memory in mebibytes.
    peer : str
        Its name; empty if there is none.
    theirs : tuple of str
        The peer's command; empty if it cannot be installed.
    least : tuple of str and float, optional
        What the program prints beside its time, and how much it must reach.
    """

    name: str
    unit: str
    ours: list[str]
    goal: str
    met: Callable[[float, float | None, float], bool]
    peer: str = ""
    theirs: tuple[str, ...] = ()
    least: tuple[str, float] | None = None


def one_run(command: list[str]) -> tuple[str, float, float] | None:
    """What a command prints last, its CPU time in seconds, and its peak memory in mebibytes; None if it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    launched = subprocess.run(
        [sys.executable, "-S", "-c", _LAUNCH, *command], capture_output=True, text=True, check=True, env=environment
    )
    failed, printed, seconds, mebibytes = json.loads(launched.stdout)
    return None if failed else (printed.strip().rpartition("\n")[2], seconds, mebibytes)


def short_sentences(words: int) -> str:
    """CoNLL-U text of sentences of four words."""
    tail = "_\tNOUN\tN\tNumber=Sing\t{}\t{}\t_\t_"
    lines = [tail.format(0, "root"), *(tail.format(1, "dep") for _ in range(3))]
    return "".join(
        f"# sent_id = s{number}\n"
        + "".join(f"{place + 1}\tw{(number * 7 + place * 13) % 20_011}\t{line}\n" for place, line in enumerate(lines))
        + "\n"
        for number in range(words // 4)
    )


_READ_CONLLU = """
import os, sys
from time import process_time
from analysis.corpora.conll import read_conllu
start = process_time()
read_conllu(sys.argv[1])
print(os.path.getsize(sys.argv[1]) / 1e6 / (process_time() - start))
"""
_SPLIT = """
import os, sys
from time import process_time
start = process_time()
with open(sys.argv[1], encoding="utf-8") as file:
    rows = [line.split("\\t") for line in file if line[0].isdigit()]
print(os.path.getsize(sys.argv[1]) / 1e6 / (process_time() - start))
"""
_MEASURES = """
from time import process_time
import numpy as np
from analysis.categories import contingency, many_to_one, pairwise_precision_recall, v_measure
rng = np.random.default_rng(0)
gold, predicted = rng.integers(0, 45, 1_000_000), rng.integers(0, 500, 1_000_000)
def measured():
    table = contingency(gold, predicted)
    return many_to_one(table), pairwise_precision_recall(table), v_measure(table)
measured()
start = process_time()
measured()
print(1000 * (process_time() - start))
"""
_SCIKIT = """
from time import process_time
import numpy as np
from sklearn.metrics import homogeneity_completeness_v_measure
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix
rng = np.random.default_rng(0)
gold, predicted = rng.integers(0, 45, 1_000_000), rng.integers(0, 500, 1_000_000)
start = process_time()
contingency_matrix(gold, predicted).max(axis=0).sum()
pair_confusion_matrix(gold, predicted), homogeneity_completeness_v_measure(gold, predicted)
print(1000 * (process_time() - start))
"""
_DERIVATIONS = """
import sys
from time import process_time
from analysis.ccg import evaluate
from analysis.ccg.models import NormalFormParser
from analysis.corpora.ccgbank import read_auto, write_auto
from analysis.corpora.language import generate
from analysis.structures.derivation import derivations
drawn = generate(3_000, random_state=1)
gold = derivations(drawn.nodes, drawn.tokens)
text = write_auto(gold)
parser = NormalFormParser(lexicalised=True)
jobs = {
    "read": (text.count("\\n"), lambda: read_auto(text)),
    "evaluate": (3_000, lambda: evaluate(gold, gold, punctuation=False)),
    "parse": (3_000, lambda: parser.predict(gold)),
}
if sys.argv[1] == "parse":
    parser.fit(gold)
number, job = jobs[sys.argv[1]]
job()
start = process_time()
job()
print(number / (process_time() - start))
"""
_SWEEPS = """
import sys
from time import process_time
from analysis.categories import models
from benchmarks.bayesian_hmm import generated
table = generated(30_000)
def seconds(sweeps):
    if sys.argv[1] == "PitmanYorHMM":
        model = models.PitmanYorHMM(45, sweeps=sweeps, progress=False)
    elif sys.argv[1] == "InfiniteHMM":
        model = models.InfiniteHMM(initial_clusters=45, sweeps=sweeps, progress=False, random_state=0)
    else:
        model = models.VariationalHMM(45, iterations=sweeps, tolerance=0, progress=False, random_state=0)
    start = process_time()
    model.fit(table)
    return process_time() - start
seconds(1)
few, many = seconds(1), seconds(4)
print(3 * len(table) / (many - few))
"""
_INSIDE_OUTSIDE = """
import sys
from time import process_time
import numpy as np
from analysis.dependencies.models.dmv import DMV
length, count = int(sys.argv[1]), 40
sentences = [row.tolist() for row in np.random.default_rng(0).integers(0, 16, (count, length))]
def seconds(iterations):
    model = DMV(iterations=iterations, max_length=None, n_jobs=1)
    start = process_time()
    model.fit(sentences)
    return process_time() - start
seconds(1)
print((seconds(3) - seconds(1)) / 2 / count / length**3 * 1e9)
"""
_EXCHANGE = """
import sys
import pandas as pd
from analysis.categories.models import ExchangeClustering
from analysis.corpora import read_corpus
tokens = read_corpus(sys.argv[1]).tokens
print(ExchangeClustering(100, perturbations=int(sys.argv[2]), progress=False).fit(tokens).average_mutual_information_)
"""
_CHAT = """
import sys
from analysis.corpora import locate, read_chat
everyone = {} if sys.argv[1] == "adults" else {"exclude_roles": ()}
read_chat(locate("manchester"), strict=False, **everyone)
"""
_CHAT_PEER = """
import importlib, sys, warnings
import pandas as pd
from analysis.corpora import locate
from analysis.corpora.chat import _transcripts
warnings.simplefilter("ignore")
texts = [content.decode("utf-8") for _, content in _transcripts(locate("manchester"), [])]
CHAT = importlib.import_module({"rustling": "rustling.chat"}.get(sys.argv[1], sys.argv[1])).CHAT
tokens = CHAT.from_strs(texts, strict=False).tokens()
pd.DataFrame([(token.word, token.pos, token.mor) for token in tokens], columns=["form", "fine", "lemma"])
"""
_NONNEUR = """
from time import process_time
from analysis.inflection.models.edit_rules import affix_letters, align, edit_rules
from analysis.inflection import NonNeural
from analysis.papers.kodner2023.setting import LANGUAGES, draw
samples = [draw("sigmorphon2022", language, "SIGM22", 0) for language in LANGUAGES]
for kept in (affix_letters, align, edit_rules):
    kept.cache_clear()
start, runs = process_time(), 0
for sample in samples:
    for size in sample.sizes:
        for items in (sample.dev, sample.test):
            (NonNeural().fit(sample.training(size)).predict(items) == items["form"]).mean()
            runs += 1
assert runs == 52
print(1000 * (process_time() - start))
"""
_FIRST_CALL = """
import os, sys, tempfile
with tempfile.TemporaryDirectory() as folder:
    os.environ["NUMBA_CACHE_DIR"] = os.environ["ANALYSIS_CACHE"] = folder
    import numpy as np
    import pandas as pd
    if sys.argv[1] == "DMV":
        from analysis.dependencies.models.dmv import DMV
        DMV(iterations=2, n_jobs=1).fit([[0, 1, 2, 1], [1, 2], [0, 1, 2]] * 5)
    else:
        from analysis.categories import models
        tokens = pd.DataFrame({"sentence": np.repeat(range(40), 5), "form": [f"w{n * n % 23}" for n in range(200)]})
        further = {"sweeps": 2} if sys.argv[1] == "BayesianHMM" else {}
        getattr(models, sys.argv[1])(5, progress=False, **further).fit(tokens)
"""


def jobs(folder: Path) -> list[Job]:
    """All jobs, and the files that they read."""
    return [*jobs_without_corpora(folder), *first_calls(), *jobs_on_corpora(folder)]


def first_calls() -> list[Job]:
    """The first call of a model in a fresh installation: a process with nothing compiled before."""
    return [
        Job(f"{name}, first call, nothing compiled", "s", ["-c", _FIRST_CALL, model], *at_most_seconds(3))
        for model, name in (("BayesianHMM", "BHMM"), ("BrownClustering", "Brown"), ("DMV", "DMV"))
    ]  # fmt: skip


def write_clusterings(folder: Path) -> list[str]:
    """Write the tags of some 200,000 tokens of the Brown corpus, and 45 classes that `ExchangeClustering` finds."""
    tokens = load("nltk-brown")
    tokens = tokens[tokens["sentence"] < tokens["sentence"].iloc[200_000]]
    classes = ExchangeClustering(45, progress=False).fit(tokens).predict(tokens)
    files = []
    for name, clusters in (("gold", tokens["fine"]), ("classes", classes)):
        files.append(str(folder / f"{name}.tsv"))
        table = tokens[["sentence", "form"]].assign(cluster=np.asarray(clusters))
        write_clustering(table, files[-1], format="words-and-tags")
    return files


def jobs_on_corpora(folder: Path) -> list[Job]:
    """Jobs on recorded corpora, of those at hand."""
    found = []
    if at_hand("nltk-brown"):
        text = str(folder / "brown.txt")
        sentences = brown_corpus().astype({"form": "str"}).groupby("sentence", sort=False)["form"]
        Path(text).write_text("\n".join(sentences.agg(" ".join)).lower() + "\n", encoding="utf-8")
        for perturbations, how in ((0, "converged once"), (2, "2 perturbations")):
            found.append(
                Job(f"exchange, 1.16 M tokens, 100 classes, {how}", "s", ["-c", _EXCHANGE, text, str(perturbations)],
                    "AMI at least 1.56 in at most 11.6 s", lambda own, ratio, peak: own <= 11.6,
                    "mkcls, elsewhere 23.2 s at AMI 1.5586", least=("AMI", 1.56))
            )  # fmt: skip
        for model in ("brown", "exchange"):
            command = ["-m", "analysis", "cluster", text, "--model", model, "--classes", "100", "--quiet", "--output"]
            found.append(
                Job(f"cluster --model {model}, 1.16 M tokens, memory", "s", [*command, str(folder / f"{model}.types")],
                    "at most 200 MiB", lambda own, ratio, peak: peak <= 200)
            )  # fmt: skip
        files = write_clusterings(folder)
        for subject in ("tags", "types"):
            command = ["-m", "analysis", "evaluate", subject, *files]
            found.append(Job(f"evaluate {subject}, 200,000 tokens with intervals", "s", command, *at_most_seconds(3)))
    if at_hand("manchester"):
        python = (sys.executable, "-c", _CHAT_PEER)
        for whose, goal, peers in (("everyone", 2.5, ("rustling", "pylangacq")), ("adults", 1.8, ("",))):
            for peer in peers:
                found.append(
                    Job(f"CHAT, Manchester, {whose}", "s", ["-c", _CHAT, whose], f"at most {goal} s",
                        lambda own, ratio, peak, goal=goal: own <= goal, peer, (*python, peer) if peer else ())
                )  # fmt: skip
    if at_hand("sigmorphon2022"):
        peer = "public script, elsewhere 7.4 s"
        found += [
            Job("NONNEUR, 52 sets, session", "ms", ["-c", _NONNEUR], "at most 247 ms (30 times)",
                lambda own, ratio, peak: own <= 7400 / 30, peer),
            Job("NONNEUR, 52 sets, process", "s", ["-c", _NONNEUR], "at most 0.617 s (12 times)",
                lambda own, ratio, peak: own <= 7.4 / 12, peer),
        ]  # fmt: skip
    return found


def at_hand(corpus: str) -> bool:
    """Whether a corpus can be read without a network."""
    return where(corpus) in ("cached", "on the mirror")


def jobs_without_corpora(folder: Path) -> list[Job]:
    """Jobs on what is generated."""
    trees = [folder / "gold.mrg", folder / "mine.mrg"]
    for number, file in enumerate(trees):
        file.write_text(bracketed(3_914, number), encoding="utf-8")
    short = folder / "short.conllu"
    short.write_text(short_sentences(1_000_000), encoding="utf-8")
    names = [str(file) for file in trees]
    found = [
        Job(
            "brackets of 3,914 trees", "s", ["-m", "analysis", "evaluate", "brackets", *names, "--no-intervals"],
            "at most 0.5 of PYEVALB", lambda own, ratio, peak: ratio is not None and ratio >= 2,
            "PYEVALB", (sys.executable, "-c", PYEVALB, *names),
        )
    ]  # fmt: skip
    for words, goal, met in (
        (25_000, "at most 1.3 of udapi", lambda own, ratio, peak: ratio is not None and ratio >= 1 / 1.3),
        (336_000, "at most 0.4 s", lambda own, ratio, peak: own <= 0.4),
    ):
        ours, theirs = commands(*write_trees(words, folder))
        found.append(Job(f"UAS of {words:,} words", "s", [*ours[1:], "--no-intervals"], goal, met, "udapi", (*theirs,)))
    python = (sys.executable, "-c")
    found += [
        Job("CoNLL-U, short sentences, 1 M words", "MB/s", ["-c", _READ_CONLLU, str(short)],
            "at least 90 MB/s in 400 MiB", lambda own, ratio, peak: own >= 90 and peak <= 400,
            "plain split loop", (*python, _SPLIT, str(short))),
        Job("many-to-one, pairs and V, 1 M codes", "ms", ["-c", _MEASURES], "40 times scikit-learn",
            lambda own, ratio, peak: ratio is not None and ratio >= 40, "scikit-learn", (*python, _SCIKIT)),
    ]  # fmt: skip
    for what, unit, goal in (("read", "lines/s", 150_000), ("evaluate", "sentences/s", 40_000),
                             ("parse", "sentences/s", 12_000)):  # fmt: skip
        name = {"read": "AUTO, lines", "evaluate": "CCG, all evaluations", "parse": "CCG, lexicalised parser"}[what]
        found.append(Job(name, unit, ["-c", _DERIVATIONS, what], *at_least(goal, unit)))
    for model, name, goal in (("PitmanYorHMM", "PYP-HMM", 260_000), ("InfiniteHMM", "infinite HMM", 3_000_000),
                              ("VariationalHMM", "GJ08 VB", 4_000_000)):  # fmt: skip
        found.append(Job(f"{name}, K = 45", "tokens/s", ["-c", _SWEEPS, model], *at_least(goal, "tokens/s")))
    for length in (40, 50, 80, 120):
        found.append(
            Job(f"DMV, an iteration, {length} words", "ns/length³", ["-c", _INSIDE_OUTSIDE, str(length)],
                "at most 2 ns/length³", lambda own, ratio, peak: own <= 2)
        )  # fmt: skip
    return found


def at_most_seconds(number: float) -> tuple[str, Callable[[float, float | None, float], bool]]:
    """A goal for a time."""
    return f"at most {number:g} s", lambda own, ratio, peak: own <= number


def at_least(number: float, unit: str) -> tuple[str, Callable[[float, float | None, float], bool]]:
    """A goal for a rate."""
    return f"at least {number:,} {unit}", lambda own, ratio, peak: own >= number


def measured(job: Job, repeats: int) -> dict[str, object]:
    """One row: ours and the peer's runs in turn."""
    ours, theirs, memory, printed = [], [], [], []
    peer = [list(job.theirs)] if job.theirs else []
    for _ in range(repeats):
        found = one_run([sys.executable, *job.ours])
        if found is None:
            raise RuntimeError(f"{job.name} failed.")
        ours.append(found[1] if job.unit == "s" else float(found[0]))
        memory.append(found[2])
        printed.append(found[0])
        for command in list(peer):
            other = one_run(command)
            if other is None:
                peer.clear()  # not installed
            else:
                theirs.append(other[1] if job.unit == "s" else float(other[0]))
    middle = statistics.median(ours)
    their = statistics.median(theirs) if theirs else None
    faster = None if their is None else (middle / their if job.unit.endswith("/s") else their / middle)
    said = job.peer if theirs or not job.peer else f"{job.peer} (not installed)"
    reached = "not compared" if job.peer and job.goal.count(job.peer) and not theirs else ""
    name, enough = job.name, True
    if job.least:
        least = min(map(float, printed))
        name, enough = f"{job.name}: {job.least[0]} {least:.4f}", least >= job.least[1]
    state = reached or ("met" if enough and job.met(middle, faster, max(memory)) else "missed")
    return {
        "job": name, "unit": job.unit, "min": min(ours), "median": middle, "max": max(ours), "peer": said,
        "peer, median": their, "times the peer": faster, "peak, MiB": max(memory), "goal": f"{job.goal}: {state}",
    }  # fmt: skip


def main(repeats: int = 3, only: str = "") -> pd.DataFrame:
    """One row per job; ``times the peer`` is how many times faster ours is, on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        table = pd.DataFrame([measured(job, repeats) for job in jobs(Path(folder)) if only in job.name])
    print(table.to_string(index=False))
    return table


def with_rows(text: str, table: pd.DataFrame) -> str:
    """The section of a file of measurements with some jobs measured again; their rows stay where they are."""
    from benchmarks.__main__ import markdown

    found = re.search(r"^\*\*whole jobs\*\*\n\n((?:\|.*\n?)+)", text, flags=re.MULTILINE)
    head, dashes, *rows = (found[1] if found else markdown(table.iloc[:0])).strip().split("\n")
    by_job = {_job(row): row for row in [*rows, *markdown(table).split("\n")[2:]]}
    return "\n".join(["**whole jobs**\n", head, dashes, *by_job.values()])


def _job(row: str) -> tuple[str, str]:
    """What a row measures: the job, without what it reached, and the peer."""
    cells = [cell.strip() for cell in row.split("|")]
    return cells[1].partition(":")[0], cells[6].removesuffix(" (not installed)")


def write(table: pd.DataFrame, file: Path) -> None:
    """Put the rows of some jobs into the file of measurements."""
    from analysis.report.systems import write_between
    from benchmarks.__main__ import machine, merged

    text = file.read_text(encoding="utf-8")
    sections = merged(text, [with_rows(text, table)])
    write_between(file, "benchmarks", f"Measured on: {machine()}.\n\n" + "\n\n".join(sections))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="jobs whose name has this")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the rows into this file; others there stay")
    arguments = parser.parse_args()
    measured_again = main(arguments.repeats, arguments.only)
    if arguments.write:
        write(measured_again, arguments.write)
