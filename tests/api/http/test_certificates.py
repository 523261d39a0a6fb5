"""Whom the program trusts, over real sockets with certificates made here: the system's authorities and a CA file, and
nobody else. Whoever is not trusted gets nothing: neither request nor key."""

from __future__ import annotations

import ast
import asyncio
import errno
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import petstore_desktop
from petstore_desktop.api.client import Client
from petstore_desktop.api.http import connection_errors
from petstore_desktop.api.http.certificates import FILE_CAP, read_certificates
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.errors import BadInput, Unreachable
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.send.outcomes import outcome
from tests.api.speaking import BY_PERSON, KEY, speaking
from tests.support.patience import PATIENCE_S
from tests.support.tls import Authority, Outdated, Rude, Server, answering, self_signed

PET = {"id": 5, "name": "Rex"}
DAY = timedelta(days=1)
Place = Outdated | Rude | Server


async def read_pet(client: Client) -> object:
    return await client.read(Ref(Resource.PETS, 5), BY_PERSON)


async def create_pet(client: Client) -> object:
    return await client.create(Resource.PETS, {"name": "Rex"}, BY_PERSON)


def ask(
    url: str,
    ca_file: Path | None,
    act: Callable[[Client], Awaitable[object]] = read_pet,
    deadline_s: float = PATIENCE_S,
) -> object:
    """What one operation gives."""

    async def run() -> object:
        path = None if ca_file is None else str(ca_file)
        async with speaking(None, base=url, ca_file=path, deadline_s=deadline_s) as client:
            return await act(client)

    return asyncio.run(run())


# ---------------------------------------------------------------- trusted


def test_a_service_whose_authority_is_in_the_ca_file_is_asked_with_the_key(ours: Authority) -> None:
    with Server(answering(200, PET), ours.context("localhost")) as server:
        assert ask(server.url, ours.file) is not None
        assert server.asked == ["GET /v1/pets/5"]
        assert KEY.encode() in server.heard


@pytest.mark.wine("addresses in a certificate count")
def test_an_address_of_digits_is_checked_against_the_addresses_in_the_certificate(ours: Authority) -> None:
    with Server(answering(200, PET), ours.context("127.0.0.1"), host="127.0.0.1") as server:
        assert ask(server.url, ours.file) is not None


@pytest.mark.wine("a certificate that vouches for itself can be named as trusted")
def test_a_certificate_that_vouches_for_itself_is_trusted_where_it_is_the_ca_file(tmp_path: Path) -> None:
    context, shown = self_signed(tmp_path, "localhost")
    with Server(answering(200, PET), context) as server:
        assert ask(server.url, shown) is not None


