"""How a file's columns become fields: by their names, else by what stands in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from petstore_desktop.desk.imports.import_fields import FIELDS_OF, KEY_OF, field_named, fields_named, header_word
from petstore_desktop.desk.imports.import_values import as_text, read_date, read_flag
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.exporting import left_to_choose
from petstore_desktop.desk.values.text import fold
from petstore_desktop.desk.values.typed_numbers import parse_id
from petstore_desktop.domain.records import Resource, id_of_text
from petstore_desktop.domain.sheets import Sheet, SheetCell, SheetRow

_HEADER_WITHIN: Final = 10
"""How many rows are searched for the header: titles may stand above it."""
_SAMPLE: Final = 200
_MOST_OF: Final = 0.8
"""This share of a column's cells must be what the field wants."""


class Layout(Struct, frozen=True):
    """What a file's rows are, where its header stands (place of the row; -1: nowhere), and for each column the field
    that it becomes, empty for none."""

    resource: Resource
    header: int
    fields: tuple[str, ...]

    def column(self, field: str) -> int:
        """The column that becomes this field; -1 for none."""
        return self.fields.index(field) if field in self.fields else -1


def guess_layout(sheet: Sheet, shop: ShopModel, preferred: Resource) -> Layout:
    """Guess the layout. `preferred`: the list that the person looks at."""
    header = find_header(sheet)
    names = header_names(sheet, header)
    resource = sheet.own or _resource_named(names, preferred)
    return Layout(resource, header, guess_fields(sheet, header, resource, shop))


def width(sheet: Sheet) -> int:
    """The number of columns."""
    return max(map(len, sheet.rows), default=0)


def header_names(sheet: Sheet, header: int) -> tuple[str, ...]:
    """The names of all columns as the file has them; empty where there is no header."""
    row: SheetRow = sheet.rows[header] if 0 <= header < len(sheet.rows) else ()
    names = [as_text(cell) for cell in row]
    return (*names, *[""] * (width(sheet) - len(names)))


def layout_digest(sheet: Sheet, header: int) -> str:
    """Name a layout of columns, under which its settings are stored; empty without a header."""
    if header < 0:
        return ""
    words = "\x1f".join(header_word(name) for name in header_names(sheet, header))
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:24]


def find_header(sheet: Sheet) -> int:
    """The place of the row with the columns' names: the one with the most names that are known, else the first if it
    differs from what stands below it; -1 where there is none."""
    places = [place for place, row in enumerate(sheet.rows[: 4 * _HEADER_WITHIN]) if any(map(as_text, row))]
    scores = [(max(_known(sheet.rows[place], one) for one in Resource), place) for place in places[:_HEADER_WITHIN]]
    best = max(scores, key=lambda pair: (pair[0], -pair[1]), default=(0, -1))
    if best[0] > 1 or (best[0] == 1 and best[1] == places[0]):
        return best[1]
    return places[0] if places and _differs(sheet, places[0]) else -1


def _known(row: SheetRow, resource: Resource) -> int:
    names = {field_named(resource, cell) for cell in row if isinstance(cell, str)}
    return len(names - {""})


def _differs(sheet: Sheet, place: int) -> bool:
    """Whether a row has words where numbers stand below it."""
    below = [row for row in sheet.rows[place + 1 : place + 1 + _SAMPLE] if row]
    if any(_numeric(cell) for cell in sheet.rows[place]):
        return False
    columns = range(len(sheet.rows[place]))
    return any(below and all(_numeric(row[at]) for row in below if at < len(row)) for at in columns)


def _numeric(cell: SheetCell) -> bool:
    return not isinstance(cell, str) or parse_id(cell) is not None


def _resource_named(names: Sequence[str], preferred: Resource) -> Resource:
    """The kind whose fields the names fit best."""

    def score(resource: Resource) -> tuple[int, bool]:
        found = {field_named(resource, name) for name in names} - {""}
        exact = sum(any(header_word(one) == header_word(name) for name in names) for one in found)
        return 2 * len(found) + exact + 3 * (KEY_OF[resource] in found), resource is preferred

    return max(Resource, key=score)


