"""A record and what was done to it, in one line for the command line."""

from __future__ import annotations

from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.changes import AddStock, Change, Create, SetFields, SetStock
from petstore_desktop.domain.records import Ref, ServiceId


def record_words(ref: Ref, title: str) -> str:
    """Which record it is, by its number and, as far as it is known, its name."""
    key = f"#{ref.key}" if isinstance(ref.key, ServiceId) else "new"
    return " ".join(filter(None, (ref.resource.value, visible(key), visible(title))))


def steps_words(change: Change) -> str:
    """What a change does, in short."""
    match change.intent:
        case Create():
            return "create"
        case AddStock(delta):
            return f"quantity {delta:+d}"
        case SetStock(quantity):
            return f"quantity {shown(change.base.get('quantity'))} -> {quantity}"
        case SetFields(fields):
            return ", ".join(f"{name} {shown(change.base.get(name))} -> {shown(new)}" for name, new in fields.items())
        case _:
            return "delete"


def shown(value: object) -> str:
    """A field's value, in one line."""
    return "nothing" if value is None or value == "" else visible(str(value))
