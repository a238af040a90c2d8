"""Derivations that are read at once are those that are read node by node."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from analysis.corpora import ccgbank
from analysis.corpora.auto_scan import PLAIN, scanned_derivations
from analysis.corpora.catalogue import locate
from analysis.corpora.ccgbank import read_auto, write_auto
from analysis.corpora.language import generate
from analysis.structures import DataError
from analysis.structures.derivation import derivations

DRAWN = generate(40, random_state=0)
LINES = write_auto(derivations(DRAWN.nodes, DRAWN.tokens)).splitlines()
EXTENDED = "(<T NP fa 0 2> (<L (NP/N) the the DT O I-NP NP/N>) (<L N dog dog NN O I-NP N>) )"
PIECES = (
    "(",
    ")",
    ">",
    " ",
    "<",
    "\n",
    "0",
    "2",
    " )",
    "(<L ",
    "(<T ",
    "FAILED",
    "\t",
    "\u00a0",
    "é",
    ">)",
    ">)(",
    "ID=1\n",
)


@st.composite
def files(draw):
    """A few derivations, with some places altered."""
    first = 2 * draw(st.integers(0, 37))
    text = "\n".join(draw(st.sampled_from([LINES[first : first + 6], ["ID=a", EXTENDED], [EXTENDED] * 2]))) + "\n"
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text) - 1))
        text = text[:at] + draw(st.sampled_from(PIECES)) + text[at + draw(st.integers(0, 2)) :]
    return text


def outcome(text, strict):
    try:
        return read_auto(text + "\n", strict=strict)
    except DataError as error:
        return str(error)


@given(files(), st.booleans())
@example("ID=1\n(<T N 0> 1> (<L N NN NN dogs N>) )\n", True)
@example("ID=1\n(<T N 0 1> (<L N NN NN FAILED N>) )\nID=2\n(<L N NN NN failed N>)\n", True)
@example("ID=1\n(<L N NN NN a N>)\nID=1\n(<L N NN NN a N>)\n", True)
@example("ID=1\n(<T N 1 1> (<L ((N)) NN NN ) N>) )\nID=2\nFAILED\n", False)
@example("ID=1\n(<T N 0 1> (<L N NN NN a >)\nN>) )\n", False)
def test_derivations_read_at_once_are_those_read_node_by_node(text, strict):
    found = outcome(text, strict)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ccgbank, "scanned_derivations", lambda *_: None)
        expected = outcome(text, strict)
    if isinstance(expected, str):
        assert found == expected
        return
    for name in ("nodes", "tokens", "sentences", "incidents"):
        assert_frame_equal(getattr(found, name), getattr(expected, name))


def test_usual_files_are_read_at_once():
    assert scanned_derivations(LINES[1::2], PLAIN, "fine_original") is not None
    assert scanned_derivations([LINES[1][:-1]], PLAIN, "fine_original") is None


@pytest.mark.real_corpus
@pytest.mark.parametrize("pattern", ["*geo-dev.auto", "*depccg_default.auto", "*geo-train.auto"])
def test_the_questions_on_geometry_are_read_at_once(pattern):
    text = locate("ccg-geometry", pattern)[0].read_text(encoding="utf-8")
    trees = [line for line in text.splitlines() if line.startswith("(<")]
    assert scanned_derivations(trees, PLAIN, "fine_original") is not None
    found = read_auto(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ccgbank, "scanned_derivations", lambda *_: None)
        expected = read_auto(text)
    for name in ("nodes", "tokens", "sentences", "incidents"):
        assert_frame_equal(getattr(found, name), getattr(expected, name))
