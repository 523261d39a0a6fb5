"""A short message about the last act, with an undo button. It stands at the bottom of the window, in the middle of the
list, clear of the row that a person works on and of those beside it: one of them was edited last, or comes next. In a
low window, whose few rows are all of use, it stands over the status bar."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import Theme, current, to_say
from petstore_desktop.ui.context.tab_specs import HostedPage
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.text.translate import listed
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel, announce
from petstore_desktop.ui.widgets.paint import Brush, brush_on, elided

_HEIGHT, _PAD, _ICON = 36, 12, 16
_EDGE, _APART = 16, 8
_ABOVE_BAR = 42
"""Pixels above the window's lower edge: the status bar's height plus 12."""
_LOW, _BAR = 680, 30
"""A window lower than this is a low one; how high its status bar is (px at base 13)."""
_FOLLOW_MS = 50
_SAID_MS, _ERRORS_MS = 1_500, 3_000
"""After a message was read out, others are not until so long none came, and then the last one; of errors in a row. The
first error is read out at once."""
_ERRORS = frozenset({"warning", "refused", "conflict", "uncertain", "offline"})
"""Icons of messages that tell of an error."""
Room = Callable[[], tuple[QRect, QRect]]


class _Undo(LinkLabel):
    """The link on the dark plate, in the plate's own colours."""

    ring_tone = "toast_link"

    def draw(self, brush: Brush) -> None:
        color = brush.theme.color("toast_link")
        width = brush.text(LINK_PAD, self.words(), color, 13, 500)
        if brush.theme.high_contrast:
            brush.painter.fillRect(QRectF(brush.at(LINK_PAD, width), brush.base + 2, width, 1), color)


