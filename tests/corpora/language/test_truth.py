"""The generator's dependencies against the rules of their definition, applied to the derivations from the leaves up."""

import numpy as np
import pandas as pd
import pytest

from analysis.corpora.language import generate
from analysis.structures.ccg_category import argument_slots, is_determiner, is_modifier, is_type_raised, parse_category

pytestmark = pytest.mark.thorough


class Variable:
    """Something that words fill: by itself, or as the conjunction of others."""

    def __init__(self):
        self.link, self.word, self.members = self, None, []

    def root(self):
        variable = self
        while variable.link is not variable:
            variable = variable.link
        return variable

    def unify(self, other):
        one, other = self.root(), other.root()
        if one is not other:
            assert one.word is None or other.word is None or one.word == other.word
            other.link = one
            one.word = other.word if one.word is None else one.word
            one.members += other.members

    def words(self):
        variable = self.root()
        found = set() if variable.word is None else {variable.word}
        return found.union(*(member.words() for member in variable.members))


class Sign:
    """A category with a variable at each part."""

    def __init__(self, category):
        self.category, self.variable = category, Variable()
        self.result = self.argument = None
        if category.slash:
            self.result, self.argument = Sign(category.result), Sign(category.argument)

    def unify(self, other):
        self.variable.unify(other.variable)
        if self.result:
            self.result.unify(other.result)
            self.argument.unify(other.argument)


def settle_argument(sign):
    """Inside an argument modifiers share, and results share the outer variable."""
    if sign.result is None:
        return
    settle_argument(sign.argument)
    if is_modifier(sign.category) or is_determiner(sign.category):
        share(sign)
    else:
        sign.variable.unify(sign.result.variable)
        settle_argument(sign.result)


def share(sign):
    if is_determiner(sign.category):
        sign.result.variable.unify(sign.argument.variable)
    else:
        sign.result.unify(sign.argument)


def leaf(category, word):
    """The sign of a word and its slots (outermost first), with the gaps of the definition's rules (a) to (e)."""
    sign = Sign(category)
    sign.variable.root().word = word
    arguments = []  # signs of the arguments from the outermost inwards
    part = sign
    while part.result is not None:
        settle_argument(part.argument)
        arguments.append(part)
        if is_modifier(part.category) or is_determiner(part.category):
            share(part)
            break
        part.variable.unify(part.result.variable)
        part = part.result
    fill_gaps(category, arguments)
    return sign, [part.argument for part in arguments]


def missing(sign):
    """The missing NP of a clause S\\NP or S/NP, else None."""
    if sign.result is not None and sign.result.category.name == "S" and sign.argument.category.name == "NP":
        return sign.argument.variable
    return None


def fill_gaps(category, parts):
    for place, part in enumerate(parts):
        gap = missing(part.argument)
        if gap is None or is_modifier(part.category):
            continue
        clause = part.argument.result.category.feature
        outside = parts[place - 1] if place else None
        inside = part.result
        if str(inside.category) in (r"NP\NP", r"N\N"):  # (a) relative pronoun
            gap.unify(inside.argument.variable)
        elif category.target.feature == "wq":  # (e) wh-determiner, else fresh
            if outside is not None and outside.argument.category.name == "N":
                gap.unify(outside.argument.variable)
        elif outside is not None and outside.argument.category.name == "NP":  # (b) object control, (d) with
            if outside.argument.category.feature != "expl":
                gap.unify(outside.argument.variable)
        elif str(inside.category) == r"(S\NP)\(S\NP)":  # (c) adjunct of a verb phrase
            if clause != "to":
                gap.unify(inside.argument.argument.variable)
        elif clause != "dcl" and inside.category.slash == "\\" and inside.argument.category.name == "NP":
            gap.unify(inside.argument.variable)  # (b) the subject


def combine(rule, parent, children):
    if rule == ">T":
        raised = Sign(parse_category(parent))
        raised.result.variable.unify(raised.argument.result.variable)
        raised.result.variable.unify(raised.argument.variable)
        raised.argument.argument.unify(children[0])
        assert is_type_raised(raised.category)
        return raised
    if rule == "unary":
        made = Sign(parse_category(parent))
        if made.result is None:
            made.unify(children[0])
            return made
        made.result.unify(made.argument)
        made.variable.unify(children[0].variable)
        gap = made.argument.variable if made.argument.result is None else made.argument.argument.variable
        children[0].argument.variable.unify(gap)
        return made
    left, right = children
    if rule == "conj":
        return right
    if rule == "coord":
        return coordinate(parent, left, right)
    primary, secondary = (left, right) if rule in (">", ">B") else (right, left)
    if rule in (">", "<"):
        primary.argument.unify(secondary)
        return primary.result
    made = Sign(parse_category(parent))
    primary.argument.unify(secondary.result)
    made.result, made.argument = primary.result, secondary.argument
    made.variable.unify(made.result.variable)
    return made


