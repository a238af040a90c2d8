"""What a signature is made of: names, numbers, and eight digits that tell one scored gold standard from another."""

import hashlib
import re
from collections.abc import Iterable
from typing import Any

import numpy as np


def gold_digest(*columns: Iterable[Any]) -> str:
    r"""Digest of the units that were scored: their gold labels, heads, forms or brackets, column by column.

    Parameters
    ----------
    *columns : arrays or other iterables
        Arrays of numbers count by value, whatever their type; other values as strings.

    Returns
    -------
    str
        The first eight hexadecimal digits of a SHA-256.

    Examples
    --------
    >>> gold_digest(["N", "V"], np.array([0, 1])) == gold_digest(["N", "V"], np.array([0, 1], dtype=np.int8))
    True
    >>> gold_digest(["N", "V"]) == gold_digest(["NV"])
    False
    """
    digest = hashlib.sha256()
    for column in columns:
        if isinstance(column, np.ndarray) and column.dtype.kind in "iub":
            content = np.ascontiguousarray(column, dtype="<i8").tobytes()
        else:
            content = "\x1f".join(map(str, column)).encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:8]


def plain_number(number: float) -> str:
    """All digits of a number; a whole one without a point.

    Examples
    --------
    >>> plain_number(2.0), plain_number(0.95)
    ('2', '0.95')
    """
    return repr(float(number)).removesuffix(".0")


def slug(text: str) -> str:
    """A name as a signature has it.

    Examples
    --------
    >>> slug("average crossing"), slug("MacroI (many-to-one)"), slug("H(C|K)")
    ('average-crossing', 'macroi-(many-to-one)', 'h(c-k)')
    """
    return re.sub(r"[^\w()/]+", "-", text).strip("-").lower()
