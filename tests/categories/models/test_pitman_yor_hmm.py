"""The Pitman-Yor HMM against plain Python, exact enumeration of tags and tables, and the Dirichlet special case."""

import itertools
import math
import os
import signal
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from analysis.categories.models import pitman_yor_kernels as kernels
from analysis.categories.models.pitman_yor_hmm import PitmanYorHMM

TABLES = pytest.mark.parametrize("tables", ["expected", "simulated"])
A, B = (0.3, 0.5, 0.2, 0.4), (1.5, 0.7, 1.1, 2.0)


def table(*sentences):
    rows = [(i, form) for i, sentence in enumerate(sentences) for form in sentence.split()]
    return pd.DataFrame(rows, columns=["sentence", "form"])


def small(utterances=60, seed=3):
    """Determiner, noun, verb in turn; each word belongs to one class."""
    generator = np.random.default_rng(seed)
    sentences = []
    for _ in range(utterances):
        length = generator.integers(1, 9)
        sentences.append(" ".join("dnv"[i % 3] + str(generator.integers(0, 5)) for i in range(length)))
    return table(*sentences)


def model(**options):
    return PitmanYorHMM(**({"n_clusters": 3, "sweeps": 6, "progress": False} | options))


def assert_same_chain(one, other):
    for name in ("labels_", "log_probability_", "discounts_", "concentrations_", "moves_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for mine, theirs in zip(one._seating, other._seating, strict=True):
        np.testing.assert_array_equal(mine, theirs)


# ---------------------------------------------------------------------------------------------------------------
# Plain Python: a restaurant is a context, (i, j), (j,), () or ("emit", k).


def parent(context):
    if context[:1] == ("emit",) or context == ():
        return None
    return context[1:]


def level(context):
    return 3 if context[:1] == ("emit",) else 2 - len(context)


class Plain:
    """Customers and tables by restaurant and dish, with the formulas as they are printed."""

    def __init__(self, outcomes, n_types, a=A, b=B):
        self.outcomes, self.n_types, self.a, self.b = outcomes, n_types, a, b
        self.n, self.t = Counter(), Counter()  # of a restaurant and a dish, and of a restaurant alone

    def parts(self, context, dish):
        """What old tables and a new table weigh, over their common denominator."""
        a, b = self.a[level(context)], self.b[level(context)]
        if parent(context) is None:
            base = 1 / (self.n_types if context[:1] == ("emit",) else self.outcomes)
        else:
            base = self.probability(parent(context), dish)
        old = self.n[context, dish] - a * self.t[context, dish]
        return old, (b + a * self.t[context]) * base, self.n[context] + b

    def probability(self, context, dish):
        old, new, all_ = self.parts(context, dish)
        return (old + new) / all_

    def change(self, context, dish, customers, tables):
        for where in ((context, dish), context):
            self.n[where] += customers
            self.t[where] += tables

    def add(self, context, dish, amount=1.0):
        old, new, _ = self.parts(context, dish)
        share = amount * new / (old + new)
        if parent(context) is not None:
            self.add(parent(context), dish, share)
        self.change(context, dish, amount, share)

    def remove(self, context, dish, amount=1.0):
        share = self.t[context, dish] * amount / self.n[context, dish]
        self.change(context, dish, -amount, -share)
        if parent(context) is not None and share > 0:
            self.remove(parent(context), dish, share)

    def trigram_tables(self):
        return sum(self.t[i, j] for i in range(self.outcomes) for j in range(self.outcomes))

    def copy(self):
        other = Plain(self.outcomes, self.n_types, self.a, self.b)
        other.n, other.t = self.n.copy(), self.t.copy()
        return other


def events_of(tokens, tag_of, K):
    """Context, dish and the types whose tags take part, in the order of the text."""
    found = []
    for _, sentence in tokens.groupby("sentence"):
        forms = [None, None, *sentence["form"], None]
        tags = [K if form is None else tag_of[form] for form in forms]
        for i in range(2, len(forms)):
            found.append(((tags[i - 2], tags[i - 1]), tags[i], forms[i - 2 : i + 1]))
    return found


def weights_in_plain_python(tokens, tag_of, form, K, grouped=True):
    """Equal events together, in the order of the first ones, or all in the order of the text."""
    plain = Plain(K + 1, tokens["form"].nunique())
    for context, dish, _ in events_of(tokens, tag_of, K):
        plain.add(context, dish)
    for other in tokens["form"].unique():
        for _ in range((tokens["form"] == other).sum()):
            plain.add(("emit", tag_of[other]), other)
    mine = [(context, dish) for context, dish, forms in events_of(tokens, tag_of, K) if form in forms]
    for context, dish in reversed(mine):
        plain.remove(context, dish)
    count = int((tokens["form"] == form).sum())
    plain.remove(("emit", tag_of[form]), form, float(count))
    weights = []
    for k in range(K):
        seated, log_p = plain.copy(), 0.0
        again = events_of(tokens, tag_of | {form: k}, K)
        steps = [(context, dish) for context, dish, forms in again if form in forms]
        if grouped:
            kinds = [(context, dish, tuple(each == form for each in forms))
                     for context, dish, forms in again if form in forms]  # fmt: skip
            steps = [(context, dish) for context, dish, _ in Counter(kinds).elements()]
        steps += [(("emit", k), form)] * count
        for context, dish in steps:
            log_p += math.log(seated.probability(context, dish))
            seated.add(context, dish)
        weights.append(log_p)
    return weights


def weights_of(fitted, form, a, b):
    """The log weights of all tags as the sampler computes them."""
    w = fitted.vocabulary_.get_loc(form)
    events, count = np.diff(fitted._event_start)[w], fitted._tokens_of[w]
    rest = (fitted._text(), w, (np.array(a), np.array(b)))
    if fitted.tables == "expected":
        weights = np.empty(fitted.n_clusters)
        kernels.weights_expected(fitted._seating, *rest, kernels.room(rest[0]), weights)
        return weights
    notes = np.empty(events, np.int64), np.empty(count, np.bool_)
    before = fitted._tag_of[w]
    found = {before: kernels.remove_simulated(fitted._seating, *rest, *notes, fitted._random)}
    for k in range(fitted.n_clusters):
        if k != before:
            fitted._tag_of[w] = k
            found[k] = kernels.try_simulated(fitted._seating, *rest, *notes, fitted._random)
    return np.array([found[k] for k in range(fitted.n_clusters)])


REPEATED = table("a a b a", "c", "a a a a", "b c d", "d b")


@pytest.mark.parametrize("form", list("abcd"))
def test_a_step_weighs_tags_as_plain_python_does(form):
    start = dict(zip("abcd", (0, 1, 2, 1), strict=True))
    fitted = model(sweeps=0, discounts=A, concentrations=B, initialisation=start).fit(REPEATED)
    expected = weights_in_plain_python(REPEATED, start, form, 3)
    np.testing.assert_allclose(weights_of(fitted, form, A, B), expected, rtol=1e-10)


@pytest.mark.parametrize("form", list("abcd"))
def test_more_tags_than_are_weighed_side_by_side_are_weighed_as_plain_python_does(form):
    start = dict(zip("abcd", (0, 63, 64, 66), strict=True))
    fitted = model(n_clusters=67, sweeps=0, discounts=A, concentrations=B, initialisation=start).fit(REPEATED)
    expected = weights_in_plain_python(REPEATED, start, form, 67)
    np.testing.assert_allclose(weights_of(fitted, form, A, B), expected, rtol=1e-10)


@pytest.mark.parametrize("form", list("abcd"))
def test_probabilities_too_small_for_a_number_are_weighed_as_plain_python_does(form):
    tokens, start = table(*["a b a c a d a a b d"] * 400), dict(zip("abcd", (0, 1, 2, 1), strict=True))
    fitted = model(sweeps=0, discounts=A, concentrations=(1e3, 1e3, 1e3, 2.0), initialisation=start).fit(tokens)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Plain.__init__, "__defaults__", (A, (1e3, 1e3, 1e3, 2.0)))
        expected = weights_in_plain_python(tokens, start, form, 3)
    assert min(expected) < math.log(kernels.TINY)
    np.testing.assert_allclose(weights_of(fitted, form, A, (1e3, 1e3, 1e3, 2.0)), expected, rtol=1e-10)


