"""Texts of the preview: title, results, and the notes of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.preview import Note, Preview, PreviewRow, PreviewTally
from petstore_desktop.domain.records import LocalId, Resource
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.action_set import obstacle_words
from petstore_desktop.ui.text.cell import value_text
from petstore_desktop.ui.text.errors.errors import bad_input_words
from petstore_desktop.ui.text.prices import batch_title
from petstore_desktop.ui.text.translate import column_title, counted, counted_changes, number, sentences, tr

_COMMA = "between parts of a line"


def preview_title(preview: Preview, tally: PreviewTally) -> str:
    """The act and the number of records: `Set 212 pets to sold`; of several columns, those that cannot be saved too,
    `Change 212 pets`."""
    if tally.first < 0:
        return tr("Nothing to save")
    first = preview.rows[tally.first]
    if len(tally.kinds | tally.tried) > 1 or not first.column:
        return batch_title(tally.changes)[0]
    things = counted(first.ref.resource, len(tally.records))
    new = preview.new(tally.first)
    said = _TITLES.get((first.column, tally.alike)) or _TITLES.get((first.column, False))
    if said is None or new is None:
        return tr("Change {things}", things=things)
    return said(things, isolate(value_text(new)) if new.kind == "ref" else value_text(new))


_TITLES: Mapping[tuple[str, bool], Callable[[str, str], str]] = {
    ("status", True): lambda things, value: tr("Set {things} to {value}", things=things, value=value),
    ("state", True): lambda things, value: tr("Set {things} to {value}", things=things, value=value),
    ("category", True): lambda things, value: tr("Move {things} to {value}", things=things, value=value),
    ("status", False): lambda things, _: tr("Change the status of {things}", things=things),
    ("state", False): lambda things, _: tr("Change the state of {things}", things=things),
    ("category", False): lambda things, _: tr("Change the category of {things}", things=things),
    ("name", False): lambda things, _: tr("Rename {things}", things=things),
    ("description", False): lambda things, _: tr("Change the description of {things}", things=things),
    ("stock", False): lambda things, _: tr("Change the stock of {things}", things=things),
    ("quantity", False): lambda things, _: tr("Change the quantity of {things}", things=things),
    ("ship_date", False): lambda things, _: tr("Change the ship date of {things}", things=things),
}
"""By column, and whether all get the same value."""


def consequence_words(preview: Preview, tally: PreviewTally, desk: Desk) -> str:
    """The rows left out, the limits of undo, and how to undo."""
    counts = tally.counts
    total = len(preview.rows)
    left_out, wrong, same = counts.left_out, counts.wrong, counts.same
    orders = desk.shop.as_seen(Resource.ORDERS, counts.with_open_orders)
    said = (
        (
            counts.moved,
            tr(
                "{n} changed meanwhile and are left out: see the note.",
                "",
                counts.moved,
                one="{n} changed meanwhile and is left out: see the note.",
            ),
        ),
        (
            left_out,
            tr("{n} of {total} are left out.", "", left_out, one="{n} of {total} is left out.", total=number(total)),
        ),
        (wrong, tr("{n} cannot be saved: see the note.", "", wrong)),
        (same, tr("{n} already have this value.", "", same, one="{n} already has this value.")),
        (
            orders,
            tr(
                "{n} have open orders, which stay as they are.",
                "",
                orders,
                one="{n} has open orders, which stay as they are.",
            ),
        ),
        (counts.going, _way_back(tally, desk)),
    )
    return sentences(*(words for count, words in said if count))


def _way_back(tally: PreviewTally, desk: Desk) -> str:
    made = {resource for resource, column in tally.kinds if not column}
    offers = desk.contract
    if any(offers is not None and not offers.offers(resource, Verb.DELETE) for resource in made):
        return tr("Ctrl+Z undoes it, but sent new records stay: this service does not delete them.")
    return tr("Ctrl+Z undoes all of it, even tomorrow.")


def save_words(count: int, values: int = 0) -> str:
    """The button: `Save 212 changes`; of more `values` (rows that are ticked), `Save 3 values in 2 changes`."""
    if not count:
        return tr("Save")
    changes = counted_changes(count)
    return (
        tr("Save {n} values in {changes}", "", values, changes=changes)
        if values > count
        else tr("Save {changes}", changes=changes)
    )


def note_words(note: Note) -> str:
    """A word on a row; empty for none."""
    said = _NOTES.get(note.code)
    if said is not None:
        return said(note.count)
    return obstacle_words(note.code) or bad_input_words(note.code) if note.code else ""


_NOTES: Mapping[str, Callable[[int], str]] = {
    "same": lambda _: tr("Already has this value: costs nothing"),
    "left-out": lambda _: tr("Left out"),
    "moved": lambda _: tr("Changed meanwhile: left out"),
    "not-found": lambda _: tr("The data check no longer finds it: left out"),
    "count-unclear": lambda _: tr("Changed about when it was counted: recount or decide"),
    "count-here": lambda _: tr("Changed on this computer since it was counted: recount or decide"),
    "count-beside": lambda _: tr("Not among the pets that are counted: tick it, or leave it"),
    "count-unread": lambda _: tr("Not compared with the shop since it was counted"),
    "hangs": lambda _: tr("Left out with the record it belongs to"),
    "below-zero": lambda _: tr("Below zero"),
    "huge": lambda _: tr("Unusually large: please check"),
    "repeated": lambda _: tr("Repeated below; that row counts"),
    "open-orders": lambda n: tr("{n} open orders", "", n, one="{n} open order"),
}


def record_title(desk: Desk, row: PreviewRow) -> tuple[str, str]:
    """What a row's record is called, and its id where that is said after it."""
    ref, key = row.ref, row.ref.key
    if not row.column:
        return _new_words(ref.resource, plain(row.text) or tr("(no name)")), ""
    if ref.resource is Resource.ORDERS:
        pet = value_text(desk.tables[Resource.ORDERS].cell_of(key, "pet"))
        return tr("Order {id}: {pet}", id=key if isinstance(key, int | str) else "", pet=isolate(pet)), ""
    name = plain(desk.title(ref)) or tr("(no name)")
    return name, "" if isinstance(key, LocalId) else str(key)


def _new_words(resource: Resource, name: str) -> str:
    said = {  # house: whole-table - an order has no name
        Resource.PETS: lambda: tr("New pet {name}", name=name),
        Resource.CATEGORIES: lambda: tr("New category {name}", name=name),
    }.get(resource)
    return tr("New order") if said is None else said()


def record_header(preview: Preview) -> str:
    """The header above the records."""
    kinds = {Resource.PETS if one is Resource.INVENTORY else one for one, _ in preview.longest}
    if len(kinds) > 1:
        return tr("Record")
    return {  # house: whole-table - stock is its pet's
        Resource.PETS: lambda: tr("Pet"),
        Resource.CATEGORIES: lambda: tr("Category"),
        Resource.ORDERS: lambda: tr("Order"),
    }.get(next(iter(kinds), Resource.PETS), lambda: tr("Pet"))()


def field_words(resource: Resource, column: str) -> str:
    """What a row changes."""
    return column_title(resource, column) if column else tr("New", "a record that is new")


def made_words(preview: Preview, row: int) -> str:
    """The fields of a record to be made, but its name: `Fish, available`."""
    parts = [value_text(facts) for name, facts in preview.made(row) if name != "name"]
    return tr(", ", _COMMA).join(parts)
