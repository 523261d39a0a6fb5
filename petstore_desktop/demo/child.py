"""Starts the demo shop as a child process. Standard library only; imports nothing else of the shop.

The key travels by pipe and is made anew each time, so it is in no file and in no process list; the shop counts on in
its books all the same. It ends when its stdin does: that happens too when this program is killed.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

START_S = 30.0
_COMMAND = ("demo-shop",) if getattr(sys, "frozen", False) else ("-m", "petstore_desktop.demo")
"""A bundle is its own interpreter, and knows its own commands only."""


class Announcement(TypedDict):
    """What the shop says when it is ready."""

    url: str
    control: str | None


class DemoChild:
    """A demo shop that lives as long as this object's pipe. `options` are those of the command `demo-shop`;
    `environment`: what it is to know of this process's."""

    def __init__(self, db: Path, options: Sequence[str] = (), environment: Mapping[str, str] | None = None) -> None:
        self.key = f"demo-{secrets.token_urlsafe(24)}"
        own = ("--announce-json", "--until-stdin-closes", "--key-stdin", "--db", str(db.absolute()))
        self._process = subprocess.Popen(
            [sys.executable, *_COMMAND, *own, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[2],
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._said: Announcement | None = None
        self._lock = threading.Lock()
        with suppress(BrokenPipeError):  # it ended at once: `ready` says so
            self._tell(f"{self.key}\n")

    def _tell(self, line: str) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()

    def ready(self) -> Announcement:
        """Wait until the shop is there, at most 30 s; any thread. Raises OSError when it ended instead."""
        with self._lock:
            if self._said is None:
                self._said = self._read()
            return self._said

    def _read(self) -> Announcement:
        watchdog = threading.Timer(START_S, self._process.kill)
        watchdog.start()
        try:
            for line in self._process.stdout or ():
                if line.startswith(b"{"):
                    said = json.loads(line)
                    return Announcement(url=said["url"], control=said["control"])
        finally:
            watchdog.cancel()
        raise OSError(f"the demo shop ended with exit code {self._process.wait()}")

    @property
    def ended(self) -> bool:
        """Whether the process is over."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """Close the pipe and wait for the end, at most 5 s."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with self._lock:  # whoever waits in `ready` has read to the end by now
            if self._process.stdout is not None:
                self._process.stdout.close()
