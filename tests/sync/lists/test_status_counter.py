"""The service's own count by status: what says nothing about it does not end the asking."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from petstore_desktop.domain.errors import Interrupted, RateLimited, ServiceFailed, ShopError, Unreachable
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.sync.lists.status_counter import StatusCounter


@pytest.mark.parametrize(
    ("error", "goes_on"),
    [
        (Interrupted(why="broken"), True),
        (Unreachable(), True),
        (RateLimited(status=429), True),
        (ServiceFailed(status=500), False),
    ],
)
def test_a_count_that_was_cut_off_is_asked_for_with_the_next_reading(error: ShopError, *, goes_on: bool) -> None:
    """A line that broke within the count ended it until a person read the pets anew."""

    async def count(_: object) -> None:
        raise error

    context: Any = SimpleNamespace(client=SimpleNamespace(count_by_status=count), contract=SimpleNamespace(counts=True))
    mirror: Any = None
    counter = StatusCounter(context, mirror)

    async def once() -> None:
        counter.ask(RequestClass.BACKGROUND)
        task = asyncio.ensure_future(counter.run())
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(once())
    assert counter.is_due is goes_on
