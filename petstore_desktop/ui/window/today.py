"""Puts the page Today into its window: where its links lead, and since when its person was away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence

from petstore_desktop.ui.today.today_page import TodayPage
from petstore_desktop.ui.today.ways import TodayWays

if TYPE_CHECKING:
    from petstore_desktop.ui.window.main_window import MainWindow

ABSENCE_S = 1800.0
"""Seconds without use that are an absence, whether or not the program was closed meanwhile."""
_DAY_S = 86_400.0
"""Seconds by which the clock may have been set back since; what is kept of later is no moment of this program."""
_KEPT = "here"
"""Under this name the window remembers it."""


class LastHere(QObject):
    """When the person used the window last before the latest absence (`since`, UTC epoch seconds; None before the first
    one). It stays until the next absence.

    Signals:
        returned(): an absence is over.
    """

    returned = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._state, self._desk = window.state, window.shop.desk
        self._used = self._desk.now()
        used, since = self._kept("used"), self._kept("since")
        short = used is not None and self._used - used < ABSENCE_S
        self.since = since if short else used
        self._keep()

    def _kept(self, name: str) -> float | None:
        """A moment that was kept; None where it is none of this program's."""
        at = self._state.kept(_KEPT).get(name)
        return float(at) if isinstance(at, int | float) and 0 < at < self._used + _DAY_S else None

    def seen(self, present: bool) -> None:
        """The window is used, or (not `present`) has not been for a while."""
        if not present:
            self._state.save_soon()
            return
        before, self._used = self._used, self._desk.now()
        away = self._used - before >= ABSENCE_S
        self.since = before if away else self.since
        self._keep()
        if away:
            self.returned.emit()

    def _keep(self) -> None:
        self._state.keep(_KEPT, {"used": self._used, "since": self.since}, soon=False)


def last_here(window: MainWindow) -> LastHere:
    """That of a window, made when it is first asked for."""
    return window.findChild(LastHere) or LastHere(window)


def today_page(window: MainWindow) -> TodayPage:
    """The page of a window."""
    parts, here = window.parts, last_here(window)
    navigation, refresh = parts.navigation, parts.actions["refresh"]
    ways = TodayWays(
        navigation.open_list,
        navigation.open,
        lambda ref: navigation.open_page("review", ref),
        navigation.open_station,
        refresh.trigger,
        lambda: refresh.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
        lambda: navigation.open_page("requests"),
        lambda: here.since,
        parts.put_away,
        navigation.open_compared,
    )
    page = TodayPage(window.shop, ways, window)
    here.returned.connect(page.renew)
    return page