@pytest.mark.parametrize("form", list("abcd"))
def test_the_order_of_equal_events_hardly_matters(form):
    start = dict(zip("abcd", (0, 1, 2, 1), strict=True))
    grouped, in_order = (weights_in_plain_python(REPEATED, start, form, 3, way) for way in (True, False))
    chances = [np.exp(weights - np.max(weights)) for weights in (grouped, in_order)]
    one, other = (chance / chance.sum() for chance in chances)
    assert abs(one - other).max() < 0.02


def test_an_event_added_many_times_is_as_that_many_added_singly():
    start = dict(zip("abcd", (0, 1, 2, 1), strict=True))
    one, other = (model(sweeps=0, initialisation=start).fit(REPEATED) for _ in range(2))
    log_p, product = kernels._add_expected(one._seating, 4, (0, 1, 2), 7, (A, B))
    singly = [kernels._add_expected(other._seating, 4, (0, 1, 2), 1, (A, B)) for _ in range(7)]
    assert log_p + math.log(product) == pytest.approx(sum(math.log(p) for _, p in singly))
    for mine, theirs in zip(one._seating, other._seating, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-13)


def test_weighing_a_type_leaves_the_rest_seated_as_it_is_without_the_type():
    start = dict(zip("abcd", (0, 1, 2, 1), strict=True))
    options = {"sweeps": 0, "discounts": A, "concentrations": B, "initialisation": start}
    fitted, plain = model(**options).fit(REPEATED), Plain(4, 4)
    weights_of(fitted, "a", A, B)
    for context, dish, _ in events_of(REPEATED, start, 3):
        plain.add(context, dish)
    for context, dish, forms in reversed(events_of(REPEATED, start, 3)):
        if "a" in forms:
            plain.remove(context, dish)
    for i, j, k in itertools.product(range(4), repeat=3):
        cell = (i * 4 + j) * 4 + k
        assert fitted._seating.customers[cell] == pytest.approx(plain.n[(i, j), k], abs=1e-9)
        assert fitted._seating.tables[cell] == pytest.approx(plain.t[(i, j), k], abs=1e-9)


