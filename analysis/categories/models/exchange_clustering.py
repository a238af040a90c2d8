"""Exchange algorithm: words are moved one at a time to the class that increases the likelihood most."""

from collections.abc import Callable
from typing import Self

import numpy as np
import pandas as pd

from analysis.categories.models.class_bigrams import (
    AdjacentPairs,
    ClassBigramModel,
    ClassCounts,
    _kernels,
    adjacent_pairs,
    check_number_of_clusters,
)
from analysis.structures import check_at_least, check_choice
from analysis.structures.progress import progress_bar

RARE = ("assigned", "one class", "left out")
INITIALISATIONS = ("frequent", "random")
PERTURBED = 5  # one in so many classes is drawn anew
_NO_PRIOR = np.zeros((0, 0))


class Search:
    """One run of the exchange algorithm: classes, counts and moves.

    Parameters
    ----------
    pairs : AdjacentPairs
    n_clusters : int
    start : ndarray of int64, shape (n_frequent,)
        Initial class of each type that is moved.
    rare : {"assigned", "one class", "left out"}
        Treatment of rare types during the search: a fixed class, or (left out) no class.
    """

    def __init__(self, pairs: AdjacentPairs, n_clusters: int, start: np.ndarray, rare: str) -> None:
        self.pairs, self.n_clusters = pairs, n_clusters
        self.neighbours = pairs.neighbours()
        n_types = pairs.n_frequent
        self.classes = np.full(len(pairs.forms) + 1, -1 if rare == "left out" else n_clusters, dtype=np.int64)
        self.classes[:n_types] = start
        self.classes[pairs.boundary] = n_clusters + 1
        self.counts = ClassCounts(pairs, self.classes, n_clusters + 2)

    def one_pass(
        self, begin: int, end: int, prior: np.ndarray = _NO_PRIOR, forced: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """Visit types `begin` .. `end` - 1 once.

        Returns
        -------
        moves : ndarray of int64, shape (n_moves, 3)
            Type, old class, new class; in order.
        changes : ndarray of float64, shape (n_moves,)
            Increase of the objective by each move; NaN for moves out of the class of rare words.
        """
        return _kernels().exchange_pass(
            begin, end, self.n_clusters, forced, self.classes, self.neighbours, self.counts.arrays(), prior
        )


def start_classes(
    pairs: AdjacentPairs, n_clusters: int, initialisation: str, random: np.random.Generator
) -> np.ndarray:
    """Choose initial classes: the C - 1 most frequent types one class each and the others in the last, or at random.

    Raises
    ------
    ValueError
        If `initialisation` is neither ``"frequent"`` nor ``"random"``.
    """
    if initialisation == "frequent":
        return np.minimum(np.arange(pairs.n_frequent), n_clusters - 1)
    if initialisation == "random":
        return random.integers(n_clusters, size=pairs.n_frequent)
    raise ValueError(f"initialisation is {initialisation!r}; it must be 'frequent' or 'random'.")


def perturbed(classes: np.ndarray, n_clusters: int, random: np.random.Generator) -> np.ndarray:
    """Draw the classes of the words in a fifth of the classes, at least two, at random from the same fifth.

    Examples
    --------
    >>> perturbed(np.array([0, 1, 2, 3, 4, 5]), 6, np.random.default_rng(0)).tolist()
    [0, 1, 2, 4, 4, 5]
    """
    number = min(max(2, n_clusters // PERTURBED), n_clusters)
    drawn = random.choice(n_clusters, size=number, replace=False)
    inside = np.isin(classes, drawn)
    changed = classes.copy()
    changed[inside] = random.choice(drawn, size=inside.sum())
    return changed


class ExchangeClustering(ClassBigramModel):
    """Classes of words that maximise the likelihood of the class bigram model, by the exchange algorithm (mkcls).

    Words are visited in descending order of frequency; each is moved to the class that increases
    F = sum h(N[c,d]) - sum h(N[c,.]) - sum h(N[.,d]), with h(x) = x log x, most, if this improves it. Passes are
    repeated until no word moves. The best of several runs is kept. Iterated local search goes on from there: it draws
    the words of some classes anew and repeats the passes, and keeps what is better. The annealing schemes and the
    leaving-one-out criterion of the program mkcls are not implemented.

    Parameters
    ----------
    n_clusters : int
        C.
    min_count : int
        Words with fewer tokens are rare.
    rare : {"assigned", "one class", "left out"}
        Rare words are in one fixed class during the passes and are then assigned, in descending order of frequency, to
        the best class; or they stay in that class, as one additional cluster; or they have no cluster and their pairs
        are ignored.
    initialisation : {"frequent", "random"}
        The C - 1 most frequent words form one class each and all others the last; or classes are drawn at random.
    runs : int
        Number of runs, which differ only with random initialisation; the run with the highest F is kept.
    max_passes : int, optional
        Maximum number of passes of each run; by default passes continue until no word moves.
    boundaries : {"symbol", "separate", "cross"}
        A boundary symbol in a fixed class of its own; pairs within sentences only; or pairs across sentences too.
    perturbations : int
        Number of further runs, each of which starts from the best result so far, with the words of a fifth of the
        classes (at least two) drawn at random among these classes: iterated local search. F never falls.
    progress : bool
        Whether to show a progress bar.
    random_state : int, Generator or None
        Seed of random initialisation and of perturbations.

    Attributes
    ----------
    clusters_ : DataFrame
        ``form``, ``cluster``, ``frequency``; in descending order of frequency. Cluster 0 has the most frequent word.
    trace_ : DataFrame
        One row per pass: ``run`` and ``pass`` (from 1; the assignment of rare words is the pass after the last),
        ``moves``, ``objective`` (F after the pass, in nats), ``average_mutual_information`` (in bits).
    moves_ : DataFrame
        Every move of the best run: ``pass``, ``form``, ``origin`` and ``target`` (numbers of the search, not
        those of `clusters_`), ``change`` of the objective.
    converged_ : bool
        Whether the last pass of the best run moved no word.
    n_clusters_, average_mutual_information_, objective_
        Number of clusters; mutual information of adjacent classes in bits; F in nats.

    References
    ----------
    Kneser & Ney (1993), "Improved clustering techniques for class-based statistical language modelling"; after
    Och (1999), "An efficient method for determining bilingual word classes"; Lourenço, Martin & Stützle (2003),
    "Iterated local search".

    Examples
    --------
    >>> text = "the dog ran the cat ran a dog sat a cat sat".split()
    >>> tokens = pd.DataFrame({"sentence": np.repeat(range(4), 3), "form": text})
    >>> model = ExchangeClustering(n_clusters=3, progress=False).fit(tokens)
    >>> model.predict(pd.DataFrame({"form": ["the", "a", "cow"]})).tolist()
    [0, 0, <NA>]
    """

    def __init__(
        self,
        n_clusters: int = 45,
        min_count: int = 1,
        rare: str = "assigned",
        initialisation: str = "frequent",
        runs: int = 1,
        max_passes: int | None = None,
        boundaries: str = "symbol",
        perturbations: int = 0,
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.min_count = min_count
        self.rare = rare
        self.initialisation = initialisation
        self.runs = runs
        self.max_passes = max_passes
        self.boundaries = boundaries
        self.perturbations = perturbations
        self.progress = progress
        self.random_state = random_state

    def fit(self, tokens: pd.DataFrame) -> Self:
        """Cluster the words of a text.

        Parameters
        ----------
        tokens : DataFrame
            ``sentence``, ``form``; one row per token.

        Returns
        -------
        ExchangeClustering
            The fitted model.

        Raises
        ------
        ValueError
            If the table lacks a column, a word or a token, no word reaches `min_count`, or a parameter is unknown.
        """
        check_at_least(1, runs=self.runs, max_passes=self.max_passes)
        check_at_least(0, perturbations=self.perturbations)
        pairs = prepare(tokens, self.n_clusters, self.min_count, self.rare, self.boundaries)
        random = np.random.default_rng(self.random_state)
        best: tuple[float, int, Search, list, bool] | None = None
        trace = []
        with progress_bar(label="Exchange clustering", unit="pass", shown=self.progress) as bar:
            for run in range(1, self.runs + self.perturbations + 1):
                if best is None or run <= self.runs:
                    start = start_classes(pairs, self.n_clusters, self.initialisation, random)
                else:
                    start = perturbed(best[2].classes[: pairs.n_frequent], self.n_clusters, random)
                search = Search(pairs, self.n_clusters, start, self.rare)
                rows, moves, converged = self._passes(search, run, bar.update)
                trace += rows
                objective = search.counts.objective
                if best is None or objective > best[0]:
                    best = (objective, run, search, moves, converged)
        assert best is not None
        _, self.best_run_, search, moves, self.converged_ = best
        self.trace_ = pd.DataFrame(trace)
        self.moves_ = moves_table(pairs, moves)
        self._keep(pairs, search.classes, search.counts)
        return self

    def _passes(self, search: Search, run: int, update: Callable) -> tuple[list[dict], list, bool]:
        rows: list[dict] = []
        every: list[tuple[np.ndarray, np.ndarray]] = []
        converged = False
        n_types = search.pairs.n_frequent
        while not converged and (self.max_passes is None or len(rows) < self.max_passes):
            moves, changes = search.one_pass(0, n_types)
            converged = not len(moves)
            every.append((moves, changes))
            rows.append(trace_row(search, run, len(rows) + 1, len(moves)))
            update()
        if self.rare == "assigned" and n_types < len(search.pairs.forms):
            every.append(search.one_pass(n_types, len(search.pairs.forms), forced=True))
            rows.append(trace_row(search, run, len(rows) + 1, len(every[-1][0])))
        return rows, every, converged


def prepare(tokens: pd.DataFrame, n_clusters: int, min_count: int, rare: str, boundaries: str) -> AdjacentPairs:
    """Check the parameters shared by all searches, and count the pairs.

    Raises
    ------
    ValueError
        See `ExchangeClustering.fit`.
    """
    check_choice("rare", rare, RARE)
    pairs = adjacent_pairs(tokens, min_count=min_count, boundaries=boundaries)
    check_number_of_clusters(n_clusters, pairs.n_frequent)
    return pairs


def trace_row(search: Search, run: int, number: int, moves: int) -> dict:
    """Summarise a pass."""
    return {
        "run": run,
        "pass": number,
        "moves": moves,
        "objective": search.counts.objective,
        "average_mutual_information": search.counts.average_mutual_information,
    }


def moves_table(pairs: AdjacentPairs, moves: list[tuple[np.ndarray, np.ndarray]]) -> pd.DataFrame:
    """List every move of a run: ``pass``, ``form``, ``origin``, ``target``, ``change``."""
    steps = np.concatenate([step for step, _ in moves])
    return pd.DataFrame(
        {
            "pass": np.repeat(np.arange(1, len(moves) + 1), [len(step) for step, _ in moves]),
            "form": pairs.forms[steps[:, 0]],
            "origin": steps[:, 1],
            "target": steps[:, 2],
            "change": np.concatenate([change for _, change in moves]),
        }
    )
