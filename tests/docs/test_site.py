"""The documentation: complete, made from the source, without warnings, and read without a network."""

import ast
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import analysis
from analysis import figures
from analysis.__main__ import main
from analysis.corpora.citing import author_year
from analysis.structures.glossary import ARGUMENTS, COLUMNS, CONCEPTS

pytest.importorskip("numpydoc")
pytest.importorskip("sphinx")
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NO_PLOT = {
    "derivation_size", "figure_bytes", "fingerprint", "mark_generated", "new_axes", "paper", "save_figure",
    "share_legend", "system_styles", "use_style",
}  # fmt: skip


def helper(name):
    """A module of docs/extensions, which Sphinx imports from there."""
    sys.path.insert(0, str(DOCS / "extensions"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(DOCS / "extensions"))


@pytest.fixture(scope="module")
def pages():
    return helper("pages")


def exported():
    """Package and name of every function and class that a package exports, and the object."""
    for module in pkgutil.walk_packages(analysis.__path__, "analysis."):
        package = importlib.import_module(module.name)
        for name in getattr(package, "__all__", ()) if module.ispkg else ():
            value = inspect.unwrap(getattr(package, name)) if callable(getattr(package, name)) else None
            if (inspect.isfunction(value) or inspect.isclass(value)) and value.__module__.startswith("analysis."):
                yield module.name, name, value


def entries(page):
    """Documents of the tables of contents of a page, in either notation."""
    found = []
    for block in re.findall(r"```\{toctree\}\n(.*?)```|\.\. toctree::\n((?:(?:   .*)?\n)+)", page, re.DOTALL):
        lines = [line.strip() for line in "".join(block).splitlines()]
        found += [line for line in lines if line and not line.startswith(":")]
    return found


# Complete -------------------------------------------------------------------------------------------------------------


def test_long_runs_that_are_left_name_calls_that_exist_and_each_stored_run_is_on_the_page(pages):
    page = pages.stored_page()
    for row in pages.long_runs():
        paper = importlib.import_module(f"analysis.papers.{row['paper']}")
        call = ast.parse(row["call"], mode="eval").body
        assert f"``{row['call']}``" in page and ast.unparse(call.func).startswith(f"{row['paper']}.")
        function = getattr(paper, call.func.attr)
        own = set(inspect.signature(function, follow_wrapped=True).parameters) - {"setting", "choices"}
        given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        paper.Setting.choose(**{name: value for name, value in given.items() if name not in own})
    for file in (ROOT / "data" / "results").glob("*.json"):
        command = json.loads(file.read_text(encoding="utf-8"))["command"]
        assert (command in page) == (".store_" not in command), file.name


def test_hours_of_a_stored_run_count_each_fit_once(pages):
    table = {name: table for name, table, _ in pages.stored_runs()}["kodner2023_cluzh"]
    trainings = table.drop_duplicates(["corpus", "language", "strategy", "seed", "size"])
    assert len(table) == 2 * len(trainings), "one network, decoded in two ways"
    row = pages.stored_page().split("kodner2023\\_cluzh\n")[1].split("* -")[0]
    assert f"- {trainings['seconds'].sum() / 3600:.2g}\n" in row


def test_every_public_function_and_class_has_its_place_in_the_reference(pages):
    texts, described = pages.reference_pages(), {}
    for package, name, value in exported():
        entry = re.search(
            rf"^(?:\.\. auto\w+:: {package}\.{name}|``{package}\.{name}`` is .*)$", texts[package], re.MULTILINE
        )
        assert entry, f"{package}.{name} has no place"
        if entry[0].startswith(".."):
            assert described.setdefault(id(value), name) == name, f"{package}.{name} is described twice"
    assert len(described) > 500


def test_every_page_is_in_a_table_of_contents(pages, tmp_path):
    generated = {path.relative_to(tmp_path).with_suffix("").as_posix(): path for path in pages.write_pages(tmp_path)}
    assert "reference/analysis.categories" in generated
    reached, left = set(), ["index"]
    while left:
        name = left.pop()
        if name in reached or name.startswith(("generated/tutorials", "generated/gallery")):
            continue
        reached.add(name)
        inside = generated.get(name.removeprefix("generated/"), DOCS / f"{name}.md")
        folder = f"{name.rpartition('/')[0]}/".removeprefix("/")
        left += [folder + each for each in entries(inside.read_text(encoding="utf-8"))]
    written = {path.stem for path in DOCS.glob("*.md")} | {f"generated/{name}" for name in generated}
    assert reached == written
    assert {"generated/tutorials/index", "generated/gallery/index"} <= set(entries((DOCS / "index.md").read_text()))


def test_what_an_earlier_state_of_the_source_wrote_goes(pages, tmp_path):
    (tmp_path / "reference").mkdir()
    old = tmp_path / "reference" / "analysis.gone.rst"
    old.write_text("Gone\n====\n")
    pages.write_pages(tmp_path)
    assert not old.exists()


def test_every_kind_of_figure_has_an_example_of_five_lines(pages):
    files = sorted((DOCS / "gallery").glob("plot_*.py"))
    shown = pages.gallery_functions()
    assert set(figures.__all__) - NO_PLOT <= shown
    for path in files:
        module = ast.parse(path.read_text(encoding="utf-8"))
        code = [node for node in module.body[1:] if not isinstance(node, ast.Import | ast.ImportFrom)]
        assert 1 <= sum(node.end_lineno - node.lineno + 1 for node in code) <= 5, path.name
        assert isinstance(code[-1], ast.Expr), f"{path.name} ends in its figure"
        assert f"{path.stem.removeprefix('plot_')}(" in path.read_text(encoding="utf-8") or "specification" in path.stem


# Glossaries -----------------------------------------------------------------------------------------------------------


def test_each_concept_has_one_place_a_function_and_sources():
    concepts = [concept for listed in CONCEPTS.values() for concept in listed]
    names = [name for concept in concepts for name in concept.names]
    assert len(set(names)) == len(names)
    for concept in concepts:
        assert concept.meaning and concept.meaning[-1] != "."
        if concept.function:
            module, _, name = concept.function.rpartition(".")
            assert name in importlib.import_module(module).__all__, concept.function
        assert all(author_year(key) for key in concept.sources)
    wanted = "PP PR MA SP SR M-1 1-1 V VI NVI H(C|K) NED >B >T MacroI MicroI MicroC UAS LAS Parseval DMV BHMM HC FF"
    assert set(wanted.split()) <= set(names)


def test_the_page_of_arguments_is_that_of_the_source(pages):
    page = pages.arguments_page()
    assert all(f"``{term.name}``" in page for term in (*ARGUMENTS, *COLUMNS))
    assert "``resamples``" in page and "``1000``" in page


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PP and PP", "{term}`PP` and PP"),
        ("## PP and MA\nThen MA.", "## PP and MA\nThen {term}`MA`."),
        ("`PP`, $PP$, [PP](x.md)", "`PP`, $PP$, [PP](x.md)"),
        ("SPAM, V and SP-1", "SPAM, V and SP-1"),
        ("M-1, H(C|K), **NED**", "{term}`M-1`, {term}`H(C|K)`, **NED**"),
    ],
)
def test_the_first_mention_of_a_term_leads_to_the_glossary(pages, text, expected):
    assert pages.with_links(text, set()) == expected


