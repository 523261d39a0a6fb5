"""A small pet shop in virtual time that shows its pets in one shape and takes them in another: what it is sent by PUT
or POST is the whole pet from then on, and what is not in it is gone.

    shop = ShapedShop(loop, shows=in_attributes, body={"name": TEXT, "colour": TEXT})
    shop.pets[1] = {"name": "Koi", "colour": "red"}
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx

from tests.support.book_shop import Line
from tests.support.virtual_time import VirtualTime

Json = dict[str, Any]
TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}
CATEGORIES = {1: "Dogs", 2: "Cats", 3: "Birds"}


def schema_of(value: object) -> Json:
    """The schema of such a value."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: schema_of(item) for name, item in value.items()}}
    return TEXT if isinstance(value, str) else NUMBER if isinstance(value, int) else {}


class ShapedShop:
    """`shows`: a kept pet and its number, as answers have it; `body`: the schemas of the fields of a body; `told`: the
    document says what answers look like."""

    def __init__(
        self,
        loop: VirtualTime,
        shows: Callable[[int, Json], Json],
        body: Json,
        example: Json,
        *,
        told: bool = True,
        required: tuple[str, ...] = (),
        more: Json | None = None,
    ) -> None:
        self.loop, self.latency_s = loop, 0.04
        self.url, self.key = "http://127.0.0.1:9/v1", "key-of-the-shop"
        self.shows, self.body, self.told = shows, body, told
        self.pets: dict[int, Json] = {1: {**example}, 2: {**example}}
        self.written: list[tuple[str, str, Json]] = []
        self.takes: Callable[[Json], Json] = dict
        """What of a body is the pet."""
        self.kinds = {**CATEGORIES}
        self._example, self._required, self._more = example, required, more or {}

    def line(self) -> Line:
        """A network between one desk and this service."""
        return Line(self)

    @property
    def document(self) -> Json:
        """Its OpenAPI document."""

        def answers(schema: Json) -> Json:
            content = {"content": {"application/json": {"schema": schema}}} if self.told else {}
            return {"200": {"description": "ok", **content}}

        one = schema_of(self.shows(1, self._example))
        sent = {"type": "object", "properties": self.body, "required": [*self._required], **self._more}
        taken = {"requestBody": {"content": {"application/json": {"schema": sent}}}, "responses": answers(one)}
        named = {"parameters": [{"name": "petId", "in": "path", "required": True, "schema": NUMBER}]}
        kinds = {"type": "array", "items": schema_of({"id": 1, "name": "Dogs"})}
        return {
            "openapi": "3.0.3",
            "info": {"title": "Shapes", "version": "1"},
            "paths": {
                "/pets": {"get": {"responses": answers({"type": "array", "items": one})}, "post": taken},
                "/pets/{petId}": {
                    **named, "get": {"responses": answers(one)}, "put": taken,
                    "delete": {"responses": {"204": {"description": "gone"}}},
                },
                "/categories": {"get": {"responses": answers(kinds)}},
            },
        }  # fmt: skip

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        path = request.url.path.removeprefix("/v1")
        if path == "/openapi.json":
            return httpx.Response(200, json=self.document)
        if path == "/categories":
            return httpx.Response(200, json=[{"id": number, "name": name} for number, name in self.kinds.items()])
        last = path.rpartition("/")[2]
        number = int(last) if last.isdigit() else 0
        if request.method == "GET" and path == "/pets":
            return httpx.Response(200, json=[self.shows(key, pet) for key, pet in self.pets.items()])
        if request.method == "POST" and path == "/pets":
            sent = json.loads(request.content).get("id")
            number = sent if "id" in self._required else max(self.pets, default=0) + 1
        elif number not in self.pets:
            return httpx.Response(404, json={"code": "not_found", "message": "Not found", "status": 404})
        if request.method == "GET":
            return httpx.Response(200, json=self.shows(number, self.pets[number]))
        if request.method == "DELETE":
            del self.pets[number]
            return httpx.Response(204)
        body = json.loads(request.content)
        self.written.append((request.method, path, body))
        self.pets[number] = {name: value for name, value in self.takes(body).items() if name in self._example}
        return httpx.Response(200, json=self.shows(number, self.pets[number]))
