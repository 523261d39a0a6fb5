"""Programs that start at once: forks of a process that has already imported what they need.

    process = start("petstore_desktop.demo", "--pets", "5", stdin=PIPE, stdout=PIPE)

is what `python -m petstore_desktop.demo --pets 5` is, in a process of its own, without the processor time that its
imports take at each start. Elsewhere than on Linux (macOS lets no fork have a window), and where the environment is one
that only a new interpreter heeds, it is a new interpreter.

Run as `python -m tests.support.forked SOCKET PACKAGE`, this is the process that is forked. Each message on its socket
is an `Order` as JSON with four open files: stdin, stdout, stderr of what is to be started, and the pipe on which its
exit code is told. The answer is its process id.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from tests.support.kill_hard import kill_hard
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
LENGTH = struct.Struct("!Q")
FILES = 4
INTERPRETERS = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_")
"""How the variables begin that only a new process heeds."""
HEEDED = "PYTHONUNBUFFERED"
NEW = ("PYTHONHASHSEED", "random")
"""A variable that changes nothing, and makes a new interpreter of whatever is started with it."""
KILLED = 9
"""SIGKILL, which has no name on Windows."""
WITHOUT = "__main__", ".tour"


def _heeds(environment: dict[str, str]) -> dict[str, str]:
    return {name: said for name, said in environment.items() if name.startswith(INTERPRETERS) and name != HEEDED}


HEEDS = _heeds(dict(os.environ))
"""Those of the processes that are forked: the ones before any test."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be started: `python -m MODULE ARGUMENTS`, with this environment."""

    module: str
    arguments: tuple[str, ...]
    environment: dict[str, str]


# ---------------------------------------------------------------- who asks


class Forked:
    """A process that was forked elsewhere: what the tests use of subprocess.Popen."""

    def __init__(self, pid: int, told: int, stdin: int | None, stdout: int | None) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdin: IO[bytes] | None = None if stdin is None else os.fdopen(stdin, "wb")
        self.stdout: IO[bytes] | None = None if stdout is None else os.fdopen(stdout, "rb")
        self._told = told
        self._asking = threading.Lock()

    def poll(self) -> int | None:
        """The exit code, or minus the signal that ended it; None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """The same, when it has ended. Raises subprocess.TimeoutExpired."""
        if (code := self._look(timeout)) is None:
            raise subprocess.TimeoutExpired([str(self.pid)], timeout or 0)
        return code

    def _look(self, timeout: float | None) -> int | None:
        with self._asking:
            if self.returncode is None and select.select([self._told], [], [], timeout)[0]:
                self.returncode = int(os.read(self._told, 32))
                os.close(self._told)
            return self.returncode

    def kill(self) -> None:
        """End it at once."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, KILLED)


class Forker:
    """The process that has imported a package, seen from outside; there is one for each package."""

    _of: dict[str, Forker] = {}

    def __init__(self, package: str) -> None:
        self._line, theirs = socket.socketpair()
        self._asking = threading.Lock()
        command = [sys.executable, "-u", "-m", "tests.support.forked", str(theirs.fileno()), package]
        environment = {name: said for name, said in os.environ.items() if not name.startswith(INTERPRETERS)} | HEEDS
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
        )
        theirs.close()
        atexit.register(self._end)

    @classmethod
    def of(cls, package: str) -> Forker:
        """The one of this package; started when it is first asked for."""
        if package not in cls._of:
            cls._of[package] = cls(package)
        return cls._of[package]

    def start(self, order: Order, files: list[int]) -> int:
        """The process id of what was started with these open files."""
        said = json.dumps(asdict(order)).encode()
        with self._asking:
            socket.send_fds(self._line, [LENGTH.pack(len(said))], files)
            self._line.sendall(said)
            return LENGTH.unpack(_read(self._line, LENGTH.size))[0]

    def _end(self) -> None:
        self._line.close()
        kill_hard(self._process)


