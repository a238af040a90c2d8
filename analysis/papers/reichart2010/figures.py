"""Figures of the paper's claims; each draws one of the tables and computes nothing itself."""

from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures import (
    clustered_correlations,
    frequency_rank,
    heatmap,
    line_plot,
    mapping_graph,
    small_multiples,
    strip_plot,
)
from analysis.papers.recipe import takes_setting
from analysis.papers.reichart2010.chains import priors, samples, stored_samples, traces
from analysis.papers.reichart2010.runs import LOWER_IS_BETTER, MEASURES, TOKEN_MEASURES
from analysis.papers.reichart2010.setting import Setting
from analysis.papers.reichart2010.tables import correlations, curves
from analysis.papers.reichart2010.words import mapping, restarts, word_frequencies, zipf
from analysis.statistics import clustered_order

PROMINENT = 17  # tags that cover 94 % of the paper's tokens
SWEEPS, CLUSTERS = "Sweep (GJ08 VB: pass)", "Clusters with a token"
MAPPED = 20  # clusters of a graph of a mapping
SIDE_BY_SIDE = 18  # letters of the longest name of a class with which two mappings stand beside each other


@takes_setting(Setting)
def correlations_figure(setting: Setting, source: str = "recomputed", coefficient: str = "rho") -> Figure:
    """Clustered heat map of the rank correlations between the twelve measures, with the tree of the clustering.

    Names of token-level measures are in italics. Measures where less is better have a minus sign.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    source : {"recomputed", "printed"}
        See `correlations`.
    coefficient : {"rho", "tau"}

    Returns
    -------
    Figure

    Examples
    --------
    >>> len(correlations_figure(source="printed").axes) > 1
    True
    """
    names = {name: f"−{name}" for name in LOWER_IS_BETTER}
    table = correlations(setting, source=source).replace({"measure_a": names, "measure_b": names})
    label = {"rho": "Spearman's ρ", "tau": "Kendall's τ"}[coefficient]
    italic = [names.get(name, name) for name in TOKEN_MEASURES]
    order, mergers = clustered_order(table, coefficient)
    figure = clustered_correlations(table, order, mergers, value=coefficient, label=label, italic=italic)
    figure.axes[0].set_title(f"{source}, n = {table['n'].iloc[0]}; italics: token level", loc="left")
    return figure if source == "printed" else setting.marked(figure)


@takes_setting(Setting)
def curves_figure(setting: Setting) -> Figure:
    """Each of the twelve measures against the number of clusters K; the dotted line marks 17, the prominent tags.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure
    """
    by_measure = curves(setting).groupby("measure")
    panels = [
        (f"{measure} (less is better)" if measure in LOWER_IS_BETTER else measure,
         partial(line_plot, by_measure.get_group(measure), x="k", mark=PROMINENT, labels=("Clusters K", "")))
        for measure in MEASURES
    ]  # fmt: skip
    return setting.marked(small_multiples(panels, columns=3, height=6.4, share=(True, False)))


