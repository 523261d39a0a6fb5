"""A run of the program inside the test's process: what it changes for the whole process is put back afterwards.

with own_state({"PETSTORE_API_KEY": key}):
    cli.main()

Inside, the process is as a new one: its environment is what was given, nothing listens to the log, no key is known.
"""

from __future__ import annotations

import faulthandler
import gc
import logging
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from petstore_desktop import credentials, log, platform_support

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

HOOKS = (
    (sys, "argv"),
    (sys, "executable"),
    (sys, "frozen"),
    (sys, "stdin"),
    (sys, "stdout"),
    (sys, "stderr"),
    (sys, "excepthook"),
    (sys, "unraisablehook"),
    (threading, "excepthook"),
    (logging, "raiseExceptions"),
    (log, "_secrets"),
    (platform_support, "_taken"),
    (credentials, "_done_without"),
)
"""What holds for a whole process, by where it stands."""
MISSING = object()
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def own_state(environment: Mapping[str, str]) -> Iterator[None]:
    """What happens inside changes nothing outside. Only in the main thread."""
    _application()
    before = [(where, name, getattr(where, name, MISSING)) for where, name in HOOKS]
    variables, interval, collecting = dict(os.environ), sys.getswitchinterval(), gc.isenabled()
    handlers = [(number, signal.getsignal(number)) for number in SIGNALS]
    wakes, tells = signal.set_wakeup_fd(-1), faulthandler.is_enabled()
    log._secrets, platform_support._taken, credentials._done_without = (), {}, threading.Event()
    _be(environment)
    try:
        with warnings.catch_warnings(), _own_log(), _own_words():
            yield
    finally:
        for where, name, value in before:
            if value is not MISSING:
                setattr(where, name, value)
            elif hasattr(where, name):
                delattr(where, name)
        _be(variables)
        signal.set_wakeup_fd(wakes)
        if tells and not faulthandler.is_enabled():
            faulthandler.enable(sys.__stderr__ or sys.stderr)
        for number, handler in handlers:
            signal.signal(number, handler)
        sys.setswitchinterval(interval)
        (gc.enable if collecting else gc.disable)()


def _be(environment: Mapping[str, str]) -> None:
    wanted = dict(environment)  # it may be the one that is cleared
    os.environ.clear()
    os.environ.update(wanted)
    if hasattr(time, "tzset"):
        time.tzset()


@contextmanager
def _own_log() -> Iterator[None]:
    """Nobody listens, as in a new process."""
    before = {one: (one.level, one.handlers[:]) for one in _loggers()}
    for one in before:
        one.handlers[:] = []
    try:
        yield
    finally:
        for one in _loggers():
            level, handlers = before.get(one, (logging.NOTSET, []))
            one.setLevel(level)
            one.handlers[:] = handlers


def _loggers() -> list[logging.Logger]:
    made = logging.Logger.manager.loggerDict.values()
    return [logging.getLogger(), *(one for one in made if isinstance(one, logging.Logger))]


@contextmanager
def _own_words() -> Iterator[None]:
    """Its language and its way to write numbers. A program of Qt that is there before is left with its own."""
    from PySide6.QtCore import QLocale, QTranslator  # late: few of the tests that import this run a command
    from shiboken6 import delete

    application = _application()
    direction, locale = application.layoutDirection(), QLocale()
    spoken, translators = application.property("spokenLanguage"), application.findChildren(QTranslator)
    try:
        yield
    finally:
        assert not translators, "a test that runs a command speaks English"
        for one in application.findChildren(QTranslator):
            application.removeTranslator(one)
            delete(one)
        application.setProperty("spokenLanguage", spoken)
        QLocale.setDefault(locale)
        if application.layoutDirection() is not direction:
            application.setLayoutDirection(direction)


@cache
def _application() -> QApplication:
    """The one of this process, made with the environment of the tests and kept: there can be no second one."""
    from PySide6.QtWidgets import QApplication  # late, as above

    found = QApplication.instance() or QApplication(["tests"])
    assert isinstance(found, QApplication)
    return found
