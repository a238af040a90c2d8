"""Declaration of a paper: corpora, setting, tables, figures and claims, checked when it is read."""

import inspect
import re
import string
import sys
from collections import ChainMap, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import corpora
from analysis.corpora.folders import data_folder
from analysis.experiments import read_stored, stored_caption, write_stored
from analysis.papers.recipe import finders as common
from analysis.papers.recipe.claims import (
    Claim,
    Evidence,
    Judged,
    claims_table,
    functions_of,
    judge_claims,
    read_claims,
)
from analysis.papers.recipe.demonstration import demonstrates, stands_beside_print, without_printed
from analysis.papers.recipe.printed import printed, printed_folder
from analysis.papers.recipe.settings import Setting, check_known, computed
from analysis.structures import DataError, publication

_HERE = Path(__file__).parent
_JUDGED = (
    "Each number of the text and each claim with its criterion: recomputed from data, with the verdict same or "
    "different; arithmetic, if printed numbers are compared with each other; set, if it is a choice that is made here "
    "too; not testable. A difference is unexplained unless a table shows its cause. Of a claim in words nothing "
    "is printed; its criterion has what is expected: an order or a name that the paper states, or a limit that this "
    "suite chose. On a corpus of the reader's the verdict says whether the claim holds there."
)
#: Columns of verdicts that only numbers from samples have: the interval, and whether it holds the printed number.
_DRAWN = {"lower": "Float64", "upper": "Float64", "inside": "boolean"}


def _place() -> str:
    """File and line of the declaration that is being read."""
    frame = sys._getframe()
    while frame.f_back is not None and (
        Path(frame.f_code.co_filename).parent == _HERE or frame.f_code.co_filename.startswith("<")
    ):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}, line {frame.f_lineno}"


class Words(dict[str, Any]):
    """Values of the placeholders in the texts of a paper, each computed when a text first needs it.

    Parameters
    ----------
    declared : mapping of str to str or callable
        By name: a text, which may have placeholders too, or a function of the setting.
    setting : Setting
        Available as ``setting``: ``{setting.seed}`` is its seed.

    Examples
    --------
    >>> words = Words({"where": "on {setting.corpus}", "seeds": lambda setting: 1 / 0}, Setting())
    >>> words.fill("Computed {where}.")
    'Computed on nursery.'
    """

    def __init__(self, declared: Mapping[str, Any], setting: Setting) -> None:
        super().__init__(setting=setting)
        self.declared = declared

    def __missing__(self, name: str) -> Any:
        self[name] = self.fill(self.declared[name])
        return self[name]

    def fill(self, told: Any) -> Any:
        """A text with its placeholders filled in; a function of the setting is called first."""
        text = told(self["setting"]) if callable(told) else told
        return text.format_map(self) if isinstance(text, str) else text


def only(holds: str | Callable[[Any], Any], *texts: str) -> Callable[[Any], Any]:
    """A text, or several, that a declaration contains only under a condition; ``""`` where it does not hold.

    Parameters
    ----------
    holds : str or callable
        A property of the setting, such as ``generated`` or ``not generated``, or a function of the setting.
    *texts : str

    Returns
    -------
    callable
        Function of the setting that gives the text, or a tuple of the texts.

    Examples
    --------
    >>> only("generated", "made up")(Setting()), only(lambda setting: setting.corpus != "nursery", "a", "b")(Setting())
    ('made up', '')
    >>> only("own", "of the reader")(Setting())  # an empty text does not hold
    ''
    """

    def said(setting: Setting) -> Any:
        if callable(holds):
            true = holds(setting)
        else:
            true = bool(getattr(setting, holds.removeprefix("not "))) != holds.startswith("not ")
        return (texts if len(texts) > 1 else texts[0]) if true else ""

    said.texts = texts  # type: ignore[attr-defined]
    return said


def _texts(told: Any) -> Sequence[str]:
    """The texts in an entry of a declaration: one, a tuple, those of `only`; of any other function none."""
    return (told,) if isinstance(told, str) else told if isinstance(told, tuple) else getattr(told, "texts", ())


