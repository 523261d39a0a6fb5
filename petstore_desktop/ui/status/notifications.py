"""Notifies the person: toasts for saved or refused changes, dialogs for what needs a decision.

That an operation of the service ends within a month is said when a person is at the window and no other message is
shown, and not again for that operation and that day.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from petstore_desktop.desk.changes.change_lines import refusal_facts
from petstore_desktop.desk.changes.outbox_lines import batch_sentence
from petstore_desktop.desk.model.capabilities import endings
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.errors import NotFound, ShopError, StorageError
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.domain.seen_changes import SeenChange, end_of
from petstore_desktop.shop.background import Background
from petstore_desktop.ui.base.building import named, timer
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.scans import MADE_FOR_CODES
from petstore_desktop.ui.questions.error import open_error
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.text.changes.batches import name_words, stopped_words, undone_words
from petstore_desktop.ui.text.changes.change import is_held_back, refusal_words
from petstore_desktop.ui.text.changes.undo import batch_words, checked_words, done_words, record_words
from petstore_desktop.ui.text.errors.errors import error_words, not_there_words
from petstore_desktop.ui.text.errors.operations import notice_words
from petstore_desktop.ui.text.translate import counted_changes, sentences, tr
from petstore_desktop.ui.widgets.while_true import WhileTrue

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from petstore_desktop.contract.lifecycle.sunset import Ending
    from petstore_desktop.contract.operations import Op
    from petstore_desktop.desk.desk import Changed, Desk
    from petstore_desktop.desk.model.ripple import Checked, NotSaved, Trouble, Undone
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.context.edits import Edits


class _GoingBack(Struct):
    """An undo or redo of `what` with its toast, and how many of its changes are unsent."""

    undone: Undone
    what: str
    message: Message
    left: int


class Attention(Protocol):
    """Knows whether a person works just now."""

    def when_idle(self, do: Callable[[], None] | None) -> None:
        """Call `do` once, when nothing has been touched for a while and nothing is half typed; None forgets it."""
        ...

    def is_busy(self) -> bool:
        """Whether something is being typed, or asked or shown above the window."""
        ...


def _undoes_typing(focus: QWidget | None) -> bool:
    """Whether Ctrl+Z acts on the text of this widget: a desk's scan field gives it to the window while it is empty."""
    if isinstance(focus, QLineEdit):
        return bool(focus.text()) or not focus.property(MADE_FOR_CODES)
    return isinstance(focus, QPlainTextEdit | QTextEdit)


