"""The first page without a connection: open the demo shop, or connect a shop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.building import add, in_column, in_row, named, on_click
from petstore_desktop.ui.base.first_paint import after_first_paint, bring_inside, first_size
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.connection.connect import ConnectForm
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, CheckBox
from petstore_desktop.ui.widgets.form import AppMark
from petstore_desktop.ui.widgets.labels import Divider, LinkLabel, PlainLabel
from petstore_desktop.ui.widgets.paint import fill_widget
from petstore_desktop.ui.widgets.scrolled import Scrolled

if TYPE_CHECKING:
    from petstore_desktop.ui.context.ports_shops import AppPort, WelcomePort

_COLUMN, _GAP, _WIDTH = 319, 40, 711


class WelcomePage(QWidget):
    """A window of its own.

    Signals:
        closed: object: the person closed it without opening a shop.
    """

    closed = Signal(object)

    def __init__(self, port: WelcomePort, parent: QWidget | None = None, *, app: AppPort | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcomePage")
        self.setWindowTitle(tr("Pet Store"))
        self.setWindowIcon(icons.app_icon())
        self._port, self._app = port, app
        self.form = ConnectForm(port, Button("", "plain"))
        self.demo = on_click(Button(tr("Open the demo shop"), "primary"), port.open_demo, "demoButton")
        block = QWidget()
        block.setFixedWidth(current().scaled(_WIDTH))
        words = PlainLabel(tr("Your shop’s pets, stock and orders, online and offline."), "muted", 15)
        in_column(block, self._head(), 16, words, 32, self._halves())
        self._scroll = self._scrolled(block)
        in_column(self, self._scroll)
        self.form.resized.connect(self._follow)
        self.resize(first_size(self, QSize(1280, 800)))
        after_first_paint(self, partial(bring_inside, self))
        self.demo.setFocus()

    def _follow(self) -> None:
        """What a check has found comes into view, in a small window too."""
        QTimer.singleShot(0, self, self._show_button)  # once the layouts have noticed

    def _show_button(self) -> None:
        if self.form.findings.isVisible():
            self._scroll.ensureWidgetVisible(self.form.button)

    def _head(self) -> QHBoxLayout:
        name = PlainLabel(tr("Pet Store"), "text", 24, 600)
        return in_row(None, AppMark(tr("Pet Store")), name, "stretch", spacing=16)

    def _halves(self) -> QHBoxLayout:
        left = QWidget()
        left.setFixedWidth(current().scaled(_COLUMN))
        title = PlainLabel(tr("Try the demo shop"), "text", 15, 600)
        words = tr("Invented pets and orders, with real request limits. Runs on this computer; no account needed.")
        button = (self.demo, Qt.AlignmentFlag.AlignLeft)
        demo = in_column(left, title, PlainLabel(words, "muted", wrap=True), 8, button, margins=(0, 4, 0, 0), spacing=8)
        self._add_known(demo)
        manual = on_click(LinkLabel(tr("Open the manual (F1)")), lambda: self._port.open_manual(), "manualLink")
        add(demo, 16, (manual, Qt.AlignmentFlag.AlignLeft))
        self._add_updates(demo)
        demo.addStretch(1)
        gap = current().scaled(_GAP)
        return in_row(None, left, "stretch", Divider(vertical=True), gap, self._connect_half())

    def _connect_half(self) -> QWidget:
        right = QWidget()
        right.setFixedWidth(current().scaled(_COLUMN))
        title = PlainLabel(tr("Connect your shop"), "text", 15, 600)
        button = (self.form.button, Qt.AlignmentFlag.AlignLeft)
        in_column(right, title, self.form, button, "stretch", margins=(0, 4, 0, 0), spacing=10)
        return right

    def _add_updates(self, column: QVBoxLayout) -> None:
        app = self._app
        if app is None or app.updates() is None:
            return
        wanted = named(CheckBox(tr("Tell me when there is a newer version")), "updatesWanted")
        wanted.setChecked(app.preference("updates") == "on")
        wanted.toggled.connect(lambda: app.set_preference("updates", "on" if wanted.isChecked() else "off"))
        words = tr("Reads a small file once a week. Nothing about you or your shop is sent.")
        add(column, 16, wanted, PlainLabel(words, "muted", 12, wrap=True))

    def _add_known(self, column: QVBoxLayout) -> None:
        names = list(self._port.connections())
        if not names:
            return
        add(column, 16, PlainLabel(tr("Your shops"), "muted", 12, 600))
        for name in names:
            link = on_click(LinkLabel(name), lambda name=name: self._port.open_connection(name))
            add(column, (link, Qt.AlignmentFlag.AlignLeft))

    def _scrolled(self, block: QWidget) -> Scrolled:
        """The block in the middle third, to be scrolled where the window is too low for it. Its top stays where it is
        when it grows: nothing moves under the pointer."""
        inner = QWidget()
        centred = (block, Qt.AlignmentFlag.AlignHCenter)
        self._column = in_column(inner, centred, "stretch", margins=(16, 16, 16, 16))
        self._least = block.sizeHint().height()
        return Scrolled(inner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        top = max(16, (event.size().height() - self._least) * 5 // 11)
        self._column.setContentsMargins(16, top, 16, 16)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focus, key = self.focusWidget(), event.key()
        if key == Qt.Key.Key_Escape and self.form.busy:
            self.form.stop()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QAbstractButton):
            focus.click()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.form.isAncestorOf(focus):
            self.form.enter()
        elif event.matches(QKeySequence.StandardKey.HelpContents):
            self._port.open_manual()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_widget(self, "content")

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit(None)
