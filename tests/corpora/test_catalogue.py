"""The catalogue is whole, and no file of it is used before its checksum was compared."""

import hashlib
import http.server
import importlib
import lzma
import os
import threading

import pytest

from analysis.corpora.catalogue import (
    DataFile,
    Dataset,
    NotAtHandError,
    _datasets,
    archive_members,
    catalogue,
    data_version,
    dataset,
    file_sha256,
    files_folder,
    git_blob_sha1,
    locate,
    where,
)
from analysis.structures import DataError
from analysis.structures.writing import write_whole

TEXT = b"a made up corpus\n"


def test_every_data_set_has_title_licence_language_and_citation():
    table = catalogue()
    assert table["name"].is_unique
    for column in ("title", "licence", "language", "what", "how", "where", "data_version"):
        assert (table[column] != "").all(), column
    cited = table[table["how"] != "built in"]
    assert (cited["citation"] != "").all()
    assert {"manchester", "childes", "ud-english-ewt", "nltk-conll2007", "sigmorphon2022"} <= set(table["name"])


def test_every_file_has_a_checksum_and_an_address_upstream():
    names, paths = set(_datasets()), []
    for data in _datasets().values():
        for file in data.files:
            paths.append(file.path)
            assert file.dataset in names
            assert len(file.sha256) == 64 or len(file.git_blob_sha1) == 40
            assert len(file.commit) == 40 and "/" in file.repository
            if not file.is_archive:
                assert len(file.git_blob_sha1) == 40
                assert file.upstream_address.startswith(f"https://raw.githubusercontent.com/{file.repository}/")
    assert len(paths) == len(set(paths))


def test_the_members_of_every_archive_are_listed_with_their_checksums():
    members = archive_members()
    archives = {file.path for data in _datasets().values() for file in data.files if file.is_archive}
    assert archives == set(members["archive"])
    assert members["git_blob_sha1"].str.fullmatch("[0-9a-f]{40}").all()
    manchester = members[members["archive"] == "childes/Eng-UK-Manchester.tar.xz"]
    assert manchester["member"].str.endswith(".cha").sum() == 804


def test_an_unknown_name_lists_the_nearest():
    with pytest.raises(DataError, match=r"did you mean ud-danish-ddt"):
        dataset("UD-Danish-DTT")


def test_the_version_of_data_follows_their_checksums():
    assert data_version("manchester") == "manchester@11c44cbf sha256:" + dataset("manchester").files[0].sha256[:8]
    listed = "\n".join(f"{file.path} {file.sha256}" for file in dataset("childes").files)
    assert data_version("childes").endswith(hashlib.sha256(listed.encode()).hexdigest()[:8])


