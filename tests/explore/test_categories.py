import itertools
from collections import Counter

import pandas as pd
import pytest

from analysis import explore
from analysis.categories import substitutable_precision_recall, substitution_clusters
from analysis.corpora.slashed import read_slashed
from analysis.explore import categories
from analysis.papers import frank2009
from analysis.papers.frank2009.runs import frequent_frames, labels
from analysis.papers.frank2009.setting import parts

pytestmark = pytest.mark.thorough

CORPUS = "nursery"
SENTENCES = 1500
CHOICES = [
    {"model": "HC", "k": 12, "linkage": "average"},
    {"model": "HC", "k": 20, "linkage": "single", "condition": "split"},
    {"model": "FF", "k": 2, "threshold": 0.002},
    {"model": "FF", "k": 12, "threshold": 0.0009, "condition": "split", "inventory": "fine"},
    {"model": "BHMM", "k": 5, "inventory": "fine"},
    {"model": "Random", "k": 53},
]


@pytest.fixture(scope="module")
def word_classes(small_cache):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANALYSIS_CACHE", str(small_cache))
        yield explore.word_classes(CORPUS, sentences=SENTENCES)


def printed(explorer):
    """The explorer's outputs, as text."""
    return [output["data"]["text/plain"] for output in explorer.children[1].outputs]


def pictures(explorer):
    return [output for output in explorer.children[1].outputs if "<img " in output["data"]["text/html"]]


# Models and choices


@pytest.mark.parametrize("choices", CHOICES, ids=lambda choices: f"{choices['model']}-{choices['k']}")
def test_the_explorer_shows_what_the_library_computes(word_classes, choices):
    explorer = word_classes.set(**{"condition": "merge", "inventory": "coarse"} | choices)
    assert explorer.error == ""
    scores = categories.word_class_scores(CORPUS, sentences=SENTENCES, **choices)
    pd.testing.assert_frame_equal(explorer.value["scores"], scores)
    sizes = {name: value for name, value in choices.items() if name != "condition"}
    pd.testing.assert_frame_equal(
        explorer.value["sizes"], categories.ranked_sizes(CORPUS, sentences=SENTENCES, **sizes)
    )
    assert len(pictures(explorer)) == 1
    for number in scores["value"]:
        assert f"{number:.4g}" in printed(explorer)[0]  # the picture's text says the scores


def test_sizes_are_counted_by_hand_from_the_labels(word_classes):
    explorer = word_classes.set(model="FF", k=12, threshold=0.0009, inventory="coarse")
    labels, _ = categories.sampled_labels(CORPUS, "FF", 12, sentences=SENTENCES)
    forms = parts(CORPUS, SENTENCES).train["form"]
    types = {}
    for form, label in zip(forms, labels, strict=True):
        if not pd.isna(label):
            types.setdefault(label, set()).add(form)
    shown = explorer.value["sizes"].query("system == 'FF'")
    assert list(shown["size"]) == sorted((len(words) for words in types.values()), reverse=True)
    assert list(shown["rank"]) == list(range(1, len(types) + 1))


def test_only_the_chosen_model_listens_to_its_parameter(word_classes):
    explorer = word_classes.set(model="FF", k=12, condition="merge", inventory="coarse", threshold=0.0009)
    before = explorer.value["scores"]
    pd.testing.assert_frame_equal(explorer.set(linkage="complete").value["scores"], before)
    assert not explorer.set(threshold=0.0005).value["scores"].equals(before)


def test_going_back_shows_the_same_picture_byte_for_byte(word_classes):
    explorer = word_classes.set(model="HC", k=12, linkage="average", condition="merge", inventory="coarse")
    before = explorer.children[1].outputs
    explorer.set(k=20)
    assert explorer.children[1].outputs != before
    assert explorer.set(k=12).children[1].outputs == before


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"model": "LDA", "k": 12}, "model is 'LDA'; there are Random, BHMM"),
        ({"model": "HC", "k": 12, "inventory": "universal"}, "inventory is 'universal'; it must be 'coarse' or 'fine'"),
    ],
)
def test_an_unknown_choice_is_named(choices, message):
    with pytest.raises(ValueError, match=message):
        categories.word_class_scores(CORPUS, sentences=SENTENCES, **choices)


def test_fewer_clusters_than_the_default_need_no_more_frames_than_clusters(word_classes):
    frames = {t: frequent_frames(CORPUS, t, SENTENCES).frames_ for t in categories.THRESHOLDS if t < 0.003}
    threshold, few = next((t, len(found)) for t, found in frames.items() if 2 <= len(found) < 12)
    explorer = word_classes.set(model="FF", threshold=threshold, k=2)
    assert explorer.error == "" and len(pictures(explorer)) == 1
    explorer.set(k=12)
    assert explorer.value is None
    assert printed(explorer) == [explorer.error]
    assert explorer.error.startswith(f"{few} frames are frequent, too few for 12 clusters")
    assert "\n" not in explorer.error
    with pytest.raises(ValueError, match="too few for 12 clusters"):
        explorer.figure()
    assert explorer.set(k=2).error == "" and len(pictures(explorer)) == 1


# Frames


def frame_counts(tokens):
    """Every frame with the words in it, counted sentence by sentence."""
    counts = {}
    for _, group in itertools.groupby(zip(tokens["sentence"], tokens["form"], strict=True), key=lambda pair: pair[0]):
        words = [str(word) for _, word in group]
        for left, word, right in zip(words, words[1:], words[2:], strict=False):
            counts.setdefault((left, right), Counter())[word] += 1
    return counts


