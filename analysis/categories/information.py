"""Entropies of classes and clusters, and measures based on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.categories.assignment import one_to_one
from analysis.categories.contingency import Contingency, as_contingency
from analysis.categories.token_measures import many_to_one
from analysis.structures import Labels, Score
from analysis.structures.lazy import pd


@dataclass(frozen=True)
class Entropies:
    """Entropies of gold classes C and clusters K over tokens.

    Parameters
    ----------
    classes, clusters : float
        H(C) and H(K).
    classes_given_clusters, clusters_given_classes : float
        H(C|K) and H(K|C), computed directly, not by subtraction.
    n, n_classes, n_clusters : int
        Tokens, classes, clusters.
    base : float
        Base of the logarithm.
    """

    classes: float
    clusters: float
    classes_given_clusters: float
    clusters_given_classes: float
    n: int
    n_classes: int
    n_clusters: int
    base: float = 2

    @property
    def homogeneity(self) -> float:
        """1 - H(C|K)/H(C); 1 if there is one class."""
        return 1.0 if self.n_classes == 1 else max(0.0, 1 - self.classes_given_clusters / self.classes)

    @property
    def completeness(self) -> float:
        """1 - H(K|C)/H(K); 1 if there is one cluster."""
        return 1.0 if self.n_clusters == 1 else max(0.0, 1 - self.clusters_given_classes / self.clusters)

    def parts(self) -> dict[str, float]:
        """Return the parts of a measure: n, the entropies, the numbers of classes and clusters."""
        return {
            "n": self.n,
            "H(C)": self.classes,
            "H(K)": self.clusters,
            "H(C|K)": self.classes_given_clusters,
            "H(K|C)": self.clusters_given_classes,
            "classes": self.n_classes,
            "clusters": self.n_clusters,
        }


def entropies(gold: Labels | Contingency, predicted: Labels | None = None, *, base: float = 2) -> Entropies:
    """Compute H(C), H(K), H(C|K) and H(K|C) from one table.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token; strings, integers or categories. A single `Contingency` may replace both.
    base : float
        Base of the logarithm: 2 gives bits; Reichart et al. use e.

    Returns
    -------
    Entropies

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, there is no token, or the base is not above 0 or is 1.

    References
    ----------
    Reichart, Abend & Rappoport (2010), section 3.

    Examples
    --------
    >>> both = entropies(["N", "N", "V", "V"], [1, 1, 1, 1])
    >>> both.classes, both.classes_given_clusters, both.clusters
    (1.0, 1.0, 0.0)
    """
    if not base > 0 or base == 1 or not math.isfinite(base):
        raise ValueError(f"the base of a logarithm is above 0 and not 1; it is {base!r}.")
    table = as_contingency(gold, predicted)
    n, cells = table.n, table.cells
    gold_sizes, predicted_sizes = table.gold_sizes, table.predicted_sizes
    unit = n * math.log(base)

    def mean(sizes: np.ndarray, of: np.ndarray | int) -> float:
        return abs(float((sizes * np.log(sizes / of)).sum()) / unit)  # abs: no -0.0

    return Entropies(
        classes=mean(gold_sizes, n),
        clusters=mean(predicted_sizes, n),
        classes_given_clusters=mean(cells, predicted_sizes[table.columns]),
        clusters_given_classes=mean(cells, gold_sizes[table.rows]),
        n=n,
        n_classes=len(table.classes),
        n_clusters=len(table.clusters),
        base=base,
    )


def conditional_entropy_of_classes(
    gold: Labels | Contingency, predicted: Labels | None = None, *, base: float = 2
) -> Score:
    """Compute H(C|K), the uncertainty about a token's class given its cluster. Lower is better.

    Splitting clusters never increases it; it is 0 if no cluster mixes classes.

    Parameters
    ----------
    gold, predicted, base
        See `entropies`, also for errors.

    Returns
    -------
    Score
        No counts; parts: n and the entropies.

    Examples
    --------
    >>> conditional_entropy_of_classes(["N", "V"], [1, 1])
    H(C|K) 1.000
    """
    return _conditional_entropy_of_classes(entropies(gold, predicted, base=base))


def conditional_entropy_of_clusters(
    gold: Labels | Contingency, predicted: Labels | None = None, *, base: float = 2
) -> Score:
    """Compute H(K|C), the uncertainty about a token's cluster given its class. Lower is better.

    Parameters
    ----------
    gold, predicted, base
        See `entropies`, also for errors.

    Returns
    -------
    Score
        No counts; parts: n and the entropies.

    Examples
    --------
    >>> conditional_entropy_of_clusters(["N", "N"], [1, 2])
    H(K|C) 1.000
    """
    return _conditional_entropy_of_clusters(entropies(gold, predicted, base=base))


def v_measure(gold: Labels | Contingency, predicted: Labels | None = None, *, base: float = 2) -> Score:
    """Compute V-measure: the harmonic mean of homogeneity h and completeness c. Higher is better.

    h = 1 - H(C|K)/H(C) and c = 1 - H(K|C)/H(K); h is 1 if there is one class, c is 1 if there is one cluster; V is 0 if
    both h and c are 0. The base of the logarithm does not change V, h and c, only the entropies given with them.

    Parameters
    ----------
    gold, predicted, base
        See `entropies`, also for errors.

    Returns
    -------
    Score
        No counts; parts: h, c, n and the entropies.

    References
    ----------
    Rosenberg & Hirschberg (2007); Reichart, Abend & Rappoport (2010), section 3.

    Examples
    --------
    >>> score = v_measure(["N", "N", "V", "V"], [1, 1, 2, 3])
    >>> score, score.parts["h"], round(score.parts["c"], 3)
    (V 0.800, 1.0, 0.667)
    """
    return _v_measure(entropies(gold, predicted, base=base))


def variation_of_information(gold: Labels | Contingency, predicted: Labels | None = None, *, base: float = 2) -> Score:
    """Compute variation of information, VI = H(C|K) + H(K|C), a distance between two clusterings. Lower is better.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        See `entropies`, also for errors.
    base : float
        e as in Reichart et al.; the numbers printed by Gelling et al. need 2.

    Returns
    -------
    Score
        No counts; parts: n and the entropies.

    References
    ----------
    Meila (2007); Gelling et al. (2012), section 2.2.

    Examples
    --------
    >>> variation_of_information(["N", "N", "V", "V"], [1, 2, 1, 2])
    VI 2.000
    """
    return _variation_of_information(entropies(gold, predicted, base=base))


def normalised_variation_of_information(
    gold: Labels | Contingency, predicted: Labels | None = None, *, base: float = 2
) -> Score:
    """Compute normalised variation of information, NVI = VI / H(C), or H(K) if there is one class. Lower is better.

    Not bounded by 1: its worst value is 1 + log(number of clusters) / H(C). The base matters only with one class.

    Parameters
    ----------
    gold, predicted, base
        See `entropies`, also for errors.

    Returns
    -------
    Score
        No counts; parts: n and the entropies.

    References
    ----------
    Reichart & Rappoport (2009); Reichart, Abend & Rappoport (2010), section 3.

    Examples
    --------
    >>> normalised_variation_of_information(["N", "N", "V", "V"], [1, 2, 1, 2])
    NVI 2.000
    """
    return _normalised_variation_of_information(entropies(gold, predicted, base=base))


def token_level_scores(
    gold: Labels | Contingency,
    predicted: Labels | None = None,
    *,
    assignment: str = "optimal",
    base: float = 2,
) -> list[Score]:
    """Compute the measures of token-level evaluation in one pass over the tokens.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token; strings, integers or categories. A single `Contingency` may replace both.
    assignment : {"optimal", "greedy"}
        How `one_to_one` matches: Reichart et al. define the mapping as the one that maximises the measure.
    base : float
        Base of the logarithm: 2 gives bits; Reichart et al. use e (section 5.1).

    Returns
    -------
    list of Score
        many-to-one, one-to-one, NVI, V, H(C|K), H(K|C) (the order of the paper's Table 1), then VI.

    References
    ----------
    Reichart, Abend & Rappoport (2010), sections 3 and 5.1, Table 1.

    Examples
    --------
    >>> for score in token_level_scores(["N", "N", "V", "V"], [1, 1, 1, 2]):
    ...     print(score)
    many-to-one 0.750 (3/4)
    one-to-one 0.750 (3/4)
    NVI 1.189
    V 0.344
    H(C|K) 0.689
    H(K|C) 0.500
    VI 1.189
    """
    table = as_contingency(gold, predicted)
    known = entropies(table, base=base)
    return [
        many_to_one(table),
        one_to_one(table, assignment=assignment),
        _normalised_variation_of_information(known),
        _v_measure(known),
        _conditional_entropy_of_classes(known),
        _conditional_entropy_of_clusters(known),
        _variation_of_information(known),
    ]


def _score(measure: str, value: float, known: Entropies, **parts: float) -> Score:
    base = "e" if known.base == math.e else known.base
    unit = unit_of_entropy(known.base) if measure in ("VI", "H(C|K)", "H(K|C)") else "proportion"
    return Score(measure, number=value, conventions={"base": base}, parts=parts | known.parts(), unit=unit)


def unit_of_entropy(base: float) -> str:
    """Return the unit of an entropy: bits for base 2, nats for base e.

    Examples
    --------
    >>> unit_of_entropy(2), unit_of_entropy(math.e), unit_of_entropy(10)
    ('bits', 'nats', 'log base 10')
    """
    return {2: "bits", math.e: "nats"}.get(base, f"log base {base:g}")


def _conditional_entropy_of_classes(known: Entropies) -> Score:
    return _score("H(C|K)", known.classes_given_clusters, known)


def _conditional_entropy_of_clusters(known: Entropies) -> Score:
    return _score("H(K|C)", known.clusters_given_classes, known)


def _v_measure(known: Entropies) -> Score:
    h, c = known.homogeneity, known.completeness
    return _score("V", 2 * h * c / (h + c) if h + c else 0.0, known, h=h, c=c)


def _variation_of_information(known: Entropies) -> Score:
    return _score("VI", known.classes_given_clusters + known.clusters_given_classes, known)


def _normalised_variation_of_information(known: Entropies) -> Score:
    if known.n_classes == 1:
        return _score("NVI", known.clusters, known)
    return _score("NVI", (known.classes_given_clusters + known.clusters_given_classes) / known.classes, known)


def implied_entropies(table: pd.DataFrame, *, half: float = 0.0005, agreeing: Sequence[str] = ()) -> pd.DataFrame:
    """Compute the entropy of the gold classes implied by printed scores; it must be equal for all systems.

    H(C) = (H(C|K) + H(K|C)) / NVI, with the interval due to rounding.

    Parameters
    ----------
    table : DataFrame
        One row per system (the index): ``NVI``, ``H(C|K)``, ``H(K|C)``, ``V``.
    half : float
        Half a unit of the last printed digit.
    agreeing : sequence of str
        Systems whose common interval is the reference; by default all.

    Returns
    -------
    DataFrame
        ``system``, ``entropy`` with ``lower``, ``upper``; ``fits``, whether the interval overlaps the common interval
        of ``agreeing`` (``shared_lower``, ``shared_upper``); ``v_implied`` from the row's own H(C), with the bounds
        ``v_lower``, ``v_upper`` due to rounding; ``v_printed``; ``v_fits``, whether the printed V, with its own
        rounding, is within these bounds.

    Examples
    --------
    >>> scores = pd.DataFrame({"NVI": [1.0], "H(C|K)": [0.9], "H(K|C)": [1.1], "V": [0.524]}, index=["A"])
    >>> implied_entropies(scores)[["system", "entropy", "v_fits"]].values.tolist()
    [['A', 2.0, True]]
    """
    parts = [table[name] for name in ("NVI", "H(C|K)", "H(K|C)")]
    nvi, sums = parts[0], parts[1] + parts[2]
    found = pd.DataFrame({"entropy": sums / nvi})
    found["lower"], found["upper"] = (sums - 2 * half) / (nvi + half), (sums + 2 * half) / (nvi - half)
    shared = found.loc[list(agreeing or found.index)]
    found["shared_lower"], found["shared_upper"] = shared["lower"].max(), shared["upper"].min()
    found["fits"] = (found["lower"] <= found["shared_upper"]) & (found["upper"] >= found["shared_lower"])
    corners = [
        _v_from(*(part + (at - 1) * half for part, at in zip(parts, corner, strict=True)))
        for corner in np.ndindex(3, 3, 3)
    ]
    found["v_implied"] = _v_from(*parts)
    found["v_lower"], found["v_upper"] = np.min(corners, axis=0), np.max(corners, axis=0)
    found["v_printed"] = table["V"]
    found["v_fits"] = (found["v_lower"] <= table["V"] + half) & (found["v_upper"] >= table["V"] - half)
    return found.rename_axis("system").reset_index()


def _v_from(nvi: pd.Series, classes: pd.Series, clusters: pd.Series) -> pd.Series:
    """Compute V from NVI, H(C|K) and H(K|C): 2 I / (H(C) + H(K)), where I = H(C) - H(C|K)."""
    entropy = (classes + clusters) / nvi
    shared = entropy - classes
    return 2 * shared / (entropy + shared + clusters)
