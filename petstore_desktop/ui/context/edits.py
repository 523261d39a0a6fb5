"""What a person does to the records of one window: saved at once, or once its price is known and agreed to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal

from petstore_desktop.clock import unique
from petstore_desktop.domain.commands import Apply, Discard, PriceBatch, PriceUndo, Undo
from petstore_desktop.quicker.dataclass import dataclass
from petstore_desktop.ui.context.local_acts import LocalActs
from petstore_desktop.ui.text.translate import counted_changes, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.model.ripple import BatchPriced
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.commands import KeepDraft
    from petstore_desktop.ui.context.message import Say
    from petstore_desktop.ui.context.ports import ShopPort

Batch: TypeAlias = "tuple[NewChange, ...]"


@dataclass(frozen=True, slots=True)
class Unpriced:
    """An act that waits for its price. `changes`: what it would send (empty: an undo, of which only the sync thread
    knows); `note`: what is said beside it."""

    do: Callable[[], None]
    changes: Batch = ()
    note: str = ""
    whole: bool = False
    """It is done as it is, and not shown row by row first."""


class Edits(QObject):
    """For one window. `confirm` asks before an act that costs much.

    Signals:
        priced: BatchPriced: the answer to a question that `ask` asked.
    """

    priced = Signal(object)

    def __init__(self, shop: ShopPort, say: Say, confirm: Callable[[Unpriced, Price], object], parent: QObject) -> None:
        super().__init__(parent)
        self._shop, self._say, self._confirm = shop, say, confirm
        self.desk = shop.desk
        self.unsaved: dict[str, Apply] = {}
        """Batches that this window applied and that are not in the journal yet."""
        self.notes: dict[str, str] = {}
        """The notes of batches, by batch: such as what found no place."""
        self.local = LocalActs(self.desk, say, self.unsaved, self)
        self._numbers = count()
        self._waiting: dict[str, Unpriced] = {}

    def apply(self, changes: Batch, note: str = "") -> None:
        """Save and send what a person did; a batch that costs much is asked about first. `note` is said beside it."""
        self.agree(Unpriced(lambda: self.apply_now(changes, note=note), changes, note))

    def agree(self, act: Unpriced) -> None:
        """Do what a person asked for; if it costs much, once they have agreed to its price."""
        if len(act.changes) > 1 and self._may_be_dear(len(act.changes)):
            self._waiting[self.ask(act.changes)] = act
        elif act.changes:
            act.do()

    def apply_now(
        self,
        changes: Batch,
        source: str = "",
        note: str = "",
        batch: str = "",
        drafts: tuple[KeepDraft, ...] = (),
    ) -> None:
        """The same for what has been agreed to. `source`, `batch`, `drafts`: see `Apply`; `batch` may be
        left out."""
        self.send(Apply(batch or unique(), changes, source, drafts), note)

    def send(self, command: Apply, note: str = "") -> None:
        """Save and send a batch that has been agreed to, as it is; also one that could not be saved before."""
        self._shop.submit(command)
        self.local.acted()
        self.unsaved[command.batch] = command
        if note:
            self.notes[command.batch] = note

    def undo(self, batch: str, ids: tuple[int, ...] = (), count: int = 1) -> None:
        """Take back a batch of `count` changes, or these of it; an undo that costs much is asked about first."""
        act = Unpriced(lambda: self._shop.submit(Undo(batch, ids)))
        if count > 1 and self._may_be_dear(count):
            self._waiting[token := self._token()] = act
            self._shop.submit(PriceUndo(token, batch, ids))
        else:
            act.do()

    def discard(self, ids: tuple[int, ...]) -> None:
        """Give up what is not sent, and say that it can be brought back."""
        from petstore_desktop.ui.context.message import Message  # late: nothing is said before the first paint

        decision = unique()
        self._shop.submit(Discard(ids, decision))
        self.local.acted()
        words = tr("{changes} discarded", changes=counted_changes(len(ids)))
        self._say(Message(words, "undo", True, decision=decision))

    def settle(self) -> None:
        """The window closes: what waits for its price is saved, for it could be lost."""
        while self._waiting:
            self._waiting.pop(next(iter(self._waiting))).do()

    # -- prices

    def ask(self, changes: Batch) -> str:
        """Ask what these changes would cost; the answer carries the token that is returned."""
        self._shop.submit(PriceBatch(token := self._token(), changes))
        return token

    def on_priced(self, priced: tuple[BatchPriced, ...]) -> None:
        """Answers came."""
        for event in priced:
            act = self._waiting.pop(event.token, None)
            if act is not None and (event.price is None or not event.price.is_much):
                act.do()
            elif act is not None and event.price is not None:
                if not act.changes:
                    self.desk.outbox.end()  # it is up to the person now
                self._confirm(act, event.price)
            self.priced.emit(event)

    def _token(self) -> str:
        return str(next(self._numbers))

    def _may_be_dear(self, changes: int) -> bool:
        from petstore_desktop.desk.price import could_be_much  # late: nothing is priced before the first paint

        return could_be_much(self.desk, changes)
