"""RehearsalsPort: makes the folder of a rehearsal from the shop that is shown, and starts its process."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from petstore_desktop.adapters.own_process import start_again
from petstore_desktop.domain.errors import ShopError, StorageError
from petstore_desktop.threads import begin

if TYPE_CHECKING:
    from petstore_desktop.adapters.shop import OpenShop
    from petstore_desktop.data_folder import Places
    from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan
    from petstore_desktop.preferences import Remembered, ShopConnection
    from petstore_desktop.session.rehearsal_folder import KeptFile, RehearsalFolder
    from petstore_desktop.shop.background import Background


class RehearsalHost(Protocol):
    """What this asks of the program."""

    @property
    def remembered(self) -> Remembered: ...

    shown: OpenShop | None


class Rehearsals:
    """See RehearsalsPort."""

    def __init__(self, host: RehearsalHost, background: Background) -> None:
        self._host, self._background = host, background
        self.processes: list[subprocess.Popen[bytes]] = []
        """Those that were started here and have not ended."""
        self._own: dict[Path, subprocess.Popen[bytes] | None] = {}
        """By folder; None while it is made. A process that has just begun does not hold its folder yet."""
        self._making = threading.Lock()
        self._ended_one: Callable[[], object] = lambda: None

    def start(self, plan: RehearsalPlan, done: Callable[[ShopError | None], None]) -> None:
        """Make the folder in another thread, then start the process."""
        shop = self._host.shown
        if shop is None:
            return
        session, preferences = shop.session, self._host.remembered.now

        def work() -> subprocess.Popen[bytes]:
            from petstore_desktop.session.rehearsal_folder import make_folder
            from petstore_desktop.session.session import service_address

            connection = session.connection
            address = service_address(connection)
            with self._making:
                folder = make_folder(session.places, connection, address, session.contract, plan, preferences)
                self._own[folder.path] = None
            try:
                process = self._own[folder.path] = _spawn(folder, session.address)
                return process
            except StorageError:
                del self._own[folder.path]
                folder.remove()
                raise

        def started(process: subprocess.Popen[bytes] | ShopError) -> None:
            if isinstance(process, ShopError):
                done(process)
                return
            self.processes.append(process)
            begin(lambda: self._wait(process), "rehearsal", writes=False)
            done(None)

        self._background.attempt(work, started)

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        """In a thread of its own."""
        process.wait()
        self._background.call(lambda: self._ended(process))

    def _ended(self, process: subprocess.Popen[bytes]) -> None:
        self.processes.remove(process)
        self._own = {path: one for path, one in self._own.items() if one is not process}
        self.clean()
        self._ended_one()

    def listen(self, ended: Callable[[], object]) -> None:
        """The window that is shown listens."""
        self._ended_one = ended

    def kept(self, done: Callable[[Sequence[KeptFile] | ShopError], None]) -> None:
        """What rehearsals of the shown shop left to be kept."""
        shop = self._host.shown
        if shop is not None:
            places, connection = shop.session.places, shop.session.connection
            self._background.attempt(lambda: _read_kept(places, connection), done)

    def forget(self, kept: KeptFile) -> None:
        """Remove what was kept: it is saved, or thrown away."""
        self._background.attempt(kept.folder.remove, lambda _: None)

    def clean(self) -> None:
        """Remove what rehearsals of the shown shop left behind, in another thread."""
        shop = self._host.shown
        if shop is not None:
            places, slug = shop.session.places, shop.session.name

            def remove() -> None:
                with self._making:
                    _remove(places, slug, frozenset(self._own))

            self._background.attempt(remove, lambda _: None)


def _remove(places: Places, slug: str, spared: Container[Path]) -> None:
    from petstore_desktop.session.rehearsal_folder import remove_leftovers

    remove_leftovers(places, slug, spared)


def _read_kept(places: Places, connection: ShopConnection) -> list[KeptFile]:
    from petstore_desktop.session.rehearsal_folder import read_kept
    from petstore_desktop.session.session import service_address

    return read_kept(places, connection.slug, service_address(connection))


def _spawn(folder: RehearsalFolder, url: str) -> subprocess.Popen[bytes]:
    """Start the program again. It takes nothing of this one but a cleaned environment. Raises StorageError."""
    from petstore_desktop.session.rehearsal_folder import process_environment

    return start_again("--rehearsal", str(folder.path), environment=process_environment(url))
