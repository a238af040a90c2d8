"""A digest of the source that a function reaches, so that a stored result is known to be of this source.

What counts are the syntax trees of the definitions (functions, classes, values at the top of a module) that the
function reaches, directly or through others, inside its own package and the suite: without docstrings, comments, and
the annotations of functions. Names are resolved as Python does: in the module, through imports (also those inside
functions), through attributes of modules. A class counts as a whole, with its bases. A name of a module in a string
(``"analysis.corpora.treebanks"``) counts as the module, for modules are imported by such names. What a variable holds
at run time is compared with what the source says: a function that was replaced gives another digest, and so does one
whose file was edited after it was imported.

Other packages are not read. The versions of those that compute (`COMPUTING`), major and minor, are part of the digest
if the function reaches them: their random streams and last digits may change from one minor version to the next.
"""

import ast
import builtins
import functools
import hashlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import analysis

#: Packages whose version may change a number, and the names under which they are installed.
COMPUTING = {
    name: name for name in ("nltk", "numba", "numpy", "pandas", "scipy", "statsmodels", "torch", "lemminflect")
} | {"sklearn": "scikit-learn"}

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PURE = frozenset(
    dict.fromkeys(("abs", "bool", "bytes", "dict", "enumerate", "float", "frozenset", "int", "len", "list", "max"))
    | dict.fromkeys(("min", "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip"))
)
_PURE_METHODS = frozenset(("format", "fromkeys", "items", "join", "keys", "lower", "split", "upper", "values"))
_MUTATORS = frozenset(
    ("add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update")
)
_LEFT_OUT = frozenset(("ctx", "type_comment", "kind", "returns", "type_ignores"))


class Source(NamedTuple):
    """What a function was computed by.

    Attributes
    ----------
    digest : str
        Of all that follows, 32 hexadecimal digits.
    definitions : dict of str to str
        A digest of each definition that is reached, by ``module:name``.
    packages : dict of str to str
        Major and minor version of each package of `COMPUTING` that is reached.
    """

    digest: str
    definitions: dict[str, str]
    packages: dict[str, str]


class _Part(NamedTuple):
    """One definition of a module: its text in one form, and what it names."""

    text: str  # its digest
    names: tuple[tuple[str, ...], ...]  # a name and the attributes asked of it: ("corpora", "load")
    imports: tuple[tuple[str, str, str | None], ...]  # inside functions: name, module, name there
    modules: tuple[str, ...]  # named in strings


def source_digest(function: Callable[..., Any] | Sequence[Callable[..., Any]]) -> str:
    """The digest of `source_of`.

    Examples
    --------
    >>> len(source_digest(source_digest)), source_digest(source_digest) == source_digest(source_of)
    (32, False)
    """
    return source_of(function).digest


def source_of(function: Callable[..., Any] | Sequence[Callable[..., Any]]) -> Source:
    """Every definition that a function reaches, with a digest of each and of all.

    Parameters
    ----------
    function : callable or sequence of callables
        A function, a class, a method, or one that is compiled, kept or partly applied.

    Examples
    --------
    >>> from analysis.structures.progress import progress_bar
    >>> "analysis.structures.progress:progress_bar" in source_of(progress_bar).definitions
    True
    """
    functions = tuple(function) if isinstance(function, Sequence) else (function,)
    identity = tuple(map(id, functions))
    known = _KNOWN.get(identity)
    if known is not None and known.holds():
        return known.source
    walk = _Walk(functions)
    source = walk.source()
    if len(_KNOWN) >= 500:
        _KNOWN.pop(next(iter(_KNOWN)))
    _KNOWN[identity] = _Known(functions, source, walk.seen, walk.contents, walk.absent)
    _SOURCES[source.digest] = source
    return source


def check_source(state: Mapping[str, Any], model: type) -> None:
    """Refuse a stored state of a model whose source has changed since; its entry ``source`` is the digest.

    Raises
    ------
    ValueError
        If the digest is another, or missing.
    """
    if state.get("source") != source_digest(model):
        raise ValueError(
            f"the state was made by another source of {model.__name__} (digest {state.get('source')!r}, now "
            f"{source_digest(model)!r}): fit the model again."
        )


