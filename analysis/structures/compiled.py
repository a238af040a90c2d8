"""Compilation of kernels with numba: the `njit` that all kernels use, and the folder of compiled code.

numba notices when the file of a kernel was edited, but not when the file of another kernel that it calls was. Compiled
code is therefore kept in a folder named after a digest of the sources of all kernels and the versions of numba,
llvmlite and NumPy: if one kernel is edited, all are compiled again. The folder belongs to the user (mode 0700), because
anyone who can write to it can make others run arbitrary code. A folder of another owner is refused.

Without numba the kernels of measures and of the built-in language run as they are written, with the same numbers; those
of models refuse to run, because as plain Python they would take hours.

Environment variables:

- ``ANALYSIS_COMPILED``: ``uncached`` keeps no compiled code, ``off`` runs the kernels as plain Python (slow; for
  debugging and coverage).
- ``NUMBA_CACHE_DIR``: parent of the folder of compiled code; by default the user's cache folder.
"""

import gc
import hashlib
import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from analysis.structures.locks import locked_file

PACKAGE = Path(__file__).resolve().parent.parent
WEEK = 7 * 24 * 3600.0  # seconds for which code compiled from other sources is kept after its last use
LONGEST_WAIT = 600.0  # seconds for which a kernel that another process compiles is waited for
COMPILER = ("numba", "llvmlite")
NEEDED = "this model needs numba, which is not installed here; all measures run without it."
_PREFIX = "kernels-"
_USED = "in-use"
_held: list[int] = []  # open files whose lock marks a folder as used by this process
_compiling: set[Path] = set()  # locks of the kernels that this process compiles

_plain: ContextVar[bool] = ContextVar("plain", default=False)  # whether kernels stay as they are written


def njit(*arguments: Any, **options: Any) -> Any:
    """Compile a kernel as `numba.njit` does, and keep the compiled code in `kernel_folder`.

    No entry for C is made, which nothing here calls and which takes a sixteenth of the time of compilation. A kernel
    with signatures is compiled for these when it is first used, not when it is decorated. A kernel that is inlined
    (``forceinline``) cannot be called from Python.

    Parameters
    ----------
    *arguments, **options
        As for `numba.njit`. With ``cache=False`` the compiled code of this kernel is not kept.

    Returns
    -------
    callable
        The compiled function, or a decorator.

    Examples
    --------
    >>> @njit
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8
    """
    if len(arguments) == 1 and callable(arguments[0]) and not hasattr(arguments[0], "return_type"):
        return njit(**options)(arguments[0])

    keep = options.pop("cache", True)

    def decorate(function: Callable[..., Any]) -> Any:
        how = os.environ.get("ANALYSIS_COMPILED", "").strip().lower()
        if how not in ("", "uncached", "off"):
            raise ValueError(f"ANALYSIS_COMPILED is {how!r}; it must be 'uncached' or 'off', or not set.")
        if how == "off" or _plain.get():
            return _as_written(function)
        try:
            compile_with: Any = import_module("numba").njit
        except ModuleNotFoundError as error:
            if error.name not in COMPILER:
                raise
            return _without_numba(function)

        folder = kernel_folder() if keep and how != "uncached" and _has_file(function) else None
        with _cache_folder(folder):
            options.setdefault("no_cfunc_wrapper", True)
            if options.get("forceinline"):
                options.setdefault("no_cpython_wrapper", True)
            kernel = _once_a_type(compile_with(cache=folder is not None, **options)(function))
            _one_process_at_a_time(kernel, folder)
            return _for_signatures(kernel, arguments) if arguments else kernel

    return decorate


def compiler(module: str) -> Any:
    """Import a module of numba or llvmlite.

    Parameters
    ----------
    module : str

    Raises
    ------
    ModuleNotFoundError
        If it is not installed, with what does and does not need it.

    Examples
    --------
    >>> compiler("numba.core.types").float64
    float64
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in COMPILER:
            raise
        raise ModuleNotFoundError(NEEDED, name=error.name) from None


def _as_written(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself; in one that is called from outside, integers wrap around silently, as in compiled code."""
    import numpy as np

    return function if function.__name__.startswith("_") else np.errstate(over="ignore")(function)


