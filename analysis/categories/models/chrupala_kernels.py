"""Kernels of Chrupała's clustering: sweeps of the topic model, divergences, agglomeration."""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202
import math

import numpy as np

from analysis.structures.compiled import njit


@njit
def count(documents, features, topics, of_document, of_feature, totals) -> None:
    """Fill the counts: topics of each document, of each feature, and in total."""
    of_document[:] = 0
    of_feature[:] = 0
    totals[:] = 0
    for i in range(len(topics)):
        of_document[documents[i], topics[i]] += 1
        of_feature[features[i], topics[i]] += 1
        totals[topics[i]] += 1


@njit
def conditional(in_document, in_feature, inverse, alpha, beta, summed) -> float:
    """Set ``summed`` to the cumulative weights of the topics, without the token itself."""
    total = 0.0
    for z in range(len(summed)):
        total += (in_document[z] + alpha) * (in_feature[z] + beta) * inverse[z]
        summed[z] = total
    return total


@njit
def sweep(documents, features, topics, of_document, of_feature, totals, priors, generator) -> int:
    """Draw every topic once from its conditional given all others; return how many changed."""
    alpha, beta = priors
    Z, rest, changed = len(totals), of_feature.shape[0] * beta, 0
    inverse, summed = 1.0 / (totals + rest), np.empty(Z)
    for i in range(len(topics)):
        before, in_document, in_feature = topics[i], of_document[documents[i]], of_feature[features[i]]
        in_document[before] -= 1
        in_feature[before] -= 1
        totals[before] -= 1
        inverse[before] = 1.0 / (totals[before] + rest)
        mark = generator.random() * conditional(in_document, in_feature, inverse, alpha, beta, summed)
        z = 0
        while z < Z - 1 and summed[z] <= mark:
            z += 1
        topics[i] = z
        changed += z != before
        in_document[z] += 1
        in_feature[z] += 1
        totals[z] += 1
        inverse[z] = 1.0 / (totals[z] + rest)
    return changed


@njit
def _dirichlet(counts, prior):
    """Compute the log probability of the draws that give a row of counts."""
    total, log_p, single = 0, 0.0, math.lgamma(prior)
    for n in counts:
        total += n
        if n > 0:
            log_p += math.lgamma(n + prior) - single
    return log_p + math.lgamma(len(counts) * prior) - math.lgamma(total + len(counts) * prior)


@njit
def log_probability(of_document, of_feature, totals, alpha, beta) -> float:
    """Compute the log of the joint probability of features and topics, in nats."""
    log_p, single, size = 0.0, math.lgamma(beta), len(of_feature) * beta
    for d in range(len(of_document)):
        log_p += _dirichlet(of_document[d], alpha)
    for f in range(len(of_feature)):
        for z in range(len(totals)):
            if of_feature[f, z] > 0:
                log_p += math.lgamma(of_feature[f, z] + beta) - single
    for z in range(len(totals)):
        log_p += math.lgamma(size) - math.lgamma(totals[z] + size)
    return log_p


@njit
def entropies(rows) -> np.ndarray:
    """Compute the entropy of each row in bits."""
    out = np.zeros(len(rows))
    for i in range(len(rows)):
        for p in rows[i]:
            if p > 0.0:
                out[i] -= p * math.log2(p)
    return out


@njit
def divergence(p, q, share, entropy_p, entropy_q) -> float:
    """Compute the Jensen-Shannon divergence in bits with weights ``share`` and 1 - ``share``."""
    mixed = 0.0
    for z in range(len(p)):
        m = share * p[z] + (1.0 - share) * q[z]
        if m > 0.0:
            mixed -= m * math.log2(m)
    return max(mixed - share * entropy_p - (1.0 - share) * entropy_q, 0.0)


@njit
def _share(one, other, by_frequency):
    return one / (one + other) if by_frequency else 0.5


@njit
def agglomerate(rows, weights, by_frequency) -> tuple[np.ndarray, np.ndarray]:
    """Merge the two nodes with the smallest divergence until one is left, with a table of each node's nearest later
    node.

    Step s makes node n + s. Ties go to the lower positions; a node takes the position of its first leaf. ``rows`` and
    ``weights`` are overwritten. Return the children of each step, lower position first, and their divergence.
    """
    n = len(rows)
    children, heights = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    apart, entropy = np.full((n, n), np.inf), entropies(rows)
    nearest, least = np.full(n, -1), np.full(n, np.inf)
    node, alive = np.arange(n), np.ones(n, np.bool_)
    for i in range(n):
        for j in range(i + 1, n):
            share = _share(weights[i], weights[j], by_frequency)
            apart[i, j] = divergence(rows[i], rows[j], share, entropy[i], entropy[j])
            if apart[i, j] < least[i]:
                nearest[i], least[i] = j, apart[i, j]
    for step in range(n - 1):
        i = -1
        for a in range(n):
            if alive[a] and nearest[a] >= 0 and (i < 0 or least[a] < least[i]):
                i = a
        j = nearest[i]
        children[step, 0], children[step, 1], heights[step] = node[i], node[j], least[i]
        total = weights[i] + weights[j]
        part = weights[i] / total
        norm = 0.0
        for z in range(rows.shape[1]):
            rows[i, z] = part * rows[i, z] + (1.0 - part) * rows[j, z]
            norm += rows[i, z]
        for z in range(rows.shape[1]):
            rows[i, z] /= norm
        weights[i], alive[j], node[i] = total, False, n + step
        entropy[i] = entropies(rows[i : i + 1])[0]
        least[i], nearest[i] = np.inf, -1
        for a in range(n):
            if not alive[a] or a == i:
                continue
            first, second = min(a, i), max(a, i)
            share = _share(weights[first], weights[second], by_frequency)
            new = divergence(rows[first], rows[second], share, entropy[first], entropy[second])
            apart[first, second] = new
            if first == i and new < least[i]:
                nearest[i], least[i] = a, new
            if nearest[a] == j or nearest[a] == i:
                _search(apart, alive, a, nearest, least)
            elif first == a and (new < least[a] or (new == least[a] and i < nearest[a])):
                nearest[a], least[a] = i, new
    return children, heights


@njit
def _search(apart, alive, a, nearest, least):
    nearest[a], least[a] = -1, np.inf
    for b in range(a + 1, len(alive)):
        if alive[b] and apart[a, b] < least[a]:
            nearest[a], least[a] = b, apart[a, b]


@njit
def nearest_leaves(rows, weights, leaves, leaf_weights, by_frequency) -> np.ndarray:
    """Find the leaf with the smallest divergence from each row; ties go to the first.

    A leaf is skipped if Pinsker's bound, a (1 - a) / 2 times the square of the summed absolute difference, in nats, is
    above the smallest divergence so far.
    """
    entropy, leaf_entropy = entropies(rows), entropies(leaves)
    out = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        least = np.inf
        for j in range(len(leaves)):
            share = _share(weights[i], leaf_weights[j], by_frequency)
            difference = 0.0
            for z in range(rows.shape[1]):
                difference += abs(rows[i, z] - leaves[j, z])
            if 0.999 * share * (1.0 - share) / 2 * difference * difference / math.log(2.0) > least:
                continue
            found = divergence(rows[i], leaves[j], share, entropy[i], leaf_entropy[j])
            if found < least:
                out[i], least = j, found
    return out
