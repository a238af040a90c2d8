"""Fitted models as files: one zip file of JSON, NumPy arrays (npy) and Parquet, which any language can read.

``result.json`` names the model, its parameters and what was learnt; larger parts lie beside it in files of their own.
Nothing in such a file is code: reading one makes objects of classes of this suite only and calls nothing of theirs.
"""

import dataclasses
import importlib
import io
import os
import zipfile
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from analysis.experiments.cache import fingerprint, place
from analysis.experiments.resumed import FIRST, steps_done
from analysis.experiments.storing import decode, encode, manifest
from analysis.structures import DataError, Incident
from analysis.structures.model import Model
from analysis.structures.progress import progress_bar
from analysis.structures.source import source_digest
from analysis.structures.writing import write_whole

KIND = "fitted model of Language Yardstick"
EVERY = 10.0  # seconds from one stored state of a long fit to the next
_PACKAGE = "analysis."

AnyModel = TypeVar("AnyModel", bound=Model)


@dataclasses.dataclass
class _Object:
    """An object of a class of the suite, by its attributes, or a random generator, by its state."""

    of: str
    attributes: dict


def save_model(model: Model, file: str | os.PathLike) -> None:
    """Write a fitted model to a file, whole or not at all.

    Parameters
    ----------
    model : Model
        Any fitted model of the suite: of word classes, of trees, of forms, of derivations.
    file : path

    Raises
    ------
    TypeError
        If the model holds something that cannot be stored.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from analysis.inflection.models import CopyBaseline
    >>> model = CopyBaseline().fit(pd.DataFrame({"lemma": ["walk"], "form": ["walked"]}))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(model, Path(folder) / "copy.model")
    ...     load_model(Path(folder) / "copy.model").explain("talk")
    ('talk', 'the unchanged lemma')
    """
    write_whole(file, model_bytes(model))


def load_model(file: str | os.PathLike, kind: type[AnyModel] = Model) -> AnyModel:  # type: ignore[assignment]
    """Read a model that `save_model` wrote, ready for ``predict``.

    Parameters
    ----------
    file : path
    kind : type
        What the model must be.

    Raises
    ------
    DataError
        If the file is not there, is damaged, or holds no model of that kind.
    """
    name = os.fspath(file)
    try:
        content = Path(file).read_bytes()
    except OSError as error:
        raise DataError(Incident(name, 0, "no file", f"it cannot be read: {error.strerror or error}")) from None
    try:
        model = model_from(content)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, zipfile.BadZipFile) as error:
        found = f"it holds no saved model ({error or type(error).__name__})"
        raise DataError(Incident(name, 0, "no model", found, "", "a file that --save-model wrote")) from None
    if not isinstance(model, kind):
        found = f"it holds a {type(model).__name__}, not a {kind.__name__}"
        raise DataError(Incident(name, 0, "another model", found))
    return model


def model_bytes(model: Model) -> bytes:
    """The content of a file of `save_model`."""
    of = _name(type(model))
    state = dict(model.state() if hasattr(model, "state") else vars(model))
    state.pop("source", None)  # a saved model outlives a change of its source; the version says what made it
    about = {"kind": KIND, "model": of, "version": metadata.version("language-yardstick")}
    return encode(_stored(state), about, (_Object,))


