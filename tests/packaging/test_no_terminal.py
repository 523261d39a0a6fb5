"""A program that an icon started, where nobody reads stderr: a window says what keeps it from starting, and a second
start is no error."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from petstore_desktop.data_folder import Places
from petstore_desktop.instance import raise_other
from tests.house.trees import ROOT
from tests.support.patience import PATIENCE_S

START = """
import os, sys, threading, time
told = os.fdopen(3, "w")
if sys.argv[1] == "none":
    sys.stdout = sys.stderr = None
elif sys.argv[1] == "bundle":
    sys.frozen = True
def look():
    box = QApplication.activeModalWidget()
    if isinstance(box, QMessageBox):
        told.write(f"{box.text()}|{box.informativeText()}")
        told.flush()
        box.accept()
def read():
    while True:
        application = QApplication.instance()
        if application is not None:
            QTimer.singleShot(0, application, look)
        time.sleep(0.1)
if sys.argv[2] == "look":
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QMessageBox
    threading.Thread(target=read, daemon=True).start()
from petstore_desktop.cli import main
sys.exit(main(sys.argv[3:]))
"""
"""Runs the program as an icon would; a person reads the box, if there is one, and closes it."""


def start(how: str, *arguments: str, look: str = "look", stderr: int | None = subprocess.PIPE) -> tuple[int, str]:
    """Its exit code, and what the box said."""
    read, write = os.pipe()
    command = ["bash", "-c", f'exec 3>&{write}; exec "$@"', "-", sys.executable, "-c", START, how, look, *arguments]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":none"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=stderr, pass_fds=(write,)) as process:
        os.close(write)
        process.wait(PATIENCE_S)
    with os.fdopen(read) as said:
        return process.returncode, said.read()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [(["--connection", "no such"], 1, "no such"), (["--no-such-option"], 2, "Unrecognized arguments")],
)
def test_without_stderr_a_window_says_what_is_wrong(arguments: list[str], code: int, said: str, tmp_path: Path) -> None:
    ended, box = start("none", "--data-dir", str(tmp_path), *arguments)
    assert ended == code
    assert box.startswith("The program could not start.|")
    assert said in box
    assert "Traceback" not in box


def test_a_command_without_stderr_opens_no_window_that_nobody_would_close(tmp_path: Path) -> None:
    assert start("none", "--data-dir", str(tmp_path), "sync", "no such") == (1, "")


def test_where_the_systems_log_takes_stderr_a_bundle_says_it_in_a_window_and_in_the_log(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ended, box = start("bundle", "--data-dir", str(tmp_path), "--connection", "no such", stderr=theirs.fileno())
        ours.settimeout(PATIENCE_S)
        logged = ours.recv(10_000).decode()
    assert (ended, "no such" in box, "no such" in logged) == (1, True, True)


def test_where_a_person_reads_stderr_there_is_no_window(tmp_path: Path) -> None:
    assert start("terminal", "--data-dir", str(tmp_path), "--connection", "no such") == (1, "")


def test_a_second_start_without_stderr_raises_the_first_window_and_ends_well(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "petstore_desktop", "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, env=environment) as first:
        end = time.monotonic() + PATIENCE_S
        while not raise_other(Places(tmp_path).data) and time.monotonic() < end:
            time.sleep(0.05)
        assert start("none", "--data-dir", str(tmp_path), look="away") == (0, "")
        first.terminate()
        assert first.wait(PATIENCE_S) == 0
