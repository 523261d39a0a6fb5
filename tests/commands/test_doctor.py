"""`doctor` before services that are broken, each in its own way: it names the true cause, and asks little."""

from __future__ import annotations

import shlex
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from petstore_desktop.cli import main
from petstore_desktop.contract.binding.places import document_places
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.checks import MOST_REQUESTS
from petstore_desktop.instance import Instance
from petstore_desktop.session import checking
from petstore_desktop.session.checking import BOUND_S
from petstore_desktop.store.request_log import SendLog
from tests.support.clinic import Clinic
from tests.support.key_service import document
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, error, nine
from tests.support.shop import KEY, Shop

CHECKS = ["address", "key", "document", "operations", "limits", "clock"]
TWO_HOURS = 7_200.0
WEATHER = {
    "openapi": "3.0.3",
    "info": {"title": "Weather", "version": "2"},
    "paths": {"/forecast": {"get": {"responses": {"200": {"description": "sun"}}}}},
}


@pytest.fixture
def services() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def unused_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


# ---------------------------------------------------------------- well


def test_a_shop_in_order_is_told_as_such_check_by_check(tmp_path: Path, clinic: Clinic) -> None:
    with Shop(tmp_path / "shop", plan="free", pets=10) as shop:
        clinic.connect(shop.url)
        before = len(shop.log_lines())
        said = clinic.doctor()
        asked = shop.log_lines()[before:]
        assert (said.status, list(said.checks)) == (0, CHECKS)
        assert all(check["ok"] is True and check["advice"] == "" for check in said.checks.values())
        assert said.checks["operations"]["said"] == "It offers all 18 operations."
        assert len(asked) <= 6
        assert {one["method"] for one in asked} == {"GET"}
        lines = clinic.lines()
        assert len(lines) == len(CHECKS) + 1
        assert all(line.startswith("ok ") for line in lines[:-1])
        assert lines[-1] == "(5 requests, all of them reads)"


def test_what_a_check_sends_counts_for_the_connection(tmp_path: Path, clinic: Clinic) -> None:
    with OddService(nine) as service:
        clinic.connect(service.url)
        clinic.doctor()
        with closing(SendLog(Places(clinic.data).requests("shop"), time.time())) as kept:
            assert [one.method for page in kept.earlier(100) for one in page] == ["GET"] * len(service.asked)


def test_a_service_without_a_document_is_in_order_if_the_standard_operations_answer(clinic: Clinic) -> None:
    with OddService(nine) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert (said.status, said.wrong) == (0, [])
        assert "publishes none" in said.checks["document"]["said"]
        assert "9 of the 18" in said.checks["operations"]["said"]
        assert "change pets" in said.checks["operations"]["said"]
        assert len(service.asked) <= MOST_REQUESTS


def test_the_two_operations_of_the_specification_are_enough(clinic: Clinic) -> None:
    def answer(asked: Asked) -> Reply:
        return Reply(200, [], LIMITS) if asked.path == "/v1/store/orders" else error(404)

    with OddService(answer) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert said.checks["key"]["ok"] is True
        assert "base address" not in said.cause()


def test_a_service_without_a_document_and_orders_is_known_by_its_pets(clinic: Clinic) -> None:
    """It is in order but for its orders, and was said to have none of the standard operations."""

    def answer(asked: Asked) -> Reply:
        return nine(asked) if asked.path in ("/v1/pets", "/v1/categories") else error(404)

    with OddService(answer) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert "publishes none" in said.checks["document"]["said"]
        assert said.checks["key"]["ok"] is True
        assert "orders" in said.checks["operations"]["said"]
        assert len(service.asked) <= MOST_REQUESTS


def test_limits_that_a_person_has_said_need_not_be_said_by_the_service(clinic: Clinic) -> None:
    with OddService(lambda asked: nine(asked, headers=())) as service:
        clinic.connect(service.url, "--plan", "pro")
        assert clinic.doctor().wrong == []


# ---------------------------------------------------------------- broken, each in its own way


Make = Callable[[ExitStack], str]


def serving(answer: Callable[[Asked], Reply], base: str = "/v1") -> Make:
    return lambda stack: stack.enter_context(OddService(answer, base)).url


def html(_: Asked) -> Reply:
    return Reply(200, "<!doctype html><title>Welcome</title>", kind="text/html; charset=utf-8")


