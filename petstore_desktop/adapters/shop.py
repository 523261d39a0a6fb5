"""What the window asks for, carried out: `ui/context/ports.py` over a Session, the preferences and the keyring.

Nothing here blocks the caller: files are written by one thread of this module, and what takes longer runs through
`background`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop import __version__, resources
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.commands import BindOperations, UsePlan
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import Plan
from petstore_desktop.domain.records import JsonValue
from petstore_desktop.preferences import Profile, Remembered, Theme
from petstore_desktop.session.session import Session, service_address

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from petstore_desktop.adapters.files import FilesGlue
    from petstore_desktop.adapters.updates import Updates
    from petstore_desktop.adapters.views import ViewsGlue
    from petstore_desktop.clock import Clock
    from petstore_desktop.domain.checks import Check, CheckReport
    from petstore_desktop.domain.records import Key, Ref, Resource
    from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span
    from petstore_desktop.store.history.reader import PastReader
    from petstore_desktop.sync.wire.event_queue import EventQueue
    from petstore_desktop.ui.context.ports_shops import ShopsPort, WelcomePort
    from petstore_desktop.ui.context.ports_views import PastPort

T = TypeVar("T")


class ShopGlue:
    """ShopPort over a session and a desk."""

    def __init__(self, session: Session, desk: Desk, remembered: Remembered) -> None:
        self._session = session
        self._remembered = remembered
        self.desk = desk
        self.submit = session.submit
        self._views: ViewsGlue | None = None
        self._past: PastPort | None = None
        self.read_operations = session.survey
        self.try_bindings = session.survey_with
        self.profile = session.profile
        self.bindings = session.profile.by_hand
        self.data_folder = session.places.data
        self.log_folder = session.places.log.parent

    @property
    def events(self) -> EventQueue:
        """What the sync thread tells."""
        return self._session.events

    @property
    def files(self) -> FilesGlue:
        """Files of rows."""
        from petstore_desktop.adapters.files import FilesGlue

        return FilesGlue()

    def use_plan(self, plan: Plan) -> None:
        """Reckon with this plan, as long as the shop is open."""
        limits = {"per_minute": plan.per_minute, "per_day": plan.per_day}
        self.profile = replace(self.profile, plan=plan.name or None, **limits)
        self.submit(UsePlan(plan if any(limits.values()) else None))

    def bind_operations(self, bindings: Mapping[str, str]) -> None:
        """Keep these bindings, as long as the shop is open where it is not kept itself, and follow them."""
        from petstore_desktop.session.profiles import with_bindings

        self._remembered.update(lambda now: with_bindings(now, self._session.name, bindings))
        self.submit(BindOperations(bindings))

    @property
    def views(self) -> ViewsGlue:
        """Data kept beside the service's records: views, minimums, codes, drafts."""
        if self._views is None:
            from petstore_desktop.adapters.views import ViewsGlue

            places, profile = self._session.places, self._session.profile
            address = service_address(profile)
            own = (places.minimums(profile.slug, address), places.codes(profile.slug, address))
            self._views = ViewsGlue(*own, places.mirror(profile.slug), address)
        return self._views

    @property
    def past(self) -> PastPort:
        """The history: changes that answers showed, and totals of each day."""
        if self._past is None:
            profile = self._session.profile
            self._past = PastGlue(self._session.places.history(profile.slug), service_address(profile))
        return self._past

    def check(self, tell: Callable[[Check], None], done: Callable[[CheckReport], None]) -> Callable[[], None]:
        """Check the connection."""
        from petstore_desktop.adapters.checks import check_open

        return check_open(self._session, tell, done)

    def window_state(self) -> Mapping[str, object]:
        """The stored window state of this connection."""
        return window_state(self._remembered, self._session.name)

    def save_window_state(self, state: Mapping[str, object]) -> None:
        """Keep it; the window promises plain JSON values."""
        own = cast("JsonValue", dict(state))
        name = self._session.name
        self._remembered.update(lambda now: replace(now, window={**now.window, name: own}))


def window_state(remembered: Remembered, connection: str) -> Mapping[str, object]:
    """The stored window state of a connection."""
    state = remembered.now.window.get(connection)
    return cast("Mapping[str, object]", state) if isinstance(state, dict) else {}


class PastGlue:
    """PastPort: each question is answered in a thread of its own. `history` is the connection's file, `address` the
    service's. To be made in the window's thread."""

    def __init__(self, history: Path, address: str | None = None) -> None:
        from petstore_desktop.ui.base.background import Background

        self._history, self._address = history, address
        self._background = Background()

    def span(self, done: Callable[[Span | ShopError], None]) -> None:
        """See PastPort."""
        self._ask(lambda reader: reader.span(), done)

    def changes_between(
        self, then: float, now: float, done: Callable[[Sequence[SeenChange] | ShopError], None]
    ) -> None:
        """See PastPort."""
        self._ask(lambda reader: reader.changes_between(then, now), done)

    def changes_of(self, ref: Ref, done: Callable[[Sequence[SeenChange] | ShopError], None]) -> None:
        """See PastPort."""
        self._ask(lambda reader: reader.changes_of(ref), done)

    def totals(self, first: date, last: date, done: Callable[[Sequence[DayTotals] | ShopError], None]) -> None:
        """See PastPort."""
        self._ask(lambda reader: reader.totals(first, last), done)

    def units_gone(self, since: float, done: Callable[[Mapping[Key, int] | ShopError], None]) -> None:
        """See PastPort."""
        self._ask(lambda reader: reader.units_gone(since), done)

    def _ask(self, question: Callable[[PastReader], T], done: Callable[[T | ShopError], None]) -> None:
        def work() -> T:
            from contextlib import closing

            from petstore_desktop.store.history.reader import PastReader

            with closing(PastReader(self._history, self._address)) as reader:
                return question(reader)

        self._background.attempt(work, done)


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
        return OpenShop(session, desk, ShopGlue(session, desk, self._remembered), self.child)


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


def keep_key(places: Places, profile: Profile, key: str, further: Mapping[str, str]) -> ShopError | None:
    """Put the keys into the keyring; why that was not possible. Where a service wants none, no keyring is missed."""
    if not key:
        return None
    from petstore_desktop.session.keys import keep_keys

    try:
        keep_keys(places, profile, key, further)
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
