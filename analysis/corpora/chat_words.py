"""Words of a CHAT main line, items of its %mor tier, and their alignment.

The line is scanned without recursion: a scope ``<...>`` is kept on a stack, so any depth of nesting is possible.
"""

import itertools
import re
from typing import NamedTuple

from analysis.structures.incidents import quoted

#: Marks after a word or scope that was abandoned, with or without being said again.
RETRACINGS = frozenset({"[/]", "[//]", "[///]", "[/-]", "[/?]"})

#: Codes for unintelligible or untranscribed speech; %mor has no item for them.
UNTRANSCRIBED = frozenset({"xxx", "yyy", "www"})

#: %mor items for punctuation and other separators, not for words.
SEPARATORS = frozenset({"cm", "end", "beg", "bq", "eq", "tag", "voc", "punct"})
_MARKS = frozenset("‡„,;:.!?…“”‘’«»¿¡。、，？！")

#: Surface forms of contractions without an apostrophe, by the word in lower case.
CONTRACTIONS = {
    "cannot": ("can", "not"),
    "coulda": ("could", "a"),
    "dunno": ("du", "n", "no"),
    "gimme": ("gim", "me"),
    "gonna": ("gon", "na"),
    "gotta": ("got", "ta"),
    "hafta": ("haf", "ta"),
    "lemme": ("lem", "me"),
    "lotta": ("lot", "ta"),
    "looka": ("look", "a"),
    "mighta": ("might", "a"),
    "musta": ("must", "a"),
    "needa": ("need", "a"),
    "oughta": ("ought", "a"),
    "shoulda": ("should", "a"),
    "wanna": ("wan", "na"),
    "whatcha": ("wha", "t", "cha"),
    "woulda": ("would", "a"),
}

_TOKEN = re.compile(r"\[[^\]]*\]|\+<|[<>]|[^\s<>\[\]]+")
_MEDIA = re.compile("\x15[^\x15]*\x15")
_PLAIN = re.compile(r"\s*(?:[A-Za-z](?:[A-Za-z'_-]*[A-Za-z])? (?:, )?)+[.?!]\s*\Z")
_NO_WORD = str.maketrans(dict.fromkeys("“”„‡⟪⟫«»¿¡。、，？！", " ") | dict.fromkeys("⌈⌉⌊⌋↑↓≠∆∇°", None))
_PAUSE = re.compile(r"\([\d:.]+\)\Z")
_SPOKEN = re.compile(r"\([^)]*\)")
_SUFFIX = re.compile(r"[-&=].*\Z", re.DOTALL)
_ELIDED = re.compile("[^'’]+['’]?")
_PUNCTUATION = '.,;:?!"'


class Word(NamedTuple):
    """A word of a main line: as in %mor, and as spoken."""

    form: str
    spoken: str


class MainLine(NamedTuple):
    """Words of a main line without retraced ones, and whether any word was unintelligible."""

    words: list[Word]
    unintelligible: bool


def plain_words(text: str, codes: frozenset[str]) -> list[str] | None:
    """Split a main line that has only words, commas and a terminator, fast; None for any other line.

    Examples
    --------
    >>> plain_words("look , it's there .", UNTRANSCRIBED), plain_words("look [/] look .", UNTRANSCRIBED)
    (['look', "it's", 'there'], None)
    """
    if not _PLAIN.match(text):
        return None
    words = text.split()
    if not codes.isdisjoint(words):
        return None
    words.pop()
    return [word for word in words if word != ","] if "," in text else words


def main_line(text: str, unintelligible: frozenset[str]) -> MainLine:
    """Split the text after ``*SPEAKER:`` into words.

    The words in ``unintelligible`` count as unintelligible; codes for untranscribed speech are never words.
    Pauses, media times, actions (``&=``), fragments (``&``), omitted words (``0is``), codes in brackets,
    linkers, terminators, quotation marks and separators are not words; words before a retracing mark are removed; ``[:
    ...]`` replaces the word or scope before it.

    Examples
    --------
    >>> main_line("<I want> [/] I wan(t) it [: them] .", frozenset({"xxx"})).words
    [Word(form='I', spoken='I'), Word(form='want', spoken='wan'), Word(form='them', spoken='it')]
    """
    words: list[Word] = []
    unclear = False
    scopes: list[int] = []
    last = 0
    for token in _tokens(_MEDIA.sub(" ", text).translate(_NO_WORD)):
        if token[0] == "[":
            if token in RETRACINGS:
                del words[last:]
            elif token.startswith(("[: ", "[:: ")):
                spoken = " ".join(word.spoken for word in words[last:])
                replacement = [word for part in token[token.index(" ") : -1].split() if (word := _word(part))]
                unclear = unclear or any(word.form in unintelligible for word in replacement)
                words[last:] = [Word(word.form, spoken) for word in replacement if word.form not in UNTRANSCRIBED]
        elif token == "<":
            scopes.append(len(words))
        elif token == ">":
            last = scopes.pop() if scopes else 0
        else:
            if _PAUSE.match(token):
                continue
            last = len(words)
            word = _word(token)
            if word is None:
                continue
            unclear = unclear or word.form in unintelligible
            if word.form not in UNTRANSCRIBED:
                words.append(word)
    return MainLine(words, unclear)


def _tokens(text: str) -> list[str]:
    """Split a main line into tokens; brackets that are never closed only separate tokens."""
    closed = text.rfind("]") + 1
    return _TOKEN.findall(text[:closed] + text[closed:].replace("[", " "))


