from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import OPS, FieldMap, Op, Stability
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.model.capabilities import ACTIONS, Action, operation_for
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.changes import Create, Delete
from petstore_desktop.domain.records import ContentId, LocalId, Order, Ref, Resource
from petstore_desktop.sync.wire.events import RowsChanged
from tests.desk.shopkit import Journal, row, small_shop, tell

KOI = Ref(Resource.PETS, 1234)


def _with(desk: Desk, *operations: Operation) -> Desk:
    desk.set_contract(Contract({operation.op: operation for operation in operations}))
    return desk


@pytest.mark.parametrize("action", list(Action))
def test_every_action_is_there_where_everything_is_offered(action: Action) -> None:
    assert small_shop().allowed(action).ok


@pytest.mark.parametrize("action", list(Action))
def test_every_action_says_so_where_nothing_is_offered(action: Action) -> None:
    allowed = _with(small_shop()).allowed(action)
    assert (allowed.ok, allowed.reason) == (False, "not-offered")


def test_before_the_contract_is_known_nothing_is_promised() -> None:
    desk = small_shop()
    desk.contract = None
    assert desk.allowed("new-pet").reason == "no-contract"


def test_marks_come_from_the_operation() -> None:
    sunset = Operation(Op.STOCK_CHANGE, "PATCH", "/x", deprecated=True, sunset="2026-01-01", stability=Stability.BETA)
    allowed = _with(small_shop(), sunset).allowed("edit-stock", Ref(Resource.INVENTORY, 1234))
    assert (allowed.ok, allowed.stability) == (True, Stability.BETA)
    assert allowed.ending is not None
    assert allowed.ending.day == date(2026, 1, 1)


READ = Operation(Op.PET_READ, "GET", "/p/{id}", deprecated=True, sunset="2099-01-01")
LIST = Operation(Op.PETS_LIST, "GET", "/p", page_limit=2)


@pytest.mark.parametrize(
    ("operations", "instead", "after"),
    [
        ((READ,), "", False),
        ((READ, LIST), "GET /p", True),  # more pets than a page holds: read one by one for as long as that works
        ((READ, replace(LIST, page_limit=100)), "GET /p", False),
        ((replace(READ, sunset="2020-01-01"), LIST), "GET /p", False),
        ((replace(READ, removed=True), LIST), "GET /p", False),
        ((READ, replace(LIST, removed=True)), "", False),
    ],
)
def test_a_live_check_says_what_serves_instead_of_an_operation_that_ends(
    operations: tuple[Operation, ...], instead: str, after: bool
) -> None:
    ending = _with(small_shop(), *operations).allowed("check-live", KOI).ending
    assert ending is not None
    assert (ending.instead, ending.after) == (instead, after)


def test_what_is_removed_cannot_be_done_unless_something_else_serves() -> None:
    gone = replace(READ, removed=True)
    assert _with(small_shop(), gone).allowed("check-live", KOI).reason == "removed"
    assert _with(small_shop(), gone, LIST).allowed("check-live", KOI).ok
    change = Operation(Op.PET_CHANGE, "PATCH", "/p/{id}", removed=True, sunset="2020-01-01")
    assert _with(small_shop(), change).allowed("edit-pet", KOI).reason == "removed"


def test_a_live_check_uses_a_deprecated_operation_only_where_nothing_else_serves() -> None:
    old, many = Operation(Op.PET_READ, "GET", "/p/{id}", deprecated=True), Operation(Op.PETS_LIST, "GET", "/p")
    fresh = Operation(Op.PET_READ, "GET", "/p/{id}")
    assert operation_for(Contract({Op.PET_READ: old, Op.PETS_LIST: many}), Action.CHECK_LIVE, KOI) is many
    assert operation_for(Contract({Op.PET_READ: old}), Action.CHECK_LIVE, KOI) is old
    assert operation_for(Contract({Op.PET_READ: fresh, Op.PETS_LIST: many}), Action.CHECK_LIVE, KOI) is fresh
    assert operation_for(Contract({}), Action.CHECK_LIVE, KOI) is None


