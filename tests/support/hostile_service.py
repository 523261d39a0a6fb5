"""A client before a service that answers everything well, or spoils it: each fault with each operation, and judged.

The service speaks over a socket and knows one record of each kind. `Trial.run` does one operation under one fault, and
says what the program did wrong, if anything.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from petstore_desktop.api.client import Client
from petstore_desktop.api.http.transport import DEADLINE_S
from petstore_desktop.api.write_answer import WriteAnswer
from petstore_desktop.commands.sentences import sentence
from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import VERBS, Op, Verb
from petstore_desktop.domain.errors import AnswerUnusable, Interrupted, ServiceFailed, ShopError
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import RECORD_TYPES, Pet, Ref, Resource, Row
from petstore_desktop.resources import path
from petstore_desktop.sync.send.answer_verdict import AnswerVerdict, Meant, judge
from petstore_desktop.ui.text.errors.errors import error_words
from tests.api.speaking import BY_PERSON, speaking, walk
from tests.support.hostile_answers import FAULTS, Fault, Good, Means, send
from tests.support.hostile_judge import as_json, read, same, wrong_rows

HELD_S = 0.05
"""So long what has no end goes on; then the loop's clock is past every deadline. Nothing depends on how long it is."""
ID = 5
VALUES: dict[Resource, dict[str, Any]] = {
    Resource.PETS: {"id": ID, "name": "Rex", "categoryId": 2, "status": "sold", "x-chip": [1, {"a": None}]},
    Resource.CATEGORIES: {"id": ID, "name": "Dogs", "description": "large ones"},
    Resource.ORDERS: {"id": ID, "petId": 5, "quantity": 3, "shipDate": "2026-01-01T00:00:00Z", "complete": False},
    Resource.INVENTORY: {"petId": ID, "quantity": 7, "status": "available"},
}
CHANGES: dict[Resource, dict[str, Any]] = {
    Resource.PETS: {"name": "Max"},
    Resource.CATEGORIES: {"name": "Cats"},
    Resource.ORDERS: {"complete": True},
    Resource.INVENTORY: {"quantity": 9},
}
CREATES: dict[Resource, dict[str, Any]] = {
    Resource.PETS: {"name": "Rex", "category_id": 2},
    Resource.CATEGORIES: {"name": "Dogs"},
    Resource.ORDERS: {"pet_id": 5, "quantity": 3},
}
DELETES = (Op.PET_DELETE, Op.CATEGORY_DELETE, Op.ORDER_CANCEL)
ERRORS = (AnswerUnusable, Interrupted, ServiceFailed)
WRITES = ("POST", "PUT", "PATCH", "DELETE")


def contract() -> Contract:
    """A service that offers everything."""
    return load(path("openapi", "full.json").read_bytes(), source="published")


