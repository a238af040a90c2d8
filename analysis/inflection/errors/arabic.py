"""Error types of Arabic noun plurals: class of the gold plural and class that was applied."""

import re

TYPES = ("Snd>Snd MASC>FEM", "Snd>Snd FEM>MASC", "Snd>Snd stem", "Br>Snd", "Snd>Br", "Br>Br", "PATB", "?")

_SHORT = "\u064b\u064c\u064d\u064e\u064f\u0650\u0652\u0670"  # short vowels, nunation, sukun, dagger alif
_MARKS = re.compile(f"[{_SHORT}\u0651]")
_DOUBLED = re.compile("(.)\u0651")
_WEAK = re.compile("[اأإآٱءئؤويىة]")
_IMPOSSIBLE = re.compile(
    "[اٱآ]\u0650?ا"  # two long a
    "|\u0652[^\u064e\u064f\u0650\u0651]\u0652"  # three consonants without a vowel
    "|ا[\u064e\u064f\u0650]"  # a vowel on a long a
)
_FEM, _MASC = "ات", ("ون", "ين")


def letters(word: str) -> str:
    """Remove vowel marks and doubling from a word.

    Examples
    --------
    >>> letters("مُدَرِّسُون") == "مدرسون"
    True
    """
    return _MARKS.sub("", word)


def consonants(word: str) -> str:
    """Return the strong consonants of a word, without weak letters, hamza and tāʾ marbūṭa."""
    return _WEAK.sub("", letters(word))


def plural_class(lemma: str, form: str) -> str:
    """Classify a plural: FEM (sound, -āt), MASC (sound, -ūn or -īn) or Br (broken, i.e. not sound).

    A plural is sound if the part before the suffix has the lemma's strong consonants; so ʾawqāt from waqt, ʿuyūn from
    ʿayn and qawānīn from qānūn are broken although they have similar endings. In the available data the masculine
    suffix is mostly in the oblique case, -īn.

    Examples
    --------
    >>> plural_class("مُدَرِّس", "مُدَرِّسُون"), plural_class("وَقْت", "أَوْقات"), plural_class("ساعَة", "ساعات")
    ('MASC', 'Br', 'FEM')
    """
    bare = letters(form)
    same = consonants(bare[:-2]) == consonants(lemma)
    if same and bare.endswith(_FEM):
        return "FEM"
    if same and bare.endswith(_MASC):
        return "MASC"
    return "Br"


def is_nonsense(lemma: str, form: str) -> bool:
    """Return whether a form cannot be a plural of the lemma: no change, a foreign consonant, an impossible sequence.

    A broken plural may lack letters of the lemma (nabiyy, *nab), may separate its doubled letters (fann, funūn) and may
    end in -ān.

    Examples
    --------
    >>> is_nonsense("قِمَّة", "قِمَص"), is_nonsense("رَجُل", "رُجُل")
    (True, False)
    """
    if form == lemma or not form or _IMPOSSIBLE.search(form):
        return True
    strong = consonants(form)
    if letters(form).endswith("ان") and not consonants(lemma).endswith("ن"):
        strong = strong.removesuffix("ن")
    rest = iter(consonants(_DOUBLED.sub(r"\1\1", lemma)))
    return not all(letter in rest for letter in strong)  # in order; some may be missing


def arabic_error(lemma: str, gold: str, predicted: str) -> tuple[str, str]:
    """Classify a wrong Arabic plural by type and detail.

    Returns
    -------
    pair of str
        ``PATB`` if the gold form is the lemma itself (the annotation treats a plural as a singular); else the gold
        class > the applied class, sound to sound by direction (``stem``: the correct suffix on a wrong stem); ``?`` for
        nonsense.

    References
    ----------
    Kodner et al. (2023), section "Arabic Noun Pluralization"; Dawdy-Hesterberg & Pierrehumbert (2014).

    Examples
    --------
    >>> arabic_error("نَبِيّ", "أَنْبِياء", "نَب")
    ('Br>Br', 'broken, another pattern')
    """
    if gold == lemma:
        return "PATB", "the gold plural is the lemma"
    wanted, applied = plural_class(lemma, gold), plural_class(lemma, predicted)
    if applied == "Br" and is_nonsense(lemma, predicted):
        return "?", "no plural of this noun"
    if wanted == "Br":
        return ("Br>Br", "broken, another pattern") if applied == "Br" else ("Br>Snd", f"broken > {applied}")
    if applied == "Br":
        return "Snd>Br", f"{wanted} > broken"
    if applied == wanted:
        return "Snd>Snd stem", f"{wanted}, another stem"
    return f"Snd>Snd {wanted}>{applied}", f"{wanted} > {applied}"