def guess_fields(sheet: Sheet, header: int, resource: Resource, shop: ShopModel) -> tuple[str, ...]:
    """The field of each column; each field is taken once, and names win over contents.

    What a file of ours has from the list beside its records is left to a person to choose: counts of stock are old by
    the time that the names beside them are edited.
    """
    names = header_names(sheet, header)
    left = left_to_choose(resource) if sheet.own is resource else set[str]()
    fields = [""] * len(names)
    taken: set[str] = set()
    for exact in (True, False):
        for at, name in enumerate(names):
            found = "" if name in left else _field_of_column(sheet, header, at, resource, shop)
            right = found and (not exact or header_word(found) == header_word(name))
            if not fields[at] and right and found not in taken:
                fields[at] = found
                taken.add(found)
    if not taken or KEY_OF[resource] not in taken:
        _by_content(sheet, header, resource, shop, fields, named=bool(taken))
    return tuple(fields)


def _field_of_column(sheet: Sheet, header: int, at: int, resource: Resource, shop: ShopModel) -> str:
    """The field that a column's name means; of two that it can mean, the one that its cells look like."""
    names, cells = header_names(sheet, header), sample(sheet, header, at)
    can_mean = fields_named(resource, names[at])
    if resource is not Resource.ORDERS or not {"complete", "status"} <= {*can_mean} or not cells:
        return field_named(resource, names[at])
    if "complete" in map(header_word, names):
        return "status"
    told = set(map(fold, shop.order_statuses()))
    flags = sum(read_flag(cell, shop.vocabulary) is not None and fold(as_text(cell)) not in told for cell in cells)
    return "complete" if flags >= _MOST_OF * len(cells) else "status"


def _by_content(
    sheet: Sheet, header: int, resource: Resource, shop: ShopModel, fields: list[str], *, named: bool
) -> None:
    """Give columns without a known name the field that nearly all their cells look like. If other columns have known
    names, only ids are guessed."""
    tests = _tests(resource, shop)
    fitting = {one.id for one in FIELDS_OF[resource]}
    wanted = [KEY_OF[resource]] if named else [name for name in tests if name in fitting]
    for field in wanted:
        if field in fields:
            continue
        for at, has in enumerate(fields):
            cells = sample(sheet, header, at)
            if not has and cells and sum(map(tests[field], cells)) >= _MOST_OF * len(cells):
                fields[at] = field
                break


def sample(sheet: Sheet, header: int, column: int, most: int = _SAMPLE) -> list[SheetCell]:
    """The first cells of a column that hold something."""
    found: list[SheetCell] = []
    for row in sheet.rows[header + 1 :]:
        if column < len(row) and as_text(row[column]):
            found.append(row[column])
            if len(found) == most:
                break
    return found


def _tests(resource: Resource, shop: ShopModel) -> Mapping[str, Callable[[SheetCell], bool]]:
    """What the cells of a field look like; the strictest first, because each column is taken once."""
    stores = shop.stores
    categories = {fold(shop.text_of(Resource.CATEGORIES, slot, "name")) for slot in stores[Resource.CATEGORIES].slots()}
    statuses = {fold(word) for code in shop.status_choices() for word in (code, shop.vocabulary.get(code, code))}

    def is_id(of: Resource) -> Callable[[SheetCell], bool]:
        def names_one(cell: SheetCell) -> bool:
            text = as_text(cell)
            return any(key is not None and key in stores[of] for key in (parse_id(text), id_of_text(text.strip())))

        return names_one

    tests: dict[str, Callable[[SheetCell], bool]] = {
        "id": is_id(resource),
        "pet_id": is_id(Resource.PETS),
        "category_id": is_id(Resource.CATEGORIES),
        "category": lambda cell: fold(as_text(cell)) in categories,
        "status": lambda cell: fold(as_text(cell)) in statuses,
        "ship_date": lambda cell: not isinstance(cell, int | float) and read_date(cell, "dmy") is not None,
        "complete": lambda cell: read_flag(cell, shop.vocabulary) is not None,
        "quantity": lambda cell: parse_id(as_text(cell)) is not None,
        "name": lambda cell: isinstance(cell, str) and parse_id(cell) is None,
        "pet": lambda cell: isinstance(cell, str) and parse_id(cell) is None,
    }
    if resource is Resource.PETS:
        del tests["quantity"], tests["pet_id"]
    return tests
