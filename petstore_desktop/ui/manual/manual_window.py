"""The manual in a window of its own: the pages at the side, a field to search them, and one page. It belongs to no
other window, so that it can be read while a dialog is open; there is one in the program. It opens at the page that fits
the place of the window."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication, QFrame, QListWidget, QWidget

from petstore_desktop.shop.background import Background
from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click, short_lived
from petstore_desktop.ui.base.first_paint import bring_to_front, first_size
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.manual.manual_text import ManualText, print_pages
from petstore_desktop.ui.text.manual import ManualPage, find_pages, manual_language, whole_manual
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.fields import SearchField
from petstore_desktop.ui.widgets.labels import Divider, PlainLabel, say

_SIZE, _SIDE = QSize(1000, 720), 250
_MORE = ""
"""Stands in the list of pages, by their names, where those begin that are in English only."""
_shown: list[ManualWindow] = []


def open_manual(page: str = "", near: QWidget | None = None) -> ManualWindow:
    """Show the manual at a page; without one at that which fits where the keyboard is, or else what is `near`."""
    focus, asking = QApplication.focusWidget(), QApplication.activeModalWidget()
    if asking is not None and (focus is None or not asking.isAncestorOf(focus)):
        focus = asking
    wanted = page or page_at(focus) or page_at(near) or FIRST
    if not _shown:
        _shown.append(short_lived(ManualWindow()))
    _shown[0].go(wanted)
    bring_to_front(_shown[0])
    return _shown[0]


class ManualWindow(QWidget):
    """The window. Its pages are read in another thread, then shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("manualWindow")
        self.setWindowIcon(icons.app_icon())
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self._pages: dict[str, ManualPage] = {}
        self._found: list[str] = []
        """The names of the pages in the list."""
        self._path: list[str] = []
        self._at = -1
        self._lay_out()
        self._name_keys()
        self.resize(first_size(self, _SIZE))
        self.setMinimumSize(480, 320)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.aboutToQuit.connect(self.close)
        self._read()

    # -- building

    def _lay_out(self) -> None:
        self.field = SearchField("", "Ctrl+F")
        self.list = QListWidget()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.nothing = named(PlainLabel("", "muted", wrap=True), "manualNothing")
        self.nothing.hide()
        side = QWidget()
        side.setFixedWidth(current().scaled(_SIDE))
        in_column(side, self.field, self.nothing, (self.list, 1), margins=(12, 12, 8, 8), spacing=8)
        self.back = on_click(Button("", "quiet", "", "Alt+Left"), partial(self._step, -1), "manualBack")
        self.forward = on_click(Button("", "quiet"), partial(self._step, 1), "manualForward")
        self.print_all = on_click(Button("", "quiet"), self._print_all, "manualPrintAll")
        self.print_page = on_click(Button("", "quiet", "print", "Ctrl+P"), self._print_page, "manualPrint")
        self.text = ManualText(self)
        bar = in_row(
            None, self.back, self.forward, "stretch", self.print_all, self.print_page, margins=(12, 8, 12, 8), spacing=4
        )
        in_row(self, side, Divider(vertical=True), (in_column(None, bar, Divider(), (self.text, 1)), 1))
        self.text.wanted.connect(self.go)
        self.field.searched.connect(self._search)
        self.field.returnPressed.connect(self._open_found)
        self.list.clicked.connect(self._open_row)
        self.list.activated.connect(self._open_row)
        self._say()

    def _say(self) -> None:
        """Write the window's own words in the current language."""
        self.field.setPlaceholderText(tr("Search the manual"))
        named(self.field, "manualSearch", tr("Search the manual"))
        named(self.list, "manualList", tr("Pages of the manual"))
        named(self.text, "manualText", tr("Page of the manual"))
        self.back.set_text(tr("Back"))
        self.forward.set_text(tr("Forward"))
        self.print_all.set_text(tr("Print the whole manual…"))
        self.print_page.set_text(tr("Print…"))

    def _name_keys(self) -> None:
        keys = {
            QKeySequence(QKeySequence.StandardKey.Find): self._to_field,
            QKeySequence(QKeySequence.StandardKey.Print): self._print_page,
            QKeySequence("Alt+Left"): partial(self._step, -1),
            QKeySequence("Alt+Right"): partial(self._step, 1),
        }
        for key, do in keys.items():
            QShortcut(key, self, do)

    def _read(self) -> None:
        self.setWindowTitle(tr("Manual of Pet Store Desktop"))
        Background().run(partial(whole_manual, manual_language()), self._came)

    def _came(self, pages: tuple[ManualPage, ...]) -> None:
        self._pages = {page.name: page for page in pages}
        self._search(self.field.text())
        self._show_page()

    # -- going

    def go(self, page: str) -> None:
        """Show a page, from which Back leads to the one before."""
        if not self._path or self._path[self._at] != page:
            del self._path[self._at + 1 :]
            self._path.append(page)
            self._at = len(self._path) - 1
        self._show_page()

    def _step(self, by: int) -> None:
        if 0 <= self._at + by < len(self._path):
            self._at += by
            self._show_page()

    def _show_page(self) -> None:
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at + 1 < len(self._path))
        page = self._pages.get(self._path[self._at] if self._path else "")
        if page is None:  # not read yet
            return
        self.text.show_page(page, self.field.text())
        self.setWindowTitle(tr("{page}: manual of Pet Store Desktop", page=page.title))
        self.list.setCurrentRow(self._found.index(page.name) if page.name in self._found else -1)
        if not self.field.hasFocus() and not self.list.hasFocus():
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- searching

    def _to_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _to_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.list.setCurrentRow(max(0, self.list.currentRow()))

    def _search(self, typed: str) -> None:
        """List the pages that have all typed words, those in the person's language first."""
        found, language = find_pages(tuple(self._pages.values()), typed), manual_language()
        own = [page for page in found if page.language == language]
        others = [page for page in found if page.language != language]
        between = [_MORE] if own and others else []
        self._found = [*(page.name for page in own), *between, *(page.name for page in others)]
        self.list.clear()
        self.list.addItems([self._pages[name].title if name else tr("More, in English") for name in self._found])
        if between:
            self.list.item(len(own)).setFlags(Qt.ItemFlag.NoItemFlags)
        if self._path and self._path[self._at] in self._found:
            self.list.setCurrentRow(self._found.index(self._path[self._at]))
        nothing = not found and bool(self._pages)
        say(self.nothing, tr("No page has these words. Try fewer, or others.") if nothing else "")

    def _open_found(self) -> None:
        """Enter in the field opens the first page that was found."""
        if self._found:
            self.go(self._found[0])
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_row(self, index: QModelIndex) -> None:
        if name := self._found[index.row()]:
            self.go(name)

    # -- paper

    def _print_page(self) -> None:
        if self.text.page is not None:
            self._ask_printer((self.text.page,))

    def _print_all(self) -> None:
        self._ask_printer(tuple(self._pages.values()))

    def _ask_printer(self, pages: tuple[ManualPage, ...]) -> None:
        if not pages:
            return
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(pages[0].title if len(pages) == 1 else tr("Manual of Pet Store Desktop"))
        dialog = named(QPrintDialog(printer, self), "printerDialog")
        dialog.accepted.connect(lambda: print_pages(pages, printer))
        show(dialog)

    # -- the window itself

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
            self._read()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, once the field is empty; Down leads from the field to the list."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self._to_list()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        _shown[:] = [one for one in _shown if one is not self]


