"""Words of the data in figures: drawn literally, in a font for their script."""

import re
import textwrap
import unicodedata
import warnings
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from matplotlib import font_manager, rc_context
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from matplotlib.ticker import Formatter, LogFormatter

#: Replaces a character that no font has.
UNKNOWN = "·"
_CJK = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH")
_CJK_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans SC", "Source Han Sans SC", "PingFang SC",
    "Hiragino Sans", "Apple SD Gothic Neo", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic",
)  # fmt: skip
_NOT_A_SCRIPT = re.compile(
    r" (?:LETTER|CHARACTER|SYLLABLE|VOWEL|SIGN|DIGIT|MARK|CAPITAL|SMALL|IDEOGRAPH|LIGATURE|NUMBER)\b.*"
)
_MARKUP = re.compile(r"[\\$%_&#{}~^]")


#: Characters that could not be drawn, by figure.
_LACKING: WeakKeyDictionary[Figure, set[str]] = WeakKeyDictionary()


class MissingFontWarning(UserWarning):
    """No installed font has some characters of a figure."""


def script_of(character: str) -> str:
    """Return the script of a character, as used in font names.

    Examples
    --------
    >>> [script_of(character) for character in "他한ชकa☃"]
    ['CJK', 'CJK', 'Thai', 'Devanagari', 'Latin', 'Symbols']
    """
    name = unicodedata.name(character, "")
    if name.startswith(_CJK):
        return "CJK"
    if not name or unicodedata.category(character)[0] not in "LMN":
        return "Symbols"
    return _NOT_A_SCRIPT.sub("", name).title()


def display_width(text: str) -> int:
    """Count the columns of a text: East Asian letters take two, combining marks none.

    Examples
    --------
    >>> display_width("dog"), display_width("他要"), display_width("e\u0301")
    (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def right_to_left(words: Iterable[str]) -> bool:
    """Return whether most letters of a sentence belong to right-to-left scripts.

    Examples
    --------
    >>> right_to_left(["שלום", "CD"]), right_to_left(["a", "שלום", "long", "words"])
    (True, False)
    """
    directions = [unicodedata.bidirectional(character) for word in words for character in word]
    return sum(direction in ("R", "AL") for direction in directions) > directions.count("L")


@contextmanager
def plain_words(ax: Axes) -> Iterator[None]:
    """Draw every text that the block writes into the axes literally, and also the tick labels.

    Existing texts are not changed.
    """
    before = {(text, text.get_text()) for text in ax.findobj(Text)}
    with rc_context({"text.parse_math": False}):
        yield
    _gate(ax, [text for text in ax.findobj(Text) if (text, text.get_text()) not in before])


def draw_plainly(figure: Figure) -> None:
    r"""Draw every text of a figure literally: not as a formula, and in a font that has its letters.

    If no installed font has some letters, each is replaced by a dot, and a note in the figure says which font to
    install.

    Examples
    --------
    >>> figure = Figure()
    >>> _ = figure.text(0, 0, r"$\frac$")
    >>> draw_plainly(figure)
    >>> figure.texts[0].get_parse_math()
    False
    """
    _gate(figure, figure.findobj(Text))


def fit_words(ax: Axes) -> None:
    """Prepare the texts that a block of `plain_words` has written so far for drawing and measuring."""
    _gate(ax, [text for text in ax.findobj(Text) if not text.get_parse_math()])


def lay_out(ax: Axes) -> Figure:
    """Compute the layout of the figure of the axes, so that its contents can be measured."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    fit_words(ax)
    figure.draw_without_rendering()
    return figure


class _Dotted(Formatter):
    """Tick formatter that replaces some characters in the labels of another formatter by dots."""

    def __init__(self, formatter: Formatter, missing: set[str]) -> None:
        self.formatter, self.missing = formatter, missing

    def set_axis(self, axis: Any) -> None:
        """Set the axis of both formatters."""
        super().set_axis(axis)
        self.formatter.set_axis(axis)

    def __call__(self, x: float, pos: int | None = None) -> str:
        return _dotted(self.formatter(x, pos), self.missing)

    def format_ticks(self, values: Any) -> list[str]:
        """Return the labels of all ticks."""
        return [_dotted(label, self.missing) for label in self.formatter.format_ticks(values)]


def _clusters(text: str) -> list[str]:
    """Split a text into letters with their marks, which must be drawn in one font."""
    clusters: list[str] = []
    for character in text:
        if clusters and unicodedata.category(character).startswith("M") and clusters[-1] != "\n":
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _dotted(text: str, missing: Container[str]) -> str:
    return "".join(UNKNOWN if cluster in missing else cluster for cluster in _clusters(text))


def _gate(root: Artist, texts: Iterable[Text]) -> None:
    missing: set[str] = set()
    labels = _labels_of_ticks(root)
    for axis, written in labels.items():
        if not isinstance(axis.get_major_formatter(), LogFormatter):
            lacking = {cluster for label in written for cluster in _fit(label)}
            if lacking:
                axis.set_major_formatter(_Dotted(axis.get_major_formatter(), lacking))
            missing |= lacking
    done = {label for written in labels.values() for label in written}
    for text in [text for text in texts if text not in done]:
        text.set_parse_math(False)
        missing |= _fit(text)
    letters = {character for cluster in missing for character in cluster if unicodedata.category(character) != "Cc"}
    if letters:
        _say_missing(root, letters)


