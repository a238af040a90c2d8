"""What all tests share: caches of their own, kernels compiled once, notebooks executed once.

Marks say what a test needs; one without a mark needs nothing and is quick.

- ``real_corpus``: a corpus of the catalogue; skipped by name where no mirror is set.
- ``notebook``: the execution of a notebook of the suite. Each is executed once in a session (``executed_notebook``).
- ``browser``: JupyterLab or Voilà in Chromium; skipped where there is none. Only where a click or a key matters.
- ``thorough``: long chains, enumeration, processes of their own; left out by ``make test-fast``, run by ``make test``.
  A whole file has the mark where it draws the built-in language or many figures, writes whole reports, builds a wheel
  or drives explorers. A single test has it that takes half a second.
- ``slow``: more than ten seconds on one core; left out by ``make test``, run by ``make test-all``.
"""

import contextlib
import gc
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent
collect_ignore = ["tests/structures/every_measure.py", "tests/structures/hiding.py"]  # programs that a test starts

# Tests run in several processes already: what takes all cores by default starts no more of them here.
# Tests of parallel runs name a number of processes.
os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")

# Threads of linear algebra that wait for each other take a core each while the other workers need it: on two busy cores
# a singular value decomposition took 15 to 50 times as much time with two threads as with one. Kernels of notebooks and
# other processes that a test starts inherit it. It is read when NumPy is imported, so it is set before.
for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

# A process that has imported and compiled so much has few cycles among very many objects: look for them less often.
gc.set_threshold(100_000, 50, 100)

# No test is timed; a run of CI draws the same examples each time, other runs draw new ones.
settings.register_profile("yardstick", deadline=None, derandomize="CI" in os.environ)
settings.register_profile("fast", deadline=None, max_examples=5)  # make test-fast
settings.load_profile("yardstick")

CACHE_IS_NAMED = "ANALYSIS_CACHE" in os.environ
NO_MIRROR = "reads a real corpus: set ANALYSIS_MIRROR to a folder or address with copies of the catalogue's files"
FIRST = ("tests/notebooks", "tests/browser", "tests/papers")  # what takes longest begins first, so that it ends in time


def compiled_folder():
    """Where compiled kernels are kept between runs: one folder per state of their sources."""
    from analysis.structures.compiled import kernel_digest

    return ROOT / ".cache" / "numba" / kernel_digest()


def pytest_configure(config):
    """Name the folder of compiled kernels before numba is imported; compile before there is more than one process."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    folder = compiled_folder()
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if getattr(config.option, "numprocesses", None) and not folder.is_dir():
        subprocess.run([sys.executable, str(ROOT / "conftest.py")], check=False)


def pytest_collection_modifyitems(items):
    if not os.environ.get("ANALYSIS_MIRROR", "").strip():
        for item in items:
            if item.get_closest_marker("real_corpus"):
                item.add_marker(pytest.mark.skip(reason=NO_MIRROR))
    items.sort(key=lambda item: next((rank for rank, name in enumerate(FIRST) if name in item.nodeid), len(FIRST)))


@contextlib.contextmanager
def one_at_a_time(path):
    """Hold the lock that is the file ``path``, against threads and processes."""
    while True:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            time.sleep(0.1)
    try:
        yield
    finally:
        path.unlink()


@pytest.fixture(scope="session")
def small_cache(tmp_path_factory):
    """A cache folder for this run, empty at first; all workers of pytest-xdist share it, as files of one process do."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-cache"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="module", autouse=True)
def cache_of_module(small_cache):
    """Keep the user's cache out of tests and of what the tests of a file share, unless the environment names one."""
    with pytest.MonkeyPatch.context() as patch:
        if not CACHE_IS_NAMED:
            patch.setenv("ANALYSIS_CACHE", str(small_cache))
        yield


@pytest.fixture(autouse=True)
def own_cache(request, monkeypatch, cache_of_module):
    """Parse real corpora once into the user's cache folder, not anew for every run."""
    if not CACHE_IS_NAMED and request.node.get_closest_marker("real_corpus"):
        monkeypatch.delenv("ANALYSIS_CACHE")


@pytest.fixture(autouse=True)
def own_data_home(monkeypatch, small_cache):
    """Keep what the user has registered out of tests; the folder is made by whoever registers something."""
    monkeypatch.setenv("ANALYSIS_DATA_HOME", str(small_cache / f"data-home-{uuid.uuid4().hex}"))


