"""``yardstick tour``: the tour's explorers as one page, for readers without Python."""

import click

from analysis.commands.base import Written, epilog


@click.command(epilog=epilog("tour --output tour.html", "tour --output slides/tour.html"))
@click.option("--output", "file", metavar="FILE", required=True, type=Written())
def tour(file: str) -> None:
    """Write three explorers into FILE, one HTML page that works from the disk and without a network.

    Every state is computed beforehand, on the built-in data, which takes about half a minute.
    """
    from analysis.explore.tour import write_tour

    path = write_tour(file)
    click.echo(f"{path}: {path.stat().st_size:,} bytes")
