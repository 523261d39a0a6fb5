"""What toasts say of acts."""

from __future__ import annotations

from petstore_desktop.domain.changes import AddStock, NewChange, SetFields, SetStock
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.text.changes.undo import done_words
from tests.ui.recording_shop import RecordingShop

KOI, STOCK = Ref(Resource.PETS, 1234), Ref(Resource.INVENTORY, 1234)


def test_a_renamed_record_is_named_by_its_old_name_and_its_new_one() -> None:
    renamed = NewChange(KOI, SetFields({"name": "Kai"}), {"name": "Koi"})
    said = done_words(renamed, RecordingShop().desk)
    assert said == "\u2068Koi\u2069 (#1234): renamed to \u2068Kai\u2069"


def test_a_stock_that_is_set_is_said_in_words_and_a_difference_by_its_sign() -> None:
    desk = RecordingShop().desk
    assert done_words(NewChange(STOCK, SetStock(1041)), desk).endswith(": stock set to 1,041")
    assert done_words(NewChange(STOCK, AddStock(-3)), desk).endswith(": −3")
