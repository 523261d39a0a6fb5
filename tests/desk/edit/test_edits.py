from __future__ import annotations

import pytest

from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.desk.values.typed_numbers import QuantityEntry
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange, SetFields, SetStock
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource
from tests.desk.shopkit import Journal, small_shop

KOI = Ref(Resource.PETS, 1234)
STOCK = Ref(Resource.INVENTORY, 1234)


def test_a_change_carries_what_the_person_saw() -> None:
    acts = small_shop().acts
    assert acts.set_fields((KOI,), {"status": "sold", "name": "Koi"}) == (
        NewChange(KOI, SetFields({"status": "sold"}), {"status": "available"}),
    )


def test_records_in_which_nothing_would_change_are_left_out() -> None:
    acts = small_shop().acts
    refs = (KOI, Ref(Resource.PETS, 940), Ref(Resource.PETS, 1129))
    changes = acts.set_fields(refs, {"status": "sold"})
    assert not isinstance(changes, BadInput)
    assert [change.ref.key for change in changes] == [1234, 940]


def test_the_base_follows_changes_that_go_out_before_but_not_stuck_ones() -> None:
    desk = small_shop()
    journal = Journal(desk)
    journal.act(STOCK, AddStock(-30), ChangeState.REFUSED)
    journal.act(STOCK, AddStock(12))
    journal.act(KOI, SetFields({"status": "pending"}))
    journal.act(KOI, SetFields({"name": "Refused"}), ChangeState.REFUSED)
    assert desk.acts.stock(1234, "=40") == NewChange(STOCK, SetStock(40), {"quantity": 36})
    changes = desk.acts.set_fields((KOI,), {"status": "sold", "name": "Koi 2"})
    assert not isinstance(changes, BadInput)
    assert changes[0].base == {"status": "pending", "name": "Koi"}


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("+12", NewChange(STOCK, AddStock(12), {"quantity": 24})),
        ("40", NewChange(STOCK, SetStock(40), {"quantity": 24})),
        ("=24", NewChange(STOCK, SetStock(24), {"quantity": 24})),
        ("24", None),
        ("+0", None),
    ],
)
def test_a_stock_cell_takes_bookings_and_counts(text: str, change: NewChange | None) -> None:
    acts = small_shop().acts
    assert acts.stock(1234, text) == change
    assert acts.set_from_text(KOI, "stock", text) == change
    assert acts.set_from_text(STOCK, "stock", text) == change


def test_a_preview_is_counted_from_what_is_shown() -> None:
    desk = small_shop()
    Journal(desk).act(STOCK, AddStock(12))
    assert desk.acts.preview(1234, "-40") == QuantityEntry(AddStock(-40), -4, below_zero=True)
    nowhere = desk.acts.preview(1129, "+1")
    assert isinstance(nowhere, BadInput) and nowhere.code == "no-stock-entry"


@pytest.mark.parametrize(
    ("resource", "fields", "code"),
    [
        (Resource.PETS, {"name": "  ", "category_id": 1}, "name-empty"),
        (Resource.PETS, {"category_id": 1}, "name-empty"),
        (Resource.PETS, {"name": "Guppy"}, "category-missing"),
        (Resource.PETS, {"name": "Guppy", "category_id": 99}, "no-such-category"),
        (Resource.CATEGORIES, {"name": ""}, "name-empty"),
        (Resource.ORDERS, {"pet_id": 99, "quantity": 1}, "no-such-pet"),
        (Resource.ORDERS, {"quantity": 1}, "pet-missing"),
        (Resource.ORDERS, {"pet_id": 1234, "quantity": 2**63}, "quantity-too-large"),
        (Resource.ORDERS, {"pet_id": 1234, "ship_date": "soon"}, "date-unreadable"),
    ],
)
def test_what_cannot_be_created_is_refused_by_name(
    resource: Resource, fields: dict[str, FieldValue], code: str
) -> None:
    refused = small_shop().acts.create(resource, fields)
    assert isinstance(refused, BadInput)
    assert refused.code == code


def test_a_creation_is_trimmed_and_named_by_a_fresh_local_id() -> None:
    acts = small_shop().acts
    one = acts.create(Resource.PETS, {"name": " Guppy ", "category_id": 1, "status": ""})
    two = acts.create(Resource.PETS, {"name": "Guppy", "category_id": 1})
    assert isinstance(one, NewChange) and isinstance(two, NewChange)
    assert one.intent == Create({"name": "Guppy", "category_id": 1})
    assert isinstance(one.ref.key, LocalId) and one.ref != two.ref


