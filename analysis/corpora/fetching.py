"""Fetch data sets of the catalogue, register the user's corpora, and report the status of all."""

import contextlib
import json
import re
import sys
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd
from tqdm import tqdm

from analysis.corpora.catalogue import (
    DataFile,
    Dataset,
    archive_members,
    catalogue,
    dataset,
    files_folder,
    raw_address,
)
from analysis.corpora.file_formats import TREEBANKS, decide_format, format_named
from analysis.corpora.folders import cache_folder, mirror, user_data_folder
from analysis.corpora.opening import is_left, open_text
from analysis.corpora.transfer import (
    BETWEEN_LOOKS,
    NotThereError,
    UnreachableError,
    Wanted,
    difference,
    fetch_all,
    fetch_file,
)
from analysis.structures import DataError, Incident, check_choice
from analysis.structures.locks import locked_file
from analysis.structures.progress import progress_bar
from analysis.structures.writing import write_whole

__all__ = [
    "Added",
    "NotThereError",
    "UnreachableError",
    "add",
    "added",
    "check",
    "fetch",
    "fetch_file",
    "status",
]

UPSTREAM = "https://raw.githubusercontent.com"


def fetch(
    names: str | Iterable[str],
    *,
    n_jobs: int = 4,
    progress: bool = True,
    accept_licence: Callable[[Dataset], bool] | None = None,
    base_url: str | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Fetch data sets of the catalogue into the cache and verify them.

    Correct files in the cache are kept. The folder or address in ``ANALYSIS_MIRROR`` is searched first: a correct file
    in a folder is used in place; from an address the mirrored file is fetched. Other files are fetched from the public
    repository at the commit of the catalogue, uncompressed, and as a folder of files where a mirror has an archive. An
    interrupted download is resumed. Several processes may fetch the same data at once; each file is fetched once.

    Parameters
    ----------
    names : str or iterable of str
        Names as in ``corpora.load``.
    n_jobs : int
        Number of files fetched at a time.
    progress : bool
        Whether to show a progress bar on standard error.
    accept_licence : function, optional
        Called with each `Dataset` the first time; returns whether its licence is accepted. By default the licence is
        printed on standard error, once per data set and cache.
    base_url : str, optional
        Address of the repositories instead of GitHub's for raw files; ``{base_url}/{repository}/{commit}/{path}``.
    **options
        ``tries``, ``pause`` and ``timeout`` of `fetch_file`.

    Returns
    -------
    DataFrame
        One row per file: dataset, path (in the catalogue), state (``"built in"``, ``"there already"``,
        ``"on the mirror"``, ``"fetched"``), place.

    Raises
    ------
    DataError
        If a name is unknown, the data are available to licence holders only, a licence is not accepted, or files could
        not be fetched; the message names the first of these, and the other files are kept.
    """
    datasets = [dataset(name) for name in ([names] if isinstance(names, str) else names)]
    for data in datasets:
        if data.how == "supply":
            raise DataError(
                f"{data.name} cannot be fetched: {data.licence_note}.",
                f"If you have it: yardstick data add {data.name} PATH",
            )
    for data in datasets:
        if data.how != "built in":
            _show_licence(data, accept_licence)
    rows, open_files = [], []
    for data in datasets:
        if not data.files:
            rows.append([data.name, "", data.how, ""])
        for file in data.files:
            _discard_wrong_copy(file)
            place, state = _standing(file)
            rows.append([file.dataset, file.path, state, str(place or "")])
            if place is None:
                open_files.append(file)
    if open_files:
        failures = _fetch_files(open_files, n_jobs, progress, base_url or UPSTREAM, options)
        _raise_failures(failures)
    table = pd.DataFrame(rows, columns=["dataset", "path", "state", "place"])
    places = {file.path: str(_standing(file)[0]) for file in open_files}
    fetched = table["state"] == "to be fetched"
    table.loc[fetched, "place"] = table.loc[fetched, "path"].map(places)
    table.loc[fetched, "state"] = "fetched"
    return table


def _show_licence(data: Dataset, accept_licence: Callable[[Dataset], bool] | None) -> None:
    path = cache_folder() / "licences_shown.json"
    shown = _read_json(path)
    if shown.get(data.name) == data.licence:
        return
    if accept_licence is None:
        note = f" ({data.licence_note})" if data.licence_note else ""
        tqdm.write(f"{data.title}: licence {data.licence}{note}.\nCite {data.citation}", file=sys.stderr)
    elif not accept_licence(data):
        raise DataError(f"{data.name} was not fetched: its licence ({data.licence}) was not accepted.")
    _write_json(path, shown | {data.name: data.licence})


def _read_json(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(Incident(str(path), 0, "damaged", f"is not JSON ({error})"), "Delete it.") from None
    if not isinstance(content, dict):
        found = f"holds a JSON {type(content).__name__}; expected an object"
        raise DataError(Incident(str(path), 0, "damaged", found), "Delete it.")
    return content


def _write_json(path: Path, content: dict[str, Any]) -> None:
    write_whole(path, json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True).encode())


# ----------------------------------------------------------------------------------------- status of a file


def _candidates(file: DataFile) -> Iterator[tuple[Path, bool, str]]:
    """Yield the possible locations of a file, whether it is as mirrored, and the name of the state."""
    yield files_folder() / file.path, True, "there already"
    if file.unpacked_path != file.path:
        yield files_folder() / file.unpacked_path, False, "there already"
    copies = mirror()
    if isinstance(copies, Path):
        yield copies / file.path, True, "on the mirror"
        if file.unpacked_path != file.path:
            yield copies / file.unpacked_path, False, "on the mirror"


def _standing(file: DataFile) -> tuple[Path | None, str]:
    """Return the location of a correct copy of the file and the name of the state; None and ``"to be fetched"`` if
    there is none.
    """
    for place, as_mirrored, state in _candidates(file):
        if place.exists() and not _wrong(file, place, as_mirrored):
            return place, state
    return None, "to be fetched"


def _discard_wrong_copy(file: DataFile) -> None:
    """Delete a wrong compressed copy in the cache, which would be preferred to a correct uncompressed one."""
    packed = files_folder() / file.path
    if file.path != file.unpacked_path and packed.is_file() and _wrong(file, packed, True):
        packed.unlink()


def _wrong(file: DataFile, place: Path, as_mirrored: bool) -> str:
    """Describe how a file or folder differs from the catalogue, in one sentence; empty if it does not."""
    if place.is_dir():
        if not file.is_archive:
            return "is a folder, not a file"
        wrong = [(want, _difference_of(want)) for want in _members(file, place, UPSTREAM)]
        bad = [f"{want.target.relative_to(place).as_posix()} {said}" for want, said in wrong if said]
        return f"{len(bad):,} of {len(wrong):,} files are not right: {bad[0]}" if bad else ""
    if as_mirrored and file.sha256:
        return difference(place, sha256=file.sha256, size=file.size_bytes)
    return difference(place, blob_sha1=file.git_blob_sha1)


def _difference_of(want: Wanted) -> str:
    """Describe how a file on disk differs from the wanted one; ``"is missing"`` if it does not exist."""
    if not want.target.is_file():
        return "is missing"
    return difference(want.target, sha256=want.sha256, blob_sha1=want.blob_sha1, size=want.size)


# -------------------------------------------------------------------------------------------------- the fetching


def _members(file: DataFile, folder: Path, base_url: str) -> list[Wanted]:
    """Return the upstream files that a mirror has in one archive."""
    table = archive_members()
    table = table[table["archive"] == file.path]
    return [
        Wanted(
            _address(row.repository, row.commit, row.upstream_path, base_url),
            folder / row.member,
            blob_sha1=row.git_blob_sha1,
            size=int(row.size_bytes),
        )
        for row in table.itertuples()
    ]


def _address(repository: str, commit: str, path: str, base_url: str) -> str:
    return base_url.rstrip("/") + raw_address(repository, commit, path).removeprefix(UPSTREAM)


def _fetch_files(
    files: Sequence[DataFile], n_jobs: int, progress: bool, base_url: str, options: dict[str, Any]
) -> list[DataError]:
    """Fetch files, from the mirror if it is an address, else from upstream; return the errors of failed files."""
    root = files_folder()
    left, failures = list(files), []
    copies = mirror()
    if isinstance(copies, str):
        mirrored = [file for file in left if file.sha256]
        wanted = [
            Wanted(f"{copies}/{file.path}", root / file.path, sha256=file.sha256, size=file.size_bytes)
            for file in mirrored
        ]
        results = list(_with_bar(wanted, n_jobs, progress, options).values())
        left = [file for file in left if not file.sha256]
        for file, error in zip(mirrored, results, strict=True):
            if isinstance(error, NotThereError | UnreachableError):
                left.append(file)
            elif error is not None:
                failures.append(error)
    archives = sorted((file for file in left if file.is_archive), key=lambda file: file.path)
    with contextlib.ExitStack() as locks:
        for file in archives:  # in one order, so that two processes do not wait for one another
            locks.enter_context(_alone(root / (file.unpacked_path + ".lock")))
        left = [file for file in left if not file.is_archive or _standing(file)[0] is None]
        return failures + _fetch_upstream(left, n_jobs, progress, base_url, options)


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other process is inside such a block with the same lock."""
    while True:
        with locked_file(lock) as mine:
            if mine:
                yield
                return
        time.sleep(BETWEEN_LOOKS)


def _fetch_upstream(
    files: Sequence[DataFile], n_jobs: int, progress: bool, base_url: str, options: dict[str, Any]
) -> list[DataError]:
    """Fetch files from upstream, archives as folders of files; return the errors of failed files."""
    root, failures = files_folder(), list[DataError]()
    wanted, staged = [], {}
    for file in files:
        place = root / file.unpacked_path
        if not file.is_archive:
            address = _address(file.repository, file.commit, file.upstream_path, base_url)
            size = file.size_bytes if file.path == file.unpacked_path else None
            wanted.append(Wanted(address, place, blob_sha1=file.git_blob_sha1, size=size))
            continue
        staging = place.with_name(place.name + ".part")
        if place.is_dir() and not staging.exists():  # a file in it is wrong or missing
            place.rename(staging)
        staged[file] = staging
        wanted += _members(file, staging, base_url)
    if wanted:
        failed = {target: error for target, error in _with_bar(wanted, n_jobs, progress, options).items() if error}
        failures += failed.values()
        for file, staging in staged.items():  # a folder is renamed when it is complete
            if not any(target.is_relative_to(staging) for target in failed):
                staging.rename(root / file.unpacked_path)
    return failures


def _with_bar(
    wanted: list[Wanted], n_jobs: int, progress: bool, options: dict[str, Any]
) -> dict[Path, DataError | None]:
    sizes = [want.size for want in wanted]
    total = sum(size for size in sizes if size) if all(sizes) else None
    label = f"0/{len(wanted)} files"
    with progress_bar(total, label=label, shown=progress, leave=True, unit="B", unit_scale=True) as bar:
        done = 0

        def on_file(want: Wanted, error: DataError | None) -> None:
            nonlocal done
            done += 1
            bar.set_description(f"{done}/{len(wanted)} files")

        return fetch_all(wanted, n_jobs=n_jobs, on_bytes=bar.update, on_file=on_file, **options)


def _raise_failures(failures: Sequence[DataError]) -> None:
    if not failures:
        return
    tried = [error for error in failures if error.incident is None or error.incident.kind != "not tried"]
    shown = "\n".join(str(error) for error in tried[:5])
    raise DataError(
        f"{len(failures):,} file{' was' if len(failures) == 1 else 's were'} not fetched:\n{shown}",
        "Fetched files are kept; run the same command again to resume.",
    )


# ----------------------------------------------------------------------------------------- the user's corpora


@dataclass(frozen=True)
class Added:
    """A corpus that the user has registered.

    Parameters
    ----------
    name : str
        Name for ``corpora.load``.
    path : str
        Folder or zip file.
    kind : str
        ``"chat"``, ``"ccgbank"``, ``"penn treebank"``, ``"conllu"``, or the name of another format of
        `analysis.corpora.file_formats`.
    files : int
        Files of that kind in it.
    test : str
        File or folder of the part for testing; the other is then for training. Empty: the corpus is divided.
    share : float
        Share of the sentences that are for training, where the corpus is divided.
    split : {"first", "random"}
        Which ones these are: the first, or some drawn at random.
    random_state : int
        Seed of that draw.
    licence, citation : str
        As the reader gave them.
    """

    name: str
    path: str
    kind: str
    files: int
    test: str = ""
    share: float = 0.9
    split: str = "first"
    random_state: int = 0
    licence: str = ""
    citation: str = ""


@dataclass(frozen=True)
class _Kind:
    suffixes: tuple[str, ...]
    begins: re.Pattern[bytes]
    expected: str


_KINDS = {
    "chat": _Kind(
        (".cha",), re.compile(rb"\s*@(UTF8|Begin|Font|PID|Window)"), "CHAT, which begins with @UTF8 or @Begin"
    ),
    "ccgbank": _Kind((".auto",), re.compile(rb"\s*ID=.*PARSER="), "CCGbank's AUTO format, which begins with ID="),
    "penn treebank": _Kind((".mrg",), re.compile(rb"\s*(\*x\*[^\n]*\s+)*\("), "bracketed trees, which begin with ("),
    "conllu": _Kind((".conllu",), re.compile(rb"\s*(#[^\n]*\s+)*1(-\d+)?\t([^\t\n]+\t){8}"), "CoNLL-U of 10 columns"),
}
_SUPPLIED = {"ccgbank": "ccgbank", "penn-treebank": "penn treebank"}
_BEGINNING = 4096
#: Formats of which running text is read, and kinds that are called otherwise than their format.
_READ = ("ccg", "chat", "brackets", *TREEBANKS, "slashed", "words-and-tags", "plain")
_OF_FORMATS = {"ccg": "ccgbank", "brackets": "penn treebank"}


def add(
    name: str,
    path: str | Path,
    *,
    test: str | Path | None = None,
    share: float = 0.9,
    split: str = "first",
    random_state: int = 0,
    format: str = "auto",
    licence: str = "",
    citation: str = "",
) -> Added:
    """Register a corpus that the reader has, under a name.

    Parameters
    ----------
    name : str
        ``ccgbank`` or ``penn-treebank`` (all 25 sections are asked for), or a name of the reader's own for a folder
        or zip of CHAT, CCGbank, bracketed or CoNLL-U files, or a file or folder in any format of
        `analysis.corpora.any_format` or of inflected forms.
    path : path
        The folder, zip or file. It is read where it lies, now and later; nothing is copied.
    test : path, optional
        Another one, in the same format, for testing: ``path`` is then for training.
    share : float
        Of the sentences that are for training, without ``test``.
    split : {"first", "random"}
        Which ones these are.
    random_state : int
        Seed of ``"random"``.
    format : str
        ``"auto"``: as names and lines show.
    licence, citation : str
        Shown with what is made from the corpus.

    Returns
    -------
    Added
        The registered corpus; stored in ``added.json`` in the user's data folder, so it is kept when caches are
        cleared.

    Raises
    ------
    DataError
        If there is no file of a known kind at that path, a file does not look like its kind, sections are missing, or
        the name is that of a data set of the catalogue.
    """
    path = Path(path).expanduser().resolve()
    known = set(catalogue()["name"])
    if name in known and name not in _SUPPLIED:
        raise DataError(f"{name} is a data set of the catalogue; choose another name for your own.")
    if not re.fullmatch(r"[\w.+-]+", name):
        raise DataError(f"{name!r} is not a name for a corpus; expected letters, digits, '-', '_', '.' and '+'.")
    check_choice("split", split, ("first", "random"))
    if not 0 < share < 1:
        raise ValueError(f"share is {share}; it must be above 0 and below 1.")
    other = None if test is None else Path(test).expanduser().resolve()
    kind, chosen = _kind_of(name, path, format)
    if other is not None and _kind_of(name, other, format)[0] != kind:
        raise DataError(f"{other} is of another kind than {path}, which is {kind}.", "Name the format of both.")
    divided = {"test": str(other or ""), "share": share, "split": split, "random_state": random_state}
    entry = Added(name, str(path), kind, len(chosen), **divided, licence=licence, citation=citation)  # type: ignore[arg-type]
    described = {key: value for key, value in asdict(entry).items() if key != "name"}
    _write_json(_registry(), _registered() | {name: described})
    return entry


def _kind_of(name: str, path: Path, format: str) -> tuple[str, list[str]]:
    """Kind of a corpus, and its files: by their names where these tell, else by what all lines look like."""
    members = _listed(path)
    if name in _SUPPLIED:
        kind = _SUPPLIED[name]
    elif format != "auto":
        named = format_named(format, (*_READ, "forms"))
        kind = _OF_FORMATS.get(named, named)
    else:
        counts = {kind: sum(member.lower().endswith(_KINDS[kind].suffixes) for member in members) for kind in _KINDS}
        kind = max(counts, key=lambda one: counts[one])
        if not counts[kind]:
            if path.is_file() and not zipfile.is_zipfile(path):  # what it is not, the error says
                found = decide_format(open_text(path), (*_READ, "forms")).format
                return _OF_FORMATS.get(found, found), members
            with contextlib.suppress(DataError):
                found = decide_format(open_text(path), (*_READ, "forms")).format
                return _OF_FORMATS.get(found, found), members
    chosen = [member for member in members if member.lower().endswith(suffixes_of_kind(kind))]
    if not chosen:
        suffixes = sorted(suffix for one in _KINDS.values() for suffix in one.suffixes if name not in _SUPPLIED)
        if format != "auto" and members:
            return kind, members
        wanted = " or ".join(suffixes or _KINDS[kind].suffixes)
        raise DataError(Incident(str(path), 0, "no corpus", f"has no file that ends in {wanted}"))
    for member in (chosen[0], chosen[len(chosen) // 2], chosen[-1]) if kind in _KINDS else ():
        beginning = _beginning(path, member)
        if not _KINDS[kind].begins.match(beginning.removeprefix(b"\xef\xbb\xbf")):
            first = beginning[:80].decode("utf-8", "replace").split("\n")[0]
            file = str(path if path.is_file() and not zipfile.is_zipfile(path) else path / member)
            raise DataError(Incident(file, 1, "another format", "it has other content", first, _KINDS[kind].expected))
    if name in _SUPPLIED:
        _check_sections(path, chosen)
    return kind, chosen


def added() -> dict[str, Added]:
    """Return the corpora registered with `add`, by name."""
    return {name: Added(name, **entry) for name, entry in _registered().items()}


def _registry() -> Path:
    return user_data_folder() / "added.json"


def registry_stamp() -> tuple[str, int]:
    """Where the list of added corpora is, and when it was written; 0 if there is none.

    Examples
    --------
    >>> registry_stamp() == registry_stamp()
    True
    """
    path = _registry()
    try:
        return str(path), path.stat().st_mtime_ns
    except OSError:
        return str(path), 0


def _registered() -> dict[str, Any]:
    """Read the registry. Entries that an earlier release stored in the cache are taken over."""
    entries, old = _entries(_registry()), cache_folder() / "added.json"
    if old != _registry() and old.exists():
        entries = _entries(old) | entries
        with contextlib.suppress(OSError):  # if it cannot be moved, it is read there again
            _write_json(_registry(), entries)
            old.unlink()
    return entries


def _entries(path: Path) -> dict[str, Any]:
    entries = _read_json(path)
    fields = {"path": str, "kind": str, "files": int}
    further = {"test": str, "share": float, "split": str, "random_state": int, "licence": str, "citation": str}
    for name, entry in entries.items():
        sound = isinstance(entry, dict) and fields.keys() <= entry.keys() <= fields.keys() | further.keys()
        if not sound or not all(isinstance(value, (fields | further)[field]) for field, value in entry.items()):
            found = f"{name} is {json.dumps(entry, ensure_ascii=False)[:200]}; expected path, kind and files"
            raise DataError(Incident(str(path), 0, "damaged", found), "Delete it, and add the corpora again.")
    return entries


def members_of(entry: Added) -> list[str]:
    """Names of the files of an added corpus within its folder or zip, sorted."""
    return [member for member in _listed(Path(entry.path)) if member.lower().endswith(suffixes_of(entry))]


def suffixes_of(entry: Added) -> tuple[str, ...]:
    """How the names of the files of an added corpus end, in small letters; empty if they may end in anything."""
    known = suffixes_of_kind(entry.kind)
    named = any(member.lower().endswith(known) for member in _listed(Path(entry.path)))
    return known if named else ("",)


def suffixes_of_kind(kind: str) -> tuple[str, ...]:
    """How the names of the files of a kind end; of a kind that has no ending of its own, in anything.

    Examples
    --------
    >>> suffixes_of_kind("chat"), suffixes_of_kind("plain")
    (('.cha',), ('',))
    """
    return _KINDS[kind].suffixes if kind in _KINDS else ("",)


def _listed(path: Path) -> list[str]:
    """List the files in a folder or zip, sorted, without files left by an archiver."""
    if path.is_dir():
        names = (file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file())
        return sorted(name for name in names if not is_left(name))
    if not path.exists():
        raise DataError(Incident(str(path), 0, "no file", "there is no file or folder at this path"))
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return sorted(name for name in archive.namelist() if not name.endswith("/") and not is_left(name))
    return [path.name]


def _beginning(path: Path, member: str) -> bytes:
    if path.is_file() and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive, archive.open(member) as stream:
            return stream.read(_BEGINNING)
    with (path / member if path.is_dir() else path).open("rb") as stream:
        return stream.read(_BEGINNING)


def _check_sections(path: Path, members: Sequence[str]) -> None:
    """Check that the Wall Street Journal has sections 00 to 24, in files wsj_SSNN."""
    names = (re.match(r"wsj_(\d\d)\d\d", PurePosixPath(member).name.lower()) for member in members)
    there = {match[1] for match in names if match}
    missing = [section for section in (f"{number:02d}" for number in range(25)) if section not in there]
    if missing:
        raise DataError(
            Incident(
                str(path),
                0,
                "sections missing",
                f"lacks section{'s' * (len(missing) > 1)} {', '.join(missing)}",
                expected="files wsj_0000 to wsj_2499",
            ),
            "Give the whole corpus, or add the part under a name of your own.",
        )


# --------------------------------------------------------------------------------------------- status


def check(names: str | Iterable[str] | None = None) -> pd.DataFrame:
    """Compare every available file with the catalogue, byte by byte.

    Parameters
    ----------
    names : str or iterable of str, optional
        Data sets; by default all, including added corpora.

    Returns
    -------
    DataFrame
        One row per file: dataset, path, state (``"ok"``, ``"missing"``, ``"altered"``; ``"ok"`` for an added corpus
        that still has its files), place, detail (the difference). A wrong file in the cache is ``"altered"`` even if
        the mirror has a correct one, because the cache is used first.
    """
    own = added()
    if names is None:
        listed = catalogue()
        chosen = [*listed.loc[listed["how"] == "fetch", "name"], *own]
    else:
        chosen = [names] if isinstance(names, str) else list(names)
    rows = []
    for name in chosen:
        if name in own:
            rows.append([name, own[name].path, *_state_of_added(own[name])])
            continue
        for file in dataset(name).files:
            found = next((place for place in _candidates(file) if place[0].exists()), None)
            if found is None:
                rows.append([name, file.path, "missing", "", ""])
            else:
                wrong = _wrong(file, found[0], found[1])
                rows.append([name, file.path, "altered" if wrong else "ok", str(found[0]), wrong])
    return pd.DataFrame(rows, columns=["dataset", "path", "state", "place", "detail"])


def _state_of_added(entry: Added) -> list[str]:
    path = Path(entry.path)
    if not path.exists():
        return ["missing", entry.path, "this path does not exist any more"]
    files = len(members_of(entry))
    if files != entry.files:
        return ["altered", entry.path, f"has {_files(files)}, not {entry.files:,}"]
    return ["ok", entry.path, ""]


def _files(number: int) -> str:
    return f"{number:,} file{'' if number == 1 else 's'}"


def status() -> pd.DataFrame:
    """Report the status of each data set: name, language, licence, size, where.

    ``where`` is ``"built in"``, ``"cached"``, ``"on the mirror"``, ``"to be fetched"``,
    ``"to be supplied by a licence holder"``, or ``"added"`` for corpora that the user has registered.

    Examples
    --------
    >>> status().set_index("name").loc["nursery", "where"]
    'built in'
    """
    table = catalogue()[["name", "language", "licence", "size", "where"]].copy()
    own = added()
    table.loc[table["name"].isin(list(own)), "where"] = "added"
    further = [
        [entry.name, "", "", f"{_files(entry.files)} of kind {entry.kind}", "added"]
        for entry in own.values()
        if entry.name not in set(table["name"])
    ]
    return pd.concat([table, pd.DataFrame(further, columns=table.columns, dtype="str")], ignore_index=True)