# ---------------------------------------------------------------------------------------------------------------
# Exact: tables summed out.


def seatings(K, steps, n_types, a=A, b=B):
    """All states of customers and tables after the steps, with the probability of the way there and the tables."""
    states = {(): (1.0, Plain(K + 1, n_types, a, b))}
    for context, dish in steps:
        following = {}
        for mass, plain in states.values():
            for opened in range(4):
                share, here, seated = mass, context, plain.copy()
                for depth in range(4):
                    if here is None:
                        share *= depth == opened  # the base has been reached
                        break
                    old, new, all_ = plain.parts(here, dish)
                    if depth == 0:
                        share *= (old + new) / all_
                    seated.change(here, dish, 1, depth < opened)
                    if depth == opened:
                        share *= old / (old + new)
                        break
                    share *= new / (old + new)
                    here = parent(here)
                if share > 0:
                    key = frozenset((cell, n, seated.t[cell]) for cell, n in seated.n.items())
                    before = following[key][0] if key in following else 0.0
                    following[key] = (before + share, seated)
        states = following
    return list(states.values())


def exact(tokens, tag_of, K):
    """Joint probability of tags and words, and the expected number of trigram tables given them."""
    steps = [(context, dish) for context, dish, _ in events_of(tokens, tag_of, K)]
    emitted = [(("emit", tag_of[form]), form) for form in sorted(tokens["form"])]
    n_types = tokens["form"].nunique()
    found = seatings(K, steps, n_types)
    total = sum(mass for mass, _ in found)
    tables = sum(mass * plain.trigram_tables() for mass, plain in found)
    return total * sum(mass for mass, _ in seatings(K, emitted, n_types)), tables / total


TINY = table("a b", "b a", "c")


@pytest.mark.thorough
def test_simulated_tables_leave_the_exact_posterior_of_tags_and_tables_as_it_is():
    K, sweeps = 2, 60_000
    posterior, tables = {}, 0.0
    for tags in itertools.product(range(K), repeat=2):  # tags have no names: that of a may be called 0
        p, expected = exact(TINY, dict(zip("abc", (0, *tags), strict=True)), K)
        posterior[tags] = p
        tables += p * expected
    total = sum(posterior.values())
    fitted = model(n_clusters=K, sweeps=0, tables="simulated", discounts=A, concentrations=B).fit(TINY)
    seen, opened = Counter(), 0.0
    rest = (np.arange(3), (np.array(A), np.array(B)), 1.0, fitted._random)
    for _ in range(sweeps):
        kernels.sweep_simulated(fitted._seating, fitted._text(), *rest)
        a, b, c = fitted._tag_of[:3].tolist()
        seen[b ^ a, c ^ a] += 1
        opened += fitted._seating.all_tables[: (K + 1) ** 2].sum()
    distance = sum(abs(seen[tags] / sweeps - p / total) for tags, p in posterior.items()) / 2
    assert distance < 0.01
    assert abs(opened / sweeps - tables / total) < 0.02


