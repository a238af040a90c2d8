"""Inflection data of the catalogue: SIGMORPHON 2022 (part 2) and "a reality check" (Kodner et al. 2023, ACL)."""

import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pandas as pd

from analysis.corpora.catalogue import locate
from analysis.corpora.opening import Text, contents, decoded, open_text
from analysis.corpora.unimorph import nfc, read_forms
from analysis.structures import DataError
from analysis.structures.kept import kept

CODES = {"Arabic": "ara", "English": "eng", "German": "deu"}
LARGEST = {"Arabic": 1000, "English": 1000, "German": 600}
ITEM = ("lemma", "form", "features")
_FREQUENCY_LISTS = {"Arabic": "ar", "English": "en", "German": "de"}
#: Tags of the inflected forms of the task; only rows of a frequency list with these tags count for a lemma.
_COUNTED = {"Arabic": {"N", "PL"}, "English": {"V", "PST"}, "German": {"N", "PL"}}


class GivenSplit(NamedTuple):
    """The split of SIGMORPHON 2022: ordered training items (smaller sets are prefixes), dev, test."""

    training: pd.DataFrame
    dev: pd.DataFrame
    test: pd.DataFrame


def _code(language: str) -> str:
    if language not in CODES:
        raise DataError(f"SIGMORPHON 2022 part 2 has no {language!r}; it has {', '.join(CODES)}.")
    return CODES[language]


def training_sizes(language: str) -> list[int]:
    """List the sizes of the training sets: 100 to 1,000 in steps of 100, for German up to 600.

    Examples
    --------
    >>> training_sizes("German")
    [100, 200, 300, 400, 500, 600]
    """
    _code(language)
    return list(range(100, LARGEST[language] + 1, 100))


@kept(maxsize=64)
def _items(name: str, columns: tuple[str, ...] = ITEM) -> pd.DataFrame:
    (path,) = locate("sigmorphon2022", f"sigmorphon2022/{name}")
    return read_forms(path, columns=columns).forms


def sigmorphon_split(language: str) -> GivenSplit:
    """Read training items of the largest set, development items and gold test items.

    Parameters
    ----------
    language : {"Arabic", "English", "German"}

    Returns
    -------
    GivenSplit
        Forms tables ``lemma``, ``form``, ``features``.

    Raises
    ------
    DataError
        If the language is unknown, or the data are not available or the training sets are not nested.
    """
    code = _code(language)
    largest = _items(f"part2/{code}_{LARGEST[language]}.train")
    for size in training_sizes(language):
        smaller = _items(f"part2/{code}_{size}.train")
        if not smaller.equals(largest.head(size)):
            raise DataError(f"{code}_{size}.train is not the beginning of {code}_{LARGEST[language]}.train.")
    return GivenSplit(largest, _items(f"part2/{code}.dev"), _items(f"part2/{code}.gold"))


def sigmorphon_pool(language: str) -> pd.DataFrame:
    """Read all items of a language, one per lemma, with the frequency of the inflected forms if known.

    Returns
    -------
    DataFrame
        ``lemma``, ``form``, ``features`` and ``frequency``: occurrences, in the frequency list of the "reality check"
        data, of the lemma with the tags of the task (past tenses of English, plurals of nouns otherwise); missing if
        the list has none. 2,054 English, 1,700 German and 1,943 Arabic items.

    References
    ----------
    Kodner et al. (2023), section "Data splits"; the paper sampled from a pool with 53 more Arabic nouns.
    """
    pool = pd.concat(sigmorphon_split(language), ignore_index=True)
    listed = frequency_list(language)
    counted = [_COUNTED[language] <= set(tags.split(";")) for tags in listed["features"]]
    listed = listed[counted]
    totals = listed["frequency"].groupby(listed["lemma"].map(nfc)).sum()
    return pool.assign(frequency=pool["lemma"].map(nfc).map(totals).astype("float64"))


@kept(maxsize=4)
def _frequency_list(code: str) -> pd.DataFrame:
    (path,) = locate("realitycheck2023", f"realitycheck2023/{code}_freq.txt*")
    return read_forms(path, columns=(*ITEM, "frequency"), strict=False).forms


