"""The tour's explorers as one page without Python: every state is computed beforehand, and a small script shows it."""

import itertools
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.corpora import load
from analysis.corpora.fetching import dataset
from analysis.explore.base import Explorer
from analysis.explore.categories import frames
from analysis.explore.lexicon import token_against_type
from analysis.explore.nursery import utterances
from analysis.figures.saving import figure_bytes
from analysis.structures import check_at_least
from analysis.structures.incidents import DataError
from analysis.structures.version import __version__
from analysis.structures.writing import write_whole

LARGEST = 5_000_000  # bytes of a page
CORPUS = "nursery"

_GLYPH = re.compile(r'<path id="(DejaVu[^"]*)" (.*?)/>', re.DOTALL)
_DROPPED = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->|<title>.*?</title>", re.DOTALL)
_OUTLINE = re.compile(r'(?<= d=")[^"]*|(?<= [xy]=")[^"]*|(?<=translate\()[^)]*')


class Still(NamedTuple):
    """An explorer, and the values of its controls for which a page has what it shows.

    Attributes
    ----------
    name, title, question : str
        Name in `analysis.explore`; heading, and the text below it.
    explorer : Explorer
    values : list of dict
        Values by name of control, one a state; the first is shown first.
    """

    name: str
    title: str
    question: str
    explorer: Explorer
    values: list[dict[str, Any]]


