"""What one row of a file would do: nothing, change a record, make one, or why it cannot be taken; and one cell of it
against one field of a record: the same, what it shall become, or why not."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime, time
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.columns.columns import COLUMNS, COLUMNS_BY_ID
from petstore_desktop.desk.imports.import_layout import KEY_OF, Layout, field_of
from petstore_desktop.desk.imports.import_matching import Cells, Match, Matcher, Problem, problem_of
from petstore_desktop.desk.imports.import_values import (
    STATUS_WORDS,
    STYLES,
    Formats,
    are_several_days,
    as_text,
    read_date,
    read_flag,
    read_id,
    read_whole,
    signed,
)
from petstore_desktop.desk.model.capabilities import ACTIONS
from petstore_desktop.desk.preview import CellInput
from petstore_desktop.desk.values.dates import ShipDate, parse_ship_date
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.changes import Create, NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import ContentId, FieldKind, FieldValue, Key, LocalId, Ref, Resource, key_to_text
from petstore_desktop.domain.sheets import Sheet, SheetCell
from petstore_desktop.exchange.spreadsheet import disarmed, kept

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk


_YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)")
_PETS, _CATEGORIES, _STOCK = Resource.PETS, Resource.CATEGORIES, Resource.INVENTORY


class Unknown(Struct, frozen=True):
    """The name of a category that is not there."""

    name: str


class Reader:
    """Reads the cells of one file for one shop."""

    def __init__(self, desk: Desk, sheet: Sheet, layout: Layout, formats: Formats, matcher: Matcher) -> None:
        self._desk, self._shop, self._resource = desk, desk.shop, layout.resource
        self._sheet, self._formats, self._matcher = sheet, formats, matcher
        self._typed = desk.acts.typed()

    @cached_property
    def _plain_days(self) -> bool:
        return self._shop.has_plain_days

    # ---- against a record

    def input_text(self, ref: Ref, name: str, cells: Cells) -> str | Problem | Unknown | None:
        """What this field shall become, as a person would type it; None where it is so already."""
        if name in ("category", "category_id"):
            return self._category_input(ref, name, cells)
        if name in ("pet", "pet_id"):
            return self._pet_input(ref, name, cells)
        if name in ("stock", "booking") or (name == "quantity" and self._resource is _STOCK):
            return self._stock_input(ref.key, name, cells[name])
        return self._field_input(ref, name, cells)

    def _field_input(self, ref: Ref, name: str, cells: Cells) -> str | Problem | Unknown | None:
        cell = cells[name]
        shown = self._shop.shown_of(ref, name)
        if self._is(shown, cell):
            return None
        if name == "ship_date":
            return self._date_input(shown, cell)
        if self._resource is _STOCK and name == "status":
            return Problem("stock-status", name)
        value = self.value(name, cells)
        if isinstance(value, Problem | Unknown):
            return value
        return None if value == shown or value is None else self._as_typed(name, value)

    def _is(self, shown: FieldValue, cell: SheetCell) -> bool:
        """Whether a cell is what our export writes of a value."""
        own = "" if shown is None or isinstance(shown, LocalId) else as_text(shown)
        text = as_text(cell)
        return text == own or (isinstance(shown, str) and kept(text) in (kept(own), kept(disarmed(own))))

    def _as_typed(self, name: str, value: FieldValue) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return f"={value}" if name == "quantity" else str(value)

    # ---- categories

    def _category_input(self, ref: Ref, name: str, cells: Cells) -> str | Problem | Unknown | None:
        """Where a file has id and name, the one that differs from what is shown is the edited one."""
        shown = self._shop.shown_of(ref, "category_id")
        own = shown if isinstance(shown, int | str | LocalId) else None
        called = self._shop.name(_CATEGORIES, own) if own is not None else None
        by_id, by_name = cells.get("category_id"), cells.get("category")
        id_moved = by_id is not None and not self._is(own, by_id)
        name_moved = by_name is not None and (called is None or not self._is(called, by_name))
        if name == "category_id" and name_moved and not id_moved:
            return None  # the name is read in its own turn
        if name == "category" and id_moved:
            return None if not name_moved or self._agree(cells) else Problem("categories-differ", name)
        value = self.value(name, cells) if (id_moved if name == "category_id" else name_moved) else own
        if isinstance(value, Problem | Unknown):
            return value
        return None if value == own or value is None else self._category_text(value)

    def _agree(self, cells: Cells) -> bool:
        """Whether id and name of a category mean the same one."""
        return self.value("category", cells) == read_id(cells["category_id"], self._shop.has_text_ids)

    def _category_text(self, value: FieldValue) -> str | Problem:
        """A text by which this category, and no other, is meant."""
        if isinstance(value, LocalId):
            return f"local:{value.value}"
        name = self._shop.name(_CATEGORIES, value) if isinstance(value, int | str) else None
        for text in (f"#{value}", str(value), name or ""):
            if text and self._typed.value(Ref(_PETS, 0), "category_id", text) == value:
                return text
        return Problem("several-categories", "category_id")

    # ---- pets of orders and of stock

    def _pet_input(self, ref: Ref, name: str, cells: Cells) -> Problem | None:
        """An order stays with its pet, and a stock entry is its pet's."""
        if name == "pet" and ("pet_id" in cells or self._resource is _STOCK):
            return None  # beside an id the name only says whom it is about
        shown = self._shop.shown_of(ref, "pet_id")
        if self._is(shown, cells[name]):
            return None
        if name == "pet" and isinstance(shown, int | str | LocalId):
            called = self._shop.name(_PETS, shown)
            if called is not None and (self._is(called, cells[name]) or fold(called) == fold(as_text(cells[name]))):
                return None
        if name == "pet_id" and read_id(cells[name], self._shop.has_text_ids) == shown:
            return None
        return Problem("order-pet", name)

    # ---- stock

    def _stock_input(self, pet: Key, name: str, cell: SheetCell) -> str | Problem | None:
        """A count, unless a sign stands before it; a number that is shown already changes nothing."""
        stock = self._shop.stock(pet)
        if stock is None:
            return Problem("stock-not-read" if self._shop.may_be(_STOCK, pet) else "no-stock-entry", name)
        if name != "booking" and self._is(stock.result, cell):
            return None
        text = as_text(cell).strip()
        counted = name != "booking" and text.startswith("=")
        number = self._whole(name, text[1:].strip() if counted else cell)
        if isinstance(number, Problem):
            return number
        booked = isinstance(cell, str) and self._sheet.own is None and signed(cell)[0] and not counted
        if booked or name == "booking":
            return f"{number:+d}" if number else None
        return None if number == stock.result else f"={number}"

    def _whole(self, name: str, cell: SheetCell) -> int | Problem:
        number = read_whole(cell, self._formats.numbers)
        if isinstance(number, BadInput):
            return problem_of(number, name)
        if "numbers" in self._formats.unsure and any(read_whole(cell, style) != number for style in STYLES):
            return Problem("numbers-unsure", name)
        return number

    # ---- dates

    def _date_input(self, shown: FieldValue, cell: SheetCell) -> str | Problem | None:
        moment = self._moment(cell)
        if isinstance(moment, Problem):
            return moment
        now = parse_ship_date(shown, self._shop.zone) if isinstance(shown, str) and shown else None
        if now is not None and now.local is not None and self._is_that_day(now, moment):
            return None
        return self._date_text(moment, now)

    def _is_that_day(self, now: ShipDate, moment: datetime) -> bool:
        there = now.local
        if moment.tzinfo is not None:
            moment = moment.astimezone(self._shop.zone).replace(tzinfo=None)
        return there == moment or (moment.time() == time() and there is not None and there.date() == moment.date())

    def _moment(self, cell: SheetCell) -> datetime | Problem:
        formats = self._formats
        moment = read_date(cell, formats.dates) or self._named_day(cell)
        if moment is None:
            return Problem("date-unreadable", "ship_date")
        if "dates" in formats.unsure and are_several_days(cell):
            return Problem("dates-unsure", "ship_date")
        return moment

    def _named_day(self, cell: SheetCell) -> datetime | None:
        """A day with its year whose month has a name, here or in English: `27-Nov-2026`."""
        year = _YEAR.search(cell) if isinstance(cell, str) else None
        if year is not None:
            with suppress(ValueError):
                first, last = self._shop.here.read_days(fold(as_text(cell)), date(int(year[0]), 1, 1))
                return datetime.combine(first, time()) if first == last else None
        return None

    def _date_text(self, moment: datetime, now: ShipDate | None) -> str | Problem:
        """RFC 3339 in UTC. A day alone keeps the time that the date has; a date that is only a day stays that."""
        if moment.tzinfo is None and moment.time() == time() and now is not None and now.local is not None:
            if not now.timed:
                return moment.date().isoformat()
            moment = datetime.combine(moment.date(), now.local.time())
        try:
            if now is None and self._plain_days:
                there = moment if moment.tzinfo is None else moment.astimezone(self._shop.zone)
                return there.date().isoformat()
            if moment.tzinfo is None and self._shop.zone is not None:
                moment = moment.replace(tzinfo=self._shop.zone)
            return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
        except (OverflowError, ValueError, OSError):  # at the ends of the calendar
            return Problem("date-unreadable", "ship_date")

    # ---- values of new records

    def value(self, name: str, cells: Cells) -> FieldValue | Problem | Unknown:
        """What a cell says, for a record that is to be made or changed."""
        field = field_of(self._resource, name)
        cell = cells[name]
        match FieldKind.TEXT if field is None else field.kind:
            case FieldKind.ID:
                return self._id(name, cell)
            case "category":
                return self._category(as_text(cell))
            case "pet":
                pet = self._matcher.pet_of(cells)
                return None if "pet_id" in cells else pet
            case FieldKind.WORD:
                return self._status(name, as_text(cell))
            case FieldKind.NUMBER:
                return Problem("new-no-stock", name) if name == "stock" else self._whole(name, cell)
            case FieldKind.MOMENT:
                return self._new_date(cell)
            case FieldKind.FLAG:
                state = read_flag(cell, self._shop.vocabulary)
                return Problem("state-missing", name) if state is None else state
            case _:
                return as_text(cell)

    def _id(self, name: str, cell: SheetCell) -> FieldValue | Problem:
        number = read_id(cell, self._shop.has_text_ids)
        if isinstance(number, BadInput):
            return problem_of(number, name)
        resource = _CATEGORIES if name == "category_id" else _PETS
        if number in self._shop.stores[resource] or resource in self._shop.unlisted:
            return number
        kind = "category" if resource is _CATEGORIES else "pet"
        code = f"{kind}-not-read" if self._shop.may_be(resource, number) else f"no-such-{kind}"
        return Problem(code, name, {"id": number})

    def _category(self, text: str) -> FieldValue | Problem | Unknown:
        value = self._typed.value(Ref(_PETS, 0), "category_id", text)
        if isinstance(value, BadInput):
            return Unknown(text.strip()) if value.code == "no-such-category" else problem_of(value, "category")
        known = isinstance(value, int | str | LocalId) and value in self._shop.stores[_CATEGORIES]
        listed = _CATEGORIES not in self._shop.unlisted or isinstance(value, LocalId)
        if known or not listed:
            return value
        lacks = isinstance(value, int | str) and self._shop.may_be(_CATEGORIES, value)
        return Problem("category-not-read" if lacks else "no-such-category", "category", {"id": value})

    def _status(self, name: str, text: str) -> FieldValue | Problem:
        if self._resource is Resource.ORDERS:
            return self._order_status(name, text)
        value = self._typed.value(Ref(_PETS, 0), "status", text)
        if not isinstance(value, BadInput):
            return value
        kind = STATUS_WORDS.get(fold(text.strip()))
        own = None if kind is None else self._shop.own_status(kind)
        return Problem(value.code, name, {"name": text}) if own is None else own

    def _order_status(self, name: str, text: str) -> FieldValue | Problem:
        """The service's own word; of an order that is there another one is read, so that it can be refused."""
        words = self._shop.order_statuses()
        found = next((word for word in words if fold(word.strip()) == fold(text.strip())), None)
        code = "no-order-status" if words else "not-editable"
        return Problem(code, name, {"name": text, "words": words}) if found is None else found

    def _new_date(self, cell: SheetCell) -> str | Problem:
        moment = self._moment(cell)
        if isinstance(moment, Problem):
            return moment
        if isinstance(cell, str) and moment.tzinfo is not None and not self._plain_days:
            return cell.strip()
        return self._date_text(moment, None)