def model_from(content: bytes) -> Model:
    """The model whose `model_bytes` these are.

    Raises
    ------
    ValueError
        If they are of no model.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise ValueError("it is not a zip file")
    about = manifest(content)
    if about.get("kind") != KIND:
        raise ValueError("it says nothing of a model")
    kind: Any = _class_named(str(about["model"]))
    if not issubclass(kind, Model):
        raise ValueError(f"{about['model']} is not a model")
    state = _restored(decode(content, (_Object,)))
    if hasattr(kind, "from_state"):
        state |= {"source": source_digest(kind)}
        made: Model = kind.from_state(state)
    else:
        made = kind.__new__(kind)
        vars(made).update(state)
    return made


def _name(kind: type) -> str:
    """Module and name of a class of the suite."""
    if not kind.__module__.startswith(_PACKAGE) or "<" in kind.__qualname__:
        raise TypeError(f"{kind.__qualname__} is not a model of this suite.")
    return f"{kind.__module__}.{kind.__qualname__}"


def _class_named(name: str) -> type:
    module, _, kind = name.rpartition(".")
    if not module.startswith(_PACKAGE) or not kind.isidentifier():
        raise ValueError(f"{name!r} is not a class of this suite")
    try:
        found = getattr(importlib.import_module(module), kind)
    except (ImportError, AttributeError):
        raise ValueError(f"this version of the suite has no {name}") from None
    if not isinstance(found, type) or found.__module__ != module:
        raise ValueError(f"{name!r} is not a class of this suite")
    return found


_GENERATOR = "numpy.random.Generator"


def _stored(value: Any) -> Any:
    """A value in which objects of the suite and random generators are `_Object`."""
    kind = type(value)
    if isinstance(value, np.random.Generator):
        return _Object(_GENERATOR, _stored(dict(value.bit_generator.state)))
    if kind in (list, tuple):
        return kind(_stored(entry) for entry in value)
    if kind is dict:
        return {key: _stored(entry) for key, entry in value.items()}
    if kind.__module__.startswith(_PACKAGE) and not isinstance(value, type):
        named: Any = getattr(kind, "_fields", None)
        fields = vars(value) if named is None else dict(zip(named, value, strict=True))
        return _Object(_name(kind), {name: _stored(entry) for name, entry in fields.items()})
    return value


def _restored(value: Any) -> Any:
    """The value of which `_stored` made this."""
    kind = type(value)
    if kind in (list, tuple):
        return kind(_restored(entry) for entry in value)
    if kind is dict:
        return {key: _restored(entry) for key, entry in value.items()}
    if kind is not _Object:
        return value
    attributes = _restored(value.attributes)
    if value.of == _GENERATOR:
        if attributes.get("bit_generator") != "PCG64":
            raise ValueError("its random generator is another one than NumPy's PCG64")
        generator = np.random.Generator(np.random.PCG64())
        generator.bit_generator.state = attributes
        return generator
    of = _class_named(value.of)
    if issubclass(of, tuple):
        return of(**attributes)
    made = of.__new__(of)
    vars(made).update(attributes)
    return made


# Long fits --------------------------------------------------------------------------------------------------------


def fit_keeping_state(model: AnyModel, tokens: pd.DataFrame, *, progress: bool = True) -> AnyModel:
    """Fit a model; if it goes over the text again and again, what it has done is stored every few seconds.

    A fit that was interrupted or killed goes on where it was stored last, when it is asked for again with the same
    text and parameters, and ends as if it had never stopped. The state lies in the cache folder and goes when the fit
    is done; with ``ANALYSIS_NO_CACHE`` nothing is stored.

    Parameters
    ----------
    model : Model
        With ``sweeps`` or ``iterations`` and ``fit(tokens, resume=...)``; any other is simply fitted.
    tokens : DataFrame
    progress : bool
        Whether to show a bar.

    Returns
    -------
    Model
        The fitted model.
    """
    name = "sweeps" if hasattr(model, "sweeps") else "iterations"
    parameters = model.get_params()
    if "progress" in parameters:
        model.set_params(progress=progress)
    if not hasattr(model, "sweeps") and not hasattr(type(model), "from_state"):
        return model.fit(tokens)  # type: ignore[attr-defined]
    total = int(getattr(model, name))
    plain = {key: value for key, value in parameters.items() if key != "progress"}
    columns = [name for name in ("sentence", "form", parameters.get("tags")) if name in tokens]
    key = {"data": fingerprint(tokens[columns]), "model": _name(type(model)), "parameters": plain,
           "source": source_digest(type(model))}  # fmt: skip
    stored = place("unfinished_model", key)
    found, content = stored.read()
    fitted: Any = model_from(content) if found else None
    if "progress" in parameters:
        model.set_params(progress=False)
    done, size = (steps_done(fitted) if found else 0), FIRST
    options: dict[str, Any] = {"initial": done, "unit": "sweep" if name == "sweeps" else "pass", "shown": progress}
    with progress_bar(total, label=type(model).__name__, **options) as bar:
        while fitted is None or done < total:
            asked = total if _in_one_go(model) else min(done + size, total)
            started, before = perf_counter(), done
            try:
                fitted = _fit_until(model, tokens, fitted, name, asked, total)
            except KeyboardInterrupt:
                if hasattr(model, "labels_") or hasattr(model, "sweeps_done_"):
                    model.set_params(**{name: total})
                    stored.write(model_bytes(model))
                raise
            done = steps_done(fitted)
            bar.update(done - before)
            size = max(1, round(EVERY * max(done - before, 1) / max(perf_counter() - started, 1e-6)))
            if done < asked:
                break  # it has converged
            if done < total:
                stored.write(model_bytes(fitted))
    fitted.set_params(**{name: total}, **({"progress": progress} if "progress" in parameters else {}))
    stored.forget()
    return fitted


def _in_one_go(model: Any) -> bool:
    """Whether a fit cannot be paused: its temperature depends on the number of all sweeps."""
    return getattr(model, "annealing", None) is not None and not _pauses(model)


def _pauses(model: Any) -> bool:
    from inspect import signature

    return "until" in signature(model.fit).parameters


def _fit_until(model: Any, tokens: pd.DataFrame, so_far: Any, name: str, asked: int, total: int) -> Any:
    """The model after so many steps, going on from another."""
    if _pauses(model):
        return model.fit(tokens, resume=so_far, until=asked)
    model.set_params(**{name: asked})
    try:
        return model.fit(tokens, resume=so_far)
    finally:
        model.set_params(**{name: total})
