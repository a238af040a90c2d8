"""Substitutable precision and recall: evaluation of word classes without a gold standard."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.categories.codes import sentence_starts
from analysis.structures import PrecisionRecall, check_at_least, check_columns, check_tokens
from analysis.structures.labels import label_codes, word_codes

#: Symbols of sentence boundaries in a table of frames.
LEFT_BOUNDARY, RIGHT_BOUNDARY = "<L>", "<R>"


@dataclass(frozen=True, eq=False)
class PreparedWords:
    """Encoded training and test words, reusable for several clusterings.

    Made by `prepare_words`; pass it as ``prepared=`` to the measures below.

    Parameters
    ----------
    vocabulary : pandas.Index
        The word types of the training corpus.
    train, test : ndarray of int64
        Code of each token; -1 for test words outside the vocabulary.
    train_starts, test_starts : ndarray of bool
        True at the first token of a sentence.
    """

    vocabulary: pd.Index
    train: np.ndarray
    test: np.ndarray
    train_starts: np.ndarray
    test_starts: np.ndarray


def prepare_words(train: pd.DataFrame, test: pd.DataFrame) -> PreparedWords:
    """Encode the words and sentences of two corpora once, for several clusterings.

    Parameters
    ----------
    train, test : DataFrame
        Tokens tables with ``sentence`` and ``form``.

    Returns
    -------
    PreparedWords

    Raises
    ------
    ValueError
        If a table lacks a column, is empty, has a missing form, or its sentence numbers decrease.

    Examples
    --------
    >>> corpus = pd.DataFrame({"sentence": [0, 0], "form": ["look", "there"]})
    >>> prepare_words(corpus, corpus.assign(form=["look", "here"])).test.tolist()
    [0, -1]
    """
    check_tokens(train, what="train")
    check_tokens(test, what="test")
    train_words, vocabulary = word_codes(train["form"])
    test_words, _ = word_codes(test["form"], vocabulary)
    return PreparedWords(vocabulary, train_words, test_words, sentence_starts(train), sentence_starts(test))


def substitutable_precision_recall(
    train: pd.DataFrame,
    test: pd.DataFrame,
    cluster: str = "cluster",
    boundaries: bool = True,
    minimum_frequency: int = 2,
    frames_in_training: bool = True,
    annotate: bool = True,
    prepared: PreparedWords | None = None,
) -> PrecisionRecall:
    """Compute substitutable precision (SP) and recall (SR): whether words in the same frames share a cluster.

    A frame is the left and right neighbour of a token in its sentence: words with their clusters, or sentence
    boundaries. It is kept if it occurs in the training corpus and at least `minimum_frequency` times in the test
    corpus, with any filler. Its S-cluster is the set of distinct (word, cluster) pairs that fill it in the test corpus;
    a word with two clusters in one frame counts as two members. With |s ∩ c| the members of S-cluster s that have
    cluster c, |s| their sum over clusters and |c| their sum over S-clusters::

        SP = sum over s, c of |s∩c| (|s∩c| - 1)  /  sum over c of |c| (|c| - 1)
        SR = sum over s, c of |s∩c| (|s∩c| - 1)  /  sum over s of |s| (|s| - 1)

    |c| is a column sum, so a word counts once for each frame in which it occurs with cluster c. The paper only writes
    |c|. If |c| were the number of word types of the cluster, SP could exceed 1 when each unclustered word is its own
    cluster (the numerator grows with the number of frames, the denominator does not), which contradicts the paper's
    Table 4; with column sums SP cannot exceed 1.

    Words outside the training vocabulary are never members and never part of a frame, also with
    ``frames_in_training=False``, but they count as fillers for `minimum_frequency`. SP decreases as the test corpus
    grows, SR hardly changes: compare SP only on the same test corpus.

    Parameters
    ----------
    train, test : DataFrame
        Tokens tables with ``sentence``, ``form`` and the column named by `cluster`. The same name means the
        same cluster in both. Only test words outside the training vocabulary may lack a cluster.
    cluster : str
        Column with one cluster per token.
    boundaries : bool
        Whether sentence boundaries are used as frame words; otherwise tokens at the edge of a sentence have no frame.
    minimum_frequency : int
        Minimum number of test tokens of a frame, at least 1.
    frames_in_training : bool
        Whether a frame must occur in the training corpus.
    annotate : bool
        Whether frame words include their clusters; members always do.
    prepared : PreparedWords, optional
        Result of `prepare_words` for the same two tables, to save time when several clusterings are scored.

    Returns
    -------
    PrecisionRecall
        matched, predicted and gold are the three sums above, i.e. numbers of ordered pairs of members.
        parts: ``frames`` kept, ``s_clusters`` with a member, ``members`` (the sum of all |s|), ``clusters``
        with a member, ``test_tokens``. Precision is undefined if no cluster has two members, recall if no
        S-cluster has two.

    Raises
    ------
    ValueError
        If a table lacks a column or a value, or `minimum_frequency` is below 1.

    References
    ----------
    Frank, Goldwater & Keller (2009), section "Substitutable Precision and Recall", equations 2 and 3.

    Examples
    --------
    >>> def corpus(*sentences):
    ...     rows = [(n, *token.split("/")) for n, text in enumerate(sentences) for token in text.split()]
    ...     return pd.DataFrame(rows, columns=["sentence", "form", "cluster"])
    >>> train = corpus("the/D cat/N ran/V", "the/D dog/N ran/V")
    >>> test = corpus("the/D cat/N ran/V", "the/D dog/N ran/V", "a/D dog/N ran/V", "cat/N ran/V")
    >>> substitutable_precision_recall(train, test)
    substitutable precision 0.500 (2/4), recall 1.000 (2/2), F1 0.667
    """
    found = _find_frames(train, test, cluster, boundaries, frames_in_training, annotate, prepared)
    from analysis.categories import frame_kernels

    members = found.members(minimum_frequency)
    members.sort()
    cluster_sizes = np.zeros(len(found.cluster_names), dtype=np.int64)
    sums = np.zeros(4, dtype=np.int64)
    frame_kernels.pair_sums(members, found.base, found.filler_clusters, cluster_sizes, sums)
    return PrecisionRecall(
        "substitutable",
        matched=int(sums[0]),
        predicted=int((cluster_sizes * (cluster_sizes - 1)).sum()),
        gold=int(sums[1]),
        conventions={
            "boundaries": boundaries,
            "minimum_frequency": minimum_frequency,
            "frames_in_training": frames_in_training,
            "annotate": annotate,
            "cluster_size": "members over all S-clusters",
            "pairs": "ordered",
        },
        parts={
            "frames": int((found.counts >= minimum_frequency).sum()),
            "s_clusters": int(sums[3]),
            "members": int(sums[2]),
            "clusters": int(np.count_nonzero(cluster_sizes)),
            "test_tokens": len(test),
        },
    )


def substitution_clusters(
    train: pd.DataFrame,
    test: pd.DataFrame,
    cluster: str = "cluster",
    boundaries: bool = True,
    minimum_frequency: int = 2,
    frames_in_training: bool = True,
    annotate: bool = True,
    prepared: PreparedWords | None = None,
    *,
    left: str | None = None,
    right: str | None = None,
) -> pd.DataFrame:
    """List the S-clusters of `substitutable_precision_recall`, one row per member.

    Parameters
    ----------
    train, test, cluster, boundaries, minimum_frequency, frames_in_training, annotate, prepared
        See `substitutable_precision_recall`.
    left, right : str, optional
        Only frames with this word on the left or right; `LEFT_BOUNDARY` and `RIGHT_BOUNDARY` stand for sentence
        boundaries.

    Returns
    -------
    DataFrame
        ``left``, ``left_cluster``, ``right``, ``right_cluster``, ``frame_tokens`` (test tokens of the frame, all
        fillers counted), ``word``, ``cluster``, ``tokens`` (test tokens of the member in the frame). Frames in
        descending order of ``frame_tokens``, members in descending order of ``tokens``, then in code-point order. The
        clusters of boundaries, and of all frame words with ``annotate=False``, are missing. Frames without members have
        no rows.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": [0, 0, 1, 1], "form": ["go", "on", "go", "up"], "cluster": [1, 2, 1, 2]})
    >>> substitution_clusters(tokens, tokens)[["left", "right", "frame_tokens", "word", "cluster", "tokens"]]
      left right  frame_tokens word  cluster  tokens
    0   go   <R>             2   on        2       1
    1   go   <R>             2   up        2       1
    """
    found = _find_frames(train, test, cluster, boundaries, frames_in_training, annotate, prepared)
    vocabulary = found.words.vocabulary
    edges = {LEFT_BOUNDARY: len(vocabulary), RIGHT_BOUNDARY: len(vocabulary) + 1}
    names = vocabulary.astype(object).append(pd.Index(list(edges), dtype=object))
    # meaning of the ids of frame words: fillers, or words if frames are not annotated; then the boundaries
    if annotate:
        id_words = np.concatenate([found.filler_words, list(edges.values())])
        id_clusters = np.concatenate([found.filler_clusters, [-1, -1]])
    else:
        id_words = np.arange(len(names))
        id_clusters = np.full(len(names), -1)

    left_ids, right_ids = found.frame_words()
    wanted = np.ones(len(left_ids), dtype=bool)
    for name, ids in ((left, left_ids), (right, right_ids)):
        if name is not None:
            code = edges[name] if name in edges else vocabulary.get_indexer([name])[0]
            wanted &= id_words[ids] == code
    members = found.members(minimum_frequency)
    members, tokens = np.unique(members[wanted[members // found.base]], return_counts=True)
    frame, filler = np.divmod(members, found.base)
    word, frame_tokens = found.filler_words[filler], found.counts[frame]
    order = np.lexsort(
        (
            found.filler_clusters[filler],
            word,
            -tokens,
            *(ids[by[frame]] for by in (right_ids, left_ids) for ids in (id_clusters, id_words)),
            -frame_tokens,
        )
    )
    frame, filler = frame[order], filler[order]

    def side(ids: np.ndarray) -> tuple[pd.Series, pd.Series]:
        words = pd.Series(names[id_words[ids[frame]]], dtype="str")
        return words, _named(found.cluster_names, id_clusters[ids[frame]])

    (left_words, left_clusters), (right_words, right_clusters) = side(left_ids), side(right_ids)
    return pd.DataFrame(
        {
            "left": left_words,
            "left_cluster": left_clusters,
            "right": right_words,
            "right_cluster": right_clusters,
            "frame_tokens": frame_tokens[order],
            "word": pd.Series(names[word[order]], dtype="str"),
            "cluster": found.cluster_names[found.filler_clusters[filler]],
            "tokens": tokens[order],
        }
    )


@dataclass(frozen=True, eq=False)
class _Frames:
    """The frames of a test corpus; a filler is a distinct (word, cluster) pair, numbered by cluster, then word."""

    words: PreparedWords
    cluster_names: pd.Index
    filler_words: np.ndarray
    filler_clusters: np.ndarray
    fillers: np.ndarray  # filler of each test token, -1 if its word is unknown
    frames: np.ndarray  # frame of each test token, -1 if it has none that may be kept
    counts: np.ndarray  # test tokens of each frame
    slots: np.ndarray  # hash table from the key of a frame (left id × ids + right id) ...
    numbers: np.ndarray  # ... to its number
    n_ids: int  # frame words and the two boundaries

    @property
    def base(self) -> int:
        return max(len(self.filler_words), 1)

    def members(self, minimum_frequency: int) -> np.ndarray:
        """Return frame × base + filler of each test token that is a member, in the order of the tokens."""
        check_at_least(1, minimum_frequency=minimum_frequency)
        tokens_of_frame = np.append(self.counts, 0)[self.frames]  # 0 if there is no frame (-1)
        kept = (tokens_of_frame >= minimum_frequency) & (self.fillers >= 0)
        return self.frames[kept] * self.base + self.fillers[kept]

    def frame_words(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the left and right id of each frame."""
        return np.divmod(_in_order(self.slots, self.numbers), self.n_ids)


