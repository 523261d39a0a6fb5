"""One running program for each data directory. A second start finds the first and asks it to come to the front; a
command asks it to do its work there, in short JSON messages over a local socket."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

from petstore_desktop.data_folder import refuse_newer, upgrade
from petstore_desktop.domain.errors import AlreadyRunning, StorageError
from petstore_desktop.domain.records import JsonValue
from petstore_desktop.platform_support import (
    leave_address,
    local_address,
    make_private_directory,
    refuse_other_user,
    storage_code,
    take_folder,
    take_lock,
)
from petstore_desktop.threads import begin

if TYPE_CHECKING:
    import socket
    from multiprocessing.connection import Connection, PipeConnection

Message: TypeAlias = Mapping[str, JsonValue]

MOST_ASKED: Final = 64 * 1024
"""Bytes that a request has at most."""
MOST_ANSWERED: Final = 1024 * 1024
"""Bytes that an answer has at most."""
_LOCK_FILE = "running.lock"
_RAISE = b"raise"
_RAISED = b"ok"
_RAISE_S = 3.0
"""How long a second start tries to reach the first one."""
_ANSWER_S = 2.0
"""How long one waits for a message that should be there, however slowly it comes."""
_WAITING: Final = 16
"""How many callers the system keeps until they are accepted."""
_AT_ONCE: Final = 8
"""How many are answered at the same time; others wait their turn."""


class Instance:
    """Holds a data directory until the process ends, and brings it to this version. Raises AlreadyRunning when another
    one holds it, and StorageError, `too-new` for that of a later program, which is not touched.

    Both the folder and a file in it: the file can be deleted while it is held, the folder cannot be held everywhere.
    """

    def __init__(self, data_directory: Path) -> None:
        self._directory = data_directory
        self._listening: _Listening | None = None
        refuse_newer(data_directory)
        try:
            make_private_directory(data_directory)
            folder = take_folder(data_directory)
            lock = None if folder is None else take_lock(data_directory / _LOCK_FILE)
        except OSError as error:
            raise StorageError(storage_code(error), path=str(data_directory)) from error
        self._folder = -1 if folder is None else folder
        self._lock: IO[bytes] | None = lock
        if lock is None:
            self.release()
            raise AlreadyRunning(path=str(data_directory))
        try:
            upgrade(data_directory)
        except StorageError:
            self.release()
            raise

    def listen(self, on_raise: Callable[[], None], on_request: Callable[[Message], Message] | None = None) -> None:
        """Answer second starts, and requests of commands; both are called from daemon threads, `on_request` from
        several at once. Without a socket, others only learn that this one runs."""
        serve = _Answers(on_raise, on_request)
        begin(lambda: self._serve(serve), "instance", writes=False)

    def release(self) -> None:
        """Let go of the data directory."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def _serve(self, answers: _Answers) -> None:
        free = threading.BoundedSemaphore(_AT_ONCE)
        with suppress(OSError):
            # What a killed program left there is replaced; the lock says that nobody listens now.
            listening = self._listening = _listen_at(local_address("window", self._directory, make=True))
            while self._lock is not None:
                line = None
                with suppress(OSError, EOFError):
                    line = listening.accept()
                if line is None:
                    time.sleep(0.05)  # what hinders it may last
                else:
                    free.acquire()
                    begin(partial(answers.answer, line, free), "answer", writes=False)


class _Answers:
    """Answers one message of each line that is accepted."""

    def __init__(self, on_raise: Callable[[], None], on_request: Callable[[Message], Message] | None) -> None:
        self._on_raise, self._on_request = on_raise, on_request

    def answer(self, line: Call, free: threading.Semaphore) -> None:
        """Read a message, answer it and hang up; a message that is not understood is not answered."""
        try:
            with suppress(OSError, EOFError), line:
                message = line.receive(MOST_ASKED, _ANSWER_S)
                if message == _RAISE:
                    line.send(_RAISED, _ANSWER_S)
                    self._on_raise()
                    return
                request = _message(message)
                if request is not None and self._on_request is not None:
                    line.send(_packed(self._on_request(request), MOST_ANSWERED), _ANSWER_S)
        finally:
            free.release()


def _message(content: bytes) -> Message | None:
    """The JSON object that a message is; None where it is anything else."""
    try:
        found = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return cast("Message", found) if isinstance(found, dict) else None


def _packed(message: Message, most: int) -> bytes:
    content = json.dumps(message).encode()
    if len(content) > most:
        raise OSError(f"a message of {len(content)} bytes is too long")
    return content


def ask(data_directory: Path, request: Message, timeout_s: float) -> Message | None:
    """Ask the program that holds the data directory, and wait so long for its answer; None where none came: nobody
    listens there, or what listens does not understand. Blocks. Raises ValueError of a request that is too long."""
    content = json.dumps(request).encode()
    if len(content) > MOST_ASKED:
        raise ValueError(f"a request of {len(content)} bytes is too long")
    with suppress(OSError, EOFError), _call(local_address("window", data_directory), timeout_s) as line:
        line.send(content, timeout_s)
        return _message(line.receive(MOST_ANSWERED, timeout_s))
    return None


