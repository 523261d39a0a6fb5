"""Somebody at work, in virtual time: does on the desk what the window does for a person, and tells the sync part what
the window tells it (ui/window). What costs nothing there, a filter or the details of a record, is
done all the same: should it ever come to cost a request, that shows.

clerk = Clerk(loop, shop, tmp_path, plan="free")
clerk.open(Resource.PETS)
clerk.look_up("koi")
clerk.book(pet, "+12")
clerk.wait(20)
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.details import Details
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.commands import Apply, CheckLive, Refresh, Watch
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import FieldValue, Key, Ref, Resource
from petstore_desktop.sync.wire.events import Event
from tests.support.virtual_desk import NAME, Service, VirtualDesk
from tests.support.virtual_time import VirtualTime

AWAY_S = 300.0
"""Whoever has touched nothing for so long is taken to be away, as in ui/window/presence.py."""
GLANCE_S = 5.0
"""How often `glance` is called while time passes."""


class _Screen(VirtualDesk):
    """A session with a desk on it."""

    desk: Desk

    def start(self) -> None:
        self.desk = Desk(NAME, self.clock, zone=UTC)
        super().start()

    def note(self, event: Event) -> None:
        super().note(event)
        apply_event(self.desk, event)


class Clerk:
    """One person and one program. `shown`: the list on the screen, None before the first; `here`: whether the program
    takes the person to be there; `glance` is called again and again while time passes."""

    def __init__(self, loop: VirtualTime, shop: Service, data: Path, **desk: Any) -> None:
        self.loop = loop
        self.session = _Screen(loop, shop, data, **desk)
        self.shown: Resource | None = None
        self.here = True
        self.glance: Callable[[], None] = lambda: None
        self._touched = loop.wall

    @property
    def desk(self) -> Desk:
        """What is on the screen."""
        return self.session.desk

    @property
    def table(self) -> Table:
        """The list on the screen."""
        assert self.shown is not None, "no list is shown"
        return self.desk.tables[self.shown]

    # -- time

    def wait(self, seconds: float) -> None:
        """Do nothing; after a while one counts as away."""
        end = self.loop.wall + seconds
        while self.loop.wall < end:
            leaves = self._touched + AWAY_S if self.here else end
            if self.here and self.loop.wall >= leaves:
                self.here = False
                self._watch()
            else:
                self.loop.run_for(min(end, leaves, self.loop.wall + GLANCE_S) - self.loop.wall)
                self.glance()

    def touch(self) -> None:
        """A key or the mouse."""
        self._touched = self.loop.wall
        if not self.here:
            self.here = True
            self._watch()

    def close(self) -> None:
        """Close the program; what is on disk stays, and `start` goes on with it."""
        self.session.close()

    def start(self) -> None:
        """Start the program again."""
        self.shown, self.here, self._touched = None, True, self.loop.wall
        self.session.start()

    # -- looking

    def open(self, resource: Resource) -> None:
        """Go to a tab."""
        self.touch()
        if self.shown is not resource:
            self.shown = resource
            self.table.open()
            self._watch()
            self.loop.settle()

    def look_up(self, text: str) -> list[Key]:
        """Type a filter, letter by letter; the rows that it leaves."""
        self.touch()
        for length in range(len(text) + 1):
            self.table.set_filter(text[:length])
        return self.table.keys()

    def details(self, key: Key) -> Details:
        """Open the details of a row."""
        self.touch()
        found = self.desk.details(Ref(self.table.resource, key))
        assert found is not None, f"{self.shown} {key} is not there"
        return found

    def check_live(self, key: Key) -> None:
        """Shift+F5."""
        self.touch()
        self.session.submit(CheckLive(Ref(self.table.resource, key)))

    def refresh(self) -> None:
        """F5."""
        self.touch()
        self.table.refresh()
        self.session.submit(Refresh((self.table.resource,)))

    # -- changing

    def book(self, pet: Key, text: str) -> None:
        """Type into the stock cell of a row."""
        self._apply(self.desk.acts.stock(pet, text))

    def change(self, keys: tuple[Key, ...], **fields: FieldValue) -> None:
        """Give rows other values, as a menu, a key or a cell does."""
        self._apply(self.desk.acts.set_fields([Ref(self.table.resource, key) for key in keys], fields))

    def create(self, **fields: FieldValue) -> None:
        """Make a record of the kind on the screen."""
        self._apply(self.desk.acts.create(self.table.resource, fields))

    def delete(self, key: Key) -> None:
        """Delete a row, or cancel an order."""
        self._apply(self.desk.acts.delete((Ref(self.table.resource, key),)).changes)

    def _apply(self, made: NewChange | tuple[NewChange, ...] | BadInput | None) -> None:
        self.touch()
        changes = made if isinstance(made, tuple) else (made,)
        assert changes, "nothing would change"
        good = tuple(change for change in changes if isinstance(change, NewChange))
        assert good == changes, changes
        self.session.submit(Apply(unique(), good))

    def _watch(self) -> None:
        shown = () if self.shown is None else (self.shown,)
        self.session.submit(Watch(shown, self.here))
