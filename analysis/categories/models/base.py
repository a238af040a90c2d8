"""What the models of word classes share: their parameters by name, and how clusters are returned."""

from inspect import signature
from typing import Any, Self

import numpy as np
import pandas as pd


class Model:
    """Parameters of a model, by the names of its constructor.

    Examples
    --------
    >>> class Fixed(Model):
    ...     def __init__(self, n_clusters=2):
    ...         self.n_clusters = n_clusters
    >>> Fixed(), Fixed(n_clusters=3).get_params()
    (Fixed(n_clusters=2), {'n_clusters': 3})
    """

    version = "1"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; `deep` is there for scikit-learn and changes nothing."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters by name; call `fit` again afterwards."""
        known = self.get_params()
        for name, value in parameters.items():
            if name not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"

    def _require_fit(self, attribute: str) -> None:
        if not hasattr(self, attribute):
            raise ValueError(f"this {type(self).__name__} is not fitted yet: call fit(tokens) first.")


def cluster_series(codes: np.ndarray, index: pd.Index) -> pd.Series:
    """Clusters of tokens as a nullable series named ``cluster``; -1 becomes a missing value.

    Examples
    --------
    >>> cluster_series(np.array([2, -1]), pd.RangeIndex(2)).tolist()
    [2, <NA>]
    """
    values = pd.arrays.IntegerArray(np.asarray(codes, dtype=np.int32), np.asarray(codes) < 0)
    return pd.Series(values, index=index, name="cluster")
