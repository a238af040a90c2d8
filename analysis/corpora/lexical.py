"""Forms tables from word lists in Python packages, for offline use, and from the hand-written Arabic list.

English past tenses come from lemminflect, German plurals from german-nouns, frequencies from wordfreq; the three are
the extra ``lexical``. The packages are imported when a list is requested.
"""

import importlib.util
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.corpora.folders import data_folder
from analysis.structures import DataError
from analysis.structures.kept import kept

LANGUAGES = ("Arabic", "English", "German")
_CODES = {"Arabic": "ar", "English": "en", "German": "de"}
_MARKS = "ًٌٍَُِّْٰ"  # Arabic vowel marks
#: Spellings of nouns that are nearly always other words in texts (das Ich, das Aber).
_GERMAN_FUNCTION_WORDS = frozenset(
    """
    aber alt da damit der die drei du ein einer eins er es etwas ex für gut hier ich in ja jetzt leider mit nein
    nicht nichts noch nun nur oder rund sehr sie so soll sollte des unter und vier von was weg wenn wer werd wie
    willkommen wir wolle würde zehn zu zwei
    """.split()  # noqa: SIM905
)
#: Left out for use in class.
_VULGAR = frozenset(("fuck", "shit", "piss", "fart", "Arsch", "Arschloch", "Scheiße", "Hure", "Nutte", "Fotze"))
_GENDERS = {"f": "FEM", "m": "MASC", "n": "NEUT"}


def _require(*packages: str) -> None:
    missing = [name for name in packages if importlib.util.find_spec(name.replace("-", "_")) is None]
    if missing:
        raise DataError(
            f"this word list needs the package {' and '.join(missing)}.",
            "Install the suite with its lock file (make), or with the extra: pip install .[lexical]",
        )


def lexical_forms(language: str, most_frequent: int | None = None) -> pd.DataFrame:
    """Return one item per lemma with word frequencies: the offline data of the inflection subject.

    Parameters
    ----------
    language : {"Arabic", "English", "German"}
        Noun plurals of Arabic and German, past tenses of English.
    most_frequent : int, optional
        Number of lemmas to keep, the most frequent ones; by default all in wordfreq.

    Returns
    -------
    DataFrame
        ``lemma``, ``form``, ``features`` (as in the SIGMORPHON 2022 data) and ``frequency``, the occurrences of the
        form's spelling per billion words (wordfreq), most frequent first. For German it is the lower frequency of lemma
        and form, because many spellings are also verbs. For Arabic vowel marks are removed, so words that differ only
        in vowels have the same frequency. A few vulgar words are left out. Arabic also has ``class`` and ``pattern``.

    Raises
    ------
    DataError
        If there is no such language, a package is missing, or there are fewer lemmas than requested.
    """
    if language not in LANGUAGES:
        raise DataError(f"there is no word list for {language!r}; there are {', '.join(LANGUAGES)}.")
    _require("wordfreq", *{"English": ["lemminflect"], "German": ["german-nouns"], "Arabic": []}[language])
    table = {"English": _english, "German": _german, "Arabic": _arabic}[language]()
    if most_frequent is not None:
        if not 1 <= most_frequent <= len(table):
            raise DataError(f"{most_frequent:,} {language} lemmas were requested; there are {len(table):,}.")
        table = table.head(most_frequent)
    return table.copy()


def lexical_version(language: str) -> str:
    """Return packages and versions of a list, for cache keys and captions."""
    packages = {"English": ["lemminflect"], "German": ["german-nouns"], "Arabic": []}[language]
    _require("wordfreq", *packages)
    said = [f"{name} {version(name)}" for name in (*packages, "wordfreq")]
    if language == "Arabic":
        said.insert(0, "hand-written list 1")
    return " + ".join(said)


