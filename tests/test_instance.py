"""One program for each data directory; a second one finds the first."""

from __future__ import annotations

import hashlib
import shutil
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Client
from pathlib import Path

import pytest

from petstore_desktop import instance
from petstore_desktop.domain.errors import AlreadyRunning, StorageError
from petstore_desktop.instance import MOST_ANSWERED, MOST_ASKED, Instance, Message, ask, raise_other
from petstore_desktop.platform_support import local_address
from tests.support.kill_hard import kill_hard
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT

HOLD = (
    "import sys; from pathlib import Path; from petstore_desktop.instance import Instance\n"
    "held = Instance(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()\n"
)


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another program that holds the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "held\n"
    yield process
    kill_hard(process)
    process.stdin.close()
    process.stdout.close()


def test_a_second_program_is_told_and_a_kill_frees_the_folder(other: subprocess.Popen[str], tmp_path: Path) -> None:
    with pytest.raises(AlreadyRunning) as caught:
        Instance(tmp_path)
    assert caught.value.params["path"] == str(tmp_path)
    kill_hard(other)
    Instance(tmp_path).release()


def test_deleting_the_lock_file_lets_no_second_program_in(other: subprocess.Popen[str], tmp_path: Path) -> None:
    try:
        (tmp_path / "running.lock").unlink()
    except PermissionError:
        return  # Windows: it cannot be deleted
    for _ in range(2):  # the second try finds the file that the first one made
        with pytest.raises(AlreadyRunning):
            Instance(tmp_path)
    kill_hard(other)
    Instance(tmp_path).release()


def test_whoever_lets_go_lets_the_next_one_in(tmp_path: Path) -> None:
    for _ in range(3):
        first = Instance(tmp_path)
        with pytest.raises(AlreadyRunning):
            Instance(tmp_path)
        first.release()


def test_a_second_start_brings_the_first_to_the_front(tmp_path: Path) -> None:
    first = Instance(tmp_path)
    raised = threading.Event()
    assert not raise_other(tmp_path)  # nobody listens yet
    first.listen(raised.set)
    answered = threading.Event()
    while not answered.is_set():  # the listener comes up in a thread
        if raise_other(tmp_path):
            answered.set()
    assert raised.wait(PATIENCE_S)
    with Client(local_address("window", tmp_path)) as stranger:
        stranger.send_bytes(b"something else entirely")
    assert raise_other(tmp_path)  # it listens on
    first.release()
    Instance(tmp_path).release()


@pytest.mark.posix("a killed program leaves its socket")
def test_a_socket_that_a_killed_program_left_is_replaced(tmp_path: Path) -> None:
    Path(local_address("window", tmp_path)).touch()
    first = Instance(tmp_path)
    raised = threading.Event()
    first.listen(raised.set)
    while not raised.is_set():
        raise_other(tmp_path)
    first.release()


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        Instance(tmp_path / "file" / "data")


@pytest.mark.posix("a socket's path has a longest length")
def test_a_socket_of_a_long_folder_lies_elsewhere_under_a_short_name(tmp_path: Path) -> None:
    long, longer = tmp_path / ("long" * 40), tmp_path / ("long" * 41)
    long.mkdir()
    longer.mkdir()
    near, far = local_address("window", tmp_path / "a"), local_address("window", long, make=True)
    assert Path(near).parent == tmp_path / "a"
    assert len(far) < 100
    assert stat.S_IMODE(Path(far).parent.stat().st_mode) == 0o700
    assert far == local_address("window", long) == local_address("window", long, make=True)
    assert far != local_address("window", longer, make=True)


@pytest.mark.posix("a socket's path has a longest length")
def test_a_socket_lies_in_no_folder_that_others_may_enter(tmp_path: Path) -> None:
    long = tmp_path / ("long" * 40)
    long.mkdir()
    own = Path(local_address("window", long, make=True)).parent
    own.chmod(0o755)
    assert Path(local_address("window", long)).parent == long  # nobody listens there
    other = Path(local_address("window", long, make=True)).parent
    assert (other != own, stat.S_IMODE(other.stat().st_mode)) == (True, 0o700)
    own.rmdir()
    other.rmdir()


