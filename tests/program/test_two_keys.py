"""A service that wants two keys, as its document says: given on the command line, kept in a real keyring each under its
own name, sent side by side, and named where one is missing or refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.program.running import ROOT, command
from tests.support.key_service import KEY as PLAIN
from tests.support.key_service import service as oauth_service
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, error

APP, KEY, STOCK = "app-7f3a9c2e51", "key-c41d88aa03", "stock-5b0e6d91"
SCHEMES = {
    "appId": {"type": "apiKey", "in": "header", "name": "X-App-Id"},
    "apiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
    "stock": {"type": "http", "scheme": "bearer"},
}


def _list(properties: dict[str, Any], **more: object) -> dict[str, Any]:
    schema = {"type": "array", "items": {"type": "object", "properties": properties}}
    answer = {"description": "all", "content": {"application/json": {"schema": schema}}}
    return {"get": {"responses": {"200": answer}, **more}}


DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Two keys", "version": "1"},
    "security": [{"appId": [], "apiKey": []}],
    "paths": {
        "/pets": _list({"id": {"type": "integer"}, "name": {"type": "string"}, "status": {"type": "string"}}),
        "/categories": _list({"id": {"type": "integer"}, "name": {"type": "string"}}, security=[]),
        "/inventory": _list(
            {"petId": {"type": "integer"}, "quantity": {"type": "integer"}}, security=[{"stock": []}, {"nobody": []}]
        ),
    },
    "components": {"securitySchemes": SCHEMES},
}
LISTS = {
    "/v1/pets": [{"id": 1, "name": "Rex", "status": "available"}],
    "/v1/categories": [{"id": 1, "name": "Dogs"}],
    "/v1/inventory": [{"petId": 1, "quantity": 3}],
}
NEEDS = {
    "/v1/pets": {"x-app-id": APP, "x-api-key": KEY},
    "/v1/categories": {},
    "/v1/inventory": {"authorization": f"Bearer {STOCK}"},
}
BOTH = "The keys are sent in these headers or parameters: X-Api-Key, X-App-Id."
SENT = ("x-app-id", "x-api-key", "authorization")


def serve(asked: Asked) -> Reply:
    """It takes exactly the keys that its document names, no other beside them."""
    if asked.path == "/v1/openapi.json":
        return Reply(200, DOCUMENT, LIMITS)
    if asked.path not in LISTS:
        return error(404)
    keys = {name: asked.headers[name] for name in SENT if name in asked.headers}
    return Reply(200, LISTS[asked.path], LIMITS) if keys == NEEDS[asked.path] else error(401, message=f"not {keys}")


@pytest.fixture
def service() -> Iterator[OddService]:
    with OddService(serve) as service:
        yield service


class Desk:
    """The program's commands in one data folder, with one keyring."""

    def __init__(self, data: Path, session: dict[str, str], service: OddService) -> None:
        self._first, self._keyring, self._service = ("--data-dir", str(data)), session, service

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return command(*self._first, *arguments, stdin=stdin, env=self._keyring)

    def connect(self, *options: str, stdin: str) -> subprocess.CompletedProcess[str]:
        return self.run("connect", "Two", "--url", self._service.url, *options, stdin=stdin)

    def key_check(self) -> tuple[int, str]:
        """The status of `doctor`, and what it says of the keys."""
        done = self.run("doctor", "Two", "--json")
        checks = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
        return done.returncode, f"{checks['key']['said']} {checks['key']['advice']}".strip()


@pytest.fixture
def desk(tmp_path: Path, session: dict[str, str], service: OddService) -> Desk:
    return Desk(tmp_path / "data", session, service)