class Toast(QWidget):
    """A dark plate at the bottom centre of its parent; goes by itself, but stays while hovered or focused.

    Signals:
        undoRequested(): the person pressed the undo link.
    """

    undoRequested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("toast")
        self._words, self._icon, self._key = "", "", ""
        self._key_of: Callable[[], str] = lambda: ""
        self._room: Room | None = None
        self._follow = timer(self, _FOLLOW_MS, self._follow_all)
        self._timer = timer(self, 0, self._timed_out, once=True)
        self._calm = timer(self, 0, self._say_last, once=True)
        self._urgent, self._unsaid = False, ""
        self._undo = _Undo(parent=self)
        self._undo.clicked.connect(self._on_undo)
        self._undo.installEventFilter(self)
        parent.installEventFilter(self)
        self.hide()

    def show_message(
        self,
        text: str,
        icon: str = "saved",
        undo_text: str = "",
        key: Callable[[], str] = lambda: "",
        seconds: float = 6,
    ) -> None:
        """Show `text` for `seconds`; with `undo_text` a link that emits undoRequested, and beside it the `key` that
        does the same, which is asked again and again while it shows."""
        self._words, self._icon, self._key_of = text, icon, key
        self._key = key() if undo_text else ""
        self._undo.set_text(undo_text)
        self._undo.setVisible(bool(undo_text))
        self.setAccessibleName(to_say(text))
        self._tell(listed((text, f"{undo_text} {self._key}".strip())), icon in _ERRORS)
        self._timer.setInterval(round(seconds * 1000))
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def _tell(self, words: str, urgent: bool) -> None:
        """Have it read out, or of many that come one after the other the first and the last."""
        follows = self._calm.isActive() and (self._urgent or not urgent)
        self._calm.start(_ERRORS_MS if urgent and follows else _SAID_MS)
        self._urgent = urgent
        self._unsaid = words if follows else ""
        if not follows:
            announce(self, words, urgent=urgent)

    def _say_last(self) -> None:
        if self._unsaid:
            announce(self, self._unsaid, urgent=self._urgent)
            self._unsaid = ""

    def follow_key(self) -> None:
        """Beside the link stands the key that does now what the link does."""
        key = self._key_of() if self._undo.words() else ""
        if key != self._key:
            self._key = key
            self._place()
            self.update()

    def _follow_all(self) -> None:
        self.follow_key()
        self._place()

    def key(self) -> str:
        """The key beside the link."""
        return self._key

    def hide_now(self) -> None:
        """Take it away."""
        self._timer.stop()
        self.hide()

    def words(self) -> str:
        """The shown text."""
        return self._words

    def stand_in(self, room: Room) -> None:
        """Stand in the middle of the first rectangle that `room` gives, and above the second where they would meet;
        both in the parent's coordinates, asked again and again while it shows."""
        self._room = room

    def _on_undo(self) -> None:
        self.hide_now()
        self.undoRequested.emit()

    def _timed_out(self) -> None:
        if self.underMouse() or self._undo.hasFocus():
            self._timer.start()
        else:
            self.hide()

    def _texts(self, theme: Theme) -> tuple[float, float]:
        """Widths of the message and of the key."""
        return theme.advance(self._words, 13, 500), theme.advance(self._key, 11)

    def _place(self) -> None:
        parent = self.parentWidget()
        if parent is None:
            return
        theme = current()
        message, key = self._texts(theme)
        link = self._undo.sizeHint()
        undo = link.width() if self._undo.words() else 0
        tail = (20 + undo if undo else 0) + (6 + key if key else 0)
        width = min(parent.width() - 32, round(_PAD + _ICON + 6 + message + tail + 16 - 2 * LINK_PAD))
        height = theme.height(_BAR) if self._is_low(parent) else theme.height(_HEIGHT)
        self.setGeometry(self._placed(QRect(0, 0, width, height), parent))
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = round(width - 16 - (key + 6 - LINK_PAD if key else -LINK_PAD) - undo)
        top = (height - link.height()) // 2
        self._undo.setGeometry(width - x - undo if rtl else x, top, undo, link.height())

    def _placed(self, plate: QRect, parent: QWidget) -> QRect:
        """The plate where it stands in the window: above the current row where it would cover that; over the status bar
        in a low one."""
        area, keep = self._room() if self._room is not None else (parent.rect(), QRect())
        left = area.center().x() - plate.width() // 2
        plate.moveLeft(max(_EDGE, min(left, parent.width() - _EDGE - plate.width())))
        if self._is_low(parent):
            plate.moveBottom(parent.height() - 1)
            return plate
        plate.moveBottom(parent.height() - _ABOVE_BAR - 1)
        if plate.intersects(keep.adjusted(0, -_APART, 0, _APART)):
            plate.moveBottom(keep.top() - _APART - 1)
        return plate

    def _is_low(self, parent: QWidget) -> bool:
        return parent.height() < current().scaled(_LOW)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._follow.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, white, x = brush.theme, brush.theme.color("on_toast"), _PAD + _ICON + 6
            brush.panel(theme.color("toast"), 8)
            brush.icon(self._icon, _PAD, white, _ICON)
            key_room = 6 + self._texts(theme)[1] if self._key else 0
            end = self._undo.sizeHint().width() + 14 + key_room if self._undo.words() else 0
            brush.text(x, elided(theme, self._words, self.width() - x - 9 - end, 13, 500), white, 13, 500)
            brush.ending(self.width() - 16, self._key, theme.color("toast_key"), 11, tnum=False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            self._place()
        elif watched is self._undo and isinstance(event, QFocusEvent) and self.isVisible():
            self._timer.start()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        if self.isVisible():
            self._timer.start()


def toast_room(pages: QStackedWidget) -> tuple[QRect, QRect]:
    """The list, and the current row with the one above and the one below (empty where it is not in sight), in the
    coordinates of the window with these pages; or a page over the list, and its foot."""
    tab, window = pages.currentWidget(), pages.window()
    if isinstance(tab, HostedPage):
        return _seen(pages, pages.rect(), window), _seen(tab, tab.foot_rect(), window)
    if not isinstance(tab, ResourceTab):
        return _seen(pages, pages.rect(), window), QRect()
    viewport = tab.view.viewport()
    cell = tab.view.visualRect(tab.view.currentIndex())
    rows = QRect(0, cell.top() - cell.height(), viewport.width(), 3 * cell.height())
    row = rows & viewport.rect() if cell.isValid() and cell.intersects(viewport.rect()) else QRect()
    return _seen(viewport, viewport.rect(), window), _seen(viewport, row, window)


def _seen(widget: QWidget, rect: QRect, window: QWidget) -> QRect:
    return rect.translated(widget.mapTo(window, QPoint(0, 0))) if not rect.isEmpty() else QRect()
