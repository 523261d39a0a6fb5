"""The pulse of a window finds out who waits in it, and forgives what the machine did."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from pytestqt.qtbot import QtBot

from tests.support.pulse import Pulse


@pytest.fixture
def pulse(qtbot: QtBot) -> Iterator[Pulse]:
    felt = Pulse()
    yield felt
    felt.stop()


def beats(pulse: Pulse, enough: Callable[[], bool] = lambda: True, count: int = 50) -> None:
    """One run of a loop, as a program has it, until it has turned so often and there is enough."""
    before, loop, look = pulse.beats, QEventLoop(), QTimer(interval=1)

    def looked() -> None:
        if pulse.beats > before + count and enough():
            loop.quit()

    look.timeout.connect(looked)
    look.start()
    loop.exec()


TIMES = 5
"""So often something is played at most: where others have the processor meanwhile, what was waited for is forgiven."""


def test_a_loop_that_turns_has_a_pulse_and_nothing_to_hide(pulse: Pulse) -> None:
    beats(pulse)
    assert pulse.read()["stills"] == []


def test_who_waits_in_the_gui_thread_is_counted(pulse: Pulse) -> None:
    waited: list[bool] = []

    def wait() -> None:
        waited.append(True)
        time.sleep(0.8)  # what a keyring does to whoever asks it there

    for time_ in range(TIMES):
        QTimer.singleShot(20, wait)
        beats(pulse, lambda now=time_: len(waited) > now)
        seen = pulse.read()
        if seen["stills"] and seen["waits"]:
            return
    pytest.fail(f"nobody was counted: {seen}")


@pytest.mark.posix("a process can be stopped from outside")
def test_a_process_that_is_not_let_run_did_not_stand_still_by_itself(pulse: Pulse) -> None:
    stop = f"kill -STOP {os.getpid()}; sleep 0.5; kill -CONT {os.getpid()}"
    stopping: list[subprocess.Popen[bytes]] = []
    QTimer.singleShot(20, lambda: stopping.append(subprocess.Popen(["sh", "-c", stop])))
    beats(pulse, lambda: bool(stopping) and stopping[0].poll() is not None)
    seen = pulse.read()
    assert seen["stills"] == []
    assert seen["worst"] > 200


def test_who_computes_in_the_gui_thread_without_letting_others_run_is_counted(pulse: Pulse) -> None:
    computed: list[int] = []

    def compute() -> None:
        end = time.thread_time() + 0.3
        while time.thread_time() < end:
            computed[:] = [sum(range(200_000))]  # one call holds the interpreter's lock

    for _ in range(TIMES):
        computed.clear()
        QTimer.singleShot(20, compute)
        beats(pulse, lambda: bool(computed))
        seen = pulse.read()
        if any(length > 250 for length in seen["stills"]) and not seen["waits"]:
            return
    pytest.fail(f"nobody was counted: {seen}")
