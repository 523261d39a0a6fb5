"""Bars beside each other that stand on a line, one for each day, with words over the weeks."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from msgspec import Struct
from PySide6.QtCore import QRect, QRectF

from petstore_desktop.ui.base.theme import Theme, Tone
from petstore_desktop.ui.charts.canvas import BarLook, Canvas, tone_of
from petstore_desktop.ui.charts.plot import ChartSlot, Columns, slot_table
from petstore_desktop.ui.text.translate import number

_WIDEST = 56
"""Width of a day where none stands apart: two weeks are as wide as the lines above them."""
_SLOT, _BAR, _GAP, _AROUND, _SHARE = 50, 20, 20, 4, 0.6
_ROOM, _STEP, _SMALL, _LEAST = 60.0, 6.0, 10, 3.0
"""Height for the tallest bar; of one order while none has more than `_SMALL`; and of the smallest part."""
_CUTS = (40, 44)
"""Heights at which a bar is cut through that is longer than its scale."""
_HEAD, _FIGURES, _LABELS = 22, 14, 24
_SQUARE, _NEAR, _FAR = 8, 6, 12
_PLATE_RADIUS = 6


class DayHeading(Struct, frozen=True):
    """Words over the slots from `first` on: a name, and counts with a square in the look of their parts."""

    first: int
    text: str
    counts: tuple[tuple[BarLook, str], ...] = ()


class DayBars(Struct, frozen=True):
    """Bars of days. `apart`: how many slots at the beginning stand by themselves, as "Earlier" does."""

    title: str
    first_column: str
    columns: Columns
    slots: Sequence[ChartSlot]
    headings: tuple[DayHeading, ...] = ()
    apart: int = 0
    is_list: bool = False

    def width(self, theme: Theme) -> int:
        return len(self.slots) * theme.scaled(_SLOT) + self.apart * _GAP

    def height(self, theme: Theme, width: int) -> int:
        return self._head(theme, width) + self._below(theme)

    def places(self, theme: Theme, width: int) -> list[QRect]:
        top, high = self._head(theme, width), self._below(theme)
        return [QRect(round(left), top, max(1, round(wide)), high) for left, wide in self._spans(theme, width)]

    def table(self) -> list[list[str | int]]:
        return slot_table(self.first_column, self.columns, self.slots)

    def paint(self, canvas: Canvas) -> None:
        theme, width = canvas.theme, canvas.rect.width()
        if not self.slots:
            return
        top, spans = self._head(theme, width), self._spans(theme, width)
        line = top + theme.height(_FIGURES) + _ROOM
        self._paint_headings(canvas, spans)
        for slot, (left, wide) in zip(self.slots, spans, strict=True):
            if slot.is_now:
                canvas.plane(canvas.box(left + 1, top, wide - 2, self._below(theme)), "sunken", _PLATE_RADIUS)
        for some in (spans[: self.apart], spans[self.apart :]):
            if some:
                canvas.line(some[0][0], line, some[-1][0] + some[-1][1] - some[0][0])
        # Months of what is overdue in one bar would leave nothing of the days: it is cut off instead.
        most = max((slot.total for slot in self.slots[self.apart :]), default=0)
        bars = _Bars(canvas, line, most or max(slot.total for slot in self.slots))
        for slot, (left, wide) in zip(self.slots, spans, strict=True):
            bars.paint(slot, left, wide)
        self._paint_labels(canvas, spans, line)

    # -- measures

    def _spans(self, theme: Theme, width: int) -> list[tuple[float, float]]:
        """Where each slot begins, and how wide it is; those that stand apart have room for their words."""
        usual = float(theme.scaled(_SLOT if self.apart else _WIDEST))
        needs = [theme.advance(slot.label, 12, 600, True) + _AROUND for slot in self.slots[: self.apart]]
        others = len(self.slots) - self.apart
        room = max(0.0, width - sum(need + _GAP for need in needs))
        step = min(usual, room / max(1, others))
        spans: list[tuple[float, float]] = []
        left = 0.0
        for need in needs:
            wide = max(need, min(step, usual))
            spans.append((left, wide))
            left += wide + _GAP
        step = min(step, max(0.0, width - left) / max(1, others))
        return spans + [(left + place * step, step) for place in range(others)]

    def _below(self, theme: Theme) -> int:
        return theme.height(_FIGURES) + round(_ROOM) + theme.height(_LABELS)

    def _head(self, theme: Theme, width: int) -> int:
        return self._head_rows(theme, width) * theme.height(_HEAD)

    def _head_rows(self, theme: Theme, width: int) -> int:
        """All words in one row, or those of each week in one of their own where they would meet."""
        spans = self._spans(theme, width)
        if not self.headings:
            return 0
        begins = [spans[heading.first][0] for heading in self.headings]
        ends = [*begins[1:], float(width)]
        needs = [_heading_width(theme, heading) for heading in self.headings]
        fits = all(begin + need < end for begin, need, end in zip(begins, needs, ends, strict=True))
        return 1 if fits else len(self.headings)

    # -- words

    def _paint_headings(self, canvas: Canvas, spans: Sequence[tuple[float, float]]) -> None:
        theme, width = canvas.theme, canvas.rect.width()
        row, rows = theme.height(_HEAD), self._head_rows(theme, width)
        for place, heading in enumerate(self.headings):
            middle = row * (place if rows > 1 else 0) + row / 2 - 1
            _paint_heading(canvas, heading, spans[heading.first][0] if rows == 1 else 0.0, middle, width)

    def _paint_labels(self, canvas: Canvas, spans: Sequence[tuple[float, float]], line: float) -> None:
        theme, days, step = canvas.theme, self.slots[self.apart :], spans[-1][1]
        forms = ([slot.label for slot in days], [slot.narrow for slot in days], [slot.short for slot in days])
        weights = [_weight(slot) for slot in days]

        def fits(form: list[str]) -> bool:
            widths = [theme.advance(word, 12, weight, True) for word, weight in zip(form, weights, strict=True)]
            return all(form) and max(widths, default=0.0) <= step - 2

        labels = [slot.label for slot in self.slots[: self.apart]]
        labels += next((form for form in forms if fits(form)), forms[-1])
        widest = max((theme.advance(label, 12, 400, True) for label in labels[self.apart :]), default=0.0)
        each = max(1, ceil((widest + _AROUND) / max(1.0, step)))
        base = line + (theme.height(_LABELS) + theme.caps()) / 2
        for place, (slot, label, (left, wide)) in enumerate(zip(self.slots, labels, spans, strict=True)):
            if place < self.apart or (place - self.apart) % each == 0:
                tone: Tone = "text" if slot.is_now else "muted"
                canvas.centred(left + wide / 2, base, label, tone, 12, _weight(slot))


class _Bars(Struct, frozen=True):
    """Paints the bars on their line, all to one scale."""

    canvas: Canvas
    line: float
    most: int

    def paint(self, slot: ChartSlot, left: float, step: float) -> None:
        """The bar of one slot with its number."""
        wide = max(1.0, min(float(_BAR), step * _SHARE))
        y, top = self.line, BarLook.DONE
        for part, high in zip(slot.parts, self._heights(slot), strict=True):
            box = self.canvas.box(left + (step - wide) / 2, y - high, wide, high)
            self.canvas.part(box if self.canvas.ink.hatched else _on_pixels(box), part.look)
            y, top = y - high - 1, part.look
        if slot.total * self._each > _ROOM + 1:
            for cut in _CUTS:
                self.canvas.plane(
                    self.canvas.box(left + (step - wide) / 2 - 1, self.line - cut, wide + 2, 2), "content", 0
                )
        if slot.parts:
            self._paint_figure(slot, left + step / 2, step, y, top)

    @property
    def _each(self) -> float:
        """The height of one order."""
        return _STEP if self.most <= _SMALL else _ROOM / self.most

    def _heights(self, slot: ChartSlot) -> list[float]:
        heights = [max(_LEAST, round(part.n * self._each)) for part in slot.parts]
        over = sum(heights) - _ROOM
        if over > 0:  # small parts that were made taller
            tallest = heights.index(max(heights))
            heights[tallest] = max(_LEAST, heights[tallest] - over)
        return heights

    def _paint_figure(self, slot: ChartSlot, middle: float, room: float, y: float, top: BarLook) -> None:
        waiting = sum(part.n for part in slot.parts if part.look is not BarLook.DONE)
        words, weight = slot.figure or number(waiting or slot.total), 600 if waiting else 400
        tone: Tone = "muted" if top in (BarLook.REST, BarLook.LOW) else tone_of(top)
        if self.canvas.theme.advance(words, 11, weight, True) <= room:
            self.canvas.centred(middle, y - 3, words, tone, 11, weight)


def _on_pixels(box: QRectF) -> QRectF:
    return QRectF(round(box.left()), round(box.top()), max(1, round(box.width())), box.height())


def _weight(slot: ChartSlot) -> int:
    return 600 if slot.is_now else 400


def _heading_width(theme: Theme, heading: DayHeading) -> float:
    words = sum(_FAR + _SQUARE + _NEAR + theme.advance(words, 12, 400, True) for _, words in heading.counts)
    return theme.advance(heading.text, 12, 600, True) + words


def _paint_heading(canvas: Canvas, heading: DayHeading, x: float, middle: float, width: float) -> None:
    base = middle + canvas.theme.caps() / 2
    x += canvas.text(x, base, heading.text, "text", 12, 600)
    for look, words in heading.counts:
        x += _FAR
        canvas.part(canvas.box(x, round(middle) - _SQUARE / 2, _SQUARE, _SQUARE), look, 1.5)
        x += _SQUARE + _NEAR
        tone: Tone = "bad" if look is BarLook.OVERDUE else "muted"
        x += canvas.text(x, base, words, tone, 12, 400, max(0.0, width - x))
