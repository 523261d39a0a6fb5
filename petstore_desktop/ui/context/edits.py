"""What a person does to the records of one window: saved at once, or once its price is known and agreed to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from petstore_desktop.clock import unique
from petstore_desktop.domain.commands import Apply, Discard, PriceBatch, PriceUndo, Revert
from petstore_desktop.ui.text.translate import counted_changes, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.done_act import DoneAct
    from petstore_desktop.desk.model.ripple import BatchPriced
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.commands import CancelBatch, Decide, KeepDraft
    from petstore_desktop.domain.low_stock import StockLevel
    from petstore_desktop.domain.own_acts import OwnParts
    from petstore_desktop.domain.records import Ref, Resource
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.message import Say

Batch: TypeAlias = "tuple[NewChange, ...]"
Do: TypeAlias = "Callable[[str, OwnParts, str, str, str], object]"
"""`Edits.do`."""


class Unpriced(Struct, frozen=True):
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

    def __init__(self, shop: LiveShop, say: Say, confirm: Callable[[Unpriced, Price], object], parent: QObject) -> None:
        super().__init__(parent)
        self._shop, self._say, self._confirm = shop, say, confirm
        self.desk = shop.desk
        self.unsaved: dict[str, Apply] = {}
        """Batches that this window applied and that are not in the journal yet."""
        self.notes: dict[str, str] = {}
        """The notes of batches, by batch: such as what found no place."""
        self.set_levels: Callable[[Mapping[Ref, StockLevel]], object] = lambda _: None
        """Keeps minimum stock, and up to which stock is ordered, on this computer."""
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
        self.desk.done.asked(command.batch)
        self.unsaved[command.batch] = command
        if note:
            self.notes[command.batch] = note

    def do(self, kind: str, after: OwnParts, what: str, words: str = "", icon: str = "") -> None:
        """Let these parts of what only this computer keeps be so, and say that, where it is not seen (`words`); undo
        takes it in its turn. `what`: the rest of "Undo ..."."""
        act = self.desk.done.do(what, kind, after)
        if words:
            self._tell(words, icon, undo=act.id)

    def decide(self, command: Decide | Discard | CancelBatch, words: str, icon: str, batch: str = "") -> None:
        """Do something with changes that are not sent, and say that it can be brought back; `batch`: they are its."""
        self._shop.submit(command)
        self.desk.done.asked(command.decision, decision=True)
        self._tell(words, icon, undo=command.decision, batch=batch)

    def discard(self, ids: tuple[int, ...]) -> None:
        """Give up what is not sent."""
        words = tr("{changes} discarded", changes=counted_changes(len(ids)))
        self.decide(Discard(ids, unique()), words, "undo")

    def revert(self, act: str, ids: tuple[int, ...] = (), count: int = 0, *, again: bool = False) -> None:
        """Undo an act, whatever it was, by its id, or these changes of it; or redo it (`again`). An undo that costs
        much is asked about first; `count`: how many changes it takes back, where the caller knows."""
        if self.desk.done.turn(act, self._turned):
            return
        facts = None if again or act in self.desk.outbox.decisions else self.desk.outbox.batches.get(act)
        count = count or len(ids) or (1 if facts is None else facts.undoable)
        undo = Unpriced(lambda: self._shop.submit(Revert(act, ids, again)))
        if facts is not None and count > 1 and self._may_be_dear(count):
            self._waiting[token := self._token()] = undo
            self._shop.submit(PriceUndo(token, act, ids))
        else:
            undo.do()

    def _turned(self, act: DoneAct, redone: bool) -> None:
        """Say what of this computer's own is undone or redone. At a desk of the stock room that is seen."""
        from petstore_desktop.ui.text.changes.undo import act_words  # late, as below

        if act.place:
            return
        what = act_words(act).replace("&&", "&")
        if redone:
            self._tell(tr("Redone: {what}", what=what), "saved", undo=act.id)
        else:
            self._tell(tr("Undone: {what}", what=what), "undo", redo=act.id)

    def _tell(self, words: str, icon: str, *, undo: str = "", redo: str = "", batch: str = "") -> None:
        from petstore_desktop.ui.context.message import Message  # late: nothing is said before the first paint

        self._say(Message(words, icon, undo, redo, batch))

    def settle(self) -> None:
        """The window closes: what waits for its price is saved, for it could be lost."""
        while self._waiting:
            self._waiting.pop(next(iter(self._waiting))).do()

    # -- prices

    def ask(self, changes: Batch, reads: tuple[Resource, ...] = ()) -> str:
        """Ask what these changes would cost, after a reading of the lists of `reads`; the answer carries the token that
        is returned."""
        self._shop.submit(PriceBatch(token := self._token(), changes, reads))
        return token

    def on_priced(self, priced: tuple[BatchPriced, ...]) -> None:
        """Answers came."""
        for event in priced:
            act = self._waiting.pop(event.token, None)
            if act is not None and (event.price is None or not event.price.is_much):
                act.do()
            elif act is not None and event.price is not None:
                if not act.changes:
                    self.desk.done.end()  # it is up to the person now
                self._confirm(act, event.price)
            self.priced.emit(event)

    def _token(self) -> str:
        return str(next(self._numbers))

    def _may_be_dear(self, changes: int) -> bool:
        from petstore_desktop.desk.price import could_be_much  # late: nothing is priced before the first paint

        return could_be_much(self.desk, changes)
