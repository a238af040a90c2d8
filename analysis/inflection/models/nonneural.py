"""NONNEUR: the non-neural baseline of the SIGMORPHON shared tasks (Kodner et al. 2023, section "Models")."""

from analysis.inflection.models.base import InflectionModel
from analysis.inflection.models.edit_rules import END, START, Rule, affix_letters, edit_rules

BREAKS = (" ", "-")


class NonNeural(InflectionModel):
    """Count the prefix and suffix rules of the training pairs by feature set; apply the longest, most frequent one.

    The model is trained on training and fine-tuning items together. If the training pairs add more letters at the
    beginning than at the end, all words are processed from the right. For an unseen feature set the prediction is the
    lemma.

    Attributes
    ----------
    reversed_ : bool
        Whether words are processed from the right.
    suffix_rules_, prefix_rules_ : dict
        Feature set, then the string to replace, then the replacement with its number of pairs.
    n_items_ : int

    References
    ----------
    Cotterell et al. (2017), CoNLL-SIGMORPHON 2017 shared task; Kodner et al. (2023). It reproduces the 52 published
    accuracies on the SIGMORPHON 2022 part 2 data.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = [("walk", "walked"), ("talk", "talked"), ("sing", "sang")]
    >>> model = NonNeural().fit(pd.DataFrame(pairs, columns=["lemma", "form"]))
    >>> model.explain("stalk")
    ('stalked', 'talk> becomes talked> (1 of 1 with this ending)')
    """

    def _fit(self, lemmas: list[str], forms: list[str], features: list[str]) -> None:
        before = after = 0
        for lemma, form in zip(lemmas, forms, strict=True):
            if not any(mark in lemma or mark in form for mark in BREAKS):
                letters = affix_letters(lemma, form)
                before, after = before + letters.before, after + letters.after
        self.reversed_ = before > after
        step = -1 if self.reversed_ else 1
        self.prefix_rules_: dict[str, dict[str, dict[str, int]]] = {}
        self.suffix_rules_: dict[str, dict[str, dict[str, int]]] = {}
        for lemma, form, tags in zip(lemmas, forms, features, strict=True):
            prefix, suffix = edit_rules(lemma[::step], form[::step])
            _count(self.prefix_rules_.setdefault(tags, {}), prefix)
            _count(self.suffix_rules_.setdefault(tags, {}), suffix)

    def _predict_one(self, lemma: str, features: str, say: bool) -> tuple[str, str]:
        suffixes = self.suffix_rules_.get(features)
        if suffixes is None:
            return lemma, f"no item with the features {features!r} in training: the unchanged lemma"
        word = START + (lemma[::-1] if self.reversed_ else lemma) + END
        said = "no rule fits: the unchanged lemma"
        for place in range(len(word)):
            outputs = suffixes.get(word[place:])
            if outputs:  # the longest ending that has a rule
                old = word[place:]
                new = max(outputs, key=lambda output: (outputs[output], len(output)))
                word = word.replace(old, new)
                said = self._said(old, new, outputs, "ending") if say else ""
                break
        word, front = self._change_front(word, self.prefix_rules_[features], say)
        answer = word.replace(START, "").replace(END, "")
        return (answer[::-1] if self.reversed_ else answer), (f"{said}; then {front}" if front else said)

    def _change_front(self, word: str, prefixes: dict[str, dict[str, int]], say: bool) -> tuple[str, str]:
        """Apply the most frequent prefix rule that fits; ties go to the longest."""
        best: tuple[int, int, str, str] | None = None
        for stop in range(1, len(word) + 1):
            for new, count in prefixes.get(word[:stop], {}).items():
                if best is None or (count, stop) > best[:2]:
                    best = (count, stop, word[:stop], new)
        if best is None or best[2] == best[3]:
            return word, ""
        _, _, old, new = best
        return word.replace(old, new), self._said(old, new, prefixes[old], "beginning") if say else ""

    def _said(self, old: str, new: str, outputs: dict[str, int], side: str) -> str:
        if self.reversed_:
            old, new = old[::-1], new[::-1]
            shown = str.maketrans({START: ">", END: "<"})
            side = {"ending": "beginning", "beginning": "ending"}[side]
        else:
            shown = str.maketrans({START: "<", END: ">"})
        count = outputs[new[::-1] if self.reversed_ else new]
        return (
            f"{old.translate(shown)} becomes {new.translate(shown)} "
            f"({count:,} of {sum(outputs.values()):,} with this {side})"
        )


def _count(table: dict[str, dict[str, int]], rules: tuple[Rule, ...]) -> None:
    for old, new in rules:
        outputs = table.setdefault(old, {})
        outputs[new] = outputs.get(new, 0) + 1