FIRST = "first-start"
PLACES: Mapping[str, str] = {
    # windows, tabs, and pages over them
    "welcomePage": "connect",
    "todayTab": "today",
    "comparePage": "compare",
    "petsTab": "pets",
    "categoriesTab": "pets",
    "ordersTab": "orders",
    "inventoryTab": "stock",
    "receivePage": "receive",
    "stocktakePage": "stocktake",
    "labelsPage": "labels",
    "waitingPage": "offline",
    "reviewPage": "attention",
    "changesPage": "compare",
    "requestsPage": "limits",
    # fields, plates and bars
    "filterField": "filter",
    "filterChips": "filter",
    "paletteField": "jump",
    "palettePopup": "jump",
    "scanPlate": "scan",
    "whichPet": "scan",
    "pauseBanner": "limits",
    "quotaMeter": "limits",
    "quotaPopup": "limits",
    "rehearsalBar": "rehearse",
    "shopButton": "shops",
    "connectionState": "troubleshooting",
    # dialogs
    "aboutDialog": "data",
    "bulkEditDialog": "many",
    "cancelOrderDialog": "orders",
    "categoryDialog": "pets",
    "clocksDialog": "troubleshooting",
    "closingDialog": "offline",
    "codesDialog": "scan",
    "comparePrintDialog": "compare",
    "connectDialog": "connect",
    "connectionDialog": "connect",
    "deleteDialog": "pets",
    "discardDialog": "offline",
    "doctorDialog": "troubleshooting",
    "editPetDialog": "pets",
    "endRehearsalDialog": "rehearse",
    "errorDialog": "troubleshooting",
    "exportListDialog": "export",
    "forgetDialog": "shops",
    "forgottenDialog": "shops",
    "formLeaveDialog": "edit",
    "helpDialog": "keyboard",
    "importDialog": "import",
    "importLeaveDialog": "import",
    "keyDialog": "connect",
    "lookUpDialog": "jump",
    "lostOperationsDialog": "services",
    "minimumDialog": "reorder",
    "newOrderDialog": "orders",
    "newPetDialog": "pets",
    "noteDialog": "stocktake",
    "operationsDialog": "services",
    "ownSizeDialog": "labels",
    "preferencesDialog": "accessibility",
    "previewDialog": "many",
    "previewLeaveDialog": "many",
    "goPastDialog": "edit",
    "priceDialog": "limits",
    "printDialog": "export",
    "protocolDialog": "stocktake",
    "rawDialog": "attention",
    "rehearseDialog": "rehearse",
    "reportDialog": "report",
    "resumeDialog": "limits",
    "viewNameDialog": "views",
}
"""Object names, and the page of each."""


def page_at(widget: QWidget | None) -> str:
    """The page of the nearest place that a widget is in; empty where none is known."""
    while widget is not None:
        name = widget.objectName()
        if name in PLACES:
            return PLACES[name]
        widget = widget.parentWidget()
    return ""
