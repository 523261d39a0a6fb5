"""What many edits at once would do, before they are saved: a row for each record and field, old and new, to be left out
or mended; how the rows stand, and the changes that they would save, which is worked out in steps, so that no key waits.

A cell that cannot become what was typed says why; it is left out and stands in the way of no other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Sized
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import Struct

from petstore_desktop.desk.changes.change_lines import value_cell
from petstore_desktop.desk.columns.column import Column, stock_cell
from petstore_desktop.desk.columns.columns import COLUMNS, COLUMNS_BY_ID
from petstore_desktop.desk.model.shop_model import stock_after
from petstore_desktop.desk.values.cells import CellFacts, Stock
from petstore_desktop.domain.changes import AddStock, Create, NewChange, SetFields, SetStock
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import FIELDS, FieldValue, Key, LocalId, Ref, Resource, key_to_text

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.domain.commands import KeepDraft


REPEATED = "repeated"
"""The problem of a row whose cell is named again further down."""


class CellInput(Struct, frozen=True):
    """One cell that shall become a typed text: a column of the table of the record's kind, and the text (a
    category by name or id, `+5`, `sold`)."""

    ref: Ref
    column: str
    text: str


class PreviewRow(Struct):
    """One record and field, or (without column) one record that would be made.

    `text`: as typed, or as mended; `change`: what it comes to, None where it changes nothing or cannot be; `problem`:
    the code of why it cannot be, empty where it can; `ticked`: whether it is to be done; `seen`: the value that was
    last shown as the old one; `left_out`: the code of why a row that could be done is not ticked; `insisted`: a person
    ticked or corrected it.
    """

    ref: Ref
    column: str
    text: str
    change: NewChange | None = None
    problem: str = ""
    ticked: bool = False
    seen: FieldValue = None
    left_out: str = ""
    insisted: bool = False

    @property
    def valid(self) -> bool:
        """Whether it can be ticked."""
        return self.change is not None and not self.problem

    @property
    def same(self) -> bool:
        """Whether it is so already."""
        return self.change is None and not self.problem


class Note(Struct, frozen=True):
    """The note of a row, by code: a problem's own code; "same"; "left-out"; "moved" and
    "not-found" (as `PreviewRow.left_out`) where that was done for a person; "hangs" on a creation that is left out;
    "below-zero"; "huge" compared with all stock; "open-orders", with their `count`."""

    code: str = ""
    count: int = 0


def target_of(row: PreviewRow) -> Ref:
    """The record that is changed: the stock that a pet's row shows is another one."""
    stock = row.column == "stock" and row.ref.resource is Resource.PETS
    return Ref(Resource.INVENTORY, row.ref.key) if stock else row.ref


def is_status(row: PreviewRow) -> bool:
    """Whether it is a pet's status that changes."""
    return row.ref.resource is Resource.PETS and row.column == "status"


def standing_of(rows: list[PreviewRow]) -> int:
    """Where the rows of one record stand: what needs a look comes first, what costs nothing last."""
    return 0 if any(row.problem for row in rows) else 2 if all(row.same for row in rows) else 1


def new_name(new: NewChange) -> str:
    """The name of a record to be made; empty where it has none."""
    name = new.intent.fields.get("name") if isinstance(new.intent, Create) else None
    return name if isinstance(name, str) else ""


def names_any(change: NewChange | None, local: set[LocalId]) -> bool:
    """Whether a change names one of these."""
    if not local or change is None or not isinstance(change.intent, Create | SetFields):
        return False
    values: Mapping[str, FieldValue] = change.intent.fields
    return any(isinstance(value, LocalId) and value in local for value in values.values())


def inputs_of(changes: Iterable[NewChange]) -> tuple[CellInput, ...] | None:
    """Changes cell by cell, as typed texts, so that one preview shows them all; None where one is no
    edit of cells."""
    inputs: list[CellInput] = []
    for change in changes:
        intent = change.intent
        if isinstance(intent, AddStock):
            inputs.append(CellInput(change.ref, "stock", f"{intent.delta:+}"))
        elif isinstance(intent, SetStock):
            inputs.append(CellInput(change.ref, "stock", f"={intent.quantity}"))
        elif isinstance(intent, SetFields):
            columns = {column.field: column.id for column in COLUMNS[change.ref.resource] if column.kind != "stock"}
            if not columns.keys() >= intent.fields.keys():
                return None
            inputs += [
                CellInput(change.ref, columns[name], _typed(name, value)) for name, value in intent.fields.items()
            ]
        else:
            return None
    return tuple(inputs)


