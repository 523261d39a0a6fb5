"""Where name, code, id, category and own line stand on a label, in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from petstore_desktop.desk.labels.patterns import CodePattern
from petstore_desktop.desk.labels.sheets import Area, LabelSheet

MODULE_MM: Final = 0.5
"""The width of the thinnest bar that is aimed at."""
LEAST_MODULE_MM: Final = 0.3
"""Below it hand scanners begin to fail."""
_UNREADABLE_MM: Final = 0.25
"""Two dots of a label printer; thinner bars cannot be read back, and are not printed."""
MM_PER_INCH: Final = 25.4
LINE: Final = 1.25
"""The height of a line of text, in sizes of its letters."""
_MARGIN, _SMALL_MARGIN = 5.0, 1.5
_LARGE: Final = 35.0
"""Labels of this height have the full margin."""
_NAME, _ID, _WORD = 3.9, 3.7, 2.9
"""Sizes of letters on a large label; smaller labels have smaller ones."""
_GAP: Final = 0.6
_BARS: Final = 12.0
"""The height of bars where there is room."""
_LEAST_BARS: Final = 4.0
_LETTER: Final = 0.62
"""The width of a letter of an id, in sizes of its letters."""
_LEAST_ID: Final = 2.2
_LEAST_BESIDE: Final = 9.0
"""The least room beside a code in which texts are worth writing."""
_SMALLEST: Final = 0.56
"""How much smaller the letters of the smallest labels are."""
_ROUNDING: Final = 0.001


class Content(Struct, frozen=True):
    """What stands on each label."""

    name: bool = True
    id: bool = True
    category: bool = True
    own_line: bool = False


class TextArea(Struct, frozen=True):
    """Room for a text: `size` is that of its letters, `lines` how many it may take at most. `at_end`: it stands at the
    right and lower edge."""

    area: Area
    size: float
    lines: int
    at_end: bool = False


class LabelDesign(Struct, frozen=True):
    """The parts of one label, from its top left corner. `module`: printer's dots of one module, 0 where the code is
    missing because there is no room for it."""

    texts: dict[str, TextArea]
    code: Area | None = None
    module: int = 0
    module_mm: float = 0.0


def design_of(
    sheet: LabelSheet, content: Content, pattern: CodePattern | None, id_length: int, dpi: int
) -> LabelDesign:
    """Lay out a label. Wider bars count more than texts beside them. `dpi`: dots of an inch of the printer, of which
    each bar has a whole number; `id_length`: letters of the id with its mark."""
    board = _Board(sheet, content, id_length)
    if pattern is not None:
        for module, module_mm in _modules(dpi):
            lay = board.bars if pattern.kind == "code128" else board.squares
            found = lay(pattern.width * module_mm, pattern.quiet * module_mm)
            if found is not None:
                texts, area = found
                return LabelDesign(texts, area, module, module_mm)
    return LabelDesign(board.texts_alone())


def _modules(dpi: int) -> Iterator[tuple[int, float]]:
    """Yield the widths that a module can have, widest first, in dots and in millimetres."""
    for dots in range(max(1, round(MODULE_MM * dpi / MM_PER_INCH)), 0, -1):
        if dots * MM_PER_INCH / dpi >= _UNREADABLE_MM - _ROUNDING:
            yield dots, dots * MM_PER_INCH / dpi


class _Board:
    """The measures of one label."""

    def __init__(self, sheet: LabelSheet, content: Content, id_length: int) -> None:
        self.content = content
        self.width, self.height = sheet.label_width, sheet.label_height
        self.margin = _MARGIN if self.height >= _LARGE else max(_SMALL_MARGIN, 0.1 * self.height)
        self.inner = Area(self.margin, self.margin, self.width - 2 * self.margin, self.height - 2 * self.margin)
        small = min(1.0, max(_SMALLEST, self.height / _LARGE))
        self.name_size, self.id_size, self.word_size = _NAME * small, _ID * small, _WORD * small
        self.lines = [name for name in ("id", "category", "own_line") if getattr(content, name)]
        self.id_width = id_length * _LETTER * _LEAST_ID if content.id else 0.0
        self.name_height = 2 * LINE * self.name_size + _GAP if content.name else 0.0

    def bars(self, width: float, quiet: float) -> tuple[dict[str, TextArea], Area] | None:
        """Bars at the left below the name, with texts beside them; else with texts below them."""
        left = max(self.margin, quiet)
        room = self.inner.height - self.name_height
        beside = self.inner.right - left - width - quiet
        wanted = max(self.id_width, _LEAST_BESIDE) if self.lines else quiet - self.margin - _ROUNDING
        if beside >= wanted and room >= _LEAST_BARS:
            code = Area(left, self.inner.bottom - min(_BARS, room), width, min(_BARS, room))
            return self._name(self.inner) | self._column(beside, code.top), code
        below = self._below_height()
        high = min(_BARS, room - below)
        if left + width + quiet > self.width + _ROUNDING or high < _LEAST_BARS:
            return None
        code = Area(left, self.inner.bottom - below - high, width, high)
        return self._name(self.inner) | self._below(below), code

    def squares(self, side: float, quiet: float) -> tuple[dict[str, TextArea], Area] | None:
        """A QR code at the left: below the name with texts beside it, or over the height of the label with all texts
        beside it."""
        edge = max(self.margin, quiet)
        beside = self.inner.right - edge - side - quiet
        wanted = max(_LEAST_BESIDE, min(self.id_width, 2 * _LEAST_BESIDE))
        if beside < (wanted if self.lines or self.content.name else quiet - self.margin - _ROUNDING):
            return None
        top = self.height - edge - side
        if top >= self.margin + self.name_height + (quiet if self.content.name else 0.0):
            return self._name(self.inner) | self._column(beside, top), Area(edge, top, side, side)
        if self.height < side + 2 * quiet:
            return None
        area = Area(self.inner.right - beside, self.margin, beside, self.inner.height)
        code = Area(edge, (self.height - side) / 2, side, side)
        return self._name(area) | self._column(beside, self.margin + self.name_height), code

    def texts_alone(self) -> dict[str, TextArea]:
        """All texts of a label without a code."""
        return self._name(self.inner) | self._column(self.inner.width, self.margin + self.name_height)

    def _name(self, area: Area) -> dict[str, TextArea]:
        if not self.content.name:
            return {}
        return {"name": TextArea(Area(area.left, area.top, area.width, 2 * LINE * self.name_size), self.name_size, 2)}

    def _column(self, width: float, top: float) -> dict[str, TextArea]:
        """Id, category and own line below each other at the lower right, each as high as it may be."""
        left, bottom = self.inner.right - width, self.inner.bottom
        sizes = {name: self.id_size if name == "id" else self.word_size for name in self.lines}
        needed = sum(sizes.values()) * LINE
        scale = min(1.0, (bottom - top) / needed) if needed else 1.0
        found: dict[str, TextArea] = {}
        for name in reversed(self.lines):
            line = sizes[name] * scale * LINE
            high = min(2 * line, bottom - top) if name == "id" else line  # a long id takes a second line
            found[name] = TextArea(Area(left, bottom - high, width, high), sizes[name] * scale, 2, at_end=True)
            bottom -= high
        return found

    def _below_height(self) -> float:
        """How high the texts below a code are."""
        lines = ("id" in self.lines or "category" in self.lines) + ("own_line" in self.lines)
        return lines * LINE * self.word_size + (_GAP if lines else 0.0)

    def _below(self, height: float) -> dict[str, TextArea]:
        """Id and category in one line, the own line below them."""
        line, area = LINE * self.word_size, self.inner
        top, right = area.bottom - height + _GAP, area.right
        both = "id" in self.lines and "category" in self.lines
        middle = area.left + area.width * (min(0.7, max(0.4, self.id_width / area.width)) if both else 0.0)
        places = {
            "id": Area(area.left, top, (middle - _GAP if both else right) - area.left, line),
            "category": Area(middle, top, right - middle, line),
            "own_line": Area(area.left, area.bottom - line, area.width, line),
        }
        return {
            name: TextArea(places[name], self.word_size, 1, at_end=both and name == "category") for name in self.lines
        }
