"""``yardstick derive``: give the sentences of a text CCG derivations."""

from typing import Any

import click

from analysis.commands.base import (
    Problem,
    Written,
    check_gold,
    check_one_source,
    epilog,
    keep_model,
    model_options,
    read_text,
    settings,
    source_of,
    text_options,
)
from analysis.commands.files import FileCommand
from analysis.commands.showing import print_scores


@click.command(
    cls=FileCommand,
    epilog=epilog(
        "derive text.txt --train gold.auto --output mine.auto",
        "derive gold.auto --train gold.auto --evaluate gold.auto --quiet",
        "derive text.txt --train gold.auto --set lexicalised=false --save-model ccg.model --output -",
    ),
)
@click.argument("text", type=click.Path())
@click.option("--train", metavar="FILE", type=click.Path(), help="Derivations to learn from (AUTO).")
@click.option(
    "--output", "-o", metavar="FILE", type=Written(dash=True), help="Where the derivations go (AUTO); - prints."
)
@click.option(
    "--evaluate", "gold", metavar="GOLD", type=click.Path(),
    help="Score them against the derivations in GOLD, as `evaluate ccg` does.",
)  # fmt: skip
@model_options
@text_options
def derive(
    text: str,
    train: str | None,
    output: str | None,
    gold: str | None,
    save_model: str | None,
    model_file: str | None,
    **choices: Any,
) -> None:
    """Give each sentence of TEXT a CCG derivation, by the normal-form parser.

    TEXT is plain text (one sentence per line), or words in any other format. The parser is trained on derivations in
    the AUTO format of CCGbank. A sentence without a derivation is written as FAILED.
    """
    from analysis.ccg.models import NormalFormParser

    if output is None and save_model is None and gold is None:
        raise Problem("say where the derivations go: --output FILE, --save-model FILE or --evaluate GOLD.")
    check_one_source(train, model_file, option="train", set=choices["parameters"], save_model=save_model)
    check_gold(gold)
    if model_file is not None:
        from analysis.experiments.saved_models import load_model

        fitted: Any = load_model(model_file)
        if not isinstance(fitted, NormalFormParser):
            raise Problem(f"{model_file} is a saved {type(fitted).__name__}, which is not a parser of CCG.")
    else:
        from analysis.corpora.ccgbank import read_auto

        bank = read_auto(source_of(str(train)), strict=choices["strict"], encoding=choices["encoding"])
        parser = NormalFormParser().set_params(**settings(choices["parameters"]))
        fitted = parser.fit(bank)
    keep_model(fitted, save_model)
    if output is None and gold is None:
        return
    tokens = read_text(text, choices["text_format"], choices["encoding"], choices["strict"]).tokens
    _write(fitted.predict(tokens), output, gold, text)


def _write(found: Any, output: str | None, gold: str | None, name: str) -> None:
    """The derivations, as a file and as scores."""
    from analysis.corpora.ccgbank import write_auto

    if output == "-":
        click.echo(write_auto(found), nl=False)
    elif output is not None:
        write_auto(found, output)
        click.echo(f"{output}: {found}", err=True)
    if gold is not None:
        from analysis.evaluation.ccg import score_ccg

        print_scores(score_ccg, gold, name, write_auto(found))
