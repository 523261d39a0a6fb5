"""A small service in virtual time that keeps pets as they were sent, guards nothing, and answers as a test wants it to.

    shop = BookShop(loop, client_ids=True)
    shop.faults.append(Fault(303, done=True))   # of the next write
    shop.pets[57]["status"] = "sold"            # another desk
    shop.written                                # [("POST", "/v1/pets", {...}), ...]

With `client_ids` it works as many do whose document wants `id` in the body of a creation: what comes without one is
number 0, and what comes with a number that there is takes its place, or what else `taken` says.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Protocol

import httpx

from tests.support.virtual_desk import Network
from tests.support.virtual_time import VirtualTime

KEY = "key-of-the-book-shop"


@dataclass(frozen=True, slots=True)
class Fault:
    """What the next write is answered; `status` None: nothing at all. `done`: it is done all the same. `body`: with
    this text, as HTML unless `kind` is another type; None: with nothing, and sent on to the list by a redirect."""

    status: int | None = None
    done: bool = False
    body: str | None = None
    kind: str = "text/html"


class BookShop:
    """One such service. `required`: fields that a creation must have; `put`: a change replaces the whole pet; `reads`:
    it shows one pet by itself; `hidden`: what its list does not show, and, if it `tells`, its document says so."""

    def __init__(
        self,
        loop: VirtualTime,
        *,
        url: str = "http://127.0.0.1:9/v1",
        client_ids: bool = False,
        required: tuple[str, ...] = ("name",),
        latency_s: float = 0.04,
        put: bool = False,
        reads: bool = True,
        hidden: tuple[str, ...] = (),
        tells: bool = True,
    ) -> None:
        self.loop, self.url, self.key, self.latency_s = loop, url, KEY, latency_s
        self.client_ids, self.required = client_ids, required
        self.put, self.reads, self.hidden, self.tells = put, reads, hidden, tells
        self.deprecated_read = False
        self.pets: dict[int, dict[str, Any]] = {}
        self.given: dict[str, Any] = {}
        """What the service adds to what it creates."""
        self.tells_id_alone = False
        """Whether a creation is answered with the id and nothing else."""
        self.faults: list[Fault] = []
        self.written: list[tuple[str, str, dict[str, Any]]] = []
        self.asked = 0
        """How often something was read."""
        self.page: Fault | None = None
        """What every read is answered while it is there."""
        self.hides_ids = False
        """Whether its document says that it chooses the ids."""
        self.taken = "replaced"
        """What becomes of a creation under a number that there is: it is "replaced", "refused", or "kept", and answered
        as if it had just been made."""
        self._last = 50

    def line(self) -> Line:
        """A network between one desk and this service."""
        return Line(self)

    def add(self, **fields: Any) -> int:
        """Another desk makes a pet; its number."""
        self._last = max([self._last, *self.pets]) + 1
        self.pets[self._last] = {"id": self._last, **fields}
        return self._last

    def named(self, name: str) -> list[int]:
        """The numbers of the pets of this name."""
        return [number for number, pet in self.pets.items() if pet["name"] == name]

    @property
    def posts(self) -> list[dict[str, Any]]:
        """The bodies of all POSTs."""
        return [body for method, _, body in self.written if method == "POST"]

    @property
    def document(self) -> dict[str, Any]:
        """What it publishes of itself."""
        text, number = {"type": "string"}, {"type": "integer", "format": "int64"}
        own = {} if self.client_ids and not self.hides_ids else {"readOnly": True}
        fields = {"id": number | own, "name": text, "categoryId": number, "status": text, "chip": text}
        fields["photoUrls"] = {"type": "array", "items": text}
        pet = {"type": "object", "properties": fields, "required": list(self.required)}
        made = pet | {"required": [*self.required, *(["id"] if self.client_ids and not self.hides_ids else [])]}

        def answers(schema: object) -> dict[str, Any]:
            return {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}

        kept = {name: one for name, one in fields.items() if not self.tells or name not in self.hidden}
        row = pet | {"properties": kept}
        body = {"content": {"application/json": {"schema": pet}}}
        new = {"content": {"application/json": {"schema": made}}}
        parameter = {"name": "id", "in": "path", "required": True, "schema": number}
        return {
            "openapi": "3.0.3",
            "info": {"title": "Books", "version": "1"},
            "paths": {
                "/pets": {
                    "get": {"responses": answers({"type": "array", "items": row})},
                    "post": {"requestBody": new, "responses": answers(pet)},
                },
                "/pets/{id}": {
                    "parameters": [parameter],
                    **({"get": {"responses": answers(pet), "deprecated": self.deprecated_read}} if self.reads else {}),
                    ("put" if self.put else "patch"): {"requestBody": body, "responses": answers(pet)},
                    "delete": {"responses": {"204": {"description": ""}}},
                },
            },
            "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
            "security": [{"key": []}],
        }

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request; raises httpx.ReadError where none comes."""
        path = request.url.path
        if path.endswith("/openapi.json"):
            return httpx.Response(200, json=self.document)
        body = json.loads(request.content) if request.content else {}
        self.asked += request.method == "GET"
        if request.method == "GET" and self.page is not None:
            return self._faulty(self.page, request)
        if request.method != "GET":
            self.written.append((request.method, path, body))
        kind, _, key = path.removeprefix("/v1/").partition("/")
        if kind != "pets":
            return httpx.Response(404)
        if request.method == "GET":
            rows = [{name: pet[name] for name in pet if name not in self.hidden} for pet in self.pets.values()]
            return self._one("GET", int(key) if key.isdigit() else -1, {}) if key else httpx.Response(200, json=rows)
        fault = self.faults.pop(0) if self.faults else None
        done = httpx.Response(200)
        if fault is None or fault.done:
            done = self._create(body) if request.method == "POST" else self._one(request.method, int(key), body)
        if fault is None:
            return done
        return self._faulty(fault, request)

    def _faulty(self, fault: Fault, request: httpx.Request) -> httpx.Response:
        if fault.status is None:
            raise httpx.ReadError("the line broke", request=request)
        if fault.body is not None:
            return httpx.Response(fault.status, text=fault.body, headers={"Content-Type": fault.kind})
        return httpx.Response(fault.status, headers={"Location": f"{self.url}/pets"})

    def _one(self, method: str, number: int, body: dict[str, Any]) -> httpx.Response:
        if number not in self.pets:
            return httpx.Response(404)
        if method == "DELETE":
            del self.pets[number]
            return httpx.Response(204)
        if method == "PUT":
            self.pets[number] = {"id": number}
        self.pets[number] |= body
        return httpx.Response(200, json=self.pets[number])

    def _create(self, body: dict[str, Any]) -> httpx.Response:
        if not set(self.required) <= body.keys():
            return httpx.Response(400, json={"message": f"needs {self.required}"})
        if not self.client_ids and "id" in body:
            return httpx.Response(400, json={"message": "ids are given here"})
        number = body.get("id", 0) if self.client_ids else max([self._last, *self.pets]) + 1
        self._last = self._last if self.client_ids else number
        if number in self.pets and self.taken == "refused":
            return httpx.Response(409, json={"message": f"{number} is taken"})
        if number in self.pets and self.taken == "kept":
            return httpx.Response(201, json=self.pets[number])
        self.pets[number] = {**self.given, **body, "id": number}
        return httpx.Response(201, json={"id": number} if self.tells_id_alone else self.pets[number])


class Answering(Protocol):
    """A service in virtual time."""

    latency_s: float

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request; raises httpx.ReadError where none comes."""
        ...


class Line(Network):
    """The network between one desk and the service."""

    def __init__(self, shop: Answering) -> None:
        self.shop = shop
        self.cut = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Carry one request there and its answer back."""
        if self.cut:
            raise httpx.ConnectError("no way out", request=request)
        await request.extensions["trace"]("http11.send_request_headers.started", {})
        await asyncio.sleep(self.shop.latency_s)
        response = self.shop.answer(request)
        await asyncio.sleep(self.shop.latency_s)
        return response
