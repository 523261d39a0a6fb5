"""Undo and redo by key (Ctrl+Z): each press counts, also one that comes while the one before it is carried out. What
cannot be undone stops them: going past it is asked.

`sync/jobs/undo` says what takes back an edit, `sync/jobs/batches` does it; `context/local_acts` takes back what is on
this computer only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from petstore_desktop.domain.commands import Redo, TakeBack
from petstore_desktop.ui.base.building import timer

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.outbox_lines import UndoTarget
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.ui.window.window_parts import WindowParts

LATEST_MS = 5_000
"""Milliseconds that a key press waits for an answer, or for the next undo to be known."""

Press: TypeAlias = Literal["undo", "redo"]


class UndoKeys(QObject):
    """One press after the other: what the next one takes is known when the one before it is in the journal."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._parts, self._outbox = parts, parts.shop.desk.outbox
        self._waiting: list[Press] = []
        self._timer = timer(self, LATEST_MS, self._give_up, once=True)
        self._acts = parts.edits.local

    def press(self, name: Press) -> None:
        """Undo or redo once, as soon as what was pressed before is done."""
        self._waiting.append(name)
        self._go_on()

    def desk_changed(self, moved: Changed) -> None:
        """An answer may have come."""
        if moved.undone is not None:
            self._acts.undone(moved.undone.batch, moved.undone.redo)
        if moved.outbox or moved.undone is not None or moved.not_saved is not None:
            self._go_on()

    def _go_on(self) -> None:
        while self._waiting and not self._outbox.busy and not self._unsaved():
            if QApplication.activeModalWidget() is not None:  # an undo that costs much is asked about first
                self._waiting.clear()
                break
            undo = self._waiting[0] == "undo"
            target = self._outbox.undo_target() if undo else self._outbox.redo_target()
            act = self._acts.undo_next(target) if undo else self._acts.redo_next()
            if act is None and target is None and self._outbox.looking:
                break
            self._waiting.pop(0)
            if act is None and target is not None and target.stays:
                self._waiting.clear()
                if not self._parts.shop.profile.read_only:
                    self._stop_at(target)
            elif act is not None:
                (self._acts.take_back if undo else self._acts.do_again)(act)
            elif target is not None and not self._parts.shop.profile.read_only:
                self._do(target, undo)
        if not self._waiting and not self._outbox.busy:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _stop_at(self, target: UndoTarget) -> None:
        """It cannot be undone: say why, and ask whether to take back what was done before it."""
        from petstore_desktop.ui.questions.confirm import ask_to_go_past  # late: nothing is undone before
        from petstore_desktop.ui.text.changes.batches import name_words, stays_words
        from petstore_desktop.ui.text.changes.undo import undo_words

        further = self._outbox.further_back()
        act = self._acts.undo_next(further)
        said = stays_words(name_words(target.sentence), target.stays)
        if act is None and further is None:
            from petstore_desktop.ui.context.message import Message

            self._parts.say(Message(said, "warning"))
            return

        def go_on() -> None:
            self._outbox.go_past(target)
            if act is not None:
                self._acts.take_back(act)
            elif further is not None:
                self._do(further, undo=True)

        what = act.what if act is not None else "" if further is None else undo_words(further.sentence)
        ask_to_go_past(self._parts.window, said, what.replace("&&", "&"), go_on)

    def _unsaved(self) -> bool:
        """Whether an act is not in the journal yet: it comes first."""
        return any(batch not in self._outbox.batches for batch in self._parts.edits.unsaved)

    def _do(self, target: UndoTarget, undo: bool) -> None:
        self._outbox.begin(target)
        self._timer.start()
        for name in ("undo", "redo"):
            self._parts.actions[name].setEnabled(True)  # what follows at once has its turn when this is done
        if target.decision:
            self._parts.shop.submit(TakeBack(target.batch))
        elif undo:
            self._parts.edits.undo(target.batch, count=target.count)
        else:
            self._parts.shop.submit(Redo(target.batch))

    def _give_up(self) -> None:
        """No answer came: the key press is dropped, so that it has no late effect."""
        self._waiting.clear()
        self._outbox.end()