def test_a_term_that_was_mentioned_before_is_left(pages):
    seen = set()
    assert pages.with_links("SP", seen) == "{term}`SP`" and pages.with_links("SP", seen) == "SP"


# Conventions ----------------------------------------------------------------------------------------------------------


def test_conventions_come_from_signatures_and_docstrings(pages):
    rows = {row[0]: row for row in pages.argument_choices("analysis.categories")}
    _, choices, default, meaning, functions = rows["assignment"]
    assert choices == '``"optimal"``, ``"greedy"``' and default == '``"optimal"``' and meaning
    assert "one_to_one" in functions
    page = pages.conventions_page()
    for needed in (
        "``punctuation``",
        "``root_edges``",
        "``base``",
        "``differing_words``",
        "analysis.papers.frank2009",
        "HC linkage",
    ):
        assert needed in page, needed
    assert '``"viterbi"``' in page and r"\`\`" not in page, "literals of the settings' docstrings"


def test_docstrings_are_made_safe_up_to_their_examples():
    safe = helper("docstrings").safe_lines
    examples = ["Examples", "--------", ">>> one_ | 1"]
    lines = ["sum |A| of ``|B|``", "one_, two_ : shape (n_,)", "    as in one_."]
    escaped = [r"sum \|A\| of ``|B|``", r"one\_, two_ : shape (n\_,)", r"    as in one\_."]
    assert safe([*lines, *examples]) == [*escaped, *examples]


def test_links_of_included_files_lead_to_pages(pages):
    page = pages.included_page("CONTRIBUTING.md")
    assert "](/adding.md)" in page and "](/generated/changelog.md)" in page and "](docs/" not in page


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["start", "print", "lecturer"])
def test_the_code_of_a_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / f"{name}.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, f"{name}.md", "exec"), names)
    expected = {
        "start": [],
        "print": ["figures/sizes.pdf", "lines.pdf"],
        "lecturer": ["slides/models.png", "slides/ranks.png"],
    }
    assert all((tmp_path / file).stat().st_size > 1000 for file in expected[name])


