"""What the pieces of one window share: the shop, the actions, the way between records, how to say something,
and what a part asks its window to open or to make, because it lies in another room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.context.action_set import ActionSet
from petstore_desktop.ui.context.local_acts import LocalActs
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.navigation import Navigation
from petstore_desktop.ui.text.translate import counted_changes, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from PySide6.QtWidgets import QDialog

    from petstore_desktop.desk.preview.preview import Preview
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.records import Key, Resource
    from petstore_desktop.ui.context.ports import ShopPort
    from petstore_desktop.ui.context.ports_shops import AppPort
    from petstore_desktop.ui.context.pricing import Pricing
    from petstore_desktop.ui.context.tab_specs import TabSpec
    from petstore_desktop.ui.details.details_side import DetailsSide
    from petstore_desktop.ui.views.views import Views


class WindowParts(QObject):
    """Handed to every tab and dialog.

    Signals:
        said: Message: show this in the window.
        draftsCame: object: what is half filled is known.
        moved: Changed: what moved at the desk in one turn, for what is open above the lists.
    """

    said = Signal(object)
    draftsCame = Signal(object)
    moved = Signal(object)

    def __init__(self, window: QWidget, shop: ShopPort, app: AppPort, openers: Openers) -> None:
        super().__init__(window)
        self._window = window
        self._pricing: Pricing | None = None
        self._views: Views | None = None
        self.shop = shop
        self.app = app
        self.openers = openers
        self.actions = ActionSet(window, shop.profile.name)
        self.navigation = Navigation(self)
        self.local_acts = LocalActs(self)
        self.details_wanted = True
        self.batches: dict[str, tuple[NewChange, ...]] = {}
        """What this window applied and what is not in the journal yet, by batch."""

        self.notes: dict[str, str] = {}
        """The notes of batches, by batch: such as what found no place."""

        self._note = ""
        self.longest_ids: dict[Resource, str] = {}
        """The longest id of each kind that came so far."""

    def note_ids(self, rows: Mapping[Resource, Iterable[Key]]) -> None:
        """Remember the longest of the ids that came in one turn."""
        for resource, keys in rows.items():
            numbers = [key for key in keys if isinstance(key, int)]
            if numbers:
                ends = (str(max(numbers)), str(min(numbers)), self.longest_ids.get(resource, ""))
                self.longest_ids[resource] = max(ends, key=len)

    @property
    def pricing(self) -> Pricing:
        """What asks for prices; made when it is first needed."""
        if self._pricing is None:
            from petstore_desktop.ui.context.pricing import Pricing  # late: nothing is priced before the first paint

            self._pricing = Pricing(self, self._window)
        return self._pricing

    @property
    def views(self) -> Views:
        """All views; made when they are first needed, which is after the first paint."""
        if self._views is None:
            self._views = self.openers.views(self._window)
        return self._views

    def apply(self, changes: tuple[NewChange, ...], note: str = "") -> None:
        """Save and send what a person did; a batch that costs much is asked about first. `note` is said beside it."""
        self._note = note
        if len(changes) > 1:
            self.pricing.apply(changes)
        elif changes:
            self.apply_now(changes)

    def apply_now(self, changes: tuple[NewChange, ...], source: str = "") -> None:
        """The same for what has been agreed to."""
        batch, note, self._note = self.shop.apply(changes, source), self._note, ""
        self.local_acts.acted()
        self.batches[batch] = changes
        if note:
            self.notes[batch] = note

    def undo(self, batch: str, ids: tuple[int, ...] = (), count: int = 1) -> None:
        """Take back a batch of `count` changes, or these of it; an undo that costs much is asked about first."""
        if count > 1:
            self.pricing.undo(batch, ids, count)
        else:
            self.shop.undo_batch(batch, ids)

    def discard(self, ids: tuple[int, ...]) -> None:
        """Give up what is not sent, and say that it can be brought back."""
        decision = self.shop.discard(ids)
        self.local_acts.acted()
        self.say(Message(tr("{changes} discarded", changes=counted_changes(len(ids))), "undo", True, decision=decision))

    def settle(self) -> None:
        """The window closes: what was done is saved."""
        if self._pricing is not None:
            self._pricing.settle()

    def done_here(
        self, words: str, icon: str, what: str, back: Callable[[], object], again: Callable[[], object]
    ) -> None:
        """Something was done that only this computer keeps: say it, and let Undo take it back in its turn. `what`: the
        rest of "Undo ..."."""
        self.say(Message(words, icon, True, act=self.local_acts.add(what, back, again)))

    def say(self, message: Message) -> None:
        """A short word at the bottom of the window."""
        self.said.emit(message)


class Openers(Protocol):
    """Given to `WindowParts` by the window."""

    def open_preview(
        self,
        parent: QWidget,
        parts: WindowParts,
        preview: Preview,
        title: str = "",
        note: str = "",
        done: Callable[[], object] | None = None,
    ) -> QDialog:
        """Show many edits before they are saved."""
        ...

    def open_price(
        self, parent: QWidget, changes: tuple[NewChange, ...], price: Price, now: float, accept: Callable[[], None]
    ) -> None:
        """Ask before a batch that costs much."""
        ...

    def open_key(self, parent: QWidget, shop: ShopPort, error: ShopError | None, unasked: bool = False) -> QDialog:
        """Ask for a key."""
        ...

    def views(self, window: QWidget) -> Views:
        """The views of a window."""
        ...

    def details_side(self, spec: TabSpec, parts: WindowParts, tab: QWidget) -> DetailsSide:
        """The details beside a list."""
        ...
