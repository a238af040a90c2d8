"""Network of the character transducer: which action comes next, and the search for the best sequence of actions.

PyTorch is an optional dependency, so it is only imported when a network is built.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from analysis.inflection.models.edit_costs import Edit
from analysis.inflection.models.neural import load_torch

PAD, WORD_START, WORD_END = range(3)  # what the encoder reads before the letters
N_READ = 3
BEGIN, FINISH, COPY, DELETE = range(4)  # actions before those with a letter; BEGIN only precedes the first one
N_FIXED = 4
MAX_ACTIONS = 150


class Vocabulary(NamedTuple):
    """Codes of letters, feature tags and written letters.

    The code after the last letter, and that after the last tag, stand for what training did not show.

    Attributes
    ----------
    letters : dict of str to int
        Letters of the lemmas, from `N_READ` on.
    tags : dict of str to int
        From 1 on; 0 is padding.
    written : tuple of str
        Letters of the forms. For each there is an action that inserts it, then for each one that substitutes it.
    """

    letters: dict[str, int]
    tags: dict[str, int]
    written: tuple[str, ...]

    @property
    def n_actions(self) -> int:
        """Number of actions, with `BEGIN`."""
        return N_FIXED + 2 * len(self.written)

    def code(self, edit: Edit) -> int:
        """The code of an edit."""
        if edit.letter:
            place = self.written.index(edit.letter)
            return N_FIXED + place + (len(self.written) if edit.kind == "SUB" else 0)
        return {"END": FINISH, "COPY": COPY, "DEL": DELETE}[edit.kind]

    def edit(self, code: int) -> Edit:
        """The edit of a code other than `BEGIN`."""
        if code < N_FIXED:
            return Edit({FINISH: "END", COPY: "COPY", DELETE: "DEL"}[code])
        kind, place = divmod(code - N_FIXED, len(self.written))
        return Edit(("INS", "SUB")[kind], self.written[place])


class Reading(NamedTuple):
    """Input of the encoder, one row an item, padded with `PAD`.

    Attributes
    ----------
    symbols : ndarray of int64, shape (n_items, length)
        Start of the word, letters, end of the word.
    lengths : ndarray of int64, shape (n_items,)
        Numbers of letters.
    tags : ndarray of int64, shape (n_items, n_tags)
    """

    symbols: np.ndarray
    lengths: np.ndarray
    tags: np.ndarray


class Steps(NamedTuple):
    """Actions to learn, one row an item, padded with `BEGIN`.

    Attributes
    ----------
    places : ndarray of int64, shape (n_items, n_steps)
        Letters read before each action.
    before, actions : ndarray of int64, shape (n_items, n_steps)
        The previous action, and the action.
    """

    places: np.ndarray
    before: np.ndarray
    actions: np.ndarray


def split_tags(features: str) -> list[str]:
    """Split a feature set at ";", in its order.

    Examples
    --------
    >>> split_tags("V;PST"), split_tags("")
    (['V', 'PST'], [])
    """
    return [tag for tag in features.split(";") if tag]


def vocabulary(lemmas: Sequence[str], forms: Sequence[str], features: Sequence[str]) -> Vocabulary:
    """Encode the letters and tags of a training set in alphabetical order.

    Examples
    --------
    >>> known = vocabulary(["ab"], ["bc"], ["V;PST"])
    >>> known.letters, known.tags, known.n_actions
    ({'a': 3, 'b': 4}, {'PST': 1, 'V': 2}, 8)
    >>> known.code(Edit("SUB", "c")), known.edit(5)
    (7, Edit(kind='INS', letter='c'))
    """
    letters = sorted(set("".join(lemmas)))
    tags = sorted({tag for entry in features for tag in split_tags(entry)})
    return Vocabulary(
        {letter: N_READ + number for number, letter in enumerate(letters)},
        {tag: 1 + number for number, tag in enumerate(tags)},
        tuple(sorted(set("".join(forms)))),
    )


def reading(lemmas: Sequence[str], features: Sequence[str], known: Vocabulary) -> Reading:
    """Encode items for the encoder.

    Examples
    --------
    >>> read = reading(["ax", "b"], ["PST", "V;X"], vocabulary(["ab"], ["bc"], ["V;PST"]))
    >>> read.symbols.tolist(), read.lengths.tolist(), read.tags.tolist()
    ([[1, 3, 5, 2], [1, 4, 2, 0]], [2, 1], [[1, 0], [2, 3]])
    """
    strange, other = N_READ + len(known.letters), 1 + len(known.tags)
    symbols = [[WORD_START, *(known.letters.get(letter, strange) for letter in lemma), WORD_END] for lemma in lemmas]
    tags = [[known.tags.get(tag, other) for tag in split_tags(entry)] for entry in features]
    return Reading(_padded(symbols), np.array([len(lemma) for lemma in lemmas], dtype=np.int64), _padded(tags))


def steps(edits: Sequence[Sequence[Edit]], known: Vocabulary) -> Steps:
    """Encode edits as actions to learn.

    Examples
    --------
    >>> found = steps([[Edit("COPY"), Edit("INS", "c"), Edit("END")]], vocabulary(["ab"], ["bc"], [""]))
    >>> [part.tolist() for part in found]
    [[[0, 1, 1]], [[0, 2, 5]], [[2, 5, 1]]]
    """
    actions = [[known.code(edit) for edit in row] for row in edits]
    moves = [np.cumsum([0, *(edit.kind in ("COPY", "SUB", "DEL") for edit in row[:-1])]).tolist() for row in edits]
    return Steps(_padded(moves), _padded([[BEGIN, *row[:-1]] for row in actions]), _padded(actions))


def _padded(rows: list[list[int]]) -> np.ndarray:
    table = np.zeros((len(rows), max(map(len, rows), default=0)), dtype=np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table


def build_network(known: Vocabulary, *, embedding: int, hidden: int, feature_embedding: int) -> Any:
    """Build embeddings, encoder, decoder and output layer, with PyTorch's initial weights.

    The global generator of torch is used: call it under ``torch.random.fork_rng``.

    Returns
    -------
    torch.nn.ModuleDict
    """
    nn = load_torch().nn
    return nn.ModuleDict(
        {
            "letters": nn.Embedding(N_READ + len(known.letters), embedding, padding_idx=PAD),
            "tags": nn.Embedding(1 + len(known.tags), feature_embedding, padding_idx=0),
            "actions": nn.Embedding(known.n_actions, embedding),
            "encoder": nn.LSTM(embedding, hidden, batch_first=True, bidirectional=True),
            "decoder": nn.LSTM(2 * hidden + embedding + feature_embedding, hidden, batch_first=True),
            "output": nn.Linear(hidden, known.n_actions),
        }
    )


def _embed(table: Any, codes: np.ndarray, special: int) -> Any:
    """Embeddings of codes; the code after the last one has the mean of those from ``special`` on."""
    torch = load_torch()
    codes = torch.from_numpy(codes)
    weights, n = table.weight, table.num_embeddings
    if bool((codes >= n).any()):
        mean = weights[special:].mean(0, keepdim=True) if n > special else torch.zeros_like(weights[:1])
        return torch.nn.functional.embedding(codes, torch.cat([weights, mean]))
    return table(codes)


def encode(network: Any, read: Reading) -> tuple[Any, Any]:
    """Compute the states of the encoder, and the sum of the embeddings of the tags.

    Returns
    -------
    states : torch.Tensor, shape (n_items, longest lemma + 1, 2 hidden)
        At the place of each letter, and after the last letter that at the end of the word.
    tags : torch.Tensor, shape (n_items, feature_embedding)
    """
    torch = load_torch()
    rnn = torch.nn.utils.rnn
    packed = rnn.pack_padded_sequence(
        _embed(network["letters"], read.symbols, N_READ), torch.from_numpy(read.lengths + 2), batch_first=True,
        enforce_sorted=False,
    )  # fmt: skip
    states, _ = rnn.pad_packed_sequence(network["encoder"](packed)[0], batch_first=True)
    return states[:, 1:], _embed(network["tags"], read.tags, 1).sum(1)


def _may(known: Vocabulary, at_end: Any) -> Any:
    """Whether each action is allowed, shape (..., n_actions): at the end of the lemma only END and insertions."""
    torch = load_torch()
    reads = torch.zeros(known.n_actions, dtype=torch.bool)
    reads[[COPY, DELETE]] = True
    reads[N_FIXED + len(known.written) :] = True
    allowed = ~(reads & at_end[..., None])
    allowed[..., BEGIN] = False
    return allowed


def batch_loss(network: Any, read: Reading, wanted: Steps, known: Vocabulary) -> Any:
    """The mean over items of the mean over their actions of -log p(action), given the correct actions before.

    Returns
    -------
    torch.Tensor
        Scalar, nats.
    """
    torch = load_torch()
    states, tags = encode(network, read)
    places, actions = torch.from_numpy(wanted.places), torch.from_numpy(wanted.actions)
    at = states.gather(1, places[..., None].expand(-1, -1, states.shape[-1]))
    before = network["actions"](torch.from_numpy(wanted.before))
    inputs = torch.cat([at, before, tags[:, None].expand(-1, places.shape[1], -1)], dim=-1)
    logits = network["output"](network["decoder"](inputs)[0])
    allowed = _may(known, places >= torch.from_numpy(read.lengths)[:, None])
    scores = logits.masked_fill(~allowed, -torch.inf).log_softmax(-1).gather(-1, actions[..., None])[..., 0]
    real = actions != BEGIN
    return -(scores.masked_fill(~real, 0.0).sum(1) / real.sum(1)).mean()


class _Decoder:
    """What is needed to score the next actions of hypotheses of some items.

    The tensors have a row for each hypothesis; ``item`` says of which item it is one.
    """

    def __init__(self, network: Any, read: Reading, known: Vocabulary) -> None:
        torch = load_torch()
        self.network, self.known = network, known
        self.states, self.tags = encode(network, read)
        self.lengths = torch.from_numpy(read.lengths)
        n = len(read.lengths)
        self.item = torch.arange(n)
        self.place = torch.zeros(n, dtype=torch.int64)
        self.before = torch.full((n,), BEGIN)
        zeros = torch.zeros((1, n, network["decoder"].hidden_size))
        self.memory = (zeros, zeros)

    def scores(self) -> Any:
        """Log probabilities of the next actions, shape (n_hypotheses, n_actions); the memory moves on by a step."""
        torch = load_torch()
        parts = [self.states[self.item, self.place], self.network["actions"](self.before), self.tags[self.item]]
        outputs, self.memory = self.network["decoder"](torch.cat(parts, dim=-1)[:, None], self.memory)
        allowed = _may(self.known, self.place >= self.lengths[self.item])
        return self.network["output"](outputs[:, 0]).masked_fill(~allowed, -torch.inf).log_softmax(-1)

    def take(self, rows: Any, actions: Any) -> None:
        """Go on with some of the hypotheses, each with an action."""
        reads = (actions == COPY) | (actions == DELETE) | (actions >= N_FIXED + len(self.known.written))
        self.item, self.before = self.item[rows], actions
        self.place = self.place[rows] + reads
        self.memory = (self.memory[0][:, rows], self.memory[1][:, rows])


def greedy_search(
    network: Any, read: Reading, known: Vocabulary, max_actions: int = MAX_ACTIONS
) -> tuple[list[list[int]], np.ndarray]:
    """The most probable action at each step.

    Parameters
    ----------
    network : torch.nn.ModuleDict
    read : Reading
    known : Vocabulary
    max_actions : int
        Number of actions after which an item is left as it is.

    Returns
    -------
    actions : list of lists of int
    log_probability : ndarray of float64, shape (n_items,)
    """
    torch = load_torch()
    found: list[list[int]] = [[] for _ in read.lengths]
    totals = np.zeros(len(found))
    with torch.no_grad():
        decoder = _Decoder(network, read, known)
        for _ in range(max_actions):
            best, actions = decoder.scores().max(dim=-1)
            for item, action, score in zip(decoder.item.tolist(), actions.tolist(), best.tolist(), strict=True):
                found[item].append(action)
                totals[item] += score
            rows = torch.nonzero(actions != FINISH)[:, 0]
            if not len(rows):
                break
            decoder.take(rows, actions[rows])
    return found, totals


class _Best(NamedTuple):
    """The best hypothesis of an item so far: whether it has ended, its log probability, its actions."""

    ended: bool
    score: float
    actions: list[int]


def beam_search(
    network: Any, read: Reading, known: Vocabulary, width: int, max_actions: int = MAX_ACTIONS
) -> tuple[list[list[int]], np.ndarray]:
    """Find a probable sequence of actions of each item by beam search.

    At each step all allowed actions of all hypotheses are compared, and the best are kept. Each END among them is a
    finished hypothesis and makes the beam narrower by one. The finished one with the highest log probability wins;
    its length counts for nothing. If none is finished, the best unfinished one wins.

    Parameters
    ----------
    network, read, known, max_actions
        As for `greedy_search`.
    width : int
        Number of hypotheses; 1 is greedy decoding.

    Returns
    -------
    actions : list of lists of int
    log_probability : ndarray of float64, shape (n_items,)
    """
    torch = load_torch()
    best: dict[int, _Best] = {}
    with torch.no_grad():
        decoder = _Decoder(network, read, known)
        totals = torch.zeros(len(read.lengths), dtype=torch.float64)
        histories: list[list[int]] = [[] for _ in read.lengths]
        left = [width] * len(read.lengths)
        for _ in range(max_actions):
            scores = totals[:, None] + decoder.scores()
            rows, actions = _expanded(scores, decoder.item.tolist(), left)
            chosen = scores[rows, actions].tolist()
            going: list[int] = []
            longer = []
            items = decoder.item[rows].tolist()
            for number, (row, action) in enumerate(zip(rows.tolist(), actions.tolist(), strict=True)):
                history, item, score = [*histories[row], action], items[number], chosen[number]
                if action != FINISH:
                    going.append(number)
                    longer.append(history)
                    continue
                left[item] -= 1
                if item not in best or score > best[item].score:
                    best[item] = _Best(True, score, history)
            # a hypothesis that is no better than a finished one, and one beyond the width, can never win
            kept = [
                place
                for place, number in enumerate(going)
                if left[items[number]] and (items[number] not in best or chosen[number] > best[items[number]].score)
            ]
            if not kept:
                break
            numbers = torch.tensor([going[place] for place in kept])
            histories = [longer[place] for place in kept]
            totals = scores[rows, actions][numbers]
            decoder.take(rows[numbers], actions[numbers])
        for item, total, history in zip(decoder.item.tolist(), totals.tolist(), histories, strict=True):
            if item not in best or (not best[item].ended and total > best[item].score):
                best[item] = _Best(False, total, history)
    found = [best[item] for item in range(len(read.lengths))]
    return [one.actions for one in found], np.array([one.score for one in found])


def _expanded(scores: Any, items: list[int], left: list[int]) -> tuple[Any, Any]:
    """The best hypotheses and actions of each item, as many as its beam is wide; ties: the first hypothesis, action."""
    torch = load_torch()
    n_actions = scores.shape[1]
    rows: list[Any] = []
    actions: list[Any] = []
    starts = [place for place, item in enumerate(items) if not place or items[place - 1] != item]
    for start, stop in zip(starts, [*starts[1:], len(items)], strict=True):
        flat = scores[start:stop].reshape(-1)
        order = flat.sort(descending=True, stable=True)[1][: left[items[start]]]
        order = order[flat[order] > -torch.inf]
        rows.append(start + order // n_actions)
        actions.append(order % n_actions)
    return torch.cat(rows), torch.cat(actions)


def as_arrays(network: Any) -> dict[str, np.ndarray]:
    """The weights of a network by name, as copies."""
    return {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}


def load_arrays(network: Any, weights: Mapping[str, np.ndarray]) -> None:
    """Give a network the weights of `as_arrays`."""
    torch = load_torch()
    network.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