def hold(data_directory: Path, wish: Message | None = None) -> Instance:
    """The data directory, taken before Qt loads. Where another program has it, a later one too, that one comes to the
    front, and is told what is wanted there."""
    try:
        return Instance(data_directory)
    except (AlreadyRunning, StorageError) as error:
        if isinstance(error, StorageError) and error.code != "too-new":
            raise
        end = time.monotonic() + _RAISE_S
        while not raise_other(data_directory):
            if time.monotonic() >= end or isinstance(error, StorageError):
                raise
            time.sleep(0.1)  # that one may just be starting: it listens after its first paint
        if wish:
            ask(data_directory, wish, _ANSWER_S)
        sys.stderr.write("petstore-desktop: already running; its window was brought to the front\n")
        raise SystemExit(0) from None


def raise_other(data_directory: Path) -> bool:
    """Ask the program that holds the data directory to show its window; whether it answered."""
    with suppress(OSError, EOFError), _call(local_address("window", data_directory), _ANSWER_S) as line:
        line.send(_RAISE, _ANSWER_S)
        return line.receive(len(_RAISED), _ANSWER_S) == _RAISED
    return False


# -- messages: their length (4 bytes, big-endian) and their bytes; every wait has an end


class Call(Protocol):
    """A connection between two programs; closed at the end of its `with`."""

    def __enter__(self) -> Call: ...

    def __exit__(self, *_: object) -> None: ...

    def send(self, content: bytes, seconds: float) -> None:
        """Send a message. Raises OSError, also if it is not taken in so many seconds."""
        ...

    def receive(self, most: int, seconds: float) -> bytes:
        """The next message. Raises OSError if it is longer than `most` bytes or is not whole in so many seconds, and
        EOFError if the other side hangs up."""
        ...


class _Listening(Protocol):
    """An address at which others are waited for."""

    def accept(self) -> Call:
        """Wait for the next caller of the same user. Raises OSError if it is another's, or once this is closed."""
        ...

    def close(self) -> None:
        """Wait no more; a call of `accept` ends."""
        ...


class _UnixListening:
    def __init__(self, address: str) -> None:
        import socket  # late, as below: none is needed before the first paint

        Path(address).unlink(missing_ok=True)  # house: held - a socket that a kill left
        self._address = Path(address)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.bind(address)
            Path(address).chmod(0o600)
            self._socket.listen(_WAITING)
        except OSError:
            self._socket.close()
            raise

    def accept(self) -> Call:
        peer, _ = self._socket.accept()
        try:
            refuse_other_user(peer)
        except OSError:
            peer.close()
            raise
        return _UnixCall(peer)

    def close(self) -> None:
        import socket

        leave_address(self._address)
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # which ends an `accept` of another thread
        except OSError:
            return  # not everywhere can it be done
        finally:
            self._socket.close()


class _UnixCall:
    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    def __enter__(self) -> _UnixCall:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, content: bytes, seconds: float) -> None:
        import struct

        self._socket.settimeout(seconds)
        self._socket.sendall(struct.pack("!i", len(content)) + content)

    def receive(self, most: int, seconds: float) -> bytes:
        import struct

        end = time.monotonic() + seconds
        (length,) = struct.unpack("!i", self._exactly(4, end))
        if not 0 <= length <= most:
            raise OSError(f"a message of {length} bytes")
        return self._exactly(length, end)

    def _exactly(self, count: int, end: float) -> bytes:
        content = bytearray()
        while len(content) < count:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError("the message is not whole")
            self._socket.settimeout(left)
            part = self._socket.recv(min(count - len(content), 65536))
            if not part:
                raise EOFError("the other side hung up")
            content += part
        return bytes(content)


class _PipeListening:
    """The pipe's rights are the system's default: only its maker may write to it."""

    def __init__(self, address: str) -> None:
        from multiprocessing.connection import Listener

        self._listener = Listener(address)

    def accept(self) -> Call:
        return _PipeCall(self._listener.accept())

    def close(self) -> None:
        self._listener.close()


class _PipeCall:
    """Messages of a pipe come whole or not at all."""

    def __init__(self, connected: Connection[Any, Any] | PipeConnection[Any, Any]) -> None:
        self._connection = connected

    def __enter__(self) -> _PipeCall:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def send(self, content: bytes, seconds: float) -> None:
        del seconds
        self._connection.send_bytes(content)

    def receive(self, most: int, seconds: float) -> bytes:
        if not self._connection.poll(seconds):
            raise TimeoutError("no message came")
        return self._connection.recv_bytes(most)


def _listen_at(address: str) -> _Listening:
    """Wait for callers at an address where nobody waits now. Raises OSError."""
    return _UnixListening(address) if os.name == "posix" else _PipeListening(address)


def _call(address: str, seconds: float) -> Call:
    """Connect to a program of the same user. Raises OSError if none of this user's answers in so many seconds."""
    if os.name != "posix":
        from multiprocessing.connection import Client

        return _PipeCall(Client(address))
    import socket

    caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        caller.settimeout(seconds)
        caller.connect(address)
        refuse_other_user(caller)
    except OSError:
        caller.close()
        raise
    return _UnixCall(caller)
