"""A real JupyterLab and a real Voilà on the loopback address, each with an empty home, and Chromium to drive them."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from unittest import mock

import nbformat
import pytest
from click.testing import CliRunner

from analysis.__main__ import main
from analysis.corpora.folders import notebooks_folder

NOTEBOOK = "01_frank2009.ipynb"
HOMES = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
    "MPLCONFIGDIR",
)
LAB = [
    *["jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--ServerApp.port_retries=0"],
    *["--ServerApp.root_dir=.", "--IdentityProvider.token=", "--ServerApp.password="],
    *["--LabApp.expose_app_in_browser=True", "--KernelManager.transport_encryption=auto"],
]
FLAGS = [
    *["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    *["--disable-component-update", "--disable-sync", "--no-first-run"],
]
READY = """() => { const s = window.jupyterapp?.shell?.currentWidget?.sessionContext; return s && s.isReady
  && s.session?.kernel?.connectionStatus === 'connected' && s.session.kernel.status === 'idle'; }"""
PATIENCE = 600_000


def chromium():
    """The path of a Chromium or Chrome on this machine, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    return None


def pytest_collection_modifyitems(items):
    if chromium() is not None:
        return
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="drives a browser, and no chromium is on the PATH"))


@contextlib.contextmanager
def serve(command, probe, home, cache, configured=False, **variables):
    """Start a server in the folder ``home``, give its address once it answers, and end it with its kernels.

    ``configured``: a command of ours that starts JupyterLab has the options of the server from a file.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {name: str(home / name.lower()) for name in HOMES} | {"ANALYSIS_CACHE": str(cache)}
    environment |= variables
    settings = home / "jupyterlab_settings_dir/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    settings.parent.mkdir(parents=True)  # without it a notice of news covers the page
    settings.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}))
    log = home / "server.log"
    if configured:
        (home / "jupyter_config_dir").mkdir()
        server = {"port": port, "port_retries": 0, "open_browser": False, "allow_root": True, "password": ""}
        chosen = {"ServerApp": server, "IdentityProvider": {"token": ""}, "LabApp": {"expose_app_in_browser": True}}
        (home / "jupyter_config_dir/jupyter_lab_config.json").write_text(json.dumps(chosen))
    with log.open("wb") as stream:
        command = [sys.executable, "-m", *command, *([] if configured else [f"--port={port}"])]
        process = subprocess.Popen(
            command, cwd=home, env=environment, stdout=stream, stderr=stream, start_new_session=True
        )
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            if process.poll() is not None:
                raise RuntimeError(log.read_text())
            try:
                urllib.request.urlopen(base + probe, timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise RuntimeError(f"no answer from {base}{probe}:\n{log.read_text()}")
        yield base
    finally:
        process.terminate()  # one signal: it ends its kernels itself; a second would leave them behind
        process.wait(60)


class ShownExplorer:
    """One explorer on a page: its controls, its one picture, its table."""

    def __init__(self, place):
        self.place = place
        self.image = place.locator("img[src^='data:image/png']")

    def slider(self, name):
        return self._control(name).get_by_role("slider")

    def readout(self, name):
        return self._control(name).locator(".widget-readout")

    def dropdown(self, name):
        return self._control(name).locator("select")

    def text(self, name):
        return self._control(name).locator("input, textarea")

    def _control(self, name):
        label = self.place.page.locator(".widget-label").filter(has_text=re.compile(f"^{re.escape(name)}$"))
        return self.place.locator(".widget-inline-hbox").filter(has=label)

    def rows(self):
        """The printed table, one dictionary per row."""
        names, *rows = self.place.locator("table").evaluate(
            "table => [...table.rows].map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        )
        return [dict(zip(names, row, strict=True)) for row in rows]


class Lab:
    """A notebook open in JupyterLab."""

    def __init__(self, page):
        self.page = page
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        self.cells = self.panel.locator(".jp-CodeCell")

    def cell(self, source):
        """The code cell whose source contains a text."""
        return self.cells.filter(has=self.page.locator(".cm-content", has_text=source))

    def explorer(self, source):
        return ShownExplorer(self.cell(source))

    def run_all(self):
        from playwright.sync_api import expect

        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        last = self.cells.last.locator(".jp-InputPrompt", has_text=re.compile(r"\[\d+\]:"))
        error = self.panel.locator('[data-mime-type="application/vnd.jupyter.error"]')  # the cells after it do not run
        expect(last.or_(error).first).to_be_attached(timeout=PATIENCE)
        assert error.all_text_contents() == []
        self.page.wait_for_function(READY, timeout=60_000)

    def run_again(self, source):
        self.cell(source).locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")

    def settle(self):
        """Wait until the kernel has answered everything that was asked of it."""
        self.page.wait_for_timeout(300)
        self.page.wait_for_function(READY, timeout=60_000)

    def complaints(self):
        """Texts of all errors and of everything printed to stderr."""
        kinds = (f'[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in ("stderr", "error"))
        return self.panel.locator(", ".join(kinds)).all_text_contents()


@pytest.fixture(scope="session")
def corpus():
    """The corpus that the notebook's cell of parameters names."""
    cells = json.loads((notebooks_folder() / NOTEBOOK).read_text(encoding="utf-8"))["cells"]
    parameters = next("".join(cell["source"]) for cell in cells if "parameters" in cell["metadata"].get("tags", []))
    return re.search(r'^corpus = "(\w+)"', parameters, flags=re.MULTILINE)[1]


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def cache(small_cache):
    """The cache of the servers: that of the tests."""
    return Path(os.environ.get("ANALYSIS_CACHE") or small_cache)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder that begins with nothing in it but the notebook."""
    folder = tmp_path_factory.mktemp("home")
    shutil.copy(notebooks_folder() / NOTEBOOK, folder)
    return folder


def copy_of_its_explorers(name, folder, only=""):
    """Put what a reader clicks on in a notebook into a folder: its first two code cells and its explorers, with the
    specifications that one of them shows.

    The other cells are executed once, without a browser, in tests/notebooks.
    """
    notebook = nbformat.read(notebooks_folder() / name, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    wanted = ("= explore.", ".robustness(")
    notebook.cells = [*code[:2], *(cell for cell in code[2:] if any(each in cell.source for each in wanted)
                                   and only in cell.source)]  # fmt: skip
    nbformat.write(notebook, folder / name)


def write_notebook(path, cells):
    """Write a notebook of cells of code."""
    notebook = nbformat.read(notebooks_folder() / NOTEBOOK, as_version=4)  # which names its kernel
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory, cache):
    """The notebook's explorers in JupyterLab, all cells run once."""
    home = tmp_path_factory.mktemp("home")
    copy_of_its_explorers(NOTEBOOK, home)
    with serve(LAB, "/api/status", home, cache) as base:
        page = browser.new_page(viewport={"width": 1300, "height": 1600})
        page.goto(f"{base}/lab/tree/{NOTEBOOK}?reset")
        page.wait_for_function(READY, timeout=120_000)
        opened = Lab(page)
        opened.run_all()
        yield opened
        page.close()


