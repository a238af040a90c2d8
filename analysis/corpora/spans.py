"""Code the words of a text that are given by their places in its bytes."""

import re

import numpy as np

from analysis.structures.columns import Coded
from analysis.structures.labels import number_codes

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
    codes, first = span_codes(data, starts, ends)
    bounds = zip(starts[first].tolist(), ends[first].tolist(), strict=True)
    return Coded(codes, [data[begin:end].decode("utf-8") for begin, end in bounds])


def span_codes(data: bytes, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""Give equal spans equal codes, in order of their first use, and find the first span of each code.

    The bytes of a span are compared as 64-bit numbers, eight bytes at a time, for all spans at once.

    Parameters
    ----------
    data, starts, ends
        As in `distinct_spans`.

    Examples
    --------
    >>> codes, first = span_codes(b"the cat the dog", np.array([0, 4, 8, 12]), np.array([3, 7, 11, 15]))
    >>> codes.tolist(), first.tolist()
    ([0, 1, 0, 2], [0, 1, 3])
    """
    size = ends - starts
    buffer = data if len(data) >= _WIDTH else data + bytes(_WIDTH)
    last = len(buffer) - _WIDTH
    window = np.ndarray((last + 1,), dtype="<u8", buffer=buffer, strides=(1,))
    at_end = int(np.max(ends, initial=0)) > last

    def piece(begins: np.ndarray, left: np.ndarray) -> np.ndarray:
        masks = _MASKS[np.minimum(left, _WIDTH)]
        if not at_end:
            return window[begins] & masks
        inside = np.minimum(begins, last)  # of the last bytes the number is read from further left
        return (window[inside] >> (8 * (begins - inside)).astype(np.uint64)) & masks

    codes, first = number_codes(piece(starts, size))
    longer, at = np.flatnonzero(size > _WIDTH), _WIDTH
    if not len(longer):
        return codes, first
    highest = len(first)
    while len(longer):
        if at < _LONG:
            following = number_codes(piece(starts[longer] + at, size[longer] - at))[0]
        else:
            rests: dict[bytes, int] = {}
            bounds = zip((starts[longer] + at).tolist(), ends[longer].tolist(), strict=True)
            following = np.array([rests.setdefault(data[begin:end], len(rests)) for begin, end in bounds])
        both, distinct = number_codes((codes[longer] * (int(following.max()) + 1) + following).view(np.uint64))
        codes[longer] = highest + both
        highest += len(distinct)
        longer, at = (longer[size[longer] > at + _WIDTH], at + _WIDTH) if at < _LONG else (longer[:0], at)
    return number_codes(codes.view(np.uint64))
