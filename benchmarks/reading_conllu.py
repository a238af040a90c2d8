"""Time and memory of reading 200,000 words of CoNLL-U, against the package conllu, on one generated file.

Each measurement has a process of its own: both import what they need and read a small file first, so that only the
reading of the large one counts. Memory is how much the process's largest resident set grows meanwhile.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

WORDS = 200_000

_MEASURE = """
import sys, time
from benchmarks._memory import peak_mebibytes
{setup}

read(sys.argv[1])
before = peak_mebibytes()
start = time.perf_counter()
result = read(sys.argv[2])
seconds = time.perf_counter() - start
print(seconds, peak_mebibytes() - before, {count})
"""

READERS = {
    "analysis": ("from analysis.corpora.conll import read_conllu as read", "len(result)"),
    "conllu": (
        "import conllu\ndef read(path):\n    return conllu.parse(open(path, encoding='utf-8').read())",
        "sum(isinstance(token['id'], int) for sentence in result for token in sentence)",
    ),
}


def generated(words: int, random_state: int = 0) -> str:
    """CoNLL-U text of random words, with features, comments and a multiword token in each sentence."""
    rng = np.random.default_rng(random_state)
    tags = np.array(["NOUN", "VERB", "ADJ", "DET", "ADP", "PRON", "PUNCT"])
    features = np.array(["_", "Number=Sing", "Case=Nom|Gender=Com|Number=Plur", "Mood=Ind|Tense=Past|VerbForm=Fin"])
    blocks, left, sentence = [], words, 0
    while left:
        length = int(min(left, rng.integers(3, 25)))
        left -= length
        forms = [f"word{number}" for number in rng.zipf(1.2, length) % 20_000]
        drawn = rng.integers(0, [[len(tags)], [len(features)], [40]], (3, length))
        lines = [f"# sent_id = generated-{sentence}", f"# text = {' '.join(forms)}", "1-2\tboth\t" + "\t".join("_" * 8)]
        for i, form in enumerate(forms):
            head = 0 if i == 0 else int(rng.integers(1, i + 1))
            tag, feature, relation = tags[drawn[0, i]], features[drawn[1, i]], f"relation{drawn[2, i]}"
            lines.append(f"{i + 1}\t{form}\t{form}\t{tag}\t{tag}x\t{feature}\t{head}\t{relation}\t_\tSpaceAfter=No")
        blocks.append("\n".join(lines) + "\n\n")
        sentence += 1
    return "".join(blocks)


def main(words: int = WORDS, repeats: int = 3) -> pd.DataFrame:
    """Best of the repeats, taken in turns; ``share`` is our figure as a share of the peer's."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.conllu", Path(folder) / "large.conllu"
        small.write_text(generated(50), encoding="utf-8")
        large.write_text(generated(words), encoding="utf-8")
        for _ in range(repeats):
            for reader, (setup, count) in READERS.items():
                command = [sys.executable, "-c", _MEASURE.format(setup=setup, count=count), str(small), str(large)]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
                rows.append([reader, float(output[0]), float(output[1]), int(output[2])])
    measured = pd.DataFrame(rows, columns=["reader", "seconds", "mebibytes", "words"])
    table = measured.groupby("reader", observed=True).min().reset_index()
    for column in ("seconds", "mebibytes"):
        table[f"{column}_share"] = table[column] / table[column].to_numpy()[table["reader"] == "conllu"][0]
    print(table.to_string(index=False, float_format="%.3f"))
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=WORDS)
    main(parser.parse_args().words)
