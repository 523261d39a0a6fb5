"""The lists of a report, as titles, columns and rows of texts: low stock, overdue orders, and the changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from petstore_desktop.desk.model.shop_model import id_text
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.paper.printed_list import PaperColumn
from petstore_desktop.ui.paper.sheet import SMALL, text_width
from petstore_desktop.ui.text.changes.seen import (
    kind_title,
    record_id,
    record_words,
    sum_words,
    value_pair,
    what_words,
    who_word,
)
from petstore_desktop.ui.text.times import full_day, late, on_paper
from petstore_desktop.ui.text.translate import DASH, column_title, number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.desk.past.grouping import SeenGroup
    from petstore_desktop.desk.report.report import Report
    from petstore_desktop.desk.report.shop_now import OrderRow, StockRow
    from petstore_desktop.domain.seen_changes import SeenChange

MOST_ROWS: Final = 300
"""Rows of one list on paper; of more it is said how many there are."""
_LOOKED_AT: Final = 50
_MOST_WIDTH: Final = 150.0
"""Points of a column whose texts can be long."""


class ListSection(Struct, frozen=True):
    """One list. `row` gives the texts of a row when it is painted; `none` is said in the place of rows."""

    title: str
    columns: Sequence[PaperColumn]
    count: int
    row: Callable[[int], Sequence[str]]
    none: str = ""
    more: str = ""


def lists_of(report: Report, shop: ShopModel) -> Iterator[ListSection]:
    """All lists of a report; those of which nothing is known say so."""
    yield _low(report, shop)
    yield _overdue(report, shop)
    yield from _changes(report, shop)


def _section(
    title: str, heads: Sequence[str], sides: str, total: int, row: Callable[[int], Sequence[str]], none: str = ""
) -> ListSection:
    """`sides`: of each column `r` for numbers, `l` for texts, `n` for the name that takes what room is left."""
    count = min(total, MOST_ROWS)
    step = max(1, count // _LOOKED_AT)
    texts = [row(place) for place in range(0, count, step)]
    columns: list[PaperColumn] = []
    for place, (head, side) in enumerate(zip(heads, sides, strict=True)):
        widest = max([text_width(head, SMALL, bold=True), *(text_width(one[place]) for one in texts)])
        columns.append(PaperColumn(head, min(widest, _MOST_WIDTH), side == "r", side == "n"))
    more = tr("The first {n} of {all}.", n=number(count), all=number(total)) if count < total else ""
    return ListSection(title, columns, count, row, none, more)


def pet_words(shop: ShopModel, pet: Key | None) -> str:
    """A pet as `Koi (#1126)`."""
    if pet is None:
        return DASH
    name, id_ = shop.name(Resource.PETS, pet), id_text(pet)
    said = tr("?", "in place of the name of a record that is not there") if name is None else plain(name)
    return tr("{pet} (#{id})", pet=said or tr("(no name)"), id=plain(id_)) if id_ else said


def category_words(shop: ShopModel, category: Key | None) -> str:
    """A category by its name."""
    if category is None:
        return tr("Without a category")
    return plain(shop.name(Resource.CATEGORIES, category) or "") or f"? (#{plain(id_text(category))})"


# ---- low stock


def _low(report: Report, shop: ShopModel) -> ListSection:
    stock = Resource.INVENTORY
    heads = [column_title(stock, name) for name in ("pet", "category", "quantity", "minimum", "to_order")]
    rows = report.low
    if rows is None:
        return ListSection(tr("Low stock now"), (), 0, lambda _: (), tr("Which stock is low is not known."))
    title = tr("Low stock now: {n} pets", "", len(rows), one="Low stock now: {n} pet")
    return _section(title, heads, "nlrrr", len(rows), lambda place: _low_row(shop, rows[place]), tr("No stock is low."))


def _low_row(shop: ShopModel, row: StockRow) -> list[str]:
    numbers = (row.quantity, shop.minimum(row.pet), shop.to_order(row.pet))
    counts = (DASH if count is None else number(count) for count in numbers)
    return [pet_words(shop, row.pet), category_words(shop, row.category), *counts]


# ---- overdue orders


def _overdue(report: Report, shop: ShopModel) -> ListSection:
    orders, rows = Resource.ORDERS, report.overdue
    heads = [tr("Order"), *(column_title(orders, name) for name in ("pet", "quantity", "ship_date", "late"))]
    if rows is None:
        return ListSection(tr("Overdue orders now"), (), 0, lambda _: (), tr("Which orders are overdue is not known."))
    title, none = tr("Overdue orders now: {n}", "", len(rows)), tr("No order is overdue.")
    return _section(title, heads, "lnrlr", len(rows), lambda place: _overdue_row(shop, rows[place]), none)


def _overdue_row(shop: ShopModel, row: OrderRow) -> list[str]:
    return [
        plain(id_text(row.key)) or DASH,
        pet_words(shop, row.pet),
        DASH if row.quantity is None else number(row.quantity),
        DASH if row.day is None else full_day(row.day),
        late(row.days_late or 0),
    ]


# ---- changes


def _changes(report: Report, shop: ShopModel) -> Iterator[ListSection]:
    heads = [tr("First seen"), tr("Record"), tr("What"), tr("Then"), tr("Now"), tr("By")]
    for group in report.groups:
        yield _section(
            tr("{kind}: {sum}", "the title of a list of changes", kind=kind_title(group.kind), sum=sum_words(group)),
            heads,
            "lnllll",
            len(group.changes),
            lambda place, group=group: _change_row(shop, group, place),
        )


def _change_row(shop: ShopModel, group: SeenGroup, place: int) -> list[str]:
    change = group.changes[place]
    then, now = value_pair(shop, change, any_day=True)
    return [on_paper(change.seen_by), _record(shop, change), what_words(change), then, now, who_word(change.who)]


def _record(shop: ShopModel, change: SeenChange) -> str:
    id_ = "" if not record_id(change) else id_text(change.ref.key)
    name = record_words(shop, change)
    return tr("{pet} (#{id})", pet=name, id=plain(id_)) if id_ else name
