import hashlib
import os
import subprocess
import sys

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis import figures

DRAW = """
import sys, pandas as pd
from analysis import figures
points = pd.DataFrame({"system": ["HC", "FF", "ours"], "k": [12, 53, 80], "precision": [.5, .4, .2]})
points["recall"] = [.2, .3, .1]
figure = figures.precision_against_recall(points, printed=points).figure
figures.save_figure(figure, sys.argv[1], "points", alt="Three points", caption="Made up, n = 3")
"""


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.thorough
def test_two_processes_write_the_same_bytes(tmp_path):
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", DRAW, str(tmp_path / seed)], env=environment, check=True)
    first, second = digests(tmp_path / "1"), digests(tmp_path / "2")
    assert sorted(first) == ["points.pdf", "points.png", "points.svg", "points.txt"]
    assert first == second


def test_the_same_figure_saved_twice_has_the_same_bytes(tmp_path):
    counts = pd.DataFrame({"rank": range(1, 30), "frequency": range(30, 1, -1)})
    figure = figures.frequency_rank(counts).figure
    for name in ("one", "two"):
        figures.save_figure(figure, tmp_path / name, "counts", alt="A line", caption="Made up")
    assert digests(tmp_path / "one") == digests(tmp_path / "two")


def test_a_fingerprint_sees_a_changed_number():
    tables = [pd.DataFrame({"rank": [1, 2], "frequency": [9, second]}) for second in (3, 3, 4)]
    first, same, other = (figures.fingerprint(figures.frequency_rank(table).figure) for table in tables)
    assert first == same != other


def test_the_words_stand_beside_the_figure_and_in_it(tmp_path):
    figures.save_figure(Figure(figsize=(1, 1)), tmp_path, "empty", alt="Nichts – leer", caption="n = 0")
    assert (tmp_path / "empty.txt").read_text(encoding="utf-8") == "Alt text: Nichts – leer\n\nCaption: n = 0\n"
    assert "Nichts – leer" in (tmp_path / "empty.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [{"alt": " ", "caption": "n"}, {"alt": "a", "caption": ""}])
def test_a_figure_without_words_is_not_written(words, tmp_path):
    with pytest.raises(ValueError, match="needs an alt text and a caption"):
        figures.save_figure(Figure(), tmp_path, "empty", **words)
    assert list(tmp_path.iterdir()) == []


def test_another_format_is_refused():
    with pytest.raises(ValueError, match="format is 'gif'"):
        figures.figure_bytes(Figure(), "gif")
