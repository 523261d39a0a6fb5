"""Which pets a scanned text means. No request is made, and nothing is searched: a few look-ups by key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.domain.codes import Codes, key_of_label, scanned_code
from petstore_desktop.domain.records import Ref, Resource, ServiceId, id_of_text

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel


class Found(Struct, frozen=True):
    """The pets that a scanned text may mean: none for an unknown code; of several the person chooses."""

    text: str
    refs: tuple[Ref, ...]

    @property
    def ref(self) -> Ref | None:
        """The pet, where there is exactly one."""
        return self.refs[0] if len(self.refs) == 1 else None


def resolve(shop: ShopModel, codes: Codes | None, text: str) -> Found:
    """The pets with this taught code, this label or this id. A scanner types small letters for capitals while Caps Lock
    is on: a text that means nothing is tried so too."""
    code = scanned_code(text)
    for written in dict.fromkeys((code, code.swapcase())):
        refs = tuple(Ref(Resource.PETS, key) for key in dict.fromkeys(_keys(shop, codes or Codes(), written)))
        if refs:
            return Found(code, refs)
    return Found(code, ())


def _keys(shop: ShopModel, codes: Codes, code: str) -> Iterator[ServiceId]:
    """The ids that a code means. While the list of pets is not here whole, a taught pet that is not in it counts."""
    pets = shop.stores[Resource.PETS]
    whole = Resource.PETS in shop.whole
    yield from (key for key in codes.of(code) if not whole or key in pets)
    for key in (key_of_label(code), id_of_text(code)):
        if key is not None and key in pets:
            yield key
