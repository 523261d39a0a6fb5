"""Watches what threads do with Qt: in the tests, every thread that is begun in Python.

What a thread may touch is a short list (`petstore_desktop/threads.py`). Any other function of a module of `ui` that
knows Qt, any call of Qt but `emit`, and any import of it by a thread is a finding: most such calls do no harm on most
days, and one in thousands ends the program by a signal. The sync threads are not watched: the layers keep Qt from all
that they run, and it would slow them down.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SYNC = "petstore_desktop.sync.runner"
UI = "petstore_desktop.ui."
QT = ("PySide6", "shiboken6", "Shiboken")
ALLOWED = {
    ("petstore_desktop.shop.background", "Background.call"),
    ("petstore_desktop.shop.background", "Background.run.<locals>.in_thread"),
    ("petstore_desktop.shop.background", "Background.attempt.<locals>.tried"),
}
"""Functions that may run in a thread although their module knows Qt; what they call is watched as everything else."""
EMIT = "emit"


class QtInThreads:
    """Findings of all threads that begin while this watches."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._knows: dict[str, bool] = {}

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """A profile function (sys.setprofile)."""
        if event == "call":
            self._entered(frame)
        elif event == "c_call":
            owner = getattr(arg, "__self__", None)
            kind = type(owner).__module__ if owner is not None else getattr(arg, "__module__", "") or ""
            if str(kind).startswith(QT) and arg.__name__ != EMIT:
                self._note(frame, f"calls {kind}.{arg.__name__}")

    def _entered(self, frame: FrameType) -> None:
        name = frame.f_globals.get("__name__", "")
        if name == SYNC:
            sys.setprofile(None)
        if frame.f_code.co_name == "_find_and_load" and str(frame.f_locals.get("name")).startswith(QT):
            self._note(frame, f"imports {frame.f_locals['name']}")
        elif name.startswith(UI) and self._knows_qt(name, frame) and (name, frame.f_code.co_qualname) not in ALLOWED:
            self._note(frame, "runs code that knows Qt")

    def _knows_qt(self, name: str, frame: FrameType) -> bool:
        if name not in self._knows:
            kinds = (getattr(value, "__module__", None) or "" for value in [*frame.f_globals.values()])
            self._knows[name] = frame.f_code.co_name == "<module>" or any(str(kind).startswith(QT) for kind in kinds)
        return self._knows[name]

    def _note(self, frame: FrameType, what: str) -> None:
        where = f"{frame.f_globals.get('__name__')}.{frame.f_code.co_qualname}:{frame.f_lineno}"
        said = f"the thread {threading.current_thread().name!r} {what}: {where}"
        if said not in self.found:
            self.found.append(said)


@contextmanager
def watched_threads() -> Iterator[QtInThreads]:
    """Watch every thread that begins in here."""
    watch = QtInThreads()
    threading.setprofile(watch)
    try:
        yield watch
    finally:
        threading.setprofile(None)
