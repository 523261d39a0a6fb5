"""What names another record is written in the form in which records carry it, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import ChangeState, Create, Delete, NewChange, SetFields
from petstore_desktop.domain.records import LocalId, Ref, Resource, ServiceId
from tests.support.shaped_shop import CATEGORIES, NUMBER, TEXT, Json, ShapedShop
from tests.support.virtual_desk import VirtualDesk, a_desk
from tests.support.virtual_time import VirtualTime
from tests.sync.test_whole_writes import FLAT, ended, flat, undone

REX = {"name": "Rex", "status": "available"}
NEW = Ref(Resource.PETS, LocalId("a" * 32))
PET = Ref(Resource.PETS, 1)


def by_object(number: int, pet: Json) -> Json:
    """It describes the category, and takes its id."""
    kind = pet.get("category_id")
    return {"id": number, **REX, "name": pet.get("name"), "category": {"id": kind, "name": CATEGORIES.get(kind or 0)}}


def read(desk: VirtualDesk) -> ServiceId:
    """What the first pet has for its category."""
    return desk.rows[Resource.PETS][1].category_id


FORMS: dict[str, tuple[Callable[[int, Json], Json], str, Json, object, object]] = {
    "name": (flat, "category", TEXT, "Dogs", "Cats"),
    "another word": (flat, "species", TEXT, "Dogs", "Cats"),
    "address": (flat, "category", TEXT, "/categories/1", "/categories/2"),
    "whole address": (
        flat,
        "category",
        TEXT,
        "http://127.0.0.1:9/v1/categories/1",
        "http://127.0.0.1:9/v1/categories/2",
    ),
    "address with a slash at its end": (flat, "category", TEXT, "/categories/1/", "/categories/2/"),
    "whole address with a slash at its end": (
        flat,
        "category",
        {**TEXT, "format": "uri"},
        "http://127.0.0.1:9/v1/categories/1/",
        "http://127.0.0.1:9/v1/categories/2/",
    ),
    "id": (flat, "categoryId", NUMBER, 1, 2),
    "id in a text": (flat, "category", TEXT, "1", "2"),
    "object": (by_object, "category_id", NUMBER, 1, 2),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_category_is_written_as_pets_carry_it(loop: VirtualTime, tmp_path: Path, form: str) -> None:
    shows, name, kind, one, two = FORMS[form]
    shop = ShapedShop(loop, shows, {**FLAT, name: kind}, {**REX, name: one})
    desk = a_desk(loop, shop, tmp_path)
    changed = ended(desk, desk.apply(NewChange(PET, SetFields({"category_id": 2}), {"category_id": read(desk)})))
    assert (changed.state, shop.pets[1][name]) == (ChangeState.DONE, two)
    assert undone(desk, changed.id).state is ChangeState.DONE
    assert shop.pets[1][name] == one
    made = ended(desk, desk.apply(NewChange(NEW, Create({**REX, "category_id": 2}))))
    assert (made.state, shop.pets[3][name]) == (ChangeState.DONE, two)
    assert undone(desk, made.id).state is ChangeState.DONE
    assert 3 not in shop.pets
    gone = ended(desk, desk.apply(NewChange(PET, Delete())))
    assert undone(desk, gone.id).state is ChangeState.DONE
    assert [pet[name] for pet in shop.pets.values()] == [one, one]


@pytest.mark.parametrize("case", ["no pet has one", "two of a name"])
def test_a_category_of_a_form_that_no_record_shows_is_not_written(loop: VirtualTime, tmp_path: Path, case: str) -> None:
    shop = ShapedShop(loop, flat, {**FLAT, "category": TEXT}, {**REX, "category": "Dogs"})
    if case == "no pet has one":
        shop.pets = {1: {**REX}, 2: {**REX}}
    else:
        shop.kinds[4] = "Cats"
    before = {number: {**pet} for number, pet in shop.pets.items()}
    desk = a_desk(loop, shop, tmp_path)
    changed = ended(desk, desk.apply(NewChange(PET, SetFields({"category_id": 2}), {"category_id": read(desk)})))
    assert (changed.state, changed.reason.code) == (ChangeState.REFUSED, "reference-unknown")
    assert (shop.pets, shop.written) == (before, [])


def test_what_is_read_as_an_object_and_written_as_an_id_beside_it_is_in_the_body(
    loop: VirtualTime, tmp_path: Path
) -> None:
    """As Django REST has it: one schema, `category` read only, `category_id` write only."""
    kind = {"type": "object", "readOnly": True, "properties": {"id": NUMBER, "name": TEXT}}
    body = {**FLAT, "category": kind, "category_id": {**NUMBER, "writeOnly": True}}
    shop = ShapedShop(loop, by_object, body, {**REX, "category_id": 1})
    desk = a_desk(loop, shop, tmp_path)
    made = ended(desk, desk.apply(NewChange(NEW, Create({**REX, "category_id": 2}))))
    assert (made.state, shop.pets[3]["category_id"]) == (ChangeState.DONE, 2)
    gone = ended(desk, desk.apply(NewChange(PET, Delete())))
    assert undone(desk, gone.id).state is ChangeState.DONE
    assert [pet["category_id"] for pet in shop.pets.values()] == [1, 2, 1]
