from __future__ import annotations

from datetime import date

import pytest

from petstore_desktop.desk.changes.details import Details
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.values.cells import CellFacts, Chip, Rows, Stock
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, Reason, SetFields
from petstore_desktop.domain.records import ContentId, JsonValue, LocalId, Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import RowsChanged
from tests.desk.shopkit import NOON, Journal, row, small_shop, tell

KOI = Ref(Resource.PETS, 1234)


def _facts(details: Details | None) -> dict[str, CellFacts]:
    assert details is not None
    return {fact.label: fact.cell for fact in details.facts}


def _targets(details: Details | None) -> dict[str, object]:
    assert details is not None
    return {fact.label: fact.target for fact in details.facts}


def test_a_pets_pane_leads_to_its_category_its_stock_and_its_orders() -> None:
    details = small_shop().details(KOI)
    assert details is not None
    assert (details.title, details.id_text, details.seen_at) == ("Koi", "1234", NOON)
    assert (_facts(details)["orders"].number, _facts(details)["orders-open"].number) == (2, 1)
    assert _targets(details) == {
        "status": None,
        "category": Ref(Resource.CATEGORIES, 1),
        "stock": Ref(Resource.INVENTORY, 1234),
        "orders": Rows(Resource.ORDERS, "pet:1234"),
        "orders-open": Rows(Resource.ORDERS, "pet:1234 open"),
    }


def test_the_rows_behind_a_count_are_as_many_as_the_count() -> None:
    desk = small_shop()
    # Each of these would be found by the bare words, and none belongs to the count.
    tell(desk, Resource.ORDERS, Order(1234, 12345, 1234, None, False), Order(12, 123, 1, None, False))
    tell(desk, Resource.PETS, Pet(77, "Fish 1", 12, "sold"))
    for ref, label in ((KOI, "orders"), (KOI, "orders-open"), (Ref(Resource.CATEGORIES, 1), "pets")):
        details = desk.details(ref)
        target = _targets(details)[label]
        assert isinstance(target, Rows)
        table = desk.tables[target.resource]
        table.open()
        table.set_filter(target.text)
        assert table.row_count == _facts(details)[label].number


def test_changes_come_newest_first_each_with_its_sentence_and_what_can_be_done() -> None:
    desk = small_shop()
    journal = Journal(desk)
    refused = journal.act(KOI, SetFields({"category_id": 41}), base={"category_id": 1})
    journal.move(refused, ChangeState.REFUSED, Reason("bad", "unknown category 41", 400, raw='{"code":"bad"}'))
    journal.act(Ref(Resource.INVENTORY, 1234), AddStock(12), base={"quantity": 24})
    journal.act(Ref(Resource.INVENTORY, 1234), AddStock(1), base={"quantity": 36})
    details = desk.details(KOI)
    assert details is not None
    assert details.needs_person == 1
    later, stock, category = details.changes
    assert (later.field, later.sentence.params["next"]) == ("stock", False)
    assert (stock.mark, stock.actions, stock.sentence.code) == ("unsent", ("discard",), "change.unsent")
    assert stock.sentence.params == {"at": NOON, "next": True}
    assert stock.after.stock == Stock(24, 36, Chip("add", 12))
    assert (category.field, category.before.text, category.after.code) == ("category_id", "Fish", "no-such-category")
    assert category.sentence.params == {"message": "unknown category 41", "status": 400, "code": "bad"}
    assert category.actions == ("edit", "retry", "discard", "raw")
    assert category.change.raw == '{"code":"bad"}'


def test_a_conflict_shows_what_the_service_has() -> None:
    desk = small_shop()
    journal = Journal(desk)
    change = journal.act(KOI, SetFields({"name": "Mine"}), base={"name": "Koi"})
    journal.move(change, ChangeState.CONFLICT, Reason("moved", "", None, None, {"name": "Theirs"}))
    details = desk.details(KOI)
    assert details is not None
    (line,) = details.changes
    assert (line.before.text, line.after.text) == ("Koi", "Mine")
    assert line.sentence.params["theirs"] == (("name", "Theirs"),)
    assert line.actions == ("review", "retry", "discard")


def test_an_uncertain_deletion_is_looked_after_until_only_the_person_can_tell() -> None:
    desk = small_shop()
    journal = Journal(desk)
    change = journal.act(KOI, Delete(), ChangeState.UNCERTAIN)
    details = desk.details(KOI)
    assert details is not None
    assert (details.changes[0].before.text, details.changes[0].sentence.code) == ("Koi", "change.uncertain")
    assert details.needs_person == 0
    journal.move(change, ChangeState.UNCERTAIN, Reason("cannot-look", ""))
    details = desk.details(KOI)
    assert details is not None
    assert (details.changes[0].sentence.code, details.needs_person) == ("change.unsettled", 1)


