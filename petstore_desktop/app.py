"""The composition root of the window: one QApplication, one window with one shop in it, or the welcome page.

Other shops may be at work (`in_background`). Another shop comes into the place of the one that is shown as
soon as its first rows are read from the disk, in another thread: a new window in the place of the old one, which waits
neither for the network nor for the end of anything. The shop that leaves goes on sending by itself.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop import __version__
from petstore_desktop.clock import Clock, SystemClock
from petstore_desktop.data_folder import Places, data_directory, upgrade
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import JsonValue
from petstore_desktop.instance import Message, hold
from petstore_desktop.platform_support import clean_environment, has_screen, make_private_directory
from petstore_desktop.preferences import PreferenceStore, Remembered, ShopConnection
from petstore_desktop.threads import wait_for_writers

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from petstore_desktop.adapters.background_shops import BackgroundShops
    from petstore_desktop.adapters.shop import Opening, OpenShop
    from petstore_desktop.adapters.shops import Shops
    from petstore_desktop.adapters.welcome import WelcomeGlue
    from petstore_desktop.demo.child import DemoChild
    from petstore_desktop.session.session import Session
    from petstore_desktop.shop.background import Background
    from petstore_desktop.ui.connection.welcome import WelcomePage
    from petstore_desktop.ui.window.main_window import MainWindow

DEMO_SLUG = "demo"
FIRST_ROWS = 100
"""Rows that the GUI thread reads itself, so that the first paint holds data; the rest streams in."""
SWITCH_S = 0.000_5
"""Seconds after which a thread that computes lets the window have its turn; Python's own 5 ms are a visible halt."""


class Start(Struct, frozen=True):
    """How the program is to start. `demo_options` are those of the command `demo-shop`."""

    data_dir: str | None = None
    connection: str | None = None
    demo: bool = False
    demo_options: tuple[str, ...] = ()
    update_check: bool = True

    def places(self) -> Places:
        """Where this start keeps everything."""
        return Places(data_directory(self.data_dir))

    def wish(self) -> dict[str, JsonValue]:
        """What a program that runs already is asked to show; empty where nothing was named."""
        if self.demo:
            return {"do": "show", "demo": True}
        return {} if self.connection is None else {"do": "show", "connection": self.connection}


def run(start: Start) -> int:
    """Open the window and stay until it is closed; the exit code. Raises ShopError for what no window can say."""
    program = Program(start)
    try:
        return program.stay()
    finally:
        program.close()


def make_application() -> QApplication:
    """The one QApplication of this process, offscreen where there is no screen."""
    if not has_screen():
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    import_plainly()
    application = QApplication.instance() or QApplication([sys.argv[0]])
    assert isinstance(application, QApplication)
    application.setApplicationName("petstore-desktop")
    application.setApplicationVersion(__version__)
    application.setApplicationDisplayName("Pet Store Desktop")
    application.setDesktopFileName("petstore-desktop")
    return application


def import_plainly() -> None:
    """Take out the import hook that Qt for Python has put in: of every module that is loaded after it, it reads and
    searches the source for a switch (`from __feature__ import`) that nothing here uses. That is 15 ms of a start."""
    plain = getattr(builtins, "__orig_import__", None)
    if plain is not None:
        builtins.__import__ = plain