def frequency_list(language: str) -> pd.DataFrame:
    """Read forms with features and frequency in child-directed speech (English, German) or newswire (Arabic)."""
    _code(language)
    return _frequency_list(_FREQUENCY_LISTS[language])


def cluzh_predictions(language: str, size: int) -> pd.DataFrame:
    """Read the 2022 submission of the CLUZH team for the test items, trained on ``size`` items.

    It was tuned by language, so it is neither CLUZH-GR nor CLUZH-B4 of Kodner et al. (2023).

    Returns
    -------
    DataFrame
        ``lemma``, ``predicted``, ``features``, in the file's order.
    """
    code = _code(language)
    if size not in training_sizes(language):
        raise DataError(f"there are no predictions for {size:,} {language} items.")
    return _items(f"predictions/cluzh/part2/{code}_{size}.test", ("lemma", "predicted", "features"))


def baseline_accuracies() -> pd.DataFrame:
    """Read the published accuracies of the two baselines of the shared task on part 2.

    Returns
    -------
    DataFrame
        ``model`` (NONNEUR, neural), ``part`` (dev, test), ``language``, ``size``, ``accuracy`` (percent, as printed)
        and ``n``; 104 rows.
    """
    languages = {code: language for language, code in CODES.items()}
    rows = []
    for model, name in (("NONNEUR", "nonneural"), ("neural", "neural")):
        for part in ("dev", "test"):
            (path,) = locate("sigmorphon2022", f"*baseline_results/part2/{name}_{part}.txt")
            for line in open_text(path).lines():
                fields = line.split("\t")
                item = re.fullmatch(r"([a-z]{3})_(\d+)", fields[0])
                if item:
                    total = next(int(field) for field in fields[6:] if field.isdigit())
                    rows.append((model, part, languages[item[1]], int(item[2]), float(fields[1]), total))
    table = pd.DataFrame(rows, columns=["model", "part", "language", "size", "accuracy", "n"])
    return table.sort_values(["model", "part", "language", "size"], ignore_index=True)


def reality_check_results() -> pd.DataFrame:
    """Read the counts of the "reality check" paper, a different paper with six languages, two sizes and other splits.

    They are used to test the regressions, not to judge claims.

    Returns
    -------
    DataFrame
        ``model``, ``splittype``, ``language``, ``seed``, ``trainsize``, ``evaltype`` and the counts as published.
    """
    (path,) = locate("realitycheck2023", "*eval.tsv")
    return pd.read_csv(path, sep="\t", keep_default_na=False, encoding="utf-8")


def reality_check_split(language_code: str, split: str, seed: int, size: str = "large") -> dict[str, pd.DataFrame]:
    """Read one split of the "reality check" data: ``train``, ``ftune``, ``dev`` and ``gold``.

    Parameters
    ----------
    language_code : str
        Two-letter code: ar, de, en, es, sw, tr.
    split : str
        Folder of the archive, such as ``"naive_uniform"``.
    seed : int
    size : {"large", "small"}
    """
    (path,) = locate("realitycheck2023", "*splits.tar.xz", "*splits/")
    stem = f"{split}/{language_code}_{seed}"
    wanted = {
        "train": f"{stem}_{size}.train",
        "ftune": f"{stem}_{size}.ftune",
        "dev": f"{stem}.dev",
        "gold": f"{stem}.gold",
    }
    texts = _archive_texts(Path(path), frozenset(wanted.values()))
    missing = [name for name in wanted.values() if name not in texts]
    if missing:
        raise DataError(f"the reality check splits have no {missing[0]}.")
    return {part: read_forms(texts[name], columns=ITEM, strict=False).forms for part, name in wanted.items()}


def _archive_texts(path: Path, names: frozenset[str]) -> dict[str, Text]:
    endings = {PurePosixPath(name).suffix for name in names}
    files = ((name.removeprefix("./").removeprefix("splits/"), content) for name, content in contents(path, endings))
    return {name: Text(name, decoded(name, content)) for name, content in files if name in names}
