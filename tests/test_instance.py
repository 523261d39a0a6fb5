"""One program for each data directory; a second one finds the first."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Client
from pathlib import Path

import pytest

from petstore_desktop.domain.errors import AlreadyRunning, StorageError
from petstore_desktop.instance import Instance, raise_other
from petstore_desktop.platform_support import local_address
from tests.support.kill_hard import kill_hard
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
    assert raised.wait(10)
    with Client(local_address("window", tmp_path)) as stranger:
        stranger.send_bytes(b"something else entirely")
    assert raise_other(tmp_path)  # it listens on
    first.release()
    Instance(tmp_path).release()


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


def test_a_socket_of_a_long_folder_lies_elsewhere_under_a_short_name(tmp_path: Path) -> None:
    near, far = local_address("window", tmp_path / "a"), local_address("window", tmp_path / ("long" * 40))
    assert Path(near).parent == tmp_path / "a"
    assert len(far) < 100
    assert far != local_address("window", tmp_path / ("long" * 41))
