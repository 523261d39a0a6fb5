"""The key goes to one origin only: redirects, next pages and documents lead nowhere else, over real sockets with
servers that keep every byte that they get."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from petstore_desktop.api.address import clean_base_url
from petstore_desktop.api.client import Client
from petstore_desktop.api.http.gateway import Gateway
from petstore_desktop.api.http.transport import Request
from petstore_desktop.clock import SystemClock
from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.binding.places import document_places
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.errors import AnswerUnusable, BadInput, Unreachable
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.send.outcomes import outcome
from tests.api.speaking import BY_PERSON, KEY, admission, speaking, walk
from tests.support.tls import Answer, Authority, Server, answering

PET = Ref(Resource.PETS, 5)
STOCK = Ref(Resource.INVENTORY, 5)
BODY = {"id": 5, "name": "Rex"}


@pytest.fixture(autouse=True)
def _small_store(ours: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(ours.file))  # the system's own takes 20 ms for each connection


@pytest.fixture(scope="module")
def other(ours: Authority) -> Iterator[Server]:
    """Another origin, trusted, that would answer everything."""
    with Server(answering(200, BODY), ours.context("localhost")) as server:
        yield server


@pytest.fixture(scope="module")
def plain() -> Iterator[Server]:
    """The same over plain http."""
    with Server(answering(200, BODY)) as server:
        yield server


async def read(client: Client) -> object:
    return await client.read(PET, BY_PERSON)


async def listing(client: Client) -> object:
    return await walk(client, Resource.PETS)


async def create(client: Client) -> object:
    return await client.create(Resource.CATEGORIES, {"name": "Dogs"}, BY_PERSON)


async def change(client: Client) -> object:
    return await client.change(Ref(Resource.INVENTORY, 5), {"quantity": 40}, sending=BY_PERSON)


async def delete(client: Client) -> object:
    return await client.delete(Ref(Resource.ORDERS, 5), sending=BY_PERSON)


async def probe(client: Client) -> object:
    return await client.probe()


ACTS: tuple[Callable[[Client], Awaitable[object]], ...] = (read, listing, create, change, delete, probe)


def speak(server: Server, ours: Authority, acts: tuple[Callable[[Client], Awaitable[object]], ...]) -> list[object]:
    """What each operation gives, or what it raises."""

    async def run() -> list[object]:
        given: list[object] = []
        async with speaking(None, base=server.url, ca_file=str(ours.file)) as client:
            for act in acts:
                try:
                    given.append(await act(client))
                except AnswerUnusable as error:
                    given.append(error)
        return given

    return asyncio.run(run())


def elsewhere(other: Server, plain: Server) -> dict[str, str]:
    return {
        "another origin": f"{other.origin}/v1/pets/5",
        "plain http": f"{plain.origin}/v1/pets/5",
        "another path": "/v2/pets/5",
        "another host of the same name": f"//127.0.0.1:{other.port}/v1/pets/5",
        "a name that ends alike": f"https://localhost:{other.port}@localhost/v1",
    }


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_is_followed_whatever_is_asked_and_its_target_is_told(
    status: int, ours: Authority, other: Server, plain: Server
) -> None:
    before = (len(other.heard), len(plain.heard))
    for target in elsewhere(other, plain).values():
        answer = answering(status, None, location=target)
        with Server(answer, ours.context("localhost")) as server:
            given = speak(server, ours, ACTS)
            assert len(server.asked) == len(ACTS)
            assert not any("v2" in asked for asked in server.asked)
        whole = f"{server.origin}{target}" if target.startswith("/v2") else target
        for error in given:
            assert isinstance(error, AnswerUnusable)
            assert error.code == "redirected"
            assert error.params["status"] == status
            assert str(error.params["target"]).endswith(whole)
            assert outcome(Verb.CHANGE, error)[0] is ChangeState.UNCERTAIN  # it may have been done: it is looked at
            assert outcome(Verb.CHANGE, error)[1].message == error.params["target"]
    assert (len(other.heard), len(plain.heard)) == before


def test_a_published_document_that_has_moved_is_not_looked_for_elsewhere(ours: Authority, other: Server) -> None:
    before = len(other.heard)
    answer = answering(302, None, location=f"{other.origin}/v1/openapi.json")
    with Server(answer, ours.context("localhost")) as server:
        (document,) = speak(server, ours, (lambda client: client.fetch_document(),))
        assert document is None
        assert len(server.asked) == len(document_places(f"{server.origin}/v1"))
    assert len(other.heard) == before


def next_page(form: str, target: str) -> Answer:
    first = [{"id": number, "name": "x"} for number in range(1, 4)]
    if form == "link":
        return answering(200, first, link=f'<{target}>; rel="next"')
    return answering(200, {"data": first, "next": target})


@pytest.mark.parametrize("form", ["link", "body"])
def test_a_next_page_on_another_origin_is_never_asked_for(
    form: str, ours: Authority, other: Server, plain: Server
) -> None:
    before = (len(other.heard), len(plain.heard))
    targets = [target for name, target in elsewhere(other, plain).items() if name != "another path"]
    for target in targets:
        with Server(next_page(form, target), ours.context("localhost")) as server:
            (pages,) = speak(server, ours, (listing,))
            assert isinstance(pages, list)
            assert len(server.asked) == 1, server.asked
    assert (len(other.heard), len(plain.heard)) == before


@pytest.mark.parametrize(
    "start",
    ["url:https://{host}/v1/pets?page=2", "url://{host}/v1/pets", "url:/\\{host}/v1/pets", "url:/@{host}/v1/pets"],
)
def test_a_walk_that_is_taken_up_stays_with_its_service(start: str, ours: Authority, other: Server) -> None:
    before = len(other.heard)
    token = start.format(host=f"localhost:{other.port}")
    with Server(answering(200, []), ours.context("localhost")) as server:
        speak(server, ours, (lambda client: walk(client, Resource.PETS, start=token),))
        assert all(asked.startswith("GET /") for asked in server.asked)
    assert len(other.heard) == before


@pytest.mark.parametrize("form", ["{0}/v1/x", "{0}", "https://localhost:1@{1}/v1", "https://localhost\\@{1}/v1"])
def test_whoever_names_another_origin_is_refused_before_anything_is_sent(
    form: str, ours: Authority, other: Server
) -> None:
    before = len(other.heard)
    url = form.format(other.origin, f"localhost:{other.port}")

    async def run(server: Server) -> None:
        gate = admission()
        gateway = Gateway(server.url, KEY, gate, SystemClock(), "test/1", ca_file=str(ours.file))
        gateway.use_contract(default())
        try:
            with pytest.raises(Unreachable) as caught:
                await gateway.send(None, Request("GET", url), BY_PERSON)
            assert caught.value.code == "another-origin"
        finally:
            gate.close()
            await gateway.aclose()

    with Server(answering(200, []), ours.context("localhost")) as server:
        asyncio.run(run(server))
        assert server.asked == []
    assert len(other.heard) == before


@pytest.mark.parametrize("url", ["http://shop.example/v1", "http://10.0.0.1/v1", "http://localhost.example/v1"])
def test_plain_http_is_for_this_computer_alone(url: str) -> None:
    with pytest.raises(BadInput) as caught:
        clean_base_url(url)
    assert caught.value.code == "address-insecure"
    assert json.dumps(caught.value.params)


@pytest.mark.wine("a chain of certificates that ends nowhere is refused")
def test_a_ca_file_makes_nobody_else_trusted_with_the_key(ours: Authority, tmp_path: Path, plain: Server) -> None:
    stranger = Authority(tmp_path, "Somebody else")
    before = len(plain.heard)
    with Server(answering(200, BODY), stranger.context("localhost")) as false:
        for url in (false.url, plain.url.replace("http:", "https:")):
            with pytest.raises(Unreachable):
                asyncio.run(_ask(url, ours))
        assert KEY.encode() not in false.heard
    assert KEY.encode() not in plain.heard[before:]


async def _ask(url: str, ours: Authority) -> object:
    async with speaking(None, base=url, ca_file=str(ours.file)) as client:
        return await read(client)
