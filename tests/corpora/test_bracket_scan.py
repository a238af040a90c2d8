"""The scan of whole files of trees reads what the reader that goes token by token reads."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from analysis.corpora import bracketed_trees
from analysis.corpora.bracket_scan import scanned_trees
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.corpora.spans import distinct_spans
from analysis.structures import DataError
from analysis.structures.columns import Coded

WORDS = st.text(alphabet="abé\u3042", min_size=1, max_size=20)
LEAVES = st.builds("({} {})".format, WORDS, WORDS)
SPACE = st.sampled_from(["", " ", "\t", "\n", " \n "])
TREES = st.recursive(
    LEAVES,
    lambda below: st.builds(
        lambda label, space, parts: f"({label} {space.join(parts)}{space})", WORDS, SPACE, st.lists(below, min_size=1)
    ),
    max_leaves=12,
)
OUTER = st.one_of(TREES, TREES.map(lambda tree: f"( {tree} )"))
FILES = st.lists(st.one_of(OUTER, st.sampled_from(["", "(())", "()", " "])), min_size=1, max_size=6).map("\n".join)
SPOILT = st.text(alphabet="(() )\n\tab\u00a0\x0b", max_size=30)


def outcome(text, **how):
    try:
        return read_bracketed_trees(text.encode(), **how)
    except DataError as error:
        return str(error)


@given(FILES | SPOILT | st.tuples(FILES, SPOILT, FILES).map("\n".join), st.booleans(), st.booleans())
@example("(S (A a))(S (B b))", True, False)
@example("(S\n(A a))", True, False)
@example("( (S (A a)) (S (B b)) )", False, True)
@example("(S (A a)\u00a0)\n(S (B b))", False, True)
@example("(())\n(A a)\n\n(B b)", True, True)
def test_a_scan_reads_what_a_reading_token_by_token_reads(text, by_line, strict):
    how = {"by_line": by_line, "strict": strict}
    found = outcome(text, **how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bracketed_trees, "scanned_trees", lambda *_, **__: None)
        expected = outcome(text, **how)
    if isinstance(expected, str):
        assert found == expected
        return
    for name in ("nodes", "tokens", "sentences", "incidents"):
        assert_frame_equal(getattr(found, name), getattr(expected, name))


@given(st.lists(OUTER, min_size=1).map("\n".join))
def test_a_file_without_a_defect_is_scanned(text):
    assert scanned_trees(text.encode() + b"\n") is not None


@given(st.lists(st.text(alphabet="ab\u3042", max_size=30) | st.sampled_from(["a" * 300, "a" * 299 + "b", "b" * 300])))
def test_equal_spans_have_equal_codes(texts):
    pieces = [text.encode() for text in texts]
    sizes = np.array([len(piece) for piece in pieces], dtype=np.int64)
    ends = np.cumsum(sizes)
    coded = distinct_spans(b"".join(pieces), ends - sizes, ends)
    expected = Coded.of(texts)
    assert (coded.codes.tolist(), coded.values) == (expected.codes.tolist(), expected.values)
