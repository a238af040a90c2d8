import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.structures.ccg_category import (
    Category,
    agrees,
    application,
    argument_slots,
    atom,
    composition,
    coordination,
    functor,
    is_determiner,
    is_modifier,
    is_type_raised,
    parse_category,
    type_raising,
)

ATOMS = st.builds(
    atom, st.sampled_from(["S", "NP", "N", "PP", ",", "LRB"]), st.sampled_from(["", "dcl", "b", "nb", "X"])
)
CATEGORIES = st.recursive(
    ATOMS, lambda inner: st.builds(functor, inner, st.sampled_from(["/", "\\"]), inner), max_leaves=12
)


@given(CATEGORIES, st.booleans())
def test_what_is_written_is_read_back(category, conj):
    category = category.with_conj(conj)
    assert parse_category(str(category)) == category
    assert pickle.loads(pickle.dumps(category)) == category


@given(CATEGORIES)
def test_needless_brackets_change_nothing(category):
    def with_every_bracket(part):
        if part.is_atom:
            return f"({part})"
        return f"({with_every_bracket(part.result)}{part.slash}{with_every_bracket(part.argument)})"

    again = parse_category(with_every_bracket(category))
    assert again == category
    assert hash(again) == hash(category)


@pytest.mark.parametrize(
    ("text", "arity"),
    [
        (r"(S[dcl]\NP)/NP", 2),
        ("NP[conj]", 0),
        ("S[X]/S[X]", 1),
        (r"(NP\NP)/(S[dcl]/NP)", 2),
        (",", 0),
        (".", 0),
        ("LRB", 0),
        ("conj", 0),
        (r"S[dcl]\NP[conj]", 1),
        ("NP[nb][conj]", 0),
    ],
)
def test_categories_in_use_print_as_they_stand(text, arity):
    category = parse_category(text)
    assert str(category) == text
    assert category.arity == arity


def test_slashes_of_equal_rank_group_to_the_left():
    assert parse_category(r"S\NP/NP") == parse_category(r"(S\NP)/NP")
    assert parse_category(r"S\NP/NP") != parse_category(r"S\(NP/NP)")


def test_the_conj_mark_belongs_to_the_whole_category_with_or_without_brackets():
    assert parse_category(r"(S[dcl]\NP)[conj]") == parse_category(r"S[dcl]\NP[conj]")
    assert parse_category(r"S[dcl]\NP[conj]").argument == parse_category("NP")
    assert parse_category(r"S[dcl]\NP[conj]").with_conj(False) == parse_category(r"S[dcl]\NP")


def test_a_category_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot be changed"):
        atom("S").name = "NP"


def test_an_atom_has_no_argument():
    with pytest.raises(AttributeError, match="NP is an atom"):
        _ = atom("NP").argument
    with pytest.raises(AttributeError, match="NP is an atom"):
        _ = atom("NP").result
    with pytest.raises(ValueError, match="an atom needs a name"):
        Category()
    with pytest.raises(ValueError, match="a functor needs"):
        Category(slash="|", result=atom("S"), argument=atom("NP"))


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("", 1, "a category"),
        (r"(S\NP", 6, r"'\)'"),
        (r"S\NP)", 5, r"no '\)'"),
        ("S/", 3, "a category"),
        ("/NP", 1, "a category before the slash"),
        ("S//NP", 3, "a category before the slash"),
        ("S[dcl]NP", 7, "a slash"),
        ("S(NP)", 2, "a slash"),
        ("[dcl]", 1, "a category before its feature"),
        (r"(S\NP)[dcl]", 7, "a category before its feature"),
        ("S[dcl][b]", 7, "at most one feature"),
        ("S / NP", 2, "an atom"),
        ("S[dcl", 2, "an atom"),
        ("()", 2, "a category before"),
    ],
)
def test_an_unreadable_category_is_refused_with_its_place(text, place, expected):
    with pytest.raises(ValueError, match=f"at character {place}: expected {expected}"):
        parse_category(text)


def test_head_indices_are_dropped_on_request_only():
    text = r"((S[dcl]\NP_10)/(S[b]_11\NP_10:B)_11)/NP_12"
    assert parse_category(text, drop_indices=True) == parse_category(r"((S[dcl]\NP)/(S[b]\NP))/NP")
    with pytest.raises(ValueError, match="expected a slash"):
        parse_category(text)


def test_depth_is_no_limit():
    deep = parse_category("(" * 5_000 + "S" + r"\NP)" * 5_000)
    assert deep.arity == 5_000
    assert deep.target == atom("S")
    assert parse_category(str(deep)) == deep
    right = parse_category("/(S".join(["S"] * 3_000) + ")" * 2_999)
    assert sum(part.is_atom for part in right.parts()) == 3_000
    assert right.without_features() == right


