"""Draw utterances of the built-in language with their gold annotation."""

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.corpora.language.grammar import RULES, Grammar, load_grammar
from analysis.structures.labels import word_codes

#: The tables of `Generated`.
TABLES = ("tokens", "nodes", "dependencies")

RandomState = int | np.random.Generator | None

#: Utterances per block; each block has its own random stream, so the result does not depend on the threads.
BLOCK = 2_048


@dataclass(frozen=True)
class Generated:
    """Utterances with their gold annotation.

    Attributes
    ----------
    tokens : DataFrame
        One row per word: ``sentence`` (from 0), ``position`` (from 1), ``form``, ``lemma``, ``fine``, ``coarse``,
        ``universal``, ``category``, ``head`` (0 = root), ``relation``.
    nodes : DataFrame
        One row per node of a derivation: ``sentence``, ``node`` (in preorder, from 0), ``parent`` (-1 = none),
        ``category``, ``rule`` (``lex`` is a leaf, ``unary`` a type change), ``start``, ``end`` (words start + 1 to end:
        from 0, the end not included), ``head_daughter`` (0 = left or only, 1 = right, -1 = leaf).
    dependencies : DataFrame
        One row per predicate-argument dependency: ``sentence``, ``functor`` (position), ``category`` of the functor,
        ``slot`` (arguments from the innermost outwards, a modifier X|X counted once), ``spine_slot`` (the arguments of
        a modifier's result counted too), ``argument`` (position), ``range`` (``local``; ``shared``: control, raising,
        auxiliaries, adjuncts; ``extracted``: relatives and questions).
    """

    tokens: pd.DataFrame
    nodes: pd.DataFrame
    dependencies: pd.DataFrame

    def __repr__(self) -> str:
        sentences = self.tokens["sentence"].nunique()
        return f"{sentences:,} generated utterances, {len(self.tokens):,} words"


@dataclass(frozen=True)
class _Compiled:
    """A grammar as arrays, with the names of its codes."""

    arguments: tuple[np.ndarray, ...]
    names: dict[str, tuple[np.ndarray, pd.Index]]
    categories: tuple[np.ndarray, pd.Index]
    relations: list[str]


def generate(
    utterances: int,
    random_state: RandomState = 0,
    mean_length: float | None = None,
    word_types: int | None = None,
    *,
    longest: int = 20,
    n_jobs: int = 1,
) -> Generated:
    """Draw utterances.

    Parameters
    ----------
    utterances : int
        Number of utterances.
    random_state : None, int or numpy Generator
        The same seed gives the same utterances for any ``n_jobs``; a longer sample begins with the utterances of a
        shorter one.
    mean_length : float, optional
        Mean number of words; None leaves the rules unchanged (between 5 and 6). Other values change the probability of
        lengths, not the probabilities among derivations of equal length.
    word_types : int, optional
        Number of word forms, the most probable ones; None is the whole lexicon. Rare forms may not occur.
    longest : int
        Maximum number of words; longer utterances are drawn again.
    n_jobs : int
        Number of threads; -1 is one per core.

    Returns
    -------
    Generated
        Tables of words, derivations and predicate-argument dependencies.

    Raises
    ------
    ValueError
        If a number is out of its range.

    Examples
    --------
    >>> some = generate(1_000, random_state=1)
    >>> some.tokens.columns.tolist()[:5]
    ['sentence', 'position', 'form', 'lemma', 'fine']
    >>> some.tokens["form"].tolist() == generate(1_000, random_state=1, n_jobs=2).tokens["form"].tolist()
    True
    """
    if utterances < 1:
        raise ValueError(f"utterances must be at least 1; it is {utterances}.")
    blocks = list(generate_blocks(utterances, random_state, mean_length, word_types, longest=longest, n_jobs=n_jobs))
    return Generated(*(pd.concat([getattr(block, name) for block in blocks], ignore_index=True) for name in TABLES))


def generate_blocks(
    utterances: int | None = None,
    random_state: RandomState = 0,
    mean_length: float | None = None,
    word_types: int | None = None,
    *,
    longest: int = 20,
    n_jobs: int = 1,
) -> Iterator[Generated]:
    """Draw utterances block by block, with constant memory.

    Parameters
    ----------
    utterances : int, optional
        Number of utterances; None continues for ever.
    random_state, mean_length, word_types, longest, n_jobs
            See `generate`, which gives the same utterances.

    Yields
    ------
    Generated
        Up to 2,048 utterances; ``sentence`` is numbered across blocks.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> [block.tokens["sentence"].iloc[-1] for block in generate_blocks(5_000, random_state=1)]
    [np.int64(2047), np.int64(4095), np.int64(4999)]
    """
    if not 1 <= longest <= 60:
        raise ValueError(f"longest must lie between 1 and 60 words; it is {longest}.")
    compiled = _compiled(mean_length, word_types, longest)
    entropy = _entropy(random_state)
    workers = _workers(n_jobs)
    starts = itertools.count(0, BLOCK) if utterances is None else iter(range(0, utterances, BLOCK))

    def block(start: int) -> Generated:
        size = BLOCK if utterances is None else min(BLOCK, utterances - start)
        return _block(compiled, entropy, start, size, longest)

    if workers == 1:
        for start in starts:
            yield block(start)
        return
    with ThreadPoolExecutor(workers) as pool:
        while batch := list(itertools.islice(starts, 2 * workers)):
            yield from pool.map(block, batch)


