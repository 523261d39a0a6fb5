"""Labels as a test sees them: painted to a picture of a printer's dots, or taken out of a PDF, and read back by a
decoder that shares nothing with what made the codes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import zxingcpp
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from petstore_desktop.desk.labels.design import MM_PER_INCH, Content
from petstore_desktop.desk.labels.labels import LabelText
from petstore_desktop.desk.labels.patterns import CodeKind, pattern
from petstore_desktop.desk.labels.sheets import SHEETS, Area, LabelSheet
from petstore_desktop.domain.codes import label_code
from petstore_desktop.domain.records import ServiceId
from petstore_desktop.ui.labels.label_painter import LabelJob

NAMES = (
    "K",
    "Royal gramma, Brazilian",
    "<b>Koi</b> & “friends”",
    "two\nlines\r\nand\ttabs",
    "سمكة ذهبية كبيرة من البحيرة",
    "דג זהב Koi 12",
    "金魚とても大きい赤い魚",
    "Z\u0335\u0321\u0316a\u0300\u0301\u0302\u0303l\u0334\u0330g\u0323\u0332o",
    "हिन्दी ப்பெயர் ไทยที่",
    "👩‍👩‍👧‍👦 🐟 family of fish",
    "x" * 300,
    "Angelfish, marbled " * 16,
    "W" * 57,
    "",
)
NUMBERS: tuple[ServiceId, ...] = (
    1,
    12,
    123,
    1126,
    99,
    9912,
    99_123_456,
    -7,
    -123456,
    1234567,
    9_223_372_036_854_775_807,
    -(2**63),
)
TEXTS: tuple[ServiceId, ...] = (
    "123e4567-e89b-12d3-a456-426614174000",
    "ord 12 b",
    "007",
    "Käfer 7",
    "金魚-1",
    "a\u0301/%~",
)


def label(key: ServiceId, name: str = "Koi", category: str = "Pond") -> LabelText:
    """What the label of one pet says."""
    return LabelText(key, name, str(key), category, label_code(key))


_FORMATS = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.Code128, zxingcpp.BarcodeFormat.QRCode])


def job_of(
    pets: Sequence[LabelText],
    sheet: LabelSheet = SHEETS["a4-3x8"],
    kind: CodeKind = "code128",
    start: int = 0,
    content: Content = Content(own_line=True),  # noqa: B008 -- it is frozen
) -> LabelJob:
    """One label for each of these pets."""
    return LabelJob(sheet, content, "Riverside Pets", kind, list(pets), range(len(pets)), start)


def picture_of(job: LabelJob, page: int, dpi: int) -> QImage:
    """A page as a printer of so many dots paints it, without grey."""
    dots = dpi / MM_PER_INCH
    picture = QImage(round(job.sheet.width * dots), round(job.sheet.height * dots), QImage.Format.Format_Grayscale8)
    picture.fill(255)
    painter = QPainter(picture)
    job.paint(painter, page, dpi)
    painter.end()
    return picture


def decoded(picture: QImage) -> list[str]:
    """What a scanner reads from a page, in order of the texts."""
    return sorted(code.text for code in zxingcpp.read_barcodes(picture))


def scanned(kind: CodeKind, text: str) -> list[str]:
    """What is read of a code alone, each module two dots wide."""
    code = pattern(kind, text)
    assert code is not None
    high = 2 if kind == "qr" else 30
    picture = QImage(2 * (code.width + 24), high * code.height + 40, QImage.Format.Format_Grayscale8)
    picture.fill(255)
    painter = QPainter(picture)
    for column, row, length in code.runs:
        painter.fillRect(24 + 2 * column, 20 + row * high, 2 * length, high, QColor("black"))
    painter.end()
    return [one.text for one in zxingcpp.read_barcodes(picture, _FORMATS)]


def read_labels(job: LabelJob, picture: QImage, page: int) -> list[str]:
    """What a scanner reads that is held at each label of a page in turn. (Of a whole page a decoder may take two equal
    codes below each other for one.)"""
    scale, found = picture.width() / job.sheet.width, list[str]()
    for _, place in job.sheet.on_page(page, len(job.order), job.start):
        area = job.sheet.place(place)
        rect = QRectF(area.left * scale, area.top * scale, area.width * scale, area.height * scale)
        found += [code.text for code in zxingcpp.read_barcodes(picture.copy(rect.toAlignedRect()), _FORMATS)]
    return found


def ink_outside(picture: QImage, areas: Sequence[Area], dpi: int) -> int:
    """How many dots of a page are not white beyond the edges of these labels."""
    dots = dpi / MM_PER_INCH
    painter = QPainter(picture)
    for area in areas:
        inside = QRectF(area.left * dots, area.top * dots, area.width * dots, area.height * dots)
        painter.fillRect(inside.toAlignedRect(), QColor("white"))
    painter.end()
    line, dots_wide = picture.bytesPerLine(), picture.width()
    rest = bytes(picture.constBits())
    rows = (rest[row * line : row * line + dots_wide] for row in range(picture.height()))
    return sum(dots_wide - row.count(255) for row in rows)


# ---------------------------------------------------------------- a PDF


@dataclass(frozen=True, slots=True)
class PdfPage:
    """The size of a page in points, and its filled black rectangles in points from the upper left corner."""

    width: float
    height: float
    filled: tuple[tuple[float, float, float, float], ...]

    def picture(self, dpi: int) -> QImage:
        """The rectangles as a printer of so many dots fills them: without grey."""
        scale = dpi / 72
        picture = QImage(round(self.width * scale), round(self.height * scale), QImage.Format.Format_Grayscale8)
        picture.fill(255)
        painter = QPainter(picture)
        for left, top, wide, high in self.filled:
            first, last = round(left * scale), round((left + wide) * scale)
            upper, lower = round(top * scale), round((top + high) * scale)
            painter.fillRect(QRectF(first, upper, last - first, lower - upper), QColor("black"))
        painter.end()
        return picture


def pdf_pages(content: bytes) -> Iterator[PdfPage]:
    """Yield the pages of a PDF as the program writes it."""
    objects = {int(found[1]): found[2] for found in re.finditer(rb"\n(\d+) 0 obj\n(.*?)endobj", content, re.DOTALL)}
    for body in objects.values():
        if not re.search(rb"/Type /Page\b", body):
            continue
        boxes = re.search(rb"/MediaBox \[(.*?)\]", body)
        stream = re.search(rb"/Contents (\d+) 0 R", body)
        assert boxes is not None and stream is not None
        _, _, width, height = (float(one) for one in boxes[1].split())
        data = objects[int(stream[1])]
        packed = data[data.index(b"stream\n") + 7 : data.rindex(b"endstream")]
        yield PdfPage(width, height, tuple(_filled(zlib.decompressobj().decompress(packed), height)))


_PAINTS = {b"f": True, b"f*": True, b"B": True, b"n": False, b"S": False}
"""The operators that end a path, and whether they fill it."""
Matrix = tuple[float, float, float, float, float, float]


def _filled(stream: bytes, height: float) -> Iterator[tuple[float, float, float, float]]:
    """Yield the rectangles that the operators of a page fill; what clips is left out."""
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    kept: list[Matrix] = []
    numbers: list[float] = []
    pending: list[tuple[float, float, float, float]] = []
    for word in re.sub(rb"\[.*?\]|<.*?>|\(.*?\)", b"", stream, flags=re.DOTALL).split():
        if re.fullmatch(rb"[-+]?[0-9.]+", word):
            numbers.append(float(word))
            continue
        if word == b"q":
            kept.append(matrix)
        elif word == b"Q":
            matrix = kept.pop()
        elif word == b"cm":
            matrix = _times(numbers[-6:], matrix)
        elif word == b"re":
            pending.append(_placed(numbers[-4:], matrix, height))
        elif word in _PAINTS:
            yield from pending if _PAINTS[word] else ()
            pending = []
        numbers = []


def _times(given: Sequence[float], by: Matrix) -> Matrix:
    a, b, c, d, e, f = given
    return (
        a * by[0] + b * by[2],
        a * by[1] + b * by[3],
        c * by[0] + d * by[2],
        c * by[1] + d * by[3],
        e * by[0] + f * by[2] + by[4],
        e * by[1] + f * by[3] + by[5],
    )


def _placed(rect: Sequence[float], by: Matrix, height: float) -> tuple[float, float, float, float]:
    x, y, wide, high = rect
    left, right = sorted((x * by[0] + by[4], (x + wide) * by[0] + by[4]))
    low, top = sorted((y * by[3] + by[5], (y + high) * by[3] + by[5]))
    return left, height - top, right - left, top - low
