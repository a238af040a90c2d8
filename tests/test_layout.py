"""The package layout: a module imports from its own package or from lower layers, never upward or sideways."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = {
    "structures": 0,
    "corpora": 1,
    "statistics": 2,
    "figures": 2,
    "experiments": 2,
    "categories": 3,
    "dependencies": 3,
    "inflection": 3,
    "ccg": 3,
    "constituents": 3,
    "papers": 4,
    "evaluation": 4,  # beside the papers: neither knows the other
    "explore": 5,  # the papers' functions serve the widgets and the report
    "report": 5,
    "commands": 6,
    "__main__": 7,
}


def packages_imported(source: str) -> set[tuple[str, int]]:
    """Packages that a module's source imports, at its top or inside a function, with the line."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are written in full"
            names = (
                [f"analysis.{alias.name}" for alias in node.names] if node.module == "analysis" else [node.module or ""]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {(name.split(".")[1], node.lineno) for name in names if name.startswith("analysis.")}
    return {(package, line) for package, line in found if package in LAYERS}


def wrong_imports(package: str, source: str) -> list[str]:
    return [
        f"line {line}: {package} imports {other}"
        for other, line in sorted(packages_imported(source))
        if other != package and LAYERS[other] >= LAYERS[package]
    ]


@pytest.mark.parametrize("path", sorted((ROOT / "analysis").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_import_runs_upward_or_sideways(path):
    package = path.relative_to(ROOT / "analysis").parts[0].removesuffix(".py")
    if package == "__init__":
        imported = {other for other, _ in packages_imported(path.read_text(encoding="utf-8"))}
        assert imported == {"structures"}, "importing the package must load no other than that which is lazy"
        return
    assert package in LAYERS, f"{package} has no layer: give it one here and in the README"
    assert wrong_imports(package, path.read_text(encoding="utf-8")) == []


def test_the_check_sees_upward_sideways_and_hidden_imports():
    assert wrong_imports("categories", "from analysis.papers import frank2009")
    assert wrong_imports("categories", "import analysis.ccg.measures")
    assert wrong_imports("statistics", "def f():\n    from analysis import figures")
    assert not wrong_imports("categories", "from analysis.statistics import spearman\nimport analysis.corpora")


def test_nothing_below_the_report_prints_or_draws_with_pyplot():
    for path in (ROOT / "analysis").rglob("*.py"):
        package = path.relative_to(ROOT / "analysis").parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(ROOT)}, line {getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and package != "__main__.py":
                assert node.func.id != "print", where
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
                assert not any("pyplot" in name for name in names), f"{where} imports pyplot"


# ---------------------------------------------------------------------------------------------------------------
# The size of functions.

MOST_PARAMETERS, MOST_LINES = 8, 80


def too_large(source: str) -> list[str]:
    """Functions of a module with more positional parameters, or more lines without docstring, than a function has.

    More parameters become one named object. Constructors have as many as there are settings, and keyword-only ones
    are named where they are given.
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        parameters = len(node.args.posonlyargs) + len(node.args.args)
        if parameters > MOST_PARAMETERS and node.name != "__init__":
            found.append(f"line {node.lineno}: {node.name} has {parameters} positional parameters")
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
        if lines > MOST_LINES:
            found.append(f"line {node.lineno}: {node.name} has {lines} lines")
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "analysis").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_function_is_too_large(path):
    assert too_large(path.read_text(encoding="utf-8")) == []


def test_the_limits_count_positional_parameters_and_lines_without_the_docstring():
    parameters, lines = ", ".join("abcdefgh"), "    x = 1\n" * 80
    assert too_large(f"def f({parameters}):\n    pass") == []
    assert too_large(f"def f({parameters}, *, i, j):\n    pass") == []
    assert too_large(f"class C:\n    def __init__({parameters}, i):\n        pass") == []
    assert too_large(f"def f({parameters}, i):\n    pass") == ["line 1: f has 9 positional parameters"]
    assert too_large(f'def f():\n    """One.\n\n    Two."""\n{lines}') == []
    assert too_large(f"def f():\n{lines}    x = 2") == ["line 1: f has 81 lines"]


def imported_modules(name, source, modules):
    """Modules of the suite that a module imports, at its top or inside a function; `from package import module` too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            found |= {place if place in modules else node.module for place in inside.values()}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return (found & set(modules)) - {name}


def circle(graph):
    """Some modules that import each other, in order; nothing if there are none."""
    state = {}

    def visit(name, path):
        if state.get(name) == "left":
            return []
        if name in path:
            return [*path[path.index(name) :], name]
        for other in sorted(graph[name]):
            if found := visit(other, [*path, name]):
                return found
        state[name] = "left"
        return []

    return next((found for name in sorted(graph) if (found := visit(name, []))), [])


def test_no_modules_import_each_other_in_a_circle():
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (ROOT / "analysis").rglob("*.py")
    }
    sources = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    assert circle({name: imported_modules(name, text, paths) for name, text in sources.items()}) == []


def test_the_check_sees_a_circle_of_late_imports():
    sources = {
        "analysis.a": "from analysis import b",
        "analysis.b": "def f():\n    import analysis.c",
        "analysis.c": "def f():\n    from analysis.a import x",
        "analysis.d": "import analysis.a",
    }
    graph = {name: imported_modules(name, text, sources) for name, text in sources.items()}
    assert circle(graph) == ["analysis.a", "analysis.b", "analysis.c", "analysis.a"]
    assert circle(graph | {"analysis.c": set()}) == []


def test_the_readme_shows_the_layout_that_there_is():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^  (\w+)/ +layer (\d):", readme, flags=re.MULTILINE))
    assert {name: int(layer) for name, layer in listed.items()} == {
        name: layer for name, layer in LAYERS.items() if name != "__main__"
    }
    assert set(listed) == {path.parent.name for path in (ROOT / "analysis").glob("*/__init__.py")}
