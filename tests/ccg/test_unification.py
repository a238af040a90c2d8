"""Dependencies extracted for all derivations at once are those of one derivation after the other."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ccg.extraction import RANGES, _lexical, binary_template, extract_dependencies, unary_template
from analysis.ccg.unification import OPEN
from analysis.corpora.catalogue import locate
from analysis.corpora.ccgbank import daughters, read_auto
from analysis.corpora.language import generate
from analysis.structures.derivation import Derivations, derivations


class _Variables:
    """Variables of one sentence: unified variables, their words, and inclusion."""

    def __init__(self) -> None:
        self.link: list[int] = []
        self.words: dict[int, list[int]] = {}
        self.among: list[tuple[int, int]] = []

    def new(self, count: int) -> int:
        first = len(self.link)
        self.link += range(first, first + count)
        return first

    def find(self, variable: int) -> int:
        link = self.link
        while link[variable] != variable:
            link[variable] = link[link[variable]]
            variable = link[variable]
        return variable

    def join(self, one: int, other: int) -> None:
        self.link[self.find(other)] = self.find(one)

    def fillers(self) -> "dict[int, set[int]]":
        """Return the words of each variable, including those of the variables within it."""
        own: dict[int, set[int]] = {}
        for variable, words in self.words.items():
            own.setdefault(self.find(variable), set()).update(words)
        below: dict[int, list[int]] = {}
        for whole, part in self.among:
            below.setdefault(self.find(whole), []).append(self.find(part))
        for whole in below:
            seen, waiting = {whole}, [whole]
            while waiting:
                for part in below.get(waiting.pop(), ()):
                    if part not in seen:
                        seen.add(part)
                        waiting.append(part)
            below[whole] = list(seen)
        return {
            variable: set().union(*(own.get(part, set()) for part in below.get(variable, [variable])))
            for variable in {*own, *below}
        }


class _Nodes(NamedTuple):
    """Nodes of a treebank: daughters, categories and first words."""

    left: list[int]
    right: list[int]
    labels: list[str]
    starts: list[int]


def _one(sentence: int, begin: int, end: int, bank: _Nodes, rows: list[tuple], unknown: list[tuple]) -> None:
    """Extract from the nodes ``begin`` to ``end`` of one sentence."""
    left, right, labels, starts = bank
    variables = _Variables()
    parts: list[list[int]] = [[]] * (end - begin)
    effective = [""] * (end - begin)
    templates: list = [None] * (end - begin)
    for row in range(end - 1, begin - 1, -1):
        node = row - begin
        label = labels[row]
        if left[row] < 0:
            pattern, count, _ = _lexical(label)
            first = variables.new(count)
            parts[node] = [first + number for number in pattern]
            variables.words[first] = [starts[row] + 1]
            effective[node] = label
            continue
        one = left[row] - begin
        two = right[row] - begin if right[row] >= 0 else -1
        if two < 0:
            template = unary_template(label, effective[one])
        else:
            template = binary_template(label, effective[one], effective[two])
            if template is None and (effective[one], effective[two]) != (labels[begin + one], labels[begin + two]):
                template = binary_template(label, labels[begin + one], labels[begin + two])
                if template is not None and not _fits(template, parts[one], parts[two]):
                    template = None
        if template is None:
            unknown.append((sentence, node, label, labels[begin + one], labels[begin + two] if two >= 0 else ""))
            return
        templates[node] = template
        first = variables.new(template.new)
        sides = (parts[one], parts[two] if two >= 0 else [], range(first, first + template.new))
        for (side, part), (other, place) in template.equal:
            variables.join(sides[side][part], sides[other][place])
        for number, side, part in template.within:
            variables.among.append((first + number, sides[side][part]))
        parts[node] = [sides[side][part] for side, part in template.parent]
        effective[node] = template.category
    found = variables.fillers()
    # top-down: the range of each open argument
    ranges: list[list[int]] = [[]] * (end - begin)
    ranges[0] = [OPEN] * len(parts[0])
    for node, template in enumerate(templates):
        if template is None:
            continue
        above = ranges[node]
        for side, below in enumerate((left[begin + node], right[begin + node])):
            if below >= 0:
                ranges[below - begin] = [code if code < 0 else above[code] for code in template.up[side]]
    for node in range(end - begin):
        if left[begin + node] >= 0:
            continue
        functor = starts[begin + node] + 1
        label = labels[begin + node]
        for paper, spine, part in _lexical(label)[2]:
            words = found.get(variables.find(parts[node][part]), ())
            code = ranges[node][part] if part < len(ranges[node]) else OPEN
            name = RANGES[-1 - code] if code > OPEN else "local"
            for argument in sorted(words):
                if argument != functor:
                    rows.append((sentence, functor, label, paper, spine, argument, name))


def _fits(template, one: list[int], two: list[int]) -> bool:
    return len(template.up[0]) == len(one) and len(template.up[1]) == len(two)


def one_by_one(bank: Derivations) -> tuple[list[tuple], list[tuple]]:
    """Rows of the dependencies and of the unknown rules."""
    nodes = bank.nodes
    left, right = (side.tolist() for side in daughters(nodes))
    sentences = nodes["sentence"].to_numpy()
    bounds = np.flatnonzero(np.r_[True, sentences[1:] != sentences[:-1]]).tolist()
    listed = _Nodes(left, right, nodes["category"].astype("str").tolist(), nodes["start"].tolist())
    rows: list[tuple] = []
    unknown: list[tuple] = []
    for begin, end in pairwise([*bounds, len(nodes)]):
        _one(int(sentences[begin]), begin, end, listed, rows, unknown)
    return rows, unknown


def check(bank):
    found = extract_dependencies(bank)
    rows, unknown = one_by_one(bank)
    assert list(found.dependencies.drop(columns="extracted").itertuples(index=False, name=None)) == rows
    assert found.dependencies["extracted"].tolist() == [row[-1] == "extracted" for row in rows]
    assert list(found.unknown.itertuples(index=False, name=None)) == unknown
    assert found.incidents["text"].tolist() == [f"{left} {right} -> {above}" for _, _, above, left, right in unknown]


DRAWN = generate(300, random_state=5)
BANK = derivations(DRAWN.nodes, DRAWN.tokens)
CATEGORIES = sorted(
    {*BANK.nodes["category"].astype("str"), r"NP\NP", "S[dcl]", "conj", ",", "NP[conj]", r"S\S", "N[conj]"}
)


def test_the_built_in_language_has_the_same_dependencies():
    check(BANK)


@given(st.integers(0, 299), st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(CATEGORIES)), max_size=4))
def test_spoilt_derivations_have_the_same_dependencies_and_unknown_rules(first, changes):
    bank = BANK.select(range(first, min(first + 4, 300)))
    labels = bank.nodes["category"].astype("str").tolist()
    for place, category in changes:
        labels[place % len(labels)] = category
    check(Derivations(bank.nodes.assign(category=labels), bank.tokens, bank.sentences))


def test_conjuncts_in_the_other_notation_have_the_same_dependencies():
    for named in (r"NP\NP", "NP"):
        labels = [named if text == "NP[conj]" else text for text in BANK.nodes["category"].astype("str")]
        check(Derivations(BANK.nodes.assign(category=labels), BANK.tokens, BANK.sentences))


@pytest.mark.real_corpus
def test_the_questions_on_geometry_have_the_same_dependencies():
    for pattern in ("*geo-dev.auto", "*depccg_default.auto", "*geo-train.auto"):
        check(read_auto(locate("ccg-geometry", pattern)[0]))