def _typed(name: str, value: FieldValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"={value}" if name == "quantity" else f"#{value}"
    return key_to_text(value) if isinstance(value, LocalId) else value or ""


_AT_ONCE: Final = 64
"""Rows of one step."""
_T = TypeVar("_T")


def in_steps(things: Iterable[_T]) -> Iterator[list[_T]]:
    """A few of them at a time, in order."""
    rest = iter(things)
    while some := list(islice(rest, _AT_ONCE)):
        yield some


class PreviewCounts(Struct, frozen=True):
    """How many rows will be done, are left out, cannot be, are so already; how many pets among the first have open
    orders; and how many rows are left out because their records changed while the preview was open."""

    going: int
    left_out: int
    wrong: int
    same: int
    with_open_orders: int
    moved: int


class PreviewTally:
    """What the rows of a complete preview come to as they stand now. It is complete when `counting` has ended.

    `out`: the records that are not made, whose rows count as left out; `open_orders` counts those of a pet.
    """

    def __init__(self, rows: Sequence[PreviewRow], out: set[LocalId], open_orders: Callable[[Key], int]) -> None:
        self._rows, self._out, self._open_orders = rows, out, open_orders
        self.counts = PreviewCounts(0, 0, 0, 0, 0, 0)
        self.changes: tuple[NewChange, ...] = ()
        """One for each record, its fields together."""
        self.kinds: set[tuple[Resource, str]] = set()
        """The columns of the rows that will be done; no column: a record is made."""
        self.tried: set[tuple[Resource, str]] = set()
        """The columns of those that cannot be."""
        self.records: set[Ref] = set()
        """The records of these rows."""
        self.first = -1
        """The first of these rows."""
        self.alike = True
        """Whether all of these get the same value."""
        self._going = self._wrong = self._same = self._moved = 0
        self._pets: set[Key] = set()
        self._found: dict[tuple[Ref, type], NewChange] = {}
        self.counting = self._count()
        """Counts a few rows with each step."""

    def _count(self) -> Iterator[None]:
        place = 0
        for rows in in_steps(self._rows):
            for row in rows:
                self._take(place, row)
                place += 1
            yield
        with_orders = 0
        for pets in in_steps(self._pets):
            with_orders += sum(self._open_orders(pet) > 0 for pet in pets)
            yield
        left_out = place - self._going - self._wrong - self._same
        self.counts = PreviewCounts(self._going, left_out, self._wrong, self._same, with_orders, self._moved)
        self.changes = tuple(self._found.values())

    def _take(self, place: int, row: PreviewRow) -> None:
        if row.problem:
            self._wrong += 1
            self.tried.add((row.ref.resource, row.column))
        elif row.change is None:
            self._same += 1
        elif row.ticked and not (self._out and names_any(row.change, self._out)):
            self._going += 1
            self._go(place, row, row.change)
        elif row.left_out not in ("", "left-out"):
            self._moved += 1

    def _go(self, place: int, row: PreviewRow, change: NewChange) -> None:
        if self.first < 0:
            self.first = place
        else:
            first = self._rows[self.first].change
            self.alike = self.alike and first is not None and change.intent == first.intent
        self.kinds.add((row.ref.resource, row.column))
        self.records.add(row.ref)
        if is_status(row):
            self._pets.add(row.ref.key)
        at = (change.ref, type(change.intent))
        earlier = self._found.get(at)
        if earlier is not None and isinstance(earlier.intent, SetFields) and isinstance(change.intent, SetFields):
            fields = {**earlier.intent.fields, **change.intent.fields}
            change = NewChange(change.ref, SetFields(fields), {**earlier.base, **change.base})
        self._found[at] = change


__all__ = ["CellInput", "Note", "Preview", "PreviewRow"]

_HUGE_BY, _LARGEST_LEAST = 1_000, 10


class Preview:
    """What these inputs come to at a desk; `new` are records to be made, which inputs may name as categories.

    Creations come first; then records of which something cannot be, those that change, and those that are so already,
    each in the order in which they are named. Rows of one record stand together. Where a cell is named twice, the last
    one counts.
    """

    def __init__(
        self,
        desk: Desk,
        inputs: Iterable[CellInput],
        new: Sequence[NewChange] = (),
        *,
        at_once: bool = True,
        expected: int = 0,
    ) -> None:
        """`at_once`: it is complete at once; else there are no rows until `building` has ended. `expected`: how many
        inputs there are, where they are made one by one."""
        self._desk, self._shop = desk, desk.shop
        coming = {one.ref.key: new_name(one) for one in new if one.ref.resource is Resource.CATEGORIES}
        self._coming = {key: name for key, name in coming.items() if isinstance(key, LocalId)}
        self._typed = desk.acts.typed(self._coming)
        self._obstacles: dict[tuple[Resource, str], str] = {}
        self._open_orders: dict[Key, int] = {}
        self.rows: list[PreviewRow] = []
        self.creations = len(new)
        """How many records would be created; they are the first rows."""
        self.longest: dict[tuple[Resource, str], int] = {}
        """The columns that rows are about (empty: a new record), and the length of the longest text in each."""
        self.out: set[LocalId] = set()
        """What would be made and is left out."""
        self.read = 0
        """How many rows are compared."""
        self.expected = len(new) + (expected or (len(inputs) if isinstance(inputs, Sized) else 0))
        """How many there will be."""
        self.source = self.batch = ""
        """What makes the batch, as `Batch` has it, and its id, where that is known before it is saved."""
        self.ends: Callable[[Sequence[NewChange]], tuple[KeepDraft, ...]] = lambda _: ()
        """The drafts that are stored or finished with these changes."""
        self.complete = False
        self.mended: set[int] = set()
        """The rows that a person mended."""
        self.still: Callable[[Ref], bool] | None = None
        """Whether there is still the reason for changing a record; None where a person chose the records."""
        self.marked = 0
        """How often a row was left out because its record changed while the preview was open."""
        self.building = self._build(inputs, new)
        """Compares the rows, a few with each step."""
        if at_once:
            deque(self.building, maxlen=0)

    # ---- building

    def _build(self, inputs: Iterable[CellInput], new: Sequence[NewChange]) -> Iterator[None]:
        rows: list[PreviewRow] = []
        for made in in_steps(new):
            rows += map(self._creation, made)
            yield
        by_record: dict[Ref, list[PreviewRow]] = {}
        last: dict[tuple[Ref, str], PreviewRow] = {}
        for some in in_steps(inputs):
            self._gather(some, by_record, last)
            yield
        standing: tuple[list[PreviewRow], ...] = ([], [], [])
        for records in in_steps(by_record.values()):
            for own in records:
                for row in own:
                    if not row.problem:
                        self._read(row)
                self.read += len(own)
                standing[standing_of(own)].extend(own)
            yield
        for part in standing:
            rows += part
        self.rows, self.complete = rows, True

    def _creation(self, new: NewChange) -> PreviewRow:
        row = PreviewRow(new.ref, "", new_name(new), new, ticked=True)
        self.read += 1
        self._measure(row)
        return row

    def _gather(
        self,
        inputs: Iterable[CellInput],
        by_record: dict[Ref, list[PreviewRow]],
        last: dict[tuple[Ref, str], PreviewRow],
    ) -> None:
        for cell_input in inputs:
            row = PreviewRow(self._desk.resolve(cell_input.ref), cell_input.column, cell_input.text)
            place = (target_of(row), row.column)
            earlier = last.get(place)
            if earlier is not None:
                earlier.problem = REPEATED
            last[place] = row
            by_record.setdefault(row.ref, []).append(row)
            self._measure(row)

    def _measure(self, row: PreviewRow) -> None:
        place = (row.ref.resource, row.column)
        self.longest[place] = max(self.longest.get(place, 0), len(row.text))

    def _read(self, row: PreviewRow) -> None:
        """Work out what the row's text comes to; what can be done is ticked."""
        row.change, row.problem, row.seen, row.left_out = None, self._obstacle(row), self._shown(row), ""
        if not row.problem:
            act = self._act(row)
            if isinstance(act, BadInput):
                row.problem = act.code
            else:
                row.change = act
        row.ticked = row.change is not None

    def _shown(self, row: PreviewRow) -> FieldValue:
        """The value that would be replaced, as lists show it."""
        column = self.column(row)
        if column is None or not (column.field or column.kind == "stock"):
            return None
        if column.kind == "stock":
            stock = self._shop.stock(row.ref.key)
            return None if stock is None else stock.result
        return self._now(self._shop.shown_of(row.ref, column.field))

    def _now(self, value: FieldValue) -> FieldValue:
        return self._shop.overlay.resolve_value(value) if isinstance(value, LocalId) else value

    def _obstacle(self, row: PreviewRow) -> str:
        column = self.column(row)
        ref = target_of(row)
        if column is None or not (column.editable or column.kind == "date"):  # dates come from files
            return "not-editable"
        if column.kind != "stock" and ref.key not in self._shop.stores[ref.resource]:
            return "no-such-record"
        if not isinstance(ref.key, int | str) or self._shop.overlay.of(ref) is not None:
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
        return COLUMNS_BY_ID[row.ref.resource].get(row.column)

    def old(self, row: int) -> CellFacts:
        """The present value; a dash for a record to be created."""
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
            after = self._after(change.ref.key, intent)
            return CellFacts(kind="stock", number=after.result, stock=after)
        if not isinstance(intent, SetFields):
            return None
        return self._value_cell(column.field, intent.fields.get(column.field))

    def _after(self, pet: Key, intent: AddStock | SetStock) -> Stock:
        """The stock that is shown now, with this over it."""
        shown = self._shop.stock(pet)
        return stock_after(None if shown is None else shown.result, intent)

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
        """The note of a row."""
        one = self.rows[row]
        if one.problem or one.same:
            return Note(one.problem or "same")
        if not one.ticked:
            return Note(one.left_out or "left-out")
        if names_any(one.change, self.out):
            return Note("hangs")
        odd = self._odd(one.change)
        if odd:
            return Note(odd)
        count = self.open_orders(one.ref.key) if is_status(one) else 0
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
            return self._after(change.ref.key, intent).result
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
            known = self._open_orders[pet] = self._shop.open_orders(pet)
        return known

    def mendable(self, row: int) -> bool:
        """Whether another text could make it better: a cell that cannot be edited stays what it is."""
        one = self.rows[row]
        column = self.column(one)
        if column is None:
            return not one.column and "name" in FIELDS[one.ref.resource]
        return one.problem != REPEATED and (not one.problem or not self._obstacle(one))

    # ---- what a person does

    def tick(self, row: int, on: bool) -> bool:
        """Do it, or leave it out; whether that is possible."""
        return self.tick_all((row,), on)

    def tick_all(self, rows: Iterable[int], on: bool) -> bool:
        """Do all of these, or leave them out, as one act; whether that is possible for any."""
        possible = [row for row in rows if self.rows[row].valid]
        for row in possible:
            one = self.rows[row]
            one.ticked, one.left_out, one.insisted = on, "" if on else "left-out", on
        if any(row < self.creations for row in possible):
            self._leave_out()
        return bool(possible)

    def mend(self, row: int, text: str) -> None:
        """This instead; of a creation its name, where such records have one. What can be done now is ticked."""
        one = self.rows[row]
        one.text = text
        one.insisted = True
        self.mended.add(row)
        if one.column:
            if one.problem != REPEATED:
                self._read(one)
            return
        made = one.change
        if "name" not in FIELDS[one.ref.resource] or made is None or not isinstance(made.intent, Create):
            return
        name = text.strip()
        one.problem = "" if name else "name-empty"
        one.ticked = bool(name)
        if name:
            one.change = NewChange(made.ref, Create({**made.intent.fields, "name": name}), made.base)
        self._leave_out()

    def renew(self, moved: Mapping[Resource, Container[Key]]) -> bool:
        """Records of these keys moved while the preview was open: read again what is shown, and what a change rests on.
        What is left out stays so; a row whose old value is another now, or for which there is no reason left, is left
        out and says so, as nobody agreed to it. Whether any row may look different."""
        self._open_orders.clear()
        self._typed = self._desk.acts.typed(self._coming)
        touched = Resource.ORDERS in moved
        for row in self.rows[self.creations :]:
            if isinstance(row.ref.key, LocalId):
                row.ref = self._desk.resolve(row.ref)
            ref = target_of(row)
            if ref.key in moved.get(ref.resource, ()) and row.problem != REPEATED:
                self._read_again(row)
                touched = True
            if row.ticked and self.still is not None and not row.insisted and not self.still(row.ref):
                self._mark(row, "not-found")
                touched = True
        return touched

    def _read_again(self, row: PreviewRow) -> None:
        why, seen = row.left_out, row.seen
        self._read(row)
        if why:
            row.ticked, row.left_out = False, why
        elif row.ticked and self._now(seen) != row.seen and row.change and not isinstance(row.change.intent, AddStock):
            self._mark(row, "moved")

    def _mark(self, row: PreviewRow, code: str) -> None:
        row.ticked, row.left_out = False, code
        self.marked += 1

    def _leave_out(self) -> None:
        self.out.clear()
        for row in self.rows[: self.creations]:
            if isinstance(row.ref.key, LocalId) and (not row.ticked or names_any(row.change, self.out)):
                self.out.add(row.ref.key)

    # ---- the outcome

    def new_tally(self) -> PreviewTally:
        """What it all comes to, to be worked out step by step."""
        return PreviewTally(self.rows, self.out, self.open_orders)

    def tally(self) -> PreviewTally:
        """What it all comes to, worked out at once."""
        tally = self.new_tally()
        deque(tally.counting, maxlen=0)
        return tally

    def changes(self) -> tuple[NewChange, ...]:
        """The changes to apply as one batch: one for each record, with all its fields."""
        return self.as_now(self.tally().changes)

    def as_now(self, changes: Iterable[NewChange]) -> tuple[NewChange, ...]:
        """These changes with the numbers that their records got while the preview was open."""
        return tuple(self._as_now(one) if isinstance(one.ref.key, LocalId) else one for one in changes)

    def _as_now(self, change: NewChange) -> NewChange:
        ref = self._desk.resolve(change.ref)
        return change if ref is change.ref else NewChange(ref, change.intent, change.base)
