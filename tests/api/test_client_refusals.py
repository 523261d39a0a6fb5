"""What a service's refusals come to."""

from __future__ import annotations

import httpx
import pytest

from petstore_desktop.api.client import Client
from petstore_desktop.domain.errors import (
    Conflicted,
    Forbidden,
    KeyRejected,
    NotFound,
    RateLimited,
    Refused,
    ServiceError,
    ServiceFailed,
)
from petstore_desktop.domain.records import Ref, Resource
from tests.api.speaking import BY_PERSON, KEY, Service, always, talk

PET = Ref(Resource.PETS, 5)

# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("kind", "body", "message"),
    [
        ("text/plain", "Closed for stocktaking until noon.", "Closed for stocktaking until noon."),
        ("Text/Plain; charset=utf-8", " Zu\r\nspät \n", "Zu spät"),
        ("text/plain", "a\x1b[31m\x00b\u202ec\u2028d", "a [31m b c d"),
        ("text/plain", "\xff\xfe".encode("latin-1"), "\ufffd\ufffd"),
        ("text/plain", "x" * 9_000, "x" * 500),
        ("text/plain", '{"message": "No.", "code": "teapot"}', "No."),
        ("text/plain", "<!doctype html><title>Bad gateway</title>", ""),
        ("text/html", "Bad gateway", ""),
        ("", "Bad gateway", ""),
        ("text/plain", "", ""),
        ("text/plain", f"no key {KEY} here", "no key *** here"),
    ],
)
def test_plain_text_is_the_message_on_one_line_and_a_page_is_none(kind: str, body: str | bytes, message: str) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        content = body.encode() if isinstance(body, str) else body
        return httpx.Response(422, content=content, headers={"Content-Type": kind} if kind else {})

    with pytest.raises(Refused) as caught:
        talk(Service(answer), lambda client: client.read(PET, BY_PERSON))
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("status", "headers", "kind"),
    [
        (400, {}, Refused),
        (401, {}, KeyRejected),
        (403, {}, Forbidden),
        (404, {}, NotFound),
        (409, {}, Conflicted),
        (410, {}, NotFound),
        (412, {}, Conflicted),
        (415, {}, Refused),
        (422, {}, Refused),
        (429, {"retry_after": "1"}, RateLimited),
        (500, {}, ServiceFailed),
        (502, {}, ServiceFailed),
        (503, {}, ServiceFailed),
        (503, {"retry_after": "5"}, RateLimited),
    ],
)
def test_the_status_says_what_kind_of_refusal_it_is_whatever_the_body_says(
    status: int, headers: dict[str, str], kind: type[ServiceError]
) -> None:
    body = {"code": "teapot", "message": "No.", "status": 200}
    with pytest.raises(kind) as caught:
        talk(always(status, body, **headers), lambda client: client.read(PET, BY_PERSON))
    error = caught.value
    assert type(error) is kind
    assert (error.status, error.message, error.params["service_code"]) == (status, "No.", "teapot")
    assert error.params["operation"] == "pets.read"
    assert error.raw.startswith(f"HTTP {status}\n")


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ({"code": "a", "message": "b", "status": 400}, "a", "b"),
        ({"error": {"code": 7, "message": "b"}}, "7", "b"),
        ({"error": "b"}, "", "b"),
        ({"error": "invalid", "error_description": "b"}, "", "b"),
        ({"errors": [{"code": "a", "message": "b"}, {"message": "c"}]}, "a", "b; c"),
        ({"type": "about:a", "title": "b", "status": 400, "detail": "c"}, "about:a", "b: c"),
        ({"detail": "b"}, "", "b"),
        ({"detail": [{"loc": ["body", "name"], "msg": "b", "type": "missing"}]}, "", "name: b"),
        ("b", "", "b"),
        ([], "", ""),
        (None, "", ""),
        (b"<html><h1>Bad gateway</h1>", "", ""),
        (b"\xff\xfe\x00", "", ""),
        (b"[" * 50_000, "", ""),
    ],
)
def test_code_and_message_are_found_in_every_form_of_error(body: object, code: str, message: str) -> None:
    with pytest.raises(Refused) as caught:
        talk(always(400, body), lambda client: client.read(PET, BY_PERSON))
    assert (caught.value.params["service_code"], caught.value.message) == (code, message)


def test_a_ban_is_told_from_a_key_that_may_not() -> None:
    with pytest.raises(RateLimited):
        talk(always(403, {"code": "key_banned", "message": "wait"}), lambda client: client.read(PET, BY_PERSON))


def test_a_long_answer_is_cut() -> None:
    with pytest.raises(Refused) as caught:
        talk(always(400, {"message": "x" * 100_000}), lambda client: client.read(PET, BY_PERSON))
    assert len(caught.value.message) == 500
    assert len(caught.value.raw) < 5_000


def test_why_a_pause_was_asked_for_is_told_in_plain_text_too() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(429, text="Stocktaking.", headers={"Retry-After": "5"})

    async def reason(client: Client) -> str | None:
        with pytest.raises(RateLimited):
            await client.read(PET, BY_PERSON)
        return client.admission.view.reason

    assert talk(Service(answer), reason) == "Stocktaking."
