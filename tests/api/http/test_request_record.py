"""What is told of each request after it has left, over a real socket where that matters."""

from __future__ import annotations

import asyncio
import time
from asyncio import StreamReader, StreamWriter

import httpx
import pytest
from msgspec.structs import replace

from petstore_desktop import log
from petstore_desktop.api.headers.limit_headers import answer_facts
from petstore_desktop.api.http.gateway import PATH_CHARACTERS, Sending, path_of
from petstore_desktop.api.http.secret import Secret
from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.model import KeyPlace, KeyPlacement
from petstore_desktop.domain.errors import Interrupted, ShopError
from petstore_desktop.domain.quota import GatePhase, RequestClass, SentRequest
from petstore_desktop.domain.records import Ref, Resource
from tests.api.speaking import BASE, BY_PERSON, KEY, always, socket_server, speaking, talk, walk

PET = Ref(Resource.PETS, 5)
WINDOW = {"X_RateLimit_Limit": "60", "X_RateLimit_Remaining": "50", "X_RateLimit_Reset": "30"}


def brief(sent: list[SentRequest]) -> list[tuple[str, str, int | None, str]]:
    return [(one.method, one.path, one.status, one.lost) for one in sent]


def test_the_first_of_a_look_and_its_write_has_waited_the_second_has_not() -> None:
    sent: list[SentRequest] = []

    async def run() -> None:
        answer = always(200, {"id": 5, "name": "Koi", "quantity": 3, "petId": 5})
        async with speaking(answer, tell_sent=sent.append) as client:
            ticket = await client.admission.admit(RequestClass.CHANGES, write=True, idempotent=True, cost=2)
            await asyncio.sleep(0.05)  # what passes between admission and leaving is waiting, too
            await client.read(PET, Sending(RequestClass.CHANGES, ticket, more=True))
            await client.change(
                Ref(Resource.INVENTORY, 5), {"quantity": 4}, sending=Sending(RequestClass.CHANGES, ticket)
            )

    asyncio.run(run())
    assert [one.method for one in sent] == ["GET", "PATCH"]
    assert sent[0].waited_s >= 0.04
    assert sent[1].waited_s == 0


def test_a_gate_that_shuts_while_the_connection_is_made_is_waited_for_again_and_told_once() -> None:
    sent: list[SentRequest] = []

    async def answer(_: StreamReader, writer: StreamWriter) -> None:
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in WINDOW.items()]
        head = "\r\n".join(["HTTP/1.1 200 OK", *lines, "Content-Length: 23", "Connection: close", "", ""])
        writer.write(head.encode() + b'{"id": 5, "name":"Koi"}')

    async def run() -> None:
        async with socket_server(answer) as base, speaking(None, base=base, tell_sent=sent.append) as client:
            await client.read(PET, BY_PERSON)  # the windows are known: more than one may be in flight
            other = await client.admission.admit(RequestClass.PERSON, write=False, idempotent=True)
            reading = asyncio.ensure_future(client.read(PET, BY_PERSON))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            client.admission.answered(other, answer_facts(429, [("retry-after", "3600")], wall=time.time()))
            await asyncio.sleep(0.1)
            assert client.admission.view.phase is GatePhase.PAUSED
            assert len(sent) == 1
            client.admission.resume_now()
            await reading

    asyncio.run(run())
    assert len(sent) == 2
    assert sent[1].waited_s >= 0.08
    assert sent[1].probe


@pytest.mark.parametrize(
    ("raised", "lost"),
    [(httpx.ReadTimeout("x"), "timeout"), (httpx.RemoteProtocolError("x"), "protocol"), (httpx.ConnectError("x"), "")],
)
def test_only_what_may_have_left_is_told(raised: httpx.HTTPError, lost: str) -> None:
    sent: list[SentRequest] = []

    def answer(_: httpx.Request) -> httpx.Response:
        raise raised

    with pytest.raises(ShopError):
        talk(answer, lambda client: client.read(PET, BY_PERSON), tell_sent=sent.append)
    assert brief(sent) == ([("GET", "/pets/5", None, lost)] if lost else [])


def test_an_answer_that_breaks_off_has_its_status_and_says_why() -> None:
    sent: list[SentRequest] = []

    async def half(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
        await reader.read()

    async def run() -> None:
        async with (
            socket_server(half) as base,
            speaking(None, base=base, tell_sent=sent.append, deadline_s=1.0) as client,
        ):
            with pytest.raises(Interrupted):
                await client.read(PET, BY_PERSON)

    asyncio.run(run())
    assert brief(sent) == [("GET", "/pets/5", 200, "deadline")]
    assert sent[0].took_s >= 0.4


def test_a_body_that_cannot_be_unpacked_says_so() -> None:
    sent: list[SentRequest] = []
    with pytest.raises(ShopError):
        talk(
            always(200, b"no gzip", Content_Encoding="br"),
            lambda client: client.read(PET, BY_PERSON),
            tell_sent=sent.append,
        )
    assert brief(sent) == [("GET", "/pets/5", 200, "unusable")]


def test_each_answer_counts_whatever_it_says() -> None:
    sent: list[SentRequest] = []
    for status in (404, 429, 500):
        with pytest.raises(ShopError):
            talk(always(status), lambda client: client.read(PET, BY_PERSON), tell_sent=sent.append)
    assert [one.status for one in sent] == [404, 429, 500]


def test_the_parameter_that_carries_the_key_is_left_out_and_an_earlier_key_is_masked() -> None:
    log.keep_secret("earlier-key-4712")
    contract = replace(default(), key=KeyPlacement(KeyPlace.QUERY, "api_key", ""))
    sent: list[SentRequest] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if "cursor" in request.url.params:
            return httpx.Response(200, json=[{"id": 2, "name": "Koi"}])
        again = f'<{request.url}&cursor=x&old=earlier-key-4712>; rel="next"'
        return httpx.Response(200, json=[{"id": 1, "name": "Koi"}], headers={"Link": again})

    talk(answer, lambda client: walk(client, Resource.PETS), contract, tell_sent=sent.append)
    assert [one.path for one in sent] == ["/pets?limit=100", "/pets?limit=100&cursor=x&old=***"]


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (f"{BASE}/pets/5?a=1", "/pets/5?a=1"),
        (BASE, "/v1"),
        (f"{BASE}?a=1", "?a=1"),
        ("http://127.0.0.1:9/v10/pets", "/v10/pets"),
        (f"{BASE}/pets/{'x' * 400}", f"/pets/{'x' * (PATH_CHARACTERS - 6)}…"),
    ],
)
def test_a_path_is_told_below_the_base_address_and_cut(url: str, path: str) -> None:
    assert path_of(BASE, url, None) == path


def test_a_key_across_the_cut_is_masked_before_it() -> None:
    path = path_of(BASE, f"{BASE}/pets/{'x' * (PATH_CHARACTERS - 10)}{KEY}", Secret.of(KEY))
    assert KEY[:4] not in path