@takes_setting(Setting)
def restarts_figure(setting: Setting) -> Figure:
    """Result of each start of hill climbing, by measure, one panel per system; the dotted line is 1 % off the
    best.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure
    """
    strips = partial(strip_plot, x="measure", y="percent", series="initialisation", mark=99, labels=("", "Percent"))
    by_system = restarts(setting).eval("percent = 100 * of_best").groupby("system", sort=False)
    panels = [(str(system), partial(strips, part)) for system, part in by_system]
    height = 0.5 + 2.2 * -(-len(panels) // 5)
    return setting.marked(small_multiples(panels, columns=min(len(panels), 5), height=height, share=(False, True)))


@takes_setting(Setting)
def mapping_figure(
    setting: Setting,
    systems: tuple[str, ...] = ("Clark03", "GG07"),
    measure: str = "macro_i",
    how: str = "one-to-one",
) -> Figure:
    """The class to which each of the largest clusters of two systems is mapped, with its three most frequent words.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    systems : tuple of str
        Names of systems.
    measure : str
        Name of a measure.
    how : str
        Mapping of clusters to classes.

    Returns
    -------
    Figure
    """
    tables = {f"{system}, {how}": mapping(setting, system, measure=measure, how=how) for system in systems}
    panels = [(title, partial(mapping_graph, table, largest=MAPPED)) for title, table in tables.items()]
    longest = max((len(name) for table in tables.values() for name in table["gold"].dropna().astype("str")), default=0)
    columns = len(panels) if longest <= SIDE_BY_SIDE else 1
    height = (0.8 + 0.19 * min(max(map(len, tables.values())), MAPPED)) * (len(panels) // columns)
    return setting.marked(small_multiples(panels, columns=columns, height=height))


@takes_setting(Setting)
def zipf_figure(setting: Setting) -> Figure:
    """Left: frequency of words by rank. Right: scores of clusterings that are right about some words only.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure
    """
    table = zipf(setting)
    table["system"] = (
        table["measure"].map({"1-1": "tokens, 1-1; ", "MicroI 1-1": "types, MicroI 1-1; "}) + table["order"]
    )
    frequencies = partial(frequency_rank, word_frequencies(setting), labels=("Rank of the word", "Tokens"))
    right = partial(line_plot, table, x="right", scale="symlog", limits=(0, 1), markers=False,
                    labels=("Word types in the right cluster", "Score"))  # fmt: skip
    panels = [("Tokens of each word", frequencies), ("Right about some words only", right)]
    return setting.marked(small_multiples(panels, columns=2, height=3.1, legend_columns=2))


@takes_setting(Setting)
def traces_figure(setting: Setting) -> Figure:
    """Log probability (of variational Bayes, its lower bound) after each sweep, and clusters after some of them.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    Figure
    """
    table, line = traces(setting), partial(line_plot, x="sweep", scale="log")
    table["thousands"] = table["objective"] / 1000
    panels = [
        ("Log probability", partial(line, table, y="thousands", markers=False, labels=(SWEEPS, "Thousand nats"))),
        (
            "Number of clusters",
            partial(line, samples(setting), y="clusters", limits=(0, None), labels=(SWEEPS, CLUSTERS)),
        ),
    ]
    return setting.marked(small_multiples(panels, columns=2, height=3.0))


def stored_samples_figure(table: pd.DataFrame | None = None) -> Figure:
    """The stored long runs: number of clusters, and V, against the sweep, one column per corpus.

    Parameters
    ----------
    table : DataFrame, optional
        Result of `analysis.papers.reichart2010.stored_samples`.

    Returns
    -------
    Figure
    """
    by_corpus = (stored_samples() if table is None else table).groupby("corpus", sort=False)
    titles = {
        name: f"{name} (generated)" if Setting(corpus=str(name)).generated else str(name) for name in by_corpus.groups
    }
    panels = [
        (titles[name] if column == "clusters" else "",
         partial(line_plot, by_corpus.get_group(name), x="sweep", y=column, scale="log", limits=(0, None),
                 labels=(SWEEPS, label)))
        for column, label in (("clusters", CLUSTERS), ("V", "V (tokens)"))
        for name in titles
    ]  # fmt: skip
    return small_multiples(panels, columns=len(titles), height=4.2, share=(True, "row"))


@takes_setting(Setting)
def priors_figure(setting: Setting, system: str = "GJ08") -> Figure:
    """Token and type scores of GJ08 at every pair of priors, and the clusters that are left.

    Parameters
    ----------
    setting, **choices
        Setting of the paper, or single fields of it by name; see `Setting`.
    system : str
        Name of a system.

    Returns
    -------
    Figure
    """
    table = priors(setting, system=system)
    table = table.assign(**{name: table[name].map("{:g}".format) for name in ("transition_prior", "emission_prior")})
    cells = partial(heatmap, table, row="transition_prior", column="emission_prior", bar=False,
                    labels=("Emission prior b", "Transition prior a"))  # fmt: skip
    titles = {"V": "tokens: V", "MicroI 1-1": "types: MicroI 1-1", "clusters": "clusters"}
    panels = [(f"{system}, {title}", partial(cells, value=column)) for column, title in titles.items()]
    return setting.marked(small_multiples(panels, columns=3, height=2.6, share=(False, True)))
