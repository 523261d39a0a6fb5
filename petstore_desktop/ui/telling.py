"""Says in the window what just happened: toasts for what was saved or refused, dialogs for what needs a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.dialogs import opening
from petstore_desktop.ui.parts import Message
from petstore_desktop.ui.widgets.toast import Toast
from petstore_desktop.ui.words import service_words, tr
from petstore_desktop.ui.words_errors import error_words
from petstore_desktop.ui.words_undo import batch_words, done_words, record_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from petstore_desktop.desk.changed import NotSaved
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.ui.parts import WindowParts

_ABOVE_BAR = 42


class Telling(QObject):
    """One toast at a time, never one for each item; one key dialog at a time."""

    def __init__(self, parts: WindowParts, window: QWidget) -> None:
        super().__init__(window)
        self._parts, self._window = parts, window
        self._key_dialog: QDialog | None = None
        self._done: list[Change] = []
        """The changes that the last toast was about."""
        self._told: set[int] = set()
        """Changes that the last toast said to be saved, and that are not sent yet."""
        self.toast = Toast(window)
        self.toast.setObjectName("toast")
        self.toast.set_bottom_margin(_ABOVE_BAR)
        self.toast.undoRequested.connect(parts.actions["undo"].trigger)
        parts.said.connect(self.show)

    def show(self, message: Message) -> None:
        """Show a toast."""
        key = self._parts.actions["undo"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        undo = tr("Undo") if message.undo else ""
        self.toast.show_message(message.text, message.icon, undo, key if message.undo else "")

    def tell(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        self._tell_saved(moved.saved)
        self._tell_sent(moved.settled)
        self._tell_settled(moved.settled)
        if moved.trouble is not None:
            opening.open_error(self._window, moved.trouble.error)
        if moved.checked is not None:
            self._tell_checked(moved.checked.error)
        if moved.key and self._parts.shop.desk.key_wanted:
            self.ask_key()

    def tell_lost(self, events: tuple[NotSaved, ...]) -> None:
        """Acts that could not be written down: each is named, because a person has to do it again."""
        for event in events:
            changes = self._parts.batches.pop(event.batch, ())
            named = tuple(done_words(change, self._parts.shop.desk) for change in changes)
            opening.open_error(self._window, event.error, lost=named)

    def _tell_saved(self, saved: tuple[Change, ...]) -> None:
        mine = [change for change in saved if change.batch in self._parts.batches]
        if not mine:
            return
        for batch in {change.batch for change in mine}:
            self._parts.batches.pop(batch, None)
        self._told = {change.id for change in mine}
        self._done = mine
        self.show(Message(tr("{what}, saved on this computer", what=self._done_words()), "saved", undo=True))

    def _done_words(self) -> str:
        """What the last toast is about; asked anew, because what was created has a number by then."""
        return batch_words(self._done, self._parts.shop.desk)

    def _tell_sent(self, settled: tuple[Change, ...]) -> None:
        """While the toast about a change is still there, it follows: what is sent cannot be undone by Ctrl+Z."""
        sent = [change for change in settled if change.id in self._told and not change.state.is_open]
        self._told.difference_update(change.id for change in sent)
        if not sent or self._told or not self.toast.isVisible():
            return
        if sent[-1].state is ChangeState.DISCARDED:
            self.toast.hide_now()
        else:
            self.show(Message(tr("{what}, sent", what=self._done_words()), "sent"))

    def _tell_settled(self, settled: tuple[Change, ...]) -> None:
        needs = [change for change in settled if change.state.needs_person]
        if not needs:
            return
        if len(needs) > 1:
            words = tr("{n} changes need you", "", len(needs))
            self.show(Message(words, "refused"))
            return
        change = needs[0]
        desk = self._parts.shop.desk
        key = change.ref.key
        record = record_words(desk.title(change.ref), str(key) if isinstance(key, int) else "")
        if change.state is ChangeState.REFUSED:
            reason = change.reason
            said = service_words(reason.message if reason else "", reason.status if reason else None)
            self.show(Message(tr("Refused: {said}. {record} is kept here", said=said, record=record), "refused"))
        elif change.state is ChangeState.CONFLICT:
            self.show(Message(tr("{record} was changed elsewhere; nothing was overwritten", record=record), "conflict"))
        else:
            self.show(
                Message(tr("{record}: the connection broke, the outcome is not known", record=record), "uncertain")
            )

    def _tell_checked(self, error: ShopError | None) -> None:
        if error is not None:
            self.show(Message(error_words(error).what, "warning"))

    def ask_key(self) -> None:
        """The service wants a key: ask, unless the question is open already."""
        if self._key_dialog is None:
            self._key_dialog = opening.open_key(self._window, self._parts.shop, None)
            self._key_dialog.finished.connect(self._key_done)

    def _key_done(self) -> None:
        self._key_dialog = None
