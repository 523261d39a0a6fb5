"""The first page without a connection: open the demo shop, or connect a shop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.building import add, in_column, in_row, named, on_click
from petstore_desktop.ui.base.first_paint import after_first_paint, bring_inside, first_size
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.connection.connect import ConnectForm
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, CheckBox
from petstore_desktop.ui.widgets.labels import Divider, IconLabel, LinkLabel, PlainLabel
from petstore_desktop.ui.widgets.scrolled import Scrolled

if TYPE_CHECKING:
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.ui.context.ports import AppPort, WelcomePort

_COLUMN, _GAP, _WIDTH, _MARGIN = 319, 40, 711, 16


class WelcomePage(QWidget):
    """A window of its own.

    Signals:
        closed: object: the person closed it without opening a shop.
    """

    closed = Signal(object)

    def __init__(self, port: WelcomePort, parent: QWidget | None = None, *, app: AppPort | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcomePage")
        self.setWindowTitle(tr("Pet Store Desktop"))
        self.setWindowIcon(icons.app_icon())
        self._port, self._app = port, app
        self.form = ConnectForm(port, Button("", "plain"), findings_apart=True)
        self.demo = on_click(Button(tr("Open the demo shop"), "primary"), port.open_demo, "demoButton")
        self._block = block = QWidget()
        words = PlainLabel(tr("Your shop’s pets, stock and orders, online and offline."), "muted", 15, wrap=True)
        self._halves = self._side_by_side()
        in_column(block, self._head(), 16, words, 32, self._halves)
        self._scroll = self._scrolled(block)
        in_column(self, self._scroll)
        self.form.resized.connect(self._follow)
        self.resize(first_size(self, QSize(1280, 800)))
        after_first_paint(self, partial(bring_inside, self))
        self.demo.setFocus()

    def _follow(self) -> None:
        """What a check has found comes into view, in a small window too, and stays below its button."""
        QTimer.singleShot(0, self, self._show_button)  # once the layouts have noticed

    def _show_button(self) -> None:
        if self.form.findings.isVisible():
            self._scroll.ensureWidgetVisible(self.form.findings)
            self._scroll.ensureWidgetVisible(self.form.button)

    def _head(self) -> QHBoxLayout:
        name = PlainLabel(tr("Pet Store Desktop"), "text", 24, 600)
        return in_row(
            None, IconLabel("app", "text", tr("Pet Store Desktop"), 44, tipped=False), name, "stretch", spacing=16
        )

    def _side_by_side(self) -> QHBoxLayout:
        left = QWidget()
        left.setFixedWidth(current().scaled(_COLUMN))
        title = PlainLabel(tr("Try the demo shop"), "text", 15, 600)
        words = tr("Invented pets and orders, with real request limits. Runs on this computer; no account needed.")
        button = (self.demo, Qt.AlignmentFlag.AlignLeft)
        demo = in_column(left, title, PlainLabel(words, "muted", wrap=True), 8, button, margins=(0, 4, 0, 0), spacing=8)
        self._add_known(demo)
        show_me = on_click(LinkLabel(tr("Show me, in a minute and a half")), self._show_me, "showMeLink")
        add(demo, 8, (show_me, Qt.AlignmentFlag.AlignLeft))
        manual = on_click(LinkLabel(tr("Open the manual (F1)")), lambda: self._port.open_manual(), "manualLink")
        add(demo, 4, (manual, Qt.AlignmentFlag.AlignLeft))
        if (app := self._app) is not None:
            words = tr("Language and preferences")
            named_too = words if "Language" in words else f"{words} (Language)"  # for who cannot read the others
            link = on_click(LinkLabel(named_too), lambda: self._port.open_preferences(app, self), "preferencesLink")
            add(demo, 4, (link, Qt.AlignmentFlag.AlignLeft))
        self._add_updates(demo)
        demo.addStretch(1)
        self._divider = Divider(vertical=True)
        return in_row(None, left, "stretch", self._divider, current().scaled(_GAP), self._connect_half())

    def _show_me(self) -> None:
        """Play it in another window; a second click while that opens is the same."""

        def done(error: ShopError | None) -> None:
            if error is not None:
                from petstore_desktop.ui.questions.error import open_error  # late: mostly it begins

                open_error(self, error)

        self._port.show_me(done)

    def _connect_half(self) -> QWidget:
        right = QWidget()
        right.setFixedWidth(current().scaled(_COLUMN))
        title = PlainLabel(tr("Connect your shop"), "text", 15, 600)
        button = (self.form.button, Qt.AlignmentFlag.AlignLeft)
        parts = (title, self.form, button, self.form.findings, "stretch")
        in_column(right, *parts, margins=(0, 4, 0, 0), spacing=10)
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
        self._column = in_column(inner, centred, "stretch")
        scroll = Scrolled(inner)
        scroll.setMinimumWidth(current().scaled(_COLUMN) + 2 * _MARGIN)
        return scroll

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shop and demo shop stand one below the other where the window is too narrow for both."""
        super().resizeEvent(event)
        wide, direction = current().scaled(_WIDTH), QBoxLayout.Direction
        beside = event.size().width() >= wide + 2 * _MARGIN
        self._halves.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        self._divider.setVisible(beside)
        self._block.setFixedWidth(wide if beside else current().scaled(_COLUMN))
        top = max(_MARGIN, (event.size().height() - self._block.sizeHint().height()) * 5 // 11)
        self._column.setContentsMargins(_MARGIN, top, _MARGIN, _MARGIN)

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

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit(None)