def known_source(digest: object) -> Source | None:
    """What `source_of` found in this process under a digest."""
    return _SOURCES.get(str(digest))


class _Known(NamedTuple):
    """A digest, and all that was looked at for it: it holds as long as nothing of that has changed."""

    functions: tuple[object, ...]  # held, so that no other object gets their identity
    source: Source
    seen: list[tuple[Mapping[str, Any], str, object]]
    contents: list[tuple[Any, list[object]]]
    absent: set[str]

    def holds(self) -> bool:
        return (
            all(namespace.get(name, _MISSING) is value for namespace, name, value in self.seen)
            and all(_same_items(_items(container), items) for container, items in self.contents)
            and not any(name in sys.modules for name in self.absent)
            and not any(_edited(module) for module in {name for name in _TREES if name in sys.modules})
        )


_KNOWN: dict[tuple[int, ...], _Known] = {}
_SOURCES: dict[str, Source] = {}
_MISSING = object()


def _items(container: Any) -> list[object]:
    """What a container holds, in order, containers in it included."""
    found: list[object] = []
    for entry in list(container.items()) if isinstance(container, dict) else list(container):
        found += [*entry] if isinstance(entry, tuple) else [entry]
    return found


def _same_items(now: list[object], then: list[object]) -> bool:
    return len(now) == len(then) and all(first is second for first, second in zip(now, then, strict=True))


# What stands in a file --------------------------------------------------------------------------------------------


class _Module:
    """The definitions at the top of one module, by name, and its imports."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self.package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        self.defined: dict[str, list[ast.stmt]] = {}
        self.imports: dict[str, tuple[str, str | None]] = {}
        self.expressions: list[ast.stmt] = []
        content = path.read_bytes()
        self.content = content.decode("utf-8", "replace")
        self.tree = ast.parse(content, filename=str(path))
        self._collect(self.tree.body)
        self._parts: dict[str | None, _Part] = {}

    def _collect(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.defined.setdefault(statement.name, []).append(statement)
            elif isinstance(statement, ast.Import | ast.ImportFrom):
                for name, module, there in _imported(statement, self.package):
                    self.imports.setdefault(name, (module, there))
            elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                for target in targets:
                    for name in _roots(target):
                        self.defined.setdefault(name, []).append(statement)
            elif isinstance(statement, ast.Expr):
                self._expression(statement)
            else:
                for _, inner in ast.iter_fields(statement):
                    entries = inner if isinstance(inner, list) else []
                    self._collect(entry for entry in entries if isinstance(entry, ast.stmt))
                    for handler in entries:
                        if isinstance(handler, ast.ExceptHandler):
                            self._collect(handler.body)

    def _expression(self, statement: ast.Expr) -> None:
        """A call at the top of the module; one of a method changes what a name holds."""
        called = statement.value.func if isinstance(statement.value, ast.Call) else None
        if called is not None:
            self.expressions.append(statement)
        if isinstance(called, ast.Attribute):
            for name in _roots(called):
                if name in self.defined:
                    self.defined[name].append(statement)

    def part(self, name: str | None) -> _Part:
        """A definition of this module; None: all of it that is no definition."""
        if name not in self._parts:
            statements = self.expressions if name is None else self.defined[name]
            if name is not None and self.is_state(name):
                statements = statements + self.expressions  # calls that fill a registry
            self._parts[name] = _part(statements, self.package)
        return self._parts[name]

    def is_definition(self, name: str) -> bool:
        """Whether the name is that of one function or class."""
        return all(isinstance(entry, _SCOPES) for entry in self.defined[name])

    def is_state(self, name: str) -> bool:
        """Whether a function of the module changes what the name holds, as in a registry."""
        if self.is_definition(name):
            return False
        traces = (f"{name}[", f"{name}.", "global ")
        if not any(trace in self.content for trace in traces):
            return False
        tops = [top for top in self.tree.body if isinstance(top, _SCOPES)]
        return any(_changes(node, name) for top in tops for node in ast.walk(top))


def _changes(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Global):
        return name in node.names
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load) and name in _roots(node)
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in _MUTATORS and name in _roots(called)


def _roots(target: ast.AST) -> Iterator[str]:
    """Names that an assignment binds or changes."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for entry in target.elts:
            yield from _roots(entry)
    elif isinstance(target, ast.Attribute | ast.Subscript | ast.Starred):
        yield from _roots(target.value)


