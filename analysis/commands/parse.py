"""``yardstick parse``: give the sentences of a text trees."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from analysis.commands.base import (
    SEED,
    Problem,
    Written,
    check_gold,
    check_one_source,
    deliver,
    epilog,
    keep_model,
    model_options,
    read_text,
    settings,
    text_options,
)
from analysis.commands.files import FIGURES, FileCommand
from analysis.commands.showing import print_scores

LEARNT = ("dmv", "dmv-sparse", "dmv-annealed", "dmv-viterbi", "harmonic", "bh", "mz", "tsg")
SUPERVISED = ("direction", "neighbour")
RULES = ("left", "right", "random", "s1", "s2")

TRAIN = "Text to learn from. Default: TEXT itself. direction and neighbour need one, with gold trees."


@click.command(
    cls=FileCommand,
    epilog=epilog(
        "parse gold.conllu --model dmv --output trees.conllu --plot trees.svg",
        "parse gold.conllu --model dmv-annealed --set iterations=20 --save-model dmv.model --evaluate gold.conllu",
        "parse text.txt --model right --output trees.conllu",
    ),
)
@click.argument("text", type=click.Path())
@click.option("--model", type=click.Choice((*LEARNT, *SUPERVISED, *RULES)), help="What makes the trees; see below.")
@click.option(
    "--tags", default="auto", metavar="COLUMN",
    help="Tags to read: fine, universal or coarse. Default: the first of them that TEXT has; S1, S2: universal first.",
)  # fmt: skip
@click.option("--train", metavar="FILE", type=click.Path(), help=TRAIN)
@click.option(
    "--output", "-o", metavar="FILE", type=Written(dash=True), help="Where the trees go (CoNLL-U); - prints them."
)
@click.option(
    "--plot", metavar="FILE", type=Written(),
    help="Draw the first trees of at most 12 words (svg, pdf or png).",
)  # fmt: skip
@click.option(
    "--evaluate", "gold", metavar="GOLD", type=click.Path(),
    help="Score the trees against those in GOLD, as `evaluate trees --no-punctuation` does.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of random trees, mz and tsg.")
@model_options
@text_options
def parse(
    text: str,
    model: str | None,
    tags: str,
    train: str | None,
    output: str | None,
    gold: str | None,
    save_model: str | None,
    model_file: str | None,
    **choices: Any,
) -> None:
    """Give each sentence of TEXT a tree.

    TEXT has words and tags, in any format; left, right and random read no tags. dmv is the dependency model with
    valence, trained by EM; dmv-sparse, dmv-annealed and dmv-viterbi are its regularised variants, harmonic its
    initialiser without training. bh induces categories of CCG from a few seeds, the tags of nouns and verbs (--set
    seeds='{"NN": "N", "VB": "S"}' gives others). mz samples trees by edges, numbers of children, distances, and how
    often words with these tags can be left out of a sentence; it needs words too. tsg samples a tree substitution
    grammar, five runs of 200 sweeps by default (--set runs=2 --set sweeps=50 is faster). left, right and random are
    baselines; s1 and s2 rank words. direction and neighbour are supervised baselines: from the trees of --train FILE
    they learn whether left or right is better, and to which neighbour words of each tag are attached.
    """
    plot = choices["plot"]
    if output is None and save_model is None and gold is None and plot is None:
        raise Problem("say where the trees go: --output FILE, --plot FILE, --save-model FILE or --evaluate GOLD.")
    check_one_source(model, model_file, option="model", set=choices["parameters"], save_model=save_model, train=train)
    if save_model is not None and model in RULES:
        raise Problem(f"{model} learns nothing: there is no model to save.")
    if model in SUPERVISED and train is None:
        raise Problem(f"{model} learns from gold trees: name a text that has them, with --train FILE.")
    if plot is not None and Path(plot).suffix.lower() not in FIGURES:
        raise Problem(f"{plot}: a figure is written as {', '.join(FIGURES[:-1])} or {FIGURES[-1]}.")
    check_gold(gold)
    tokens = read_text(text, choices["text_format"], choices["encoding"], choices["strict"]).tokens
    if model in RULES:
        from analysis.dependencies.models.named import trees_by_rule

        parameters = settings(choices["parameters"])
        heads = trees_by_rule(str(model), tokens, tags=tags, random_state=choices["seed"], **parameters)
    else:
        fitted = _fitted(model, model_file, tags, train, tokens, choices)
        keep_model(fitted, save_model)
        heads = fitted.predict(tokens) if output or plot or gold else None
    if heads is None:
        return
    _write(tokens.drop(columns="relation", errors="ignore").assign(head=heads), output, plot, gold, text)


def _fitted(
    model: str | None, model_file: str | None, tags: str, train: str | None, tokens: Any, choices: dict[str, Any]
) -> Any:
    """The model that learns, trained or loaded."""
    from analysis.dependencies.models.named import fit_parser, load_parser, tags_of

    if model_file is not None:
        fitted = load_parser(model_file)
        if not hasattr(fitted, "tags"):
            return fitted
        tags_of(tokens, type(fitted).__name__, fitted.tags if tags == "auto" else tags)
        return fitted if tags == "auto" else fitted.set_params(tags=tags)
    text = tokens
    if train is not None:
        text = read_text(train, choices["text_format"], choices["encoding"], choices["strict"]).tokens
    shown = not choices["quiet"]
    given: dict[str, Any] = {"random_state": choices["seed"], "progress": shown} | settings(choices["parameters"])
    return fit_parser(str(model), text, tags=tags, **given)


def _write(parsed: Any, output: str | None, plot: str | None, gold: str | None, name: str) -> None:
    """The trees, as a file, a figure and scores."""
    from analysis.corpora import write_conllu

    if output is not None and deliver(partial(write_conllu, parsed), output):
        click.echo(f"{output}: {parsed['sentence'].nunique():,} trees", err=True)
    if plot is not None:
        from analysis.figures.saving import save_drawing
        from analysis.figures.trees import some_trees

        save_drawing(some_trees(parsed), plot)
    if gold is not None:
        from analysis.evaluation.trees import score_trees

        print_scores(score_trees, gold, name, write_conllu(parsed), punctuation=False)