def _check_text(text: str, known: Collection[str], said: str) -> None:
    """Raise an error if a text has an unknown placeholder."""
    fields = string.Formatter().parse(text)
    asked = [re.split(r"[.[]", name)[0] for _, name, _, _ in fields if name is not None]
    check_known(asked, [*known, "setting"], said, DataError)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Declaration of a table or figure of the report: the fields that both share.

    Parameters
    ----------
    name : str
        File name without ending; ``{inventory}`` and the like stand for the values of ``each``.
    title : str
        Heading; may contain the same placeholders as the name.
    of : callable
        Function of the setting, or without arguments, that returns the table or draws the figure.
    caption : str
        ``{where}`` and the like are replaced by the paper's ``words``.
    arguments : mapping
        Further arguments of ``of``.
    each : mapping of str to sequence
        Arguments with several values: there is one entry for each combination.
    when : callable, optional
        Function of the setting that returns whether the entry is shown.
    stored : bool
        Whether it shows stored results on real corpora, whatever the setting's corpus.
    says : str
        What it shows and what that means, in two sentences: the first line of the caption. By default what the public
        function ``of`` says first of itself.
    printed : bool
        Whether it shows only the paper's own numbers or examples, and no results on the corpus.
    comparison : bool
        Whether it only compares with printed numbers, so that it is left out of a demonstration.

    Raises
    ------
    DataError
        With file and line, if ``of`` has no such argument.
    """

    name: str
    title: str
    of: Callable[..., Any]
    caption: str = "{words}"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    each: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    when: Callable[[Any], object] | None = None
    stored: bool = False
    says: str = ""
    printed: bool = False
    comparison: bool = False
    place: str = field(default_factory=_place, repr=False, compare=False)

    def __post_init__(self) -> None:
        known = [name for name in inspect.signature(self.of).parameters if name != "choices"]
        check_known([*self.arguments, *self.each], known, f"{self.place}: {_named(self.of)} has no argument", DataError)

    def expanded(self, setting: Setting) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """The arguments of each entry that is shown, and the words for them in its name and title."""
        if (self.when is not None and not self.when(setting)) or (self.comparison and demonstrates(setting)):
            return []
        varied = [dict(zip(self.each, values, strict=True)) for values in product(*self.each.values())]
        return [({**self.arguments, **one}, one) for one in varied]

    def compute(self, setting: Setting, arguments: Mapping[str, Any]) -> Any:
        """Result of ``of``; see `computed`."""
        return computed(self.of, setting, arguments)

    def declared_texts(self, known: Collection[str]) -> dict[str, str]:
        """Name, title and the other texts as they are declared.

        Raises
        ------
        DataError
            With file and line, if a text has a placeholder that is not among those known.
        """
        parts = {part: getattr(self, part) for part in ("name", "title", "caption", "alt") if hasattr(self, part)}
        for part, text in parts.items():
            _check_text(text, [*known, *self.each], f"{self.place}: {part} of {self.name!r} says")
        return parts

    def texts(self, words: Words, values: Mapping[str, object]) -> dict[str, str]:
        """The same, filled in with the paper's words and the values of ``each``."""
        filled: Mapping[str, Any] = ChainMap(dict(values), words)
        return {part: text.format_map(filled) for part, text in self.declared_texts(words.declared).items()}

    def explained(self, caption: str) -> str:
        """The caption after a line that says what the entry shows."""
        return f"{self.says or _first_paragraph(self.of)}\n{caption}".lstrip()


@dataclass(frozen=True, kw_only=True)
class Table(Entry):
    """A table of the report; see `Entry`.

    Parameters
    ----------
    digits : int
        Digits after the point where it is shown.
    columns : sequence of str, optional
        Columns that are kept, in this order.
    drop : sequence of str
        Columns that are left out.
    kept : bool
        Whether it is also stored as computed on a real corpus; see `analysis.papers.recipe.store_tables`. It must
        contain no words of the corpus.
    """

    digits: int = 3
    columns: Sequence[str] = ()
    drop: Sequence[str] = ()
    kept: bool = False

    def frame(self, setting: Setting, arguments: Mapping[str, Any]) -> pd.DataFrame:
        """The table with the declared columns.

        Raises
        ------
        DataError
            With file and line, if it has no such column.
        """
        frame = self.compute(setting, arguments)
        named = [*self.columns, *self.drop]
        check_known(named, list(frame.columns), f"{self.place}: {_named(self.of)} has no column", DataError)
        return frame[list(self.columns) or [name for name in frame.columns if name not in self.drop]]

    def published(self, setting: Setting, arguments: Mapping[str, Any], texts: Mapping[str, str]) -> publication.Table:
        """The table as the report shows it: without printed numbers, unless they may stand beside it."""
        frame = self.frame(setting, arguments).infer_objects()  # numbers as such, so that they have the digits of print
        if not (self.printed or self.stored or self.comparison or stands_beside_print(setting)):
            frame = without_printed(frame)
        named = (texts["name"], texts["title"], frame, self.explained(texts["caption"]))
        return publication.Table(*named, self.digits, self.stored, self.printed)


