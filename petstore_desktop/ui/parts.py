"""What the pieces of one window share: the shop, the actions, the way between records, and how to say something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.action_set import ActionSet
from petstore_desktop.ui.navigation import Navigation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.records import Key, Resource
    from petstore_desktop.ui.ports import AppPort, ShopPort


@dataclass(frozen=True, slots=True)
class Message:
    """A toast: words, icon, and whether Undo is offered."""

    text: str
    icon: str = "saved"
    undo: bool = False


class WindowParts(QObject):
    """Handed to every tab and dialog.

    Signals:
        said: Message: show this in the window.
    """

    said = Signal(object)

    def __init__(self, window: QWidget, shop: ShopPort, app: AppPort) -> None:
        super().__init__(window)
        self.shop = shop
        self.app = app
        self.actions = ActionSet(window, shop.profile.name)
        self.navigation = Navigation(self)
        self.details_wanted = True
        self.batches: dict[str, tuple[NewChange, ...]] = {}
        """What this window applied and what is not in the journal yet, by batch."""

        self.longest_ids: dict[Resource, str] = {}
        """The longest id of each kind that came so far."""

    def note_ids(self, rows: Mapping[Resource, Iterable[Key]]) -> None:
        """Remember the longest of the ids that came in one turn."""
        for resource, keys in rows.items():
            numbers = [key for key in keys if isinstance(key, int)]
            if numbers:
                ends = (str(max(numbers)), str(min(numbers)), self.longest_ids.get(resource, ""))
                self.longest_ids[resource] = max(ends, key=len)

    def now(self) -> float:
        """UTC epoch seconds."""
        return self.shop.clock.now().wall

    def apply(self, changes: tuple[NewChange, ...]) -> None:
        """Save and send what a person did."""
        if changes:
            self.batches[self.shop.apply(changes)] = changes

    def say(self, message: Message) -> None:
        """A short word at the bottom of the window."""
        self.said.emit(message)
