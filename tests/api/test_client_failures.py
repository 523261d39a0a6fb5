"""What the gate learns of a request that came to nothing, and that nothing which may have left is sent again."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable

import pytest

from petstore_desktop import log
from petstore_desktop.api.client import Client
from petstore_desktop.api.http.gateway import Sending
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Forbidden,
    Interrupted,
    RateLimited,
    ServiceFailed,
    ShopError,
    StorageError,
    Unreachable,
)
from petstore_desktop.domain.quota import GatePhase, RequestClass
from tests.api.speaking import BY_PERSON, KEY, Service, always, socket_server, speaking, talk
from tests.api.test_client_faults import FAULTS, PET, Answering, create_pet, read_pet
from tests.support.patience import PATIENCE_S


def failures_after(
    answer: Answering, act: Callable[[Client], Awaitable[object]], deadline_s: float = PATIENCE_S
) -> int:
    """How many failures in a row the gate has counted."""

    async def run() -> int:
        async with socket_server(answer) as base, speaking(None, base=base, deadline_s=deadline_s) as client:
            with pytest.raises(ShopError):
                await act(client)
            return client.admission._state.failures.row

    return asyncio.run(run())


@pytest.mark.parametrize("fault", FAULTS)
def test_a_line_that_breaks_is_a_failure_and_an_answer_that_cannot_be_used_is_none(fault: str) -> None:
    answer, kind, code = FAULTS[fault]
    assert failures_after(answer, read_pet) == (kind is Interrupted or code == "service-failed")


def test_a_service_that_is_not_there_is_a_failure() -> None:
    async def run() -> int:
        async with speaking(None) as client:
            with pytest.raises(Unreachable):
                await read_pet(client)
            return client.admission._state.failures.row

    assert asyncio.run(run()) == 1


@pytest.mark.parametrize("given_up", ["cancelled", "closed"])
def test_what_we_gave_up_ourselves_is_no_failure(given_up: str) -> None:
    async def run() -> int:
        asked = asyncio.Event()

        async def silent(reader: StreamReader, _: StreamWriter) -> None:
            asked.set()
            await reader.read()

        async with socket_server(silent) as base, speaking(None, base=base) as client:
            task = asyncio.ensure_future(read_pet(client))
            await asked.wait()
            if given_up == "closed":
                client.gateway.cancel_in_flight()
            else:
                task.cancel()
            with pytest.raises((Interrupted, asyncio.CancelledError)):
                await task
            return client.admission._state.failures.row

    assert asyncio.run(run()) == 0


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_creation_that_failed_is_not_sent_again(status: int) -> None:
    service = Service(always(status))
    with pytest.raises(ServiceFailed):
        talk(service, create_pet)
    assert service.asked == ["POST /v1/pets"]


def test_a_request_that_never_left_costs_nothing_and_its_ticket_is_free_again() -> None:
    def fails() -> None:
        raise StorageError("disk-full")

    async def run() -> None:
        async with speaking(always(200, {"id": 5, "name": "Rex"})) as client:
            for _ in range(3):
                with pytest.raises(StorageError):
                    await client.read(PET, Sending(RequestClass.PERSON, on_start=fails))
            await client.read(PET, BY_PERSON)
            assert (client.gateway.requests, client.admission.idle) == (1, True)

    asyncio.run(run())


@pytest.mark.parametrize("said", ["soon", "-1", "5 x"])
def test_a_503_is_a_limit_only_where_the_gate_can_read_until_when(said: str) -> None:
    """Who is told of a limit asks again as soon as the gate lets them: without a pause that would be at once."""

    async def act(client: Client) -> GatePhase:
        with pytest.raises(ServiceFailed):
            await read_pet(client)
        return client.admission.view.phase

    assert talk(always(503, retry_after=said), act) is GatePhase.OPEN


@pytest.mark.parametrize(
    ("body", "headers", "error", "phase"),
    [
        ({"code": "key_banned"}, {}, RateLimited, GatePhase.BANNED),
        ({"code": "API-Key-Banned"}, {}, RateLimited, GatePhase.BANNED),
        ({"code": "banned"}, {}, RateLimited, GatePhase.BANNED),
        ({"code": "forbidden"}, {"retry_after": "60"}, RateLimited, GatePhase.BANNED),
        ({"code": "forbidden"}, {}, Forbidden, GatePhase.OPEN),
    ],
)
def test_a_403_is_a_ban_for_the_caller_exactly_where_it_is_one_for_the_gate(
    body: object, headers: dict[str, str], error: type[ShopError], phase: GatePhase
) -> None:
    async def act(client: Client) -> GatePhase:
        with pytest.raises(error):
            await read_pet(client)
        return client.admission.view.phase

    assert talk(always(403, body, **headers), act) is phase


@pytest.fixture
def _keys_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is a key in one test is a word in the next."""
    monkeypatch.setattr(log, "_secrets", ())


@pytest.mark.usefixtures("_keys_of_its_own")
@pytest.mark.parametrize(
    ("key", "code"),
    [("key_banned", "key_banned"), ("key", "api key banned"), ("banned", "key-banned"), ("y_ban", "Key_Banned")],
)
def test_a_ban_is_one_too_where_its_code_holds_the_key_and_the_code_is_told_without_it(key: str, code: str) -> None:
    async def act(client: Client) -> GatePhase:
        with pytest.raises(RateLimited) as caught:
            await read_pet(client)
        assert "***" in str(caught.value.params["service_code"])
        return client.admission.view.phase

    assert talk(always(403, {"code": code}), act, key=key) is GatePhase.BANNED


@pytest.mark.usefixtures("_keys_of_its_own")
def test_a_wait_until_a_moment_is_read_where_the_key_stands_in_its_date() -> None:
    asked = {"date": "Wed, 21 Oct 2026 07:28:00 GMT", "retry_after": "Wed, 21 Oct 2026 08:28:00 GMT"}

    async def act(client: Client) -> GatePhase:
        with pytest.raises(RateLimited) as caught:
            await read_pet(client)
        assert "date: Wed, 21 ***" in caught.value.raw
        return client.admission.view.phase

    assert talk(always(403, None, **asked), act, key="oct2026") is GatePhase.BANNED


def test_a_window_that_is_named_by_the_key_counts() -> None:
    """The draft of the RateLimit header has a place for whom a window belongs to: `pk`."""
    spent = f'"{KEY}";r=0;t=50;pk=:{KEY}:'

    async def act(client: Client) -> GatePhase:
        await read_pet(client)
        return client.admission.view.phase

    service = always(200, {"id": 5, "name": "Rex"}, ratelimit=spent, ratelimit_policy=f'"{KEY}";q=60;w=60')
    plain = always(200, {"id": 5, "name": "Rex"}, ratelimit='"a";r=0;t=50', ratelimit_policy='"a";q=60;w=60')
    assert talk(service, act) is talk(plain, act) is not GatePhase.OPEN


@pytest.mark.usefixtures("_keys_of_its_own")
def test_a_redirect_to_another_address_that_looks_alike_without_the_key_is_no_circle() -> None:
    with pytest.raises(AnswerUnusable) as caught:
        talk(always(307, None, location="/v1%2Fpets/5"), read_pet, key="v1/pets")
    assert (caught.value.code, caught.value.params["circle"]) == ("redirected", False)
    assert "pets" not in str(caught.value.params["target"])
