import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from analysis.corpora.language import generate, lexicon, load_grammar
from analysis.structures.ccg_category import parse_category

pytestmark = pytest.mark.thorough

TWELVE = {"ADJ", "ADV", "OTH", "CONJ", "DET", "INF", "N", "NEG", "PART", "PREP", "QN", "V"}
UNIVERSAL = {
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "SCONJ",
    "VERB",
}


@pytest.fixture(scope="module")
def entries():
    return lexicon()


def test_the_lexicon_is_as_large_as_promised(entries):
    assert entries["form"].nunique() >= 700
    assert entries["category"].nunique() >= 60
    assert 40 <= entries["fine"].nunique() <= 60


def test_the_tags_are_those_of_the_inventories(entries):
    assert set(entries["coarse"]) == TWELVE
    assert set(entries["universal"]) <= UNIVERSAL
    assert (entries["weight"] > 0).all()
    assert not entries.duplicated(["form", "lemma", "fine", "state"]).any()
    assert entries["form"].str.fullmatch(r"[A-Za-z']+").all()


def test_one_fine_tag_has_one_coarse_and_one_universal_tag(entries):
    assert (entries.groupby("fine")[["coarse", "universal"]].nunique() == 1).all().all()


def test_about_a_sixth_of_the_forms_have_several_fine_tags(entries):
    ambiguous = entries.groupby("form")["fine"].nunique() > 1
    assert 0.14 <= ambiguous.mean() <= 0.18


@pytest.mark.parametrize(
    ("form", "tags"),
    {
        "to": {"inf", "prep"},
        "her": {"pro:obj", "pro:poss:det"},
        "that": {"pro:dem", "det:dem", "cmpl", "rel"},
        "like": {"v", "prep", "conj"},
        "fish": {"n", "v"},
        "play": {"n", "v"},
        "cook": {"n", "v"},
        "put": {"v", "part"},
        "one": {"pro:indef", "det:num", "qn"},
    }.items(),
)
def test_words_are_ambiguous_as_in_english(entries, form, tags):
    assert set(entries.loc[entries["form"] == form, "fine"]) == tags


#: What a fine tag says about the category, whatever its feature.
SHAPES = {
    "n": {"N", "N/N"},
    "n:pt": {"N"},
    "det": {"NP/N"},
    "det:dem": {"NP/N"},
    "pro:poss:det": {"NP/N"},
    "pro:sub": {"NP"},
    "pro:obj": {"NP"},
    "pro:dem": {"NP"},
    "inf": {r"(S\NP)/(S\NP)"},
    "coord": {"conj"},
    "ptl": {"PR"},
    "cmpl": {"S/S"},
    "rel": {r"(NP\NP)/(S\NP)", r"(NP\NP)/(S/NP)"},
    "poss": {r"(NP/N)\NP"},
    "adj": {"N/N", r"S\NP", r"(S\NP)/PP", r"(S\NP)/S"},
    "prep": {
        "PP/NP",
        r"(NP\NP)/NP",
        r"((S\NP)\(S\NP))/NP",
        "(S/S)/NP",
        r"((S\NP)\(S\NP))/(S\NP)",
        r"(((S\NP)\(S\NP))/(S\NP))/NP",
    },
}


def test_tags_agree_with_categories(entries):
    shapes = entries["category"].map(lambda text: str(parse_category(text).without_features()))
    for tag, expected in SHAPES.items():
        assert set(shapes[entries["fine"] == tag]) <= expected, tag
    target = entries["category"].map(lambda text: str(parse_category(text).target))
    assert set(target[entries["fine"] == "part"]) == {"S[ng]", "S[pt]", "S[pss]"}
    assert set(target[entries["fine"] == "v"]) == {"S[dcl]", "S[b]"}
    assert set(target[entries["fine"] == "mod"]) == {"S[dcl]", "S[q]"}
    assert set(entries.loc[entries["category"] == "NP", "coarse"]) == {"N"}
    assert set(entries.loc[entries["category"] == "NP/N", "coarse"]) == {"DET", "QN"}


def test_in_what_is_drawn_the_tags_are_those_of_an_entry():
    tokens = generate(20_000, random_state=3).tokens
    columns = ["form", "lemma", "fine", "coarse", "universal", "category"]
    known = set(lexicon()[columns].itertuples(index=False, name=None))
    assert set(tokens[columns].astype("str").drop_duplicates().itertuples(index=False, name=None)) <= known


def test_drawn_frequencies_match_the_weights():
    """Chi-square over the entries of each group of tag and category that only one state has."""
    entries = lexicon()
    tokens = generate(60_000, random_state=8).tokens
    counts = tokens.groupby(["category", "form", "lemma", "fine"], observed=True).size()
    states = entries.groupby("category")["state"].nunique()
    statistic, degrees, groups = 0.0, 0, 0
    for category in states[states == 1].index:
        rows = entries[entries["category"] == category].set_index(["category", "form", "lemma", "fine"])["weight"]
        observed = counts.reindex(rows.index, fill_value=0)
        expected = rows / rows.sum() * observed.sum()
        if len(rows) < 2 or expected.min() < 5:
            rare = expected < 5
            if (~rare).sum() < 2:
                continue
            observed = pd.concat([observed[~rare], pd.Series([observed[rare].sum()])])
            expected = pd.concat([expected[~rare], pd.Series([expected[rare].sum()])])
            keep = expected.to_numpy() > 0
            observed, expected = observed[keep], expected[keep]
        statistic += float(((observed.to_numpy() - expected.to_numpy()) ** 2 / expected.to_numpy()).sum())
        degrees += len(observed) - 1
        groups += 1
    assert groups >= 20
    assert 0.001 < chi2.sf(statistic, degrees) < 0.999


