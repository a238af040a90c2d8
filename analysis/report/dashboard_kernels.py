"""A limit on the number of kernels that a dashboard runs at a time. Only Voilà imports this module."""

from typing import Any

from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets import Integer


class LimitedKernels(AsyncMappingKernelManager):
    """Kernels of a dashboard's visitors, at most so many at a time; a further visitor is told to come back later.

    Parameters
    ----------
    limit : int
        Set on the command line of Voilà: ``--LimitedKernels.limit=20``.
    """

    limit = Integer(20, min=1, config=True, help="Most kernels at a time.")
    starting = 0  # kernels that are being started

    async def start_kernel(self, **arguments: Any) -> str:
        """Start a kernel, unless there are too many.

        Raises
        ------
        tornado.web.HTTPError
            With the status 503, if there are.
        """
        if len(self.list_kernel_ids()) + self.starting >= self.limit:
            said = f"All {self.limit} places are taken; try again in a few minutes"
            raise HTTPError(503, said, reason=said)
        self.starting += 1
        try:
            return str(await super().start_kernel(**arguments))
        finally:
            self.starting -= 1
