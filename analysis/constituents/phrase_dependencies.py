"""Dependencies between the heads of phrases, in trees of the Penn Treebank (Collins 1999)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.constituents.binarising import absolute_parents, chosen_nodes, whole_trees
from analysis.constituents.conventions import EVALB
from analysis.constituents.heads import Coordination, head_daughter
from analysis.statistics.sentence_counts import DROPPED, FAILED, SCORED, Evaluation, per_sentence, relation_table
from analysis.structures import DataError
from analysis.structures.derivation import Derivations

#: Relation of the root.
HEAD = "HEAD"
_RELATION = ["parent", "head_label", "sister", "direction"]


def head_dependencies(
    gold: Derivations,
    predicted: Derivations,
    *,
    delete_tags: Sequence[str] = EVALB.delete_labels,
    one_tag: bool = True,
    direction: bool = True,
    coordination: Coordination = "first",
) -> Evaluation:
    """Compute one relation ⟨parent, head daughter, sister, direction⟩ a word, from the heads of phrases.

    A word depends on the head word of the phrase in which it heads a daughter that is not the head; the head of the
    sentence has the relation ⟨HEAD⟩. Heads are found by `analysis.constituents.heads.head_daughter`, once the words
    that do not count are taken out. A daughter that is an only daughter's mother has her own label.

    Parameters
    ----------
    gold, predicted : Derivations
        Phrase-structure trees of the same words, without function tags.
    delete_tags : sequence of str
        Words with these gold tags are taken out of both trees.
    one_tag : bool
        Whether all tags of words count as one label, ``TAG``, as in Collins (1999); else as they are.
    direction : bool
        Whether the side of the sister, ``left`` or ``right``, is part of the relation, as in Collins (1999).
    coordination : {"first", "table"}
        See `head_daughter`.

    Returns
    -------
    Evaluation
        Measures ``labelled recall``, ``unlabelled recall`` (the head only) and the precisions, which differ only
        because of sentences without a parse. ``relations``: counts by relation.

    Raises
    ------
    DataError
        If there are not as many sentences on both sides, or the words of a parse are not those of the gold tree.

    Notes
    -----
    Collins (1999) also marks complements and coordination, which trees without function tags do not show.

    References
    ----------
    Collins (1999), Head-driven statistical models for natural language parsing; Clark & Hockenmaier (2002), section
    4.2 and 5.2, whose description is followed.

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> trees = [b"(S (NP (NNS hens)) (VP (VBP eat) (NP (NN corn)) (PP (IN at) (NP (NN noon)))))",
    ...          b"(S (NP (NNS hens)) (VP (VBP eat) (NP (NP (NN corn)) (PP (IN at) (NP (NN noon))))))"]
    >>> head_dependencies(*map(read_bracketed_trees, trees))
    labelled recall 0.800 (4/5)
    unlabelled recall 0.800 (4/5)
    labelled precision 0.800 (4/5)
    unlabelled precision 0.800 (4/5)
    """
    keep, keep_predicted, status = kept_words(gold, predicted, delete_tags)
    n = len(gold)
    sides = [_relations(without_words(trees, kept), one_tag, direction, coordination)
             for trees, kept in ((gold, keep), (predicted, keep_predicted))]  # fmt: skip
    sides[0] = sides[0][status[sides[0]["sentence"].to_numpy()] != DROPPED].reset_index(drop=True)
    sides[1] = sides[1][status[sides[1]["sentence"].to_numpy()] == SCORED].reset_index(drop=True)
    scored = status[sides[0]["sentence"].to_numpy()] == SCORED
    head, whole = np.zeros(len(scored), dtype=bool), np.zeros(len(scored), dtype=bool)
    equal = sides[0][scored].reset_index(drop=True) == sides[1]
    head[scored], whole[scored] = equal["head"], equal[["head", *_RELATION]].all(axis=1)
    sides[0] = sides[0].assign(matched=whole, matched_head=head)
    sides[1] = sides[1].assign(matched=whole[scored], matched_head=head[scored])
    sentences = pd.DataFrame({
        "sentence": np.arange(n), "id": gold.sentences["id"].astype("str").to_numpy(),
        "status": pd.array(status, dtype="str"),
        **{name: per_sentence(side["sentence"].to_numpy(), n) for name, side in zip(("gold", "predicted"), sides,
                                                                                     strict=True)},
        "matched": per_sentence(sides[0]["sentence"].to_numpy(), n, whole),
        "matched_head": per_sentence(sides[0]["sentence"].to_numpy(), n, head),
    })  # fmt: skip
    ratios = {f"{name} {measure}": (matched, total)
              for measure, total in (("recall", "gold"), ("precision", "predicted"))
              for name, matched in (("labelled", "matched"), ("unlabelled", "matched_head"))}  # fmt: skip
    conventions = {"deleted tags": " ".join(delete_tags), "tags": "one" if one_tag else "as they are",
                   "direction": "counted" if direction else "disregarded", "coordination": coordination}  # fmt: skip
    return Evaluation(
        "tree dependencies",
        sentences,
        ratios,
        lambda: pd.concat([side.assign(side=name) for name, side in zip(("gold", "predicted"), sides, strict=True)],
                          ignore_index=True),
        lambda items: relation_table(items[_RELATION], items["side"] == "gold", items["matched"]),
        conventions,
        {f"sentences {name}": int((status == name).sum()) for name in (SCORED, FAILED, DROPPED)},
    )  # fmt: skip


def kept_words(
    gold: Derivations, predicted: Derivations, delete_tags: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which words of each side are kept, and the status of each sentence.

    Parameters
    ----------
    gold, predicted : Derivations
    delete_tags : sequence of str
        Gold tags of words that are not kept.

    Returns
    -------
    tuple of ndarray
        One entry per gold token, per predicted token, per sentence: ``scored``, ``failed`` (without a parse) or
        ``dropped`` (without a gold tree).

    Raises
    ------
    DataError
        As `head_dependencies`.
    """
    if len(gold) != len(predicted):
        raise DataError(f"there are {len(gold):,} gold sentences and {len(predicted):,} predicted ones.")
    ours, theirs = gold.tokens, predicted.tokens
    numbers = [table["sentence"].to_numpy(dtype=np.int64) for table in (ours, theirs)]
    have = [per_sentence(number, len(gold)) > 0 for number in numbers]
    status = np.where(~have[0], DROPPED, np.where(have[1], SCORED, FAILED)).astype(object)
    keep = ~ours["category"].astype("str").isin(list(delete_tags)).to_numpy()
    kept = np.zeros(len(theirs), dtype=bool)
    chosen, other = (status[number] == SCORED for number in numbers)
    words = [table.loc[rows, ["sentence", "form"]].astype({"form": "str"}).reset_index(drop=True)
             for table, rows in ((ours, chosen), (theirs, other))]  # fmt: skip
    if not words[0].equals(words[1]):
        one, two = (table.groupby("sentence")["form"].agg(list) for table in words)
        wrong = next(number for number in one.index if one[number] != two[number])
        raise DataError(f"the words of sentence {wrong + 1} are not those of the gold tree.")
    kept[other] = keep[chosen]
    return keep, kept, status


