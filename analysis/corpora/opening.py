"""Open text sources: paths, standard input, pipes, folders, archives, encodings.

Every reader of this package accepts the sources of `open_text`. Text is UTF-8 (or UTF-16 with a byte-order mark, or in
the given ``encoding``) with LF, CRLF or CR line ends. Files are decompressed according to their content, not their
name: gz, xz, bz2, and zip or tar. A folder, or an archive of several files, is read as one text: its files with one
suffix (`CORPUS_ENDINGS` first), in the order of their names. The decompressed size is limited: see `limit_for`. Files
left by archivers (``._name``, ``__MACOSX``, ``.DS_Store``) are skipped, and listed as incidents of the kind ``left by
an archiver``.
"""

import bz2
import codecs
import io
import lzma
import os
import re
import struct
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import IO, Any

from analysis.corpora.lines import Lines
from analysis.structures import DataError, Incident
from analysis.structures.incidents import FolderName, quoted
from analysis.structures.writing import whole_file

LARGEST = 4_000_000_000
GROWTH = 200
ALWAYS = 64_000_000

_STANDARD_INPUT = "standard input"
_BYTES_AT_ONCE = 1 << 20
_LAYERS = 4  # layers of compression: a gz in a zip in a tar.xz
_SHOWN = 5
_TAR_END = 2 * tarfile.BLOCKSIZE
_TAR_NAMES = (".tar", ".tgz", ".tbz2", ".tbz", ".txz")
PACKED_NAMES = (".gz", ".xz", ".bz2")
#: Suffixes of corpus files; other files in a folder are skipped if there is a file with one of these.
CORPUS_ENDINGS = (
    ".conllu", ".conllx", ".conll", ".conll06", ".conll07", ".conll08", ".conll09", ".dp", ".auto", ".mrg", ".tsv",
    ".paths",
)  # fmt: skip
_LEFT = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
_DAMAGES = (
    zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, struct.error,
    EOFError, RuntimeError, ValueError, OSError, LookupError, OverflowError,
)  # fmt: skip
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class Text:
    """The decoded text of a file.

    Attributes
    ----------
    name : str
        Name in error messages.
    data : bytes
        UTF-8 without byte-order mark; every line ends in LF, the last one too.
    incidents : tuple of Incident
        Files that were skipped.
    """

    name: str
    data: bytes = field(repr=False)
    incidents: tuple[Incident, ...] = ()

    @cached_property
    def places(self) -> Lines:
        r"""Where lines and cells begin and end.

        Examples
        --------
        >>> open_text("one\ttwo").places.marks.tolist()
        [3, 7]
        """
        return Lines(self.name, self.data)

    def lines(self) -> list[str]:
        r"""Return the lines without line ends.

        Examples
        --------
        >>> open_text("one\r\ntwo").lines()
        ['one', 'two']
        """
        return self.data[:-1].decode("utf-8").split("\n")


Source = str | bytes | Path | zipfile.Path | IO[str] | IO[bytes] | Text


def open_text(source: Source, *, encoding: str | None = None, limit: int | None = None) -> Text:
    r"""Open one file or other source of text.

    Parameters
    ----------
    source : path, text, bytes, zipfile.Path, open file or Text
        A path may be ``-`` (standard input), a pipe (read once), a member of an archive
        (``"treebank.zip/da/test.conllu"``), or a folder or an archive of several files: these are read as one text, and
        errors and incidents name the file and its line. A string that contains a line end or a tab is the text itself.
    encoding : str, optional
        Encoding of bytes; the default is UTF-16 or UTF-32 if there is a byte-order mark, else UTF-8.
    limit : int, optional
        Maximum number of bytes of a decompressed file; the default is `limit_for` its size.

    Returns
    -------
    Text

    Raises
    ------
    DataError
        If there is no such file, a folder or archive has files of several kinds, the file cannot be opened, is damaged
        or encrypted, is an archive of several files within another file, exceeds the limit, is not text (it contains
        bytes 0x00, or bytes that are invalid in the encoding), or is an HTML page. The message names the file, and the
        line of an invalid byte.
    ValueError
        If there is no such encoding.

    Examples
    --------
    >>> open_text("look\tVB\r\n").data
    b'look\tVB\n'
    >>> open_text(b"caf\xe9\n", encoding="latin-1").lines()
    ['café']
    """
    if isinstance(source, Text):
        return source
    left: list[Incident] = []
    if isinstance(source, str | Path) and not _is_text(source) and _exists(Path(source)) and Path(source).is_dir():
        return _joined(Path(source), encoding, limit)
    try:
        name, content = _content(source, limit, left)
    except _SeveralFilesError:
        if not isinstance(source, str | Path) or not _exists(Path(source)) or not Path(source).is_file():
            raise
        return _joined(Path(source), encoding, limit)
    if isinstance(content, str):
        return Text(name, decoded(name, content.encode("utf-8", "surrogatepass"), "utf-8"), tuple(left))
    return Text(name, decoded(name, content, encoding), tuple(left))


