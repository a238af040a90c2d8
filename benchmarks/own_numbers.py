"""The suite's own numbers on built-in data, frozen in ``tests/data/own_numbers.csv``.

    make own-numbers                            # write the numbers again; what was announced stays
    make own-numbers ARGUMENTS=--announced      # at a release: all numbers are announced as they are now

A test computes them again. A number that is not the announced one has its measure named under "Unreleased" in
CHANGELOG.md, or the test fails.
"""

import argparse
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

FILE = Path(__file__).parents[1] / "tests" / "data" / "own_numbers.csv"
CHANGES = Path(__file__).parents[1] / "CHANGELOG.md"
KEYS = ["subject", "system", "measure"]
DECIMALS = 6


def own_numbers() -> pd.DataFrame:
    """Every measure of some systems on 600 utterances of the built-in language: keys and ``value``, rounded."""
    from analysis.corpora.language import generate

    language = generate(600, random_state=1)
    rows = [
        *tags(language.tokens),
        *trees(language.tokens),
        *derivations(generate(300, random_state=2), generate(300, random_state=3)),
        *inflections(),
    ]
    table = pd.DataFrame(rows, columns=[*KEYS, "value"])
    return table.assign(value=table["value"].astype("Float64").round(DECIMALS))


def tags(tokens: pd.DataFrame) -> Iterator[tuple]:
    """Word classes, with and without a gold standard."""
    from analysis import categories
    from analysis.categories.models import BrownClustering, FrequentFrames, RandomCategories

    models = {
        "Brown": BrownClustering(12, progress=False),
        "frames": FrequentFrames(12),
        "random": RandomCategories("fine"),
    }
    half = tokens["sentence"] < 300
    for name, model in models.items():
        labelled = tokens.assign(
            cluster=model.fit(tokens).predict(tokens).astype("object").fillna("none").astype("str")
        )
        scored = categories.scored_tokens(tokens["fine"], labelled["cluster"], tokens["sentence"])
        yield from named("tags", name, zip(scored.names, scored.values()[0].tolist(), strict=True))
        table = categories.type_table(categories.lexicon(labelled, "fine"), categories.lexicon(labelled, "cluster"))
        types = categories.type_level_scores(table, random_state=0)
        yield from named("types", name, ((f"{one.measure} {one.conventions['mapping']}", one.value) for one in types))
        found = categories.substitutable_precision_recall(labelled[half], labelled[~half])
        yield from named("types", name, ((one.measure, one.value) for one in found.scores()))


def trees(tokens: pd.DataFrame) -> Iterator[tuple]:
    """Dependency trees, with punctuation and without."""
    from analysis.dependencies import attachment_scores
    from analysis.dependencies.models import DMV, left_branching, random_trees, right_branching

    systems = {
        "left": left_branching(tokens), "right": right_branching(tokens), "random": random_trees(tokens, 0),
        "DMV": DMV(tags="fine", iterations=3).fit(tokens).predict(tokens),
    }  # fmt: skip
    for name, heads in systems.items():
        for one in attachment_scores(tokens, heads).scores():
            yield "trees", name, one.measure, one.value


def derivations(*halves: Any) -> Iterator[tuple]:
    """CCG derivations of the parser that was trained on the other half."""
    from analysis import ccg
    from analysis.ccg.models import NormalFormParser
    from analysis.corpora.ccgbank import read_auto
    from analysis.corpora.language import to_auto

    banks = []
    with tempfile.TemporaryDirectory() as folder:
        for place, utterances in enumerate(halves):
            file = Path(folder) / f"{place}.auto"
            to_auto(utterances, file)
            banks.append(read_auto(file))
    train, test = banks
    parser = NormalFormParser().fit(train)
    for evaluation in ccg.evaluate(test, parser.predict(test.tokens)):
        for one in evaluation.scores():
            yield "ccg", "normal-form", f"{evaluation.name}: {one.measure}", one.value


def inflections() -> Iterator[tuple]:
    """Past forms of the built-in verbs, learnt from every second one."""
    from analysis.corpora.language.lexicon import read_list
    from analysis.inflection import CopyBaseline, MajoritySuffix, NonNeural, accuracy

    verbs = read_list("verbs")
    forms = pd.DataFrame({"lemma": verbs["lemma"], "form": verbs["past"], "features": "V;PST"})
    forms = forms.drop_duplicates("lemma").reset_index(drop=True)
    train, test = forms[::2], forms[1::2].reset_index(drop=True)
    for model in (CopyBaseline(), MajoritySuffix(), NonNeural()):
        answers = test[["lemma", "features"]].assign(predicted=model.fit(train).predict(test).to_numpy())
        yield "inflections", type(model).__name__, "accuracy", accuracy(test, answers).value


def named(subject: str, system: str, values: Iterable[tuple]) -> Iterator[tuple]:
    """Rows of one system."""
    for measure, value in values:
        yield subject, system, measure, value


def unreleased(text: str) -> str:
    """What stands under "Unreleased" in a changelog."""
    found = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def not_named(frozen: pd.DataFrame, changes: str) -> list[str]:
    """Measures whose frozen value is not the announced one and that the changes do not name.

    A measure is named by its name as a word, in any mixture of capitals if it has more than two letters; of a measure
    such as ``Parseval: labelled recall`` the part after the colon is enough.
    """
    new = frozen["announced"].isna()
    moved = frozen[~new & ((frozen["value"] - frozen["announced"]).abs() > 10.0**-DECIMALS).fillna(True)]
    silent = []
    for measure in dict.fromkeys(moved["measure"]):
        names = {measure, measure.rpartition(": ")[2], measure.removesuffix(" many-to-one").removesuffix(" one-to-one")}
        if not any(_says(changes, name) for name in names if name):
            silent.append(measure)
    return silent


def _says(text: str, name: str) -> bool:
    flags = re.IGNORECASE if len(name) > 2 else 0
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, flags) is not None


def read() -> pd.DataFrame:
    """The frozen numbers: keys, ``value``, ``announced``."""
    return pd.read_csv(FILE, dtype={"value": "Float64", "announced": "Float64"}, keep_default_na=False,
                       na_values={"value": [""], "announced": [""]})  # fmt: skip


def main() -> None:
    """Write the numbers, and say which measures the changelog has yet to name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.own_numbers", description=__doc__)
    parser.add_argument("--announced", action="store_true", help="the numbers go out with a release")
    arguments = parser.parse_args()
    table = own_numbers()
    if arguments.announced or not FILE.exists():
        table["announced"] = table["value"]
    else:
        table = table.merge(read()[[*KEYS, "announced"]], on=KEYS, how="left", validate="one_to_one")
    table.to_csv(FILE, index=False, lineterminator="\n")
    for measure in not_named(table, unreleased(CHANGES.read_text(encoding="utf-8"))):
        print(f"{measure} changed: name it under Unreleased in CHANGELOG.md")


if __name__ == "__main__":
    main()
