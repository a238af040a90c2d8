"""Digest of the source code that a function uses, to tell whether a stored result was computed by this source.

The digest covers the syntax trees of the definitions (functions, classes, values at the top of a module) that the
function reaches, directly or indirectly, inside its own package and the suite. Docstrings, comments and the annotations
of functions are left out. Names are resolved as in Python: in the module, through imports (also those inside
functions), through attributes of modules. A class counts as a whole, with its bases. A module name in a string
(``"analysis.corpora.treebanks"``) counts as the module, because modules are imported by such names. The value of a name
at run time is compared with the source: a function that was replaced changes the digest, and so does one whose file was
edited after import. Modules are read, not imported. A name whose initial value is None or an empty container is treated
as a cache: its content does not count.

Other packages are not read, nor is the module that compiles kernels (`COMPILING`), whose options stand with each
kernel: it changes no result, and counts as numba. The module that reads what users have added (`ADDED`) is not read
from other modules: its source counts in the version of an added corpus, and a stored result of the suite does not
depend on it. The major and minor versions of numerical packages (`COMPUTING`) are
part of the digest if the function reaches them: their random streams and last digits may change between minor versions.
"""

import ast
import builtins
import functools
import gc
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import analysis

#: Packages whose version may change a result, and their distribution names.
COMPUTING = {
    name: name for name in ("nltk", "numba", "numpy", "pandas", "scipy", "statsmodels", "torch", "lemminflect")
} | {"sklearn": "scikit-learn"}

#: Module that only decides how, and whether, kernels are compiled.
COMPILING = "analysis.structures.compiled"

#: Module that reads the corpora that users have added, by any reader; see its `own_version`.
ADDED = "analysis.corpora.own_corpora"

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LEFT_OUT = frozenset(("ctx", "type_comment", "kind", "returns", "type_params"))
_PURE = frozenset(
    ("dict", "float", "frozenset", "int", "len", "list", "max", "min", "range", "set", "sorted", "str", "tuple", "zip")
)
_WRAPPED = ("__wrapped__", "__func__", "fget", "func")
_MISSING = object()
_Place = tuple[str, str | None]  # module, and name in it (None: the module itself)


class Source(NamedTuple):
    """The source code that a function uses.

    Attributes
    ----------
    digest : str
        Digest of the other attributes, 32 hexadecimal digits.
    definitions : dict of str to str
        Digest of each definition that is reached, by ``module:name``.
    packages : dict of str to str
        Major and minor version of each package of `COMPUTING` that is reached.
    """

    digest: str
    definitions: dict[str, str]
    packages: dict[str, str]


def source_digest(function: Callable[..., Any] | Sequence[Callable[..., Any]]) -> str:
    """Return the digest of `source_of`.

    Examples
    --------
    >>> len(source_digest(source_digest)), source_digest(source_digest) == source_digest(source_of)
    (32, False)
    """
    return source_of(function).digest


def source_of(function: Callable[..., Any] | Sequence[Callable[..., Any]]) -> Source:
    """Find every definition that a function reaches, with a digest of each and of all.

    Parameters
    ----------
    function : callable or sequence of callables
        A function, class or method; also compiled, cached or partial ones.

    Examples
    --------
    >>> from analysis.structures.progress import progress_bar
    >>> "analysis.structures.progress:progress_bar" in source_of(progress_bar).definitions
    True
    """
    functions = tuple(function) if isinstance(function, Sequence) else (function,)
    identity = tuple(map(id, functions))
    if identity not in _KNOWN or not _KNOWN[identity].holds():
        for name in [name for name, about in _MODULES.items() if about.stamp != _stamp(about.path)]:
            del _MODULES[name]
        collecting = gc.isenabled()
        gc.disable()  # syntax trees are many small objects; garbage collection would only cost time
        try:
            _KNOWN[identity] = _Walk(functions)
        finally:
            if collecting:
                gc.enable()
        if len(_KNOWN) > 500:
            del _KNOWN[next(iter(_KNOWN))]
    source = _KNOWN[identity].source
    _SOURCES[source.digest] = source
    return source


