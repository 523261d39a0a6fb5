"""The table of what an answer to a write proves, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from petstore_desktop.api.write_answer import WriteAnswer
from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.changes import Reason
from petstore_desktop.domain.records import InventoryItem, Order, Pet, Row
from petstore_desktop.sync.send.answer_verdict import (
    ASSUMED,
    REWRITTEN,
    TABLE,
    AnswerVerdict,
    Meant,
    OwnWrite,
    Shows,
    is_alike,
    judge,
    ours,
)

FIELDS = ("id", "name", "categoryid", "status")
BEFORE = Pet(5, "Rex", 2, "available")
SILENT = WriteAnswer(silent=True)


def operation(op: Op = Op.PET_CHANGE, *, promised: bool = True) -> Operation:
    return Operation(op, "PATCH", "/x/{id}", shows=FIELDS if promised else ())


def shows(pet: Pet, *names: str) -> WriteAnswer:
    """An answer with this pet, that names these of its fields; all without any."""
    return WriteAnswer(Row(pet.id, pet, 0.0), frozenset(names or ("id", "name", "category_id", "status")), pet.id)


def verdict(
    shown: WriteAnswer, sent: dict[str, Any] | None = None, *, promised: bool = True, **more: Any
) -> tuple[str, str]:
    sent = {"name": "Max"} if sent is None else sent
    said = judge(Meant(operation(promised=promised), 5, sent, BEFORE, **more), shown)
    return said.shows.value, said.verdict.value


def test_every_answer_has_a_verdict() -> None:
    assert TABLE.keys() == {*Shows}
    never = {Shows.ANOTHER_RECORD, Shows.ANOTHER_VALUE, Shows.EMPTIED, Shows.ALSO_CHANGED}
    assert {shows for shows, both in TABLE.items() if AnswerVerdict.WRONG in both} == never
    assert [shows for shows, both in TABLE.items() if AnswerVerdict.DONE in both] == [Shows.MEANT]


@pytest.mark.parametrize(
    ("shown", "promised", "otherwise"),
    [
        (shows(Pet(5, "Max", 2, "available")), "meant done", "meant done"),
        (SILENT, "nothing look", "nothing assumed"),
        (WriteAnswer(), "no-record look", "no-record look"),
        (WriteAnswer(id=5), "no-record look", "no-record look"),
        (WriteAnswer(id=6), "no-record look", "no-record look"),
        (shows(Pet(5, ""), "id"), "not-all look", "not-all assumed"),
        (shows(Pet(5, "Max"), "id", "name"), "not-all look", "meant done"),
        (shows(Pet(5, "Rex", 2, "available")), "as-before look", "as-before look"),
        (shows(Pet(6, "Max", 2, "available")), "another-record wrong", "another-record wrong"),
        (shows(Pet(5, "Moritz", 2, "available")), "another-value wrong", "another-value wrong"),
        (shows(Pet(5, "", 2, "available")), "another-value wrong", "another-value wrong"),
        (shows(Pet(5, "Max", None, "available")), "emptied wrong", "emptied wrong"),
    ],
)
def test_a_change(shown: WriteAnswer, promised: str, otherwise: str) -> None:
    assert " ".join(verdict(shown)) == promised
    assert " ".join(verdict(shown, promised=False)) == otherwise


@pytest.mark.parametrize(
    ("shown", "taken", "promised", "otherwise"),
    [
        (shows(Pet(57, "Max", 2)), (), "done", "done"),
        (WriteAnswer(id=57), (), "look", "assumed"),
        (SILENT, (), "look", "assumed"),
        (WriteAnswer(), (), "look", "look"),
        (shows(Pet(57, "Max", 2)), (57,), "wrong", "wrong"),
        (WriteAnswer(id=57), (57,), "wrong", "wrong"),
        (shows(Pet(57, "Max")), (), "wrong", "wrong"),
        (shows(Pet(57, "Max"), "id", "name"), (), "look", "assumed"),
    ],
)
def test_a_creation(shown: WriteAnswer, taken: tuple[int, ...], promised: str, otherwise: str) -> None:
    sent = {"name": "Max", "category_id": 2}
    for is_promised, wanted in ((True, promised), (False, otherwise)):
        meant = Meant(operation(Op.PET_CREATE, promised=is_promised), None, sent, taken=taken)
        assert judge(meant, shown).verdict.value == wanted


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [(SILENT, "assumed"), (WriteAnswer(), "look"), (shows(BEFORE), "done"), (shows(Pet(6, "Max")), "wrong")],
)
def test_a_deletion(shown: WriteAnswer, wanted: str) -> None:
    meant = Meant(operation(Op.PET_DELETE, promised=False), 5, {}, BEFORE)
    assert judge(meant, shown).verdict.value == wanted


def test_the_stock_of_another_pet_is_another_record() -> None:
    entry = Row(7, InventoryItem(7, 40), 0.0)
    meant = Meant(Operation(Op.STOCK_CHANGE, "PATCH", "/stock/{id}"), 102, {"quantity": 40}, InventoryItem(102, 10))
    assert judge(meant, WriteAnswer(entry, frozenset({"pet_id", "quantity"}), 7)).shows is Shows.ANOTHER_RECORD


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (" Max ", "Max"), ("Max", "MAX"), ("cafe\u0301", "caf\u00e9"), ("adopted", "sold"), (3, "3"), (None, ""),
        ("2026-01-01T00:30:00+02:00", "2025-12-31T22:30:00Z"), ("2026-01-01", "2026-01-01T00:00:00Z"),
    ],
)  # fmt: skip
def test_what_services_write_in_their_own_way_is_the_same(sent: Any, shown: Any) -> None:
    assert is_alike(sent, shown)
    assert is_alike(shown, sent)


@pytest.mark.parametrize(("sent", "shown"), [("Max", "Maxi"), (3, 4), ("sold", "available"), (True, False), (2, None)])
def test_other_values_are_others(sent: Any, shown: Any) -> None:
    assert not is_alike(sent, shown)


def test_what_a_service_writes_in_its_own_way_is_said_of_a_change_that_is_done() -> None:
    said = judge(Meant(operation(), 5, {"name": " Max "}, BEFORE), shows(Pet(5, "Max", 2, "available")))
    assert (said.verdict, said.reason) == (AnswerVerdict.DONE, Reason(REWRITTEN, "", theirs={"name": "Max"}))


def test_what_a_person_lets_a_service_do_is_done() -> None:
    other = shows(Pet(5, "Moritz", 2, "available"))
    assert verdict(other, accepted=("name",)) == ("meant", "done")
    assert verdict(shows(Pet(5, "Max", None, "available")), accepted=("category_id",))[1] == "done"


def test_a_field_that_the_answer_does_not_name_is_not_emptied_with_that() -> None:
    order = Operation(Op.ORDER_CHANGE, "PATCH", "/orders/{id}", shows=("id", "complete"))
    shown = WriteAnswer(Row(9, Order(9, complete=True), 0.0), frozenset({"id", "complete"}), 9)
    assert judge(Meant(order, 9, {"complete": True}, Order(9, 5, 2)), shown).verdict is AnswerVerdict.DONE


@pytest.mark.parametrize(
    ("reason", "now", "etag", "is_ours"),
    [
        (Reason(ASSUMED, ""), "Max", None, True),
        (Reason(ASSUMED, ""), "Moritz", None, False),
        (Reason(ASSUMED, "", raw='"2"'), "Moritz", '"2"', True),
        (Reason(ASSUMED, "", raw='"2"'), "Moritz", '"3"', False),
        (Reason(REWRITTEN, "", theirs={"name": "Max"}), "Max", None, True),
        (Reason(REWRITTEN, "", theirs={"name": "Max"}), "MAX", None, False),
        (Reason(REWRITTEN, "", theirs={}), "Max", None, False),
    ],
)
def test_what_became_of_our_own_value_is_no_colleagues(
    reason: Reason, now: str, etag: str | None, is_ours: bool
) -> None:
    row, write = Row(5, Pet(5, now), 0.0, etag), OwnWrite({"name": " Max "}, reason)
    assert (ours([write], row, {"name": " Max "}, {"name": now}) == {"name"}) is is_ours
    assert ours([write], row, {"name": "what a person saw later"}, {"name": now}) == frozenset()


@pytest.mark.parametrize(
    ("before", "sent", "answered", "wanted"),
    [
        ("Rex", "Max", "Rex", Shows.AS_BEFORE),
        ("Rex", "Max", "Max", Shows.MEANT),
        ("Rex", "Max", "MAX", Shows.MEANT),
        ("Rex", "Max", "Moritz", Shows.ANOTHER_VALUE),
        ("Rex", " rex ", "Rex", Shows.MEANT),
        (None, "Max", None, Shows.AS_BEFORE),
        ("Rex", "Max", None, Shows.ANOTHER_VALUE),
        ("ADOPTED", "sold", "ADOPTED", Shows.MEANT),
        ("On hold", "on_hold", "On hold", Shows.MEANT),
    ],
)
def test_only_the_very_value_of_before_says_that_nothing_was_done(
    before: str | None, sent: str, answered: str | None, wanted: Shows
) -> None:
    shown = WriteAnswer(Row(5, Pet(5, "x", status=answered), 0.0), frozenset({"id", "name", "status"}), 5)
    meant = Meant(operation(promised=False), 5, {"status": sent}, Pet(5, "x", status=before))
    assert judge(meant, shown).shows is wanted
