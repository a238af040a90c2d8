"""``yardstick notebook`` in a checkout: what is run and saved in JupyterLab leaves git clean."""

import shutil
import subprocess

import pytest

from analysis.corpora.folders import checkout

pytest.importorskip("playwright.sync_api")
ROOT = checkout()
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        ROOT is None or not (ROOT / ".git").exists() or shutil.which("git") is None, reason="not a checkout of git"
    ),
]


def git(folder, *words):
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_a_notebook_that_is_opened_run_and_saved_leaves_git_clean(open_with, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--shared", str(ROOT), str(clone))
    changed = git(ROOT, "ls-files", "--modified", "--others", "--exclude-standard").splitlines()
    for name in (name for name in changed if (ROOT / name).is_file()):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    before = git(clone, "status", "--porcelain")
    lab = open_with(["analysis", "notebook", "clark2002"], "05_clark2002.ipynb", PYTHONPATH=str(clone))
    lab.cells.first.locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    lab.settle()
    lab.page.keyboard.press("Control+S")
    lab.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = (clone / "work" / "05_clark2002.ipynb").read_text(encoding="utf-8")
    shipped = (clone / "notebooks" / "05_clark2002.ipynb").read_text(encoding="utf-8")
    assert '"execution_count": 1' in saved and '"execution_count": 1' not in shipped
    assert git(clone, "status", "--porcelain") == before