def test_a_field_that_the_operation_does_not_take_cannot_be_edited() -> None:
    named = Operation(Op.PET_CHANGE, "PATCH", "/p/{id}", body_fields=("name", "categoryId"))
    desk = _with(small_shop(), named)
    assert desk.allowed("edit-pet", KOI).ok
    assert desk.allowed("set-sold", KOI).reason == "field-not-taken"
    table = desk.tables[Resource.PETS]
    table.open()
    koi = table.position(1234)
    assert [table.editable(koi, column) for column in (2, 3, 4, 5)] == [True, True, False, False]


def test_a_status_for_which_the_document_has_no_word_cannot_be_set() -> None:
    desk = _with(small_shop(), Operation(Op.PET_CHANGE, "PATCH", "/p/{id}"))
    assert desk.allowed("set-sold", KOI).ok
    desk.set_contract(replace(desk.contract, statuses={Resource.PETS: ("available", "unavailable", "on hold")}))
    assert desk.allowed("set-sold", KOI).reason == "no-such-status"
    assert desk.allowed("set-pending", KOI).ok
    assert desk.shop.own_status("pending") == "on hold"


def test_the_record_itself_may_stand_in_the_way() -> None:
    desk = small_shop()
    anonymous = Ref(Resource.ORDERS, ContentId("abc"))
    apply_event(desk, RowsChanged("shop", Resource.ORDERS, (row(Order(), anonymous.key),)))
    tell(desk, Resource.ORDERS, Order(9, complete=True))
    Journal(desk).act(KOI, Delete())
    assert desk.allowed("complete-order", anonymous).reason == "read-only"
    assert desk.allowed("cancel-order", anonymous).reason == "read-only"
    assert desk.allowed("complete-order", Ref(Resource.ORDERS, 9)).reason == "already-complete"
    assert desk.allowed("cancel-order", Ref(Resource.ORDERS, 9)).ok
    assert desk.allowed("edit-pet", KOI).reason == "being-deleted"
    assert desk.allowed("check-live", KOI).ok
    assert desk.allowed("edit-stock", Ref(Resource.INVENTORY, 1129)).reason == "no-stock-entry"


def test_a_record_created_here_can_be_edited_and_deleted_whatever_is_offered_but_not_checked() -> None:
    desk = _with(small_shop(), Operation(Op.PET_CREATE, "POST", "/p"))
    ref = Ref(Resource.PETS, LocalId("x"))
    assert desk.allowed("edit-pet", ref).reason == "no-such-record"
    Journal(desk).act(ref, Create({"name": "Guppy", "category_id": 1}))
    assert desk.allowed("edit-pet", ref).ok
    assert desk.allowed("delete-pet", ref).ok
    assert desk.allowed("check-live", ref).reason == "not-yet-sent"


def test_each_action_of_a_table_needs_an_operation_of_that_table() -> None:
    for (resource, _), action in ACTIONS.items():
        operation = operation_for(Contract({op: Operation(op, "GET", "/") for op in OPS.values()}), action, None)
        assert operation is not None and operation.op.resource is resource


def test_a_field_that_is_found_by_a_guess_is_not_written() -> None:
    desk = small_shop()
    named = ("title", "state", "categoryId")
    writes = FieldMap({"name": ("title",), "status": ("state",)})
    edit = Operation(Op.PET_CHANGE, "PATCH", "/p/{id}", writes=writes, body_fields=named)
    make = Operation(Op.PET_CREATE, "POST", "/p", writes=writes, body_fields=named)
    contract = Contract(
        {one.op: one for one in (edit, make)}, fields={Resource.PETS: replace(writes, guessed=("status",))}
    )
    desk.set_contract(contract)
    assert desk.allowed("edit-pet", KOI).ok and desk.allowed("edit-pet", KOI, "name").ok and desk.allowed("new-pet").ok
    for action in ("set-sold", "edit-pet", "new-pet"):
        allowed = desk.allowed(action, None if action == "new-pet" else KOI, "status")
        assert (allowed.ok, allowed.reason) == (False, "field-guessed")
    must = replace(make, required_fields=("title", "state"))
    desk.set_contract(replace(contract, operations={Op.PET_CREATE: must}))
    assert desk.allowed("new-pet").reason == "field-guessed"
    stock = Operation(Op.STOCK_CHANGE, "PATCH", "/i/{id}")
    desk.set_contract(Contract({stock.op: stock}, fields={Resource.INVENTORY: FieldMap(guessed=("quantity",))}))
    assert desk.allowed("edit-stock", Ref(Resource.INVENTORY, 1234)).reason == "field-guessed"