class RowKind(StrEnum):
    """What comes of a row."""

    CHANGED = "changed"
    NEW = "new"
    SAME = "same"
    WRONG = "wrong"


class Judged(Struct, frozen=True):
    """The result for one row: the record and its new values, a new record, or the errors. One that is the same has its
    record only where changes of that are shown."""

    kind: RowKind
    ref: Ref | None = None
    inputs: tuple[CellInput, ...] = ()
    new: NewChange | None = None
    problems: tuple[Problem, ...] = ()
    unknown: tuple[str, ...] = ()
    """Names of categories that must be made first."""
    made_before: bool = False
    """Whether an earlier import of such a row made the record, which now may look otherwise."""
    stocked: bool = False
    """Whether it is a new pet with a stock, which cannot be booked before the service knows the pet."""

    @property
    def problem(self) -> Problem | None:
        """The first thing that is wrong."""
        return self.problems[0] if self.problems else None


SAME: Final = Judged(RowKind.SAME)


class CategoryCreator:
    """Makes a category the first time that its name is asked for."""

    def __init__(self, desk: Desk) -> None:
        self._acts = desk.acts
        self._made: dict[str, NewChange] = {}

    def of(self, name: str) -> NewChange | None:
        """The creation of this category; None where there can be none."""
        folded = fold(name.strip())
        if folded not in self._made:
            made = self._acts.create(Resource.CATEGORIES, {"name": name})
            if isinstance(made, BadInput):
                return None
            self._made[folded] = made
        return self._made[folded]


