"""Reads what is typed or pasted at Receive: a number of pieces, or lines of an id, a code or a name, and how many."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.desk.receiving.delivery import MOST
from petstore_desktop.desk.scanning.resolve import resolve
from petstore_desktop.desk.scanning.session import SHORT
from petstore_desktop.desk.values.text import as_typed, fold
from petstore_desktop.desk.values.typed_numbers import parse_id, parse_quantity, parse_whole
from petstore_desktop.domain.changes import AddStock
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Ref, Resource

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.receiving.delivery import Delivery
    from petstore_desktop.desk.values.text import Separators
    from petstore_desktop.domain.records import Key

_CELLS = re.compile(r"[\t;]")
_DIGIT = re.compile(r"\d")
MOST_LINES = 2_000


def typed_count(text: str, separators: Separators) -> tuple[int, bool] | None:
    """The pieces that a text says, and whether they are added (`+6`) to what is there; None for an id or a name. An id
    that was mistyped is no thousand pieces: those are written `=1200`, or with their mark as `1,200`."""
    typed = as_typed(text)
    if not typed or typed.startswith("#") or (typed.isdecimal() and len(typed) > SHORT):
        return None
    entry = parse_quantity(typed, 0, separators)
    if isinstance(entry, BadInput):
        return None
    if isinstance(entry.intent, AddStock):
        return entry.intent.delta, True
    return entry.intent.quantity, False


class PastedLines(Struct, frozen=True):
    """`lines`: of each what it says, the pet (None: no pet, or more than one, is called that), and how many.
    `left_out`: the lines without a whole number of pieces within the bound, and those that are too many."""

    lines: list[tuple[str, Key | None, int]]
    left_out: list[str]


def pasted_lines(desk: Desk, text: str, most: int) -> PastedLines:
    """Read what was pasted; titles, empty lines and those of 0 pieces say nothing, and are not missed."""
    names: dict[str, list[Key]] | None = None
    written = [line.strip() for line in text.splitlines() if line.strip()]
    pasted = PastedLines([], [])
    for place, line in enumerate(written[:MOST_LINES]):
        cells = [cell.strip() for cell in _CELLS.split(line) if cell.strip()]
        count = parse_whole(as_typed(cells[-1]).removeprefix("+"), desk.shop.here.separators) if len(cells) > 1 else 1
        if count == 0 or not cells or (place == 0 and isinstance(count, BadInput) and not _DIGIT.search(line)):
            continue
        if isinstance(count, BadInput) or not 0 < count <= most:
            pasted.left_out.append(line)
            continue
        key = _by_code(desk, cells[0])
        if key is None:
            names = _names(desk) if names is None else names
            found = names.get(fold(cells[0]), [])
            key = found[0] if len(found) == 1 else None
        pasted.lines.append((cells[0], key, count))
    pasted.left_out.extend(written[MOST_LINES:])
    return pasted


def take_pasted(desk: Desk, delivery: Delivery, text: str) -> list[str]:
    """Add what was pasted to a delivery; returns the lines that were left out. Nothing is in hand after it."""
    pasted = pasted_lines(desk, text, MOST)
    left_out = list(pasted.left_out)
    for what, pet, count in pasted.lines:
        if count > delivery.room(pet, what):
            left_out.append(f"{what} {count}")
        elif pet is None:
            delivery.scan_code(what, count)
        else:
            delivery.scan(pet, count)
    delivery.take(None)
    return left_out


def _by_code(desk: Desk, text: str) -> Key | None:
    found = resolve(desk.shop, desk.codes, text)
    if found.ref is not None:
        return found.ref.key
    key = parse_id(text)
    return key if key is not None and key in desk.shop.stores[Resource.PETS] else None


def _names(desk: Desk) -> dict[str, list[Key]]:
    names: dict[str, list[Key]] = {}
    store = desk.shop.stores[Resource.PETS]
    for slot in store.slots():
        key = store.keys[slot]
        names.setdefault(fold(desk.shop.title(Ref(Resource.PETS, key))), []).append(key)
    return names
