"""Programs without a window that are started to be killed, seen from outside; see killed_child.py."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.support.killed_child import POINTS, Order
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT

KILLED = 9
"""SIGKILL, which has no name on Windows."""


@dataclass(frozen=True, slots=True)
class Kill:
    """How a life ends: at one of KILLS, for the nth time; or never (empty)."""

    at: str = ""
    nth: int = 1


@dataclass(slots=True)
class Record:
    """What the program said, over all its lives: which acts of a batch changed anything, which changes are saved, and
    their states."""

    made: dict[str, list[int]] = field(default_factory=dict)
    saved: dict[str, set[int]] = field(default_factory=dict)
    states: dict[int, str] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    passed: set[str] = field(default_factory=set)
    """The fail points that were come to."""
    shown: set[str] = field(default_factory=set)
    """The names of pets and categories in the first screen, and in each list that was read."""
    batches: set[str] = field(default_factory=set)
    """The batches of which it told how they stand."""
    later_s: float = 0.0
    """By how much its clock is ahead in the next life."""

    @property
    def acknowledged(self) -> int:
        """How many changes were called saved."""
        return sum(map(len, self.saved.values()))


class Forks:
    """Starts programs without a window; see killed_child.py."""

    def __init__(self, folder: Path, *, careless: str = "") -> None:
        """`careless`: those that must be found out, one of killed_child.CARELESS."""
        self._careless = careless
        self._address = str(folder / "watch")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(self._address)
        self._listening.listen()
        self._listening.settimeout(PATIENCE_S)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.killed_child"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def start(self, data: Path, service: tuple[str, str], record: Record, kill: Kill) -> Life:
        """A program on these files, of a service (address, key)."""
        at, nth = (kill.at, kill.nth) if kill.at in POINTS else ("", 1)
        order = Order(str(data), *service, self._address, at, nth, self._careless, record.later_s)
        pid = self._ask(asdict(order))
        return Life(self._listening.accept()[0], pid, record)

    def reap(self, pid: int) -> int:
        """Wait for the end of a process; its exit code, or minus the signal."""
        return self._ask({"reap": pid})

    def _ask(self, what: dict[str, Any]) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE_S)
        self._process.stdout.close()
        self._listening.close()


class Life:
    """One life of the program, seen from outside. Until it is reaped its number belongs to nobody else. `told`: the
    changes of which it has told the state: all that are open, and what it closes. Of others the record may have a state
    that an earlier life was killed before it could correct."""

    def __init__(self, line: socket.socket, pid: int, record: Record) -> None:
        self.pid, self._line, self._record = pid, line, record
        self.ready = self.idle = self.dead = False
        self.read = 0
        self.told: set[int] = set()
        self._moved = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, **said: object) -> None:
        """Have a person do this: the acts of a batch, say "again" to changes, undo batches, or refresh all
        lists."""
        self.idle = self.idle and "refresh" in said
        with suppress(OSError):  # where it is dead the reader says so
            self._line.sendall(json.dumps(said).encode() + b"\n")

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, KILLED)

    def wait(self, condition: Callable[[], object], what: str) -> bool:
        """Wait until the condition holds; False where it died before."""
        with self._moved:
            held = self._moved.wait_for(lambda: condition() or self.dead, PATIENCE_S)
        assert held, f"waited in vain until {what}; troubles: {self._record.troubles}"
        return not self.dead

    def end(self) -> None:
        """Close it in order, or wait for what is left of a dead one."""
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)
        self._reader.join(PATIENCE_S)
        assert self.dead, "it does not end"
        self._line.close()

    def _read(self) -> None:
        with self._line.makefile("r", encoding="utf-8") as lines:
            try:
                for line in lines:
                    self._take(json.loads(line))
            except (OSError, ValueError):
                pass  # it was killed while it spoke
        with self._moved:
            self.dead = True
            self._moved.notify_all()

    def _take(self, said: dict[str, Any]) -> None:
        with self._moved:
            self.ready = self.ready or "ready" in said
            self.idle = "idle" in said or (self.idle and "moved" not in said)
            self._record.passed |= said.get("passed", {}).keys()
            self.read += "read" in said
            self._record.shown |= set(said.get("shown", ()))
            self._record.batches |= set(said.get("batches", ()))
            for id_, batch, state in said.get("moved", ()):
                self._record.saved.setdefault(batch, set()).add(id_)
                self._record.states[id_] = state
                self.told.add(id_)
            if "made" in said:
                self._record.made[said["made"]] = said["changed"]
            if "trouble" in said:
                self._record.troubles.append(said["trouble"])
            self._moved.notify_all()
