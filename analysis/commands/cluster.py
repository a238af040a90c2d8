"""``yardstick cluster``: sort the words of a text into classes."""

from functools import partial
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
from analysis.commands.files import FileCommand
from analysis.commands.showing import print_scores

FORMATS = ("paths", "map", "types", "tags", "words-and-tags", "slashed", "conllu")
MODELS = (
    "brown", "exchange", "clark", "chrupala", "mixture", "hierarchical", "pmi-kmeans", "pmi-agglomerative",
    "prototypes", "frames", "bhmm", "vhmm", "pyhmm", "prhmm", "ihmm", "random",
)  # fmt: skip
OF_TREES = ("brown", "hierarchical", "chrupala")


WHAT = (
    "brown, exchange (as mkcls), clark (with spelling): bigrams of classes. chrupala: topics of contexts. mixture: "
    "features of word types. hierarchical, frames: as Frank et al. (2009). bhmm, vhmm: Bayesian HMM, by Gibbs sampling "
    "or variational Bayes. pyhmm, ihmm: Pitman-Yor and infinite HMM. prhmm: HMM with few tags per word type and "
    "features of words. prototypes: clusters of frequent words, to which the others are mapped. pmi-kmeans, "
    "pmi-agglomerative: vectors of positive mutual information, reduced and clustered. random: the sizes of the gold "
    "classes of TEXT."
)


@click.command(
    cls=FileCommand,
    epilog=epilog(
        "cluster text.txt --model brown --classes 50 --format paths --output text.paths",
        "cluster text.txt --model bhmm --classes 12 --set sweeps=50 --save-model text.model --format tags -o text.tags",
        "cluster gold.conllu --model exchange --classes 8 --evaluate gold.conllu",
    ),
)
@click.argument("text", type=click.Path())
@click.option("--model", type=click.Choice(MODELS), help=WHAT)
@click.option("--classes", type=click.IntRange(min=1), help="Number of classes. Default: the model's.")
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), default="types", show_default=True,
    help="paths and map as wcluster writes them (models with a tree); types: word TAB class; tags: one a line; "
    "words-and-tags: word TAB class of each token; slashed: the/1 cat/2; conllu: the classes as XPOS.",
)  # fmt: skip
@click.option("--output", "-o", metavar="FILE", type=Written(dash=True), help="Where the classes go; - prints them.")
@click.option("--unclustered", metavar="CLASS", help="Class of tokens that the model leaves without one.")
@click.option(
    "--evaluate", "gold", metavar="GOLD", type=click.Path(),
    help="Score the classes against the tags in GOLD, as `evaluate tags` does.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of a model that draws at random.")
@model_options
@text_options
@click.pass_context
def cluster(
    ctx: click.Context,
    text: str,
    model: str | None,
    classes: int | None,
    output: str | None,
    gold: str | None,
    save_model: str | None,
    model_file: str | None,
    **choices: Any,
) -> None:
    """Sort the words of TEXT into classes.

    TEXT is plain text (one sentence per line, words divided by blanks), a treebank in any format, or CHAT transcripts.

    bhmm, vhmm, pyhmm, prhmm, ihmm, mixture and chrupala go over the text again and again. They store their state
    every few seconds: the same command after an interruption, or after it was killed, goes on where it was.
    """
    if output is None and save_model is None and gold is None:
        raise Problem("say where the classes go: --output FILE, --save-model FILE or --evaluate GOLD.")
    check_one_source(
        model, model_file, option="model", classes=classes, set=choices["parameters"], save_model=save_model
    )
    if output is not None and choices["kind"] in ("paths", "map") and model is not None and model not in OF_TREES:
        kind, those = choices["kind"], ", ".join(OF_TREES)
        raise Problem(f"--format {kind} needs a tree of classes, which {model} does not make; {those} do.")
    if model == "random" and classes is not None:
        raise Problem("random has as many classes as the text has tags: leave out --classes.")
    check_gold(gold)
    reading = read_text(text, choices["text_format"], choices["encoding"], choices["strict"])
    tokens = running_words(reading.tokens)
    if model_file is not None:
        from analysis.categories.models.named import load_word_classes

        fitted = load_word_classes(model_file)
        if output is not None and choices["kind"] in ("paths", "map"):
            _check_tree(fitted, model_file, choices["kind"])
        clusters = fitted.predict(tokens)
    else:
        fitted, clusters = _fitted(ctx, str(model), classes, tokens, choices)
    keep_model(fitted, save_model)
    if output is not None:
        _write(output, choices["kind"], tokens, clusters, fitted, choices["unclustered"])
    if gold is not None:
        _evaluate(gold, text, tokens, clusters, choices["unclustered"])


