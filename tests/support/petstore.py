"""A pet shop in virtual time with the ways of the best-known example service: pets are found by status, changed by a
PUT without an id in its path, hold their category, and orders can only be asked for one by one.

    shop = Petstore(loop)                    # OpenAPI 3; version=2: Swagger 2.0
    shop.pets[1]["status"] = "sold"          # another desk
    shop.written                             # [("PUT", "/v1/pet", {...}), ...]
    shop.asked                               # ["/v1/pet/findByStatus?status=sold", ...]
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import httpx

from tests.support import petstore_document
from tests.support.book_shop import Line
from tests.support.petstore_document import STATUSES
from tests.support.virtual_time import VirtualTime

KEY = "key-of-the-corner-shop"
KINDS = ("Dogs", "Cats", "Rabbits", "Lions")


def a_pet(number: int, name: str, kind: int, status: str) -> dict[str, Any]:
    """A pet as the service keeps it."""
    return {
        "id": number,
        "category": {"id": kind, "name": KINDS[kind - 1]},
        "name": name,
        "photoUrls": [f"{name.lower()}-1.jpg", f"{name.lower()}-2.jpg"],
        "tags": [{"id": number, "name": f"tag{number}"}],
        "status": status,
    }


class Petstore:
    """One such service. `strict`: a list without a status is refused, else it is that of the available pets."""

    def __init__(self, loop: VirtualTime, *, version: int = 3, strict: bool = True, latency_s: float = 0.04) -> None:
        self.loop, self.version, self.strict, self.latency_s = loop, version, strict, latency_s
        self.url, self.key = "http://127.0.0.1:9/v1", KEY
        rows = [("Rex", 1, "available"), ("Mia", 2, "available"), ("Bun", 3, "available"), ("Leo", 4, "pending")]
        rows += [("Ace", 1, "pending"), ("Tom", 2, "sold"), ("Kit", 2, "sold")]
        self.pets = {number: a_pet(number, *row) for number, row in enumerate(rows, 1)}
        self.orders: dict[int, dict[str, Any]] = {
            1: {"id": 1, "petId": 6, "quantity": 1, "shipDate": "2026-02-03T10:00:00Z", "status": "placed"}
        }
        self.document = petstore_document.openapi3() if version == 3 else petstore_document.swagger2()
        self.asked: list[str] = []
        """The path and query of all that was read, but the document."""
        self.written: list[tuple[str, str, dict[str, Any]]] = []
        self.answers_counts: object = None
        """What it answers instead of counting its pets, or the status with which it refuses."""
        self.lost = 0
        """How many of the next writes are done and not answered."""

    def line(self) -> Line:
        """A network between one desk and this service."""
        return Line(self)

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request. Raises httpx.ReadError where no answer comes."""
        path = request.url.path.removeprefix("/v1")
        if path in ("/openapi.json", "/swagger.json"):
            named = "openapi" in self.document
            return httpx.Response(200, json=self.document) if named == ("openapi" in path) else httpx.Response(404)
        body = json.loads(request.content) if request.content else {}
        if request.method == "GET":
            self.asked.append(request.url.raw_path.decode())
            return self._read(path, request.url.params.get_list("status"))
        self.written.append((request.method, request.url.path, body))
        done = self._write(request.method, path, body)
        if self.lost:
            self.lost -= 1
            raise httpx.ReadError("the line broke", request=request)
        return done

    def _read(self, path: str, statuses: list[str]) -> httpx.Response:
        if path == "/pet/findByStatus":
            return self._by_status(statuses)
        if path == "/store/inventory" and isinstance(self.answers_counts, int):
            return _refused(self.answers_counts, "Not counted")
        if path == "/store/inventory" and self.answers_counts is not None:
            return httpx.Response(200, json=self.answers_counts)
        if path == "/store/inventory":
            return httpx.Response(200, json=Counter(pet.get("status", "") for pet in self.pets.values()))
        kept = self._kept(path)
        number = path.rpartition("/")[2]
        if kept is None or not number.isdigit():
            return _refused(404 if kept is None else 400, "Not found" if kept is None else "That is no id")
        return httpx.Response(200, json=kept[int(number)]) if int(number) in kept else _refused(404, "Not found")

    def _by_status(self, statuses: list[str]) -> httpx.Response:
        statuses = statuses or ([] if self.strict else ["available"])
        if self.version == 3 and len(statuses) > 1:
            statuses = statuses[:1]
        if not statuses or set(statuses) - set(STATUSES):
            return _refused(400, "Name a status")
        return httpx.Response(200, json=[pet for pet in self.pets.values() if pet.get("status") in statuses])

    def _kept(self, path: str) -> dict[int, dict[str, Any]] | None:
        return self.pets if path.startswith("/pet/") else self.orders if path.startswith("/store/order/") else None

    def _write(self, method: str, path: str, body: dict[str, Any]) -> httpx.Response:
        if path in ("/pet", "/store/order"):
            kept = self.pets if path == "/pet" else self.orders
            number = body.get("id", 0)
            if path == "/pet" and not {"name", "photoUrls"} <= body.keys():
                return _refused(400, "A pet has a name and photos")
            if method == "PUT" and number not in kept:
                return _refused(404, "Not found")
            kept[number] = {"id": number, **body}
            return httpx.Response(200, json=kept[number])
        kept, number = self._kept(path), path.rpartition("/")[2]
        if method != "DELETE" or kept is None or not number.isdigit():
            return _refused(405, "Not so")
        return httpx.Response(200) if kept.pop(int(number), None) is not None else _refused(404, "Not found")


def _refused(status: int, words: str) -> httpx.Response:
    return httpx.Response(status, json={"code": status, "type": "error", "message": words})
