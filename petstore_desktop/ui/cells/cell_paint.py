"""How each kind of cell is painted, the word "low" beside a stock too, given its rectangle and the row's state.

Where a colour comes from: `Cell.tone`, a mark's and a chip's from `ui/text/cell`, the colours of the tones themselves
from `ui/base/theme`.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter

from petstore_desktop.ui.base.theme import Theme, Tone
from petstore_desktop.ui.text.cell import DASH, EMPTY, MARK_ICONS, MARK_TONES, Cell, chip_tone
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.paint import (
    CHIP_PAD,
    Brush,
    baseline,
    chip_width,
    draw_check,
    draw_chip,
    draw_icon,
    draw_pill,
    elided,
    fill_panel,
    fill_round,
    pill_width,
)

PAD, EDGE_PAD = 10, 16
NOTE_LEAST = 40
"""Pixels below which the rest of a note is useless: the cell's words are shortened first."""
_PIECES: dict[Tone, tuple[int, int]] = {"accent": (1, 14), "wait": (2, 7), "bad": (3, 4)}
_PIECE_GAP = 2
_BEFORE_ARROW, _ARROW_GAP = 96, 10
"""In a preview: the least room of the old value, and the space on both sides of the arrow."""
_ARROW_END, _CHIP_END, _BASE_END = 49, 70, 130
"""Stock cell: distances from the right edge of the figure's column to the ends of arrow, chip and base."""


class CellBrush(Brush):
    """What a cell's painter needs beside the brush: its state, and the edges of its texts in logical pixels, paddings
    taken off, as if laid out left to right."""

    left: float
    right: float
    selected: bool
    checked: bool = False
    focused: bool = False
    enabled: bool = True


def text_color(brush: CellBrush, cell: Cell) -> QColor:
    """The colour of a cell's words: its tone, quieter where the cell or row is, never faint on a selection."""
    theme = brush.theme
    tone: Tone = cell.tone
    if tone == "text" and (cell.muted or cell.row_muted):
        tone = "faint" if cell.row_muted and theme.high_contrast else "muted"
    if cell.text == DASH and not cell.chip:
        tone = "faint"
    if tone == "faint" and brush.selected:
        tone = "muted"
    return theme.tone(tone)


def _faint(brush: CellBrush) -> QColor:
    return brush.theme.tone("muted" if brush.selected else "faint")


def paint_tint(painter: QPainter, theme: Theme, rect: QRect, cell: Cell, rtl: bool, current: bool) -> None:
    """The rounded tint and the 2 px bar of a changed cell, in one piece, in two for a conflict, in three where it was
    refused; the current cell is on the content's plane."""
    mark = cell.mark
    if mark is None or mark == "sent":
        return
    tone = MARK_TONES[mark]
    if not current:
        plane = theme.color("edit") if tone == "accent" else theme.tint(tone)
        fill_panel(painter, theme, rect.adjusted(1, 1, -1, -2).toRectF(), 4, plane)
    x = rect.right() - 4 if rtl else rect.left() + 3
    pieces, high = _PIECES[tone]
    top = rect.top() + (rect.height() + 1 - pieces * (high + _PIECE_GAP)) // 2
    for piece in range(pieces):
        fill_round(painter, QRectF(x, top + piece * (high + _PIECE_GAP), 2, high), 1, theme.tone(tone))


def _paint_text(brush: CellBrush, cell: Cell) -> None:
    x, color = brush.left, text_color(brush, cell)
    figures = cell.kind in ("date", "number")
    weight = 500 if cell.icon or cell.tone in ("bad", "wait") else 400
    if cell.icon:
        side = brush.theme.scaled(14)
        brush.icon(cell.icon, x, color, side)
        x += side + 6
    shown = elided(brush.theme, cell.text, brush.right - x, 13, weight, figures)
    brush.text(x, shown, color, 13, weight, figures)


def _paint_number(brush: CellBrush, cell: Cell) -> None:
    room = brush.right - brush.left
    shown = elided(brush.theme, cell.text, room, 13, 400, True)
    brush.figures(brush.left, brush.right, shown, text_color(brush, cell))


def _paint_ref(brush: CellBrush, cell: Cell) -> None:
    theme, x = brush.theme, brush.left
    tag = f"#{cell.ref_id}" if cell.ref_id else ""
    tag_width = theme.advance(tag, 12, 400, True) if tag else 0.0
    room = brush.right - x - (tag_width + 7 if tag else 0)
    name = elided(theme, cell.text, max(0.0, room))
    x += brush.text(x, name, text_color(brush, cell)) + 7
    if tag:
        brush.text(x, tag, _faint(brush), 12, 400, True)
        x += tag_width + 10
    if cell.note and brush.right - x >= NOTE_LEAST:
        brush.text(x, elided(theme, cell.note, brush.right - x + 1, 12), theme.tone("wait"), 12)


