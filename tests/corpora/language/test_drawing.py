import numpy as np
import pandas as pd
import pytest

from analysis.categories.models.bayesian_hmm import BayesianHMM
from analysis.categories.models.hierarchical_clustering import HierarchicalClustering
from analysis.categories.token_measures import many_to_one
from analysis.corpora.language import (
    generate,
    generate_blocks,
    load_grammar,
    nursery,
    nursery_dependencies,
    nursery_derivations,
    nursery_part,
    parts,
)
from analysis.corpora.language.drawing import BLOCK
from analysis.structures import check_tokens

pytestmark = pytest.mark.thorough

TABLES = ("tokens", "nodes", "dependencies")


@pytest.fixture(scope="module")
def train():
    return nursery("train")


@pytest.fixture(scope="module")
def serial():
    return generate(2 * BLOCK + 100, random_state=42)


@pytest.mark.parametrize("workers", [1, 2, 3, -1])
def test_the_same_seed_gives_the_same_corpus_on_any_number_of_workers(serial, workers):
    parallel = generate(2 * BLOCK + 100, random_state=42, n_jobs=workers)
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(serial, name), getattr(parallel, name))


def test_another_seed_gives_another_corpus():
    one, other = generate(500, random_state=1), generate(500, random_state=2)
    assert one.tokens["form"].tolist() != other.tokens["form"].tolist()
    free = [generate(500, random_state=None).tokens["form"].tolist() for _ in range(2)]
    assert free[0] != free[1]


def test_a_generator_is_a_seed_and_moves_on():
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    first = generate(300, random_state=one)
    pd.testing.assert_frame_equal(first.tokens, generate(300, random_state=other).tokens)
    assert first.tokens["form"].tolist() != generate(300, random_state=one).tokens["form"].tolist()


def test_more_utterances_of_a_seed_begin_with_the_same():
    few, many = generate(1_000, random_state=9).tokens, generate(7_000, random_state=9).tokens
    pd.testing.assert_frame_equal(few, many.iloc[: len(few)])


def test_blocks_one_after_the_other_are_the_corpus():
    whole = generate(5_000, random_state=6)
    blocks = list(generate_blocks(5_000, random_state=6, n_jobs=2))
    assert [block.tokens["sentence"].nunique() for block in blocks] == [2048, 2048, 904]
    for name in TABLES:
        joined = pd.concat([getattr(block, name) for block in blocks], ignore_index=True)
        pd.testing.assert_frame_equal(getattr(whole, name), joined)


def test_blocks_go_on_for_ever():
    blocks = generate_blocks(None, random_state=0)
    numbers = [next(blocks).tokens["sentence"].iloc[0] for _ in range(4)]
    assert numbers == [0, 2048, 4096, 6144]


@pytest.mark.parametrize("wanted", [3.0, 5.5, 7.0])
def test_the_mean_length_is_what_was_asked_for(wanted):
    lengths = generate(40_000, random_state=1, mean_length=wanted).tokens.groupby("sentence").size()
    assert abs(lengths.mean() - wanted) < 5 * lengths.std() / np.sqrt(len(lengths))


def test_the_computed_mean_length_is_the_drawn_one():
    lengths = generate(40_000, random_state=2).tokens.groupby("sentence").size()
    computed = load_grammar().mean_length()
    assert 5 <= computed <= 6
    assert abs(lengths.mean() - computed) < 5 * lengths.std() / np.sqrt(len(lengths))


def test_another_mean_length_changes_nothing_among_utterances_of_one_word():
    plain = generate(60_000, random_state=3).tokens
    longer = generate(60_000, random_state=4, mean_length=7).tokens
    shares = []
    for tokens in (plain, longer):
        single = tokens[tokens.groupby("sentence")["form"].transform("size") == 1]
        shares.append(single["coarse"].value_counts(normalize=True)["OTH"])
        assert len(single) > 1_000
    assert abs(shares[0] - shares[1]) < 0.05


