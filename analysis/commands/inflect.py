"""``yardstick inflect``: learn inflected forms, and predict those of other lemmas."""

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
    settings,
)
from analysis.commands.files import FileCommand
from analysis.commands.showing import print_scores

MODELS = {"nonneur": "NonNeural", "transformer": "CharacterTransformer", "transducer": "CharacterTransducer",
          "suffix": "MajoritySuffix", "copy": "CopyBaseline", "analogy": "NearestAnalogy"}  # fmt: skip
_NEURAL = ("transformer", "transducer")


@click.command(
    cls=FileCommand,
    epilog=epilog(
        "inflect items.tsv --train train.tsv --output forms.tsv",
        "inflect gold.tsv --train train.tsv --model suffix --evaluate gold.tsv",
        "inflect items.tsv --train train.tsv --save-model forms.model --output -",
    ),
)
@click.argument("items", type=click.Path())
@click.option("--train", metavar="FILE", type=click.Path(), help="Items to learn from: lemma TAB form TAB features.")
@click.option(
    "--model", type=click.Choice(tuple(MODELS)),
    help="nonneur: NONNEUR, the default; transformer: CHR-TRM; transducer: CLUZH-GR, and with --set beam_width=4 "
    "CLUZH-B4 (these need PyTorch, the extra neural); suffix: most frequent change of the ending; copy: the unchanged "
    "lemma; analogy: the change of the most similar lemma.",
)  # fmt: skip
@click.option("--tuning", metavar="FILE", type=click.Path(), help="Items by which a neural model is chosen.")
@click.option(
    "--columns", metavar="NAMES",
    help="Columns of ITEMS in their order, such as lemma,features. Default: as the features show.",
)  # fmt: skip
@click.option("--output", "-o", metavar="FILE", type=Written(dash=True), help="Where the forms go; - prints them.")
@click.option(
    "--evaluate", "gold", metavar="GOLD", type=click.Path(),
    help="Score the forms against those in GOLD, as `evaluate inflections` does.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of a neural model.")
@click.option("--encoding", metavar="NAME", help="Of all files. Default: UTF-8, or UTF-16 by its mark.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@model_options
def inflect(
    items: str,
    train: str | None,
    model: str | None,
    output: str | None,
    gold: str | None,
    encoding: str | None,
    save_model: str | None,
    model_file: str | None,
    **choices: Any,
) -> None:
    """Predict the form of each lemma and feature set in ITEMS.

    Files are those of UniMorph and SIGMORPHON: lemma TAB form TAB features, or lemma TAB features TAB form. ITEMS needs
    no forms (lemma TAB features); those that it has are not looked at. What is written has lemma, form and features.
    """
    from analysis.corpora.unimorph import read_items, write_forms

    if output is None and save_model is None and gold is None:
        raise Problem("say where the forms go: --output FILE, --save-model FILE or --evaluate GOLD.")
    check_one_source(
        train,
        model_file,
        option="train",
        model=model,
        set=choices["parameters"],
        save_model=save_model,
        tuning=choices["tuning"],
    )
    if save_model is not None and model == "transformer":
        raise Problem("the transformer keeps what it learnt in a checkpoint of its own: --set checkpoint=FILE.")
    check_gold(gold)
    fitted = _fitted(train, model_file, model, encoding, choices)
    keep_model(fitted, save_model)
    if output is None and gold is None:
        return
    columns = choices["columns"]
    names = None if columns is None else tuple(name.strip() for name in columns.split(","))
    asked = read_items(items, columns=names, encoding=encoding)
    kept = [name for name in ("lemma", "features") if name in asked]
    predicted = asked[kept].copy()
    predicted.insert(1, "form", fitted.predict(asked[kept]))
    if output is not None and deliver(partial(write_forms, predicted), output):
        click.echo(f"{output}: {len(predicted):,} forms", err=True)
    if gold is not None:
        from analysis.evaluation.inflections import score_inflections

        print_scores(score_inflections, gold, items, write_forms(predicted), training=train)


def _fitted(
    train: str | None, model_file: str | None, model: str | None, encoding: str | None, choices: dict[str, Any]
) -> Any:
    """The model, trained or loaded."""
    from analysis.corpora import read_forms
    from analysis.inflection import models

    made: Any
    if model_file is not None:
        from analysis.experiments.saved_models import load_model

        made = load_model(model_file)
        if not isinstance(made, models.InflectionModel):
            raise Problem(f"{model_file} is a saved {type(made).__name__}, which is not a model of inflection.")
        return made
    tuning = choices["tuning"]
    made = getattr(models, MODELS[model or "nonneur"])()
    forms = read_forms(str(train), encoding=encoding).forms
    if model in _NEURAL:
        made.set_params(random_state=choices["seed"], progress=not choices["quiet"])
    made.set_params(**settings(choices["parameters"]))
    try:
        if tuning is None:
            return made.fit(forms)
        if model not in _NEURAL:
            raise Problem(f"--tuning is for {' and '.join(_NEURAL)}; {model or 'nonneur'} has nothing to choose.")
        return made.fit(forms, tuning=read_forms(tuning, encoding=encoding).forms)
    except ImportError as error:
        raise Problem(str(error)) from error
