"""Painting that all charts share: a plane that mirrors itself, and the looks of the parts of bars.

The looks differ by fill and outline as well as by colour, so that they are told apart in high contrast and on paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QPainter, QPen
from PySide6.QtWidgets import QApplication

from petstore_desktop.ui.base.colours import LIGHT
from petstore_desktop.ui.base.theme import BASE_SIZE, Theme, Tone
from petstore_desktop.ui.widgets.paint import draw_text, elided, fill_round, own_direction

RADIUS = 2.0
_EDGE = 1.5
_LEAST = 4.0
"""Pixels from which on an outline or a pattern can be seen in a bar."""


class BarLook(StrEnum):
    """What a part of a bar stands for."""

    DONE = "done"
    OVERDUE = "overdue"
    DUE = "due"
    COMING = "coming"
    LOW = "low"
    REST = "rest"


_FILLS: Mapping[BarLook, str] = {
    BarLook.DONE: "bar",
    BarLook.OVERDUE: "bad",
    BarLook.DUE: "accent",
    BarLook.COMING: "filtered",
    BarLook.LOW: "amber",
    BarLook.REST: "bar",
}
_TONES: Mapping[BarLook, Tone] = {BarLook.OVERDUE: "bad", BarLook.DUE: "accent", BarLook.COMING: "accent"}
_OUTLINED = frozenset({BarLook.DONE, BarLook.REST, BarLook.COMING})
"""Looks that are only an outline where there are no tints."""


def tone_of(look: BarLook) -> Tone:
    """The tone of the number on a bar whose upper part has this look."""
    return _TONES.get(look, "faint")


class Ink(Struct, frozen=True):
    """With what a chart is painted: the theme, the direction of its layout, and whether overdue parts are hatched."""

    theme: Theme
    rtl: bool = False
    hatched: bool = False


def paper_ink(*, rtl: bool = False) -> Ink:
    """What charts are painted with on white paper, which may be printed without colours. Texts have their size in
    pixels: in points they would follow the resolution of the printer as well as the scale of the painter."""
    base = QFont(QApplication.font())
    base.setPixelSize(BASE_SIZE)
    return Ink(Theme(LIGHT, dark=False, base=base), rtl, hatched=True)


class Canvas:
    """Paints within a rectangle. Positions across count from its leading edge and are mirrored where the layout runs
    from right to left; those downwards count from its top."""

    def __init__(self, painter: QPainter, rect: QRect, ink: Ink) -> None:
        self.painter, self.rect, self.ink = painter, rect, ink
        self.theme = ink.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def left(self, x: float, width: float) -> float:
        """Where something `width` wide begins on the painter that begins `x` from the leading edge."""
        if self.ink.rtl:
            return self.rect.left() + self.rect.width() - x - width
        return self.rect.left() + x

    def box(self, x: float, y: float, width: float, height: float) -> QRectF:
        """A rectangle on the painter."""
        return QRectF(self.left(x, width), self.rect.top() + y, width, height)

    def plane(self, box: QRectF, token: str, radius: float) -> None:
        """Fill a rectangle with a colour."""
        fill_round(self.painter, box, radius, self.theme.color(token))

    def line(self, x: float, y: float, width: float, token: str = "line") -> None:
        """A line across of one pixel."""
        self.painter.fillRect(self.box(x, round(y), width, 1), self.theme.color(token))

    def text(
        self, x: float, base: float, text: str, tone: Tone, size: float = 12, weight: int = 400, room: float = 1e6
    ) -> float:
        """Write on a baseline from `x` on, shortened to the room; returns the width."""
        words = elided(self.theme, text, room, size, weight, True)
        width = self.theme.advance(words, size, weight, True)
        left, y = self.left(x, width), round(self.rect.top() + base)
        draw_text(self.painter, self.theme, left, y, words, self.theme.tone(tone), size, weight, True)
        return width

    def centred(self, x: float, base: float, text: str, tone: Tone, size: float = 12, weight: int = 400) -> None:
        """Write on a baseline with the middle at `x`."""
        self.text(x - self.theme.advance(text, size, weight, True) / 2, base, text, tone, size, weight)

    def runs(self, end: float, base: float, words: str, runs: Sequence[tuple[str, int]], size: float = 12) -> None:
        """Write words that end at `end`, in runs of different weight, in the words' own direction."""
        widths = [self.theme.advance(run, size, weight, True) for run, weight in runs]
        left, y = self.left(end - sum(widths), sum(widths)), round(self.rect.top() + base)
        pairs = list(zip(runs, widths, strict=True))
        for (run, weight), width in pairs if own_direction(words) is Qt.LayoutDirection.LeftToRight else pairs[::-1]:
            color = self.theme.tone("text" if weight > 400 else "muted")
            draw_text(self.painter, self.theme, left, y, run, color, size, weight, True)
            left += width

    def part(self, box: QRectF, look: BarLook, radius: float = RADIUS) -> None:
        """One part of a bar in its look."""
        tinted = not self.theme.high_contrast
        if look is BarLook.OVERDUE and (self.ink.hatched or not tinted):
            self._hatched(box, radius)
        elif look is BarLook.COMING or (look in _OUTLINED and not tinted):
            self._outlined(box, look, radius)
        else:
            self.plane(box, _FILLS[look], radius)

    def _hatched(self, box: QRectF, radius: float) -> None:
        colour = self.theme.color(_FILLS[BarLook.OVERDUE])
        self._framed(box, radius, QPen(colour, 1), QBrush(self.theme.color("content")))
        if min(box.width(), box.height()) < _LEAST:
            self.plane(box, _FILLS[BarLook.OVERDUE], radius)
            return
        self.painter.save()
        self.painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
        self.painter.setPen(QPen(colour, 1.2))
        # Lines of our own: a pattern of a brush is as fine as the pixels of a printer, and seen as grey there.
        self.painter.drawLines(_strokes(box))
        self.painter.restore()

    def _outlined(self, box: QRectF, look: BarLook, radius: float) -> None:
        coming = look is BarLook.COMING
        pen = QPen(self.theme.color("accent" if coming else "text"), _EDGE if coming else 1.0)
        if coming and self.theme.high_contrast:
            pen.setDashPattern([2.0, 1.5])
        plain = self.theme.high_contrast or self.ink.hatched
        self._framed(box, radius, pen, QBrush(self.theme.color("content" if plain else _FILLS[look])))

    def _framed(self, box: QRectF, radius: float, pen: QPen, brush: QBrush) -> None:
        half = pen.widthF() / 2
        self.painter.setPen(pen)
        self.painter.setBrush(brush)
        self.painter.drawRoundedRect(box.adjusted(half, half, -half, -half), radius, radius)


def _strokes(box: QRectF, step: float = 3.5) -> Sequence[QLineF]:
    """Slanting lines over a rectangle."""
    high = box.height()
    count = int((box.width() + high) / step) + 1
    starts = (box.left() - high + step * n for n in range(count + 1))
    return [QLineF(x, box.bottom(), x + high, box.top()) for x in starts]
