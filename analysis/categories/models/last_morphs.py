"""Endings of words by unsupervised segmentation with Morfessor Baseline."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np


def last_morphs(
    words: Sequence[str], min_types: int = 1, corpus_weight: float = 1.0, random_state: Any = 0
) -> list[str]:
    """Last morph of each word that Morfessor Baseline divides; empty if it leaves the word whole.

    Every word counts once. The result depends on the random order in which Morfessor takes the words; that order
    depends on the seed only, because the words are sorted first.

    Parameters
    ----------
    words : sequence of str
        Different words.
    min_types : int
        A morph that ends fewer words is no ending: such words have an empty one.
    corpus_weight : float
        Weight of the cost of the words against that of the lexicon of morphs: below 1, words are divided more often.
    random_state : None, int or numpy.random.Generator

    Returns
    -------
    list of str
        In the order of `words`.

    References
    ----------
    Virpioja, Smit, Grönroos & Kurimo (2013): Morfessor 2.0.

    Examples
    --------
    >>> stems = "walk talk jump look play call help work turn open".split()
    >>> last_morphs([stem + ending for stem in stems for ending in ("", "ing", "ed")])[:3]
    ['', 'ing', 'ed']
    """
    from morfessor import BaselineModel

    seed = int(np.random.default_rng(random_state).integers(2**31 - 1))
    model = BaselineModel(corpusweight=corpus_weight)
    model.load_data([(1, word) for word in sorted(set(words))])
    if words:
        with _seeded(seed):
            model.train_batch()
    divided = [model.segment(word) if word else [] for word in words]
    endings = [morphs[-1] if len(morphs) > 1 else "" for morphs in divided]
    types = Counter(endings)
    return [ending if types[ending] >= min_types else "" for ending in endings]


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Give Morfessor, which draws from the generator that all of Python shares, its own seed; and keep it silent."""
    from morfessor import utils

    state, shown = random.getstate(), utils.show_progress_bar
    random.seed(seed)
    utils.show_progress_bar = False
    try:
        yield
    finally:
        random.setstate(state)
        utils.show_progress_bar = shown
