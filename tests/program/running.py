"""A running program as a test sees it from outside: a process with a window that does what it is told.

with Running(data, key=shop.key) as program:
    program.wait(lambda: program.ask("rows", "inventory") > 20)
    program.ask("press", "Alt+I")
    program.kill()
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any, Self, TypeVar

from tests.program.puppet import AUTH
from tests.support.forked import run, start
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
T = TypeVar("T")


def until(look: Callable[[], T], what: str, deadline_s: float = PATIENCE_S, every_s: float = 0.02) -> T:
    """Look until there is something to see, and return it; AssertionError after `deadline_s` seconds."""
    end = time.monotonic() + deadline_s
    while True:
        seen = look()
        if seen:
            return seen
        assert time.monotonic() < end, f"did not come within {deadline_s:.0f} s: {what}; last seen: {seen!r}"
        time.sleep(every_s)


def command(*arguments: str, key: str | None = None, stdin: str = "", env: Mapping[str, str] | None = None) -> Any:
    """Run a command of the program to its end (`subprocess.CompletedProcess`, texts)."""
    return run(
        "petstore_desktop", *arguments, package="petstore_desktop", environment=environment(key, env), stdin=stdin
    )


def environment(key: str | None = None, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """What the program is started with: offscreen, and its key, if one is given, in the variable for scripts."""
    given = {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONUNBUFFERED": "1",
        "PYTHONFAULTHANDLER": "1",
        **({"PETSTORE_API_KEY": key} if key else {}),
    }
    return {**os.environ, **given, **(more or {})}


class Running:
    """One start of the program with a window. `output` is a file with everything that it writes."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        key: str | None = None,
        env: Mapping[str, str] | None = None,
        no_wait: bool = False,
    ) -> None:
        self._data = data
        self.output = Path(tempfile.mkstemp(prefix="program-", suffix=".out", dir=data.parent)[1])
        listener = Listener(authkey=AUTH)
        given = [*(["--no-wait"] if no_wait else []), "--data-dir", str(data), *arguments]
        with self.output.open("wb") as output:
            self.process = start(
                "tests.program.puppet",
                str(listener.address),
                *given,
                package="petstore_desktop",
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                environment=environment(key, env),
            )
        self._connection = self._accept(listener)
        self.wait("ready")

    def _accept(self, listener: Listener) -> Connection:
        """The program's call; without one within the deadline an AssertionError with what it wrote."""
        came: list[Connection] = []
        waiting = threading.Thread(target=lambda: came.append(listener.accept()), daemon=True)
        waiting.start()
        end = time.monotonic() + PATIENCE_S
        while waiting.is_alive() and self.process.poll() is None and time.monotonic() < end:
            waiting.join(0.02)
        if not came:
            self.process.kill()
            self.process.wait()
            if waiting.is_alive():
                Client(listener.address, authkey=AUTH).close()  # lets accept() end
                waiting.join(5)
            listener.close()
            raise AssertionError(f"the program did not start: {self.said()}")
        listener.close()
        return came[0]

    def ask(self, act: str, *arguments: object) -> Any:
        """Have something done in the window, or something seen there (a function of `acts`)."""
        self._connection.send((act, arguments))
        if not self._connection.poll(PATIENCE_S):
            raise AssertionError(f"the window does not answer {act}: {self.said()}")
        try:
            well, answer = self._connection.recv()
        except (EOFError, OSError) as error:
            raise AssertionError(f"the program ended ({self.process.wait(5)}): {self.said()}") from error
        assert well, f"{act}: {answer}\n{self.said()}"
        return answer

    def wait(self, act: str, *arguments: object, deadline_s: float = PATIENCE_S) -> Any:
        """Ask until the answer is true, and return it."""
        return until(lambda: self.ask(act, *arguments), f"{act}{arguments}", deadline_s)

    def said(self) -> str:
        """Everything it wrote to stdout and stderr, and where a signal ended it."""
        files = [self.output, *self._data.glob("**/log/crash-running")]
        return "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files)

    def kill(self) -> None:
        """End it as a power cut would (SIGKILL)."""
        self.process.kill()
        self.process.wait()
        self._connection.close()

    def quit(self, deadline_s: float = PATIENCE_S) -> int:
        """Close the window by key and wait for the end; the exit code."""
        self.ask("press", "Ctrl+Q")
        try:
            status = self.process.wait(deadline_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not end; dialogs: {self.ask('dialogs')}; {self.said()}") from None
        self._connection.close()
        assert status >= 0, f"a signal ended it ({-status}): {self.said()}"
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._connection.close()


@contextmanager
def meanwhile(work: Callable[[], None], every_s: float = 0.01) -> Iterator[list[BaseException]]:
    """Do `work` over and over in a thread; what it raised is in the list, and is raised at the end."""
    over, errors = threading.Event(), list[BaseException]()

    def run() -> None:
        while not over.wait(every_s):
            try:
                work()
            except BaseException as error:  # noqa: BLE001 -- raised below, in the test's thread
                errors.append(error)
                return

    thread = threading.Thread(target=run, name="meanwhile")
    thread.start()
    try:
        yield errors
    finally:
        over.set()
        thread.join()
    if errors:
        raise errors[0]
