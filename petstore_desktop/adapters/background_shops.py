"""The shops open beside the one in the window, and the state of all of them.

A shop that leaves the window goes on as long as something of it can go out by itself: its session and its desk live on
without a window, and read nothing. Then it is closed quietly. A shop that comes back into a window before that brings
all it knows along. At the start of the program, shops with something unsent are taken up in the same way, after the
first paint: who edited several shops offline need not open each of them.

Of one folder there is never more than one session: what is opened anew (other settings) starts when the one before has
ended; its window does not wait for that. Everything here is called in the GUI thread, and waits for nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from petstore_desktop.api.gate.registry import GateRegistry
from petstore_desktop.clock import Clock, unique
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.batches import ChangeFilter
from petstore_desktop.domain.commands import ReadChanges, Watch
from petstore_desktop.domain.errors import ShopError, StorageError
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.sync.wire.events import ChangesCounted, Trouble
from petstore_desktop.threads import begin, fail
from petstore_desktop.ui.context.bridge import Bridge
from petstore_desktop.ui.context.ports import ShopNews

if TYPE_CHECKING:
    from petstore_desktop.adapters.shop import Opening, OpenShop
    from petstore_desktop.api.gate.admission import Admission
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.desk.model.ripple import NotSaved
    from petstore_desktop.shop.background import Background
    from petstore_desktop.ui.context.ports import NewsKind, ShopTrouble

AGAIN_S = 60.0
"""Seconds before the same is said again of the same shop."""
CLOSE_S = 8.0
"""How long the end of the program waits for a shop that is being closed."""


class BackgroundState(Struct):
    """The state of a shop that is not in the window."""

    unsent: int = 0
    needs: int = 0
    trouble: ShopTrouble = ""


class _Ending(Struct):
    """A session that is being closed. `starts`: the next one on its folder; `after`: what else waits for the end."""

    shop: OpenShop
    over: threading.Event = field(default_factory=threading.Event)
    starts: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    after: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])


class _Found(Struct):
    """What a look at the start found: shops to take up, and how many changes the others hold."""

    busy: list[ShopConnection] = field(default_factory=list[ShopConnection])
    held: dict[Path, BackgroundState] = field(default_factory=dict[Path, BackgroundState])


class BackgroundShop:
    """A shop at work without a window. `moved` is called when it stands otherwise, `tell` when a person should know."""

    def __init__(
        self, shop: OpenShop, clock: Clock, moved: Callable[[BackgroundShop], None], tell: Callable[[ShopNews], None]
    ) -> None:
        self.shop = shop
        self.heard = False
        """Whether all that was done in its window is in the journal by now, and counted."""
        self.ended = False
        self._clock, self._moved, self._tell = clock, moved, tell
        self._told: dict[str, float] = {}
        self._token = unique()
        self._unread: list[Trouble] = []
        """What only a window can say in full."""
        for table in shop.desk.tables.values():
            table.detach()  # the window's models go with it
        shop.desk.end_edit()
        self._bridge = Bridge(shop.session.events, shop.desk)
        self._bridge.changed.connect(self._changed)
        self._bridge.lost.connect(self._lost)
        shop.session.submit(Watch((), present=False, aside=True))
        # Answered after all that was submitted before.
        shop.session.submit(ReadChanges(self._token, ChangeFilter(), limit=0))

    @property
    def standing(self) -> BackgroundState:
        """How it stands."""
        outbox = self.shop.desk.outbox
        return BackgroundState(outbox.unsent, outbox.needs_person, self._trouble())

    @property
    def idle(self) -> bool:
        """Whether nothing is left that would go out by itself."""
        return self.ended or (self.heard and self.shop.going == 0)

    def let_go(self) -> OpenShop:
        """Take no more events; somebody else will, or the session ends."""
        self._bridge.close()
        self._bridge.deleteLater()
        for trouble in self._unread:
            self.shop.session.events.put(trouble)
        return self.shop

    def _trouble(self) -> ShopTrouble:
        desk = self.shop.desk
        if self.ended:
            return "failed"
        if desk.gate.phase is GatePhase.BANNED:
            return "banned"
        return "key" if desk.gate.phase is GatePhase.LOCKED or desk.key_wanted is not None else ""

    def _changed(self, moved: Changed) -> None:
        if any(isinstance(one, ChangesCounted) and one.token == self._token for one in moved.past):
            self.heard = True
        if moved.trouble is not None:
            self._heard(moved.trouble)
        if any(change.needs_person for change in moved.settled):
            self._say("needs", self.shop.desk.outbox.needs_person)
        trouble = self._trouble()
        if trouble and (moved.gate or moved.key or self.ended) and self.shop.going:
            self._say(trouble)
        self._moved(self)

    def _heard(self, trouble: Trouble) -> None:
        self.ended = self.ended or trouble.fatal
        if not isinstance(trouble.error, ShopError):
            fail(trouble.error, threading.current_thread())
        if isinstance(trouble.error, StorageError) and "told" in trouble.error.params:
            self._unread.append(trouble)
            self._say("damaged")

    def _lost(self, events: tuple[NotSaved, ...]) -> None:
        self._say("not-saved", len(events))

    def _say(self, kind: NewsKind, count: int = 0) -> None:
        now = self._clock.now().steady
        if kind in self._told and now - self._told[kind] < AGAIN_S:
            return
        self._told[kind] = now
        connection = self.shop.session.connection
        self._tell(ShopNews(connection.slug, connection.name, kind, count))


class BackgroundShops:
    """`opening` begins to put a shop together, without a window or a start; `shown` says
    whether a folder's shop is in the window. `changed` is called when `standing` gives something else, `tell` with what
    a person should know."""

    def __init__(
        self,
        clock: Clock,
        background: Background,
        opening: Callable[[ShopConnection], Opening],
        shown: Callable[[Path], bool],
    ) -> None:
        self.registry: GateRegistry[Admission] = GateRegistry()
        self.changed: Callable[[], None] = lambda: None
        self.tell: Callable[[ShopNews], None] = lambda _: None
        self._clock, self._background, self._opening, self._shown = clock, background, opening, shown
        self._running: dict[Path, BackgroundShop] = {}
        self._endings: dict[Path, _Ending] = {}
        self._closed: dict[Path, BackgroundState] = {}

    # -- what is seen

    def standing(self, folder: Path) -> BackgroundState:
        """How the shop of this folder stands, as far as that is known."""
        running = self._running.get(folder)
        return running.standing if running is not None else self._closed.get(folder, BackgroundState())

    def works(self, folder: Path) -> bool:
        """Whether it sends what it has left, without a window."""
        return folder in self._running

    @property
    def busy(self) -> bool:
        """Whether any shop is at work without a window, or is being closed."""
        return bool(self._running or self._endings)

    def working(self) -> tuple[OpenShop, ...]:
        """The shops at work without a window."""
        return tuple(running.shop for running in self._running.values())

    # -- from and to the window

    def start(self, shop: OpenShop) -> None:
        """Let its session begin, as soon as there is no other on its folder."""
        shop.session.registry = self.registry
        self._closed.pop(shop.folder, None)
        ending = self._endings.get(shop.folder)
        if ending is None:
            shop.session.start()
        else:
            ending.starts.append(shop.session.start)

    def leave(self, shop: OpenShop) -> None:
        """It has no window any more."""
        self._running[shop.folder] = BackgroundShop(shop, self._clock, self._moved, lambda news: self.tell(news))
        self.changed()

    def pop(self, folder: Path) -> OpenShop | None:
        """The shop of this folder for a window, if it is at work."""
        running = self._running.pop(folder, None)
        return None if running is None else running.let_go()

    def retire(self, shop: OpenShop) -> None:
        """Close it, whatever it has left: that stays in its journal."""
        running = self._running.pop(shop.folder, None)
        if running is not None:
            running.let_go()
        before = self._endings.get(shop.folder)
        ending = self._endings[shop.folder] = _Ending(shop)
        starts: list[Callable[[], None]] = []
        if before is not None:
            ending.after, before.after = before.after, []
            starts, before.starts = before.starts, []

        def close() -> None:
            if before is not None:
                before.over.wait(CLOSE_S)
            try:
                for start in starts:  # one that has not begun has something to write down, perhaps
                    start()
                shop.close()
            finally:
                ending.over.set()

        ended = partial(self._ended, ending)
        self._background.run(close, lambda _: ended(), ended)

    def retire_folder(self, folder: Path, then: Callable[[], None]) -> None:
        """Close a shop that works without a window, then call back when all its files are closed."""
        running = self._running.get(folder)
        if running is not None:
            self.retire(running.shop)
        ending = self._endings.get(folder)
        if ending is None:
            then()
        else:
            ending.after.append(then)

    def forget(self, folder: Path) -> None:
        """This shop is no more."""
        self._closed.pop(folder, None)
        self.changed()

    def _ended(self, ending: _Ending) -> None:
        folder = ending.shop.folder
        if self._endings.get(folder) is ending:
            del self._endings[folder]
            for do in (*ending.starts, *ending.after):
                do()

    def _moved(self, running: BackgroundShop) -> None:
        if running.idle and self._running.get(running.shop.folder) is running:
            self._closed[running.shop.folder] = running.standing
            self.retire(running.shop)
        self.changed()

    # -- the start and the end of the program

    def awaken(self, shops: Iterable[tuple[ShopConnection, Places]]) -> None:
        """Take up the shops that have something unsent. One that may not be written to is only counted."""
        wanted = tuple(shops)
        self._background.run(lambda: self._look(wanted), self._take_up)

    def _look(self, shops: tuple[tuple[ShopConnection, Places], ...]) -> _Found:
        """In another thread."""
        found = _Found()
        for connection, places in shops:
            count = _open_in(places, connection)
            if connection.read_only:
                found.held[places.connection(connection.slug)] = BackgroundState(count)
            elif count:
                found.busy.append(connection)
        return found

    def _take_up(self, found: _Found) -> None:
        self._closed.update(found.held)
        for connection in found.busy:
            opening = self._opening(connection)
            self._background.run(opening.read, partial(self._take, opening))

    def _take(self, opening: Opening, _: None) -> None:
        shop = opening.shop()
        if shop.folder not in self._running and not self._shown(shop.folder):
            self.leave(shop)
            self.start(shop)
        elif shop.child is not None:
            begin(shop.child.stop, "closing", writes=False)

    def close(self, shown: OpenShop | None) -> None:
        """Close all of them, at once, and the one in the window; waits for some seconds at most."""
        endings = list(self._endings.values())
        left = [running.let_go() for running in self._running.values()] + ([] if shown is None else [shown])
        self._running.clear()
        for ending in endings:
            ending.over.wait(CLOSE_S)
            for start in ending.starts:  # a session that has not begun still writes down what it was told
                start()
        self._endings.clear()
        for thread in [begin(shop.close, "closing") for shop in left]:
            thread.join(CLOSE_S)


def _open_in(places: Places, connection: ShopConnection) -> int:
    from petstore_desktop.store.journal.unsent_count import open_changes
    from petstore_desktop.store.sqlite.database import not_yet_told

    journal = places.journal(connection.slug)
    try:
        return open_changes(journal) or len(not_yet_told(journal))
    except (StorageError, OSError):
        return 1  # whoever opens it says what is wrong with it