def below_api(asked: Asked) -> Reply:
    return Reply(200, [], LIMITS) if asked.path == "/api/v1/store/orders" else error(404)


def with_document(document: object) -> Callable[[Asked], Reply]:
    return lambda asked: Reply(200, document, LIMITS) if asked.path == "/v1/openapi.json" else error(404)


def moved(asked: Asked) -> Reply:
    return Reply(308, "", (("Location", f"https://new.example{asked.path}"),))


def circling(asked: Asked) -> Reply:
    return Reply(302, "", (("Location", asked.path),))


def banned(_: Asked) -> Reply:
    return error(403, "key_banned", "gone too far", ("Retry-After", "3600"))


BROKEN: dict[str, tuple[Make, str, str]] = {
    "nothing listens": (lambda _: f"http://127.0.0.1:{unused_port()}/v1", "address", "Nothing listens at 127.0.0.1"),
    "no such name": (lambda _: "https://shop.invalid/v1", "address", "no computer called shop.invalid"),
    "a web page": (serving(html), "document", "A web page came back"),
    "wrong base path": (serving(below_api, ""), "operations", "/api/v1"),
    "wrong key": (serving(lambda _: error(401, "unauthorized", "no such key")), "key", "does not accept the key"),
    "forbidden": (
        serving(lambda _: error(403, "forbidden", "not for you")),
        "key",
        "does not let this key read anything",
    ),
    "banned": (serving(banned), "key", "has banned this key until"),
    "no document": (serving(lambda _: error(404)), "document", "no OpenAPI document there and none of the standard"),
    "nothing usable": (serving(with_document(WEATHER)), "document", "describes another service: Weather"),
    "an old document": (serving(with_document({"swagger": "1.2", "paths": {}})), "document", "of version 1.2"),
    "a redirect": (serving(moved), "document", "redirects to https://new.example/v1. "),
    "a redirect to itself": (serving(circling), "document", "redirects in a circle"),
    "a redirect to nowhere": (serving(lambda _: Reply(302, "")), "document", "does not say where to."),
    "a document without a title": (
        serving(with_document({**WEATHER, "info": {}})),
        "document",
        "describes another service: one without a title.",
    ),
    "endless words": (serving(lambda _: Reply(200, "hello " * 100_000, LIMITS, "text/plain")), "document", "not JSON"),
    "a long pause": (
        serving(lambda _: error(429, "rate_limited", "slow down", ("Retry-After", "99999999"))),
        "limits",
        "which is unusually long",
    ),
    "too slow": (serving(lambda _: Reply(silent=True)), "document", "did not answer in time"),
    "no list": (serving(lambda _: Reply(200, {"pets": "many"}, LIMITS)), "document", "not with a list"),
    "nothing": (serving(lambda _: Reply(200, "", LIMITS)), "document", "sent an empty answer"),
    "its own failure": (serving(lambda _: error(500, "oops", "a bug")), "document", "failed (status 500)"),
    "too many": (
        serving(lambda _: error(429, "rate_limited", "slow down", ("Retry-After", "600"))),
        "limits",
        "asked to wait until",
    ),
}


def test_the_path_at_which_the_service_is_comes_as_a_command_to_type(clinic: Clinic, services: ExitStack) -> None:
    url = serving(below_api, "")(services)
    clinic.connect(url)
    typed = f"`petstore-desktop connect Shop --url {url}/api/v1`"
    advice = clinic.doctor().checks["operations"]["advice"]
    assert advice == f"Use {url}/api/v1. Type {typed}."
    assert any(line.endswith(advice) for line in clinic.lines())
    clinic.connect(shlex.split(advice.split("`")[1])[-1])
    assert clinic.doctor().checks["operations"]["ok"] is True


def test_a_key_of_the_environment_that_is_not_accepted_is_called_so(clinic: Clinic, services: ExitStack) -> None:
    clinic.connect(serving(lambda _: error(401, "unauthorized", "no such key"))(services))
    assert "PETSTORE_API_KEY" in clinic.doctor().checks["key"]["advice"]


NOTED: dict[str, tuple[Make, str, str]] = {
    "a clock": (serving(lambda asked: nine(asked, ahead=TWO_HOURS)), "clock", "2 h 0 min ahead of"),
    "no limits": (serving(lambda asked: nine(asked, headers=())), "limits", "does not say how many requests"),
    "odd limits": (
        serving(lambda asked: nine(asked, headers=(("X-RateLimit-Limit", "some"),))),
        "limits",
        "in a form that cannot be used: x-ratelimit-limit: some",
    ),
}


