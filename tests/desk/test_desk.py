from __future__ import annotations

import subprocess
import sys

from msgspec.structs import replace

from petstore_desktop.contract.model import Contract
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.changes import AddStock, Change, ChangeState
from petstore_desktop.domain.errors import KeyRejected, KeyringError, StorageError
from petstore_desktop.domain.quota import Cause, GatePhase, GateView, Quota, Window
from petstore_desktop.domain.records import Category, LocalId, Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import (
    ChangesMoved,
    Checked,
    ContractRead,
    GateMoved,
    KeyUsed,
    KeyWanted,
    Link,
    LinkMoved,
    NotSaved,
    QuotaMoved,
    RowsChanged,
    Trouble,
)
from tests.desk.shopkit import NOON, Screen, new_desk, row, small_shop, tell
from tests.support.manual_clock import ManualClock
from tests.support.patience import PATIENCE_S

KOI = Ref(Resource.PETS, 1234)


def test_events_of_another_connection_change_nothing() -> None:
    desk = small_shop()
    assert not apply_event(desk, RowsChanged("elsewhere", Resource.PETS, (row(Pet(1, "x")),))).anything
    assert len(desk.shop.stores[Resource.PETS]) == 3


def test_rows_that_came_as_they_were_paint_nothing() -> None:
    desk = small_shop()
    table = desk.tables[Resource.PETS]
    table.open()
    screen = Screen(table)
    again = apply_event(
        desk, RowsChanged("shop", Resource.PETS, (row(Pet(1234, "Koi", 1, "available"), seen_at=NOON + 9),))
    )
    assert not again.anything
    assert screen.painted == []
    details = desk.details(KOI)
    assert details is not None and details.seen_at == NOON + 9


def test_the_first_rows_are_there_before_anything_runs_and_are_merged_later() -> None:
    desk = new_desk()
    rows = tuple(row(Pet(number, f"{number}")) for number in range(1, 4))
    desk.begin({Resource.PETS: rows}, {})
    table = desk.tables[Resource.PETS]
    table.open()
    screen = Screen(table)
    more = (*rows, row(Pet(4, "4")))
    assert apply_event(desk, RowsChanged("shop", Resource.PETS, more)).rows == {Resource.PETS: {4}}
    assert screen.inserted == [(3, 3)]
    assert screen.resets == 0


def test_a_name_that_changes_is_painted_wherever_it_is_shown() -> None:
    desk = small_shop()
    screens: dict[Resource, Screen] = {}
    for resource, table in desk.tables.items():
        table.open()
        screens[resource] = Screen(table)
    tell(desk, Resource.CATEGORIES, Category(1, "Pond fish", "Wet"))
    painted = {resource for resource, screen in screens.items() if screen.painted}
    assert painted == {Resource.CATEGORIES, Resource.PETS, Resource.INVENTORY}
    for screen in screens.values():
        screen.painted.clear()
    tell(desk, Resource.PETS, Pet(1234, "Koi, ogon", 1, "available"))
    painted = {resource for resource, screen in screens.items() if screen.painted}
    assert painted == {Resource.PETS, Resource.ORDERS, Resource.INVENTORY}


def test_states_are_kept_and_named() -> None:
    desk = new_desk()
    gate = GateView(GatePhase.PAUSED, NOON, NOON + 47, "too many requests", 429)
    quota = Quota(Window(60, 52), Window(1000, 943, own_count=True))
    assert apply_event(desk, GateMoved("shop", gate)).gate and desk.gate == gate
    assert apply_event(desk, QuotaMoved("shop", quota)).quota and desk.quota == quota
    assert apply_event(desk, ContractRead("shop", Contract({}))).contract and desk.contract == Contract({})
    wanted = KeyWanted("shop", KeyRejected(status=401))
    assert apply_event(desk, wanted).key and desk.key_wanted == wanted
    assert apply_event(desk, LinkMoved("shop", Link.LIVE, NOON)).link
    assert desk.key_wanted is None
    for event in (NotSaved("shop", "b", StorageError()), Checked("shop", KOI), Trouble("shop", OSError())):
        assert apply_event(desk, event).anything