def check_source(state: Mapping[str, Any], model: type) -> None:
    """Raise an error if a stored state was made by other source of the model; its entry ``source`` is the digest.

    Raises
    ------
    ValueError
        If the digest differs or is missing.
    """
    if state.get("source") != source_digest(model):
        raise ValueError(
            f"the state was made by another source of {model.__name__} (digest {state.get('source')!r}, now "
            f"{source_digest(model)!r}): fit the model again."
        )


def known_source(digest: object) -> Source | None:
    """Return the source that `source_of` found in this process for a digest."""
    return _SOURCES.get(str(digest))


# Contents of a file ---------------------------------------------------------------------------------------------


class _Part:
    """The statements that make up one definition: their digest, and the names they use."""

    def __init__(self, statements: Iterable[ast.AST], package: str) -> None:
        self.package = package
        self.names: set[tuple[str, ...]] = set()  # with the attributes accessed: ("corpora", "load")
        self.imports: dict[str, list[_Place]] = {}  # inside functions
        self.modules: set[str] = set()  # named in strings
        text: list[str] = []
        for statement in statements:
            self._write(statement, text, frozenset(), False)
        self.digest = _hash("\n".join(text))

    def _write(self, node: Any, text: list[str], bound: frozenset[str], in_class: bool) -> None:
        """Serialise a syntax tree in the same form for all versions of Python."""
        kind = type(node)
        text.append(kind.__name__)
        if kind is ast.Attribute or kind is ast.Name:
            chain: list[str] = []
            while isinstance(node, ast.Attribute):
                chain, node = [node.attr, *chain], node.value
            text.append(".".join(chain))
            if not isinstance(node, ast.Name):
                return self._write(node, text, bound, in_class)
            text.append(node.id)
            return None if node.id in bound else self.names.add((node.id, *chain))
        if kind is ast.Constant and isinstance(node.value, str) and node.value.replace(".", "").isidentifier():
            self.modules.add(node.value)
        elif kind in (ast.Import, ast.ImportFrom):
            for name, place in _imported(node, self.package):
                self.imports.setdefault(name, []).append(place)
        for field in node._fields:
            if field in _LEFT_OUT or (field == "annotation" and not in_class):
                continue
            value = getattr(node, field, None)
            inside = bound | _bound(node) if field == "body" and kind in _FUNCTIONS else bound
            for entry in value if isinstance(value, list) else [value]:
                if not isinstance(entry, ast.AST) or field == "annotation":
                    text.append(ast.unparse(entry) if isinstance(entry, ast.AST) else repr(entry))
                elif not (isinstance(entry, ast.Expr) and isinstance(entry.value, ast.Constant)):  # docstrings
                    self._write(entry, text, inside, kind is ast.ClassDef)
            text.append(";")
        return None


def _bound(function: Any) -> set[str]:
    """Return the names that a function binds, without imports."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    names = {entry.arg for entry in every if entry is not None}
    left = [] if isinstance(function, ast.Lambda) else list(function.body)
    while left:
        node = left.pop()
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if isinstance(node, _DEFINITIONS) or (isinstance(node, ast.Name) and stored):
            names.add(str(getattr(node, "id", None) or getattr(node, "name", None)))
        elif stored or not isinstance(node, ast.expr):
            left += ast.iter_child_nodes(node)
    return names


def _imported(statement: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, _Place]]:
    """Yield each bound name with its module and its name there (None: the module itself)."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            top = alias.name.partition(".")[0]
            yield alias.asname or top, (alias.name if alias.asname else top, None)
        return
    above = package.split(".")[: len(package.split(".")) - statement.level + 1] if statement.level else []
    for alias in statement.names:
        yield alias.asname or alias.name, (".".join([*above, statement.module or ""]).strip("."), alias.name)


