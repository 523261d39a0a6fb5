"""The kit's widgets: worked by keyboard, named for a screen reader, plain about text, painted in both themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAccessible, QAction, QColor, QEnterEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui import icons
from petstore_desktop.ui.delegates.roles import Cell, pill_cell
from petstore_desktop.ui.theme import LIGHT, ThemeController
from petstore_desktop.ui.widgets.button import Button, CheckBox
from petstore_desktop.ui.widgets.details_pane import ChangeEntry, DetailsPane, Fact, QueueItem
from petstore_desktop.ui.widgets.dialogs import Dialog, ErrorDialog, PriceLine
from petstore_desktop.ui.widgets.empty_state import EmptyRow, EmptyState
from petstore_desktop.ui.widgets.fields import FormField, SearchButton, SearchField
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from petstore_desktop.ui.widgets.pause_banner import PauseBanner
from petstore_desktop.ui.widgets.pills import Chip, Pill, StockLine
from petstore_desktop.ui.widgets.quota_meter import Meter, MeterReading, QuotaMeter
from petstore_desktop.ui.widgets.status_bar import CountBadge, StateLabel, StatusBar
from petstore_desktop.ui.widgets.tab_strip import TabRow, TabStrip
from petstore_desktop.ui.widgets.toast import Toast
from petstore_desktop.ui.widgets.tool_bar import ToolBar


def name_of(widget: QWidget) -> str:
    """What a screen reader calls the widget."""
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name)


def shown(qtbot: QtBot, widget: QWidget, size: QSize | None = None) -> QWidget:
    """The widget on screen, with the focus."""
    qtbot.addWidget(widget)
    if size is not None:
        widget.resize(size)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.activateWindow()
    widget.setFocus()
    return widget


def badge() -> CountBadge:
    made = CountBadge()
    made.set_count(3, "3 unsent", "saved", "accent")
    return made


def state() -> StateLabel:
    made = StateLabel()
    made.set_state("live", "Riverside Pets, live", "ok")
    return made


CLICKABLE: dict[str, Callable[[], QWidget]] = {
    "primary": lambda: Button("Save 212 changes", "primary", "check", "Ctrl+Enter"),
    "plain": lambda: Button("Test and connect", "plain", price="1 request"),
    "quiet": lambda: Button("Raw answer", "quiet"),
    "icon": lambda: Button("Menu", "icon", "menu"),
    "search": lambda: SearchButton("Search or jump to", "Ctrl+K"),
    "link": lambda: LinkLabel("Check live"),
    "badge": badge,
    "state": state,
    "meter": QuotaMeter,
}


@pytest.mark.parametrize("kind", CLICKABLE)
@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return], ids=["space", "enter"])
def test_what_can_be_clicked_works_by_keyboard_and_has_a_name(qtbot: QtBot, kind: str, key: Qt.Key) -> None:
    widget = CLICKABLE[kind]()
    shown(qtbot, widget)
    assert widget.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert name_of(widget)
    with qtbot.waitSignal(widget.clicked, timeout=1000):  # pyright: ignore[reportAttributeAccessIssue]  each has it
        qtbot.keyClick(widget, key)


@pytest.mark.parametrize("kind", CLICKABLE)
def test_focus_is_seen_and_does_not_move_the_layout(qtbot: QtBot, kind: str) -> None:
    holder = QWidget()
    column = QVBoxLayout(holder)
    widget, other = CLICKABLE[kind](), Button("Other")
    column.addWidget(widget)
    column.addWidget(other)
    shown(qtbot, holder)
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    without, size = widget.grab().toImage(), widget.size()
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    assert widget.grab().toImage() != without
    assert widget.size() == size


@pytest.mark.parametrize("kind", CLICKABLE)
def test_each_widget_is_painted_anew_when_the_theme_changes(
    qtbot: QtBot, kind: str, controller: ThemeController
) -> None:
    widget = shown(qtbot, CLICKABLE[kind]())
    light = widget.grab().toImage()
    controller.set_preference("dark")
    assert widget.grab().toImage() != light


def test_labels_never_take_text_for_markup(qtbot: QtBot) -> None:
    label = PlainLabel("<b>Koi</b> &amp; <img src='x'>")
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert name_of(label) == "<b>Koi</b> &amp; <img src='x'>"
    assert Button("Cats & <b>dogs</b>").words() == "Cats & <b>dogs</b>"


def test_no_label_of_a_pane_dialog_or_bar_is_rich(qtbot: QtBot) -> None:
    pane = DetailsPane()
    pane.set_facts([Fact("Name", Cell(text="<i>x</i>"))])
    error = ErrorDialog("<b>oops</b>", "<i>safe</i>", "details")
    for widget in (pane, error, PauseBanner(), EmptyState(), FormField("Key", "<b>note</b>"), ToolBar("<b>")):
        qtbot.addWidget(widget)
        labels = widget.findChildren(QLabel)
        assert labels
        assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)


def test_a_wrapped_label_has_the_leading_and_grows_when_narrow(qtbot: QtBot) -> None:
    label = PlainLabel("Saved on this computer. " * 6, "muted", 12, wrap=True)
    qtbot.addWidget(label)
    narrow, wide = label.heightForWidth(160), label.heightForWidth(2000)
    assert narrow >= 4 * wide
    assert wide == pytest.approx(12 / 13 * 13 * 1.45, abs=4)


def test_an_elided_label_gives_its_whole_text_as_a_tool_tip(qtbot: QtBot) -> None:
    label = PlainLabel("", elide=True)
    qtbot.addWidget(label)
    label.set_text("Chinchilla <grey>, standard")
    assert "Chinchilla &lt;grey&gt;, standard" in label.toolTip()
    assert label.minimumSizeHint().width() <= 24


def test_a_button_follows_its_action(qtbot: QtBot) -> None:
    action = QAction("&Edit pet")
    action.setShortcut(QKeySequence("Ctrl+E"))
    icons.set_icon(action, "pencil")
    button = Button("", "quiet")
    button.bind(action)
    shown(qtbot, button)
    assert (button.words(), button.key()) == ("Edit pet", "Ctrl+E")
    action.setText("Edit 3 pets")
    action.setEnabled(False)
    assert button.words() == "Edit 3 pets"
    assert not button.isEnabled()
    action.setEnabled(True)
    with qtbot.waitSignal(action.triggered, timeout=1000):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_an_icon_button_says_its_name_and_key_in_the_tool_tip(qtbot: QtBot) -> None:
    button = Button("Columns", "icon", "columns", "Ctrl+Shift+C")
    qtbot.addWidget(button)
    assert "Columns" in button.toolTip()
    assert "Ctrl+Shift+C" in button.toolTip()
    assert name_of(button) == "Columns"


def test_a_price_is_read_out_with_the_button(qtbot: QtBot) -> None:
    button = Button("Test and connect", price="1 request")
    qtbot.addWidget(button)
    assert button.accessibleDescription() == "1 request"


def test_a_check_box_toggles_by_space(qtbot: QtBot) -> None:
    box = CheckBox("Don’t say this again")
    shown(qtbot, box)
    without = box.grab().toImage()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    assert box.grab().toImage() != without
    assert name_of(box) == "Don’t say this again"


def test_the_search_field_reports_as_one_types_and_escape_clears_it(qtbot: QtBot) -> None:
    field = SearchField("Search operations", "Ctrl+F")
    shown(qtbot, field)
    heard: list[str] = []
    field.searched.connect(heard.append)
    qtbot.keyClicks(field, "pet")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert heard == ["p", "pe", "pet", ""]


def test_the_clear_mark_of_a_field_empties_it(qtbot: QtBot) -> None:
    field = SearchField("Search")
    shown(qtbot, field)
    assert field.clear_rect().isEmpty()
    field.setText("koi")
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton, pos=field.clear_rect().center())
    assert field.text() == ""


def test_a_form_field_says_what_is_wrong_and_takes_it_back(qtbot: QtBot) -> None:
    field = FormField("Key", "Kept in this computer’s keyring, never in a file.", password=True)
    shown(qtbot, field)
    calm = field.edit.grab().toImage()
    field.set_error("The service refused this key.")
    assert field.note.text() == "The service refused this key."
    assert field.edit.accessibleDescription() == "The service refused this key."
    assert field.edit.grab().toImage() != calm
    field.set_error("")
    assert field.note.text() == "Kept in this computer’s keyring, never in a file."
    assert name_of(field.edit) == "Key"


@pytest.mark.parametrize(
    ("reading", "words", "short"),
    [
        (MeterReading(52, 60, 6), "52 of 60 left", False),
        (MeterReading(6, 60, 6), "6 of 60 left", True),
        (MeterReading(0, 60, 0), "0 of 60 left", True),
        (MeterReading(943, None), "943 left", False),
        (MeterReading(93, 100, own_count=True), "≈ 93 of 100 left", False),
        (MeterReading(), "unknown", False),
        (MeterReading(2, 60, 6, words="2 left, kept for you"), "2 left, kept for you", True),
    ],
)
def test_a_meter_says_its_reading_in_words(qtbot: QtBot, reading: MeterReading, words: str, short: bool) -> None:
    meter = Meter("Minute")
    qtbot.addWidget(meter)
    meter.set_reading(reading)
    assert meter.words() == words
    assert meter.is_short() is short
    assert name_of(meter) == f"Minute: {words}"


def test_the_meters_bar_is_as_long_as_what_is_left(qtbot: QtBot) -> None:
    meter = Meter("M")
    shown(qtbot, meter)

    def filled(left: int) -> int:
        meter.set_reading(MeterReading(left, 100))
        meter.adjustSize()
        image = meter.grab().toImage()
        row = image.height() // 2
        return sum(image.pixelColor(x, row).name().upper() == LIGHT.faint for x in range(image.width()))

    assert filled(0) == 0
    assert filled(50) == pytest.approx(28, abs=3)
    assert filled(100) == pytest.approx(56, abs=3)


def test_the_quota_is_named_with_both_windows(qtbot: QtBot) -> None:
    meter = QuotaMeter()
    qtbot.addWidget(meter)
    meter.set_minute(MeterReading(52, 60))
    assert meter.objectName() == "quotaMeter"
    assert name_of(meter) == "Requests: this minute 52 of 60 left; today unknown"


def test_a_pause_is_announced_once_and_shows_what_is_safe(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    banner = PauseBanner()
    qtbot.addWidget(banner)
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    banner.set_pause("Sending is paused for 0:47", "9 changes wait, all saved.", 0.9)
    banner.set_pause("Sending is paused for 0:46", "9 changes wait, all saved.", 0.88)
    assert said == ["Sending is paused for 0:47. 9 changes wait, all saved."]
    assert name_of(banner) == "Sending is paused for 0:46"
    banner.clear()
    assert banner.isHidden()
    banner.set_pause("Sending is paused for 2:00", "1 change waits.", 1.0)
    assert len(said) == 2


def test_the_banner_offers_the_raw_answer_only_where_there_is_one(qtbot: QtBot) -> None:
    banner = PauseBanner()
    qtbot.addWidget(banner)
    banner.set_pause("Paused", "All saved.", 0.5, raw_available=False)
    raw, waits = banner.findChildren(Button)
    assert raw.isHidden()
    with qtbot.waitSignal(banner.waitsRequested, timeout=1000):
        waits.click()


def test_a_count_is_hidden_at_zero(qtbot: QtBot) -> None:
    bar, made = StatusBar(), badge()
    bar.add_left(made)
    qtbot.addWidget(bar)
    assert not made.isHidden()
    made.set_count(0, "0 unsent", "saved", "accent")
    assert made.isHidden()


def test_a_toast_goes_by_itself_but_not_from_under_the_pointer(qtbot: QtBot) -> None:
    parent = shown(qtbot, QWidget(), QSize(700, 300))
    toast = Toast(parent)
    toast.show_message("Order 1240 is complete", undo_text="Undo", key="Ctrl+Z", seconds=0.05)
    centre = QPoint(5, 5)
    QGuiApplication.sendEvent(toast, QEnterEvent(centre.toPointF(), centre.toPointF(), centre.toPointF()))
    with qtbot.assertNotEmitted(toast.destroyed, wait=150):
        pass
    assert toast.isVisible()
    QGuiApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: not toast.isVisible(), timeout=3000)


def test_a_toasts_undo_works_by_keyboard_and_takes_it_away(qtbot: QtBot) -> None:
    parent = shown(qtbot, QWidget(), QSize(700, 300))
    toast = Toast(parent)
    toast.show_message("Order 1240 is complete", undo_text="Undo", key="Ctrl+Z")
    link = toast.findChild(LinkLabel)
    link.setFocus()
    with qtbot.waitSignal(toast.undoRequested, timeout=1000):
        qtbot.keyClick(link, Qt.Key.Key_Return)
    assert not toast.isVisible()
    assert abs(toast.geometry().center().x() - parent.rect().center().x()) <= 1


def test_an_empty_state_hands_back_the_filter_to_drop(qtbot: QtBot) -> None:
    empty = EmptyState()
    shown(qtbot, empty, QSize(900, 500))
    rows = [EmptyRow("Without", "In stock >500", "4 pets", target=5), EmptyRow("Without", "Name koi", "11 pets", 2)]
    clear = QAction("Clear all filters")
    empty.set_content("No pet matches", "All 1,904 pets were searched.", rows=rows, primary=clear)
    links = empty.findChildren(LinkLabel)
    with qtbot.waitSignal(empty.rowActivated, timeout=1000) as heard:
        qtbot.keyClick(links[1], Qt.Key.Key_Space)
    assert heard.args == [2]
    with qtbot.waitSignal(clear.triggered, timeout=1000):
        empty.findChild(Button).click()
    assert name_of(empty) == "No pet matches"


def test_an_empty_state_forgets_old_rows(qtbot: QtBot) -> None:
    empty = EmptyState()
    shown(qtbot, empty, QSize(900, 500))
    empty.set_content("One", rows=[EmptyRow("Without", "x", "1")])
    empty.set_content("Loading")
    empty.set_progress("1,200 of 10,000", 0.12)
    qtbot.waitUntil(lambda: not [link for link in empty.findChildren(LinkLabel) if link.isVisible()])


def test_the_pane_hands_back_targets_and_refs_of_its_links(qtbot: QtBot) -> None:
    pane = DetailsPane()
    shown(qtbot, pane, QSize(320, 600))
    pane.set_heading("Koi", "#1234")
    pane.set_age("as of 14:02", "Check live", "Shift+F5")
    big = 2**53 + 1
    pane.set_facts([Fact("Orders", Cell(text="2 open"), target=big), Fact("Status", pill_cell("sold", "sold"))])
    entry = ChangeEntry("refused", "Category", "Fish", "Pond fish", "Refused.", "bad", (("edit", "Edit"),), ref=big)
    pane.set_changes([entry], "1 needs you")
    links = {link.words(): link for link in pane.findChildren(LinkLabel)}
    with qtbot.waitSignal(pane.linkActivated, timeout=1000) as heard:
        qtbot.keyClick(links["2 open"], Qt.Key.Key_Return)
    assert heard.args == [big]
    with qtbot.waitSignal(pane.changeAction, timeout=1000) as heard:
        links["Edit"].click()
    assert heard.args == [big, "edit"]
    with qtbot.waitSignal(pane.liveRequested, timeout=1000):
        links["Check live"].click()
    assert name_of(pane) == "Koi #1234"


def test_the_queue_is_numbered_in_sending_order(qtbot: QtBot) -> None:
    pane = DetailsPane()
    shown(qtbot, pane, QSize(300, 600))
    pane.set_queue([QueueItem("Koi", "1234", "+12", 1), QueueItem("Betta", "1301", "−2", 2)], "All sent by 14:08.")
    texts = [label.text() for label in pane.findChildren(PlainLabel)]
    assert texts.index("1") < texts.index("2")
    assert [chip.accessibleName() for chip in pane.findChildren(Chip)] == ["+12", "−2"]


def test_painted_words_are_named(qtbot: QtBot) -> None:
    stock = StockLine(Cell(kind="stock", base="24", chip="+12", result="36"), "In stock")
    pill = Pill("available", "available", "ok")
    for widget in (stock, pill):
        qtbot.addWidget(widget)
    assert "36" in name_of(stock)
    assert "24" in name_of(stock)
    assert name_of(pill) == "available"


def test_a_dialogs_enter_is_its_verb_and_escape_leaves(qtbot: QtBot) -> None:
    dialog = Dialog("Set 212 pets to sold", "31 have open orders.")
    dialog.set_cancel("Cancel")
    primary = dialog.set_primary("Save 212 changes", "Ctrl+Enter")
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(primary.hasFocus)
    assert name_of(dialog) == "Set 212 pets to sold"
    with qtbot.waitSignal(dialog.rejected, timeout=1000):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.show()
    with qtbot.waitSignal(dialog.accepted, timeout=1000):
        qtbot.keyClick(primary, Qt.Key.Key_Return)


def test_the_price_bar_shows_left_then_this_then_used(qtbot: QtBot) -> None:
    price = PriceLine()
    shown(qtbot, price, QSize(400, 40))
    price.set_price("212 requests", ("about 4 min",), 0.5, 0.25)
    image = price.grab().toImage()
    row = price.sizeHint().height() - 6
    colors = [image.pixelColor(x, row).name().upper() for x in (100, 250, 380)]
    assert colors == [LIGHT.faint, LIGHT.accent, LIGHT.line]
    assert name_of(price) == "212 requests, about 4 min"


def test_an_error_can_be_copied_with_its_details(qtbot: QtBot) -> None:
    dialog = ErrorDialog("Something went wrong", "Your changes are saved.", "Traceback: <b>x</b>")
    qtbot.addWidget(dialog)
    dialog.show()
    copy = next(button for button in dialog.findChildren(Button) if button.words() == "Copy")
    copy.click()
    assert "Traceback: <b>x</b>" in QGuiApplication.clipboard().text()


def test_the_tabs_are_walked_by_arrow_keys_and_named(qtbot: QtBot) -> None:
    tabs = TabStrip()
    tabs.add("paw", "Pets")
    tabs.add("receipt", "Orders & more")
    row = TabRow(tabs, Button("Menu", "icon", "menu"))
    shown(qtbot, row, QSize(800, 42))
    tabs.setFocus()
    qtbot.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.currentIndex() == 1
    assert tabs.accessibleTabName(1) == "Orders & more"


def test_the_current_tab_flows_into_the_content(qtbot: QtBot) -> None:
    tabs = TabStrip()
    tabs.add("paw", "Pets")
    tabs.add("receipt", "Orders")
    shown(qtbot, TabRow(tabs), QSize(800, 42))
    image = tabs.grab().toImage()
    bottom = tabs.height() - 1
    assert image.pixelColor(tabs.tabRect(0).center().x(), bottom) == QColor(LIGHT.content)
    assert image.pixelColor(tabs.tabRect(1).center().x(), bottom) == QColor(LIGHT.chrome)


def test_painting_from_right_to_left_mirrors_the_parts(qtbot: QtBot) -> None:
    def ink_left(widget: QWidget) -> bool:
        image = widget.grab().toImage()
        background = image.pixelColor(image.width() // 2, 1)
        columns = [
            x
            for x in range(image.width())
            if any(image.pixelColor(x, y) != background for y in range(6, image.height() - 6))
        ]
        return min(columns) < image.width() - 1 - max(columns)

    meter = Meter("Minute")
    meter.setFixedSize(400, 30)
    for widget in (meter, SearchField("Search")):
        shown(qtbot, widget, QSize(400, 30)).clearFocus()
        assert ink_left(widget)
        widget.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        assert not ink_left(widget)
