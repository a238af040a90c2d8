"""Explorer of the regularised variants of DMV: unambiguity, prior, initialiser, and iterations."""

from typing import Any

import ipywidgets as widgets
import pandas as pd
from matplotlib.figure import Figure

from analysis.dependencies import attachment_scores
from analysis.dependencies.models import parse_ambiguity
from analysis.explore.base import Explorer, dropdown, made_by_call
from analysis.figures import posterior_arcs
from analysis.papers.gelling2012.measures import short_sentences, trained
from analysis.papers.gelling2012.runs import TREE_MEASURES

UNAMBIGUITY: dict[str, Any] = {"0 (EM)": 0.0, "0.25": 0.25, "0.5": 0.5, "0.75": 0.75, "1 (Viterbi EM)": 1.0,
                               "annealed": "annealed"}  # fmt: skip
PRIOR: dict[str, Any] = {"none": None, "0.1": 0.1, "0.25": 0.25, "0.5": 0.5}
INITIALISER: dict[str, dict[str, str]] = {
    "harmonic, by child": {"initializer": "harmonic", "normalise": "child"},
    "harmonic, by head": {"initializer": "harmonic", "normalise": "head"},
    "uniform": {"initializer": "uniform"},
}


@made_by_call
def dmv_variants(
    testset: str = "nursery", level: str = "fine", *, sentences: int = 500, iterations: int = 15
) -> Explorer:
    """Change the regularisation, and see the posteriors and the ambiguity of one sentence, and the scores.

    Parameters
    ----------
    testset : str
    level : {"coarse", "fine", "universal"}
        Granularity of tags.
    sentences, iterations : int
        As for `analysis.papers.gelling2012.variants`.

    Returns
    -------
    Explorer
        ``value`` maps ``row`` to the selected values with the three measures in percent and the ambiguity of the
        sentence in bits per word, ``posteriors`` to a table (head by word), ``heads`` to the best tree and ``words`` to
        its words.
    """
    some = short_sentences(testset, sentences)
    parts = dict(iter(some.groupby("sentence", sort=False)))
    numbers = [number for number, part in parts.items() if 5 <= len(part) <= 8][:30] or list(parts)[:30]
    names = {" ".join(parts[number]["form"].astype("str")): number for number in numbers}

    def compute(unambiguity: str, prior: str, initialiser: str, iteration: int, sentence: str) -> dict[str, Any]:
        chosen: dict[str, Any] = {"unambiguity": UNAMBIGUITY[unambiguity], **INITIALISER[initialiser]}
        if PRIOR[prior] is not None:
            chosen["prior"] = PRIOR[prior]
        model = trained(testset, level, sentences, iterations, tuple(chosen.items()))
        version = model.at_iteration(min(iteration, model.n_iter_))
        heads = version.parse(some).heads
        part = parts[names[sentence]]
        posteriors = version.posteriors(part[level].astype("str").tolist())
        percent = [100 * float(score) for score in attachment_scores(some, heads, punctuation=False).scores()]
        row = {"unambiguity": unambiguity, "prior": prior, "initialiser": initialiser, "iteration": iteration,
               **dict(zip(TREE_MEASURES, percent, strict=True)),
               "ambiguity": parse_ambiguity(posteriors)}  # fmt: skip
        rows = (some["sentence"] == names[sentence]).to_numpy()
        return {"row": pd.DataFrame([row]), "posteriors": posteriors, "heads": heads[rows].tolist(),
                "words": part["form"].astype("str").tolist()}  # fmt: skip

    def draw(value: dict[str, Any]) -> Figure:
        figure = Figure(figsize=(7.0, 3.2), layout="constrained")
        posterior_arcs(value["posteriors"], value["heads"], value["words"], ax=figure.subplots())
        return figure

    def text(value: dict[str, Any]) -> str:
        row = value["row"].iloc[0]
        scores = ", ".join(f"{measure} {row[measure]:.1f}" for measure in TREE_MEASURES)
        return f"{scores} (percent, {sentences} sentences); this sentence: {row['ambiguity']:.2f} bits per word"

    controls = {
        "unambiguity": dropdown("s", tuple(UNAMBIGUITY), "0 (EM)"),
        "prior": dropdown("prior", tuple(PRIOR), "none"),
        "initialiser": dropdown("initialiser", tuple(INITIALISER), next(iter(INITIALISER)), "20em"),
        "iteration": widgets.IntSlider(value=iterations, min=0, max=iterations, description="iteration"),
        "sentence": dropdown("sentence", tuple(names), next(iter(names)), "36em"),
    }
    return Explorer(controls, compute, draw=draw, text=text, alt=text)
