"""The two moments that are compared: two fields and quick ranges; and what is wrong with them, if anything is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from petstore_desktop.ui.base.building import in_row, on_click, timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import set_tip
from petstore_desktop.ui.widgets.moment_field import MomentField
from petstore_desktop.ui.widgets.paint import brush_on

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from petstore_desktop.domain.seen_changes import Span

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


class _Arrow(QWidget):
    """The arrow between the fields."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(current().scaled(16) + 2, current().height(30))

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            side = brush.theme.scaled(16)
            brush.icon("arrow", (self.width() - side) / 2, brush.theme.tone("muted"), side)


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
        self._arrow = _Arrow(self)
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
