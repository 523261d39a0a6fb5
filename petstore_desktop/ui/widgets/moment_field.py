"""A field for a day and a time: Up and Down change the part under the caret, and a calendar opens below."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDateTimeEdit, QSizePolicy, QStyle, QWidget

from petstore_desktop.domain.records import calendar_moment
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import RESTYLE, current
from petstore_desktop.ui.text.times import day_and_time_form
from petstore_desktop.ui.text.translate import locale, tr
from petstore_desktop.ui.widgets.button import Button, open_below
from petstore_desktop.ui.widgets.chooser import DayMenu
from petstore_desktop.ui.widgets.labels import set_tip
from petstore_desktop.ui.widgets.paint import brush_on, fill_round

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