def start(
    module: str,
    *arguments: str,
    package: str,
    stdin: int,
    stdout: int | IO[bytes],
    stderr: int | IO[bytes] | None = None,
    environment: dict[str, str] | None = None,
) -> Forked | subprocess.Popen[bytes]:
    """Start `python -m MODULE ARGUMENTS` from the checkout, as subprocess.Popen does. What it needs is in `package`."""
    environment = dict(os.environ) if environment is None else environment
    if sys.platform != "linux" or _heeds(environment) != HEEDS:
        command = [sys.executable, "-m", module, *arguments]
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdin=stdin, stdout=stdout, stderr=stderr)
    to_read, to_write, told = _pipe(stdin, 0), _pipe(stdout, 1), os.pipe()
    files = [to_read[0], to_write[1], 2 if stderr is None else _number(stderr), told[1]]
    try:
        pid = Forker.of(package).start(Order(module, arguments, environment), files)
    finally:
        for ours, given in ((to_read[0], stdin), (to_write[1], stdout), (told[1], subprocess.PIPE)):
            if given in (subprocess.PIPE, subprocess.DEVNULL):
                close(ours)
    return Forked(pid, told[0], to_read[1], to_write[0])


def run(
    module: str, *arguments: str, package: str, environment: dict[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run `python -m MODULE ARGUMENTS` to its end, as subprocess.run does. What it needs is in `package`."""
    with TemporaryFile() as out, TemporaryFile() as errors:
        files = {"stdin": subprocess.PIPE, "stdout": out, "stderr": errors}
        process = start(module, *arguments, package=package, environment=environment, **files)
        assert process.stdin is not None
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write(stdin.encode())
        try:
            code = process.wait(PATIENCE_S)
        finally:
            process.kill()
        said = [os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode() for file in (out, errors)]
    return subprocess.CompletedProcess(arguments, code, *said)


def _pipe(wanted: int | IO[bytes], end: int) -> tuple[Any, Any]:
    """Both ends of a pipe, of which the child has `end`; or the file that was given, and None."""
    if wanted == subprocess.PIPE:
        return os.pipe()
    number = os.open(os.devnull, os.O_RDWR) if wanted == subprocess.DEVNULL else _number(wanted)
    return (number, None) if end == 0 else (None, number)


def _number(file: int | IO[bytes]) -> int:
    return file if isinstance(file, int) else file.fileno()


def _read(line: socket.socket, size: int) -> bytes:
    """So many bytes; nothing where the other end is closed."""
    read = b""
    while len(read) < size and (more := line.recv(size - len(read))):
        read += more
    return read if len(read) == size else b""


# ---------------------------------------------------------------- who is forked


def import_all(package: str) -> None:
    """Import every module of a package, and with them what is not ours."""
    top = importlib.import_module(package)
    for module in pkgutil.walk_packages(top.__path__, f"{package}."):
        if not module.name.endswith(WITHOUT) and ".tour." not in module.name:
            importlib.import_module(module.name)


def serve(line: socket.socket) -> tuple[Order, list[int]] | None:
    """Fork for each order, and tell of each end. Returns the order and its open files in the fork; None at the end."""
    told: dict[int, int] = {}
    woken, wake = socket.socketpair()
    wake.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    with woken, wake:
        while True:
            ready = select.select([line, woken], [], [])[0]
            if woken in ready:
                woken.recv(4096)
                tell_ends(told)
            if line in ready:
                order, files = receive(line)
                if order is None:
                    return None
                end = files.pop()
                if (pid := os.fork()) == 0:  # house: platform - start() has looked for it
                    close(*told.values(), end)
                    return order, files
                close(*files)
                told[pid] = end
                line.sendall(LENGTH.pack(pid))


def receive(line: socket.socket) -> tuple[Order | None, list[int]]:
    """The next order and its open files; None when nobody will ask any more."""
    head, files, _, _ = socket.recv_fds(line, LENGTH.size, FILES)
    if not head:
        return None, files
    said = json.loads(_read(line, LENGTH.unpack(head)[0]))
    return Order(said["module"], tuple(said["arguments"]), said["environment"]), files


def close(*files: int) -> None:
    """Close open files by their numbers."""
    for file in files:
        os.close(file)


def tell_ends(told: dict[int, int]) -> None:
    """Write the exit code of each child that has ended."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            with suppress(OSError), os.fdopen(told.pop(ended[0]), "wb") as pipe:
                pipe.write(b"%d" % os.waitstatus_to_exitcode(ended[1]))


def become(order: Order, files: list[int]) -> None:
    """Be the program that was ordered, to its end."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(order.environment)
    sys.argv = [order.module, *order.arguments]
    runpy.run_module(order.module, run_name="__main__", alter_sys=True)


def main(number: str, package: str) -> None:
    """Serve until the other end of the socket is closed."""
    with socket.socket(fileno=int(number)) as line:
        import_all(package)
        gc.freeze()
        ordered = serve(line)
    if ordered is not None:
        become(*ordered)


if __name__ == "__main__":
    main(*sys.argv[1:])
