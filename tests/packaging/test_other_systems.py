"""What differs between systems, played: Windows and macOS where Linux runs, and Linux where others do.

Only the system's own parts are played (its name, modules that only it has); what is tested is the program's. What a
person sees of it is in test_other_desktops.py, and there a list of all places that ask for the system.
"""

from __future__ import annotations

import ctypes
import errno
import importlib.util
import json
import os
import re
import socket
import struct
import subprocess
import sys
import threading
import types
from contextlib import suppress
from pathlib import Path, PureWindowsPath
from typing import Any

import platformdirs
import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows
from pytestqt.qtbot import QtBot

from petstore_desktop import clock, credentials, data_folder, instance, platform_support, threads
from petstore_desktop.demo import server
from petstore_desktop.domain.errors import AlreadyRunning
from petstore_desktop.session import keyring_process
from petstore_desktop.session.session import USER_AGENT
from tests.packaging.playing import Played, refused
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
EACH_SYSTEM_S = [module for modules in credentials.BACKENDS.values() for module in modules]


# -- files and folders


@pytest.mark.usefixtures("windows")
def test_windows_says_in_its_own_way_that_nobody_reads_a_pipe() -> None:
    assert platform_support.is_reader_gone(OSError(errno.EINVAL, "Invalid argument"))
    assert platform_support.is_reader_gone(BrokenPipeError(errno.EPIPE, "Broken pipe"))
    assert not platform_support.is_reader_gone(OSError(errno.EINVAL, "Invalid argument", "a file"))
    assert not platform_support.is_reader_gone(OSError(errno.ENOSPC, "No space left"))


def test_elsewhere_an_invalid_argument_is_no_closed_pipe() -> None:
    assert not platform_support.is_reader_gone(OSError(errno.EINVAL, "Invalid argument"))


@pytest.mark.usefixtures("windows")
def test_windows_writes_files_whole_without_opening_folders(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    platform_support.make_private_directory(folder)
    platform_support.write_whole(folder / "preferences.json", b"one\ntwo\r\n")
    assert (folder / "preferences.json").read_bytes() == b"one\ntwo\r\n"
    assert [path.name for path in folder.iterdir()] == ["preferences.json"]
    platform_support.sync_directory(tmp_path)


@pytest.mark.usefixtures("windows")
def test_windows_leaves_the_rights_of_files_to_the_profile(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(0o644)
    platform_support.make_private(file)
    assert file.stat().st_mode & 0o777 == 0o644


def test_elsewhere_files_are_their_owner_s(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(0o644)
    platform_support.make_private(file)
    assert file.stat().st_mode & 0o777 == 0o600


class WindowsFolder(PureWindowsPath):
    """A folder of Windows that is what it is."""

    def resolve(self) -> WindowsFolder:
        return self


@pytest.mark.parametrize(
    ("folder", "kind", "remote"),
    [
        ("C:\\people\\kim\\AppData\\Local\\petstore-desktop", 3, False),
        ("Z:\\petstore-desktop", 4, True),
        ("\\\\server\\share\\petstore-desktop", 3, True),
    ],
)
@pytest.mark.usefixtures("windows")
def test_windows_says_which_drives_are_of_another_computer(
    folder: str, kind: int, remote: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    kernel = types.SimpleNamespace(GetDriveTypeW=lambda root: asked.append(root) or kind)
    monkeypatch.setattr(ctypes, "windll", types.SimpleNamespace(kernel32=kernel), raising=False)
    played: Any = WindowsFolder(folder)
    assert platform_support.lies_on_network(played) is remote
    assert asked in ([], [folder[:3]])


def test_windows_ends_the_process_without_having_libraries_tidy_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """There `os._exit` runs the last words of each library while threads are inside it: Qt complained of them."""

    class EndedError(Exception):
        pass

    def end(process: ctypes.c_void_p, code: int) -> None:
        raise EndedError(process.value, code)

    monkeypatch.setattr(threads, "os", Played(os, name="nt", _exit=refused))
    kernel = types.SimpleNamespace(TerminateProcess=end)
    monkeypatch.setattr(ctypes, "windll", types.SimpleNamespace(kernel32=kernel), raising=False)
    with pytest.raises(EndedError) as ended:
        threads.run_to_end(lambda: 7)
    assert ended.value.args == (ctypes.c_void_p(-1).value, 7)


def test_macos_says_nothing_of_mounts_and_nothing_is_assumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform_support, "_MOUNTS", tmp_path / "no-such-file")
    assert not platform_support.lies_on_network(tmp_path)


@pytest.mark.parametrize(
    ("system", "place"),
    [(Unix, ".local/share/petstore-desktop"), (MacOS, "Library/Application Support/petstore-desktop"), (Windows, None)],
)
def test_data_lies_where_each_system_keeps_it_in_a_folder_of_the_program_s_name(
    system: type[Unix], place: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "AppData" / "Local"))
    monkeypatch.setattr(platformdirs, "PlatformDirs", system)
    if system is Windows:
        monkeypatch.setattr("platformdirs.windows.get_win_folder", lambda _: os.environ["LOCALAPPDATA"])
    expected = tmp_path / (place or "AppData/Local/petstore-desktop")
    assert data_folder.data_directory(None) == expected
    assert data_folder.data_directory(str(tmp_path / "own")) == tmp_path / "own"


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "LPT9", "a:b", "a/b", "a\\b", "dots...", "tr. ", '?*<>|"'])
def test_a_connection_of_any_name_has_a_folder_that_windows_takes(name: str) -> None:
    made = data_folder.slug(name)
    assert re.fullmatch(r"[a-z0-9-]+", made)
    assert made.upper() not in {"CON", "PRN", "AUX", "NUL", *(f"{one}{n}" for one in ("COM", "LPT") for n in range(10))}


