"""What the window asks for, carried out: `ui/context/ports.py` over a Session, the preferences and the keyring.

Nothing here blocks the caller: files are written by one thread of this module, and what takes longer runs through
`background`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from petstore_desktop import __version__, log, resources
from petstore_desktop.clock import unique
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import Plan
from petstore_desktop.domain.records import JsonValue, Ref, Resource
from petstore_desktop.preferences import Profile, Remembered, Theme
from petstore_desktop.session.session import Session, keyring_name, service_address

if TYPE_CHECKING:
    from pathlib import Path

    from petstore_desktop.adapters.files import FilesGlue
    from petstore_desktop.adapters.views import ViewsGlue
    from petstore_desktop.contract.survey import Survey
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.checks import Check, CheckReport
    from petstore_desktop.domain.decisions import Decided
    from petstore_desktop.domain.history import ChangeFilter
    from petstore_desktop.sync.wire.event_queue import EventQueue
    from petstore_desktop.ui.context.ports import Steer
    from petstore_desktop.ui.context.ports_shops import ShopsPort, WelcomePort

T = TypeVar("T")


class ShopGlue:
    """ShopPort over a session and a desk. The commands are imported when something is asked for, which is after the
    first paint."""

    def __init__(self, session: Session, desk: Desk, remembered: Remembered) -> None:
        self._session = session
        self._remembered = remembered
        self.desk = desk
        self._views: ViewsGlue | None = None
        self.profile = session.profile
        self.data_folder = session.places.data
        self.log_folder = session.places.log.parent

    @property
    def files(self) -> FilesGlue:
        """Files of rows."""
        from petstore_desktop.adapters.files import FilesGlue

        return FilesGlue()

    @property
    def events(self) -> EventQueue:
        """What the sync thread tells."""
        return self._session.events

    def apply(self, changes: tuple[NewChange, ...], source: str = "") -> str:
        """Save these acts as one batch, then send them. `source`: what made it (see `Batch`)."""
        from petstore_desktop.sync.wire.commands import Apply

        batch = unique()
        self._session.submit(Apply(self._session.name, batch, changes, source))
        return batch

    def price(self, token: str, changes: tuple[NewChange, ...]) -> None:
        """Ask what these acts would cost."""
        from petstore_desktop.sync.wire.commands import PriceBatch

        self._session.submit(PriceBatch(self._session.name, token, changes))

    def discard(self, change_ids: tuple[int, ...]) -> str:
        """Discard unsent changes; returns the id of the decision."""
        from petstore_desktop.sync.wire.commands import Discard

        decision = unique()
        self._session.submit(Discard(self._session.name, change_ids, decision))
        return decision

    def retry(self, change_ids: tuple[int, ...]) -> None:
        """Send again."""
        from petstore_desktop.sync.wire.commands import Retry

        self._session.submit(Retry(self._session.name, change_ids))

    def decide(self, choices: tuple[Decided, ...]) -> str:
        """Carry out what a person decided about stuck changes; the id of the decision."""
        from petstore_desktop.sync.wire.commands import Decide

        decision = unique()
        self._session.submit(Decide(self._session.name, decision, choices))
        return decision

    def take_back(self, decision: str, ids: tuple[int, ...] = ()) -> None:
        """Bring back a decision, or some of it."""
        from petstore_desktop.sync.wire.commands import TakeBack

        self._session.submit(TakeBack(self._session.name, decision, ids))

    def keep_draft(self, form: str, content: Mapping[str, str] | None) -> None:
        """Store the draft of a form."""
        from petstore_desktop.sync.wire.commands import KeepDraft

        self._session.submit(KeepDraft(self._session.name, form, content))

    def undo_batch(self, batch: str, ids: tuple[int, ...] = ()) -> None:
        """Take back a batch, or some of it."""
        from petstore_desktop.sync.wire.commands import Undo

        self._session.submit(Undo(self._session.name, batch, ids))

    def redo_batch(self, batch: str) -> None:
        """Redo an undone batch."""
        from petstore_desktop.sync.wire.commands import Redo

        self._session.submit(Redo(self._session.name, batch))

    def price_undo(self, token: str, batch: str, ids: tuple[int, ...] = ()) -> None:
        """Ask what an undo would cost."""
        from petstore_desktop.sync.wire.commands import PriceUndo

        self._session.submit(PriceUndo(self._session.name, token, batch, ids))

    def steer_batch(self, batch: str, how: Steer) -> str:
        """Pause, resume, cancel a job, or have it sent first; of a cancel the id of the decision."""
        from petstore_desktop.sync.wire.commands import CancelBatch, PauseBatch, ResumeBatch, SendFirst

        if how == "cancel":
            decision = unique()
            self._session.submit(CancelBatch(self._session.name, batch, decision))
            return decision
        command = {"pause": PauseBatch, "resume": ResumeBatch, "first": SendFirst}[how]
        self._session.submit(command(self._session.name, batch))
        return ""

    def read_changes(
        self, token: str, wanted: ChangeFilter, before: int | None = None, limit: int = 100, apart: bool = False
    ) -> None:
        """Ask for lines of the journal."""
        from petstore_desktop.sync.wire.commands import ReadChanges

        self._session.submit(ReadChanges(self._session.name, token, wanted, before, limit, apart))

    def read_history(self, ref: Ref) -> None:
        """Ask what happened to a record."""
        from petstore_desktop.sync.wire.commands import ReadHistory

        self._session.submit(ReadHistory(self._session.name, ref))

    def export_changes(self, path: str, wanted: ChangeFilter, words: Mapping[str, str]) -> None:
        """Write changes to a file."""
        from petstore_desktop.sync.wire.commands import ExportChanges

        self._session.submit(ExportChanges(self._session.name, path, wanted, words))

    def refresh(self, resources: tuple[Resource, ...]) -> None:
        """A person wants these lists read anew."""
        from petstore_desktop.sync.wire.commands import Refresh

        self._session.submit(Refresh(self._session.name, resources))

    def watch(self, resources: tuple[Resource, ...], present: bool) -> None:
        """Tell the session what the screen shows."""
        from petstore_desktop.sync.wire.commands import Watch

        self._session.submit(Watch(self._session.name, resources, present))

    def check_live(self, ref: Ref) -> None:
        """Read one record now."""
        from petstore_desktop.sync.wire.commands import CheckLive

        self._session.submit(CheckLive(self._session.name, ref))

    def cancel_load(self, resource: Resource) -> None:
        """Stop reading a list."""
        from petstore_desktop.sync.wire.commands import CancelLoad

        self._session.submit(CancelLoad(self._session.name, resource))

    def use_key(self, key: str) -> None:
        """Use another key."""
        from petstore_desktop.sync.wire.commands import UseKey

        self._session.submit(UseKey(self._session.name, key))

    def use_plan(self, plan: Plan) -> None:
        """Reckon with this plan, as long as the shop is open."""
        from petstore_desktop.sync.wire.commands import UsePlan

        limits = {"per_minute": plan.per_minute, "per_day": plan.per_day}
        self.profile = replace(self.profile, plan=plan.name or None, **limits)
        self._session.submit(UsePlan(self._session.name, plan if any(limits.values()) else None))

    def resume_now(self) -> None:
        """End the pause."""
        from petstore_desktop.sync.wire.commands import ResumeNow

        self._session.submit(ResumeNow(self._session.name))

    @property
    def bindings(self) -> Mapping[str, object]:
        """What a person bound by hand."""
        return self._session.profile.bindings

    def read_operations(self) -> Survey:
        """How each operation was found; blocks."""
        return self._session.survey()

    def bind_operations(self, bindings: Mapping[str, str]) -> None:
        """Keep these bindings, as long as the shop is open where it is not kept itself, and follow them."""
        from petstore_desktop.session.profiles import with_bindings
        from petstore_desktop.sync.wire.commands import BindOperations

        self._remembered.update(lambda now: with_bindings(now, self._session.name, bindings))
        self._session.submit(BindOperations(self._session.name, bindings))

    @property
    def views(self) -> ViewsGlue:
        """Data kept beside the service's records: views, minimums, drafts."""
        if self._views is None:
            from petstore_desktop.adapters.views import ViewsGlue

            places, profile = self._session.places, self._session.profile
            address = service_address(profile)
            self._views = ViewsGlue(places.minimums(profile.slug, address), places.mirror(profile.slug), address)
        return self._views

    def check(self, tell: Callable[[Check], None], done: Callable[[CheckReport], None]) -> Callable[[], None]:
        """Check the connection."""
        from petstore_desktop.adapters.checks import check_open

        return check_open(self._session, tell, done)

    def window_state(self) -> Mapping[str, object]:
        """The stored window state of this connection."""
        state = self._remembered.now.window.get(self._session.name)
        return cast("Mapping[str, object]", state) if isinstance(state, dict) else {}

    def save_window_state(self, state: Mapping[str, object]) -> None:
        """Keep it; the window promises plain JSON values."""
        own = cast("JsonValue", dict(state))
        name = self._session.name
        self._remembered.update(lambda now: replace(now, window={**now.window, name: own}))


