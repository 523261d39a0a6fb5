"""What the list of changes is narrowed down to: a record, a state, days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import cast

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.ui.base.building import in_row, named, timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.changes.history import state_choices
from petstore_desktop.ui.text.times import day
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, fit_buttons, open_below
from petstore_desktop.ui.widgets.chooser import Chooser, DayMenu
from petstore_desktop.ui.widgets.fields import SearchField

_TYPING_MS = 150
"""A pause in typing after which the list is read."""
ANY, TODAY, YESTERDAY, WEEK, MONTH, ONE = range(6)


class _Search(SearchField):
    """Down goes to the rows as Enter does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.returnPressed.emit()
        else:
            super().keyPressEvent(event)


class ChangesBar(QWidget):
    """A search field and two choosers; on the right some `actions`. `today` is the local day.

    Signals:
        filtered(): the filter has changed, and typing has paused.
        toRows(): the keyboard is wanted in the list.
    """

    filtered = Signal()
    toRows = Signal()

    def __init__(self, today: Callable[[], date], actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._one: date | None = None
        self._choices = state_choices()
        self.search = named(
            _Search(tr("Record or id"), "", self), "changesSearch", tr("Changes of this record: its name or id")
        )
        self.search.setMaximumWidth(current().scaled(236))
        self.states = named(Chooser(tr("Status"), [words for words, _ in self._choices], self), "changesStates")
        last = (tr("Last {n} days", "", 7), tr("Last {n} days", "", 30))
        days = (tr("Any day"), tr("Today"), tr("Yesterday"), *last, tr("One day…"))
        self.days = named(Chooser(tr("Period"), days, self), "changesDays")
        self.buttons = [Button("", "quiet", parent=self) for _ in actions]
        for button, action in zip(self.buttons, actions, strict=True):
            button.setObjectName(f"{action.objectName()}Button")
            button.bind(action)
        self._lay_out()
        self._soon = timer(self, _TYPING_MS, self.filtered, once=True)
        self.search.searched.connect(self._typed)
        self.search.returnPressed.connect(self._entered)
        self.states.chosen.connect(self._settle)
        self.days.chosen.connect(self._day_chosen)

    def _lay_out(self) -> None:
        choices = (self.states, self.days, "stretch", *self.buttons)
        self.setMinimumWidth(1)  # else the buttons' words would keep it from becoming so narrow that they lose them
        self._row = in_row(self, (self.search, 1), *choices, margins=(16, 0, 16, 8), spacing=8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words of the buttons give way to those of the search field."""
        super().resizeEvent(event)
        shown = [button for button in self.buttons if not button.isHidden()]
        others = self._row.minimumSize().width() - sum(button.sizeHint().width() for button in shown)
        fit_buttons(shown, self.width() - others)

    def text(self) -> str:
        """The typed text."""
        return self.search.text()

    def wanted_states(self) -> frozenset[ChangeState]:
        """The states that are meant; none: all."""
        return self._choices[self.states.number][1]

    def span(self) -> tuple[date | None, date | None]:
        """The first and the last local day, where they are narrowed down."""
        today, number = self._today(), self.days.number
        if number == ONE:
            return self._one, self._one
        if number == YESTERDAY:
            return today - timedelta(days=1), today - timedelta(days=1)
        back = {TODAY: 0, WEEK: 6, MONTH: 29}.get(number)
        return (None, None) if back is None else (today - timedelta(days=back), None)

    @property
    def is_empty(self) -> bool:
        """Whether everything is shown."""
        return not self.text().strip() and not self.states.number and not self.days.number

    def clear(self) -> None:
        """Show everything."""
        self.search.setText("")
        self.states.choose(0)
        self.days.choose(ANY)
        self._settle()

    def show_record(self, text: str) -> None:
        """Show everything that was done to a record."""
        self.clear()
        self.search.setText(text)
        self._settle()

    def _entered(self) -> None:
        if self._soon.isActive():
            self._settle()
        self.toRows.emit()

    def _typed(self) -> None:
        self._soon.start()

    def _settle(self) -> None:
        self._soon.stop()
        self.filtered.emit()

    def _day_chosen(self, number: object) -> None:
        if number != ONE:
            self._settle()
            return
        self.days.choose(ANY if self._one is None else ONE, "" if self._one is None else self._day_words(self._one))
        today = self._today()
        menu = DayMenu(QDate(today.year, today.month, today.day), self)
        menu.picked.connect(self._picked)
        open_below(self.days, menu)

    def _picked(self, picked: object) -> None:
        chosen = cast("QDate", picked)
        self._one = date(chosen.year(), chosen.month(), chosen.day())
        self.days.choose(ONE, self._day_words(self._one))
        self._settle()

    def _day_words(self, one: date) -> str:
        return day(one, self._today())
