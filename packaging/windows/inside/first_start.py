"""Starts the program as a person does for the first time, and closes its window; run by the Python of Windows.

    python first_start.py [--once] [--refused LINE]... COMMAND...

Waits for the window, has a second start bring it to the front (but --once), and closes it with its button's message.
COMMAND may be an entry of the start menu. What is --refused is run while the window is open, and must end with the
exit code of what does nothing then. Says what is not as it should be; exit code 1 then. What the window shows is for a
picture from outside: a line `shown` asks for it, and a line on stdin says that it was taken. Standard library only.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from ctypes import wintypes
from pathlib import Path
from typing import BinaryIO

LONGEST_S = 120.0
TITLE = "Pet Store Desktop"
RUNS = 2
"""What the installer ends with, and what removes the program, while it is open."""
WM_CLOSE = 0x0010
SYNCHRONIZE, QUERY_LIMITED, WAIT_TIMEOUT = 0x0010_0000, 0x1000, 258


def windows() -> Iterator[tuple[int, str]]:
    """Yield the visible windows on the screen, each with its title."""
    user, found = ctypes.WinDLL("user32"), list[int]()
    kind = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)
    user.EnumWindows(kind(lambda window, _: found.append(window) or True), 0)
    for window in found:
        title = ctypes.create_unicode_buffer(200)
        user.GetWindowTextW(wintypes.HWND(window), title, len(title))
        if user.IsWindowVisible(wintypes.HWND(window)):
            yield window, title.value


def begin(words: list[str], said: BinaryIO) -> None:
    """Start a program, whose output goes to a file, or open an entry of the start menu."""
    if words[0].endswith(".lnk"):
        os.startfile(words[0])
    else:
        subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)


def shown() -> int:
    """Wait for the program's window and return it; 0 where none comes."""
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end:
        for window, title in windows():
            if TITLE in title:
                return window
        time.sleep(0.2)
    return 0


class Process:
    """The process that a window is of: whoever opens an entry of the start menu is not told which begins."""

    def __init__(self, window: int) -> None:
        number, self.kernel = wintypes.DWORD(), ctypes.WinDLL("kernel32")
        ctypes.WinDLL("user32").GetWindowThreadProcessId(wintypes.HWND(window), ctypes.byref(number))
        self.kernel.OpenProcess.restype = wintypes.HANDLE
        self.handle = wintypes.HANDLE(self.kernel.OpenProcess(SYNCHRONIZE | QUERY_LIMITED, False, number))

    def is_open(self, longest_s: float = 0.0) -> bool:
        """Wait until it ends, so long at most, and say whether it has not."""
        return self.kernel.WaitForSingleObject(self.handle, int(1000 * longest_s)) == WAIT_TIMEOUT

    def code(self) -> int:
        """Return its exit code, once it has ended."""
        code = wintypes.DWORD()
        self.kernel.GetExitCodeProcess(self.handle, ctypes.byref(code))
        return code.value


def second_start(command: list[str]) -> Iterator[str]:
    """Yield what is not as it should be where the program is started while it is open."""
    second = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_S, check=False)
    if second.returncode:
        yield f"a second start ended with {second.returncode}: {second.stderr.decode(errors='replace')}"


def refused(lines: list[str]) -> Iterator[str]:
    """Yield what was not refused while the program is open."""
    for line in lines:
        code = subprocess.call(line, stdin=subprocess.DEVNULL, timeout=LONGEST_S)
        if code != RUNS:
            yield f"while the program is open this ended with {code}: {line}"


def findings(command: list[str], lines: list[str], *, once: bool) -> Iterator[str]:
    """Yield what is not as it should be; `lines` must be refused while it is open; `once`: without a second start."""
    with tempfile.TemporaryFile() as output:
        began = time.monotonic()
        begin(command, output)
        if window := shown():
            print(f"the window is there after {time.monotonic() - began:.1f} s", flush=True)
            process = Process(window)
            yield from () if once else second_start(command)
            print("shown", flush=True)
            sys.stdin.readline()
            yield from refused(lines)
            yield from closed(process, window)
        else:
            yield "no window came"
        output.seek(0)
        if said := output.read().decode(errors="replace"):
            yield f"it said: {said}"
    for log in (Path.home() / "AppData" / "Local" / "petstore-desktop" / "log").glob("petstore.log"):
        yield from (line for line in log.read_text("utf-8").splitlines() if " WARNING " in line or " ERROR " in line)


def closed(process: Process, window: int) -> Iterator[str]:
    """Close the window, and yield what is not as it should be."""
    if not process.is_open():
        yield "it did not stay open"
    ctypes.WinDLL("user32").PostMessageW(wintypes.HWND(window), WM_CLOSE, 0, 0)
    if process.is_open(LONGEST_S):
        yield "the window was closed, and the program went on"
    elif process.code():
        yield f"it ended with {process.code()}"


def main() -> int:
    """Return 1 if anything was found."""
    sys.stdout.reconfigure(errors="backslashreplace")  # what a program said may be in any encoding
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--refused", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    found = list(findings(asked.command, asked.refused, once=asked.once))
    print("\n".join([*found, f"first start: {len(found)} findings"]), flush=True)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
