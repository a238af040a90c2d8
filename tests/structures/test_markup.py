"""The one gate of text that leaves the data for HTML, LaTeX and Markdown."""

import ast
import csv
import io
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import analysis
from analysis.categories import contingency
from analysis.explore.base import table_output, text_output
from analysis.report.tables import csv_bytes, html_table, latex_bytes, shown_table
from analysis.structures import Score
from analysis.structures.markup import NO_FORMULAS, html_frame, html_text, latex_text, markdown_text
from analysis.structures.publication import Table

WORDS = ["$$", "me$$age", "PP$$", "$x$", r"$\frac$", r"\(y\)", "<b>", "&amp;", "100%", "a_b", "^", "~", "`x`", "``",
         "''", "a|b", "[x]", "*", "---", "#1", "{", "他", "הוא", "<!--", "]]>", "'\""]  # fmt: skip
COMMANDS = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textasciigrave{}": "`",
    r"\textless{}": "<", r"\textgreater{}": ">", r"\textbar{}": "|", r"\ldots{}": "…",
}  # fmt: skip


def set_in_latex(code):
    """What LaTeX prints for text without formulas, after its own rules; an error if a character would be a command."""
    shown, place = "", 0
    while place < len(code):
        rest = code[place:]
        command = next((name for name in COMMANDS if rest.startswith(name)), None)
        if command:
            shown, place = shown + COMMANDS[command], place + len(command)
        elif rest[0] == "\\":
            assert rest[1] in "&%$#_{}", rest
            shown, place = shown + rest[1], place + 2
        else:
            assert rest[0] not in "&%$#_~^`|<>" and not rest.startswith(("--", "''", ",,")), rest
            shown, place = shown + (rest[0] if rest[0] not in "{}" else ""), place + 1
    return shown


@pytest.mark.parametrize("word", WORDS)
def test_latex_prints_a_word_as_it_stands(word):
    assert set_in_latex(latex_text(word)) == word
    code = latex_bytes(Table("a", "A", pd.DataFrame({word: [word, word]}), "made up"), "a").decode()
    rows = [line.removesuffix(r" \\") for line in code.splitlines() if line.endswith(r" \\")]
    assert [set_in_latex(row) for row in rows] == [word] * 3
    assert not any(row.startswith(("[", "*")) for row in rows), "an argument of the line break before"


class _Cells(HTMLParser):
    """The texts of cells, and the tags."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.classes = set(), [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.texts += [""] if tag in ("td", "th", "p", "pre") else []
        self.classes |= set((dict(attrs).get("class") or "").split())

    def handle_data(self, data):
        if self.texts and data.strip():
            self.texts[-1] += data


def parsed(html):
    cells = _Cells()
    cells.feed(html)
    return cells


@pytest.mark.parametrize("word", WORDS)
def test_html_shows_a_word_as_it_stands_and_no_formula(word):
    frame = pd.DataFrame({"form": [word]})
    for html in (
        html_table(shown_table(Table("a", "A", frame, "made up"))),
        html_frame(frame),
        table_output(frame)["data"]["text/html"],
        contingency([word], [word])._repr_html_(),
    ):
        found = parsed(html)
        assert word in found.texts and found.tags <= {"table", "thead", "tbody", "tr", "th", "td", "p"}
        assert found.classes >= set(NO_FORMULAS.split())
    assert parsed(text_output(word)["data"]["text/html"]).texts == [word]
    score = Score("x", numerator=1, denominator=2, conventions={"relation": word})._repr_html_()
    assert parsed(score).tags <= {"figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td"}


@given(st.text())
def test_html_and_markdown_give_back_what_they_got(text):
    plain = text.replace("\n", " ")
    printed = "".join(c for c in plain if c.isprintable())
    assert printed in unescape(html_text(printed)) and "<" not in html_text(text)
    assert re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", markdown_text(printed)) == printed or "\\" in printed
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_<|$]", markdown_text(text))


def test_csv_gives_back_every_word():
    words = [*WORDS, 'a"b', "a,b", " a ", "NA"]
    data = csv_bytes(Table("a", "A", pd.DataFrame({"form": words}), "made up")).decode()
    assert [row[0] for row in csv.reader(io.StringIO(data))][1:] == words


def test_no_other_module_escapes():
    package = Path(analysis.__file__).parent
    found = set()
    for path in package.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            calls = {"to_html", "to_latex", "to_markdown"} & {getattr(node, "attr", "")}
            if calls or (isinstance(node, ast.ImportFrom) and node.module in ("html", "xml.sax.saxutils")):
                found.add(path.relative_to(package).as_posix())
    assert found == {"structures/markup.py"}
