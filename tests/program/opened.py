"""The program with its window in the process of the test, over the same folders, sockets and threads as ever.

with Opened(data, key=shop.key) as program:
    to_stock(program)
    assert program.quit() == 0

It is asked as a `Running` is, which is a process: for kills, signals, crashes, and two programs at a time.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSocketNotifier, QTimer, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import delete, getCppPointer, isValid

from petstore_desktop import app, cli, credentials
from petstore_desktop.api.gate import back_off
from petstore_desktop.threads import wait_for_writers
from petstore_desktop.ui.base import qt_setup
from petstore_desktop.ui.window import presence, window_state
from tests.program import acts, eyes, failures
from tests.program.puppet import HURRY, IDLE_MS, TODAY
from tests.program.running import environment, until
from tests.support.own_state import own_state
from tests.support.patience import PATIENCE_S
from tests.support.qt_threads import watched_threads


class Opened:
    """One window of the program, opened as its command line does; `errors` is what it wrote to stderr."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        key: str | None = None,
        env: Mapping[str, str | None] | None = None,
        no_wait: bool = False,
    ) -> None:
        self.data = data
        self._over = ExitStack()
        self._program: app.Program | None = None
        try:
            self._over.enter_context(own_state(environment(key, env)))
            self._over.enter_context(_own_qt())
            self._over.enter_context(_as_told(no_wait))
            self._watch = self._over.enter_context(watched_threads())
            self._begin(["--data-dir", str(data), *arguments])
            self.wait("ready")
        except BaseException:
            self._close()
            raise

    def _begin(self, arguments: list[str]) -> None:
        """The whole way from the command line to the window, except that its loop is turned by the test."""

        def hold(start: app.Start) -> int:
            self._program = app.Program(start)
            self._program.open()
            return 0

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(app, "run", hold)
            patch.setattr(sys, "argv", ["petstore-desktop", *arguments])
            code = cli.main()
        assert self._program is not None, f"no window, but exit code {code}"

    @property
    def program(self) -> app.Program:
        assert self._program is not None
        return self._program

    def ask(self, act: str, *arguments: object) -> Any:
        """Have something done in the window, or something seen there (a function of `acts`)."""
        QTest.qWait(0)
        done = next(getattr(one, act) for one in (acts, eyes, failures) if hasattr(one, act))
        answer = done(self.program, *arguments)
        QTest.qWait(0)
        return answer

    def wait(self, act: str, *arguments: object, deadline_s: float = PATIENCE_S) -> Any:
        """Ask until the answer is true, and return it."""
        return until(lambda: self.ask(act, *arguments), f"{act}{arguments}", deadline_s)

    def said(self) -> str:
        """Everything it wrote to its log."""
        files = self.data.glob("**/log/petstore.log")
        return "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files)

    def quit(self) -> int:
        """Close the window by key and wait for the end; the exit code."""
        given_up = QTimer()
        given_up.setSingleShot(True)
        given_up.timeout.connect(lambda: QApplication.exit(-1))
        given_up.start(round(1000 * PATIENCE_S))
        QTimer.singleShot(0, lambda: acts.press(self.program, "Ctrl+Q"))
        code = self.program.application.exec()
        assert code >= 0, f"it does not end; dialogs: {self.ask('dialogs')}; {self.said()}"
        self._close()
        return code

    def _close(self) -> None:
        program, self._program = self._program, None
        try:
            if program is not None:
                _put_away(program)
                program.close()
                wait_for_writers()
        finally:
            self._over.close()
        if hasattr(self, "_watch"):
            assert not self._watch.found, "\n".join(self._watch.found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()


def _put_away(program: app.Program) -> None:
    """Close the windows without a question."""
    if program.window is not None:
        program.window.close_now = True
    for window in QApplication.topLevelWidgets():
        window.close()
    for window in QApplication.topLevelWidgets():
        window.deleteLater()
    program.window = program.welcome = None
    QTest.qWait(0)


@contextmanager
def _as_told(no_wait: bool) -> Iterator[None]:
    """What the puppet of a process does for a test, see there."""
    with pytest.MonkeyPatch.context() as patch:
        if no_wait:
            patch.setattr(back_off, "pause_length", lambda *_, **__: 0.5)
        if TODAY not in os.environ:
            patch.setattr(window_state, "TODAY_FIRST_UNTOLD", "off")
        patch.setattr(presence, "IDLE_MS", IDLE_MS)
        patch.setattr(qt_setup, "keep_what_is_there", lambda: None)  # in this process it goes with the window
        if hurry := os.environ.get(HURRY):
            patch.setattr(credentials, "BOUND_S", float(hurry))
        yield


@contextmanager
def _own_qt() -> Iterator[None]:
    """What the program gives to the one application of Qt goes with it."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    before = {getCppPointer(one)[0] for one in application.children()}
    names = application.applicationName(), application.applicationDisplayName()
    style, palette = application.style().name(), application.palette()
    sheet, font = application.styleSheet(), application.font()
    handler = qInstallMessageHandler(None)
    qInstallMessageHandler(handler)
    try:
        yield
    finally:
        qInstallMessageHandler(handler)
        for one in application.children():
            is_own = isinstance(one, QTimer | QSocketNotifier) or type(one).__module__.startswith("petstore_")
            if isValid(one) and is_own and getCppPointer(one)[0] not in before:
                delete(one)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        application.setApplicationName(names[0])
        application.setApplicationDisplayName(names[1])
        application.setStyle(style)
        application.setPalette(palette)
        application.setFont(font)
        application.setStyleSheet(sheet)
        gc.collect(1)
