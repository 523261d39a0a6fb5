"""The window as a person uses it: by keyboard, over a real desk, with every word plain."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.model import Op
from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, Reason, SetFields
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, Window
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.sync.events import GateMoved, KeyWanted, Link, LinkMoved, QuotaMoved
from petstore_desktop.ui.actions import ACTIONS
from petstore_desktop.ui.main_window import MainWindow
from petstore_desktop.ui.tabs.resource_tab import ResourceTab
from petstore_desktop.ui.widgets.quota_meter import Meter
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop, full_contract

Key = Qt.Key
KOI = Ref(Resource.PETS, 1234)
BIG = 9_223_372_036_854_775_807


def stock_tab(window: MainWindow) -> ResourceTab:
    """The inventory list, with the focus in its rows."""
    window.tabs.setCurrentIndex(3)
    tab = tab_of(window)
    tab.view.setFocus()
    return tab


def column(tab: ResourceTab, name: str) -> int:
    return [one.id for one in tab.table.columns].index(name)


def go_to(tab: ResourceTab, key: int, name: str) -> None:
    tab.view.setCurrentIndex(tab.model.index_of(key, column(tab, name)))


def editor_of(tab: ResourceTab) -> QLineEdit:
    """The open cell editor."""
    (editor,) = [one for one in tab.view.viewport().findChildren(QLineEdit) if one.isVisible()]
    return editor


def type_in_cell(qtbot: QtBot, tab: ResourceTab, text: str) -> None:
    """Begin to type on a cell, go on in the editor, and press Enter."""
    qtbot.keyClicks(tab.view, text[0])
    qtbot.keyClicks(editor_of(tab), text[1:])
    qtbot.keyClick(editor_of(tab), Key.Key_Return)
    qtbot.waitUntil(lambda: not tab.view.edit_open())


def test_what_scripts_look_for_has_its_name(window: MainWindow) -> None:
    assert window.objectName() == "mainWindow"
    for number, resource in enumerate(("pets", "categories", "orders", "inventory")):
        window.tabs.setCurrentIndex(number)
        tab = tab_of(window)
        assert tab.objectName() == f"{resource}Tab"
        assert tab.view.objectName() == f"{resource}Table"
        assert tab.findChild(QLineEdit, "filterField") is tab.bar.filter
    window.tabs.setCurrentIndex(4)
    for name in ("tabs", "quotaMeter", "pauseBanner", "connectionState", "outboxBadge", "activityView", "newButton"):
        assert window.findChild(QWidget, name) is not None, name


def test_the_title_names_the_shop(window: MainWindow) -> None:
    assert window.windowTitle() == "Riverside Pets — Pet Store"


def test_a_list_is_asked_for_when_its_tab_is_first_shown(window: MainWindow, shop: RecordingShop) -> None:
    assert shop.asked_for("refresh") == [((Resource.PETS,), False)]
    window.tabs.setCurrentIndex(2)
    window.tabs.setCurrentIndex(0)
    window.tabs.setCurrentIndex(2)
    assert shop.asked_for("refresh")[1:] == [((Resource.ORDERS,), False)]


def test_typing_plus_twelve_and_enter_books_twelve_once_and_goes_down(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    row = tab.view.currentIndex().row()
    type_in_cell(qtbot, tab, "+12")
    ((change,),) = shop.asked_for("apply")
    assert change.ref == Ref(Resource.INVENTORY, 1234)
    assert change.intent == AddStock(12)
    assert tab.view.currentIndex().row() == min(row + 1, tab.model.rowCount() - 1)
    qtbot.waitUntil(lambda: window.status.unsent.isVisible())
    assert window.status.unsent.words() == "1 unsent"
    assert tab.model.index_of(1234, column(tab, "stock")).data() == "36"


def test_undo_names_its_target_and_takes_the_unsent_change_back(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    type_in_cell(qtbot, tab, "+12")
    undo = window.parts.actions["undo"]
    qtbot.waitUntil(undo.isEnabled)
    assert "+12" in undo.text()
    assert "Koi" in undo.text()
    qtbot.keyClick(tab.view, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert shop.asked_for("discard") == [(1,)]
    qtbot.waitUntil(lambda: not undo.isEnabled())
    assert tab.model.index_of(1234, column(tab, "stock")).data() == "24"


def test_escape_closes_the_editor_then_the_filter_then_the_details(qtbot: QtBot, window: MainWindow) -> None:
    tab = stock_tab(window)
    tab.set_filter("koi")
    go_to(tab, 1234, "stock")
    assert tab.side.isVisible()
    qtbot.keyClicks(tab.view, "9")
    qtbot.keyClick(editor_of(tab), Key.Key_Escape)
    assert not tab.view.edit_open()
    assert tab.table.filter_text == "koi"
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert tab.table.filter_text == ""
    assert tab.side.isVisible()
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert not tab.side.isVisible()


def test_the_filter_counts_and_says_when_nothing_fits(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    qtbot.keyClick(tab.view, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(tab.bar.filter, "koi")
    assert tab.table.row_count == 1
    assert "1 of 4, as of 13:22" in spoken_words(tab)
    qtbot.keyClicks(tab.bar.filter, "zzz")
    assert tab.state.instead.page.isVisible()
    assert "No pet matches" in tab.state.instead.page.accessibleName()
    qtbot.keyClick(tab.bar.filter, Key.Key_Escape)
    assert tab.table.row_count == 4
    assert not tab.state.instead.page.isVisible()


def spoken_words(widget: QWidget) -> str:
    """Everything that labels below a widget say."""
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_space_opens_and_closes_the_details_and_arrows_change_them(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "id")
    assert tab.side.isVisible()
    qtbot.keyClick(tab.view, Key.Key_Space)
    assert not tab.side.isVisible()
    qtbot.keyClick(tab.view, Key.Key_Space)
    assert tab.side.ref == KOI
    qtbot.keyClick(tab.view, Key.Key_Up)
    assert tab.side.ref == tab.current_ref() != KOI


def test_no_widget_holds_rich_text(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, BIG, "id")
    for number in range(window.tabs.count()):
        window.tabs.setCurrentIndex(number)
    labels = window.findChildren(QLabel)
    assert any("<b>bold</b>" in label.text() for label in labels)
    assert [label.text() for label in labels if label.textFormat() is not Qt.TextFormat.PlainText] == []


def test_ids_and_tags_are_copied_letter_by_letter(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, BIG, "name")
    window.parts.actions["copy"].trigger()
    assert QGuiApplication.clipboard().text() == "<b>bold</b>"
    window.parts.actions["copyId"].trigger()
    assert QGuiApplication.clipboard().text() == str(BIG)
    tab.view.selectAll()
    window.parts.actions["copy"].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 4
    assert f"{BIG}\t<b>bold</b>\tFish\ton loan\t1240\t" in lines


def test_a_pause_is_counted_down_above_the_tabs_and_goes(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    type_in_cell(qtbot, tab, "+12")
    gate = GateView(GatePhase.PAUSED, NOON - 13, NOON + 47, "too many requests", 429, '{"code":"x"}')
    shop.events.tell(GateMoved(CONNECTION, gate))
    qtbot.waitUntil(window.later.pause.banner.isVisible)
    words = spoken_words(window.later.pause.banner)
    assert "Sending is paused for 0:47" in words
    assert "“too many requests”. 1 change wait" in words
    assert window.status.state.words().endswith("paused 0:47")
    shop.clock.advance(1)
    qtbot.waitUntil(lambda: "0:46" in spoken_words(window.later.pause.banner), timeout=3000)
    go_to(tab, 877, "stock")
    type_in_cell(qtbot, tab, "=5")
    assert len(shop.asked_for("apply")) == 2
    shop.events.tell(GateMoved(CONNECTION, GateView()))
    qtbot.waitUntil(lambda: not window.later.pause.banner_row.isVisible())


def test_what_waits_opens_activity(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    window.later.pause.banner.waitsRequested.emit()
    assert window.tabs.currentIndex() == 4


def test_the_connection_is_said_in_three_words(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    assert window.status.state.words() == "\u2068Riverside Pets\u2069, live"
    shop.events.tell(LinkMoved(CONNECTION, Link.OFFLINE, NOON - 60))
    qtbot.waitUntil(lambda: "offline since 13:21" in window.status.state.words())


def test_an_unknown_quota_says_so(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    meters = window.status.meter.findChildren(Meter)
    assert [meter.words() for meter in meters] == ["unknown", "unknown"]
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


def test_beta_operations_carry_a_mark(qtbot: QtBot, window: MainWindow) -> None:
    window.tabs.setCurrentIndex(2)
    tab = tab_of(window)
    go_to(tab, 1198, "id")
    cancel = window.parts.actions["cancelOrder"]
    assert "it may change" in cancel.toolTip()
    assert cancel.text().endswith("(beta)")


def test_every_action_is_in_a_menu(window: MainWindow) -> None:
    held = {action.objectName() for menu in window.menus.menus.values() for action in menu.actions()}
    assert {spec.name for spec in ACTIONS} <= held


def test_no_key_is_given_twice_where_both_could_act(window: MainWindow) -> None:
    for resource in Resource:
        keys: dict[str, str] = {}
        for spec in ACTIONS:
            if spec.only and resource not in spec.only:
                continue
            for keys_of in window.parts.actions[spec.name].shortcuts():
                text = keys_of.toString()
                assert text not in keys, (text, spec.name, keys[text])
                keys[text] = spec.name


def test_alt_digits_set_the_status_of_pets_and_complete_orders(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    go_to(tab_of(window), 1234, "id")
    qtbot.keyClick(tab_of(window).view, Key.Key_3, Qt.KeyboardModifier.AltModifier)
    window.tabs.setCurrentIndex(2)
    go_to(tab_of(window), 1198, "id")
    qtbot.keyClick(tab_of(window).view, Key.Key_2, Qt.KeyboardModifier.AltModifier)
    sold, complete = shop.asked_for("apply")
    assert sold[0].intent == SetFields({"status": "sold"})
    assert complete[0].intent == SetFields({"complete": True})


def test_many_changes_of_one_act_are_one_toast(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = tab_of(window)
    tab.view.selectAll()
    window.parts.actions["setSold"].trigger()
    qtbot.waitUntil(window.later.telling.toast.isVisible)
    assert window.later.telling.toast.words() == "3 changes are saved on this computer"


def test_links_lead_to_records_and_back(qtbot: QtBot, window: MainWindow) -> None:
    window.parts.navigation.open(KOI)
    window.parts.navigation.open(Ref(Resource.ORDERS, 1198))
    assert window.tabs.currentIndex() == 2
    assert tab_of(window).current_ref() == Ref(Resource.ORDERS, 1198)
    qtbot.keyClick(tab_of(window).view, Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert tab_of(window).current_ref() == KOI
    qtbot.keyClick(tab_of(window).view, Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert tab_of(window).current_ref() == Ref(Resource.ORDERS, 1198)


@pytest.mark.qt_log_ignore("grabbing the keyboard")
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


def test_a_shortcut_with_alt_does_not_open_the_menu_bar(qtbot: QtBot, window: MainWindow) -> None:
    view = tab_of(window).view
    qtbot.keyPress(view, Key.Key_Alt)
    qtbot.keyClick(view, Key.Key_O, Qt.KeyboardModifier.AltModifier)
    qtbot.keyRelease(view, Key.Key_Alt)
    assert window.tabs.currentIndex() == 2
    assert not window.menuBar().isVisible()


def test_a_missing_key_is_asked_for_once(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.events.tell(KeyWanted(CONNECTION, None))
    shop.events.tell(KeyWanted(CONNECTION, None))
    qtbot.waitUntil(lambda: window.findChild(QWidget, "keyDialog") is not None)
    assert len(window.findChildren(QWidget, "keyDialog")) == 1


def test_every_control_has_an_accessible_name(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    gate = GateView(GatePhase.PAUSED, NOON - 13, NOON + 47, "too many requests", 429, "{}")
    shop.events.tell(GateMoved(CONNECTION, gate))
    qtbot.waitUntil(window.later.pause.banner.isVisible)
    nameless: list[str] = []
    for number in range(window.tabs.count()):
        window.tabs.setCurrentIndex(number)
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


@pytest.mark.parametrize("number", range(5))
def test_the_window_is_usable_at_1024_by_600(qtbot: QtBot, window: MainWindow, number: int) -> None:
    window.tabs.setCurrentIndex(number)
    window.resize(1024, 600)
    QApplication.processEvents()
    assert (window.width(), window.height()) == (1024, 600)
    hint = window.minimumSizeHint()
    assert hint.width() <= 1024
    assert hint.height() <= 600
    tab = window.tab()
    if tab is None:
        return
    tab.view.setCurrentIndex(tab.model.index(0, 1))
    QApplication.processEvents()
    flexible = next(n for n, one in enumerate(tab.table.columns) if one.flexible)
    assert tab.view.columnWidth(flexible) >= 190
    assert tab.view.horizontalScrollBar().maximum() == 0
    for button in tab.bar.buttons:
        assert tab.bar.rect().contains(button.geometry()) or not button.isVisible()


def test_a_refresh_keeps_the_rows_on_the_screen_where_they_are(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "sold") for n in range(10_000, 10_200)])
    qtbot.waitUntil(lambda: tab.table.row_count == 204)
    go_to(tab, 10_100, "name")
    tab.view.scrollTo(tab.view.currentIndex(), tab.view.ScrollHint.PositionAtCenter)
    before = tab.view.visualRect(tab.view.currentIndex()).top()
    shop.tell_rows(Resource.PETS, [Pet(n, f"Aardvark {n}", 1, "sold") for n in range(20_000, 20_050)])
    qtbot.waitUntil(lambda: tab.table.row_count == 254)
    assert tab.current_ref() == Ref(Resource.PETS, 10_100)
    assert abs(tab.view.visualRect(tab.view.currentIndex()).top() - before) <= 1


@pytest.mark.qt_log_ignore("grabbing the keyboard")
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
    toast = window.later.telling.toast
    qtbot.waitUntil(lambda: toast.isVisible() and toast.words().endswith("+12, saved on this computer"))
    shop.move(1, ChangeState.DONE)
    qtbot.waitUntil(lambda: toast.words().endswith("+12, sent"))


def test_f2_edits_the_cell_of_the_row_that_can_be_edited(qtbot: QtBot, window: MainWindow) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "pet")
    qtbot.keyClick(tab.view, Key.Key_F2)
    assert tab.view.currentIndex().column() == column(tab, "stock")
    assert editor_of(tab).isVisible()
    qtbot.keyClick(editor_of(tab), Key.Key_Escape)