def _find_frames(
    train: pd.DataFrame,
    test: pd.DataFrame,
    cluster: str,
    boundaries: bool,
    frames_in_training: bool,
    annotate: bool,
    prepared: PreparedWords | None,
) -> _Frames:
    from analysis.categories import frame_kernels

    words = prepared or prepare_words(train, test)
    if (len(words.train), len(words.test)) != (len(train), len(test)):
        raise ValueError(
            f"prepared words are of {len(words.train):,} training and {len(words.test):,} test tokens, "
            f"the tables have {len(train):,} and {len(test):,}: prepare these tables."
        )
    train_clusters, cluster_names = _cluster_codes(train, cluster, words.train, "train")
    test_clusters, test_names = _cluster_codes(test, cluster, words.test, "test")
    translation = cluster_names.get_indexer(test_names)
    new = translation < 0
    translation[new] = len(cluster_names) + np.arange(new.sum())
    cluster_names = cluster_names.append(test_names[new])

    n_words, n_train = len(words.vocabulary), len(train)
    pairs = np.full(n_train + len(test), -1, dtype=np.int64)
    np.multiply(train_clusters, n_words, out=pairs[:n_train], dtype=np.int64)
    np.multiply(translation[test_clusters], n_words, out=pairs[n_train:], dtype=np.int64)
    pairs[:n_train] += words.train
    pairs[n_train:] += words.test
    pairs[n_train:][words.test < 0] = -1
    codes, distinct = pd.factorize(pairs)
    order = np.argsort(distinct)
    known = order[distinct[order] >= 0]
    rank = np.full(len(distinct), -1, dtype=np.int32)
    rank[known] = np.arange(len(known))
    fillers = rank[codes]
    filler_keys = distinct[known]

    if annotate:
        train_ids, test_ids, n_ids = fillers[:n_train], fillers[n_train:], len(known) + 2
    else:
        train_ids, test_ids, n_ids = words.train.astype(np.int32), words.test.astype(np.int32), n_words + 2
    frames = np.empty(len(test), dtype=np.int64)
    frame_kernels.frame_keys(test_ids, words.test_starts, n_ids - 2, n_ids - 1, boundaries, frames)
    admitted = frames
    if frames_in_training:
        admitted = np.empty(n_train, dtype=np.int64)
        frame_kernels.frame_keys(train_ids, words.train_starts, n_ids - 2, n_ids - 1, boundaries, admitted)
    slots, numbers, n_frames = _number(admitted)
    counts = np.zeros(n_frames, dtype=np.int64)
    frame_kernels.find(frames, slots, numbers, counts)
    return _Frames(
        words=words,
        cluster_names=cluster_names,
        filler_words=filler_keys % n_words,
        filler_clusters=filler_keys // n_words,
        fillers=fillers[n_train:],
        frames=frames,
        counts=counts,
        slots=slots,
        numbers=numbers,
        n_ids=n_ids,
    )


