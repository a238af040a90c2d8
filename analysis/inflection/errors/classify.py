"""Classification of predictions: each wrong form with its error type."""

from collections.abc import Callable, Sequence

import pandas as pd

from analysis.corpora.unimorph import nfc
from analysis.inflection.errors import arabic, english, german
from analysis.structures import check_choice

CORRECT = "correct"
LANGUAGES: dict[str, tuple[Callable[[str, str, str], tuple[str, str]], tuple[str, ...]]] = {
    "Arabic": (arabic.arabic_error, arabic.TYPES),
    "English": (english.english_error, english.TYPES),
    "German": (german.german_error, german.TYPES),
}


def error_types(language: str) -> tuple[str, ...]:
    """Return the error types of a language, in the stacking order of figures.

    Parameters
    ----------
    language : {"Arabic", "English", "German"}

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> error_types("English")
    ('-(e)d', 'irreg', '?')
    """
    return _language(language)[1]


def _language(language: str) -> tuple[Callable[[str, str, str], tuple[str, str]], tuple[str, ...]]:
    check_choice("language", language, tuple(LANGUAGES))
    return LANGUAGES[language]


def classify_errors(
    language: str,
    lemma: Sequence[str] | pd.Series,
    gold: Sequence[str] | pd.Series,
    predicted: Sequence[str] | pd.Series,
) -> pd.DataFrame:
    """Classify each prediction by rules.

    Parameters
    ----------
    language : {"Arabic", "English", "German"}
    lemma, gold, predicted : sequence of str, shape (n_items,)

    Returns
    -------
    DataFrame
        ``lemma``, ``form`` (gold), ``predicted``, ``type`` (a category; "correct" if the forms are equal in NFC)
        and ``detail``; one row per item.

    Raises
    ------
    ValueError
        If there are no rules for the language, or the lengths differ.

    References
    ----------
    Kodner et al. (2023), section "Linguistic Analysis".

    Examples
    --------
    >>> classify_errors("English", ["obey", "fly"], ["obeyed", "flew"], ["obeid", "flew"])["type"].tolist()
    ['-(e)d', 'correct']
    """
    classify, types = _language(language)
    columns = [list(map(str, column)) for column in (lemma, gold, predicted)]
    if len({len(column) for column in columns}) != 1:
        raise ValueError(f"lemma, gold and predicted must have the same length: {[len(c) for c in columns]}.")
    found = []
    for base, right, answer in zip(*([nfc(word) for word in column] for column in columns), strict=True):
        found.append((CORRECT, "") if right == answer else classify(base, right, answer))
    return pd.DataFrame(
        {
            "lemma": pd.array(columns[0], dtype="str"),
            "form": pd.array(columns[1], dtype="str"),
            "predicted": pd.array(columns[2], dtype="str"),
            "type": pd.Categorical([kind for kind, _ in found], categories=[*types, CORRECT]),
            "detail": pd.array([detail for _, detail in found], dtype="str"),
        }
    )


def error_counts(classified: pd.DataFrame) -> pd.DataFrame:
    """Count the wrong predictions of each type.

    Parameters
    ----------
    classified : DataFrame
        Result of `classify_errors`.

    Returns
    -------
    DataFrame
        ``type``, ``errors``, ``share`` (of the errors; missing if there are none) and ``items``; types without errors
        are listed with 0.
    """
    counts = classified["type"].value_counts(sort=False).drop(CORRECT)
    types = [str(name) for name in counts.index]
    total = int(counts.sum())
    return pd.DataFrame(
        {
            "type": pd.Categorical(types, categories=types),
            "errors": counts.to_numpy(),
            "share": pd.array([count / total if total else None for count in counts], dtype="Float64"),
            "items": len(classified),
        }
    )
