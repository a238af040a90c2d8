"""Settings of a recomputation: fields with checks, defaults by corpus, and functions that take them."""

import difflib
import functools
import inspect
import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar

from matplotlib.figure import Figure

from analysis import corpora
from analysis.corpora.own_corpora import own_names
from analysis.figures import mark_generated
from analysis.structures.kept import handed_out

Chosen = TypeVar("Chosen", bound="Setting")
Result = TypeVar("Result")


def choice(
    default: Any = None,
    *,
    at_least: float | None = None,
    above: float | None = None,
    one_of: Collection[Any] | Callable[[Any], Collection[Any]] | None = None,
    by_corpus: tuple[Any, Any] | Callable[[Any], Any] | None = None,
) -> Any:
    """A field of a `Setting`.

    Parameters
    ----------
    default : object
        The paper's value or, if it has none, the suite's.
    at_least, above : float, optional
        Bound of the number, or of each number of a tuple.
    one_of : collection or callable, optional
        The allowed values, or a function of the setting that returns them; for a tuple, those of each entry.
    by_corpus : (object, object) or callable, optional
        The default on a generated corpus and on any other, or a function of the setting that returns it; ``default``
        is then None, "not chosen".

    Returns
    -------
    Any
    """
    checks = {"at_least": at_least, "above": above, "one_of": one_of, "by_corpus": by_corpus}
    return field(default=default, metadata=checks)


def nearest(name: str, known: Collection[str]) -> str:
    """Text of an error message about an unknown name: the nearest known name, or all names.

    Examples
    --------
    >>> nearest("sweep", ["sweeps", "seed"]), nearest("x", ["sweeps", "seed"])
    ('did you mean sweeps?', 'there are sweeps, seed')
    """
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"


def check_known(names: Iterable[Any], known: Collection[Any], said: str, error: type[Exception] = ValueError) -> None:
    """Raise an error for the first unknown name, with the nearest known one.

    Parameters
    ----------
    names, known : collections of str
    said : str
        Text of the error message before the name.
    error : type
        Class of the error.

    Raises
    ------
    Exception
        Of the class ``error``, if a name is unknown; the message gives the nearest known name.

    Examples
    --------
    >>> check_known(["sweeps", "sed"], ["sweeps", "seed"], "the setting has no field")
    Traceback (most recent call last):
    ValueError: the setting has no field 'sed'; did you mean seed?
    """
    for name in names:
        if name not in known:
            raise error(f"{said} {name!r}; {nearest(str(name), list(map(str, known)))}")


@dataclass(frozen=True)
class Setting:
    """Base class of each paper's setting; checks every field by the arguments of its `choice`.

    Parameters
    ----------
    corpus : str
        Name of the data that the recomputation runs on.

    Raises
    ------
    ValueError
        If a value is not allowed; the message gives the allowed ones.

    Examples
    --------
    >>> Setting().generated
    True
    """

    corpus: str = "nursery"
    #: Corpora that the paper runs on; empty if it runs on any corpus of the catalogue.
    corpora: ClassVar[tuple[str, ...]] = ()
    #: Kind of added corpora that the paper also runs on; empty if none.
    own: ClassVar[str] = ""

    def __post_init__(self) -> None:
        chosen = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        object.__setattr__(self, "_chosen", chosen)
        if self.corpora and self.corpus not in own_names(self.own):
            check_known([self.corpus], self.corpora, "there is no corpus")
        for entry in fields(self):
            value, checks = chosen[entry.name], entry.metadata
            if value is None and checks.get("by_corpus"):
                given = checks["by_corpus"]
                value = given(self) if callable(given) else given[0 if self.generated else 1]
            object.__setattr__(self, entry.name, tuple(value) if isinstance(value, list) else value)
            if value is not None:
                self._check(entry.name, checks)

    def _check(self, name: str, checks: Mapping[str, Any]) -> None:
        value, known = getattr(self, name), checks.get("one_of")
        entries: Sequence[Any] = value if isinstance(value, tuple) else (value,)
        if not entries:
            raise ValueError(f"{name} must name at least one.")
        for bound, holds in (("at_least", operator.ge), ("above", operator.gt)):
            limit = checks.get(bound)
            wrong = [entry for entry in entries if limit is not None and not holds(entry, limit)]
            if wrong:
                raise ValueError(f"{name} must be {bound.replace('_', ' ')} {limit}, not {wrong[0]!r}.")
        if known is not None:
            check_known(entries, known(self) if callable(known) else known, f"{name} is")

    @property
    def generated(self) -> bool:
        """Whether the data are generated by the suite, so that no result is a finding about a language."""
        return corpora.dataset(self.corpus).how == "built in"

    def is_on(self, corpora: Collection[str]) -> bool:
        """Whether the corpus is among these: names, ``real``, ``generated``; it is if there are none."""
        return not corpora or bool({self.corpus, "generated" if self.generated else "real"} & set(corpora))

    def marked(self, figure: Figure) -> Figure:
        """The figure, with a mark if the data are generated."""
        return mark_generated(figure) if self.generated else figure

    @classmethod
    def choose(cls: type[Chosen], setting: Chosen | None = None, **choices: Any) -> Chosen:
        """A setting from a given one and single fields; defaults by corpus follow the chosen corpus."""
        check_known(choices, [entry.name for entry in fields(cls)], "this recomputation has no choice")
        given: Mapping[str, Any] = {} if setting is None else setting._chosen  # type: ignore[attr-defined]
        return cls(**{**given, **choices}) if choices or setting is None else setting


def computed(function: Callable[..., Result], setting: Setting, arguments: Mapping[str, Any]) -> Result:
    """Result of a function; if its first argument is not ``setting``, it is called without the setting.

    Examples
    --------
    >>> computed(lambda setting: setting.corpus, Setting(), {}), computed(lambda n: 2 * n, Setting(), {"n": 4})
    ('nursery', 8)
    """
    takes = next(iter(inspect.signature(function).parameters), None) == "setting"
    return function(setting, **arguments) if takes else function(**arguments)


def takes_setting(setting: type[Setting]) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Make ``f(setting, ...)`` a public function ``f(setting=None, ..., **choices)`` of a paper.

    The choices are single fields of the setting; a string instead of a setting is the name of the corpus. Tables are
    returned as copies, so a reader may change them.

    Parameters
    ----------
    setting : type
        The paper's `Setting`.

    Returns
    -------
    callable
        The decorator.

    Raises
    ------
    TypeError
        When the function is called with something other than a setting.
    """

    def decorate(function: Callable[..., Result]) -> Callable[..., Result]:
        first, *further = inspect.signature(function).parameters.values()
        names = [first.name, *(entry.name for entry in further)]

        @functools.wraps(function)
        def call(*positional: Any, **choices: Any) -> Any:
            own = dict(zip(names, positional, strict=False))
            own |= {name: choices.pop(name) for name in names if name in choices}
            given = own.pop(first.name, None)
            if isinstance(given, str):
                given, choices = None, {"corpus": given, **choices}
            if given is not None and not isinstance(given, setting):
                raise TypeError(f"{function.__name__} takes a {setting.__module__}.Setting, not {given!r}.")
            result = function(setting.choose(given, **choices), **own)
            return result if isinstance(result, Figure) else handed_out(result)

        choices = inspect.Parameter("choices", inspect.Parameter.VAR_KEYWORD, annotation=Any)
        named = [first.replace(default=None, annotation=f"{setting.__name__} | None"), *further, choices]
        call.__signature__ = inspect.signature(function).replace(parameters=named)  # type: ignore[attr-defined]
        call.setting = setting  # type: ignore[attr-defined]
        return call

    return decorate
