"""Files that commands read and write: systems of several runs, and outputs that must not replace what is read."""

import os
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from analysis.commands.base import Problem, Written

FIGURES = (".svg", ".pdf", ".png")


class FileCommand(click.Command):
    """A command that reads and writes files: refuses, before it computes, an output that would replace an input."""

    def invoke(self, ctx: click.Context) -> Any:
        """Check the files that are to be written, then run the command."""
        check_outputs(ctx)
        return super().invoke(ctx)


def check_outputs(ctx: click.Context) -> None:
    """Refuse files that cannot be written, that two options name, or that the command reads.

    Raises
    ------
    Problem
        Before anything is computed.
    """
    from analysis.corpora.opening import check_folder
    from analysis.structures import DataError

    read: list[str] = []
    written: list[tuple[str, str]] = []
    for parameter in ctx.command.params:
        value = ctx.params.get(str(parameter.name))
        if not isinstance(parameter.type, click.Path) or not value:
            continue
        own = [value] if isinstance(value, str) else list(value)
        if isinstance(parameter.type, Written):
            written += [(max(parameter.opts, key=len), name) for name in own if name != "-"]
            if "-" in own and not parameter.type.allow_dash:
                raise Problem(f"{max(parameter.opts, key=len)} names a file; it cannot be standard output.")
        else:
            read += [file for name in own for file in files_of(name)]
    for option, name in written:
        try:
            check_folder(name)
        except DataError as error:
            raise Problem(str(error)) from None
        if not Path(name).exists() and not os.access(Path(name).parent, os.W_OK):
            raise Problem(f"{name}: nothing can be written into {Path(name).parent}; name another file for {option}.")
        if Path(name).exists() and not os.access(name, os.W_OK):
            raise Problem(f"{name}: it is write-protected; name another file for {option}.")
        for other in read:
            if _would_replace(name, other):
                raise Problem(f"{option} {name} would replace {other}, which is read; name another file.")
    for (first, name), (second, other) in combinations(written, 2):
        if _would_replace(name, other):
            raise Problem(f"{first} and {second} name the same file, {name}; name two.")


def _would_replace(written: str, other: str) -> bool:
    """Whether a path that is written is a file, or an archive or folder with it, that is also named elsewhere."""
    target = Path(written)
    if target.exists() and not target.is_file():  # /dev/null, a pipe: nothing is replaced
        return False
    place = Path(other)
    while not place.exists() and place != place.parent:  # corpus.zip/a.conllu is read from corpus.zip
        if _same(target, place):
            return True
        place = place.parent
    if place.is_dir():
        inside = target.exists() and Path(os.path.realpath(place)) in Path(os.path.realpath(target)).parents
        return inside and place == Path(other)
    return _same(target, place)


def _same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def files_of(argument: str) -> Iterator[str]:
    """The files that an argument names, as `systems_of` reads it; never an error."""
    _, sign, files = argument.partition("=")
    if sign and not Path(argument).exists():
        yield from (name for name in _divided(files) if name)
    else:
        yield argument


def systems_of(arguments: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Files by system: an argument is a file, or ``NAME=FILE,FILE`` with the runs of one system.

    A file that has such a name is taken as the file. Names of files may have commas: pieces that are only together the
    name of a file are one name.

    Raises
    ------
    DataError
        If a system is named twice.
    Problem
        If a name or a file is missing.

    Examples
    --------
    >>> systems_of(["base.txt", "mine=seed1.txt,seed2.txt"])
    {'base.txt': ('base.txt',), 'mine': ('seed1.txt', 'seed2.txt')}
    """
    from analysis.evaluation.incidents import check_systems

    pairs: list[tuple[str, tuple[str, ...]]] = []
    for argument in arguments:
        name, sign, files = argument.partition("=")
        if not sign or Path(argument).exists():
            pairs.append((argument, (argument,)))
            continue
        runs = _divided(files)
        if not name.strip() or not all(runs):
            raise Problem(f"a system is FILE or NAME=FILE,FILE, not {argument!r}.")
        if name != " ".join(name.split()) or not name.isprintable():
            raise Problem(f"the name of a system is one line without tabs, not {name!r}.")
        pairs.append((name, runs))
    check_systems(name for name, _ in pairs)
    check_systems(file for _, files in pairs for file in files)
    return dict(pairs)


def _divided(files: str) -> tuple[str, ...]:
    """Names divided by commas; pieces that are only together the name of a file are one name."""
    pieces = files.split(",")
    if len(pieces) == 1 or all(_is_there(piece) for piece in pieces):
        return tuple(pieces)
    found: list[str] = []
    at = 0
    while at < len(pieces):
        ends = [end for end in range(at + 1, len(pieces) + 1) if _is_there(",".join(pieces[at:end]))]
        end = ends[0] if ends else at + 1
        found.append(",".join(pieces[at:end]))
        at = end
    return tuple(found)


def _is_there(name: str) -> bool:
    return bool(name) and (name == "-" or Path(name).exists())