def test_the_blob_checksum_is_that_of_git(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    assert git_blob_sha1(tmp_path / "empty") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """A data set of one compressed file, a mirror folder that holds it, an empty cache."""
    copies = tmp_path / "mirror"
    copies.mkdir()
    packed = copies / "made.txt.xz"
    packed.write_bytes(lzma.compress(TEXT))
    blob = hashlib.sha1(b"blob %d\0" % len(TEXT) + TEXT).hexdigest()
    file = DataFile("made", "made.txt.xz", 1, file_sha256(packed), "some/where", "c" * 40, "made.txt", blob)
    late = DataFile("made", "late.txt", None, "", "some/where", "c" * 40, "late.txt", blob)
    data = Dataset("made", "Made", "eng", "CC0", "", (), "", "", "a test", "fetch", (file, late))
    monkeypatch.setitem(_datasets(), "made", data)
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ANALYSIS_MIRROR", str(copies))
    return packed


def test_a_file_of_a_mirror_folder_is_used_in_place(made_up):
    assert locate("made") == [made_up]
    assert where("made") == "on the mirror"


def test_the_cache_is_asked_first_and_holds_a_file_packed_or_as_upstream(made_up):
    write_whole(files_folder() / "made.txt", TEXT)
    assert locate("made") == [files_folder() / "made.txt"]
    write_whole(files_folder() / "made.txt.xz", made_up.read_bytes())
    assert locate("made") == [files_folder() / "made.txt.xz"]
    assert where("made") == "cached"


@pytest.mark.parametrize("where_it_lies", ["mirror", "cache"])
def test_a_file_that_is_not_the_right_one_is_refused_with_both_checksums(made_up, where_it_lies):
    expected = file_sha256(made_up)
    assert locate("made")  # remembered as right; another size or time makes it be looked at again
    place = made_up if where_it_lies == "mirror" else files_folder() / "made.txt.xz"
    write_whole(place, lzma.compress(b"another corpus\n"))
    with pytest.raises(DataError) as error:
        locate("made")
    assert str(place) in str(error.value) and expected in str(error.value) and file_sha256(place) in str(error.value)


def test_an_unpacked_file_is_compared_with_the_checksum_of_git(made_up):
    write_whole(files_folder() / "made.txt", TEXT + b" ")
    with pytest.raises(DataError, match="git blob SHA-1"):
        locate("made")


def test_what_is_checked_is_remembered(made_up, monkeypatch):
    locate("made")
    module = importlib.import_module("analysis.corpora.catalogue")
    monkeypatch.setattr(module, "file_sha256", lambda path: pytest.fail("looked at again"))
    assert locate("made") == [made_up]


def test_what_is_not_at_hand_says_what_to_do(made_up, monkeypatch):
    with pytest.raises(NotAtHandError, match=r"late\.txt is not in the cache .* nor in the folder ANALYSIS_MIRROR"):
        locate("made", "late*")
    monkeypatch.delenv("ANALYSIS_MIRROR")
    with pytest.raises(NotAtHandError, match="ANALYSIS_MIRROR is not set") as error:
        locate("made")
    assert "yardstick data fetch made" in str(error.value)
    assert where("made") == "to be fetched"


def test_a_pattern_that_fits_no_file_is_an_error(made_up):
    with pytest.raises(DataError, match=r"no file \*-dev\*; it has made\.txt\.xz, late\.txt"):
        locate("made", "*-dev*")


def test_what_only_licence_holders_have_says_so():
    assert where("ccgbank") == "to be supplied by a licence holder"
    with pytest.raises(NotAtHandError, match="data add ccgbank PATH"):
        locate("ccgbank")
    with pytest.raises(NotAtHandError, match="is built in"):
        locate("nursery")


@pytest.fixture
def served(made_up, monkeypatch):
    """The mirror as a web address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments, **keywords):
            super().__init__(*arguments, directory=str(made_up.parent), **keywords)

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("ANALYSIS_MIRROR", f"http://127.0.0.1:{server.server_port}/")
        yield made_up
        server.shutdown()
        thread.join()


def test_a_file_of_a_mirror_address_is_fetched_into_the_cache(served):
    assert where("made") == "on the mirror"
    [place] = locate("made")
    assert place == files_folder() / "made.txt.xz" and place.read_bytes() == served.read_bytes()
    served.unlink()
    assert locate("made") == [place]


def test_a_wrong_file_of_a_mirror_address_is_refused_and_not_kept(served):
    served.write_bytes(b"<html>404</html>")
    with pytest.raises(DataError, match=r"made\.txt\.xz is not the expected file.*does not match"):
        locate("made")
    assert not [path for path in files_folder().rglob("*") if path.is_file()]


def test_a_file_that_a_mirror_address_lacks_says_what_to_do(served):
    served.unlink()
    with pytest.raises(NotAtHandError, match="data fetch made"):
        locate("made")


@pytest.fixture
def unpacked(tmp_path, monkeypatch):
    """An archive of the catalogue as a folder, its members made up, of ten bytes each."""
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path))
    members = archive_members()
    splits = members[members["archive"] == "realitycheck2023/splits.tar.xz"].head(12).copy()
    folder = files_folder() / "realitycheck2023" / "splits"
    for number, member in enumerate(splits["member"]):
        write_whole(folder / member, b"made up %02d" % number)
    splits["size_bytes"] = 10
    splits["git_blob_sha1"] = [git_blob_sha1(folder / member) for member in splits["member"]]
    monkeypatch.setattr(importlib.import_module("analysis.corpora.catalogue"), "archive_members", lambda: splits)
    return folder, folder / splits["member"].iloc[7]


def test_an_archive_may_lie_unpacked_in_the_cache(unpacked):
    folder, member = unpacked
    assert locate("realitycheck2023", "*splits*") == [folder]
    member.unlink()
    with pytest.raises(DataError, match=f"{member.name} is missing"):
        locate("realitycheck2023", "*splits*")


@pytest.mark.parametrize("seen", [True, False])
def test_a_member_of_the_same_size_and_time_with_one_byte_changed_is_refused(unpacked, seen):
    folder, member = unpacked
    if seen:
        assert locate("realitycheck2023", "*splits*") == [folder]
    state = member.stat()
    member.write_bytes(b"made up XX")
    os.utime(member, ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(DataError, match=rf"git blob SHA-1 of .*{member.name} is"):
        locate("realitycheck2023", "*splits*")


@pytest.mark.parametrize("seen", [True, False])
def test_a_copy_of_the_same_size_and_time_with_one_byte_changed_is_refused(made_up, seen):
    if seen:
        assert locate("made") == [made_up]
    state, content = made_up.stat(), bytearray(made_up.read_bytes())
    content[-1] ^= 1
    made_up.write_bytes(content)
    os.utime(made_up, ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(DataError, match="its SHA-256 is"):
        locate("made")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    write_whole(tmp_path / "a", b"whole")
    with pytest.raises(TypeError):
        write_whole(tmp_path / "a", None)
    assert (tmp_path / "a").read_bytes() == b"whole" and len(list(tmp_path.iterdir())) == 1


@pytest.mark.real_corpus
def test_the_files_of_the_mirror_are_those_of_the_catalogue():
    assert all(
        path.exists() for data in _datasets().values() if data.files and data.size_bytes for path in locate(data.name)
    )
