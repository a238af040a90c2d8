import pandas as pd
import pytest

from analysis.corpora.universal_tags import UNIVERSAL, tag_map, universal_tags


def test_every_map_leads_into_the_twelve_tags_and_names_no_tag_twice():
    maps = tag_map()
    assert len(UNIVERSAL) == 12 and set(maps["universal"]) <= set(UNIVERSAL)
    assert not maps.duplicated(["scheme", "tag"]).any()


def test_the_17_tags_of_ud_and_the_45_of_the_penn_treebank_are_all_mapped():
    sizes = tag_map()["scheme"].value_counts()
    assert sizes["ud"] == 17 and sizes["penn"] == 45


def test_the_nine_punctuation_tags_of_the_penn_treebank_are_punctuation():
    penn = tag_map().query("scheme == 'penn' and universal == '.'")["tag"]
    assert set(penn) == {"#", "$", "''", ",", "-LRB-", "-RRB-", ".", ":", "``"}


def test_order_and_repetition_of_tags_are_kept_and_categoricals_do():
    tags = pd.Series(["VERB", "NOUN", "PROPN", "VERB"], dtype="category")
    assert list(universal_tags(tags)) == ["VERB", "NOUN", "NOUN", "VERB"]


def test_of_basque_tags_the_part_before_the_underscore_counts():
    assert list(universal_tags(["IZE_IZEELI", "PUNT"], "basque-3lb")) == ["NOUN", "."]


def test_an_unknown_tag_or_scheme_is_refused_by_name():
    with pytest.raises(ValueError, match="no tag 'NNZ'"):
        universal_tags(["NN", "NNZ"], "penn")
    with pytest.raises(ValueError, match="no map of 'brown'"):
        universal_tags(["NN"], "brown")


def test_a_missing_tag_is_refused_with_its_place():
    with pytest.raises(ValueError, match="tags has 1 missing labels of 3, the first at index 1"):
        universal_tags(["NOUN", None, "VERB"])
