"""`doctor` before certificates that are not trusted, and behind proxies: it says why, and no secret leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from tests.commands.test_doctor import CHECKS, Clinic
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, nine
from tests.support.shop import KEY
from tests.support.tls import Authority, ConnectProxy, self_signed

DAY = timedelta(days=1)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def services() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def good(service: OddService) -> str:
    return service.url.replace("127.0.0.1", "localhost")


def test_a_certificate_of_a_company_is_trusted_by_its_file(clinic: Clinic, authority: Authority) -> None:
    with OddService(nine, tls=authority.context("localhost")) as service:
        clinic.connect(good(service), "--ca-file", str(authority.file))
        said = clinic.doctor()
        assert said.wrong == []
        assert str(authority.file) in said.checks["tls"]["said"]


def unknown(authority: Authority, _: Path) -> object:
    return authority.context("localhost")


def expired(authority: Authority, _: Path) -> object:
    return authority.context("localhost", since=-9 * DAY, until=-DAY)


def too_early(authority: Authority, _: Path) -> object:
    return authority.context("localhost", since=DAY, until=9 * DAY)


def another_name(authority: Authority, _: Path) -> object:
    return authority.context("shop.example")


def own(_: Authority, folder: Path) -> object:
    return self_signed(folder, "localhost")[0]


CAUSES: dict[str, tuple[Callable[[Authority, Path], object], bool, str]] = {
    "unknown authority": (unknown, False, "Our own authority"),
    "expired": (expired, True, "expired"),
    "not yet valid": (too_early, True, "not valid yet"),
    "another name": (another_name, True, "shop.example"),
    "self-signed": (own, False, "self-signed"),
}


@pytest.mark.wine("a chain of certificates that ends nowhere is refused")
def test_each_kind_of_certificate_that_is_not_trusted_is_told_apart_and_nothing_is_sent(
    clinic: Clinic, authority: Authority, tmp_path: Path
) -> None:
    told: dict[str, str] = {}
    for name, (make, trusted, words) in CAUSES.items():
        with OddService(nine, tls=make(authority, tmp_path)) as service:
            clinic.data = clinic.data.with_name(name.replace(" ", "-"))
            clinic.connect(good(service), *(("--ca-file", str(authority.file)) if trusted else ()))
            said = clinic.doctor()
            assert said.wrong == ["tls"], (name, said)
            assert words in said.checks["tls"]["said"], (name, said)
            assert said.checks["tls"]["advice"]
            assert service.asked == []
            told[name] = said.cause()
    assert len(set(told.values())) == len(CAUSES), told


def test_a_ca_file_that_is_gone_is_named(clinic: Clinic, authority: Authority) -> None:
    with OddService(nine, tls=authority.context("localhost")) as service:
        clinic.connect(good(service), "--ca-file", str(authority.file))
        authority.file.unlink()
        said = clinic.doctor()
        assert said.wrong == ["tls"]
        assert str(authority.file) in said.cause()


# ---------------------------------------------------------------- proxies

PASSWORD = "sesame-of-the-proxy"


def test_a_proxy_in_between_is_shown_without_its_password(
    clinic: Clinic, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        OddService(nine, tls=authority.context("shop.example")) as service,
        ConnectProxy(login=f"me:{PASSWORD}") as proxy,
    ):
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:{PASSWORD}@{proxy.address}")
        port = service.origin.rpartition(":")[2]
        clinic.connect(f"https://shop.example:{port}/v1", "--ca-file", str(authority.file))
        said = clinic.doctor()
        assert said.wrong == []
        assert list(said.checks) == [CHECKS[0], "proxy", "tls", *CHECKS[1:]]
        assert proxy.address in said.checks["proxy"]["said"]
        assert PASSWORD not in said.out
        assert PASSWORD not in "\n".join(clinic.lines())


@pytest.mark.parametrize(
    ("refuses", "login", "words"),
    [(403, "", "blocks shop.example"), (0, "me:right", "needs a user name and password"), (502, "", "cannot reach")],
)
def test_what_a_proxy_does_wrong_is_told(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch, refuses: int, login: str, words: str
) -> None:
    with ConnectProxy(refuses=refuses, login=login) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:{PASSWORD}@{proxy.address}")
        clinic.connect("https://shop.example/v1")
        said = clinic.doctor()
        assert said.wrong == ["proxy"]
        assert words in said.cause()
        assert PASSWORD not in said.out
        assert KEY not in said.out


def test_a_proxy_that_is_not_there_is_told(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://me:{PASSWORD}@127.0.0.1:9")
    clinic.connect("https://shop.example/v1")
    said = clinic.doctor()
    assert said.wrong == ["proxy"]
    assert "127.0.0.1:9" in said.cause()
    assert PASSWORD not in said.out
    assert said.checks["address"]["ok"] is None


def test_a_redirect_to_plain_http_is_shown_and_the_key_stays_here(
    clinic: Clinic, authority: Authority, services: ExitStack
) -> None:
    plain = services.enter_context(OddService(nine))

    def answer(asked: Asked) -> Reply:
        return Reply(301, "", (*LIMITS, ("Location", f"{plain.origin}{asked.path}")))

    secure = services.enter_context(OddService(answer, tls=authority.context("localhost")))
    clinic.connect(good(secure), "--ca-file", str(authority.file))
    said = clinic.doctor()
    assert plain.origin in said.cause()
    assert plain.asked == []
