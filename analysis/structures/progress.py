"""Progress bar: on standard error in a terminal, as one line of output in a notebook."""

import io
import sys
from typing import Any

from analysis.structures.markup import html_text


def progress_bar(total: float | None = None, *, label: str, shown: bool = True, **options: Any) -> Any:
    """Make a tqdm bar that is removed when it is closed and never writes to a notebook's standard error.

    Parameters
    ----------
    total : float, optional
        Final value of the counter; without it the bar only counts.
    label : str
        Description of the task.
    shown : bool
        Whether the bar is shown; the environment variable ``TQDM_DISABLE=1`` hides all bars.
    **options
        Passed to tqdm: ``initial``, ``unit``, ``unit_scale``.

    Returns
    -------
    tqdm.tqdm
        A context manager.

    Examples
    --------
    >>> with progress_bar(2, label="reading", shown=False) as bar:
    ...     _ = bar.update()
    """
    from tqdm import tqdm

    options = {"total": total, "desc": label, "leave": False} | ({} if shown else {"disable": True}) | options
    if not in_notebook():
        return tqdm(file=sys.stderr, **options)

    class Bar(tqdm):
        """Writes into one output of the cell, which is emptied at the end."""

        def display(self, msg: str | None = None, pos: int | None = None) -> None:
            from IPython.display import display

            text = str(self) if msg is None else msg
            data = {"text/plain": text, "text/html": f"<pre>{html_text(text)}</pre>" if text else ""}
            if not hasattr(self, "_handle"):
                self._handle = display(data, raw=True, display_id=True)
            else:
                self._handle.update(data, raw=True)

    return Bar(file=io.StringIO(), ncols=80, **options)


def in_notebook() -> bool:
    """Return whether the code runs in a notebook kernel.

    Examples
    --------
    >>> in_notebook()
    False
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return hasattr(shell, "kernel")
