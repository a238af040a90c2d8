"""Export corpora: tokens tables as text or Parquet, and the built-in language in any format, streamed."""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.corpora.conll import write_conllu
from analysis.corpora.language import Generated, generate_blocks, to_auto, to_chat
from analysis.corpora.language.export import NOTICE
from analysis.corpora.opening import open_text, written_whole
from analysis.corpora.writing import opened_for_writing
from analysis.structures import DataError, Incident, check_tokens


def write_tokens(tokens: pd.DataFrame | Iterable[pd.DataFrame], file: str | PathLike) -> int:
    """Write a tokens table: tab-separated text with a header line, or Parquet if the file name ends in ``.parquet``.

    Parameters
    ----------
    tokens : DataFrame or iterable of DataFrame
        The tables of an iterable are written one by one, with constant memory; all must have the same columns.
    file : path
        Written atomically; text is compressed if the name ends in .xz or .gz.

    Returns
    -------
    int
        Number of tokens written.

    Raises
    ------
    ValueError
        If a table is not a tokens table, or a cell contains a tab, a line end or a NUL, which cannot be written as
        text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "look.tsv"
    ...     write_tokens(pd.DataFrame({"sentence": [0, 0], "form": ["look", "NA"]}), path)
    ...     read_tokens(path)["form"].tolist()
    2
    ['look', 'NA']
    """
    tables = [tokens] if isinstance(tokens, pd.DataFrame) else tokens
    with written_whole(file) as part:
        if Path(file).suffix == ".parquet":
            return _to_parquet(tables, part)
        count = 0
        with opened_for_writing(part) as out:
            for table in tables:
                check_tokens(table)
                _refuse_breaks(table)
                out.write("" if count else "\t".join(map(str, table.columns)) + "\n")
                for row in table.astype("str").itertuples(index=False):
                    out.write("\t".join(row) + "\n")
                count += len(table)
        return count


def read_tokens(file: str | PathLike) -> pd.DataFrame:
    """Read what `write_tokens` wrote; words such as ``NA`` stay words.

    Raises
    ------
    DataError
        If a line has more or fewer cells than the header, or the columns ``sentence`` and ``form`` are absent.
    """
    path = Path(file)
    if path.suffix == ".parquet":
        table = pd.read_parquet(path)
    else:
        lines = open_text(path).lines()
        header = lines[0].split("\t")
        cells = []
        for number, line in enumerate(lines[1:], start=2):
            row = line.split("\t")
            if line.strip() and len(row) != len(header):
                found = f"{len(row)} cells"
                raise DataError(Incident(path.name, number, "cells", found, line, f"{len(header)}"))
            cells += [row] if line.strip() else []
        table = pd.DataFrame(cells, columns=header, dtype="str")
        for column in {"sentence", "position", "head"} & set(header):
            table[column] = _whole_numbers(table[column], path.name)
    check_tokens(table, what=path.name)
    return table


def _whole_numbers(column: pd.Series, name: str) -> pd.Series:
    try:
        return column.astype("int64")
    except (ValueError, OverflowError) as error:
        raise DataError(Incident(name, 0, "number", f"{column.name} is not a whole number: {error}")) from None


def _to_parquet(tables: Iterable[pd.DataFrame], path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    count, writer = 0, None
    try:
        for table in tables:
            check_tokens(table)
            plain = {name: "str" for name in table.columns if isinstance(table[name].dtype, pd.CategoricalDtype)}
            data = pa.Table.from_pandas(table.astype(plain), preserve_index=False)
            writer = writer or pq.ParquetWriter(path, data.schema, compression="zstd")
            writer.write_table(data.cast(writer.schema))
            count += len(table)
    finally:
        if writer is not None:
            writer.close()
    return count


def _refuse_breaks(table: pd.DataFrame) -> None:
    for name in table.columns:
        values = table[name]
        if not pd.api.types.is_numeric_dtype(values.dtype):
            broken = values.astype("str").str.contains(r"[\t\r\n\x00]", regex=True)
            if broken.any():
                row = int(broken.to_numpy().argmax())
                raise ValueError(f"row {row}: {name} is {values.iloc[row]!r}; write a .parquet file to keep it.")


def _conllu(blocks: Iterable[Generated], path: Path) -> int:
    count = 0
    with opened_for_writing(path) as out:
        out.write(f"# {NOTICE}\n")
        for block in blocks:
            write_conllu(block.tokens, out)
            count += int(block.tokens["sentence"].nunique())
    return count


def _tokens(blocks: Iterable[Generated], path: Path) -> int:
    count = 0

    def tables() -> Iterator[pd.DataFrame]:
        nonlocal count
        for block in blocks:
            count += int(block.tokens["sentence"].nunique())
            yield block.tokens

    write_tokens(tables(), path)
    return count


def _compressible(write: Callable[[Iterable[Generated], Path], int]) -> Callable[[Iterable[Generated], Path], int]:
    """Wrap a writer of plain text so that the output is compressed if the file name ends in .xz or .gz."""

    def writing(blocks: Iterable[Generated], path: Path) -> int:
        if path.suffix not in (".xz", ".gz"):
            return write(blocks, path)
        plain = path.with_suffix("")
        try:
            count = write(blocks, plain)
            with plain.open(encoding="utf-8", newline="") as text, opened_for_writing(path) as out:
                shutil.copyfileobj(text, out)
        finally:
            plain.unlink(missing_ok=True)
        return count

    return writing


#: Formats of `write_generated`: each writes blocks one by one and returns the number of utterances.
FORMATS: Mapping[str, Callable[[Iterable[Generated], Path], int]] = {
    "auto": _compressible(to_auto),
    "chat": _compressible(to_chat),
    "conllu": _conllu,
    "tokens": _tokens,
}


def write_generated(
    utterances: int, file: str | PathLike, format: str = "conllu", *, random_state: Any = 0, **choices: Any
) -> int:
    """Draw utterances of the built-in language and write them to a file, with constant memory.

    Parameters
    ----------
    utterances : int
    file : path
        Written atomically. ``tokens`` are Parquet if the name ends in ``.parquet``, else tab-separated text. Text is
        compressed if the name ends in .xz or .gz.
    format : {"conllu", "auto", "chat", "tokens"}
    random_state : None, int or Generator
    **choices
        ``mean_length``, ``word_types``, ``longest`` and ``n_jobs`` of `analysis.corpora.language.generate_blocks`.

    Returns
    -------
    int
        Number of utterances written.

    Raises
    ------
    ValueError
        If the format is unknown or a choice is not possible.
    """
    if format not in FORMATS:
        raise ValueError(f"format is one of {', '.join(FORMATS)}, not {format!r}.")
    blocks = iter(generate_blocks(utterances, random_state, **choices))
    first = next(blocks)  # impossible choices are detected before anything is written
    with written_whole(file) as part:
        return FORMATS[format](chain([first], blocks), part)
