"""`make test-fast` reaches every module: by a doctest, by a test that names what the module defines, or, where it holds
what others are made of (kernels, rules), through a module that is reached so.
"""

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEFT_OUT = ("slow", "thorough", "notebook", "browser", "real_corpus")
WHOLE_FILE = re.compile(rf"^pytestmark = (?:\[\n\s+|.*)pytest\.mark\.({'|'.join(LEFT_OUT)})", flags=re.MULTILINE)


def recipe():
    (line,) = re.findall(r"^test-fast:.*\n\t(.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return line


def ignored_files():
    return re.findall(r'--ignore(?:-glob)? "?([^" ]+)"?', recipe())


def is_package_of_names(path):
    return path.name == "__init__.py"


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def defined(source):
    """Public names that a module defines at its top."""
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def imported(source):
    """Modules from which a module imports, at its top or inside a function, or which it names in a text."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def identifiers(source):
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return names | {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}


def reached(modules, tests):
    """Names of the modules that the sources of the fast tests reach."""
    used = set().union(*map(identifiers, tests))
    first = {name for name, source in modules.items() if ">>> " in source or defined(source) & used}
    return first | {other for name in first for other in imported(modules[name]) if other in modules}


def fast_tests():
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        ignored = any(fnmatch(path.relative_to(ROOT).as_posix(), pattern) for pattern in ignored_files())
        if not ignored and not WHOLE_FILE.search(source):
            yield source


def test_make_test_fast_leaves_out_what_is_marked():
    assert f'-m "not ({" or ".join(LEFT_OUT)})"' in recipe()


def test_the_fast_tests_reach_every_module():
    paths = [path for path in sorted((ROOT / "analysis").rglob("*.py")) if not is_package_of_names(path)]
    modules = {module_name(path): path.read_text(encoding="utf-8") for path in paths}
    assert sorted(set(modules) - reached(modules, fast_tests())) == []


def test_a_module_that_no_fast_test_names_is_found_out():
    modules = {
        "analysis.a": "def f(): pass",
        "analysis.b": "def g():\n    from analysis.c import h",
        "analysis.c": "h = 1",
    }
    assert reached(modules, ["from analysis.b import g"]) == {"analysis.b", "analysis.c"}
    assert reached(modules | {"analysis.a": "'>>> 1'"}, ["pass"]) == {"analysis.a"}
