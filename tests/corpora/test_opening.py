"""One way from what a reader names to its text."""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.corpora import opening, read_conllu, write_conllu
from analysis.corpora.file_formats import decide_format
from analysis.corpora.opening import Text, contents, decoded, limit_for, open_text
from analysis.structures import DataError, Incident

WORDS = "Dägs\tbark\nno\t—\n"
CONTENT = WORDS.encode()


def zipped(members, path=None):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    if path is not None:
        path.write_bytes(buffer.getvalue())
    return buffer.getvalue()


def tarred(members, mode="w"):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


PACKINGS = {
    "plain": CONTENT,
    "gz": gzip.compress(CONTENT),
    "xz": lzma.compress(CONTENT),
    "bz2": bz2.compress(CONTENT),
    "zip": zipped({"a/b.conllu": CONTENT}),
    "tar": tarred({"a.txt": CONTENT}),
    "tar.xz": tarred({"a.txt": CONTENT}, "w:xz"),
    "two gz after each other": gzip.compress(CONTENT[:5]) + gzip.compress(CONTENT[5:]),
    "gz in gz": gzip.compress(gzip.compress(CONTENT)),
    "gz in zip": zipped({"b.gz": gzip.compress(CONTENT)}),
}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("name", ["a.conllu", "A.TXT", "a.gz", "a.XZ", "a"])
def test_files_are_unpacked_by_content_whatever_their_names(tmp_path, packing, name):
    path = tmp_path / name
    path.write_bytes(PACKINGS[packing])
    for source in (path, str(path), PACKINGS[packing], io.BytesIO(PACKINGS[packing])):
        assert open_text(source).data == CONTENT


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_encoding_and_line_end_gives_the_same_text(encoding, end):
    words = WORDS if encoding != "latin-1" else WORDS.replace("—", "-")
    raw = words.replace("\n", end).encode(encoding)
    marked = encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32")
    for content in (raw, raw.removesuffix(end.encode(encoding.removesuffix("-sig"))) if not marked else raw):
        assert open_text(content, encoding=None if marked else encoding).data == words.encode()


def test_text_and_open_files_of_text_are_text_already(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(WORDS, encoding="utf-8")
    assert open_text(WORDS, encoding="latin-1").data == CONTENT
    with path.open(encoding="utf-8") as file:
        opened = open_text(file)
    assert (opened.name, opened.data) == (str(path), CONTENT)
    assert open_text(opened) is opened


def test_standard_input_and_pipes_are_read_once(tmp_path):
    code = "import sys; from analysis.corpora.opening import open_text; sys.stdout.buffer.write(open_text('-').data)"
    run = subprocess.run([sys.executable, "-c", code], input=PACKINGS["gz"], capture_output=True, check=True)
    assert run.stdout == CONTENT
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(PACKINGS["xz"],))
    writer.start()
    assert open_text(pipe).data == CONTENT
    writer.join()
    reading, writing = os.pipe()
    os.write(writing, CONTENT)
    os.close(writing)
    assert open_text(f"/dev/fd/{reading}").data == CONTENT
    os.close(reading)


@pytest.mark.parametrize("ending", ["zip", "tar", "tar.gz"])
def test_a_member_of_an_archive_is_named_like_a_file_in_a_folder(tmp_path, ending):
    members = {"a/b.conllu": CONTENT, "c.gz": PACKINGS["gz"]}
    path = tmp_path / f"x.{ending}"
    path.write_bytes(zipped(members) if ending == "zip" else tarred(members, "w:gz" if "gz" in ending else "w"))
    opened = open_text(f"{path}/a/b.conllu")
    assert (opened.name, opened.data) == (f"{path}/a/b.conllu", CONTENT)
    assert open_text(path / "c.gz").data == CONTENT
    with pytest.raises(DataError, match=r"the archive has no file 'b\.conllu'"):
        open_text(path / "b.conllu")
    both = open_text(path)  # the rest is passed over, as in a folder
    assert both.data.strip() == CONTENT.strip() and "1 skipped" in both.incidents[0].found


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_an_archive_of_several_files_is_read_like_a_folder_of_them(tmp_path, ending):
    path = tmp_path / f"x.{ending}"

    def packed(members):
        path.write_bytes(zipped(members) if ending == "zip" else tarred(members, "w:gz"))
        return path

    lines = b"look\tVB\n"
    opened = open_text(packed({"b.tsv": lines, "a/c.tsv": b"up\tRP\n", "README": b"words"}))
    assert opened.lines() == ["up\tRP", "look\tVB"]
    assert Incident(opened.name, 2, "", "").file == str(path / "b.tsv")
    found = r"this is an archive with files of several kinds: 'a\.conllu', 'b\.tsv'(.|\n)*Name one of them: .*a\.conllu"
    with pytest.raises(DataError, match=found):
        open_text(packed({"a.conllu": CONTENT, "b.tsv": lines}))
    with pytest.raises(DataError, match="it exceeds"):
        open_text(packed({f"{name}.tsv": lines * 10 for name in range(9)}), limit=8 * 80)


