"""Reading CHAT transcripts against pylangacq: the same files, the same run, both up to a table of words.

The files are the Manchester corpus where it is at hand (ANALYSIS_MIRROR), else generated transcripts. Both readers get
the same texts in memory and read all speakers; pylangacq reads them with ``strict=False``, as it refuses these files
otherwise. A last row times our reader from the packed archive, child-directed speech only, as ``corpora.load`` does.
"""

import time
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd

from analysis.corpora import NotAtHandError, locate, read_chat
from analysis.corpora.chat import _transcripts

GENERATED_FILES, GENERATED_UTTERANCES = 40, 800


def generated(files: int, utterances: int, random_state: int = 0) -> list[tuple[str, bytes]]:
    """Transcripts of random utterances with contractions, retracings and replacements."""
    rng = np.random.default_rng(random_state)
    pieces = [(f"word{n}", f"n|word{n}") for n in range(5000)]
    pieces += [("it's", "pro|it~v:cop|be&3S"), ("the [/] the", "det|the"), ("won't [: willn't]", "mod|will~neg|not")]
    transcripts = []
    for number in range(files):
        lines = ["@UTF8", "@Begin", "@Participants:\tCHI Target_Child , MOT Mother"]
        for _ in range(utterances):
            drawn = [pieces[i] for i in np.minimum(rng.zipf(1.3, rng.integers(1, 12)), len(pieces)) * -1]
            speaker = "MOT" if rng.random() < 0.6 else "CHI"
            lines += [f"*{speaker}:\t{' '.join(word for word, _ in drawn)} ."]
            lines += [f"%mor:\t{' '.join(item for _, item in drawn)} ."]
        transcripts.append((f"{number:03}.cha", "\n".join([*lines, "@End", ""]).encode()))
    return transcripts


def pylangacq_table(texts: list[str]) -> pd.DataFrame:
    """What pylangacq reads, one row per word."""
    import pylangacq

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one for each utterance that it empties, thousands
        reader = pylangacq.CHAT.from_strs(texts, strict=False)
    tokens = [(token.word, token.pos, token.mor) for token in reader.tokens()]
    return pd.DataFrame(tokens, columns=["form", "fine", "lemma"])


def timed(action: Callable[[], object], repeats: int = 2) -> float:
    """Seconds of the quickest of some runs."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main() -> pd.DataFrame:
    """Measure, print and return the table: reader, files, utterances, seconds, utterances a second, ratio to ours."""
    try:
        paths = locate("manchester")
        transcripts, corpus = list(_transcripts(paths, [])), "manchester"
    except NotAtHandError:
        paths = []
        transcripts, corpus = generated(GENERATED_FILES, GENERATED_UTTERANCES), "generated"
    texts = [content.decode("utf-8") for _, content in transcripts]
    utterances = sum(text.count("\n*") for text in texts)
    runs: list[tuple[str, Callable[[], object]]] = [
        ("analysis, one process", lambda: read_chat(transcripts, strict=False, exclude_roles=())),
        ("analysis, two processes", lambda: read_chat(transcripts, strict=False, exclude_roles=(), n_jobs=2)),
        ("pylangacq", lambda: pylangacq_table(texts)),
    ]
    if paths:
        runs.append(("analysis, from the archive, adults only", lambda: read_chat(paths, strict=False)))
    seconds = {name: timed(action) for name, action in runs}
    ours = seconds["analysis, one process"]
    table = pd.DataFrame(
        {
            "reader": list(seconds),
            "corpus": corpus,
            "files": len(transcripts),
            "utterances": utterances,
            "seconds": list(seconds.values()),
            "utterances a second": [utterances / value for value in seconds.values()],
            "time over ours": [value / ours for value in seconds.values()],
        }
    )
    print(table.to_string(index=False))
    return table


if __name__ == "__main__":
    main()
