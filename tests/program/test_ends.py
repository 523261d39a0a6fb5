"""However busy its threads are, the program ends by itself: never by a signal, and never after a long wait. Only the
end of a process shows it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.program._ending import CODE
from tests.program.running import environment, until
from tests.support.patience import PATIENCE_S
from tests.support.xtest import XServer, can_run

ROOT = Path(__file__).resolve().parents[2]


def test_no_thread_ends_the_program_by_a_signal() -> None:
    """Python's own end is met by one in half of the runs. `packaging/dev.py long quits` quits 300 times."""
    command = [sys.executable, "-m", "tests.program._ending", "busy"]
    assert subprocess.run(command, cwd=ROOT, timeout=PATIENCE_S, check=False).returncode == CODE


def test_a_silent_server_of_names_keeps_nothing_alive() -> None:
    command = [sys.executable, "-m", "tests.program._ending", "silent"]
    done = subprocess.run(command, cwd=ROOT, timeout=PATIENCE_S, check=False)  # the server is silent for far longer
    assert done.returncode == CODE


def test_what_a_thread_is_writing_is_on_the_disk_at_the_end(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.program._ending", "writes", str(tmp_path / "file")]
    assert subprocess.run(command, cwd=ROOT, timeout=PATIENCE_S, check=False).returncode == CODE
    assert (tmp_path / "file").read_text("utf-8") == "whole"


@pytest.mark.parametrize("after_ms", [0, 300])
def test_who_is_told_to_end_at_the_start_ends_well(after_ms: int, tmp_path: Path) -> None:
    data = tmp_path / "data"
    command = [sys.executable, "-m", "petstore_desktop", "--data-dir", str(data), "--demo"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment(), stderr=subprocess.PIPE)
    until((data / "running.lock").exists, "the start takes its folder")
    time.sleep(after_ms / 1000)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, said) == (0, b"")


COPIED = """
import sys
from petstore_desktop.app import Program, Start
program = Program(Start(data_dir=sys.argv[1]))
from PySide6.QtGui import QGuiApplication
program.open()
QGuiApplication.clipboard().setText("Koi")
program.application.processEvents()
assert QGuiApplication.clipboard().ownsClipboard()
program.close()
"""


def test_a_program_that_something_was_copied_in_ends_well(tmp_path: Path) -> None:
    if not can_run():
        pytest.skip("no Xvfb, or no library of XTest")
    with XServer() as server:
        screen = {**environment(), "DISPLAY": server.name, "QT_QPA_PLATFORM": "xcb"}
        command = [sys.executable, "-c", COPIED, str(tmp_path / "data")]
        done = subprocess.run(command, cwd=ROOT, env=screen, capture_output=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
