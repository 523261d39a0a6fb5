"""Fills the status bar: the shop and its state, what is unsent, what needs a person, the selection, and the quota."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.quota import Window
from petstore_desktop.ui.dialogs import opening
from petstore_desktop.ui.selection import selected_rows
from petstore_desktop.ui.theme import current, tooltip
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.quota_meter import MeterReading, QuotaMeter
from petstore_desktop.ui.widgets.status_bar import CountBadge, StateLabel, StatusBar
from petstore_desktop.ui.words import number, tr
from petstore_desktop.ui.words_state import connection_words, quota_tip, quota_words

if TYPE_CHECKING:
    from petstore_desktop.ui.parts import WindowParts
    from petstore_desktop.ui.tabs.resource_tab import ResourceTab

_COMPACT_BELOW = 1000
_SUMMED_ROWS = 2000
"""Above so many selected rows their sum is left out: it would be counted on every move of the selection."""


class StatusLine(QObject):
    """`bar` is the widget."""

    def __init__(self, parts: WindowParts, window: QWidget) -> None:
        super().__init__(window)
        self._parts = parts
        self.bar = StatusBar(window)
        self.state = StateLabel()
        self.unsent = CountBadge()
        self.unsent.setObjectName("outboxBadge")
        self.needs = CountBadge()
        self.needs.setObjectName("refusedBadge")
        self.selection = PlainLabel("", "muted", 12, tnum=True)
        self.selection.setObjectName("selectionCount")
        self.meter = QuotaMeter()
        for widget in (self.state, self.unsent, self.needs, self.selection):
            self.bar.add_left(widget)
        self.bar.add_right(self.meter)
        waiting = parts.actions["showWaiting"]
        self.unsent.clicked.connect(waiting.trigger)
        self.needs.clicked.connect(waiting.trigger)
        self.state.clicked.connect(parts.actions["refresh"].trigger)

    def update(self) -> None:
        """Bring everything but the selection up to date."""
        desk, now = self._parts.shop.desk, self._parts.now()
        connection = desk.connection_state()
        name = self._parts.shop.profile.name
        icon, words, tone = connection_words(name, connection.word, connection.at, connection.gate, now)
        self.state.set_state(icon, words, tone)
        error = connection.error
        self.state.setToolTip(tooltip(opening.error_sentence(error)) if error is not None else "")
        self._update_counts()
        self.meter.set_minute(reading(desk.quota.minute, now))
        self.meter.set_day(reading(desk.quota.day, now))

    def _update_counts(self) -> None:
        outbox = self._parts.shop.desk.outbox
        unsent = outbox.unsent
        self.unsent.set_count(unsent, tr("{n} unsent", "", unsent), "saved", "accent")
        refused, needs = outbox.refused, outbox.needs_person
        words = (
            tr("{n} refused", "", refused) if refused == needs else tr("{n} need you", "", needs, one="{n} needs you")
        )
        self.needs.set_count(needs, words, "refused" if refused else "conflict", "bad" if refused else "wait")

    def set_selection(self, tab: ResourceTab | None) -> None:
        """`1 of 212 selected, 2 pieces`."""
        count = 0 if tab is None else len(selected_rows(tab.view))
        if tab is None or count == 0:
            self.selection.set_text("")
            return
        words = tr("{n} of {total} selected", "", count, total=number(tab.table.row_count))
        pieces = tab.pieces() if count <= _SUMMED_ROWS else None
        if pieces is not None:
            said = tr("{n} pieces", "", pieces, one="{n} piece") if pieces >= 0 else number(pieces)
            words = tr("{selected}, {pieces}", selected=words, pieces=said)
        self.selection.set_text(words)

    def set_compact(self, width: int) -> None:
        """In a narrow window the meters lose their words."""
        self.meter.set_compact(width < current().scaled(_COMPACT_BELOW))


def reading(window: Window, now: float) -> MeterReading:
    """One window of the quota for the meter."""
    reserve = max(5, window.limit // 10) if window.limit else 0
    return MeterReading(
        left=window.remaining,
        limit=window.limit,
        reserve=reserve,
        own_count=window.own_count,
        words=quota_words(window),
        tip=quota_tip(window, now),
    )
