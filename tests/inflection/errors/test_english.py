import pytest

from analysis.inflection.errors.english import IRREGULAR as TAUGHT
from analysis.inflection.errors.english import english_error, is_irregular_pattern, is_nearly_regular, is_regular

REGULAR = [
    ("fly", "flew", "flied"), ("obey", "obeyed", "obeid"), ("trim", "trimmed", "trimed"), ("bend", "bent", "bended"),
    ("sing", "sang", "singed"), ("go", "went", "goed"), ("reply", "replied", "replyed"), ("put", "put", "putted"),
    ("bring", "brought", "bringed"), ("chew", "chewed", "chewd"), ("panic", "panicked", "paniced"),
    ("parrot", "parroted", "parrotted"), ("see", "saw", "seed"), ("eat", "ate", "eated"),
]  # fmt: skip
IRREGULAR = [
    ("tweet", "tweeted", "twet"), ("peep", "peeped", "pept"), ("bleep", "bleeped", "bleept"),
    ("blink", "blinked", "blank"),
    ("rid", "rid", "rad"), ("scold", "scolded", "sceld"), ("visit", "visited", "visit"), ("reach", "reached", "raught"),
    ("ring", "rang", "rung"), ("cry", "cried", "crew"),
    ("seal", "sealed", "sole"), ("mind", "minded", "mound"), ("blow", "blew", "blowt"), ("come", "came", "camed"),
]  # fmt: skip
UNNATURAL = [
    ("correspond", "corresponded", "correspood"), ("walk", "walked", "walk"), ("walk", "walked", "wakled"),
    ("try", "tried", "troied"), ("jump", "jumped", "jumpedly"), ("play", "played", "plxyed"),
    ("look", "looked", "lookeded"), ("help", "helped", "hlep"), ("call", "called", "cal"),
    ("open", "opened", "openened"),
    ("ask", "asked", "akse"), ("want", "wanted", "wonk"),
]  # fmt: skip


@pytest.mark.parametrize(("lemma", "gold", "predicted"), REGULAR)
def test_the_regular_suffix_counts_in_any_near_spelling(lemma, gold, predicted):
    kind, detail = english_error(lemma, gold, predicted)
    assert kind == "-(e)d"
    assert detail == ("regular, misspelt" if is_regular(lemma, gold) else "over-regularisation")


@pytest.mark.parametrize(("lemma", "gold", "predicted"), IRREGULAR)
def test_irregular_and_analogised_forms_are_irregular(lemma, gold, predicted):
    kind, detail = english_error(lemma, gold, predicted)
    assert kind == "irreg", detail
    assert detail.startswith("over-irregularisation" if is_regular(lemma, gold) else "wrong irregular pattern")


@pytest.mark.parametrize(("lemma", "gold", "predicted"), UNNATURAL)
def test_what_follows_no_pattern_is_unnatural(lemma, gold, predicted):
    assert english_error(lemma, gold, predicted)[0] == "?"


def test_each_class_has_ten_cases():
    assert min(len(REGULAR), len(IRREGULAR), len(UNNATURAL)) >= 10


def test_regular_spelling_follows_the_rules_of_spelling():
    regular = ["baked", "cried", "played", "stopped", "panicked", "visited", "agreed"]
    assert all(
        is_regular(*pair)
        for pair in zip(["bake", "cry", "play", "stop", "panic", "visit", "agree"], regular, strict=True)
    )
    assert not any(
        is_regular(*pair) for pair in [("cry", "cryed"), ("say", "said"), ("bake", "bakeed"), ("fly", "flew")]
    )


def test_irregular_past_tenses_are_not_nearly_regular():
    for lemma, past in [
        ("keep", "kept"),
        ("hide", "hid"),
        ("read", "read"),
        ("feed", "fed"),
        ("stand", "stood"),
    ]:
        assert not is_nearly_regular(lemma, past), lemma


def test_the_pattern_is_named():
    assert is_irregular_pattern("tweet", "twet") == "eet > et"
    assert is_irregular_pattern("visit", "visit") == "no change" and is_irregular_pattern("walk", "walk") == ""


@pytest.mark.parametrize("lemma", ["end", "mend", "want", "need", "rest", "edit", "play", "call"])
def test_a_regular_past_tense_follows_no_irregular_pattern(lemma):
    assert is_regular(lemma, f"{lemma}ed")
    assert is_irregular_pattern(lemma, f"{lemma}ed") == ""


def test_no_pattern_is_taught_by_a_regular_past_tense():
    pairs = [pair.split() for pair in TAUGHT.replace("\n", " ").split(",")]
    assert [lemma for lemma, past in pairs if is_regular(lemma, past)] == ["swell"], "its rime is passed over"
    assert is_irregular_pattern("tell", "telled") == ""


def test_the_end_that_doubles_its_consonant_does_so_after_a_single_vowel_only():
    assert is_regular("stop", "stopped") and not is_regular("play", "playyed") and not is_regular("fix", "fixxed")
    assert english_error("end", "ended", "ent") == ("irreg", "over-irregularisation: end > ent")