def dirichlet_multinomial(tokens, tag_of, K, prior, emission_prior):
    """Log joint probability of tags and words by the closed form."""
    rows, words = {}, {}
    for context, dish, _ in events_of(tokens, tag_of, K):
        rows.setdefault(context, Counter())[dish] += 1
    for form in tokens["form"]:
        words.setdefault(tag_of[form], Counter())[form] += 1
    log_p = 0.0
    for counts, each, size in [(c, prior, K + 1) for c in rows.values()] + [
        (c, emission_prior, tokens["form"].nunique()) for c in words.values()
    ]:
        log_p += math.lgamma(size * each) - math.lgamma(size * each + sum(counts.values()))
        log_p += sum(math.lgamma(n + each) - math.lgamma(each) for n in counts.values())
    return log_p


@TABLES
@pytest.mark.parametrize("form", list("abcd"))
def test_without_discounts_and_with_a_fixed_base_the_step_is_that_of_dirichlet_priors(tables, form):
    a, b = (0.0, 0.0, 0.0, 0.0), (1.2, 1e13, 1e13, 2.0)
    start = dict(zip("abcd", (0, 1, 2, 1), strict=True))
    options = {"discounts": a, "concentrations": b, "resample": False, "initialisation": start}
    fitted = model(sweeps=0, tables=tables, **options).fit(REPEATED)
    joint = [dirichlet_multinomial(REPEATED, start | {form: k}, 3, 1.2 / 4, 2.0 / 4) for k in range(3)]
    found = weights_of(fitted, form, a, b)
    np.testing.assert_allclose(found - found[0], np.array(joint) - joint[0], atol=1e-8)


def test_the_log_probability_is_that_of_seating_customer_after_customer():
    fitted = model(sweeps=3, tables="simulated", discounts=A, concentrations=B, resample=False).fit(small(20))
    s, K, W = fitted._seating, 3, len(fitted.vocabulary_)
    M = K + 1
    restaurants = [(0, [(i * M + j) * M + k for k in range(M)]) for i in range(M) for j in range(M)]
    restaurants += [(1, [M**3 + j * M + k for k in range(M)]) for j in range(M)] + [
        (2, [M**3 + M * M + k for k in range(M)])
    ]
    emitted = M**3 + M * M + M
    restaurants += [(3, [emitted + w for w in range(W) if fitted.type_labels_[w] == k]) for k in range(K)]
    log_p = 0.0
    for which, cells in restaurants:
        n = t = 0
        for cell in cells:
            at, sizes = s.head[cell], []
            while at >= 0:
                sizes.append(s.size[at])
                at = s.after[at]
            assert (sum(sizes), len(sizes)) == (s.customers[cell], s.tables[cell])
            for size in sizes:
                for customer in range(size):
                    weight = customer - A[which] if customer else B[which] + A[which] * t
                    log_p += math.log(weight / (B[which] + n))
                    n, t = n + 1, t + (customer == 0)
                if which >= 2:
                    log_p -= math.log(M if which == 2 else W)
    assert math.isclose(fitted.log_probability_[-1], log_p, rel_tol=1e-10)


def test_the_log_probability_of_expected_tables_is_the_product_of_predictives():
    start = dict(zip("abcd", (0, 1, 2, 1), strict=True))
    fitted = model(sweeps=0, discounts=A, concentrations=B, initialisation=start).fit(REPEATED)
    plain, log_p = Plain(4, 4), 0.0
    steps = [(context, dish) for context, dish, _ in events_of(REPEATED, start, 3)]
    steps += [
        (("emit", start[form]), form) for form in REPEATED["form"].unique() for f in REPEATED["form"] if f == form
    ]
    for context, dish in steps:
        log_p += math.log(plain.probability(context, dish))
        plain.add(context, dish)
    assert math.isclose(fitted._log_probability(np.array(A), np.array(B)), log_p, rel_tol=1e-12)