def test_the_words_between_two_words_are_those_counted_sentence_by_sentence():
    explorer = explore.frames(CORPUS)
    counts = frame_counts(frank2009.data(CORPUS).train)
    common = sorted(counts, key=lambda frame: -counts[frame].total())
    for left, right in [*common[:3], common[len(common) // 2], common[-1]]:
        explorer.set(left=left, right=right)
        found = explorer.value.groupby("filler")["tokens"].sum()
        assert found.to_dict() == dict(counts[left, right])
        assert explorer.value["tokens"].is_monotonic_decreasing


def test_spaces_around_a_typed_word_do_not_matter():
    explorer = explore.frames(CORPUS)
    before = explorer.value
    pd.testing.assert_frame_equal(explorer.set(left="  to ").value, before)


def test_the_classes_of_the_words_are_those_of_the_gold_tags_or_of_a_model():
    train = frank2009.data(CORPUS).train
    explorer = explore.frames(CORPUS).set(by="fine")
    tags = {(str(form), str(tag)) for form, tag in zip(train["form"], train["fine"], strict=True)}
    assert set(zip(explorer.value["filler"], explorer.value["cluster"], strict=True)) <= tags
    words = explorer.value.groupby("filler")["tokens"].sum()
    for model in ("HC", "FF"):
        by_model = explorer.set(by=model).value
        pd.testing.assert_series_equal(by_model.groupby("filler")["tokens"].sum(), words)
        if model == "HC":  # one cluster per word type
            assert by_model["filler"].is_unique


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"left": "xyzzy"}, "'xyzzy' (left word) does not occur in nursery."),
        ({"right": ""}, "'' (right word) does not occur in nursery."),
    ],
)
def test_a_word_that_does_not_occur_is_named(typed, message):
    explorer = explore.frames(CORPUS).set(**typed)
    assert explorer.value is None and printed(explorer) == [message]


def test_two_words_with_nothing_between_them_are_named():
    counts = frame_counts(frank2009.data(CORPUS).train)
    lefts, rights = zip(*counts, strict=True)
    left, right = next(frame for frame in itertools.product(set(lefts), set(rights)) if frame not in counts)
    explorer = explore.frames(CORPUS).set(left=left, right=right)
    assert printed(explorer)[-1] == f"no word occurs between {left!r} and {right!r} in nursery."


# Clusters


@pytest.fixture(scope="module")
def contents(small_cache):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANALYSIS_CACHE", str(small_cache))
        yield explore.cluster_contents(CORPUS).set(model="HC")


def test_a_cluster_holds_the_words_that_the_model_puts_there(contents):
    train = frank2009.data(CORPUS).train
    found = labels(CORPUS, categories._system(CORPUS, "HC", 12))[0]
    sizes = Counter(label for label in found if not pd.isna(label)).most_common()
    for rank in (1, 3):
        table = contents.set(k=12, rank=rank).value
        inside = Counter(
            str(form) for form, label in zip(train["form"], found, strict=True)
            if not pd.isna(label) and label == sizes[rank - 1][0]
        )  # fmt: skip
        assert dict(zip(table["form"], table["tokens"], strict=True)) == dict(inside)
        assert (table["share"] == 1).all(), "HC puts all tokens of a type into one cluster"
        assert table["tokens"].sum() == sizes[rank - 1][1]


def test_a_cluster_that_is_not_there_cannot_be_chosen(contents):
    explorer = contents.set(k=12, rank=80)
    assert explorer.error == "" and explorer.settings()["rank"] == explorer.controls["rank"].max == 12


# S-clusters by hand

TRAINING = "the/D cat/N ran/V\nthe/D dog/N ran/V"
TEST = "the/D cat/N ran/V\nthe/D dog/N ran/V\na/D dog/N ran/V\ncat/N ran/V"


def by_hand(**choices):
    """The explorer, with all choices set before the text that is looked at."""
    return explore.substitution_clusters_by_hand().set(training=TRAINING, test=TEST, **choices)


def test_the_worked_case_has_two_of_four_and_two_of_two():
    result = by_hand().value["result"]
    assert (result.matched, result.predicted, result.gold) == (2, 4, 2)


@pytest.mark.parametrize(
    "choices", [{}, {"minimum_frequency": 1}, {"frames_in_training": False}, {"annotate": False}], ids=str
)
def test_each_choice_gives_what_the_measure_gives(choices):
    explorer = by_hand(**choices)
    tables = read_slashed(TRAINING), read_slashed(TEST)
    assert explorer.value["result"] == substitutable_precision_recall(*tables, **choices)
    pd.testing.assert_frame_equal(explorer.value["clusters"], substitution_clusters(*tables, **choices))
    assert printed(explorer)[0] == repr(explorer.value["result"])


def test_splitting_the_cluster_of_two_substitutable_words_loses_the_recall():
    explorer = by_hand().set(training=TRAINING.replace("dog/N", "dog/A"), test=TEST.replace("dog/N", "dog/A"))
    result = explorer.value["result"]
    assert (result.matched, result.gold) == (0, 2)  # cat/N and dog/A share the frame the _ ran, in both orders


def test_a_wrong_word_is_named_with_its_line():
    explorer = by_hand().set(test="the/D cat/N ran/V\nthe/D dog ran/V")
    assert explorer.value is None
    assert explorer.error.startswith("test, line 2: 'dog' is not a word/label")


def test_an_empty_text_is_an_error_not_a_traceback():
    explorer = by_hand().set(training=" ")
    assert explorer.value is None and explorer.error.startswith("training")


def test_explorers_leave_no_pyplot_figure_open(word_classes):
    from matplotlib import pyplot

    word_classes.set(k=30)
    assert pyplot.get_fignums() == []
