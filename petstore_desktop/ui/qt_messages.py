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


def log_qt_messages() -> None:
    """From now on; any thread."""

    def take(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        logging.getLogger("qt").log(_LEVELS.get(kind, logging.WARNING), "%s", message)

    qInstallMessageHandler(take)