def test_a_note_is_printed_as_one(clinic: Clinic, services: ExitStack) -> None:
    clinic.connect(NOTED["a clock"][0](services))
    assert [line[:7] for line in clinic.lines() if not line.startswith(("ok ", "("))] == ["NOTE   "]


@pytest.mark.parametrize("status", [400, 405, 406, 409, 418, 422, 451])
def test_a_refusal_is_told_with_its_status_and_the_services_own_words(status: int, clinic: Clinic) -> None:
    with OddService(lambda _: error(status, "moved", "the API moved to v2")) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
    assert (said.status, said.wrong) == (1, ["document"])
    assert said.cause().startswith(f"The service refuses the request (status {status}): “the API moved to v2”.")
    assert said.checks["address"]["ok"] is True


def test_of_a_long_list_the_beginning_is_judged_and_its_headers_too(clinic: Clinic) -> None:
    many = [{"id": number, "petId": 1, "quantity": 1, "status": "placed"} for number in range(20_000)]

    def answer(asked: Asked) -> Reply:
        return Reply(200, {"data": many}, LIMITS) if nine(asked).status == 200 else error(404)

    with OddService(answer) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
    assert (said.status, said.wrong, said.noted) == (0, [], [])
    assert said.checks["limits"]["said"] == "It says how many requests are left: 50 of 60."
    assert said.checks["clock"]["ok"] is True


def test_a_limit_that_is_not_told_is_no_question_mark(clinic: Clinic) -> None:
    with OddService(lambda asked: nine(asked, headers=(("X-RateLimit-Remaining", "999"),))) as service:
        clinic.connect(service.url)
        assert "999, but not of how many" in clinic.doctor().checks["limits"]["said"]


def test_lists_that_are_not_there_are_told_as_such(clinic: Clinic) -> None:
    def answer(asked: Asked) -> Reply:
        return error(404) if asked.path in ("/v1/categories", "/v1/inventory") else nine(asked)

    with OddService(answer) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
    assert (said.status, said.noted) == (0, ["operations"])
    assert "The service does not have these lists: categories, stock. The rest works." in said.cause()
    assert "File > Operations" in said.cause()


def test_no_internal_name_is_told(clinic: Clinic) -> None:
    with OddService(lambda _: Reply(200, "[{", LIMITS)) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
    assert said.wrong
    assert "rders.list" not in said.out
    assert "he request:" not in said.out