def test_every_entry_can_be_drawn_and_every_rule_used():
    grammar = load_grammar()
    expected = grammar.expected_counts()
    assert (expected[grammar.entries["state_code"]] > 0).all()
    top = grammar.rules[expected[grammar.rules["parent"]] > 0]
    assert np.isclose(top.groupby("parent")["probability"].sum(), 1).all()


def test_articles_agree_with_the_word_after_them():
    tokens = generate(20_000, random_state=4).tokens
    form = tokens["form"].astype("str").to_numpy()
    following = form[1:][tokens["sentence"].to_numpy()[1:] == tokens["sentence"].to_numpy()[:-1]]
    articles = form[:-1][tokens["sentence"].to_numpy()[1:] == tokens["sentence"].to_numpy()[:-1]]
    vowel = np.isin([word[0].lower() for word in following], list("aeiou"))
    assert vowel[articles == "an"].all()
    assert not vowel[articles == "a"].any()
    assert (articles == "an").sum() > 100


def test_verbs_agree_with_their_subjects():
    drawn = generate(20_000, random_state=5)
    tokens = drawn.tokens.astype({"form": "str", "relation": "str"})
    heads = tokens.set_index(["sentence", "position"])["form"]
    subjects = tokens[tokens["relation"] == "SUBJ"]
    verbs = heads.reindex(list(zip(subjects["sentence"], subjects["head"], strict=True))).to_numpy()
    pairs = pd.DataFrame({"subject": subjects["form"].to_numpy(), "verb": verbs})
    singular = {"is", "was", "has", "does", "goes", "wants", "makes", "eats", "likes"}
    plural = {"are", "were", "have", "go", "want", "make", "eat", "like"}
    for pronoun, wrong in (("he", plural | {"am"}), ("she", plural | {"am"}), ("they", singular | {"am"})):
        rows = pairs[pairs["subject"] == pronoun]
        assert len(rows) > 100
        assert not set(rows["verb"]) & wrong, pronoun
    first = pairs[pairs["subject"] == "I"]
    assert not set(first["verb"]) & {"is", "are", "were", "has", "does", "goes"}
    assert not set(pairs["subject"]) & {"me", "him", "them", "us"}


@pytest.fixture(scope="module")
def utterances():
    tokens = generate(60_000, random_state=11).tokens.astype({"form": "str"})
    return tokens.groupby("sentence")["form"].agg(" ".join)


@pytest.mark.parametrize(
    ("wrong", "possible"),
    [
        (r"\bbe not\b|\bnot not\b|n't (?:be )?not\b", r"\bbe \w+|n't be\b"),
        (
            r"\b(?:all|both|many|most|one|some) of (?:(?:you|nothing|something|me|him)\b|her$|Daddy$)",
            r"\bof (?:it|them|those)$",
        ),
        (
            r"\b(?:both|many|one) of (?!the\b|th[eo]se\b|them\b|\w+ 's\b|(?:your|my|his|her|our|their|its)\b)",
            r"\bone of",
        ),
        (r"\b(?:I|we) \w+ (?:me|us)$|\bwe \w+ (?:at|to|with|for|on|by) us$|^(?:I|you) \w+ for (?:me|us)$", r" for me$"),
        (r"\b(?:give|gave|gives) (?:it|him|her|them|me|us) (?:it|him|them|me|us)\b", r"\bgive (?:him|them|me) "),
    ],
)
def test_what_no_adult_would_say_is_not_said(utterances, wrong, possible):
    assert utterances.str.contains(possible).any()
    assert not utterances.str.contains(wrong).any(), utterances[utterances.str.contains(wrong)].head().tolist()


def test_only_animates_are_relativised_by_who(utterances, entries):
    animate = set(entries.loc[entries["state"] == "N.an", "form"])
    heads = utterances.str.extractall(r"\bthe (\w+) who\b")[0]
    tokens = generate(60_000, random_state=11).tokens
    relative = tokens["sentence"][(tokens["form"] == "who") & (tokens["fine"] == "rel")]
    assert len(relative) > 100
    assert set(heads[heads.index.get_level_values(0).isin(relative)]) <= animate


def test_two_masses_together_take_the_plural(utterances):
    pairs = utterances.str.extract(
        r"^(?:milk|juice|water|bread|tea) and (?:milk|juice|water|bread|tea) (is|are|was|were)\b"
    )
    verbs = pairs[0].dropna()
    assert len(verbs) > 0
    assert set(verbs) <= {"are", "were"}