def without_words(trees: Derivations, keep: np.ndarray) -> Derivations:
    """Take words out of trees, and the phrases that are left without one.

    Parameters
    ----------
    trees : Derivations
    keep : ndarray of bool
        One entry per token.

    Returns
    -------
    Derivations
        Words are numbered anew.

    Examples
    --------
    >>> from analysis.corpora.bracketed_trees import read_bracketed_trees
    >>> tree = read_bracketed_trees(b"(S (NP (NNS hens)) (VP (VBP eat)) (. .))")
    >>> without_words(tree, np.array([True, False, False])).tree(0)
    (S (NP (NNS hens)))
    """
    nodes, tokens = trees.nodes, trees.tokens
    number = tokens["sentence"].to_numpy(dtype=np.int64)
    sentence, start, end = (nodes[name].to_numpy(dtype=np.int64) for name in ("sentence", "start", "end"))
    before = np.concatenate([[0], np.cumsum(keep)]).astype(np.int64)
    first = np.searchsorted(number, sentence)
    start, end = (before[first + at] - before[first] for at in (start, end))
    words = tokens[keep].reset_index(drop=True)
    words["position"] = words.groupby("sentence").cumcount() + 1
    counts = per_sentence(words["sentence"].to_numpy(dtype=np.int64), len(trees))
    changed = Derivations(
        nodes.assign(start=start, end=end), words, trees.sentences.assign(words=counts), trees.incidents
    )
    return chosen_nodes(changed, start < end, absolute_parents(nodes), nodes["category"].astype("str"))


def _relations(trees: Derivations, one_tag: bool, direction: bool, coordination: Coordination) -> pd.DataFrame:
    """The relation of each word, sentences and words in order."""
    rows: list[tuple] = []
    for sentence, labels, below, _, end in whole_trees(trees):
        words = list(end)  # of each node the position of its head; of a leaf its own
        shown = ["TAG" if one_tag and not daughters else label for label, daughters in zip(labels, below, strict=True)]
        own: list[tuple] = []
        for node in reversed(range(len(labels))):
            daughters = below[node]
            if not daughters:
                continue
            head = head_daughter(labels[node], [labels[one] for one in daughters], coordination=coordination)
            words[node] = words[daughters[head]]
            for place, one in enumerate(daughters):
                if place != head:
                    side = "left" if place < head else "right"
                    own.append((words[one], words[node], labels[node], shown[daughters[head]], shown[one],
                                side if direction else ""))  # fmt: skip
        own.append((words[0], 0, "", HEAD, "", ""))
        rows += [(sentence, *one) for one in sorted(own)]
    table = pd.DataFrame(rows, columns=["sentence", "dependent", "head", *_RELATION])
    kinds = {"sentence": "int64", "dependent": "int64", "head": "int64", **dict.fromkeys(_RELATION, "str")}
    return table.astype(kinds)
