"""What many edits at once would do, before they are saved: a row for each record and field, old and new, to be left out
or mended.

A cell that cannot become what was typed says why; it is left out and stands in the way of no other.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from petstore_desktop.desk.cells import CellFacts
from petstore_desktop.desk.column import Column, stock_cell
from petstore_desktop.desk.columns import COLUMNS
from petstore_desktop.desk.say import value_cell
from petstore_desktop.desk.shop import stock_after
from petstore_desktop.domain.changes import AddStock, Create, FieldValue, NewChange, SetFields, SetStock
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_NAMED = {resource: {column.id: column for column in columns} for resource, columns in COLUMNS.items()}
_HUGE_BY, _LARGEST_LEAST = 1_000, 10
REPEATED = "repeated"
"""The problem of a row whose cell is named again further down."""


@dataclass(frozen=True, slots=True)
class CellWish:
    """One cell that shall become what somebody typed: a column of the table of the record's kind, and the text (a
    category by name or id, `+5`, `sold`)."""

    ref: Ref
    column: str
    text: str


@dataclass(slots=True)
class PreviewRow:
    """One record and field, or (without column) one record that would be made.

    `text`: as typed, or as mended; `change`: what it comes to, None where it changes nothing or cannot be; `problem`:
    the code of why it cannot be, empty where it can; `ticked`: whether it is to be done.
    """

    ref: Ref
    column: str
    text: str
    change: NewChange | None = None
    problem: str = ""
    ticked: bool = False

    @property
    def valid(self) -> bool:
        """Whether it can be ticked."""
        return self.change is not None and not self.problem

    @property
    def same(self) -> bool:
        """Whether it is so already."""
        return self.change is None and not self.problem


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be said of a row, by code: problems as they are; "same"; "left-out"; "hangs" on a creation that is
    left out; "below-zero"; "huge" beside all that is in stock; "open-orders", of which there are `count`."""

    code: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows will be done, are left out, cannot be, are so already; and how many pets among the first have open
    orders."""

    going: int
    left_out: int
    wrong: int
    same: int
    with_open_orders: int


class Preview:
    """What these wishes come to at a desk; `new` are records to be made, which wishes may name as categories.

    Creations come first; then records of which something cannot be, those that change, and those that are so already,
    each in the order in which they are named. Rows of one record stand together. Where a cell is named twice, the last
    one counts.
    """

    def __init__(self, desk: Desk, wishes: Sequence[CellWish], new: Sequence[NewChange] = ()) -> None:
        self._desk, self._shop = desk, desk.shop
        coming = {one.ref.key: _name(one) for one in new if one.ref.resource is Resource.CATEGORIES}
        self._coming = {key: name for key, name in coming.items() if isinstance(key, LocalId)}
        self._typed = desk.acts.typed(self._coming)
        self._obstacles: dict[tuple[Resource, str], str] = {}
        self._open_orders: dict[Key, int] = {}
        self.rows: list[PreviewRow] = [self._creation(one) for one in new]
        self._made = len(self.rows)
        self._out: set[LocalId] = set()
        """What would be made and is left out."""
        self._add(wishes)

    # ---- building

    def _creation(self, new: NewChange) -> PreviewRow:
        return PreviewRow(new.ref, "", _name(new), new, ticked=True)

    def _add(self, wishes: Iterable[CellWish]) -> None:
        by_record: dict[Ref, list[PreviewRow]] = {}
        last: dict[tuple[Ref, str], PreviewRow] = {}
        for wish in wishes:
            row = PreviewRow(self._desk.resolve(wish.ref), wish.column, wish.text)
            place = (_target(row), row.column)
            earlier = last.get(place)
            if earlier is not None:
                earlier.problem = REPEATED
            last[place] = row
            by_record.setdefault(row.ref, []).append(row)
        for rows in by_record.values():
            for row in rows:
                if not row.problem:
                    self._read(row)
        for rows in sorted(by_record.values(), key=_standing):
            self.rows += rows

    def _read(self, row: PreviewRow) -> None:
        """Work out what the row's text comes to; what can be done is ticked."""
        row.change, row.problem = None, self._obstacle(row)
        if not row.problem:
            act = self._act(row)
            if isinstance(act, BadInput):
                row.problem = act.code
            else:
                row.change = act
        row.ticked = row.change is not None

    def _obstacle(self, row: PreviewRow) -> str:
        column = self.column(row)
        ref = _target(row)
        if column is None or not (column.editable or column.kind == "date"):  # dates come from files
            return "not-editable"
        if column.kind != "stock" and ref.key not in self._shop.stores[ref.resource]:
            return "no-such-record"
        if not isinstance(ref.key, int) or self._shop.overlay.of(ref) is not None:
            return self._desk.obstacle(column, row.ref)
        place = (row.ref.resource, row.column)
        if place not in self._obstacles:
            self._obstacles[place] = self._desk.obstacle(column, None, row.ref.resource)
        return self._obstacles[place]

    def _act(self, row: PreviewRow) -> NewChange | BadInput | None:
        acts, column = self._desk.acts, self.column(row)
        if column is not None and column.choices == "category":
            value = self._typed.value(row.ref, column.field, row.text)
            if isinstance(value, LocalId) and value in self._coming:
                return acts.change_of(row.ref, column.field, value)
        if column is not None and column.kind == "date":
            made = acts.set_fields((row.ref,), {column.field: row.text.strip()})
            return made if isinstance(made, BadInput) else next(iter(made), None)
        return acts.set_from_text(row.ref, row.column, row.text, self._typed)

    # ---- questions

    def column(self, row: PreviewRow) -> Column | None:
        """The column that a row is about; None of a creation, or where there is no such column."""
        return _NAMED[row.ref.resource].get(row.column)

    def old(self, row: int) -> CellFacts:
        """What is shown now; a dash where a record is to be made."""
        one = self.rows[row]
        column = self.column(one)
        if column is None:
            return CellFacts(code="none")
        if column.kind == "stock":
            return stock_cell(self._shop, one.ref.key)
        if not column.field:  # counted, not said by the service
            slot = self._shop.stores[one.ref.resource].slot(one.ref.key)
            return CellFacts(code="none") if slot is None else column.cell(self._shop, slot)
        return value_cell(self._shop, column.field, self._shop.shown_of(one.ref, column.field))

    def new(self, row: int) -> CellFacts | None:
        """What will be shown; None where nothing changes or can change, and for a creation."""
        change = self.rows[row].change
        column = self.column(self.rows[row])
        if change is None or column is None:
            return None
        intent = change.intent
        if isinstance(intent, AddStock | SetStock):
            shown = self._shop.stock(change.ref.key)
            after = stock_after(None if shown is None else shown.result, intent)
            return CellFacts(kind="stock", number=after.result, stock=after)
        if not isinstance(intent, SetFields):
            return None
        return self._value_cell(column.field, intent.fields.get(column.field))

    def made(self, row: int) -> tuple[tuple[str, CellFacts], ...]:
        """The fields of a record that would be made, by name; empty for other rows."""
        change = self.rows[row].change
        if change is None or not isinstance(change.intent, Create):
            return ()
        return tuple((name, self._value_cell(name, value)) for name, value in change.intent.fields.items())

    def _value_cell(self, name: str, value: FieldValue) -> CellFacts:
        if name == "category_id" and isinstance(value, LocalId) and value in self._coming:
            return CellFacts(kind="ref", text=self._coming[value])
        return value_cell(self._shop, name, value)

    def note(self, row: int) -> Note:
        """What is to be said of a row."""
        one = self.rows[row]
        if one.problem or one.same:
            return Note(one.problem or "same")
        if not one.ticked:
            return Note("left-out")
        if _names(one.change, self._out):
            return Note("hangs")
        odd = self._odd(one.change)
        if odd:
            return Note(odd)
        count = self.open_orders(one.ref.key) if _is_status(one) else 0
        return Note("open-orders", count) if count else Note()

    def _odd(self, change: NewChange | None) -> str:
        """The code of a quantity that is possible, and hardly meant."""
        number = None if change is None else self._quantity(change)
        if number is None:
            return ""
        if number < 0:
            return "below-zero"
        return "huge" if number > _HUGE_BY * _LARGEST_LEAST and number > self._huge else ""

    def _quantity(self, change: NewChange) -> int | None:
        """What will be in stock, or ordered, after it; None for what is about something else."""
        intent = change.intent
        if isinstance(intent, AddStock | SetStock):
            shown = self._shop.stock(change.ref.key)
            return stock_after(None if shown is None else shown.result, intent).result
        number = intent.fields.get("quantity") if isinstance(intent, Create | SetFields) else None
        return number if isinstance(number, int) else None

    @cached_property
    def _huge(self) -> int:
        """More than this is hardly meant: a thousand times the largest stock of the shop, or of a tiny one."""
        held = self._shop.stores[Resource.INVENTORY].columns["quantity"]
        return _HUGE_BY * max(_LARGEST_LEAST, *(one for one in held if isinstance(one, int)))

    def open_orders(self, pet: Key) -> int:
        """How many orders of a pet are not complete."""
        known = self._open_orders.get(pet)
        if known is None:
            slots = self._shop.links[Resource.ORDERS].sources(pet)
            shown = (self._shop.shown(Resource.ORDERS, slot, "complete") for slot in slots)
            known = self._open_orders[pet] = sum(complete is False for complete in shown)
        return known

    def mendable(self, row: int) -> bool:
        """Whether another text could make it better: a cell that cannot be edited stays what it is."""
        one = self.rows[row]
        column = self.column(one)
        if column is None:
            return not one.column
        return one.problem != REPEATED and (not one.problem or not self._obstacle(one))

    # ---- what a person does

    def tick(self, row: int, on: bool) -> bool:
        """Do it, or leave it out; whether that is possible."""
        return self.tick_all((row,), on)

    def tick_all(self, rows: Iterable[int], on: bool) -> bool:
        """Do all of these, or leave them out, as one act; whether that is possible for any."""
        possible = [row for row in rows if self.rows[row].valid]
        for row in possible:
            self.rows[row].ticked = on
        if any(row < self._made for row in possible):
            self._leave_out()
        return bool(possible)

    def mend(self, row: int, text: str) -> None:
        """This instead; of a creation its name. What can be done now is ticked."""
        one = self.rows[row]
        one.text = text
        if one.column:
            if one.problem != REPEATED:
                self._read(one)
            return
        made = one.change
        if made is None or not isinstance(made.intent, Create):
            return
        name = text.strip()
        one.problem = "" if name else "name-empty"
        one.ticked = bool(name)
        if name:
            one.change = NewChange(made.ref, Create({**made.intent.fields, "name": name}), made.base)
        self._leave_out()

    def renew(self, moved: Mapping[Resource, Container[Key]]) -> bool:
        """Records of these keys moved while somebody read: what is shown, and what a change rests on, is what is there
        now. What is left out stays so. Whether any row may look different."""
        self._open_orders.clear()
        self._typed = self._desk.acts.typed(self._coming)
        touched = Resource.ORDERS in moved
        for row in self.rows[self._made :]:
            row.ref = self._desk.resolve(row.ref)
            ref = _target(row)
            if row.problem != REPEATED and ref.key in moved.get(ref.resource, ()):
                left_out = row.valid and not row.ticked
                self._read(row)
                row.ticked = row.ticked and not left_out
                touched = True
        return touched

    def _leave_out(self) -> None:
        self._out = set()
        for row in self.rows[: self._made]:
            if isinstance(row.ref.key, LocalId) and (not row.ticked or _names(row.change, self._out)):
                self._out.add(row.ref.key)

    # ---- the outcome

    def counts(self) -> Counts:
        """How the rows stand."""
        going = self.going()
        wrong = sum(bool(row.problem) for row in self.rows)
        same = sum(row.same for row in self.rows)
        pets = {one.ref.key for one in map(self.rows.__getitem__, going) if _is_status(one)}
        with_orders = sum(self.open_orders(pet) > 0 for pet in pets)
        return Counts(len(going), len(self.rows) - len(going) - wrong - same, wrong, same, with_orders)

    def going(self) -> list[int]:
        """The rows that will be done."""
        out = self._out
        return [at for at, row in enumerate(self.rows) if row.ticked and not (out and _names(row.change, out))]

    def changes(self) -> tuple[NewChange, ...]:
        """What is to be applied as one batch: one change for each record, its fields together."""
        found: dict[tuple[Ref, type], NewChange] = {}
        for at in self.going():
            change = self.rows[at].change
            if change is None:
                continue
            place = (change.ref, type(change.intent))
            earlier = found.get(place)
            if earlier is not None and isinstance(earlier.intent, SetFields) and isinstance(change.intent, SetFields):
                fields = {**earlier.intent.fields, **change.intent.fields}
                change = NewChange(change.ref, SetFields(fields), {**earlier.base, **change.base})
            found[place] = change
        return tuple(map(self._today, found.values()))

    def _today(self, change: NewChange) -> NewChange:
        """By the number that a record got while somebody read."""
        ref = self._desk.resolve(change.ref)
        return change if ref is change.ref else NewChange(ref, change.intent, change.base)


def _target(row: PreviewRow) -> Ref:
    """The record that is changed: the stock that a pet's row shows is another one."""
    stock = row.column == "stock" and row.ref.resource is Resource.PETS
    return Ref(Resource.INVENTORY, row.ref.key) if stock else row.ref


def _standing(rows: list[PreviewRow]) -> int:
    """What needs a look comes first, what costs nothing last."""
    return 0 if any(row.problem for row in rows) else 2 if all(row.same for row in rows) else 1


def _is_status(row: PreviewRow) -> bool:
    return row.ref.resource is Resource.PETS and row.column == "status"


def _name(new: NewChange) -> str:
    name = new.intent.fields.get("name") if isinstance(new.intent, Create) else None
    return name if isinstance(name, str) else ""


def _names(change: NewChange | None, local: set[LocalId]) -> bool:
    """Whether a change names one of these."""
    if not local or change is None or not isinstance(change.intent, Create | SetFields):
        return False
    values: Mapping[str, FieldValue] = change.intent.fields
    return any(isinstance(value, LocalId) and value in local for value in values.values())
