"""The one writer of files: whole or not at all."""

import stat
from pathlib import Path

import pytest

from analysis.structures import writing
from analysis.structures.writing import whole_file, write_whole


def test_a_file_is_replaced_whole_or_stays_as_it_was(tmp_path):
    path = tmp_path / "folder" / "a.txt"
    write_whole(path, b"old")
    for content in (None, lambda file: file.write(b"half") and 1 / 0):
        with pytest.raises((TypeError, ZeroDivisionError)):
            write_whole(path, content)
        assert path.read_bytes() == b"old" and len(list(path.parent.iterdir())) == 1
    write_whole(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new" and len(list(path.parent.iterdir())) == 1


def test_a_part_ends_as_the_file_does_and_goes_with_an_error(tmp_path):
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "a.conllu.xz") as part:
        assert part.name.endswith(".part.xz") and part.parent == tmp_path
        part.write_bytes(b"half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_others_may_read_what_is_written_as_they_may_any_file(tmp_path):
    write_whole(tmp_path / "a", b"")
    (tmp_path / "b").touch()
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == stat.S_IMODE((tmp_path / "b").stat().st_mode)


def test_no_other_module_writes_beside_a_file_and_moves_it_there():
    package = Path(writing.__file__).parents[1]
    signs = ("mkstemp", "NamedTemporaryFile", "os.replace", "os.rename", '.part"', ".part{")
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(sign in path.read_text(encoding="utf-8") for sign in signs)
    }
    exempt = {
        "corpora/transfer.py",  # a download goes on from its part
        "corpora/fetching.py",  # a folder is filled and then moved
        "report/folders.py",  # likewise
    }
    assert found - exempt == {"structures/writing.py"}
