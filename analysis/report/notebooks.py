"""Run a notebook with given parameters and write it as a page that needs no network."""

import asyncio
import hashlib
import json
import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

import analysis
from analysis.corpora.folders import PACKAGE, data_folder
from analysis.experiments import cache_key, cached
from analysis.figures.saving import PAGE
from analysis.structures import DataError

#: Packages whose versions change the bytes of figures, tables and pages.
DRAWN_WITH = ("matplotlib", "nbconvert", "numpy", "pandas", "scipy", "seaborn", "statsmodels")
_WIDGET, _STATES = (f"application/vnd.jupyter.widget-{kind}+json" for kind in ("view", "state"))


class NotebookError(RuntimeError):
    """A cell of a notebook failed; the message gives the cell and the error."""


@cache
def library_version() -> str:
    """The suite's version and the SHA-256 of its source and page templates; if it changes, notebooks are run again.

    Examples
    --------
    >>> library_version().startswith(analysis.__version__)
    True
    """
    return f"{analysis.__version__} sha256:{_digest(PACKAGE, ('.py', '.j2'))}"


def versions() -> dict[str, str]:
    """The versions that a page depends on: the suite's and those of the packages that draw and write.

    Examples
    --------
    >>> "pandas" in versions()
    True
    """
    return {"library": library_version()} | {name: metadata.version(name) for name in DRAWN_WITH}


def shipped_data_version() -> str:
    """SHA-256 of the data that the suite ships: printed numbers, stored runs, word lists, rules.

    Examples
    --------
    >>> len(shipped_data_version())
    16
    """
    return _digest(data_folder())


