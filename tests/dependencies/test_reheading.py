import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.dependencies import attachment_scores, compare_standards, ill_formed
from analysis.dependencies.models import left_branching, random_projective_trees
from analysis.dependencies.reheading import RULES, STANDARDS, all_standards, rehead
from tests.dependencies.models.enumeration import is_projective_tree
from tests.dependencies.trees import trees

TAGS = ["IN", "TO", "NN", "VB", "VBD", "VBN", "MD", "CC", ",", "RB", "DT", "WDT", "PRP", "JJ"]


def sentence(text):
    """Words as ``form/tag/head``."""
    words = [word.split("/") for word in text.split()]
    return pd.DataFrame(
        {
            "sentence": 0,
            "form": [word[0] for word in words],
            "fine": [word[1] for word in words],
            "head": [int(word[2]) for word in words],
        }
    )


def reheaded(text, *rules):
    return rehead(sentence(text), rules)["head"].tolist()


def test_prepositions_go_below_their_objects():
    # We look | at -> duck becomes duck -> at; the duck takes its place under "look"; "just" goes along.
    text = "We/PRP/2 look/VBP/0 just/RB/4 at/IN/2 the/DT/6 duck/NN/4 in/IN/6 town/NN/7"
    assert reheaded(text, "prepositions below") == [2, 0, 6, 6, 6, 2, 8, 6]


def test_a_preposition_below_a_preposition_goes_below_the_same_object():
    # swim | out -> of -> town
    assert reheaded("swim/VB/0 out/IN/1 of/IN/2 town/NN/3", "prepositions below") == [0, 4, 4, 1]


def test_the_object_of_a_preposition_may_be_a_pronoun_but_is_no_verb():
    assert reheaded("look/VB/0 at/IN/1 it/PRP/2", "prepositions below") == [0, 3, 1]
    text = "swim/VB/0 before/IN/1 they/PRP/4 look/VBP/2"
    assert reheaded(text, "prepositions below") == [0, 1, 4, 2]


def test_subordinators_go_below_the_verb_of_their_clause():
    # says | that -> swim: swim takes the place of "that"
    text = "She/PRP/2 says/VBZ/0 that/IN/2 ducks/NNS/5 swim/VBP/3"
    assert reheaded(text, "subordinators below") == [2, 0, 5, 5, 2]


def test_relative_words_go_below_the_verb_of_their_clause():
    assert reheaded("ducks/NNS/0 that/WDT/1 swim/VBP/2", "subordinators below") == [0, 3, 1]
    assert reheaded("at/IN/0 home/NN/1", "subordinators below") == [0, 1]


def test_auxiliaries_go_below_the_lexical_verb_which_takes_their_children():
    # will -> have -> been -> fed, with subject and full stop under "will"
    text = "Ducks/NNS/2 will/MD/0 soon/RB/2 have/VB/2 been/VBN/4 fed/VBN/5 ././2"
    assert reheaded(text, "auxiliaries below") == [6, 6, 6, 6, 6, 0, 6]


def test_a_subject_may_stand_between_an_auxiliary_and_its_verb():
    assert reheaded("Did/VBD/0 they/PRP/1 swim/VB/1", "auxiliaries below") == [3, 3, 0]


def test_a_form_of_be_with_a_predicate_is_no_auxiliary():
    text = "Ducks/NNS/2 are/VBP/0 happy/JJ/2 swimming/VBG/2"
    assert reheaded(text, "auxiliaries below") == [2, 0, 2, 2]
    assert reheaded("She/PRP/2 has/VBZ/0 ducks/NNS/2", "auxiliaries below") == [2, 0, 2]


def test_infinitives_go_below_to():
    # want | swim -> to becomes to -> swim
    text = "Ducks/NNS/2 want/VBP/0 not/RB/6 to/TO/6 slowly/RB/6 swim/VB/2 home/NN/6"
    assert reheaded(text, "infinitives below to") == [2, 0, 4, 2, 6, 4, 6]
    assert reheaded("swim/VB/0 to/TO/1 town/NN/2", "infinitives below to") == [0, 1, 2]


NOUNS = "We/PRP/2 see/VBP/0 the/DT/8 ducks/NNS/8 ,/,/8 swans/NNS/8 and/CC/8 geese/NNS/2 here/RB/2"  # last heads
VERBS = "They/PRP/2 swim/VBP/0 slowly/RB/2 and/CC/2 then/RB/6 sleep/VBP/2 ././2"  # first heads


def test_coordination_headed_by_the_first_conjunct():
    # ducks takes over: the article, the comma, swans, and, geese
    assert reheaded(NOUNS, "coordination first") == [2, 0, 4, 2, 4, 4, 4, 4, 2]
    assert reheaded(VERBS, "coordination first") == [2, 0, 2, 2, 6, 2, 2]


def test_coordination_as_a_chain():
    # ducks -> swans, ducks -> and -> geese; swim -> and -> sleep
    assert reheaded(NOUNS, "coordination chain") == [2, 0, 4, 2, 4, 4, 4, 7, 2]
    assert reheaded(VERBS, "coordination chain") == [2, 0, 2, 2, 6, 4, 2]


def test_coordination_headed_by_the_conjunction():
    # and -> ducks, swans, geese and the article; and -> swim, sleep and the full stop, which now stands beyond it
    assert reheaded(NOUNS, "coordination conjunction") == [2, 0, 7, 7, 7, 7, 2, 7, 2]
    assert reheaded(VERBS, "coordination conjunction") == [2, 4, 2, 0, 6, 4, 4]


