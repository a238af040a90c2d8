"""Head variables of lexical categories, from their structure."""

import pytest

from analysis.ccg.variables import exceptions, gap_filler, lexical_variables, size
from analysis.corpora.language.meaning import gaps, leaf_classes
from analysis.structures.ccg_category import argument_slots, parse_category


def renamed(numbers):
    names = {0: 0}
    return tuple(names.setdefault(number, len(names)) for number in numbers)


def test_every_category_of_the_built_in_language_gets_the_variables_that_its_author_wrote():
    wrong = [text for text in gaps() if lexical_variables(parse_category(text)) != renamed(leaf_classes(text))]
    assert wrong == []
    assert len(gaps()) > 100


# category, gap; by hand from the paper's and CCGbank's manuals
GAPS = [
    (r"(NP\NP)/(S[dcl]\NP)", "2=1"),
    (r"(NP\NP)/(S[dcl]/NP)", "2=1"),
    (r"(N\N)/(S[dcl]\NP)", "2=1"),
    (r"((S[dcl]\NP)/(S[to]\NP))/NP", "2=3"),
    (r"((S[dcl]\NP)/(S[to]\NP))/NP[expl]", ""),
    (r"(S[dcl]\NP)/(S[to]\NP)", "2=1"),
    (r"(S[dcl]\NP[expl])/(S[to]\NP)", ""),
    (r"(S[dcl]\NP)/(S[dcl]\NP)", ""),
    (r"(S[dcl]\NP)/S[dcl]", ""),
    (r"(S[q]/(S[b]\NP))/NP", "1=2"),
    (r"((S\NP)\(S\NP))/(S[ng]\NP)", "2=gap 1"),
    (r"((S\NP)/(S\NP))/(S[ng]\NP)", "2=gap 1"),
    (r"((S\NP)\(S\NP))/(S[to]\NP)", ""),
    (r"(((S\NP)\(S\NP))/(S[ng]\NP))/NP", "2=3"),
    (r"((S/S)/(S[ng]\NP))/NP", "2=3"),
    (r"(S[wq]/(S[q]/NP))/N", "1=2"),
    (r"S[wq]/(S[dcl]\NP)", ""),
    (r"(S\NP)\(S\NP)", ""),
]


@pytest.mark.parametrize(("text", "gap"), GAPS)
def test_the_gap_of_a_category_is_filled_by_the_rule(text, gap):
    assert gap_filler(parse_category(text)) == gap


def test_a_modifier_shares_all_variables_and_a_verb_heads_its_results():
    assert lexical_variables(parse_category(r"(S\NP)\(S\NP)")) == (0, 1, 1, 2, 1, 1, 2)
    assert lexical_variables(parse_category(r"(S[dcl]\NP)/NP")) == (0, 0, 0, 1, 2)
    assert lexical_variables(parse_category("NP[nb]/N")) == (0, 1, 1)
    assert lexical_variables(parse_category("(N/N)/(N/N)")) == (0, 1, 2, 2, 1, 2, 2)


def test_the_exceptions_are_categories_with_such_arguments():
    for text, gap in exceptions().items():
        category = parse_category(text)
        slots = {slot.paper for slot in argument_slots(category)}
        assert {int(part.removeprefix("gap ")) for part in gap.split("=")} <= slots
        assert gap_filler(category) != gap, f"{text}: the rule says so already"
        assert len(lexical_variables(category)) == size(category)
