"""The rows of a preview: one input for a cell each, and what it comes to; and changes turned into such
inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.domain.changes import AddStock, Create, NewChange, SetFields, SetStock
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource, key_to_text

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
