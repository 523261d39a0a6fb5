"""A key that a person entered: tried at once by one cheap request, and kept unless the service rejects it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from petstore_desktop.api.client import Client
from petstore_desktop.domain.commands import UseKey
from petstore_desktop.domain.errors import KeyRejected, ShopError, Unreachable
from petstore_desktop.off_loop import off_loop
from petstore_desktop.sync.connection_setup import ConnectionParts
from petstore_desktop.sync.shared.connectivity import LinkWatch, came_to_nothing
from petstore_desktop.sync.wire.events import Trouble

ANSWER_S = 10.0
"""Seconds that an answer is waited for before a key is kept that nobody could try: a pause may last for hours, and a
key that is in memory alone is lost at the end of the program."""


class KeyTrial(Struct, eq=False):
    """One key at a time: of an earlier one nothing is kept or said any more. A key that is rejected never takes the
    place of the one in the keyring. `_ready`: it is known where the service wants its key; `_wanted` is told of a
    rejected one."""

    _parts: ConnectionParts
    _link: LinkWatch
    _ready: asyncio.Event
    _wanted: Callable[[ShopError | None], None]
    _key: UseKey | None = None
    """New keys that are neither stored nor rejected yet."""

    async def run(self, client: Client, key: UseKey) -> None:
        """Ask as a person does, with the keys that the client has by now; keep it, or ask for another."""
        self._key = key
        schemes = (*key.further, *([""] if key.key else ()))
        asking = asyncio.create_task(self._ask(client, schemes))  # house: thread - awaited below
        try:
            await asyncio.wait((asking,), timeout=ANSWER_S)
            if not asking.done():
                await self._keep(key, untried=True)
            error = await asking
        finally:
            asking.cancel()
        if isinstance(error, KeyRejected):
            self._key = None if self._key == key else self._key
            self._wanted(error)
        else:
            await self._keep(key, untried=error is not None and came_to_nothing(error))

    async def finish(self) -> None:
        """The program ends: what nobody could try is kept, or it would be lost."""
        if self._key is not None:
            await self._keep(self._key, untried=False)

    async def _ask(self, client: Client, schemes: Sequence[str]) -> ShopError | None:
        await self._ready.wait()
        try:
            await client.probe(keys=schemes)
        except ShopError as error:
            self._link.failed(error)
            return error
        self._link.answered()
        return None

    async def _keep(self, key: UseKey, *, untried: bool) -> None:
        if self._key != key:  # it is kept, or another one was entered meanwhile
            return
        tell, name = self._parts.events.put, self._parts.connection
        try:
            await off_loop(lambda: self._parts.keep_key(key), f"key of {name}")
        except ShopError as error:
            tell(Trouble(name, error))
        else:
            if untried:
                tell(Trouble(name, Unreachable("key-untried"), aside=True))
        if self._key == key:
            self._key = None