@pytest.fixture(scope="session")
def executed_notebook(small_cache):
    """Give a notebook of the suite as its one execution in this session left it, whichever worker asked first.

    After the last cell, the solutions of its exercises and wrong answers were checked, a cell for each exercise; then
    its first sliders were moved (`MOVED`). The outputs of these cells say whether they complained.
    """
    import nbformat

    from analysis.report.notebooks import execute, read_notebook
    from analysis.report.teaching import exercises, proof_cells

    folder = small_cache / "executed-notebooks"
    folder.mkdir(exist_ok=True)

    def executed(path):
        kept = folder / path.name
        with one_at_a_time(folder / f"{path.stem}.lock"):
            if not kept.exists():
                notebook = read_notebook(path)
                for cell in proof_cells(exercises(path.stem)):
                    cell.metadata["tags"] = ["raises-exception"]  # the test of the exercise tells
                    notebook.cells.append(cell)
                notebook.cells.append(nbformat.v4.new_code_cell(MOVED, id="moved"))
                nbformat.write(execute(notebook, timeout=600), kept)
        return nbformat.read(kept, as_version=4)

    return executed


#: Moves the first three sliders of a notebook by one step, as a key does, and says what each is and shows then.
MOVED = """
import ipywidgets

def inside(box):
    return [each for child in getattr(box, "children", ()) for each in (child, *inside(child))]

shown = dict.fromkeys(value for value in list(globals().values()) if isinstance(value, ipywidgets.Box))
kinds = (ipywidgets.IntSlider, ipywidgets.FloatSlider, ipywidgets.SelectionSlider)
sliders = [each for box in shown for each in inside(box) if isinstance(each, kinds) and not each.disabled]
for slider in sliders[:3]:
    before = slider.value
    if isinstance(slider, ipywidgets.SelectionSlider):
        slider.index = min(slider.index + 1, len(slider.options) - 1)
    else:
        slider.value += slider.step if slider.value < slider.max else -slider.step
    print(slider.description, before, slider.value, sep=" | ")
for box in shown:
    assert not getattr(box, "error", ""), box.error
"""


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_CACHE_DIR", str(compiled_folder()))
    from analysis.structures.compiled import compile_kernels

    compile_kernels()


@pytest.fixture(scope="session")
def drawing_faults():
    """Give a function that lists what is wrong with the words of a figure: outside of it, or on each other."""
    return _drawing_faults


def _drawing_faults(figure):
    from itertools import combinations

    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from analysis.figures import use_style

    with use_style():
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        boxes = [(text, text.get_window_extent(canvas.get_renderer())) for text in _texts(figure)]
    whole = figure.bbox.padded(1)
    faults = [
        f"{text.get_text()!r} leaves the figure"
        for text, box in boxes
        if not (whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1)
    ]
    upright = [(text, box) for text, box in boxes if text.get_rotation() % 90 == 0]
    for (text, box), (other, its_box) in combinations(upright, 2):
        width = min(box.x1, its_box.x1) - max(box.x0, its_box.x0)
        height = min(box.y1, its_box.y1) - max(box.y0, its_box.y0)
        if width > 1 and height > 1:
            faults.append(f"{text.get_text()!r} lies on {other.get_text()!r}")
    return faults


def _texts(figure):
    """Every text of a figure that is drawn; labels of ticks only inside the limits of their axis."""
    texts = list(figure.texts) + [text for legend in figure.legends for text in legend.get_texts()]
    for ax in (ax for ax in figure.axes if ax.get_visible()):
        texts += [*ax.texts, ax.title, ax._left_title, ax._right_title]
        texts += ax.get_legend().get_texts() if ax.get_legend() else []
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            low, high = sorted(axis.get_view_interval())
            margin = 1e-9 * (high - low)
            ticks = [tick for which in ("major", "minor") for tick in getattr(axis, f"get_{which}_ticks")()]
            inside = [tick for tick in ticks if low - margin <= tick.get_loc() <= high + margin]
            texts += [axis.label] + [label for tick in inside for label in (tick.label1, tick.label2)]
    return [text for text in dict.fromkeys(texts) if text.get_visible() and text.get_text().strip()]
