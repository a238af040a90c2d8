"""Small faults, planted one at a time in a copy of the source: which do the tests notice?

    python -m benchmarks.mutations                 # all faults; a table of what survived, and the count
    python -m benchmarks.mutations categories ccg  # those of some subjects
    python -m benchmarks.mutations --list          # only check that every fault still fits the source
    python -m benchmarks.mutations --quick         # do not run the tests first without a fault

A fault names a file, a text that occurs in it exactly once, what stands in its place, and the tests that should fail.
A text that no longer occurs, or occurs twice, is an error: the source has changed, so write the fault again. The faults
are of the kinds that tests miss most easily: ties, equality at a boundary, one more or one less, defaults, options that
are not passed on. They lie in ``mutations.toml``. The checkout itself is never touched. Not on Windows (it forks).
"""

import argparse
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FAULTS = Path(__file__).with_name("mutations.toml")
LARGE = (
    *("click", "ipywidgets", "joblib", "matplotlib.figure", "nbformat", "numba", "pandas", "patsy"),
    *("pooch", "pyarrow.parquet", "scipy.cluster.hierarchy", "scipy.sparse", "scipy.stats", "seaborn"),
    *("sklearn", "statsmodels.api"),
)
ERROR = 99  # exit status of a fork that did not get as far as pytest's
LIMIT = 600  # seconds for the tests of one fault


@dataclass(frozen=True)
class Fault:
    """One change of the source, and the tests that should notice it."""

    subject: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    only: str = ""  # pytest's -k

    def source(self, root: Path) -> tuple[str, str]:
        """The source as it is and with the fault; refuses a text that is not there exactly once."""
        path = root / self.file
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if text.count(self.old) != 1:
            raise ValueError(f"stale: {self.file} has {text.count(self.old)} times {self.old!r}.")
        return text, text.replace(self.old, self.new)


def read_faults(path: Path = FAULTS) -> list[Fault]:
    """The faults of the file, in its order."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return [
        Fault(subject, table["file"], table["old"], table["new"], tuple(table["tests"].split()), table.get("only", ""))
        for subject, faults in tables.items()
        for table in faults
    ]


def copy_checkout(folder: Path) -> None:
    """Copy the files that git knows, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)


def tests_pass(root: Path, tests: tuple[str, ...], only: str, compiled: Path, log: Path) -> bool:
    """Run some tests of the copy in a fork of this process, which has the large packages in memory."""
    child = os.fork()
    if child == 0:
        code = ERROR
        try:
            os.chdir(root)
            sys.path.insert(0, str(root))
            os.environ.pop("ANALYSIS_CACHE", None)  # what another fault computed must not be read
            os.environ |= {"PYTHONPATH": str(root), "NUMBA_CACHE_DIR": str(compiled), "CI": "1"}
            with log.open("wb") as stream:
                os.dup2(stream.fileno(), 1)
                os.dup2(stream.fileno(), 2)
                import pytest

                chosen = ["-k", only] if only else []
                code = int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", f"--timeout={LIMIT}", *chosen, *tests]))
        finally:
            os._exit(code)  # the folders are the parent's to delete
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 1, 2):  # 2: a test module could not be imported
        raise RuntimeError(f"pytest ended with {code}:\n{log.read_text(encoding='utf-8')[-2000:]}")
    return code == 0


def notices(fault: Fault, root: Path, home: Path) -> bool:
    """Whether the tests of a fault fail with it; the copy is whole again afterwards."""
    whole, broken = fault.source(root)
    anew = home / "compiled anew"  # numba compares a kernel's own file, not those of the kernels that it calls
    compiled = anew if "njit" in whole else home / "compiled"
    (root / fault.file).write_text(broken, encoding="utf-8")
    try:
        return not tests_pass(root, fault.tests, fault.only, compiled, home / "log.txt")
    finally:
        (root / fault.file).write_text(whole, encoding="utf-8")
        shutil.rmtree(anew, ignore_errors=True)


def main() -> int:
    """Plant the faults and print which survived; the exit status is their number."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("subjects", nargs="*", help="subjects whose faults are planted; all by default")
    parser.add_argument("--list", action="store_true", help="only check that the faults fit the source")
    parser.add_argument("--quick", action="store_true", help="do not run the tests first without a fault")
    chosen = parser.parse_args()
    faults = [fault for fault in read_faults() if not chosen.subjects or fault.subject in chosen.subjects]
    for fault in faults:
        fault.source(ROOT)
    if chosen.list:
        print(f"{len(faults)} faults fit the source")
        return 0
    for package in LARGE:
        importlib.import_module(package)  # in memory once, for every fork
    survived = []
    sound: dict[tuple[tuple[str, ...], str], bool] = {}
    with tempfile.TemporaryDirectory(prefix="mutations-") as name:
        home, root = Path(name), Path(name) / "checkout"
        copy_checkout(root)
        for number, fault in enumerate(faults, 1):
            begun = time.perf_counter()
            tests = fault.tests, fault.only
            if tests not in sound:
                sound[tests] = chosen.quick or tests_pass(root, *tests, home / "compiled", home / "log.txt")
            if not sound[tests]:
                said = "FAILS WITHOUT IT"
            else:
                said = "caught" if notices(fault, root, home) else "SURVIVED"
            if said != "caught":
                survived.append(fault)
            line = " ".join(fault.new.split())[:80]
            seconds = time.perf_counter() - begun
            print(
                f"{number:3}/{len(faults)} {said:8} {seconds:5.1f} s  {fault.subject}: {fault.file}: {line}", flush=True
            )
    print(f"{len(faults) - len(survived)} of {len(faults)} faults were caught")
    return len(survived)


if __name__ == "__main__":
    sys.exit(main())