def _check_tree(fitted: Any, file: str, kind: str) -> None:
    from analysis.categories.clusterings import class_paths

    if class_paths(fitted) is None:
        raise Problem(f"--format {kind} needs a tree of classes; {file} is a saved {type(fitted).__name__}.")


def running_words(tokens: Any) -> Any:
    """A text without tokens that have no form of their own (parts of fused words in transcripts)."""
    from analysis.corpora.plain import without_empty_forms

    return without_empty_forms(tokens)


def _fitted(ctx: click.Context, model: str, classes: int | None, tokens: Any, choices: dict[str, Any]) -> Any:
    """The fitted model and the clusters of the text."""
    from analysis.categories.models.named import new_model, training_clusters
    from analysis.experiments.saved_models import fit_keeping_state

    parameters = settings(choices["parameters"])
    if model == "random" and "gold" not in parameters:
        parameters["gold"] = next((name for name in ("coarse", "universal", "fine") if name in tokens), "coarse")
    asked = new_model(
        model, n_clusters=classes, random_state=choices["seed"], progress=not choices["quiet"], **parameters
    )
    try:
        fitted = fit_keeping_state(asked, tokens, progress=not choices["quiet"])
    except KeyboardInterrupt:
        click.echo("Interrupted; the same command goes on from what was stored. No incomplete file was left.", err=True)
        ctx.exit(130)
    return fitted, training_clusters(fitted, tokens)


def _write(output: str, kind: str, tokens: Any, clusters: Any, fitted: Any, unclustered: str | None) -> None:
    """The classes in a format, to a file or on standard output."""
    from analysis.categories.clusterings import class_paths, clustering_table
    from analysis.corpora import write_clustering, write_conllu

    if kind in ("paths", "map"):
        table = clustering_table(tokens, clusters, kind, class_paths(fitted))
    else:
        table = clustering_table(tokens, _named(clusters, unclustered), "types" if kind == "types" else "tags")
    if kind == "conllu":
        classed = tokens.assign(fine=table["cluster"].fillna("_").to_numpy())
        to_file = deliver(partial(write_conllu, classed), output)
    else:
        to_file = deliver(partial(write_clustering, table, format=kind), output)
    if to_file:
        without = int(clusters.isna().sum())
        left = f", {without:,} of {len(clusters):,} tokens without one" if without else ""
        click.echo(f"{output}: {clusters.nunique():,} classes{left}", err=True)


def _named(clusters: Any, unclustered: str | None) -> Any:
    named = clusters.astype("str").where(clusters.notna())
    return named if unclustered is None else named.fillna(unclustered)


def _evaluate(gold: str, name: str, tokens: Any, clusters: Any, unclustered: str | None) -> None:
    """The token-level measures of the classes, as a table."""
    from analysis.categories.clusterings import clustering_table
    from analysis.corpora import write_clustering
    from analysis.evaluation.tags import score_tags

    table = clustering_table(tokens, _named(clusters, unclustered), "words-and-tags")
    text = write_clustering(table, format="words-and-tags")
    print_scores(score_tags, gold, name, text, system_format="words-and-tags")
