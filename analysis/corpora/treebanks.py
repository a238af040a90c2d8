"""Treebanks of the catalogue by name and part: Universal Dependencies, and those distributed by nltk."""

import functools
import re
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.corpora.catalogue import catalogue, dataset, locate
from analysis.corpora.conll import ConllReading, read_conllu, read_conllx, read_word_tag_head
from analysis.corpora.loaders import Loader, register
from analysis.corpora.opening import Text, contents, decoded
from analysis.corpora.universal_tags import universal_tags
from analysis.structures import DataError, incidents_table

_UD = re.compile(r"ud/(?:\w+-ud-(?P<part>[\w-]+?)|(?P<gold>\w+)_eud_gold)\.conllu(?:\.xz)?")
_CONLL2007 = {  # member, encoding
    "basque-test": ("eus.test", "cp1252"),
    "basque-train": ("eus.train", "cp1252"),
    "spanish-test": ("esp.test", "utf-8"),
    "spanish-train": ("esp.train", "utf-8"),
}


def treebank_parts(name: str) -> list[str]:
    """List the parts of a treebank: test, dev and train if they exist, then others in the order of the catalogue.

    Some parts are on no mirror and have to be fetched. ``ud-english-childes`` also has the gold files by child
    (``"Eve_Brown"``); its development set is drawn from seven of these.

    Raises
    ------
    DataError
        If there is no such data set, or it is not a treebank of dependencies.

    Examples
    --------
    >>> treebank_parts("ud-danish-ddt")
    ['test', 'dev', 'train']
    """
    return list(_places(name))


def read_treebank(name: str, part: str | None = None) -> ConllReading:
    """Read a part of a treebank of the catalogue: tokens, sentences with their comments, incidents.

    Parameters
    ----------
    name : str
        A name such as ``"ud-danish-ddt"``, ``"nltk-conll2007"`` or ``"nltk-dependency-treebank"``.
    part : str, optional
        One of `treebank_parts`; the default is the first.

    Returns
    -------
    ConllReading
        The tokens also have a column ``role`` if each sentence states the speaker (``# speaker_role = Mother``).

    Raises
    ------
    DataError
        If there is no such treebank or part, or its file is not available (the message says what to do).
    """
    places = _places(name)
    part = part or next(iter(places))
    if part not in places:
        raise DataError(f"{name} has no part {part!r}; it has {', '.join(places)}.")
    path = locate(name, places[part])[0]
    if name == "nltk-conll2007":
        member, encoding = _CONLL2007[part]
        return read_conllx(path / "conll2007" / member, strict=False, encoding=encoding)
    if name == "nltk-dependency-treebank":
        return _joined(path)
    reading = read_conllu(path, strict=False)
    return reading._replace(tokens=_with_role(reading.tokens, reading.sentences))


def _places(name: str) -> dict[str, str]:
    """Return the path of each part in the catalogue."""
    files = dataset(name).files
    if name == "nltk-conll2007":
        return dict.fromkeys(_CONLL2007, files[0].path)
    if name == "nltk-dependency-treebank":
        return {"all": files[0].path}
    matches = [match for file in files if (match := _UD.fullmatch(file.path))]
    if not matches:
        raise DataError(f"{name} is not a treebank of dependencies.")
    places = {match["part"] or match["gold"]: match.string for match in matches}
    first = [part for part in ("test", "dev", "train") if part in places]
    return {part: places[part] for part in dict.fromkeys([*first, *places])}


def _with_role(tokens: pd.DataFrame, sentences: pd.DataFrame) -> pd.DataFrame:
    roles = sentences["comments"].str.extract(r"(?m)^#\s*speaker_role\s*=\s*(\S+)", expand=False)
    if roles.isna().any():
        return tokens
    by_sentence = pd.Categorical(roles)
    codes = by_sentence.codes[tokens["sentence"].to_numpy()]
    return tokens.assign(role=pd.Categorical.from_codes(codes, dtype=by_sentence.dtype))


def _joined(path: Path) -> ConllReading:
    """Read all files of an archive as one treebank, in the order of their names, sentences numbered consecutively."""
    readings, first = [], 0
    for member, content in sorted(contents(path, (".dp",))):
        reading = read_word_tag_head(Text(member, decoded(member, content)), strict=False)
        tokens = reading.tokens.assign(sentence=reading.tokens["sentence"] + first).astype(
            {"form": "str", "fine": "str"}
        )
        sentences = reading.sentences.assign(sentence=reading.sentences["sentence"] + first, file=member)
        readings.append(ConllReading(tokens, sentences, reading.incidents))
        first += len(sentences)
    tables = [pd.concat(list(parts), ignore_index=True) for parts in zip(*readings, strict=True)]
    tokens = tables[0].astype({"form": "category", "fine": "category"})
    incidents = tables[2] if len(tables[2]) else incidents_table([])
    return ConllReading(tokens, tables[1], incidents)


