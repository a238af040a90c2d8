"""The downloader, against a server on the loopback address that misbehaves in every way it knows."""

import functools
import gzip
import hashlib
import http.server
import json
import lzma
import re
import shlex
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import analysis.corpora.fetching as fetching
from analysis.__main__ import main
from analysis.corpora.catalogue import DataFile, Dataset, locate
from analysis.corpora.transfer import NotThereError, UnreachableError, Wanted, digest, fetch_all, fetch_file
from analysis.structures import DataError

CONTENT = b"".join(b"%06d\tword\n" % number for number in range(20_000))  # 240,000 bytes: several chunks
PAGE = b"<!DOCTYPE html>\n<html><body>Please log in</body></html>\n"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def blob_sha1(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    """``/how/path``: serves ``server.files[path]`` in the manner ``how``."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_GET(self):
        _, how, path = self.path.split("/", 2)
        start = int(self.headers.get("Range", "bytes=0-")[6:-1])
        with self.server.lock:
            self.server.asked.append((how, path, start))
            times = sum(one[:2] == (how, path) for one in self.server.asked)
        content = self.server.files.get(path)
        if content is None or how == "missing":
            return self.answer(404, b"nothing here")
        if how == "altered":
            content = content[:100] + b"X" + content[101:]
        elif how == "html":
            content = PAGE
        elif how == "short":
            content = content[:1000]
        elif how == "failing" or (how == "flaky" and times <= 2):
            return self.answer(503, b"busy")
        elif how == "hanging":
            time.sleep(1.5)
        elif how == "slow":
            time.sleep(0.3)
        elif how == "packed":
            return self.answer(200, gzip.compress(bytes(10**6)), {"Content-Encoding": "gzip"})
        elif how == "endless":
            return self.answer(200, content + content[:1] * 10**6)
        if how == "norange":
            start = 0
        elif start >= len(content):
            return self.answer(416, b"")
        body, whole = content[start:], len(content)
        sent = len(body)
        if how == "breaking" or (how == "norange" and times == 1):
            sent = min(sent, 100_000)
        elif how == "truncated":
            sent = min(sent, 50_000) if start == 0 else 0
        headers = {"Content-Range": f"bytes {start}-{whole - 1}/{whole}"} if start else {}
        if how == "misplaced" and start:
            headers = {"Content-Range": f"bytes {start - 1}-{whole - 1}/{whole}"}
        self.answer(206 if start else 200, body, headers, sent)
        if sent < len(body):
            self.close_connection = True

    def answer(self, status, body, headers=None, sent=None):
        self.send_response(status)
        for name, value in ((headers or {}) | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body if sent is None else body[:sent])


@pytest.fixture
def server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as one:
        one.daemon_threads = True
        one.block_on_close = False
        one.files = {"file.txt": CONTENT}
        one.asked = []
        one.lock = threading.Lock()
        one.address = f"http://127.0.0.1:{one.server_port}"
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield one
        one.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch, tmp_path):
    """The loopback address is asked directly, and the cache is a new one."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("ANALYSIS_MIRROR", raising=False)


QUICK = {"tries": 3, "pause": 0.01, "timeout": 0.5}
STATED = {"sha256": sha256(CONTENT), "size": len(CONTENT)}


# ------------------------------------------------------------------------------------------------------- one file


@pytest.mark.parametrize("stated", [STATED, {"blob_sha1": blob_sha1(CONTENT)}, {}])
@pytest.mark.parametrize("how", ["good", "flaky", "breaking", "norange"])
def test_a_file_arrives_whole_however_often_the_way_to_it_breaks(server, tmp_path, how, stated):
    target = tmp_path / "folder" / "file.txt"
    address = f"{server.address}/{how}/file.txt"
    if how == "breaking" and not stated:  # without a checksum nothing can be gone on with
        with pytest.raises(UnreachableError, match="connection broke"):
            fetch_file(address, target, **QUICK)
        assert not target.exists()
        return
    assert fetch_file(address, target, **stated, **QUICK) == target
    assert target.read_bytes() == CONTENT
    assert [path.name for path in target.parent.iterdir()] == ["file.txt"]


def test_a_download_goes_on_where_it_broke_off(server, tmp_path):
    fetch_file(f"{server.address}/breaking/file.txt", tmp_path / "file.txt", **STATED, **QUICK)
    starts = [start for _, _, start in server.asked]
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert len(starts) == 3  # 240,000 bytes, of which 100,000 come at a time


def test_a_later_call_goes_on_with_what_an_earlier_one_kept(server, tmp_path):
    target = tmp_path / "file.txt"
    with pytest.raises(UnreachableError, match=r"[45]\d,\d{3} bytes are kept, and the next call resumes"):
        fetch_file(f"{server.address}/truncated/file.txt", target, **STATED, **QUICK)
    assert not target.exists()
    kept = (tmp_path / "file.txt.part").read_bytes()
    assert kept == CONTENT[: len(kept)]
    server.asked.clear()
    arrived = []
    fetch_file(f"{server.address}/good/file.txt", target, **STATED, **QUICK, on_bytes=arrived.append)
    assert server.asked == [("good", "file.txt", len(kept))]
    assert sum(arrived) == len(CONTENT) - len(kept)
    assert target.read_bytes() == CONTENT


def test_halves_that_do_not_belong_together_are_fetched_anew(server, tmp_path):
    (tmp_path / "file.txt.part").write_bytes(b"of another version")
    fetch_file(f"{server.address}/good/file.txt", tmp_path / "file.txt", **STATED, **QUICK)
    assert (tmp_path / "file.txt").read_bytes() == CONTENT
    assert [start for _, _, start in server.asked] == [18, 0]


@pytest.mark.parametrize("kept", [len(CONTENT) + 5, len(CONTENT)])
def test_a_part_that_is_too_long_or_long_enough_but_wrong_is_thrown_away(server, tmp_path, kept):
    (tmp_path / "file.txt.part").write_bytes(b"x" * kept)
    fetch_file(f"{server.address}/good/file.txt", tmp_path / "file.txt", **STATED, **QUICK)
    assert (tmp_path / "file.txt").read_bytes() == CONTENT
    (tmp_path / "other.txt.part").write_bytes(b"x" * kept)
    fetch_file(f"{server.address}/good/file.txt", tmp_path / "other.txt", blob_sha1=blob_sha1(CONTENT), **QUICK)
    assert (tmp_path / "other.txt").read_bytes() == CONTENT


def test_a_part_without_a_checksum_is_never_gone_on_with(server, tmp_path):
    (tmp_path / "file.txt.part").write_bytes(CONTENT[:100])
    fetch_file(f"{server.address}/good/file.txt", tmp_path / "file.txt", **QUICK)
    assert server.asked == [("good", "file.txt", 0)]


def test_bytes_from_another_place_than_asked_for_are_not_used(server, tmp_path):
    (tmp_path / "file.txt.part").write_bytes(CONTENT[:100])
    fetch_file(f"{server.address}/misplaced/file.txt", tmp_path / "file.txt", **STATED, **QUICK)
    assert (tmp_path / "file.txt").read_bytes() == CONTENT
    assert [start for _, _, start in server.asked] == [100, 0]


@pytest.mark.parametrize(
    ("how", "error", "said"),
    [
        ("html", DataError, "a web page was received instead of the file\n  <!DOCTYPE html>"),
        ("altered", DataError, "not " + sha256(CONTENT)),
        ("short", DataError, "the file is truncated: 1,000 of 240,000 bytes"),
        ("truncated", UnreachableError, "truncated"),
        ("missing", NotThereError, "the server answers 404"),
        ("failing", UnreachableError, "the server answers 503"),
        ("hanging", UnreachableError, "does not answer in time"),
    ],
)
def test_what_is_not_the_file_is_refused_and_the_target_stays_as_it_was(server, tmp_path, how, error, said):
    target = tmp_path / "file.txt"
    target.write_bytes(b"an older version")
    address = f"{server.address}/{how}/file.txt"
    with pytest.raises(error) as caught:
        fetch_file(address, target, **STATED, **QUICK)
    assert said in str(caught.value)
    assert address in str(caught.value)
    assert target.read_bytes() == b"an older version"
    if how in ("html", "altered", "short", "missing"):
        assert not (tmp_path / "file.txt.part").exists()


def test_only_what_may_pass_is_asked_again(server, tmp_path):
    for how, times in (("missing", 1), ("html", 1), ("altered", 1), ("short", 1), ("failing", 3)):
        server.asked.clear()
        with pytest.raises(DataError):
            fetch_file(f"{server.address}/{how}/file.txt", tmp_path / how, **STATED, **QUICK)
        assert len(server.asked) == times, how


def test_pauses_grow_twofold(server, tmp_path, monkeypatch):
    pauses = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    with pytest.raises(UnreachableError):
        fetch_file(f"{server.address}/failing/file.txt", tmp_path / "file.txt", **STATED, tries=5, pause=8)
    assert pauses == [8, 16, 32, 60]


def test_a_closed_port_is_out_of_reach(server, tmp_path):
    server.shutdown()
    server.server_close()
    with pytest.raises(UnreachableError, match="the server cannot be reached"):
        fetch_file(f"{server.address}/good/file.txt", tmp_path / "file.txt", **STATED, **QUICK)


def test_a_right_file_is_not_fetched_again(server, tmp_path):
    (tmp_path / "file.txt").write_bytes(CONTENT)
    fetch_file(f"{server.address}/good/file.txt", tmp_path / "file.txt", **STATED)
    assert server.asked == []


def test_an_interrupt_leaves_the_part_and_nothing_at_the_target(server, tmp_path):
    def interrupt(count):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_file(f"{server.address}/good/file.txt", tmp_path / "file.txt", **STATED, on_bytes=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt.part"]
    fetch_file(f"{server.address}/good/file.txt", tmp_path / "file.txt", **STATED)
    assert (tmp_path / "file.txt").read_bytes() == CONTENT


def test_the_blob_checksum_is_that_of_git(tmp_path):
    path = tmp_path / "hello"
    path.write_bytes(b"hello\n")
    assert digest(path, "blob_sha1") == "ce013625030ba8dba906f756967f9e9ca394464a"  # printed by: git hash-object
    with pytest.raises(ValueError, match="kind must be"):
        digest(path, "md5")


def test_several_files_come_at_once_and_one_that_fails_does_not_stop_the_others(server, tmp_path):
    server.files |= {f"{number}": b"%d" % number for number in range(30)}
    wanted = [
        Wanted(f"{server.address}/{'missing' if n == 7 else 'good'}/{n}", tmp_path / f"{n}", sha256=sha256(b"%d" % n))
        for n in range(30)
    ]
    results = fetch_all(wanted, n_jobs=4, **QUICK)
    assert [isinstance(error, NotThereError) for error in results.values()] == [n == 7 for n in range(30)]
    assert all((tmp_path / f"{n}").read_bytes() == b"%d" % n for n in range(30) if n != 7)
    with pytest.raises(ValueError, match="n_jobs"):
        fetch_all(wanted, n_jobs=0)


def test_an_address_out_of_reach_ends_the_rest_soon(server, tmp_path):
    wanted = [Wanted(f"{server.address}/failing/file.txt", tmp_path / f"{n}") for n in range(50)]
    results = fetch_all(wanted, n_jobs=2, **QUICK)
    assert all(isinstance(error, UnreachableError) for error in results.values())
    assert len(server.asked) <= 2 * QUICK["tries"]


def test_a_body_longer_than_stated_is_cut_off_while_it_arrives(server, tmp_path):
    arrived = []
    with pytest.raises(DataError, match="more than the expected 240,000 bytes were sent"):
        fetch_file(
            f"{server.address}/endless/file.txt", tmp_path / "file.txt", **STATED, **QUICK, on_bytes=arrived.append
        )
    assert sum(count for count in arrived if count > 0) <= len(CONTENT)
    assert sum(arrived) == 0
    assert list(tmp_path.iterdir()) == []
    assert len(server.asked) == 1


@pytest.mark.parametrize("stated", [STATED, {}])
def test_an_encoding_that_was_not_asked_for_is_refused_before_it_unpacks(server, tmp_path, stated):
    arrived = []
    with pytest.raises(DataError, match="in the encoding gzip, which was not asked for"):
        fetch_file(
            f"{server.address}/packed/file.txt", tmp_path / "file.txt", **stated, **QUICK, on_bytes=arrived.append
        )
    assert arrived == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_fetches_of_one_file_at_once_all_succeed_and_the_file_is_asked_for_once(server, tmp_path):
    target, address = tmp_path / "file.txt", f"{server.address}/slow/file.txt"
    with ThreadPoolExecutor(4) as pool:
        places = list(pool.map(lambda _: fetch_file(address, target, **STATED, tries=3, pause=0.01), range(4)))
    assert places == [target] * 4
    assert target.read_bytes() == CONTENT
    assert server.asked == [("slow", "file.txt", 0)]
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_fetches_of_one_file_in_two_processes_both_succeed(server, tmp_path):
    lines = (
        "import sys; from analysis.corpora.transfer import fetch_file; fetch_file(*sys.argv[1:3], sha256=sys.argv[3])"
    )
    command = [sys.executable, "-c", lines, f"{server.address}/slow/file.txt", str(tmp_path / "file.txt")]
    running = [subprocess.Popen([*command, STATED["sha256"]], stderr=subprocess.PIPE) for _ in range(2)]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", 0)] * 2
    assert (tmp_path / "file.txt").read_bytes() == CONTENT


# -------------------------------------------------------------------------------------------------- the catalogue

CHATS = {f"Corpus/kid/k{number}.cha": b"@UTF8\n@Begin\n*MOT:\tlook %d .\n@End\n" % number for number in range(5)}
TREES = b"1\tLook\tlook\tVERB\t_\t_\t0\troot\t_\t_\n\n"
TRAIN = TREES * 2


def tarred(files: dict[str, bytes], path: Path) -> bytes:
    with tarfile.open(path, "w:xz") as archive:
        for name, content in files.items():
            (path.parent / "one").write_bytes(content)
            archive.add(path.parent / "one", name)
    return path.read_bytes()


@pytest.fixture
def toy(monkeypatch, tmp_path, server):
    """A catalogue of two small data sets; the server is their upstream under ``/good/``, and a mirror ``/mirror/``."""
    packed, archive = lzma.compress(TREES), tarred(CHATS, tmp_path / "archive")
    commit = "c0ffee"
    server.files |= {
        f"owner/trees/{commit}/toy-dev.conllu": TREES,
        f"owner/trees/{commit}/toy-train.conllu": TRAIN,
        **{f"owner/chats/{commit}/up%20stream/{name}": content for name, content in CHATS.items()},
    }

    def file(dataset, path, size, sha, repository, upstream, blob):
        return DataFile(dataset, path, size, sha, repository, commit, upstream, blob)

    dev = ("owner/trees", "toy-dev.conllu", blob_sha1(TREES))
    train = ("owner/trees", "toy-train.conllu", blob_sha1(TRAIN))
    files = [
        file("toy-trees", "ud/toy-dev.conllu.xz", len(packed), sha256(packed), *dev),
        file("toy-trees", "ud/toy-train.conllu", None, "", *train),
        file("toy-chats", "childes/Toy.tar.xz", len(archive), sha256(archive), "owner/chats", "up stream", ""),
    ]
    kinds = {"toy-trees": "fetch", "toy-chats": "fetch", "ccgbank": "supply", "penn-treebank": "supply"}
    sets = {
        name: Dataset(
            name, name.title(), "eng", "CC BY 4.0", "a note", ("K",), "A. Author.", "small", "toys", how,
            tuple(one for one in files if one.dataset == name),
        )
        for name, how in (kinds | {"nursery": "built in"}).items()
    }  # fmt: skip
    members = pd.DataFrame(
        [
            ["childes/Toy.tar.xz", name, "owner/chats", commit, f"up stream/{name}", blob_sha1(content), len(content)]
            for name, content in CHATS.items()
        ],
        columns=["archive", "member", "repository", "commit", "upstream_path", "git_blob_sha1", "size_bytes"],
    )
    module = sys.modules[Dataset.__module__]
    monkeypatch.setattr(module, "_datasets", lambda: sets)
    monkeypatch.setattr(module, "archive_members", lambda: members)
    monkeypatch.setattr(fetching, "archive_members", lambda: members)
    server.mirrored = {"ud/toy-dev.conllu.xz": packed, "childes/Toy.tar.xz": archive}
    server.base = f"{server.address}/good"
    return server


def test_upstream_files_come_as_they_are_and_are_found_again(toy, capsys):
    table = fetching.fetch(["toy-trees", "toy-chats", "nursery"], progress=False, base_url=toy.base, **QUICK)
    assert table["state"].tolist() == ["fetched", "fetched", "fetched", "built in"]
    assert [Path(place).read_bytes() for place in table["place"][:2]] == [TREES, TRAIN]
    folder = Path(table["place"][2])
    assert {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.cha")} == CHATS
    assert [path.name for path in locate("toy-trees", "*")] == ["toy-dev.conllu", "toy-train.conllu"]
    assert locate("toy-chats") == [folder]
    toy.asked.clear()
    again = fetching.fetch(["toy-trees", "toy-chats"], progress=False, base_url=toy.base)
    assert again["state"].tolist() == ["there already"] * 3
    assert not toy.asked
    assert fetching.check(["toy-trees", "toy-chats"])["state"].tolist() == ["ok"] * 3
    assert capsys.readouterr().err.count("licence CC BY 4.0 (a note).\nCite A. Author.") == 2  # once a data set


def test_the_three_examples_of_data_fetch_work(toy, monkeypatch):
    fetch = functools.partial(fetching.fetch, base_url=toy.base, **QUICK)
    monkeypatch.setattr(fetching, "fetch", fetch)
    text = CliRunner().invoke(main, ["data", "fetch", "--help"]).output
    found = re.findall(r"^ *yardstick (data fetch .+)$", text, re.MULTILINE)
    assert len(found) == 3
    for example in found:
        for real, small in (("manchester", "toy-chats"), ("nltk-brown", "toy-trees"), ("ud-english-ewt", "toy-trees")):
            example = example.replace(real, small)
        result = CliRunner().invoke(main, shlex.split(example))
        assert result.exit_code == 0 and "toy-" in result.stdout, result.output


def test_the_progress_bar_counts_files_and_bytes(toy, capsys):
    fetching.fetch("toy-chats", base_url=toy.base, **QUICK)
    assert "5/5 files" in capsys.readouterr().err


def test_a_folder_of_copies_is_asked_first_and_used_in_place(toy, monkeypatch, tmp_path):
    for path, content in toy.mirrored.items():
        (tmp_path / "mirror" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mirror" / path).write_bytes(content)
    monkeypatch.setenv("ANALYSIS_MIRROR", str(tmp_path / "mirror"))
    table = fetching.fetch(["toy-trees", "toy-chats"], progress=False, base_url=toy.base, **QUICK)
    assert table["state"].tolist() == ["on the mirror", "fetched", "on the mirror"]
    assert [path for _, path, _ in toy.asked] == ["owner/trees/c0ffee/toy-train.conllu"]
    (tmp_path / "mirror" / "ud" / "toy-dev.conllu.xz").write_bytes(b"altered")
    assert fetching.check("toy-trees")["state"].tolist() == ["altered", "ok"]
    assert fetching.fetch("toy-trees", progress=False, base_url=toy.base)["state"].tolist() == [
        "fetched",
        "there already",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_fetches_of_one_folder_at_once_all_succeed_and_each_file_is_asked_for_once(toy, tmp_path):
    def fetch(_):
        return fetching.fetch(["toy-chats", "toy-trees"], progress=False, base_url=toy.base, n_jobs=2, **QUICK)

    with ThreadPoolExecutor(3) as pool:
        tables = list(pool.map(fetch, range(3)))
    assert all((table["place"] == tables[0]["place"]).all() for table in tables)
    assert sorted(path for _, path, _ in toy.asked) == sorted(path for path in toy.files if "/" in path)
    assert fetching.check(["toy-trees", "toy-chats"])["state"].tolist() == ["ok"] * 3
    assert [path.name for path in (tmp_path / "cache" / "files" / "childes").iterdir()] == ["Toy"]


@pytest.mark.parametrize("how", ["good", "missing", "failing"])
def test_an_address_of_copies_is_asked_first_and_upstream_after_it(toy, monkeypatch, how):
    toy.files |= toy.mirrored
    monkeypatch.setenv("ANALYSIS_MIRROR", f"{toy.address}/{how}/")
    table = fetching.fetch(["toy-trees", "toy-chats"], progress=False, base_url=toy.base, n_jobs=1, **QUICK)
    assert toy.asked[0][:2] == (how, "ud/toy-dev.conllu.xz")
    names = ["toy-dev.conllu.xz", "toy-train.conllu", "Toy.tar.xz"]
    expected = names if how == "good" else ["toy-dev.conllu", "toy-train.conllu", "Toy"]
    assert [Path(place).name for place in table["place"]] == expected
    assert fetching.check(["toy-trees", "toy-chats"])["state"].tolist() == ["ok"] * 3


def test_an_altered_mirror_is_an_error_and_not_passed_over(toy, monkeypatch):
    toy.files |= {path: content + b"more" for path, content in toy.mirrored.items()}
    monkeypatch.setenv("ANALYSIS_MIRROR", f"{toy.address}/good")
    with pytest.raises(DataError, match=r"2 files were not fetched:\n.*more than the expected 92 b") as caught:
        fetching.fetch(["toy-trees", "toy-chats"], progress=False, base_url=toy.base, **QUICK)
    assert "Fetched files are kept; run the same command again to resume." in str(caught.value)


def with_one_byte_changed(content):
    return content[:-1] + bytes([content[-1] ^ 1])


def test_a_copy_of_the_right_size_with_one_byte_changed_is_no_copy(toy, monkeypatch, tmp_path):
    changed = {path: with_one_byte_changed(content) for path, content in toy.mirrored.items()}
    assert all(len(content) == len(toy.mirrored[path]) for path, content in changed.items())
    for path, content in changed.items():
        (tmp_path / "mirror" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mirror" / path).write_bytes(content)
    monkeypatch.setenv("ANALYSIS_MIRROR", str(tmp_path / "mirror"))
    assert fetching.check(["toy-trees", "toy-chats"])["state"].tolist() == ["altered", "missing", "altered"]
    table = fetching.fetch(["toy-trees", "toy-chats"], progress=False, base_url=toy.base, **QUICK)
    assert table["state"].tolist() == ["fetched"] * 3, "from upstream, not from the mirror"
    toy.files |= changed
    monkeypatch.setenv("ANALYSIS_MIRROR", f"{toy.address}/good")
    monkeypatch.setenv("ANALYSIS_CACHE", str(tmp_path / "another cache"))
    with pytest.raises(DataError, match=r"2 files were not fetched:\n.*SHA-256"):
        fetching.fetch(["toy-trees", "toy-chats"], progress=False, base_url=toy.base, **QUICK)


def test_a_folder_gets_its_name_only_when_all_files_are_in_it(toy, tmp_path):
    gone = "owner/chats/c0ffee/up%20stream/Corpus/kid/k3.cha"
    content = toy.files.pop(gone)
    with pytest.raises(DataError, match=r"1 file was not fetched:\n.*k3.cha: the server answers 404"):
        fetching.fetch("toy-chats", progress=False, base_url=toy.base, **QUICK)
    folder = tmp_path / "cache" / "files" / "childes"
    assert [path.name for path in folder.iterdir()] == ["Toy.part"]
    assert fetching.check("toy-chats")["state"].tolist() == ["missing"]
    toy.files[gone] = content
    toy.asked.clear()
    fetching.fetch("toy-chats", progress=False, base_url=toy.base, **QUICK)
    assert [path for _, path, _ in toy.asked] == [gone]
    assert [path.name for path in folder.iterdir()] == ["Toy"]


def test_what_was_altered_in_the_cache_is_found_and_fetched_again(toy, tmp_path):
    fetching.fetch(["toy-trees", "toy-chats"], progress=False, base_url=toy.base, **QUICK)
    files = tmp_path / "cache" / "files"
    (files / "ud" / "toy-dev.conllu").write_bytes(TREES[:-1] + b"x")
    (files / "ud" / "toy-dev.conllu.xz").write_bytes(b"left over")
    member = files / "childes" / "Toy" / "Corpus" / "kid" / "k2.cha"
    member.write_bytes(member.read_bytes().replace(b"look", b"LOOK"))
    found = fetching.check(["toy-trees", "toy-chats"]).set_index("path")
    assert found["state"].tolist() == ["altered", "ok", "altered"]
    assert (
        "1 of 5 files are not right: Corpus/kid/k2.cha has the git blob SHA-1"
        in found.loc["childes/Toy.tar.xz", "detail"]
    )
    toy.asked.clear()
    fetching.fetch(["toy-trees", "toy-chats"], progress=False, base_url=toy.base, **QUICK)
    assert sorted(path.split("/")[-1] for _, path, _ in toy.asked) == ["k2.cha", "toy-dev.conllu"]
    assert fetching.check(["toy-trees", "toy-chats"])["state"].tolist() == ["ok"] * 3
    assert [path.read_bytes() for path in locate("toy-trees", "*dev*")] == [TREES]


def test_a_copy_on_the_mirror_with_one_byte_changed_is_altered(toy, tmp_path, monkeypatch):
    fetching.fetch("toy-trees", progress=False, base_url=toy.base, **QUICK)
    copies = tmp_path / "copies"
    (tmp_path / "cache" / "files").rename(copies)
    monkeypatch.setenv("ANALYSIS_MIRROR", str(copies))
    found = fetching.check("toy-trees")
    assert set(found["state"]) == {"ok"}
    place = Path(found["place"].iloc[0])
    content = bytearray(place.read_bytes())
    content[3] ^= 1
    place.write_bytes(content)
    found = fetching.check("toy-trees").set_index("place").loc[str(place)]
    assert found["state"] == "altered" and "SHA-1" in found["detail"]


def test_a_licence_that_is_not_accepted_ends_the_fetching(toy):
    asked = []
    with pytest.raises(DataError, match=r"its licence \(CC BY 4.0\) was not accepted"):
        fetching.fetch("toy-trees", base_url=toy.base, accept_licence=lambda data: asked.append(data.name) or False)
    assert not toy.asked
    for _ in range(2):
        fetching.fetch(
            "toy-trees", progress=False, base_url=toy.base, accept_licence=lambda data: asked.append(data.name) or True
        )
    assert asked == ["toy-trees", "toy-trees"]  # refused, accepted, not asked again


def test_what_only_licence_holders_have_is_not_fetched(toy):
    with pytest.raises(DataError, match=r"ccgbank cannot be fetched: a note.[^$]*data add ccgbank PATH"):
        fetching.fetch(["toy-trees", "ccgbank"], base_url=toy.base)
    with pytest.raises(DataError, match="did you mean toy-trees"):
        fetching.fetch("toy-tree", base_url=toy.base)
    assert not toy.asked


def test_members_of_the_real_catalogue_have_addresses_at_their_commits():
    file = next(one for one in fetching.dataset("manchester").files if one.is_archive)
    members = fetching._members(file, Path("folder"), fetching.UPSTREAM)
    assert len(members) == 805  # 804 recordings and 0metadata.cdc
    assert all(
        one.address.startswith(f"https://raw.githubusercontent.com/{file.repository}/{file.commit}/") for one in members
    )
    assert all(len(one.blob_sha1) == 40 and one.size for one in members)
    folder = next(iter(fetching.dataset("ud-danish-ddt").files))
    assert fetching._address(folder.repository, folder.commit, folder.upstream_path, "http://x") == (
        folder.upstream_address.replace("https://raw.githubusercontent.com", "http://x")
    )


# -------------------------------------------------------------------------------------------- what the reader has


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


AUTO = b"ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1\n(<L N NN NN look N>)\n"
SECTIONS = [f"{section:02d}/wsj_{section:02d}01" for section in range(25)]


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        (CHATS, "chat"),
        ({f"{name}.auto": AUTO for name in SECTIONS}, "ccgbank"),
        ({f"{name}.mrg": b"\n( (S (VP (VB Look))))\n" for name in SECTIONS}, "penn treebank"),
        ({"a.conllu": b"# text = Look\n" + TREES, "README": b"hello"}, "conllu"),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_corpus_that_the_reader_has_is_recognised_and_remembered(toy, tmp_path, files, kind, zipped):
    path = write(tmp_path / "mine", files)
    if zipped:
        path = tmp_path / "mine.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
    entry = fetching.add("my-corpus", path)
    assert (entry.kind, entry.files, entry.path) == (kind, len(files) - ("README" in files), str(path))
    assert fetching.added() == {"my-corpus": entry}
    assert fetching.check("my-corpus")["state"].tolist() == ["ok"]
    assert fetching.status().set_index("name").loc["my-corpus", "where"] == "added"
    path.rename(tmp_path / "elsewhere")
    assert fetching.check()["state"].tolist() == ["missing"] * 4


def test_an_added_corpus_that_lost_a_file_is_altered(toy, tmp_path):
    path = write(tmp_path / "mine", CHATS)
    fetching.add("mine", path)
    (path / "Corpus" / "kid" / "k1.cha").unlink()
    assert fetching.check("mine")["detail"].tolist() == ["has 4 files, not 5"]


def test_a_licensed_corpus_must_have_all_its_sections(toy, tmp_path):
    whole = {f"{name}.auto": AUTO for name in SECTIONS}
    assert fetching.add("ccgbank", write(tmp_path / "whole", whole)).kind == "ccgbank"
    assert fetching.status().set_index("name").loc["ccgbank", "where"] == "added"
    part = {name: content for name, content in whole.items() if not name.startswith(("03", "24"))}
    with pytest.raises(DataError, match=r"lacks sections 03, 24; expected files wsj_0000 to wsj_2499"):
        fetching.add("ccgbank", write(tmp_path / "part", part))
    with pytest.raises(DataError, match=r"no file that ends in \.mrg"):
        fetching.add("penn-treebank", tmp_path / "whole")


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        (
            "mine",
            {"a.cha": b"Look at this"},
            r"a\.cha, line 1: it has other content; expected CHAT, which begins with @UTF8",
        ),
        ("mine", {"a.cha": PAGE}, "it has other content"),
        ("mine", {"a.conllu": b"1\tLook\n"}, "expected CoNLL-U of 10 columns"),
        ("mine", {"a.txt": b"hello"}, r"has no file that ends in \.auto or \.cha or \.conllu or \.mrg"),
        ("toy-trees", CHATS, "choose another name"),
        ("no name", CHATS, "is not a name for a corpus"),
    ],
)
def test_what_does_not_look_like_a_corpus_is_not_added(toy, tmp_path, name, files, said):
    with pytest.raises(DataError, match=said):
        fetching.add(name, write(tmp_path / "mine", files))
    with pytest.raises(DataError, match="no file or folder at this path"):
        fetching.add("other", tmp_path / "nothing")
    assert fetching.added() == {}


def test_a_damaged_list_of_added_corpora_is_named(toy, tmp_path):
    write(fetching.user_data_folder(), {"added.json": b"{"})
    with pytest.raises(DataError, match=r"added\.json: is not JSON"):
        fetching.added()


# -------------------------------------------------------------------------------------------------- the commands


def test_the_commands_list_fetch_add_and_check(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "UPSTREAM", toy.base)
    monkeypatch.setattr(fetching, "raw_address", lambda *parts: f"{toy.base}/{'/'.join(parts)}".replace(" ", "%20"))
    run = lambda *words: CliRunner().invoke(main, ["data", *words])  # noqa: E731
    listed = run("list").output
    assert listed.split("\n")[0].split() == ["name", "language", "licence", "size", "where"]
    assert "toy-trees" in listed
    assert run("list", "--format", "csv").output.split("\n")[1] == "toy-trees,eng,CC BY 4.0,small,to be fetched"
    fetched = run("fetch", "toy-trees", "toy-chats", "--quiet", "--n-jobs", "2")
    assert fetched.exit_code == 0, fetched.output
    assert "toy-trees: fetched, 2 files\ntoy-chats: fetched, 1 file\n" in fetched.output
    added = run("add", "mine", str(write(tmp_path / "mine", CHATS)))
    assert added.output.startswith("mine: 5 files of kind chat in ")
    assert run("check").output == "4 ok, 0 missing, 0 altered\n"
    (tmp_path / "cache" / "files" / "ud" / "toy-train.conllu").write_bytes(b"")
    checked = run("check", "toy-trees")
    assert checked.exit_code == 2
    assert "toy-trees: ud/toy-train.conllu is altered" in checked.output
    wrong = run("fetch", "toy-tree")
    assert wrong.exit_code == 2
    assert wrong.output.startswith("Error: there is no data set 'toy-tree'")
    assert json.loads((tmp_path / "cache" / "licences_shown.json").read_text("utf-8")) == {
        "toy-chats": "CC BY 4.0",
        "toy-trees": "CC BY 4.0",
    }
