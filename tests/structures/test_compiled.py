"""Machine code: kept in a folder of the user by a digest of all kernels, and never stale."""

import gc
import importlib
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from analysis.structures import compiled
from analysis.structures.locks import locked_file

KERNELS = {
    "below": """
        from analysis.structures.compiled import njit

        @njit(cache=True)
        def inner(x):
            return x + 1
    """,
    "above": """
        from analysis.structures.compiled import njit
        from toykernels.below import inner

        @njit(cache=True)
        def outer(x):
            return 10 * inner(x)
    """,
    "constants": "STEP = 1\n",
}


def write(folder, files):
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")


@pytest.mark.thorough
def test_a_kernel_edited_in_another_file_is_compiled_into_its_callers(tmp_path):
    copy = tmp_path / "copy" / "analysis"
    keep = shutil.ignore_patterns("__pycache__", "papers", "explore", "report", "ccg", "inflection", "figures")
    shutil.copytree(compiled.PACKAGE, copy, ignore=keep)
    package = copy.parent / "analysis" / "toy"
    package.mkdir()
    (package / "__init__.py").touch()
    write(package, {name: text.replace("toykernels", "analysis.toy") for name, text in KERNELS.items()})
    program = "from analysis.toy.above import outer; print(outer(1), outer.stats.cache_hits)"

    def result():
        environment = os.environ | {"PYTHONPATH": str(copy.parent), "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
        command = [sys.executable, "-c", program]
        run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=copy.parent, check=False)
        assert run.returncode == 0, run.stderr
        return run.stdout.split()[0]

    assert result() == result() == "20"
    assert len(list((tmp_path / "numba").iterdir())) == 1
    below = package / "below.py"
    below.write_text(below.read_text(encoding="utf-8").replace("x + 1", "x + 2"), encoding="utf-8")
    assert result() == "30"
    assert len(list((tmp_path / "numba").iterdir())) == 2


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
def test_a_kernel_that_two_processes_need_at_once_is_compiled_by_one(tmp_path):
    package = tmp_path / "toykernels"
    package.mkdir()
    write(package, KERNELS)
    program = (
        "from numba.core import event; from toykernels.above import outer\n"
        "class Names(event.Listener):\n"
        "    def on_start(self, started): print(started.data['dispatcher'].py_func.__name__)\n"
        "    def on_end(self, ended): pass\n"
        "event.register('numba:compile', Names())\n"
        "print('ready', flush=True); input(); print(outer(1))\n"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), str(compiled.PACKAGE.parent)])
    environment.pop("ANALYSIS_COMPILED", None)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
    both = [subprocess.Popen([sys.executable, "-c", program], **pipes) for _ in range(2)]
    for process in both:
        assert process.stdout.readline() == "ready\n"
    for process in both:
        process.stdin.write("\n")
        process.stdin.flush()
    printed = [process.communicate()[0].split() for process in both]
    assert sorted(printed) == [["20"], ["outer", "inner", "20"]]
    assert not list((tmp_path / "numba").rglob("*.lock"))


@pytest.mark.thorough
def test_no_garbage_is_collected_while_a_kernel_is_compiled(monkeypatch):
    monkeypatch.delenv("ANALYSIS_COMPILED", raising=False)
    event = compiled.compiler("numba.core.event")
    seen = []

    class Seen(event.Listener):
        def on_start(self, started):
            seen.append(gc.isenabled())

        def on_end(self, ended):
            seen.append(gc.isenabled())

    @compiled.njit(cache=False)
    def below(x):
        return x + 1

    @compiled.njit(cache=False)
    def above(x):
        return below(x)

    assert gc.isenabled()
    with event.install_listener("numba:compile", Seen()):
        assert above(1) == 2
    assert seen == [False] * 4 and gc.isenabled()


def test_what_another_process_compiles_is_not_waited_for_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "LONGEST_WAIT", 0.2)
    lock = tmp_path / "kernel.lock"
    with locked_file(lock), compiled._alone(lock):
        assert not compiled._compiling
    with compiled._alone(lock), compiled._alone(lock):  # a kernel that needs itself for other types
        assert compiled._compiling == {lock}
    (tmp_path / "file").touch()
    with compiled._alone(tmp_path / "file" / "kernel.lock"):  # no folder
        assert not compiled._compiling
    assert not compiled._compiling and not lock.exists()


def test_no_two_kernels_have_one_name():
    """The name goes into the names of machine code, with a number that starts anew in each process that compiles."""
    kernels = {}
    for path in compiled.kernel_files():
        module = importlib.import_module(".".join(path.relative_to(compiled.PACKAGE.parent).with_suffix("").parts))
        kernels |= {id(value): value.py_func for value in vars(module).values() if hasattr(value, "py_func")}
    names = Counter(f"{function.__module__}.{function.__qualname__}" for function in kernels.values())
    assert len(names) > 50
    assert [name for name, count in names.items() if count > 1] == []


def test_every_kernel_takes_njit_from_one_place():
    for path in compiled.PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "compiled.py":
            assert "import njit" not in text.replace("from analysis.structures.compiled import njit", ""), path
            assert "numba.njit" not in text and "@jit" not in text, path
        if "njit" in text:
            assert path in compiled.kernel_files(), path


