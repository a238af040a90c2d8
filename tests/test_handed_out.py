"""Whatever a public function hands out, a reader may change: the next call gives the right result.

Each public function that returns tables or arrays is called as in the first example of its docstring that returns,
or as in `CALLS`; what it returned is spoiled, and the same call is made again. A function with neither fails.
"""

import dataclasses
import doctest
import importlib
import inspect
import typing
from functools import partial

import numpy as np
import pandas as pd
import pytest

from analysis.structures.kept import handed_out, kept

pytestmark = pytest.mark.thorough

#: Packages whose public functions are walked. Those of the papers are added here, as ``papers.frank2009``.
PACKAGES = (
    "structures", "corpora", "corpora.language", "statistics", "categories", "categories.models", "dependencies",
    "dependencies.models", "inflection", "inflection.errors", "ccg", "evaluation", "report",
)  # fmt: skip

#: Calls of functions whose docstring has no example that can be repeated, by package and name.
GOLD = pd.DataFrame({"lemma": ["look", "sing"], "form": ["looked", "sang"], "features": ["V;PST"] * 2})
ANSWERS = GOLD[["lemma", "features"]].assign(predicted=["looked", "singed"])
RUNS = pd.DataFrame({"model": "A", "size": 10, "seed": [0, 1, 2], "accuracy": [50.0, 60.0, 70.0]})
CALLS = {
    "structures.encode_pair": lambda call: call(["a", "b"], ["b", "b"]),
    "corpora.load": lambda call: [call("nursery", part) for part in ("train", "test")],
    "corpora.sample": lambda call: call("nursery", 5),
    "corpora.language.load_grammar": lambda call: call(),
    "corpora.language.nursery_part": lambda call: call("train"),
    "inflection.accuracy_table": lambda call: call(GOLD, ANSWERS, GOLD),
    "inflection.aligned": lambda call: call(GOLD, ANSWERS),
    "inflection.as_given": lambda call: call(GOLD, GOLD, GOLD, [1, 2], 0),
    "inflection.error_counts": lambda call: call(classified()),
    "inflection.errors.error_counts": lambda call: call(classified()),
    "inflection.learning_curve": lambda call: call(RUNS, by=["model"]),
    "inflection.seen_in_training": lambda call: call(GOLD, GOLD),
}
#: What is read from files of a corpus that has to be at hand; each keeps its tables on the disk only.
NOT_HERE = {"corpora.counts", "corpora.incidents"}


def classified():
    from analysis.inflection import aligned, classify_errors

    table = aligned(GOLD, ANSWERS)
    return classify_errors("English", table["lemma"], table["form"], table["predicted"])


HOLD_TABLES = (pd.DataFrame, pd.Series, np.ndarray)


def holds_tables(hint, depth=0):
    """Whether what an annotation stands for is, or has in it, a table, a column or an array."""
    if depth > 4:
        return False
    if isinstance(hint, type) and issubclass(hint, HOLD_TABLES):
        return True
    if isinstance(hint, type) and (hasattr(hint, "_fields") or dataclasses.is_dataclass(hint)):
        return any(holds_tables(inner, depth + 1) for inner in typing.get_type_hints(hint).values())
    return any(holds_tables(inner, depth + 1) for inner in typing.get_args(hint))


def public_functions():
    for package in PACKAGES:
        module = importlib.import_module(f"analysis.{package}")
        for name in module.__all__:
            function = getattr(module, name)
            if f"{package}.{name}" in NOT_HERE:
                continue
            if inspect.isroutine(function) and holds_tables(typing.get_type_hints(function).get("return")):
                yield package, name


def spoil(value):
    """Change a result in every way that a reader can."""
    if isinstance(value, pd.DataFrame):
        value.index.name = "spoiled"
        for place, name in enumerate(list(value.columns)):
            if len(value):
                value.iloc[0, place] = value.iloc[-1, place]
            value[name] = "spoiled"
        for name in dict.fromkeys(value.columns):
            value.pop(name)
        value["spoiled"] = None
    elif isinstance(value, pd.Series):
        value.index.name = value.name = "spoiled"
        if len(value):
            value.iloc[:] = value.iloc[0]
            value.pop(value.index[0])
    elif isinstance(value, np.ndarray):
        if value.flags.writeable and value.size:
            value[...] = ~value if value.dtype == bool else value.dtype.type() if value.any() else 1
    elif isinstance(value, list | set | dict):
        for entry in list(value.values()) if isinstance(value, dict) else list(value):
            spoil(entry)
        value.clear()
    elif isinstance(value, tuple):
        for entry in value:
            spoil(entry)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            spoil(getattr(value, field.name))