class Notifier(QObject):
    """One toast at a time, never one for each item; one key dialog at a time, which `open_key` opens, unasked or not.
    `open_shop` shows another shop, by its slug."""

    def __init__(
        self,
        shop: LiveShop,
        edits: Edits,
        actions: ActionSet,
        open_shop: Callable[[str], object],
        open_key: Callable[[bool], QDialog],
        attention: Attention,
        place: Callable[[], object],
        window: QWidget,
    ) -> None:
        """`place`: the page that is shown."""
        super().__init__(window)
        self._shop, self._desk, self._edits, self._actions = shop, shop.desk, edits, actions
        self._open_shop, self._open_key, self._attention, self._window = open_shop, open_key, attention, window
        self._key_dialog: QDialog | None = None
        self._asks = False
        """Whether to ask for a key at the next pause in typing."""
        self._unsaid: list[BaseException] = []
        """The words of the toast."""
        self._done: list[Change] = []
        """The changes that the last toast was about."""
        self._source = ""
        """What made them."""
        self._told: set[int] = set()
        """Changes that the last toast said to be saved, and that are not sent yet."""
        self._note = ""
        """The note beside it."""
        self._going_back: _GoingBack | None = None
        self._dropped = 0
        """Some changes of the last toast were discarded."""
        self._needing: tuple[int, ...] = ()
        """The changes that the toast tells of, which need attention; they may come one after the other."""
        self.toast = named(Toast(window), "toast")
        self._true = WhileTrue(self.toast, self._take_away)
        self._shown = self._needs = Message("")
        self._page = place
        self._said_at: object = None
        """The page on which the toast was said; None of one that belongs to no page."""
        self._turn = 0
        """After how many acts the toast was said."""
        self.toast.undoRequested.connect(self._follow)

    def say(self, message: Message) -> None:
        """Show what a page says; what it says of itself goes when another page is shown."""
        self.show(message)
        if message.of_place:  # once the page is there to which the same act may lead
            QTimer.singleShot(0, self, lambda: self._stay(message))

    def _stay(self, message: Message) -> None:
        if self._shown.text == message.text:
            self._said_at = self._page()

    def show(self, message: Message) -> None:
        """Show a toast."""
        self._said_at = None
        message = self._possible(message)
        self._shown, self._turn = message, self._desk.done.turns
        words = tr("Redo") if message.redo else tr("Undo") if message.undo else _way(message)
        self.toast.show_message(message.text, message.icon, words, self._key)
        self._true.hold(message.still)

    def _key(self) -> str:
        """The key that does what the toast offers; empty where it would do something else, as in a text field."""
        message, action = self._shown, "redo" if self._shown.redo else "undo"
        offered, does = message.redo or message.undo, self._desk.done.next(redo=bool(message.redo))
        if not offered or does is None or does.id != offered or _undoes_typing(QApplication.focusWidget()):
            return ""
        return self._actions[action].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def _possible(self, message: Message) -> Message:
        """The message without the offer to undo what cannot be undone."""
        return replace(message, undo="") if message.undo and not self._desk.done.can(message.undo) else message

    def show_key(self) -> None:
        """What undo and redo take may be something else, or it turned out that what the toast speaks of cannot be
        undone."""
        self._take_back_what_is_over()
        if not self.toast.isVisible():
            return
        if self._possible(self._shown) is not self._shown:
            self.show(self._shown)
        else:
            self.toast.follow_key()

    def _follow(self) -> None:
        """What the toast offers."""
        message = self._shown
        if message.shop:
            self._open_shop(message.shop)
        elif message.file:
            open_file(message.file, lambda words: self.show(Message(words, "warning")))
        elif message.redo or message.undo:
            self._edits.revert(message.redo or message.undo, again=bool(message.redo))

    def tell(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        self._take_back_what_is_over()
        self._tell_saved(moved.saved)
        self._tell_sent(moved.settled)
        self._tell_settled(moved.settled)
        if moved.undone is not None:
            self._tell_undone(moved.undone)
        self._tell_gone_back(moved.settled)
        if moved.trouble is not None:
            self._tell_trouble(moved.trouble)
        if moved.checked is not None:
            self._tell_checked(moved.checked)
        if moved.key:
            # The banner says it at once; who works keeps the keyboard.
            self._asks = True
            self._attention.when_idle(self._speak)

    def _take_back_what_is_over(self) -> None:
        """A toast goes when what it says is over: what held up sending; the act, because it was undone or redone or
        another one done; what needed attention. What a page said of itself goes when another one is shown."""
        blocked, shown = self._desk.send_block(), self._shown
        holds_no_more = shown.cause is not None and (blocked is None or blocked.cause is not shown.cause)
        is_over = shown.of_act and self._turn != self._desk.done.turns
        is_over |= self._said_at is not None and self._page() is not self._said_at
        if holds_no_more or is_over or (shown.text and shown is self._needs and self._is_settled()):
            self._take_away()

    def _take_away(self) -> None:
        self._shown = Message("")
        self.toast.hide_now()

    def _tell_trouble(self, trouble: Trouble) -> None:
        """Wait for a pause in typing: a dialog would take the keyboard from a person who types."""
        if trouble.aside:
            self.show(Message(error_words(trouble.error).what, "warning"))
        elif self._attention.is_busy():
            self._unsaid.append(trouble.error)
            self._attention.when_idle(self._speak)
        else:
            self._open(trouble.error)

    def _open(self, error: BaseException) -> None:
        """Mark as read a message that is otherwise repeated at each start."""
        mark = error.params.get("told") if isinstance(error, StorageError) else None
        files = self._shop.files

        def seen() -> None:
            if isinstance(mark, str):
                files.keep(mark, b"", over=True, make_folder=False, done=lambda _: None)

        open_error(self._window, error, seen=seen)

    def _speak(self) -> None:
        """Show the waiting messages one by one at pauses in typing."""
        if self._unsaid:
            self._open(self._unsaid.pop(0))
        elif self._asks:
            self._ask_unasked()
        if self._unsaid or self._asks:
            self._attention.when_idle(self._speak)

    def tell_lost(self, events: tuple[NotSaved, ...]) -> None:
        """Acts that could not be saved: each is named, and repeated unless a person discards it; Enter repeats, because
        a person who types may press it next. What lies at a desk of the stock room again is booked from there alone:
        more may lie on it by then."""
        for event in events:
            command = self._edits.unsaved.pop(event.batch, None)
            changes = () if command is None else command.changes
            self._edits.notes.pop(event.batch, None)
            named = tuple(done_words(change, self._desk) for change in changes)
            at_its_station = command is not None and any(draft.returns for draft in command.drafts)
            can_go = bool(changes) and not at_its_station and isinstance(event.error, StorageError)
            again = partial(self._edits.send, command) if command is not None and can_go else None
            open_error(self._window, event.error, lost=named, again=again)

    def _tell_saved(self, saved: tuple[Change, ...]) -> None:
        mine = [change for change in saved if change.batch in self._edits.unsaved]
        if not mine:
            return
        batches = {change.batch for change in mine}
        for batch in batches:
            self._source = self._edits.unsaved.pop(batch).source
        self._note = sentences(*(self._edits.notes.pop(batch, "") for batch in sorted(batches)))
        self._told = {change.id for change in mine}
        self._done, self._dropped = mine, 0
        words = tr("{what}, saved on this computer", what=self._done_words())
        self.show(Message(self._with_note(words), "saved", undo=mine[-1].batch, batch=mine[-1].batch))

    def _with_note(self, words: str) -> str:
        return tr("{said}. {note}", said=words, note=self._note) if self._note else words

    def _done_words(self) -> str:
        """The subject of the last toast; read again, because a new record may have its id by now."""
        return batch_words(self._done, self._desk, self._source)

    def _tell_sent(self, settled: tuple[Change, ...]) -> None:
        """While the toast about a change is still there, it follows."""
        ended = [change for change in settled if change.id in self._told and not change.state.is_open]
        self._told.difference_update(change.id for change in ended)
        self._dropped += sum(change.state is ChangeState.DISCARDED for change in ended)
        if not ended or self._told or not self.toast.isVisible() or self._shown.batch != ended[-1].batch:
            return
        batch, n = ended[-1].batch, len(self._done)
        if not self._dropped:
            words = self._with_note(tr("{what}, sent", what=self._done_words()))
            can = batch if self._can_take_back(ended, batch) else ""
            self.show(Message(words, "sent", undo=can, batch=batch))
        elif self._dropped < n:
            words = stopped_words(self._done_words(), n - self._dropped, n)
            stopped = self._shown.undo if self._shown.undo != batch else ""
            can = stopped or (batch if self._can_take_back(ended, batch) else "")
            self.show(Message(words, "info", undo=can, batch=batch))
        elif n == 1:
            self.toast.hide_now()

    def _can_take_back(self, ended: Sequence[Change], batch: str) -> bool:
        """Whether undo could take back any of a batch of which these changes ended just now."""
        from petstore_desktop.desk.changes.outbox_lines import may_be_undone

        facts, contract = self._desk.outbox.batches.get(batch), self._desk.contract
        one_by_one = facts is None or facts.total <= len(ended)
        return not one_by_one or any(may_be_undone(change, contract) for change in ended)

    def _tell_undone(self, undone: Undone) -> None:
        """What an undo did, where the cells do not show it all."""
        if self._done and self._done[-1].batch == undone.batch:
            self._told.clear()  # what is still on its way is taken back when it is answered
        batches = self._desk.outbox.batches
        facts = batches.get(undone.batch) or (batches.get(undone.made) if undone.redo else None)
        more = undone.sends or undone.waits or undone.impossible or undone.again
        if undone.discarded == 1 and not (undone.stuck or more):
            return
        shop = self._desk.shop
        count = undone.count or len(undone.impossible) or (0 if facts is None else facts.total)
        what = counted_changes(count) if facts is None else name_words(batch_sentence(shop, facts, count))
        did, words = bool(undone.made), undone_words(undone, what, left=self._left(undone))
        if undone.redo:
            again = undone.made if undone.sends else undone.batch
            self.show(Message(words, "saved", undo=again if did else "", batch=again))
        else:
            self.show(Message(words, "undo", redo=undone.batch if did else "", batch=undone.batch))
        if undone.sends and not undone.waits:
            self._going_back = _GoingBack(undone, what, self._shown, undone.sends)

    def _left(self, undone: Undone) -> dict[Resource, int]:
        """How many records name what comes back under a new id, and are not made anew with it."""
        shop, found = self._desk.shop, dict[Resource, int]()
        for by, of in ((Resource.ORDERS, Resource.PETS), (Resource.PETS, Resource.CATEGORIES)):
            keys = [ref.key for ref in undone.anew if ref.resource is of]
            names = {Ref(by, shop.stores[by].keys[slot]) for key in keys for slot in shop.links[by].sources(key)}
            if n := len(names.difference(undone.anew)):
                found[by] = shop.as_seen(by, n)
        return found

    def _tell_gone_back(self, settled: tuple[Change, ...]) -> None:
        """While the toast about an undo is still there, it follows."""
        going = self._going_back
        if going is None:
            return
        ended = [change.state for change in settled if change.batch == going.undone.made and not change.state.is_open]
        going.left -= len(ended)
        if self._shown is not going.message or not self.toast.isVisible() or ChangeState.DISCARDED in ended:
            self._going_back = None
        elif going.left <= 0:
            self._going_back = None
            words = undone_words(going.undone, going.what, sent=True, left=self._left(going.undone))
            self.show(replace(going.message, text=words, icon="sent"))

    def _tell_settled(self, settled: tuple[Change, ...]) -> None:
        needs = [change for change in settled if change.needs_person]
        if not needs:
            return
        follows = self.toast.isVisible() and self._shown is self._needs
        self._needing = (*(self._needing if follows else ()), *(change.id for change in needs))
        self._needs = self._needs_message(needs[0], len(self._needing))
        self.show(self._needs)

    def _is_settled(self) -> bool:
        """Whether nothing of what the last toast of that kind tells of needs attention any more."""
        return not any(change.needs_person for change in self._desk.outbox.those(self._needing))

    def _needs_message(self, first: Change, n: int) -> Message:
        if n > 1:
            return Message(tr("{n} changes need attention", "", n), "refused")
        change, key, reason = first, first.ref.key, first.reason
        record = record_words(self._desk.title(change.ref), str(key) if isinstance(key, int | str) else "")
        if change.state is ChangeState.REFUSED:
            facts = refusal_facts(reason, first.base)
            said = refusal_words(facts)
            if is_held_back(facts):
                words = tr("Not sent: {said}. {record} is kept here", said=said, record=record)
            else:
                words = tr("Refused: {said}. {record} is kept here", said=said, record=record)
        elif change.state is ChangeState.CONFLICT:
            words = tr("{record} was changed elsewhere; nothing was overwritten", record=record)
        else:
            words = tr("{record}: whether it was done is not known", record=record)
        return Message(words, change.state.value)

    def _tell_checked(self, checked: Checked) -> None:
        """What went wrong, or that a record that was looked for is not there."""
        if isinstance(checked.error, NotFound) and str(checked.error.params.get("operation")).endswith(".read"):
            self._shop.past.changes_of(checked.ref, partial(self._tell_not_there, checked.ref))
        elif checked.error is not None:
            self.show(Message(error_words(checked.error).what, "warning"))
        elif checked.ref.key not in self._desk.shop.stores[checked.ref.resource]:
            self.show(
                Message(tr("The list has no record with the id {id}", id=key_to_text(checked.ref.key)), "warning")
            )
        elif not checked.shown or checked.changed is not None:
            self.show(Message(checked_words(checked, self._desk), "live"))

    def _tell_not_there(self, ref: Ref, changes: Sequence[SeenChange] | ShopError) -> None:
        known = () if isinstance(changes, ShopError) else changes
        if end_of(ref, known) is None:
            self.show(Message(not_there_words(ref), "warning"))
        else:
            from petstore_desktop.ui.text.changes.seen import gone_words  # late: few look for what has gone

            self.show(Message(gone_words(ref, known, self._desk.now()), "warning"))

    def can_say(self) -> bool:
        """Whether somebody is there, and nothing else is said."""
        return self._window.isActiveWindow() and not self.toast.isVisible() and not self._attention.is_busy()

    def ask_key(self, unasked: bool = False) -> None:
        """Ask for a key now, unless the question is open already."""
        self._asks = False
        if self._key_dialog is None:
            self._key_dialog = self._open_key(unasked)
            self._key_dialog.finished.connect(self._key_done)

    def _ask_unasked(self) -> None:
        self._asks = False
        if self._desk.key_wanted:
            self.ask_key(unasked=True)

    def _key_done(self) -> None:
        self._key_dialog = None


def _way(message: Message) -> str:
    """Where a toast without Undo leads."""
    return tr("Show") if message.shop else tr("Open") if message.file else ""


def open_file(path: str, say: Callable[[str], object]) -> None:
    """Open it, if it is still there; `say` hears why not. The disk is looked at in another thread."""
    name = isolate(plain(PurePath(path).name))

    def looked(there: object) -> None:
        if not there:
            say(tr("{file} is not there any more.", file=name))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
            say(tr("No program here opens {file}.", file=name))

    Background().run(Path(path).is_file, looked)


LOOK_MS = 3_000
"""How often it is looked whether the notice can be said."""
DAY_MS = 3_600_000
"""How often it is looked whether another day has brought one."""


class EndingNotice(QObject):
    """Looks again after each contract, and each hour. `noticed`: the operations of which it was said, each with its
    day; `keep` keeps more of them."""

    def __init__(
        self, desk: Desk, notifier: Notifier, noticed: Mapping[str, str], keep: Callable[[Mapping[str, str]], object]
    ) -> None:
        super().__init__(notifier)
        self._desk, self._notifier, self._noticed, self._keep = desk, notifier, noticed, keep
        self._soon = timer(self, LOOK_MS, self.look, once=True)
        self._hourly = timer(self, DAY_MS, self.look)
        self._hourly.start()
        self._soon.start()

    def look(self) -> None:
        """Show the next message, or try again soon if the window is not seen."""
        near = self._near()
        if not near:
            return
        if not self._notifier.can_say():
            self._soon.start()
            return
        self._notifier.show(Message(notice_words(tuple(near.items())), "deprecated"))
        self._keep({op.value: str(ending.day) for op, ending in near.items()})

    def _near(self) -> dict[Op, Ending]:
        """What ends soon and was not said yet."""
        desk, said = self._desk, self._noticed
        found = endings(desk.shop, desk.contract, desk.service_day())
        return {op: one for op, one in found.items() if one.is_near and said.get(op.value) != str(one.day)}
