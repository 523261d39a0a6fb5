"""A list that was opened in one language, and is shown in another: names sort, and filters are read, in the new one."""

from __future__ import annotations

from petstore_desktop.desk.values.collation import Collation
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import InventoryItem, Pet, Resource
from tests.desk.shopkit import new_desk, tell

PETS, STOCK = Resource.PETS, Resource.INVENTORY


def backwards(text: str) -> bytes:
    """A language in which z comes first."""
    return bytes(255 - byte for byte in text.lower().encode())


def test_names_sort_in_the_language_in_which_the_list_is_shown_again() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet(1, "Ant"), Pet(2, "Bee"), Pet(3, "Cow"))
    table = desk.tables[PETS]
    table.open()
    assert table.keys() == [1, 2, 3]
    table.detach()
    desk.shop.collation = Collation(backwards)
    desk.shop.forget_order()
    table.open()
    assert table.keys() == [3, 2, 1]


def test_a_filter_word_of_the_language_before_is_read_anew() -> None:
    desk = new_desk()
    desk.set_minimums(Minimums(pets={1: 5, 2: 5}))
    tell(desk, STOCK, InventoryItem(1, 1), InventoryItem(2, 9))
    desk.shop.filter_words = {"low": "knapp"}
    table = desk.tables[STOCK]
    table.open()
    table.set_filters("", {"stock": "knapp"})
    assert (table.keys(), dict(table.unreadable_filters)) == ([1], {})
    table.detach()
    desk.shop.collation, desk.shop.filter_words = Collation(str.casefold), {"low": "bas"}
    table.open()
    assert "stock" in table.unreadable_filters, "it is a word of no language that is spoken now, and leaves out nothing"
    assert table.keys() == [1, 2]
    table.set_filters("", {"stock": "low"})
    assert table.keys() == [1]
