"""A made-up paper: how long are the words of the built-in language?"""

from dataclasses import dataclass

import pandas as pd
from matplotlib.figure import Figure as Drawing

from analysis import corpora
from analysis.papers import recipe
from analysis.papers.recipe import Evidence, Figure, Loader, Order, Paper, Table, choice, order_of, takes_setting


@dataclass(frozen=True)
class Setting(recipe.Setting):
    """What may vary: the shortest word that counts as long."""

    long: int = choice(5, at_least=1)


data = Loader(lambda corpus: corpora.load(corpus, part="test"))


@takes_setting(Setting)
def table1(setting: Setting) -> pd.DataFrame:
    """Share of long words, by word class."""
    tokens = data(setting.corpus)
    long = tokens["form"].astype("str").str.len() >= setting.long
    shares = long.groupby(tokens["coarse"].astype("str")).mean()
    return pd.DataFrame({"system": shares.index, "value": shares.to_numpy()})


def beside(setting: Setting) -> pd.DataFrame:
    """The table beside the printed one."""
    return recipe.compare(table1(setting), recipe.printed("toy2026", "table1"), ["system"], reproducible="not at all")


@takes_setting(Setting)
def figure1(setting: Setting) -> Drawing:
    """Bars of the table."""
    figure = Drawing()
    table = table1(setting)
    figure.subplots().bar(table["system"], table["value"])
    return figure


def longest(of: Evidence) -> Order:
    """The classes by their shares of long words."""
    return order_of(dict(zip(*(of("table1")[name] for name in ("system", "value")), strict=True)))


PAPER = Paper(
    name="toy2026",
    title="Nobody (2026), How long are words?",
    setting=Setting,
    corpora={"nursery": ("nursery",)},
    sources=lambda setting: recipe.sources_of([setting.corpus]),
    tables=(Table(name="table1", title="Table 1: long words", of=beside),),
    figures=(Figure(name="figure1", title="Figure 1", of=figure1, alt="Bars, one a class: the share of long words."),),
    finders={"longest": longest},
    evidence={"table1": table1},
    covers={"table1": beside},
)