def assert_same(first, second):
    assert type(first) is type(second)
    if isinstance(first, pd.DataFrame):
        one, other = (table.drop(columns="seconds", errors="ignore") for table in (first, second))
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    elif isinstance(first, pd.Series):
        pd.testing.assert_series_equal(first, second, check_exact=True)
    elif isinstance(first, np.ndarray):
        np.testing.assert_array_equal(first, second)
    elif isinstance(first, list | tuple):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    elif isinstance(first, dict):
        assert list(first) == list(second)
        for key in first:
            assert_same(first[key], second[key])
    elif dataclasses.is_dataclass(first):
        for field in dataclasses.fields(first):
            if not field.name.startswith("seconds"):
                assert_same(getattr(first, field.name), getattr(second, field.name))


class Repeated:
    """Calls a function twice, and spoils the first result in between; keeps whether it was called."""

    def __init__(self, function):
        self.function, self.called, self.__name__ = function, False, function.__name__

    def __call__(self, *arguments, **keywords):
        if "random_state" in inspect.signature(self.function).parameters:
            keywords = {"random_state": 0, **keywords} if len(arguments) < 3 else keywords
        own = [copied(argument) for argument in arguments]  # a result may have the caller's own table in it
        first = self.function(*own, **{name: copied(argument) for name, argument in keywords.items()})
        if inspect.isgenerator(first):
            first = list(first)
            again = partial(list, self.function(*arguments, **keywords))
        else:
            again = partial(self.function, *arguments, **keywords)
        expected = copied(first)
        spoil(first)
        second = again()
        assert_same(second, expected)
        self.called = True
        return second

    def __getattr__(self, name):
        return getattr(self.function, name)


def copied(value):
    if isinstance(value, pd.DataFrame | pd.Series):
        return value.copy(deep=True)
    plain = isinstance(value, np.ndarray | list | tuple | dict) or dataclasses.is_dataclass(value)
    return handed_out(value) if plain else value


def run_example(function, package):
    """Run the examples of a docstring with the function repeated; whether it was called."""
    module = inspect.getmodule(inspect.unwrap(function))
    repeated = Repeated(function)
    names = {**vars(module), **vars(importlib.import_module(f"analysis.{package}")), function.__name__: repeated}
    for test in doctest.DocTestFinder(recurse=False).find(inspect.unwrap(function), function.__name__, module=module):
        for example in test.examples:
            if example.exc_msg is None and not example.options.get(doctest.SKIP):
                exec(compile(example.source, f"<example of {function.__name__}>", "single"), names)
    return repeated.called


@pytest.mark.parametrize(("package", "name"), list(public_functions()), ids=lambda part: part)
def test_what_is_handed_out_may_be_changed(package, name, capsys):
    function = getattr(importlib.import_module(f"analysis.{package}"), name)
    if f"{package}.{name}" in CALLS:
        CALLS[f"{package}.{name}"](Repeated(function))
        return
    assert run_example(function, package), f"{package}.{name} has no example that returns: add a call to CALLS"


def test_a_function_that_hands_out_what_it_keeps_is_caught():
    table = pd.DataFrame({"form": ["look"]}, index=pd.Index([3], name="row"))

    def shared(x=0):
        return {"table": table, "array": array}

    array = np.arange(3)
    with pytest.raises(AssertionError):
        Repeated(shared)()
    table = pd.DataFrame({"form": ["look"]}, index=pd.Index([3], name="row"))
    array = np.arange(3)
    Repeated(kept(shared))(x=1)
    assert kept(shared)(1)["table"].equals(table) and table.index.name == "row"


@dataclasses.dataclass(frozen=True)
class Held:
    """What a kept function may return."""

    table: pd.DataFrame
    parts: dict


def test_a_kept_function_is_run_once_and_gives_copies_of_everything():
    calls = []

    @kept(maxsize=2)
    def function(a, b=2):
        calls.append((a, b))
        names = pd.Series([["x"], "y"], dtype=object)
        return [Held(pd.DataFrame({"a": [1]}), {"array": np.zeros(2), "set": {1}}), (names, "text", None)]

    first = function(1)
    first[0].table["a"] = 3
    first[0].parts["array"][0] = 9
    first[0].parts["set"].add(2)
    first[1][0][0].append("changed")
    del first[1:]
    for second in (function(1), function(a=1), function(1, b=2), function(b=2, a=1)):
        held, (names, text, nothing) = second
        assert held.table["a"].tolist() == [1] and held.parts["array"].tolist() == [0, 0] and held.parts["set"] == {1}
        assert names[0] == ["x"] and text == "text" and nothing is None
    assert len(calls) == 1 or set(calls) == {(1, 2)}
    function.cache_clear()
    function(1)
    assert function.cache_info().misses == 1
