"""Asks the service something cheap where nobody else does: when a pause is over, and for as long as nothing answers."""

from __future__ import annotations

import asyncio

from petstore_desktop.api.client import Client
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import Link, RequestClass
from petstore_desktop.sync.shared.connectivity import LinkWatch, came_to_nothing


class Prober:
    """At most one question at a time. A read, because of a write that is cut off nobody knows whether it was done; how
    long after a failure, the gate knows."""

    def __init__(self, client: Client, link: LinkWatch) -> None:
        self._client = client
        self._link = link
        self._task: asyncio.Task[None] | None = None

    def ask(self) -> None:
        """Ask, if nobody does."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._ask())

    def close(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()

    async def _ask(self) -> None:
        while True:
            retry = self._link.link is Link.OFFLINE
            try:
                await self._client.probe(RequestClass.CHANGES, retry=retry)
            except ShopError as error:
                self._link.failed(error)
                if not came_to_nothing(error):
                    return
            else:
                self._link.answered()
            if self._link.link is not Link.OFFLINE:
                return