def tour_explorers(fewer: int = 1) -> list[Still]:
    """Make the explorers of the tour's page, with the values that it offers.

    Parameters
    ----------
    fewer : int
        Each list of values is so many times shorter, for tests.

    Returns
    -------
    list of Still

    Examples
    --------
    >>> [still.name for still in tour_explorers(fewer=20)]
    ['utterances', 'frames', 'token_against_type']
    """
    check_at_least(1, fewer=fewer)

    def some(values: Iterable[Any]) -> list[Any]:
        listed = list(values)
        return listed[: max(2, len(listed) // fewer)]

    between, moving = frames(CORPUS), token_against_type(CORPUS)
    pairs, classes = some(frequent_frames(20)), moving.controls["target"].options
    return [
        Still(
            "utterances",
            "Utterances and their annotation",
            "Each seed draws other utterances. Arcs point from a head to its dependents. Below is the derivation: each "
            "word has a category that states its arguments on the left (\\) and right (/), and each line combines two "
            "neighbours (> forward, < backward).",
            utterances(),
            grid(seed=some(range(8)), number=some(range(1, 11))),
        ),
        Still(
            "frames",
            "Words between two words",
            "A frame is a pair of words with one word between them. Do the words in a frame have the same class? Here "
            f"are the frames of the built-in text that occur most often, {len(pairs)} of them.",
            between,
            [
                {"left": left, "right": right, "by": by}
                for left, right in sorted(pairs)
                for by in between.controls["by"].options[:2]  # the others are clusterings, which would be fitted first
            ],
        ),
        Still(
            "token_against_type",
            "What a wrong word costs",
            "Every word is in the cluster of its most frequent class, until some words, frequent or rare, are moved to "
            "another. 1-1 is the share of tokens in the right class: a frequent word counts often. MicroI is the mean "
            "over word types of the F-score of their classes: each word counts once. Without moves neither is 1, "
            "because some words have several classes.",
            moving,
            grid(first=some([1, 5, 10, 50, 200]), count=some([1, 5, 10, 50, 200]), target=[classes[-1], classes[0]]),
        ),
    ]


def grid(**values: Iterable[Any]) -> list[dict[str, Any]]:
    """Combine the values of controls.

    Examples
    --------
    >>> grid(seed=[0, 1], number=[3])
    [{'seed': 0, 'number': 3}, {'seed': 1, 'number': 3}]
    """
    return [dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())]


def frequent_frames(most: int) -> list[tuple[str, str]]:
    """Find the pairs of words of the built-in text that most often have one word between them.

    Parameters
    ----------
    most : int
        How many pairs.

    Returns
    -------
    list of (str, str)
        The most frequent first.

    Examples
    --------
    >>> len(frequent_frames(3))
    3
    """
    tokens = load(CORPUS, part="train")
    words = tokens["form"].astype("str").groupby(tokens["sentence"])
    pairs = pd.DataFrame({"left": words.shift(1), "right": words.shift(-1)}).dropna()
    counts = pairs.value_counts().rename("tokens").reset_index()
    ordered = counts.sort_values(["tokens", "left", "right"], ascending=[False, True, True])
    return list(ordered[["left", "right"]].head(most).itertuples(index=False, name=None))


def write_tour(path: str | Path, *, fewer: int = 1) -> Path:
    """Write the page: one HTML file that needs no network and no other file.

    Parameters
    ----------
    path : str or Path
    fewer : int
        As in `tour_explorers`.

    Returns
    -------
    Path

    Raises
    ------
    DataError
        If a state cannot be shown, or the page is larger than 5 MB.
    """
    content = tour_page(tour_explorers(fewer)).encode()
    if len(content) > LARGEST:
        raise DataError(f"the page has {len(content):,} bytes, more than {LARGEST:,}: it must have fewer states.")
    write_whole(path, content)
    return Path(path)


def tour_page(stills: list[Still]) -> str:
    """Write the page of some explorers as HTML.

    Parameters
    ----------
    stills : list of Still

    Returns
    -------
    str
    """
    glyphs: dict[str, str] = {}
    parts = [_part(still, glyphs) for still in stills]
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    outlines = "".join(f'<path id="{name}" {outline}/>' for name, outline in glyphs.items())
    about = dataset(CORPUS)
    return environment.get_template("tour.html.j2").render(
        parts=parts, glyphs=outlines, version=__version__, corpus=about.name, licence=about.licence
    )


def _part(still: Still, glyphs: dict[str, str]) -> dict[str, Any]:
    """What the template needs of one explorer: its controls, and its states as JSON."""
    names = list(still.values[0])
    offered: dict[str, list[Any]] = {name: list(dict.fromkeys(state[name] for state in still.values)) for name in names}
    controls = [
        {"name": name, "label": still.explorer.controls[name].description, "values": [str(v) for v in offered[name]],
         "slides": all(isinstance(value, int) for value in offered[name])}
        for name in names
    ]  # fmt: skip
    states = [
        {"at": [offered[name].index(values[name]) for name in names], **_state(still, values, glyphs)}
        for values in still.values
    ]
    data = json.dumps({"controls": controls, "states": states}, ensure_ascii=False, separators=(",", ":"))
    return {
        "name": still.name,
        "title": still.title,
        "question": still.question,
        "controls": controls,
        "first": states[0],
        "count": len(states),
        "data": data.replace("<", "\\u003c"),
    }


def _state(still: Still, values: Mapping[str, Any], glyphs: dict[str, str]) -> dict[str, Any]:
    shown = still.explorer.shown(**values)
    if shown.error or shown.figure is None or shown.table is None:
        raise DataError(f"{still.name} with {dict(values)}: {shown.error or 'there is no figure or no table'}.")
    table = shown.table
    return {
        "picture": compact_svg(figure_bytes(shown.figure, "svg").decode(), glyphs),
        "alt": shown.alt,
        "text": shown.text,
        "columns": [str(name) for name in table.columns],
        "rows": [[str(cell) for cell in row] for row in table.itertuples(index=False, name=None)],
    }


def compact_svg(picture: str, glyphs: dict[str, str]) -> str:
    r"""Shorten a figure of matplotlib for a page that has the outlines of all letters once.

    Parameters
    ----------
    picture : str
        SVG.
    glyphs : dict of str to str
        Outlines by name; new ones are added.

    Returns
    -------
    str

    Examples
    --------
    >>> found = {}
    >>> letter = '<defs><path id="DejaVuSans-61" d="M 1 1"/></defs><use xlink:href="#DejaVuSans-61" x="1.23456"/>'
    >>> compact_svg(f'<?xml?><svg width="9pt" height="5pt" viewBox="0 0 9 5">\n{letter}</svg>', found)
    "<svg style='width:12px' viewBox='0 0 9 5'><use href='#DejaVuSans-61' x='1.23'/></svg>"
    >>> found
    {'DejaVuSans-61': 'd="M 1 1"'}
    """

    def keep(match: re.Match[str]) -> str:
        return "" if glyphs.setdefault(match[1], match[2]) == match[2] else match[0]

    text = _GLYPH.sub(keep, _DROPPED.sub("", picture[picture.index("<svg") :]))
    text = text.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "").replace("xlink:href", "href")
    text = text.replace(' xmlns="http://www.w3.org/2000/svg"', "").replace(' version="1.1"', "")
    text = re.sub(
        r'width="([\d.]+)pt" height="[\d.]+pt"',
        lambda m: f'style="width:{round(float(m[1]) * 96 / 72)}px"',
        text,
        count=1,
    )
    text = re.sub(r'<g id="[a-z0-9]+_\d+">', "<g>", text)
    text = _OUTLINE.sub(lambda match: re.sub(r"(\.\d\d)\d+", r"\1", match[0]), text)
    text = re.sub(r"\s+", " ", text).replace("> <", "><").replace(' "', '"')
    return re.sub(r"<defs></defs>|<g></g>", "", text).replace('"', "'")  # which JSON need not escape