class Child(Protocol):
    """A process that lives as long as its shop is open."""

    def stop(self) -> None:
        """End it."""
        ...


@dataclass(slots=True, eq=False)
class OpenShop:
    """A connection at work: its session, what a screen shows of it, and the demo shop's process, if it is that. It
    needs no window."""

    session: Session
    desk: Desk
    glue: ShopGlue
    child: Child | None = None

    @property
    def folder(self) -> Path:
        """Where its files lie: two sessions there would be in each other's way."""
        return self.session.places.connection(self.session.name)

    @property
    def going(self) -> int:
        """How many changes would go out by themselves, if the service lets them."""
        if self.session.profile.read_only:
            return 0
        outbox = self.desk.outbox
        return outbox.unsent - sum(job.left for job in outbox.jobs() if job.paused)

    def close(self) -> None:
        """Stop it; waits for some seconds at most."""
        self.session.close()
        if self.child is not None:
            self.child.stop()


class AppGlue:
    """AppPort: what concerns the whole program. `welcome` and `shops` are made when they are first asked for."""

    def __init__(
        self,
        places: Places,
        remembered: Remembered,
        apply_theme: Callable[[Theme], None],
        welcome: Callable[[], WelcomePort],
        shops: Callable[[], ShopsPort],
    ) -> None:
        self._welcome, self._shops = welcome, shops
        self._places = places
        self._remembered = remembered
        self._apply_theme = apply_theme

    def preference(self, name: str) -> str:
        """A setting as text; "" for none."""
        now = self._remembered.now
        if name == "theme":
            return now.theme
        if name == "language":
            return now.language or ""
        value = now.unknown.get(name)
        return value if isinstance(value, str) else ""

    def set_preference(self, name: str, value: str) -> None:
        """Keep it; a theme is applied at once."""
        if name == "theme" and value in ("system", "light", "dark"):
            theme: Theme = value
            self._remembered.update(lambda now: replace(now, theme=theme))
            self._apply_theme(theme)
        elif name == "language":
            self._remembered.update(lambda now: replace(now, language=value or None))
        else:
            self._remembered.update(lambda now: replace(now, unknown={**now.unknown, name: value}))

    def languages(self) -> Sequence[tuple[str, str]]:
        """Locale name and own name of each translation that ships."""
        folder = resources.root() / "translations"
        return [(file.stem.partition("_")[2], file.stem) for file in sorted(folder.glob("petstore_*.qm"))]

    @property
    def welcome(self) -> WelcomePort:
        """Making connections."""
        return self._welcome()

    @property
    def shops(self) -> ShopsPort:
        """All connections."""
        return self._shops()

    def diagnostics(self) -> str:
        """Versions and places, redacted, as text to copy."""

        return diagnostics(self._places)


def keep_key(profile: Profile, key: str) -> ShopError | None:
    """Put the key into the keyring; why that was not possible. Where a service wants none, no keyring is missed."""
    if not key:
        return None
    from petstore_desktop import credentials

    try:
        credentials.keep(keyring_name(profile), key)
    except ShopError as error:
        return error
    return None


def diagnostics(places: Places) -> str:
    """Versions and places, redacted."""
    import platform  # late, as what follows: only a person who looks for help needs it
    from importlib.metadata import PackageNotFoundError, version

    lines = [f"Pet Store Desktop {__version__}", f"Python {platform.python_version()}", platform.platform()]
    for package in ("PySide6-Essentials", "httpx", "pydantic", "keyring", "apsw"):
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package} not found")
    lines.append(f"data: {places.data}")
    return log.redact_sentence("\n".join(lines))
