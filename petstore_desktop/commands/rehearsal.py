"""The process of a rehearsal: the window over a demo shop that is filled with the shop's rows.

It is a program of its own, with a data folder of its own, so that nothing that happens in it can reach the service: it
knows neither key nor address, has no keyring, and no connection leaves this computer (`_stay_here`).
"""

from __future__ import annotations

import errno
import ipaddress
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from petstore_desktop import credentials
from petstore_desktop.app import Program, Start
from petstore_desktop.demo.child import DemoChild
from petstore_desktop.demo.witness import Witness
from petstore_desktop.desk.rehearsal.scenes import moments
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Key, Ref, Resource
from petstore_desktop.instance import raise_other
from petstore_desktop.platform_support import clean_environment
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.rehearsal_folder import (
    SLUG,
    RehearsalFolder,
    Rehearsed,
    read_made,
    write_kept,
    write_records,
)
from petstore_desktop.threads import begin

if TYPE_CHECKING:
    from petstore_desktop.adapters.shop import OpenShop
    from petstore_desktop.clock import Clock
    from petstore_desktop.desk.rehearsal.kept import KeptChanges
    from petstore_desktop.ui.window.rehearsal_dressing import Rehearsing

_UNUSED = ("connectShop", "connectionSettings", "changeKey", "checkConnection", "switchShop", "rehearse")
"""Actions that are about connections: there is none here."""


def run_rehearsal(folder: Path) -> int:
    """Open the window of the rehearsal in this folder and stay until it is closed; the exit code. The folder is gone
    then, unless changes are to be kept. Raises ShopError."""
    credentials.do_without()
    sys.addaudithook(_stay_here)
    found = RehearsalFolder(folder)
    made = read_made(found)
    program = RehearsalProgram(found, made)
    try:
        return program.stay()
    finally:
        program.close()
        if found.kept.exists():
            raise_other(made.data)
        else:
            found.remove()


def _stay_here(event: str, values: tuple[object, ...]) -> None:
    """Refuse every connection that would leave this computer, and every name that a server would have to be asked for.
    Raises OSError."""
    if event == "socket.getaddrinfo":
        host = values[0]
    elif event in ("socket.connect", "socket.sendto"):
        address = cast("tuple[object, ...] | str", values[1])
        host = address[0] if isinstance(address, tuple) else None
    else:
        return
    if not _is_here(host):
        raise OSError(errno.ENETUNREACH, "a rehearsal stays on this computer")


def _is_here(host: object) -> bool:
    name = host.decode(errors="replace") if isinstance(host, bytes) else host
    if name is None or name in ("", "localhost"):  # a socket of this computer alone has no host
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(str(name).partition("%")[0]).is_loopback
    return False


class RehearsedShop:
    """The demo shop and its scene. `began` is called in another thread when the shop is there."""

    def __init__(
        self, folder: RehearsalFolder, made: Rehearsed, began: Callable[[float], object] = lambda _: None
    ) -> None:
        self._folder, self._made, self._began = folder, made, began
        self._child: DemoChild | None = None
        self._known: Mapping[Resource, Collection[Key]] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.began_at: float | None = None
        """When the scene began (monotonic seconds)."""

    def ready(self) -> tuple[str, str]:
        """Address and key, as soon as the shop is there. Blocks; the first call fills and starts it. Raises OSError."""
        with self._lock:
            if self._ended.is_set():
                raise OSError("the rehearsal has ended")
            if self._child is None:
                self._known = write_records(self._folder, self._made.rules)
                self._child = DemoChild(self._folder.books, self._options(), clean_environment())
        said = self._child.ready()
        if self.began_at is None:
            self.began_at = time.monotonic()
            begin(lambda: self._play(said["control"] or ""), "scene", writes=False)
            self._began(self.began_at)
        return said["url"], self._child.key

    def _options(self) -> tuple[str, ...]:
        plan = self._made.plan
        limits = [("--rpm", plan.per_minute), ("--rpd", plan.per_day)]
        given = [part for name, limit in limits if limit is not None for part in (name, str(limit))]
        return ("--plan", "unlimited", "--control", "--records", str(self._folder.records), *given)

    def _play(self, control: str) -> None:
        witness = Witness(self._folder.books, self._folder.path / "requests.log", control)
        began = time.monotonic()
        for moment in moments(self._made.plan.scene):
            if self._ended.wait(max(0.0, began + moment.at - time.monotonic())):
                return
            with suppress(OSError):  # the shop is gone: the window says so
                witness.control(moment.action, **moment.body)

    def was_there(self, ref: Ref) -> bool:
        """Whether this record was in the shop from the beginning."""
        return ref.key in self._known.get(ref.resource, ())

    @property
    def ended(self) -> bool:
        """Whether the demo shop has stopped by itself."""
        return self._child is not None and self._child.ended

    def stop(self) -> None:
        """End it; waits for some seconds at most."""
        self._ended.set()
        child = self._child
        if child is not None:
            child.stop()


class RehearsalProgram(Program):
    """The program with the one shop of a rehearsal, in the place of the demo shop."""

    def __init__(self, folder: RehearsalFolder, made: Rehearsed, clock: Clock | None = None) -> None:
        super().__init__(Start(str(folder.path), demo=True), clock)
        self.folder, self.made = folder, made
        self.rehearsing: Rehearsing | None = None

    def enter_demo(self) -> OpenShop:
        """Show the shop; its rows are there at once, the demo shop comes when it is filled."""
        from petstore_desktop.ui.text.translate import tr
        from petstore_desktop.ui.window.rehearsal_dressing import Rehearsing

        plan = self.made.plan
        limits = {"per_minute": plan.per_minute, "per_day": plan.per_day}
        connection = ShopConnection(tr("Rehearsal"), SLUG, "http://127.0.0.1/v1", demo=True, colour=self.made.colour)
        shop = RehearsedShop(self.folder, self.made)
        opened = self.make(replace(connection, **limits), shop.ready, self.places, SLUG)
        opened.child = shop
        opened.desk.rehearsed = True
        self.show_instead(opened)
        if self.window is not None:
            for name in _UNUSED:
                self.window.parts.actions[name].setVisible(False)
            self.rehearsing = Rehearsing(self.window, self.made, shop, self._keep)
        return opened

    def _keep(self, kept: KeptChanges) -> ShopError | None:
        """Write what the shop shall take in; it is told at the end."""
        try:
            write_kept(self.folder, kept.changes, kept.left_out, self.clock.now().wall)
        except ShopError as error:
            return error
        return None
