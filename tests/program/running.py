"""A running program as a test sees it from outside: a process with a window that does what it is told.

with Running(data, key=shop.key) as program:
    to_stock(program)
    program.ask("book", ["+1"])
    program.kill()
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from petstore_desktop.cli import main
from petstore_desktop.threads import wait_for_writers
from tests.program.puppet import AUTH
from tests.support.own_state import own_state
from tests.support.patience import PATIENCE_S
from tests.support.shop import Shop

ROOT = Path(__file__).resolve().parents[2]
T = TypeVar("T")


def until(
    look: Callable[[], T], what: str, deadline_s: float = PATIENCE_S, every_s: float = 0.05, first_s: float = 0.005
) -> T:
    """Look until there is something to see, and return it; AssertionError after `deadline_s` seconds. Most of what is
    waited for comes at once: the first time it is looked again after `first_s`, and after `every_s` in the end."""
    end, pause = time.monotonic() + deadline_s, first_s
    while True:
        seen = look()
        if seen:
            return seen
        assert time.monotonic() < end, f"did not come within {deadline_s:.0f} s: {what}; last seen: {seen!r}"
        _turn(pause)
        pause = min(1.5 * pause, every_s)


def _turn(seconds: float) -> None:
    """Let time pass; a window that is open in this process has its turn meanwhile."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    here = threading.current_thread() is threading.main_thread() and widgets is not None
    if here and widgets.QApplication.instance() is not None and widgets.QApplication.topLevelWidgets():
        from tests.support.turning import turn  # late: only who has a window

        turn(round(1000 * seconds))
    else:
        time.sleep(seconds)


def command(
    *arguments: str,
    key: str | None = None,
    stdin: str | bytes = "",
    env: Mapping[str, str | None] | None = None,
    process: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command of the program to its end. It runs in the test's process, which is as before afterwards; with
    `process` in one of its own, for what only a process can show."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    if process:
        return run_module("petstore_desktop", *arguments, environment=environment(key, env), stdin=given)
    done = command_here(*arguments, environment=environment(key, env), stdin=given)
    return subprocess.CompletedProcess(list(arguments), done.returncode, _text(done.stdout), _text(done.stderr))


def connect(data: Path, shop: Shop, *more: str, read: bool = False) -> Path:
    """Connect a data folder to a shop, under the name "Shop", as the command does (`more`: its other arguments); with
    `read` by its key, and all its lists are read. The folder."""
    for given in (["connect", "Shop", "--url", shop.url, *more], ["sync", "Shop"])[: 2 if read else 1]:
        done = command("--data-dir", str(data), *given, key=shop.key if read else None)
        assert done.returncode == 0, done.stderr
    return data


def run_module(
    module: str, *arguments: str, environment: Mapping[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[str]:
    """`python -m MODULE ARGUMENTS` in a process of its own, to its end."""
    line = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(line, cwd=ROOT, env=environment, input=stdin, capture_output=True, check=False)
    return subprocess.CompletedProcess(line, done.returncode, _text(done.stdout), _text(done.stderr))


def command_here(
    *arguments: str, environment: Mapping[str, str], stdin: bytes = b"", program: Callable[[], int | None] = main
) -> subprocess.CompletedProcess[bytes]:
    """A program from its first line to the end, in this process, with what it wrote as bytes."""
    out, err = io.BytesIO(), io.BytesIO()
    with own_state(environment):
        sys.argv = ["petstore-desktop", *arguments]
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8", errors="surrogateescape")
        streams = [io.TextIOWrapper(one, encoding="utf-8", write_through=True) for one in (out, err)]
        sys.stdout, sys.stderr = streams
        try:
            code = program() or 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        wait_for_writers()
        for stream in streams:
            stream.detach()
    return subprocess.CompletedProcess(list(arguments), code, out.getvalue(), err.getvalue())


def _text(said: bytes) -> str:
    """As a text file is read, whatever ends its lines."""
    return said.decode(errors="backslashreplace").replace("\r\n", "\n")


def environment(key: str | None = None, more: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """What the program is started with: offscreen, and its key, if one is given, in the variable for scripts. A
    variable of `more` that is None is not there."""
    given = {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONUNBUFFERED": "1",
        "PYTHONFAULTHANDLER": "1",
        **({"PETSTORE_API_KEY": key} if key else {}),
    }
    wanted = {**os.environ, **given, **(more or {})}
    return {name: said for name, said in wanted.items() if said is not None}


class Running:
    """One start of the program with a window. `output` is a file with everything that it writes."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        key: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.data = data
        self.output = Path(tempfile.mkstemp(prefix="program-", suffix=".out", dir=data.parent)[1])
        listener = Listener(authkey=AUTH)
        given = ["--data-dir", str(data), *arguments]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.program.puppet", str(listener.address), *given],
                cwd=ROOT,
                env=environment(key, env),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
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
        files = [self.output, *self.data.glob("**/log/crash-running")]
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


class Asked(Protocol):
    """A program that is asked, in a process or in this one."""

    def ask(self, act: str, *arguments: object) -> Any: ...

    def wait(self, act: str, *arguments: object) -> Any: ...


def to_stock(program: Asked) -> None:
    """Go to the list of the stock, and wait until it can be worked in from row to row."""
    program.wait("ready")
    program.ask("press", "Alt+I")
    program.wait("rows", "inventory")
    program.wait("at_rest")
    program.wait("writable", "inventory", "In stock")


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
