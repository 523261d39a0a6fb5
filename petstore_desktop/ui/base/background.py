"""Work that would make the window wait, done in a throw-away thread; what comes of it is called in the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QObject, Qt, Signal

Work = Callable[[], object]
Done = Callable[[object], None]


class Background(QObject):
    """Runs work elsewhere, and calls back here.

    Signals:
        _posted: Callable[[], None]: to be called in the GUI thread.
    """

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._posted.connect(self._perform, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Work, done: Done) -> None:
        """Do `work` in a daemon thread, then `done` with its result in the GUI thread. An error nobody expected goes
        where every other one goes."""

        def in_thread() -> None:
            result = work()
            self._posted.emit(lambda: done(result))

        threading.Thread(target=in_thread, name="background", daemon=True).start()

    def call(self, act: Callable[[], None]) -> None:
        """Call `act` in the GUI thread, from any thread."""
        self._posted.emit(act)

    def _perform(self, act: object) -> None:
        cast("Callable[[], None]", act)()
