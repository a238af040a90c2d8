"""The most memory that a process has held, of this program alone."""

import contextlib
from pathlib import Path

_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak_mebibytes() -> float:
    """The most memory that this process has held; on Linux since `forget_peak`, and not the parent's."""
    if _STATUS.exists():  # what getrusage tells on Linux is the parent's, if that held more
        return int(_STATUS.read_text(encoding="utf-8").split("VmHWM:")[1].split()[0]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forget_peak() -> None:
    """Count the most memory from now on, where that can be done (Linux)."""
    with contextlib.suppress(OSError):
        _FORGET.write_text("5", encoding="utf-8")
