"""The catalogue of data sets: licences, citations, and the location of files."""

from __future__ import annotations

import contextlib
import difflib
import fnmatch
import functools
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.corpora.folders import cache_folder, data_folder, mirror
from analysis.structures import DataError
from analysis.structures.kept import kept
from analysis.structures.lazy import pd
from analysis.structures.markup import html_text
from analysis.structures.writing import write_whole

BLOCK = 1 << 20


class NotAtHandError(DataError):
    """A data set is neither in the cache nor on a mirror; the message says how to get it."""


@dataclass(frozen=True)
class DataFile:
    """One file of a data set.

    Parameters
    ----------
    dataset : str
        Name of its data set.
    path : str
        Path on a mirror and in the cache.
    size_bytes : int or None
        Size on the mirror.
    sha256 : str
        Checksum on the mirror; empty if no mirror has it.
    repository, commit, upstream_path : str
        Origin of the file.
    git_blob_sha1 : str
        Checksum upstream, before compression; empty for archives of many files.
    """

    dataset: str
    path: str
    size_bytes: int | None
    sha256: str
    repository: str
    commit: str
    upstream_path: str
    git_blob_sha1: str

    @property
    def is_archive(self) -> bool:
        """Whether it is an archive of many upstream files (listed by `archive_members`)."""
        return self.path.endswith(".tar.xz")

    @property
    def upstream_address(self) -> str:
        """Web address of the raw upstream file; empty for archives of many files."""
        if self.is_archive:
            return ""
        return raw_address(self.repository, self.commit, self.upstream_path)

    @property
    def unpacked_path(self) -> str:
        """Path in the cache of the uncompressed upstream file; for an archive, the folder of its files."""
        return self.path.removesuffix(".xz").removesuffix(".tar")


@dataclass(frozen=True)
class Dataset:
    """One data set of the catalogue.

    Parameters
    ----------
    name : str
        As in ``corpora.load``.
    title, language, licence, licence_note, size, what : str
        Descriptions; languages are ISO 639-3 codes.
    how : str
        ``"built in"``, ``"fetch"`` or ``"supply"`` (only available to licence holders).
    citation_keys : tuple of str
        Keys of the works to cite.
    citation : str
        The full references, one per line.
    files : tuple of DataFile
        Its files; none if the data set is built in or must be supplied.
    """

    name: str
    title: str
    language: str
    licence: str
    licence_note: str
    citation_keys: tuple[str, ...]
    citation: str
    size: str
    what: str
    how: str
    files: tuple[DataFile, ...]

    @property
    def size_bytes(self) -> int:
        """Total size of its files on a mirror."""
        return sum(file.size_bytes or 0 for file in self.files)

    def _repr_html_(self) -> str:
        rows = {
            "corpus": f"{self.title} ({self.name})",
            "what": self.what,
            "size": self.size,
            "licence": f"{self.licence}; {self.licence_note}".rstrip("; "),
            "cite": self.citation or "this suite",
        }
        cells = "".join(f"<tr><th>{html_text(name)}</th><td>{html_text(text)}</td></tr>" for name, text in rows.items())
        return f"<table style='text-align:left'>{cells}</table>"


def raw_address(repository: str, commit: str, path: str) -> str:
    """Return the web address of a file of a public git repository at a commit."""
    from urllib.parse import quote

    return f"https://raw.githubusercontent.com/{repository}/{commit}/{quote(path)}"


def _table(name: str) -> pd.DataFrame:
    return pd.read_csv(data_folder() / "catalogue" / name, dtype=str, keep_default_na=False, encoding="utf-8")


@functools.cache
def _datasets() -> dict[str, Dataset]:
    references = dict(_table("references.csv")[["key", "citation"]].itertuples(index=False, name=None))
    files: dict[str, list[DataFile]] = {}
    for row in _table("files.csv").to_dict("records"):
        size = int(row.pop("size_bytes") or 0) or None
        files.setdefault(row["dataset"], []).append(DataFile(size_bytes=size, **row))
    datasets = {}
    for row in _table("datasets.csv").to_dict("records"):
        keys = tuple(key for key in row.pop("citation_keys").split(";") if key)
        citation = "\n".join(references[key] for key in keys)
        datasets[row["name"]] = Dataset(
            **row, citation_keys=keys, citation=citation, files=tuple(files.get(row["name"], ()))
        )
    return datasets


