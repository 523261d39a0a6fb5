"""A file that somebody reads is replaced, moved, removed and opened as soon as that one is done, within a bound.

What Windows refuses meanwhile is played where it is not: the calls of the system fail as they do there.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop import held_files
from petstore_desktop.data_folder import Places, set_aside
from petstore_desktop.exchange.whole_file import keep_whole
from petstore_desktop.platform_support import storage_code, write_whole
from petstore_desktop.regular_files import read_looked_at, read_regular
from petstore_desktop.session.forgetting import remove_files
from tests.support.patience import PATIENCE_S

ACCESS_DENIED, SHARING_VIOLATION = 5, 32


def refusal(winerror: int | None) -> OSError:
    """What Windows raises: the number of its own stands beside that of the C library."""
    error = OSError(errno.EACCES, "Access is denied", None, winerror)
    if os.name != "nt":  # elsewhere it has no such part
        error.__dict__["winerror"] = winerror
    return error


def refusing(monkeypatch: pytest.MonkeyPatch, name: str, times: int, error: OSError) -> list[int]:
    """Have a call of the system refuse so many times; returns the list of all its calls."""
    real: Callable[..., Any] = getattr(os, name)
    calls: list[int] = []

    def call(*given: Any, **named: Any) -> Any:
        calls.append(len(calls))
        if len(calls) <= times:
            raise error
        return real(*given, **named)

    monkeypatch.setattr(os, name, call)
    return calls


def replace(folder: Path) -> None:
    write_whole(folder / "file", b"new")
    assert (folder / "file").read_bytes() == b"new"


def export(folder: Path) -> None:
    keep_whole(folder / "file", b"new", over=True)
    assert (folder / "file").read_bytes() == b"new"


def put_aside(folder: Path) -> None:
    aside = set_aside(folder / "file", read_looked_at(folder / "file", 10)[1])
    assert aside is not None
    assert aside.read_bytes() == b"old"


def remove(folder: Path) -> None:
    held_files.remove(folder / "file")
    assert not (folder / "file").exists()


def forget(folder: Path) -> None:
    places = Places(folder)
    places.connection("shop").mkdir(parents=True)
    (places.connection("shop") / "mirror.db").touch()
    remove_files(places, "shop")
    assert not places.connection("shop").exists()


@pytest.mark.parametrize("winerror", [ACCESS_DENIED, SHARING_VIOLATION])
@pytest.mark.parametrize(
    ("act", "name"),
    [
        (replace, "replace"),
        (export, "replace"),
        (put_aside, "replace"),
        (remove, "unlink"),
        (forget, "unlink"),
    ],
)
def test_what_windows_refuses_while_a_file_is_read_is_tried_again(
    act: Callable[[Path], None], name: str, winerror: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"old")
    calls = refusing(monkeypatch, name, 3, refusal(winerror))
    act(tmp_path)
    assert len(calls) > 3


def test_a_file_that_is_read_is_carried_to_another_disk_and_is_not_left_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"old")
    refusing(monkeypatch, "rename", 1_000_000, OSError(errno.EXDEV, "another disk"))
    calls = refusing(monkeypatch, "unlink", 3, refusal(SHARING_VIOLATION))
    held_files.carry(tmp_path / "file", tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere"]
    assert len(calls) == 4


def test_a_file_that_is_just_replaced_is_opened_when_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"new")
    calls = refusing(monkeypatch, "open", 3, refusal(SHARING_VIOLATION))
    assert read_regular(tmp_path / "file", 10) == b"new"
    assert len(calls) == 4


def test_what_stays_refused_is_refused_and_nothing_is_left_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(held_files, "HELD_S", 0.05)
    calls = refusing(monkeypatch, "replace", 1_000_000, refusal(SHARING_VIOLATION))
    with pytest.raises(PermissionError) as refused:
        write_whole(tmp_path / "file", b"new")
    assert len(calls) > 1
    assert storage_code(refused.value) == "locked"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), OSError(errno.EROFS, "read-only")])
def test_what_waiting_does_not_help_is_refused_at_once(
    error: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = refusing(monkeypatch, "replace", 1, error)
    with pytest.raises(OSError, match=str(error.strerror)):
        write_whole(tmp_path / "file", b"new")
    assert len(calls) == 1


def test_a_file_that_a_thread_reads_is_replaced_once_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        writer = threading.Thread(target=write_whole, args=(path, b"new"))
        writer.start()
        assert reader.read() == b"old"
    writer.join(PATIENCE_S)
    assert path.read_bytes() == b"new"
