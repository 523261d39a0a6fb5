"""Starts the program as a person does for the first time, and closes its window; run by the Python of Windows.

    python first_start.py [--once] COMMAND...

Waits for the window, has a second start bring it to the front (but --once), and closes it with its button's message.
Says what is not as it should be; exit code 1 then. What the window shows is for a picture from outside: a line `shown`
asks for it, and a line on stdin says that it was taken. Standard library only.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from collections.abc import Iterator
from ctypes import wintypes
from pathlib import Path

LONGEST_S = 120.0
TITLE = "Pet Store Desktop"
WM_CLOSE = 0x0010


def windows_of(process: int) -> Iterator[tuple[int, str]]:
    """Yield the visible windows of a process, each with its title."""
    user, found = ctypes.WinDLL("user32"), list[int]()
    kind = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)
    user.EnumWindows(kind(lambda window, _: found.append(window) or True), 0)
    for window in found:
        owner, title = wintypes.DWORD(), ctypes.create_unicode_buffer(200)
        user.GetWindowThreadProcessId(wintypes.HWND(window), ctypes.byref(owner))
        user.GetWindowTextW(wintypes.HWND(window), title, len(title))
        if owner.value == process and user.IsWindowVisible(wintypes.HWND(window)):
            yield window, title.value


def shown(process: subprocess.Popen[bytes]) -> int:
    """Wait for the program's window and return it; 0 where none comes, or the program ends."""
    end = time.monotonic() + LONGEST_S
    while time.monotonic() < end and process.poll() is None:
        for window, title in windows_of(process.pid):
            if TITLE in title:
                return window
        time.sleep(0.2)
    return 0


def second_start(command: list[str]) -> Iterator[str]:
    """Yield what is not as it should be where the program is started while it is open."""
    second = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_S, check=False)
    if second.returncode:
        yield f"a second start ended with {second.returncode}: {second.stderr.decode(errors='replace')}"


def findings(command: list[str], *, once: bool = False, pictured: bool = False) -> Iterator[str]:
    """Yield what is not as it should be; `once`: without a second start; `pictured`: wait until somebody has taken a
    picture."""
    began = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as first:
        window = shown(first)
        if not window:
            first.kill()
            yield f"no window came: {first.communicate()[0].decode(errors='replace')}"
            return
        print(f"the window is there after {time.monotonic() - began:.1f} s", flush=True)
        if not once:
            yield from second_start(command)
        if first.poll() is not None:
            yield "it did not stay open"
        if pictured:
            print("shown", flush=True)
            sys.stdin.readline()
        ctypes.WinDLL("user32").PostMessageW(wintypes.HWND(window), WM_CLOSE, 0, 0)
        try:
            said = first.communicate(timeout=LONGEST_S)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            first.kill()
            yield "the window was closed, and the program went on"
            return
        if first.returncode or said:
            yield f"it ended with {first.returncode} and said: {said}"
    (log,) = (Path.home() / "AppData" / "Local" / "petstore-desktop" / "log").glob("petstore.log")
    yield from (line for line in log.read_text("utf-8").splitlines() if " WARNING " in line or " ERROR " in line)


def main() -> int:
    """Return 1 if anything was found."""
    sys.stdout.reconfigure(errors="backslashreplace")  # what a program said may be in any encoding
    once, command = sys.argv[1:2] == ["--once"], sys.argv[1:]
    found = list(findings(command[once:], once=once, pictured=True))
    print("\n".join([*found, f"first start: {len(found)} findings"]), flush=True)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
