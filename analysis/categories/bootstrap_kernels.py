"""Matching resampled tables greedily, in numba: imported only where it is asked for."""

from numba import njit


@njit("void(int64[:, ::1], int32[:, ::1], int64[::1], int64[::1], boolean[::1], boolean[::1], int64[::1])", cache=True)
def greedy_totals(order, counts, rows, columns, row_free, column_free, totals):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Write the tokens of the cells that a greedy matching takes in each table.

    `order` and `counts` have one table a row; `order` holds the cells by falling count, the first of equal ones first.
    `row_free` and `column_free` are room to work in.
    """
    for table in range(order.shape[0]):
        row_free[:] = True
        column_free[:] = True
        total = 0
        for cell in order[table]:
            if row_free[rows[cell]] and column_free[columns[cell]]:
                row_free[rows[cell]] = column_free[columns[cell]] = False
                total += counts[table, cell]
        totals[table] = total
