"""A proxy between the program and the demo shop that does to requests what networks do.

with FaultProxy(shop.url, dice=random.Random(7), writes=0.3, reads=0.05) as proxy:
    ... the program talks to proxy.url ...
    proxy.spoil = lambda entry: FAULTS["bad gzip"] if entry.path == "/v1/pets" else None   # what servers do
    proxy.calm()                  # from now on everything is passed on
    proxy.log                     # every request, what was done to it, and what the shop said to it

It runs in a thread of its own. Each request goes to the shop over a connection of its own, so that nothing but what is
wanted here happens between the two.
"""

from __future__ import annotations

import asyncio
import random
import re
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from tests.support.hostile_answers import Fault as HostileFault
from tests.support.hostile_answers import Good, send
from tests.support.patience import PATIENCE_S

T = TypeVar("T")
_NOT_MODIFIED = re.compile(rb"if-none-match:[^\r\n]*\r\n", re.IGNORECASE)
WRITES = ("POST", "PUT", "PATCH", "DELETE")
DRIP_S = 0.002
"""Seconds between the pieces of an answer that drips."""
DRIPS = 20


class Fault(StrEnum):
    """What is done to one request."""

    NONE = "passed on"
    DROP_BEFORE = "dropped before the shop saw it"
    DROP_AFTER = "dropped after the shop acted"
    HALF = "half an answer"
    DRIP = "slow drip"
    RESET_BEFORE = "reset before the shop saw it"
    RESET_AFTER = "reset after the shop acted"
    DUPLICATE = "duplicate"
    """The shop is given the request twice, and the first answer comes back. Of a POST, which nobody in between may
    repeat (RFC 9110, 9.2.2), the answer comes twice instead."""
    FAIL_BEFORE = "answered 500 before the shop saw it"
    FAIL_AFTER = "answered 500 after the shop acted"
    AWAY_BEFORE = "answered 303 before the shop saw it"
    AWAY_AFTER = "answered 303 after the shop acted"


_SAID = {
    Fault.FAIL_BEFORE: b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
    Fault.AWAY_BEFORE: b"HTTP/1.1 303 See Other\r\nLocation: /v1/pets\r\nContent-Length: 0\r\n\r\n",
}
_SAID |= {Fault.FAIL_AFTER: _SAID[Fault.FAIL_BEFORE], Fault.AWAY_AFTER: _SAID[Fault.AWAY_BEFORE]}
"""What a creation is answered in the shop's place."""
_OF_A_CREATION = tuple(fault for fault in Fault if fault is not Fault.NONE)
_FAULTS = tuple(fault for fault in _OF_A_CREATION if fault not in _SAID)
_UNSEEN = (Fault.DROP_BEFORE, Fault.RESET_BEFORE, Fault.FAIL_BEFORE, Fault.AWAY_BEFORE)
_RESETS = (Fault.RESET_BEFORE, Fault.RESET_AFTER)


@dataclass(slots=True)
class Passed:
    """One request: what came, what was done to it, and the shop's status, None where the shop was not asked or had not
    answered yet. `asked`: whether the shop may have acted."""

    method: str
    path: str
    body: bytes
    fault: Fault
    asked: bool = False
    status: int | None = None

    @property
    def acted(self) -> bool:
        """Whether the shop did what was asked."""
        return self.status is not None and self.status < 300


