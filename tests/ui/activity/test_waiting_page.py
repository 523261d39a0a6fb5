"""What waits, in the order of sending, and what one can do about it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, Reason, SetFields
from petstore_desktop.domain.quota import Cause, GateView, Hold, Quota
from petstore_desktop.domain.quota import Window as Minute
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import GateMoved, QuotaMoved
from petstore_desktop.ui.activity.waiting_page import CHANGE, RECORD, STATE, ActivityModel, WaitingPage
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.questions.raw_answer import RawDialog
from petstore_desktop.ui.status.status_line import StateLabel
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

ACTS = (
    NewChange(Ref(Resource.INVENTORY, 1234), AddStock(12), {"quantity": 24}),
    NewChange(Ref(Resource.PETS, 1234), SetFields({"category_id": 2}), {"category_id": 1}),
    NewChange(Ref(Resource.ORDERS, 1198), SetFields({"complete": True}), {"complete": False}),
)


@pytest.fixture
def activity(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> WaitingPage:
    """Three changes, the second one refused."""
    shop.events.tell(shop.saved(ACTS, "b"))
    shop.move(2, ChangeState.REFUSED, Reason("bad", "no such category", 400, '{"code":"bad"}'))
    window.show_tab("activity")
    tab = window.activity().waiting
    qtbot.waitUntil(lambda: tab.model.rowCount() == 3 and tab.model.line(1).mark == "refused")
    return tab


def test_changes_stand_in_the_order_of_sending(activity: WaitingPage) -> None:
    model = activity.model
    records = [model.index(row, RECORD).data() for row in range(3)]
    assert records == ["Koi", "Koi", "Order 1198"]
    assert [model.index(row, CHANGE).data() for row in range(3)] == ["+12", "Birds", "complete"]
    assert model.index(1, STATE).data() == "Refused: “no such category”. Your change is kept here."


def test_names_are_read_whole_in_a_wide_window(qtbot: QtBot, activity: WaitingPage) -> None:
    window, header = activity.window(), activity.view.horizontalHeader()
    qtbot.waitUntil(lambda: header.sectionSize(STATE) >= header.sectionSize(RECORD) > 400)
    window.resize(1024, 600)
    qtbot.waitUntil(lambda: header.sectionSize(RECORD) < 300 < header.sectionSize(STATE))


def test_a_refused_change_is_sent_again_or_discarded_or_looked_into(
    qtbot: QtBot, activity: WaitingPage, shop: RecordingShop
) -> None:
    activity.view.selectRow(1)
    activity.retry.trigger()
    assert shop.asked_for("retry") == [(2,)]
    activity.raw.trigger()
    (raw,) = activity.window().findChildren(RawDialog)
    assert raw.text.toPlainText() == '{"code":"bad"}'
    raw.reject()
    activity.discard.trigger()
    (question,) = [one for one in activity.window().findChildren(Dialog) if one.objectName() == "discardDialog"]
    assert shop.asked_for("discard") == []
    question.accept()
    assert shop.asked_for("discard") == [(2,)]
    qtbot.waitUntil(lambda: activity.model.rowCount() == 2)
    (decision,) = shop.desk.outbox.decisions
    toast = activity.window().findChild(Toast)
    assert toast is not None
    assert toast.accessibleName().startswith("1 change discarded")
    toast.undoRequested.emit()
    assert shop.asked_for("take_back") == [decision]


def test_an_unsent_change_cannot_be_sent_again(activity: WaitingPage) -> None:
    activity.view.selectRow(0)
    assert not activity.retry.isEnabled()
    assert activity.discard.isEnabled()


def test_a_change_leads_to_its_record(activity: WaitingPage, window: MainWindow) -> None:
    activity.view.selectRow(2)
    activity.go.trigger()
    assert tab_of(window).current_ref() == Ref(Resource.ORDERS, 1198)


def test_with_nothing_to_send_it_says_so(qtbot: QtBot, window: MainWindow) -> None:
    window.show_tab("activity")
    empty = window.activity().waiting.empty
    assert empty.isVisible()
    assert empty.accessibleName() == "The outbox is empty"


def test_a_hidden_list_is_brought_up_to_date_when_it_is_shown(
    qtbot: QtBot, activity: WaitingPage, window: MainWindow, shop: RecordingShop
) -> None:
    window.show_tab("pets")
    shop.move(2, ChangeState.QUEUED)
    tab_of(window)
    shop.events.tell(shop.saved((replace(ACTS[0], intent=AddStock(1)),), "c"))
    qtbot.waitUntil(lambda: len(shop.desk.outbox) == 4)
    assert activity.model.rowCount() == 3
    window.show_tab("activity")
    assert activity.model.rowCount() == 4


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester, activity: WaitingPage, shop: RecordingShop) -> None:
    model = ActivityModel()
    qtmodeltester.check(model)
    lines = shop.desk.outbox.lines()
    model.set_lines(lines, None, NOON)
    model.set_lines(lines[1:], None, NOON)
    model.set_lines(lines[1:], None, NOON + 1)
    qtmodeltester.check(model)
    assert model.line(0).change_id == 2
    assert model.row_of(3) == 1


def test_until_when_a_change_waits_is_read_whole_in_a_small_window_with_the_words_of_the_status_bar(
    qtbot: QtBot, activity: WaitingPage, shop: RecordingShop
) -> None:
    """It was cut off before the time."""
    window, view = activity.window(), activity.view
    window.resize(1024, 600)
    gate = GateView(hold=Hold(Cause.MINUTE_SHARE, NOON + 43))
    shop.events.tell(GateMoved(CONNECTION, gate), QuotaMoved(CONNECTION, Quota(Minute(60, 5, NOON + 43))))
    waits = "aits for the minute’s requests, until 13:22:43"
    index = activity.model.index(0, STATE)
    qtbot.waitUntil(lambda: waits in str(index.data()))
    state = window.findChild(StateLabel, "connectionState")
    qtbot.waitUntil(lambda: waits in state.accessibleName())
    qtbot.waitUntil(lambda: current().advance(str(index.data())) <= view.columnWidth(STATE) - 20)
