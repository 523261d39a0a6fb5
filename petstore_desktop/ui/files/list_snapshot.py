"""A snapshot of a list for printing and export: name, filters, age, and the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.desk.table.exporting import unsent_in
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.filters.filter_texts import filter_words
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.lists.list_facts import active
from petstore_desktop.ui.text.times import on_paper
from petstore_desktop.ui.text.translate import counted, number, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from petstore_desktop.domain.records import Key, Resource
    from petstore_desktop.ui.lists.resource_tab import ResourceTab

SHOWN, SELECTED, ALL = "shown", "selected", "all"


class ListSnapshot(Struct, frozen=True):
    """A list at one moment. `rows` holds the keys of each choice, in order."""

    title: str
    filters: tuple[str, ...]
    age: str
    total: int
    rows: Mapping[str, Sequence[Key]]
    unsent: Mapping[str, int]


def listing_of(tab: ResourceTab) -> ListSnapshot:
    """What a list shows."""
    shown = tab.table.keys()
    picked = selected_rows(tab.view)
    rows: dict[str, Sequence[Key]] = {SHOWN: shown}
    if 1 < len(picked) < len(shown):
        rows[SELECTED] = [shown[row] for row in picked if row < len(shown)]
    if len(shown) < tab.table.total:
        rows[ALL] = tab.table.all_keys()
    desk = tab.shared.shop.desk
    load = desk.load(tab.resource)
    return ListSnapshot(
        plain(tab.bar.title()),
        tuple(filter_words(tab.resource, one.column, one.text) for one in active(tab.table)),
        tr("as of {time}", time=on_paper(load.as_of)) if load.as_of is not None else tr("incomplete"),
        load.counted(tab.table.total),
        rows,
        {name: unsent_in(desk.shop, tab.resource, keys) for name, keys in rows.items()},
    )


def choices(tab: ResourceTab, listing: ListSnapshot) -> list[tuple[str, str]]:
    """The sets of rows to choose from, each with its words; the selection comes first."""
    order = (SELECTED, SHOWN, ALL)
    return [(name, _said(name, counted(tab.resource, _count(listing, name)))) for name in order if name in listing.rows]


def _count(listing: ListSnapshot, name: str) -> int:
    """How many rows these are; of all that are here, at least so many where the service has more."""
    count = len(listing.rows[name])
    return listing.total if count == listing.total else count


def _said(choice: str, rows: str) -> str:
    if choice == SELECTED:
        return tr("Selected: {rows}", rows=rows)
    return tr("All: {rows}", rows=rows) if choice == ALL else tr("Shown: {rows}", rows=rows)


def counts_words(resource: Resource, listing: ListSnapshot, choice: str) -> str:
    """`212 of 1,904 pets`."""
    count, all_of_them = len(listing.rows[choice]), counted(resource, listing.total)
    if count == listing.total:
        return all_of_them
    return tr("{shown} of {all}", shown=number(count), all=all_of_them)


def unsent_words(listing: ListSnapshot, choice: str) -> str:
    """That some of the rows are ahead of the service; empty where none is."""
    count = listing.unsent[choice]
    if not count:
        return ""
    return tr(
        "{n} rows hold changes that are not sent yet.", "", count, one="{n} row holds a change that is not sent yet."
    )
