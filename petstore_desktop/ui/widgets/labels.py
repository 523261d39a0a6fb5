"""Words: labels that are plain text for certain, links that are widgets, dividers, and what a screen reader is told of
them."""

from __future__ import annotations

from math import ceil

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QFont, QKeyEvent, QPainter, QPaintEvent, QPalette, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QFrame, QLabel, QSizePolicy, QStyle, QToolTip, QWidget
from shiboken6 import delete as delete_now

from petstore_desktop.ui.base.theme import RESTYLE, Tone, current, isolate, to_say, tooltip
from petstore_desktop.ui.widgets.paint import Brush, Plane, brush_on, elided, is_rtl, own_direction

LINK_PAD = 3
"""Room in a link beside its words, for the focus ring; layouts take it off their spacing."""
LEADING_NOTE, LEADING_ANSWER = 1.45, 1.42


def announce(widget: QWidget, words: str, *, urgent: bool = False) -> None:
    """Have `words` read out once: after the sentence that is being read, or at once where it is `urgent`. Qt has it
    from 6.8 on, and not on every platform."""
    event_class = getattr(QtGui, "QAccessibleAnnouncementEvent", None)
    if event_class is not None:
        event = event_class(widget, to_say(words))
        if urgent:
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(event)


def set_tip(widget: QWidget, text: str) -> None:
    """Show `text` as the tool tip, and have it read out as the description: Qt would read out the tip's markup."""
    widget.setToolTip(tooltip(text))
    widget.setAccessibleDescription(to_say(text))


def says_cut_words(widget: QWidget) -> bool:
    """Show the words of a widget that has no room for them as its tool tip, unless it has another; whether it did."""
    cut = not widget.toolTip() and widget.width() < widget.sizeHint().width()
    if cut:
        QToolTip.showText(widget.mapToGlobal(widget.rect().bottomLeft()), tooltip(widget.accessibleName()), widget)
    return cut


_WIDTHS = 3
"""For so many widths a label keeps its broken lines: its own, that of its size hint, and the largest."""