def _digest(folder: Path, endings: tuple[str, ...] = ("",)) -> str:
    """The first 16 digits of the SHA-256 of a folder's files with one of the endings, and of their names."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.name.endswith(endings)):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def read_notebook(path: Path) -> NotebookNode:
    """A notebook file without outputs.

    Raises
    ------
    DataError
        If it is missing or not a notebook.
    """
    if not path.is_file():
        raise DataError(f"the notebook {path} is missing.")
    try:
        notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except Exception as error:
        raise DataError(f"{path} is not a notebook: {str(error)[:200]}") from error
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def with_parameters(notebook: NotebookNode, parameters: Mapping[str, object]) -> NotebookNode:
    """A copy in which a cell that sets the parameters follows the cell tagged ``parameters``.

    Raises
    ------
    DataError
        If there are parameters and no such cell, or a value has no plain written form.

    Examples
    --------
    >>> cell = nbformat.v4.new_code_cell("k = 1", metadata={"tags": ["parameters"]})
    >>> notebook = with_parameters(nbformat.v4.new_notebook(cells=[cell]), {"k": 53, "corpus": "nursery"})
    >>> print(notebook.cells[1].source)
    # Set by the report.
    k = 53
    corpus = 'nursery'
    """
    notebook = nbformat.from_dict(json.loads(json.dumps(notebook)))
    if not parameters:
        return notebook
    for name, value in parameters.items():
        if not name.isidentifier() or not (value is None or isinstance(value, (bool, int, float, str, list, tuple))):
            raise DataError(f"{name} = {value!r} cannot be a notebook's parameter.")
    lines = ["# Set by the report.", *(f"{name} = {value!r}" for name, value in parameters.items())]
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and "parameters" in cell.metadata.get("tags", []):
            new = nbformat.v4.new_code_cell("\n".join(lines), id="report-parameters")
            notebook.cells.insert(number + 1, new)
            return notebook
    raise DataError("the notebook has no cell tagged 'parameters'.")


def execute(notebook: NotebookNode, *, timeout: int = 1800) -> NotebookNode:
    """Run all cells in an empty folder and in this Python, without progress bars; the notebook is changed in place.

    Parameters
    ----------
    notebook : NotebookNode
    timeout : int
        Seconds that one cell may take.

    Raises
    ------
    NotebookError
        If a cell fails; with the cell, the error and its last line.
    """
    from jupyter_client import AsyncKernelManager
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from traitlets.config import Config

    class ThisPython(KernelSpecManager):
        """A kernel manager with one kernel: the running Python."""

        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(
                argv=command, display_name="Python 3", language="python", metadata={"supported_encryption": "curve"}
            )

    class Kernel(AsyncKernelManager):
        """A kernel in this Python."""

        def _kernel_spec_manager_default(self) -> KernelSpecManager:
            return ThisPython(parent=self)

    config = Config()
    config.KernelManager.transport_encryption = "auto"
    search = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"PYTHONPATH": search, "PYTHONHASHSEED": "0", "TQDM_DISABLE": "1", PAGE: "1"}
    with tempfile.TemporaryDirectory(prefix="notebook-") as folder:
        client = NotebookClient(
            notebook, kernel_manager_class=Kernel, timeout=timeout, record_timing=False, config=config,
            resources={"metadata": {"path": folder}},
        )  # fmt: skip
        try:
            _in_thread(client, environment)
        except CellTimeoutError as error:
            raise NotebookError(f"a cell took more than {timeout:,} seconds.") from error
        except DeadKernelError as error:
            raise NotebookError("the notebook's Python ended unexpectedly (out of memory?).") from error
        except CellExecutionError as error:
            failed = [
                number
                for number, cell in enumerate(notebook.cells)
                if any(output.output_type == "error" for output in cell.get("outputs", []))
            ]
            where = f"cell {failed[0] + 1}: " if failed else ""
            raise NotebookError(f"{where}{error.ename}: {error.evalue}") from error
    return notebook


def _in_thread(client: Any, environment: Mapping[str, str]) -> None:
    """Run the client in a second thread, so that Ctrl-C reaches the main thread, which ends the kernel and re-raises
    it.
    """
    loop = asyncio.new_event_loop()
    failure: list[BaseException] = []

    async def execute_and_clean() -> None:
        try:
            await client.async_execute(env=dict(environment))
        finally:  # nbclient cleans up after itself unless it is cancelled while the kernel starts
            if client.km is not None and client.km.has_kernel:
                await client.km.shutdown_kernel(now=True)
            if client.kc is not None:
                client.kc.stop_channels()

    task = loop.create_task(execute_and_clean())

    def run() -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(task)
        except BaseException as error:
            failure.append(error)
        finally:
            left = asyncio.all_tasks(loop)
            for each in left:
                each.cancel()
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            done.set()

    done = threading.Event()  # an interrupted Thread.join regards the thread as ended
    thread = threading.Thread(target=run, name="notebook", daemon=True)
    thread.start()
    try:
        while not done.wait(0.2):
            pass
    except BaseException:
        if not done.is_set():
            client.shutdown_kernel = "immediate"
            loop.call_soon_threadsafe(task.cancel)
            done.wait(20)
        raise
    if failure:
        raise failure[0]


def freeze(notebook: NotebookNode) -> NotebookNode:
    """Replace each widget by the last output that it shows, drop progress bars, name styled tables by their cells.

    The notebook is changed and returned.

    A saved widget needs a kernel or scripts from the network; its last output does not.
    """
    states = notebook.metadata.pop("widgets", {}).get(_STATES, {}).get("state", {})
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        shown: list[NotebookNode] = []
        for output in cell.outputs:
            model = output.get("data", {}).get(_WIDGET, {}).get("model_id")
            if model is not None:
                inside = [nbformat.from_dict(inner) for inner in _inside(model, states)]
                shown += inside or [_text_of(output)]
            elif output.output_type == "stream" and output.name == "stderr":
                if "\r" not in output.text:
                    shown.append(output)
            else:
                shown.append(output)
        cell.outputs = [_without_scripts(output) for output in _joined(shown)]
        for number, output in enumerate(cell.outputs):
            if "text/html" in output.get("data", {}):
                output.data["text/html"] = _with_plain_ids(output.data["text/html"], f"{cell.id}-{number}")
    return notebook


def _joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join consecutive pieces of printed text, because where they are split depends on timing."""
    joined: list[NotebookNode] = []
    for output in outputs:
        if joined and output.output_type == joined[-1].output_type == "stream" and output.name == joined[-1].name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _with_plain_ids(html: str, name: str) -> str:
    """Replace the random ID of a table styled by pandas by a given name."""
    for number, random in enumerate(dict.fromkeys(re.findall(r'<table id="T_([0-9a-f]{5})"', html))):
        html = html.replace(f"T_{random}", f"T_{name}-{number}")
    return html