class _Module:
    """The top-level statements of a file by the names that they define or change, and its imports."""

    def __init__(self, name: str, path: Path) -> None:
        self.path, self.stamp = path, _stamp(path)
        self.package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        self.defined: dict[str, list[ast.stmt]] = {}
        self.imports: dict[str, _Place] = {}
        self.parts: dict[str | None, _Part] = {}
        self.calls: list[ast.stmt] = []
        for statement in ast.parse(path.read_bytes(), filename=str(path)).body:
            if isinstance(statement, _DEFINITIONS):
                self.defined.setdefault(statement.name, []).append(statement)
                continue
            self.calls += [statement] if isinstance(statement, ast.Expr) else []
            plain = isinstance(statement, ast.Assign | ast.AnnAssign)
            for node in ast.walk(statement):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    self.imports = dict(_imported(node, self.package)) | self.imports
                elif isinstance(node, ast.Name) and (
                    isinstance(node.ctx, ast.Store) or (not plain and self.is_value(node.id))
                ):
                    self.defined.setdefault(node.id, []).append(statement)

    def is_value(self, name: str) -> bool:
        """Return whether the name is defined, but not as a function or class."""
        return name in self.defined and not isinstance(self.defined[name][0], _DEFINITIONS)

    def part(self, name: str | None) -> _Part:
        """Return a definition; None stands for the calls at the top of the module."""
        if name not in self.parts:
            self.parts[name] = _Part(self.calls if name is None else self.defined[name], self.package)
        return self.parts[name]

    def written(self, name: str, space: Mapping[str, Any]) -> Any:
        """Evaluate the statements that define a name, if they call nothing with side effects."""
        for node in (node for statement in self.defined[name] for node in ast.walk(statement)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) not in _PURE:
                return _MISSING
        space = {**space, "__annotations__": {}}
        try:
            exec(compile(ast.Module(self.defined[name], []), str(self.path), "exec"), space)
        except Exception:
            return _MISSING
        return space[name]


def _stamp(path: Path) -> float:
    """Return the modification time of a file; 0.0 if it does not exist."""
    try:
        state = path.stat()
    except OSError:
        return 0.0
    return max(state.st_mtime, state.st_ctime)


def _path(name: str) -> Path | None:
    """Return the file of a module, loaded or not."""
    parent, _, last = name.rpartition(".")
    file = getattr(sys.modules.get(name), "__file__", None)
    above = _path(parent) if parent and file is None else None
    if above is not None and above.name == "__init__.py":
        places = [above.parent / last / "__init__.py", above.parent / f"{last}.py"]
    else:
        places = [Path(file)] if file and file.endswith(".py") else []
    return next((place for place in places if place.is_file()), None)


def _module(name: str) -> _Module | None:
    """Read the module of that name from its file; None if there is no such file."""
    if name not in _MODULES:
        path = _path(name)
        if path is None:
            return None
        _MODULES[name] = _Module(name, path)
    return _MODULES[name]


# Definitions that a function reaches
# ------------------------------------------------------------------------------------------