@pytest.mark.linux("the system's store of certificates is a file")
def test_the_system_s_authorities_count_with_a_ca_file_and_without(
    ours: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, nobody = Authority(tmp_path, "The system"), Authority(tmp_path, "Nobody")
    monkeypatch.setenv("SSL_CERT_FILE", str(system.file))
    made = answering(200, PET)
    with (
        Server(made, system.context("localhost")) as known,
        Server(made, ours.context("localhost")) as own,
        Server(made, nobody.context("localhost")) as stranger,
    ):
        for trusted, ca_file in ((known, None), (known, ours.file), (own, ours.file)):
            assert ask(trusted.url, ca_file) is not None
        for other, ca_file in ((own, None), (stranger, None), (stranger, ours.file)):
            with pytest.raises(Unreachable):
                ask(other.url, ca_file)
            assert KEY.encode() not in other.heard.replace(own.heard, b"")


# ---------------------------------------------------------------- not trusted


def strange(ours: Authority, folder: Path) -> Server:
    return Server(answering(200, PET), Authority(folder, "Somebody else").context("localhost"))


def for_itself(ours: Authority, folder: Path) -> Server:
    return Server(answering(200, PET), self_signed(folder, "localhost")[0])


def expired(ours: Authority, folder: Path) -> Server:
    return Server(answering(200, PET), ours.context("localhost", since=-20 * DAY, until=-10 * DAY))


def not_yet(ours: Authority, folder: Path) -> Server:
    return Server(answering(200, PET), ours.context("localhost", since=10 * DAY))


def elsewhere(ours: Authority, folder: Path) -> Server:
    return Server(answering(200, PET), ours.context("other.example", "www.other.example"))


def old(ours: Authority, folder: Path) -> Outdated:
    return Outdated(ours.context("localhost"))


def polite(ours: Authority, folder: Path) -> Rude:
    return Rude(b"HTTP/1.1 400 This is plain http\r\nContent-Length: 0\r\n\r\n")


def going(ours: Authority, folder: Path) -> Rude:
    return Rude(b"")


def silent(ours: Authority, folder: Path) -> Rude:
    return Rude(None)


ENDS_NOWHERE = pytest.mark.wine("a chain of certificates that ends nowhere is refused")
DISTRUSTED: dict[str, tuple[Callable[[Authority, Path], Place], str]] = {
    "an unknown authority": (strange, "tls-unknown-authority"),
    "self-signed": (for_itself, "tls-self-signed"),
    "expired": (expired, "tls-expired"),
    "not yet valid": (not_yet, "tls-not-yet-valid"),
    "another host": (elsewhere, "tls-wrong-host"),
    "an old protocol": (old, "tls-old"),
    "plain http": (polite, "tls-plain-http"),
    "hung up": (going, "tls-broken-off"),
    "silent": (silent, "timeout"),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=ENDS_NOWHERE) if name == "an unknown authority" else name for name in DISTRUSTED],
)
def test_whoever_is_not_trusted_gets_nothing_and_the_cause_is_named(name: str, ours: Authority, tmp_path: Path) -> None:
    make, why = DISTRUSTED[name]
    with make(ours, tmp_path) as server:
        for act in (read_pet, create_pet):
            with pytest.raises(Unreachable) as caught:
                ask(server.url, ours.file, act, deadline_s=0.3 if name == "silent" else PATIENCE_S)
            assert caught.value.params["why"] == why
            assert caught.value.params["host"] == f"localhost:{server.port}"
            assert outcome(Verb.CREATE, caught.value)[0] is ChangeState.QUEUED
        assert KEY.encode() not in server.heard
        assert b"/v1/pets" not in server.heard
        assert b"Rex" not in server.heard


