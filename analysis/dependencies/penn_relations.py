"""Relations of Gelling et al. (2012), Table 6, derived from function tags of bracketed trees."""

from __future__ import annotations

import numpy as np

from analysis.dependencies.alignment import find_sentences, head_array
from analysis.dependencies.relations import ROOT, TABLE6
from analysis.structures import DataError, check_tokens, first_difference
from analysis.structures.lazy import pd

_NOMINAL = frozenset({"NP", "NX", "NAC", "QP", "WHNP"})
_NO_OBJECT = frozenset(
    {"SBJ", "PRD", "TMP", "LOC", "ADV", "DIR", "EXT", "MNR", "PRP", "BNF", "DTV", "LGS", "CLR", "VOC", "TPC"}
)
_MARKS = frozenset({",", ":", ".", "``", "''", "-LRB-", "-RRB-"})


def penn_relations(
    tokens: pd.DataFrame, constituents: pd.DataFrame, words: pd.DataFrame | None = None
) -> pd.Categorical:
    """Derive the relations of the tokens of a dependency treebank from the bracketed trees of the same sentences.

    Each token represents its largest constituent: the largest one in which only this token has its head outside. The
    first rule that applies is used:

    - ``ROOT``: the head is the root;
    - ``CC``: the token is a coordinating conjunction (tag CC);
    - ``COORD``: the head is a conjunction that is a sister of the constituent (of the token, if it has none), or is in
      a sister of the same kind (nouns, verbs, adjectives, adverbs; otherwise of the same category), with a conjunction
      among their sisters and a conjunction or comma between the two. So this is the conjunct that depends on another
      one, the first or the last;
    - ``SBJ``, ``PRD``: the constituent has this function tag;
    - ``OBJ``: a noun phrase below a verb phrase, to the right of the verb, without a function tag of another relation;
    - ``NMOD``: the constituent, or the token, is a daughter of a noun phrase;
    - missing: none of these.

    Parameters
    ----------
    tokens : DataFrame
        ``sentence``, ``fine`` (tags of the Penn Treebank), ``head`` and ``form`` (for comparison).
    constituents : DataFrame
        ``sentence``, ``node``, ``parent``, ``label``, ``functions``, ``start``, ``end``: see `read_penn_trees`.
    words : DataFrame, optional
        Words of the bracketed trees (``sentence``, ``form``), to check that the sentences are the same.

    Returns
    -------
    pandas.Categorical
        One relation per token, in the order of `TABLE6`.

    Raises
    ------
    DataError
        If `words` are not those of `tokens`; the message gives the first difference.

    References
    ----------
    Gelling et al. (2012), Table 6, where the labels come from a converter; this function only follows their meaning.

    Examples
    --------
    >>> tokens = pd.DataFrame({"sentence": 0, "form": ["ducks", "eat", "bread"], "fine": ["NNS", "VBP", "NN"],
    ...                        "head": [2, 0, 2]})
    >>> rows = [(0, 0, -1, "S", "", 0, 3), (0, 1, 0, "NP", "SBJ", 0, 1), (0, 2, 0, "VP", "", 1, 3),
    ...         (0, 3, 2, "NP", "", 2, 3)]
    >>> columns = ["sentence", "node", "parent", "label", "functions", "start", "end"]
    >>> list(penn_relations(tokens, pd.DataFrame(rows, columns=columns)))
    ['SBJ', 'ROOT', 'OBJ']
    """
    check_tokens(tokens, ["sentence", "fine", "head"])
    if words is not None and (difference := first_difference(tokens, words)):
        raise DataError(f"the bracketed trees are not those of the tokens: {difference}.")
    sentences = find_sentences(tokens)
    heads, tags = head_array(tokens["head"], "tokens").tolist(), tokens["fine"].astype("str").tolist()
    names = ["node", "parent", "label", "functions", "start", "end"]
    by_sentence: dict[int, list[tuple]] = {}
    for sentence, *node in constituents[["sentence", *names]].itertuples(index=False):
        by_sentence.setdefault(sentence, []).append(tuple(node))
    codes = np.full(len(tokens), -1, dtype=np.int64)
    place = {name: code for code, name in enumerate(TABLE6)}
    bounds = sentences.starts.tolist()
    for number, first, last in zip(sentences.numbers.tolist(), bounds[:-1], bounds[1:], strict=True):
        nodes = by_sentence.get(number, [])
        for word, relation in enumerate(_relations(heads[first:last], tags[first:last], nodes)):
            codes[first + word] = place.get(relation, -1)
    return pd.Categorical.from_codes(codes, list(TABLE6))


def _relations(heads: list[int], tags: list[str], nodes: list[tuple]) -> list[str]:
    """Return the relations of one sentence, empty if there is none."""
    largest: dict[int, int] = {}  # word -> its largest constituent
    for number, (_, _, _, _, start, end) in enumerate(nodes):
        out = [word for word in range(start, end) if not start < heads[word] <= end]
        if len(out) == 1 and out[0] not in largest:  # parents come first
            largest[out[0]] = number
    own = {node[0]: number for number, node in enumerate(nodes)}
    daughters: dict[int, list[tuple[int, int, str]]] = {}  # node -> start, end, label of its daughters, including words
    covered: dict[int, int] = {}  # word -> the smallest constituent around it
    for node, parent, label, _, start, end in nodes:
        daughters.setdefault(parent, []).append((start, end, label))
        for word in range(start, end):
            covered[word] = node
    for word, node in covered.items():
        daughters.setdefault(node, []).append((word, word + 1, tags[word]))
    result = []
    for word, head in enumerate(heads):
        if head == 0:
            result.append(ROOT)
            continue
        if tags[word] == "CC":
            result.append("CC")
            continue
        if tags[word] in _MARKS:
            result.append("")
            continue
        parent, label, functions, span = covered.get(word, -1), tags[word], set(), (word, word + 1)
        if word in largest:
            _, parent, label, text, start, end = nodes[largest[word]]
            functions, span = set(text.split("-")), (start, end)
        category = nodes[own[parent]][2] if parent in own else ""
        if _is_conjunct(span, label, head - 1, sorted(daughters.get(parent, []))):
            result.append("COORD")
        elif "SBJ" in functions:
            result.append("SBJ")
        elif "PRD" in functions:
            result.append("PRD")
        elif label == "NP" and category == "VP" and not functions & _NO_OBJECT and word > head - 1:
            result.append("OBJ")
        elif category in _NOMINAL:
            result.append("NMOD")
        else:
            result.append("")
    return result


def _is_conjunct(span: tuple[int, int], label: str, head: int, sisters: list[tuple[int, int, str]]) -> bool:
    """Return whether a daughter is coordinated with the sister that contains its head, or depends on the
    conjunction.
    """
    conjunctions = {sister for sister in sisters if sister[2] in ("CC", "CONJP")}
    for sister in sisters:
        if not sister[0] <= head < sister[1] or sister[:2] == span:
            continue
        if sister in conjunctions:
            return True
        low, high = min(sister[1], span[1]), max(sister[0], span[0])
        between = {other[2] for other in sisters if low <= other[0] and other[1] <= high}
        alike = _general(sister[2]) == _general(label)
        return bool(conjunctions) and alike and not between.isdisjoint({"CC", "CONJP", ","})
    return False


def _general(label: str) -> str:
    """Return the kind of a category or a tag."""
    for kind, labels in (
        ("N", ("N", "QP", "PRP", "CD")),
        ("V", ("V", "MD")),
        ("J", ("J", "ADJ")),
        ("R", ("RB", "ADV")),
    ):
        if label.startswith(labels):
            return kind
    return label
