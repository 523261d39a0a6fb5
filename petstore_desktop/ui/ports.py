"""What the window asks of the rest of the program. The composition root hands in objects of these shapes.

Data flow one way: events come through `ShopPort.events` and the bridge into the desk; what a person does leaves through
the port's methods. None of them blocks: each returns at once, and its outcome comes as an event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from petstore_desktop.clock import Clock
    from petstore_desktop.desk.desk import Desk, Event
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.records import Ref, Resource

WindowState: TypeAlias = Mapping[str, object]
"""Geometry, tab, columns, sort and filter, as plain JSON values; the window alone knows the keys."""


class EventSource(Protocol):
    """Where events of the sync thread wait. `on_wake` is called from that thread when the first one arrives."""

    on_wake: Callable[[], None] | None

    def drain(self, budget_s: float) -> Iterable[Event]:
        """Events that waited, oldest first, one by one; after `budget_s` seconds the rest stays and wakes again."""
        ...


@dataclass(frozen=True, slots=True)
class ProfileFacts:
    """What the window may say about the connection; never the key."""

    name: str
    url: str
    plan: str | None = None
    demo: bool = False


class ShopPort(Protocol):
    """One connected shop."""

    @property
    def desk(self) -> Desk:
        """What the screens show."""
        ...

    @property
    def events(self) -> EventSource:
        """What the sync thread tells."""
        ...

    @property
    def clock(self) -> Clock:
        """The time, as the desk has it."""
        ...

    @property
    def profile(self) -> ProfileFacts:
        """Name, address and plan of the connection."""
        ...

    @property
    def data_folder(self) -> Path:
        """Where everything is kept."""
        ...

    @property
    def log_folder(self) -> Path:
        """Where the log lies."""
        ...

    def apply(self, changes: tuple[NewChange, ...]) -> str:
        """Save these acts as one batch, then send them; returns the batch's id. `saved` is said by an event."""
        ...

    def discard(self, change_ids: tuple[int, ...]) -> None:
        """Take back what is not sent."""
        ...

    def retry(self, change_ids: tuple[int, ...]) -> None:
        """Send refused, conflicting or uncertain changes again."""
        ...

    def refresh(self, resources: tuple[Resource, ...], by_person: bool) -> None:
        """Read these lists anew."""
        ...

    def check_live(self, ref: Ref) -> None:
        """Read one record now."""
        ...

    def cancel_load(self, resource: Resource) -> None:
        """Stop reading this list; what has come stays."""
        ...

    def use_key(self, key: str) -> None:
        """Use this key from now on, and keep it in the keyring."""
        ...

    def resume_now(self) -> None:
        """End the pause, on a person's word."""
        ...

    def window_state(self) -> WindowState:
        """What `save_window_state` kept; empty at first."""
        ...

    def save_window_state(self, state: WindowState) -> None:
        """Keep this for the next start."""
        ...


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a connection test found: `error` None means that the service answered and took the key.

    `offered` and `missing` are counts of operations; `title` is the document's."""

    __test__ = False  # pytest takes the name for a test class

    error: ShopError | None
    title: str = ""
    offered: int = 0
    missing: int = 0


class WelcomePort(Protocol):
    """What the welcome page and the connect dialog may do. Callbacks come in the GUI thread."""

    def test_connection(self, url: str, key: str, done: Callable[[TestResult], None]) -> None:
        """Ask the service once."""
        ...

    def connect(
        self, name: str, url: str, key: str, plan: str | None, done: Callable[[ShopError | None], None]
    ) -> None:
        """Keep the connection, its key in the keyring, and open it; `done` gets what went wrong, or None."""
        ...

    def open_demo(self) -> None:
        """Start the demo shop and open it."""
        ...

    def connections(self) -> Sequence[str]:
        """Names of the connections that exist."""
        ...

    def open_connection(self, name: str) -> None:
        """Open one of them."""
        ...


class AppPort(Protocol):
    """What concerns the whole program rather than one shop."""

    def preference(self, name: str) -> str:
        """`theme` ("system", "light", "dark") or `language` ("" is the system's, else a locale name)."""
        ...

    def set_preference(self, name: str, value: str) -> None:
        """Keep it; a theme is applied at once, a language at the next start."""
        ...

    def languages(self) -> Sequence[tuple[str, str]]:
        """Locale name and own name of each language that there is a translation for."""
        ...

    def diagnostics(self) -> str:
        """Versions, paths, counts and the last errors, redacted, as text to copy."""
        ...

    @property
    def welcome(self) -> WelcomePort:
        """For "Connect another shop"."""
        ...
