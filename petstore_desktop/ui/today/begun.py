"""Not booked yet: what was begun at a desk of the stock room, each with the way back to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.today.section import Line, TodaySection

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.context.navigation import Station

_DESKS: tuple[Station, ...] = ("receive", "stocktake")


class BegunSection(TodaySection):
    """Absent while nothing lies at a desk. `open_desk` opens one as it was left."""

    def __init__(self, desk: Desk, open_desk: Callable[[Station], object]) -> None:
        super().__init__("begun", tr("Not booked yet"))
        self._desk, self._open = desk, open_desk
        self.hide()

    def refresh(self) -> None:
        """Show what lies at the desks now."""
        lines: list[Line] = []
        if self._desk.drafts:
            from petstore_desktop.ui.text.unfinished import unfinished_words  # late: mostly there is none

            said = zip(_DESKS, unfinished_words(self._desk.drafts), strict=True)
            lines = [Line(f"begun.{at}", words, partial(self._open, at), at, head=words) for at, words in said if words]
        self.set_lines(lines)
        self.setVisible(bool(lines))
