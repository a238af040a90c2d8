"""Network of the character transformer: layers, scores, and beam search.

PyTorch is an optional dependency, so it is only imported when a network is built.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from analysis.inflection.models.neural import load_torch

PAD, START, END, UNKNOWN = range(4)
SPECIAL = 4  # symbols before the first letter


class Alphabet(NamedTuple):
    """Codes of letters and of feature tags; unseen ones are `UNKNOWN`.

    Attributes
    ----------
    letters, tags : dict
        Letters from `SPECIAL` on, then the tags.
    """

    letters: dict[str, int]
    tags: dict[str, int]

    @property
    def n_letters(self) -> int:
        """Number of output symbols: special ones and letters."""
        return SPECIAL + len(self.letters)

    @property
    def n_symbols(self) -> int:
        """Number of input symbols: output symbols and tags."""
        return self.n_letters + len(self.tags)


class Source(NamedTuple):
    """Input of the encoder, one row per item, padded: tags, then letters, then the end symbol.

    Attributes
    ----------
    symbols : ndarray of int64, shape (n_items, length)
    positions : ndarray of int64, shape (n_items, length)
        0 for every tag, so that their order has no effect; letters count from 1.
    """

    symbols: np.ndarray
    positions: np.ndarray


def split_features(features: str) -> list[str]:
    """Split a feature set into sorted tags.

    Examples
    --------
    >>> split_features("V;PST;IND"), split_features("")
    (['IND', 'PST', 'V'], [])
    """
    return sorted({tag for tag in features.split(";") if tag})


def alphabet(lemmas: Sequence[str], forms: Sequence[str], features: Sequence[str]) -> Alphabet:
    """Encode the letters and tags of a training set in alphabetical order.

    Examples
    --------
    >>> alphabet(["ab"], ["abc"], ["V;PST"])
    Alphabet(letters={'a': 4, 'b': 5, 'c': 6}, tags={'PST': 7, 'V': 8})
    """
    letters = sorted(set("".join(lemmas)) | set("".join(forms)))
    tags = sorted({tag for entry in features for tag in split_features(entry)})
    return Alphabet(
        {letter: SPECIAL + number for number, letter in enumerate(letters)},
        {tag: SPECIAL + len(letters) + number for number, tag in enumerate(tags)},
    )


def source(lemmas: Sequence[str], features: Sequence[str], known: Alphabet) -> Source:
    """Encode items for the encoder.

    Examples
    --------
    >>> known = alphabet(["ab"], ["abc"], ["PST"])
    >>> read = source(["ax", "b"], ["PST", ""], known)
    >>> read.symbols.tolist(), read.positions.tolist()
    ([[7, 4, 3, 2], [5, 2, 0, 0]], [[0, 1, 2, 3], [1, 2, 0, 0]])
    """
    rows = []
    for lemma, entry in zip(lemmas, features, strict=True):
        tags = [known.tags.get(tag, UNKNOWN) for tag in split_features(entry)]
        letters = [known.letters.get(letter, UNKNOWN) for letter in lemma]
        rows.append(([*tags, *letters, END], [*[0] * len(tags), *range(1, len(letters) + 2)]))
    return Source(_padded([symbols for symbols, _ in rows]), _padded([positions for _, positions in rows]))


def target(forms: Sequence[str], known: Alphabet) -> np.ndarray:
    """Encode forms for the decoder, padded: start, letters, end.

    Examples
    --------
    >>> target(["ab", "c"], alphabet(["ab"], ["abc"], [""])).tolist()
    [[1, 4, 5, 2], [1, 6, 2, 0]]
    """
    return _padded([[START, *(known.letters.get(letter, UNKNOWN) for letter in form), END] for form in forms])


def spelt(symbols: Sequence[int], known: Alphabet) -> str:
    """Decode letters up to the end symbol; `UNKNOWN` is never written.

    Examples
    --------
    >>> spelt([4, 5, 2, 5], alphabet(["ab"], ["abc"], [""]))
    'ab'
    """
    letters = list(known.letters)
    written = []
    for symbol in symbols:
        if symbol in (END, PAD):
            break
        written.append(letters[symbol - SPECIAL])
    return "".join(written)


def _padded(rows: list[list[int]]) -> np.ndarray:
    table = np.full((len(rows), max(map(len, rows))), PAD, dtype=np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table


def build_network(
    known: Alphabet, *, layers: int, heads: int, embedding: int, feed_forward: int, dropout: float, norm_first: bool
) -> Any:
    """Build embeddings, encoder, decoder and output layer, with Glorot uniform initialisation of matrices.

    The global generator of torch is used: call it under ``torch.random.fork_rng``.

    Returns
    -------
    torch.nn.ModuleDict
    """
    nn = load_torch().nn
    block = {
        "d_model": embedding,
        "nhead": heads,
        "dim_feedforward": feed_forward,
        "dropout": dropout,
        "batch_first": True,
        "norm_first": norm_first,
    }
    last = {"norm": nn.LayerNorm(embedding)} if norm_first else {}
    network = nn.ModuleDict(
        {
            "read": nn.Embedding(known.n_symbols, embedding, padding_idx=PAD),
            "kind": nn.Embedding(2, embedding),  # letter, or tag
            "write": nn.Embedding(known.n_letters, embedding, padding_idx=PAD),
            "dropout": nn.Dropout(dropout),
            "encoder": nn.TransformerEncoder(
                nn.TransformerEncoderLayer(**block), layers, enable_nested_tensor=False, **last
            ),
            "decoder": nn.TransformerDecoder(nn.TransformerDecoderLayer(**block), layers, **last),
            "output": nn.Linear(embedding, known.n_letters),
        }
    )
    for parameter in network.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
    return network


def encode(network: Any, read: Source) -> tuple[Any, Any]:
    """Compute the states of the encoder, and the padding mask.

    Returns
    -------
    states : torch.Tensor, shape (n_items, length, embedding)
    padding : torch.Tensor of bool, shape (n_items, length)
    """
    torch = load_torch()
    symbols, positions = torch.from_numpy(read.symbols), torch.from_numpy(read.positions)
    padding = symbols == PAD
    embedded = network["read"](symbols) * network["read"].embedding_dim ** 0.5
    is_tag = (positions == 0) & ~padding
    embedded = embedded + network["kind"](is_tag.long()) + _waves(positions, embedded.shape[-1])
    return network["encoder"](network["dropout"](embedded), src_key_padding_mask=padding), padding


def next_symbols(network: Any, states: Any, padding: Any, written: Any) -> Any:
    """Compute the scores of every symbol after each written symbol.

    Returns
    -------
    torch.Tensor, shape (n_items, n_written, n_letters)
        Logits.
    """
    torch = load_torch()
    length = written.shape[1]
    embedded = network["write"](written) * network["write"].embedding_dim ** 0.5
    embedded = embedded + _waves(torch.arange(length)[None, :], embedded.shape[-1])
    later = torch.ones((length, length), dtype=torch.bool).triu(1)
    decoded = network["decoder"](network["dropout"](embedded), states, tgt_mask=later, memory_key_padding_mask=padding)
    return network["output"](decoded)


def _waves(positions: Any, width: int) -> Any:
    """Compute sinusoidal position encodings (Vaswani et al. 2017)."""
    torch = load_torch()
    rates = torch.exp(torch.arange(0, width, 2) * (-np.log(10_000.0) / width))
    angles = positions[..., None] * rates
    return torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1)


def beam_search(network: Any, read: Source, limits: np.ndarray, width: int) -> tuple[list[list[int]], np.ndarray]:
    """Find the most probable form of each item by beam search; a beam of 1 is greedy decoding.

    Parameters
    ----------
    network : torch.nn.ModuleDict
        In evaluation mode.
    read : Source
    limits : ndarray of int64, shape (n_items,)
        Maximum number of symbols of a form.
    width : int
        Number of hypotheses kept; ties go to the better prefix, then to the smaller symbol.

    Returns
    -------
    forms : list of lists of int
        Symbols without start and end.
    log_probability : ndarray of float64, shape (n_items,)
    """
    torch = load_torch()
    n, blocked = len(read.symbols), torch.tensor([PAD, START, UNKNOWN])
    with torch.no_grad():
        states, padding = encode(network, read)
        states, padding = states.repeat_interleave(width, 0), padding.repeat_interleave(width, 0)
        written = torch.full((n * width, 1), START)
        scores = torch.full((n, width), -torch.inf)
        scores[:, 0] = 0.0
        ended = torch.zeros((n, width), dtype=torch.bool)
        most = torch.from_numpy(limits)
        for step in range(int(limits.max()) + 1):
            logits = next_symbols(network, states, padding, written)[:, -1]
            found = torch.log_softmax(logits, dim=-1)
            found[:, blocked] = -torch.inf
            found = found.view(n, width, -1)
            full = (most <= step)[:, None] & ~ended
            end = found[..., END].clone()
            found[ended | full] = -torch.inf
            found[..., END] = torch.where(full, end, found[..., END])
            found[..., PAD] = torch.where(ended, 0.0, found[..., PAD])
            n_symbols = found.shape[-1]
            scores, chosen = (scores[..., None] + found).view(n, -1).sort(dim=1, descending=True, stable=True)
            scores, chosen = scores[:, :width], chosen[:, :width]
            parent, symbol = chosen // n_symbols, chosen % n_symbols
            rows = (torch.arange(n)[:, None] * width + parent).view(-1)
            written = torch.cat([written[rows], symbol.reshape(-1, 1)], dim=1)
            ended = ended.gather(1, parent) | (symbol == END)
            if bool(ended[:, 0].all()):  # the best hypothesis has ended, and the others cannot improve
                break
        best = written.view(n, width, -1)[:, 0, 1:].tolist()
    forms = [[symbol for symbol in row if symbol not in (END, PAD)] for row in best]
    return forms, scores[:, 0].double().numpy()