def test_what_archivers_leave_is_passed_over_and_said(tmp_path):
    path = tmp_path / "x.zip"
    zipped({"__MACOSX/._a.txt": b"\0\5", "a.txt": CONTENT, ".DS_Store": b"\0", "empty/": b""}, path)
    opened = open_text(path)
    assert opened.data == CONTENT
    assert [(incident.kind, incident.file) for incident in opened.incidents] == [("left by an archiver", str(path))] * 2
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.cha").write_bytes(CONTENT)
    (folder / "._a.cha").write_bytes(b"\0\5\x16\7")
    left = []
    assert list(contents(folder, (".cha",), left=left)) == [("a.cha", CONTENT)]
    assert [incident.found for incident in left] == ["'._a.cha' is not a part of the corpus; skipped"]


def test_a_corpus_in_a_folder_or_archive_is_read_file_by_file(tmp_path):
    members = {"a.CHA": CONTENT, "b/c.cha.gz": PACKINGS["gz"], "d.txt": b"other"}
    zipped(members, tmp_path / "x.zip")
    for name, content in members.items():
        (tmp_path / "x" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "x" / name).write_bytes(content)
    expected = [("a.CHA", CONTENT), ("b/c.cha.gz", CONTENT)]
    assert list(contents(tmp_path / "x", (".cha",))) == list(contents(tmp_path / "x.zip", (".cha",))) == expected
    assert list(contents(tmp_path / "x" / "d.txt", (".cha",))) == [("d.txt", b"other")]


@pytest.mark.parametrize("packing", ["gz", "xz", "bz2", "zip", "tar", "tar.xz"])
def test_damaged_files_are_named(tmp_path, packing):
    whole = PACKINGS[packing]
    path = tmp_path / f"x.{packing}"
    cut = 700 if packing == "tar" else len(whole) - 9
    for content in (
        whole[:cut],
        whole[: cut // 2],
        whole[:45] + b"?????" + whole[50:] if packing == "zip" else whole[:cut],
    ):
        path.write_bytes(content)
        with pytest.raises(DataError) as caught:
            open_text(path)
        assert str(caught.value).startswith(str(path))


def test_an_encrypted_zip_says_so(tmp_path):
    content = bytearray(PACKINGS["zip"])
    for sign, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(sign) + flags] |= 1
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(DataError, match=r"x\.zip: the file is encrypted: .*password"):
        open_text(tmp_path / "x.zip")


