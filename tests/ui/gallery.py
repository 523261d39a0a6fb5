"""Renders the UI kit, light and dark, to bitmaps: ``python tests/ui/gallery.py FOLDER``.

The pictures are for the eye; what can be told by a machine is in the tests beside this file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QLocale, QSize
from PySide6.QtGui import QAction, QFont, QKeySequence
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from petstore_desktop.domain import quota
from petstore_desktop.ui.bars.tool_bar import ToolBar
from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.theme import ThemeController, current
from petstore_desktop.ui.details.details_pane import ChangeEntry, DetailField, DetailsPane
from petstore_desktop.ui.grid.editors import StockEditor
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.status.pause_banner import BannerWords, PauseBanner
from petstore_desktop.ui.status.quota_meter import MeterReading, QuotaMeter
from petstore_desktop.ui.status.status_line import CountBadge, StateLabel, StatusBar
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.text.cell import Cell, pill_cell
from petstore_desktop.ui.widgets.button import Button, CheckBox
from petstore_desktop.ui.widgets.dialogs import Dialog, ErrorDialog, PriceLine
from petstore_desktop.ui.widgets.empty_state import EmptyRow, EmptyState
from petstore_desktop.ui.widgets.fields import FormField, PaletteField, SearchField
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from petstore_desktop.ui.window.tab_strip import TabRow, TabStrip
from tests.ui.gallery_rows import pets_model, stock_model
from tests.ui.pictures import write


def action(text: str, key: str = "", icon: str = "", enabled: bool = True) -> QAction:
    """An action with an icon name."""
    made = QAction(text)
    made.setShortcut(QKeySequence(key))
    made.setEnabled(enabled)
    icons.set_icon(made, icon) if icon else None
    KEPT.append(made)
    return made


KEPT: list[object] = []


class Window(QWidget):
    """The pets screen put together from the kit."""

    def __init__(self, body: QWidget, tab: int, banner: bool = False) -> None:
        super().__init__()
        self.resize(1280, 800)
        tabs = TabStrip()
        for name, text in (
            ("sun", "Today"),
            ("paw", "Pets"),
            ("box", "Inventory"),
            ("receipt", "Orders"),
            ("tag", "Categories"),
            ("tray-up", "Activity"),
        ):
            tabs.add(name, text)
        tabs.setCurrentIndex(tab)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(TabRow(tabs, PaletteField("Search or jump to", "Ctrl+K"), Button("Menu", "icon", "menu")))
        if banner:
            pause = PauseBanner()
            detail = "The service answered “too many requests”. 9 changes wait, all saved here; keep working."
            column.addWidget(pause)
            pause.show_words(BannerWords("Sending is paused for 0:47", detail, 0.78), "asked")
        column.addWidget(body, 1)
        column.addWidget(status_bar(paused=banner))


def status_bar(paused: bool) -> StatusBar:
    """The status bar of the pictures."""
    bar, state, unsent, refused = StatusBar(), StateLabel(), CountBadge(), CountBadge()
    if paused:
        state.set_state("pause", "Riverside Pets, paused 0:47", "wait")
    else:
        state.set_state("live", "Riverside Pets, live", "ok")
    unsent.set_count(3, "3 unsent", "saved", "accent")
    refused.set_count(2, "2 refused", "refused", "bad")
    low = CountBadge()
    low.set_count(2, "2 low", "low", "muted")
    meter = QuotaMeter()
    minute, day = quota.Window(60, 0 if paused else 52), quota.Window(1000, 943, own_count=True)
    meter.set_readings(MeterReading(minute), MeterReading(day))
    for widget in (state, unsent, refused, low, PlainLabel("1 of 212 selected", "muted", 12, tnum=True)):
        bar.add_left(widget)
    bar.add_right(meter)
    return bar


def pets_table() -> TableView:
    """The table of pets with a filter on."""
    table = TableView()
    model = pets_model()
    model.setParent(table)
    table.setModel(model)
    table.header.set_filter_row((1, 2, 3, 4, 5, 6), 2)
    for column, width in ((1, 68), (2, 429), (3, 122), (4, 122), (5, 92), (6, 82)):
        table.setColumnWidth(column, width)
    table.set_gutter(0)
    table.header.set_sort([(2, False)])
    table.header.set_filter(5, ">4")
    table.setCurrentIndex(model.index(18, 5))
    return table


def pets_body() -> QWidget:
    """Toolbar, table and details."""
    body = QWidget()
    row = QHBoxLayout(body)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    left = QVBoxLayout()
    left.setSpacing(0)
    bar = ToolBar("All pets")
    bar.set_counts("212 of 1,904, as of 14:02")
    bar.add_action(action("Edit", "Ctrl+E", "pencil"))
    bar.add_action(action("Import", "", "import"))
    bar.add_action(action("Columns", "", "columns"), "icon")
    bar.add_action(action("New pet", "Ctrl+N", "plus"), "plain")
    left.addWidget(bar)
    left.addWidget(pets_table(), 1)
    row.addLayout(left, 1)
    pane = pet_pane()
    pane.setFixedWidth(321)
    row.addWidget(pane)
    return body


def pet_pane() -> DetailsPane:
    """The details of Koi."""
    pane = DetailsPane()
    pane.set_heading("Koi", "#1234")
    pane.add_title_button("more", "More")
    pane.set_age("as of 14:02", "Check live", "Shift+F5")
    pane.set_facts(
        [
            DetailField("Status", pill_cell("available", "available")),
            DetailField("Category", Cell(text="Pond fish, refused", tone="bad")),
            DetailField("In stock", Cell(kind="stock", base="24", chip="+12", result="36")),
            DetailField("Orders", Cell(text="2 open"), target="orders"),
        ]
    )
    pane.set_changes(
        [
            ChangeEntry("unsent", "In stock", "24", "36", "Saved on this computer 14:06. Goes out next."),
            ChangeEntry("sent", "Status", "pending", "available", "Sent 14:05."),
            ChangeEntry(
                "refused",
                "Category",
                "Fish",
                "Pond fish",
                "Refused: “unknown category 41”. Your change is kept here.",
                "bad",
                (("edit", "Edit"), ("discard", "Discard"), ("raw", "Server response")),
            ),
        ],
        "1 needs attention",
    )
    return pane


def order_pane() -> DetailsPane:
    """An answer card."""
    pane = DetailsPane()
    pane.resize(361, 600)
    pane.set_heading("Order 1234")
    pane.add_title_button("copy", "Copy answer")
    pane.set_sentence("The order for 2 Koi was due on Tuesday 18 November. It is not fulfilled yet and is 3 days late.")
    pane.set_age("as of 14:02", "Check live", "Shift+F5")
    pane.set_actions(
        [action("Mark complete", "Alt+2", "check"), action("Cancel order", "Alt+3")], "1 request. Ctrl+Z undoes it."
    )
    pane.set_facts(
        [
            DetailField("State", pill_cell("open", "open")),
            DetailField("Ship date", Cell(kind="date", text="Tue 18 Nov 2025, 09:00")),
            DetailField("Pet", Cell(kind="ref", text="Koi", ref_id="1234"), target=1),
            DetailField("Quantity", Cell(kind="number", text="2")),
            DetailField("In stock", Cell(kind="stock", base="24", chip="+12", result="36")),
        ]
    )
    pane.set_section("More of this pet", [DetailField("Order 1256", Cell(text="12, Wed 26 Nov, open"))])
    return pane


def stock_body() -> QWidget:
    """Stock table with an editor open, and the queue."""
    body = QWidget()
    row = QHBoxLayout(body)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    table = TableView()
    model = stock_model()
    model.setParent(table)
    table.setModel(model)
    table.header.set_filter_row((1, 2, 3, 4, 5), 1)
    for column, width in ((1, 391), (2, 124), (3, 210), (4, 206), (5, 94)):
        table.setColumnWidth(column, width)
    table.set_gutter(0)
    table.header.set_sort([(2, False)])
    table.rows.stock_preview = lambda _index, text: ("= 144", False) if text == "+24" else None
    table.setCurrentIndex(model.index(8, 4))
    KEPT.append(table)
    row.addWidget(table, 1)
    pane = DetailsPane()
    pane.set_heading("Outbox", "9 changes, 12 requests")
    pane.set_age("At 14:07:32 one check, then in this order")
    pane.setFixedWidth(300)
    row.addWidget(pane)
    return body


def empty_state() -> EmptyState:
    """Filtered to nothing."""
    empty = EmptyState()
    empty.resize(1280, 660)
    rows = [
        EmptyRow("Without", "In stock >500", "4 pets"),
        EmptyRow("Without", "Status !sold", "1 pet"),
        EmptyRow("Without", "Name koi", "11 pets"),
    ]
    empty.set_content(
        "No pet matches these three filters",
        "All 1,904 pets were searched.",
        "",
        rows,
        action("Clear all filters", "Esc"),
        action("New pet", "Ctrl+N", "plus"),
    )
    return empty


def loading_state() -> EmptyState:
    """The first loading of a shop."""
    empty = EmptyState()
    empty.resize(700, 300)
    empty.set_content(
        "Loading the shop’s pets", "Rows appear as they come; you can work already.", primary=action("Cancel", "Esc")
    )
    empty.set_progress("1,200 of 10,000", 0.12)
    return empty


def preview_dialog() -> Dialog:
    """The footer and head of the bulk preview."""
    dialog = Dialog(
        "Set 212 pets to sold",
        "1 of 213 is left out. 31 have open orders, which stay as they are. Ctrl+Z undoes all of it.",
    )
    dialog.body.addStretch(1)
    price = PriceLine()
    price.set_price("212 requests", ("about 4 min", "leaves ≈ 731 of 1,000 today"), 0.731, 0.212)
    dialog.add_footer(price)
    dialog.set_cancel("Cancel")
    dialog.set_primary("Save 212 changes", "Ctrl+Enter")
    dialog.spread((760, 300))
    return dialog


def parts() -> QWidget:
    """Buttons, fields, labels."""
    sheet = QWidget()
    sheet.resize(900, 520)
    grid = QGridLayout(sheet)
    focused = Button("Open the demo shop", "primary")
    widgets = (
        focused,
        Button("Test and connect", "plain", price="1 request"),
        Button("Server response", "quiet"),
        Button("Mark complete", "primary", "check", "Alt+2"),
        Button("6 overdue", "quiet", "overdue"),
        LinkLabel("Check live"),
        CheckBox("Don’t say this again"),
        SearchField("Search operations", "Ctrl+F"),
        FormField("Address of the service", placeholder="https://shop.example/api"),
        FormField("Key", "Kept in this computer’s keyring, never in a file.", password=True),
        PlainLabel("<b>not bold</b> & plain"),
        PlainLabel(
            "A note that is long enough to be broken into two lines, with the leading of a note.",
            "muted",
            12,
            wrap=True,
        ),
    )
    disabled = Button("Mark complete", "primary")
    disabled.setEnabled(False)
    checked = CheckBox("Ticked")
    checked.setChecked(True)
    wrong = FormField("Minimum")
    wrong.set_text("a dozen")
    wrong.set_error("This is not a number.")
    for index, widget in enumerate((*widgets, disabled, checked, wrong)):
        grid.addWidget(widget, index // 3, index % 3)
    QWidget.setFocus(focused)
    return sheet


def icon_sheet() -> QWidget:
    """All icons at 16 and 48."""
    sheet = QWidget()
    grid = QGridLayout(sheet)
    for index, name in enumerate(sorted(icons.NAMES)):
        button = Button(name, "quiet", name)
        grid.addWidget(button, index // 6, index % 6)
    return sheet


def save(widget: QWidget, folder: Path, name: str, dpr: float = 1.0) -> None:
    """Show a widget and write what it looks like."""
    widget.show()
    widget.activateWindow()
    for table in widget.findChildren(TableView):
        table.setFocus()
        if table.model().columnCount() == 6:
            table.edit(table.currentIndex())
            for editor in table.findChildren(StockEditor):
                editor.setText("+24")
    QApplication.processEvents()
    write(widget.grab(), folder, f"{name}-{'dark' if current().dark else 'light'}")
    widget.close()


def main(folder: Path, themes: Sequence[str] = ("light", "dark")) -> None:
    """Render everything in these themes."""
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication.instance() or QApplication([])
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    font = QFont("Inter")
    font.setPixelSize(13)
    app.setFont(font)
    controller = ThemeController(app, "light")
    for preference in themes:
        controller.set_preference(preference)
        pets = Window(pets_body(), 1)
        toast = Toast(pets)
        toast.show_message("Order 1240 is complete, saved on this computer", "saved", "Undo", lambda: "Ctrl+Z")
        screens = {
            "pets": pets,
            "stock": Window(stock_body(), 2, banner=True),
            "empty": empty_state(),
            "order": order_pane(),
            "loading": loading_state(),
            "dialog": preview_dialog(),
            "parts": parts(),
            "icons": icon_sheet(),
            "error": ErrorDialog("Something went wrong", "Your changes are saved on this computer.", "Traceback ..."),
        }
        for name, screen in screens.items():
            if screen.size() == QSize(640, 480):
                screen.adjustSize()
            save(screen, folder, name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