def _labels_of_ticks(root: Artist) -> dict[Axis, list[Text]]:
    """Return the tick labels of each axis; only our own powers of ten are formulas."""
    labels: dict[Axis, list[Text]] = {}
    for ax in root.findobj(Axes):
        assert isinstance(ax, Axes)
        for axis in (ax.xaxis, ax.yaxis):
            labels[axis] = [*axis.get_ticklabels(), *axis.get_ticklabels(minor=True)]
            for label in labels[axis]:
                label.set_parse_math(isinstance(axis.get_major_formatter(), LogFormatter))
    return labels


def _fit(text: Text) -> set[str]:
    """Set fonts that have the letters of a text; replace letters that no font has by dots and return them."""
    words = text.get_text()
    if text.get_usetex() and _MARKUP.search(words):
        text.set_usetex(False)
    if words.isascii() and words.replace("\n", "").isprintable():
        return set()
    families = text.get_fontfamily()
    lacking = _lacking(tuple(families), frozenset(_clusters(words)))
    if not lacking:
        return set()
    more, missing = _fonts_with(lacking)
    if more:
        text.set_fontfamily([*families, *(name for name in more if name not in families)])
    if missing:
        text.set_text(_dotted(words, missing))
    return set(missing)


@cache
def _lacking(families: tuple[str, ...], clusters: frozenset[str]) -> frozenset[str]:
    """Return the letters that no font of these families has."""
    lacking = set(clusters - {"\n"})
    for family in families:
        font = font_manager.get_font(font_manager.findfont(FontProperties(family=[family])))
        lacking -= {cluster for cluster in lacking if _draws(font, cluster)}
    return frozenset(lacking)


def _draws(font: FT2Font, cluster: str) -> bool:
    """Return whether a font has a letter with its marks; joiners and direction marks are ignored."""
    drawn = [character for character in cluster if unicodedata.category(character) != "Cf"]
    return all(font.get_char_index(ord(character)) for character in drawn)


@cache
def _fonts_with(clusters: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Find installed font families that have the letters, those for their scripts first, and letters that none has."""
    preferred: list[str] = []
    for script in sorted({script_of(character) for cluster in clusters for character in cluster}):
        preferred += _CJK_FONTS if script == "CJK" else (f"Noto Sans {script}", f"Noto Serif {script}")
    rank = {name: number for number, name in enumerate(preferred)}
    entries = [entry for entry in font_manager.fontManager.ttflist if "Last Resort" not in entry.name]
    entries.sort(key=lambda entry: (rank.get(entry.name, len(rank)), entry.name, entry.style, str(entry.weight)))
    controls = {cluster for cluster in clusters if unicodedata.category(cluster[0]) == "Cc"}
    families, lacking = [], clusters - controls
    for entry in entries:
        if not lacking:
            break
        font = FT2Font(entry.fname, face_index=getattr(entry, "index", 0))
        found = {cluster for cluster in lacking if _draws(font, cluster)}
        if found:
            families.append(entry.name)
            lacking -= found
    return tuple(families), lacking | controls


def font_advice(characters: Iterable[str]) -> str:
    """Name the fonts to install for characters that cannot be drawn.

    Examples
    --------
    >>> font_advice("他要")
    'no font here has 他要: install Noto Sans CJK (Debian, Ubuntu: fonts-noto-cjk)'
    """
    ordered = sorted(set(characters))
    scripts = sorted({script_of(character) for character in ordered})
    shown = "".join(ordered[:5]) + ("…" if len(ordered) > 5 else "")
    fonts = [f"Noto Sans {'Symbols2' if script == 'Symbols' else script}" for script in scripts]
    packages = sorted({"fonts-noto-cjk" if script == "CJK" else "fonts-noto-core" for script in scripts})
    return f"no font here has {shown}: install {', '.join(fonts)} (Debian, Ubuntu: {', '.join(packages)})"


def _say_missing(root: Artist, characters: set[str]) -> None:
    """Warn about missing fonts, and write them into the figure; both once per figure."""
    figure = root if isinstance(root, Figure) else root.get_figure(root=True)
    assert isinstance(figure, Figure)
    known = _LACKING.setdefault(figure, set())
    scripts = {script_of(character) for character in known}
    known |= characters
    if scripts >= {script_of(character) for character in known}:
        return
    advice = font_advice(known)
    warnings.warn(advice, MissingFontWarning, stacklevel=2)
    for note in [text for text in figure.texts if text.get_gid() == "missing font"]:
        note.remove()
    write_above(figure, f"letters without a font: {advice.partition(': ')[2]}", "missing font")


def write_above(figure: Figure, text: str, gid: str) -> None:
    """Write small lines above everything else, in a separate band with constrained layout; once per ``gid``."""
    written = [other for other in figure.texts if other.get_gid() in ("generated", "missing font")]
    if gid in [other.get_gid() for other in written]:
        return
    text = textwrap.fill(text, max(20, int(figure.get_figwidth() * 72 / 4)))
    line = 0.16  # inches
    before = sum(other.get_text().count("\n") + 1 for other in written) * line
    height, band = figure.get_figheight(), line * (text.count("\n") + 1)
    engine = figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        figure.set_figheight(height + band)
        engine.set(rect=(0, 0, 1, (height - before) / (height + band)))
        for other in written:
            other.set_y(1 - (1 - other.get_position()[1]) * height / (height + band))
    figure.text(
        0.004, 1 - (0.02 + before) / figure.get_figheight(), text, ha="left", va="top", fontsize=7, color="#505050",
        gid=gid, in_layout=False, parse_math=False,
    )  # fmt: skip
