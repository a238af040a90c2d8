"""Greedy matching of resampled tables in numba; imported on demand."""

from analysis.structures.compiled import njit


@njit("void(int64[:, ::1], int64[::1], int64[::1], boolean[::1], boolean[::1], int64[::1])", cache=True)
def greedy_totals(keys, rows, columns, row_free, column_free, totals):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Compute the number of tokens in the cells of a greedy matching, for each table.

    `keys` has one table per row, in ascending order. The key of cell c is tokens * cells + (cells - 1 - c), so that the
    largest comes last, and of equal ones the first. `row_free` and `column_free` are work arrays.
    """
    cells = keys.shape[1]
    for table in range(keys.shape[0]):
        row_free[:] = True
        column_free[:] = True
        left = min(row_free.size, column_free.size)
        total = 0
        for place in range(cells - 1, -1, -1):
            key = keys[table, place]
            if key < cells or left == 0:  # empty cells, or no rows or columns left to match
                break
            cell = cells - 1 - key % cells
            if row_free[rows[cell]] and column_free[columns[cell]]:
                row_free[rows[cell]] = column_free[columns[cell]] = False
                total += key // cells
                left -= 1
        totals[table] = total
