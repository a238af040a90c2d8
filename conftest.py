"""Real corpora are skipped by name where they are not at hand; other tests get a cache folder of their own."""

import os

import pytest
from hypothesis import settings

# No test is timed; a run of CI draws the same examples each time, other runs draw new ones.
settings.register_profile("yardstick", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("yardstick")

NO_MIRROR = "reads a real corpus: set ANALYSIS_MIRROR to a folder or address with copies of the catalogue's files"


def pytest_collection_modifyitems(items):
    if os.environ.get("ANALYSIS_MIRROR", "").strip():
        return
    for item in items:
        if item.get_closest_marker("real_corpus"):
            item.add_marker(pytest.mark.skip(reason=NO_MIRROR))


@pytest.fixture(scope="session")
def small_cache(tmp_path_factory):
    """A cache folder for this run, empty at first; all workers of pytest-xdist share it, as files of one process do."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-cache"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def own_cache(request, monkeypatch, small_cache):
    """Keep the user's cache out of tests, unless the environment names one or the test reads a real corpus.

    Real corpora are parsed once into the user's cache folder, not anew for every run.
    """
    if "ANALYSIS_CACHE" not in os.environ and not request.node.get_closest_marker("real_corpus"):
        monkeypatch.setenv("ANALYSIS_CACHE", str(small_cache))