def coordinate(parent, left, right):
    """The head of the whole has both heads; what they still want is the same."""
    made = Sign(parse_category(parent))
    part, one, other = made, left, right
    while True:
        part.variable.members += [one.variable, other.variable]
        if part.result is None:
            return made
        part.argument.unify(one.argument)
        part.argument.unify(other.argument)
        if is_modifier(part.category) or is_determiner(part.category):
            part.result.unify(one.result)
            part.result.unify(other.result)
            return made
        part, one, other = part.result, one.result, other.result


def extract(nodes):
    """Dependencies (functor, category, slot, spine slot, argument) of one sentence."""
    children = {}
    for row in nodes.itertuples():
        children.setdefault(row.parent, []).append(row.node)
    rows = {row.node: row for row in nodes.itertuples()}
    signs, wanted = {}, []
    for node in sorted(rows, reverse=True):
        row = rows[node]
        if row.rule == "lex":
            category = parse_category(row.category)
            signs[node], arguments = leaf(category, row.end)
            if category.name != "conj":
                slots = argument_slots(category)[::-1]
                wanted += [(row.end, slot, sign) for slot, sign in zip(slots, arguments, strict=True)]
                categories[row.end] = row.category
        else:
            signs[node] = combine(row.rule, row.category, [signs[child] for child in children[node]])
    return {
        (word, categories[word], slot.paper, slot.spine, argument)
        for word, slot, sign in wanted
        for argument in sign.variable.words()
    }


categories: dict[int, str] = {}


@pytest.mark.parametrize("seed", [3, 4])
def test_the_truth_is_what_the_definition_gives(seed):
    drawn = generate(3_000, random_state=seed)
    truth = {
        sentence: set(
            zip(rows["functor"], rows["category"], rows["slot"], rows["spine_slot"], rows["argument"], strict=True)
        )
        for sentence, rows in drawn.dependencies.groupby("sentence")
    }
    for sentence, nodes in drawn.nodes.groupby("sentence"):
        assert extract(nodes) == truth.get(sentence, set()), sentence
    assert len(drawn.dependencies) > 10_000


def test_no_dependency_is_listed_twice():
    dependencies = generate(20_000, random_state=5).dependencies
    assert not dependencies.duplicated(["sentence", "functor", "slot", "argument"]).any()
    assert (dependencies["functor"] != dependencies["argument"]).all()


@pytest.fixture(scope="module")
def drawn():
    return generate(20_000, random_state=6)


def dependencies_of(drawn, functor, slot, ranges):
    table = drawn.dependencies
    return table[(table["category"] == functor) & (table["slot"] == slot) & table["range"].isin(ranges)]


def test_every_finite_verb_with_a_subject_in_place_says_so(drawn):
    subjects = dependencies_of(drawn, r"S[dcl]\NP", 1, ["local"])
    assert len(subjects) > 100
    assert (subjects["argument"] < subjects["functor"]).all()


def test_control_raising_and_extraction_are_marked_as_long_range(drawn):
    controlled = dependencies_of(drawn, r"(S[b]\NP)/NP", 1, ["shared"])
    assert len(controlled) > 100
    questioned = dependencies_of(drawn, r"(S[b]\NP)/NP", 2, ["extracted"])
    relatives = dependencies_of(drawn, r"(S[dcl]\NP)/NP", 2, ["extracted"])
    assert len(questioned) > 20
    assert len(relatives) > 20
    assert (relatives["argument"] < relatives["functor"]).all()
    in_place = dependencies_of(drawn, r"(S[dcl]\NP)/NP", 2, ["local"])
    assert (in_place["argument"] > in_place["functor"]).all()


def test_the_word_that_fills_a_slot_is_seldom_further_than_the_sentence_is_long(drawn):
    lengths = drawn.tokens.groupby("sentence").size()
    longest = drawn.dependencies["sentence"].map(lengths)
    assert (drawn.dependencies["argument"] <= longest).all()
    assert (drawn.dependencies["argument"] >= 1).all()


def test_coordinated_subjects_both_fill_the_slot(drawn):
    local = drawn.dependencies[
        (drawn.dependencies["range"] == "local")
        & (drawn.dependencies["category"].str.startswith(r"(S[dcl]\NP)/"))
        & (drawn.dependencies["slot"] == 1)
    ]
    fillers = local.groupby(["sentence", "functor"]).size()
    assert (fillers == 2).sum() >= 10
    sentence = fillers[fillers == 2].index[0][0]
    nodes = drawn.nodes[drawn.nodes["sentence"] == sentence]
    assert ((nodes["rule"] == "coord") & (nodes["category"] == "NP")).any()


def test_the_numbers_are_integers_and_the_ranges_are_known(drawn):
    table = drawn.dependencies
    assert all(pd.api.types.is_integer_dtype(table[name]) for name in ("sentence", "functor", "slot", "argument"))
    assert set(table["range"].unique()) == {"local", "shared", "extracted"}
    assert np.array_equal(table["sentence"].to_numpy(), np.sort(table["sentence"].to_numpy()))
