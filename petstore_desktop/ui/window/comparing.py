"""Shows the comparison of two days in the place of Today, and Today again when it is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.ui.context.tab_specs import TODAY
from petstore_desktop.ui.today.today_page import TodayPage
from petstore_desktop.ui.window.today import last_here

if TYPE_CHECKING:
    from petstore_desktop.ui.compare.compare_page import ComparePage
    from petstore_desktop.ui.context.navigation import Moments
    from petstore_desktop.ui.window.main_window import MainWindow


class Comparing(QObject):
    """One window's. The page is made anew each time; moments stay as they were last until others are asked for."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._moments: Moments = None
        self._page: ComparePage | None = None

    @property
    def shown(self) -> bool:
        """Whether the Today tab shows a comparison."""
        return self._page is not None

    def open(self, moments: Moments) -> None:
        """Compare two moments (UTC epoch seconds); None: from when the person left to the present."""
        today = self._today()
        if self._page is not None and moments is None:
            self._page.focus_list()
        if today is None or (self._page is not None and moments is None):
            return
        from petstore_desktop.ui.compare.compare_page import ComparePage  # late: few look there

        parts, here = self._window.parts, last_here(self._window)
        page = ComparePage(self._window.shop, parts.say, parts.navigation.open, lambda: here.since, today)
        page.closed.connect(self.close)
        self._page = page
        today.host(page)
        page.start(*(moments or (None, None)))
        page.focus_list()
        self._window.context_changed()

    def show_again(self) -> None:
        """Show the comparison as it was left, or as it was closed."""
        if self._page is None:
            self.open(self._moments)

    def close(self) -> None:
        """Show Today, with the keyboard on the line that led here."""
        if self._page is not None:
            chosen = self._page.range.moments()
            self._moments, self._page = (chosen.then, chosen.now), None
            today = self._today()
            if today is not None:
                today.unhost()
                self._window.context_changed()

    def _today(self) -> TodayPage | None:
        self._window.show_tab(TODAY)
        page = self._window.page()
        return page if isinstance(page, TodayPage) else None
