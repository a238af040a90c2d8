"""Vector pass of the Bayesian HMM, written as LLVM instructions that are compiled for the processor.

Speed in million tokens per second of a sweep over 200,000 tokens (`benchmarks.bayesian_hmm.generated`), the fastest of
30, on one of two busy cores with AVX-512: as implemented, with `row_of_weights` as an equivalent loop in numba, and
without `prefetch`.

==========  ======  ======  ===========
order, K    as is   loop    no prefetch
==========  ======  ======  ===========
trigram 12  11.3    5.0     5.3
trigram 45  6.3     3.2     4.4
trigram 80  4.0     2.1     2.5
bigram 12   14.1    6.1     7.3
bigram 45   8.5     4.4     5.5
bigram 80   7.4     2.9     5.7
==========  ======  ======  ===========
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN201
from typing import Any

from analysis.structures.compiled import compiler

cgutils, types = compiler("numba.core.cgutils"), compiler("numba.core.types")
ir, intrinsic = compiler("llvmlite.ir"), compiler("numba.extending").intrinsic

LANES = 8

_I32, _I64 = ir.IntType(32), ir.IntType(64)


@intrinsic
def pointer(typingctx, array):
    """Return the address of an array's data: indexed like the array, without reference counts and negative indices."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), codegen


@intrinsic
def prefetch(typingctx, array, index):
    """Prefetch the cache line of an element that is needed soon."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.gep(args[0], [args[1]])
        kind = ir.FunctionType(ir.VoidType(), [place.type, _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [place, ir.Constant(_I32, 0), ir.Constant(_I32, 3), ir.Constant(_I32, 1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


@intrinsic
def row_of_weights(typingctx, cells, rows, inverses, inverse_starts, present, out, blocks):
    """Fill ``out`` with the weight of each tag, and return their sum, computed pairwise from ``LANES`` partial sums.

    A weight is the product of (count + prior) over the rows of ``cells`` (two tuples: their starts and priors), times
    the rows of ``inverses`` at ``inverse_starts``; for the tag ``present[0]`` it is ``present[1]``.
    """
    starts, priors = (types.UniTuple(kind, len(rows[0])) for kind in (types.int64, types.float64))
    places, here = types.UniTuple(types.int64, len(inverse_starts)), types.Tuple((types.int64, types.float64))
    kinds = cells, types.Tuple((starts, priors)), inverses, places, here, out, types.int64
    return types.float64(*kinds), _row


def _row(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    doubles, integers, indices = (ir.VectorType(kind, LANES) for kind in (ir.DoubleType(), _I32, _I64))
    cells, rows, inverses, inverse_starts, present, out, blocks = args

    def splat(value: Any, vector: Any) -> Any:
        single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(_I32, 0))
        return builder.shuffle_vector(
            single, ir.Constant(vector, ir.Undefined), ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES)
        )

    def place(base: Any, index: Any, vector: Any) -> Any:
        return builder.bitcast(builder.gep(base, [index]), vector.as_pointer())

    starts, priors = (cgutils.unpack_tuple(builder, part) for part in cgutils.unpack_tuple(builder, rows))
    rows = [(start, splat(prior, doubles)) for start, prior in zip(starts, priors, strict=True)]
    old, weight = cgutils.unpack_tuple(builder, present)
    old, weight = splat(old, indices), splat(weight, doubles)
    lanes = ir.Constant(indices, list(range(LANES)))
    sums = cgutils.alloca_once_value(builder, ir.Constant(doubles, [0.0] * LANES))
    with cgutils.for_range(builder, blocks) as loop:
        base = builder.mul(loop.index, ir.Constant(_I64, LANES))
        product = None
        for start, prior in rows:
            loaded = builder.load(place(cells, builder.add(start, base), integers), align=4)
            factor = builder.fadd(builder.sitofp(loaded, doubles), prior)
            product = factor if product is None else builder.fmul(product, factor)
        for start in cgutils.unpack_tuple(builder, inverse_starts):
            loaded = builder.load(place(inverses, builder.add(start, base), doubles), align=8)
            product = builder.fmul(product, loaded)
        here = builder.icmp_signed("==", builder.add(lanes, splat(base, indices)), old)
        product = builder.select(here, weight, product)
        builder.store(product, place(out, base, doubles), align=8)
        builder.store(builder.fadd(builder.load(sums), product), sums)
    return _pairwise(builder, builder.load(sums))


def _pairwise(builder: Any, vector: Any) -> Any:
    """Sum the lanes of a vector pairwise, in a fixed order."""
    width = LANES
    while width > 1:
        width //= 2
        halves = [
            builder.shuffle_vector(
                vector,
                ir.Constant(vector.type, ir.Undefined),
                ir.Constant(ir.VectorType(_I32, width), list(range(start, start + width))),
            )
            for start in (0, width)
        ]
        vector = builder.fadd(*halves)
    return builder.extract_element(vector, ir.Constant(_I32, 0))
