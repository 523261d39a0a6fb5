"""The two moments that are compared: two fields and quick ranges; and what is wrong with them, if anything is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from PySide6.QtCore import QDateTime, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractSpinBox, QBoxLayout, QDateTimeEdit, QSizePolicy, QStyle, QWidget

from petstore_desktop.domain.records import calendar_moment
from petstore_desktop.ui.base.building import in_row, named, on_click, timer
from petstore_desktop.ui.base.theme import RESTYLE, current
from petstore_desktop.ui.text.times import day_and_time_form
from petstore_desktop.ui.text.translate import locale, tr
from petstore_desktop.ui.widgets.button import Button, open_below
from petstore_desktop.ui.widgets.chooser import DayMenu
from petstore_desktop.ui.widgets.labels import IconLabel, set_tip
from petstore_desktop.ui.widgets.paint import brush_on, fill_round

if TYPE_CHECKING:
    from petstore_desktop.domain.seen_changes import Span


_ICON_AT, _TEXT_AT, _END = 9, 33, 30
_HEIGHT, _WIDTH = 30, 232


class MomentField(QDateTimeEdit):
    """A local day and time, to the minute.

    Signals:
        chosen(): a person has chosen another moment.
    """

    chosen = Signal()

    _built = False
    """Qt calls overrides before it is."""

    def __init__(self, label: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: QDateTime | None = None
        self._rtl = QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # else Qt turns the parts round, the time's digits too
        self.lineEdit().setLayoutDirection(QGuiApplication.layoutDirection())
        named(self, name, label)
        set_tip(self, tr("Up and Down change the part under the caret, Alt+Down opens a calendar"))
        self.setFrame(False)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setLocale(locale())
        self.setDisplayFormat(day_and_time_form())
        self.setWrapping(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.lineEdit().setProperty("bare", True)
        self.lineEdit().setFrame(False)
        self.button = named(Button(tr("Choose a day"), "icon", "chevron-down", parent=self), f"{name}Day")
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.clicked.connect(self.open_calendar)
        self.dateTimeChanged.connect(self._changed)
        self._built = True
        self.retheme()

    def moment(self) -> float:
        """The chosen minute's beginning (UTC epoch seconds)."""
        return float(self.dateTime().toSecsSinceEpoch())

    def set_moment(self, moment: float) -> None:
        """Show the minute of this moment (UTC epoch seconds); `chosen` is not emitted."""
        self._shown = QDateTime.fromSecsSinceEpoch(int(calendar_moment(moment) // 60) * 60)
        if self.dateTime() != self._shown:
            self.setDateTime(self._shown)

    def _changed(self, moment: QDateTime) -> None:
        self.updateGeometry()  # another day may have a longer name
        if moment != self._shown:
            self._shown = moment
            self.chosen.emit()

    def open_calendar(self) -> None:
        """Let a person pick the day; the time of day stays."""
        menu = DayMenu(self.date(), self)
        menu.calendar.clearMaximumDate()
        menu.picked.connect(self.setDate)
        open_below(self, menu)

    def retheme(self) -> None:
        """Take the colours and fonts of the present theme."""
        theme = current()
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Text, theme.color("text"))
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Highlight, theme.color("select"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme.color("on_select"))
        self.setPalette(palette)
        self.lineEdit().setPalette(palette)  # it keeps its own where an application has one for all fields
        self.setFont(theme.font(13, 400, True))
        self._place()

    # -- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (event.key() == Qt.Key.Key_Down and event.modifiers() & Qt.KeyboardModifier.AltModifier) or (
            event.key() == Qt.Key.Key_F4 and not event.modifiers()
        ):
            self.open_calendar()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()  # closes what it is in
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in RESTYLE and self._built:
            self.retheme()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    # -- looks

    def sizeHint(self) -> QSize:
        theme = current()
        words = theme.advance(self.text(), 13, 400, True)
        return QSize(round(max(theme.scaled(_WIDTH), words + theme.scaled(_TEXT_AT + _END) + 8)), theme.height(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        before, after = current().scaled(_TEXT_AT), current().scaled(_END)
        left, right = (after, before) if self._rtl else (before, after)
        self.lineEdit().setGeometry(self.rect().adjusted(left, 0, -right, 0))
        end = self.rect().adjusted(self.width() - after - 1, 1, -2, -1)
        self.button.setGeometry(QStyle.visualRect(QGuiApplication.layoutDirection(), self.rect(), end))

    def paintEvent(self, event: QPaintEvent) -> None:
        self._place()  # Qt puts the line back where its own frame would leave it
        with brush_on(self) as brush:
            brush.rtl = self._rtl
            theme, plate = brush.theme, self.rect().toRectF()
            fill_round(brush.painter, plate, 6, theme.color("content"))
            focused = self.hasFocus()
            edge = theme.color("accent" if focused else "control")
            brush.ring(edge, 5, 2 if focused else 1)
            brush.icon("calendar", _ICON_AT, theme.tone("muted"), theme.scaled(16))


DAY_S: Final = 86_400.0
_TYPING_MS = 250
"""A pause in typing after which the moments are compared."""
Problem = Literal["", "no-history", "too-early", "swapped", "future"]


class Moments(Struct, frozen=True):
    """The two moments (UTC epoch seconds)."""

    then: float
    now: float

    def problem(self, span: Span, present: float) -> Problem:
        """Why the history cannot compare them; empty where it can. `present`: the present moment."""
        if span.first is None:
            return "no-history"
        if self.then > present or self.now >= present + 60:
            return "future"
        if self.then > self.now:
            return "swapped"
        return "too-early" if self.then < span.first // 60 * 60 else ""  # the field names its minute


def _quick_ranges() -> tuple[tuple[str, str], ...]:
    return ("left", tr("Since you left")), ("day", tr("Last {n} hours", "", 24)), ("week", tr("Last {n} days", "", 7))


class MomentRange(QWidget):
    """Fields for both moments, and quick ranges beside or below them. `clock`: the present moment; `left_at`: when the
    person was last here, None where that is not known.

    Signals:
        chosen(): other moments are to be compared.
    """

    chosen = Signal()

    def __init__(self, clock: Callable[[], float], left_at: Callable[[], float | None], parent: QWidget) -> None:
        super().__init__(parent)
        self._clock, self._left_at = clock, left_at
        self._moments = Moments(0.0, 0.0)
        self.first = MomentField(tr("From"), "compareFrom", self)
        self.last = MomentField(tr("To"), "compareTo", self)
        self.ranges = [
            on_click(Button(words, "quiet", parent=self), partial(self._use, name), f"range-{name}")
            for name, words in _quick_ranges()
        ]
        self._soon = timer(self, _TYPING_MS, self.chosen, once=True)
        self.first.chosen.connect(self._edit_first)
        self.last.chosen.connect(self._edit_last)
        self._arrow = IconLabel("arrow", "muted", size=16)
        self._arrow.setFixedSize(self._arrow.width() + 2, current().height(30))
        self._fields = in_row(None, self.first, self._arrow, self.last, "stretch", spacing=11)
        self.setMinimumWidth(1)
        self._row = in_row(self, self._fields, in_row(None, *self.ranges, "stretch", spacing=4), "stretch", spacing=12)

    def moments(self) -> Moments:
        """Return the chosen moments."""
        return self._moments

    def use(self, moments: Moments) -> None:
        """Choose these moments."""
        self._soon.stop()
        self._moments = moments
        self.first.set_moment(moments.then)
        self.last.set_moment(moments.now)
        self.chosen.emit()

    def update_ranges(self) -> None:
        """Whether it is known when the person was last here."""
        known = self._left_at() is not None
        self.ranges[0].setEnabled(known)
        set_tip(self.ranges[0], "" if known else tr("You have not been away yet."))

    def _use(self, name: str) -> None:
        present, left = self._clock(), self._left_at()
        then = left if name == "left" and left is not None else present - (DAY_S if name == "day" else 7 * DAY_S)
        self.use(Moments(then, present))

    def _edit_first(self) -> None:
        """The other moment stays as it is, to the second."""
        self._moments = Moments(self.first.moment(), self._moments.now)
        self._soon.start()

    def _edit_last(self) -> None:
        """The field names a minute: of the present one, what was seen in it so far counts."""
        last, present = self.last.moment(), self._clock()
        self._moments = Moments(self._moments.then, present if last <= present < last + 60 else last)
        self._soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        fields = self.first.sizeHint().width() + self.last.sizeHint().width() + current().scaled(16) + 30
        whole = fields + sum(button.sizeHint().width() for button in self.ranges) + 50
        self._row.setDirection(down if self.width() < whole else across)
        self._fields.setDirection(down if self.width() < fields else across)
        self._arrow.setHidden(self.width() < fields)
