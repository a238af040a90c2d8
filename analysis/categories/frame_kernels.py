"""Counting of frames in numba; imported on demand, because compilation takes time."""

import numpy as np

from analysis.structures.compiled import njit

_EMPTY = -1


@njit("int64(int64, int64)", cache=True)
def _slot(key, mask):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))


@njit("void(int32[::1], boolean[::1], int64, int64, boolean, int64[::1])", cache=True)
def frame_keys(words, starts, left, right, boundaries, keys):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Write the frame of each token into `keys`: left id × base + right id, or -1 if it has none.

    `words` holds the id of each token as a frame word, negative if it has none; `left` and `right` are the ids of
    the boundaries, the two highest.
    """
    n = len(words)
    base = right + 1
    for i in range(n):
        first = starts[i]
        last = i + 1 == n or starts[i + 1]
        keys[i] = _EMPTY
        if (first or last) and not boundaries:
            continue
        before = left if first else np.int64(words[i - 1])
        after = right if last else np.int64(words[i + 1])
        if before >= 0 and after >= 0:
            keys[i] = before * base + after


@njit("UniTuple(int64, 2)(int64[::1], int64, int64[::1], int64[::1], int64)", cache=True)
def insert(keys, begin, slots, numbers, distinct):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Number distinct keys in a hash table (`slots` holds keys, -1 where empty; its length a power of two).

    Stops when the table is half full; returns the index of the next key and the number of distinct keys.
    """
    mask = len(slots) - 1
    for i in range(begin, len(keys)):
        key = keys[i]
        if key == _EMPTY:
            continue
        place = _slot(key, mask)
        while slots[place] != _EMPTY and slots[place] != key:
            place = (place + 1) & mask
        if slots[place] == _EMPTY:
            if 2 * (distinct + 1) > len(slots):
                return i, distinct
            slots[place] = key
            numbers[place] = distinct
            distinct += 1
    return len(keys), distinct


@njit("void(int64[::1], int64[::1], int64[::1], int64[::1])", cache=True)
def find(keys, slots, numbers, counts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Replace each key by its number in the hash table, or -1, and count how often each number is found."""
    mask = len(slots) - 1
    for i in range(len(keys)):
        key = keys[i]
        if key == _EMPTY:
            continue
        place = _slot(key, mask)
        while slots[place] != _EMPTY and slots[place] != key:
            place = (place + 1) & mask
        if slots[place] == _EMPTY:
            keys[i] = _EMPTY
        else:
            number = numbers[place]
            keys[i] = number
            counts[number] += 1


@njit("void(int64[::1], int64, int64[::1], int64[::1], int64[::1])", cache=True)
def pair_sums(members, base, cluster_of, cluster_sizes, sums):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Sums of the measure from sorted member keys whose fillers are numbered by cluster; repeated keys count once.

    The results in `sums`: pairs in both, pairs in S-clusters, members, S-clusters with a member.
    """
    frame, cluster = np.int64(-1), np.int64(-1)
    in_both, in_frame = 0, 0
    for i in range(len(members)):
        if i > 0 and members[i] == members[i - 1]:
            continue
        this_frame = members[i] // base
        this_cluster = cluster_of[members[i] - this_frame * base]
        if this_frame != frame or this_cluster != cluster:
            sums[0] += in_both * (in_both - 1)
            in_both = 0
            cluster = this_cluster
        if this_frame != frame:
            sums[1] += in_frame * (in_frame - 1)
            in_frame = 0
            frame = this_frame
            sums[3] += 1
        in_both += 1
        in_frame += 1
        cluster_sizes[this_cluster] += 1
        sums[2] += 1
    sums[0] += in_both * (in_both - 1)
    sums[1] += in_frame * (in_frame - 1)