class Judge:
    """Compares rows with the records of a desk."""

    def __init__(self, desk: Desk, sheet: Sheet, layout: Layout, formats: Formats) -> None:
        self._desk, self._shop, self._resource = desk, desk.shop, layout.resource
        self.matcher = Matcher(desk.shop, layout)
        self.coming: CategoryCreator | None = None
        """Makes the categories that are not there, where that is wanted."""
        self.leaving_stock = False
        """Whether the stock of new pets is left out."""
        self._typed = desk.acts.typed()
        self._reader = Reader(desk, sheet, layout, formats, self.matcher)
        self._fields = tuple(name for name in layout.fields if name and name != KEY_OF[layout.resource])
        self._obstacles: dict[str, str] = {}
        self._called = {"booking": "stock", **{column.field: column.id for column in COLUMNS[layout.resource]}}
        """The columns of the table that show fields."""

    def judge(self, match: Match, cells: Cells) -> Judged:
        """What one row comes to."""
        if match.key is None:
            return self._new(cells)
        ref = Ref(self._resource, match.key)
        inputs: list[CellInput] = []
        problems: list[Problem] = []
        unknown: list[str] = []
        for name in self._fields:
            if name not in cells or (self.matcher.by != "id" and name in self.matcher.identifying):
                continue
            cell_input = self._judge_cell(ref, name, cells, unknown)
            if isinstance(cell_input, Problem):
                problems.append(cell_input)
            elif cell_input is not None:
                inputs.append(cell_input)
        if problems:
            return Judged(RowKind.WRONG, ref, problems=tuple(problems), unknown=tuple(unknown))
        if inputs:
            return Judged(RowKind.CHANGED, ref, tuple(inputs), unknown=tuple(unknown))
        return Judged(RowKind.SAME, ref) if self._desk.is_changed(ref) else SAME

    def _judge_cell(self, ref: Ref, name: str, cells: Cells, unknown: list[str]) -> CellInput | Problem | None:
        """What a cell changes; an unknown category's name is added to `unknown`."""
        text = self._reader.input_text(ref, name, cells)
        if isinstance(text, Unknown):
            unknown.append(text.name)
            key = self._made(text)
            text = key if isinstance(key, Problem) else key_to_text(key)
        if text is None or isinstance(text, Problem):
            return text
        cell_input = CellInput(ref, self._called.get(name, name), text)
        going = self._going(cell_input, name)
        return going if isinstance(going, Problem) else cell_input if going else None

    def _made(self, unknown: Unknown) -> Key | Problem:
        """A category that is to be made; a problem where that is not wanted."""
        made = None if self.coming is None else self.coming.of(unknown.name)
        return Problem("unknown-category", "category", {"name": unknown.name}) if made is None else made.ref.key

    def _going(self, cell_input: CellInput, name: str) -> Problem | bool:
        """Why the desk does not take an input; else whether it changes anything."""
        column = COLUMNS_BY_ID[self._resource].get(cell_input.column)
        if column is None:
            return Problem("not-editable", name)
        code = self._obstacle(cell_input.ref.key, column)
        if code:
            return Problem(code, name)
        if name == "ship_date" or (column.choices == "category" and cell_input.text.startswith("local:")):
            return True
        act = self._desk.acts.set_from_text(cell_input.ref, cell_input.column, cell_input.text, self._typed)
        return problem_of(act, name) if isinstance(act, BadInput) else act is not None

    def _obstacle(self, key: Key, column: Column) -> str:
        of_stock = Resource.INVENTORY if column.kind == "stock" else self._resource
        plain = isinstance(key, int | str) and self._shop.overlay.of(Ref(of_stock, key)) is None
        if not plain or column.kind == "stock":
            return self._desk.obstacle(column, Ref(self._resource, key))
        if column.id not in self._obstacles:
            self._obstacles[column.id] = self._desk.obstacle(column, None, self._resource)
        return self._obstacles[column.id]

    # ---- new records

    def _new(self, cells: Cells) -> Judged:
        action = ACTIONS.get((self._resource, "new"))
        allowed = None if action is None else self._desk.allowed(action)
        if allowed is None or not allowed.ok:
            code = "not-offered" if allowed is None else allowed.reason
            return Judged(RowKind.WRONG, problems=(Problem("no-new", "", {"reason": code}),))
        fields: dict[str, FieldValue] = {}
        problems: list[Problem] = []
        unknown: list[str] = []
        for name in self._fields:
            value = self._value(name, cells, unknown) if name in cells else None
            target = {"category": "category_id", "pet": "pet_id"}.get(name, name)
            if isinstance(value, Problem):
                problems.append(value)
            elif value is not None and not isinstance(value, ContentId) and target not in fields:
                fields[target] = value
        made = problems[0] if problems else self._create(fields)
        if isinstance(made, BadInput):
            problems.append(problem_of(made, self._blamed(made)))
        stocked = "stock" in cells
        if not isinstance(made, NewChange):
            return Judged(RowKind.WRONG, problems=tuple(problems), unknown=tuple(unknown), stocked=stocked)
        return Judged(RowKind.NEW, made.ref, new=made, unknown=tuple(unknown), stocked=stocked)

    def _value(self, name: str, cells: Cells, unknown: list[str]) -> FieldValue | Key | Problem:
        """What a cell says; an unknown category's name is added to `unknown`."""
        if name == "stock" and self.leaving_stock:
            return None
        value = self._reader.value(name, cells)
        if not isinstance(value, Unknown):
            return value
        unknown.append(value.name)
        return self._made(value)

    def _create(self, fields: dict[str, FieldValue]) -> NewChange | BadInput:
        category = fields.get("category_id")
        if not isinstance(category, LocalId) or category in self._shop.stores[Resource.CATEGORIES]:
            return self._desk.acts.create(self._resource, fields)
        # It is not there yet, so the rest is checked as a category would be, which needs a name too.
        bare = self._desk.acts.create(Resource.CATEGORIES, {"name": fields.get("name")})
        if isinstance(bare, BadInput) or not isinstance(bare.intent, Create):
            return bare
        return NewChange(Ref(self._resource, LocalId.new()), Create({**fields, **bare.intent.fields}))

    def _blamed(self, error: BadInput) -> str:
        name = str(error.params.get("field", ""))
        shown = {"category_id": "category", "pet_id": "pet"}.get(name, name)
        return shown if shown in self._fields else name
