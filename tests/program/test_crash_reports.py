"""What a crash leaves on disk, and what the next start shows of it: real programs, really ended."""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from petstore_desktop.adapters.crash_reports import KEPT, MOST_BYTES, CrashReports
from tests.program.running import Running, command, until
from tests.program.small_disk import small_disk
from tests.support.shop import Shop

KEY = "a-key-that-no-report-may-hold-4711"
NAME = "Riverside Pets"
RECORD = "Frau Schmidt's canary"
LAST_TIME = "Pet Store Desktop did not end as it should the last time."


@pytest.fixture(autouse=True)
def none_left() -> Iterator[None]:
    """Afterwards none of them is part of this process's log, and a crash of the tests is written where it was."""
    yield
    for handler in [one for one in logging.getLogger().handlers if isinstance(one, CrashReports)]:
        handler.close()
    faulthandler.enable(sys.__stderr__ or sys.stderr)


def reports(data: Path) -> list[Path]:
    return sorted((data / "log").glob("crash-*.txt"))


def left(data: Path) -> list[str]:
    """The reports that nobody has seen. A program that marks them as seen meanwhile gives them other names."""
    found: list[str] = []
    for path in reports(data):
        if path.name.endswith(".new.txt"):
            with suppress(FileNotFoundError):
                found.append(path.read_text("ascii"))
    return found


def connected(shop: Shop, data: Path) -> Path:
    command("connect", NAME, "--url", shop.url, "--data-dir", str(data), key=KEY)
    return data


def told(program: Running) -> str:
    """What the dialog of the next start would copy, which a strip above the lists opens; the dialog is closed."""
    assert LAST_TIME in "\n".join(program.wait("widget", "crashStrip")["words"])
    assert not program.ask("dialogs"), "nobody's work waits for it"
    program.ask("click", "Show the report")
    program.wait("widget", "errorDialog")
    assert LAST_TIME in program.ask("widget", "errorDialog")["words"]
    program.ask("click", "Copy")
    said = program.ask("clipboard")
    program.ask("press", "Escape")
    until(lambda: not program.ask("dialogs"), "closed")
    return said


def test_a_crash_is_shown_once_at_the_next_start_and_an_error_that_was_shown_is_not(tmp_path: Path) -> None:
    """Signals end a process: one that has met errors in three threads before, then one that has met none."""
    with Shop(tmp_path / "shop", key=KEY, plan="unlimited", pets=20) as shop:
        data = connected(shop, tmp_path / "data")
        with Running(data, key=KEY) as program:
            program.wait("rows", "pets")
            until((data / "log" / "crash-running").exists, "reports are written")
            for number, where in enumerate(("window", "thread", "sync"), 1):
                program.ask("fail", where, f"{RECORD} Authorization: Bearer {KEY}")
                until(lambda number=number: len(left(data)) == number, f"a report from {where}")
            program.ask("fail", "abort", "")
            program.process.wait()
        with Running(data, key=KEY) as program:
            first = told(program)
            assert first.count("FailedForTheTest") == 3
            for place in ("in fail_now", "In helper:", "petstore_desktop/sync/", "petstore_desktop/app.py:"):
                assert place in first
            assert "Fatal Python error: Aborted" in first
            assert "Pet Store Desktop 0." in first and "Qt 6." in first
            until(lambda: not list((data / "log").glob("crash-*.new.txt")), "marked as seen")
            program.ask("fail", "null", "")
            program.process.wait()
        with Running(data, key=KEY) as program:
            second = told(program)
            assert "Fatal Python error: Segmentation fault" in second
            assert "Aborted" not in second and "FailedForTheTest" not in second
            until(lambda: not left(data), "marked as seen")
            program.ask("fail", "window", RECORD)
            program.wait("widget", "errorDialog")
            program.ask("press", "Return")
            until(lambda: not program.ask("dialogs"), "closed")
            assert program.quit() == 0
        written = [path.read_text("ascii") for path in reports(data)]
        assert len(written) == 6 and left(data) == []
    for secret in (KEY, "Schmidt", "canary", str(Path.home()), str(tmp_path), str(Path(__file__).parents[2])):
        assert not any(secret in text for text in (first, second, *written))


