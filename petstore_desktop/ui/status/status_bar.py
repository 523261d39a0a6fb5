"""The bar at the bottom: the shop and its state, counts as links, and the meters."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.building import in_row
from petstore_desktop.ui.base.theme import Tone, current, to_say
from petstore_desktop.ui.status.quota_meter import QuotaMeter
from petstore_desktop.ui.widgets.labels import PaintedButton, PlainLabel, set_tip
from petstore_desktop.ui.widgets.paint import brush_on, elided, fill_round, fill_widget

_READABLE = 150
"""Pixels that shortened words keep before the meters give way."""
_RING_ROOM = 5
"""Room beside words without a tint: the focus ring takes two pixels of it."""


class IconWords(PaintedButton):
    """An icon with words that can be clicked, on a tint or not.

    Signals:
        clicked(bool): Qt's own; by mouse, Space or Enter.
    """

    tinted = False
    weight = 400

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = ""
        self._words = ""
        self._tone: Tone = "text"

    def set_parts(self, icon: str, words: str, tone: Tone) -> None:
        """Change the shown parts."""
        if (icon, words, tone) != (self._icon, self._words, self._tone):
            self._icon, self._words, self._tone = icon, words, tone
            self.show_words(words)
            self.update()

    def words(self) -> str:
        """The words as given."""
        return self._words

    def words_tone(self) -> Tone:
        """The tone of the words, which may be quieter than the icon's."""
        return self._tone

    def _pad(self) -> int:
        return 7 if self.tinted else _RING_ROOM

    def sizeHint(self) -> QSize:
        theme = current()
        icon = theme.scaled(14) + 6 if self._icon else 0
        width = icon + theme.advance(self._words, 12, self.weight, True) + 2 * self._pad() + (2 if self.tinted else 0)
        return QSize(round(width + 0.5), theme.height(20))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 60), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, x = brush.theme, float(self._pad())
            if self.tinted:
                brush.panel(theme.tint(self._tone), 4)
                if self.underMouse():
                    brush.ring(theme.tone(self._tone), 4, 1)
            if self._icon:
                side = theme.scaled(14)
                brush.icon(self._icon, x, theme.tone(self._tone), side)
                x += side + 6
            words = elided(theme, self._words, self.width() - x - self._pad(), 12, self.weight, True)
            brush.text(x, words, theme.tone(self.words_tone()), 12, self.weight, True)
            if self.hasFocus():
                brush.ring(theme.color("accent"), 4)


class StateLabel(IconWords):
    """The shop and its state: "Riverside Pets, live"."""

    def set_state(self, icon: str, words: str, tone: Tone) -> None:
        """Icon in the tone; the words too where they need someone (wait, bad)."""
        self.weight = 500 if tone in ("wait", "bad") else 400
        self.set_parts(icon, words, tone)

    def words_tone(self) -> Tone:
        return self._tone if self._tone in ("wait", "bad", "muted") else "text"


class ShopButton(IconWords):
    """What opens the list of shops: the connection's colour, if it has one, and a chevron. The name stands beside it,
    in the state."""

    _colour = ""

    def set_shop(self, colour: str, words: str) -> None:
        """`colour`: `#RRGGBB` or empty; `words` for the tool tip and screen readers."""
        self._colour = colour
        self.setAccessibleName(to_say(words))
        set_tip(self, words)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        theme = current()
        mark = theme.scaled(10) + 4 if self._colour else 0
        return QSize(mark + theme.scaled(12) + 2 * _RING_ROOM, theme.height(20))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, x = brush.theme, float(_RING_ROOM)
            if self._colour:
                side = theme.scaled(10)
                mark = QRectF(brush.at(x, side), brush.middle - side / 2, side, side)
                fill_round(brush.painter, mark, 3, QColor(self._colour))
                x += side + 4
            brush.icon("chevron-up", x, theme.tone("text" if self.underMouse() else "muted"), theme.scaled(12))
            if self.hasFocus():
                brush.ring(theme.color("accent"), 4)


class CountBadge(IconWords):
    """A count that is a link: "3 unsent". Hidden at zero; tinted only when it needs someone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide()

    def set_count(self, count: int, words: str, icon: str, tone: Tone) -> None:
        """Show `words` (which name the count) unless `count` is zero."""
        self.tinted = tone in ("accent", "bad", "wait", "ok")
        self.weight = 500 if self.tinted else 400
        self.set_parts(icon, words, tone)
        self.setVisible(count != 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def _readable(label: PlainLabel) -> int:
    """The width that a label needs: all of it where it cannot be cut."""
    return max(label.minimumSizeHint().width(), current().scaled(_READABLE))


class StatusBar(QWidget):
    """The 30 px row: things added to the left in their order, things added to the right after a gap."""

    _ready = False
    """Qt may call overrides before the Python object is made."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self._row = in_row(self, "stretch", margins=(16 - _RING_ROOM, 0, 16, 0), spacing=10)
        self._ready = True
        self._left = 0
        self.setFixedHeight(current().height(30))

    def add_left(self, widget: QWidget) -> None:
        """Add a widget after those on the left."""
        self._row.insertWidget(self._left, widget)
        self._left += 1

    def add_right(self, widget: QWidget) -> None:
        """Add at the right end; quota meters there leave out parts where the bar gets too narrow."""
        self._row.addWidget(widget)

    def minimumSizeHint(self) -> QSize:
        """Narrower than what it holds, so that large text does not force a window wider than the screen."""
        return QSize(480, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self._ready:  # something in it has other words now
            self.fit()
        return super().event(event)

    def fit(self, *, whole: bool = False) -> bool:
        """Let the meters leave out what there is no room for; whether there is room for the rest then, and, if they
        are to be `whole`, for all of them."""
        cuttable = sum(max(0, label.sizeHint().width() - _readable(label)) for label in self.findChildren(PlainLabel))
        meters = self.findChildren(QuotaMeter)
        for meter in meters:
            meter.fit(self.width() - self._row.sizeHint().width() + cuttable + meter.sizeHint().width())
        room = self._row.sizeHint().width() <= self.width()
        return room and (not whole or all(meter.is_whole for meter in meters))

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_widget(self, "chrome", Qt.Edge.TopEdge)
