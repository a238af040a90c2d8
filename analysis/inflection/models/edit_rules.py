"""Alignment of a lemma with its form, and the resulting prefix and suffix rules.

They are used by the baseline of the SIGMORPHON shared tasks (Cotterell et al. 2017), NONNEUR in Kodner et al. (2023).
"""

from functools import lru_cache
from typing import NamedTuple

#: Markers of the beginning and the end of a word; shown as < and >, but distinct from these characters.
START, END = "\x02", "\x03"
GAP = ""
_INSERT = _DELETE = 10
_SUBSTITUTE = 11

Rule = tuple[str, str]


class Affixes(NamedTuple):
    """Numbers of letters added or removed before and after the best common part of two words."""

    before: int
    after: int


@lru_cache(maxsize=1 << 16)
def affix_letters(lemma: str, form: str) -> Affixes:
    """Count the extra letters on each side if the form is shifted along the lemma without inner gaps.

    The offset with the smallest Hamming distance is used (a letter without a counterpart is a mismatch); ties go to the
    first, with the form moving from after the lemma to before it.

    Examples
    --------
    >>> affix_letters("walk", "walked"), affix_letters("sehen", "gesehen")
    (Affixes(before=0, after=2), Affixes(before=2, after=0))
    """
    long, other = len(lemma), len(form)
    best, place = -1, long
    for offset in range(long, -other - 1, -1):
        start, stop = max(offset, 0), min(offset + other, long)
        overlap = stop - start
        if 2 * overlap <= best:
            continue
        score = overlap + sum(map(str.__eq__, lemma[start:stop], form[start - offset : stop - offset]))
        if score > best:
            best, place = score, offset
    end = place + other
    return Affixes(abs(place), abs(long - end))


@lru_cache(maxsize=1 << 16)
def align(lemma: str, form: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Find the columns of a best alignment: insertion and deletion cost 1, substitution 1.1.

    Ties are broken from the left: a match or substitution is preferred to an insertion (a gap in the lemma), and this
    to a deletion.

    Returns
    -------
    pair of tuples of str
        A letter or the empty string (a gap) in each column, for the lemma and for the form.

    Examples
    --------
    >>> align("fly", "flew")
    (('f', 'l', 'y', ''), ('f', 'l', 'e', 'w'))
    """
    long, other = len(lemma), len(form)
    # cost[i][j]: minimum cost of aligning lemma[i:] and form[j:]
    below = [_INSERT * (other - j) for j in range(other + 1)]
    cost = [below]
    for i in range(long - 1, -1, -1):
        letter = lemma[i]
        right = below[other] + _DELETE
        row = [0] * other + [right]
        for j in range(other - 1, -1, -1):
            least = below[j + 1] if letter == form[j] else below[j + 1] + _SUBSTITUTE
            if right + _INSERT < least:
                least = right + _INSERT
            if below[j] + _DELETE < least:
                least = below[j] + _DELETE
            row[j] = right = least
        cost.append(row)
        below = row
    cost.reverse()
    upper, lower = [], []
    i = j = 0
    while i < long or j < other:
        here = cost[i][j]
        if i < long and j < other and here == cost[i + 1][j + 1] + (0 if lemma[i] == form[j] else _SUBSTITUTE):
            upper.append(lemma[i])
            lower.append(form[j])
            i, j = i + 1, j + 1
        elif j < other and here == cost[i][j + 1] + _INSERT:
            upper.append(GAP)
            lower.append(form[j])
            j += 1
        else:
            upper.append(lemma[i])
            lower.append(GAP)
            i += 1
    return tuple(upper), tuple(lower)


@lru_cache(maxsize=1 << 16)
def edit_rules(lemma: str, form: str) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Extract the prefix rules and the suffix rules of one pair; each rule replaces its first string by its second.

    The outer gaps of either word divide the columns of the alignment into prefix, stem and suffix. A suffix rule
    consists of all columns from any column of stem and suffix to the end of the word; a prefix rule of the beginning of
    the word, the prefix, and any number of the *form's* stem letters except the last.

    Examples
    --------
    >>> shown = lambda rules: [tuple(side.replace(START, "<").replace(END, ">") for side in rule) for rule in rules]
    >>> [shown(rules) for rules in edit_rules("go", "goes")]
    [[('<', '<'), ('<g', '<g')], [('>', '>'), ('>', 's>'), ('>', 'es>'), ('o>', 'oes>'), ('go>', 'goes>')]]
    """
    upper, lower = align(lemma, form)
    columns = len(upper)
    lead = max(_gaps(upper), _gaps(lower))
    trail = max(_gaps(upper[::-1]), _gaps(lower[::-1]))
    suffix: dict[Rule, None] = {}
    ending_in, ending_out = END, END
    suffix[ending_in, ending_out] = None
    for i in range(columns - 1, lead - 1, -1):
        ending_in, ending_out = upper[i] + ending_in, lower[i] + ending_out
        suffix[ending_in, ending_out] = None
    prefix: dict[Rule, None] = {}
    begin_in, begin_out = START + "".join(upper[:lead]), START + "".join(lower[:lead])
    for i in range(lead, columns - trail):
        prefix[begin_in, begin_out] = None
        begin_in, begin_out = begin_in + lower[i], begin_out + lower[i]
    return tuple(prefix), tuple(suffix)


def _gaps(side: tuple[str, ...]) -> int:
    """Count leading gaps."""
    for number, letter in enumerate(side):
        if letter:
            return number
    return len(side)
