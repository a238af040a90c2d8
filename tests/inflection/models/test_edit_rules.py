import itertools

from hypothesis import given
from hypothesis import strategies as st

from analysis.inflection.models.edit_rules import END, GAP, START, affix_letters, align, edit_rules

WORDS = st.text("abc", min_size=1, max_size=6)


def hamming_by_hand(lemma, form):
    """The definition: pad with gaps at every offset, count unequal columns, keep the first best, drop empty columns."""
    n, m = len(lemma), len(form)
    pairs = [("_" * up + lemma + "_" * (m - up), "_" * n + form) for up in range(m + 1)]
    pairs += [("_" * m + lemma, "_" * (n - left) + form + "_" * left) for left in range(n + 1)]
    best = None
    for upper, lower in pairs:
        width = max(len(upper), len(lower))
        upper, lower = upper.ljust(width, "_"), lower.ljust(width, "_")
        distance = sum(a != b for a, b in zip(upper, lower, strict=True))
        if best is None or distance < best[0]:
            columns = [(a, b) for a, b in zip(upper, lower, strict=True) if (a, b) != ("_", "_")]
            best = (distance, columns)
    sides = ["".join(side) for side in zip(*best[1], strict=True)]
    before = sum(len(side) - len(side.lstrip("_")) for side in sides)
    after = sum(len(side) - len(side.rstrip("_")) for side in sides)
    return before, after


@given(WORDS, WORDS)
def test_letters_outside_the_shared_stretch_are_those_of_the_definition(lemma, form):
    assert tuple(affix_letters(lemma, form)) == hamming_by_hand(lemma, form)


def alignments(lemma, form):
    if not lemma and not form:
        yield ()
    if lemma and form:
        yield from (((lemma[0], form[0]), *rest) for rest in alignments(lemma[1:], form[1:]))
    if form:
        yield from (((GAP, form[0]), *rest) for rest in alignments(lemma, form[1:]))
    if lemma:
        yield from (((lemma[0], GAP), *rest) for rest in alignments(lemma[1:], form))


def cost(alignment):
    return sum(0 if a == b else 10 if GAP in (a, b) else 11 for a, b in alignment)


@given(st.text("ab", min_size=1, max_size=4), st.text("ab", min_size=1, max_size=4))
def test_the_alignment_is_the_first_of_the_cheapest(lemma, form):
    # `alignments` yields substitutions before insertions before deletions, so min keeps the preferred one
    best = min(alignments(lemma, form), key=cost)
    assert tuple(zip(*align(lemma, form), strict=True)) == best


@given(WORDS, WORDS)
def test_reading_the_columns_gives_both_words_back(lemma, form):
    upper, lower = align(lemma, form)
    assert ("".join(upper), "".join(lower)) == (lemma, form)
    assert not any(a == b == GAP for a, b in zip(upper, lower, strict=True))


@given(WORDS, WORDS)
def test_every_suffix_rule_changes_the_lemmas_end_into_the_forms(lemma, form):
    prefix, suffix = edit_rules(lemma, form)
    longest = max(suffix, key=lambda rule: len(rule[0]) + len(rule[1]))
    begin = min(prefix, key=lambda rule: len(rule[0]) + len(rule[1]), default=(START, START))
    if prefix:
        assert begin[0] + longest[0] == START + lemma + END
        assert begin[1] + longest[1] == START + form + END
    assert len(set(suffix)) == len(suffix), "a set"


def test_rules_of_a_suffix_a_prefix_and_a_vowel_change():
    shown = lambda rules: {tuple(s.replace(START, "<").replace(END, ">") for s in rule) for rule in rules}  # noqa: E731
    prefix, suffix = map(shown, edit_rules("walk", "walked"))
    assert suffix == {
        (">", ">"), (">", "d>"), (">", "ed>"), ("k>", "ked>"), ("lk>", "lked>"), ("alk>", "alked>"),
        ("walk>", "walked>"),
    }  # fmt: skip
    assert prefix == {("<", "<"), ("<w", "<w"), ("<wa", "<wa"), ("<wal", "<wal")}
    prefix, _ = map(shown, edit_rules("sehen", "gesehen"))
    assert ("<", "<ge") in prefix and ("<se", "<gese") in prefix
    assert ("ing>", "ang>") in shown(edit_rules("sing", "sang")[1])


def test_one_letter_words_have_rules():
    for lemma, form in itertools.product("ab", repeat=2):
        assert edit_rules(lemma, form)[1][0] == (END, END)