@pytest.fixture(scope="module")
def dashboard(browser, home, cache):
    """The notebook served by the command of ``make dashboard``: the page, and its first explorer."""
    from playwright.sync_api import expect

    with serve(dashboard_command(home), "/voila/static/voila.js", home, cache) as base:
        page = browser.new_page(viewport={"width": 1300, "height": 1600})
        page.goto(base + "/", wait_until="domcontentloaded", timeout=PATIENCE)
        first = page.locator(".widget-vbox").filter(has_text="HC linkage").filter(has=page.locator("img")).last
        expect(first.locator("img")).to_have_count(1, timeout=PATIENCE)
        last = page.locator(".widget-vbox").filter(has_text="frame words carry clusters")
        last = last.filter(has=page.locator("table")).last
        expect(last.locator("table")).to_have_count(1, timeout=PATIENCE)
        yield page, ShownExplorer(first)
        page.close()


def dashboard_command(home):
    """What ``make dashboard`` starts for the paper's notebook, its copy in a folder, without opening a browser."""
    makefile = (notebooks_folder().parent / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^dashboard:.*\n\t\$\(BIN\)/python -m analysis dashboard", makefile, flags=re.MULTILINE)
    with mock.patch("analysis.__main__.subprocess.run", return_value=subprocess.CompletedProcess([], 0)) as started:
        done = CliRunner().invoke(main, ["dashboard", "frank2009", "--folder", str(home)])
    assert done.exit_code == 0, done.output
    python, module, *words = started.call_args.args[0]
    assert (python, module, words[:2]) == (sys.executable, "-m", ["voila", str(home / NOTEBOOK)])
    return ["voila", NOTEBOOK, *words[2:], "--no-browser", "--Voila.ip=127.0.0.1", "--Voila.root_dir=."]


@pytest.fixture
def open_notebook(browser, tmp_path_factory, cache):
    """Open an explorer of any notebook, or cells of code, in a JupyterLab of its own, all cells run once."""
    with contextlib.ExitStack() as stack:

        def opened(name, only="", cells=()):
            folder = tmp_path_factory.mktemp("home")
            if cells:
                write_notebook(folder / name, cells)
            else:
                copy_of_its_explorers(name, folder, only)
            base = stack.enter_context(serve(LAB, "/api/status", folder, cache))
            page = browser.new_page(viewport={"width": 1300, "height": 1600})
            stack.callback(page.close)
            page.goto(f"{base}/lab/tree/{name}?reset")
            page.wait_for_function(READY, timeout=120_000)
            lab = Lab(page)
            lab.run_all()
            return lab

        yield opened


@pytest.fixture
def open_dashboard(browser, tmp_path_factory, cache):
    """Open cells of code as the command of ``make dashboard`` serves them."""
    with contextlib.ExitStack() as stack:

        def opened(cells):
            folder = tmp_path_factory.mktemp("home")
            write_notebook(folder / NOTEBOOK, cells)
            base = stack.enter_context(serve(dashboard_command(folder), "/voila/static/voila.js", folder, cache))
            page = browser.new_page(viewport={"width": 1300, "height": 1600})
            stack.callback(page.close)
            page.goto(base + "/", wait_until="domcontentloaded", timeout=PATIENCE)
            return page

        yield opened


@pytest.fixture
def open_with(browser, tmp_path_factory, cache):
    """Open a notebook in the JupyterLab that a command of the suite starts; no cell is run."""
    with contextlib.ExitStack() as stack:

        def opened(command, name, **variables):
            home = tmp_path_factory.mktemp("home")
            base = stack.enter_context(serve(command, "/api/status", home, cache, configured=True, **variables))
            page = browser.new_page(viewport={"width": 1300, "height": 1600})
            stack.callback(page.close)
            page.goto(f"{base}/lab/tree/{name}?reset")
            page.wait_for_function(READY, timeout=120_000)
            return Lab(page)

        yield opened