def test_modifiers_determiners_and_type_raised_categories_are_told_apart():
    modifiers = ["N/N", r"NP\NP", "S/S", r"(S\NP)\(S\NP)", r"(S[adj]\NP)/(S[adj]\NP)", "(N/N)/(N/N)"]
    others = [
        r"(S[b]\NP)/(S[b]\NP)",
        "S[dcl]/S[dcl]",
        r"(S[dcl]\NP)/(S[b]\NP)",
        "NP/N",
        "S",
        r"(NP\NP)/NP",
        "NP[nb]/NP",
    ]
    assert [text for text in modifiers + others if is_modifier(parse_category(text))] == modifiers
    assert [text for text in ("NP/N", "NP[nb]/N", r"NP\N", "N/NP", "NP") if is_determiner(parse_category(text))] == [
        "NP/N",
        "NP[nb]/N",
    ]
    raised = [r"S/(S\NP)", r"S\(S/NP)", r"(S\NP)\((S\NP)/NP)"]
    plain = [r"S/(S/NP)", r"S/(NP\NP)", "S/S", "NP"]
    assert [text for text in raised + plain if is_type_raised(parse_category(text))] == raised


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NP", []),
        ("NP[nb]/N", [(1, 1, "N")]),
        (r"(NP\NP)/NP", [(1, 1, "NP"), (2, 2, "NP")]),
        (r"(S\NP)\(S\NP)", [(1, 2, r"S\NP")]),
        (r"((S\NP)\(S\NP))/NP", [(1, 2, r"S\NP"), (2, 3, "NP")]),
        (r"((S\NP)\(S\NP))/((S\NP)\(S\NP))", [(1, 3, r"(S\NP)\(S\NP)")]),
        (r"((S[b]\NP)/(S[to]\NP))/NP", [(1, 1, "NP"), (2, 2, r"S[to]\NP"), (3, 3, "NP")]),
        (r"(NP/N)\NP", [(1, 1, "N"), (2, 2, "NP")]),
        (r"(NP\NP)/(S[dcl]/NP)", [(1, 1, "NP"), (2, 2, "S[dcl]/NP")]),
    ],
)
def test_slots_count_from_the_inside_a_modifier_once_or_in_full(text, expected):
    slots = argument_slots(parse_category(text))
    assert [(slot.paper, slot.spine, str(slot.argument)) for slot in slots] == expected


def combine(rule, left, right, **options):
    made = rule(parse_category(left), parse_category(right), **options)
    return None if made is None else str(made)


def test_application_takes_the_argument_on_its_own_side():
    assert combine(application, r"(S[dcl]\NP)/NP", "NP", slash="/") == r"S[dcl]\NP"
    assert combine(application, r"S[dcl]\NP", "NP[nb]", slash="\\") == "S[dcl]"
    assert combine(application, r"S[dcl]\NP", "NP", slash="/") is None
    assert combine(application, "NP/N", "NP", slash="/") is None


def test_a_bare_s_takes_the_feature_of_what_it_meets_everywhere():
    assert combine(application, r"(S\NP)\(S\NP)", r"S[ng]\NP", slash="\\") == r"S[ng]\NP"
    assert combine(application, r"((S\NP)\(S\NP))/((S\NP)\(S\NP))", r"(S\NP)\(S\NP)", slash="/") == r"(S\NP)\(S\NP)"
    assert combine(application, "S[X]/S[X]", "S[q]", slash="/") == "S[q]"
    assert combine(application, r"S/(S\NP)", r"S[dcl]\NP", slash="/") == "S[dcl]"


def test_different_features_do_not_agree():
    assert not agrees(parse_category("S[dcl]"), parse_category("S[b]"))
    assert not agrees(parse_category("NP[thr]"), parse_category("NP[expl]"))
    assert agrees(parse_category("NP[thr]"), parse_category("NP"))
    assert agrees(parse_category("NP[thr]"), parse_category("NP[nb]"))
    assert not agrees(parse_category(r"S\S"), parse_category(r"S[dcl]\S[b]"))


def test_composition_harmonic_crossed_and_generalised():
    harmonic = combine(composition, r"(S[dcl]\NP)/(S[pt]\NP)", r"(S[pt]\NP)/NP", slash="/")
    assert harmonic == r"(S[dcl]\NP)/NP"
    assert combine(composition, r"S/(S\NP)", r"(S[dcl]\NP)/NP", slash="/") == "S[dcl]/NP"
    negated = combine(composition, r"(S\NP)\(S\NP)", r"(S[dcl]\NP)/(S[b]\NP)", slash="\\", crossed=True)
    assert negated == r"(S[dcl]\NP)/(S[b]\NP)"
    assert combine(composition, r"(S\NP)\(S\NP)", r"(S[dcl]\NP)/(S[b]\NP)", slash="\\") is None
    assert combine(composition, r"S\S", r"S[b]\NP", slash="\\") == r"S[b]\NP"
    assert combine(composition, r"(S\NP)/(S\NP)", r"((S[b]\NP)/PP)/NP", slash="/", order=2) == r"((S[b]\NP)/PP)/NP"
    assert combine(composition, "S/S", "NP", slash="/") is None
    assert combine(composition, "NP/N", "N", slash="/", order=2) is None


def test_a_bare_secondary_functor_takes_its_feature_from_the_primary():
    assert combine(composition, "S[em]/S[dcl]", "S/S", slash="/") == "S[em]/S[dcl]"


def test_coordination_joins_likes_only():
    assert combine(coordination, "conj", "NP") == "NP[conj]"
    assert combine(coordination, "NP", "NP[conj]") == "NP"
    assert combine(coordination, r"(S[b]\NP)/NP", r"(S[b]\NP)/NP[conj]") == r"(S[b]\NP)/NP"
    assert combine(coordination, "NP", "N[conj]") is None
    assert combine(coordination, "NP", "NP") is None
    assert combine(coordination, "conj", "NP[conj]") is None
    assert combine(application, "NP/N", "N[conj]", slash="/") is None


def test_type_raising_gives_a_type_raised_category():
    assert str(type_raising(atom("NP"), atom("S"), "/")) == r"S/(S\NP)"
    assert is_type_raised(type_raising(atom("NP"), atom("S"), "\\"))
