"""The window over a real desk: its names, counts, states, marks and words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.changes import ChangeState, NewChange, Reason, SetFields
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, Window
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.sync.wire.events import GateMoved, KeyWanted, Link, LinkMoved, QuotaMoved
from petstore_desktop.ui.base.theme import tooltip
from petstore_desktop.ui.context.actions import ACTIONS
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.questions.error import CrashStrip
from petstore_desktop.ui.status.quota_meter import Meter
from petstore_desktop.ui.text.cell import CellRole
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, go_to, spoken_words, stock_tab, type_in_cell
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop, full_contract

Key = Qt.Key
KOI = Ref(Resource.PETS, 1234)
BIG = 9_223_372_036_854_775_807


def test_what_scripts_look_for_has_its_name(window: MainWindow) -> None:
    assert window.objectName() == "mainWindow"
    for resource in ("pets", "categories", "orders", "inventory"):
        window.show_tab(resource)
        tab = tab_of(window)
        assert tab.objectName() == f"{resource}Tab"
        assert tab.view.objectName() == f"{resource}Table"
        assert tab.findChild(QLineEdit, "filterField") is tab.bar.filter
    window.show_tab("activity")
    for name in ("tabs", "quotaMeter", "pauseBanner", "connectionState", "outboxBadge", "activityView", "newButton"):
        assert window.findChild(QWidget, name) is not None, name


def test_the_title_names_the_shop(window: MainWindow) -> None:
    assert window.windowTitle() == "Riverside Pets — Pet Store Desktop"


def test_no_widget_holds_rich_text(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, BIG, "id")
    for name in TABS:
        window.show_tab(name)
    labels = window.findChildren(QLabel)
    assert any("<b>bold</b>" in label.text() for label in labels)
    assert [label.text() for label in labels if label.textFormat() is not Qt.TextFormat.PlainText] == []


def test_a_pause_is_counted_down_above_the_tabs_and_goes(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    type_in_cell(qtbot, tab, "+12")
    gate = GateView(GatePhase.PAUSED, NOON - 13, NOON + 47, "too many requests", 429, '{"code":"x"}')
    shop.events.tell(GateMoved(CONNECTION, gate))
    qtbot.waitUntil(window.after_paint.pause.banner.isVisible)
    words = spoken_words(window.after_paint.pause.banner)
    assert "Sending is paused for 0:47" in words
    assert "“too many requests”. 1 change wait" in words
    qtbot.waitUntil(lambda: window.status.state.words().endswith("paused 0:47"))
    shop.clock.advance(1)
    qtbot.waitUntil(lambda: "0:46" in spoken_words(window.after_paint.pause.banner))
    go_to(tab, 877, "stock")
    type_in_cell(qtbot, tab, "=5")
    assert len(shop.asked_for("apply")) == 2
    shop.events.tell(GateMoved(CONNECTION, GateView()))
    qtbot.waitUntil(lambda: not window.after_paint.pause.banner.isVisible())


def test_what_waits_opens_activity(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    window.after_paint.pause.banner.waitsRequested.emit()
    assert window.shown() == "activity"


def test_the_connection_is_said_in_three_words(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    assert window.status.state.words() == "\u2068Riverside Pets\u2069, live"
    shop.events.tell(LinkMoved(CONNECTION, Link.OFFLINE, NOON - 60))
    qtbot.waitUntil(lambda: "offline since 13:21" in window.status.state.words())


def test_an_unknown_quota_says_so(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    meters = window.status.meter.findChildren(Meter)
    assert [meter.words() for meter in meters] == ["limit unknown", "limit unknown"]
    quota = Quota(Window(60, 52, NOON + 9), Window(1000, 943, None, own_count=True))
    shop.events.tell(QuotaMoved(CONNECTION, quota))
    qtbot.waitUntil(lambda: meters[0].words() == "52 of 60 left")
    assert meters[1].words() == "≈ 943 of 1,000 left"


def test_a_refusal_is_counted_marked_and_explained(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    change = NewChange(KOI, SetFields({"category_id": 2}), {"category_id": 1})
    shop.events.tell(shop.saved([change], "b"))
    shop.move(1, ChangeState.REFUSED, Reason("bad", "unknown category <i>", 400, "{}"))
    qtbot.waitUntil(window.status.needs.isVisible)
    assert window.status.needs.words() == "1 refused"
    tab = tab_of(window)
    go_to(tab, 1234, "id")
    assert "Refused: “unknown category <i>”. Your change is kept here." in spoken_words(tab.side)
    cell = tab.model.index_of(1234, column(tab, "category"))
    assert (cell.data(), cell.data(CellRole).mark) == ("Birds", "refused")
    both = "Mine: Birds. At the shop: Fish. Refused: “unknown category <i>”. Your change is kept here."
    assert cell.data(Qt.ItemDataRole.AccessibleDescriptionRole) == both
    assert cell.data(Qt.ItemDataRole.ToolTipRole) == tooltip(both)


def test_actions_that_the_service_does_not_offer_say_why(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.tell_ready(full_contract(Op.PET_CHANGE, Op.PET_DELETE, Op.ORDER_CHANGE))
    shop.tell_rows(Resource.PETS, [Pet(1, "Koi", 1, "sold")])
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 1)
    go_to(tab, 1, "id")
    for name in ("edit", "delete", "setSold"):
        action = window.parts.actions[name]
        assert not action.isEnabled()
        assert "does not offer this" in action.toolTip()
    assert window.parts.actions["newPet"].isEnabled()


def test_what_the_service_calls_beta_is_said_in_the_tool_tip_alone(qtbot: QtBot, window: MainWindow) -> None:
    window.show_tab("orders")
    tab = tab_of(window)
    go_to(tab, 1198, "id")
    cancel = window.parts.actions["cancelOrder"]
    assert "it may change" in cancel.toolTip()
    assert cancel.text() == "Cancel or&der…"


def test_every_action_is_in_a_menu(window: MainWindow) -> None:
    held = {action.objectName() for menu in window.menus.menus.values() for action in menu.actions()}
    assert {spec.name for spec in ACTIONS} <= held


def test_many_changes_of_one_act_are_one_toast(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = tab_of(window)
    tab.view.selectAll()
    window.parts.actions["setSold"].trigger()
    qtbot.waitUntil(window.after_paint.notifier.toast.isVisible)
    assert window.after_paint.notifier.toast.words() == "3 pets: sold, saved on this computer"


@pytest.mark.qt_log_ignore("grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_f10_shows_the_menu_bar_and_alt_alone_too(qtbot: QtBot, window: MainWindow) -> None:
    view = tab_of(window).view
    assert not window.menuBar().isVisible()
    qtbot.keyClick(view, Key.Key_F10)
    assert window.menuBar().isVisible()
    window.menuBar().hide()
    view.setFocus()
    qtbot.keyPress(view, Key.Key_Alt)
    qtbot.keyRelease(view, Key.Key_Alt)
    assert window.menuBar().isVisible()


@pytest.mark.usefixtures("idle_soon")
def test_a_missing_key_is_asked_for_once(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.events.tell(KeyWanted(CONNECTION, None))
    shop.events.tell(KeyWanted(CONNECTION, None))
    qtbot.waitUntil(lambda: window.findChild(QWidget, "keyDialog") is not None)
    assert len(window.findChildren(QWidget, "keyDialog")) == 1


def test_every_control_has_an_accessible_name(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    gate = GateView(GatePhase.PAUSED, NOON - 13, NOON + 47, "too many requests", 429, "{}")
    shop.events.tell(GateMoved(CONNECTION, gate))
    qtbot.waitUntil(window.after_paint.pause.banner.isVisible)
    nameless: list[str] = []
    for name in TABS:
        window.show_tab(name)
        tab = window.tab()
        if tab is not None:
            tab.view.setCurrentIndex(tab.model.index(0, 1))
        controls = [*window.findChildren(QAbstractButton), *window.findChildren(QLineEdit)]
        nameless += [
            f"{type(one).__name__} {one.objectName()}"
            for one in controls
            if one.isVisible() and not one.accessibleName() and not one.text()
        ]
    assert nameless == []


@pytest.mark.parametrize("name", TABS)
def test_the_window_is_usable_at_1024_by_600(qtbot: QtBot, window: MainWindow, name: str) -> None:
    window.show_tab(name)
    window.resize(1024, 600)
    QApplication.processEvents()
    assert (window.width(), window.height()) == (1024, 600)
    qtbot.waitUntil(lambda: window.minimumSizeHint().width() <= 1024)
    assert window.minimumSizeHint().height() <= 600
    tab = window.tab()
    if tab is None:
        return
    tab.view.setCurrentIndex(tab.model.index(0, 1))
    QApplication.processEvents()
    flexible = next(n for n, one in enumerate(tab.table.columns) if one.flexible)
    assert tab.view.columnWidth(flexible) >= 190
    qtbot.waitUntil(lambda: tab.view.horizontalScrollBar().maximum() == 0)
    for button in tab.bar.buttons:
        assert tab.bar.rect().contains(button.geometry()) or not button.isVisible()


@pytest.mark.qt_log_ignore("grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_rows_and_headers_have_context_menus(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.view.customContextMenuRequested.emit(QPoint(100, 50))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert "checkLive" in {action.objectName() for action in menu.actions()}
    menu.close()
    header = tab.extras.header_menu.menu_for(column(tab, "status"))
    assert any("Hide" in action.text().replace("&", "") for action in header.actions())
    header.close()


def test_a_toast_follows_its_change_to_the_service(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    type_in_cell(qtbot, tab, "+12")
    toast = window.after_paint.notifier.toast
    qtbot.waitUntil(lambda: toast.isVisible() and toast.words().endswith("+12, saved on this computer"))
    shop.move(1, ChangeState.DONE)
    qtbot.waitUntil(lambda: toast.words().endswith("+12, sent"))


def test_a_toast_goes_with_the_change_that_was_taken_back(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    type_in_cell(qtbot, tab, "+12")
    toast = window.after_paint.notifier.toast
    qtbot.waitUntil(lambda: toast.isVisible() and toast.words().endswith("+12, saved on this computer"))
    shop.discard((1,))
    qtbot.waitUntil(toast.isHidden)


def test_a_crash_is_told_in_a_strip_that_is_closed_or_leads_to_the_report(qtbot: QtBot, window: MainWindow) -> None:
    done = list[str]()
    for name, does in (("closeCrashStrip", "seen"), ("showCrashReport", "looked")):
        keyboard = QApplication.focusWidget()
        strip = CrashStrip(lambda: done.append("looked"), lambda: done.append("seen"))
        window.place_banner(strip)
        qtbot.waitUntil(strip.isVisible)
        assert QApplication.focusWidget() is keyboard
        found = strip.findChild(QAbstractButton, name)
        assert found is not None
        found.click()
        assert done.pop() == does and not strip.isVisible()
