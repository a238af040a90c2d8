import pytest

from analysis.report.registry import PAPERS, Paper, default_corpora, missing
from analysis.structures import DataError


def test_a_package_that_is_not_installed_is_missing_like_a_data_set():
    paper = Paper(
        "mine", "my.module", "", {"words": ("package pandas", "package no_such_package"), "nursery": ("nursery",)}
    )
    assert missing(paper, "words") == ["package no_such_package"]
    assert default_corpora(paper) == ["nursery"]


def test_a_paper_without_any_corpus_says_what_it_could_run_on():
    with pytest.raises(DataError, match="no corpus for mine"):
        default_corpora(Paper("mine", "my.module", "", {"words": ("package no_such_package",)}))


def test_every_paper_has_a_publish_function_and_every_corpus_something_it_needs():
    for paper in PAPERS.values():
        assert callable(paper.load().publish)
        assert all(paper.corpora.values())
