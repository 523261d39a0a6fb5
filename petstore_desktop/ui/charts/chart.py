"""The widget of every chart: one stop for the keyboard, in which each slot has words, a ring, a tool tip and rows.

Each slot is a button of its own above the paint. A screen reader finds it as a child of the chart with its sentence as
the name, and can press it; of all of them only one at a time is reached with Tab.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QFrame, QGroupBox, QMenu, QSizePolicy, QTableView, QWidget

from petstore_desktop.ui.base.building import named, short_lived
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.charts.canvas import Canvas, Ink, paper_ink
from petstore_desktop.ui.charts.plot import paint_plot
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.labels import PaintedButton, set_tip
from petstore_desktop.ui.widgets.paint import is_rtl

if TYPE_CHECKING:
    from petstore_desktop.ui.charts.plot import ChartSlot, Plot

_RING = 4
_LEAST = 120
_MARGIN = 16
_SHARPNESS = 2
"""Pixels of a copied picture for each logical one, so that it can be enlarged."""
_RESTYLE = frozenset({QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.LayoutDirectionChange})
_ARROWS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down})


class ChartNumbers(QTableView):
    """The numbers of a chart as a table for screen readers, which find it in the chart's group.

    It lies behind the chart's slots and takes neither mouse nor keyboard: each slot is a button that says its own.
    """

    def __init__(self, chart: QWidget) -> None:
        super().__init__(chart)
        named(self, "chartNumbers")
        self._shown = QStandardItemModel()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        for bar in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            bar(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.setGeometry(chart.rect())
        self.lower()
        self.show()

    def show_numbers(self, title: str, rows: Sequence[Sequence[str | int]]) -> None:
        """The first of the rows are the titles of the columns."""
        self.setAccessibleName(to_say(title))
        titles, *said = ([to_say(str(one)) for one in row] for row in rows)
        self._shown = QStandardItemModel()
        for row in said:
            self._shown.appendRow([QStandardItem(words) for words in row])
        self._shown.setHorizontalHeaderLabels(titles)
        self._shown.setVerticalHeaderLabels([row[0] for row in said])
        self.setModel(self._shown)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The chart itself is seen."""


class SlotButton(PaintedButton):
    """One slot of a chart: nothing but a ring where it has the keyboard; the bar below is the chart's paint."""

    def __init__(self, chart: Chart, place: int) -> None:
        super().__init__(chart)
        self._chart, self._place = chart, place
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.clicked.connect(self._open)

    def show_slot(self, slot: ChartSlot) -> None:
        """Take the words of a slot, and a name by its key."""
        named(self, f"{self._chart.objectName()}.{slot.key}")
        said = to_say(slot.said)
        if said != self.accessibleName():
            self.setAccessibleName(said)
            set_tip(self, slot.said)
        self.setCursor(Qt.CursorShape.PointingHandCursor if slot.has_rows else Qt.CursorShape.ArrowCursor)

    def _open(self) -> None:
        self._chart.open_slot(self._place)

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        if event.matches(QKeySequence.StandardKey.Copy):
            event.accept()  # the key belongs to the chart here, not to the list that the window would copy from
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._chart.copy()
        elif not self._chart.move_from(self._place, event.key()):
            if event.key() in _ARROWS:
                event.ignore()  # Qt's buttons go to the next widget with any arrow; here they scroll the page
            else:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._chart.stop_at(self._place)
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._chart.hover(self._place)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._chart.hover(-1)


