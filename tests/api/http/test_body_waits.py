"""A wait that a limit tells in its body is kept like one that its header tells; of both the longer counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import formatdate
from time import time

import pytest

from petstore_desktop.api.gate.back_off import BLIND_FIRST, JITTER
from petstore_desktop.domain.errors import RateLimited, ShopError
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Ref, Resource
from tests.api.speaking import BY_PERSON, Service, always, speaking

PET = Ref(Resource.PETS, 5)
THROTTLED = "Request was throttled. Expected available in 90 seconds."
JUST_PAST = 1.0
"""Seconds by which a moment may be nearer when the answer is read than when it was written."""


def pause_after(status: int, body: object, **headers: str) -> float | None:
    """How long nothing leaves after such an answer; None where the gate stays open."""

    async def run() -> float | None:
        async with speaking(Service(always(status, body, **headers))) as client:
            with pytest.raises(ShopError) as raised:
                await client.read(PET, BY_PERSON)
            closure = client.admission._state.closure
            if closure is None:
                return None
            assert isinstance(raised.value, RateLimited)
            assert client.admission.view.phase is GatePhase.PAUSED
            return closure.length

    return asyncio.run(run())


def is_about(length: float | None, seconds: float) -> bool:
    """Whether that is the length of a pause that was told so: with the jitter, and never shorter."""
    return length is not None and seconds <= length <= seconds + JITTER[1]


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("headers", [{}, {"Retry_After": "1"}])
@pytest.mark.parametrize(
    "body",
    [
        {"retry_after": 90, "message": "Slow down"},
        {"retryAfter": 90},
        {"RetryAfter": 90.0},
        {"retry-after": "90"},
        {"retry_after": "90 seconds"},
        {"retry_after": "1m30s"},
        {"retry_after": "PT90S"},
        {"retry_after": "00:01:30"},
        {"retry_after_ms": 90_000},
        {"retryAfterMs": "90000"},
        {"retryAfterMillis": 90_000},
        {"retry_after_seconds": 90},
        {"error": {"code": "rate_limited", "retry_after": 90}},
        {"error_code": 429, "parameters": {"retry_after": 90}},
        {"retry_after": 3, "error": {"retryAfterMs": 90_000}},
    ],
    ids=str,
)
def test_a_field_of_the_body_is_a_wait(body: object, headers: dict[str, str], status: int) -> None:
    assert is_about(pause_after(status, body, **headers), 90.0)


def test_a_moment_in_the_body_is_one_too() -> None:
    now = int(time())
    for moment in (now + 90, (now + 90) * 1_000, formatdate(now + 90, usegmt=True)):
        length = pause_after(429, {"retry_after": moment}, Date=formatdate(now, usegmt=True))
        assert length is not None
        assert 90.0 - JUST_PAST <= length <= 90.0 + 60.0


def test_the_longer_wait_of_the_header_counts() -> None:
    assert is_about(pause_after(429, {"retry_after": 5}, Retry_After="90"), 90.0)


@pytest.mark.parametrize(
    "value",
    [-1, -90.5, "-90", float("nan"), float("inf"), "NaN", 10**30, "9" * 5_000, 1e300, [90], {"seconds": 90}, True, None,
     "soon", "", 10**8],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_what_is_no_believable_wait_counts_as_untold(value: object) -> None:
    assert is_about(pause_after(429, {"retry_after": value}), BLIND_FIRST)
    assert pause_after(503, {"retry_after": value}) is None


@pytest.mark.parametrize(
    "body",
    [[{"retry_after": 90}], {"retryAfterMinutes": 5}, {"a": {"b": {"retry_after": 90}}}, 90, "90", b"<p>90"],
    ids=str,
)
def test_what_lies_elsewhere_is_no_wait(body: object) -> None:
    assert pause_after(503, body) is None


@pytest.mark.parametrize("headers", [{}, {"Retry_After": "1"}])
@pytest.mark.parametrize(
    "said",
    [
        THROTTLED,
        "Slow down, wait 90 seconds",
        "Rate limit exceeded. Try again in 90 seconds.",
        "Wait 5 seconds before each write, and try again in 90 seconds",
        "Retry after 1 minute and 30 seconds",
        "Try again in 1.5 minutes.",
        "Please retry in 1 minute, 30.0 seconds",
    ],
)
def test_a_sentence_that_says_when_to_come_back_is_a_wait(said: str, headers: dict[str, str]) -> None:
    assert is_about(pause_after(429, {"detail": said}, **headers), 90.0)
    assert is_about(pause_after(429, {"error": {"message": said}}, **headers), 90.0)
    assert is_about(pause_after(429, said.encode(), Content_Type="text/plain", **headers), 90.0)


@pytest.mark.parametrize(
    "said",
    [
        "No more than 100 requests in 3600 seconds",
        "Limit: 5 per 1 second",
        "Try again in a few seconds",
        "Try again in -90 seconds",
        "Please wait. There are 7 seconds-hands in stock",
    ],
)
def test_a_sentence_that_only_names_a_rate_is_no_wait(said: str) -> None:
    assert is_about(pause_after(429, {"message": said}), BLIND_FIRST)
    assert is_about(pause_after(429, {"message": said}, Retry_After="2"), 2.0)


def test_only_what_limits_tells_a_wait_in_its_body() -> None:
    for status in (400, 404, 409, 500, 502):
        assert pause_after(status, {"retry_after": 90, "message": THROTTLED}) is None
    assert pause_after(503, {"message": THROTTLED}) is None


HOURS_S = 3 * 3_600


@pytest.mark.parametrize("headers", [{}, {"Retry_After": "60"}])
@pytest.mark.parametrize(
    "body_of",
    [
        lambda _: {"code": "key_banned", "message": "Too many requests", "retry_after": HOURS_S},
        lambda end: {"error": "banned", "until": end.isoformat()},
        lambda end: {"error": "banned", "until": end.strftime("%Y-%m-%dT%H:%M:%SZ")},
        lambda end: {"code": "banned", "banned_until": int(end.timestamp())},
        lambda _: {"message": "Your key is banned for 3 hours"},
        lambda _: {"message": "Key suspended for 180 minutes because of abuse."},
        lambda _: {"detail": "This API key has been temporarily suspended. Try again in 3 hours."},
    ],
    ids=["a wait", "a moment with its zone", "a moment", "an epoch", "for hours", "for minutes", "come back"],
)
def test_a_ban_is_as_long_as_its_body_says(body_of: Callable[[datetime], object], headers: dict[str, str]) -> None:
    async def run() -> float:
        end = datetime.fromtimestamp(int(time()) + HOURS_S, UTC)
        async with speaking(Service(always(403, body_of(end), **headers))) as client:
            with pytest.raises(ShopError):
                await client.read(PET, BY_PERSON)
            assert client.admission.view.phase is GatePhase.BANNED
            closure = client.admission._state.closure
            assert closure is not None
            return closure.length

    began = time()
    length = asyncio.run(run())
    assert length >= HOURS_S - (time() - began) - JUST_PAST


@pytest.mark.parametrize(
    "said", ["Banned breeds may not be sold", "This pet is suspended for 3 hours", "You may not sell banned breeds"]
)
def test_a_403_about_a_record_is_no_ban(said: str) -> None:
    assert pause_after(403, {"message": said}) is None


def test_a_403_with_a_wait_in_its_body_is_no_ban() -> None:
    assert pause_after(403, {"retry_after": 90}) is None
