import pandas as pd
import pytest

from analysis.structures.publication import Figure, Publication, Table


def table(name):
    return Table(name, "A table", pd.DataFrame({"value": [1]}), "made up")


def test_two_tables_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two tables of frank2009 are called 'table1'"):
        Publication("frank2009", "title", "builtin", tables=[table("table1"), table("table1")])


def test_a_name_that_is_no_file_name_is_refused():
    with pytest.raises(ValueError, match="is used as a file name"):
        table("../table1")


@pytest.mark.parametrize("missing", ["alt", "caption"])
def test_a_figure_without_words_is_refused(missing):
    words = {"alt": "a plot", "caption": "n = 1"} | {missing: "  "}
    with pytest.raises(ValueError, match=f"has no {missing}"):
        Figure("figure1", "title", None, **words)


def test_lists_become_tuples_and_mappings_are_copies():
    times = {"all": 1.0}
    publication = Publication("frank2009", "title", "builtin", tables=[table("a")], run_times=times)
    assert publication.tables == tuple(publication.tables)
    times["all"] = 2.0
    assert publication.run_times == {"all": 1.0}