def contents(
    source: str | Path,
    endings: Collection[str],
    *,
    limit: int | None = None,
    left: list[Incident] | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yield name and decompressed content of each file of a corpus.

    Parameters
    ----------
    source : path
        A folder (all files below it, by name), an archive (zip or tar, compressed or not; in its order), or one file of
        any name.
    endings : collection of str
        Suffixes of the files of a folder or archive, in lower case, such as ``".cha"``; .gz, .xz or .bz2 may follow.
    limit : int, optional
        Maximum number of bytes of a decompressed archive or file; the default is `limit_for` its size.
    left : list of Incident, optional
        List to which an incident is appended for each file left by an archiver; these files are skipped.

    Raises
    ------
    DataError
        See `open_text`.
    """
    left = [] if left is None else left
    path = Path(source)
    if not (_exists(path) and path.is_dir()):
        yield from _members_at(path, endings, limit, left)
        return
    for file in sorted(path.rglob("*"), key=lambda file: file.relative_to(path).as_posix()):
        name = file.relative_to(path).as_posix()
        if _has_ending(name, endings) and file.is_file():  # no folder of such a name, no broken link
            if is_left(name):
                left.append(_left(str(path), name))
            else:
                yield name, _unpacked(str(file), _bytes_of(file), limit, left)


def limit_for(size: int) -> int:
    """Compute the maximum decompressed size for a file of this size: 200 times as much, between 64 MB and 4 GB.

    Examples
    --------
    >>> limit_for(1_000), limit_for(1_000_000), limit_for(1_000_000_000)
    (64000000, 200000000, 4000000000)
    """
    return min(LARGEST, max(ALWAYS, GROWTH * size))


def decoded(name: str, data: bytes, encoding: str | None = None) -> bytes:
    r"""Decode the bytes of a file to the form of `Text`; see `open_text`.

    Examples
    --------
    >>> decoded("a.txt", "é\r".encode("utf-16"))
    b'\xc3\xa9\n'
    """
    if encoding is None:
        mark, encoding = next(((mark, of) for mark, of in _MARKS if data.startswith(mark)), (b"", "utf-8"))
        data = data[len(mark) :] if mark else data
    encoding = _codec(encoding)
    place = _undecodable(data, encoding)
    if place is not None:
        raise _not_text(name, data, encoding, *place)
    if encoding != "utf-8":
        data = data.decode(encoding).encode("utf-8", "surrogatepass")
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise DataError(
            Incident(name, line, "binary", "this line contains a byte 0x00, so the file is not text"),
            "If it is UTF-16 without a byte-order mark, give encoding='utf-16-le' or 'utf-16-be'.",
        )
    opening = data[:512].lstrip()
    if opening[:9].lower() == b"<!doctype" or opening[:5].lower() == b"<html":
        first = opening.split(b"\n")[0].decode("utf-8", "replace")
        raise DataError(Incident(name, 1, "HTML page", "this is an HTML page", first, "text"), "Fetch the file again.")
    return data if data.endswith(b"\n") else data + b"\n"


@contextmanager
def writing(file: str | os.PathLike) -> Iterator[None]:
    """Make system errors, such as a full disk, name the file that was to be written."""
    try:
        yield
    except OSError as error:
        found = f"it cannot be written: {error.strerror or error}"
        raise DataError(Incident(os.fspath(file), 0, "not written", found)) from error


def check_folder(file: str | os.PathLike) -> None:
    """Refuse to write a file whose folder is not there.

    Raises
    ------
    DataError
    """
    path = Path(file)
    if not path.parent.is_dir():
        raise DataError(f"there is no folder {path.parent} to write {path.name} into.")


@contextmanager
def written_whole(file: str | os.PathLike) -> Iterator[Path]:
    """A path to write to; it becomes the file at the end, or goes if there was an error, which names the file.

    Raises
    ------
    DataError
        If the folder is not there, or the file cannot be written. What is not a plain file, such as a pipe, is written
        directly.
    """
    path = Path(file)
    check_folder(path)
    with writing(path):
        if path.exists() and not path.is_file():
            yield path
        else:
            with whole_file(path) as part:
                yield part


def write_text(file: str | os.PathLike, text: str) -> None:
    """Write UTF-8 with LF line ends, whole or not at all; errors name the file."""
    with written_whole(file) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


# ----------------------------------------------------------------------------------------------- sources of bytes


def _is_text(source: Any) -> bool:
    return isinstance(source, str) and (not source or any(character in source for character in "\n\r\t"))


def _content(source: Any, limit: int | None, left: list[Incident]) -> tuple[str, str | bytes]:
    """Return name and decompressed content; a string if the source is text already."""
    if isinstance(source, bytes):
        return "text", _unpacked("text", source, limit, left)
    if _is_text(source):
        return "text", source
    if isinstance(source, zipfile.Path):
        name = str(source)
        return name, _guarded(name, lambda: _unpacked(name, _bytes_from(source.open("rb"), name, LARGEST), limit, left))
    if not isinstance(source, str | os.PathLike):
        name = str(getattr(source, "name", "text"))
        content = _guarded(name, source.read)
        return name, content if isinstance(content, str) else _unpacked(name, content, limit, left)
    if str(source) == "-":
        return _STANDARD_INPUT, _unpacked(_STANDARD_INPUT, _bytes_of(Path(source)), limit, left)
    path = Path(source)
    archive = None if _exists(path) else next((above for above in path.parents if _exists(above)), None)
    archive = archive if archive is not None and archive.is_file() else None
    if archive is not None:
        member = path.relative_to(archive).as_posix()
        return str(path), _member(archive, member, limit, left)
    return str(path), _unpacked(str(path), _bytes_of(path), limit, left)


def corpus_texts(
    path: Path, *, encoding: str | None = None, limit: int | None = None, left: list[Incident] | None = None
) -> list[Text]:
    """The files of a folder or archive that are one corpus: those of one ending, in the order of their names.

    Parameters
    ----------
    path : Path
    encoding, limit
        As in `open_text`.
    left : list of Incident, optional
        Gets what is passed over.

    Raises
    ------
    DataError
        If the files are of several kinds, or there is none; names some of them.
    """
    left = [] if left is None else left
    folder = path.is_dir()
    if folder:
        names = sorted(file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())
    else:
        names = sorted(_names_in(path, limit))
    names = [name for name in names if not is_left(name)]
    what = "a folder" if folder else "an archive"
    kinds = {_ending(name) for name in names}
    kinds = kinds.intersection(CORPUS_ENDINGS) or kinds
    if len(kinds) != 1:
        shown = ", ".join(map(quoted, names[:_SHOWN])) + (" ..." if len(names) > _SHOWN else "")
        found = f"this is {what} with files of several kinds: {shown}" if names else f"this is {what} without a file"
        expected = f"a file, or {what} of files of one kind"
        advice = f"Name one of them: {path}/{names[0]}" if names else ""
        raise DataError(Incident(str(path), 0, what.split()[1], found, "", expected), advice)
    (kind,) = kinds
    others = [name for name in names if _ending(name) != kind]
    if others:
        shown = ", ".join(map(quoted, others[:_SHOWN])) + (" ..." if len(others) > _SHOWN else "")
        left.append(Incident(str(path), 0, "other files", f"{len(others):,} skipped, which are not {kind}: {shown}"))
    files = contents(path, (kind,), limit=limit, left=left)
    most = limit_for(path.stat().st_size) if limit is None else limit
    texts, size = [], 0
    for name, content in files:
        size += len(content)
        if size > most and not folder:
            raise _too_large(str(path), most)
        texts.append(Text(str(path / name), decoded(str(path / name), content, encoding)))
    return sorted(texts, key=lambda text: text.name)


def _joined(path: Path, encoding: str | None, limit: int | None) -> Text:
    """The files of a corpus as one text; a blank line divides them if blank lines divide sentences."""
    left: list[Incident] = []
    pieces: list[bytes] = []
    places: list[tuple[int, str]] = []
    lines = 0
    for text in corpus_texts(path, encoding=encoding, limit=limit, left=left):
        data = text.data
        if _SENTENCES.search(data) and not data.endswith(b"\n\n"):
            data += b"\n"
        places.append((lines, text.name))
        pieces.append(data)
        lines += data.count(b"\n")
    return Text(FolderName(str(path), places), b"".join(pieces), tuple(left))


#: Numbered rows or rows with a head, or a blank line before a line that is neither a tree nor its ID.
_SENTENCES = re.compile(rb"(?m)^1(?:-[0-9]+)?\t|^[^\t\n]+\t[^\t\n]+\t0$|\n\n(?!ID=|[(#\n]|\Z)")


def _ending(name: str) -> str:
    path = PurePosixPath(name.lower())
    return (path.with_suffix("") if path.suffix in PACKED_NAMES else path).suffix


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # not a possible file name
        return False


def _bytes_of(path: Path) -> bytes:
    if str(path) == "-":
        return _bytes_from(sys.stdin.buffer, _STANDARD_INPUT, LARGEST, close=False)
    if not _exists(path):
        raise DataError(Incident(str(path), 0, "no file", "there is no file or folder of this name"))
    if path.is_file():
        return _guarded(str(path), path.read_bytes)
    return _bytes_from(_guarded(str(path), partial(path.open, "rb")), str(path), LARGEST)


def _bytes_from(stream: Any, name: str, limit: int, close: bool = True) -> bytes:
    """Read all bytes of a stream that may be endless."""
    pieces, size = [], 0
    try:
        while piece := _guarded(name, partial(stream.read, _BYTES_AT_ONCE)):
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                raise _too_large(name, limit)
    finally:
        if close:
            stream.close()
    return b"".join(pieces)


def _guarded(name: str, read: Callable[[], Any]) -> Any:
    """Return the result of ``read``; its errors name the file."""
    try:
        return read()
    except DataError:
        raise
    except MemoryError:
        raise DataError(Incident(name, 0, "memory", "there is not enough memory to read it")) from None
    except UnicodeDecodeError as error:  # from a file opened as text
        found = f"byte 0x{error.object[error.start]:02x} is not {error.encoding.upper()}"
        raise DataError(Incident(name, 0, "undecodable", found), _ENCODING) from None
    except _DAMAGES as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise DataError(Incident(name, 0, "unreadable", f"it cannot be read: {said}")) from None


# ------------------------------------------------------------------------------------------------------------ unpacking


class _SeveralFilesError(DataError):
    """An archive of several files, where one is wanted."""


def _unpacked(name: str, content: bytes, limit: int | None, left: list[Incident]) -> bytes:
    """Decompress content; an archive must contain one file."""
    limit = limit_for(len(content)) if limit is None else limit
    inner = name
    for _ in range(_LAYERS):
        inner, content = _expanded(name, inner, content, limit)
        members = _members(name, inner, content, limit)
        if members is None:
            return content
        names = []
        found = b""
        for member, read in members:
            if is_left(member):
                left.append(_left(name, member))
                continue
            names.append(member)
            found = read() if len(names) == 1 else found
        if len(names) != 1:
            shown = ", ".join(map(quoted, names[:_SHOWN])) + (" ..." if len(names) > _SHOWN else "")
            said = f"the archive has several files: {shown}" if names else "the archive has no file"
            advice = f"Name one of them: {name}/{names[0]}" if names else ""
            error = _SeveralFilesError if names else DataError
            raise error(Incident(name, 0, "archive", said, "", "one file"), advice)
        inner, content = names[0], found
    raise DataError(Incident(name, 0, "archive", f"it is compressed more than {_LAYERS} times"))


def _expanded(name: str, inner: str, content: bytes, limit: int) -> tuple[str, bytes]:
    """Return decompressed content, and its name without the suffix of compression."""
    for _ in range(_LAYERS):
        new = next((new for magic, new in _COMPRESSIONS if magic.match(content)), None)
        if new is None:
            break
        inner = inner[: inner.rindex(".")] if inner.lower().endswith(PACKED_NAMES) else inner
        content = _undamaged(name, partial(_expand, name, content, new, limit))
    return inner, content


_COMPRESSIONS: tuple[tuple[re.Pattern[bytes], Callable[[], Any]], ...] = (
    (re.compile(b"\x1f\x8b"), partial(zlib.decompressobj, wbits=31)),
    (re.compile(b"\xfd7zXZ\x00"), lzma.LZMADecompressor),
    (re.compile(b"BZh[1-9](1AY&SY|\x17rE8P\x90)"), bz2.BZ2Decompressor),
)


def _expand(name: str, packed: bytes, new: Callable[[], Any], limit: int) -> bytes:
    """Decompress all streams of a file; raise an error as soon as the limit is exceeded."""
    pieces: list[bytes] = []
    room = limit
    while packed:
        decompressor = new()
        piece = decompressor.decompress(packed, room + 1)
        if len(piece) > room:
            raise _too_large(name, limit)
        if not decompressor.eof:
            raise EOFError("it is truncated")
        pieces.append(piece)
        room -= len(piece)
        packed = decompressor.unused_data.lstrip(b"\0") if decompressor.unused_data else b""
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _members(name: str, inner: str, content: bytes, limit: int) -> Iterator[tuple[str, Callable[[], bytes]]] | None:
    """Yield the members of an archive as name and reading function; None if it is not an archive."""
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped(name, io.BytesIO(content), limit)
    if content[257:262] == b"ustar":
        return _tarred(name, content)
    if _has_ending(inner, (".zip", *_TAR_NAMES)):
        raise _damaged(name, "it is not an archive, although its name has the suffix of one")
    return None


def _zipped(name: str, file: Any, limit: int) -> Iterator[tuple[str, Callable[[], bytes]]]:
    room = limit

    def read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
        nonlocal room
        with archive.open(member) as stream:
            content = stream.read(room + 1)
        if len(content) > room:
            raise _too_large(name, limit)
        room -= len(content)
        return content

    with _undamaged(name, partial(zipfile.ZipFile, file)) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                yield member.filename, partial(_undamaged, name, partial(read, archive, member))


def _tarred(name: str, content: bytes) -> Iterator[tuple[str, Callable[[], bytes]]]:
    def read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
        file = archive.extractfile(member)
        text = b"" if file is None else file.read()
        if len(text) < member.size:
            raise tarfile.ReadError(f"{member.name} is truncated")
        return text

    with _undamaged(name, partial(tarfile.open, fileobj=io.BytesIO(content), mode="r:")) as archive:
        while (member := _undamaged(name, archive.next)) is not None:
            if member.isfile():
                yield member.name, partial(_undamaged, name, partial(read, archive, member))
        end = content[archive.offset :][:_TAR_END]
    if len(end) < _TAR_END or any(end):
        raise _damaged(name, "it is truncated: the two empty blocks at its end are missing")


def _members_at(
    path: Path, endings: Collection[str], limit: int | None, left: list[Incident]
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive with the given suffixes, or the single file."""
    name = str(path)
    content = _bytes_of(path)
    limit = limit_for(len(content)) if limit is None else limit
    inner, content = _expanded(name, path.name, content, limit)
    members = _members(name, inner, content, limit)
    if members is None:
        yield path.name, content
        return
    for member, read in members:
        if not _has_ending(member, endings):
            continue
        if is_left(member):
            left.append(_left(name, member))
        else:
            yield member, _expanded(f"{name}/{member}", member, read(), limit)[1]


def _names_in(archive: Path, limit: int | None) -> list[str]:
    """Names of the files of an archive."""
    content = _bytes_of(archive)
    bound = limit_for(len(content)) if limit is None else limit
    inner, content = _expanded(str(archive), archive.name, content, bound)
    members = _members(str(archive), inner, content, bound)
    return [archive.name] if members is None else [member for member, _ in members]


def _member(archive: Path, member: str, limit: int | None, left: list[Incident]) -> bytes:
    """Return one member of an archive, by its name."""
    name = str(archive)
    size = archive.stat().st_size
    limit = limit_for(size) if limit is None else limit
    if zipfile.is_zipfile(archive):
        members: Any = _zipped(name, archive, limit)
    else:
        inner, content = _expanded(name, archive.name, _bytes_of(archive), limit)
        members = _members(name, inner, content, limit)
        if members is None:
            raise DataError(
                Incident(f"{name}/{member}", 0, "no file", f"there is no file of this name: {name} is not an archive")
            )
    for found, read in members:
        if found.removeprefix("./") == member:
            return _unpacked(f"{name}/{member}", read(), limit, left)
    raise DataError(Incident(name, 0, "no member", f"the archive has no file {quoted(member)}"))


def _undamaged(name: str, read: Callable[[], Any]) -> Any:
    """Return the result of ``read``; if decompression fails, raise an error that names the file."""
    try:
        return read()
    except DataError:
        raise
    except MemoryError:
        raise DataError(Incident(name, 0, "memory", "there is not enough memory to decompress it")) from None
    except _DAMAGES as error:
        raise _damaged(name, str(error) or type(error).__name__) from None


def _damaged(name: str, why: str) -> DataError:
    locked = re.search("encrypted|password", why)
    advice = "Unpack it with its password first." if locked else "Fetch it again."
    return DataError(Incident(name, 0, "damaged", f"the file is {'encrypted' if locked else 'damaged'}: {why}"), advice)


def _too_large(name: str, limit: int) -> DataError:
    found = f"it exceeds {limit:,} bytes when it is read"
    return DataError(
        Incident(name, 0, "too large", found, "", "less than the limit"),
        "Give a higher limit= if this size is correct.",
    )


def _has_ending(name: str, endings: Collection[str]) -> bool:
    lower = name.lower()
    stem = lower[: lower.rindex(".")] if lower.endswith(PACKED_NAMES) else lower
    return stem.endswith(tuple(endings))


def is_left(name: str) -> bool:
    """Return whether this file was left by an archiver and is not part of the corpus."""
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or (bool(parts) and (parts[-1].startswith("._") or parts[-1].lower() in _LEFT))


def _left(name: str, member: str) -> Incident:
    return Incident(name, 0, "left by an archiver", f"{quoted(member)} is not a part of the corpus; skipped")


# ------------------------------------------------------------------------------------------------------------- decoding

_ENCODING = "Give encoding= if the file has another one."


def _codec(encoding: str) -> str:
    try:
        known = codecs.lookup(encoding)
        if not known._is_text_encoding:
            raise LookupError
    except LookupError:
        raise ValueError(f"there is no encoding {encoding!r}; there are utf-8, latin-1, cp1252 and others.") from None
    return "utf-8" if known.name == "ascii" else known.name


def _undecodable(data: bytes, encoding: str) -> tuple[int, int] | None:
    """Find the first bytes that are invalid in this encoding; reads some lines at a time to save memory."""
    size = _BYTES_AT_ONCE if encoding == "utf-8" else len(data)
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", begin + size) + 1 or len(data)
        try:
            data[begin:end].decode(encoding)
        except UnicodeDecodeError as error:
            return begin + error.start, begin + error.end
        except UnicodeError:  # the codec does not report the position
            return begin, begin + 1
        begin = end
    return None


def _not_text(name: str, data: bytes, encoding: str, start: int, end: int) -> DataError:
    before = data[:start].decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    after = data[start : end + 40].decode(encoding, "replace").replace("\r", "\n").split("\n")[0]
    found = f"byte 0x{data[start]:02x} is not {encoding.upper()}"
    incident = Incident(name, len(before), "undecodable", found, before[-1][-40:] + after, f"text in {encoding}")
    return DataError(incident, _ENCODING)
