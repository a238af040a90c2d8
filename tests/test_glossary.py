"""One name, one answer: public signatures, commands and stored tables use the glossary's names and defaults."""

import ast
import csv
import importlib
import inspect
import json
import pkgutil
import re
import textwrap
from pathlib import Path

import click
import pytest

import analysis
from analysis.__main__ import main
from analysis.structures import RESULT_COLUMNS
from analysis.structures.glossary import ANY, ARGUMENTS, COLUMNS

ROOT = Path(__file__).parents[1]
TERMS = {term.name: term for term in ARGUMENTS}
SEEDS_OF_RUNS = ("analysis.papers", "analysis.explore")  # there a seed picks one of the runs
MODULES = [
    module.name for module in pkgutil.walk_packages(analysis.__path__, "analysis.") if "__main__" not in module.name
]


def public(module):
    """Name and object of every function, constructor and method that a module defines and does not hide."""
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(value):
            yield name, value
            methods = [each for each in vars(value).items() if inspect.isfunction(each[1]) and each[0][0] != "_"]
            yield from ((f"{name}.{method}", function) for method, function in methods)
        elif inspect.isfunction(value):
            yield name, value


def signatures():
    for module in map(importlib.import_module, MODULES):
        for name, value in public(module):
            try:
                parameters = inspect.signature(value).parameters.values()
            except (TypeError, ValueError):  # a class without a constructor of its own
                continue
            yield f"{module.__name__}.{name}", list(parameters)


def refusal(place, parameter):
    """What is wrong with an argument, in a sentence; empty if nothing is."""
    name, default = parameter.name, parameter.default
    annotation = str(getattr(parameter.annotation, "__name__", parameter.annotation))
    for term in ARGUMENTS:
        for synonym in term.instead_of:
            banned, _, kind = synonym.partition(": ")
            banned, _, value = banned.partition(" = ")
            if name != banned or (kind and not re.search(rf"\b{kind}\b", annotation)):
                continue
            if value and (repr(default) != value or place.startswith(SEEDS_OF_RUNS)):
                continue
            return f"{place}: {name} is called {term.name}"
    term = TERMS.get(name)
    setting = place.rpartition(".")[2] in ("Setting", "Run")  # choices of a paper, and a record of what was chosen
    if term is None or setting or term.default is ANY or default is parameter.empty:
        return ""
    if default != term.default or type(default) is not type(term.default):
        return f"{place}: {name} is {default!r}, not {term.default!r}"
    return ""


def options(group, before=""):
    for parameter in group.params:
        if isinstance(parameter, click.Option):
            yield before, parameter
    for name, command in getattr(group, "commands", {}).items():
        yield from options(command, f"{before} {name}".strip())


def test_arguments_have_the_names_and_defaults_of_the_glossary():
    assert [told for place, each in signatures() for one in each if (told := refusal(place, one))] == []


def test_the_walk_reaches_functions_estimators_and_methods():
    found = dict(signatures())
    for place in ("categories.one_to_one", "dependencies.models.DMV", "statistics.sentence_counts.Evaluation.score"):
        assert any(name.startswith("analysis." + place.split(".")[0]) and name.endswith(place.rpartition(".")[2])
                   for name in found), place  # fmt: skip
    assert len(found) > 700


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(metric): pass", "called measure"),
        ("def f(gold, induced): pass", "called predicted"),
        ("def f(gold, system: DataFrame): pass", "called predicted"),
        ("def f(samples: int): pass", "called resamples"),
        ("def f(level: float): pass", "called confidence"),
        ("def f(seed=0): pass", "called random_state"),
        ("def f(assignment='greedy'): pass", "not 'optimal'"),
        ("def f(base=2.718281828459045): pass", "not 2"),
        ("def f(punctuation=1): pass", "not True"),
        ("def f(resamples=2000): pass", "not 1000"),
        ("def f(seed, system: str, level: str = 'fine', samples=()): pass", None),
    ],
)
def test_a_synonym_or_another_default_is_refused(source, expected):
    space = {"DataFrame": "pd.DataFrame"}
    exec(source, space)
    told = [refusal("analysis.f", one) for one in inspect.signature(space["f"]).parameters.values()]
    assert any(expected in each for each in told) if expected else not any(told)


def test_options_of_commands_have_the_names_and_defaults_of_the_glossary():
    wrong, seen = [], set()
    for command, option in options(main):
        name = option.name.removeprefix("no_")
        default = True if option.name.startswith("no_") and option.is_flag else option.default
        if any(
            name == synonym.partition(":")[0] for term in ARGUMENTS for synonym in term.instead_of if "=" not in synonym
        ):
            wrong.append(f"{command}: {option.name} is a synonym")
        if name in TERMS and TERMS[name].default not in (ANY, None):
            seen.add(name)
            same = option.multiple or str(default) == str(TERMS[name].default)
            wrong += [] if same else [f"{command}: {name} is {default!r}, not {TERMS[name].default!r}"]
    assert wrong == []
    assert {"assignment", "base", "punctuation", "resamples", "seed"} <= seen


def test_result_tables_have_columns_of_the_glossary():
    assert set(RESULT_COLUMNS) <= {term.name for term in COLUMNS}
    refused = {synonym for term in COLUMNS for synonym in term.instead_of}
    for path in sorted((ROOT / "data" / "results").glob("*.csv")):
        with path.open(encoding="utf-8") as file:
            assert not refused & set(next(csv.reader(file))), path.name


