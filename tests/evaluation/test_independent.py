"""What the commands print, computed again from the files by other libraries and plain loops."""

import json
import math
import random
from collections import Counter, defaultdict

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from analysis.__main__ import main
from analysis.evaluation import compare_systems, score_trees

SENTENCES, RESAMPLES, SEED = 40, 60, 7
CLASSES = "NVDPA"
BOOTSTRAPPED = ("one-to-one", "pairwise precision", "pairwise recall", "pairwise F1", "ARI")
ENTROPIES = ("V", "VI", "NVI", "H(C|K)", "H(K|C)")
ATTACHMENTS = ("directed", "undirected", "NED")


@pytest.fixture
def labels(tmp_path, monkeypatch):
    """Labels by sentence of a gold standard and of two clusterings, written as word TAB label."""
    monkeypatch.chdir(tmp_path)
    draw, found = random.Random(3), {"gold": [], "a": [], "b": []}
    for _ in range(SENTENCES):
        gold = [draw.choice(CLASSES) for _ in range(draw.randrange(1, 9))]
        found["gold"].append(gold)
        for name, noise, number in (("a", 0.4, 7), ("b", 0.2, 4)):
            found[name].append([tag if draw.random() > noise else f"k{draw.randrange(number)}" for tag in gold])
    for name, sentences in found.items():
        text = "".join("".join(f"w\t{label}\n" for label in sentence) + "\n" for sentence in sentences)
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return found


@pytest.fixture
def trees(tmp_path, monkeypatch):
    """Heads by sentence of gold trees, of two parsers and of a second run of the second; some predictions cyclic."""
    monkeypatch.chdir(tmp_path)
    draw, found = random.Random(4), {"gold": [], "a": [], "b": [], "c": []}
    for _ in range(SENTENCES):
        n = draw.randrange(2, 9)
        root = draw.randrange(1, n + 1)
        found["gold"].append([0 if place == root else place - 1 if place > root else place + 1
                              for place in range(1, n + 1)])  # fmt: skip
        for name, noise in (("a", 0.4), ("b", 0.3), ("c", 0.25)):
            found[name].append([
                head if draw.random() > noise else draw.choice([at for at in range(n + 1) if at != place])
                for place, head in enumerate(found["gold"][-1], 1)
            ])  # fmt: skip
    for name, sentences in found.items():
        rows = (
            "".join(f"{at}\tw\t_\tX\tX\t_\t{head}\tr{at % 3}\t_\t_\n" for at, head in enumerate(heads, 1)) + "\n"
            for heads in sentences
        )
        (tmp_path / f"{name}.conllu").write_text("".join(rows), encoding="utf-8")
    return found


def printed(words):
    options = ["--resamples", str(RESAMPLES), "--seed", str(SEED), "--format", "json"]
    result = CliRunner().invoke(main, ["evaluate", *words.split(), *options])
    assert result.exit_code == 0, result.output
    return {
        row["measure"] if "by" not in row else (row["by"], row["measure"]): row for row in json.loads(result.stdout)
    }


def drawn(n):
    return np.random.default_rng(SEED).integers(0, n, (RESAMPLES, n))


def entropy(counts):
    shares = np.asarray(counts)[np.asarray(counts) > 0] / np.sum(counts)
    return -float((shares * np.log2(shares)).sum())


def measured(gold, predicted, units=None):
    """Every token-level measure of the sentences with these numbers, by scikit-learn and scipy."""
    units = range(len(gold)) if units is None else units
    ours, theirs = ([label for unit in units for label in side[unit]] for side in (gold, predicted))
    table = metrics.cluster.contingency_matrix(ours, theirs)
    n, rows, columns, cells = table.sum(), *map(entropy, (table.sum(1), table.sum(0), table.ravel()))
    (_, fp), (fn, tp) = metrics.cluster.pair_confusion_matrix(ours, theirs).tolist()
    return {
        "many-to-one": table.max(axis=0).sum() / n,
        "one-to-one": table[linear_sum_assignment(-table)].sum() / n,
        "V": metrics.v_measure_score(ours, theirs),
        "H(C|K)": cells - columns,
        "H(K|C)": cells - rows,
        "VI": 2 * cells - rows - columns,
        "NVI": (2 * cells - rows - columns) / rows,
        "pairwise precision": tp / (tp + fp),
        "pairwise recall": tp / (tp + fn),
        "pairwise F1": 2 * tp / (2 * tp + fp + fn),
        "ARI": metrics.adjusted_rand_score(ours, theirs),
    }


def without_each(gold, predicted):
    n = len(gold)
    rows = [measured(gold, predicted, [unit for unit in range(n) if unit != left]) for left in range(n)]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def jackknifed(value, without):
    n = len(without)
    return n * value - (n - 1) * without.mean(), math.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())