# -- locks


class Msvcrt(types.ModuleType):
    """The locks of Windows: one byte of a file for one holder; another is refused at once, or after ten tries."""

    LK_NBLCK = 2

    def __init__(self, refusal: int = errno.EACCES) -> None:
        super().__init__("msvcrt")
        self.held: dict[int, int] = {}
        self.refusal = refusal

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == 0  # always the same byte
        file = os.fstat(descriptor).st_ino
        if self.held.get(file) != descriptor and is_open(self.held.get(file, -1), file):
            raise OSError(self.refusal, "locked")
        self.held[file] = descriptor


def is_open(descriptor: int, file: int) -> bool:
    try:
        return descriptor >= 0 and os.fstat(descriptor).st_ino == file
    except OSError:
        return False


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("refusal", [errno.EACCES, errno.EDEADLK])
def test_a_lock_of_windows_is_one_program_s_until_it_ends(
    refusal: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt(refusal))
    (tmp_path / "lock").write_bytes(b"of an older version")
    held = platform_support.take_lock(tmp_path / "lock")
    assert held is not None
    assert platform_support.take_lock(tmp_path / "lock") is None
    held.close()
    again = platform_support.take_lock(tmp_path / "lock")
    assert again is not None
    again.close()


@pytest.mark.usefixtures("windows")
def test_an_error_of_a_lock_of_windows_that_is_no_refusal_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt(errno.EIO))
    held = platform_support.take_lock(tmp_path / "lock")
    assert held is not None
    with pytest.raises(OSError, match="locked"):
        platform_support.take_lock(tmp_path / "lock")
    held.close()


@pytest.mark.usefixtures("windows")
def test_a_brief_lock_of_windows_is_held_alone_and_waited_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt())
    monkeypatch.setattr(platform_support, "LOCK_S", 0.0)
    lock = tmp_path / "lock"
    with (
        platform_support.brief_lock(lock, alone=False),
        pytest.raises(OSError, match="another program holds it"),
        platform_support.brief_lock(lock, alone=False),
    ):
        raise AssertionError("two hold it")
    with platform_support.brief_lock(lock, alone=True):
        pass


