"""The most similar of many words, by edit distance."""

from analysis.structures.compiled import njit


@njit(nogil=True)
def nearest_word(word, letters, starts, row):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Find the word with the smallest edit distance; ties: the longest common ending, then the first.

    Parameters
    ----------
    word : ndarray of uint32, shape (n_letters,)
    letters : ndarray of uint32
        All words, one after another.
    starts : ndarray of int64, shape (n_words + 1,)
    row : ndarray of int64, shape (n_letters + 1,)
        Working space.

    Returns
    -------
    tuple of int
        The place of the word, -1 if there is none, and the distance.
    """
    n = len(word)
    best, least, longest = -1, 2**62, -1
    for i in range(len(starts) - 1):
        begin, m = starts[i], starts[i + 1] - starts[i]
        if abs(n - m) > least:
            continue
        shared = 0
        while shared < min(n, m) and word[n - 1 - shared] == letters[begin + m - 1 - shared]:
            shared += 1
        # what both end in changes no distance
        rows, columns = m - shared, n - shared
        for k in range(columns + 1):
            row[k] = k
        for j in range(rows):
            diagonal, row[0] = row[0], j + 1
            for k in range(columns):
                cost = diagonal if letters[begin + j] == word[k] else diagonal + 1
                diagonal = row[k + 1]
                row[k + 1] = min(cost, diagonal + 1, row[k] + 1)
        distance = row[columns]
        if distance < least or (distance == least and shared > longest):
            best, least, longest = i, distance, shared
    return best, least
