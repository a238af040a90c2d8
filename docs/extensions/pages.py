"""Pages that are made from the source: reference, commands, glossaries, conventions, and files of other folders.

`write_pages` writes them into ``docs/generated``, which is not committed; a page that has not changed is left alone, so
that Sphinx reads again only what is new.
"""

import csv
import importlib
import inspect
import json
import pkgutil
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import pandas as pd
from docstrings import safe_lines
from numpydoc.docscrape import NumpyDocString

import analysis
from analysis.__main__ import main
from analysis.corpora.citing import author_year
from analysis.structures.glossary import ANY, ARGUMENTS, COLUMNS, CONCEPTS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = DOCS / "generated"

#: Packages whose arguments say how something is measured, in the order of the page on conventions.
MEASURING = ("categories", "dependencies", "ccg", "constituents", "inflection", "statistics", "evaluation", "corpora")
#: Arguments that are conventions too, though their values are not listed.
OPEN_CHOICES = ("base", "leave_out", "max_length", "punctuation_rule", "relations", "scheme")
#: Files of other folders that are pages, by the name of the page.
INCLUDED = {"changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md", "speed": "benchmarks/README.md"}
#: Columns that tell the fits of a stored result apart; each row of a fit has the seconds of all of it. One network is
#: decoded by two models.
CELL = ("corpus", "testset", "language", "strategy", "system", "variant", "k", "seed", "run", "step", "size", "track")


def write_pages(folder: Path = GENERATED) -> list[Path]:
    """Write every generated page but the notebooks, and return the files."""
    pages = {f"reference/{package}.rst": text for package, text in reference_pages().items()}
    pages["reference/index.rst"] = reference_index()
    pages |= {f"{name}.md": included_page(file) for name, file in INCLUDED.items()}
    pages |= {"commands.rst": commands_page(), "glossary.rst": glossary_page(), "arguments.rst": arguments_page()}
    pages["conventions.rst"] = conventions_page()
    pages["stored.rst"] = stored_page()
    for left in (*folder.glob("*.*"), *folder.glob("reference/*.rst")):  # of an earlier state of the source
        if left.relative_to(folder).as_posix() not in pages:
            left.unlink()
    return [write_if_changed(folder / name, text) for name, text in pages.items()]