@pytest.mark.usefixtures("windows")
def test_windows_holds_no_folder_because_its_files_cannot_be_deleted_while_they_are_held(tmp_path: Path) -> None:
    assert platform_support.take_folder(tmp_path) == -1


# -- programs that meet


@pytest.mark.usefixtures("windows")
def test_programs_of_windows_meet_at_a_pipe_of_their_folder(tmp_path: Path) -> None:
    one = platform_support.local_address("window", tmp_path)
    assert re.fullmatch(r"\\\\\.\\pipe\\petstore-desktop-window-[0-9a-f]{16}", one)
    assert one == platform_support.local_address("window", tmp_path / "x" / "..")
    assert one != platform_support.local_address("window", tmp_path / "x")
    assert len(platform_support.local_address("window", tmp_path / ("long" * 100))) < 256


@pytest.fixture
def pipes(windows: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Windows with its locks, and its pipes played by sockets: messages come whole there too."""
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt())
    monkeypatch.setattr(instance, "local_address", lambda name, folder, **_: str(folder / f"{name}.pipe"))
    return tmp_path


def test_a_second_start_on_windows_raises_the_first_and_a_command_is_answered(pipes: Path, qtbot: QtBot) -> None:
    raised = threading.Event()
    first = instance.Instance(pipes)
    first.listen(raised.set, lambda request: {"echo": request["say"]})
    qtbot.waitUntil((pipes / "window.pipe").exists)
    with pytest.raises(AlreadyRunning):
        instance.Instance(pipes)
    assert instance.raise_other(pipes)
    assert raised.wait(PATIENCE_S)
    assert instance.ask(pipes, {"say": "ä" * 10_000}, PATIENCE_S) == {"echo": "ä" * 10_000}
    first.release()
    instance.Instance(pipes).release()


def test_nobody_on_windows_waits_longer_than_said_and_too_long_answers_are_none(pipes: Path) -> None:
    listening = instance._listen_at(str(pipes / "window.pipe"))
    calls: list[instance.Call] = []
    thread = threading.Thread(target=lambda: calls.append(listening.accept()))
    thread.start()
    assert instance.ask(pipes, {"say": 1}, 0.2) is None
    thread.join()
    thread = threading.Thread(target=answer_too_long, args=(listening,))
    thread.start()
    assert instance.ask(pipes, {"say": 1}, 5) is None
    thread.join()
    listening.close()


def answer_too_long(listening: Any) -> None:
    """Answer a caller with more than it takes; it hangs up at once."""
    with listening.accept() as line, suppress(OSError):
        line.send(b"x" * (instance.MOST_ANSWERED + 1), 5)


def test_macos_cannot_tell_whose_a_socket_is_and_the_socket_s_rights_do(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = socket.socketpair()
    monkeypatch.delattr(socket, "SO_PEERCRED", raising=False)
    platform_support.refuse_other_user(one)
    one.close()
    two.close()


def test_linux_refuses_another_user_and_takes_the_own(monkeypatch: pytest.MonkeyPatch) -> None:
    class Peer:
        user = os.getuid() + 1  # house: platform - whose it is is the case

        def getsockopt(self, *_: int) -> bytes:
            return struct.pack("3i", 1, self.user, 1)

    monkeypatch.setattr(socket, "SO_PEERCRED", 17, raising=False)
    peer: Any = Peer()
    with pytest.raises(PermissionError):
        platform_support.refuse_other_user(peer)
    peer.user = os.getuid()  # house: platform - whose it is is the case
    platform_support.refuse_other_user(peer)


@pytest.mark.parametrize(("system", "shares"), [("linux", True), ("darwin", True), ("win32", False)])
def test_two_demo_shops_never_share_a_port(system: str, shares: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "sys", Played(sys, platform=system))
    with server.listen(0) as listening:
        assert bool(listening.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)) is shares
        with pytest.raises(OSError, match="in use"):
            server.listen(listening.getsockname()[1])


# -- memory, clocks, screens


@pytest.mark.parametrize("system", ["darwin", "win32", "freebsd14"])
def test_only_linux_is_asked_to_give_back_memory(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform_support, "sys", Played(sys, platform=system))
    monkeypatch.setattr(ctypes, "CDLL", refused)
    platform_support.give_back_memory()


def test_a_linux_with_another_c_library_gives_back_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform_support, "sys", Played(sys, platform="linux"))
    monkeypatch.setattr(ctypes, "CDLL", lambda _: types.SimpleNamespace())
    platform_support.give_back_memory()


def test_without_the_kernel_s_word_no_two_runs_are_of_one_boot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "Path", lambda _: Path("no such file"))
    said = []
    for _ in range(2):
        clock._boot_id.cache_clear()
        said.append(clock.SystemClock().now().boot_id)
        assert clock.SystemClock().now().boot_id == said[-1]
    clock._boot_id.cache_clear()
    assert said[0] != said[1]


def test_a_system_without_a_clock_of_the_boot_has_a_steady_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("time.CLOCK_BOOTTIME", raising=False)
    one, two = (clock.SystemClock().now().steady for _ in range(2))
    assert 0 <= two - one < 5


def test_the_service_is_told_which_system_asks() -> None:
    assert re.fullmatch(r"petstore-desktop/\d+\.\d+\.\d+ \(\w+\)", USER_AGENT)


# -- the keyring


def vault(module: str, priority: float) -> type:
    """A kind of keyring, as one system has it, that says it is of this module."""
    return type("Keyring", (), {"__module__": module, "priority": priority})


@pytest.mark.parametrize("module", sorted(EACH_SYSTEM_S))
def test_each_system_s_own_keyring_is_taken_and_none_that_writes_files(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = vault(module, 5)
    others = [vault("keyrings.alt.file", 9), vault("keyring.backends.null", 10), vault("keyring.backends.chainer", 10)]
    monkeypatch.setattr("keyring.backend.KeyringBackend.get_viable_backends", lambda: [*others, own])
    assert isinstance(keyring_process._backend(keyring_process._kinds(EACH_SYSTEM_S), EACH_SYSTEM_S), own)
    monkeypatch.setattr("keyring.backend.KeyringBackend.get_viable_backends", lambda: others)
    with pytest.raises(keyring_process._NoBackendError):
        keyring_process._backend(keyring_process._kinds(EACH_SYSTEM_S), EACH_SYSTEM_S)


def test_keyrings_of_all_systems_are_where_the_library_has_them() -> None:
    assert all(importlib.util.find_spec(name) for name in EACH_SYSTEM_S)


def test_a_system_is_asked_by_its_own_keyrings_alone() -> None:
    """To import the others takes as long again as the question."""
    order = {"do": "read", "service": "x", "names": ["x"], "allowed": sorted(credentials.ALLOWED)}
    code = "import os, sys; os._exit = lambda _: sys.exit(' '.join(sys.modules)); import runpy; "
    line = [
        sys.executable,
        "-c",
        f"{code} runpy.run_module('petstore_desktop.session.keyring_process', None, '__main__')",
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(line, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as asked:
        assert asked.stdin is not None and asked.stdout is not None and asked.stderr is not None
        asked.stdin.write(json.dumps(order).encode() + b"\n")
        asked.stdin.flush()
        assert asked.stdout.readline() == b"\n"  # it begins to ask
        assert json.loads(asked.stdout.readline())
        imported = set(re.findall(r"keyring\.backends\.\w+", asked.stderr.readline().decode()))
    assert imported - {"keyring.backends.fail"} == credentials.ALLOWED


def test_on_windows_the_keyring_s_process_opens_no_console(monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, Any] = {}
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x08000000, raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **options: said.update(options, command=command))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    credentials._start()
    assert said["creationflags"] == 0x08000000
    assert said["command"] == [sys.executable, "--ask-keyring"]
