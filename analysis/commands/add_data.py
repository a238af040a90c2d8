"""``yardstick data add``: register a corpus of the reader's own under a name."""

from pathlib import Path
from typing import Any

import click

from analysis.commands.base import SEED, Problem, epilog


@click.command(
    "add",
    epilog=epilog(
        "data add mine transcripts",
        "data add news treebank/a.conllu --test treebank/b.conllu --licence 'CC BY 4.0'",
        "data add notes text.txt --share 0.8 --split random --seed 1",
    ),
)
@click.argument("name")
@click.argument("path", type=click.Path())
@click.option("--test", metavar="PATH", type=click.Path(), help="Part for testing; PATH is then the one for training.")
@click.option("--share", type=float, default=0.9, show_default=True, help="Share of the sentences for training.")
@click.option(
    "--split", type=click.Choice(["first", "random"]), default="first", show_default=True, help="Which ones these are."
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of a random split.")
@click.option("--format", default="auto", metavar="FORMAT", help="Default: as names and lines show.")
@click.option("--licence", default="", metavar="TEXT", help="Shown with what is made from the corpus.")
@click.option("--citation", default="", metavar="TEXT", help="Likewise.")
@click.option("--replace", is_flag=True, help="Let NAME stand for PATH from now on, if it stands for another.")
def add_data(name: str, path: str, seed: int, replace: bool, **choices: Any) -> None:
    """Register a corpus that you have as NAME: a file, folder or zip, read where it lies.

    Formats: CoNLL-U, CoNLL-X, CoNLL-2008 and 2009, nine columns, word TAB tag, slashed text, plain text (one sentence a
    line), Penn trees, AUTO, CHAT; UniMorph and SIGMORPHON files of inflected forms.
    """
    from analysis.corpora.fetching import add, added

    known = added().get(name)
    if known is not None and not replace and Path(known.path) != Path(path).expanduser().resolve():
        raise Problem(f"{name} is already the name of {known.path}; choose another name, or give --replace.")
    entry = add(name, path, random_state=seed, **choices)
    count = f"{entry.files:,} file{'' if entry.files == 1 else 's'}"
    click.echo(f"{entry.name}: {count} of kind {entry.kind} in {entry.path}")
