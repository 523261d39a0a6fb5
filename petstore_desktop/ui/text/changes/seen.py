"""Texts of what was seen to change between two moments: kinds, totals, values, and who did it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from petstore_desktop.desk.changes.change_lines import value_cell
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.past import SeenGroup, SeenKind, stock_values
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who, end_of
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.cell import value_text
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import DASH, column_title, number, resource_title, tr

if TYPE_CHECKING:
    from petstore_desktop.domain.changes import Fields

_COMMA: Final = "between parts of a line"
_LINKED: Final = {"category_id": Resource.CATEGORIES, "pet_id": Resource.PETS}


def kind_title(kind: SeenKind) -> str:
    """The title of a group of changes."""
    return {
        SeenKind.SOLD: tr("Pets sold"),
        SeenKind.PLACED: tr("Orders placed"),
        SeenKind.COMPLETED: tr("Orders completed"),
        SeenKind.STOCK: tr("Stock changed"),
        SeenKind.NEW_PETS: tr("New pets"),
        SeenKind.GONE: tr("Gone", "records that are no longer there"),
        SeenKind.OTHER: tr("Other changes"),
    }[kind]


def who_word(who: Who) -> str:
    """Whether a change was made with this program or elsewhere."""
    if who is Who.BOTH:
        return tr("here and elsewhere", "changed with this program and by another one")
    return tr("here", "changed with this program") if who is Who.HERE else tr("elsewhere", "changed by another program")


def who_counts(group: SeenGroup) -> str:
    """How many changes of a group were made by whom: `27 elsewhere, 4 here, 1 here and elsewhere`."""
    elsewhere = tr("{n} elsewhere", "", group.elsewhere) if group.elsewhere else ""
    here = tr("{n} here", "", group.here) if group.here else ""
    both = tr("{n} here and elsewhere", "", group.both) if group.both else ""
    return tr(", ", _COMMA).join(filter(None, (elsewhere, here, both)))


def pieces_words(pieces: int) -> str:
    """A change of the stock with its sign: `−218 pieces`."""
    if pieces < 0:
        return tr("−{n} pieces", "", -pieces, one="−{n} piece")
    if pieces > 0:
        return tr("+{n} pieces", "", pieces, one="+{n} piece")
    return tr("{n} pieces", "", 0)


def sum_words(group: SeenGroup) -> str:
    """The sum at the end of a group's header: pieces for stock, else who made how many of the changes."""
    return pieces_words(group.pieces) if group.kind is SeenKind.STOCK else who_counts(group)


def totals_words(groups: Iterable[SeenGroup]) -> str:
    """All groups in one sentence; empty without any."""
    shown = {group.kind: group for group in groups}
    placed = SeenKind.PLACED in shown
    said = tr(", ", _COMMA).join(_part(group, placed) for group in shown.values())
    if not said:
        return ""
    return tr("{parts}.", "a sentence from parts with commas between them", parts=said[:1].upper() + said[1:])


def part_words(group: SeenGroup) -> str:
    """One group as a part of a sentence: `31 pets sold`."""
    return _part(group, after_placed=False)


def _part(group: SeenGroup, after_placed: bool) -> str:
    n = group.count
    if group.kind is SeenKind.COMPLETED and after_placed:
        return tr("{n} completed", "after a number of orders placed", n)
    if group.kind is SeenKind.STOCK:
        return tr(
            "stock of {n} pets changed by {pieces}",
            "",
            n,
            one="stock of {n} pet changed by {pieces}",
            pieces=pieces_words(group.pieces),
        )
    return _PARTS[group.kind](group)


_PARTS: Final[Mapping[SeenKind, Callable[[SeenGroup], str]]] = {
    SeenKind.SOLD: lambda group: tr("{n} pets sold", "", group.count, one="{n} pet sold"),
    SeenKind.PLACED: lambda group: tr("{n} orders placed", "", group.count, one="{n} order placed"),
    SeenKind.COMPLETED: lambda group: tr("{n} orders completed", "", group.count, one="{n} order completed"),
    SeenKind.NEW_PETS: lambda group: tr("{n} new pets", "", group.count, one="{n} new pet"),
    SeenKind.GONE: lambda group: tr("{n} gone", "records that are no longer there", group.count),
    SeenKind.OTHER: lambda group: tr("{n} other changes", "", group.count, one="{n} other change"),
}


def what_words(change: SeenChange) -> str:
    """The field that changed, or that the record is new or gone."""
    if change.ref.resource is Resource.INVENTORY:
        return column_title(Resource.INVENTORY, "quantity")
    if change.what is What.NEW:
        return tr("New", "a record that is new")
    if change.what is What.GONE:
        return tr("Gone", "a record that is no longer there")
    return column_title(change.ref.resource, change.field)


def record_words(shop: ShopModel, change: SeenChange) -> str:
    """What a row calls its record, without the id of a pet or category: `Angelfish`, `Order 2091, 12 Koi`."""
    if change.ref.resource is Resource.ORDERS:
        return _order_words(shop, change)
    return plain(change.title) or tr("(no name)")


