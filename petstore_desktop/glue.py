"""What the window asks for, carried out: the ports of `ui/ports.py` over a Session, the preferences and the keyring.

Nothing here blocks the caller: files are written by one thread of this module, and what takes longer runs through
`background`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast

from petstore_desktop import __version__, log, resources
from petstore_desktop.assembly import Session, keyring_name
from petstore_desktop.clock import Clock, unique
from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.errors import BadInput, ShopError, StorageError
from petstore_desktop.domain.records import JsonValue, Ref, Resource
from petstore_desktop.preferences import Places, Preferences, PreferenceStore, Theme
from petstore_desktop.ui.ports import ProfileFacts, TestResult

if TYPE_CHECKING:
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.sync.event_queue import EventQueue

T = TypeVar("T")


class Remembered:
    """The preferences at hand; each change is written by a thread of its own, the newest one last."""

    def __init__(self, store: PreferenceStore) -> None:
        self.now = store.load()
        self._store = store
        self._changed = threading.Condition()
        self._dirty = False
        self._writing = False
        self.error: ShopError | None = None

    @property
    def trouble(self) -> StorageError | None:
        """What is to be said of the file that was found at the start."""
        aside = self._store.set_aside
        return None if aside is None else StorageError("preferences-set-aside", path=str(aside))

    def update(self, change: Callable[[Preferences], Preferences]) -> None:
        """Change them, and have them written soon."""
        self.now = change(self.now)
        with self._changed:
            self._dirty = True
            if not self._writing:
                self._writing = True
                threading.Thread(target=self._write, name="preferences", daemon=True).start()

    def flush(self, timeout_s: float = 2.0) -> bool:
        """Wait until all is written; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._writing, timeout_s)

    def _write(self) -> None:
        while True:
            with self._changed:
                if not self._dirty:
                    self._writing = False
                    self._changed.notify_all()
                    return
                self._dirty = False
            try:
                self._store.save(self.now)
                self.error = None
            except ShopError as error:
                self.error = error


class ShopGlue:
    """ShopPort over a session and a desk. The commands are imported when something is asked for, which is after the
    first paint."""

    def __init__(self, session: Session, desk: Desk, remembered: Remembered) -> None:
        self._session = session
        self._remembered = remembered
        self.desk = desk
        profile = session.profile
        self.profile = ProfileFacts(profile.name, profile.url, profile.plan, profile.demo)
        self.data_folder = session.places.data
        self.log_folder = session.places.log.parent

    @property
    def clock(self) -> Clock:
        """The time, as the desk has it."""
        return self._session.clock

    @property
    def events(self) -> EventQueue:
        """What the sync thread tells."""
        return self._session.events

    def apply(self, changes: tuple[NewChange, ...]) -> str:
        """Save these acts as one batch, then send them."""
        from petstore_desktop.sync.commands import Apply

        batch = unique()
        self._session.submit(Apply(self._session.name, batch, changes))
        return batch

    def discard(self, change_ids: tuple[int, ...]) -> None:
        """Take back what is not sent."""
        from petstore_desktop.sync.commands import Discard

        self._session.submit(Discard(self._session.name, change_ids))

    def retry(self, change_ids: tuple[int, ...]) -> None:
        """Send again."""
        from petstore_desktop.sync.commands import Retry

        self._session.submit(Retry(self._session.name, change_ids))

    def refresh(self, resources: tuple[Resource, ...], by_person: bool) -> None:
        """Read lists anew."""
        from petstore_desktop.sync.commands import Refresh

        self._session.submit(Refresh(self._session.name, resources, by_person))

    def check_live(self, ref: Ref) -> None:
        """Read one record now."""
        from petstore_desktop.sync.commands import CheckLive

        self._session.submit(CheckLive(self._session.name, ref))

    def cancel_load(self, resource: Resource) -> None:
        """Stop reading a list."""
        from petstore_desktop.sync.commands import CancelLoad

        self._session.submit(CancelLoad(self._session.name, resource))

    def use_key(self, key: str) -> None:
        """Use another key."""
        from petstore_desktop.sync.commands import UseKey

        log.keep_secret(key)
        self._session.submit(UseKey(self._session.name, key))

    def resume_now(self) -> None:
        """End the pause."""
        from petstore_desktop.sync.commands import ResumeNow

        self._session.submit(ResumeNow(self._session.name))

    def window_state(self) -> Mapping[str, object]:
        """What was kept for this connection's window."""
        state = self._remembered.now.window.get(self._session.name)
        return cast("Mapping[str, object]", state) if isinstance(state, dict) else {}

    def save_window_state(self, state: Mapping[str, object]) -> None:
        """Keep it; the window promises plain JSON values."""
        own = cast("JsonValue", dict(state))
        name = self._session.name
        self._remembered.update(lambda now: replace(now, window={**now.window, name: own}))


