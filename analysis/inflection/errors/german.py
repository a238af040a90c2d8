"""Error types of German noun plurals: the pattern that was applied, out of five."""

TYPES = ("-(e)n", "-e", "zero", "-(e)r", "-s", "?")

_PLAIN = str.maketrans("äöü", "aou")
_UMLAUTS = {"a": "ä", "o": "ö", "u": "ü"}
#: Endings that foreign nouns lose before -en: Drama, Museum, Virus, Konto, Stadion, Praxis.
_LOST = ("ium", "um", "us", "os", "is", "as", "on", "a", "o")
#: Ending of each pattern; a doubled consonant (-nisse, -innen) may be present or missing.
_ADDED = {"-(e)n": ("en", "n"), "-(e)r": ("er", "r"), "-e": ("e",), "-s": ("s",), "zero": ("",)}


def plural_pattern(lemma: str, form: str) -> tuple[str, bool]:
    """Find the pattern by which a plural is formed from its lemma, and whether there is an umlaut.

    Missing or added doubling of the last consonant and ss for ß are ignored. The stem must be that of the lemma, except
    for an umlaut of its last full vowel; endings of foreign nouns may be dropped before -en. Otherwise the pattern is
    ``?``.

    Examples
    --------
    >>> plural_pattern("Löwin", "Löwinen"), plural_pattern("Drama", "Dramen"), plural_pattern("Klotz", "Klötze")
    (('-(e)n', False), ('-(e)n', False), ('-e', True))
    """
    old, new = _folded(lemma), _folded(form)
    stems = [old, old + old[-1:]] if old[-1:] not in "aeiouäöü" else [old]
    if old.endswith("ss"):
        stems.append(old[:-1])
    for stem in stems:
        for pattern, endings in _ADDED.items():
            for ending in endings:
                changed = _umlaut(stem, new, ending)
                if changed is not None and not (stem != old and not ending):
                    return pattern, changed
    for lost in _LOST:
        if old.endswith(lost) and len(old) > len(lost) + 1 and new == old[: -len(lost)] + "en":
            return "-(e)n", False
    return "?", False


def _folded(word: str) -> str:
    return word.lower().replace("ß", "ss")


def _umlaut(stem: str, form: str, ending: str) -> bool | None:
    """Return whether the form is stem and ending with an umlaut (True), without (False), or anything else (None)."""
    if not form.endswith(ending):
        return None
    body = form[: len(form) - len(ending)]
    if body == stem:
        return False
    place = _last_full_vowel(stem)
    if place is None:
        return None
    vowel = stem[place]
    candidates = [stem[:place] + _UMLAUTS[vowel] + stem[place + 1 :]]
    if place + 1 < len(stem) and stem[place + 1] == vowel:  # Saal, Säle
        candidates.append(stem[:place] + _UMLAUTS[vowel] + stem[place + 2 :])
    if place and stem[place - 1] == vowel:
        candidates.append(stem[: place - 1] + _UMLAUTS[vowel] + stem[place + 1 :])
    return True if body in candidates else None


def _last_full_vowel(stem: str) -> int | None:
    """Return the index of the vowel that takes the umlaut: the last one except e in -el, -er, -en; the a of au."""
    body = stem[:-2] if stem[-2:] in ("el", "er", "en") else stem
    for place in range(len(body) - 1, -1, -1):
        letter = body[place]
        if letter == "u" and place and body[place - 1] == "a":
            return place - 1
        if letter in _UMLAUTS:
            return place
        if letter in "eiyäöü":
            return None
    return None


def german_error(lemma: str, gold: str, predicted: str) -> tuple[str, str]:
    """Classify a wrong German plural by the applied pattern, with a note on the umlaut.

    Returns
    -------
    pair of str
        One of -(e)n, -e, zero, -(e)r, -s, ?; and "instead of" the gold pattern, or another description of the error.

    References
    ----------
    Kodner et al. (2023), section "German Noun Pluralization".

    Examples
    --------
    >>> german_error("Bild", "Bilder", "Bilde")
    ('-e', 'instead of -(e)r')
    >>> german_error("Klotz", "Klötze", "Klotze")
    ('-e', 'the same pattern, umlaut missing')
    """
    pattern, umlaut = plural_pattern(lemma, predicted)
    wanted, wanted_umlaut = plural_pattern(lemma, gold)
    if pattern == "?":
        return "?", "none of the five patterns"
    if pattern != wanted:
        return pattern, f"instead of {wanted}" + (", with umlaut" if umlaut else "")
    if umlaut != wanted_umlaut:
        return pattern, "the same pattern, umlaut " + ("added" if umlaut else "missing")
    return pattern, "the same pattern, different spelling"
