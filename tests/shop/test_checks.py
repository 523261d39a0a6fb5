"""The check of a connection that is open: through its own gate, told in the window's thread, listed in its requests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from petstore_desktop.api.gate.registry import GateRegistry
from petstore_desktop.clock import SystemClock
from petstore_desktop.contract.cache import from_json
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.checks import About, Check, CheckReport, ConnectionInput
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.shop.checks import ConnectionChecks, check_open
from petstore_desktop.sync.wire.events import GateMoved, RequestsSent
from tests.support.session import NAME, Watched
from tests.support.shop import Shop


class Heard:
    """What a check told, and in which threads."""

    def __init__(self) -> None:
        self.checks: list[Check] = []
        self.reports: list[CheckReport] = []
        self.threads: set[threading.Thread] = set()

    def tell(self, check: Check) -> None:
        self.threads.add(threading.current_thread())
        self.checks.append(check)

    def done(self, report: CheckReport) -> None:
        self.threads.add(threading.current_thread())
        self.reports.append(report)

    def wait(self, qtbot: QtBot, start: Callable[[Any, Any], Callable[[], None]]) -> CheckReport:
        before = len(self.reports)
        start(self.tell, self.done)
        qtbot.waitUntil(lambda: len(self.reports) > before)
        return self.reports[-1]


def test_the_open_connection_is_checked_with_a_few_reads_that_are_listed(qtbot: QtBot, tmp_path: Path) -> None:
    heard = Heard()
    with Shop(tmp_path / "shop", plan="unlimited", pets=10) as shop, Watched(tmp_path / "data", shop) as session:
        session.wait_loaded()
        before = len(shop.log_lines())
        report = heard.wait(qtbot, lambda tell, done: check_open(session.session, tell, done))
        assert report.ok
        asked = shop.log_lines()[before:]
        assert {line["method"] for line in asked} == {"GET"}
        assert len(asked) == report.requests <= 6
        session.wait(
            lambda: [e for e in session.of(RequestsSent) if [r.path for r in e.requests][:1] == ["/openapi.json"]],
            "the requests of the check are told",
        )
    assert heard.threads == {threading.main_thread()}
    assert sorted(check.about for check in heard.checks) == sorted(check.about for check in report.checks)


def test_a_pause_that_a_check_meets_holds_the_open_connection_and_the_next_check(qtbot: QtBot, tmp_path: Path) -> None:
    heard = Heard()
    with Shop(tmp_path / "shop", plan="free", pets=10) as shop, Watched(tmp_path / "data", shop) as session:
        session.wait_loaded()
        shop.control("exhaust")
        report = heard.wait(qtbot, lambda tell, done: check_open(session.session, tell, done))
        assert report.cause is not None
        assert (report.cause.about, report.cause.may_pass) == (About.LIMITS, True)
        closed = (GatePhase.PAUSED, GatePhase.SPENT)
        session.wait(lambda: [e for e in session.of(GateMoved) if e.gate.phase in closed], "the session waits as well")
        before = len(shop.log_lines())
        again = heard.wait(qtbot, lambda tell, done: check_open(session.session, tell, done))
        assert again.requests == 0
        assert len(shop.log_lines()) == before
        assert not any(line["inside_pause"] for line in shop.log_lines())


def test_without_a_key_nothing_but_the_document_is_asked_for(qtbot: QtBot, tmp_path: Path) -> None:
    heard = Heard()
    with Shop(tmp_path / "shop", pets=10) as shop, Watched(tmp_path / "data", shop, key=None) as session:
        report = heard.wait(qtbot, lambda tell, done: check_open(session.session, tell, done))
        assert report.cause is not None
        assert (report.cause.about, report.cause.code) == (About.KEY, "no-key")
        assert [line["path"] for line in shop.log_lines()] == ["/v1/openapi.json"]


def test_a_check_that_is_stopped_at_once_sends_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    heard = Heard()
    with Shop(tmp_path / "shop", pets=10) as shop, Watched(tmp_path / "data", shop) as session:
        session.wait_loaded()
        before = len(shop.log_lines())
        check_open(session.session, heard.tell, heard.done)()
        qtbot.waitUntil(lambda: bool(heard.reports))
        assert len(shop.log_lines()) - before <= 1


def test_what_was_learnt_and_sent_before_connecting_is_the_connections(qtbot: QtBot, tmp_path: Path) -> None:
    places, heard = Places(tmp_path / "data"), Heard()
    with Shop(tmp_path / "shop", plan="unlimited", pets=10) as shop:
        checks, inputs = ConnectionChecks(places, SystemClock(), GateRegistry()), ConnectionInput(shop.url, shop.key)
        assert heard.wait(qtbot, lambda tell, done: checks.check(inputs, tell, done)).ok
        checks.kept(inputs, NAME)
        assert len(from_json(places.contract(NAME).read_text(encoding="utf-8")).operations) == 18
        with Watched(tmp_path / "data", shop) as session:
            (told,) = session.wait(lambda: [e for e in session.of(RequestsSent) if e.earlier], "earlier ones")
        assert len(told.requests) == 5
    assert repr(inputs).count(shop.key) == 0


def test_files_are_meant_from_where_the_program_runs(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.json").write_text(
        json.dumps({"openapi": "3.0.0", "info": {"title": "Mine"}, "paths": {"/store/orders": {"get": {}}}}),
        encoding="utf-8",
    )
    heard = Heard()
    with Shop(tmp_path / "shop", plan="unlimited", pets=10) as shop:
        checks = ConnectionChecks(Places(tmp_path / "data"), SystemClock(), GateRegistry())
        inputs = ConnectionInput(shop.url, shop.key, document="mine.json")
        report = heard.wait(qtbot, lambda tell, done: checks.check(inputs, tell, done))
        said = report.of(About.DOCUMENT)
        assert said is not None
        assert (said.ok, said.params["title"]) == (True, "Mine")
        inputs = ConnectionInput(shop.url, shop.key, document=str(tmp_path / "none.json"))
        report = heard.wait(qtbot, lambda tell, done: checks.check(inputs, tell, done))
        assert report.cause is not None
        assert (report.cause.about, report.cause.code) == (About.DOCUMENT, "document-missing")


def test_a_check_is_stopped_at_once_while_a_document_is_read(qtbot: QtBot, tmp_path: Path) -> None:
    document, heard = tmp_path / "long.yaml", Heard()
    document.write_text("openapi: 3.0.3\npaths: {}\na: [" + "1, " * 40_000 + "1]\n", encoding="utf-8")

    def reading() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "document"]

    checks = ConnectionChecks(Places(tmp_path / "data"), SystemClock(), GateRegistry())
    stop = checks.check(ConnectionInput("http://127.0.0.1:9", document=str(document)), heard.tell, heard.done)
    qtbot.waitUntil(lambda: bool(reading() or heard.reports))
    stop()
    qtbot.waitUntil(lambda: bool(heard.reports))
    assert reading(), "it was read to its end"
    assert [check.code for check in heard.reports[0].checks if not check.ok][:1] == ["stopped"]
    qtbot.waitUntil(lambda: not reading())
