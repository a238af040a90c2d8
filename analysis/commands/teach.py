"""``yardstick teach``: the notebooks as a class needs them."""

import click

from analysis.commands.base import epilog


@click.command(
    epilog=epilog(
        "teach class",
        "teach class --notebook 01 --notebook 04",
        "teach --solutions lecturer --notebook 01 --notebook 04 --execute",
    )
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option("--solutions", is_flag=True, help="The lecturer's edition: every exercise with its solution and a note.")
@click.option(
    "--notebook", "notebooks", multiple=True, metavar="NAME",
    help="Beginning of a notebook's name, such as 01; may be repeated. Default: all.",
)  # fmt: skip
@click.option("--execute", is_flag=True, help="Also run them, and write each as a page that needs no network.")
def teach(folder: str, solutions: bool, notebooks: tuple[str, ...], execute: bool) -> None:
    """Write notebooks for students into DIR: each exercise has a cell to begin in and a cell that checks the answer.

    A check says whether an answer is right, and does not show the right one. It holds for the parameters that a
    notebook begins with. A notebook in DIR that was changed since it was written is kept.
    """
    from analysis.report.teaching import write_editions, write_page

    def tell(line: str) -> None:
        click.echo(line, err=True)

    for path in write_editions(folder, solutions=solutions, notebooks=notebooks, tell=tell):
        click.echo(path)
        if execute:
            click.echo(write_page(path))
