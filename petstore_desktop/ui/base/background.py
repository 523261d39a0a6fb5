"""Runs blocking work in a temporary thread, and reports its result in the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import TypeVar, cast

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from petstore_desktop.domain.errors import ShopError

T = TypeVar("T")


class Background(QObject):
    """Runs work elsewhere, and calls back here. It lives until the last of its work has been told.

    Signals:
        _posted: Callable[[], None]: to be called in the GUI thread.
    """

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._posted.connect(self._perform, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        """Do `work` in a daemon thread, then `done` with its result in the GUI thread, unless `done` is a method of a
        widget that is deleted by then. An unexpected error goes to the threads' common hook."""
        at_work.append(self)

        def ended(result: T) -> None:
            thread.join()  # it has nothing left to do, but may hold the last reference to a widget, which ends here
            at_work.remove(self)
            if _is_there(done):
                done(result)

        def in_thread() -> None:
            result = work()
            self._posted.emit(lambda: ended(result))

        thread = Thread(target=in_thread, name="background", daemon=True)
        thread.start()

    def attempt(self, work: Callable[[], T], done: Callable[[T | ShopError], None]) -> None:
        """The same for work that may raise a ShopError: `done` gets the result or the error."""

        def tried() -> T | ShopError:
            try:
                return work()
            except ShopError as error:
                return error

        self.run(tried, done)

    def call(self, act: Callable[[], None]) -> None:
        """Call `act` in the GUI thread, from any thread."""
        self._posted.emit(act)

    def _perform(self, act: object) -> None:
        cast("Callable[[], None]", act)()


def _is_there(done: Callable[..., object]) -> bool:
    """Whether the object still exists whose method this is."""
    while isinstance(done, partial):
        done = done.func
    owner = getattr(done, "__self__", None)
    return not isinstance(owner, QObject) or isValid(owner)


at_work: list[Background] = []
"""What posts to the window must be there until the last of it has arrived; once for each piece of work."""
