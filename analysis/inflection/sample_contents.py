"""Contents of the training sets of a sample, and predictions of models trained on them for one word."""

from collections.abc import Callable, Mapping

import pandas as pd

from analysis.inflection.errors.arabic import plural_class
from analysis.inflection.errors.english import is_regular
from analysis.inflection.errors.german import plural_pattern
from analysis.inflection.models import InflectionModel
from analysis.inflection.sampling import Sample

KINDS = {
    "Arabic": ("broken", "sound feminine", "sound masculine"),
    "English": ("irregular", "regular"),
    "German": ("-(e)n", "-e", "zero", "-(e)r", "-s", "?"),
}
_ARABIC = {"Br": "broken", "FEM": "sound feminine", "MASC": "sound masculine"}


def inflection_kind(language: str, lemma: str, form: str) -> str:
    """Classify a form: regular or irregular in English, the pattern in German, the class in Arabic.

    Parameters
    ----------
    language : {"Arabic", "English", "German"}
    lemma, form : str

    Returns
    -------
    str

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


def items_by_size(sample: Sample, language: str) -> pd.DataFrame:
    """List the items of the largest training set in the order in which they are added.

    Parameters
    ----------
    sample : Sample
    language : {"Arabic", "English", "German"}

    Returns
    -------
    DataFrame
        ``size`` (of the smallest set with the item), ``lemma``, ``form``, ``frequency`` (missing counts as 1) and
        ``kind``.

    Examples
    --------
    >>> from analysis.inflection import as_given
    >>> verbs = pd.DataFrame({"lemma": ["fly", "walk"], "form": ["flew", "walked"]})
    >>> items_by_size(as_given(verbs, verbs, verbs, [1, 2], 0), "English")[["size", "kind"]].values.tolist()
    [[1, 'irregular'], [2, 'regular']]
    """
    table = sample.ordered
    sizes = pd.cut(pd.RangeIndex(1, len(table) + 1), [0, *sample.sizes], labels=list(sample.sizes)).astype("int64")
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


def kinds_by_size(items: pd.DataFrame) -> pd.DataFrame:
    """Compute the proportions of the kinds of inflection in each training set, by types and by tokens.

    Parameters
    ----------
    items : DataFrame
        Result of `items_by_size`.

    Returns
    -------
    DataFrame
        ``size``, ``kind``, ``types`` (proportion of the items), ``tokens`` (proportion of their total frequency).

    Examples
    --------
    >>> kinds = pd.Categorical(["irregular", "regular"])
    >>> items = pd.DataFrame({"size": [1, 2], "frequency": [3.0, 1.0], "kind": kinds})
    >>> kinds_by_size(items)["tokens"].tolist()
    [1.0, 0.0, 0.75, 0.25]
    """
    rows = []
    for size in sorted(items["size"].unique()):
        part = items[items["size"] <= size]
        types = part["kind"].value_counts(sort=False) / len(part)
        tokens = part.groupby("kind", observed=False)["frequency"].sum() / part["frequency"].sum()
        rows += [(size, kind, float(types[kind]), float(tokens[kind])) for kind in items["kind"].cat.categories]
    return pd.DataFrame(rows, columns=["size", "kind", "types", "tokens"])


def wug_test(
    models: Mapping[str, Callable[[], InflectionModel]], sample: Sample, lemma: str, features: str
) -> pd.DataFrame:
    """Predict the form of a word with each model at each training size, with the rule used.

    Parameters
    ----------
    models : mapping of str to callable
        Constructor of each model, by name.
    sample : Sample
    lemma : str
        A real or nonce word.
    features : str
        Feature set of the form.

    Returns
    -------
    DataFrame
        ``model``, ``size``, ``predicted``, ``why``.

    Raises
    ------
    ValueError
        If there is no word.

    Examples
    --------
    >>> from analysis.inflection import NonNeural, as_given
    >>> verbs = pd.DataFrame({"lemma": ["walk", "talk"], "form": ["walked", "talked"], "features": "V;PST"})
    >>> wug_test({"NONNEUR": NonNeural}, as_given(verbs, verbs, verbs, [1, 2], 0), "wug", "V;PST")["predicted"].tolist()
    ['wuged', 'wuged']
    """
    lemma = lemma.strip()
    if not lemma:
        raise ValueError("type a word.")
    rows = [
        (name, size, *make().fit(sample.training(size)).explain(lemma, features))
        for name, make in models.items()
        for size in sample.sizes
    ]
    return pd.DataFrame(rows, columns=["model", "size", "predicted", "why"])
