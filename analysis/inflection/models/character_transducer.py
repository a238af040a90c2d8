"""CLUZH-GR and CLUZH-B4: a character transducer that edits the lemma (Wehrli, Clematide & Makarov 2022)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.inflection.models.edit_costs import Edit, apply_edits, cheapest_edits, learn_edit_costs
from analysis.inflection.models.neural import NeuralInflection, load_torch, one_thread, own_randomness
from analysis.inflection.models.transducer_network import (
    Reading,
    Steps,
    as_arrays,
    batch_loss,
    beam_search,
    build_network,
    greedy_search,
    load_arrays,
    reading,
    steps,
    vocabulary,
)
from analysis.structures.progress import progress_bar

_TOGETHER = 256  # number of items decoded at a time


class CharacterTransducer(NeuralInflection):
    """A neural transducer: it copies, substitutes, deletes and inserts letters from left to right, then ends.

    The actions to learn are those of one cheapest way from lemma to form, by a stochastic edit distance that is learnt
    from the training pairs. A bidirectional LSTM reads the lemma; an LSTM reads, at each step, the state at the next
    letter of the lemma, the previous action and the features, and chooses the next action. A beam of 1 is CLUZH-GR, a
    beam of 4 is CLUZH-B4: they differ in decoding only, so `set_params(beam_width=4)` makes one of the other.

    The defaults are those of the authors' program (after Wehrli, Clematide & Makarov 2022): Kodner et al. (2023) do not
    state the settings they used, and the program has no default for ``feature_embedding``. It breaks ties between
    equally cheap edits by an order that is not fixed; here COPY and SUB come first, then INS, then DEL. Training is by
    teacher forcing; the roll-in of the team's earlier programs is left out. The model uses one thread, so a seed gives
    the same model on the same machine.

    Needs PyTorch: ``pip install 'language-yardstick[neural]'``.

    Parameters
    ----------
    embedding, feature_embedding : int
        Size of the embeddings of a letter or an action, and of a feature tag.
    hidden : int
        Size of the states of the decoder, and of the encoder in each direction.
    em_iterations : int
        Passes over the training pairs that learn the stochastic edit distance.
    keep_old : bool
        Whether each of these passes adds the old weights to the expected counts.
    learning_rate, rho, epsilon : float
        Parameters of Adadelta.
    batch_size : int
        Number of items per update.
    max_epochs : int
        Maximum number of passes over the training items.
    patience : int
        Number of passes without more correct tuning items after which training stops.
    beam_width : int
        Number of hypotheses in decoding; 1 is greedy.
    progress : bool
    random_state : int
        Seed of the initial weights and of the batches; torch's global generator is not changed.

    Attributes
    ----------
    losses_ : ndarray of float64, shape (epochs,)
        Mean loss of the batches of each pass: nats per action.
    tuning_ : DataFrame
        ``epoch``, ``right``, ``n``: exact matches on the tuning items with greedy decoding.
    chosen_epoch_ : int
        The pass whose model was kept: the first with the most correct tuning items, or the last without such items.
    edits_ : dict of str to int
        How often each kind of edit occurs in the actions to learn.
    weights_ : dict of str to ndarray of float32
        The weights of the network.
    n_items_ : int

    References
    ----------
    Wehrli, Clematide & Makarov (2022), "CLUZH at SIGMORPHON 2022 Shared Tasks"; Makarov & Clematide (2018), "Imitation
    Learning for Neural Morphological String Transduction"; Kodner et al. (2023), section "Models".

    Examples
    --------
    >>> CharacterTransducer(beam_width=4).get_params()["hidden"]
    200
    """

    def __init__(
        self,
        embedding: int = 100,
        feature_embedding: int = 20,
        hidden: int = 200,
        em_iterations: int = 10,
        keep_old: bool = True,
        learning_rate: float = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        batch_size: int = 5,
        max_epochs: int = 60,
        patience: int = 12,
        beam_width: int = 1,
        progress: bool = True,
        random_state: int = 0,
    ) -> None:
        self.embedding = embedding
        self.feature_embedding = feature_embedding
        self.hidden = hidden
        self.em_iterations = em_iterations
        self.keep_old = keep_old
        self.learning_rate = learning_rate
        self.rho = rho
        self.epsilon = epsilon
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.patience = patience
        self.beam_width = beam_width
        self.progress = progress
        self.random_state = random_state

    def state(self) -> dict[str, Any]:
        """What a saved model consists of: the weights and all else that was learnt, but not PyTorch's network."""
        return {name: value for name, value in vars(self).items() if name != "_network"}

    def _check_parameters(self) -> None:
        for name in ("embedding", "feature_embedding", "hidden", "batch_size", "max_epochs", "patience", "beam_width"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1.")
        if self.em_iterations < 0:
            raise ValueError(f"em_iterations is {self.em_iterations}; it must be at least 0.")
        if not (self.learning_rate > 0 and self.epsilon > 0 and 0 <= self.rho < 1):
            raise ValueError("learning_rate and epsilon must be above 0, and rho from 0 to below 1.")

    def _fit(self, lemmas: list[str], forms: list[str], features: list[str]) -> None:
        load_torch()
        costs = learn_edit_costs(lemmas, forms, self.em_iterations, self.keep_old)
        edits = cheapest_edits(lemmas, forms, costs)
        self.edits_ = _kinds(edits)
        self._vocabulary = vocabulary(lemmas, forms, features)
        vars(self).pop("weights_", None)
        self._network = None
        with own_randomness(self.random_state):
            network = self._built()
            losses, tuning = self._train(network, lemmas, features, edits)
        self.losses_ = np.array(losses)
        self.tuning_ = pd.DataFrame(tuning, columns=["epoch", "right", "n"], dtype="int64")
        self.chosen_epoch_ = int(self.tuning_["epoch"].iloc[self.tuning_["right"].argmax()]) if tuning else len(losses)

    def _train(
        self, network: Any, lemmas: list[str], features: list[str], edits: list[list[Edit]]
    ) -> tuple[list[float], list[tuple[int, int, int]]]:
        """Train the network and keep its best weights; the loss of each pass, and the tuning items after it."""
        torch = load_torch()
        optimiser = torch.optim.Adadelta(
            network.parameters(), lr=self.learning_rate, rho=self.rho, eps=self.epsilon
        )  # fmt: skip
        read, wanted = reading(lemmas, features, self._vocabulary), steps(edits, self._vocabulary)
        generator = np.random.default_rng(self.random_state)
        losses: list[float] = []
        tuning: list[tuple[int, int, int]] = []
        best = -1
        with progress_bar(self.max_epochs, label="training", shown=self.progress) as bar:
            for epoch in range(1, self.max_epochs + 1):
                order = generator.permutation(len(lemmas))
                batches = [order[first : first + self.batch_size] for first in range(0, len(order), self.batch_size)]
                found = [self._update(network, optimiser, read, wanted, rows) for rows in batches]
                losses.append(float(np.mean(found)))
                bar.update(1)
                bar.set_postfix_str(f"loss {losses[-1]:.3f}", refresh=False)
                if self._tuning_set is None:
                    continue
                tuning.append((epoch, *self._right_in_tuning()))
                if tuning[-1][1] > best:
                    best, self.weights_ = tuning[-1][1], as_arrays(network)
                    chosen = epoch
                elif epoch - chosen >= self.patience:
                    break
        if self._tuning_set is None:
            self.weights_ = as_arrays(network)
        load_arrays(network, self.weights_)
        return losses, tuning

    def _update(self, network: Any, optimiser: Any, read: Reading, wanted: Steps, rows: np.ndarray) -> float:
        optimiser.zero_grad()
        loss = batch_loss(network, _rows(read, rows), _rows(wanted, rows), self._vocabulary)
        loss.backward()
        optimiser.step()
        return float(loss.detach())

    def _built(self) -> Any:
        """The network, built again if the model was loaded."""
        if getattr(self, "_network", None) is None:
            self._network = build_network(
                self._vocabulary, embedding=self.embedding, hidden=self.hidden,
                feature_embedding=self.feature_embedding,
            )  # fmt: skip
            if hasattr(self, "weights_"):
                load_arrays(self._network, self.weights_)
        return self._network

    def _decode(self, lemmas: Sequence[str], features: Sequence[str], width: int) -> tuple[list[str], np.ndarray]:
        forms: list[str] = []
        scores = []
        with one_thread():
            network = self._built()
            for first in range(0, len(lemmas), _TOGETHER):
                here = slice(first, first + _TOGETHER)
                read = reading(lemmas[here], features[here], self._vocabulary)
                if width == 1:
                    actions, found = greedy_search(network, read, self._vocabulary)
                else:
                    actions, found = beam_search(network, read, self._vocabulary, width)
                forms += [apply_edits(lemma, [self._vocabulary.edit(code) for code in row])
                          for lemma, row in zip(lemmas[here], actions, strict=True)]  # fmt: skip
                scores.append(found)
        return forms, np.concatenate(scores)


def _rows(table: Any, rows: np.ndarray) -> Any:
    """Some rows of a `Reading` or of `Steps`, without the columns that none of them needs."""
    if isinstance(table, Steps):
        length = int((table.actions[rows] > 0).sum(axis=1).max())
        return Steps(*(part[rows, :length] for part in table))
    length = int(table.lengths[rows].max()) + 2
    return Reading(table.symbols[rows, :length], table.lengths[rows], table.tags[rows])


def _kinds(edits: Sequence[Sequence[Edit]]) -> dict[str, int]:
    counts = dict.fromkeys(("COPY", "SUB", "INS", "DEL", "END"), 0)
    for row in edits:
        for edit in row:
            counts[edit.kind] += 1
    return counts
