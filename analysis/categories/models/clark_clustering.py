"""Clark's distributional clustering: the exchange algorithm with a prior from the spelling of words."""

from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.categories.models.class_bigrams import ClassBigramModel
from analysis.categories.models.exchange_clustering import (
    Search,
    moves_table,
    prepare,
    start_classes,
    trace_row,
)
from analysis.categories.models.letter_models import LetterModels
from analysis.structures.progress import progress_bar

#: Arguments of `ClarkClustering` that assign rare words to classes at the end, by class sizes and fully trained letter
#: models.
CLARK_ASSIGNED: dict[str, Any] = {
    "rare": "assigned", "class_shares": True, "letter_iterations": 10, "initialisation": "frequent", "max_passes": 50,
}  # fmt: skip


class ClarkClustering(ClassBigramModel):
    """Classes of words with similar contexts and spelling, as in Clark's program neyessenmorph.

    The exchange algorithm on F(g) + sum over word types of log P(letters of w | g(w)), where F is the log-likelihood of
    the class bigram model (see `ExchangeClustering`) and P(. | c) a letter hidden Markov model of class c, trained on
    its types. Spelling counts once per type, so it matters most for rare words. Letter models are fixed during a pass
    and updated by one step of expectation maximisation after it; the first pass is without them, since the initial
    classes are unrelated to spelling. Only words with more than 5 tokens are moved, from a random start; all others
    stay in one additional cluster. These are the defaults of the program; with the arguments `CLARK_ASSIGNED` rare
    words are assigned to classes at the end.

    Parameters
    ----------
    n_clusters : int
        C, without the class of rare words.
    min_count : int
        Words with fewer tokens are rare. The program moves words with more than 5.
    rare : {"one class", "assigned", "left out"}
        As in `ExchangeClustering`; ``"assigned"`` also uses the letter models.
    morphology : bool
        Whether to use letter models. Without them and without `class_shares`, this is the exchange algorithm.
    class_shares : bool
        Whether to add log a(g(w)) for each word type, where a(c) is the proportion of types in class c, updated after
        each pass. A class without words then stays empty. The program has no such term.
    letter_states : int
        States of each letter model; 5 in the program.
    letter_smoothing : float
        Added to each expected count of a letter model (not given in the papers available to us).
    letter_iterations : int
        Iterations of expectation maximisation after each pass, starting from the parameters of the previous pass; 1 in
        the program.
    initialisation : {"random", "frequent"}
        As in `ExchangeClustering`; random in the program.
    max_passes : int
        Maximum number of passes; 10 in the program.
    boundaries : {"symbol", "separate", "cross"}
        As in `ExchangeClustering`.
    progress : bool
        Whether to show a progress bar.
    random_state : int, Generator or None
        Seed of the initial parameters of the letter models and of random initialisation. Reichart et al. average ten
        runs.

    Attributes
    ----------
    clusters_ : DataFrame
        ``form``, ``cluster``, ``frequency``; in descending order of frequency. Cluster 0 has the most frequent word.
    trace_ : DataFrame
        One row per pass, as in `ExchangeClustering`, with ``prior``: the sum of the prior terms of the words after the
        pass, under the class sizes and letter models used in the pass, over the words assigned so far.
    moves_ : DataFrame
        As in `ExchangeClustering`; ``change`` includes the prior.
    letter_models_ : LetterModels or None
        The models after the last pass; model k belongs to cluster k.
    converged_ : bool
        Whether the last pass moved no word.
    n_clusters_, average_mutual_information_, objective_
        Number of non-empty clusters; mutual information of adjacent classes in bits; F in nats, without prior.

    References
    ----------
    Clark (2003), "Combining distributional and morphological information for part of speech induction", and the
    defaults of his program (5 states, cutoff 5, 10 iterations); Reichart, Abend & Rappoport (2010), section 5.1 (there
    Clark03).

    Examples
    --------
    >>> text = "the dog ran the cat ran a dog sat a cat sat".split()
    >>> tokens = pd.DataFrame({"sentence": np.repeat(range(4), 3), "form": text})
    >>> model = ClarkClustering(n_clusters=3, min_count=1, progress=False, random_state=0).fit(tokens)
    >>> len(model.predict(tokens)), model.letter_models_.letters[:3]
    (12, ['a', 'c', 'd'])
    """

    def __init__(
        self,
        n_clusters: int = 45,
        min_count: int = 6,
        rare: str = "one class",
        morphology: bool = True,
        class_shares: bool = False,
        letter_states: int = 5,
        letter_smoothing: float = 0.1,
        letter_iterations: int = 1,
        initialisation: str = "random",
        max_passes: int = 10,
        boundaries: str = "symbol",
        progress: bool = True,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.min_count = min_count
        self.rare = rare
        self.morphology = morphology
        self.class_shares = class_shares
        self.letter_states = letter_states
        self.letter_smoothing = letter_smoothing
        self.letter_iterations = letter_iterations
        self.initialisation = initialisation
        self.max_passes = max_passes
        self.boundaries = boundaries
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
        ClarkClustering
            The fitted model.

        Raises
        ------
        ValueError
            If the table lacks a column, a word or a token, no word reaches `min_count`, or a parameter is unknown.
        """
        if self.max_passes < 1 or self.letter_iterations < 1:
            raise ValueError("max_passes and letter_iterations must be at least 1.")
        pairs = prepare(tokens, self.n_clusters, self.min_count, self.rare, self.boundaries)
        random = np.random.default_rng(self.random_state)
        n_types, n_all = pairs.n_frequent, len(pairs.forms)
        search = Search(
            pairs, self.n_clusters, start_classes(pairs, self.n_clusters, self.initialisation, random), self.rare
        )
        letters = None
        if self.morphology:
            letters = LetterModels(pairs.forms, self.n_clusters, self.letter_states, self.letter_smoothing, random)
        prior = np.zeros((0, 0))
        rows: list[dict] = []
        every: list[tuple[np.ndarray, np.ndarray]] = []
        self.converged_ = False
        with progress_bar(self.max_passes, label="Clark clustering", unit="pass", shown=self.progress) as bar:
            while len(rows) < self.max_passes:
                every.append(search.one_pass(0, n_types, prior))
                self._note(search, rows, len(every[-1][0]), prior, n_types)
                bar.update()
                if letters is not None:
                    letters.train(search.classes[:n_types], self.letter_iterations)
                # after a first pass without moves the prior has not been applied yet
                if not len(every[-1][0]) and (len(rows) > 1 or not (self.morphology or self.class_shares)):
                    self.converged_ = True
                    break
                prior = self._prior(search, letters, 0, n_types)
        if self.rare == "assigned" and n_types < n_all:
            prior = self._prior(search, letters, 0, n_all)
            every.append(search.one_pass(n_types, n_all, prior, forced=True))
            self._note(search, rows, len(every[-1][0]), prior, n_all)
        self.trace_ = pd.DataFrame(rows)
        self.moves_ = moves_table(pairs, every)
        number = self._keep(pairs, search.classes, search.counts)
        if letters is not None:
            letters.keep([c for c in number if c < self.n_clusters])
        self.letter_models_ = letters
        return self

    def _prior(self, search: Search, letters: LetterModels | None, begin: int, end: int) -> np.ndarray:
        """Return the log prior of each type in each class; no rows if there is no prior."""
        if letters is None and not self.class_shares:
            return np.zeros((0, 0))
        prior = np.zeros((end - begin, self.n_clusters)) if letters is None else letters.log_probabilities(begin, end)
        if self.class_shares:
            types = np.bincount(search.classes[: search.pairs.n_frequent], minlength=self.n_clusters)
            with np.errstate(divide="ignore"):
                prior += np.log(types / types.sum())
        return np.ascontiguousarray(prior)

    @staticmethod
    def _note(search: Search, rows: list[dict], moves: int, prior: np.ndarray, placed: int) -> None:
        total = float(prior[np.arange(placed), search.classes[:placed]].sum()) if len(prior) else 0.0
        rows.append(trace_row(search, 1, len(rows) + 1, moves) | {"prior": total})
