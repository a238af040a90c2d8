"""What the models of word classes share: their parameters by name, and how clusters are returned."""

import numpy as np
import pandas as pd

from analysis.structures.model import Model

__all__ = ["Model", "cluster_series"]


def cluster_series(codes: np.ndarray, index: pd.Index) -> pd.Series:
    """Clusters of tokens as a nullable series named ``cluster``; -1 becomes a missing value.

    Examples
    --------
    >>> cluster_series(np.array([2, -1]), pd.RangeIndex(2)).tolist()
    [2, <NA>]
    """
    values = pd.arrays.IntegerArray(np.asarray(codes, dtype=np.int32), np.asarray(codes) < 0)
    return pd.Series(values, index=index, name="cluster")
