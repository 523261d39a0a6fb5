"""Labels as a PDF or on a printer: painted label by label in short turns, in true millimetres."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QMarginsF, QObject, QSizeF
from PySide6.QtGui import QPagedPaintDevice, QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter

from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.labels.sheet_preview import DPI
from petstore_desktop.ui.paper.paper_dialog import pdf_writer
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import show

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.labels.sheets import LabelSheet
    from petstore_desktop.ui.labels.label_painter import LabelJob

_TURN_S = 0.012
_NAMED = {"A4": QPageSize.PageSizeId.A4, "US Letter": QPageSize.PageSizeId.Letter}


def label_layout(sheet: LabelSheet) -> QPageLayout:
    """The page of a sheet or roll, without margins: labels say themselves where they stand."""
    if sheet.paper in _NAMED:
        size = QPageSize(_NAMED[sheet.paper])
    else:
        millimetres = QSizeF(sheet.width, sheet.height)
        size = QPageSize(millimetres, QPageSize.Unit.Millimeter, "", QPageSize.SizeMatchPolicy.ExactMatch)
    layout = QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0))
    layout.setMode(QPageLayout.Mode.FullPageMode)
    return layout


def labels_painted(
    device: QPagedPaintDevice, job: LabelJob, behind: QIODevice | None = None
) -> Iterator[tuple[int, int] | bool | None]:
    """Paint label by label; yields after each page how many labels are painted and how many there are, and at the end
    whether the device took all of it. `behind`: where the device writes to; it lives as long as the painting."""
    painter = QPainter()
    taken, done, whole = painter.begin(device), 0, len(job.order)
    dpi = device.logicalDpiX()
    try:
        for page in range(job.pages):
            taken = taken and (not page or device.newPage())
            if not taken:
                break
            for label, place in job.sheet.on_page(page, whole, job.start):
                job.paint_label(painter, job.pets[job.order[label]], job.sheet.place(place), dpi)
                done += 1
                yield None
            yield done, whole
    finally:
        taken = painter.end() and taken
        del behind
    yield taken


class LabelOutput(QObject):
    """Paints one job at a time. `told` hears how many labels are painted of how many; `ended` whether it was whole."""

    def __init__(self, owner: QWidget, told: Callable[[int, int], object], ended: Callable[[bool], object]) -> None:
        super().__init__(owner)
        self._owner, self._told, self._ended = owner, told, ended
        self._work = SlicedWork[tuple[int, int] | bool](self, _TURN_S, self._heard)
        self._device: QPagedPaintDevice | None = None
        self._then: Callable[[], object] = lambda: None
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.cancel)

    @property
    def busy(self) -> bool:
        """Whether it paints."""
        return self._device is not None

    def pdf(self, job: LabelJob, title: str, done: Callable[[bytes], object]) -> None:
        """Paint a PDF; `done` gets its content."""
        memory = QBuffer()  # nobody's child: it must be there until the painter has ended, though the page is gone
        memory.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = pdf_writer(memory, title)
        writer.setResolution(DPI)
        self._begin(writer, job, lambda: done(bytes(memory.data().data())), memory)

    def ask_printer(self, job: LabelJob, title: str, done: Callable[[], object]) -> QPrintDialog:
        """Ask for a printer, then print."""
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setPageLayout(label_layout(job.sheet))
        printer.setDocName(title)
        dialog = named(QPrintDialog(printer, self._owner.window()), "printerDialog")
        dialog.setWindowTitle(tr("Print labels"))
        dialog.accepted.connect(lambda: self.print(printer, job, done))
        show(dialog)
        return dialog

    def print(self, printer: QPrinter, job: LabelJob, done: Callable[[], object]) -> None:
        """Print on this printer."""
        self._begin(printer, job, done)

    def _begin(
        self, device: QPagedPaintDevice, job: LabelJob, then: Callable[[], object], behind: QIODevice | None = None
    ) -> None:
        device.setPageLayout(label_layout(job.sheet))
        self._device, self._then = device, then
        self._told(0, len(job.order))
        self._work.begin(labels_painted(device, job, behind))

    def _heard(self, found: tuple[int, int] | bool) -> None:
        if isinstance(found, bool):
            self._stop(whole=found)
        else:
            self._told(*found)

    def cancel(self) -> None:
        """End what is being painted; nothing of it is kept."""
        if self._device is not None:
            self._stop(whole=False, cancelled=True)

    def _stop(self, *, whole: bool, cancelled: bool = False) -> None:
        device, self._device = self._device, None
        if cancelled and isinstance(device, QPrinter):
            device.abort()
        self._work.stop()
        if whole:
            self._then()
        self._ended(whole or cancelled)
