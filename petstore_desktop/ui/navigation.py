"""Going from record to record, and back. Tabs do not know each other; they all know this."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from petstore_desktop.domain.records import Ref, Resource

_DEPTH = 100


class Navigation(QObject):
    """The path a person took.

    Signals:
        shown: Ref: show this record (its tab, row and details).
        listed: tuple[Resource, str]: show this resource's list, filtered by this text.
        past: str: show what was done to the records that this text means.
        moved: object: the path changed; `can_go_back` and `can_go_forth` may differ.
    """

    shown = Signal(object)
    listed = Signal(object)
    past = Signal(object)
    moved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path: list[Ref] = []
        self._at = -1
        self._here: Callable[[], Ref | None] = _nowhere

    @property
    def can_go_back(self) -> bool:
        """Whether there is a record before the present one."""
        return self._at > 0

    @property
    def can_go_forth(self) -> bool:
        """Whether Back was used."""
        return self._at + 1 < len(self._path)

    def set_here(self, here: Callable[[], Ref | None]) -> None:
        """How to ask which record is shown: the place one comes back to."""
        self._here = here

    def open(self, ref: Ref) -> None:
        """Show a record, and remember it and the one that was shown before as places on the path."""
        here = self._here()
        if here is not None:
            self._push(here)
        self._push(ref)
        self.shown.emit(ref)

    def open_list(self, resource: Resource, filter_text: str = "") -> None:
        """Show the rows behind a count."""
        self.listed.emit((resource, filter_text))

    def open_changes(self, text: str) -> None:
        """Show what was done to the records that a text means."""
        self.past.emit(text)

    def back(self) -> None:
        """Alt+Left."""
        self._step(-1)

    def forth(self) -> None:
        """Alt+Right."""
        self._step(1)

    def _step(self, by: int) -> None:
        if not 0 <= self._at + by < len(self._path):
            return
        self._at += by
        self.moved.emit(None)
        self.shown.emit(self._path[self._at])

    def _push(self, ref: Ref) -> None:
        if self._path and self._path[self._at] == ref:
            return
        del self._path[self._at + 1 :]
        self._path.append(ref)
        del self._path[:-_DEPTH]
        self._at = len(self._path) - 1
        self.moved.emit(None)


def _nowhere() -> Ref | None:
    return None
