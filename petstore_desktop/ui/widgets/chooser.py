"""Buttons that say what a list is narrowed down to, and open a menu of what else it could be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QActionGroup, QColor, QIcon, QKeyEvent, QPalette, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QMenu, QToolButton, QWidget, QWidgetAction

from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.building import named, short_lived
from petstore_desktop.ui.base.theme import Theme, current, to_say
from petstore_desktop.ui.text.translate import locale, tr
from petstore_desktop.ui.widgets.button import Button, open_below
from petstore_desktop.ui.widgets.labels import set_tip
from petstore_desktop.ui.widgets.paint import is_rtl


class Chooser(Button):
    """One of several choices, given by their words; the first one stands for "all".

    Signals:
        chosen(object): the number of the choice, an int.
    """

    chosen = Signal(object)

    def __init__(self, name: str, choices: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__("", "plain", parent=parent)
        self._name = name
        self._choices = tuple(choices)
        self.number = 0
        self.set_chevron(True)
        self.clicked.connect(lambda: open_below(self, self.menu_of_choices()))
        self.choose(0)

    def choose(self, number: int, words: str = "") -> None:
        """Show that this is chosen, in other words than the menu's if given; nothing is emitted."""
        self.number = number
        self.set_text(words or self._choices[number])
        said = tr("{field}: {value}", field=self._name, value=self.words())
        set_tip(self, said)
        self.setAccessibleName(to_say(said))
        self.setAccessibleDescription(to_say(self._name))

    def menu_of_choices(self) -> QMenu:
        """The choices, the chosen one ticked."""
        menu = short_lived(QMenu(self))
        group = QActionGroup(menu)
        for number, words in enumerate(self._choices):
            action = menu.addAction(words.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(number == self.number)
            group.addAction(action)
            action.triggered.connect(partial(self._take, number))
        return menu

    def _plane(self, theme: Theme) -> QColor | None:
        """Tinted where it hides something, as a filter is."""
        return theme.color("filtered") if self.number and not self.isDown() else super()._plane(theme)

    def _take(self, number: int, _checked: bool = False) -> None:
        self.choose(number)
        self.chosen.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.click()
        else:
            super().keyPressEvent(event)


class DayMenu(QMenu):
    """A calendar that opens as a menu does.

    Signals:
        picked(object): the QDate that was picked.
    """

    picked = Signal(object)

    def __init__(self, day: QDate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        short_lived(self)
        self.calendar = named(QCalendarWidget(self), "dayCalendar")
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.calendar.setMaximumDate(day)
        self.calendar.setSelectedDate(day)
        self._dress()
        action = QWidgetAction(self)
        action.setDefaultWidget(self.calendar)
        self.addAction(action)
        self.calendar.clicked.connect(self._take)
        self.calendar.activated.connect(self._take)
        self.aboutToShow.connect(lambda: self.calendar.setFocus(Qt.FocusReason.PopupFocusReason))

    def _dress(self) -> None:
        """Qt's own has red weekends, and black arrows on a bar of the selection's colour."""
        theme, working = current(), locale().weekdays()
        for day in Qt.DayOfWeek:
            text = QTextCharFormat()
            text.setForeground(theme.color("text" if day in working else "muted"))
            self.calendar.setWeekdayTextFormat(day, text)
        bar = self.calendar.findChild(QWidget, "qt_calendar_navigationbar")
        if bar is not None:
            palette = bar.palette()
            palette.setColor(bar.backgroundRole(), theme.color("raised"))
            bar.setPalette(palette)
            palette.setColor(QPalette.ColorRole.HighlightedText, theme.color("text"))
            for button in bar.findChildren(QToolButton):  # their words are in the colour for it
                button.setPalette(palette)
        for name, words, back in (("prev", tr("Previous month"), True), ("next", tr("Next month"), False)):
            button = self.calendar.findChild(QToolButton, f"qt_calendar_{name}month")
            if button is not None:
                flipped = back is not is_rtl(self)
                arrow = icons.pixmap("chevron-right", theme.tone("muted"), 16, self.devicePixelRatioF(), flipped)
                button.setIcon(QIcon(arrow))
                button.setAccessibleName(to_say(words))

    def _take(self, day: QDate) -> None:
        self.close()
        self.picked.emit(day)