class AppGlue:
    """AppPort: what concerns the whole program."""

    def __init__(
        self, places: Places, remembered: Remembered, welcome: WelcomeGlue, apply_theme: Callable[[Theme], None]
    ) -> None:
        self._places = places
        self._remembered = remembered
        self._apply_theme = apply_theme
        self.welcome = welcome

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

    def diagnostics(self) -> str:
        """Versions and places, redacted, as text to copy."""
        import platform
        from importlib.metadata import PackageNotFoundError, version

        lines = [f"Pet Store Desktop {__version__}", f"Python {platform.python_version()}", platform.platform()]
        for package in ("PySide6-Essentials", "httpx", "pydantic", "keyring", "apsw"):
            try:
                lines.append(f"{package} {version(package)}")
            except PackageNotFoundError:
                lines.append(f"{package} not found")
        lines.append(f"data: {self._places.data}")
        return log.redact("\n".join(lines))


class WelcomeGlue:
    """WelcomePort: making and opening connections. `open_` opens one by its slug in the window, with a
    key that no keyring took and the reason for that, if so."""

    def __init__(
        self,
        places: Places,
        remembered: Remembered,
        clock: Clock,
        background: Callable[[Callable[[], object], Callable[[object], None]], None],
        open_: Callable[[str, str | None, ShopError | None], None],
        open_demo: Callable[[], None],
    ) -> None:
        self._places = places
        self._remembered = remembered
        self._clock = clock
        self._background = background
        self._open = open_
        self._open_demo = open_demo

    def test_connection(self, url: str, key: str, done: Callable[[TestResult], None]) -> None:
        """Ask the service once."""
        log.keep_secret(key)

        def work() -> object:
            from petstore_desktop.reachability import ask

            found = ask(self._places, url, key, self._clock)
            return TestResult(found.error, found.title, found.offered, found.missing)

        self._background(work, lambda result: done(cast("TestResult", result)))

    def connect(
        self, name: str, url: str, key: str, plan: str | None, done: Callable[[ShopError | None], None]
    ) -> None:
        """Keep the connection, its key in the keyring, and open it."""
        log.keep_secret(key)

        def work() -> object:
            from petstore_desktop import credentials
            from petstore_desktop.profiles import with_connection

            try:
                changed, profile = with_connection(self._remembered.now, name, url, plan)
                known = self._remembered.now.profile(name.strip())
                if known is not None and known.url != profile.url:
                    # What waits there for one service must never go to another.
                    raise BadInput("name-taken", name=known.name)
            except ShopError as error:
                return error
            try:
                credentials.keep(keyring_name(profile), key)
            except ShopError as error:
                return changed, profile.slug, key, error  # the key stays in memory, and the window says so
            return changed, profile.slug, None, None

        def kept(result: object) -> None:
            if isinstance(result, ShopError):
                done(result)
                return
            changed, slug, held, error = cast("tuple[Preferences, str, str | None, ShopError | None]", result)
            self._remembered.update(lambda _: changed)
            done(None)
            self._open(slug, held, error)

        self._background(work, kept)

    def open_demo(self) -> None:
        """Start the demo shop and open it."""
        self._open_demo()

    def connections(self) -> Sequence[str]:
        """Names of the connections that exist."""
        return [profile.name for profile in self._remembered.now.profiles]

    def open_connection(self, name: str) -> None:
        """Open one of them."""
        profile = self._remembered.now.profile(name)
        if profile is not None:
            self._open(profile.slug, None, None)