def _without_numba(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, or if it is a kernel of a model, one that says what is missing."""
    if ".models." not in function.__module__:
        _say_once()
        return _as_written(function)

    @wraps(function)
    def refuse(*arguments: Any, **options: Any) -> Any:
        raise ModuleNotFoundError(NEEDED, name="numba")

    return refuse


@cache
def _say_once() -> None:
    _warn("numba is not installed: what it would compile runs as plain Python, with the same numbers but slowly.")


def _warn(message: str, *details: object) -> None:
    """Log a warning; logging is slow to import and seldom needed."""
    import logging

    logging.getLogger(__name__).warning(message, *details)


@cache
def plain_kernels(module: str) -> ModuleType:
    """Load a module of kernels as plain Python, for so little work that numba takes longer to load.

    Parameters
    ----------
    module : str
        Its name; a second copy is loaded, and the kernels of the first stay compiled.

    Returns
    -------
    module

    Examples
    --------
    >>> plain_kernels("analysis.categories.type_kernels").climb.__name__
    'climb'
    """
    specification = find_spec(module)
    if specification is None or specification.loader is None:
        raise ModuleNotFoundError(f"there is no module {module}.")
    loaded = module_from_spec(specification)
    before = _plain.set(True)
    try:
        specification.loader.exec_module(loaded)
    finally:
        _plain.reset(before)
    return loaded


def _once_a_type(kernel: Any) -> Any:
    """Let kernels that call this one with a constant use what is compiled for its type, not compile it for the value.

    numba has no option for it.
    """
    from numba.core.types.misc import unliteral

    template = kernel.get_call_template

    def for_types(arguments: Any, named: Mapping[str, Any]) -> Any:
        return template(
            tuple(unliteral(each) for each in arguments), {name: unliteral(each) for name, each in named.items()}
        )

    kernel.get_call_template = for_types
    return kernel


def _one_process_at_a_time(kernel: Any, folder: Path | None) -> None:
    """Let one process compile a kernel while others that need it wait and then load what it kept.

    Garbage is not collected meanwhile: a compiler makes many objects that stay, and going through them again and again
    takes an eighth of its time.
    """
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.sigutils import normalize_signature

    compile_now, function = kernel.compile, kernel.py_func
    lock = folder and folder / f"{function.__module__}.{function.__qualname__}.lock"

    def compile_alone(types: Any) -> Any:
        if tuple(normalize_signature(types)[0]) in kernel.overloads:
            return compile_now(types)
        with global_compiler_lock, _alone(lock), _uncollected():  # one thread of this process gets here
            return compile_now(types)

    kernel.compile = compile_alone


@contextmanager
def _alone(lock: Path | None) -> Iterator[None]:
    """Wait until no other process holds a lock, but not for ever: one that was stopped may hold it."""
    last, mine = time.monotonic() + LONGEST_WAIT, lock in _compiling
    with ExitStack() as held:
        while lock is not None and not mine and time.monotonic() < last:
            try:
                mine = held.enter_context(locked_file(lock))
            except OSError:  # the folder is gone or full, so compiled code is not kept either
                break
            if mine:
                _compiling.add(lock)
                held.callback(_compiling.discard, lock)
            else:
                time.sleep(0.05)
        yield


@contextmanager
def _uncollected() -> Iterator[None]:
    """Collect no garbage within the block."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _for_signatures(kernel: Any, signatures: tuple[Any, ...]) -> Any:
    """Compile a kernel for these signatures, and for no other types, at its first call or when another calls it."""
    from numba.core.compiler_lock import global_compiler_lock

    template = kernel.get_call_template
    wanted = list(signatures[0]) if isinstance(signatures[0], list) else [signatures[0]]

    def compiled() -> None:
        with global_compiler_lock:  # a second thread waits until all are there
            for each in wanted:
                kernel.compile(each)
            wanted.clear()
            kernel.disable_compile()

    def first_call(*arguments: Any, **named: Any) -> Any:
        compiled()
        given = [kernel.typeof_pyval(each) for each in signature(kernel.py_func).bind(*arguments, **named).args]
        rated = []  # the worst conversion of each signature that fits
        for types in kernel.overloads:
            if len(types) == len(given):
                steps = [kernel.typingctx.can_convert(*pair) for pair in zip(given, types, strict=True)]
                if None not in steps:
                    rated.append((max(map(int, steps), default=0), types))
        if rated:
            return kernel.overloads[min(rated, key=lambda pair: pair[0])[1]].entry_point
        return kernel._explain_matching_error(*arguments, **named)

    def in_another(arguments: Any, named: Any) -> Any:
        compiled()
        return template(arguments, named)

    kernel.get_call_template, kernel._compile_for_args = in_another, first_call
    kernel.compile_now = compiled
    return kernel


def _has_file(function: Callable[..., Any]) -> bool:
    return Path(function.__code__.co_filename).is_file()


@contextmanager
def _cache_folder(folder: Path | None) -> Iterator[None]:
    """Make numba keep in a folder what is decorated within the context; its setting for other code is unchanged."""
    from numba import config

    before = vars(config)["CACHE_DIR"]
    vars(config)["CACHE_DIR"] = str(folder or before)
    try:
        yield
    finally:
        vars(config)["CACHE_DIR"] = before


@cache
def kernel_folder() -> Path | None:
    """Return the folder of compiled code of this process; None if there is no usable folder.

    Folders of other sources are deleted if they were not used for a week and no process holds them.

    Examples
    --------
    >>> folder = kernel_folder()
    >>> folder is None or folder.name.startswith("kernels-")
    True
    """
    parent = cache_parent()
    folder = parent / f"{_PREFIX}{kernel_digest()}"
    try:
        new = not folder.is_dir()
        own_folder(folder)
        _mark_used(folder)
        if new:
            remove_old_folders(parent, folder)
    except OSError as error:
        _warn("compiled code is not kept: %s", error)
        return None
    return folder


def cache_parent() -> Path:
    """Return the user's folder that contains the folders of compiled code."""
    named = os.environ.get("NUMBA_CACHE_DIR", "").strip()
    if named:
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("language-yardstick")) / "numba"