@pytest.mark.parametrize(
    ("name", "code"), [("self-signed", 0x800B0109), ("not yet valid", 0x800B0101), ("expired", 0x800B0101)]
)
def test_windows_has_one_word_for_two_causes_and_the_certificate_tells_which(
    name: str, code: int, ours: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The handshake is real; what the system's check says of it is said as Windows does (CERT_CHAIN_POLICY_STATUS)."""

    def tls(error: BaseException, kind: type[BaseException]) -> BaseException | None:
        found = find(error, kind)
        if isinstance(found, ssl.SSLCertVerificationError):
            found.verify_code = code
        return found

    find = connection_errors._find
    monkeypatch.setattr(connection_errors, "_find", tls)
    make, why = DISTRUSTED[name]
    with make(ours, tmp_path) as server, pytest.raises(Unreachable) as caught:
        ask(server.url, ours.file)
    assert caught.value.params["why"] == why
    assert "own" not in caught.value.params


@ENDS_NOWHERE
def test_what_the_certificate_says_of_itself_is_told(ours: Authority, tmp_path: Path) -> None:
    told: dict[str, dict[str, object]] = {}
    for name in ("an unknown authority", "expired", "not yet valid", "another host"):
        with DISTRUSTED[name][0](ours, tmp_path) as server, pytest.raises(Unreachable) as caught:
            ask(server.url, ours.file)
        told[name] = caught.value.params
    assert told["an unknown authority"]["issuer"] == "Somebody else"
    assert told["another host"]["names"] == "other.example, www.other.example"
    until, since = told["expired"]["until"], told["not yet valid"]["since"]
    assert isinstance(until, float)
    assert isinstance(since, float)
    assert abs(until - (time.time() - 10 * 86_400)) < 3600
    assert abs(since - (time.time() + 10 * 86_400)) < 3600


@pytest.mark.parametrize(
    ("number", "why"), [(socket.EAI_NONAME, "name"), (socket.EAI_AGAIN, "no-name-service"), (None, "network")]
)
def test_a_name_that_nobody_has_is_another_matter_than_nobody_who_could_know_it(
    number: int | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_up(*_: object, **__: object) -> object:
        if number is None:
            raise OSError(errno.ENETUNREACH, "no route")
        raise socket.gaierror(number, "not found")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(Unreachable) as caught:
        ask("https://shop.example:8443/v1", None)
    host = "shop.example:8443" if number is None else "shop.example"
    assert caught.value.params == {"why": why, "host": host, "operation": "pets.read"}


def test_nothing_in_the_program_can_turn_the_checks_off() -> None:
    package = Path(petstore_desktop.__file__).parent
    forbidden = {"CERT_NONE", "CERT_OPTIONAL", "_create_unverified_context", "check_hostname", "verify_mode"}
    for file in package.rglob("*.py"):
        text = file.read_text("utf-8")
        if not any(word in text for word in {*forbidden, "verify"}):
            continue
        for node in ast.walk(ast.parse(text)):
            name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
            assert name not in forbidden, file
            if isinstance(node, ast.keyword) and node.arg == "verify":
                assert not isinstance(node.value, ast.Constant), file


# ---------------------------------------------------------------- the CA file


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[dict[str, Path]]:
    empty, folder, private = tmp_path / "empty.pem", tmp_path / "folder", tmp_path / "private.pem"
    empty.write_text("# nothing\n")
    folder.mkdir()
    private.write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    spoilt, large = tmp_path / "spoilt.pem", tmp_path / "large.pem"
    spoilt.write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    large.write_bytes(b"-----BEGIN CERTIFICATE-----\n" + b"A" * FILE_CAP)
    yield {
        "ca-file-missing": tmp_path / "gone.pem",
        "ca-file-unreadable": folder,
        "ca-file-no-certificate": empty,
        "ca-file-no-certificate, but a key": private,
        "ca-file-no-certificate, but rubbish": spoilt,
        "ca-file-too-large": large,
    }


def test_a_ca_file_that_cannot_be_used_is_named_and_nothing_is_sent(ours: Authority, broken: dict[str, Path]) -> None:
    with Server(answering(200, PET), ours.context("localhost")) as server:
        for name, path in broken.items():
            code = name.partition(",")[0]
            with pytest.raises(BadInput) as refused:
                read_certificates(str(path))
            assert (refused.value.code, refused.value.params["path"]) == (code, str(path))
            with pytest.raises(Unreachable) as caught:
                ask(server.url, path, create_pet)
            assert (caught.value.params["why"], caught.value.params["path"]) == (code, str(path))
            assert outcome(Verb.CREATE, caught.value)[0] is ChangeState.QUEUED
        assert server.connections == 0


@pytest.mark.parametrize("before", [None, pytest.param("another", marks=ENDS_NOWHERE)])
def test_a_ca_file_that_is_mended_is_used_without_a_restart(
    before: str | None, ours: Authority, tmp_path: Path
) -> None:
    path = tmp_path / "ca.pem"
    if before is not None:
        path.write_bytes(Authority(tmp_path, before).file.read_bytes())

    async def run(server: Server) -> None:
        async with speaking(None, base=server.url, ca_file=str(path)) as client:
            with pytest.raises(Unreachable):
                await read_pet(client)
            path.write_bytes(ours.file.read_bytes())
            await read_pet(client)

    with Server(answering(200, PET), ours.context("localhost")) as server:
        asyncio.run(run(server))


def test_certificates_are_found_among_remarks_and_as_der(ours: Authority, tmp_path: Path) -> None:
    pem = ours.file.read_text()
    remarks, der = tmp_path / "remarks.pem", tmp_path / "ca.der"
    remarks.write_text(f"# Größe: ours\r\n{pem}\n# and again\n{pem}", encoding="utf-8")
    der.write_bytes(ssl.PEM_cert_to_DER_cert(pem))
    with Server(answering(200, PET), ours.context("localhost")) as server:
        for path in (remarks, der):
            assert ask(server.url, path) is not None
