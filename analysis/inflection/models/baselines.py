"""Two baselines that show what a number is worth: the lemma unchanged, and the most frequent change of the ending."""

from analysis.inflection.models.base import InflectionModel


class CopyBaseline(InflectionModel):
    """The lemma as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> CopyBaseline().fit(pd.DataFrame({"lemma": ["walk"], "form": ["walked"]})).explain("talk")
    ('talk', 'the lemma as it is')
    """

    def _fit(self, lemmas: list[str], forms: list[str], features: list[str]) -> None:
        pass

    def _predict_one(self, lemma: str, features: str, say: bool) -> tuple[str, str]:
        return lemma, "the lemma as it is"


class MajoritySuffix(InflectionModel):
    """The most frequent change of the ending among training items with the same features that fits the lemma.

    A change takes away what follows the longest shared beginning of lemma and form and adds the form's rest. Of equally
    frequent changes the first in training counts. Features never seen, or no change that fits, give the lemma.

    Attributes
    ----------
    changes_ : dict
        Feature set, then changes (taken away, added) with their counts, the most frequent first.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = [("walk", "walked"), ("talk", "talked"), ("sing", "sang")]
    >>> MajoritySuffix().fit(pd.DataFrame(pairs, columns=["lemma", "form"])).explain("ring")
    ('ringed', '-∅ becomes -ed (2 of 3 items)')
    """

    def _fit(self, lemmas: list[str], forms: list[str], features: list[str]) -> None:
        counts: dict[str, dict[tuple[str, str], int]] = {}
        for lemma, form, tags in zip(lemmas, forms, features, strict=True):
            shared = 0
            while shared < min(len(lemma), len(form)) and lemma[shared] == form[shared]:
                shared += 1
            changes = counts.setdefault(tags, {})
            change = lemma[shared:], form[shared:]
            changes[change] = changes.get(change, 0) + 1
        self.changes_ = {
            tags: dict(sorted(changes.items(), key=lambda item: -item[1])) for tags, changes in counts.items()
        }

    def _predict_one(self, lemma: str, features: str, say: bool) -> tuple[str, str]:
        changes = self.changes_.get(features)
        if changes is None:
            return lemma, f"no item with the features {features!r} in training: the lemma as it is"
        for (old, new), count in changes.items():
            if lemma.endswith(old):
                said = f"-{old or '∅'} becomes -{new or '∅'} ({count:,} of {sum(changes.values()):,} items)"
                return lemma[: len(lemma) - len(old)] + new, said
        return lemma, "no change fits: the lemma as it is"