def test_a_kill_is_no_crash(tmp_path: Path) -> None:
    CrashReports(tmp_path / "log").begin()
    assert (tmp_path / "log" / "crash-running").exists()
    found = CrashReports(tmp_path / "log")
    assert found.begin() == ""
    found.close()
    assert not (tmp_path / "log" / "crash-running").exists()


def test_a_report_that_nobody_closed_is_shown_again(tmp_path: Path) -> None:
    found = CrashReports(tmp_path / "log")
    found.begin()
    found.keep(error(), "the start")
    (report,) = left(tmp_path)
    for _ in range(2):
        found = CrashReports(tmp_path / "log")
        assert found.begin() == report
        found.keep(error(), "a thread")
        found.close()
    assert left(tmp_path) == [report]
    found.mark_seen()
    assert left(tmp_path) == []


def test_a_full_disk_costs_the_report_and_nothing_else(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        found = CrashReports(disk.folder / "log")
        found.begin()
        disk.fill()
        found.keep(error(), "a thread")
        found.mark_seen()
        assert not disk.mounted or reports(disk.folder) == []
        disk.empty()
        found.keep(error(), "a thread")
        assert "ValueError" in left(disk.folder)[-1]
        found.close()


def error() -> BaseException:
    try:
        raise ValueError(RECORD)
    except ValueError as caught:
        return caught


def folder_is_a_file(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_bytes(b"")


def running_is_a_folder(folder: Path) -> None:
    (folder / "crash-running").mkdir(parents=True)


def foreign(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "crash-running").write_bytes(b"\xff" * (MOST_BYTES + 1) + f"\nFatal Python error: {RECORD}\n".encode())


@pytest.mark.parametrize("odd", [folder_is_a_file, running_is_a_folder, foreign])
def test_what_others_left_in_its_place_is_shown_to_nobody(tmp_path: Path, odd: Callable[[Path], None]) -> None:
    odd(tmp_path / "data" / "log")
    found = CrashReports(tmp_path / "data" / "log")
    assert found.begin() == ""
    found.keep(error(), "a thread")
    found.close()
    assert all(RECORD not in text for text in left(tmp_path / "data"))


def test_reports_are_bounded_in_size_and_number(tmp_path: Path) -> None:
    found = CrashReports(tmp_path / "log")
    found.begin()
    first = error()
    for _ in range(20):
        try:
            raise RuntimeError from first
        except RuntimeError as caught:
            first = caught
    for _ in range(KEPT + 2):
        found.keep(
            ExceptionGroup("many", [error() for _ in range(1000)] + [type("T" * 70_000, (Exception,), {})()]), ""
        )
        found.keep(first, "a thread" * 20_000)
    assert len(reports(tmp_path)) == KEPT
    assert all(path.stat().st_size <= MOST_BYTES for path in reports(tmp_path))
    found.close()
    found = CrashReports(tmp_path / "log")
    assert found.begin() == ""
    found.keep(error(), "a thread")
    assert len(reports(tmp_path)) == KEPT and len(left(tmp_path)) == 1
    found.close()


def test_only_the_owner_reads_a_report(tmp_path: Path) -> None:
    found = CrashReports(tmp_path / "log")
    found.begin()
    threads = [threading.Thread(target=found.keep, args=(error(), "one of many")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = reports(tmp_path)
    assert kept
    assert {path.stat().st_mode & 0o777 for path in (*kept, tmp_path / "log" / "crash-running")} == {0o600}
    found.close()
    assert left(tmp_path) == [] and len(reports(tmp_path)) == len(kept)