def dataset(name: str) -> Dataset:
    """Look up a data set by name.

    Raises
    ------
    DataError
        If there is no data set of that name; the nearest names are listed.

    Examples
    --------
    >>> dataset("manchester").licence
    'CC BY-NC-SA 3.0'
    >>> dataset("manchesster")
    Traceback (most recent call last):
    ...
    analysis.structures.incidents.DataError: there is no data set 'manchesster'; did you mean manchester?
    `yardstick data list` lists all.
    """
    try:
        return _datasets()[name]
    except KeyError:
        raise unknown_name(name, _datasets()) from None


def unknown_name(
    name: str, names: Iterable[str], what: str = "data set", advice: str = "`yardstick data list` lists all."
) -> DataError:
    """Make the error for a name that does not exist, with the nearest names."""
    names = list(names)
    lower = {other.lower(): other for other in names}
    near = [lower[other] for other in difflib.get_close_matches(name.lower(), lower, n=4, cutoff=0.5)]
    meant = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}."
    return DataError(f"there is no {what} {name!r}; {meant}", advice)


def catalogue() -> pd.DataFrame:
    """List all data sets, one row each.

    Returns
    -------
    DataFrame
        Columns name, title, language, licence, licence_note, size, size_bytes, files (their number), what, how,
        where (see `where`), data_version, citation.

    Examples
    --------
    >>> table = catalogue().set_index("name")
    >>> int(table.loc["manchester", "files"]), table.loc["ccgbank", "where"]
    (1, 'to be supplied by a licence holder')
    """
    rows = [
        {
            "name": data.name,
            "title": data.title,
            "language": data.language,
            "licence": data.licence,
            "licence_note": data.licence_note,
            "size": data.size,
            "size_bytes": data.size_bytes,
            "files": len(data.files),
            "what": data.what,
            "how": data.how,
            "where": where(data.name),
            "data_version": data_version(data.name),
            "citation": data.citation,
        }
        for data in _datasets().values()
    ]
    return pd.DataFrame(rows)


@kept
def archive_members() -> pd.DataFrame:
    """List the files in each archive: archive, member, repository, commit, upstream_path, git_blob_sha1, size_bytes."""
    table = _table("archive_members.csv.xz")
    table["size_bytes"] = table["size_bytes"].astype("int64")
    return table


def data_version(name: str) -> str:
    """Return a short string that changes when the data change.

    It consists of the name, the upstream commit and the start of the files' SHA-256 (for several files, of the list of
    their checksums; for the built-in language, of the tables in ``data/language``).

    Parameters
    ----------
    name : str
        Name of a data set.

    Returns
    -------
    str

    Examples
    --------
    >>> data_version("manchester")
    'manchester@11c44cbf sha256:fd5db20a'
    """
    data = dataset(name)
    if data.how == "built in":
        folder = data_folder() / "language"
        listed = [
            f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(folder.glob("*.csv"))
        ]
        return f"{name} sha256:{hashlib.sha256(chr(10).join(listed).encode()).hexdigest()[:8]}"
    if not data.files:
        return f"{name} as supplied"
    commits = sorted({file.commit[:8] for file in data.files})
    checksum = data.files[0].sha256
    if len(data.files) > 1 or not checksum:
        listed = [f"{file.path} {file.sha256 or file.git_blob_sha1}" for file in data.files]
        checksum = hashlib.sha256("\n".join(listed).encode()).hexdigest()
    return f"{name}@{'+'.join(commits)} sha256:{checksum[:8]}"


# Where the files lie --------------------------------------------------------------------------------------------------


def files_folder() -> Path:
    """Return the folder of fetched files: ``files`` in the cache, with the paths of a mirror."""
    return cache_folder() / "files"