def test_no_column_is_called_by_a_synonym_in_code_or_notebooks():
    refused = {synonym for term in COLUMNS for synonym in term.instead_of}
    reads_printed = (
        ROOT / "analysis" / "papers" / "recipe" / "printed.py"
    )  # names of the printed tables become ours there
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "analysis").rglob("*.py")}
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        sources[path] = re.sub(r"^[%!].*", "", code, flags=re.MULTILINE)
    for path, source in sources.items():
        if path == reads_printed or path.name == "glossary.py":
            continue
        words = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)} & refused
        assert not words, f"{path.relative_to(ROOT)}: {words}"


def test_each_term_is_there_once_with_a_meaning():
    for terms in (ARGUMENTS, COLUMNS):
        names = [term.name for term in terms]
        assert len(set(names)) == len(names) and all(term.meaning for term in terms)
        assert not set(names) & {synonym for term in terms for synonym in term.instead_of}


# Lazy packages --------------------------------------------------------------------------------------------------------

INITS = sorted((ROOT / "analysis").rglob("__init__.py"))
PACKAGES = [path for path in INITS if "lazy_names" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.relative_to(ROOT).as_posix())
def test_a_lazy_package_tells_editors_what_it_gives(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {node.targets[0].id: node.value for node in tree.body
             if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}  # fmt: skip
    homes, listed = ast.literal_eval(named["_HOMES"]), ast.literal_eval(named["__all__"])
    package = ".".join(path.parent.relative_to(ROOT).parts)
    (guarded,) = (node.body for node in tree.body if isinstance(node, ast.If) and node.test.id == "TYPE_CHECKING")
    seen = {alias.name: node.module for node in guarded for alias in node.names}
    assert seen == {name: f"{package}.{module}" for name, module in homes.items()}
    assert set(homes) <= set(listed) and listed == sorted(listed, key=lambda name: (not name.isupper(), name))
    module = importlib.import_module(package)
    assert all(hasattr(module, name) for name in listed) and set(dir(module)) >= set(homes)


def test_there_is_one_lazy_mechanism():
    assert {path.parent.relative_to(ROOT / "analysis").as_posix() for path in PACKAGES} == {
        ".", "categories", "categories/models", "ccg", "constituents", "corpora", "dependencies", "dependencies/models",
        "evaluation",
        "explore", "inflection", "report", "statistics", "structures",
    }  # fmt: skip
    for path in (ROOT / "analysis").rglob("*.py"):
        if path.name != "lazy.py":
            assert "def __getattr__" not in path.read_text(encoding="utf-8"), path


# ------------------------------------------------------------------------------------------- sections of the docstrings


def public_names():
    """Every function and class that a package exports, once, by its qualified name."""
    found = {}
    for module in map(importlib.import_module, MODULES):
        for name in getattr(module, "__all__", ()) if hasattr(module, "__path__") else ():
            value = getattr(module, name)
            value = inspect.unwrap(value) if callable(value) else value
            if not getattr(value, "__module__", "").startswith("analysis."):
                continue
            if inspect.isfunction(value) or (inspect.isclass(value) and not issubclass(value, BaseException)):
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


def numpydoc_sections(documented):
    """Text of each numpydoc section of a docstring, by its heading."""
    parts = re.split(r"(?:\A|\n)([A-Z][A-Za-z ]*)\n-{4,}\n", inspect.getdoc(documented) or "")
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def repeated_sections(documented):
    """Headings that a docstring has more than once."""
    headings = re.findall(r"(?:\A|\n)([A-Z][A-Za-z ]*)\n-{4,}\n", inspect.getdoc(documented) or "")
    return sorted({heading for heading in headings if headings.count(heading) > 1})


def documented_parameters(section):
    """Names in the unindented lines of a Parameters section."""
    entries = [line.partition(" : ")[0] for line in section.split("\n") if line and not line.startswith(" ")]
    return {name.strip(" *") for entry in entries for name in entry.split(",")}


def missing_sections(documented):
    """What the docstring of a public function or class lacks."""
    sections = numpydoc_sections(documented)
    try:
        signature = inspect.signature(documented)
    except ValueError:  # a class without a constructor of its own
        return []
    if inspect.isclass(documented):
        lacking = signature.parameters and not sections.keys() & {"Parameters", "Attributes"}
        return ["Parameters"] if lacking else []
    missing = sorted(signature.parameters.keys() - documented_parameters(sections.get("Parameters", "")))
    if signature.return_annotation not in (None, "None") and not sections.keys() & {"Returns", "Yields"}:
        missing.append("Returns")
    source = ast.parse(textwrap.dedent(inspect.getsource(documented)))
    if any(isinstance(node, ast.Raise) for node in ast.walk(source)) and "Raises" not in sections:
        missing.append("Raises")
    return missing


def test_public_names_document_parameters_results_and_errors():
    incomplete = {name: missing for name, value in public_names().items() if (missing := missing_sections(value))}
    assert not incomplete


def test_public_docstrings_have_each_section_once():
    repeated = {name: found for name, value in public_names().items() if (found := repeated_sections(value))}
    assert not repeated


def test_missing_section_is_found():
    def halve(number: int) -> float:
        """Half of a number."""
        if number < 0:
            raise ValueError("the number is negative.")
        return number / 2

    assert missing_sections(halve) == ["number", "Returns", "Raises"]
    halve.__doc__ = "Half.\n\nReturns\n-------\nfloat\n\nReturns\n-------\nint\n"
    assert repeated_sections(halve) == ["Returns"]
