"""Sheets and rolls of labels, in millimetres: the usual ones, own sizes and what is wrong with them, and where the
labels of a job stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, isfinite
from typing import Final, Literal, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from petstore_desktop.domain.records import JsonValue

_SLACK: Final = 0.05
"""Millimetres by which labels may stand beyond a sheet's edge: sizes are written with one decimal."""
_LENGTHS: Final = {
    "width": (20.0, 1000.0),
    "height": (10.0, 1000.0),
    "label_width": (20.0, 1000.0),
    "label_height": (10.0, 1000.0),
    "left": (0.0, 1000.0),
    "top": (0.0, 1000.0),
    "gap_x": (0.0, 1000.0),
    "gap_y": (0.0, 1000.0),
}
"""The least and the most millimetres of each length."""
_COUNTS: Final = {"columns": (1.0, 100.0), "rows": (1.0, 100.0)}


class Area(Struct, frozen=True):
    """A rectangle in millimetres."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height


class LabelSheet(Struct, frozen=True):
    """A sheet with labels in columns and rows, or a roll, of which each label is a page. `left` and `top` are the
    margins before the first label, `gap_x` and `gap_y` stand between two labels; all in millimetres."""

    width: float
    height: float
    columns: int
    rows: int
    label_width: float
    label_height: float
    left: float = 0.0
    top: float = 0.0
    gap_x: float = 0.0
    gap_y: float = 0.0
    paper: Literal["A4", "US Letter", "roll", "endless roll", ""] = ""

    @property
    def per_page(self) -> int:
        """How many labels a sheet has."""
        return self.columns * self.rows

    @property
    def is_roll(self) -> bool:
        """Whether each label is a page."""
        return self.per_page == 1

    def place(self, number: int) -> Area:
        """Where a label stands on its sheet; they are counted along the rows, from 0."""
        row, column = divmod(number, self.columns)
        left = self.left + column * (self.label_width + self.gap_x)
        top = self.top + row * (self.label_height + self.gap_y)
        return Area(left, top, self.label_width, self.label_height)

    def pages(self, labels: int, start: int) -> int:
        """How many sheets so many labels take, where the first stands at the place `start`."""
        return ceil((labels + start) / self.per_page) if labels else 0

    def on_page(self, page: int, labels: int, start: int) -> Iterator[tuple[int, int]]:
        """Yield each label that stands on a page (from 0) with its place there, both as numbers from 0."""
        first = page * self.per_page - start
        for place in range(self.per_page):
            if 0 <= first + place < labels:
                yield first + place, place


SHEETS: Final[Mapping[str, LabelSheet]] = {
    "a4-3x8": LabelSheet(210, 297, 3, 8, 70, 37, top=0.5, paper="A4"),
    "a4-2x7": LabelSheet(210, 297, 2, 7, 99.1, 38.1, left=4.65, top=15.15, gap_x=2.5, paper="A4"),
    "a4-5x13": LabelSheet(210, 297, 5, 13, 38.1, 21.2, left=4.67, top=10.7, gap_x=2.54, paper="A4"),
    "us-3x10": LabelSheet(215.9, 279.4, 3, 10, 66.675, 25.4, 4.7625, 12.7, 3.175, paper="US Letter"),
    "roll-57x32": LabelSheet(57, 32, 1, 1, 57, 32, paper="roll"),
    "roll-62": LabelSheet(62, 34, 1, 1, 62, 34, paper="endless roll"),
}
"""Those that every shop can buy, by the name under which a choice is kept."""
FIRST_SHEET: Final = "a4-3x8"

SheetProblem = Literal["no-number", "too-small", "too-large", "too-wide", "too-high"]


def problems(sheet: LabelSheet) -> dict[str, SheetProblem]:
    """The problems of an own size, by the field in which it is mended; empty where it can be printed."""
    found: dict[str, SheetProblem] = {}
    for name, (least, most) in (_LENGTHS | _COUNTS).items():
        value = getattr(sheet, name)
        if not isfinite(value):
            found[name] = "no-number"
        elif not least <= value <= most:
            found[name] = "too-small" if value < least else "too-large"
    if not found:
        last = sheet.place(sheet.per_page - 1)
        if last.right > sheet.width + _SLACK:
            found["label_width"] = "too-wide"
        if last.bottom > sheet.height + _SLACK:
            found["label_height"] = "too-high"
    return found


def needed(sheet: LabelSheet) -> tuple[float, float]:
    """The width and height that its labels take, with the margins before them."""
    last = sheet.place(sheet.per_page - 1)
    return last.right, last.bottom


def sheet_json(sheet: LabelSheet) -> dict[str, JsonValue]:
    """An own size as it is kept."""
    return asdict(sheet)


def sheet_of_json(kept: object) -> LabelSheet | None:
    """An own size as it was kept; None where it cannot be printed."""
    if not isinstance(kept, Mapping):
        return None
    values = cast("Mapping[str, object]", kept)
    counts = [value for name in _COUNTS if isinstance(value := values.get(name), int)]
    try:
        lengths = {name: float(value) for name in _LENGTHS if isinstance(value := values.get(name), int | float)}
    except OverflowError:
        return None
    if len(counts) < len(_COUNTS) or len(lengths) < len(_LENGTHS):
        return None
    sheet = replace(LabelSheet(0, 0, counts[0], counts[1], 0, 0), **lengths)
    return None if problems(sheet) else sheet
