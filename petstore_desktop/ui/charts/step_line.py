"""A line of one number over time, in steps: it holds until the next one is known."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainterPath, QPen

from petstore_desktop.ui.base.theme import Theme
from petstore_desktop.ui.charts.canvas import Canvas
from petstore_desktop.ui.charts.plot import ChartSlot
from petstore_desktop.ui.text.translate import number

_WIDTH, _ROOM, _WORDS = 280, 44, 20
_NEAR, _DOT, _LINE = 6, 2.0, 1.5
_LEAST = 8
_MOST_SLOTS = 120
"""Points that are reached one by one; of more, the last of each stretch of time."""


class LinePoint(Struct, frozen=True):
    """From a moment on the number was this; `said` and `name` as in `ChartSlot`."""

    at: float
    value: int
    said: str
    name: str
    key: Hashable = None


class StepLine(Struct, frozen=True):
    """The numbers in the order of time, up to the moment `until`; `begins`, `ends`: the words below the two ends."""

    title: str
    columns: tuple[str, str]
    points: Sequence[LinePoint]
    until: float
    begins: str = ""
    ends: str = ""
    is_list: bool = False

    @property
    def slots(self) -> Sequence[ChartSlot]:
        """The points that can be reached."""
        return [ChartSlot(one.key, "", one.said, one.name, has_rows=one.key is not None) for one in self._reached()]

    def width(self, theme: Theme) -> int:
        return theme.scaled(_WIDTH)

    def height(self, theme: Theme, width: int) -> int:
        return self._room(theme) + (theme.height(_WORDS) if self.begins or self.ends else 0)

    def places(self, theme: Theme, width: int) -> list[QRect]:
        xs = [self._x(theme, width, one.at) for one in self._reached()]
        edges = [0.0, *((one + other) / 2 for one, other in pairwise(xs)), float(width)]
        found: list[QRect] = []
        for x, left, right in zip(xs, edges, edges[1:], strict=False):
            wide = min(max(_LEAST, right - left), 2 * _LEAST)
            found.append(QRect(round(x - wide / 2), 0, round(wide), self._room(theme)))
        return found

    def table(self) -> list[list[str | int]]:
        return [list(self.columns), *([one.name, one.value] for one in self.points)]

    def paint(self, canvas: Canvas) -> None:
        if not self.points:
            return
        theme, width = canvas.theme, canvas.rect.width()
        line_color = theme.tone("muted")
        canvas.line(self._lead(theme), self._room(theme) - 1, width - self._lead(theme) - self._tail(theme))
        canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
        canvas.painter.setPen(QPen(line_color, _LINE))
        canvas.painter.drawPath(self._path(canvas))
        canvas.painter.setPen(Qt.PenStyle.NoPen)
        canvas.painter.setBrush(line_color)
        for one in self._reached() if len(self.points) <= _MOST_SLOTS // 4 else self.points[-1:]:
            canvas.painter.drawEllipse(self._at(canvas, one.at, one.value), _DOT, _DOT)
        self._paint_words(canvas)

    def _paint_words(self, canvas: Canvas) -> None:
        theme, width = canvas.theme, canvas.rect.width()
        first, last = self.points[0].value, self.points[-1].value
        canvas.text(0, self._y(theme, first) + theme.caps() / 2, number(first), "muted", 12)
        last_x = width - theme.advance(number(last), 12, 600, True)
        canvas.text(last_x, self._y(theme, last) + theme.caps() / 2, number(last), "text", 12, 600)
        base = self._room(theme) + (theme.height(_WORDS) + theme.caps()) / 2
        room = width / 2 - _NEAR
        canvas.text(self._lead(theme), base, self.begins, "faint", 11, 400, room)
        ends = min(theme.advance(self.ends, 11, 400, True), room)
        canvas.text(width - self._tail(theme) - ends, base, self.ends, "faint", 11, 400, room)

    # -- measures

    def _room(self, theme: Theme) -> int:
        return theme.height(_ROOM)

    def _reached(self) -> Sequence[LinePoint]:
        if len(self.points) <= _MOST_SLOTS:
            return self.points
        return list(self._thinned())

    def _thinned(self) -> Iterator[LinePoint]:
        first, span = self.points[0].at, (self.until - self.points[0].at) or 1.0
        for one, after in zip(self.points, [*self.points[1:], None], strict=True):
            stretch = int((one.at - first) / span * (_MOST_SLOTS - 1))
            if after is None or int((after.at - first) / span * (_MOST_SLOTS - 1)) != stretch:
                yield one

    def _lead(self, theme: Theme) -> float:
        return theme.advance(number(self.points[0].value), 12, 400, True) + _NEAR if self.points else 0.0

    def _tail(self, theme: Theme) -> float:
        return theme.advance(number(self.points[-1].value), 12, 600, True) + _NEAR if self.points else 0.0

    def _x(self, theme: Theme, width: int, at: float) -> float:
        first = self.points[0].at
        span = max(self.until, self.points[-1].at) - first
        lead = self._lead(theme)
        room = max(1.0, width - lead - self._tail(theme))
        return lead + (room * (at - first) / span if span > 0 else 0.0)

    def _y(self, theme: Theme, value: int) -> float:
        low, high = min(0, *(one.value for one in self.points), 0), max(0, *(one.value for one in self.points), 0)
        edge = theme.line() / 2
        inside = self._room(theme) - 2 * edge
        return edge + inside * (1 - (value - low) / ((high - low) or 1))

    def _at(self, canvas: Canvas, at: float, value: int) -> QPointF:
        x = canvas.left(self._x(canvas.theme, canvas.rect.width(), at), 0)
        return QPointF(x, canvas.rect.top() + self._y(canvas.theme, value))

    def _path(self, canvas: Canvas) -> QPainterPath:
        path = QPainterPath(self._at(canvas, self.points[0].at, self.points[0].value))
        before = self.points[0].value
        for one in self.points[1:]:
            path.lineTo(self._at(canvas, one.at, before))
            path.lineTo(self._at(canvas, one.at, one.value))
            before = one.value
        path.lineTo(self._at(canvas, max(self.until, self.points[-1].at), before))
        return path
