"""Code the words of a text that are given by their places in its bytes."""

import re

import numpy as np
import pandas as pd

from analysis.structures.columns import Coded

_WIDTH = 8  # bytes of one 64-bit number
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(_WIDTH + 1)], dtype=np.uint64)
_LONG = 256  # bytes; longer words are compared one by one
#: White space of Unicode beyond ASCII.
_WIDE_SPACE = re.compile(rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80")


def has_wide_space(data: bytes) -> bool:
    r"""Whether a text in UTF-8 has white space beyond ASCII, such as a no-break space.

    Examples
    --------
    >>> has_wide_space("a\u00a0b".encode()), has_wide_space("é b".encode())
    (True, False)
    """
    return not data.isascii() and _WIDE_SPACE.search(data) is not None


def distinct_spans(data: bytes, starts: np.ndarray, ends: np.ndarray) -> Coded:
    r"""Give equal spans of a text equal codes.

    The bytes of a span are compared as 64-bit numbers, eight bytes at a time, for all spans at once.

    Parameters
    ----------
    data : bytes
        UTF-8 without bytes 0x00, as `analysis.corpora.opening.open_text` returns it.
    starts, ends : ndarray of integers, shape (n_spans,)
        First byte of each span, and the byte after its last.

    Returns
    -------
    Coded
        Values in order of their first use.

    Examples
    --------
    >>> spans = distinct_spans(b"the cat the dog", np.array([0, 4, 8, 12]), np.array([3, 7, 11, 15]))
    >>> spans.codes.tolist(), spans.values
    ([0, 1, 0, 2], ['the', 'cat', 'dog'])
    """
    size = np.asarray(ends) - starts
    room = int(np.max(ends, initial=0)) + _WIDTH  # a number may be read from the end of the last span on
    buffer = data if len(data) >= room else data + bytes(_WIDTH)
    window = np.ndarray((len(buffer) - _WIDTH + 1,), dtype="<u8", buffer=buffer, strides=(1,))

    def piece(rows: np.ndarray | slice, at: int) -> np.ndarray:
        return pd.factorize(window[starts[rows] + at] & _MASKS[np.minimum(size[rows] - at, _WIDTH)])[0]

    codes, at = piece(slice(None), 0), _WIDTH
    distinct = int(codes.max(initial=-1)) + 1
    longer = np.flatnonzero(size > at)
    further = len(longer) > 0
    while len(longer):
        before = codes[longer]
        if at < _LONG:
            following = piece(longer, at)
        else:
            rests: dict[bytes, int] = {}
            bounds = zip((starts[longer] + at).tolist(), ends[longer].tolist(), strict=True)
            following = np.array([rests.setdefault(data[begin:end], len(rests)) for begin, end in bounds])
        both, _ = pd.factorize(before * (int(following.max()) + 1) + following)
        codes[longer] = int(codes.max()) + 1 + both
        longer, at = (longer[size[longer] > at + _WIDTH], at + _WIDTH) if at < _LONG else (longer[:0], at)
    if further:
        codes, numbers = pd.factorize(codes)
        distinct = len(numbers)
    first = np.empty(distinct, dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    bounds = zip(starts[first].tolist(), ends[first].tolist(), strict=True)
    return Coded(codes, [data[begin:end].decode("utf-8") for begin, end in bounds])
