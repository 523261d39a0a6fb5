"""What the window asks of the rest of the program. The composition root hands in objects of these shapes.

Data flow one way: events come through `ShopPort.events` and the bridge into the desk; what a person does leaves through
`ShopPort.submit`, as a command. Nothing here blocks: each method returns at once, and its outcome comes as an event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from petstore_desktop.preferences import Profile

if TYPE_CHECKING:
    from petstore_desktop.contract.survey import Survey
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.reduce import Event
    from petstore_desktop.domain.checks import Check, CheckReport
    from petstore_desktop.domain.commands import Command
    from petstore_desktop.domain.quota import Plan
    from petstore_desktop.ui.context.ports_files import FilesPort
    from petstore_desktop.ui.context.ports_views import PastPort, ViewsPort

WindowState: TypeAlias = Mapping[str, object]
"""Geometry, tab, columns, sort and filter, as plain JSON values; the window alone knows the keys."""


class EventSource(Protocol):
    """Where events of the sync thread wait. `on_wake` is called from that thread when the first one arrives; once it is
    set to something else, no call of the old one is under way."""

    @property
    def on_wake(self) -> Callable[[], None] | None:
        """Who is woken."""
        ...

    @on_wake.setter
    def on_wake(self, wake: Callable[[], None] | None) -> None: ...

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        ...

    @property
    def has_urgent(self) -> bool:
        """Whether something waits that somebody may wait for."""
        ...

    def drain(self, budget_s: float) -> Iterable[Event]:
        """Events that waited, oldest first, one by one; after `budget_s` seconds the rest stays and wakes again."""
        ...


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
    def files(self) -> FilesPort:
        """Files of rows."""
        ...

    @property
    def profile(self) -> Profile:
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

    def submit(self, command: Command) -> None:
        """Hand over what is asked; what comes of it is told as events."""
        ...

    def use_plan(self, plan: Plan) -> None:
        """Reckon with this plan for as long as the shop is open; one without numbers is not known."""
        ...

    @property
    def bindings(self) -> Mapping[str, object]:
        """What a person bound by hand: `pets.list` to `GET /animals`."""
        ...

    def read_operations(self) -> Survey:
        """How each operation was found in the service's document. Blocks: not for the GUI thread."""
        ...

    def try_bindings(self, bindings: Mapping[str, str]) -> Survey | None:
        """How each operation would be found with these bindings; None where that is not known before the service is
        asked. Blocks: not for the GUI thread. Raises ShopError."""
        ...

    def bind_operations(self, bindings: Mapping[str, str]) -> None:
        """Keep these bindings in the place of all earlier ones, and follow them; told as ContractRead."""
        ...

    @property
    def views(self) -> ViewsPort:
        """Minimum stock, what changed today, and files of views."""
        ...

    @property
    def past(self) -> PastPort:
        """The history: changes that answers showed, and totals of each day."""
        ...

    def check(self, tell: Callable[[Check], None], done: Callable[[CheckReport], None]) -> Callable[[], None]:
        """Check the connection, with few requests, all of them reads; `tell` hears each part, and `done` gets
        the whole, in the GUI thread. Returns what stops it."""
        ...

    def window_state(self) -> WindowState:
        """What `save_window_state` kept; empty at first."""
        ...

    def save_window_state(self, state: WindowState) -> None:
        """Keep this for the next start."""
        ...