@pytest.mark.parametrize(
    ("ref", "column", "text", "fields"),
    [
        (KOI, "name", " Koi, ogon ", {"name": "Koi, ogon"}),
        (KOI, "category", "2", {"category_id": 2}),
        (KOI, "status", "sold", {"status": "sold"}),
        (Ref(Resource.ORDERS, 1), "quantity", "1,000", {"quantity": 1000}),
        (Ref(Resource.ORDERS, 1), "state", "true", {"complete": True}),
        (Ref(Resource.CATEGORIES, 1), "description", "", {"description": ""}),
    ],
)
def test_text_from_a_cell_becomes_a_field(ref: Ref, column: str, text: str, fields: dict[str, FieldValue]) -> None:
    change = small_shop().acts.set_from_text(ref, column, text)
    assert isinstance(change, NewChange)
    assert change.intent == SetFields(fields)


@pytest.mark.parametrize(
    ("column", "text", "code"),
    [("id", "5", "not-editable"), ("name", " ", "name-empty"), ("category", "x", "no-such-category")],
)
def test_text_that_fits_no_cell_is_refused_by_name(column: str, text: str, code: str) -> None:
    refused = small_shop().acts.set_from_text(KOI, column, text)
    assert isinstance(refused, BadInput) and refused.code == code


def test_a_creation_that_was_never_sent_is_taken_back_instead_of_deleted() -> None:
    desk = small_shop()
    journal = Journal(desk)
    fresh, sending = Ref(Resource.PETS, LocalId("x")), Ref(Resource.PETS, LocalId("y"))
    created = journal.act(fresh, Create({"name": "Guppy", "category_id": 1}))
    edited = journal.act(fresh, SetFields({"name": "Guppy 2"}))
    booked = journal.act(Ref(Resource.INVENTORY, fresh.key), AddStock(3))
    journal.act(sending, Create({"name": "Molly", "category_id": 1}), ChangeState.SENDING)
    deletion = desk.acts.delete((fresh, sending, KOI))
    assert deletion.discard == (created.id, edited.id, booked.id)
    assert [change.ref for change in deletion.changes] == [sending, KOI]
    assert deletion.changes[1].intent == Delete()
    assert deletion.changes[1].base == {"name": "Koi", "category_id": 1, "status": "available", "extra": "{}"}


def test_dependants_are_counted_from_what_is_here() -> None:
    acts = small_shop().acts
    assert acts.dependants(Ref(Resource.CATEGORIES, 1)) == ((Resource.PETS, 2),)
    assert acts.dependants(KOI) == ((Resource.ORDERS, 2), (Resource.INVENTORY, 1))
    assert acts.dependants(Ref(Resource.PETS, 1129)) == ()
    assert acts.dependants(Ref(Resource.ORDERS, 1)) == ()


def test_lists_that_are_here_in_part_may_have_more_dependants() -> None:
    desk = small_shop()
    for resource in Resource:
        desk.set_load(resource, LoadState("ready", as_of=1.0))
    assert desk.acts.untold_dependants(Resource.PETS) == ()
    desk.set_load(Resource.ORDERS, LoadState("ready", as_of=1.0, gaps=Gaps(100)))
    assert desk.acts.untold_dependants(Resource.PETS) == (Resource.ORDERS,)
    assert desk.acts.untold_dependants(Resource.ORDERS) == ()


def test_a_category_that_got_its_number_while_a_form_was_open_can_still_be_chosen() -> None:
    desk = small_shop()
    journal = Journal(desk)
    local = Ref(Resource.CATEGORIES, LocalId("geckos"))
    made = journal.act(local, Create({"name": "Geckos"}))
    journal.move(made, ChangeState.DONE, result_key=2000)
    change = desk.acts.create(Resource.PETS, {"name": "Ada", "category_id": local.key})
    assert isinstance(change, NewChange)
    assert change.intent == Create({"name": "Ada", "category_id": 2000})
    moved = desk.acts.set_fields((KOI,), {"category_id": local.key})
    assert not isinstance(moved, BadInput)
    assert moved[0].intent == SetFields({"category_id": 2000})
