"""Runs blocking work in a temporary thread, and reports its result in the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TypeVar, cast

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.threads import begin, fail

T = TypeVar("T")


class _Post(QObject):
    """The way into the GUI thread. It is there to the end: a thread may post at any time.

    Signals:
        posted: Callable[[], None]: to be called in the GUI thread.
    """

    posted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.posted.connect(self._perform, Qt.ConnectionType.QueuedConnection)

    def _perform(self, act: object) -> None:
        cast("Callable[[], None]", act)()


@cache
def _post() -> _Post:
    """Made in the GUI thread, with the first Background."""
    return _Post()


class Background(QObject):
    """Runs work elsewhere, and calls back here. It lives until the last of its work has been told; what is told after
    the end of its parent is dropped."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._posted = _post().posted

    def run(self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[], None] = lambda: None) -> None:
        """Do `work` in another thread, then `done` with its result in the GUI thread, unless `done` is a method of a
        widget that is deleted by then. An error that nobody expected is told where those of all threads are, and then
        `failed` is called."""
        at_work.append(self)

        def in_thread() -> None:
            try:
                end = partial(tell, work())
            except BaseException as error:  # noqa: BLE001 -- whatever it is, somebody waits, and a person is told
                end = partial(give_up, error)
            self._posted.emit(partial(ended, end, work))

        def ended(end: Callable[[], None], _work: Callable[[], T]) -> None:
            # It has nothing left to do; what the work held ends here, after it: perhaps the last of a widget.
            thread.join()
            at_work.remove(self)
            end()

        def tell(result: T) -> None:
            if isValid(self) and _is_there(done):
                done(result)

        def give_up(error: BaseException) -> None:
            fail(error, thread)
            if isValid(self) and _is_there(failed):
                failed()

        thread = begin(in_thread, "background")

    def attempt(self, work: Callable[[], T], done: Callable[[T | ShopError], None]) -> None:
        """The same for work that may raise a ShopError: `done` gets the result or the error, also for an error that
        nobody expected."""

        def tried() -> T | ShopError:
            try:
                return work()
            except ShopError as error:
                return error

        def failed() -> None:
            if _is_there(done):
                done(ShopError("unexpected"))

        self.run(tried, done, failed)

    def call(self, act: Callable[[], None]) -> None:
        """Call `act` in the GUI thread, from any thread."""
        self._posted.emit(partial(self._perform, act))

    def _perform(self, act: Callable[[], None]) -> None:
        if isValid(self):
            act()


def _is_there(done: object) -> bool:
    """Whether the object still exists whose method this is, or to whose method it hands on what came."""
    if isinstance(done, partial):
        return all(map(_is_there, (done.func, *done.args)))
    owner = getattr(done, "__self__", None)
    return not isinstance(owner, QObject) or isValid(owner)


at_work: list[Background] = []
"""Whose work is not over yet: once for each piece of it. What is called back must be there until then."""
