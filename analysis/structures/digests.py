"""What a signature is made of: names, numbers, and eight digits that tell one scored gold standard from another."""

import hashlib
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote

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


def joined(names: Iterable[str], empty: str = "none") -> str:
    """Names as one text, divided by blanks; a blank or a percent sign in a name is written as in an address.

    Parameters
    ----------
    names : iterable of str
    empty : str
        Text of no names; a single name that is this word is told apart from it.

    Examples
    --------
    >>> joined([".", "a b"]), joined([]), joined(["none"])
    ('. a%20b', 'none', '%6Eone')
    """
    texts = [percent_encoded(name, r"[\s%]") for name in names]
    if texts == [empty]:
        texts = [f"%{ord(empty[0]):02X}{empty[1:]}"]
    return " ".join(texts) or empty


def divided(text: str, empty: str = "none") -> tuple[str, ...]:
    """The names that `joined` made one text.

    Examples
    --------
    >>> divided(joined(["a b", "%", "none"])), divided("none")
    (('a b', '%', 'none'), ())
    """
    return () if text == empty else tuple(unquote(name) for name in text.split(" "))


def percent_encoded(text: str, marks: str) -> str:
    """A text with some characters, given by a regular expression, written as in an address.

    Examples
    --------
    >>> percent_encoded("a|b", "[|%]")
    'a%7Cb'
    """
    return re.sub(marks, lambda mark: quote(mark[0], safe=""), text)