class FaultProxy:
    """One listening address before a shop. `on_write` is told, in the proxy's thread, of each write that the shop has
    answered, before anything of the answer goes back; `spoil` is asked what is done to an answer (hostile_answers)."""

    def __init__(self, shop_url: str, dice: random.Random, *, writes: float = 0.0, reads: float = 0.0) -> None:
        self._shop = urlsplit(shop_url)
        self._dice = dice
        self._odds = {True: writes, False: reads}
        self._next: list[Fault] = []
        self._open: set[asyncio.Task[None]] = set()
        self._asking: set[asyncio.Task[bytes]] = set()
        self.log: list[Passed] = []
        self.on_write: Callable[[Passed], None] = lambda _: None
        self.spoil: Callable[[Passed], HostileFault | None] = lambda _: None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fault proxy", daemon=True)
        self._thread.start()
        self._server = self._run(self._listen())
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}{self._shop.path}"

    # -- what a test asks

    def next_write(self, *faults: Fault) -> None:
        """Do these to the next writes, one each, before chance has its turn again."""
        self._next += faults

    def calm(self) -> None:
        """Do nothing to anything from now on."""
        self._next.clear()
        self.spoil = lambda _: None
        self._odds = {True: 0.0, False: 0.0}

    def settle(self) -> None:
        """Wait until what the shop was asked is answered, for whoever asked it and has gone since."""
        self._run(self._settle())

    def empty(self) -> None:
        """The same, and until all that a program has sent which is gone is read, too."""
        self._run(self._empty())

    def close(self) -> None:
        """Listen no more, and cut what is open."""
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- in the proxy's thread

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._accept, "127.0.0.1", 0)

    async def _settle(self) -> None:
        while self._asking:
            await asyncio.wait(self._asking)

    async def _empty(self) -> None:
        while self._open:
            await asyncio.wait(self._open)

    async def _close(self) -> None:
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while await self._serve(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the program went, or the test is over
        finally:
            self._open.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request; whether another one may come over this connection."""
        head = await reader.readuntil(b"\r\n\r\n")
        method, path, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        body = await reader.readexactly(_length(head))
        entry = Passed(method, path, body, self._fault_for(method))
        self.log.append(entry)
        if entry.fault in _UNSEEN:
            if entry.fault in _SAID:
                return await _answer(writer, entry, b"")
            _cut(writer, entry.fault)
            return False
        entry.asked = True
        hostile = self.spoil(entry)
        if hostile is not None:
            head = _NOT_MODIFIED.sub(b"", head)  # there must be something to spoil
        answer = await self._asked(head, body)
        entry.status = int(answer.split(b" ", 2)[1])
        if entry.fault is Fault.DUPLICATE and method != "POST":
            await self._asked(head, body)
        if method in WRITES:
            self.on_write(entry)
        if hostile is not None:
            await send(writer, hostile.spoil(Good.of(answer)))
            return False
        return await _answer(writer, entry, answer)

    def _fault_for(self, method: str) -> Fault:
        write = method in WRITES
        if write and self._next:
            return self._next.pop(0)
        faults = _OF_A_CREATION if method == "POST" else _FAULTS
        return self._dice.choice(faults) if self._dice.random() < self._odds[write] else Fault.NONE

    async def _asked(self, head: bytes, body: bytes) -> bytes:
        task = asyncio.create_task(self._ask(head, body))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return await task

    async def _ask(self, head: bytes, body: bytes) -> bytes:
        """The shop's whole answer."""
        reader, writer = await asyncio.open_connection(self._shop.hostname, self._shop.port)
        try:
            writer.write(head[:-2] + b"Connection: close\r\n\r\n" + body)
            answer = await reader.read()
        finally:
            writer.close()
        head, gap, content = answer.partition(b"\r\n\r\n")
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        return b"\r\n".join(lines) + gap + content


async def _answer(writer: asyncio.StreamWriter, entry: Passed, answer: bytes) -> bool:
    match entry.fault:
        case Fault.DROP_AFTER | Fault.RESET_AFTER:
            _cut(writer, entry.fault)
            return False
        case Fault.HALF:
            writer.write(answer[: len(answer) // 2])
            await writer.drain()
            return False
        case Fault.DRIP:
            size = len(answer) // DRIPS + 1
            for start in range(0, len(answer), size):
                writer.write(answer[start : start + size])
                await writer.drain()
                await asyncio.sleep(DRIP_S)
            return True
        case said if said in _SAID:
            writer.write(_SAID[said])
        case Fault.DUPLICATE if entry.method == "POST":
            writer.write(answer * 2)
        case _:
            writer.write(answer)
    await writer.drain()
    return True


def _cut(writer: asyncio.StreamWriter, fault: Fault) -> None:
    """End the connection: in order, or, for a reset, without a farewell (SO_LINGER of zero, socket(7))."""
    if fault in _RESETS:
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    return 0
