"""Works out something in another thread while this one goes on, step by step."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Final, Generic, TypeVar

from petstore_desktop.threads import begin

T = TypeVar("T")
_MOMENT_S: Final = 0.001
"""How long each step waits (seconds), which lets the other thread go on."""


class ThreadedWork(Generic[T]):
    """One piece of work in a thread of its own. It reads nothing that others change meanwhile."""

    def __init__(self, work: Callable[[], T]) -> None:
        self.found: T | None = None
        self.error: Exception | None = None
        self._work = work
        self._thread = begin(self._run, "desk", writes=False)

    def wait(self) -> bool:
        """Let the other thread have a moment; whether it came to its end."""
        self._thread.join(_MOMENT_S)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self.found = self._work()
        except Exception as error:  # noqa: BLE001  whoever waits does the work again, and meets it
            self.error = error


def in_background(work: Callable[[], T], is_long: bool) -> Generator[None, None, T]:
    """What a piece of work finds; if it is long, another thread does it, and this one goes on between two steps."""
    if not is_long:
        return work()
    job = ThreadedWork(work)
    while not job.wait():
        yield
    return work() if job.found is None else job.found
