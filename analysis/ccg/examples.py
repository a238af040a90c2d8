r"""Worked examples of Clark & Hockenmaier (2002) as derivations, made by hand from the dependencies in the paper."""

import pandas as pd

from analysis.structures.derivation import Derivation, Derivations, derivations

_RELATIVE = r"(NP\NP)/(S[dcl]/NP)"
_SHARES = ("NP", ("NP/N", "the"), ("N", "shares"))
_IBM = (r"S/(S\NP)", ("NP", "IBM"))

FIGURE_2 = {
    "gold": (
        "NP",
        _SHARES,
        (
            r"NP\NP",
            (_RELATIVE, "that"),
            (
                "S[dcl]/NP",
                _IBM,
                (r"(S[dcl]\NP)/NP", (r"(S[dcl]\NP)/(S[pt]\NP)", "has"), (r"(S[pt]\NP)/NP", "bought")),
            ),
        ),
    ),
    "output": (
        "NP",
        ("NP", _SHARES, (r"NP\NP", (_RELATIVE, "that"), ("S[dcl]/NP", _IBM, (r"(S[dcl]\NP)/NP", "has")))),
        (r"NP\NP", (r"S[pss]\NP", "bought")),
    ),
}

FIGURE_1 = (
    "S[dcl]",
    ("NP", "IBM"),
    (
        r"S[dcl]\NP",
        (r"(S[dcl]\NP)/(S[pt]\NP)", "has"),
        (r"S[pt]\NP", (r"(S[pt]\NP)/NP", "bought"), ("NP", "Lotus")),
    ),
)

EATING_BEANS = (
    "S[dcl]",
    ("NP", ("N", "John")),
    (
        r"S[dcl]\NP",
        (r"(S[dcl]\NP)/(S[pt]\NP)", "has"),
        (
            r"S[pt]\NP",
            (r"(S[pt]\NP)/(S[ng]\NP)", "been"),
            (r"S[ng]\NP", (r"(S[ng]\NP)/NP", "eating"), ("NP", ("N", "beans"))),
        ),
    ),
)

_LEFT, _RIGHT = r"(S\NP)/(S\NP)", r"(S\NP)\(S\NP)"
MODIFIERS = (
    ("S[dcl]", ("NP", "IBM"), (r"S[dcl]\NP", (_LEFT, "quickly"),
        (r"S[dcl]\NP", (r"S[dcl]\NP", "grew"), (_RIGHT, "yesterday")))),
    ("S[dcl]", ("NP", "IBM"), (r"S[dcl]\NP",
        (r"S[dcl]\NP", (_LEFT, "quickly"), (r"S[dcl]\NP", "grew")), (_RIGHT, "yesterday"))),
)  # fmt: skip


def treebank(*trees: tuple) -> Derivations:
    """Make a treebank from trees given as nested tuples; see `Derivation.build`.

    Parameters
    ----------
    *trees : tuple
        One per sentence.

    Returns
    -------
    Derivations

    Examples
    --------
    >>> treebank(("N", "dogs"), ("N", "cats"))
    2 derivations, 2 words
    """
    tables = [Derivation.build(tree).to_tables(number) for number, tree in enumerate(trees)]
    nodes, tokens = (pd.concat(part, ignore_index=True) for part in zip(*tables, strict=True))
    return derivations(nodes, tokens)


def worked_example() -> tuple[Derivations, Derivations]:
    r"""Return the two trees of Figure 2, *the shares that IBM has bought*: the gold standard and the wrong output.

    The figure is reconstructed from the dependencies listed in the paper. In the output *has* is a transitive verb, the
    relative clause ends there, and *bought* modifies the preceding noun phrase.

    Returns
    -------
    gold, predicted : Derivations

    References
    ----------
    Clark & Hockenmaier (2002), Figure 2.

    Examples
    --------
    >>> gold, output = worked_example()
    >>> output.tree(0).words
    ('the', 'shares', 'that', 'IBM', 'has', 'bought')
    """
    return treebank(FIGURE_2["gold"]), treebank(FIGURE_2["output"])


def equivalent_derivations() -> tuple[Derivations, Derivations]:
    r"""Return two normal-form derivations with one meaning: a verb phrase with a left and a right modifier, in either
    order.

    Returns
    -------
    one, other : Derivations

    References
    ----------
    Clark & Hockenmaier (2002), section 5.1, example 8 (with our own words).

    Examples
    --------
    >>> one, other = equivalent_derivations()
    >>> one.tree(0).nodes[2].category == other.tree(0).nodes[2].category
    True
    """
    one, other = MODIFIERS
    return treebank(one), treebank(other)
