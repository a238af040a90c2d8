"""The documentation, which Sphinx writes to be read offline: ``make docs``."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "extensions")]

import pages  # noqa: E402
from scraper import figures_without_pyplot  # noqa: E402

import notebooks  # noqa: E402
from analysis.structures.version import __version__  # noqa: E402

project = "Language Yardstick"
author = "The Language Yardstick authors"
copyright = author
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "docstrings",
    "mathml",
]
exclude_patterns = ["_build", "gallery", "extensions", "**/sg_execution_times.rst", "generated/gallery/*.ipynb"]
default_role = "py:obj"
suppress_warnings = ["ref.python", "myst.header", "config.cache"]

# Reference
autosummary_generate = False
autodoc_typehints = "none"
autodoc_default_options = {"members": False}
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# Markdown and notebooks
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_ipywidgets_js = {}
html_math_renderer = "mathml"

# Gallery
sphinx_gallery_conf = {
    "examples_dirs": str(HERE / "gallery"),
    "gallery_dirs": "generated/gallery",
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("analysis",),
    "image_scrapers": (figures_without_pyplot,),
    "reset_modules": (),
    "capture_repr": (),
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "write_computation_times": False,
    "show_signature": False,
    "min_reported_time": 60,
}

# Pages
html_theme = "pydata_sphinx_theme"
html_title = project
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["extensions/static"]
html_css_files = ["site.css"]
html_extra_path = ["generated/extra"]  # the tour without Python, which is not a page of Sphinx
(HERE / html_extra_path[0]).mkdir(parents=True, exist_ok=True)
html_theme_options = {
    "navigation_with_keys": False,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "header_links_before_dropdown": 6,
}
html_sidebars = {"generated/gallery/**": [], "start": [], "generated/changelog": []}


def write_generated(app: Sphinx) -> None:
    """Write the pages that are made from the source, before Sphinx looks for pages."""
    pages.write_pages()
    notebooks.write_tutorials(pages.GENERATED / "tutorials", app.config.tutorials)
    fewer = 20 if app.config.tutorials == "none" else 1
    notebooks.write_tour_page(HERE / html_extra_path[0] / "tour.html", fewer=fewer)


def setup(app: Sphinx) -> None:
    """Let ``-D tutorials=all`` execute every notebook."""
    app.add_config_value("tutorials", "quick", "env", str)
    app.connect("builder-inited", write_generated, priority=100)