def _workers(n_jobs: int) -> int:
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def _entropy(random_state: RandomState) -> int:
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**63))
    entropy = np.random.SeedSequence(random_state).entropy
    if not isinstance(entropy, int | np.integer):
        raise ValueError(f"random_state must be None, an integer or a numpy Generator; it is {random_state!r}.")
    return int(entropy)


@lru_cache(maxsize=8)
def _compiled(mean_length: float | None, word_types: int | None, longest: int) -> _Compiled:
    grammar = load_grammar()
    if word_types is not None:
        grammar = grammar.with_word_types(word_types)
    if mean_length is not None:
        grammar = grammar.with_mean_length(mean_length, longest)
    return _compile(grammar)


def _compile(grammar: Grammar) -> _Compiled:
    from analysis.corpora.language.meaning import variables

    rules, entries, n_states = grammar.rules, grammar.entries, len(grammar.states)
    relations = ["ROOT", *sorted(set(rules["relation"]) - {""})]
    codes = {name: code for code, name in enumerate(relations)} | {"": 0}
    tables = variables(grammar)

    def first(parents: pd.Series) -> np.ndarray:
        return np.searchsorted(parents.to_numpy(), np.arange(n_states + 1)).astype(np.int64)

    def cumulative(table: pd.DataFrame, by: str) -> np.ndarray:
        return table.groupby(by)["probability"].cumsum().to_numpy(dtype=np.float64)

    arguments = (
        first(rules["parent"]),
        cumulative(rules, "parent"),
        rules["rule"].to_numpy(dtype=np.int64),
        np.ascontiguousarray(rules[["left", "right"]].to_numpy(dtype=np.int64)),
        rules["head"].to_numpy(dtype=np.int64),
        rules["relation"].map(codes).to_numpy(dtype=np.int64),
        first(entries["state_code"]),
        cumulative(entries, "state_code"),
        tables.source,
        tables.status,
        tables.joined,
        tables.within,
        tables.parts,
        tables.leaf_class,
        tables.slots,
    )
    names = {
        column: word_codes(entries[column]) for column in ("form", "lemma", "fine", "coarse", "universal", "category")
    }
    return _Compiled(arguments, names, word_codes(pd.Series(grammar.categories)), relations)


def _block(compiled: _Compiled, entropy: int, start: int, size: int, longest: int) -> Generated:
    from analysis.corpora.language.kernel import Grammar as Arrays
    from analysis.corpora.language.kernel import draw_block
    from analysis.corpora.language.meaning import RANGES

    seed = np.random.SeedSequence(entropy, spawn_key=(start // BLOCK,)).generate_state(1, np.uint64)[0]
    room = 24
    while True:
        nodes = np.empty((size * room * 2 + 64 * longest, 8), dtype=np.int64)
        tokens = np.empty((size * room + longest, 5), dtype=np.int64)
        dependencies = np.empty((size * room + 8 * longest**2, 7), dtype=np.int64)
        filled = (nodes, tokens, dependencies)
        n_nodes, n_tokens, n_dependencies, _ = draw_block(seed, size, longest, Arrays(*compiled.arguments), *filled)
        if n_nodes >= 0:
            break
        room *= 2
    nodes, tokens, dependencies = nodes[:n_nodes], tokens[:n_tokens], dependencies[:n_dependencies]
    entry = tokens[:, 2]
    words: dict[str, object] = {"sentence": tokens[:, 0] + start, "position": tokens[:, 1]}
    words |= {name: _categorical(codes[entry], names) for name, (codes, names) in compiled.names.items()}
    words |= {"head": tokens[:, 3], "relation": _categorical(tokens[:, 4], pd.Index(compiled.relations))}
    state_codes, category_names = compiled.categories
    return Generated(
        pd.DataFrame(words),
        pd.DataFrame(
            {
                "sentence": nodes[:, 0] + start,
                "node": nodes[:, 1],
                "parent": nodes[:, 2],
                "category": _categorical(state_codes[nodes[:, 3]], category_names),
                "rule": _categorical(nodes[:, 4], pd.Index(RULES)),
                "start": nodes[:, 5],
                "end": nodes[:, 6],
                "head_daughter": nodes[:, 7],
            }
        ),
        pd.DataFrame(
            {
                "sentence": dependencies[:, 0] + start,
                "functor": dependencies[:, 1],
                "category": _categorical(state_codes[dependencies[:, 2]], category_names),
                "slot": dependencies[:, 3],
                "spine_slot": dependencies[:, 4],
                "argument": dependencies[:, 5],
                "range": _categorical(dependencies[:, 6], pd.Index(RANGES)),
            }
        ),
    )


def _categorical(codes: np.ndarray, names: pd.Index) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, categories=names, validate=False)
