"""CHR-TRM: a character transformer from lemmas to forms (Wu, Cotterell & Hulden 2021)."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.inflection.models.character_network import (
    PAD,
    alphabet,
    beam_search,
    build_network,
    encode,
    next_symbols,
    source,
    spelt,
    target,
)
from analysis.inflection.models.neural import NeuralInflection, load_torch, one_thread, own_randomness
from analysis.structures.progress import progress_bar
from analysis.structures.source import source_digest
from analysis.structures.writing import write_whole

_TOGETHER = 256  # number of items decoded at a time
_NO_PART_OF_TRAINING = ("max_updates", "beam_width", "extra_length", "checkpoint", "progress")


class CharacterTransformer(NeuralInflection):
    """Encoder-decoder transformer over letters, with feature-invariant positions.

    The encoder reads the feature tags, all at position 0 and marked as tags, then the letters of the lemma, which count
    from 1: neither the number of tags nor their order changes the position of a letter. The defaults are the published
    settings for small data (after Wu, Cotterell & Hulden 2021). A batch is never larger than the training set. The
    model always uses one thread, so a seed gives the same model on the same machine.

    Needs PyTorch: ``pip install 'language-yardstick[neural]'``.

    Parameters
    ----------
    layers : int
        Number of layers of the encoder, and of the decoder.
    heads : int
    embedding, feed_forward : int
        Size of the states and of the inner layer of a block.
    dropout : float
    norm_first : bool
        Whether to normalise before instead of after each part of a block (not stated in the paper).
    learning_rate : float
        Maximum learning rate, reached after ``warm_up`` updates; then it decreases with the inverse square root of
        their number.
    warm_up : int
    betas : (float, float)
        Parameters of Adam.
    label_smoothing : float
    batch_size : int
        Number of items per update.
    max_updates : int
        Total number of updates.
    evaluate_every : int
        Number of updates between evaluations on the tuning items, when the checkpoint is also written.
    beam_width : int
        Number of hypotheses kept in decoding; 1 is greedy.
    extra_length : int
        Maximum number of letters by which a form may exceed its lemma.
    checkpoint : path, optional
        File from which an interrupted training on the same items with the same parameters is resumed; the file of
        another training is refused.
    progress : bool
    random_state : int
        Seed of the initial weights, of the batches and of dropout; torch's global generator is not changed.

    Attributes
    ----------
    updates_ : int
        Number of updates; fewer than ``max_updates`` if the user interrupted.
    losses_ : ndarray of float64, shape (updates_,)
        Cross entropy with label smoothing, nats per letter, of the batch of each update.
    tuning_ : DataFrame
        ``update``, ``right``, ``n``: exact matches on the tuning items with greedy decoding.
    chosen_update_ : int
        Update whose model was kept: the first with the most correct tuning items, or the last one without such items.
    n_items_ : int

    References
    ----------
    Wu, Cotterell & Hulden (2021), "Applying the Transformer to Character-level Transduction"; Kodner et al. (2023),
    section 3.3 (there CHR-TRM).

    Examples
    --------
    >>> CharacterTransformer(layers=1).get_params()["heads"]
    4
    """

    def __init__(
        self,
        layers: int = 4,
        heads: int = 4,
        embedding: int = 256,
        feed_forward: int = 1024,
        dropout: float = 0.3,
        norm_first: bool = True,
        learning_rate: float = 0.001,
        warm_up: int = 4000,
        betas: tuple[float, float] = (0.9, 0.98),
        label_smoothing: float = 0.1,
        batch_size: int = 400,
        max_updates: int = 20_000,
        evaluate_every: int = 100,
        beam_width: int = 1,
        extra_length: int = 20,
        checkpoint: str | Path | None = None,
        progress: bool = True,
        random_state: int = 0,
    ) -> None:
        self.layers = layers
        self.heads = heads
        self.embedding = embedding
        self.feed_forward = feed_forward
        self.dropout = dropout
        self.norm_first = norm_first
        self.learning_rate = learning_rate
        self.warm_up = warm_up
        self.betas = betas
        self.label_smoothing = label_smoothing
        self.batch_size = batch_size
        self.max_updates = max_updates
        self.evaluate_every = evaluate_every
        self.beam_width = beam_width
        self.extra_length = extra_length
        self.checkpoint = checkpoint
        self.progress = progress
        self.random_state = random_state

    def _check_parameters(self) -> None:
        for name in ("layers", "heads", "embedding", "feed_forward", "warm_up", "batch_size", "max_updates",
                     "evaluate_every", "beam_width"):  # fmt: skip
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1.")
        if self.embedding % self.heads or self.embedding % 2:
            raise ValueError(f"embedding is {self.embedding}; it must be even and a multiple of heads ({self.heads}).")
        for name in ("dropout", "label_smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be from 0 to below 1.")

    def _fit(self, lemmas: list[str], forms: list[str], features: list[str]) -> None:
        torch = load_torch()
        self._alphabet = alphabet(lemmas, forms, features)
        print_of_data = self._fingerprint(lemmas, forms, features)
        with own_randomness(self.random_state):
            self._network = build_network(
                self._alphabet, layers=self.layers, heads=self.heads, embedding=self.embedding,
                feed_forward=self.feed_forward, dropout=self.dropout, norm_first=self.norm_first,
            )  # fmt: skip
            optimiser = torch.optim.Adam(self._network.parameters(), lr=self.learning_rate, betas=self.betas)
            state = self._start(torch, optimiser, print_of_data)
            with progress_bar(
                self.max_updates, label="training", shown=self.progress, initial=len(state.losses)
            ) as bar:
                try:
                    self._train(torch, optimiser, state, (lemmas, forms, features), print_of_data, bar)
                except KeyboardInterrupt:
                    if not state.losses:
                        raise
        self.updates_, self.chosen_update_ = len(state.losses), len(state.losses)
        self.losses_ = np.array(state.losses)
        self.tuning_ = pd.DataFrame(state.tuning, columns=["update", "right", "n"], dtype="int64")
        if state.best is not None:
            self._network.load_state_dict(state.best)
            self.chosen_update_ = int(self.tuning_["update"].iloc[self.tuning_["right"].argmax()])
        self._network.eval()

    def _start(self, torch: Any, optimiser: Any, print_of_data: str) -> "_Training":
        """Resume training from the checkpoint, or start from the beginning."""
        path = Path(self.checkpoint) if self.checkpoint is not None else None
        if path is None or not path.exists():
            return _Training(np.random.default_rng(self.random_state))
        kept = torch.load(path, weights_only=True)
        if kept["fingerprint"] != print_of_data:
            raise ValueError(
                f"{path} is the checkpoint of a training on other items or with other parameters; "
                "name another file or delete it."
            )
        self._network.load_state_dict(kept["network"])
        optimiser.load_state_dict(kept["optimiser"])
        torch.set_rng_state(kept["randomness"])
        state = _Training(np.random.default_rng(self.random_state))
        state.generator.bit_generator.state = json.loads(kept["batches"])
        state.queue = kept["queue"].numpy()
        state.losses, state.tuning, state.best = kept["losses"], [tuple(row) for row in kept["tuning"]], kept["best"]
        return state

    def _train(
        self,
        torch: Any,
        optimiser: Any,
        state: "_Training",
        items: tuple[list[str], list[str], list[str]],
        print_of_data: str,
        bar: Any,
    ) -> None:
        lemmas, forms, features = items
        read, wanted = source(lemmas, features, self._alphabet), target(forms, self._alphabet)
        self._network.train()
        while len(state.losses) < self.max_updates:
            chosen = state.next_batch(len(lemmas), self.batch_size)
            update = len(state.losses) + 1
            for group in optimiser.param_groups:
                group["lr"] = self.learning_rate * min(update / self.warm_up, (self.warm_up / update) ** 0.5)
            batch = type(read)(read.symbols[chosen], read.positions[chosen])
            answer = torch.from_numpy(wanted[chosen])
            states, padding = encode(self._network, batch)
            logits = next_symbols(self._network, states, padding, answer[:, :-1])
            loss = torch.nn.functional.cross_entropy(
                logits.flatten(0, 1), answer[:, 1:].flatten(), ignore_index=PAD, label_smoothing=self.label_smoothing
            )
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            state.losses.append(float(loss.detach()))
            bar.update(1)
            bar.set_postfix_str(f"loss {state.losses[-1]:.3f}", refresh=False)
            if update % self.evaluate_every == 0 or update == self.max_updates:
                self._evaluate(state, update)
                self._write_checkpoint(torch, optimiser, state, print_of_data)

    def _evaluate(self, state: "_Training", update: int) -> None:
        if self._tuning_set is None or (state.tuning and state.tuning[-1][0] == update):
            return
        self._network.eval()
        right, n = self._right_in_tuning()
        if all(right > before for _, before, _ in state.tuning):
            state.best = {name: value.clone() for name, value in self._network.state_dict().items()}
        state.tuning.append((update, right, n))
        self._network.train()

    def _write_checkpoint(self, torch: Any, optimiser: Any, state: "_Training", print_of_data: str) -> None:
        if self.checkpoint is None:
            return
        checkpoint = {
            "fingerprint": print_of_data,
            "network": self._network.state_dict(),
            "optimiser": optimiser.state_dict(),
            "randomness": torch.get_rng_state(),
            "batches": json.dumps(state.generator.bit_generator.state),
            "queue": torch.from_numpy(state.queue),
            "losses": state.losses,
            "tuning": [list(row) for row in state.tuning],
            "best": state.best,
        }
        write_whole(self.checkpoint, lambda stream: torch.save(checkpoint, stream))

    def _fingerprint(self, *columns: list[str]) -> str:
        """Compute a fingerprint of the items and of all parameters that affect training."""
        parameters = {name: value for name, value in self.get_params().items() if name not in _NO_PART_OF_TRAINING}
        tuning = None if self._tuning_set is None else self._tuning_set[["lemma", "form"]].astype("str").values.tolist()
        text = json.dumps([source_digest(type(self)), parameters, columns, tuning], ensure_ascii=False, default=str)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()

    def _decode(self, lemmas: Sequence[str], features: Sequence[str], width: int) -> tuple[list[str], np.ndarray]:
        forms: list[str] = []
        scores = []
        with one_thread():
            for first in range(0, len(lemmas), _TOGETHER):
                here = slice(first, first + _TOGETHER)
                read = source(lemmas[here], features[here], self._alphabet)
                limits = np.array([len(lemma) + self.extra_length for lemma in lemmas[here]])
                found, probabilities = beam_search(self._network, read, limits, width)
                forms += [spelt(symbols, self._alphabet) for symbols in found]
                scores.append(probabilities)
        return forms, np.concatenate(scores)


class _Training:
    """State of a training run: losses, tuning scores, the best network, remaining items of the current pass."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator
        self.queue = np.empty(0, dtype=np.int64)
        self.losses: list[float] = []
        self.tuning: list[tuple[int, int, int]] = []
        self.best: dict[str, Any] | None = None

    def next_batch(self, n_items: int, batch_size: int) -> np.ndarray:
        """Return the items of the next update; each pass uses every item once, in random order."""
        if not len(self.queue):
            self.queue = self.generator.permutation(n_items)
        batch, self.queue = self.queue[:batch_size], self.queue[batch_size:]
        return batch