def test_coordinated_modifiers_that_no_conjunct_heads_stay_as_they_are():
    text = "big/JJ/4 and/CC/4 red/JJ/4 house/NN/0"
    for rule in ("coordination first", "coordination chain", "coordination conjunction"):
        assert reheaded(text, rule) == [4, 4, 4, 0]


def test_a_coordination_within_a_coordination():
    # (ducks and geese) and (swans), the last of each heading: geese <- ducks; swans <- geese
    text = "ducks/NNS/3 and/CC/3 geese/NNS/5 or/CC/5 swans/NNS/0"
    assert reheaded(text, "coordination first") == [0, 1, 1, 1, 1]
    assert reheaded(text, "coordination conjunction") == [2, 4, 2, 0, 4]


def test_conjuncts_of_prepositions_are_their_objects():
    text = "look/VB/0 at/IN/1 ducks/NNS/5 and/CC/5 geese/NNS/2"
    assert reheaded(text, "coordination first", "prepositions below") == [0, 3, 1, 3, 3]


@given(st.integers(1, 9), st.integers(0, 10**6), st.data(), st.sampled_from([*RULES]))
def test_projective_trees_stay_projective_trees(n, seed, data, rule):
    heads = random_projective_trees(n, 1, seed)[0]
    tags = data.draw(st.lists(st.sampled_from(TAGS), min_size=n, max_size=n))
    tokens = pd.DataFrame({"sentence": 0, "form": "did", "fine": tags, "head": heads})
    assert is_projective_tree(tuple(rehead(tokens, [rule])["head"].tolist()))


@given(st.integers(1, 8).flatmap(trees), st.data(), st.sampled_from([*STANDARDS]))
def test_trees_stay_trees(heads, data, standard):
    tags = data.draw(st.lists(st.sampled_from(TAGS), min_size=len(heads), max_size=len(heads)))
    tokens = pd.DataFrame({"sentence": 0, "form": "is", "fine": tags, "head": heads})
    assert ill_formed(rehead(tokens, standard)).empty


@given(st.integers(1, 8).flatmap(trees), st.data())
def test_sentences_without_the_construction_do_not_change(heads, data):
    tags = data.draw(
        st.lists(st.sampled_from(["NN", "JJ", "DT", "RB", "VBZ"]), min_size=len(heads), max_size=len(heads))
    )
    tokens = pd.DataFrame({"sentence": 0, "form": "swims", "fine": tags, "head": heads})
    for standard in STANDARDS:
        assert rehead(tokens, standard)["head"].tolist() == heads


def test_standards_differ_in_the_prepositions_as_the_paper_says():
    tokens = sentence("look/VB/0 at/IN/1 home/NN/2")
    below = {name for name, table in all_standards(tokens).items() if table["head"].tolist() == [0, 3, 1]}
    assert below == {"lexical", "oldLTH"}


def test_a_system_is_scored_against_each_standard_and_its_best():
    tokens = sentence(NOUNS)
    found = compare_standards(all_standards(tokens), {"LB": left_branching(tokens)})
    directed = found[found["measure"] == "directed"].set_index("standard")
    assert directed["value"].drop("best").max() == directed["value"]["best"]
    for name, table in all_standards(tokens).items():
        assert float(attachment_scores(table, left_branching(tokens)).directed) == directed["value"][name]


def test_unknown_names_are_refused():
    tokens = sentence("look/VB/0")
    with pytest.raises(ValueError, match="rules is 'LTH'; it must be 'standard'"):
        rehead(tokens, "LTH")
    with pytest.raises(ValueError, match="rule is 'prepositions'"):
        rehead(tokens, ["prepositions"])
    with pytest.raises(ValueError, match="lacks the column 'fine'"):
        rehead(tokens.drop(columns="fine"), "lexical")


@pytest.mark.real_corpus
def test_every_standard_of_the_penn_sample_is_a_treebank_of_trees():
    from analysis.corpora.treebanks import read_treebank

    tokens = read_treebank("nltk-dependency-treebank").tokens
    heads = {name: table["head"].to_numpy() for name, table in all_standards(tokens).items()}
    for name, table in all_standards(tokens).items():
        assert ill_formed(table).empty, name
    names = [*heads]
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            assert (heads[one] != heads[other]).mean() > 0.01, (one, other)


def test_a_comma_is_remembered_past_a_quotation_mark_before_the_last_conjunct():
    # ``ducks'' , ``swans'' and geese, the last of which heads: seen from it, the comma comes before a quotation mark
    quoted = "ducks/NNS/6 ''/''/6 ,/,/6 swans/NNS/6 and/CC/6 geese/NNS/0"
    assert reheaded(quoted, "coordination first") == [0, 1, 1, 1, 1, 1]
    plain = "ducks/NNS/5 ,/,/5 swans/NNS/5 and/CC/5 geese/NNS/0"
    assert reheaded(plain, "coordination first") == [0, 1, 1, 1, 1]


def test_a_child_is_a_conjunct_of_a_list_only_directly_after_a_comma():
    # the first heads; swans stands after a comma, but a quotation mark stands between
    direct = "ducks/NNS/0 ,/,/1 swans/NNS/1 and/CC/1 geese/NNS/1"
    assert reheaded(direct, "coordination conjunction") == [4, 4, 4, 0, 4]
    apart = "ducks/NNS/0 ,/,/1 ``/``/1 swans/NNS/1 and/CC/1 geese/NNS/1"
    found = reheaded(apart, "coordination conjunction")
    assert found[5] == 5 and found[3] == 1  # geese under and; swans no conjunct, where it was