def _imported(statement: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, str, str | None]]:
    """Name bound, module, name there (None: the module itself)."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            top = alias.name.partition(".")[0]
            yield (alias.asname, alias.name, None) if alias.asname else (top, top, None)
        return
    module = statement.module or ""
    if statement.level:
        base = package.split(".")
        module = ".".join([*base[: len(base) - statement.level + 1], *([module] if module else [])])
    for alias in statement.names:
        yield alias.asname or alias.name, module, alias.name


_TREES: dict[str, _Module] = {}


def _module(name: str) -> _Module | None:
    """The module of that name as its file has it; None if there is no such file."""
    if name not in _TREES:
        path = _path(name)
        if path is None:
            return None
        try:
            _TREES[name] = _Module(name, path)
        except (SyntaxError, OSError):
            return None
    return _TREES[name]


@cache
def _path(name: str) -> Path | None:
    loaded = sys.modules.get(name)
    file = getattr(loaded, "__file__", None)
    if file:
        path = Path(file)
        return path if path.suffix == ".py" and path.is_file() else None
    parent, _, last = name.rpartition(".")
    if parent:
        above = _path(parent)
        if above is None or above.name != "__init__.py":
            return None
        places = (above.parent / last / "__init__.py", above.parent / f"{last}.py")
        return next((place for place in places if place.is_file()), None)
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(found.origin) if found and found.origin and found.origin.endswith(".py") else None


def _edited(name: str) -> bool:
    """Whether a module's file has changed since this process began to import the suite."""
    path = _path(name)
    if path is None:
        return False
    try:
        state = path.stat()
    except OSError:
        return True
    return max(state.st_mtime, state.st_ctime) > analysis.IMPORTED


def _part(statements: Iterable[ast.stmt], package: str) -> _Part:
    found = _Reader(package)
    for statement in statements:
        found.read(statement, frozenset(), False)
    return _Part(_hash("".join(found.text)), tuple(sorted(found.names)), tuple(sorted(found.imports, key=str)),
                 tuple(sorted(found.modules)))  # fmt: skip


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(name for name in kind._fields if name not in _LEFT_OUT)


class _Reader:
    """Writes syntax trees in one form and collects the global names in them, with the attributes asked of them.

    The form is the same in all versions of Python: empty fields are left out. Annotations count in the body of a
    class only, where they declare fields.
    """

    def __init__(self, package: str) -> None:
        self.package = package
        self.text: list[str] = []
        self.names: set[tuple[str, ...]] = set()
        self.imports: set[tuple[str, str, str | None]] = set()
        self.modules: set[str] = set()

    def read(self, node: Any, bound: frozenset[str], in_class: bool) -> None:
        kind: Any = type(node)
        write = self.text.append
        if kind is list:
            write("[")
            for entry in node:
                if not (isinstance(entry, ast.Expr) and isinstance(entry.value, ast.Constant)):  # docstrings and dots
                    self.read(entry, bound, in_class)
            write("]")
            return
        if not issubclass(kind, ast.AST):
            write(repr(node))
            return
        write(f"({kind.__name__} ")
        if kind is ast.Name:
            write(node.id)
            if node.id not in bound:
                self.names.add((node.id,))
        elif kind is ast.Constant:
            self._constant(node.value)
        elif kind is ast.Attribute:
            self._attribute(node, bound, in_class)
        elif kind is ast.arg:
            write(node.arg)
        elif kind is ast.AnnAssign:
            self.read(node.target, bound, False)
            if node.value is not None:
                self.read(node.value, bound, False)
            if in_class:
                _Reader.read(other := _Reader(self.package), node.annotation, bound, False)
                self.text += other.text
        else:
            self._inside(node, kind, bound)
        write(")")

    def _inside(self, node: Any, kind: Any, bound: frozenset[str]) -> None:
        inner, local = bound, ("body",)
        if kind in _FUNCTIONS:
            inner = self._own_names(node, bound)
        elif kind in _COMPREHENSIONS:
            inner = bound | {name for part in node.generators for name in _stored(part.target)}
            local = node._fields
        elif kind in (ast.Import, ast.ImportFrom):
            self.imports.update(_imported(node, self.package))
        for field in _fields(kind):
            value = getattr(node, field, None)
            if value is not None and value != []:
                self.text.append(f"{field}=")
                self.read(value, inner if field in local else bound, kind is ast.ClassDef and field == "body")

    def _constant(self, value: object) -> None:
        self.text.append(f"{type(value).__name__} {value!r}")
        if isinstance(value, str) and "." in value and re.fullmatch(r"[A-Za-z_]\w*(\.\w+)+(:\w+)?", value):
            self.modules.add(value.partition(":")[0])

    def _attribute(self, node: ast.Attribute, bound: frozenset[str], in_class: bool) -> None:
        chain: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        self.text.append(".".join(chain))
        if isinstance(inner, ast.Name):
            self.text.append(f" of {inner.id}")
            if inner.id not in bound:
                self.names.add((inner.id, *reversed(chain)))
        else:
            self.read(inner, bound, in_class)

    def _own_names(self, node: Any, bound: frozenset[str]) -> frozenset[str]:
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        inner = bound | {entry.arg for entry in every if entry is not None}
        if isinstance(node, ast.Lambda):
            return inner
        local, world = _locals(node.body)
        return (inner | local) - world


