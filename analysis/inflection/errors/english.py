"""Error types of English past tenses: regular suffix, irregular pattern (also by analogy), unnatural."""

import re
from functools import lru_cache

TYPES = ("-(e)d", "irreg", "?")

#: Irregular verbs whose changes count as patterns for analogy.
IRREGULAR = """
arise arose, bear bore, beat beat, become became, begin began, bend bent, bet bet, bid bade, bind bound, bite bit,
bleed bled, blow blew, break broke, breed bred, bring brought, build built, burn burnt, burst burst, buy bought,
cast cast, catch caught, choose chose, cling clung, come came, cost cost, creep crept, cut cut, deal dealt, dig dug,
do did, draw drew, dream dreamt, drink drank, drive drove, eat ate, fall fell, feed fed, feel felt, fight fought,
find found, flee fled, fling flung, fly flew, forget forgot, freeze froze, get got, give gave, go went, grind ground,
grow grew, hang hung, have had, hear heard, hide hid, hit hit, hold held, hurt hurt, keep kept, kneel knelt, know knew,
lay laid, lead led, lean leant, leap leapt, learn learnt, leave left, lend lent, let let, lie lay, light lit, lose lost,
make made, mean meant, meet met, pay paid, put put, quit quit, read read, ride rode, ring rang, rise rose, run ran,
say said, see saw, seek sought, sell sold, send sent, set set, shake shook, shed shed, shine shone, shoot shot,
shrink shrank, shut shut, sing sang, sink sank, sit sat, sleep slept, slide slid, sling slung, slit slit, smell smelt,
speak spoke, speed sped, spell spelt, spend spent, spill spilt, spin spun, spit spat, split split, spread spread,
spring sprang, stand stood, steal stole, stick stuck, sting stung, stink stank, stride strode, strike struck,
string strung, strive strove, swear swore, sweep swept, swell swelled, swim swam, swing swung, take took, teach taught,
tear tore, tell told, think thought, throw threw, thrust thrust, tread trod, wake woke, wear wore, weave wove,
weep wept, win won, wind wound, wring wrung, write wrote
"""
_RIME = re.compile(r"^(.*?)([aeiouy]+)([^aeiouy]*)(e?)$")


def is_regular(lemma: str, form: str) -> bool:
    """Return whether a form is the regular past tense in correct spelling.

    Examples
    --------
    >>> is_regular("trim", "trimmed"), is_regular("say", "said"), is_regular("cry", "cried")
    (True, False, True)
    """
    allowed = {lemma + "ed"}
    if lemma.endswith("e"):
        allowed = {lemma + "d"}
    elif re.search(r"[^aeiou]y$", lemma):
        allowed = {lemma[:-1] + "ied"}
    elif lemma.endswith("c"):
        allowed |= {lemma + "ked"}
    elif re.search(r"[aeiouy][^aeiouywx]$", lemma):
        allowed |= {lemma + lemma[-1] + "ed"}
    return form in allowed


def is_nearly_regular(lemma: str, form: str) -> bool:
    """Return whether a form is the unchanged lemma with -(e)d in any spelling: obeid, trimed, replyed, planed.

    Examples
    --------
    >>> is_nearly_regular("obey", "obeid"), is_nearly_regular("trim", "trimed"), is_nearly_regular("keep", "kept")
    (True, True, False)
    """
    if is_regular(lemma, form):
        return True
    return form.endswith("d") and len(form) > len(lemma) - 1 and _spelling(form[:-1]) == _spelling(lemma)


def _spelling(word: str) -> str:
    """Normalise spelling variants of a word: final e, doubled letters, y or i, c or ck."""
    word = re.sub(r"ck?$", "c", word.rstrip("e").replace("y", "i"))
    return re.sub(r"(.)\1+", r"\1", word)


def _rime(word: str) -> tuple[str, str, str, str] | None:
    """Split a word into onset, last vowel letters, following consonants, and a silent e."""
    match = _RIME.match(word)
    return (match[1], match[2], match[3], match[4]) if match else None


@lru_cache(maxsize=1)
def _patterns() -> tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str, str]], frozenset[str]]:
    """Collect changes of a whole rime (eep > ept) and of its vowel between the same consonants (i > a); and past
    tenses.
    """
    rimes, vowels, pasts = set(), set(), set()
    for pair in IRREGULAR.replace("\n", " ").split(","):
        lemma, past = pair.split()
        pasts.add(past)
        old, new = _rime(lemma), _rime(past)
        if old is None or new is None or is_regular(lemma, past):
            continue
        rimes.add(("".join(old[1:]), "".join(new[1:])))
        if old[2] == new[2] and (old[1], old[3]) != (new[1], new[3]):
            vowels.add((old[1] + "_" + old[3], new[1] + "_" + new[3], "any"))
    return frozenset(rimes), frozenset(vowels), frozenset(pasts)


def is_irregular_pattern(lemma: str, form: str) -> str:
    """Which irregular pattern a form follows, or an empty string.

    The form is the past tense of an irregular verb that ends as the lemma does; or the lemma's last vowel with what
    follows changes as in some irregular verb (tweet–twet as meet–met), or the vowel alone does (rid–rad as sit–sat);
    or -t is added (peept as burnt); or nothing is changed in a lemma that ends in t or d (visit as hit).

    Examples
    --------
    >>> is_irregular_pattern("tweet", "twet"), is_irregular_pattern("correspond", "correspood")
    ('eet > et', '')
    """
    rimes, vowels, pasts = _patterns()
    if form == lemma:
        return "no change" if lemma[-1:] in ("t", "d") else ""
    if form in (lemma + "t", lemma.rstrip("e") + "t") and len(form) > 2:
        return "-t"
    old, new = _rime(lemma), _rime(form)
    if old is None or new is None:
        return ""
    endings = "".join(old[1:]), "".join(new[1:])
    if old[0] == new[0] and endings in rimes:
        return f"{endings[0]} > {endings[1]}"
    change = (old[1] + "_" + old[3], new[1] + "_" + new[3], "any")
    if old[0] == new[0] and old[2] == new[2] and change in vowels:
        return f"{change[0].rstrip('_')} > {change[1].rstrip('_')}"
    if form in pasts and new[0][:1] == old[0][:1]:
        return "past tense of another verb"
    return ""


def english_error(lemma: str, gold: str, predicted: str) -> tuple[str, str]:
    """Type and detail of a wrong English past tense.

    Returns
    -------
    pair of str
        ``-(e)d`` (over-regularisation where the gold form is irregular, a misspelling where it is regular),
        ``irreg`` (over-irregularisation where the gold form is regular, the wrong pattern where it is not) or ``?``.

    References
    ----------
    Kodner et al. (2023), section "English Past Tense".

    Examples
    --------
    >>> english_error("tweet", "tweeted", "twet")
    ('irreg', 'over-irregularisation: eet > et')
    >>> english_error("fly", "flew", "flied")
    ('-(e)d', 'over-regularisation')
    """
    regular_gold = is_regular(lemma, gold)
    if is_nearly_regular(lemma, predicted):
        return "-(e)d", "regular, misspelt" if regular_gold else "over-regularisation"
    pattern = is_irregular_pattern(lemma, predicted)
    for suffix in ("ed", "d"):  # marked twice: camed
        if not pattern and predicted.endswith(suffix):
            inner = is_irregular_pattern(lemma, predicted.removesuffix(suffix))
            pattern = f"{inner}, then -(e)d" if inner and inner != "no change" else ""
    if pattern:
        return "irreg", f"{'over-irregularisation' if regular_gold else 'wrong irregular pattern'}: {pattern}"
    return "?", "no pattern of English"