def _number(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Make a hash table that numbers the distinct keys; its size depends on them, not on the number of tokens."""
    from analysis.categories import frame_kernels

    size = 1 << 12
    slots, numbers = np.full(size, -1, dtype=np.int64), np.empty(size, dtype=np.int64)
    done, distinct = frame_kernels.insert(keys, 0, slots, numbers, 0)
    while done < len(keys):
        size *= 4
        more_slots, more_numbers = np.full(size, -1, dtype=np.int64), np.empty(size, dtype=np.int64)
        frame_kernels.insert(_in_order(slots, numbers), 0, more_slots, more_numbers, 0)
        slots, numbers = more_slots, more_numbers
        done, distinct = frame_kernels.insert(keys, done, slots, numbers, distinct)
    return slots, numbers, distinct


def _in_order(slots: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the keys of a hash table sorted by their numbers."""
    used = slots >= 0
    keys = np.empty(int(used.sum()), dtype=np.int64)
    keys[numbers[used]] = slots[used]
    return keys


def _cluster_codes(tokens: pd.DataFrame, cluster: str, words: np.ndarray, what: str) -> tuple[np.ndarray, pd.Index]:
    """Encode the clusters; only tokens of unknown words may lack one (their code has no meaning)."""
    check_columns(tokens, [cluster], what)
    labels = tokens[cluster]
    missing = labels.isna().to_numpy()
    if not missing.any():
        return label_codes(labels, f"{what}[{cluster!r}]")
    unclustered = missing & (words >= 0)
    if unclustered.any():
        raise ValueError(
            f"{what}: {int(unclustered.sum()):,} of {len(tokens):,} tokens are words of the training corpus without "
            f"{cluster!r}, the first in row {int(unclustered.argmax())}: use fill_unclustered to merge or split them."
        )
    codes = np.zeros(len(tokens), dtype=np.int64)
    if missing.all():
        return codes, pd.Index(["none"])  # every word is unknown, so this name is not used
    codes[~missing], names = label_codes(labels[~missing])
    return codes, names


def _named(names: pd.Index, codes: np.ndarray) -> pd.Series:
    """Return the names of codes, missing for code -1."""
    if pd.api.types.is_integer_dtype(names.dtype):
        values = pd.array(names.to_numpy()[codes] if len(names) else codes, dtype="Int64")
        values[codes < 0] = pd.NA
        return pd.Series(values)
    return pd.Series(names).reindex(codes).reset_index(drop=True)