def _stored(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            yield inner.id


def _locals(body: Iterable[ast.AST]) -> tuple[set[str], set[str]]:
    """Names that a function binds itself (imports apart), and those that it declares global."""
    local: set[str] = set()
    world: set[str] = set()
    left = list(body)
    while left:
        node = left.pop()
        kind: Any = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                local.add(node.id)  # type: ignore[attr-defined]
            continue
        if kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            local.add(node.name)  # type: ignore[attr-defined]
            continue
        if kind in _COMPREHENSIONS or kind in (ast.Lambda, ast.Constant, ast.Attribute, ast.Import, ast.ImportFrom):
            continue
        if kind in (ast.ExceptHandler, ast.MatchAs, ast.MatchStar) and node.name:  # type: ignore[attr-defined]
            local.add(node.name)  # type: ignore[attr-defined]
        elif kind is ast.Global:
            world.update(node.names)  # type: ignore[attr-defined]
        for field in _fields(kind):
            value = getattr(node, field, None)
            if type(value) is list:
                left += [entry for entry in value if isinstance(entry, ast.AST)]
            elif isinstance(value, ast.AST):
                left.append(value)
    return local, world


# What a function reaches ------------------------------------------------------------------------------------------


class _Walk:
    """All that one function reaches."""

    def __init__(self, functions: tuple[Callable[..., Any], ...]) -> None:
        self.definitions: dict[str, str] = {}
        self.packages: set[str] = set()
        self.seen: list[tuple[Mapping[str, Any], str, object]] = []
        self.contents: list[tuple[Any, list[object]]] = []
        self.absent: set[str] = set()
        self._left: list[tuple[str, str | None]] = []
        self._listed: set[tuple[str, str | None]] = set()
        self._found: dict[tuple[str, str | None, tuple[str, ...]], str | None] = {}
        self._within: set[int] = set()
        tops = {str(getattr(function, "__module__", None) or "").partition(".")[0] for function in functions}
        self.own = {"analysis", *tops} - {"", *sys.stdlib_module_names} - set(COMPUTING)
        self._root = self._described(functions)
        while self._left:
            self._read(*self._left.pop())

    def source(self) -> Source:
        definitions = dict(sorted(self.definitions.items()))
        packages = {name: _minor(COMPUTING[name]) for name in sorted(self.packages)}
        return Source(_hash(repr((self._root, definitions, packages))), definitions, packages)

    def _reach(self, module: str, name: str | None) -> str:
        """Put a definition on the list; None stands for the whole module."""
        if (module, name) not in self._listed:
            self._listed.add((module, name))
            self._left.append((module, name))
        return f"{module}:{name}" if name else module

    def _read(self, module: str, name: str | None) -> None:
        about = _module(module)
        assert about is not None
        part = about.part(name)
        text = [part.text]
        inside: dict[str, list[tuple[str, str | None]]] = {}
        for bound, other, there in part.imports:
            inside.setdefault(bound, []).append((other, there))
        for chain in part.names:
            if chain[0] in inside:
                places = [self._located(other, there, chain[1:]) for other, there in inside[chain[0]]]
            elif chain[0] in about.defined or chain[0] in about.imports:
                places = [self._located(module, chain[0], chain[1:])]
            else:
                places = [self._unknown(module, chain[0])]
            text += [f"{'.'.join(chain)} = {place}" for place in places if place]
        for other in part.modules:
            if other.partition(".")[0] in self.own and _module(other):
                text.append(self._reach(other, None))
        if name is None:
            text += [self._located(module, other, ()) or "" for other in sorted(about.defined)]
        else:
            text.append(self._held(about, name))
        self.definitions[f"{module}:{name}" if name else module] = _hash("\n".join(text))

    def _located(self, module: str, name: str | None, rest: tuple[str, ...]) -> str | None:
        """What a name of a module stands for: a definition, which is put on the list; None of another package."""
        key = (module, name, rest)
        if key not in self._found:
            self._found[key] = None  # imports in a circle
            self._found[key] = self._locate(module, name, rest)
        return self._found[key]

    def _locate(self, module: str, name: str | None, rest: tuple[str, ...]) -> str | None:
        top = module.partition(".")[0]
        if top not in self.own:
            if top in COMPUTING:
                self.packages.add(top)
            return None
        about = _module(module)
        if about is None:
            return None
        if name is None:
            return self._located(module, rest[0], rest[1:]) if rest else self._reach(module, None)
        namespace = self._namespace(module)
        if name in about.defined:
            found: str | None = self._reach(module, name)
        elif name in about.imports:
            found = self._located(*about.imports[name], rest)
        elif _path(f"{module}.{name}") is not None:
            return self._located(f"{module}.{name}", None, rest)
        else:
            value = getattr(sys.modules.get(module), name, _MISSING)
            return None if value is _MISSING or name.startswith("__") else self._described(value)
        held: Any = namespace.get(name, _MISSING)
        self.seen.append((namespace, name, held))
        if isinstance(held, ModuleType):
            return held.__name__ if self._replaced_module(about, name, held) else found
        if held is _MISSING:
            return found
        return found if self._as_written(about, name, held) else f"{found} replaced by {self._described(held)}"

    def _namespace(self, module: str) -> Mapping[str, Any]:
        loaded = sys.modules.get(module)
        if loaded is None:
            self.absent.add(module)
            return {}
        return vars(loaded)

    def _replaced_module(self, about: _Module, name: str, value: Any) -> bool:
        module, there = about.imports.get(name, (value.__name__, None))
        return value.__name__ not in (module, f"{module}.{there}") and value.__name__.partition(".")[0] in self.own

    def _as_written(self, about: _Module, name: str, value: object) -> bool:
        """Whether a name of a module holds what its source says."""
        home: _Module | None = about
        for _ in range(20):
            if home is None or name in home.defined:
                break
            if name not in home.imports:
                return True  # had in a way that cannot be followed
            module, there = home.imports[name]
            if there is None:
                return True
            home, name = (_module(module) if module.partition(".")[0] in self.own else None), there
        if home is None or name not in home.defined:
            return True  # of another package
        if not home.is_definition(name):
            kept = self._namespace(home.name)
            return name not in kept or kept[name] is value
        return self._of_source(home, name, value)

    def _of_source(self, home: _Module, name: str, value: object) -> bool:
        inner = _unwrapped(value, self.own)
        if isinstance(inner, FunctionType):
            same = inner.__code__.co_qualname == name and inner.__module__ == home.name
            return same and Path(inner.__code__.co_filename) == home.path and not _edited(home.name)
        if isinstance(inner, type):
            return inner.__module__ == home.name and inner.__qualname__ == name and not _edited(home.name)
        return any(getattr(entry, "decorator_list", ()) for entry in home.defined[name])  # an object made of it

    def _unknown(self, module: str, name: str) -> str | None:
        """What a name stands for that the module's text does not bind: a builtin, or what was put there."""
        namespace = self._namespace(module)
        value = namespace.get(name, _MISSING)
        self.seen.append((namespace, name, value))
        return None if value is _MISSING or name.startswith("__") else self._described(value)

    def _held(self, about: _Module, name: str) -> str:
        """What is held at run time, where it is not what the source says; else nothing."""
        namespace = self._namespace(about.name)
        value = namespace.get(name, _MISSING)
        if value is _MISSING:
            return ""
        if about.is_definition(name):
            return self._changed_methods(about, name, value) if isinstance(value, type) else ""
        if about.is_state(name):
            return ""
        if isinstance(value, dict | list | set):
            self.contents.append((value, _items(value)))
        written = _evaluated(about.defined[name], name, namespace)
        return "" if written is _MISSING or _same(written, value) else self._described(value)

    def _changed_methods(self, about: _Module, name: str, held: type) -> str:
        if not self._of_source(about, name, held):
            return ""  # it is described where it is named
        written = {
            entry.name
            for statement in about.defined[name]
            if isinstance(statement, ast.ClassDef)
            for entry in statement.body
            if isinstance(entry, ast.FunctionDef)
        }
        changed = []
        for attribute in sorted(written):
            value = vars(held).get(attribute, _MISSING)
            self.seen.append((vars(held), attribute, value))
            inner = _unwrapped(value, self.own)
            if isinstance(inner, FunctionType) and inner.__code__.co_qualname != f"{name}.{attribute}":
                changed.append(f"{attribute} replaced by {self._described(inner)}")
        return "; ".join(changed)

    def _described(self, value: object) -> str:
        """A text for what is held at run time, the same in every process; what it reaches is put on the list."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            return f"{type(value).__name__} {value!r}"
        if id(value) in self._within:
            return "itself"
        self._within.add(id(value))
        try:
            return self._described_object(value)
        finally:
            self._within.discard(id(value))

    def _described_object(self, value: Any) -> str:
        if isinstance(value, tuple | list | set | frozenset):
            parts = [self._described(entry) for entry in value]
            return f"{type(value).__name__} {sorted(parts) if isinstance(value, set | frozenset) else parts}"
        if isinstance(value, Mapping):
            return f"dict {[(self._described(key), self._described(entry)) for key, entry in value.items()]}"
        if isinstance(value, ModuleType):
            return self._located(value.__name__, None, ()) or value.__name__
        if isinstance(value, functools.partial):
            return f"partial {self._described(value.func)} {self._described((value.args, value.keywords))}"
        inner = _unwrapped(value, self.own)
        if isinstance(inner, FunctionType | type):
            top = str(inner.__module__).partition(".")[0]
            if top not in self.own and top in (*sys.stdlib_module_names, *COMPUTING):
                self._located(str(inner.__module__), None, ())
                return f"{inner.__module__}.{inner.__qualname__}"
            home = _module(str(inner.__module__)) if top in self.own else None
            if (
                home is not None
                and inner.__qualname__ in home.defined
                and self._of_source(home, inner.__qualname__, value)
            ):
                return self._reach(home.name, inner.__qualname__)
            return self._class(inner) if isinstance(inner, type) else self._code(inner)
        if hasattr(value, "tobytes") and hasattr(value, "dtype"):
            return f"array {value.dtype} {getattr(value, 'shape', '')} {hashlib.sha256(value.tobytes()).hexdigest()}"
        return f"object of {self._described(type(value))}"

    def _class(self, value: type) -> str:
        methods = [
            (name, self._described(inner))
            for name, entry in sorted(vars(value).items())
            if isinstance(inner := _unwrapped(entry, self.own), FunctionType)
        ]
        bases = [self._described(base) for base in value.__bases__ if base is not object]
        return f"class {value.__qualname__} {bases} {methods}"

    def _code(self, function: FunctionType) -> str:
        """A function without readable source, by its compiled code."""
        text = [_code_text(function.__code__), self._described(function.__defaults__)]
        text.append(self._described(function.__kwdefaults__))
        names = set(_code_names(function.__code__))
        space = function.__globals__
        for name in sorted(names & space.keys()):
            value = space[name]
            self.seen.append((space, name, value))
            if isinstance(value, ModuleType):
                top = value.__name__.partition(".")[0]
                if top in self.own:
                    asked = [attribute for attribute in sorted(names) if attribute in vars(value)]
                    text += [f"{name}.{other} = {self._located(value.__name__, other, ())}" for other in asked]
                elif top in COMPUTING:
                    self.packages.add(top)
            elif not isinstance(value, dict | list | set) or name.isupper():
                text.append(f"{name} = {self._described(value)}")
        for cell in function.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:  # not yet bound
                continue
            if callable(value) or type(value).__module__.partition(".")[0] in self.own:
                text.append(self._described(value))  # data that it closes over is stated as a parameter
        return f"code {_hash(chr(10).join(text))}"


def _unwrapped(value: Any, own: Iterable[str]) -> Any:
    """The function behind what is kept, compiled, a method or a property."""
    for _ in range(20):
        if isinstance(value, staticmethod | classmethod | MethodType):
            value = value.__func__
        elif isinstance(value, property):
            value = value.fget
        elif isinstance(value, functools.cached_property):
            value = value.func
        elif isinstance(value, type):
            return value
        elif isinstance(getattr(value, "py_func", None), FunctionType):
            value = value.py_func
        elif hasattr(value, "__wrapped__") and not _foreign(value, own):
            value = value.__wrapped__
        else:
            return value
    return value


def _foreign(value: object, own: Iterable[str]) -> bool:
    """Whether a wrapper is a function that neither the suite nor an installed package has put there."""
    if not isinstance(value, FunctionType):
        return False
    top = str(value.__globals__.get("__name__", "")).partition(".")[0]
    known = top in own or top in sys.stdlib_module_names
    return not known and "site-packages" not in value.__code__.co_filename


def _code_text(code: CodeType) -> str:
    """A code object without line numbers and docstring."""
    constants = list(code.co_consts)
    if constants and isinstance(constants[0], str) and not code.co_name.startswith("<"):
        constants[0] = None
    held = [_code_text(entry) if isinstance(entry, CodeType) else _constant(entry) for entry in constants]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags, held))


def _constant(value: object) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else f"{type(value).__name__} {value!r}"


def _code_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for entry in code.co_consts:
        if isinstance(entry, CodeType):
            yield from _code_names(entry)


def _evaluated(statements: Iterable[ast.stmt], name: str, namespace: Mapping[str, Any]) -> Any:
    """What the source gives a name, where that can be worked out without calling anything that does something."""
    value = _MISSING
    for statement in statements:
        if isinstance(statement, ast.AugAssign):
            if value is _MISSING or not isinstance(statement.op, ast.BitOr | ast.Add):
                return _MISSING
            inner: ast.expr | None = statement.value
        elif isinstance(statement, ast.Assign):
            inner = statement.value if all(isinstance(target, ast.Name) for target in statement.targets) else None
        else:
            inner = statement.value if isinstance(statement, ast.AnnAssign) else None
        if inner is None or not _is_pure(inner):
            return _MISSING
        try:
            new = eval(compile(ast.Expression(inner), "<source>", "eval"), dict(namespace))
            if isinstance(statement, ast.AugAssign):
                new = (value | new) if isinstance(statement.op, ast.BitOr) else value + new
        except Exception:
            return _MISSING
        value = new
    return value


def _is_pure(node: ast.expr) -> bool:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            called = inner.func
            builtin = isinstance(called, ast.Name) and called.id in _PURE and hasattr(builtins, called.id)
            method = isinstance(called, ast.Attribute) and called.attr in _PURE_METHODS
            if not (builtin or method):
                return False
        elif isinstance(inner, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr):
            return False
    return True


def _same(first: Any, second: Any) -> bool:
    """Whether two values are the same, functions by identity; True of what cannot be compared."""
    if first is second:
        return True
    if type(first) is not type(second):
        return False
    if isinstance(first, dict):
        return list(first) == list(second) and all(_same(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(first, FunctionType | type | bool | int | float | complex | str | bytes | set | frozenset):
        return bool(first == second) or first != first
    return True


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@cache
def _minor(package: str) -> str:
    try:
        return ".".join(metadata.version(package).split(".")[:2])
    except metadata.PackageNotFoundError:
        return "not installed"