def test_a_creation_that_was_answered_with_a_known_id_says_which_record_to_look_at() -> None:
    desk = small_shop()
    journal = Journal(desk)
    pup = Ref(Resource.PETS, LocalId("pup"))
    change = journal.act(pup, Create({"name": "Pup"}), ChangeState.UNCERTAIN)
    journal.move(change, ChangeState.UNCERTAIN, Reason("id-known", "7"))
    details = desk.details(pup)
    assert details is not None
    assert (details.changes[0].sentence.code, details.needs_person) == ("change.id-known", 1)
    assert details.changes[0].sentence.params == {"id": "7"}


@pytest.mark.parametrize(
    ("order", "code", "days", "day"),
    [
        (Order(9, 1234, 2, "2025-11-18T09:00:00Z", False), "order.late", 3, date(2025, 11, 18)),
        (Order(9, 1234, 2, "2025-11-21T09:00:00Z", False), "order.due", 0, date(2025, 11, 21)),
        (Order(9, 1234, 2, "2025-11-22T09:00:00Z", False), "order.due", 1, date(2025, 11, 22)),
        (Order(9, 1234, 2, "2025-11-26T09:00:00Z", False), "order.due", 5, date(2025, 11, 26)),
        (Order(9, 1234, 2, "2025-11-18T09:00:00Z", True), "order.complete", 0, date(2025, 11, 18)),
        (Order(9, 1234, 2, None, False), "order.open-no-date", 0, None),
        (Order(9, 1234, 2, "soon", False), "order.open-no-date", 0, None),
        (Order(9), "order.unknown", 0, None),
        (Order(9, status="cancelled"), "order.unknown", 0, None),
    ],
)
def test_an_order_is_one_sentence_to_read_out(order: Order, code: str, days: int, day: date | None) -> None:
    desk = small_shop()
    tell(desk, Resource.ORDERS, order)
    details = desk.details(Ref(Resource.ORDERS, 9))
    assert details is not None and details.sentence is not None
    params = details.sentence.params
    assert (details.sentence.code, params["days"], params["day"]) == (code, days, day)
    assert (params["quantity"], params["status"]) == (order.quantity, order.status or "")
    pet = params["pet"]
    assert isinstance(pet, CellFacts)
    assert (pet.text, pet.ref_id) == (("Koi", "1234") if order.pet_id else ("", ""))


def test_an_order_lists_the_others_of_its_pet_and_the_stock() -> None:
    details = small_shop().details(Ref(Resource.ORDERS, 1))
    assert details is not None
    assert _facts(details)["stock"].number == 24
    (section,) = details.sections
    (other,) = section.facts
    assert (section.code, other.target) == ("more-of-this-pet", Ref(Resource.ORDERS, 3))
    assert (other.cell.ref_id, other.cell.number, other.cell.text) == ("3", 1, "complete")


def test_an_order_without_id_is_read_only() -> None:
    desk = small_shop()
    apply_event(desk, RowsChanged("shop", Resource.ORDERS, (row(Order(), ContentId("abc")),)))
    details = desk.details(Ref(Resource.ORDERS, ContentId("abc")))
    assert details is not None
    assert (details.read_only, details.id_text, details.sections) == (True, "", ())


def test_a_stock_entry_leads_to_its_pet() -> None:
    details = small_shop().details(Ref(Resource.INVENTORY, 1234))
    assert details is not None
    assert details.title == "Koi"
    assert _targets(details)["pet"] == KOI


def test_what_is_not_there_has_no_details() -> None:
    assert small_shop().details(Ref(Resource.PETS, 77)) is None


def test_fields_that_the_program_does_not_know_stand_in_a_section_of_their_own() -> None:
    desk = small_shop()
    extra: dict[str, JsonValue] = {"tags": ["old", "ä"], "photo": "x" * 9_999, "none": None, "stock": 3}
    tell(desk, Resource.PETS, Pet(1234, "Koi", 1, "sold", extra))
    details = desk.details(KOI)
    assert details is not None
    orders, section = details.sections
    assert (orders.code, section.code) == ("orders-of-this-pet", "other-fields")
    shown = {fact.label: fact.cell.text for fact in section.facts}
    assert shown == {"tags": '["old", "ä"]', "photo": "x" * 1_000, "none": "", "stock": "3"}
    assert all(fact.target is None for fact in section.facts)
    tell(desk, Resource.PETS, Pet(1234, "Koi", 1, "sold", {f"field{n}": n for n in range(999)}))
    many = desk.details(KOI)
    assert many is not None
    assert len(many.sections[1].facts) == 40
    tell(desk, Resource.PETS, Pet(1234, "Koi", 1, "sold"))
    bare = desk.details(KOI)
    assert bare is not None
    assert [section.code for section in bare.sections] == ["orders-of-this-pet"]
