"""A command that is killed while it writes leaves the old file or none."""

import json
import os
import subprocess
import sys

import pytest

from analysis.corpora import read_corpus, write_plain
from analysis.corpora.exporting import write_generated

TRAIN = "walk\twalked\tV;PST\ntalk\ttalked\tV;PST\nsing\tsang\tV;PST\n"
COMMANDS = {
    "evaluate tags gold.conllu gold.conllu --output a.csv --format csv": "a.csv",
    "evaluate trees gold.conllu gold.conllu --output a.html --format html": "a.html",
    "evaluate ccg gold.auto gold.auto --output a.json --format json": "a.json",
    "evaluate tags gold.conllu gold.conllu --plot a.svg": "a.svg",
    "evaluate tags gold.conllu gold.conllu --list costliest --output a.txt": "a.txt",
    "evaluate tags gold.conllu bad.conllu --incidents a.csv": "a.csv",
    "cluster text.txt --model brown --classes 5 --format paths --output a.out --quiet": "a.out",
    "cluster text.txt --model brown --classes 5 --format conllu --output a.out --quiet": "a.out",
    "cluster text.txt --model brown --classes 5 --format tags --output a.xz --quiet": "a.xz",
    "cluster text.txt --model bhmm --classes 5 --set sweeps=2 --output b --save-model a.model --quiet": "a.model",
    "parse gold.conllu --model right --output a.conllu --plot b.svg --quiet": "a.conllu",
    "inflect items.tsv --train train.tsv --output a.tsv --quiet": "a.tsv",
    "derive gold.conllu --train gold.auto --output a.auto --quiet": "a.auto",
    "data generate --utterances 50 --format auto --output a.auto": "a.auto",
    "data generate --utterances 50 --format chat --output a.cha": "a.cha",
    "systems --write a.md": "a.md",
}
OLD = b"<!-- systems: begin -->\n<!-- systems: end -->\n"
#: Runs each command in a child that the system ends in the middle of the file, or that ends before the renaming.
KILLED = """
import json, os, resource, shlex, signal, sys
from pathlib import Path
from click.testing import CliRunner
from analysis.__main__ import main

commands, old = json.loads(sys.argv[1]), sys.argv[2].encode()

def end(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def in_the_middle(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2))

def before_the_renaming(size):
    Path.replace = end

for words, name in commands.items():
    file = Path(name)
    if name == "a.md":
        file.write_bytes(old)
    done = CliRunner().invoke(main, shlex.split(words))
    assert done.exit_code == 0, (words, done.output, done.exception)
    whole = file.read_bytes()
    for ending in (in_the_middle, before_the_renaming):
        for before in (old, None):
            if before is None and (name == "a.md" or ending is before_the_renaming):
                continue
            for path in Path().glob(".*.part*"):
                path.unlink()
            file.unlink(missing_ok=True)
            if before is not None:
                file.write_bytes(before)
            child = os.fork()
            if not child:
                ending(len(whole))
                CliRunner().invoke(main, shlex.split(words))
                os._exit(0)
            status = os.waitpid(child, 0)[1]
            parts = [path.stat().st_size for path in Path().glob(f".{name}.*.part*")]
            left = file.read_bytes().decode("latin-1") if file.exists() else None
            print(json.dumps([words, ending.__name__, before is not None, os.WIFSIGNALED(status), left, parts,
                              len(whole)]))
    file.unlink(missing_ok=True)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="forks, and limits the size of files")
def test_a_command_killed_while_it_writes_leaves_the_old_file_or_none(tmp_path):
    for kind in ("conllu", "auto"):
        write_generated(40, tmp_path / f"gold.{kind}", kind)
    write_plain(read_corpus(tmp_path / "gold.conllu").tokens, tmp_path / "text.txt")
    text = (tmp_path / "gold.conllu").read_text(encoding="utf-8")
    (tmp_path / "bad.conllu").write_text(text.replace("\t1\t", "\t99\t", 1), encoding="utf-8")
    (tmp_path / "train.tsv").write_text(TRAIN, encoding="utf-8")
    (tmp_path / "items.tsv").write_text("stalk\tV;PST\nring\tV;PST\n", encoding="utf-8")
    command = [sys.executable, "-c", KILLED, json.dumps(COMMANDS), OLD.decode()]
    environment = os.environ | {"ANALYSIS_NO_CACHE": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {words for words, *_ in found} == set(COMMANDS)
    for words, ending, was_there, killed, left, parts, size in found:
        assert killed, f"{words}: not killed {ending}"
        assert left == (OLD.decode() if was_there else None), f"{words}: another file is left, killed {ending}"
        if ending == "in_the_middle":
            assert parts == [size // 2], f"{words}: it was not in the middle of the file"
        else:
            (part,) = parts
            assert abs(part - size) < 0.01 * size, f"{words}: the file was not whole before it was renamed"
