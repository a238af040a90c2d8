"""Run the benchmarks and write their table into a file: ``python -m benchmarks [NAME…] [--write FILE]``."""

import argparse
import importlib
import os
import platform
import re
import sys
from pathlib import Path

import pandas as pd

from analysis.report.systems import write_between

FOLDER = Path(__file__).parent
NAMES = sorted(
    {path.stem for path in FOLDER.glob("[a-z]*.py")}
    - {"certify_stored", "coverage", "mutations", "own_numbers", "scaling"}
)  # which measure no time, or are run by hand
LONG = {"reproduction"}  # runs only where it is named


def machine() -> str:
    """The processor, the number of cores, and the versions that the numbers belong to."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    versions = ", ".join(f"{name} {importlib.import_module(name).__version__}" for name in ("numpy", "numba", "pandas"))
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, {versions}"


def main() -> int:
    """Run what was named, in alphabetical order, and print or write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    every = f"any of {', '.join(NAMES)}; default: all but {', '.join(LONG)}"
    parser.add_argument("names", nargs="*", metavar="NAME", help=every)
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the tables between the marks of this file; others there stay"
    )
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - set(NAMES))
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}")
    sections = []
    for name in arguments.names or sorted({*NAMES} - LONG):
        table = importlib.import_module(f"benchmarks.{name}").main()
        sections.append(f"**{name.replace('_', ' ')}**\n\n{markdown(table)}")
    if arguments.write and arguments.names:
        sections = merged(arguments.write.read_text(encoding="utf-8"), sections)
    text = f"Measured on: {machine()}.\n\n" + "\n\n".join(sections)
    if arguments.write:
        write_between(arguments.write, "benchmarks", text)
    return 0


def merged(text: str, sections: list[str]) -> list[str]:
    """Sections of a file with some measured again, in alphabetical order."""
    inside = text.partition("<!-- benchmarks: begin -->")[2].partition("<!-- benchmarks: end -->")[0]
    standing = ["**" + part.strip() for part in re.split(r"^\*\*(?=[a-z ]+\*\*$)", inside, flags=re.MULTILINE)[1:]]
    by_name = {part.partition("\n")[0].strip("*"): part for part in [*standing, *sections]}
    return [by_name[name] for name in sorted(by_name)]


def markdown(table: pd.DataFrame) -> str:
    """A table as Markdown, numbers to three significant digits."""
    shown = table.map(
        lambda value: f"{value:,.3g}" if isinstance(value, float) and abs(value) < 1e4 else written(value)
    )
    rows = [list(shown.columns), ["---"] * shown.shape[1], *shown.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def written(value: object) -> str:
    """A number to three significant digits, or with its thousands parted; everything else as it is."""
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, float) and abs(value) < 1e4:
        return f"{value:.3g}"
    if isinstance(value, float | int) and not isinstance(value, bool):
        return f"{value:,.0f}"
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