def _paint_pill(brush: CellBrush, cell: Cell) -> None:
    theme, x = brush.theme, brush.left
    width, text = pill_width(theme, cell.text, cell.icon), cell.text
    excess = width - (brush.right + PAD - 2 - x)
    if excess > 0:  # too narrow for the word: leave its beginning
        text = elided(theme, text, max(0.0, theme.advance(text, 12, 500) - excess), 12, 500)
        width = pill_width(theme, text, cell.icon)
    draw_pill(brush.painter, theme, brush.at(x, width), brush.middle, text, cell.icon, cell.tone, brush.rtl)


def stock_room(theme: Theme, cell: Cell) -> float:
    """Width a stock cell needs for base, chip, arrow and result."""
    slot = max(0.0, theme.advance(cell.result, 13, 500, True) - 40)
    base = theme.advance(cell.base, 13, 400, True)
    return slot + max(_BASE_END + base, _CHIP_END + chip_width(theme, cell.chip) + 8 + base)


def _paint_stock(brush: CellBrush, cell: Cell) -> None:
    theme, left, right = brush.theme, brush.left, brush.right
    if not cell.chip:
        width = brush.figures(left, right, cell.text, text_color(brush, cell))
        if cell.low:
            _paint_low(brush, max(_CHIP_END, width + 10))
        return
    color = text_color(brush, cell)
    full = stock_room(theme, cell) <= right - left
    weight = 500 if full or cell.tone != "text" else 400
    if full and brush.rtl:
        _paint_stock_mirrored(brush, cell, color)
        return
    width = brush.figures(left, right, cell.result, color, 13, weight)
    if not full:
        return
    end = right - max(0.0, width - 40)
    arrow = theme.scaled(14)
    brush.icon("arrow", end - _ARROW_END - arrow, theme.tone("muted"), arrow)
    chip = chip_width(theme, cell.chip)
    _paint_stock_chip(brush, cell, end - _CHIP_END - chip)
    brush.ending(end - max(_BASE_END, _CHIP_END + chip + 8), cell.base, theme.tone("muted"))


def _paint_stock_chip(brush: CellBrush, cell: Cell, x: float) -> float:
    """Paint the change so that it begins at `x`; return its width."""
    tone = chip_tone(cell.mark)
    at = brush.at(x, chip_width(brush.theme, cell.chip))
    return draw_chip(brush.painter, brush.theme, at, brush.middle, cell.chip, tone, on_tint=tone != "accent")


def _paint_stock_mirrored(brush: CellBrush, cell: Cell, color: QColor) -> None:
    """Where one reads from the right: what the shop has stands below the figures of other rows, and the change and the
    result follow."""
    theme, side = brush.theme, brush.theme.scaled(14)
    x = brush.left + max(
        _BASE_END - _CHIP_END - side, brush.text(brush.left, cell.base, theme.tone("muted"), tnum=True)
    )
    x += 8 + _paint_stock_chip(brush, cell, x + 8)
    brush.icon("arrow", x + 8, theme.tone("muted"), side)
    brush.text(x + side + 16, cell.result, color, 13, 500, True)


def _paint_low(brush: CellBrush, away: float) -> None:
    """Say beside a figure, `away` from where that begins to count, that it is low; without the word where it is
    narrow."""
    word = tr("low")
    width = brush.theme.advance(word, 12, 500)
    side = brush.theme.scaled(14)
    if away + width + 4 + side > brush.right - brush.left + 2:
        word, width = "", -4.0
    color = brush.theme.tone("wait")
    x = brush.left + away if brush.rtl else brush.right - away - width - 4 - side
    brush.icon("low", x, color, side)
    if word:
        brush.text(x + side + 4, word, color, 12, 500)


def _paint_chip(brush: CellBrush, cell: Cell) -> None:
    """At the right on the screen, so that its digits stand below those of other rows."""
    if cell.muted or not cell.text:
        _paint_number(brush, cell)
        return
    width = chip_width(brush.theme, cell.text)
    x = brush.at(brush.left - CHIP_PAD if brush.rtl else brush.right + CHIP_PAD - width, width)
    draw_chip(brush.painter, brush.theme, x, brush.middle, cell.text, cell.tone, on_tint=brush.selected)


def _paint_moved(brush: CellBrush, cell: Cell) -> None:
    theme, right, side = brush.theme, brush.right, brush.theme.scaled(14)
    slot = max(theme.scaled(42), theme.advance(cell.result, 13, 500, True) + 10)
    if brush.rtl:
        slot = max(slot, theme.advance(cell.base, 13, 400, True) + 10)
        brush.text(brush.left, cell.base, theme.tone("muted"), tnum=True)
        brush.icon("arrow", brush.left + slot, theme.tone("muted"), side)
        brush.text(brush.left + slot + side + 10, cell.result, text_color(brush, cell), 13, 500, True)
        return
    brush.ending(right, cell.result, text_color(brush, cell), 13, 500)
    brush.icon("arrow", right - slot - side, theme.tone("muted"), side)
    room = right - slot - side - 10 - brush.left
    brush.ending(right - slot - side - 10, elided(theme, cell.base, room), theme.tone("muted"))


