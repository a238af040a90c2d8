"""Token and type scores of a clustering by word frequency."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.categories.type_measures import type_mapping
from analysis.categories.type_table import lexicon, type_table
from analysis.statistics.breakdowns import FREQUENCIES, band_names


def scores_by_frequency(
    tokens: pd.DataFrame,
    *,
    bands: Sequence[int] = FREQUENCIES,
    restarts: int = 10,
    initialisation: str = "random",
    random_state: int | np.random.Generator | None = 0,
) -> pd.DataFrame:
    """Compute many-to-one accuracy of tokens and MicroI of types in bands of word frequency.

    Clusters are mapped to classes once, for all words: by tokens for ``M-1``, by types for ``MicroI``. So the mean of
    ``M-1`` over bands, weighted by tokens, equals that of the text, and the mean of ``MicroI``, weighted by types,
    equals that of the lexicon.

    Parameters
    ----------
    tokens : DataFrame
        One row per token: ``form``, ``gold``, ``predicted``; see `align_labels`.
    bands : sequence of int
        Largest frequency of each band except the last, in ascending order.
    restarts, initialisation, random_state
        Parameters of hill climbing; see `micro_i`.

    Returns
    -------
    DataFrame
        ``band``, ``types``, ``tokens``, ``M-1``, ``MicroI``, and ``largest``: the largest proportion of the band's
        types in one cluster. Values are proportions; bands without words are left out.

    Raises
    ------
    ValueError
        If the bands are not in ascending order.

    Examples
    --------
    >>> tokens = pd.DataFrame({"form": list("aabcc"), "gold": list("NNVNN"), "predicted": [1, 1, 1, 1, 2]})
    >>> scores_by_frequency(tokens, bands=(1,))[["band", "types", "tokens", "M-1", "MicroI"]].values.tolist()
    [['1', 1, 1, 0.0, 0.0], ['2+', 2, 4, 1.0, 1.0]]
    """
    names = band_names(bands)
    table = type_table(lexicon(tokens, "gold"), lexicon(tokens, "predicted"))
    forms = tokens["form"].astype("str")
    frequencies = forms.value_counts().reindex(table.forms.astype("str")).to_numpy()
    climbed = type_mapping(table, measure="micro_i", mapping="many-to-one", restarts=restarts,
                           initialisation=initialisation, random_state=random_state)  # fmt: skip
    readings = (climbed["gold"].to_numpy()[:, None] == table.gold_names.to_numpy()[None, :]).astype(np.int64)
    read = (table.predicted @ readings) > 0
    right = np.asarray(table.gold.multiply(read).sum(axis=1)).ravel()
    types = pd.DataFrame({"band": np.searchsorted(bands, frequencies), "tokens": frequencies,
                          "MicroI": 2 * right / (table.gold_entries + read.sum(axis=1))})  # fmt: skip
    shared = pd.crosstab(tokens["predicted"].to_numpy(), tokens["gold"].astype("str").to_numpy())
    correct = tokens["predicted"].map(shared.idxmax(axis=1)).astype("str") == tokens["gold"].astype("str")
    types["correct"] = correct.groupby(forms.to_numpy()).sum().reindex(table.forms.astype("str")).to_numpy()
    by_band = types.groupby("band")
    found = by_band.agg(
        types=("tokens", "size"), tokens=("tokens", "sum"), correct=("correct", "sum"), MicroI=("MicroI", "mean")
    )
    found["M-1"] = found["correct"] / found["tokens"]
    found["largest"] = [table.predicted[rows].sum(axis=0).max() / len(rows) for rows in by_band.indices.values()]
    found.insert(0, "band", [names[band] for band in found.index])
    return found[["band", "types", "tokens", "M-1", "MicroI", "largest"]].reset_index(drop=True)