def write_if_changed(path: Path, text: str) -> Path:
    """Write a file unless it has this text already."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return path


def heading(text: str, line: str = "=") -> str:
    """A heading in reStructuredText."""
    return f"{text}\n{line * len(text)}\n\n"


def plain(text: str) -> str:
    """A text in which reStructuredText finds no markup."""
    return re.sub(r"([\\`*_|])", r"\\\1", text)


def list_table(header: Iterable[str], rows: Iterable[Iterable[str]], widths: str = "auto") -> str:
    """A table in reStructuredText; cells are markup already."""
    lines = [".. list-table::", "   :header-rows: 1", "   :class: explained", f"   :widths: {widths}", ""]
    for row in (header, *rows):
        for number, cell in enumerate(row):
            lines.append(f"   {'* -' if number == 0 else '  -'} {cell}".rstrip())
    return "\n".join(lines) + "\n\n"


# Reference ------------------------------------------------------------------------------------------------------------


def public_names() -> dict[str, dict[str, Any]]:
    """Functions and classes that each package exports, by package and name."""
    found: dict[str, dict[str, Any]] = {}
    for module in pkgutil.walk_packages(analysis.__path__, "analysis."):
        if not module.ispkg:
            continue
        package = importlib.import_module(module.name)
        exported = {name: getattr(package, name) for name in getattr(package, "__all__", ())}
        documented = {name: each for name, each in exported.items() if _is_documented(each)}
        if documented:
            found[module.name] = documented
    return found


def _is_documented(value: Any) -> bool:
    value = inspect.unwrap(value) if callable(value) else value
    home = getattr(value, "__module__", "") or ""
    return home.startswith("analysis.") and (inspect.isfunction(value) or inspect.isclass(value))


def reference_pages() -> dict[str, str]:
    """One page per package: a summary, then each function and class with its docstring and its examples of figures.

    What several packages export is described where it comes first; the others refer to it.
    """
    drawn, homes, pages = gallery_functions(), {}, {}
    for package, names in public_names().items():
        parts = [heading(package), f".. automodule:: {package}\n\n"]
        for kind in ("Functions", "Classes"):
            own = sorted(
                (name for name, value in names.items() if inspect.isclass(value) == (kind == "Classes")), key=str.lower
            )
            listed = "".join(f"   {name}\n" for name in own)
            parts += [
                f"{heading(kind, '-')}.. currentmodule:: {package}\n\n.. autosummary::\n   :nosignatures:\n\n{listed}\n"
            ] * bool(own)
            for name in own:
                home = homes.setdefault(id(inspect.unwrap(names[name])), f"{package}.{name}")
                example = package == "analysis.figures" and name in drawn
                parts.append(_entry(f"{package}.{name}", home, kind, example))
        pages[package] = "".join(parts)
    return pages


def _entry(name: str, home: str, kind: str, example: bool) -> str:
    if name != home:
        return f"``{name}`` is :py:obj:`{home}`.\n\n"
    directive = "autoclass" if kind == "Classes" else "autofunction"
    return f".. {directive}:: {name}\n\n" + f"   .. minigallery:: {name}\n\n" * example


def gallery_functions() -> set[str]:
    """Names of the functions of ``figures`` that the gallery calls."""
    texts = [path.read_text(encoding="utf-8") for path in (DOCS / "gallery").glob("plot_*.py")]
    return {name for text in texts for name in re.findall(r"\bfigures\.(\w+)\(", text)}


def reference_index() -> str:
    """The list of the packages."""
    listed = "".join(f"   {package}\n" for package in public_names())
    text = "Every public function and class, by package. A docstring names the convention and the source."
    return heading("Reference") + f"{text}\n\n.. toctree::\n   :maxdepth: 1\n\n{listed}"


def commands_page() -> str:
    """Every command of ``yardstick`` with its help, as ``--help`` prints it."""
    parts = [heading("Commands"), "What ``yardstick COMMAND --help`` prints.\n\n"]
    for name, command in _commands(main, "yardstick"):
        context = click.Context(command, info_name=name, max_content_width=100, terminal_width=100)
        body = textwrap.indent(command.get_help(context), "   ")
        parts += [heading(name, "-"), f".. code-block:: text\n\n{body}\n\n"]
    return "".join(parts)


def _commands(group: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, group
    for inner, command in sorted(getattr(group, "commands", {}).items()):
        yield from _commands(command, f"{name} {inner}")


# Glossaries -----------------------------------------------------------------------------------------------------------


def glossary_page() -> str:
    """Measures and terms, with the function that computes each and its source."""
    parts = [heading("Glossary of measures and terms")]
    for subject, concepts in CONCEPTS.items():
        parts += [heading(subject, "-"), ".. glossary::\n\n"]
        for concept in concepts:
            text = plain(concept.meaning[0].upper() + concept.meaning[1:]) + "."
            if concept.function:
                text += f" :py:obj:`~{concept.function}`."
            if concept.sources:
                text += f" {'; '.join(map(author_year, concept.sources))}."
            parts += [f"   {plain(name)}\n" for name in concept.names] + [f"      {text}\n\n"]
    return "".join(parts)


def arguments_page() -> str:
    """Arguments of functions and options of commands, and columns of tables: one name each, and one default."""
    parts = [heading("Glossary of arguments and columns")]
    text = "An argument or a column has one name and one meaning in the whole suite. A test compares every public"
    parts.append(f"{text} signature, command and stored table with these lists.\n\n")
    rows = [(f"``{term.name}``", plain(term.meaning), _default(term.default)) for term in ARGUMENTS]
    parts += [heading("Arguments and options", "-"), list_table(("name", "meaning", "default"), rows)]
    rows = [(f"``{term.name}``", plain(term.meaning)) for term in COLUMNS]
    parts += [heading("Columns of result tables", "-"), list_table(("name", "meaning"), rows)]
    return "".join(parts)


def _default(value: object) -> str:
    return "" if value is ANY else f"``{value!r}``"


def linkable_terms() -> list[str]:
    """Names that mean the same wherever they are written: those with capitals, digits or several words."""
    names = [name for concepts in CONCEPTS.values() for concept in concepts for name in concept.names]
    return [name for name in names if len(name) > 1 and re.search(r"[A-Z0-9 ]", name) and name[0] not in "<>"]


def with_links(text: str, seen: set[str]) -> str:
    """A text in Markdown in which the first mention of each term, but those seen before, leads to the glossary."""
    names = "|".join(re.escape(name) for name in sorted(linkable_terms(), key=len, reverse=True))
    kept = r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$|!?\[[^\]]*\]\([^)]*\)|^#.*?$|https?://\S+|\\."
    pattern = re.compile(rf"(?P<kept>{kept})|(?<![\w*/.(-])(?P<term>{names})(?![\w(-]|\.\w)", re.DOTALL | re.MULTILINE)

    def replace(match: re.Match[str]) -> str:
        term = match["term"]
        if term is None or term in seen:
            return match[0]
        seen.add(term)
        return f"{{term}}`{term}`"

    return pattern.sub(replace, text)


# Conventions ----------------------------------------------------------------------------------------------------------


def conventions_page() -> str:
    """Arguments with a closed set of choices, from the docstrings; settings of the papers; choices of their claims."""
    parts = [heading("Conventions")]
    parts.append(
        "Papers and tools measure the same thing in different ways. Each such choice is an argument; its default is "
        "the paper's. The tables are made from the docstrings and from ``data/specifications``. ``bool`` stands for "
        "yes or no.\n\n"
    )
    for package in MEASURING:
        rows = [
            (f"``{name}``", f"{choices}; default {default}", f"{meaning} In {functions}.")
            for name, choices, default, meaning, functions in argument_choices(f"analysis.{package}")
        ]
        if rows:
            header = ("argument", "choices", "what it decides")
            parts += [heading(f"analysis.{package}", "-"), list_table(header, rows, "18 24 58")]
    parts += [heading("Settings of the papers", "-"), _settings(), heading("Choices behind each claim", "-")]
    parts.append("The verdicts of :doc:`/robustness` combine these; the first level is the default.\n\n")
    return "".join([*parts, _factors()])


def argument_choices(package: str) -> list[tuple[str, str, str, str, str]]:
    """Arguments of a package's functions that are documented as a choice.

    Each with its choices, default, meaning and functions.
    """
    found: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for module, names in public_names().items():
        if module != package:
            continue
        for name, value in names.items():
            for argument, kind, meaning in _documented(value):
                default = _parameter_default(value, argument)
                listed = argument in OPEN_CHOICES or re.match(r"\{|bool", kind)
                if listed and kind and default is not None and meaning:
                    key = (argument, _choices(kind), default)
                    found.setdefault(key, []).append((name, meaning))
    rows = []
    for (argument, choices, default), uses in sorted(found.items()):
        meaning = max((each for _, each in uses), key=len)
        functions = ", ".join(f":py:obj:`~{package}.{name}`" for name, _ in uses)
        rows.append((argument, choices, f"``{default}``", " ".join(safe_lines([meaning])), functions))
    return rows


def _documented(value: Any) -> Iterator[tuple[str, str, str]]:
    """Arguments of a function or class with their documented type and meaning."""
    text = inspect.getdoc(value)
    parsed = NumpyDocString(text) if text else {"Parameters": [], "Attributes": []}
    for entry in [*parsed["Parameters"], *parsed["Attributes"]]:
        for name in entry.name.split(","):
            yield name.strip(" *"), entry.type, " ".join(" ".join(entry.desc).split())


def _parameter_default(value: Any, argument: str) -> str | None:
    try:
        parameter = inspect.signature(value).parameters.get(argument)
    except (TypeError, ValueError):
        return None
    return None if parameter is None or parameter.default is inspect.Parameter.empty else _as_written(parameter.default)


def _as_written(default: Any) -> str:
    """A default value as the docstrings write it, with double quotes."""
    return f'"{default}"' if isinstance(default, str) else repr(default)


def _choices(kind: str) -> str:
    inside = re.match(r"\{([^}]*)\}", kind)
    return (
        ", ".join(f"``{each.strip()}``" for each in inside[1].split(","))
        if inside
        else f"``{kind.removesuffix(', optional')}``"
    )


def _settings() -> str:
    parts = []
    for paper in _papers():
        setting = importlib.import_module(f"analysis.papers.{paper}").Setting
        meanings = {name: meaning for name, _, meaning in _documented(setting)}
        rows = [(f"``{name}``", f"``{_as_written(parameter.default)}``", " ".join(safe_lines([meanings.get(name, "")])))
                for name, parameter in inspect.signature(setting).parameters.items()]  # fmt: skip
        parts += [
            heading(f"analysis.papers.{paper}", "~"),
            list_table(("argument", "default", "meaning"), rows, "20 25 55"),
        ]
    return "".join(parts)


def _factors() -> str:
    parts = []
    for paper in _papers():
        path = ROOT / "data" / "specifications" / f"{paper}_choices.csv"
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
        rows = [(plain(str(factor)), ", ".join(map(plain, own["level"].unique())), ", ".join(own["kind"].unique()))
                for factor, own in table.groupby("factor", sort=False)]  # fmt: skip
        parts += [heading(paper, "~"), list_table(("factor", "levels", "kind"), rows, "25 55 20")]
    return "".join(parts)


def _papers() -> list[str]:
    return sorted(
        path.name.removesuffix("_choices.csv") for path in (ROOT / "data/specifications").glob("*_choices.csv")
    )


# Stored results -------------------------------------------------------------------------------------------------------


def stored_page() -> str:
    """What was computed beforehand, by which call and in what time, and which long runs are not finished."""
    return (
        heading("Stored results")
        + "Long computations on recorded corpora are stored in ``data/results``, as counts and scores, with the call, "
        "seeds, versions and a digest of the source. Reports and notebooks show them to readers who have no corpora; a "
        'result whose source has changed since is marked "made by other source", unless some of its cells were '
        "computed again and agree, to twelve digits or the decimals that are stored; then it says how many "
        "(``python -m benchmarks.certify_stored``).\n\n"
        + list_table(("stored", "rows", "seeds", "hours", "call"), map(_stored_row, stored_runs()), "20 8 8 8 56")
        + "Hours are seconds of the fits, where they were stored, on two cores of a shared machine.\n\n"
        + heading("Not finished", "-")
        + "Long runs that would make the stored results better, in the order in which they would be done. Each call "
        "goes on where it was stopped. Hours are estimates for one core.\n\n"
        + list_table(("paper", "left", "call", "hours", "estimated from"), map(_left_row, long_runs()), "12 30 30 8 20")
    )


def stored_runs() -> list[tuple[str, pd.DataFrame, dict[str, Any]]]:
    """Name, table and record of each stored result that is no table, verdicts or curve of a whole paper."""
    found = []
    for path in sorted((ROOT / "data" / "results").glob("*.json")):
        about = json.loads(path.read_text(encoding="utf-8"))
        if ".store_" not in about["command"]:
            table = pd.read_csv(path.with_suffix(".csv"), keep_default_na=False, na_values=[""], low_memory=False)
            found.append((path.stem, table, about))
    return found


def long_runs() -> list[dict[str, str]]:
    """The rows of ``data/long_runs.csv``."""
    with (ROOT / "data" / "long_runs.csv").open(encoding="utf-8", newline="") as file:
        return sorted(csv.DictReader(file), key=lambda row: int(row["order"]))


def _stored_row(stored: tuple[str, pd.DataFrame, dict[str, Any]]) -> Iterator[str]:
    name, table, about = stored
    seeds = about["seeds"]
    cell = [column for column in table.columns if column in (*CELL, "seconds")]
    hours = table.drop_duplicates(cell)["seconds"].sum() / 3600 if "seconds" in table.columns else None
    yield plain(name)
    yield f"{len(table):,}"
    yield f"{min(seeds)}–{max(seeds)}" if len(seeds) > 1 else "".join(map(str, seeds))
    yield "" if hours is None else f"{hours:.2g}"
    yield f"``{about['command']}``"


def _left_row(row: dict[str, str]) -> tuple[str, ...]:
    left = re.sub(r"`([^`]+)`", r"``\1``", row["left"])
    return row["paper"], left, f"``{row['call']}``", row["hours"] or "not known", row["estimated_from"]


# Files of other folders -----------------------------------------------------------------------------------------------


def included_page(file: str) -> str:
    """A file of another folder in Markdown, its links turned into those of the site."""
    pages = {f"docs/{path.name}": f"/{path.name}" for path in DOCS.glob("*.md")}
    pages |= {inside: f"/generated/{name}.md" for name, inside in INCLUDED.items()}

    def link(match: re.Match[str]) -> str:
        return f"]({pages.get(match[1], match[1])})"

    return re.sub(r"\]\(([^)\s]+)\)", link, (ROOT / file).read_text(encoding="utf-8"))