def where(name: str) -> str:
    """Report where a data set is available; checks names and sizes only, without network access.

    Parameters
    ----------
    name : str
        Name of a data set.

    Returns
    -------
    str
        ``"built in"``, ``"cached"``, ``"on the mirror"``, ``"to be fetched"`` or
        ``"to be supplied by a licence holder"``.
    """
    data = dataset(name)
    if data.how == "built in":
        return "built in"
    if data.how == "supply":
        return "to be supplied by a licence holder"
    files = _wanted(data, ())
    if all(_cached_place(file) for file in files):
        return "cached"
    place = mirror()
    if isinstance(place, str):
        return "on the mirror" if all(file.sha256 for file in files) else "to be fetched"
    if all(_cached_place(file) or (place and (place / file.path).is_file()) for file in files):
        return "on the mirror"
    return "to be fetched"


def locate(name: str, *patterns: str) -> list[Path]:
    """Find the files of a data set on this machine and verify them.

    The cache is searched first, then the mirror (``ANALYSIS_MIRROR``). Files in a folder are used in place after their
    checksum was verified once (again if size or time changes); from a web address they are fetched into the cache.

    Parameters
    ----------
    name : str
        A data set of the catalogue.
    *patterns : str
        Shell patterns on the file's path (``"*-dev.conllu*"``); without any, all files that a mirror holds.

    Returns
    -------
    list of Path
        One for each file, in the order of ``files.csv``: the file as mirrored (it may end in ``.xz``), or the upstream
        file; for an archive, the archive or a folder with its files.

    Raises
    ------
    NotAtHandError
        If a file is neither in the cache nor on the mirror; the message says what to do.
    DataError
        If there is no such data set or file, or a checksum differs; the message gives both checksums.
    """
    data = dataset(name)
    if not data.files:
        kind = "is built in: use corpora.load" if data.how == "built in" else "is available to licence holders only"
        advice = "" if data.how == "built in" else f"If you have it: yardstick data add {name} PATH"
        raise NotAtHandError(f"{name} has no files to locate, it {kind}.", advice)
    files = _wanted(data, patterns)
    if not files:
        raise DataError(f"{name} has no file {' or '.join(patterns)}; it has {', '.join(f.path for f in data.files)}.")
    return [_locate_file(file) for file in files]


def _wanted(data: Dataset, patterns: Iterable[str]) -> list[DataFile]:
    patterns = list(patterns)
    if patterns:
        return [file for file in data.files if any(fnmatch.fnmatch(file.path, pattern) for pattern in patterns)]
    return [file for file in data.files if file.sha256] or list(data.files)


def _cached_place(file: DataFile) -> Path | None:
    """Return the file in the cache, as mirrored or as upstream, if it exists; it is not verified."""
    packed, unpacked = files_folder() / file.path, files_folder() / file.unpacked_path
    if packed.is_file():
        return packed
    if file.is_archive:
        return unpacked if unpacked.is_dir() else None
    return unpacked if unpacked.is_file() else None


def _locate_file(file: DataFile) -> Path:
    place = _cached_place(file)
    if place:
        return _checked(file, place)
    copies = mirror()
    if isinstance(copies, str):
        return _from_address(file, copies)
    if copies:
        for path in dict.fromkeys((file.path, file.unpacked_path)):
            if (copies / path).is_file():
                return _checked(file, copies / path)
    asked = f"nor in the folder ANALYSIS_MIRROR={copies}" if copies else "and ANALYSIS_MIRROR is not set"
    raise NotAtHandError(
        f"{file.dataset} is not available: {file.path} is not in the cache ({files_folder()}) {asked}.",
        "Set ANALYSIS_MIRROR to a folder or web address with copies of the files, or fetch them: "
        f"yardstick data fetch {file.dataset}",
    )


