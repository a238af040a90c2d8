"""Pictures of the gallery: the figure that the last line of an example gives, without pyplot."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

from analysis.figures import figure_bytes


def figures_without_pyplot(block: Any, block_vars: Mapping[str, Any], gallery_conf: Mapping[str, Any]) -> str:
    """Save every figure of an example's names that no block before has saved; its title is the alternative text."""
    names, saved = block_vars["example_globals"], []
    drawn = {id(each): each for each in map(_figure, list(names.values())) if each is not None}
    for key, figure in drawn.items():
        if key not in names.setdefault("__saved__", set()):
            names["__saved__"].add(key)
            path = Path(next(block_vars["image_path_iterator"])).with_suffix(".png")
            path.write_bytes(figure_bytes(figure, "png", dpi=150))
            saved.append(str(path))
    source = ast.parse(Path(block_vars["src_file"]).read_text(encoding="utf-8"))
    title = (ast.get_docstring(source) or "").partition("\n")[0]
    return figure_rst(saved, gallery_conf["src_dir"], fig_titles=title)


def _figure(value: object) -> Figure | None:
    """The figure that a value is or lies in."""
    if isinstance(value, Axes):
        return value.get_figure(root=True)
    return value if isinstance(value, Figure) else None
