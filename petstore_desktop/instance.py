"""One running program for each data directory. A second start finds the first and asks it to come to the front."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from petstore_desktop.domain.errors import AlreadyRunning, StorageError
from petstore_desktop.platform_support import (
    local_address,
    make_private_directory,
    storage_code,
    take_folder,
    take_lock,
)

_LOCK_FILE = "running.lock"
_RAISE = b"raise"
_ANSWER_S = 2.0


class Instance:
    """Holds a data directory until the process ends. Raises AlreadyRunning when another one holds it.

    Both the folder and a file in it: the file can be deleted while it is held, the folder cannot be held everywhere.
    """

    def __init__(self, data_directory: Path) -> None:
        self._directory = data_directory
        try:
            make_private_directory(data_directory)
            folder = take_folder(data_directory)
            lock = None if folder is None else take_lock(data_directory / _LOCK_FILE)
        except OSError as error:
            raise StorageError(storage_code(error), path=str(data_directory)) from error
        self._folder = -1 if folder is None else folder
        self._lock: IO[bytes] | None = lock
        if lock is None:
            self.release()
            raise AlreadyRunning(path=str(data_directory))

    def listen(self, on_raise: Callable[[], None]) -> None:
        """Answer second starts; `on_raise` is called from a daemon thread. Without a socket they only learn that the
        first one runs."""
        thread = threading.Thread(target=self._serve, args=(on_raise,), name="instance", daemon=True)
        thread.start()

    def release(self) -> None:
        """Let go of the data directory."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def _serve(self, on_raise: Callable[[], None]) -> None:
        from multiprocessing.connection import Listener  # late: it is not needed before the first paint

        address = local_address("window", self._directory)
        with suppress(OSError):
            Path(address).unlink(missing_ok=True)  # left by a kill; the lock says that nobody listens there now
            with Listener(address) as listener:
                while self._lock is not None:
                    with suppress(OSError, EOFError), listener.accept() as connection:
                        if connection.poll(_ANSWER_S) and connection.recv_bytes(16) == _RAISE:
                            connection.send_bytes(b"ok")
                            on_raise()


def raise_other(data_directory: Path) -> bool:
    """Ask the program that holds the data directory to show its window; whether it answered."""
    from multiprocessing.connection import Client

    with suppress(OSError, EOFError), Client(local_address("window", data_directory)) as connection:
        connection.send_bytes(_RAISE)
        return connection.poll(_ANSWER_S) and connection.recv_bytes(16) == b"ok"
    return False
