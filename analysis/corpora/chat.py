"""Read CHAT transcripts (TalkBank) with a %mor tier into a tokens table.

Conventions follow Frank, Goldwater & Keller (2009), section "Model Implementation and Experiments": child utterances
and utterances with unintelligible words are left out, contractions are two words. See `read_chat`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analysis.corpora.chat_words import (
    UNTRANSCRIBED,
    MorItem,
    Word,
    fused,
    main_line,
    mor_item,
    plain_words,
    split_clitics,
)
from analysis.corpora.opening import contents, decoded
from analysis.structures import DataError, Incident, incidents_table
from analysis.structures.incidents import quoted
from analysis.structures.progress import progress_bar

CHILDREN = ("Target_Child", "Child")
UNINTELLIGIBLE = ("xxx", "yyy", "www")

#: Outcomes of an utterance; the rows of the counts.
OUTCOMES = (
    "kept",
    "excluded role",
    "unintelligible",
    "no words",
    "no tier",
    "misaligned",
    "malformed tier",
    "unsplit clitic",
    "undeclared speaker",
)
ADVICE = "Give strict=False to leave out what cannot be used, count it and list it as incidents."

_BYTES_A_CHUNK = 8_000_000
_ELIDING = frozenset({"fra", "ita", "cat", "oci"})  # languages in which an apostrophe ends a word: c'est, l'acqua
_STRAY = re.compile(r"\n(?=[^\t@%*\n]).*\S")
_MOR = "\n%mor:"
_GRA = "\n%gra:"
_DEPENDENCY = re.compile(r"([0-9]{1,4})\|([0-9]{1,4})\|(\S+)")
_TWICE = ("the utterance has more than one %mor tier", "one %mor tier")


class ChatReading(NamedTuple):
    """Result of reading CHAT transcripts.

    Parameters
    ----------
    tokens : DataFrame
        See `read_chat`.
    incidents : DataFrame
        One row per incident: file, line, kind, found, text, expected.
    counts : DataFrame
        Columns ``outcome`` and ``utterances``: numbers of utterances that were read, kept, and left out, by reason.
    """

    tokens: pd.DataFrame
    incidents: pd.DataFrame
    counts: pd.DataFrame


class Convention(NamedTuple):
    """Choices made when reading."""

    exclude_roles: frozenset[str]
    unintelligible: frozenset[str]
    lowercase: bool
    encoding: str | None
    dependencies: bool


def read_chat(
    paths: str | Path | Iterable[Any],
    *,
    exclude_roles: Iterable[str] = CHILDREN,
    unintelligible: Iterable[str] = UNINTELLIGIBLE,
    lowercase: bool = False,
    strict: bool = True,
    n_jobs: int = 1,
    progress: bool = False,
    encoding: str | None = None,
    dependencies: bool = False,
) -> Any:
    """Read CHAT transcripts with a %mor tier.

    Parameters
    ----------
    paths : path, or iterable of paths or of (name, bytes) pairs
        ``.cha`` files, folders (all ``.cha`` files below, by name), archives (zip, tar, tar.xz, tar.gz, tar.bz2: their
        ``.cha`` members, in the archive's order), or transcripts in memory with their names.
    exclude_roles : iterable of str
        Utterances by speakers with these roles are left out first; the role is taken from ``@ID``, else from
        ``@Participants``. The default excludes children.
    unintelligible : iterable of str
        Utterances with one of these words are left out, also if the word is in a retracing.
    lowercase : bool
        Whether to convert forms to lower case. The default is not to: CHAT capitalises only names and *I*, not the
        first word of an utterance, and the paper does not mention it.
    strict : bool
        Whether the first incident raises an error; else the utterance or file is left out, and a `ChatReading` is
        returned.
    n_jobs : int
        Number of processes; the result does not depend on it.
    progress : bool
        Whether to show a progress bar on standard error.
    encoding : str, optional
        The default is UTF-8, or UTF-16 if there is a byte-order mark.
    dependencies : bool
        Whether to read the %gra tiers, as columns ``head`` (0 = root, -1 if it is missing or punctuation) and
        ``relation``.

    Returns
    -------
    DataFrame or ChatReading
        One row per morphological word: ``sentence`` (from 0 over all files), ``position`` (from 1), ``form``,
        ``spoken``, ``lemma``, ``fine``, ``speaker``, ``role``, ``file``; the last seven are categories.
        With ``strict=False`` a `ChatReading` of tokens, incidents and counts.

        Contractions are split as in %mor (``~``, ``$``), each part with its own surface form: *is n't*, *it 's*, *gon
        na*. In transcripts that are not only English, words whose parts cannot be separated (*del*, *im*) are kept: the
        first part has the surface form, the others have an empty ``form``. ``form`` is the replacement if the
        transcript gives one (``won't [: willn't]`` is *will n't*), with letters in round brackets written out;
        ``spoken`` is what was said (*won't*, for both parts), without these letters. ``fine`` is the tag before the
        first ``|`` without prefix, ``lemma`` the stem. Punctuation, separators, omitted words (``0is``), pauses,
        fragments, actions and retraced words are dropped.

    Raises
    ------
    DataError
        If no utterance is left, also with ``strict=False``. With ``strict=True``, at the first incident:
        a file that is not a CHAT transcript or not UTF-8, an utterance with words and no %mor tier or misaligned with
        it, an item without word class or with several readings (``n|duck^v|duck``; otherwise the first is used), an
        undeclared speaker, a line that belongs to no utterance, a missing ``@End``.

    Examples
    --------
    >>> text = '''@UTF8
    ... @Begin
    ... @Participants:	CHI Target_Child , MOT Mother
    ... *MOT:	it isn't xxx .
    ... *MOT:	isn't it ?
    ... %mor:	v:cop|be&3S~neg|not pro|it ?
    ... @End
    ... '''
    >>> read_chat_text(text, "example.cha")[["sentence", "position", "form", "lemma", "fine", "role"]]
       sentence  position form lemma   fine    role
    0         0         1   is    be  v:cop  Mother
    1         0         2  n't   not    neg  Mother
    2         0         3   it    it    pro  Mother
    """
    convention = Convention(frozenset(exclude_roles), frozenset(unintelligible), lowercase, encoding, dependencies)
    reading = _Reading()
    left: list[Incident] = []
    for part in _readings(_chunks(_transcripts(paths, left)), convention, n_jobs, progress):
        reading.add(part)
        if strict and reading.incidents and n_jobs == 1:
            break
    if strict and reading.incidents:
        raise DataError(reading.incidents[0], ADVICE)
    if not reading.files:
        raise DataError(f"there is no .cha file in {paths}", "Give .cha files, or folders or archives with some.")
    if not reading.codes:
        raise DataError(*_nothing_left(reading))
    tokens = reading.tokens()
    if strict:
        return tokens
    return ChatReading(tokens, incidents_table([*left, *reading.incidents]), _counts_table(reading.counts))


def read_chat_text(text: str | bytes, name: str = "text", **conventions: Any) -> Any:
    """Read one transcript from memory; arguments and result as of `read_chat`.

    Parameters
    ----------
    text : str or bytes
        The transcript.
    name : str
        Name of the text in error messages.
    **conventions
        Arguments of `read_chat`.

    Returns
    -------
    Any
    """
    return read_chat([(name, text.encode("utf-8") if isinstance(text, str) else text)], **conventions)


def _nothing_left(reading: "_Reading") -> tuple[Incident | str, str]:
    fates = ", ".join(f"{outcome}: {count:,}" for outcome, count in reading.counts.items())
    if reading.incidents:
        return reading.incidents[0], f"No utterance is left of {reading.files:,} file(s) ({fates or 'none found'})."
    return (
        f"no utterance is left of {reading.files:,} file(s) ({fates or 'none found'}), the first is {reading.first}",
        "Change exclude_roles or unintelligible, or check whether these are the right files.",
    )


def _counts_table(counts: Counter) -> pd.DataFrame:
    rows = [("read", sum(counts.values())), *((outcome, counts[outcome]) for outcome in OUTCOMES)]
    return pd.DataFrame(rows, columns=["outcome", "utterances"]).astype({"utterances": "int64"})


# Sources of transcripts ------------------------------------------------------------------------------------------


def _transcripts(paths: Any, left: list[Incident]) -> Iterator[tuple[str, bytes]]:
    for source in [paths] if isinstance(paths, str | Path) else paths:
        if isinstance(source, tuple):
            yield source
        else:
            yield from contents(source, (".cha",), left=left)


def _chunks(transcripts: Iterable[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    chunk: list[tuple[str, bytes]] = []
    size = 0
    for transcript in transcripts:
        chunk.append(transcript)
        size += len(transcript[1])
        if size >= _BYTES_A_CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _readings(
    chunks: Iterator[list[tuple[str, bytes]]], convention: Convention, n_jobs: int, progress: bool
) -> Iterator["_Chunk"]:
    if n_jobs == 1:
        shared = _Parser(convention)
        readings: Iterable[_Chunk] = (shared.read(chunk) for chunk in chunks)
    else:
        from joblib import Parallel, delayed

        readings = Parallel(n_jobs=n_jobs, return_as="generator")(delayed(_read_chunk)(c, convention) for c in chunks)
    if not progress:
        yield from readings
        return
    with progress_bar(label="reading transcripts", unit=" files") as bar:
        for part in readings:
            bar.update(len(part.files))
            yield part


def _read_chunk(chunk: list[tuple[str, bytes]], convention: Convention) -> "_Chunk":
    return _Parser(convention).read(chunk)


# Reading --------------------------------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """Annotation of a token, without its position."""

    form: str
    spoken: str
    lemma: str
    fine: str


class _Chunk(NamedTuple):
    """Result of reading some files: tokens as codes of entries, and one row per sentence."""

    entries: list[Entry]
    codes: np.ndarray
    lengths: np.ndarray
    file_of: np.ndarray
    speaker_of: np.ndarray
    files: list[str]
    speakers: list[tuple[str, str]]
    incidents: list[Incident]
    counts: Counter
    heads: np.ndarray
    relations: list[str]


class _Parser:
    """Reader of a sequence of transcripts that caches each distinct utterance, word and %mor item."""

    def __init__(self, convention: Convention) -> None:
        self.convention = convention
        self.codes = convention.unintelligible | UNTRANSCRIBED
        self.entry_codes: dict[Entry, int] = {}
        self.items: dict[str, MorItem | None] = {}
        self.memories: dict[str, tuple[dict, dict]] = {}  # caches of pairs and utterances, by the way words are split
        self.speak("english")

    def speak(self, splitting: str) -> None:
        """Set how words of the next transcript are split: as English, or as any language with or without elision."""
        self.splitting = splitting
        self.pairs: dict[tuple[str | Word, str], tuple[int, ...]]
        self.known: dict[tuple[str, str | None], tuple[str, tuple[int, ...]]]
        self.pairs, self.known = self.memories.setdefault(splitting, ({}, {}))

    def read(self, transcripts: list[tuple[str, bytes]]) -> _Chunk:
        codes: list[int] = []
        lengths: list[int] = []
        file_of: list[int] = []
        speaker_of: list[int] = []
        speakers: dict[tuple[str, str], int] = {}
        incidents: list[Incident] = []
        counts: Counter = Counter()
        heads: list[int] = []
        relations: list[str] = []
        with_trees = self.convention.dependencies
        for number, (name, content) in enumerate(transcripts):
            transcript, findings = _utterances(name, content, self.convention.encoding)
            incidents += findings
            blocks = transcript.blocks
            several = b"^" in content
            roles = {code: participant["role"] for code, participant in _participants(transcript.head).items()}
            self.speak(_splitting(_languages(transcript.head)))
            usable = kept = 0
            for index, block in enumerate(blocks):
                colon = block.find(":")
                code = block[:colon]
                role = roles.get(code)
                if role in self.convention.exclude_roles:
                    counts["excluded role"] += 1
                    continue
                if role is None:
                    found = f"the speaker {_first_line(code)[:20]} is not declared in @ID or @Participants"
                    incidents.append(_incident(name, transcript, index, "undeclared speaker", found))
                    counts["undeclared speaker"] += 1
                    continue
                tiers = block.find("\n%", colon)
                main = _joined(block[colon + 1 : tiers if tiers >= 0 else None])
                start = block.find(_MOR, colon)
                if start < 0:
                    mor = None
                else:
                    end = block.find("\n%", start + len(_MOR))
                    mor = _joined(block[start + len(_MOR) : end if end >= 0 else None])
                outcome, new = self.utterance(main, mor)
                twice = outcome == "kept" and block.count(_MOR, start) > 1
                if twice:
                    outcome = "malformed tier"
                counts[outcome] += 1
                if outcome == "kept":
                    kept += 1
                    codes += new
                    lengths.append(len(new))
                    file_of.append(number)
                    speaker_of.append(speakers.setdefault((code, role), len(speakers)))
                    if several and mor is not None and "^" in mor:
                        found = "a %mor item has several readings; the first is used"
                        incidents.append(_incident(name, transcript, index, "ambiguous", found, "one reading"))
                    if with_trees:
                        tree = self.dependencies(mor or "", block)
                        if tree is None:
                            found = "the %gra tier does not match the %mor tier"
                            incidents.append(_incident(name, transcript, index, "misaligned dependencies", found))
                        heads += [-1] * len(new) if not tree else [head for head, _ in tree]
                        relations += ["_"] * len(new) if not tree else [relation for _, relation in tree]
                elif outcome not in ("unintelligible", "no words"):
                    found, expected = _TWICE if twice else self.explain(outcome, main, mor)
                    incidents.append(_incident(name, transcript, index, outcome, found, expected))
                    usable += 1
            if usable and not kept:
                found = f"none of the {usable:,} utterances with words could be used"
                incidents.append(Incident(name, 0, "nothing left", found, expected="%mor tiers that match their lines"))
        return _Chunk(
            list(self.entry_codes),
            np.array(codes, dtype=np.int32),
            np.array(lengths, dtype=np.int32),
            np.array(file_of, dtype=np.int32),
            np.array(speaker_of, dtype=np.int32),
            [name for name, _ in transcripts],
            list(speakers),
            incidents,
            counts,
            np.array(heads, dtype=np.int16),
            relations,
        )

    def dependencies(self, mor: str, block: str) -> list[tuple[int, str]] | None:
        """Return head and relation of each word of an utterance; empty without a %gra tier, None if the tier is
        wrong.
        """
        start = block.find(_GRA)
        if start < 0:
            return []
        end = block.find("\n%", start + len(_GRA))
        entries = _joined(block[start + len(_GRA) : end if end >= 0 else None]).split()
        place = {0: 0}  # position of the word for each index of the tier
        index = 0
        for item in mor.split():
            parts = self.items[item]
            for _ in range(1 if parts is None else len(parts.parts)):
                index += 1
                if parts is not None:
                    place[index] = len(place)
        matches = [_DEPENDENCY.fullmatch(entry) for entry in entries]
        if [match and int(match[1]) for match in matches] != list(range(1, index + 1)):
            return None
        return [
            (place.get(int(match[2]), -1), match[3])
            for match in matches
            if match is not None and int(match[1]) in place
        ]

    def utterance(self, main: str, mor: str | None) -> tuple[str, tuple[int, ...]]:
        """Return the outcome of an utterance, and the codes of its tokens if it is kept."""
        known = self.known.get((main, mor))
        if known is None:
            known = self.new_utterance(main, mor)
            if len(main) < 40:
                self.known[main, mor] = known
        return known

    def new_utterance(self, main: str, mor: str | None) -> tuple[str, tuple[int, ...]]:
        words: list[Any] | None = plain_words(main, self.codes)
        if words is None:
            line = main_line(main, self.convention.unintelligible)
            if line.unintelligible:
                return "unintelligible", ()
            words = [word if word.form != word.spoken else word.form for word in line.words]
        if mor is None:
            return ("no tier" if words else "no words"), ()
        items = mor.split()
        known = self.items
        try:
            for item in items:
                if item not in known:
                    known[item] = mor_item(item)
        except ValueError:
            return "malformed tier", ()
        items = [item for item in items if known[item] is not None]
        if len(items) != len(words):
            return "misaligned", ()
        if not items:
            return "no words", ()
        codes: list[int] = []
        pairs = self.pairs
        for pair in zip(words, items, strict=True):
            new = pairs.get(pair)
            if new is None:
                new = pairs[pair] = self.pair(*pair)
            if not new:
                return "unsplit clitic", ()
            codes += new
        return "kept", tuple(codes)

    def pair(self, word: str | Word, item: str) -> tuple[int, ...]:
        """Return the codes of the entries of a word with its %mor item; empty if its clitics cannot be separated."""
        mor = self.items[item]
        assert mor is not None
        form, spoken = word if isinstance(word, Word) else (word, word)
        surfaces: list[str] | None
        if self.splitting == "english":
            surfaces = split_clitics(form, len(mor.parts), mor.before)
        else:
            surfaces = fused(form, len(mor.parts), mor.before, elided=self.splitting == "elided")
        if surfaces is None:
            return ()
        said = surfaces if spoken == form else [spoken] * len(surfaces)
        if self.convention.lowercase:
            surfaces = [surface.lower() for surface in surfaces]
        entries = [
            Entry(surface, heard, part.lemma, part.fine)
            for surface, heard, part in zip(surfaces, said, mor.parts, strict=True)
        ]
        return tuple(self.entry_codes.setdefault(entry, len(self.entry_codes)) for entry in entries)

    def explain(self, outcome: str, main: str, mor: str | None) -> tuple[str, str]:
        """Describe what was found and what was expected, for an utterance that is left out."""
        words = main_line(main, self.convention.unintelligible).words
        forms = [word.form for word in words]
        if outcome == "no tier":
            return f"the utterance has {len(words)} words and no %mor tier", "a %mor tier"
        real = []
        for item in (mor or "").split():
            try:
                if mor_item(item):
                    real.append(item)
            except ValueError as error:
                return str(error), "tag|stem for every word"
        if outcome == "unsplit clitic":
            for form, item in zip(forms, real, strict=True):
                parts = item.replace("$", "~").split("~")
                if split_clitics(form, len(parts), item.count("$")) is None:
                    return (
                        f"{quoted(form)} cannot be split as its %mor item {quoted(item)} requires",
                        "an apostrophe between the parts",
                    )
        return f"the utterance has {len(words)} words and its %mor tier {len(real)}", (
            f"one %mor item for each of: {quoted(' '.join(forms))}; the tier has: {quoted(' '.join(real))}"
        )


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _joined(line: str) -> str:
    """Join a line with its continuation lines; remove other lines that follow."""
    return line.replace("\n\t", " ").partition("\n")[0] if "\n" in line else line


@dataclass
class _Transcript:
    """Header and utterances of a file; utterances have their tiers and no initial asterisk."""

    head: str = ""
    blocks: list[str] = field(default_factory=list)

    @cached_property
    def lines(self) -> list[int]:
        """Line number of each utterance."""
        return list(accumulate((block.count("\n") + 1 for block in self.blocks), initial=self.head.count("\n") + 2))


def _utterances(name: str, content: bytes, encoding: str | None) -> tuple[_Transcript, list[Incident]]:
    """Return header and utterances of a transcript, and incidents."""
    try:
        text = decoded(name, content, encoding).decode("utf-8")
    except DataError as error:
        assert error.incident is not None
        return _Transcript(), [error.incident]
    head, *blocks = text.split("\n*")
    first = head.lstrip().partition("\n")[0]
    if not first.startswith("@") or "@Begin" not in head:
        found = "the file is empty" if not text.strip() else "this is not a CHAT transcript"
        return _Transcript(), [Incident(name, 1, "not CHAT", found, first, "@UTF8 and @Begin")]
    if not blocks:
        found = "the transcript has no utterance"
        return _Transcript(), [Incident(name, 0, "no utterance", found, expected="lines such as *MOT: and a tab")]
    findings = []
    stray = _STRAY.search(text)
    if stray:
        line = text.count("\n", 0, stray.start()) + 2
        expected = "a line that begins with @, *, % or a tab"
        findings.append(
            Incident(name, line, "stray line", "the line belongs to no utterance", stray.group().strip(), expected)
        )
    if not text.rstrip().endswith("@End"):
        line = text.rstrip().count("\n") + 1
        found = "the transcript does not end with @End, so some of it may be missing"
        findings.append(Incident(name, line, "no @End", found, text.rstrip().rpartition("\n")[2], "@End"))
    return _Transcript(head, blocks), findings


def _participants(head: str) -> dict[str, dict[str, str]]:
    """Return role, language, age and sex of each speaker from the header; empty if not stated."""
    found: dict[str, dict[str, str]] = {}
    stated: dict[str, dict[str, str]] = {}
    for line in head.replace("\n\t", " ").split("\n"):
        if line.startswith("@Participants:"):
            for participant in line.partition(":")[2].split(","):
                words = participant.split()
                if len(words) > 1:
                    found.setdefault(words[0], {"role": words[-1], "language": "", "age": "", "sex": ""})
        elif line.startswith("@ID:"):
            fields = [field.strip() for field in line.partition(":")[2].split("|")]
            if len(fields) > 7 and fields[7]:
                stated[fields[2]] = {"role": fields[7], "language": fields[0], "age": fields[3], "sex": fields[4]}
    return found | stated


def _languages(head: str) -> set[str]:
    """Return the codes of the languages of a transcript; empty if not stated."""
    line = next((line for line in head.replace("\n\t", " ").split("\n") if line.startswith("@Languages:")), "")
    return set(line.partition(":")[2].replace(",", " ").split())


def _splitting(languages: set[str]) -> str:
    if languages in ({"eng"}, {"en"}):
        return "english"
    return "elided" if languages & _ELIDING else "fused"


def read_participants(paths: str | Path | Iterable[Any], *, encoding: str | None = None) -> pd.DataFrame:
    r"""Read the speakers of CHAT transcripts from the headers.

    Parameters
    ----------
    paths, encoding
        See `read_chat`.

    Returns
    -------
    DataFrame
        One row per file and speaker: ``file``, ``speaker``, ``role``, ``language``, ``age`` (as written, ``2;06.10``),
        ``months`` (missing if no age is stated), ``sex``.

    Examples
    --------
    >>> head = "@UTF8\n@Begin\n@ID:\teng|made|CHI|2;06.15|female|||Target_Child|||\n*CHI:\tno .\n@End"
    >>> read_participants([("a.cha", head.encode())])[["speaker", "role", "months"]]
      speaker          role  months
    0     CHI  Target_Child    30.5
    """
    rows = []
    for name, content in _transcripts(paths, []):
        head = decoded(name, content, encoding).decode("utf-8").split("\n*", 1)[0]
        for code, stated in _participants(head).items():
            rows.append({"file": name, "speaker": code, **stated, "months": _months(stated["age"])})
    columns = ["file", "speaker", "role", "language", "age", "months", "sex"]
    return pd.DataFrame(rows, columns=columns).astype({"months": "float64"})


def _months(age: str) -> float | None:
    match = re.fullmatch(r"([0-9]{1,3});(?:([0-9]{1,2})(?:\.([0-9]{1,2})?)?)?", age)
    return int(match[1]) * 12 + int(match[2] or 0) + int(match[3] or 0) / 30 if match else None


def _incident(name: str, transcript: _Transcript, index: int, kind: str, found: str, expected: str = "") -> Incident:
    said = "*" + transcript.blocks[index].partition("\n%")[0].replace("\n\t", " ")
    return Incident(name, transcript.lines[index], kind, found, said, expected)


class _Reading:
    """Chunks combined."""

    def __init__(self) -> None:
        self.entries: dict[Entry, int] = {}
        self.speakers: dict[tuple[str, str], int] = {}
        self.codes: list[np.ndarray] = []
        self.lengths: list[np.ndarray] = []
        self.file_of: list[np.ndarray] = []
        self.speaker_of: list[np.ndarray] = []
        self.names: list[str] = []
        self.incidents: list[Incident] = []
        self.counts: Counter = Counter()
        self.heads: list[np.ndarray] = []
        self.relations: list[str] = []

    @property
    def files(self) -> int:
        return len(self.names)

    @property
    def first(self) -> str:
        return self.names[0]

    def add(self, part: _Chunk) -> None:
        entries = np.array([self.entries.setdefault(e, len(self.entries)) for e in part.entries], dtype=np.int32)
        speakers = np.array([self.speakers.setdefault(s, len(self.speakers)) for s in part.speakers], dtype=np.int32)
        if len(part.codes):
            self.codes.append(entries[part.codes])
            self.lengths.append(part.lengths)
            self.file_of.append(part.file_of + self.files)
            self.speaker_of.append(speakers[part.speaker_of])
        self.heads.append(part.heads)
        self.relations += part.relations
        self.names += part.files
        self.incidents += part.incidents
        self.counts += part.counts

    def tokens(self) -> pd.DataFrame:
        codes = np.concatenate(self.codes)
        lengths = np.concatenate(self.lengths)
        ends = np.cumsum(lengths, dtype=np.int64)
        columns: dict[str, Any] = {
            "sentence": np.repeat(np.arange(len(lengths), dtype=np.int32), lengths),
            "position": (np.arange(len(codes)) - np.repeat(ends - lengths, lengths) + 1).astype(np.int16),
        }
        for layer in Entry._fields:
            columns[layer] = _categories([getattr(entry, layer) for entry in self.entries], codes)
        speaker_of = np.repeat(np.concatenate(self.speaker_of), lengths)
        columns["speaker"] = _categories([code for code, _ in self.speakers], speaker_of)
        columns["role"] = _categories([role for _, role in self.speakers], speaker_of)
        columns["file"] = _categories(self.names, np.repeat(np.concatenate(self.file_of), lengths))
        if self.relations:
            columns["head"] = np.concatenate(self.heads)
            columns["relation"] = pd.Categorical(self.relations)
        return pd.DataFrame(columns)


def _categories(values: list[str], codes: np.ndarray) -> pd.Categorical:
    """Return ``values[codes]`` as categories in alphabetical order, without unused ones."""
    used = np.bincount(codes, minlength=len(values)) > 0
    names = sorted({value for value, occurs in zip(values, used, strict=True) if occurs})
    place = {name: number for number, name in enumerate(names)}
    dtype = np.int8 if len(names) < 127 else np.int16 if len(names) < 32767 else np.int32
    recoded = np.array([place.get(value, -1) for value in values], dtype=dtype)
    return pd.Categorical.from_codes(recoded[codes], categories=pd.Index(names, dtype="str"))
