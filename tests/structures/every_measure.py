"""Compute every measure on small built-in data, and print the numbers as JSON; with `hidden`, as if numba, llvmlite and
pyarrow were not installed. A program, which `test_without_numba` starts twice.
"""

import json
import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from typing import NamedTuple

from hiding import HIDDEN, hide

if __name__ == "__main__" and "hidden" in sys.argv:
    hide()
elif __name__ == "__main__":
    import numba  # noqa: F401  (small work is compiled too)

import numpy as np
import pandas as pd

from analysis import categories, ccg, constituents, dependencies, inflection
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.corpora.language import generate
from analysis.dependencies.models.baselines import left_branching
from analysis.statistics.scored import estimates
from analysis.structures.ccg_category import parse_category


def generated(sentences, seed):
    """Utterances of the built-in language with clusters that agree with the classes in part."""
    tokens = generate(sentences, seed).tokens
    number = tokens["form"].cat.codes.to_numpy().astype(np.int64) * 7 + tokens["position"].to_numpy() % 2
    cluster = pd.Series(np.where(number % 3 == 0, number % 5, 5 + tokens["coarse"].cat.codes.to_numpy() % 8))
    return tokens.assign(gold=tokens["coarse"].astype(str), predicted=cluster, cluster=cluster)


tokens, training = generated(120, 1), generated(150, 2)
gold, predicted = tokens["gold"], tokens["predicted"]
counts = categories.contingency(gold, predicted)
table = categories.type_table(categories.lexicon(tokens, "gold"), categories.lexicon(tokens, "predicted"))
reading = dict.fromkeys(table.predicted_names, table.gold_names[0])
words = categories.word_counts(tokens)
n = tokens["position"].to_numpy()
left = left_branching(tokens).to_numpy()
right = n - 1
mixed = np.where(np.arange(len(n)) % 3 == 0, right, tokens["head"].to_numpy())
trees = dependencies.attachment_scores(tokens, mixed)
other_trees = dependencies.attachment_scores(tokens, right)
ccg_pair = ccg.worked_example()
evaluations = ccg.evaluate(*ccg_pair)
TREES = b"(S (NP (DT the) (NN hen)) (VP (VBZ eats) (NP (NN corn))))\n(S (NP (NNS hens)) (VP (VBP sleep)))\n"
OTHER = b"(S (DT the) (VP (NN hen) (VBZ eats) (NP (NN corn))))\n(S (NP (NNS hens)) (VP (VBP sleep)))\n"
brackets = read_bracketed_trees(TREES), read_bracketed_trees(OTHER)
verbs = pd.DataFrame(
    {
        "lemma": ["walk", "talk", "fly", "sing", "obey", "try", "put", "ring"],
        "form": ["walked", "talked", "flew", "sang", "obeyed", "tried", "put", "rang"],
        "features": "V;PST",
        "frequency": [9, 7, 5, 4, 3, 2, 8, 1],
    }
)
answers = verbs.assign(predicted=["walked", "talkt", "flied", "sang", "obeid", "tryed", "put", "rung"])
items = inflection.aligned(verbs, answers)
runs = pd.DataFrame(
    {"language": "English", "model": "NONNEUR", "strategy": "UNIFORM", "size": [100, 100, 100, 200, 200, 200],
     "seed": [0, 1, 2] * 2, "accuracy": [0.70, 0.73, 0.76, 0.81, 0.80, 0.84]}
)  # fmt: skip
classified = inflection.classify_errors("English", answers["lemma"], answers["form"], answers["predicted"])
curve = pd.DataFrame({"measure": "MacroI", "initialisation": "random", "value": [0.5, 0.4, 0.2]})
implied = pd.DataFrame({"NVI": [1.0], "H(C|K)": [0.9], "H(K|C)": [1.1], "V": [0.524]}, index=["A"])
drawn = inflection.sample(verbs, "WEIGHTED", sizes=[2, 4], dev=1, random_state=0)
unclustered = tokens["cluster"].where(tokens["position"] != 1).astype("Int64")
scheme = pd.DataFrame({"position": [1, 2, 3], "coarse": ["IZE", "IZE", "ADI"], "head": [2, 3, 0],
                       "relation": ["ncmod", "ncsubj", "ROOT"]})  # fmt: skip
penn = pd.DataFrame({"sentence": 0, "form": ["ducks", "eat", "bread"], "fine": ["NNS", "VBP", "NN"], "head": [2, 0, 2]})
spans = [(0, 0, -1, "S", "", 0, 3), (0, 1, 0, "NP", "SBJ", 0, 1), (0, 2, 0, "VP", "", 1, 3), (0, 3, 2, "NP", "", 2, 3)]
penn_trees = pd.DataFrame(spans, columns=["sentence", "node", "parent", "label", "functions", "start", "end"])
conllu = "1\tLook\t_\tVERB\t_\t_\t0\t_\t_\t_\n2\there\t_\tADV\t_\t_\t1\t_\t_\t_\n"
relations = tokens["relation"].astype(str)
labelled = tokens.assign(head=mixed, relation=relations.where(n % 2 == 0, "dep"))