class PlainLabel(QLabel):
    """A label that shows its text letter by letter, in a tone of the theme.

    With `wrap` it breaks lines with the design's leading; with `elide` it takes less room than its words where there is
    no more. Words without room are shortened, and a tool tip says the whole.
    """

    _tone: Tone = "text"
    _styling = False
    _elide = False
    _leading = 0.0
    _font_key: tuple[float, int, bool] = (13, 400, True)

    def __init__(
        self,
        text: str = "",
        tone: Tone = "text",
        size: float = 13,
        weight: int = 400,
        *,
        wrap: bool = False,
        elide: bool = False,
        tnum: bool = True,
        selectable: bool = False,
        leading: float = LEADING_NOTE,
    ) -> None:
        super().__init__()
        self._broken_of: tuple[str, QFont, float, bool] | None = None
        self._broken: dict[float, tuple[QTextLayout, float]] = {}
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._tone, self._font_key = tone, (size, weight, tnum)
        self._elide, self._leading = elide, leading if wrap else 0.0
        if wrap:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
            self.setWordWrap(True)
        if elide:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        if selectable:
            flags = Qt.TextInteractionFlag
            self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self._restyle()
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show `text`; it is never taken for markup."""
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(to_say(text))
            if self._elide:
                set_tip(self, text)

    def set_tone(self, tone: Tone) -> None:
        """Colour the words."""
        if tone != self._tone:
            self._tone = tone
            self._restyle()

    def event(self, event: QEvent) -> bool:
        cut = event.type() is QEvent.Type.ToolTip and not self.wordWrap() and says_cut_words(self)
        return cut or super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in RESTYLE and not self._styling:
            self._restyle()

    def _restyle(self) -> None:
        self._styling = True
        theme = current()
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, theme.tone(self._tone))
        self.setPalette(palette)
        self.setFont(theme.font(*self._font_key))
        self._styling = False
        self.updateGeometry()

    def _lines(self, width: float) -> tuple[QTextLayout, float]:
        """The text broken at `width` pixels, and its height with the leading. Kept for the last widths: layouts ask for
        the same height again and again."""
        step = round(self.fontMetrics().height() / 1.21 * self._leading, 1)
        of = self.text(), self.font(), step, is_rtl(self)
        if of != self._broken_of or len(self._broken) > _WIDTHS:
            self._broken_of, self._broken = of, {}
        if width not in self._broken:
            self._broken[width] = self._break(width, step)
        return self._broken[width]

    def _break(self, width: float, step: float) -> tuple[QTextLayout, float]:
        layout = QTextLayout(self.text().replace("\n", "\u2028"), self.font())
        side = Qt.AlignmentFlag.AlignRight if is_rtl(self) else Qt.AlignmentFlag.AlignLeft
        option = QTextOption(side | Qt.AlignmentFlag.AlignAbsolute)
        option.setTextDirection(own_direction(self.text()))
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        y = 0.0
        layout.beginLayout()
        while True:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(1.0, width))
            line.setPosition(QPointF(0, y + (step - line.height()) / 2))
            y += step
        layout.endLayout()
        return layout, y

    def heightForWidth(self, width: int) -> int:
        if not self._leading:
            return super().heightForWidth(width)
        edges = self.contentsMargins()
        return round(self._lines(width - edges.left() - edges.right())[1] + 0.49) + edges.top() + edges.bottom()

    def hasHeightForWidth(self) -> bool:
        return self._leading > 0

    def sizeHint(self) -> QSize:
        if not self._leading:
            return super().sizeHint()
        width = min(380, round(self.fontMetrics().horizontalAdvance(self.text())) + 2)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        if self._leading:
            edges = self.contentsMargins()
            return QSize(60, round(self._lines(10_000)[1]) + edges.top() + edges.bottom())
        if self._elide:
            return QSize(min(24, super().sizeHint().width()), super().minimumSizeHint().height())
        return super().minimumSizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        area = self.contentsRect()
        if self._leading:
            self._lines(area.width())[0].draw(painter, QPointF(area.topLeft()))
        else:
            shown, fits = self.text(), self.fontMetrics().horizontalAdvance(self.text()) <= area.width() + 1
            if not fits and "\n" not in shown:
                shown = self.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, area.width())
            flags = QStyle.visualAlignment(self.layoutDirection(), self.alignment()) | Qt.AlignmentFlag.AlignAbsolute
            painter.setLayoutDirection(own_direction(shown))
            painter.drawText(area, int(flags.value), shown)
        painter.end()


class PaintedButton(QAbstractButton):
    """A button that paints itself, with a `ring` of this radius while it has the keyboard; `keys` click it, as Space
    does."""

    ring, ring_tone = 4, "accent"
    keys: tuple[Qt.Key, ...] = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    least = 0
    """Pixels that it keeps where there is little room, and a tool tip says the rest of its words; 0: all of them."""

    def __init__(self, parent: QWidget | None = None, across: QSizePolicy.Policy = QSizePolicy.Policy.Maximum) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)

    def show_words(self, words: str) -> None:
        """Take these words, in which an ampersand is an ampersand."""
        self.setText(words.replace("&", "&&"))
        self.setAccessibleName(to_say(words))
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(current().scaled(self.least), hint.width()), hint.height()) if self.least else QSize()

    def event(self, event: QEvent) -> bool:
        return (event.type() is QEvent.Type.ToolTip and says_cut_words(self)) or super().event(event)

    def draw(self, brush: Brush) -> None:
        """Paint all but the ring."""

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            self.draw(brush)
            if self.hasFocus():
                brush.ring(brush.theme.color(self.ring_tone), self.ring)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in self.keys:
            self.click()
        else:
            super().keyPressEvent(event)


class LinkLabel(PaintedButton):
    """Words that do something when clicked or pressed with Space or Enter.

    Signals:
        clicked(bool): Qt's own.
    """

    _head = _tail = _words = ""

    def __init__(self, text: str = "", size: float = 13, weight: int = 500, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key: tuple[float, int, bool] = (size, weight, True)
        self._tone: Tone = "accent"
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_text(text)

    def set_text(self, text: str, tail: str = "") -> None:
        """Show `text` as the link's words; an ampersand is an ampersand. With a `tail`, which is never cut, the text
        before it is one that others may have written, kept apart in its direction."""
        if (text, tail) == (self._head, self._tail):
            return
        self._head, self._tail = text, tail
        self._words = f"{isolate(text)}{tail}" if tail else text
        self.show_words(self._words)

    def words(self) -> str:
        """The link's words as given."""
        return self._words

    def fitting(self, room: float) -> str:
        """The words that fit into `room` pixels."""
        theme, words = current(), self.words()
        if not self._tail or theme.advance(words, *self._key) <= room:
            return elided(theme, words, room, *self._key)
        left = room - theme.advance(self._tail, *self._key)
        return f"{isolate(elided(theme, self._head, left, *self._key) or '…')}{self._tail}"

    def set_tone(self, tone: Tone) -> None:
        """Colour the words; a count is tinted only when it needs someone."""
        self._tone = tone
        self.update()

    def sizeHint(self) -> QSize:
        theme = current()
        return QSize(ceil(theme.advance(self._words, *self._key)) + 2 * LINK_PAD, theme.height(20))

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(24, hint.width()), hint.height())

    def draw(self, brush: Brush) -> None:
        color = brush.theme.tone(self._tone if self.isEnabled() else "faint")
        width = brush.text(LINK_PAD, self.fitting(self.width() - 2 * LINK_PAD), color, *self._key)
        if self.underMouse() or self.isDown() or brush.theme.high_contrast:
            line = QRect(round(brush.at(LINK_PAD, width)), brush.base + 2, round(width), 1)
            brush.painter.fillRect(line, color)


class IconLabel(QWidget):
    """An icon in the middle of its room, named for a screen reader, and by a tool tip if it is `tipped`."""

    def __init__(self, icon: str, tone: Tone, name: str = "", size: int = 14, *, tipped: bool = True) -> None:
        super().__init__()
        self._side, self._tipped = current().scaled(size), tipped
        self.setFixedSize(self._side, self._side)
        self.set_icon(icon, tone, name)

    def set_icon(self, icon: str, tone: Tone, name: str) -> None:
        """Show another one."""
        self._icon, self._tone = icon, tone
        self.setAccessibleName(to_say(name))
        if self._tipped:
            set_tip(self, name)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            brush.icon(self._icon, (self.width() - self._side) / 2, brush.theme.tone(self._tone), self._side)


class Divider(Plane, QFrame):
    """A one-pixel line between two planes."""

    def __init__(self, vertical: bool = False, token: str = "line") -> None:
        super().__init__()
        self.ground = token
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)


def say(label: PlainLabel | LinkLabel, words: str) -> None:
    """Show these words, or hide the label where there are none."""
    label.set_text(words)
    label.setVisible(bool(words))


def drop(layout: QBoxLayout) -> None:
    """Take everything out of a layout, nested layouts too, and delete its widgets.

    Qt gives the items of a layout away here, and nobody else deletes them.
    """
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if isinstance(inner, QBoxLayout):
            drop(inner)
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        delete_now(item)