def _inside(model: str, states: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Outputs held by a widget and its children, from first to last."""
    left = [model]
    while left:
        state = states.get(left.pop(0).removeprefix("IPY_MODEL_"), {}).get("state", {})
        yield from state.get("outputs", [])
        left = [*state.get("children", []), *left]


def _text_of(output: NotebookNode) -> NotebookNode:
    return nbformat.v4.new_output("display_data", data={"text/plain": "(a control: open the notebook to use it)"})


def _without_scripts(output: NotebookNode) -> NotebookNode:
    data = output.get("data", {})
    for kind in [kind for kind in data if kind.startswith("application/") and kind != "application/json"]:
        del data[kind]
    return output


_FORMULA = re.compile(r"`[^`]*`|\$\$(?P<block>.+?)\$\$|\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$", flags=re.DOTALL)


def with_marked_formulas(text: str, found: list[str]) -> str:
    r"""Put a mark in the place of each formula of a Markdown text, and append the formula as MathML to a list.

    Browsers draw MathML without a script, fonts or a network. What is in backticks, or is no formula, stays.

    Parameters
    ----------
    text : str
    found : list of str
        What the marks stand for, in their order.

    Returns
    -------
    str

    Examples
    --------
    >>> found = []
    >>> with_marked_formulas("Of $n$ words, `$x$`", found)
    'Of FORMULA-0- words, `$x$`'
    >>> "<mi>n</mi>" in found[0]
    True
    """
    from docutils.utils.math import MathError
    from docutils.utils.math.latex2mathml import tex2mathml

    def marked(match: re.Match[str]) -> str:
        block = match["block"] is not None
        if not block and match["inline"] is None:
            return match[0]
        try:
            drawn = tex2mathml((match["block"] or match["inline"]).strip(), as_block=block)
        except MathError:
            return match[0]
        found.append(f'<span class="formula">{drawn}</span>' if block else drawn)
        return f"FORMULA-{len(found) - 1}-"

    return _FORMULA.sub(marked, text)


def page(notebook: NotebookNode, title: str, *, in_report: bool = True) -> bytes:
    """An executed, frozen notebook as one HTML file that needs no scripts and no network.

    Parameters
    ----------
    notebook : NotebookNode
    title : str
    in_report : bool
        Whether the page has links to the other pages of a report.

    Returns
    -------
    bytes

    Examples
    --------
    >>> cells = [nbformat.v4.new_markdown_cell("# Question", id="a")]
    >>> b"Question" in page(nbformat.v4.new_notebook(cells=cells), "A notebook")
    True
    """
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter

    from analysis.report.pages import render

    exporter = HTMLExporter(template_name="basic", embed_images=True, exclude_anchor_links=True)
    exporter.exclude_input_prompt = exporter.exclude_output_prompt = True
    notebook = nbformat.from_dict(json.loads(json.dumps(notebook)))
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "python3"}
    formulas: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_marked_formulas(cell.source, formulas)
    body, _ = exporter.from_notebook_node(notebook)
    body = re.sub(r"FORMULA-(\d+)-", lambda mark: formulas[int(mark[1])], body)
    body = re.sub(r"<script\b.*?</script>", "", body, flags=re.DOTALL | re.IGNORECASE)
    styles = {
        scheme: HtmlFormatter(style=style).get_style_defs(".highlight")
        for scheme, style in (("light", "default"), ("dark", "github-dark"))
    }
    text = render(
        "notebook.html.j2", title=title, body=body.strip(), in_report=in_report,
        code_light=styles["light"], code_dark=styles["dark"],
    )  # fmt: skip
    return text.encode()


def notebook_page(path: Path, parameters: Mapping[str, object], data: object) -> bytes:
    """The executed notebook as HTML, from the cache if notebook, parameters, data and library are the same.

    Parameters
    ----------
    path : Path
    parameters : mapping
        Set after the cell tagged ``parameters``.
    data : object
        Versions of the data that the notebook reads.

    Raises
    ------
    DataError, NotebookError
        If it cannot be read or a cell fails.
    """
    notebook = with_parameters(read_notebook(path), parameters)
    source = [(cell.cell_type, cell.source) for cell in notebook.cells]
    key = cache_key(
        data={"read": data, "shipped": shipped_data_version()},
        parameters={"source": source, "versions": versions()},
        function=page,
    )

    def run() -> dict[str, bytes]:
        try:
            return {"page": page(freeze(execute(notebook)), path.stem)}
        except NotebookError as error:
            raise NotebookError(f"{path.name}, {error}") from error

    return cached("notebook_page", key, run)["page"]