def test_the_number_of_word_types_is_a_limit():
    tokens = generate(20_000, random_state=1, word_types=600).tokens
    assert 550 <= tokens["form"].nunique() <= 600
    everything = generate(5_000, random_state=1).tokens["form"].nunique()
    assert everything > 600


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"utterances": 0}, "utterances must be at least 1"),
        ({"utterances": 5, "word_types": 3}, "word_types must lie between"),
        ({"utterances": 5, "word_types": 10**6}, "word_types must lie between"),
        ({"utterances": 5, "mean_length": 0.5}, "mean_length must lie between"),
        ({"utterances": 5, "mean_length": 19.0}, "mean_length must lie between"),
        ({"utterances": 5, "longest": 0}, "longest must lie between"),
        ({"utterances": 5, "longest": 61}, "longest must lie between"),
    ],
)
def test_numbers_out_of_range_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        generate(**arguments)


@pytest.mark.parametrize("longest", [1, 60])
def test_the_shortest_and_the_longest_limit_are_allowed(longest):
    lengths = generate(50, random_state=1, longest=longest).tokens.groupby("sentence").size()
    assert 1 <= lengths.max() <= longest


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="train and test, not 'dev'"):
        nursery("dev")


def test_the_parts_have_the_promised_numbers_of_words(train):
    check_tokens(train, ["sentence", "position", "form", "fine", "coarse", "universal", "head", "relation"])
    test = nursery("test")
    assert (len(train), len(test)) == (100_000, 600_000)
    assert (np.diff(train["sentence"].unique()) == 1).all()
    overlap = train["form"].astype("str").head(2_000).tolist() == test["form"].astype("str").head(2_000).tolist()
    assert not overlap


def test_derivations_and_dependencies_belong_to_the_tokens(train):
    nodes, dependencies = nursery_derivations("train"), nursery_dependencies("train")
    leaves = nodes[nodes["rule"] == "lex"]
    assert leaves["sentence"].tolist() == train["sentence"].tolist()
    assert leaves["category"].astype("str").tolist() == train["category"].astype("str").tolist()
    functors = dependencies.merge(train, left_on=["sentence", "functor"], right_on=["sentence", "position"])
    assert len(functors) == len(dependencies)
    assert (functors["category_x"].astype("str") == functors["category_y"].astype("str")).all()


def test_frequencies_are_zipfian(train):
    counts = train["form"].value_counts().to_numpy()[:300]
    slope = np.polyfit(np.log(np.arange(1, 301)), np.log(counts), 1)[0]
    assert -1.15 < slope < -0.85


def test_at_least_five_hundred_forms_occur_twice(train):
    assert (train["form"].value_counts() >= 2).sum() >= 500


def test_branching_baselines_are_neither_hopeless_nor_good(train):
    last = train.groupby("sentence")["position"].transform("max")
    left = train["head"] == np.where(train["position"] == last, 0, train["position"] + 1)
    right = train["head"] == train["position"] - 1
    assert 0.15 < left.mean() < 0.60
    assert 0.15 < right.mean() < 0.60


def test_word_classes_can_be_found_but_not_for_nothing(train):
    hierarchical = HierarchicalClustering(12).fit(train).predict(train)
    clustered = hierarchical.notna()
    sampled = BayesianHMM(12, sweeps=60, random_state=1).fit(train).labels_
    for gold, predicted in ((train["coarse"][clustered], hierarchical[clustered]), (train["coarse"], sampled)):
        assert 0.55 < many_to_one(gold, predicted).value < 0.97


def test_changing_a_returned_table_changes_no_later_one(train):
    spoilt = nursery("train")
    spoilt.loc[:, "head"] = 0
    pd.testing.assert_frame_equal(nursery("train"), train)


def test_what_is_kept_as_parquet_is_what_was_drawn(tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    monkeypatch.setitem(parts.PARTS, "train", (3_000, 2009))
    nursery_part.cache_clear()
    drawn = nursery_part("train")
    kept = sorted(path.name for path in tmp_path.rglob("*.parquet"))
    assert kept == ["dependencies.parquet", "nodes.parquet", "tokens.parquet"]
    nursery_part.cache_clear()
    read = nursery_part("train")
    assert read is not drawn
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(read, name), getattr(drawn, name))
    next(tmp_path.rglob("nodes.parquet")).write_bytes(b"torn")
    nursery_part.cache_clear()
    pd.testing.assert_frame_equal(nursery_part("train").nodes, drawn.nodes)
    nursery_part.cache_clear()
