"""Reports why a cell of a grid is computed again: what is stored, and what has changed since."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments.cache import SOURCES, Place, manifest, results_folder, sound_content
from analysis.experiments.grid import Grid, grid_cells, grid_places
from analysis.structures.source import Source, source_of


def explain(function: Callable[..., Any], grid: Grid, *, cache: Mapping[str, object]) -> pd.DataFrame:
    """Report for every cell of a grid whether it is stored, and if not, why it would be computed.

    Parameters
    ----------
    function, grid, cache
        As for `run_cells`. Nothing is computed.

    Returns
    -------
    DataFrame
        ``cell`` (its number), ``state`` and ``changed``. States: ``stored``; ``never computed``; ``data changed``;
        ``parameters changed`` (compared with a stored cell that is not in this grid; ``changed`` lists them);
        ``source changed`` (definitions that were changed, added or removed); ``packages changed`` (old and new
        versions); ``switched off`` (by ``ANALYSIS_NO_CACHE``).

    Examples
    --------
    >>> explain(pow, [{"base": 2, "exp": 3}], cache={"data": "none", "name": "never_run"})["state"].tolist()
    ['never computed']
    """
    cells = grid_cells(grid)
    _, places = grid_places(function, cells, cache)
    now = source_of(function)
    known = [json.loads(place.key) for place in places if place.key is not None]
    stored = _stored_keys(places)
    rows = []
    for number, place in enumerate(places):
        state, changed = ("switched off", "") if place.key is None else _state(place, stored, known, now)
        rows.append({"cell": number, "state": state, "changed": changed})
    return pd.DataFrame(rows, columns=["cell", "state", "changed"])


def _stored_keys(places: list[Place]) -> list[dict[str, Any]]:
    """List the keys of all valid results of a grid, most recent first."""
    folder = next((place.path.parent for place in places if place.path is not None), None)
    found = []
    for path in sorted(folder.glob("*.zip"), key=_time, reverse=True) if folder else []:
        try:
            found.append(json.loads(manifest(sound_content(path))["key"]))
        except Exception:  # a damaged file counts as not stored
            continue
    return [key for key in found if isinstance(key, dict) and {"data", "parameters", "source"} <= set(key)]


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _state(place: Place, stored: list[dict[str, Any]], grid: list[dict[str, Any]], now: Source) -> tuple[str, str]:
    if place.is_stored():
        return "stored", ""
    key = json.loads(place.key or "{}")
    same = [other for other in stored if other["parameters"] == key["parameters"]]
    for other in same:
        if other["data"] == key["data"]:
            return _source_change(str(other["source"]), now)
    if same:
        return "data changed", f"{same[0]['data']} -> {key['data']}"
    asked = [other["parameters"] for other in grid]
    rest = [other["parameters"] for other in stored if other["parameters"] not in asked]
    differences = sorted(
        (_difference(key["parameters"], other) for other in rest), key=lambda names: (len(names), names)
    )
    if differences and len(differences[0]) < len(key["parameters"]):
        return "parameters changed", ", ".join(differences[0])
    return "never computed", ""


def _difference(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    missing = object()
    return sorted(name for name in {*first, *second} if first.get(name, missing) != second.get(name, missing))


def _source_change(digest: str, now: Source) -> tuple[str, str]:
    try:
        then = json.loads((results_folder() / SOURCES / f"{digest}.json").read_text(encoding="utf-8"))
        return changed_source(then["definitions"], then["packages"], now)
    except (OSError, ValueError, KeyError):
        return "source changed", "unknown: the parts of the older source were not stored"


def changed_source(definitions: Mapping[str, str], packages: Mapping[str, str], now: Source) -> tuple[str, str]:
    """Describe the differences between an older source and the current one, for `explain`.

    Examples
    --------
    >>> changed_source({"m:f": "1", "m:g": "2"}, {}, Source("d", {"m:f": "3", "m:h": "4"}, {}))
    ('source changed', 'm:f; removed m:g; added m:h')
    >>> changed_source({}, {"numpy": "2.3"}, Source("d", {}, {"numpy": "2.4"}))
    ('packages changed', 'numpy 2.3 -> 2.4')
    """
    edited = sorted(
        name for name in definitions.keys() & now.definitions.keys() if definitions[name] != now.definitions[name]
    )
    removed = [f"removed {name}" for name in sorted(definitions.keys() - now.definitions.keys())]
    added = [f"added {name}" for name in sorted(now.definitions.keys() - definitions.keys())]
    if edited or removed or added:
        return "source changed", "; ".join([*edited, *removed, *added])
    names = [name for name in sorted({*packages, *now.packages}) if packages.get(name) != now.packages.get(name)]
    if not names:
        return "source changed", "how the function is composed of its definitions"
    told = [f"{name} {packages.get(name, 'none')} -> {now.packages.get(name, 'none')}" for name in names]
    return "packages changed", ", ".join(told)
