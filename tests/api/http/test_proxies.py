"""Proxies of the environment, over real sockets: which one is used, what it learns, what its refusals are called."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from petstore_desktop import log
from petstore_desktop.api.client import Client
from petstore_desktop.api.http.proxies import proxy_for
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.errors import Unreachable
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.send.outcomes import outcome
from tests.api.speaking import BY_PERSON, KEY, speaking
from tests.support.patience import PATIENCE_S
from tests.support.tls import Authority, ConnectProxy, Rude, Server, answering

PET = {"id": 5, "name": "Rex"}
HOST = "shop.test"
"""A name that no resolver knows (RFC 6761, 6.2): only a proxy that takes any name leads there."""


async def read_pet(client: Client) -> object:
    return await client.read(Ref(Resource.PETS, 5), BY_PERSON)


async def create_pet(client: Client) -> object:
    return await client.create(Resource.PETS, {"name": "Rex"}, BY_PERSON)


def ask(
    url: str, ca_file: Path, act: Callable[[Client], Awaitable[object]] = read_pet, deadline_s: float = 5.0
) -> object:
    """What one operation gives."""

    async def run() -> object:
        async with speaking(None, base=url, ca_file=str(ca_file), deadline_s=deadline_s) as client:
            return await act(client)

    return asyncio.run(run())


# ---------------------------------------------------------------- which one


@pytest.mark.parametrize(
    ("setting", "url", "shown"),
    [
        ({}, "https://shop.example/v1", None),
        ({"HTTPS_PROXY": "http://p:3128"}, "https://shop.example/v1", "http://p:3128"),
        ({"https_proxy": "p:3128"}, "https://shop.example/v1", "http://p:3128"),
        ({"ALL_PROXY": "https://[2001:db8::1]:3"}, "https://shop.example/v1", "https://[2001:db8::1]:3"),
        ({"ALL_PROXY": "http://a", "HTTPS_PROXY": "http://b"}, "https://shop.example/v1", "http://b"),
        ({"HTTP_PROXY": "http://p"}, "https://shop.example/v1", None),
        ({"HTTPS_PROXY": ""}, "https://shop.example/v1", None),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "*"}, "https://shop.example/v1", None),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "a, shop.example"}, "https://shop.example/v1", None),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": ".example"}, "https://shop.example/v1", None),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "shop.example:8443"}, "https://shop.example:8443/v1", None),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "shop.example:8443"}, "https://shop.example/v1", "http://p"),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "10.0.0.0/8"}, "https://10.2.3.4/v1", None),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "10.0.0.0/8"}, "https://11.2.3.4/v1", "http://p"),
        ({"HTTPS_PROXY": "http://p"}, "https://localhost:8443/v1", None),
        ({"HTTPS_PROXY": "http://p", "HTTP_PROXY": "http://p"}, "http://127.0.0.1:8000/v1", None),
        ({"HTTPS_PROXY": "http://p"}, "https://[::1]/v1", None),
    ],
)
def test_the_environment_says_which_proxy_is_used_and_this_computer_is_never_asked_through_one(
    setting: dict[str, str], url: str, shown: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    proxy = proxy_for(url)
    assert (None if proxy is None else proxy.shown) == shown


def test_a_proxy_is_shown_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://me:pass%40word@proxy.example:3128")
    proxy = proxy_for("https://shop.example/v1")
    assert proxy is not None
    assert proxy.usable
    assert "me" not in f"{proxy!r} {proxy.shown}"
    assert "pass" not in f"{proxy!r} {proxy.shown}"
    assert log.redact("the proxy took pass@word and pass%40word") == "the proxy took *** and ***"


UNUSABLE = (
    *(
        "socks5://p:1080",
        "ftp://p",
        "http://p:port",
        "http://",
        "http://\udcff:80",
        "http://a..b:80",
        "http://\u2044:80",
    ),
    *("http://\udcff:x@p:80", "http://me:\x01@p:80", "http://p:80/\udcff"),
)
"""Some ended as an unexpected error."""


@pytest.mark.parametrize("setting", UNUSABLE, ids=ascii)
def test_a_proxy_of_an_unknown_kind_is_named_and_nothing_is_sent(
    setting: str, ours: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", setting)
    with pytest.raises(Unreachable) as caught:
        ask(f"https://{HOST}/v1", ours.file, create_pet)
    assert caught.value.params["why"] == "proxy-unusable"
    assert outcome(Verb.CREATE, caught.value)[0] is ChangeState.QUEUED


# ---------------------------------------------------------------- through it


@pytest.mark.parametrize("secure", [False, True])
def test_the_key_goes_through_a_proxy_and_the_proxy_never_sees_it(
    secure: bool, ours: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        Server(answering(200, PET), ours.context(HOST), HOST) as server,
        ConnectProxy(context=ours.context("localhost") if secure else None) as proxy,
    ):
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        for act in (read_pet, create_pet):
            ask(server.url, ours.file, act)
        assert server.asked == ["GET /v1/pets/5", "POST /v1/pets"]
        assert KEY.encode() in server.heard
        assert proxy.asked == [f"CONNECT {HOST}:{server.port}"] * 2
        for secret in (KEY, base64.b64encode(KEY.encode()).decode().rstrip("="), "/v1/pets", "Rex", "Authorization"):
            assert secret.encode() not in proxy.heard


def test_a_proxy_that_wants_a_password_gets_the_one_in_its_address(
    ours: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        Server(answering(200, PET), ours.context(HOST), HOST) as server,
        ConnectProxy(login="me:pass@word") as proxy,
    ):
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:pass%40word@{proxy.address}")
        ask(server.url, ours.file)
        assert server.asked == ["GET /v1/pets/5"]
        assert b"proxy-authorization" not in server.heard.lower()


@pytest.mark.wine("a chain of certificates that ends nowhere is refused")
def test_a_bad_certificate_behind_a_proxy_is_the_service_s_matter(
    ours: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        Server(answering(200, PET), ours.context("other.example"), HOST) as other,
        Server(answering(200, PET), Authority(tmp_path, "Nobody").context(HOST), HOST) as stranger,
        ConnectProxy() as proxy,
    ):
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        for server, why in ((other, "tls-wrong-host"), (stranger, "tls-unknown-authority")):
            with pytest.raises(Unreachable) as caught:
                ask(server.url, ours.file, create_pet)
            assert caught.value.params["why"] == why
            assert outcome(Verb.CREATE, caught.value)[0] is ChangeState.QUEUED
            assert KEY.encode() not in server.heard
        assert KEY.encode() not in proxy.heard


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("refuses", "why"),
    [(407, "proxy-login"), (403, "proxy-forbids"), (502, "proxy-failed"), (504, "proxy-failed"), (400, "proxy")],
)
def test_a_proxy_that_refuses_is_named_with_its_reason_and_nothing_is_sent(
    refuses: int, why: str, ours: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        Server(answering(200, PET), ours.context(HOST), HOST) as server,
        ConnectProxy(refuses=refuses) as proxy,
    ):
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:password@{proxy.address}")
        for act in (read_pet, create_pet):
            with pytest.raises(Unreachable) as caught:
                ask(server.url, ours.file, act)
            assert caught.value.params["why"] == why
            assert caught.value.params["host"] == f"{HOST}:{server.port}"
            assert caught.value.params["proxy"] == proxy.url
            assert outcome(Verb.CREATE, caught.value)[0] is ChangeState.QUEUED
        assert (server.connections, server.heard) == (0, bytearray())
        assert KEY.encode() not in proxy.heard


def test_a_wrong_password_for_the_proxy_is_not_taken_for_a_wrong_key(
    ours: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ConnectProxy(login="me:right") as proxy:
        for login in ("", "me:wrong@"):
            monkeypatch.setenv("HTTPS_PROXY", f"http://{login}{proxy.address}")
            with pytest.raises(Unreachable) as caught:
                ask(f"https://{HOST}/v1", ours.file)
            assert caught.value.params["why"] == "proxy-login"
            assert "wrong" not in str(caught.value)


@pytest.mark.wine("a chain of certificates that ends nowhere is refused")
def test_a_proxy_that_is_down_silent_rude_or_not_trusted_is_told_apart(
    ours: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ConnectProxy() as gone:
        pass
    stranger = Authority(tmp_path, "Nobody").context("localhost")
    with Rude(None) as silent, Rude(b"220 mail\r\n") as rude, ConnectProxy(context=stranger) as false:
        unheard = silent.url.replace("https", "http")
        for url, why in (
            (gone.url, "proxy-unreachable"),
            (unheard, "proxy-unreachable"),
            (rude.url.replace("https", "http"), "proxy"),
            (false.url, "proxy-tls"),
        ):
            monkeypatch.setenv("HTTPS_PROXY", url)
            with pytest.raises(Unreachable) as caught:
                ask(f"https://{HOST}/v1", ours.file, create_pet, deadline_s=0.4 if url == unheard else PATIENCE_S)
            assert caught.value.params["why"] == why
            assert outcome(Verb.CREATE, caught.value)[0] is ChangeState.QUEUED
        assert KEY.encode() not in silent.heard + rude.heard + false.heard


def test_this_computer_is_asked_directly_whatever_the_environment_says(
    ours: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ConnectProxy(refuses=403) as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        with Server(answering(200, PET), ours.context("localhost")) as secure, Server(answering(200, PET)) as plain:
            for server in (secure, plain):
                ask(server.url, ours.file)
                assert server.asked == ["GET /v1/pets/5"]
        assert proxy.connections == 0
