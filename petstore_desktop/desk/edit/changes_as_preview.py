"""Changes as somebody could have typed them, cell by cell: so one preview shows them all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.edit.preview import CellWish, Preview
from petstore_desktop.domain.changes import AddStock, FieldValue, NewChange, SetFields, SetStock
from petstore_desktop.domain.records import LocalId, key_to_text

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk


def previewed(desk: Desk, changes: Sequence[NewChange]) -> Preview | None:
    """These changes as they would be typed; None where they are no edits of cells, or none at all."""
    wishes = _wishes_of(changes)
    return Preview(desk, wishes) if wishes else None


def _wishes_of(changes: Iterable[NewChange]) -> tuple[CellWish, ...] | None:
    """The same acts cell by cell, as somebody could have typed them; None where one is no edit of cells."""
    wishes: list[CellWish] = []
    for change in changes:
        intent = change.intent
        if isinstance(intent, AddStock):
            wishes.append(CellWish(change.ref, "stock", f"{intent.delta:+}"))
        elif isinstance(intent, SetStock):
            wishes.append(CellWish(change.ref, "stock", f"={intent.quantity}"))
        elif isinstance(intent, SetFields):
            columns = {column.field: column.id for column in COLUMNS[change.ref.resource] if column.kind != "stock"}
            if not columns.keys() >= intent.fields.keys():
                return None
            wishes += [
                CellWish(change.ref, columns[name], _typed(name, value)) for name, value in intent.fields.items()
            ]
        else:
            return None
    return tuple(wishes)


def _typed(name: str, value: FieldValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"={value}" if name == "quantity" else f"#{value}"
    return key_to_text(value) if isinstance(value, LocalId) else value or ""
