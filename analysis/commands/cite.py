"""``yardstick cite``: a sentence for a methods section, and BibTeX."""

import click

from analysis.commands.base import Problem, epilog, print_records


@click.command(
    epilog=epilog(
        "cite gelling2012 many-to-one V brown",
        "cite NED dmv ud-english-ewt bootstrap --format latex",
        "cite --list",
    )
)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option(
    "--format", "kind", type=click.Choice(["text", "latex"]), default="text", show_default=True,
    help="Of the sentence: names and years, or \\citep with the keys.",
)  # fmt: skip
@click.option("--list", "listed", is_flag=True, help="Print every name that can be cited, and what it stands for.")
def cite(names: tuple[str, ...], kind: str, listed: bool) -> None:
    """Print a sentence for a methods section and the BibTeX of every NAME, and of this suite.

    NAME is a paper (gelling2012), a measure (many-to-one, V, NED), a test (McNemar, Holm), a model as `cluster`
    and `parse` name it, or a data set of `data list`. Put a name of several words in quotes.
    """
    from analysis.corpora.citing import citable
    from analysis.corpora.citing import cite as written

    if listed:
        if names:
            raise Problem("--list lists every name; it takes none.")
        print_records(citable()[["name", "subject", "phrase"]].to_dict("records"), "table")
        return
    if not names:
        raise Problem("say what to cite, such as many-to-one or brown; `yardstick cite --list` lists every name.")
    found = written(names, format=kind)  # type: ignore[arg-type]
    click.echo(f"{found.sentence}\n\n{found.bibtex}", nl=False)
