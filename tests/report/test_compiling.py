"""What a report compiles before its runs begin."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.papers import recipe
from analysis.report import compiling

CHECK = """
import sys
from numba.core import event
from analysis.report.compiling import fit_some_words

class Names(event.Listener):
    def on_start(self, started):
        print(started.data["dispatcher"].py_func.__name__)
    def on_end(self, ended):
        pass

event.register("numba:compile", Names())
fit_some_words(sys.argv[1])
"""


def test_models_and_papers_are_known():
    assert set(compiling.FIRST) <= set(recipe.paper_folders())
    named = {name for names in compiling.FIRST.values() for name in names}
    assert named == set(compiling.DEAREST) <= set(compiling.models.__all__)


def test_what_was_compiled_is_not_compiled_again(tmp_path, monkeypatch):
    monkeypatch.delenv("ANALYSIS_COMPILED", raising=False)
    monkeypatch.setattr(compiling.compiled, "kernel_folder", lambda: tmp_path)
    monkeypatch.setattr(compiling.joblib, "effective_n_jobs", lambda n_jobs: 2)
    done, told = [], []
    monkeypatch.setattr(compiling, "fit_some_words", done.append)
    monkeypatch.setattr(
        compiling.joblib, "Parallel", lambda **options: lambda jobs: [f(*given) for f, given, _ in jobs]
    )
    assert compiling.compile_models(["reichart2010", "frank2009"], tell=told.append) == ["InfiniteHMM", "BayesianHMM"]
    assert compiling.compile_models(["frank2009"], tell=told.append) == []
    assert done == ["InfiniteHMM", "BayesianHMM"] and told == ["compiling InfiniteHMM, BayesianHMM"]
    monkeypatch.setenv("ANALYSIS_COMPILED", "off")
    assert compiling.compile_models(["gelling2012"]) == []


@pytest.mark.thorough
def test_a_process_after_it_compiles_nothing(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    environment.pop("ANALYSIS_COMPILED", None)

    def compiled():
        command = [sys.executable, "-c", CHECK, "BayesianHMM"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert "sweep" in " ".join(compiled())
    assert compiled() == []