class Call(NamedTuple):
    """Arguments of a call with some by name; a tuple stands for one without."""

    arguments: tuple
    named: dict


def call(*arguments, **named):
    return Call(arguments, named)


both, table_only, tokens_only = (gold, predicted), (table,), (tokens,)
many = ("optimal", "greedy")
#: Each function with the arguments of its calls.
CALLS = {
    "categories": {
        "adjusted_mutual_information": [both],
        "adjusted_rand_index": [both],
        "align_labels": [(tokens, predicted)],
        "ambiguity": [tokens_only, (tokens, "cluster", "tokens")],
        "cluster_sizes": [tokens_only, (tokens, "cluster", "tokens")],
        "cluster_words": [tokens_only],
        "conditional_entropy_of_classes": [both],
        "conditional_entropy_of_clusters": [both],
        "confusion": [(tokens, mapping) for mapping in ("many-to-one", "one-to-one")],
        "confusion_table": [both],
        "contingency": [both],
        "costliest_words": [tokens_only],
        "coverage": [(tokens.assign(cluster=unclustered),)],
        "cross_validated_many_to_one": [(gold, predicted, tokens["sentence"])],
        "edge_weights": [(table, "micro_i"), (table, "macro_i"), (table, "micro_c")],
        "entropies": [both],
        "fill_unclustered": [(unclustered, tokens, "merge"), (unclustered, tokens, "split")],
        "implied_entropies": [(implied,)],
        "lexicon": [(tokens, "predicted")],
        "lexicon_statistics": [tokens_only],
        "macro_i": [call(table, mapping=mapping) for mapping in ("one-to-one", "many-to-one")],
        "many_to_one": [both],
        "memberships": [tokens_only],
        "micro_c": [call(table, mapping=mapping) for mapping in ("one-to-one", "many-to-one")],
        "micro_i": [call(table, mapping=mapping) for mapping in ("one-to-one", "many-to-one")],
        "normalised_variation_of_information": [both],
        "one_to_one": [call(gold, predicted, assignment=each) for each in many],
        "one_to_one_mapping": [call(gold, predicted, assignment=each) for each in many],
        "pairwise_precision_recall": [both],
        "prepare_words": [(training, tokens)],
        "quick_scores": [tokens_only],
        "r_of_n": [(4,)],
        "reference_scores": [call(tokens, ["many-to-one", "V"], runs=3, resamples=20)],
        "restart_spread": [(curve,)],
        "restart_values": [call(table, measure=each) for each in ("macro_i", "micro_i", "micro_c")],
        "score_breakdowns": [(tokens, training)],
        "score_type_mapping": [call(table, None, reading, mapping="many-to-one")],
        "score_word_clusters": [(words, tokens.drop_duplicates("form").set_index("form")["cluster"])],
        "scored_tokens": [call(gold, predicted, tokens["sentence"], assignment=each) for each in many],
        "scored_types": [(table,), call(table, remapping="again")],
        "scores_by_frequency": [tokens_only],
        "scores_of_words_right": [call(words, points=5)],
        "small_lexicons": [()],
        "substitutable_precision_recall": [(training, tokens), call(training, tokens, frames_in_training=False)],
        "substitution_clusters": [(training, tokens)],
        "tagging_accuracy": [(gold, tokens["universal"].astype(str))],
        "token_level_scores": [both],
        "type_level_scores": [table_only],
        "type_mapping": [table_only, call(table, mapping="many-to-one")],
        "type_table": [(categories.lexicon(tokens, "gold"), categories.lexicon(tokens, "predicted"))],
        "v_measure": [both],
        "variation_of_information": [both],
        "word_counts": [tokens_only],
        "word_frequencies": [(words,)],
    },
    "dependencies": {
        "all_standards": [tokens_only],
        "attachment_scores": [(tokens, mixed), call(tokens, left, max_length=4), call(tokens, right, root_edges=False)],
        "bootstrap_intervals": [call(trees, resamples=50)],
        "compare_conventions": [(tokens, {"RB": right, "mixed": mixed})],
        "compare_pairs": [call({"RB": other_trees, "mixed": trees}, resamples=50)],
        "compare_standards": [(dependencies.all_standards(tokens), {"RB": right})],
        "costliest_pairs": [(trees,)],
        "find_punctuation": [tokens_only],
        "ill_formed": [(tokens.assign(head=mixed),)],
        "intervals_by": [call({"a": trees, "b": other_trees}, "system", resamples=50)],
        "labelled_attachment": [(tokens.assign(relation=relations), labelled)],
        "paired_bootstrap": [call(trees, other_trees, resamples=50)],
        "penn_relations": [(penn, penn_trees)],
        "reference_scores": [call(tokens, runs=3, resamples=20)],
        "rehead": [(tokens, ["prepositions below"])],
        "rename_relations": [(scheme, "basque-3lb")],
        "rules_table": [()],
        "score_breakdowns": [(trees, training)],
        "score_files": [(conllu, conllu.replace("0", "2").replace("\t1\t", "\t0\t"))],
        "scored_trees": [(trees,)],
        "scored_trees_by": [(trees, gold, "tag")],
        "scores_by": [(trees, gold, "tag")],
        "scores_by_length": [(trees,)],
        "scores_by_relation": [(trees,)],
        "scores_by_sentence_length": [(trees,)],
        "sentence_counts_by": [(trees, gold, "tag")],
        "sentences_without_punctuation": [tokens_only],
        "table6_relations": [(["nsubj:pass", "root", "det", "case"], np.array([False, True, False, False]))],
    },
    "constituents": {
        "binarised": [call(brackets[0], vertical=2, horizontal=1)],
        "bracket_scores": [brackets],
        "flattened": [(constituents.binarised(brackets[0]),)],
        "head_daughter": [("NP", ["DT", "NN", "NN"])],
        "head_dependencies": [(brackets[0], brackets[0])],
        "read_parameters": [(b"LABELED 1\nDELETE_LABEL TOP\nCUTOFF_LEN 40\n",)],
        "scored_brackets": [(constituents.bracket_scores(*brackets), brackets[0])],
    },
    "ccg": {
        "align": [ccg_pair],
        "bootstrap_intervals": [call(evaluations[0], resamples=20)],
        "equivalent_derivations": [()],
        "evaluate": [ccg_pair, ccg.equivalent_derivations()],
        "extract_dependencies": [(ccg_pair[0],)],
        "lexical_category_accuracy": [ccg_pair],
        "lexical_variables": [(parse_category(r"(S[to]\NP)/(S[b]\NP)"),)],
        "parseval": [ccg_pair, call(*ccg_pair, level="never", unary=False)],
        "predicate_argument_dependencies": [ccg_pair, call(*ccg_pair, directed=True)],
        "score_breakdowns": [(evaluations, ccg_pair[0])],
        "scored_derivations": [(evaluations, ccg_pair[0])],
        "tree_dependencies": [ccg_pair, call(*ccg_pair, directed=False)],
        "treebank": [(("N", "dogs"), ("N", "cats"))],
        "worked_example": [()],
    },
    "inflection": {
        "accuracy": [(verbs, answers)],
        "accuracy_table": [(verbs, answers, verbs.iloc[:3])],
        "aligned": [(verbs, answers)],
        "as_given": [(verbs, verbs, verbs, [2, 4], 0)],
        "check_forms": [(verbs,)],
        "classify_errors": [("English", answers["lemma"], answers["form"], answers["predicted"])],
        "costliest_answers": [(verbs, answers)],
        "error_counts": [(classified,)],
        "error_types": [("English",), ("German",), ("Arabic",)],
        "inclusion_probabilities": [([2, 1, 1, 5], 2)],
        "inflection_kind": [("English", "fly", "flew")],
        "items_by_size": [(drawn, "English")],
        "kinds_by_size": [(inflection.items_by_size(drawn, "English"),)],
        "learning_curve": [call(runs, resamples=50)],
        "one_item_a_lemma": [(verbs,)],
        "reference_scores": [(verbs, verbs)],
        "sample": [call(verbs, "UNIFORM", sizes=[2, 4], dev=1)],
        "score_breakdowns": [(verbs, answers, verbs.iloc[:3])],
        "scored_items": [(items,)],
        "seed_variability": [(runs,)],
        "seen_in_training": [(items, verbs.iloc[:3])],
        "unmatched_items": [(verbs, answers)],
        "wug_test": [({"suffix": inflection.MajoritySuffix}, drawn, "wug", "V;PST")],
    },
}  # fmt: skip