@TABLES
def test_predictive_probabilities_sum_to_one(tables):
    fitted = model(tables=tables).fit(small())
    transitions, emissions = fitted.transition_probabilities(), fitted.emission_probabilities()
    assert transitions.shape == (4, 4, 4)
    assert emissions.shape == (3, len(fitted.vocabulary_))
    assert min(transitions.min(), emissions.min()) > 0
    np.testing.assert_allclose(transitions.sum(axis=2), 1, atol=1e-12)
    np.testing.assert_allclose(emissions.sum(axis=1), 1, atol=1e-12)
    a, b = fitted._parameters()
    for i, j, k in itertools.product(range(4), repeat=3):
        p = kernels.predictive(fitted._seating, 4, (i, j, k), (a, b))[0]
        assert math.isclose(p, transitions[i, j, k], rel_tol=1e-12)


@TABLES
def test_customers_are_the_events_of_the_text(tables):
    tokens = small()
    fitted = model(tables=tables).fit(tokens)
    tag_of = dict(zip(fitted.vocabulary_, fitted.type_labels_.tolist(), strict=True))
    counted = np.zeros((4, 4, 4))
    for (i, j), k, _ in events_of(tokens, tag_of, 3):
        counted[i, j, k] += 1
    np.testing.assert_array_equal(fitted._seating.customers[:64].reshape(4, 4, 4), counted)
    bigrams = fitted._seating.tables[:64].reshape(4, 4, 4).sum(axis=0)
    np.testing.assert_allclose(fitted._seating.customers[64:80].reshape(4, 4), bigrams, atol=1e-9)


def test_parameters_without_a_text_are_drawn_from_their_priors(monkeypatch):
    drawn = model(discount_prior=(2.0, 3.0), concentration_prior=(10.0, 0.1))
    drawn._random = np.random.default_rng(1)
    monkeypatch.setattr(drawn, "_log_probability", lambda a, b: 0.0)
    a, b, found = np.full(4, 0.5), np.ones(4), []
    for _ in range(20_000):
        a, b, _ = drawn._resample(a, b, 0.0)
        found.append(np.r_[a, b])
    means, variances = np.mean(found, axis=0), np.var(found, axis=0)
    np.testing.assert_allclose(means[:4], 0.4, atol=0.03)
    np.testing.assert_allclose(variances[:4], 0.04, atol=0.006)
    np.testing.assert_allclose(means[4:], 1.0, atol=0.04)
    np.testing.assert_allclose(variances[4:], 0.1, atol=0.025)


# ---------------------------------------------------------------------------------------------------------------
# The estimator.


@TABLES
def test_stopping_and_going_on_changes_no_bit(tables):
    tokens, options = small(), {"tables": tables, "annealing": None}
    whole = model(**options).fit(tokens)
    part = model(**(options | {"sweeps": 2})).fit(tokens)
    rest = model(random_state=99, **options).fit(tokens, resume=part)
    assert (part.sweeps_done_, rest.sweeps_done_) == (2, 6)
    assert_same_chain(rest, whole)
    part.sweeps = 6
    assert_same_chain(part.fit(tokens, resume=part), whole)


@TABLES
def test_the_same_seed_gives_the_same_chain_and_another_seed_another(tables):
    tokens = small()
    assert_same_chain(model(tables=tables).fit(tokens), model(tables=tables).fit(tokens))
    other = model(tables=tables, random_state=1).fit(tokens)
    assert (other.log_probability_ != model(tables=tables).fit(tokens).log_probability_).any()
    generators = [model(tables=tables, random_state=np.random.default_rng(4)).fit(tokens) for _ in range(2)]
    assert_same_chain(*generators)


@TABLES
def test_interruption_leaves_a_model_that_can_go_on(tables, monkeypatch):
    tokens = small()
    whole = model(tables=tables).fit(tokens)
    name = f"sweep_{tables}"
    step, calls = getattr(kernels, name), []

    def interrupted_step(*arguments):
        calls.append(1)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return step(*arguments)

    monkeypatch.setattr(kernels, name, interrupted_step)
    stopped = model(tables=tables)
    with pytest.raises(KeyboardInterrupt):
        stopped.fit(tokens)
    monkeypatch.undo()
    assert stopped.sweeps_done_ == 3
    assert_same_chain(stopped.fit(tokens, resume=stopped), whole)