@dataclass(frozen=True, kw_only=True)
class Figure(Entry):
    """A figure of the report; see `Entry`.

    Parameters
    ----------
    alt : str
        Text alternative for readers who cannot see the figure.
    """

    alt: str

    def published(self, setting: Setting, arguments: Mapping[str, Any], texts: Mapping[str, str]) -> publication.Figure:
        """The figure as the report shows it."""
        drawn = self.compute(setting, arguments)
        named = (texts["name"], texts["title"], drawn, texts["alt"], self.explained(texts["caption"]))
        return publication.Figure(*named, self.printed, self.stored)


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper: what is recomputed, and on which data.

    Parameters
    ----------
    name, title : str
    setting : type
        Its `Setting`.
    corpora : mapping of str to tuple of str
        Corpora it can run on, the paper's own first, each with the data sets (or ``"package NAME"``) that it needs.
    notebooks : tuple of str
        Files in ``notebooks/``.
    stages : tuple of (str, callable)
        Computations before the tables, in this order; each gets the setting and ``n_jobs``.
    tables : tuple of Table
    figures : tuple of Figure
    words : mapping of str to str or callable
        Values of the placeholders in texts, by name; see `Words`. ``words`` is the default caption.
    full : mapping
        Fields of the setting for a full run.
    facts : str
        File of ``data/published`` with the numbers of the text.
    finders : mapping of str to callable
        The functions that the list of claims may name, in addition to those of `analysis.papers.recipe.finders`.
    statistics : mapping of str to callable
        The signed statistics that the list of headline claims may name; see `analysis.papers.recipe.specifications`.
    evidence : mapping of str to callable
        Functions of the setting, or without arguments, whose results the claims use, by name.
    best : callable, optional
        Function of the setting: functions with the same names that return the stored long run on the same corpus.
    covers : mapping of str to callable
        By file of ``data/published``: the function of the setting that compares its numbers with recomputed ones.
    sources : callable
        Function of the setting that returns the `Source` of each data set.
    notes : tuple of str or callable
        Notes for the reader: texts with placeholders, or functions of the setting that return one, or an empty one.
    not_reproduced : tuple of tuple or callable
        What could not be reproduced, why, and what it needs: three texts, or a function that returns them or nothing.
    times : callable, optional
        Function of the setting that returns the seconds of single fits, by stage.
    parameters : tuple of str
        Fields of the setting that the notebook is run with.
    claims_caption : str
        Caption of the table of claims, which is the last table.

    Raises
    ------
    DataError
        With file and line, if a name is unknown.
    """

    name: str
    title: str
    setting: type[Setting]
    corpora: Mapping[str, tuple[str, ...]]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    sources: Callable[[Any], Sequence[Any]]
    notebooks: tuple[str, ...] = ()
    stages: tuple[tuple[str, Callable[..., Any]], ...] = ()
    words: Mapping[str, Any] = field(default_factory=lambda: {"words": "{setting.corpus}"})
    full: Mapping[str, Any] = field(default_factory=dict)
    facts: str = "facts"
    finders: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    statistics: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    evidence: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    best: Callable[[Any], Mapping[str, Callable[[], Any]]] | None = None
    covers: Mapping[str, Callable[..., pd.DataFrame]] = field(default_factory=dict)
    notes: tuple[Any, ...] = ()
    not_reproduced: tuple[Any, ...] = ()
    times: Callable[[Any], Mapping[str, float]] | None = None
    parameters: tuple[str, ...] = ()
    claims_caption: str = "{words}"
    place: str = field(default_factory=_place, repr=False, compare=False)

    def __post_init__(self) -> None:
        known = inspect.signature(self.setting).parameters
        check_known([*self.full, *self.parameters], known, f"{self.place}: the setting has no field", DataError)
        files = {path.stem for path in printed_folder(self.name).glob("*.csv")}
        check_known(self.covers, files, f"{self.place}: nothing is printed as", DataError)

    @property
    def all_tables(self) -> tuple[Table, ...]:
        """The tables, with the claims last: the verdicts on the setting's corpus, unless it is a demonstration, and the
        stored ones on a recorded corpus.
        """
        judged = Table(name="claims", title="Every claim, with a verdict", of=self.claims_table, says=_JUDGED,
                       caption=self.claims_caption, comparison=True)  # fmt: skip
        if not (data_folder() / "results" / f"{self._kept}.csv").is_file():
            return (*self.tables, judged)
        caption = caption_of(self._kept)
        kept = Table(name="claims_stored", title="Every claim on recorded data, stored", of=self.stored_claims,
                     says=_JUDGED, caption=caption, stored=True)  # fmt: skip
        return (*self.tables, judged, kept)

    @property
    def entries(self) -> tuple[Table | Figure, ...]:
        """The tables, the claims among them, and the figures."""
        return (*self.all_tables, *self.figures)

    def list_of(self, kind: str, part: str = "") -> Path:
        """A list of the paper: ``data/KIND/NAMEPART.csv``, or ``KINDPART.csv`` in the paper's own folder."""
        shipped = data_folder() / kind / f"{self.name}{part}.csv"
        return shipped if shipped.is_file() else printed_folder(self.name) / f"{kind}{part}.csv"

    def claims(self) -> list[Claim]:
        """The paper's claims, read and checked."""
        facts = printed(self.name, self.facts) if (printed_folder(self.name) / f"{self.facts}.csv").is_file() \
            else pd.DataFrame()  # fmt: skip
        if len(facts):
            facts = facts.assign(value=facts["digits"])
        return read_claims(self.list_of("claims"), facts, {**functions_of(common), **self.finders})

    def causes(self) -> pd.DataFrame:
        """Causes of differences that were tested: ``id``, ``corpus``, ``cause``, ``shown_in``."""
        path = self.list_of("claims", "_causes")
        columns = ["id", "corpus", "cause", "shown_in"]
        if not path.is_file():
            return pd.DataFrame(columns=columns)
        return pd.read_csv(path, dtype="str", keep_default_na=False, encoding="utf-8")[columns]

    def judged(self, setting: Setting) -> list[Judged]:
        """Every claim with its result on the data of the setting."""
        best = self.best(setting) if self.best else {}
        return list(judge_claims(self.claims(), Evidence(setting, self.evidence, best)))

    def claims_table(self, setting: Setting) -> pd.DataFrame:
        """The claims with their verdicts; see `analysis.papers.recipe.claims.claims_table`."""
        return claims_table(self.judged(setting), setting, self.causes())

    @property
    def _kept(self) -> str:
        """Name of the stored verdicts in ``data/results``."""
        return f"{self.name}_claims"

    def store_claims(self, corpus: str, **choices: Any) -> pd.DataFrame:
        """Judge every claim on one corpus and store the verdicts in the suite; see `stored_claims`.

        Parameters
        ----------
        corpus : str
        **choices
            Further fields of the setting. ``**paper.full`` are those of the paper's own long runs.

        Returns
        -------
        DataFrame
        """
        setting = self.setting.choose(corpus=corpus, **choices)
        table = self.claims_table(setting).assign(corpus=corpus)
        command = call_that_stores(f"papers.{self.name}.PAPER.store_claims(", corpus, choices)
        caption = Words(self.words, setting).fill(self.claims_caption)
        functions = list(self.evidence.values())
        write_stored(self._kept, table, functions, command=command, caption=caption, named=False)
        return self.stored_claims()

    def stored_claims(self) -> pd.DataFrame:
        """The verdicts that are stored in the suite, for readers who do not have the corpus.

        Returns
        -------
        DataFrame
            Columns of `claims_table`, ``corpus``, and ``source``: empty if the functions that the claims use have not
            changed, else ``made by other source``, or how much was certified.

        Raises
        ------
        DataError
            If none are stored.
        """
        kinds, missing = defaultdict(lambda: "str", _DRAWN), {name: [""] for name in _DRAWN}
        run = read_stored(self._kept, list(self.evidence.values()), dtype=kinds, na_values=missing)
        return run.table.assign(source=run.notes)