class Chart(QGroupBox):
    """A chart, whatever its kind; a group, so that a screen reader says its name on the way into it.

    Signals:
        opened(object): the key of a slot was chosen, whose rows are to be shown.
    """

    opened = Signal(object)

    def __init__(self, plot: Plot, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, name)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._buttons: list[SlotButton] = []
        self._now = 0
        self._hovered = -1
        self._plot = plot
        self._numbers: ChartNumbers | None = None
        self.show_plot(plot)

    @property
    def plot(self) -> Plot:
        """The data that it shows."""
        return self._plot

    def show_plot(self, plot: Plot) -> None:
        """Show other numbers; the keyboard stays at the slot with the same key."""
        slots, before = plot.slots, self._plot.slots
        stood = before[self._now].key if self._now < len(before) and self._buttons else None
        self._plot = plot
        had = any(button.hasFocus() for button in self._buttons)
        self.setAccessibleName(to_say(plot.title))
        self._make(len(slots))
        for button, slot in zip(self._buttons, slots, strict=True):
            button.show_slot(slot)
        keys = [slot.key for slot in slots]
        here = next((at for at, slot in enumerate(slots) if slot.is_now), 0)
        self._hovered = -1
        self.stop_at(keys.index(stood) if stood is not None and stood in keys else here)
        if had and self._buttons:
            self._buttons[self._now].setFocus(Qt.FocusReason.OtherFocusReason)
        self._tell_numbers()
        self.updateGeometry()
        self._place()
        self.update()

    def _tell_numbers(self) -> None:
        """Where a screen reader runs, it finds the numbers as a table too."""
        if QAccessible.isActive():
            self._numbers = self._numbers or ChartNumbers(self)
            self._numbers.show_numbers(self._plot.title, self._plot.table())

    # -- moving among the slots

    def slot_widgets(self) -> list[SlotButton]:
        """The buttons of the slots, in their order."""
        return list(self._buttons)

    def move_from(self, place: int, key: int) -> bool:
        """Go to another slot with this key; False where it does not move there."""
        last = len(self._buttons) - 1
        back, forth = (Qt.Key.Key_Up, Qt.Key.Key_Down) if self._plot.is_list else (Qt.Key.Key_Left, Qt.Key.Key_Right)
        if is_rtl(self) and not self._plot.is_list:
            back, forth = forth, back
        to = {back: max(0, place - 1), forth: min(last, place + 1), Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        if key not in to:
            return False
        self._buttons[to[Qt.Key(key)]].setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def stop_at(self, place: int) -> None:
        """Make this slot the one that Tab reaches."""
        for at, button in enumerate(self._buttons):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if at == place else Qt.FocusPolicy.ClickFocus)
        self._now = place
        if self._buttons:
            self.setFocusProxy(self._buttons[place])

    def hover(self, place: int) -> None:
        """Show a slot as the one under the pointer; -1 for none."""
        self._hovered = place
        self.update()

    def open_slot(self, place: int) -> None:
        """Show the rows of a slot, where it has any."""
        slot = self._plot.slots[place]
        if slot.has_rows:
            self.opened.emit(slot.key)

    # -- copying

    def copy(self) -> None:
        """Put the picture and the numbers on the clipboard."""
        width = max(self.width(), self._plot.width(current()))
        QGuiApplication.clipboard().setMimeData(copied_chart(self._plot, width, rtl=is_rtl(self)))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_at(self._slot_at(event)).popup(event.globalPos())

    def menu_at(self, place: int) -> QMenu:
        """What can be done at a slot."""
        menu = short_lived(named(QMenu(self), "chartMenu"))
        if 0 <= place < len(self._buttons):
            rows = menu.addAction(tr("&Show these rows"), lambda: self.open_slot(place))
            rows.setEnabled(self._plot.slots[place].has_rows)
        copy = menu.addAction(tr("&Copy as picture and numbers"), self.copy)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # only named here: the slot takes the key
        return menu

    def _slot_at(self, event: QContextMenuEvent) -> int:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            return self._now
        at = [place for place, button in enumerate(self._buttons) if button.geometry().contains(event.pos())]
        return at[0] if at else -1

    # -- size and paint

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._plot.height(current(), width)

    def sizeHint(self) -> QSize:
        width = self._plot.width(current())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, self.heightForWidth(max(_LEAST, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        if self._numbers is not None:
            self._numbers.setGeometry(self.rect())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._numbers is None:  # a screen reader may have come meanwhile
            self._tell_numbers()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _RESTYLE:
            self.updateGeometry()
            self._place()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        canvas = Canvas(painter, self.rect(), Ink(current(), is_rtl(self)))
        if 0 <= self._hovered < len(self._buttons) and self._plot.slots[self._hovered].has_rows:
            canvas.plane(self._buttons[self._hovered].geometry().toRectF(), "hover", _RING)
        self._plot.paint(canvas)
        painter.end()

    def _make(self, count: int) -> None:
        while len(self._buttons) > count:
            gone = self._buttons.pop()
            gone.hide()
            gone.deleteLater()
        while len(self._buttons) < count:
            button = SlotButton(self, len(self._buttons))
            self._buttons.append(button)
            button.show()

    def _place(self) -> None:
        places = self._plot.places(current(), self.width())
        for button, place in zip(self._buttons, places, strict=True):
            button.setGeometry(self._mirrored(place))

    def _mirrored(self, place: QRect) -> QRect:
        if is_rtl(self):
            place = QRect(place)
            place.moveLeft(self.width() - place.left() - place.width())
        return place


def copied_chart(plot: Plot, width: int, *, rtl: bool) -> QMimeData:
    """The picture on white, and the numbers as lines with tabs and as an HTML table."""
    from petstore_desktop.desk.edit.clipboard import (  # when it is wanted
        HTML_HEAD,
        HTML_TAIL,
        html_cell,
        html_row,
        tsv_line,
    )

    rows = [[to_say(str(cell)) for cell in row] for row in plot.table()]
    titles, *others = rows
    markup = [HTML_HEAD, html_row(html_cell(title, False, "th") for title in titles)]
    markup += [html_row(html_cell(cell, at > 0) for at, cell in enumerate(row)) for row in others]
    mime = QMimeData()
    mime.setImageData(picture(plot, width, rtl=rtl))
    mime.setData("text/plain", "\n".join(map(tsv_line, rows)).encode("utf-8", "replace"))
    mime.setData("text/html", "".join([*markup, HTML_TAIL]).encode("utf-8", "replace"))
    return mime


def picture(plot: Plot, width: int, *, rtl: bool = False) -> QImage:
    """A chart on white, with a margin."""
    ink = paper_ink(rtl=rtl)
    height = plot.height(ink.theme, width)
    image = QImage(
        ceil((width + 2 * _MARGIN) * _SHARPNESS), ceil((height + 2 * _MARGIN) * _SHARPNESS), QImage.Format.Format_RGB32
    )
    image.setDevicePixelRatio(_SHARPNESS)
    image.fill(ink.theme.color("content"))
    painter = QPainter(image)
    paint_plot(plot, painter, QRect(_MARGIN, _MARGIN, width, height), ink)
    painter.end()
    return image
