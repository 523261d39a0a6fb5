"""What a person does that only this computer keeps (minimums, views): undo takes it in one order with what the journal
keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.outbox_lines import UndoTarget
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.context.message import LocalAct, Say


class LocalActs(QObject):
    """For one window, as long as it is open. `unsaved`: the batches that are not in the journal yet.

    Signals:
        changed: object: something was done or taken back.
    """

    changed = Signal(object)

    def __init__(self, desk: Desk, say: Say, unsaved: Collection[str], parent: QObject) -> None:
        super().__init__(parent)
        self._desk, self._say, self._unsaved = desk, say, unsaved
        self._done: list[LocalAct] = []
        self._undone: list[LocalAct | str] = []
        """The undone acts, the last at the end: an act, or the batch that the journal undid."""

    def add(self, words: str, icon: str, what: str, back: Callable[[], object], again: Callable[[], object]) -> None:
        """Say that something was done, and let Undo take it back in its turn; acts that were undone before it can no
        longer be redone. `what`: the rest of "Undo ..."."""
        # Late: nothing is said before the first paint.
        from petstore_desktop.ui.context.message import LocalAct, Message

        outbox = self._desk.outbox
        before = frozenset((*self._unsaved, *outbox.batches, *outbox.decisions))
        act = LocalAct(what, self._desk.now(), before, back, again)
        self._done.append(act)
        self._undone.clear()
        self.changed.emit(None)
        self._say(Message(words, icon, True, act=act))

    def take_back(self, act: LocalAct) -> None:
        """By the key, or by the toast that speaks of it; only once."""
        if act in self._done:
            self._done.remove(act)
            self._undone.append(act)
            act.back()
            self.changed.emit(None)

    def do_again(self, act: LocalAct) -> None:
        """Redo the act that was undone last."""
        self._undone.remove(act)
        self._done.append(act)
        act.again()
        self.changed.emit(None)

    def undo_next(self, target: UndoTarget | None) -> LocalAct | None:
        """The latest act, unless what the journal would take back (`target`) was done after it."""
        act = self._done[-1] if self._done else None
        if act is None or target is None or target.batch in act.before or target.at < act.at:
            return act
        return None

    def redo_next(self) -> LocalAct | None:
        """The act that was taken back last, unless the journal took something back after it."""
        last = self._undone[-1] if self._undone else None
        return None if isinstance(last, str) else last

    def acted(self) -> None:
        """Something was done that the journal keeps."""
        self._undone.clear()

    def undone(self, batch: str, redo: bool) -> None:
        """The journal took a batch back, or did it again."""
        if not redo:
            self._undone.append(batch)
        elif batch in self._undone:
            self._undone.remove(batch)
