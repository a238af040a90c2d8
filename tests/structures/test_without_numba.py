"""Without numba and pyarrow every measure gives the same numbers, and a model says what it needs."""

import inspect
import json
import math
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAM = HERE / "every_measure.py"
DIGITS = 1e-12


def run(program, *words):
    environment = {name: value for name, value in os.environ.items() if name != "ANALYSIS_COMPILED"}
    environment["PYTHONPATH"] = str(HERE.parents[1])
    command = [sys.executable, *program, *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def hidden(code):
    """Run code where numba, llvmlite and pyarrow cannot be imported."""
    return run(["-c", f"import sys; sys.path.insert(0, {str(HERE)!r})\nfrom hiding import hide\nhide()\n{code}"])


def differences(one, other, at=""):
    """Places where two results differ, numbers by more than twelve digits."""
    if isinstance(one, dict) and isinstance(other, dict):
        same = one.keys() == other.keys()
        return [d for key in one for d in differences(one[key], other[key], f"{at} {key}")] if same else [at]
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return [at]
        return [
            d for number, pair in enumerate(zip(one, other, strict=True)) for d in differences(*pair, f"{at} {number}")
        ]
    if isinstance(one, float) and isinstance(other, float):
        equal = math.isclose(one, other, rel_tol=DIGITS, abs_tol=DIGITS) or (math.isnan(one) and math.isnan(other))
        return [] if equal else [at]
    return [] if one == other else [at]


@pytest.fixture(scope="module")
def results():
    """What the program prints with and without numba and pyarrow."""
    found = []
    for words in ([], ["hidden"]):
        done = run([PROGRAM], *words)
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    return found


@pytest.mark.thorough
def test_every_measure_gives_the_same_numbers_on_numpy_alone(results):
    compiled, plain = results
    assert "numba" in compiled["loaded"] and plain["loaded"] == []
    assert compiled["numbers"].keys() == plain["numbers"].keys()
    assert differences(compiled["numbers"], plain["numbers"]) == []


@pytest.mark.thorough
def test_no_function_of_the_measuring_packages_is_left_out(results):
    computed = {name.partition(" ")[0] for name in results[0]["numbers"]}
    public = set()
    for package in ("categories", "dependencies", "constituents", "ccg", "inflection"):
        module = import_module(f"analysis.{package}")
        functions = {name: inspect.unwrap(getattr(module, name)) for name in module.__all__ if name.islower()}
        public |= {f"{package}.{name}" for name, function in functions.items() if inspect.isfunction(function)}
    assert computed == public and len(public) > 100


def test_the_comparison_sees_the_thirteenth_digit_as_equal_and_the_eleventh_not():
    assert differences({"a": [1.0, "x"]}, {"a": [1.0 + 1e-13, "x"]}) == []
    assert differences({"a": [1.0, "x"]}, {"a": [1.0 + 1e-11, "x"]}) == [" a 0"]
    assert differences({"a": [1.0]}, {"a": [math.nan]}) == [" a 0"] and differences([1.0], []) == [""]
    assert differences({"a": "x"}, {"a": "y"}) == [" a"] and differences({"a": 1.0}, {"b": 1.0}) == [""]


def test_a_model_that_needs_numba_says_so_in_one_line_and_others_run():
    code = """
from analysis.categories.models import BayesianHMM, ExchangeClustering, FrequentFrames, VariationalHMM
from analysis.corpora.language import generate
from analysis.dependencies.models import DMV, ConstantDirection
from analysis.inflection.models import CopyBaseline, NearestAnalogy
import pandas as pd

tokens = generate(20, 1).tokens.astype({"fine": "str"})
verbs = pd.DataFrame({"lemma": ["walk"], "form": ["walked"], "features": "V;PST"})
models = (BayesianHMM(), ExchangeClustering(), VariationalHMM(), FrequentFrames(), DMV(), ConstantDirection())
for model in models:
    try:
        model.fit(tokens)
        print(type(model).__name__, "runs")
    except ModuleNotFoundError as error:
        print(type(model).__name__, error)
for model in (NearestAnalogy(), CopyBaseline()):
    try:
        model.fit(verbs).predict(verbs)
        print(type(model).__name__, "runs")
    except ModuleNotFoundError as error:
        print(type(model).__name__, error)
"""
    told = "this model needs numba, which is not installed here; all measures run without it."
    needing = ("BayesianHMM", "ExchangeClustering", "VariationalHMM", "DMV", "NearestAnalogy")
    running = ("FrequentFrames", "ConstantDirection", "CopyBaseline")
    done = hidden(code)
    lines = set(done.stdout.splitlines())
    assert lines == {f"{name} {told}" for name in needing} | {f"{name} runs" for name in running}, done.stderr


def test_a_command_with_such_a_model_says_so_in_one_line(tmp_path):
    text = tmp_path / "words.txt"
    text.write_text("ducks swim\nducks eat\n")
    words = ["cluster", str(text), "--model", "bhmm", "--output", str(tmp_path / "out.txt")]
    done = hidden(f"from analysis.__main__ import main\nmain({words!r})")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("Error: this model needs numba")


def test_the_built_in_language_is_drawn_alike_and_is_read_without_a_cache(tmp_path):
    code = """
from analysis.corpora.language import generate
print(generate(30, 1).tokens["form"].str.cat(sep=" "))
"""
    assert hidden(code).stdout == run(["-c", code]).stdout != ""