def two_sided(values, null):
    fewer = min((values <= null + 1e-12).sum(), (values >= null - 1e-12).sum())
    return min(1, 2 * (1 + fewer) / (len(values) + 1))


def test_every_value_of_a_clustering(labels):
    rows = printed("tags gold.txt a.txt")
    expected = measured(labels["gold"], labels["a"])
    ours, theirs = ([label for sentence in labels[name] for label in sentence] for name in ("gold", "a"))
    expected["AMI"] = metrics.adjusted_mutual_info_score(ours, theirs)
    halves, right = [range(SENTENCES // 2), range(SENTENCES // 2, SENTENCES)], 0
    for learnt, tested in (halves, halves[::-1]):
        counts = defaultdict(Counter)
        for unit in learnt:
            for tag, cluster in zip(labels["gold"][unit], labels["a"][unit], strict=True):
                counts[cluster][tag] += 1
        read = {cluster: min(own, key=lambda tag: (-own[tag], tag)) for cluster, own in counts.items()}
        right += sum(
            read.get(cluster) == tag
            for unit in tested
            for tag, cluster in zip(labels["gold"][unit], labels["a"][unit], strict=True)
        )
    expected["cross-validated many-to-one"] = right / len(ours)
    expected["tagging accuracy"] = np.mean(np.array(ours) == np.array(theirs))
    assert {name: row["value"] for name, row in rows.items()} == pytest.approx(expected, abs=1e-12)
    assert {row["n"] for row in rows.values()} == {len(ours)}


def test_every_interval_of_a_clustering(labels):
    rows, value = printed("tags gold.txt a.txt"), measured(labels["gold"], labels["a"])
    boot = [measured(labels["gold"], labels["a"], units) for units in drawn(SENTENCES)]
    bounds = {name: np.quantile([row[name] for row in boot], [0.025, 0.975]) for name in boot[0]}
    for name in BOOTSTRAPPED:
        assert [rows[name]["lower"], rows[name]["upper"]] == pytest.approx(list(bounds[name]))
    lower, upper = 2 * value["many-to-one"] - bounds["many-to-one"][::-1]
    assert [rows["many-to-one"]["lower"], rows["many-to-one"]["upper"]] == pytest.approx([lower, min(upper, 1)])
    left = without_each(labels["gold"], labels["a"])
    for name in ENTROPIES:
        corrected, error = jackknifed(value[name], left[name])
        half = stats.t.ppf(0.975, SENTENCES - 1) * error
        assert rows[name]["corrected"] == pytest.approx(corrected, abs=1e-9)
        limits = (0, 1) if name == "V" else (0, math.inf)
        expected = np.clip([corrected - half, corrected + half], *limits)
        assert [rows[name]["lower"], rows[name]["upper"]] == pytest.approx(list(expected), abs=1e-9)


def test_every_difference_of_two_clusterings(labels):
    rows = printed("tags gold.txt a.txt b.txt --compare")
    sides = [[measured(labels["gold"], labels[name], units) for units in drawn(SENTENCES)] for name in "ba"]
    whole = [measured(labels["gold"], labels[name]) for name in "ba"]
    left = [without_each(labels["gold"], labels[name]) for name in "ba"]
    for name in (*BOOTSTRAPPED, "many-to-one"):
        gap = whole[0][name] - whole[1][name]
        values = np.array([ours[name] - theirs[name] for ours, theirs in zip(*sides, strict=True)])
        lower, upper = np.quantile(values, [0.025, 0.975])
        turned = name == "many-to-one"
        expected = [2 * gap - upper, 2 * gap - lower] if turned else [lower, upper]
        assert [rows[name]["lower"], rows[name]["upper"]] == pytest.approx(expected)
        assert rows[name]["p"] == pytest.approx(two_sided(values, 2 * gap if turned else 0))
    for name in ENTROPIES:
        corrected, error = jackknifed(whole[0][name] - whole[1][name], left[0][name] - left[1][name])
        assert rows[name]["p"] == pytest.approx(2 * stats.t.sf(abs(corrected) / error, SENTENCES - 1), abs=1e-9)
    every = [row["p"] for row in rows.values()]
    assert [row["p_holm"] for row in rows.values()] == pytest.approx(list(multipletests(every, method="holm")[1]))


def attached(gold, predicted):
    """Words right of each sentence by the three measures, and words: of Schwartz et al. (2011), section 4."""
    rows = []
    for heads, guesses in zip(gold, predicted, strict=True):
        head, guess = ({0: None} | dict(enumerate(side, 1)) for side in (heads, guesses))
        parent = [guess[at] == head[at] for at in head if at]
        either = [right or head[guess[at]] == at for at, right in enumerate(parent, 1)]
        above = [right or (head[at] and guess[at] == head[head[at]]) for at, right in enumerate(either, 1)]
        rows.append([sum(parent), sum(either), sum(map(bool, above)), len(heads)])
    return np.array(rows)


def shares(counts, units=None):
    chosen = counts[None] if units is None else counts[units]
    return chosen[..., :3].sum(axis=1) / chosen[..., 3:].sum(axis=1)


def test_trees_with_their_intervals_and_differences(trees):
    ours, base = (attached(trees["gold"], trees[name]) for name in "ba")
    rows, differences = printed("trees gold.conllu b.conllu"), printed("trees gold.conllu a.conllu b.conllu --compare")
    values, gaps = shares(ours, drawn(SENTENCES)), shares(ours, drawn(SENTENCES)) - shares(base, drawn(SENTENCES))
    for place, name in enumerate(ATTACHMENTS):
        assert rows[name]["value"] == shares(ours)[0, place]
        expected = list(np.quantile(values[:, place], [0.025, 0.975]))
        assert [rows[name]["lower"], rows[name]["upper"]] == pytest.approx(expected)
        expected = list(np.quantile(gaps[:, place], [0.025, 0.975]))
        assert [differences[name]["lower"], differences[name]["upper"]] == pytest.approx(expected)
        assert differences[name]["p"] == pytest.approx(two_sided(gaps[:, place], 0))


def test_two_runs_of_a_parser(trees):
    rows = printed("trees gold.conllu m=b.conllu,c.conllu")
    runs = [attached(trees["gold"], trees[name]) for name in "bc"]
    whole = np.concatenate([shares(run) for run in runs])
    units = np.mean([shares(run, drawn(SENTENCES)) for run in runs], axis=0)
    for place, name in enumerate(ATTACHMENTS):
        assert rows[name]["value"] == pytest.approx(whole[:, place].mean())
        assert rows[name]["sd_runs"] == pytest.approx(np.std(whole[:, place], ddof=1))
        assert rows[name]["se_units"] == pytest.approx(np.std(units[:, place], ddof=1))
        assert rows[name]["se_both"] > rows[name]["se_units"]


def test_sign_flips_are_those_of_scipy(trees):
    base, ours = score_trees("gold.conllu", ["a.conllu", "b.conllu"])
    rows = compare_systems({"a": base.scored, "b": ours.scored}, test="sign flips", resamples=20_000).differences
    counts = [attached(trees["gold"], trees[name]) for name in "ab"]
    for place, name in enumerate(ATTACHMENTS):
        expected = stats.permutation_test(
            [counts[0][:, place], counts[1][:, place]], lambda x, y, axis: (x - y).sum(axis=axis),
            permutation_type="samples", n_resamples=20_000, vectorized=True, rng=1,
        ).pvalue  # fmt: skip
        found = float(rows.set_index("measure").loc[name, "p"])
        assert found == pytest.approx(expected, abs=5 * math.sqrt(0.25 / 20_000))


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5])
def test_inflected_forms_with_wilsons_interval_and_mcnemars_test(rate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = random.Random(rate)
    right = {name: [draw.random() >= share for _ in range(120)] for name, share in
             (("gold", 0), ("a", rate), ("b", 0.2))}  # fmt: skip
    for name, own in right.items():
        rows = [f"l{at}\t{'x' if ok else 'y'}{at}\tV;{at % 3}\n" for at, ok in enumerate(own)]
        (tmp_path / f"{name}.tsv").write_text("".join(rows), encoding="utf-8")
    rows = printed("inflections gold.tsv a.tsv --confidence 0.9")
    for (by, group), row in rows.items():
        chosen = [ok for at, ok in enumerate(right["a"]) if by == "all" or group == f"V;{at % 3}"]
        assert (row["numerator"], row["denominator"]) == (sum(chosen), len(chosen))
        bounds = proportion_confint(sum(chosen), len(chosen), alpha=0.1, method="wilson")
        assert [row["lower"], row["upper"]] == pytest.approx(list(bounds), abs=1e-12)
    ours, theirs = np.array(right["b"]), np.array(right["a"])
    table = [[(ours & theirs).sum(), (ours & ~theirs).sum()], [(~ours & theirs).sum(), (~ours & ~theirs).sum()]]
    found = printed("inflections gold.tsv a.tsv b.tsv --compare")
    row = next(row for row in found.values() if row["measure"] == "accuracy")
    assert row["p"] == pytest.approx(mcnemar(table, exact=True).pvalue)