def _paint_icon(brush: CellBrush, cell: Cell) -> None:
    if cell.icon:
        side = brush.theme.scaled(14)
        x = brush.rect.left() + (brush.rect.width() - side) / 2
        draw_icon(brush.painter, cell.icon, x, brush.middle - side / 2, text_color(brush, cell), side, brush.rtl)


def _paint_gutter(brush: CellBrush, cell: Cell) -> None:
    if cell.mark is None:
        return
    side = brush.theme.scaled(14)
    x = brush.rect.left() + (brush.rect.width() - side) / 2
    color = brush.theme.tone(MARK_TONES[cell.mark])
    brush.icon(MARK_ICONS[cell.mark], x, color, side)


def _paint_check(brush: CellBrush, _cell: Cell) -> None:
    draw_check(brush.painter, brush.theme, brush.rect, brush.checked, brush.focused, brush.enabled)


_PAINTERS: dict[str, Callable[[CellBrush, Cell], None]] = {
    "text": _paint_text,
    "date": _paint_text,
    "number": _paint_number,
    "ref": _paint_ref,
    "pill": _paint_pill,
    "stock": _paint_stock,
    "gutter": _paint_gutter,
    "check": _paint_check,
    "chip": _paint_chip,
    "moved": _paint_moved,
    "icon": _paint_icon,
}


def halves(theme: Theme, room: float) -> tuple[float, float]:
    """In a preview: the room of the old value, and that of the new one after the arrow."""
    side = theme.scaled(14)
    arrow = max(theme.scaled(_BEFORE_ARROW), (room - side - 2 * _ARROW_GAP) / 2)
    return arrow - _ARROW_GAP / 2, room - arrow - side - _ARROW_GAP


def paint_content(brush: CellBrush, cell: Cell) -> None:
    """Paint the cell's content, and in a preview the new value after an arrow."""
    after = cell.after
    if after is None:
        _PAINTERS[cell.kind](brush, cell)
        return
    theme, right = brush.theme, brush.right
    side = theme.scaled(14)
    before, _ = halves(theme, right - brush.left)
    x = brush.left + before + _ARROW_GAP / 2
    brush.right = brush.left + before
    _PAINTERS[cell.kind](brush, cell)
    brush.right = right
    brush.icon("arrow", x, theme.tone("muted"), side)
    brush.left = x = x + side + _ARROW_GAP
    if after.kind == "pill":
        _paint_pill(brush, after)
    else:
        brush.text(x, elided(theme, after.text, brush.right - x, 13, 500), text_color(brush, after), 13, 500)


def needed_width(theme: Theme, cell: Cell) -> float:
    """The width that the cell's words need, to tell whether they are cut; 0 if they are never cut."""
    if cell.kind == "ref":
        tag = theme.advance(f"#{cell.ref_id}", 12, 400, True) + 7 if cell.ref_id else 0
        return theme.advance(cell.text) + tag + (theme.advance(cell.note, 12) + 10 if cell.note else 0)
    if cell.kind in ("text", "date", "number"):
        return theme.advance(cell.text, 13, 400, cell.kind != "text") + (20 if cell.icon else 0)
    if cell.kind == "pill":
        return pill_width(theme, cell.text, cell.icon) - PAD + 2
    if cell.kind == "stock" and cell.chip:
        return stock_room(theme, cell)
    return 0.0


def is_bare(cell: Cell) -> bool:
    """Whether there is nothing to paint in a cell that is not the current one."""
    return cell is EMPTY or (cell.kind == "gutter" and cell.mark is None)


def paint_cell(brush: CellBrush, cell: Cell, current: bool) -> None:
    """Paint the cell on its ground: the tint of a change, the content, and the ring around the current cell."""
    if cell.mark is not None and cell.kind != "gutter":
        if current:
            brush.painter.fillRect(brush.rect.adjusted(1, 1, -1, -1), brush.theme.color("content"))
        paint_tint(brush.painter, brush.theme, brush.rect, cell, brush.rtl, current)
    paint_content(brush, cell)
    if current and cell.kind not in ("gutter", "check"):
        brush.ring(brush.theme.color("accent"), 4)


def paddings(first: bool, last: bool) -> tuple[int, int]:
    """The paddings at the edges of a cell; the row's first and last columns keep the wider edge."""
    return EDGE_PAD if first else PAD, EDGE_PAD if last else PAD


def make_brush(
    painter: QPainter, theme: Theme, rect: QRect, rtl: bool, selected: bool, first: bool = False, last: bool = False
) -> CellBrush:
    """A brush for the cell in `rect`."""
    theme = theme.selected if selected else theme
    begin, end = paddings(first, last)
    height = rect.height()
    base, middle = baseline(theme, rect.top(), height), rect.top() + height / 2
    left, right = rect.left() + begin, rect.right() + 1 - end
    return CellBrush(painter, theme, rect, rtl, base, middle, left, right, selected)
