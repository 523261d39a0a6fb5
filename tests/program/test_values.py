"""A service whose pets lie below one of several shops, and which wants its region with each request: the window asks
for both, and what is typed is sent from then on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.records import key_to_text
from tests.program.opened import Opened
from tests.program.running import command, until
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, error

REGION = {
    "name": "X-Region",
    "in": "header",
    "required": True,
    "schema": {"type": "string", "enum": ["north", "south"]},
}
SHOP = {"name": "shopId", "in": "path", "required": True, "description": "One of your shops", "schema": {}}
PET = {"id": {"type": "string"}, "name": {"type": "string"}, "status": {"type": "string"}}


def _path(verbs: dict[str, Any]) -> dict[str, Any]:
    return {"parameters": [SHOP, REGION], **verbs}


def _answer(schema: dict[str, Any]) -> dict[str, Any]:
    return {"responses": {"200": {"description": "well", "content": {"application/json": {"schema": schema}}}}}


KEY = key_to_text("p-1")
ONE = {"type": "object", "properties": PET}
DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Chain", "version": "1"},
    "security": [],
    "paths": {
        "/shops/{shopId}/pets": _path({"get": _answer({"type": "array", "items": ONE})}),
        "/shops/{shopId}/pets/{petId}": _path({
            "get": _answer(ONE),
            "patch": {"requestBody": {"content": {"application/json": {"schema": ONE}}}, **_answer(ONE)},
        }),
    },
}  # fmt: skip


class Chain:
    """Two shops, each with a pet of the same id."""

    def __init__(self) -> None:
        self.pets = {shop: {"id": "p-1", "name": f"Rex {shop}", "status": "available"} for shop in ("7", "8")}

    def serve(self, asked: Asked) -> Reply:
        if asked.path == "/v1/openapi.json":
            return Reply(200, DOCUMENT, LIMITS)
        parts = asked.path.split("/")[2:]
        if parts[:1] != ["shops"] or parts[1] not in self.pets:
            return error(404)
        if asked.headers.get("x-region") != "south":
            return error(400, message="which region?")
        pet = self.pets[parts[1]]
        if asked.method == "PATCH":
            pet.update(json.loads(asked.body))
        return Reply(200, [pet] if len(parts) == 3 else pet, LIMITS)


@pytest.fixture
def chain() -> Chain:
    return Chain()


@pytest.fixture
def service(chain: Chain) -> Iterator[OddService]:
    with OddService(chain.serve) as service:
        yield service


def rename(program: Opened, chain: Chain, name: str) -> None:
    until(lambda: program.ask("rows", "pets") == 1, "the pet")
    program.wait("writable", "pets", "Name")
    program.ask("to_cell", "pets", KEY, "Name")
    program.ask("press", "F2", "Ctrl+A")
    program.ask("write", name)
    program.ask("press", "Return")
    until(lambda: chain.pets["7"]["name"] == name, f"{name} in the shop")
    until(lambda: not program.ask("widget", "outboxBadge"), "that nothing waits")


def test_the_window_asks_for_them_once_and_sends_them_from_then_on(
    tmp_path: Path, service: OddService, chain: Chain
) -> None:
    data = tmp_path / "data"
    with Opened(data) as program:
        program.ask("tab_to", "urlField")
        program.ask("write", service.url)
        program.ask("press", "Return")
        until(lambda: "valueField shopId" in program.ask("focus"), "the first field has the keyboard")
        assert [one.path for one in service.asked] == ["/v1/openapi.json"]
        program.ask("write", "7")
        program.ask("press", "Tab", "Down", "Down", "Tab")
        program.ask("tab_to", "connectButton")
        program.ask("press", "Space")
        until(lambda: program.ask("says", "testResult", "It offers"), "it can be used")
        program.ask("press", "Space")
        until(lambda: "mainWindow" in program.ask("windows"), "the window of the shop")
        program.wait("ready")
        rename(program, chain, "Rex the first")
        assert program.quit() == 0
    with Opened(data) as program:
        rename(program, chain, "Rex the second")
        assert program.quit() == 0
    assert chain.pets["8"]["name"] == "Rex 8"


def test_a_command_names_what_is_missing_and_takes_it(tmp_path: Path, service: OddService) -> None:
    first = ("--data-dir", str(tmp_path / "data"))
    assert command(*first, "connect", "Chain", "--url", service.url).returncode == 0
    done = command(*first, "doctor", "Chain")
    assert done.returncode == 1
    assert "values that its document does not give: shopId, X-Region" in done.stdout
    assert "`petstore-desktop connect --value NAME=VALUE`" in done.stdout
    given = ("connect", "Chain", "--url", service.url, "--value", "shopId=7", "--value", "X-Region=south")
    assert command(*first, *given).returncode == 0
    done = command(*first, "doctor", "Chain")
    assert "Rex 7" in done.stdout
    other = command(*first, "connect", "Chain", "--url", service.url, "--value", "shopId=8")
    assert other.returncode != 0
    assert "Chain has another value for shopId" in other.stderr
    assert "no value for a parameter" in command(*first, "connect", "X", "--url", service.url, "--value", "7").stderr
