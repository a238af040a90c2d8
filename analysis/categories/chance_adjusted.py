"""Chance-adjusted agreement, cross-validated mapping accuracy, and tagging accuracy."""

import numpy as np

from analysis.categories.assignment import name_order
from analysis.categories.contingency import Contingency, as_contingency
from analysis.structures import Labels, Score, check_at_least
from analysis.structures.labels import encode_pair, label_codes
from analysis.structures.special_functions import gammaln


def adjusted_rand_index(gold: Labels | Contingency, predicted: Labels | None = None) -> Score:
    """Compute the adjusted Rand index (ARI).

    It measures agreement about pairs of tokens: 0 on average for random clusters of the same sizes, 1 for identical
    partitions. With S pairs within a cell of the table, A within a class, B within a cluster, and T pairs in total, ARI
    = (S - A B / T) / ((A + B) / 2 - A B / T). It is 1 if both sides have a single set, or if every token is alone on
    both sides.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token. A single `Contingency` may replace both.

    Returns
    -------
    Score
        No counts; parts: n, the pairs within cells, classes and clusters.

    References
    ----------
    Hubert & Arabie (1985), Comparing partitions, Journal of Classification 2.

    Examples
    --------
    >>> adjusted_rand_index(["N", "N", "V", "V"], [1, 1, 2, 3])
    ARI 0.571
    """
    table = as_contingency(gold, predicted)
    both, in_classes, in_clusters = (
        int((sizes * (sizes - 1) // 2).sum()) for sizes in (table.cells, table.gold_sizes, table.predicted_sizes)
    )
    value = rand_index_from_pairs(both, in_classes, in_clusters, table.n * (table.n - 1) // 2)
    parts = {"n": table.n, "pairs in both": both, "pairs in classes": in_classes, "pairs in clusters": in_clusters}
    return Score("ARI", number=value, parts=parts)


def rand_index_from_pairs(both: int, in_classes: int, in_clusters: int, pairs: int) -> float:
    """Compute the ARI from the numbers of pairs that share both, a class, a cluster, and of all pairs.

    Examples
    --------
    >>> rand_index_from_pairs(1, 2, 1, 6) == (1 - 2 / 6) / (3 / 2 - 2 / 6)
    True
    """
    if in_classes == in_clusters and in_classes in (0, pairs):
        return 1.0
    expected = in_classes * in_clusters / pairs
    return (both - expected) / ((in_classes + in_clusters) / 2 - expected)


def adjusted_mutual_information(gold: Labels | Contingency, predicted: Labels | None = None) -> Score:
    """Compute adjusted mutual information (AMI): mutual information beyond that of random clusters of the same sizes.

    AMI = (I - E) / ((H(C) + H(K)) / 2 - E), where E is the expectation of the mutual information I over all tables with
    these class and cluster sizes. It is 1 if both sides have a single set, or if every token is alone on both sides.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token. A single `Contingency` may replace both.

    Returns
    -------
    Score
        No counts; parts: n, mutual information and its expectation, in nats.

    References
    ----------
    Vinh, Epps & Bailey (2010), Journal of Machine Learning Research 11; the mean of the entropies as their AMI_sum.

    Examples
    --------
    >>> adjusted_mutual_information(["N", "N", "V", "V"], [1, 1, 2, 3])
    AMI 0.571
    """
    table = as_contingency(gold, predicted)
    sizes = (table.cells, table.gold_sizes, table.predicted_sizes)
    of_class, of_cluster = sizes[1][table.rows], sizes[2][table.columns]
    shared = float((sizes[0] * np.log(sizes[0] * (table.n / (of_class.astype(float) * of_cluster)))).sum()) / table.n
    expected = expected_mutual_information(sizes[1], sizes[2])
    h_c, h_k = (abs(float((part * np.log(part / table.n)).sum())) / table.n for part in sizes[1:])
    alike = table.shape in ((1, 1), (table.n, table.n))
    value = 1.0 if alike else (shared - expected) / ((h_c + h_k) / 2 - expected)
    return Score("AMI", number=value, parts={"n": table.n, "I": shared, "expected I": expected})


def expected_mutual_information(gold_sizes: np.ndarray, predicted_sizes: np.ndarray) -> float:
    """Compute the expected mutual information, in nats, of random tables with these margins.

    The size x of the cell of a class of a tokens and a cluster of b is hypergeometric. Its probabilities are worked out
    from the likeliest size outward, for all cells at once, until they are below 1e-20.

    Parameters
    ----------
    gold_sizes, predicted_sizes : ndarray of int
        Tokens of each class and of each cluster, none 0.

    Examples
    --------
    >>> round(expected_mutual_information(np.array([2, 2]), np.array([2, 2])), 4)
    0.231
    """
    n = float(gold_sizes.sum())
    a_sizes, b_sizes = (np.unique(sizes, return_counts=True) for sizes in (gold_sizes, predicted_sizes))
    a, b = (grid.ravel().astype(np.float64) for grid in np.meshgrid(a_sizes[0], b_sizes[0], indexing="ij"))
    weights = np.outer(a_sizes[1], b_sizes[1]).ravel() / n
    likeliest = np.clip(np.floor((a + 1) * (b + 1) / (n + 2)), np.maximum(a + b - n, 0), np.minimum(a, b))
    parts = (a, n - a, b, n - b)
    log_p = sum(gammaln(part + 1) for part in parts) - gammaln(n + 1)
    log_p -= sum(gammaln(part + 1) for part in (likeliest, a - likeliest, b - likeliest, n - a - b + likeliest))
    total = 0.0
    for upward in (True, False):
        x, p, cells = likeliest.copy(), np.exp(log_p), np.arange(len(a))
        first = True
        while len(cells):
            some = x > 0
            if upward or not first:
                information = x * np.log(np.where(some, x, 1.0) * (n / (a[cells] * b[cells])))
                total += float((weights[cells] * p * information).sum())
            own_a, own_b = a[cells], b[cells]
            rest = n - own_a - own_b + x
            if upward:
                p = p * ((own_a - x) * (own_b - x)) / ((x + 1) * (rest + 1))
                x = x + 1
            else:
                p = p * (x * rest) / ((own_a - x + 1) * (own_b - x + 1))
                x = x - 1
            going = p > 1e-20
            if not going.all():
                x, p, cells = x[going], p[going], cells[going]
            first = False
    return total


def cross_validated_many_to_one(gold: Labels, predicted: Labels, sentences: Labels, *, folds: int = 2) -> Score:
    """Compute many-to-one accuracy with the mapping chosen on other sentences than those scored.

    The text is divided into consecutive parts with equal numbers of sentences. The tokens of a part are mapped by the
    other parts: each cluster to its most frequent class there, of equal ones the first by name; a cluster that does not
    occur in the other parts is wrong. So, unlike many-to-one, one cluster per word does not score 1.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class and cluster of each token.
    sentences : array-like of shape (n_tokens,)
        Sentence of each token.
    folds : int
        Number of parts, at least 2 and at most the number of sentences.

    Returns
    -------
    Score
        numerator = tokens read correctly, denominator = n_tokens.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, there is no token, or there are fewer sentences than folds.

    References
    ----------
    Gao & Johnson (2008), A comparison of Bayesian estimators for unsupervised hidden Markov model POS taggers,
    section 3 (there with two halves; the second is scored).

    Examples
    --------
    >>> gold, predicted = ["N", "V"] * 2, [1, 2, 1, 3]
    >>> cross_validated_many_to_one(gold, predicted, [0, 0, 1, 1])
    cross-validated many-to-one 0.500 (2/4)
    """
    check_at_least(2, folds=folds)
    codes, names, clusters, _ = encode_pair(gold, predicted)
    units = sentence_numbers(sentences, len(codes))
    part = fold_of_sentences(int(units.max()) + 1, folds)[units]
    rank = np.empty(len(names), dtype=np.int64)
    rank[name_order(names)] = np.arange(len(names))
    right = 0
    for fold in range(folds):
        counts = np.zeros((len(names), int(clusters.max()) + 1), dtype=np.int64)
        np.add.at(counts, (rank[codes[part != fold]], clusters[part != fold]), 1)
        reading = np.where(counts.any(axis=0), counts.argmax(axis=0), -1)
        right += int((reading[clusters[part == fold]] == rank[codes[part == fold]]).sum())
    conventions = {"mapping": "each cluster to its most frequent class in the other parts", "folds": folds}
    return Score("cross-validated many-to-one", right, len(codes), conventions=conventions)


def sentence_numbers(sentences: Labels, n_tokens: int) -> np.ndarray:
    """Number of each token's sentence, from 0: whole numbers in their order, other names by first appearance.

    Examples
    --------
    >>> sentence_numbers([7, 7, 2], 3).tolist(), sentence_numbers(["b", "a"], 2).tolist()
    ([1, 1, 0], [0, 1])
    """
    whole = isinstance(sentences, np.ndarray) and sentences.ndim == 1 and sentences.dtype.kind in "iu"
    codes = sentences if whole else label_codes(sentences, "sentences")[0]
    if len(codes) != n_tokens:
        raise ValueError(f"there are {n_tokens:,} tokens and {len(codes):,} sentence numbers: one per token is needed.")
    return np.unique(codes, return_inverse=True)[1]


def fold_of_sentences(n: int, folds: int) -> np.ndarray:
    """Assign n sentences to consecutive parts of equal size.

    Examples
    --------
    >>> fold_of_sentences(5, 2).tolist()
    [0, 0, 0, 1, 1]
    """
    if n < folds:
        raise ValueError(f"folds is {folds}; there are {n:,} sentences: give at most this many folds.")
    return np.arange(n) * folds // n


def tagging_accuracy(gold: Labels, predicted: Labels) -> Score:
    """Compute the proportion of tokens whose predicted label is the gold class; for taggers, not for clusterings.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_tokens,)
        Class of each token; names are compared as strings.

    Returns
    -------
    Score
        numerator = correct tokens, denominator = n_tokens.

    Examples
    --------
    >>> tagging_accuracy(["N", "N", "V"], ["N", "V", "V"])
    tagging accuracy 0.667 (2/3)
    """
    codes, names, others, other_names = encode_pair(gold, predicted)
    place = {str(name): number for number, name in enumerate(names)}
    translated = np.array([place.get(str(name), -1) for name in other_names], dtype=np.int64)
    return Score("tagging accuracy", int((translated[others] == codes).sum()), len(codes))
