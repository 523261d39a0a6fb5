"""What Qt itself complains of, written to the log instead of to nowhere."""

from __future__ import annotations

import logging

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

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
