"""Two simple baselines: the unchanged lemma, and the most frequent change of the ending."""

from analysis.inflection.models.base import InflectionModel


class CopyBaseline(InflectionModel):
    """Predict the unchanged lemma.

    Examples
    --------
    >>> import pandas as pd
    >>> CopyBaseline().fit(pd.DataFrame({"lemma": ["walk"], "form": ["walked"]})).explain("talk")
    ('talk', 'the unchanged lemma')
    """

    def _fit(self, lemmas: list[str], forms: list[str], features: list[str]) -> None:
        pass

    def _predict_one(self, lemma: str, features: str, say: bool) -> tuple[str, str]:
        return lemma, "the unchanged lemma"


class MajoritySuffix(InflectionModel):
    """Apply the most frequent change of the ending among training items with the same features that fits the lemma.

    A change replaces the part of the lemma after the longest common prefix of lemma and form by the rest of the form.
    Ties go to the first change in training. For unseen features, or if no change fits, the prediction is the lemma.

    Attributes
    ----------
    changes_ : dict
        Feature set, then changes (removed, added) with their counts, most frequent first.

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
            return lemma, f"no item with the features {features!r} in training: the unchanged lemma"
        for (old, new), count in changes.items():
            if lemma.endswith(old):
                said = f"-{old or '∅'} becomes -{new or '∅'} ({count:,} of {sum(changes.values()):,} items)"
                return lemma[: len(lemma) - len(old)] + new, said
        return lemma, "no change fits: the unchanged lemma"