def lookup(session: dict[str, str], *users: str) -> list[str | None]:
    """What the keyring has under these names, asked by a program of its own."""
    code = f"import json, keyring; print(json.dumps([keyring.get_password('petstore-desktop', u) for u in {users!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=session, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_keys_are_kept_each_under_its_name_and_sent_side_by_side(
    desk: Desk, session: dict[str, str], service: OddService, tmp_path: Path
) -> None:
    options = ("--key-stdin", "--further-key", "apiKey", "--further-key", "stock")
    done = desk.connect(*options, stdin=f"{APP}\n{KEY}\n{STOCK}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"Two: {service.url}, its keys are in the keyring\n"
    main = f"two {service.url}"
    assert lookup(session, main, f"{main} apiKey", f"{main} stock") == [APP, KEY, STOCK]
    assert desk.key_check() == (0, "The service takes the key.")
    assert desk.run("sync", "Two").returncode == 0
    asked = {one.path: one for one in service.asked if one.path in LISTS}
    assert asked.keys() == LISTS.keys()
    kept = b"".join(file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file())
    assert not any(key.encode() in kept for key in (APP, KEY, STOCK))
    assert desk.run("forget", "Two", "--yes").returncode == 0
    assert lookup(session, main, f"{main} apiKey", f"{main} stock") == [None, None, None]


def test_a_key_that_is_missing_is_named_and_nothing_is_sent_without_it(desk: Desk, service: OddService) -> None:
    done = desk.connect("--key-stdin", stdin=f"{APP}\n")
    assert "the service wants another key: apiKey (header X-Api-Key), stock (header Authorization)." in done.stderr
    assert "by this name with `petstore-desktop connect --further-key`." in done.stderr
    assert [one.path for one in service.asked if one.path == "/v1/pets"] == []
    status, said = desk.key_check()
    assert said.startswith("For some operations the service wants another key: apiKey (header X-Api-Key), stock")
    desk.connect("--further-key", "apiKey", stdin=f"{KEY}\n")
    status, said = desk.key_check()
    assert (status, said.partition(".")[0]) == (
        0,
        "For some operations the service wants another key: stock (header Authorization)",
    )


def test_a_key_that_is_refused_is_named_and_all_else_goes_on(desk: Desk, service: OddService) -> None:
    desk.connect("--key-stdin", "--further-key", "apiKey", "--further-key", "stock", stdin=f"{APP}\n{KEY}\nold-one-1\n")
    status, said = desk.key_check()
    assert status == 0
    assert said.startswith(
        "The service does not accept the key stock (header Authorization), which it wants for some operations: “not"
    )
    assert "old-one-1" not in said
    assert {one.path for one in service.asked} >= LISTS.keys()


def test_a_further_key_for_the_first_scheme_makes_the_main_key_that_of_the_other_also_where_it_is_given_later(
    desk: Desk, service: OddService
) -> None:
    assert "X-Api-Key" in desk.connect("--key-stdin", stdin=f"{KEY}\n").stderr
    done = desk.connect("--further-key", "X-App-Id", "--further-key", "STOCK", stdin=f"{APP}\n{STOCK}\n")
    assert "wants another key" not in done.stderr
    assert desk.run("sync", "Two").returncode == 0
    assert desk.key_check() == (0, f"The service takes the key. {BOTH}")
    assert {one.path for one in service.asked} >= LISTS.keys()
    assert not any(one.headers.get("x-app-id") == KEY for one in service.asked)


def test_a_plain_key_at_a_service_whose_document_names_a_token_first_is_sent_where_it_was_taken(
    tmp_path: Path, session: dict[str, str]
) -> None:
    with oauth_service("api_key", PLAIN) as service:
        desk = Desk(tmp_path / "data", session, service)
        done = desk.connect("--key-stdin", stdin=f"{PLAIN}\n")
        assert "It is sent in the header api_key." in done.stderr
        tokens = [one for one in service.asked if "authorization" in one.headers and one.path != "/v1/openapi.json"]
        assert len(tokens) == 1
        assert desk.run("sync", "Two").returncode == 0
        assert desk.key_check()[1] == "The service takes the key. It is sent in the header api_key."
        refused = [one for one in service.asked if one.path == "/v1/pets" and "api_key" not in one.headers]
        assert refused == tokens