def caption_of(name: str) -> str:
    """The caption of a stored table, for a declaration: no brace in it is a placeholder.

    Parameters
    ----------
    name : str
        As for `analysis.experiments.stored_caption`.

    Returns
    -------
    str
    """
    return stored_caption(name).replace("{", "{{").replace("}", "}}")


def call_that_stores(begin: str, corpus: str, choices: Mapping[str, Any]) -> str:
    """The call that stores results of a paper, as a reader types it.

    Parameters
    ----------
    begin : str
        Up to the corpus.
    corpus : str
    choices : mapping
        Further fields of the setting.

    Returns
    -------
    str

    Examples
    --------
    >>> call_that_stores("papers.clark2002.PAPER.store_claims(", "nursery", {"test_sentences": None})
    "papers.clark2002.PAPER.store_claims('nursery', test_sentences=None)"
    """
    return begin + ", ".join([repr(corpus), *(f"{name}={value!r}" for name, value in choices.items())]) + ")"


def _first_paragraph(function: Callable[..., Any]) -> str:
    """What a public function says first of itself, as plain text; empty for any other."""
    name, said = getattr(function, "__name__", "_"), inspect.getdoc(function) or ""
    if name.startswith(("_", "<")):
        return ""
    plain = re.sub(r"\s+", " ", said.partition("\n\n")[0]).replace("`", "").strip()
    return "" if plain.startswith("As ") else plain


