"""What one cell shows, as plain values and codes; words, numbers and dates are put into a language further up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from petstore_desktop.desk.values.dates import ShipDate
from petstore_desktop.domain.records import Ref, Resource

Kind: TypeAlias = Literal["text", "number", "date", "pill", "stock", "ref", "late", "gutter"]

Family: TypeAlias = Literal["text", "link", "word", "number", "count", "date", "mark"]
"""The type of a column's values: text; the name of a record, or its `#id`; words found by their beginnings; numbers;
numbers whose 0 is shown as none; days; marks."""

Mark: TypeAlias = Literal["refused", "conflict", "uncertain", "unsent", "sending", "sent"]
MARKS: tuple[Mark, ...] = ("refused", "conflict", "uncertain", "unsent", "sending", "sent")
"""The worst first: where several changes meet in one place, the first of these is shown."""


def worst(marks: set[Mark]) -> Mark | None:
    """The mark that wins where several meet."""
    return next((mark for mark in MARKS if mark in marks), None)


class Chip(Struct, frozen=True):
    """A person's change in short: `+12` (add), `=40` (set), a new value (its text), a creation or a deletion."""

    kind: Literal["add", "set", "value", "create", "delete"]
    number: int = 0
    text: str = ""


class Stock(Struct, frozen=True):
    """`24 [+12] -> 36`. `base` is what the service has, None without an entry; `result` equals it without a chip."""

    base: int | None
    result: int | None
    chip: Chip | None = None
    low: bool = False


class CellFacts(Struct, frozen=True):
    """One cell. `text` is the service's own (untrusted) text, or a status; `code` names what the words must say:

    "none" a dash; "no-such-pet", "no-such-category" a dangling id; "no-stock-entry"; "date-unreadable",
    "date-no-offset"; "new" the id of a record created here; "open" and "complete" the state of an order; "at-least" a
    count that may be larger.
    """

    kind: Kind = "text"
    text: str = ""
    number: int | None = None
    date: ShipDate | None = None
    days: int | None = None
    """Of a date: how many local days from today; 0 is today, 1 tomorrow."""
    stock: Stock | None = None
    ref: Ref | None = None
    ref_id: str = ""
    code: str = ""
    base: CellFacts | None = None
    """What the service has, where a change of this computer lies over it."""
    mark: Mark | None = None
    row_mark: Mark | None = None
    row_muted: bool = False
    row_deleted: bool = False
    tip: str = ""


class Sentence(Struct, frozen=True):
    """A sentence for people: its code and the plain values that fill it."""

    code: str
    params: Mapping[str, object]


class Rows(Struct, frozen=True):
    """The rows behind a count: that table, with this filter text."""

    resource: Resource
    text: str