class _Walk:
    """All definitions that some functions reach, and what was read for it; the result is valid while this is
    unchanged.
    """

    def __init__(self, functions: tuple[Any, ...]) -> None:
        self.functions = functions  # kept alive, so that no other object gets their identity
        self.seen: list[tuple[Mapping[Any, Any], object, object]] = []
        self.kept: list[tuple[Any, list[object]]] = []
        self.within: set[int] = set()
        self.packages: set[str] = set()
        self.reached: dict[_Place, str] = {}
        self.located = functools.cache(self._locate)
        tops = {str(getattr(function, "__module__", "")).partition(".")[0] for function in functions}
        self.own = {"analysis", *tops} - {*sys.stdlib_module_names, *COMPUTING, "None", ""}
        self.apart = {COMPILING, ADDED} - {str(getattr(function, "__module__", "")) for function in functions}
        definitions: dict[str, str] = {}
        root = self.described(functions)
        while left := [place for place in self.reached if self.reached[place] not in definitions]:
            definitions |= {self.reached[place]: self.read(*place) for place in left}
        definitions = dict(sorted(definitions.items()))
        packages = {name: _minor(COMPUTING[name]) for name in sorted(self.packages)}
        self.source = Source(_hash(repr((root, definitions, packages))), definitions, packages)
        self.files = {_MODULES[module].path: _MODULES[module].stamp for module, _ in self.reached}

    def holds(self) -> bool:
        return (
            all(space.get(name, _MISSING) is value for space, name, value in self.seen)
            and all(list(map(id, _items(container))) == list(map(id, items)) for container, items in self.kept)
            and all(_stamp(path) == stamp for path, stamp in self.files.items())
        )

    def is_own(self, module: str) -> bool:
        top = module.partition(".")[0]
        self.packages |= {"numba" if module == COMPILING else top} & COMPUTING.keys()
        return top in self.own and module not in self.apart and _module(module) is not None

    def reach(self, module: str, name: str | None) -> str:
        """Add a definition to the list; None stands for the whole module."""
        return self.reached.setdefault((module, name), f"{module}:{name}" if name else module)

    def look(self, space: Mapping[Any, Any], name: object) -> Any:
        value = space.get(name, _MISSING)
        self.seen.append((space, name, value))
        return value

    def live(self, module: str, name: str | None) -> Any:
        """Return the value of a name, if the module is loaded."""
        loaded = self.look(sys.modules, module)
        return loaded if name is None or loaded is _MISSING else self.look(vars(loaded), name)

    def read(self, module: str, name: str | None) -> str:
        """Compute the digest of one definition, of what its names refer to, and of its value if that was changed."""
        about = _MODULES[module]
        part = about.part(name)
        text = [part.digest]
        for first, *rest in sorted(part.names):
            for other, there in part.imports.get(first) or [(module, first)]:
                text.append(f"{first} {rest} = {self.chain(other, [there, *rest] if there else rest)}")
        text += [self.reach(other, None) for other in sorted(part.modules) if "." in other and self.is_own(other)]
        value = self.live(module, name)
        if name is None:
            text += [self.chain(module, [other]) for other in sorted(about.defined)]
        elif about.is_value(name) and value is not _MISSING:
            written = about.written(name, vars(sys.modules[module]))
            if not (written is _MISSING or written is None or written in ({}, [], set())):
                now = self.described(value)
                text.append("" if self.described(written) == now else now)
        elif isinstance(value, type):
            body: list[ast.stmt] = getattr(about.defined[name][-1], "body", [])
            for method in (node.name for node in body if isinstance(node, _DEFINITIONS)):
                now = self.described(self.look(vars(value), method))
                text.append("" if now == f"{module}:{name}.{method}" else now)
        return _hash("\n".join(filter(None, text)))

    def chain(self, module: str, names: Iterable[str]) -> str:
        """Resolve a name of a module with the attributes accessed, and add the result to the list."""
        found, told = None, ""
        for name in names:
            if found is not None or not self.is_own(module):
                break
            target, replaced = self.located(module, name)
            told += replaced
            if target is None:
                return told
            module, found = target
        return self.reach(module, found) + told if self.is_own(module) else told

    def _locate(self, module: str, name: str) -> tuple[_Place | None, str]:
        """Find where a name of a module is defined (None: in another package), and what replaced it."""
        about, held = _MODULES[module], self.live(module, name)
        target: _Place | None = None
        told, expected = "", _MISSING
        if about.is_value(name):
            target, expected = (module, name), held
        elif name in about.defined:
            target = module, name
            made = getattr(about.defined[name][-1], "decorator_list", ())
            now = "" if held is _MISSING else self.described(held)
            expected = held if now == f"{module}:{name}" or (made and now.startswith("object")) else _MISSING
        elif about.imports.get(name, (module, name)) != (module, name):
            other, there = about.imports[name]
            if self.is_own(other):
                target, told = self.located(other, there) if there else ((other, None), "")
            expected = self.live(*(target or (other, there)))
            expected = held if target is None and expected is _MISSING else expected  # created by the package on access
        elif f"{module}.{name}" == COMPILING:
            self.is_own(COMPILING)  # counts as numba, loaded or not
            expected = held
        elif not hasattr(builtins, name) and self.is_own(f"{module}.{name}"):
            target, expected = (f"{module}.{name}", None), held
        changed = held is not _MISSING and held is not expected and not name.startswith("__")
        return target, f"{told} replaced by {self.described(held)}" if changed else told

    def described(self, value: Any) -> str:
        """Describe a run-time value, identically in every process; add what it reaches to the list."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            return f"{type(value).__name__} {value!r}"
        if id(value) in self.within:
            return "itself"
        self.within.add(id(value))
        text = self._described(value)
        self.within.discard(id(value))
        return text

    def _described(self, value: Any) -> str:
        inner = self._unwrapped(value)
        if isinstance(value, tuple | list | set | frozenset | dict):
            self.kept.append((value, _items(value)))
            parts = [self.described(entry) for entry in _items(value)]
            return f"{type(value).__name__} {sorted(parts) if isinstance(value, set | frozenset) else parts}"
        if isinstance(value, functools.partial):
            return f"partial {self.described((value.func, value.args, value.keywords))}"
        if isinstance(value, CodeType):
            return f"code {value.co_code!r} {value.co_names} {self.described(value.co_consts)}"
        if isinstance(value, ModuleType):
            return self.chain(value.__name__, ()) or value.__name__
        if hasattr(value, "tobytes") and not isinstance(value, type):
            return f"array {value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        if not isinstance(inner, FunctionType | BuiltinFunctionType | type):
            return f"object of {self.described(type(value))}"
        code: CodeType | None = None if isinstance(inner, type) else getattr(inner, "__code__", None)
        module, name = str(inner.__module__), code.co_qualname if code else inner.__qualname__
        if not self.is_own(module) and _is_library(inner):
            return f"{module}.{name}"
        about, top = _module(module), name.partition(".")[0]
        same = code is None or about is None or Path(code.co_filename) == about.path
        same = same and "<" not in name
        if self.is_own(module) and about and same and top in about.defined and about.stamp <= analysis.IMPORTED:
            self.reach(module, top)
            return f"{module}:{name}"
        if isinstance(inner, type):
            members = {each: entry for each, entry in sorted(vars(inner).items()) if callable(entry)}
            return f"class {name} {self.described((inner.__bases__, members))}"
        return self._code(inner)

    def _unwrapped(self, value: Any) -> Any:
        """Return the function behind a cached or compiled function, method or property; not behind a replacement."""
        while not isinstance(value, type | functools.partial):
            if isinstance(value, FunctionType) and not (
                self.is_own(value.__globals__["__name__"]) or _is_library(value)
            ):
                break
            inner = next((entry for each in _WRAPPED if (entry := getattr(value, each, None)) is not None), None)
            if inner is None:
                break
            value = inner
        return value

    def _code(self, function: Any) -> str:
        """Describe a function without readable source by its bytecode and the values of its names."""
        names, held = set(_code_names(function.__code__)), []
        for name in sorted(names & function.__globals__.keys()):
            value = self.look(function.__globals__, name)
            if isinstance(value, ModuleType):
                held += [self.chain(value.__name__, [other]) for other in sorted(names & vars(value).keys())]
            else:
                held.append(value if callable(value) or name.isupper() else "")
        cells = [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]
        held += [value for value in cells if callable(value)]  # data in its closure is listed as a parameter
        return self.described((function.__code__, function.__defaults__, function.__kwdefaults__, held))


def _code_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for entry in code.co_consts:
        yield from _code_names(entry) if isinstance(entry, CodeType) else ()


def _home(value: Any) -> str:
    """Return the module in which a function or class is defined; for a wrapper, that of the wrapper."""
    return str(getattr(value, "__globals__", {}).get("__name__", value.__module__))


def _is_library(value: Any) -> bool:
    """Return whether a function or class belongs to Python or an installed package."""
    top = _home(value).partition(".")[0]
    file = str(getattr(sys.modules.get(top), "__file__", ""))
    return top in {"None", *sys.stdlib_module_names, *COMPUTING} - {"__main__"} or "site-packages" in file


def _items(container: Any) -> list[object]:
    """Return the contents of a container in order, with the values of a dict."""
    return [*container, *container.values()] if isinstance(container, dict) else list(container)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@functools.cache
def _minor(package: str) -> str:
    try:
        return ".".join(metadata.version(package).split(".")[:2])
    except metadata.PackageNotFoundError:
        return "not installed"


_KNOWN: dict[tuple[int, ...], _Walk] = {}
_SOURCES: dict[str, Source] = {}
_MODULES: dict[str, _Module] = {}
