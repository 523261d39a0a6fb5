"""A real X server without a screen, and keys pressed in it by XTest: the platform makes of them what it makes of those
of a scanner."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import time
from ctypes.util import find_library
from typing import Self

KEYSYMS = {"\n": "Return", "\t": "Tab", "+": "plus", "-": "minus", " ": "space"}
_QT_NAMES = {"Ctrl": "Control_L", "Alt": "Alt_L", "Shift": "Shift_L", "Esc": "Escape", ",": "comma"}
_SHIFTED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ+")


def can_run() -> bool:
    """Whether this machine has a server and the libraries."""
    return all((shutil.which("Xvfb"), find_library("X11"), find_library("Xtst")))


class XKeys:
    """Presses keys at a display, from whatever process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._x, self._test = ctypes.CDLL(find_library("X11") or ""), ctypes.CDLL(find_library("Xtst") or "")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XStringToKeysym.restype = self._x.XInternAtom.restype = ctypes.c_ulong
        self._x.XGetSelectionOwner.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(name.encode()))

    def _code(self, name: str) -> int:
        symbol = ctypes.c_ulong(self._x.XStringToKeysym(name.encode()))
        return int(self._x.XKeysymToKeycode(self._display, symbol))

    def type(self, text: str, gap_ms: float) -> None:
        """Press and release one key after the other. The server delays each itself: a busy machine stretches no gap."""
        for number, letter in enumerate(text):
            code, shift = self._code(KEYSYMS.get(letter, letter)), self._code("Shift_L")
            wait = round(gap_ms) if number else 0
            if letter in _SHIFTED:
                self._test.XTestFakeKeyEvent(self._display, shift, 1, wait)
                wait = 0
            self._test.XTestFakeKeyEvent(self._display, code, 1, wait)
            self._test.XTestFakeKeyEvent(self._display, code, 0, 0)
            if letter in _SHIFTED:
                self._test.XTestFakeKeyEvent(self._display, shift, 0, 0)
        self._x.XFlush(self._display)

    def press(self, keys: str) -> None:
        """Hold and release keys together, such as "Ctrl+K"."""
        codes = [self._code(_QT_NAMES.get(key, key.lower() if len(key) == 1 else key)) for key in keys.split("+")]
        for code, down in [*((one, 1) for one in codes), *((one, 0) for one in reversed(codes))]:
            self._test.XTestFakeKeyEvent(self._display, code, down, 0)
        self._x.XFlush(self._display)

    def is_managed(self) -> bool:
        """Whether a window manager runs: each owns this selection."""
        owned = ctypes.c_ulong(self._x.XInternAtom(self._display, b"WM_S0", 0))
        return self._x.XGetSelectionOwner(self._display, owned) != 0

    def rest(self, seconds: float) -> None:
        """Nothing is pressed for a while."""
        time.sleep(seconds)


class XServer(XKeys):
    """A server of its own. `name` is what DISPLAY must be."""

    def __init__(self) -> None:
        ours, theirs = os.pipe()
        command = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
        self._server = subprocess.Popen(command, pass_fds=(theirs,), stderr=subprocess.DEVNULL)
        os.close(theirs)
        with os.fdopen(ours, "rb") as said:
            name = f":{said.readline().decode().strip()}"
        super().__init__(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.terminate()
        self._server.wait()
