"""Undo and redo by key (Ctrl+Z): each press counts, also one that comes while the one before it is carried out. What
cannot be undone stops them: going past it is asked. `desk/changes/done_acts` says what they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from petstore_desktop.ui.base.building import timer

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.done_act import DoneAct
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.ui.window.window_parts import WindowParts

LATEST_MS = 5_000
"""Milliseconds that a key press waits for an answer, or for the next undo to be known."""

Press: TypeAlias = Literal["undo", "redo"]


class UndoKeys(QObject):
    """One press after the other: what the next one takes is known when the one before it is in the journal."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._parts, self._done = parts, parts.shop.desk.done
        self._waiting: list[Press] = []
        self._timer = timer(self, LATEST_MS, self._give_up, once=True)

    def press(self, name: Press) -> None:
        """Undo or redo once, as soon as what was pressed before is done."""
        self._waiting.append(name)
        self._go_on()

    def desk_changed(self, moved: Changed) -> None:
        """An answer may have come."""
        if moved.outbox or moved.undone is not None or moved.not_saved is not None:
            self._go_on()

    def _go_on(self) -> None:
        while self._waiting and not self._done.busy:
            if QApplication.activeModalWidget() is not None:  # an undo that costs much is asked about first
                self._waiting.clear()
                break
            redo = self._waiting[0] == "redo"
            act = self._done.next(redo=redo)
            if self._done.soon(redo=redo) if act is None else not act.written:
                break
            press = self._waiting.pop(0)
            if act is not None and not (act.inverse is None and self._parts.shop.connection.read_only):
                self._take(act, press)
        if not self._waiting and not self._done.busy:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _take(self, act: DoneAct, press: Press) -> None:
        if act.stays:
            self._waiting.clear()
            self._stop_at(act)
        else:
            self._revert(act, redo=press == "redo")

    def _stop_at(self, act: DoneAct) -> None:
        """It cannot be undone: say why, and ask whether to take back what was done before it."""
        from petstore_desktop.ui.questions.confirm import ask_to_go_past  # late: nothing is undone before
        from petstore_desktop.ui.text.changes.batches import stays_words
        from petstore_desktop.ui.text.changes.undo import act_words

        further = self._done.further_back()
        said = stays_words(act_words(act).replace("&&", "&"), act.stays)
        if further is None:
            from petstore_desktop.ui.context.message import Message

            self._parts.say(Message(said, "warning"))
            return

        def go_on() -> None:
            self._done.go_past(act)
            self._revert(further)

        ask_to_go_past(self._parts.window, said, act_words(further).replace("&&", "&"), go_on)

    def _revert(self, act: DoneAct, *, redo: bool = False) -> None:
        if act.inverse is None:
            self._done.begin(act)
            self._timer.start()
            for name in ("undo", "redo"):
                self._parts.actions[name].setEnabled(True)  # what follows at once has its turn when this is done
        self._parts.edits.revert(act.id, again=redo)

    def _give_up(self) -> None:
        """No answer came: the key press is dropped, so that it has no late effect."""
        self._waiting.clear()
        self._done.end()