@pytest.mark.posix("a socket tells who calls; a pipe of Windows is the user's own")
def test_what_another_user_leaves_in_the_temporary_folder_does_not_keep_it_from_listening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name could be known: a file of another user there, who alone may remove it, was in the way."""
    temporary = Path(tempfile.mkdtemp())  # a short one
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    long = tmp_path / ("long" * 40)
    long.mkdir()
    for name in (
        f"petstore-desktop-{tmp_path.stat().st_uid}",
        f"petstore-desktop-{tmp_path.stat().st_uid}-window-{digest(long)}.socket",
    ):
        (temporary / name / "kept").mkdir(parents=True)  # a folder that is not empty is removed by nobody
    first = _listening(long, lambda request: {"echo": request["say"]}, lambda: None)
    where = Path(local_address("window", long))
    assert stat.S_IMODE(where.parent.stat().st_mode) == 0o700
    assert ask(long, {"say": "here"}, PATIENCE_S) == {"echo": "here"}
    first.release()
    assert not where.parent.exists()
    assert ask(long, {"say": "here"}, PATIENCE_S) is None
    shutil.rmtree(temporary)


def digest(folder: Path) -> str:
    return hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]


def _listening(folder: Path, on_request: Callable[[Message], Message], on_raise: Callable[[], None]) -> Instance:
    first = Instance(folder)
    first.listen(on_raise, on_request)
    while not raise_other(folder):  # the listener comes up in a thread
        time.sleep(0.01)
    return first


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[list[Message]]:
    """A program that answers each request with itself; the requests that came."""
    came: list[Message] = []

    def answer(request: Message) -> Message:
        came.append(request)
        return {"echo": dict(request)}

    first = _listening(tmp_path, answer, lambda: None)
    yield came
    first.release()


def test_a_request_is_answered_and_nobody_answers_where_nobody_listens(echo: list[Message], tmp_path: Path) -> None:
    request: Message = {"do": "import", "file": "Köln \u202e.csv", "rows": [1, None, {"a": True}]}
    assert ask(tmp_path, request, PATIENCE_S) == {"echo": request}
    assert echo == [request]
    assert ask(tmp_path / "elsewhere", request, PATIENCE_S) is None


@pytest.mark.parametrize(
    "hostile",
    [b"", b"[1, 2]", b"null", b"{", b"\xff\xfe", b"[" * 60_000, b'{"a": ' * 10_000, b"9" * 60_000, b"raise it"],
    ids=lambda content: repr(content[:8]),
)
def test_a_message_that_is_no_object_is_not_answered_and_hurts_nobody(
    echo: list[Message], tmp_path: Path, hostile: bytes
) -> None:
    with Client(local_address("window", tmp_path)) as stranger:
        stranger.send_bytes(hostile)
        with pytest.raises((EOFError, OSError)):
            stranger.recv_bytes()
    assert not echo
    assert ask(tmp_path, {"do": "go on"}, PATIENCE_S) == {"echo": {"do": "go on"}}


@contextmanager
def strangers(folder: Path) -> Iterator[list[socket.socket]]:
    """Callers that say nothing, too little or too much."""
    with ExitStack() as over:
        callers = list[socket.socket]()
        for said in (
            b"",
            b"\0",
            b"\0\0\0\x10half",
            b"\x7f\xff\xff\xff",
            b"\xff\xff\xff\xff",
            struct.pack("!i", 65_537),
        ):
            callers.append(over.enter_context(socket.socket(socket.AF_UNIX)))
            callers[-1].connect(local_address("window", folder))
            with suppress(ConnectionError):  # it may be hung up on before
                callers[-1].sendall(said)
        yield callers


@pytest.mark.posix("raw bytes over a Unix socket")
def test_callers_that_say_too_much_too_little_or_nothing_keep_nobody_waiting(
    echo: list[Message], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance, "_ANSWER_S", 10 * PATIENCE_S)  # so long they are listened to
    with strangers(tmp_path):
        assert raise_other(tmp_path)
        assert ask(tmp_path, {"do": "go on"}, PATIENCE_S) is not None
    assert len(echo) == 1


@pytest.mark.posix("raw bytes over a Unix socket")
def test_callers_that_say_too_much_too_little_or_nothing_are_hung_up_on(
    echo: list[Message], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance, "_ANSWER_S", 0.05)
    with strangers(tmp_path) as callers:
        for caller in callers:
            caller.settimeout(PATIENCE_S)
            with suppress(ConnectionResetError):
                assert caller.recv(1) == b""  # without a word
    assert not echo


def test_a_request_or_an_answer_past_its_bound_is_no_message(tmp_path: Path) -> None:
    first = _listening(tmp_path, lambda request: {"long": "x" * int(str(request["long"]))}, lambda: None)
    room = MOST_ANSWERED - len('{"long": ""}')
    assert ask(tmp_path, {"long": room}, PATIENCE_S) == {"long": "x" * room}
    assert ask(tmp_path, {"long": room + 1}, PATIENCE_S) is None
    with pytest.raises(ValueError, match="too long"):
        ask(tmp_path, {"long": "x" * MOST_ASKED}, PATIENCE_S)
    first.release()


def test_nobody_waits_longer_than_said_for_a_program_that_does_not_answer(tmp_path: Path) -> None:
    held = threading.Event()
    first = _listening(tmp_path, lambda _: {"late": held.wait(PATIENCE_S)}, lambda: None)
    assert ask(tmp_path, {"do": "wait"}, 0.3) is None
    assert raise_other(tmp_path)  # others are answered meanwhile
    held.set()
    first.release()


@pytest.mark.posix("a file has rights of its own")
def test_the_socket_is_for_its_owner_alone_and_nobody_is_answered_after_the_end(
    echo: list[Message], tmp_path: Path
) -> None:
    where = Path(local_address("window", tmp_path))
    assert stat.S_IMODE(where.stat().st_mode) == 0o600
    first = _listening(tmp_path / "other", lambda _: {}, lambda: None)
    first.release()
    begun = time.monotonic()
    assert ask(tmp_path / "other", {"do": "go on"}, 2 * PATIENCE_S) is None
    assert time.monotonic() - begun < PATIENCE_S