def test_the_digest_changes_with_each_kernel_and_with_what_kernels_import(tmp_path):
    package = tmp_path / "toykernels"
    package.mkdir()
    files = KERNELS | {
        "above": "from toykernels.constants import STEP\n" + textwrap.dedent(KERNELS["above"]),
        "apart": "A = 1",
    }
    write(package, files)
    assert {path.stem for path in compiled.kernel_files(package)} == {"above", "below", "constants"}
    first = compiled.kernel_digest(package)
    for name in ("above", "below", "constants"):
        write(package, files | {name: files[name] + "\nMORE = 1\n"})
        assert compiled.kernel_digest(package) != first, name
    write(package, files | {"apart": "A = 2"})
    assert compiled.kernel_digest(package) == first


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
def test_a_folder_of_machine_code_is_the_users_alone(tmp_path, monkeypatch):
    folder = tmp_path / "kernels"
    compiled.own_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    compiled.own_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(compiled.os, "getuid", lambda: 12_345)
    with pytest.raises(PermissionError, match="belongs to another user"):
        compiled.own_folder(folder)
    (tmp_path / "link").symlink_to(folder)
    monkeypatch.undo()
    with pytest.raises(PermissionError):
        compiled.own_folder(tmp_path / "link")


def test_a_refused_folder_keeps_nothing_and_hinders_nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiled, "own_folder", lambda folder: (_ for _ in ()).throw(PermissionError("not yours")))
    assert compiled.kernel_folder.__wrapped__() is None


def test_folders_of_other_sources_go_a_week_after_their_last_use_unless_they_are_held(tmp_path):
    old, held, recent, mine = (tmp_path / f"kernels-{letter * 16}" for letter in "abcd")
    other = tmp_path / "kernels-of-somebody"
    for folder in (old, held, recent, mine, other):
        folder.mkdir()
        compiled._mark_used(folder)
    held_open = compiled._held[-5:]
    for handle in (*held_open[:1], *held_open[2:]):
        os.close(handle)
        compiled._held.remove(handle)
    then = time.time() - compiled.WEEK - 60
    for folder in (old, held, mine, other):
        os.utime(folder / "in-use", (then, then))
    assert compiled.remove_old_folders(tmp_path, keep=mine) == [old]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(p.name for p in (held, recent, mine, other))
    os.close(held_open[1])
    compiled._held.remove(held_open[1])


def test_the_folder_given_by_the_user_is_the_parent(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert compiled.cache_parent() == tmp_path
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert compiled.cache_parent().name == "numba"


@pytest.mark.parametrize(("how", "printed"), [("off", "function 2"), ("uncached", "CPUDispatcher 2")])
def test_the_switch_of_compilation(how, printed, tmp_path):
    (tmp_path / "one.py").write_text(textwrap.dedent(KERNELS["below"]), encoding="utf-8")
    program = "from one import inner; print(type(inner).__name__, inner(1))"
    environment = os.environ | {"ANALYSIS_COMPILED": how, "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), str(compiled.PACKAGE.parent)])
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout.strip() == printed
    assert not list(Path(tmp_path).rglob("*.nbi"))


def test_an_unknown_switch_is_refused(monkeypatch):
    monkeypatch.setenv("ANALYSIS_COMPILED", "slowly")
    with pytest.raises(ValueError, match="ANALYSIS_COMPILED is 'slowly'"):
        compiled.njit(lambda x: x)


@pytest.mark.thorough
def test_a_kernel_that_is_called_with_constants_is_compiled_once_for_their_type(monkeypatch):
    monkeypatch.delenv("ANALYSIS_COMPILED", raising=False)

    @compiled.njit(cache=False)
    def inner(x, pair):
        return x + pair[0]

    @compiled.njit(cache=False)
    def outer(n):
        return inner(1, (2, n)) + inner(n, (n, 3)) + inner(x=4, pair=(n, n))

    assert outer(10) == 1 + 2 + 10 + 10 + 4 + 10
    assert len(inner.signatures) == 1


@pytest.mark.thorough
def test_a_kernel_with_a_signature_is_compiled_at_its_first_use_and_for_no_other_types(monkeypatch):
    monkeypatch.delenv("ANALYSIS_COMPILED", raising=False)

    @compiled.njit("float64(float64[::1], int64)", cache=False)
    def scaled(row, times):
        return row.sum() * times

    @compiled.njit("float64(float64[::1])", cache=False)
    def doubled(row):
        return scaled(row, 2)

    @compiled.njit(["int64(int64)", "float64(float64)"], cache=False)
    def itself(x):
        return x

    assert not scaled.signatures and not doubled.signatures
    row = np.array([0.5, 1.0])
    assert doubled(row) == 3.0 and doubled(row) == 3.0
    assert scaled(row, True) == 1.5
    assert len(scaled.signatures) == len(doubled.signatures) == 1
    with pytest.raises(TypeError, match="No matching definition"):
        scaled(np.array([1, 2]), 2)
    assert [itself(0.5), itself(1)] == [0.5, 1] and len(itself.signatures) == 2
    fresh = compiled.njit("float64(float64[::1])", cache=False)(doubled.py_func)
    with pytest.raises(TypeError):
        fresh(np.array([1, 2]))
    fresh.compile_now()
    assert fresh(row) == 3.0
    assert compiled.njit("float64(float64[::1], int64)", cache=False)(scaled.py_func)(times=4, row=row) == 6.0