def _word(token: str) -> Word | None:
    """Return a token as a word without its marks, or None if it is not a word."""
    token = token.strip(_PUNCTUATION) if token[0] not in "+(" else token.rstrip(',;"')
    if not token or token[0] in "&0+" or _PAUSE.match(token):
        return None
    if "@" in token:
        token = token[: token.index("@")]
    token = token.replace(":", "").replace("^", "")
    if "(" in token:
        form = token.replace("(", "").replace(")", "")
        closed = token.rfind(")") + 1
        return Word(form, _SPOKEN.sub("", token[:closed]) + token[closed:]) if form else None
    return Word(token, token) if token else None


class MorphologicalWord(NamedTuple):
    """One segment of a %mor item: fine tag and stem."""

    fine: str
    lemma: str


class MorItem(NamedTuple):
    """A %mor item: its segments in order, and the number of clitics before the word."""

    parts: tuple[MorphologicalWord, ...]
    before: int


def mor_item(item: str) -> MorItem | None:
    """Split one %mor item into segments; None for terminators, separators and omitted words.

    The first of several readings (``n|duck^v|duck``) is used. The fine tag is before the first ``|``, without prefix
    (``un#adj`` is ``adj``); the lemma is the stem with its prefixes, without suffixes; the stems of a compound are
    joined by ``+``.

    Raises
    ------
    ValueError
        If a segment has no tag, or the tag ``none`` that the tagger assigns to unknown words.

    Examples
    --------
    >>> mor_item("pro|it~v:cop|be&3S").parts
    (MorphologicalWord(fine='pro', lemma='it'), MorphologicalWord(fine='v:cop', lemma='be'))
    >>> mor_item("un#adj|happy"), mor_item("n|+n|fire+n|engine-PL").parts[0].lemma, mor_item("cm|cm"), mor_item(".")
    (MorItem(parts=(MorphologicalWord(fine='adj', lemma='unhappy'),), before=0), 'fire+engine', None, None)
    """
    if item[0] == "0":
        return None
    if "|" not in item:
        if not any(character.isalnum() for character in item):
            return None
        raise ValueError(f"the %mor item {quoted(item)} gives no word class")
    item = item.partition("^")[0]
    before = item.count("$")
    segments = [_segment(segment) for segment in item.replace("$", "~").split("~")]
    parts = tuple(segment for segment in segments if segment is not None)
    if len(parts) < len(segments):
        raise ValueError(f"the %mor item {quoted(item)} gives no word class")
    if len(parts) == 1 and (parts[0].fine in SEPARATORS or _MARKS.issuperset(parts[0].lemma)):
        return None
    return MorItem(parts, before)


def _segment(segment: str) -> MorphologicalWord | None:
    tag, bar, stem = segment.partition("|")
    prefix, _, fine = tag.rpartition("#")
    if not bar or not fine or not stem or fine == "none":
        return None
    if stem[0] == "+":
        stems = [part.rpartition("|")[2] for part in stem[1:].split("+")]
        lemma = "+".join(_SUFFIX.sub("", part) for part in stems)
    else:
        lemma = _SUFFIX.sub("", stem) or stem
    return MorphologicalWord(fine, prefix.replace("#", "") + lemma)


def fused(word: str, parts: int, before: int = 0, *, elided: bool = False) -> list[str]:
    """Split a word of any language into segments; if this is not possible, the first segment is the whole word.

    With ``elided`` an apostrophe ends a segment (``c'est``), otherwise it begins one.

    Examples
    --------
    >>> fused("del", 2), fused("c'est", 2, elided=True), fused("wie's", 2)
    (['del', ''], ["c'", 'est'], ['wie', "'s"])
    """
    if elided:
        pieces = _ELIDED.findall(word)
        surfaces = pieces if len(pieces) == parts else None
    else:
        surfaces = split_clitics(word, parts, before)
    return surfaces or [word, *[""] * (parts - 1)]


def split_clitics(word: str, parts: int, before: int = 0) -> list[str] | None:
    """Split an English word into ``parts`` segments; None if this is not possible.

    ``before``: number of clitics before the word (``d'you``). ``n't`` is one segment, else a clitic begins at
    its apostrophe; contractions without apostrophe are in `CONTRACTIONS`.

    Examples
    --------
    >>> split_clitics("isn't", 2), split_clitics("what're", 2), split_clitics("Gonna", 2), split_clitics("dogs'", 2)
    (['is', "n't"], ['what', "'re"], ['Gon', 'na'], ['dogs', "'"])
    >>> split_clitics("look", 2)
    """
    known = CONTRACTIONS.get(word.lower())
    if known and len(known) == parts:
        ends = [0]
        for part in known:
            ends.append(ends[-1] + len(part))
        return [word[start:end] for start, end in itertools.pairwise(ends)]
    front: list[str] = []
    for _ in range(before):
        cut = word.find("'") + 1
        if not 0 < cut < len(word):
            return None
        front.append(word[:cut])
        word = word[cut:]
    back: list[str] = []
    for _ in range(parts - before - 1):
        cut = len(word) - 3 if word.lower().endswith("n't") else word.rfind("'")
        if cut <= 0:
            return None
        back.append(word[cut:])
        word = word[:cut]
    return [*front, word, *reversed(back)]
