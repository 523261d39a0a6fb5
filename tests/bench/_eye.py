"""A screen of our own (Xvfb), and an eye on it: when do rows stand on the screen, whoever painted them?

The eye looks at the picture itself, mapped into memory: what it costs does not depend on the program that it looks at,
and no program has to be changed for it. A program is first started once for its picture when all has come to rest; from
then on a start has its rows when the part of the screen that holds them looks like that.
"""

from __future__ import annotations

import mmap
import os
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

SIZE = (1280, 800)
LOOK_S = 0.001
REST_S = 1.5
"""What has looked the same for so long is at rest."""
DEADLINE_S = 60.0
LINES = 4
"""Every so many-th line of pixels is looked at: letters are three times as high."""
_HEADER = struct.Struct(">25I")


class Area(NamedTuple):
    """A part of the screen, in pixels."""

    left: int
    top: int
    right: int
    bottom: int


class Screen:
    """An X server whose picture is a file. `name` is what DISPLAY must be. Raises RuntimeError where it does not
    start."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        ours, theirs = os.pipe()
        command = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nocursor"]
        command += ["-fbdir", self._folder.name, "-nolisten", "tcp"]
        self._server = subprocess.Popen(command, pass_fds=(theirs,), stderr=subprocess.DEVNULL)
        os.close(theirs)
        with os.fdopen(ours, "rb") as said:
            number = said.readline().decode().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.name = f":{number}"
        with (Path(self._folder.name) / "Xvfb_screen0").open("rb") as file:
            self._picture = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        header = _HEADER.unpack_from(self._picture)  # XWDFile.h: its own length, ..., bytes a line, ..., colours
        self._line, self._start = header[12], header[0] + header[19] * 12

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.terminate()
        self._server.wait()
        self._picture.close()
        self._folder.cleanup()

    def seen(self, area: Area) -> list[bytes]:
        """Return what stands there: the pixels of some of its lines."""
        first = self._start + 4 * area.left
        width = 4 * (area.right - area.left)
        lines = (first + line * self._line for line in range(area.top, area.bottom, LINES))
        return [self._picture[at : at + width] for at in lines]

    def cleared(self) -> None:
        """Wait until the last program is gone from the screen. Raises RuntimeError if it stays."""
        end = time.perf_counter() + DEADLINE_S
        while not _is_bare(self.seen(Area(0, 0, *SIZE))):
            if time.perf_counter() > end:
                raise RuntimeError("the screen was not cleared")
            time.sleep(0.01)

    def at_rest(self, area: Area) -> list[bytes]:
        """Return what stands there when it has come to rest. Raises RuntimeError if it does not, or if nothing is
        there."""
        since = began = time.perf_counter()
        seen = self.seen(area)
        while time.perf_counter() - since < REST_S or _is_bare(seen):
            time.sleep(0.05)
            now = self.seen(area)
            if now != seen:
                seen, since = now, time.perf_counter()
            if time.perf_counter() - began > DEADLINE_S:
                raise RuntimeError("nothing came to rest on the screen")
        return seen

    def until(self, area: Area, wanted: list[bytes]) -> float:
        """Return when (`time.perf_counter`) this stands there. Raises RuntimeError if it does not within a minute."""
        end = time.perf_counter() + DEADLINE_S
        while self.seen(area) != wanted:
            if time.perf_counter() > end:
                raise RuntimeError("the rows did not come")
            time.sleep(LOOK_S)
        return time.perf_counter()


def _is_bare(lines: Sequence[bytes]) -> bool:
    """Whether no line of it has anything on it."""
    return all(line == line[:4] * (len(line) // 4) for line in lines)


@contextmanager
def running(command: Sequence[str], env: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A program that ends with the block."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def memory(pid: int) -> float:
    """Return the PSS of a process and all that it has started, in MiB: what several share is shared out among them."""
    return sum(_pss(one) for one in [pid, *_children(pid)])


def settled_memory(pid: int) -> float:
    """Return the same when it no longer grows."""
    end, last = time.perf_counter() + DEADLINE_S, -1.0
    while (now := memory(pid)) - last > 0.5 and time.perf_counter() < end:
        last = now
        time.sleep(3.0)
    return now


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, tasks.read_text().split()):
            found += [child, *_children(child)]
    return found


def _pss(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0