def arabic_nouns() -> pd.DataFrame:
    """Read the hand-written list of Arabic nouns: ``singular``, ``plural``, ``gender``, ``human``, ``class``,
    ``pattern``.

    Examples
    --------
    >>> nouns = arabic_nouns()
    >>> len(nouns) > 300, sorted(nouns["class"].unique())
    (True, ['broken', 'sound feminine', 'sound masculine'])
    """
    path = data_folder() / "arabic" / "nouns.csv"
    return pd.read_csv(path, dtype="str", keep_default_na=False, encoding="utf-8")


def _with_frequency(table: pd.DataFrame, language: str, *spellings: pd.Series) -> pd.DataFrame:
    """Return the items that occur, most frequent first, one per lemma; the rarest of several spellings counts."""
    from wordfreq import get_frequency_dict

    frequencies = get_frequency_dict(_CODES[language], wordlist="best")
    found = np.array([[frequencies.get(word, 0.0) for word in spelling.str.lower()] for spelling in spellings])
    table = table.assign(frequency=np.round(found.min(axis=0) * 1e9))
    table = table[(table["frequency"] > 0) & ~table["lemma"].isin(_VULGAR)].sort_values(
        "frequency", ascending=False, kind="stable", ignore_index=True
    )
    return table.drop_duplicates("lemma", ignore_index=True)


@kept
def _english() -> pd.DataFrame:
    """Return dictionary verbs in lower case with their first past tense (lay for lie, was for be)."""
    import lemminflect

    listed = lemminflect.Inflections()._getInflDict()
    rows = [
        (lemma, tags["VBD"][0])
        for lemma, tags in sorted(listed.items())
        if "VBD" in tags and lemma.isascii() and lemma.isalpha() and lemma.islower() and tags["VBD"][0].isalpha()
    ]
    table = pd.DataFrame(rows, columns=["lemma", "form"], dtype="str").assign(features="V;PST")
    return _with_frequency(table, "English", table["form"])


@kept
def _german() -> pd.DataFrame:
    """Return nouns with gender and nominative plural; the first plural listed if there are several."""
    folder = importlib.util.find_spec("german_nouns")
    assert folder is not None and folder.submodule_search_locations
    path = Path(next(iter(folder.submodule_search_locations))) / "nouns.csv"
    raw = pd.read_csv(path, dtype="str", keep_default_na=False, na_values=[""], encoding="utf-8").drop_duplicates()
    table = pd.DataFrame(
        {
            "lemma": raw["lemma"],
            "form": _first_of(raw, "nominativ plural", ("", "*", *(f" {n}" for n in range(1, 5)))),
            "gender": _first_of(raw, "genus", ("", *(f" {n}" for n in range(1, 5)))).map(_GENDERS),
        }
    )[raw["pos"] == "Substantiv"].dropna()
    word = r"[A-ZÄÖÜ][a-zäöüß]+"
    table = table[table["lemma"].str.fullmatch(word) & table["form"].str.fullmatch(word)]
    table = table.assign(features="N;NOM;" + table["gender"] + ";PL").drop(columns="gender").reset_index(drop=True)
    table = table[~table["lemma"].str.lower().isin(_GERMAN_FUNCTION_WORDS)]
    table = table.drop_duplicates("lemma", ignore_index=True)
    return _with_frequency(table, "German", table["lemma"], table["form"])


def _first_of(table: pd.DataFrame, name: str, endings: tuple[str, ...]) -> pd.Series:
    """Return the first value of a field that is spread over several columns."""
    columns = [name + ending for ending in endings if name + ending in table.columns]
    found = table[columns[0]]
    for column in columns[1:]:
        found = found.where(found.notna(), table[column])
    return found


@kept
def _arabic() -> pd.DataFrame:
    nouns = arabic_nouns()
    features = "N;" + nouns["human"] + ";" + nouns["gender"] + ";PL"
    table = pd.DataFrame({"lemma": nouns["singular"], "form": nouns["plural"], "features": features})
    table = table.assign(**{name: nouns[name] for name in ("class", "pattern")})
    spelling = nouns["plural"].str.replace(f"[{_MARKS}]", "", regex=True)
    columns = ["lemma", "form", "features", "frequency", "class", "pattern"]
    return _with_frequency(table, "Arabic", spelling)[columns]
