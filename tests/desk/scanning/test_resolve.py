"""Which pets a scanned text means."""

from __future__ import annotations

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.scanning.resolve import resolve
from petstore_desktop.domain.codes import Codes, label_code
from petstore_desktop.domain.records import Key, Pet, Resource
from tests.desk.shopkit import new_desk, tell

EAN = "4006381333931"


def shop_of(*keys: int | str) -> Desk:
    desk = new_desk()
    tell(desk, Resource.PETS, *(Pet(key, f"Pet {key}") for key in keys))
    desk.shop.whole = frozenset(Resource)
    return desk


def meant(desk: Desk, text: str, codes: Codes | None = None) -> list[Key]:
    found = resolve(desk.shop, codes, text)
    assert all(ref.resource is Resource.PETS for ref in found.refs)
    return [ref.key for ref in found.refs]


def test_a_label_a_bare_id_and_a_taught_code_mean_their_pet() -> None:
    desk = shop_of(1126, 7, "ord_7")
    codes = Codes({EAN: (7,)})
    assert meant(desk, label_code(1126)) == meant(desk, "1126") == meant(desk, " 1126\t") == [1126]
    assert meant(desk, label_code("ord_7")) == meant(desk, "ord_7") == ["ord_7"]
    assert meant(desk, EAN, codes) == [7] and resolve(desk.shop, codes, EAN).ref is not None
    assert meant(desk, EAN) == meant(desk, "1127") == meant(desk, "1126?") == meant(desk, "") == []


def test_letters_typed_under_caps_lock_mean_the_same() -> None:
    desk = shop_of(1126, "ord_7", "ORD_7")
    assert meant(desk, label_code(1126).lower()) == [1126]
    assert meant(desk, "ORD_7") == ["ORD_7"]
    desk = shop_of("ord_7")
    assert meant(desk, "ORD_7") == meant(desk, label_code("ord_7").swapcase()) == ["ord_7"]


def test_all_that_a_text_may_mean_is_offered_once_each() -> None:
    label = label_code(1126)
    desk = shop_of(1126, label, 7)
    assert meant(desk, label) == [1126, label]
    assert meant(desk, "1126", Codes({"1126": (7, 1126)})) == [7, 1126]
    assert resolve(desk.shop, None, label).ref is None


def test_a_taught_pet_that_is_gone_leaves_the_code_unknown() -> None:
    desk, codes = shop_of(1126), Codes({EAN: (7,)})
    assert meant(desk, EAN, codes) == []
    desk.shop.whole = frozenset()
    assert meant(desk, EAN, codes) == [7], "its list is still being read"
