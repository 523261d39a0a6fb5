"""The preferences at hand, and the thread that writes them down."""

from __future__ import annotations

import threading
from collections.abc import Callable

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.preferences import Preferences, PreferenceStore


class Remembered:
    """The preferences at hand; each change is written by a thread of its own, the newest one last."""

    def __init__(self, store: PreferenceStore) -> None:
        self.now = store.load()
        self._store = store
        self._changed = threading.Condition()
        self._dirty = False
        self._writing = False
        self.error: StorageError | None = None

    @property
    def trouble(self) -> StorageError | None:
        """The message about the file found at the start."""
        return self._store.trouble

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
            except StorageError as error:
                self.error = error
