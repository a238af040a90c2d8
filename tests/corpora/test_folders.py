"""The suite finds its data in a checkout and in an installation, and its cache and mirror by the environment."""

from pathlib import Path

import pytest

from analysis.corpora import folders


def test_a_checkout_keeps_data_and_notebooks_beside_the_package():
    root = Path(folders.__file__).parents[2]
    assert folders.checkout() == root
    assert folders.data_folder() == root / "data"


def test_an_installation_carries_them_inside_the_package(tmp_path, monkeypatch):
    package = tmp_path / "site-packages" / "analysis"
    for name in ("data", "notebooks"):
        (package / "shipped" / name).mkdir(parents=True)
    monkeypatch.setattr(folders, "PACKAGE", package)
    assert folders.checkout() is None
    assert folders.data_folder() == package / "shipped" / "data"
    assert folders.notebooks_folder() == package / "shipped" / "notebooks"


def test_an_incomplete_installation_is_said_so(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "PACKAGE", tmp_path / "analysis")
    with pytest.raises(FileNotFoundError, match="incomplete"):
        folders.data_folder()


def test_the_environment_names_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "here"))
    assert folders.cache_folder() == tmp_path / "here"
    monkeypatch.delenv("ANALYSIS_CACHE")
    assert "language-yardstick" in str(folders.cache_folder())


@pytest.fixture(scope="module")
def cache_of_what_a_file_shares():
    return folders.cache_folder()


def test_what_the_tests_of_a_file_share_is_kept_where_the_tests_keep_theirs(cache_of_what_a_file_shares):
    assert cache_of_what_a_file_shares == folders.cache_folder()


@pytest.mark.real_corpus
def test_a_test_of_a_real_corpus_has_the_users_cache(cache_of_what_a_file_shares, request):
    named = request.session.config.pluginmanager.get_plugin(str(Path(__file__).parents[2] / "conftest.py"))
    assert named.CACHE_IS_NAMED or folders.cache_folder() != cache_of_what_a_file_shares


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", None),
        ("/copies", Path("/copies")),
        ("file:///my%20copies", Path("/my copies")),
        ("https://example.org/copies/", "https://example.org/copies"),
    ],
)
def test_the_mirror_is_a_folder_or_an_address(monkeypatch, value, expected):
    monkeypatch.setenv("ANALYSIS_MIRROR", value)
    assert folders.mirror() == expected
