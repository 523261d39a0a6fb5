"""Shops at work, with a window or without one, and what concerns the whole program (`ui/context/ports.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop import __version__, resources
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.preferences import Remembered, ShopConnection, Theme
from petstore_desktop.session.session import Session
from petstore_desktop.shop.live_shop import LiveShop

if TYPE_CHECKING:
    from pathlib import Path

    from petstore_desktop.adapters.updates import Updates
    from petstore_desktop.clock import Clock
    from petstore_desktop.domain.records import Key, Resource
    from petstore_desktop.ui.context.ports import ShopsPort, WelcomePort

T = TypeVar("T")


class Child(Protocol):
    """A process that lives as long as its shop is open."""

    def stop(self) -> None:
        """End it."""
        ...


class OpenShop(Struct, eq=False):
    """A connection at work: its session, what a screen shows of it, and the demo shop's process, if it is that. It
    needs no window."""

    session: Session
    desk: Desk
    live: LiveShop
    child: Child | None = None

    @property
    def folder(self) -> Path:
        """Where its files lie: two sessions there would be in each other's way."""
        return self.session.places.connection(self.session.name)

    @property
    def going(self) -> int:
        """How many changes would go out by themselves, if the service lets them."""
        if self.session.connection.read_only:
            return 0
        outbox = self.desk.outbox
        return outbox.unsent - sum(job.left for job in outbox.jobs() if job.paused)

    def close(self) -> None:
        """Stop it; waits for some seconds at most."""
        self.session.close()
        if self.child is not None:
            self.child.stop()


class Opening:
    """A shop on its way: made in the window's thread, which knows the language; then `read`, which blocks for the disk,
    in any thread; and then it is a `shop`, in the window's thread again."""

    def __init__(
        self,
        desk: Desk,
        remembered: Remembered,
        make_session: Callable[[], Session],
        first: tuple[Resource, Sequence[Key], int] | None,
    ) -> None:
        """`first`: the rows that the first paint wants, see `Session.first_screen`."""
        self._desk, self._remembered = desk, remembered
        self._make_session, self._first = make_session, first
        self.child: Child | None = None
        """The process that is to live as long as the shop is open."""

    def read(self) -> None:
        """What is kept of it. Blocks."""
        self._session = self._make_session()
        self._rows = None if self._first is None else self._session.first_screen(*self._first)

    def shop(self) -> OpenShop:
        """The shop, which is not started."""
        session, desk = self._session, self._desk
        if session.contract is not None:
            desk.set_contract(session.contract)
        if self._rows is not None:
            desk.begin(*self._rows)
        return OpenShop(session, desk, LiveShop(session, desk, self._remembered), self.child)


class AppGlue(Struct, eq=False):
    """AppPort: what concerns the whole program. `welcome` and `shops` are made when they are first asked for."""

    _places: Places
    _remembered: Remembered
    _apply_look: Callable[[str, str], None]
    _welcome: Callable[[], WelcomePort]
    _shops: Callable[[], ShopsPort]
    _clock: Clock | None
    """None: newer versions are not asked for."""

    def preference(self, name: str) -> str:
        """A setting as text; "" for none."""
        now = self._remembered.now
        if name == "theme":
            return now.theme
        if name == "language":
            return now.language or ""
        return now.text(name)

    def set_preference(self, name: str, value: str) -> None:
        """Keep it; what changes the looks or the language is applied at once."""
        if name == "theme":
            theme: Theme = value if value in ("light", "dark") else "system"
            self._remembered.update(lambda now: replace(now, theme=theme))
        elif name == "language":
            self._remembered.update(lambda now: replace(now, language=value or None))
        else:
            self._remembered.update(lambda now: replace(now, unknown={**now.unknown, name: value}))
        self._apply_look(name, value)

    def languages(self) -> Sequence[str]:
        """English, and each translation that ships."""
        folder = resources.root() / "translations"
        return ["en", *(file.stem.partition("_")[2] for file in sorted(folder.glob("petstore_*.qm")))]

    @property
    def welcome(self) -> WelcomePort:
        """Making connections."""
        return self._welcome()

    @property
    def shops(self) -> ShopsPort:
        """All connections."""
        return self._shops()

    def updates(self) -> Updates | None:
        """Newer versions, where the packager says where to ask."""
        from petstore_desktop.adapters.updates import Updates, packaged

        source = None if self._clock is None else packaged()
        return None if source is None or self._clock is None else Updates(source, self._remembered, self._clock)

    def diagnostics(self) -> str:
        """Versions and places, redacted, as text to copy."""
        return diagnostics(self._places)


def keep_key(places: Places, connection: ShopConnection, key: str, further: Mapping[str, str]) -> ShopError | None:
    """Put the keys into the keyring; why that was not possible. Where a service wants none, no keyring is missed."""
    if not key:
        return None
    from petstore_desktop.session.keys import keep_keys

    try:
        keep_keys(places, connection, key, further)
    except ShopError as error:
        return error
    return None


def diagnostics(places: Places) -> str:
    """Versions and places, redacted."""
    import platform  # late, as what follows: only a person who looks for help needs it
    from importlib.metadata import PackageNotFoundError, version

    from petstore_desktop import log

    lines = [f"Pet Store Desktop {__version__}", f"Python {platform.python_version()}", platform.platform()]
    for package in ("PySide6-Essentials", "httpx", "pydantic", "keyring", "apsw"):
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package} not found")
    lines.append(f"data: {places.data}")
    return log.redact_sentence("\n".join(lines))
