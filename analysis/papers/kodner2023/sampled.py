"""What enters a training sample when: for the explorers and the notebook."""

from functools import lru_cache

import pandas as pd

from analysis.inflection.errors.arabic import plural_class
from analysis.inflection.errors.english import is_regular
from analysis.inflection.errors.german import plural_pattern
from analysis.papers.kodner2023.setting import MODELS, draw

KINDS = {
    "Arabic": ("broken", "sound feminine", "sound masculine"),
    "English": ("irregular", "regular"),
    "German": ("-(e)n", "-e", "zero", "-(e)r", "-s", "?"),
}
_ARABIC = {"Br": "broken", "FEM": "sound feminine", "MASC": "sound masculine"}


def inflection_kind(language: str, lemma: str, form: str) -> str:
    """How a form is made: regular or irregular, the German pattern, the Arabic class.

    Examples
    --------
    >>> inflection_kind("English", "fly", "flew"), inflection_kind("German", "Frau", "Frauen")
    ('irregular', '-(e)n')
    """
    if language == "English":
        return "regular" if is_regular(lemma, form) else "irregular"
    if language == "German":
        return plural_pattern(lemma, form)[0]
    return _ARABIC[plural_class(lemma, form)]


@lru_cache(maxsize=64)
def entering(corpus: str, language: str, strategy: str, seed: int) -> pd.DataFrame:
    """The items of the largest training set in the order in which they enter.

    Returns
    -------
    DataFrame
        ``size`` (of the smallest set that has the item), ``lemma``, ``form``, ``frequency`` (missing counts as 1) and
        ``kind``.
    """
    drawn = draw(corpus, language, strategy, seed)
    table = drawn.ordered
    sizes = pd.cut(pd.RangeIndex(1, len(table) + 1), [0, *drawn.sizes], labels=list(drawn.sizes)).astype("int64")
    kinds = [inflection_kind(language, lemma, form) for lemma, form in zip(table["lemma"], table["form"], strict=True)]
    frequency = table["frequency"].fillna(1).clip(lower=1) if "frequency" in table.columns else 1.0
    return pd.DataFrame(
        {
            "size": sizes,
            "lemma": table["lemma"],
            "form": table["form"],
            "frequency": frequency,
            "kind": pd.Categorical(kinds, categories=KINDS[language]),
        }
    )


def kinds_by_size(corpus: str, language: str, strategy: str, seed: int) -> pd.DataFrame:
    """Shares of the kinds of inflection in each training set, by types and by tokens.

    Returns
    -------
    DataFrame
        ``size``, ``kind``, ``types`` (share of the items), ``tokens`` (share of their summed frequency).
    """
    table = entering(corpus, language, strategy, seed)
    rows = []
    for size in sorted(table["size"].unique()):
        part = table[table["size"] <= size]
        types = part["kind"].value_counts(sort=False) / len(part)
        tokens = part.groupby("kind", observed=False)["frequency"].sum() / part["frequency"].sum()
        rows += [(size, kind, float(types[kind]), float(tokens[kind])) for kind in KINDS[language]]
    return pd.DataFrame(rows, columns=["size", "kind", "types", "tokens"])


def wug(
    corpus: str, language: str, features: str, lemma: str, *, strategy: str = "WEIGHTED", seed: int = 0
) -> pd.DataFrame:
    """What each model makes of a word that nobody taught it, at each training size, and why.

    Parameters
    ----------
    corpus, language, strategy, seed
        As for `analysis.papers.kodner2023.setting.draw`.
    features : str
        Feature set that the form shall have.
    lemma : str
        A word, nonce or not.

    Returns
    -------
    DataFrame
        ``model``, ``size``, ``predicted``, ``why``.

    Raises
    ------
    ValueError
        If there is no word.
    """
    lemma = lemma.strip()
    if not lemma:
        raise ValueError("type a word.")
    drawn = draw(corpus, language, strategy, seed)
    rows = []
    for name, make in MODELS.items():
        for size in drawn.sizes:
            rows.append((name, size, *make().fit(drawn.training(size)).explain(lemma, features)))
    return pd.DataFrame(rows, columns=["model", "size", "predicted", "why"])


def feature_sets(corpus: str, language: str) -> list[str]:
    """The feature sets of a language's data, the most frequent first."""
    return [str(name) for name in draw(corpus, language, "UNIFORM", 0).ordered["features"].value_counts().index]
