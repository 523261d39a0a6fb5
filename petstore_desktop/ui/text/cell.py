"""What a model says about a cell for the delegate to paint: plain data, one frozen `Cell` a cell; and the desk's
facts about a cell in these words: formatted by locale, service text made harmless."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Qt

from petstore_desktop.desk.values import cells
from petstore_desktop.desk.values.cells import CellFacts, Chip
from petstore_desktop.desk.values.dates import ShipDate
from petstore_desktop.domain.records import Resource, status_kind
from petstore_desktop.ui.base.theme import Tone, plain, to_say
from petstore_desktop.ui.text.times import day, full_day, late
from petstore_desktop.ui.text.translate import DASH, listed, number, signed, status_word, tr

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


def to_cell(facts: CellFacts, *, muted: bool = False, with_id: bool = True, is_id: bool = False) -> Cell:
    """One cell. `muted`: a column of second rank; `with_id`: a reference shows its id too (`Koi #1234`); `is_id`: a
    number that is a name, never grouped."""
    maker = _MAKERS[facts.kind]
    if is_id and facts.number is not None:
        maker = _id
    elif not with_id and facts.kind == "ref" and not facts.code:
        maker = _name
    cell = maker(facts, "muted" if muted else "text")
    dress: dict[str, Any] = {}  # most cells need none of it, and this is asked for each cell of each paint
    if facts.mark is not None and cell.mark is None:
        dress["mark"] = facts.mark
    if facts.tip and not cell.tip:
        dress["tip"] = plain(facts.tip)
    if facts.row_muted or facts.row_deleted:
        dress["row_muted"] = True
    return replace(cell, **dress) if dress else cell


def _text(facts: CellFacts, tone: Tone) -> Cell:
    if facts.code == "none" or not facts.text:
        return Cell(text=DASH if facts.code == "none" else "", kind="text", tone=tone)
    return Cell(text=plain(facts.text), kind="text", tone=tone)


def _number(facts: CellFacts, tone: Tone) -> Cell:
    if facts.code == "new":
        return Cell(
            text=tr("new", "in place of an id that the service has not given yet"), kind="number", tone="accent"
        )
    if facts.number is None:
        return Cell(text=plain(facts.text) or DASH, kind="number", tone=tone)
    if facts.code == "at-least":
        return Cell(
            text=number(facts.number),
            kind="number",
            tone=tone,
            tip=tr("At least {n}: there may be more that were not read", "", int(facts.number)),
        )
    return Cell(text=number(facts.number), kind="number", tone=tone)


def _id(facts: CellFacts, tone: Tone) -> Cell:
    return Cell(text=str(facts.number), kind="number", tone=tone)


def _date(facts: CellFacts, tone: Tone) -> Cell:
    ship = facts.date
    if ship is None or facts.code == "none":
        return Cell(text=tr("No date"), kind="date", tone="muted")
    if ship.local is None or facts.code == "date-unreadable":
        tip = tr("This date cannot be read. The service wrote: {raw}", raw=plain(ship.raw))
        return Cell(text=plain(ship.raw), kind="date", tone="wait", tip=tip)
    text = date_words(ship, facts.days)
    if facts.code == "date-no-offset":
        tip = tr("Without a time zone, shown as it is. The service wrote: {raw}", raw=plain(ship.raw))
        return Cell(text=f"{text}{tr('*', 'marks a date without time zone')}", kind="date", tone=tone, tip=tip)
    return Cell(text=text, kind="date", tone=tone)


def date_words(ship: ShipDate, days: int | None) -> str:
    """A ship date's day; `days` is its distance from today."""
    on = ship.day
    if on is None:
        return plain(ship.raw)
    return full_day(on) if days is None else day(on, _today(on, days))


def _today(on: date, days: int) -> date:
    try:
        return on - timedelta(days=days)
    except OverflowError:  # a date at the end of the calendar
        return on


