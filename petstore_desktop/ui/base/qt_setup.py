"""Set up Qt once: its log, and when Python collects garbage.

Its messages go to the log. Python looks for garbage in cycles in the window's thread only, when there is time; free
memory is given back to the system in a thread of its own, so that nothing waits for it.
"""

from __future__ import annotations

import itertools
import logging
import signal
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QMessageLogContext, QSocketNotifier, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from petstore_desktop.garbage import collect_here, keep_what_is_there
from petstore_desktop.platform_support import give_back_memory
from petstore_desktop.threads import all_ended, begin
from petstore_desktop.ui.base.building import timer

IDLE_MS = 2_000
OLD_EVERY = 150
"""How many young collections make one full collection: once in five minutes."""
GIVE_BACK_EVERY = 4
"""How many make one return of free memory to the system."""
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_OFFSCREEN = "This plugin does not support "
"""How the platform without a screen speaks of each hint that it cannot pass on."""


def log_qt_messages() -> None:
    """From now on; any thread."""

    def take(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        level = logging.DEBUG if message.startswith(_OFFSCREEN) else _LEVELS.get(kind, logging.WARNING)
        logging.getLogger("qt").log(level, "%s", message)

    qInstallMessageHandler(take)


def collect_only_here(application: QApplication) -> None:
    """Collect cyclic garbage in this thread only, when there is time: another thread would destroy QObjects."""
    collect = collect_here(OLD_EVERY)
    keep_what_is_there()  # to look through it first would halt the new window
    give_back_memory()
    turns = itertools.count(1)

    def tidy() -> None:
        collect()
        if next(turns) % GIVE_BACK_EVERY == 0:
            begin(give_back_memory, "memory", writes=False)

    timer(application, IDLE_MS, tidy).start()


def end_on_signals(application: QApplication, end: Callable[[], None]) -> Callable[[], None]:
    """Have `end` called by the event loop after SIGINT or SIGTERM, also one that came before the loop began. A handler
    of Python's own runs anywhere, also in the midst of Qt, where it may neither raise nor call. Returns what lets go of
    that: from then on a signal does nothing."""
    import socket  # late: it takes its time to load

    heard, wake = socket.socketpair()
    for end_of_pair in (heard, wake):
        end_of_pair.setblocking(False)

    def told(*_: object) -> None:
        heard.recv(4096)
        end()

    def heard_by_the_loop(_number: int, _frame: FrameType | None) -> None:
        """The byte that wakes the loop is written whatever is here."""

    notifier = QSocketNotifier(heard.fileno(), QSocketNotifier.Type.Read, application)
    notifier.activated.connect(told)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, heard_by_the_loop)

    def let_go() -> None:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(-1)
        heard.close()
        wake.close()

    return let_go


def hand_over_clipboard(application: QApplication) -> None:
    """Let what was copied here outlast this program: Qt gives it to the desktop's clipboard manager when it is taken
    down, which nothing else needs, and which no thread may be in Qt for."""
    if QGuiApplication.clipboard().ownsClipboard() and QGuiApplication.platformName() != "offscreen" and all_ended():
        application.shutdown()
