"""What the window asks of the rest of the program. The composition root hands in objects of these shapes.

Data flow one way: events come through `ShopPort.events` and the bridge into the desk; what a person does leaves through
the port's methods. None of them blocks: each returns at once, and its outcome comes as an event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from petstore_desktop.preferences import Profile

if TYPE_CHECKING:
    from petstore_desktop.contract.survey import Survey
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.reduce import Event
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.checks import Check, CheckReport
    from petstore_desktop.domain.decisions import Decided
    from petstore_desktop.domain.history import ChangeFilter
    from petstore_desktop.domain.quota import Plan
    from petstore_desktop.domain.records import Ref, Resource
    from petstore_desktop.ui.context.ports_files import FilesPort
    from petstore_desktop.ui.context.ports_views import ViewsPort

WindowState: TypeAlias = Mapping[str, object]
"""Geometry, tab, columns, sort and filter, as plain JSON values; the window alone knows the keys."""

Steer: TypeAlias = Literal["pause", "resume", "cancel", "first"]
"""What a person does to a job."""


class EventSource(Protocol):
    """Where events of the sync thread wait. `on_wake` is called from that thread when the first one arrives; once it is
    set to something else, nobody is in the middle of the old one."""

    @property
    def on_wake(self) -> Callable[[], None] | None:
        """Who is woken."""
        ...

    @on_wake.setter
    def on_wake(self, wake: Callable[[], None] | None) -> None: ...

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

    def apply(self, changes: tuple[NewChange, ...], source: str = "") -> str:
        """Save these acts as one batch, then send them; returns the batch's id. `saved` is said by an event. `source`:
        what made it (see `Batch`)."""
        ...

    def price(self, token: str, changes: tuple[NewChange, ...]) -> None:
        """Ask what these acts would cost; the answer is an event with this token."""
        ...

    def discard(self, change_ids: tuple[int, ...]) -> str:
        """Take back what is not sent; returns the id of the decision, for `take_back`."""
        ...

    def retry(self, change_ids: tuple[int, ...]) -> None:
        """Send refused, conflicting or uncertain changes again."""
        ...

    def decide(self, choices: tuple[Decided, ...]) -> str:
        """Carry out what a person decided about stuck changes, as one decision; returns its id, for `take_back`."""
        ...

    def take_back(self, decision: str, ids: tuple[int, ...] = ()) -> None:
        """Bring back a decision; what was sent of it since is undone, which is told as Undone. With `ids` only what was
        decided about these changes, as far as it is not sent."""
        ...

    def keep_draft(self, form: str, content: Mapping[str, str] | None) -> None:
        """Keep what is half filled in a form; None: the form is done with."""
        ...

    def undo_batch(self, batch: str, ids: tuple[int, ...] = ()) -> None:
        """Take back a batch, or these changes of it, sent or not; what came of it is told as Undone."""
        ...

    def redo_batch(self, batch: str) -> None:
        """Do again what an undo took back; `batch`: the undone one, or its undo."""
        ...

    def price_undo(self, token: str, batch: str, ids: tuple[int, ...] = ()) -> None:
        """Ask what an undo would cost; the answer is an event with this token."""
        ...

    def steer_batch(self, batch: str, how: Steer) -> str:
        """Pause, resume or cancel a job, or have it sent before all others; returns of a cancel the id of the decision,
        for `take_back`."""
        ...

    def read_changes(
        self, token: str, wanted: ChangeFilter, before: int | None = None, limit: int = 100, apart: bool = False
    ) -> None:
        """Ask for lines of the journal; told as ChangesRead, and from the newest on as ChangesCounted. `limit` 0 only
        counts."""
        ...

    def read_history(self, ref: Ref) -> None:
        """Ask what happened to a record; told as HistoryRead."""
        ...

    def export_changes(self, path: str, wanted: ChangeFilter, words: Mapping[str, str]) -> None:
        """Write all changes that fit to a file; told as ChangesExported."""
        ...

    def refresh(self, resources: tuple[Resource, ...]) -> None:
        """A person wants these lists read anew."""
        ...

    def watch(self, resources: tuple[Resource, ...], present: bool) -> None:
        """These lists are on the screen now, and somebody is there to see it, or not: they are kept fresh by that."""
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

    def use_plan(self, plan: Plan) -> None:
        """Reckon with this plan for as long as the shop is open; one without numbers is not known."""
        ...

    def resume_now(self) -> None:
        """End the pause, on a person's word."""
        ...

    @property
    def bindings(self) -> Mapping[str, object]:
        """What a person bound by hand: `pets.list` to `GET /animals`."""
        ...

    def read_operations(self) -> Survey:
        """How each operation was found in the service's document. Blocks: not for the GUI thread."""
        ...

    def bind_operations(self, bindings: Mapping[str, str]) -> None:
        """Keep these bindings in the place of all earlier ones, and follow them; told as ContractRead."""
        ...

    @property
    def views(self) -> ViewsPort:
        """Minimum stock, what changed today, and files of views."""
        ...

    def check(self, tell: Callable[[Check], None], done: Callable[[CheckReport], None]) -> Callable[[], None]:
        """Check the connection, with at most six requests, all of them reads; `tell` hears each part, and `done` gets
        the whole, in the GUI thread. Returns what stops it."""
        ...

    def window_state(self) -> WindowState:
        """What `save_window_state` kept; empty at first."""
        ...

    def save_window_state(self, state: WindowState) -> None:
        """Keep this for the next start."""
        ...