@TABLES
def test_the_classes_of_a_regular_language_are_found(tables):
    tokens = small(200)
    fits = [model(tables=tables, sweeps=60, annealing=(3.0, 0.3), random_state=seed).fit(tokens) for seed in range(3)]
    best = max(fits, key=lambda fitted: fitted.log_probability_[-1])
    shared = pd.crosstab(tokens["form"].str[0], best.labels_)
    assert shared.max(axis=0).sum() == len(tokens)
    assert best.log_probability_[-1] > best.log_probability_[0]
    new = best.predict(table("d0 unheard v1"))
    assert new.tolist() == best.predict(table("d0 n0 v1")).tolist()


def test_every_token_of_a_type_has_its_tag():
    tokens = small().set_axis(range(1000, 1000 + len(small())))
    fitted = model()
    trained = fitted.fit_predict(tokens)
    assert (trained.groupby(tokens["form"]).nunique() == 1).all()
    assert trained.tolist() == fitted.labels_.tolist() == fitted.predict(tokens).tolist()
    assert (trained.name, trained.dtype, trained.index.equals(tokens.index)) == ("cluster", "Int32", True)
    assert len(fitted.seconds_) == len(fitted.moves_) == 6


def test_an_unknown_word_gets_the_tag_of_its_context():
    fitted = model(sweeps=3).fit(small())
    steps, s = fitted.transition_probabilities(), fitted._seating
    a, b = (values[3] for values in fitted._parameters())
    tags = fitted.predict(table("d1 new v2", "new"))
    d, v = tags[0], tags[2]

    def best(events):
        emission = [(b + a * s.all_tables[-3:][k]) / (s.all_customers[-3:][k] + b) for k in range(3)]
        return max(range(3), key=lambda k: emission[k] * math.prod(steps[event] for event in events(k)))

    assert tags[1] == best(lambda k: [(3, d, k), (d, k, v), (k, v, 3)])
    assert tags[3] == best(lambda k: [(3, 3, k), (3, k, 3)])
    assert fitted.predict(table("d1 new v2"), unknown="missing").isna().tolist() == [False, True, False]


def test_the_bar_tells_the_log_probability(capsys):
    model(progress=True, sweeps=1).fit(small())
    assert "log probability -" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 0}, "n_clusters is 0"),
        ({"sweeps": -1}, "sweeps is -1"),
        ({"tables": "exact"}, "tables is 'exact'"),
        ({"discounts": 1.0}, "discounts is 1.0"),
        ({"discounts": (0.5, 0.5)}, "give one number, or four"),
        ({"discounts": 0.0}, "cannot be resampled"),
        ({"concentrations": 0.0}, "concentrations is 0.0"),
        ({"concentration_prior": (1.0, 0.0)}, "concentration_prior is"),
        ({"annealing": (2, 0)}, "annealing is"),
        ({"initialisation": "zeros"}, "initialisation is 'zeros'"),
        ({"initialisation": {"d0": 1}}, "initialisation has no tag for"),
        ({"initialisation": pd.Series(7, index=small()["form"].unique())}, "tags from 0 to 2"),
    ],
)
def test_a_wrong_parameter_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        model(**options).fit(small())


def test_wrong_calls_are_refused():
    tokens = small()
    with pytest.raises(ValueError, match="not fitted"):
        model().predict(tokens)
    fitted = model(sweeps=1).fit(tokens)
    with pytest.raises(ValueError, match="other tokens"):
        model().fit(tokens.iloc[1:], resume=fitted)
    with pytest.raises(ValueError, match="n_clusters of the chain to resume is 3, here 4"):
        model(n_clusters=4).fit(tokens, resume=fitted)
    with pytest.raises(ValueError, match="tables of the chain"):
        model(tables="simulated").fit(tokens, resume=fitted)
    with pytest.raises(ValueError, match="unknown is"):
        fitted.predict(tokens, unknown="guess")
    with pytest.raises(ValueError, match="lacks the column 'form'"):
        fitted.predict(tokens[["sentence"]])