def good_answer(method: str, resource: Resource, *, one: bool) -> bytes:
    """What the service says if nothing is spoilt."""
    value = VALUES[resource]
    body = b"" if method == "DELETE" else json.dumps(value if one or method == "POST" else [value]).encode()
    status = {"POST": "201 Created", "DELETE": "204 No Content"}.get(method, "200 OK")
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", "X-RateLimit-Limit: 1000"]
    lines += ["X-RateLimit-Remaining: 900", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass(slots=True)
class Service:
    """What it was asked, and what it does to the next answer."""

    fault: Fault | None = None
    asked: list[str] = field(default_factory=list[str])
    told: bytes = b""
    """The body of the last answer as the server meant it, unpacked."""
    skip: Callable[[], None] = lambda: None
    """Lets the deadline of every request pass."""
    late: asyncio.TimerHandle | None = None
    """When it will."""

    def calm(self) -> None:
        """Answer well from now on."""
        self.fault = None
        if self.late is not None:
            self.late.cancel()  # a 204 has come to its end, whatever else was to follow

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
                length = next(
                    (int(h.split(b":")[1]) for h in head.lower().split(b"\r\n") if h[:15] == b"content-length:"), 0
                )
                await reader.readexactly(length)
                self.asked.append(method)
                good = good_answer(method, _resource(target), one=target.rpartition("/")[2].isdigit())
                if self.fault is None:
                    writer.write(good)
                    await writer.drain()
                    continue
                spoilt = self.fault.spoil(Good.of(good))
                self.told = spoilt.data.partition(b"\r\n\r\n")[2]
                if self.fault.endless:
                    self.late = asyncio.get_running_loop().call_later(HELD_S, self.skip)
                await send(writer, spoilt)
                return
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass  # the client went, or the trial is over
        finally:
            writer.close()


def _resource(target: str) -> Resource:
    place = target.partition("?")[0].removeprefix("/v1/")
    return Resource.ORDERS if place.startswith("store/") else Resource(place.partition("/")[0])


@asynccontextmanager
async def trials() -> AsyncIterator[Trial]:
    """A client before such a service, for any number of trials. The clock of the running loop can be put forward: a
    deadline short enough to wait for would pass before the connection is made where the machine is busy."""
    service = Service(skip=_clock_put_forward(asyncio.get_running_loop()))
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with speaking(None, contract(), base=base) as client:
        yield Trial(service, client)
    server.close()


def _clock_put_forward(loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
    """A function that puts the loop's clock forward by more than a request's deadline."""
    real, ahead = loop.time, 0.0

    def skip() -> None:
        nonlocal ahead
        ahead += DEADLINE_S + 1.0

    loop.time = lambda: real() + ahead
    return skip


@dataclass(slots=True)
class Trial:
    """One service and a client of it."""

    service: Service
    client: Client

    async def run(self, name: str, op: Op, fault: Fault | None = None) -> list[str]:
        """What the program did wrong in this operation, and after it."""
        fault = fault or FAULTS[name]
        before = self.client.gateway.requests
        self.service.fault, self.service.asked = fault, []
        got: object = None
        try:
            got = await self.act(op)
        except ShopError as error:
            got = error
        except Exception as error:  # noqa: BLE001 -- that is what is looked for
            return [f"{op}, {name}: unhandled {error!r}"]
        asked = list(self.service.asked)
        self.service.calm()
        wrong = [*self._judged(op, fault, got), *self._counted(op, asked, self.client.gateway.requests - before)]
        wrong += await self._goes_on(op)
        return [f"{op}, {name}: {what}" for what in wrong]

    async def act(self, op: Op) -> object:
        """Do it."""
        resource, verb = Resource(op.value.partition(".")[0]), op.value.partition(".")[2]
        ref = Ref(resource, ID)
        match verb:
            case "list":
                return [row for page in await walk(self.client, resource) for row in page.rows]
            case "read":
                return await self.client.read(ref, BY_PERSON)
            case "create":
                return await self.client.create(resource, CREATES[resource], BY_PERSON)
            case "change":
                whole = _record(resource)
                return await self.client.change(ref, CHANGES[resource], whole=whole, sending=BY_PERSON)
            case _:
                return await self.client.delete(ref, sending=BY_PERSON)

    def _judged(self, op: Op, fault: Fault, got: object) -> list[str]:
        resource = Resource(op.value.partition(".")[0])
        reads = op.value.endswith((".list", ".read"))
        if isinstance(got, ShopError):
            return [
                *_bad_error(op, fault, got),
                *(["harmless, and yet an error"] if fault.means is Means.HARMLESS else []),
            ]
        if (
            fault.means is Means.BROKEN and op not in DELETES
        ):  # a 204 has no body, whatever it claims (RFC 9110, 15.3.5)
            return [f"nothing came, and {got!r} was made of it"]
        rows = _rows(got)
        if fault.means is Means.USELESS and isinstance(got, WriteAnswer) and self._is_believed(op, got):
            return [f"nothing could be learnt, and it counts as done by {got!r}"]
        if fault.means is Means.USELESS and (reads or rows):
            return [f"nothing could be learnt, and {got!r} was made of it"]
        if fault.means is Means.CHANGED:
            return wrong_rows(resource.value, self.service.told, [row.record for row in rows])
        meant = read(resource.value, VALUES[resource])
        if all(same(as_json(resource.value, row.record), meant) for row in rows) and len(rows) >= reads:
            return []
        return [f"{rows} came of it"]

    def _is_believed(self, op: Op, shown: WriteAnswer) -> bool:
        """Whether a write is called done by this answer, though its document promises the record."""
        operation, resource, made = self.client.contract.operations[op], op.resource, VERBS[op] is Verb.CREATE
        fields = CREATES[resource] if made else {} if op in DELETES else CHANGES[resource]
        meant = Meant(operation, None if made else ID, fields, None if made else _record(resource))
        return operation.promises_record and judge(meant, shown).verdict in (AnswerVerdict.DONE, AnswerVerdict.ASSUMED)

    def _counted(self, op: Op, asked: list[str], told: int) -> list[str]:
        """One request leaves, once, and the gate and the counter know of it."""
        wrong = [] if len(asked) == told == 1 else [f"{asked} was asked, and {told} told"]
        view = self.client.admission.view
        if view.phase is not GatePhase.OPEN or not self.client.admission.idle:
            wrong.append(f"the gate is {view.phase}, idle: {self.client.admission.idle}")
        return wrong

    async def _goes_on(self, op: Op) -> list[str]:
        """The next request is answered as if nothing had been."""
        try:
            got = await self.act(op)
        except ShopError as error:
            return [f"the next one failed too: {error}"]
        rows = _rows(got)
        return [] if op in DELETES or [row.key for row in rows] == [ID] else [f"then {got!r}"]


def _bad_error(op: Op, fault: Fault, error: ShopError) -> list[str]:
    wrong = [] if isinstance(error, ERRORS) else [f"an error of another kind: {error!r}"]
    if error.params.get("operation") != op.value:
        wrong.append(f"it does not name the operation: {error!r}")
    if fault.means is Means.BROKEN and not isinstance(error, Interrupted | AnswerUnusable):
        wrong.append(f"broken, and yet {error!r}")
    words = error_words(error)
    if not (words.what and words.safe and words.do and sentence(error)) or len(words.what) > 700:
        wrong.append(f"no good words: {words}")
    return wrong


def _rows(got: object) -> list[Row]:
    if isinstance(got, WriteAnswer):
        return [] if got.row is None else [got.row]
    return [got] if isinstance(got, Row) else got if isinstance(got, list) else []


def _record(resource: Resource) -> Any:
    known = read(resource.value, VALUES[resource])
    names = {"categoryId": "category_id", "petId": "pet_id", "shipDate": "ship_date"}
    fields = {names.get(name, name): value for name, value in known.items() if name != "extra"}
    return RECORD_TYPES[resource](**fields) if resource is not Resource.PETS else Pet(**fields, extra=known["extra"])
