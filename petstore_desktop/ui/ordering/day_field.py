"""A field for a coming day: words are understood, and a calendar opens below."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QStyle, QWidget

from petstore_desktop.desk.values.day_words import typed_day
from petstore_desktop.ui.base.building import in_column, in_row, named
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.ordering.order_texts import distance_words, example_words
from petstore_desktop.ui.text.localize import day_names
from petstore_desktop.ui.text.times import full_day
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, open_below
from petstore_desktop.ui.widgets.chooser import DayMenu
from petstore_desktop.ui.widgets.fields import BareEdit
from petstore_desktop.ui.widgets.form import KeptField
from petstore_desktop.ui.widgets.labels import PlainLabel, set_tip
from petstore_desktop.ui.widgets.paint import Brush

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_TEXT_AT, _END, _WIDTH = 33, 30, 208
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _DayEdit(BareEdit):
    """The line with a calendar before its text and a button at its end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_wrong = False
        self.setFixedSize(current().scaled(_WIDTH), current().height(30))
        self.set_room(current().scaled(_TEXT_AT), current().scaled(_END))
        self.button = named(Button(tr("Choose a day"), "icon", "chevron-down", parent=self), "orderDayMenu")
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def clear_rect(self) -> QRect:
        return QRect()

    def plane(self) -> str:
        return "content"

    def decorate(self, brush: Brush) -> None:
        if not self.hasFocus():
            edge = "bad" if self.is_wrong else "control"
            brush.ring(brush.theme.color(edge), 6, 1)
        brush.icon("calendar", 9, brush.theme.tone("muted"), brush.theme.scaled(16))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        end = self.rect().adjusted(self.width() - current().scaled(_END), 1, -2, -1)
        self.button.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), end))


class DayField(KeptField):
    """A ship date, or none. What is typed is understood at once, and written out when the field is left.

    Signals:
        entered(): Enter: the person is done with it.
    """

    entered = Signal()

    def __init__(self, desk: Desk, label: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._names = desk, day_names()
        self._written: tuple[str, date] | None = None
        """The text that the field wrote itself, and the day that it stands for."""
        title = PlainLabel(label)
        self.edit = named(_DayEdit(), name, label)
        self.edit.setPlaceholderText(tr("none", "no ship date"))
        set_tip(self.edit, example_words())
        title.setBuddy(self.edit)
        self.setFocusProxy(self.edit)
        self.note = named(PlainLabel("", "muted", 13, elide=True), f"{name}Note")
        line = in_row(None, self.edit, (self.note, 1), spacing=16)
        in_column(self, title, line, "stretch", spacing=6)
        self.edit.textChanged.connect(self._moved)
        self.edit.button.clicked.connect(self.open_calendar)
        self.edit.installEventFilter(self)

    # -- the day

    def day(self) -> date | None:
        """The typed day; None where nothing is typed. Raises ValueError for what is no day."""
        text = self.edit.text().strip()
        if not text:
            return None
        if self._written is not None and text == self._written[0]:
            return self._written[1]
        return typed_day(text, self._desk.today, self._desk.shop.here.day_order, self._names)

    def set_day(self, day: date) -> None:
        """Write this day."""
        self._written = (full_day(day), day)
        self.edit.setText(self._written[0])
        self._moved()

    def text(self) -> str:
        try:
            day = self.day()
        except ValueError:
            return self.edit.text()
        return "" if day is None else day.isoformat()

    def set_text(self, text: str) -> None:
        try:
            self.set_day(date.fromisoformat(text))
        except ValueError:
            self.edit.setText(text)

    def refuse(self) -> None:
        """Mark it as wrong, and put the keyboard there."""
        self._say("", wrong=True)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edit.selectAll()

    def _moved(self) -> None:
        day = self._known()
        words = "" if day is None else distance_words(day, self._desk.today)
        if day is not None and (self._written is None or self.edit.text().strip() != self._written[0]):
            words = tr("{day}, {distance}", day=full_day(day), distance=words)
        self._say(words)
        self.touched.emit()

    def _known(self) -> date | None:
        with suppress(ValueError):
            return self.day()
        return None

    def _say(self, words: str, wrong: bool = False) -> None:
        self.note.set_text(words)
        self.edit.is_wrong = wrong
        self.edit.setAccessibleDescription(words or example_words())
        self.edit.update()

    # -- keys and mouse

    def open_calendar(self) -> None:
        """Let a person pick the day."""
        day = self._known() or self._desk.today
        menu = DayMenu(QDate(day.year, day.month, day.day), self)
        menu.calendar.clearMaximumDate()
        menu.picked.connect(self._pick)
        open_below(self.edit, menu)

    def _pick(self, picked: QDate) -> None:
        self.set_day(date(picked.year(), picked.month(), picked.day()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusOut:
            self._write_out()
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        key, held = Qt.Key(event.key()), event.modifiers()
        if (key == Qt.Key.Key_Down and held & Qt.KeyboardModifier.AltModifier) or (key == Qt.Key.Key_F4 and not held):
            self.open_calendar()
        elif key in _STEPS and not held & ~Qt.KeyboardModifier.KeypadModifier:
            self._step(_STEPS[key])
        elif key in _ENTER and not held & Qt.KeyboardModifier.ControlModifier:
            self._write_out()
            self.entered.emit()
        else:
            return False
        return True

    def _step(self, days: int) -> None:
        """A day on or back; from nothing to today."""
        day = self._known()
        with suppress(OverflowError):
            self.set_day(self._desk.today if day is None else day + timedelta(days))

    def _write_out(self) -> None:
        day = self._known()
        if day is not None:
            self.set_day(day)
