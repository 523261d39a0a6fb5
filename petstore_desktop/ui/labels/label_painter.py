"""Paints labels: texts fitted into their areas, and codes as whole dots of the printer; then label by label, in short
turns, into a PDF or on a printer, in true millimetres.

The paper is white and the ink black whatever the window's theme is. Names are fitted with one large font, which is
scaled while painting, so that a text breaks in the same place on every printer and in the preview.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QMarginsF, QObject, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
)
from PySide6.QtPrintSupport import QPrintDialog, QPrinter

from petstore_desktop.desk.labels.design import LINE, MM_PER_INCH, Content, LabelDesign, TextArea, design_of
from petstore_desktop.desk.labels.patterns import CodeKind, CodePattern, pattern
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.paper.paper_dialog import pdf_writer
from petstore_desktop.ui.paper.sheet import wrapped
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.paint import own_direction

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.labels.labels import LabelText
    from petstore_desktop.desk.labels.sheets import Area, LabelSheet


DPI = 300
"""Of the preview, and of PDF files: a printer's dots are mostly as fine, or twice or four times so."""
_REFERENCE = 100
"""The size in pixels of the font that texts are fitted with."""
_LEAST = 1.6
"""Millimetres of the smallest letters."""
_FINE = 0.1
"""Millimetres to which the size of letters is found."""
_LETTERS = 600
"""Letters of a text that are looked at; more fit no label."""
_KEPT = 4096
_DROP = 0.95
"""The baseline of a line, in sizes of its letters below the line's top."""
_INK, _GREY = "#000000", "#444444"


class FittedText(Struct, frozen=True):
    """A text in lines, with the size of its letters in millimetres; `cut` where not all of it is there."""

    lines: tuple[str, ...]
    size: float
    cut: bool = False


class LabelJob(Struct, frozen=True):
    """One print job: the labels as numbers of pets, the first one at place `start` of the first sheet."""

    sheet: LabelSheet
    content: Content
    own_line: str
    kind: CodeKind
    pets: Sequence[LabelText]
    order: Sequence[int]
    start: int = 0

    @property
    def pages(self) -> int:
        """How many sheets it takes."""
        return self.sheet.pages(len(self.order), self.start)

    def pattern(self, pet: LabelText) -> CodePattern | None:
        """The code of a pet's label."""
        return pattern(self.kind, pet.code)

    def design(self, pet: LabelText, dpi: int) -> LabelDesign:
        """Where everything stands on a pet's label."""
        return design_of(self.sheet, self.content, self.pattern(pet), len(pet.id) + 1, dpi)

    def words(self, pet: LabelText) -> dict[str, str]:
        """The texts of a pet's label."""
        number = f"#{plain(pet.id)}" if pet.id else ""
        return {"name": _clean(pet.name), "id": number, "category": _clean(pet.category), "own_line": self.own_line}

    def paint(self, painter: QPainter, page: int, dpi: int) -> None:
        """Paint one page; the painter counts in dots."""
        for label, place in self.sheet.on_page(page, len(self.order), self.start):
            self.paint_label(painter, self.pets[self.order[label]], self.sheet.place(place), dpi)

    def paint_label(self, painter: QPainter, pet: LabelText, place: Area, dpi: int) -> None:
        """Paint a pet's label at this place."""
        dots = dpi / MM_PER_INCH
        design, words = self.design(pet, dpi), self.words(pet)
        for name, area in design.texts.items():
            if words[name]:
                _write(painter, words[name], area, place, dots, name)
        code = self.pattern(pet)
        if design.code is not None and code is not None:
            paint_code(painter, code, design, place, dots)


def paint_code(painter: QPainter, code: CodePattern, design: LabelDesign, place: Area, dots: float) -> None:
    """Paint the modules of a code, each a whole number of dots."""
    area = design.code
    if area is None:
        return
    left, top, side = round((place.left + area.left) * dots), round((place.top + area.top) * dots), design.module
    high = side if code.height > 1 else round(area.height * dots)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(_INK))
    painter.drawRects(
        [QRectF(left + column * side, top + row * side, length * side, high) for column, row, length in code.runs]
    )


def _clean(text: str) -> str:
    """A name in one run: line breaks are spaces, what would turn or hide the text around it is shown."""
    return plain(" ".join(text[:_LETTERS].split()))


def _write(painter: QPainter, text: str, area: TextArea, place: Area, dots: float, name: str) -> None:
    """Write a fitted text, nothing of it outside its area."""
    fitted, box = fit(text, area, bold=name in ("name", "id")), area.area
    line = fitted.size * LINE
    top = box.bottom - line * len(fitted.lines) if area.at_end else box.top
    rtl = own_direction(text) is Qt.LayoutDirection.RightToLeft
    font = _font(bold=name in ("name", "id"))
    scale = fitted.size / _REFERENCE * dots
    painter.save()
    painter.setClipRect(QRectF((place.left + box.left) * dots, (place.top + box.top - line / 4) * dots,
                               box.width * dots, (box.height + line / 2) * dots))  # fmt: skip
    painter.translate((place.left + box.left) * dots, (place.top + top) * dots)
    painter.scale(scale, scale)
    painter.setFont(font)
    painter.setPen(QColor(_GREY if name == "category" else _INK))
    painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if rtl else Qt.LayoutDirection.LeftToRight)
    room = box.width / fitted.size * _REFERENCE
    for number, words in enumerate(fitted.lines):
        gap = room - _width(words, bold=name in ("name", "id"))
        at = gap if area.at_end or rtl else 0.0
        painter.drawText(QPointF(max(0.0, at), (number * LINE + _DROP) * _REFERENCE), words)
    painter.restore()


@lru_cache(_KEPT)
def fit(text: str, area: TextArea, *, bold: bool) -> FittedText:
    """Break a text into the lines that it may have; where it is too long its letters become smaller, and only where
    they would be too small it is cut."""
    fitted = _at_size(text, area, area.size, bold=bold)
    if not fitted.cut:
        return fitted
    smallest = _at_size(text, area, min(area.size, _LEAST), bold=bold)
    if smallest.cut:
        return smallest
    whole, cut = smallest.size, area.size
    while cut - whole > _FINE:
        tried = _at_size(text, area, (whole + cut) / 2, bold=bold)
        if tried.cut:
            cut = tried.size
        else:
            smallest, whole = tried, tried.size
    return smallest


def _at_size(text: str, area: TextArea, size: float, *, bold: bool) -> FittedText:
    most = max(1, min(area.lines, int(area.area.height / (size * LINE) + 0.01)))
    room = area.area.width / size * _REFERENCE
    if _width(text, bold=bold) <= room:
        return FittedText((text,), size)
    lines = wrapped(text, _font(bold=bold), room, anywhere=True)
    if len(lines) <= most:
        return FittedText(tuple(lines), size)
    last = QFontMetricsF(_font(bold=bold)).elidedText(" ".join(lines[most - 1 :]), Qt.TextElideMode.ElideRight, room)
    return FittedText((*lines[: most - 1], last), size, cut=True)


@lru_cache(_KEPT)
def _width(text: str, *, bold: bool) -> float:
    return QFontMetricsF(_font(bold=bold)).horizontalAdvance(text)


@cache
def _font(*, bold: bool) -> QFont:
    made = QFont(QGuiApplication.font())
    made.setPixelSize(_REFERENCE)
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


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
