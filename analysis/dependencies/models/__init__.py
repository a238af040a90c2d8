"""Systems that assign a tree to each sentence; each is imported on demand.

The models follow the conventions of scikit-learn: parameters in the constructor, ``fit(tokens)``, ``predict(tokens)``.
The baselines are functions of a tokens table. Both return heads, named ``head``, with the index of the table.
"""

from typing import TYPE_CHECKING

from analysis.structures.lazy import lazy_names

if TYPE_CHECKING:
    from analysis.dependencies.models.baselines import (
        left_branching,
        random_projective_trees,
        random_trees,
        right_branching,
    )
    from analysis.dependencies.models.ccg_induction import CCGInduction, CCGParses
    from analysis.dependencies.models.ccg_lexicon import induce_lexicon
    from analysis.dependencies.models.dmv import DMV, Parses
    from analysis.dependencies.models.dmv_variants import (
        DMV_VARIANTS,
        compare_variants,
        parse_ambiguity,
        train_variant,
        training_trace,
    )
    from analysis.dependencies.models.neighbours import ConstantDirection, NeighbourByTag
    from analysis.dependencies.models.ranking import ranked_trees, universal_rule_trees
    from analysis.dependencies.models.reducibility import reducibility_scores
    from analysis.dependencies.models.reducibility_model import ReducibilityModel
    from analysis.dependencies.models.tree_substitution import GrammarParses, TreeSubstitutionGrammar

_HOMES = {
    "CCGInduction": "ccg_induction",
    "CCGParses": "ccg_induction",
    "ConstantDirection": "neighbours",
    "DMV": "dmv",
    "DMV_VARIANTS": "dmv_variants",
    "GrammarParses": "tree_substitution",
    "NeighbourByTag": "neighbours",
    "Parses": "dmv",
    "ReducibilityModel": "reducibility_model",
    "TreeSubstitutionGrammar": "tree_substitution",
    "compare_variants": "dmv_variants",
    "induce_lexicon": "ccg_lexicon",
    "left_branching": "baselines",
    "parse_ambiguity": "dmv_variants",
    "random_projective_trees": "baselines",
    "random_trees": "baselines",
    "ranked_trees": "ranking",
    "reducibility_scores": "reducibility",
    "right_branching": "baselines",
    "train_variant": "dmv_variants",
    "training_trace": "dmv_variants",
    "universal_rule_trees": "ranking",
}

__all__ = [
    "DMV",
    "DMV_VARIANTS",
    "CCGInduction",
    "CCGParses",
    "ConstantDirection",
    "GrammarParses",
    "NeighbourByTag",
    "Parses",
    "ReducibilityModel",
    "TreeSubstitutionGrammar",
    "compare_variants",
    "induce_lexicon",
    "left_branching",
    "parse_ambiguity",
    "random_projective_trees",
    "random_trees",
    "ranked_trees",
    "reducibility_scores",
    "right_branching",
    "train_variant",
    "training_trace",
    "universal_rule_trees",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