class Program:
    """Everything that lives as long as the process does."""

    def __init__(self, start: Start, clock: Clock | None = None) -> None:
        self.start = start
        self.clock = clock or SystemClock()
        self.places = start.places()
        self._instance = hold(self.places.data, start.wish())
        self.application = make_application()
        from petstore_desktop.adapters.shop import AppGlue
        from petstore_desktop.ui.base.qt_setup import end_on_signals
        from petstore_desktop.ui.base.theme import ThemeController
        from petstore_desktop.ui.text.translate import speak

        self._let_go_of_signals = end_on_signals(self.application, self._end)
        self.remembered = Remembered(PreferenceStore(self.places.preferences))
        speak(self.application, self.remembered.now.language)
        now = self.remembered.now
        self.theme = ThemeController(self.application, now.theme, contrast=now.text("contrast"))
        ports = (lambda: self._welcome_port, lambda: self.shops)
        asking = self.clock if start.update_check else None
        self._app = AppGlue(self.places, self.remembered, self._look, *ports, asking)
        self._started_for = ("", "")  # slug and address
        self._demo_options = start.demo_options
        self.shown: OpenShop | None = None
        self.window: MainWindow | None = None
        self.welcome: WelcomePage | None = None
        self._showing_error = False

    @property
    def session(self) -> Session | None:
        """The running parts of the shop in the window."""
        return None if self.shown is None else self.shown.session

    @property
    def child(self) -> DemoChild | None:
        """The demo shop's process, if that is in the window."""
        return None if self.shown is None else cast("DemoChild | None", self.shown.child)

    @cached_property
    def _welcome_port(self) -> WelcomeGlue:
        from petstore_desktop.adapters.welcome import WelcomeGlue

        ways = (self._open_slug, self.open_demo, lambda: self.in_background.registry)
        return WelcomeGlue(self.places, self.remembered, self.clock, self._background, *ways)

    @cached_property
    def in_background(self) -> BackgroundShops:
        """The shops beside the one in the window; made after the first paint."""
        from petstore_desktop.adapters.background_shops import BackgroundShops

        return BackgroundShops(self.clock, self._background, self._opening_aside, self.is_shown)

    @cached_property
    def shops(self) -> Shops:
        """What the window sees of all shops."""
        from petstore_desktop.adapters.shops import Shops

        return Shops(self, self.in_background, self._background)

    @cached_property
    def _background(self) -> Background:
        """Work in other threads, and calls from there; made in this one, right after the first paint."""
        from petstore_desktop.shop.background import Background

        return Background(self.application)

    # -- opening

    def stay(self) -> int:
        """Open what was asked for, and stay until it is closed; the exit code. Raises BadInput."""
        self.open()
        return self.application.exec()

    def open(self) -> None:
        """Open the requested shop: the demo shop, a connection, the last one, or the welcome page. Raises BadInput."""
        now, name = self.remembered.now, self.start.connection
        connection = now.of_slug(now.last_connection or "") if name is None else now.connection(name)
        if self.start.demo:
            self.enter_demo()
        elif connection is not None:
            self._started_for = connection.slug, connection.url
            self.show_instead(self.make(connection))
        elif name is not None:
            from petstore_desktop.session.connections import find

            find(now, name)  # raises, and names those like it
        else:
            self._open_welcome()
        # What the first paint need not wait for.
        self._after_first_paint(self._keep_log, self._listen, self._start_session, self._awaken)

    def _keep_log(self) -> None:
        from petstore_desktop import log
        from petstore_desktop.adapters.crash_reports import report_crashes
        from petstore_desktop.ui.base.qt_setup import log_qt_messages

        log.start(self.places.log.parent)
        _ = self._background  # other threads use it from here on
        log.catch_everything(self._unexpected)
        log_qt_messages()
        report_crashes(self.places.log.parent, self._background, self._tell_crash)

    def _tell_crash(self, reports: str, seen: Callable[[], object]) -> None:
        """That an earlier program did not end as it should: in a strip, so that nobody's work waits for it; where there
        is no list yet, in a dialog."""
        from petstore_desktop.ui.questions.error import CrashStrip, open_crash_reports

        look = partial(open_crash_reports, self.front, str(self.places.log.parent), reports, seen)
        if self.window is None:
            look()
        else:
            strip = CrashStrip(look, seen)
            self.window.place_banner(strip)
            strip.tell()

    def _listen(self) -> None:
        if self.shown is not None:
            _ = self.shown.session.events  # what they are made of takes its time to load
        from petstore_desktop.adapters.script_host import ScriptHost

        scripts = ScriptHost(lambda: (self.shown, *self.in_background.working()), self._background)

        def answer(request: Message) -> Message:
            if request.get("do") != "show":
                return scripts.answer(request)
            self._background.call(lambda: self._show_wish(request))
            return {}

        self._instance.listen(lambda: self._background.call(self._to_front), answer)
        self.theme.follow_motion(self.remembered.now.text("motion"), self._background)
        from petstore_desktop.ui.base.qt_setup import collect_only_here

        collect_only_here(self.application)

    def _start_session(self) -> None:
        sys.setswitchinterval(SWITCH_S)
        if self.shown is not None:
            self.in_background.start(self.shown)
        trouble = self.remembered.trouble
        if trouble is not None:
            self._show_error(trouble, str(trouble))

    def _awaken(self) -> None:
        """Start other shops that have unsent changes; the demo shop too."""
        connections = (
            self.remembered.now.connections if self.start.demo else (*self.remembered.now.connections, self._demo)
        )
        known = [(one, self.demo_places() if one.demo else self.places) for one in connections]
        others = [(one, places) for one, places in known if not self.is_shown(places.connection(one.slug))]
        if others:
            self.in_background.awaken(others)

    def _open_slug(self, slug: str, key: str | None, trouble: ShopError | None) -> None:
        """Open a connection that was just made or chosen; `key` and `trouble` where no keyring took the key."""
        if key is None:
            self.shops.open(slug)
        else:
            self.shops.reopen(slug, key, trouble)

    def open_demo(self) -> None:
        """Open the demo shop instead of the current one, which may be the demo shop itself."""
        self.shops.open_demo()

    def demo_places(self) -> Places:
        """Where the demo shop keeps everything."""
        return Places(self.places.data / "demo-shop")

    def enter_demo(self) -> OpenShop:
        """Show the demo shop."""
        opening = self._opening_demo(FIRST_ROWS)
        opening.read()
        shop = opening.shop()
        self.show_instead(shop)
        return shop

    @property
    def _demo(self) -> ShopConnection:
        plan = dict(zip(self.start.demo_options, self.start.demo_options[1:], strict=False)).get("--plan", "free")
        return ShopConnection("Demo shop", DEMO_SLUG, "http://127.0.0.1/v1", plan=plan, demo=True)

    def _opening_demo(self, rows: int) -> Opening:
        """Start the demo shop as a child; its address comes when it is there, the window does not wait for it."""
        from petstore_desktop.demo.child import DemoChild

        places = self.demo_places()
        make_private_directory(places.data)
        upgrade(places.data)
        child = DemoChild(places.data / "shop.db", self._demo_options, clean_environment())
        self._demo_options = tuple(one for one in self._demo_options if one != "--fresh")  # what is new stays
        opening = self.opening(self._demo, lambda: (child.ready()["url"], child.key), places, "demo", rows)
        opening.child = child
        return opening

    def _opening_aside(self, connection: ShopConnection) -> Opening:
        """Of a shop that has no window."""
        return self._opening_demo(0) if connection.demo else self.opening(connection, rows=0)

    def make(
        self,
        connection: ShopConnection,
        service: Callable[[], tuple[str, str]] | None = None,
        places: Places | None = None,
        origin: str | None = None,
    ) -> OpenShop:
        """A shop that is not started, with the rows that the first paint wants. Blocks for the disk."""
        opening = self.opening(connection, service, places, origin)
        opening.read()
        return opening.shop()

    def opening(
        self,
        connection: ShopConnection,
        service: Callable[[], tuple[str, str]] | None = None,
        places: Places | None = None,
        origin: str | None = None,
        rows: int = FIRST_ROWS,
    ) -> Opening:
        """The same before anything is read."""
        from petstore_desktop.adapters.shop import Opening
        from petstore_desktop.desk.desk import Desk
        from petstore_desktop.session.session import Session
        from petstore_desktop.shop.live_shop import window_state
        from petstore_desktop.ui.text.localize import localize
        from petstore_desktop.ui.window.window_state import list_at_start

        def make_session() -> Session:
            session = Session(places or self.places, connection, self.clock, service, origin)
            session.started_for = (connection.slug, connection.url) == self._started_for
            return session

        desk = Desk(connection.slug, self.clock)
        desk.shop.read_only = connection.read_only
        localize(desk)
        first = (*list_at_start(window_state(self.remembered, connection.slug)), rows) if rows else None
        return Opening(desk, self.remembered, make_session, first)

    def is_shown(self, folder: Path) -> bool:
        """Whether the shop of this folder is in the window."""
        return self.shown is not None and self.shown.folder == folder

    def show_instead(self, shop: OpenShop) -> None:
        """Show a shop in a new window, replacing the current one."""
        from petstore_desktop.ui.window.main_window import MainWindow

        window = MainWindow(shop.live, self._app)
        window.closed.connect(self.application.quit)
        before, left = (self.welcome, self.window), self.shown
        self.shown, self.window, self.welcome = shop, window, None
        if before[1] is not None:
            window.state.take_place_of(before[1])
        window.show()
        self._put_away(*before)  # only now: the program ends with its last window
        slug = shop.session.name
        if not shop.session.connection.demo:
            self.remembered.update(lambda now: replace(now, last_connection=slug))
        if left is not None and left is not shop:
            leave = self.in_background.retire if left.folder == shop.folder else self.in_background.leave
            leave(left)

    def _look(self, name: str, value: str) -> None:
        """Apply what is preferred now: a language in a new window, in the place of what is shown."""
        from petstore_desktop.ui.text.localize import localize
        from petstore_desktop.ui.text.translate import speak

        shop, window, welcome = self.shown, self.window, self.welcome
        if name != "language":
            self.theme.set_look(name, value)
        elif shop is not None and window is not None:
            window.let_go()
            speak(self.application, value)
            for one in (shop, *self.in_background.working()):
                localize(one.desk)
            self.show_instead(shop)
            cast("MainWindow", self.window).take_over(window)
        elif welcome is not None:
            speak(self.application, value)
            self._open_welcome()
            self._put_away(welcome, None)

    def show_welcome(self) -> None:
        """Show the welcome page instead of the current shop; the caller closes that shop."""
        before, self.window, self.shown = self.window, None, None
        self._open_welcome()
        self._put_away(None, before)

    def _open_welcome(self) -> None:
        from petstore_desktop.ui.connection.welcome import WelcomePage

        self.welcome = WelcomePage(self._app.welcome, app=self._app)
        self.welcome.show()

    def _put_away(self, welcome: WelcomePage | None, window: MainWindow | None) -> None:
        if welcome is not None:
            welcome.close()
            welcome.deleteLater()
        if window is not None:
            window.closed.disconnect()
            window.close_now = True
            window.close()
            window.deleteLater()

    # -- while it runs

    def _after_first_paint(self, *works: Callable[[], None]) -> None:
        from petstore_desktop.ui.base.first_paint import after_first_paint, load_aside

        shown = self.front()
        if shown is not None:
            after_first_paint(shown, load_aside, *works)

    def front(self) -> MainWindow | WelcomePage | None:
        """The window that is shown."""
        return self.window or self.welcome

    def _show_wish(self, wish: Message) -> None:
        """Show what another start was to open, unless a dialog is open, which would be lost."""
        from PySide6.QtWidgets import QApplication

        connection = self.remembered.now.connection(str(wish.get("connection")))
        if QApplication.activeModalWidget() is not None:
            return
        if wish.get("demo") is True:
            self.shops.show_demo()
        elif connection is not None:
            self.shops.open(connection.slug)

    def _to_front(self) -> None:
        from petstore_desktop.ui.base.first_paint import bring_to_front

        bring_to_front(self.front())

    def _unexpected(self, error: BaseException) -> None:
        """Show an uncaught error of any thread in one dialog, with Copy and Continue."""
        from petstore_desktop import log

        details = log.describe(error)
        self._background.call(lambda: self._show_error(error, details))

    def _show_error(self, error: BaseException, details: str) -> None:
        from petstore_desktop.ui.questions.error import open_error

        if self._showing_error:
            return  # one dialog; an error within it must not open the next
        self._showing_error = True
        open_error(self.front(), error, details)
        self._showing_error = False

    # -- the end

    def _end(self) -> None:
        """Close on a request from outside: typed values are saved, and no question is asked."""
        if self.window is None:
            self.application.quit()
            return
        self.window.close_now = True
        self.window.close()

    def close(self) -> None:
        """Stop the threads of all shops, the demo shop and the log; free the data directory."""
        from petstore_desktop import log
        from petstore_desktop.ui.base.qt_setup import hand_over_clipboard

        self.in_background.close(self.shown)
        self.remembered.flush()
        wait_for_writers()
        self._instance.release()
        self._let_go_of_signals()  # what hears them goes with the application
        hand_over_clipboard(self.application)
        log.stop()
