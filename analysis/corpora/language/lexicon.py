"""Lexicon of the built-in language: the hand-written lists, expanded to one row per entry."""

import itertools
from functools import lru_cache

import pandas as pd

from analysis.corpora.folders import data_folder
from analysis.structures.kept import kept

#: Proportion of present forms among present and past forms of a finite verb.
PRESENT, PAST = 0.6, 0.4

#: Weight of a noun's plural relative to its singular.
PLURAL = 1.0

#: State of the passive participle of a verb with a frame.
_PASSIVE = {"t": "V.pss", "ndir": "V.npss"}

#: Frames of conjoined finite verbs, which have the same tense.
_TENSED = ("i", "t", "dir")

ENTRY_COLUMNS = ["form", "lemma", "fine", "coarse", "universal", "category", "state", "weight"]


def read_list(name: str) -> pd.DataFrame:
    """Read one of the lists of ``data/language`` as strings; empty fields are empty strings.

    Examples
    --------
    >>> read_list("tags").columns.tolist()
    ['fine', 'coarse', 'universal', 'meaning']
    """
    path = data_folder() / "language" / f"{name}.csv"
    return pd.read_csv(path, dtype="str", keep_default_na=False, encoding="utf-8")


@kept
def state_categories() -> dict[str, str]:
    r"""Return the category of each state of the grammar, with expanded patterns; empty for the start.

    Examples
    --------
    >>> state_categories()["V.t.3s"]
    '(S[dcl]\\NP)/NP'
    """
    table = read_list("states")
    categories: dict[str, str] = {}
    for row in table.itertuples():
        for values in spellings(row.state):
            state = fill(row.state, values)
            if state in categories:
                raise ValueError(f"states.csv gives {state!r} twice.")
            categories[state] = fill(row.category, values, features=True)
    return categories


@lru_cache(maxsize=1)
def _ranges() -> dict[str, list[tuple[str, str]]]:
    table = read_list("ranges")
    return {str(name): list(zip(rows["value"], rows["feature"], strict=True)) for name, rows in table.groupby("range")}


Values = dict[str, tuple[str, str]]


def spellings(*patterns: str) -> list[Values]:
    """List all combinations of values for the ranges in the patterns, such as ``{v}``; one empty combination without
    ranges.

    Examples
    --------
    >>> [fill("NP.{n}", values) for values in spellings("NP.{n}")]
    ['NP.3s', 'NP.pl']
    """
    ranges = _ranges()
    names = [name for name in ranges if any("{" + name + "}" in pattern for pattern in patterns)]
    return [dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*(ranges[name] for name in names))]


def fill(pattern: str, values: Values, *, features: bool = False) -> str:
    """Fill a pattern with the value of each range, or with the feature for the value."""
    for name, (value, feature) in values.items():
        pattern = pattern.replace("{" + name + "}", feature if features else value)
    return pattern


def lexicon() -> pd.DataFrame:
    r"""List every entry of the lexicon.

    A word form has an entry for each way to use it: *fish* is a noun (of both numbers) and a verb.

    Returns
    -------
    DataFrame
        ``form``, ``lemma``, ``fine`` (word class as in CHAT), ``coarse`` (one of the twelve collapsed
        categories of Frank, Goldwater & Keller 2009, Table 1), ``universal`` (Universal Dependencies), ``category``
        (CCG), ``state`` (the grammar's finer class) and ``weight``. Within a state the probability of an entry is
        proportional to its weight.

    Examples
    --------
    >>> entries = lexicon()
    >>> entries[entries["form"] == "to"][["fine", "category"]].drop_duplicates().values.tolist()
    [['prep', 'PP/NP'], ['inf', '(S[to]\\NP)/(S[b]\\NP)']]
    """
    return _lexicon()


@kept
def _lexicon() -> pd.DataFrame:
    rows: list[tuple[str, str, str, str, float]] = []
    for word in read_list("lexicon").itertuples():
        rows.append((word.form, word.lemma, word.fine, word.state, float(word.weight)))
    for noun in read_list("nouns").itertuples():
        rows += _noun(noun.singular, noun.plural, noun[3], noun.article, float(noun.weight))
    for verb in read_list("verbs").itertuples():
        forms = {"base": verb.lemma, "third": verb.third, "past": verb.past, "ing": verb.ing, "en": verb.participle}
        for frame in verb.frames.split():
            name, _, weight = frame.partition(":")
            rows += _verb(verb.lemma, forms, name, float(weight), verb.restriction)
    table = pd.DataFrame(rows, columns=["form", "lemma", "fine", "state", "weight"])
    categories = state_categories()
    unknown = sorted(set(table["state"]) - set(categories))
    if unknown:
        raise ValueError(f"the lexicon uses states that states.csv lacks: {', '.join(unknown)}.")
    tags = read_list("tags").set_index("fine")
    untagged = sorted(set(table["fine"]) - set(tags.index))
    if untagged:
        raise ValueError(f"the lexicon uses fine tags that tags.csv lacks: {', '.join(untagged)}.")
    table["category"] = table["state"].map(categories)
    for column in ("coarse", "universal"):
        table[column] = table["fine"].map(tags[column])
    return table[ENTRY_COLUMNS]


def _noun(singular: str, plural: str, kind: str, article: str, weight: float) -> list[tuple[str, str, str, str, float]]:
    if kind == "mass":
        return [(singular, singular, "n", "N.mass", weight)]
    if kind == "plural":
        return [(plural, plural, "n:pt", "N.pl", weight)]
    rows = [(singular, singular, "n", f"N.sg.{'v' if article == 'an' else 'c'}", weight)]
    rows.append((plural, singular, "n", "N.pl", PLURAL * weight))
    if kind == "animate":
        rows.append((singular, singular, "n", "N.an", weight))
    return rows


def _verb(
    lemma: str, forms: dict[str, str], frame: str, weight: float, restriction: str
) -> list[tuple[str, str, str, str, float]]:
    finite, plain, participle = "v", "v", "part"
    rows = [
        (forms["third"], lemma, finite, f"V.{frame}.3s", PRESENT * weight),
        (forms["past"], lemma, finite, f"V.{frame}.3s", PAST * weight),
    ]
    for person in ("pl", "1s"):
        rows.append((forms["base"], lemma, finite, f"V.{frame}.{person}", PRESENT * weight))
        rows.append((forms["past"], lemma, finite, f"V.{frame}.{person}", PAST * weight))
    if frame in _TENSED:
        for form, state in (("third", "pr3"), ("base", "prp"), ("past", "pa")):
            rows.append((forms[form], lemma, finite, f"V.{frame}.{state}", weight))
    rows.append((forms["base"], lemma, plain, f"V.{frame}.b", weight))
    rows.append((forms["en"], lemma, participle, f"V.{frame}.pt", weight))
    if restriction != "stative":
        rows.append((forms["base"], lemma, plain, f"V.{frame}.im", weight))
        rows.append((forms["ing"], lemma, participle, f"V.{frame}.ng", weight))
        if frame in _PASSIVE and restriction != "active":
            rows.append((forms["en"], lemma, participle, _PASSIVE[frame], weight))
    # a verb with equal present and past forms has two readings of one entry
    merged: dict[tuple[str, str, str, str], float] = {}
    for form, base, fine, state, share in rows:
        merged[form, base, fine, state] = merged.get((form, base, fine, state), 0.0) + share
    return [(*key, share) for key, share in merged.items()]
