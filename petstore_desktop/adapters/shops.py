"""ShopsPort: the list of all connections, switching between them, their settings, and forgetting them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.preferences import ConnectionSettings
from petstore_desktop.ui.context.ports import Forgetting, ShopFacts, ShopNews

if TYPE_CHECKING:
    from petstore_desktop.adapters.background_shops import BackgroundShops
    from petstore_desktop.adapters.rehearsals import Rehearsals
    from petstore_desktop.adapters.shop import Opening, OpenShop
    from petstore_desktop.clock import Clock
    from petstore_desktop.data_folder import Places
    from petstore_desktop.domain.commands import UseKey
    from petstore_desktop.preferences import Remembered, ShopConnection
    from petstore_desktop.session.forgetting import Forgotten
    from petstore_desktop.shop.background import Background
    from petstore_desktop.ui.connection.welcome import WelcomePage
    from petstore_desktop.ui.window.main_window import MainWindow

DEMO_SLUG = "demo"


class Host(Protocol):
    """What this asks of the program."""

    @property
    def places(self) -> Places: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def remembered(self) -> Remembered: ...
    @property
    def window(self) -> MainWindow | None: ...

    shown: OpenShop | None

    def is_shown(self, folder: Path) -> bool: ...
    def demo_places(self) -> Places: ...
    def enter_demo(self) -> OpenShop: ...
    def opening(self, connection: ShopConnection, service: Callable[[], tuple[str, str]] | None = None) -> Opening: ...
    def show_instead(self, shop: OpenShop) -> None: ...
    def show_welcome(self) -> None: ...
    def front(self) -> MainWindow | WelcomePage | None: ...


class Shops:
    """See ShopsPort."""

    def __init__(self, host: Host, in_background: BackgroundShops, background: Background) -> None:
        self._host, self._in_background, self._background = host, in_background, background
        self._wanted = 0
        """Counts requests to show a shop: only the last one is carried out."""

    @property
    def rehearsals(self) -> Rehearsals:
        """Rehearsals of the shop in the window."""
        return self._rehearsals

    @cached_property
    def _rehearsals(self) -> Rehearsals:
        from petstore_desktop.adapters.rehearsals import Rehearsals

        return Rehearsals(self._host, self._background)

    # -- the list

    def all(self) -> Sequence[ShopFacts]:
        """Every connection; the demo shop too, while it is open."""
        host = self._host
        facts = [
            self._facts(connection, host.places.connection(connection.slug))
            for connection in host.remembered.now.connections
        ]
        beside = [*self._in_background.working(), *([] if host.shown is None else [host.shown])]
        demo = [shop for shop in beside if shop.session.connection.demo]
        return (*facts, *(self._facts(shop.session.connection, shop.folder) for shop in demo))

    def _facts(self, connection: ShopConnection, folder: Path) -> ShopFacts:
        host = self._host
        own = (connection.slug, connection.name, connection.colour)
        if host.is_shown(folder) and host.shown is not None:
            outbox = host.shown.desk.outbox
            waits = outbox.unsent, outbox.needs_person
            return ShopFacts(*own, True, *waits, read_only=connection.read_only, demo=connection.demo)
        stands, works = self._in_background.standing(folder), self._in_background.works(folder)
        return ShopFacts(
            *own, False, stands.unsent, stands.needs, works, stands.trouble, connection.read_only, connection.demo
        )

    def listen(self, changed: Callable[[], None], told: Callable[[ShopNews], None]) -> None:
        """The window that is shown listens."""
        self._in_background.changed, self._in_background.tell = changed, told

    # -- switching

    def open(self, slug: str) -> None:
        """Show this connection instead of the current one, with its state if it is at work."""
        self._open(slug, lambda: None)

    def _open(self, slug: str, then: Callable[[], None]) -> None:
        host = self._host
        connection = host.remembered.now.of_slug(slug)
        folder = (host.demo_places() if connection is None else host.places).connection(slug)
        self._wanted += 1  # what was asked for before is not wanted any more
        if host.is_shown(folder):
            then()
            return
        taken = self._in_background.pop(folder)
        if taken is not None:
            host.show_instead(taken)
            then()
        elif connection is not None:
            self._bring(connection, None, None, then)
        elif slug == DEMO_SLUG:
            self.open_demo()

    def reopen(
        self, slug: str, key: str | None, trouble: ShopError | None, then: Callable[[], None] = lambda: None
    ) -> None:
        """Show this connection with the settings that it has now, whether it is at work or not."""
        host = self._host
        connection = host.remembered.now.of_slug(slug)
        if connection is None:
            return
        taken = self._in_background.pop(host.places.connection(slug))
        if taken is not None:
            self._in_background.retire(taken)
        self._bring(connection, key, trouble, then)

    def _bring(
        self,
        connection: ShopConnection,
        key: str | None,
        trouble: ShopError | None,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Read what the first paint wants in another thread, then show it."""
        service = None if key is None else lambda: (connection.url, key)
        self._wanted += 1
        wanted = self._wanted

        def show(_: None) -> None:
            if wanted != self._wanted:  # somebody chose another one meanwhile
                return
            shop = opening.shop()
            if trouble is not None:
                from petstore_desktop.sync.wire.events import Trouble

                shop.session.events.put(Trouble(shop.session.name, trouble))
            self._host.show_instead(shop)
            self._in_background.start(shop)
            then()

        opening = self._host.opening(connection, service)
        self._background.run(opening.read, show)

    def show_demo(self) -> None:
        """Show the demo shop, as it is if it is open."""
        if not self._host.is_shown(self._host.demo_places().connection(DEMO_SLUG)):
            self.open_demo()

    def open_demo(self) -> None:
        """Open the demo shop instead of the current shop; a shown demo shop is restarted."""
        host = self._host
        folder = host.demo_places().connection(DEMO_SLUG)
        if host.is_shown(folder):
            self._close_shown()
        elif (taken := self._in_background.pop(folder)) is not None:
            self._wanted += 1
            host.show_instead(taken)
            return
        self._in_background.retire_folder(folder, lambda: self._in_background.start(host.enter_demo()))

    def _close_shown(self) -> None:
        host = self._host
        if host.shown is not None and host.window is not None:
            host.window.setEnabled(False)  # what is typed from here on would be lost
            self._in_background.retire(host.shown)
            host.shown = None

    # -- settings

    def change(
        self, slug: str, settings: ConnectionSettings, keys: UseKey, done: Callable[[ShopError | None], None]
    ) -> None:
        """Keep the settings, open the shop anew, and try the keys there: they are kept unless the service rejects
        them."""
        host = self._host

        def work() -> ShopConnection:
            from petstore_desktop.contract import contract_files
            from petstore_desktop.session.connections import with_settings

            before, connection = with_settings(host.remembered.now, slug, settings)
            if before.document != connection.document:
                contract_files.forget(host.places.contract(connection.slug))
            return connection

        def changed(connection: ShopConnection | ShopError) -> None:
            if isinstance(connection, ShopError):
                done(connection)
                return
            host.remembered.update(lambda now: now.with_connection(connection))
            done(None)
            self.reopen(slug, keys.key or None, None, lambda: self._try_keys(keys))

        self._background.attempt(work, changed)

    def _try_keys(self, keys: UseKey) -> None:
        """Have the shop that was just shown ask with these keys."""
        if self._host.shown is not None and (keys.key or keys.further):
            self._host.shown.session.submit(keys)

    # -- forgetting

    def look_forgetting(self, slug: str, done: Callable[[Forgetting | ShopError], None]) -> None:
        """What forgetting would remove; the shop in the window reports its unsent changes itself."""
        host = self._host
        connection = host.remembered.now.of_slug(slug)
        if connection is None:
            return

        def work() -> Forgetting:
            from petstore_desktop.session import forgetting

            counts = self._open_at_work(slug)
            if counts is None:
                listed = forgetting.listed_count(forgetting.put_damaged_aside(host.places, slug, host.clock.now().wall))
                counts = forgetting.unsent_count(host.places, slug) + listed, forgetting.unsure_count(host.places, slug)
            count, unsure = counts
            return Forgetting(count, str(forgetting.export_folder(host.places)) if count else "", unsure)

        self._background.attempt(work, done)

    def _open_at_work(self, slug: str) -> tuple[int, int] | None:
        """The open changes of a shop that is at work, and those of them that may have arrived."""
        host = self._host
        folder = host.places.connection(slug)
        shops = [
            shop for shop in (*self._in_background.working(), host.shown) if shop is not None and shop.folder == folder
        ]
        if not shops:
            return None
        outbox = shops[0].desk.outbox
        return len(outbox), sum(change.state in (ChangeState.SENDING, ChangeState.UNCERTAIN) for change in outbox.open)

    def forget(self, slug: str) -> None:
        """Close it, then export and remove. Another shop comes into its place, or the welcome page."""
        host = self._host
        connection = host.remembered.now.of_slug(slug)
        if connection is None:
            return
        folder = host.places.connection(slug)

        def forget() -> None:
            self._in_background.retire_folder(folder, lambda: self._forget_closed(connection))

        if host.is_shown(folder):
            others = [one.slug for one in host.remembered.now.connections if one.slug != slug]
            if others:
                self._open(others[0], forget)
                return
            self._close_shown()
        forget()

    def _forget_closed(self, connection: ShopConnection) -> None:
        """First what must not be lost, then the key, then the name, and only then the files."""
        host = self._host

        def save() -> Forgotten:
            from petstore_desktop.session.forgetting import save_and_lock_out

            return save_and_lock_out(host.places, connection, host.clock.now().wall)

        def remove() -> None:
            from petstore_desktop.session.forgetting import remove_files

            host.remembered.flush()
            remove_files(host.places, connection.slug)

        def saved(result: Forgotten | ShopError) -> None:
            if isinstance(result, ShopError):
                self._not_forgotten(connection, result)
                return
            host.remembered.update(lambda now: now.without_connection(connection.slug))
            self._background.attempt(remove, lambda error: self._forgotten(connection, error or result))

        self._background.attempt(save, saved)

    def _not_forgotten(self, connection: ShopConnection, error: ShopError) -> None:
        """It is as it was."""
        from petstore_desktop.ui.questions.error import open_error

        def say() -> None:
            open_error(self._host.front(), error)

        if self._host.shown is None:
            self._open(connection.slug, say)
        else:
            say()

    def _forgotten(self, connection: ShopConnection, result: Forgotten | ShopError) -> None:
        from petstore_desktop.ui.connection.forget import open_forgotten
        from petstore_desktop.ui.questions.error import open_error

        host = self._host
        self._in_background.forget(host.places.connection(connection.slug))
        if host.shown is None:
            host.show_welcome()
        if isinstance(result, ShopError):
            open_error(host.front(), result)
            return
        export = str(result.export or "")
        open_forgotten(host.front(), connection.name, result.unsent, export, result.unsure, result.keyring)