BOMBS = {
    "gz": gzip.compress(bytes(1_000_000)),
    "xz": lzma.compress(b" " * 1_000_000),
    "bz2": bz2.compress(b" " * 1_000_000),
    "zip": zipped({"a": b"x\n" * 500_000}),
    "tar.gz": tarred({"a": b"x\n" * 500_000}, "w:gz"),
    "many": zipped({f"{i}.cha": b"x\n" * 50_000 for i in range(10)}),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_what_grows_beyond_the_limit_is_refused(tmp_path, kind):
    path = tmp_path / "bomb.zip"
    path.write_bytes(BOMBS[kind])
    with pytest.raises(DataError, match=r"bomb\.zip: it exceeds 900,000 bytes"):
        list(contents(path, (".cha", "a"), limit=900_000))
    if kind != "many":
        with pytest.raises(DataError, match="it exceeds 999,999 bytes"):
            open_text(path, limit=999_999)


@pytest.mark.thorough
def test_refusing_takes_memory_that_does_not_grow_with_the_bomb():
    code = (
        "import resource, gzip, io; from analysis.corpora.opening import open_text\n"
        "buffer = io.BytesIO(); file = gzip.GzipFile(fileobj=buffer, mode='wb', compresslevel=1)\n"
        "for _ in range(600): file.write(bytes(1_000_000))\n"
        "file.close(); before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: open_text(buffer.getvalue(), limit=64_000_000)\n"
        "except ValueError as error: print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert int(run.stdout) < 250  # of 600 MB


def test_the_limit_is_the_smaller_of_4_gb_and_200_times_the_size_and_at_least_64_mb():
    assert [limit_for(size) for size in (0, 320_000, 320_001, 20_000_000, 10**9)] == [
        64_000_000, 64_000_000, 64_000_200, 4_000_000_000, 4_000_000_000,
    ]  # fmt: skip


def test_a_file_that_is_packed_in_itself_again_and_again_is_refused():
    content = CONTENT
    for _ in range(12):
        content = gzip.compress(content)
    with pytest.raises(DataError):
        open_text(zipped({"a": zipped({"b": zipped({"c": zipped({"d": zipped({"e": CONTENT})})})})}))
    with pytest.raises(DataError):
        open_text(content)


@pytest.mark.parametrize("content", [bytes(1_000_000), b"look\tVB\n\0", "look\tVB\n".encode("utf-16-le")])
def test_zero_bytes_are_no_text(content):
    with pytest.raises(DataError, match="this line contains a byte 0x00"):
        open_text(content)


def test_bytes_of_another_encoding_are_refused_with_line_and_byte():
    for end in (b"\n", b"\r\n", b"\r"):
        with pytest.raises(DataError, match=r"text, line 3: byte 0xe9 is not UTF-8"):
            open_text(b"a" + end + b"b" + end + b"caf\xe9" + end)
    with pytest.raises(DataError, match=r"line 2: byte 0x81 is not CP1252"):
        open_text(b"a\n\x81\n", encoding="cp1252")
    with pytest.raises(DataError, match=r"is not UTF-16"):
        open_text("ab\n".encode("utf-16") + b"\x00")
    with pytest.raises(ValueError, match="there is no encoding 'klingon'"):
        open_text(b"a\n", encoding="klingon")
    with pytest.raises(ValueError, match="there is no encoding 'rot13'"):
        open_text(b"a\n", encoding="rot13")


def test_folders_and_names_without_a_file_are_said_so(tmp_path):
    with pytest.raises(DataError, match="this is a folder without a file"):
        open_text(tmp_path)
    (tmp_path / "a.conllu").write_bytes(CONTENT)
    (tmp_path / "b.tsv").write_bytes(CONTENT)
    with pytest.raises(DataError, match=r"this is a folder with files of several kinds: 'a\.conllu', 'b\.tsv'"):
        open_text(tmp_path)
    for name in ("nothing", "x" * 5000, "a.conllu/b", "nothing/b"):
        with pytest.raises(DataError, match="there is no file"):
            open_text(tmp_path / name)


def test_a_folder_is_read_as_one_text_whose_errors_name_file_and_line(tmp_path):
    row = "1\t{}\t_\tVERB\t_\t_\t{}\troot\t_\t_\n".format
    (tmp_path / "b.CONLLU").write_bytes(("\ufeff" + row("second", 0)).encode("utf-8"))
    (tmp_path / "a.conllu.xz").write_bytes(lzma.compress(row("first", 0).encode("utf-16")))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c.conllu").write_text(row("third", 0).replace("\n", "\r") + "\r" + row("fourth", 0))
    for name in ("._a.conllu", "README.md", ".DS_Store"):
        (tmp_path / name).write_bytes(b"\0")
    reading = read_conllu(tmp_path, strict=False)
    assert reading.tokens["form"].tolist() == ["first", "second", "third", "fourth"]
    assert reading.tokens["sentence"].tolist() == [0, 1, 2, 3]
    assert sorted(reading.incidents["kind"]) == ["left by an archiver", "other files"]
    assert decide_format(tmp_path).format == "conllu"
    (tmp_path / "sub" / "d.conllu").write_text("\n" + row("fifth", 7))
    with pytest.raises(DataError, match=r"sub/d\.conllu, line 2: the head of word 1 is 7"):
        read_conllu(tmp_path)
    (tmp_path / "b.CONLLU").write_bytes(row("second", 9).encode() + b"\n\xe9")
    with pytest.raises(DataError, match=r"b\.CONLLU, line 3: byte 0xe9 is not UTF-8"):
        read_conllu(tmp_path)


def test_memory_that_does_not_suffice_is_said_with_the_file(tmp_path, monkeypatch):
    (tmp_path / "a.conllu").write_bytes(PACKINGS["gz"])

    def fail(*arguments):
        raise MemoryError

    monkeypatch.setattr(opening, "_expand", fail)
    with pytest.raises(DataError, match=r"a\.conllu: there is not enough memory"):
        open_text(tmp_path / "a.conllu")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_said_with_the_file():
    with pytest.raises(DataError, match=r"/dev/full: it cannot be written: No space left"):
        opening.write_text("/dev/full", WORDS)
    tokens = pd.DataFrame({"sentence": [0], "form": ["look"]})
    with pytest.raises(DataError, match=r"/dev/full: it cannot be written: No space left"):
        write_conllu(tokens, "/dev/full")


def test_errors_print_no_control_characters_and_quote_eighty_characters_at_most():
    with pytest.raises(DataError) as caught:
        open_text(b"\x1b[2J" + b"x" * 500 + b"\xff", encoding="utf-8")
    assert "\x1b" not in str(caught.value)
    assert max(map(len, str(caught.value).split("\n"))) < 200
    with pytest.raises(DataError) as caught:
        open_text(Path("\x1b[2J\x9b\u202eno"))
    assert str(caught.value).startswith("\\x1b[2J\\x9b\\u202eno: ")


@given(st.sampled_from(sorted(PACKINGS)), st.data())
def test_any_change_of_a_packed_file_is_read_or_refused(packing, data):
    content = bytearray(PACKINGS[packing])
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content
    with contextlib.suppress(DataError):
        assert isinstance(open_text(bytes(content)), Text)


@given(st.binary(max_size=60))
def test_any_bytes_are_text_or_refused(content):
    try:
        text = decoded("a", content)
    except DataError:
        return
    assert text.decode("utf-8").endswith("\n") and b"\r" not in text and b"\0" not in text
