"""The search for records that runs while a person types: in short turns, each of which may show what is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from petstore_desktop.ui.base.sliced_work import SlicedWork

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from petstore_desktop.desk.jump.palette import Entry, Palette, Search
    from petstore_desktop.domain.records import Ref

TURN_S = 0.004
"""Seconds of one turn; with painting the results it stays under 12 ms."""


class RecordSearch:
    """One search at a time: the next key's takes the place of the last one's. `turned` is called after each turn."""

    def __init__(self, owner: QObject, palette: Palette, turned: Callable[[], object]) -> None:
        self._palette, self._shown = palette, turned
        self.now: Search | None = None
        """The search of what was typed last."""
        self._then: Callable[[], object] | None = None
        self._work = SlicedWork[None](owner, TURN_S, turned=self._turned)

    def begin(self, text: str, entries: Sequence[Entry] = (), recent: Sequence[tuple[str, Ref | None]] = ()) -> None:
        """Search for a text, the first turn at once. `entries`, `recent`: as the palette has them."""
        self.stop()
        self.now = self._palette.search(text, entries, recent)
        self._work.begin(self.now.steps)
        self._work.go_on()

    def stop(self) -> None:
        """Forget the search."""
        self._work.stop()
        self.now = self._then = None

    def finish(self) -> None:
        """Search to the end now: the best answer is about to be taken."""
        self._work.finish()

    @property
    def is_over(self) -> bool:
        """Whether no more answers come."""
        return self.now is None or self.now.is_done

    def when_settled(self, then: Callable[[], object]) -> None:
        """Call this as soon as the best answer stays the best one; at once where there is no search."""
        if self._settled:
            then()
        else:
            self._then = then

    @property
    def _settled(self) -> bool:
        return self.now is None or self.now.is_settled

    def _turned(self, _more: bool) -> None:
        then = self._then if self._settled else None
        self._shown()
        if then is not None:
            self._then = None
            then()