def plain(value):
    """Lists, dictionaries, texts and numbers only; numbers with all their digits."""
    if isinstance(value, Enum | str | bytes) or value is None or value is pd.NA:
        return str(value)
    if hasattr(value, "resampled"):
        return [plain(value.values()), [plain(row._asdict()) for row in estimates(value, resamples=50)]]
    if isinstance(value, pd.DataFrame):
        return {str(name): plain(value[name]) for name in value.columns} | {"index": plain(value.index)}
    if isinstance(value, pd.MultiIndex):
        return [plain(row) for row in value]
    if isinstance(value, pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
        return [plain(each) for each in np.asarray(value, dtype=object)]
    if hasattr(value, "toarray"):
        return plain(value.toarray())
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value.tolist()]
    if isinstance(value, bool | np.bool_):
        return str(value)
    if isinstance(value, int | float | np.number):
        return float(value)
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in (sorted(value, key=str) if isinstance(value, set | frozenset) else value)]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if callable(value):
        return "function"
    return {name: plain(getattr(value, name)) for name in sorted(vars(value)) if not name.startswith("_")}


def numbers():
    """Every result by package, name and call."""
    found = {}
    for package, functions in CALLS.items():
        for name, calls in functions.items():
            for number, each in enumerate(calls):
                arguments, named = each if isinstance(each, Call) else (each, {})
                result = getattr(import_module(f"analysis.{package}"), name)(*arguments, **named)
                found[f"{package}.{name} {number}"] = plain(result)
    return found


if __name__ == "__main__":
    found = numbers()
    json.dump({"loaded": sorted(set(HIDDEN) & set(sys.modules)), "numbers": found}, sys.stdout)
