import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from tornado.web import HTTPError
from traitlets import TraitError
from traitlets.config import Config

from analysis.report.dashboard_kernels import LimitedKernels


def test_a_visitor_beyond_the_limit_is_refused_until_another_has_left():
    async def visits():
        kernels = LimitedKernels(config=Config(LimitedKernels={"limit": 1}))
        began = await asyncio.gather(
            *(kernels.start_kernel(kernel_name="python3") for _ in range(3)), return_exceptions=True
        )
        (first,) = (one for one in began if isinstance(one, str))
        refused = [one for one in began if isinstance(one, HTTPError)]
        assert [one.status_code for one in refused] == [503, 503]
        assert "All 1 places are taken" in str(refused[0])
        await kernels.shutdown_kernel(first, now=True)
        later = await kernels.start_kernel(kernel_name="python3")
        await kernels.shutdown_kernel(later, now=True)
        assert kernels.list_kernel_ids() == []

    # A thread of its own: an event loop of a browser's tests may run in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, visits()).result()


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_is_at_least_one(limit):
    with pytest.raises(TraitError, match="limit"):
        LimitedKernels(limit=limit)
