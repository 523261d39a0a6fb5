"""Shops drawn at random that show their pets in one shape and take them in another, judged by what they keep: exactly
what was meant is another, or nothing was sent and the change says why."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.changes import ChangeState, Delete, NewChange, SetFields
from petstore_desktop.domain.records import Ref, Resource
from tests.support.shaped_shop import NUMBER, TEXT, Json, ShapedShop, schema_of
from tests.support.virtual_desk import a_desk
from tests.support.virtual_time import VirtualTime
from tests.sync.test_whole_writes import ended, undone

EXTRAS: Json = {"colour": "red", "weight": 12, "tags": {"a": "x"}, "chip": "756"}
FORMS: dict[str, tuple[object, object, Json]] = {
    "": (None, None, {}),
    "categoryId": (1, 2, NUMBER),
    "category": ("Dogs", "Cats", TEXT),
    "kind": ("/categories/1", "/categories/2", TEXT),
}


def shop_of(chance: random.Random, loop: VirtualTime) -> tuple[ShapedShop, str]:
    """A shop, and under which name its pets have a category."""
    form = chance.choice(list(FORMS))
    named = {form: FORMS[form][0]} if form else {}
    pet = {"name": "Koi", "status": "available", **named, **dict(chance.sample(sorted(EXTRAS.items()), 2))}
    room, takes_room = chance.choice(["", "attributes", "data"]), chance.choice([False, False, True])
    inner = [name for name in pet if room == "attributes" or (room and name in EXTRAS)]

    def shows(number: int, kept: Json) -> Json:
        top = {name: value for name, value in kept.items() if name not in inner}
        deeper = {name: value for name, value in kept.items() if name in inner}
        return {"id": number, **top, **({room: deeper} if room and deeper else {})}

    told = {
        name: schema_of(value)
        for name, value in pet.items()
        if name not in EXTRAS or name in inner or chance.random() < 0.6
    }
    body = {"attributes": {"type": "object", "properties": told}} if takes_room else told
    shop = ShapedShop(loop, shows, body, pet, told=chance.random() < 0.8)
    shop.takes = (lambda sent: sent.get("attributes") or {}) if takes_room else dict
    return shop, form


@pytest.mark.parametrize("seed", range(12))
def test_what_was_meant_is_another_and_nothing_else(seed: int, tmp_path: Path) -> None:
    chance, loop = random.Random(seed), VirtualTime()
    shop, form = shop_of(chance, loop)
    before = dict(shop.pets[1])
    desk = a_desk(loop, shop, tmp_path)
    read: Any = desk.rows[Resource.PETS][1]
    pet, ends = Ref(Resource.PETS, 1), Counter[ChangeState]()
    wanted: Json = {"category_id": 2} if form and chance.random() < 0.5 else {"name": "Rex"}
    change = ended(desk, desk.apply(NewChange(pet, SetFields(wanted), {n: getattr(read, n) for n in wanted})))
    ends[change.state] += 1
    meant = {**before, **({"name": "Rex"} if "name" in wanted else {form: FORMS[form][1]})}
    assert shop.pets[1] == (meant if change.state is ChangeState.DONE else before), (shop.document, shop.written)
    assert change.state is ChangeState.DONE or (change.reason is not None and not shop.written)
    kept = dict(shop.pets[1])
    gone = ended(desk, desk.apply(NewChange(pet, Delete())))
    assert gone.state is ChangeState.DONE
    back = undone(desk, gone.id)
    if back.state is ChangeState.DONE:
        assert shop.pets[3] == kept, (shop.document, shop.written)
    else:
        assert back.reason is not None
        assert 3 not in shop.pets
    loop.close()