def _pill(facts: CellFacts, tone: Tone) -> Cell:
    if facts.code == "none" or not facts.text:
        return Cell(text=DASH, kind="text", tone=tone)
    return pill_cell(facts.text, plain(status_word(facts.text)))


def _stock(facts: CellFacts, tone: Tone) -> Cell:
    stock = facts.stock
    if stock is None or (stock.base is None and stock.chip is None):
        tip = tr("There is no stock entry for this pet.")
        return Cell(text=DASH, kind="stock", tone=tone, tip=tip if facts.code == "no-stock-entry" else "")
    base = DASH if stock.base is None else number(stock.base)
    if stock.chip is None:
        return Cell(text=base, kind="stock", low=stock.low, tone=_sign_tone(stock.base, tone))
    result = DASH if stock.result is None else number(stock.result)
    return Cell(
        text=result,
        kind="stock",
        base=base,
        chip=chip_text(stock.chip),
        result=result,
        low=stock.low,
        tone=_sign_tone(stock.result, tone),
    )


def _sign_tone(value: int | None, tone: Tone) -> Tone:
    return "bad" if value is not None and value < 0 else tone


def _ref(facts: CellFacts, tone: Tone) -> Cell:
    if facts.code in ("no-such-pet", "no-such-category"):
        note = tr("no such pet") if facts.code == "no-such-pet" else tr("no such category")
        return Cell(text="?", kind="ref", tone="wait", ref_id=facts.ref_id or None, note=note)
    if facts.code == "none":
        return Cell(text=DASH, kind="text", tone=tone)
    return Cell(text=plain(facts.text), kind="ref", ref_id=facts.ref_id or None, tone=tone)


def _name(facts: CellFacts, tone: Tone) -> Cell:
    """A reference whose id is not shown."""
    return Cell(text=plain(facts.text), kind="ref", tone=tone)


def _late(facts: CellFacts, tone: Tone) -> Cell:
    days = facts.number
    if days is None or days <= 0:
        return Cell(kind="text", tone=tone)
    return Cell(text=late(days), kind="text", tone="bad", icon="overdue")


def _gutter(facts: CellFacts, _: Tone) -> Cell:
    mark = facts.row_mark or facts.mark
    return _NO_MARK if mark is None else gutter_cell(mark)


_NO_MARK = Cell(kind="gutter")


def chip_text(chip: Chip) -> str:
    """A change in a few signs: `+12`, `=40`, a new value, `new`, `deleted`."""
    if chip.kind == "add":
        return signed(chip.number)
    if chip.kind == "set":
        return f"={number(chip.number)}"
    if chip.kind == "create":
        return tr("new", "a record created here")
    if chip.kind == "delete":
        return tr("delete")
    return plain(status_word(chip.text))


def value_text(facts: CellFacts) -> str:
    """A value in one word or number."""
    cell = to_cell(facts)
    return cell.result or cell.text or DASH


def step_texts(before: CellFacts, after: CellFacts) -> tuple[str, str]:
    """Old and new value of a change; where the old count is unknown, the booking alone."""
    stock = after.stock
    if stock is not None and stock.result is None and stock.chip is not None:
        return "", chip_text(stock.chip)
    return value_text(before), value_text(after)


_MAKERS: dict[str, Callable[[CellFacts, Tone], Cell]] = {
    "text": _text,
    "number": _number,
    "date": _date,
    "pill": _pill,
    "stock": _stock,
    "ref": _ref,
    "late": _late,
    "gutter": _gutter,
}


def gutter_cell(mark: Mark) -> Cell:
    """The mark of a row."""
    return Cell(kind="gutter", mark=mark, tip=mark_words(mark))


def record_cell(resource: Resource, title: str, ref_id: str) -> Cell:
    """The record that a row is about."""
    if resource is Resource.ORDERS:
        return Cell(text=tr("Order {id}", id=ref_id))
    return Cell(text=plain(title) or tr("(no name)"), kind="ref", ref_id=ref_id or None)
