"""The list of what was sent: live, in place, and copied without anything that is somebody's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from petstore_desktop import log
from petstore_desktop.desk.changes.requests import KEPT, Requests
from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.sync.wire.events import RequestsSent
from petstore_desktop.ui.activity.requests_page import (
    ANSWER,
    TIME,
    TOOK,
    WAITED,
    WHAT,
    WHO,
    RequestsModel,
    RequestsPage,
    outcome_words,
    path_without_names,
    requests_text,
    took_words,
    waited_words,
)
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import PAD
from petstore_desktop.ui.context.tab_specs import ACTIVITY
from petstore_desktop.ui.text.times import local
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

PERSON, CHANGES, VISIBLE, BACKGROUND = RequestClass
DAY = 86_400.0
ONE = SentRequest(NOON, PERSON, "GET", "/pets/1234", 200, 0.0, 0.0841)


def told(*requests: SentRequest, earlier: bool = False) -> RequestsSent:
    return RequestsSent(CONNECTION, requests, earlier)


def many(count: int, start: float = NOON) -> list[SentRequest]:
    return [replace(ONE, at=start + n, path=f"/pets/{round(start) + n}") for n in range(count)]


def column(page: RequestsPage, number: int) -> list[str]:
    return [page.model.index(row, number).data() for row in range(page.model.rowCount())]


@pytest.fixture(autouse=True)
def _version(qapp: QApplication) -> Iterator[None]:
    before = qapp.applicationVersion()
    qapp.setApplicationVersion("1.2.3")
    yield
    qapp.setApplicationVersion(before)


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow) -> RequestsPage:
    window.parts.actions["showRequests"].trigger()
    page = window.activity().requests
    qtbot.waitUntil(page.isVisible)
    return page


def test_with_nothing_sent_it_says_so(page: RequestsPage, window: MainWindow) -> None:
    assert page.currentWidget() is page.empty
    assert page.empty.accessibleName() == "No requests yet"
    assert page.counts == "none today"
    assert not window.parts.actions["copy"].isEnabled()


def test_each_request_says_when_for_whom_what_and_what_came_back(
    qtbot: QtBot, page: RequestsPage, shop: RecordingShop
) -> None:
    shop.events.tell(
        told(
            replace(ONE, at=NOON - DAY, cls=BACKGROUND, path="/pets?cursor=x", status=304),
            replace(ONE, cls=CHANGES, method="PUT", status=429, waited_s=0.2, took_s=12.345),
            replace(ONE, cls=VISIBLE, status=None, lost="timeout", took_s=30.0, waited_s=75.0, probe=True),
            ONE,
        )
    )
    qtbot.waitUntil(lambda: page.model.rowCount() == 4)
    today, yesterday = local(NOON), local(NOON - DAY)
    assert column(page, TIME) == [f"{today:%H:%M:%S}"] * 3 + [f"Yesterday {yesterday:%H:%M:%S}"]
    assert column(page, WHO) == ["person", "refresh on screen", "changes", "background"]
    assert column(page, WHAT) == ["GET /pets/1234", "GET /pets/1234", "PUT /pets/1234", "GET /pets?cursor=x"]
    assert column(page, ANSWER) == [
        "answered 200",
        "no answer: timed out",
        "too many requests 429",
        "unchanged 304",
    ]
    assert column(page, TOOK) == ["84 ms", "30.0 s", "12.3 s", "84 ms"]
    assert column(page, WAITED) == ["–", "1:15", "200 ms", "–"]
    probe = page.model.index(1, WHAT).data(Qt.ItemDataRole.AccessibleTextRole)
    assert probe.endswith("test after a pause")
    assert page.counts == "3 today, 1 refused for too many requests"


@pytest.mark.parametrize(
    ("status", "lost", "words", "tone"),
    [
        (204, "", "answered 204", "ok"),
        (200, "deadline", "answered 200, then took too long", "bad"),
        (302, "", "sent elsewhere 302", "bad"),
        (401, "", "key not accepted 401", "bad"),
        (404, "", "not there 404", "bad"),
        (418, "", "refused 418", "bad"),
        (429, "", "too many requests 429", "wait"),
        (500, "", "failed there 500", "bad"),
        (503, "", "not available 503", "bad"),
        (None, "protocol", "no answer: broken off", "bad"),
        (None, "cancelled", "no answer: cancelled", "done"),
    ],
)
def test_an_outcome_has_words_and_a_tone(status: int | None, lost: str, words: str, tone: str) -> None:
    said, icon, shown = outcome_words(replace(ONE, status=status, lost=lost))
    assert (said, shown) == (words, tone)
    assert icon


def test_durations_keep_their_form(window: MainWindow) -> None:
    assert [took_words(seconds) for seconds in (0.0004, 0.0846, 1.2351, 9.999, 12.36, 59.99, 65)] == [
        "0 ms", "85 ms", "1.23 s", "9.99 s", "12.3 s", "59.9 s", "1:05"
    ]  # fmt: skip
    assert [waited_words(seconds) for seconds in (0.049, 0.05)] == ["–", "50 ms"]


def test_what_is_new_comes_on_top_and_whoever_reads_below_stays_there(
    qtbot: QtBot, page: RequestsPage, shop: RecordingShop
) -> None:
    shop.events.tell(told(*many(200)))
    qtbot.waitUntil(lambda: page.model.rowCount() == 200)
    bar, view = page.view.verticalScrollBar(), page.view
    shop.events.tell(told(*many(3, NOON + 500)))
    qtbot.waitUntil(lambda: page.model.rowCount() == 203)
    assert bar.value() == 0  # who looks at the top sees what comes
    bar.setValue(1000)
    top = view.indexAt(view.rect().topLeft()).row()
    first = page.model.rows[top]
    at = view.visualRect(page.model.index(top, 0)).top()
    shop.events.tell(told(*many(7, NOON + 600)))
    qtbot.waitUntil(lambda: page.model.rowCount() == 210)
    now = view.indexAt(view.rect().topLeft()).row()
    assert page.model.rows[now] is first
    assert view.visualRect(page.model.index(now, 0)).top() == at


def test_a_row_that_is_picked_at_the_top_stays_where_it_is(
    qtbot: QtBot, page: RequestsPage, shop: RecordingShop
) -> None:
    shop.events.tell(told(*many(200)))
    qtbot.waitUntil(lambda: page.model.rowCount() == 200)
    page.view.selectRow(2)
    picked, at = page.model.rows[2], page.view.visualRect(page.model.index(2, 0)).top()
    shop.events.tell(told(*many(5, NOON + 500)))
    qtbot.waitUntil(lambda: page.model.rowCount() == 205)
    assert page.model.rows[page.view.currentIndex().row()] is picked
    assert page.view.visualRect(page.view.currentIndex()).top() == at


def test_ctrl_c_copies_the_picked_rows_and_all_where_none_is_picked(
    qtbot: QtBot, window: MainWindow, page: RequestsPage, shop: RecordingShop
) -> None:
    shop.events.tell(told(*many(30)))
    qtbot.waitUntil(lambda: page.model.rowCount() == 30)
    qtbot.waitUntil(lambda: window.parts.actions["copy"].isEnabled())
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(copied()) == 2 + 30
    page.view.selectRow(4)
    qtbot.keyClick(page.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert [line.split("\t")[3] for line in copied()] == ["Path", page.model.rows[4].path]
    assert window.after_paint.notifier.toast.words() == "1 request is on the clipboard, without the key"


def copied() -> list[str]:
    """The lines on the clipboard that are tab-separated, and the one before them."""
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Pet Store Desktop 1.2.3, shop.example, plan free, times in ")
    return lines[1:] if len(lines) < 4 else lines


def test_everything_can_be_copied_from_the_menu_on_any_tab(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.events.tell(told(*many(5)))
    qtbot.waitUntil(lambda: len(shop.desk.requests) == 5)
    window.parts.actions["copyRequests"].trigger()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 2 + 5
    assert window.shown() == "pets"


def test_the_copied_text_holds_no_key_and_no_words_of_others() -> None:
    log.keep_secret("canary-4711-copied")
    requests = [
        replace(ONE, path="/pets?name=Alice%20M&limit=100&cursor=eyJuYW1lIjoiQWxpY2UifQ&after=1234", probe=True),
        replace(ONE, path="/pets?x=canary-4711-copied", status=None, lost="cancelled", waited_s=1.5),
    ]
    connection = ShopConnection("Alice's", "alice-s", "https://shop.example:8443/v1")
    text = requests_text(requests, connection, NOON)
    first, headings, *rows = text.splitlines()
    assert first.startswith("Pet Store Desktop 1.2.3, shop.example:8443, plan not known, times in ")
    assert f"(UTC{local(NOON):%z})" in first
    assert headings.split("\t") == [
        "Time", "For", "Method", "Path", "Status", "No answer", "Took, s", "Waited, s", "Test after a pause"
    ]  # fmt: skip
    at = local(NOON).isoformat(timespec="milliseconds")
    assert rows[0].split("\t") == [
        at, "person", "GET", "/pets?name=…&limit=100&cursor=…&after=1234", "200", "", "0.084", "0.000", "yes"
    ]  # fmt: skip
    assert rows[1].split("\t") == [at, "person", "GET", "/pets?x=…", "", "cancelled", "0.084", "1.500", ""]
    assert "Alice" not in text
    assert "canary" not in text


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/inventory/9223372036854775807", "/inventory/9223372036854775807"),
        ("/v1/store/orders?page=2", "/v1/store/orders?page=2"),
        ("/pets/Alice%20M/toys", "/pets/…/toys"),
        ("/pets?a b=1&=2", "/pets?…=1&…=2"),
        ("/pets?limit=100&curs…", "/pets?limit=100&…=…"),
        ("/openapi.json", "/openapi.json"),
    ],
)
def test_of_a_path_plain_words_and_numbers_are_kept(path: str, kept: str) -> None:
    assert path_without_names(path) == kept


def test_the_demo_shop_has_no_host_to_name() -> None:
    text = requests_text([], ShopConnection("Demo", "demo", "http://127.0.0.1:4711/v1", "free", demo=True), NOON)
    assert text.startswith("Pet Store Desktop 1.2.3, demo shop, plan free, ")


# ---------------------------------------------------------------- the pages of the tab


def test_the_pages_are_reached_by_menu_mouse_and_arrow_keys(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.parts.actions["showRequests"].trigger()
    activity = window.activity()
    assert window.shown() == ACTIVITY
    assert activity.page() is activity.requests
    shown = window.focusWidget()
    assert shown is not None
    assert (shown.objectName(), shown.accessibleName()) == ("requestsPageButton", "Requests")
    for page in (activity.changes, activity.review, activity.waiting):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Left)
        assert activity.page() is page
    for page in (activity.review, activity.changes, activity.requests):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
        assert activity.page() is page
    buttons = {one.objectName(): one for one in activity.switch.children() if one.objectName()}
    qtbot.mouseClick(buttons["waitingPageButton"], Qt.MouseButton.LeftButton)
    assert activity.page() is activity.waiting
    shop.events.tell(told(*many(2)))
    qtbot.waitUntil(lambda: activity.requests.model.rowCount() == 2)
    window.parts.actions["showRequests"].trigger()
    assert activity.requests.view.hasFocus()
    window.parts.actions["showWaiting"].trigger()
    assert activity.page() is activity.waiting


def test_the_tool_bar_shows_the_tools_and_counts_of_the_shown_page(
    qtbot: QtBot, window: MainWindow, page: RequestsPage, shop: RecordingShop
) -> None:
    activity = window.activity()
    shop.events.tell(told(*many(2)))
    qtbot.waitUntil(lambda: activity.bar._counts.text() == "2 today")
    assert [action.isVisible() for action in page.tools] == [True]
    assert not any(action.isVisible() for action in activity.waiting.tools)
    window.parts.actions["showWaiting"].trigger()
    assert activity.bar._counts.text() == ""
    assert all(action.isVisible() for action in activity.waiting.tools)
    assert not any(action.isVisible() for action in page.tools)


# ---------------------------------------------------------------- the model


def follow(model: RequestsModel, requests: Requests) -> Sequence[float]:
    model.follow(requests)
    return [model.rows[row].at for row in range(model.rowCount())]


def test_the_model_follows_the_desk_and_keeps_qts_rules(
    qtmodeltester: ModelTester, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 300  # the tester looks at every row after every move
    monkeypatch.setattr("petstore_desktop.desk.changes.requests.KEPT", most)
    requests = Requests(lambda at: local(at).date())
    model = RequestsModel(lambda: NOON)
    qtmodeltester.check(model)
    requests.add(many(3, 100), earlier=False)
    requests.add(many(2, 50), earlier=True)
    requests.add(many(2, 10), earlier=True)
    assert follow(model, requests) == [102, 101, 100, 51, 50, 11, 10]
    requests.add(many(1, 200), earlier=False)
    requests.add(many(1, 5), earlier=True)
    assert follow(model, requests) == [200, 102, 101, 100, 51, 50, 11, 10, 5]
    requests.add(many(most - 4, 1000), earlier=False)
    assert follow(model, requests)[-5:] == [1000, 200, 102, 101, 100]
    assert model.rowCount() == most
    requests.add(many(most + 7, 9000), earlier=False)
    assert follow(model, requests) == [one.at for one in reversed(list(requests))]
    assert not model.index(0, 0).flags() & Qt.ItemFlag.ItemIsEditable


def test_what_came_and_went_between_two_looks_is_not_missed() -> None:
    requests = Requests(lambda at: local(at).date())
    model = RequestsModel(lambda: NOON)
    requests.add(many(KEPT - 10, 10_000), earlier=False)
    model.follow(requests)
    requests.add(many(10, 100), earlier=True)
    requests.add(many(5, 90_000), earlier=False)  # pushes half of the earlier ones out again
    assert follow(model, requests) == [one.at for one in reversed(list(requests))]


def test_what_was_asked_has_the_room_that_the_other_columns_do_not_need(
    qtbot: QtBot, page: RequestsPage, window: MainWindow, shop: RecordingShop
) -> None:
    header = page.view.horizontalHeader()
    window.resize(800, 600)
    asked = replace(ONE, path="/inventory?limit=500", probe=True)
    shop.events.tell(told(asked))
    qtbot.waitUntil(lambda: page.model.rowCount() == 1)
    today, needs = header.sectionSize(TIME), current().advance("GET /inventory?limit=500")
    assert header.sectionSize(WHAT) > needs + 2 * PAD
    shop.events.tell(told(replace(asked, at=NOON - DAY), earlier=True))
    qtbot.waitUntil(lambda: page.model.rowCount() == 2)
    assert header.sectionSize(TIME) > today