def test_the_true_cause_is_named_and_no_two_are_told_alike(
    clinic: Clinic, services: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What keeps nobody from working there is a note."""
    monkeypatch.setattr(checking, "DEADLINE_S", 1.0)
    told: dict[str, str] = {}
    kinds = BROKEN | NOTED
    for name, (make, where, words) in kinds.items():
        clinic.data = clinic.data.with_name(f"data-{len(told)}")
        clinic.connect(make(services))
        said = clinic.doctor()
        found = (1, [where], []) if name in BROKEN else (0, [], [where])
        assert (said.status, said.wrong, said.noted) == found, name
        assert words in said.checks[where]["said"], name
        assert name in NOTED or said.checks[where]["advice"], name
        assert KEY not in said.out, name
        told[name] = said.cause()
    assert len(set(told.values())) == len(kinds), told
    starts = {" ".join(words.split()[:5]) for words in told.values()}
    assert len(starts) > len(kinds) - 6, starts


@pytest.mark.parametrize("answer", [html, below_api, moved, banned, nine, with_document(WEATHER)])
def test_never_more_than_promised_and_never_a_write(answer: Callable[[Asked], Reply], clinic: Clinic) -> None:
    for base in ("/v1", "", "/some/where/else"):
        with OddService(answer, base) as service:
            clinic.data = clinic.data.with_name(f"data{base.count('/')}")
            clinic.connect(service.url)
            clinic.doctor()
            assert 1 <= len(service.asked) <= MOST_REQUESTS
            assert {asked.method for asked in service.asked} == {"GET"}


# ---------------------------------------------------------------- what is not asked


def test_within_a_ban_nothing_is_sent(clinic: Clinic) -> None:
    with OddService(banned) as service:
        clinic.connect(service.url)
        assert clinic.doctor().wrong == ["key"]
        asked = len(service.asked)
        assert asked == 1
        said = clinic.doctor()
        assert len(service.asked) == asked
        assert "banned this key until" in said.cause()
        assert said.checks["address"]["ok"] is None


def test_without_a_key_nothing_but_the_document_is_asked_for(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    from petstore_desktop import credentials

    with OddService(nine) as service:
        clinic.connect(service.url)
        monkeypatch.setattr(credentials, "ALLOWED", frozenset())
        said = clinic.doctor(key="")
        assert said.wrong == ["key"]
        assert "no keyring" in said.cause()
        assert {asked.path for asked in service.asked} <= {
            urlsplit(place).path for place in document_places(service.url)
        }
        assert not any("authorization" in asked.headers for asked in service.asked)


def test_a_redirect_is_shown_and_the_key_stays_here(clinic: Clinic, services: ExitStack) -> None:
    other = services.enter_context(OddService(nine))
    first = services.enter_context(
        OddService(lambda asked: Reply(302, "", (("Location", f"{other.origin}{asked.path}"),)))
    )
    clinic.connect(first.url)
    said = clinic.doctor()
    assert other.origin in said.checks["document"]["said"]
    assert other.asked == []


def test_a_key_that_is_allowed_only_part_is_told_what_it_may_not_read(clinic: Clinic) -> None:
    def answer(asked: Asked) -> Reply:
        return error(403, "forbidden", "not yours") if asked.path == "/v1/inventory" else nine(asked)

    with OddService(answer) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert said.noted == ["operations"]
        assert "may not read this list: stock" in said.cause()


def test_a_service_that_echoes_the_key_finds_no_echo(clinic: Clinic) -> None:
    def answer(asked: Asked) -> Reply:
        return error(401, "unauthorized", f"unknown: {asked.headers.get('authorization')}")

    with OddService(answer) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert KEY not in said.out
        assert KEY not in "\n".join((*clinic.lines(), *clinic.sample()))
        log = Places(clinic.data).log
        assert not log.exists() or KEY not in log.read_text(encoding="utf-8")


def test_a_key_that_only_the_documents_other_place_takes_is_sent_there_from_then_on(clinic: Clinic) -> None:
    """As Directus' own document has it; with the key of the environment nothing but `doctor` checks."""
    schemes = {
        "Auth": {"type": "apiKey", "in": "header", "name": "Authorization"},
        "KeyAuth": {"type": "apiKey", "in": "query", "name": "access_token"},
    }
    told = document(schemes, [{"Auth": []}, {"KeyAuth": []}])
    told["paths"]["/inventory"]["get"]["security"] = told["paths"]["/pets"]["get"]["security"]

    def serve(asked: Asked) -> Reply:
        if asked.path == "/v1/openapi.json":
            return Reply(200, told, LIMITS)
        if asked.path not in ("/v1/pets", "/v1/inventory"):
            return error(404)
        return Reply(200, [{"id": 1, "name": "Rex"}], LIMITS) if f"access_token={KEY}" in asked.query else error(401)

    with OddService(serve) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert said.checks["key"]["ok"] is True
        assert "access_token" in said.checks["key"]["said"]
        refused = [
            asked for asked in service.asked if asked.path == "/v1/pets" and not asked.query.count("access_token")
        ]
        assert len(refused) == 1
        before = len(service.asked)
        clinic.doctor()
        reads = [asked for asked in service.asked[before:] if asked.path != "/v1/openapi.json"]
        assert all("access_token" in asked.query for asked in reads)


def test_while_a_window_is_open_its_own_check_is_to_be_used(
    clinic: Clinic, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with OddService(nine) as service:
        clinic.connect(service.url)
        held = Instance(clinic.data)
        try:
            assert main(["--data-dir", str(clinic.data), "doctor", "Shop"]) == 1
        finally:
            held.release()
        said = capsys.readouterr()
        assert said.out == ""
        assert "already running" in said.err
        assert service.asked == []


def test_a_connection_that_is_not_there_is_named(clinic: Clinic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data-dir", str(clinic.data), "doctor", "Nowhere"]) == 1
    assert "no connection called Nowhere" in capsys.readouterr().err


def test_a_check_ends_within_a_minute_by_its_own_bound() -> None:
    assert BOUND_S <= 60
