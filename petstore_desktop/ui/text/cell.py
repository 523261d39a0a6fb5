"""What a model says about a cell for the delegate to paint: plain data, one frozen `Cell` a cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct
from PySide6.QtCore import Qt

from petstore_desktop.desk.values import cells
from petstore_desktop.domain.records import status_kind
from petstore_desktop.ui.base.theme import Tone, to_say
from petstore_desktop.ui.text.translate import DASH, listed, tr

CellRole = int(Qt.ItemDataRole.UserRole) + 1
"""Item role under which a model gives the `Cell`; roles from UserRole + 10 up are the model's own."""
Kind = Literal["text", "number", "date", "pill", "stock", "ref", "gutter", "check", "chip", "moved", "icon"]
Mark = Literal[cells.Mark, "invalid"]
"""As the desk has them, and that of what was typed and cannot be saved."""
MARK_ICONS: dict[Mark, str] = {
    "unsent": "saved",
    "sending": "sending",
    "sent": "sent",
    "refused": "refused",
    "conflict": "conflict",
    "uncertain": "uncertain",
    "invalid": "warning",
}
MARK_TONES: dict[Mark, Tone] = {
    "unsent": "accent",
    "sending": "accent",
    "sent": "ok",
    "refused": "bad",
    "conflict": "wait",
    "uncertain": "wait",
    "invalid": "bad",
}
MARK_ORDER: tuple[Mark, ...] = ("invalid", *cells.MARKS)
"""Worst first."""
STATUS_TONES: dict[str, Tone] = {
    "available": "ok",
    "pending": "wait",
    "sold": "done",
    "complete": "ok",
    "open": "done",
    "overdue": "bad",
}


class Cell(Struct, frozen=True, kw_only=True):
    """One cell's content.

    text: the words or figures; in a stock cell the figure shown when there is no change.
    base, chip, result: the shop's figure, the unsent change ("+12", "=40") and what results; a "moved" cell has base
    and result at the right, a "chip" cell its text as a chip, or muted where it says that nothing differs.
    ref_id: decimal id shown after the name as "#1234".   note: a short remark after it, in the wait tone.
    mark: state of an unsent change in this cell; in the gutter, the row's worst.
    row_muted: the row no longer fits the filter.   after: the new value in a preview (old → new).
    tip: tool tip, in plain words; without it an elided text shows itself.
    """

    text: str = ""
    kind: Kind = "text"
    tone: Tone = "text"
    icon: str = ""
    muted: bool = False
    ref_id: str | None = None
    note: str = ""
    base: str = ""
    chip: str = ""
    result: str = ""
    mark: Mark | None = None
    low: bool = False
    row_muted: bool = False
    after: Cell | None = None
    tip: str = ""


EMPTY = Cell()


def pill_cell(
    status: str, word: str, *, mark: Mark | None = None, row_muted: bool = False, after: Cell | None = None
) -> Cell:
    """A pill for a record's state; an unknown status gets the ring with the question mark."""
    icon = status if status in STATUS_TONES else status_kind(status) or "unknown"
    tone = STATUS_TONES.get(icon)
    return Cell(
        kind="pill", text=word, tone=tone or "done", icon=icon, mark=mark, row_muted=row_muted, after=after, tip=""
    )


def chip_tone(mark: Mark | None) -> Tone:
    """The colour of a change that stands as a chip: its mark's, for what waits the accent."""
    tone = MARK_TONES[mark] if mark else "accent"
    return "accent" if tone == "ok" else tone


_MARKS: Mapping[Mark, Callable[[], str]] = {
    "unsent": lambda: tr("saved on this computer, not sent"),
    "sending": lambda: tr("being sent"),
    "sent": lambda: tr("sent"),
    "refused": lambda: tr("refused by the service"),
    "conflict": lambda: tr("in conflict with the service"),
    "uncertain": lambda: tr("sent, but no answer came"),
    "invalid": lambda: tr("not saved"),
}


def mark_words(mark: Mark) -> str:
    """The mark's meaning in words, for tool tips and screen readers."""
    return _MARKS[mark]()


def changed_words(before: str, after: str) -> str:
    """An old and a new value, as one reads."""
    return tr("{before} → {after}", before=before, after=after)


def full_text(cell: Cell) -> str:
    """All that a cell shows, for where a column cuts it."""
    if cell.kind in ("stock", "moved"):
        return changed_words(f"{cell.base} {cell.chip}", cell.result)
    return " ".join(filter(None, (cell.text, f"#{cell.ref_id}" if cell.ref_id else "", cell.note)))


def spoken(cell: Cell, label: str = "") -> str:
    """A cell in words for screen readers: "36, 24 at the shop, +12 not sent". In a table the reader says the column's
    title itself; elsewhere `label` comes first."""
    parts = [f"{label} {_value(cell)}".strip()]
    if cell.chip:
        parts.append(tr("{base} at the shop", base=cell.base or DASH))
        parts.append(tr("{change} not sent", change=cell.chip))
    if cell.low:
        parts.append(tr("low"))
    if cell.note:
        parts.append(cell.note)
    if cell.after is not None:
        parts.append(tr("changes to {value}", value=_value(cell.after)))
    if cell.mark and not cell.chip:
        parts.append(mark_words(cell.mark))
    return to_say(listed(parts))


def _value(cell: Cell) -> str:
    if cell.kind == "gutter":
        return ""
    if cell.kind == "moved":
        return tr("{old} becomes {new}", old=cell.base or DASH, new=cell.result)
    text = cell.result if cell.chip else cell.text
    return f"{text} #{cell.ref_id}" if cell.ref_id else text