def record_id(change: SeenChange) -> str:
    """The id that stands behind a name; empty for an order, whose name has it."""
    if change.ref.resource is Resource.ORDERS:
        return ""
    said = id_text(change.ref.key)
    return isolate(f"#{said}") if said else ""


def _order_words(shop: ShopModel, change: SeenChange) -> str:
    order, pet = id_text(change.ref.key), _order_field(shop, change, "pet_id")
    if pet is None:
        return tr("Order {id}", id=order) if order else tr("Order without an id")
    name, count = _name(shop, Resource.PETS, pet), _order_field(shop, change, "quantity")
    if isinstance(count, int):
        return tr("Order {id}, {count} {pet}", id=order, count=number(count), pet=name)
    return tr("Order {id}, {pet}", id=order, pet=name)


def _order_field(shop: ShopModel, change: SeenChange, name: str) -> FieldValue:
    return change.record[name] if name in change.record else shop.shown_of(change.ref, name)


def _name(shop: ShopModel, resource: Resource, key: FieldValue) -> str:
    """The name of a pet or category as it is called now; by its id where it is not there."""
    if not isinstance(key, (int, str, LocalId)):
        return DASH
    return plain(shop.name(resource, key) or "") or isolate(f"#{id_text(key)}")


def value_pair(shop: ShopModel, change: SeenChange, *, any_day: bool = False) -> tuple[str, str]:
    """Then and now of a change, in words; of a new or gone record its fields, in one of the two. `any_day`: dates with
    their year, for what is read on another day."""
    if change.ref.resource is Resource.INVENTORY:
        before, after = stock_values(change)
        return _count_words(before), _count_words(after)
    if change.what is What.CHANGED:
        name = change.field
        return _value(shop, name, change.before, any_day), _value(shop, name, change.after, any_day)
    said = _record_summary(shop, change, any_day)
    return ("", said) if change.what is What.NEW else (said, "")


def _count_words(count: int | None) -> str:
    return DASH if count is None else number(count)


def _value(shop: ShopModel, name: str, value: FieldValue, any_day: bool = False) -> str:
    linked = _LINKED.get(name)
    if linked is not None:
        return _name(shop, linked, value)
    facts = value_cell(shop, name, value)
    return value_text(replace(facts, days=None) if any_day else facts)


def _record_summary(shop: ShopModel, change: SeenChange, any_day: bool) -> str:
    """The most important fields of a record in a few words: `12, to ship on Mon 16 Nov`, `available, Fish`."""
    said = change.record
    if change.ref.resource is Resource.ORDERS:
        return _shipping(shop, said, any_day)
    names = ("status", "category_id") if change.ref.resource is Resource.PETS else ("description",)
    words = (_value(shop, name, said[name]) for name in names if said.get(name) is not None)
    return tr(", ", _COMMA).join(words)


def _shipping(shop: ShopModel, said: Fields, any_day: bool) -> str:
    quantity, ship_date = said.get("quantity"), said.get("ship_date")
    count = number(quantity) if isinstance(quantity, int) else ""
    if ship_date is None:
        return count
    near = value_cell(shop, "ship_date", ship_date).days in (-1, 0, 1)  # "Tomorrow" does not fit into the words
    day = _value(shop, "ship_date", ship_date, any_day or near)
    if not count:
        return tr("to ship on {day}", day=day)
    return tr("{count}, to ship on {day}", count=count, day=day)


def untold_words(lists: Collection[Resource]) -> str:
    """That it is not known what changed in these lists; empty for none."""
    if not lists:
        return ""
    names = tr(", ", _COMMA).join(resource_title(one) for one in Resource if one in lists)
    return tr(
        "What changed in {lists} is not known: these lists have not been read whole.",
        "",
        len(lists),
        one="What changed in {lists} is not known: this list has not been read whole.",
        lists=names,
    )


def gone_words(ref: Ref, changes: Sequence[SeenChange], now: float) -> str:
    """That a record is no longer there, and as far as its `changes` (newest first) tell, since when and by whom:
    `Order 1234 was deleted here (14:02)`."""
    said, name = id_text(ref.key), next((change.title for change in changes if change.title), "")
    about = tr("{name} (#{id})", name=isolate(plain(name)), id=said) if name and said else isolate(plain(name))
    about = about or (f"#{said}" if said else "")
    if ref.resource is Resource.ORDERS and said:
        about = tr("Order {id}", id=said)
    if not about:
        return tr("This record is gone.")
    if ref.resource is Resource.INVENTORY:
        return tr("The stock of {name} is no longer there", name=about)
    end = end_of(ref, changes)
    if end is None:
        return tr("{record} is no longer there", record=about)
    time = moment(end.seen_by, now)
    if end.who is not Who.HERE:
        return tr("{record} was removed elsewhere (noticed {time})", record=about, time=time)
    return tr("{record} was deleted here ({time})", record=about, time=time)