def test_the_commands_of_the_lecturers_page_are_commands():
    text = (DOCS / "lecturer.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\.venv/bin/yardstick (.*?)(?:\s+#.*)?$", text, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        command, *words = line.split()
        context = main.commands[command].make_context(command, words)
        assert not context.args


# The site -------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_formulas_become_mathml(tmp_path):
    source, extensions = tmp_path / "source", str(DOCS / "extensions")
    source.mkdir()
    settings = f"import sys\nsys.path.insert(0, {extensions!r})\nextensions = ['myst_parser', 'mathml']\n"
    settings += "html_math_renderer, myst_enable_extensions, html_theme = 'mathml', ['dollarmath'], 'basic'\n"
    (source / "conf.py").write_text(settings)
    (source / "index.md").write_text("# Title\n\nOf $2x$.\n\n$$\n\\frac{a}{b}\n$$\n")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", source, tmp_path / "html"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    assert page.count("<math") == 2 and "<mfrac>" in page and not re.search(r"<script[^>]*mathjax", page, re.IGNORECASE)


class Resources(HTMLParser):
    """What a page loads by itself, as opposed to links that a reader follows."""

    def __init__(self):
        super().__init__()
        self.loaded, self.ids = [], set()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.add(values.get("id"))
        names = (
            ("src", "srcset", "data", "poster", "href")
            if tag in ("link", "use", "image")
            else ("src", "srcset", "data")
        )
        if tag != "a" and not (tag == "link" and values.get("rel") in ("canonical", "author", "next", "prev")):
            self.loaded += [values[name] for name in names if values.get(name)]


def outside(loaded):
    return [address for address in loaded if re.match(r"(https?:)?//", address.strip())]


def resources(text):
    parser = Resources()
    parser.feed(text)
    inline = re.findall(r"@import\s+[\"']([^\"']+)|url\([\"']?([^\"')]+)|(?:import|fetch)\(?\s*[\"']([^\"']+)", text)
    return [*parser.loaded, *(next(filter(None, found)) for found in inline)], parser.ids


def test_the_check_sees_what_a_page_would_load():
    page = """<a href="https://doi.org/1"></a><script src="https://cdn.example/x.js"></script>
    <link rel="stylesheet" href="//fonts.example/a.css"><img src="a.png"><style>@import "https://b.example/c.css";</style>"""
    assert outside(resources(page)[0]) == [
        "https://cdn.example/x.js",
        "//fonts.example/a.css",
        "https://b.example/c.css",
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built with warnings as errors; notebooks without outputs, which other tests execute."""
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-E",
        "-D",
        "tutorials=none",
        "-d",
        folder / "read",
    ]
    done = subprocess.run([*command, "-b", "html", DOCS, folder / "html"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(site):
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css", ".svg")]
    assert len(files) > 100
    for path in files:
        assert outside(resources(path.read_text(encoding="utf-8"))[0]) == [], path.name
    for path in site.rglob("*.js"):
        assert not re.search(r"cdn\.jsdelivr|unpkg\.com|cloudflare|googleapis", path.read_text(encoding="utf-8")), (
            path.name
        )


@pytest.mark.slow
def test_public_names_terms_and_formulas_are_on_the_pages(site):
    reference = {
        path.stem: resources(path.read_text(encoding="utf-8"))[1] for path in site.glob("generated/reference/*.html")
    }
    assert {"analysis.categories.many_to_one", "analysis.categories.v_measure"} <= reference["analysis.categories"]
    figures_page = (site / "generated/reference/analysis.figures.html").read_text(encoding="utf-8")
    assert "plot_forest_plot.html" in figures_page, "a function leads to its example"
    notebook = (site / "generated/tutorials/01_frank2009.html").read_text(encoding="utf-8")
    assert "glossary.html#term-S-cluster" in notebook
    assert not re.search(r"<script[^>]*mathjax", notebook, re.IGNORECASE)
    assert len(list(site.glob("_images/sphx_glr_plot_*_001.png"))) == len(list((DOCS / "gallery").glob("plot_*.py")))


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    import shutil

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("there is no browser")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


#: What is wider than the part of a page that holds it: headings, and tables of names with their explanations.
TOO_WIDE = """[...document.querySelectorAll('.bd-article :is(h1, h2, table.autosummary, table.explained)')]
  .filter(each => each.scrollWidth > each.closest('div, section').clientWidth)
  .map(each => each.innerText.slice(0, 60))"""


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    "name", ["reference/analysis.categories", "reference/analysis.papers", "conventions", "arguments"]
)
def test_names_and_explanations_fit_a_narrow_window(site, browser, name):
    page = browser.new_page(viewport={"width": 400, "height": 900})
    page.goto((site / f"generated/{name}.html").as_uri())
    assert page.evaluate("document.querySelectorAll('table.autosummary, table.explained').length") > 0
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.close()


@pytest.mark.slow
@pytest.mark.browser
def test_a_browser_asks_for_nothing_but_files(site, browser):
    page, asked, faults = browser.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    for name in ("index", "generated/tutorials/02_reichart2010", "generated/gallery/index", "generated/glossary"):
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_load_state("load")
    page.close()
    assert asked and [address for address in asked if not address.startswith(("file:", "data:"))] == []
    assert faults == []


def test_formulas_of_the_notebooks_can_be_drawn():
    math = pytest.importorskip("docutils.utils.math.latex2mathml")
    for path in sorted(DOCS.parent.joinpath("notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            text = "".join(cell["source"]) if cell["cell_type"] == "markdown" else ""
            for block, inline in re.findall(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", text, flags=re.DOTALL):
                assert "<math" in math.tex2mathml(block or inline), (path.name, cell["id"])