def own_folder(folder: Path) -> None:
    """Create a folder that only the user can read and write, or make an existing one so.

    Raises
    ------
    PermissionError
        If it belongs to another user, or others can write to it and this cannot be changed.
    OSError
        If it cannot be created.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not hasattr(os, "getuid"):
        return  # Windows: other users have no access to the user's folders
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user; delete it, or set NUMBA_CACHE_DIR to another folder.")
    if state.st_mode & 0o077:
        folder.chmod(0o700)


def _mark_used(folder: Path) -> None:
    """Mark a folder as used by this process: update a file's time and lock the file until the process ends."""
    path = folder / _USED
    path.touch()
    with suppress(ImportError, OSError):
        import fcntl

        handle = os.open(path, os.O_RDONLY)
        _held.append(handle)
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)


def remove_old_folders(parent: Path, keep: Path) -> list[Path]:
    """Delete code compiled from other sources that was not used for a week and that no process holds.

    Returns
    -------
    list of Path
        The deleted folders.
    """
    removed = []
    for folder in sorted(parent.glob(f"{_PREFIX}*")):
        used = folder / _USED
        if folder == keep or not re.fullmatch(rf"{_PREFIX}[0-9a-f]{{16}}", folder.name) or folder.is_symlink():
            continue
        with suppress(OSError):
            if time.time() - used.stat().st_mtime > WEEK and not _is_held(used):
                shutil.rmtree(folder)
                removed.append(folder)
    return removed


def _is_held(path: Path) -> bool:
    try:
        import fcntl
    except ImportError:
        return False
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def kernel_files(package: Path = PACKAGE) -> list[Path]:
    """List the files of the suite that contain kernels, and the files of the suite that these import, in order."""
    named = re.compile(rb"^\s*(?:from|import) +(?:numba|llvmlite|[\w.]+\.compiled)\b", re.MULTILINE)
    files = sorted(package.rglob("*.py"))
    content = {path: path.read_bytes() for path in files}
    found: set[Path] = set()
    left = [path for path in files if named.search(content[path])]
    while left:
        path = left.pop()
        if path in found:
            continue
        found.add(path)
        for module in re.findall(rb"^(?:from|import) +([\w.]+)", content[path], re.MULTILINE):
            parts = module.decode().split(".")
            if parts[0] == package.name:
                place = package.joinpath(*parts[1:])
                left += [other for other in (place.with_suffix(".py"), place / "__init__.py") if other in content]
    return sorted(found)


def compile_kernels(package: Path = PACKAGE) -> None:
    """Compile all kernels that have signatures, so that no later process waits for them; they are kept in a folder.

    Examples
    --------
    >>> compile_kernels()  # doctest: +SKIP
    """
    for path in kernel_files(package):
        module = import_module(".".join(path.relative_to(package.parent).with_suffix("").parts))
        for kernel in list(vars(module).values()):
            getattr(kernel, "compile_now", lambda: None)()


def kernel_digest(package: Path = PACKAGE) -> str:
    """Compute the digest of the sources of all kernels and the versions of the compiling packages.

    Examples
    --------
    >>> len(kernel_digest())
    16
    """
    from importlib import metadata

    digest = hashlib.sha256()
    for path in kernel_files(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    for name in ("numba", "llvmlite", "numpy"):
        digest.update(f"{name} {metadata.version(name)}\0".encode())
    return digest.hexdigest()[:16]