def _named(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", repr(function))


def check(paper: Paper) -> list[str]:
    """Check a declaration without data or computation: every placeholder in its texts, every claim.

    Parameters
    ----------
    paper : Paper
        The paper's declaration.

    Returns
    -------
    list of str
        The names of its tables and figures, as declared.

    Raises
    ------
    DataError
        With file and line, if it contains an unknown name.
    """
    for entry in paper.entries:
        entry.declared_texts(paper.words)
    declared = (*paper.words.values(), *paper.notes, *paper.not_reproduced)
    for text in (text for told in declared for text in _texts(told)):
        _check_text(text, paper.words, f"{paper.place}: {text!r} says")
    for needed in {name for names in paper.corpora.values() for name in names}:
        if not needed.startswith("package "):
            corpora.dataset(needed)
    entries = [entry.name for entry in paper.entries]
    check_known(paper.causes()["shown_in"], entries, f"{paper.name} has no table or figure (of a cause)", DataError)
    read = [claim.arguments["table"] for claim in paper.claims() if "table" in claim.arguments]
    check_known(read, paper.evidence, f"{paper.name}: a claim reads", DataError)
    return entries


def completeness(paper: Paper, setting: Setting) -> pd.DataFrame:
    """List every printed value: whether it is recomputed, and if not, why.

    Parameters
    ----------
    paper : Paper
        The paper's declaration.
    setting : Setting
        Setting of the paper, or single fields of it by name; see `Setting`.

    Returns
    -------
    DataFrame
        One row per value of ``data/published``: ``file``, ``number`` (place in the file, from 1), ``value`` as printed,
        ``status`` (recomputed, not recomputed), ``why``.

    Raises
    ------
    DataError
        If a printed table is not covered completely.
    """
    frames = []
    for path in sorted(printed_folder(paper.name).glob("*.csv")):
        table = printed(paper.name, path.stem) if path.stem != "claims" or path.stem == paper.facts else pd.DataFrame()
        if "value" not in table.columns:
            continue
        if path.stem == paper.facts:
            verdicts = paper.claims_table(setting).set_index("id").reindex(table["id"])
            done, why = verdicts["verdict"].ne("not testable").to_numpy(), verdicts["why"].to_numpy()
        else:
            check_known([path.stem], paper.covers, f"{paper.name}: nothing recomputes, or says why not,", DataError)
            theirs = paper.covers[path.stem](setting).dropna(subset="printed")
            if len(theirs) != int(table["value"].notna().sum()):
                raise DataError(f"{paper.name}: {path.name} has {table['value'].notna().sum()} values, "
                                f"{len(theirs)} stand beside recomputed ones or say why not.")  # fmt: skip
            table = table[table["value"].notna()]
            done, why = theirs["recomputed"].notna().to_numpy(), theirs["why"].to_numpy()
        status = pd.Series(done).map({True: "recomputed", False: "not recomputed"})
        frames.append(pd.DataFrame({"file": path.stem, "number": range(1, len(table) + 1),
                                    "value": table["digits"].to_numpy(), "status": status, "why": why}))  # fmt: skip
    return pd.concat(frames, ignore_index=True)


def title_of(corpus: str) -> str:
    """Title of a corpus in the catalogue.

    Parameters
    ----------
    corpus : str
        Name of a corpus.

    Returns
    -------
    str
    """
    return corpora.dataset(corpus).title


def sources_of(names: Iterable[str]) -> tuple[publication.Source, ...]:
    """Version, licence and citation of corpora and other data sets, as a report lists them.

    Parameters
    ----------
    names : iterable of str

    Returns
    -------
    tuple[publication.Source, ...]

    Examples
    --------
    >>> [source.generated for source in sources_of(["nursery"])]
    [True]
    """
    return tuple(
        publication.Source(
            name=name,
            version=corpora.corpus_version(name) if name in corpora.corpus_names() else corpora.data_version(name),
            licence=corpora.dataset(name).licence,
            citation=corpora.dataset(name).citation,
            generated=corpora.dataset(name).how == "built in",
        )
        for name in names
    )


def published_entries(entries: Iterable[Table | Figure], words: Words) -> tuple[Any, ...]:
    """Each entry that is shown, computed, with its texts filled in."""
    return tuple(
        entry.published(words["setting"], arguments, entry.texts(words, one))
        for entry in entries
        for arguments, one in entry.expanded(words["setting"])
    )