def fine_tags(tokens: pd.DataFrame) -> pd.Categorical:
    """Return the fine tags of a treebank: its own, or else the universal tag with the features.

    Some treebanks have no fine tags, and one has only a few on some of its words; a column ``fine`` with fewer tags
    than the column ``universal`` is therefore not used.

    Parameters
    ----------
    tokens : DataFrame
        Column ``fine``, or ``universal`` and optionally ``features``.

    Returns
    -------
    pandas.Categorical
        One tag per token.

    Examples
    --------
    >>> tokens = pd.DataFrame({"universal": ["NOUN", "PUNCT"], "features": ["Number=Plur", "_"]})
    >>> list(fine_tags(tokens))
    ['NOUN|Number=Plur', 'PUNCT']
    """
    if has_fine_tags(tokens):
        return pd.Categorical(tokens["fine"])
    if "universal" not in tokens:
        raise ValueError("tokens has neither a column 'fine' nor a column 'universal'.")
    universal = tokens["universal"].astype("str")
    if "features" not in tokens:
        return pd.Categorical(universal)
    features = tokens["features"].astype("str")
    return pd.Categorical(np.where(features == "_", universal, universal + "|" + features))


def has_fine_tags(tokens: pd.DataFrame) -> bool:
    """Return whether a treebank has its own fine tags: at least as many as universal tags.

    Examples
    --------
    >>> has_fine_tags(pd.DataFrame({"universal": ["NOUN", "VERB"], "fine": ["_", "_"]}))
    False
    """
    if "fine" not in tokens:
        return False
    return "universal" not in tokens or tokens["fine"].nunique() >= tokens["universal"].nunique()


def treebank_sizes(tokens: pd.DataFrame) -> pd.DataFrame:
    """Compute sizes of a treebank and its test set, numbers of tags, and the proportion of unseen words in the test
    set.

    Parameters
    ----------
    tokens : DataFrame
        ``sentence``, ``form``, ``coarse``, ``fine``, optionally ``features``, and ``scored``: whether the sentence is
        in the test set; ``train`` is the whole treebank.

    Returns
    -------
    DataFrame
        ``partition`` (train, test), ``property``, ``value``, ``unit``. ``new_words`` is a proportion of word types,
        missing if there is only a test set.

    References
    ----------
    Gelling et al. (2012), Table 1.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 1, 1], "form": ["a", "a", "b"], "coarse": "x", "fine": ["x", "y", "y"],
    ...                        "scored": [False, True, True]})
    >>> treebank_sizes(tokens).query("property in ('postag', 'new_words')")[["partition", "value"]].values.tolist()
    [['train', 2.0], ['test', 0.5]]
    """
    rows: list[tuple[str, str, float | None, str]] = []
    for partition, part in (("train", tokens), ("test", tokens[tokens["scored"]])):
        n, sentences = len(part), part["sentence"].nunique()
        rows += [(partition, "tokens", n, "tokens"), (partition, "sentences", sentences, "sentences"),
                 (partition, "tokens_per_sentence", n / sentences, "tokens per sentence")]  # fmt: skip
    for name, column in (("cpostag", "coarse"), ("postag", "fine"), ("feats", "features")):
        rows.append(("train", name, tokens[column].nunique() if column in tokens.columns else 0, "types"))
    rest, types = (set(tokens.loc[tokens["scored"] == part, "form"].astype("str")) for part in (False, True))
    rows.append(("test", "new_words", len(types - rest) / len(types) if rest else None, "proportion"))
    return pd.DataFrame(rows, columns=["partition", "property", "value", "unit"]).astype({"value": "Float64"})


def with_tag_levels(tokens: pd.DataFrame, scheme: str) -> tuple[pd.DataFrame, str]:
    """Add tags in three granularities, ``coarse``, ``fine`` and ``universal``; return also a description of them.

    Parameters
    ----------
    tokens : DataFrame
        With the treebank's own tags: ``fine``; optionally ``coarse``, ``universal``, ``features``.
    scheme : {"penn", "basque-3lb", "ud"}
        Map of `universal_tags`.

    Examples
    --------
    >>> levels, words = with_tag_levels(pd.DataFrame({"fine": ["NNS", "VBZ"]}), "penn")
    >>> levels["coarse"].tolist(), levels["universal"].tolist()
    (['NN', 'VB'], ['NOUN', 'VERB'])
    """
    source = {"penn": "fine", "basque-3lb": "coarse"}.get(scheme, "universal")
    levels = {"universal": np.asarray(universal_tags(tokens[source], scheme)).astype("str")}
    if scheme == "penn":
        levels["coarse"] = np.asarray(tokens["fine"].astype("str").str[:2])
        said = "coarse: first two letters of the fine tag, 31 as in the paper; universal: map"
    elif scheme == "basque-3lb":
        said = "coarse and fine as in CoNLL 2007; universal: the suite's own map"
    elif "coarse" in tokens.columns:
        said = "coarse and fine as generated; universal: map"
    else:
        levels |= {"coarse": tokens["universal"].to_numpy(), "fine": np.asarray(fine_tags(tokens)).astype("str")}
        own = has_fine_tags(tokens)
        words = "the treebank's own" if own else "universal tag with features (the treebank has none)"
        said = f"coarse: the 17 tags of UD; fine: {words}; universal: 12 by map"
    return tokens.assign(**levels), said


def _register_all() -> None:
    for name in treebank_names():
        register(name, Loader(parts={part: functools.partial(_tokens, name, part) for part in treebank_parts(name)}))


def treebank_names() -> list[str]:
    """List the treebanks of the catalogue that `read_treebank` can read.

    Examples
    --------
    >>> "ud-slovenian-ssj" in treebank_names()
    True
    """
    names = catalogue()["name"]
    return [name for name in names if name.startswith("ud-") or name in ("nltk-conll2007", "nltk-dependency-treebank")]


def _tokens(name: str, part: str) -> pd.DataFrame:
    return read_treebank(name, part).tokens


_register_all()