def _from_address(file: DataFile, address: str) -> Path:
    if not file.sha256:
        raise NotAtHandError(
            f"{file.dataset} is not available: no mirror has {file.path}.",
            f"Fetch it from upstream: yardstick data fetch {file.dataset}",
        )
    import logging

    import pooch

    pooch.get_logger().setLevel(logging.WARNING)
    place = files_folder() / file.path
    place.parent.mkdir(parents=True, exist_ok=True)
    url = f"{address}/{file.path}"
    try:
        pooch.retrieve(url, known_hash=f"sha256:{file.sha256}", fname=place.name, path=place.parent, progressbar=False)
    except ValueError as error:
        raise DataError(
            f"{url} is not the expected file: {error}", "The mirror is damaged, or is for another version."
        ) from None
    except OSError as error:
        raise NotAtHandError(
            f"{file.dataset} is not available: {url} cannot be fetched ({error}).",
            "Set ANALYSIS_MIRROR to a folder or web address with copies of the files, or fetch them from upstream: "
            f"ANALYSIS_MIRROR= yardstick data fetch {file.dataset}",
        ) from None
    return place


def file_sha256(path: Path) -> str:
    """Compute the SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def git_blob_sha1(path: Path) -> str:
    """Compute what ``git hash-object`` prints for a file."""
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _checked(file: DataFile, place: Path) -> Path:
    """Return the path after its content was compared with the catalogue; the result is remembered by size and times."""
    if place.is_dir():
        return _checked_folder(file, place)
    as_mirrored = place.name == Path(file.path).name and bool(file.sha256)
    expected = file.sha256 if as_mirrored else file.git_blob_sha1
    note, seen = _note(place, [place], expected)
    if _is_noted(note, seen):
        return place
    found = file_sha256(place) if as_mirrored else git_blob_sha1(place)
    if found != expected:
        kind = "SHA-256" if as_mirrored else "git blob SHA-1"
        raise DataError(
            f"{place} is not the {file.path} of the catalogue: its {kind} is {found}; expected {expected}.",
            f"It is damaged or another version: delete it, then yardstick data fetch {file.dataset}",
        )
    _write_note(note, seen)
    return place


def _note(place: Path, files: Iterable[Path], expected: str) -> tuple[Path, dict[str, str]]:
    """Return the file that records that a path was verified, and the state of its files: sizes and times."""
    state = hashlib.sha256()
    for path in files:
        known = path.stat()
        told = f"{path} {known.st_size} {known.st_mtime_ns} {known.st_ctime_ns}\n"
        state.update(told.encode("utf-8", "surrogateescape"))
    note = cache_folder() / "verified" / (hashlib.sha256(str(place).encode()).hexdigest()[:32] + ".json")
    return note, {"place": str(place), "state": state.hexdigest(), "checksum": expected}


def _is_noted(note: Path, seen: Mapping[str, str]) -> bool:
    try:
        return bool(json.loads(note.read_text(encoding="utf-8")) == seen)
    except (OSError, ValueError):
        return False


def _write_note(note: Path, seen: Mapping[str, str]) -> None:
    with contextlib.suppress(OSError):  # the cache cannot be written: verified again the next time
        write_whole(note, json.dumps(seen).encode())


def _checked_folder(file: DataFile, place: Path) -> Path:
    """Return the folder of an unpacked archive after the content of each file was verified; also remembered."""
    members = archive_members()
    members = members[members["archive"] == file.path]
    paths = [place / str(member) for member in members["member"]]
    advice = f"Delete the folder, then yardstick data fetch {file.dataset}"
    for path, row in zip(paths, members.itertuples(), strict=True):
        size = path.stat().st_size if path.is_file() else None
        if size != row.size_bytes:
            found = "missing" if size is None else f"of {size:,} bytes; expected {row.size_bytes:,}"
            raise DataError(f"{place} is not the {file.path} of the catalogue: {row.member} is {found}.", advice)
    note, seen = _note(place, paths, file.sha256)
    if _is_noted(note, seen):
        return place
    for path, row in zip(paths, members.itertuples(), strict=True):
        if (found := git_blob_sha1(path)) != row.git_blob_sha1:
            raise DataError(
                f"{place} is not the {file.path} of the catalogue: the git blob SHA-1 of {row.member} is {found}; "
                f"expected {row.git_blob_sha1}.",
                advice,
            )
    _write_note(note, seen)
    return place
