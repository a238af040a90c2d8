"""Where the lines and the tab-separated cells of a text begin and end."""

import numpy as np

_BYTES_AT_ONCE = 1 << 20


class Lines:
    r"""Places of the lines of a text, and of its tabs.

    Parameters
    ----------
    name : str
    data : bytes
        UTF-8; every line ends in LF, the last one too.

    Attributes
    ----------
    buffer : ndarray of uint8
        The bytes.
    starts, ends : ndarray of integers, shape (n_lines,)
        First byte of each line, and its line end.
    marks : ndarray of integers
        Places of all tabs and line ends.
    first : ndarray of integers, shape (n_lines,)
        ``marks[first[line]]`` is the first tab or the end of a line.

    Examples
    --------
    >>> lines = Lines("text", b"1\tLook\n\n2\tup\n")
    >>> lines.ends.tolist(), lines.tabs.tolist(), lines.marks[lines.first].tolist()
    ([6, 7, 12], [1, 0, 1], [1, 7, 9])
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data
        self.buffer = np.frombuffer(data, dtype=np.uint8)
        small = np.int32 if len(data) < 2**31 else np.int64
        found = [np.empty(0, dtype=small)]
        for at in range(0, len(data), _BYTES_AT_ONCE):  # masks of the whole text would take as much memory as the text
            block = self.buffer[at : at + _BYTES_AT_ONCE]
            found.append((np.flatnonzero((block == ord("\t")) | (block == ord("\n"))) + at).astype(small))
        self.marks = np.concatenate(found)
        last = np.flatnonzero(self.buffer[self.marks] == ord("\n"))
        self.ends = self.marks[last]
        self.starts = np.concatenate([np.zeros(1, dtype=small), self.ends[:-1] + 1])
        self.first = np.concatenate([np.zeros(1, dtype=small), last[:-1] + 1], dtype=small)

    @property
    def tabs(self) -> np.ndarray:
        """Number of tabs in each line."""
        return np.diff(self.first, append=len(self.marks)).astype(np.int32) - 1

    def text(self, line: int | np.integer) -> str:
        """Return a line without its line end."""
        return self.data[self.starts[line] : self.ends[line]].decode("utf-8", "replace")
