"""Paints a report page by page, each in a turn of its own, so that the window goes on meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QPagedPaintDevice, QPainter

from petstore_desktop.ui.files.report import Report


class ReportPainting(QObject):
    """One report on one device.

    Signals:
        advanced: tuple[int, int]: so many pages are painted, of so many.
        ended: bool: it is over; whether all of it was taken.
    """

    advanced = Signal(object)
    ended = Signal(object)

    def __init__(self, device: QPagedPaintDevice, report: Report, parent: QObject) -> None:
        super().__init__(parent)
        self._device, self._report = device, report
        self._painter = QPainter()
        self._page = 0
        self._turn = QTimer(self, interval=0, singleShot=True)
        self._turn.timeout.connect(self._next)

    def start(self) -> None:
        """Begin with the next turn; a device that takes nothing (a printer that is gone) ends it at once."""
        if self._painter.begin(self._device):
            # The report counts in points.
            self._painter.scale(self._device.logicalDpiX() / 72, self._device.logicalDpiY() / 72)
            self._turn.start()
        else:
            self.ended.emit(False)

    def give_up(self) -> None:
        """Paint no more."""
        self._end(whole=False)

    def _next(self) -> None:
        if self._page and not self._device.newPage():
            self._end(whole=False)
            return
        self._report.paint(self._painter, self._page)
        self._page += 1
        self.advanced.emit((self._page, self._report.pages))
        if self._page < self._report.pages:
            self._turn.start()
        else:
            self._end(whole=True)

    def _end(self, *, whole: bool) -> None:
        self._turn.stop()
        taken = self._painter.end()
        self.ended.emit(whole and taken)
