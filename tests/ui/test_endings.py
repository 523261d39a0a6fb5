"""An operation that ends says so at its action, and once in a notice."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.lifecycle.sunset import Ending
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import Refused
from petstore_desktop.ui.status import notifications
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.errors.operations import ending_words, notice_words
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, full_contract

TODAY = date(2025, 11, 21)
"""The day of the recording shop's clock."""
LAST = date(2027, 3, 1)

# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (Ending(), "Deprecated: will be removed some day."),
        (Ending(LAST, 100), "Deprecated: will be removed on 1 Mar 2027, in 100 days."),
        (Ending(LAST, 1), "Deprecated: will be removed on 1 Mar 2027, in 1 day."),
        (Ending(LAST, 0), "Deprecated: will be removed on 1 Mar 2027, today."),
        (Ending(LAST, -3), "Deprecated: was to be removed on 1 Mar 2027."),
        (
            Ending(LAST, 100, instead="GET /pets"),
            "Deprecated: will be removed on 1 Mar 2027, in 100 days; GET /pets is used instead.",
        ),
        (
            Ending(LAST, 100, instead="GET /pets", after=True),
            "Deprecated: will be removed on 1 Mar 2027, in 100 days; then GET /pets is used instead.",
        ),
        (
            Ending(LAST, 2, successor="/v2/pets\u202e"),
            "Deprecated: will be removed on 1 Mar 2027, in 2 days; the service names /v2/pets‹202E› instead.",
        ),
        (Ending(LAST, -3, removed=True), "Removed by the service on 1 Mar 2027."),
        (
            Ending(LAST, -3, removed=True, instead="GET /pets"),
            "Removed by the service on 1 Mar 2027; GET /pets is used instead.",
        ),
    ],
)
def test_each_stage_of_an_end_has_its_own_words(ending: Ending, words: str) -> None:
    assert ending_words(ending) == words


def test_the_notice_names_what_ends_and_of_several_the_first() -> None:
    read = (Op.PET_READ, Ending(LAST, 12, instead="GET /pets"))
    assert notice_words([read]) == "Reading one pet ends on 1 Mar 2027, in 12 days; GET /pets is used instead"
    cancel = (Op.ORDER_CANCEL, Ending(date(2027, 2, 20), 3))
    assert notice_words([cancel]) == "Cancelling orders ends on 20 Feb 2027, in 3 days"
    said = notice_words([read, cancel])
    assert said == "2 ways to use this service end soon, first: Cancelling orders, on 20 Feb 2027, in 3 days"


@pytest.mark.parametrize("op", list(Op))
def test_every_operation_can_be_named_in_a_notice(op: Op) -> None:
    assert notice_words([(op, Ending(LAST, 1))]).endswith(" ends on 1 Mar 2027, in 1 day")


def test_an_operation_that_is_gone_and_one_that_may_be_have_their_own_words() -> None:
    about = {"request": "GET /pets/{petId}", "day": "2027-03-01", "raw": "HTTP 404"}
    gone = error_words(Refused("removed", status=410, **about))
    assert gone.what == "The service has removed this (GET /pets/{petId}) on 1 Mar 2027."
    either = error_words(Refused("gone-or-removed", status=404, **about))
    assert "the record is gone, or the way to it (GET /pets/{petId})" in either.what
    assert either.raw == "HTTP 404"


# ---------------------------------------------------------------- the window


def ending_contract(days: int, **marks: object) -> Contract:
    """Cancelling orders ends in so many days."""
    contract = full_contract()
    last = date.fromordinal(TODAY.toordinal() + days).isoformat()
    cancel = replace(contract.operations[Op.ORDER_CANCEL], **{"deprecated": True, "sunset": last, **marks})
    return replace(contract, operations={**contract.operations, Op.ORDER_CANCEL: cancel})


def said(window: MainWindow) -> str:
    toast = window.after_paint.notifier.toast
    return toast.words() if toast.isVisible() else ""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is due is looked for again and again."""
    monkeypatch.setattr(notifications, "LOOK_MS", 20)


def test_how_an_operation_ends_is_said_in_its_tool_tip(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.tell_ready(ending_contract(100))
    window.parts.actions["ordersTab"].trigger()
    action = window.parts.actions["cancelOrder"]
    words = "Deprecated: will be removed on 1 Mar 2026, in 100 days."
    qtbot.waitUntil(lambda: words in action.toolTip())
    assert action.text() == "Cancel or&der…"


def test_an_action_whose_operation_is_removed_says_so_and_cannot_be_used(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.tell_ready(ending_contract(-3, removed=True))
    window.parts.actions["ordersTab"].trigger()
    action = window.parts.actions["cancelOrder"]
    qtbot.waitUntil(lambda: "Removed" in action.toolTip())
    assert action.toolTip().splitlines()[1:] == [
        "The service calls this beta: it may change.",
        "Removed by the service on 18 Nov 2025.",
    ]
    assert not action.isEnabled()


@pytest.mark.usefixtures("at_once")
def test_a_month_before_it_is_said_once_and_not_again_after_a_restart(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, open_window: OpenWindow
) -> None:
    shop.tell_ready(ending_contract(30))
    words = "Cancelling orders ends on 21 Dec 2025, in 30 days"
    qtbot.waitUntil(lambda: said(window) == words)
    assert shop.state["noticed"] == {"orders.cancel": "2025-12-21"}
    window.after_paint.notifier.toast.hide_now()
    shop.tell_ready(ending_contract(30))
    window.after_paint.ending_notice.look()
    assert said(window) == ""
    window.close_now = True
    window.close()

    again = RecordingShop(state=shop.state)
    window = open_window(again)
    again.tell_ready(ending_contract(30))
    tab_of(window)
    qtbot.waitUntil(lambda: again.desk.contract is not None)
    window.after_paint.ending_notice.look()
    assert said(window) == ""
    again.tell_ready(ending_contract(20))  # another day is news
    qtbot.waitUntil(lambda: said(window) == "Cancelling orders ends on 11 Dec 2025, in 20 days")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("days", "marks"), [(31, {}), (-1, {}), (3, {"removed": True})])
def test_nothing_is_said_earlier_nor_afterwards(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, days: int, marks: dict[str, object]
) -> None:
    contract = ending_contract(days, **marks)
    shop.tell_ready(contract)
    qtbot.waitUntil(lambda: shop.desk.contract is contract)
    window.after_paint.ending_notice.look()
    assert said(window) == ""


@pytest.mark.usefixtures("at_once")
def test_the_notice_waits_for_what_is_being_said_and_for_what_is_being_typed(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    tab.focus_filter()
    field = window.focusWidget()
    assert field is not None
    qtbot.keyClicks(field, "k")
    contract = ending_contract(5)
    shop.tell_ready(contract)
    qtbot.waitUntil(lambda: shop.desk.contract is contract)
    window.after_paint.ending_notice.look()
    assert said(window) == ""
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "Cancelling orders ends" in said(window))