def test_a_change_is_saved_when_first_seen_and_settled_when_it_comes_to_rest() -> None:
    desk = small_shop()
    change = Change(1, "b", NOON, Ref(Resource.INVENTORY, 1234), AddStock(1), {}, ChangeState.QUEUED, NOON)
    told: list[tuple[int, int]] = []
    states = (ChangeState.QUEUED, ChangeState.SENDING, ChangeState.QUEUED, ChangeState.SENDING, ChangeState.DONE)
    for state in states:
        changed = apply_event(desk, ChangesMoved("shop", (replace(change, state=state),)))
        told.append((len(changed.saved), len(changed.settled)))
    assert told == [(1, 0), (0, 0), (0, 0), (0, 0), (0, 1)]


def test_at_midnight_every_order_is_a_day_older() -> None:
    clock = ManualClock(wall=NOON)
    desk = small_shop(clock)
    table = desk.tables[Resource.ORDERS]
    table.open()
    screen = Screen(table)
    assert not desk.expire().anything
    clock.advance(12 * 3600)
    assert desk.expire().rows
    assert screen.painted
    assert table.cell_of(1, "late").number == 4
    assert table.cell_of(2, "ship_date").days == 0


def test_statuses_to_choose_from_are_the_known_ones_and_those_that_were_met() -> None:
    desk = small_shop()
    tell(desk, Resource.PETS, Pet(5, "x", 1, "quarantined"), Pet(6, "y", 1, ""))
    assert desk.statuses() == ("available", "pending", "sold", "quarantined")


def test_categories_to_choose_from_come_by_name() -> None:
    desk = small_shop()
    tell(desk, Resource.CATEGORIES, Category(3, "amphibians"))
    assert desk.categories() == ((3, "amphibians"), (2, "Birds"), (1, "Fish"))


def test_a_title_is_the_pets_name_for_its_stock_too_and_an_order_has_none() -> None:
    desk = small_shop()
    assert desk.title(KOI) == desk.title(Ref(Resource.INVENTORY, 1234)) == "Koi"
    assert desk.title(Ref(Resource.ORDERS, 1)) == ""
    assert desk.title(Ref(Resource.PETS, LocalId("x"))) == ""


def test_a_change_concerns_a_record_that_names_what_moved() -> None:
    desk = small_shop()
    changed = apply_event(desk, RowsChanged("shop", Resource.PETS, (row(Pet(1234, "Koi 2", 1, "available")),)))
    assert changed.concerns(KOI)
    assert changed.concerns(Ref(Resource.ORDERS, 1))
    assert not changed.concerns(Ref(Resource.PETS, 940))


def test_an_order_that_moves_to_another_pet_moves_its_count() -> None:
    desk = small_shop()
    tell(desk, Resource.ORDERS, Order(3, 940, 1, None, True))
    pets = desk.tables[Resource.PETS]
    assert (pets.cell_of(1234, "orders").number, pets.cell_of(940, "orders").number) == (1, 1)


def test_the_desk_loads_nothing_heavy() -> None:
    heavy = ("PySide6", "httpx", "pydantic", "keyring", "asyncio", "yaml", "apsw", "sqlite3", "openpyxl")
    code = f"import sys, petstore_desktop.desk.desk; print([name for name in {heavy!r} if name in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert answer.stdout.strip() == "[]"


def test_a_missing_key_stays_missing_until_one_is_entered_whatever_answers_without_one() -> None:
    desk = new_desk()
    told = apply_event(desk, KeyWanted("shop", None))
    assert told.key and told.gate, "what stops sending is another"
    apply_event(desk, LinkMoved("shop", Link.LIVE, NOON))
    blocked = desk.send_block()
    assert blocked is not None and blocked.cause is Cause.NO_KEY
    assert apply_event(desk, KeyUsed("shop")).gate
    assert desk.key_wanted is None and desk.send_block() is None
    apply_event(desk, KeyWanted("shop", KeyRejected(status=401)))
    assert desk.send_block() is None, "of a key that is there the gate knows"


def test_a_key_that_no_keyring_took_is_known_to_be_asked_for_again() -> None:
    desk = new_desk()
    apply_event(desk, KeyUsed("shop"))
    apply_event(desk, Trouble("shop", KeyringError("keyring-absent")))
    assert desk.key_unkept
    apply_event(desk, KeyUsed("shop"))
    assert not desk.key_unkept, "another one, of which nothing is known yet"
